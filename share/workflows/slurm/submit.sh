#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# submit.sh N IN OUT [options of argand sense]: a job array of N tasks, and a job that gathers when all have succeeded.
#   submit.sh 8 brain.h5 brain.nii.gz --iterations 15       the volumes of a scan
#   submit.sh 8 study/ images/                              the scans of a folder
# Options of sbatch come from SBATCH_PARTITION, SBATCH_ACCOUNT and their like. Prints the numbers of both jobs.
set -euo pipefail
[ $# -ge 3 ] || { sed -n '3,6s/^# //p' "$0"; exit 1; }
here=$(dirname "$(realpath "$0")")
array=$(sbatch --parsable --array="1-$1" "$here/array.sbatch" "$@")
array=${array%%;*} # "NUMBER;CLUSTER" on a federation
gather=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes "$here/gather.sbatch" "$3")
echo "$array ${gather%%;*}"
