# SPDX-License-Identifier: BSD-3-Clause
"""What is computed for tensors, without their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from .. import _arrays
from .._fft import fftn, ifftn
from .._library import call, ffi, lib
from .._nufft import _split, _transform, make_plan
from .._options import Points


def complex_dtype(x: Any) -> np.dtype[Any]:
    found: np.dtype[Any] = _arrays.as_complex(np.dtype(str(x.dtype).removeprefix("torch.")))
    return found


def fft(x: Any, axes: Sequence[int], norm: Any, is_inverse: bool, is_centred: bool) -> Any:
    return (ifftn if is_inverse else fftn)(x.detach(), axes=tuple(axes), norm=norm, centred=is_centred)


class Plan:
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
