# SPDX-License-Identifier: BSD-3-Clause
"""Transforms that were asked for before: arrays in C order go straight to the plan that served their like, NUFFTs with its options."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _arrays
from ._arrays import COMPLEX, REAL, TYPES, Operand
from ._device import Device, get_device
from ._library import call, ffi, lib, watch

MOST = 128


class Request:
    """A call as its user made it. `key` is None where no other call can be like it: arrays that are not in C order, `out`, a device, and
    tensors in the host's memory."""

    __slots__ = ("_operand", "cast", "key", "padding", "taken", "x")

    def __init__(self, kind: str, x: Any, s: Any, axes: Any, norm: Any, centred: bool, out: Any, device: Any) -> None:
        self._operand: Operand | None = None
        self.key: Any = None
        self.padding: tuple[tuple[int, ...], tuple[slice, ...]] | None = None
        self.cast: np.dtype[Any] | None = None
        self.taken: Any = None
        if type(x) is not np.ndarray:
            self._operand = seen = _arrays.foreign(x)
            if seen is None and _arrays.is_foreign(x):
                x = np.from_dlpack(x)
            elif seen is not None and not seen.space.is_host and out is None and device is None and seen.is_contiguous:
                self.key = (kind, seen.shape, seen.dtype, s, axes, norm, centred, seen.space.key)  # type: ignore[attr-defined]
        self.x = x
        if type(x) is np.ndarray and out is None and device is None:
            flags = x.flags
            if flags.c_contiguous and flags.aligned:
                self.key = (kind, x.shape, x.dtype, s, axes, norm, centred)

    def operand(self) -> Operand:
        """The array as something that can be computed with."""
        if self._operand is None:
            self._operand = _arrays.operand(self.x)
        return self._operand

    def converted(self, x: Operand, to: Operand) -> Operand:
        """`to`, which is x in another type; the next call like this one converts alone."""
        if to is not x and x.array is self.x and type(self.x) is np.ndarray:
            self.taken, self.cast = to.array, to.dtype
        return to

    def resized(self, x: Operand, to: Operand) -> Operand:
        """`to`, which is x cropped or padded; likewise. Memory that was cropped begins at the same place."""
        if to is not x and x.array is (self.x if self.taken is None else self.taken) and type(self.x) is np.ndarray:
            self.taken = to.array
            if to.pointer != x.pointer:
                self.padding = (to.shape, tuple(slice(0, min(n, m)) for n, m in zip(x.shape, to.shape, strict=True)))
        return to


class Ready:
    """A plan for arrays of one shape."""

    __slots__ = ("_apply", "_cast", "_device", "_direction", "_dtype", "_padding", "_plan", "_shape")

    def __init__(self, device: Device, plan: Any, direction: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self._device, self._plan, self._direction, self._shape, self._dtype = device, plan, direction, shape, dtype
        self._apply = lib.argand_fft_apply_memory
        self._padding: tuple[tuple[int, ...], tuple[slice, ...]] | None = None
        self._cast: np.dtype[Any] | None = None

    def run(self, request: Request) -> np.ndarray[Any, Any]:
        given = request.x
        if type(given) is np.ndarray:
            out: np.ndarray[Any, Any] = np.empty(self._shape, self._dtype)
            if self._cast is not None:
                given = given.astype(self._cast)
            if self._padding is not None:
                given = self._pad(given)
            call(self._apply, self._plan, ffi.from_buffer(out), ffi.from_buffer(given), self._direction)
            return out
        operand = request.operand()
        with self._device.turn:
            to = operand.space.result(operand, self._shape, self._dtype)
            _arrays.reached(operand, self._device)
            call(self._apply, self._plan, ffi.cast("void *", to.pointer), ffi.cast("void *", operand.pointer), self._direction)
        return to.array  # type: ignore[no-any-return]

    def _pad(self, given: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        assert self._padding is not None
        shape, part = self._padding
        padded = np.zeros(shape, given.dtype)
        padded[part] = given[part]
        return padded

    def keep(self, request: Request) -> None:
        self._padding, self._cast = request.padding, request.cast
        if len(_ready) >= MOST:
            _ready.clear()
        _ready[request.key] = self


_ready: dict[Any, Ready] = {}


def find(request: Request) -> Ready | None:
    """What served a call like this one before."""
    if request.key is None:
        return None
    try:
        return _ready.get(request.key)
    except TypeError:  # axes as a list
        request.key = None
        return None


def keep(request: Request, taken: Any, ready: Ready) -> None:
    """For the calls to come, where the array was `taken` as it came, converted, cropped or padded."""
    if request.key is None:
        return
    given = request.x if type(request.x) is np.ndarray else request.operand().array
    if taken is (given if request.taken is None else request.taken):
        ready.keep(request)


# ---- NUFFTs of one call on the host: arrays in C order go to the library as they lie. Small transforms take as long as making what a call
# needs, so that nothing is made here that the library does not read. ----

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


def nufft(adjoint: bool, x: Any, points: Any, shape: tuple[int, ...] | None, conventions: tuple[Any, ...], options: Any) -> Any:
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
    return result if result.size and _run_nufft(adjoint, x, result, points, known, rank, count, vectors, given.shape[len(batch) :]) else None


def _run_nufft(adjoint: bool, x: Any, result: Any, points: Any, options: Any, rank: int, count: int, vectors: int, n: tuple[int, ...]) -> bool:
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
