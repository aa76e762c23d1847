# SPDX-License-Identifier: BSD-3-Clause
"""Linear operators of SigPy that Argand computes.

    A = argand.sigpy.Sense(maps, coord)                     # one operator, as sigpy.mri.linop.Sense
    A = argand.sigpy.linop(argand.SENSE(...))               # any operator of argand
    with argand.sigpy.behind(): sigpy.mri.app.SenseRecon(...).run()

Scales, axes and coordinates are SigPy's: transforms are divided by sqrt(N), coordinates count cycles per field of view. Arrays of NumPy and
CuPy, in single and double precision. Errors are those of `tolerance`; SigPy's `oversamp` and `width` do not matter.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import sigpy

from .. import _arrays
from .._fft import fftn, ifftn
from .._field import SENSE, SegmentedNUFFT, Toeplitz
from .._nufft import NUFFT as _Nufft
from .._nufft import nufft1, nufft2
from .._op import FFT as _Fft
from .._op import Operator

_Base: Any = sigpy.linop.Linop
MOST = 4


def _complex(x: Any) -> Any:
    """SigPy's rule: what is not complex becomes complex64."""
    return x if np.issubdtype(x.dtype, np.complexfloating) else x.astype(np.complex64)


class _Made:
    """Operators for the precision and the device of the arrays that come, each made once."""

    def __init__(self, make: Callable[[np.dtype[Any], Any], Operator]) -> None:
        self._make = make
        self._known: dict[Any, Operator] = {}

    def of(self, x: Any) -> Operator:
        device = sigpy.get_device(x)
        key = (x.dtype, device.id)
        if key not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = self._make(x.dtype, device)
        return self._known[key]


class Linop(_Base):  # type: ignore[misc, unused-ignore]
    """An operator of argand as one of SigPy; see linop."""

    def __init__(
        self, made: _Made, oshape: Sequence[int], ishape: Sequence[int], name: str, *, is_adjoint: bool = False, normal: _Made | None = None
    ) -> None:
        super().__init__(oshape, ishape, repr_str=name)
        self._made, self._name, self._is_adjoint, self._normal_made = made, name, is_adjoint, normal

    def _apply(self, input: Any) -> Any:
        x = _complex(input)
        op = self._made.of(x)
        return (op.adjoint if self._is_adjoint else op)(x)

    def _adjoint_linop(self) -> Linop:
        name = self._name.removesuffix("Adjoint") if self._is_adjoint else self._name + "Adjoint"
        return Linop(self._made, self.ishape, self.oshape, name, is_adjoint=not self._is_adjoint)

    def _normal_linop(self) -> Any:
        if self._normal_made is None:
            return super()._normal_linop()
        return Linop(self._normal_made, self.ishape, self.ishape, self._name + "Normal")


# What is made for a precision and a device is made by functions of the module, which can be pickled.
def _given(op: Operator, dtype: np.dtype[Any], device: Any) -> Operator:
    return op


def _make_fft(shape: tuple[int, ...], lead: tuple[int, ...], centred: bool, dtype: np.dtype[Any], device: Any) -> Operator:
    return _Fft(shape, lead, centred=centred, norm="ortho", dtype=dtype, device=_name(device))


def _make_nufft(
    coord: Any, shape: tuple[int, ...], lead: tuple[int, ...], tolerance: float | None, dtype: np.dtype[Any], device: Any
) -> Operator:
    return _Nufft(sigpy.to_device(coord, device), shape, lead, tolerance=tolerance, dtype=dtype) / math.sqrt(math.prod(shape))


def _make_normal(
    coord: Any, shape: tuple[int, ...], lead: tuple[int, ...], tolerance: float | None, dtype: np.dtype[Any], device: Any
) -> Operator:
    return Toeplitz(sigpy.to_device(coord, device), shape, lead, tolerance=tolerance or 0.0, dtype=dtype) / math.prod(shape)


def _make_sense(
    mps: Any, coord: Any, field_map: Any, times: Any, tolerance: float | None, segment_tolerance: float, dtype: np.dtype[Any], device: Any
) -> Operator:
    coils, shape = len(mps), tuple(mps.shape[1:])
    maps = sigpy.to_device(mps, device)
    if coord is None:
        return SENSE(_make_fft(shape, (coils,), True, dtype, device), maps)
    points = sigpy.to_device(coord, device)
    common: dict[str, Any] = {"tolerance": tolerance, "dtype": dtype}
    if field_map is None:
        transform: Operator = _Nufft(points, shape, (coils,), **common)
    else:
        field = {"times": sigpy.to_device(times, device), "field_map": sigpy.to_device(field_map, device)}
        transform = SegmentedNUFFT(points, shape, (coils,), segment_tolerance=segment_tolerance, **field, **common)
    return SENSE(transform, maps) / math.sqrt(math.prod(shape))


def linop(op: Operator) -> Linop:
    """That operator, which computes in its own precision and on its own device.

    >>> A = argand.sigpy.linop(argand.FFT((4, 4), norm="ortho"))
    >>> A.H(A(np.eye(4, dtype=complex))).round(12).real.trace()
    np.float64(4.0)
    """
    return Linop(_Made(partial(_given, op)), op.output_shape, op.input_shape, type(op).__name__)


def FFT(shape: Sequence[int], axes: Sequence[int] | None = None, center: bool = True) -> Any:  # noqa: N802
    """As sigpy.linop.FFT: unitary, over the last axes; others are SigPy's."""
    axes_ = sorted(a % len(shape) for a in (range(len(shape)) if axes is None else axes))
    if axes_ != list(range(len(shape) - len(axes_), len(shape))) or not 1 <= len(axes_) <= 3:
        return sigpy.linop.FFT(shape, axes, center)
    lead, inner = tuple(shape[: axes_[0]]), tuple(shape[axes_[0] :])
    return Linop(_Made(partial(_make_fft, inner, lead, center)), shape, shape, "FFT")


def _name(device: Any) -> str:
    """As argand names SigPy's devices."""
    return "cpu" if device == sigpy.cpu_device else f"cuda:{device.id}"


def NUFFT(  # noqa: N802
    ishape: Sequence[int], coord: Any, oversamp: float = 1.25, width: float = 4, toeplitz: bool = False, *, tolerance: float | None = None,
) -> Linop:  # fmt: skip
    """As sigpy.linop.NUFFT, to `tolerance` (1e-5 in single, 1e-9 in double precision). toeplitz: A.N by one convolution."""
    rank = coord.shape[-1]
    lead, shape = tuple(ishape[: len(ishape) - rank]), tuple(ishape[len(ishape) - rank :])

    made = (coord, shape, lead, tolerance)
    normal = _Made(partial(_make_normal, *made)) if toeplitz else None
    return Linop(_Made(partial(_make_nufft, *made)), [*lead, *coord.shape[:-1]], ishape, "NUFFT", normal=normal)


def NUFFTAdjoint(oshape: Sequence[int], coord: Any, oversamp: float = 1.25, width: float = 4, **options: Any) -> Any:  # noqa: N802
    """As sigpy.linop.NUFFTAdjoint."""
    return NUFFT(oshape, coord, oversamp, width, **options).H


def Sense(  # noqa: N802
    mps: Any, coord: Any = None, *, field_map: Any = None, times: Any = None, tolerance: float | None = None, segment_tolerance: float = 1e-4,
) -> Linop:  # fmt: skip
    """As sigpy.mri.linop.Sense, in one operator; field_map (rad/s, of the image's shape) and times (s, of each sample) add a field.

    It has no weights, tseg, ishape, coil_batch_size, comm and transp_nufft. For weights, multiply by sigpy.linop.Multiply.
    """
    if field_map is not None and (coord is None or times is None):
        raise ValueError("field_map needs coord, and the times of its points")
    coils, shape = len(mps), tuple(mps.shape[1:])

    made = partial(_make_sense, mps, coord, field_map, times, tolerance, segment_tolerance)
    return Linop(_Made(made), [coils, *(shape if coord is None else coord.shape[:-1])], shape, "Sense")


def fft(input: Any, oshape: Any = None, axes: Any = None, center: bool = True, norm: str | None = "ortho") -> Any:
    """As sigpy.fft."""
    return _transform(fftn, input, oshape, axes, center, norm)


def ifft(input: Any, oshape: Any = None, axes: Any = None, center: bool = True, norm: str | None = "ortho") -> Any:
    """As sigpy.ifft."""
    return _transform(ifftn, input, oshape, axes, center, norm)


def _transform(function: Any, x: Any, oshape: Any, axes: Any, center: bool, norm: str | None) -> Any:
    given, axes = _complex(x), None if axes is None else tuple(axes)
    if not center:
        return function(given, s=oshape, axes=axes, norm=norm)
    if oshape is not None:  # around the centre, as SigPy does
        given = sigpy.resize(given, oshape)
    return function(given, axes=axes, norm=norm, centred=True)


def nufft(input: Any, coord: Any, oversamp: float = 1.25, width: float = 4, *, tolerance: float | None = None) -> Any:
    """As sigpy.nufft; an operator (NUFFT) sorts its points once for many calls."""
    x, rank = _complex(input), coord.shape[-1]
    return nufft2(x, sigpy.to_device(coord, sigpy.get_device(x)), tolerance) * _scale(x, x.shape[x.ndim - rank :])


def nufft_adjoint(
    input: Any, coord: Any, oshape: Any = None, oversamp: float = 1.25, width: float = 4, *, tolerance: float | None = None
) -> Any:
    """As sigpy.nufft_adjoint."""
    x, rank = _complex(input), coord.shape[-1]
    shape = _arrays.sizes(sigpy.estimate_shape(coord) if oshape is None else tuple(oshape)[-rank:])
    image = nufft1(x, sigpy.to_device(coord, sigpy.get_device(x)), shape, tolerance) * _scale(x, shape)
    return image if oshape is None else image.reshape(tuple(oshape))


def _scale(x: Any, shape: Sequence[int]) -> Any:
    return x.dtype.type(1 / math.sqrt(math.prod(shape)))


@contextlib.contextmanager
def behind() -> Iterator[None]:
    """SigPy's own functions and operators (fft, nufft, linop.NUFFT, and what is made of them) are computed by Argand meanwhile."""
    changed = {"fft": fft, "ifft": ifft, "nufft": nufft, "nufft_adjoint": nufft_adjoint}
    places: list[tuple[Any, str, Any]] = [(module, name, f) for module in (sigpy, sigpy.fourier) for name, f in changed.items()]
    places += [(sigpy.linop, "NUFFT", NUFFT), (sigpy.linop, "NUFFTAdjoint", NUFFTAdjoint)]
    before = [getattr(module, name) for module, name, _ in places]
    try:
        for module, name, function in places:
            setattr(module, name, function)
        yield
    finally:
        for (module, name, _), function in zip(places, before, strict=True):
            setattr(module, name, function)
