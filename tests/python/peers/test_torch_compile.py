# SPDX-License-Identifier: BSD-3-Clause
"""torch.compile without a break of the graph: the values and gradients of the functions that are not compiled, and PyTorch's own checks of
operators."""

import unittest

import argand
import numpy as np

try:
    import torch

    if not hasattr(torch.library, "register_vmap"):
        raise ImportError(f"torch.compile needs PyTorch 2.5, this is {torch.__version__}")
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None

import argand.torch
from argand.torch import _compiled

torch.manual_seed(1)
SHAPE = (6, 5)
BACKENDS = ["aot_eager", "inductor"]  # the first generates no code


def noise(*shape):
    return torch.randn(*shape, dtype=torch.complex128)


K = (torch.rand(7, 2, dtype=torch.float64) - 0.5) * torch.tensor(SHAPE)
A = argand.SENSE(argand.NUFFT(K, SHAPE, (3,)), noise(3, *SHAPE))


def compiled(function, backend="aot_eager", **options):
    torch._dynamo.reset()
    return torch.compile(function, fullgraph=True, backend=backend, **options)


CASES = [
    (lambda x: argand.torch.apply(A, x), noise(*SHAPE)), (lambda x: argand.torch.apply(A.adjoint, argand.torch.apply(A, x)), noise(*SHAPE)),
    (lambda x: argand.torch.apply(A, x), torch.randn(*SHAPE, dtype=torch.float64)),
    (argand.torch.nufft, noise(2, *SHAPE), K), (argand.torch.nufft, torch.randn(*SHAPE, dtype=torch.float64), K),
    (lambda y, k: argand.torch.nufft_adjoint(y, k, SHAPE), noise(7), K), (lambda y, k: argand.torch.nufft_adjoint(y, k, 8), noise(7), K[:, 0]),
    (lambda x: argand.torch.fftn(argand.torch.ifftn(x, 0, "ortho"), (0, -1), centred=True), noise(*SHAPE)),
    (lambda x: argand.torch.fftn(x, norm="forward"), torch.randn(*SHAPE, dtype=torch.float64)),
]  # fmt: skip


class Compiled(unittest.TestCase):
    def test_values_and_gradients(self):
        for backend in BACKENDS:
            for function, *arguments in CASES:

                def loss(*given, function=function):
                    return (0.5 * function(*given)).abs().square().sum()

                found = []
                for called in (loss, compiled(loss, backend)):
                    given = [x.clone().requires_grad_() for x in arguments]
                    value = called(*given)
                    found.append((value, torch.autograd.grad(value, given)))
                torch.testing.assert_close(*found)

    def test_operators_pass_the_checks_of_pytorch(self):
        x, y, k = noise(*SHAPE).requires_grad_(), noise(7).requires_grad_(), K.clone().requires_grad_()
        for op, arguments in [
            (_compiled.apply, (x, A._number, False)), (_compiled.apply, (noise(3, 7).requires_grad_(), A._number, True)),
            (_compiled.nufft, (x, k, list(SHAPE), 1e-9, False)), (_compiled.nufft, (y, k, list(SHAPE), 0.0, True)),
            (_compiled.nufft_by_points, (y.detach(), x.detach(), K, list(SHAPE), 0.0)), (_compiled.transform, (x, [-1], "ortho", False, True)),
        ]:  # fmt: skip
            torch.library.opcheck(op, arguments)

    def test_second_derivatives(self):
        x = noise(*SHAPE).requires_grad_()
        for function in (lambda m: _compiled.apply(m, A._number, False), lambda m: _compiled.nufft(m, K, list(SHAPE), 1e-12, False),
                         lambda m: _compiled.transform(m, [-2, -1], "forward", True, False)):  # fmt: skip
            self.assertTrue(torch.autograd.gradcheck(function, x))
            self.assertTrue(torch.autograd.gradgradcheck(function, x))

    def test_vmap(self):
        x = noise(3, *SHAPE)
        for function in (lambda m: argand.torch.nufft(m, K), lambda m: argand.torch.apply(A, m), lambda m: argand.torch.fftn(m, 0)):
            torch.testing.assert_close(compiled(torch.vmap(function))(x), torch.stack([function(m) for m in x]))

    def test_changed_points(self):
        """A plan is found by what the points are, not by where they lie."""
        k, x = K.clone(), noise(*SHAPE)
        function = compiled(argand.torch.nufft)
        for _ in range(3):
            torch.testing.assert_close(function(x, k), argand.torch.nufft(x, k))
            k.numpy()[:] *= 0.9

    def test_other_shapes(self):
        function = compiled(argand.torch.nufft, dynamic=True)
        for n in (4, 7, 9):
            x, k = noise(n, n + 1), K[: n - 2] / 4
            torch.testing.assert_close(function(x, k), argand.torch.nufft(x, k))

    def test_func_of_compiled_functions(self):
        """What PyTorch cannot put into one graph, gradients of torch.func, is computed in parts."""
        x = noise(*SHAPE)

        def loss(m):
            return argand.torch.apply(A, m).abs().square().sum()

        wanted = torch.func.grad(loss)(x)
        torch._dynamo.reset()
        torch.testing.assert_close(torch.compile(torch.func.grad(loss), backend="aot_eager")(x), wanted)

    def test_a_new_operator(self):
        """Each operator has a graph of its own; one that has gone is not taken for another."""
        x, function = noise(*SHAPE), compiled(lambda op, m: argand.torch.apply(op, m))
        for scale in (1, 2, 3):
            op = argand.Diagonal(np.full(SHAPE, scale))
            torch.testing.assert_close(function(op, x), scale * x)
        number = op._number
        del op
        torch._dynamo.reset()
        with self.assertRaisesRegex(RuntimeError, "keep it as long as the function"):
            _compiled.apply(x, number + 1000, False)


if __name__ == "__main__":
    unittest.main()
