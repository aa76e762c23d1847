# SPDX-License-Identifier: BSD-3-Clause
"""Transforms that do something with each element as they read and write it, without a pass of its own (cuFFT: callbacks)."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _arrays, _html
from ._options import BORDERS
from ._device import Device
from ._library import Held, call, choose, encoded, ffi, lib, make, printed, struct
from ._op import complex_dtype, operator_device
from ._recipe import Unknown, remembered
from ._types import Array, ArrayLike, Border, DTypeLike, GPUArray, OperatorNorm

_FUNCTION = re.compile(r"struct\s+pair\s+(\w+)\s*\(\s*struct\s+pair\b")
Function = Callable[..., Any]


class Call(_html.Described):
    """A function of one's own that each element goes through: `source` on CUDA and OpenCL devices, `function` on the CPU.

    source      text in the language of the kernels, C without headers, with a function
                    DEVICE struct pair NAME(struct pair v, struct pair mirror, struct access_point at)
                that returns the new element. v.re, v.im: the element; at.i[a]: its place along axis a, the last axis of the array first
                (0 is x), then the batch's; at.p[j]: parameters; at.data: `data`'s reals
    name        the function's; the first one of that form where it is not said
    function    function(values, place, parameters): values, a complex array of neighbours along one axis, is changed in place; place has an
                index for each axis in NumPy's order (the batch's first), of which one is an array. It may be called from other threads
    parameters  up to 8 numbers; `.parameters` may be others at each call of a transform
    data        an array of any shape for the function on devices, in the transform's precision
    mirror      at the spectrum: X[-k] is given too, as `mirror` (function(values, place, parameters, mirror))

    >>> half = argand.Call(function=lambda v, place, p: np.multiply(v, p[0], out=v), parameters=[0.5])
    >>> argand.Transform((4,), load=[half])([2, 0, 0, 0])
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """

    def __init__(
        self, source: str | None = None, name: str | None = None, *, function: Function | None = None, parameters: Sequence[float] = (),
        data: ArrayLike | None = None, mirror: bool = False,
    ) -> None:  # fmt: skip
        if source is None and function is None:
            raise ValueError("a call needs the source of a function (for devices), a function (for the CPU), or both")
        if source is not None and name is None:
            found = _FUNCTION.search(source)
            if found is None:
                raise ValueError("source has no function: DEVICE struct pair NAME(struct pair v, struct pair mirror, struct access_point at)")
            name = found[1]
        self.source, self.name, self.function, self.data, self.mirror = source, name, function, data, mirror
        self.parameters = parameters

    @property
    def parameters(self) -> tuple[float, ...]:
        """Numbers that the function is given, as they are when a transform is called."""
        return self._parameters

    @parameters.setter
    def parameters(self, numbers: Sequence[float]) -> None:
        given = tuple(float(x) for x in numbers)
        if len(given) > lib.ARGAND_ACCESS_PARAMETERS:
            raise ValueError(f"{len(given)} parameters, and at most {lib.ARGAND_ACCESS_PARAMETERS} are possible")
        self._parameters = given

    def _describe(self) -> list[tuple[str, str]]:
        places = [*(["the CPU"] if self.function is not None else []), *(["CUDA and OpenCL devices"] if self.source is not None else [])]
        return [("function", str(self.name or getattr(self.function, "__name__", ""))), ("for", " and ".join(places)), ("parameters", str(self.parameters))]


Accessor = complex | ArrayLike | Call


class _End:
    """The arrays at one end of a transform: their shape, how they lie on its points, what their elements are stored as."""

    def __init__(
        self, shape: Any, first: Any, border: str, stored: Any, whole: tuple[int, ...], batch: tuple[int, ...], dtype: np.dtype[Any], name: str
    ) -> None:  # fmt: skip
        inner = whole if shape is None else _arrays.sizes(shape, f"{name}_shape")
        at = [0] * len(whole) if first is None else list(_arrays.sizes(first, f"{name}_first"))
        if len(inner) != len(whole) or len(at) != len(whole) or any(not 1 <= n <= m for n, m in zip(inner, whole, strict=True)):
            raise ValueError(f"{name}: shape {inner} and first {tuple(at)} are not windows of a transform of shape {whole}")
        self.shape = (*batch, *inner)
        self.flat = (_arrays.count(batch), *inner) if batch else inner
        self.dtype = dtype if stored is None else np.dtype(stored)
        if self.dtype != dtype and self.dtype not in (*_arrays.STORAGE, _arrays.as_real(dtype)):
            raise TypeError(f"{name}_dtype is {dtype}, its reals, float16 or uint8, not {self.dtype}")
        rule = choose(BORDERS, border, "border")
        self.layout: dict[str, Any] = {} if self.dtype == dtype else {"type": {**_arrays.TYPES, **_arrays.STORAGE}[self.dtype]}
        if shape is not None or first is not None:
            windows = [{"count": n, "first": i, "border": rule} for n, i in zip(inner, at, strict=True)]
            self.layout["window"] = windows[::-1]

    def operand(self, x: Any) -> _arrays.Operand:
        """A user's array as it is stored, contiguous, the batch's axes as one."""
        if self.dtype in _arrays.STORAGE:
            given = _arrays.HOST.operand(np.ascontiguousarray(_arrays.numbers(x, "x"), self.dtype))
        else:
            given = _arrays.operand(x)
        if given.shape != self.shape:
            raise ValueError(f"the transform takes an array of shape {self.shape}, not {given.shape}")
        given = _arrays.contiguous(_arrays.convert(given, self.dtype))
        return given.space.operand(given.array.reshape(self.flat))


class _Chains:
    """Accessors as the library takes them, and what they point to; shapes are those of the arrays at each end."""

    def __init__(
        self, chains: dict[str, Sequence[Any]], rank: int, shapes: dict[str, tuple[int, ...]], dtype: np.dtype[Any], device: Device
    ) -> None:  # fmt: skip
        self.access = ffi.new("argand_fft_access *")
        self._kept: list[Any] = []
        self._calls: list[tuple[Any, Call]] = []
        self._raised: list[BaseException] = []
        self.is_empty = not any(len(chain) for chain in chains.values())
        self._rank, self._dtype, self._device = rank, dtype, device
        for end, chain in chains.items():
            if len(chain) > lib.ARGAND_MAX_ACCESSORS:
                raise ValueError(f"{len(chain)} accessors at the {end}, and at most {lib.ARGAND_MAX_ACCESSORS} are possible")
            self._shape = shapes[end]
            for place, accessor in zip(getattr(self.access, end), chain, strict=False):
                self._fill(place, accessor)

    def _fill(self, place: Any, accessor: Any) -> None:
        if isinstance(accessor, Call):
            return self._fill_call(place, accessor)
        if np.ndim(accessor) == 0:
            try:
                number = complex(accessor)
            except TypeError:
                raise TypeError(f"an accessor is a number, an array or a Call, not {accessor!r}") from None
            place.kind, place.scalar.re, place.scalar.im = lib.ARGAND_ACCESS_SCALE, number.real, number.imag
            return None
        place.kind, place.array = lib.ARGAND_ACCESS_MULTIPLY, self._factor(accessor)
        return None

    def _factor(self, array: Any) -> Any:
        """An array that broadcasts to (*batch, *shape), the batch's axes as one."""
        given = _arrays.operand(array)
        given = _arrays.convert(given, self._dtype if given.dtype.kind == "c" else _arrays.as_real(self._dtype))
        ndim, rank = len(given.shape), self._rank
        whole = (*[1] * (len(self._shape) - ndim), *given.shape)
        if len(whole) != len(self._shape) or any(n not in (1, m) for n, m in zip(whole, self._shape, strict=True)):
            raise ValueError(f"an array of shape {given.shape} does not repeat to {self._shape}")
        at, batch = len(whole) - rank, self._shape[: len(whole) - rank]
        if any(n != 1 for n in whole[:at]) and whole[:at] != batch:
            given = given.space.operand(np.broadcast_to(given.array.reshape(whole), (*batch, *whole[at:])))
            whole = (*batch, *whole[at:])
        flat = _arrays.contiguous(given)
        flat = flat.space.operand(flat.array.reshape((_arrays.count(whole[:at]), *whole[at:])))
        return self._keep(_arrays.copied(flat, self._device))

    def _keep(self, thing: Any) -> Any:
        self._kept.append(thing)
        return thing

    def _fill_call(self, place: Any, accessor: Call) -> None:
        place.kind, place.mirror = lib.ARGAND_ACCESS_CALL, accessor.mirror
        if accessor.source is not None and accessor.name is not None:
            place.source = self._keep(ffi.new("char[]", encoded(accessor.source, "source")))
            place.name = self._keep(ffi.new("char[]", encoded(accessor.name, "name")))
        if accessor.function is not None:
            place.function = self._keep(self._callback(accessor))
        if accessor.data is not None:
            given = _arrays.operand(accessor.data)
            wanted = self._dtype if given.dtype.kind == "c" else _arrays.as_real(self._dtype)
            place.array = self._keep(_arrays.copied(_arrays.convert(given, wanted), self._device))
        self._calls.append((place, accessor))

    def _callback(self, accessor: Call) -> Any:
        size, axes = self._dtype.itemsize, len(self._shape[-self._rank :]) + (len(self._shape) > self._rank)
        lock = threading.Lock()

        def failed(kind: Any, error: Any, trace: Any) -> None:
            with lock:
                self._raised.append(error)

        def apply(values: Any, mirror: Any, run: Any) -> None:
            if self._raised or accessor.function is None:
                return
            arrays = [np.frombuffer(ffi.buffer(x, run.count * size), self._dtype) for x in (values, mirror) if x != ffi.NULL]
            accessor.function(arrays[0], _place(run, axes), accessor.parameters, *arrays[1:])

        return ffi.callback("argand_access_function", apply, onerror=failed)

    @property
    def has_calls(self) -> bool:
        return bool(self._calls)

    def current(self) -> Any:
        """With the parameters of now."""
        for place, accessor in self._calls:
            for i in range(lib.ARGAND_ACCESS_PARAMETERS):
                place.parameters[i] = accessor.parameters[i] if i < len(accessor.parameters) else 0
        return self.access

    def check(self) -> None:
        if self._raised:
            error = self._raised[0]
            self._raised.clear()
            raise error


def _place(run: Any, axes: int) -> tuple[Any, ...]:
    index: list[Any] = list(run.coordinate)[:axes]
    index[run.axis] = np.arange(index[run.axis], index[run.axis] + run.count)
    return tuple(reversed(index))


class Transform(Held, _html.Described):
    """A plan of the transform over the last len(shape) axes of complex arrays (*batch, *shape), with accessors: what happens to each
    element on its way, in no pass of its own.

    shape        of the transform, as (ny, nx)
    batch        first axes of the arrays, as (coils,) (default (): none)
    load         before the transform, store: after it; each a list of at most 4, applied in order
    spectrum     between the transform and its inverse: the plan is both then, as a filter
    inverse      the inverse transform (default False)
    norm         None or "backward": 1/N on the inverse; "ortho": 1/sqrt(N) on both (default None)
    centred      element floor(N/2) of each axis is position 0 (default False)
    dtype        of the computation, complex64 or complex128 (default complex128)
    device       where to compute, as "cpu" or "cuda:0" (default None: "cpu")

    input_shape, output_shape    of arrays that cover a part of the points (default None: all)
    input_first, output_first    on which point their first element lies, modulo the axis's length; centred: counted from where the array's
                                 element floor(n/2) is point 0
    border, output_border        how the input and the output continue beyond their edge: "zero", "wrap", "clamp" or "mirror"; output borders
                                 other than "zero" are the adjoints (default "zero")
    input_dtype, output_dtype    of elements as stored: the reals alone, np.float16 or np.uint8 (rounded), which arrays are converted to
                                 (default None: dtype)

    An accessor is a number (times it), an array that broadcasts to the array at its end (times its elements), or a Call. Threads take turns
    at a Transform.

    >>> filter_ = argand.Transform((8,), spectrum=[np.arange(8) == 0])
    >>> filter_(np.arange(8)).real                        # the mean
    array([3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5])
    >>> bool(np.allclose(argand.Transform((8,), input_shape=(3,))([1, 2, 3]), np.fft.fft([1, 2, 3], 8)))
    True
    """

    @remembered
    def __init__(
        self, shape: Sequence[int], batch: Sequence[int] = (), *, load: Sequence[Accessor] = (), spectrum: Sequence[Accessor] = (),
        store: Sequence[Accessor] = (), inverse: bool = False, norm: OperatorNorm | None = None, centred: bool = False,
        dtype: DTypeLike = np.complex128, device: Device | str | None = None, input_shape: Sequence[int] | None = None,
        input_first: Sequence[int] | None = None, output_shape: Sequence[int] | None = None, output_first: Sequence[int] | None = None,
        border: Border = "zero", output_border: Border = "zero", input_dtype: DTypeLike | None = None,
        output_dtype: DTypeLike | None = None,
    ) -> None:  # fmt: skip
        if norm not in (None, "backward", "ortho"):
            raise ValueError(f'norm is "backward" (1/N on the inverse) or "ortho", not {norm!r}')
        if spectrum and inverse:
            raise ValueError("a transform with accessors at its spectrum goes forward and back")
        shape, batch = _arrays.sizes(shape), _arrays.sizes(batch, "batch")
        self.shape, self.dtype, self.device = (*batch, *shape), complex_dtype(dtype), operator_device(None, device)
        self._input = _End(input_shape, input_first, border, input_dtype, shape, batch, self.dtype, "input")
        self._output = _End(output_shape, output_first, output_border, output_dtype, shape, batch, self.dtype, "output")
        self._direction = lib.ARGAND_INVERSE if inverse else lib.ARGAND_FORWARD
        chains = {"load": load, "spectrum": spectrum, "store": store}
        self._counts = {name: len(chain) for name, chain in chains.items()}
        self._lock = threading.Lock()
        shapes = {"load": self._input.shape, "spectrum": self.shape, "store": self._output.shape}
        self._chains = _Chains(chains, len(shape), shapes, self.dtype, self.device)
        options = struct("argand_fft_options", {
            "type": _arrays.TYPES[self.dtype], "rank": len(shape), "n": list(shape)[::-1], "batch": _arrays.count(batch),
            "centred": centred, "input": self._input.layout, "output": self._output.layout,
            "scale": lib.ARGAND_SCALE_UNITARY if norm == "ortho" else lib.ARGAND_SCALE_INVERSE,
        })  # fmt: skip
        options.access = self._chains.current()[0]
        if self._chains.has_calls:  # functions and numbers of this process, which may change
            self._recipe = Unknown(self)
        self._plan = make(lib.argand_fft_create, "argand_fft", lib.argand_fft_destroy, self.device._handle, options)

    @overload
    def __call__(self, x: GPUArray) -> GPUArray: ...
    @overload
    def __call__(self, x: npt.ArrayLike) -> Array: ...
    def __call__(self, x: Any) -> Any:
        """Transformed, as a new array of x's kind, with the parameters that the accessors have now. x: (*batch, *input_shape)."""
        given = self._input.operand(x)
        with self.device.turn:
            to = _arrays.Output(given, self.device, self._output.flat, self._output.dtype)
            source = _arrays.to_device(given, self.device)
            with self._lock:
                try:
                    self._apply(to.handle, source)
                finally:
                    self._chains.check()
            return to.finish().reshape(self._output.shape)

    def _apply(self, to: Any, source: Any) -> None:
        if self._chains.is_empty:  # such plans take no parameters
            call(lib.argand_fft_apply, self._plan, to, source, self._direction)
        else:
            call(lib.argand_fft_apply_access, self._plan, to, source, self._direction, self._chains.current())

    def _describe(self) -> list[tuple[str, str]]:
        return [
            ("shape", f"{self._input.shape} to {self._output.shape}"), ("points", str(self.shape)),
            ("type", f"{self._input.dtype} to {self._output.dtype}"), ("device", self.device.name),
            ("accessors", ", ".join(f"{name} {n}" for name, n in self._counts.items() if n) or "none"),
            ("made of", printed(lib.argand_fft_print, self._plan)),
        ]  # fmt: skip
