# SPDX-License-Identifier: BSD-3-Clause
"""How mri-nufft solves the cases: FINUFFT on the CPU, cuFINUFFT on a GPU; conjugate gradients by NumPy or CuPy."""

import numpy as np

TOLERANCES = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5)
BINS = 8000  # of the field's histogram; with its 1024, images keep an error of some 1e-3 from them


def version():
    import importlib.metadata

    import mrinufft  # noqa: F401

    return f"mri-nufft {importlib.metadata.version('mri-nufft')} (FINUFFT {importlib.metadata.version('finufft')})"


def ways(c, device):
    return {
        "grid": missing, "sense": sense, "field": field, "exact": missing, "tv": missing, "tv-anisotropic": missing, "wavelet": missing, "forward": transform,
        "adjoint": transform, "normal": normal, "espirit": espirit, "subspace": subspace,
    }[c.kind](c, device)  # fmt: skip


def missing(c, device):
    words = {"grid": "there is no Cartesian solver", "exact": "its exact sums have no field"}
    raise NotImplementedError(words.get(c.kind, "there is no solver with this penalty"))


def module(device):
    if device == "cpu":
        return np
    import cupy

    return cupy


def operator(c, device, eps, coils, with_maps=True, together=True):
    """together: all coils in one call of the library, else one after the other."""
    import mrinufft

    name = "finufft" if device == "cpu" else "cufinufft"
    samples = (c.points / np.array(c.shape)).reshape(-1, len(c.shape)).astype("f4")
    options = {"n_coils": coils, "squeeze_dims": True, "eps": eps, "n_trans": coils if together else 1}
    maps = module(device).asarray(c.maps.astype("c8")) if with_maps else None
    return mrinufft.get_operator(name)(samples, c.shape, smaps=maps, **options)


class Stack:
    """Its operator for stacks, whose images have z last, with the axes of the cases."""

    def __init__(self, c, device, eps):
        import mrinufft

        self.xp, (nz, ny, nx) = module(device), c.shape
        points = c.points.reshape(nz, -1, *c.points.shape[1:])
        plane = (points[0][..., 1:] / np.array((ny, nx))).reshape(-1, 2).astype("f4")
        z = np.rint(points[:, 0, 0, 0]).astype(int) + nz // 2
        maps = self.xp.asarray(np.ascontiguousarray(np.moveaxis(c.maps.astype("c8"), 1, -1)))
        make = mrinufft.get_operator("stacked" if device == "cpu" else "stacked-cufinufft")
        backend = "finufft" if device == "cpu" else "cufinufft"
        self.of = make(plane, (ny, nx, nz), backend=backend, smaps=maps, z_index=z, n_coils=len(c.maps), squeeze_dims=True, eps=eps)

    def op(self, x):
        return self.of.op(self.xp.ascontiguousarray(self.xp.moveaxis(x, 0, -1)))

    def adj_op(self, y):
        x = self.of.adj_op(y)
        return self.xp.moveaxis(x.reshape(x.shape[-3:]), -1, 0)


def scale(c):
    """Its transforms are divided by this."""
    return np.float32(np.sqrt(np.prod(c.shape) * 2 ** len(c.shape)))


def solve(op, c, device):
    import cases

    xp = module(device)
    w = xp.asarray(c.weights.astype("f4").ravel())
    y = xp.asarray(c.data.reshape(len(c.maps), -1)) / scale(c)
    x = cg(lambda x: op.adj_op(w * op.op(x)).reshape(c.shape), op.adj_op(w * y).reshape(c.shape), c.iterations, cases)
    return x if device == "cpu" else x.get()


def cg(normal, b, iterations, cases):
    return cases.cg(normal, b, iterations) if isinstance(b, np.ndarray) else cg_cupy(normal, b, iterations)


def cg_cupy(normal, b, iterations):
    """The same with CuPy, whose scalars stay on the GPU."""
    import cupy as cp

    x, r = 0 * b, b.copy()
    p, square = r.copy(), cp.vdot(r, r).real
    for _ in range(iterations):
        q = normal(p)
        step = square / cp.vdot(p, q).real
        x, r = x + step * p, r - step * q
        new = cp.vdot(r, r).real
        p, square = r + new / square * p, new
    return x


def sense(c, device):
    for together in (True, False):
        for eps in TOLERANCES:
            name = f"eps {eps:g}, coils {'together' if together else 'one by one'}"
            yield name, lambda e=eps, t=together: lambda: solve(operator(c, device, e, len(c.maps), together=t), c, device), together
    if len(c.shape) == 3:
        for eps in TOLERANCES:
            yield f"stacked, eps {eps:g}", lambda e=eps: lambda: solve(Stack(c, device, e), c, device), "stacked"


def field(c, device):
    """The factors that are given to SigPy; its own (svd)."""
    import cases

    xp = module(device)

    def own(eps, terms):
        op = operator(c, device, eps, len(c.maps))
        hz, t = xp.asarray((-c.field / (2 * np.pi)).astype("f4")), xp.asarray(c.times.ravel().astype("f4"))
        factors = {"name": "svd", "L": terms, "n_bins": BINS}
        return solve(op.with_off_resonance_correction(b0_map=hz, readout_time=t, interpolator=factors), c, device)

    def ours(eps, terms):
        op = operator(c, device, eps, len(c.maps))
        b, f = cases.segments(c.times, c.field, terms)
        t, none = xp.asarray(c.times.ravel().astype("f4")), xp.zeros(c.shape, "f4")
        op = op.with_off_resonance_correction(b0_map=none, readout_time=t)
        op.B, op.C = xp.asarray(b.reshape(terms, -1).T.astype("c8")), xp.asarray(f.astype("c8"))
        return solve(op, c, device)

    for way, name in ((ours, "least squares"), (own, "its svd")):
        for eps in TOLERANCES[:4]:
            for terms in (7, 9, 11):
                yield f"eps {eps:g}, {terms} terms by {name}", lambda w=way, e=eps, t=terms: lambda: w(e, t), name


def transform(c, device):
    xp, count = module(device), len(c.data)

    def make(eps):
        op = operator(c, device, eps, count, False)
        x, factor = xp.asarray(c.data), scale(c)
        if c.kind == "forward":
            return lambda: op.op(x) * factor
        x = x.reshape(count, -1)
        return lambda: op.adj_op(x) * factor

    for eps in TOLERANCES:
        yield f"eps {eps:g}", lambda e=eps: make(e)


def normal(c, device):
    xp = module(device)

    def make(eps):
        op = operator(c, device, eps, len(c.maps))
        w, x, factor = xp.asarray(c.weights.astype("f4").ravel()), xp.asarray(c.data), scale(c) ** 2
        return lambda: op.adj_op(w * op.op(x)) * factor

    for eps in TOLERANCES:
        yield f"NUFFT and adjoint, eps {eps:g}", lambda e=eps: make(e)


def espirit(c, device):
    """On every second pixel: for all pixels, 1.5.1 multiplies arrays whose shapes differ, and fails."""
    from mrinufft.extras.smaps import cartesian_espirit

    def run():
        maps = cartesian_espirit(module(device).asarray(c.data), c.shape, calib_width=24, crop=0, decim=2)
        return maps if device == "cpu" else maps.get()

    yield "cartesian_espirit, decim 2", lambda: run


def subspace(c, device):
    """The wrapper for subspaces transforms each frame; its frames here are spokes, too many: the basis is applied by NumPy or CuPy instead."""
    xp = module(device)

    def run(eps):
        op = operator(c, device, eps, len(c.maps))
        each = [xp.asarray(np.repeat(b, c.points.shape[1]).astype("c8")) for b in c.basis]
        y = xp.asarray(c.data.reshape(len(c.maps), -1)) / scale(c)

        def adjoint(s):
            return xp.stack([op.adj_op(b.conj() * s).reshape(c.shape) for b in each])

        def normal(x):
            return adjoint(sum(b * op.op(part) for b, part in zip(each, x, strict=True)))

        import cases

        x = cg(normal, adjoint(y), c.iterations, cases)
        return x if device == "cpu" else x.get()

    for eps in TOLERANCES:
        yield f"eps {eps:g}, basis by {'NumPy' if device == 'cpu' else 'CuPy'}", lambda e=eps: lambda: run(e)
