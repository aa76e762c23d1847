# SPDX-License-Identifier: BSD-3-Clause
"""convolve.py make: pictures and kernels of random numbers in the folder. convolve.py same A B LIMIT: the relative difference of two
files. convolve.py png A B: the same codes. convolve.py closer A B TRUTH FACTOR. convolve.py wiener OUT IN KERNEL NOISE LIMIT: OUT against Wiener's filter in double of IN mirrored. convolve.py direct OUT IN KERNEL [MODE] [BORDER] [key=value]: OUT against the sum that
defines it, in double (centre, normalise, constant, correlate, sharpen, threshold, strength, light: how many channels are convolved). convolve.py bright: scenes with lights of 1e6 on 1e-3.
convolve.py relative OUT IN KERNEL LIMIT BORDER: the largest error of OUT over the sum of |products|, where that is 0 the result is 0."""
import itertools
import struct
import sys
import zlib
import numpy as np


def pfm(name, planes):
    """planes [channel, y, x]"""
    c, h, w = planes.shape
    with open(name, "wb") as f:
        f.write(f"{'PF' if c == 3 else 'Pf'}\n{w} {h}\n-1\n".encode())
        f.write(planes[:, ::-1].transpose(1, 2, 0).astype("<f4").tobytes())


def read_pfm(name):
    with open(name, "rb") as f:
        kind, (w, h), scale = f.readline().split()[0], map(int, f.readline().split()), float(f.readline())
        c = 3 if kind == b"PF" else 1
        return np.frombuffer(f.read(), "<f4" if scale < 0 else ">f4").reshape(h, w, c)[::-1].transpose(2, 0, 1)


def png(name, codes):
    """codes [y, x, channel] of 8 or 16 bits"""
    h, w, c = codes.shape
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[c]
    rows = b"".join(b"\0" + row.astype(codes.dtype.newbyteorder(">")).tobytes() for row in codes)

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", w, h, 8 * codes.itemsize, kind, 0, 0, 0)
    open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def read_png(name):
    data, at, idat = open(name, "rb").read(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            w, h, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            idat += data[at + 8:at + 8 + size]
        at += 12 + size
    c, size = {0: 1, 4: 2, 2: 3, 6: 4}[colour], depth // 8
    raw, line, rows = zlib.decompress(idat), np.zeros(w * c * size, np.uint8), []
    step = c * size
    for y in range(h):
        kind, new = raw[y * (len(line) + 1)], np.frombuffer(raw, np.uint8, len(line), y * (len(line) + 1) + 1).astype(int)
        for x in range(len(line)):
            a, b = (new[x - step] if x >= step else 0), int(line[x])
            d = int(line[x - step]) if x >= step else 0
            p = a + b - d
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - d), 2, d))[2]
            new[x] = (new[x] + (0, a, b, (a + b) // 2, near)[kind]) % 256
        line = new
        rows.append(new.astype(np.uint8))
    return np.array(rows).tobytes() and np.array(rows).view(">u2" if size == 2 else np.uint8).reshape(h, w, c)


def light(codes):
    top = 65535 if codes.itemsize == 2 else 255
    v = codes / top
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def load(name):
    """Numbers as [.., y, x] of any rank; pictures as [channel, y, x]."""
    if name.endswith(".pfm"):
        return read_pfm(name)
    if name.endswith(".png"):
        return light(read_png(name)).transpose(2, 0, 1)
    return np.load(name)


def make():
    r = np.random.default_rng(3)
    pfm("colour.pfm", r.random((3, 23, 31)) ** 6 * 50)
    pfm("grey.pfm", r.random((1, 40, 50)))
    pfm("tall.pfm", r.random((3, 600, 64)) ** 4)
    pfm("kernel3.pfm", r.random((3, 6, 9)))
    png("eight.png", r.integers(0, 256, (20, 30, 3), dtype=np.uint8))
    png("sixteen.png", r.integers(0, 65536, (20, 30, 3), dtype=np.uint16))
    alpha = r.integers(0, 256, (20, 30, 4), dtype=np.uint8)
    alpha[..., 3] |= 128
    png("alpha.png", alpha)
    np.save("identity.npy", np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]], "f4"))
    np.save("odd.npy", r.standard_normal((5, 7)).astype("f4"))
    np.save("even.npy", r.random((6, 4)).astype("f4"))
    np.save("large.npy", r.random((61, 45)).astype("f4"))
    np.save("zero.npy", np.zeros((3, 3), "f4"))
    np.save("balanced.npy", np.array([[-1, 0, 1]], "f4"))
    np.save("nan.npy", np.array([[1, np.nan]], "f4"))
    np.save("volume.npy", r.random((12, 14, 16)))
    np.save("box.npy", r.random((3, 4, 5)))
    np.save("signals.npy", (r.standard_normal((3, 400)) + 1j * r.standard_normal((3, 400))).astype("c8"))
    y, x = np.mgrid[:64, :80]
    scene = sum(a * np.exp(-((x - u) ** 2 + (y - v) ** 2) / (2 * s * s)) for a, u, v, s in
                ((5, 20, 20, 1), (3, 50, 40, 2), (8, 70, 10, 0.8), (1, 40, 30, 15))) + 0.2
    pfm("scene.pfm", scene[None])
    np.save("scene.npy", scene.astype("f4"))
    y, x = np.mgrid[-6:7, -6:7]
    np.save("blur.npy", np.exp(-(x * x + y * y) / 4.5).astype("f4"))
    np.save("taps.npy", (r.standard_normal(33) + 1j * r.standard_normal(33)).astype("c8"))


PAD = {"zero": {"mode": "constant"}, "wrap": {"mode": "wrap"}, "clamp": {"mode": "edge"}, "mirror": {"mode": "symmetric"}}


def convolve(x, h, mode="same", border="zero", centre=None, constant=0, correlate=False):
    """x with h along the last axes, as many as h has: sum_j h[j] x[i + c - j]."""
    rank, shape = h.ndim, x.shape[x.ndim - h.ndim:]
    c = [k // 2 for k in h.shape] if centre is None else centre
    if correlate:  # h reversed and conjugate, about the centre reversed as well
        h, c = np.conj(h[tuple([slice(None, None, -1)] * rank)]), [k - 1 - a for k, a in zip(h.shape, c)]
    low = {"same": [0] * rank, "full": [-a for a in c], "valid": [k - 1 - a for k, a in zip(h.shape, c)]}[mode]
    size = {"same": shape, "full": [n + k - 1 for n, k in zip(shape, h.shape)],
            "valid": [n - k + 1 for n, k in zip(shape, h.shape)]}[mode]
    reach = [k + n if mode == "full" else k for k, n in zip(h.shape, shape)]
    how = {"mode": "constant", "constant_values": constant} if border == "constant" else PAD[border]
    padded = np.pad(x, [(0, 0)] * (x.ndim - rank) + [(r, r) for r in reach], **how)
    y = np.zeros(x.shape[:x.ndim - rank] + tuple(size), np.result_type(x, h, float))
    for j in itertools.product(*[range(k) for k in h.shape]):
        at = [r + l + a - b for r, l, a, b in zip(reach, low, c, j)]
        y += h[j] * padded[(Ellipsis, *[slice(a, a + n) for a, n in zip(at, size)])]
    return y


def direct(out, source, kernel, mode="same", border="zero", *options):
    o = dict(w.split("=") for w in options)
    x, h, y = (load(n).astype(np.result_type(load(n), float)) for n in (source, kernel, out))
    lights = int(o.get("light", 0)) or (len(x) if source.endswith((".pfm", ".png")) else 0)
    picture = lights > 0
    if picture and h.ndim == 2:
        h = h[None].repeat(lights, 0)
    if o.get("normalise") == "channel":
        h = h / h.sum((-2, -1), keepdims=True)
    if o.get("normalise") == "luminance":
        h = h / (h.sum((-2, -1)) @ ([0.2126, 0.7152, 0.0722] if len(h) == 3 else [1.0 / len(h)] * len(h)))
    centre = [int(v) for v in o["centre"].split(",")][::-1] if "centre" in o else None
    rule = dict(mode=mode, border=border, centre=centre, constant=float(o.get("constant", 0)), correlate="correlate" in o)
    t, strength, sharpen = float(o.get("threshold", 0)), float(o.get("strength", 1)), float(o.get("sharpen", 0))
    if not picture:
        expected = convolve(x, h, **rule)
    else:
        lum = np.tensordot([0.2126, 0.7152, 0.0722] if lights == 3 else [1], x[:lights], 1)
        part = np.where(lum > t, 1 - t / np.maximum(lum, 1e-30), 0) if t else np.ones_like(lum)
        bright = x[:lights] * part
        blurred = np.array([convolve(b, k, **rule) for b, k in zip(bright, h)])
        if mode == "same":
            blurred = (1 - sharpen) * blurred + sharpen * bright
            blurred = x[:lights] + strength * (blurred - bright)
        expected = blurred
        y = y[:lights]
    compare(y, expected, 2e-6 if y.dtype.itemsize > 4 or True else 0)


def wiener(out, source, kernel, noise, limit):
    x, h, y = (load(n).astype(float) for n in (source, kernel, out))
    padded = np.pad(x, [(0, 0)] * (x.ndim - 2) + [(0, n) for n in x.shape[-2:]], mode="symmetric")
    spread = np.zeros(padded.shape[-2:])
    for j, i in itertools.product(*[range(k) for k in h.shape]):
        spread[(j - h.shape[0] // 2) % len(spread), (i - h.shape[1] // 2) % spread.shape[1]] += h[j, i] / h.sum()
    blur = np.fft.fft2(spread)
    sharp = np.fft.ifft2(np.fft.fft2(padded) * blur.conj() / (abs(blur) ** 2 + float(noise))).real
    compare(y, sharp[..., :x.shape[-2], :x.shape[-1]], limit)


def bright():
    r = np.random.default_rng(5)
    stars = 1e-3 * (1 + r.random((300, 120)))
    stars[r.integers(0, 300, 40), r.integers(0, 120, 40)] = 1e6
    window = np.zeros((300, 120))
    window[100:150, 30:70] = 1e4
    y, x = np.mgrid[-12:13, -12:13]
    np.save("glare.npy", (1 / (0.3 + np.hypot(x, y)) ** 3).astype("f4"))
    np.save("stars.npy", stars.astype("f4"))
    pfm("stars.pfm", np.array([stars, window, 1 + r.random((300, 120))]))


def relative(out, source, kernel, limit, border):
    x, h, y = (load(n).astype(float) for n in (source, kernel, out))
    x, y = (a if a.ndim == 3 else a[None] for a in (x, y))
    for a, b in zip(x, y):
        scale = convolve(abs(a), abs(h), border=border)
        error = abs(b - convolve(a, h, border=border))
        worst = np.max(np.where(scale > 0, error / np.where(scale > 0, scale, 1), np.where(error > 0, np.inf, 0)))
        if not worst <= float(limit):
            sys.exit(f"{out}: an error of {worst:.3g} of the sum of products, more than {limit}")


def compare(a, b, limit):
    error = np.linalg.norm((a - b).ravel()) / np.linalg.norm(b.ravel())
    if a.shape != b.shape or not error <= float(limit):
        sys.exit(f"shapes {a.shape} {b.shape}, relative difference {error:.3g}, more than {limit}")


what, args = sys.argv[1], sys.argv[2:]
if what == "make":
    make()
elif what == "direct":
    direct(*args)
elif what == "wiener":
    wiener(*args)
elif what == "bright":
    bright()
elif what == "relative":
    relative(*args)
elif what == "same":
    compare(load(args[0]).astype(complex), load(args[1]).astype(complex), args[2])
elif what == "closer":  # A is nearer to TRUTH than FACTOR times B is, all of them
    a, b, truth = (load(n).reshape(64, 80).astype(float) for n in args[:3])
    near, far = (np.linalg.norm(v - truth) for v in (a, b))
    if not near < float(args[3]) * far:
        sys.exit(f"{args[0]} is {near:.3g} from {args[2]}, {args[1]} {far:.3g}")
elif what == "png":
    a, b = read_png(args[0]), read_png(args[1])
    if a.dtype != b.dtype or a.shape != b.shape or (a != b).any():
        sys.exit(f"{args[0]} and {args[1]} differ: {np.abs(a.astype(int) - b).max()} at most")
