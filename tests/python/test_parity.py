# SPDX-License-Identifier: BSD-3-Clause
"""All that the tool can do, Python can do: the same commands and options, with the same defaults, and the same numbers."""

import inspect
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import argand
import numpy as np
from argand.tool import _program
from sample import in_round

ROOT = pathlib.Path(__file__).parent.parent.parent
try:
    TOOL = _program.program()
except argand.Error as absent:
    raise unittest.SkipTest(str(absent)) from None

# Commands without a function in argand.tool, and why.
NO_FUNCTION = {
    "devices": "argand.devices() lists them", "help": "help(argand.tool.sense) shows it", "completion": "a script for shells",
    "bench": "measures the library, for its developers", "kernels": "compiles kernels for an installation",
}  # fmt: skip
# Options without an argument, and why.
NO_ARGUMENT = {
    "json": "Python reads the events", "quiet": "Python prints nothing", "progress": "`progress=True` shows a bar; the tool's are lines for a viewer",
    "bids": "writes a dataset of files", "bids-name": "names files of it",
}  # fmt: skip
# Arguments whose default differs, and why.
OTHER_DEFAULT = {"part": "None: complex for arrays, the tool's for files"}
# Arguments that methods of a scan do not have: the scan was read already, and takes the place of arrays.
OF_READING = {"group", "k_unit", "kspace", "trajectory", "times", "axes", "trajectory_axes", "k_order", "fov", "like", "sample_time", "echo_time", "sequence"}
# Arguments of Python alone.
OWN = {"callback", "progress", "full"}


def leaves():
    """(words, name of the function) of all commands and parts."""
    for command in _program.listing()["commands"]:
        for part in command["parts"] or [""]:
            words = [command["name"], part] if part else [command["name"]]
            yield words, "_".join(words).replace("-", "_")


def arguments(function):
    return {name: p for name, p in inspect.signature(function).parameters.items() if p.kind is p.KEYWORD_ONLY and name != "output"}


def name_of(option):
    return option.replace("-", "_") if option != "from" else "from_"


class Table(unittest.TestCase):
    def test_generated_files_are_those_of_the_tool(self):
        done = subprocess.run([sys.executable, "-B", ROOT / "tools" / "python_commands.py", TOOL, "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_command_and_option(self):
        count = 0
        for words, name in leaves():
            if words[0] in NO_FUNCTION:
                self.assertFalse(hasattr(argand.tool, name), name)
                continue
            function = getattr(argand.tool, name)
            options = {name_of(o["name"]): o for o in _program.listing(*words)["options"] if o["name"] not in NO_ARGUMENT}
            given = arguments(function)
            self.assertEqual(set(given) - OWN, set(options) - OWN, name)
            for option, o in options.items():
                self.compare(f"{name} {option}", option, o, given[option])
                self.assertIn(option, function.__doc__, name)
                count += 1
        self.assertGreater(count, 400)

    def compare(self, what, option, o, parameter):
        """The default, and the choices in the annotation."""
        if option not in OTHER_DEFAULT or (option == "part" and o["kind"] != "set"):
            wanted = False if o["kind"] == "text" and parameter.default is False and o["default"] is None else o["default"]
            self.assertEqual(parameter.default, wanted, what)
        else:
            self.assertIsNone(parameter.default, what)
        for choice in o.get("choices", []):
            self.assertIn(repr(choice), parameter.annotation.replace('"', "'"), what)
        if o["kind"] in ("flag", "int", "double"):
            word = {"flag": "bool", "int": "int", "double": "float"}[o["kind"]]
            self.assertEqual(parameter.annotation.replace(" | None", ""), word, what)
            self.assertEqual("None" in parameter.annotation, o["default"] is None, what)

    def test_methods_of_a_scan(self):
        for name in ["sense", "pcsense", "grappa", "grid", "info", *(n for _, n in leaves() if n.startswith("calibrate_"))]:
            method, function = arguments(getattr(argand.Scan, name)), arguments(getattr(argand.tool, name))
            self.assertEqual(set(function) - set(method) - OF_READING, set(), name)
            for option, p in method.items():
                self.assertEqual((p.default, p.annotation), (function[option].default, function[option].annotation), f"{name} {option}")

    def test_functions_of_arrays_have_the_options_too(self):
        own = {"shape", "gradient_delay", "comm"}
        for name in ["sense", "pcsense"]:
            front = {n: p for n, p in inspect.signature(getattr(argand, name)).parameters.items()}
            function = arguments(getattr(argand.tool, name))
            self.assertEqual(set(front) ^ set(function), own | {"maps"}, name)
            for option, p in function.items():
                if option not in ("kspace", "precision", "toeplitz"):  # the array itself; that of the arrays; True and False as well
                    self.assertEqual(p.default, front[option].default, option)

    def test_help_shows_each_option(self):
        text = " ".join(inspect.getdoc(argand.tool.sense).split())
        for word in ["noise_map", "phase_terms", "Default: stop before noise grows faster than signal"]:
            self.assertIn(word, text)

    def test_names_of_other_arguments_are_refused_with_the_right_one(self):
        for call, said in [
            (lambda: argand.tool.sense("a.h5", field_of_view=1), "'field_of_view': image_fov is"),
            (lambda: argand.tool.grid("a.h5", coil_map=1), "'coil_map': did you mean coil_maps\\?"),
            (lambda: argand.sense("a.h5", iteration=1), "'iteration': did you mean iterations\\?"),
        ]:
            with self.assertRaisesRegex(TypeError, said):
                call()


def argand_tool(folder, *words):
    done = subprocess.run([TOOL, *map(str, words), "--quiet"], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


class Same(unittest.TestCase):
    """A call in Python and the tool's command make the same bytes."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.scan = argand.simulate(cls.path / "s.h5", matrix=32, coils=4, shots=24, trajectory="radial", repetitions=2, noise_scan=2)
        cls.shots = argand.simulate(cls.path / "d.h5", matrix=24, coils=4, shots=4, phase_range=1)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def same(self, made, name, message=""):
        wanted = argand.read(self.path / name)
        self.assertEqual(made.dtype, wanted.dtype, message)
        self.assertEqual(np.squeeze(made).shape, np.squeeze(wanted).shape, message)
        self.assertEqual(np.squeeze(np.asarray(made)).tobytes(), np.squeeze(wanted).tobytes(), message)

    def test_simulate(self):
        argand_tool(self.path, "simulate", "t.h5", "--matrix", 32, "--coils", 4, "--shots", 24, "--trajectory", "radial", "--repetitions", 2,
                    "--noise-scan", 2)
        one, other = self.scan, argand.read_scan(self.path / "t.h5")
        self.assertEqual([a.data.tobytes() for a in one.acquisitions], [a.data.tobytes() for a in other.acquisitions])
        temporary = argand.simulate(matrix=16, coils=2, shots=4)
        self.assertTrue(pathlib.Path(temporary.path).exists())
        self.assertIn("shots of", temporary.origin)
        folder = pathlib.Path(temporary.path).parent
        del temporary
        self.assertFalse(folder.exists())

    def test_reconstructions(self):
        for command, options, words in [
            ("sense", {"regularize": ("tv", 0.01), "iterations": 6, "coils": "espirit", "coil_maps": "none", "save_maps": True},
             ["--regularize", "tv:0.01", "-n", 6, "--coils", "espirit", "--coil-maps", "none"]),
            ("sense", {"joint": True, "iterations": 4, "field_map": "none"}, ["--joint", "-n", 4, "--field-map", "none"]),
            ("sense", {"iterations": 1, "field_map": "none", "noise_map": 2}, ["-n", 1, "--field-map", "none", "--noise-map", 2]),
            ("pcsense", {"iterations": 3, "segments": 4}, ["-n", 3, "--segments", 4]),
            ("grid", {"part": "magnitude", "matrix": (20, 24), "field_map": "none", "coil_maps": "none"},
             ["--matrix", "24x20", "--field-map", "none", "--coil-maps", "none"]),
        ]:  # fmt: skip
            scan, name = (self.shots, "d.h5") if command == "pcsense" else (self.scan, "s.h5")
            made = getattr(scan, command)(**options)
            part = [] if "part" in options else ["--part", "complex"]
            argand_tool(self.path, command, name, "o.npy", *part, *words)
            self.same(made, "o.npy", command)
            self.assertIn(name, made.parameters["Argand"]["Source"])
            self.assertIn("The trajectory is in cycles", made.notes)
            self.assertNotIn("/dev/shm", made.notes)
            if command != "grid":
                self.assertEqual([len(made.residuals), made.steps[0]["volume"]], [options["iterations"] + 1, 0], command)
                table = np.genfromtxt(self.path / "o.csv", delimiter=",", names=True)
                np.testing.assert_array_equal(made.residuals, table["residual"][table["volume"] == 0])
            if options.get("save_maps"):
                argand_tool(self.path, "sense", "s.h5", "p.npy", "-n", 6, "--regularize", "tv:0.01", "--coils", "espirit", "--coil-maps", "none", "--save-maps", "m.npy")
                self.same(made.arrays["maps"], "m.npy")
            if options.get("noise_map"):
                self.same(made.arrays["noise"], "o_noise.npy")

    def test_calibrations(self):
        for name, options, words in [
            ("coils", {"sets": 2, "eigenvalues": True}, ["--sets", 2, "--eigenvalues", "e.npy"]), ("density", {"method": "voronoi"}, ["--method", "voronoi"]),
        ]:  # fmt: skip
            made = getattr(self.scan, f"calibrate_{name}")(**options)
            argand_tool(self.path, "calibrate", name, "s.h5", "o.npy", *words)
            self.same(made, "o.npy", name)
        self.same(self.scan.calibrate_coils(eigenvalues=True, sets=2).arrays["eigenvalues"], "e.npy")
        argand_tool(self.path, "calibrate", "noise", "s.h5", "w.npy", "--covariance", "c.npy")
        made = argand.calibrate_noise(self.path / "s.h5", covariance=True)
        self.same(made.T, "w.npy")
        self.same(made.arrays["covariance"].T, "c.npy")
        argand_tool(self.path, "calibrate", "compress", "s.h5", "m.npy", "--coils", 2, "--whitener", "w.npy")
        matrix = self.scan.calibrate_compress(coils=2, whitener=made)
        self.assertEqual(matrix.shape, (2, 4))
        self.same(matrix.T, "m.npy")
        argand_tool(self.path, "sense", "s.h5", "o.npy", "-n", 2, "--whitener", "w.npy", "--compress", "m.npy", "--part", "complex", "--coil-maps", "none")
        self.same(self.scan.sense(iterations=2, whitener=made, compress=matrix, coil_maps="none"), "o.npy")
        echoes = argand.simulate(self.path / "e.h5", matrix=24, coils=2, echoes=2)
        argand_tool(self.path, "calibrate", "field-map", "e.h5", "f.npy")
        self.same(echoes.calibrate_field_map(), "f.npy")
        said = self.scan.calibrate_delays()
        self.assertEqual((said["kind"], set(said) >= {"xx", "yy", "xy"}), ("radial", True))

    def test_transforms_and_filters(self):
        random = np.random.default_rng(1)
        x, kernel = random.random((20, 24)), random.random((3, 5))
        points = random.uniform(-8, 8, (30, 2))
        for name, array in [("x", x), ("kernel", kernel), ("points", points)]:
            argand.write(self.path / f"{name}.npy", array)
        for command, call, words in [
            ("nufft", lambda: argand.nufft(x, points=points), ["x.npy", "o.npy", "--points", "points.npy"]),
            ("convolve", lambda: argand.tool.convolve(x, kernel, mode="full", border="mirror"), ["x.npy", "kernel.npy", "o.npy", "--mode", "full", "--border", "mirror"]),
            ("convolve", lambda: argand.tool.convolve(x, kernel, centre=(1, 0)), ["x.npy", "kernel.npy", "o.npy", "--centre", "0,1"]),
            ("deconvolve", lambda: argand.deconvolve(x, kernel, noise=0.01), ["x.npy", "kernel.npy", "o.npy", "--noise", 0.01]),
            ("bloom", lambda: argand.bloom(x, psf_model="gaussian"), ["x.npy", "o.npy", "--psf-model", "gaussian"]),
            ("array", lambda: argand.tool.array("resize", x, axes=(0, 1), size=(8, 30)), ["resize", "x.npy", "o.npy", "--axes", "0,1", "--size", "8,30"]),
            ("array", lambda: argand.tool.array("scale", x, by=2 - 1j), ["scale", "x.npy", "o.npy", "--by", "2,-1"]),
            ("array", lambda: argand.tool.array("add", x, x), ["add", "x.npy", "x.npy", "o.npy"]),
            ("fft", lambda: argand.tool.fft(x, centred=True), ["x.npy", "o.npy", "--centred"]),
            ("convert", lambda: argand.convert(x, real=True), ["x.npy", "o.npy", "--real"]),
        ]:  # fmt: skip
            argand_tool(self.path, command, *words)
            self.same(call(), "o.npy", f"{command} {words}")
        np.testing.assert_allclose(argand.nufft(x, points=points), argand.nufft2(x, points), rtol=1e-6, atol=1e-6)
        again = argand.nufft(argand.nufft2(x, points), points=points, size=(20, 24))
        np.testing.assert_allclose(again, argand.nufft1(argand.nufft2(x, points), points, (20, 24)), rtol=1e-6, atol=1e-5)

    def test_places_and_pages(self):
        voxel = argand.Geometry((2, 2, 2), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0))
        fine = argand.Geometry((1, 1, 2), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0))
        x, like = np.random.default_rng(2).random((1, 8, 8)).astype(np.float32), np.zeros((1, 16, 16), np.float32)
        argand.write_nifti(self.path / "x.nii", x, voxel)
        argand.write_nifti(self.path / "l.nii", like, fine)
        argand_tool(self.path, "resample", "x.nii", "o.nii", "--like", "l.nii")
        made = argand.resample((x, voxel), like=(like, fine))
        self.same(made, "o.nii")
        self.assertEqual(made.geometry.voxel, fine.voxel)
        (self.path / "coil.grad").write_text(" 0.25 m = R0, lnorm = 4\n 1 A( 3, 0) -5.0 z\n")
        argand_tool(self.path, "unwarp", "x.nii", "u.nii", "--gradient-coefficients", "coil.grad", "--patient-position", "ffp")
        made = argand.tool.unwarp((x, voxel), gradient_coefficients=self.path / "coil.grad", patient_position="ffp")
        self.same(made, "u.nii")
        self.assertEqual(argand.compare(2 * x, x)["relative_error"], 1)
        np.testing.assert_allclose([e["relative_error"] for e in argand.compare(2 * x, 3 * x, x).each], [1, 2], rtol=1e-7)
        with self.assertRaisesRegex(argand.errors.NumericError, "more than 0.5"):
            argand.compare(2 * x, x, limit=0.5)
        argand_tool(self.path, "report", self.path / "x.nii", "page.html", "--title", "A page")
        argand.report(self.path / "x.nii", output=self.path / "own.html", title="A page")
        self.assertEqual((self.path / "own.html").read_bytes(), (self.path / "page.html").read_bytes())

    def test_arrays_in_place_of_a_scan(self):
        """Several repetitions at once, by the tool; the same options in this process and by the tool."""
        maps, image = argand.birdcage((4, 32, 32)), argand.phantom((32, 32))
        points, _ = argand.trajectory.radial((32, 32), spokes=40)
        kspace = argand.nufft2(image * maps, points).astype(np.complex64)
        own = argand.sense(kspace, points, maps, iterations=5, density_power=1.0)
        made = argand.tool.sense(kspace=kspace, trajectory=points, coil_maps=maps, iterations=5, density_power=1.0, matrix=(32, 32))
        self.assertLess(np.linalg.norm(np.squeeze(made) - own) / np.linalg.norm(own), 1e-5)
        series = np.stack([kspace, 2 * kspace])
        both = argand.sense(series, points, maps, iterations=5, density_power=1.0)
        self.assertEqual(both.shape, (2, 32, 32))
        np.testing.assert_allclose(both[0], own, atol=1e-4 * abs(own).max())
        np.testing.assert_allclose(both[1], 2 * own, atol=2e-4 * abs(own).max())
        adjoint = argand.sense(kspace, points, maps, iterations=0)
        self.assertGreater(np.linalg.norm(adjoint - own) / np.linalg.norm(own), 0.05)
        packed = argand.pack(kspace=kspace, trajectory=points, matrix=(32, 32), coil_maps=maps)
        np.testing.assert_allclose(np.squeeze(packed.arrays["SENSEMap"]), maps, atol=1e-6)
        np.testing.assert_allclose(packed[3].points[:, 1:], points[3], atol=1e-4)

    def test_images_of_arrays_have_no_axes_of_one(self):
        maps = argand.birdcage((4, 24, 24))
        points, _ = argand.trajectory.radial((24, 24), spokes=40)
        kspace = argand.nufft2(argand.phantom((24, 24)) * maps, points).astype(np.complex64)
        own = argand.sense(kspace, points, maps, iterations=2, density_power=1.0)
        made = argand.sense(kspace, points, maps, iterations=2, density_power=1.0, noise_map=2, save_maps=True)
        self.assertEqual((made.shape, made.arrays["noise"].shape, made.arrays["maps"].shape), ((24, 24), (24, 24), (4, 24, 24)))
        self.assertEqual(made.maps.shape, (4, 24, 24))
        self.assertLess(np.linalg.norm(made - own) / np.linalg.norm(own), 1e-5)
        self.assertIn("The program argand computed this, because of the argument noise_map", made.notes)
        self.assertIn("--kspace=kspace --trajectory=trajectory", made.command)
        self.assertNotRegex(made.command, "/dev/shm|--json")

    def test_results_are_what_the_call_wrote(self):
        """Not the volumes, iterations and sidecars of an earlier call under the same name."""
        argand.write(self.path / "old_noise.npy", np.ones((32, 32), np.float32))
        (self.path / "old.csv").write_text("volume,iteration,residual,gradient,penalty,seconds\n0,0,1,1,0,0\n")
        (self.path / "old.json").write_text('{"Argand": {"Iterations": 77}}')
        made = argand.convert(np.zeros((32, 32), np.float32), output=self.path / "old.npy")
        self.assertEqual((made.files, set(made.arrays), made.steps, made.parameters), ([self.path / "old.npy"], set(), [], {}))
        self.assertEqual(argand.convert(np.ones((32, 32), np.float32), output=self.path / "old.npy")[0, 0], 1)

    def test_arguments_of_the_wrong_kind(self):
        x, points = np.random.default_rng(3).random((4, 6)), np.zeros((5, 2))
        for call, kind, said in [
            (lambda: self.scan.sense(coils=True), TypeError, "coils: True is no value of this argument; give one of 'auto', 'adaptive'"),
            (lambda: self.scan.sense(solver=False), TypeError, "solver: False is no value of this argument; give one of"),
            (lambda: self.scan.sense(iterations=np.True_), TypeError, "iterations: True is no value of this argument; it takes int"),
            (lambda: argand.nufft(x, points), TypeError, r"give the points by points=...; for arrays in this process: argand.nufft2\(image, points\)"),
            (lambda: argand.tool.convolve(x, x, x), TypeError, "convolve: output is a file to write, not of type ndarray"),
            (lambda: argand.tool.fft(x, 64), TypeError, "fft: output is a file to write, not of type int"),
            (lambda: argand.tool.fft("x.npy", axes=0), TypeError, "axes: numbers count the axes of arrays"),
            (lambda: argand.tool.fft(x, axes=2), ValueError, "axes: 2 is no axis of an array of 2: give numbers from -2 to 1"),
            (lambda: self.scan.sense(task=(1, 2)), ValueError, "task needs output"),
            (lambda: self.scan.sense(resume=True), ValueError, "resume needs output"),
            (lambda: argand.sense("a.h5", smaps=1), TypeError, "'smaps': maps is what it is called here"),
            (lambda: argand.tool.sense("a.h5", smaps=1, tol=1), TypeError, "'smaps': coil_maps is what it is called here"),
            (lambda: argand.nufft(x, traj=1), TypeError, "'traj': points is what it is called here"),
            (lambda: argand.sense("a.h5", nonsense=1), TypeError, "'nonsense'; its help lists them"),
        ]:
            with self.assertRaisesRegex(kind, said):
                call()
        for axis in (0, 1, -1):
            for axes in (axis, [axis], np.int64(axis)):
                np.testing.assert_allclose(argand.tool.fft(x, axes=axes), np.fft.fft(x, axis=axis), atol=1e-6)
        temporary = argand.simulate(matrix=24, coils=4, shots=6)
        for options, said in [  # shapes are those of the arrays that were given
            ({"coil_maps": np.ones((4, 3, 3))}, r"\(4, 3, 3\), but the image with its coils is \(4, 24, 24\)"),
            ({"field_map": np.ones((5, 24))}, r"field_map is \(5, 24\), but the image is \(24, 24\)"),
            ({"r2star": np.ones((5, 24))}, r"R2\* map is \(5, 24\), but the image is \(24, 24\)"),
            ({"compress": np.ones((2, 5))}, r"compress is \(2, 5\) .* but scan has 4"),
            ({"noise": np.ones((3, 50))}, "scan: the noise has 3 channels, the scan 4"),
        ]:
            with self.assertRaisesRegex(argand.Error, said):
                temporary.sense(**options)
        with self.assertRaisesRegex(argand.Error, r"image has the shape \(4, 6\), but image-2 has \(5, 2\)"):
            argand.compare(x, points)
        again = self.scan.sense(iterations=1, toeplitz=True), self.scan.sense(iterations=1, toeplitz="on")
        np.testing.assert_array_equal(*again)

    def test_refusals_are_the_tools(self):
        for call, kind, said in [
            (lambda: self.scan.sense(sets=99), ValueError, "^sets 99: give a number from 1 to 16"),
            (lambda: argand.sense(self.path / "none.h5"), argand.errors.FileError, "none.h5: cannot be read"),
            (lambda: self.scan.sense(coil_maps=np.ones((4, 3, 3))), argand.Error, "choose the image's size by matrix"),
            (lambda: self.scan.sense(solver="cgg"), ValueError, "^solver cgg: give one of auto.cg"),
            (lambda: argand.tool.sense(), TypeError, "give a scan"),
            (lambda: self.scan.sense(output=self.path / "missing" / "o.nii"), argand.errors.FileError, "the folder .*missing/ cannot be written"),
        ]:
            with self.assertRaisesRegex(kind, said):
                call()

    def test_progress_and_files(self):
        seen = []
        made = self.scan.sense(self.path / "kept.nii.gz", iterations=3, callback=seen.append, report=True)
        self.assertEqual([p.iteration for p in seen][:4], [0, 1, 2, 3])
        self.assertEqual(made.files, [self.path / "kept.nii.gz"])
        self.assertEqual(made.dtype, np.float32)  # the tool's default for files: magnitudes
        self.assertIn("<html", made.arrays["report"][:500])
        with self.assertRaisesRegex(argand.Error, "the callback ended it"):
            self.scan.sense(iterations=30, callback=lambda p: False)

    def test_a_display_closes_when_a_call_fails(self):
        closed = []
        display = type("Display", (_program.Display,), {"close": lambda self: closed.append(self.label)})
        with unittest.mock.patch.object(_program, "displayed", display):
            with self.assertRaises(argand.errors.Stopped):
                self.scan.sense(iterations=30, progress=True, callback=lambda p: False)
            with self.assertRaises(ValueError):
                self.scan.sense(sets=99, progress=True)
        self.assertEqual(closed, ["argand sense"] * 2)

    def test_serve(self):
        """A client sends a scan's messages, and gets the image that the tool makes of the same stream."""
        sent = subprocess.run([TOOL, "convert", "s.h5", "-"], cwd=self.path, capture_output=True, check=True).stdout
        with argand.serve(port=0, once=True, iterations=2, coils="adaptive", whole=True) as server:
            with socket.create_connection(("127.0.0.1", server.port)) as client:
                client.sendall(sent)
                got = b"".join(iter(lambda: client.recv(65536), b""))
            server.wait(60)
        for stream, name in [(got, "served.npy"), (None, "o.npy")]:
            if stream is None:
                stream = subprocess.run([TOOL, "sense", "-", "-", "-n", "2", "--coils", "adaptive", "-q"], input=sent, cwd=self.path, capture_output=True).stdout
            subprocess.run([TOOL, "convert", "-", name], input=stream, cwd=self.path, capture_output=True, check=True)
        served, wanted = argand.read(self.path / "served.npy"), argand.read(self.path / "o.npy")
        np.testing.assert_allclose(served, wanted, atol=1e-6 * wanted.max())
        with argand.serve(port=0, once=True, iterations=2, coils="adaptive", measure=True) as server:
            values = argand.tool.stream(self.path / "s.h5", port=server.port, rate="max")
            server.wait(60)
        self.assertEqual(values["lost"], 0)
        self.assertGreaterEqual(values["largest"], values["median"])
        with argand.serve(port=0) as server:
            self.assertRegex(repr(server), f"port={server.port}, running")
        self.assertIn("ended", repr(server))
        with self.assertRaisesRegex(argand.Error, "host nowhere: give an address"):
            argand.serve(host="nowhere")


class Options(unittest.TestCase):
    """Arrays in place of files: each option that takes one makes the same bytes as the tool with the file. A part of them in the first tier."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.scan = argand.simulate(cls.path / "s.h5", matrix=24, coils=4, shots=6, readout=4, repetitions=3, noise_scan=4)
        cls.lines = argand.simulate(cls.path / "c.h5", matrix=24, coils=4, trajectory="cartesian", partial_fourier=0.65, calibration=8)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def cases(self):
        """(scan, options of Python, files by option in the tool's order of axes, other words)."""
        random = np.random.default_rng(4)
        flat = random.random((24, 24)).astype(np.float32)
        maps = self.scan.arrays["SENSEMap"]
        samples = sum(len(a.times) for a in self.scan.acquisitions) // 3
        noise = (random.standard_normal((4, 500)) + 1j * random.standard_normal((4, 500))).astype(np.complex64)
        matrix = (np.tril(random.random((4, 4))) + np.eye(4)).astype(np.complex64)
        phases = 0.1 * random.random((4, samples)).astype(np.float32)
        response = np.ones((3, 401), complex) * np.array([1, 0.9, 1.0])[:, None]
        frames = np.linalg.qr(random.random((3, 2)))[0].T.astype(np.complex64)
        return [
            ("s.h5", {"field_map": 20 * flat, "field_unit": "hz"}, {"field-map": 20 * flat}, ["--field-unit", "hz"]),
            ("s.h5", {"mask": flat > 0.2}, {"mask": (flat > 0.2).astype(np.float32)}, []),
            ("s.h5", {"r2star": 30 * flat}, {"r2star": 30 * flat}, []),
            ("s.h5", {"coil_maps": maps[:, 0]}, {"coil-maps": maps}, []),
            ("s.h5", {"coil_maps": np.stack([maps, 0.1 * maps]), "sets": 2}, {"coil-maps": np.stack([maps, 0.1 * maps])}, ["--sets", "2"]),
            ("s.h5", {"noise": noise}, {"noise": noise}, []),
            ("s.h5", {"whitener": matrix}, {"whitener": matrix.T}, []),
            ("s.h5", {"noise_covariance": matrix @ matrix.conj().T}, {"noise-covariance": (matrix @ matrix.conj().T).T}, []),
            ("s.h5", {"compress": matrix[:2]}, {"compress": matrix[:2].T}, []),
            ("s.h5", {"compress": 3}, {}, ["--compress", "3"]),
            ("s.h5", {"weights": random.random(samples), "density_power": 0.7}, {"weights": None}, ["--density-power", "0.7"]),
            ("s.h5", {"phase_terms": phases}, {"phase-terms": phases}, []),
            ("s.h5", {"girf": response[::-1], "girf_step": 500.0}, {"girf": response}, ["--girf-step", "500"]),
            ("s.h5", {"delay": (0, 1.5, -2)}, {}, ["--delay", "-2,1.5,0"]),
            ("s.h5", {"basis": frames, "rank": 1}, {"basis": frames}, ["--rank", "1"]),
            ("s.h5", {"regularize": [("llr", 0.05), ("quadratic", 0.001)]}, {}, ["--regularize", "llr:0.05,quadratic:0.001"]),
            ("s.h5", {"image_fov": (300, 240), "coil_maps": "none", "coils": "adaptive", "field_map": "none"}, {},
             ["--image-fov", "240x300", "--coil-maps", "none", "--coils", "adaptive", "--field-map", "none"]),
            ("c.h5", {"partial_fourier": 0.3, "coils": "espirit", "coil_maps": "none"}, {}, ["--partial-fourier", "0.3", "--coils", "espirit", "--coil-maps", "none"]),
            ("c.h5", {"transform": "segmented", "segments": 3, "interpolator": "hann"}, {}, ["--transform", "segmented", "--segments", "3", "--interpolator", "hann"]),
            ("c.h5", {"precision": "double", "toeplitz": "off", "tolerance": 1e-3}, {}, ["--precision", "double", "--toeplitz", "off", "--tolerance", "1e-3"]),
        ]  # fmt: skip

    def test_each(self):
        for i, (name, options, files, words) in enumerate(self.cases()):
            if not in_round(i, 4):
                continue
            named = []
            for option, array in files.items():
                argand.write(self.path / f"{option}.npy", options["weights"] if array is None else array)
                named += [f"--{option}", f"{option}.npy"]
            argand_tool(self.path, "sense", name, "o.npy", "-n", 2, "--part", "complex", *named, *words)
            made = (self.scan if name == "s.h5" else self.lines).sense(iterations=2, **options)
            wanted = argand.read(self.path / "o.npy")
            self.assertEqual(np.squeeze(made.image).tobytes(), np.squeeze(wanted).tobytes(), list(options))

    def test_slices_excited_together(self):
        if not in_round(1, 2):
            self.skipTest("in another run of the first tier")
        scan = argand.simulate(self.path / "m.h5", matrix=24, coils=8, slices=4, bands=2, noise_scan=4)
        argand_tool(self.path, "sense", "m.h5", "o.npy", "-n", 2, "--part", "complex", "--bands", 2)
        made = scan.sense(iterations=2, bands=2)
        self.assertEqual(made.shape[-3:], (4, 24, 24))
        self.assertEqual(np.squeeze(made.image).tobytes(), np.squeeze(argand.read(self.path / "o.npy")).tobytes())

    def test_tasks_of_a_job(self):
        if not in_round(0, 2):
            self.skipTest("in another run of the first tier")
        whole = self.scan.sense(self.path / "whole.nii.gz", iterations=2)
        for part in (1, 2):
            made = self.scan.sense(self.path / "parts.nii.gz", iterations=2, task=(part, 2))
            self.assertEqual((made.size, made.files), (0, []))
        gathered = argand.gather(self.path / "parts.nii.gz")
        np.testing.assert_array_equal(gathered.image, whole.image)


DATA = pathlib.Path(os.environ.get("ARGAND_TEST_DATA", ROOT.parent / "shared" / "data"))


@unittest.skipUnless((DATA / "brain_spiral_2d").exists(), f"there are no real scans in {DATA} (ARGAND_TEST_DATA)")
class Real(unittest.TestCase):
    def test_a_brain(self):
        """The image of another program's exact transform and its ten iterations; the tool's by the other transforms."""
        path = DATA / "brain_spiral_2d" / "brain_spiral_2d"
        scan = argand.read_scan(f"{path}.h5")
        made = scan.sense(transform="dft", iterations=10, density="none")
        wanted = np.load(f"{path}_ref_dft_cg10.npy")
        self.assertLess(np.linalg.norm(abs(np.squeeze(made)) - wanted) / np.linalg.norm(wanted), 1e-6)
        self.assertEqual((made.solver, made.transform, made.report.coil_maps), ("cg", "dft", "given"))
        with tempfile.TemporaryDirectory() as folder:
            for i, options in enumerate([{"regularize": "tv:auto"}, {"transform": "dft-gradients"}, {"precision": "double"}]):
                if in_round(i, 3):
                    words = [word for name, value in options.items() for word in (f"--{name}", value)]
                    argand_tool(folder, "sense", f"{path}.h5", "o.npy", "--part", "complex", *words)
                    self.assertEqual(np.squeeze(argand.sense(f"{path}.h5", **options).image).tobytes(), np.squeeze(argand.read(f"{folder}/o.npy")).tobytes())

    @unittest.skipIf(os.environ.get("ARGAND_TEST_FIRST"), "of the second tier")
    def test_phantoms(self):
        with tempfile.TemporaryDirectory() as folder:
            for command, name, options in [
                ("grid", "spiral_b0_phantom/spiral_shimmed_phantom", {"field_map": "none"}),
                ("sense", "phantom_cartesian/phantom_cartesian", {"iterations": 3, "compress": 4}),
                ("calibrate_coils", "phantom_cartesian/phantom_cartesian", {"sets": 1}),
                ("calibrate_density", "brain_spiral_2d/brain_spiral_2d", {"slice": 0}),
            ]:  # fmt: skip
                path = DATA / f"{name}.h5"
                words = [word for option, value in options.items() for word in ("--" + option.replace("_", "-"), value)]
                part = ["--part", "complex"] if command == "sense" else []
                argand_tool(folder, *command.split("_"), path, "o.npy", *part, *words)
                made = getattr(argand.read_scan(path), command)(**options)
                self.assertEqual(np.squeeze(made.image).tobytes(), np.squeeze(argand.read(f"{folder}/o.npy")).tobytes(), command)


if __name__ == "__main__":
    os.environ.setdefault("ARGAND_DEVICE", "cpu")
    unittest.main()
