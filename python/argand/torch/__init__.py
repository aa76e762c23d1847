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
from .._library import call, ffi, lib
from .._nufft import Points, _split, _transform, make_plan
from .._op import Operator

Function: Any = torch.autograd.Function
if not hasattr(Function, "setup_context"):
    raise ImportError(f"argand.torch needs PyTorch 2.0 or later, and this is {torch.__version__}; argand's own functions take its tensors")
_uncompiled: Any = getattr(getattr(torch, "compiler", None), "disable", lambda function: function)  # torch.compile breaks its graph here
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


def _complex_dtype(x: Any) -> Any:
    return np.dtype(_arrays.as_complex(np.dtype(str(x.dtype).removeprefix("torch."))))


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


@_uncompiled  # type: ignore[untyped-decorator, unused-ignore]
def apply(op: Operator, x: Any) -> Any:
    """A x with its gradient A^H; x: a tensor of op.input_shape."""
    return _Apply.apply(op, _tensor(x, "x"))


class _Plan:
    """A NUFFT of some points, made when they are there, and what it gives for a gradient by them."""

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], tolerance: float | None) -> None:
        self.shape, self.dtype, self._tolerance = shape, dtype, tolerance
        self._plan: Any = None

    def _make(self, points: Any) -> None:
        if self._plan is None:
            self.points = Points(points.detach(), len(self.shape))
            self.device = _arrays.home(self.points.operand, None)
            self._plan = make_plan(self.points, self.shape, self.dtype, self.device, self._tolerance, None)

    def run(self, x: Any, points: Any, is_adjoint: bool) -> Any:
        self._make(points)
        count = (self.points.count,)
        if is_adjoint:
            batch = _split(tuple(x.shape), self.points.shape, "samples")
            return _transform(self._given(x), lib.argand_nufft_adjoint, self._plan, self.device, batch, count, self.shape)
        batch = _split(tuple(x.shape), self.shape, "images")
        result = _transform(self._given(x), lib.argand_nufft_apply, self._plan, self.device, batch, self.shape, count)
        return result.reshape((*batch, *self.points.shape))

    def _given(self, x: Any) -> _arrays.Operand:
        return _arrays.contiguous(_arrays.convert(_arrays.operand(x.detach()), self.dtype))

    def by_points(self, samples: Any, image: Any, points: Any) -> Any:
        """The gradient of Re <samples, A image> by the points, in their shape."""
        self._make(points)
        s, m = self._given(samples), self._given(image)
        vectors = _arrays.count(s.shape) // self.points.count
        real = _arrays.as_real(self.dtype)
        rank = len(self.shape)
        found = [s.space.operand(s.space.empty((self.points.count,), real)) for _ in range(rank)]
        with self.device.turn:
            axes = [_arrays.to_device(x, self.device) for x in reversed(found)]  # x, the last axis, is the library's first
            call(
                lib.argand_nufft_gradient, self._plan, ffi.new("argand_array *[]", axes),
                _arrays.wrap(self.device, s.pointer, s.dtype, (vectors, self.points.count), None),
                _arrays.wrap(self.device, m.pointer, m.dtype, (vectors, *self.shape), None),
            )  # fmt: skip
        return torch.stack([x.array for x in found], dim=-1).to(points.dtype).reshape(points.shape)


class _Nufft(Function):  # type: ignore[misc, unused-ignore]
    """A x of images, or A^H x of samples; each is the other's gradient by x, so that derivatives by x may be taken any number of times."""

    @staticmethod
    def forward(x: Any, points: Any, plan: _Plan, is_adjoint: bool) -> Any:
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
    def vmap(info: Any, in_dims: Any, x: Any, points: Any, plan: _Plan, is_adjoint: bool) -> Any:
        if in_dims[1] is not None:
            raise NotImplementedError("vmap goes over images or samples, not over points: call it once for each set of points")
        return _Nufft.apply(x.movedim(in_dims[0], 0), points, plan, is_adjoint), 0


class _ByPoints(Function):  # type: ignore[misc, unused-ignore]
    @staticmethod
    def forward(samples: Any, image: Any, points: Any, plan: _Plan) -> Any:
        return plan.by_points(samples, image, points)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        raise NotImplementedError("there are no second derivatives by the points")

    @staticmethod
    def vmap(info: Any, in_dims: Any, samples: Any, image: Any, points: Any, plan: _Plan) -> Any:
        given = [[x] * info.batch_size if at is None else x.unbind(at) for x, at in zip((samples, image), in_dims)]  # noqa: B905
        return torch.stack([_ByPoints.apply(s, m, points, plan) for s, m in zip(*given)]), 0  # noqa: B905


@_uncompiled  # type: ignore[untyped-decorator, unused-ignore]
def nufft(image: Any, points: Any, tolerance: float | None = None) -> Any:
    """argand.nufft2 with gradients by the image (..., *shape) and by the points (..., d), cycles per field of view."""
    image = _tensor(image, "image")
    points = _tensor(torch.as_tensor(points, device=image.device), "points")
    rank = points.shape[-1] if points.ndim > 1 else 1
    if image.ndim < rank:
        raise ValueError(f"points of {rank} dimensions and an image of shape {tuple(image.shape)} do not go together")
    return _Nufft.apply(image, points, _Plan(tuple(image.shape[-rank:]), _complex_dtype(image), tolerance), False)


@_uncompiled  # type: ignore[untyped-decorator, unused-ignore]
def nufft_adjoint(samples: Any, points: Any, shape: Sequence[int] | int, tolerance: float | None = None) -> Any:
    """argand.nufft1 with gradients by the samples and by the points."""
    samples = _tensor(samples, "samples")
    points = _tensor(torch.as_tensor(points, device=samples.device), "points")
    return _Nufft.apply(samples, points, _Plan(_arrays.sizes(shape), _complex_dtype(samples), tolerance), True)


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
    sums = _Sums(_constant(points, "points", image), _constant(times, "times", image), _complex_dtype(image), segment_tolerance)
    return _Field.apply(image, field_map, sums)
