# SPDX-License-Identifier: BSD-3-Clause
"""water_fat.py: echoes of water and fat at 3 T, in the current folder: one.npy, conjugate.npy, magnitude.npy, and e_contrast-1.npy, ... with sidecars.
water_fat.py check NAME...: compares NAME_fat-fraction.npy and the other maps with the truth."""
import json
import sys

import numpy as np

times, frequency = np.array([0.0012, 0.0022, 0.0032, 0.0042]), 127.732434e6
shifts, parts = np.array([-3.8, -3.4, -2.6, -1.95, -0.5, 0.6]), np.array([0.088, 0.7, 0.12, 0.006, 0.039, 0.047])
y, x = np.mgrid[-1:1:20j, -1:1:24j]
mask = x**2 + y**2 < 0.9
fraction = np.where(x > 0.3, 0.9, 0.1 + 0.2 * (y > 0))
field, r2star = 200 * x + 150 * y**2, 40 + 20 * y

if sys.argv[1:2] == ["check"]:
    for name in sys.argv[2:]:
        for label, truth, limit in (("fat-fraction", fraction, 1e-3), ("b0", field, 0.1), ("r2star", r2star, 0.2), ("water", 5 * (1 - fraction), 5e-3)):
            made = np.load(f"{name}_{label}.npy")
            error = np.abs(made - truth)[mask].max()
            assert error < limit and not made[~mask].any(), f"{name}_{label}: {error}"
    sys.exit()
fat = (parts[:, None] * np.exp(-2j * np.pi * 1e-6 * shifts[:, None] * frequency * times)).sum(0)
t = times[:, None, None]
echoes = 5 * (1 - fraction + fraction * fat[:, None, None]) * np.exp(-(r2star + 2j * np.pi * field) * t + 1j)
echoes = (echoes * mask).astype("c8")
np.save("m.npy", mask.astype("f4"))
np.save("one.npy", echoes)
np.save("conjugate.npy", echoes.conj())
np.save("magnitude.npy", abs(echoes))
for i, image in enumerate(echoes):
    np.save(f"e_contrast-{i + 1}.npy", image)
    with open(f"e_contrast-{i + 1}.json", "w") as sidecar:
        json.dump({"EchoTime": times[i], "MagneticFieldStrength": 3, "ImagingFrequency": frequency * 1e-6}, sidecar)
