#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# folders.sh SOURCE OBJECT...: the folders of src, and the folders in them, use each other in one direction: neither their
# includes nor the calls between their object files go in a circle. Tables of functions, which engines are, are data and
# may point back; the public functions are called as a user of the library calls them.
set -euo pipefail
source=$1
shift
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
failures=0

acyclic() { # what, file of pairs "folder folder": the one that uses, the one that is used
    [ -s "$2" ] || { echo "no $1 found"; failures=1; return; }
    if ! tsort <"$2" >/dev/null 2>"$scratch/loop"; then
        failures=1
        echo "the $1 of these folders go in a circle:"
        sed -n 's/^tsort: \([a-z]*\/.*\)/  \1/p' "$scratch/loop"
    fi
}

(cd "$source/src" && grep -rE '^#include "[a-z]+/' . --include='*.[ch]' --include='*.cc' | sed 's|^\./||') |
    sed -E 's|^(.*)/[^/]*:#include "(.*)/[^/]*".*|\1 \2|' | awk '$1 != $2' | sort -u >"$scratch/includes"
acyclic includes "$scratch/includes"

# "symbol folder" of functions that are defined, and of what is asked for
nm -A "$@" | sed -E 's|^.*/argand_([a-z]+)[^/]*\.dir/(\./)?|\1/|' | awk '
    { at = index($0, ":"); path = substr($0, 1, at - 1); $0 = substr($0, at + 1)
      folder = path; sub(/\/[^\/]*$/, "", folder) }
    NF == 3 && $2 == "T" && $3 !~ /^argand_/ { print $3, folder > "'"$scratch"'/owners" }
    NF == 2 && $1 == "U" { print $2, folder > "'"$scratch"'/users" }'
sort -u -o "$scratch/owners" "$scratch/owners"
sort -u -o "$scratch/users" "$scratch/users"
join "$scratch/users" "$scratch/owners" | awk '$2 != $3 { print $2, $3 }' | sort -u >"$scratch/calls"
acyclic calls "$scratch/calls"

[ $failures -eq 0 ] && echo "$(wc -l <"$scratch/includes") pairs of folders include, $(wc -l <"$scratch/calls") call"
