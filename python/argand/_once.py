# SPDX-License-Identifier: BSD-3-Clause
"""NUFFTs of one call on the host: arrays in C order go to the library as they lie. Small transforms take as long as making what a call
needs, so that nothing is made here that the library does not read."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._arrays import COMPLEX, REAL, TYPES
from ._device import get_device
from ._library import ffi, lib, watch

MOST = 128
_PLAN, _ARRAYS, _SIZES = ffi.typeof("argand_nufft **"), ffi.typeof("argand_array *[5]"), ffi.typeof("int64_t[]")
_options: dict[Any, Any] = {}


def _remember(key: Any, make: Any) -> Any:
    """The library's options; None for those that no dictionary can hold."""
    try:
        options = _options.get(key)
    except TypeError:
        return None
    if options is None:
        options = make()
        if len(_options) >= MOST:
            _options.clear()
        _options[key] = options
    return options


def _is_plain(array: Any, types: dict[Any, Any]) -> bool:
    if type(array) is not np.ndarray:
        return False
    flags, dtype = array.flags, array.dtype
    return bool(flags.c_contiguous and flags.aligned and array.size and dtype in types and dtype.isnative)


def transform(adjoint: bool, x: Any, points: Any, shape: tuple[int, ...] | None, conventions: tuple[Any, ...], options: Any) -> Any:
    """The samples of images x, or adjoint: images of that shape. None for arrays that need more than this, and for whatever fails, so that
    the longer way says why. options(rank, shape, dtype): makes the library's."""
    if not watch.set or not _is_plain(points, COMPLEX) or not _is_plain(x, REAL):
        return None
    many = points.shape
    rank = many[-1] if len(many) > 1 else 1
    where = many[:-1] if len(many) > 1 else many
    n = x.shape[x.ndim - rank :] if shape is None else shape
    if len(n) != rank or (adjoint and x.shape[x.ndim - len(where) :] != where):
        return None
    known = _remember((rank, n, x.dtype, *conventions), lambda: options(rank, n, x.dtype))
    if known is None:
        return None
    batch = x.shape[: x.ndim - len(where if adjoint else n)]
    result = np.empty((*batch, *(n if adjoint else where)), x.dtype)
    given = result if adjoint else x
    count, vectors = math.prod(where), math.prod(batch)
    return result if result.size and _run(adjoint, x, result, points, known, rank, count, vectors, given.shape[len(batch) :]) else None


def _run(adjoint: bool, x: Any, result: Any, points: Any, options: Any, rank: int, count: int, vectors: int, n: tuple[int, ...]) -> bool:
    """Returns False if any call of the library failed."""
    device = get_device("cpu")._handle
    kind = TYPES[x.dtype]
    plan, arrays = ffi.new(_PLAN), ffi.new(_ARRAYS)
    dims, step, each, size = ffi.new(_SIZES, (*n[::-1], vectors)), ffi.new(_SIZES, (rank,)), ffi.new(_SIZES, (count, vectors)), points.itemsize
    first, of_points = ffi.cast("char *", ffi.from_buffer(points)), TYPES[points.dtype]
    image, samples = (result, x) if adjoint else (x, result)
    wrap = lib.argand_array_wrap
    try:
        status = lib.argand_nufft_create(plan, device, options)
        for axis in range(rank):
            status = status or wrap(arrays + axis, device, of_points, 1, each, step, first + (rank - 1 - axis) * size)
        status = (
            status
            or lib.argand_nufft_set_points(plan[0], arrays)
            or wrap(arrays + 3, device, kind, rank + 1, dims, ffi.NULL, ffi.from_buffer(image))
            or wrap(arrays + 4, device, kind, 2, each, ffi.NULL, ffi.from_buffer(samples))
            or (lib.argand_nufft_adjoint if adjoint else lib.argand_nufft_apply)(plan[0], arrays[3 if adjoint else 4], arrays[4 if adjoint else 3])
        )
    finally:
        for i in (0, 1, 2, 3, 4):
            lib.argand_array_destroy(arrays[i])
        lib.argand_nufft_destroy(plan[0])
    return not status and watch.raised is None
