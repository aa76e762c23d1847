# SPDX-License-Identifier: BSD-3-Clause
"""strong_noise.py ARGAND R: every R-th line and 24 around the centre, noise of a fifth of the image, in NumPy. The first
iteration leaves the bright rim aliased into the object; the shortest command must not end there, though noise grows in each iteration."""
import re, subprocess, sys
import numpy as np

tool, r = sys.argv[1], int(sys.argv[2])
n, coils, random = 128, 8, np.random.default_rng(5)
y, x = np.mgrid[-1:1:n * 1j, -1:1:n * 1j]
image = np.zeros((n, n))
for value, a, b, x0, y0 in [(1, .69, .92, 0, 0), (-.8, .66, .87, 0, -.02), (-.1, .1, .3, .22, 0), (-.1, .16, .4, -.22, 0), (.1, .2, .25, 0, .35), (.1, .05, .05, 0, .1)]:
    image[((x - x0) / a)**2 + ((y - y0) / b)**2 <= 1] += value
away = [(x - 1.3 * np.cos(c)) + 1j * (y - 1.3 * np.sin(c)) for c in 2 * np.pi * np.arange(coils) / coils]
maps = np.array([np.exp(1j * np.angle(d)) / abs(d) for d in away])
maps /= np.sqrt((abs(maps)**2).sum(0))
k = np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(maps * image, (1, 2)), norm="ortho"), (1, 2))
level = 0.2 * np.sqrt((image**2).mean() / 2)
k += level * (random.standard_normal(k.shape) + 1j * random.standard_normal(k.shape))
lines = np.arange(n)
k[:, (lines % r != 0) & (abs(lines - n // 2) >= 12)] = 0
np.save("k.npy", k.astype("c8"))


def measure(*options):
    done = subprocess.run([tool, "sense", "--kspace", "k.npy", "out.npy", "--threads", "1", *options], capture_output=True, text=True, check=True)
    got = np.squeeze(np.load("out.npy"))
    got = got * (got * image).sum() / (got * got).sum()
    return np.linalg.norm(got - image) / np.linalg.norm(image), done.stdout + done.stderr


error, text = measure()
one, four = measure("-n", "1")[0], measure("-n", "4")[0]
print(f"R = {r}: error {error:.3f}, iteration 1 {one:.3f}, iteration 4 {four:.3f}")
written = re.search(r"Wrote iteration (\d+) \(residual .*: later iterations added more noise than signal", text)
if not written or int(written[1]) < 3: sys.exit("iteration 3 or a later one is wanted:\n" + text)
if "--regularize tv:auto" not in text: sys.exit("the better option is not named:\n" + text)
if error > 0.9 * one or error > 1.1 * four: sys.exit("aliased")
