# SPDX-License-Identifier: BSD-3-Clause
"""Statuses of the C library as exceptions, with its message."""

from __future__ import annotations

import re


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
