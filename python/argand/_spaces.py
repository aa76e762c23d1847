# SPDX-License-Identifier: BSD-3-Clause
"""Whose memory an array is: NumPy's on the host, or that of PyTorch, CuPy and whatever has __cuda_array_interface__, on the stream that its
caller uses."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._device import Device, get_device, is_open
from ._library import ffi, lib

TYPES: dict[Any, int] = {
    np.dtype(np.float32): lib.ARGAND_R32,
    np.dtype(np.float64): lib.ARGAND_R64,
    np.dtype(np.complex64): lib.ARGAND_C32,
    np.dtype(np.complex128): lib.ARGAND_C64,
}


class Space:
    """Whose arrays results are: NumPy's, on the host."""

    is_host = True

    def empty(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Any:
        return np.empty(tuple(shape), dtype)

    def operand(self, array: Any) -> Operand:
        return Operand(array, self)

    def result(self, like: Operand, shape: Sequence[int], dtype: np.dtype[Any]) -> Operand:
        """A new array of that shape for what is computed from `like`, which is of this space."""
        return self.operand(self.empty(shape, dtype))

    def host(self, array: Any) -> np.ndarray[Any, Any]:
        """As a NumPy array that shares memory."""
        return np.asarray(array)


def address(array: np.ndarray[Any, Any]) -> int:
    """Of the first element; by the buffer protocol where that serves, which is three times as fast. Not by .ctypes, which keeps objects."""
    if array.flags.c_contiguous and array.size:
        return int(ffi.cast("uintptr_t", ffi.from_buffer(array)))
    return int(array.__array_interface__["data"][0])


class Operand:
    """An array with its address: of host memory, or of a CUDA device's."""

    __slots__ = ("array", "dtype", "pointer", "shape", "space", "strides")

    def __init__(self, array: Any, space: Space) -> None:
        seen = space.host(array)
        self.array, self.space = array, space
        self.shape, self.dtype = seen.shape, seen.dtype
        size = seen.itemsize
        self.strides = tuple([s // size for s in seen.strides])
        self.pointer = address(seen)

    @property
    def is_contiguous(self) -> bool:
        wanted = 1
        for n, stride in zip(self.shape[::-1], self.strides[::-1]):  # noqa: B905
            if n != 1 and stride != wanted:
                return False
            wanted *= n
        return True


HOST = Space()


def _not_computed(array: np.ndarray[Any, Any]) -> str:
    """A type that is refused, and what to do."""
    dtype = array.dtype
    if dtype.kind in "fc":
        return f"{dtype}: x.astype(np.{'float64' if dtype.kind == 'f' else 'complex128'})"
    if dtype == object and not array.ndim:
        return f"{dtype} of {type(array[()]).__name__}: give an array or a list of numbers"
    if dtype == object and array.size:
        return f"{dtype} of {type(array.flat[0]).__name__}: np.asarray(x, np.float64) makes numbers of it, if it holds such"
    if dtype.names:
        return f"{dtype}: give one of its fields, x[{dtype.names[0]!r}]"
    return str(dtype)


def computable(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """float32, float64, complex64 or complex128, in the machine's byte order, aligned; itself where it is that already."""
    dtype = array.dtype
    if dtype not in TYPES:
        if dtype.kind in "biu":
            dtype = np.dtype(np.float64)
        elif dtype.kind == "f" and dtype.itemsize == 2:
            dtype = np.dtype(np.float32)
        else:
            dtype = dtype.newbyteorder("=")
        if dtype not in TYPES:
            raise TypeError(f"argand computes float32, float64, complex64 and complex128, not {_not_computed(array)}")
        return array.astype(dtype)
    if not array.dtype.isnative:  # equal to a native one, but of the other byte order
        return array.astype(dtype.newbyteorder("="))
    flags = array.flags
    if flags.aligned and flags.c_contiguous:
        return array
    if not flags.aligned or any(s % array.itemsize for s in array.strides):
        return array.copy()
    return array


class TorchHost(Space):
    """Tensors in the host's memory, which NumPy sees without a copy."""

    def empty(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Any:
        return _torch().from_numpy(np.empty(tuple(shape), dtype))

    def host(self, array: Any) -> np.ndarray[Any, Any]:
        return _plain(array).numpy()  # type: ignore[no-any-return]

    def from_host(self, array: np.ndarray[Any, Any]) -> Any:
        return _torch().from_numpy(array)


class CudaSpace(Space):
    """Memory of one CUDA device, and the stream in which its users work."""

    is_host = False

    def __init__(self, index: int, stream: int, keep: object) -> None:
        self.index, self.stream, self._keep = index, stream, keep

    def operand(self, array: Any) -> Operand:
        return CudaOperand(array, self)

    def device(self, asked: Device | str | None) -> Device:
        """The device where the array is, of its caller's stream: what several streams do there may overlap."""
        if isinstance(asked, Device):
            return asked
        name = self._named(asked)
        if not is_open(name, self.stream) and self.is_captured():
            return get_device(name)  # nothing can be made now
        return get_device(name, self.stream, self._keep)

    def home(self, asked: Device | str | None) -> Device:
        return asked if isinstance(asked, Device) else get_device(self._named(asked))

    @property
    def key(self) -> tuple[int, int]:
        """The same for all that work on this device in this stream."""
        return self.index, self.stream

    def _named(self, asked: str | None) -> str:
        if asked not in (None, "cuda", f"cuda:{self.index}"):
            raise ValueError(f"the array is on cuda:{self.index}, not on {asked}: move it there first")
        return f"cuda:{self.index}"

    def lead(self, device: Device) -> None:
        """The device works in this stream from now on."""
        if device.info.backend != "cuda" or _index(device) != self.index:
            raise ValueError(f"an array is on cuda:{self.index}, and the work on {device.name}: move it there first")
        if device.stream != self.stream:
            device.follow(self.stream, self._keep)

    def is_captured(self) -> bool:
        """Whether the caller's stream becomes a CUDA graph, in which nothing can be waited for."""
        raise NotImplementedError

    def cast(self, array: Any, dtype: np.dtype[Any]) -> Any:
        raise NotImplementedError


class TorchCuda(CudaSpace):
    def operand(self, array: Any) -> Operand:
        return TorchOperand(array, self)

    def empty(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Any:
        torch = _torch()
        return torch.empty(tuple(shape), dtype=getattr(torch, _NAMES[dtype]), device=f"cuda:{self.index}")

    def result(self, like: Operand, shape: Sequence[int], dtype: np.dtype[Any]) -> Operand:
        """Made by the tensor, in half of empty's time."""
        if dtype is not like.dtype or type(like.array) is not _torch().Tensor:
            return super().result(like, shape, dtype)
        same = tuple(shape) == like.shape and like.is_contiguous
        return TorchOperand(_torch().empty_like(like.array) if same else like.array.new_empty(tuple(shape)), self)

    def cast(self, array: Any, dtype: np.dtype[Any]) -> Any:
        return array.to(getattr(_torch(), dtype.name))

    def is_captured(self) -> bool:
        return bool(_torch().cuda.is_current_stream_capturing())


class CupyCuda(CudaSpace):
    def operand(self, array: Any) -> Operand:
        return CupyOperand(array, self)

    def empty(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Any:
        import cupy

        if cupy.cuda.runtime.getDevice() == self.index:
            return cupy.empty(tuple(shape), dtype)
        with cupy.cuda.Device(self.index):
            return cupy.empty(tuple(shape), dtype)

    def cast(self, array: Any, dtype: np.dtype[Any]) -> Any:
        return array.astype(dtype)

    def is_captured(self) -> bool:
        import cupy

        return bool(cupy.cuda.get_current_stream().is_capturing())


class CudaOperand(Operand):
    """By __cuda_array_interface__ (version 3), whose stream is waited for where it is another one than the caller's."""

    __slots__ = ()

    def __init__(self, array: Any, space: CudaSpace) -> None:
        seen = (_plain(array) if _is_torch(array) else array).__cuda_array_interface__
        dtype = np.dtype(seen["typestr"])
        if dtype not in TYPES or not dtype.isnative:
            array, dtype = self._computable(array, dtype, space)
            seen = array.__cuda_array_interface__
        self.array, self.space = array, space
        self.shape, self.dtype = tuple(seen["shape"]), dtype
        self.strides = _steps(seen.get("strides"), self.shape, self.dtype.itemsize)
        self.pointer = seen["data"][0]

    @staticmethod
    def _computable(array: Any, dtype: np.dtype[Any], space: CudaSpace) -> tuple[Any, np.dtype[Any]]:
        """As on the host: whole numbers become double, halves single."""
        if dtype.kind not in "biu" and dtype != np.float16:
            raise TypeError(f"argand computes float32, float64, complex64 and complex128, not {dtype}")
        wider = np.dtype(np.float32 if dtype == np.float16 else np.float64)
        return space.cast(array, wider), wider


class TorchOperand(CudaOperand):
    """What tensors say themselves, in a third of the time that their __cuda_array_interface__ takes."""

    __slots__ = ()

    def __init__(self, array: Any, space: CudaSpace) -> None:
        dtype = _torch_types().get(array.dtype)
        if dtype is None or array.is_conj() or array.is_neg():
            super().__init__(array, space)
            return
        self.array, self.space, self.dtype = array, space, dtype
        self.shape, self.strides, self.pointer = tuple(array.shape), array.stride(), array.data_ptr()


class CupyOperand(CudaOperand):
    """The same of CuPy's arrays."""

    __slots__ = ()

    def __init__(self, array: Any, space: CudaSpace) -> None:
        if array.dtype not in TYPES or not array.dtype.isnative:
            super().__init__(array, space)
            return
        self.array, self.space, self.dtype, size = array, space, array.dtype, array.itemsize
        self.shape, self.strides, self.pointer = array.shape, tuple([s // size for s in array.strides]), array.data.ptr


_NAMES = {dtype: dtype.name for dtype in TYPES}  # asking for a name takes microseconds


@functools.cache
def _torch_types() -> dict[Any, np.dtype[Any]]:
    return {getattr(_torch(), name): dtype for dtype, name in _NAMES.items()}


def _index(device: Device) -> int:
    """Of "cuda:1": 1; of names without a number: 0."""
    number = device.name.partition(":")[2]
    return int(number) if number.isdigit() else 0


def _steps(strides: Any, shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Strides in elements; None means C order."""
    if strides is not None:
        return tuple(s // size for s in strides)
    steps, step = [], 1
    for n in reversed(shape):
        steps.append(step)
        step *= n
    return tuple(reversed(steps))


def _torch() -> Any:
    return sys.modules["torch"]


def _is_torch(x: Any) -> bool:
    return "torch" in sys.modules and isinstance(x, _torch().Tensor)


def _plain(tensor: Any) -> Any:
    """Without what autograd and lazy conjugation add to it."""
    return tensor.detach().resolve_conj().resolve_neg()


_TORCH_HOST = TorchHost()


PER_THREAD = 2  # cudaStreamPerThread: one name for as many streams as there are threads
_its_thread: dict[int, int] = {}


def _cupy_space(x: Any) -> CudaSpace:
    import cupy

    stream = cupy.cuda.get_current_stream()
    if stream.ptr == PER_THREAD and _its_thread.setdefault(PER_THREAD, threading.get_ident()) != threading.get_ident():
        raise TypeError("the per-thread default stream serves one thread here: in others, use cupy.cuda.Stream(non_blocking=True)")
    index = x.device.id if hasattr(x, "device") and hasattr(x.device, "id") else cupy.cuda.Device().id
    return CupyCuda(index, stream.ptr, stream)


def adopt(x: Any) -> Operand:
    """An array of another library."""
    if _is_torch(x):
        return _torch_operand(x)
    if type(x).__module__.split(".")[0] != "cupy":
        x = _adopted(x)
        if _is_torch(x):
            return _torch_operand(x)
    return _cupy_space(x).operand(x)


def _adopted(x: Any) -> Any:
    """Without a copy, as CuPy's, else PyTorch's: memory that is ready for what follows in the current stream."""
    named = hasattr(x, "__cuda_array_interface__")
    try:
        import cupy

        return cupy.asarray(x) if named else cupy.from_dlpack(x)
    except ImportError:
        pass
    try:
        import torch

        return torch.as_tensor(x, device="cuda") if named else torch.from_dlpack(x)
    except ImportError:
        raise TypeError(f"results of {type(x).__name__}, which is on a GPU, are CuPy's or PyTorch's: install one of them") from None


def _widened(x: Any, torch: Any) -> Any:
    """What NumPy has no name for, as the next wider type."""
    if x.dtype == torch.bfloat16:
        return x.to(torch.float32)
    return x.to(torch.complex64) if x.dtype == getattr(torch, "complex32", None) else x


_spaces: dict[tuple[int, int], TorchCuda] = {}
_MOST_SPACES = 64


def _torch_space(index: int) -> TorchCuda:
    """Of the stream that is the current one; by its number alone where PyTorch tells that, as its object takes 7 microseconds."""
    torch = _torch()
    number = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    found = None if number is None else _spaces.get((index, number(index)))
    if found is None:
        stream = torch.cuda.current_stream(index)
        found = TorchCuda(index, stream.cuda_stream, stream)
        if len(_spaces) >= _MOST_SPACES:
            _spaces.clear()
        _spaces[found.key] = found
    return found


def _torch_operand(x: Any) -> Operand:
    torch = _torch()
    if x.requires_grad and torch.is_grad_enabled():
        raise TypeError("gradients do not flow through this call: use argand.torch, or x.detach()")
    if x.layout != torch.strided:
        raise TypeError(f"a dense tensor is needed, not {x.layout}: x.to_dense()")
    x = _widened(x.resolve_conj().resolve_neg(), torch)
    if x.is_cuda:
        return _torch_space(x.get_device()).operand(x)
    if x.device.type != "cpu":
        raise TypeError(f"tensors on {x.device} are not supported: move them to the cpu or to cuda")
    array = _TORCH_HOST.host(x)
    ready = computable(array)
    return _TORCH_HOST.operand(x if ready is array else _TORCH_HOST.from_host(ready))

