# SPDX-License-Identifier: BSD-3-Clause
"""Operators for SigPy: against matrices of exponentials, and SigPy's own programs with Argand behind them."""

import pickle
import unittest
import warnings

import argand
import numpy as np

try:
    import argand.sigpy
    import sigpy
    import sigpy.mri
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None

RNG = np.random.default_rng(9)
SHAPE, COILS = (9, 8), 3
K = RNG.uniform(-4, 4, (40, 2))
R = np.meshgrid(*[(np.arange(n) - n // 2) / n for n in SHAPE], indexing="ij")
MATRIX = np.exp(-2j * np.pi * sum(np.multiply.outer(K[:, i], R[i]) for i in (0, 1)))
SCALE = np.sqrt(np.prod(SHAPE))


def noise(*shape):
    return RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)


MAPS = noise(COILS, *SHAPE)


def error(got, wanted):
    return np.linalg.norm(np.ravel(got) - np.ravel(wanted)) / np.linalg.norm(wanted)


class Operators(unittest.TestCase):
    def test_pickle(self):
        x = noise(*SHAPE)
        for A in (argand.sigpy.NUFFT(SHAPE, K, toeplitz=True), argand.sigpy.Sense(MAPS, K), argand.sigpy.Sense(MAPS), argand.sigpy.FFT(SHAPE),
                  argand.sigpy.linop(argand.FFT(SHAPE))):  # fmt: skip
            again = pickle.loads(pickle.dumps(A))
            np.testing.assert_array_equal(again(x), A(x))
            np.testing.assert_array_equal(again.N(x), A.N(x))

    def test_nufft(self):
        x, y = noise(2, *SHAPE), noise(2, 40)
        for A in (argand.sigpy.NUFFT((2, *SHAPE), K), argand.sigpy.NUFFTAdjoint((2, *SHAPE), K).H, argand.sigpy.NUFFT((2, *SHAPE), K, toeplitz=True)):
            self.assertIsInstance(A, sigpy.linop.Linop)
            self.assertLess(error(A(x), np.einsum("kyx,byx->bk", MATRIX, x) / SCALE), 1e-8)
            self.assertLess(error(A.H(y), np.einsum("kyx,bk->byx", MATRIX.conj(), y) / SCALE), 1e-8)
            self.assertLess(error(A.N(x), A.H(A(x))), 1e-6)
            self.assertEqual(A(x.astype(np.complex64)).dtype, np.complex64)
            self.assertIs(A.H.H.H._made, A._made)
        self.assertLess(error(argand.sigpy.nufft(x, K), sigpy.nufft(x, K, oversamp=2, width=8)), 1e-5)
        self.assertLess(error(argand.sigpy.nufft_adjoint(y, K, x.shape), sigpy.nufft_adjoint(y, K, x.shape, oversamp=2, width=8)), 1e-5)

    def test_sense(self):
        x, y = noise(*SHAPE), noise(COILS, 40)
        A = argand.sigpy.Sense(MAPS, K)
        self.assertLess(error(A(x), np.einsum("kyx,cyx->ck", MATRIX, MAPS * x) / SCALE), 1e-8)
        self.assertLess(error(A.H(y), np.einsum("kyx,cyx,ck->yx", MATRIX.conj(), MAPS.conj(), y) / SCALE), 1e-8)
        theirs = sigpy.mri.linop.Sense(MAPS)
        self.assertLess(error(argand.sigpy.Sense(MAPS)(x), theirs(x)), 1e-12)
        self.assertLess(error(argand.sigpy.Sense(MAPS).H(theirs(x)), theirs.H(theirs(x))), 1e-12)
        times, field = np.linspace(0, 0.01, 40), RNG.standard_normal(SHAPE) * 300
        B = argand.sigpy.Sense(MAPS, K, field_map=field, times=times, segment_tolerance=1e-6)
        matrix = MATRIX * np.exp(-1j * times[:, None, None] * field)
        self.assertLess(error(B(x), np.einsum("kyx,cyx->ck", matrix, MAPS * x) / SCALE), 1e-4)
        with self.assertRaisesRegex(ValueError, "field_map needs coord, and the times"):
            argand.sigpy.Sense(MAPS, K, field_map=field)

    def test_fft_and_others(self):
        x = noise(2, *SHAPE)
        for axes, center in [((1, 2), True), ((-1, -2), False), ((0, 1), True), (None, True)]:
            self.assertLess(error(argand.sigpy.FFT(x.shape, axes, center)(x), sigpy.linop.FFT(x.shape, axes, center)(x)), 1e-12)
            self.assertLess(error(argand.sigpy.ifft(x, axes=axes, center=center), sigpy.ifft(x, axes=axes, center=center)), 1e-12)
        self.assertLess(error(argand.sigpy.fft(x, (2, 12, 6), norm=None), sigpy.fft(x, (2, 12, 6), norm=None)), 1e-12)
        op = argand.Diagonal(MAPS)
        self.assertLess(error((2 * argand.sigpy.linop(op).H)(MAPS), 2 * MAPS.conj() * MAPS), 1e-12)

    def test_their_program(self):
        """SigPy's SENSE reconstruction, in which Argand computes, comes to the image."""
        image, maps = argand.phantom((24, 24)), argand.birdcage((4, 24, 24))
        k = RNG.uniform(-12, 12, (1200, 2))
        own = sigpy.linop.NUFFT
        with argand.sigpy.behind(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data = sigpy.mri.linop.Sense(maps, k)(image + 0j)
            found = sigpy.mri.app.SenseRecon(data, maps, coord=k, max_iter=60, show_pbar=False).run()
        self.assertLess(error(found, image), 0.05)
        self.assertIs(sigpy.linop.NUFFT, own)


if __name__ == "__main__":
    unittest.main()
