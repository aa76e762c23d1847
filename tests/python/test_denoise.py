# SPDX-License-Identifier: BSD-3-Clause
"""Denoisers, functions and ONNX files, against exact solutions; the files need ONNX Runtime (`pip install onnxruntime`)."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import onnx_models as models

import argand
from argand import _arrays
from argand._device import get_device
from argand._library import call, ffi, lib
from argand._regularize import Regularizers

RNG = np.random.default_rng(5)
SHAPE = (12, 10)
MASK = RNG.random(SHAPE) < 0.5
Y = RNG.standard_normal(SHAPE) + 1j * RNG.standard_normal(SHAPE)
WHOLE = argand.FFT(SHAPE, norm="ortho")
HALF = argand.Diagonal(MASK.astype(np.complex128)) @ WHOLE
SMOOTH = [v / 16 for v in (1, 2, 1, 2, 4, 2, 1, 2, 1)]


def near(a, b):
    return float(np.linalg.norm(a - b) / np.linalg.norm(b))


def matrix_of(function, shape=SHAPE):
    """The matrix of a linear function of images."""
    return np.stack([np.ravel(function(e.reshape(shape))) for e in np.eye(int(np.prod(shape)), dtype=complex)], axis=1)


def smoothed(x):
    """A convolution by NumPy, zeros outside."""
    padded, kernel = np.pad(x, 1), np.reshape(SMOOTH, (3, 3))
    return sum(kernel[i, j] * padded[i : i + x.shape[0], j : j + x.shape[1]] for i in range(3) for j in range(3))


def soft(x, threshold):
    return x * np.maximum(0, 1 - threshold / np.maximum(np.abs(x), 1e-300))


class Functions(unittest.TestCase):
    def test_a_smoothing_has_the_solution_of_its_linear_equation(self):
        s, a, w = matrix_of(smoothed), matrix_of(HALF), 0.7
        normal = a.conj().T @ a
        truth = np.linalg.solve(np.eye(len(s)) - s + s @ normal / w, s @ a.conj().T @ Y.ravel() / w).reshape(SHAPE)
        got = argand.solve(HALF, Y, denoiser=lambda x, level: smoothed(x), denoiser_weight=w, absolute=True, iterations=400, inner=8)
        self.assertLess(near(got, truth), 1e-9)

    def test_a_threshold_of_wavelets_is_the_wavelet_penalty(self):
        weight, op = 0.3, argand.Wavelet(SHAPE, wavelet="haar", levels=1)

        def threshold(x, level):
            c = op(x / 0.5)
            details = soft(c, (level / 0.5) ** 2)
            details[:6, :5] = c[:6, :5]
            return 0.5 * op.adjoint(details)

        options = {"absolute": True, "iterations": 600}
        truth = argand.solve(HALF, Y, regularize=f"wavelet:{weight}:haar:1:fixed", **options)
        for solver in ("auto", "fista"):
            got = argand.solve(HALF, Y, denoiser=threshold, denoiser_noise=weight**0.5, solver=solver, **options)
            self.assertLess(near(got, truth), 1e-5, solver)  # what 600 iterations leave

    def test_what_the_function_is_given(self):
        seen = []

        def look(x, level):
            seen.append((x.shape, x.dtype, level, float(np.sqrt(np.sum(np.abs(x) ** 4) / np.sum(np.abs(x) ** 2)))))
            return x

        for scale in (1.0, 1e6):
            argand.solve(WHOLE, scale * Y, denoiser=look, denoiser_noise=0.1, denoiser_scale=0.25, iterations=3)
        self.assertEqual(len(seen), 6)
        for shape, dtype, level, bright in seen:
            self.assertTrue(shape == SHAPE and dtype == np.complex128 and abs(level - 0.025) < 1e-12 and abs(bright - 0.25) < 1e-6)

    def test_errors(self):
        def fails(x, level):
            raise KeyError("mine")

        for error, words, denoiser in ((KeyError, "mine", fails), (ValueError, r"\(12, 10\), and returned \(3,\)", lambda x, level: np.ones(3)),
                                       (argand.errors.NumericError, "not finite", lambda x, level: x * np.nan), (TypeError, "an ONNX file", 3)):  # fmt: skip
            with self.assertRaisesRegex(error, words):
                argand.solve(WHOLE, Y, denoiser=denoiser)
        with self.assertRaisesRegex(ValueError, "belong to denoiser"):
            argand.solve(WHOLE, Y, denoiser_noise=0.1)
        with self.assertRaisesRegex(ValueError, "pogm takes one"):
            argand.solve(WHOLE, Y, denoiser=lambda x, level: x, solver="pogm")

    def test_no_runtime(self):
        """A library that is not there: the message says how to get it."""
        code = f"import argand, numpy as np; argand.solve(argand.FFT((4,)), np.ones(4), denoiser={__file__!r})"
        ran = subprocess.run([sys.executable, "-c", code], env={**os.environ, "ARGAND_ONNXRUNTIME": "/nowhere/libonnxruntime.so"},
                             capture_output=True, text=True)  # fmt: skip
        self.assertRegex(ran.stderr, "/nowhere/libonnxruntime.so.*pip install onnxruntime.*ARGAND_ONNXRUNTIME")


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        try:
            Regularizers(None, cls.file(models.shrink(0.8)))
        except argand.errors.Error as error:
            cls.holder.cleanup()
            if "pip install onnxruntime" not in str(error):
                raise
            raise unittest.SkipTest(str(error)) from None

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    @classmethod
    def file(cls, model):
        path = pathlib.Path(cls.holder.name, "model.onnx")
        path.write_bytes(model)
        return path

    def run_model(self, model, x, level=0.1, space=2):
        """The model's result on an array, and what the library says about it."""
        opened = Regularizers(None, self.file(model))
        source = _arrays.create(get_device("cpu"), x.dtype, x.shape)
        target = _arrays.create(get_device("cpu"), x.dtype, x.shape)
        x = np.ascontiguousarray(x)
        call(lib.argand_array_upload, source, ffi.cast("void *", _arrays.address(x)))
        call(lib.argand_denoiser_run, opened._handle, target, source, space, level)
        return _arrays.fetch(target), opened.note

    def test_a_smoothing_has_the_solution_of_its_linear_equation(self):
        s, a = matrix_of(smoothed), matrix_of(HALF)
        truth = np.linalg.solve(np.eye(len(s)) - s + s @ a.conj().T @ a, s @ a.conj().T @ Y.ravel()).reshape(SHAPE)
        got = argand.solve(HALF, Y, denoiser=self.file(models.smooth(SMOOTH)), absolute=True, iterations=200, inner=8)
        self.assertLess(near(got, truth), 2e-6)  # the model computes in single precision

    def test_a_soft_threshold_gives_the_sparse_image(self):
        """Of A with A^H A = 1: the threshold of A^H y. The level comes in every form."""
        image = WHOLE.adjoint(Y)
        for level in ((), (1,), ("n",), ("n", 1, 1, 1), ("n", 1, "h", "w")):
            for solver in ("admm", "fista"):
                got = argand.solve(WHOLE, Y, denoiser=self.file(models.soft(level)), denoiser_noise=1.5, absolute=True, iterations=200, solver=solver)
                # 0.5 x and 0.5 level are what the model sees
                self.assertLess(near(got, soft(image, (0.5 * 1.5) ** 2 / 0.5)), 2e-6, (level, solver))

    def test_forms(self):
        x = (RNG.standard_normal((3, 7, 9)) + 1j * RNG.standard_normal((3, 7, 9))).astype(np.complex64)
        got, note = self.run_model(models.soft(None), x)
        self.assertLess(near(got, 2 * soft(x / 2, 0.01)), 1e-6)
        self.assertRegex(note, "as two channels, with bright parts at 0.5. It has no input for the level")
        got, note = self.run_model(models.with_map(), x, 0.2)
        self.assertLess(near(got, 0.9 * x), 1e-6)
        self.assertIn("as one more channel", note)
        for dims in ((1, 1, 7, 9), (2, 1, "h", "w"), ("n", "c", "h", "w")):
            self.assertLess(near(self.run_model(models.shrink(0.8, dims), x)[0], 0.8 * x), 1e-6, dims)
        self.assertLess(near(self.run_model(models.shrink(0.8, (1, 1, "d", "h", "w")), x.astype(complex), space=3)[0], 0.8 * x), 1e-6)

    def test_sizes_that_a_number_divides_are_reached_by_reflection(self):
        x = RNG.standard_normal((2, 13, 7)) + 1j * RNG.standard_normal((2, 13, 7))
        got, note = self.run_model(models.blocks(8), x)
        padded = np.pad(x, ((0, 0), (0, 3), (0, 1)), "symmetric").reshape(2, 2, 8, 1, 8).mean((2, 4))
        self.assertLess(near(got, np.kron(padded, np.ones((8, 8)))[:, :13, :7]), 1e-6)
        self.assertIn("sizes that 8 divides", note)

    def test_refused(self):
        for words, model in (("makes 3 channels", models.shrink(1, ("n", 3, "h", "w"))), ("32-bit floats", models.model([], [], {"y": models.FREE}, models.FREE, kind=11)),
                             ("has 2 axes", models.shrink(1, ("h", "w"))), ("ONNX Runtime.*Protobuf", b"no model"), ("4 images at once", models.shrink(1, (4, 1, "h", "w"))),
                             ("ONNX Runtime", models.shrink(1)[:-9])):  # fmt: skip
            with self.assertRaisesRegex(argand.errors.Error, words):
                Regularizers(None, self.file(model))
        with self.assertRaisesRegex(argand.errors.Error, r"has 8 along axis 2, where the image has 12: give the image"):
            argand.solve(WHOLE, Y, denoiser=self.file(models.shrink(1, (1, 1, 8, 8))))
        with self.assertRaisesRegex(argand.errors.Error, "nowhere.onnx: the file of the denoiser cannot be read"):
            argand.solve(WHOLE, Y, denoiser="nowhere.onnx")

    def test_an_undersampled_head(self):
        """A third of the samples with noise: the penalty halves the error, and a function that runs as the file does gives the same image."""
        n = (64, 60)
        y, x = np.meshgrid(np.linspace(-1, 1, n[0]), np.linspace(-1, 1, n[1]), indexing="ij")
        truth = 1.0 * (x**2 + (y / 0.8) ** 2 < 0.8) - 0.6 * (x**2 + (y / 0.8) ** 2 < 0.65) + 0.5 * ((x - 0.2) ** 2 + y**2 < 0.05)
        maps = np.stack([np.exp(-((x - a) ** 2 + (y - b) ** 2) / 2) for a, b in ((-1, 0), (1, 0), (0, 1), (0, -1))]).astype(complex)
        kspace = np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(maps * truth, (1, 2)), norm="ortho"), (1, 2))
        mask = RNG.random(n) < 0.33
        kspace = mask * (kspace + 0.05 * (RNG.standard_normal(kspace.shape) + 1j * RNG.standard_normal(kspace.shape)))
        file = self.file(models.haar(2.0))
        plain = argand.sense(kspace, maps=maps)
        got = argand.sense(kspace, maps=maps, denoiser=file)
        errors = [near(np.vdot(image, truth) / np.vdot(image, image) * image, truth) for image in (plain, got)]
        self.assertLess(errors[1], 0.5 * errors[0], errors)
        self.assertIn("ONNX Runtime", str(got.report.notes))
        by_tool = argand.tool.sense(kspace=kspace, coil_maps=maps, denoiser=file, denoiser_noise=0.05, precision="double", device="cpu")
        self.assertLess(near(np.squeeze(np.asarray(by_tool)), got), 1e-3)
        self.assertIn("ONNX Runtime", str(by_tool.report.notes))
        with self.assertRaisesRegex(ValueError, "the tool, which is needed here, takes an ONNX file"):
            argand.sense(kspace, maps=maps, denoiser=lambda x, level: x, noise_map=2)
        again = argand.sense(kspace, maps=maps, denoiser=lambda x, level: self.run_model(models.haar(2.0), 2 * x, 2 * level)[0] / 2)
        self.assertLess(near(again, got), 1e-4)


if __name__ == "__main__":
    unittest.main()
