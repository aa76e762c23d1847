# SPDX-License-Identifier: BSD-3-Clause
"""Nonuniform Fourier transforms between images and samples at any points of k-space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _arrays, _html
from ._arrays import Operand
from ._device import Device
from ._library import call, ffi, lib, make, struct
from ._op import Operator, _new, complex_dtype
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
            raise ValueError(f"points have the shape (..., {wanted}), not {seen.shape}")
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
    rank: int, shape: Sequence[int], dtype: np.dtype[Any], tolerance: float | None, oversampling: float | None, *, sign: int = -1, units: str = "cycles", order: str = "centred", real: bool = False, every_pixel: bool = False, **unknown: Any,
) -> Any:  # fmt: skip
    """The library's options of a plan."""
    for name in unknown:
        raise TypeError(f"there is no argument {name}=: tolerance, oversampling, device, sign, units, order and every_pixel are known")
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
) -> Any:  # fmt: skip
    """All vectors in one call: {n..., vectors} to {samples, vectors}, or back, of that type where it is not x's."""
    vectors = _arrays.count(batch)
    flat = _arrays.contiguous(x)
    kind = x.dtype if dtype is None else dtype
    out = x.space.empty((*batch, *result), kind)
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


def nufft2(
    image: Any, points: Any, tolerance: float | None = None, *, oversampling: float | None = None, device: Device | str | None = None,
    comm: Any = None, **conventions: Any,
) -> Any:  # fmt: skip
    """Type 2, from an image to samples: s_j = sum_n m_n exp(-2 pi i k_j . r_n), r = (n - floor(N/2)) / N.

    image: (..., *shape), the last axes transformed; points: (..., d) in cycles per field of view, the last axis in the order of the image's
    axes (y, x); real ones take half the FFT. Returns (image's first axes, points' first axes).
    tolerance (1e-5 in single, 1e-9 in double precision): |error| <= tolerance sqrt(M N) |image| in l2 norms, for every image of N pixels and M
    points, whatever cancels: the relative error of samples that do not cancel. nufft1 and NUFFT have the same of their inputs.
    conventions: sign=1 for exp(+...) here and exp(-...) in nufft1; units="radians" (per pixel, [-pi, pi)); order="fft" of the pixels;
    every_pixel=True for |error| <= tolerance sqrt(M) sum(|image|), so that any one pixel has the tolerance (at the edge 6 times as much
    without), on a larger grid or with a wider window.
    comm (an argand.Comm): image is this rank's part, its planes along the first axis (Comm.slab), and the points are this rank's: DistNUFFT.

    >>> image = np.zeros((4, 4)); image[2, 3] = 1                # one pixel right of the centre
    >>> bool(np.allclose(argand.nufft2(image, [[0.0, 1.0]]), np.exp(-2j * np.pi * 1 / 4)))
    True
    """
    if comm is not None:
        from . import _dist

        return _dist.nufft2(image, points, comm, device, tolerance=tolerance, oversampling=oversampling, **conventions)
    where = Points(points)
    x = _arrays.operand(image)
    dtype = _arrays.as_complex(x.dtype)
    if len(x.shape) < where.rank:
        raise ValueError(f"points of {where.rank} dimensions and an image of shape {x.shape} do not go together")
    shape = x.shape[len(x.shape) - where.rank :]
    target = _arrays.place(x, device)
    plan = make_plan(where, shape, dtype, target, tolerance, oversampling, real=x.dtype.kind != "c", **conventions)
    batch = x.shape[: -where.rank]
    result = _transform(x, lib.argand_nufft_apply, plan, target, batch, shape, (where.count,), dtype)
    return result.reshape((*batch, *where.shape))


def nufft1(
    samples: Any, points: Any, shape: Sequence[int] | int, tolerance: float | None = None, *, oversampling: float | None = None,
    real: bool = False, device: Device | str | None = None, comm: Any = None, **conventions: Any,
) -> Any:  # fmt: skip
    """Type 1, from samples to an image, the exact adjoint of nufft2: m_n = sum_j s_j exp(+2 pi i k_j . r_n).

    samples: (..., points' first axes); shape: the image's. Returns (samples' first axes, *shape). real: its real part alone, with half the FFT.
    comm (an argand.Comm): samples and points are this rank's, shape is the whole image's; returns this rank's planes: DistNUFFT.

    >>> bool(np.allclose(argand.nufft1([1.0], [[0.0, 0.0]], (2, 3)), 1))
    True
    """
    if comm is not None:
        from . import _dist

        if real:
            raise ValueError("real is not possible with comm")
        return _dist.nufft1(samples, points, shape, comm, device, tolerance=tolerance, oversampling=oversampling, **conventions)
    n = _arrays.sizes(shape)
    where = Points(points, len(n))
    x = _arrays.operand(samples)
    x = _arrays.convert(x, _arrays.as_complex(x.dtype))
    batch = _split(x.shape, where.shape, "samples")
    target = _arrays.place(x, device)
    plan = make_plan(where, n, x.dtype, target, tolerance, oversampling, real=real, **conventions)
    return _transform(x, lib.argand_nufft_adjoint, plan, target, batch, (where.count,), n, _arrays.as_real(x.dtype) if real else None)


class NUFFT(Operator):
    """The NUFFT as an operator from images (*batch, *shape) to samples (*batch, points' first axes); see nufft2. Points are sorted once.

    real_image: images are real (dtype is still that of samples): the adjoint is the real part of the sum, so that
    Re <A x, y> = <x, A^H y>. Complex images are refused then.

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
        self, points: Any, shape: Sequence[int] | int, batch: Sequence[int] = (), *, tolerance: float | None = None,
        oversampling: float | None = None, real_image: bool = False, dtype: Any = np.complex128, device: Device | str | None = None,
        **conventions: Any,
    ) -> None:  # fmt: skip
        n, batch = _arrays.sizes(shape), _arrays.sizes(batch, "batch")
        where = Points(points, len(n))
        target = _arrays.home(where.operand, device)
        plan = make_plan(where, n, complex_dtype(dtype), target, tolerance, oversampling, real=real_image, **conventions)
        self.info = describe(plan)
        ffi.gc(plan, None)  # the operator's from here on
        handle = _new(lib.argand_op_nufft, target._handle, plan, _arrays.count(batch))
        super().__init__(handle, target, (*batch, *n), (*batch, *where.shape))
        self._facts = [
            ("points", f"{where.count}, {_UNIT[conventions.get('units', 'cycles')]}"),
            ("tolerance", f"{self.info.tolerance:.3g}"), ("window", f"{self.info.width} cells"),
            ("oversampling", f"{self.info.oversampling:.3g}"), ("memory", _html.size(self.info.bytes)),
        ]  # fmt: skip
