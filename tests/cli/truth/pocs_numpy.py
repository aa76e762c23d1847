# SPDX-License-Identifier: BSD-3-Clause
"""POCS and homodyne reconstruction of partial Fourier (5/8 and 6/8 of the lines, the last lines missing, an
early echo) against NumPy's from the zero-filled image, and against the complete scan: pocs_numpy.py ARGAND."""

import subprocess
import sys

import numpy as np

N = 48, 40  # x, y
STEPS = 12


def fft(a):
    return np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(a)))


def ifft(a):
    return np.fft.fftshift(np.fft.ifft2(np.fft.ifftshift(a)))


def is_whole(low, high, n):
    return low == -(n // 2) and high == (n - 1) // 2


def window(low, high, n):
    """Hann up to the nearer end of low ... high."""
    k = np.arange(n) - n // 2
    u = k / (min(-low, high) + 1)
    return np.ones(n) if is_whole(low, high, n) else np.where(np.abs(u) < 1, 0.5 + 0.5 * np.cos(np.pi * u), 0)


def phase_of(kept, ends):
    low = ifft(kept * window(*ends[1], N[1])[:, None] * window(*ends[0], N[0]))
    return low / np.abs(low)


def pocs(image, there, ends):
    kept = fft(image) * there
    phase = phase_of(kept, ends)
    x = ifft(kept)
    for _ in range(STEPS):
        x = ifft(np.where(there, kept, fft(np.abs(x) * phase)))
    return x


def weight(low, high, n, ramp):
    """0 where nothing was acquired, 2 where the mirrored sample is missing, between them a ramp or 1."""
    k = np.arange(n) - n // 2
    if is_whole(low, high, n):
        return np.ones(n)
    reach = min(-low, high)
    far = k if high > -low else -k
    w = np.where(far > reach, 2, 1 + far / (reach + 1) if ramp else 1.0)
    return np.where((k < low) | (k > high), 0, np.where(2 * k == -n, 1, w))


def homodyne(image, there, ends, ramp):
    kept = fft(image) * there
    phase = phase_of(kept, ends)
    weighted = kept * weight(*ends[1], N[1], ramp)[:, None] * weight(*ends[0], N[0], ramp)
    return phase * (ifft(weighted) * phase.conj()).real


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
for ends in (((-24, 23), (-5, 19)), ((-24, 23), (-10, 19)), ((-24, 23), (-20, 7)), ((-6, 23), (-20, 19))):
    inside = [(np.arange(n) - n // 2 >= low) & (np.arange(n) - n // 2 <= high) for n, (low, high) in zip(N, ends)]
    there = inside[1][:, None] & inside[0]
    np.save("k.npy", (whole * there).astype(np.complex64))
    zero = reconstruct("zero")
    before = error(zero, truth)
    print(f"k from {ends}: error {before:.4f} with zeros")
    tries = (("--pocs", str(STEPS), pocs(zero, there, ends), 0.6), ("--homodyne", "ramp", homodyne(zero, there, ends, True), 0.6),
             ("--homodyne", "step", homodyne(zero, there, ends, False), 0.6))  # fmt: skip
    for option, value, want, part in tries[: 3 if ends[1][0] == -5 else 2]:
        got = reconstruct("got", option, value)
        after = error(got, truth)
        print(f"  {option} {value}: {after:.4f}; NumPy's differs by {error(got, want):.1e}")
        assert error(got, want) < 1e-4
        assert after < part * before
