# SPDX-License-Identifier: BSD-3-Clause
"""A backend of scipy.fft::

    with scipy.fft.set_backend(argand.scipy_backend): ...

    scipy.fft.register_backend("scipy")                        # for what is declined below
    scipy.fft.set_global_backend(argand.scipy_backend)

fft, ifft, rfft, irfft, hfft, ihfft and their 2- and n-dimensional forms are computed here, for NumPy arrays of single and double
precision, and CuPy's and PyTorch's. Everything else is declined (NotImplemented), so that SciPy's own takes it: dct, dst, fht and theirs,
long doubles, plans of other libraries, transforms over no axis.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _fft, _options

__ua_domain__ = "numpy.scipy.fft"

class _Declined(Exception):
    """For SciPy to compute."""


def _check_workers(workers: Any) -> None:
    """Threads are the library's own; what SciPy refuses is refused."""
    if workers is None:
        return
    count = operator.index(workers)
    cores = os.cpu_count() or 1
    if count == 0:
        raise ValueError("workers must not be zero")
    if count < -cores:
        raise ValueError(f"workers value out of range; got {count}, must not be less than {-cores}")


def _check_norm(norm: Any) -> None:
    if norm not in _options.NORMS:
        raise ValueError(f'Invalid norm value {norm!r}, should be "backward", "ortho" or "forward"')


def _taken(x: Any, real: bool = False) -> Any:
    """The array, where its type is computed here: as SciPy, complex ones are no input of rfft."""
    if isinstance(x, (list, tuple, int, float, complex)) or np.isscalar(x):
        x = np.asarray(x)
    dtype = getattr(x, "dtype", None)
    if isinstance(x, np.ndarray) and (x.dtype.kind not in "biufc" or x.dtype.itemsize > (16 if x.dtype.kind == "c" else 8)):
        raise _Declined
    if real and isinstance(dtype, np.dtype) and dtype.kind == "c":
        raise TypeError("x must be a real sequence")
    return x


Function = Callable[..., Any]


def _check_axes(x: Any, s: Any, axes: Any) -> None:
    """No axes at all: SciPy gives x back as it is, or refuses; that is left to it."""
    if any(given is not None and np.size(given) == 0 for given in (s, axes)) or (s is axes is None and np.ndim(x) == 0):
        raise _Declined


def _short(x: Any, axes: Any) -> list[int] | None:
    """Lengths of a half spectrum with one element along its last axis: SciPy takes it for one point, NumPy for none."""
    shape = np.shape(x)
    chosen = list(range(len(shape))) if axes is None else [int(a) for a in np.atleast_1d(axes)]
    if not chosen or not all(-len(shape) <= a < len(shape) for a in chosen) or shape[chosen[-1]] != 1:
        return None
    return [shape[a] for a in chosen]


def _of_axes(compute: Function, default: Any = None) -> Function:
    """With SciPy's arguments of the n-dimensional transforms; `default` are the axes of 2-D ones."""
    to_reals = compute in (_irfftn, _hfftn)

    def transform(
        x: Any, s: Any = None, axes: Any = default, norm: Any = None, overwrite_x: bool = False, workers: Any = None, *, plan: Any = None
    ) -> Any:
        if plan is not None:
            raise _Declined
        _check_axes(x, s, axes)
        _check_workers(workers)
        _check_norm(norm)
        return compute(x, _short(x, axes) if to_reals and s is None else s, axes, norm)

    return transform


def _of_axis(compute: Function) -> Function:
    """With SciPy's arguments of the one-dimensional transforms."""

    def transform(
        x: Any, n: Any = None, axis: Any = -1, norm: Any = None, overwrite_x: bool = False, workers: Any = None, *, plan: Any = None
    ) -> Any:
        if plan is not None:
            raise _Declined
        _check_workers(workers)
        _check_norm(norm)
        return compute(x, _fft._length(n), (axis,), norm)

    return transform


def _fftn(x: Any, s: Any, axes: Any, norm: Any) -> Any:
    return _fft.fftn(_taken(x), s, axes, norm)


def _ifftn(x: Any, s: Any, axes: Any, norm: Any) -> Any:
    return _fft.ifftn(_taken(x), s, axes, norm)


def _rfftn(x: Any, s: Any, axes: Any, norm: Any) -> Any:
    return _fft.rfftn(_taken(x, real=True), s, axes, norm)


def _irfftn(x: Any, s: Any, axes: Any, norm: Any) -> Any:
    return _fft.irfftn(_taken(x), s, axes, norm)


def _hfftn(x: Any, s: Any, axes: Any, norm: Any) -> Any:
    return _fft.hfftn(_taken(x), s, axes, norm)


def _ihfftn(x: Any, s: Any, axes: Any, norm: Any) -> Any:
    return _fft.ihfftn(_taken(x, real=True), s, axes, norm)


_FUNCTIONS: dict[str, Function] = {}
for _name, _compute in [
    ("fft", _fftn), ("ifft", _ifftn), ("rfft", _rfftn), ("irfft", _irfftn), ("hfft", _hfftn), ("ihfft", _ihfftn),
]:  # fmt: skip
    _FUNCTIONS[_name] = _of_axis(_compute)
    _FUNCTIONS[_name + "2"] = _of_axes(_compute, (-2, -1))
    _FUNCTIONS[_name + "n"] = _of_axes(_compute)


def __ua_function__(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What uarray calls: the result, or NotImplemented."""
    function = _FUNCTIONS.get(method.__name__)
    if function is None:
        return NotImplemented
    try:
        return function(*args, **kwargs)
    except _Declined:
        return NotImplemented


__all__ = ["__ua_domain__", "__ua_function__"]
