# SPDX-License-Identifier: BSD-3-Clause
"""twix_pulseq.py write SCAN.h5: the scan as played.dat, the raw file of a scanner that played a Pulseq sequence. The protocol is that of the user
interface: half the matrix, one partition with a transform of two points along z, no centre of k-space; lines are counted one after the other and
have the bit of raw data correction. long.dat: the same, but the protocol's matrix is that of the lines and k-space has one long readout.
twix_pulseq.py axes A.nii B.nii: x and y of A run against those of B, and the centres are the same."""
import struct
import sys

import numpy as np
import twix

RAW_DATA_CORRECTION = 1 << 10


def played(xml, rows, lines):
    made = twix.protocol(xml, twix.SOFTWARE["xa"], "pulseq", [], 10)
    for text, changes in (("MeasYaps", {"lBaseResolution": 16, "lPhaseEncodingLines": 16, "lPartitions": 1, "ucDimension": 4}), ("Meas", {"i3DFTLength": 2})):
        out = []
        words = made[text].split("\n")
        for i, line in enumerate(words):
            name = next((n for n in changes if n in line), None)
            out.append(f"sKSpace.{name} = {changes[name]}" if name and text == "MeasYaps" else line)
            if text == "Meas" and any(n in words[i - 2] for n in changes if i > 1):
                out[-1] = "      2"
        made[text] = "\n".join(out)
    made["MeasYaps"] = made["MeasYaps"].replace("### ASCCONV END", 'tSequenceFileName = "%CustomerSeq%\\pulseq_main"\n### ASCCONV END')
    made["Meas"] = made["Meas"].replace("2.000000", "1.000000")
    body = b"".join(marked(twix.line(row, [0, 0], False, i + 1)) for i, row in enumerate(lines))
    return twix.table([twix.texts(made) + body + twix.block(False, 0, 352)])


def marked(line):
    out = bytearray(line)
    struct.pack_into("<Q", out, 40, struct.unpack_from("<Q", line, 40)[0] | RAW_DATA_CORRECTION)
    return bytes(out)


def write(path):
    rows, xml = twix.rows_of(path)
    twix.put("played.dat", played(xml, rows, rows))
    head = rows[0]["head"].copy()
    head["number_of_samples"] = 1500
    long = rows[:1].copy()
    long[0]["head"] = head
    long[0]["data"] = np.ones(3000 * int(head["active_channels"]), "f4")
    twix.put("long.dat", played(xml, rows, long))


def axes(path, other):
    (a, n), (b, m) = (place(p) for p in (path, other))
    assert np.allclose(a[:, :2], -b[:, :2]) and np.allclose(a[:, 2], b[:, 2]), (a, b)
    assert np.allclose(a @ [*n // 2, 1], b @ [*m // 2, 1], atol=1e-3) and np.abs(a[:, :2]).max() > 0.1, (a, b)


def place(path):
    with open(path, "rb") as file:
        head = file.read(348)
    return np.array(struct.unpack("<12f", head[280:328])).reshape(3, 4), np.array(struct.unpack("<3h", head[42:48]))


if __name__ == "__main__":
    {"write": write, "axes": axes}[sys.argv[1]](*sys.argv[2:])
