# SPDX-License-Identifier: BSD-3-Clause
"""epi.py CARTESIAN.h5: every other line is read backwards, 0.3 samples late and with a phase of 0.8 rad, and three reference
lines through the middle of k-space come first. centre: epi.py CARTESIAN.h5 centre: the same, and the heads of reversed lines count the centre
from the other end. radial: epi.py RADIAL.h5 radial: spokes were measured 0.4 samples further on."""
import sys

import h5py
import numpy as np

REVERSE, CORRECTION = 1 << 21, 1 << 23


def late(line, shift, constant):
    """The line with the phase constant + 2 pi shift r in the image along the readout."""
    n = line.shape[-1]
    r = (np.arange(n) - n // 2) / n
    image = np.fft.fftshift(np.fft.ifft(np.fft.ifftshift(line, axes=-1)), axes=-1)
    image = image * np.exp(1j * (constant + 2 * np.pi * shift * r))
    return np.fft.fftshift(np.fft.fft(np.fft.ifftshift(image, axes=-1)), axes=-1)


def backwards(row):
    head, channels = row["head"].copy(), int(row["head"]["active_channels"])
    samples = np.asarray(row["data"]).view(np.complex64).reshape(channels, -1)
    track = np.asarray(row["traj"]).reshape(-1, int(head["trajectory_dimensions"]))
    head["flags"] |= REVERSE
    if sys.argv[2:] != ["centre"]:
        head["center_sample"] = samples.shape[1] - 1 - head["center_sample"]
    row["head"] = head
    row["data"] = np.ascontiguousarray(late(samples, 0.3, 0.8)[:, ::-1]).astype(np.complex64).view(np.float32).ravel()
    row["traj"] = np.ascontiguousarray(track[::-1]).ravel()
    return row


def epi(data):
    rows = [data[i].copy() for i in range(len(data))]
    middle = rows[len(rows) // 2]
    out = []
    for i in range(3):
        row = middle.copy()
        row["head"]["flags"] |= CORRECTION
        out.append(backwards(row) if i % 2 else row)
    return out + [backwards(row) if i % 2 else row for i, row in enumerate(rows)]


def radial(data):
    """The nominal trajectory: what was measured lay 0.4 samples further out."""
    rows = [data[i].copy() for i in range(len(data))]
    for row in rows:
        if not row["head"]["trajectory_dimensions"]:
            continue  # noise
        track = np.asarray(row["traj"]).reshape(-1, int(row["head"]["trajectory_dimensions"])).copy()
        step = track[-1, :2] - track[-2, :2]
        track[:, :2] -= 0.4 * step
        row["traj"] = track.ravel()
    return rows


with h5py.File(sys.argv[1], "r+") as file:
    group, kind = file["dataset"], file["dataset/data"].dtype
    rows = (radial if sys.argv[2:] == ["radial"] else epi)(group["data"])
    del group["data"]
    data = group.create_dataset("data", shape=(len(rows),), maxshape=(None,), chunks=(1,), dtype=kind)
    for index, row in enumerate(rows):
        data[index] = row
