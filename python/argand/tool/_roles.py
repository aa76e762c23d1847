# SPDX-License-Identifier: BSD-3-Clause
"""What Python's values mean as options of the tool: which options take arrays, which name files that are written, how sequences are joined.

tools/python_commands.py makes argand/tool/__init__.py from these tables and the tool's own, and _commands.py obeys them. No import of the package."""

from __future__ import annotations

import keyword

# Options of the tool that Python's functions do not have, and why.
WITHOUT = {
    "json": "Python reads the events",
    "quiet": "Python prints nothing: notes are in the result",
    "progress": "Python's `progress=True` shows a bar; the tool's are lines for a viewer",
    "bids": "writes a dataset of files: argand sense --bids",
    "bids-name": "names files of --bids",
}
# Commands without a function of this module, and why.
NO_FUNCTION = {
    "devices": "argand.devices() lists them",
    "help": "help(argand.tool.sense) shows it",
    "completion": "a script for shells",
    "bench": "measures the library, for its developers",
    "kernels": "compiles kernels for an installation",
}
# Options that scans have already answered when their methods are called.
OF_READING = ("group", "k-unit", "kspace", "trajectory", "times", "axes", "trajectory-axes", "k-order", "fov", "like", "sample-time", "echo-time", "sequence")

# Options that take an array instead of the file; the shape in Python's order of axes.
ARRAYS = {
    "field-map": "([nz,] ny, nx), rad/s", "coil-maps": "(coils, [nz,] ny, nx)", "mask": "([nz,] ny, nx)", "opposite": "([nz,] ny, nx)", "r2star": "([nz,] ny, nx)",
    "phase-maps": "(shots, [nz,] ny, nx)", "phase-terms": "(terms, shots, samples)", "noise": "(channels, samples)",
    "whitener": "(channels, channels) as argand.whiten makes it", "noise-covariance": "(channels, channels)",
    "compress": "(virtual coils, channels) as argand.compress makes it", "basis": "(columns, repetitions)", "subspace": "(columns, times)", "weights": "(shots, samples)",
    "density": "(shots, samples)", "girf": "(axes, frequencies), axes in the order of the image's",
    "kspace": "(coils, shots, samples), or ([repetitions,] coils, [nz,] ny, nx) on a grid", "trajectory": "(shots, samples, 2 or 3), (y, x) or (z, y, x), cycles per field of view",
    "times": "([shots,] samples)", "points": "(..., 1 to 3), the last axis in the order of the image's axes, cycles per field of view", "targets": "(..., 1 to 3), cycles",
    "psf": "(ny, nx) or (channels, ny, nx)", "motion": "(shots or repetitions, 6), mm and degrees", "like": "(array, argand.Geometry)",
}  # fmt: skip
# Axes of maps of one slice, to which the tool's files add an axis.
FLAT = {"field-map": 2, "mask": 2, "r2star": 2, "coil-maps": 3, "phase-maps": 3}
# Matrices: Python's rows are the results, in files they are the other axis.
MATRICES = ("whitener", "noise-covariance", "compress")
# Options that name a file to write; True gives its contents back in the result.
WRITTEN = ("save-maps", "eigenvalues", "covariance", "data", "report", "compare")
# Options that are files by name only.
NAMED = ("wisdom", "place", "header", "sequence")

# How sequences become text: the separator, and whether Python's order (z, y, x) is turned into the tool's (x, y, z).
JOINED = {
    "sizes": ("x", True), "MM[xMM[xMM]]": ("x", True), "US[,US[,US]]": (",", True), "WHERE": (",", True), "T,T...": (",", False),
    "LIST": (",", False), "A[,B...]": (",", False), "N[,M...]": (",", False), "FROM:TO": (":", False), "LOW:HIGH": (":", False), "A|B": ("|", False), "I/N": ("/", False),
    "set": (",", False),
}  # fmt: skip

# The type of an option of text, by its argument in the tool's help.
TYPES = {
    "N": "int | str | None", "MM[xMM[xMM]]": "float | Sequence[float] | str | None", "US[,US[,US]]": "float | Sequence[float] | str | None",
    "WHERE": "Sequence[int] | str | None", "T,T...": "Sequence[float] | str | None", "LIST": "str | Sequence[str | int] | None",
    "A[,B...]": "int | Sequence[int] | str | None", "N[,M...]": "int | Sequence[int] | str | None", "FROM:TO": "tuple[int, int] | str | None", "LOW:HIGH": "tuple[float, float] | str | None",
    "A|B": "str | Sequence[str] | None", "I/N": "tuple[int, int] | str | None", "V": "complex | str | None", "TESLA|auto": "float | str | None", "FILE|auto": "Path | None", "BYTES": "int | str | None",
    "RATE": "float | str", "NAME": "str | None", "TEXT": "str | None", "ADDRESS": "str", "FILE": "Path | None", "FILE.seq": "Path | None", "FILE.onnx": "Path | None", "FILE.png": "Path | bool", "PLACE": "Path | None",
    "FOLDER": "Path | None",
}  # fmt: skip
REGULARIZE = "Regularizer"


def parameter(option: str) -> str:
    """Python's name of an option: coil_maps for coil-maps, from_ for from."""
    return option.replace("-", "_") + "_" * keyword.iskeyword(option)
