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
COPIED = 1 << 16  # up to so many bytes, a copy of an array in another order costs less than a plan


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
            is_plain = flags.c_contiguous and flags.aligned
            if not is_plain and 0 < x.nbytes <= COPIED and not x.dtype.hasobject:
                x = self.x = x.copy("C")
                is_plain = True
            if is_plain:
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


# ---- NUFFTs of one call on the host: arrays in C order go to the library as they lie, in one call. Small transforms take as long as making
# what a call needs, so that nothing is made here that the library does not read. ----

_POINTS, _ADDRESS = ffi.typeof("argand_nufft_points *"), ffi.typeof("char *")
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


def is_plain(array: Any, types: dict[Any, Any]) -> bool:
    """Returns True for a NumPy array in C order, with elements of one of these types: the library takes its memory as it is."""
    if type(array) is not np.ndarray:
        return False
    flags, dtype = array.flags, array.dtype
    return bool(flags.c_contiguous and flags.aligned and array.size and dtype in types and dtype.isnative)


def _points(points: np.ndarray[Any, Any], rank: int, count: int) -> Any:
    """Returns the library's view of positions (..., rank), whose last axis has the order (z, y, x)."""
    at, size = ffi.cast(_ADDRESS, ffi.from_buffer(points)), points.itemsize
    k = (at,) if rank == 1 else (at + size, at) if rank == 2 else (at + 2 * size, at + size, at)
    return ffi.new(_POINTS, (TYPES[points.dtype], count, k, rank))


def _succeeded(status: int) -> bool:
    return not status and watch.raised is None


def nufft(
    adjoint: bool, x: Any, points: Any, shape: tuple[int, ...] | None, real: bool, conventions: tuple[Any, ...], options: Any
) -> Any:  # fmt: skip
    """Returns the samples of images x, or (adjoint) the images of samples x. Returns None if an array has to be converted first, or if the
    library refuses the call: nufft1 and nufft2 then make an operator, which raises the error. options(rank, shape, dtype, real) makes the
    library's options."""
    if not watch.set or not is_plain(points, COMPLEX) or not is_plain(x, REAL if adjoint else TYPES):
        return None
    many = points.shape
    rank = many[-1] if len(many) > 1 else 1
    where = many[:-1] if len(many) > 1 else many
    n = x.shape[x.ndim - rank :] if shape is None else shape
    if len(n) != rank or min(n) < 1 or (adjoint and x.shape[x.ndim - len(where) :] != where):
        return None
    given = x.dtype
    kind = COMPLEX.get(given, given)
    known = _remember((rank, n, given, real, *conventions), lambda: options(rank, n, kind, real or given is not kind))
    if known is None:
        return None
    batch = x.shape[: x.ndim - len(where if adjoint else n)]
    result = np.empty((*batch, *(n if adjoint else where)), REAL[kind] if real else kind)
    if not result.size:
        return None
    function = lib.argand_nufft_type1 if adjoint else lib.argand_nufft_type2
    positions = _points(points, rank, math.prod(where))
    status = function(get_device("cpu")._handle, ffi.from_buffer(result), ffi.from_buffer(x), math.prod(batch), positions, known)
    return result if _succeeded(status) else None


def nufft3(x: Any, sources: Any, targets: Any, key: tuple[Any, ...], options: Any) -> Any:
    """Returns the samples of strengths x at targets, or None as nufft() does. options(rank, dtype) makes the library's options for `key`."""
    if not watch.set or not is_plain(sources, COMPLEX) or not is_plain(targets, COMPLEX) or not is_plain(x, REAL):
        return None
    where, to = (many[:-1] if len(many) > 1 else many for many in (sources.shape, targets.shape))
    rank = sources.shape[-1] if sources.ndim > 1 else 1
    if rank > 3 or rank != (targets.shape[-1] if targets.ndim > 1 else 1) or x.shape[x.ndim - len(where) :] != where:
        return None
    known = _remember((rank, x.dtype, *key), lambda: options(rank, x.dtype))
    if known is None:
        return None
    batch = x.shape[: x.ndim - len(where)]
    result = np.empty((*batch, *to), x.dtype)
    given = (_points(sources, rank, math.prod(where)), _points(targets, rank, math.prod(to)))
    status = lib.argand_nufft_type3(get_device("cpu")._handle, ffi.from_buffer(result), ffi.from_buffer(x), math.prod(batch), *given, known)
    return result if _succeeded(status) else None
