# SPDX-License-Identifier: BSD-3-Clause
"""Fourier transforms with NumPy's names and meaning: axes, sizes, norm."""

from __future__ import annotations

import collections
import operator
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _again, _arrays
from ._again import Request
from ._arrays import Operand
from ._device import Device
from ._library import call, ffi, lib, make, struct
from ._options import NORMS as NORMS
from ._options import fft_scale
from ._types import Array, ArrayLike, Norm, OnGPU, same_kind

if TYPE_CHECKING:
    from ._comm import Comm

AxisError = getattr(np, "exceptions", np).AxisError  # its place before NumPy 1.25


class Layout(NamedTuple):
    """A transform of arrays in memory: axes and loops as (n, input stride, output stride), the fastest axis first.

    Of real transforms (type R32, R64) the input is the real array, in both directions.
    """

    device: Device
    type: int
    axes: tuple[tuple[int, int, int], ...]
    loops: tuple[tuple[int, int, int], ...]
    scale: int
    factor: float
    centred: bool


class Plan:
    """A plan of the library and how the arrays of its two ends are wrapped."""

    __slots__ = ("ends", "handle", "types")

    def __init__(self, layout: Layout) -> None:
        self.handle = _make_plan(layout)
        is_real = layout.type in (lib.ARGAND_R32, lib.ARGAND_R64)
        self.types = (layout.type, _HALF_TYPES[layout.type] if is_real else layout.type)
        rows = layout.axes + layout.loops
        n = [row[0] for row in rows]
        half = [n[0] // 2 + 1, *n[1:]] if is_real else n
        self.ends = tuple(
            (ffi.new("int64_t[]", dims), ffi.new("int64_t[]", [row[end] for row in rows]), len(rows))
            for end, dims in ((1, n), (2, half))
        )

    def wrap(self, device: Device, end: int, pointer: int) -> Any:
        dims, strides, rank = self.ends[end]
        where = ffi.new("argand_array **")
        memory = ffi.cast("void *", pointer)
        call(lib.argand_array_wrap, where, device._handle, self.types[end], rank, dims, strides, memory)
        return ffi.gc(where[0], lib.argand_array_destroy)

    def ready(self, device: Device, direction: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> _again.Ready:
        """For further calls with arrays of that shape."""
        return _again.Ready(device, self.handle, direction, shape, dtype)


_HALF_TYPES = {lib.ARGAND_R32: lib.ARGAND_C32, lib.ARGAND_R64: lib.ARGAND_C64}
_plans: collections.OrderedDict[Any, Plan] = collections.OrderedDict()
_lock = threading.Lock()
MOST_PLANS = 128


def _contiguous(layout: Layout) -> bool:
    """Both ends lie in order without gaps: the plain form, by which wisdom knows a problem."""
    in_next = out_next = 1
    half = layout.type in _HALF_TYPES
    for i, (n, in_stride, out_stride) in enumerate(layout.axes + layout.loops):
        if (in_stride, out_stride) != (in_next, out_next):
            return False
        in_next *= n
        out_next *= n // 2 + 1 if half and i == 0 else n
    return len(layout.loops) < 2


def _make_plan(layout: Layout) -> Any:
    options: dict[str, Any] = {
        "type": layout.type, "rank": len(layout.axes), "scale": layout.scale,
        "centred": layout.centred, "preserve_input": True,
    }  # fmt: skip
    if _contiguous(layout):
        options["n"] = [n for n, _, _ in layout.axes]
        options["batch"] = layout.loops[0][0] if layout.loops else 1
    else:
        options.update(axes_given=True, axes=layout.axes, loops=len(layout.loops), loop=layout.loops)
    if layout.factor != 1:
        options["access"] = {"store": [{"kind": lib.ARGAND_ACCESS_SCALE, "scalar": {"re": layout.factor}}]}
    given = struct("argand_fft_options", options)
    return make(lib.argand_fft_create, "argand_fft", lib.argand_fft_destroy, layout.device._handle, given)


def _find_plan(key: Any, build: Callable[[], Layout]) -> Plan:
    """The plan of that key, made anew or as it was made before."""
    with _lock:
        plan = _plans.get(key)
        if plan is not None:
            _plans.move_to_end(key)
            return plan
    plan = Plan(build())
    with _lock:
        _plans[key] = plan
        while len(_plans) > MOST_PLANS:
            _plans.popitem(last=False)
    return plan


def merge_loops(loops: list[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    """Loops that follow each other in memory at both ends as one; those of length 1 left out. The fastest first."""
    merged: list[tuple[int, int, int]] = []
    for n, a, b in sorted((loop for loop in loops if loop[0] != 1), key=lambda loop: (abs(loop[2]), abs(loop[1]))):
        if merged and merged[-1][1] * merged[-1][0] == a and merged[-1][2] * merged[-1][0] == b:
            merged[-1] = (merged[-1][0] * n, *merged[-1][1:])
        else:
            merged.append((n, a, b))
    return tuple(merged)


def normalise_axes(ndim: int, s: Any, axes: Any, names: tuple[str, str] = ("s", "axes")) -> tuple[list[int | None], list[int]]:
    """Sizes (None: the array's) and axes, from what NumPy lets one leave out."""
    sizes: list[int | None] | None = None if s is None else [None if n is None else _arrays.sizes(n, names[0])[0] for n in ([s] if np.ndim(s) == 0 else s)]
    if axes is None:
        if sizes is not None and len(sizes) > ndim:
            raise ValueError(f"{names[0]} has {len(sizes)} lengths, and the array has {ndim} axes")
        chosen = list(range(ndim)) if sizes is None else list(range(ndim - len(sizes), ndim))
    else:
        chosen = list(_arrays.sizes(axes, names[1]))
    if sizes is not None and len(sizes) != len(chosen):
        raise ValueError(f"{names[0]} and {names[1]} have different lengths: {len(sizes)} and {len(chosen)}")
    for i, a in enumerate(chosen):
        if not -ndim <= a < ndim:
            raise AxisError(a, ndim)
        chosen[i] = a % ndim
    if len(set(chosen)) != len(chosen):
        raise ValueError(f"an axis is named twice: {chosen}")
    return sizes or [None] * len(chosen), chosen


def resize(x: Operand, lengths: Sequence[int | None], axes: Sequence[int]) -> Operand:
    """Cropped (a view) or padded with zeros at the end to those lengths."""
    if all(n is None or n == -1 or x.shape[a] == n for n, a in zip(lengths, axes, strict=True)):
        return x
    shape = list(x.shape)
    for n, a in zip(lengths, axes, strict=True):
        if n is not None and n != -1:
            if n < 1:
                raise ValueError(f"invalid number of data points ({n}) along axis {a}")
            shape[a] = n
    part = x.array[tuple(slice(0, min(n, m)) for n, m in zip(x.shape, shape, strict=True))]
    if list(part.shape) == shape:
        return x.space.operand(part)
    padded = x.space.empty(shape, x.dtype)
    padded[...] = 0
    padded[tuple(slice(0, n) for n in part.shape)] = part
    return x.space.operand(padded)


def _check(x: Operand, axes: Sequence[int], norm: str | None) -> None:
    if norm not in NORMS:
        raise ValueError(f'norm is "backward", "ortho" or "forward", not {norm!r}')
    for a in axes:
        if x.shape[a] < 1:
            raise ValueError(f"invalid number of data points (0) along axis {a}")


class Problem(NamedTuple):
    """What is to be done, whatever the arrays: lengths n along axes; real is the end that is real, 0 the input, 1 the output."""

    axes: tuple[int, ...]
    n: tuple[int, ...]
    inverse: bool
    real: int | None
    norm: str | None
    centred: bool


def _loops(p: Problem, x: Operand, to: Operand) -> tuple[tuple[int, int, int], ...]:
    """The axes that are not transformed, those that follow each other in memory at both ends as one."""
    first, second = (x, to) if p.real != 1 else (to, x)
    return merge_loops([(x.shape[a], first.strides[a], second.strides[a]) for a in range(len(x.shape)) if a not in p.axes])


def _fits(p: Problem, x: Operand, to: Operand) -> bool:
    return len(p.axes) + len(_loops(p, x, to)) <= _arrays.MOST_AXES


def _axis_by_axis(p: Problem, x: Operand, shape: Sequence[int], device: Device) -> Array:
    """The transform of an array of more axes than a plan has: along one axis after the other of contiguous arrays (before, n, after)."""
    order = list(range(len(p.axes)))
    if p.real == 0:  # the axis that is halved is the first of a real transform, the last of its inverse
        order.reverse()
    y = _arrays.contiguous(x).array
    for i in order:
        axis, halved = p.axes[i], p.real is not None and i == len(p.axes) - 1
        sides = y.shape
        flat = y.reshape((_arrays.count(sides[:axis]), sides[axis], _arrays.count(sides[axis + 1 :])))
        if halved and p.real == 0:
            flat = _half(flat, None, (1,), p.norm, None, device)  # type: ignore[arg-type]
        elif halved:
            flat = _from_half(flat, (p.n[i],), (1,), p.norm, None, device)  # type: ignore[arg-type]
        else:
            flat = _complex(flat, None, (1,), p.norm, p.inverse, p.centred, None, device)
        y = flat.reshape((*sides[:axis], flat.shape[1], *sides[axis + 1 :]))
    return y.reshape(tuple(shape))  # type: ignore[no-any-return]


def _layout(p: Problem, x: Operand, to: Operand, device: Device) -> Layout:
    first, second = (x, to) if p.real != 1 else (to, x)
    rows = [(length, first.strides[a], second.strides[a]) for length, a in zip(p.n, p.axes, strict=True)]
    order = rows[::-1] if p.real is not None else sorted(rows, key=lambda row: (abs(row[2]), abs(row[1])))
    loops = _loops(p, x, to)
    scale, factor = fft_scale(p.norm, p.inverse, _arrays.count(p.n))
    return Layout(device, _arrays.TYPES[first.dtype], tuple(order), loops, scale, factor, p.centred)


def _run(p: Problem, x: Operand, shape: Sequence[int], dtype: np.dtype[Any], out: Any, device: Any, request: Request) -> Array:
    if 0 in shape:
        return _arrays.Place(x, shape, dtype, out).finish()
    where = _arrays.place(x, device)
    with where.turn:
        return _run_there(p, x, shape, dtype, out, where, request)


def _run_there(p: Problem, x: Operand, shape: Sequence[int], dtype: np.dtype[Any], out: Any, where: Device, request: Request) -> Array:
    staged = not _arrays.reached(x, where)
    if staged or (p.real is not None and 0 in x.strides):  # a real transform takes each element once
        x = _arrays.contiguous(x)
    place = _arrays.Place(x, shape, dtype, out, contiguous=staged)
    to = place.operand
    if len(shape) > _arrays.MOST_AXES and not _fits(p, x, to):
        place.operand.array[...] = _axis_by_axis(p, x, shape, where)
        return place.finish()
    plan = _find_plan((where, p, x.shape, x.strides, to.strides, x.dtype), lambda: _layout(p, x, to, where))
    direction = lib.ARGAND_INVERSE if p.inverse else lib.ARGAND_FORWARD
    if staged:
        there = _arrays.create(where, dtype, shape)
        call(lib.argand_fft_apply, plan.handle, there, _arrays.to_device(x, where), direction)
        call(lib.argand_array_download, there, ffi.cast("void *", to.pointer))
    else:
        end = 1 if p.real == 1 else 0
        source, target = plan.wrap(where, end, x.pointer), plan.wrap(where, 1 - end, to.pointer)
        call(lib.argand_fft_apply, plan.handle, target, source, direction)
        _again.keep(request, x.array, plan.ready(where, direction, tuple(shape), dtype))
    return place.finish()


def _complex(x: Any, s: Any, axes: Any, norm: str | None, inverse: bool, centred: bool, out: Any, device: Any) -> Array:
    request = Request("inverse" if inverse else "forward", x, s, axes, norm, centred, out, device)
    ready = _again.find(request)
    if ready is not None:
        return ready.run(request)
    given = request.operand()
    sizes, chosen = normalise_axes(len(given.shape), s, axes)
    given = request.converted(given, _arrays.convert(given, _arrays.as_complex(given.dtype)))
    given = request.resized(given, resize(given, sizes, chosen))
    _check(given, chosen, norm)
    if not chosen:
        return _copied(given, out)
    n = tuple(given.shape[a] for a in chosen)
    problem = Problem(tuple(chosen), n, inverse, None, norm, centred)
    return _run(problem, given, given.shape, given.dtype, out, device, request)


def _divided(*arguments: Any) -> Array:
    """The same over the ranks of a communicator."""
    from . import _dist

    return _dist.transform(*arguments)


def _copied(x: Operand, out: Any) -> Array:
    place = _arrays.Place(x, x.shape, x.dtype, out)
    place.operand.array[...] = x.array
    return place.finish()


def _full(x: Any, s: Any, axes: Any, norm: Norm | None, inverse: bool, centred: bool, out: Any, device: Any, comm: Any = None) -> Array:
    """Complex to complex."""
    if comm is not None:
        return _divided(x, s, axes, norm, inverse, False, centred, out, device, comm)
    return _complex(x, s, axes, norm, inverse, centred, out, device)


def _half(x: Any, s: Any, axes: Any, norm: Norm | None, out: Any, device: Any, comm: Any = None) -> Array:
    """Real to half a spectrum."""
    if comm is not None:
        return _divided(x, s, axes, norm, False, True, False, out, device, comm)
    request = Request("rfftn", x, s, axes, norm, False, out, device)
    ready = _again.find(request)
    if ready is not None:
        return ready.run(request)
    given = request.operand()
    if given.dtype.kind == "c":
        raise TypeError(f"a real transform takes real arrays, not {given.dtype}: fft and fftn take complex ones")
    sizes, chosen = normalise_axes(len(given.shape), s, axes)
    if not chosen:
        raise ValueError("at least 1 axis must be transformed")
    given = request.resized(given, resize(given, sizes, chosen))
    _check(given, chosen, norm)
    n = tuple(given.shape[a] for a in chosen)
    shape = list(given.shape)
    shape[chosen[-1]] = n[-1] // 2 + 1
    return _run(Problem(tuple(chosen), n, False, 0, norm, False), given, shape, _arrays.COMPLEX[given.dtype], out, device, request)


def _from_half(x: Any, s: Any, axes: Any, norm: Norm | None, out: Any, device: Any, comm: Any = None) -> Array:
    """Half a spectrum to real."""
    if comm is not None:
        return _divided(x, s, axes, norm, True, True, False, out, device, comm)
    request = Request("irfftn", x, s, axes, norm, False, out, device)
    ready = _again.find(request)
    if ready is not None:
        return ready.run(request)
    given = request.operand()
    given = request.converted(given, _arrays.convert(given, _arrays.as_complex(given.dtype)))
    sizes, chosen = normalise_axes(len(given.shape), s, axes)
    if not chosen:
        raise ValueError("at least 1 axis must be transformed")
    last = sizes[-1] if sizes[-1] not in (None, -1) else 2 * (given.shape[chosen[-1]] - 1)
    assert last is not None
    if last < 1:
        raise ValueError(f"invalid number of data points ({last}) along axis {chosen[-1]}")
    given = request.resized(given, resize(given, [*sizes[:-1], last // 2 + 1], chosen))
    _check(given, chosen, norm)
    n = (*(given.shape[a] for a in chosen[:-1]), last)
    shape = list(given.shape)
    shape[chosen[-1]] = last
    return _run(Problem(tuple(chosen), n, True, 1, norm, False), given, shape, _arrays.REAL[given.dtype], out, device, request)


@same_kind
def fftn(
    x: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | int | None = None, norm: Norm | None = None, *, centred: bool = False,
    out: Array | OnGPU | None = None, device: Device | str | None = None, comm: Comm | None = None,
) -> Array:  # fmt: skip
    """The discrete Fourier transform, as numpy.fft.fftn: sum_n x[n] exp(-2 pi i k n / N). Returns a complex array of x's shape.

    x        an array of any shape: float32, float64, complex64, complex128, and what converts to them; single precision stays single
    s        lengths of the transformed axes, to which x is cropped or padded with zeros; by default x's own
    axes     the axes to transform (default None: all, or the last len(s))
    norm     where 1/N is applied: None and "backward" on the inverse, "forward" here, "ortho" 1/sqrt(N) on both
    centred  element floor(N/2) of each axis is position 0 in input and output, as images and k-space are kept (default False)
    out      an array for the result, of its shape and type, which is then returned
    device   where to compute, as "cpu" or "cuda:0" (default None: where x is)
    comm     an argand.Comm: x is this rank's part of an array of 2 or 3 axes, its planes along the first one (Comm.slab); so is the result

    On NVIDIA GPUs, general kernels or cuFFT serve a new size while its own kernels are compiled: the last digits of later calls may differ.
    ARGAND_FFT_WAIT=1 in the environment waits for the kernels.

    >>> argand.fftn(np.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _full(x, s, axes, norm, False, centred, out, device, comm)


@same_kind
def ifftn(
    x: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | int | None = None, norm: Norm | None = None, *, centred: bool = False,
    out: Array | OnGPU | None = None, device: Device | str | None = None, comm: Comm | None = None,
) -> Array:  # fmt: skip
    """The inverse of fftn: 1/N sum_k x[k] exp(+2 pi i k n / N) by default. Returns a complex array of x's shape.

    x        an array of any shape
    s, axes, norm, centred, out, device, comm  as for fftn

    >>> np.allclose(argand.ifftn(argand.fftn(np.eye(3))), np.eye(3))
    True
    """
    return _full(x, s, axes, norm, True, centred, out, device, comm)


def _length(n: int | None) -> tuple[int] | None:
    """Of one axis; -1, an axis as it is, is for lists of lengths alone, as in NumPy."""
    try:
        is_empty = n is not None and operator.index(n) < 1
    except TypeError:
        raise TypeError(f"n: a whole number is needed, not {n!r}") from None
    if is_empty:
        raise ValueError(f"invalid number of data points ({n})")
    return None if n is None else (n,)


@same_kind
def fft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm | None = None, *, centred: bool = False,
    out: Array | OnGPU | None = None, device: Device | str | None = None,
) -> Array:  # fmt: skip
    """The transform along one axis, as numpy.fft.fft. Returns a complex array of x's shape.

    x        an array of any shape
    n        the length to which the axis is cropped or padded with zeros (default None: its own)
    axis     the axis to transform (default -1)
    norm, centred, out, device  as for fftn

    >>> argand.fft([1, 0, 0, 0])
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _full(x, _length(n), (axis,), norm, False, centred, out, device)


@same_kind
def ifft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm | None = None, *, centred: bool = False,
    out: Array | OnGPU | None = None, device: Device | str | None = None,
) -> Array:  # fmt: skip
    """The inverse transform along one axis, as numpy.fft.ifft. Returns a complex array of x's shape.

    x        an array of any shape
    n        the length to which the axis is cropped or padded with zeros (default None: its own)
    axis     the axis to transform (default -1)
    norm, centred, out, device  as for fftn

    >>> argand.ifft([4, 0, 0, 0])
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _full(x, _length(n), (axis,), norm, True, centred, out, device)


@same_kind
def fft2(
    x: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | int | None = (-2, -1), norm: Norm | None = None, *, centred: bool = False,
    out: Array | OnGPU | None = None, device: Device | str | None = None, comm: Comm | None = None,
) -> Array:  # fmt: skip
    """fftn over two axes, as numpy.fft.fft2: (..., ny, nx) to complex (..., ny, nx).

    x        an array (..., ny, nx)
    axes     the two axes (default (-2, -1))
    s, norm, centred, out, device, comm  as for fftn
    """
    return _full(x, s, axes, norm, False, centred, out, device, comm)


@same_kind
def ifft2(
    x: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | int | None = (-2, -1), norm: Norm | None = None, *, centred: bool = False,
    out: Array | OnGPU | None = None, device: Device | str | None = None, comm: Comm | None = None,
) -> Array:  # fmt: skip
    """ifftn over two axes, as numpy.fft.ifft2: (..., ny, nx) to complex (..., ny, nx).

    x        an array (..., ny, nx)
    axes     the two axes (default (-2, -1))
    s, norm, centred, out, device, comm  as for fftn
    """
    return _full(x, s, axes, norm, True, centred, out, device, comm)


@same_kind
def rfftn(
    x: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | int | None = None, norm: Norm | None = None, *,
    out: Array | OnGPU | None = None, device: Device | str | None = None, comm: Comm | None = None,
) -> Array:  # fmt: skip
    """The transform of a real array, as numpy.fft.rfftn: along the last of `axes` only the frequencies 0 to floor(n/2) are computed.

    x        a real array of any shape
    s, axes, norm, out, device, comm  as for fftn

    >>> argand.rfftn(np.ones((2, 4))).shape
    (2, 3)
    """
    return _half(x, s, axes, norm, out, device, comm)


@same_kind
def irfftn(
    x: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | int | None = None, norm: Norm | None = None, *,
    out: Array | OnGPU | None = None, device: Device | str | None = None, comm: Comm | None = None,
) -> Array:  # fmt: skip
    """The inverse of rfftn, as numpy.fft.irfftn: a real array, of 2 (m - 1) elements along the last of `axes` if s does not say otherwise.

    x        a complex array of any shape: the half of a spectrum that rfftn returns
    s        lengths of the result along `axes`
    axes, norm, out, device, comm  as for fftn

    >>> np.allclose(argand.irfftn(argand.rfftn(np.eye(4))), np.eye(4))
    True
    """
    return _from_half(x, s, axes, norm, out, device, comm)


@same_kind
def rfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm | None = None, *,
    out: Array | OnGPU | None = None, device: Device | str | None = None,
) -> Array:  # fmt: skip
    """rfftn along one axis, as numpy.fft.rfft: n real elements to floor(n/2) + 1 complex ones.

    x        a real array of any shape
    n        the length to which the axis is cropped or padded with zeros (default None: its own)
    axis     the axis to transform (default -1)
    norm, out, device  as for fftn
    """
    return _half(x, _length(n), (axis,), norm, out, device)


@same_kind
def irfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm | None = None, *,
    out: Array | OnGPU | None = None, device: Device | str | None = None,
) -> Array:  # fmt: skip
    """irfftn along one axis, as numpy.fft.irfft: m complex elements to n real ones.

    x        a complex array of any shape
    n        the length of the result (default None: 2 (m - 1))
    axis     the axis to transform (default -1)
    norm, out, device  as for fftn
    """
    return _from_half(x, _length(n), (axis,), norm, out, device)


@same_kind
def rfft2(
    x: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | int | None = (-2, -1), norm: Norm | None = None, *,
    out: Array | OnGPU | None = None, device: Device | str | None = None, comm: Comm | None = None,
) -> Array:  # fmt: skip
    """rfftn over two axes, as numpy.fft.rfft2: real (..., ny, nx) to complex (..., ny, floor(nx/2) + 1).

    x        a real array (..., ny, nx)
    axes     the two axes (default (-2, -1))
    s, norm, out, device, comm  as for fftn
    """
    return _half(x, s, axes, norm, out, device, comm)


@same_kind
def irfft2(
    x: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | int | None = (-2, -1), norm: Norm | None = None, *,
    out: Array | OnGPU | None = None, device: Device | str | None = None, comm: Comm | None = None,
) -> Array:  # fmt: skip
    """irfftn over two axes, as numpy.fft.irfft2: complex (..., ny, m) to real (..., ny, 2 (m - 1)).

    x        a complex array (..., ny, m)
    axes     the two axes (default (-2, -1))
    s, norm, out, device, comm  as for irfftn
    """
    return _from_half(x, s, axes, norm, out, device, comm)


_SWAPPED: dict[Norm | None, Norm] = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}


def _conjugate(x: Any) -> Any:
    return x.conj() if hasattr(x, "conj") else np.conj(_arrays.computable(_arrays.as_array(x)))


def _conjugated(x: Any) -> Array:
    """x itself, each of its elements conjugated: what is done after a call reaches `out`."""
    if isinstance(x, np.ndarray):
        np.conjugate(x, out=x)
    elif hasattr(x, "conj_physical_"):  # PyTorch's; its conj() is a view of the same memory
        x.conj_physical_()
    else:
        x[...] = x.conj()
    return x  # type: ignore[no-any-return]


@same_kind
def hfftn(
    x: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | int | None = None, norm: Norm | None = None, *,
    out: Array | OnGPU | None = None, device: Device | str | None = None, comm: Comm | None = None,
) -> Array:  # fmt: skip
    """irfftn of conj(x), with the norms of a forward transform: the real spectrum of a signal of which x is the half.

    x        a complex array of any shape
    s, axes, norm, out, device, comm  as for irfftn
    """
    return _from_half(_conjugate(x), s, axes, _swapped(norm), out, device, comm)


@same_kind
def ihfftn(
    x: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | int | None = None, norm: Norm | None = None, *,
    out: Array | OnGPU | None = None, device: Device | str | None = None, comm: Comm | None = None,
) -> Array:  # fmt: skip
    """The inverse of hfftn: conj(rfftn(x)), with the norms of an inverse transform.

    x        a real array of any shape
    s, axes, norm, out, device, comm  as for fftn
    """
    return _conjugated(_half(x, s, axes, _swapped(norm), out, device, comm))


def _swapped(norm: Norm | None) -> Norm:
    if norm not in _SWAPPED:
        raise ValueError(f'norm is "backward", "ortho" or "forward", not {norm!r}')
    return _SWAPPED[norm]


@same_kind
def hfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm | None = None, *,
    out: Array | OnGPU | None = None, device: Device | str | None = None,
) -> Array:  # fmt: skip
    """The real transform of a Hermitian signal, as numpy.fft.hfft: m complex elements, its first half, to n real ones.

    x        a complex array of any shape
    n        the length of the result (default None: 2 (m - 1))
    axis     the axis to transform (default -1)
    norm, out, device  as for fftn

    >>> argand.fft.hfft([1, 2, 3])
    array([ 8., -2.,  0., -2.])
    """
    return _from_half(_conjugate(x), _length(n), (axis,), _swapped(norm), out, device)


@same_kind
def ihfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm | None = None, *,
    out: Array | OnGPU | None = None, device: Device | str | None = None,
) -> Array:  # fmt: skip
    """The inverse of hfft, as numpy.fft.ihfft: n real elements to floor(n/2) + 1 complex ones.

    x        a real array of any shape
    n        the length to which the axis is cropped or padded with zeros (default None: its own)
    axis     the axis to transform (default -1)
    norm, out, device  as for fftn

    >>> argand.fft.ihfft([8, -2, 0, -2]).real
    array([1., 2., 3.])
    """
    return _conjugated(_half(x, _length(n), (axis,), _swapped(norm), out, device))
