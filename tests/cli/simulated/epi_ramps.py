# SPDX-License-Identifier: BSD-3-Clause
"""epi_ramps.py CARTESIAN.h5 [--navigators N] [--delay US] [--field SOURCE]: the scan as EPI reads it. Each line is sampled under a trapezoid, on its ramps
too, by the exact sum over the image along the readout; every other line is read backwards, late and with a phase that differ from slice to
slice; before each slice come N (3) lines through the middle of k-space. The header describes the trapezoid as siemens_to_ismrmrd does.
--field: samples are exact sums over the file's image, coil and field maps, each at its time after the excitation; SOURCE says what the header
has of the echo spacing: sequence (0.61 ms), description (0.52 ms), trapezoid (its duration) or none (lines without ramps, 0.61 ms).
--shots N: the lines of a slice are dealt to N interleaved trains; each train has its own reference lines and, as the calibration and each
repetition, its own errors."""
import argparse

import h5py
import numpy as np

REVERSE, CORRECTION, NOISE, CALIBRATION = 1 << 21, 1 << 23, 1 << 18, 1 << 19
UP, FLAT, DOWN = 110.0, 190.0, 130.0  # microseconds; the ramps differ

parser = argparse.ArgumentParser()
parser.add_argument("scan")
parser.add_argument("--navigators", type=int, default=3)
parser.add_argument("--delay", type=float, default=17.0)
parser.add_argument("--shots", type=int, default=1)
parser.add_argument("--falling", action="store_true", help="ky falls in time")
parser.add_argument("--perfect", action="store_true", help="no shift and no phase of reversed lines")
parser.add_argument("--field", choices=["sequence", "description", "trapezoid", "none"])
options = parser.parse_args()
SPACING = {"sequence": 610.0, "description": 520.0, "trapezoid": UP + FLAT + DOWN, "none": 610.0}.get(options.field, 0.0)


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


class Field:
    """The signal of the file's maps, by exact sums."""

    def __init__(self, group, echo):
        shape = group["Truth"].shape[-2:]
        self.image, self.omega = (np.asarray(group[name][0], float).reshape(-1, *shape) for name in ("Truth", "FieldMap"))
        maps = np.asarray(group["SENSEMap"][0])
        self.maps, self.echo = (maps["real"] + 1j * maps["imag"]).reshape(len(self.image), -1, *shape), echo

    def line(self, number, k, ky, t):
        image, omega, maps = self.image[number], self.omega[number], self.maps[number]
        ny, nx = image.shape
        x, y = np.arange(nx) - nx // 2, np.arange(ny) - ny // 2
        phase = 2 * np.pi * (k[:, None, None] * x / nx + ky * y[:, None] / ny) + omega * (self.echo + 1e-6 * t[:, None, None])
        return np.tensordot(maps, image * np.exp(-1j * phase), axes=((1, 2), (1, 2)))


def since_centre(samples, dwell):
    """Times of the samples of a line from the centre of k-space, which is where half of the trapezoid's area has passed; microseconds."""
    fine = np.linspace(0, UP + FLAT + DOWN, 100001)
    at, total = area(fine)
    return options.delay + (np.arange(samples) + 0.5) * dwell - np.interp(total / 2, at, fine)


def errors(head):
    """Shift in samples of the matrix, and phase in rad."""
    slice_number, later = int(head["idx"]["slice"]), 0.05 * int(head["idx"]["repetition"]) + 0.07 * int(head["idx"]["segment"])
    later += 0.2 if head["flags"] & CALIBRATION else 0
    return (0.0, 0.0) if options.perfect or options.field else (0.3 + 0.1 * slice_number - later, 0.8 - 0.3 * slice_number + later)


def read_out(row, k, backwards, ky=0, number=0):
    """The row's line at positions k, in the order of time. ky, number: phase encoding, and index of the line from that with ky = 0."""
    head, channels = row["head"].copy(), int(row["head"]["active_channels"])
    line = np.asarray(row["data"]).view(np.complex64).reshape(channels, -1).astype(complex)
    n = line.shape[1]
    x = np.arange(n) - n // 2
    image, k = image_of(line), -k if backwards and options.field != "none" else k[::-1] if backwards else k
    if backwards:
        shift, phase = errors(head)
        image = image * np.exp(1j * (phase + 2 * np.pi * shift * x / n))
        head["flags"] |= REVERSE
    data = image @ np.exp(-2j * np.pi * np.outer(x, k) / n)
    if field:
        data = field.line(int(head["idx"]["slice"]), k, ky, times + number * SPACING)
    head["number_of_samples"] = data.shape[1]
    head["center_sample"] = (data.shape[1] - backwards) // 2 if options.field == "none" else data.shape[1] // 2
    head["sample_time_us"], head["trajectory_dimensions"] = dwell, 0
    row["head"], row["traj"] = head, np.zeros(0, np.float32)
    row["data"] = np.ascontiguousarray(data).astype(np.complex64).view(np.float32).ravel()
    return row


def train_of(row):
    head = row["head"]
    return (not head["flags"] & CALIBRATION, *(int(head["idx"][name]) for name in ("repetition", "slice", "segment")))


def train(rows, k):
    """The lines of one slice, with its reference lines."""
    rows = rows[::-1] if options.falling else rows
    middle, out = rows[len(rows) // 2], []
    for i in range(options.navigators):
        row = middle.copy()
        row["head"]["flags"] |= CORRECTION
        out.append(read_out(row, k, i % 2 == 1))
    steps = [int(row["head"]["idx"]["kspace_encode_step_1"]) for row in rows]
    middle = steps.index(CENTRE) if field else 0
    return out + [read_out(row.copy(), k, i % 2 == 1, steps[i] - CENTRE, i - middle) for i, row in enumerate(rows)]


def description(samples, dwell):
    numbers = [("Long", "rampUpTime", UP), ("Long", "flatTopTime", FLAT), ("Long", "rampDownTime", DOWN),
               ("Long", "acqDelayTime", options.delay), ("Long", "numSamples", samples), ("Double", "dwellTime", dwell)]
    if options.field == "description":
        numbers.append(("Long", "echoSpacing", SPACING))
    return "<trajectoryDescription><identifier>ConventionalEPI</identifier>" + "".join(
        f"<userParameter{kind}><name>{name}</name><value>{value:.17g}</value></userParameter{kind}>" for kind, name, value in numbers
        if options.field != "none"
    ) + "</trajectoryDescription>"


with h5py.File(options.scan, "r+") as file:
    group, kind = file["dataset"], file["dataset/data"].dtype
    rows = [group["data"][i].copy() for i in range(len(group["data"]))]
    header = group["xml"][0].decode() if isinstance(group["xml"][0], bytes) else group["xml"][0]
    CENTRE = int(header.split("<kspace_encoding_step_1>")[1].split("<center>")[1].split("<")[0])
    field = Field(group, 1e-3 * float(header.split("<TE>")[1].split("<")[0])) if options.field else None
    noise = [row for row in rows if row["head"]["flags"] & NOISE]
    lines = [row for row in rows if not row["head"]["flags"] & NOISE]
    n = int(lines[0]["head"]["number_of_samples"])
    samples = n + n // 2
    dwell = (UP + FLAT + DOWN - 2 * options.delay) / samples
    k, times = positions(n, samples, dwell), since_centre(samples, dwell)
    if options.field == "none":
        dwell = 10.0
        k, times = np.arange(n) - n // 2, (np.arange(n) - n // 2) * dwell
    written = noise
    for row in lines:
        row["head"]["idx"]["segment"] = int(row["head"]["idx"]["kspace_encode_step_1"]) % options.shots
    for kinds in sorted({train_of(row) for row in lines}):
        written += train([row for row in lines if train_of(row) == kinds], k)
    del group["data"]
    data = group.create_dataset("data", shape=(len(written),), maxshape=(None,), chunks=(1,), dtype=kind)
    for index, row in enumerate(written):
        row["head"]["scan_counter"] = index
        data[index] = row
    before, rest = header.split("<trajectory>", 1)
    rest = rest.split("</trajectoryDescription>", 1)[1]
    if options.field == "sequence":
        rest = rest.replace("</TE>", f"</TE><echo_spacing>{SPACING / 1000}</echo_spacing>")
    group["xml"][0] = before + "<trajectory>epi</trajectory>" + description(samples, dwell) + rest
