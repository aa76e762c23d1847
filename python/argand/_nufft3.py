# SPDX-License-Identifier: BSD-3-Clause
"""The nonuniform FFT of type 3, from points anywhere to points anywhere."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _again, _arrays, _html
from ._device import Device
from ._library import Held, call, ffi, lib, make, printed, struct
from ._nufft import UNITS, Points, _split, _transform
from ._op import complex_dtype
from ._types import Array, ArrayLike, DTypeLike, GPUArray, Sign, Units, same_kind
from ._recipe import once, remembered


def _options(rank: int, dtype: np.dtype[Any], tolerance: float | None, sign: int, units: str) -> Any:
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
        options = _options(self._sources.rank, self.dtype, tolerance, sign, units)
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
            strengths, sources, targets, (tolerance, sign, units), lambda rank, dtype: _options(rank, dtype, tolerance, sign, units)
        )
        if done is not None:
            return done
    x = _arrays.operand(strengths)
    plan = once(NUFFT3, sources, targets, tolerance=tolerance, sign=sign, units=units, dtype=x.dtype, device=device)
    result: Array = plan(x.array)
    return result
