# SPDX-License-Identifier: BSD-3-Clause
"""doubts.py SCAN.h5: copies of a scan whose headers say something else than the samples, one file for each doubt."""

import re
import shutil
import sys

import h5py
import numpy as np


def copy(name, change=None, rows=None, keep=None):
    path = f"{name}.h5"
    shutil.copy(sys.argv[1], path)
    with h5py.File(path, "r+") as file:
        text = file["dataset/xml"][0]
        text = text.decode() if isinstance(text, bytes) else text
        if change:
            changed = change(text)
            assert changed != text, name
            file["dataset/xml"][0] = changed
        if keep:
            table = file["dataset/data"][...]
            table = table[keep(table["head"])]
            table["head"]["trajectory_dimensions"] = 0  # k is counted from the header's centre
            for i in range(len(table)):
                table["traj"][i] = np.zeros(0, "f4")
            del file["dataset/data"]
            file["dataset/data"] = table
        if rows:
            table = file["dataset/data"][...]
            rows(table["head"])
            file["dataset/data"][...] = table


def metres(text):
    return re.sub("<fieldOfView_mm>.*?</fieldOfView_mm>", lambda m: re.sub(r">([0-9.]+)<", lambda n: f">{float(n[1]) / 1000:g}<", m[0]), text, flags=re.S)


def enlarged(text):
    return re.sub("(<reconSpace>.*?<matrixSize>).*?(</matrixSize>)", r"\1<x>48</x><y>40</y><z>1</z>\2", text, flags=re.S)


def bare(text):
    return re.sub("<fieldOfView_mm>.*?</fieldOfView_mm>", "", re.sub("<reconSpace>.*?</reconSpace>", "", text, flags=re.S), flags=re.S)


def none(head):
    for name in ("read_dir", "phase_dir", "slice_dir"):
        head[name][:] = 0


def longer(head):
    head["phase_dir"][:] *= 2


def nowhere(head):
    head["position"][:, 1] = float("nan")


def centre(text):
    return re.sub("(<kspace_encoding_step_1>.*?<center>)16<", r"\g<1>22<", text, flags=re.S)


copy("metres", metres)
copy("partial", keep=lambda head: head["idx"]["kspace_encode_step_1"] >= 8)
copy("centre", centre, keep=lambda head: head["idx"]["kspace_encode_step_1"] >= 8)
copy("enlarged", enlarged)
copy("bare", bare)
copy("none", rows=none)
copy("longer", rows=longer)
copy("nowhere", rows=nowhere)
