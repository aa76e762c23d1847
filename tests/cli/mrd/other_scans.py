# SPDX-License-Identifier: BSD-3-Clause
"""Scans in files that are not ISMRMRD's, written by h5py and struct.
other_scans.py fastmri: knee.h5 (k-space of 2 slices, 4 coils, 64 readout samples twice as dense as the 32 of the image, 40 lines of which 3
at either end are zeros), test.h5 (of it every third line and 10 in the middle, by a mask), single.h5 (one coil), bare.h5 (without a header),
truth.npy (the images by NumPy's FFT, [slice, y, x] as argand sense writes them).
other_scans.py stream SCAN.h5 OUT: the messages of a scan: a configuration, a text, the header, acquisitions, a waveform, an array, an image.
other_scans.py broken STREAM: streams that lie, cut0.mrd ... and others, and what argand must say of each in words.txt."""
import struct
import sys

import numpy as np


def fft(x):
    return np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(x, (-2, -1)), norm="ortho"), (-2, -1))


def header(nx, ny, fov_x, fov_y, crop_x, crop_y):
    def space(name, x, y, fx, fy):
        return (f"<{name}><matrixSize><x>{x}</x><y>{y}</y><z>1</z></matrixSize><fieldOfView_mm><x>{fx}</x><y>{fy}</y><z>3</z>"
                f"</fieldOfView_mm></{name}>")  # fmt: skip

    limits = f"<kspace_encoding_step_1><minimum>0</minimum><maximum>{ny - 7}</maximum><center>{ny // 2 - 3}</center></kspace_encoding_step_1>"
    return ('<?xml version="1.0"?><ismrmrdHeader xmlns="http://www.ismrm.org/ISMRMRD"><experimentalConditions><H1resonanceFrequency_Hz>'
            "123000000</H1resonanceFrequency_Hz></experimentalConditions><encoding>" + space("encodedSpace", nx, ny, fov_x, fov_y)
            + space("reconSpace", crop_x, crop_y, fov_x * crop_x / nx, fov_y * crop_y / ny)
            + f"<encodingLimits>{limits}</encodingLimits><trajectory>cartesian</trajectory></encoding></ismrmrdHeader>")  # fmt: skip


def fastmri():
    import h5py

    height, width, coils = 64, 40, 4
    y, x = np.meshgrid(np.arange(height) - height // 2, np.arange(width) - width // 2, indexing="ij")
    body = [np.exp(-(((y - 2) / 9) ** 4) - ((x + s) / 11) ** 4) * (1 + 0.5 * np.cos(x / 4 + s) * np.sin(y / 3)) for s in (0, 2)]
    at = 2 * np.pi * np.arange(coils) / coils
    maps = np.array([np.exp(-((y / 32 - 0.7 * np.cos(a)) ** 2 + (x / 20 - 0.7 * np.sin(a)) ** 2) + 1j * a) for a in at])
    images = np.array([b * maps for b in body])  # slices, coils, height, width
    kspace = fft(images)
    kspace[..., :3] = kspace[..., -3:] = 0
    seen = np.fft.fftshift(np.fft.ifft2(np.fft.ifftshift(kspace, (-2, -1)), norm="ortho"), (-2, -1))
    rss = np.sqrt((abs(seen) ** 2).sum(1))[:, 16:48]
    lines = np.zeros(width, np.uint8)
    lines[::3] = lines[15:25] = 1
    text = header(height, width, 256, 160, 32, 40)
    write = dict(knee=(kspace, None), test=(kspace * lines, lines), single=(kspace[:, 0], None), bare=(kspace, None), full=(kspace, lines))
    for name, (k, mask) in write.items():
        with h5py.File(name + ".h5", "w") as file:
            file["kspace"] = k.astype("c8")
            if name != "bare":
                file["ismrmrd_header"] = text
            if mask is not None:
                file["mask"] = mask
            if name != "test":
                file["reconstruction_rss"] = (abs(seen[:, 0, 16:48]) if name == "single" else rss).astype("f4")
            file.attrs["acquisition"] = "CORPD_FBK"
    with h5py.File("packed.h5", "w") as file:
        file.create_dataset("kspace", data=kspace, chunks=(1, 1, 64, 40), compression="gzip")  # in double precision
        file["ismrmrd_header"] = np.bytes_(text)
    np.save("truth.npy", rss.transpose(0, 2, 1))


def message(number, *parts):
    return struct.pack("<H", number) + b"".join(parts)


def text(number, words):
    return message(number, struct.pack("<I", len(words)), words)


def packed(head):
    """ISMRMRD's head, 340 bytes without gaps."""
    out = b""
    for name in head.dtype.names:
        out += packed(head[name]) if head[name].dtype.names else np.ascontiguousarray(head[name]).tobytes()
    return out


def acquisitions(path):
    import h5py

    with h5py.File(path) as file:
        for row in file["dataset/data"]:
            yield packed(row["head"]), row["traj"].astype("<f4").tobytes(), row["data"].astype("<f4").tobytes()
        yield file["dataset/xml"][0]


def stream(path, out):
    *rows, xml = acquisitions(path)
    assert len(rows[0][0]) == 340
    waveform = message(1026, struct.pack("<40x")[:24], struct.pack("<2H", 2, 5), bytes(12), bytes(4 * 10))
    array = message(1030, struct.pack("<3H2Q", 5, 1, 2, 3, 4), bytes(48))
    image = message(1022, struct.pack("<2H12x3H12xH", 1, 5, 4, 3, 2, 1).ljust(198, b"\0"), struct.pack("<Q", 5), b"<a/>\n", bytes(96))
    parts = [message(1, b"default.xml".ljust(1024, b"\0")), text(5, b"hello"), text(3, xml + b"\0")]
    parts += [message(1008, *row) for row in rows[:2]] + [waveform, array, image] + [message(1008, *row) for row in rows[2:]]
    open(out, "wb").write(b"".join(parts) + message(4))


def broken(path):
    whole = open(path, "rb").read()
    start = 2 + 1024 + 2 + 4 + 5  # of the header
    length = struct.unpack("<I", whole[start + 2 : start + 6])[0]
    first = start + 6 + length  # of the first acquisition
    head = whole[first + 2 : first + 342]
    before, made = whole[:first], {}
    made["cut_header"] = whole[: start + 200], "is cut off in its header"
    made["cut_head"] = whole[: first + 100], "is cut off in message 3"
    made["cut_samples"] = whole[: first + 400], "is cut off in message 3"
    made["no_data"] = before + message(4), "no acquisitions"
    made["images"] = before + message(1022, struct.pack("<2H12x3H12xH", 1, 5, 4, 3, 2, 1).ljust(198, b"\0"), bytes(8), bytes(96)) + message(4), "of 1 images and no acquisitions"
    made["twice"] = before + whole[start:first] + whole[first:], "second header"
    made["unknown"] = before + message(999), "999"
    made["huge_array"] = before + message(1030, struct.pack("<3H3Q", 8, 1, 3, 2**62, 2**62, 2**62)), "is cut off in message 3"
    made["huge_attributes"] = before + message(1022, struct.pack("<2H", 1, 5).ljust(198, b"\0"), struct.pack("<Q", 2**64 - 1)), "is cut off in message 3"
    made["huge_head"] = before + message(1008, head[:34] + b"\xff\xff" + head[36:38] + b"\xff\xff" + head[40:]) + bytes(50), "is cut off in message 3"
    made["late_header"] = whole[: start - 11] + whole[first : first + 342 + 8 * 10] + whole[start:], "is not a scan that Argand reads"
    for name, (data, words) in made.items():
        open(name + ".mrd", "wb").write(data)
        open(name + ".words", "w").write(words)
    open("open.mrd", "wb").write(whole[:-2])
    open("more.mrd", "wb").write(whole + b"tail")


{"fastmri": fastmri, "stream": stream, "broken": broken}[sys.argv[1]](*sys.argv[2:])
