# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch: memory is shared, gradients are those of finite differences in double, an unrolled reconstruction learns."""

import unittest

import argand
import numpy as np

try:
    import torch

    if not hasattr(torch.autograd.Function, "setup_context"):
        raise ImportError(f"gradients need PyTorch 2.0, this is {torch.__version__}")
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

    def test_what_tensors_say_themselves(self):
        """Of memory on a GPU, which is described without __cuda_array_interface__; the same words serve the host's."""
        from argand._spaces import TorchOperand

        for x in [noise(3, 4), noise(3, 4).T, noise(6, 4)[::2, 1:], noise(3, 4).real, noise(2).to(torch.complex64)]:
            seen, array = TorchOperand(x, None), x.numpy()
            self.assertEqual((seen.shape, seen.dtype), (array.shape, array.dtype))
            self.assertEqual(seen.strides, tuple(s // array.itemsize for s in array.strides))
            self.assertEqual(seen.pointer, array.ctypes.data)

    def test_gradients_are_not_dropped_in_silence(self):
        with self.assertRaisesRegex(TypeError, "argand.torch"):
            argand.fft(noise(4).requires_grad_())


class Given(unittest.TestCase):
    """What users bring: other types, arrays, batches; what cannot be differentiated is refused."""

    def test_other_types_are_widened(self):
        for name, wanted in [("float16", "complex64"), ("bfloat16", "complex64"), ("int32", "complex128"), ("complex32", "complex64")]:
            x = torch.arange(30).reshape(SHAPE).to(getattr(torch, name))
            plain = x.to(torch.complex128)
            for got, like in [(argand.fftn(x), torch.fft.fftn(plain)), (argand.torch.nufft(x, points()), None)]:
                self.assertEqual(got.dtype, getattr(torch, wanted), name)
                if like is not None:
                    torch.testing.assert_close(got, like.to(got.dtype), rtol=1e-5, atol=1e-4)

    def test_arrays_for_points_and_maps(self):
        image, k, times, field = noise(*SHAPE), points(), torch.rand(7, dtype=torch.float64), torch.randn(*SHAPE, dtype=torch.float64)
        torch.testing.assert_close(argand.torch.nufft(image, k.numpy()), argand.torch.nufft(image, k))
        torch.testing.assert_close(
            argand.torch.field_dft(image, field.numpy(), k.numpy(), times.numpy()), argand.torch.field_dft(image, field, k, times)
        )
        self.assertEqual(argand.torch.nufft_adjoint(noise(7), k[:, 0], 8).shape, (8,))

    def test_refused(self):
        wanted, k, field = torch.rand(7, requires_grad=True), points(), torch.randn(*SHAPE, dtype=torch.float64)
        for kind, pattern, call in [
            (ValueError, r"samples have the shape \(..., 7\), not \(6,\)", lambda: argand.torch.nufft_adjoint(noise(6), k, SHAPE)),
            (ValueError, "do not go together", lambda: argand.torch.nufft(noise(6), k)),
            (ValueError, r"image has the shape \(..., 6, 5\)", lambda: argand.torch.field_dft(noise(5, 6), field, k, wanted.detach())),
            (TypeError, "^there is no gradient by times here", lambda: argand.torch.field_dft(noise(*SHAPE), field, k, wanted)),
            (TypeError, "^there is no gradient by points here",
             lambda: argand.torch.field_dft(noise(*SHAPE), field, k.clone().requires_grad_(), wanted.detach())),
            (TypeError, "^image is a torch.Tensor here", lambda: argand.torch.nufft(noise(*SHAPE).numpy(), k)),
            (NotImplementedError, "not over points", lambda: torch.vmap(argand.torch.nufft, (None, 0))(noise(*SHAPE), k[None])),
        ]:  # fmt: skip
            with self.assertRaisesRegex(kind, pattern):
                call()

    def test_vmap_and_forward_mode(self):
        x, k = noise(3, *SHAPE), points()
        op = argand.NUFFT(k, SHAPE)
        for function in (lambda m: argand.torch.nufft(m, k), lambda m: argand.torch.apply(op, m)):
            torch.testing.assert_close(torch.vmap(function)(x), argand.torch.nufft(x, k))
            torch.testing.assert_close(torch.vmap(function, 1, 1)(x.movedim(0, 1)), argand.torch.nufft(x, k).T)
            torch.testing.assert_close(torch.func.jvp(function, (x[0],), (x[1],))[1], argand.torch.nufft(x[1], k))
        real = x[0].real.clone()
        jacobian = torch.func.jacrev(lambda p: argand.torch.nufft(real, p).real)(k)
        wanted = torch.autograd.functional.jacobian(lambda p: argand.torch.nufft(real, p).real, k)
        torch.testing.assert_close(jacobian, wanted)


    def test_compiled(self):
        """One graph, without a break; test_torch_compile.py has more."""
        if not hasattr(torch.library, "register_vmap"):
            self.skipTest("PyTorch before 2.5 has no operators of one's own")
        op, x = argand.SENSE(argand.NUFFT(points(), SHAPE, (3,)), argand.birdcage((3, *SHAPE))), noise(*SHAPE)

        def loss(m):
            return argand.torch.apply(op, argand.torch.fftn(m)).abs().square().sum()

        compiled = torch.compile(loss, fullgraph=True, backend="aot_eager")
        torch.testing.assert_close(*[torch.func.grad(loss)(x), torch.autograd.grad(compiled(x.requires_grad_()), x)[0]])

    def test_fft(self):
        x = noise(3, 4, 5)
        for axes, norm in [(None, None), (1, "ortho"), ((0, -1), "forward")]:
            dims = (axes,) if isinstance(axes, int) else axes
            torch.testing.assert_close(argand.torch.fftn(x, axes, norm), torch.fft.fftn(x, dim=dims, norm=norm))
            torch.testing.assert_close(argand.torch.ifftn(x, axes, norm), torch.fft.ifftn(x, dim=dims, norm=norm))
            torch.testing.assert_close(torch.vmap(lambda m: argand.torch.fftn(m, 0, norm), 1)(x), torch.fft.fft(x, dim=0, norm=norm).movedim(1, 0))  # noqa: B023
        with self.assertRaisesRegex(ValueError, 'norm is "backward", "ortho" or "forward"'):
            argand.torch.fftn(x, norm="none")


class Gradients(unittest.TestCase):
    nondet = 0.0

    def check(self, function, *arguments):
        self.assertTrue(torch.autograd.gradcheck(function, arguments, eps=1e-6, atol=1e-5, nondet_tol=self.nondet))

    def test_data_maps_and_points(self):
        image, maps, k = noise(*SHAPE).requires_grad_(), noise(2, *SHAPE).requires_grad_(), points().requires_grad_()
        self.check(lambda m, s, p: argand.torch.nufft(m * s, p, 1e-12), image, maps, k)
        real = torch.randn(*SHAPE, dtype=torch.float64, requires_grad=True)
        self.check(lambda m: argand.torch.nufft(m, k.detach(), 1e-12), real)

    def test_fft_both_ways(self):
        for norm in ("backward", "ortho", "forward"):
            for function in (argand.torch.fftn, argand.torch.ifftn):
                self.check(lambda m: function(m, -1, norm, centred=True), noise(*SHAPE).requires_grad_())  # noqa: B023
                self.check(lambda m: function(m, norm=norm), torch.randn(2, 3, dtype=torch.float64, requires_grad=True))  # noqa: B023
        self.assertTrue(torch.autograd.gradgradcheck(lambda m: argand.torch.fftn(m).abs().square(), noise(2, 3).requires_grad_()))

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

    def test_second_derivatives(self):
        """By the image and the data; those by the points and the field map are refused, not zero."""
        image, samples, k, times = noise(*SHAPE).requires_grad_(), noise(7).requires_grad_(), points(), torch.rand(7, dtype=torch.float64)
        op, field = argand.NUFFT(k, SHAPE), torch.randn(*SHAPE, dtype=torch.float64)
        for function, x in [
            (lambda m: argand.torch.nufft(m, k, 1e-12).abs().square(), image), (lambda m: argand.torch.apply(op, m).abs().square(), image),
            (lambda s: argand.torch.nufft_adjoint(s, k, SHAPE, 1e-12).abs().square(), samples),
            (lambda m: argand.torch.field_dft(m, field, k, times).abs().square(), image),
        ]:  # fmt: skip
            self.assertTrue(torch.autograd.gradgradcheck(function, (x,), eps=1e-6, atol=1e-4, nondet_tol=self.nondet))
        moved, changed = k.clone().requires_grad_(), field.clone().requires_grad_()
        for loss, x in [(argand.torch.nufft(image, moved), moved), (argand.torch.field_dft(image, changed, k, times), changed)]:
            (first,) = torch.autograd.grad(loss.abs().square().sum(), x, create_graph=True)
            with self.assertRaisesRegex(NotImplementedError, "no second derivatives by the"):
                first.square().sum().backward()

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
