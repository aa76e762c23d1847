#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# together.sh ARGAND SHIM FILES: two runs write five files of the same names. The first is held up at each of the calls by which it names
# them (faults.c) until the second has found that it must wait, or has ended; then the files of one of them are there, never of both.
set -uo pipefail
tool=$(realpath "$1") shim=$(realpath "$2") files=$3
case $(nm -D "$tool" 2>/dev/null) in *__asan_init*) echo "skipped: sanitizers come before what is preloaded"; exit 77 ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/argand-together.XXXXXX")
. "$(dirname "$(realpath "$0")")/../without_spaces.sh"
without_spaces shim
trap 'rm -rf "$work" $links' EXIT
cd "$work" || exit 1
export PAUSE_REACHED=$work/reached PAUSE_GO=$work/go
failures=0

# write SCAN FOLDER VARIABLE=VALUE...
write() { env "${@:3}" LD_PRELOAD="$shim" "$tool" calibrate noise "$1" "$2/out.npy" --covariance "$2/out2.cfl" --threads 1 --quiet; }
state() { (cd "$1" && md5sum -- *); }

# The second run goes on while the first waits at call `at`; false where there is no such call.
both() {
    rm -f reached go
    mkfifo reached go
    exec 3<>reached 4<>go
    (write "$files/radial.h5" here PAUSE_AT="$at" "$1"; echo ended >&3) &
    read -rn1 -u3 what
    if [ "$what" = . ]; then
        write "$files/noise.h5" here PAUSE_BLOCKED="$work/go" "$1" || { echo "call $at: the second run failed"; failures=1; }
        echo >&4
    fi
    wait
    [ "$what" = . ]
}

mkdir one other
write "$files/radial.h5" one A=B && write "$files/noise.h5" other A=B || exit 1
one=$(state one) other=$(state other)
[ "$one" != "$other" ] || { echo "both runs write the same"; exit 1; }
for exchange in A=B FAULT_NO_EXCHANGE=1; do
    for start in empty one; do
        for at in 1 2 3 4 5 6 7; do
            rm -rf here
            if [ $start = one ]; then cp -r one here; else mkdir here; fi
            both $exchange || break
            after=$(state here)
            [ "$after" = "$one" ] || [ "$after" = "$other" ] || { echo "call $at $exchange $start: files of both runs: $after"; failures=1; }
        done
        [ "$at" = 6 ] || { echo "$exchange $start: held up at $((at - 1)) calls, not 5"; failures=1; }
    done
done
exit $failures
