#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# two_hosts.sh ARGAND HOSTS [cut]: argand sense on two hosts (HOSTS is tools/two_hosts.sh) writes the file of one rank. With `cut`, the
# cable is pulled while it works: the job ends with an error, and no file is left.
set -euo pipefail
argand=$(realpath "$1") hosts=$(realpath "$2") cut=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive ARGAND_DEVICE=cpu
"$argand" simulate scan.h5 --matrix 32 --slices 5 --coils 4 --quiet
if [ -n "$cut" ]; then
    code=0
    "$hosts" --cut 2 -- "$argand" sense scan.h5 two.nii.gz --iterations 100000 --quiet >out 2>&1 || code=$?
    [ $code != 77 ] || { cat out; exit 77; }
    [ $code != 0 ] || { echo "exit code 0 without the other host"; exit 1; }
    ! compgen -G 'two*' || { echo "files are left"; exit 1; }
    ! pgrep -f "$argand sense scan.h5 two.nii.gz --iterations 100000" || { echo "ranks are left"; exit 1; }
    exit
fi
"$argand" sense scan.h5 one.nii.gz --iterations 8 --quiet
"$hosts" -- "$argand" sense scan.h5 two.nii.gz --iterations 8 --json >out || { code=$?; cat out; exit $code; }
grep -q '2 ranks share 5 volumes' out
cmp one.nii.gz two.nii.gz
