#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/compare_bart.sh [FOLDER]: the same data and settings through BART and Argand on this machine's processors: iterative SENSE on
# radial data, coil maps by ESPIRiT, wavelet regularisation. Prints a table of processor times and of differences. FOLDER keeps the files;
# without it, a temporary folder does.
#
# The processor time is what all threads of the whole command took, the least of RUNS runs (default 3). Unlike the time of a clock, it does
# not count other programs on the machine; --clock prints the time of the clock, for an idle machine.
#
# BART runs with its FFTW wisdom (BART_USE_FFTW_WISDOM=1): a first run measures plans, which is not counted, and the counted runs read them.
#
# BART names its command (default bart; 1.0: build https://codeberg.org/mrirecon/bart, tag v1.0.00). ARGAND names the tool (default
# build/release/argand). OMP_NUM_THREADS is the number of threads of both (default: all).
set -euo pipefail
of=processor
if [ "${1:-}" = --clock ]; then of=clock; shift; fi
argand=$(realpath "${ARGAND:-$(dirname "$0")/../build/release/argand}")
bart=$(command -v "${BART:-bart}") || { echo "compare_bart.sh: ${BART:-bart} is not there; install it or set BART" >&2; exit 2; }
if [ $# -gt 0 ]; then mkdir -p "$1" && cd "$1"; else cd "$(mktemp -d)"; fi
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)} OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive} OPENBLAS_NUM_THREADS=1
export BART_USE_FFTW_WISDOM=1 BART_TOOLBOX_PATH=$PWD/toolbox
mkdir -p "$BART_TOOLBOX_PATH/save/fftw"
bart() { "$bart" "$@"; }

# seconds COMMAND...: the least time of the runs; a first one is not counted (it measures wisdom, and fills the file cache)
seconds() {
    local times=() run TIMEFORMAT='%R %U %S'
    for ((run = 0; run <= ${RUNS:-3}; run++)); do
        { time "$@" >log.txt 2>&1; } 2>time.txt || { cat log.txt >&2; exit 1; }
        [ $run = 0 ] || times+=("$(tail -1 time.txt)")
    done
    printf '%s\n' "${times[@]}" | awk -v of=$of '{ t = of == "clock" ? $1 : $2 + $3; if (NR == 1 || t < least) least = t }
                                               END { printf "%.2f", least }'
}
# difference A B: relative l2 after the best factor (BART's transform is unitary, Argand's is not)
difference() { bart nrmse -s "$1" "$2" 2>/dev/null | tail -1; }
row() { printf '| %s | %s | %s | %s |\n' "$@"; }

echo "BART $(bart version), $("$argand" --version | head -1), $OMP_NUM_THREADS threads; seconds of $of time"
echo
row case "BART, s" "Argand, s" difference
row --- --- --- ---

# Radial CG-SENSE: 256 x 256, 8 coils, 96 spokes of 512 samples, 20 iterations, known maps. bart pics applies the normal operator by a
# Toeplitz convolution unless --no-toeplitz is given.
"$argand" simulate radial.h5 --matrix 256x256 --coils 8 --trajectory radial --shots 96 --samples 512 --field-range 0 --snr 40 --quiet
"$argand" convert radial.h5:kspace ksp.cfl --quiet
"$argand" convert radial.h5:trajectory traj.cfl --quiet
"$argand" convert radial.h5:SENSEMap maps.cfl --quiet
b=$(seconds bart pics -l2 -r 0 -i 20 --no-toeplitz -S -t traj ksp maps cg_bart)
a=$(seconds "$argand" sense radial.h5 cg_argand.cfl --iterations 20 --density none --toeplitz off --part complex --quiet)
row "SENSE, radial, 20 iterations" "$b" "$a" "$(difference cg_argand cg_bart)"
t=$(seconds bart pics -l2 -r 0 -i 20 -S -t traj ksp maps cg_bart)
a=$(seconds "$argand" sense radial.h5 cg_toeplitz.cfl --iterations 20 --density none --part complex --toeplitz on --quiet)
row "the same by Toeplitz" "$t" "$a" "$(difference cg_toeplitz cg_bart)"

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
a=$(seconds "$argand" calibrate coils cartesian.h5 maps_argand.cfl --region 24 --crop 0.8 --threshold 0.001 --quiet)
bart rss 8 maps_bart inside
bart fmac -C -s 8 maps_argand maps_bart product
bart cabs product overlap
row "ESPIRiT, 24 x 24 of 320 x 320 x 12" "$b" "$a" "$(bart nrmse inside overlap 2>/dev/null | tail -1) of the maps' overlap"
