# SPDX-License-Identifier: BSD-3-Clause
"""epi_ramps.py CARTESIAN.h5 [--navigators N] [--delay US]: the scan as EPI reads it. Each line is sampled under a trapezoid, on its ramps
too, by the exact sum over the image along the readout; every other line is read backwards, late and with a phase that differ from slice to
slice; before each slice come N (3) lines through the middle of k-space. The header describes the trapezoid as siemens_to_ismrmrd does."""
import argparse

import h5py
import numpy as np

REVERSE, CORRECTION, NOISE = 1 << 21, 1 << 23, 1 << 18
UP, FLAT, DOWN = 110.0, 190.0, 130.0  # microseconds; the ramps differ

parser = argparse.ArgumentParser()
parser.add_argument("scan")
parser.add_argument("--navigators", type=int, default=3)
parser.add_argument("--delay", type=float, default=17.0)
parser.add_argument("--perfect", action="store_true", help="no shift and no phase of reversed lines")
options = parser.parse_args()


def area(t):
    """Integral of the trapezoid, by small steps: not the formula of the library."""
    fine = np.linspace(0, UP + FLAT + DOWN, 200001)
    height = np.interp(fine, [0, UP, UP + FLAT, UP + FLAT + DOWN], [0, 1, 1, 0])
    total = np.concatenate([[0], np.cumsum((height[1:] + height[:-1]) / 2 * np.diff(fine))])
    return np.interp(t, fine, total), total[-1]


def positions(n, samples, dwell):
    at, total = area(options.delay + (np.arange(samples) + 0.5) * dwell)
    edges, _ = area(np.array([options.delay, options.delay + samples * dwell]))
    return (at - total / 2) * n / (edges[1] - edges[0])


def image_of(line):
    return np.fft.fftshift(np.fft.ifft(np.fft.ifftshift(line, axes=-1)), axes=-1)


def errors(head):
    """Shift in samples of the matrix, and phase in rad."""
    slice_number = int(head["idx"]["slice"])
    return (0.0, 0.0) if options.perfect else (0.3 + 0.1 * slice_number, 0.8 - 0.3 * slice_number)


def read_out(row, k, backwards):
    """The row's line at positions k, in the order of time."""
    head, channels = row["head"].copy(), int(row["head"]["active_channels"])
    line = np.asarray(row["data"]).view(np.complex64).reshape(channels, -1).astype(complex)
    n = line.shape[1]
    x = np.arange(n) - n // 2
    image = image_of(line)
    if backwards:
        shift, phase = errors(head)
        image = image * np.exp(1j * (phase + 2 * np.pi * shift * x / n))
        k = -k
        head["flags"] |= REVERSE
    data = image @ np.exp(-2j * np.pi * np.outer(x, k) / n)
    head["number_of_samples"] = data.shape[1]
    head["center_sample"] = data.shape[1] // 2
    head["trajectory_dimensions"] = 0
    row["head"], row["traj"] = head, np.zeros(0, np.float32)
    row["data"] = np.ascontiguousarray(data).astype(np.complex64).view(np.float32).ravel()
    return row


def train(rows, k):
    """The lines of one slice, with its reference lines."""
    middle, out = rows[len(rows) // 2], []
    for i in range(options.navigators):
        row = middle.copy()
        row["head"]["flags"] |= CORRECTION
        out.append(read_out(row, k, i % 2 == 1))
    return out + [read_out(row.copy(), k, i % 2 == 1) for i, row in enumerate(rows)]


def description(samples, dwell):
    numbers = [("Long", "rampUpTime", UP), ("Long", "flatTopTime", FLAT), ("Long", "rampDownTime", DOWN),
               ("Long", "acqDelayTime", options.delay), ("Long", "numSamples", samples), ("Double", "dwellTime", dwell)]
    return "<trajectoryDescription><identifier>ConventionalEPI</identifier>" + "".join(
        f"<userParameter{kind}><name>{name}</name><value>{value:.17g}</value></userParameter{kind}>" for kind, name, value in numbers
    ) + "</trajectoryDescription>"


with h5py.File(options.scan, "r+") as file:
    group, kind = file["dataset"], file["dataset/data"].dtype
    rows = [group["data"][i].copy() for i in range(len(group["data"]))]
    noise = [row for row in rows if row["head"]["flags"] & NOISE]
    lines = [row for row in rows if not row["head"]["flags"] & NOISE]
    n = int(lines[0]["head"]["number_of_samples"])
    samples = n + n // 2
    dwell = (UP + FLAT + DOWN - 2 * options.delay) / samples
    k = positions(n, samples, dwell)
    written = noise
    for number in sorted({int(row["head"]["idx"]["slice"]) for row in lines}):
        written += train([row for row in lines if int(row["head"]["idx"]["slice"]) == number], k)
    del group["data"]
    data = group.create_dataset("data", shape=(len(written),), maxshape=(None,), chunks=(1,), dtype=kind)
    for index, row in enumerate(written):
        row["head"]["scan_counter"] = index
        data[index] = row
    header = group["xml"][0].decode() if isinstance(group["xml"][0], bytes) else group["xml"][0]
    before, rest = header.split("<trajectory>", 1)
    rest = rest.split("</trajectoryDescription>", 1)[1]
    group["xml"][0] = before + "<trajectory>epi</trajectory>" + description(samples, dwell) + rest
