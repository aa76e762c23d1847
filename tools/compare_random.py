#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/compare_random.py ARGAND: the shortest command on scans drawn at random, against the best of five options.

Each seed draws a scan in NumPy (tools/simulated_scans.py): trajectory, acceleration, coils, noise, object and its phase, format, flags.
It is reconstructed by `argand sense SCAN OUT` and with -n 10, -r tv:auto, --coils adaptive, --coils joint and -r quadratic:0.01.
Printed are a table sorted by the error of the shortest command over the least of the five, how the ratios are distributed, and the ten
largest with the notes of their shortest command. `--seed N` repeats one; `--keep FOLDER` keeps its files.
Needs numpy, h5py; FINUFFT makes it faster. Two to five seconds for a scan on one core."""
import argparse, os, sys, tempfile
try: import numpy as np, simulated_scans as sim
except ImportError as error: sys.exit(print(f'skipped: {error}') or 77)

OPTIONS = ('-n 10', '-r tv:auto', '--coils adaptive', '--coils joint', '-r quadratic:0.01')


# ----------------------------------------------------------------------------------------------------------- what is drawn
def draw_phase(random):
    """A name and a phase in radians as a function of (x, y)"""
    a = random.uniform(-1, 1, 5)
    strength = random.choice(['none', 'weak', 'strong'], p=[.2, .4, .4])
    size = {'none': 0, 'weak': 1, 'strong': 6}[strength]
    return strength, lambda x, y: size * (a[0] * x + a[1] * y + a[2] * x * y + a[3] * (x * x - y * y) + a[4] * np.cos(2.5 * x + y))


def draw_object(random):
    """A name and an image as a function of (x, y); all within 0.95 of the field of view"""
    kind = random.choice(['Shepp-Logan', 'ellipses', 'texture', 'discs'])
    size, turn, dx, dy = random.uniform(.6, .92), random.uniform(0, 360), *random.uniform(-.08, .08, 2)
    if kind == 'discs': list = [(random.uniform(.3, 1), r, r, *(random.uniform(-.6, .6, 2)), 0) for r in random.uniform(.05, .3, 8)]
    elif kind == 'ellipses':
        list = [(1, .75, .9, 0, 0, 0)] + [(random.uniform(-.4, .5), *random.uniform(.05, .35, 2), *random.uniform(-.4, .4, 2),
                                           random.uniform(0, 180)) for _ in range(random.integers(4, 12))]
    else: list = sim.ELLIPSES
    waves = [(random.uniform(.01, .06), *random.uniform(-25, 25, 2), random.uniform(0, 6)) for _ in range(12)] if kind == 'texture' else []
    strength, phase = draw_phase(random)

    def image(x, y):
        c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
        u, v = ((x - dx) * c + (y - dy) * s) / size, (-(x - dx) * s + (y - dy) * c) / size
        found = abs(sim.ellipses(u, v, list))
        for a, p, q, shift in waves: found *= 1 + a * np.cos(p * u + q * v + shift)
        return found * np.exp(1j * phase(x, y))
    return f'{kind}, {strength} phase', image


def draw_lines(random, n, coils):
    r = int(random.integers(1, max(min(5, coils // 2 + 1), 2)))
    centre = 0 if r == 1 else int(random.choice([8, 12, 16, 20, 24, 32]))
    return f'lines R = {r}, {centre} for calibration', sim.Lines(n, r, centre)


def draw_points(random, n, coils):
    part, centre = random.uniform(.12, .4) if coils > 4 else random.uniform(.3, .5), int(random.choice([12, 16, 20, 24]))
    return f'points {part:.0%}, disc of {centre}', sim.Points(n, part, centre, random.uniform(1, 4), int(random.integers(1 << 30)))


def draw_radial(random, n, coils):
    golden, spokes = bool(random.integers(2)), int(n * np.pi / 2 / (random.uniform(1, 4) if coils > 4 else random.uniform(.8, 1.5)))
    return f'{"golden " if golden else ""}radial, {spokes} spokes', sim.radial(n, spokes, golden)


def draw_spiral(random, n, coils):
    shots, every, power = int(random.choice([4, 6, 8, 12, 16])), int(random.integers(1, 4 if coils > 4 else 2)), random.uniform(.55, 1)
    return f'spiral, {shots} shots, each {every}. of them, t^{power:.2f}', sim.spiral(n, shots, every, power)


TRAJECTORIES = {'lines': draw_lines, 'points': draw_points, 'radial': draw_radial, 'spiral': draw_spiral, 'stars': draw_radial}


def draw(seed):
    """A text, what is simulated and what is written"""
    random = np.random.default_rng([seed, 20261129])
    kind = random.choice(list(TRAJECTORIES), p=[.35, .2, .2, .15, .1])
    n, coils = int(random.choice([48, 64, 80, 96], p=[.3, .4, .2, .1])), int(random.choice([1, 4, 6, 8, 12, 16], p=[.05, .2, .2, .35, .1, .1]))
    if coils == 1: kind = random.choice(['lines', 'radial', 'spiral'])
    if kind == 'stars': n, coils = 48, min(coils, 8)
    text, trajectory = TRAJECTORIES[kind](random, n, coils)
    format = str(random.choice(['h5', 'npy', 'cfl'], p=[.5, .3, .2]))
    partitions = 4 if kind == 'stars' or kind == 'points' and (format == 'h5' or random.random() < .2) else 1
    noise, spread = float(np.exp(random.uniform(np.log(.005), np.log(.3)))), float(random.choice([1, 1, 3]))
    correlation = float(random.choice([0, 0.3]))
    name, image = draw_object(random)
    coil_kind = str(random.choice(['gaussian', 'ring']))
    written = dict(format=format)
    if format == 'h5':
        written['noise_scan'] = bool(random.random() < (.8 if spread > 1 else .2))
        if kind == 'lines': written['flag'] = [None, 'both', 'apart'][random.integers(3)] if trajectory.r > 1 else None
    oversampled = bool(kind == 'lines' and format == 'h5' and random.random() < .3)
    maps = sim.ring_coils if coil_kind == 'ring' else sim.gaussian_coils
    what = dict(trajectory=trajectory, coils=coils, n=n, fine=3, image=image, noise=noise, spread=spread, correlation=correlation,
                coil_maps=maps, partitions=partitions, oversampled=oversampled, seed=seed)
    flags = ''.join(f', {k}' if v is True else f', flagged {v}' for k, v in written.items() if v and k != 'format')
    flags += ', oversampled' if oversampled else ''
    planes = f' x {partitions}' if partitions > 1 else ''
    head = f'{n} x {n}{planes}, {"stack of " if kind == "stars" else ""}{text}, {coils} {coil_kind} coils'
    return f'{head}, noise {noise:.3f} ({spread:g}), {name}, .{format}{flags}', what, written


# ------------------------------------------------------------------------------------------------------------ one draw, all
def study(tool, seed, folder):
    """text, error of the shortest command, {option: error}, notes and last event of the shortest"""
    text, what, written = draw(seed)
    scan = sim.simulate(**what)
    words, out = sim.write(folder, scan, written.pop('format'), **written), os.path.join(folder, 'out.npy')
    options = [o for o in OPTIONS if 'joint' not in o or what['partitions'] == 1 or scan.on_grid()]  # of stacks it takes a minute
    shortest, notes, last = sim.measure(tool, words, out, [], scan)
    return dict(seed=seed, text=text, shortest=shortest, notes=notes, last=last,
                errors={o: sim.measure(tool, words, out, o.split(), scan)[0] for o in options})


def ratio_of(found):
    least = min(found['errors'].values())
    return found['shortest'] / least if np.isfinite(least) else 1.0 if not np.isfinite(found['shortest']) else 0.0


def line_of(found):
    best = min(found['errors'], key=found['errors'].get)
    named = ' (named)' if sim.is_named(best, found['notes']) else ''
    return f'| {found["seed"]} | {ratio_of(found):.2f} | {found["shortest"]:.4f} | {found["errors"][best]:.4f} | {best}{named} | {found["text"]} |'


def is_silent(found, limit):
    """Whether an option is better by more than the limit and no note names it."""
    best = min(found['errors'], key=found['errors'].get)
    return ratio_of(found) > limit and not sim.is_named(best, found['notes'])


def summary(all):
    ratios = np.array([ratio_of(f) for f in all])
    print(f'\n{len(all)} scans; ratio: ' + ', '.join(f'{q} % below {np.quantile(ratios, q / 100):.2f}' for q in (10, 50, 75, 90, 95, 99)))
    print(f'within 1.2 of the best option: {np.mean(ratios <= 1.2):.1%}; beyond, and a note names it: '
          f'{np.mean([r > 1.2 and not is_silent(f, 1.2) for r, f in zip(ratios, all)]):.1%}; beyond without a word: {np.mean([is_silent(f, 1.2) for f in all]):.1%}')
    # A penalty knows that objects are piecewise smooth; other options say whether the method or its maps were chosen wrongly.
    plain = np.array([f['shortest'] / min(e for o, e in f['errors'].items() if 'tv' not in o) for f in all])
    print('against the four options without tv: ' + ', '.join(f'{q} % below {np.nanquantile(plain, q / 100):.2f}' for q in (50, 90, 99)))
    print('errors above 0.3: ' + (', '.join(str(f['seed']) for f in all if 0.3 < f['shortest'] < np.inf) or 'none'))
    print('no image by the shortest command: ' + (', '.join(str(f['seed']) for f in all if not np.isfinite(f['shortest'])) or 'none'))


def details(found):
    print(f'\nseed {found["seed"]}: {found["text"]}\n  shortest {found["shortest"]:.4f}, iterate {found["last"].get("iterate", "?")}; '
          + ', '.join(f'{o} {e:.4f}' for o, e in found['errors'].items()))
    print(''.join(f'    {n}\n' for n in found['notes'] + [found['last'].get('message', '')] if n and '/out' not in n[:40]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tool')
    parser.add_argument('--count', type=int, default=2000)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--seed', type=int, action='append', help='this one alone; may be repeated')
    parser.add_argument('--keep', metavar='FOLDER')
    parser.add_argument('--limit', type=float, help='fail if a ratio is above it without a note that names the option, or an image is missing')
    given = parser.parse_args()
    all = []
    try:
        for seed in given.seed or range(given.first, given.first + given.count):
            with tempfile.TemporaryDirectory() as folder:
                if given.keep: os.makedirs(given.keep, exist_ok=True)
                all.append(study(given.tool, seed, given.keep or folder))
            print(line_of(all[-1]), file=sys.stderr, flush=True)
    except KeyboardInterrupt: pass  # those that are done are printed
    all.sort(key=ratio_of, reverse=True)
    print('| seed | ratio | shortest | least of five | by | scan |\n|---|---|---|---|---|---|')
    for found in all: print(line_of(found))
    summary(all)
    for found in all[:10]: details(found)
    if given.limit and any(is_silent(f, given.limit) or not np.isfinite(f['shortest']) for f in all): sys.exit(1)


if __name__ == '__main__': main()
