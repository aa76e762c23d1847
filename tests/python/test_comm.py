# SPDX-License-Identifier: BSD-3-Clause
"""Communicators and what is divided over them: one rank here, several by mpirun, with mpi4py and without (ranks_comm.py)."""

import os
import pathlib
import pickle
import subprocess
import sys
import unittest

import argand
import numpy as np
import ranks_comm

HERE = pathlib.Path(__file__).parent
SKIPPED = 77


def job(ranks, *arguments, kind="openmpi"):
    command = [HERE.parent / "dist" / "mpirun.sh", kind, str(ranks), sys.executable, "-B", HERE / "ranks_comm.py", *arguments]
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, env={**os.environ, "OMPI_MCA_orte_base_help_aggregate": "0"})


class OneRank(unittest.TestCase):
    def test_one_rank(self):
        comm = argand.Comm()
        self.assertEqual((comm.rank, comm.size, comm.info.kind), (0, 1, "self"))
        for test in (ranks_comm.sums, ranks_comm.copies, ranks_comm.transforms, ranks_comm.nuffts, ranks_comm.convolutions, ranks_comm.reconstructions):
            test(comm)

    def test_refusals(self):
        comm = argand.Comm()
        for call, kind in [
            (lambda: argand.Comm(3), TypeError), (lambda: comm.split(-1), argand.errors.ArgumentError),
            (lambda: pickle.dumps(comm), TypeError), (lambda: comm.gather(np.array([None])), TypeError),
            (lambda: argand.fftn(np.ones((4, 4)), comm=3), TypeError), (lambda: argand.nufft1(np.ones(1), [[0, 0]], (4, 4), real=True, comm=comm), ValueError),
        ]:  # fmt: skip
            self.assertRaises(kind, call)

    def test_planes(self):
        comm = argand.Comm()
        comm.size = 3
        self.assertEqual([comm.slab(7, r) for r in range(3)], [slice(0, 3), slice(3, 5), slice(5, 7)])


class Jobs(unittest.TestCase):
    def run_job(self, *given, **more):
        result = job(*given, **more)
        if result.returncode == SKIPPED or "skipped: " in result.stdout:
            self.skipTest(result.stdout.strip().split("\n")[0])
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.count("passed"), 1, result.stdout)

    def test_mpi4py(self):
        self.run_job(2, "mpi4py")

    @unittest.skipIf(os.environ.get("ARGAND_TEST_FIRST"), "of the second tier")
    def test_without_mpi4py(self):
        self.run_job(3)

    @unittest.skipIf(os.environ.get("ARGAND_TEST_FIRST"), "of the second tier")
    def test_mpich(self):
        self.run_job(2, kind="mpich")


if __name__ == "__main__":
    unittest.main()
