# SPDX-License-Identifier: BSD-3-Clause
"""Nonuniform Fourier transforms: types 1 and 2 between images and samples at any points of k-space, type 3 from points to points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from . import _again, _arrays, _html
from ._arrays import Operand
from ._device import Device
from ._library import Held, call, ffi, lib, make, printed, struct
from ._op import Operator, _new, complex_dtype
from ._options import UNITS, Points, nufft_options
from ._recipe import once, remembered
from ._types import Array, ArrayLike, DTypeLike, GPUArray, Order, Sign, Units, same_kind

if TYPE_CHECKING:
    from ._comm import Comm


class NUFFTInfo(NamedTuple):
    """What a plan is: relative l2 errors, window width in grid cells, bytes held."""

    tolerance: float
    expected_error: float
    oversampling: float
    width: int
    points: int
    bytes: int


_UNIT = {"cycles": "cycles per field of view", "radians": "radians per pixel"}


def make_plan(
    points: Points, shape: Sequence[int], dtype: np.dtype[Any], device: Device, tolerance: float | None, oversampling: float | None,
    **conventions: Any,
) -> Any:  # fmt: skip
    if tolerance is not None and np.ndim(tolerance):
        raise TypeError(f"tolerance is a number, not an array of shape {np.shape(tolerance)}: points are one array (..., d), x last")
    options = nufft_options(points.rank, shape, dtype, tolerance, oversampling, **conventions)
    with device.turn:
        plan = make(lib.argand_nufft_create, "argand_nufft", lib.argand_nufft_destroy, device._handle, options)
        k = points.arrays(device, together=False)
        call(lib.argand_nufft_set_points, plan, ffi.new("argand_array *[]", k))
    return plan


def describe(plan: Any) -> NUFFTInfo:
    info = ffi.new("argand_nufft_info *")
    lib.argand_nufft_describe(plan, info)
    return NUFFTInfo(
        info.tolerance, info.expected_error, info.oversampling, info.width, info.points, info.bytes,
    )


def _split(shape: tuple[int, ...], last: tuple[int, ...], what: str) -> tuple[int, ...]:
    """The batch's axes before those of one vector."""
    at = len(shape) - len(last)
    if at < 0 or shape[at:] != last:
        raise ValueError(f"{what} have the shape (..., {', '.join(map(str, last))}), not {shape}")
    return shape[:at]


def _transform(
    x: Operand, function: Any, plan: Any, device: Device, batch: tuple[int, ...], inner: tuple[int, ...], result: tuple[int, ...],
    dtype: np.dtype[Any] | None = None,
) -> Array:  # fmt: skip
    """All vectors in one call: {n..., vectors} to {samples, vectors}, or back, of that type where it is not x's."""
    vectors = _arrays.count(batch)
    flat = _arrays.contiguous(x)
    kind = x.dtype if dtype is None else dtype
    out: Array = x.space.empty((*batch, *result), kind)
    if vectors == 0:
        return out
    to = x.space.operand(out)
    with device.turn:
        if _arrays.reached(x, device):
            source = _arrays.wrap(device, flat.pointer, x.dtype, (vectors, *inner), None)
            target = _arrays.wrap(device, to.pointer, kind, (vectors, *result), None)
            call(function, plan, target, source)
            return out
        source = _arrays.create(device, x.dtype, (vectors, *inner))
        call(lib.argand_array_upload, source, ffi.cast("void *", flat.pointer))
        target = _arrays.create(device, kind, (vectors, *result))
        call(function, plan, target, source)
        call(lib.argand_array_download, target, ffi.cast("void *", to.pointer))
        return out


def _at_once(adjoint: bool, x: Any, points: Any, shape: tuple[int, ...] | None, real: bool, conventions: tuple[Any, ...]) -> Array | None:
    tolerance, oversampling, sign, units, order, every_pixel = conventions
    done: Array | None = _again.nufft(
        adjoint, x, points, shape, real, conventions,
        lambda rank, n, dtype, real: nufft_options(
            rank, n, dtype, tolerance, oversampling, sign=sign, units=units, order=order, real=real, every_pixel=every_pixel
        ),
    )  # fmt: skip
    return done


@same_kind
def nufft2(
    image: ArrayLike, points: ArrayLike, tolerance: float | None = None, *, oversampling: float | None = None,
    device: Device | str | None = None, comm: Comm | None = None, sign: Sign = -1, units: Units = "cycles", order: Order = "centred", every_pixel: bool = False,
) -> Array:  # fmt: skip
    """The NUFFT of type 2, from an image to samples: s_j = sum_n m_n exp(-2 pi i k_j . r_n), r = (n - floor(N/2)) / N.
    Returns samples (image's first axes, points' first axes), complex.

    image         (..., [nz,] [ny,] nx): the last axes, as many as points have dimensions, are transformed; real images take half the FFT
    points        (..., d), d = 1, 2 or 3, in cycles per field of view, |k| <= N/2; the last axis has the order of the image's axes, (z, y, x)
    tolerance     |error| <= tolerance sqrt(M N) |image| in l2 norms, for every image of N pixels and M points, whatever cancels
                  (default None: 1e-5 in single, 1e-9 in double precision)
    oversampling  ratio of the FFT's grid to the image along each axis (default None: the fastest)
    device        where to compute, as "cpu" or "cuda:0" (default None: where the image is)
    comm          an argand.Comm: image is this rank's part, its planes along the first axis (Comm.slab), and the points are this rank's
    sign          of the exponent: -1 or 1 (default -1)
    units         of points: "cycles" per field of view, or "radians" per pixel, in [-pi, pi) (default "cycles")
    order         of pixels: "centred": r = 0 at floor(N/2), or "fft": at the first element (default "centred")
    every_pixel   |error| <= tolerance sqrt(M) sum(|image|), so that any one pixel has the tolerance, on a larger grid or with a wider
                  window; without, the error of pixels at the edge is up to 6 times as large (default False)

    On NVIDIA GPUs, general kernels serve a new size while its own kernels are compiled: the last digits of later calls may differ.
    ARGAND_FFT_WAIT=1 in the environment waits for the kernels.

    >>> image = np.zeros((4, 4)); image[2, 3] = 1                # one pixel right of the centre
    >>> bool(np.allclose(argand.nufft2(image, [[0.0, 1.0]]), np.exp(-2j * np.pi * 1 / 4)))
    True
    """
    if comm is not None:
        from . import _dist

        return _dist.nufft2(image, points, comm, device, tolerance=tolerance, oversampling=oversampling, sign=sign, units=units, order=order, every_pixel=every_pixel)
    if device is None or device == "cpu":
        done = _at_once(False, image, points, None, False, (tolerance, oversampling, sign, units, order, every_pixel))
        if done is not None:
            return done
    where = Points(points)
    x = _arrays.operand(image)
    dtype = _arrays.as_complex(x.dtype)
    if len(x.shape) < where.rank:
        raise ValueError(f"points of {where.rank} dimensions and an image of shape {x.shape} do not go together")
    shape = x.shape[len(x.shape) - where.rank :]
    target = _arrays.place(x, device)
    plan = make_plan(where, shape, dtype, target, tolerance, oversampling, real=x.dtype.kind != "c", sign=sign, units=units, order=order, every_pixel=every_pixel)
    batch = x.shape[: -where.rank]
    result = _transform(x, lib.argand_nufft_apply, plan, target, batch, shape, (where.count,), dtype)
    return result.reshape((*batch, *where.shape))


@same_kind
def nufft1(
    samples: ArrayLike, points: ArrayLike, shape: Sequence[int] | int, tolerance: float | None = None, *,
    oversampling: float | None = None, real: bool = False, device: Device | str | None = None, comm: Comm | None = None,
    sign: Sign = -1, units: Units = "cycles", order: Order = "centred", every_pixel: bool = False,
) -> Array:  # fmt: skip
    """The NUFFT of type 1, from samples to an image, the exact adjoint of nufft2: m_n = sum_j s_j exp(+2 pi i k_j . r_n).
    Returns an image (samples' first axes, *shape).

    samples       (..., points' first axes), complex or real
    points        (..., d), d = 1, 2 or 3, in cycles per field of view, the last axis in the order of the image's axes, (z, y, x)
    shape         of the image, ([nz,] [ny,] nx)
    tolerance     |error| <= tolerance sqrt(M N) |samples| in l2 norms (default None: 1e-5 in single, 1e-9 in double precision)
    oversampling  ratio of the FFT's grid to the image along each axis (default None: the fastest)
    real          return the real part alone, with half the FFT (default False)
    device        where to compute, as "cpu" or "cuda:0" (default None: where the samples are)
    comm          an argand.Comm: samples and points are this rank's, shape is the whole image's; returns this rank's planes
    sign          -1 or 1; the exponent has the opposite one, as the adjoint of nufft2 (default -1)
    units, order, every_pixel  as for nufft2

    >>> bool(np.allclose(argand.nufft1([1.0], [[0.0, 0.0]], (2, 3)), 1))
    True
    """
    if comm is not None:
        from . import _dist

        if real:
            raise ValueError("real is not possible with comm")
        return _dist.nufft1(samples, points, shape, comm, device, tolerance=tolerance, oversampling=oversampling, sign=sign, units=units, order=order, every_pixel=every_pixel)
    n = _arrays.sizes(shape)
    if device is None or device == "cpu":
        done = _at_once(True, samples, points, n, bool(real), (tolerance, oversampling, sign, units, order, every_pixel))
        if done is not None:
            return done
    where = Points(points, len(n))
    x = _arrays.operand(samples)
    x = _arrays.convert(x, _arrays.as_complex(x.dtype))
    batch = _split(x.shape, where.shape, "samples")
    target = _arrays.place(x, device)
    plan = make_plan(where, n, x.dtype, target, tolerance, oversampling, real=real, sign=sign, units=units, order=order, every_pixel=every_pixel)
    return _transform(x, lib.argand_nufft_adjoint, plan, target, batch, (where.count,), n, _arrays.as_real(x.dtype) if real else None)


class NUFFT(Operator):
    """The NUFFT as an operator from images (*batch, *shape) to samples (*batch, points' first axes); see nufft2. Points are sorted once.

    points        (..., d), d = 1, 2 or 3, in cycles per field of view, the last axis in the order of the image's axes, (z, y, x)
    shape         of the image, ([nz,] [ny,] nx)
    batch         first axes of images and samples, as (coils,) (default (): none)
    tolerance     |error| <= tolerance sqrt(M N) |input| in l2 norms, for N pixels and M points (default None: 1e-5 for complex64, 1e-9
                  for complex128)
    oversampling  ratio of the FFT's grid to the image along each axis (default None: the fastest)
    real_image    images are real (dtype is still that of samples): the adjoint is the real part of the sum, so that
                  Re <A x, y> = <x, A^H y>. Complex images are refused then (default False)
    dtype         complex64 or complex128 (default complex128)
    device        where to compute, as "cpu" or "cuda:0" (default None: where the points are)
    sign, units, order, every_pixel  as for nufft2

    info          an argand.NUFFTInfo: expected error, window, memory

    >>> points = np.random.default_rng(1).uniform(-4, 4, (50, 2))
    >>> A = argand.NUFFT(points, (8, 8), batch=(3,), tolerance=1e-6)
    >>> A.output_shape, A.adjoint(np.ones((3, 50))).shape
    ((3, 50), (3, 8, 8))
    >>> B = argand.NUFFT(points, (8, 8), real_image=True)
    >>> B.dtype, B.output_dtype, B.adjoint(B(np.ones((8, 8)))).dtype
    (dtype('float64'), dtype('complex128'), dtype('float64'))
    """

    @remembered
    def __init__(
        self, points: ArrayLike, shape: Sequence[int] | int, batch: Sequence[int] = (), *, tolerance: float | None = None,
        oversampling: float | None = None, real_image: bool = False, dtype: DTypeLike = np.complex128, device: Device | str | None = None,
        sign: Sign = -1, units: Units = "cycles", order: Order = "centred", every_pixel: bool = False,
    ) -> None:  # fmt: skip
        n, batch = _arrays.sizes(shape), _arrays.sizes(batch, "batch")
        where = Points(points, len(n))
        target = _arrays.home(where.operand, device)
        plan = make_plan(where, n, complex_dtype(dtype), target, tolerance, oversampling, real=real_image, sign=sign, units=units, order=order, every_pixel=every_pixel)
        self.info = describe(plan)
        ffi.gc(plan, None)  # the operator's from here on
        handle = _new(lib.argand_op_nufft, target._handle, plan, _arrays.count(batch))
        super().__init__(handle, target, (*batch, *n), (*batch, *where.shape))
        self._facts = [
            ("points", f"{where.count}, {_UNIT[units]}"),
            ("tolerance", f"{self.info.tolerance:.3g}"), ("window", f"{self.info.width} cells"),
            ("oversampling", f"{self.info.oversampling:.3g}"), ("memory", _html.size(self.info.bytes)),
        ]  # fmt: skip


def _type3_options(rank: int, dtype: np.dtype[Any], tolerance: float | None, sign: int, units: str) -> Any:
    """The library's options of a plan."""
    if units not in UNITS:
        raise ValueError(f"units are 'cycles' or 'radians', not {units!r}")
    return struct("argand_nufft3_options", {
        "type": _arrays.TYPES[dtype], "rank": rank, "tolerance": tolerance or 0, "sign": sign, "units": UNITS[units],
    })  # fmt: skip


class NUFFT3(Held, _html.Described):
    """Type 3 for repeated use: plan(strengths) gives samples, plan.adjoint(samples) gives strengths; see nufft3.

    sources    r, (..., d), d = 1, 2 or 3, in any unit of length
    targets    k, (..., d), in cycles per that unit, or radians
    tolerance  of the error, as for nufft3 (default None: 1e-5 for complex64, 1e-9 for complex128)
    sign       of the exponent: -1 or 1 (default -1)
    units      "cycles", or "radians": exp(-i k . r) (default "cycles")
    dtype      complex64 or complex128 (default complex128)
    device     where to compute, as "cpu" or "cuda:0" (default None: where the sources are)
    """

    @remembered
    def __init__(
        self, sources: ArrayLike, targets: ArrayLike, *, tolerance: float | None = None, sign: Sign = -1, units: Units = "cycles",
        dtype: DTypeLike = np.complex128, device: Device | str | None = None,
    ) -> None:  # fmt: skip
        self._sources, self._targets = Points(sources), Points(targets)
        if self._sources.rank != self._targets.rank:
            raise ValueError(f"sources have {self._sources.rank} dimensions, targets {self._targets.rank}")
        self.dtype = complex_dtype(dtype)
        self.device = _arrays.home(self._sources.operand, device)
        options = _type3_options(self._sources.rank, self.dtype, tolerance, sign, units)
        self._plan = make(lib.argand_nufft3_create, "argand_nufft3", lib.argand_nufft3_destroy, self.device._handle, options)
        with self.device.turn:
            given = [points.arrays(self.device) for points in (self._sources, self._targets)]
            call(lib.argand_nufft3_set_points, self._plan, *(ffi.new("argand_array *[]", axes) for axes in given))

    @overload
    def __call__(self, strengths: GPUArray) -> GPUArray: ...
    @overload
    def __call__(self, strengths: npt.ArrayLike) -> Array: ...
    def __call__(self, strengths: Any) -> Any:
        """samples (..., targets) of strengths (..., sources)."""
        return self._run(lib.argand_nufft3_apply, strengths, self._sources, self._targets, "strengths")

    @overload
    def adjoint(self, samples: GPUArray) -> GPUArray: ...
    @overload
    def adjoint(self, samples: npt.ArrayLike) -> Array: ...
    def adjoint(self, samples: Any) -> Any:
        """The exact adjoint: strengths (..., sources) of samples (..., targets)."""
        return self._run(lib.argand_nufft3_adjoint, samples, self._targets, self._sources, "samples")

    def _run(self, function: Any, x: Any, source: Points, target: Points, what: str) -> Any:
        given = _arrays.operand(x)
        given = _arrays.convert(given, self.dtype)
        batch = _split(given.shape, source.shape, what)
        result = _transform(given, function, self._plan, self.device, batch, (source.count,), (target.count,))
        return result.reshape((*batch, *target.shape))

    def _describe(self) -> list[tuple[str, str]]:
        return [
            ("shape", f"{self._sources.shape} to {self._targets.shape}"), ("dimensions", str(self._sources.rank)), ("type", str(self.dtype)),
            ("device", self.device.name), ("made of", printed(lib.argand_nufft3_print, self._plan)),
        ]  # fmt: skip


@same_kind
def nufft3(
    strengths: ArrayLike, sources: ArrayLike, targets: ArrayLike, tolerance: float | None = None, *, sign: Sign = -1,
    units: Units = "cycles", device: Device | str | None = None,
) -> Array:  # fmt: skip
    """The NUFFT of type 3, from points anywhere to points anywhere: s_j = sum_n m_n exp(-2 pi i k_j . r_n).
    Returns samples (..., targets' first axes).

    strengths  m, (..., sources' first axes), complex or real
    sources    r, (..., d), d = 1, 2 or 3, in any unit of length
    targets    k, (..., d), in cycles per that unit
    tolerance  |error| <= tolerance sqrt(M) sum(|strengths|), with the l2 norm of the error, for M targets and all strengths, whatever
               cancels (default None: 1e-5 in single, 1e-9 in double precision)
    sign       of the exponent: -1 or 1 (default -1)
    units      "cycles", or "radians": exp(-i k . r) (default "cycles")
    device     where to compute, as "cpu" or "cuda:0" (default None: where the strengths are)

    >>> bool(np.allclose(argand.nufft3([1.0, 2.0], [[0.0], [0.25]], [[1.0]]), [1 - 2j]))
    True
    """
    if device is None or device == "cpu":
        done: Array | None = _again.nufft3(
            strengths, sources, targets, (tolerance, sign, units), lambda rank, dtype: _type3_options(rank, dtype, tolerance, sign, units)
        )
        if done is not None:
            return done
    x = _arrays.operand(strengths)
    plan = once(NUFFT3, sources, targets, tolerance=tolerance, sign=sign, units=units, dtype=x.dtype, device=device)
    result: Array = plan(x.array)
    return result
