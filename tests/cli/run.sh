#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh ARGAND CASE FILES: runs one case in an empty folder and compares. A case is a text of lines:
#   # what it shows
#   cmd: argand info $files/scan.h5     run by bash, with `argand` the tool, $files the folder of prepared scans and $tests this;
#                                       several are run in turn until one fails
#   exit: 0                             expected exit code (0)
#                                       $(some 2 a b c) is two of these words in the first tier (ARGAND_TEST_FIRST), others in every
#                                       run, and all of them in the second, which has such a case again as NAME_whole
#   out: words                          standard output holds these words (several lines: each of them)
#   err: words                          standard error does
#   leaves: a.png b.nii                 exactly these files are in the folder afterwards (nothing, if the line is absent)
#   leaves-any                          what is left does not matter
#   one-of: 3                           in the first tier, one of three runs has this case (the seed decides); the second has NAME_whole
#   needs: h5py                         skipped without this Python module (or these: a, b)
#   needs-device: opencl                skipped where argand devices names no device of this backend
#   needs-picture: .exr .tif            skipped where the tool was built without these formats
# Whatever a case expects: no signal may end the tool, and no sanitizer may complain.
set -uo pipefail
tool=$(realpath "$1") case=$(realpath "$2") files=$3
tests=$(dirname "$(realpath "$0")")
. "$tests/../without_spaces.sh"
without_spaces files tests
export files tests

work=$(mktemp -d "${TMPDIR:-/tmp}/argand cli.XXXXXX")
trap 'chmod -R u+rwx "$work"; rm -rf "$work" $links' EXIT
mkdir "$work/bin" "$work/here"
ln -s "$tool" "$work/bin/argand"
PATH=$work/bin:$files/python:$PATH # files.sh has put the interpreter there
[ -e "$files/python/modules" ] || { echo "$files/python/modules is missing: run files.sh first"; exit 1; }
cd "$work/here" || exit 1

# Each field's lines, read without other programs: there are some 400 cases.
declare -A lines=()
while IFS= read -r line || [ -n "$line" ]; do
    [[ $line =~ ^([a-z-]+):\ *(.*)$ ]] && lines[${BASH_REMATCH[1]}]+=${BASH_REMATCH[2]}$'\n'
    [[ $line == leaves-any* ]] && lines[leaves-any]=1
done <"$case"
field() { REPLY=${lines[$1]:-} REPLY=${REPLY%$'\n'}; }
failures=0
complain() { echo "$1"; failures=$((failures + 1)); }

export ARGAND_TEST_SEED=${ARGAND_TEST_SEED:-$RANDOM}
[ -z "${ARGAND_TEST_FIRST:-}" ] || echo "ARGAND_TEST_SEED=$ARGAND_TEST_SEED"
field one-of
if [ -n "$REPLY" ] && [ -n "${ARGAND_TEST_FIRST:-}" ] && [ $((ARGAND_TEST_SEED % REPLY)) != 0 ]; then
    echo "skipped: one of $REPLY runs of the first tier has this case"
    exit 77
fi

field needs
for module in ${REPLY//,/ }; do
    if ! grep -qx "$module" "$files/python/modules"; then
        echo "skipped: no Python module $module"
        exit 77
    fi
done
field needs-program
program=$REPLY
if [ -n "$program" ] && ! command -v "$program" >/dev/null; then
    echo "skipped: no $program here"
    exit 77
fi
field needs-device
if [ -n "$REPLY" ] && [[ $(argand devices --json 2>&1) != *'"event":"device","device":"'"$REPLY"* ]]; then
    echo "skipped: no device of $REPLY here"
    exit 77
fi
field needs-picture
for ending in $REPLY; do
    case $(argand bloom "none$ending" none.npy 2>&1) in *"built without"*) ;; *) continue ;; esac
    echo "skipped: the tool was built without $ending"
    exit 77
done
if [ "$program" = valgrind ] && grep -q __asan_init "$tool"; then
    echo "skipped: valgrind does not run what the address sanitizer watches"
    exit 77
fi
if [ "$program" = valgrind ] && grep -q "AVX-512 alone" <<<"$(ARGAND_CPU=avx2 "$tool" devices 2>&1)"; then
    echo "skipped: valgrind has no AVX-512, and the library was compiled for nothing else"
    exit 77
fi

# Prints so many of the words, in the second tier all.
some() {
    local count=$1 i words
    shift
    words=("$@")
    if [ -z "${ARGAND_TEST_FIRST:-}" ]; then
        echo "${words[@]}"
        return
    fi
    RANDOM=$ARGAND_TEST_SEED
    while [ ${#words[@]} -gt "$count" ]; do
        i=$((RANDOM % ${#words[@]}))
        unset "words[$i]"
        words=("${words[@]}")
    done
    echo "${words[@]}"
}
export -f some

code=0
field cmd
while IFS= read -r command; do
    [ $code -eq 0 ] || break
    bash -c "$command" >>"$work/out" 2>>"$work/err" </dev/null
    code=$?
done <<<"$REPLY"

field exit
[ "$code" = "${REPLY:-0}" ] || complain "exit code $code, expected ${REPLY:-0}"
case $code in 13[1-9] | 14? | 15?) complain "ended by signal $((code - 128))" ;; esac
field out
while IFS= read -r words; do
    [ -z "$words" ] || grep -qF -- "$words" "$work/out" || complain "standard output lacks: $words"
done <<<"$REPLY"
field err
while IFS= read -r words; do
    [ -z "$words" ] || grep -qF -- "$words" "$work/err" || complain "standard error lacks: $words"
done <<<"$REPLY"
! grep -qE 'Sanitizer|runtime error' "$work/err" || complain "a sanitizer complains"
if [ -z "${lines[leaves-any]:-}" ]; then
    shopt -s dotglob nullglob
    left=(*)
    field leaves
    read -ra wanted -d '' <<<"$REPLY"
    for name in "${wanted[@]}"; do
        [ -e "$name" ] || [ -L "$name" ] || complain "not there: $name"
    done
    [ ${#left[@]} = ${#wanted[@]} ] || complain "files left: '${left[*]}', expected: '${wanted[*]}'"
fi

if [ $failures -gt 0 ]; then
    echo "--- standard output"; head -c 4000 "$work/out"
    echo "--- standard error"; head -c 4000 "$work/err"
    exit 1
fi
