#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""aarch64.py OUT: the wheel of `tools/wheel/build.py --aarch64`, used under QEMU. 77 without its compiler, QEMU, PyPI or Debian's packages.

pip installs it into a folder as on a machine with 64-bit Arm, with PyPI's NumPy and cffi for it; Debian's Python for it imports the package.
The folder of Debian's packages is ARGAND_SYSROOT (tools/arm/sysroot.sh).
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SYSROOT = pathlib.Path(os.environ.get("ARGAND_SYSROOT") or ROOT / "build" / "sysroot-aarch64")
SPEC = importlib.util.spec_from_file_location("wheel_run", ROOT / "tests" / "wheel" / "run.py")
wheel_run = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(wheel_run)
run, skip = wheel_run.run, wheel_run.skip

USE = """
import pathlib, platform, sys
import numpy as np
import argand
assert platform.machine() == "aarch64" and sys.argv[1] in argand.__file__, (platform.machine(), argand.__file__)
devices = argand.devices()
assert devices["cpu"] == "1 device", devices
rng = np.random.default_rng(1)
for n in (64, 60, 37):
    for kind, limit in ((np.complex64, 1e-6), (np.complex128, 1e-14)):
        x = (rng.standard_normal((n, n)) + 1j * rng.standard_normal((n, n))).astype(kind)
        wanted = np.fft.fft2(x.astype(complex))
        found = argand.fftn(x)
        error = np.linalg.norm(found - wanted) / np.linalg.norm(wanted)
        assert found.dtype == kind and error < limit, (n, kind, error)
print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}: argand.fftn is numpy.fft.fft2")
"""


def built_wheel(out):
    arm = ROOT / "tools" / "arm" / "sysroot.sh"
    if not shutil.which("aarch64-linux-gnu-gcc") or not shutil.which("aarch64-linux-gnu-g++"):
        skip("there is no aarch64-linux-gnu-gcc (Debian: gcc-aarch64-linux-gnu g++-aarch64-linux-gnu)")
    fetched = subprocess.run([arm, SYSROOT, "python3-minimal", "libpython3-stdlib"], capture_output=True, text=True)
    if fetched.returncode:
        skip("the libraries for arm64 could not be fetched: " + fetched.stderr.strip().split("\n")[-1])
    environment = os.environ | {"ARGAND_SYSROOT": str(SYSROOT)}
    print(run(sys.executable, ROOT / "tools" / "wheel" / "build.py", "--aarch64", "--out", out, env=environment))
    return next((out / "dist").glob("argand-*-py3-none-manylinux_*_aarch64.whl"))


def install(wheel, out, place):
    """pip checks the wheel's tag, and fetches NumPy and cffi for the same machine."""
    newest = int(re.search(r"manylinux_2_(\d+)_aarch64", wheel.name)[1])
    version = next(SYSROOT.glob("usr/lib/python3.*/os.py")).parent.name.removeprefix("python")
    platforms = [f"--platform=manylinux_2_{minor}_aarch64" for minor in range(newest, 16, -1)]
    run(out / "tools" / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target", place, "--only-binary=:all:",
        "--python-version", version, *platforms, "--platform=manylinux2014_aarch64", wheel)  # fmt: skip
    return SYSROOT / "usr" / "bin" / f"python{version}"


def main(out):
    qemu = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static") or skip("there is no qemu-aarch64 (Debian: qemu-user)")
    wheel = built_wheel(out)
    wheel_run.look_at(wheel, True)
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "packages"
        python = install(wheel, out, place)
        environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8", "PYTHONPATH": str(place), "OMP_WAIT_POLICY": "passive"}
        print(run(qemu, "-L", SYSROOT, python, "-c", USE, str(place), env=environment, cwd=folder), end="")
        tool = place / "argand" / "bin" / "argand"
        assert (place / "bin" / "argand").read_text().startswith("#!"), "the script that starts the tool"
        print(run(ROOT / "tools" / "arm" / "tool.sh", tool, SYSROOT, env=os.environ | {"HOME": folder}), end="")
    return 0


if __name__ == "__main__":
    for variable in list(os.environ):
        if variable.startswith("PYTHON"):
            del os.environ[variable]
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
