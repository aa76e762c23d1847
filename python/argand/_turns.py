# SPDX-License-Identifier: BSD-3-Clause
"""Threads take turns at operators, which keep work memory between calls and share parts with each other, and at CUDA devices, whose
work goes into the stream of whoever calls."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable

_serial = itertools.count()


class Turn:
    """The locks of an operator and of all its parts, taken in one order everywhere, so that no two threads wait for each other."""

    __slots__ = ("_locks",)

    def __init__(self, parts: Iterable[Turn] = (), *, is_free: bool = False) -> None:
        """Of its own where there are no parts; is_free: nobody need wait."""
        shared = {lock for part in parts for lock in part._locks}
        if not shared and not is_free:
            shared = {(next(_serial), threading.RLock())}
        self._locks: list[tuple[int, threading.RLock]] = sorted(shared, key=lambda lock: lock[0])

    def __enter__(self) -> None:
        taken = 0
        try:
            for _, lock in self._locks:
                lock.acquire()
                taken += 1
        except BaseException:  # Ctrl-C while waiting
            self._release(taken)
            raise

    def __exit__(self, *error: object) -> None:
        self._release(len(self._locks))

    def _release(self, count: int) -> None:
        for _, lock in reversed(self._locks[:count]):
            lock.release()
