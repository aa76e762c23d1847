# SPDX-License-Identifier: BSD-3-Clause
"""Calls of the tool's commands by Python's values: arrays become files, files become arrays (_program.py runs the program)."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .. import _io, _recon
from . import _roles
from .._device import Device
from ._program import Call, Folder, Told, event_of, stop
from .._progress import Progress
from .._regularize import as_text
from .._result import Report, Result
from .._show import _on_host

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._scans import Scan

Path = str | os.PathLike[str]
Function = Callable[..., Any]
_ENDINGS = (".nii.gz", ".nii", ".npy", ".cfl")
_NAMES = {_roles.parameter(name): name for name in (*_roles.ARRAYS, *_roles.WRITTEN)}
_BARE = {"coil_maps": "maps"}  # argand.sense's names
_MESSAGES = {"r2star": "R2* map"}  # what messages call an argument whose name they do not give
_R = TypeVar("_R")


class Outcome(Result):
    """What a command of the tool made: an argand.Result, which is a NumPy array, with everything else that the tool wrote.

    values      the figures of the tool's last event, a dict
    arrays      what else was made, by name: "maps", "noise", "contrast-2", "report", ...
    steps       each iteration of each volume: the rows of the tool's table
    parameters  the image's sidecar, as the tool writes it beside an image: what was measured and chosen
    files       those that were written because `output` named them; the array is empty if they are no arrays
    command     the command line that does the same with files
    """

    values: dict[str, Any]
    arrays: dict[str, Any]
    steps: list[dict[str, float]]
    parameters: dict[str, Any]
    files: list[pathlib.Path]
    command: str
    _reason = ""  # the argument for which argand.sense called the tool

    def of_arrays(self) -> Outcome:
        """What argand.sense returns of arrays: without the axes of a single repetition and slice, and a note why the tool computed."""
        made = self.with_image(_without_ones(self.image, -4, -3))  # -4 first: it would be -3 without the axis of slices
        made.arrays = {name: self._alike(name, value) for name, value in self.arrays.items()}
        if self._report is not None and self._reason:
            note = f"The program argand computed this, because of the argument {self._reason}"
            made._report = self._report._replace(notes="\n".join(filter(None, (self._report.notes, note))))
        if self._maps is not None:
            made._maps = (made.arrays.get("maps", self._maps[0]), self._maps[1])
        return made

    def _alike(self, name: str, value: Any) -> Any:
        """Another result of the call without the axes that the image loses. Maps have coils before the slices."""
        if name == "maps":
            return _without_ones(value, -3) if value.ndim > 3 else value
        return _without_ones(value, -4, -3) if isinstance(value, np.ndarray) and value.shape == self.image.shape else value

    def with_image(self, image: np.ndarray[Any, Any]) -> Outcome:
        """The same of another array."""
        made = Outcome(image, self.report, self._maps)
        for name in Outcome.__annotations__:
            setattr(made, name, getattr(self, name))
        return made

    def __reduce__(self) -> Any:
        kept = {name: getattr(self, name, None) for name in Outcome.__annotations__}
        return (_again, (self.image, self._report, self._maps, kept)) if self._report else self.image.__reduce__()


def _without_ones(array: np.ndarray[Any, Any], *axes: int) -> np.ndarray[Any, Any]:
    """An array without those of these axes that have one element, in this order."""
    for axis in axes:
        if array.ndim >= -axis and array.shape[axis] == 1:
            array = np.squeeze(array, axis)
    return array


def _again(image: Any, report: Report, maps: Any, kept: dict[str, Any]) -> Outcome:
    """An Outcome of its parts, for copies and pickles."""
    made = Outcome(image, report, maps)
    for name, value in kept.items():
        setattr(made, name, value)
    return made


class Values(dict[str, Any]):
    """The figures of a command's last event, and its notes, a sentence a line; each: the figures of every event."""

    notes: str = ""
    each: list[dict[str, Any]]


def command_of(name: str) -> list[str]:
    """The tool's words for a function: calibrate_field_map is "calibrate field-map"."""
    words = name.partition("_") if name.startswith(("calibrate_", "map_")) else (name, "", "")
    return [word.replace("_", "-") for word in (words[0], words[2]) if word]


class Request:
    """The arguments of a call, as the program takes them. Arrays are written when the call begins."""

    def __init__(self, function: Function, given: Mapping[str, Any], positional: Sequence[str]) -> None:
        self.command = command_of(function.__name__)
        self.positional = positional
        self.given = dict(given)
        self.given.pop("full", None)
        self.callback, self.progress = self.given.pop("callback", None), self.given.pop("progress", False)
        bare = getattr(function, "__wrapped__", function)
        self._defaults, self._annotations = bare.__kwdefaults__ or {}, bare.__annotations__
        _check_output(function.__name__, self.given)
        self._files: list[tuple[str, str, Any]] = []  # parameter, ending, array
        self._arguments: list[tuple[str, Any]] = []
        self._flat: list[str] = []  # maps that got an axis of one slice
        self.names: dict[str, str] = {}
        self.wanted: list[str] = []  # parameters whose file is read back
        self._inputs: list[Any] = []

    def options(self) -> None:
        """Collects the options that differ from their defaults."""
        for name, value in self.given.items():
            if name in self.positional or name not in self._defaults or value is self._defaults[name]:
                continue
            self._option(name, value)

    def _option(self, name: str, value: Any) -> None:
        flag = "--" + name.rstrip("_").replace("_", "-")
        option = _NAMES.get(name)
        if value is None:
            return
        if isinstance(value, (bool, np.bool_)):
            self._switch(name, option, bool(value))
        elif option in _roles.ARRAYS and is_array(value):
            self._arguments.append((flag, self.file(name, value)))
        else:
            self._arguments.append((flag, as_argument("sizes_list" if name == "size" and self.command == ["array"] else name, value)))

    def _switch(self, name: str, option: str | None, value: bool) -> None:
        """True or False: of a flag, of a file that comes back, and of toeplitz."""
        flag = "--" + name.rstrip("_").replace("_", "-")
        if name == "toeplitz":
            self._arguments.append((flag, "on" if value else "off"))
        elif option not in _roles.WRITTEN and not isinstance(self._defaults[name], bool):
            raise TypeError(f"{name}: {value} is no value of this argument; {_choices(self._annotations.get(name, ''))}")
        elif value and option in _roles.WRITTEN:
            self.wanted.append(name)
        elif value:
            self._arguments.append((flag, None))

    def reason(self) -> str:
        """The argument that argand.sense cannot obey in this process; "" if it can obey all."""
        given = {_BARE.get(n, n): v for n, v in self.given.items() if n in self._defaults and n not in self.positional and v is not self._defaults[n]}
        return _recon._needs_tool(given, given.pop("kspace"), given.pop("trajectory", None), given.pop("phase_maps", None)) or ""

    def force(self, name: str, value: str) -> None:
        """Sets an option for which Python has a default of its own."""
        self._arguments.append(("--" + name, value))

    def file(self, name: str, value: Any) -> int:
        """Notes an array to write; returns its number."""
        geometry = None
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], _io.Geometry):
            value, geometry = value
        array = readable(name, value)
        if array.ndim == _roles.FLAT.get(_NAMES.get(name, ""), -1):
            array = np.expand_dims(array, -3)  # the axis of one slice
            self._flat.append(_MESSAGES.get(name, name))
        if _NAMES.get(name) in _roles.MATRICES and array.ndim >= 2:
            array = np.swapaxes(array, -1, -2)
        if name == "girf" and array.ndim == 2:
            array = array[::-1]
        self._files.append((name, ".npy" if geometry is None else ".nii", (np.ascontiguousarray(array), geometry)))
        return len(self._files) - 1

    def input(self, name: str, value: Any) -> None:
        """Adds an argument that is no option: a scan, a file or an array."""
        if isinstance(value, _io.ScanFile):
            self._inputs.append(value.path)
            if value._folder is not None:
                self.names[str(value.path)] = "scan"
            for option, found, usual in (("group", value.group, "dataset"), ("k-unit", value.k_unit, "auto")):
                if found != usual and self.given.get(_roles.parameter(option)) in (None, "auto"):
                    self.force(option, found)
        else:
            self._inputs.append(self.file(name, value) if is_array(value) else os.fspath(value))

    def begin(self, output: Path | None, ending: str) -> tuple[Call, Folder, pathlib.Path | None]:
        """Writes the arrays. Returns the call, its folder, and the path of the output, if the command has one."""
        folder = Folder(sum(array.nbytes for _, _, (array, _) in self._files))
        paths = [self._write(folder, *each) for each in self._files]
        text = [paths[value] if isinstance(value, int) else value for value in self._inputs]
        place = None if not ending else folder.path / f"image{ending}" if output is None else pathlib.Path(output)
        if place is not None:
            text.append(os.fspath(place))
        for flag, value in self._arguments:
            text += [flag] if value is None else [f"{flag}={paths[value] if isinstance(value, int) else value}"]
        for name in self.wanted:
            kept = folder.path / (name + {"report": ".html", "compare": ".png"}.get(name, ".npy"))
            text.append(f"--{name.replace('_', '-')}={kept}")
        return Call(self.command, text, self.names, folder.path, self._flat), folder, place

    def _write(self, folder: Folder, name: str, ending: str, held: tuple[Any, _io.Geometry | None]) -> str:
        path, number = folder.path / (name + ending), 2
        while path.exists():
            path, number = folder.path / f"{name}-{number}{ending}", number + 1
        if held[1] is None:
            np.save(path, held[0])
        else:
            _io.write_nifti(path, held[0], held[1])
        self.names[str(path)] = path.name[: -len(ending)]
        return str(path)


def _check_output(function: str, given: Mapping[str, Any]) -> None:
    """Refuses an output that is no file's name, as from an array that was meant for another argument; and parts of a job without a file."""
    output = given.get("output")
    if output is not None and not isinstance(output, (str, os.PathLike)):
        hint = "give other arguments by their names"
        if function == "nufft":
            hint = "give the points by points=...; for arrays in this process: argand.nufft2(image, points)"
        raise TypeError(f"{function}: output is a file to write, not of type {type(output).__name__}: {hint}")
    if output is None and "output" in given:
        for name in ("task", "resume"):
            if given.get(name):
                raise ValueError(f"{name} needs output, the file whose parts are kept: argand.tool.{function}(..., output=...)")


def _choices(annotation: str) -> str:
    """What an argument takes, by its annotation."""
    listed = re.search(r"Literal\[(.*?)\]", annotation)
    return f"give one of {listed[1]}" if listed else f"it takes {annotation}"


def is_array(value: Any) -> bool:
    """Whether a value is an array rather than the name of a file, a number or a word."""
    return value is not None and not isinstance(value, (str, bytes, os.PathLike, int, float, complex, np.generic))


def readable(name: str, value: Any) -> np.ndarray[Any, Any]:
    """An array of a type that the tool reads."""
    array = _on_host(value)
    kind = array.dtype
    if kind.kind not in "biufc":
        raise TypeError(f"{name}: an array of numbers is needed, not of {kind}")
    if kind.kind == "c":
        return array.astype(np.complex64 if kind.itemsize <= 8 else np.complex128, copy=False)
    return array.astype(np.float32 if kind.itemsize <= 2 or kind == np.float32 else np.float64, copy=False)


def as_argument(name: str, value: Any) -> str:
    """A value of Python as the tool's text."""
    if isinstance(value, Device):
        return value.name
    if name == "regularize":
        return as_text(value)
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: {value} is no value of this argument")
    if isinstance(value, complex) and not isinstance(value, float):
        return f"{value.real!r},{value.imag!r}"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, np.generic):
        return str(value.item())
    if isinstance(value, (int, float)):
        return repr(value)
    separator, reversed_ = _joined(name)
    value = np.asarray(value).tolist() if isinstance(value, np.ndarray) else value
    parts = [as_argument(name, part) for part in (reversed(list(value)) if reversed_ else value)]
    return separator.join(parts)


_SEPARATORS = {
    "matrix": "sizes", "fov": "MM[xMM[xMM]]", "image_fov": "MM[xMM[xMM]]", "delay": "US[,US[,US]]", "centre": "WHERE", "echo_times": "T,T...", "time_points": "T,T...", "values": "LOW:HIGH", "names": "LIST",
    "axes": "LIST", "trajectory_axes": "LIST", "range": "FROM:TO", "captions": "A|B", "maps": "A|B", "task": "I/N", "part": "set", "device": "set",
    "size": "sizes", "sizes_list": "N[,M...]",
}  # fmt: skip


def _joined(name: str) -> tuple[str, bool]:
    if name not in _SEPARATORS:
        raise TypeError(f"{name}: one value is needed, not a sequence")
    return _roles.JOINED[_SEPARATORS[name]]


def _request(function: Function, given: Mapping[str, Any], *positional: str) -> Request:
    request = Request(function, given, (*positional, "output"))
    for name in positional:
        value = request.given.get(name)
        if isinstance(value, tuple) and name.endswith("s"):  # *inputs
            for each in value:
                request.input(name[:-1], each)
        elif value is not None:
            request.input(name, value)
    request.options()
    return request


def image(function: Function, given: Mapping[str, Any]) -> Outcome:
    """sense, pcsense, grid, gather: reconstructs, and reads back what was written."""
    request = _request(function, given, "scan")
    if given.get("kspace") is not None:
        if given.get("scan") is not None:
            raise TypeError(f"{function.__name__}: give a scan or kspace, not both")
        request._inputs = []
    elif given.get("scan") is None and "scan" in given:
        raise TypeError(f"{function.__name__}: give a scan, its file, or kspace")
    if given.get("full") and not given.get("save_maps"):
        request.wanted.append("save_maps")
    output = given.get("output")
    if output is None and given.get("part") is None and given.get("combine") != "rss":
        request.force("part", "complex")
    made = _finished(request, output, ".npy" if given.get("precision") == "double" else ".nii")
    if is_array(given.get("kspace")):
        made._reason = request.reason()
    return made


def array(function: Function, given: Mapping[str, Any], *positional: str, ending: str = ".npy") -> Outcome:
    """Commands that read arrays or a scan and write an array."""
    request = _request(function, given, *positional)
    made = _finished(request, given.get("output"), ending)
    if function.__name__ in ("calibrate_noise", "calibrate_compress"):
        return made.with_image(np.swapaxes(made.image, -1, -2).copy())
    return made


def maps(function: Function, given: Mapping[str, Any], main: str) -> Outcome:
    """map: several maps, of which the main one is the result and all are in `arrays`."""
    made = array(function, given, "source")
    return made.with_image(made.arrays[main]) if main in made.arrays else made


def values(function: Function, given: Mapping[str, Any], *positional: str) -> Values:
    """Commands that print figures."""
    request = _request(function, given, *positional)
    output = given.get("output")
    call, folder, _ = request.begin(output, "" if output is None else pathlib.Path(output).suffix or ".h5")
    told = call.run(request.callback, request.progress)
    folder.close()
    return as_values(told)


def as_values(told: Told) -> Values:
    found = Values(told.results[-1] if told.results else {})
    found.notes, found.each = "\n".join(told.notes), told.results
    return found


def scan(function: Function, given: Mapping[str, Any], *positional: str) -> Scan:
    """simulate, pack, fetch_example: writes a scan and reads it; without `output` its file lives as long as the scan."""
    request = _request(function, given, *positional)
    call, folder, place = request.begin(given.get("output"), ".h5")
    told = call.run(request.callback, request.progress)
    made: Scan = _io.ScanFile.opened(str(place))
    made.origin = "\n".join(told.notes)
    if given.get("output") is None:
        made._folder = folder
    return made


def page(function: Function, given: Mapping[str, Any]) -> pathlib.Path:
    """report: writes a page."""
    request = _request(function, given, "images")
    call, folder, place = request.begin(given["output"], ".html")
    call.run(request.callback, request.progress)
    folder.close()
    assert place is not None
    return place


def fft(function: Function, given: Mapping[str, Any]) -> Outcome | Values:
    """fft: transforms an array, or explains and measures plans of sizes."""
    x, axes = given["x"], given["axes"]
    if isinstance(axes, (int, np.integer)) and not isinstance(axes, bool):
        axes = [axes]
    if is_array(axes) and not is_array(x) and not all(isinstance(a, str) for a in axes):
        raise TypeError("axes: numbers count the axes of arrays; give the axes of a file by text, such as \"x,y\", whose x is the fastest")
    if is_array(x) and is_array(axes):
        rank = np.ndim(x)
        for axis in axes:
            if not isinstance(axis, str) and not -rank <= axis < rank:
                raise ValueError(f"axes: {axis} is no axis of an array of {rank}: give numbers from {-rank} to {rank - 1}")
        given = {**given, "axes": [a if isinstance(a, str) else rank - 1 - range(rank)[a] for a in axes]}
    return values(function, given, "x") if given["explain"] or given["measure"] else array(function, given, "x")


class Server:
    """A running `argand serve`: it ends by `stop()`, at the end of its `with` block, or with its last reference.

    port    where it listens; address: "127.0.0.1:9002"
    """

    def __init__(self, call: Call, folder: Folder) -> None:
        import subprocess

        self._folder, self._call = folder, call
        self._errors = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            call.line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors, text=True, errors="replace"
        )
        self.port = 0
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = event_of(line)
            call.take(event)
            if event.get("event") == "listening":
                self.port = int(event["port"])
                break
        if not self.port:
            self._ended()

    def wait(self, timeout: float | None = None) -> str:
        """Waits for the end of a server with `once=True`, and returns its notes; raises if the connection failed."""
        import subprocess

        try:
            said, _ = self._process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the server at port {self.port} still serves after {timeout} s") from None
        for line in said.splitlines():
            self._call.take(event_of(line))
        return self._ended()

    def _ended(self) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        if code:
            self._call.fail(code, self._errors.read())
        return "\n".join(self._call.told.notes)

    def stop(self) -> None:
        """Ends the server and its connections."""
        stop(self._process)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()
        self._folder.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()

    def __del__(self) -> None:
        if hasattr(self, "_process") and self._process.poll() is None:
            self.stop()

    def __repr__(self) -> str:
        return f"argand.tool.Server(port={self.port}, {'running' if self._process.poll() is None else 'ended'})"


def serve(function: Function, given: Mapping[str, Any]) -> Server:
    """serve: starts the server and returns when it listens."""
    request = _request(function, given)
    call, folder, _ = request.begin(None, "")
    return Server(call, folder)


def method(function: Callable[..., _R], given: dict[str, Any]) -> _R:
    """A method of Scan: the function with this scan."""
    options = dict(given)
    return function(options.pop("self"), **options)


def _finished(request: Request, output: Path | None, ending: str) -> Outcome:
    """Runs a command and reads back what it wrote."""
    call, folder, place = request.begin(output, ending)
    assert place is not None
    before = _seen(place)
    told = call.run(request.callback, request.progress)
    fresh = {path for path, state in _seen(place).items() if before.get(path) != state}
    found = dict(_written(place, fresh))
    geometry, main = None, np.zeros(0, np.complex64)
    arrays: dict[str, Any] = {}
    for label, path in found.items():
        if path.name.endswith((".nii", ".nii.gz")):
            read, place_ = _io.read_nifti(path)
            geometry = geometry or (place_ if place_.valid else None)
        else:
            read = _io.read(path)
        if label == "" or not main.size:
            main = read
        if label:
            arrays[label] = read
    for name in request.wanted:
        arrays.update(_wanted(folder.path, name))
    steps, parameters = _steps(place, fresh), _sidecar(place, fresh)
    report = _report(told, _notes(told, place), parameters.get("Argand", {}), steps, geometry)
    maps = (arrays.get("maps"), None) if "maps" in arrays else None
    made = Outcome(np.asarray(main), report, maps)
    made.values, made.arrays, made.command = told.results[-1] if told.results else {}, arrays, call.shown()
    made.steps, made.parameters = steps, parameters
    made.files = [] if output is None else list(found.values())
    folder.close()
    return made


def _report(told: Told, notes: str, chosen: dict[str, Any], steps: list[dict[str, float]], geometry: Any) -> Report:
    """An argand.Report of what the tool told and wrote; its iterations are the first volume's."""
    first = tuple(
        Progress(int(s["iteration"]), int(chosen.get("Iterations", 0)), s["residual"], s["gradient"], s["penalty"], s["seconds"])
        for s in steps if s["volume"] == 0
    )  # fmt: skip
    said = told.results[-1] if told.results else {}
    transform = str(chosen.get("Transform", ""))
    return Report(
        solver=str(chosen.get("Solver", "")).lower(), iterations=int(said.get("iterate", 0)), limit=int(chosen.get("Iterations", 0)),
        stop=str(said.get("stop", "")), progress=first, transform=transform if first or transform != "auto" else "",
        segments=int(chosen.get("Segments", 0)), segment_error=float(chosen.get("SegmentError", 0.0)),
        convolutions=int(chosen.get("ToeplitzConvolutions", 0)), coil_maps=str(chosen.get("CoilMaps", "")).lower(),
        density=str(chosen.get("Density", "")), density_power=float(chosen.get("DensityPower", 1.0)), coils=int(chosen.get("Coils", 0)),
        shots=int(chosen.get("Shots", 1)), regularize=str(chosen.get("Regularize", "")).replace("0", "", str(chosen.get("Regularize", "")) == "0"),
        noise=float(chosen.get("EstimatedNoise", 0.0)), seconds=float(said.get("seconds", 0.0)),
        solve_seconds=told.timings.get("reconstructing", 0.0), notes=notes, geometry=geometry,
    )  # fmt: skip


def _notes(told: Told, place: pathlib.Path) -> str:
    """The notes without those that only name a file that was written."""
    stem = _stem(place)
    return "\n".join(n for n in told.notes if not (pathlib.Path(n).name.startswith(stem) and " " not in n) and n not in _TEMPORARY)


_TEMPORARY = ("save_maps.npy", "report.html", "compare.png", "eigenvalues.npy", "covariance.npy", "data.npy")


def _stem(place: pathlib.Path) -> str:
    for ending in _ENDINGS:
        if place.name.endswith(ending):
            return place.name[: -len(ending)]
    return place.stem


def _seen(place: pathlib.Path) -> dict[pathlib.Path, tuple[int, int, int]]:
    """The files whose names begin as the output's, by what a write changes: a call's results are those that differ after it."""
    found = {}
    for path in place.parent.glob(f"{glob_escape(_stem(place))}*"):
        with contextlib.suppress(FileNotFoundError):
            state = path.stat()
            found[path] = (state.st_mtime_ns, state.st_size, state.st_ino)
    return found


def _written(place: pathlib.Path, fresh: set[pathlib.Path]) -> Iterator[tuple[str, pathlib.Path]]:
    """The arrays that were written under a name, by what the name adds: "" of the name itself."""
    stem = _stem(place)
    ending = place.name[len(stem) :]
    if ending not in _ENDINGS:
        return
    if place in fresh:
        yield "", place
    for path in sorted(fresh):
        if path.name.startswith(f"{stem}_") and path.name.endswith(ending):
            yield path.name[len(stem) + 1 : -len(ending)].replace("part-", ""), path


def glob_escape(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _wanted(folder: pathlib.Path, name: str) -> Iterator[tuple[str, Any]]:
    key = {"save_maps": "maps"}.get(name, name)
    for path in sorted(folder.glob(f"{name}*")):
        if path.suffix == ".npy":
            read = _io.read(path)
            yield key, np.swapaxes(read, -1, -2).copy() if name == "covariance" else read
        elif path.suffix in (".html", ".png"):
            yield key, path.read_text() if path.suffix == ".html" else path.read_bytes()


def _steps(place: pathlib.Path, fresh: set[pathlib.Path]) -> list[dict[str, float]]:
    import csv

    table = place.parent / (_stem(place) + ".csv")
    if table not in fresh:
        return []
    with table.open() as lines:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(lines)]


def _sidecar(place: pathlib.Path, fresh: set[pathlib.Path]) -> dict[str, Any]:
    import json

    path = place.parent / (_stem(place) + ".json")
    if path not in fresh:
        return {}
    found: dict[str, Any] = json.loads(path.read_text())
    return found
