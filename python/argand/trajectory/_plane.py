# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories in the plane: EPI, propeller, rosette, spirals through the centre; of volumes, stacks of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _arrays
from .._device import get_device
from .._library import call, choose, ffi, lib, struct, text
from ._shots import Made, diameter, finish, plane, positive, seconds, whole


def _make(flat: int, stack: int, shape: Sequence[int], dtype: Any, options: dict[str, Any]) -> Made:
    """Of a kind in the plane, or of one in volumes."""
    shape = _arrays.sizes(shape)
    if len(shape) not in (2, 3):
        raise ValueError(f"trajectories are of images (ny, nx) or (nz, ny, nx), not {tuple(shape)}")
    n = [*list(shape)[::-1], 1][:3]
    given = struct("argand_trajectory_options", {"kind": flat if n[2] == 1 else stack, "n": n, **options})
    k, t = ffi.new("argand_array *[3]"), ffi.new("argand_array **")
    call(lib.argand_trajectory_make, k, t, get_device("cpu")._handle, _arrays.TYPES[_arrays.computed(dtype)], given)
    axes = [ffi.gc(k[axis], lib.argand_array_destroy) for axis in range(3) if k[axis] != ffi.NULL]
    times = _arrays.fetch(ffi.gc(t[0], lib.argand_array_destroy))
    points = np.stack([_arrays.fetch(axis) for axis in reversed(axes)], axis=-1)
    if len(shape) == 3 and n[2] == 1:  # a volume of one partition
        return np.concatenate([np.zeros_like(points[..., :1]), points], axis=-1)[None], times[None]
    return points, times


def make(kind: str, shape: Sequence[int], *, dtype: Any = np.float64, **options: Any) -> Made:
    """Any kind that the library has, by its name. options: the fields of argand_trajectory_options.

    >>> argand.trajectory.make("stack-of-stars", (8, 64, 64), shots=20)[0].shape
    (8, 20, 128, 3)
    """
    number = choose(_kinds(), kind, "kind")
    return _make(number, number, shape, dtype, options)


def _kinds() -> dict[str, int]:
    """The names of the library's kinds, and their numbers."""
    info = ffi.new("argand_trajectory_info *")
    kinds = {}
    for number in range(lib.argand_trajectory_count()):
        call(lib.argand_trajectory_describe, number, info)
        kinds[text(info.name)] = number
    return kinds


_RENAMED = {
    "readout": "readout_s, in seconds (--readout of the tool is in ms)", "echo": "echo_s, in seconds (--echo of the tool is in ms)",
    "field_of_view": "field_of_view_m, in metres (--fov of the tool is in mm)",
}  # fmt: skip


def _refuse(old: dict[str, Any]) -> None:
    """Refuses names that no function has, and those that did not say their unit."""
    for name in old:
        raise TypeError(f"{name}: give {_RENAMED[name]}" if name in _RENAMED else f"there is no argument {name!r} of this trajectory")


def cartesian(
    shape: Sequence[int], *, samples: int = 0, lines: int = 0, readout_s: float = 0.005, echo_s: float = 0.0, acceleration: float = 1.0,
    dtype: Any = np.float64, **old: Any,
) -> Made:  # fmt: skip
    """Lines along x, floor(n/2) steps below the centre and up.

    >>> points, times = argand.trajectory.cartesian((4, 6))
    >>> points.shape, points[2, 3]
    ((4, 6, 2), array([0., 0.]))
    """
    _refuse(old)
    options = {"samples": samples, "shots": lines, "readout": readout_s, "echo": echo_s, "acceleration": acceleration}
    return _make(lib.ARGAND_CARTESIAN, lib.ARGAND_CARTESIAN, shape, dtype, options)


def radial(
    shape: Sequence[int], *, spokes: int = 0, samples: int = 0, readout_s: float = 0.005, echo_s: float = 0.0, acceleration: float = 1.0,
    golden: bool = False, dtype: Any = np.float64, **old: Any,
) -> Made:  # fmt: skip
    """Spokes through the centre, evenly over 180 degrees or by the golden angle; of a volume a stack of stars.

    >>> argand.trajectory.radial((64, 64), spokes=20)[0].shape
    (20, 128, 2)
    """
    _refuse(old)
    options = {"samples": samples, "shots": spokes, "readout": readout_s, "echo": echo_s, "acceleration": acceleration, "golden": golden}
    return _make(lib.ARGAND_RADIAL, lib.ARGAND_STACK_OF_STARS, shape, dtype, options)


def spiral(
    shape: Sequence[int], *, shots: int = 0, samples: int = 0, readout_s: float = 0.02, echo_s: float = 0.0, acceleration: float = 1.0,
    field_of_view_m: float = 0.24, gradient_limit: float = 0.040, slew_limit: float = 150.0, dtype: Any = np.float64,
    **old: Any,
) -> Made:  # fmt: skip
    """Spirals from the centre outwards, within limits of the gradients' amplitude (T/m) and slew rate (T/m/s); of a volume a stack.
    field_of_view_m: of the longer axis in the plane.

    >>> points, times = argand.trajectory.spiral((32, 32), shots=4)
    >>> points.shape[0], bool(abs(points).max() <= 16.01)
    (4, True)
    """
    _refuse(old)
    options = {
        "samples": samples, "shots": shots, "readout": readout_s, "echo": echo_s, "acceleration": acceleration,
        "field_of_view": field_of_view_m, "gradient_limit": gradient_limit, "slew_limit": slew_limit,
    }  # fmt: skip
    return _make(lib.ARGAND_SPIRAL, lib.ARGAND_STACK_OF_SPIRALS, shape, dtype, options)


def epi(
    shape: Sequence[int], *, shots: int = 1, samples: int = 0, readout_s: float = 0.0005, gap_s: float = 0.0001, echo_s: float = 0.0,
    acceleration: int = 1, dtype: Any = np.float64,
) -> Made:  # fmt: skip
    """Echo-planar lines along x, each in the direction opposite to the one before; shot s has the lines s, s + shots, ... of those acquired.

    readout_s: of one line, from its first to its last sample; gap_s: between lines; echo_s: from the excitation to the line through the centre.

    >>> points, times = argand.trajectory.epi((8, 8), shots=2)
    >>> points.shape, points[0, :2], points[0, 8]
    ((2, 32, 2), array([[-4., -4.],
           [-4., -3.]]), array([-2.,  3.]))
    """
    ny, nx, nz = plane(shape)
    count, step, legs = whole(samples, nx, "samples"), whole(acceleration, 1, "acceleration"), whole(shots, 1, "shots")
    rows = np.arange(ny)[(ny // 2) % step :: step] - ny // 2
    if len(rows) % legs:
        raise ValueError(f"shots: {len(rows)} lines are not divided evenly over {legs} shots")
    kx = diameter(count) * (nx / 2)
    line = seconds(count, readout_s)
    period = line[-1] + (positive(gap_s, "gap_s") if len(rows) // legs > 1 else 0.0)
    points, times = [], []
    for first in range(legs):
        mine = rows[first::legs]
        x = np.stack([kx if i % 2 == 0 else kx[::-1] for i in range(len(mine))])
        at = np.argmin(abs(mine))
        centre = at * period + line[np.argmin(abs(x[at]))]
        points.append(np.stack([np.broadcast_to(mine[:, None], x.shape), x], axis=-1).reshape(-1, 2))
        times.append((np.arange(len(mine))[:, None] * period + line - centre).ravel())
    return finish(np.stack(points), np.stack(times), nz, echo_s, dtype)


def propeller(
    shape: Sequence[int], *, blades: int = 0, lines: int = 16, samples: int = 0, readout_s: float = 0.005, echo_s: float = 0.0,
    golden: bool = False, dtype: Any = np.float64,
) -> Made:  # fmt: skip
    """Blades of parallel lines, turned evenly over 180 degrees or by the golden angle; shots are all lines, blade after blade.

    >>> argand.trajectory.propeller((64, 64), lines=16)[0].shape        # 7 blades fill the circle
    (112, 64, 2)
    """
    ny, nx, nz = plane(shape)
    longest, width = max(ny, nx), whole(lines, 16, "lines")
    count = whole(samples, longest, "samples")
    turns = whole(blades, int(np.ceil(np.pi / 2 * longest / width)), "blades")
    angle = np.arange(turns) * (np.pi * (np.sqrt(5) - 1) / 2 if golden else np.pi / turns)
    along, across = np.broadcast_arrays(diameter(count), (np.arange(width) - (width - 1) / 2)[:, None] * (2 / longest))
    c, s = np.cos(angle)[:, None, None], np.sin(angle)[:, None, None]
    points = np.stack([(along * s + across * c) * (ny / 2), (along * c - across * s) * (nx / 2)], axis=-1).reshape(-1, count, 2)
    times = seconds(count, readout_s)
    return finish(points, np.broadcast_to(times - times[count // 2], points.shape[:-1]), nz, echo_s, dtype)


def rosette(
    shape: Sequence[int], *, shots: int = 0, samples: int = 0, petals: int = 5, readout_s: float = 0.02, echo_s: float = 0.0,
    dtype: Any = np.float64,
) -> Made:  # fmt: skip
    """Rosettes: k = K sin(w1 t) exp(i w2 t), each shot through the centre between its petals, with w1 / w2 = petals / (petals - 2), so that petals lie
    evenly over 360 degrees; shots are turned. petals: 3 or more. Times count from the first passage of the centre, which is the first sample.

    >>> points, times = argand.trajectory.rosette((32, 32), petals=5)
    >>> bool(abs(points[:, 0]).max() < 1e-12 and abs(points).max() <= 16)
    True
    """
    ny, nx, nz = plane(shape)
    longest, leaves = max(ny, nx), whole(petals, 5, "petals")
    if leaves < 3:
        raise ValueError(f"petals: 3 or more are needed, not {leaves}")
    count = whole(samples, int(np.ceil(np.pi / 2 * longest * leaves)), "samples")  # steps of at most one cycle
    turns = whole(shots, int(np.ceil(np.pi * longest / leaves)), "shots")
    phase = np.linspace(0, np.pi, count)
    radius = np.sin(leaves * phase)
    angle = (leaves - 2) * phase + (np.arange(turns) * (2 * np.pi / leaves / turns))[:, None]
    points = np.stack([radius * np.sin(angle) * (ny / 2), radius * np.cos(angle) * (nx / 2)], axis=-1)
    return finish(points, np.broadcast_to(seconds(count, readout_s), points.shape[:-1]), nz, echo_s, dtype)


def spiral_through(
    shape: Sequence[int], order: str = "in-out", *, shots: int = 0, samples: int = 0, readout_s: float = 0.02, echo_s: float = 0.0,
    acceleration: float = 1.0, dtype: Any = np.float64, **limits: Any,
) -> Made:  # fmt: skip
    """Spirals that come in and go out again ("in-out"), or go out and come back ("out-in"), of two halves as trajectory.spiral makes them.

    The halves join without a jump of the tangent's angular part. samples, readout_s: of a half; the sample where they join is there once. limits: field_of_view_m,
    gradient_limit, slew_limit of trajectory.spiral. Times count from the centre, of "out-in" from its first passage.

    >>> points, times = argand.trajectory.spiral_through((32, 32), shots=4)
    >>> middle = points.shape[1] // 2
    >>> bool(abs(points[:, middle]).max() == 0), bool(np.allclose(points[:, middle - 3], -points[:, middle + 3]))
    (True, True)
    """
    ny, nx, nz = plane(shape)
    choose({"in-out": 0, "out-in": 1}, order, "order")
    out, t = spiral(
        (ny, nx), shots=shots, samples=samples, readout_s=readout_s, acceleration=acceleration, **limits
    )
    if order == "in-out":
        points = np.concatenate([-out[:, :0:-1], out], axis=1)
        times = np.concatenate([-t[:, :0:-1], t], axis=1)
    else:
        scale = np.array([ny / 2, nx / 2])
        z = (out / scale) @ np.array([1j, 1])
        edge = z[:, -1:] / abs(z[:, -1:])
        back = (edge**2 * z.conj())[:, -2::-1]
        points = np.concatenate([out, np.stack([back.imag, back.real], axis=-1) * scale], axis=1)
        times = np.concatenate([t, 2 * t[:, -1:] - t[:, -2::-1]], axis=1)
    return finish(points, times, nz, echo_s, dtype)
