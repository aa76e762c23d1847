# SPDX-License-Identifier: BSD-3-Clause
"""SENSE of arrays: images come back, fields are corrected, callbacks and Ctrl-C end it."""

import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import unittest
import unittest.mock

import argand
import numpy as np

N = 48
PHANTOM = argand.phantom((N, N))
MAPS = argand.birdcage((6, N, N))


def radial(spokes=60, samples=2 * N):
    """(spokes, samples, 2): y, x."""
    angle = np.pi * np.arange(spokes)[:, None] / spokes
    radius = (np.arange(samples) - samples // 2) * N / samples
    return np.stack([radius * np.sin(angle), radius * np.cos(angle)], axis=-1)


def error(got, wanted):
    return np.linalg.norm(got - wanted) / np.linalg.norm(wanted)


class Sense(unittest.TestCase):
    def test_cartesian_half_of_the_lines(self):
        kspace = argand.fftn(PHANTOM * MAPS, axes=(1, 2), centred=True)
        kspace[:, 1::2] = 0
        result = argand.sense(kspace, maps=MAPS, full=True, tolerance=1e-6, iterations=100)
        self.assertLess(error(result.image, PHANTOM), 1e-4)
        self.assertEqual(result.image.dtype, np.complex128)
        self.assertIn("Cartesian", result.notes)

    def test_joint_maps_are_those_of_the_tool(self):
        tool = pathlib.Path(os.environ["ARGAND_LIBRARY"]).parent.parent / "argand"
        if not tool.exists():
            self.skipTest(f"{tool} was not built")
        points = radial(spokes=16).astype(np.float32)
        kspace = argand.nufft2(PHANTOM * MAPS, points, tolerance=1e-6).astype(np.complex64)
        image = argand.sense(kspace, points, shape=(N, N), coils="joint", iterations=5)
        self.assertLess(error(abs(image), abs(PHANTOM)), 0.3)
        with tempfile.TemporaryDirectory() as folder:
            argand.write(f"{folder}/k.npy", kspace)
            argand.write(f"{folder}/t.npy", points)
            subprocess.run([tool, "sense", "--kspace", "k.npy", "--trajectory", "t.npy", "--matrix", str(N), "--coils", "joint",
                            "-n", "5", "-q", "--device", "cpu", "image.npy"], cwd=folder, check=True)
            self.assertLess(error(np.squeeze(argand.read(f"{folder}/image.npy")), abs(image)), 1e-5)

    def test_threads_are_those_of_before(self):
        """Another call that begins meanwhile does not leave the count of the first behind."""
        device = argand.Device("cpu")
        kspace = argand.fftn(PHANTOM * MAPS, axes=(1, 2), centred=True)
        before, others, begun, ended = device.threads, [], threading.Event(), threading.Event()

        def other():
            argand.sense(kspace, maps=MAPS, iterations=2, threads=before + 2, device=device, callback=lambda _: begun.set() or ended.wait(5))

        def begin(_):
            if not others:
                others.append(threading.Thread(target=other))
                others[0].start()
                begun.wait(0.3)

        argand.sense(kspace, maps=MAPS, iterations=2, threads=before + 1, device=device, callback=lambda p: begin(p) or True)
        ended.set()
        others[0].join()
        self.assertEqual(device.threads, before)

    def test_repetitions_on_a_grid(self):
        tool = pathlib.Path(os.environ["ARGAND_LIBRARY"]).parent.parent / "argand"
        if not tool.exists():
            self.skipTest(f"{tool} was not built")
        images, maps = np.stack([PHANTOM, 2 * PHANTOM]), argand.birdcage((4, N, N))
        kspace = argand.fftn(images[:, None] * maps, axes=(2, 3), centred=True)
        with unittest.mock.patch.dict(os.environ, ARGAND_PROGRAM=str(tool)):
            self.assertLess(error(argand.sense(kspace, maps=maps, device="cpu").image, images), 1e-5)
        volume = argand.sense(kspace, shape=(4, N, N), coils="adaptive", iterations=1)  # two coils, four partitions
        self.assertEqual(volume.shape, (4, N, N))

    def test_points_scattered_over_the_grid(self):
        kspace = argand.fftn(PHANTOM * MAPS, axes=(1, 2), centred=True)
        kspace[:, np.random.default_rng(3).random((N, N)) < 0.4] = 0
        result = argand.sense(kspace, maps=MAPS, tolerance=1e-6, iterations=100, full=True)
        self.assertLess(error(result.image, PHANTOM), 1e-3)
        self.assertIn("% of k-space is exactly 0 in all coils: these samples count as not measured.", result.notes)

    def test_radial_against_a_solve_of_the_operators(self):
        points = radial()
        kspace = argand.nufft2(PHANTOM * MAPS, points).astype(np.complex64)
        image = argand.sense(kspace, points, MAPS, density="none", iterations=30, tolerance=1e-12)
        self.assertEqual((image.shape, image.dtype), ((N, N), np.complex64))
        # twenty-five steps of conjugate gradients written here
        x, r = np.zeros((N, N), complex), None
        op = argand.NUFFT(points, (N, N), batch=(6,))
        adjoint = lambda y: (MAPS.conj() * op.adjoint(y)).sum(axis=0)  # noqa: E731
        r = p = adjoint(kspace)
        for _ in range(30):
            q = adjoint(op(MAPS * p))
            step = np.vdot(r, r) / np.vdot(p, q)
            x, s = x + step * p, r - step * q
            p, r = s + np.vdot(s, s) / np.vdot(r, r) * p, s
        self.assertLess(error(image, x), 5e-3)

    def test_subspace_against_sums(self):
        """Coefficient images of a temporal basis: steps of conjugate gradients with the matrix of all samples."""
        n, spokes = 12, 24
        points, _ = argand.trajectory.radial((n, n), spokes=spokes, golden=True)
        times = np.arange(spokes) % 8 * 0.02
        basis = np.linalg.qr(np.stack([np.exp(-times / 0.05), np.exp(-times / 0.2)], 1))[0].T
        maps, r = argand.birdcage((3, n, n)), (np.arange(n) - n // 2) / n
        waves = np.exp(-2j * np.pi * (points[..., 0, None, None] * r[:, None] + points[..., 1, None, None] * r))
        matrix = np.einsum("ks,sjyx,cyx->csjkyx", basis, waves, maps).reshape(-1, 2 * n * n)
        kspace = matrix @ np.stack([argand.phantom((n, n)), 1j * argand.phantom((n, n))[::-1] / 2]).ravel()
        x, residual = 0, matrix.conj().T @ kspace
        p = residual
        for _ in range(10):
            q = matrix.conj().T @ (matrix @ p)
            step = np.vdot(residual, residual) / np.vdot(p, q)
            x, new = x + step * p, residual - step * q
            p, residual = new + np.vdot(new, new) / np.vdot(residual, residual) * p, new
        kspace, options = kspace.reshape(3, *points.shape[:2]), {"subspace": basis, "density": "none", "iterations": 10}
        result = argand.sense(kspace, points, maps, full=True, **options)
        self.assertLess(error(result.image, x.reshape(2, n, n)), 1e-3)
        self.assertNotIn("The program argand computed this", result.notes)
        self.assertEqual(argand.sense(kspace, points, maps, rank=1, **options).shape, (1, n, n))
        with self.assertRaisesRegex(ValueError, "basis of the shape .columns, times."):
            argand.sense(kspace, points, maps, **(options | {"subspace": basis[0]}))

    def test_field(self):
        points, field = radial(), argand.head_field((N, N), field_range_hz=60)
        times = np.broadcast_to(np.linspace(0, 0.008, points.shape[1]), points.shape[:2])
        r = (np.arange(N) - N // 2) / N
        phase = 2 * np.pi * (points[..., 0, None, None] * r[:, None] + points[..., 1, None, None] * r) + field * times[..., None, None]
        kspace = np.einsum("sjyx,cyx->csj", np.exp(-1j * phase), PHANTOM * MAPS)
        plain = argand.sense(kspace, points, MAPS, iterations=20)
        for transform in ["dft", "segmented"]:
            image = argand.sense(kspace, points, MAPS, times=times, field_map=field, transform=transform, iterations=20)
            self.assertLess(error(image, PHANTOM), 0.1, transform)
            self.assertLess(error(image, PHANTOM), error(plain, PHANTOM) / 2, transform)

    def test_gradients(self):
        """A delay of two samples along x, by the option and by hand; a response of 0.9 along y."""
        points, times = radial(), np.arange(2 * N) * 1e-5 * np.ones((60, 1))
        kspace = argand.nufft2(PHANTOM * MAPS, points).astype(np.complex64)
        late, weak = points.copy(), points.copy()
        late[:, :, 1] = points[:, [0, 0, *range(2 * N - 2)], 1]
        weak[:, :, 0] = points[:, :1, 0] + 0.9 * (points[:, :, 0] - points[:, :1, 0])
        solve = {"maps": MAPS, "iterations": 5, "times": times}
        got = argand.sense(kspace, points, gradient_delay=(0, 2e-5), **solve)
        self.assertLess(error(got, argand.sense(kspace, late, **solve)), 1e-3)
        self.assertGreater(error(got, argand.sense(kspace, points, **solve)), 0.1)
        response = np.array([[0.9], [1.0]]) * np.ones(401)
        got = argand.sense(kspace, points, girf=response, girf_step=500.0, **solve)
        self.assertLess(error(got, argand.sense(kspace, weak, **solve)), 1e-3)
        with self.assertRaisesRegex(ValueError, "need times"):
            argand.sense(kspace, points, MAPS, gradient_delay=1e-6)
        with self.assertRaisesRegex(argand.Error, "girf: the response at 0 Hz, element 200, is 0.5"):
            argand.sense(kspace, points, girf=0.5 * np.ones(401), girf_step=500.0, **solve)

    def test_shots_with_phases(self):
        points, y = radial(48), np.arange(N)[:, None] / N
        phases = np.stack([0.4 * s * np.sin(2 * np.pi * y + s) * np.ones(N) for s in range(4)])
        parts = points.reshape(4, 12 * points.shape[1], 2)
        kspace = np.stack([argand.nufft2(PHANTOM * np.exp(1j * p) * MAPS, k) for p, k in zip(phases, parts)], axis=1)
        image = argand.pcsense(kspace, parts, MAPS, phases, iterations=25)
        self.assertLess(error(image, PHANTOM), 0.15)
        self.assertGreater(error(argand.sense(kspace, parts, MAPS, iterations=25), PHANTOM), 0.4)

    def test_maps_are_estimated_where_there_are_none(self):
        points = radial()
        kspace = argand.nufft2(PHANTOM * MAPS, points)
        result = argand.sense(kspace, points, shape=(N, N), full=True)
        self.assertEqual(result.maps.shape, MAPS.shape)
        self.assertLess(error(abs(result.image), PHANTOM), 0.2)

    def test_regularizers_and_weights(self):
        points = radial()
        kspace = argand.nufft2(PHANTOM * MAPS, points)
        plain = argand.sense(kspace, points, MAPS)
        regular = argand.sense(kspace, points, MAPS, regularize="tv:0.001")
        self.assertLess(error(regular, PHANTOM), error(plain, PHANTOM) / 3)  # the corners of k-space are filled in
        noise = np.random.default_rng(1).standard_normal((2, 6, 100))
        weights = np.ones(points.shape[:2])
        given = argand.sense(kspace, points, MAPS, weights=weights, mask=PHANTOM > 0, noise=noise[0] + 1j * noise[1], iterations=2)
        self.assertTrue((given[PHANTOM == 0] == 0).all())

    def test_refused_with_message(self):
        points = radial(4)
        kspace = np.ones((6, *points.shape[:2]), complex)
        for pattern, call in [
            ("k-space is", lambda: argand.sense(kspace[:, :3], points, MAPS)),
            ("maps has the shape", lambda: argand.sense(kspace, points, MAPS, shape=(N, N + 1))),
            ("^maps have the shape .coils", lambda: argand.sense(kspace, points, MAPS[0])),
            ("transform is one of", lambda: argand.sense(kspace, points, MAPS, transform="fft")),
            ("wavelet", lambda: argand.sense(kspace, points, MAPS, regularize="wavelets:1")),
            ("field_map has the shape", lambda: argand.sense(kspace, points, MAPS, field_map=np.zeros((3, 3)))),
            (r"k-space has 6 coils, not 5: maps \(5, 48, 48\)", lambda: argand.sense(kspace, points, MAPS[:5])),
            ("as radians per pixel do", lambda: argand.sense(kspace, 2 * np.pi / N * points, MAPS)),
            ("axis 0 reach 48 cycles per field of view, and 48 pixels have 24", lambda: argand.sense(kspace, 2 * points, MAPS)),
            (r"multiply those in \[-0.5, 0.5\)", lambda: argand.sense(kspace, points / N, MAPS)),
            ("times has the shape", lambda: argand.sense(kspace, points, MAPS, times=np.zeros(3), field_map=MAPS[0].real)),
            ("0 everywhere", lambda: argand.sense(np.zeros((6, N, N)), maps=MAPS)),
            ("give maps", lambda: argand.sense(kspace, points)),
        ]:
            with self.assertRaisesRegex(ValueError, pattern):
                call()

    def test_messages_name_what_was_given(self):
        """Not a file, which there is none of, nor the tool's options."""
        points = radial(4)
        kspace = np.ones((6, *points.shape[:2]), complex)
        for kind, pattern, call in [
            ("FormatError", "^kspace: acquisition 0, channel 0, sample 0", lambda: argand.sense(np.full_like(kspace, np.nan), points, MAPS)),
            ("ArgumentError", "^kspace: the density weights are 7 numbers.*density=\"pipe\"$",
             lambda: argand.sense(kspace, points, MAPS, weights=np.ones(7))),
            ("ArgumentError", "^kspace: shot 0 holds .*: give phase maps \\(phase_maps=\\)", lambda: argand.pcsense(kspace[..., :10], points[:, :10], MAPS)),
            ("FormatError", "^kspace: ESPIRiT .*Give coil maps \\(maps=\\), take coils=\"adaptive\"",
             lambda: argand.sense(kspace, points, shape=(N, N), coils="espirit")),
        ]:  # fmt: skip
            with self.assertRaisesRegex(getattr(argand.errors, kind), pattern):
                call()


class Ending(unittest.TestCase):
    def setUp(self):
        self.points = radial()
        self.kspace = argand.nufft2(PHANTOM * MAPS, self.points)

    def test_nothing_is_dropped_silently(self):
        with self.assertRaisesRegex(TypeError, "sense has no argument 'iteration'"):
            argand.sense(self.kspace, self.points, MAPS, iteration=3)
        with self.assertRaisesRegex(ValueError, "a field map needs times"):
            argand.sense(self.kspace, self.points, MAPS, field_map=np.ones(MAPS.shape[1:]))
        for factor in (1e-46, 1e39):
            with self.assertRaisesRegex(ValueError, "kept in single precision"):
                argand.sense(self.kspace * factor, self.points, MAPS)
        with self.assertRaisesRegex(ValueError, "a masked array hides elements"):
            argand.sense(np.ma.masked_greater(self.kspace.real, 0), self.points, MAPS)

    def test_callbacks(self):
        seen = []
        argand.sense(self.kspace, self.points, MAPS, iterations=7, callback=seen.append)
        self.assertEqual([p.iteration for p in seen], list(range(8)))
        self.assertEqual(seen[0].residual, 1)
        image = argand.sense(self.kspace, self.points, MAPS, iterations=7, callback=lambda p: p.iteration < 3)
        self.assertLess(error(image, PHANTOM), 0.6)

    def test_an_exception_in_a_callback_comes_out(self):
        def bad(progress):
            raise KeyError(progress.iteration)

        with self.assertRaises(KeyError):
            argand.sense(self.kspace, self.points, MAPS, callback=bad)
        argand.sense(self.kspace, self.points, MAPS, iterations=1)

    def test_ctrl_c(self):
        """A signal during a solve of very many iterations; without the observer it would go on for hours."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with it ignored
        self.addCleanup(signal.signal, signal.SIGINT, before)
        killer = subprocess.Popen(["sh", "-c", f"read line && kill -INT {os.getpid()}"], stdin=subprocess.PIPE)
        self.addCleanup(killer.communicate)
        told = []

        def tell(stage, fraction):  # the solve runs: another process may send the signal, at any moment from now on
            told.append(stage)
            if len(told) == 3:
                os.write(killer.stdin.fileno(), b"\n")

        with unittest.mock.patch.object(argand._library.watch, "stage", tell), self.assertRaises(KeyboardInterrupt):
            argand.sense(self.kspace, self.points, MAPS, iterations=10**7, tolerance=1e-300, regularize="wavelet:0.001")
        self.assertGreaterEqual(len(told), 3)
        argand.sense(self.kspace, self.points, MAPS, iterations=1)


if __name__ == "__main__":
    unittest.main()
