# SPDX-License-Identifier: BSD-3-Clause
"""Regularizers as the library parses them."""

from __future__ import annotations

import math
import numbers
from typing import Any

from ._library import call, encoded, ffi, lib

Regularizer = str | float | None


def parse(given: Regularizer) -> tuple[Any, int]:
    """A list of argand_regularizer and its length.

    "wavelet:0.01", "tv:0.005,quadratic:0.001", "tv:auto", "hyperbola:0.1:0.01", "llr:0.05:8", "tikhonov:0.01"; a number is quadratic.
    """
    if given is None:
        return ffi.NULL, 0
    if not isinstance(given, str) and not (isinstance(given, numbers.Real) and 0 <= given < math.inf):
        raise ValueError(f'regularize is text such as "wavelet:0.01", or a number from 0 on, not {given!r}')
    listed, count = ffi.new("argand_regularizer[]", lib.ARGAND_MAX_REGULARIZERS), ffi.new("int *")
    call(lib.argand_regularizers_parse, encoded(str(given), "regularize"), listed, count)
    return listed, count[0]
