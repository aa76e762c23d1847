# SPDX-License-Identifier: BSD-3-Clause
"""g-factor maps of `argand sense` against the inverse of the dense normal matrix of each column of pixels, and
against replicas; those of `argand grappa` with correlated noise against those of channels whitened by hand:
gfactor_numpy.py ARGAND [few]."""

import subprocess
import sys

import numpy as np

COILS = 8


def argand(*words):
    subprocess.run([sys.argv[1], *words, "-q"], check=True)


def fft(a):
    return np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(a, axes=(-2, -1))), axes=(-2, -1))


def axes(n, extent=1.0):
    return np.meshgrid(*((np.arange(m) - m // 2) / (m * extent) for m in n), indexing="ij")


def make_maps(n, extent=1.0):
    """Loops around a disc, {coil, y, x}; 0 outside the disc."""
    y, x = axes(n, extent)
    turns = 2 * np.pi * np.arange(COILS)[:, None, None] / COILS
    distance = (x - 0.5 * np.cos(turns)) ** 2 + (y - 0.5 * np.sin(turns)) ** 2
    maps = np.exp(1j * (turns + 2 * x * np.cos(turns)) - 4 * distance)
    return maps / np.sqrt((np.abs(maps) ** 2).sum(0)) * ((x / 0.42) ** 2 + (y / 0.45) ** 2 < 1)


def exact(maps, lines, encoded):
    """The g-factor by dense matrices: lines of k-space, counted from the centre, in a field of view of `encoded` pixels."""
    ny, nx = maps.shape[1:]
    rows = np.exp(-2j * np.pi * np.outer(lines, np.arange(ny) - ny // 2) / encoded)
    g = np.zeros((ny, nx))
    for x in range(nx):
        energy = (np.abs(maps[:, :, x]) ** 2).sum(0)
        inside = energy > 0
        if inside.any():
            encoding = np.concatenate([(rows * maps[c, :, x])[:, inside] for c in range(COILS)])
            noise = np.diag(np.linalg.inv(encoding.conj().T @ encoding)).real
            g[inside, x] = np.sqrt(noise * energy[inside] * len(lines))
    return g


def sense(encoded, factor, image=None):
    """The largest relative difference of the map from the exact one."""
    image = image or encoded
    maps = make_maps(image, encoded[0] / image[0])
    lines = [k for k in range(-(encoded[0] // 2), (encoded[0] + 1) // 2) if k % factor == 0]
    k = np.zeros((COILS, *encoded), np.complex64)
    whole = np.zeros((COILS, *encoded), complex)
    at = [slice(n // 2 - m // 2, n // 2 - m // 2 + m) for n, m in zip(encoded, image)]
    whole[:, at[0], at[1]] = maps
    rows = [i + encoded[0] // 2 for i in lines]
    k[:, rows] = fft(whole)[:, rows]
    np.save("k.npy", k)
    np.save("maps.npy", maps.astype(np.complex64))
    fov = ["--fov", f"{encoded[1]}x{encoded[0]}x1", "--image-fov", f"{image[1]}x{image[0]}"]
    argand("sense", "--kspace", "k.npy", "--coil-maps", "maps.npy", "out.npy", "--gfactor-map", *fov)
    got, want = np.load("out_gfactor.npy").squeeze(), exact(maps, lines, encoded[0])
    assert got.shape == want.shape and ((got > 0) == (want > 0)).all()
    inside = want > 0
    ratio = got[inside] / want[inside]
    print(f"SENSE {encoded}, R = {factor}, image {image}: g up to {want.max():.3f}, ratio {ratio.mean():.6f}, rms {np.std(ratio):.1e}, largest {abs(ratio - 1).max():.1e}")
    return ratio




def replicas():
    """The same by 200 replicas of the undersampled and of the complete scan, without calibration lines."""
    sense((32, 32), 2)
    k = np.load("k.npy")
    options = ["--kspace", "k.npy", "--coil-maps", "maps.npy", "-n", "60", "--tolerance", "1e-5", "--noise-map", "200"]
    argand("sense", *options, "half.npy")
    k[:, 1::2] = fft(np.load("maps.npy"))[:, 1::2]
    np.save("k.npy", k)
    argand("sense", *options, "whole.npy")
    g = np.load("out_gfactor.npy").squeeze()
    half, complete = (np.load(f"{name}_noise.npy").squeeze()[g > 0] for name in ("half", "whole"))
    ratio = half / complete / np.sqrt(2) / g[g > 0]
    print(f"replicas over formula: {ratio.mean():.4f}, rms {np.std(ratio):.4f}")
    assert abs(ratio.mean() - 1) < 0.01 and np.std(ratio) < 0.07


assert abs(sense((48, 37), 3) - 1).max() < 1e-5
if "few" in sys.argv[2:]:
    sys.exit()
for sizes in (((48, 40), 2), ((48, 40), 3, (32, 40))):
    assert abs(sense(*sizes) - 1).max() < 1e-5
ratio = sense((129, 20), 2)  # pixels alias between pixels: most are off at the rim of the maps
assert abs(ratio.mean() - 1) < 0.02 and np.std(ratio) < 0.1
replicas()

# GRAPPA: correlated noise by its samples, and channels whitened by hand. Without regularization the weights do not
# depend on how channels are mixed.
rng = np.random.default_rng(3)
n, factor = (45, 40), 3
maps = make_maps(n)
y, x = axes(n)
image = (1 + 0.7 * (abs(x) < 0.2)) * np.exp(2j * x * y)
whole = fft(maps * image) + rng.standard_normal((COILS, *n)) + 1j * rng.standard_normal((COILS, *n))
lines = (np.arange(n[0]) - n[0] // 2) % factor == 0
lines[n[0] // 2 - 9 : n[0] // 2 + 9] = True
whole[:, ~lines] = 0
mixing = np.eye(COILS) + 0.4 * np.tri(COILS, k=-1) * (1 + 0.5j)
noise = mixing @ (rng.standard_normal((COILS, 20000)) + 1j * rng.standard_normal((COILS, 20000)))
covariance = noise @ noise.conj().T / noise.shape[1]
white = np.linalg.inv(np.linalg.cholesky(covariance))
np.save("noise.npy", noise.astype(np.complex64))
maps_of = {"correlated": maps, "whitened": np.einsum("vc,cyx->vyx", white, maps)}
for name, data in (("correlated", whole), ("whitened", np.einsum("vc,cyx->vyx", white, whole))):
    np.save("k.npy", data.astype(np.complex64))
    np.save("maps.npy", maps_of[name].astype(np.complex64))
    more = ["--noise", "noise.npy"] if name == "correlated" else []
    argand("grappa", "--kspace", "k.npy", "--coil-maps", "maps.npy", f"{name}.npy", "--gfactor-map", "--kernel-regularization", "-1", *more)
g = [np.load(f"{name}_gfactor.npy").squeeze() for name in maps_of]
inside = g[1] > 0
print(f"GRAPPA R = 3: g up to {g[1].max():.3f}, mean {g[1][inside].mean():.3f}; with correlated noise it differs by {abs(g[0] / np.where(inside, g[1], 1) - 1)[inside].max():.1e}")
assert abs(g[0][inside] / g[1][inside] - 1).max() < 1e-4 and g[1][inside].mean() > 1.05
