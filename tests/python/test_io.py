# SPDX-License-Identifier: BSD-3-Clause
"""Files against NumPy, nibabel and h5py; pictures and reports."""

import importlib.util
import pathlib
import pickle
import tempfile
import unittest

import argand
import numpy as np

RNG = np.random.default_rng(7)


def needs(module):
    return unittest.skipUnless(importlib.util.find_spec(module), f"no {module}")


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.image = RNG.standard_normal((3, 5, 7)).astype(np.float32)

    def test_trajectory_of_an_earlier_version(self):
        """A sidecar of the tool says that a .npy begins with x."""
        points = RNG.standard_normal((4, 6, 2))
        np.save(self.path / "t.npy", points[..., ::-1])
        for dims, wanted in [("[2, 6, 4]", points), ("[3, 6, 4]", points[..., ::-1])]:
            told = f'{{"Argand": {{"Kind": "trajectory", "Axes": "k, sample, acquisition", "Dimensions": {dims}}}}}'
            (self.path / "t.json").write_text(told)
            np.testing.assert_array_equal(argand.read_trajectory(self.path / "t.npy"), wanted)

    def test_pickled_scan(self):
        points, _ = argand.trajectory.radial((8, 8), spokes=5)
        argand.write_scan(self.path / "p.h5", np.ones((2, *points.shape[:-1]), np.complex64), points, shape=(8, 8))
        scan = argand.read_scan(self.path / "p.h5")
        again = pickle.loads(pickle.dumps(scan))
        np.testing.assert_array_equal(again[3].data, scan[3].data)
        scan._folder = self.folder
        with self.assertRaisesRegex(TypeError, "in a temporary file is not pickled"):
            pickle.dumps(scan)

    def test_npy(self):
        for dtype in ["f4", "f8", "c8", "c16"]:
            x = self.image.astype(dtype)
            argand.write(self.path / "a.npy", x.transpose(2, 0, 1))
            np.testing.assert_array_equal(np.load(self.path / "a.npy"), x.transpose(2, 0, 1))
            np.save(self.path / "b.npy", np.asfortranarray(x))
            got = argand.read(self.path / "b.npy")
            self.assertEqual(got.dtype, x.dtype)
            np.testing.assert_array_equal(got, x)

    def test_cfl(self):
        x = self.image + 1j
        argand.write(self.path / "a.cfl", x)
        raw = np.fromfile(self.path / "a.cfl", np.complex64)
        np.testing.assert_array_equal(raw, x.ravel())
        dims = (self.path / "a.hdr").read_text().split("\n")[1].split()
        self.assertEqual(dims[:3], ["7", "5", "3"])
        np.testing.assert_array_equal(argand.read(self.path / "a.cfl").reshape(x.shape), x)

    @needs("nibabel")
    def test_nifti(self):
        import nibabel

        geometry = argand.Geometry((1.0, 2.0, 3.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (4.0, 5.0, 6.0))
        argand.write_nifti(self.path / "a.nii.gz", self.image, geometry)
        seen = nibabel.load(self.path / "a.nii.gz")
        np.testing.assert_array_equal(np.asarray(seen.dataobj), self.image.T)
        np.testing.assert_allclose(np.linalg.norm(seen.affine[:3, :3], axis=0), [1, 2, 3])
        centre = seen.affine @ [7 // 2, 5 // 2, 3 // 2, 1]
        np.testing.assert_allclose(centre[:3], [-4, -5, 6])  # LPS to RAS
        image, found = argand.read_nifti(self.path / "a.nii.gz")
        np.testing.assert_array_equal(image, self.image)
        np.testing.assert_allclose(found.centre, geometry.centre, atol=1e-5)
        np.testing.assert_array_equal(argand.read(self.path / "a.nii.gz"), self.image)

    def test_nifti_without_sform(self):
        """An sform of zeros: the qform's place, and a warning."""
        geometry = argand.Geometry((1.0, 2.0, 3.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (4.0, 5.0, 6.0))
        argand.write_nifti(self.path / "a.nii", self.image, geometry)
        raw = bytearray((self.path / "a.nii").read_bytes())
        raw[280:328] = bytes(48)
        (self.path / "a.nii").write_bytes(raw)
        with self.assertWarnsRegex(UserWarning, "the qform is taken"):
            found = argand.read_nifti(self.path / "a.nii")[1]
        np.testing.assert_allclose(found.centre, geometry.centre, atol=1e-5)

    def test_geometry_is_checked(self):
        axes = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0))
        for voxel in [(1, 1), (1, 1, 1, 1), (1, 1, np.nan), (1, 1, 0)]:
            with self.assertRaisesRegex(ValueError, "^geometry.voxel: three positive numbers"):
                argand.write_nifti(self.path / "a.nii", self.image, argand.Geometry(voxel, *axes))
        with self.assertRaisesRegex(TypeError, "^geometry: an argand.Geometry"):
            argand.write_nifti(self.path / "a.nii", self.image, (1, 2))
        argand.write_nifti(self.path / "a.nii", self.image, argand.read_nifti(self._plain())[1])

    def _plain(self):
        """A file that does not say where its image lies."""
        argand.write(self.path / "plain.nii", self.image)
        return self.path / "plain.nii"

    @needs("h5py")
    def test_ismrmrd(self):
        import h5py

        n = 32
        points, times = argand.trajectory.radial((n, n), spokes=40, echo_s=0.01)
        maps, field = argand.birdcage((4, n, n)), argand.head_field((n, n), field_range_hz=8)
        kspace = argand.field_dft(argand.phantom((n, n)) * maps, points, times, field)
        argand.write_scan(self.path / "a.h5", kspace, points, times, maps=maps, field_map=field)
        with h5py.File(self.path / "a.h5") as file:
            row = file["dataset/data"][7]
            np.testing.assert_allclose(row["data"].view(np.complex64).reshape(4, -1), kspace[:, 7], rtol=1e-5, atol=1e-5)
            trajectory = row["traj"].reshape(len(points[7]), -1)
            np.testing.assert_allclose(trajectory[:, :2], points[7][:, ::-1], atol=1e-5)
        scan = argand.read_scan(self.path / "a.h5")
        self.assertEqual((len(scan), scan.channels, scan.matrix), (40, 4, (1, n, n)))
        np.testing.assert_allclose(scan[7].data, kspace[:, 7], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(scan[7].points[:, 1:], points[7], atol=1e-5)
        np.testing.assert_array_equal(scan[-1].data, scan[39].data)
        np.testing.assert_allclose(scan[7].times, times[7], atol=1e-6)
        np.testing.assert_allclose(np.squeeze(scan.arrays["FieldMap"]), field, rtol=1e-5, atol=1e-4)
        self.assertEqual(argand.read_scan(self.path / "a.h5", k_unit="cycles").matrix, (1, n, n))
        with self.assertRaisesRegex(ValueError, "k_unit"):
            argand.read_scan(self.path / "a.h5", k_unit="miles")
        images = scan.sense(iterations=15, regularize="quadratic:0.001")
        direct = argand.sense(kspace, points, maps, times=times, field_map=field, iterations=15, regularize="quadratic:0.001")
        self.assertEqual(images.shape, (1, 1, n, n))
        self.assertLess(np.linalg.norm(images[0, 0] - direct) / np.linalg.norm(direct), 1e-3)
        with self.assertRaises(IndexError):
            scan[40]
        with self.assertRaisesRegex(TypeError, "^sense has no argument 'iteration': did you mean iterations"):
            scan.sense(iteration=3)
        for name, wrong in [("maps", {"maps": maps[:2]}), ("field_map", {"maps": maps, "field_map": field[1:]})]:
            with self.assertRaisesRegex(ValueError, f"^{name} has the shape"):
                argand.write_scan(self.path / "b.h5", kspace, points, times, shape=(n, n), **wrong)

    @needs("h5py")
    def test_fastmri(self):
        """Lines along width, those that the mask leaves out and those of zeros not among them; the truth as [slice, 1, y, x]."""
        import h5py

        kspace = (RNG.standard_normal((2, 3, 8, 6)) + 1j).astype(np.complex64)
        kspace[..., 5] = 0
        truth = RNG.standard_normal((2, 4, 6)).astype(np.float32)
        with h5py.File(self.path / "a.h5", "w") as file:
            file["kspace"], file["mask"], file["reconstruction_rss"] = kspace, np.array([1, 0, 1, 1, 1, 1], np.uint8), truth
        scan = argand.read_scan(self.path / "a.h5")
        self.assertEqual((len(scan), scan.channels, scan.matrix), (8, 3, (1, 6, 8)))
        self.assertEqual([(a.counters["slice"], a.counters["shot"]) for a in scan.acquisitions], [(s, w) for s in (0, 1) for w in (0, 2, 3, 4)])
        for a in scan.acquisitions:
            np.testing.assert_array_equal(a.data, kspace[a.counters["slice"], :, :, a.counters["shot"]])
            np.testing.assert_array_equal(a.points[:, 1:], np.stack([np.full(8, a.counters["shot"] - 3.0), np.arange(8) - 4.0], -1))
        np.testing.assert_array_equal(scan.arrays["reconstruction_rss"][:, 0], truth.transpose(0, 2, 1))

    @needs("h5py")
    def test_embedded_calibration(self):
        """Lines that calibrate alone and lie between the image's lines are among `acquisitions`; doubled ones are not."""
        import h5py

        n, lines = 16, [0, 4, 6, 7, 8, 9, 12]
        points = np.stack(np.broadcast_arrays((np.arange(n) - n // 2)[None], np.array(lines)[:, None] - n // 2), -1)[..., ::-1]
        kspace = (RNG.standard_normal((2, len(lines), n)) + 1j).astype(np.complex64)
        argand.write_scan(self.path / "a.h5", kspace, points.astype(np.float32), np.zeros((len(lines), n), np.float32), shape=(n, n))
        for doubled in False, True:
            with h5py.File(self.path / "a.h5", "r+") as file:
                xml = file["dataset/xml"][0].decode().replace("<trajectory>other", "<trajectory>cartesian")
                file["dataset/xml"][0] = xml
                rows = file["dataset/data"][...]
                rows["head"]["idx"]["kspace_encode_step_1"] = [8 if doubled and i == 7 else i for i in lines]
                rows["head"]["flags"] = [1 << 19 if i in (6, 7, 9) else 0 for i in lines]
                file["dataset/data"][...] = rows
            scan = argand.read_scan(self.path / "a.h5")
            self.assertEqual((scan.embedded, len(scan), len(scan.calibrations)), (not doubled, 4 if doubled else 7, 3))
            if not doubled:
                self.assertEqual([a.counters["shot"] for a in scan.acquisitions], lines)
                np.testing.assert_allclose(scan[2].data, kspace[:, 2], rtol=1e-6)
        self.assertEqual((scan.noise, scan.navigators, scan.corrections), ([], [], []))

    def test_missing_and_damaged(self):
        with self.assertRaisesRegex(argand.errors.FileError, "nothing.npy"):
            argand.read(self.path / "nothing.npy")
        with self.assertRaises(OSError):
            argand.read_scan(self.path / "nothing.h5")
        np.save(self.path / "bad.npy", self.image)
        whole = (self.path / "bad.npy").read_bytes()
        (self.path / "bad.npy").write_bytes(whole[:-10])
        with self.assertRaises(argand.errors.FormatError):
            argand.read(self.path / "bad.npy")
        with self.assertRaises(ValueError):
            argand.write(self.path / "a.what", self.image)

    def test_pictures(self):
        argand.write_png(self.path / "a.png", self.image + 1j, ["one", "two"])
        self.assertEqual((self.path / "a.png").read_bytes()[:4], b"\x89PNG")
        argand.write_report(
            self.path / "a.html", "A <title>", {"Image": self.image + 1j}, maps={"Field": self.image}, figures={"Error": 0.1},
            facts={"Coils": 8}, notes="One.\nTwo.", curves={"residual": [1, 0.1, 0.01]},
        )  # fmt: skip
        with self.assertRaisesRegex(TypeError, "^captions: a list of texts"):
            argand.write_png(self.path / "a.png", self.image, "Phantom")
        with self.assertRaisesRegex(TypeError, "^images: a dict by titles"):
            argand.write_report(self.path / "b.html", "A title", [self.image])
        page = (self.path / "a.html").read_text()
        for words in ["A &lt;title&gt;", "Coils", "Two."]:
            self.assertIn(words, page)

    @needs("matplotlib")
    def test_show(self):
        import matplotlib

        matplotlib.use("Agg")
        figure = argand.show(self.image, ["a", "b", "c"])
        shown = [a.images[0].get_array() for a in figure.axes if a.images]
        self.assertEqual(len(shown), 3)
        np.testing.assert_array_equal(shown[1], self.image[1])


if __name__ == "__main__":
    unittest.main()
