# SPDX-License-Identifier: BSD-3-Clause
"""How Argand solves the cases: (settings, make), where make() returns the function that is timed."""

import numpy as np

TOLERANCES = (3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5)
STEPS = (5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 1000)


def version():
    import argand

    return argand.__version__


def ways(c, device):
    return {
        "grid": grid, "sense": sense, "field": sense, "exact": exact, "tv": penalty, "tv-anisotropic": penalty, "wavelet": penalty, "forward": transform,
        "adjoint": transform, "normal": normal, "espirit": espirit, "subspace": subspace,
    }[c.kind](c, device)  # fmt: skip


def here(x, device):
    """Arrays of kernels that are timed alone are on the device before."""
    if device == "cpu":
        return x
    import cupy

    return cupy.asarray(x)


def grid(c, device):
    import argand

    def run():
        fft = argand.FFT(c.shape, (len(c.maps),), centred=True, norm="ortho", dtype=np.complex64, device=device)
        return argand.solve(argand.SENSE(fft, maps), c.data, weights=c.mask, iterations=c.iterations, tolerance=1e-12)

    maps = c.maps.astype(np.complex64)
    yield "FFT", lambda: run


def sense(c, device):
    import argand

    points, weights, maps = c.points.astype("f4"), c.weights.astype("f4"), c.maps.astype("c8")
    with_field = {} if c.field is None else {"times": c.times.astype("f4"), "field_map": c.field.astype("f4")}

    def default():
        make = argand.NUFFT if c.field is None else argand.SegmentedNUFFT
        op = make(points, c.shape, (len(maps),), dtype=np.complex64, device=device, **with_field)
        return argand.solve(argand.SENSE(op, maps), c.data, weights=weights, iterations=c.iterations)

    def solve(tolerance, toeplitz):
        options = {"dtype": np.complex64, "tolerance": tolerance, "device": device}
        if c.field is None:
            op = argand.NUFFT(points, c.shape, (len(maps),), **options)
        else:
            op = argand.SegmentedNUFFT(points, c.shape, (len(maps),), segment_tolerance=tolerance, **with_field, **options)
        normal = argand.Toeplitz(points, c.shape, weights=weights, **with_field, **options).sense(maps) if toeplitz else None
        return argand.solve(argand.SENSE(op, maps), c.data, weights=weights, normal=normal, iterations=c.iterations, tolerance=1e-12)

    yield "no settings", lambda: default, "default"
    for toeplitz in (True, False):
        for tolerance in TOLERANCES:
            yield f"{'Toeplitz' if toeplitz else 'NUFFT'}, tolerance {tolerance:g}", lambda t=tolerance, z=toeplitz: lambda: solve(t, z), toeplitz


def exact(c, device):
    import argand

    points, weights, maps = c.points.astype("f4"), c.weights.astype("f4"), c.maps.astype("c8")

    def run():
        dft = argand.FieldDFT(points, c.shape, (len(maps),), times=c.times.astype("f4"), field_map=c.field.astype("f4"), dtype=np.complex64, device=device)
        return argand.solve(argand.SENSE(dft, maps), c.data, weights=weights, iterations=c.iterations, tolerance=1e-12)

    yield "exact DFT", lambda: run


def penalty(c, device):
    import argand
    import penalties

    points, maps = c.points.astype("f4"), c.maps.astype("c8")
    levels = penalties.levels(c.shape[0])
    c.rule = penalties.Wavelet(levels, False, shift=1) if c.kind == "wavelet" else penalties.Differences(c.kind == "tv", wrap=False)
    text = f"{c.kind}:{c.weight:g}" + (f":daubechies4:{levels}:fixed" if c.kind == "wavelet" else "")

    def solve(iterations, toeplitz):
        options = {"dtype": np.complex64, "tolerance": 1e-3, "device": device}
        op = argand.SENSE(argand.NUFFT(points, c.shape, (len(maps),), **options), maps)
        normal = argand.Toeplitz(points, c.shape, **options).sense(maps) if toeplitz else None
        return argand.solve(op, c.data, regularize=text, absolute=True, normal=normal, iterations=iterations, tolerance=1e-12)

    for toeplitz in (True, False):
        for steps in STEPS:
            yield f"{'Toeplitz' if toeplitz else 'NUFFT'}, {steps} iterations", lambda n=steps, z=toeplitz: lambda: solve(n, z), toeplitz


def transform(c, device):
    import argand

    forward = c.kind == "forward"

    def make(tolerance):
        op = argand.NUFFT(c.points.astype("f4"), c.shape, (len(c.data),), tolerance=tolerance, dtype=np.complex64, device=device)
        x = here(c.data, device)
        return lambda: op(x) if forward else op.adjoint(x)

    for tolerance in TOLERANCES:
        yield f"tolerance {tolerance:g}", lambda t=tolerance: make(t)


def normal(c, device):
    import argand

    def make(tolerance):
        kernels = argand.Toeplitz(c.points.astype("f4"), c.shape, weights=c.weights.astype("f4"), tolerance=tolerance, dtype=np.complex64, device=device)
        op, x = kernels.sense(c.maps.astype("c8")), here(c.data, device)
        return lambda: op(x)

    for tolerance in TOLERANCES:
        yield f"tolerance {tolerance:g}", lambda t=tolerance: make(t)


def espirit(c, device):
    import argand

    yield "6 x 6 kernel", lambda: lambda: argand.espirit(c.data, calibration=24, crop=-1, device=device)


def subspace(c, device):
    """The program of the command line, with its files in memory."""
    import argand

    points, maps = c.points.astype("f4"), c.maps.astype("c8")

    def run(**settings):
        options = {"maps": maps, "subspace": c.basis, "iterations": c.iterations, "density": "none", "device": device}
        return np.asarray(argand.sense(c.data, points, **options, **settings))

    yield "no settings", lambda: run, "default"
    for toeplitz in (True, False):
        for tolerance in TOLERANCES[:4]:
            words = f"{'Toeplitz' if toeplitz else 'NUFFT'}, tolerance {tolerance:g}"
            yield words, lambda t=tolerance, z=toeplitz: lambda: run(toeplitz=z, nufft_tolerance=t), toeplitz
