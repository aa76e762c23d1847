#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/gpu_check.sh RESULTS [options]: on a machine with a GPU, Linux or macOS, in one go: configure, build, test on the device, measure,
# and say at the end what failed. Needs neither root nor a network. Everything that it finds out lies in RESULTS, a file a step,
# and packed in RESULTS.tar.gz, the one file to send (without images of ARGAND_TEST_DATA).
#   --sanitize        also the device's tests under compute-sanitizer: memcheck, racecheck, initcheck
#   --device NAME     the device to measure (default cuda:0, on macOS metal:0)
#   --tests REGEX     only these tests of the device
#   --steps LIST      of build,test,python,bench,fft,json,sanitize,brain,dist (default: build,test,python,bench,brain)
#                     dist: several GPUs, NCCL, MPI (tools/gpu_dist.sh)
#   --build FOLDER    where to build (default build/gpu)
#   --seconds N       no step may take longer (default 900)
# ARGAND_PREFIX: a folder made by tools/portable_deps.sh, for libraries that this machine lacks.
# ARGAND_TEST_DATA: real scans; the step brain is skipped without them.
set -uo pipefail

usage() { sed -n '3,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 1 ] && [ "${1#-}" = "$1" ] || usage
mkdir -p "$1" || exit 2
results=$(cd "$1" && pwd)
shift
device=cuda:0 backend=cuda
if [ "$(uname -s)" = Darwin ]; then device=metal:0 backend=metal; fi
steps=build,test,python,bench,brain build=build/gpu seconds=900 tests=.
while [ $# -gt 0 ]; do
    case $1 in
    --sanitize) steps+=,sanitize ;;
    --device) device=$2; shift ;;
    --tests) tests=$2; shift ;;
    --steps) steps=$2; shift ;;
    --build) build=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    *) usage ;;
    esac
    shift
done
cd "$(dirname "$0")/.." || exit 2
failed=()

# What macOS lacks: nproc and timeout; its bash is of version 3.2.
processors() { nproc 2>/dev/null || sysctl -n hw.ncpu; }
seconds_now() { perl -MTime::HiRes=time -e 'printf "%.3f\n", time'; }
limited() { # limited SECONDS command...: ends it with 124 after that time
    if command -v timeout >/dev/null; then timeout "$@"; return; fi
    perl -e 'my $s = shift; my $p = fork; if (!$p) { setpgrp 0, 0; exec @ARGV; exit 127 }
        $SIG{ALRM} = sub { kill "TERM", -$p; waitpid $p, 0; exit 124 }; alarm $s; waitpid $p, 0; exit($? & 127 ? 128 + ($? & 127) : $? >> 8)' "$@"
}

has() { case ,$steps, in *,$1,*) ;; *) return 1 ;; esac; }

# step NAME command...: its output into RESULTS/NAME.txt, with the time that it took
step() {
    local name=$1 code from=$SECONDS
    shift
    echo "== $name"
    limited "$seconds" bash -c '"$@"' _ "$@" >"$results/$name.txt" 2>&1
    code=$?
    printf '%s: exit %d after %d s\n' "$name" "$code" $((SECONDS - from)) | tee -a "$results/steps.txt"
    [ $code = 0 ] || { failed+=("$name"); tail -20 "$results/$name.txt"; }
    return $code
}

# Libraries of the prefix are for our programs alone: others of this machine keep their own.
ours() { LD_LIBRARY_PATH="${ARGAND_PREFIX:+$ARGAND_PREFIX/lib:}${LD_LIBRARY_PATH:-}" "$@"; }
export ARGAND_PREFIX=${ARGAND_PREFIX:-}
[ -z "$ARGAND_PREFIX" ] || export PKG_CONFIG_PATH="$ARGAND_PREFIX/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"

configure() {
    local generator=()
    command -v ninja >/dev/null && generator=(-G Ninja)
    # what a prefix's library needs in turn is beside it
    cmake -S . -B "$build" ${generator[@]+"${generator[@]}"} -DCMAKE_BUILD_TYPE=Release \
        ${ARGAND_PREFIX:+-DCMAKE_PREFIX_PATH="$ARGAND_PREFIX" "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-rpath-link,$ARGAND_PREFIX/lib" \
        "-DCMAKE_SHARED_LINKER_FLAGS=-Wl,-rpath-link,$ARGAND_PREFIX/lib"}
}
compile() { cmake --build "$build" -j "$(processors)"; }

machine() {
    uname -a
    processors
    if command -v sw_vers >/dev/null; then sw_vers; system_profiler SPHardwareDataType SPDisplaysDataType; fi
    command -v nvidia-smi >/dev/null && nvidia-smi
    ours "$build/argand" devices
}

label_tests() { ARGAND_TEST_HUGE=1 ours ctest --test-dir "$build" -L "^$1\$" -R "$tests" --no-tests=ignore --output-on-failure -j 4; }

# Each test program by itself, so that a report names it, with few problems where there are many (ARGAND_TEST_FEW), several at a time.
sanitize_one() {
    local tool=$1 program=$2 name=${2##*/test_} verdict code=0 from=$SECONDS more=()
    # tests provoke errors of the driver on purpose; memory is what is checked
    [ "$tool" = memcheck ] && more=(--report-api-errors no)
    ARGAND_TEST_FEW=1 ours limited "$((seconds / 2))" compute-sanitizer --tool "$tool" ${more[@]+"${more[@]}"} --error-exitcode 9 \
        --target-processes all "$program" cuda:0 >"$results/$tool-$name.txt" 2>&1
    case $? in
    0) verdict=clean ;;
    77) verdict=skipped ;;
    9) verdict="errors found: $(grep -m 3 '=========' "$results/$tool-$name.txt" | tr '\n' ' ')"; code=1 ;;
    124) verdict="not finished" ;;
    *) verdict="the program failed: $(tail -2 "$results/$tool-$name.txt" | tr '\n' ' ')"; code=1 ;;
    esac
    echo "$tool $name: $verdict, $((SECONDS - from)) s"
    return $code
}
sanitize() {
    local program name
    for program in "$build"/tests/*/test_*; do
        name=${program##*/test_}
        [ -x "$program" ] && ctest --test-dir "$build" -N -R "^cuda/$name\$" | grep -q "Total Tests: 1" || continue
        echo "cuda/$name" | grep -qE "$tests" && echo "$program"
    done | xargs -P "$(($(processors) < 12 ? $(processors) : 12))" -I{} bash -c 'sanitize_one "$1" "$2"' _ "$1" {}
}

# The whole reconstruction of a real head, with an empty cache of kernels and with a full one, and against the CPU.
# Seconds are of the wall clock, whole process.
brain() {
    local scan=$ARGAND_TEST_DATA/brain_stack_of_spirals_3d out=$results/brain run from
    scan=$(find "$scan" -name '*.h5' | head -1)
    [ -n "$scan" ] || { echo "no scan in $ARGAND_TEST_DATA"; return 0; }
    mkdir -p "$out" && rm -rf "$out/cache"
    export ARGAND_CACHE=$out/cache
    mkdir -p "$ARGAND_CACHE"
    for run in cold warm warm2; do
        from=$(seconds_now)
        ours "$build/argand" sense "$scan" "$out/$run.nii" --device "$device" --transform dft --json || return 1
        echo "$run: $(echo "$(seconds_now) $from" | awk '{print $1 - $2}') s"
    done
    from=$(seconds_now)
    ours "$build/argand" sense "$scan" "$out/cpu.nii" --device cpu --transform dft --quiet || return 1
    echo "cpu: $(echo "$(seconds_now) $from" | awk '{print $1 - $2}') s"
    ours "$build/argand" compare "$out/warm.nii" "$out/warm2.nii" "$out/cpu.nii" --limit 1e-5
}

export -f processors seconds_now limited ours configure compile machine label_tests sanitize sanitize_one brain
export build device results seconds tests
if has build; then
    step configure configure && step build compile || { echo "failed: ${failed[*]}"; exit 1; }
fi
step machine machine
if has test; then
    step "test_$backend" label_tests "$backend"
    step test_opencl label_tests opencl
fi
# The package's tests, CuPy's and PyTorch's arrays on cuda:0 among them; 77 where Python lacks cffi or NumPy.
python_tests() { ours ctest --test-dir "$build" -L '^python$' -LE more --no-tests=ignore --output-on-failure -j 4; }
export -f python_tests
if has python; then step python python_tests; fi
if has bench; then
    step bench_field ours "$build/argand" bench field --device "$device"
    step bench_ladder ours "$build/argand" bench ladder --device "$device"
    step bench_growth ours "$build/argand" bench field --device "$device" --growth
fi
if has fft; then
    step bench_fft ours "$build/argand" bench fft --device "$device" --csv
    step bench_fft_accuracy ours "$build/argand" bench fft --device "$device" --accuracy 2..64,random:100 --csv
fi
if has json; then
    step bench_field_json ours "$build/argand" bench field --device "$device" --json
    step bench_ladder_json ours "$build/argand" bench ladder --device "$device" --json
    step bench_growth_json ours "$build/argand" bench field --device "$device" --growth --json
fi
if has sanitize; then
    if command -v compute-sanitizer >/dev/null; then
        for tool in memcheck racecheck initcheck; do step "sanitize_$tool" sanitize "$tool"; done
    else
        echo "compute-sanitizer is not installed: skipped" | tee -a "$results/steps.txt"
    fi
fi
if has brain; then
    if [ -d "${ARGAND_TEST_DATA:-}" ]; then step brain brain; else echo "brain: no ARGAND_TEST_DATA: skipped" | tee -a "$results/steps.txt"; fi
fi
if has dist; then
    step dist ours tools/gpu_dist.sh "$build" "$results"
    cat "$results/dist.txt"
fi
tar -C "$(dirname "$results")" --exclude brain -czf "$results.tar.gz" "$(basename "$results")" && echo "the file to send: $results.tar.gz"
[ ${#failed[@]} = 0 ] && echo "all is well: $results" || { echo "failed: ${failed[*]} (see $results)"; exit 1; }
