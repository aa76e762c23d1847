#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh shared|static SOURCE BUILD KIND-OF-BUILD CMAKE CC: installs, moves the installation, builds and runs consumers.
set -euo pipefail
kind=$1 source=$2 build=$3 built=$4 cmake=$5 cc=$6
here=$(cd "$(dirname "$0")" && pwd)
for program in pkg-config nm; do
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

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cmake" --install "$build" --prefix "$work/first place" >/dev/null
mv "$work/first place" "$work/moved here"
prefix="$work/moved here"

"$here/symbols.sh" "$(find "$prefix" -name libargand.so -o -name libargand.a)" "$prefix/include/argand"

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

# the README's own line, on an example that is shipped, run with nothing set
line=$(sed -n 's/^ *\(cc program.c .*\)/\1/p' "$source/README.md")
[ -n "$line" ] || { echo "README.md has no line to compile a program by"; exit 1; }
"$cmake" --install "$build" --prefix "$work/where" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$work/where" -name argand.pc)")
cp "$source/examples/fft_image.c" "$work/plain/program.c"
(cd "$work/plain" && eval "$line -o program" && ./program >/dev/null)
echo "README: $line"
