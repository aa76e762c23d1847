# SPDX-License-Identifier: BSD-3-Clause
"""Where to sample: the points of a few spokes and their weights move along their gradients until images come back best by one adjoint.

The penalty keeps neighbouring samples within a gradient system's speed. Writes trajectory.png, or the file that is named.
"""

import sys

import argand
import argand.torch
import numpy as np
import torch

rng = np.random.default_rng(3)
n, spokes = 40, 14
radial = argand.trajectory.radial((n, n), spokes=spokes)[0]
start = torch.from_numpy(np.asarray(radial, np.float64).reshape(spokes, -1, 2))
fastest = 1.3 * (start[:, 1:] - start[:, :-1]).norm(dim=-1).max()  # cycles per field of view from sample to sample


def image() -> torch.Tensor:
    """Random ellipses in a head."""
    y, x = np.meshgrid(*[np.linspace(-1, 1, n)] * 2, indexing="ij")
    out = 0.5 * ((x / 0.7) ** 2 + (y / 0.85) ** 2 < 1)
    for _ in range(5):
        a, b, cx, cy = *rng.uniform(0.1, 0.35, 2), *rng.uniform(-0.4, 0.4, 2)
        out = out + rng.uniform(-0.3, 0.5) * (((x - cx) / a) ** 2 + ((y - cy) / b) ** 2 < 1)
    return torch.from_numpy(out.astype(np.complex128))


def back(truth: torch.Tensor, points: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    k = points.reshape(-1, 2)
    return argand.torch.nufft_adjoint(weights * argand.torch.nufft(truth, k), k, (n, n))


def error(truths: list[torch.Tensor], points: torch.Tensor, weights: torch.Tensor) -> float:
    return float(torch.stack([(back(m, points, weights) - m).norm() / m.norm() for m in truths]).mean())


points = start.clone().requires_grad_()
first = torch.from_numpy(argand.density(radial, (n, n)).reshape(-1))
trial = image()
folded = back(trial, start, first)
first *= (folded.conj() * trial).real.sum() / folded.abs().square().sum()  # the scale that is best for the spokes
weights = first.clone().requires_grad_()
optimiser = torch.optim.Adam([{"params": [points], "lr": 0.05}, {"params": [weights], "lr": 0.01 * float(first.mean())}])
for _ in range(250):
    truth = image()
    speed = (points[:, 1:] - points[:, :-1]).norm(dim=-1)
    loss = ((back(truth, points, weights) - truth).norm() / truth.norm()) ** 2 + (speed - fastest).clamp(min=0).square().sum()
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    with torch.no_grad():
        points.clamp_(-n / 2, n / 2)

fresh = [image() for _ in range(5)]
with torch.no_grad():
    before, after = error(fresh, start, first), error(fresh, points, weights)
    speed = (points[:, 1:] - points[:, :-1]).norm(dim=-1).max() / fastest
    pictures = [abs(back(fresh[0], start, first)), abs(back(fresh[0], points, weights)), abs(fresh[0])]
print(f"error of images by one adjoint: {before:.3f} from spokes, {after:.3f} from what they became; {speed:.2f} of the fastest")
assert after < 0.85 * before and speed < 1.2
path = sys.argv[1] if len(sys.argv) > 1 else "trajectory.png"
argand.write_png(path, np.stack([x.numpy() for x in pictures]), ["spokes", "optimised", "truth"], columns=3, zoom=4, high=1)
