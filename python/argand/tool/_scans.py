# SPDX-License-Identifier: BSD-3-Clause
"""Scans: raw data in files (ISMRMRD and others), with the tool's commands as methods."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _arrays, _html, _scan
from .._io import K_UNITS, Path, ScanFile, _path
from .._library import call, choose, encoded, ffi, lib, make, text
from .._recon import _matrix
from .._types import ArrayLike, KUnit
from . import ScanMethods


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


class Scan(ScanFile, ScanMethods, _html.Described):
    """A scan's file in memory. len() and indices refer to `acquisitions`. `calibrations`, `noise`, `navigators` and `corrections` hold the
    other readouts, `arrays` holds FieldMap, SENSEMap, ... in NumPy's order.

    path, group, k_unit  as for argand.read_scan
    origin               what the command that made the scan said (argand.simulate)

    `sense`, `pcsense`, `grid`, `calibrate_coils`, ... are the tool's commands with this scan's file, `path`.
    """

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


ScanFile.opened = Scan


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
