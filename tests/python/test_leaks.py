# SPDX-License-Identifier: BSD-3-Clause
"""Calls on plans that exist leak nothing: counted are the interpreter's objects, the bytes that malloc has given out, the process's memory.

ARGAND_TEST_CALLS: how many of each kind (functions, operators, plans, DLPack, exceptions); the second tier makes a million, too.
"""

import ctypes
import gc
import itertools
import os
import sys
import unittest

import argand
import numpy as np
from sample import FIRST

CALLS = int(os.environ.get("ARGAND_TEST_CALLS", "1000" if FIRST else "3000"))
RNG = np.random.default_rng(1)
# Python keeps up to 4096 names of attributes by their address, also those that NumPy makes anew in each call: they are not leaks.
CLEAR = getattr(sys, "_clear_internal_caches", None) or getattr(sys, "_clear_type_cache", lambda: None)


class Foreign:
    """Somebody else's array: DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Malloc(ctypes.Structure):
    """glibc's struct mallinfo2."""

    names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in names.split()]


def given_out():
    """Bytes that malloc has given out and not got back, in all threads; 0 where the C library does not say."""
    ask = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if ask is None:
        return 0
    ask.restype = Malloc
    found = ask()
    return found.uordblks + found.hblkhd


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Leaks(unittest.TestCase):
    def setUp(self):
        device = argand._device.get_device("cpu")
        self.addCleanup(setattr, device, "threads", device.threads)
        device.threads = 1  # quicker for work so small

    def look(self, call, count=CALLS, patience=100):
        """Of a loop of that many calls in four parts, after some that fill what is kept: what leaks grows in any four parts more as well."""

        def many(times):
            for _ in itertools.repeat(None, times):
                call()
            CLEAR()
            gc.collect()
            return sys.getallocatedblocks(), given_out(), resident()

        most = (20 + count // 1000, 2048 + count // 100, (64 << 10) + count // 4)
        sizes = [many(max(count // 10, min(2000, 3 * count)))] + [many(count // 4) for _ in range(3)]
        for _ in range(patience):  # caches fill slowly; free-threaded Python 3.13 took pages until it had 16 MB
            sizes.append(many(count // 4))
            grown = [(last - first) // 4 for first, last in zip(sizes[-5], sizes[-1], strict=True)]
            if all(a < b for a, b in zip(grown, most, strict=True)):
                return
        self.fail(f"{grown} objects, bytes and bytes of pages more in a part, below {most} are allowed")

    def test_leaks_are_found(self):
        """Objects, memory of malloc, arrays of the library: of every eighth call, each; much of every thousandth."""
        kept, number, dims = [], itertools.count(), argand._library.ffi.new("int64_t[]", [4])
        device, place = argand._device.get_device("cpu"), argand._library.ffi.new("argand_array **")
        lib, malloc = argand._library.lib, ctypes.CDLL(None).malloc

        def wrapped():
            lib.argand_array_wrap(place, device._handle, lib.ARGAND_C64, 1, dims, argand._library.ffi.NULL, dims)

        for every, leak in (8, lambda: kept.append(object())), (8, lambda: malloc(64)), (8, wrapped), (1000, lambda: malloc(40000)):
            with self.assertRaises(AssertionError):
                self.look(lambda every=every, leak=leak: next(number) % every or leak(), 3000, patience=10 if FIRST else 100)

    def refused(self, kind, call):
        def check():
            try:
                call()
            except kind:
                return
            self.fail("nothing was raised")

        return check

    def share(self, *calls):
        """The calls of one kind, so many altogether."""
        for call in calls:
            self.look(call, CALLS // len(calls))

    def test_functions(self):
        x, out = np.ones(16, complex), np.empty(16, complex)
        self.share(lambda: argand.fft(x), lambda: argand.fft(x, out=out), lambda: argand.rfft(x.real[::-1]))

    def test_operators(self):
        op = argand.NUFFT(RNG.uniform(-4, 4, (10, 1)), (8,))
        x, y, out = np.ones(8, complex), np.ones(10, complex), np.empty(10, complex)
        self.share(lambda: op(x, out), lambda: op.adjoint(y))

    def test_plans(self):
        plans = [argand.NUFFT3(RNG.uniform(-4, 4, (6, 1)), RNG.uniform(-1, 1, (5, 1))), argand.Convolution((6,), np.ones(3)),
                 argand.Transform((6,), load=[2.0])]  # fmt: skip
        x = np.ones(6)
        self.share(*[lambda plan=plan: plan(x) for plan in plans])

    def test_dlpack(self):
        x = Foreign(np.ones(16, complex))
        self.share(lambda: argand.fft(x))

    def test_exceptions(self):
        x, op = np.ones(16, complex), argand.FFT((16,))
        self.share(
            self.refused(ValueError, lambda: argand.fft(x, 0)), self.refused(ValueError, lambda: op(x[:3])),
            self.refused(argand.Error, lambda: argand.Device("abacus")),
        )  # fmt: skip

    def test_plans_made_anew(self):
        points, bad = RNG.uniform(-4, 4, (10, 1)), np.full((10, 1), np.nan)
        x = np.ones(8)
        self.look(lambda: argand.nufft2(x, points), max(CALLS // 40, 300))
        self.look(self.refused(argand.Error, lambda: argand.nufft2(x, bad)), max(CALLS // 40, 300))

    def test_reconstructions(self):
        maps = argand.birdcage((2, 8, 8))
        kspace = argand.fftn(maps, axes=(1, 2), centred=True)
        self.look(lambda: argand.sense(kspace, maps=maps, iterations=2), max(CALLS // 200, 150))
        op = argand.SENSE(argand.FFT((8, 8), batch=(2,)), maps)
        self.look(lambda: argand.solve(op, kspace, iterations=2), max(CALLS // 200, 150))


if __name__ == "__main__":
    unittest.main()
