# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch: memory is shared, gradients are those of finite differences in double, an unrolled reconstruction learns."""

import unittest

import argand
import numpy as np

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None

import argand.torch

torch.manual_seed(1)
SHAPE = (6, 5)


def noise(*shape):
    return torch.randn(*shape, dtype=torch.complex128)


def points(count=7):
    return (torch.rand(count, 2, dtype=torch.float64) - 0.5) * torch.tensor(SHAPE)


class Tensors(unittest.TestCase):
    def test_functions_take_and_give_tensors(self):
        x = noise(3, 8)
        got = argand.fft(x)
        self.assertIsInstance(got, torch.Tensor)
        torch.testing.assert_close(got, torch.fft.fft(x))
        torch.testing.assert_close(argand.irfftn(argand.rfftn(x.real, axes=(0, 1)), axes=(0, 1)), x.real)
        torch.testing.assert_close(argand.fft(x.T, axis=0), torch.fft.fft(x.T, dim=0))
        torch.testing.assert_close(argand.fft(x.conj()), torch.fft.fft(x.conj()))
        self.assertEqual(argand.fft(x.to(torch.complex64)).dtype, torch.complex64)
        op = argand.NUFFT(points(), SHAPE, (2,))
        self.assertEqual(tuple(op(noise(2, *SHAPE)).shape), (2, 7))
        torch.testing.assert_close(argand.solve(argand.FFT((8,)), argand.fft(x[0])), x[0])

    def test_no_copies(self):
        x, out = noise(16), noise(16)
        self.assertIs(argand.fft(x, out=out), out)
        torch.testing.assert_close(out, torch.fft.fft(x))
        self.assertEqual(argand._arrays.operand(x).pointer, x.data_ptr())

    def test_gradients_are_not_dropped_in_silence(self):
        with self.assertRaisesRegex(TypeError, "argand.torch"):
            argand.fft(noise(4).requires_grad_())


class Gradients(unittest.TestCase):
    nondet = 0.0

    def check(self, function, *arguments):
        self.assertTrue(torch.autograd.gradcheck(function, arguments, eps=1e-6, atol=1e-5, nondet_tol=self.nondet))

    def test_data_maps_and_points(self):
        image, maps, k = noise(*SHAPE).requires_grad_(), noise(2, *SHAPE).requires_grad_(), points().requires_grad_()
        self.check(lambda m, s, p: argand.torch.nufft(m * s, p, 1e-12), image, maps, k)
        real = torch.randn(*SHAPE, dtype=torch.float64, requires_grad=True)
        self.check(lambda m: argand.torch.nufft(m, k.detach(), 1e-12), real)

    def test_adjoint(self):
        samples, k = noise(2, 7).requires_grad_(), points().requires_grad_()
        self.check(lambda s, p: argand.torch.nufft_adjoint(s, p, SHAPE, 1e-12), samples, k)

    def test_field_map(self):
        image, k, times = noise(2, *SHAPE).requires_grad_(), points(), torch.rand(7, dtype=torch.float64)
        field = torch.randn(*SHAPE, dtype=torch.float64, requires_grad=True)
        self.check(lambda m, w: argand.torch.field_dft(m, w, k, times), image, field)

    def test_operators(self):
        maps = argand.birdcage((3, *SHAPE))
        op = argand.SENSE(argand.NUFFT(points(), SHAPE, (3,)), maps)
        self.check(lambda x: argand.torch.apply(op, x), noise(*SHAPE).requires_grad_())
        self.check(lambda y: argand.torch.apply(op.adjoint, y), noise(3, 7).requires_grad_())

    def test_points_are_optimised(self):
        """Positions that were moved come back by gradient descent on the data."""
        true, image = points(40), noise(8, *SHAPE)
        wanted = argand.nufft2(image, true)
        k = (true + 0.02 * torch.randn_like(true)).requires_grad_()
        before = (k - true).norm().item()
        optimiser = torch.optim.LBFGS([k], max_iter=60, line_search_fn="strong_wolfe")

        def loss():
            optimiser.zero_grad()
            value = (argand.torch.nufft(image, k) - wanted).abs().square().sum()
            value.backward()
            return value

        optimiser.step(loss)
        self.assertLess((k - true).norm().item(), before / 100)

    def test_an_unrolled_reconstruction_of_ten_lines(self):
        n = 24
        image = torch.tensor(argand.phantom((n, n)), dtype=torch.complex64)
        maps = argand.birdcage((4, n, n), np.complex64)
        k, _ = argand.trajectory.radial((n, n), spokes=16)
        op = argand.SENSE(argand.NUFFT(torch.tensor(k), (n, n), (4,), dtype=np.complex64), maps)
        data = op(image)
        steps = torch.full((6,), 1e-5, requires_grad=True)
        optimiser = torch.optim.Adam([steps], lr=2e-5)
        losses = []
        for _ in range(15):
            x = torch.zeros_like(image)
            for step in steps:
                x = x - step * argand.torch.apply(op.adjoint, argand.torch.apply(op, x) - data)
            losses.append((x - image).abs().square().sum())
            optimiser.zero_grad()
            losses[-1].backward()
            optimiser.step()
        self.assertLess(losses[-1].item(), losses[0].item() / 2)


@unittest.skipUnless(torch.cuda.is_available(), "PyTorch has no CUDA device")
class GradientsOnCuda(Gradients):
    """The same with every tensor on the GPU; sums by atomic operations differ in the last bits."""

    nondet = 1e-10

    def setUp(self):
        torch.set_default_device("cuda")
        self.addCleanup(torch.set_default_device, None)


if __name__ == "__main__":
    unittest.main()
