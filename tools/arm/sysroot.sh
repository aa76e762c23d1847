#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/arm/sysroot.sh DIR [PACKAGE...]: unpacks Debian's arm64 libraries and headers that Argand is built with into DIR, for
# cmake/aarch64-linux-gnu.cmake. PACKAGE... are further Debian packages, for example python3-minimal.
# It needs Debian or a derivative, the network, and 300 MB; no root, and neither this machine's packages nor its lists are touched.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
shift
packages=(libc6-dev libgcc-12-dev libstdc++-12-dev libhdf5-dev libpng-dev zlib1g-dev libxml2-dev libfftw3-dev libtiff-dev libopenexr-dev
    libjpeg-dev libcmocka-dev "$@")

apt=$dir/.apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
: >"$apt/status"
if ! [ -f "$apt/list" ]; then
    release=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
    [ "$(. /etc/os-release && echo "$ID")" = debian ] || release=bookworm
    mirror=http://deb.debian.org
    printf 'deb [arch=arm64 signed-by=%s] %s/debian %s main\ndeb [arch=arm64 signed-by=%s] %s/debian-security %s-security main\n' \
        /usr/share/keyrings/debian-archive-keyring.gpg $mirror "$release" /usr/share/keyrings/debian-archive-keyring.gpg $mirror "$release" \
        >"$apt/list"
fi
options=(-q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$apt" -o "Dir::State::status=$apt/status"
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o "Dir::Etc::sourcelist=$apt/list" -o Dir::Etc::sourceparts=-
    -o Debug::NoLocking=1 -o APT::Sandbox::User=root)

# $1: a file of a package. It is entered into a database of dpkg's in DIR, so that dpkg-query --admindir=DIR/var/lib/dpkg -S FILE names
# the package of a file: the wheel looks for licences so (tools/wheel/build.py).
database=$dir/var/lib/dpkg
record() {
    local name
    name=$(dpkg-deb -f "$1" Package)
    [ "$(dpkg-deb -f "$1" Multi-Arch)" != same ] || name=$name:$(dpkg-deb -f "$1" Architecture)
    dpkg-deb --fsys-tarfile "$1" | tar -t | sed -e 's/^\.//' -e 's,/$,,' -e 's,^$,/.,' >"$database/info/$name.list"
    { dpkg-deb -f "$1" | sed '1a Status: install ok installed'; echo; } >>"$database/status"
}

# Nothing is fetched or unpacked if all was there before.
wanted=$(printf '%s\n' "${packages[@]}" | sort)
if [ -f "$apt/done" ] && [ -f "$database/status" ] && [ -z "$(comm -23 <(echo "$wanted") "$apt/done")" ]; then
    echo "sysroot: all packages are in $dir"
    exit 0
fi
[ ! -f "$apt/done" ] || mapfile -t packages < <({ cat "$apt/done"; echo "$wanted"; } | sort -u) # the database names all of them
apt-get "${options[@]}" update
apt-get "${options[@]}" install -y --no-install-recommends --download-only "${packages[@]}"
rm -rf "$database"
mkdir -p "$database/info"
printf '%s\n' "$(dpkg --print-architecture)" arm64 >"$database/arch"
echo 1 >"$database/info/format" # names of lists contain the architecture
for package in "$apt"/cache/archives/*.deb; do
    dpkg -x "$package" "$dir"
    record "$package"
done
rm -rf "$apt/cache/archives"
# What the packages' scripts would do: HDF5's name for pkg-config is an alternative.
ln -sf hdf5-serial.pc "$dir/usr/lib/aarch64-linux-gnu/pkgconfig/hdf5.pc"
# Absolute links lead out of the folder: they become relative to it.
find "$dir" -path "$apt" -prune -o -type l -lname '/*' -print | while read -r link; do
    target=$(readlink "$link")
    [ ! -e "$dir$target" ] || ln -sfn "$(realpath -s --relative-to="$(dirname "$link")" "$dir$target")" "$link"
done
printf '%s\n' "${packages[@]}" | sort >"$apt/new"
mv "$apt/new" "$apt/done"
echo "sysroot: $dir has $(du -sm "$dir" | cut -f1) MB"
