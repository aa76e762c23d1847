# SPDX-License-Identifier: BSD-3-Clause
"""Phantoms, coils, field maps of a head."""

from __future__ import annotations

from collections.abc import Sequence
import numpy as np

from . import _arrays
from ._device import get_device
from ._library import call, lib
from ._types import Array, DTypeLike


def phantom(shape: Sequence[int], dtype: DTypeLike = np.float64) -> Array:
    """The Shepp-Logan phantom (modified contrast), ([nz,] ny, nx), y pointing down; a pixel holds the mean over its area.

    shape  of the image, (ny, nx) or (nz, ny, nx)
    dtype  float32, float64, complex64 or complex128 (default float64)

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


def birdcage(shape: Sequence[int], dtype: DTypeLike = np.complex128) -> Array:
    """Smooth coil maps (coils, [nz,] ny, nx) of loops on a ring; the sum over coils of |S|^2 is 1 at every pixel.

    shape  of the maps, (coils, ny, nx) or (coils, nz, ny, nx)
    dtype  complex64 or complex128 (default complex128)

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


def head_field(
    shape: Sequence[int], *old: object, field_range_hz: float | None = None, dtype: DTypeLike = np.float64, **more: object
) -> Array:  # fmt: skip
    """A smooth field map of a head in rad/s, ([nz,] ny, nx).

    shape           of the map, (ny, nx) or (nz, ny, nx)
    field_range_hz  its frequencies reach from -field_range_hz to field_range_hz, in Hz, as those of `argand simulate --field-range`;
                    it must be given (default None: refused)
    dtype           float32 or float64 (default float64)
    old, more       are refused, because a range in rad/s was given there before

    >>> float(abs(argand.head_field((32, 32), field_range_hz=100.0)).max()) <= 2 * np.pi * 100
    True
    """
    if old or "range" in more:
        given = old[0] if old else more["range"]
        raise TypeError(f"head_field: the range {given!r} was in rad/s and has no name; give field_range_hz=, in Hz (rad/s divided by 2 pi)")
    if more:
        raise TypeError(f"head_field: there is no argument {', '.join(more)}; known are field_range_hz and dtype")
    if field_range_hz is None:
        raise TypeError("head_field: give field_range_hz, the largest frequency in Hz")
    map_ = _arrays.create(get_device("cpu"), _arrays.computed(dtype), _arrays.sizes(shape))
    call(lib.argand_fieldmap_head, map_, 2 * np.pi * field_range_hz)
    return _arrays.fetch(map_)
