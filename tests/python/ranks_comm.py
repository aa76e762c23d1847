# SPDX-License-Identifier: BSD-3-Clause
"""A rank of an MPI job, for test_comm.py: all that argand.Comm does, against NumPy and the same calls on one rank. ranks_comm.py [mpi4py]: on a
communicator of mpi4py; 77 where there is none."""

import sys

import numpy as np

if sys.argv[1:] == ["mpi4py"]:
    try:
        sys.path.append("/usr/lib/python3/dist-packages")  # the system's, if it is for this Python
        from mpi4py import MPI
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)

import argand

RNG = np.random.default_rng(4)  # the same numbers on all ranks


def near(got, wanted, tolerance=1e-12):
    assert got.shape == wanted.shape and got.dtype == wanted.dtype, (got.shape, wanted.shape, got.dtype, wanted.dtype)
    error = np.linalg.norm(got - wanted)
    assert error <= tolerance * max(np.linalg.norm(wanted), 1e-300), error


def raises(kind, words, call):
    try:
        call()
    except kind as error:
        assert words in str(error), error
        return
    raise AssertionError(f"no {kind.__name__} with {words!r}")


def sums(comm):
    total = sum(range(comm.size))
    assert comm.sum(comm.rank) == total and comm.sum(1j) == 1j * comm.size
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        x = np.full((3, 5), comm.rank, dtype)
        near(comm.sum(x), np.full((3, 5), total, dtype))
        assert (x == comm.rank).all()
        near(comm.sum(x[:, ::2], out=np.empty((3, 3), dtype)), np.full((3, 3), total, dtype))
    near(comm.sum(np.arange(4)), comm.size * np.arange(4.0))
    near(comm.sum(np.array(1, np.float32)), np.array(comm.size, np.float32))


def copies(comm):
    for root in range(comm.size):
        x = np.arange(12).reshape(4, 3) + root if comm.rank == root else None
        got = comm.broadcast(x, root)
        assert got.dtype == np.int64 and np.array_equal(got, np.arange(12).reshape(4, 3) + root)
    found = comm.gather(np.full(comm.rank, comm.rank, np.int16))
    assert [f.tolist() for f in found] == [[r] * r for r in range(comm.size)] and found[0].dtype == np.int16
    comm.barrier()
    raises(ValueError, "root is a rank", lambda: comm.broadcast(1, comm.size))
    part = comm.split(comm.rank % 2, -comm.rank)
    assert part.size == len(range(comm.rank % 2, comm.size, 2)) and part.sum(1.0) == part.size
    assert comm.info.local_size == comm.size and comm.info.hosts == 1
    assert repr(comm).startswith(f"<argand.Comm: rank {comm.rank} of {comm.size}")


def transforms(comm):
    for shape in [(9, 6), (7, 6, 8), (2, 5, 4)]:
        mine = comm.slab(shape[0])
        for dtype, tolerance in [(np.complex64, 1e-6), (np.complex128, 1e-14)]:
            x = (RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)).astype(dtype)
            for norm in (None, "ortho", "forward"):
                near(argand.fftn(x[mine], norm=norm, comm=comm), argand.fftn(x, norm=norm)[mine], tolerance)
                near(argand.ifftn(x[mine], norm=norm, comm=comm), argand.ifftn(x, norm=norm)[mine], tolerance)
            near(argand.fftn(x[mine], centred=True, comm=comm), argand.fftn(x, centred=True)[mine], tolerance)
            half = argand.rfftn(x.real)
            near(argand.rfftn(x.real[mine], comm=comm), half[mine], tolerance)
            near(argand.irfftn(half[mine], comm=comm), argand.irfftn(half)[mine], tolerance)
    raises(ValueError, "s and axes are not given", lambda: argand.fftn(np.ones((4, 4)), axes=(0,), comm=comm))
    if comm.size > 1:  # what is wrong on one rank is refused on all
        raises((TypeError, ValueError), "real arrays", lambda: argand.rfftn(np.ones((4, 4), complex if comm.rank else float), comm=comm))
        raises(ValueError, "Comm.slab(", lambda: argand.fftn(np.ones((1 + 2 * comm.rank, 4)), comm=comm))


def nuffts(comm):
    shape = (10, 8, 6)
    mine = comm.slab(10)
    x = RNG.standard_normal((2, *shape)) + 1j * RNG.standard_normal((2, *shape))
    points = RNG.uniform(-4, 4, (comm.size, 20, 3))
    counts = [20 if r != 1 else 0 for r in range(comm.size)]  # rank 1 has no points
    own = points[comm.rank, : counts[comm.rank]]
    wanted = argand.nufft2(x, points, 1e-10)[:, comm.rank, : counts[comm.rank]]
    got = argand.nufft2(x[:, mine], own, 1e-10, comm=comm)
    assert got.shape == wanted.shape and np.abs(got - wanted).max(initial=0) < 1e-7
    samples = RNG.standard_normal((comm.size, 20)) + 0j
    for r in range(comm.size):
        samples[r, counts[r] :] = 0
    near(argand.nufft1(samples[comm.rank, : counts[comm.rank]], own, shape, 1e-10, comm=comm), argand.nufft1(samples, points, shape, 1e-10)[mine], 1e-8)
    operator = argand.DistNUFFT(own, shape, comm, dtype=np.complex64)
    assert operator(x[0, mine].astype("c8")).dtype == np.complex64 and operator.planes == mine
    raises(ValueError, "images have the shape", lambda: operator(np.ones((1, 1, 1))))


def convolutions(comm):
    x, h = RNG.standard_normal((3, 11, 9)), RNG.standard_normal((5, 4))
    mine = comm.slab(11)
    for border in ("zero", "wrap", "mirror"):
        near(argand.convolve(x[:, mine], h, "same", border=border, comm=comm), argand.convolve(x, h, "same", border=border)[:, mine], 1e-12)
    raises(ValueError, 'mode is "same"', lambda: argand.convolve(x[:, mine], h, "full", comm=comm))


def reconstructions(comm):
    maps = argand.birdcage((6, 24, 20))
    kspace = argand.fftn(argand.phantom((24, 20)) * maps, axes=(1, 2), centred=True)
    kspace[:, 1::2] = 0
    wanted = argand.sense(kspace, maps=maps, iterations=6, device="cpu")
    for ranks in (0, comm.size):
        near(argand.sense(kspace, maps=maps, iterations=6, device="cpu", comm=comm, ranks=ranks), wanted, 1e-5)
    points, times = argand.trajectory.spiral((24, 20), shots=4)[:2]
    phases = RNG.uniform(-1, 1, (4, 1, 1)) * np.ones((4, 24, 20))
    samples = argand.nufft2(argand.phantom((24, 20)) * maps, points)
    wanted = argand.pcsense(samples, points, maps, phases, iterations=4, device="cpu", density="none")
    got = argand.pcsense(samples, points, maps, phases, iterations=4, device="cpu", density="none", comm=comm, ranks=comm.size)
    near(got, wanted, 1e-5)


def main():
    comm = argand.Comm(MPI.COMM_WORLD) if sys.argv[1:] else argand.Comm.world()
    if sys.argv[1:]:
        assert (comm.rank, comm.size) == (MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size)
        raises(ValueError, "COMM_NULL", lambda: argand.Comm(MPI.COMM_NULL))
    raises(TypeError, "a communicator of mpi4py", lambda: argand.Comm("world"))
    for test in (sums, copies, transforms, nuffts, convolutions, reconstructions):
        test(comm)
    if comm.rank == 0:
        print(f"{comm.size} ranks: passed", flush=True)


if __name__ == "__main__":
    main()
