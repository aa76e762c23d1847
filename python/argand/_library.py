# SPDX-License-Identifier: BSD-3-Clause
"""The C library and how it is called: where it is found, statuses as exceptions, Ctrl-C and progress."""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import os
import pathlib
import re
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from . import _errors

_HERE = pathlib.Path(__file__).parent


def _find_headers() -> pathlib.Path:
    """The folder of argand.h: a wheel's, a source tree's, or a system's."""
    folders = [_HERE / "include" / "argand", _HERE.parent.parent / "include" / "argand", pathlib.Path(sys.prefix) / "include" / "argand"]
    folders += [pathlib.Path("/usr/local/include/argand"), pathlib.Path("/usr/include/argand")]
    if os.environ.get("ARGAND_INCLUDE"):
        folders.insert(0, pathlib.Path(os.environ["ARGAND_INCLUDE"]) / "argand")
    for folder in folders:
        if (folder / "argand.h").exists():
            return folder
    raise ImportError("argand: no binding was built, and no argand/argand.h was found: set ARGAND_INCLUDE to its folder")


def get_include() -> str:
    """The folder to give to a C compiler as `-I`: that of `argand/argand.h`."""
    return str(_find_headers().parent)


def get_prefix() -> str:
    """The folder of the installation that a wheel holds (bin, lib, include, share), for CMAKE_PREFIX_PATH of `find_package(argand)`;
    `lib/pkgconfig` in it is for PKG_CONFIG_PATH."""
    if not (_HERE / "include" / "argand" / "argand.h").exists():
        raise _errors.Error("this Python package holds no installation for C: `make install` makes one")
    return str(_HERE)


def _built_binding() -> Any:
    """What a build with tests keeps beside the library: reading the headers takes longer than all other imports."""
    for name in _library_names():
        path = pathlib.Path(name).parent / "argand_binding.py"
        if os.sep not in name or not path.exists():
            continue
        newest = max(header.stat().st_mtime for header in _find_headers().glob("*.h"))
        spec = importlib.util.spec_from_file_location("argand._binding", path)
        if spec is None or spec.loader is None or path.stat().st_mtime < newest:
            return None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    return None


def _load_ffi() -> tuple[Any, str]:
    try:
        from . import _binding  # type: ignore[attr-defined, unused-ignore]
    except ImportError:
        from ._declarations import make_ffi

        if (_binding := _built_binding()) is None:
            return make_ffi(_find_headers()), ""
    return _binding.ffi, getattr(_binding, "version", "")


def _library_names() -> list[str]:
    """Where to look for libargand, the best place first."""
    if os.environ.get("ARGAND_LIBRARY"):
        return [os.environ["ARGAND_LIBRARY"]]
    ours = sorted(str(p) for p in (_HERE / "lib").glob("libargand.*"))
    folder = _HERE.parent.parent / "build" / "release" / "src"
    built = [folder / "libargand.so", folder / "libargand.dylib"]
    named = ["libargand.so.0", "libargand.so", "libargand.0.dylib", "libargand.dylib"]
    return ours + [str(p) for p in built if p.exists()] + named


def _load_library(ffi: Any) -> Any:
    reasons = []
    for name in _library_names():
        try:
            return ffi.dlopen(name)
        except OSError as error:
            reasons.append(str(error))
    raise ImportError(
        "argand: libargand was not found; install it, or set ARGAND_LIBRARY to its file\n" + "\n".join(reasons)
    )


ffi, _binding_version = _load_ffi()
lib = _load_library(ffi)
version: str = ffi.string(lib.argand_version()).decode()
if _binding_version not in ("", version):
    raise ImportError(f"argand: the binding is of version {_binding_version}, the library of {version}: install one of both")


class _Watch(threading.local):
    """What a thread's calls tell while they run, and what ended the last of them."""

    set: bool = False
    stage: Callable[[str | None, float], None] | None = None
    raised: BaseException | None = None


watch = _Watch()


def _keep(kind: Any, error: Any, trace: Any) -> None:
    """An exception in a callback (Ctrl-C too): kept for the call that it ends."""
    if watch.raised is None:
        watch.raised = error


@ffi.callback("argand_observer", error=False, onerror=_keep)  # type: ignore[untyped-decorator, unused-ignore]
def _observe(context: Any, activity: Any) -> bool:
    if watch.raised is not None:
        return False
    if watch.stage is not None:
        stage = ffi.string(activity.stage).decode() if activity.stage != ffi.NULL else None
        watch.stage(stage, activity.fraction)
    return True


_SAID = {"n": "shape", "matrix": "shape", "shots": "spokes, shots or lines", "count": "segments"}  # fields and this package's arguments


_MEANT = {"float": "a number", "double": "a number", "_Bool": "True or False"}


def _meant(field: Any) -> str:
    """What a field of a struct takes, in words."""
    if field.kind == "array":
        return f"a sequence of at most {field.length}, each {_meant(field.item)}"
    if field.kind == "primitive":
        return _MEANT.get(field.cname, f"a whole number of at most {8 * ffi.sizeof(field)} bits")
    return "one of its names" if field.kind == "enum" else f"a {field.cname.rstrip(' *')}"


def struct(kind: str, fields: dict[str, Any]) -> Any:
    """A new struct of the library; what is not of a field's type is refused with the field's name."""
    try:
        return ffi.new(kind + " *", fields)
    except KeyError as error:
        raise TypeError(f"there is no option {error}") from None
    except (TypeError, OverflowError, IndexError):
        for name, value in fields.items():
            try:
                ffi.new(kind + " *", {name: value})
            except (TypeError, OverflowError, IndexError) as error:
                refusal = TypeError if isinstance(error, TypeError) else ValueError
                meant = _meant(dict(ffi.typeof(kind).fields)[name].type)
                raise refusal(f"{_SAID.get(name, name)} must be {meant}; got {value!r}") from None
        raise


def callback(signature: str, function: Callable[..., bool]) -> Any:
    """A C function that asks `function`; false, or an exception, ends the call that uses it."""
    return ffi.callback(signature, function, error=False, onerror=_keep)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function that returns a status; any but 0 becomes an exception."""
    if not watch.set:
        lib.argand_observer_set(_observe, ffi.NULL)
        watch.set = True
    status = function(*arguments)
    if status or watch.raised is not None:  # a call that came to its end before it looked: Ctrl-C is not left to the next one
        fail(status)


def fail(status: int) -> None:
    raised, watch.raised = watch.raised, None
    if raised is not None:
        raise raised
    name = ffi.string(lib.argand_status_name(status)).decode()
    raise _errors.make(int(status), name, _numpy_shapes(text(lib.argand_message())))


def _numpy_shapes(words: str) -> str:
    """Shapes of the library, {24, 20, 8} with the fastest axis first, as NumPy writes them: (8, 20, 24)."""
    return re.sub(r"\{(\d+(?:, \d+)*)\}", lambda m: str(tuple(int(n) for n in reversed(m[1].split(", ")))), words)


def make(function: Any, kind: str, destroy: Any, *arguments: Any) -> Any:
    """Calls a function whose first argument is the place of a new object; it is destroyed with the last reference."""
    place = ffi.new(kind + " **")
    call(function, place, *arguments)
    return ffi.gc(place[0], destroy)


@contextlib.contextmanager
def numpy_axes(rank: int) -> Iterator[None]:
    """Errors of the library name axes as NumPy counts them: the library's axis 0 is the fastest, which is the last one here."""
    try:
        yield
    except _errors.Error as error:
        words = re.sub(r"\b(axis|dimension) ([0-2])\b", lambda m: f"axis {rank - 1 - int(m[2])}" if int(m[2]) < rank else m[0], str(error))
        error.args = (words,)
        raise


class Held:
    """What holds objects of the library, which are of this process alone: pickled is what it was made of."""

    _recipe: Any = None  # the _recipe.Recipe, in those that are made anew

    def __reduce_ex__(self, protocol: Any) -> Any:
        if self._recipe is None:
            raise TypeError(not_sent(self))
        return made_anew, (self._recipe,)

    def __copy__(self) -> Any:
        return copy.deepcopy(self)


def made_anew(recipe: Any) -> Any:
    """What a pickle calls in the process that reads it."""
    return recipe.make()


def not_sent(held: Held) -> str:
    """Why something cannot be pickled or copied."""
    return f"argand.{type(held).__name__} is not pickled or copied: make it anew there from what this one was made of"


def text(pointer: Any) -> str:
    """A C string; "" of NULL."""
    return ffi.string(pointer).decode(errors="replace") if pointer != ffi.NULL else ""


def names_of(function: Any) -> dict[Any, int]:
    """The names of an enumeration, in small letters, by the C function that gives them; "unknown" ends them."""
    names: dict[Any, int] = {}
    while (name := text(function(len(names))).lower()) != "unknown":
        names[name] = len(names)
    return names


def choose(table: dict[Any, int], key: Any, what: str) -> int:
    """What a name of `table` stands for."""
    try:
        return table[key]
    except (KeyError, TypeError):  # unknown, or a list
        raise ValueError(f"{what} is one of {', '.join(map(repr, table))}, not {key!r}") from None


def encoded(words: Any, name: str) -> bytes:
    """Text for the library, whose strings end at a null character."""
    if not isinstance(words, str):
        raise TypeError(f"{name}: text is needed, not {words!r}")
    if "\0" in words:
        raise ValueError(f"{name}: {words!r} has a null character")
    return words.encode()


def printed(function: Any, thing: Any, size: int = 4096) -> str:
    """What an argand_..._print function writes."""
    buffer = ffi.new("char[]", size)
    function(thing, buffer, size)
    return text(buffer)
