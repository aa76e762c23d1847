# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program `argand` for Python's functions: arrays go to it as files in a private folder, its events come back as progress, notes and
results, and its refusals as exceptions. Defaults, notes and messages are therefore those of the tool."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, NoReturn

from . import _roles
from .. import _errors
from .._library import lib, text, version
from .._progress import Callback, Display, Progress, displayed

if TYPE_CHECKING:
    import subprocess

Event = dict[str, Any]
_SHARED = pathlib.Path("/dev/shm")  # a folder in memory
_SPARE = 1 << 30  # bytes that must be free there beside the inputs and results of their size


def _candidates() -> Iterator[pathlib.Path]:
    """Where the program may be, the best place first: the package's, that of the library's installation or build, the search path's."""
    if os.environ.get("ARGAND_PROGRAM"):
        yield pathlib.Path(os.environ["ARGAND_PROGRAM"])
        return
    here = pathlib.Path(__file__).parent.parent
    yield here / "bin" / "argand"
    if os.environ.get("ARGAND_LIBRARY"):
        folder = pathlib.Path(os.environ["ARGAND_LIBRARY"]).resolve().parent
        yield from (folder.parent / "argand", folder.parent / "bin" / "argand", folder.parent.parent / "bin" / "argand")
    yield here.parent.parent / "build" / "release" / "argand"
    found = shutil.which("argand")
    if found:
        yield pathlib.Path(found)


_found: dict[str, str] = {}


def program() -> str:
    """The path of the program, whose version is that of the library."""
    key = os.environ.get("ARGAND_PROGRAM", "") + ":" + os.environ.get("ARGAND_LIBRARY", "")
    if key not in _found:
        for candidate in _candidates():
            if candidate.is_file() and os.access(candidate, os.X_OK):
                _check_version(candidate)
                _found[key] = str(candidate)
                break
        else:
            raise _errors.UnsupportedError(
                "the program `argand` was not found, which this function runs: install it, or set ARGAND_PROGRAM to its file"
            )
    return _found[key]


def _check_version(path: pathlib.Path) -> None:
    import subprocess

    said = subprocess.run([path, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False).stdout
    words = said.replace(",", " ").split()
    if words[:2] != ["argand", version]:
        raise _errors.UnsupportedError(
            f"{path} is version {' '.join(words[1:2]) or 'unknown'} of the program argand, and the library is {version}: install one of both, "
            "or set ARGAND_PROGRAM to the program's file"
        )


class Folder:
    """A private folder for the files of a call; in memory where there is enough of it. It is removed with its last reference."""

    def __init__(self, size: int) -> None:
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="argand-", dir=_SHARED if _fits(size) else None))
        self.close = weakref.finalize(self, shutil.rmtree, self.path, True)


def _fits(size: int) -> bool:
    try:
        free = shutil.disk_usage(_SHARED).free
    except OSError:
        return False
    return os.access(_SHARED, os.W_OK) and free > 4 * size + _SPARE


class Told:
    """What the program reported: its notes, a sentence a line, the fields of its results, and the iterations of each volume."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.results: list[Event] = []
        self.timings: dict[str, float] = {}
        self.error: Event | None = None


class Call:
    """A run of the program. names: private files, and the arguments that messages name in their place. flat: those of maps of one slice."""

    def __init__(
        self, command: list[str], arguments: list[str], names: dict[str, str], folder: pathlib.Path | None, flat: Sequence[str] = ()
    ) -> None:
        self.line = [program(), *command, *arguments, "--json"]
        self._names, self._folder, self._flat = names, folder, flat
        self.told = Told()

    def shown(self) -> str:
        """The command line, for people: arguments' names stand for files that the caller has never seen."""
        import shlex

        return shlex.join(["argand", *(self._public(word) for word in self.line[1:-1])])

    def _public(self, words: str) -> str:
        for path, name in self._names.items():
            words = words.replace(path, name)
        return words if self._folder is None else words.replace(f"{self._folder}/", "")

    def words(self, message: str) -> str:
        """A message that names arguments of Python, not files that the caller has never seen."""
        message = in_python(self._public(message))
        for name in set(self._names.values()):
            message = message.replace(f"{name} {name}", name)
        return self._shapes(message) if self._names else message

    def _shapes(self, message: str) -> str:
        """A message with shapes in the order of the caller's arrays, and without the axis of one slice that maps got in their files."""
        files = [word for word in self.line if self._folder is None or str(self._folder) not in word]
        if not any(word.endswith((".cfl", ".nii", ".nii.gz")) for word in files):
            message = _BRACES.sub(lambda found: f"({', '.join(reversed(found[1].split(', ')))})", message)
        for name in _roles.MATRICES:
            parameter = _roles.parameter(name)
            if parameter in self._names.values():
                message = re.sub(rf"\b{parameter} is \((\d+), (\d+)\)", rf"{parameter} is (\2, \1)", message)
        if any(name in message for name in self._flat):
            message = _ONE_SLICE.sub(lambda found: f"({found[1] or ''}{found[2]})", message)
        return message

    def take(self, event: Event) -> None:
        kind = event.get("event")
        if kind in ("pass", "candidate"):
            self.told.results.append({k: v for k, v in event.items() if k != "event"})
        elif kind == "note":
            self.told.notes.append(self.words(event["text"]))
        elif kind in ("result", "scan"):
            self.told.results.append({k: self.words(v) if isinstance(v, str) else v for k, v in event.items() if k != "event"})
        elif kind == "timing":
            self.told.timings[event["stage"]] = self.told.timings.get(event["stage"], 0.0) + event["seconds"]
        elif kind == "error":
            self.told.error = event

    def run(self, callback: Callback | None = None, progress: bool = False) -> Told:
        """Runs the program to its end. A callback that returns False ends it, and nothing is returned."""
        if callback is not None and not callable(callback):
            raise TypeError(f"callback: a function is needed, not {callback!r}")
        with contextlib.ExitStack() as ends, tempfile.TemporaryFile("w+") as errors, started(self.line, errors) as process:
            bar = displayed(f"argand {self.line[1]}") if progress else None
            if bar is not None:
                ends.callback(bar.close)
            assert process.stdout is not None
            for line in process.stdout:
                event = event_of(line)
                self.take(event)
                if not _watched(event, callback, bar):
                    raise _errors.Stopped(f"argand {self.line[1]}: the callback ended it, and nothing was written")
            code = process.wait()
            errors.seek(0)
            said = errors.read()
        if code:
            self.fail(code, said)
        return self.told

    def fail(self, code: int, said: str) -> NoReturn:
        """Raises the program's refusal."""
        message = self.told.error["message"] if self.told.error else said.strip().split("\n")[-1] or f"the program ended with {code}"
        status = code if code in _errors._KINDS else 10
        if self.told.error:
            status = _STATUSES.get(self.told.error["status"], status)
        raise _errors.make(status, "argand", self.words(message))


_STATUSES = {text(lib.argand_status_name(status)): status for status in _errors._KINDS}
_BRACES = re.compile(r"\{(\d+(?:, \d+)*)\}")
_ONE_SLICE = re.compile(r"\((\d+, )?1, (\d+, \d+)\)")
_OPTION = re.compile(r"--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\b")


def in_python(words: str) -> str:
    """A sentence of the tool with Python's arguments for the tool's options: --coil-maps is coil_maps."""
    return _OPTION.sub(lambda found: found[1].replace("-", "_"), words)


def event_of(line: str) -> Event:
    """An event of the program; {} for a line that is none."""
    import json

    try:
        event = json.loads(line)
    except ValueError:
        return {}
    return event if isinstance(event, dict) else {}


def _watched(event: Event, callback: Callback | None, bar: Display | None) -> bool:
    """Shows an event. Returns False if the callback ends the call."""
    if bar is not None and event.get("event") == "stage":
        bar.stage(event["stage"], -1.0)
    if event.get("event") != "progress" or "step" not in event:
        return True
    nan = float("nan")
    seen = Progress(event["step"], event["steps"], event.get("residual", nan), nan, nan, event["seconds"])
    if bar is not None:
        bar.step(seen)
    return callback is None or callback(seen) is not False


@contextlib.contextmanager
def started(line: list[str], errors: IO[str]) -> Iterator[subprocess.Popen[str]]:
    """The program while it runs. It is interrupted, and its end waited for, if the caller leaves early."""
    import subprocess

    process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True, errors="replace")
    try:
        yield process
    finally:
        stop(process)
        if process.stdout is not None:
            process.stdout.close()


def stop(process: subprocess.Popen[str]) -> None:
    """Ends a process as Ctrl-C does, and by force if that takes more than ten seconds."""
    import signal
    import subprocess

    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def listing(*command: str) -> Any:
    """The table of the tool's commands, or that of a command's options: `argand help --json`."""
    import json
    import subprocess

    done = subprocess.run([program(), "help", "--json", *command], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)
