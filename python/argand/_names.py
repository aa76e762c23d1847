# SPDX-License-Identifier: BSD-3-Clause
"""argand.fft: a function, and by its attributes the fft extension of the Python array API (data-apis.org)."""

from __future__ import annotations

import sys
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _fft
from ._arrays import as_array, sizes
from ._types import Array, ArrayLike, DTypeLike, same_kind


def _roll(x: Any, axes: Any, back: bool) -> Array:
    module = sys.modules.get(type(x).__module__.split(".")[0])
    own = module is not None and module.__name__ in ("cupy", "torch")
    array = x if own else as_array(x)
    chosen = _fft.normalise_axes(array.ndim, None, axes)[1]
    if not chosen:
        return array.copy() if not own else array + 0
    steps = tuple(-(array.shape[a] // 2) if back else array.shape[a] // 2 for a in chosen)
    return (module if own else np).roll(array, steps, tuple(chosen))  # type: ignore[union-attr, no-any-return]


@same_kind
def fftshift(x: ArrayLike, /, *, axes: Sequence[int] | int | None = None) -> Array:
    """Moves frequency 0 to element floor(n/2) of each axis, into a new array of x's shape and type.

    x        an array of any shape
    axes     the axes to shift (default None: all)

    >>> argand.fft.fftshift([0, 1, 2, -2, -1])
    array([-2, -1,  0,  1,  2])
    """
    return _roll(x, axes, False)


@same_kind
def ifftshift(x: ArrayLike, /, *, axes: Sequence[int] | int | None = None) -> Array:
    """The inverse of fftshift, for odd lengths too.

    x        an array of any shape
    axes     the axes to shift (default None: all)

    >>> argand.fft.ifftshift([-2, -1, 0, 1, 2])
    array([ 0,  1,  2, -2, -1])
    """
    return _roll(x, axes, True)


def _frequencies(numbers: Array, n: int, d: float, dtype: Any) -> Array:
    real = np.dtype(np.float64 if dtype is None else dtype)
    if real.kind != "f":
        raise TypeError(f"frequencies are real numbers, not {real}")
    return (numbers / (n * d)).astype(real)


def _length(given: int) -> int:
    (n,) = sizes(given, "n")
    if n < 1:
        raise ValueError(f"a transform has at least one point, not {n}")
    return n


def fftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: str | None = None) -> Array:
    """The frequencies of fft's elements, a NumPy array (n,), in cycles per unit of d.

    n        elements of the transform
    d        the distance between samples, in any unit (default 1.0)
    dtype    of the result (default None: float64)
    device   accepted for the array API and ignored: the result lies on the host

    >>> argand.fft.fftfreq(4)
    array([ 0.  ,  0.25, -0.5 , -0.25])
    """
    whole = np.arange(_length(n))
    return _frequencies(np.where(whole < (n + 1) // 2, whole, whole - n), n, d, dtype)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: str | None = None) -> Array:
    """The frequencies of rfft's elements, a NumPy array (n // 2 + 1,), in cycles per unit of d.

    n        elements of the real signal
    d        the distance between samples, in any unit (default 1.0)
    dtype    of the result (default None: float64)
    device   accepted for the array API and ignored: the result lies on the host

    >>> argand.fft.rfftfreq(4)
    array([0.  , 0.25, 0.5 ])
    """
    return _frequencies(np.arange(_length(n) // 2 + 1), n, d, dtype)


class Names(types.ModuleType):
    """argand.fft(x) is the transform along an axis; argand.fft.fft is the same, next to the other names."""

    fft = staticmethod(_fft.fft)
    ifft = staticmethod(_fft.ifft)
    fftn = staticmethod(_fft.fftn)
    ifftn = staticmethod(_fft.ifftn)
    rfft = staticmethod(_fft.rfft)
    irfft = staticmethod(_fft.irfft)
    rfftn = staticmethod(_fft.rfftn)
    irfftn = staticmethod(_fft.irfftn)
    hfft = staticmethod(_fft.hfft)
    ihfft = staticmethod(_fft.ihfft)
    fftfreq = staticmethod(fftfreq)
    rfftfreq = staticmethod(rfftfreq)
    fftshift = staticmethod(fftshift)
    ifftshift = staticmethod(ifftshift)

    __call__ = staticmethod(_fft.fft)


fft = Names("argand.fft", _fft.fft.__doc__)
sys.modules["argand.fft"] = fft
