# SPDX-License-Identifier: BSD-3-Clause
"""The operator for mri-nufft against the matrix that it stands for, and the sign of the field by the shift of a picture."""

import unittest
import warnings

import argand
import numpy as np

try:
    import argand.mrinufft
    import mrinufft
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None

warnings.filterwarnings("ignore", "Samples will be rescaled")
RNG = np.random.default_rng(8)
SHAPE = (9, 8)
K = RNG.uniform(-0.5, 0.5, (60, 2))
R = np.meshgrid(*[np.arange(n) - n // 2 for n in SHAPE], indexing="ij")
MATRIX = np.exp(-2j * np.pi * sum(np.multiply.outer(K[:, i], R[i]) for i in (0, 1)))
SCALE = np.sqrt(np.prod(SHAPE) * 4)  # mri-nufft's normalisation
MAPS = RNG.standard_normal((3, *SHAPE)) + 1j * RNG.standard_normal((3, *SHAPE))


def noise(*shape):
    return RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)


def error(got, wanted):
    return np.linalg.norm(np.ravel(got) - np.ravel(wanted)) / np.linalg.norm(wanted)


class Operator(unittest.TestCase):
    def make(self, **options):
        return mrinufft.get_operator("argand")(K, SHAPE, eps=1e-9, **options)

    def test_coils_and_batches(self):
        image = noise(2, 1, *SHAPE)
        wanted = np.einsum("kyx,cyx,byx->bck", MATRIX, MAPS, image[:, 0]) / SCALE
        op = self.make(n_coils=3, n_batchs=2, smaps=MAPS)
        self.assertLess(error(op.op(image), wanted), 1e-8)
        back = np.einsum("kyx,cyx,bck->byx", MATRIX.conj(), MAPS.conj(), wanted) / SCALE
        self.assertLess(error(op.adj_op(wanted), back), 1e-8)
        self.assertLess(error(op.gram_op(image), back), 1e-5)
        self.assertLess(error(op.data_consistency(image, 0.5 * wanted), 0.5 * back), 1e-7)
        coils = self.make(n_coils=3)
        data = noise(3, *SHAPE)
        self.assertLess(error(coils.op(data), np.einsum("kyx,cyx->ck", MATRIX, data) / SCALE), 1e-8)

    def test_density_and_largest_eigenvalue(self):
        density = RNG.uniform(0.5, 1, 60)
        op = self.make(density=density)
        samples = noise(60)
        self.assertLess(error(op.adj_op(samples), np.einsum("kyx,k->yx", MATRIX.conj(), density * samples) / SCALE), 1e-8)
        flat = MATRIX.reshape(60, -1) / SCALE
        largest = np.linalg.eigvalsh(flat.conj().T @ (density[:, None] * flat)).max()
        self.assertLess(abs(op.get_lipschitz_cst(60) / largest - 1), 0.02)
        self.assertEqual(self.make(density=True).density.shape, (60,))

    def test_other_samples(self):
        op = self.make()
        op.update_samples(K[:40].copy())
        image = noise(*SHAPE)
        self.assertLess(error(op.op(image), np.einsum("kyx,yx->k", MATRIX[:40], image) / SCALE), 1e-8)

    def test_field_of_both_signs(self):
        """Against the exact exponential: shots of one readout time, decay, coils; mri-nufft's sign and the physics'."""
        times, field = np.linspace(0.001, 0.02, 20), argand.head_field(SHAPE, field_range_hz=60) / (2 * np.pi)
        decay, image = RNG.uniform(0, 20, SHAPE), noise(*SHAPE)
        t = np.tile(times, 3)[:, None, None]
        for sign in (1, -1):
            matrix = MATRIX * np.exp(sign * 2j * np.pi * field * t - decay * t)
            wanted = np.einsum("kyx,cyx,yx->ck", matrix, MAPS, image) / SCALE
            op = self.make(n_coils=3, smaps=MAPS).with_off_resonance_correction(times, field, decay, sign=sign, tolerance=1e-6)
            self.assertLess(error(op.op(image), wanted), 1e-5, sign)
            back = np.einsum("kyx,cyx,ck->yx", matrix.conj(), MAPS.conj(), wanted) / SCALE
            self.assertLess(error(op.adj_op(wanted), back), 1e-5, sign)
            self.assertLess(error(op.gram_op(image), back), 1e-4, sign)

    def test_pixels_outside_of_the_mask(self):
        """They are transformed with the field that they have, or the nearest inside: a mask says where a map is good, not where the object is."""
        times, image = np.linspace(0.001, 0.02, 60), noise(*SHAPE)
        field = argand.head_field(SHAPE, field_range_hz=60 / (2 * np.pi))
        mask = np.zeros(SHAPE)
        mask[2:7, 2:6] = 1
        mask[np.unravel_index([field.argmax(), field.argmin()], SHAPE)] = 1
        wild = np.where(mask != 0, field, np.where(np.arange(8) % 2, 1e6, np.nan))
        near = np.where(mask != 0, field, np.where(np.arange(8) % 2, field.max(), np.clip(0, field.min(), field.max())))
        for given, used in ((field, field), (wild, near)):
            wanted = np.einsum("kyx,yx->k", MATRIX * np.exp(2j * np.pi * used * times[:, None, None]), image) / SCALE
            op = self.make().with_off_resonance_correction(times, given, mask=mask, tolerance=1e-6)
            self.assertLess(error(op.op(image), wanted), 1e-5)

    def test_a_constant_field_moves_the_picture(self):
        """A line of k-space read in T seconds: f Hz move the picture by f T pixels, towards +x where exp(-2 pi i f t) is the model
        of the signal (docs/conventions.md), towards -x where it is mri-nufft's exp(+2 pi i f t)."""
        n, readout, hertz = 16, 0.05, 60.0  # three pixels
        axis = (np.arange(n) - n // 2) / n
        k = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)  # the second axis is read
        times = np.tile(axis * readout, n)
        image = np.zeros((n, n))
        image[5, 7] = 1
        for sign, moved in ((-1, 10), (1, 4)):
            op = mrinufft.get_operator("argand")(k, (n, n), eps=1e-9)
            signal = op.with_off_resonance_correction(times, np.full((n, n), hertz), sign=sign).op(image)
            uncorrected = np.abs(op.adj_op(signal))
            self.assertEqual(np.unravel_index(uncorrected.argmax(), uncorrected.shape), (5, moved), sign)
        theirs = mrinufft.operators.base.FourierOperatorBase.with_off_resonance_correction
        loop = theirs(mrinufft.get_operator("argand")(k.astype("f4"), (n, n)), times.astype("f4"), np.full((n, n), hertz, "f4"))
        uncorrected = np.abs(op.adj_op(loop.op(image.astype("c8"))))
        self.assertEqual(np.unravel_index(uncorrected.argmax(), uncorrected.shape), (5, 4), "mri-nufft's own loop")


if __name__ == "__main__":
    unittest.main()
