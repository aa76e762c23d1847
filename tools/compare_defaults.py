#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/compare_defaults.py ARGAND [NAME ...]: is the shortest command right?

Simulates twenty-one scans in NumPy (nothing of Argand is in them: Shepp-Logan on a grid four times finer, with a phase, coils of
its own, noise with a covariance, written by the ismrmrd package), reconstructs each by `argand sense SCAN OUT` and by the
alternatives that a user could think of, and prints a table: the error of the shortest command over the least error of all of
them. Needs numpy, finufft, ismrmrd. About ten minutes on two cores. With names it does these scans alone.

The error is |gain image - truth| / |truth| of magnitudes inside the object, with a gain that is a polynomial of fourth order
over the image: coils that are whitened or estimated shade it otherwise, which no option is better at."""
import itertools, json, os, subprocess, sys, tempfile
import finufft, ismrmrd, numpy as np

N, FINE = 64, 4
ELLIPSES = [(1, .69, .92, 0, 0, 0), (-.8, .6624, .874, 0, -.0184, 0), (-.2, .11, .31, .22, 0, -18), (-.2, .16, .41, -.22, 0, 18),
            (.1, .21, .25, 0, .35, 0), (.1, .046, .046, 0, .1, 0), (.1, .046, .046, 0, -.1, 0), (.1, .046, .023, -.08, -.605, 0),
            (.1, .023, .023, 0, -.606, 0), (.1, .023, .046, .06, -.605, 0)]


def axis(n, reach):
    return (np.arange(n) - n // 2) * 2 * reach / n  # -reach to reach; 1 is the edge of the field of view


def phantom(x, y, scale, shift):
    image = np.zeros(x.shape)
    x, y = (x - shift) / scale, y / scale
    for a, rx, ry, x0, y0, degrees in ELLIPSES:
        c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
        u, v = (x - x0) * c + (y - y0) * s, -(x - x0) * s + (y - y0) * c
        image += a * ((u / rx)**2 + (v / ry)**2 <= 1)
    return image * np.exp(1j * (0.8 * x - 0.5 * y * y + 0.3))


def coil_maps(x, y, coils):
    maps = []
    for c in range(coils):
        angle, ring = 2 * np.pi * c / coils + 0.2, 1.25 + 0.35 * (c % 2)
        near = (x - ring * np.cos(angle))**2 + (y - ring * np.sin(angle))**2
        maps.append(np.exp(-near / 1.6 + 1j * (angle + 0.9 * x * np.cos(2 * angle) + 0.7 * y * np.sin(3 * angle))))
    maps = np.array(maps)
    return maps / np.sqrt((abs(maps)**2).sum(0))


def covariance(coils, spread, correlation):
    sigma = spread**np.linspace(0, 1, coils)[np.argsort(np.arange(coils) * 7 % coils)]
    c = correlation**abs(np.subtract.outer(range(coils), range(coils))) * np.exp(0.4j * np.subtract.outer(range(coils), range(coils)))
    return sigma[:, None] * c * sigma[None, :]


def spiral(shots, every=1):
    t = np.linspace(0, 1, 6 * N * 8 // shots if shots < 8 else 6 * N)
    k = N / 2 * t**0.8 * np.exp(2j * np.pi * N / 2 / shots * t**0.8)
    return [np.stack([z.real, z.imag], -1) for z in (k * np.exp(2j * np.pi * s / shots) for s in range(0, shots, every))]


def radial(spokes):
    r = (np.arange(2 * N) - N) / 2
    return [np.outer(r, [np.cos(a), np.sin(a)]) for a in np.arange(spokes) * np.pi * (np.sqrt(5) - 1) / 2]


def cartesian(r, centre):
    """lines, and how each is flagged: 0 image, 20 calibration, 21 both"""
    lines = [l for l in range(N) if l % r == 0 or abs(l - N // 2) < centre / 2]
    return [(l, l % r == 0, abs(l - N // 2) < centre / 2) for l in lines]


# name: (trajectory, options)
SCANS = {
    'spiral, 8 coils': (spiral(8), dict(coils=8)),
    'spiral, 32 coils': (spiral(8), dict(coils=32, snr=10)),
    'spiral, noisy': (spiral(8), dict(coils=8, snr=5)),
    'spiral, half of the shots': (spiral(16, 2), dict(coils=12, snr=30)),
    'spiral, off centre': (spiral(8), dict(coils=8, shift=0.35, scale=0.6)),
    'spiral, object beyond the field of view': (spiral(8), dict(coils=8, scale=1.2)),
    'radial, 100 golden spokes': (radial(100), dict(coils=8)),
    'radial, 100 spokes, noisy': (radial(100), dict(coils=8, snr=5)),
    'radial, 34 golden spokes': (radial(34), dict(coils=12, snr=30)),
    'radial, coils 5 times apart': (radial(100), dict(coils=8, spread=5, correlation=0.5, noise_scan=True)),
    'stack of stars': (radial(64), dict(coils=8, partitions=6)),
    'Cartesian, R = 1': (cartesian(1, 0), dict(coils=8)),
    'Cartesian, 4 coils, oversampled': (cartesian(1, 0), dict(coils=4, oversampled=True)),
    'Cartesian, coils 5 times apart': (cartesian(1, 0), dict(coils=8, spread=5, correlation=0.5, noise_scan=True, snr=10)),
    'R = 2, calibration and image flagged': (cartesian(2, 24), dict(coils=8, flag='both')),
    'R = 2, not flagged': (cartesian(2, 24), dict(coils=8)),
    'R = 2, calibration lines apart': (cartesian(2, 24), dict(coils=8, flag='apart')),
    'R = 3, flagged, 16 coils': (cartesian(3, 24), dict(coils=16, flag='both', snr=30)),
    'R = 3, 32 coils, correlated': (cartesian(3, 24), dict(coils=32, flag='both', snr=30, spread=3, correlation=0.6, noise_scan=True)),
    'R = 2, noisy': (cartesian(2, 24), dict(coils=8, snr=8, flag='apart')),
    'two slices, one empty': (cartesian(1, 0), dict(coils=8, empty=True)),
}

HEADER = '''<?xml version="1.0"?><ismrmrdHeader xmlns="http://www.ismrm.org/ISMRMRD"><experimentalConditions><H1resonanceFrequency_Hz>
123000000</H1resonanceFrequency_Hz></experimentalConditions><encoding><trajectory>{kind}</trajectory><encodedSpace><matrixSize><x>{nx}</x>
<y>{n}</y><z>{nz}</z></matrixSize><fieldOfView_mm><x>{fx}</x><y>200</y><z>{fz}</z></fieldOfView_mm></encodedSpace><reconSpace><matrixSize>
<x>{n}</x><y>{n}</y><z>{nz}</z></matrixSize><fieldOfView_mm><x>200</x><y>200</y><z>{fz}</z></fieldOfView_mm></reconSpace><encodingLimits>
<kspace_encoding_step_1><minimum>0</minimum><maximum>{last}</maximum><center>{centre}</center></kspace_encoding_step_1></encodingLimits>
{parallel}</encoding></ismrmrdHeader>'''


def samples_of(image, k, reach):
    """image {planes of coils, fine, fine} over [-reach, reach] of the field of view, at k in cycles per field of view"""
    n = image.shape[-1]
    w = 2 * np.pi * reach * k / n
    return finufft.nufft2d2(w[:, 0].copy(), w[:, 1].copy(), np.ascontiguousarray(image), isign=-1, eps=1e-9, nthreads=1) / FINE**2


def write(path, trajectory, coils, snr=40, scale=0.9, shift=0, spread=1, correlation=0, noise_scan=False, partitions=1,
          oversampled=False, flag=None, empty=False):
    random = np.random.default_rng(3)
    reach = 2 if scale + abs(shift) > 1 else 1
    x, y = np.meshgrid(axis(N * FINE * reach, reach), axis(N * FINE * reach, reach), indexing='ij')
    on_grid = isinstance(trajectory[0], tuple)
    kx = np.arange(N * (2 if oversampled else 1)) / (2 if oversampled else 1) - N / 2
    ks = [np.stack([kx, np.full(kx.size, l - N // 2, float)], -1) for l, _, _ in trajectory] if on_grid else trajectory
    depth = [1 + 0.15 * np.cos(p) for p in range(partitions)]  # planes differ
    fine = np.array([phantom(x, y, scale * d, shift) for d in depth])
    maps = coil_maps(x, y, coils)
    k = np.concatenate(ks)
    planes = np.array([samples_of(maps * f, k, reach) for f in fine])  # {plane, coil, sample}
    truth = np.array([low_pass(f, reach) for f in fine])
    if partitions > 1:
        z = np.arange(partitions) - partitions // 2
        planes = np.einsum('kz,zcs->kcs', np.exp(-2j * np.pi * np.outer(z, z) / partitions), planes)
    inside = abs(truth[0]) > 0.05
    root = np.linalg.cholesky(covariance(coils, spread, correlation))
    rms = np.sqrt((abs(root)**2).sum(1).mean())
    sigma = abs(truth[0])[inside].mean() * np.sqrt(k.shape[0] * partitions) / snr / np.sqrt(2) / rms
    noise = lambda count: sigma * root @ (random.standard_normal((coils, count)) + 1j * random.standard_normal((coils, count)))
    data = ismrmrd.Dataset(path, 'dataset')
    apart = '<parallelImaging><accelerationFactor><kspace_encoding_step_1>2</kspace_encoding_step_1><kspace_encoding_step_2>1' \
            '</kspace_encoding_step_2></accelerationFactor><calibrationMode>embedded</calibrationMode></parallelImaging>'
    data.write_xml_header(HEADER.format(kind='cartesian' if on_grid else 'radial', nx=N * (2 if oversampled else 1), n=N, nz=partitions,
                                        fx=400 if oversampled else 200, fz=5 * partitions, last=N - 1, centre=N // 2,
                                        parallel=apart if flag else '').encode())
    def put(block, place, step=0, partition=0, slice=0, flags=()):
        a = ismrmrd.Acquisition.from_array(block.astype('c8'), None if place is None else place.astype('f4'))
        a.idx.kspace_encode_step_1, a.idx.kspace_encode_step_2, a.idx.slice = step, partition, slice
        a.sample_time_us, a.center_sample = 5, block.shape[1] // 2
        a.read_dir[:], a.phase_dir[:], a.slice_dir[:] = (1, 0, 0), (0, 1, 0), (0, 0, 1)
        a.position[:] = (0, 0, 5 * slice)
        for f in flags: a.setFlag(f)
        data.append_acquisition(a)
    for _ in range(4 if noise_scan else 0): put(noise(512), None, flags=[ismrmrd.ACQ_IS_NOISE_MEASUREMENT])
    for p in range(partitions):
        at = 0
        for i, place in enumerate(ks):
            block = planes[p][:, at:at + len(place)] + noise(len(place))
            at += len(place)
            if on_grid:
                line, image, centre = trajectory[i]
                flags = []
                if flag == 'both' and centre: flags = [ismrmrd.ACQ_IS_PARALLEL_CALIBRATION_AND_IMAGING if image else ismrmrd.ACQ_IS_PARALLEL_CALIBRATION]
                if flag == 'apart' and centre:
                    put(block, None, line, flags=[ismrmrd.ACQ_IS_PARALLEL_CALIBRATION])
                    if not image: continue
                put(block, None, line, flags=flags)
                if empty: put(0 * block, None, line, slice=1)
            else:
                kz = np.full((len(place), 1), p - partitions // 2)
                put(block, np.hstack([place, kz]) if partitions > 1 else place, i, p)
    data.close()
    coarse = np.meshgrid(axis(N, 1), axis(N, 1), indexing='ij')
    given = coil_maps(*coarse, coils)
    np.save(path + '.npy', np.repeat(given.transpose(0, 2, 1)[:, None], partitions, 1).astype('c8'))
    return truth, inside


def low_pass(fine, reach):
    """What N by N samples of k-space see of the image."""
    k = np.stack(np.meshgrid(np.arange(N) - N // 2, np.arange(N) - N // 2, indexing='ij'), -1).reshape(-1, 2).astype(float)
    s = samples_of(fine[None], k, reach).reshape(N, N)
    return np.fft.fftshift(np.fft.ifft2(np.fft.ifftshift(s)))


def error(path, truth):
    image = abs(np.load(path).reshape(-1, N, N)[:len(truth)].transpose(0, 2, 1))
    x, y = np.meshgrid(axis(N, 1), axis(N, 1), indexing='ij')
    terms = [x**i * y**j for i in range(5) for j in range(5 - i)]
    worst = 0
    for got, right in zip(image, abs(truth)):
        columns = np.array([(t * right).ravel() for t in terms]).T
        fit = columns @ np.linalg.lstsq(columns, got.ravel(), rcond=None)[0]
        inside = right.ravel() > 0.02
        worst = max(worst, np.linalg.norm((got.ravel() - fit)) / np.linalg.norm(fit[inside]))
    return worst


def alternatives(on_grid):
    yield from (f'-n {n}' for n in (5, 10, 20, 40))
    if not on_grid: yield from ('--density none -n 10', '--density none -n 40', '--density pipe -n 5', '--density pipe -n 15')
    yield from (f'--coils {c}' for c in ('adaptive', 'espirit'))
    yield from (f'-r {r}' for r in ('quadratic:0.01', 'tikhonov:0.1'))


def run(tool, scan, out, options):
    done = subprocess.run([tool, 'sense', scan, out, '--part', 'magnitude', '--json', '--threads', '1', *options], capture_output=True, text=True)
    notes = [json.loads(l) for l in done.stdout.splitlines() if l.startswith('{')]
    return done.returncode, [n['text'] for n in notes if n['event'] == 'note'], notes[-1] if notes else {}


def main(tool, names):
    print('| scan | shortest | iterate | best of its options | ratio | by | given true maps | wavelet |\n|---|---|---|---|---|---|---|---|')
    with tempfile.TemporaryDirectory() as folder:
        for name, (trajectory, options) in SCANS.items():
            if names and name not in names: continue
            scan, out = os.path.join(folder, 'scan.h5'), os.path.join(folder, 'out.npy')
            if os.path.exists(scan): os.remove(scan)
            truth, _ = write(scan, trajectory, **options)
            def measure(words):
                code, notes, last = run(tool, scan, out, words.split())
                return (error(out, truth), notes, last) if code == 0 else (np.inf, notes, last)
            shortest, notes, last = measure('')
            results = {w: measure(w)[0] for w in alternatives(isinstance(trajectory[0], tuple))}
            best = min(results, key=results.get)
            least = min(shortest, results[best])
            maps, penalty = measure(f'--coil-maps {scan}.npy')[0], measure('-r wavelet:0.01')[0]
            print(f'| {name} | {shortest:.4f} | {last.get("iterate", last.get("message", ""))} | {least:.4f} | {shortest / least:.2f} | '
                  f'{"" if least == shortest else best} | {maps:.4f} | {penalty:.4f} |', flush=True)
            if shortest > 1.2 * least or penalty < shortest / 1.2:
                print(''.join(f'    {n}\n' for n in notes), file=sys.stderr, flush=True)


if __name__ == '__main__':
    if len(sys.argv) < 2: sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
