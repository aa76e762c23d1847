# SPDX-License-Identifier: BSD-3-Clause
"""mri-nufft's own operator tests for "argand", from its source package (pip download --no-binary mri-nufft mri-nufft).

    python mrinufft_suite.py FOLDER [pytest's arguments]

The tests name their backends in lists; "argand" is put before each "finufft" there, in a copy. Where they treat "finufft" as a case
of its own, Argand has the other one, but for density weights: those bounds are of backends that weigh by their own interpolation kernel,
and Argand, which does not, is held to finufft's (how well weights follow the radius; Argand's do so better).
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LISTED = re.compile(r'^(\s*"finufft",\s*$|.*parametrize.*\[.*"finufft".*|\s*backend=\[.*"finufft".*)', re.MULTILINE)


def copy(source, folder):
    """The tests with "argand" in their lists; how many lists that were."""
    tests = pathlib.Path(folder) / "tests"
    shutil.copytree(pathlib.Path(source) / "tests", tests)
    lists = 0
    for path in (tests / "operators").glob("test_*.py"):
        text, found = LISTED.subn(lambda line: line[0].replace('"finufft"', '"argand", "finufft"', 1), path.read_text())
        if path.name == "test_density_for_op.py":
            text, cases = re.subn(r'"finufft" in backend', '("finufft" in backend or backend == "argand")', text)
            assert cases == 2, "the bounds of density weights have changed"
        path.write_text(text)
        lists += found
    conftest = tests / "conftest.py"
    conftest.write_text("import argand.mrinufft\n" + conftest.read_text())
    return tests, lists


def run(source, arguments):
    with tempfile.TemporaryDirectory() as folder:
        tests, lists = copy(source, folder)
        assert lists >= 8, f"only {lists} lists of backends were found: the tests have changed"
        command = [sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", "-q", str(tests / "operators"),
                   "--backend", "argand", "--ref", "finufft", *arguments]  # fmt: skip
        return subprocess.run(command, cwd=tests.parent).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:]))
