# SPDX-License-Identifier: BSD-3-Clause
"""Transforms that were asked for before: arrays in C order go straight to the plan that served their like."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _arrays
from ._arrays import Operand
from ._device import Device
from ._library import call, ffi, lib

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
