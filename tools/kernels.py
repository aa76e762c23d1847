#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""kernels.py ARGAND FOLDER CHIP...: compiles the kernels that commands ask for by default on these chips, into FOLDER/kernels.archive.

Transforms are those of wisdom. NUFFTs and reconstructions of common sizes are rehearsed: the tool runs on the chip's offline device
(ARGAND_REHEARSE), which computes nothing, but compiles and keeps each kernel that is asked for. What plans of any size begin with is
compiled by `argand kernels --cold`. This needs NVRTC and no GPU."""
import array
import concurrent.futures
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

PLANES = (64, 128, 192, 256, 320)
VOLUMES = (64, 128)
STACKS = ((128, 32), (256, 32))  # spirals of this many pixels, in this many planes
COILS = (1, 8)
DOUBLE = 256  # largest planes and volumes of reconstructions in double precision


def save(path, shape, kind, values):
    """Writes a .npy of these values, repeated to the shape, in groups of the last axis for positions."""
    count = math.prod(shape) * (2 if kind[0] == "c" else 1)
    numbers = array.array("d" if kind in ("c16", "f8") else "f", values)
    data = (numbers * (count // len(numbers) + 1))[:count].tobytes()
    header = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data)
    return str(path)


def spread(shape):
    """Random positions, as many as two thirds of the pixels, of which the first few thousand repeat."""
    rng = random.Random(1)
    return [rng.uniform(-shape[0] / 2, shape[0] / 2) for _ in range(4096 * len(shape))]


def spiral(size, shots, samples):
    for shot in range(shots):
        for i in range(samples):
            radius = size / 2 * i / (samples - 1)
            angle = 2 * math.pi * (radius + shot) / shots
            yield from (radius * math.sin(angle), radius * math.cos(angle))


def ball(size, spokes, samples):
    """Spokes to the points of a spiral on the sphere."""
    for spoke in range(spokes):
        z = 1 - (2 * spoke + 1) / spokes
        angle, across = 2.4 * spoke, math.sqrt(1 - z * z)
        for i in range(samples):
            radius = size * (i / (samples - 1) - 0.5)
            yield from (radius * z, radius * across * math.sin(angle), radius * across * math.cos(angle))


def stack(size, planes, shots, samples):
    """Spirals whose planes are steps along z."""
    for plane in range(planes):
        flat = iter(spiral(size, shots, samples))
        for y, x in zip(flat, flat):
            yield from (plane - planes // 2, y, x)


def readouts(shape):
    """Shots and samples of a shot: interleaved spirals with twice the samples of the grid and single ones; spokes of volumes."""
    n = shape[0]
    return [(n // 4, 8 * n), (1, n * n)] if len(shape) == 2 else [(4 * n, 2 * n)]


def scans(folder):
    """Reconstructions of planes and volumes with and without a field map, as the tool chooses and with either normal operator."""
    for shape in [(n, n) for n in PLANES] + [(n,) * 3 for n in VOLUMES]:
        n, name = shape[0], "x".join(map(str, shape))
        field = save(folder / f"f{name}.npy", shape, "f4", [i - 300 for i in range(600)])
        for coils in COILS:
            maps = save(folder / f"m{name}-{coils}.npy", (coils, *shape), "c8", [1, 2, 3])
            for shots, samples in readouts(shape):
                scan = f"{name}-{shots}-{coils}"
                k = save(folder / f"k{scan}.npy", (shots, samples, len(shape)), "f4", (spiral if len(shape) == 2 else ball)(n, shots, samples))
                kspace = save(folder / f"s{scan}.npy", (coils, shots, samples), "c8", [1, 2, 3])
                common = ["sense", "--kspace", kspace, str(folder / "OUT.nii.gz"), "--trajectory", k, "--coil-maps", maps, "--sample-time", "2e-6",
                          "--matrix", name]
                yield common
                for options in (["--toeplitz", "off"], ["--toeplitz", "on"], ["--field-map", field]):
                    yield [*common, "--density", "none", *options]
                if n <= DOUBLE:
                    yield [*common, "--density", "none", "--precision", "double"]
                if len(shape) == 2:
                    yield [*common, "--density", "none", "--field-map", field, "--transform", "dft"]
                    yield [*common, "--density", "none", "--field-map", field, "--transform", "segmented"]
        yield ["grid", *common[1:], "--density", "none"]
        if len(shape) == 2:
            yield ["sense", "--kspace", save(folder / f"g{n}.npy", (8, n, n), "c8", [1, 2, 3]), str(folder / "OUT.nii.gz"), "--coil-maps", maps]


def stacks(folder):
    for n, planes in STACKS:
        shots, samples, shape = 8, 4 * n, (planes, n, n)
        name = f"{n}x{n}x{planes}"
        k = save(folder / f"z{name}.npy", (planes * shots, samples, 3), "f4", stack(n, planes, shots, samples))
        kspace = save(folder / f"y{name}.npy", (8, planes * shots, samples), "c8", [1, 2, 3])
        maps = save(folder / f"x{name}.npy", (8, *shape), "c8", [1, 2, 3])
        for options in ([], ["--toeplitz", "off"]):
            yield ["sense", "--kspace", kspace, str(folder / "OUT.nii.gz"), "--trajectory", k, "--coil-maps", maps, "--sample-time", "2e-6",
                   "--matrix", name, "--density", "none", "--k-unit", "cycles", *options]  # samples far apart: few serve to rehearse


def convolutions(folder):
    for rows, columns in ((512, 512), (1080, 1920)):
        for channels in (1, 3):
            image = save(folder / f"c{rows}-{channels}.npy", (rows, columns, channels)[: 3 if channels > 1 else 2], "f4", [1, 2, 3])
            for taps in (5, 31, 255):
                kernel = save(folder / f"t{taps}.npy", (taps, taps), "f4", [1, 2, 1])
                for border in ("zero", "mirror"):
                    yield ["convolve", image, kernel, str(folder / "OUT.npy"), "--border", border]


def calibrations(folder):
    """Coil maps, whose kernels do not depend on the size."""
    for kind in ("c8", "c16"):
        kspace = save(folder / f"e{kind}.npy", (4, 48, 48), kind, [1, 2, 3])
        yield ["calibrate", "coils", kspace, str(folder / "OUT.npy")]


def nuffts(folder):
    for shape in [(n, n) for n in PLANES] + [(n,) * 3 for n in VOLUMES]:
        name, count = "x".join(map(str, shape)), 2 * math.prod(shape) // 3
        for kind, real in (("c8", "f4"), ("c16", "f8")):
            points = save(folder / f"p{name}{kind}.npy", (count, len(shape)), real, spread(shape))
            for vectors in ((), (8,)) if kind == "c8" else ((),):
                image = save(folder / f"i{name}{kind}{len(vectors)}.npy", (*vectors, *shape), kind, [1, 2, 3])
                samples = save(folder / f"j{name}{kind}{len(vectors)}.npy", (*vectors, count), kind, [1, 2, 3])
                yield ["nufft", image, str(folder / "OUT.npy"), "--points", points, "--type", "2"]
                yield ["nufft", samples, str(folder / "OUT.npy"), "--points", points, "--size", name]


def run(tool, kernels, chip, number, command):
    """Rehearses a command on the chip. A command may stop at what is no image; what it had asked for is kept."""
    own = [part.replace("OUT.", f"out-{chip}-{number}.") for part in command]
    env = dict(os.environ, ARGAND_REHEARSE="1", ARGAND_KERNELS=str(kernels), ARGAND_CACHE="off", ARGAND_ISOLATE="off", ARGAND_WISDOM="off",
               OMP_NUM_THREADS="1")
    done = subprocess.run([tool, *own, "--device", f"offline:{chip}", "-q"], env=env, capture_output=True, text=True, check=False)
    if done.returncode and "weight" not in done.stderr:
        print(f"{chip}: {' '.join(command[:1])}: {done.stderr.strip()[-200:]}", file=sys.stderr)


def cold(tool, kernels, chip):
    """Compiles the kernels with which FFTs and NUFFTs of any size begin."""
    subprocess.run([tool, "kernels", "--cold", "--device", f"offline:{chip}", "--out", str(kernels)], capture_output=True, check=True)


def known(tool, kernels, chip):
    """Compiles the transforms of wisdom, if wisdom knows the chip. Returns false without NVRTC."""
    done = subprocess.run([tool, "kernels", "--device", f"offline:{chip}", "--out", str(kernels)], capture_output=True, text=True, check=False)
    if done.returncode and "wisdom knows of no" not in done.stderr:
        print(done.stderr.strip(), file=sys.stderr)
        return False
    return True


def main():
    tool, kernels, chips = sys.argv[1], Path(sys.argv[2]).resolve(), sys.argv[3:]
    if not all(known(tool, kernels, chip) for chip in chips):
        sys.exit("kernels: no kernels were compiled")
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        folder = Path(name)
        commands = [*scans(folder), *stacks(folder), *calibrations(folder), *nuffts(folder), *convolutions(folder)]
        for i, chip in enumerate(chips):
            print(f"kernels: for {chip} ({i + 1} of {len(chips)}), minutes of processor time", flush=True)
            cold(tool, kernels, chip)
            list(pool.map(lambda job, chip=chip: run(tool, kernels, chip, *job), enumerate(commands)))
    sys.exit(subprocess.run([tool, "kernels", "--pack", "--out", str(kernels)], check=False).returncode)


main()
