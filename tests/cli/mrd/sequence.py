# SPDX-License-Identifier: BSD-3-Clause
"""Pulseq sequences with the k-space that they sample.

sequence.py write              own files: spin.seq (version 1.5), old.seq (1.4), early3.seq and early2.seq (1.3, 1.2), each with NAME_k.npy (kz, ky, kx in 1/m) and NAME_t.npy by formulas
sequence.py package            files by pypulseq: gre, spiral, tse (1.5), tse14, spiral14 (1.4), each with the result of its calculate_kspace
sequence.py compare NAME       NAME_trajectory.npy and NAME_times.npy are these, to 1e-6 of the largest k and of a second
sequence.py broken             damaged files, each with the words that its refusal must contain in NAME.words"""

import sys

import numpy as np

HEAD = """# Pulseq sequence file
[VERSION]
major 1
minor {minor}
revision 0

[DEFINITIONS]
AdcRasterTime 1e-07
BlockDurationRaster 1e-05
GradientRasterTime 1e-05
Name test
RadiofrequencyRasterTime 1e-06
"""


# ---- own files


def polygon_moment(t, v, at):
    """The integral of a polygon up to each time."""
    t, v = np.asarray(t, float), np.asarray(v, float)
    fine = np.unique(np.concatenate([t, np.clip(at, t[0], t[-1])]))
    values = np.interp(fine, t, v)
    sums = np.concatenate([[0], np.cumsum(0.5 * (values[1:] + values[:-1]) * np.diff(fine))])
    return np.interp(np.clip(at, t[0], t[-1]), fine, sums)


def own(minor):
    """An excitation, a dephaser, a refocusing pulse, a readout under a trapezoid, a shape on the raster and a shape with times."""
    new = minor == 5
    text = HEAD.format(minor=minor)
    blocks = ["1 20 1 0 0 0 0 0", "2 40 0 1 2 0 0 0", "3 30 2 0 0 3 0 0", "4 60 0 4 0 5 1 0", "5 60 0 4 0 5 1 0"]
    text += "\n[BLOCKS]\n" + "\n".join(blocks) + "\n\n[RF]\n"
    if new:
        text += "1 1250 1 2 3 50 20 0 0 0 0 e\n2 2500 1 2 3 50 30 0 0 0 0 r\n"
    else:
        text += "1 1250 1 2 3 20 0 0\n2 5000 1 2 3 30 0 0\n"  # 45 and 180 degrees
    text += "\n[GRADIENTS]\n" + ("2 20000 0 0 4 0 100\n5 -30000 0 0 5 6 0\n" if new else "2 20000 4 0 100\n5 -30000 5 6 0\n")
    text += (
        "\n[TRAP]\n1 50000 100 200 100 0\n3 40000 50 100 150 0\n4 60000 100 400 100 0\n\n[ADC]\n1 7 50000 110 0 0"
        + (" 0 0 0" if new else "")
        + "\n"
    )
    # shapes: a plateau of 100 us, whose differences are packed; times in units of the raster
    text += "\n[SHAPES]\n\nshape_id 1\nnum_samples 100\n1\n0\n0\n97\n\nshape_id 2\nnum_samples 100\n0\n0\n98\n\n"
    text += (
        "shape_id 3\nnum_samples 100\n1\n1\n98\n\nshape_id 4\nnum_samples 4\n0.25\n0.75\n1\n0.5\n\nshape_id 5\nnum_samples 3\n0\n1\n0\n\n"
    )
    text += "shape_id 6\nnum_samples 3\n0\n20\n60\n"
    base = np.cumsum([0, 20, 40, 30, 60]) * 1e-5
    last = 0 if new else 20000 * (3 * 0.5 - 1) * 0.5
    raster = [1e-4 + x * 1e-5 for x in (0, 0.5, 1.5, 2.5, 3.5, 4)]
    edge = [(base[1] + np.array(raster), [0, 5000, 15000, 20000, 10000, last])]
    trapezoids = {
        0: [(base[1], 50000, 100, 200, 100), (base[3], 60000, 100, 400, 100), (base[4], 60000, 100, 400, 100)],
        1: [],
        2: [(base[2], 40000, 50, 100, 150)],
    }
    waves = {d: [(b + np.cumsum([0, r, f, l]) * 1e-6, [0, a, a, 0]) for b, a, r, f, l in of] for d, of in trapezoids.items()}
    waves[1] += edge
    waves[2] += [(base[b] + np.array([0, 2e-4, 6e-4]), [0, -30000, 0]) for b in (3, 4)]

    def moment(t):
        return np.stack([sum(polygon_moment(*w, np.atleast_1d(t)) for w in waves[d]) for d in range(3)])

    centres = (70e-6, base[2] + 80e-6) if new else (20e-6 + 50.5e-6, base[2] + 30e-6 + 50.5e-6)
    t = np.stack([base[b] + 110e-6 + (np.arange(7) + 0.5) * 50e-6 for b in (3, 4)])
    k = moment(t.ravel()) - 2 * moment(centres[1]) + moment(centres[0])
    name = "spin" if new else "old"
    with open(name + ".seq", "w") as file:
        file.write(text)
    save(name, k, t.ravel(), 7)


def save(name, k, t, samples):
    np.save(name + "_k.npy", np.moveaxis(k[::-1].reshape(3, -1, samples), 0, -1))
    np.save(name + "_t.npy", t.reshape(-1, samples))


EARLY = """# Pulseq sequence file
[VERSION]
major 1
minor {minor}
revision 1

[BLOCKS]
1 0 1 0 0 0 0{more}
2 0 0 1 2 0 0{more}
3 0 2 0 0 3 0{more}
4 1 0 0 0 0 0{more}
5 0 0 4 0 0 1{more}
6 1 0 4 0 0 1{more}

[RF]
1 1250 1 2 20 0 0
2 5000 1 2 30 0 0

[GRADIENTS]
2 20000 4 100

[TRAP]
1 50000 100 200 100{delay}
3 40000 50 100 150{delay}
4 60000 100 400 100{delay}

[ADC]
1 7 50000 110 0 0

[DELAYS]
1 900

[SHAPES]

shape_id 1
num_samples 100
1
0
0
97

shape_id 2
num_samples 100
0
0
98

shape_id 4
num_samples 4
0.25
0.5
0.25
-0.5
"""


def early(minor):
    """Versions 1.2 and 1.3: blocks last as long as their longest event; shapes are always packed, also where this saves nothing."""
    name = f"early{minor}"
    with open(name + ".seq", "w") as file:
        file.write(EARLY.format(minor=minor, more=" 0" if minor == 3 else "", delay=" 0" if minor == 3 else ""))
    base = np.cumsum([0, 120, 400, 300, 900, 600]) * 1e-6  # a pulse, a trapezoid, a trapezoid, a delay, a trapezoid
    trapezoids = {0: [(base[1], 50000, 100, 200, 100), (base[4], 60000, 100, 400, 100), (base[5], 60000, 100, 400, 100)], 2: [(base[2], 40000, 50, 100, 150)]}
    waves = {d: [(b + np.cumsum([0, r, f, l]) * 1e-6, [0, a, a, 0]) for b, a, r, f, l in of] for d, of in trapezoids.items()}
    waves[1] = [(base[1] + np.array([1e-4 + x * 1e-5 for x in (0, 0.5, 1.5, 2.5, 3.5, 4)]), [0, 5000, 15000, 20000, 10000, 5000])]
    centres = 20e-6 + 50.5e-6, base[2] + 30e-6 + 50.5e-6

    def moment(t):
        return np.stack([sum(polygon_moment(*w, np.atleast_1d(t)) for w in waves[d]) for d in range(3)])

    t = np.concatenate([base[b] + 110e-6 + (np.arange(7) + 0.5) * 50e-6 for b in (4, 5)])
    save(name, moment(t) - 2 * moment(centres[1]) + moment(centres[0]), t, 7)


def write():
    own(5)
    own(4)
    early(3)
    early(2)


# ---- pypulseq


def package():
    import warnings

    import pypulseq as pp

    warnings.simplefilter("ignore")
    system = pp.Opts(
        max_grad=30, grad_unit="mT/m", max_slew=120, slew_unit="T/m/s", rf_ringdown_time=20e-6, rf_dead_time=100e-6, adc_dead_time=10e-6
    )
    for name, make, old in (
        ("gre", gre, False),
        ("spiral", spiral, False),
        ("tse", tse, False),
        ("tse14", tse, True),
        ("spiral14", spiral, True),
    ):
        seq = make(pp, system)
        seq.write(name + ".seq", v141_compat=old)
        again = pp.Sequence(system)  # of 1.5: pypulseq forgets what the pulses of 1.4 are for
        seq.write("again.seq")
        again.read("again.seq")
        k, _, _, _, t = again.calculate_kspace()
        sizes = [again.get_block(b).adc.num_samples for b in again.block_events if again.get_block(b).adc is not None]
        assert len(set(sizes)) == 1
        save(name, np.nan_to_num(k), t, sizes[0])


def gre(pp, system):
    seq = pp.Sequence(system)
    rf, gz, rephase = pp.make_sinc_pulse(
        flip_angle=0.2,
        duration=2e-3,
        slice_thickness=5e-3,
        apodization=0.5,
        time_bw_product=4,
        system=system,
        return_gz=True,
        use="excitation",
    )
    gx = pp.make_trapezoid("x", flat_area=48 / 0.24, flat_time=3.84e-3, system=system)
    adc = pp.make_adc(48, duration=gx.flat_time, delay=gx.rise_time, system=system)
    before = pp.make_trapezoid("x", area=-gx.area / 2, duration=1e-3, system=system)
    for i in range(12):
        phase = pp.make_trapezoid("y", area=(i - 6) / 0.24, duration=1e-3, system=system)
        seq.add_block(rf, gz)
        seq.add_block(before, phase, rephase)
        seq.add_block(gx, adc)
        seq.add_block(pp.make_delay(5e-3))
    return seq


def spiral(pp, system):
    seq = pp.Sequence(system)
    rf, gz, rephase = pp.make_sinc_pulse(
        flip_angle=0.3, duration=2e-3, slice_thickness=5e-3, system=system, return_gz=True, use="excitation"
    )
    raster = system.grad_raster_time
    for turn in range(3):
        u = np.linspace(0, 1, 600)
        k = 80 * u**2 * np.exp(2j * np.pi * (6 * u**1.5 + turn / 3))
        g = np.gradient(k) / raster
        g *= np.clip(np.arange(600) / 30, 0, 1) * np.clip((599 - np.arange(600)) / 40, 0, 1)
        gx, gy = (
            pp.make_arbitrary_grad(c, waveform=w, system=system, first=0, last=0, max_slew=1e12, max_grad=1e12)
            for c, w in (("x", g.real), ("y", g.imag))
        )
        adc = pp.make_adc(1000, dwell=5e-6, delay=200e-6, system=system)
        seq.add_block(rf, gz)
        seq.add_block(rephase)
        seq.add_block(gx, gy, adc)
        seq.add_block(
            pp.make_extended_trapezoid("z", amplitudes=np.array([0, 2e5, 1e5, 0]), times=np.array([0, 3e-4, 6e-4, 1e-3]), system=system)
        )
    return seq


def tse(pp, system):
    seq = pp.Sequence(system)
    excite = pp.make_block_pulse(np.pi / 2, duration=1e-3, system=system, use="excitation")
    refocus = pp.make_block_pulse(np.pi, duration=1e-3, system=system, use="refocusing")
    gx = pp.make_trapezoid("x", flat_area=32 / 0.2, flat_time=1.28e-3, system=system)
    adc = pp.make_adc(32, duration=gx.flat_time, delay=gx.rise_time, system=system)
    half = pp.make_trapezoid("x", area=gx.area / 2, duration=1e-3, system=system)
    spoil = pp.make_trapezoid("z", area=500, duration=1e-3, system=system)
    for shot in range(2):
        seq.add_block(excite)
        seq.add_block(half)
        for echo in range(4):
            phase = pp.make_trapezoid("y", area=(4 * shot + echo - 4) / 0.2, duration=1e-3, system=system)
            back = pp.make_trapezoid("y", area=-(4 * shot + echo - 4) / 0.2, duration=1e-3, system=system)
            seq.add_block(refocus)
            seq.add_block(phase, spoil)
            seq.add_block(gx, adc)
            seq.add_block(back, spoil)
    return seq


def compare(name):
    for kind, short, unit in (("trajectory", "k", None), ("times", "t", 1)):
        mine, expected = np.load(f"{name}_{kind}.npy"), np.load(f"{name}_{short}.npy")
        expected = expected[..., -mine.shape[-1] :] if kind == "trajectory" else expected
        assert mine.shape == expected.shape, (name, kind, mine.shape, expected.shape)
        error = np.abs(mine - expected).max() / (unit or np.abs(expected).max())
        assert error < 1e-6 and np.abs(expected).max() > 0, (name, kind, error)


# ---- damaged files


def broken():
    text = open("spin.seq").read()
    changes = {
        "version": ("minor 5", "minor 1", "is of version 1.1; 1.2 to 1.5 are read"),
        "major": ("major 1", "major x", "major is expected"),
        "raster": ("GradientRasterTime 1e-05", "GradientRasterTime 0", "GradientRasterTime  is 0 s"),
        "number": ("4 60000 100 400", "4 sixty 100 400", 'line 32 is "4 sixty 100 400 100 0": numbers are expected'),
        "columns": ("3 40000 50 100 150 0", "3 40000 50 100 150", "has 5 numbers; 6 are expected"),
        "gradient": ("2 40 0 1 2 0 0 0", "2 40 0 1 9 0 0 0", "a block has the gradient 9, which is missing"),
        "pulse": ("1 20 1 0 0 0 0 0", "1 20 7 0 0 0 0 0", "block 1 has the pulse 7"),
        "readout": ("5 60 0 4 0 5 1 0", "5 60 0 4 0 5 3 0", "block 5 has the readout 3"),
        "samples": ("1 7 50000", "1 99999999 50000", "has 99999999 samples"),
        "shape": ("5 -30000 0 0 5 6 0", "5 -30000 0 0 5 8 0", "a gradient's time has the shape 8"),
        "unpacked": ("num_samples 100\n1\n1\n98", "num_samples 100\n1\n1\n99", "the shape 3 does not unpack to its 100 samples"),
        "times": ("0\n20\n60", "0\n60\n20", "the times of gradient 5 do not rise"),
        "rotation": ("[TRAP]", "extension ROTATIONS\n1 1 0 0 0\n[TRAP]", "the extension's number is expected"),
        "label": ("[TRAP]", "extension LABELSET 1\n1 LIN\n[TRAP]", "an identifier, a value and a label are expected"),
        "blocks": ("[BLOCKS]", "[BRICKS]", "has no [BLOCKS]"),
    }
    for name, (old, new, words) in changes.items():
        assert old in text, name
        with open(name + ".seq", "w") as file:
            file.write(text.replace(old, new, 1))
        with open(name + ".words", "w") as file:
            file.write(words)
    with open("delay.seq", "w") as file:
        file.write(EARLY.format(minor=3, more=" 0", delay=" 0").replace("4 1 0 0 0 0 0", "4 9 0 0 0 0 0"))
    with open("delay.words", "w") as file:
        file.write("block 4 has the event 9, which [DELAYS] does not have")
    with open("uneven.seq", "w") as file:
        file.write(text.replace("5 60 0 4 0 5 1 0", "5 60 0 4 0 5 2 0").replace("[ADC]\n", "[ADC]\n2 5 50000 110 0 0 0 0 0\n"))
    with open("uneven.words", "w") as file:
        file.write("its readouts have 5 to 7 samples")


if __name__ == "__main__":
    {"write": write, "package": package, "compare": compare, "broken": broken}[sys.argv[1]](*sys.argv[2:])
