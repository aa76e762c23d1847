#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# files.sh OBJECT...: the files of each folder of src call each other in one direction. Tables of functions, which engines
# are, are data and may point back.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
failures=0

# "symbol file" of functions that are defined, and of what is asked for; files as folder/name.c
nm -A "$@" | sed -E 's|^.*/argand_([a-z]+)[^/]*\.dir/(\./)?|\1/|; s|\.o:|:|' | awk '
    { at = index($0, ":"); file = substr($0, 1, at - 1); $0 = substr($0, at + 1) }
    NF == 3 && $2 == "T" { print $3, file > "'"$scratch"'/owners" }
    NF == 2 && $1 == "U" { print $2, file > "'"$scratch"'/users" }'
sort -u -o "$scratch/owners" "$scratch/owners"
sort -u -o "$scratch/users" "$scratch/users"
# "folder file file": the one that uses, the one that is used
join "$scratch/users" "$scratch/owners" | awk '
    { folder = $2; sub(/\/[^\/]*$/, "", folder); other = $3; sub(/\/[^\/]*$/, "", other) }
    folder == other && $2 != $3 { print folder, $2, $3 }' | sort -u >"$scratch/calls"
[ -s "$scratch/calls" ] || { echo "no calls found"; exit 1; }

for folder in $(cut -d' ' -f1 "$scratch/calls" | sort -u); do
    if ! awk -v folder="$folder" '$1 == folder { print $2, $3 }' "$scratch/calls" | tsort >/dev/null 2>"$scratch/loop"; then
        echo "the calls of these files go in a circle:"
        sed -n 's/^tsort: \([^ ]*\/.*\)/  \1/p' "$scratch/loop"
        failures=1
    fi
done
[ $failures -eq 0 ] && echo "$(wc -l <"$scratch/calls") pairs of files call"
