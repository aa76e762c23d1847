# SPDX-License-Identifier: BSD-3-Clause
"""What is measured before images are made: coil maps, noise, compression, field maps, density. Computed on the host, but for espirit."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from . import _arrays
from ._arrays import create, fetch
from ._device import Device, get_device
from ._library import call, ffi, lib, make, numpy_axes, struct, text
from ._nufft import make_plan
from ._options import Points
from ._scan import refuse_unshifted
from ._types import Array, ArrayLike, DensityMethod, DTypeLike


def _host() -> Any:
    return get_device("cpu")


def _complex_operand(x: Any) -> Any:
    """A user's array as contiguous complex numbers, where it is."""
    seen = _arrays.operand(x)
    if len(seen.shape) < 1:
        raise ValueError("an array (coils, ...) is needed, not a single number")
    return _arrays.contiguous(_arrays.convert(seen, _arrays.as_complex(seen.dtype)))


def _complex(x: Any) -> Any:
    """(operand, handle) of a user's complex array on its device."""
    seen = _complex_operand(x)
    return seen, _arrays.to_device(seen, _arrays.place(seen, None))


@overload
def espirit(
    kspace: ArrayLike, *, calibration: Sequence[int] | int = 0, kernel: Sequence[int] | int = 0, threshold: float = 0.0,
    crop: float = 0.0, soft: bool = False, sets: int = 1, images: bool = False, eigenvalues: Literal[False] = False,
    device: Device | str | None = None,
) -> Array: ...  # fmt: skip
@overload
def espirit(
    kspace: ArrayLike, *, calibration: Sequence[int] | int = 0, kernel: Sequence[int] | int = 0, threshold: float = 0.0,
    crop: float = 0.0, soft: bool = False, sets: int = 1, images: bool = False, eigenvalues: Literal[True],
    device: Device | str | None = None,
) -> tuple[Array, Array]: ...  # fmt: skip
def espirit(
    kspace: ArrayLike, *, calibration: Sequence[int] | int = 0, kernel: Sequence[int] | int = 0, threshold: float = 0.0,
    crop: float = 0.0, soft: bool = False, sets: int = 1, images: bool = False, eigenvalues: bool = False,
    device: Device | str | None = None,
) -> Any:  # fmt: skip
    """Coil maps by ESPIRiT (Uecker et al. 2014), in BART's definitions: (coils, [nz,] ny, nx), or (sets, coils, [nz,] ny, nx) of several sets.

    kspace       (coils, [nz,] ny, nx), complex, centre at floor(n/2), fully sampled there
    calibration  elements around the centre that are used, for all axes or each (default 0: at most 24)
    kernel       size of the kernel, for all axes or each (default 0: 6)
    threshold    singular vectors with an energy below this part of the largest count as noise (default 0.0: 0.001)
    crop         maps are 0 where the eigenvalue is below this; negative: nowhere (default 0.0: 0.8)
    soft         let the maps fall off smoothly towards crop (default False)
    sets         number of sets of maps (default 1)
    images       kspace holds coil images instead (default False)
    eigenvalues  return (maps, eigenvalues), the latter [sets,] [nz,] ny, nx (default False)
    device       where to compute, as "cpu" or "cuda:0" (default None: where kspace is); the results are where kspace is

    >>> kspace = argand.fftn(argand.phantom((32, 32)) * argand.birdcage((4, 32, 32)), axes=(1, 2), centred=True)
    >>> argand.espirit(kspace).shape
    (4, 32, 32)
    """
    data = _complex_operand(kspace)
    on = _arrays.place(data, device)
    rank = len(data.shape) - 1
    if not images:
        refuse_unshifted(data.space.host(data.array) if data.space.is_host else fetch(_arrays.to_device(data, on)))
    options = struct("argand_espirit_options", {
        "calibration": _sizes(calibration, rank, "calibration"), "kernel": _sizes(kernel, rank, "kernel"),
        "threshold": threshold, "crop": crop, "soft": soft, "images": images,
    })  # fmt: skip
    (sets,) = _arrays.sizes(sets, "sets")
    if sets < 1:
        raise ValueError(f"sets: {sets} sets of maps: give 1 or more")
    lead = (sets,) if sets > 1 else ()
    report = ffi.new("argand_espirit_report *")
    with on.turn:
        maps = _arrays.Output(data, on, (*lead, *data.shape), data.dtype)
        values = _arrays.Output(data, on, (*lead, *data.shape[1:]), _arrays.as_real(data.dtype)) if eigenvalues else None
        handles = maps.handle, values.handle if values else ffi.NULL, _arrays.to_device(data, on)
        with numpy_axes(rank):
            call(lib.argand_coils_espirit, *handles, options, report)
        results = (maps.finish(), values.finish()) if values else maps.finish()
    if note := text(report.note):
        warnings.warn(note, stacklevel=2)
    return results


def _sizes(given: Sequence[int] | int, rank: int, name: str) -> list[int]:
    """Sizes along each axis, the fastest first."""
    whole = _arrays.sizes(given, name)
    listed = [*whole] * rank if np.ndim(given) == 0 else [*whole]
    if len(listed) != rank:
        raise ValueError(f"{name}: {len(listed)} sizes are given, and there are {rank} axes")
    return (listed[::-1] + [0, 0, 0])[:3]


def adaptive_maps(images: ArrayLike, sigma: float = 0.0) -> Array:
    """Coil maps (coils, [nz,] ny, nx) from coil images: the local principal component over a Gaussian window.

    images  of the coils, (coils, [nz,] ny, nx), complex
    sigma   width of the window in pixels (default 0.0: 3)

    >>> maps = argand.adaptive_maps(argand.phantom((32, 32)) * argand.birdcage((4, 32, 32)))
    >>> bool(np.allclose((abs(maps) ** 2).sum(axis=0), 1))
    True
    """
    data, handle = _complex(images)
    maps = create(_host(), data.dtype, data.shape)
    call(lib.argand_coils_estimate, maps, handle, sigma)
    return fetch(maps)


def mix(matrix: ArrayLike, data: ArrayLike) -> Array:
    """Virtual coils sum_c M[v, c] data[c, ...], of shape (virtual coils, ...).

    matrix  M, (virtual coils, coils)
    data    (coils, ...): samples, coil images or maps

    >>> argand.mix(np.array([[1, 1j]]), np.array([[1.0], [2.0]]))
    array([[1.+2.j]])
    """
    seen, handle = _complex(data)
    rows = np.ascontiguousarray(_arrays.numbers(matrix, "matrix").T, seen.dtype)  # the library's {virtual coils, coils}
    if rows.ndim != 2 or rows.shape[0] != seen.shape[0]:
        raise ValueError(f"a matrix of shape {rows.T.shape} and data of {seen.shape[0]} coils do not go together")
    out = create(_host(), seen.dtype, (rows.shape[1], *seen.shape[1:]))
    call(lib.argand_coils_mix, out, _arrays.give(rows, _host()), handle)
    return fetch(out)


def whiten(noise: ArrayLike, factor: float = 0.0) -> Array:
    """The matrix (coils, coils) by which `mix` makes the noise of channels equal and independent.

    noise   samples of noise, (coils, ...), complex
    factor  from the noise measurement to the scan: dwell time of a noise sample over that of an image sample, times the receiver's relative
            noise bandwidth (default 0.0: 1)

    >>> n = np.random.default_rng(1).standard_normal((2, 3, 1000)) * [[[1.0]] * 3, [[1j]] * 3]
    >>> noise = n[0] + n[1]; noise[1] += 2 * noise[0]
    >>> white = argand.mix(argand.whiten(noise), noise)
    >>> bool(np.allclose(white @ white.conj().T / 1000, np.eye(3), atol=1e-6))
    True
    """
    data, handle = _complex(noise)
    coils = data.shape[0]
    covariance, matrix = (create(_host(), np.dtype(np.complex128), (coils, coils)) for _ in range(2))
    call(lib.argand_noise_covariance, covariance, handle, factor)
    call(lib.argand_noise_whitener, matrix, covariance)
    return fetch(matrix).T.copy()


class Compressed(NamedTuple):
    """Virtual coils: data (virtual coils, ...), the matrix (virtual coils, coils) for maps and other data, the part of the energy kept."""

    data: Any
    matrix: Any
    energy: float


def compress(data: ArrayLike, coils: int = 0, *, energy: float = 0.0) -> Compressed:
    """Coil compression by the SVD of the data. Returns an argand.Compressed: data, matrix, energy.

    data    (coils, ...), complex
    coils   number of virtual coils (default 0: as many as keep `energy`)
    energy  the part of the energy to keep (default 0.0: 0.99)

    >>> argand.compress(np.outer([1, 2, 3], [1, 1j]), 1).data.shape
    (1, 2)
    """
    seen, handle = _complex(data)
    options = struct("argand_compress_options", {"kind": lib.ARGAND_COMPRESS_SVD, "coils": coils, "energy": energy})
    place, report = ffi.new("argand_array **"), ffi.new("argand_compress_report *")
    call(lib.argand_coils_compress, place, handle, options, report)
    matrix = fetch(ffi.gc(place[0], lib.argand_array_destroy)).T.copy()
    return Compressed(mix(matrix, seen.array), matrix, report.energy)


def field_map(
    echoes: ArrayLike, echo_times: Sequence[float], *, mask: ArrayLike | None = None, beta: float = 0.0, iterations: int = 0,
    threshold: float = 0.0, zero_outside: bool = False,
) -> Array:  # fmt: skip
    """A field map in rad/s, ([nz,] ny, nx), from images at several echo times. An echo at t has the phase exp(-i w t) of the field.

    echoes        (echoes, coils, [nz,] ny, nx), complex; one coil: an axis of 1
    echo_times    in s from the excitation, one for each echo
    mask          ([nz,] ny, nx): pixels that count (default None: those whose signal is above threshold)
    beta          weight of the roughness, relative to a mean pixel; negative: none (default 0.0: 0.05)
    iterations    at most, for each echo spacing (default 0: 30)
    threshold     part of the 99th percentile of the signal (default 0.0: 0.1)
    zero_outside  0 outside the mask instead of a smooth continuation (default False)

    >>> w = argand.head_field((32, 32), field_range_hz=30)
    >>> echoes = np.stack([np.exp(-1j * w * t) for t in (0.004, 0.006)])[:, None]
    >>> bool(abs(argand.field_map(echoes, (0.004, 0.006)) - w).max() < 5)
    True
    """
    data, handle = _complex(echoes)
    if len(data.shape) not in (4, 5):
        raise ValueError(f"echoes have the shape (echoes, coils, [nz,] ny, nx), not {data.shape}")
    given = np.ravel(_arrays.numbers(echo_times, "echo_times", real=True))
    if data.shape[0] != len(given):
        raise ValueError(f"{data.shape[0]} echoes, and {len(given)} echo times")
    real, shape = _arrays.as_real(data.dtype), data.shape[2:]
    times = ffi.new("double[]", given.tolist())
    inside = _arrays.give(mask, _host(), real)
    options = struct("argand_fieldmap_options", {
        "echo_count": len(given), "echo_times": times, "mask": inside, "threshold": threshold, "beta": beta,
        "iterations": iterations, "zero_outside": zero_outside,
    })  # fmt: skip
    out = create(_host(), real, shape)
    call(lib.argand_fieldmap_estimate, out, handle, options, ffi.NULL)
    return fetch(out)


def unwrap(phase: ArrayLike, weight: ArrayLike | None = None, mask: ArrayLike | None = None) -> Array:
    """A phase without its jumps of 2 pi, an array of the same shape.

    phase   ([nz,] ny, nx) in rad
    weight  ([nz,] ny, nx): how far each pixel can be trusted (default None: all alike)
    mask    ([nz,] ny, nx): where the phase is known; the result is 0 elsewhere (default None: everywhere)

    >>> ramp = np.linspace(0, 20, 64)[None, :] * np.ones((8, 1))
    >>> bool(np.allclose(np.diff(argand.unwrap(np.angle(np.exp(1j * ramp)))), np.diff(ramp)))
    True
    """
    seen = _arrays.contiguous(_arrays.operand(phase))
    out = create(_host(), seen.dtype, seen.shape)
    given = [_arrays.give(x, _host(), seen.dtype) for x in (weight, mask)]
    call(lib.argand_phase_unwrap, out, _arrays.to_device(seen, _host()), *given)
    return fetch(out)


def density(
    points: ArrayLike, shape: Sequence[int] | None = None, *, method: DensityMethod = "pipe", iterations: int = 0,
    tolerance: float = 0.0, dtype: DTypeLike = np.float64,
) -> Array:  # fmt: skip
    """Density weights of sum 1, one a sample, in the shape of the points' first axes.

    points      (..., 2 or 3) in cycles per field of view, the last axis in the order of the image's axes, (z, y, x)
    shape       of the image, ([nz,] ny, nx); "voronoi" needs none (default None)
    method      "pipe" (Pipe and Menon's iteration), "deconvolve" (without iteration) or "voronoi" (areas of cells, points in the plane)
                (default "pipe")
    iterations  at most, of "pipe" (default 0: 200)
    tolerance   relative change at which "pipe" stops (default 0.0: 1e-3)
    dtype       float32 or float64 (default float64)

    >>> k, _ = argand.trajectory.radial((16, 16), spokes=24)
    >>> w = argand.density(k, (16, 16))
    >>> w.shape == k.shape[:-1], round(float(w.sum()), 6)
    (True, 1.0)
    """
    where = Points(points)
    shape = None if shape is None else _arrays.sizes(shape)
    real = _arrays.computed(dtype)
    weights = create(_host(), real, where.shape)
    if method == "voronoi":
        if where.rank != 2:
            raise ValueError(f"Voronoi cells are of points in the plane, not of {where.rank} dimensions")
        k = where.arrays(_host())  # lives until the call has ended
        call(lib.argand_density_voronoi, weights, ffi.new("argand_array *[]", k), ffi.NULL)
        return fetch(weights)
    if method not in ("pipe", "deconvolve"):
        raise ValueError(f"method is 'pipe', 'deconvolve' or 'voronoi', not {method!r}")
    if shape is None:
        raise ValueError(f"method {method!r} needs the image's shape")
    if len(shape) != where.rank:
        raise ValueError(f"points of {where.rank} dimensions and an image of shape {shape} do not go together")
    if method == "deconvolve":
        k = where.arrays(_host())
        call(lib.argand_density_deconvolve, weights, ffi.new("argand_array *[]", k), where.rank, list(shape)[::-1])
        return fetch(weights)
    k = where.arrays(_host())
    plan = make(
        lib.argand_density_plan, "argand_nufft", lib.argand_nufft_destroy, _host()._handle,
        _arrays.TYPES[_arrays.as_complex(real)], ffi.new("argand_array *[]", k), where.rank, list(shape)[::-1],
    )  # fmt: skip
    call(lib.argand_density_pipe, weights, plan, iterations, tolerance, ffi.NULL)
    return fetch(weights)


def gridding(samples: ArrayLike, points: ArrayLike, weights: ArrayLike, shape: Sequence[int]) -> Array:
    """The root of the sum of squares of the coil images A^H W y, real, ([nz,] ny, nx), without iteration.

    samples  y, (coils, ...), complex
    points   (..., 2 or 3) in cycles per field of view, the last axis in the order of the image's axes, (z, y, x)
    weights  W, (...), density weights, one a sample
    shape    of the image, ([nz,] ny, nx)

    >>> k, _ = argand.trajectory.radial((16, 16))
    >>> int(argand.gridding(np.ones((1, *k.shape[:-1])), k, argand.density(k, (16, 16)), (16, 16)).argmax()) == 8 * 16 + 8
    True
    """
    shape = _arrays.sizes(shape)
    where = Points(points, len(shape))
    data, _ = _complex(samples)
    if data.shape[1:] != where.shape:
        raise ValueError(f"samples have the shape (coils, {', '.join(map(str, where.shape))}), not {data.shape}")
    plan = make_plan(where, shape, data.dtype, _host(), None, None)
    flat = _arrays.wrap(_host(), data.pointer, data.dtype, (data.shape[0], where.count), None)
    real = _arrays.as_real(data.dtype)
    image = create(_host(), real, shape)
    w = _arrays.give(_arrays.numbers(weights, "weights", real=True).reshape(-1), _host(), real)
    call(lib.argand_gridding, image, ffi.NULL, plan, flat, w)
    return fetch(image)
