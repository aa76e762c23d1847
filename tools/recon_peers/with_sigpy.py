# SPDX-License-Identifier: BSD-3-Clause
"""How SigPy solves the cases, with CuPy on a GPU."""

import functools

import numpy as np

GRIDDING = [(1.25, 4), (1.5, 4), (2, 4), (2, 5), (2, 6)]
STEPS = (5, 8, 12, 20, 30, 50, 100, 200, 400, 800)


@functools.cache
def warm():
    """Numba compiles its gridding before anything is timed."""
    import sigpy

    for d in (2, 3):
        x = sigpy.nufft(np.ones((1, *(8,) * d), "c8"), np.zeros((4, d), "f4"))
        sigpy.nufft_adjoint(x, np.zeros((4, d), "f4"), (1, *(8,) * d))


def version():
    import sigpy

    warm()
    return f"SigPy {sigpy.__version__}"


def ways(c, device):
    return {
        "grid": grid, "sense": sense, "field": sense, "exact": missing, "tv": penalty, "tv-anisotropic": penalty, "wavelet": penalty, "forward": transform,
        "adjoint": transform, "normal": normal, "espirit": espirit, "subspace": subspace,
    }[c.kind](c, device)  # fmt: skip


def missing(c, device):
    raise NotImplementedError("there is no exact DFT")


def place(device):
    import sigpy as sp

    return sp.Device(-1 if device == "cpu" else 0)


def put(x, device, dtype=np.complex64):
    import sigpy as sp

    return sp.to_device(np.ascontiguousarray(x, dtype), place(device))


def scale(c):
    """Its transforms are unitary on a grid."""
    return np.float32(np.sqrt(np.prod(c.shape)))


def solve(a, w, y, c, device):
    import sigpy as sp

    normal = a.H * sp.linop.Multiply(a.oshape, w) * a
    b = a.H(w * y)
    app = sp.alg.ConjugateGradient(normal, b, sp.get_array_module(b).zeros_like(b), max_iter=c.iterations)
    while not app.done():
        app.update()
    return sp.to_device(app.x, sp.cpu_device)


def grid(c, device):
    import sigpy as sp

    def run():
        with place(device):
            a = sp.linop.FFT(c.maps.shape, axes=(-2, -1)) * sp.linop.Multiply(c.shape, put(c.maps, device))
            return solve(a, put(c.mask, device, np.float32), put(c.data, device), c, device)

    yield "FFT", lambda: run


def linop(c, device, oversampling, width, terms):
    import cases
    import sigpy as sp

    coils = sp.linop.Multiply(c.shape, put(c.maps, device))
    flat = sp.linop.NUFFT(c.maps.shape, put(c.points, device, np.float32), oversamp=oversampling, width=width)
    if not terms:
        return flat * coils
    b, f = cases.segments(c.times, c.field, terms)
    return sp.linop.Add([sp.linop.Multiply(flat.oshape, put(x, device)) * flat * coils * sp.linop.Multiply(c.shape, put(y, device))
                         for x, y in zip(b, f, strict=True)])  # fmt: skip


def sense(c, device):
    def run(oversampling, width, terms):
        with place(device):
            a = linop(c, device, oversampling, width, terms)
            return solve(a, put(c.weights, device, np.float32), put(c.data / scale(c), device), c, device)

    for oversampling, width in GRIDDING:
        for terms in [0] if c.field is None else [7, 9, 11]:
            name = f"oversampling {oversampling}, width {width}" + (f", {terms} segments by least squares" if terms else "")
            yield name, lambda o=oversampling, w=width, t=terms: lambda: run(o, w, t)


def penalty(c, device):
    """Its apps, with the solver that they choose and with ADMM. Weights count in units of data divided by `unit`, and of unitary transforms."""
    import penalties
    import pywt
    import sigpy as sp
    import sigpy.mri.app as apps

    if c.kind == "tv":
        raise NotImplementedError("its total variation is anisotropic")
    c.rule = penalties.Wavelet(pywt.dwt_max_level(c.shape[0], "db2"), True, "zero") if c.kind == "wavelet" else penalties.Differences(False, wrap=True)
    app, options = (apps.L1WaveletRecon, {"wave_name": "db2"}) if c.kind == "wavelet" else (apps.TotalVariationRecon, {})
    unit = float(abs(c.data).max()) / float(scale(c))

    def run(steps, solver):
        with place(device):
            y, k = put(c.data / scale(c) / unit, device), put(c.points, device, np.float32)
            more = options | ({"solver": solver} if solver else {})
            weight = c.weight / (unit * float(scale(c)) ** 2)
            x = app(y, put(c.maps, device), weight, coord=k, device=place(device), max_iter=steps, show_pbar=False, **more).run()
            return sp.to_device(x * unit, sp.cpu_device)

    for solver in (None, "ADMM"):
        for steps in STEPS:
            yield f"{solver or 'its choice'}, {steps} iterations", lambda n=steps, s=solver: lambda: run(n, s), solver


def transform(c, device):
    import sigpy as sp

    forward = c.kind == "forward"

    def make(oversampling, width):
        shape = (len(c.data), *c.shape)
        a = sp.linop.NUFFT(shape, put(c.points, device, np.float32), oversamp=oversampling, width=width)
        op, x, factor = a if forward else a.H, put(c.data, device), scale(c)

        def run():
            with place(device):
                return op(x) * factor

        return run

    for oversampling, width in GRIDDING:
        yield f"oversampling {oversampling}, width {width}", lambda o=oversampling, w=width: make(o, w)


def normal(c, device):
    """Weights are not in its Toeplitz kernels: the NUFFT and its adjoint."""
    import sigpy as sp

    def make(oversampling, width):
        with place(device):
            a = linop(c, device, oversampling, width, 0)
            op, x, factor = a.H * sp.linop.Multiply(a.oshape, put(c.weights, device, np.float32)) * a, put(c.data, device), scale(c) ** 2

        def run():
            with place(device):
                return op(x) * factor

        return run

    for oversampling, width in GRIDDING:
        yield f"NUFFT and adjoint, oversampling {oversampling}, width {width}", lambda o=oversampling, w=width: make(o, w)


def espirit(c, device):
    import sigpy as sp
    import sigpy.mri.app as apps

    def run():
        with place(device):
            maps = apps.EspiritCalib(put(c.data, device), calib_width=24, crop=0, device=place(device), show_pbar=False).run()
            return sp.to_device(maps, sp.cpu_device)

    yield "EspiritCalib", lambda: run


def subspace(c, device):
    """Composed of its operators: each column of the basis, then the sum."""
    import sigpy as sp

    def run(oversampling, width):
        with place(device):
            coils = sp.linop.Multiply(c.shape, put(c.maps, device))
            flat = sp.linop.NUFFT(c.maps.shape, put(c.points, device, np.float32), oversamp=oversampling, width=width)
            parts = [sp.linop.Multiply(flat.oshape, put(b[:, None], device)) * flat * coils for b in c.basis]
            a = sp.linop.Hstack([p * sp.linop.Reshape(c.shape, (1, *c.shape)) for p in parts], axis=0)
            w = put(np.ones((1, 1)), device, np.float32)
            return solve(a, w, put(c.data / scale(c), device), c, device)

    for oversampling, width in GRIDDING:
        yield f"oversampling {oversampling}, width {width}", lambda o=oversampling, w=width: lambda: run(o, w)
