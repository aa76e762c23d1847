# SPDX-License-Identifier: BSD-3-Clause
"""One order of axes and components: arrays of Python that the tool reads, and of the tool that Python reads, give the same image."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import argand
import numpy as np

NY, NX, COILS = 20, 28, 3
TOOL = pathlib.Path(os.environ["ARGAND_LIBRARY"]).parent.parent / "argand"


def error(a, b):
    return np.linalg.norm(a - b) / np.linalg.norm(b)


def scene(shape):
    """An object without any symmetry, and coil maps."""
    at = np.meshgrid(*[np.linspace(-1, 1, n) for n in shape], indexing="ij")
    y, x = at[-2:]
    image = ((x / 0.9) ** 2 + (y / 0.7) ** 2 < 1) * (1 + 0.5 * x + 0.3 * y) + 1.5 * ((x - 0.4) ** 2 + (y + 0.2) ** 2 < 0.05)
    maps = np.array([np.exp(-((x - np.cos(a)) ** 2) - (y - np.sin(a)) ** 2 + 1j * a * x) for a in np.arange(COILS) * 2.0])
    if len(shape) == 3:
        image = image * (1 + 0.4 * at[0])
    return image.astype(np.complex64), (maps / np.sqrt((abs(maps) ** 2).sum(axis=0))).astype(np.complex64)


def lines(shape):
    """An echo-planar readout: lines along x, there and back."""
    points, _ = argand.trajectory.cartesian(shape)
    points[1::2] = points[1::2, ::-1]
    return points


TRAJECTORIES = {
    "spiral": lambda: argand.trajectory.spiral((NY, NX), shots=6)[0],
    "radial": lambda: argand.trajectory.radial((NY, NX), spokes=40)[0],
    "lines": lambda: lines((NY, NX)),
    "random": lambda: np.random.default_rng(1).uniform([-NY / 2, -NX / 2], [NY / 2, NX / 2], (40, 60, 2)),
    "stack": lambda: argand.trajectory.spiral((4, NY, NX), shots=6)[0],
}


@unittest.skipUnless(TOOL.exists(), "the tool was not built")
class Order(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def tool(self, *words, code=0):
        done = subprocess.run([TOOL, *words], cwd=self.path, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def reconstruct(self, *words):
        self.tool("sense", "--kspace", "k.npy", "image.npy", "--coil-maps", "maps.npy", "--part", "complex", "--density", "none", "-n", "20",
                  "--device", "cpu", "-q", *words)  # fmt: skip
        return np.squeeze(np.load(self.path / "image.npy"))

    def test_the_tool_reads_what_python_saved(self):
        for name, make in TRAJECTORIES.items():
            points = make()
            shape = (4, NY, NX) if points.shape[-1] == 3 else (NY, NX)
            image, maps = scene(shape)
            kspace = argand.nufft2(image * maps, points, tolerance=1e-6).astype(np.complex64)
            ours = argand.sense(kspace, points, maps, density="none", iterations=20, device="cpu")
            self.assertLess(error(ours, image), 0.25, name)
            for file, array in {"k": kspace, "t": points, "maps": maps}.items():
                np.save(self.path / f"{file}.npy", array)
            argand.write_trajectory(self.path / "t.cfl", points)
            matrix = "x".join(str(n) for n in shape[::-1])
            for file in "t.npy", "t.cfl":
                with self.subTest(name, file=file):
                    self.assertLess(error(self.reconstruct("--trajectory", file, "--matrix", matrix), ours), 1e-3)
            np.testing.assert_allclose(argand.read_trajectory(self.path / "t.cfl"), points, atol=1e-5)

    def test_python_reads_what_the_tool_wrote(self):
        self.tool("simulate", "s.h5", "-x", "24", "-c", "3", "--trajectory", "spiral", "--shots", "4", "--field-range", "0", "-q")
        for name in "kspace", "trajectory", "SENSEMap":
            self.tool("convert", f"s.h5:{name}", f"{name}.npy", "-q")
        self.tool("convert", "s.h5:trajectory", "t.cfl", "-q")
        self.tool("sense", "s.h5", "image.npy", "-n", "8", "--density", "none", "--part", "complex", "--device", "cpu", "-q")
        kspace, points, maps = [np.load(self.path / f"{name}.npy") for name in ("kspace", "trajectory", "SENSEMap")]
        np.testing.assert_array_equal(argand.read_trajectory(self.path / "t.cfl"), points)
        image = argand.sense(kspace, points, np.squeeze(maps), density="none", iterations=8, device="cpu")
        self.assertLess(error(image, np.squeeze(np.load(self.path / "image.npy"))), 1e-3)

    def test_an_order_that_contradicts_the_positions_is_refused(self):
        points = lines((NY, NX))
        stack = argand.trajectory.spiral((4, NY, NX), shots=6)[0]
        flat = np.concatenate([points, np.zeros_like(points[..., :1])], axis=-1)
        for name, wrong, words in [
            ("lines", points[..., ::-1], "readouts would run along y"), ("stack", stack[..., ::-1], "as kz of a stack is"),
            ("flat", flat, "as kz of a single slice is"),
        ]:  # fmt: skip
            np.save(self.path / "k.npy", np.ones((2, *wrong.shape[:-1]), np.complex64))
            np.save(self.path / "t.npy", wrong)
            with self.subTest(name):
                said = self.tool("pack", "s.h5", "--kspace", "k.npy", "--trajectory", "t.npy", code=1)
                self.assertIn(words, said)
                self.assertIn("ARGAND_K_ORDER_XYZ (--k-order xyz) if kx comes first, or ARGAND_K_ORDER_ZYX (--k-order zyx)", said)
                self.tool("pack", "s.h5", "--kspace", "k.npy", "--trajectory", "t.npy", "--k-order", "zyx", "--k-unit", "cycles")


if __name__ == "__main__":
    unittest.main()
