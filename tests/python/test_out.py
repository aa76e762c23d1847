# SPDX-License-Identifier: BSD-3-Clause
"""Results in a caller's own array, of any kind of memory, and inputs that are no arrays yet."""

import tempfile
import types
import unittest

import argand
import numpy as np
from argand import _arrays

N = 6
RNG = np.random.default_rng(1)
REAL = RNG.standard_normal((N, N))
COMPLEX = REAL + 1j * RNG.standard_normal((N, N))
FROM_REAL = ("rfft", "rfftn", "ihfft")
NAMES = ("fft", "ifft", "fftn", "ifftn", "irfft", "irfftn", "hfft", *FROM_REAL)


def outputs(shape, dtype):
    """Arrays of that shape and type, each of another kind of memory."""
    wide = np.zeros((2 * shape[0], 3 * shape[1]), dtype)
    size = np.dtype(dtype).itemsize
    return {
        "plain": np.zeros(shape, dtype),
        "steps": wide[::2, ::3],
        "reversed": np.zeros(shape, dtype)[::-1, ::-1],
        "Fortran": np.zeros(shape, dtype, "F"),
        "unaligned": np.zeros(shape[0] * shape[1] * size + 1, np.uint8)[1:].view(dtype).reshape(shape),
        "field of records": np.zeros(shape, [("v", dtype), ("w", np.float64)])["v"],
        "field of packed records": np.zeros(shape, [("w", np.uint8), ("v", dtype)])["v"],
        "matrix": np.asmatrix(np.zeros(shape, dtype)),
        "mask that hides nothing": np.ma.masked_array(np.zeros(shape, dtype)),
    }


class Out(unittest.TestCase):
    def reached(self, call, wanted, what):
        for kind, out in outputs(wanted.shape, wanted.dtype).items():
            self.assertIs(call(out), out, (what, kind))
            np.testing.assert_allclose(np.asarray(out), wanted, rtol=0, atol=1e-12, err_msg=f"{what}, {kind}")

    def test_overlapping_input(self):
        """Elements that a result would overwrite before they are read: refused with the remedy, which serves."""
        memory = np.concatenate([COMPLEX, COMPLEX[:1]])
        for x, out in [(memory[:N], memory[1:]), (memory[:N], memory[:N].T)]:
            wanted = np.fft.fft2(x)
            with self.assertRaisesRegex(argand.errors.ArgumentError, "give a copy of the input"):
                argand.fft2(x, out=out)
            argand.fft2(x.copy(), out=out)
            np.testing.assert_allclose(out, wanted, rtol=0, atol=1e-12)

    def test_transforms(self):
        for name in NAMES:
            x = REAL if name in FROM_REAL else COMPLEX
            wanted = getattr(np.fft, name)(x)
            self.reached(lambda out, name=name, x=x: getattr(argand.fft, name)(x, out=out), wanted, name)

    def test_transforms_without_numpys_name(self):
        half = np.conj(np.fft.rfftn(REAL)) / N**2
        self.reached(lambda out: argand._fft.ihfftn(REAL, out=out), half, "ihfftn")
        self.reached(lambda out: argand._fft.hfftn(half, out=out), REAL, "hfftn")
        self.reached(lambda out: argand.fftn(COMPLEX, axes=(), out=out), COMPLEX, "no axes")

    def test_operators(self):
        op = argand.FFT((N, N))
        self.reached(lambda out: op(COMPLEX, out=out), np.fft.fftn(COMPLEX), "FFT")
        self.reached(lambda out: op.adjoint(COMPLEX[::-1], out=out), N**2 * np.fft.ifftn(COMPLEX[::-1]), "adjoint")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            out = np.memmap(f"{folder}/out", np.complex128, "w+", shape=(N, N // 2 + 1))
            self.assertIs(argand.fft.ihfft(REAL, out=out), out)
            np.testing.assert_allclose(out, np.fft.ihfft(REAL), rtol=0, atol=1e-14)

    def test_refusals(self):
        fixed = np.zeros((N, N), complex)
        fixed.flags.writeable = False
        hidden = np.ma.masked_array(np.zeros((N, N), complex), mask=np.eye(N) == 1)
        for kind, pattern, out in [
            (TypeError, "^out must be an array that can be written to, not a list", [[0j] * N] * N),
            (TypeError, "^out has the type >c16, but must have complex128 in the machine's byte order", np.zeros((N, N), ">c16")),
            (ValueError, "^out is read-only", fixed),
            (ValueError, "^out is a masked array that hides elements", hidden),
            (ValueError, "^out has shape \\(6, 6\\) of complex64, and", np.zeros((N, N), np.complex64)),
            (ValueError, "^out has shape \\(6, 5\\) of complex128, and", np.zeros((N, N - 1), complex)),
        ]:
            for call in (argand.fft.fftn, argand.FFT((N, N))):
                with self.assertRaisesRegex(kind, pattern):
                    call(COMPLEX, out=out)


    def test_elsewhere(self):
        there = types.SimpleNamespace(space=types.SimpleNamespace(is_host=False))
        with self.assertRaisesRegex(ValueError, "^out and the input are not both in the host's memory or both on the GPU"):
            _arrays.check_out(np.zeros(3), (3,), np.dtype(np.float64), there)


class Likes(unittest.TestCase):
    """What NumPy makes an array of is computed; what hides elements in a list is refused as an array is."""

    POINTS = RNG.uniform(-3, 3, (7, 2))
    CALLS = [
        argand.Transform((N, N)), argand.Transform((N, N), load=[2]), argand.FFT((N, N)), argand.fftn, argand.fft.hfft,
        argand.Convolution((N, N), np.ones((3, 3))), lambda x: argand.nufft2(x, Likes.POINTS),
        lambda x: argand.gridding(np.ones((1, N * N)), argand.trajectory.cartesian((N, N))[0].reshape(-1, 2), x, (N, N)),
    ]  # fmt: skip

    def test_likes(self):
        rows = np.ascontiguousarray(REAL)
        kinds = [rows.tolist(), tuple(map(tuple, rows.tolist())), list(rows), memoryview(rows), np.ma.masked_array(rows), np.asmatrix(rows)]
        for call in self.CALLS:
            wanted = call(rows if call is not self.CALLS[-1] else rows.reshape(-1))
            for kind in kinds:
                np.testing.assert_allclose(call(kind), wanted, rtol=0, atol=1e-12)

    def test_hidden(self):
        row = np.ma.masked_array(REAL[0], mask=REAL[0] == REAL[0, 0])
        for call in self.CALLS:
            for kind in ([row] * N, [[row] * N], np.ma.masked_array(REAL, mask=REAL == REAL[0, 0])):
                with self.assertRaisesRegex(ValueError, "^a masked array hides elements"):
                    call(kind)

    def test_no_numbers(self):
        for call in self.CALLS:
            for kind in (REAL.astype(object), {}, (x for x in "ab"), None, "abc", np.zeros((N, N), "M8[s]"), [[1, None]]):
                with self.assertRaises(TypeError):
                    call(kind)

    def test_pictures(self):
        for kind in ({}, None, "ab", np.zeros((N, N), object), np.ma.masked_array(REAL, mask=REAL == REAL[0, 0])):
            with tempfile.TemporaryDirectory() as folder, self.assertRaises((TypeError, ValueError)):
                argand.write_png(f"{folder}/a.png", kind)


if __name__ == "__main__":
    unittest.main()
