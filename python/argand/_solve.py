# SPDX-License-Identifier: BSD-3-Clause
"""Iterative solution of least squares with operators, alone or with regularizers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _arrays
from ._device import Device, Turn, get_device
from ._errors import Stopped
from ._library import call, choose, ffi, lib, make, struct
from ._op import Operator, _new, shape_of
from ._progress import Callback, monitor
from ._recon import SOLVERS
from ._recipe import remembered
from ._regularize import Denoiser, Regularizer, Regularizers
from ._types import Array, ArrayLike, DTypeLike, Solver, WaveletName, same_kind_as_second


class _Given:
    """The options of a solve, and what they point to."""

    def __init__(self, op: Operator, regularizers: Regularizers, weights: Any, normal: Operator | None, preconditioner: Operator | None) -> None:
        self._regularizers = regularizers
        self.options: dict[str, Any] = {"regularizers": regularizers.list, "regularizer_count": regularizers.count}
        self._operators = (normal, preconditioner)
        if normal is not None:
            self.options["normal"] = normal._handle
        if preconditioner is not None:
            self.options["preconditioner"] = preconditioner._handle
        if weights is not None:
            real = _arrays.as_real(op.output_dtype)
            given = _arrays.operand(weights)
            if given.shape != op.output_shape:
                given = given.space.operand(_arrays.broadcast("weights", given.array, op.output_shape))
            given = _arrays.contiguous(_arrays.convert(given, real))
            self.options["weights"] = self._weights = _like_range(given, op)


def _like_range(given: _arrays.Operand, op: Operator) -> Any:
    """The array with the dimensions that the library's operator has for its range."""
    handle = _arrays.copied(given, op.device)
    space = op._range
    return make(lib.argand_array_reshape, "argand_array", lib.argand_array_destroy, handle, space.rank, space.dims)


@same_kind_as_second
def solve(
    op: Operator, y: ArrayLike, *, regularize: Regularizer = None, weights: ArrayLike | None = None, iterations: int = 0,
    tolerance: float = 0.0, solver: Solver = "auto", inner: int = 0, start: ArrayLike | None = None, normal: Operator | None = None,
    preconditioner: Operator | None = None, absolute: bool = False, callback: Callback | None = None, progress: bool = False,
    denoiser: Denoiser = None, denoiser_noise: float = 0.0, denoiser_weight: float = 0.0, denoiser_scale: float = 0.0,
) -> Array:  # fmt: skip
    """The x that minimises 1/2 |W^1/2 (y - A x)|^2 + regularizers: by conjugate gradients, or what the regularizers need.
    Returns x (*op.input_shape), of y's kind. Nothing is assumed about the units of y.

    op              A, an argand.Operator
    y               an array (*op.output_shape)
    regularize      text such as "wavelet:0.01" or "tv:0.01,quadratic:0.001", or a number (quadratic): NAME:WEIGHT, several joined by commas.
                    Names: "quadratic", "tikhonov", "hyperbola", "tv", "wavelet", "llr" (default None: least squares)
    weights         W >= 0, real, of a shape that repeats to y's (default None: 1)
    iterations      at most (default 0: 10 for conjugate gradients, 50 otherwise)
    tolerance       relative gradient at which the iteration stops (default 0.0: never)
    solver          "cg", "half-quadratic", "fista", "pogm", "admm", or "auto": the first that supports the regularizers (default "auto")
    inner           steps inside each iteration of ADMM and half-quadratic steps (default 0: 4)
    start           a first x (*op.input_shape) (default None: 0)
    normal          A^H W A as one operator, such as argand.Toeplitz, which saves time (default None: A and its adjoint)
    preconditioner  an approximate inverse of the normal operator, such as Toeplitz.circulant (default None)
    absolute        use the regularizers' weights as they are; otherwise they have no scale (default False)
    callback        a function of an argand.Progress, called after each iteration; if it returns False, the last iterate is returned
    progress        show a line with the residual, and a plot in notebooks (default False)
    denoiser        a function (x, level) that returns x (*op.input_shape) without noise of standard deviation `level`, or an ONNX file, taken for
                    the proximal map of an unknown regularizer (plug-and-play) by ADMM or FISTA (default None)
    denoiser_noise  the level, relative to the bright parts of x (default 0.0: 0.05)
    denoiser_weight       weight of the denoiser against the data (default 0.0: 1)
    denoiser_scale   value of the bright parts in what the denoiser is given; `level` has the same unit (default 0.0: 0.5)

    >>> A = argand.FFT((8,), norm="ortho")
    >>> bool(np.allclose(argand.solve(A, A @ np.arange(8.0)), np.arange(8)))
    True
    """
    for name, part in (("op", op), ("normal", normal), ("preconditioner", preconditioner)):
        if not isinstance(part, Operator) and (part is not None or name == "op"):
            raise TypeError(f"{name}: an argand operator is needed, not {type(part).__name__}")
    regularizers = Regularizers(regularize, denoiser, denoiser_noise, denoiser_weight, denoiser_scale)
    given = _Given(op, regularizers, weights, normal, preconditioner)
    options = struct("argand_solve_options", {
        "solver": choose(SOLVERS, solver, "solver"), "iterations": iterations, "inner": inner, "tolerance": tolerance,
        "absolute": absolute, "use_start": start is not None, **given.options,
    })  # fmt: skip
    data = _arrays.operand(y)
    if data.shape != op.output_shape:
        raise ValueError(f"data have the shape {op.output_shape}, not {data.shape}")
    data = _arrays.contiguous(_arrays.convert(data, op.output_dtype))
    first = None
    if start is not None:
        first = _arrays.operand(start)
        if first.shape != op.input_shape:
            raise ValueError(f"start has the shape {op.input_shape}, not {first.shape}")
        first = _arrays.contiguous(_arrays.convert(first, op.dtype))
    turn = Turn(part._turn for part in (op, normal, preconditioner) if part is not None)
    with monitor(callback, progress, "solve") as look, turn:
        options.monitor = look
        x, source = op._domain.create(op.device), op._range.create(op.device)
        if first is not None:
            _put(first, op, x)
        _put(data, op, source)
        try:
            call(lib.argand_solve, x, op._handle, source, options)
        except Stopped:
            pass  # a callback wanted no more: the last iterate
        out = data.space.operand(data.space.empty(op.input_shape, op.dtype))
        _take(out, op, x)
    found: Array = out.array
    return found


def _put(x: _arrays.Operand, op: Operator, to: Any) -> None:
    if x.space.is_host:
        call(lib.argand_array_upload, to, ffi.cast("void *", x.pointer))
    else:
        _arrays.reached(x, op.device)
        space = op._domain if x.shape == op.input_shape and x.dtype == op.dtype else op._range
        call(lib.argand_array_copy, to, space.wrap(op.device, x.pointer))


def _take(x: _arrays.Operand, op: Operator, source: Any) -> None:
    if x.space.is_host:
        call(lib.argand_array_download, source, ffi.cast("void *", x.pointer))
    else:
        _arrays.reached(x, op.device)
        call(lib.argand_array_copy, op._domain.wrap(op.device, x.pointer), source)


class Gradient(Operator):
    """First differences along each of the last `space` axes, inside the image: (*shape) to (axes longer than 1, *shape).

    shape    of the arrays that it takes, as (ny, nx)
    space    number of last axes along which differences are taken (default 0: all, up to 3)
    dtype    complex64 or complex128 (default complex128)
    device   where to compute, as "cpu" or "cuda:0" (default None: "cpu")

    >>> argand.Gradient((1, 3))(np.array([[1.0, 3.0, 6.0]])).real
    array([[[0., 2., 3.]]])
    """

    @remembered
    def __init__(
        self, shape: Sequence[int], space: int = 0, *, dtype: DTypeLike = np.complex128, device: Device | str | None = None
    ) -> None:  # fmt: skip
        where, shape = get_device("cpu" if device is None else device), _arrays.sizes(shape)
        given = shape_of(_arrays.computed(dtype), shape)
        with where.turn:
            handle = _new(lib.argand_op_gradient, where._handle, given, space or min(3, len(shape)))
        super().__init__(handle, where, shape)


class Wavelet(Operator):
    """An orthogonal wavelet transform of the last `space` axes, periodic; the coarse half comes first. Input and output have the same shape.

    shape    of the arrays, as (ny, nx)
    space    number of last axes that are transformed (default 0: all, up to 3)
    wavelet  "daubechies4" or "haar" (default "daubechies4")
    levels   how often the coarse half is transformed again (default 0: as often as the shape allows)
    dtype    complex64 or complex128 (default complex128)
    device   where to compute, as "cpu" or "cuda:0" (default None: "cpu")

    >>> W = argand.Wavelet((8, 8), wavelet="haar")
    >>> bool(np.allclose(W.adjoint(W(np.eye(8))), np.eye(8)))
    True
    """

    @remembered
    def __init__(
        self, shape: Sequence[int], space: int = 0, *, wavelet: WaveletName = "daubechies4", levels: int = 0,
        dtype: DTypeLike = np.complex128, device: Device | str | None = None,
    ) -> None:  # fmt: skip
        where, shape = get_device("cpu" if device is None else device), _arrays.sizes(shape)
        kind = choose({"daubechies4": 0, "haar": 1}, wavelet, "wavelet")
        given = shape_of(_arrays.computed(dtype), shape)
        with where.turn:
            handle = _new(lib.argand_op_wavelet, where._handle, given, space or min(3, len(shape)), kind, levels)
        super().__init__(handle, where, shape, shape)
        self._facts = [("wavelet", wavelet), ("levels", str(levels) if levels else "as many as the shape allows")]
