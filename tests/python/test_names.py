# SPDX-License-Identifier: BSD-3-Clause
"""The names of the array API's fft extension against numpy.fft; calls that are repeated; strict arrays where array_api_strict is there."""

import importlib
import inspect
import itertools
import unittest

import argand
import numpy as np

RNG = np.random.default_rng(3)
X = RNG.standard_normal((5, 6, 8)) + 1j * RNG.standard_normal((5, 6, 8))
NAMES = "fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift".split()
NORMS = ("backward", "ortho", "forward")


def near(got, wanted, tolerance=3e-15):
    return got.shape == wanted.shape and np.linalg.norm(got - wanted) <= tolerance * np.linalg.norm(wanted)


class Names(unittest.TestCase):
    def test_module_and_function(self):
        self.assertIs(importlib.import_module("argand.fft"), argand.fft)
        from argand.fft import fftn

        self.assertTrue(near(fftn(X), np.fft.fftn(X)))
        self.assertTrue(near(argand.fft(X, 4, 1), np.fft.fft(X, 4, 1)))
        for name in NAMES:
            self.assertTrue(callable(getattr(argand.fft, name)), name)

    def test_transforms_with_the_keywords_of_the_standard(self):
        for name, norm in itertools.product(NAMES[:10], NORMS):
            given = X.real if name in ("rfft", "rfftn", "ihfft") else X
            for more in [{}, {"s": (4, 7), "axes": (0, 2)}] if name.endswith("n") else [{}, {"n": 9, "axis": 1}, {"axis": 0}]:
                wanted = getattr(np.fft, name)(given, **more, norm=norm)
                got = getattr(argand.fft, name)(given, **more, norm=norm)
                self.assertEqual(got.dtype, wanted.dtype)
                self.assertTrue(near(got, wanted), (name, norm, more))
        self.assertEqual(argand.fft.hfft(X.astype("c8")).dtype, np.float32)
        self.assertRaises(ValueError, argand.fft.hfft, X, norm="odd")

    def test_frequencies_and_shifts(self):
        for n, d in itertools.product((1, 2, 7, 8), (1.0, 0.25)):
            np.testing.assert_allclose(argand.fft.fftfreq(n, d=d), np.fft.fftfreq(n, d), rtol=1e-15)
            np.testing.assert_allclose(argand.fft.rfftfreq(n, d=d), np.fft.rfftfreq(n, d), rtol=1e-15)
        self.assertEqual(argand.fft.fftfreq(5, dtype=np.float32).dtype, np.float32)
        self.assertRaises(ValueError, argand.fft.fftfreq, 0)
        self.assertRaises(TypeError, argand.fft.rfftfreq, 4, dtype=np.int64)
        for axes in (None, 0, (1, 2), (-1,)):
            for x in (X, np.arange(240).reshape(5, 6, 8)):
                for name in ("fftshift", "ifftshift"):
                    got = getattr(argand.fft, name)(x, axes=axes)
                    self.assertTrue(np.array_equal(got, getattr(np.fft, name)(x, axes=axes)), (name, axes))
                    self.assertEqual(got.dtype, x.dtype)

    def test_strict_arrays(self):
        try:
            import array_api_strict as strict
        except ImportError as error:
            self.skipTest(str(error))
        x = strict.asarray(X)
        for name in ("fftn", "ifftn"):
            self.assertTrue(near(np.asarray(getattr(argand.fft, name)(x)), np.asarray(getattr(strict.fft, name)(x))), name)
        self.assertTrue(np.array_equal(argand.fft.fftshift(x), np.fft.fftshift(X)))


class Repeated(unittest.TestCase):
    """A call like an earlier one goes straight to its plan; one that only looks like it must not."""

    def test_the_same_call(self):
        for name in ("fftn", "ifftn", "rfftn", "irfftn", "fft", "irfft"):
            for _ in range(3):
                x = RNG.standard_normal(X.shape) + (0 if name.startswith("rfft") else 1j * RNG.standard_normal(X.shape))
                kept = x.copy()
                self.assertTrue(near(getattr(argand, name)(x), getattr(np.fft, name)(x)), name)
                self.assertTrue(np.array_equal(x, kept), name)

    def test_other_memory(self):
        like = {
            "strides": X[:, ::-1], "Fortran": np.asfortranarray(X), "transposed": X.transpose(0, 2, 1).copy().transpose(0, 2, 1),
            "bytes": X.astype(">c16"), "single": X.astype("c8"), "real": X.real.copy(), "list": X.tolist(),
            "read-only": np.broadcast_to(X[:1], X.shape), "subclass": X.view(np.matrix) if X.ndim == 2 else np.ma.masked_array(X),
        }  # fmt: skip
        raw = np.zeros(X.nbytes + 1, np.uint8)
        like["unaligned"] = raw[1:].view(np.complex128).reshape(X.shape)
        like["unaligned"][...] = X
        for what, x in like.items():
            for _ in range(2):
                argand.fftn(X.copy(), axes=(0, 2))
                tolerance = 1e-6 if what == "single" else 3e-15
                self.assertTrue(near(argand.fftn(x, axes=(0, 2)), np.fft.fftn(np.asarray(x), axes=(0, 2)), tolerance), what)

    def test_other_arguments(self):
        for axes, s, norm, centred in itertools.product((None, (0,), [0], (1, 2)), (None, (4,), (4, 4)), NORMS, (False, True)):
            if s is not None and axes is not None and len(s) != len(axes):
                continue
            wanted = np.fft.fftn(X, s, None if axes is None and s is None else axes or tuple(range(-len(s), 0)), norm)
            for _ in range(2):
                got = argand.fftn(X, s, axes, norm, centred=centred)
                if not centred:
                    self.assertTrue(near(got, wanted), (axes, s, norm))
        out = np.empty_like(X)
        self.assertIs(argand.fftn(X, out=out), out)
        self.assertRaises(ValueError, argand.fftn, X, norm="odd")


class Help(unittest.TestCase):
    def test_every_public_name_says_what_it_is(self):
        for module in [argand, argand.trajectory, argand.scipy_backend]:
            for name, thing in vars(module).items():
                if name.startswith("_") or not getattr(thing, "__module__", "argand").startswith("argand"):
                    continue
                if inspect.isfunction(thing) or inspect.isclass(thing):
                    self.assertGreater(len(thing.__doc__ or ""), 40, f"{module.__name__}.{name}")
                if inspect.isclass(thing) and not issubclass(thing, tuple):
                    for member, of in vars(thing).items():
                        if not member.startswith("_") and (callable(of) or isinstance(of, property)):
                            self.assertTrue((of.__doc__ or "").strip(), f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()
