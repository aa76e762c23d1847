#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# kept.sh ARGAND SHIM: a run that keeps its volumes is killed, and stopped by Ctrl-C, while it names the second one (faults.c holds it up
# there), and each of its calls that writes, names or syncs a kept file fails once. Each time no volume is half written, and --resume
# gives the image of an undisturbed run.
set -uo pipefail
tool=$(realpath "$1") shim=$(realpath "$2")
case $(nm -D "$tool" 2>/dev/null) in *__asan_init*) echo "skipped: sanitizers come before what is preloaded"; exit 77 ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/argand-kept.XXXXXX")
. "$(dirname "$(realpath "$0")")/../../without_spaces.sh"
without_spaces shim
trap 'rm -rf "$work" $links' EXIT
cd "$work" || exit 1
failures=0
complain() { echo "$*: $(cat err)"; failures=$((failures + 1)); }

# run VARIABLE=VALUE...: the process itself, so that $! is its number
run() { exec env "$@" LD_PRELOAD="$shim" "$tool" sense s.h5 out.npy -n 2 --threads 1 --resume --quiet; }
whole() { (run A=B) 2>err && cmp one.npy out.npy && [ ! -e out.parts ]; }

"$tool" simulate s.h5 -x 16 --coils 2 --slices 3 --quiet && "$tool" sense s.h5 one.npy -n 2 --threads 1 --quiet || exit 1

# The third name is that of the second volume; the first is that of job.json.
export PAUSE_REACHED=$work/reached PAUSE_GO=$work/go
for signal in KILL INT; do
    rm -rf reached go out.*
    mkfifo reached go
    exec 3<>reached 4<>go
    (run PAUSE_AT=3) 2>err &
    read -rn1 -u3
    [ "$(cd out.parts && ls -- *.part *.json)" = "job.json"$'\n'"volume-00001.part" ] || complain "$signal: other files: $(ls out.parts)"
    kill -$signal $!
    echo >&4
    wait $! 2>/dev/null
    code=$?
    case $signal in
    KILL) [ $code = 137 ] || complain "killed, and the exit code is $code" ;;
    INT)
        [ $code = 130 ] || complain "Ctrl-C, and the exit code is $code"
        grep -q "stopped by Ctrl-C; [12] of 3 volumes .* in out.parts; to go on: argand sense s.h5 out.npy -n 2 --threads 1 --quiet --resume" err ||
            complain "Ctrl-C: the message does not say how to go on"
        ;;
    esac
    [ ! -e out.npy ] || complain "$signal: an image was written"
    whole || complain "$signal: --resume does not give the image"
done

# Ctrl-C in a folder of scans: the message counts the images, and --resume makes the others.
mkdir study && cp s.h5 study/a.h5 && "$tool" simulate study/b.h5 -x 16 --coils 2 --seed 3 --quiet || exit 1
study() { exec env "$@" LD_PRELOAD="$shim" "$tool" sense study images -n 2 --threads 1 --quiet --resume; }
rm -f reached go
mkfifo reached go
exec 3<>reached 4<>go
(study PAUSE_AT=7) 2>err & # job.json, three volumes, then the files of the image
read -rn1 -u3
kill -INT $!
echo >&4
wait $! 2>/dev/null
[ $? = 130 ] && grep -Eq "stopped by Ctrl-C; .* to go on: argand sense study images -n 2 --threads 1 --quiet --resume" err || complain "Ctrl-C in a folder"
(study A=B) 2>err && [ "$(cd images && ls -- *.nii.gz)" = a.nii.gz$'\n'b.nii.gz ] && [ -z "$(find images -name '*.parts')" ] || complain "folder: --resume"

# A failing call: an error, or no harm (a folder that cannot be synced). Four calls for each of
# four files; then come those for the images, of which faults.sh tests more.
for ((at = 1; at <= 18; at++)); do
    rm -rf out.* came
    (run FAULT_AT=$at FAULT_LOG=came) 2>err
    code=$?
    [ -e came ] || complain "there is no call $at"
    if [ $code = 0 ]; then
        cmp one.npy out.npy && [ ! -e out.parts ] || complain "call $at ($(cat came)) failed: success with another image"
        continue
    fi
    [ $code = 6 ] && grep -q "out.*cannot be written: .*" err || complain "call $at ($(cat came)) failed: exit code $code"
    [ ! -e out.npy ] && [ -z "$(find . -name '*.tmp')" ] || complain "call $at ($(cat came)) failed: files are left: $(ls . out.parts)"
    whole || complain "call $at ($(cat came)) failed: --resume does not give the image"
done
exit $((failures > 0))
