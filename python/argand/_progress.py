# SPDX-License-Identifier: BSD-3-Clause
"""Progress of long calls: monitors of solvers, and bars by tqdm where it is present."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

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


class Bar:
    """A tqdm bar of iterations, with the stage before them; lines of no effect where tqdm is missing."""

    def __init__(self, label: str) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._bar: Any = None
        else:
            self._bar = tqdm(desc=label, unit="it", leave=False)
        self._last: tuple[str, float] = ("", 0.0)

    def stage(self, stage: str | None, fraction: float) -> None:
        if self._bar is not None and stage and self._is_due(stage):
            self._bar.set_postfix_str(stage + (f" {fraction:.0%}" if fraction >= 0 else ""), refresh=True)

    def _is_due(self, stage: str) -> bool:
        """A new stage, or a tenth of a second later."""
        now = time.monotonic()
        if stage == self._last[0] and now - self._last[1] < 0.1:
            return False
        self._last = (stage, now)
        return True

    def step(self, progress: Progress) -> None:
        if self._bar is not None:
            self._bar.total = progress.iterations
            self._bar.n = progress.iteration
            self._bar.set_postfix_str(f"residual {progress.residual:.3g}", refresh=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _read(progress: Any) -> Progress:
    p = progress
    return Progress(p.iteration, p.iterations, p.residual, p.gradient, p.penalty, p.seconds, p.trial)


@contextlib.contextmanager
def monitor(function: Callback | None, progress: bool, label: str) -> Iterator[Any]:
    """The C monitor of a solve, NULL where nobody looks. A callback that returns False ends the solve with what it has."""
    if function is not None and not callable(function):
        raise TypeError(f"callback: a function is needed, not {function!r}")
    bar = Bar(label) if progress else None
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
