# SPDX-License-Identifier: BSD-3-Clause
"""Every operation of `argand array` beside NumPy's: files of both axis orders, real and complex, single and double."""
import subprocess
import numpy as np

random = np.random.default_rng(3)
a = (random.standard_normal((3, 4, 5)) + 1j * random.standard_normal((3, 4, 5))).astype("c8")
b = random.standard_normal((4, 1)).astype("f4")
c = random.standard_normal((3, 4, 5))
for name, x in dict(a=a, b=b, c=c).items(): np.save(name + ".npy", x)


def argand(*arguments):
    run = subprocess.run(["argand", "array", *arguments, "-q"], capture_output=True, text=True)
    assert run.returncode == 0, (arguments, run.stderr)


def write_cfl(name, x):
    open(name + ".hdr", "w").write("# Dimensions\n" + " ".join(map(str, x.shape)) + "\n")
    x.ravel(order="F").astype("c8").tofile(name + ".cfl")


def read_cfl(name):
    dims = [int(d) for d in open(name + ".hdr").read().split("\n")[1].split()]
    return np.fromfile(name + ".cfl", "c8").reshape(dims, order="F")


def centred(x, axis, n):
    """To n elements about floor(n/2), as BART's resize -c does."""
    y = np.zeros([n if i == axis else s for i, s in enumerate(x.shape)], x.dtype)
    for i in range(n):
        at = i - n // 2 + x.shape[axis] // 2
        if 0 <= at < x.shape[axis]: y.swapaxes(0, axis)[i] = x.swapaxes(0, axis)[at]
    return y


def rss(x, axis): return np.sqrt((abs(x) ** 2).sum(axis, keepdims=True))


checks = [
    ("add a.npy b.npy c.npy", a + b + c), ("subtract b.npy c.npy", b - c), ("multiply a.npy b.npy", a * b),
    ("divide c.npy a.npy", c / a), ("scale a.npy --by 2 --plus 0,1", 2 * a + 1j), ("scale c.npy --by -0.5", -0.5 * c),
    ("abs a.npy", abs(a)), ("phase a.npy", np.angle(a)), ("real a.npy", a.real), ("imag a.npy", a.imag), ("conj a.npy", a.conj()),
    ("complex c.npy c.npy", c * np.exp(1j * c)),
    ("rss a.npy --axes 0", rss(a, 0)), ("rss a.npy --axes 0,-1", rss(a, (0, 2))), ("sum a.npy --axes 1", a.sum(1, keepdims=True)),
    ("sum c.npy", c.sum(keepdims=True)), ("mean a.npy --axes -1", a.mean(-1, keepdims=True)),
    ("slice a.npy --axes 1 --range 1:3", a[:, 1:3]), ("slice a.npy --axes -1 --range -2:", a[..., -2:]), ("slice a.npy --axes 0 --range 2", a[2:3]),
    ("resize a.npy --axes 2 --size 8", centred(a, 2, 8)), ("resize a.npy --axes 1,2 --size 3,2", centred(centred(a, 1, 3), 2, 2)),
    ("resize a.npy --size 3,7,4", centred(centred(a, 1, 7), 2, 4)),
    ("fftshift a.npy", np.fft.fftshift(a)), ("fftshift a.npy --axes 2,0", np.fft.fftshift(a, (2, 0))), ("ifftshift a.npy --axes 2", np.fft.ifftshift(a, 2)),
    ("roll a.npy --axes 2 --by -7", np.roll(a, -7, 2)), ("roll a.npy --axes 1 --by 1", np.roll(a, 1, 1)), ("flip a.npy --axes 0,1", a[::-1, ::-1]),
    ("transpose a.npy --axes 2,0,1", a.transpose(2, 0, 1)), ("transpose a.npy", a.T), ("reshape a.npy --size 2,6,5", a.reshape(2, 6, 5)),
    ("concatenate a.npy a.npy c.npy --axes 1", np.concatenate([a, a, c], 1)), ("concatenate a.npy a.npy --axes 2", np.concatenate([a, a], 2)),
    ("stack a.npy c.npy", np.stack([a, c])),
]
for arguments, expected in checks:
    argand(*arguments.split(), "y.npy")
    y = np.load("y.npy")
    assert y.shape == expected.shape, (arguments, y.shape, expected.shape)
    assert np.iscomplexobj(y) == np.iscomplexobj(expected) and (y.dtype.itemsize // (1 + np.iscomplexobj(y)) == 8) == ("c.npy" in arguments), (arguments, y.dtype)
    assert abs(y - expected).max() <= 3e-7 * abs(expected).max(), arguments

# BART's axes count from the fastest
write_cfl("f", a)
for arguments, expected in [("slice f.cfl --axes 1 --range 1:3", a[:, 1:3]), ("rss f.cfl --axes 0", rss(a, 0)),
                        ("transpose f.cfl --axes 2,0,1", a.transpose(2, 0, 1)), ("resize f.cfl --axes 2 --size 9", centred(a, 2, 9)),
                        ("reshape f.cfl --size 6,2,5", a.reshape(6, 2, 5, order="F"))]:
    argand(*arguments.split(), "y.cfl")
    assert abs(read_cfl("y").squeeze() - expected.squeeze()).max() <= 3e-7 * abs(expected).max(), arguments
np.save("one.npy", a[:, None, :, :1])
argand("squeeze", "one.npy", "y.npy")
assert (np.load("y.npy") == a[:, :, 0]).all()
