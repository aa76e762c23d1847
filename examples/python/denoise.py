# SPDX-License-Identifier: BSD-3-Clause
"""Noise taken out of a picture by shrinking its spectrum: transform, a function of one's own, inverse transform, in one plan.

Writes denoise.png, or the file that is named. A second argument names a device ("opencl:0", "cuda:0").
"""

import sys
from typing import Any

import argand
import numpy as np
import numpy.typing as npt

TEXT = """DEVICE struct pair shrink(struct pair v, struct pair mirror, struct access_point at)
{
    const REAL power = v.re * v.re + v.im * v.im, gain = power > at.p[0] ? 1 - at.p[0] / power : 0;
    return make_pair(gain * v.re, gain * v.im);
}
"""


def shrink(values: npt.NDArray[Any], place: tuple[Any, ...], parameters: tuple[float, ...]) -> None:
    """The same on the CPU, for a run of neighbours."""
    power = np.abs(values) ** 2
    values *= np.maximum(0, 1 - parameters[0] / np.maximum(power, 1e-30))


n = 256
truth = argand.phantom((n, n))
noisy = truth + 0.1 * np.random.default_rng(1).standard_normal((n, n))
call = argand.Call(TEXT, function=shrink)
plan = argand.Transform((n, n), spectrum=[call], device=sys.argv[2] if len(sys.argv) > 2 else None)


def error(image: npt.NDArray[Any]) -> float:
    return float(np.linalg.norm(image - truth) / np.linalg.norm(truth))


best = noisy
for level in (1, 2, 4):
    call.parameters = [level * (0.1 * n) ** 2]  # in units of the noise's power at a frequency
    image = plan(noisy).real
    print(f"level {level}: error {error(image):.3f}, of the noisy picture {error(noisy):.3f}")
    best = image if error(image) < error(best) else best
assert error(best) < 0.75 * error(noisy)
path = sys.argv[1] if len(sys.argv) > 1 else "denoise.png"
argand.write_png(path, np.stack([noisy, best, truth]), ["with noise", "spectrum shrunk", "truth"], columns=3, zoom=1, high=0.5)
