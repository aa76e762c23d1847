#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The same reconstructions in SigPy, mri-nufft and Argand: time from arrays to the image, at the same error.

    tools/compare_python.py [--device cuda:0] [--case radial|stack|small] [--repeat 3]

radial  2-D, 256^2, 8 coils, 128 spokes of 512 samples, 20 iterations of CG with density weights
stack   3-D, 96^2 x 16, 8 coils, 8 spirals in each of 16 partitions, a field of +-60 Hz, 8 iterations
small   the same of 48^2 x 8, 4 coils, 4 spirals, which all packages can do on a processor or two

The measure is the image after so many iterations by an accurate transform in double precision (FINUFFT at 1e-9; the field by
time segments; checked against the sum over all pixels at some samples). Each package computes in single precision with the cheapest settings
of its list whose image is within --limit of that one (relative l2). What is not installed is left out, with a line.
"""

import argparse
import pathlib
import pickle
import re
import sys
import time

import numpy as np

TINY = 1e-30


def cg(normal, b, iterations):
    """Conjugate gradients from zero, for NumPy's and CuPy's arrays."""
    x, r = 0 * b, b.copy()
    p, square = r.copy(), float(abs((r.conj() * r).sum()))
    for _ in range(iterations):
        q = normal(p)
        step = square / float((p.conj() * q).sum().real)
        x = x + step * p
        r = r - step * q
        new = float((r.conj() * r).sum().real)
        p = r + (new / (square + TINY)) * p
        square = new
    return x


class Case:
    """Points in cycles per field of view (shots, samples, d), density weights, maps, data in single precision, the image to find."""

    times = field = None
    first = ...  # the points of one plane

    def segments(self, count):
        """exp(-i w t) as a sum of b_l(t) c_l(r): exact at `count` times, least squares over a histogram of the field between."""
        t, w = np.unique(self.times), self.field.ravel()
        edges = np.linspace(w.min(), w.max(), 257)
        middle, weight = (edges[1:] + edges[:-1]) / 2, np.sqrt(np.histogram(w, edges)[0] + TINY)
        at = np.linspace(t.min(), t.max(), count)
        b = np.linalg.lstsq(weight[:, None] * np.exp(-1j * np.outer(middle, at)), weight[:, None] * np.exp(-1j * np.outer(middle, t)),
                            rcond=1e-12)[0]  # fmt: skip
        index = np.searchsorted(t, self.times)
        return b[:, index], np.exp(-1j * at[:, None] * w).reshape(count, *self.shape)

    def finish(self, truth):
        import finufft

        k = [np.ascontiguousarray(2 * np.pi * self.points[self.first][..., -a].ravel() / self.shape[-a]) for a in (2, 1)]
        terms = [(1, 1)] if self.field is None else list(zip(*self.segments(20), strict=True))
        coils, plane = len(self.maps), self.shape[-2:]
        depth = self.shape[0] if len(self.shape) == 3 else 1
        # partitions lie at whole numbers of cycles: a small matrix along z
        kz = self.points[:, 0, 0, 0] if depth > 1 else np.zeros(1)
        along_z = np.exp(-2j * np.pi * np.outer(kz, np.arange(depth) - depth // 2) / depth)

        def forward(x):
            planes = np.einsum("pz,czn->cpn", along_z, x.reshape(coils, depth, -1)).reshape(-1, *plane)
            return finufft.nufft2d2(*k, planes, eps=1e-9, isign=-1).reshape(coils, -1)

        def adjoint(y):
            planes = finufft.nufft2d1(*k, np.ascontiguousarray(y.reshape(coils * depth, -1)), plane, eps=1e-9, isign=1)
            return np.einsum("pz,cpn->czn", along_z.conj(), planes.reshape(coils, depth, -1)).reshape(coils, *self.shape)

        def apply(x):
            return sum(np.ravel(b) * forward(self.maps * (c * x)) for b, c in terms)

        def back(y):
            w = self.weights.ravel()
            return sum(np.conj(c) * (self.maps.conj() * adjoint(w * np.conj(np.ravel(b)) * y)).sum(0) for b, c in terms)

        y = apply(truth.astype(complex))
        self.check(truth, y)
        noise = np.random.default_rng(1).standard_normal((2, *y.shape))
        y += 0.01 * np.sqrt(np.mean(abs(y) ** 2)) * (noise[0] + 1j * noise[1])
        self.data = y.reshape(len(self.maps), *self.points.shape[:-1]).astype(np.complex64)
        y = self.data.reshape(y.shape).astype(complex)
        self.wanted = cg(lambda x: back(apply(x)), back(y), self.iterations)
        return self

    def check(self, truth, y):
        """The data against the sum over all pixels, at some samples."""
        chosen = np.random.default_rng(2).integers(0, y.shape[1], 20)
        r = np.stack(np.meshgrid(*[(np.arange(n) - n // 2) / n for n in self.shape], indexing="ij"), -1).reshape(-1, len(self.shape))
        phase = 2 * np.pi * self.points.reshape(-1, len(self.shape))[chosen] @ r.T
        if self.field is not None:
            phase = phase + self.times.ravel()[chosen, None] * self.field.ravel()
        sums = (self.maps * truth).reshape(len(self.maps), -1) @ np.exp(-1j * phase).T
        error = np.linalg.norm(sums - y[:, chosen]) / np.linalg.norm(sums)
        assert error < 1e-6, f"the data are wrong by {error:.1e}"


def radial():
    import argand

    c = Case()
    c.shape, c.iterations = (256, 256), 20
    c.points, _ = argand.trajectory.radial(c.shape, spokes=128)
    c.weights = argand.density(c.points, c.shape)
    c.maps = argand.birdcage((8, *c.shape))
    return c.finish(argand.phantom(c.shape))


def stack(shape=(16, 96, 96), coils=8, shots=8):
    import argand

    c = Case()
    c.shape, c.iterations = shape, 8
    c.points, c.times = argand.trajectory.spiral(c.shape, shots=shots, echo_s=0.002)
    c.first = 0
    plane = argand.density(c.points[0][..., 1:], c.shape[1:])
    c.weights = np.ascontiguousarray(np.broadcast_to(plane / shape[0], c.points.shape[:-1]))
    c.maps = argand.birdcage((coils, *c.shape))
    c.field = argand.head_field(c.shape, field_range_hz=60)
    return c.finish(argand.phantom(c.shape))


def small():
    return stack((8, 48, 48), coils=4, shots=4)


def prepared(name, folder):
    if folder is None:
        return globals()[name]()
    path = pathlib.Path(folder) / f"{name}.pickle"
    if not path.exists():
        path.write_bytes(pickle.dumps(globals()[name]()))
    return pickle.loads(path.read_bytes())


def with_argand(c, device):
    import argand

    points, weights = c.points.astype("f4"), c.weights.astype("f4")
    maps = c.maps.astype("c8")
    field = {} if c.field is None else {"times": c.times.astype("f4"), "field_map": c.field.astype("f4")}

    def solve(tolerance, toeplitz):
        options = {"dtype": np.complex64, "tolerance": tolerance, "device": device}
        if c.field is None:
            transform = argand.NUFFT(points, c.shape, (len(maps),), **options)
        else:
            transform = argand.SegmentedNUFFT(points, c.shape, (len(maps),), segment_tolerance=tolerance, **field, **options)
        op = argand.SENSE(transform, maps)
        normal = argand.Toeplitz(points, c.shape, weights=weights, **field, **options).sense(maps) if toeplitz else None
        return argand.solve(op, c.data, weights=weights, normal=normal, iterations=c.iterations, tolerance=1e-12)

    for tolerance in (3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4):
        for toeplitz in (True, False):
            yield f"{'Toeplitz, ' if toeplitz else ''}tolerance {tolerance:g}", lambda t=tolerance, z=toeplitz: solve(t, z), toeplitz


def with_sigpy(c, device):
    import sigpy as sp

    where = sp.Device(-1 if device == "cpu" else 0)

    def linop(oversampling, width, segments):
        put = lambda x: sp.to_device(x, where)  # noqa: E731
        maps, coord = put(c.maps.astype("c8")), put(c.points.astype("f4"))
        coils = sp.linop.Multiply(c.shape, maps)
        if c.field is None:
            return sp.linop.NUFFT(maps.shape, coord, oversamp=oversampling, width=width) * coils
        b, terms = c.segments(segments)
        flat = sp.linop.NUFFT(maps.shape, coord, oversamp=oversampling, width=width)
        parts = [sp.linop.Multiply(flat.oshape, put(x.astype("c8"))) * flat * coils * sp.linop.Multiply(c.shape, put(y.astype("c8")))
                 for x, y in zip(b, terms, strict=True)]  # fmt: skip
        return sp.linop.Add(parts)

    def solve(oversampling, width, segments):
        with where:
            y, w = sp.to_device(c.data, where), sp.to_device(c.weights.astype("f4"), where)
            a = linop(oversampling, width, segments)
            scale = np.float32(np.sqrt(np.prod(c.shape)))  # its transforms are unitary
            normal = a.H * sp.linop.Multiply(a.oshape, w) * a
            b = a.H(w * (y / scale))
            x = sp.get_array_module(b).zeros_like(b)
            app = sp.alg.ConjugateGradient(normal, b, x, max_iter=c.iterations)
            while not app.done():
                app.update()
            return sp.to_device(app.x, sp.cpu_device)

    for oversampling, width in [(1.25, 4), (1.5, 4), (2, 4), (2, 5), (2, 6)]:
        for segments in [0] if c.field is None else [6, 8, 10, 12, 16]:
            name = f"oversampling {oversampling}, width {width}" + (f", {segments} segments" if segments else "")
            yield name, lambda o=oversampling, w=width, s=segments: solve(o, w, s), ""


def with_mrinufft(c, device):
    import mrinufft

    on_gpu = device != "cpu"
    backend = "cufinufft" if on_gpu else "finufft"
    if on_gpu:
        import cupy as xp
    else:
        xp = np
    w, maps = xp.asarray(c.weights.astype("f4").ravel()), c.maps.astype("c8")

    def operator(stack, eps):
        """And how its axes are made of ours: stacks have z last."""
        options = {"n_coils": len(maps), "squeeze_dims": True, "eps": eps}
        if not stack:
            samples = (c.points / np.array(c.shape)).reshape(-1, len(c.shape)).astype("f4")
            options |= {"n_trans": len(maps)} if on_gpu else {}
            return mrinufft.get_operator(backend)(samples, c.shape, smaps=xp.asarray(maps), **options), lambda x: x, lambda x: x
        plane = (c.points[0][..., 1:] / np.array(c.shape[1:])).reshape(-1, 2).astype("f4")
        z = np.rint(c.points[:, 0, 0, 0]).astype(int) + c.shape[0] // 2
        make = mrinufft.get_operator("stacked-cufinufft" if on_gpu else "stacked")
        last = np.ascontiguousarray(np.moveaxis(maps, 1, -1))
        op = make(plane, (*c.shape[1:], c.shape[0]), backend=backend, smaps=last, z_index=z, **options)
        return op, lambda x: xp.ascontiguousarray(xp.moveaxis(x, 0, -1)), lambda x: xp.moveaxis(x, -1, 0)

    def solve(stack, eps, segments):
        op, there, back = operator(stack, eps)
        scale = np.float32(np.sqrt(np.prod(c.shape) * 2 ** len(c.shape)))  # mri-nufft's normalisation
        if c.field is not None:
            field = there(xp.asarray(c.field.astype("f4")))
            b, terms = c.segments(segments)
            op = op.with_off_resonance_correction(readout_time=xp.asarray(c.times.ravel().astype("f4")), b0_map=xp.zeros_like(field))
            op.B = xp.asarray(b.reshape(segments, -1).T.astype("c8"))  # it takes no pair of arrays (1.5.1): told afterwards
            op.C = xp.stack([there(xp.asarray(x.astype("c8"))) for x in terms])
            shape = field.shape
        else:
            shape = c.shape
        y = xp.asarray(c.data.reshape(len(maps), -1)) / scale
        x = back(cg(lambda x: op.adj_op(w * op.op(x)).reshape(shape), op.adj_op(w * y).reshape(shape), c.iterations))
        return x.get() if on_gpu else x

    for eps in (1e-2, 1e-3, 1e-4, 1e-5):
        for segments in [0] if c.field is None else [6, 8, 10, 12, 16]:
            for stack in (False,) if c.field is None else (False, True):
                name = f"{'stacked ' if stack else ''}{backend}, eps {eps:g}" + (f", {segments} components" if segments else "")
                yield name, lambda k=stack, e=eps, s=segments: solve(k, e, s), stack


def error(c, x):
    return np.linalg.norm(np.asarray(x) - c.wanted) / np.linalg.norm(c.wanted)


def measure(package, ways, c, limit, repeat, settings):
    """Of each kind of settings the first that is good enough; the best time of several runs."""
    done = set()
    for name, run, kind in ways:
        if kind in done or not re.search(settings, name):
            continue
        try:
            best = np.full(2, np.inf)
            for _ in range(repeat):
                began = time.perf_counter(), time.process_time()
                image = run()
                best = np.minimum(best, [time.perf_counter() - began[0], time.process_time() - began[1]])
                found = error(c, image)
                if found > limit:
                    break
            if found > limit:
                print(f"{package}, {name}: error {found:.1e}", file=sys.stderr, flush=True)
                continue
        except Exception as failure:  # noqa: BLE001
            print(f"| {package} | {name} | {type(failure).__name__}: {' '.join(str(failure).split())[:120]} | | |", flush=True)
            done.add(kind)
            continue
        done.add(kind)
        print(f"| {package} | {name} | {found:.1e} | {best[0]:.2f} | {best[1]:.2f} |", flush=True)


def place(device):
    import argand

    return device if device == "cpu" else f"{device}, {argand.Device(device).info.name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--case", choices=["radial", "stack", "small"], action="append")
    parser.add_argument("--package", choices=["argand", "sigpy", "mrinufft"], action="append")
    parser.add_argument("--cases", help="a folder where cases are kept once they have been computed")
    parser.add_argument("--limit", type=float, default=2e-3)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--settings", default="", help="a regular expression: only these are tried")
    given = parser.parse_args()
    packages = {"argand": with_argand, "sigpy": with_sigpy, "mrinufft": with_mrinufft}
    for case in given.case or ["radial", "stack"]:
        c = prepared(case, given.cases)
        print(f"\n{case}: {c.shape}, {len(c.maps)} coils, {c.data[0].size} samples, on {place(given.device)}\n")
        print("| package | settings | error | s | s of processors |\n|---|---|---|---|---|")
        for package in given.package or packages:
            measure(package, packages[package](c, given.device), c, given.limit, given.repeat, given.settings)


if __name__ == "__main__":
    main()
