# SPDX-License-Identifier: BSD-3-Clause
"""Bloom: lights of a dark picture spread by a lens's point spread function, and taken back by dividing the spectrum (Wiener).

Writes bloom.png, or the file that is named.
"""

import sys
from typing import Any

import argand
import numpy as np
import numpy.typing as npt

n = 192
rng = np.random.default_rng(4)
scene = 0.05 * argand.phantom((n, n))
scene[rng.integers(20, n - 20, 25), rng.integers(20, n - 20, 25)] = rng.uniform(2, 20, 25)  # lights, brighter than white

y, x = np.meshgrid(*[np.arange(-40, 41)] * 2, indexing="ij")
glare = 1 / (1 + np.hypot(x, y) ** 2.5)  # falls off as scattered light does
glare[40, 40] += 4
glare /= glare.sum()
bloom = argand.convolve(scene, glare, "same", border="clamp")

# the light is all there: what a border's clamp adds aside
assert abs(bloom.sum() / scene.sum() - 1) < 0.05
# against the sum at one pixel
p, q = 96, 90
wanted = (scene[p - 40 : p + 41, q - 40 : q + 41] * glare[::-1, ::-1]).sum()
assert abs(bloom[p, q] - wanted) < 1e-12

spectrum = argand.fftn(np.pad(glare, ((0, n - 81), (0, n - 81))))
spectrum *= np.exp(2j * np.pi * 40 * np.add.outer(np.fft.fftfreq(n), np.fft.fftfreq(n)))  # its middle to element 0
wiener = argand.Transform((n, n), spectrum=[spectrum.conj() / (abs(spectrum) ** 2 + 1e-4)])
sharp = wiener(bloom).real


def error(image: npt.NDArray[Any]) -> float:
    return float(np.linalg.norm(image - scene) / np.linalg.norm(scene))


print(f"error of the picture with bloom {error(bloom):.3f}, without it again {error(sharp):.3f}")
assert error(sharp) < error(bloom) / 2
path = sys.argv[1] if len(sys.argv) > 1 else "bloom.png"
argand.write_png(path, np.stack([scene, bloom, sharp]), ["scene", "with bloom", "taken back"], columns=3, zoom=1, high=0.3)
