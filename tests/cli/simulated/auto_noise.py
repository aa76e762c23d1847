# SPDX-License-Identifier: BSD-3-Clause
"""auto_noise.py ARGAND: the noise that tv:auto and wavelet:auto find, in NumPy's scans: with as many channels of zeros as real ones (switched-off
coil elements), and with none at all (an image in steps, as denoised ones are)."""
import re, subprocess, sys
import numpy as np

n, coils, sigma, random = 64, 4, 0.05, np.random.default_rng(3)
y, x = np.mgrid[-1:1:n * 1j, -1:1:n * 1j]
image = 1. * (x**2 / .6 + y**2 / .8 < 1) + 1. * ((x - .2)**2 + y**2 < .1)
away = [(x - 1.3 * np.cos(c)) + 1j * (y - 1.3 * np.sin(c)) for c in 2 * np.pi * np.arange(coils) / coils]
maps = np.array([np.exp(1j * np.angle(d)) / abs(d) for d in away])
maps /= np.sqrt((abs(maps)**2).sum(0))
kspace = lambda images: np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(images, (1, 2)), norm="ortho"), (1, 2))
noise = sigma * (random.standard_normal((coils, n, n)) + 1j * random.standard_normal((coils, n, n)))
scans = {"zeros": np.concatenate([kspace(maps * image) + noise, np.zeros((coils, n, n))]), "steps": kspace(image[None])}
for name, data in scans.items():
    np.save("k.npy", data.astype("c8"))
    for penalty in "tv", "wavelet":
        done = subprocess.run([sys.argv[1], "sense", "--kspace", "k.npy", "out.npy", "-r", penalty + ":auto", "--threads", "1"], capture_output=True, text=True)
        print(done.stdout + done.stderr)
        if done.returncode: sys.exit(f"{name}, {penalty}: refused")
        found = re.search(r"with noise of (\S+) a sample, told by (.*); residual (\S+) of (\S+) sought", done.stdout + done.stderr)
        if name == "steps" and "nothing" not in found[2]: sys.exit("what is assumed must be said")
        if name == "zeros" and not 0.8 < float(found[1]) / (np.sqrt(2) * sigma) < 1.25: sys.exit("wrong noise: " + found[0])
        if name == "zeros" and not 0.9 < float(found[3]) / float(found[4]) < 1.1: sys.exit("the residual sought was not reached: " + found[0])
