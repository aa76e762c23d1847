#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# files.sh ARGAND FOLDER: the scans that the cases read: a small whole one, and broken ones.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tool=$(realpath "$1") folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

"$tool" simulate scan.h5 --matrix 32 --coils 3 --shots 2 --readout 10 --quiet
"$tool" convert scan.h5:Truth array.npy --quiet
"$tool" convert scan.h5:kspace kspace.npy --quiet
"$tool" simulate shots.h5 -x 24 --coils 2 --shots 2 --readout 5 --phase-range 2 --field-range 0 --quiet
"$tool" simulate radial.h5 -x 24 --coils 2 --trajectory radial --shots 24 --echoes 2 --echo-spacing 1.5 --field-range 50 --readout 1 --noise-scan 3 --quiet
"$tool" simulate noise.h5 -x 24 --coils 2 --noise-scan 3 --seed 9 --quiet
head -c $(($(stat -c %s scan.h5) / 2)) scan.h5 >truncated.h5
head -c 3000 scan.h5 >truncated_early.h5
echo "this is not HDF5, it only says so" >text.h5
: >empty.h5
{ printf 'Pf\n8 6\n-1\n'; head -c 192 kspace.npy | tr -c '\077' '\077'; } >picture.pfm # 0.747
mkdir folder.h5

# the rest needs a program that changes HDF5 files; cases that read them say `needs: h5py`
if python3 -c "import h5py" 2>/dev/null; then
    python3 "$here/break.py" scan.h5 .
fi
