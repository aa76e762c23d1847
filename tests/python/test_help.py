# SPDX-License-Identifier: BSD-3-Clause
"""What help() says is whole and true: every argument, its default, shape and unit; names that exist; types without Any; Literals of the library's names."""

import inspect
import re
import typing
import unittest

import argand
import numpy as np
from argand import _access, _conv, _fft, _field, _io, _nufft, _options, _solve, _types

LATER = ("argand._recon", "argand.trajectory")  # modules whose help is not of this form yet
OWN = (argand.Operator, argand.View, argand.Result)  # made by the package, not by users
UNITS = {  # what the text of an argument of this name has to say
    "points": r"cycles|as for", "trajectory": "cycles per field of view", "times": r"\bs\b|seconds", "field_map": "rad/s", "r2star": "1/s",
    "repetition_time": r"\bs\b", "range": "rad/s", "k_unit": "cycles|as for", "targets": "cycles", "geometry": "mm",
}  # fmt: skip
SHAPED = re.compile(r"[(\[][^)\]]*[)\]]|shape|as for|number")
ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?:  +| {1,2}(?=as for ))(\S.*)$")


def inside(thing):
    return getattr(thing, "__module__", "").startswith("argand") and thing.__module__ not in LATER


def public():
    """(name, function, its documentation): functions, constructors and methods."""
    for module, names in ((argand, argand.__all__), (argand.fft, [n for n in vars(type(argand.fft)) if not n.startswith("_")])):
        for name in names:
            thing = getattr(module, name)
            if inspect.isfunction(thing) and inside(thing):
                yield f"{module.__name__}.{name}", thing, thing.__doc__
            if inspect.isclass(thing) and inside(thing) and not issubclass(thing, (tuple, BaseException)):
                if "__init__" in vars(thing) and thing not in OWN:
                    yield f"argand.{name}", thing.__init__, thing.__doc__
                for member, function in vars(thing).items():
                    if not member.startswith("_") and inspect.isfunction(function) and inside(function):
                        yield f"argand.{name}.{member}", function, function.__doc__


def entries(doc):
    """{argument: its text}, of lines "name, name  text" and those that go on below them; or of "name: text." in a sentence."""
    found, current = {}, []
    for line in inspect.cleandoc(doc or "").split("\n"):
        match = ENTRY.match(line)
        if match:
            current = [name.strip("*") for name in match[1].split(", ")]
            for name in current:
                found[name] = match[2]
        elif line.startswith("      ") and current:
            for name in current:
                found[name] += " " + line.strip()
        else:
            current = []
    for name, text in re.findall(r"\b(\w+): ([^.;]*)", " ".join((doc or "").split())):
        found.setdefault(name, text)
    return found


def arguments(function):
    return {name: p for name, p in inspect.signature(function).parameters.items() if name not in ("self", "cls")}


def spelled(default):
    """How a default is written."""
    if isinstance(default, str):
        return [f'"{default}"']
    return [default.__name__] if inspect.isclass(default) else [repr(default)]


class Whole(unittest.TestCase):
    def test_every_argument_is_explained(self):
        count = 0
        for name, function, doc in public():
            for argument in arguments(function):
                self.assertRegex(doc or "", rf"\b{argument}\b", f"{name}: nothing is said about {argument}")
                count += 1
        self.assertGreater(count, 300)

    def test_defaults_are_those_of_the_signature(self):
        count = 0
        for name, function, doc in public():
            told = entries(doc)
            for argument, parameter in arguments(function).items():
                text = told.get(argument, "")
                for said in re.findall(r"\(default (.*)", text)[:1]:
                    wanted = [w + end for w in spelled(parameter.default) for end in (")", ":", ",")]
                    self.assertTrue(any(said.startswith(w) for w in wanted), f"{name}: {argument} has the default {parameter.default!r}, not {said}")
                    count += 1
        self.assertGreater(count, 150)

    def test_shapes_and_units(self):
        count = 0
        for name, function, doc in public():
            told = entries(doc)
            for argument, parameter in arguments(function).items():
                if "ArrayLike" in str(parameter.annotation):
                    self.assertRegex(told.get(argument, ""), SHAPED, f"{name}: the shape of {argument}")
                    count += 1
                if argument in UNITS and argument in told and "Literal" not in str(parameter.annotation):  # a name has no unit
                    self.assertRegex(told[argument], UNITS[argument], f"{name}: the unit of {argument}")
        self.assertGreater(count, 60)

    def test_names_exist(self):
        """Each argand.name in a docstring, of private modules too."""
        texts = [thing.__doc__ or "" for _, thing, _ in public()] + [doc or "" for _, _, doc in public()]
        for module in (argand, argand.errors, _access, _conv, _fft, _field, _io, _nufft, _solve):
            texts += [module.__doc__ or ""] + [thing.__doc__ or "" for thing in vars(module).values() if inspect.isclass(thing) and inside(thing)]
        count = 0
        for text in texts:
            for path in re.findall(r"(?<![\w/<])argand((?:\.[A-Za-z_]\w*)+)(?![\w/(-])", text):
                thing = argand
                for part in path[1:].split("."):
                    self.assertTrue(hasattr(thing, part), f"argand{path}, in: {text.strip()[:80]}")
                    thing = getattr(thing, part)
                count += 1
        self.assertGreater(count, 30)


class Typed(unittest.TestCase):
    def test_no_any(self):
        """Functions of several forms have an overload for each."""
        overloads = getattr(typing, "get_overloads", None)  # Python 3.11
        for name, function, _ in public():
            if overloads and overloads(function):
                continue
            for argument, parameter in arguments(function).items():
                annotation = str(parameter.annotation)
                self.assertNotEqual(parameter.annotation, inspect.Parameter.empty, f"{name}: {argument}")
                if overloads is not None:
                    self.assertNotRegex(annotation, r"\bAny\b", f"{name}: {argument}")
            if overloads is not None:
                self.assertNotRegex(str(inspect.signature(function).return_annotation), r"\bAny\b", name)

    def test_choices_are_literals(self):
        """An argument whose text names several choices is no mere str, and its text names all of them."""
        count = 0
        for name, function, doc in public():
            told = entries(doc)
            for argument, parameter in arguments(function).items():
                text, annotation = told.get(argument, ""), str(parameter.annotation).replace(" | None", "")
                choices = typing.get_args(getattr(_types, annotation, None))
                if choices and all(isinstance(c, str) for c in choices) and "as for" not in text:
                    for choice in choices:
                        self.assertIn(f'"{choice}"', text, f"{name}: {argument}")
                    count += 1
                if annotation == "str" and argument not in ("source", "name"):
                    self.assertNotRegex(text, r'"\w+"(, | or )"\w+"', f"{name}: {argument} has choices, but its type is str")
        self.assertGreater(count, 15)

    def test_literals_are_the_names_of_the_library(self):
        from argand._recon import SOLVERS

        for kind, names in [
            (_types.Norm, _options.NORMS), (_types.ImageBorder, _options.BORDERS), (_types.ConvolutionMode, _options.MODES),
            (_types.ConvolutionMethod, _options.METHODS), (_types.DynamicRange, _options.RANGES), (_types.Normalise, _options.NORMALISE),
            (_types.Interpolator, _field.INTERPOLATORS), (_types.KUnit, _io.K_UNITS), (_types.Solver, SOLVERS), (_types.Units, _options.UNITS),
            (_types.Order, _options.ORDERS),
        ]:  # fmt: skip
            self.assertEqual(set(typing.get_args(kind)), {name for name in names if name is not None}, kind)
        self.assertEqual(set(typing.get_args(_types.Border)), set(_options.BORDERS) - {"constant"})

    def test_results_are_of_the_kind_that_is_said(self):
        self.assertIs(type(argand.fftn([1.0, 2.0])), np.ndarray)
        self.assertIs(type(argand.FFT((2,)) @ np.ones(2)), np.ndarray)


if __name__ == "__main__":
    unittest.main()
