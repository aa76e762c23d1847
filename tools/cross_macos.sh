#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links the library and the tool for macOS on Linux: tools/cross_macos.sh [arm64|x86_64]... [--build FOLDER] [--jobs N]
# It needs Zig (pip install ziglang), LLVM's llvm-nm, llvm-objdump and llvm-install-name-tool (Debian: llvm), omp.h (Debian: libomp-dev),
# and the libraries that Argand is built with on Linux. Nothing of Apple's SDK is used: Zig brings the C library's headers and names. The other
# libraries are headers of this machine and lists of the names that this machine's files export, under the file names that Homebrew has
# for them. The programs made here are compared with these lists. They are not run.
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
build=$home/build/macos
jobs=$(nproc)
processors=()
while [ $# -gt 0 ]; do
  case $1 in
    arm64 | x86_64) processors+=("$1") ;;
    --build) build=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    *) echo "usage: tools/cross_macos.sh [arm64|x86_64]... [--build FOLDER] [--jobs N]" >&2; exit 2 ;;
  esac
  shift
done
[ ${#processors[@]} -gt 0 ] || processors=(arm64 x86_64)

lacks() { # lacks WHAT REMEDY: ends with 77, which CTest counts as skipped
  echo "cross_macos: skipped: $1 was not found; install $2"
  exit 77
}
zig=$(python3 -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))' 2>/dev/null) ||
  lacks "Zig" "it with: python3 -m pip install ziglang"
program() { # program NAME: itself, or with a version, as Debian names it
  local found
  for found in $(command -v "$1") /usr/bin/"$1"-[0-9]* /usr/lib/llvm-*/bin/"$1"; do
    [ -x "$found" ] && { echo "$found"; return; }
  done
  lacks "$1" "Debian's package llvm"
}
nm=$(program llvm-nm)
objdump=$(program llvm-objdump)
program llvm-install-name-tool > /dev/null
omp_header=$(ls /usr/lib/llvm-*/lib/clang/*/include/omp.h 2>/dev/null | tail -1)
omp_library=$(ls /usr/lib/llvm-*/lib/libomp.so /usr/lib/llvm-*/lib/libomp.so.5 2>/dev/null | tail -1)
[ -n "$omp_header" ] && [ -n "$omp_library" ] || lacks "LLVM's omp.h" "Debian's package libomp-dev"

brew=
# stub NAME LIBRARY [SYMBOL...]: lib/libNAME.tbd, the names that this machine's library exports, and further ones
stub() {
  {
    echo "--- !tapi-tbd"
    echo "tbd-version: 4"
    echo "targets: [ $triple ]"
    echo "install-name: '$brew/lib$1.dylib'"
    echo "exports:"
    echo "  - targets: [ $triple ]"
    echo -n "    symbols: [ "
    { "$nm" -D --defined-only "$2" | awk '$2 ~ /^[TWBDRVi]$/ {sub(/@.*/, "", $3); print "_" $3}'; printf '_%s\n' "${@:3}"; } | grep -v '^_$' | sort -u | sed "s/.*/'&'/" | paste -sd, | tr -d '\n'
    echo " ]"
    echo "..."
  } > "$stubs/lib/lib$1.tbd"
}
# package MODULE NAME HEADER...: its pkg-config file, stub and headers
package() {
  local module=$1 name=$2 folder file
  shift 2
  pkg-config --exists "$module" || lacks "$module" "what Argand is built with on Linux (tools/bootstrap.sh)"
  folder=$(pkg-config --variable=libdir "$module")
  file=$folder/lib$name.so
  [ -e "$file" ] || file=$(pkg-config --libs-only-L "$module" | sed 's/^-L//; s/ .*//')/lib$name.so
  stub "$name" "$file"
  mkdir -p "$stubs/include/$module"
  for header in "$@"; do ln -sfn "$header" "$stubs/include/$module/$(basename "$header")"; done
  cat > "$stubs/lib/pkgconfig/$module.pc" << END
Name: $module
Description: names of $name, to link for macOS
Version: $(pkg-config --modversion "$module")
Cflags: -I$stubs/include/$module
Libs: -L$stubs/lib -l$name
END
}

# check FILE...: is a file for this processor, needs only libraries that are named here, and its names are all found in one of them
check() {
  local file library
  for file in "$@"; do
    "$objdump" --macho --private-header "$file" | grep -qiE "$([ "$processor" = arm64 ] && echo ARM64 || echo X86_64)" ||
      { echo "cross_macos: $file is not for $processor"; exit 1; }
    for library in $("$objdump" --macho --dylibs-used "$file" | awk '/^\t/ {print $1}'); do
      case $library in
        /usr/lib/libSystem.B.dylib | @rpath/libargand.0.dylib | */src/libargand.0.dylib | "$brew"/lib*.dylib) ;;
        *) echo "cross_macos: $file needs $library, which is not named here"; exit 1 ;;
      esac
    done
    if "$nm" -m -u "$file" | grep -v '(from '; then
      echo "cross_macos: $file: these names are found in no library"
      exit 1
    fi
  done
  if "$nm" -g --defined-only "$1" | awk '{print $3}' | grep -vE '^_argand_|^_\.gomp_critical|^___dso_handle$|^__mh_dylib_header$'; then
    echo "cross_macos: $1 shows these names, which are not public"
    exit 1
  fi
  "$nm" -g --defined-only "$1" | grep -q '_argand_version$' || { echo "cross_macos: $1 shows no function"; exit 1; }
}

for processor in "${processors[@]}"; do
  folder=$build/$processor stubs=$build/$processor/stubs
  triple=$processor-macos brew=/opt/homebrew/lib
  [ "$processor" = arm64 ] || brew=/usr/local/lib
  mkdir -p "$stubs/lib/pkgconfig" "$stubs/include" "$stubs/bin"
  for name in ar ranlib; do printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" $name > "$stubs/bin/$name"; chmod +x "$stubs/bin/$name"; done
  cp -p "$omp_header" "$stubs/include/"
  stub omp "$omp_library" __kmpc_dispatch_deinit # of LLVM 19: Zig's compiler may be newer than this machine's libomp
  multiarch=/usr/include/$(gcc -print-multiarch 2>/dev/null || uname -m)
  package fftw3 fftw3 /usr/include/fftw3.h
  package fftw3f fftw3f /usr/include/fftw3.h
  package hdf5 hdf5 "$(pkg-config --cflags-only-I hdf5 | sed 's/^-I//; s/ .*//')"/*.h
  [ -e "$stubs/include/hdf5/features.h" ] || : > "$stubs/include/hdf5/features.h" # asked for by HDF5's configuration for Linux
  package libpng png16 "$(pkg-config --variable=includedir libpng)"/*.h
  package zlib z /usr/include/zlib.h /usr/include/zconf.h
  package libxml-2.0 xml2 /usr/include/libxml2/libxml /usr/include/unicode
  package libtiff-4 tiff "$multiarch"/tiff*.h
  package libjpeg jpeg /usr/include/j*.h "$multiarch"/jconfig.h
  configured=$folder/configure.txt
  env -u CMAKE_C_COMPILER_LAUNCHER -u CMAKE_CXX_COMPILER_LAUNCHER PKG_CONFIG_LIBDIR="$stubs/lib/pkgconfig" \
    cmake -S "$home" -B "$folder" $(command -v ninja > /dev/null && echo -G Ninja) --toolchain "$home/cmake/macos-zig.cmake" \
    -DARGAND_ZIG="$zig" -DARGAND_MACOS_PROCESSOR="$processor" -DARGAND_MACOS_STUBS="$stubs" -DARGAND_OPENEXR=OFF -DARGAND_BUILD_TESTS=OFF \
    "-DARGAND_VARIANT_OPTIMISATION=-O0;SHELL:-Xclang -disable-llvm-passes" -DCMAKE_C_FLAGS_RELEASE="-O0 -DNDEBUG" \
    > "$configured" 2>&1 || { tail -40 "$configured"; exit 1; }
  cmake --build "$folder" -j "$jobs" --target argand_cli > "$folder/build.txt" 2>&1 || { grep -E 'error' "$folder/build.txt" | cut -c1-300 | head -60; exit 1; }
  if grep -q 'warning:' "$folder/build.txt"; then
    grep 'warning:' "$folder/build.txt" | sort -u | head -20
    echo "cross_macos: $processor: the compiler warns (above); this is no failure, since it is newer than those of the other checks"
  fi
  check "$folder/src/libargand.0.dylib" "$folder/argand"
  echo "cross_macos: $processor: compiled and linked, not run: $folder/argand"
done
