#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""python_commands.py ARGAND [--check]: python/argand/tool/__init__.py and _front.py from the tool's tables of options (`ARGAND help --json`).

Each command becomes a function with the tool's names, types, defaults and texts; python/argand/tool/_roles.py says which options take arrays. With
--check nothing is written, and a file that differs fails. An option of a kind that _roles.py does not know fails, too."""
import importlib.util
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

root = Path(__file__).resolve().parent.parent
WIDTH = 140
specification = importlib.util.spec_from_file_location("roles", root / "python" / "argand" / "tool" / "_roles.py")
roles = importlib.util.module_from_spec(specification)
specification.loader.exec_module(roles)

HEAD = '''# SPDX-License-Identifier: BSD-3-Clause
"""{title}

Made by tools/python_commands.py from the tables of `argand help --json`; a test compares them. Edit those, not this file.
"""

# fmt: off
from __future__ import annotations

'''
TOOL = """The commands of the tool `argand` as functions: the same names, options, defaults, notes and refusals.

An option --coil-maps is the argument `coil_maps`. None means: not given. Where the tool takes a file, an array may be given: in Python's order of
axes, as everywhere in this package. Sequences are in the order of an array's axes, (z, y, x) or (y, x); a text is what the tool would take.
Without `output` nothing is left on disk, and arrays come back. Notes are in the result. Each call runs the program `argand`, which is installed with
this package; arrays reach it through a private folder, in memory
where possible."""
SCAN, OUTPUT = "scan: Scan | Path | None = None", "output: Path | None = None"
X = "Scan | Path | ArrayLike"
# The arguments that are no options; what is returned; how it is computed; a sentence about them.
COMMANDS = {
    "sense": (f"{SCAN}, {OUTPUT}, *", "Outcome", "image({f}, locals())", "image"),
    "pcsense": (f"{SCAN}, {OUTPUT}, *", "Outcome", "image({f}, locals())", "image"),
    "grappa": (f"{SCAN}, {OUTPUT}, *", "Outcome", "image({f}, locals())", "image"),
    "grid": (f"{SCAN}, {OUTPUT}, *", "Outcome", "image({f}, locals())", "image"),
    "gather": ("output: Path, *", "Outcome", "image({f}, locals())", "gather"),
    "serve": ("*", "Server", "serve({f}, locals())", "serve"),
    "stream": (f"scan: Scan | Path, {OUTPUT}, *", "Values", 'values({f}, locals(), "scan")', "stream"),
    "calibrate coils": (f"source: {X}, {OUTPUT}, *", "Outcome", 'array({f}, locals(), "source")', "coils"),
    "calibrate field-map": (f"source: {X}, {OUTPUT}, *", "Outcome", 'array({f}, locals(), "source")', "field-map"),
    "calibrate noise": (f"source: {X}, {OUTPUT}, *", "Outcome", 'array({f}, locals(), "source")', "matrix"),
    "calibrate compress": (f"source: {X}, {OUTPUT}, *", "Outcome", 'array({f}, locals(), "source")', "matrix"),
    "calibrate density": (f"source: {X}, {OUTPUT}, *", "Outcome", 'array({f}, locals(), "source")', "array"),
    "calibrate delays": (f"scan: Scan | Path, {OUTPUT}, *", "Values", 'values({f}, locals(), "scan")', "values"),
    "calibrate motion": (f"scan: Scan | Path, {OUTPUT}, *", "Outcome", 'array({f}, locals(), "scan")', "motion"),
    "map t2star": (f"source: Path | ArrayLike, {OUTPUT}, *", "Outcome", 'maps({f}, locals(), "r2star")', "t2star"),
    "map water-fat": (f"source: Path | ArrayLike, {OUTPUT}, *", "Outcome", 'maps({f}, locals(), "fat-fraction")', "water-fat"),
    "map match": (f"source: Path | ArrayLike, basis: Path, {OUTPUT}, *", "Outcome", 'array({f}, locals(), "source", "basis")', "match"),
    "basis": ("kind: Literal[\"t2\", \"t1\", \"dictionary\"], *inputs: Path | ArrayLike, output: Path | None = None", "Outcome",
              'array({f}, locals(), "kind", "inputs")', "basis"),
    "info": ("file: Scan | Path, *", "Values", 'values({f}, locals(), "file")', "values"),
    "simulate": (f"{OUTPUT}, *", "Scan", "scan({f}, locals())", "scan"),
    "fetch-example": (f"name: str, {OUTPUT}, *", "Scan", 'scan({f}, locals(), "name")', "scan"),
    "pack": (f"{OUTPUT}, *", "Scan", "scan({f}, locals())", "scan"),
    "convert": (f"*inputs: {X}, {OUTPUT}", "Outcome", 'array({f}, locals(), "inputs")', "array"),
    "array": ("operation: {operations}, *inputs: Path | ArrayLike, output: Path | None = None", "Outcome",
              'array({f}, locals(), "operation", "inputs")', "array"),
    "resample": (f"image: Path | tuple[ArrayLike, Geometry], {OUTPUT}, *", "Outcome", 'array({f}, locals(), "image", ending=".nii")', "array"),
    "unwarp": (f"image: Path | tuple[ArrayLike, Geometry], {OUTPUT}, *", "Outcome", 'array({f}, locals(), "image", ending=".nii")', "array"),
    "fft": (f"x: Path | ArrayLike, {OUTPUT}, *", "Outcome | Values", "fft({f}, locals())", "fft"),
    "nufft": (f"x: Path | ArrayLike, {OUTPUT}, *", "Outcome", 'array({f}, locals(), "x")', "array"),
    "convolve": (f"x: Path | ArrayLike, kernel: Path | ArrayLike, {OUTPUT}, *", "Outcome", 'array({f}, locals(), "x", "kernel")', "array"),
    "deconvolve": (f"x: Path | ArrayLike, kernel: Path | ArrayLike, {OUTPUT}, *", "Outcome", 'array({f}, locals(), "x", "kernel")', "array"),
    "bloom": (f"picture: Path | ArrayLike, {OUTPUT}, *", "Outcome", 'array({f}, locals(), "picture")', "array"),
    "report": ("*images: Path | ArrayLike, output: Path", "pathlib.Path", "page({f}, locals())", "report"),
    "compare": ("*images: Path | ArrayLike", "Values", 'values({f}, locals(), "images")', "compare"),
}
# The first sentence of help where the tool has none of one line.
SUMMARIES = {
    "calibrate coils": "compute coil sensitivity maps, by ESPIRiT or adaptive combination",
    "calibrate field-map": "compute a field map from two or more echoes",
    "calibrate noise": "compute the matrix that whitens the noise of the channels",
    "calibrate compress": "compute the matrix that compresses the channels to fewer virtual coils",
    "calibrate density": "compute the density weights of the samples",
    "calibrate delays": "estimate gradient delays from the scan itself",
    "calibrate motion": "estimate rigid motion between shots, segments or repetitions from the samples",
    "map t2star": "compute R2*, T2* and the signal without decay from several echoes",
    "map water-fat": "separate water and fat, with R2* and field, from three or more complex echoes",
    "map match": "compute T1, T2 and proton density from coefficient images and a dictionary",
}
IMAGES = "Returns the images (repetitions, nz, ny, nx): complex, or the parts that `part` names."
RETURNS = {
    "image": IMAGES,
    "gather": IMAGES,
    "serve": "Returns an argand.tool.Server that runs until its `stop()`, or the end of a `with` block.",
    "stream": "Returns the figures that the tool prints, in seconds, a dict.",
    "coils": "Returns the maps ([sets,] coils, [nz,] ny, nx).",
    "field-map": "Returns the map ([nz,] ny, nx).",
    "t2star": "Returns R2* ([nz,] ny, nx) in 1/s; `arrays` of the result has \"t2star\" in s, \"s0\" and \"r2star-error\", too.",
    "water-fat": "Returns the fat fraction ([nz,] ny, nx); `arrays` of the result has \"water\", \"fat\", \"r2star\" in 1/s, \"b0\" in Hz and the errors, too.",
    "match": "`arrays` of the result has all maps ([nz,] ny, nx): \"t2\" in s, \"t2-error\", \"pd\", \"misfit\".",
    "basis": "Returns the basis (columns, times). `arrays` of the result has \"dictionary\" (atoms, times) and \"parameters\" (atoms, parameters).",
    "matrix": "Returns the matrix, whose rows are the new channels, as `whitener` and `compress` take it.",
    "array": "Returns an array.",
    "motion": "Returns the table (rows, 6), tx, ty, tz in mm and rx, ry, rz in degrees, as `motion` takes it.",
    "values": "Returns the figures that the tool prints, a dict.",
    "scan": "Returns the scan. Without `output` its file is temporary and lives as long as the scan.",
    "fft": "Returns an array; with explain or measure the figures of the plan.",
    "report": "Returns the path of the page.",
    "compare": "Returns the figures of the last comparison, a dict; `.each` has all.",
}
# What help says about arguments that are no options; "COMMAND NAME" where a command's own differs.
SAID = {
    "scan": "a scan (argand.Scan), or its file; a folder of scans, if output is a folder for their images",
    "output": "a file to write, as the tool does (default None: nothing is left on disk)",
    "stream output": "a file for the images that come back, .npy (default None: they are not kept)",
    "gather output": "the file whose volumes the tasks left",
    "report output": "the page to write, .html",
    "calibrate coils source": "a scan or its file, or k-space (coils, [nz,] ny, nx), or with images=True coil images",
    "calibrate field-map source": "a scan or its file, or images (echoes, coils, [nz,] ny, nx) with echo_times",
    "calibrate density source": "a scan or its file, or points (..., 2 or 3) with matrix",
    "map water-fat source": "complex images (echoes, [nz,] ny, nx) with echo_times and field_strength, or a file of them",
    "map t2star source": "images (echoes, [nz,] ny, nx), complex or magnitudes, with echo_times, or a file of them",
    "map match source": "coefficient images (columns, [nz,] ny, nx), or a file of them",
    "map match basis": "the file that argand basis wrote; the dictionary and its parameters are next to it",
    "basis kind": "the signal model: \"t2\", \"t1\", or \"dictionary\" with inputs",
    "basis inputs": "for \"dictionary\": signals (atoms, times) and parameters (atoms, parameters), or files",
    "source": "a scan or its file, or samples (coils, ...)",
    "file": "a scan (argand.Scan), or a file of any kind that the tool reads",
    "name": "the example's name",
    "operation": "what to do with the arrays; `argand help array` explains each",
    "inputs": "arrays (..., ny, nx), or files",
    "images": "images (..., ny, nx), or files",
    "compare images": "images (..., ny, nx) or files: one or more, and the reference last",
    "image": "(array, argand.Geometry), or a NIfTI file",
    "fft x": "an array (..., nx), or a file; with explain or measure a text of sizes such as \"256x256\"",
    "nufft x": "type 2: images (..., [nz,] [ny,] nx); types 1 and 3: samples (..., points); or a file",
    "x": "an array (..., ny, nx), whose last axes are the kernel's, or a file",
    "kernel": "an array of one to three axes ([nz,] [ny,] nx), or a file",
    "picture": "an array (ny, nx), (channels, ny, nx) or (ny, nx, channels) of linear light, or a file",
}
RECONSTRUCTIONS = ("sense", "pcsense", "grappa", "grid")
METHODS = ["sense", "pcsense", "grappa", "grid", *(name for name in COMMANDS if name.startswith("calibrate")), "info"]
OWN = [
    ("full", "bool", "False", "keep the coil maps with the result (result.maps)"),
    ("callback", "Callback | None", "None", "is given an argand.Progress after each iteration; if it returns False, the call raises argand.errors.Stopped, and nothing is written"),
    ("progress", "bool", "False", "show how far the iterations are: a plot, a bar or a line"),
]
# Of argand.sense and argand.pcsense, beside the tool's options; their first three arguments are kspace, trajectory and maps.
FRONT = [
    ("shape", "int | Sequence[int] | None", "None", "size of the image ([nz,] ny, nx), another name of matrix"),
    ("gradient_delay", "float | Sequence[float]", "0.0", "gradient delays in seconds, one or an axis each; delay says them in microseconds"),
    ("comm", "Comm | None", "None", "arrays: an argand.Comm whose ranks share the coils, or the shots if they have phase maps. All ranks give the "
     "same arguments and get the image"),
]

# What differs there from the tool: the annotation's end, the default, a sentence.
CALLBACK = "is given an argand.Progress after each iteration. False ends the iterations: arrays in this process give the image so far; where the tool " \
    "computes, the call raises argand.errors.Stopped and nothing is written"
FRONT_OWN = {"precision": (" | None", "None", ". Default: that of the arrays; single for files"), "toeplitz": (" | bool | None", '"auto"', ""),
             "denoiser": (" | Denoiser", "None", ". Or a function of an image and its level of noise, of arrays in this process")}


def listing(tool, *command):
    return json.loads(subprocess.run([tool, "help", "--json", *command], capture_output=True, text=True, check=True).stdout)


def function_name(command):
    return roles.parameter(command.replace(" ", "_"))


def literal(choices):
    return "Literal[" + ", ".join(json.dumps(c) for c in choices) + "]"


def typed(o):
    """Annotation and default of an option, as text."""
    name, kind, usual = o["name"], o["kind"], o["default"]
    if name == "device":
        return "Device | str | Sequence[str] | None", "None"
    if name == "regularize":
        return roles.REGULARIZE, "None"
    if kind == "flag":
        return "bool", repr(usual)
    if kind in ("int", "double"):
        word = "int" if kind == "int" else "float"
        return (f"{word} | None", "None") if usual is None else (word, repr(int(usual) if kind == "int" else float(usual)))
    if kind == "choice":
        return literal(o["choices"]), json.dumps(usual)
    if kind == "set":
        return f"{literal(o['choices'])} | Sequence[str] | None", "None"
    if kind == "sizes":
        return "int | Sequence[int] | str | None", "None"
    if name in roles.WRITTEN:
        return "Path | bool", "False"
    if name == "compress":
        return "int | ArrayLike | Path | None", "None"
    if name in roles.ARRAYS:
        return ("tuple[ArrayLike, Geometry] | Path | None" if name == "like" else "ArrayLike | Path | None"), "None"
    if o["argument"] not in roles.TYPES:
        sys.exit(f"--{name} {o['argument']}: python/argand/tool/_roles.py does not say what this is in Python")
    return roles.TYPES[o["argument"]], json.dumps(usual) if usual is not None else "None"


def arguments_of(leaf, first):
    """(name, "", default, sentence, None) of the arguments that are no options."""
    names = re.findall(r"(?:^|, )\*?(\w+):", first)
    return [(name, "", "None", SAID.get(f"{leaf} {name}") or SAID[name], None) for name in names]


def in_python(text):
    return re.sub(r"--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\b", lambda m: roles.parameter(m[1]), text)


def sentence(o):
    """What help says about an option."""
    name, said = o["name"], in_python(o["help"])
    if name in roles.ARRAYS and o["kind"] == "text":
        said += f". An array: {roles.ARRAYS[name]}"
    if "choices" in o:
        said += ": " + ", ".join(json.dumps(c) for c in o["choices"])
    if name in roles.WRITTEN and o["kind"] == "text":
        said += ". True: in the result's `arrays`"
    if name == "part" and o["kind"] == "set":
        said += ". Default: complex without `output`, else magnitude"
    return said


def options_of(table, left_out=()):
    """(parameter, annotation, default, sentence, group) of each option."""
    found = []
    for o in table["options"]:
        if o["name"] not in roles.WITHOUT and o["name"] not in left_out:
            found.append((roles.parameter(o["name"]), *typed(o), sentence(o), o["group"]))
    return found


def signature(name, first, parameters, returns, indent=""):
    """The lines of `def`, packed."""
    parts = [first] if first else []
    parts += [f"{p}: {annotation} = {usual}" for p, annotation, usual, *_ in parameters]
    lines, line = [], ""
    for part in parts:
        if line and len(indent) + 4 + len(line) + len(part) + 3 > WIDTH:
            lines.append(line)
            line = ""
        line += (" " if line else "") + part + ","
    lines.append(line)
    lines[-1] = lines[-1].rstrip(",")
    if lines[-1] == "*":
        lines[-1] = ""
    body = "".join(f"{indent}    {each}\n" for each in lines if each)
    return f"{indent}def {name}(\n{body}{indent}) -> {returns}:\n" if body else f"{indent}def {name}() -> {returns}:\n"


def documentation(opening, parameters, indent="    "):
    width = max([len(p[0]) for p in parameters] + [8]) + 2
    text = [opening, ""]
    group = None
    for parameter, _, usual, said, *rest in parameters:
        if rest and rest[0] != group:
            group = rest[0]
            text.append(f"{group}:" if group else "")
        shown = "" if usual in ("None", "False", "0", "0.0", '""') else f" (default {usual})"
        text += textwrap.wrap(f"{parameter:<{width}}{said}{shown}", WIDTH - len(indent), subsequent_indent=" " * width)
    lines = [indent + line if line else "" for block in text for line in block.split("\n")]
    joined = "\n".join(lines).replace("\\", "\\\\")
    return f'{indent}"""{joined[len(indent):]}\n{indent}"""\n'


def opened(summary, *more):
    """The first sentence of a docstring, and what follows it, wrapped."""
    first = summary[0].upper() + summary[1:] + "."
    rest = [textwrap.fill(in_python(m), WIDTH - 8) for m in more]
    return "\n\n".join([first, *rest])


def operations(description):
    listed = description.split("operations:\n")[1]
    return textwrap.fill(literal(re.findall(r"^  (\w+) ", listed, re.M)), WIDTH - 12).replace("[", "[\n", 1).replace("]", ",\n]").replace("\n\"", "\n    \"")


def make(tool):
    every = listing(tool)["commands"]
    summaries = {c["name"]: c["summary"] for c in every}
    leaves = [f"{c['name']} {p}" if p else c["name"] for c in every if c["name"] not in roles.NO_FUNCTION for p in (c["parts"] or [""])]
    missing = set(leaves) ^ set(COMMANDS)
    if missing:
        sys.exit(f"tools/python_commands.py: no function, or no command: {', '.join(sorted(missing))}")
    tables = {leaf: listing(tool, *leaf.split()) for leaf in leaves}
    out = [HEAD.format(title=TOOL)]
    out.append("import pathlib\nfrom collections.abc import Sequence\nfrom typing import TYPE_CHECKING, Any, Literal\n\nfrom .._errors import hinted\n\nif TYPE_CHECKING:\n")
    out.append("    from .._device import Device\n    from .._io import Geometry, Path\n    from .._progress import Callback\n")
    out.append("    from .._regularize import Regularizer\n    from .._types import ArrayLike\n    from ._commands import Outcome, Server, Values\n    from ._scans import Scan\nelse:\n\n    def __getattr__(name: str) -> Any:\n        # The classes of results, imported when they are first named: importing argand stays fast.\n        if name not in (\"Outcome\", \"Server\", \"Values\"):\n            raise AttributeError(f\"module {__name__!r} has no attribute {name!r}\")\n        from . import _commands\n\n        return getattr(_commands, name)\n\n\n__all__ = [\n    ")
    names = sorted([*map(function_name, leaves), "Outcome", "Server", "Values"])
    out.append(textwrap.fill(", ".join(json.dumps(n) for n in names), WIDTH - 6).replace("\n", "\n    ") + ",\n]\n")
    names_at = len(out)
    for leaf in leaves:
        out.append("\n\n" + one_function(leaf, tables[leaf], summaries))
    out.insert(names_at, f"\nOperation = {operations(tables['array']['description'])}\n")
    out.append('\n\nclass ScanMethods:\n    """The commands that take a scan, as methods of argand.Scan."""\n')
    for leaf in METHODS:
        out.append("\n" + one_method(leaf, tables[leaf], summaries))
    front = [HEAD.format(title="argand.sense and argand.pcsense: of arrays, scans and files, with all options of the tool.")]
    front.append("from collections.abc import Sequence\nfrom typing import TYPE_CHECKING, Any, Literal\n\nfrom .._errors import hinted\n\n")
    front.append("if TYPE_CHECKING:\n    from .._comm import Comm\n    from .._device import Device\n")
    front.append("    from .._io import Geometry, Path\n    from .._progress import Callback\n    from .._regularize import Denoiser, Regularizer\n    from .._result import Result\n    from .._types import ArrayLike\n    from ._scans import Scan\n")
    for leaf in ("sense", "pcsense"):
        front.append("\n\n" + front_function(leaf, tables[leaf]))
    return {"__init__.py": "".join(out), "_front.py": "".join(front)}


def called(body, indent):
    """The lines that compute; the module is imported by the first call."""
    return f"{indent}given = locals()\n{indent}from . import _commands\n\n{indent}return _commands.{body.replace('locals()', 'given')}\n"


def one_function(leaf, table, summaries):
    first, returns, body, about = COMMANDS[leaf]
    name = function_name(leaf)
    parameters = options_of(table)
    if leaf == "serve":
        own = []
    else:
        own = [p for p in OWN if p[0] == "progress" or leaf in RECONSTRUCTIONS]
    parameters += [(*p, "Progress" if any(q[4] for q in parameters) else None) for p in own]
    summary = summaries.get(leaf) or SUMMARIES[leaf]
    if "{operations}" in first:
        first = first.replace("{operations}", "Operation")
    text = documentation(opened(summary, RETURNS[about]), arguments_of(leaf, first) + parameters)
    return f"@hinted\n{signature(name, first, parameters, returns)}{text}{called(body.replace('{f}', name), '    ')}"


def one_method(leaf, table, summaries):
    _, returns, body, about = COMMANDS[leaf]
    name = function_name(leaf)
    parameters = options_of(table, roles.OF_READING)
    parameters += [(*p, "Progress" if any(q[4] for q in parameters) else None) for p in OWN if p[0] == "progress" or leaf in RECONSTRUCTIONS]
    own = "" if leaf == "info" else OUTPUT
    first = "self" + (own and f", {own}") + ", *"
    summary = (summaries.get(leaf) or SUMMARIES[leaf]) + ": argand.tool." + name + " of this scan"
    text = documentation(opened(summary, RETURNS[about]), arguments_of(leaf, own) + parameters, " " * 8)
    return f"    @hinted\n{signature(name, first, parameters, returns, '    ')}{text}{called(f'method({name}, locals())', ' ' * 8)}"


def front_function(leaf, table):
    given = {"kspace", "trajectory"}
    parameters = [(*p, None) for p in FRONT] + options_of(table, given)
    parameters += [(*p[:3], CALLBACK if p[0] == "callback" else p[3], "Progress") for p in OWN]
    for i, (parameter, annotation, usual, said, group) in enumerate(parameters):
        if parameter in FRONT_OWN:
            parameters[i] = (parameter, annotation + FRONT_OWN[parameter][0], FRONT_OWN[parameter][1], said + FRONT_OWN[parameter][2], group)
    first = "kspace: Scan | Path | ArrayLike, trajectory: ArrayLike | Path | None = None, maps: ArrayLike | Path | None = None, "
    if leaf == "pcsense":
        phases = next(p for p in parameters if p[0] == "phase_maps")
        parameters.remove(phases)
        first += f"phase_maps: {phases[1]} = None, "
    text = documentation(FRONT_TEXT[leaf].replace("\n    ", "\n").rstrip(), parameters)
    return f"@hinted\n{signature(leaf, first + '*', parameters, 'Result')}{text}    given = locals()\n    from . import _sense\n\n    return _sense.reconstruct({leaf}, given)\n"


FRONT_TEXT = {
    "sense": """SENSE: the image x that minimises 1/2 |W^1/2 (y_c - F(S_c x))|^2 + regularizers over all coils c.

    kspace      a scan or its file: `argand.tool.sense`. Or samples (coils, ...), complex; without a trajectory (coils, [nz,] ny, nx) on the grid,
                centre at floor(n/2), 0 where not measured. A further first axis counts repetitions
    trajectory  (..., 2 or 3) cycles per field of view, the last axis in the order of the image's axes (y, x) or (z, y, x); the axis before it
                counts the samples of a shot
    maps        (coils, [nz,] ny, nx) sensitivities, another name of coil_maps; None: estimated, `shape` is needed then

    Of arrays it computes in this process, on their device: in single precision for complex64 and in double for complex128 data (samples are kept in
    single precision). Options that only the tool has, such as noise_map or basis, are computed by it. Returns an argand.Result: the array
    ([nz,] ny, nx), which prints how it came about.

    >>> maps = argand.birdcage((4, 16, 16))
    >>> kspace = argand.fftn(argand.phantom((16, 16)) * maps, axes=(1, 2), centred=True)
    >>> argand.sense(kspace, maps=maps).shape
    (16, 16)
""",
    "pcsense": """SENSE of shots with a phase map P_s each (diffusion, elastography): y_cs = F_s(S_c exp(i P_s) x).

    kspace      a scan or its file: `argand.tool.pcsense`. Or samples (coils, shots, samples), complex
    trajectory  (shots, samples, 2 or 3) cycles per field of view, the last axis in the order of the image's axes (y, x) or (z, y, x)
    maps        (coils, [nz,] ny, nx) sensitivities, another name of coil_maps; None: estimated, `shape` is needed then
    phase_maps  (shots, [nz,] ny, nx) in rad; or "shots", as of arrays by default: estimated from each shot's own central samples; "navigators"
                and "none" of scans

    Everything else as argand.sense.
""",
}


def main():
    tool, check = sys.argv[1], "--check" in sys.argv[2:]
    bad = 0
    for name, text in make(tool).items():
        path = root / "python" / "argand" / "tool" / name
        if not check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"{path} is not what the tool's tables say: run tools/python_commands.py build/release/argand")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
