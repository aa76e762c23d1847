# SPDX-License-Identifier: BSD-3-Clause
"""Transforms against NumPy's: axes, sizes, norms, layouts, types."""

import itertools
import unittest

import argand
import numpy as np

RNG = np.random.default_rng(1)
X = RNG.standard_normal((9, 8, 7, 10)) + 1j * RNG.standard_normal((9, 8, 7, 10))  # in another order not copied, as small arrays are
AXES = [None, (0,), (1,), (3,), (-1,), (1, 2), (2, 1), (3, 0), (0, 2), (1, 2, 3), (3, 1, 0)]
LAYOUTS = {
    "contiguous": X,
    "reversed axis": X[:, ::-1],
    "transposed": X.transpose(2, 0, 3, 1),
    "steps": X[::2, :, 1:, ::-2],
    "Fortran": np.asfortranarray(X),
    "single": X.astype(np.complex64),
    "read-only": np.broadcast_to(X[:1], X.shape),
}
# rounding of a transform of 10^3 points: a few times eps log2 n
TOLERANCE = {np.dtype(np.complex64): 1e-6, np.dtype(np.complex128): 3e-15}


class Numpy(unittest.TestCase):
    def same(self, got, wanted, tolerance, what):
        self.assertEqual(got.shape, wanted.shape, what)
        self.assertEqual(got.dtype, wanted.dtype, what)
        self.assertLessEqual(np.linalg.norm((got - wanted).ravel()), tolerance * np.linalg.norm(wanted.ravel()), what)

    def test_axes_norms_and_layouts(self):
        names = ["fftn", "ifftn", "rfftn", "irfftn"]
        for name, axes, norm, (layout, x) in itertools.product(names, AXES, (None, "ortho", "forward"), LAYOUTS.items()):
            given = x.real if name == "rfftn" else x
            wanted = getattr(np.fft, name)(given, axes=axes, norm=norm)
            if x.dtype == np.complex64:  # NumPy before 2 computes it in double
                wanted = wanted.astype(np.float32 if name == "irfftn" else np.complex64)
            got = getattr(argand, name)(given, axes=axes, norm=norm)
            self.same(got, wanted, TOLERANCE[x.dtype], (name, axes, norm, layout))

    def test_one_axis_of_other_lengths(self):
        for name, n, axis in itertools.product(["fft", "ifft", "rfft", "irfft"], [1, 2, 3, 8, 9, 14], [0, 1, -1]):
            given = X.real if name == "rfft" else X
            wanted = getattr(np.fft, name)(given, n, axis)
            self.same(getattr(argand, name)(given, n, axis), wanted, 3e-15, (name, n, axis))

    def test_calls_alike(self):
        """Calls like an earlier one go straight to its plan: other numbers, and other types of the same shape."""
        for name, dtype, factor in itertools.product(["fftn", "rfftn", "irfftn"], ["f8", "i4", ">f8", "f8", "i4"], [1, -3]):
            given = (factor * 8 * X.real).astype(dtype)
            self.same(getattr(argand, name)(given), getattr(np.fft, name)(given.astype("f8")), 3e-15, (name, dtype))

    def test_small_arrays_in_another_order(self):
        """They are copied, and are not written to."""
        for shape, kind in itertools.product([(4, 6), (5, 3, 8)], [np.complex64, np.complex128, np.float32, "i2", ">c16"]):
            given = (8 * X[: shape[0], : shape[1], 0, 0] if len(shape) == 2 else X[:5, :3, 0, :8]).real.astype(kind)
            for x in (given.T, given[::-1], given[:, 1:], np.asfortranarray(given)):
                before = x.copy()
                self.assertTrue(np.array_equal(argand.fftn(x), argand.fftn(before)), (shape, kind))
                self.assertTrue(np.array_equal(argand.fft(x, axis=0), argand.fft(before, axis=0)), (shape, kind))
                self.assertTrue(np.array_equal(x, before))

    def test_two_axes(self):
        for name in ["fft2", "ifft2", "rfft2", "irfft2"]:
            given = X.real if name == "rfft2" else X
            self.same(getattr(argand, name)(given, (4, 9)), getattr(np.fft, name)(given, (4, 9)), 3e-15, name)

    def test_centred(self):
        for shape in [(5, 6), (8, 7, 3)]:
            x = RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)
            wanted = np.fft.fftshift(np.fft.fftn(np.fft.ifftshift(x)))
            self.same(argand.fftn(x, centred=True), wanted, 3e-15, shape)
            self.same(argand.ifftn(wanted, centred=True), x, 3e-15, shape)

    def test_types(self):
        for dtype, wanted in [("f4", "c8"), ("f8", "c16"), (">f4", "c8"), (">c16", "c16"), ("i4", "c16"), ("?", "c16"), ("f2", "c8"), ("u1", "c16")]:
            x = (X.real * 10).astype(dtype) if "c" not in dtype else X.astype(dtype)
            got = argand.fft(x)
            self.assertEqual(got.dtype, np.dtype(wanted), dtype)
            self.same(got, np.fft.fft(x.astype(np.complex128)).astype(wanted), 1e-6 if wanted == "c8" else 3e-15, dtype)
        self.same(argand.fft([1, 2, 3]), np.fft.fft([1, 2, 3]), 3e-15, "list")
        with self.assertRaises(TypeError):
            argand.fft(X.astype(np.clongdouble))
        with self.assertRaises(TypeError):
            argand.fft(np.array(["a"]))
        with self.assertRaises(TypeError):
            argand.rfft(X)

    def test_unaligned(self):
        raw = np.zeros(X.nbytes + 1, np.uint8)
        x = raw[1:].view(np.complex128).reshape(X.shape)
        x[...] = X
        self.same(argand.fftn(x), np.fft.fftn(X), 3e-15, "one byte off")
        fields = np.zeros(6, np.dtype([("a", "u1"), ("b", "c16")]))
        fields["b"] = np.arange(6)
        self.same(argand.fft(fields["b"]), np.fft.fft(np.arange(6)), 3e-15, "stride of 17 bytes")

    def test_empty_and_wrong(self):
        self.assertEqual(argand.fft(np.zeros((0, 4))).shape, (0, 4))
        for call in [
            lambda: argand.fft(np.zeros((4, 0))), lambda: argand.fft(X, 0), lambda: argand.fftn(X, axes=(1, 1)),
            lambda: argand.fftn(X, s=(1, 2), axes=(1,)), lambda: argand.fft(X, norm="odd"), lambda: argand.fft(X, axis=4),
            lambda: argand.irfft(np.zeros((3, 1))), lambda: argand.fft(X, -1), lambda: argand.rfft(X.real, -1),
        ]:  # fmt: skip
            self.assertRaises(ValueError, call)
        self.assertRaisesRegex(ValueError, "s has 3 lengths, and the array has 2 axes", argand.fftn, X[0, 0], (1, 2, 3))
        self.assertRaisesRegex(TypeError, "^axes: whole numbers are needed, not None", argand.fft, X, axis=None)
        self.assertRaisesRegex(TypeError, "fft and fftn take complex ones", argand.rfft, X)

    def test_nan_stays_in_its_line(self):
        x = X.copy()
        x[1, 2, 3, 4] = np.nan
        bad = np.isnan(argand.fft(x)).any(axis=-1)
        self.assertEqual(bad.sum(), 1)

    def test_input_is_not_written(self):
        for name in ["fftn", "ifftn", "irfftn"]:
            x = X.copy()
            getattr(argand, name)(x)
            self.assertTrue(np.array_equal(x, X))

    def test_out(self):
        out = np.empty((10, 7, 8, 9), np.complex128).transpose(3, 2, 1, 0)
        self.assertIs(argand.fftn(X, axes=(1,), out=out), out)
        self.same(out, np.fft.fftn(X, axes=(1,)), 3e-15, "out of another order")
        with self.assertRaises(ValueError):
            argand.fftn(X, out=np.empty((9, 8, 7, 11), np.complex128))
        with self.assertRaises(TypeError):
            argand.fftn(X, out=np.empty(X.shape, ">c16"))
        frozen = np.empty_like(X)
        frozen.flags.writeable = False
        with self.assertRaises(ValueError):
            argand.fftn(X, out=frozen)

    def test_many_axes(self):
        x = RNG.standard_normal((2,) * 12)
        self.same(argand.fftn(x, axes=(4, 5)), np.fft.fftn(x, axes=(4, 5)), 3e-15, "12 axes")

    def test_more_axes_than_a_plan_has(self):
        x = RNG.standard_normal((2, 3, 1, 2, 2, 1, 2, 2, 2, 3)) + 1j
        swapped = x.transpose(1, 0, 3, 2, 5, 4, 7, 6, 9, 8)[..., ::-1]
        some = (0, 3, -1, 6)
        for norm, axes in itertools.product((None, "ortho", "forward"), (None, some, (5,))):
            for name in ("fftn", "ifftn", "rfftn", "irfftn"):
                given = swapped.real if name == "rfftn" else swapped
                wanted = getattr(np.fft, name)(given, axes=axes, norm=norm)
                out = np.empty_like(wanted, order="F")
                got = getattr(argand, name)(given, axes=axes, norm=norm, out=out)
                self.assertIs(got, out)
                self.same(got, wanted, 3e-15, (name, axes, norm))
        shifted = np.fft.fftshift(np.fft.fftn(np.fft.ifftshift(x, some), axes=some), some)
        self.same(argand.fftn(np.asfortranarray(x), axes=some, centred=True), shifted, 3e-15, "centred")


if __name__ == "__main__":
    unittest.main()
