# SPDX-License-Identifier: BSD-3-Clause
"""Reconstructions of a user's own arrays: SENSE, and SENSE of shots that have phases of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _arrays, _scan
from ._device import Device, get_device
from ._errors import Stopped, in_python
from ._library import call, choose, ffi, lib, make, names_of, struct, text
from ._progress import Callback, monitor
from ._regularize import Regularizer, parse

TRANSFORMS = names_of(lib.argand_transform_name)
DENSITIES = {name: value for name, value in names_of(lib.argand_density_name).items() if name != "file"}
COILS = names_of(lib.argand_coils_name)
TOEPLITZ = {None: 0, True: 1, False: 2}
SOLVERS = names_of(lib.argand_solver_name)
PHASES = {"maps": 1, "shots": 3}


class Reconstructed(NamedTuple):
    """An image and how it came about; maps: (coils, *shape), as given or estimated; notes: what was chosen, a sentence a line."""

    image: Any
    maps: Any
    phase_maps: Any
    notes: str
    iterations: int
    stop: str
    transform: str
    solver: str


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
        self._scan, self._options, self.matrix, self.device = scan, options, matrix, device
        self._given = struct("argand_sense_options", options)
        self._handle = make(
            lib.argand_sense_create, "argand_sense", lib.argand_sense_destroy, device._handle, scan.handle, self._given
        )

    def run(self, dtype: np.dtype[Any], function: Callback | None, progress: bool) -> np.ndarray[Any, Any]:
        image = _arrays.create(self.device, dtype, (*[1] * (3 - len(self.matrix)), *self.matrix))
        with monitor(function, progress, "SENSE") as look:
            try:
                call(lib.argand_sense_run, self._handle, 0, image, look, ffi.NULL)
            except Stopped:
                pass  # a callback wanted no more: the last iterate
        return _arrays.fetch(image).reshape(self.matrix)

    def result(self, image: Any, squeeze: bool) -> Reconstructed:
        info = ffi.new("argand_sense_info *")
        lib.argand_sense_describe(self._handle, info)
        maps = self._array(lib.argand_sense_coil_maps)
        phases = self._array(lib.argand_sense_phase_maps)
        if squeeze:
            maps = None if maps is None else maps.reshape((*maps.shape[:-3], *self.matrix))
            phases = None if phases is None else phases.reshape((-1, *self.matrix))
        return Reconstructed(
            image, maps, phases, self._scan.note + in_python(text(lib.argand_sense_notes(self._handle))), info.iteration, text(info.stop),
            text(info.transform), text(info.solver),
        )  # fmt: skip

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
) -> Any:  # fmt: skip
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
    full        argand.Reconstructed instead of the image alone
    comm        an argand.Comm, whose ranks share the coils, or the shots if they have phase maps. All ranks give the same arguments and get
                the image. ranks: how many of them share, by default as many as are predicted to be fastest. Without `device` each rank
                takes a GPU of its own (comm.device)

    Computes in single precision for complex64 and in double for complex128 data (samples are kept in single precision).
    `device`: "auto" by default, as the tool. Returns ([nz,] ny, nx).

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
    return session.result(image, True) if full else image


def pcsense(kspace: Any, trajectory: Any, maps: Any = None, phase_maps: Any = "shots", **options: Any) -> Any:
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
