#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run.py TEST: a module of tests, or one of: readme, page, docstrings, types, types_examples, peers, peers_sigpy, peers_deepinv, install. 77 where something that it needs is not there."""

import doctest
import importlib
import os
import pathlib
import pkgutil
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
SKIPPED = 77


def missing(*modules):
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            return f"skipped: {error}"
    return None


def readme_code():
    """The README's Python section."""
    section = re.search(r"^## In Python$(.*?)^## ", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"```python\n(.*?)```", section[1], re.DOTALL)
    assert blocks, "README.md has no Python code in its section"
    return "\n".join(blocks)


def readme():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        names = {}
        exec(compile(readme_code(), "README.md", "exec"), names)
        error = names["error"]
        print(f"README: error of the image {error:.2e}")
        assert error < 0.1
    return 0


PREPARED = """
import argand, numpy as np
ny = nx = 64
coils, shape = 4, (ny, nx)
maps, image = argand.birdcage((coils, ny, nx)), argand.phantom((ny, nx))
points, times = trajectory, _ = argand.trajectory.radial((ny, nx))
kspace, w, B = argand.nufft2(image * maps, points), argand.density(points, shape), argand.FFT(shape).normal
x = image.astype(complex)
"""
OTHERS = ("scipy", "sigpy", "deepinv", "torch", "mpi4py", "mrinufft")  # packages that a block may name, and that a machine may lack


def page_code():
    """A program of the Python blocks of docs/python.md that need no other package, each with the same names."""
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.MULTILINE)
    blocks = [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks]
    kept = [b for b in blocks if "argand." in b and "$(python" not in b and "make wheel" not in b and not any(f"{o}." in b or f" {o}" in b for o in OTHERS)]
    assert len(kept) >= 4, "docs/python.md has hardly any Python"
    kept = [re.sub(r"^.*# for SciPy$", "", b, flags=re.MULTILINE) for b in kept]
    return "\n".join(PREPARED + b for b in kept)


def page():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        exec(compile(page_code(), "docs/python.md", "exec"), {})
        os.chdir(ROOT)
    return 0


def docstrings():
    import argand
    import numpy as np

    failed = attempted = 0
    np.random.seed(1)
    parts = [*pkgutil.iter_modules(argand.__path__), *pkgutil.iter_modules(argand.trajectory.__path__, "trajectory.")]
    for module in [argand] + [importlib.import_module(f"argand.{m.name}") for m in parts
                              if m.name not in ("_binding", "mrinufft", "torch", "sigpy", "deepinv", "_spaces")]:
        result = doctest.testmod(module, extraglobs={"argand": argand, "np": np})
        failed, attempted = failed + result.failed, attempted + result.attempted
    print(f"{attempted} examples")
    assert attempted > 0
    return 1 if failed else 0


def types():
    if absent := missing("mypy"):
        print(absent)
        return SKIPPED
    return subprocess.run([sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", os.devnull], cwd=ROOT).returncode


def types_examples():
    """examples/python and the Python of the tutorials, which are also the notebooks' cells."""
    if absent := missing("mypy"):
        print(absent)
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        files = sorted((ROOT / "examples" / "python").glob("*.py"))
        for page in sorted((ROOT / "docs" / "tutorials").glob("*.md")):
            blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
            blocks += re.findall(r"^<!-- notebook\n(.*?)^-->", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
            if blocks:
                files.append(pathlib.Path(folder) / f"{page.stem.replace('-', '_')}_page.py")
                files[-1].write_text("\n".join(blocks), encoding="utf-8")
        command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--allow-subclassing-any", "--cache-dir", os.devnull]
        environment = {**os.environ, "MYPYPATH": str(ROOT / "python")}
        return subprocess.run([*command, *files], cwd=ROOT, env=environment).returncode


def example():
    """A program of examples/python, which checks itself and writes a picture."""
    if "import torch" in pathlib.Path(sys.argv[2]).read_text() and (absent := missing("argand.torch")):
        print(absent)
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-B", sys.argv[2], "out.png"], cwd=folder, check=True)
        assert (pathlib.Path(folder) / "out.png").read_bytes()[:4] == b"\x89PNG"
    return 0


def peers():
    """mri-nufft's own operator tests: the folder of its source package is ARGAND_MRINUFFT."""
    if absent := missing("pytest", "pytest_cases", "mrinufft", "finufft"):
        print(absent)
        return SKIPPED
    if "ARGAND_MRINUFFT" not in os.environ:
        print("skipped: ARGAND_MRINUFFT names no source package of mri-nufft")
        return SKIPPED
    sys.path.insert(0, str(HERE / "peers"))
    return importlib.import_module("mrinufft_suite").run(os.environ["ARGAND_MRINUFFT"], ["-W", "ignore", "--tb=short", "-k", "argand"])


def peers_sigpy():
    """SigPy's own tests with Argand behind it: the folder of its repository is ARGAND_SIGPY."""
    return suite("sigpy", ["pytest", "sigpy"])


def peers_deepinv():
    """deepinv's own tests of physics: the folder of its source package is ARGAND_DEEPINV."""
    return suite("deepinv", ["pytest", "deepinv", "mrinufft", "finufft"])


def suite(name, needed):
    if absent := missing(*needed):
        print(absent)
        return SKIPPED
    folder = f"ARGAND_{name.upper()}"
    if folder not in os.environ:
        print(f"skipped: {folder} names no folder with the tests of {name}")
        return SKIPPED
    sys.path.insert(0, str(HERE / "peers"))
    return importlib.import_module(f"{name}_suite").run(os.environ[folder], ["-W", "ignore", "--tb=short"])


def install():
    """A wheel with the library of this build, in a new environment outside of the source tree."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("ARGAND_", "PYTHON"))}
        if subprocess.run([sys.executable, "-m", "venv", f"{folder}/venv"], env=environment, capture_output=True).returncode:
            print("skipped: there is no venv module")
            return SKIPPED
        python = f"{folder}/venv/bin/python"
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--timeout", "20"]
        reach = subprocess.run([*pip, "numpy", "cffi"], env=environment, capture_output=True, text=True)
        if reach.returncode:
            print("skipped: pip cannot install NumPy and cffi:", reach.stderr.strip().split("\n")[-1])
            return SKIPPED
        library = "cmake.define.ARGAND_LIBRARY=" + os.environ["ARGAND_LIBRARY"]
        subprocess.run([*pip, str(ROOT), "-C", library], env=environment, check=True)
        subprocess.run([python, "-c", "import sys; assert 'argand._binding' not in sys.modules\n"
                        "import argand; assert 'site-packages' in argand.__file__ and 'argand._binding' in sys.modules"],
                       env=environment, cwd=folder, check=True)
        subprocess.run([python, "-c", readme_code() + "\nassert error < 0.1"], env=environment, cwd=folder, check=True)
    return 0


def functions(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from functions(test)
        else:
            yield test


def of_this_run(tests):
    """With ARGAND_TEST_FIRST=N, one in N of the functions, at least one."""
    every = int(os.environ.get("ARGAND_TEST_FIRST", 1))
    if every == 1:
        return tests
    in_round = importlib.import_module("sample").in_round
    listed = list(functions(tests))
    return unittest.TestSuite(test for i, test in enumerate(listed) if in_round(i, max(1, min(every, len(listed)))))


def main(name):
    if absent := missing("cffi", "numpy"):
        print(absent)
        return SKIPPED
    if not name.startswith("test_"):
        return globals()[name]()
    sys.path[:0] = [str(HERE), str(HERE / "peers")]
    try:
        tests = unittest.defaultTestLoader.loadTestsFromName(name)
    except unittest.SkipTest as reason:
        print("skipped:", reason)
        return SKIPPED
    result = unittest.TextTestRunner().run(of_this_run(tests))
    if not result.wasSuccessful():
        return 1
    if result.testsRun == len(result.skipped):
        print("skipped:", result.skipped[0][1] if result.skipped else "no tests")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
