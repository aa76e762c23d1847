#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/arm/counts.sh [BUILD]: instructions that a transform takes on aarch64, Argand's and FFTW's side by side, as lines of a table
# (docs/performance/arm.md). BUILD is the folder of tools/cross_arm.sh, build/aarch64 by default. QEMU counts them; no time is measured.
# Each number is the difference between runs of 6 and of 2 transforms, divided by 4: planning is not in it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/aarch64} sysroot=${ARGAND_SYSROOT:-$root/build/sysroot-aarch64}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
qemu=$(command -v qemu-aarch64) || { echo "counts: there is no qemu-aarch64 (Debian: qemu-user)" >&2; exit 77; }
cc -O2 -shared -fPIC "$root/tools/arm/instructions.c" -o "$work/instructions.so"
aarch64-linux-gnu-gcc --sysroot="$sysroot" -O1 -std=c17 -I"$root/include" "$root/tools/arm/count.c" "$build/src/libargand.so" \
    -lfftw3 -lfftw3f -lm -Wl,--allow-shlib-undefined -o "$work/count"

run() {
    "$qemu" -plugin "$work/instructions.so" -L "$sysroot" -E LD_LIBRARY_PATH="$build/src" -E OMP_NUM_THREADS=1 -E ARGAND_WISDOM=off \
        "$work/count" "$@" 2>&1 | sed -n 's/^instructions //p'
}
count() {
    local few many
    few=$(run "$@" 2) many=$(run "$@" 6)
    echo $(((many - few) / 4))
}

echo '| transform | precision | Argand | FFTW | Argand : FFTW |'
echo '|---|---|---|---|---|'
for precision in single double; do
    for what in 'line 1024' 'line 4096' 'line 16384' 'line 65536' 'rows 256' 'rows 1024' 'columns 256' 'plane 256'; do
        read -r kind n <<<"$what"
        ours=$(count argand "$kind" "$precision" "$n") fftw=$(count fftw "$kind" "$precision" "$n")
        echo "| $what | $precision | $ours | $fftw | $(awk "BEGIN { printf \"%.2f\", $ours / $fftw }") |"
    done
done
for precision in single double; do
    for kind in type1 type2; do
        echo "| $kind, 20000 points, 128 x 128 | $precision | $(count argand $kind $precision 128) | | |"
    done
done
