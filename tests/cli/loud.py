# SPDX-License-Identifier: BSD-3-Clause
"""loud.py SCAN.h5: coil 0 five times as loud, and half of it added to coil 1, in noise and image alike."""
import sys

import h5py

with h5py.File(sys.argv[1], "r+") as file:
    data = file["dataset/data"]
    for index in range(len(data)):
        row = data[index]
        channels = row["head"]["active_channels"]
        samples = row["data"].reshape(channels, -1)
        samples[1] += 0.5 * samples[0]
        samples[0] *= 5
        data[index] = row
