# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories: positions in cycles per field of view, and times in seconds.

Each function takes the image's shape (ny, nx) or (nz, ny, nx) and returns (points, times): points ([partitions,] shots, samples, d) with the
last axis in the order of the image's axes, times without it, counted from the excitation where `echo_s` is given, else from the centre.
np.save writes points as the tool reads them (--trajectory); argand.write_trajectory writes BART's .cfl as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _arrays
from .._device import get_device
from .._library import call as _call, choose as _choose, ffi, lib, struct as _struct, text as _text
from ._hardware import Gradients, gradients, picture
from ._plane import epi, propeller, rosette, spiral_through
from ._pulseq import read_pulseq
from ._volume import cones, radial_3d

__all__ = [
    "Gradients", "cartesian", "cones", "epi", "gradients", "make", "picture", "propeller", "radial", "radial_3d", "read_pulseq", "rosette",
    "spiral", "spiral_through",
]  # fmt: skip
Made = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]


def _make(flat: int, stack: int, shape: Sequence[int], dtype: Any, options: dict[str, Any]) -> Made:
    """Of a kind in the plane, or of one in volumes."""
    shape = _arrays.sizes(shape)
    if len(shape) not in (2, 3):
        raise ValueError(f"trajectories are of images (ny, nx) or (nz, ny, nx), not {tuple(shape)}")
    n = [*list(shape)[::-1], 1][:3]
    given = _struct("argand_trajectory_options", {"kind": flat if n[2] == 1 else stack, "n": n, **options})
    k, t = ffi.new("argand_array *[3]"), ffi.new("argand_array **")
    _call(lib.argand_trajectory_make, k, t, get_device("cpu")._handle, _arrays.TYPES[_arrays.computed(dtype)], given)
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
    number = _choose(_kinds(), kind, "kind")
    return _make(number, number, shape, dtype, options)


def _kinds() -> dict[str, int]:
    """The names of the library's kinds, and their numbers."""
    info = ffi.new("argand_trajectory_info *")
    kinds = {}
    for number in range(lib.argand_trajectory_count()):
        _call(lib.argand_trajectory_describe, number, info)
        kinds[_text(info.name)] = number
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
