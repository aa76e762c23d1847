# SPDX-License-Identifier: BSD-3-Clause
"""Communicators: processes of an MPI job that compute together, on communicators of mpi4py or without it."""

from __future__ import annotations

import atexit
import collections
import sys
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from . import _arrays, _errors, _html
from ._device import Device, devices, get_device
from ._library import Held, call, ffi, lib, make, text
from ._types import Array, ArrayLike, GPUArray

if TYPE_CHECKING:
    from mpi4py.MPI import Comm as MPIComm


class CommInfo(NamedTuple):
    """What a communicator is: kind "self" or "mpi", the MPI library, and this rank's place on its host."""

    kind: str
    library: str
    host: str
    local_rank: int
    local_size: int
    hosts: int


MOST_PLANS = 16
_open: weakref.WeakSet[Comm] = weakref.WeakSet()


class Comm(Held, _html.Described):
    """Ranks that compute together; each process has its own Comm and a number, `rank`, from 0 to `size` - 1.

    mpi_comm: a communicator of mpi4py, of which a copy is used. Without it: the job of the mpirun or srun that started this process, or one
    rank. All ranks make the same calls in the same order. Arrays on CUDA devices are added and exchanged by NCCL where it is installed.

    >>> comm = argand.Comm()
    >>> comm.rank, comm.size, comm.sum(2.0), comm.sum(np.ones(3))
    (0, 1, 2.0, array([1., 1., 1.]))
    """

    def __init__(self, mpi_comm: MPIComm | None = None) -> None:
        if mpi_comm is None:
            self._take(make(lib.argand_comm_open, "argand_comm", lib.argand_comm_destroy))
        else:
            self._take(make(lib.argand_comm_mpi, "argand_comm", lib.argand_comm_destroy, _address(mpi_comm)))

    def _take(self, handle: Any) -> None:
        self._handle = handle
        self.rank: int = lib.argand_comm_rank(handle)
        self.size: int = lib.argand_comm_size(handle)
        self._on_gpus: dict[Device, Any] = {}
        self._plans: collections.OrderedDict[Any, Any] = collections.OrderedDict()  # kept between calls, the same ones on all ranks
        self._users: weakref.WeakSet[Any] = weakref.WeakSet()  # objects whose plan uses the communicator
        _open.add(self)

    @classmethod
    def world(cls) -> Comm:
        """All ranks of the job that started this process; the same as Comm()."""
        return cls()

    @property
    def info(self) -> CommInfo:
        """Describes the communicator; all ranks ask together."""
        found = ffi.new("argand_comm_info *")
        call(lib.argand_comm_describe, self._handle, found)
        return CommInfo(text(found.kind), text(found.library), text(found.host), found.local_rank, found.local_size, found.hosts)

    @property
    def device(self) -> str:
        """A device for this rank: the GPU of its number on its host, or "cpu"; all ranks ask together.

        >>> argand.Comm().device in ("cpu", "cuda:0")
        True
        """
        gpus = devices().get("cuda", "").split(" device")[0]
        return f"cuda:{self.info.local_rank % int(gpus)}" if gpus.isdigit() and int(gpus) else "cpu"

    def slab(self, n: int, rank: int | None = None) -> slice:
        """The planes, along the first axis of an array, that a rank holds: the first ranks have one more.

        n      planes of the whole array
        rank   whose planes (default None: this rank's)

        >>> argand.Comm().slab(7)
        slice(0, 7, None)
        """
        each, more = divmod(n, self.size)
        r = self.rank if rank is None else rank
        first = each * r + min(r, more)
        return slice(first, first + each + (r < more))

    def barrier(self) -> None:
        """Waits until all ranks have called it."""
        call(lib.argand_comm_barrier, self._handle)

    def split(self, colour: int, key: int = 0) -> Comm:
        """A new communicator of the ranks with the same colour. colour: 0 or more; key: orders its ranks, then their rank here (default 0)."""
        part = Comm.__new__(Comm)
        part._take(make(lib.argand_comm_split, "argand_comm", lib.argand_comm_destroy, self._handle, colour, key))
        return part

    @overload
    def sum(self, x: GPUArray, *, out: Any = None) -> GPUArray: ...
    @overload
    def sum(self, x: float, *, out: None = None) -> float: ...
    @overload
    def sum(self, x: complex, *, out: None = None) -> complex: ...  # type: ignore[overload-overlap, unused-ignore]
    @overload
    def sum(self, x: npt.ArrayLike, *, out: Any = None) -> Array: ...
    def sum(self, x: Any, *, out: Any = None) -> Any:
        """The sum over all ranks, with the same bits on every rank. Whole numbers are added as float64.

        x      a number, or an array of the same shape and type on all ranks
        out    an array for the sum, of x's shape and type
        """
        if isinstance(x, (int, float, complex, np.number)):
            value = complex(x)
            pair = ffi.new("double[2]", [value.real, value.imag])
            call(lib.argand_comm_sum_doubles, self._handle, pair, 2)
            return complex(pair[0], pair[1]) if isinstance(x, (complex, np.complexfloating)) else float(pair[0])
        given = _arrays.operand(x)
        place = _arrays.Place(given, given.shape, given.dtype, out, contiguous=True)
        place.operand.array[...] = given.array
        if _arrays.count(given.shape):
            self._on_device(lib.argand_comm_sum, place.operand)
        return place.finish()

    @overload
    def broadcast(self, x: GPUArray, root: int = 0) -> GPUArray: ...
    @overload
    def broadcast(self, x: npt.ArrayLike, root: int = 0) -> Array: ...
    def broadcast(self, x: Any, root: int = 0) -> Any:
        """The array of rank `root`, on every rank.

        x      an array of any shape; other ranks' do not count, except on CUDA devices: there all have the same shape
        root   the rank that gives its array (default 0)
        """
        if not 0 <= root < self.size:
            raise ValueError(f"root is a rank from 0 to {self.size - 1}, not {root}")
        on_gpu = _arrays.is_on_gpu(x)
        given: Any = None

        def local() -> dict[str, Any]:
            nonlocal given
            if not on_gpu and self.rank != root:
                return {"gpu": False}
            given = _arrays.operand(x) if on_gpu else _plain(x)
            return {"gpu": on_gpu, "dtype": given.dtype.str, "shape": given.shape}

        all_ranks = self._meet(local)
        wanted = all_ranks[root]
        if wanted["gpu"]:
            if any(one != wanted for one in all_ranks):
                raise ValueError("broadcast of an array on a CUDA device: all ranks give one of the same shape and type")
            result = _arrays.Place(given, given.shape, given.dtype)
            result.operand.array[...] = given.array
            if _arrays.count(given.shape):
                self._on_device(lib.argand_comm_broadcast, result.operand, root)
            return result.finish()
        got = given.copy() if self.rank == root else np.empty(wanted["shape"], wanted["dtype"])
        if got.nbytes:
            sent = _arrays.wrap(get_device("cpu"), _arrays.address(got), np.dtype(np.uint8), (got.nbytes,), None)
            call(lib.argand_comm_broadcast, self._handle, root, sent)
        return got

    def gather(self, x: ArrayLike) -> list[Array]:
        """The arrays of all ranks on every rank, in the host's memory. x: this rank's, of any shape and type."""
        given: Any = None

        def local() -> dict[str, Any]:
            nonlocal given
            given = _plain(x)
            return {"dtype": given.dtype.str, "shape": given.shape}

        all_ranks = self._meet(local)
        found = self._bytes(given.tobytes())
        return [np.frombuffer(b, one["dtype"]).reshape(one["shape"]).copy() for b, one in zip(found, all_ranks, strict=True)]

    def abort(self, code: int = 1) -> None:
        """Ends all processes of the job at once, when a rank cannot go on: the others would wait for ever. code: their status (default 1)."""
        lib.argand_comm_abort(self._handle, code)

    def _bytes(self, mine: bytes) -> list[bytes]:
        """The bytes of all ranks; their number may differ."""
        length, lengths = ffi.new("int64_t *", len(mine)), ffi.new("int64_t[]", self.size)
        call(lib.argand_comm_gather, self._handle, lengths, length, 8)
        most = max(lengths)
        found = bytearray(most * self.size)
        call(lib.argand_comm_gather, self._handle, ffi.from_buffer(found), ffi.from_buffer(mine.ljust(most, b"\0")), most)
        return [bytes(found[most * r : most * r + lengths[r]]) for r in range(self.size)]

    def _meet(self, local: Callable[[], dict[str, Any]]) -> list[dict[str, Any]]:
        """What `local` gives on each rank. An exception there is raised on that rank, and as an ArgumentError on all others."""
        import json  # of several ranks alone: it takes a while to import

        own: Exception | None = None
        try:
            mine = local()
        except Exception as error:
            own, mine = error, {"error": str(error) or type(error).__name__}
        all_ranks = [json.loads(found) for found in self._bytes(json.dumps(mine).encode())]
        if own is not None:
            raise own
        for r, one in enumerate(all_ranks):
            if "error" in one:
                raise _errors.ArgumentError(f"rank {r} of {self.size}: {one['error']}")
        return all_ranks

    def _of_device(self, device: Device) -> Any:
        """The library's communicator for arrays of this rank's device."""
        if device.info.backend != "cuda" or self.size == 1:
            return self._handle
        if device not in self._on_gpus:
            self._on_gpus[device] = make(
                lib.argand_comm_devices, "argand_comm", lib.argand_comm_destroy, self._handle, device._handle
            )
        return self._on_gpus[device]

    def _on_device(self, function: Any, x: _arrays.Operand, *before: Any) -> None:
        """Calls a function with an array where it is."""
        device = _arrays.home(x, None)
        with device.turn:
            _arrays.reached(x, device)
            call(function, self._of_device(device), *before, _arrays.wrap(device, x.pointer, x.dtype, x.shape or (1,), None))
            if not x.space.is_host:
                device.wait()

    def _close(self) -> None:
        """At the end of the program: MPI that this package has started ends with the last communicator."""
        for user in list(self._users):
            user._close()
        for plan in self._plans.values():
            ffi.release(plan)
        for handle in (*self._on_gpus.values(), self._handle):
            ffi.release(handle)
        self._plans.clear()
        self._on_gpus.clear()

    def _describe(self) -> list[tuple[str, str]]:
        return [("rank", f"{self.rank} of {self.size}"), ("plans", str(len(self._plans)) if self._plans else "")]


def _plain(x: Any) -> np.ndarray[Any, Any]:
    """An array whose bytes can be sent."""
    array = _arrays.as_array(x)
    if array.dtype.hasobject:
        raise TypeError(f"arrays of numbers are sent, not of {array.dtype}")
    return np.asarray(array, order="C")


def _address(mpi_comm: Any) -> Any:
    """Where mpi4py keeps the MPI_Comm."""
    mpi = sys.modules.get("mpi4py.MPI")
    if mpi is None or not isinstance(mpi_comm, mpi.Comm):
        raise TypeError(f"a communicator of mpi4py is needed, such as MPI.COMM_WORLD, not {mpi_comm!r}")
    if mpi_comm == mpi.COMM_NULL:
        raise ValueError("MPI.COMM_NULL has no ranks")
    return ffi.cast("void *", mpi._addressof(mpi_comm))


@atexit.register
def _close_all() -> None:
    for comm in list(_open):
        comm._close()
