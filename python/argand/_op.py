# SPDX-License-Identifier: BSD-3-Clause
"""Linear operators y = A x between arrays of fixed shapes, with their exact adjoints."""

from __future__ import annotations

import functools
import itertools
import numbers
import operator
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from . import _arrays, _html
from ._arrays import Operand
from ._device import Device, Turn, get_device
from ._library import Held, call, ffi, lib, make, printed, struct
from ._recipe import Fetched, Recipe, remembered
from ._types import Array, ArrayLike, DTypeLike, GPUArray, OperatorNorm

if TYPE_CHECKING:
    from scipy.sparse.linalg import LinearOperator


MOST_KNOWN = 8
_serial = itertools.count(1)
numbered: weakref.WeakValueDictionary[int, Operator] = weakref.WeakValueDictionary()  # for those who can only hand on a number


class Operator(Held, _html.Described):
    """A linear operator: `A(x)` or `A @ x` applies it, `A.adjoint` is A^H, `A.normal` A^H A; `A @ B`, `A + B`, `2 * A` are operators.

    input_shape, output_shape  shapes of arrays, in NumPy's order; dtype, output_dtype: their types, to which arrays are converted
    device                     the argand.Device that computes

    Threads take turns at an operator and at those that share a part with it. Programs make operators by argand.FFT, argand.NUFFT and other
    classes, not by Operator itself, whose arguments (handle, parts, recipe) are the package's own.

    >>> A = argand.FFT((4, 4))
    >>> A.input_shape, (A.adjoint @ A).output_shape
    ((4, 4), (4, 4))
    """

    _facts: Sequence[tuple[str, str]] = ()  # what a kind of operator adds to its description
    __array_ufunc__ = None  # array @ operator is none of NumPy's business

    def __init__(
        self, handle: Any, device: Device, input_shape: Sequence[int] | None = None, output_shape: Sequence[int] | None = None,
        parts: Sequence[Operator] = (), recipe: Recipe | None = None,
    ) -> None:  # fmt: skip
        self._handle, self.device, self._recipe = handle, device, recipe
        self._number = next(_serial)
        numbered[self._number] = self
        self._turn: Turn = Turn([*(part._turn for part in parts), device.turn])
        self._domain, self._range = (_Side(f(handle)) for f in (lib.argand_op_domain, lib.argand_op_range))
        self.input_shape = self._domain.shape if input_shape is None else tuple(input_shape)
        self.output_shape = self._range.shape if output_shape is None else tuple(output_shape)
        self._on_host = device.info.host_addressable
        self.dtype = self._domain.dtype
        self.output_dtype = self._range.dtype

    @overload
    def __call__(self, x: GPUArray, out: Any = None) -> GPUArray: ...
    @overload
    def __call__(self, x: npt.ArrayLike, out: Any = None) -> Array: ...
    def __call__(self, x: Any, out: Any = None) -> Any:
        """A x, as a new array (*output_shape), or in `out`. x: an array (*input_shape)."""
        with self._turn:
            return self._apply(lib.argand_op_apply, x, self.input_shape, self._domain, self.output_shape, self._range, out)

    def _apply(
        self, function: Any, x: Any, shape: tuple[int, ...], source: _Side, result: tuple[int, ...], target: _Side, out: Any
    ) -> Any:
        if source.is_plain(x, shape) and self._on_host:
            if out is None:
                return self._quick(function, x, source, np.empty(result, target.dtype), target)
            if target.is_plain(out, result) and out.flags.writeable:
                return self._quick(function, x, source, out, target)
        if isinstance(x, Operator):
            raise TypeError("an operator is applied to an array: A @ B is the product of two")
        given = _arrays.operand(x)
        if given.shape != shape:
            raise ValueError(f"the operator takes an array of shape {shape}, not {given.shape}")
        given = _arrays.contiguous(_arrays.convert(given, source.dtype))
        place = _arrays.Place(given, result, target.dtype, out, contiguous=True)
        to = place.operand
        if _arrays.reached(given, self.device):
            call(function, self._handle, target.known(self.device, to.pointer), source.known(self.device, given.pointer))
            return place.finish()
        there, here = target.create(self.device), source.create(self.device)
        call(lib.argand_array_upload, here, ffi.cast("void *", given.pointer))
        call(function, self._handle, there, here)
        call(lib.argand_array_download, there, ffi.cast("void *", to.pointer))
        return place.finish()

    def _quick(self, function: Any, x: Any, source: _Side, out: Any, target: _Side) -> Any:
        """The same for NumPy arrays that need no conversion."""
        to, given = (int(ffi.cast("uintptr_t", ffi.from_buffer(array))) for array in (out, x))
        call(function, self._handle, target.known(self.device, to), source.known(self.device, given))
        return out

    @overload
    def __matmul__(self, other: Operator) -> Operator: ...
    @overload
    def __matmul__(self, other: GPUArray) -> GPUArray: ...
    @overload
    def __matmul__(self, other: npt.ArrayLike) -> Array: ...
    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, Operator):
            _together(self.input_shape, self._domain, other.output_shape, other._range, "A @ B: A takes arrays of shape {}, and B gives {}")
            handle = _new(lib.argand_op_chain, self._handle, other._handle)
            return Operator(handle, self.device, other.input_shape, self.output_shape, (self, other), Recipe(operator.matmul, (self, other)))
        return self(other)

    def __add__(self, other: Operator) -> Operator:
        if not isinstance(other, Operator):
            return NotImplemented
        _together(self.input_shape, self._domain, other.input_shape, other._domain, "A + B: A takes arrays of shape {}, and B of {}")
        _together(self.output_shape, self._range, other.output_shape, other._range, "A + B: A gives arrays of shape {}, and B of {}")
        handle = _new(lib.argand_op_sum, self._handle, other._handle)
        return Operator(handle, self.device, self.input_shape, self.output_shape, (self, other), Recipe(operator.add, (self, other)))

    def __sub__(self, other: Operator) -> Operator:
        return self + (-1) * other

    def __mul__(self, factor: complex) -> Operator:
        if not isinstance(factor, numbers.Number):
            return NotImplemented
        a = complex(factor)
        handle = _new(lib.argand_op_scale, ffi.new("argand_scalar *", (a.real, a.imag))[0], self._handle)
        return Operator(handle, self.device, self.input_shape, self.output_shape, (self,), Recipe(operator.mul, (self, a)))

    __rmul__ = __mul__

    def __truediv__(self, divisor: complex) -> Operator:
        return self * (1 / complex(divisor)) if isinstance(divisor, numbers.Number) else NotImplemented

    def __neg__(self) -> Operator:
        return self * -1

    @functools.cached_property
    def adjoint(self) -> Operator:
        """A^H, an operator: `A.adjoint(y)` or `A.adjoint @ y`."""
        handle = _new(lib.argand_op_adjoint_of, self._handle)
        return Operator(handle, self.device, self.output_shape, self.input_shape, (self,), self._attribute("adjoint"))

    @property
    def H(self) -> Operator:  # noqa: N802
        """The adjoint."""
        return self.adjoint

    @functools.cached_property
    def normal(self) -> Operator:
        """A^H A, an operator; a convolution where the operator knows one."""
        handle = _new(lib.argand_op_normal_of, self._handle)
        return Operator(handle, self.device, self.input_shape, self.input_shape, (self,), self._attribute("normal"))

    def _attribute(self, name: str) -> Recipe:
        return Recipe(operator.attrgetter(name), (self,))

    @property
    def shape(self) -> tuple[int, int]:
        """As a matrix: (elements of the output, elements of the input)."""
        return _arrays.count(self.output_shape), _arrays.count(self.input_shape)

    def check(self, trials: int = 3, seed: int = 1) -> float:
        """The largest |<A x, y> - <x, A^H y>| / (|A x| |y|) over random pairs: the error of the adjoint, near the rounding error.

        trials  how many pairs are tried (default 3)
        seed    of the random numbers (default 1)

        >>> bool(argand.FFT((8,)).check() < 1e-12)
        True
        """
        error = ffi.new("double *")
        with self._turn:
            call(lib.argand_op_check, self._handle, trials, seed, error)
        return float(error[0])

    def linear_operator(self) -> LinearOperator:
        """As a scipy.sparse.linalg.LinearOperator of vectors."""
        from scipy.sparse.linalg import LinearOperator

        def apply(v: Any) -> Any:
            return self(np.asarray(v).reshape(self.input_shape)).ravel()

        def adjoint(v: Any) -> Any:
            return self.adjoint(np.asarray(v).reshape(self.output_shape)).ravel()

        return LinearOperator(self.shape, matvec=apply, rmatvec=adjoint, dtype=np.result_type(self.dtype, self.output_dtype))

    def __copy__(self) -> Operator:
        """Itself: nothing of an operator changes."""
        return self

    def __deepcopy__(self, memo: Any) -> Operator:
        return self

    def _describe(self) -> list[tuple[str, str]]:
        recipe = getattr(self, "_recipe", None)
        kept = recipe.bytes() if recipe is not None else 0
        types = str(self.dtype) if self.dtype == self.output_dtype else f"{self.dtype} to {self.output_dtype}"
        return [
            ("shape", f"{self.input_shape} to {self.output_shape}"), ("type", types), ("device", self.device.name), *self._facts,
            *([("copies of its arguments", _html.size(kept))] if kept else []), ("made of", printed(lib.argand_op_print, self._handle)),
        ]  # fmt: skip


class _Side:
    """One side of an operator: how its arrays are wrapped."""

    __slots__ = ("_known", "dims", "dtype", "rank", "shape", "type")

    def __init__(self, shape: Any) -> None:
        self.rank, self.type = shape.rank, shape.type
        dims = list(shape.dims)[: self.rank]
        self.dims = ffi.new("int64_t[]", dims)
        self.shape = tuple(dims[::-1])
        self.dtype = _arrays.DTYPES[shape.type]
        self._known: dict[int, Any] = {}

    def is_plain(self, x: Any, shape: tuple[int, ...]) -> bool:
        """A NumPy array of that shape and of this side's type, in C order."""
        return type(x) is np.ndarray and x.dtype == self.dtype and x.shape == shape and x.flags.c_contiguous and x.flags.aligned and x.size > 0

    def known(self, device: Device, pointer: int) -> Any:
        """An array in C order, wrapped as before where one was at its address: results of a loop come to lie where earlier ones were."""
        handle = self._known.get(pointer)
        if handle is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            handle = self._known[pointer] = self.wrap(device, pointer)
        return handle

    def wrap(self, device: Device, pointer: int) -> Any:
        where = ffi.new("argand_array **")
        memory = ffi.cast("void *", pointer)
        call(lib.argand_array_wrap, where, device._handle, self.type, self.rank, self.dims, ffi.NULL, memory)
        return ffi.gc(where[0], lib.argand_array_destroy)

    def create(self, device: Device) -> Any:
        return make(
            lib.argand_array_create, "argand_array", lib.argand_array_destroy, device._handle, self.type, self.rank, self.dims
        )


def _together(a: tuple[int, ...], inner_a: _Side, b: tuple[int, ...], inner_b: _Side, words: str) -> None:
    """Refuses what the library would, in this package's order of axes."""
    if a != b and inner_a.shape != inner_b.shape:
        raise ValueError(words.format(a, b))


def _new(function: Any, *arguments: Any) -> Any:
    return make(function, "argand_op", lib.argand_op_destroy, *arguments)


def shape_of(dtype: np.dtype[Any], shape: Sequence[int]) -> Any:
    """An argand_shape."""
    return ffi.new("argand_shape *", {"type": _arrays.TYPES[dtype], "rank": len(shape), "dims": list(shape)[::-1]})


def operator_device(x: Operand | None, device: Device | str | None) -> Device:
    return get_device("cpu" if device is None else device) if x is None else _arrays.home(x, device)


def complex_dtype(dtype: Any) -> np.dtype[Any]:
    """complex64 or complex128, of what names either of them or its real type."""
    found = _arrays.as_complex(np.dtype(dtype))
    if found not in _arrays.TYPES:
        raise TypeError(f"operators are of complex64 or complex128, not {dtype}")
    return np.dtype(found)  # type: ignore[no-any-return, unused-ignore]


class FFT(Operator):
    """The transform over the last len(shape) axes of arrays (*batch, *shape), unscaled, or unitary; both ways exact adjoints of each other.

    shape    of the transformed axes, as (ny, nx)
    batch    first axes of the arrays, as (coils,) (default (): none)
    centred  element floor(N/2) of each axis is position 0 (default False)
    norm     None or "backward": unscaled; "ortho": 1/sqrt(N) (default None)
    dtype    complex64 or complex128 (default complex128)
    device   where to compute, as "cpu" or "cuda:0" (default None: "cpu")

    >>> argand.FFT((2, 2), norm="ortho").normal(np.eye(2)).real
    array([[1., 0.],
           [0., 1.]])
    """

    @remembered
    def __init__(
        self, shape: Sequence[int], batch: Sequence[int] = (), *, centred: bool = False, norm: OperatorNorm | None = None,
        dtype: DTypeLike = np.complex128, device: Device | str | None = None,
    ) -> None:  # fmt: skip
        if norm not in (None, "backward", "ortho"):
            raise ValueError(f'norm of an operator is "backward" (unscaled) or "ortho", not {norm!r}')
        where, shape, batch = operator_device(None, device), _arrays.sizes(shape), _arrays.sizes(batch, "batch")
        options = {
            "type": _arrays.TYPES[complex_dtype(dtype)], "rank": len(shape), "n": list(shape)[::-1], "batch": _arrays.count(batch),
            "centred": centred, "scale": lib.ARGAND_SCALE_UNITARY if norm == "ortho" else lib.ARGAND_SCALE_NONE,
        }  # fmt: skip
        given = struct("argand_fft_options", options)
        with where.turn:
            handle = _new(lib.argand_op_fft, where._handle, given, lib.ARGAND_FORWARD)
        super().__init__(handle, where, (*batch, *shape), (*batch, *shape))
        self._facts = [("norm", norm or "backward"), ("position 0", "the centre" if centred else "the first element")]


class Diagonal(Operator):
    """y = d x, element by element.

    d        an array of any shape, real or complex: that of x and y
    device   where to compute, as "cpu" or "cuda:0" (default None: where d is)

    >>> argand.Diagonal(np.array([1, 2j])).adjoint(np.array([1, 1]))
    array([1.+0.j, 0.-2.j])
    """

    def __init__(self, d: ArrayLike, device: Device | str | None = None) -> None:
        given = _arrays.operand(d)
        given = _arrays.contiguous(_arrays.convert(given, _arrays.as_complex(given.dtype)))
        where = _arrays.home(given, device)
        factors = _arrays.copied(given, where)
        recipe = Recipe(Diagonal, (Fetched(factors, where), where)) if type(self) is Diagonal else None
        super().__init__(_new(lib.argand_op_diagonal, factors), where, given.shape, given.shape, recipe=recipe)
