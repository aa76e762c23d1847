# SPDX-License-Identifier: BSD-3-Clause
"""SigPy's own tests of Fourier transforms and linear operators, with Argand behind SigPy, from its repository (the folder `tests`).

    python sigpy_suite.py FOLDER [pytest's arguments]
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

FILES = ["test_fourier.py", "test_linop.py", "test_app.py", "mri/test_linop.py", "mri/test_app.py", "mri/test_dcf.py", "mri/test_precond.py"]
BEHIND = """import argand.sigpy
import pytest

@pytest.fixture(autouse=True)
def _argand_behind():
    with argand.sigpy.behind():
        yield
"""


def run(source, arguments):
    with tempfile.TemporaryDirectory() as folder:
        tests = pathlib.Path(folder) / "tests"
        shutil.copytree(pathlib.Path(source) / "tests", tests)
        (tests / "conftest.py").write_text(BEHIND)
        command = [sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", "-q", *(str(tests / name) for name in FILES), *arguments]
        return subprocess.run(command, cwd=folder).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:]))
