#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/bootstrap_macos.sh [build|test|bench|wheel]: names the packages of Homebrew that are missing, and ends with 1 if one is needed.
# It installs nothing. Called by tools/bootstrap.sh on macOS, whose bash is of version 3.2.
set -eu

for folder in /opt/homebrew/bin /usr/local/bin; do
  case :$PATH: in *:$folder:*) ;; *) PATH=$PATH:$folder ;; esac
done
for folder in /opt/homebrew/opt /usr/local/opt; do # packages that Homebrew keeps out of the way of macOS's own
  PKG_CONFIG_PATH=${PKG_CONFIG_PATH:-}:$folder/zlib/lib/pkgconfig:$folder/libxml2/lib/pkgconfig
done
export PKG_CONFIG_PATH
needed= wanted=
need() { package=$1; shift; "$@" > /dev/null 2>&1 || needed="$needed $package"; }
want() { package=$1; shift; "$@" > /dev/null 2>&1 || wanted="$wanted $package"; }
program() { command -v "$1"; }
library() { pkg-config --exists "$@"; }
openmp() { [ -e /opt/homebrew/opt/libomp/include/omp.h ] || [ -e /usr/local/opt/libomp/include/omp.h ]; }
module() { python3 -c "import $1"; }

if ! command -v cc > /dev/null || ! echo 'int x;' | cc -c -x c -o /dev/null - 2> /dev/null; then
  echo "bootstrap: there is no C compiler; run:  xcode-select --install" >&2
  exit 1
fi
need cmake program cmake
need pkgconf program pkg-config
need libomp openmp
need hdf5 library hdf5
need libpng library libpng
need zlib library zlib
need libxml2 library libxml-2.0
want fftw library fftw3 fftw3f
want ninja program ninja
want libtiff library libtiff-4
want jpeg-turbo library libjpeg
want openexr library OpenEXR
case ${1:-build} in
  test)
    need cmocka library cmocka
    for name in numpy cffi nibabel h5py; do want "python3 (with: python3 -m pip install $name)" module $name; done
    ;;
  build | bench | wheel) ;;
  *) echo "usage: tools/bootstrap.sh [build|test|bench|wheel]" >&2; exit 2 ;;
esac
[ -z "$wanted" ] || echo "bootstrap: going on without the optional packages of Homebrew:$wanted" >&2
if [ -n "$needed" ]; then
  echo "bootstrap: these packages of Homebrew are needed:$needed" >&2
  echo "bootstrap: run:  brew install$needed" >&2
  exit 1
fi
