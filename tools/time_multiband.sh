#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# time_multiband.sh TOOL [DEVICE [REPETITIONS]]: seconds per volume of 64 x 64 x 36 voxels, 38 coils, 3 simultaneous slices, coil maps given, in a
# series of REPETITIONS (20) volumes, with all coils and with 16 virtual ones. Needs 32 MB of disk for each volume; python3 reads the sidecars.
set -euo pipefail
tool=$(realpath "$1") device=${2:-cpu} repetitions=${3:-20}
work=$(mktemp -d "${TMPDIR:-/tmp}/argand-multiband.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
"$tool" simulate series.h5 -x 64x64 -c 38 -t cartesian --field-range 0 --snr 50 --slices 36 --bands 3 -r "$repetitions" -q
for coils in 38 16; do
    "$tool" sense series.h5 "image$coils.npy" --device "$device" --compress "$coils" -q
    python3 - "image$coils.json" "$repetitions" "$coils" <<'END'
import json
import sys

times = json.load(open(sys.argv[1]))["Argand"]["Timings"]
volumes = int(sys.argv[2])
print(f"{sys.argv[3]} coils: {1e3 * times['reconstructing'] / volumes:.1f} ms a volume; " + ", ".join(f"{k} {v:.2f} s" for k, v in times.items()))
END
done
