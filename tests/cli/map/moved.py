#!/usr/bin/env python3
"""moved.py make KIND SHOTS MM DEGREES NOISE: samples of blobs, many finer than the pixels, that move with their eight coils between the shots
of KIND (spiral, spokes, lines; repetitions: whole images of spirals; last: such images, of which the last one alone moves), as formulas; the same without motion; maps and the true table.
moved.py check TABLE: root mean square errors in mm and degrees, largest shift. moved.py compare A B: relative difference of images."""
import sys

import numpy as np

FOV, N, COILS = 240, 64, 8
rng = np.random.default_rng(1)
WAVES = [(u, v) for v in (-1, 0, 1) for u in (-1, 0, 1)]
AT = 2 * np.pi * np.arange(COILS) / COILS
COIL = np.array([(0.5 if u == v == 0 else 0.22 / (abs(u) + abs(v))) * np.exp(-1j * (1.6 * (u * np.cos(AT) + v * np.sin(AT)) + AT)) for u, v in WAVES])
# value, place and width in fields of view
BLOBS = [(1, 0, 0, 0.13), (0.6, 0.1, 0.18, 0.06), (-0.4, -0.12, 0.02, 0.05), (0.7, -0.1, -0.22, 0.03), (0.8, 0.18, -0.1, 0.025)]
BLOBS += [(rng.uniform(-0.8, 0.8), *rng.uniform(-0.27, 0.27, 2), rng.uniform(0.002, 0.012)) for _ in range(60)]


def trajectory(kind, shots):
    half = N / 2
    if kind == "lines":
        x = np.arange(-half, half, 0.5)
        return np.array([np.concatenate([np.stack([x, 0 * x + line - half], -1) for line in range(s, N, shots)]) for s in range(shots)])
    if kind == "spokes":
        r, count = np.arange(-half, half, 0.5), -(-101 // shots)
        at = np.pi * 0.6180339887 * np.arange(shots * count)
        return (r[:, None] * np.stack([np.cos(at), np.sin(at)], -1)[:, None]).reshape(shots, -1, 2)
    turns = half / shots
    t = np.sqrt(np.linspace(0, 1, int(2 * np.pi * turns * half * 1.2)))
    at = 2 * np.pi * (turns * t + np.arange(shots)[:, None] / shots)
    return half * np.stack([t * np.cos(at), t * np.sin(at)], -1)


def samples(k, table):
    y = np.zeros((COILS, *k.shape[:-1]), complex)
    for s, (tx, ty, _, _, _, angle) in enumerate(table):
        c, w = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        kx, ky = k[s, :, 0], k[s, :, 1]
        phase = np.exp(-2j * np.pi * (kx * tx + ky * ty) / FOV)
        for (u, v), coil in zip(WAVES, COIL):
            x, z = c * kx + w * ky - u / 1.6, c * ky - w * kx - v / 1.6
            m = sum(a * b**2 * np.exp(-2 * (np.pi * b) ** 2 * (x**2 + z**2) - 2j * np.pi * (x * px + z * py)) for a, px, py, b in BLOBS)
            y[:, s] += coil[:, None] * (phase * m)
    return 2 * np.pi * y


def make(kind, shots, mm, degrees, noise):
    images = kind in ("repetitions", "last")
    k = trajectory("spiral" if images else kind, 4 if images else shots)
    count = shots
    table = np.zeros((count, 6))
    table[1:, :2], table[1:, 5] = rng.uniform(-mm, mm, (count - 1, 2)), rng.uniform(-degrees, degrees, count - 1)
    if kind == "last":
        table[1:-1], table[-1, :2] = 0, mm
    sigma = noise * np.sqrt(k[..., 0].size) / N**2 / np.sqrt(2)
    rows = [np.repeat(row[None], len(k), 0) for row in table] if images else [table]
    for name, factor in (("moving", 1), ("still", 0)):
        y = np.array([samples(k, factor * row) for row in rows])
        y += sigma * np.random.default_rng(2).normal(size=(*y.shape, 2)).view(complex)[..., 0]
        np.save(f"{name}.npy", y.astype("c8") if images else y[0].astype("c8"))
    g = (np.arange(N) - N // 2) / N
    y, x = np.meshgrid(g, g, indexing="ij")
    waves = np.array([np.exp(2j * np.pi * (u * x + v * y) / 1.6) for u, v in WAVES])
    np.save("maps.npy", np.einsum("wc,wyx->cyx", COIL, waves).astype("c8")), np.save("t.npy", k.astype("f4")), np.savetxt("true.tsv", table)


if sys.argv[1] == "make":
    make(sys.argv[2], int(sys.argv[3]), *map(float, sys.argv[4:7]))
elif sys.argv[1] == "check":
    found, true = np.loadtxt(sys.argv[2], skiprows=1), np.loadtxt("true.tsv")
    d = (found - true)[1:]
    e = found - true - (found - true).mean(0)
    print(np.sqrt(np.mean(d[:, :2] ** 2)), np.sqrt(np.mean(d[:, 5] ** 2)), np.hypot(*found[:, :2].T).max(), np.sqrt(np.mean(e[:, :2] ** 2)), np.sqrt(np.mean(e[:, 5] ** 2)))
else:
    a, b = np.load(sys.argv[2]).squeeze(), np.load(sys.argv[3]).squeeze()
    print(np.linalg.norm(a - b) / np.linalg.norm(b))
