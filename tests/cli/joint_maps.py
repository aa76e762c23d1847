# SPDX-License-Identifier: BSD-3-Clause
"""joint_maps.py LIMIT SCAN.h5 MAPS ...: how far coil maps are from the simulated ones in the object: the root of the mean of 1 - |<S, S_0>|^2 over
its pixels. Maps are .npy or BART's .cfl, which may be on a grid twice as large."""
import sys
import h5py, numpy as np

with h5py.File(sys.argv[2]) as file:
    true, image = [np.squeeze(a["real"] + 1j * a["imag"]) if a.dtype.names else np.squeeze(a) for a in (file["dataset/SENSEMap"][:], file["dataset/Truth"][:])]
inside = abs(image) > .05 * abs(image).max()
for name in sys.argv[3:]:
    if name.endswith(".npy"): maps = np.load(name)
    else: maps = np.fromfile(name, "c8").reshape([int(d) for d in open(name[:-4] + ".hdr").read().split("\n")[1].split()][::-1])
    maps = np.squeeze(maps)
    away = (maps.shape[-1] - true.shape[-1]) // 2
    if away: maps = maps[:, away:-away, away:-away]
    maps = maps / np.sqrt((abs(maps) ** 2).sum(0))
    error = np.sqrt((1 - abs((maps.conj() * true).sum(0))[inside] ** 2).clip(0).mean())
    print(f"{name}: {error:.4f}")
    if not error <= float(sys.argv[1]): sys.exit(1)
