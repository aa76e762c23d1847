# SPDX-License-Identifier: BSD-3-Clause
"""Compares shapes that the tool printed with those that NumPy, h5py, a NIfTI header and BART's .hdr have."""

import json
import re
import struct

import h5py
import numpy as np


def nifti_shape(name):
    """The dimensions of a NIfTI-1 header, dim[0] of them from dim[1]."""
    dims = struct.unpack("<8h", open(name, "rb").read(348)[40:56])
    return list(dims[1 : 1 + dims[0]])


def bart_shape(name, rank):
    return [int(d) for d in open(name).read().split("\n")[1].split()][:rank]


shapes = {"npy": list(np.load("m.npy").shape), "nii": nifti_shape("m.nii"), "cfl": bart_shape("m.hdr", 4)}
assert shapes["npy"] == [3, 1, 20, 24], shapes
for kind, shape in shapes.items():
    numbers = ", ".join(map(str, shape))
    text = f"({numbers})" if kind == "npy" else f"{{{numbers}}}"
    order = "last" if kind == "npy" else "first"
    info = open(f"info_{kind}").read()
    assert f"  dimensions    {text}, the {order} one fastest\n" in info, info
    note = open(f"note_{kind}").read()
    assert f"m.{kind}: {text}, complex float\n" in note, note
    said = json.loads(open(f"json_{kind}").read())
    assert said["shape"] == shape and said["dims"] == [24, 20, 1, 3], said

info, said = open("info_h5").read(), json.loads(open("json_h5").read())
with h5py.File("s.h5") as scan:
    for array in said["arrays"]:
        shape = scan["dataset"][array["name"]].shape[1:]
        assert tuple(array["shape"]) == shape and array["dims"] == array["shape"][::-1], array
        assert re.search(rf"\b{array['name']} +{re.escape(str(shape))} ", info), info
assert "shapes end with the fastest axis" in info, info
