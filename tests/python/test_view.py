# SPDX-License-Identifier: BSD-3-Clause
"""Looking at images: slices, parts and windows, with sliders where ipywidgets is installed; what shows a long solve while it runs."""

import io
import sys
import types
import unittest
from unittest import mock

import argand
import numpy as np
from argand import _progress
from test_result import Balanced, pixels

RNG = np.random.default_rng(2)
IMAGE = RNG.standard_normal((3, 4, 128, 300)) + 1j * RNG.standard_normal((3, 4, 128, 300))


def view(image, **options):
    """As a notebook gets it, whatever is installed."""
    with mock.patch("argand._show.in_notebook", return_value=True):
        return argand.show(image, **options)


class Views(unittest.TestCase):
    def test_slices_and_windows(self):
        seen = view(IMAGE)
        self.assertEqual(seen.names, ["coil", "slice"])
        for part, of in [("magnitude", np.abs), ("real", np.real), ("imaginary", np.imag)]:
            got = pixels(seen.png((2, 1), part, -1.0, 2.0)).astype(int)
            wanted = np.clip((of(IMAGE[2, 1]) + 1) * 85, 0, 255)
            self.assertEqual(got.shape, (128, 300))
            self.assertLessEqual(abs(got - wanted).max(), 1, part)
        self.assertEqual(view(IMAGE[0, 0], low=0.5, high=2).low, 0.5)
        self.assertEqual(view(IMAGE, axes=["contrast", "coil"]).names, ["contrast", "coil"])
        self.assertEqual(view(np.ones((2, 3, 4, 5, 6))).names, ["axis 0", "coil", "slice"])
        self.assertEqual(view(np.ones((3, 5, 6))).names, ["slice"])
        self.assertEqual(pixels(view(np.eye(8)).png()).shape, (256, 256))  # enlarged
        for pattern, call in [
            ("2 axes before", lambda: seen.png((1,))), ("part is one of", lambda: seen.png((0, 0), "modulus")),
            ("axes: 1 names", lambda: view(IMAGE, axes=["coil"])),
        ]:  # fmt: skip
            with self.assertRaisesRegex(ValueError, pattern):
                call()

    def test_phase_is_a_circle_of_colours(self):
        from argand._show import _coloured

        colours = _coloured(np.array([[-np.pi, 0, 2 * np.pi / 3, np.pi]])).astype(int)
        np.testing.assert_array_equal(colours[0, 0], colours[0, 3])
        self.assertEqual([int(c.argmax()) for c in colours[0, 1:3]], [0, 1])

    def test_page(self):
        page = view(IMAGE, titles=["a", "<b>"])._repr_html_()
        self.assertEqual(Balanced(page).open, [])
        self.assertIn("&lt;b&gt;", page)
        self.assertIn("12 slices", page)
        self.assertIn("axes coil, slice, y, x", repr(view(IMAGE)))

    def test_without_matplotlib(self):
        with mock.patch("importlib.util.find_spec", return_value=None):
            self.assertIsInstance(argand.show(IMAGE), argand.View)

    def test_sliders(self):
        try:
            import ipywidgets
        except ImportError as error:
            self.skipTest(str(error))
        seen = view(IMAGE)
        box = seen.widget()
        coil, slice_, part, window, picture = box.children
        self.assertIsInstance(coil, ipywidgets.IntSlider)
        self.assertEqual([c.description for c in box.children[:4]], ["coil", "slice", "part", "window"])
        self.assertEqual(picture.value, seen.png((0, 2)))
        coil.value, slice_.value = 2, 3
        self.assertEqual(picture.value, seen.png((2, 3)))
        part.value, window.value = "imaginary", (0.1, 1.5)
        self.assertEqual(picture.value, seen.png((2, 3), "imaginary", *window.value))
        self.assertEqual([type(c) for c in view(abs(IMAGE[0, 0])).widget().children], [ipywidgets.FloatRangeSlider, ipywidgets.Image])


class Kernel:
    """What IPython shows of a running solve."""

    def __init__(self):
        self.pages = []

    def display(self, thing, display_id):
        self.pages.append(thing._repr_html_())
        return self

    def update(self, thing):
        self.pages.append(thing._repr_html_())


def solve(**options):
    maps = argand.birdcage((4, 24, 24))
    kspace = argand.fftn(argand.phantom((24, 24)) * maps, axes=(1, 2), centred=True)
    kspace[:, 1::2] = 0
    return argand.sense(kspace, maps=maps, iterations=6, tolerance=1e-12, device="cpu", progress=True, **options)


class Progress(unittest.TestCase):
    def lines(self, is_terminal):
        stream = io.StringIO()
        stream.isatty = lambda: is_terminal
        with mock.patch("sys.stderr", stream), mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}):
            solve()
        return stream.getvalue()

    def test_a_line_in_a_terminal(self):
        written = self.lines(True)
        self.assertTrue(written.startswith("\r") and written.endswith("\n"))
        self.assertRegex(written.split("\r")[-1], r"^SENSE: iteration 6 of at most 6, residual [\d.e-]+, \d\.\d s *\n$")

    def test_the_last_line_in_a_file(self):
        self.assertRegex(self.lines(False), r"^SENSE: iteration 6 of at most 6, residual [\d.e-]+, \d\.\d s\n$")

    def test_a_plot_in_a_notebook(self):
        kernel = Kernel()
        module = types.SimpleNamespace(display=kernel.display)
        with mock.patch("argand._progress.in_notebook", return_value=True), mock.patch.dict(sys.modules, {"IPython.display": module}):
            result = solve()
        self.assertEqual(kernel.pages[0], "")
        self.assertEqual(Balanced(kernel.pages[-1]).open, [])
        self.assertIn("iteration 6 of at most 6", kernel.pages[-1])
        self.assertEqual(kernel.pages[-1].split('points="')[1].split('"')[0].count(","), len(result.residuals))

    def test_too_often_is_left_out(self):
        """The clock stands still: only the first of each stage is shown, and the last state."""
        shown = []
        with mock.patch("time.monotonic", return_value=1.0):
            display = _progress.Display("solve")
            display.show = shown.append
            for i in range(5):
                display.step(argand.Progress(i, 4, 1 / (i + 1), 1.0, 0.0, 0.0))
            display.close()
        self.assertEqual([line.split(",")[0] for line in shown], ["solve: iteration 0 of at most 4", "solve: iteration 4 of at most 4"])

    def test_no_notebook_here(self):
        self.assertFalse(_progress.in_notebook())


if __name__ == "__main__":
    unittest.main()
