# SPDX-License-Identifier: BSD-3-Clause
"""Devices by name: "cpu", "cuda:0", "opencl:0", "auto"."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable
from typing import Any, NamedTuple

from . import _html
from ._library import call, encoded, ffi, lib, make, text

_serial = itertools.count()


class Turn:
    """Threads take turns at operators, which keep work memory between calls and share parts, and at CUDA devices, whose work goes into the
    caller's stream: the locks of an operator and of all its parts, taken in one order everywhere, so that no two threads wait for each other."""

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


class DeviceInfo(NamedTuple):
    """What a device says of itself; memory in bytes, capability 90 is CUDA's 9.0."""

    name: str
    backend: str
    detail: str
    memory: int
    units: int
    has_double: bool
    host_addressable: bool
    capability: int


class Device(_html.Described):
    """An open device. Functions take a Device or a name; names are opened once and kept.

    name    "cpu", "cuda:0", "opencl:0", or "auto": the best that is present (default None: what ARGAND_DEVICE names, else "auto")
    stream  a CUDA stream's address, 0 for the default stream (default None: a stream of its own)
    keep    what must live as long as the stream, such as the object that owns it

    info    an argand.DeviceInfo: name, memory, units

    >>> argand.Device("cpu").info.backend
    'cpu'
    """

    def __init__(self, name: str | None = None, stream: int | None = None, keep: object = None) -> None:
        asked = ffi.NULL if name is None else encoded(name, "device")
        if stream is None:
            self._handle = make(lib.argand_device_open, "argand_device", lib.argand_device_close, asked)
        else:
            where = ffi.cast("void *", stream)
            self._handle = make(lib.argand_device_open_stream, "argand_device", lib.argand_device_close, asked, where)
        self._keep, self.stream, self._is_of_stream = keep, stream, stream is not None
        found = ffi.new("argand_device_info *")
        call(lib.argand_device_describe, self._handle, found)
        self.info = DeviceInfo(
            text(found.name), text(found.backend), text(found.detail), found.memory, found.units,
            found.has_double, found.host_addressable, found.capability,
        )  # fmt: skip
        self.name = name or self.info.backend
        self.counting = threading.RLock()  # held by whoever changes the number of threads for a while
        self.turn = Turn(is_free=self.info.backend != "cuda")

    def follow(self, stream: int, keep: object) -> None:
        """Works in another CUDA stream from now on, after what it was given before. stream: its address; keep: what must live as long."""
        call(lib.argand_device_set_stream, self._handle, ffi.cast("void *", stream))
        self.stream, self._keep = stream, keep

    @property
    def threads(self) -> int:
        """How many threads the host's part uses; results do not depend on it."""
        return int(lib.argand_device_threads(self._handle))

    @threads.setter
    def threads(self, count: int) -> None:
        call(lib.argand_device_set_threads, self._handle, count)

    def wait(self) -> None:
        """Waits until all work given to the device is done."""
        call(lib.argand_device_wait, self._handle)

    def __reduce__(self) -> Any:
        if self._is_of_stream:
            raise TypeError("an argand.Device of a stream is not pickled or copied: the stream is of this process alone")
        return get_device, (self.name,)

    def _describe(self) -> list[tuple[str, str]]:
        i = self.info
        return [
            ("name", self.name), ("processor", i.name), ("detail", i.detail), ("memory", _html.size(i.memory)),
            ("units", str(i.units)), ("threads", str(self.threads)), ("double precision", "yes" if i.has_double else "no"),
        ]  # fmt: skip


_open: dict[tuple[str | None, int | None], Device] = {}
_lock = threading.Lock()
_MOST_KEPT = 32


def get_device(device: Device | str | None, stream: int | None = None, keep: object = None) -> Device:
    """A Device as it is; a name opened, or as it was opened before."""
    if isinstance(device, Device):
        return device
    if device is not None and not isinstance(device, str):
        raise TypeError(f"a device is an argand.Device or a name such as 'cpu' or 'cuda:0', not {device!r}")
    with _lock:
        found = _open.get((device, stream))
        if found is None:
            if len(_open) >= _MOST_KEPT:
                del _open[next(iter(_open))]
            found = _open[(device, stream)] = Device(device, stream, keep)
        return found


def is_open(device: str, stream: int) -> bool:
    return (device, stream) in _open


def devices() -> dict[str, str]:
    """What there is to compute on: for each backend the number of its devices, or why there is none.

    >>> "cpu" in argand.devices()
    True
    """
    result = {}
    name, count, reason = ffi.new("char **"), ffi.new("int *"), ffi.new("char **")
    for backend in range(lib.argand_backend_count()):
        call(lib.argand_backend_describe, backend, name, count, reason)
        result[text(name[0])] = f"{count[0]} device{'s' * (count[0] != 1)}" if count[0] else text(reason[0])
    return result


def handle(device: Device) -> Any:
    return device._handle
