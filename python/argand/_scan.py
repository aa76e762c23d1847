# SPDX-License-Identifier: BSD-3-Clause
"""A user's k-space and trajectory as a scan in memory, which reconstructions take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arrays import address, as_array, broadcast, numbers
from ._library import ffi

Array = np.ndarray[Any, Any]
MOST_SHOTS = 65535
OVERSHOOT = 1.05  # what gradients may go beyond a matrix, as in scans' files


def cartesian_points(kspace: Array) -> tuple[Array, Array]:
    """Samples and points of a grid (coils, [nz,] ny, nx) whose elements that are 0 in all coils were not measured.

    Lines along x that are complete stay shots: (coils, lines, nx); else every sample stands alone: (coils, samples)."""
    grid = kspace.shape[1:]
    measured = np.any(kspace != 0, axis=0)
    if not measured.any():
        raise ValueError("k-space is 0 everywhere")
    axes = [np.arange(n) - n // 2 for n in grid]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).astype(np.float32)
    lines = measured.reshape(-1, grid[-1])
    full = lines.any(axis=1)
    if lines[full].all():
        kept = kspace.reshape(len(kspace), -1, grid[-1])[:, full]
        return kept, points.reshape(-1, grid[-1], len(grid))[full]
    return kspace[:, measured], points[measured]


def _profile(kspace: Array, largest: float, axis: int) -> Array:
    """The mean energy of the measured samples at each index of an axis, coil by coil: large k-space has no second copy."""
    others = tuple(a for a in range(kspace.ndim - 1) if a != axis - 1)
    total, measured = np.zeros(kspace.shape[axis]), np.zeros(kspace.shape[axis], np.int64)
    for coil in kspace:
        energy = np.abs(coil / largest) ** 2
        total += energy.sum(others)
        measured += np.count_nonzero(energy, others)
    return total / np.maximum(measured, 1)


def _contrast(profile: Array, away: Array, begin: int = 2, end: int = 8) -> float:
    """The mean of what is measured within n / 16 of a place, divided by the mean between begin / 8 and end / 8 of n away."""
    measured, n = profile > 0, len(profile)
    near, far = profile[measured & (away <= n // 16)], profile[measured & (8 * away > begin * n) & (8 * away <= end * n)]
    return float(near.mean() / max(far.mean(), 1e-300)) if near.size and far.size else 0.0


def refuse_unshifted(kspace: Array) -> None:
    """Refuses a grid (coils, [nz,] ny, nx) whose energy lies at the ends of all axes: the rule of `argand sense --kspace`."""
    largest = max((np.max(np.abs(coil), initial=0.0) for coil in kspace), default=0.0)
    long_axes = [axis for axis in range(1, kspace.ndim) if kspace.shape[axis] >= 4]
    if not (largest > 0 and np.isfinite(largest)):
        return
    for axis in long_axes:
        profile, n = _profile(kspace, largest, axis), kspace.shape[axis]
        place = np.arange(n)
        from_ends = np.minimum(place, n - place)
        at_ends, middle = _contrast(profile, from_ends), _contrast(profile, np.abs(place - n // 2))
        falls = _contrast(profile, from_ends, 1, 2) if n >= 16 else 0.0  # a derivative's k-space has its energy at the ends, but spread
        if at_ends < 3 or at_ends <= 3 * middle or 0 < falls < 3:
            return
    if long_axes:
        raise ValueError(
            "k-space: its energy lies at the ends of its axes, as an FFT leaves it, and k = 0 belongs to element floor(n/2): compute it "
            "by argand.fftn(images, axes=..., centred=True), or shift it by numpy.fft.fftshift over these axes"
        )  # fmt: skip


def unmeasured_note(points: Array, grid: Sequence[int]) -> str:
    """What is said where points of a grid were left out."""
    left_out = 1 - math.prod(points.shape[:-1]) / math.prod(grid)
    return f"{100 * left_out:.3g} % of k-space is exactly 0 in all coils: these samples count as not measured.\n" if left_out > 0 else ""


def _single(kspace: Array) -> Array:
    """Samples, refused where single precision, in which scans keep them, cannot hold them: they would be infinite or 0."""
    largest = float(np.max(np.abs(kspace))) if kspace.dtype in (np.float64, np.complex128) else 1.0
    if largest != 0 and np.isfinite(largest) and not 1e-30 < largest < 1e30:
        raise ValueError(f"samples are kept in single precision, and the largest is {largest:.3g}: scale them to between 1e-30 and 1e30")
    return kspace


def check_reach(points: Array, matrix: Sequence[int]) -> None:
    """Points belong to the image's matrix: beyond it they would be taken for others, and those of a smaller unit all lie in its middle."""
    reach = np.abs(points).reshape(-1, len(matrix)).max(axis=0)
    for axis, (most, n) in enumerate(zip(reach, matrix, strict=True)):
        if most > OVERSHOOT * n / 2:
            raise ValueError(
                f"trajectory: positions of axis {axis} reach {most:.4g} cycles per field of view, and {n} pixels have {n / 2:g}: "
                "give a larger shape, leave out the samples beyond it, or see to the unit"
            )  # fmt: skip
    if max(matrix) >= 16 and 0.97 * math.pi < reach.max() < 1.0001 * math.pi:
        raise ValueError(
            f"trajectory: positions reach {reach.max():.4g}, as radians per pixel do, and {max(matrix)} pixels have {max(matrix) / 2:g} cycles per "
            "field of view: multiply radians by the number of pixels / (2 pi)"
        )  # fmt: skip
    if max(matrix) > 4 and reach.max() <= 0.5:
        raise ValueError(
            f"trajectory: positions reach {reach.max():.4g} cycles per field of view, and {max(matrix)} pixels have {max(matrix) / 2:g}: "
            "multiply those in [-0.5, 0.5) by the number of pixels"
        )  # fmt: skip


class Scan:
    """An argand_scan of arrays: kspace (coils, shots, samples), points (shots, samples, 2 or 3), times (shots, samples) in seconds."""

    def __init__(self, kspace: Array, points: Array, times: Array | None, matrix: Sequence[int], cartesian: bool, note: str = "") -> None:
        self.note = note  # of the session's notes, in front
        coils, shots, samples = kspace.shape
        if shots > MOST_SHOTS:
            raise ValueError(f"{shots} shots, and at most {MOST_SHOTS} can be told apart: give more samples a shot")
        self.coils = coils
        self._data = np.ascontiguousarray(_single(kspace).transpose(1, 0, 2), dtype=np.complex64)
        self._k = np.zeros((3, shots, samples), np.float32)
        for axis in range(points.shape[-1]):
            self._k[axis] = points[..., points.shape[-1] - 1 - axis]  # x is the last one
        self._t = np.zeros((shots, samples), np.float32) if times is None else np.ascontiguousarray(times, np.float32)
        self.handle = self._fill(coils, shots, samples, matrix, cartesian)

    def _fill(self, coils: int, shots: int, samples: int, matrix: Sequence[int], cartesian: bool) -> Any:
        """The struct; what it points to lives as long as this object."""
        n = [*matrix[::-1], 1][:3]
        self._encoding = ffi.new("argand_encoding *", {
            "matrix": n, "recon_matrix": n, "field_of_view": [240.0 * m / max(n) for m in n],
            "recon_field_of_view": [240.0 * m / max(n) for m in n],
            "trajectory": b"cartesian" if cartesian else b"other", "step1_centre": -1, "step2_centre": -1,
        })  # fmt: skip
        self._acquisitions = ffi.new("argand_acquisition[]", shots)
        dwell = float(np.median(np.abs(np.diff(self._t[0])))) if samples > 1 else 0.0
        for shot in range(shots):
            self._fill_shot(self._acquisitions[shot], shot, coils, samples, dwell or 1e-5)
        return ffi.new("argand_scan *", {
            "path": b"kspace",  # what messages name these data by
            "encoding_count": 1, "encodings": self._encoding, "acquisition_count": shots, "acquisitions": self._acquisitions,
            "channels": coils, "k_unit": 1,
            "system": self._word(b""), "header": self._word(b""), "notes": self._word(b""),
        })  # fmt: skip

    def _word(self, text: bytes) -> Any:
        self._words = [*getattr(self, "_words", []), ffi.new("char[]", text)]
        return self._words[-1]

    def _fill_shot(self, a: Any, shot: int, coils: int, samples: int, dwell: float) -> None:
        a.counters.shot = shot
        a.samples, a.channels, a.sample_time = samples, coils, dwell
        a.centre_sample = int(np.argmin(np.sum(self._k[:, shot] ** 2, axis=0)))
        a.data = ffi.cast("float *", address(self._data[shot]))
        for axis in range(3):
            a.k[axis] = ffi.cast("float *", address(self._k[axis, shot]))
        a.t = ffi.cast("float *", address(self._t[shot]))
        a.row = shot
        a.read_dir[0] = a.phase_dir[1] = a.slice_dir[2] = 1


def arrange(kspace: Any, points: Any, times: Any) -> tuple[Array, Array, Array | None]:
    """Samples, points and times with the axes (coils, shots, samples), (shots, samples, d), (shots, samples)."""
    data, k = as_array(kspace), numbers(points, "trajectory", real=True)
    if data.dtype.kind not in "fc":
        raise TypeError(f"k-space is complex, not {data.dtype}")
    inner = k.shape[:-1]
    if k.ndim < 2 or k.shape[-1] not in (2, 3):
        raise ValueError(f"a trajectory has the shape (..., 2) or (..., 3), not {k.shape}")
    if data.shape[1:] != inner:
        raise ValueError(f"k-space is (coils, {', '.join(map(str, inner))}) for a trajectory of shape {k.shape}, not {data.shape}")
    shots, samples = math.prod(inner[:-1]), inner[-1]
    if not data.size:
        raise ValueError(f"k-space is empty: {data.shape}")
    t = None if times is None else broadcast("times", numbers(times, "times", real=True), inner).reshape(shots, samples)
    return data.reshape(len(data), shots, samples), k.reshape(shots, samples, k.shape[-1]), t
