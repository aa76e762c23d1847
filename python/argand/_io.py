# SPDX-License-Identifier: BSD-3-Clause
"""Files: arrays (npy, cfl, NIfTI), images with their place in the patient, raw data (ISMRMRD). Written whole or not at all."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _arrays, _html, _scan
from ._device import get_device
from ._library import call, choose, encoded, ffi, lib, make, names_of, struct, text
from ._recon import _matrix
from ._types import Array, ArrayLike, KUnit
from .tool import ScanMethods

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


class Acquisition(NamedTuple):
    """A readout: data (channels, samples), points (samples, 3) as (z, y, x) in cycles per field of view, times (samples) in s, counters."""

    data: Any
    points: Any
    times: Any
    counters: dict[str, int]
    flags: int

    def __repr__(self) -> str:
        places = ", ".join(f"{name} {number}" for name, number in self.counters.items() if number)
        points = "no points" if self.points is None else f"points {self.points.shape}"
        return f"<argand.Acquisition: data {self.data.shape} {self.data.dtype}; {points}; {places or 'all counters 0'}>"


_LISTS = {"acquisition": "acquisitions", "calibration": "calibrations", "noise": "noise", "navigator": "navigators", "correction": "corrections"}
_COUNTERS = ("shot", "partition", "average", "slice", "contrast", "phase", "repetition", "set", "segment")


def _floats(pointer: Any, count: int, dtype: Any = np.float32) -> Any:
    """A copy of numbers in the library's memory; None of NULL."""
    if pointer == ffi.NULL:
        return None
    return np.frombuffer(ffi.buffer(pointer, count * np.dtype(dtype).itemsize), dtype).copy()


class Scan(ScanMethods, _html.Described):
    """A scan's file in memory. len() and indices refer to `acquisitions`. `calibrations`, `noise`, `navigators` and `corrections` hold the
    other readouts, `arrays` holds FieldMap, SENSEMap, ... in NumPy's order.

    path, group, k_unit  as for argand.read_scan
    origin               what the command that made the scan said (argand.simulate)

    `sense`, `pcsense`, `grid`, `calibrate_coils`, ... are the tool's commands with this scan's file, `path`.
    """

    origin: str = ""
    _folder: object = None  # of a temporary file, which lives as long as this

    def __init__(self, path: Path, group: str = "dataset", k_unit: KUnit = "auto") -> None:
        self.path, self.group, self.k_unit = os.fspath(path), group, k_unit
        options = ffi.new("argand_scan_options *")
        options.k_unit = choose(K_UNITS, k_unit, "k_unit")
        word = ffi.new("char[]", encoded(group, "group"))
        options.group = word
        self._handle = make(lib.argand_scan_read, "argand_scan", lib.argand_scan_destroy, _path(path), options)
        self._lines = self._listed("acquisition")
        self._embedded = ffi.new("bool *")
        if self._lines:
            call(lib.argand_scan_embedded, self._embedded, self._handle, self._lines[0].encoding)
        if self._embedded[0]:
            self._lines = sorted(self._lines + self._listed("calibration"), key=lambda a: int(a.row))

    def _listed(self, kind: str) -> list[Any]:
        """The acquisitions that are kept for a purpose, in the library's memory."""
        first = getattr(self._handle, _LISTS[kind])
        return [first[i] for i in range(getattr(self._handle, kind + "_count"))]

    def __reduce__(self) -> Any:
        """A pickle holds the file's name, and the scan is read again."""
        if self._folder is not None:
            raise TypeError("a scan in a temporary file is not pickled or copied: give the command that makes it the name of a file")
        return Scan, (os.path.abspath(self.path), self.group, self.k_unit)

    @property
    def channels(self) -> int:
        """Receiver channels of the image data."""
        return int(self._handle.channels)

    @property
    def matrix(self) -> tuple[int, ...]:
        """The encoded matrix (nz, ny, nx)."""
        return tuple(self._handle.encodings[0].matrix)[::-1]

    @property
    def notes(self) -> str:
        """What the reader assumed, a sentence a line."""
        return text(self._handle.notes)

    @property
    def header(self) -> str:
        """The XML header."""
        return text(self._handle.header)

    @property
    def field_of_view(self) -> tuple[float, ...]:
        """The encoded field of view (z, y, x) in mm."""
        return tuple(self._handle.encodings[0].field_of_view)[::-1]

    def _describe(self) -> list[tuple[str, str]]:
        samples = sorted({int(a.samples) for a in self._lines})
        others = [(kind, getattr(self._handle, kind + "_count")) for kind in _LISTS if kind != "acquisition"]
        extent = " x ".join(f"{length:g}" for length in self.field_of_view)
        return [
            ("file", str(self.path)), ("readouts", str(len(self))),
            ("samples", " to ".join(map(str, samples if len(samples) < 2 else (samples[0], samples[-1])))),
            ("channels", str(self.channels)), ("matrix", f"{self.matrix} (z, y, x), {extent} mm"),
            ("trajectory", text(self._handle.encodings[0].trajectory)),
            ("other readouts", ", ".join(f"{kind} {count}" for kind, count in others if count)),
            ("arrays", ", ".join(text(self._handle.arrays[i].name) for i in range(self._handle.array_count))),
            ("memory", _html.size(8 * self.channels * sum(int(a.samples) for a in self._lines))),
        ]  # fmt: skip

    def _repr_html_(self) -> str:
        return super()._repr_html_() + _html.notes(self.notes)

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, index: int) -> Acquisition:
        return self._acquisition(self._lines[range(len(self))[index]])

    def _acquisition(self, a: Any) -> Acquisition:
        k = [_floats(a.k[axis], a.samples) for axis in (2, 1, 0)]
        points = None if k[2] is None else np.stack([np.zeros(a.samples, np.float32) if x is None else x for x in k], axis=-1)
        data = _floats(a.data, a.samples * a.channels, np.complex64).reshape(a.channels, a.samples)
        counters = {name: int(getattr(a.counters, name)) for name in _COUNTERS}
        return Acquisition(data, points, _floats(a.t, a.samples), counters, int(a.flags))

    @property
    def acquisitions(self) -> list[Acquisition]:
        """The readouts of image data, in the file's order, with calibration lines of a Cartesian scan that lie between its image's lines
        (`embedded`)."""
        return [self[i] for i in range(len(self))]

    @property
    def embedded(self) -> bool:
        """True if the calibration readouts also measure the image; `acquisitions` then holds them, too."""
        return bool(self._embedded[0])

    @property
    def calibrations(self) -> list[Acquisition]:
        """The readouts that calibrate and are not marked as image data."""
        return [self._acquisition(a) for a in self._listed("calibration")]

    @property
    def noise(self) -> list[Acquisition]:
        """The readouts of noise; their points are None."""
        return [self._acquisition(a) for a in self._listed("noise")]

    @property
    def navigators(self) -> list[Acquisition]:
        """The readouts of navigators."""
        return [self._acquisition(a) for a in self._listed("navigator")]

    @property
    def corrections(self) -> list[Acquisition]:
        """The readouts for phase correction."""
        return [self._acquisition(a) for a in self._listed("correction")]

    @property
    def arrays(self) -> dict[str, Any]:
        """The arrays in the file, in NumPy's order of axes."""
        found = {}
        for i in range(self._handle.array_count):
            a = self._handle.arrays[i]
            shape = list(a.dims)[: a.rank][::-1]
            dtype = _arrays.DTYPES[a.type]
            found[text(a.name)] = _floats(a.data, _arrays.count(shape), dtype).reshape(shape)
        return found


def read_scan(path: Path, group: str = "dataset", k_unit: KUnit = "auto") -> Scan:
    """Reads the raw data of a scan: acquisitions, arrays and `.sense()`.

    path    of the file (ISMRMRD, MRD 2, Siemens twix, a folder of ParaVision, fastMRI's HDF5, MRD streams)
    group   the HDF5 group of the scan (default "dataset")
    k_unit  unit of the trajectory: "cycles" (per field of view), "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m", or "auto":
            recognised (default "auto")
    """
    return Scan(path, group, k_unit)


def write_scan(
    path: Path, kspace: ArrayLike, trajectory: ArrayLike, times: ArrayLike | None = None, *, shape: Sequence[int] | None = None,
    maps: ArrayLike | None = None, field_map: ArrayLike | None = None,
) -> None:  # fmt: skip
    """Writes k-space and its trajectory as an ISMRMRD file, with maps as its arrays SENSEMap and FieldMap.

    path        of the file, .h5
    kspace      (coils, shots, samples), complex
    trajectory  (shots, samples, 2 or 3) in cycles per field of view, the last axis in the order of the image's axes, (z, y, x)
    times       (shots, samples) in s from the excitation (default None: 0)
    shape       of the image, ([nz,] ny, nx) (default None: that of the maps)
    maps        coil maps (coils, [nz,] ny, nx) (default None)
    field_map   ([nz,] ny, nx) in rad/s (default None)
    """
    samples, points, t = _scan.arrange(kspace, trajectory, times)
    matrix = _matrix(maps, shape, points.shape[-1], None)
    _scan.check_reach(points, matrix)
    scan = _scan.Scan(samples, points, t, matrix, False)
    volume = [*[1] * (3 - len(matrix)), *matrix]
    kept: list[tuple[str, Any]] = []
    for word, name, array, lead, dtype in [
        ("SENSEMap", "maps", maps, (len(samples),), np.complex64), ("FieldMap", "field_map", field_map, (), np.float32),
    ]:  # fmt: skip
        if array is not None:
            found = _arrays.numbers(array, name, real=dtype is np.float32)
            if found.shape != (*lead, *matrix):
                raise ValueError(f"{name} has the shape {(*lead, *matrix)}, not {found.shape}")
            kept.append((word, np.ascontiguousarray(found, dtype).reshape(*lead, *volume)))
    arrays = ffi.new("argand_scan_array[]", max(1, len(kept)))
    for place, (name, array) in zip(arrays, kept, strict=False):
        place.name, place.type, place.rank = name.encode(), _arrays.TYPES[array.dtype], array.ndim
        place.dims[0 : array.ndim] = list(array.shape)[::-1]
        place.data = ffi.cast("void *", _arrays.address(array))
    scan.handle.array_count, scan.handle.arrays = len(kept), arrays
    scan.handle.header = ffi.NULL
    call(lib.argand_scan_write, scan.handle, _path(path))
