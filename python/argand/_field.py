# SPDX-License-Identifier: BSD-3-Clause
"""Transforms with a field: the exact field-corrected DFT, its segments, normal operators as convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _arrays, _html
from ._device import Device
from ._library import call, ffi, lib, make, names_of, struct, text
from ._nufft import make_plan
from ._options import Points
from ._op import Operator, _new, complex_dtype
from ._recipe import Fetched, Recipe, once, remembered
from ._types import Array, ArrayLike, DTypeLike, Interpolator, same_kind

INTERPOLATORS = names_of(lib.argand_interpolator_name)


_UNITS = {"t": "times in s", "field_map": "field map in rad/s", "r2star": "R2* in 1/s", "mask": "mask", "weights": "weights"}


class _Maps:
    """Real arrays that options point to; they live as long as this object."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.options: dict[str, Any] = {}

    def said(self) -> str:
        """What was given, with its unit."""
        return ", ".join(unit for name, unit in _UNITS.items() if name in self.options)

    def add(self, field: str, x: Any, shape: tuple[int, ...], name: str | None = None) -> None:
        """For that field of the options; `name` is the argument's, where it is another one."""
        if x is None:
            return
        name = name or field
        seen = _arrays.operand(x)
        if seen.dtype.kind == "c":
            raise TypeError(f"{name} is real, not {seen.dtype}")
        if seen.space.is_host and seen.shape != shape:
            seen = seen.space.operand(_arrays.broadcast(name, seen.array, shape))
        if seen.shape != shape:
            raise ValueError(f"{name} has the shape {shape}, not {seen.shape}")
        self.options[field] = _arrays.to_device(_arrays.contiguous(seen), self._device)


def _positions(points: Any, shape: Sequence[int], device: Device | str | None) -> tuple[Points, tuple[int, ...], Device]:
    n = _arrays.sizes(shape)
    where = Points(points, len(n))
    return where, n, _arrays.home(where.operand, device)


class FieldDFT(Operator):
    """The exact transform with a field, every pair of sample and pixel, from images (*batch, *shape) to samples (*batch, points' axes):

        s_j = sum_n m_n exp(-R_n t_j) exp(-i (2 pi k_j . r_n + w_n t_j))

    points     (..., d), d = 1, 2 or 3, in cycles per field of view, the last axis in the order of the image's axes, (z, y, x)
    shape      of the image, ([nz,] [ny,] nx)
    batch      first axes of images and samples, as (coils,) (default (): none)
    times      t, (...) in s from the excitation, one a point, or of a shape that repeats to that (default None: no field)
    field_map  w, (*shape) in rad/s (default None: 0)
    r2star     R, (*shape) in 1/s (default None: 0)
    mask       (*shape): pixels where it is 0 are skipped (default None)
    gradients  also take the mean over each voxel, in which the field changes linearly (default False)
    tolerance  allowed relative error, which lets some devices be faster (default 0.0: the best of the precision)
    dtype      complex64 or complex128 (default complex128)
    device     where to compute, as "cpu" or "cuda:0" (default None: where the points are)

    >>> A = argand.FieldDFT([[0.0, 0.0]], (2, 2), times=[0.5], field_map=np.full((2, 2), np.pi))
    >>> bool(np.allclose(A @ np.ones((2, 2)), -4j))
    True
    """

    @remembered
    def __init__(
        self, points: ArrayLike, shape: Sequence[int], batch: Sequence[int] = (), *, times: ArrayLike | None = None,
        field_map: ArrayLike | None = None, r2star: ArrayLike | None = None, mask: ArrayLike | None = None, gradients: bool = False,
        tolerance: float = 0.0, dtype: DTypeLike = np.complex128, device: Device | str | None = None,
    ) -> None:  # fmt: skip
        where, n, target = _positions(points, shape, device)
        batch = _arrays.sizes(batch, "batch")
        with target.turn:
            maps = _Maps(target)
            maps.add("t", times, where.shape, "times")
            for name, x in [("field_map", field_map), ("r2star", r2star), ("mask", mask)]:
                maps.add(name, x, n)
            k = where.arrays(target)
            options = struct("argand_field_options", {
                "type": _arrays.TYPES[complex_dtype(dtype)], "rank": where.rank, "n": list(n)[::-1], "k": k, "gradients": gradients,
                "tolerance": tolerance, **maps.options,
            })  # fmt: skip
            plan = make(lib.argand_field_create, "argand_field", lib.argand_field_destroy, target._handle, options)
            ffi.gc(plan, None)  # the operator's from here on
            handle = _new(lib.argand_op_field, target._handle, plan, _arrays.count(batch))
        super().__init__(handle, target, (*batch, *n), (*batch, *where.shape))
        self._facts = [("points", f"{where.count}, cycles per field of view"), ("with", maps.said())]


@same_kind
def field_dft(
    image: ArrayLike, points: ArrayLike, times: ArrayLike | None = None, field_map: ArrayLike | None = None, *,
    r2star: ArrayLike | None = None, mask: ArrayLike | None = None, gradients: bool = False, tolerance: float = 0.0,
    dtype: DTypeLike | None = None, device: Device | str | None = None,
) -> Array:  # fmt: skip
    """The exact transform with a field, once: images (..., *shape) to samples (..., points' first axes); see FieldDFT.

    image      (..., [nz,] [ny,] nx): the last axes, as many as points have dimensions, are transformed
    points     (..., d), d = 1, 2 or 3, in cycles per field of view, the last axis in the order of the image's axes, (z, y, x)
    times      (...) in s from the excitation, one a point (default None: no field)
    field_map  (*shape) in rad/s (default None: 0)
    r2star     (*shape) in 1/s (default None: 0)
    mask       (*shape): pixels where it is 0 are skipped (default None)
    gradients  also take the mean over each voxel, in which the field changes linearly (default False)
    tolerance  allowed relative error, which lets some devices be faster (default 0.0: the best of the precision)
    dtype      complex64 or complex128 (default None: the image's precision)
    device     where to compute, as "cpu" or "cuda:0" (default None: where the points are)

    >>> bool(np.allclose(argand.field_dft(np.eye(4), [[1.0, 1.0]]), argand.nufft2(np.eye(4), [[1.0, 1.0]])))
    True
    """
    x = _arrays.operand(image)
    shape = np.shape(points)  # type: ignore[arg-type]
    rank = shape[-1] if len(shape) > 1 else 1
    at = len(x.shape) - rank
    if at < 0:
        raise ValueError(f"points of {rank} dimensions and an image of shape {x.shape} do not go together")
    samples: Array = FieldDFT(
        points, x.shape[at:], x.shape[:at], times=times, field_map=field_map, r2star=r2star, mask=mask, gradients=gradients,
        tolerance=tolerance, dtype=_arrays.as_complex(x.dtype) if dtype is None else dtype, device=device,
    )(x.array)  # fmt: skip
    return samples


class SegmentsInfo(NamedTuple):
    """How a field was cut: terms, relative rms error of the exponential, the interpolator."""

    terms: int
    error: float
    interpolator: str


class SegmentedNUFFT(Operator):
    """FieldDFT by NUFFTs: field and decay become a sum of products in time and space. Images (*batch, *shape) to samples (*batch, points' axes).

    points             (..., d), d = 1, 2 or 3, in cycles per field of view, the last axis in the order of the image's axes, (z, y, x)
    shape              of the image, ([nz,] [ny,] nx)
    batch              first axes of images and samples, as (coils,) (default (): none)
    times              (...) in s from the excitation, one a point, or of a shape that repeats to that
    field_map          (*shape) in rad/s (default None: 0)
    r2star             (*shape) in 1/s (default None: 0)
    mask               (*shape): pixels where it is 0 are not counted (default None)
    segments           L, which gives L + 1 terms (default 0: as many as segment_tolerance requires)
    segment_tolerance  relative rms error of the exponential (default 0.0: 1e-3)
    interpolator       "auto", "linear", "hann", "min-max" or "svd" (default "auto")
    frequency          segments of frequency instead of time (default False)
    tolerance          error of the NUFFT, as for nufft2 (default None: 1e-5 for complex64, 1e-9 for complex128)
    dtype              complex64 or complex128 (default complex128)
    device             where to compute, as "cpu" or "cuda:0" (default None: where the points are)

    info               an argand.SegmentsInfo: terms, the error that was reached, the interpolator

    >>> k, t = argand.trajectory.spiral((16, 16), shots=2)
    >>> A = argand.SegmentedNUFFT(k, (16, 16), times=t, field_map=argand.head_field((16, 16), field_range_hz=50), segment_tolerance=1e-4)
    >>> A.info.error < 1e-4, A.output_shape == k.shape[:-1]
    (True, True)
    """

    @remembered
    def __init__(
        self, points: ArrayLike, shape: Sequence[int], batch: Sequence[int] = (), *, times: ArrayLike, field_map: ArrayLike | None = None,
        r2star: ArrayLike | None = None, mask: ArrayLike | None = None, segments: int = 0, segment_tolerance: float = 0.0,
        interpolator: Interpolator = "auto", frequency: bool = False, tolerance: float | None = None, dtype: DTypeLike = np.complex128,
        device: Device | str | None = None,
    ) -> None:  # fmt: skip
        where, n, target = _positions(points, shape, device)
        batch = _arrays.sizes(batch, "batch")
        if interpolator not in INTERPOLATORS:
            raise ValueError(f"interpolator is one of {', '.join(INTERPOLATORS)}, not {interpolator!r}")
        with target.turn:
            maps = _Maps(target)
            maps.add("t", times, where.shape, "times")
            for name, x in [("field_map", field_map), ("r2star", r2star), ("mask", mask)]:
                maps.add(name, x, n)
            options = struct("argand_segments_options", {
                "type": _arrays.TYPES[complex_dtype(dtype)], "interpolator": INTERPOLATORS[interpolator], "frequency": frequency,
                "count": segments, "tolerance": segment_tolerance, **maps.options,
            })  # fmt: skip
            parts = make(lib.argand_segments_create, "argand_segments", lib.argand_segments_destroy, target._handle, options)
            info = ffi.new("argand_segments_info *")
            lib.argand_segments_describe(parts, info)
            self.info = SegmentsInfo(info.terms, info.error, text(lib.argand_interpolator_name(info.interpolator)))
            plan = make_plan(where, n, complex_dtype(dtype), target, tolerance, None)
            ffi.gc(plan, None)  # the operator's from here on
            handle = _new(lib.argand_op_segmented, target._handle, plan, parts, _arrays.count(batch))
        super().__init__(handle, target, (*batch, *n), (*batch, *where.shape))
        self._facts = [
            ("points", f"{where.count}, cycles per field of view"), ("with", maps.said()), ("terms", str(self.info.terms)),
            ("error", f"{self.info.error:.2g}"), ("interpolator", self.info.interpolator),
        ]  # fmt: skip


class Toeplitz(Operator):
    """The normal operator A^H W A of a NUFFT, with a field if one is given, as convolutions: images (*batch, *shape) to such.

    points     (..., d), d = 1, 2 or 3, in cycles per field of view, the last axis in the order of the image's axes, (z, y, x)
    shape      of the image, ([nz,] [ny,] nx)
    batch      first axes of the images, as (coils,) (default (): none)
    weights    W >= 0, one a point (...) (default None: 1)
    times      (...) in s from the excitation, one a point; needed with a field_map or r2star (default None)
    field_map  (*shape) in rad/s (default None: 0)
    r2star     (*shape) in 1/s (default None: 0)
    mask       (*shape): pixels where it is 0 are read and written as 0 (default None)
    tolerance  relative l2 error (default 0.0: 1e-5 for complex64, 1e-9 for complex128, 1e-3 with a field)
    segments   L, which gives L + 1 nodes in time (default 0: as few as reach the tolerance)
    dtype      complex64 or complex128 (default complex128)
    device     where to compute, as "cpu" or "cuda:0" (default None: where the points are)

    >>> k = np.random.default_rng(1).uniform(-4, 4, (30, 2))
    >>> T, A, x = argand.Toeplitz(k, (8, 8), tolerance=1e-9), argand.NUFFT(k, (8, 8)), np.eye(8)
    >>> bool(np.allclose(T @ x, A.normal @ x))
    True
    """

    @remembered
    def __init__(
        self, points: ArrayLike, shape: Sequence[int], batch: Sequence[int] = (), *, weights: ArrayLike | None = None,
        times: ArrayLike | None = None, field_map: ArrayLike | None = None, r2star: ArrayLike | None = None, mask: ArrayLike | None = None,
        tolerance: float = 0.0, segments: int = 0, dtype: DTypeLike = np.complex128, device: Device | str | None = None,
    ) -> None:  # fmt: skip
        where, n, target = _positions(points, shape, device)
        batch = _arrays.sizes(batch, "batch")
        with target.turn:
            maps = _Maps(target)
            maps.add("t", times, where.shape, "times")
            maps.add("weights", weights, where.shape)
            for name, x in [("field_map", field_map), ("r2star", r2star), ("mask", mask)]:
                maps.add(name, x, n)
            k = where.arrays(target)
            options = struct("argand_toeplitz_options", {
                "type": _arrays.TYPES[complex_dtype(dtype)], "rank": where.rank, "n": list(n)[::-1], "k": k,
                "tolerance": tolerance, "segments": segments, **maps.options,
            })  # fmt: skip
            self._kernels = make(lib.argand_toeplitz_create, "argand_toeplitz", lib.argand_toeplitz_destroy, target._handle, options)
            handle = _new(lib.argand_op_toeplitz, target._handle, self._kernels, _arrays.count(batch))
        super().__init__(handle, target, (*batch, *n), (*batch, *n))
        info = self._info()
        self._facts = [
            ("points", f"{where.count}, cycles per field of view"), ("with", maps.said()),
            ("grid", str(tuple(list(info.grid)[: info.rank][::-1]))), ("convolutions", str(info.shots * info.segments)),
            ("memory", _html.size(info.bytes)),
        ]  # fmt: skip

    def sense(self, maps: ArrayLike) -> Operator:
        """sum_c conj(S_c) T S_c for coil maps S, the normal operator of SENSE, for `solve`'s `normal`. maps: S, (coils, *shape)."""
        given = _maps_of(maps, self.dtype)
        factors = _arrays.copied(given, self.device)
        recipe = Recipe(Toeplitz.sense, (self, Fetched(factors, self.device)))
        return Operator(_new(lib.argand_op_sense_normal, self._kernels, factors), self.device, given.shape[1:], given.shape[1:], recipe=recipe)

    def circulant(self, maps: ArrayLike | None = None, shift: float = 0.0) -> Operator:
        """A preconditioner for `solve`: the inverse of the nearest circulant matrix plus `shift`.

        maps     coil maps (coils, *shape): the circulant matrix is that of T.sense(maps) (default None: of T)
        shift    what is added to all eigenvalues, as the weight of a quadratic regularizer (default 0.0)
        """
        given = ffi.NULL if maps is None else _arrays.copied(_maps_of(maps, self.dtype), self.device)
        recipe = Recipe(Toeplitz.circulant, (self, None if maps is None else Fetched(given, self.device), shift))
        shape = self.input_shape[len(self.input_shape) - self._rank :]
        return Operator(_new(lib.argand_op_circulant, self._kernels, given, shift), self.device, shape, shape, recipe=recipe)

    def _info(self) -> Any:
        info = ffi.new("argand_toeplitz_info *")
        lib.argand_toeplitz_describe(self._kernels, info)
        return info

    @property
    def _rank(self) -> int:
        return int(self._info().rank)


def _maps_of(maps: Any, dtype: np.dtype[Any]) -> _arrays.Operand:
    given = _arrays.operand(maps)
    return _arrays.contiguous(_arrays.convert(given, dtype))


class SENSE(Operator):
    """y_c = F (S_c x): coil maps before a transform, from an image (*shape) to the transform's output.

    transform  F, an operator of images (coils, *shape), such as argand.NUFFT(points, shape, batch=(coils,))
    maps       S, (coils, *shape), complex

    >>> maps = argand.birdcage((4, 8, 8))
    >>> A = argand.SENSE(argand.FFT((8, 8), batch=(4,), norm="ortho"), maps)
    >>> bool(np.allclose(A.normal @ np.eye(8), np.eye(8)))
    True
    """

    def __init__(self, transform: Operator, maps: ArrayLike) -> None:
        given = _maps_of(maps, transform.dtype)
        if given.shape != transform.input_shape:
            raise ValueError(f"maps of shape {given.shape} and a transform of images {transform.input_shape} do not go together")
        factors = _arrays.copied(given, transform.device)
        recipe = Recipe(SENSE, (transform, Fetched(factors, transform.device))) if type(self) is SENSE else None
        handle = _new(lib.argand_op_sense, transform._handle, factors)
        super().__init__(handle, transform.device, given.shape[1:], transform.output_shape, (transform,), recipe)
        self._facts = [("coils", str(given.shape[0]))]


@same_kind
def field_gradient(field_map: ArrayLike, axis: int, mask: ArrayLike | None = None) -> Array:
    """The gradient of a field map along an axis, in cycles per voxel per second, an array of the map's shape.

    field_map  ([nz,] ny, nx) in rad/s
    axis       the axis, counted as NumPy does
    mask       ([nz,] ny, nx): pixels where it is 0 are not used for differences (default None)

    >>> argand.field_gradient(2 * np.pi * np.arange(3.0)[None, :], 1)
    array([[1., 1., 1.]])
    """
    x, (at,) = _arrays.contiguous(_arrays.operand(field_map)), _arrays.sizes(axis, "axis")
    if not -len(x.shape) <= at < len(x.shape):
        raise ValueError(f"a field map of shape {x.shape} has no axis {at}")
    device = _arrays.place(x, None)
    inside = ffi.NULL if mask is None else _arrays.give(mask, device, x.dtype)
    with device.turn:
        out = _arrays.Output(x, device, x.shape, x.dtype)
        call(lib.argand_field_gradient, out.handle, _arrays.to_device(x, device), inside, len(x.shape) - 1 - at % len(x.shape))
        return out.finish()
