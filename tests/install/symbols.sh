#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# symbols.sh LIBRARY HEADERS: the library, shared or static, shows functions that the headers declare, and nothing else.
set -euo pipefail
dynamic=$([[ $1 == *.so ]] && echo -D || true)
# .gomp_...: the locks that clang shares between OpenMP regions of all libraries
exported=$(nm -g $dynamic --defined-only "$1" | awk 'NF == 3 && $3 !~ /^\.gomp_/ {print $3}' | sort -u)
declared=$(cat "$2"/*.h | tr '\n' ' ' | grep -oE 'ARGAND_API [^;(]*\(' | grep -oE 'argand_[a-z0-9_]+\($' | tr -d '(' | sort -u)
foreign=$(comm -23 <(echo "$exported") <(echo "$declared"))
if [ -n "$foreign" ]; then
    echo "visible, but in no public header:"
    echo "$foreign"
    exit 1
fi
echo "symbols: $(echo "$exported" | wc -l) functions"
