# SPDX-License-Identifier: BSD-3-Clause
"""jpeg.py: a bloom by a PSF of one pixel writes the codes that Pillow reads of a JPEG file, turned upright as Pillow turns it."""
import subprocess

import numpy as np
from PIL import Image, ImageOps

random = np.random.default_rng(6)
np.save("one.npy", np.ones((1, 1), "f4"))


def same(what):
    done = subprocess.run(["argand", "bloom", "a.jpg", "b.png", "--psf", "one.npy"], capture_output=True, text=True)
    assert done.returncode == 0, (what, done.stderr)
    a, b = np.array(ImageOps.exif_transpose(Image.open("a.jpg"))).astype(int), np.array(Image.open("b.png")).astype(int)
    assert a.shape == b.shape and np.abs(a - b).max() <= 1, (what, a.shape, b.shape, np.abs(a - b).max())
    return done.stderr


for size in ((1, 1), (16, 16), (61, 47)):
    smooth = np.cumsum(random.integers(-9, 10, size + (3,)), 0) + 128
    for picture in (Image.fromarray(smooth.clip(0, 255).astype("u1")), Image.fromarray(smooth[..., 0].clip(0, 255).astype("u1"))):
        for options in ({}, {"quality": 30}, {"progressive": True}, {"subsampling": 0}, {"subsampling": 1, "restart_marker_blocks": 2},
                        {"optimize": True, "quality": 98}):
            picture.save("a.jpg", **options)
            assert "upright" not in same((size, picture.mode, options))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        picture.save("a.jpg", exif=exif)
        assert ("upright" in same((size, orientation))) == (orientation > 1)
