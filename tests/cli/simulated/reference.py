# SPDX-License-Identifier: BSD-3-Clause
"""reference.py IN.h5 MAIN.h5 REFERENCE.h5 [--no-kz] [--far MM]: two files of one scan of simultaneous slices. REFERENCE has the calibration lines
of single slices as images, its slices numbered from the other end; MAIN has the rest. --no-kz: MAIN has no blips
in its counters and trajectories. --far: REFERENCE lies this far from MAIN."""
import argparse
import re
import shutil

import h5py
import numpy as np

CALIBRATION = 1 << 19
parser = argparse.ArgumentParser()
for name in ("scan", "main", "reference"):
    parser.add_argument(name)
parser.add_argument("--no-kz", action="store_true")
parser.add_argument("--far", type=float, default=0)
options = parser.parse_args()


def lines(rows, calibrate):
    kept = [row for row in rows if bool(row["head"]["flags"] & CALIBRATION) == calibrate]
    last = max(int(row["head"]["idx"]["slice"]) for row in kept)
    for row in kept:
        head = row["head"].copy()
        head["flags"] &= ~CALIBRATION & 0xFFFFFFFFFFFFFFFF
        if calibrate:
            head["idx"]["slice"] = last - head["idx"]["slice"]
            head["position"][0] += options.far
        elif options.no_kz:
            head["idx"]["kspace_encode_step_2"], head["trajectory_dimensions"] = 0, 0
            row["traj"] = np.zeros(0, np.float32)
        row["head"] = head
    return kept


for name, calibrate in ((options.main, False), (options.reference, True)):
    shutil.copy(options.scan, name)
    with h5py.File(name, "r+") as file:
        group, kind = file["dataset"], file["dataset/data"].dtype
        kept = lines([group["data"][i].copy() for i in range(len(group["data"]))], calibrate)
        del group["data"]
        data = group.create_dataset("data", shape=(len(kept),), maxshape=(None,), chunks=(1,), dtype=kind)
        for index, row in enumerate(kept):
            data[index] = row
        if calibrate:
            group["xml"][0] = re.sub("<multiband>.*?</multiband>", "", group["xml"][0].decode(), flags=re.S)
