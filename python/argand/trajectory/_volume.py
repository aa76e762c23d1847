# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories of volumes: spokes in all directions, spirals on cones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._shots import Array, Made, diameter, finish, seconds, volume, whole

# Golden means in two dimensions (Chan et al., MRM 61:354, 2009): the square of the root of x^3 + x = 1, and this root.
_MEANS = (0.4655712318767680, 0.6823278038280193)


def _directions(count: int, golden: bool) -> tuple[Array, Array]:
    """Cosine of the polar angle, and azimuth, over the whole sphere."""
    m = np.arange(count)
    if golden:
        return 2 * (m * _MEANS[0] % 1) - 1, 2 * np.pi * (m * _MEANS[1] % 1)
    return 1 - (2 * m + 1) / count, m * (np.pi * (3 - np.sqrt(5)))


def radial_3d(
    shape: Sequence[int], *, spokes: int = 0, samples: int = 0, readout_s: float = 0.005, echo_s: float = 0.0, golden: bool = True,
    out: bool = False, dtype: Any = np.float64,
) -> Made:  # fmt: skip
    """Spokes of a volume in all directions: by the golden means, in which any number in a row is even, or along a spiral over the sphere.

    out: half spokes from the centre outwards; times count from there. spokes: pi N^2 / 2 for full sampling, twice as many of half spokes.

    >>> points, times = argand.trajectory.radial_3d((16, 16, 16), spokes=100)
    >>> points.shape, bool(abs(points).max() <= 8)
    ((100, 32, 3), True)
    """
    n = volume(shape)
    count = whole(samples, max(n) if out else 2 * max(n), "samples")
    turns = whole(spokes, int(np.ceil(np.pi / 2 * max(n) ** 2)) * (2 if out else 1), "spokes")
    cosine, azimuth = _directions(turns, golden)
    sine = np.sqrt(1 - cosine**2)
    ends = np.stack([cosine, sine * np.sin(azimuth), sine * np.cos(azimuth)], axis=-1) * (np.array(n) / 2)
    at, times = (np.arange(count) / count if out else diameter(count)), seconds(count, readout_s)
    points = at[:, None] * ends[:, None, :]
    start = times if out else times - times[count // 2]
    return finish(points, np.broadcast_to(start, points.shape[:-1]), None, echo_s, dtype)


def cones(
    shape: Sequence[int], *, shots: int = 0, samples: int = 0, turns: float = 4.0, readout_s: float = 0.01, echo_s: float = 0.0,
    golden: bool = False, dtype: Any = np.float64,
) -> Made:  # fmt: skip
    """Spirals from the centre outwards, each on a cone around z and `turns` times around it; the cones' angles are even over the sphere.

    shots: pi N^2 / (1 + turns) by default. Times count from the centre, the first sample.

    >>> points, times = argand.trajectory.cones((16, 16, 16), shots=50)
    >>> z, r = points[7, 1:, 0], np.linalg.norm(points[7, 1:], axis=-1)
    >>> bool(np.allclose(z / r, z[0] / r[0]))
    True
    """
    n = volume(shape)
    if not 0 <= turns < 1e6:
        raise ValueError(f"turns: 0 or more is needed, not {turns!r}")
    length = np.pi * max(n) * turns + max(n) / 2
    count = whole(samples, int(np.ceil(length)), "samples")
    number = whole(shots, int(np.ceil(np.pi * max(n) ** 2 / (1 + turns))), "shots")
    cosine, azimuth = _directions(number, golden)
    at, times = np.arange(count) / max(1, count - 1), seconds(count, readout_s)
    angle = azimuth[:, None] + 2 * np.pi * turns * at
    sine = np.sqrt(1 - cosine**2)[:, None]
    unit = np.stack([np.broadcast_to(cosine[:, None], angle.shape), sine * np.sin(angle), sine * np.cos(angle)], axis=-1)
    points = at[:, None] * unit * (np.array(n) / 2)
    return finish(points, np.broadcast_to(times, points.shape[:-1]), None, echo_s, dtype)
