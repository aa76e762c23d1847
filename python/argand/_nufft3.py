# SPDX-License-Identifier: BSD-3-Clause
"""The nonuniform FFT of type 3, from points anywhere to points anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _arrays, _html
from ._device import Device
from ._library import Held, call, ffi, lib, make, printed, struct
from ._nufft import UNITS, Points, _split, _transform
from ._op import complex_dtype
from ._recipe import once, remembered


class NUFFT3(Held, _html.Described):
    """Type 3 for repeated use: plan(strengths) gives samples, plan.adjoint(samples) strengths; see nufft3."""

    @remembered
    def __init__(
        self, sources: Any, targets: Any, *, tolerance: float | None = None, sign: int = -1, units: str = "cycles",
        dtype: Any = np.complex128, device: Device | str | None = None,
    ) -> None:  # fmt: skip
        self._sources, self._targets = Points(sources), Points(targets)
        if self._sources.rank != self._targets.rank:
            raise ValueError(f"sources have {self._sources.rank} dimensions, targets {self._targets.rank}")
        if units not in UNITS:
            raise ValueError(f"units are 'cycles' or 'radians', not {units!r}")
        self.dtype = complex_dtype(dtype)
        self.device = _arrays.home(self._sources.operand, device)
        options = struct("argand_nufft3_options", {
            "type": _arrays.TYPES[self.dtype], "rank": self._sources.rank, "tolerance": tolerance or 0, "sign": sign,
            "units": UNITS[units],
        })  # fmt: skip
        self._plan = make(lib.argand_nufft3_create, "argand_nufft3", lib.argand_nufft3_destroy, self.device._handle, options)
        with self.device.turn:
            given = [points.arrays(self.device) for points in (self._sources, self._targets)]
            call(lib.argand_nufft3_set_points, self._plan, *(ffi.new("argand_array *[]", axes) for axes in given))

    def __call__(self, strengths: Any) -> Any:
        """samples (..., targets) of strengths (..., sources)."""
        return self._run(lib.argand_nufft3_apply, strengths, self._sources, self._targets, "strengths")

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


def nufft3(
    strengths: Any, sources: Any, targets: Any, tolerance: float | None = None, *, sign: int = -1, units: str = "cycles",
    device: Device | str | None = None,
) -> Any:  # fmt: skip
    """Type 3: s_j = sum_n m_n exp(-2 pi i k_j . r_n), from sources r (..., d) to targets k (..., d) anywhere; units "radians": exp(-i k . r).

    strengths: (..., sources' first axes); returns (..., targets' first axes). tolerance (1e-5 in single, 1e-9 in double precision), for all
    strengths, whatever cancels, and M targets: |error| <= tolerance sqrt(M) sum(|strengths|), with the l2 norm of the error.

    >>> bool(np.allclose(argand.nufft3([1.0, 2.0], [[0.0], [0.25]], [[1.0]]), [1 - 2j]))
    True
    """
    x = _arrays.operand(strengths)
    plan = once(NUFFT3, sources, targets, tolerance=tolerance, sign=sign, units=units, dtype=x.dtype, device=device)
    return plan(x.array)
