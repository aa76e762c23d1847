#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tool.sh SOURCE OBJECT...: the files of the tool use each other in one direction. Neither the includes between the folders
# of cli, nor the calls between these folders, nor the calls between the files of one folder go in a circle. Tables of
# commands are data and may point back.
set -euo pipefail
source=$1
shift
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
failures=0

acyclic() { # what, file of pairs "a b": a uses b
    [ -s "$2" ] || { echo "no $1 found"; failures=1; return; }
    if ! tsort <"$2" >/dev/null 2>"$scratch/loop"; then
        failures=1
        echo "the $1 go in a circle:"
        sed -n 's/^tsort: \([^ ]*\)$/  \1/p' "$scratch/loop"
    fi
}

(cd "$source/cli" && grep -rE '^#include "[a-z]+/' . --include='*.[ch]' | sed 's|^\./||') |
    sed -E 's|^([^:]*)/[^/]*:#include "(.*)/[^/]*".*|\1 \2|; t; d' | awk '$1 != $2' | sort -u >"$scratch/includes"
acyclic "includes of these folders" "$scratch/includes"

# "symbol file" of functions that are defined, and of what is asked for; files as folder/name.c
nm -A "$@" | sed -E 's|^.*/argand_cli\.dir/||; s|\.o:|:|' | sed 's|^\./||' | grep -v '^__/' | awk '
    { at = index($0, ":"); file = substr($0, 1, at - 1); $0 = substr($0, at + 1) }
    NF == 3 && $2 == "T" { print $3, file > "'"$scratch"'/owners" }
    NF == 2 && $1 == "U" { print $2, file > "'"$scratch"'/users" }'
sort -u -o "$scratch/owners" "$scratch/owners"
sort -u -o "$scratch/users" "$scratch/users"
join "$scratch/users" "$scratch/owners" | awk '$2 != $3 { print $2, $3 }' | sort -u >"$scratch/calls"
acyclic "calls of these files" "$scratch/calls"
sed -E 's|([^ ]*)/[^ /]*|\1|g' "$scratch/calls" | awk '$1 != $2' | sort -u >"$scratch/folders"
acyclic "calls of these folders" "$scratch/folders"

[ $failures -eq 0 ] && echo "$(wc -l <"$scratch/includes") pairs of folders include, $(wc -l <"$scratch/calls") pairs of files call"
