# SPDX-License-Identifier: BSD-3-Clause
"""Results of reconstructions: arrays as before, with a report that is true, prints and shows itself."""

import base64
import copy
import html.parser
import pickle
import re
import struct
import tempfile
import unittest
import zlib

import argand
import numpy as np
from argand import _html

N = 32
PHANTOM = argand.phantom((N, N))
MAPS = argand.birdcage((4, N, N))
KSPACE = argand.fftn(PHANTOM * MAPS, axes=(1, 2), centred=True)
KSPACE[:, 1::2] = 0


def solve(**options):
    return argand.sense(KSPACE, maps=MAPS, iterations=4, tolerance=1e-12, device="cpu", **options)


def pixels(png):
    """The bytes of a PNG in greys without filters, read apart from the code that wrote it."""
    at, parts = 8, {}
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(name + data)
        parts[name], at = data, at + 12 + length
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()
    return rows[:, 1:]


class Balanced(html.parser.HTMLParser):
    """Collects tags that were opened and not closed, and the text."""

    def __init__(self, page):
        super().__init__()
        self.open, self.text = [], ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag not in ("img", "path", "polyline", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        self.text += data


class AsArray(unittest.TestCase):
    def setUp(self):
        self.result = solve()
        self.plain = np.array(self.result.image)

    def test_is_an_array(self):
        r, plain = self.result, self.plain
        self.assertIsInstance(r, np.ndarray)
        self.assertIs(type(plain), np.ndarray)
        self.assertEqual((r.shape, r.dtype, r.ndim), (plain.shape, plain.dtype, 2))
        self.assertTrue(np.shares_memory(r.image, r))
        for got, wanted in [
            (np.abs(r), np.abs(plain)), (r * 2, plain * 2), (r - PHANTOM, plain - PHANTOM), (r[3:5, ::2], plain[3:5, ::2]), (r.T, plain.T),
            (r[PHANTOM == 0], plain[PHANTOM == 0]), (np.asarray(r), plain), (np.stack([r, r])[1], plain), (r.real, plain.real),
            (r.sum(axis=0), plain.sum(axis=0)), (argand.fftn(r), argand.fftn(plain)), (r.reshape(-1), plain.ravel()), (r.conj(), plain.conj()),
        ]:  # fmt: skip
            np.testing.assert_array_equal(got, wanted)
        self.assertEqual(r.sum(), plain.sum())
        self.assertIs(type(r.sum()), np.complex128)
        for derived in (np.abs(r), r * 2, r[3:5], np.asarray(r), abs(r) > 0, r.sum(axis=0), r == plain, r @ r):
            self.assertIs(type(derived), np.ndarray)

    def test_changed_in_place(self):
        r = self.result
        r[0, 0] = 7
        self.assertEqual(r.image[0, 0], 7)
        r += 1
        np.testing.assert_array_equal(r[1:], self.plain[1:] + 1)

    def test_what_is_computed_from_it_has_no_report(self):
        derived = self.result.reshape(-1)
        self.assertEqual(repr(derived), repr(self.plain.reshape(-1)))
        self.assertIn("<pre>", getattr(derived, "_repr_html_", lambda: "<pre>")())
        with self.assertRaisesRegex(AttributeError, "computed from a result"):
            derived.report
        with self.assertRaisesRegex(AttributeError, "full=True"):
            self.result.maps

    def test_kept_and_copied(self):
        for again in (pickle.loads(pickle.dumps(self.result)), copy.deepcopy(self.result), self.result.copy(), copy.copy(self.result)):
            np.testing.assert_array_equal(again, self.plain)
            self.assertEqual(again.report, self.result.report)
        with tempfile.TemporaryDirectory() as folder:
            np.save(folder + "/a.npy", self.result)
            np.testing.assert_array_equal(np.load(folder + "/a.npy"), self.plain)
            argand.write(folder + "/b.npy", self.result)
            np.testing.assert_array_equal(np.load(folder + "/b.npy"), self.plain)


class Told(unittest.TestCase):
    def test_residuals_are_those_of_the_operators(self):
        """Against the residual of each iterate, from the transform and the maps themselves."""
        for n in (1, 3):
            r = argand.sense(KSPACE, maps=MAPS, iterations=n, tolerance=1e-12, device="cpu")
            self.assertEqual((len(r.residuals), r.iterations, r.stop, r.solver), (n + 1, n, "iterations", "cg"))
            y = KSPACE.astype(np.complex64)
            wanted = np.linalg.norm((y - argand.fftn(r * MAPS, axes=(1, 2), centred=True))[:, ::2]) / np.linalg.norm(y)
            self.assertAlmostEqual(r.residuals[-1] / wanted, 1, delta=1e-3)
            self.assertEqual(r.residuals[0], 1)

    def test_report(self):
        r = solve(full=True, regularize="wavelet:0.001")
        report = r.report
        self.assertEqual((report.coil_maps, report.coils, report.regularize), ("given", 4, "wavelet:0.001"))
        self.assertEqual(report.density, "none")
        self.assertEqual(report.device, argand.Device("cpu").info)
        self.assertEqual(r.maps.shape, MAPS.shape)
        self.assertIsNone(r.phase_maps)
        self.assertGreaterEqual(report.seconds, report.solve_seconds)
        for wanted in ("4 coils", "wavelet:0.001", "argand.Result: 32 x 32 complex128", *r.notes.strip().split("\n")):
            self.assertIn(wanted, str(r))
            self.assertIn(wanted, repr(r))
        at = {line.index(value) for line in str(r).split("\n") for name, value in report.rows() if line.startswith(f"  {name} ")}
        self.assertEqual(len(at), 1, "values are not aligned")

    def test_ended_by_the_callback(self):
        r = solve(callback=lambda p: p.iteration < 2)
        self.assertEqual((r.stop, r.iterations, len(r.residuals)), ("callback", 2, 3))
        self.assertIn("the callback ended it", str(r))

    def test_trials_of_a_weight_are_not_iterations(self):
        rng = np.random.default_rng(1)
        noise = 1e-3 * np.abs(KSPACE).max() * (rng.standard_normal(KSPACE.shape) + 1j * rng.standard_normal(KSPACE.shape))
        seen = []
        r = argand.sense(KSPACE + noise, maps=MAPS, regularize="wavelet:auto", iterations=5, callback=seen.append, device="cpu")
        self.assertTrue(any(p.trial for p in seen))
        self.assertEqual([p.iteration for p in r.report.progress], list(range(len(r.residuals))))

    def test_a_scan_knows_its_voxels(self):
        points = argand.trajectory.radial((N, N))[0]
        with tempfile.TemporaryDirectory() as folder:
            argand.write_scan(folder + "/s.h5", argand.nufft2(PHANTOM * MAPS, points), points, maps=MAPS)
            r = argand.read_scan(folder + "/s.h5").sense(iterations=3, device="cpu", full=True)
        self.assertEqual(r.shape, (1, 1, N, N))
        self.assertEqual(r.geometry.voxel[:2], (7.5, 7.5))
        self.assertIn("7.5 x 7.5", str(r))
        self.assertEqual(r.maps.shape, (4, 1, N, N))


class Shown(unittest.TestCase):
    def test_page(self):
        page = solve()._repr_html_()
        seen = Balanced(page)
        self.assertEqual(seen.open, [])
        self.assertIn("argand.Result: 32 x 32", seen.text)
        self.assertIn("Notes", seen.text)
        self.assertNotIn("http", re.sub(r'xmlns="[^"]*"', "", page))
        self.assertEqual(len(re.search(r'points="([^"]*)"', page)[1].split()), 5)  # an iteration each, and the start
        greys = pixels(base64.b64decode(re.search(r"base64,([^\"]*)", page)[1]))
        shown = np.abs(solve().image)
        self.assertLessEqual(np.abs(greys - np.clip(shown / np.percentile(shown, 99.7) * 255, 0, 255)).max(), 1)

    def test_pictures(self):
        volume = np.arange(40.0)[:, None, None] * np.ones((40, 6, 5))
        page = _html.picture(volume)
        self.assertIn("slices 0, 4, 7, ", page)
        self.assertIn("39 of 40", page)
        greys = pixels(base64.b64decode(re.search(r"base64,([^\"]*)", page)[1]))
        self.assertEqual(greys.shape, (3 * 7 - 1, 4 * 6 - 1))
        self.assertEqual(greys[-1, -1], 255)
        self.assertIn("one of 2 pixels", _html.picture(np.ones((1000, 8))))
        self.assertIn("-3 to 3", _html.picture(np.array([[-3.0, 3.0]] * 8)))
        for bad in (np.full((3, 3), np.nan), np.zeros((3, 3)), np.array([[np.inf, 1.0], [2.0, -np.inf]])):
            self.assertIn("<img", _html.picture(bad))
        self.assertEqual(_html.picture(np.zeros((0, 3))), "")
        self.assertEqual(_html.curve([1.0], "x"), "")
        self.assertIn("1e-05", _html.curve([1.0, 0.0, np.nan, 1e-5], "x"))

    def test_text_of_others_is_text(self):
        result = argand.Result(PHANTOM, argand.Report(notes="<script>alert(1)</script>", regularize="<b>"))
        self.assertNotIn("<script", result._repr_html_())
        self.assertNotIn("<b><", result._repr_html_())
        self.assertIn("&lt;script", result._repr_html_())


if __name__ == "__main__":
    unittest.main()
