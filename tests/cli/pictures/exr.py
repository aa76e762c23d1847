# SPDX-License-Identifier: BSD-3-Clause
"""exr.py: bloom of OpenEXR files by a PSF of one pixel keeps all channels of all parts and all attributes, as OpenEXR itself reads them.
Every compression, type and storage that OpenEXR writes and the tool reads."""
import subprocess
import sys

import numpy as np
import OpenEXR

random = np.random.default_rng(4)
np.save("one.npy", np.ones((1, 1), "f4"))


def channels(h, w, kind):
    half = {"half": "RGBA", "float": "", "mixed": "GA"}[kind]
    found = {c: (random.random((h, w)) ** 4 * 5).astype("f2" if c in half else "f4") for c in "RGBA"}
    if kind == "mixed":
        found["id"] = random.integers(0, 2**32, (h, w), dtype="u4")
        found["depth.Z"] = random.standard_normal((h, w)).astype("f4")
    return found


def bloom(*options):
    done = subprocess.run(["argand", "bloom", "a.exr", "b.exr", "--psf", "one.npy", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def limit(numbers):
    """Light is computed in single precision and kept as its channel's type."""
    return np.abs(numbers).max() * {"float16": 2e-3, "float32": 2e-6, "uint32": 0}[numbers.dtype.name]


def same(what):
    before, after = (OpenEXR.File(name, separate_channels=True).parts for name in ("a.exr", "b.exr"))
    assert len(before) == len(after), (what, len(after))
    for a, b in zip(before, after):
        assert set(a.channels) == set(b.channels), (what, set(b.channels))
        for name in a.channels:
            x, y = a.channels[name].pixels, b.channels[name].pixels
            assert x.dtype == y.dtype and x.shape == y.shape, (what, name, y.dtype, y.shape)
            error = np.abs(x.astype(float) - y).max()
            assert error <= limit(x), (what, name, error)


def every_kind():
    for way in "NO RLE ZIPS ZIP PIZ PXR24 B44 B44A DWAA DWAB".split():
        for kind in "half float mixed".split():
            for h, w in ((1, 1), (33, 17)):
                for tiled in (False, True):
                    header = {"compression": getattr(OpenEXR, way + "_COMPRESSION"),
                              "type": OpenEXR.tiledimage if tiled else OpenEXR.scanlineimage}
                    if tiled:
                        header["tiles"] = OpenEXR.TileDescription()
                    try:
                        OpenEXR.File(header, channels(h, w, kind)).write("a.exr")
                    except RuntimeError:  # OpenEXR 3.5 does not write tiles of every compression
                        continue
                    bloom()
                    same((way, kind, h, w, tiled))


def attributes():
    header = {"type": OpenEXR.scanlineimage, "owner": "me", "n" * 60: "long", "comments": "x" * 5000, "multiView": ["left", "right"],
              "worldToCamera": np.arange(16, dtype="f4").reshape(4, 4), "preview": OpenEXR.PreviewImage(np.full((4, 4, 4), 7, "u1")),
              "chromaticities": (0.7, 0.3, 0.17, 0.8, 0.13, 0.05, 0.31, 0.33), "keep": 7, "much": 2.5}
    OpenEXR.File(header, channels(6, 7, "mixed")).write("a.exr")
    bloom()
    same("attributes")
    before, after = (OpenEXR.File(name, separate_channels=True).header() for name in ("a.exr", "b.exr"))
    for name in set(before) - {"channels", "preview"}:
        assert str(before[name]) == str(after.get(name)), (name, before[name], after.get(name))
    assert (before["preview"].pixels == after["preview"].pixels).all()


def parts():
    shown = {"displayWindow": (np.array([0, 0], "i4"), np.array([8, 19], "i4"))}  # which all parts share
    line, tile = {"type": OpenEXR.scanlineimage, **shown}, {**shown, "type": OpenEXR.tiledimage, "tiles": OpenEXR.TileDescription()}
    dwa = {"compression": OpenEXR.DWAA_COMPRESSION}
    OpenEXR.File([OpenEXR.Part({**line, **dwa}, channels(20, 9, "half"), "left"), OpenEXR.Part({**tile, **dwa}, channels(20, 9, "float"), "right"),
                  OpenEXR.Part(line, channels(4, 5, "mixed"), "small")]).write("a.exr")
    for option in ((), ("--part", "2"), ("--part", "3")):
        assert "of 3 is read" in bloom(*option)
        same(option)
        assert [p.name() for p in OpenEXR.File("b.exr", separate_channels=True).parts] == ["left", "right", "small"]


for test in every_kind, attributes, parts:
    test()
sys.exit(0)
