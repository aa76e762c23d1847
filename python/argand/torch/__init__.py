# SPDX-License-Identifier: BSD-3-Clause
"""Differentiable transforms of PyTorch tensors, on the CPU and on CUDA devices (in their current stream), by exact adjoints.

    y = argand.torch.nufft(image * maps, points)          # gradients reach image, maps and points
    y = argand.torch.field_dft(image, field_map, points, times)
    y = argand.torch.apply(A, x)                          # any argand operator
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from .. import _arrays
from .._field import FieldDFT, SegmentedNUFFT
from .._op import Operator
from ._plan import Plan, complex_dtype, fft

Function: Any = torch.autograd.Function
if not hasattr(Function, "setup_context"):
    raise ImportError(f"argand.torch needs PyTorch 2.0 or later, and this is {torch.__version__}; argand's own functions take its tensors")
_uncompiled: Any = getattr(getattr(torch, "compiler", None), "disable", lambda function: function)  # torch.compile breaks its graph here
if hasattr(torch.library, "register_vmap"):  # PyTorch 2.5
    from . import _compiled

    _compilable: Any = lambda function: function  # noqa: E731
else:
    _compilable = _uncompiled


def _is_compiling() -> bool:
    return bool(torch.compiler.is_compiling())


@_uncompiled  # type: ignore[untyped-decorator, unused-ignore]
def _eager(kind: Any, *arguments: Any) -> Any:
    return kind.apply(*arguments)

_WIDER = {torch.float16: torch.float32, torch.bfloat16: torch.float32, getattr(torch, "complex32", None): torch.complex64}


def _tensor(x: Any, what: str) -> Any:
    """float32, float64, complex64 or complex128: halves become single, whole numbers double, as everywhere in argand."""
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"{what} is a torch.Tensor here, not {type(x).__name__}: torch.as_tensor makes one")
    if x.dtype in _WIDER:
        return x.to(_WIDER[x.dtype])
    return x if x.is_floating_point() or x.is_complex() else x.to(torch.float64)


def _constant(x: Any, what: str, like: Any) -> Any:
    """An array by which nothing is differentiated."""
    if isinstance(x, torch.Tensor) and x.requires_grad and torch.is_grad_enabled():
        raise TypeError(f"there is no gradient by {what} here: give {what}.detach()")
    return _tensor(torch.as_tensor(x, device=like.device), what)


def _like(found: Any, x: Any) -> Any:
    """A gradient by x, which may be real."""
    return found if x.is_complex() else found.real


class _Apply(Function):  # type: ignore[misc, unused-ignore]
    @staticmethod
    def forward(op: Operator, x: Any) -> Any:
        return op(x)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.op, x = inputs
        ctx.is_complex = x.is_complex()

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        back = _Apply.apply(ctx.op.adjoint, gradient)
        return None, back if ctx.is_complex else back.real

    @staticmethod
    def jvp(ctx: Any, op: None, tangent: Any) -> Any:
        return _Apply.apply(ctx.op, tangent)

    @staticmethod
    def vmap(info: Any, in_dims: Any, op: Operator, x: Any) -> Any:
        return torch.stack([_Apply.apply(op, part) for part in x.unbind(in_dims[1])]), 0


@_compilable  # type: ignore[untyped-decorator, unused-ignore]
def apply(op: Operator, x: Any) -> Any:
    """A x with its gradient A^H; x: a tensor of op.input_shape."""
    if _is_compiling():
        return _compiled.apply(_tensor(x, "x"), op._number, False)
    return _eager(_Apply, op, _tensor(x, "x"))


class _Nufft(Function):  # type: ignore[misc, unused-ignore]
    """A x of images, or A^H x of samples; each is the other's gradient by x, so that derivatives by x may be taken any number of times."""

    @staticmethod
    def forward(x: Any, points: Any, plan: Plan, is_adjoint: bool) -> Any:
        return plan.run(x, points, is_adjoint)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        x, points, ctx.plan, ctx.is_adjoint = inputs
        ctx.save_for_backward(x, points)
        ctx.save_for_forward(x, points)
        ctx.set_materialize_grads(False)  # a tangent that is not there is None

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        x, points = ctx.saved_tensors
        by_x = by_points = None
        if gradient is None:
            return None, None, None, None
        if ctx.needs_input_grad[0]:
            by_x = _like(_Nufft.apply(gradient, points, ctx.plan, not ctx.is_adjoint), x)
        if ctx.needs_input_grad[1]:
            samples, image = (x, gradient) if ctx.is_adjoint else (gradient, x)
            by_points = _ByPoints.apply(samples, image, points, ctx.plan)
        return by_x, by_points, None, None

    @staticmethod
    def jvp(ctx: Any, x: Any, points: Any, plan: None, is_adjoint: None) -> Any:
        if points is not None:
            raise NotImplementedError("derivatives by the points are there in reverse mode (backward, torch.func.vjp) alone")
        return _Nufft.apply(x, ctx.saved_tensors[1], ctx.plan, ctx.is_adjoint)

    @staticmethod
    def vmap(info: Any, in_dims: Any, x: Any, points: Any, plan: Plan, is_adjoint: bool) -> Any:
        if in_dims[1] is not None:
            raise NotImplementedError("vmap goes over images or samples, not over points: call it once for each set of points")
        return _Nufft.apply(x.movedim(in_dims[0], 0), points, plan, is_adjoint), 0


class _ByPoints(Function):  # type: ignore[misc, unused-ignore]
    @staticmethod
    def forward(samples: Any, image: Any, points: Any, plan: Plan) -> Any:
        return plan.by_points(samples, image, points)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        raise NotImplementedError("there are no second derivatives by the points")

    @staticmethod
    def vmap(info: Any, in_dims: Any, samples: Any, image: Any, points: Any, plan: Plan) -> Any:
        given = [[x] * info.batch_size if at is None else x.unbind(at) for x, at in zip((samples, image), in_dims)]  # noqa: B905
        return torch.stack([_ByPoints.apply(s, m, points, plan) for s, m in zip(*given)]), 0  # noqa: B905


@_compilable  # type: ignore[untyped-decorator, unused-ignore]
def nufft(image: Any, points: Any, tolerance: float | None = None) -> Any:
    """argand.nufft2 with gradients by the image (..., *shape) and by the points (..., d), cycles per field of view."""
    image = _tensor(image, "image")
    points = _tensor(torch.as_tensor(points, device=image.device), "points")
    rank = points.shape[-1] if points.ndim > 1 else 1
    if image.ndim < rank:
        raise ValueError(f"points of {rank} dimensions and an image of shape {tuple(image.shape)} do not go together")
    if _is_compiling():
        return _compiled.nufft(image, points, list(image.shape[-rank:]), tolerance or 0.0, False)
    return _eager(_Nufft, image, points, Plan(tuple(image.shape[-rank:]), complex_dtype(image), tolerance), False)


@_compilable  # type: ignore[untyped-decorator, unused-ignore]
def nufft_adjoint(samples: Any, points: Any, shape: Sequence[int] | int, tolerance: float | None = None) -> Any:
    """argand.nufft1 with gradients by the samples and by the points."""
    samples = _tensor(samples, "samples")
    points = _tensor(torch.as_tensor(points, device=samples.device), "points")
    if _is_compiling():
        return _compiled.nufft(samples, points, [shape] if isinstance(shape, int) else list(shape), tolerance or 0.0, True)
    return _eager(_Nufft, samples, points, Plan(_arrays.sizes(shape), complex_dtype(samples), tolerance), True)


class _Fft(Function):  # type: ignore[misc, unused-ignore]
    @staticmethod
    def forward(x: Any, axes: tuple[int, ...], norm: str, is_inverse: bool, is_centred: bool) -> Any:
        return fft(x, axes, norm, is_inverse, is_centred)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        x, ctx.axes, ctx.norm, ctx.is_inverse, ctx.is_centred = inputs
        ctx.is_complex = x.is_complex()

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        back = _Fft.apply(gradient, ctx.axes, _OTHER_NORM[ctx.norm], not ctx.is_inverse, ctx.is_centred)
        return back if ctx.is_complex else back.real, None, None, None, None

    @staticmethod
    def jvp(ctx: Any, x: Any, *others: None) -> Any:
        return _Fft.apply(x, ctx.axes, ctx.norm, ctx.is_inverse, ctx.is_centred)

    @staticmethod
    def vmap(info: Any, in_dims: Any, x: Any, axes: tuple[int, ...], norm: str, is_inverse: bool, is_centred: bool) -> Any:
        return _Fft.apply(x.movedim(in_dims[0], 0), axes, norm, is_inverse, is_centred), 0


_OTHER_NORM = {"backward": "forward", "forward": "backward", "ortho": "ortho"}  # of the adjoint: the inverse without its scale


def _fft(x: Any, axes: Any, norm: str | None, is_inverse: bool, is_centred: bool) -> Any:
    x, norm = _tensor(x, "x"), norm or "backward"
    if norm not in _OTHER_NORM:
        raise ValueError(f'norm is "backward", "ortho" or "forward", not {norm!r}')
    given = range(x.ndim) if axes is None else [axes] if isinstance(axes, int) else axes
    from_end = [a - x.ndim if a >= 0 else a for a in given]  # the same axes, whatever vmap puts before them
    if _is_compiling():
        return _compiled.transform(x, from_end, norm, is_inverse, is_centred)
    return _eager(_Fft, x, tuple(from_end), norm, is_inverse, is_centred)


@_compilable  # type: ignore[untyped-decorator, unused-ignore]
def fftn(x: Any, axes: Sequence[int] | int | None = None, norm: str | None = None, *, centred: bool = False) -> Any:
    """argand.fftn over axes (all) with its gradient by x."""
    return _fft(x, axes, norm, False, centred)


@_compilable  # type: ignore[untyped-decorator, unused-ignore]
def ifftn(x: Any, axes: Sequence[int] | int | None = None, norm: str | None = None, *, centred: bool = False) -> Any:
    """argand.ifftn over axes (all) with its gradient by x."""
    return _fft(x, axes, norm, True, centred)


class _Sums:
    """Operators of a field for any number of images."""

    def __init__(self, points: Any, times: Any, dtype: np.dtype[Any], segment_tolerance: float | None) -> None:
        self.times, self._tolerance = times, segment_tolerance
        self._points, self._dtype = points, dtype
        self._known: dict[tuple[int, ...], Operator] = {}

    def operator(self, field_map: Any, batch: tuple[int, ...]) -> Operator:
        if batch not in self._known:
            options: dict[str, Any] = {"times": self.times, "field_map": field_map.detach(), "dtype": self._dtype}
            if self._tolerance is not None:
                options["segment_tolerance"] = self._tolerance
            kind: Any = FieldDFT if self._tolerance is None else SegmentedNUFFT
            self._known[batch] = kind(self._points, tuple(field_map.shape), batch, **options)
        return self._known[batch]


class _Field(Function):  # type: ignore[misc, unused-ignore]
    @staticmethod
    def forward(image: Any, field_map: Any, sums: _Sums) -> Any:
        return sums.operator(field_map, tuple(image.shape[: image.ndim - field_map.ndim]))(image)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        image, field_map, ctx.sums = inputs
        ctx.save_for_backward(image, field_map)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        image, field_map = ctx.saved_tensors
        back = ctx.sums.operator(field_map, tuple(image.shape[: image.ndim - field_map.ndim])).adjoint
        by_image = by_field = None
        if ctx.needs_input_grad[0]:
            by_image = _Once.apply(_like(_Apply.apply(back, gradient), image), field_map)
        if ctx.needs_input_grad[1]:
            # dL/dw_n = Re <G, -i t m_n e_n> = Im(m_n conj(A^H t G)_n), summed over the images
            weighted = _Apply.apply(back, ctx.sums.times.to(gradient.real.dtype) * gradient)
            terms = (image * weighted.conj()).imag
            by_field = _Once.apply(terms.reshape(-1, *field_map.shape).sum(dim=0).to(field_map.dtype), field_map)
        return by_image, by_field, None

    @staticmethod
    def vmap(info: Any, in_dims: Any, image: Any, field_map: Any, sums: _Sums) -> Any:
        if in_dims[1] is not None:
            raise NotImplementedError("vmap goes over images, not over field maps: call it once for each map")
        return _Field.apply(image.movedim(in_dims[0], 0), field_map, sums), 0


class _Once(Function):  # type: ignore[misc, unused-ignore]
    """x, which depends on the field map in a way that is not followed further."""

    @staticmethod
    def forward(x: Any, field_map: Any) -> Any:
        return x.clone()

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        if ctx.needs_input_grad[1]:
            raise NotImplementedError("there are no second derivatives by the field map")
        return gradient, None

    @staticmethod
    def vmap(info: Any, in_dims: Any, x: Any, field_map: Any) -> Any:
        return _Once.apply(x.movedim(in_dims[0], 0), field_map), 0


@_uncompiled  # type: ignore[untyped-decorator, unused-ignore]
def field_dft(image: Any, field_map: Any, points: Any, times: Any, segment_tolerance: float | None = None) -> Any:
    """The field-corrected transform with gradients by the image (..., *shape) and by the field map (*shape, rad/s).

    points (..., d), times (...) in s. Exact, or by segments of that tolerance.
    """
    image = _tensor(image, "image")
    field_map = _tensor(torch.as_tensor(field_map, device=image.device), "field_map")
    if tuple(image.shape[image.ndim - field_map.ndim :]) != tuple(field_map.shape) or image.ndim < field_map.ndim:
        raise ValueError(f"image has the shape (..., {', '.join(map(str, field_map.shape))}), that of field_map, not {tuple(image.shape)}")
    sums = _Sums(_constant(points, "points", image), _constant(times, "times", image), complex_dtype(image), segment_tolerance)
    return _Field.apply(image, field_map, sums)
