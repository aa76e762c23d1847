# SPDX-License-Identifier: BSD-3-Clause
"""Calls on plans that exist leak nothing, neither in Python (tracemalloc) nor in the library (the process's memory).

ARGAND_TEST_CALLS: how many of each kind; the second tier makes a million.
"""

import gc
import itertools
import os
import tracemalloc
import unittest

import argand
import numpy as np

CALLS = int(os.environ.get("ARGAND_TEST_CALLS", "3000"))
RNG = np.random.default_rng(1)


class Foreign:
    """Somebody else's array: DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Leaks(unittest.TestCase):
    def look(self, call, count=CALLS):
        """Of a loop of that many calls, after some that fill what is kept."""

        def many(times):
            for _ in range(times):
                call()
            gc.collect()

        many(count // 10)
        sizes = [resident()]
        for _ in range(4):
            many(count // 8)
            sizes.append(resident())
        tracemalloc.start()
        try:
            many(count // 10)
            first = tracemalloc.get_traced_memory()[0]
            many(count // 2)
            kept = tracemalloc.get_traced_memory()[0] - first
        finally:
            tracemalloc.stop()
        self.assertLess(kept, 24 << 10)  # what the interpreter keeps for other objects; the least object of 1500 calls would be as much
        # What leaks grows each time; an allocator that takes up pages that it had before does so once. Of 125000 calls two bytes each.
        self.assertLess(min(b - a for a, b in itertools.pairwise(sizes)), (64 << 10) + count // 4)

    def refused(self, kind, call):
        def check():
            try:
                call()
            except kind:
                return
            self.fail("nothing was raised")

        return check

    def test_fft(self):
        x, out = np.ones(16, complex), np.empty(16, complex)
        self.look(lambda: argand.fft(x))
        self.look(lambda: argand.fft(x, out=out))
        self.look(lambda: argand.rfft(x.real[::-1]))

    def test_operators(self):
        op = argand.NUFFT(RNG.uniform(-4, 4, (10, 1)), (8,))
        x, y, out = np.ones(8, complex), np.ones(10, complex), np.empty(10, complex)
        self.look(lambda: op(x, out))
        self.look(lambda: op.adjoint(y))

    def test_plans(self):
        plans = [argand.NUFFT3(RNG.uniform(-4, 4, (6, 1)), RNG.uniform(-1, 1, (5, 1))), argand.Convolution((6,), np.ones(3)),
                 argand.Transform((6,), load=[2.0])]  # fmt: skip
        x = np.ones(6)
        for plan in plans:
            self.look(lambda plan=plan: plan(x))

    def test_dlpack(self):
        x = Foreign(np.ones(16, complex))
        self.look(lambda: argand.fft(x))

    def test_exceptions(self):
        x, op = np.ones(16, complex), argand.FFT((16,))
        self.look(self.refused(ValueError, lambda: argand.fft(x, 0)))
        self.look(self.refused(ValueError, lambda: op(x[:3])))
        self.look(self.refused(argand.Error, lambda: argand.Device("abacus")))

    def test_plans_made_anew(self):
        points, bad = RNG.uniform(-4, 4, (10, 1)), np.full((10, 1), np.nan)
        x = np.ones(8)
        self.look(lambda: argand.nufft2(x, points), CALLS // 4)
        self.look(self.refused(argand.Error, lambda: argand.nufft2(x, bad)), CALLS // 4)

    def test_reconstructions(self):
        maps = argand.birdcage((2, 8, 8))
        kspace = argand.fftn(maps, axes=(1, 2), centred=True)
        self.look(lambda: argand.sense(kspace, maps=maps, iterations=2), CALLS // 20)
        op = argand.SENSE(argand.FFT((8, 8), batch=(2,)), maps)
        self.look(lambda: argand.solve(op, kspace, iterations=2), CALLS // 20)


if __name__ == "__main__":
    unittest.main()
