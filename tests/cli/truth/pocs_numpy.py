# SPDX-License-Identifier: BSD-3-Clause
"""POCS of partial Fourier (5/8 and 6/8 of the lines, an early echo) against NumPy's iteration from the
zero-filled image, and against the complete scan: pocs_numpy.py ARGAND."""

import subprocess
import sys

import numpy as np

N = 48, 40  # x, y
STEPS = 12


def fft(a):
    return np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(a)))


def ifft(a):
    return np.fft.fftshift(np.fft.ifft2(np.fft.ifftshift(a)))


def window(low, n):
    """Hann up to the nearer end of low ... n - n // 2 - 1."""
    k = np.arange(n) - n // 2
    u = k / (min(-low, (n - 1) // 2) + 1)
    return np.where(np.abs(u) < 1, 0.5 + 0.5 * np.cos(np.pi * u), 0) if low > -(n // 2) else np.ones(n)


def pocs(image, there, low):
    kept = fft(image) * there
    phase = ifft(kept * window(low[1], N[1])[:, None] * window(low[0], N[0]))
    phase = phase / np.abs(phase)
    x = ifft(kept)
    for _ in range(STEPS):
        x = ifft(np.where(there, kept, fft(np.abs(x) * phase)))
    return x


def reconstruct(name, *options):
    subprocess.run([sys.argv[1], "sense", "--kspace", "k.npy", "--coil-maps", "maps.npy", f"{name}.npy", "--part", "complex", "-q", *options], check=True)
    return np.load(f"{name}.npy").squeeze()


def error(a, b):
    return np.linalg.norm(a - b) / np.linalg.norm(b)


y, x = np.meshgrid(*((np.arange(n) - n // 2) / n for n in N[::-1]), indexing="ij")
size = (x / 0.38) ** 2 + (y / 0.42) ** 2
magnitude = (size < 1) * (1 + 0.5 * (np.abs(x - 0.1) < 0.08) * (np.abs(y) < 0.2) - 0.6 * ((x + 0.15) ** 2 + y**2 < 0.01))
truth = magnitude * np.exp(1j * (0.4 + 2 * x - 1.5 * y + 3 * x * y))
maps = np.array([np.exp(1j * c) / (0.4 + (x - 0.6 * np.cos(c)) ** 2 + (y - 0.6 * np.sin(c)) ** 2) for c in range(4)])
maps /= np.sqrt((np.abs(maps) ** 2).sum(0))
np.save("maps.npy", maps.astype(np.complex64))
whole = np.array([fft(m * truth) for m in maps])
for low in ((-24, -5), (-24, -10), (-6, -20)):
    there = (np.arange(N[1]) - N[1] // 2 >= low[1])[:, None] & (np.arange(N[0]) - N[0] // 2 >= low[0])
    np.save("k.npy", (whole * there).astype(np.complex64))
    zero, got = reconstruct("zero"), reconstruct("pocs", "--pocs", str(STEPS))
    want = pocs(zero, there, low)
    before, after = error(zero, truth), error(got, truth)
    print(f"k from {low}: error {before:.4f} with zeros, {after:.4f} with POCS; NumPy's POCS differs by {error(got, want):.1e}")
    assert error(got, want) < 1e-4
    assert after < 0.6 * before
