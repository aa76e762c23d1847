#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/bootstrap.sh [build|test|bench|wheel]: installs the Debian packages that are missing, and only those.
#   build  what `make` and `make demo` need (the default)
#   test   that, and what `make test` needs or can use
#   bench  that, and the peers that `argand bench` compares with
#   wheel  what `make wheel` needs
# Each package is asked for by what it is wanted for (a program, a header, a module), not by its name, so that a machine
# where all is there in another form needs nothing. Then neither root nor the network is touched.
# On macOS it names the packages of Homebrew that are missing, with the command that installs them, and installs nothing.
set -euo pipefail
[ "$(uname -s)" != Darwin ] || exec "$(dirname "$0")/bootstrap_macos.sh" "$@"

missing=()  # packages that must come
wanted=()   # packages without which some tests or comparisons are skipped

need() { local package=$1; shift; "$@" >/dev/null 2>&1 || missing+=("$package"); }
want() { local package=$1; shift; "$@" >/dev/null 2>&1 || wanted+=("$package"); }

program() { command -v "$1"; }
compiler() { command -v cc || command -v gcc || [ -n "${CC:-}" ]; }
header() { echo "#include <$1>" | "${CC:-cc}" -E -x c - || echo "#include <$1>" | gcc -E -x c -; }
library() { pkg-config --exists "$@"; }
opencl_loader() { compgen -G '/usr/lib*/libOpenCL.so.1' || compgen -G '/usr/lib/*/libOpenCL.so.1'; }
opencl_platform() { compgen -G '/etc/OpenCL/vendors/*.icd'; }
module() { python3 -c "import $1"; }
sphinx() { local python; python=$(head -n 1 "$(command -v sphinx-build)"); ${python#\#!} -c "import $1"; } # its own Python

build_packages() {
    need gcc compiler
    need libc6-dev header stdio.h
    need make program make
    need cmake program cmake
    need pkg-config program pkg-config
    want ninja-build program ninja
    need libhdf5-dev library hdf5
    need libpng-dev library libpng
    need zlib1g-dev library zlib
    need libxml2-dev library libxml-2.0
    want libopenexr-dev library OpenEXR
    want g++ program c++
    want libtiff-dev library libtiff-4
    want libjpeg-dev library libjpeg
}

test_packages() {
    build_packages
    need libcmocka-dev library cmocka
    want libfftw3-dev library fftw3 fftw3f
    want openmpi-bin program mpirun.openmpi
    want mpich program mpirun.mpich
    want iproute2 program ip
    want snakemake program snakemake
    want ismrmrd-tools program ismrmrd_generate_cartesian_shepp_logan
    want nifti-bin program nifti_tool
    want dcm2niix program dcm2niix
    want dicom3tools program dciodvfy
    want python3 program python3
    want python3-numpy module numpy
    want python3-cffi module cffi
    want python3-nibabel module nibabel
    want python3-h5py module h5py
    want python3-sphinx program sphinx-build
    want python3-myst-parser sphinx myst_parser
    want furo sphinx furo
    want valgrind program valgrind
    want dpkg-dev program dpkg-source
    want python3-venv module ensurepip
    want ocl-icd-libopencl1 opencl_loader
    want pocl-opencl-icd opencl_platform
}

wheel_packages() {
    build_packages
    need dpkg-dev program dpkg-source
    need libaec-dev header szlib.h
    need libtiff-dev library libtiff-4
    need libjpeg-dev library libjpeg
    need libopenexr-dev library OpenEXR
    need python3-venv module ensurepip
}

bench_packages() {
    build_packages
    want bart program bart
    module finufft >/dev/null 2>&1 ||
        echo "bootstrap: FINUFFT is not a Debian package; \`pip install finufft\` adds its figures to the benchmarks."
}

case ${1:-build} in
build) build_packages ;;
test) test_packages ;;
bench) bench_packages ;;
wheel) wheel_packages ;;
*) echo "usage: tools/bootstrap.sh [build|test|bench|wheel]" >&2; exit 2 ;;
esac

if [ ${#missing[@]} -eq 0 ] && [ ${#wanted[@]} -eq 0 ]; then
    echo "bootstrap: all packages for ${1:-build} are there."
    exit 0
fi
command="apt-get install -y --no-install-recommends ${missing[*]} ${wanted[*]}"

# Gives up with the command for the reader to run; goes on where only optional packages are missing.
give_up() {
    echo "bootstrap: $1" >&2
    if [ ${#missing[@]} -gt 0 ]; then
        echo "bootstrap: these packages are needed: ${missing[*]}" >&2
        echo "bootstrap: as root, run:  apt-get update && $command" >&2
        exit 1
    fi
    echo "bootstrap: going on without the optional packages ${wanted[*]}" >&2
    exit 0
}

program apt-get >/dev/null || give_up "this is not a Debian system (no apt-get); install the packages' equivalents."
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    program sudo >/dev/null || give_up "installing packages needs root, and there is no sudo."
    as_root=(sudo)
fi

install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}
# The package lists may be absent (a fresh container) or old: they are fetched at most once.
lists=unknown
update_lists() {
    [ $lists != fetched ] || return 1
    lists=fetched
    echo "bootstrap: fetching the package lists"
    "${as_root[@]}" apt-get update -q
}
install_updating() {
    install "$@" || { update_lists && install "$@"; }
}

echo "bootstrap: installing" "${missing[@]}" "${wanted[@]}"
if ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; then update_lists || true; fi
if [ ${#missing[@]} -gt 0 ]; then
    install_updating "${missing[@]}" || give_up "the installation failed (its messages are above)."
fi
# Optional packages one by one: one that this release lacks does not keep the others away.
for package in "${wanted[@]}"; do
    install_updating "$package" || echo "bootstrap: going on without $package" >&2
done
