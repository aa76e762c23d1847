#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh shared|static SOURCE BUILD KIND-OF-BUILD CMAKE CC: installs, moves the installation, builds and runs consumers.
set -euo pipefail
kind=$1 source=$2 build=$3 built=$4 cmake=$5 cc=$6
here=$(cd "$(dirname "$0")" && pwd)
for program in pkg-config nm readelf; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done

if [ "$kind" != "$built" ]; then
    # The whole library is compiled again: the second tier of tests.
    other=$build/tests/install/$kind-build
    "$cmake" -S "$source" -B "$other" -DCMAKE_BUILD_TYPE=Release -DARGAND_BUILD_TESTS=OFF -DARGAND_BUILD_BENCH=OFF -DARGAND_LEVELS=native -DCMAKE_C_COMPILER="$cc" \
        -DBUILD_SHARED_LIBS="$([ "$kind" = shared ] && echo ON || echo OFF)" >/dev/null
    "$cmake" --build "$other" -j 2 >/dev/null
    build=$other
fi

work=$(mktemp -d /tmp/argand-install.XXXXXX) # TMPDIR may have blanks, which the README's lines do not expect
trap 'rm -rf "$work"' EXIT
"$cmake" --install "$build" --prefix "$work/first place" >/dev/null
mv "$work/first place" "$work/moved here"
prefix="$work/moved here"

library=$(find "$prefix" -name libargand.so -o -name libargand.a)
abi=$(sed -nE 's/^project\(.* VERSION ([0-9]+)\..*/\1/p' "$source/CMakeLists.txt")
"$here/symbols.sh" "$library" "$prefix/include/argand" "ARGAND_$abi"

# What programs ask the loader for, and the links by which linker and loader come to the library.
needed() { # file tag
    readelf -d "$1" | sed -nE "s/.*\\($2\\).*\\[(.*)\\]/\\1/p"
}
same() { # what, is, wanted
    [ "$2" = "$3" ] || { echo "$1: \"$2\", not \"$3\""; exit 1; }
}
if [ "$kind" = shared ]; then
    same "soname" "$(needed "$library" SONAME)" "libargand.so.$abi"
    same "the linker's link" "$(readlink "$library")" "libargand.so.$abi"
    same "the loader's link" "$(readlink "$library.$abi")" "libargand.so.$("$prefix/bin/argand" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1)"
fi

# the tool runs from where it lies, without LD_LIBRARY_PATH
version=$("$prefix/bin/argand" --version)
echo "tool: $version"

"$cmake" -S "$here/consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" >/dev/null
"$cmake" --build "$work/cmake" >/dev/null
echo "find_package: $("$work/cmake/consumer")"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name argand.pc)")
export PKG_CONFIG_PATH
mkdir "$work/plain"
# pkg-config escapes the blanks of the path, hence eval
eval "\"$cc\" -std=c17 -pedantic -Wall -Werror \"$here/consumer/consumer.c\" -o \"$work/plain/consumer\" \
    $(pkg-config --cflags --libs argand)"
echo "pkg-config: $(LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") "$work/plain/consumer")"

# the README's own lines, on an example that is shipped, run with nothing set
"$cmake" --install "$build" --prefix "$work/where" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$work/where" -name argand.pc)")
cp "$source/examples/fft_image.c" "$work/plain/program.c"
run_readme() { # the line's kind, the line
    [ -n "$2" ] || { echo "README.md has no line to compile a $1 program by"; exit 1; }
    (cd "$work/plain" && eval "$2 -o program" && ./program >/dev/null)
    echo "README, $1: $2"
}
lines=$(sed -n 's/^ *\(cc program.c .*\)/\1/p' "$source/README.md")
run_readme shared "$(grep -v -e --static <<<"$lines")"
if [ "$kind" = shared ]; then
    same "the program needs" "$(needed "$work/plain/program" NEEDED | grep argand)" "libargand.so.$abi"
fi
run_readme static "$(grep -e --static <<<"$lines") $([ "$kind" = static ] || echo -Wl,-rpath,"$(dirname "$PKG_CONFIG_PATH")")"
if [ "$kind" = static ]; then
    same "the program needs" "$(needed "$work/plain/program" NEEDED | grep argand || true)" ""
fi

# A libargand.a beside the shared library, whose own package file has its flags, too.
if [ "$kind" = static ] && [ "$built" = shared ]; then
    cp "$work/where/${library#"$prefix"/}" "$work/libargand.a"
    "$cmake" --install "$3" --prefix "$work/where" >/dev/null
    cp "$work/libargand.a" "$(dirname "$PKG_CONFIG_PATH")"
    run_readme "static beside shared" 'cc program.c $(pkg-config --static --cflags --libs argand | sed "s/-largand/-l:libargand.a/")'
    same "the program needs" "$(needed "$work/plain/program" NEEDED | grep argand || true)" ""
fi
