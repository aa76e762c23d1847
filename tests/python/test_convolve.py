# SPDX-License-Identifier: BSD-3-Clause
"""Convolution: dynamic range and what is not finite, against sums in double."""

import concurrent.futures
import itertools
import unittest

import argand
import numpy as np

RNG = np.random.default_rng(6)
PAD = {"zero": "constant", "mirror": "symmetric", "clamp": "edge", "wrap": "wrap"}


def sums(x, h, border):
    """sum_j h[j] x[i + c - j], product by product."""
    (a, b), (n, m) = h.shape, x.shape
    padded = np.pad(x, [(a, a), (b, b)], mode=PAD[border])
    y = np.zeros(x.shape)
    for j in range(a):
        for i in range(b):
            v, u = a + a // 2 - j, b + b // 2 - i
            with np.errstate(invalid="ignore"):
                y += h[j, i] * padded[v : v + n, u : u + m]
    return y


def scene(dtype):
    x = 1e-3 * (1 + RNG.random((70, 60)))
    x[30, 20] = 1e6
    x[50:60, 40:50] = 65504
    return x.astype(dtype)


class DynamicRange(unittest.TestCase):
    def test_errors_are_relative_to_what_the_kernel_meets(self):
        y, x = np.mgrid[-5:6, -6:7]
        for dtype, limit in ((np.float32, 4e-5), (np.float64, 1e-11)):
            h, image = np.exp(-(x * x + y * y) / 6).astype(dtype), scene(dtype)
            for border in PAD:
                wanted = sums(image.astype(float), h.astype(float), border)
                for method in ("auto", "fft", "direct"):
                    got = argand.convolve(image, h, "same", border=border, method=method)
                    self.assertEqual(got.dtype, dtype)
                    self.assertLess(np.max(np.abs(got - wanted) / wanted), limit, (border, method))

    def test_nothing_stays_nothing(self):
        image = np.zeros((80, 90), np.float32)
        image[20:30, 20:30] = 1e5
        got = argand.convolve(image, np.ones((7, 7), np.float32), "same", method="fft")
        self.assertTrue(np.array_equal(got > 0, sums(image, np.ones((7, 7)), "zero") > 0))
        self.assertFalse((got < 0).any())

    def test_narrow_is_as_it_was(self):
        image, h = scene(np.float32), np.ones((9, 9), np.float32)
        narrow = argand.convolve(image, h, "same", method="fft", dynamic_range="narrow")
        wide = argand.convolve(image, h, "same", method="fft", dynamic_range="wide")
        wanted = sums(image.astype(float), h, "zero")
        self.assertGreater(np.max(np.abs(narrow - wanted) / wanted), 1e-2)
        self.assertLess(np.max(np.abs(wide - wanted) / wanted), 1e-6)
        with self.assertRaisesRegex(ValueError, "dynamic_range"):
            argand.Convolution((4, 4), h[:2, :2], dynamic_range="high")


class NotFinite(unittest.TestCase):
    def test_every_method_is_as_direct_sums(self):
        h = RNG.standard_normal((8, 5))
        h[2, 3] = 0
        for dtype in (np.float32, np.float64):
            for bad in (np.nan, np.inf, -np.inf):
                image = RNG.standard_normal((40, 41)).astype(dtype)
                image[13, 17] = image[0, 40] = bad
                for border in PAD:
                    wanted = sums(image.astype(float), h.astype(dtype).astype(float), border)
                    for method in ("auto", "fft", "direct"):
                        got = argand.convolve(image, h.astype(dtype), "same", border=border, method=method)
                        case = (dtype, bad, border, method)
                        self.assertTrue(np.array_equal(np.isnan(got), np.isnan(wanted)), case)
                        self.assertTrue(np.array_equal(got == np.inf, wanted == np.inf), case)
                        good = np.isfinite(wanted)
                        self.assertLess(np.max(np.abs(got - wanted)[good]), 1e-4, case)

    def test_one_image_of_a_batch(self):
        images, h = RNG.random((3, 30, 31)).astype(np.float32), np.ones((9, 9), np.float32)
        images[1, 15, 15] = np.nan
        got = argand.convolve(images, h, "same", method="fft")
        self.assertEqual([int(np.isnan(g).sum()) for g in got], [0, 81, 0])


class Alike(unittest.TestCase):
    """Calls like an earlier one take its plan, and have the bits of a plan of their own."""

    def same(self, x, h, **options):
        dtype = np.result_type(x.dtype, h.dtype)
        at = x.ndim - h.ndim
        plan = argand.Convolution(x.shape[at:], h.astype(dtype), batch=int(np.prod(x.shape[:at])), **options)
        wanted = plan(x.astype(dtype).reshape((plan.batch, *plan.shape))).reshape((*x.shape[:at], *plan.output_shape))
        for _ in range(2):
            got = argand.convolve(x, h, **options)
            self.assertEqual((got.dtype, got.shape), (wanted.dtype, wanted.shape))
            self.assertTrue(np.array_equal(got, wanted), (x.shape, h.shape, options))

    def test_other_kernels_and_options(self):
        for shape, kernel, options in itertools.product([(30,), (2, 3, 40)], [(5,), (4, 3)], [{"mode": "full"}, {"mode": "same", "border": "wrap"}]):
            if len(kernel) > len(shape):
                continue
            for i, kind in enumerate([np.float32, np.complex128, np.float32, np.float64]):
                h = (1 + i) * RNG.standard_normal(kernel).astype(kind)
                self.same(RNG.standard_normal(shape).astype(np.float32), h, **options)
                self.same(RNG.standard_normal(shape).astype(np.float64), h, centre=(0,) * len(kernel), **options)

    def test_more_than_are_kept(self):
        h = RNG.standard_normal(3)
        for n in 2 * [*range(10, 60)]:
            self.same(RNG.standard_normal(n), h, mode="same")

    def test_kernels_that_change_in_place(self):
        x, h = RNG.standard_normal(20), np.array([1.0, 0.0])
        first = argand.convolve(x, h)
        h[:] = 0.0, 1.0
        self.assertTrue(np.array_equal(argand.convolve(x, h)[1:], first[:-1]))

    def test_threads(self):
        x, kernels = RNG.standard_normal((16, 16)), RNG.standard_normal((8, 3, 3))
        wanted = [argand.Convolution((16, 16), h)(x) for h in kernels]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda i: argand.convolve(x, kernels[i % 8], "same"), range(200)))
        for i, got in enumerate(found):
            self.assertTrue(np.array_equal(got, wanted[i % 8]), i)

    def test_refused_after_success(self):
        x, h = RNG.standard_normal(20), RNG.standard_normal(3)
        argand.convolve(x, h)
        with self.assertRaisesRegex(ValueError, "mode"):
            argand.convolve(x, h, "other")
        with self.assertRaises(ValueError):
            argand.convolve(x, h[None])
        with self.assertRaises(argand.Error):
            argand.convolve(x, h, "same", centre=(3,))


if __name__ == "__main__":
    unittest.main()
