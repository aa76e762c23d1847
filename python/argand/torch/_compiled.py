# SPDX-License-Identifier: BSD-3-Clause
"""What torch.compile sees: operators of PyTorch with the shapes of their results and their gradients, which it calls without looking inside.

They take tensors and numbers alone: an operator of argand is known by its number, and a plan is found again by its points.
"""

from __future__ import annotations

import collections
import threading
from typing import Any

import torch

from .._op import numbered
from ._plan import Plan, complex_dtype, fft

_COMPLEX = {torch.float32: torch.complex64, torch.float64: torch.complex128}


def _complex_of(x: torch.Tensor) -> torch.dtype:
    return _COMPLEX.get(x.dtype, x.dtype)


def _operator(number: int) -> Any:
    found = numbered.get(int(number))
    if found is None:
        raise RuntimeError("an argand operator that a compiled function used is no longer there: keep it as long as the function")
    return found


@torch.library.custom_op("argand::apply", mutates_args=())  # type: ignore[untyped-decorator, unused-ignore]
def apply(x: torch.Tensor, number: int, is_adjoint: bool) -> torch.Tensor:
    op = _operator(number)
    result: torch.Tensor = (op.adjoint if is_adjoint else op)(x.detach())
    return result


@apply.register_fake  # type: ignore[untyped-decorator, unused-ignore]
def _(x: torch.Tensor, number: int, is_adjoint: bool) -> torch.Tensor:
    op = _operator(number)
    shape, dtype = (op.input_shape, op.dtype) if is_adjoint else (op.output_shape, op.output_dtype)
    return x.new_empty(shape, dtype=getattr(torch, dtype.name))


def _apply_setup(ctx: Any, inputs: Any, output: Any) -> None:
    x, ctx.number, ctx.is_adjoint = inputs
    ctx.is_complex = x.is_complex()


def _apply_backward(ctx: Any, gradient: torch.Tensor) -> Any:
    back = apply(gradient, ctx.number, not ctx.is_adjoint)
    return back if ctx.is_complex or not back.is_complex() else back.real, None, None


apply.register_autograd(_apply_backward, setup_context=_apply_setup)


@apply.register_vmap  # type: ignore[untyped-decorator, unused-ignore]
def _(info: Any, in_dims: Any, x: torch.Tensor, number: int, is_adjoint: bool) -> Any:
    return torch.stack([apply(part, number, is_adjoint) for part in x.unbind(in_dims[0])]), 0


class _Plans:
    """The last plans, by points on the host that are equal; points on a GPU would have to be waited for, and get a plan in each call."""

    MOST = 8

    def __init__(self) -> None:
        self._known: collections.deque[tuple[Any, torch.Tensor, Plan, threading.Lock]] = collections.deque(maxlen=self.MOST)

    def run(self, method: str, points: torch.Tensor, shape: Any, dtype: Any, tolerance: float, *arguments: Any) -> Any:
        asked = (tuple(int(n) for n in shape), dtype, tolerance)
        if points.is_cuda:
            return getattr(Plan(*asked), method)(*arguments)
        for key, known, plan, lock in list(self._known):
            if key == asked and known.dtype == points.dtype and torch.equal(known, points):
                break
        else:
            plan, lock = Plan(*asked), threading.Lock()
            self._known.append((asked, points.detach().clone(), plan, lock))
        with lock:
            return getattr(plan, method)(*arguments)


_plans = _Plans()


@torch.library.custom_op("argand::nufft", mutates_args=())  # type: ignore[untyped-decorator, unused-ignore]
def nufft(x: torch.Tensor, points: torch.Tensor, shape: list[int], tolerance: float, is_adjoint: bool) -> torch.Tensor:
    result: torch.Tensor = _plans.run("run", points, shape, complex_dtype(x), tolerance, x, points, is_adjoint)
    return result


@nufft.register_fake  # type: ignore[untyped-decorator, unused-ignore]
def _(x: torch.Tensor, points: torch.Tensor, shape: list[int], tolerance: float, is_adjoint: bool) -> torch.Tensor:
    count = points.shape[:-1] if points.ndim > 1 else points.shape
    lead = x.shape[: x.ndim - (len(count) if is_adjoint else len(shape))]
    return x.new_empty((*lead, *(shape if is_adjoint else count)), dtype=_complex_of(x))


def _nufft_setup(ctx: Any, inputs: Any, output: Any) -> None:
    x, points, ctx.shape, ctx.tolerance, ctx.is_adjoint = inputs
    ctx.save_for_backward(x, points)


def _nufft_backward(ctx: Any, gradient: torch.Tensor) -> Any:
    x, points = ctx.saved_tensors
    by_x = by_points = None
    if ctx.needs_input_grad[0]:
        by_x = nufft(gradient, points, ctx.shape, ctx.tolerance, not ctx.is_adjoint)
        by_x = by_x if x.is_complex() else by_x.real
    if ctx.needs_input_grad[1]:
        samples, image = (x, gradient) if ctx.is_adjoint else (gradient, x)
        by_points = nufft_by_points(samples, image, points, ctx.shape, ctx.tolerance)
    return by_x, by_points, None, None, None


nufft.register_autograd(_nufft_backward, setup_context=_nufft_setup)


@nufft.register_vmap  # type: ignore[untyped-decorator, unused-ignore]
def _(info: Any, in_dims: Any, x: torch.Tensor, points: torch.Tensor, shape: list[int], tolerance: float, is_adjoint: bool) -> Any:
    if in_dims[1] is not None:
        raise NotImplementedError("vmap goes over images or samples, not over points: call it once for each set of points")
    return nufft(x.movedim(in_dims[0], 0), points, shape, tolerance, is_adjoint), 0


@torch.library.custom_op("argand::nufft_by_points", mutates_args=())  # type: ignore[untyped-decorator, unused-ignore]
def nufft_by_points(samples: torch.Tensor, image: torch.Tensor, points: torch.Tensor, shape: list[int], tolerance: float) -> torch.Tensor:
    result: torch.Tensor = _plans.run("by_points", points, shape, complex_dtype(samples), tolerance, samples, image, points)
    return result


@nufft_by_points.register_fake  # type: ignore[untyped-decorator, unused-ignore]
def _(samples: torch.Tensor, image: torch.Tensor, points: torch.Tensor, shape: list[int], tolerance: float) -> torch.Tensor:
    return points.new_empty(points.shape)


def _refused(ctx: Any, gradient: torch.Tensor) -> Any:
    raise NotImplementedError("there are no second derivatives by the points")


nufft_by_points.register_autograd(_refused)


@torch.library.custom_op("argand::fft", mutates_args=())  # type: ignore[untyped-decorator, unused-ignore]
def transform(x: torch.Tensor, axes: list[int], norm: str, is_inverse: bool, is_centred: bool) -> torch.Tensor:
    result: torch.Tensor = fft(x, axes, norm, is_inverse, is_centred)
    return result


@transform.register_fake  # type: ignore[untyped-decorator, unused-ignore]
def _(x: torch.Tensor, axes: list[int], norm: str, is_inverse: bool, is_centred: bool) -> torch.Tensor:
    return x.new_empty(x.shape, dtype=_complex_of(x))


def _transform_setup(ctx: Any, inputs: Any, output: Any) -> None:
    x, ctx.axes, ctx.norm, ctx.is_inverse, ctx.is_centred = inputs
    ctx.is_complex = x.is_complex()


def _transform_backward(ctx: Any, gradient: torch.Tensor) -> Any:
    back = transform(gradient, ctx.axes, OTHER_NORM[ctx.norm], not ctx.is_inverse, ctx.is_centred)
    return back if ctx.is_complex else back.real, None, None, None, None


OTHER_NORM = {"backward": "forward", "forward": "backward", "ortho": "ortho"}  # of the adjoint, which is the inverse without its scale
transform.register_autograd(_transform_backward, setup_context=_transform_setup)


@transform.register_vmap  # type: ignore[untyped-decorator, unused-ignore]
def _(info: Any, in_dims: Any, x: torch.Tensor, axes: list[int], norm: str, is_inverse: bool, is_centred: bool) -> Any:
    return transform(x.movedim(in_dims[0], 0), axes, norm, is_inverse, is_centred), 0  # axes are counted from the end
