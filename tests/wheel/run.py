#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run.py installed|whole BUILD CMAKE CC: the Python wheel as a stranger installs it. 77 where PyPI cannot be reached.

installed: a wheel of this build's library and tool, put together in seconds. whole: the wheel of `make wheel`, which is compiled for this test.
Each is installed into a new environment, whose programs see no compiler and no library path; then the package, the tool and its pages are used.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
GPL = re.compile(r"fftw|jbig|gsl|readline", re.IGNORECASE)
sys.path.insert(0, str(ROOT / "tests" / "python"))
from run import page_code, readme_code  # noqa: E402


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIPPED)


def run(*command, **keywords):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **keywords)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}"
    return done.stdout


def make_environment(work):
    """A new environment; NumPy and cffi are this Python's own where it has them, else PyPI's."""
    has_pip = importlib.util.find_spec("pip") is not None  # the environment sees it, and needs none of its own
    options = ["--system-site-packages", *(["--without-pip"] if has_pip else [])]
    if subprocess.run([sys.executable, "-m", "venv", *options, work / "venv"], capture_output=True).returncode:
        skip("there is no venv module")
    programs = work / "venv" / "bin"
    asked = subprocess.run([programs / "python", "-m", "pip", "install", "-q", "--timeout", "20", "scikit-build-core>=0.10", "cffi"],
                           capture_output=True, text=True)
    if asked.returncode:
        skip("pip cannot install scikit-build-core: " + asked.stderr.strip().split("\n")[-1])
    return programs


def pip(programs, *arguments, **keywords):
    return run(programs / "python", "-m", "pip", *arguments[:1], "-q", "--disable-pip-version-check", *arguments[1:], **keywords)


def wheel_of_build(work, programs, build, cmake):
    """A wheel of an installation of this build: nothing is compiled."""
    run(cmake, "--install", build, "--prefix", work / "installed")
    pip(programs, "wheel", ROOT, "--no-build-isolation", "--no-deps", "-w", work / "dist", "-C", f"build-dir={work}/cmake",
        "-C", f"cmake.define.ARGAND_INSTALLED={work}/installed", env=os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"})
    return next((work / "dist").glob("argand-*-py3-none-*.whl"))


def wheel_of_make(build):
    """The wheel of tools/wheel/build.py: for this processor's level, unless ARGAND_TEST_LEVELS says all."""
    out = build / "tests" / "wheel"
    print(run(sys.executable, ROOT / "tools" / "wheel" / "build.py", "--levels", os.environ.get("ARGAND_TEST_LEVELS", "native"), "--no-kernels", "--out", out))
    return next((out / "dist").glob("argand-*-py3-none-manylinux_*.whl"))


def look_at(wheel, whole):
    """What is in it, once, and what is not."""
    names = zipfile.ZipFile(wheel).namelist()
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, {len(names)} files")
    for ending, count in {"argand/lib/libargand.so.0": 1, "argand/bin/argand": 1, "argand/_binding.py": 1, "argand/argand.h": 1,
                          "scripts/argand": 1, "/man1/argand-sense.1": 1, "/completions/argand": 1, "/_argand": 1,
                          "typeface-licence.txt": 1, "licenses/LICENSE": 1}.items():
        found = [name for name in names if name.endswith(ending)]
        assert len(found) == count, f"{ending}: {found}"
    libraries = [name for name in names if ".so" in name]
    assert not any(name.endswith((".c", ".a")) for name in names), names
    if whole:
        assert not [name for name in libraries if GPL.search(name)], libraries
        licences = {name.rsplit("/", 1)[1] for name in names if "licenses/libraries/" in name}
        assert licences >= {"hdf5", "libxml2", "tiff"}, licences
        for library in libraries:
            if "argand.libs/" in library:
                assert re.sub(r"-[0-9a-f]{8}\.so.*", "", library.rsplit("/", 1)[1]) in licences, (library, licences)


def hidden(programs, work):
    """The environment of a machine without a compiler, settings and OpenCL (PoCL ends a program if it finds no linker)."""
    (work / "home").mkdir()
    return {"PATH": str(programs), "HOME": str(work / "home"), "LANG": "C.UTF-8", "OCL_ICD_VENDORS": str(work / "home")}


BEFORE = """
import sys, re, pathlib
def mapped():
    return set(re.findall(r"/\\S+\\.so\\S*", pathlib.Path("/proc/self/maps").read_text()))
import numpy, cffi, _cffi_backend
before = mapped()
"""
PACKAGE = BEFORE + """
import argand
assert "site-packages" in argand.__file__ and "argand._binding" in sys.modules, argand.__file__
late = [m for m in ("scipy", "torch", "cupy", "matplotlib", "tqdm", "pycparser", "argand._declarations") if m in sys.modules]
assert not late, late
home = pathlib.Path(argand.__file__).parent.parent
new = {m for m in mapped() - before if home not in pathlib.Path(m).parents and "lib-dynload" not in m}
print("of the machine:", *sorted(pathlib.Path(m).name for m in new))
assert not WHOLE or all(re.search(r"/lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+)[.-]", m) for m in new), new
include = pathlib.Path(argand.get_include())
assert (include / "argand" / "argand.h").exists() and home in include.parents
assert (pathlib.Path(argand.get_prefix()) / "lib" / "libargand.so.0").exists()
"""


def in_bare_root(programs, work, environment):
    """The beginning of a command line that runs in a root with Python and the libraries of Python, NumPy and cffi alone; [] where none can be made."""
    if os.geteuid() or not shutil.which("unshare") or sys.base_prefix == "/usr":
        print("no bare root: that needs root, unshare and a Python outside of /usr")
        return []
    root = work / "root"
    libraries = run(programs / "python", "-c", BEFORE + "print(*before, sep='\\n')", env=environment).split()
    libraries = [library for library in libraries if not library.startswith((sys.base_prefix, str(work)))]
    print("a bare root with:", *sorted(pathlib.Path(library).name for library in libraries))
    for library in [*map(pathlib.Path, libraries), *pathlib.Path("/lib64").glob("ld-linux*.so.*")]:
        (root / str(library.parent).lstrip("/")).mkdir(parents=True, exist_ok=True)
        for name in library.parent.glob(library.name.split(".so")[0] + ".so.*"):  # the loader asks for the soname
            if name.samefile(library):
                shutil.copy(name, root / str(name).lstrip("/"))
    places = [sys.base_prefix, str(work), "/proc", "/dev"]
    for place in places:
        (root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        print("no bare root: unshare is not allowed to make one")
        return []
    mounts = "".join(f"/bin/mount --rbind {place} {root}{place} && " for place in places)
    return ["/usr/bin/unshare", "-m", "/bin/sh", "-c", f'{mounts} exec /usr/sbin/chroot {root} "$@"', "sh"]


def use_package(start, programs, environment, whole):
    def python(code):
        print(run(*start, programs / "python", "-c", code, env=environment, cwd=environment["HOME"]), end="")

    python(PACKAGE.replace("WHOLE", str(whole)))
    python(readme_code() + "\nassert error < 0.1")
    if whole:  # python/page runs it with this build's library
        python(page_code())
    python("import argand; there = argand.devices(); assert there['cpu'] == '1 device' and there['cuda'], there")


def use_tool(start, programs, environment):
    home = pathlib.Path(environment["HOME"])

    def tool(*arguments):
        return run(*start, programs / "argand", *arguments, env=environment, cwd=home)

    print(tool("--version"))
    assert "cpu" in tool("devices")
    tool("simulate", home / "scan.h5", "--matrix", "48", "--readout", "5")
    tool("sense", home / "scan.h5", home / "image.nii.gz", "--report")
    assert (home / "image.nii.gz").stat().st_size > 1000
    refused = subprocess.run([*start, programs / "argand", "info", "absent"], capture_output=True, text=True, env=environment, cwd=home)
    assert refused.returncode not in (0, 125, 126, 127) and "absent" in refused.stderr, refused


def look_at_pages(programs, environment):
    share = programs.parent / "share"
    assert (share / "man" / "man1" / "argand-sense.1").read_text().startswith(".")
    if shutil.which("man"):
        place = run("man", "-w", "argand-sense", env=environment | {"PATH": f"{programs}:/usr/bin:/bin"}).strip()
        assert pathlib.Path(place).resolve().is_relative_to(share.resolve()), place


def compile_with(programs, work, cc, cmake):
    """A C program finds the wheel's headers and library by pkg-config and by find_package."""
    prefix = run(programs / "python", "-c", "import argand; print(argand.get_prefix())").strip()
    consumer = ROOT / "tests" / "install" / "consumer"
    if shutil.which("pkg-config"):
        flags = run("pkg-config", "--cflags", "--libs", "argand", env=os.environ | {"PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig"}).split()
        run(cc, "-std=c17", consumer / "consumer.c", "-o", work / "consumer", *flags, f"-Wl,-rpath,{prefix}/lib")
        print("pkg-config:", run(work / "consumer"), end="")
    run(cmake, "-S", consumer, "-B", work / "consumer-build", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={cc}")
    run(cmake, "--build", work / "consumer-build")
    print("find_package:", run(work / "consumer-build" / "consumer"), end="")


def main(kind, build, cmake, cc):
    for name in list(os.environ):
        if name.startswith(("ARGAND_", "PYTHON")) and name != "ARGAND_TEST_LEVELS":
            del os.environ[name]
    whole = kind == "whole"
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        programs = make_environment(work)
        wheel = wheel_of_make(pathlib.Path(build)) if whole else wheel_of_build(work, programs, build, cmake)
        look_at(wheel, whole)
        pip(programs, "install", wheel)
        environment = hidden(programs, work)
        start = in_bare_root(programs, work, environment) if whole else []
        use_package(start, programs, environment, whole)
        use_tool(start, programs, environment)
        look_at_pages(programs, environment)
        if whole:
            compile_with(programs, work, cc, cmake)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
