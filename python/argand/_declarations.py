# SPDX-License-Identifier: BSD-3-Clause
"""The declarations of the C headers as cffi reads them: include/argand/*.h is the one source.

Run as a program it writes the compiled form that an installed package imports::

    python _declarations.py INCLUDE_FOLDER OUTPUT.py VERSION
"""

from __future__ import annotations

import pathlib
import re
import sys

_INCLUDE = re.compile(r'^\s*#\s*include\s+"([\w/]+\.h)"', re.MULTILINE)
_FLAG = re.compile(r"^\s*#\s*define\s+(ARGAND_\w+)\s+ARGAND_FLAG\((\d+)\)\s*$", re.MULTILINE)


def header_order(folder: pathlib.Path) -> list[pathlib.Path]:
    """The headers that argand.h leads to, each behind those that it includes."""
    order: list[pathlib.Path] = []

    def visit(path: pathlib.Path) -> None:
        if path in order:
            return
        for name in _INCLUDE.findall(path.read_text(encoding="utf-8")):
            visit(path.parent / name)
        order.append(path)

    visit(folder / "argand.h")
    return order


def _without_conditionals(text: str) -> str:
    """Without preprocessor lines, and without what stands between #ifdef __cplusplus and #endif."""
    kept: list[str] = []
    hidden: list[bool] = []
    joined = re.sub(r"\\\n", " ", text)
    for line in joined.split("\n"):
        word = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if not word:
            if not any(hidden):
                kept.append(line)
        elif word[1].startswith("if"):
            hidden.append(word[1] == "ifdef" and word[2].strip() == "__cplusplus")
        elif word[1] == "endif":
            hidden.pop()
    return "\n".join(kept)


def declarations(folder: pathlib.Path) -> str:
    """All types, constants and functions of the headers in `folder`, as text for ``ffi.cdef``."""
    parts = []
    for path in header_order(folder):
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
        text = re.sub(r"//[^\n]*", " ", text)
        parts.append(_without_conditionals(text))
        parts += [f"#define {name} {1 << (int(number) - 1)}" for name, number in _FLAG.findall(text)]
    joined = re.sub(r"\bARGAND_(API|MUST_USE)\b", "", "\n".join(parts))
    return re.sub(r"\n\s*\n+", "\n", joined)


def make_ffi(folder: pathlib.Path):  # type: ignore[no-untyped-def]
    """A cffi.FFI that knows the headers in `folder`."""
    import cffi

    ffi = cffi.FFI()
    ffi.cdef(declarations(folder))
    return ffi


def main(include: str, output: str, version: str) -> None:
    ffi = make_ffi(pathlib.Path(include))
    ffi.set_source("argand._binding", None)
    ffi.emit_python_code(output)
    with open(output, "a", encoding="utf-8") as file:
        file.write(f"\nversion = {version!r}\n")


if __name__ == "__main__":
    main(*sys.argv[1:4])
