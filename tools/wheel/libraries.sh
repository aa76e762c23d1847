#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/wheel/libraries.sh DIR [OPTION...]: builds HDF5, libxml2 and libtiff from Debian's source packages into DIR, as static libraries
# for the wheel: DIR/include, DIR/lib, DIR/lib/pkgconfig, DIR/licences. OPTION... are more of CMake's, for example a toolchain file.
# Debian's own shared libraries of these need 40 others (Kerberos, LDAP, GnuTLS, ICU's 30 MB), one of which is GPL (JBIG-KIT). None of
# these is needed to read scans and pictures. The sources have Debian's security fixes.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1/lib/pkgconfig" "$1/licences" "$1/sources/lists/partial"
dir=$(cd "$1" && pwd)
shift
options=("$@")
jobs=${JOBS:-$(nproc)}

# The source packages, from lists of their own: the machine's lists need not name sources.
fetch() {
    local release
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    cd "$dir/sources"
    printf 'deb-src http://deb.debian.org/debian %s main\ndeb-src http://deb.debian.org/debian-security %s-security main\n' \
        "$release" "$release" >list
    set -- -q -o Dir::Etc::sourcelist="$PWD/list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$PWD/lists" -o APT::Sandbox::User=root
    apt-get "$@" update
    apt-get "$@" source hdf5 libxml2 tiff
}

# $1: the source package; $2...: options of CMake
build() {
    local name=$1 source
    shift
    source=$(find "$dir/sources" -maxdepth 1 -type d -name "$name-*")
    mkdir -p "$dir/sources/build-$name"
    cd "$dir/sources/build-$name" # HDF5's checks write into the current folder
    cmake -S "$source" -B . -G "$generator" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$dir" \
        -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_C_VISIBILITY_PRESET=hidden \
        -DBUILD_TESTING=OFF -Wno-dev "${options[@]}" "$@"
    cmake --build . -j "$jobs"
    cmake --install .
    cp "$source/debian/copyright" "$dir/licences/$name"
}

# $1: pkg-config's name; $2: its version; $3: flags of the linker; $4: a folder of headers
describe() {
    printf '%s\n' 'prefix=${pcfiledir}/../..' "Name: $1" "Description: $1, static" "Version: $2" "Cflags: -I\${prefix}/include$4" \
        "Libs: -L\${prefix}/lib $3" >"$dir/lib/pkgconfig/$1.pc"
}

version() { find "$dir/sources" -maxdepth 1 -type d -name "$1-*" | sed -E 's/.*-([0-9.]+[0-9]).*/\1/'; }

generator=$(command -v ninja >/dev/null && echo Ninja || echo 'Unix Makefiles')
fetch
build hdf5 -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=ON \
    -DHDF5_ENABLE_SZIP_SUPPORT=ON -DHDF5_ENABLE_THREADSAFE=ON -DHDF5_ENABLE_DEPRECATED_SYMBOLS=ON
build libxml2 -DLIBXML2_WITH_ICU=OFF -DLIBXML2_WITH_LZMA=OFF -DLIBXML2_WITH_ZLIB=OFF -DLIBXML2_WITH_PYTHON=OFF -DLIBXML2_WITH_HTTP=OFF \
    -DLIBXML2_WITH_FTP=OFF -DLIBXML2_WITH_PROGRAMS=OFF -DLIBXML2_WITH_TESTS=OFF
build tiff -Djbig=OFF -Dlzma=OFF -Dzstd=OFF -Dwebp=OFF -Dlerc=OFF -Dlibdeflate=OFF -Djpeg12=OFF -Dcxx=OFF -Dtiff-tools=OFF -Dtiff-tests=OFF \
    -Dtiff-contrib=OFF -Dtiff-docs=OFF
describe hdf5 "$(version hdf5)" "-lhdf5 -lsz -lz -lpthread -ldl -lm" ""
describe libxml-2.0 "$(version libxml2)" "-lxml2 -lm" /libxml2
describe libtiff-4 "$(version tiff)" "-ltiff -ljpeg -lz -lm" ""
rm -rf "$dir/sources"
