# SPDX-License-Identifier: BSD-3-Clause
"""What a trajectory asks of the gradients: amplitude and slew rate, from its points and times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _arrays

GAMMA = 42.577478518e6  # Hz/T, of the proton


class Gradients(NamedTuple):
    """The largest amplitude (T/m) and slew rate (T/m/s) of any shot, along one axis and of all axes together."""

    gradient: float
    slew: float
    gradient_norm: float
    slew_norm: float

    def __str__(self) -> str:
        return f"gradients of at most {1e3 * self.gradient:.1f} mT/m and {self.slew:.1f} T/m/s along an axis"


def gradients(
    points: Any, times: Any, shape: Sequence[int], field_of_view_m: float | Sequence[float] = 0.24, *, gradient_limit: float | None = None,
    slew_limit: float | None = None,
) -> Gradients:  # fmt: skip
    """The gradients that move through `points` (..., shots, samples, d) at `times`, by differences between samples.

    field_of_view_m: of the longest axis (pixels are square), or of each axis (y, x) or (z, y, x). Limits (T/m, T/m/s, of one axis) that are
    exceeded raise a ValueError. Between samples, gradients may be larger; before the first sample and after the last, nothing is known.

    >>> k, t = argand.trajectory.spiral((64, 64), gradient_limit=0.030, slew_limit=120)
    >>> found = argand.trajectory.gradients(k, t, (64, 64))
    >>> found.gradient < 0.0301, found.slew < 125
    (True, True)
    """
    k, t, n = np.asarray(points, float), np.asarray(times, float), _arrays.sizes(shape)
    if k.ndim < 2 or k.shape[-1] != len(n) or k.shape[:-1] != t.shape:
        raise ValueError(f"points (..., samples, {len(n)}) and times (..., samples) are needed, not {k.shape} and {t.shape}")
    if k.shape[-2] < 3:
        raise ValueError(f"slew rates need at least 3 samples in a shot, not {k.shape[-2]}")
    fov = np.asarray(field_of_view_m, float)
    if fov.ndim == 0:
        fov = fov * np.array(n) / max(n)
    if fov.shape != (len(n),) or not (fov > 0).all():
        raise ValueError(f"field_of_view_m: a length, or one for each of {len(n)} axes, is needed, not {field_of_view_m!r}")
    steps = np.diff(t, axis=-1)
    if not (steps > 0).all():
        raise ValueError("times rise from sample to sample of a shot")
    g = np.diff(k, axis=-2) / steps[..., None] / (GAMMA * fov)
    slew = np.diff(g, axis=-2) / ((steps[..., 1:] + steps[..., :-1]) / 2)[..., None]
    found = Gradients(*(float(x) for x in (abs(g).max(), abs(slew).max(), _longest(g), _longest(slew))))
    for name, limit, value, unit in [("gradient", gradient_limit, found.gradient, "T/m"), ("slew rate", slew_limit, found.slew, "T/m/s")]:
        if limit is not None and value > limit:
            lengths = ", ".join(f"{length:.4g}" for length in fov)
            raise ValueError(
                f"the trajectory needs a {name} of {value:.4g} {unit}, above the limit of {limit:.4g}, for field_of_view_m of {lengths}: "
                "give it a longer readout or more shots, or give the scan's field_of_view_m"
            )  # fmt: skip
    return found


def _longest(x: np.ndarray[Any, Any]) -> float:
    return float(np.sqrt((x**2).sum(axis=-1)).max())


def picture(points: Any, size: int = 256) -> np.ndarray[Any, Any]:
    """The trajectory seen along its first axes: an image (size, size) of how often samples and the lines between them come to each pixel,
    for argand.show and argand.write_png.

    >>> argand.trajectory.picture(argand.trajectory.epi((8, 8))[0], 64).shape
    (64, 64)
    """
    (side,) = _arrays.sizes(size, "size")
    k = np.asarray(points, float)[..., -2:]
    if k.ndim < 2 or k.shape[-1] != 2 or side < 2:
        raise ValueError(f"points (..., samples, 2 or 3) and a size of 2 or more are needed, not {np.shape(points)} and {size}")
    k = k.reshape(-1, *k.shape[-2:])
    reach = abs(k).max() or 1.0
    between = np.linspace(0, 1, 8, endpoint=False)[:, None, None, None]
    lines = (k[None, :, :-1] * (1 - between) + k[None, :, 1:] * between).reshape(-1, 2) if k.shape[1] > 1 else k.reshape(-1, 2)
    at = np.rint((lines / reach + 1) / 2 * (side - 1)).astype(int)
    image = np.zeros((side, side))
    np.add.at(image, (at[:, 0], at[:, 1]), 1)
    return np.sqrt(image / image.max())  # type: ignore[no-any-return, unused-ignore]
