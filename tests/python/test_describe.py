# SPDX-License-Identifier: BSD-3-Clause
"""Scans, plans, operators, devices and communicators describe themselves: shapes, units, device, memory; one line, or a table in notebooks."""

import inspect
import tempfile
import unittest

import argand
import numpy as np

POINTS = np.random.default_rng(1).uniform(-4, 4, (50, 2))
MAPS = argand.birdcage((3, 8, 8))
TIMES, FIELD = np.linspace(0, 0.01, 50), argand.head_field((8, 8), field_range_hz=50)


def described():
    """(object, what its description must contain)."""
    nufft = argand.NUFFT(POINTS, (8, 8), batch=(3,), dtype=np.complex64)
    toeplitz = argand.Toeplitz(POINTS, (8, 8))
    return [
        (nufft, ["shape (3, 8, 8) to (3, 50)", "type complex64", "device cpu", "50, cycles per field of view", "tolerance 1e-05", "memory", "B"]),
        (argand.NUFFT(POINTS / 8, (8, 8), units="radians"), ["radians per pixel"]),
        (argand.NUFFT(POINTS, (8, 8), real_image=True), ["float64 to complex128"]),
        (nufft.adjoint, ["shape (3, 50) to (3, 8, 8)", "adjoint"]),
        (nufft.normal, ["normal"]),
        (argand.SENSE(nufft, MAPS), ["shape (8, 8) to (3, 50)", "coils 3"]),
        (argand.FFT((8, 8), norm="ortho", centred=True), ["norm ortho", "the centre"]),
        (argand.FieldDFT(POINTS, (8, 8), times=TIMES, field_map=FIELD), ["times in s", "field map in rad/s"]),
        (argand.SegmentedNUFFT(POINTS, (8, 8), times=TIMES, field_map=FIELD, segments=4), ["terms 5", "error", "rad/s"]),
        (toeplitz, ["grid (15, 15)", "convolutions 1", "memory"]),
        (toeplitz.sense(MAPS), ["sense normal"]),
        (argand.Gradient((8, 8)), ["(8, 8) to (2, 8, 8)"]),
        (argand.Wavelet((8, 8), wavelet="haar"), ["wavelet haar"]),
        (argand.Diagonal(np.ones(3)), ["(3,) to (3,)"]),
        (argand.NUFFT3(POINTS, POINTS[:7]), ["(50,) to (7,)", "dimensions 2", "nufft3"]),
        (argand.Convolution((8, 8), np.ones((3, 3)), mode="full"), ["(8, 8) to (10, 10)", "kernel (3, 3)", "mode full", "method direct", "memory"]),
        (argand.Transform((8,), input_shape=(3,), load=[2.0]), ["(3,) to (8,)", "points (8,)", "load 1"]),
        (argand.Call(function=np.negative, parameters=[2]), ["the CPU", "parameters (2.0,)"]),
        (argand.Comm(), ["rank 0 of 1"]),
        (argand.DistNUFFT(POINTS, (8, 8), argand.Comm()), ["image (8, 8)", "planes of this rank 0 to 7"]),
        (argand.Device("cpu"), ["name cpu", "memory", "threads", "double precision yes"]),
    ]


class Described(unittest.TestCase):
    def check(self, thing, wanted):
        said, page = repr(thing), thing._repr_html_()
        self.assertTrue(said.startswith(f"<argand.{type(thing).__name__}: ") and said.endswith(">"), said)
        self.assertNotIn("\n", said)
        self.assertNotRegex(said, r" at 0x|; ;|: ;")
        for words in wanted:
            self.assertIn(words, said)
        for name, value in thing._describe():
            self.assertIn(name if value else "", page)

    def test_all(self):
        for thing, wanted in described():
            with self.subTest(type(thing).__name__):
                self.check(thing, wanted)

    def test_scans(self):
        points = argand.trajectory.radial((8, 8), spokes=5)[0]
        with tempfile.TemporaryDirectory() as folder:
            argand.write_scan(folder + "/s.h5", argand.nufft2(argand.phantom((8, 8)) * MAPS, points), points, maps=MAPS)
            scan = argand.read_scan(folder + "/s.h5")
        self.check(scan, ["s.h5", "readouts 5", "samples 16", "channels 3", "matrix (1, 8, 8)", "240 x 240 mm", "arrays SENSEMap", "memory 1.88 KiB"])
        self.assertEqual(scan.field_of_view[1:], (240.0, 240.0))
        self.assertIn("Notes", scan._repr_html_())
        self.assertEqual(repr(scan[3]), "<argand.Acquisition: data (3, 16) complex64; points (16, 3); shot 3>")

    def test_every_class_says_more_than_its_address(self):
        """Of all public classes that users make or get."""
        for name in argand.__all__:
            thing = getattr(argand, name)
            if inspect.isclass(thing) and not issubclass(thing, BaseException):
                self.assertIsNot(thing.__repr__, object.__repr__, name)


if __name__ == "__main__":
    unittest.main()
