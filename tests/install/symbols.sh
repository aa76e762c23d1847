#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# symbols.sh LIBRARY HEADERS VERSION: the library, shared or static, shows the functions that the headers declare, all of them and nothing
# else; those of a shared one have the symbol version VERSION.
set -euo pipefail
dynamic=$([[ $1 == *.so ]] && echo -D || true)
names=$(nm -g $dynamic --defined-only --with-symbol-versions "$1")
# .gomp_...: the locks that clang shares between OpenMP regions of all libraries; A: the version itself
exported=$(awk 'NF == 3 && $2 != "A" && $3 !~ /^\.gomp_/ {sub(/@.*/, "", $3); print $3}' <<<"$names" | sort -u)
declared=$(cat "$2"/*.h | tr '\n' ' ' | grep -oE 'ARGAND_API [^;(]*\(' | grep -oE 'argand_[a-z0-9_]+\($' | tr -d '(' | sort -u)
complain() { # what, names
    [ -z "$2" ] || { echo "$1"; echo "$2"; exit 1; }
}
complain "visible, but in no public header:" "$(comm -23 <(echo "$exported") <(echo "$declared"))"
complain "in a public header, but not visible:" "$(comm -13 <(echo "$exported") <(echo "$declared"))"
if [ -n "$dynamic" ]; then
    complain "without the version $3:" "$(awk -v v="@@$3" 'NF == 3 && $2 != "A" && index($3, v) != length($3) - length(v) + 1' <<<"$names")"
fi
echo "symbols: $(echo "$exported" | wc -l) functions"
