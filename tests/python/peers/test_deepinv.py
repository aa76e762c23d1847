# SPDX-License-Identifier: BSD-3-Clause
"""The physics for deepinv: against matrices of exponentials, with coils, in volumes, with a field; deepinv_suite.py has deepinv's own tests."""

import unittest

import argand
import numpy as np

try:
    import argand.deepinv
    import torch
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None

RNG = np.random.default_rng(4)
COILS, COUNT = 3, 30


def noise(*shape):
    return torch.as_tensor(RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape))


def pair(x):
    """Complex (B, ...) as deepinv has it, (B, 2, ...)."""
    return torch.stack([x.real, x.imag], dim=1)


class Physics(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def check(self, shape, with_field):
        points, maps = RNG.uniform(-2, 2, (COUNT, len(shape))), noise(COILS, *shape)
        r = np.meshgrid(*[(np.arange(n) - n // 2) / n for n in shape], indexing="ij")
        matrix = np.exp(-2j * np.pi * sum(np.multiply.outer(points[:, i], r[i]) for i in range(len(shape))))
        field = {}
        if with_field:
            times, w = np.linspace(0, 0.01, COUNT), RNG.standard_normal(shape) * 300
            matrix = matrix * np.exp(-1j * times.reshape(-1, *[1] * len(shape)) * w)
            field = {"times": times, "field_map": w, "segment_tolerance": 1e-6}
        physics = argand.deepinv.NonCartesianMRI(shape, points, maps, tolerance=1e-9, **field)
        matrix = torch.as_tensor(matrix.reshape(COUNT, -1)) / np.sqrt(np.prod(shape) * 2 ** len(shape))
        x, y = noise(2, *shape), noise(2, COILS, COUNT)
        wanted = torch.einsum("kn,cn,bn->bck", matrix, maps.reshape(COILS, -1), x.reshape(2, -1))
        torch.testing.assert_close(physics.A(pair(x)), pair(wanted), rtol=1e-5, atol=1e-5)
        back = torch.einsum("kn,cn,bck->bn", matrix.conj(), maps.conj().reshape(COILS, -1), y).reshape(2, *shape)
        torch.testing.assert_close(physics.A_adjoint(pair(y)), pair(back), rtol=1e-5, atol=1e-5)
        self.assertLess(physics.adjointness_test(pair(x)), 1e-4)
        return physics

    def test_images_and_volumes_with_and_without_a_field(self):
        for shape in ((6, 5), (4, 5, 6)):
            for with_field in (False, True):
                self.check(shape, with_field)

    def test_least_squares_and_gradients(self):
        shape = (8, 8)
        points, maps = RNG.uniform(-4, 4, (300, 2)), noise(COILS, *shape)
        physics = argand.deepinv.NonCartesianMRI(shape, points, maps, normalize=True, density=np.ones(300))
        x = pair(noise(1, *shape))
        found = physics.A_dagger(physics.A(x), max_iter=200, tol=1e-8)
        self.assertLess((found - x).norm() / x.norm(), 1e-2)
        torch.testing.assert_close(physics.A_dagger(physics.A(x), density_compensate=True), physics.A_adjoint(physics.A(x)) * physics.operator_norm**2)
        given = x.clone().requires_grad_()
        physics.A(given).square().sum().backward()
        torch.testing.assert_close(given.grad, 2 * physics.A_adjoint(physics.A(x)), rtol=1e-4, atol=1e-4)

    def test_refused(self):
        for pattern, call in [
            ("field_map and times go together", lambda: argand.deepinv.NonCartesianMRI((8, 8), np.zeros((3, 2)), times=np.zeros(3))),
            ("img_size is", lambda: argand.deepinv.NonCartesianMRI((8,), np.zeros((3, 1)))),
            ("needs the weights of the samples", lambda: argand.deepinv.NonCartesianMRI((8, 8), np.zeros((3, 2))).A_dagger(torch.zeros(1, 2, 1, 3), True)),
        ]:  # fmt: skip
            with self.assertRaisesRegex(ValueError, pattern):
                call()


if __name__ == "__main__":
    unittest.main()
