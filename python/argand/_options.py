# SPDX-License-Identifier: BSD-3-Clause
"""What plans of FFTs, NUFFTs and convolutions are asked for, in the library's structs: the same on one device and over several ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _arrays
from ._device import Device
from ._library import call, choose, ffi, lib, make, names_of, struct

NORMS = (None, "backward", "ortho", "forward")
UNITS = {"cycles": 0, "radians": 1}
ORDERS = {"centred": 0, "fft": 1}
MODES = {"same": 0, "full": 1, "valid": 2}
BORDERS = names_of(lib.argand_border_name)
NORMALISE = {None: 0, "channel": 1, "luminance": 2}
METHODS = {"auto": 0, "direct": 1, "fft": 2}
RANGES = {"auto": 0, "narrow": 1, "wide": 2}


def fft_scale(norm: str | None, inverse: bool, points: int) -> tuple[int, float]:
    """The library's scale for a direction, and a factor beside it."""
    if norm == "ortho":
        return lib.ARGAND_SCALE_UNITARY, 1.0
    if (norm == "forward") == inverse:
        return lib.ARGAND_SCALE_NONE, 1.0
    return (lib.ARGAND_SCALE_INVERSE, 1.0) if inverse else (lib.ARGAND_SCALE_NONE, 1.0 / points)


class Points:
    """Positions (..., d) in cycles per field of view, [..., i] along axis i of the image; one-dimensional: (...)."""

    def __init__(self, points: Any, rank: int | None = None) -> None:
        seen = _arrays.operand(points)
        if seen.dtype.kind == "c":
            raise TypeError(f"points are real numbers, not {seen.dtype}")
        if len(seen.shape) == 1 and rank in (None, 1):
            seen = seen.space.operand(seen.array[:, None])
        if len(seen.shape) < 2 or seen.shape[-1] not in (1, 2, 3) or rank not in (None, seen.shape[-1]):
            wanted = "1, 2 or 3" if rank is None else str(rank)
            is_transposed = len(seen.shape) == 2 and seen.shape[0] in ((1, 2, 3) if rank is None else (rank,))
            remedy = f": give their transpose, {seen.shape[::-1]}" if is_transposed else ""
            raise ValueError(f"points have the shape (..., {wanted}), not {seen.shape}{remedy}")
        self.operand = seen
        self.rank: int = seen.shape[-1]
        self.shape = seen.shape[:-1]
        self.count = _arrays.count(self.shape)
        if self.count == 0:
            raise ValueError(f"there are no points: their shape is {seen.shape}")

    def arrays(self, device: Device, together: bool = True) -> list[Any]:
        """One argand_array an axis, the fastest (x, the last one) first; not together: as they lie, valid as long as this object."""
        whole = _arrays.contiguous(self.operand)
        rows = _arrays.to_device(whole, device)
        columns = [_column(rows, self.rank, self.count, axis) for axis in reversed(range(self.rank))]
        if together or not device.info.host_addressable:
            columns = [_together(column, self.count, device, whole.dtype) for column in columns]
        self._rows = rows
        return columns


def _column(rows: Any, rank: int, count: int, axis: int) -> Any:
    """One coordinate of all points, as it lies."""
    dims, strides = ffi.new("int64_t[]", [count]), ffi.new("int64_t[]", [rank])
    return make(lib.argand_array_view, "argand_array", lib.argand_array_destroy, rows, 1, dims, strides, axis)


def _together(column: Any, count: int, device: Device, dtype: np.dtype[Any]) -> Any:
    copy = _arrays.create(device, dtype, [count])
    call(lib.argand_array_copy, copy, column)
    return copy


def nufft_options(
    rank: int, shape: Sequence[int], dtype: np.dtype[Any], tolerance: float | None, oversampling: float | None, *, sign: int = -1,
    units: str = "cycles", order: str = "centred", real: bool = False, every_pixel: bool = False,
) -> Any:  # fmt: skip
    """The library's options of a plan."""
    for table, key, what in [(UNITS, units, "units"), (ORDERS, order, "order")]:
        if key not in table:
            raise ValueError(f"{what} is one of {', '.join(map(repr, table))}, not {key!r}")
    if sign not in (-1, 1):
        raise ValueError(f"sign is -1 or 1, not {sign}")
    if len(shape) != rank:
        raise ValueError(f"points of {rank} dimensions and an image of shape {tuple(shape)} do not go together")
    return struct("argand_nufft_options", {
        "type": _arrays.TYPES[dtype], "rank": rank, "n": list(shape)[::-1],
        "tolerance": tolerance or 0, "oversampling": oversampling or 0, "sign": sign, "units": UNITS[units],
        "order": ORDERS[order], "real_image": real, "every_pixel": every_pixel,
    })  # fmt: skip


def _borders(border: str | Sequence[str], rank: int) -> list[dict[str, int]]:
    """Of each axis, the fastest first."""
    named = [border] * rank if isinstance(border, str) else list(border)
    if len(named) != rank:
        raise ValueError(f"{len(named)} borders, and {rank} axes")
    rules = [choose(BORDERS, b, "border") for b in reversed(named)]
    return [{"before": rule, "after": rule} for rule in rules]


def conv_options(
    shape: Sequence[int], h: _arrays.Operand, batch: int, dtype: Any, *, mode: str = "same", border: str | Sequence[str] = "zero",
    constant: complex = 0.0, centre: Sequence[int] | None = None, correlate: bool = False, normalise: str | None = None,
    method: str = "auto", dynamic_range: str = "auto",
) -> Any:  # fmt: skip
    """The library's options of a plan for images of that shape, with the kernel h."""
    rank, value = len(shape), complex(constant)
    options = {
        "type": _arrays.TYPES[dtype], "rank": rank, "n": list(shape)[::-1], "kernel": list(h.shape)[::-1], "batch": batch,
        "mode": choose(MODES, mode, "mode"), "border": _borders(border, rank), "constant": (value.real, value.imag),
        "correlate": correlate, "normalise": choose(NORMALISE, normalise, "normalise"), "method": choose(METHODS, method, "method"),
        "range": choose(RANGES, dynamic_range, "dynamic_range"),
    }  # fmt: skip
    if centre is not None:
        at = _arrays.sizes(centre, "centre")
        if len(at) != rank:
            raise ValueError(f"centre has an index for each of the kernel's {rank} axes, not {centre!r}")
        options.update(centre_given=True, centre=at[::-1])
    return struct("argand_conv_options", options)
