# SPDX-License-Identifier: BSD-3-Clause
"""coils.py radial SPOKES PHASE | lines R CALIBRATION | full: writes k.npy (and t.npy), samples of an object with a phase
through analytic coils, by plain sums in NumPy, and truth.npy. coils.py error IMAGE.npy LIMIT: how far the image's magnitude
is from the truth, after the best factor. PHASE: of the quadratic phase, in rad at the edge of the field of view."""
import sys
import numpy as np

N, COILS = 48, 8
x, y = np.meshgrid((np.arange(N) - N // 2) / N, (np.arange(N) - N // 2) / N)  # in fields of view, [y, x]


def ellipse(x0, y0, a, b):
    return ((x - x0) / a)**2 + ((y - y0) / b)**2 <= 1


def scene(phase):
    body = 1.0 * ellipse(0, 0, .34, .42) - .8 * ellipse(.13, .05, .08, .2) + .5 * ellipse(-.14, -.1, .06, .1) + .7 * ellipse(.05, -.27, .1, .05)
    angles = 2 * np.pi * np.arange(COILS)[:, None, None] / COILS
    away = (2 * x - 1.3 * np.cos(angles)) + 1j * (2 * y - 1.3 * np.sin(angles))
    maps = np.exp(1j * np.angle(away)) / abs(away)
    return body * np.exp(1j * phase * (4 * x**2 - 3 * y**2)), maps / np.sqrt((abs(maps)**2).sum(0))


def sums(images, kx, ky):
    """of [coil, y, x] at the positions, exactly"""
    ex, ey = np.exp(-2j * np.pi * np.outer(kx, x[0])), np.exp(-2j * np.pi * np.outer(ky, y[:, 0]))
    return np.array([((ey @ image) * ex).sum(1) for image in images])


def write(kind, first, second=0):
    truth, maps = scene(second if kind == "radial" else 1)
    if kind == "radial":
        angle, r = np.arange(int(first)) * np.pi * (np.sqrt(5) - 1) / 2, np.arange(-N // 2, N // 2, .5)
        kx, ky = np.outer(np.cos(angle), r), np.outer(np.sin(angle), r)
        np.save("t.npy", np.stack([ky, kx], -1).astype("f4"))
    else:
        ky, kx = np.meshgrid(np.arange(-N // 2, N // 2), np.arange(-N // 2, N // 2), indexing="ij")
    k = sums(maps * truth, kx.ravel(), ky.ravel()).reshape(COILS, *kx.shape)
    random, noise = np.random.default_rng(1), .01 * np.sqrt((abs(truth)**2).mean()) * N / np.sqrt(2)
    k += noise * (random.standard_normal(k.shape) + 1j * random.standard_normal(k.shape))
    if kind == "lines":
        line = np.arange(N)
        k *= ((line % int(first) == 0) | (abs(line - N // 2 + .5) < second / 2))[:, None]
    np.save("k.npy", k.astype("c8"))
    np.save("truth.npy", abs(truth))


def error(name, limit):
    image, truth = abs(np.squeeze(np.load(name))), np.load("truth.npy")
    off = np.linalg.norm(image * (image * truth).sum() / (image**2).sum() - truth) / np.linalg.norm(truth)
    print(f"{name}: {off:.4f}")
    return int(off > limit)


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[0] == "error": sys.exit(error(words[1], float(words[2])))
    write(words[0], *map(float, words[1:]))
