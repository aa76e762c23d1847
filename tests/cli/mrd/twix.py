# SPDX-License-Identifier: BSD-3-Clause
"""twix.py write SCAN.h5: the scan as Siemens raw files of software VB, VD, VE and XA (vb.dat, ...) and, with its noise in a measurement of its
own, apart.dat, as the sources of siemens_to_ismrmrd, twixtools and pymapvbvd describe them. Before, the scan is given what such files have:
two-fold readout oversampling, oblique directions.
twix.py kinds SCAN.h5: a 3-D scan with partial Fourier and lines of all purposes, in kinds.h5, kinds_vb.dat and kinds_ve.dat; with its oversampling
removed, removed.h5 and removed.dat; its noise from other channels in another order, coils.dat, and of unknown coils, strange.dat.
twix.py epi SCAN.h5: a scan of epi_ramps.py as epi.dat.
twix.py plain SCAN.h5: a scan called EPI, its references a gradient echo, plain.dat, or EPI, too, train.dat.
twix.py positions A.h5 DIGITS: of reference and other lines, kx is whole (1) or on ramps (0).
twix.py same A.h5 B.h5: both have the same acquisitions, in any order.
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


def trapezoid_of(xml):
    """The readout of EPI, if the header describes one."""
    names = {"rampUpTime": "RampupTime", "rampDownTime": "RampdownTime", "flatTopTime": "FlattopTime", "acqDelayTime": "DelaySamplesTime"}
    if "rampUpTime" not in xml:
        return []
    value = {n: float(xml.split(f"<name>{n}</name><value>")[1].split("<")[0]) for n in [*names, "numSamples", "dwellTime"]}
    whole = [("Long", "alRegrid" + names[n], f"{value[n]:.0f} 0") for n in names]
    return [*whole, ("Double", "aflRegridADCDuration", f"{value['numSamples'] * value['dwellTime']:.6f} 0.000000")]


def protocol(xml, software, name, coils, dwell):
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
    for i, element_name in enumerate(coils):
        coil = ("asCoilSelectMeas[0]" if old else "sCoilSelectMeas.aRxCoilSelectData[0]") + f".asList[{i}]."
        yaps[coil + "sCoilElementID.tCoilID"] = '""Head""' if old else '"Head"'
        yaps[coil + "sCoilElementID.tElement"] = f'""{element_name}""' if old else f'"{element_name}"'
        yaps[coil + "lElementSelected"] = 1
        yaps[coil + "lADCChannelConnected"] = i + 1
    ascconv = "### ASCCONV BEGIN ###\n" + "".join(f"{key}\t = \t{value}\n" for key, value in yaps.items()) + "### ASCCONV END ###\n"
    values = [("Long", "iNoOfFourierColumns", round(nx)), ("Long", "iPEFTLength", round(ny)), ("Long", "i3DFTLength", round(nz)),
              ("Double", "flReadoutOSFactor", f"{factor}.000000"), ("Double", "flMagneticFieldStrength", "2.893620"),
              ("String", "tPatientPosition", "HFS"), ("Long", "lEchoSpacing", "")]  # fmt: skip
    values += trapezoid_of(xml)
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


def measurement(xml, rows, software, name, sync=False, coils=None):
    old = software.startswith("VB")
    limits = limits_of(xml)
    image = [r for r in rows if not int(r["head"]["flags"]) & NOISE] or list(rows)
    coils = coils or [f"H{i}" for i in range(int(image[0]["head"]["active_channels"]))]
    made = protocol(xml, software, name, coils, float(image[0]["head"]["sample_time_us"]))
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
        put(name + ".dat", data)


def put(name, data):
    with open(name, "wb") as file:
        file.write(data)


def put_rows(path, like, rows, xml):
    import h5py

    with h5py.File(path, "w") as file, h5py.File(like) as source:
        kind = source["dataset/data"].dtype
        table = file.create_dataset("dataset/data", (len(rows),), kind, maxshape=(None,), chunks=(1,))
        for i, row in enumerate(rows):
            table[i] = row
        file.create_dataset("dataset/xml", (1,), h5py.string_dtype())[0] = xml


def with_flags(row, flags, step=None):
    new = row.copy()
    new["head"]["flags"] |= flags
    if step is not None:
        new["head"]["idx"]["kspace_encode_step_1"] = step
    return new


def kinds(path):
    prepare(path)
    rows, xml = rows_of(path)
    noise = [r for r in rows if int(r["head"]["flags"]) & NOISE]
    image = [r for r in rows if not int(r["head"]["flags"]) & NOISE]
    step = [int(r["head"]["idx"]["kspace_encode_step_1"]) for r in image]
    middle = image[len(image) // 2]
    lines = [with_flags(r, BOTH if 8 <= s < 12 else 0) for r, s in zip(image, step) if s >= 4]
    lines[2:2] = [with_flags(middle, CORRECTION | REVERSE), with_flags(middle, NAVIGATOR), with_flags(middle, CALIBRATION, 3)]
    lines[5] = with_flags(lines[5], REVERSE)
    for i, row in enumerate(noise + lines):
        row["head"]["user_int"][0] = i
    put_rows("kinds.h5", path, noise + lines, xml)
    for i, row in enumerate(lines):  # reference lines of EPI are feedback, too
        if int(row["head"]["flags"]) & CORRECTION:
            lines[i] = with_flags(row, NAVIGATOR)
    put("kinds_vb.dat", measurement(xml, noise + lines, SOFTWARE["vb"], "scan"))
    put("kinds_ve.dat", table([measurement(xml, noise + lines, SOFTWARE["ve"], "scan")]))
    other_coils(noise, image, xml)
    removed(path, image, xml)


def other_coils(noise, image, xml):
    channels = int(image[0]["head"]["active_channels"])
    names = [f"H{i}" for i in range(channels)]
    order = [*range(channels - 1, 0, -1), None, 0]
    mixed = []
    for row in noise:
        data = np.asarray(row["data"]).reshape(channels, -1)
        row = row.copy()
        row["data"] = np.concatenate([np.ones_like(data[0]) if c is None else data[c] for c in order])
        row["head"]["active_channels"] = channels + 1
        mixed.append(row)
    scan = measurement(xml, image, SOFTWARE["ve"], "scan")
    for file, body in (("coils", names), ("strange", ["B"] * channels)):
        elements = ["other" if c is None else body[c] for c in order]
        put(file + ".dat", table([measurement(xml, mixed, SOFTWARE["ve"], "AdjCoilSens", coils=elements), scan]))


def removed(path, image, xml):
    half = []
    for row in image:
        head, row = row["head"].copy(), row.copy()
        samples = int(head["number_of_samples"])
        row["data"] = np.asarray(row["data"]).view("c8").reshape(-1, samples)[:, ::2].copy().view("f4").ravel()
        head["number_of_samples"], head["center_sample"], head["sample_time_us"] = samples // 2, int(head["center_sample"]) // 2, 10
        head["trajectory_dimensions"], row["traj"] = 0, np.zeros(0, "f4")
        row["head"] = head
        half.append(row)
    put("removed.dat", table([measurement(xml, half, SOFTWARE["xa"], "scan")]))
    inside = element(xml, "encodedSpace")
    put_rows("removed.h5", path, half, xml.replace(f"<encodedSpace>{inside}</encodedSpace>", f"<encodedSpace>{element(xml, 'reconSpace')}</encodedSpace>"))


def plain(path):
    """EPI, by its header, with reference lines of a gradient echo."""
    rows, xml = rows_of(path)
    lines = [with_flags(r, REVERSE if i % 2 else 0) for i, r in enumerate(r for r in rows if not int(r["head"]["flags"]) & NOISE)]
    samples = int(lines[0]["head"]["number_of_samples"])
    ramps = {"rampUpTime": 100, "rampDownTime": 100, "flatTopTime": 200, "acqDelayTime": 40, "numSamples": samples, "dwellTime": 320 / samples}
    xml += "".join(f"<name>{name}</name><value>{value}</value>" for name, value in ramps.items())
    for reversed_reference in (False, True):
        references = [with_flags(r, CALIBRATION | (REVERSE if reversed_reference and i % 2 else 0)) for i, r in enumerate(lines[8:12:2])]
        for i, row in enumerate(references + lines):
            row["head"]["user_int"][0] = i
        put(("train" if reversed_reference else "plain") + ".dat", table([measurement(xml, references + lines, SOFTWARE["ve"], "scan")]))


def positions(path, expected):
    """kx of the reference lines and of the other lines are whole numbers, or not, as `expected` has two digits."""
    rows, _ = rows_of(path)
    for reference in (True, False):
        chosen = [r for r in rows if bool(int(r["head"]["flags"]) & CALIBRATION) == reference]
        k = np.concatenate([np.asarray(r["traj"]).reshape(int(r["head"]["number_of_samples"]), -1)[:, 0] for r in chosen])
        assert len(chosen) and (k == np.round(k)).all() == bool(int(expected[not reference])), (reference, k[:5])


def epi(path):
    rows, xml = rows_of(path)
    put("epi.dat", table([measurement(xml, rows, SOFTWARE["ve"], "scan")]))


def same(path, other):
    a, b = ({int(r["head"]["user_int"][0]): r for r in rows_of(p)[0]} for p in (path, other))
    assert a.keys() == b.keys() and len(a) > 10, (len(a), len(b))
    for key, x in a.items():
        y = b[key]
        assert np.array_equal(x["data"], y["data"]), key
        for name in ("flags", "number_of_samples", "active_channels"):
            assert x["head"][name] == y["head"][name], (key, name, x["head"][name], y["head"][name])
        back = bool(int(x["head"]["flags"]) & REVERSE)  # k of lines to and fro has the same centre
        assert int(x["head"]["center_sample"]) == int(y["head"]["center_sample"]) - back, key
        for name, sign in {"position": 1, "read_dir": -1, "phase_dir": -1, "slice_dir": -1, "user_int": 1}.items():
            assert np.allclose(x["head"][name], sign * y["head"][name], atol=1e-6), (key, name)  # images run against the directions
        for name in "kspace_encode_step_1 kspace_encode_step_2 average slice contrast phase repetition set segment".split():
            assert x["head"]["idx"][name] == y["head"]["idx"][name], (key, name)


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
    if old:
        made["protocol"] = texts({"MeasYaps": "x" * (9 << 20)}), "the protocol of its header has 9437185 bytes"
        made["tree"] = texts({"MeasYaps": "x", "Meas": "x" * (9 << 20)}), "the protocol of its header has 9437185 bytes"
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
    commands = {"write": write, "kinds": kinds, "epi": epi, "plain": plain, "positions": positions, "same": same, "readers": readers, "broken": broken}
    commands[sys.argv[1]](*sys.argv[2:])
