# SPDX-License-Identifier: BSD-3-Clause
"""How SigPy solves the cases, with CuPy on a GPU."""

import numpy as np

GRIDDING = [(1.25, 4), (1.5, 4), (2, 4), (2, 5), (2, 6)]
STEPS = (5, 8, 12, 20, 30, 50, 100, 200)
PENALTIES = {"tv": (0.002, 0.005, 0.0008), "wavelet": (0.002, 0.005, 0.0008)}


def version():
    import sigpy

    return f"SigPy {sigpy.__version__}"


def ways(c, device):
    return {
        "grid": grid, "sense": sense, "field": sense, "exact": missing, "tv": penalty, "wavelet": penalty, "forward": transform,
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
    """Its apps: anisotropic total variation, and wavelets without shifts (Daubechies 4)."""
    import sigpy as sp
    import sigpy.mri.app as apps

    app = apps.TotalVariationRecon if c.kind == "tv" else apps.L1WaveletRecon

    def run(weight, steps):
        with place(device):
            y, k = put(c.data / scale(c), device), put(c.points, device, np.float32)
            unit = float(abs(y).max())
            x = app(y / unit, put(c.maps, device), weight, coord=k, device=place(device), max_iter=steps, show_pbar=False).run()
            return sp.to_device(x * unit, sp.cpu_device)

    for steps in STEPS:
        for weight in PENALTIES[c.kind]:
            yield f"{c.kind} {weight:g}, {steps} iterations", lambda w=weight, n=steps: lambda: run(w, n)


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
