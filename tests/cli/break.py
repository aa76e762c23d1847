# SPDX-License-Identifier: BSD-3-Clause
"""break.py WHOLE.h5 FOLDER: copies of a whole scan, each with one thing wrong."""
import shutil
import sys

import h5py
import numpy as np

whole, folder = sys.argv[1:]


def broken(name):
    """Decorator: runs the function on the opened copy FOLDER/name.h5."""
    def run(change):
        path = f"{folder}/{name}.h5"
        shutil.copy(whole, path)
        with h5py.File(path, "r+") as file:
            change(file["dataset"])
    return run


def edit_row(dataset, index, **fields):
    """Writes one acquisition back with other values; fields of the head are given as a function of the head."""
    row = dataset[index]
    for field, change in fields.items():
        change(row[field])
    dataset[index] = row


def resized(group, rows):
    """The acquisitions replaced by these rows."""
    kind = group["data"].dtype
    del group["data"]
    data = group.create_dataset("data", shape=(len(rows),), maxshape=(None,), chunks=(1,), dtype=kind)
    for index, row in enumerate(rows):
        data[index] = row


@broken("no_acquisitions")
def _(group):
    resized(group, [])


@broken("no_data")
def _(group):
    del group["data"]


@broken("no_header")
def _(group):
    del group["xml"]


@broken("header_cut")
def _(group):
    text = group["xml"][0]
    group["xml"][0] = text[: len(text) // 2]


@broken("nan_sample")
def _(group):
    edit_row(group["data"], 0, data=lambda values: values.__setitem__(20, np.nan))


@broken("infinite_trajectory")
def _(group):
    edit_row(group["data"], 0, traj=lambda values: values.__setitem__(0, np.inf))


@broken("trajectory_far")
def _(group):
    edit_row(group["data"], 0, traj=lambda values: values.__setitem__(0, 1e6))


@broken("only_noise")
def _(group):
    for index in range(len(group["data"])):
        edit_row(group["data"], index, head=lambda head: head.__setitem__("flags", 1 << 18))


@broken("zero_coils")
def _(group):
    for index in range(len(group["data"])):
        edit_row(group["data"], index, head=lambda head: head.__setitem__("active_channels", 0))


@broken("samples_lie")
def _(group):
    """more samples in the head than there are numbers"""
    edit_row(group["data"], 0, head=lambda head: head.__setitem__("number_of_samples", 60000))


@broken("field_map_other_size")
def _(group):
    if "FieldMap" in group:
        del group["FieldMap"]
    group.create_dataset("FieldMap", data=np.zeros((1, 1, 17, 13), np.float32))


@broken("field_map_nan")
def _(group):
    group["FieldMap"][...] = np.nan


@broken("spike")
def _(group):
    def change(data):
        data[100] = 3e30
    edit_row(group["data"], 0, data=change)


@broken("terminal")
def _(group):
    """Names and words that would steer a terminal."""
    text = group["xml"][0].decode().replace(
        "</acquisitionSystemInformation>", "<systemVendor>\u009b2J\u202eevil</systemVendor></acquisitionSystemInformation>")
    group["xml"][0] = text.encode()
    group["\x1b]0;title\x07\x1b[31m"] = np.zeros((1, 4, 4), "f4")
    group["AllNan"] = np.full((1, 4, 4), np.nan, "f4")


@broken("elsewhere")
def _(group):
    """Numbers that lie in another file."""
    del group["Mask"]
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_external(b"/etc/passwd", 0, 64)
    h5py.h5d.create(group.id, b"Mask", h5py.h5t.NATIVE_UINT8, h5py.h5s.create_simple((1, 64)), properties)
