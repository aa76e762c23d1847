# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of arrays that are divided over the ranks of a Comm: each rank has its planes along the first axis (Comm.slab)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _arrays, _html
from ._arrays import Operand
from ._comm import MOST_PLANS, Comm
from ._device import Device
from ._library import Held, call, ffi, lib, make, struct
from ._options import NORMS, Points, conv_options, fft_scale, nufft_options
from ._types import Array, ArrayLike, DTypeLike, GPUArray, Order, Sign, Units


def planes(comm: Comm, n: int, rank: int | None = None) -> int:
    there = comm.slab(n, rank)
    return int(there.stop - there.start)


def _whole(comm: Comm, all_ranks: list[dict[str, Any]]) -> tuple[int, ...]:
    """The shape of the whole image whose slabs the ranks have; refuses slabs that are not those of Comm.slab."""
    shapes = [tuple(one["shape"]) for one in all_ranks]
    n = sum(shape[0] for shape in shapes)
    for r, (shape, one) in enumerate(zip(shapes, all_ranks, strict=True)):
        if shape[1:] != shapes[0][1:] or one["dtype"] != all_ranks[0]["dtype"]:
            raise ValueError(
                f"rank {r} has an array of shape {shape} and {one['dtype']}, rank 0 of {shapes[0]} and {all_ranks[0]['dtype']}: "
                "all axes but the first, and the types, are the same"
            )
        if shape[0] != planes(comm, n, r):
            raise ValueError(f"rank {r} has {shape[0]} of {n} planes; Comm.slab({n}) gives it {planes(comm, n, r)}")
    return (n, *shapes[0][1:])


def _given(x: Operand, rank: int) -> dict[str, Any]:
    return {"shape": x.shape[len(x.shape) - rank :], "dtype": x.dtype.name}


def _apply(function: Any, plan: Any, device: Device, x: Operand, source: Sequence[int], to: _arrays.Place, target: Sequence[int]) -> None:
    """Calls plan, output, input; arrays without elements are NULL. Shapes are those that the library is to see."""
    out, flat = to.operand, _arrays.contiguous(x)

    def handle(array: Operand, shape: Sequence[int], upload: bool) -> Any:
        if not _arrays.count(shape):
            return ffi.NULL
        if _arrays.reached(array, device):
            return _arrays.wrap(device, array.pointer, array.dtype, shape, None)
        there = _arrays.create(device, array.dtype, shape)
        if upload:
            call(lib.argand_array_upload, there, ffi.cast("void *", array.pointer))
        return there

    with device.turn:
        read, written = handle(flat, source, True), handle(out, target, False)
        call(function, plan, written, read)
        if written != ffi.NULL and not _arrays.reached(out, device):
            call(lib.argand_array_download, written, ffi.cast("void *", out.pointer))


def _fft_plan(comm: Comm, device: Device, kind: int, n: tuple[int, ...], scale: int, centred: bool) -> Any:
    key = ("fft", device.name, kind, n, scale, centred)  # the same on all ranks, but for the device's number
    if key not in comm._plans:
        options = struct("argand_dist_fft_options", {"type": kind, "rank": len(n), "n": n[::-1], "scale": scale, "centred": centred})
        comm._plans[key] = make(
            lib.argand_dist_fft_create, "argand_dist_fft", lib.argand_dist_fft_destroy, comm._of_device(device), device._handle, options
        )
        if len(comm._plans) > MOST_PLANS:
            comm._plans.popitem(last=False)
    return comm._plans[key]


def transform(x: Any, s: Any, axes: Any, norm: str | None, inverse: bool, real: bool, centred: bool, out: Any, device: Any, comm: Any) -> np.ndarray[Any, Any]:
    """fftn, ifftn, rfftn and irfftn of arrays in slabs."""
    given: Any = None
    if not isinstance(comm, Comm):
        raise TypeError(f"comm is an argand.Comm, not {comm!r}: argand.Comm(comm) takes one of mpi4py")

    def local() -> dict[str, Any]:
        nonlocal given
        if s is not None or axes is not None:
            raise ValueError("with comm, s and axes are not given: all 2 or 3 axes are transformed as they are")
        if norm not in NORMS:
            raise ValueError(f'norm is "backward", "ortho" or "forward", not {norm!r}')
        given = _arrays.operand(x)
        if real and not inverse and given.dtype.kind == "c":
            raise TypeError(f"rfftn takes real arrays, not {given.dtype}")
        if len(given.shape) not in (2, 3):
            raise ValueError(f"with comm, arrays have 2 or 3 axes, not shape {given.shape}")
        if not real or inverse:
            given = _arrays.convert(given, _arrays.as_complex(given.dtype))
        return _given(given, len(given.shape))

    shape = _whole(comm, comm._meet(local))
    n = (*shape[:-1], 2 * (shape[-1] - 1)) if real and inverse else shape
    if 0 in shape or 0 in n:
        raise ValueError(f"an array without elements: shape {shape}")
    last = n[-1] // 2 + 1 if real and not inverse else n[-1]
    dtype = _arrays.as_complex(given.dtype) if not (real and inverse) else _arrays.as_real(given.dtype)
    kind = _arrays.TYPES[_arrays.as_real(dtype) if real else dtype]
    scale, factor = fft_scale(norm, inverse, _arrays.count(n))
    target = _arrays.home(given, device)
    place = _arrays.Place(given, (given.shape[0], *n[1:-1], last), dtype, out, contiguous=True)
    plan = _fft_plan(comm, target, kind, n, scale, centred)
    direction = lib.ARGAND_INVERSE if inverse else lib.ARGAND_FORWARD

    def run(handle: Any, written: Any, read: Any) -> Any:
        return lib.argand_dist_fft_apply(handle, written, read, direction)

    _apply(run, plan, target, given, given.shape, place, place.operand.shape)
    if factor != 1:
        place.operand.array[...] *= factor
    return place.finish()


class DistNUFFT(Held, _html.Described):
    """The NUFFT of images whose planes, along the first axis, are divided over ranks (Comm.slab); see nufft2.

    points        those of this rank, (..., d) with d = 2 or 3, in cycles per field of view; also none
    shape         of the whole image, ([nz,] ny, nx)
    comm          an argand.Comm; all ranks call together
    tolerance     of the error, as for nufft2 (default None: 1e-5 for complex64, 1e-9 for complex128)
    oversampling  ratio of the FFT's grid to the image along each axis (default None: the fastest)
    dtype         complex64 or complex128 (default complex128)
    device        where to compute, as "cpu" or "cuda:0" (default None: where the points are)
    sign, units, order, every_pixel  as for nufft2

    A(image) and A.adjoint(samples) take and give this rank's part: images (..., planes, *shape[1:]), samples (..., points' first axes).

    >>> comm = argand.Comm()
    >>> A = argand.DistNUFFT(np.zeros((5, 2)), (6, 4), comm)
    >>> A(np.ones((6, 4))).shape, A.adjoint(np.ones(5)).shape
    ((5,), (6, 4))
    """

    def __init__(
        self, points: ArrayLike, shape: Sequence[int] | int, comm: Comm, *, tolerance: float | None = None,
        oversampling: float | None = None, dtype: DTypeLike = np.complex128, device: Device | str | None = None, sign: Sign = -1,
        units: Units = "cycles", order: Order = "centred", every_pixel: bool = False,
    ) -> None:  # fmt: skip
        self.comm = comm

        def local() -> dict[str, Any]:
            self.shape = _arrays.sizes(shape)
            given = _arrays.operand(points)
            if len(given.shape) < 2 or given.shape[-1] != len(self.shape) or len(self.shape) not in (2, 3):
                raise ValueError(f"points (..., 2) or (..., 3) and an image of as many axes are needed, not {given.shape} and {self.shape}")
            self.points_shape = given.shape[:-1]
            self.device = _arrays.home(given, device)
            self.dtype = np.dtype(_arrays.as_complex(_arrays.computed(dtype)))
            self._points = Points(points, len(self.shape)) if _arrays.count(self.points_shape) else None
            self._options = nufft_options(
                len(self.shape), self.shape, self.dtype, tolerance, oversampling, sign=sign, units=units, order=order, every_pixel=every_pixel
            )
            return {"shape": self.shape, "dtype": self.dtype.name}

        all_ranks = comm._meet(local)
        if any(one != all_ranks[0] for one in all_ranks):
            raise ValueError(f"the ranks give different shapes or types: {all_ranks}")
        with self.device.turn:
            self._plan = make(
                lib.argand_dist_nufft_create, "argand_dist_nufft", lib.argand_dist_nufft_destroy, comm._of_device(self.device),
                self.device._handle, self._options,
            )  # fmt: skip
            columns = [] if self._points is None else self._points.arrays(self.device)
            call(lib.argand_dist_nufft_set_points, self._plan, ffi.new("argand_array *[]", columns) if columns else ffi.NULL)
        comm._users.add(self)

    @property
    def planes(self) -> slice:
        """The planes of the image that this rank has."""
        return self.comm.slab(self.shape[0])

    def _part(self) -> tuple[int, ...]:
        return (planes(self.comm, self.shape[0]), *self.shape[1:])

    def _run(self, x: Any, function: Any, source: tuple[int, ...], target: tuple[int, ...], what: str) -> np.ndarray[Any, Any]:
        given: Any = None
        lead: tuple[int, ...] = ()

        def local() -> dict[str, Any]:
            nonlocal given, lead
            given = _arrays.convert(_arrays.operand(x), self.dtype)
            lead = given.shape[: len(given.shape) - len(source)]
            if given.shape != (*lead, *source):
                raise ValueError(f"{what} have the shape (..., {', '.join(map(str, source))}), not {given.shape}")
            return {"vectors": _arrays.count(lead)}

        vectors = {one["vectors"] for one in self.comm._meet(local)}
        if len(vectors) != 1:
            raise ValueError(f"the ranks give different numbers of vectors: {sorted(vectors)}")
        place = _arrays.Place(given, (*lead, *target), self.dtype)
        count = _arrays.count(lead)
        if count:
            _apply(function, self._plan, self.device, given, (count, *_flat(source, self)), place, (count, *_flat(target, self)))
        return place.finish()

    @overload
    def __call__(self, image: GPUArray) -> GPUArray: ...
    @overload
    def __call__(self, image: npt.ArrayLike) -> Array: ...
    def __call__(self, image: Any) -> Any:
        """Samples (..., points' first axes) at this rank's points. image: this rank's planes, (..., planes, *shape[1:])."""
        return self._run(image, lib.argand_dist_nufft_apply, self._part(), self.points_shape, "images")

    @overload
    def adjoint(self, samples: GPUArray) -> GPUArray: ...
    @overload
    def adjoint(self, samples: npt.ArrayLike) -> Array: ...
    def adjoint(self, samples: Any) -> Any:
        """This rank's planes (..., planes, *shape[1:]) of the image. samples: at this rank's points, (..., points' first axes)."""
        return self._run(samples, lib.argand_dist_nufft_adjoint, self.points_shape, self._part(), "samples")

    def _close(self) -> None:
        ffi.release(self._plan)

    def _describe(self) -> list[tuple[str, str]]:
        at = self.planes
        return [
            ("image", str(self.shape)), ("planes of this rank", f"{at.start} to {at.stop - 1}" if at.stop > at.start else "none"),
            ("points of this rank", str(self.points_shape)), ("type", str(self.dtype)), ("device", self.device.name),
            ("rank", f"{self.comm.rank} of {self.comm.size}"),
        ]  # fmt: skip


def _flat(shape: tuple[int, ...], plan: DistNUFFT) -> tuple[int, ...]:
    """Samples as the library sees them: on one axis."""
    return (_arrays.count(shape),) if shape is plan.points_shape else shape


def nufft2(image: Any, points: Any, comm: Comm, device: Any, **options: Any) -> np.ndarray[Any, Any]:
    given: Any = None
    rank = 0

    def local() -> dict[str, Any]:
        nonlocal given, rank
        given = _arrays.operand(image)
        given = _arrays.convert(given, _arrays.as_complex(given.dtype))
        rank = np.shape(points)[-1] if np.ndim(points) else 0
        if rank not in (2, 3) or len(given.shape) < rank:
            raise ValueError(f"points of shape {np.shape(points)} and an image of shape {given.shape} do not go together with comm")
        return _given(given, rank)

    shape = _whole(comm, comm._meet(local))
    samples: np.ndarray[Any, Any] = DistNUFFT(points, shape, comm, dtype=given.dtype, device=device, **options)(given.array)
    return samples


def nufft1(samples: Any, points: Any, shape: Sequence[int] | int, comm: Comm, device: Any, **options: Any) -> np.ndarray[Any, Any]:
    given: Any = None

    def local() -> dict[str, Any]:
        nonlocal given
        given = _arrays.operand(samples)
        given = _arrays.convert(given, _arrays.as_complex(given.dtype))
        return {"dtype": given.dtype.name}

    comm._meet(local)
    image: np.ndarray[Any, Any] = DistNUFFT(points, shape, comm, dtype=given.dtype, device=device, **options).adjoint(given.array)
    return image


def convolve(x: Any, kernel: Any, mode: str, comm: Comm, device: Any, **options: Any) -> np.ndarray[Any, Any]:
    """The same part of the image for a part of it: mode "same"."""
    given: Any = None
    h: Any = None
    lead: tuple[int, ...] = ()

    def local() -> dict[str, Any]:
        nonlocal given, h, lead
        given, h = _arrays.operand(x), _arrays.operand(kernel)
        dtype = np.result_type(given.dtype, h.dtype)
        given, h = _arrays.convert(given, dtype), _arrays.contiguous(_arrays.convert(h, dtype))
        rank = len(h.shape)
        if mode != "same":
            raise ValueError(f'with comm, mode is "same", not {mode!r}')
        if rank not in (1, 2, 3) or len(given.shape) < rank or 0 in h.shape:
            raise ValueError(f"a kernel of shape {h.shape} and an image of shape {given.shape} do not go together")
        lead = given.shape[: len(given.shape) - rank]
        return {**_given(given, rank), "batch": _arrays.count(lead)}

    all_ranks = comm._meet(local)
    shape, batch = _whole(comm, all_ranks), _arrays.count(lead)
    if any(one["batch"] != batch for one in all_ranks) or not batch:
        raise ValueError(f"the ranks give different numbers of images, or none: {[one['batch'] for one in all_ranks]}")
    target = _arrays.home(given, device)
    given_options = conv_options(shape, h, batch, given.dtype, mode=mode, **options)
    place = _arrays.Place(given, given.shape, given.dtype)
    part = (batch, 1, *given.shape[len(lead) :])
    with target.turn:
        plan = make(
            lib.argand_dist_conv_create, "argand_dist_conv", lib.argand_dist_conv_destroy, comm._of_device(target), target._handle, given_options
        )
        call(lib.argand_dist_conv_set_kernel, plan, _arrays.to_device(h, target))
    _apply(lib.argand_dist_conv_apply, plan, target, given, part, place, part)
    return place.finish()
