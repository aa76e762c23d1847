# SPDX-License-Identifier: BSD-3-Clause
"""The problems that tools/compare_recon.py gives to all programs, and their answers in double precision.

A problem is a Case. Its answer, `wanted`, is computed here by NumPy and FINUFFT or cuFINUFFT (1e-11, compared with the sum over all pixels at some
samples); small problems are computed by these sums alone. With a field, exp(-i w t) is a sum of 24 products."""

import dataclasses
import functools
import hashlib
import os
import pathlib
from typing import Any

import numpy as np

SMALL = 3_000_000  # pixels times samples up to which sums are computed as they are written
TERMS, EPS = 20, 1e-11


@dataclasses.dataclass
class Case:
    """A problem. Points in cycles per field of view (shots, samples, d), the last axis in the order of the image's axes; times in s; field
    in rad/s; maps (coils, *shape); data and weights as samples (coils, shots, samples) or as a grid (coils, ny, nx)."""

    name: str
    title: str
    kind: str
    shape: tuple
    limit: float
    iterations: int = 0
    points: Any = None
    times: Any = None
    field: Any = None
    weights: Any = None
    maps: Any = None
    data: Any = None
    mask: Any = None
    basis: Any = None
    truth: Any = None
    wanted: Any = None
    weight: float = 0.0
    rule: Any = None
    gap: float | None = None
    minimum: Any = None

    def error(self, found):
        """Relative l2 distance to the answer. With a penalty: to the minimum with the `rule` that the program's file chose; gap: how far the
        objective is above this minimum. Maps: the part of the true maps that found ones do not span, inside the head."""
        found = np.asarray(found)
        if self.kind == "espirit":
            inside = self.truth != 0
            s, v = self.maps[:, inside], found[:, inside]
            v = v / np.maximum(np.linalg.norm(v, axis=0), 1e-30)
            return float(np.linalg.norm(s - (v.conj() * s).sum(0) * v) / np.linalg.norm(s))
        if self.rule is not None:
            error, self.gap = self.minimum(self.rule).error(found)
            return error
        return float(np.linalg.norm(found.reshape(self.wanted.shape) - self.wanted) / np.linalg.norm(self.wanted))


@functools.cache
def on_gpu():
    """cuFINUFFT, if it and a GPU are there: it computes the answers of large problems in double precision, too."""
    try:
        import cufinufft
        import cupy

        cupy.cuda.Device(0).compute_capability  # noqa: B018
        return cupy, cufinufft
    except Exception:  # noqa: BLE001
        return None


class Sums:
    """The NUFFT of stacks of images in double precision, and its adjoint."""

    def __init__(self, points, shape):
        self.shape, self.points = tuple(shape), points.reshape(-1, len(shape))
        self.small = np.prod(shape) * len(self.points) <= SMALL
        if self.small:
            self.matrix = self.rows(self.points)
        else:
            k = [np.ascontiguousarray(2 * np.pi * self.points[:, a] / shape[a]) for a in range(len(shape))]
            self.xp, library = on_gpu() or (np, __import__("finufft"))
            self.k = [self.xp.asarray(x) for x in k]
            self.forth, self.back = (getattr(library, f"nufft{len(shape)}d{kind}") for kind in (2, 1))

    def rows(self, points):
        r = np.stack(np.meshgrid(*[(np.arange(n) - n // 2) / n for n in self.shape], indexing="ij"), -1).reshape(-1, len(self.shape))
        return np.exp(-2j * np.pi * points @ r.T)

    def forward(self, x):
        if self.small:
            return x.reshape(len(x), -1) @ self.matrix.T
        return self.host(self.forth(*self.k, self.xp.asarray(np.ascontiguousarray(x, complex)), eps=EPS, isign=-1))

    def adjoint(self, y):
        if self.small:
            return (y @ self.matrix.conj()).reshape(-1, *self.shape)
        return self.host(self.back(*self.k, self.xp.asarray(np.ascontiguousarray(y, complex)), self.shape, eps=EPS, isign=1))

    def host(self, x):
        return (x if self.xp is np else x.get()).reshape(-1, *x.shape[x.ndim - (len(self.shape) if x.shape[-len(self.shape) :] == self.shape else 1) :])

    def check(self, x):
        """The transform against the sum over all pixels, at some samples."""
        chosen = np.random.default_rng(2).integers(0, len(self.points), 20)
        sums = x.reshape(len(x), -1) @ self.rows(self.points[chosen]).T
        error = np.linalg.norm(sums - self.forward(x)[:, chosen]) / np.linalg.norm(sums)
        assert error < 1e-9, f"the reference is wrong by {error:.1e}"


def cg(normal, b, iterations):
    """Conjugate gradients from zero."""
    x, r = 0 * b, b.copy()
    p, square = r.copy(), np.vdot(r, r).real
    for _ in range(iterations):
        q = normal(p)
        step = square / np.vdot(p, q).real
        x, r = x + step * p, r - step * q
        new = np.vdot(r, r).real
        p, square = r + new / max(square, 1e-300) * p, new
    return x


def segments(times, field, count):
    """exp(-i w t) as a sum of b_l(t) c_l(r), exact at `count` times, by least squares over a histogram of the field between."""
    t, w = np.unique(times), field.ravel()
    edges = np.linspace(w.min(), w.max(), 257)
    middle, weight = (edges[1:] + edges[:-1]) / 2, np.sqrt(np.histogram(w, edges)[0] + 1e-30)
    at = np.linspace(t.min(), t.max(), count)
    b = np.linalg.lstsq(weight[:, None] * np.exp(-1j * np.outer(middle, at)), weight[:, None] * np.exp(-1j * np.outer(middle, t)), rcond=1e-13)[0]
    return b[:, np.searchsorted(t, times)], np.exp(-1j * at[:, None] * w).reshape(count, *field.shape)


class Model:
    """A x = sum_l b_l NUFFT(maps c_l x), with sample weights in the adjoint; subspaces: b are the basis, one image for each column."""

    def __init__(self, c):
        self.c, self.sums = c, Sums(c.points, c.shape)
        self.w = np.ones(c.points.shape[:-1]).ravel() if c.weights is None else c.weights.ravel().astype(float)
        self.terms = [(1, 1)]
        if c.field is not None:
            b, f = segments(c.times, c.field.astype(float), TERMS)
            self.terms = [(x.ravel(), y) for x, y in zip(b, f, strict=True)]
            self.check_field()

    def check_field(self):
        t, w = np.unique(self.c.times), self.c.field.ravel()
        some = np.random.default_rng(3).integers(0, len(w), 200)
        at = np.searchsorted(self.c.times.ravel(), t) if np.all(np.diff(self.c.times.ravel()) > 0) else None
        b, f = segments(self.c.times, self.c.field.astype(float), TERMS)
        chosen = np.random.default_rng(4).integers(0, self.c.times.size, 200) if at is None else at[:: max(1, len(at) // 200)]
        found = b.reshape(TERMS, -1)[:, chosen].T @ f.reshape(TERMS, -1)[:, some]
        wrong = abs(found - np.exp(-1j * np.outer(self.c.times.ravel()[chosen], w[some]))).max()
        assert wrong < 1e-7, f"{TERMS} terms of the field are wrong by {wrong:.1e}"

    def forward(self, x):
        if self.c.basis is not None:
            each = np.repeat(self.c.basis, self.c.points.shape[1], 1)
            return sum(each[k] * self.sums.forward(self.c.maps * x[k]) for k in range(len(x)))
        return sum(b * self.sums.forward(self.c.maps * (f * x)) for b, f in self.terms)

    def adjoint(self, y):
        y, conj = self.w * y.reshape(len(y), -1), np.conj
        if self.c.basis is not None:
            each = np.repeat(self.c.basis, self.c.points.shape[1], 1)
            return np.stack([(conj(self.c.maps) * self.sums.adjoint(conj(e) * y)).sum(0) for e in each])
        return sum(conj(f) * (conj(self.c.maps) * self.sums.adjoint(conj(b) * y)).sum(0) for b, f in self.terms)

    def normal(self, x):
        return self.adjoint(self.forward(x))


def noisy(y, part=0.01):
    noise = np.random.default_rng(1).standard_normal((2, *y.shape))
    return (y + part * np.sqrt(np.mean(abs(y) ** 2) / 2) * (noise[0] + 1j * noise[1])).astype(np.complex64)


def kept(c, folder, compute):
    """The answer, from the folder if these data had it before."""
    if folder is None:
        return compute()
    parts = [c.data, c.maps, c.iterations, c.weights, c.kind]
    name = hashlib.sha1(b"".join(np.round(p, 4).tobytes() if isinstance(p, np.ndarray) else repr(p).encode() for p in parts[2:])).hexdigest()[:8]
    path = pathlib.Path(folder) / f"{c.name}-{c.data.shape[0]}-{c.data.size}-{name}.npy"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, compute())
    return np.load(path)


def solved(c, folder, truth):
    """The data of an image, and the image of so many iterations."""
    model = Model(c)
    model.sums.check((c.maps * (truth if c.basis is None else truth[0])).astype(complex))
    c.data = noisy(model.forward(truth.astype(complex)).reshape(len(c.maps), *c.points.shape[:-1]))
    c.truth = truth
    if c.weight:
        import penalties

        gram = penalties.Gram(model, c.data.astype(complex), on_gpu()[0] if on_gpu() and not model.sums.small else np)
        c.minimum = functools.cache(lambda rule: minimum(c, gram, rule, folder))
    else:
        c.wanted = kept(c, folder, lambda: cg(model.normal, model.adjoint(c.data.astype(complex)), c.iterations))
    return c


def minimum(c, gram, rule, folder):
    """The minimum with this rule, from the folder if these data had it before."""
    import penalties

    name = f"{c.name}-{c.data.size}-{hashlib.sha1(repr((rule, c.weight, c.shape)).encode()).hexdigest()[:8]}.npy"
    path = None if folder is None else pathlib.Path(folder) / name
    if path is not None and path.exists():
        return penalties.Minimum(gram, rule, c.weight, image=np.load(path))
    found = penalties.Minimum(gram, rule, c.weight)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, penalties.on_host(found.image))
    return found


def density(points, shape):
    import argand

    return np.asarray(argand.density(points, shape))


def grid_answer(c, folder):
    """Conjugate gradients on a Cartesian grid: y = mask FFT(maps x), centred and unitary."""
    axes = (-2, -1)

    def fft(x, f):
        return np.fft.fftshift(f(np.fft.ifftshift(x, axes), axes=axes, norm="ortho"), axes)

    def back(y):
        return (c.maps.conj() * fft(c.mask * y, np.fft.ifft2)).sum(0)

    if c.data is None:
        c.data = c.mask * noisy(fft(c.maps * c.truth, np.fft.fft2))
        c.data = c.data.astype(np.complex64)
    y = c.data.astype(complex)
    c.wanted = kept(c, folder, lambda: cg(lambda x: back(c.mask * fft(c.maps * x, np.fft.fft2)), back(y), c.iterations))
    return c


def cartesian(folder, n=256, coils=32):
    import argand

    mask = np.zeros((n, n), np.float32)
    mask[::2, ::2] = 1
    mask[n // 2 - 12 : n // 2 + 12, n // 2 - 12 : n // 2 + 12] = 1
    title = f"Cartesian SENSE, R = 2 x 2, {n} x {n}, {coils} coils, 20 iterations"
    c = Case("cartesian", title, "grid", (n, n), 1e-3, 20, mask=mask, maps=argand.birdcage((coils, n, n)), truth=argand.phantom((n, n)))
    return grid_answer(c, folder)


def brain(folder):
    """A real brain, if there is one."""
    import argand

    path = pathlib.Path(os.environ.get("ARGAND_TEST_DATA", "../shared/data")) / "cartesian_brain/cartesian_ksp.npy"
    if not path.exists():
        return None
    data = np.load(path).astype(np.complex64)
    maps = np.asarray(argand.espirit(data)).astype(complex)
    mask = (abs(data).sum(0) > 0).astype(np.float32)
    title = "Cartesian SENSE, real brain, 12.4 % of 230 x 180, 8 coils, 20 iterations"
    return grid_answer(Case("brain", title, "grid", data.shape[1:], 1e-3, 20, mask=mask, maps=maps, data=data), folder)


def spiral(folder, n=256, coils=32, kind="sense", name="spiral", title="CG-SENSE, spirals", limit=2e-3):
    import argand

    points, _ = argand.trajectory.spiral((n, n), shots=16 if n > 64 else 4)
    c = Case(name, f"{title}, {n} x {n}, {coils} coils, 20 iterations", kind, (n, n), limit, 20, points=points, maps=argand.birdcage((coils, n, n)))
    c.weights = density(points, c.shape)
    return solved(c, folder, argand.phantom(c.shape))


def stack(folder, shape=(16, 96, 96), coils=8, shots=8):
    import argand

    points, _ = argand.trajectory.spiral(shape, shots=shots)
    title = f"CG-SENSE, stack of spirals, {shape[2]} x {shape[1]} x {shape[0]}, {coils} coils, 10 iterations"
    c = Case("stack", title, "sense", shape, 2e-3, 10, points=points, maps=argand.birdcage((coils, *shape)))
    plane = density(points[0][..., 1:], shape[1:])
    c.points = points.reshape(-1, *points.shape[-2:])
    c.weights = np.ascontiguousarray(np.broadcast_to(plane / shape[0], points.shape[:-1])).reshape(c.points.shape[:-1])
    return solved(c, folder, argand.phantom(shape))


def radial(folder, n=256, coils=8, spokes=64, kind="tv", limit=3e-2):
    """The image within 3 % of the minimum. The weight is a thousandth of the diagonal of A^H A: the image is then nearest to the phantom."""
    import argand

    points, _ = argand.trajectory.radial((n, n), spokes=spokes)
    words = {"tv": "total variation (isotropic)", "tv-anisotropic": "total variation (anisotropic)", "wavelet": "l1 of wavelets"}[kind]
    title = f"{words}, {spokes} radial spokes, {n} x {n}, {coils} coils, within 3 % of the minimum"
    c = Case(kind, title, kind, (n, n), limit, points=points, maps=argand.birdcage((coils, n, n)), weight=1e-3 * points[..., 0].size)
    return solved(c, folder, argand.phantom(c.shape))


def transforms(folder, rank, kind, size=None, count=None, limit=1e-4):
    """One NUFFT, or its adjoint, of so many vectors."""
    import argand

    n = (size or {2: 256, 3: 128}[rank],) * rank
    count = count or {2: 32, 3: 1}[rank]
    if rank == 2:
        points, _ = argand.trajectory.spiral(n, shots=16 if n[0] > 64 else 4)
    else:
        points = np.random.default_rng(5).uniform(-n[0] / 2, n[0] / 2, (1, n[0] ** 3 // 2, 3))
    sums, random = Sums(points, n), np.random.default_rng(6)
    words = {"forward": "NUFFT, type 2", "adjoint": "NUFFT, type 1"}[kind]
    title = f"{words}, {' x '.join(map(str, n))}, {points[..., 0].size} {'spiral' if rank == 2 else 'random'} samples, {count} vectors, plan made before"
    c = Case(f"nufft{rank}d-{kind}", title.replace("1 vectors", "1 vector"), kind, n, limit, points=points)
    shape = (count, *n) if kind == "forward" else (count, *points.shape[:-1])
    c.data = (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(np.complex64)
    if kind == "forward":
        sums.check(c.data.astype(complex))
        c.wanted = sums.forward(c.data.astype(complex))
    else:
        sums.check(random.standard_normal((1, *n)) + 0j)
        c.wanted = sums.adjoint(c.data.astype(complex).reshape(count, -1))
    return c


def normal(folder, n=256, coils=32):
    """A^H W A x of SENSE, once."""
    import argand

    points, _ = argand.trajectory.spiral((n, n), shots=16 if n > 64 else 4)
    title = f"normal operator of SENSE (Toeplitz), {n} x {n}, {coils} coils, plan made before"
    c = Case("normal", title, "normal", (n, n), 1e-3, points=points, maps=argand.birdcage((coils, n, n)), weights=density(points, (n, n)))
    c.data = argand.phantom((n, n)).astype(np.complex64)
    c.wanted = Model(c).normal(c.data.astype(complex))
    return c


def field(folder, n=192, coils=16, shots=8, exact=False):
    import argand

    points, times = argand.trajectory.spiral((n, n), shots=shots, echo_s=0.002)
    title = f"field-corrected CG, {'exact DFT' if exact else 'any method'}, {n} x {n}, {coils} coils, +-100 Hz, 10 iterations"
    c = Case("field-exact" if exact else "field", title, "exact" if exact else "field", (n, n), 2e-3, 10, points=points, times=times)
    c.maps, c.weights = argand.birdcage((coils, n, n)), density(points, (n, n))
    c.field = argand.head_field((n, n), field_range_hz=100)
    c.name, name = "field", c.name
    solved(c, folder, argand.phantom((n, n)))
    c.name = name
    return c


def espirit(folder, n=320, coils=12):
    import argand

    maps, truth = argand.birdcage((coils, n, n)), argand.phantom((n, n))
    axes = (-2, -1)
    full = np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(maps * truth, axes), axes=axes, norm="ortho"), axes)
    title = f"coil maps by ESPIRiT, 24 x 24 samples, {n} x {n}, {coils} coils"
    maps = maps / np.linalg.norm(maps, axis=0)
    return Case("espirit", title, "espirit", (n, n), 2e-2, maps=maps, data=noisy(full, 0.001), truth=truth)


def subspace(folder, n=192, coils=8, spokes=256, rank=4):
    """Spokes of a decay by T2, one echo time each; coefficient images of a basis of simulated decays. 10 iterations: in single precision, the conjugacy
    of plain conjugate gradients is lost after 15."""
    import argand

    points, _ = argand.trajectory.radial((n, n), spokes=spokes, golden=True)
    times = np.arange(spokes) % 32 * 0.01 + 0.01
    decays = np.exp(-times[:, None] / np.geomspace(0.01, 2, 200))
    basis = np.ascontiguousarray(np.linalg.svd(decays, full_matrices=False)[0][:, :rank].T)
    title = f"T2 subspace, rank {rank}, {spokes} radial spokes, {n} x {n}, {coils} coils, 10 iterations"
    c = Case("subspace", title, "subspace", (n, n), 5e-3, 10, points=points, maps=argand.birdcage((coils, n, n)), basis=basis)
    truth = argand.phantom((n, n))
    t2 = 0.05 + 0.3 * truth
    signal = truth[..., None] * np.exp(-times / t2[..., None])
    return solved(c, folder, np.moveaxis(signal @ basis.T, -1, 0))


ROWS = {
    "cartesian": cartesian,
    "brain": brain,
    "spiral": spiral,
    "stack": stack,
    "tv": radial,
    "tv-anisotropic": lambda folder, **size: radial(folder, kind="tv-anisotropic", **size),
    "wavelet": lambda folder, **size: radial(folder, kind="wavelet", **size),
    "nufft2d-forward": lambda folder, **size: transforms(folder, 2, "forward", **size),
    "nufft2d-adjoint": lambda folder, **size: transforms(folder, 2, "adjoint", **size),
    "nufft3d-forward": lambda folder, **size: transforms(folder, 3, "forward", **size),
    "nufft3d-adjoint": lambda folder, **size: transforms(folder, 3, "adjoint", **size),
    "normal": normal,
    "field": field,
    "field-exact": lambda folder, **size: field(folder, exact=True, **size),
    "espirit": espirit,
    "subspace": subspace,
}
TINY = {
    "cartesian": {"n": 32, "coils": 4},
    "spiral": {"n": 24, "coils": 3},
    "stack": {"shape": (4, 16, 16), "coils": 2, "shots": 2},
    **{kind: {"n": 24, "coils": 3, "spokes": 20} for kind in ("tv", "tv-anisotropic", "wavelet")},
    **{f"nufft2d-{kind}": {"size": 24, "count": 2} for kind in ("forward", "adjoint")},
    **{f"nufft3d-{kind}": {"size": 8, "count": 1} for kind in ("forward", "adjoint")},
    "normal": {"n": 24, "coils": 3},
    "field": {"n": 24, "coils": 3, "shots": 4},
    "field-exact": {"n": 24, "coils": 3, "shots": 4},
    "espirit": {"n": 48, "coils": 4},
    "subspace": {"n": 24, "coils": 3, "spokes": 48, "rank": 2},
}


def make(name, folder=None, tiny=False):
    """The case of this name, or None if its data are not there."""
    return ROWS[name](folder, **TINY[name]) if tiny and name in TINY else None if tiny else ROWS[name](folder)
