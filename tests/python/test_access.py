# SPDX-License-Identifier: BSD-3-Clause
"""Accessors: numbers, arrays that repeat, functions and texts of one's own, against the same done by NumPy before and after its FFT.

On the CPU functions are called; texts are compiled on opencl:0, where there is such a device."""

import itertools
import unittest

import argand
import numpy as np
from sample import in_round

RNG = np.random.default_rng(11)
SHAPE, BATCH = (6, 8), (2, 3)
DEVICES = ["cpu"] + (["opencl:0"] if argand.devices().get("opencl", "")[:1].isdigit() else [])


def devices(case):
    """Each plan of opencl:0 has a kernel to compile: in the first tier a test has them in one of three runs."""
    return DEVICES if in_round(case, 3) else DEVICES[:1]

SHRINK = """DEVICE struct pair shrink(struct pair v, struct pair mirror, struct access_point at)
{
    const REAL size = sqrt(v.re * v.re + v.im * v.im), factor = size > at.p[0] ? 1 - at.p[0] / size : 0;
    return make_pair(factor * v.re, factor * v.im);
}
"""
RAMP = """DEVICE REAL ramp_of(REAL x, REAL y, REAL z) { return x + 10 * y + 100 * z; }
DEVICE struct pair ramp(struct pair v, struct pair mirror, struct access_point at)
{
    const REAL r = at.p[1] * ramp_of(at.i[0], at.i[1], at.i[2]);
    return make_pair(v.re * r, v.im * r);
}
"""


def shrink(values, place, parameters):
    values *= np.maximum(0, 1 - parameters[0] / np.maximum(abs(values), 1e-300))


def noise(*shape):
    return RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)


class Accessors(unittest.TestCase):
    def same(self, got, wanted, what, tolerance=1e-14):
        self.assertEqual(got.shape, wanted.shape, what)
        self.assertLess(np.linalg.norm(got - wanted), tolerance * np.linalg.norm(wanted), what)

    def test_numbers_and_arrays(self):
        x = noise(*BATCH, *SHAPE)
        window, row, coils = RNG.standard_normal(SHAPE), noise(8), noise(2, 1, 1, 1)
        for device in devices(0):
            t = argand.Transform(SHAPE, BATCH, load=[2j, window], store=[row, coils], norm="ortho", device=device)
            wanted = np.fft.fftn(2j * window * x, axes=(2, 3), norm="ortho") * row * coils
            self.same(t(x), wanted, device)
            back = argand.Transform(SHAPE, load=[row], inverse=True, device=device)
            self.same(back(x[0, 0]), np.fft.ifftn(row * x[0, 0]), device)
        single = argand.Transform(SHAPE, load=[window], dtype=np.complex64)
        self.same(single(x[0, 0]), np.fft.fftn(window * x[0, 0]), "single", 1e-6)

    def test_a_function_at_the_spectrum(self):
        x = noise(*BATCH, *SHAPE)
        spectrum = np.fft.fftn(x, axes=(2, 3))
        for device in devices(1):
            call = argand.Call(SHRINK, function=shrink, parameters=[2.0])
            self.assertEqual(call.name, "shrink")
            t = argand.Transform(SHAPE, BATCH, spectrum=[call], device=device)
            for level in (2.0, 6.0, 0.0):
                call.parameters = [level]
                wanted = np.fft.ifftn(spectrum * np.maximum(0, 1 - level / abs(spectrum)), axes=(2, 3))
                self.same(t(x), wanted, (device, level))

    def test_places_and_parameters(self):
        """Of every element: x, y and the image of the batch, in the text's order and in NumPy's."""
        x = noise(*BATCH, *SHAPE)
        z, y, i = np.meshgrid(np.arange(6), np.arange(6), np.arange(8), indexing="ij")
        ramp = (i + 10 * y + 100 * z).reshape(*BATCH, *SHAPE)

        def function(values, place, parameters):
            values *= parameters[1] * (place[2] + 10 * place[1] + 100 * place[0])

        for device in devices(2):
            call = argand.Call(RAMP, "ramp", function=function, parameters=[7, 0.5])
            for end in ("load", "store"):
                t = argand.Transform(SHAPE, BATCH, **{end: [call]}, device=device)
                wanted = np.fft.fftn(0.5 * ramp * x, axes=(2, 3)) if end == "load" else 0.5 * ramp * np.fft.fftn(x, axes=(2, 3))
                self.same(t(x), wanted, (device, end))

    def test_errors(self):
        def wrong(values, place, parameters):
            raise KeyError("mine")

        t = argand.Transform((64, 64), load=[argand.Call(function=wrong)])
        for _ in range(2):
            with self.assertRaises(KeyError):
                t(np.ones((64, 64)))
        self.assertRaises(argand.Error, argand.Transform, (8,), load=[argand.Call(SHRINK)])  # a text alone, on the CPU
        for make in [
            lambda: argand.Call(), lambda: argand.Call("int x;"), lambda: argand.Call(SHRINK, parameters=range(9)),
            lambda: argand.Transform((8,), load=[1] * 5), lambda: argand.Transform((8,), load=[np.ones(7)]),
            lambda: argand.Transform((8,), spectrum=[1], inverse=True), lambda: argand.Transform((8,))(np.ones(7)),
        ]:  # fmt: skip
            self.assertRaises(ValueError, make)
        if "opencl:0" in DEVICES:
            text = SHRINK.replace("factor * v.im", "nothing")
            with self.assertRaisesRegex(argand.Error, "shrink.*nothing|nothing.*shrink"):
                argand.Transform((8,), load=[argand.Call(text)], device="opencl:0")(np.ones(8))


MODES = {"zero": "constant", "wrap": "wrap", "clamp": "edge", "mirror": "symmetric"}


def spread(x, shape, first, border):
    """The array on the points of a transform, by NumPy: padded on both sides, the odd point behind, and rolled to its place."""
    rest = [n - m for n, m in zip(shape, x.shape, strict=True)]
    padded = np.pad(x, [(r // 2, r - r // 2) for r in rest], mode=MODES[border])
    return np.roll(padded, [f - r // 2 for f, r in zip(first, rest, strict=True)], axis=range(x.ndim))


class Windows(unittest.TestCase):
    def test_padded_and_cropped(self):
        x, weights = noise(4, 5), noise(4, 5)
        for device in DEVICES:
            for case, (border, first) in enumerate(itertools.product(MODES, [(0, 0), (3, 7), (-2, 11)])):
                if device != "cpu" and not in_round(case, 4):
                    continue  # each is a kernel to compile
                plan = argand.Transform(SHAPE, input_shape=x.shape, input_first=first, border=border, output_shape=(3, 2),
                                        output_first=(4, 7), load=[weights], store=[2.0], device=device)  # fmt: skip
                whole = 2 * np.fft.fft2(spread(weights * x, SHAPE, first, border))
                wanted = np.take(np.take(whole, [4, 5, 0], axis=0), [7, 0], axis=1)
                np.testing.assert_allclose(plan(x), wanted, rtol=0, atol=1e-13 * abs(whole).max(), err_msg=f"{device} {border} {first}")

    def test_centred_and_back(self):
        """Zeros around an image, its spectrum, and the image again, with a batch."""
        x = noise(*BATCH, 3, 4)
        there = argand.Transform(SHAPE, BATCH, input_shape=(3, 4), centred=True)
        back = argand.Transform(SHAPE, BATCH, output_shape=(3, 4), centred=True, inverse=True)
        padded = np.zeros((*BATCH, *SHAPE), complex)
        padded[..., 2:5, 2:6] = x  # element floor(n/2) of both at the same place
        np.testing.assert_allclose(there(x), argand.fftn(padded, axes=(2, 3), centred=True), rtol=0, atol=1e-13)
        np.testing.assert_allclose(back(there(x)), x, rtol=0, atol=1e-14)

    def test_borders_of_the_output_are_adjoints(self):
        x, y = noise(4, 5), noise(*SHAPE)
        for border in MODES:
            a = argand.Transform(SHAPE, input_shape=(4, 5), border=border, norm="ortho")
            b = argand.Transform(SHAPE, output_shape=(4, 5), output_border=border, norm="ortho", inverse=True)
            self.assertLess(abs(np.vdot(y, a(x)) - np.vdot(b(y), x)), 1e-12, border)

    def test_storage(self):
        """Halves, bytes and reals as they are kept; images of bytes back, rounded and cut off."""
        picture = RNG.integers(0, 256, SHAPE).astype(np.uint8)
        for device in devices(3):
            for dtype in [np.uint8, np.float16, np.float32]:
                plan = argand.Transform(SHAPE, input_dtype=dtype, dtype=np.complex64, device=device)
                got = plan(picture.astype(dtype))
                self.assertEqual(got.dtype, np.complex64)
                np.testing.assert_allclose(got, np.fft.fft2(picture.astype(float)), rtol=0, atol=1e-6 * picture.sum())
            back = argand.Transform(SHAPE, inverse=True, output_dtype=np.uint8, dtype=np.complex64, device=device)
            spectrum = np.fft.fft2(2.0 * picture).astype(np.complex64)
            wanted = np.clip(2 * picture.astype(int), 0, 255)
            got = back(spectrum)
            self.assertEqual(got.dtype, np.uint8)
            self.assertLessEqual(abs(got.astype(int) - wanted).max(), 0)

    def test_refused(self):
        for kind, pattern, call in [
            (ValueError, "input: shape .* are not windows", lambda: argand.Transform(SHAPE, input_shape=(9, 9))),
            (ValueError, "output: shape .* are not windows", lambda: argand.Transform(SHAPE, output_first=(1,))),
            (ValueError, "border is one of", lambda: argand.Transform(SHAPE, input_shape=(3, 3), border="grey")),
            (TypeError, "input_dtype is complex128, its reals", lambda: argand.Transform(SHAPE, input_dtype=np.int32)),
            (ValueError, "takes an array of shape", lambda: argand.Transform(SHAPE, input_shape=(3, 3))(noise(*SHAPE))),
            (TypeError, "numbers are needed", lambda: argand.Transform(SHAPE, input_dtype=np.uint8)("abc")),
        ]:
            with self.assertRaisesRegex(kind, pattern):
                call()


if __name__ == "__main__":
    unittest.main()
