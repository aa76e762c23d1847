# SPDX-License-Identifier: BSD-3-Clause
"""A reconstruction network by PyTorch: gradient steps of CG-SENSE's model with a small convolution between them, trained on ellipses.

Gradients go through the operators by their exact adjoints. Writes unrolled.png, or the file that is named.
"""

import sys

import argand
import argand.torch
import numpy as np
import torch

torch.manual_seed(2)
rng = np.random.default_rng(2)
n, coils, steps = 48, 4, 5
maps = argand.birdcage((coils, n, n)).astype(np.complex64)
points = argand.trajectory.radial((n, n), spokes=14)[0]
weights = torch.from_numpy(np.sqrt(argand.density(points, (n, n))).astype(np.float32))
A = argand.SENSE(argand.NUFFT(points, (n, n), (coils,), dtype=np.complex64), maps)
largest = float(abs(A.adjoint(weights.numpy() ** 2 * (A @ np.ones((n, n), np.complex64)))).max())  # near A^H W A's eigenvalue


def ellipses() -> torch.Tensor:
    """A head of random ellipses."""
    y, x = np.meshgrid(*[np.linspace(-1, 1, n)] * 2, indexing="ij")
    image = np.zeros((n, n), np.complex64)
    for size in [0.8, *rng.uniform(0.08, 0.3, 7)]:
        a, b = size, size * rng.uniform(0.5, 1)
        cx, cy = rng.uniform(-0.5, 0.5, 2) * (size < 0.5)
        image += rng.uniform(0.2, 1) * (((x - cx) / a) ** 2 + ((y - cy) / b) ** 2 < 1)
    return torch.from_numpy(image / abs(image).max())


def scan(image: torch.Tensor) -> torch.Tensor:
    clean = torch.from_numpy(np.ascontiguousarray(A @ image.numpy()))
    return clean + 0.01 * clean.abs().max() * torch.randn_like(clean)


class Unrolled(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.step = torch.nn.Parameter(torch.full((steps,), 0.8 / largest))
        self.prior = torch.nn.ModuleList(torch.nn.Sequential(
            torch.nn.Conv2d(2, 12, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(12, 2, 3, padding=1)) for _ in range(steps))  # fmt: skip

    def forward(self, y: torch.Tensor) -> torch.Tensor:
        x = torch.zeros(n, n, dtype=torch.complex64)
        for step, prior in zip(self.step, self.prior):
            x = x - step * argand.torch.apply(A.adjoint, weights**2 * (argand.torch.apply(A, x) - y))
            x = x + torch.view_as_complex(prior(torch.view_as_real(x).permute(2, 0, 1)[None])[0].permute(1, 2, 0).contiguous())
        return x


def error(image: torch.Tensor, truth: torch.Tensor) -> float:
    return float((image - truth).norm() / truth.norm())


network = Unrolled()
optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
for _ in range(150):
    truth = ellipses()
    loss = (network(scan(truth)) - truth).abs().square().mean()
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()

truth = ellipses()
data = scan(truth)
with torch.no_grad():
    learned = network(data)
plain = torch.from_numpy(argand.solve(A, data.numpy(), weights=weights.numpy() ** 2, iterations=8))
print(f"error by conjugate gradients {error(plain, truth):.3f}, by the network {error(learned, truth):.3f}")
assert error(learned, truth) < 0.9 * error(plain, truth)
path = sys.argv[1] if len(sys.argv) > 1 else "unrolled.png"
pictures = np.stack([abs(x.numpy()) for x in (plain, learned, truth)])
argand.write_png(path, pictures, ["conjugate gradients", "network", "truth"], columns=3, zoom=4, high=1)
