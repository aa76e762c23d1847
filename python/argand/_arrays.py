# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of NumPy, CuPy and PyTorch as the C library sees them, without copies where that is possible.

NumPy names the slowest axis first, the C library the fastest: shape (coils, ny, nx) is {nx, ny, coils} there, the same memory.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _spaces
from ._device import Device, get_device
from ._library import call, ffi, lib, make
from ._spaces import HOST as HOST
from ._spaces import TYPES as TYPES
from ._spaces import Operand as Operand
from ._spaces import Space as Space
from ._spaces import address as address
from ._spaces import computable as computable

STORAGE: dict[Any, int] = {np.dtype(np.float16): lib.ARGAND_R16, np.dtype(np.uint8): lib.ARGAND_U8}  # kept, not computed with
DTYPES: dict[int, Any] = {number: dtype for dtype, number in TYPES.items()}
COMPLEX: dict[Any, Any] = {np.dtype(np.float32): np.dtype(np.complex64), np.dtype(np.float64): np.dtype(np.complex128)}
REAL: dict[Any, Any] = {complex_: real for real, complex_ in COMPLEX.items()}
MOST_AXES = 8


def _number(dtype: Any) -> int:
    return TYPES[dtype] if dtype in TYPES else STORAGE[dtype]


def computed(dtype: Any) -> np.dtype[Any]:
    """A user's dtype, which is one that can be computed with."""
    found: np.dtype[Any] = np.dtype(dtype)
    if found not in TYPES:
        raise TypeError(f"dtype is float32, float64, complex64 or complex128, not {found}")
    return found


def as_complex(dtype: Any) -> Any:
    """complex64 of float32, complex128 of float64; others as they are."""
    return COMPLEX.get(dtype, dtype)


def as_real(dtype: Any) -> Any:
    return REAL.get(dtype, dtype)


def operand(x: Any) -> Operand:
    """Whatever a user gives, as something that can be computed with."""
    if type(x) is not np.ndarray:
        found = foreign(x)
        if found is not None:
            return found
        if isinstance(x, (str, os.PathLike)):
            raise TypeError(f"an array is needed, not {x!r}: argand.read reads a file")
        x = as_array(x)
    return Operand(computable(x), HOST)


def hides(x: Any) -> bool:
    """A masked array whose mask hides elements, also as a row of a list, whose mask NumPy drops."""
    if isinstance(x, (list, tuple)):
        return any(hides(row) for row in x if isinstance(row, (list, tuple, np.ma.MaskedArray)))
    return isinstance(x, np.ma.MaskedArray) and bool(np.ma.is_masked(x))


def refuse_mask(x: Any) -> None:
    """Refuses a mask that hides elements: argand would compute with them."""
    if hides(x):
        raise ValueError("a masked array hides elements, which argand would compute with: fill them first, x.filled(0)")


def foreign(x: Any) -> Operand | None:
    """Of a tensor or array of another library; None: NumPy takes it."""
    kind = type(x)
    is_cupy = kind.__name__ == "ndarray" and kind.__module__ == "cupy"
    if is_cupy or kind.__module__.partition(".")[0] == "torch" or is_on_gpu(x):
        return _spaces.adopt(x)
    return None


_DLPACK_CUDA = 2  # kDLCUDA, a device's own memory


def is_on_gpu(x: Any) -> bool:
    """CUDA memory, as its owner says."""
    if hasattr(x, "__cuda_array_interface__"):
        return True
    return not hasattr(x, "__array__") and hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] == _DLPACK_CUDA


def is_foreign(x: Any) -> bool:
    """In the host's memory, and only DLPack brings it here."""
    return not hasattr(x, "__array__") and hasattr(x, "__dlpack__") and not is_on_gpu(x)


def as_array(x: Any) -> np.ndarray[Any, Any]:
    """NumPy's, by DLPack where there is nothing else."""
    if is_foreign(x):
        return np.from_dlpack(x)
    if type(x) is not np.ndarray and (is_on_gpu(x) or getattr(getattr(x, "device", None), "type", "cpu") == "cuda"):
        raise TypeError("an array in the host's memory is needed here: x.cpu() of PyTorch, x.get() of CuPy bring it")
    refuse_mask(x)
    return np.asarray(x)


def convert(x: Operand, dtype: np.dtype[Any]) -> Operand:
    """In that type, by a copy where it has another one; from complex to real is refused."""
    if x.dtype == dtype:
        return x
    if x.dtype.kind == "c" and dtype.kind != "c":
        raise TypeError(f"a real array is needed, not {x.dtype}")
    if not x.space.is_host:
        return x.space.operand(x.space.cast(x.array, dtype))  # type: ignore[attr-defined]
    return x.space.operand(_same_kind(x, x.space.host(x.array).astype(dtype)))


def contiguous(x: Operand) -> Operand:
    """In C order, by a copy where it is not."""
    if x.is_contiguous:
        return x
    if not x.space.is_host:
        return x.space.operand(x.array.contiguous() if hasattr(x.array, "contiguous") else x.array.copy())
    return x.space.operand(_same_kind(x, np.ascontiguousarray(x.space.host(x.array))))


def _same_kind(x: Operand, array: np.ndarray[Any, Any]) -> Any:
    return array if x.space is HOST else x.space.from_host(array)  # type: ignore[attr-defined]


def place(x: Operand, device: Device | str | None) -> Device:
    """The device that computes, once: the one that is named, else where the array is, of its owner's stream."""
    if x.space.is_host:
        return get_device("cpu" if device is None else device)
    return x.space.device(device)  # type: ignore[attr-defined, no-any-return]


def home(x: Operand, device: Device | str | None) -> Device:
    """The device of what lasts, which follows its callers from stream to stream."""
    if x.space.is_host:
        return get_device("cpu" if device is None else device)
    return x.space.home(device)  # type: ignore[attr-defined, no-any-return]


def wrap(
    device: Device, pointer: int, dtype: np.dtype[Any], shape: Sequence[int], strides: Sequence[int] | None, keep: object = None
) -> Any:
    """An argand_array of memory that is the caller's; `keep` lives as long as it."""
    rank = len(shape)
    dims = ffi.new("int64_t[]", shape[::-1])
    steps = ffi.NULL if strides is None else ffi.new("int64_t[]", strides[::-1])
    where = ffi.new("argand_array **")
    call(lib.argand_array_wrap, where, device._handle, _number(dtype), rank, dims, steps, ffi.cast("void *", pointer))
    if keep is None:
        return ffi.gc(where[0], lib.argand_array_destroy)

    def destroy(array: Any, keep: object = keep) -> None:
        lib.argand_array_destroy(array)

    return ffi.gc(where[0], destroy)


def create(device: Device, dtype: np.dtype[Any], shape: Sequence[int]) -> Any:
    """A new argand_array of the device's own memory."""
    dims = ffi.new("int64_t[]", list(shape)[::-1])
    return make(
        lib.argand_array_create, "argand_array", lib.argand_array_destroy, device._handle, _number(dtype), len(shape), dims
    )


def reached(x: Operand, device: Device) -> bool:
    """The device reads the array where it is, from now on in the stream of its owner. What is on a GPU is refused by other devices."""
    if x.space.is_host:
        return device.info.host_addressable
    x.space.lead(device)  # type: ignore[attr-defined]
    return True


def to_device(x: Operand, device: Device) -> Any:
    """The array as the device reads it: wrapped where it can reach it, else copied there."""
    if reached(x, device):
        return wrap(device, x.pointer, x.dtype, x.shape, None if x.is_contiguous else x.strides, keep=x)
    handle = create(device, x.dtype, x.shape)
    flat = contiguous(x)
    call(lib.argand_array_upload, handle, ffi.cast("void *", flat.pointer))
    return handle


def copied(x: Operand, device: Device) -> Any:
    """The array in memory of the library's own, which lives as long as whatever the library makes of it."""
    flat = contiguous(x)
    with device.turn:
        handle = create(device, x.dtype, x.shape)
        if x.space.is_host:
            call(lib.argand_array_upload, handle, ffi.cast("void *", flat.pointer))
        else:
            call(lib.argand_array_copy, handle, to_device(flat, device))
    return handle


class Place:
    """Where a result goes: `operand` is written, finish() gives the user's array, after a copy where the library cannot write that itself."""

    __slots__ = ("_array", "operand")

    def __init__(self, x: Operand, shape: Sequence[int], dtype: np.dtype[Any], out: Any = None, *, contiguous: bool = False) -> None:
        if out is None:
            self.operand = x.space.result(x, shape, dtype)
            self._array = self.operand.array
            return
        self.operand, self._array = check_out(out, shape, dtype, x), out
        if contiguous and not self.operand.is_contiguous:
            self.operand = self.operand.space.operand(self.operand.space.empty(shape, dtype))

    def finish(self) -> np.ndarray[Any, Any]:
        if self.operand.array is not self._array:
            self._array[...] = self.operand.array
        return self._array  # type: ignore[no-any-return]


class Output:
    """A Place and its `handle` for the library on that device."""

    __slots__ = ("_place", "_staged", "handle")

    def __init__(self, x: Operand, device: Device, shape: Sequence[int], dtype: np.dtype[Any]) -> None:
        self._place = Place(x, shape, dtype)
        self._staged = not reached(self._place.operand, device)
        self.handle = create(device, dtype, shape) if self._staged else to_device(self._place.operand, device)

    def finish(self) -> np.ndarray[Any, Any]:
        if self._staged:
            call(lib.argand_array_download, self.handle, ffi.cast("void *", self._place.operand.pointer))
        return self._place.finish()


def check_out(out: Any, shape: Sequence[int], dtype: np.dtype[Any], x: Operand) -> Operand:
    """What is written for `out`: its own memory, or new memory that is copied to it, where the library cannot write there. x: the input."""
    where = _numpy_out(out, dtype) if isinstance(out, np.ndarray) else _foreign_out(out)
    if where.shape != tuple(shape) or where.dtype != dtype:
        raise ValueError(f"out has shape {where.shape} of {where.dtype}, and {tuple(shape)} of {dtype} is needed")
    if where.space.is_host != x.space.is_host:
        raise ValueError("out and the input are not both in the host's memory or both on the GPU: move one of them")
    return where


def _numpy_out(out: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> Operand:
    """Elements that are not aligned, or whose distances are no multiple of their size (a field of records), are written by a copy."""
    if not out.flags.writeable:
        raise ValueError("out is read-only")
    if hides(out):
        raise ValueError("out is a masked array that hides elements, which would be written to: give out.data")
    if not out.dtype.isnative and out.dtype.newbyteorder("=") == dtype:
        raise TypeError(f"out has the type {out.dtype}, but must have {dtype} in the machine's byte order")
    plain = np.asarray(out)
    fits = plain.flags.aligned and not any(s % plain.itemsize for s in plain.strides)
    where = Operand(plain if fits else np.empty(out.shape, out.dtype), HOST)
    if fits:
        where.array = out
    return where


def _foreign_out(out: Any) -> Operand:
    where = foreign(out)
    if where is None:
        raise TypeError(f"out must be an array that can be written to, not a {type(out).__name__}")
    if getattr(out, "dtype", None) != getattr(where.array, "dtype", None):  # converted, as an input would be
        raise TypeError(f"out has the type {out.dtype}, but the result has another")
    return where


def fetch(handle: Any) -> np.ndarray[Any, Any]:
    """An argand_array as a new NumPy array."""
    rank = lib.argand_array_rank(handle)
    shape = [lib.argand_array_dim(handle, axis) for axis in range(rank)][::-1]
    result: np.ndarray[Any, Any] = np.empty(shape, DTYPES[lib.argand_array_type(handle)])
    call(lib.argand_array_download, handle, ffi.cast("void *", address(result)))
    return result


def give(x: Any, device: Device, dtype: np.dtype[Any] | None = None) -> Any:
    """A user's array on the device, contiguous; NULL of None."""
    if x is None:
        return ffi.NULL
    seen = operand(x)
    return to_device(contiguous(seen if dtype is None else convert(seen, dtype)), device)


def sizes(shape: Any, name: str = "shape") -> tuple[int, ...]:
    """A shape as a user gives it: whole numbers, or one for one axis."""
    try:
        whole = tuple(operator.index(n) for n in ([shape] if np.ndim(shape) == 0 else shape))
    except TypeError:
        if name == "axes" and np.ndim(shape) > 0 and len(shape) == 1:
            raise TypeError(f"axes: whole numbers are needed, not {shape[0]!r}") from None
        raise TypeError(f"{name}: whole numbers are needed, as (ny, nx), not {shape!r}") from None
    if any(abs(n) >= 1 << 62 for n in (*whole, count(whole))):
        raise ValueError(f"{name}: {shape!r} is more than any memory holds")
    return whole


def numbers(x: Any, name: str, *, real: bool = False) -> np.ndarray[Any, Any]:
    """A user's array on the host, of numbers of any type, or of real ones."""
    seen = as_array(x)
    if seen.dtype.kind not in "biufc":
        raise TypeError(f"{name}: numbers are needed, not {seen.dtype}")
    if real and seen.dtype.kind == "c":
        raise TypeError(f"{name}: real numbers are needed, not {seen.dtype}")
    return seen


def broadcast(name: str, x: Any, shape: tuple[int, ...]) -> Any:
    """NumPy's broadcast_to, which says what does not fit."""
    try:
        return np.broadcast_to(x, shape)
    except ValueError:
        raise ValueError(f"{name} has the shape {shape}, or one that repeats to it, not {np.shape(x)}") from None


def count(shape: Sequence[int]) -> int:
    return math.prod(shape)
