# SPDX-License-Identifier: BSD-3-Clause
"""Convolutions, type 3, fields, normal operators, solvers: against sums and matrices that are written here."""

import unittest

import argand
import numpy as np

RNG = np.random.default_rng(5)


def noise(*shape):
    return RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)


def error(got, wanted):
    return np.linalg.norm((got - wanted).ravel()) / np.linalg.norm(wanted.ravel())


def field_matrix(points, shape, times=0.0, field=0.0, decay=0.0):
    """exp(-R t - i (2 pi k r + w t)) as (points, *shape)."""
    r = np.stack(np.meshgrid(*[(np.arange(n) - n // 2) / n for n in shape], indexing="ij"), axis=-1)
    t = np.asarray(times).reshape(-1, *[1] * len(shape))
    return np.exp(-2j * np.pi * np.tensordot(points, r, axes=(-1, -1)) - (1j * np.asarray(field) + decay) * t)


def convolve_by_sums(x, h):
    """Full convolution, by its definition."""
    y = np.zeros([n + m - 1 for n, m in zip(x.shape, h.shape)], np.result_type(x, h))
    for at in np.ndindex(h.shape):
        y[tuple(slice(a, a + n) for a, n in zip(at, x.shape))] += h[at] * x
    return y


class Convolve(unittest.TestCase):
    def test_modes(self):
        for shape, kernel in [((20,), (5,)), ((9, 12), (4, 3)), ((5, 6, 7), (2, 3, 2)), ((40, 30), (17, 33))]:
            for x, h in [(RNG.standard_normal(shape), RNG.standard_normal(kernel)), (noise(*shape), noise(*kernel))]:
                wanted = convolve_by_sums(x, h)
                self.assertLess(error(argand.convolve(x, h), wanted), 1e-13)
                same = wanted[tuple(slice(k // 2, k // 2 + n) for n, k in zip(shape, kernel))]
                self.assertLess(error(argand.convolve(x, h, "same"), same), 1e-13)
                if all(n >= k for n, k in zip(shape, kernel)):
                    valid = wanted[tuple(slice(k - 1, n) for n, k in zip(shape, kernel))]
                    self.assertLess(error(argand.convolve(x, h, "valid"), valid), 1e-13)

    def test_borders_and_batches(self):
        x, h = RNG.standard_normal((3, 12, 11)), RNG.standard_normal((5, 3))
        for border, mode in [("wrap", "wrap"), ("clamp", "edge"), ("mirror", "symmetric"), ("zero", "constant")]:
            padded = np.pad(x, [(0, 0), (2, 2), (1, 1)], mode=mode)
            wanted = np.stack([convolve_by_sums(p, h)[4:-4, 2:-2] for p in padded])
            self.assertLess(error(argand.convolve(x, h, "same", border=border), wanted), 1e-13, border)
        self.assertEqual(argand.convolve(x.astype("f4"), h.astype("f4")).dtype, np.float32)
        self.assertEqual(argand.convolve(np.zeros((0, 5)), [1.0, 2.0]).shape, (0, 6))

    def test_refused(self):
        for call in [
            lambda: argand.convolve(np.ones(3), np.ones((2, 2))), lambda: argand.convolve(np.ones(3), np.ones(0)),
            lambda: argand.convolve(np.ones(3), np.ones(2), "most"), lambda: argand.convolve(np.ones(3), np.ones(5), "valid"),
            lambda: argand.convolve(np.ones((3, 3)), np.ones((2, 2)), border=("wrap",)),
        ]:  # fmt: skip
            self.assertRaises(ValueError, call)
        self.assertRaises(ArithmeticError, argand.convolve, np.ones(3), [np.nan])


class Type3(unittest.TestCase):
    def test_sums(self):
        for rank in (1, 2, 3):
            sources, targets = RNG.uniform(-0.5, 0.5, (30, rank)) + 3, RNG.uniform(-8, 8, (5, 8, rank))
            matrix = np.exp(-2j * np.pi * np.tensordot(targets, sources, axes=(-1, -1)))
            x, y = noise(2, 30), noise(2, 5, 8)
            plan = argand.NUFFT3(sources, targets, tolerance=1e-9)
            self.assertLess(error(plan(x), np.tensordot(x, matrix, axes=(1, 2))), 1e-9)
            self.assertLess(error(plan.adjoint(y), np.tensordot(y, matrix.conj(), axes=([1, 2], [0, 1]))), 1e-9)
            radians = argand.nufft3(x, sources, 2 * np.pi * targets, 1e-9, sign=1, units="radians")
            self.assertLess(error(radians, np.tensordot(x, matrix.conj(), axes=(1, 2))), 1e-9)
        with self.assertRaises(argand.errors.NumericError):
            argand.nufft3([1.0], [[np.nan]], [[1.0]])


class Fields(unittest.TestCase):
    shape = (9, 8)

    def setUp(self):
        self.points = RNG.uniform(-4, 4, (3, 30, 2))
        self.times = RNG.uniform(0.002, 0.01, (3, 30))
        self.field = argand.head_field(self.shape, field_range_hz=64)
        self.decay = RNG.uniform(0, 50, self.shape)
        self.matrix = field_matrix(self.points.reshape(-1, 2), self.shape, self.times, self.field, self.decay).reshape(3, 30, *self.shape)

    def test_exact_and_segmented(self):
        image = noise(2, *self.shape)
        wanted = np.einsum("sjyx,cyx->csj", self.matrix, image)
        maps = {"times": self.times, "field_map": self.field, "r2star": self.decay}
        exact = argand.FieldDFT(self.points, self.shape, (2,), **maps)
        self.assertLess(error(exact @ image, wanted), 1e-12)
        self.assertLess(error(exact.H @ wanted, np.einsum("sjyx,csj->cyx", self.matrix.conj(), wanted)), 1e-12)
        self.assertLess(error(argand.field_dft(image, self.points, **maps), wanted), 1e-12)
        for interpolator in ["auto", "svd"]:
            parts = argand.SegmentedNUFFT(self.points, self.shape, (2,), segment_tolerance=1e-5, interpolator=interpolator, tolerance=1e-8, **maps)
            self.assertLess(error(parts @ image, wanted), 1e-4, interpolator)

    def test_normal_operators(self):
        weights, image = RNG.uniform(0.5, 1, (3, 30)), noise(*self.shape)
        flat = field_matrix(self.points.reshape(-1, 2), self.shape).reshape(90, -1)
        normal = flat.conj().T @ (weights.reshape(-1, 1) * flat)
        kernels = argand.Toeplitz(self.points, self.shape, weights=weights, tolerance=1e-9)
        self.assertLess(error((kernels @ image).ravel(), normal @ image.ravel()), 1e-8)
        maps = noise(4, *self.shape)
        wanted = sum(m.conj() * (normal @ (m * image).ravel()).reshape(self.shape) for m in maps)
        self.assertLess(error(kernels.sense(maps) @ image, wanted), 1e-8)
        self.assertEqual((kernels.circulant(maps) @ image).shape, self.shape)

    def test_sense_and_the_solution_of_a_matrix(self):
        maps, image = noise(3, *self.shape), noise(*self.shape)
        op = argand.SENSE(argand.NUFFT(self.points, self.shape, (3,), tolerance=1e-11), maps)
        flat = field_matrix(self.points.reshape(-1, 2), self.shape).reshape(90, -1)
        matrix = np.concatenate([flat * m.ravel() for m in maps])
        self.assertLess(error((op @ image).ravel(), matrix @ image.ravel()), 1e-10)
        data, weights = noise(3, 3, 30), RNG.uniform(0.5, 1, (3, 30))
        root = np.tile(np.sqrt(weights.ravel()), 3)
        wanted = np.linalg.lstsq(root[:, None] * matrix, root * data.ravel(), rcond=None)[0].reshape(self.shape)
        for options in [{}, {"normal": argand.Toeplitz(self.points, self.shape, weights=weights, tolerance=1e-11).sense(maps)}, {"start": wanted + 0.1}]:
            got = argand.solve(op, data, weights=weights, iterations=200, tolerance=1e-12, **options)
            self.assertLess(error(got, wanted), 1e-6, options)
        ridge = np.linalg.solve(matrix.conj().T @ matrix + 5 * np.eye(72), matrix.conj().T @ data.ravel()).reshape(self.shape)
        got = argand.solve(op, data, regularize="tikhonov:5", absolute=True, iterations=200, tolerance=1e-12)
        self.assertLess(error(got, ridge), 1e-6)

    def test_composition(self):
        a, b = argand.Diagonal(noise(6)), argand.FFT((6,))
        x = noise(6)
        for op, wanted in [(a @ b, a(b(x))), (a + b, a(x) + b(x)), (a - b, a(x) - b(x)), (2j * a, 2j * a(x)), (-b, -b(x)), ((a @ b).H, b.H(a.H(x)))]:
            self.assertLess(error(op(x), wanted), 1e-14)
            self.assertLess(op.check(), 1e-12)
        with self.assertRaises(ValueError):
            a @ argand.FFT((5,))
        with self.assertRaises(TypeError):
            a + 3

    def test_gradient_and_wavelet(self):
        x = noise(2, 5, 6)
        got = argand.Gradient((2, 5, 6), 2)(x)
        self.assertEqual(got.shape, (2, 2, 5, 6))
        self.assertLess(error(got[0][..., 1:], np.diff(x, axis=-1)), 1e-15)
        self.assertLess(error(got[1][:, 1:], np.diff(x, axis=-2)), 1e-15)
        w = argand.Wavelet((8, 16), wavelet="haar", levels=1)
        wanted = (x[0, 0, 0] * np.ones((8, 16))) * 2
        self.assertLess(error(w(np.full((8, 16), x[0, 0, 0]))[:4, :8], wanted[:4, :8]), 1e-14)


if __name__ == "__main__":
    unittest.main()
