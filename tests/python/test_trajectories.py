# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories made in Python: against SigPy's, pypulseq's own k-space, closed forms and the neighbourhood of every point of k-space."""

import os
import tempfile
import unittest

import argand
import numpy as np
from argand import trajectory

try:
    import pypulseq
except ImportError:
    pypulseq = None


def farthest(points, n):
    """The greatest distance from a point in the circle (or ball) of radius n/2 - 1 to a sample."""
    samples = points.reshape(-1, points.shape[-1])
    rng = np.random.default_rng(3)
    at = rng.uniform(-n / 2, n / 2, (300, samples.shape[1]))
    at = at[np.linalg.norm(at, axis=1) < n / 2 - 1]
    return max(np.linalg.norm(samples - one, axis=1).min() for one in at)


class Plane(unittest.TestCase):
    def test_epi(self):
        points, times = trajectory.epi((6, 8), shots=3, readout_s=0.0007, gap_s=0.0002, echo_s=0.01)
        wanted = argand.trajectory.cartesian((6, 8))[0].reshape(-1, 2)
        self.assertEqual({tuple(p) for p in points.reshape(-1, 2)}, {tuple(p) for p in wanted})
        self.assertTrue((np.diff(points[:, :8, 1]) == 1).all() and (np.diff(points[:, 8:, 1]) == -1).all())
        self.assertTrue((np.diff(times) > 0).all())
        np.testing.assert_allclose(times[:, 8] - times[:, 7], 0.0002)
        np.testing.assert_allclose(times[np.abs(points).sum(-1) == 0], 0.01)
        half = trajectory.epi((8, 8), acceleration=2)[0]
        self.assertEqual(sorted(set(half[0, :, 0])), [-4, -2, 0, 2])
        stack = trajectory.epi((3, 6, 8))[0]
        self.assertEqual((stack.shape, sorted(set(stack[..., 0].ravel()))), ((3, 1, 48, 3), [-1, 0, 1]))

    def test_odd_counts(self):
        """Samples of an odd number have the spacing of one cycle, and lie evenly about the centre."""
        across = np.arange(9) - 4
        points, _ = trajectory.epi((9, 9))
        np.testing.assert_allclose(points.reshape(9, 9, 2)[0, :, 1], across, atol=1e-12)
        points, _ = trajectory.propeller((9, 9), blades=2, lines=1)
        np.testing.assert_allclose(points, [np.stack([0 * across, across], -1), np.stack([across, 0 * across], -1)], atol=1e-12)
        points, _ = trajectory.radial_3d((9, 9, 9), spokes=5, samples=9)
        np.testing.assert_allclose(np.linalg.norm(points, axis=-1), np.broadcast_to(abs(across), (5, 9)), atol=1e-12)

    def test_full_sampling(self):
        """By default every point of the circle has a sample near; half a cell's diagonal is 0.71."""
        for kind, nearest in [(trajectory.propeller, 0.72), (trajectory.spiral_through, 1.0), (trajectory.rosette, 1.0)]:
            self.assertLess(farthest(kind((32, 32))[0], 32), nearest, kind.__name__)

    def test_propeller(self):
        points, _ = trajectory.propeller((32, 32), blades=5, lines=4)
        blades = (points.reshape(5, 4, 32, 2) @ np.array([1j, 1])) * np.exp(-1j * np.pi / 5 * np.arange(5))[:, None, None]
        np.testing.assert_allclose(blades, np.broadcast_to(blades[0], blades.shape), atol=1e-12)
        np.testing.assert_allclose(blades[0].imag, np.broadcast_to([[-1.5], [-0.5], [0.5], [1.5]], (4, 32)), atol=1e-12)

    def test_spirals_through_the_centre(self):
        out, t = trajectory.spiral((32, 32), shots=3)
        for order, middle in [("in-out", 0), ("out-in", abs(out[:, -1]))]:
            points, times = trajectory.spiral_through((32, 32), order, shots=3)
            at = points.shape[1] // 2
            np.testing.assert_allclose(abs(points[:, at]), middle * np.ones_like(points[:, at]), atol=1e-12)
            self.assertTrue((np.diff(times) > 0).all())
            steps = np.linalg.norm(np.diff(points, axis=1), axis=-1)
            np.testing.assert_allclose(steps, steps[:, ::-1], atol=1e-9)  # the same speeds, in reverse
        np.testing.assert_allclose(points[:, -1], 0, atol=1e-12)
        inside = argand.trajectory.spiral_through((32, 32), shots=3)
        found = trajectory.gradients(*inside, (32, 32))
        alone = trajectory.gradients(out, t, (32, 32))
        self.assertLess(found.slew_norm, 1.01 * alone.slew_norm)

    def test_images_come_back(self):
        """A picture sampled along them is reconstructed: no axis is exchanged, no point is elsewhere."""
        image = argand.phantom((24, 24))
        for kind in (trajectory.epi, trajectory.propeller, trajectory.rosette, trajectory.spiral_through):
            k, _ = kind((24, 24))
            found = argand.solve(argand.NUFFT(k, (24, 24)), argand.nufft2(image, k), iterations=40)
            self.assertLess(np.linalg.norm(found - image) / np.linalg.norm(image), 0.2, kind.__name__)


class Volume(unittest.TestCase):
    def test_golden_means(self):
        try:
            import sigpy.mri
        except ImportError as error:
            self.skipTest(str(error))
        ours, _ = trajectory.radial_3d((8, 12, 16), spokes=50, samples=20, out=True)
        np.testing.assert_allclose(ours, sigpy.mri.radial((50, 20, 3), (8, 12, 16)), atol=1e-9)

    def test_spokes(self):
        for golden in (True, False):
            points, times = trajectory.radial_3d((12, 12, 12), golden=golden, echo_s=0.01)
            self.assertLess(farthest(points, 12), 0.87)  # half the diagonal of a cell
            np.testing.assert_allclose(np.linalg.norm(points[:, 0], axis=-1), 6)
            np.testing.assert_allclose(times[np.abs(points).sum(-1) == 0], 0.01)

    def test_cones(self):
        points, times = trajectory.cones((12, 12, 12), turns=2)
        self.assertLess(farthest(points, 12), 1.2)
        radius = np.linalg.norm(points, axis=-1)
        np.testing.assert_allclose(radius, np.broadcast_to(np.linspace(0, 6, radius.shape[1]), radius.shape), atol=1e-12)
        self.assertTrue((times[:, 0] == 0).all())


class Gradients(unittest.TestCase):
    def test_sines(self):
        """k = K sin(w t) asks for K w / (gamma FOV) and K w^2 / (gamma FOV)."""
        t = np.linspace(0, 0.01, 4001)
        k = np.stack([8 * np.sin(2 * np.pi * 300 * t), 100 * t], axis=-1)
        found = trajectory.gradients(k, t, (16, 32), (0.1, 0.2))
        w, gamma = 2 * np.pi * 300, 42.577478518e6
        self.assertAlmostEqual(found.gradient / (8 * w / gamma / 0.1), 1, 4)
        self.assertAlmostEqual(found.slew / (8 * w**2 / gamma / 0.1), 1, 4)
        square = trajectory.gradients(k, t, (16, 32), 0.2)  # of the longer axis: the same 0.1 m along y
        np.testing.assert_allclose(square, found)
        for name, limit in [("gradient", {"gradient_limit": 1e-4}), ("slew rate", {"slew_limit": 1.0})]:
            with self.assertRaisesRegex(ValueError, f"needs a {name} of .*, above the limit of"):
                trajectory.gradients(k, t, (16, 32), 0.2, **limit)

    def test_picture(self):
        image = trajectory.picture(trajectory.cartesian((8, 8))[0], 64)
        self.assertEqual((image.shape, image.max()), ((64, 64), 1))
        self.assertTrue(image[0].any() and not image[4].any())  # lines, and between them nothing


@unittest.skipIf(pypulseq is None, "pypulseq is not there")
class Pulseq(unittest.TestCase):
    N, FOV = 16, 0.2

    def sequence(self):
        """Excitation and an EPI readout, as of pypulseq's examples."""
        n, step = self.N, 1 / self.FOV
        system = pypulseq.Opts(max_grad=32, grad_unit="mT/m", max_slew=130, slew_unit="T/m/s", adc_dead_time=10e-6)
        seq = pypulseq.Sequence(system=system)
        pulse = pypulseq.make_block_pulse(flip_angle=np.pi / 2, duration=1e-3, system=system, use="excitation")
        line = pypulseq.make_trapezoid("x", flat_area=n * step, flat_time=n * 1e-5, system=system)
        back = pypulseq.scale_grad(line, -1)
        adc = pypulseq.make_adc(num_samples=n, dwell=1e-5, delay=line.rise_time, system=system)
        first = [pypulseq.make_trapezoid("x", area=-line.area / 2 - step / 2, system=system),
                 pypulseq.make_trapezoid("y", area=-n / 2 * step, system=system)]  # fmt: skip
        blip = pypulseq.make_trapezoid("y", area=step, system=system)
        seq.add_block(pulse)
        seq.add_block(*first)
        for i in range(n):
            seq.add_block(line if i % 2 == 0 else back, adc)
            if i + 1 < n:
                seq.add_block(blip)
        return seq

    def test_epi(self):
        seq, n = self.sequence(), self.N
        with self.assertRaisesRegex(ValueError, 'no definition "FOV"'):
            trajectory.read_pulseq(seq, (n, n))
        seq.set_definition("FOV", [self.FOV, self.FOV, 0.005])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "epi.seq")
            seq.write(path)
            points, times = trajectory.read_pulseq(path, (n, n))
        turn = times[1, 0] - times[0, -1]
        wanted, when = trajectory.epi((n, n), readout_s=(n - 1) * 1e-5, gap_s=turn)
        np.testing.assert_allclose(points.reshape(wanted[0].shape), wanted[0], atol=0.05)
        np.testing.assert_allclose(np.diff(times.ravel()), np.diff(when[0]), atol=1e-9)
        at = np.asarray(seq.calculate_kspace()[0])
        np.testing.assert_allclose(points.reshape(-1, 2), at[[1, 0]].T * self.FOV, atol=1e-3)
        self.assertTrue(0.0005 < times[0, 0] < 0.003)

    def test_refused(self):
        seq, n = self.sequence(), self.N
        for pattern, call in [
            ("beyond half of shape", lambda: trajectory.read_pulseq(seq, (n // 2, n), self.FOV)),
            ("no readout of 7 samples, but of", lambda: trajectory.read_pulseq(seq, (n, n), self.FOV, samples=7)),
            ("lengths in m are needed", lambda: trajectory.read_pulseq(seq, (n, n), 200)),
        ]:
            with self.assertRaisesRegex(ValueError, pattern):
                call()


class Refused(unittest.TestCase):
    def test_arguments(self):
        for pattern, call in [
            ("shots: 8 lines are not divided evenly over 3", lambda: trajectory.epi((8, 8), shots=3)),
            ("of volumes", lambda: trajectory.radial_3d((8, 8))), ("of images", lambda: trajectory.epi((8,))),
            ("echo_s: a shot's first sample is", lambda: trajectory.epi((8, 8), echo_s=1e-5)), ("turns: 0 or more", lambda: trajectory.cones((8, 8, 8), turns=-1)),
            ("order is one of 'in-out', 'out-in'", lambda: trajectory.spiral_through((8, 8), "in")), ("readout_s: a number above 0", lambda: trajectory.rosette((8, 8), readout_s=0)),
        ]:  # fmt: skip
            with self.assertRaisesRegex(ValueError, pattern):
                call()


if __name__ == "__main__":
    unittest.main()
