#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/gpu_dist.sh BUILD RESULTS [PART...]: the step `dist` of gpu_check.sh. On a machine with N GPUs: tests over NCCL on 1 to N ranks, as
# threads and by mpirun; images with and without NCCL; seconds on 1 and on N GPUs. What this machine or build lacks is named as skipped.
# PARTs: tests images pcsense volumes fft nufft (default: all). MPIRUN names the launcher (default mpirun), SIZE the edge of the large FFT.
set -uo pipefail
[ $# -ge 2 ] || { sed -n 3,5p "$0" >&2; exit 2; }
build=$(cd "$1" && pwd) && mkdir -p "$2/dist" && results=$(cd "$2/dist" && pwd) || exit 2
tools=$(cd "$(dirname "$0")" && pwd)
shift 2
parts=" ${*:-tests images pcsense volumes fft nufft} "
argand=$build/argand mpirun=${MPIRUN:-mpirun} size=${SIZE:-1024}
failed=()
export NCCL_NVLS_ENABLE=${NCCL_NVLS_ENABLE:-0} OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none

# NCCL of Python's packages, if the loader finds none
if [ -z "${ARGAND_NCCL:-}" ]; then
    found=$(python3 -c 'import glob, site, sys
folders = sys.path + site.getsitepackages()
print(next((f for p in folders for f in glob.glob(p + "/nvidia/*/lib/libnccl.so.2")), ""))' 2>/dev/null)
    [ -z "$found" ] || export ARGAND_NCCL=$found
fi
gpus=$("$argand" devices 2>/dev/null | grep -c '^cuda:[0-9]')
last=$((gpus - 1))
has() { case $parts in *" $1 "*) ;; *) return 1 ;; esac; }
skip() { echo "skipped: $*"; }
fail() { echo "FAILED: $*"; failed+=("$1"); }
has_mpi() { command -v "$mpirun" >/dev/null; }

# mpi N command...: each rank with the GPU of its number
mpi() {
    local ranks=$1
    shift
    timeout 300 "$mpirun" --oversubscribe --bind-to none -n "$ranks" \
        bash -c 'exec "$@" --device "cuda:${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-0}}"' _ "$@"
}

# said NAME command...: its output into RESULTS/dist/NAME.txt; the end of it where it fails
said() {
    local name=$1
    shift
    timeout 300 "$@" >"$results/$name.txt" 2>&1 && return
    fail "$name" "exit $?: $(tail -n 5 "$results/$name.txt" | tr '\n' ' ')"
    return 1
}
# seconds NAME: of the iterations, and copies between host and device in the whole run, of `argand sense --json`
seconds() {
    python3 - "$results/$1.json" "$results/$1.txt" <<'END'
import json, sys
about = json.load(open(sys.argv[1]))['Argand']
timings = about['Timings']
shared = [n for n in about.get('Notes', []) if 'divided over' in n or n.startswith('One of ')]
last = next((l for l in reversed(open(sys.argv[2], errors='replace').read().split('\n')) if '"uploads"' in l), '{}')
moved = json.loads(last[last.index('{'):])
print(f"{timings['reconstructing']:.3f} s, {moved.get('uploads')} uploads, {moved.get('downloads')} downloads ({moved.get('download_bytes')} bytes)", *shared)
END
}
# reconstruct NAME command...: writes NAME.nii into the folder of the results
reconstruct() {
    local name=$1
    shift
    said "$name" "$@" "$results/$name.nii" --json || return 1
    echo "$name: $(seconds "$name")"
}
# same NAME NAME: two images within rounding
same() {
    said "compare-$1-$2" "$argand" compare "$results/$1.nii" "$results/$2.nii" --limit 1e-5 && echo "$1 = $2 (1e-5)"
}
echo "$gpus GPUs, NCCL: ${ARGAND_NCCL:-of the loader}, $mpirun: $(has_mpi && "$mpirun" --version 2>/dev/null | head -1 || echo none)"
[ "$gpus" -ge 1 ] || { skip "no CUDA device"; exit 0; }

if has tests; then
    said tests-threads ctest --test-dir "$build" -R '^(cuda/dist_|dist/)' --output-on-failure --no-tests=ignore
    grep -E 'Passed|Skipped|Failed' "$results/tests-threads.txt"
    program=$(find "$build/tests/dist" -name test_dist_nccl -type f 2>/dev/null | head -1)
    for ranks in $(seq 1 "$gpus"); do
        has_mpi && [ -n "$program" ] || { skip "tests by mpirun: no $mpirun or no test_dist_nccl"; break; }
        said "tests-mpi-$ranks" "$mpirun" --oversubscribe --bind-to none -n "$ranks" "$program" cuda:0 && echo "test_dist_nccl by $mpirun on $ranks: passed"
        ! grep -q 'no NCCL' "$results/tests-mpi-$ranks.txt" || skip "$(grep -m 1 'no NCCL' "$results/tests-mpi-$ranks.txt")"
    done
fi

if has images; then
    scan=$results/image.h5
    "$argand" simulate "$scan" --matrix 256 --coils 32 --readout 20 --field-range 150 --fineness 1 --device cuda:0 --quiet
    ARGAND_NCCL=off reconstruct image-host "$argand" sense "$scan" --device cuda:0 --iterations 10
    reconstruct image-nccl "$argand" sense "$scan" --device cuda:0 --iterations 10 && same image-nccl image-host
    # copies of each iteration: the difference between two runs, divided by 20
    reconstruct image-long "$argand" sense "$scan" --device cuda:0 --iterations 30
    if [ "$gpus" -gt 1 ]; then
        if ARGAND_NCCL=off reconstruct image-host-n "$argand" sense "$scan" --device "cuda:0-$last" --iterations 10; then
            reconstruct image-nccl-n "$argand" sense "$scan" --device "cuda:0-$last" --iterations 10 && same image-nccl-n image-host-n
            reconstruct image-long-n "$argand" sense "$scan" --device "cuda:0-$last" --iterations 30
            same image-nccl-n image-nccl
            grep -q 'divided over' "$results/image-nccl-n.json" || skip "NCCL in an image: one rank alone was predicted to be faster"
        fi
    fi
fi

# on_both NAME command scan options...: on one GPU, on all as threads, on all by mpirun. The first run compiles kernels; the others find
# them in the cache.
on_both() {
    local name=$1 command=$2 scan=$3 run
    shift 3
    said "$name-first" "$argand" "$command" "$scan" "$results/$name-first.nii" --device cuda:0 "$@" || return
    for run in 1 2 3; do
        reconstruct "$name-1" "$argand" "$command" "$scan" --device cuda:0 "$@" || return
        [ "$gpus" -gt 1 ] || { skip "$name on several GPUs: there is one"; return; }
        reconstruct "$name-$gpus" "$argand" "$command" "$scan" --device "cuda:0-$last" "$@" || return
    done
    same "$name-$gpus" "$name-1"
    has_mpi || { skip "$name by mpirun"; return; }
    local rank='cuda:${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-0}}'
    reconstruct "$name-mpi" "$mpirun" --oversubscribe --bind-to none -n "$gpus" bash -c "exec \"\$@\" --device $rank" _ \
        "$argand" "$command" "$scan" "$@" && same "$name-mpi" "$name-1"
}
if has pcsense; then # 24 shots with a phase map each, 32 coils, one volume
    "$argand" simulate "$results/shots.h5" --matrix 256 --coils 32 --shots 24 --phase-range 3 --fineness 1 --device cuda:0 --quiet
    on_both pcsense pcsense "$results/shots.h5" --iterations 10
    on_both pcsense-long pcsense "$results/shots.h5" --iterations 110 # the difference is the time of 100 iterations
fi
if has volumes; then
    "$argand" simulate "$results/volumes.h5" --matrix 128 --coils 16 --slices 64 --fineness 1 --device cuda:0 --quiet
    on_both volumes sense "$results/volumes.h5" --iterations 15
fi

if has fft; then
    bench=("$argand" bench dist --fftw no --repeat 5 --threads 8)
    if "$argand" bench dist --help >/dev/null 2>&1; then
        for edge in 256 512 "$size"; do
            shape=${edge}x${edge}x${edge}
            said "fft-$edge-1" "${bench[@]}" --size "$shape" --device cuda:0 && cat "$results/fft-$edge-1.txt"
            has_mpi && [ "$gpus" -gt 1 ] || { skip "$shape on several GPUs"; continue; }
            said "fft-$edge-threads" "${bench[@]}" --size "$shape" --device cuda --ranks "$gpus" && grep -v '^FFTW' "$results/fft-$edge-threads.txt"
            for division in slab pencil; do
                mpi "$gpus" "${bench[@]}" --size "$shape" --division $division >"$results/fft-$edge-$division.txt" 2>&1 ||
                    fail "fft-$edge-$division" "$(tail -n 3 "$results/fft-$edge-$division.txt" | tr '\n' ' ')"
                grep -v '^FFTW' "$results/fft-$edge-$division.txt"
            done
            [ "$edge" = "$size" ] || { echo "without NCCL:"; ARGAND_NCCL=off mpi "$gpus" "${bench[@]}" --size "$shape" 2>&1 | tail -n 2; }
        done
    else
        skip "this build has no bench dist"
    fi
    python3 "$tools/cufft_multi.py" "$size" "$gpus" 2>&1 || skip "cuFFT on several GPUs"
fi

if has nufft; then
    said nufft-1 "$argand" bench nufft --size 256x256x256 --points 16000000 --device cuda:0 --repeat 5 --alone && cat "$results/nufft-1.txt"
    if "$argand" bench dist --help 2>&1 | grep -q -- --nufft; then # thousands of points; one GPU cannot hold the grid of 512 x 512 x 512
        said nufft-dist-1 "$argand" bench dist --nufft --size 256x256x256 --points 16000 --repeat 5 --device cuda:0 && cat "$results/nufft-dist-1.txt"
        [ "$gpus" = 1 ] || said nufft-threads "$argand" bench dist --nufft --size 256x256x256 --points 16000 --repeat 5 --device cuda --ranks "$gpus" &&
            cat "$results/nufft-threads.txt"
        [ "$gpus" = 1 ] || said nufft-large timeout 200 "$argand" bench dist --nufft --size 512x512x512 --points 100000 --repeat 3 --device cuda --ranks "$gpus" &&
            cat "$results/nufft-large.txt"
        ! has_mpi || mpi "$gpus" "$argand" bench dist --nufft --size 256x256x256 --points 16000 --repeat 5 2>&1 | tail -n 5
    else
        skip "NUFFT on several GPUs: this build's bench dist has none"
    fi
fi
rm -f "$results"/*.h5
[ ${#failed[@]} = 0 ] || { echo "failed: ${failed[*]}"; exit 1; }
