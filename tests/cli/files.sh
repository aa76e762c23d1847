#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# files.sh ARGAND FOLDER: the scans that the cases read: a small whole one, and broken ones; python/python3, the interpreter itself where
# a version manager's script stands before it, and python/modules, those that it has of the modules that cases need.
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

mkdir python
: >python/modules
if command -v python3 >/dev/null; then
    real=$(python3 -c 'import sys; print(sys.executable)')
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$real" >python/python3
    chmod +x python/python3
    wanted=$(grep -rh '^needs: ' "$here/cases" | sed 's/^needs: //; s/,//g' | tr ' ' '\n' | sort -u)
    for module in $wanted; do
        if "$real" -c "import $module" 2>/dev/null; then echo "$module" >>python/modules; fi
    done
fi

# the rest needs a program that changes HDF5 files; cases that read them say `needs: h5py`
if grep -qx h5py python/modules; then
    python/python3 "$here/break.py" scan.h5 .
fi
