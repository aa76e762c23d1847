# SPDX-License-Identifier: BSD-3-Clause
"""twix.py write SCAN.h5: the scan as Siemens raw files of software VB, VD, VE and XA (vb.dat, ...) and, with its noise in a measurement of its
own, apart.dat, as the sources of siemens_to_ismrmrd, twixtools and pymapvbvd describe them. Before, the scan is given what such files have:
two-fold readout oversampling, oblique directions.
twix.py readers SCAN.h5: what twixtools and pymapvbvd read of these files is the scan.
twix.py broken FILE.dat: damaged copies, each with the words of its refusal.
"""
import struct
import sys

import numpy as np

QUATERNION = np.array([0.8, 0.2, -0.4, 0.4])  # w, x, y, z
NOISE, CALIBRATION, BOTH, REVERSE, NAVIGATOR, CORRECTION = (1 << n for n in (18, 19, 20, 21, 22, 23))
LEAST_HEADER = 10240  # readers take less for a number of VD's table
MASK = {NOISE: 25, CALIBRATION: 22, BOTH: 23, REVERSE: 24, NAVIGATOR: 1, CORRECTION: 21}


def directions(q):
    """phase, read, slice"""
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]).T  # fmt: skip


def element(xml, path):
    for name in path.split("/"):
        at = xml.index(f"<{name}>") + len(name) + 2
        xml = xml[at : xml.index(f"</{name}>", at)]
    return xml


def space(xml, name):
    inside = element(xml, name)
    return [[float(element(inside, f"{kind}/{axis}")) for axis in "xyz"] for kind in ("matrixSize", "fieldOfView_mm")]


def prepare(path):
    import h5py

    with h5py.File(path, "a") as file:
        xml, rows = file["dataset/xml"][0].decode(), file["dataset/data"][...]
        (nx, ny, nz), (fx, fy, fz) = space(xml, "encodedSpace")
        half = f"<reconSpace><matrixSize><x>{nx / 2:.0f}</x><y>{ny:.0f}</y><z>{nz:.0f}</z></matrixSize>"
        half += f"<fieldOfView_mm><x>{fx / 2}</x><y>{fy}</y><z>{fz}</z></fieldOfView_mm></reconSpace>"
        xml = xml.replace(f"<reconSpace>{element(xml, 'reconSpace')}</reconSpace>", half)
        file["dataset/xml"][0] = xml
        phase, read, slices = directions(QUATERNION)
        for row in rows:
            head = row["head"]
            head["phase_dir"], head["read_dir"], head["slice_dir"] = phase, read, slices
            head["position"] = np.array([3, -5, 7]) + slices * 6 * head["idx"]["slice"]
            head["user_int"] = np.arange(10, 18)
            head["measurement_uid"] = 17
        file["dataset/data"][...] = rows


# ---- the header of a measurement


def parameter(kind, name, value):
    word = {"Long": f"{value}", "Double": f"<Precision> 6  {value}", "String": f'"{value}"'}[kind]
    return f'    <Param{kind}."{name}">\n    {{\n      {word}\n    }}\n'


def protocol(xml, software, name, channels, dwell, trapezoid):
    (nx, ny, nz), (fx, fy, fz) = space(xml, "encodedSpace")
    factor = 2 if nx / space(xml, "reconSpace")[0][0] > 1.5 else 1
    old = software.startswith("VB")
    yaps = {"tProtocolName": f'"{name}"' if not old else f'""{name}""', "lContrasts": 1, "ucSequenceType": "0x1" if old else 1,
            "sRXSPEC.alDwellTime[0]": round(dwell * 1000), "alTR[0]": 12000, "alTE[0]": 4600, "adFlipAngleDegree[0]": 15.0,
            "sSliceArray.asSlice[0].dThickness": fz, "sSliceArray.asSlice[0].dPhaseFOV": fy,
            "sSliceArray.asSlice[0].dReadoutFOV": fx / factor, "sSliceArray.lSize": 1,
            "sKSpace.lBaseResolution": round(nx / factor), "sKSpace.lPhaseEncodingLines": round(ny), "sKSpace.lPartitions": round(nz),
            "sKSpace.lImagesPerSlab": round(nz), "sKSpace.ucDimension": ("0x%d" if old else "%d") % (4 if nz > 1 else 2),
            "sKSpace.ucTrajectory": "0x1" if old else 1, "sPat.lAccelFactPE": 1, "sPat.ucRefScanMode": "0x2" if old else 2}  # fmt: skip
    for i in range(channels):
        coil = ("asCoilSelectMeas[0]" if old else "sCoilSelectMeas.aRxCoilSelectData[0]") + f".asList[{i}]."
        yaps[coil + "sCoilElementID.tCoilID"] = '""Head""' if old else '"Head"'
        yaps[coil + "sCoilElementID.tElement"] = f'""H{i}""' if old else f'"H{i}"'
        yaps[coil + "lElementSelected"] = 1
        yaps[coil + "lADCChannelConnected"] = i + 1
    ascconv = "### ASCCONV BEGIN ###\n" + "".join(f"{key}\t = \t{value}\n" for key, value in yaps.items()) + "### ASCCONV END ###\n"
    values = [("Long", "iNoOfFourierColumns", round(nx)), ("Long", "iPEFTLength", round(ny)), ("Long", "i3DFTLength", round(nz)),
              ("Double", "flReadoutOSFactor", f"{factor}.000000"), ("Double", "flMagneticFieldStrength", "2.893620"),
              ("String", "tPatientPosition", "HFS"), ("Long", "lEchoSpacing", "")]  # fmt: skip
    values += [("Long", key, f"{value} 0") for key, value in trapezoid.items()]
    meas = '<XProtocol>\n{\n  <ParamMap."">\n  {\n  <ParamMap."MEAS">\n  {\n' + parameter("Long", "iPEFTLength", "") + "  }\n"
    meas += '  <ParamMap."YAPS">\n  {\n' + "".join(parameter(*v) for v in values) + "  }\n  }\n}\n"
    dicom = '<XProtocol>\n{\n  <ParamMap."">\n  {\n  <ParamMap."DICOM">\n  {\n'
    dicom += parameter("String", "SoftwareVersions", software) + parameter("Long", "lFrequency", 123200000) + "  }\n  }\n}\n"
    meas = meas.replace("  }\n}\n", parameter("String", "SoftwareVersions", software) + parameter("String", "Manufacturer", "SIEMENS") + "  }\n}\n")
    empty = '<XProtocol>\n{\n  <ParamMap."">\n  {\n  }\n}\n'
    return {"Config": empty, "Dicom": dicom, "Meas": meas, "MeasYaps": ascconv, "Phoenix": empty + ascconv, "Spice": empty}


def texts(made):
    parts = b"".join(n.encode() + b"\0" + struct.pack("<I", len(t) + 1) + t.encode() + b"\0" for n, t in made.items())
    length = max(-(-(8 + len(parts)) // 32) * 32, LEAST_HEADER)
    return struct.pack("<2I", length, len(made)) + parts.ljust(length - 8, b"\0")


# ---- its lines


def mdh(head, limits, old, counter, mask, bytes_of_line, channel):
    idx = head["idx"]
    names = "kspace_encode_step_1 average slice kspace_encode_step_2 contrast phase repetition set segment".split()
    counters = [int(idx[n]) for n in names] + [int(u) for u in idx["user"][:5]]
    ice = [int(v) & 0xFFFF for v in head["user_int"][:7]] + [0] + [int(v) for v in head["user_float"]]
    place = [float(v) for v in head["position"]] + [float(v) for v in QUATERNION]
    out = struct.pack("<IiIII", bytes_of_line, int(head["measurement_uid"]), counter, int(head["acquisition_time_stamp"]), 9)
    if not old:
        out += struct.pack("<HHiiiI", 0, 0, 1, 2, 3, 0)
    out += struct.pack("<Q2H14H", mask, int(head["number_of_samples"]), int(head["active_channels"]), *counters)
    out += struct.pack("<4HfI2H", int(head["discard_pre"]), int(head["discard_post"]), int(head["center_sample"]), 0, 0.0,
                       int(head["user_int"][7]), *limits)  # fmt: skip
    if old:
        return out + struct.pack("<8H7f2H", *ice[:8], *place, channel, 0)
    return out + struct.pack("<7f24H4HHHI", *place, *ice, *[0] * 8, *[0] * 4, 0, 0, 0)


def line(row, limits, old, counter):
    head, samples = row["head"], int(row["head"]["number_of_samples"])
    flags, channels = int(head["flags"]), int(head["active_channels"])
    mask = 1 << 3
    for flag, bit in MASK.items():
        mask |= (1 << bit) if flags & flag else 0
    data = np.asarray(row["data"], "<f4").reshape(channels, 2 * samples)
    if old:
        size = channels * (128 + 8 * samples)
        return b"".join(mdh(head, limits, old, counter, mask, size, c) + data[c].tobytes() for c in range(channels))
    size = 192 + channels * (32 + 8 * samples)
    out = mdh(head, limits, old, counter, mask, size, 0)
    for c in range(channels):
        part = (32 + 8 * samples) << 8 | 2
        out += struct.pack("<IiIIIIHHI", part, int(head["measurement_uid"]), counter, 0, 0, 0, c, 0, 0) + data[c].tobytes()
    return out


def block(old, bit, size):
    """A block without samples: an MDH with one bit, and zeros."""
    head = 128 if old else 192
    at = 20 if old else 40
    out = bytearray(head)
    struct.pack_into("<I", out, 0, size)
    struct.pack_into("<Q", out, at, 1 << bit)
    return bytes(out).ljust(size, b"\0")


def limits_of(xml):
    inside = element(xml, "encodingLimits")
    return [int(element(inside, f"kspace_encoding_step_{i}/center")) for i in (1, 2)]


def measurement(xml, rows, software, name, trapezoid=None, sync=False):
    old = software.startswith("VB")
    limits = limits_of(xml)
    image = [r for r in rows if not int(r["head"]["flags"]) & NOISE] or list(rows)
    made = protocol(xml, software, name, int(image[0]["head"]["active_channels"]), float(image[0]["head"]["sample_time_us"]), trapezoid or {})
    lines = [line(row, limits, old, i + 1) for i, row in enumerate(rows)]
    if sync:
        lines[1:1] = [block(old, 5, 480)]
    return texts(made) + b"".join(lines) + block(old, 0, 256 if old else 352)


def table(measurements, at=10240):
    """VD and later: the head, then each measurement at a multiple of 512 bytes."""
    entries, body = b"", b""
    for i, m in enumerate(measurements):
        entries += struct.pack("<IIQQ64s64s", 17 + i, 100 + i, at + len(body), len(m), b"xxx", b"name")
        body += m.ljust(-(-len(m) // 512) * 512, b"\0")
    return (struct.pack("<II", 0, len(measurements)) + entries).ljust(at, b"\0") + body


def rows_of(path):
    import h5py

    with h5py.File(path) as file:
        return file["dataset/data"][...], file["dataset/xml"][0].decode()


SOFTWARE = {"vb": "VB17", "vd": "syngo MR D13", "ve": "syngo MR E11", "xa": "syngo MR XA30"}


def write(path):
    prepare(path)
    rows, xml = rows_of(path)
    noise = [r for r in rows if int(r["head"]["flags"]) & NOISE]
    image = [r for r in rows if not int(r["head"]["flags"]) & NOISE]
    files = {"vb": measurement(xml, [*noise, *image], SOFTWARE["vb"], "scan", sync=True)}
    for kind in ("vd", "ve", "xa"):
        files[kind] = table([measurement(xml, [*noise, *image], SOFTWARE[kind], "scan", sync=True)])
    first = measurement(xml, noise, SOFTWARE["ve"], "AdjCoilSens")
    files["apart"] = table([first, measurement(xml, image, SOFTWARE["ve"], "scan")])
    for name, data in files.items():
        with open(name + ".dat", "wb") as file:
            file.write(data)


# ---- readers that others wrote


def readers(path):
    rows, xml = rows_of(path)
    for name in [*SOFTWARE, "apart"]:
        read(name + ".dat", rows, xml)


def read(dat, rows, xml):
    import mapvbvd
    import twixtools

    expected = [r for r in rows if not int(r["head"]["flags"]) & NOISE]
    last = twixtools.read_twix(dat, parse_pmu=False, parse_geometry=False, verbose=False)[-1]
    lines = [m for m in last["mdb"] if not m.is_flag_set("SYNCDATA") and not m.is_flag_set("NOISEADJSCAN")]
    assert len(lines) == len(expected), (len(lines), len(expected))
    for m, row in zip(lines, expected):
        head = row["head"]
        data = np.asarray(row["data"], "f4").view("c8").reshape(int(head["active_channels"]), -1)
        assert (m.data == data).all()
        assert (m.cLin, m.cPar, m.cSlc) == tuple(int(head["idx"][n]) for n in ("kspace_encode_step_1", "kspace_encode_step_2", "slice"))
        assert m.mdh.CenterCol == head["center_sample"] and [m.mdh.CenterLin, m.mdh.CenterPar] == limits_of(xml)
        place = m.mdh.SliceData
        assert np.allclose([place.SlicePos.Sag, place.SlicePos.Cor, place.SlicePos.Tra], head["position"])
        assert np.allclose(list(place.Quaternion), QUATERNION)
        if not dat.startswith("vb"):
            assert list(m.mdh.IceProgramPara)[:7] == [int(v) for v in head["user_int"][:7]]
    assert int(last["hdr"]["MeasYaps"]["sKSpace"]["lBaseResolution"]) == round(space(xml, "encodedSpace")[0][0] / 2)
    other = mapvbvd.mapVBVD(dat, quiet=True)
    other = other[-1] if isinstance(other, list) else other
    other.image.flagRemoveOS = False
    k = other.image.unsorted()  # columns, channels, lines
    assert (np.moveaxis(k, 1, 0) == np.stack([np.asarray(r["data"], "f4").view("c8").reshape(k.shape[1], -1) for r in expected], 2)).all()


# ---- damaged files


def broken(dat):
    whole = open(dat, "rb").read()
    old = whole[:4] != b"\0\0\0\0"
    at = 0 if old else struct.unpack("<Q", whole[16:24])[0]
    length = struct.unpack("<I", whole[at : at + 4])[0]
    first = at + length
    counts = first + (28 if old else 48)  # samples, channels
    made = {}

    def put(name, words, place, form, *values):
        data = bytearray(whole)
        struct.pack_into(form, data, place, *values)
        made[name] = bytes(data), words

    put("header_length", "measurement 1: its header has 4294967295 bytes", at, "<I", 0xFFFFFFFF) if not old else None
    put("header_long", "cut off in the header of measurement 1", at, "<I", min(60 << 20, (1 << 26) - 1))
    put("texts", "its header has 9999 texts", at + 4, "<I", 9999)
    put("text_length", 'text "Config" of its header has 4294967295 bytes', at + 8 + 7, "<I", 0xFFFFFFFF)
    put("samples", "has 0 samples (ushSamplesInScan)", counts, "<H", 0)
    put("channels", "0 channels (ushUsedChannels)", counts + 2, "<H", 0)
    made["cut_header"] = whole[: at + 400], "is cut off in the header of measurement 1"
    made["cut_early"] = whole[: first + 150], "has no whole line"
    if not old:
        put("count", "its table says 65 measurements (count_)", 4, "<I", 65)
        put("offset", "begins at byte 1099511627776 (off_ of the table)", 16, "<Q", 1 << 40)
        put("dma", "has 1 bytes (ulDMALength)", first, "<I", 1)
        put("more_samples", "(ushSamplesInScan)", counts, "<H", 65535)
    for name, (data, words) in made.items():
        open(name + ".dat", "wb").write(data)
        open(name + ".words", "w").write(words)
    open("interrupted.dat", "wb").write(whole[: first + (len(whole) - first) * 2 // 3])


if __name__ == "__main__":
    {"write": write, "readers": readers, "broken": broken}[sys.argv[1]](sys.argv[2])
