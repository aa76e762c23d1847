# SPDX-License-Identifier: BSD-3-Clause
"""scipy.fft with argand.scipy_backend: each name is answered as SciPy does, or declined."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import unittest

import argand.scipy_backend
import numpy as np

try:
    import scipy.fft
except ImportError:
    scipy = None

RNG = np.random.default_rng(4)
ANSWERED = [kind + "".join(n) for kind in ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"] for n in ["", "2", "n"]]
DECLINED = ["dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn", "fht", "ifht"]


@unittest.skipUnless(scipy, "no SciPy")
class Import(unittest.TestCase):
    def test_import_argand_is_enough(self):
        """As docs/how-to/python-packages.md has it."""
        program = "import argand, scipy.fft\nwith scipy.fft.set_backend(argand.scipy_backend): print(scipy.fft.fft([1, 2]).real)"
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(run.stdout, "[ 3. -1.]\n", run.stderr)


class Backend(unittest.TestCase):
    def only(self):
        return scipy.fft.set_backend(argand.scipy_backend, only=True)

    def test_answered(self):
        for name in ANSWERED:
            function = getattr(scipy.fft, name)
            x = RNG.standard_normal((4, 6, 5)).astype(np.float32)
            if name[0] != "r" and not name.startswith("ihfft"):
                x = x + 1j * RNG.standard_normal(x.shape).astype(np.float32)
            one = not name[-1] in "2n"
            cases = [{}, {"norm": "ortho"}, {"norm": "forward"}, {"workers": 2}, {"overwrite_x": True}]
            cases += [{"n": 7, "axis": 0}, {"n": 3, "axis": 1}] if one else [{"s": (3, 8), "axes": (2, 0)}]
            for case in cases:
                wanted = function(x.copy(), **case)
                with self.only():
                    got = function(x.copy(), **case)
                self.assertEqual((got.shape, got.dtype), (wanted.shape, wanted.dtype), (name, case))
                np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-5 * abs(wanted).max(), err_msg=f"{name} {case}")

    def test_half_of_one_element(self):
        """NumPy finds no points in it, SciPy one."""
        x = RNG.standard_normal((3, 4, 1)) + 1j
        for name, case in [("irfftn", {}), ("irfft2", {}), ("hfftn", {"axes": (0, 2), "norm": "forward"}), ("hfft2", {}), ("irfftn", {"axes": 2})]:
            wanted = getattr(scipy.fft, name)(x, **case)
            with self.only():
                np.testing.assert_allclose(getattr(scipy.fft, name)(x, **case), wanted, rtol=0, atol=1e-12)

    def test_declined(self):
        for name in DECLINED:
            arguments = (np.ones(8), 0.1, 0) if "fht" in name else (np.ones(8),)
            with self.only(), self.assertRaises(NotImplementedError, msg=name):
                getattr(scipy.fft, name)(*arguments)
            with scipy.fft.set_backend(argand.scipy_backend):
                self.assertTrue(np.isfinite(getattr(scipy.fft, name)(*arguments)).all())
        with scipy.fft.set_backend(argand.scipy_backend):
            self.assertEqual(scipy.fft.fft(np.ones(4, np.longdouble)).dtype, np.clongdouble)

    def test_no_axes(self):
        """What SciPy does by itself: x as it is, of whatever type, or its refusal."""

        def seen(function, x, case):
            try:
                result = function(x, **case)
            except ValueError as error:
                return str(error)
            self.assertIs(result, x)
            return result

        for name in ANSWERED:
            for case in [{"axes": ()}, {"axes": [], "s": (3,)}, {"s": ()}] if name[-1] in "2n" else []:
                for x in [np.ones((2, 3), np.float32), np.ones((2, 3), np.int32)]:
                    wanted = seen(getattr(scipy.fft, name), x, case)
                    with scipy.fft.set_backend(argand.scipy_backend):
                        got = seen(getattr(scipy.fft, name), x, case)
                    self.assertIs(type(got), type(wanted))
                    self.assertTrue(np.all(got == wanted), (name, case, got, wanted))
        x = np.array(2.0)
        with scipy.fft.set_backend(argand.scipy_backend):
            self.assertIs(scipy.fft.fftn(x), x)

    def test_every_name_is_one_of_both(self):
        for name in scipy.fft.__all__:
            if hasattr(getattr(scipy.fft, name), "_ua_") or "multimethod" in repr(getattr(scipy.fft, name)):
                self.assertIn(name, ANSWERED + DECLINED)

    def test_scipys_own_tests(self):
        """c2c, r2c and c2r of SciPy's installed tests, with the backend set globally."""
        folder = pathlib.Path(scipy.fft.__file__).parent / "tests"
        for module in ["pytest", "hypothesis"]:
            if not importlib.util.find_spec(module):
                self.skipTest(f"no {module}")
        if not (folder / "test_basic.py").exists():
            self.skipTest("SciPy without its tests")
        # left out: a comparison of two processes to the last bit, where FFTW may choose another plan for a child
        command = [sys.executable, "-m", "pytest", "-q", "-p", "scipy_global", "-p", "no:cacheprovider", "-k", "not test_multiprocess"]
        command += ["--confcutdir", str(folder.parent.parent)]
        command += [str(folder / name) for name in ["test_basic.py", "test_multithreading.py"]]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(pathlib.Path(__file__).parent)])}
        result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout[-3000:])
        self.assertRegex(result.stdout, r"answered [0-9]{4}")


if __name__ == "__main__":
    unittest.main()
