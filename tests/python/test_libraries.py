# SPDX-License-Identifier: BSD-3-Clause
"""Which of several libnvrtc is taken: loaded, pip's, conda's, the loader's, the toolkit's. Over a fake driver and fake compilers."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
if os.environ.get("ARGAND_CUDA") != "ON":
    raise unittest.SkipTest("the library was built without CUDA")

# Says where the compiler is that was loaded for the device.
PROGRAM = """
import ctypes, sys
for name in sys.argv[1:]:
    ctypes.CDLL(name)
import argand
assert argand.devices()["cuda"] == "3 devices", argand.devices()["cuda"]  # the fake driver's
print("\\n".join(sorted({line.split()[-1] for line in open("/proc/self/maps") if "libnvrtc" in line})))
"""


class Order(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name).resolve()
        drivers = ROOT / "tests" / "device" / "fakes"
        for names, file in ((("gpu", "cuda", "blocks"), "driver/libcuda.so.1"), (("compiler",), "libnvrtc.so.13")):
            path = cls.folder / file
            path.parent.mkdir(exist_ok=True)
            subprocess.run([os.environ["ARGAND_CC"], "-shared", "-fPIC", "-D_GNU_SOURCE", f"-I{ROOT / 'src'}", f"-I{ROOT / 'include'}",
                            f"-I{ROOT / 'include' / 'argand'}", f"-I{ROOT / 'tests'}", f"-Wl,-soname,{path.name}", "-o", path,
                            *[drivers / f"fake_{name}.c" for name in names], "-ldl"], check=True)
        # A library beside pip's packages, as the wheel puts it there.
        cls.site = cls.folder / "site"
        shutil.copytree(ROOT / "python" / "argand", cls.site / "argand", ignore=shutil.ignore_patterns("__pycache__", "lib"))
        (cls.site / "argand" / "lib").mkdir()
        shutil.copy(os.environ["ARGAND_LIBRARY"], cls.site / "argand" / "lib" / "libargand.so.0")
        cls.places = {
            "loaded": cls.put("elsewhere/libnvrtc.so.13"), "pip": cls.put("site/nvidia/cu13/lib/libnvrtc.so.13"),
            "conda": cls.put("conda/lib/libnvrtc.so.13"), "loader": cls.put("path/libnvrtc.so"),
            "toolkit": cls.put("toolkit/lib64/libnvrtc.so.13"),
        }  # fmt: skip

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    @classmethod
    def put(cls, name):
        path = cls.folder / name
        path.parent.mkdir(parents=True)
        shutil.copy(cls.folder / "libnvrtc.so.13", path)
        return str(path)

    def taken(self, *there, pip=True):
        """The compiler that is taken where those `there` can be seen."""
        environment = {k: v for k, v in os.environ.items() if k not in ("CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH", "ARGAND_LIBRARY")}
        loader = [str(self.folder / "driver")] + ([str(self.folder / "path")] if "loader" in there else [])
        environment.update(LD_LIBRARY_PATH=":".join(loader), ARGAND_CACHE="off", FAKE_CUDA_DEVICES="3", PYTHONPATH=str(self.site))
        if not pip:
            environment.update(PYTHONPATH=str(ROOT / "python"), ARGAND_LIBRARY=os.environ["ARGAND_LIBRARY"])
        if "conda" in there:
            environment["CONDA_PREFIX"] = str(self.folder / "conda")
        if "toolkit" in there:
            environment["CUDA_HOME"] = str(self.folder / "toolkit")
        run = subprocess.run([sys.executable, "-B", "-c", PROGRAM, *([self.places["loaded"]] if "loaded" in there else [])],
                             env=environment, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout.split()

    def test_a_loaded_library_goes_before_all(self):
        self.assertEqual(self.taken("loaded", "conda", "loader", "toolkit"), [self.places["loaded"]])

    def test_pip_goes_before_conda(self):
        self.assertEqual(self.taken("conda", "loader", "toolkit"), [self.places["pip"]])

    def test_conda_goes_before_the_loader(self):
        self.assertEqual(self.taken("conda", "loader", "toolkit", pip=False), [self.places["conda"]])

    def test_the_loader_goes_before_the_toolkit(self):
        self.assertEqual(self.taken("loader", "toolkit", pip=False), [self.places["loader"]])

    def test_the_toolkit_is_last(self):
        if any("libnvrtc.so" in line for line in subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout.splitlines()):
            self.skipTest("the loader knows a real libnvrtc")
        self.assertEqual(self.taken("toolkit", pip=False), [self.places["toolkit"]])


if __name__ == "__main__":
    unittest.main()
