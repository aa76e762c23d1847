#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# faults.sh ARGAND SHIM FILES WHICH COMMAND: runs the command once to have its files, then again and again, each time with another call
# that writes, names or syncs a file failing (faults.c), until no call is left to fail. After each: an exit code that says so, a message that
# name a file and what to do, and every file as it was. WHICH is `every` or `some`, which passes over most of many writes to one file.
# Names are given again where file systems cannot exchange two, where they have no links either, and where nothing was there before.
# In the first tier (ARGAND_TEST_FIRST) two of three calls succeed, others in every run (ARGAND_TEST_SEED).
# `$in` is the first scan of FILES, `$array` an array; a command with `new/` keeps one file for each result there, and those that it has
# finished may stay.
set -uo pipefail
tool=$(realpath "$1") shim=$(realpath "$2") files=$3 which=$4 command=$5
case $(nm -D "$tool" 2>/dev/null) in *__asan_init*) echo "skipped: sanitizers come before what is preloaded"; exit 77 ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/argand-faults.XXXXXX")
. "$(dirname "$(realpath "$0")")/../without_spaces.sh"
without_spaces files shim
trap 'rm -rf "$work" $links' EXIT
mkdir "$work/bin" "$work/here"
ln -s "$tool" "$work/bin/argand"
PATH=$work/bin:$PATH
in=$files/scan.h5 array=$files/array.npy ARGAND_CACHE=$work/cache
export in array files ARGAND_CACHE
cd "$work/here" || exit 1

RANDOM=${ARGAND_TEST_SEED:=$RANDOM}
[ -z "${ARGAND_TEST_FIRST:-}" ] || echo "ARGAND_TEST_SEED=$ARGAND_TEST_SEED"

shopt -s dotglob nullglob globstar
run() { (export "$@" LD_PRELOAD="$shim"; eval "exec argand $command") >"$work/out" 2>"$work/err"; }
state() { md5sum -- ** 2>&1; }
failures=0 calls=0
complain() { echo "call $at $* ($(cat "$work/came")) failed, and $why"; failures=$((failures + 1)); }

# Call `at` fails; false where there is none any more.
fail_one() {
    rm -f "$work/came"
    run FAULT_AT="$at" FAULT_LOG="$work/came" "$@"
    local code=$?
    [ -e "$work/came" ] || return 1
    calls=$((calls + 1))
    why="the exit code is $code"
    if [ $code -eq 0 ] || [ $code -ge 128 ]; then complain "$@"; fi
    local message
    message=$(<"$work/err")
    why="the message is: ${message##*$'\n'}"
    [[ $message =~ (out|new/)[^\ ]*:\ cannot\ be\ written:\ .*\;\  ]] || complain "$@"
    return 0
}

# True for calls that are tried: all, but in the first tier the first one and a third of the others.
sampled() { [ -z "${ARGAND_TEST_FIRST:-}" ] || [ "$at" = 1 ] || ((RANDOM % 3 == 0)); }

# Files that were there are there as they were, and none else.
replace() {
    local before after
    before=$(state)
    for ((at = 1; at < 5000; at++)); do
        sampled || continue
        fail_one "$@" || break
        after=$(state)
        [ "$after" = "$before" ] && continue
        why="files are not what they were: $(diff <(echo "$before") <(echo "$after"))"
        complain "$@"
        run FAULT_AT=0
        before=$(state)
    done
}

# Nothing was there: nothing is left, but whole files of new/.
afresh() {
    local whole after
    whole=$(state)
    for ((at = 1; at < 5000; at++)); do
        sampled || continue
        rm -rf -- *
        fail_one "$@" || break
        after=$(state | grep -vF "$([ -d new ] && echo "$whole")")
        [ -z "$after" ] && continue
        why="files are left: $after"
        complain "$@"
    done
}

run FAULT_AT=0
code=$?
[ $code -eq 5 ] && { cat "$work/err"; echo "skipped: what the command needs is not here"; exit 77; }
[ $code -eq 0 ] || { cat "$work/err"; exit 1; }
if [ -d new ]; then
    afresh
else
    replace FAULT_WHICH="$which"
    replace FAULT_WHICH=names FAULT_NO_EXCHANGE=1
    replace FAULT_WHICH=names FAULT_NO_EXCHANGE=1 FAULT_NO_LINK=1
    afresh FAULT_WHICH=names
fi
[ $calls -gt 0 ] || { echo "no call came"; failures=$((failures + 1)); }
echo "$calls calls failed"
exit $((failures > 0))
