#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# faults.sh ARGAND SHIM FILES STEP COMMAND: runs the command once to have its files, then with each STEP-th call that writes, names or
# syncs a file failing (faults.c), until no call is left to fail. After each: an exit code that says so, and every file as it was. `$in` is
# a scan and `$array` an array of FILES.
set -uo pipefail
tool=$(realpath "$1") shim=$(realpath "$2") files=$3 step=$4 command=$5
case $(nm -D "$tool" 2>/dev/null) in *__asan_init*) echo "skipped: sanitizers come before what is preloaded"; exit 77 ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/argand-faults.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/here"
ln -s "$tool" "$work/bin/argand"
PATH=$work/bin:$PATH
in=$files/scan.h5 array=$work/array.npy
export in array
argand convert "$in:Truth" "$array" --quiet || exit 1
cd "$work/here" || exit 1

run() { env "$@" LD_PRELOAD="$shim" bash -c "exec argand $command" >"$work/out" 2>"$work/err"; }
state() { ls -A; find . -type f -exec md5sum {} + | sort; }

run FAULT_AT=0 || { cat "$work/err"; exit 1; }
failures=0
for exchange in "" FAULT_NO_EXCHANGE=1; do
    before=$(state)
    for ((at = 1; at < 5000; at += step)); do
        rm -f "$work/came"
        run FAULT_AT=$at FAULT_LOG="$work/came" $exchange
        code=$?
        [ -e "$work/came" ] || break
        if [ $code -eq 0 ] || [ $code -ge 128 ]; then
            echo "call $at $exchange ($(cat "$work/came")) failed, and the exit code is $code"; failures=$((failures + 1))
        fi
        if [ "$(state)" != "$before" ]; then
            echo "call $at $exchange failed, and files are not what they were:"; diff <(echo "$before") <(state); failures=$((failures + 1))
            run FAULT_AT=0; before=$(state)
        fi
    done
    [ $at -gt 1 ] || { echo "no call came"; failures=$((failures + 1)); }
    echo "$at calls $exchange"
done
exit $((failures > 0))
