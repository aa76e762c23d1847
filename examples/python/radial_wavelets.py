# SPDX-License-Identifier: BSD-3-Clause
"""Radial CG-SENSE of few spokes, with and without wavelets, by operators. Writes radial_wavelets.png, or the file that is named."""

import sys
from typing import Any

import argand
import numpy as np
import numpy.typing as npt

n, coils = 128, 8
truth = argand.phantom((n, n))
maps = argand.birdcage((coils, n, n))
points, _ = argand.trajectory.radial((n, n), spokes=32)
weights = argand.density(points, (n, n))

A = argand.SENSE(argand.NUFFT(points, (n, n), (coils,)), maps)
data = A @ truth
noise = np.random.default_rng(1).standard_normal((2, *data.shape))
data += 0.02 * np.sqrt(np.mean(abs(data) ** 2)) * (noise[0] + 1j * noise[1])

normal = argand.Toeplitz(points, (n, n), weights=weights).sense(maps)
plain = argand.solve(A, data, weights=weights, normal=normal, iterations=20)
sparse = argand.solve(A, data, weights=weights, normal=normal, regularize="wavelet:0.02", iterations=60)


def error(image: npt.NDArray[Any]) -> float:
    return float(np.linalg.norm(image - truth) / np.linalg.norm(truth))


print(f"error by conjugate gradients {error(plain):.3f}, with wavelets {error(sparse):.3f}")
assert error(sparse) < error(plain)
path = sys.argv[1] if len(sys.argv) > 1 else "radial_wavelets.png"
argand.write_png(path, np.stack([abs(plain), abs(sparse), truth]), ["conjugate gradients", "wavelets", "truth"], columns=3, zoom=2, high=0.5)
