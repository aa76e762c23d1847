# SPDX-License-Identifier: BSD-3-Clause
"""Phantoms, coils, field maps of a head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _arrays
from ._device import get_device
from ._library import call, lib


def phantom(shape: Sequence[int], dtype: Any = np.float64) -> Any:
    """The Shepp-Logan phantom (modified contrast), ([nz,] ny, nx), y pointing down; a pixel holds the mean over its area.

    >>> bool(argand.phantom((64, 64)).max() > 0.9)
    True
    """
    shape = _arrays.sizes(shape)
    kind = {2: lib.ARGAND_SHEPP_LOGAN_2D, 3: lib.ARGAND_SHEPP_LOGAN_3D}.get(len(shape))
    if kind is None:
        raise ValueError(f"a phantom has the shape (ny, nx) or (nz, ny, nx), not {tuple(shape)}")
    image = _arrays.create(get_device("cpu"), _arrays.computed(dtype), shape)
    call(lib.argand_phantom_image, image, kind)
    return _arrays.fetch(image)


def birdcage(shape: Sequence[int], dtype: Any = np.complex128) -> Any:
    """Smooth coil maps (coils, [nz,] ny, nx) of loops on a ring; the sum over coils of |S|^2 is 1 at every pixel.

    >>> maps = argand.birdcage((8, 32, 32))
    >>> bool(np.allclose((abs(maps) ** 2).sum(axis=0), 1))
    True
    """
    sizes = _arrays.sizes(shape)
    if len(sizes) not in (3, 4):
        raise ValueError(f"coil maps have the shape (coils, ny, nx) or (coils, nz, ny, nx), not {sizes}")
    maps = _arrays.create(get_device("cpu"), _arrays.computed(dtype), sizes)
    call(lib.argand_coils_birdcage, maps)
    return _arrays.fetch(maps)


def head_field(shape: Sequence[int], range: float, dtype: Any = np.float64) -> Any:  # noqa: A002
    """A smooth field map of a head in rad/s between -range and range, ([nz,] ny, nx).

    >>> float(abs(argand.head_field((32, 32), 100.0)).max()) <= 100
    True
    """
    map_ = _arrays.create(get_device("cpu"), _arrays.computed(dtype), _arrays.sizes(shape))
    call(lib.argand_fieldmap_head, map_, range)
    return _arrays.fetch(map_)
