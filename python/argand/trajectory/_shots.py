# SPDX-License-Identifier: BSD-3-Clause
"""What trajectories have in common: shapes, axes, stacks of partitions, times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _arrays

Array = np.ndarray[Any, Any]
Made = tuple[Array, Array]


def plane(shape: Sequence[int]) -> tuple[int, int, int | None]:
    """(ny, nx, nz) of an image, whose nz is None, or of a volume."""
    n = _arrays.sizes(shape)
    if len(n) not in (2, 3) or min(n) < 1:
        raise ValueError(f"trajectories are of images (ny, nx) or volumes (nz, ny, nx), not {n}")
    return n[-2], n[-1], n[0] if len(n) == 3 else None


def volume(shape: Sequence[int]) -> tuple[int, ...]:
    n = _arrays.sizes(shape)
    if len(n) != 3 or min(n) < 1:
        raise ValueError(f"this trajectory is of volumes (nz, ny, nx), not {n}")
    return n


def whole(value: int, default: int, name: str) -> int:
    """A count that the caller gave, or the default for 0."""
    (number,) = _arrays.sizes(value, name)
    if number < 0:
        raise ValueError(f"{name}: 0 or more is needed, not {number}")
    return number or max(1, default)


def positive(value: float, name: str) -> float:
    if not 0 < value < float("inf"):
        raise ValueError(f"{name}: a number above 0 is needed, not {value!r}")
    return float(value)


def diameter(samples: int) -> Array:
    """Places on a line through the centre, from -1 to less than 1, of which element floor(samples/2) is 0."""
    at: Array = (np.arange(samples) - samples // 2) * (2 / samples)
    return at


def seconds(samples: int, readout: float) -> Array:
    return np.arange(samples) * (positive(readout, "readout_s") / max(1, samples - 1))


def finish(points: Array, times: Array, nz: int | None, echo: float, dtype: Any) -> Made:
    """A stack of the partitions of a volume; times that count from the excitation, where `echo` says how long the centre comes after it.

    points: (shots, samples, 2), times: (shots, samples) from the centre."""
    if echo and times.min() + echo < 0:
        raise ValueError(f"echo_s: a shot's first sample is {-times.min():.3g} s before its centre, and echo_s is {echo:.3g} s: give a later one")
    if nz is not None:
        kz = np.arange(nz) - nz // 2
        flat = np.broadcast_to(points, (nz, *points.shape))
        points = np.concatenate([np.broadcast_to(kz[:, None, None, None], (*flat.shape[:-1], 1)), flat], axis=-1)
        times = np.broadcast_to(times, points.shape[:-1])
    kind = _arrays.computed(dtype)
    return np.ascontiguousarray(points, kind), np.ascontiguousarray(times + echo, kind)
