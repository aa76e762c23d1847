# SPDX-License-Identifier: BSD-3-Clause
"""Reconstructions of a user's own arrays: SENSE, and SENSE of shots that have phases of their own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrays, _scan
from ._device import Device, get_device
from ._errors import Stopped, in_python
from ._library import call, choose, ffi, lib, make, names_of, struct, text
from ._progress import Callback, Progress, monitor
from ._regularize import Regularizer, parse
from ._result import Report, Result

if TYPE_CHECKING:
    from ._io import Geometry

TRANSFORMS = names_of(lib.argand_transform_name)
DENSITIES = {name: value for name, value in names_of(lib.argand_density_name).items() if name != "file"}
COILS = names_of(lib.argand_coils_name)
TOEPLITZ = {None: 0, True: 1, False: 2}
SOLVERS = names_of(lib.argand_solver_name)
PHASES = {"maps": 1, "shots": 3}


def _matrix(maps: Any, shape: Sequence[int] | None, rank: int, grid: tuple[int, ...] | None) -> tuple[int, ...]:
    """The image's shape, of whatever says it."""
    found = _arrays.sizes(shape) if shape is not None else tuple(np.shape(maps)[1:]) if maps is not None else grid
    if found is None:
        raise ValueError("give maps, or the image's shape")
    if len(found) != rank:
        raise ValueError(f"an image of shape {found} and a trajectory of {rank} dimensions do not go together")
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

    def result(self, image: Any, *, full: bool = False, regularize: Regularizer = None, geometry: Geometry | None = None) -> Result:
        """The image with its report, and with its maps if they are wanted."""
        report = self._report(regularize, geometry)
        return Result(image, report, (self._maps(lib.argand_sense_coil_maps), self._maps(lib.argand_sense_phase_maps)) if full else None)

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


def _regularize(options: dict[str, Any], given: Regularizer) -> None:
    listed, count = parse(given)
    options.update(regularizers=listed, regularizer_count=count)


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
    grid, note = None, ""
    if trajectory is None:
        if data.ndim not in (3, 4):
            raise ValueError(f"k-space on a grid is (coils, ny, nx) or (coils, nz, ny, nx), not {data.shape}")
        if times is not None:
            raise ValueError("times need a trajectory")
        grid = data.shape[1:]
        data, trajectory = _scan.cartesian_points(data)
        note = _scan.unmeasured_note(trajectory, grid)
    samples, points, t = _scan.arrange(data, trajectory, times)
    matrix = _matrix(maps, shape, points.shape[-1], grid)
    _scan.check_reach(points, matrix)
    return _scan.Scan(samples, points, t, matrix, grid is not None, note), matrix, data.dtype


def sense(
    kspace: Any, trajectory: Any = None, maps: Any = None, *, shape: Sequence[int] | None = None, times: Any = None,
    field_map: Any = None, r2star: Any = None, mask: Any = None, weights: Any = None, noise: Any = None,
    density: str = "auto", regularize: Regularizer = None, iterations: int = 0, tolerance: float = 0.0, solver: str = "auto",
    transform: str = "auto", nufft_tolerance: float = 0.0, toeplitz: bool | None = None, precondition: bool = False,
    compress: int = 0, coils: str = "auto", girf: Any = None, girf_step: float = 0.0, gradient_delay: Any = 0.0,
    callback: Callback | None = None, progress: bool = False, device: Device | str | None = None, full: bool = False,
    comm: Any = None, ranks: int = 0, **phases: Any,
) -> Result:  # fmt: skip
    """SENSE: the image x that minimises 1/2 |W^1/2 (y_c - F(S_c x))|^2 + regularizers over all coils c.

    kspace      (coils, ...) complex; without a trajectory (coils, [nz,] ny, nx) on the grid, centre at floor(n/2), 0 where not measured
    trajectory  (..., 2 or 3) cycles per field of view, the last axis in the order of the image's axes (y, x) or (z, y, x); the axis
                before it counts the samples of a shot
    maps        (coils, [nz,] ny, nx) sensitivities; None: estimated (`coils`: "espirit", "adaptive", "joint", "auto"), `shape` is needed then
    times       seconds from the excitation, of the trajectory's shape without its last axis; for a field map
    field_map   rad/s, [nz,] ny, nx;  r2star: 1/s;  mask: pixels where it is 0 stay 0
    weights     density weights, one a sample; else `density`: "auto", "none", "pipe", "deconvolve"
    noise       (coils, samples) of a noise scan: channels are whitened
    regularize  "wavelet:0.01", "tv:auto", ... (argand.regularizers says which), or a number (quadratic)
    iterations  at most; 0: until more would bring more noise than signal (50), tolerance: relative gradient to stop at
    transform   "auto", "nufft", "dft", "segmented"; toeplitz: True, False, None (where it pays)
    girf        gradient impulse response that moves the trajectory's points: (frequencies,), or (2 or 3, frequencies) in the order of the
                image's axes, `girf_step` Hz apart, 0 Hz in the middle; gradient_delay: seconds, one or an axis each. Both need times
    callback    is given argand.Progress after each iteration; False ends the solve, whose iterate is returned
    full        keep the coil maps and the phase maps with the result (result.maps, result.phase_maps)
    comm        an argand.Comm, whose ranks share the coils, or the shots if they have phase maps. All ranks give the same arguments and get
                the image. ranks: how many of them share, by default as many as are predicted to be fastest. Without `device` each rank
                takes a GPU of its own (comm.device)

    Computes in single precision for complex64 and in double for complex128 data (samples are kept in single precision).
    `device`: "auto" by default, as the tool. Returns an argand.Result: the array ([nz,] ny, nx), which prints how it came about.

    >>> maps = argand.birdcage((4, 16, 16))
    >>> kspace = argand.fftn(argand.phantom((16, 16)) * maps, axes=(1, 2), centred=True)
    >>> argand.sense(kspace, maps=maps).shape
    (16, 16)
    """
    for name in phases:
        if name not in ("phases", "phase_maps"):
            raise TypeError(f"sense has no argument {name!r}")
    scan, matrix, given = _prepare(kspace, trajectory, times, maps, shape)
    dtype = np.dtype(np.complex128 if given in (np.complex128, np.float64) else np.complex64)
    options: dict[str, Any] = {
        "type": _arrays.TYPES[dtype], "matrix": [*matrix[::-1], 1][:3], "iterations": iterations, "tolerance": tolerance,
        "nufft_tolerance": nufft_tolerance, "precondition": precondition, "compress": compress,
        "transform": choose(TRANSFORMS, transform, "transform"), "solver": choose(SOLVERS, solver, "solver"),
        "density": choose(DENSITIES, density, "density"), "coils": choose(COILS, coils, "coils"),
        "toeplitz": choose(TOEPLITZ, toeplitz, "toeplitz"),
        "coil_maps": _map(maps, matrix, "maps", False, (scan.coils,)), "field_map": _map(field_map, matrix, "field_map", True),
        "r2star": _map(r2star, matrix, "r2star", True), "mask": _map(mask, matrix, "mask", True), **phases,
    }  # fmt: skip
    if field_map is not None and times is None:
        raise ValueError("a field map needs times, the samples' seconds from the excitation")
    if weights is not None:
        options["weights"] = _copied(np.ascontiguousarray(_arrays.numbers(weights, "weights", real=True), np.float32).ravel())
    if noise is not None:
        options["noise"] = _copied(np.ascontiguousarray(_arrays.numbers(noise, "noise"), np.complex64))
    options.update(_gradients(girf, girf_step, gradient_delay, times is not None, len(matrix)))
    _regularize(options, regularize)
    if comm is not None:
        options.update(comm=comm._handle, ranks=ranks)
        device = comm.device if device is None else device
    session = _Session(scan, get_device("auto" if device is None else device), matrix, options)
    image = session.run(dtype, callback, progress)
    return session.result(image, full=full, regularize=regularize)


def pcsense(kspace: Any, trajectory: Any, maps: Any = None, phase_maps: Any = "shots", **options: Any) -> Result:
    """SENSE of shots with a phase map P_s each (diffusion, elastography): y_cs = F_s(S_c exp(i P_s) x).

    kspace (coils, shots, samples), trajectory (shots, samples, 2 or 3); phase_maps: (shots, [nz,] ny, nx) in rad, or "shots": estimated
    from each shot's own central samples. Everything else as argand.sense.
    """
    if np.ndim(trajectory) < 3:
        raise ValueError(f"a trajectory of shots has the shape (shots, samples, 2 or 3), not {np.shape(trajectory)}")
    if isinstance(phase_maps, str):
        return sense(kspace, trajectory, maps, phases=choose(PHASES, phase_maps, "phase_maps"), **options)
    given = np.ascontiguousarray(_arrays.numbers(phase_maps, "phase_maps", real=True), np.float32)
    shots, matrix = given.shape[0], given.shape[1:]
    if shots != int(np.prod(np.shape(trajectory)[:-2])):
        raise ValueError(f"{shots} phase maps, and a trajectory of shape {np.shape(trajectory)}")
    whole = _copied(given.reshape((shots, *[1] * (3 - len(matrix)), *matrix)))
    return sense(kspace, trajectory, maps, phases=PHASES["maps"], phase_maps=whole, **options)
