# SPDX-License-Identifier: BSD-3-Clause
"""nufft_sums.py KIND: makes the files of one problem, or with a second argument compares OUT with sums by NumPy."""
import sys
import numpy as np

rng = np.random.default_rng(5)


def noise(*shape):
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


def image_sum(k, image, sign, radians=False, fft=False):
    """k (points, rank), x first; image (..., y, x) -> (..., points)"""
    rank, phase = k.shape[-1], 0
    n = image.shape[-rank:][::-1]
    grids = np.meshgrid(*[np.arange(v) - v // 2 for v in n], indexing="ij")
    for axis in range(rank):
        r = grids[axis].T  # (z, y, x)
        unit = 1 if radians else 2 * np.pi / n[axis]
        r = np.fft.ifftshift(r) if fft else r
        phase = phase + np.multiply.outer(k[:, axis] * unit, r)
    return np.exp(sign * 1j * phase).reshape(len(k), -1), n


def check(a, b, limit):
    error = np.linalg.norm(a - b) / np.linalg.norm(b)
    assert a.shape == b.shape, (a.shape, b.shape)
    assert error < limit, error


def type2():
    image, k = noise(3, 9, 14), rng.uniform(-6, 6, (40, 2))
    yield {"image.npy": image, "k.npy": k[:, ::-1]}
    e, _ = image_sum(k, image, -1)
    check(np.load("s.npy"), image.reshape(3, -1) @ e.T, 1e-9)


def type1():
    samples, k = noise(3, 5, 8).astype("c8"), rng.uniform(-6, 6, (5, 8, 2)).astype("f4")
    yield {"s.npy": samples, "k.npy": k[..., ::-1]}
    e, n = image_sum(k.reshape(40, 2).astype(float), np.zeros((9, 14)), 1)
    check(np.load("image.npy"), (samples.reshape(3, -1) @ e).reshape(3, 9, 14), 1e-5)


def corner_errors(name, at):
    """of the first pixel: image -> samples, or samples -> image, of all samples one by one"""
    k = np.load("k.npy")
    e, _ = image_sum(k, np.zeros(162), -1)
    got, wanted = np.load(name), e[:, 0]
    return np.linalg.norm(got[at] - (wanted if at == 0 else wanted.conj())) / np.linalg.norm(wanted)


def pixel():
    image, k = np.zeros((1, 162), complex), rng.uniform(-81, 81, (300, 1))
    image[0, 0] = 1
    yield {"image.npy": image, "one.npy": np.eye(300, dtype=complex), "k.npy": k}
    for type in "21":
        at = 0 if type == "2" else np.s_[:, 0]
        every, whole = corner_errors(f"every{type}.npy", at), corner_errors(f"whole{type}.npy", at)
        print(f"type {type}: {every:.2g} with --every-pixel, {whole:.2g} without")
        assert every < 1e-6 < 2e-6 < whole < 6e-6, (every, whole)


def real2():
    image, k = noise(3, 9, 14).real, rng.uniform(-6, 6, (40, 2))
    yield {"image.npy": image, "k.npy": k[:, ::-1]}
    e, _ = image_sum(k, image, -1)
    check(np.load("s.npy"), image.reshape(3, -1) @ e.T, 1e-9)


def real1():
    samples, k = noise(3, 5, 8).astype("c8"), rng.uniform(-6, 6, (5, 8, 2)).astype("f4")
    yield {"s.npy": samples, "k.npy": k[..., ::-1]}
    e, n = image_sum(k.reshape(40, 2).astype(float), np.zeros((9, 14)), 1)
    assert np.load("image.npy").dtype == np.float32
    check(np.load("image.npy"), (samples.reshape(3, -1) @ e).reshape(3, 9, 14).real, 1e-5)


def options():
    samples, k = noise(40), rng.uniform(-np.pi, np.pi, (40, 3))
    yield {"s.npy": samples, "k.npy": k}  # x first, for --k-order xyz
    e, n = image_sum(k, np.zeros((6, 9, 8)), -1, radians=True, fft=True)
    check(np.load("image.npy"), (samples @ e).reshape(6, 9, 8), 1e-12)


def line():
    image, k = noise(33), rng.uniform(-16, 16, 21)
    yield {"image.npy": image, "k.npy": k}
    e, _ = image_sum(k[:, None], image, -1)
    check(np.load("s.npy"), e @ image, 1e-9)


def type3():
    m, r, k = noise(2, 30), rng.uniform(3, 5, (30, 2)), rng.uniform(-9, 9, (6, 4, 2))
    yield {"m.npy": m, "r.npy": r, "k.npy": k}
    e = np.exp(-2j * np.pi * (k.reshape(24, 2) @ r.T))
    check(np.load("s.npy"), (m @ e.T).reshape(2, 6, 4), 1e-9)


problem = globals()[sys.argv[1]]()
for name, array in next(problem).items():
    if len(sys.argv) == 2:
        np.save(name, array)
if len(sys.argv) > 2:
    next(problem, None)
