# SPDX-License-Identifier: BSD-3-Clause
"""Files: arrays (npy, cfl, NIfTI), images with their place in the patient. Written whole or not at all."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from . import _arrays, _html, _scan
from ._device import get_device
from ._library import call, choose, encoded, ffi, lib, make, names_of, struct, text
from ._types import Array, ArrayLike, KUnit

Path = str | os.PathLike[str]
K_UNITS = names_of(lib.argand_k_unit_name)


class Geometry(NamedTuple):
    """Where a volume lies: voxel sizes (x, y, z) in mm, unit vectors along x, y, z and the centre in mm, LPS; valid: it is known."""

    voxel: tuple[float, ...]
    read: tuple[float, ...]
    phase: tuple[float, ...]
    slice: tuple[float, ...]
    centre: tuple[float, ...]
    time_step: float = 0.0
    valid: bool = True


def _path(path: Path) -> bytes:
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError(f"path: {path!r} has a null character")
    return name


def read(path: Path) -> Array:
    """Reads an array from a file, chosen by its ending: .npy, .cfl (with .hdr), .nii, .nii.gz. Numbers stay as they are;
    argand.read_trajectory also puts the components of positions in order.

    path   of the file. Axes are in NumPy's order, so a cfl's {x, y, z} is [z, y, x]
    """
    handle = make(_read_into(lib.argand_array_read), "argand_array", lib.argand_array_destroy, path)
    return _arrays.fetch(handle)


def _read_into(function: Any) -> Any:
    def run(place: Any, path: Path, *more: Any) -> Any:
        return function(place, _path(path), get_device("cpu")._handle, *more)

    return run


def write(path: Path, array: ArrayLike) -> None:
    """Writes an array to a file, chosen by its ending: .npy, .cfl, .nii, .nii.gz. Trajectories in .cfl and .nii begin with x: for those
    there is argand.write_trajectory.

    path   of the file
    array  of any shape, float32, float64, complex64 or complex128

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     argand.write(folder + "/a.npy", np.eye(3)); bool((np.load(folder + "/a.npy") == argand.read(folder + "/a.npy")).all())
    True
    """
    call(lib.argand_array_write, _path(path), _arrays.give(array, get_device("cpu")))


def _begins_with_x(path: Path) -> bool:
    """Whether x is the first component of positions in such a file, as in BART's; in .npy it is the last, as in NumPy's images."""
    return not os.fsencode(path).lower().endswith(b".npy")


def _says_x_first(path: Path, shape: Sequence[int]) -> bool:
    """Whether a sidecar says that x is the first component, as the tool's earlier versions wrote .npy."""
    import json  # needed by few calls

    try:
        with open(os.path.splitext(os.fsdecode(path))[0] + ".json", encoding="utf-8") as file:
            told = json.load(file)["Argand"]
        return bool(told["Axes"] == "k, sample, acquisition" and told["Dimensions"][0] == shape[-1])
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return False


def write_trajectory(path: Path, points: ArrayLike) -> None:
    """Writes positions to a file that the tool and other programs read: .npy as they are (np.save does the same), .cfl and .nii with x first
    and three components, as BART has them.

    path    of the file
    points  (..., 2 or 3), in any unit (the tool expects cycles per field of view), the last axis in the order of the image's axes, (z, y, x)

    >>> import tempfile
    >>> points, times = argand.trajectory.radial((8, 8), spokes=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     argand.write_trajectory(folder + "/t.cfl", points); back = argand.read_trajectory(folder + "/t.cfl")
    >>> back.shape, bool(np.allclose(back, points))
    ((3, 16, 2), True)
    """
    k = _arrays.numbers(points, "points", real=True)
    if k.ndim < 2 or k.shape[-1] not in (2, 3):
        raise ValueError(f"points: the shape (..., 2) or (..., 3) is needed, not {k.shape}")
    if _begins_with_x(path):
        x_first = np.zeros((*k.shape[:-1], 3), k.dtype)
        x_first[..., : k.shape[-1]] = k[..., ::-1]
        k = x_first
    write(path, k)


def read_trajectory(path: Path) -> Array:
    """Reads positions (..., 2 or 3) from a file: real, the last axis in the order of the image's axes. In .npy they lie so; .cfl and .nii have x
    first, and a third component that is 0 everywhere is left out.

    path    of the file
    """
    k = read(path)
    if k.ndim < 2 or k.shape[-1] not in (2, 3):
        raise ValueError(f"{os.fspath(path)!s}: points have the shape (..., 2) or (..., 3), not {k.shape}")
    if np.iscomplexobj(k):
        if np.any(k.imag):
            raise ValueError(f"{os.fspath(path)!s}: holds complex numbers, and points are real")
        k = k.real
    if _begins_with_x(path) or _says_x_first(path, k.shape):
        k = k[..., :2] if k.shape[-1] == 3 and not np.any(k[..., 2]) else k
        k = k[..., ::-1]
    return np.ascontiguousarray(k)


def _geometry(found: Any) -> Geometry:
    voxel, read_, phase, slice_, centre = (tuple(getattr(found, name)) for name in ("voxel", "read", "phase", "slice", "centre"))
    return Geometry(voxel, read_, phase, slice_, centre, found.time_step, found.valid)


def _given_geometry(geometry: Geometry | None) -> Any:
    if geometry is None:
        return ffi.NULL
    if not isinstance(geometry, Geometry):
        raise TypeError(f"geometry: an argand.Geometry is needed, not {geometry!r}")
    vectors = {}
    for name in ("voxel", "read", "phase", "slice", "centre"):
        given = _arrays.numbers(getattr(geometry, name), f"geometry.{name}", real=True)
        is_size = name == "voxel" and geometry.valid
        if given.shape != (3,) or not np.isfinite(given).all() or (is_size and (given <= 0).any()):
            kind = "positive " if is_size else ""
            raise ValueError(f"geometry.{name}: three {kind}numbers (x, y, z) are needed, not {getattr(geometry, name)}")
        vectors[name] = given.tolist()
    return struct("argand_geometry", {"valid": geometry.valid, "time_step": geometry.time_step, **vectors})


def read_nifti(path: Path) -> tuple[Array, Geometry]:
    """Reads an image [..., nz, ny, nx] of a NIfTI file, and its place, by its sform or else its qform. Warns if the two contradict each other.

    path   of the file, .nii or .nii.gz"""
    found = ffi.new("argand_geometry *")
    handle = make(_read_into(lib.argand_nifti_read), "argand_array", lib.argand_array_destroy, path, found)
    if found.note != ffi.NULL:
        warnings.warn(f"{os.fspath(path)!s}: {text(found.note)}", stacklevel=2)
    return _arrays.fetch(handle), _geometry(found)


def write_nifti(path: Path, image: ArrayLike, geometry: Geometry | None = None, repetition_time: float = 0.0) -> None:
    """Writes an image to a NIfTI file.

    path             of the file, .nii or .nii.gz
    image            [..., nz, ny, nx], real (float32 is written) or complex
    geometry         an argand.Geometry: voxel sizes in mm and place (default None: unknown)
    repetition_time  in s, of the axis before z (default 0.0)
    """
    handle = _arrays.give(image, get_device("cpu"))
    call(lib.argand_nifti_write, _path(path), handle, _given_geometry(geometry), repetition_time)


class ScanFile:
    """A scan's file, as the tool's commands take and make it; argand.Scan has them as methods, and says here how one is opened."""

    path: str
    group: str
    k_unit: str
    origin: str = ""
    _folder: object = None  # of a temporary file, which lives as long as this
    opened: ClassVar[Callable[[str], Any]]
