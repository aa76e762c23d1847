#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/compare_weights.py ARGAND DATA [KIND ...]: which weight is right for quadratic, hyperbola and llr?

Images with a grid of weights from scans whose noise is 3 % of the brightness in an image of all samples: simulated ones of
tools/compare_defaults.py against their truth; real ones of the folder DATA, of which lines or shots are left out and noise is added,
against the image of all their data; for llr series of twelve frames, whose parts brighten and fade differently. Prints a table of
relative errors (after the best factor). Needs numpy, finufft, ismrmrd. Minutes."""
import os, shutil, subprocess, sys, tempfile
import ismrmrd, numpy as np
import compare_defaults, simulated_scans as sim

GRID = {'quadratic': (.0003, .001, .003, .01, .03, .1, .3), 'hyperbola': (.003, .01, .03, .1, .3, 1), 'llr': (.0003, .001, .003, .01, .03, .1)}
NOISE, FRAMES, N, FINE = 0.03, 12, compare_defaults.N, 4


def bright(x):
    return np.sqrt((abs(x)**4).sum() / (abs(x)**2).sum())


def apart(x, reference):
    x, r = x.ravel(), reference.ravel()
    return np.linalg.norm(np.vdot(x, r) / np.vdot(x, x) * x - r) / np.linalg.norm(r)


def sense(tool, scan, *words):
    out = scan + '.out.npy'
    subprocess.run([tool, 'sense', scan, out, '--part', 'complex', '--quiet', '--threads', '1', '--device', 'cpu', *words], check=True)
    return np.load(out).astype('c16')


def copy_scan(source, target, keep, sigma):
    """Those acquisitions that keep(counter of the shot) names, with noise of E |n|^2 = sigma^2; arrays as they are."""
    random = np.random.default_rng(5)
    a, b = ismrmrd.Dataset(source, 'dataset', create_if_needed=False), ismrmrd.Dataset(target, 'dataset')
    b.write_xml_header(a.read_xml_header())
    for i in range(a.number_of_acquisitions()):
        q = a.read_acquisition(i)
        if not keep(q.idx.kspace_encode_step_1): continue
        q.data[:] += (sigma / np.sqrt(2) * (random.standard_normal(q.data.shape) + 1j * random.standard_normal(q.data.shape))).astype('c8')
        b.append_acquisition(q)
    b.close()


def real(tool, folder, data, name, keep, words, maps=True):
    """The scan with less data and more noise, the options that reconstruct it, and the image of all of them."""
    full, part = shutil.copy(os.path.join(data, name), folder), os.path.join(folder, 'part.h5')  # the package opens files to write
    given = list(words)
    if maps:
        subprocess.run([tool, 'calibrate', 'coils', full, folder + '/maps.npy', '--quiet'], check=True)
        given += ['--coil-maps', folder + '/maps.npy']
    reference = sense(tool, full, *given)
    d = ismrmrd.Dataset(full, 'dataset', create_if_needed=False)
    count = sum(d.read_acquisition(i).data.shape[1] for i in range(d.number_of_acquisitions()))
    copy_scan(full, part, keep, NOISE * bright(reference) * np.sqrt(count))
    return part, given, reference


def simulated(folder, name):
    trajectory, simulated, *written = compare_defaults.SCANS[name]
    scan = sim.simulate(trajectory, **{**simulated, 'snr': 1 / NOISE})
    words = sim.write(folder, scan, 'h5', **dict(*written))
    return words[0], ['--coil-maps', os.path.join(folder, 'maps.npy')], scan.truth.transpose(0, 2, 1)


IMAGES = {
    'brain, single-shot spiral (real)': lambda t, f, d: real(t, f, d, 'brain_spiral_2d/brain_spiral_2d.h5', lambda s: True, ['--transform', 'nufft'], False),
    'brain, stack of spirals (real)': lambda t, f, d: real(t, f, d, 'brain_stack_of_spirals_3d/brain_stack_of_spirals_3d.h5', lambda s: True,
                                                           ['--transform', 'nufft'], False),
    'phantom, Cartesian, R = 3 (real noise)': lambda t, f, d: real(t, f, d, 'phantom_cartesian/phantom_cartesian.h5', lambda s: s % 3 == 0 or abs(s - 64) < 8, []),
    'phantom, 18 of 54 spirals (real)': lambda t, f, d: real(t, f, d, 'spiral_b0_phantom/spiral_shimmed_phantom.h5', lambda s: s % 3 == 0, []),
    '8 spirals': lambda t, f, d: simulated(f, 'spiral, 8 coils'),
    '34 spokes': lambda t, f, d: simulated(f, 'radial, 34 golden spokes'),
    '100 spokes': lambda t, f, d: simulated(f, 'radial, 100 golden spokes'),
    'Cartesian, R = 2': lambda t, f, d: simulated(f, 'R = 2, not flagged'),
    'Cartesian, R = 3': lambda t, f, d: simulated(f, 'R = 3, flagged, 16 coils'),
}


def lines(r, frame):
    return [np.stack([np.arange(N) - N / 2, np.full(N, l - N / 2)], -1) for l in range(N) if l % r == frame % r or abs(l - N // 2) < 4]


def golden(spokes, frame):
    return sim.radial(N, spokes * FRAMES)[spokes * frame:spokes * (frame + 1)]


SERIES = {'13 spokes a frame': lambda f: golden(13, f), '21 spokes a frame': lambda f: golden(21, f), '2 of 8 spirals': lambda f: sim.spiral(N, 8)[f % 4::4],
          '1 of 8 spirals': lambda f: sim.spiral(N, 8)[f % 8::8], 'lines, R = 3': lambda f: lines(3, f), 'lines, R = 4': lambda f: lines(4, f)}


def series(folder, name, coils=8):
    """Frames of a head of which three parts change by courses of their own."""
    random, scan = np.random.default_rng(7), os.path.join(folder, 'series.h5')
    x, y = np.meshgrid(sim.axis(N * FINE, 1), sim.axis(N * FINE, 1), indexing='ij')
    head, maps = sim.shepp_logan()(x, y), sim.gaussian_coils(x, y, coils)
    courses = [(np.hypot(x - .25, y - .2) < .2, lambda t: np.exp(-2 * t)), (np.hypot(x + .3, y + .1) < .18, lambda t: 1.5 - np.exp(-4 * t)),
               (np.hypot(x, y + .5) < .15, lambda t: 1 + .5 * np.sin(5 * t))]
    frames = [head * (1 + sum(part * (course(f / FRAMES) - .5) for part, course in courses)) for f in range(FRAMES)]
    truth = np.array([sim.low_pass(f, N, 1, FINE).T for f in frames])
    d = ismrmrd.Dataset(scan, 'dataset')
    d.write_xml_header(sim.XML.format(kind='radial', e=(N, N, 1), r=(N, N, 1), fx=200, fz=5, last=N - 1, centre=N // 2, parallel='').encode())
    for f, image in enumerate(frames):
        places = SERIES[name](f)
        k = np.concatenate(places)
        samples = sim.samples_of(maps * image, k, 1, FINE)
        samples += NOISE * bright(truth) * N / np.sqrt(2) * (random.standard_normal(samples.shape) + 1j * random.standard_normal(samples.shape))
        for i, block in enumerate(np.split(samples, np.cumsum([len(p) for p in places])[:-1], 1)):
            a = ismrmrd.Acquisition.from_array(block.astype('c8'), places[i].astype('f4'))
            a.idx.kspace_encode_step_1, a.idx.repetition, a.sample_time_us = i, f, 5
            a.read_dir[:], a.phase_dir[:], a.slice_dir[:] = (1, 0, 0), (0, 1, 0), (0, 0, 1)
            d.append_acquisition(a)
    d.close()
    given = sim.gaussian_coils(*np.meshgrid(sim.axis(N, 1), sim.axis(N, 1), indexing='ij'), coils)
    np.save(scan + '.npy', given.transpose(0, 2, 1)[:, None].astype('c8'))
    return scan, ['--coil-maps', scan + '.npy'], truth


def main(tool, data, kinds):
    for kind in kinds or GRID:
        print(f'\n| {kind} | without | ' + ' | '.join(f'{w:g}' for w in GRID[kind]) + ' |\n|' + '---|' * (len(GRID[kind]) + 2), flush=True)
        for name in SERIES if kind == 'llr' else IMAGES:
            with tempfile.TemporaryDirectory() as folder:
                scan, words, reference = series(folder, name) if kind == 'llr' else IMAGES[name](tool, folder, data)
                errors = [apart(sense(tool, scan, *words, *rule), reference) for rule in [[]] + [['-r', f'{kind}:{w:g}'] for w in GRID[kind]]]
                print(f'| {name} | ' + ' | '.join(f'{e:.4f}' for e in errors) + ' |', flush=True)


if __name__ == '__main__':
    if len(sys.argv) < 3: sys.exit(__doc__)
    main(os.path.realpath(sys.argv[1]), sys.argv[2], sys.argv[3:])
