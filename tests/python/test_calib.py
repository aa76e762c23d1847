# SPDX-License-Identifier: BSD-3-Clause
"""Calibration, trajectories, phantoms: axes are NumPy's, and numbers what they should be."""

import unittest
import warnings

import argand
import numpy as np

RNG = np.random.default_rng(6)
NY, NX = 40, 32
MAPS = argand.birdcage((6, NY, NX))
PHANTOM = argand.phantom((NY, NX))


def espirit_truth(kspace, region, kernel):
    """The operator's eigenvalues and vectors at each pixel, and the maps: its 60th power times the region's images."""
    coils, *n = kspace.shape
    block = kspace[(slice(None), *(slice(m // 2 - region // 2, m // 2 - region // 2 + region) for m in n))]
    windows = np.lib.stride_tricks.sliding_window_view(block, (kernel, kernel), (1, 2))
    _, s, vectors = np.linalg.svd(np.moveaxis(windows, 0, 2).reshape(-1, coils * kernel**2), full_matrices=False)
    kernels = vectors[s**2 > 0.001 * s[0] ** 2].reshape(-1, coils, kernel, kernel)

    def image(k, x):
        """The values of k-space samples (..., k, k) at the frequencies x, at all pixels."""
        waves = [np.exp(2j * np.pi * np.outer(x, (np.arange(m) - m // 2) / m)) for m in n]
        return np.einsum("...pq,py,qx->yx...", k, *waves)

    spanned = image(kernels, np.arange(kernel)).swapaxes(-1, -2)
    values, vectors = np.linalg.eigh(spanned @ spanned.conj().swapaxes(-1, -2) / kernel**2)
    start = vectors.conj().swapaxes(-1, -2) @ image(block, np.arange(region) - region // 2)[..., None]
    maps = np.moveaxis((vectors @ (values[..., None] ** 60 * start))[..., 0], -1, 0)
    return values, np.moveaxis(vectors[..., -1], -1, 0), maps / np.linalg.norm(maps, axis=0)


class Maps(unittest.TestCase):
    def alike(self, got, inside):
        """Of one phase an element: the angle between the coils' vectors."""
        overlap = abs((got.conj() * MAPS).sum(axis=0))[inside]
        self.assertGreater(overlap.min(), 0.98)

    def test_espirit(self):
        kspace = argand.fftn(PHANTOM * MAPS, axes=(1, 2), centred=True)
        maps, values = argand.espirit(kspace, eigenvalues=True)
        inside = (PHANTOM > 0.1) & (values > 0.95)
        self.assertGreater(inside.sum(), 300)
        self.alike(maps, inside)
        two = argand.espirit(kspace, sets=2, crop=-1, calibration=(20, 18), kernel=5)
        self.assertEqual(two.shape, (2, *MAPS.shape))
        orthogonal = abs((two[0].conj() * two[1]).sum(axis=0))
        self.assertLess(orthogonal.max(), 1e-6)
        self.alike(argand.espirit(PHANTOM * MAPS, images=True), inside)

    def test_espirit_truth(self):
        for shape, coils, region, kernel in (((30, 34), 5, 14, 4), ((40, 33), 6, 18, 6)):
            kspace = argand.fftn(argand.phantom(shape) * argand.birdcage((coils, *shape)), axes=(1, 2), centred=True)
            noise = RNG.standard_normal((2, *kspace.shape))
            kspace = kspace + 1e-3 * np.sqrt(np.mean(abs(kspace) ** 2)) * (noise[0] + 1j * noise[1])
            values, vectors, maps = espirit_truth(kspace, region, kernel)
            gap = (values[..., -2] / values[..., -1]) ** 60 < 1e-9
            self.assertGreater(gap.mean(), 0.5)
            for dtype, limit in ((complex, 1e-10), (np.complex64, 1e-5)):
                found, first = argand.espirit(kspace.astype(dtype), calibration=region, kernel=kernel, threshold=0.001, crop=-1, eigenvalues=True)
                overlap = (maps.conj() * found).sum(axis=0)
                self.assertLess(abs(found - maps * overlap / abs(overlap)).max(), limit)
                self.assertLess(abs(1 - abs((vectors.conj() * found).sum(axis=0)))[gap].max(), limit)
                self.assertLess(abs(first - values[..., -1])[gap].max(), limit)

    def test_espirit_device(self):
        if not argand.devices().get("opencl", "")[:1].isdigit():
            self.skipTest("no OpenCL device")
        kspace = argand.fftn(PHANTOM * MAPS, axes=(1, 2), centred=True).astype(np.complex64)
        kspace += 1e-3 * np.sqrt(np.mean(abs(kspace) ** 2)) * RNG.standard_normal(kspace.shape).astype(np.float32)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            maps, values = argand.espirit(kspace, eigenvalues=True, device="opencl:0")
        expected, others = argand.espirit(kspace, eigenvalues=True)
        self.assertIsInstance(maps, np.ndarray)
        self.assertLess(abs(maps - expected)[:, PHANTOM > 0.1].max(), 1e-5)
        self.assertLess(abs(values - others)[PHANTOM > 0.1].max(), 1e-5)

    def test_adaptive(self):
        self.alike(argand.adaptive_maps(PHANTOM * MAPS), PHANTOM > 0.15)


class Matrices(unittest.TestCase):
    def test_whiten(self):
        mixing = RNG.standard_normal((4, 4)) + 1j * RNG.standard_normal((4, 4))
        noise = np.tensordot(mixing, RNG.standard_normal((4, 30, 50)) + 1j * RNG.standard_normal((4, 30, 50)), axes=1)
        matrix = argand.whiten(noise)
        self.assertLess(abs(np.triu(matrix, 1)).max(), 1e-12)  # L^-1 is lower triangular
        white = argand.mix(matrix, noise).reshape(4, -1)
        np.testing.assert_allclose(white @ white.conj().T / 1500, np.eye(4), atol=1e-10)
        np.testing.assert_allclose(argand.mix(matrix, noise), np.tensordot(matrix, noise, axes=1), atol=1e-12)
        with self.assertRaises(argand.errors.NumericError):
            argand.whiten(np.ones((3, 100)))

    def test_compress(self):
        data = np.tensordot(RNG.standard_normal((6, 2)), RNG.standard_normal((2, 50)), axes=1)
        found = argand.compress(data, energy=0.9999)
        self.assertEqual(found.matrix.shape[1], 6)
        self.assertLessEqual(found.matrix.shape[0], 2)
        np.testing.assert_allclose(found.matrix @ found.matrix.conj().T, np.eye(len(found.matrix)), atol=1e-12)
        np.testing.assert_allclose(abs(found.data) ** 2 / 1, abs(np.tensordot(found.matrix, data, axes=1)) ** 2, atol=1e-10)
        self.assertAlmostEqual(np.linalg.norm(found.data) / np.linalg.norm(data), 1, 3)


class FieldMaps(unittest.TestCase):
    def test_from_echoes_of_coils(self):
        field, times = argand.head_field((NY, NX), field_range_hz=80), [0.003, 0.005, 0.009]
        echoes = np.stack([MAPS * np.exp(-1j * field * t) for t in times])
        got = argand.field_map(echoes, times, mask=np.ones((NY, NX)))
        self.assertLess(abs(got - field).max(), 10)
        self.assertEqual(argand.field_map(echoes.astype(np.complex64), times).dtype, np.float32)

    def test_units_are_in_the_names(self):
        largest = abs(argand.head_field((64, 64), field_range_hz=150)).max() / (2 * np.pi)
        self.assertTrue(110 < largest <= 150, largest)
        for call, words in [
            (lambda: argand.head_field((8, 8), 150.0), "give field_range_hz=, in Hz"), (lambda: argand.head_field((8, 8), range=150.0), "in Hz"),
            (lambda: argand.trajectory.spiral((8, 8), readout=10), "readout_s, in seconds"),
            (lambda: argand.trajectory.spiral((8, 8), field_of_view=240), "field_of_view_m, in metres"),
            (lambda: argand.trajectory.radial((8, 8), echo=5), "echo_s, in seconds"),
            (lambda: argand.trajectory.cartesian((8, 8), spokes=5), "no argument 'spokes'"),
        ]:  # fmt: skip
            with self.assertRaisesRegex(TypeError, words):
                call()

    def test_unwrap_against_numpy(self):
        phase = np.linspace(0, 30, NX) * np.ones((NY, 1)) + np.linspace(0, 12, NY)[:, None]
        got = argand.unwrap(np.angle(np.exp(1j * phase)))
        np.testing.assert_allclose(got - got[0, 0], phase - phase[0, 0], atol=1e-9)

    def test_field_gradient(self):
        field = 2 * np.pi * (3 * np.arange(NX) + 5 * np.arange(NY)[:, None])
        np.testing.assert_allclose(argand.field_gradient(field, 1), 3, atol=1e-10)
        np.testing.assert_allclose(argand.field_gradient(field, 0), 5, atol=1e-10)


class Samples(unittest.TestCase):
    def test_trajectories_have_the_images_axes(self):
        points, times = argand.trajectory.cartesian((NY, NX))
        self.assertEqual((points.shape, times.shape), ((NY, NX, 2), (NY, NX)))
        np.testing.assert_array_equal(points[..., 0], (np.arange(NY) - NY // 2)[:, None] * np.ones(NX))
        np.testing.assert_array_equal(points[..., 1], (np.arange(NX) - NX // 2) * np.ones((NY, 1)))
        stack, _ = argand.trajectory.spiral((6, NY, NX), shots=3)
        self.assertEqual(sorted(set(stack[..., 0].ravel())), list(range(-3, 3)))
        for kind in (argand.trajectory.spiral, argand.trajectory.radial, argand.trajectory.cartesian):  # a volume of one partition
            (one, when), (flat, times) = kind((1, NY, NX)), kind((NY, NX))
            np.testing.assert_array_equal(one[0, ..., 1:], flat)
            np.testing.assert_array_equal(when[0], times)
            self.assertFalse(one[..., 0].any())
        np.testing.assert_array_equal(argand.trajectory.make("stack-of-spirals", (6, NY, NX), shots=3)[0], stack)
        np.testing.assert_array_equal(argand.trajectory.make("cartesian", (NY, NX))[0], points)
        with self.assertRaisesRegex(ValueError, "kind is one of 'cartesian', 'radial'.*not 'zigzag'"):
            argand.trajectory.make("zigzag", (NY, NX))
        with self.assertRaisesRegex(argand.errors.ArgumentError, "cartesian, stack-of-spirals"):
            argand.trajectory.make("radial", (6, NY, NX))
        echo = argand.trajectory.radial((NY, NX), echo_s=0.01, readout_s=0.004)[1]
        self.assertTrue(0.007 < echo.min() < 0.01 < echo.max() < 0.013)

    def test_density(self):
        points, _ = argand.trajectory.cartesian((NY, NX))
        np.testing.assert_allclose(argand.density(points, (NY, NX)), 1 / (NY * NX), rtol=1e-2)
        even = argand.density(points, (NY, NX), method="deconvolve")
        np.testing.assert_allclose(even, 1 / (NY * NX), rtol=1e-3)
        inner = argand.density(points, method="voronoi")[1:-1, 1:-1]
        np.testing.assert_allclose(inner, inner.mean(), rtol=1e-2)
        spokes, _ = argand.trajectory.radial((NY, NY), spokes=64)
        weights = argand.density(spokes, (NY, NY), dtype=np.float32)
        radius = np.hypot(spokes[..., 0], spokes[..., 1])
        ring = (radius > 4) & (radius < 16)
        np.testing.assert_allclose(weights[ring] / radius[ring], (weights[ring] / radius[ring]).mean(), rtol=0.2)
        for call in [lambda: argand.density(points), lambda: argand.density(points, (NY, NX), method="x")]:
            self.assertRaises(ValueError, call)

    def test_gridding(self):
        spokes, _ = argand.trajectory.radial((NY, NY), spokes=64)
        image = np.zeros((NY, NY))
        image[10, 25] = 2
        got = argand.gridding(argand.nufft2(image * np.ones((2, 1, 1)), spokes), spokes, argand.density(spokes, (NY, NY)), (NY, NY))
        self.assertEqual(np.unravel_index(got.argmax(), got.shape), (10, 25))
        self.assertAlmostEqual(got.max(), 2 * np.sqrt(2), 2)

    def test_phantom_is_upright(self):
        self.assertEqual(argand.phantom((8, NY, NX)).shape, (8, NY, NX))
        rows, columns = np.nonzero(PHANTOM > 0)
        self.assertGreater(np.ptp(rows) / NY, np.ptp(columns) / NX)  # a head is longer along y
        with self.assertRaises(ValueError):
            argand.phantom((5,))


if __name__ == "__main__":
    unittest.main()
