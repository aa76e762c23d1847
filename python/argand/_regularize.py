# SPDX-License-Identifier: BSD-3-Clause
"""Regularizers as the library parses them, and denoisers: functions of Python or ONNX files."""

from __future__ import annotations

import importlib.util
import math
import numbers
import os
import pathlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _arrays
from ._library import _keep, call, encoded, ffi, lib, make, struct, text

Denoiser = Callable[[np.ndarray[Any, Any], float], Any] | str | os.PathLike[str] | None
Penalty = tuple[str, float | str] | tuple[str, float | str, float]
Regularizer = str | float | Penalty | Sequence[Penalty | str] | None


def as_text(given: Any) -> str:
    """Penalties as the tool's text: ("tv", 1e-3) is "tv:0.001", a list of penalties is one text with commas between them."""
    if isinstance(given, str):
        return given
    if isinstance(given, numbers.Real) and not isinstance(given, bool) and 0 <= float(given) < math.inf:
        return repr(float(given))
    if isinstance(given, tuple) and 1 < len(given) <= 3 and isinstance(given[0], str) and not any(isinstance(x, tuple) for x in given):
        return ":".join([given[0], *(x if isinstance(x, str) else repr(float(x)) for x in given[1:])])
    if isinstance(given, (list, tuple)) and given and all(isinstance(x, (str, tuple)) for x in given):
        return ",".join(map(as_text, given))
    raise ValueError(f'regularize is text such as "wavelet:0.01", a number from 0 on, ("tv", 0.01) or a list of these, not {given!r}')


def parse(given: Regularizer) -> tuple[Any, int]:
    """A list of argand_regularizer and its length.

    "wavelet:0.01", "tv:0.005,quadratic:0.001", "tv:auto", "hyperbola:0.1:0.01", "llr:0.05:8", "tikhonov:0.01"; a number is quadratic.
    """
    if given is None:
        return ffi.NULL, 0
    listed, count = ffi.new("argand_regularizer[]", lib.ARGAND_MAX_REGULARIZERS), ffi.new("int *")
    call(lib.argand_regularizers_parse, encoded(as_text(given), "regularize"), listed, count)
    return listed, count[0]


class Regularizers:
    """A list of argand_regularizer with its length, and what it points to: it has to live as long as the list is used.

    denoiser    None, an ONNX file, or a function of an image (..., [nz,] ny, nx), complex, and the level of its noise, that returns the image
                without noise
    noise       the level, relative to the bright parts of the image; 0: 0.05
    weight      of the denoiser against the data; 0: 1
    brightness  value of the bright parts in the image that the denoiser is given; the level has the same unit; 0: 0.5
    """

    def __init__(self, given: Regularizer, denoiser: Denoiser = None, noise: float = 0.0, weight: float = 0.0, brightness: float = 0.0) -> None:
        self.list, self.count = parse(given)
        self.note = ""
        if denoiser is None:
            if noise or weight or brightness:
                raise ValueError("denoiser_noise, denoiser_weight and denoiser_scale belong to denoiser, which is not given")
            return
        if not callable(denoiser) and not isinstance(denoiser, (str, os.PathLike)):
            raise TypeError(f"denoiser: a function or the name of an ONNX file is needed, not {denoiser!r}")
        for name, value in (("noise", noise), ("weight", weight), ("scale", brightness)):
            if not 0 <= value < math.inf:
                raise ValueError(f"denoiser_{name}: give a number above 0, or 0 for the default; not {value!r}")
        self._extend()
        last = self.list[self.count]
        if callable(denoiser):
            self._function = ffi.callback("argand_denoise", _applied(denoiser, brightness or 0.5), error=lib.ARGAND_STOPPED, onerror=_keep)
            last.kind, last.weight, last.level, last.denoise = lib.ARGAND_DENOISER, weight or 1.0, noise, self._function
        else:
            self._open(os.fspath(denoiser), noise, weight, brightness)
        self.count += 1

    def _extend(self) -> None:
        """Copies the list to one that holds as many as can be."""
        if self.count == lib.ARGAND_MAX_REGULARIZERS:
            raise ValueError(f"regularize: {self.count} penalties and a denoiser are one too many")
        before, self.list = self.list, ffi.new("argand_regularizer[]", lib.ARGAND_MAX_REGULARIZERS)
        if self.count:
            ffi.memmove(self.list, before, self.count * ffi.sizeof("argand_regularizer"))

    def _open(self, path: str, noise: float, weight: float, brightness: float) -> None:
        _name_runtime()
        options = struct("argand_denoiser_options", {"level": noise, "weight": weight, "brightness": brightness})
        self._handle = make(lib.argand_denoiser_open, "argand_denoiser", lib.argand_denoiser_destroy, encoded(path, "denoiser"), options)
        self.note = text(lib.argand_denoiser_notes(self._handle))
        call(lib.argand_denoiser_regularizer, self._handle, self.list + self.count)


def _name_runtime() -> None:
    """Names the library of this interpreter's package onnxruntime to the library, which cannot ask Python where its packages are."""
    found = importlib.util.find_spec("onnxruntime")
    if found is None or not found.submodule_search_locations or os.environ.get("ARGAND_ONNXRUNTIME"):
        return
    for folder in found.submodule_search_locations:
        for file in pathlib.Path(folder, "capi").glob("libonnxruntime.*"):
            os.environ["ARGAND_ONNXRUNTIME"] = str(file)


def _applied(function: Callable[[np.ndarray[Any, Any], float], Any], brightness: float) -> Callable[..., int]:
    """The function as the library calls it, with host arrays in units of the image's scale."""

    def apply(context: Any, y: Any, x: Any, space: int, level: float) -> int:
        image = _arrays.fetch(x)
        found = _arrays.numbers(function(image * image.real.dtype.type(brightness), level * brightness), "denoiser")
        if found.shape != image.shape:
            raise ValueError(f"denoiser: it was given an image of shape {image.shape}, and returned {found.shape}")
        clean = np.ascontiguousarray(found / brightness, image.dtype)
        call(lib.argand_array_upload, y, ffi.cast("void *", _arrays.address(clean)))
        return 0

    return apply
