# SPDX-License-Identifier: BSD-3-Clause
"""Regularizers as the library parses them."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

from ._library import call, encoded, ffi, lib

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
