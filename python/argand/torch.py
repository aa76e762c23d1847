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

from . import _arrays
from ._field import FieldDFT, SegmentedNUFFT
from ._library import call, ffi, lib
from ._nufft import Points, _transform, make_plan
from ._op import Operator

Function: Any = torch.autograd.Function


class _Apply(Function):  # type: ignore[misc, unused-ignore]
    @staticmethod
    def forward(ctx: Any, op: Operator, x: Any) -> Any:
        ctx.op, ctx.is_complex = op, x.is_complex()
        return op(x)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        back = ctx.op.adjoint(gradient.contiguous())
        return None, back if ctx.is_complex else back.real


def apply(op: Operator, x: Any) -> Any:
    """A x with its gradient A^H; x: a tensor of op.input_shape."""
    return _Apply.apply(op, x)


class _Plan:
    """A NUFFT of some points, and what it gives for a gradient by them."""

    def __init__(self, points: Any, shape: tuple[int, ...], dtype: np.dtype[Any], tolerance: float | None) -> None:
        self.points, self.shape, self.dtype = Points(points.detach(), len(shape)), shape, dtype
        self.device = _arrays.place(self.points.operand, None)
        self._plan = make_plan(self.points, shape, dtype, self.device, tolerance, None)

    def apply(self, image: Any) -> Any:
        batch = tuple(image.shape[: image.ndim - len(self.shape)])
        result = _transform(self._given(image), lib.argand_nufft_apply, self._plan, self.device, batch, self.shape, (self.points.count,))
        return result.reshape((*batch, *self.points.shape))

    def adjoint(self, samples: Any) -> Any:
        batch = tuple(samples.shape[: samples.ndim - len(self.points.shape)])
        return _transform(self._given(samples), lib.argand_nufft_adjoint, self._plan, self.device, batch, (self.points.count,), self.shape)

    def _given(self, x: Any) -> _arrays.Operand:
        return _arrays.contiguous(_arrays.convert(_arrays.operand(x.detach()), self.dtype))

    def by_points(self, samples: Any, image: Any) -> Any:
        """The gradient of Re <samples, A image> by the points, in their shape."""
        s, m = self._given(samples), self._given(image)
        vectors = _arrays.count(s.shape) // self.points.count
        real = _arrays.as_real(self.dtype)
        rank = len(self.shape)
        found = [s.space.operand(s.space.empty((self.points.count,), real)) for _ in range(rank)]
        axes = [_arrays.to_device(x, self.device) for x in reversed(found)]  # x, the last axis, is the library's first
        call(
            lib.argand_nufft_gradient, self._plan, ffi.new("argand_array *[]", axes),
            _arrays.wrap(self.device, s.pointer, s.dtype, (vectors, self.points.count), None),
            _arrays.wrap(self.device, m.pointer, m.dtype, (vectors, *self.shape), None),
        )  # fmt: skip
        return torch.stack([x.array for x in found], dim=-1).reshape(*self.points.shape, rank)


def _numpy_dtype(x: Any) -> np.dtype[Any]:
    return np.dtype(str(x.dtype).removeprefix("torch."))


class _Nufft(Function):  # type: ignore[misc, unused-ignore]
    @staticmethod
    def forward(ctx: Any, image: Any, points: Any, tolerance: float | None) -> Any:
        rank = points.shape[-1] if points.ndim > 1 else 1
        plan = _Plan(points, tuple(image.shape[-rank:]), _arrays.as_complex(_numpy_dtype(image)), tolerance)
        ctx.plan, ctx.points_like = plan, points
        ctx.save_for_backward(image)
        return plan.apply(image)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        (image,) = ctx.saved_tensors
        by_image = by_points = None
        if ctx.needs_input_grad[0]:
            back = ctx.plan.adjoint(gradient)
            by_image = back if image.is_complex() else back.real
        if ctx.needs_input_grad[1]:
            by_points = ctx.plan.by_points(gradient, image).to(ctx.points_like.dtype).reshape(ctx.points_like.shape)
        return by_image, by_points, None


class _NufftAdjoint(Function):  # type: ignore[misc, unused-ignore]
    @staticmethod
    def forward(ctx: Any, samples: Any, points: Any, shape: tuple[int, ...], tolerance: float | None) -> Any:
        plan = _Plan(points, shape, _arrays.as_complex(_numpy_dtype(samples)), tolerance)
        ctx.plan, ctx.points_like = plan, points
        ctx.save_for_backward(samples)
        return plan.adjoint(samples)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        (samples,) = ctx.saved_tensors
        by_samples = by_points = None
        if ctx.needs_input_grad[0]:
            forward = ctx.plan.apply(gradient)
            by_samples = forward if samples.is_complex() else forward.real
        if ctx.needs_input_grad[1]:
            by_points = ctx.plan.by_points(samples, gradient).to(ctx.points_like.dtype).reshape(ctx.points_like.shape)
        return by_samples, by_points, None, None


def nufft(image: Any, points: Any, tolerance: float | None = None) -> Any:
    """argand.nufft2 with gradients by the image (..., *shape) and by the points (..., d), cycles per field of view."""
    return _Nufft.apply(image, points, tolerance)


def nufft_adjoint(samples: Any, points: Any, shape: Sequence[int], tolerance: float | None = None) -> Any:
    """argand.nufft1 with gradients by the samples and by the points."""
    return _NufftAdjoint.apply(samples, points, tuple(shape), tolerance)


class _Field(Function):  # type: ignore[misc, unused-ignore]
    @staticmethod
    def forward(ctx: Any, image: Any, field_map: Any, points: Any, times: Any, segment_tolerance: float | None) -> Any:
        rank = field_map.ndim
        batch = tuple(image.shape[:-rank])
        options: dict[str, Any] = {
            "times": times.detach(), "field_map": field_map.detach(), "dtype": _arrays.as_complex(_numpy_dtype(image)),
        }  # fmt: skip
        shape = tuple(field_map.shape)
        if segment_tolerance is None:
            ctx.op = FieldDFT(points.detach(), shape, batch, **options)
        else:
            ctx.op = SegmentedNUFFT(points.detach(), shape, batch, segment_tolerance=segment_tolerance, **options)
        ctx.save_for_backward(image, times)
        ctx.field_like = field_map
        return ctx.op(image.detach())

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        image, times = ctx.saved_tensors
        by_image = by_field = None
        if ctx.needs_input_grad[0]:
            back = ctx.op.adjoint(gradient.contiguous())
            by_image = back if image.is_complex() else back.real
        if ctx.needs_input_grad[1]:
            # dL/dw_n = Re <G, -i t m_n e_n> = Im(m_n conj(A^H t G)_n), summed over the images
            weighted = ctx.op.adjoint((times * gradient).contiguous())
            terms = (image * weighted.conj()).imag
            by_field = terms.reshape(-1, *ctx.field_like.shape).sum(dim=0).to(ctx.field_like.dtype)
        return by_image, by_field, None, None, None


def field_dft(image: Any, field_map: Any, points: Any, times: Any, segment_tolerance: float | None = None) -> Any:
    """The field-corrected transform with gradients by the image (..., *shape) and by the field map (*shape, rad/s).

    points (..., d), times (...) in s. Exact, or by segments of that tolerance.
    """
    return _Field.apply(image, field_map, points, times, segment_tolerance)
