# SPDX-License-Identifier: BSD-3-Clause
"""Files of MRD version 2 with the lines of an ISMRMRD file: a writer of its own (the public description of yardl's encoding),
and mrd-python as writer and reader.

two.py write SCAN.h5          two.mrd2 (model 2.1), flat.mrd2 (2.0: no record for the head), late.mrd2 (nanoseconds, other names)
two.py package SCAN.h5        package.mrd2 by mrd-python
two.py broken two.mrd2        damaged files, each with the words that its refusal must contain in NAME.words"""

import json
import struct
import sys
import xml.etree.ElementTree as tree

import numpy as np

NOTHING = None
COUNTERS = "average slice contrast phase repetition set segment".split()
STEPS = {"kspaceEncodeStep1": "kspace_encode_step_1", "kspaceEncodeStep2": "kspace_encode_step_2"}
OPTIONAL = {"scanCounter": "scan_counter", "acquisitionTimeStamp": "acquisition_time_stamp"}
OPTIONAL_LATER = {
    "discardPre": "discard_pre",
    "discardPost": "discard_post",
    "centerSample": "center_sample",
    "encodingSpaceRef": "encoding_space_ref",
}
DIRECTIONS = {
    "position": "position",
    "readDir": "read_dir",
    "phaseDir": "phase_dir",
    "sliceDir": "slice_dir",
    "patientTablePosition": "patient_table_position",
}
THREE = {"array": {"items": "float32", "dimensions": [{"length": 3}]}}


def vector(item):
    return {"vector": {"items": item}}


def record(name, **fields):
    return {"name": name, "fields": [{"name": n, "type": t} for n, t in fields.items()]}


def matrix(item, *names):
    return {"array": {"items": item, "dimensions": [{"name": n} for n in names]}}


# ---- the schema: fields in the order of the model


def head_fields(late):
    whole = [NOTHING, "uint32"]
    stamp = {
        "acquisitionCenterFrequency": [NOTHING, "uint64"],
        "acquisitionTimeStampNs": [NOTHING, "uint64"],
        "physiologyTimeStampNs": vector("uint64"),
    }
    if not late:
        stamp = {"acquisitionTimeStamp": whole, "physiologyTimeStamp": vector("uint32")}
    time = {"sampleTimeNs": [NOTHING, "uint64"]} if late else {"sampleTimeUs": [NOTHING, "float32"]}
    return {
        "flags": "Mrd.AcquisitionFlags", "idx": "Mrd.EncodingCounters", "measurementUid": "uint32", "scanCounter": whole, **stamp,
        "channelOrder": vector("uint32"), **dict.fromkeys(OPTIONAL_LATER, whole), **time, **dict.fromkeys(DIRECTIONS, THREE),
        "userInt": vector("int32"), "userFloat": vector("float32")}  # fmt: skip


def schema(kind):
    late = kind == "late"
    arrays = {
        "data": "Mrd.AcquisitionData",
        **({"phase": matrix("float32", "samples")} if late else {}),
        "trajectory": "Mrd.TrajectoryData",
    }
    own = {"head": "Mrd.AcquisitionHeader", **arrays} if kind != "flat" else {**head_fields(False), **arrays}
    waveform = {"flags": "uint64", "measurementUid": "uint32", "scanCounter": "uint32", "timeStamp": "uint32", "sampleTimeUs": "float32", "waveformId": "uint32",
                "data": {"name": "Mrd.WaveformSamples", "typeArguments": ["T"]}}  # fmt: skip
    image = {"head": record("x", imageType="int32")["fields"][0]["type"], "data": {"name": "Mrd.ImageData", "typeArguments": ["T"]},
             "meta": {"map": {"keys": "string", "values": vector([{"tag": "string", "type": "string"}, {"tag": "int64", "type": "int64"}])}}}  # fmt: skip
    size, view = (
        record("MatrixSizeType", x="uint32", y="uint32", z="uint32"),
        record("FieldOfViewMm", x="float32", y="float32", z="float32"),
    )
    limits = {
        n: [NOTHING, "Mrd.LimitType"]
        for n in ["kspaceEncodingStep0", "kspaceEncodingStep1", "kspaceEncodingStep2", *COUNTERS, *(f"user{i}" for i in range(8))]
    }
    encoding = {"encodedSpace": "Mrd.EncodingSpaceType", "reconSpace": "Mrd.EncodingSpaceType", "encodingLimits": "Mrd.EncodingLimitsType",
                "trajectory": "Mrd.Trajectory", "echoTrainLength": [NOTHING, "int64"]}  # fmt: skip
    header = {"version": [NOTHING, "int64"], "measurementInformation": [NOTHING, "Mrd.MeasurementInformationType"],
              "experimentalConditions": "Mrd.ExperimentalConditionsType", "encoding": vector("Mrd.EncodingType"),
              "sequenceParameters": [NOTHING, "Mrd.SequenceParametersType"]}  # fmt: skip
    flags = [{"symbol": f"bit{i}", "value": 1 << i} for i in range(31)]
    types = [
        {"name": "AcquisitionFlags", "base": "uint64", "values": flags},
        {"name": "AcquisitionData", "type": matrix("complexfloat32", "coils", "samples")},
        {"name": "TrajectoryData", "type": matrix("float32", "basis", "samples")},
        record("EncodingCounters", **dict.fromkeys([*STEPS, *COUNTERS], [NOTHING, "uint32"]), user=vector("uint32")),
        record("AcquisitionHeader", **head_fields(late)), record("Acquisition", **own),
        {**record("Waveform", **waveform), "typeParameters": ["T"]}, {"name": "WaveformSamples", "typeParameters": ["T"], "type": matrix("T", "channels", "samples")},
        {"name": "WaveformUint32", "type": {"name": "Mrd.Waveform", "typeArguments": ["uint32"]}},
        {**record("Image", **image), "typeParameters": ["T"]}, {"name": "ImageData", "typeParameters": ["Y"], "type": matrix("Y", "channel", "z", "y", "x")},
        {"name": "ImageUint16", "type": {"name": "Mrd.Image", "typeArguments": ["uint16"]}},
        {"name": "StreamItem", "type": [{"tag": t[:1].lower() + t[1:] if late else t, "type": f"Mrd.{t}"} for t in ("Acquisition", "WaveformUint32", "ImageUint16")]},
        size, view, record("LimitType", minimum="uint32", maximum="uint32", center="uint32"), record("EncodingLimitsType", **limits),
        record("EncodingSpaceType", matrixSize="Mrd.MatrixSizeType", fieldOfViewMm="Mrd.FieldOfViewMm"),
        {"name": "Trajectory", "values": [{"symbol": s, "value": i} for i, s in enumerate("cartesian epi radial goldenangle spiral other".split())]},
        record("EncodingType", **encoding), record("ExperimentalConditionsType", h1resonanceFrequencyHz="int64"),
        {"name": "PatientPosition", "values": [{"symbol": s, "value": i} for i, s in enumerate("hFP hFS hFDR".split())]},
        record("MeasurementInformationType", seriesDate=[NOTHING, "date"], seriesTime=[NOTHING, "time"], patientPosition="Mrd.PatientPosition",
               protocolName=[NOTHING, "string"]),
        record("SequenceParametersType", tR=vector("float32"), tE=vector("float32"), flipAngleDeg=vector("float32")),
        record("Header", **header)]  # fmt: skip
    steps = [{"name": "header", "type": [NOTHING, "Mrd.Header"]}, {"name": "data", "type": {"stream": {"items": "Mrd.StreamItem"}}}]
    return json.dumps({"protocol": {"name": "Mrd", "sequence": steps}, "types": types}, separators=(",", ":"))


# ---- values


def whole(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def signed(n):
    return whole(2 * n if n >= 0 else -2 * n - 1)


def text(s):
    return whole(len(s.encode())) + s.encode()


def some(value):
    return b"\0" if value is None else b"\1" + value


def numbers(values, kind="<f4"):
    return np.asarray(values, kind).tobytes()


def several(values, put):
    return whole(len(values)) + b"".join(put(v) for v in values)


def number(root, path, otherwise=None):
    found = root.find(".//" + path)
    return otherwise if found is None else float(found.text)


def parse(xml):
    root = tree.fromstring(xml)
    for node in root.iter():
        node.tag = node.tag.split("}")[-1]
    return root


def header(xml):
    """The header's bytes; a name with a character that XML must escape, a date before 1970."""
    root = parse(xml)
    spaces = b"".join(
        whole(int(number(root, f"{s}/matrixSize/x"))) + whole(int(number(root, f"{s}/matrixSize/y"))) + whole(int(number(root, f"{s}/matrixSize/z")))
        + numbers([number(root, f"{s}/fieldOfView_mm/{d}") for d in "xyz"]) for s in ("encodedSpace", "reconSpace"))  # fmt: skip
    names = ["kspace_encoding_step_0", "kspace_encoding_step_1", "kspace_encoding_step_2", *COUNTERS, *(f"user_{i}" for i in range(8))]
    limits = b""
    for name in names:
        at = root.find(f".//encodingLimits/{name}")
        limits += some(None if at is None else b"".join(whole(int(at.find(k).text)) for k in ("minimum", "maximum", "center")))
    kind = "cartesian epi radial goldenangle spiral other".split().index(root.find(".//encoding/trajectory").text)
    encoding = spaces + limits + signed(kind) + some(signed(1))
    echoes = [float(n.text) for n in root.findall(".//sequenceParameters/TE")]
    sequence = whole(1) + numbers([500]) + several(echoes, lambda v: numbers([v])) + whole(0)
    about = some(signed(-1)) + some(signed(3723 * 10**9)) + signed(1) + some(text("T1 <fast> & \xe9"))
    return b"\1" + some(signed(2)) + some(about) + signed(123456789) + whole(1) + encoding + some(sequence)


def acquisition(row, kind):
    head, late = row["head"], kind == "late"
    samples, dims = int(head["number_of_samples"]), int(head["trajectory_dimensions"])
    idx = head["idx"]
    put = whole(int(head["flags"]))
    put += b"".join(some(whole(int(idx[n]))) for n in [*STEPS.values(), *COUNTERS]) + several([int(u) for u in idx["user"]], whole)
    put += whole(int(head["measurement_uid"])) + some(whole(int(head["scan_counter"])))
    scale = 2500000 if late else 1
    put += some(None) if late else b""
    put += some(whole(int(head["acquisition_time_stamp"]) * scale)) + several(
        [int(t) * scale for t in head["physiology_time_stamp"]], whole
    )
    put += several(range(int(head["active_channels"])), whole) + b"".join(some(whole(int(head[n]))) for n in OPTIONAL_LATER.values())
    time = float(head["sample_time_us"])
    put += some(whole(round(time * 1000)) if late else numbers([time])) + b"".join(numbers(head[n]) for n in DIRECTIONS.values())
    put += several([int(v) for v in head["user_int"]], signed) + several(head["user_float"], lambda v: numbers([v]))
    put += whole(int(head["active_channels"])) + whole(samples) + np.asarray(row["data"], "<f4").tobytes()
    put += whole(0) if late else b""
    k = np.asarray(row["traj"], "<f4").reshape(samples, dims) if dims else np.zeros((0, 0), "<f4")
    return put + whole(k.shape[1]) + whole(k.shape[0]) + k.T.tobytes()


def others():
    """A waveform of 2 x 3 numbers, and an image with a map."""
    waveform = (
        b"\1"
        + whole(0)
        + whole(1)
        + whole(2)
        + whole(3)
        + numbers([5])
        + whole(6)
        + whole(2)
        + whole(3)
        + b"".join(whole(70000 + i) for i in range(6))
    )
    meta = whole(1) + text("Name") + whole(2) + b"\0" + text("value") + b"\1" + signed(-7)
    image = b"\2" + signed(1) + b"".join(whole(n) for n in (1, 1, 2, 3)) + b"".join(whole(300 * i) for i in range(6)) + meta
    return [waveform, image]


def stream(xml, rows, kind, block=7):
    items = [b"\0" + acquisition(row, kind) for row in rows]
    items[1:1] = others()
    out = b"yardl" + struct.pack("<I", 1) + text(schema(kind)) + header(xml)
    for i in range(0, len(items), block):
        out += several(items[i : i + block], bytes)
    return out + whole(0)


def put(name, data):
    with open(name, "wb") as file:
        file.write(data)


def rows_of(path):
    import h5py

    with h5py.File(path) as file:
        return file["dataset/data"][...], file["dataset/xml"][0].decode()


def write(path):
    rows, xml = rows_of(path)
    for name, kind in (("two", "nested"), ("flat", "flat"), ("late", "late")):
        put(name + ".mrd2", stream(xml, rows, kind))


# ---- mrd-python


def encoding_space(mrd, root, name):
    size, view = ([number(root, f"{name}/{kind}/{d}") for d in "xyz"] for kind in ("matrixSize", "fieldOfView_mm"))
    return mrd.EncodingSpaceType(
        matrix_size=mrd.MatrixSizeType(**dict(zip("xyz", map(int, size)))), field_of_view_mm=mrd.FieldOfViewMm(**dict(zip("xyz", view)))
    )


def package_header(mrd, xml):
    root = parse(xml)
    limits = mrd.EncodingLimitsType()
    for name in ("kspace_encoding_step_1", "kspace_encoding_step_2", *COUNTERS):
        at = root.find(f".//encodingLimits/{name}")
        if at is not None:
            setattr(limits, name, mrd.LimitType(**{k: int(at.find(k).text) for k in ("minimum", "maximum", "center")}))
    made = mrd.EncodingType(encoding_limits=limits)
    made.encoded_space, made.recon_space = (encoding_space(mrd, root, s) for s in ("encodedSpace", "reconSpace"))
    made.trajectory = mrd.Trajectory[root.find(".//encoding/trajectory").text.upper()]
    header = mrd.Header(encoding=[made])
    header.sequence_parameters = mrd.SequenceParametersType(t_e=[float(n.text) for n in root.findall(".//sequenceParameters/TE")])
    header.measurement_information = mrd.MeasurementInformationType(patient_position=mrd.PatientPosition.H_FS, protocol_name="scan")
    return header


def package_row(mrd, row):
    head, made = row["head"], mrd.Acquisition()
    h = made.head
    h.flags = mrd.AcquisitionFlags(int(head["flags"]))
    for name in ("kspace_encode_step_1", "kspace_encode_step_2", *COUNTERS):
        setattr(h.idx, name, int(head["idx"][name]))
    for name in ("scan_counter", "acquisition_time_stamp", "measurement_uid", *OPTIONAL_LATER.values()):
        setattr(h, name, int(head[name]))
    h.sample_time_us = float(head["sample_time_us"])
    for name in DIRECTIONS.values():
        setattr(h, name, np.asarray(head[name], "f4"))
    h.user_int, h.user_float = [int(v) for v in head["user_int"]], [float(v) for v in head["user_float"]]
    samples, dims = int(head["number_of_samples"]), int(head["trajectory_dimensions"])
    made.data = np.asarray(row["data"], "f4").view("c8").reshape(-1, samples)
    if dims:
        made.trajectory = np.ascontiguousarray(np.asarray(row["traj"], "f4").reshape(samples, dims).T)
    h.channel_order = list(range(made.data.shape[0]))
    return mrd.StreamItem.Acquisition(made)


def package(path):
    import mrd

    rows, xml = rows_of(path)
    with mrd.BinaryMrdWriter("package.mrd2") as file:
        file.write_header(package_header(mrd, xml))
        file.write_data(package_row(mrd, row) for row in rows)


# ---- damaged files


def broken(path):
    data = open(path, "rb").read()
    start = 9 + len(text(schema("nested")))
    length = len(schema("nested"))
    made = {
        "version": (data[:5] + struct.pack("<I", 2) + data[9:], "is in version 2 of yardl's encoding"),
        "schema_long": (data[:9] + whole(1 << 40) + data[12:], "a schema of 1.09951e+06 MB makes no sense"),
        "schema_cut": (data[:500], "is cut off in its schema"),
        "schema_json": (data.replace(b'"protocol"', b'"protocol;', 1), "its schema is not JSON"),
        "schema_type": (data.replace(b'"int64"', b'"int46"'), "a type that Argand does not know (int46)"),
        "protocol": (data.replace(b'"name":"Mrd"', b'"name":"Two"'), 'holds the protocol "Two"'),
        "no_header": (data[:start] + b"\0" + data[start + len(header_of(data, start)) :], "has no header"),
        "cut": (data[: len(data) // 2], "is cut off or damaged"),
        "deep": (b"yardl" + struct.pack("<I", 1) + whole(length) + (b"[" * length) + data[start:], "nested too deep"),
        "images": (data[:start] + header_of(data, start) + whole(1) + others()[1] + whole(0), "1 images and no acquisitions"),
    }
    twice = {"protocol": {"name": "Mrd", "sequence": [{"name": "data", "type": "A"}]}, "types": [record("A", a="A", b="A")]}
    made["endless"] = b"yardl" + struct.pack("<I", 1) + text(json.dumps(twice)) + bytes(64), "is nested too deep"
    for name, (bytes_, words) in made.items():
        put(name + ".mrd2", bytes_)
        put(name + ".words", words.encode())
    put("interrupted.mrd2", data[:-1])


def header_of(data, start):
    """The header of a file: up to the first block, which has 7 items and begins with an acquisition."""
    return data[start : data.index(whole(7) + b"\0" + whole(1 << 18), start)]


if __name__ == "__main__":
    {"write": write, "package": package, "broken": broken}[sys.argv[1]](*sys.argv[2:])
