#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/compare_defaults.py ARGAND [NAME ...]: is the shortest command right?

Simulates scans in NumPy (tools/simulated_scans.py), reconstructs each by `argand sense SCAN OUT` and by the alternatives that a user
could think of, and prints a table: the error of the shortest command over the least error of all of them. With words it does those
scans alone in whose names one of the words stands. `--beyond RATIO` prints the notes where the ratio is larger (1.2). Needs numpy,
h5py; FINUFFT makes it faster. About half an hour on one core.

The error is |gain image - truth| / |truth| of magnitudes inside the object, with a gain that is a polynomial of fourth order
over the image: coils that are whitened or estimated shade it otherwise, which no option is better at."""
import argparse, os, tempfile
import simulated_scans as sim
from simulated_scans import Lines, Points, radial, shepp_logan, spiral

N = 64
LEVELS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
FEW = dict(coils=8, snr=30)
OWN = dict(image=lambda x, y: sim.ellipses(x, y), coil_maps=sim.ring_coils, fine=1)
# name: (trajectory, what is simulated, what is written)
SCANS = {
    'spiral, 8 coils': (spiral(N, 8), dict(coils=8)),
    'spiral, 32 coils': (spiral(N, 8), dict(coils=32, snr=10)),
    'spiral, noisy': (spiral(N, 8), dict(coils=8, snr=5)),
    'spiral, half of the shots': (spiral(N, 16, 2), dict(coils=12, snr=30)),
    'spiral, off centre': (spiral(N, 8), dict(coils=8, image=shepp_logan(0.69, 0.35))),
    'spiral, object beyond the field of view': (spiral(N, 8), dict(coils=8, image=shepp_logan(1.38), reach=2)),
    'radial, 100 golden spokes': (radial(N, 100), dict(coils=8)),
    'radial, 100 spokes, noisy': (radial(N, 100), dict(coils=8, snr=5)),
    'radial, 34 golden spokes': (radial(N, 34), dict(coils=12, snr=30)),
    'radial, coils 5 times apart': (radial(N, 100), dict(coils=8, spread=5, correlation=0.5), dict(noise_scan=True)),
    'stack of stars': (radial(N, 64), dict(coils=8, partitions=6)),
    'Cartesian, R = 1': (Lines(N, 1, 0), dict(coils=8)),
    'Cartesian, 4 coils, oversampled': (Lines(N, 1, 0), dict(coils=4, oversampled=True)),
    'Cartesian, coils 5 times apart': (Lines(N, 1, 0), dict(coils=8, spread=5, correlation=0.5, snr=10), dict(noise_scan=True)),
    'R = 2, calibration and image flagged': (Lines(N, 2, 24), dict(coils=8), dict(flag='both')),
    'R = 2, not flagged': (Lines(N, 2, 24), dict(coils=8)),
    'R = 2, calibration lines apart': (Lines(N, 2, 24), dict(coils=8), dict(flag='apart')),
    'R = 3, flagged, 16 coils': (Lines(N, 3, 24), dict(coils=16, snr=30), dict(flag='both')),
    'R = 3, 32 coils, correlated': (Lines(N, 3, 24), dict(coils=32, snr=30, spread=3, correlation=0.6), dict(flag='both', noise_scan=True)),
    'R = 2, noisy': (Lines(N, 2, 24), dict(coils=8, snr=8), dict(flag='apart')),
    'two slices, one empty': (Lines(N, 1, 0), dict(coils=8), dict(empty=True)),
    **{f'{r}, noise {noise}': (lines, dict(coils=coils, n=lines.n, noise=noise, **OWN), dict(format='npy'))
       for r, coils, lines in (('R = 2, 256 x 256, 4 coils, 28 lines', 4, Lines(256, 2, 28)), ('R = 2, 24 lines', 8, Lines(128, 2, 24)),
                               ('R = 3, 24 lines', 8, Lines(128, 3, 24)))
       for noise in (LEVELS if lines.n == 128 else LEVELS[2:5])},
    **{f'points, {part:.0%}, .{format}': (Points(128, part, 16), dict(coils=8, n=128, snr=40), dict(format=format))
       for part in (0.12, 0.15, 0.19) for format in ('npy', 'cfl')},
    **{f'points, 19 %, volume, .{format}': (Points(N, 0.19, 16), dict(coils=8, partitions=4), dict(format=format)) for format in ('h5', 'npy', 'cfl')},
    **{f'R = {r}, 8 calibration lines, .{format}': (Lines(96, r, 8), dict(coils=8, n=96), dict(format=format))
       for r in (2, 3) for format in ('h5', 'npy', 'cfl')},
    **{f'radial, 39 spokes, strong phase, .{format}': (radial(96, 39), dict(coils=8, n=96, image=sim.strong_phase), dict(format=format))
       for format in ('h5', 'npy', 'cfl')},
    'radial, 39 spokes, strong phase, noisy': (radial(96, 39), dict(coils=8, n=96, image=sim.strong_phase, snr=10)),
    **{f'R = 2, 24 lines, .{format}': (Lines(N, 2, 24), dict(coils=8), dict(format=format)) for format in ('npy', 'cfl')},
    **{f'spiral, 8 coils, .{format}': (spiral(N, 8), dict(coils=8), dict(format=format)) for format in ('npy', 'cfl')},
}


def scan_of(name):
    trajectory, simulated, *written = SCANS[name]
    return sim.simulate(trajectory, **simulated), dict(written[0]) if written else {}


def alternatives(on_grid):
    yield from (f'-n {n}' for n in (5, 10, 20, 40))
    if not on_grid: yield from ('--density none -n 10', '--density none -n 40', '--density pipe -n 5', '--density pipe -n 15')
    yield from (f'--coils {c}' for c in ('adaptive', 'espirit', 'joint'))
    yield from (f'-r {r}' for r in ('quadratic:0.01', 'tikhonov:0.1'))


def row(tool, name, folder, beyond):
    scan, written = scan_of(name)
    words, out = sim.write(folder, scan, written.pop('format', 'h5'), **written), os.path.join(folder, 'out.npy')

    def measure(options):
        return sim.measure(tool, words, out, options.split(), scan)
    shortest, notes, last = measure('')
    results = {o: measure(o)[0] for o in alternatives(scan.on_grid())}
    best = min(results, key=results.get)
    least = min(shortest, results[best])
    maps, wavelet, tv = (measure(o)[0] for o in (f'--coil-maps {folder}/maps.npy', '-r wavelet:0.01', '-r tv:auto'))
    by = '' if least == shortest else best + (' (named)' if sim.is_named(best, notes) else '')
    proposed = ', '.join(k for k in ('tv', 'wavelet') if sim.is_named(f'-r {k}', notes))
    print(f'| {name} | {shortest:.4f} | {last.get("iterate", last.get("message", ""))} | {least:.4f} | {shortest / least:.2f} | {by} | '
          f'{maps:.4f} | {wavelet:.4f} | {tv:.4f} | {proposed} |', flush=True)
    if shortest > beyond * least: print(''.join(f'    {n}\n' for n in notes), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tool')
    parser.add_argument('words', nargs='*')
    parser.add_argument('--beyond', type=float, default=1.2)
    given = parser.parse_args()
    print('| scan | shortest | iterate | best of its options | ratio | by | given true maps | wavelet | tv:auto | proposed |\n'
          '|---|---|---|---|---|---|---|---|---|---|')
    for name in SCANS:
        if given.words and not any(w in name for w in given.words): continue
        with tempfile.TemporaryDirectory() as folder: row(given.tool, name, folder, given.beyond)


if __name__ == '__main__': main()
