# SPDX-License-Identifier: BSD-3-Clause
"""The NUFFT against the sum that it stands for."""

import itertools
import unittest

import argand
import numpy as np

RNG = np.random.default_rng(2)


def exact(points, shape):
    """The matrix exp(-2 pi i k . r) as (points, *shape)."""
    r = np.stack(np.meshgrid(*[(np.arange(n) - n // 2) / n for n in shape], indexing="ij"), axis=-1)
    return np.exp(-2j * np.pi * np.tensordot(points, r, axes=(-1, -1)))


def noise(*shape):
    return RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)


def error(got, wanted):
    return np.linalg.norm((got - wanted).ravel()) / np.linalg.norm(wanted.ravel())


class Nufft(unittest.TestCase):
    def test_both_types(self):
        for shape in [(11,), (12, 15), (6, 9, 7)]:
            points = RNG.uniform(-0.5, 0.5, (4, 9, len(shape))) * shape
            matrix, image, samples = exact(points, shape), noise(3, *shape), noise(3, 4, 9)
            rank = len(shape)
            for dtype, tolerance in [(np.complex128, 1e-10), (np.complex64, 1e-5)]:
                got = argand.nufft2(image.astype(dtype), points, tolerance)
                self.assertEqual((got.shape, got.dtype), ((3, 4, 9), dtype))
                self.assertLess(error(got, np.tensordot(image, matrix, axes=(list(range(1, rank + 1)), list(range(2, rank + 2))))), tolerance)
                back = argand.nufft1(samples.astype(dtype), points, shape, tolerance)
                self.assertEqual((back.shape, back.dtype), ((3, *shape), dtype))
                self.assertLess(error(back, np.tensordot(samples, matrix.conj(), axes=([1, 2], [0, 1]))), tolerance)

    def test_operator(self):
        points = RNG.uniform(-6, 6, (40, 2))
        op = argand.NUFFT(points, (12, 15), batch=(2, 3), tolerance=1e-9)
        image, matrix = noise(2, 3, 12, 15), exact(points, (12, 15))
        wanted = np.einsum("kyx,abyx->abk", matrix, image)
        self.assertLess(error(op @ image, wanted), 1e-9)
        self.assertLess(error(op.adjoint @ wanted, np.einsum("kyx,abk->abyx", matrix.conj(), wanted)), 1e-9)
        self.assertLess(error(op.normal(image), op.H(op(image))), 1e-12)
        self.assertLess(op.check(), 1e-12)
        self.assertEqual(op.info.points, 40)
        twice = 2j * op + op
        self.assertLess(error(twice @ image, (1 + 2j) * (op @ image)), 1e-12)

    def test_arrays_in_c_order(self):
        """They go to the library as they lie (argand/_again.py), with the bits of all others."""
        from argand import _again

        for shape, batch, many in itertools.product([(11,), (12, 15), (6, 9, 7)], [(), (3,), (2, 2)], [(30,), (4, 9)]):
            points = RNG.uniform(-0.5, 0.5, (*many, len(shape))) * shape
            for dtype, kind in itertools.product([np.complex64, np.complex128], [np.float32, np.float64]):
                k, options = points.astype(kind), {"sign": 1, "order": "fft"}
                other = np.repeat(k, 2, axis=0)[::2]  # in another order
                image, samples = noise(*batch, *shape).astype(dtype), noise(*batch, *many).astype(dtype)
                self.assertTrue(np.array_equal(argand.nufft2(image, k, 1e-4, **options), argand.nufft2(image, other, 1e-4, **options)))
                self.assertTrue(np.array_equal(argand.nufft1(samples, k, shape, 1e-4, **options), argand.nufft1(samples, other, shape, 1e-4, **options)))
        conventions = (1e-4, None, 1, "cycles", "fft", False)
        self.assertIsNone(_again.nufft(False, image, other, None, False, conventions, None))
        self.assertEqual(_again.nufft(False, image, k, None, False, conventions, None).shape, (2, 2, 4, 9))
        line = RNG.uniform(-4, 4, 20)
        self.assertTrue(np.array_equal(argand.nufft2(noise(2, 8) * 0 + 1, line), argand.nufft2(np.ones((2, 8), complex), line[:, None])))

    def test_real_images_and_type_3_in_c_order(self):
        """Likewise, with the bits of operators."""
        from argand import _again

        for rank, dtype in itertools.product([1, 2, 3], [np.complex64, np.complex128]):
            shape, kind = (7, 8, 9)[:rank], np.empty(0, dtype).real.dtype
            k, r = RNG.uniform(-3, 3, (2, 5, 6, rank)).astype(kind)
            image, samples = noise(2, *shape).real.astype(kind), noise(2, 5, 6).astype(dtype)
            op = argand.NUFFT(k, shape, (2,), dtype=dtype, real_image=True)
            found = argand.nufft2(image, k, device="cpu"), argand.nufft1(samples, k, shape, real=True)
            for got, wanted in zip(found, (op(image), op.adjoint(samples)), strict=True):
                self.assertEqual(got.dtype, wanted.dtype)
                self.assertTrue(np.array_equal(got, wanted))
            self.assertTrue(np.array_equal(argand.nufft3(samples, r, k), argand.NUFFT3(r, k, dtype=dtype)(samples)))
            self.assertIsNotNone(_again.nufft3(samples, r, k, (None, -1, "cycles"), None))  # options are kept
            with self.assertRaisesRegex(argand.Error, "n.0. = -1"):
                argand.nufft1(samples, k, (*shape[:-1], -1))

    def test_what_is_refused_at_once(self):
        points, image = RNG.uniform(-4, 4, (20, 2)), noise(8, 9)
        argand.nufft2(image, points)  # the plan's options are kept
        lost = points.copy()
        lost[3, 1] = np.nan
        for arguments, kind in [((image, lost), argand.Error), ((image[0], points), ValueError), ((image, points[:, :0]), ValueError),
                                ((image, points, 2.0), argand.Error), ((image, points, [1e-3]), TypeError)]:  # fmt: skip
            with self.assertRaises(kind):
                argand.nufft2(*arguments)
        with self.assertRaises(ValueError):
            argand.nufft1(noise(21), points, (8, 9))
        with self.assertRaises(ValueError):
            argand.nufft1(noise(20), points, (8, 9), order="other")

    def test_every_pixel(self):
        points, shape = np.random.default_rng(3).uniform(-80, 80, (300, 1)), (160,)
        image, column = np.zeros(shape, complex), exact(points, shape)[:, 0]
        image[0] = 1  # at the edge, where windows are worst
        for options, least, most in [({}, 2e-6, 6e-6), ({"every_pixel": True}, 0, 1e-6)]:
            op = argand.NUFFT(points, shape, tolerance=1e-6, **options)
            forward = [op @ image, argand.nufft2(image, points, 1e-6, **options)]
            one_by_one = argand.nufft1(np.eye(300, dtype=complex), points, shape, 1e-6, **options)
            for got in [*forward, one_by_one[:, 0].conj()]:
                self.assertTrue(least <= error(got, column) < most, (options, error(got, column)))

    def test_real_images(self):
        for shape in [(11,), (12, 15), (6, 9, 7)]:
            points, axes = RNG.uniform(-0.5, 0.5, (40, len(shape))) * shape, list(range(1, len(shape) + 1))
            matrix, image, samples = exact(points, shape), noise(3, *shape).real, noise(3, 40)
            for dtype, result, tolerance in [(np.float64, np.complex128, 1e-10), (np.float32, np.complex64, 1e-5)]:
                got = argand.nufft2(image.astype(dtype), points, tolerance)
                self.assertEqual((got.shape, got.dtype), ((3, 40), result))
                self.assertLess(error(got, np.tensordot(image, matrix, axes=(axes, axes))), tolerance)
                back = argand.nufft1(samples.astype(result), points, shape, tolerance, real=True)
                self.assertEqual((back.shape, back.dtype), ((3, *shape), dtype))
                wanted = np.tensordot(samples, matrix.conj(), axes=([1], [0]))
                self.assertLess(error(back, wanted.real), tolerance)

    def test_operator_of_real_images(self):
        for shape in [(11,), (12, 15), (6, 9, 7)]:
            points, axes = RNG.uniform(-0.5, 0.5, (40, len(shape))) * shape, list(range(1, len(shape) + 1))
            matrix, image, samples = exact(points, shape), noise(2, *shape).real, noise(2, 40)
            for dtype, result, tolerance in [(np.float64, np.complex128, 1e-10), (np.float32, np.complex64, 1e-5)]:
                op = argand.NUFFT(points, shape, batch=(2,), tolerance=tolerance, dtype=result, real_image=True)
                self.assertEqual((op.dtype, op.output_dtype, op.adjoint.output_dtype), (dtype, result, dtype))
                self.assertLess(error(op(image), np.tensordot(image, matrix, axes=(axes, axes))), tolerance)
                back = op.H(samples)
                self.assertEqual((op(image).dtype, back.dtype, op.normal(image).dtype), (result, dtype, dtype))
                self.assertLess(error(back, np.tensordot(samples, matrix.conj(), axes=([1], [0])).real), tolerance)
                self.assertLess(op.check(), 1e-12 if dtype is np.float64 else 1e-5)
                with self.assertRaisesRegex(TypeError, "a real array is needed, not complex"):
                    op(image + 0j)
                with self.assertRaisesRegex(argand.errors.ArgumentError, "imaginary part must be 0"):
                    1j * op

    def test_real_image_from_fewer_samples(self):
        """30 complex samples say 60 numbers: enough for 49 real pixels, not for as many complex ones."""
        shape, truth = (7, 7), RNG.standard_normal((7, 7))
        op = argand.NUFFT(RNG.uniform(-3.5, 3.5, (30, 2)), shape, tolerance=1e-12, real_image=True)
        found = argand.solve(op, op(truth), iterations=300)
        self.assertEqual(found.dtype, np.float64)
        self.assertLess(error(found, truth), 1e-3)

    def test_points_of_any_kind(self):
        points = RNG.uniform(-3, 3, (20, 2))
        image = noise(7, 8)
        wanted = argand.nufft2(image, points)
        for given in [points.tolist(), np.asfortranarray(points), points.astype(">f8"), points[::-1][::-1]]:
            self.assertLess(error(argand.nufft2(image, given), wanted), 1e-14)
        whole = np.round(points)
        self.assertLess(error(argand.nufft2(image, whole.astype(int)), argand.nufft2(image, whole)), 1e-14)

    def test_refused(self):
        image, points = noise(4, 4), np.zeros((5, 2))
        for kind, call in [
            (ValueError, lambda: argand.nufft2(image, np.zeros((5, 4)))),
            (ValueError, lambda: argand.nufft2(noise(4), points)),
            (ValueError, lambda: argand.nufft1(noise(6), points, (4, 4))),
            (ValueError, lambda: argand.nufft1(noise(5), points, (4, 4, 4))),
            (ValueError, lambda: argand.nufft1(np.zeros(0), np.zeros((0, 2)), (4, 4))),
            (argand.errors.NumericError, lambda: argand.nufft2(image, np.full((5, 2), np.nan))),
            (argand.errors.ArgumentError, lambda: argand.nufft2(image, points, -1.0)),
            (TypeError, lambda: argand.nufft2(image, points + 0j)),
            (ValueError, lambda: argand.NUFFT(points, (4, 4))(noise(4, 5))),
        ]:
            with self.assertRaises(kind):
                call()


class Finufft(unittest.TestCase):
    """The sizes, numbers of points and vectors, types and orders of FINUFFT's own Python tests, in its units, against whole sums."""

    shapes = [(7,), (8,), (7, 7), (7, 8), (8, 8), (7, 7, 7), (7, 8, 8), (8, 8, 8)]

    def cases(self):
        for shape, count, batch, dtype in itertools.product(self.shapes, [10, 11], [(), (2,)], [np.complex64, np.complex128]):
            points = RNG.uniform(-np.pi, np.pi, (count, len(shape))).astype(np.float32 if dtype == np.complex64 else np.float64)
            yield shape, points, batch, dtype, 1e-6 * (1 if dtype == np.complex128 else 3)  # single: with rounding

    def matrix(self, points, shape, sign, order="centred"):
        first = [np.fft.ifftshift(np.arange(n) - n // 2) if order == "fft" else np.arange(n) - n // 2 for n in shape]
        modes = np.stack(np.meshgrid(*first, indexing="ij"), axis=-1)
        return np.exp(sign * 1j * np.tensordot(points.astype(np.float64), modes, axes=(-1, -1)))

    def test_types_1_and_2(self):
        for shape, points, batch, dtype, tolerance in self.cases():
            x, y = noise(*batch, *shape).astype(dtype), noise(*batch, len(points)).astype(dtype)
            axes = list(range(1, len(shape) + 1))
            for order, sign in [("centred", -1), ("fft", -1), ("centred", 1)]:
                matrix = self.matrix(points, shape, sign, order)
                got = argand.nufft2(x, points, 1e-6, units="radians", order=order, sign=sign)
                wanted = np.tensordot(x, matrix, axes=([a - 1 + len(batch) for a in axes], axes))
                self.assertLess(error(got, wanted), tolerance, (shape, batch, dtype, order, sign))
                got = argand.nufft1(y, points, shape, 1e-6, units="radians", order=order, sign=sign)
                self.assertLess(error(got, np.tensordot(y, matrix.conj(), axes=(-1, 0))), tolerance, (shape, batch, dtype, order, sign))

    def test_type_3(self):
        for shape, points, batch, dtype, tolerance in self.cases():
            targets = RNG.uniform(-np.pi, np.pi, (12, len(shape)))
            x = noise(*batch, len(points)).astype(dtype)
            matrix = np.exp(1j * targets @ points.T.astype(np.float64))
            got = argand.nufft3(x, points, targets, 1e-6, sign=1, units="radians")
            self.assertEqual(got.shape, (*batch, 12))
            self.assertLess(error(got, x @ matrix.T), tolerance)

    def test_refused(self):
        for call in [
            lambda: argand.nufft1(np.zeros(1), np.zeros(1), (2, 2)), lambda: argand.nufft1(np.zeros(3), np.zeros(2), 4),
            lambda: argand.nufft2(np.zeros((2, 2)), np.zeros((1, 3))), lambda: argand.nufft2(np.zeros(4), [0.0], units="degrees"),
            lambda: argand.nufft2(np.zeros(4), [0.0], sign=0), lambda: argand.nufft2(np.zeros(4), [0.0], order="odd"),
            lambda: argand.nufft1(np.zeros(1), np.zeros(1), (0,)), lambda: argand.nufft3([1.0], np.zeros((1, 2)), np.zeros((1, 3))),
        ]:  # fmt: skip
            self.assertRaises(ValueError, call)


class Operators(unittest.TestCase):
    def test_scipy_takes_them(self):
        try:
            from scipy.sparse.linalg import cg
        except ImportError:
            self.skipTest("no SciPy")
        op = argand.FFT((6, 5), centred=True)
        x = noise(6, 5)
        solution, _ = cg(op.normal.linear_operator(), op.adjoint(op(x)).ravel(), rtol=1e-12)
        self.assertLess(error(solution.reshape(6, 5), x), 1e-10)

    def test_diagonal_keeps_its_numbers(self):
        op = argand.Diagonal(np.array([1, 2j, 3])).adjoint
        _ = [np.full(3, 7 + 7j) for _ in range(50)]
        self.assertTrue(np.array_equal(op([1, 1, 1]), [1, -2j, 3]))

    def test_results_share_no_memory_and_out_is_the_memory(self):
        op = argand.FFT((8,))
        x, out = noise(8), np.empty(8, complex)
        self.assertIs(op(x, out), out)
        self.assertFalse(np.shares_memory(op(x), op(x)))


if __name__ == "__main__":
    unittest.main()
