# SPDX-License-Identifier: BSD-3-Clause
"""Folders of ParaVision with the lines of an ISMRMRD file.

paravision.py write SCAN.h5      whole.h5 (samples as whole numbers) and the same as folders: flash (int32, padded), offset (an offset along phase encoding), rare (int16, big-endian,
                                 echo trains, steps and slices in another order), job (ParaVision 360, echo trains)
paravision.py volume SCAN.h5     whole.h5 and the folders volume (3-D), slab (with offsets) and listed (ParaVision 360, lines in another order)
paravision.py radial SCAN.h5     whole.h5 and the folders radial, with a trajectory, and spiral, with samples that have no points (spiral_long, spiral_none: damaged)
paravision.py epi NAME SHOTS N   the folder NAME: EPI with N samples before the first line of a shot
paravision.py blobs IMAGE.nii    the image is that of epi's object
paravision.py shifted FOLDER MM  FOLDER.h5 is whole.h5 shifted by the phase offset, and by MM along the slab
paravision.py readers            brukerapi reads flash, rare and job as whole.h5, and their places
paravision.py broken FOLDER      damaged copies, each with the words that its refusal must contain in NAME.words"""

import os
import shutil
import struct
import sys

import numpy as np

MATRIX = [[0.8, 0.6, 0.0], [-0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]
READ_OFFSET, PHASE_OFFSET, SLAB_OFFSET = 2.5, -3.0, 4.0
DWELL_HZ = 50000


def rows_of(path):
    import h5py

    with h5py.File(path) as file:
        return file["dataset/data"][...], file["dataset/xml"][0].decode()


def whole(path, most):
    """The rows with whole numbers as samples; whole.h5 holds them, too."""
    import h5py

    rows, xml = rows_of(path)
    largest = max(np.abs(row["data"]).max() for row in rows)
    for row in rows:
        row["data"] = np.round(np.asarray(row["data"]) / largest * most).astype("f4")
        row["head"]["sample_time_us"] = 1e6 / DWELL_HZ
    with h5py.File("whole.h5", "w") as file, h5py.File(path) as source:
        table = file.create_dataset("dataset/data", (len(rows),), source["dataset/data"].dtype, maxshape=(None,), chunks=(1,))
        for i, row in enumerate(rows):
            table[i] = row
        file.create_dataset("dataset/xml", (1,), h5py.string_dtype())[0] = xml
    return rows


def line_of(row):
    """{channels, samples} complex"""
    return np.asarray(row["data"], "f4").view("c8").reshape(int(row["head"]["active_channels"]), -1)


def sorted_lines(rows):
    """[slice, step2, step1] -> line"""
    found = {}
    for row in rows:
        idx = row["head"]["idx"]
        found[int(idx["slice"]), int(idx["kspace_encode_step_2"]), int(idx["kspace_encode_step_1"])] = line_of(row)
    return found


# ---- the folder


def value(v):
    if isinstance(v, str):
        return v
    if isinstance(v, (list, tuple, np.ndarray)):
        a = np.asarray(v)
        shape = ", ".join(map(str, a.shape))
        words = [str(x) for x in a.ravel().tolist()]
        text = f"( {shape} )\n"
        while words:
            text += " ".join(words[:12]) + (" \n" if words[12:] else "")
            words = words[12:]
        return text
    return str(v)


def parameters(path, values):
    with open(path, "w") as file:
        file.write(
            "##TITLE=Parameter List, ParaVision\n##JCAMPDX=4.24\n##DATATYPE=Parameter Values\n##ORIGIN=Bruker BioSpin MRI GmbH\n##OWNER=test\n"
        )
        for name, v in values.items():
            file.write(f"##${name}={value(v)}\n")
        file.write("$$ vis\n##END=\n")


def folder(name, lines, acqp, method, kind, pad, offset=0.0):
    os.makedirs(name, exist_ok=True)
    samples, channels = lines[0].shape[1], lines[0].shape[0]
    base_acqp = {
        "ACQ_sw_version": "( 65 )\n<PV 6.0.1>", "BYTORDA": "big" if kind[0] == ">" else "little", "ACQ_word_size": "_16_BIT" if kind[1:] == "i2" else "_32_BIT",
        "GO_raw_data_format": "GO_16BIT_SGN_INT" if kind[1:] == "i2" else "GO_32BIT_SGN_INT",
        "GO_block_size": "Standard_KBlock_Format" if pad else "continuous", "NR": 1, "NA": 1, "BF1": 300.33, "ACQ_read_offset": [READ_OFFSET],
        "ACQ_phase1_offset": [offset], "ACQ_echo_time": [3.5], "ACQ_flip_angle": 30, "ACQ_scan_name": "( 64 )\n<1_FLASH (E1)>",
        "ACQ_patient_pos": "Head_Supine", "ACQ_scan_size": "One_scan", "ACQ_slice_thick": 1.5, "ACQ_n_echo_images": 1}  # fmt: skip
    base_method = {"PVM_EncNReceivers": channels, "PVM_EffSWh": DWELL_HZ, "PVM_RepetitionTime": 100, "PVM_DigNp": samples}
    parameters(f"{name}/acqp", {**base_acqp, **acqp})
    parameters(f"{name}/method", {**base_method, **method})
    data = b""
    for line in lines:
        block = np.stack([line.real, line.imag], -1).astype(kind).tobytes()
        data += block.ljust(-(-len(block) // 1024) * 1024, b"\0") if pad else block
    with open(f"{name}/{'rawdata.job0' if 'ACQ_jobs' in acqp else 'fid'}", "wb") as file:
        file.write(data)


def view(xml_matrix, samples, over):
    return {"PVM_Matrix": xml_matrix, "PVM_Fov": [float(2 * n) for n in xml_matrix], "PVM_AntiAlias": over}


def write(path):
    rows = [r for r in whole(path, 30000) if not int(r["head"]["flags"]) & 1 << 18]
    found = sorted_lines(rows)
    slices, steps = 1 + max(k[0] for k in found), 1 + max(k[2] for k in found)
    samples = next(iter(found.values())).shape[1]
    order = [*range(0, slices, 2), *range(1, slices, 2)]
    acqp = {"ACQ_dim": 2, "ACQ_dim_desc": "( 2 )\nSpatial Spatial", "NI": slices, "NSLICES": slices, "ACQ_size": [2 * samples, steps], "PULPROG": "( 32 )\n<FLASH.ppg>",
            "ACQ_obj_order": order, "ACQ_phase_factor": 1, "ACQ_slice_offset": [1.5 * (s - 1) for s in range(slices)], "ACQ_fov": [9.6, 5.2],
            "ACQ_grad_matrix": [MATRIX] * slices}  # fmt: skip
    method = {**view([samples // 2, steps], samples, [2, 1]), "PVM_EncMatrix": [samples, steps], "PVM_EncSteps1": [s - steps // 2 for s in range(steps)],
              "PVM_NEchoImages": 1, "Method": "<Bruker:FLASH>"}  # fmt: skip
    folder("flash", [found[s, 0, k] for k in range(steps) for s in order], acqp, method, "<i4", True)
    folder("offset", [found[s, 0, k] for k in range(steps) for s in order], acqp, method, "<i4", True, PHASE_OFFSET)
    trains = [[k * (steps // 2) + t for k in range(2)] for t in range(steps // 2)]
    lines = [found[s, 0, k] for train in trains for s in order for k in train]
    rare = {
        "ACQ_phase_factor": 2,
        "PULPROG": "( 32 )\n<RARE.ppg>",
        "ACQ_grad_matrix": f"( {slices}, 3, 3 )\n" + " ".join(str(v) for r in MATRIX * slices for v in r),
    }
    folder("rare", lines, {**acqp, **rare}, {**method, "PVM_EncSteps1": [k - steps // 2 for t in trains for k in t]}, ">i2", False)
    job = {"ACQ_jobs": f"( 1 )\n({2 * samples}, {2 * slices}, 1, 1, 50000, 1, {len(lines)}, 1, <job0>)", "ACQ_sw_version": "( 65 )\n<PV-360.3.4>",
           "ACQ_ReceiverSelect": "( 4 )\nYes Yes Yes Yes", "ACQ_slice_offset": f"( {slices} )\n@{slices}*(1.5)", "ACQ_size": [1024, 1],
           "PULPROG": "( 32 )\n<RARE.ppg>", "ACQ_rare_factor": 2, "ACQ_spatial_size_1": steps}  # fmt: skip
    listed = {"PVM_EncGenTotalSteps": steps, "PVM_EncGenSteps1": [k - steps // 2 for t in trains for k in t], "PVM_EncGenSteps2": f"( {steps} )\n@{steps}*(0)"}
    folder("job", lines, {**acqp, **job}, {**method, **listed}, "<i4", False)


def volume(path):
    found = sorted_lines(whole(path, 1e6))
    partitions, steps = 1 + max(k[1] for k in found), 1 + max(k[2] for k in found)
    samples = next(iter(found.values())).shape[1]
    acqp = {"ACQ_dim": 3, "NI": 1, "NSLICES": 1, "ACQ_size": [2 * samples, steps, partitions], "PULPROG": "( 32 )\n<FLASH.ppg>", "ACQ_obj_order": [0],
            "ACQ_phase_factor": 1, "ACQ_slice_offset": [0.0], "ACQ_grad_matrix": [MATRIX]}  # fmt: skip
    method = {**view([samples // 2, steps, partitions], samples, [2, 1, 1]), "PVM_EncMatrix": [samples, steps, partitions],
              "PVM_EncSteps1": [s - steps // 2 for s in range(steps)], "PVM_EncSteps2": [s - partitions // 2 for s in range(partitions)]}  # fmt: skip
    lines = [found[0, p, k] for p in range(partitions) for k in range(steps)]
    folder("volume", lines, acqp, method, "<i4", True)
    folder("slab", lines, {**acqp, "ACQ_slice_offset": [SLAB_OFFSET]}, method, "<i4", True, PHASE_OFFSET)
    order = [(p, k) for k in range(steps) for p in range(partitions)][::-1]
    job = {"ACQ_size": [1024, 1, 1], "ACQ_jobs": f"( 1 )\n({2 * samples}, 1, 1, 1, 50000, 1, {len(order)}, 1, <job0>)"}
    listed = {"PVM_EncGenTotalSteps": len(order), "PVM_EncGenSteps1": [k - steps // 2 for p, k in order], "PVM_EncGenSteps2": [p - partitions // 2 for p, k in order]}
    folder("listed", [found[0, p, k] for p, k in order], {**acqp, **job}, {**method, **listed}, "<i4", False)


def radial(path):
    rows = whole(path, 1e6)
    lines = [line_of(r) for r in rows]
    samples = lines[0].shape[1]
    k = np.stack([np.asarray(r["traj"], "f4").reshape(samples, -1)[:, :2] for r in rows])
    size = 2 * int(np.ceil(np.abs(k).max()))
    acqp = {
        "ACQ_dim": 2,
        "NI": 1,
        "NSLICES": 1,
        "ACQ_size": [2 * samples, len(lines)],
        "PULPROG": "( 32 )\n<UTE.ppg>",
        "ACQ_phase_factor": 1,
        "ACQ_grad_matrix": [MATRIX],
    }
    folder("radial", lines, acqp, view([size, size], samples, [1, 1]), "<i4", True)
    with open("radial/traj", "wb") as file:
        file.write((k / size).astype("<f8").tobytes())
    # samples before and behind the points, of which the trajectory has none
    noise = np.full((lines[0].shape[0], 9), 12345 - 6789j)
    longer = [np.concatenate([noise[:, :5], line, noise[:, 5:]], 1) for line in lines]
    spiral = {"PVM_SpiralNavSize": 2, "PVM_SpiralPreSize": 3, "PVM_SpiralSize": samples, "PVM_SpiralPostSize": 4}
    acqp |= {"ACQ_size": [2 * (samples + 9), len(lines)], "PULPROG": "( 32 )\n<SPIRAL.ppg>"}
    for name, changed in (("spiral", {}), ("spiral_long", {"PVM_SpiralPreSize": 8}), ("spiral_none", {"PVM_SpiralSize": 0})):
        folder(name, longer, acqp, {**view([size, size], samples, [1, 1]), **spiral, **changed}, "<i4", True)
        shutil.copy("radial/traj", f"{name}/traj")


# ---- EPI

BLOBS = [(0.7, -0.11, 0.17, 0.09, 0.07), (1.0, 0.13, -0.06, 0.12, 0.1), (0.5, -0.2, -0.21, 0.06, 0.08)]  # height, place and width in fields of view


def samples_at(kx, ky):
    """The transform of the blobs, by its formula."""
    found = np.zeros(np.broadcast(kx, ky).shape, complex)
    for height, x, y, a, b in BLOBS:
        turns = -2j * np.pi * (kx * x + ky * y)
        found += height * 2 * np.pi * a * b * np.exp(turns - 2 * np.pi**2 * ((kx * a) ** 2 + (ky * b) ** 2))
    return found


def epi(name, shots, navigator):
    """Two slices of the blobs (the second half as bright) and two repetitions: trapezoids, every second line backwards, `shots` interleaves."""
    nx, ny, shots, navigator = 48, 40, int(shots), int(navigator)
    ramp, flat = 0.07, 0.24
    dwell = (2 * ramp + flat) / nx
    t = np.arange(nx) * dwell
    late = np.maximum(t - ramp - flat, 0)
    k = np.where(t < ramp, t**2 / (2 * ramp), ramp / 2 + t - ramp - late**2 / (2 * ramp)) / dwell
    c = k.max() / 2
    steps = [s * shots + i - ny // 2 for i in range(shots) for s in range(ny // shots)]
    random, lines = np.random.default_rng(5), []
    for r in range(2):
        for shot in range(shots):
            for s in range(2):
                train = [samples_at((-1) ** e * (k - c), steps[shot * (ny // shots) + e]) / (1 + s) for e in range(ny // shots)]
                scan = np.concatenate([np.full(navigator, 7e-3 + 0j), *train]) * 1e7
                noise = random.normal(0, 30, (2, scan.size, 2)) @ [1, 1j]
                lines.append(np.round(np.stack([scan, 2 * scan]) + noise))  # the second channel twice as sensitive
    points = lines[0].shape[1]
    acqp = {"ACQ_dim": 2, "NI": 2, "NSLICES": 2, "NR": 2, "ACQ_size": [1024, 1], "PULPROG": "( 32 )\n<DtiEpi.ppg>", "ACQ_obj_order": [0, 1],
            "ACQ_scan_size": "ACQ_phase_factor_scans", "ACQ_phase_factor": 1, "ACQ_slice_offset": [0.0, 2.0], "ACQ_grad_matrix": [MATRIX] * 2,
            "ACQ_jobs": f"( 1 )\n({2 * points}, 1, 1, 1, 50000, 1, {len(lines)}, 1, <job0>)"}  # fmt: skip
    method = {**view([nx, ny], nx, [1, 1]), "PVM_EncMatrix": [nx, ny], "PVM_EncGenTotalSteps": ny, "PVM_EncGenSteps1": steps, "PVM_EncGenSteps2": f"( {ny} )\n@{ny}*(0)",
              "PVM_EpiNEchoes": ny // shots, "PVM_EpiMatrix": f"( 4 )\n{nx} {ny // shots} 0 0", "PVM_EpiNSamplesPerScan": points, "PVM_EpiRampTime": ramp,
              "PVM_EpiPlateau": flat, "PVM_EpiEchoSpacing": nx * dwell, "PVM_EffSWh": 1e3 / dwell}  # fmt: skip
    if shots == 1:
        method |= {"PVM_EpiTrajAdjkx": k.tolist(), "PVM_EpiTrajAdjFov0": 2.0 * nx}
    folder(name, lines, acqp, method, "<i4", False)


def blobs(path):
    """The images of EPI are the blobs. 0.02: noise and the rounding of samples; a matrix beyond the reach of the ramps gives 0.077."""
    import nibabel

    image = np.abs(np.asarray(nibabel.load(path).dataobj, complex))
    nx, ny = image.shape[:2]
    x, y = (np.arange(nx)[:, None] - nx // 2) / nx, (np.arange(ny)[None] - ny // 2) / ny
    truth = sum(h * np.exp(-((x - p) ** 2) / (2 * a * a) - (y - q) ** 2 / (2 * b * b)) for h, p, q, a, b in BLOBS)
    volumes = image.reshape(nx, ny, 2, -1)
    assert volumes.shape[3] == 2, image.shape
    volumes = volumes / (np.vdot(truth, volumes[:, :, 0, 0]) / np.vdot(truth, truth))
    for v in range(2):
        for s in range(2):
            error = np.linalg.norm(volumes[:, :, s, v] - truth / (1 + s)) / np.linalg.norm(truth / (1 + s))
            assert error < 0.02, (path, s, v, error)


# ---- offsets of the field of view


def shifted(name, slab):
    """The samples of a folder, after argand convert, are those of whole.h5 times the phase of its offsets; the image's y axis runs against
    the gradient, its z axis along it. The positions have the offsets."""
    rows, expected = rows_of(f"{name}.h5")[0], sorted_lines(r for r in rows_of("whole.h5")[0] if not int(r["head"]["flags"]) & 1 << 18)
    partitions, steps = 1 + max(k[1] for k in expected), 1 + max(k[2] for k in expected)
    for (s, p, k), line in sorted_lines(rows).items():
        turns = -(k - steps // 2) * PHASE_OFFSET / (2.0 * steps) + (p - partitions // 2) * float(slab) / (2.0 * partitions)
        error = np.abs(line - expected[s, p, k] * np.exp(2j * np.pi * turns)).max() / np.abs(expected[s, p, k]).max()
        assert error < 1e-6, (name, s, p, k, error)
    for row in rows:
        along = np.array(MATRIX) * [[-1, -1, 1]]  # right, anterior, head to LPS
        offset = 1.5 * (int(row["head"]["idx"]["slice"]) - 1) if float(slab) == 0 else float(slab)
        assert np.allclose(row["head"]["position"], [READ_OFFSET, PHASE_OFFSET, offset] @ along, atol=1e-5), (name, row["head"]["position"])


# ---- brukerapi


def readers():
    import warnings

    from brukerapi.dataset import Dataset

    warnings.simplefilter("ignore")
    found = sorted_lines(r for r in rows_of("whole.h5")[0] if not int(r["head"]["flags"]) & 1 << 18)
    slices, steps = 1 + max(k[0] for k in found), 1 + max(k[2] for k in found)
    expected = np.stack([np.stack([found[s, 0, k].T for k in range(steps)], 1) for s in range(slices)], 2)  # sample, step, slice, channel
    for name in ("flash", "offset", "rare"):
        data = Dataset(f"{name}/fid")
        k = np.asarray(data.data)[:, :, :, 0, :]
        assert k.shape == expected.shape and (k == expected).all(), (name, k.shape, expected.shape)
        places(data, name)
    job = np.asarray(Dataset("job/rawdata.job0").raw)
    order = [*range(0, slices, 2), *range(1, slices, 2)]
    trains = [[k * (steps // 2) + t for k in range(2)] for t in range(steps // 2)]
    assert (job == np.stack([found[s, 0, k].T for train in trains for s in order for k in train], 1)).all()


def places(data, name):
    """The directions of brukerapi's transforms are those of argand convert; so are the centres."""
    head = rows_of(f"{name}.h5")[0]["head"]
    phase = data["PVM_EncMatrix"].value[1]
    for s, affine in enumerate(data.acquisition_affines()):
        mine = head[head["idx"]["slice"] == s][0]
        unit = affine[:3, :3] / np.linalg.norm(affine[:3, :3], axis=0)
        assert np.allclose(unit, np.stack([mine["read_dir"], mine["phase_dir"], mine["slice_dir"]], 1), atol=1e-6), (name, s, unit)
        centre = affine @ [data["PVM_EncMatrix"].value[0] / 2, phase / 2, 0, 1]
        assert np.allclose(centre[:3], mine["position"], atol=1e-4), (name, s, centre, mine["position"])


# ---- damaged folders


def broken(path):
    def change(name, file, old, new, words):
        shutil.copytree(path, name, dirs_exist_ok=True)
        text = open(f"{name}/{file}", "rb").read()
        assert old in text, (name, old)
        open(f"{name}/{file}", "wb").write(text.replace(old, new, 1))
        open(name + ".words", "w").write(words)

    change("format", "acqp", b"GO_32BIT_SGN_INT", b"GO_24BIT", 'GO_raw_data_format is "GO_24BIT"')
    change("size", "acqp", b"$ACQ_size=( 2 )\n", b"$ACQ_size=( 2 )\n-", "a line has -")
    change("program", "acqp", b"FLASH.ppg", b"CSI.ppg", "the pulse program is CSI.ppg")
    change("epi", "acqp", b"FLASH.ppg", b"EPI.ppg", "PVM_EpiNEchoes is 0")
    change("dim", "acqp", b"ACQ_dim=2", b"ACQ_dim=1", "ACQ_dim is 1")
    change("epi_dim", "acqp", b"$ACQ_dim=2", b"$PULPROG=( 32 )\n<EPI.ppg>\n##$X=2", "ACQ_dim is 0: EPI is read of slices")
    change("objects", "acqp", b"$NI=3", b"$NI=4", "NI, 4, is no multiple of NSLICES, 3")
    change("factor", "acqp", b"ACQ_phase_factor=1", b"ACQ_phase_factor=7", "no multiple of ACQ_phase_factor, 7")
    change("order", "acqp", b"ACQ_obj_order=( 3 )\n0", b"ACQ_obj_order=( 3 )\n9", "ACQ_obj_order has the object 9 of 3")
    change("few", "acqp", b"ACQ_size=( 2 )\n96 26", b"ACQ_size=( 2 )\n96 2", "have 78 lines, of which acqp and method describe 6")
    change("steps", "method", b"$PVM_EncSteps1=", b"$PVM_EncSteps1=( 1 )\n5\n##$x=", "PVM_EncSteps1 has 1 steps for 26 lines")
    change("receivers", "method", b"PVM_EncNReceivers=", b"PVM_EncNReceivers=999999", "PVM_EncNReceivers is 9999")
    shutil.copytree(path, "short", dirs_exist_ok=True)
    with open("short/fid", "r+b") as file:
        file.truncate(100)
    open("short.words", "w").write("fid has no whole line")
    shutil.copytree(path, "cut", dirs_exist_ok=True)
    with open("cut/fid", "r+b") as file:
        file.truncate(os.path.getsize("cut/fid") // 2)


if __name__ == "__main__":
    commands = {"write": write, "volume": volume, "radial": radial, "epi": epi, "blobs": blobs, "shifted": shifted, "readers": readers, "broken": broken}
    commands[sys.argv[1]](*sys.argv[2:])
