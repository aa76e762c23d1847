# SPDX-License-Identifier: BSD-3-Clause
"""Reconstructions of a user's own arrays: SENSE, and SENSE of shots that have phases of their own."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrays, _scan
from ._device import Device, get_device
from ._errors import Stopped, in_python
from ._library import call, choose, ffi, lib, make, names_of, struct, text
from ._progress import Callback, Progress, monitor
from ._regularize import Denoiser, Regularizer, Regularizers
from ._result import Report, Result

if TYPE_CHECKING:
    from ._io import Geometry

TRANSFORMS = names_of(lib.argand_transform_name)
DENSITIES = {name: value for name, value in names_of(lib.argand_density_name).items() if name != "file"}
COILS = names_of(lib.argand_coils_name)
INTERPOLATORS = names_of(lib.argand_interpolator_name)
TOEPLITZ: dict[object, int] = {None: 0, True: 1, False: 2, "auto": 0, "on": 1, "off": 2}
PRECISIONS = {"single": 0, "double": 1}
SOLVERS = names_of(lib.argand_solver_name)
COMBINATIONS = {"sense": 0, "rss": 1}
PHASES = {"maps": 1, "shots": 3}


def _matrix(maps: Any, shape: Sequence[int] | None, rank: int, grid: tuple[int, ...] | None) -> tuple[int, ...]:
    """The image's shape, of whatever says it."""
    found = _arrays.sizes(shape) if shape is not None else tuple(np.shape(maps)[1:]) if maps is not None else grid
    if found is None:
        raise ValueError("give maps, or the image's shape")
    if len(found) != rank:
        remedy = ": leave out kz, or give maps (coils, nz, ny, nx) or a shape (nz, ny, nx)" if (len(found), rank) == (2, 3) else ""
        raise ValueError(f"an image of shape {found} and a trajectory of {rank} dimensions do not go together{remedy}")
    return found


class _Session:
    """A session over arrays. What the options point to is kept until it ends."""

    def __init__(self, scan: _scan.Scan, device: Device, matrix: tuple[int, ...], options: dict[str, Any]) -> None:
        self._begin(device, options, scan.handle)
        self._scan, self.matrix, self._note, self._coils = scan, matrix, scan.note, scan.coils

    def _begin(self, device: Device, options: dict[str, Any], scan: Any) -> None:
        self._started = time.perf_counter()
        self._options, self.device = options, device
        self._seen: list[Progress] = []
        self._was_stopped = False
        self._given = struct("argand_sense_options", options)
        self._handle = make(lib.argand_sense_create, "argand_sense", lib.argand_sense_destroy, device._handle, scan, self._given)

    def run(self, dtype: np.dtype[Any], function: Callback | None, progress: bool, volume: int = 0) -> np.ndarray[Any, Any]:
        image = _arrays.create(self.device, dtype, (*[1] * (3 - len(self.matrix)), *self.matrix))
        self._seen = []

        def note(seen: Progress) -> Any:
            if seen.trial == 0:
                self._seen.append(seen)
            return function is None or function(seen)

        with monitor(note if function is None or callable(function) else function, progress, "SENSE") as look:
            try:
                call(lib.argand_sense_run, self._handle, volume, image, look, ffi.NULL)
            except Stopped:
                self._was_stopped = True  # a callback wanted no more: the last iterate
        return _arrays.fetch(image).reshape(self.matrix)

    def coefficients(self, dtype: np.dtype[Any], function: Callback | None, progress: bool) -> np.ndarray[Any, Any]:
        """The images of a temporal basis' columns, (columns, *shape). The first run solves for all."""
        first = self.run(dtype, function, progress)
        seen, others = self._seen, range(1, lib.argand_sense_volumes(self._handle))
        images = [first, *(self.run(dtype, None, False, volume) for volume in others)]
        self._seen = seen
        return np.stack(images)

    def result(self, image: Any, *, full: bool = False, regularize: Regularizer = None, geometry: Geometry | None = None) -> Result:
        """The image with its report, and with its maps if they are wanted."""
        report = self._report(regularize, geometry)
        if not full:
            return Result(image, report, None)
        coil_maps = None if self._options.get("spirit_rss") else self._maps(lib.argand_sense_coil_maps)
        return Result(image, report, (coil_maps, self._maps(lib.argand_sense_phase_maps)))

    def _report(self, regularize: Regularizer, geometry: Geometry | None) -> Report:
        info = ffi.new("argand_sense_info *")
        lib.argand_sense_describe(self._handle, info)
        coil_maps = next(name for name, number in COILS.items() if number == info.coils)
        last = self._seen[-1].iteration if self._seen else 0
        return Report(
            solver=text(info.solver), iterations=last if self._was_stopped or info.iteration < 0 else info.iteration,
            limit=info.iterations, stop=self._stop(text(info.stop), last, info.iterations), progress=tuple(self._seen),
            transform=text(info.transform), segments=info.segments, segment_error=info.segment_error, convolutions=info.convolutions,
            density=text(info.density), density_power=info.density_power, coil_maps="given" if coil_maps == "auto" else coil_maps,
            coils=self._coils, shots=info.shots, regularize="" if regularize is None else str(regularize), noise=info.noise,
            device=self.device.info, ranks=info.ranks, seconds=time.perf_counter() - self._started,
            solve_seconds=self._seen[-1].seconds if self._seen else 0.0,
            notes=self._note + in_python(text(lib.argand_sense_notes(self._handle))), geometry=geometry,
        )  # fmt: skip

    def _stop(self, said: str, last: int, limit: int) -> str:
        """Why the iterations ended; solvers other than CG do not tell."""
        if self._was_stopped:
            return "callback"
        if said or not self._seen:
            return said
        return "iterations" if last >= limit else "converged"

    def _maps(self, function: Any) -> Any:
        found = self._array(function)
        return None if found is None else found.reshape((*found.shape[:-3], *self.matrix))

    def _array(self, function: Any) -> Any:
        place = ffi.new("argand_array **")
        call(function, self._handle, 0, place)
        return None if place[0] == ffi.NULL else _arrays.fetch(ffi.gc(place[0], lib.argand_array_destroy))


def _map(x: Any, shape: tuple[int, ...], what: str, real: bool, lead: tuple[int, ...] = ()) -> Any:
    """A user's map on the host, (*lead, *shape); NULL of None."""
    if x is None:
        return ffi.NULL
    seen = _arrays.numbers(x, what, real=real)
    if seen.shape != (*lead, *shape):
        raise ValueError(f"{what} has the shape {(*lead, *shape)}, not {seen.shape}")
    native = seen.dtype.newbyteorder("=")
    dtype = native if native in (np.float64, np.complex128) else np.dtype(np.float32)
    whole = np.ascontiguousarray(seen, dtype if real else _arrays.as_complex(dtype))
    return _copied(whole.reshape((*lead, *[1] * (3 - len(shape)), *shape)))


def _copied(array: np.ndarray[Any, Any]) -> Any:
    """An argand_array of its own memory on the host."""
    host = get_device("cpu")
    handle = _arrays.create(host, array.dtype, array.shape)
    whole = np.ascontiguousarray(array)
    call(lib.argand_array_upload, handle, ffi.cast("void *", _arrays.address(whole)))
    return handle


def _coefficients(subspace: Any, rank: int) -> dict[str, Any]:
    """The options of a temporal basis (columns, times), whose coefficient images are wanted."""
    basis = np.ascontiguousarray(_arrays.numbers(subspace, "subspace"), np.complex128)
    if basis.ndim != 2:
        raise ValueError(f"subspace is a basis of the shape (columns, times), not {basis.shape}")
    return {"basis": _copied(basis), "coefficients": True, "rank": rank}


def _gradients(girf: Any, step: float, delay: Any, timed: bool, rank: int) -> dict[str, Any]:
    """The options about what gradients played; axes in the image's order, x last."""
    late = _arrays.broadcast("gradient_delay", _arrays.numbers(delay, "gradient_delay", real=True), (rank,))[::-1]
    if girf is None and not late.any():
        return {}
    if not timed:
        raise ValueError("girf and gradient_delay need times, the samples' seconds from the excitation")
    options: dict[str, Any] = {"girf_step": step, "gradient_delay": [*map(float, late), 0.0][:3], "girf_name": ffi.new("char[]", b"girf")}
    if girf is not None:
        response = np.atleast_2d(_arrays.numbers(girf, "girf"))[::-1]
        options["girf"] = _copied(np.ascontiguousarray(response, np.complex128))
    return options


def _prepare(kspace: Any, trajectory: Any, times: Any, maps: Any, shape: Any) -> tuple[_scan.Scan, tuple[int, ...], Any]:
    data = _arrays.as_array(kspace)
    data = data.astype(data.dtype.newbyteorder("="), copy=False)
    if maps is not None and np.ndim(maps) and data.ndim and np.shape(maps)[0] != len(data):
        raise ValueError(f"maps have the shape (coils, [nz,] ny, nx), and k-space has {len(data)} coils, not {np.shape(maps)[0]}: maps {np.shape(maps)}")
    grid, note = None, ""
    if trajectory is None:
        if data.ndim not in (3, 4):
            raise ValueError(f"k-space on a grid is (coils, ny, nx) or (coils, nz, ny, nx), not {data.shape}")
        if times is not None:
            raise ValueError("times need a trajectory")
        grid = data.shape[1:]
        _scan.refuse_unshifted(data)
        data, trajectory = _scan.cartesian_points(data)
        note = _scan.unmeasured_note(trajectory, grid)
    samples, points, t = _scan.arrange(data, trajectory, times)
    matrix = _matrix(maps, shape, points.shape[-1], grid)
    _scan.check_reach(points, matrix)
    return _scan.Scan(samples, points, t, matrix, grid is not None, note), matrix, data.dtype


def _of_arrays(
    kspace: Any, trajectory: Any, maps: Any, *, shape: Sequence[int] | None = None, times: Any = None,
    field_map: Any = None, r2star: Any = None, mask: Any = None, weights: Any = None, noise: Any = None,
    density: str = "auto", regularize: Regularizer = None, iterations: int | None = None, tolerance: float = 0.0, solver: str = "auto",
    transform: str = "auto", nufft_tolerance: float = 0.0, toeplitz: bool | str | None = None, precondition: bool = False,
    compress: int = 0, coils: str = "auto", girf: Any = None, girf_step: float = 0.0, gradient_delay: Any = 0.0,
    segments: int | str | None = None, segment_tolerance: float = 0.0, interpolator: str = "auto", frequency_segments: bool = False,
    partial_fourier: float = 0.0, spirit: float = 0.0, combine: str = "sense", pocs: int = 0, density_power: float = 0.0, keep_field_zeros: bool = False,
    calibration: float = 0.0,
    precision: str | None = None, callback: Callback | None = None, progress: bool = False, device: Device | str | None = None,
    threads: int = 0, full: bool = False, comm: Any = None, ranks: int = 0, phase_maps: Any = None, phases: int = 0,
    denoiser: Denoiser = None, denoiser_noise: float = 0.0, denoiser_weight: float = 0.0, denoiser_scale: float = 0.0,
    subspace: Any = None, rank: int = 0,
) -> Result:  # fmt: skip
    """The reconstruction of arrays in this process: the arguments are those of argand.sense."""
    if isinstance(iterations, int) and iterations < 0:
        raise ValueError(f"iterations: a number above 0, or 0 for the weighted adjoint alone, is needed, not {iterations}")
    scan, matrix, given = _prepare(kspace, trajectory, times, maps, shape)
    dtype = np.dtype(np.complex128 if given in (np.complex128, np.float64) else np.complex64)
    if precision is not None:
        dtype = np.dtype((np.complex64, np.complex128)[choose(PRECISIONS, precision, "precision")])
    options: dict[str, Any] = {
        "type": _arrays.TYPES[dtype], "matrix": [*matrix[::-1], 1][:3], "iterations": iterations or 0, "tolerance": tolerance,
        "nufft_tolerance": nufft_tolerance, "precondition": precondition, "compress": compress,
        "transform": choose(TRANSFORMS, transform, "transform"), "solver": choose(SOLVERS, solver, "solver"),
        "density": choose(DENSITIES, density, "density"), "coils": choose(COILS, coils, "coils"),
        "toeplitz": choose(TOEPLITZ, toeplitz, "toeplitz"), "interpolator": choose(INTERPOLATORS, interpolator, "interpolator"),
        "method": lib.ARGAND_METHOD_ADJOINT if iterations == 0 else lib.ARGAND_METHOD_SOLVE, "segments": _segments(segments),
        "segment_tolerance": segment_tolerance, "frequency_segments": frequency_segments, "partial_fourier": partial_fourier,
        "spirit": spirit, "spirit_rss": choose(COMBINATIONS, combine, "combine") == 1, "density_power": density_power,
        "pocs": pocs, "keep_field_zeros": keep_field_zeros, "calibration": calibration, "phases": phases,
        "coil_maps": _map(maps, matrix, "maps", False, (scan.coils,)), "field_map": _map(field_map, matrix, "field_map", True),
        "r2star": _map(r2star, matrix, "r2star", True), "mask": _map(mask, matrix, "mask", True),
    }  # fmt: skip
    if phase_maps is not None:
        options["phase_maps"] = phase_maps
    if subspace is not None:
        options.update(_coefficients(subspace, rank))
    if field_map is not None and times is None:
        raise ValueError("a field map needs times, the samples' seconds from the excitation")
    if weights is not None:
        options["weights"] = _copied(np.ascontiguousarray(_arrays.numbers(weights, "weights", real=True), np.float32).ravel())
    if noise is not None:
        options["noise"] = _copied(np.ascontiguousarray(_arrays.numbers(noise, "noise"), np.complex64))
    options.update(_gradients(girf, girf_step, gradient_delay, times is not None, len(matrix)))
    regularizers = Regularizers(regularize, denoiser, denoiser_noise, denoiser_weight, denoiser_scale)
    options.update(regularizers=regularizers.list, regularizer_count=regularizers.count)
    scan.note += regularizers.note
    if comm is not None:
        options.update(comm=comm._handle, ranks=ranks)
        device = comm.device if device is None else device
    where = get_device("auto" if device is None else device)
    with where.counting if threads else contextlib.nullcontext():  # else two calls could leave each other's count behind
        before = where.threads
        where.threads = threads or before
        try:
            session = _Session(scan, where, matrix, options)
            image = session.run(dtype, callback, progress) if subspace is None else session.coefficients(dtype, callback, progress)
            return session.result(image, full=full, regularize=regularize)
        finally:
            where.threads = before


def _segments(given: int | str | None) -> int:
    """The number of time segments; 0: automatic."""
    if given is None or given == "auto":
        return 0
    if isinstance(given, str) or isinstance(given, bool) or not 1 <= given <= 511:
        raise ValueError(f"segments: give a number from 1 to 511, or auto; not {given!r}")
    return given


def _with_phases(kspace: Any, trajectory: Any, maps: Any, phase_maps: Any, options: dict[str, Any]) -> Result:
    """The reconstruction of shots with phases in this process."""
    if np.ndim(trajectory) < 3:
        raise ValueError(f"a trajectory of shots has the shape (shots, samples, 2 or 3), not {np.shape(trajectory)}")
    if isinstance(phase_maps, str):
        return _of_arrays(kspace, trajectory, maps, phases=choose(PHASES, phase_maps, "phase_maps"), **options)
    given = np.ascontiguousarray(_arrays.numbers(phase_maps, "phase_maps", real=True), np.float32)
    shots, matrix = given.shape[0], given.shape[1:]
    if shots != int(np.prod(np.shape(trajectory)[:-2])):
        raise ValueError(f"{shots} phase maps, and a trajectory of shape {np.shape(trajectory)}")
    whole = _copied(given.reshape((shots, *[1] * (3 - len(matrix)), *matrix)))
    return _of_arrays(kspace, trajectory, maps, phases=PHASES["maps"], phase_maps=whole, **options)


HERE = frozenset(_of_arrays.__kwdefaults__ or ()) | {"matrix", "coil_maps", "delay", "maps", "kspace", "trajectory"}
FILES = ("field_map", "maps", "mask", "density", "compress", "r2star", "weights", "noise", "times", "girf", "phase_maps", "subspace")


def _sizes(matrix: Any) -> Any:
    """Sizes in the order of the axes; a text such as "64x48" has x first."""
    if isinstance(matrix, str) and all(part.isdigit() for part in matrix.split("x")):
        return tuple(int(part) for part in reversed(matrix.split("x")))
    return matrix


def _seconds(delay: Any) -> Any:
    """Delays in microseconds, as text for x, y, z or in the order of the image's axes, in seconds in that order."""
    values = [float(d) for d in delay.split(",")][::-1] if isinstance(delay, str) else np.asarray(delay, np.float64)
    return np.asarray(values) * 1e-6


def _names_file(value: Any) -> bool:
    """Whether a value is the name of a file or of a scan's array, rather than numbers or a word."""
    return isinstance(value, os.PathLike) or (isinstance(value, str) and ("." in value or ":" in value))


def _is_file(name: str, value: Any) -> bool:
    """Whether the value of an argument is a file's name: any text that is no word or number of that argument. BART's names have no ending."""
    if _names_file(value):
        return True
    if not isinstance(value, str) or value.isdigit() or (name == "density" and value in (*DENSITIES, "file")):
        return False
    if not os.path.exists(value) and not os.path.exists(value + ".cfl"):
        if name == "compress":  # a number was meant
            return False
        raise FileNotFoundError(f"{name}: {value}: no such file, nor {value}.cfl")
    return True


def _needs_tool(options: dict[str, Any], kspace: Any, trajectory: Any, phases: Any) -> str | None:
    """What arrays in this process cannot do: the name of an argument that the tool must compute. None: nothing."""
    for name, value in options.items():
        if name not in HERE or (name in FILES and _is_file(name, value)):
            return name
    if _names_file(phases) or (isinstance(phases, str) and phases not in PHASES):
        return "phase_maps"
    if _is_file("trajectory", trajectory):
        return "trajectory"
    if not isinstance(options.get("density", "auto"), str) or options.get("density") == "file":
        return "density"
    if np.ndim(options.get("compress", 0)) == 2:
        return "compress"
    if isinstance(options.get("device"), (list, tuple)):
        return "device"
    if trajectory is not None and np.ndim(kspace) > np.ndim(trajectory):
        return "kspace of several repetitions"
    return None
