# SPDX-License-Identifier: BSD-3-Clause
"""CuPy's and PyTorch's arrays on cuda:0: computed where they are, in their caller's stream, against NumPy on the host."""

import unittest

import argand
import numpy as np

if not argand.devices()["cuda"][:1].isdigit():
    raise unittest.SkipTest(argand.devices()["cuda"])

try:
    import cupy
except ImportError:
    cupy = None
try:
    import torch

    torch = torch if torch.cuda.is_available() else None
except ImportError:
    torch = None

RNG = np.random.default_rng(13)
X = RNG.standard_normal((3, 12, 10)) + 1j * RNG.standard_normal((3, 12, 10))
K = RNG.uniform(-5, 5, (40, 2))


def near(got, wanted, tolerance=1e-13):
    return got.shape == wanted.shape and np.linalg.norm(got - wanted) <= tolerance * np.linalg.norm(wanted)


class Library:
    """The tests of both; put() brings an array to the device, get() back, kind is what results are."""

    def test_transforms(self):
        for name in ("fftn", "ifftn", "rfftn", "irfftn", "fft", "rfft", "irfft"):
            given = X.real if name.startswith("rfft") else X
            for x in (given, given[:, ::2], given.transpose(2, 0, 1)):
                got = getattr(argand, name)(self.put(x))
                self.assertIsInstance(got, self.kind)
                self.assertTrue(near(self.get(got), getattr(np.fft, name)(x)), name)

    def test_reals_become_complex_on_the_device(self):
        """For the complex transform, for nufft2, for operators; float32 stays single."""
        for dtype, tolerance in (("f8", 1e-13), ("f4", 1e-6)):
            x = X.real.astype(dtype)
            got = self.get(argand.fftn(self.put(x)))
            self.assertEqual(got.dtype, np.dtype("c16" if dtype == "f8" else "c8"))
            self.assertTrue(near(got, np.fft.fftn(x), tolerance), dtype)
            self.assertTrue(near(self.get(argand.nufft2(self.put(x), self.put(K), 1e-5)), argand.nufft2(x, K, 1e-5), 3e-5))
        a = argand.NUFFT(self.put(K), (12, 10), (3,), tolerance=1e-9)
        self.assertTrue(near(self.get(a(self.put(X.real))), argand.nufft2(X.real, K, 1e-9), 1e-8))

    def test_adjoint_and_solve(self):
        a = argand.NUFFT(self.put(K), (12, 10), (3,), tolerance=1e-9)
        y = argand.nufft2(X, K, 1e-9)
        self.assertTrue(near(self.get(a.adjoint(self.put(y))), argand.nufft1(y, K, (12, 10), 1e-9), 1e-8))
        n = argand.FFT((12, 10), (3,), norm="ortho", device="cuda:0")
        self.assertTrue(near(self.get(argand.solve(n, self.put(n(X)))), X, 1e-10))

    def test_accessors(self):
        text = """DEVICE struct pair turn(struct pair v, struct pair mirror, struct access_point at)
                  { return make_pair(-at.p[0] * v.im, at.p[0] * v.re); }"""
        t = argand.Transform((12, 10), (3,), load=[argand.Call(text, parameters=[2.0]), X[0]], device="cuda:0")
        self.assertTrue(near(self.get(t(self.put(X))), np.fft.fftn(2j * X * X[0], axes=(1, 2))))

    def test_refused(self):
        with self.assertRaises(ValueError):
            argand.fftn(self.put(X), device="cpu")

    def test_other_types(self):
        """Whole numbers become double, halves single, as on the host."""
        for dtype, tolerance in (("i4", 1e-13), ("u1", 1e-13), ("f2", 1e-6)):
            x = np.arange(12, dtype=dtype).reshape(3, 4)
            got = self.get(argand.fftn(self.put(x)))
            self.assertEqual(got.dtype, argand.fftn(x).dtype)
            self.assertTrue(near(got, np.fft.fftn(x), tolerance), dtype)

    def test_operators_in_other_streams(self):
        """Made in one stream, used in another: what was pending is read, and what follows finds the result."""
        a = argand.NUFFT(self.put(K), (12, 10), (3,), tolerance=1e-9)
        type3 = argand.NUFFT3(self.put(K), self.put(K[:7]))
        for stream in self.streams():
            with stream:
                for i in range(10):
                    x = self.put(X) * (i + 1)
                    self.assertTrue(near(self.get(a(x) + 0), argand.nufft2(X * (i + 1), K, 1e-9), 1e-8))
                    self.assertTrue(near(self.get(type3(self.put(K[:, 0] * (1 + 0j))) + 0), argand.nufft3(K[:, 0], K, K[:7]), 1e-7))

    def test_places_do_not_mix(self):
        """An image on the host with points on the GPU is refused; the other way round points are brought there."""
        self.assertTrue(near(self.get(argand.nufft2(self.put(X), K, 1e-9)), argand.nufft2(X, K, 1e-9), 1e-8))
        for call in (lambda: argand.nufft2(X, self.put(K)), lambda: argand.NUFFT(K, (12, 10), (3,))(self.put(X)),
                     lambda: argand.SENSE(argand.NUFFT(K, (12, 10), (3,)), self.put(X))):  # fmt: skip
            with self.assertRaisesRegex(ValueError, "an array is on cuda:0, and the work on cpu: move it there first"):
                call()

    def test_streams(self):
        """Work is in the current stream: its results are there for what follows in it, without waiting."""
        big = RNG.standard_normal((64, 256, 256)).astype("f4") + 0j
        for stream in self.streams():
            with stream:
                x = self.put(big)
                for _ in range(3):
                    x = argand.ifftn(argand.fftn(x + 1, axes=(1, 2)), axes=(1, 2)) - 1
                self.assertTrue(near(self.get(x), big, 1e-5))


@unittest.skipIf(cupy is None, "CuPy is not installed")
class Cupy(Library, unittest.TestCase):
    kind = getattr(cupy, "ndarray", None)

    def put(self, x):
        return cupy.asarray(x)

    def get(self, x):
        return cupy.asnumpy(x)

    def streams(self):
        return [cupy.cuda.Stream(), cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream.null]


@unittest.skipIf(torch is None, "PyTorch with CUDA is not installed")
class Torch(Library, unittest.TestCase):
    kind = getattr(torch, "Tensor", None)

    def put(self, x):
        return torch.from_numpy(np.ascontiguousarray(x)).cuda()

    def get(self, x):
        return x.cpu().numpy()

    def streams(self):
        return [torch.cuda.stream(torch.cuda.Stream()), torch.cuda.stream(torch.cuda.current_stream())]

    def test_gradients(self):
        import argand.torch

        image = torch.tensor(X, device="cuda", requires_grad=True)
        points = torch.tensor(K, device="cuda", requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(lambda m, k: argand.torch.nufft(m, k, 1e-11), (image, points), eps=1e-5, atol=1e-5, nondet_tol=1e-9))


if __name__ == "__main__":
    unittest.main()
