#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# headers.sh SOURCE CC: each public header begins with what it limits, what threads may do, what is refused and how NULL is taken; and
# the lines of code in its comments compile.
set -eu
source=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
complain() { echo "$1"; wrong=1; }

# Blocks of a comment that are indented as code is and end in ;, each as the body of a function.
blocks() { # header
    awk '
        function emit() { if (block ~ /;\n$/) printf "void block_%d(void);\nvoid block_%d(void)\n{\n%s}\n", ++count, count, block
                          block = gap = "" }
        /^ \*     / { block = block gap substr($0, 8) "\n"; gap = ""; next }
        /^ \*$/ && block { gap = gap "\n"; next }
        { emit() }
        END { emit() }' "$1"
}

cat >"$work/before.h" <<'END'
#include <argand/argand.h>
#include <stdio.h>
static argand_device *device;
static argand_array *image;
static argand_array *psf, *out;
static argand_scan *scan;
static argand_sense *session;
static argand_report *report;
static argand_geometry geometry;
static float pixels[2], result[2];
END
for header in "$source"/include/argand/*.h; do
    name=$(basename "$header")
    sed '/\*\/$/{/SPDX/!q}' "$header" | tr -d '*' | tr -s ' \n' ' ' >"$work/head" # one line, wherever comments are wrapped
    for word in Limits Threads Refused NULL; do
        grep -qE "(^| )$word( with ARGAND_ARGUMENT| by argand_fft_create)?:|(^| )$word with ARGAND_ARGUMENT, " "$work/head" ||
            complain "$name does not say at its beginning: $word"
    done
    blocks "$header" >"$work/blocks"
    [ -s "$work/blocks" ] || continue
    echo "$name: $(grep -c '^void.*;$' "$work/blocks") blocks of code"
    cat "$work/before.h" "$work/blocks" >"$work/$name.c"
    "$cc" -std=c17 -Wall -Werror -Wno-unused-result -Wno-unused-variable -fsyntax-only -I"$source/include" "$work/$name.c" ||
        complain "$name: the code in its comments does not compile"
done >"$work/told"
cat "$work/told"
[ "$(wc -l <"$work/told")" -ge 4 ] || complain "the code in the headers' comments is not found any more"
exit $wrong
