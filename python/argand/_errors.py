# SPDX-License-Identifier: BSD-3-Clause
"""Statuses of the C library as exceptions, with its message."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Error(Exception):
    """What the library refuses or cannot do; the text is its message. `status` is the C status."""

    status: int = -1


class ArgumentError(Error, ValueError):
    """An argument or option is wrong: shapes, ranges, what does not go together."""


class OutOfMemoryError(Error, MemoryError):
    """No memory left, on the host or on the device."""


class DeviceError(Error, RuntimeError):
    """No such device, or its driver reports an error."""


class BuildError(Error, RuntimeError):
    """A kernel could not be built."""


class UnsupportedError(Error, NotImplementedError):
    """A right request that this build or this device cannot serve."""


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""


class FormatError(Error, ValueError):
    """A file was read, but its contents make no sense."""


class NumericError(Error, ArithmeticError):
    """The numbers forbid a result: NaN, singular, breakdown."""


class Stopped(Error):
    """A callback asked to stop."""


class InternalError(Error, RuntimeError):
    """A bug in Argand."""


_KINDS: dict[int, type[Error]] = {
    1: ArgumentError,
    2: OutOfMemoryError,
    3: DeviceError,
    4: BuildError,
    5: UnsupportedError,
    6: FileError,
    7: FormatError,
    8: NumericError,
    9: Stopped,
    10: InternalError,
}


_ARGUMENTS = {"coil-maps": "maps", "matrix": "shape", "k-unit": "k_unit", "phase-maps": "phase_maps"}  # others have the same name
_NAMED = re.compile(
    r"--(coil-maps|matrix|k-unit|phase-maps|coils|density|noise|transform|regularize|toeplitz|precondition)\b(?!-)"
    r"(?: (FILE|none|shots|adaptive|espirit|joint|pipe|dft|segmented|tv:auto)\b)?"
)


def in_python(words: str) -> str:
    """What the library says, with this package's arguments for the tool's options."""

    def argument(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if (name, value) == ("phase-maps", "none"):
            return "argand.sense"
        return f"{_ARGUMENTS.get(name, name)}=" + (f'"{value}"' if value not in (None, "FILE") else "")

    words = words.replace("--image-fov", "multiply trajectory and shape, or give field_of_view= to Scan.sense")
    return _NAMED.sub(argument, words)


def make(status: int, name: str, message: str) -> Error:
    error = _KINDS.get(status, Error)(in_python(message) or name)
    error.status = status
    return error


# Arguments of earlier versions, and of other functions of this package.
_OLD = {
    "field_of_view": "image_fov", "maps": "coil_maps", "shape": "matrix", "gradient_delay": "delay", "method": "argand.grid", "type": "precision",
    "as_received": "no_whiten", "regularizers": "regularize", "phases": "argand.pcsense", "dtype": "precision",
}  # fmt: skip

# Names that other packages give to arguments; the first that a function has is meant.
_ELSEWHERE = {
    "max_iter": ("iterations",), "n_iter": ("iterations",), "niter": ("iterations",), "lamda": ("regularize",), "lam": ("regularize",),
    "coord": ("trajectory", "points"), "traj": ("trajectory", "points"), "samples_loc": ("trajectory", "points"),
    "smaps": ("maps", "coil_maps"), "mps": ("maps", "coil_maps"), "sens": ("maps", "coil_maps"), "eps": ("tolerance",), "tol": ("tolerance",),
}  # fmt: skip


def _hint(name: str, known: tuple[str, ...]) -> str:
    """What is said about an unknown argument: a fact of the tables, or a question about a similar name."""
    import difflib

    for better in (_OLD.get(name, ""), *_ELSEWHERE.get(name, ())):
        if better in known or "." in better:
            return f": {better} is what it is called here"
    near = difflib.get_close_matches(name, known, 1, 0.8)
    return f": did you mean {near[0]}?" if near else "; its help lists them"


def hinted(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Refuses unknown arguments by a message that names the likely one. Keeps the function's signature for help() and type checkers."""
    code = function.__code__
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    @functools.wraps(function)
    def checked(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for name in kwargs:
            if name not in known:
                raise TypeError(f"{function.__name__} has no argument {name!r}{_hint(name, known)}")
        return function(*args, **kwargs)

    return checked
