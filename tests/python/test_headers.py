# SPDX-License-Identifier: BSD-3-Clause
"""The binding is what the C compiler sees in the headers: functions, layouts of structs, constants."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from argand import _declarations
from argand._library import ffi, lib

INCLUDE = pathlib.Path(os.environ["ARGAND_INCLUDE"])


def structs():
    """(name, cffi type) of every struct that has fields."""
    for name in ffi.list_types()[0]:
        kind = ffi.typeof(name)
        if kind.kind != "struct":
            continue
        try:
            ffi.sizeof(kind)
        except (ValueError, getattr(ffi, "error", ValueError)):  # opaque; cffi 2.1 ends the process where their fields are asked for
            continue
        yield name, kind


def constants(text):
    names = re.findall(r"^#define (ARGAND_\w+)", text, re.MULTILINE)
    for body in re.findall(r"enum[^{;]*\{(.*?)\}", text, re.DOTALL):
        names += re.findall(r"\b(ARGAND_\w+)\s*(?:=[^,]*)?(?:,|$)", body.strip() + ",")
    return sorted(set(names))


class Headers(unittest.TestCase):
    def setUp(self):
        self.compiler = os.environ.get("ARGAND_CC", "cc")
        self.text = _declarations.declarations(INCLUDE / "argand")

    def compile(self, program):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "check.c"
            source.write_text("#include <argand/argand.h>\n#include <stddef.h>\n" + program)
            command = [self.compiler, "-std=c17", "-Wall", "-Werror", "-Wno-redundant-decls", "-fsyntax-only", "-I", str(INCLUDE), str(source)]
            return subprocess.run(command, capture_output=True, text=True)

    def functions(self):
        """The declarations of functions as the binding has them."""
        flat = re.sub(r"\{[^{}]*\}", "{}", re.sub(r"^#.*$", "", self.text, flags=re.MULTILINE))
        while re.search(r"\{[^{}]+\}", flat):
            flat = re.sub(r"\{[^{}]*\}", "{}", flat)
        return [d.strip() + ";" for d in flat.split(";") if re.search(r"\bargand_\w+\s*\(", d) and "typedef" not in d]

    def test_functions_have_the_headers_types(self):
        declared = self.functions()
        self.assertGreater(len(declared), 150)
        result = self.compile("\n".join(declared))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_changed_function_is_seen(self):
        self.assertNotEqual(self.compile("argand_status argand_array_copy(const argand_array *y, const argand_array *x);").returncode, 0)

    def test_all_functions_are_in_the_library(self):
        for declaration in self.functions():
            self.assertTrue(hasattr(lib, re.search(r"\b(argand_\w+)\s*\(", declaration)[1]))

    def test_all_functions_of_the_headers_are_declared(self):
        names = set()
        for header in (INCLUDE / "argand").glob("*.h"):
            text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
            names.update(re.findall(r"ARGAND_API[^;(]*?\b(argand_\w+)\s*\(", text))
        self.assertEqual(names, {re.search(r"\b(argand_\w+)\s*\(", d)[1] for d in self.functions()})

    def test_structs_lie_in_memory_as_the_compiler_has_them(self):
        lines = []
        for name, kind in structs():
            lines.append(f'_Static_assert(sizeof({name}) == {ffi.sizeof(kind)}, "{name}");')
            for field, at in kind.fields:
                lines.append(f'_Static_assert(offsetof({name}, {field}) == {at.offset}, "{name}.{field}");')
                lines.append(f'_Static_assert(sizeof((({name} *)0)->{field}) == {ffi.sizeof(at.type)}, "{name}.{field}");')
        self.assertGreater(len(lines), 500)
        result = self.compile("\n".join(lines))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_constants(self):
        names = constants(self.text)
        self.assertGreater(len(names), 100)
        lines = [f'_Static_assert((long long)({n}) == {int(getattr(lib, n))}LL, "{n}");' for n in names]
        result = self.compile("\n".join(lines))
        self.assertEqual(result.returncode, 0, result.stderr)


class Installed(unittest.TestCase):
    def test_the_compiled_binding_is_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            _declarations.main(str(INCLUDE / "argand"), f"{folder}/binding.py", "1.2.3")
            names = {}
            exec((pathlib.Path(folder) / "binding.py").read_text(), names)
            other = names["ffi"]
            self.assertEqual(names["version"], "1.2.3")
            self.assertEqual(other.list_types(), ffi.list_types())
            for name, kind in structs():
                self.assertEqual(ffi.sizeof(kind), other.sizeof(name))
            library = other.dlopen(os.environ["ARGAND_LIBRARY"])
            for declaration in Headers("setUp")._functions_of(_declarations.declarations(INCLUDE / "argand")):
                self.assertTrue(getattr(library, declaration))


def _functions_of(self, text):
    self.text = text
    return [re.search(r"\b(argand_\w+)\s*\(", d)[1] for d in self.functions()]


Headers._functions_of = _functions_of

if __name__ == "__main__":
    unittest.main()
