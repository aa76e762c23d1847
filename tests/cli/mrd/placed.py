# SPDX-License-Identifier: BSD-3-Clause
"""Scans without a trajectory, with the Pulseq sequences that they belong to, and the same scans with positions and times in the file. Samples
are direct sums over an object, coils and a field map.

placed.py own        spokes: a sequence written by hand, NAME.seq, NAME.h5 without and NAME_known.h5 with positions; and sequences that do
                     not fit: short, samples, far; stated.seq states the field of view, which coarse.h5 has with too small a matrix
placed.py turned     the same spokes in two repetitions, by rotated blocks (extension ROTATIONS) and labels that count repetitions
placed.py train      EPI with three lines at ky = 0 in front of the train, by hand, whose backward lines have another phase and another echo;
                     the file has no flag
placed.py package    spiral, radial, epi by pypulseq, of version 1.5
placed.py check NAME...  NAME.npy is NAME_known.npy to 5e-5, and near the object"""

import sys

import numpy as np

N, FOV, COILS = 32, 0.24, 4
XML = """<?xml version="1.0"?>
<ismrmrdHeader xmlns="http://www.ismrm.org/ISMRMRD">
 <experimentalConditions><H1resonanceFrequency_Hz>123200000</H1resonanceFrequency_Hz></experimentalConditions>
 <encoding><encodedSpace><matrixSize><x>32</x><y>32</y><z>1</z></matrixSize><fieldOfView_mm><x>240</x><y>240</y><z>5</z></fieldOfView_mm></encodedSpace>
  <reconSpace><matrixSize><x>32</x><y>32</y><z>1</z></matrixSize><fieldOfView_mm><x>240</x><y>240</y><z>5</z></fieldOfView_mm></reconSpace>
  <encodingLimits/><trajectory>{}</trajectory></encoding></ismrmrdHeader>"""
rng = np.random.default_rng(5)
at = (np.arange(N) - N // 2) / N
y, x = np.meshgrid(at, at, indexing="ij")
angles = 2 * np.pi * np.arange(COILS)[:, None, None] / COILS
OBJECT = np.exp(-(((x / 0.3) ** 2 + (y / 0.36) ** 2) ** 3)) * (1 + 0.5 * np.cos(9 * x + 5 * y)) * np.exp(1j * x)
MAPS = np.exp(1j * angles) / (0.4 + (x - 0.6 * np.cos(angles)) ** 2 + (y - 0.6 * np.sin(angles)) ** 2)
FIELD = 60 * (x + 0.5 * y)  # Hz


def samples(k, t):
    """k: kx, ky in cycles per field of view."""
    phase = 2 * np.pi * (np.multiply.outer(k[0], x) + np.multiply.outer(k[1], y) + np.multiply.outer(t, FIELD))
    return (MAPS * OBJECT).reshape(COILS, -1) @ np.exp(-1j * phase).reshape(len(t), -1).T


def write(name, k, t, sizes, noise=0, flags=None, kind="other", repetitions=None):
    """k: {3, samples} in 1/m of all readouts; t: s from their excitation. noise: readouts of noise that the sequence does not have."""
    import ismrmrd

    np.save("maps.npy", MAPS.astype(np.complex64))
    np.save("field.npy", FIELD.astype(np.float32))
    np.save("object.npy", OBJECT.astype(np.complex64))
    all_data = samples(k * FOV, t).astype(np.complex64)
    for ending, known in ((".h5", False), ("_known.h5", True)):
        with ismrmrd.Dataset(name + ending, "dataset", True) as file:
            file.write_xml_header(XML.format(kind).encode())
            for _ in range(noise):
                a = ismrmrd.Acquisition.from_array(rng.standard_normal((COILS, 64)).astype(np.complex64))
                a.sample_time_us = 10
                a.set_flag(ismrmrd.ACQ_IS_NOISE_MEASUREMENT)
                file.append_acquisition(a)
            for i, end in enumerate(np.cumsum(sizes)):
                part = slice(end - sizes[i], end)
                cycles = k[:, part] * FOV
                back = flags is not None and flags[i]
                data = np.ascontiguousarray(all_data[:, part])
                if known:  # a stored trajectory is of samples as acquired
                    a = ismrmrd.Acquisition.from_array(data, np.stack([*cycles[:2], 0 * t[part], t[part]], 1).astype(np.float32))
                else:
                    a = ismrmrd.Acquisition.from_array(data)
                if back:
                    a.set_flag(ismrmrd.ACQ_IS_REVERSE)
                a.sample_time_us, a.idx.kspace_encode_step_1 = 1e6 * (t[part][1] - t[part][0]), i
                if known and repetitions is not None:
                    a.idx.repetition = repetitions[i]
                a.read_dir[:], a.phase_dir[:], a.slice_dir[:] = (1, 0, 0), (0, 1, 0), (0, 0, 1)
                file.append_acquisition(a)


def own():
    """48 spokes of 64 samples: an excitation, a dephaser and a readout each, along turned gradients."""
    shots, samples_each, dwell, ramp = 48, 64, 10e-6, 100e-6
    flat = samples_each * dwell
    top = N / FOV / flat
    text = ["[VERSION]", "major 1", "minor 5", "revision 0", "[DEFINITIONS]", "GradientRasterTime 1e-05", "RadiofrequencyRasterTime 1e-06",
            "BlockDurationRaster 1e-05", "AdcRasterTime 1e-07", "[BLOCKS]"]  # fmt: skip
    trapezoids = []
    for shot in range(shots):
        turn = np.array([np.cos(np.pi * shot / shots), np.sin(np.pi * shot / shots)])
        names = []
        for scale, length in ((-1.0, flat / 2 - ramp / 2), (1.0, flat)):  # half of the area goes first
            for g in turn * scale * top:
                trapezoids.append(f"{len(trapezoids) + 1} {g:.9g} 100 {1e6 * length:.9g} 100 0")
                names.append(len(trapezoids))
        text.append(f"{3 * shot + 1} 20 1 0 0 0 0 0")
        text.append(f"{3 * shot + 2} {round((flat / 2 + 1.5 * ramp) / 1e-5)} 0 {names[0]} {names[1]} 0 0 0")
        text.append(f"{3 * shot + 3} {round((flat + 2 * ramp) / 1e-5)} 0 {names[2]} {names[3]} 0 1 0")
    text += ["[RF]", "1 1250 1 2 3 50 20 0 0 0 0 e", "[TRAP]", *trapezoids, "[ADC]", f"1 {samples_each} 10000 100 0 0 0 0 0"]
    text += ["[SHAPES]", "shape_id 1", "num_samples 100", "1", "0", "0", "97", "shape_id 2", "num_samples 100", "0", "0", "98",
             "shape_id 3", "num_samples 100", "1", "1", "98"]  # fmt: skip
    whole = "\n".join(text) + "\n"
    variants = {"spokes": whole, "short": whole.replace(text[text.index("[RF]") - 1], text[text.index("[RF]") - 1][:-3] + "0 0"),
                "samples": whole.replace("1 64 10000", "1 60 10000"), "far": whole.replace(" 100 640 100 0", " 100 800 100 0").replace("1 64 10000", "1 64 14000")}  # fmt: skip
    variants["stated"] = whole.replace("[DEFINITIONS]", f"[DEFINITIONS]\nFOV {FOV} {FOV} 0.005")
    for name, changed in variants.items():
        with open(name + ".seq", "w") as file:
            file.write(changed)
    along = top * ((np.arange(samples_each) + 0.5) * dwell - flat / 2)
    turns = np.pi * np.arange(shots) / shots
    k = np.stack([np.outer(np.cos(turns), along), np.outer(np.sin(turns), along), np.zeros((shots, samples_each))]).reshape(3, -1)
    t = 200e-6 - 70e-6 + flat / 2 + 1.5 * ramp + ramp + (np.arange(samples_each) + 0.5) * dwell
    write("spokes", k, np.tile(t, shots), [samples_each] * shots, noise=2)
    import h5py
    import shutil

    shutil.copy("spokes.h5", "coarse.h5")
    with h5py.File("coarse.h5", "a") as file:
        file["dataset/xml"][0] = XML.format("cartesian").replace("<x>32</x><y>32</y>", "<x>20</x><y>24</y>").replace("<x>240</x>", "<x>150</x>")


def turned():
    """Blocks of gradients along x, which quaternions turn around z."""
    shots, samples_each, dwell, ramp = 48, 64, 10e-6, 100e-6
    flat = samples_each * dwell
    top = N / FOV / flat
    text = ["[VERSION]", "major 1", "minor 5", "revision 1", "[DEFINITIONS]", "GradientRasterTime 1e-05", "RadiofrequencyRasterTime 1e-06",
            "BlockDurationRaster 1e-05", "AdcRasterTime 1e-07", "[BLOCKS]"]  # fmt: skip
    rows, turns = [], []
    for shot in range(shots):
        angle = np.pi * (shot % 24) / 24
        turns.append(f"{shot + 1} {np.cos(angle / 2):.12g} 0 0 {np.sin(angle / 2):.12g}")
        label = {0: 201, 24: 202}.get(shot, 0)
        rows.append(f"{shot + 1} 1 {shot + 1} {label}")
        text.append(f"{3 * shot + 1} 20 1 0 0 0 0 0")
        text.append(f"{3 * shot + 2} {round((flat / 2 + 1.5 * ramp) / 1e-5)} 0 1 0 0 0 {101 + shot}")
        text.append(f"{3 * shot + 3} {round((flat + 2 * ramp) / 1e-5)} 0 2 0 0 1 {shot + 1}")
    rows += [f"{101 + shot} 1 {shot + 1} 0" for shot in range(shots)] + ["201 2 1 203", "202 3 1 0", "203 2 2 0"]
    text += ["[RF]", "1 1250 1 2 3 50 20 0 0 0 0 e", "[TRAP]", f"1 {-top:.9g} 100 {1e6 * (flat / 2 - ramp / 2):.9g} 100 0", f"2 {top:.9g} 100 640 100 0",
             "[ADC]", f"1 {samples_each} 10000 100 0 0 0 0 0", "[EXTENSIONS]", *rows, "extension ROTATIONS 1", *turns,
             "extension LABELSET 2", "1 0 REP", "2 1 NOPOS", "extension LABELINC 3", "1 1 REP", "extension TRIGGERS 4", "1 2 3 4 5"]  # fmt: skip
    text += ["[SHAPES]", "shape_id 1", "num_samples 100", "1", "0", "0", "97", "shape_id 2", "num_samples 100", "0", "0", "98",
             "shape_id 3", "num_samples 100", "1", "1", "98"]  # fmt: skip
    whole = "\n".join(text) + "\n"
    variants = {"turned": whole, "circle": whole.replace("203 2 2 0", "203 2 2 201"), "long": whole.replace(turns[3], "4 1 1 0 0"),
                "nowhere": whole.replace(rows[5], "6 1 77 0"), "gone": whole.replace("202 3 1 0", "207 3 1 0"),
                "negative": whole.replace("1 0 REP", "1 -2 REP")}  # fmt: skip
    for name, changed in variants.items():
        with open(name + ".seq", "w") as file:
            file.write(changed)
    along = top * ((np.arange(samples_each) + 0.5) * dwell - flat / 2)
    angles = np.pi * (np.arange(shots) % 24) / 24
    k = np.stack([np.outer(np.cos(angles), along), np.outer(np.sin(angles), along), np.zeros((shots, samples_each))]).reshape(3, -1)
    t = 200e-6 - 70e-6 + flat / 2 + 1.5 * ramp + ramp + (np.arange(samples_each) + 0.5) * dwell
    write("turned", k, np.tile(t, shots), [samples_each] * shots, repetitions=[shot // 24 for shot in range(shots)])


def train():
    """Lines along x to and fro with blips along y between them, after three lines without blips."""
    flat, ramp, blip, dwell, lines = 640, 100, 100, 10e-6, N + 3
    top, step = N / FOV / (flat * 1e-6), 1 / FOV / (blip * 1e-6)
    text = ["[VERSION]", "major 1", "minor 5", "revision 0", "[DEFINITIONS]", "GradientRasterTime 1e-05", "RadiofrequencyRasterTime 1e-06",
            "BlockDurationRaster 1e-05", "AdcRasterTime 1e-07", "[BLOCKS]", "1 20 1 0 0 0 0 0", "2 120 0 1 0 0 0 0"]  # fmt: skip
    for line in range(lines):
        text.append(f"{2 * line + 3} {(flat + 2 * ramp) // 10} 0 {2 + line % 2} 0 0 1 0")
        text.append(f"{2 * line + 4} 120 0 0 {4 if line == 2 else 5 if line > 2 else 0} 0 0 0")
    area = top * (flat + ramp) * 1e-6
    text += ["[RF]", "1 1250 1 2 3 50 20 0 0 0 0 e", "[TRAP]", f"1 {-area / 2 / 1e-3:.12g} 100 900 100 0", f"2 {top:.12g} 100 640 100 0",
             f"3 {-top:.12g} 100 640 100 0", f"4 {-N / 2 / FOV / 1e-3:.12g} 100 900 100 0", f"5 {step:.12g} 50 50 50 0",
             "[ADC]", f"1 64 10000 {ramp} 0 0 0 0 0"]  # fmt: skip
    text += ["[SHAPES]", "shape_id 1", "num_samples 100", "1", "0", "0", "97", "shape_id 2", "num_samples 100", "0", "0", "98",
             "shape_id 3", "num_samples 100", "1", "1", "98"]  # fmt: skip
    with open("train.seq", "w") as file:
        file.write("\n".join(text) + "\n")
    import ismrmrd

    np.save("object.npy", (OBJECT * np.sqrt((abs(MAPS) ** 2).sum(0))).astype(np.complex64))
    with ismrmrd.Dataset("train.h5", "dataset", True) as file:
        file.write_xml_header(XML.format("cartesian").encode())
        for line in range(lines):
            back = line % 2
            kx = ((np.arange(64) + 0.5) / 2 - N / 2) * (-1 if back else 1)
            ky = max(line - 3, 0) - N / 2 if line > 2 else 0
            data = samples(np.stack([kx - 0.35 * back, np.full(64, ky)]), np.zeros(64)) * np.exp(0.6j * back)
            a = ismrmrd.Acquisition.from_array(np.ascontiguousarray(data.astype(np.complex64)))
            a.sample_time_us, a.idx.kspace_encode_step_1 = 1e6 * dwell, max(line - 3, 0)
            a.read_dir[:], a.phase_dir[:], a.slice_dir[:] = (1, 0, 0), (0, 1, 0), (0, 0, 1)
            file.append_acquisition(a)


def package():
    import warnings

    import pypulseq as pp

    warnings.simplefilter("ignore")
    system = pp.Opts(max_grad=40, grad_unit="mT/m", max_slew=180, slew_unit="T/m/s", rf_ringdown_time=20e-6, rf_dead_time=100e-6)
    for name, make in (("spiral", spiral), ("radial", radial), ("epi", epi)):
        seq = make(pp, system)
        seq.write(name + ".seq")
        k, _, excited, _, t = seq.calculate_kspace()
        sizes = [seq.get_block(b).adc.num_samples for b in seq.block_events if seq.get_block(b).adc is not None]
        last = np.asarray(excited)[np.searchsorted(excited, t) - 1]
        flags = [i % 2 == 1 for i in range(len(sizes))] if name == "epi" else None
        write(name, np.nan_to_num(k), t - last, sizes, flags=flags, kind="epi" if name == "epi" else "spiral" if name == "spiral" else "radial")


def excite(pp, system):
    return pp.make_block_pulse(0.3, duration=0.5e-3, system=system, use="excitation")


def spiral(pp, system):
    seq = pp.Sequence(system)
    u = np.linspace(0, 1, 800)
    for turn in range(8):
        k = (N / 2 / FOV) * u * np.exp(2j * np.pi * (3 * u + turn / 8))
        g = np.append(np.diff(k), 0) / system.grad_raster_time
        g *= np.clip((799 - np.arange(800)) / 20, 0, 1) * np.clip(np.arange(800) / 10, 0, 1)
        gx, gy = (pp.make_arbitrary_grad(c, waveform=w, system=system, first=0, last=0, max_slew=1e12, max_grad=1e12) for c, w in (("x", g.real), ("y", g.imag)))
        seq.add_block(excite(pp, system))
        seq.add_block(gx, gy, pp.make_adc(760, dwell=10e-6, delay=20e-6, system=system))
    return seq


def radial(pp, system):
    seq = pp.Sequence(system)
    gx = pp.make_trapezoid("x", flat_area=N / FOV, flat_time=1.28e-3, system=system)
    before = pp.make_trapezoid("x", area=-gx.area / 2, duration=1e-3, system=system)
    adc = pp.make_adc(64, duration=gx.flat_time, delay=gx.rise_time, system=system)
    for shot in range(50):
        seq.add_block(excite(pp, system))
        seq.add_block(*pp.rotate(before, angle=np.pi * shot / 50, axis="z"))
        seq.add_block(*pp.rotate(gx, adc, angle=np.pi * shot / 50, axis="z"))
    return seq


def epi(pp, system):
    seq = pp.Sequence(system)
    step = 1 / FOV
    gx = pp.make_trapezoid("x", flat_area=N * step, flat_time=0.64e-3, system=system)
    back = pp.make_trapezoid("x", flat_area=-N * step, flat_time=0.64e-3, system=system)
    adc = pp.make_adc(64, duration=gx.flat_time, delay=gx.rise_time, system=system)
    blip = pp.make_trapezoid("y", area=step, system=system)
    seq.add_block(excite(pp, system))
    seq.add_block(pp.make_trapezoid("x", area=-gx.area / 2 - step / 4, duration=1e-3, system=system), pp.make_trapezoid("y", area=-N / 2 * step, duration=1e-3, system=system))
    for line in range(N):
        seq.add_block(back if line % 2 else gx, adc)
        seq.add_block(blip)
    return seq


def check(name):
    placed, known, truth = (np.load(f).squeeze() for f in (name + ".npy", name + "_known.npy", "object.npy"))
    difference = np.linalg.norm(placed - known) / np.linalg.norm(known)
    error = max(np.linalg.norm(image - truth) / np.linalg.norm(truth) for image in (placed if placed.ndim == 3 else [placed]))
    print(f"{name}: differs from the explicit trajectory by {difference:.1e}, from the object by {error:.4f}")
    assert difference < 5e-5 and error < 0.01  # positions and times of the file are in single precision


if sys.argv[1] == "check":
    for which in sys.argv[2:]:
        check(which)
else:
    for which in sys.argv[1:]:
        {"own": own, "turned": turned, "train": train, "package": package}[which]()
