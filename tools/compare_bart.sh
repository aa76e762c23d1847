#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/compare_bart.sh [FOLDER]: the same data and settings through BART and Argand on this machine's processors: iterative SENSE on
# radial data, coil maps by ESPIRiT, wavelet regularisation. Prints a table of times (wall, shortest of 3) and of differences. Needs bart (Debian: bart) and
# a built argand (ARGAND=..., default build/release/argand). FOLDER keeps the files; a temporary one otherwise.
set -euo pipefail
argand=$(realpath "${ARGAND:-$(dirname "$0")/../build/release/argand}")
command -v bart >/dev/null || { echo "bart is not installed" >&2; exit 2; }
if [ $# -gt 0 ]; then mkdir -p "$1" && cd "$1"; else cd "$(mktemp -d)"; fi
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)}

# seconds COMMAND...: the shortest of three runs
seconds() {
    local best=999999 run from
    for run in 1 2 3; do
        from=$(date +%s%N)
        "$@" >log.txt 2>&1 || { cat log.txt >&2; exit 1; }
        from=$((($(date +%s%N) - from) / 1000000))
        [ "$from" -lt "$best" ] && best=$from
    done
    awk "BEGIN {printf \"%.2f\", $best / 1000}"
}
# difference A B: relative l2 after the best factor (BART's transform is unitary, Argand's is not)
difference() { bart nrmse -s "$1" "$2" | tail -1; }
row() { printf '| %s | %s | %s | %s |\n' "$@"; }

echo "BART $(bart version), $("$argand" --version | head -1), $OMP_NUM_THREADS threads"
echo
row case "BART, s" "Argand, s" difference
row --- --- --- ---

# Radial CG-SENSE: 256 x 256, 8 coils, 96 spokes of 512 samples, 20 iterations, known maps.
"$argand" simulate radial.h5 --matrix 256x256 --coils 8 --trajectory radial --shots 96 --samples 512 --field-range 0 --snr 40 --quiet
"$argand" convert radial.h5:kspace ksp.cfl --quiet
"$argand" convert radial.h5:trajectory traj.cfl --quiet
"$argand" convert radial.h5:SENSEMap maps.cfl --quiet
b=$(seconds bart pics -l2 -r 0 -i 20 -S -t traj ksp maps cg_bart)
a=$(seconds "$argand" sense radial.h5 cg_argand.cfl --iterations 20 --part complex --quiet)
row "SENSE, radial, 20 iterations" "$b" "$a" "$(difference cg_argand cg_bart)"
a=$(seconds "$argand" sense radial.h5 cg_toeplitz.cfl --iterations 20 --part complex --toeplitz on --quiet)
row "the same by Toeplitz" "$b" "$a" "$(difference cg_toeplitz cg_bart)"

# Wavelets: the same data, density weights for both (Argand computes them in its time), l1 of Daubechies wavelets of 4 taps with shifts. BART counts the
# weight in parts of the image's 90th percentile and of a unitary transform, Argand as docs/conventions.md says: 0.002 there is 0.003 here.
"$argand" calibrate density radial.h5 density.cfl --method pipe --quiet
bart reshape "$(bart bitmask 0 1 2)" 1 512 96 density density3 >/dev/null
bart spow 0.5 density3 root
bart scale 221.7 root pattern # the root of the number of samples: a mean weight of 1
b=$(seconds bart pics -R W:3:0:0.002 -i 60 -e -S --wavelet dau2 -p pattern -t traj ksp maps w_bart)
a=$(seconds "$argand" sense radial.h5 w_argand.cfl --density pipe --iterations 60 --regularize wavelet:0.003:daubechies4 --part complex --quiet)
row "wavelets, radial, 60 iterations" "$b" "$a" "$(difference w_argand w_bart)"

# ESPIRiT: 320 x 320, 12 coils, 24 lines of calibration; the part of one set of maps that the other explains, inside the object.
"$argand" simulate cartesian.h5 --matrix 320x320 --coils 12 --trajectory cartesian --field-range 0 --snr 40 --quiet
"$argand" convert cartesian.h5:kspace grid.cfl --quiet
b=$(seconds bart ecalib -m1 -r24 -c0.8 grid maps_bart)
a=$(seconds "$argand" calibrate coils cartesian.h5 maps_argand.cfl --region 24 --crop 0.8 --quiet)
bart rss 8 maps_bart inside
bart fmac -C -s 8 maps_argand maps_bart product
bart cabs product overlap
row "ESPIRiT, 24 x 24 of 320 x 320 x 12" "$b" "$a" "$(bart nrmse inside overlap | tail -1) of the maps' overlap"
