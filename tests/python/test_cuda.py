# SPDX-License-Identifier: BSD-3-Clause
"""CuPy's and PyTorch's arrays on cuda:0: computed where they are, in their caller's stream, against NumPy on the host."""

import contextlib
import itertools
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

    def test_calls_alike(self):
        """Calls like an earlier one go straight to its plan: other numbers, types and strides of the same shape, and other streams."""
        kinds = [X.real, (8 * X.real).astype("i4"), X.real.astype("f4"), X, X.astype("c8")]
        for stream in (None, *self.streams(), None):
            with stream or contextlib.nullcontext():
                for name, x, factor, step in itertools.product(("fftn", "ifftn", "rfftn", "irfftn"), kinds, (1, -3), (1, 2)):
                    if name == "rfftn" and x.dtype.kind == "c":
                        continue
                    got = self.get(getattr(argand, name)(self.put(np.repeat(factor * x, step, axis=1))[:, ::step]) + 0)
                    single = x.dtype in (np.float32, np.complex64)
                    self.assertTrue(near(got, getattr(np.fft, name)(factor * x), 1e-6 if single else 1e-13), (name, x.dtype))

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

    def test_operators_are_captured(self):
        """Into graphs, in the stream where they were called before or another one; replayed on other numbers, in any order with calls."""
        a = argand.NUFFT(self.put(K), (12, 10), (3,), tolerance=1e-9)
        sense = argand.SENSE(a, self.put(X))
        y, image = a(self.put(X)), self.put(X[0])
        for name, call, given in [
            ("forward", a, self.put(X)), ("adjoint", a.adjoint, y), ("normal", a.normal, self.put(X)), ("sense", sense.normal, image),
            ("fftn", argand.fftn, self.put(X)), ("rfftn", argand.rfftn, self.put(X.real)),
            ("convolution", argand.Convolution((12, 10), self.put(X[0, :3, :3]), batch=3), self.put(X)),
            ("type 3", argand.NUFFT3(self.put(K), self.put(K[:7])), self.put(K[:, 0] + 0j)),
        ]:  # fmt: skip
            for stream in self.fresh():
                wanted = self.get(call(given))
                with stream:
                    again = self.get(call(given))
                replay, result = self.captured(lambda call=call, given=given: call(given), stream)
                for factor in (2, -1.5):
                    given *= factor
                    wanted = wanted * factor
                    replay()
                    self.assertTrue(near(self.get(result), wanted), name)
                    self.assertTrue(near(self.get(call(given)), wanted), name)
                self.assertTrue(near(again, wanted / -3), name)
                del replay

    def test_what_cannot_be_captured(self):
        """Is refused with the remedy, and all goes on: the capture, the operator, its device."""
        a = argand.NUFFT(self.put(K), (12, 10), (3,), tolerance=1e-9)
        other = argand.NUFFT(self.put(K), (12, 10), (3,), tolerance=1e-9)
        x, k, out = self.put(X), self.put(K), a(self.put(X))
        said = []

        def calls():
            for call in (lambda: argand.NUFFT(k, (12, 10)), lambda: argand.solve(a, out), lambda: other(X),
                         lambda: argand.nufft2(x, k), lambda: argand.fftn(x, (5, 7), axes=(0, 1))):  # fmt: skip
                try:
                    call()
                except argand.errors.UnsupportedError as refusal:
                    said.append(str(refusal))
            return a(x)

        replay, result = self.captured(calls, self.fresh()[0])
        self.assertEqual(len(said), 5)
        self.assertRegex(said[1], "while the stream is captured into a CUDA graph; make the same call once before the capture")
        wanted = argand.nufft2(X, K, 1e-9)
        replay()
        self.assertTrue(near(self.get(result), wanted, 1e-8))
        for stream in self.streams():
            with stream:
                self.assertTrue(near(self.get(other(x)), wanted, 1e-8))
                self.assertTrue(near(self.get(argand.solve(argand.FFT((12, 10), (3,), norm="ortho", device="cuda:0"), x)),
                                     np.fft.ifftn(X, axes=(1, 2), norm="ortho"), 1e-10))  # fmt: skip

    def test_dlpack_alone(self):
        """Memory is shared, in the caller's stream, which the owner is told."""
        asked = []

        class Theirs:
            def __init__(self, x):
                self.x = x

            def __dlpack__(self, **how):
                asked.append(how.get("stream"))
                return self.x.__dlpack__(**how)

            def __dlpack_device__(self):
                return self.x.__dlpack_device__()

        from argand import _arrays

        for stream in self.streams():
            with stream:
                x = self.put(X)
                got = argand.fftn(Theirs(x))
                self.assertEqual(type(got).__module__.split(".")[0], "cupy" if cupy else "torch")
                self.assertTrue(near(np.asarray(got.get() if cupy else got.cpu()), np.fft.fftn(X)))
                self.assertEqual(_arrays.operand(Theirs(x)).pointer, _arrays.operand(x).pointer)
        self.assertNotIn(0, asked)  # 1 is the legacy stream's name

    def test_the_host_is_needed(self):
        with self.assertRaisesRegex(TypeError, "an array in the host's memory is needed here"):
            argand.sense(self.put(X), K, X)

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

    def fresh(self):
        return [cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream()]

    def captured(self, call, stream):
        with stream:
            stream.begin_capture()
            try:
                result = call()
            finally:
                graph = stream.end_capture()

        def replay():
            cupy.cuda.Stream.null.synchronize()
            graph.launch(stream)
            stream.synchronize()

        return replay, result

    def streams(self):
        return [cupy.cuda.Stream(), cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream.null]


@unittest.skipIf(torch is None, "PyTorch with CUDA is not installed")
class Torch(Library, unittest.TestCase):
    kind = getattr(torch, "Tensor", None)

    def put(self, x):
        return torch.from_numpy(np.ascontiguousarray(x)).cuda()

    def get(self, x):
        return x.cpu().numpy()

    def fresh(self):
        return [torch.cuda.stream(torch.cuda.Stream()), torch.cuda.stream(torch.cuda.Stream())]

    def captured(self, call, stream):
        """In a stream that was never seen: PyTorch's own for captures."""
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = call()
        return graph.replay, result

    def streams(self):
        return [torch.cuda.stream(torch.cuda.Stream()), torch.cuda.stream(torch.cuda.current_stream())]

    def test_views_and_kinds(self):
        """Lazily conjugated and negated tensors are what they say; sparse ones are refused."""
        x = torch.tensor(X, device="cuda")
        for view, wanted in [(x.conj(), X.conj()), (x.conj().imag, -X.imag), (x[..., ::3], X[..., ::3]), (x.mT, X.swapaxes(1, 2))]:
            self.assertTrue(near(self.get(argand.fftn(view)), np.fft.fftn(wanted)))
        with self.assertRaisesRegex(TypeError, "a dense tensor is needed, not torch.sparse_coo"):
            argand.fftn(x[0].to_sparse())

    def test_compiled(self):
        import argand.torch

        image, points = torch.tensor(X, device="cuda"), torch.tensor(K, device="cuda")
        compiled = torch.compile(lambda m: 2 * argand.torch.nufft(m + 0, points, 1e-9), backend="eager")
        self.assertTrue(near(self.get(compiled(image)), 2 * argand.nufft2(X, K, 1e-9), 1e-8))

    def test_gradients(self):
        import argand.torch

        image = torch.tensor(X, device="cuda", requires_grad=True)
        points = torch.tensor(K, device="cuda", requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(lambda m, k: argand.torch.nufft(m, k, 1e-11), (image, points), eps=1e-5, atol=1e-5, nondet_tol=1e-9))


if __name__ == "__main__":
    unittest.main()
