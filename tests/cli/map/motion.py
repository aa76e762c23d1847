# SPDX-License-Identifier: BSD-3-Clause
"""motion.py make: spokes of blobs that move between spokes, as exact sums, the spokes without motion, and the table.
motion.py check: the corrected image is that of the object that did not move."""
import sys
import numpy as np

N, SPOKES, FOV = 48, 90, 240.0
if sys.argv[1] == "make":
    rng = np.random.default_rng(1)
    angle = np.arange(SPOKES) * np.pi * 0.618034
    r = np.arange(2 * N) / 2 - N / 2
    k = np.stack([r * np.sin(angle)[:, None], r * np.cos(angle)[:, None]], -1)  # y, x; cycles per field of view
    motion = np.zeros((SPOKES, 6))
    motion[:, :2], motion[:, 5] = rng.uniform(-8, 8, (SPOKES, 2)), rng.uniform(-12, 12, SPOKES)
    blobs = np.array([[0, 0, 25, 1], [40, -30, 10, 2], [-45, 20, 12, 1.5], [10, 60, 8, 2]])

    def samples(motion):
        total = 0
        for x, y, width, amplitude in blobs:
            c, s = np.cos(np.radians(motion[:, 5:])), np.sin(np.radians(motion[:, 5:]))
            px, py = c * x - s * y + motion[:, :1], s * x + c * y + motion[:, 1:2]
            phase = (k[..., 1] * px + k[..., 0] * py) / FOV
            total = total + amplitude * width**2 * np.exp(-2 * np.pi**2 * (k**2).sum(-1) / FOV**2 * width**2 - 2j * np.pi * phase)
        return total[None].astype("c8")  # coil, spoke, sample

    np.save("moving.npy", samples(motion)), np.save("still.npy", samples(0 * motion)), np.save("t.npy", k.astype("f4"))
    np.save("motion.npy", motion)
    np.savetxt("motion.tsv", motion, delimiter="\t", header="tx\tty\ttz\trx\try\trz", comments="")
else:
    still, moving, text, array = (abs(np.load(name + ".npy")).squeeze() for name in ("i_still", "i_moving", "i_text", "i_array"))
    error = [np.linalg.norm(x - still) / np.linalg.norm(still) for x in (moving, text, array)]
    assert error[0] > 0.3 and error[1] < 0.02 and error[2] < 0.02, error
