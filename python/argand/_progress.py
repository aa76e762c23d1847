# SPDX-License-Identifier: BSD-3-Clause
"""Progress of long calls: monitors of solvers; plots in notebooks, bars by tqdm where it is present, lines elsewhere."""

from __future__ import annotations

import contextlib
import importlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from . import _html
from ._library import callback, ffi, watch


class Progress(NamedTuple):
    """What a solver tells after each iteration (0: the start) of at most `iterations`: residual |W^1/2 (y - A x)| / |W^1/2 y|, gradient
    relative to that at x = 0, the regularizers' penalty, seconds since the start. trial: 0, except while a weight "auto" is searched: 1
    during least squares, 2 and on while weights are tried."""

    iteration: int
    iterations: int
    residual: float
    gradient: float
    penalty: float
    seconds: float
    trial: int = 0


Callback = Callable[[Progress], Any]


class Display:
    """What shows a long call while it runs, at most ten times a second."""

    INTERVAL = 0.1

    def __init__(self, label: str) -> None:
        self.label, self._last = label, ("", 0.0)
        self._residuals: list[float] = []
        self._progress: Progress | None = None

    def stage(self, stage: str | None, fraction: float) -> None:
        """What is done before the iterations."""
        if stage and self._is_due(stage):
            self.show(f"{self.label}: {stage}" + (f" {fraction:.0%}" if fraction >= 0 else ""))

    def step(self, progress: Progress) -> None:
        """An iteration has ended."""
        if progress.iteration == 0:
            self._residuals.clear()
        self._residuals.append(progress.residual)
        self._progress = progress
        if self._is_due("iteration"):
            self.show(self.line())

    def line(self) -> str:
        """How far the iterations are."""
        p = self._progress
        return "" if p is None else (
            f"{self.label}: iteration {p.iteration} of at most {p.iterations}, residual {p.residual:.3g}, {p.seconds:.1f} s"
        )

    def _is_due(self, stage: str) -> bool:
        """A new stage, or some time later."""
        now = time.monotonic()
        if stage == self._last[0] and now - self._last[1] < self.INTERVAL:
            return False
        self._last = (stage, now)
        return True

    def show(self, line: str) -> None:
        """Replaces what is shown."""

    def close(self) -> None:
        """Shows the last state, which stays."""
        if self._progress is not None:
            self.show(self.line())


class Line(Display):
    """One line of a terminal, written again and again; of a file only the last one."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self._stream, self._wide = sys.stderr, 0
        self._is_terminal = bool(getattr(self._stream, "isatty", lambda: False)())

    def show(self, line: str) -> None:
        if self._is_terminal:
            self._stream.write("\r" + line.ljust(self._wide))
            self._stream.flush()
            self._wide = len(line)

    def close(self) -> None:
        super().close()
        if self._progress is not None:
            self._stream.write("\n" if self._is_terminal else self.line() + "\n")
        elif self._wide:
            self._stream.write("\n")
        self._stream.flush()


class Bar(Display):
    """A bar of tqdm's."""

    def __init__(self, label: str, bar: Any) -> None:
        super().__init__(label)
        self._bar = bar(desc=label, unit="it", leave=False)

    def show(self, line: str) -> None:
        if self._progress is not None:
            self._bar.total, self._bar.n = self._progress.iterations, self._progress.iteration
            line = f"residual {self._progress.residual:.3g}"
        self._bar.set_postfix_str(line, refresh=True)

    def close(self) -> None:
        super().close()
        self._bar.close()


class Plot(Display):
    """A plot of the residuals in a notebook, drawn again while the iterations go on."""

    INTERVAL = 0.5

    def __init__(self, label: str, display: Any) -> None:
        super().__init__(label)
        self._page = ""
        self._handle = display(self, display_id=True)

    def show(self, line: str) -> None:
        self._page = f"<div>{_html.escape(line)}<br>{_html.curve(self._residuals, 'relative residual')}</div>"
        self._handle.update(self)

    def _repr_html_(self) -> str:
        return self._page

    def __repr__(self) -> str:
        return self.line()


def in_notebook() -> bool:
    """True in a kernel of Jupyter, whose pages show HTML."""
    running = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(running, "kernel", None) is not None


def displayed(label: str) -> Display:
    """The best that there is: a plot in notebooks, a bar where tqdm is installed, a line."""
    if in_notebook():
        return Plot(label, importlib.import_module("IPython.display").display)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Line(label)
    return Bar(label, tqdm)


def _read(progress: Any) -> Progress:
    p = progress
    return Progress(p.iteration, p.iterations, p.residual, p.gradient, p.penalty, p.seconds, p.trial)


@contextlib.contextmanager
def monitor(function: Callback | None, progress: bool, label: str) -> Iterator[Any]:
    """The C monitor of a solve, NULL where nobody looks. A callback that returns False ends the solve with what it has."""
    if function is not None and not callable(function):
        raise TypeError(f"callback: a function is needed, not {function!r}")
    bar = displayed(label) if progress else None
    before = watch.stage
    if bar is not None:
        watch.stage = bar.stage

    def look(context: Any, told: Any) -> bool:
        seen = _read(told)
        if bar is not None:
            bar.step(seen)
        return function is None or function(seen) is not False

    try:
        yield ffi.NULL if function is None and bar is None else callback("argand_monitor", look)
    finally:
        watch.stage = before
        if bar is not None:
            bar.close()
