# SPDX-License-Identifier: BSD-3-Clause
"""`import argand` of an installed package takes 0.1 s because it imports little: modules are counted here, not seconds."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import argand

PACKAGE = pathlib.Path(argand.__file__).parent
MOST_OF_OURS = 41  # with the folders of trajectories and of the tool, whose machinery is imported by the first call
COUNT = """
import sys, numpy
before = set(sys.modules)
import argand
new = set(sys.modules) - before
print(*sorted(new))
"""


class Import(unittest.TestCase):
    def test_only_what_every_call_needs(self):
        """With the binding that an installation has; the headers are read, by pycparser, only in a source tree."""
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "argand"
            shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "lib", "include"))
            subprocess.run([sys.executable, copy / "_declarations.py", argand.get_include() + "/argand", copy / "_binding.py", argand.__version__],
                           check=True, stdout=subprocess.DEVNULL)  # fmt: skip
            environment = {**os.environ, "PYTHONPATH": folder}
            out = subprocess.run([sys.executable, "-B", "-c", COUNT], env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
        new = out.split()
        ours = [name for name in new if name.split(".")[0] == "argand"]
        self.assertIn("argand._binding", ours)
        self.assertLessEqual(len(ours), MOST_OF_OURS)
        others = {name for name in new if name.split(".")[0] not in ("argand", "numpy")}
        self.assertLessEqual(others, {"__future__", "_cffi_backend", "copy"}, "imports that cost time and that few calls need")


if __name__ == "__main__":
    unittest.main()
