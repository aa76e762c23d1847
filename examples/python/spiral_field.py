# SPDX-License-Identifier: BSD-3-Clause
"""A spiral scan of a head in a field that is wrong above the sinus: reconstructed without and with its field map.

Writes spiral_field.png, or the file that is named; docs/python.md shows it.
"""

import sys
from typing import Any

import argand
import numpy as np
import numpy.typing as npt

n, coils = 128, 8
truth = argand.phantom((n, n))
maps = argand.birdcage((coils, n, n))
field = argand.head_field((n, n), field_range_hz=100)  # rad/s
points, times = argand.trajectory.spiral((n, n), shots=8, echo_s=0.005)

kspace = argand.field_dft(truth * maps, points, times, field).astype(np.complex64)
noise = np.random.default_rng(1).standard_normal((2, *kspace.shape)).astype(np.float32)
kspace += 0.02 * np.sqrt(np.mean(abs(kspace) ** 2)) * (noise[0] + 1j * noise[1])

plain = argand.sense(kspace, points, maps)
corrected = argand.sense(kspace, points, maps, times=times, field_map=field)


def error(image: npt.NDArray[Any]) -> float:
    return float(np.linalg.norm(abs(image) - truth) / np.linalg.norm(truth))


print(f"error without the field map {error(plain):.3f}, with it {error(corrected):.3f}")
assert error(corrected) < error(plain) / 2
path = sys.argv[1] if len(sys.argv) > 1 else "spiral_field.png"
argand.write_png(path, np.stack([abs(plain), abs(corrected), truth]), ["without field map", "with it", "truth"], columns=3, zoom=2, high=0.5)
