#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""simulate_model.py SCAN.h5: the samples of a simulated scan without noise follow from its own maps and truth by the model
s = sum Truth S exp(-i (2 pi k r + w t)), written here with NumPy alone, and not from the opposite sign of the field.
Only the inner half of k-space is compared: Truth is pixel means on the coarse grid, and further out the aliases of the head's
edges are as large as the signal."""
import sys
import h5py
import numpy as np


def maps(group, name):
    a = group[name][0]
    return a["real"] + 1j * a["imag"] if a.dtype.names else a


def model(truth, coils, field, path):
    axes = [(np.arange(n) - n // 2) / n for n in truth.shape]
    z, y, x = np.meshgrid(*axes, indexing="ij")
    phase = 2 * np.pi * sum(np.outer(path[:, d], r.ravel()) for d, r in enumerate((x, y, z)))
    kernel = np.exp(-1j * (phase + np.outer(path[:, 3], field.ravel())))
    pixel = np.prod([np.sinc(path[:, d] / truth.shape[2 - d]) for d in range(3)], axis=0)
    return np.array([kernel @ (truth * c).ravel() / pixel for c in coils])


group = h5py.File(sys.argv[1], "r")["dataset"]
truth, coils, field, mask = (maps(group, name) for name in ("Truth", "SENSEMap", "FieldMap", "Mask"))
data, right, wrong, inner = [], [], [], []
for a in group["data"]:
    count = int(a["head"]["active_channels"])
    path = a["traj"].reshape(-1, 4).astype(float)
    data.append(a["data"].view(np.complex64).reshape(count, -1))
    inner.append((abs(path[:, :3]) <= np.array(truth.shape[::-1]) / 4).all(1))
    right.append(model(truth, coils, field, path))
    wrong.append(model(truth, coils, -field, path))
data, right, wrong = (np.concatenate(v, axis=1)[:, np.concatenate(inner)] for v in (data, right, wrong))
error, other = (np.linalg.norm(v - data) / np.linalg.norm(data) for v in (right, wrong))
print(f"relative error {error:.3f}, with the field's sign turned {other:.3f}")
assert error < 0.1 and other > 3 * error
assert truth.min() == 0 and truth.max() <= 1 + 1e-6
assert abs((abs(coils) ** 2).sum(0) - 1).max() < 1e-5
assert set(np.unique(mask)) == {0, 1} and (mask[truth > 0] == 1).all()
assert mask[truth.shape[0] // 2, truth.shape[1] // 2].sum() > 0.6 * truth.shape[2]  # ventricles too
