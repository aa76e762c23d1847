# SPDX-License-Identifier: BSD-3-Clause
"""Nonuniform Fourier transforms between images and samples at any points of k-space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _again, _arrays, _html
from ._arrays import Operand
from ._device import Device
from ._library import call, ffi, lib, make, struct
from ._op import Operator, _new, complex_dtype
from ._types import Array, ArrayLike, DTypeLike, Order, Sign, Units, same_kind

if TYPE_CHECKING:
    from ._comm import Comm
from ._recipe import remembered


class Points:
    """Positions (..., d) in cycles per field of view, [..., i] along axis i of the image; one-dimensional: (...)."""

    def __init__(self, points: Any, rank: int | None = None) -> None:
        seen = _arrays.operand(points)
        if seen.dtype.kind == "c":
            raise TypeError(f"points are real numbers, not {seen.dtype}")
        if len(seen.shape) == 1 and rank in (None, 1):
            seen = seen.space.operand(seen.array[:, None])
        if len(seen.shape) < 2 or seen.shape[-1] not in (1, 2, 3) or rank not in (None, seen.shape[-1]):
            wanted = "1, 2 or 3" if rank is None else str(rank)
            is_transposed = len(seen.shape) == 2 and seen.shape[0] in ((1, 2, 3) if rank is None else (rank,))
            remedy = f": give their transpose, {seen.shape[::-1]}" if is_transposed else ""
            raise ValueError(f"points have the shape (..., {wanted}), not {seen.shape}{remedy}")
        self.operand = seen
        self.rank: int = seen.shape[-1]
        self.shape = seen.shape[:-1]
        self.count = _arrays.count(self.shape)
        if self.count == 0:
            raise ValueError(f"there are no points: their shape is {seen.shape}")

    def arrays(self, device: Device, together: bool = True) -> list[Any]:
        """One argand_array an axis, the fastest (x, the last one) first; not together: as they lie, valid as long as this object."""
        whole = _arrays.contiguous(self.operand)
        rows = _arrays.to_device(whole, device)
        columns = [_column(rows, self.rank, self.count, axis) for axis in reversed(range(self.rank))]
        if together or not device.info.host_addressable:
            columns = [_together(column, self.count, device, whole.dtype) for column in columns]
        self._rows = rows
        return columns


def _column(rows: Any, rank: int, count: int, axis: int) -> Any:
    """One coordinate of all points, as it lies."""
    dims, strides = ffi.new("int64_t[]", [count]), ffi.new("int64_t[]", [rank])
    return make(lib.argand_array_view, "argand_array", lib.argand_array_destroy, rows, 1, dims, strides, axis)


def _together(column: Any, count: int, device: Device, dtype: np.dtype[Any]) -> Any:
    copy = _arrays.create(device, dtype, [count])
    call(lib.argand_array_copy, copy, column)
    return copy


class NUFFTInfo(NamedTuple):
    """What a plan is: relative l2 errors, window width in grid cells, bytes held."""

    tolerance: float
    expected_error: float
    oversampling: float
    width: int
    points: int
    bytes: int


UNITS = {"cycles": 0, "radians": 1}
_UNIT = {"cycles": "cycles per field of view", "radians": "radians per pixel"}
ORDERS = {"centred": 0, "fft": 1}


def nufft_options(
    rank: int, shape: Sequence[int], dtype: np.dtype[Any], tolerance: float | None, oversampling: float | None, *, sign: int = -1,
    units: str = "cycles", order: str = "centred", real: bool = False, every_pixel: bool = False,
) -> Any:  # fmt: skip
    """The library's options of a plan."""
    for table, key, what in [(UNITS, units, "units"), (ORDERS, order, "order")]:
        if key not in table:
            raise ValueError(f"{what} is one of {', '.join(map(repr, table))}, not {key!r}")
    if sign not in (-1, 1):
        raise ValueError(f"sign is -1 or 1, not {sign}")
    if len(shape) != rank:
        raise ValueError(f"points of {rank} dimensions and an image of shape {tuple(shape)} do not go together")
    return struct("argand_nufft_options", {
        "type": _arrays.TYPES[dtype], "rank": rank, "n": list(shape)[::-1],
        "tolerance": tolerance or 0, "oversampling": oversampling or 0, "sign": sign, "units": UNITS[units],
        "order": ORDERS[order], "real_image": real, "every_pixel": every_pixel,
    })  # fmt: skip


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
