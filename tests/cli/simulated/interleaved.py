# SPDX-License-Identifier: BSD-3-Clause
"""interleaved.py IN.h5 OUT.h5: three repetitions of the scan, each with every third line, from another one on; no calibration lines."""
import sys

import h5py

with h5py.File(sys.argv[1]) as source, h5py.File(sys.argv[2], "w") as file:
    rows = source["dataset/data"][...]
    kept = []
    for repetition in range(3):
        for row in rows:
            if int(row["head"]["idx"]["kspace_encode_step_1"]) % 3 == repetition:
                new = row.copy()
                new["head"]["idx"]["repetition"] = repetition
                kept.append(new)
    table = file.create_dataset("dataset/data", (len(kept),), rows.dtype, maxshape=(None,), chunks=(1,))
    for i, row in enumerate(kept):
        table[i] = row
    file["dataset/xml"] = source["dataset/xml"][...]
