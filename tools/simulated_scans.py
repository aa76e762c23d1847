# SPDX-License-Identifier: BSD-3-Clause
"""Scans simulated in NumPy, for tools/compare_*.py. Nothing of Argand is in them.

An object on a grid finer than the image, with coils, a phase and noise of its own, is summed at the positions of k-space: by FINUFFT where
the package is there, else directly. Files are ISMRMRD (written by h5py), .npy and .cfl. Needs numpy and h5py."""
import dataclasses, json, os, subprocess
import h5py, numpy as np
try: import finufft
except ImportError: finufft = None

ELLIPSES = [(1, .69, .92, 0, 0, 0), (-.8, .6624, .874, 0, -.0184, 0), (-.2, .11, .31, .22, 0, -18), (-.2, .16, .41, -.22, 0, 18),
            (.1, .21, .25, 0, .35, 0), (.1, .046, .046, 0, .1, 0), (.1, .046, .046, 0, -.1, 0), (.1, .046, .023, -.08, -.605, 0),
            (.1, .023, .023, 0, -.606, 0), (.1, .023, .046, .06, -.605, 0)]


# ------------------------------------------------------------------------------------------------------------- objects and coils
def axis(n, reach):
    return (np.arange(n) - n // 2) * 2 * reach / n  # -reach to reach; 1 is the edge of the field of view


def ellipses(x, y, list=ELLIPSES):
    image = np.zeros(x.shape)
    for a, rx, ry, x0, y0, degrees in list:
        c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
        u, v = (x - x0) * c + (y - y0) * s, -(x - x0) * s + (y - y0) * c
        image += a * ((u / rx)**2 + (v / ry)**2 <= 1)
    return image


def shepp_logan(scale=1.035, shift=0):
    """A function of places (x, y), whose phase is weak."""
    def image(x, y):
        x, y = (x - shift) / scale, y / scale
        return ellipses(x, y) * np.exp(1j * (0.8 * x - 0.5 * y * y + 0.3))
    return image


def strong_phase(x, y):
    """Shepp-Logan whose phase turns about four times over the object."""
    return ellipses(x / 0.9, y / 0.9) * np.exp(1j * (5 * x - 4 * y + 6 * x * y + 3 * np.cos(2.5 * y)))


def normalised(maps):
    maps = np.array(maps)
    return maps / np.sqrt((abs(maps)**2).sum(0))


def gaussian_coils(x, y, coils):
    maps = []
    for c in range(coils):
        angle, ring = 2 * np.pi * c / coils + 0.2, 1.25 + 0.35 * (c % 2)
        near = (x - ring * np.cos(angle))**2 + (y - ring * np.sin(angle))**2
        maps.append(np.exp(-near / 1.6 + 1j * (angle + 0.9 * x * np.cos(2 * angle) + 0.7 * y * np.sin(3 * angle))))
    return normalised(maps)


def ring_coils(x, y, coils, ring=1.3):
    """Coils whose magnitude falls as 1 / distance; the phase is the direction."""
    maps = []
    for c in range(coils):
        far = (x - ring * np.cos(2 * np.pi * c / coils)) + 1j * (y - ring * np.sin(2 * np.pi * c / coils))
        maps.append(np.exp(1j * np.angle(far)) / abs(far))
    return normalised(maps)


def covariance(coils, spread, correlation):
    sigma = spread**np.linspace(0, 1, coils)[np.argsort(np.arange(coils) * 7 % coils)]
    far = np.subtract.outer(range(coils), range(coils))
    return sigma[:, None] * correlation**abs(far) * np.exp(0.4j * far) * sigma[None, :]


# ------------------------------------------------------------------------------------------------------------------ trajectories
def spiral(n, shots, every=1, power=0.8):
    t = np.linspace(0, 1, 6 * n * 8 // shots if shots < 8 else 6 * n)
    k = n / 2 * t**power * np.exp(2j * np.pi * n / 2 / shots * t**power)
    return [np.stack([z.real, z.imag], -1) for z in (k * np.exp(2j * np.pi * s / shots) for s in range(0, shots, every))]


def radial(n, spokes, golden=True):
    r = (np.arange(2 * n) - n) / 2
    return [np.outer(r, [np.cos(a), np.sin(a)]) for a in np.arange(spokes) * np.pi * ((np.sqrt(5) - 1) / 2 if golden else 1 / spokes)]


@dataclasses.dataclass
class Lines:
    """Each R-th line of a grid and `centre` calibration lines."""
    n: int
    r: int
    centre: int

    def numbers(self):
        return [l for l in range(self.n) if self.is_image(l) or self.is_centre(l)]

    def is_image(self, l):
        return l % self.r == 0

    def is_centre(self, l):
        return abs(l - self.n // 2) < self.centre / 2


class Points:
    """A mask of points: all of a disc of `centre` points across, others at random, more densely where k is small; `part` of all."""
    def __init__(self, n, part, centre, power=2, seed=1):
        a, b = np.meshgrid(axis(n, 1), axis(n, 1), indexing='ij')
        radius = np.hypot(a, b)
        disc = radius * n / 2 <= centre / 2
        wish = np.where(disc, 0, np.maximum(1 - radius / 1.45, 0)**power + 1e-3)
        left = max(int(part * n * n) - disc.sum(), 0)
        chosen = np.random.default_rng(seed).choice(n * n, left, replace=False, p=(wish / wish.sum()).ravel())
        self.n, self.mask = n, disc.copy()
        self.mask.flat[chosen] = True


# -------------------------------------------------------------------------------------------------------------------- simulation
@dataclasses.dataclass
class Scan:
    n: int
    truth: np.ndarray  # {plane, axis 0, axis 1}: what n x n samples of k-space see of the object
    maps: np.ndarray  # {coil, axis 0, axis 1}
    k: list  # of each readout: its positions {sample, 2} in cycles per field of view; of a grid: positions along the readout
    data: np.ndarray  # of a trajectory: a list of {plane, coil, sample}; of a grid: {plane, coil, axis 0, axis 1}
    trajectory: object
    noise: object  # of so many samples: {coil, sample}
    oversampled: bool

    def on_grid(self):
        return not isinstance(self.trajectory, list)


def samples_of(image, k, reach, fine):
    """image {coil, x, y} over [-reach, reach] of the field of view, at k {sample, 2} in cycles per field of view"""
    n = image.shape[-1]
    if finufft:
        w = 2 * np.pi * reach * k / n
        image = np.ascontiguousarray(image, dtype='c16')
        return finufft.nufft2d2(w[:, 0].copy(), w[:, 1].copy(), image, isign=-1, eps=1e-9, nthreads=1) / fine**2
    found = np.empty((len(image), len(k)), 'c16')
    for at in range(0, len(k), 2048):
        part = slice(at, at + 2048)
        a, b = (np.exp(-1j * np.pi * np.outer(k[part, d], axis(n, reach))).astype('c8') for d in (0, 1))
        for c, coil in enumerate(image): found[c, part] = ((a @ coil.astype('c8')) * b).sum(1)
    return found / fine**2


def grid_of(image, kx, ky, reach, fine):
    """The same on a grid of positions: {coil, kx, ky}"""
    a, b = (np.exp(-1j * np.pi * np.outer(k, axis(image.shape[-1], reach))) for k in (kx, ky))
    return a @ image @ b.T / fine**2


def low_pass(image, n, reach, fine):
    """What n x n samples of k-space see of the image"""
    whole = np.arange(n) - n // 2
    return np.fft.fftshift(np.fft.ifft2(np.fft.ifftshift(grid_of(image, whole, whole, reach, fine), (-2, -1))), (-2, -1))


def between_planes(planes):
    """The transform over planes: their partitions"""
    z = np.arange(len(planes)) - len(planes) // 2
    return np.einsum('kz,z...->k...', np.exp(-2j * np.pi * np.outer(z, z) / len(planes)), planes)


def simulate(trajectory, coils, n=64, fine=4, image=shepp_logan(), coil_maps=gaussian_coils, reach=1, snr=40, noise=None, spread=1,
             correlation=0, partitions=1, oversampled=False, seed=3):
    """Noise is so strong that an image of all samples has the ratio `snr`, or, with `noise`, a standard deviation of that part
    of the image's root mean square after n x n samples."""
    random = np.random.default_rng(seed)
    depth = (1 + 0.15 * np.cos(np.arange(partitions))) / 1.15  # planes differ: each is as much smaller than the first
    x, y = np.meshgrid(axis(n * fine * reach, reach), axis(n * fine * reach, reach), indexing='ij')
    objects = np.array([image(x / d, y / d) for d in depth])
    seen, whole = coil_maps(x, y, coils), np.arange(n) - n // 2
    truth = low_pass(objects, n, reach, fine)
    root = np.linalg.cholesky(covariance(coils, spread, correlation))
    rms = np.sqrt((abs(root)**2).sum(1).mean())
    inside = abs(truth[0]) > 0.05

    def add_noise(count):
        return sigma * root @ (random.standard_normal((coils, count)) + 1j * random.standard_normal((coils, count)))

    if isinstance(trajectory, list):
        k, counts = trajectory, [len(p) for p in trajectory]
        planes = between_planes(np.array([samples_of(seen * o, np.concatenate(k), reach, fine) for o in objects]))
        count = sum(counts)
    else:
        k = np.arange(n * (1 + oversampled)) / (1 + oversampled) - n / 2
        planes = between_planes(np.array([grid_of(seen * o, k, whole, reach, fine) for o in objects]))
        count = trajectory.mask.sum() if isinstance(trajectory, Points) else k.size * len(trajectory.numbers())
    if noise is None: sigma = abs(truth[0])[inside].mean() * np.sqrt(count * partitions) / snr / np.sqrt(2) / rms
    else: sigma = noise * np.sqrt((abs(truth)**2).mean()) * n * np.sqrt(partitions) / np.sqrt(2) / rms
    planes = planes + np.array([add_noise(p[0].size).reshape(p.shape) for p in planes])
    if isinstance(trajectory, list): planes = np.split(planes, np.cumsum(counts)[:-1], -1)
    coarse = np.meshgrid(axis(n, 1), axis(n, 1), indexing='ij')
    return Scan(n, truth, coil_maps(*coarse, coils), k, planes, trajectory, add_noise, oversampled)


# ---------------------------------------------------------------------------------------------------------------- ISMRMRD by h5py
INDEX = np.dtype([(name, '<u2') for name in ('kspace_encode_step_1', 'kspace_encode_step_2', 'average', 'slice', 'contrast', 'phase',
                                             'repetition', 'set', 'segment')] + [('user', '<u2', 8)])
HEAD = np.dtype([('version', '<u2'), ('flags', '<u8'), ('measurement_uid', '<u4'), ('scan_counter', '<u4'), ('acquisition_time_stamp', '<u4'),
                 ('physiology_time_stamp', '<u4', 3), ('number_of_samples', '<u2'), ('available_channels', '<u2'), ('active_channels', '<u2'),
                 ('channel_mask', '<u8', 16), ('discard_pre', '<u2'), ('discard_post', '<u2'), ('center_sample', '<u2'),
                 ('encoding_space_ref', '<u2'), ('trajectory_dimensions', '<u2'), ('sample_time_us', '<f4'), ('position', '<f4', 3),
                 ('read_dir', '<f4', 3), ('phase_dir', '<f4', 3), ('slice_dir', '<f4', 3), ('patient_table_position', '<f4', 3),
                 ('idx', INDEX), ('user_int', '<i4', 8), ('user_float', '<f4', 8)])
NOISE, CALIBRATION, BOTH = 19, 20, 21  # numbers of the flags of noise, of calibration alone, of calibration that is image data too
XML = '''<?xml version="1.0"?><ismrmrdHeader xmlns="http://www.ismrm.org/ISMRMRD"><experimentalConditions><H1resonanceFrequency_Hz>
123000000</H1resonanceFrequency_Hz></experimentalConditions><encoding><encodedSpace><matrixSize><x>{e[0]}</x><y>{e[1]}</y><z>{e[2]}</z>
</matrixSize><fieldOfView_mm><x>{fx}</x><y>200</y><z>{fz}</z></fieldOfView_mm></encodedSpace><reconSpace><matrixSize><x>{r[0]}</x>
<y>{r[1]}</y><z>{r[2]}</z></matrixSize><fieldOfView_mm><x>200</x><y>200</y><z>{fz}</z></fieldOfView_mm></reconSpace><encodingLimits>
<kspace_encoding_step_1><minimum>0</minimum><maximum>{last}</maximum><center>{centre}</center></kspace_encoding_step_1></encodingLimits>
<trajectory>{kind}</trajectory>{parallel}</encoding></ismrmrdHeader>'''
PARALLEL = '<parallelImaging><accelerationFactor><kspace_encoding_step_1>2</kspace_encoding_step_1><kspace_encoding_step_2>1' \
           '</kspace_encoding_step_2></accelerationFactor><calibrationMode>embedded</calibrationMode></parallelImaging>'


def header_of(scan, flag):
    n, planes = scan.n, len(scan.truth)
    matrix = (planes, n, n) if isinstance(scan.trajectory, Points) else (n, n, planes)
    encoded = (n * 2, *matrix[1:]) if scan.oversampled else matrix
    return XML.format(kind='cartesian' if scan.on_grid() else 'radial', e=encoded, r=matrix, fx=400 if scan.oversampled else 200,
                      fz=200 if isinstance(scan.trajectory, Points) else 5 * planes, last=n - 1, centre=n // 2,
                      parallel=PARALLEL if flag else '')


def readouts_of(scan, flag, empty):
    """(data {coil, sample}, positions or None, step 1, step 2, slice, flag) of each acquisition"""
    if isinstance(scan.trajectory, Points):  # the planes are the readout
        for y, z in np.argwhere(scan.trajectory.mask): yield scan.data[:, :, y, z].T, None, y, z, 0, 0
        return
    for p in range(len(scan.truth)):
        if not scan.on_grid():
            for i, (place, block) in enumerate(zip(scan.k, scan.data)):
                kz = np.full((len(place), 1), p - len(scan.truth) // 2)
                yield block[p], np.hstack([place, kz]) if len(scan.truth) > 1 else place, i, p, 0, 0
            continue
        for l in scan.trajectory.numbers():
            block, image, centre = scan.data[p, :, :, l], scan.trajectory.is_image(l), scan.trajectory.is_centre(l)
            mark = flag == 'both' and centre and (BOTH if image else CALIBRATION)
            if flag == 'apart' and centre: yield block, None, l, p, 0, CALIBRATION
            if flag != 'apart' or image: yield block, None, l, p, 0, mark or 0
            if empty: yield 0 * block, None, l, p, 1, 0


def write_scan(path, scan, flag=None, noise_scan=False, empty=False):
    """flag: None, calibration lines as any others; 'both', flagged; 'apart', acquired once more for calibration alone"""
    blocks = [(scan.noise(512), None, 0, 0, 0, NOISE) for _ in range(4 if noise_scan else 0)] + list(readouts_of(scan, flag, empty))
    vlen = h5py.special_dtype(vlen=np.dtype('<f4'))
    rows = np.zeros(len(blocks), np.dtype([('head', HEAD), ('traj', vlen), ('data', vlen)]))
    for i, (block, place, step, partition, slice, flag_number) in enumerate(blocks):
        head = rows['head'][i]
        head['version'], head['number_of_samples'], head['center_sample'] = 1, block.shape[1], block.shape[1] // 2
        head['available_channels'] = head['active_channels'] = block.shape[0]
        head['flags'], head['scan_counter'], head['sample_time_us'] = 1 << flag_number - 1 if flag_number else 0, i, 5
        head['trajectory_dimensions'] = 0 if place is None else place.shape[1]
        head['read_dir'], head['phase_dir'], head['slice_dir'], head['position'] = (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 5 * slice)
        head['idx']['kspace_encode_step_1'], head['idx']['kspace_encode_step_2'], head['idx']['slice'] = step, partition, slice
        rows['head'][i] = head
        rows['traj'][i] = np.zeros(0, '<f4') if place is None else place.astype('<f4').ravel()
        rows['data'][i] = np.ascontiguousarray(block, 'c8').view('<f4').ravel()
    with h5py.File(path, 'w') as file:
        group = file.create_group('dataset')
        text = np.array([header_of(scan, flag).encode()], dtype=object)
        group.create_dataset('xml', data=text, dtype=h5py.special_dtype(vlen=bytes))
        group.create_dataset('data', data=rows, maxshape=(None,))


# ------------------------------------------------------------------------------------------------------------------ own arrays
def write_npy(stem, array):
    """array: the first index is the fastest"""
    np.save(stem + '.npy', array.T.astype('c8' if np.iscomplexobj(array) else 'f4'))
    return stem + '.npy'


def write_cfl(stem, array):
    """array: the first index is the fastest, as BART has it"""
    with open(stem + '.hdr', 'w') as f: f.write('# Dimensions\n' + ' '.join(map(str, array.shape)) + '\n')
    array.astype('c8').ravel(order='F').tofile(stem + '.cfl')
    return stem + '.cfl'


def grid_with_zeros(scan):
    """{coil, plane, axis 0, axis 1}; what is not measured is 0"""
    t = scan.trajectory
    mask = t.mask if isinstance(t, Points) else np.isin(np.arange(scan.n), t.numbers())[None, :]
    return scan.data.transpose(1, 0, 2, 3) * mask


def write_arrays(stem, scan, kind):
    """Samples as .npy or .cfl; returns the words that stand for the scan in a command."""
    save = lambda name, array: (write_cfl if kind == 'cfl' else write_npy)(stem + name, array)
    if scan.on_grid():
        k = grid_with_zeros(scan)  # planes are the readout of points, partitions of lines
        if isinstance(scan.trajectory, Points): fastest_first = k.transpose(1, 2, 3, 0)
        else: fastest_first = k.transpose(2, 3, 1, 0)
        if kind == 'npy': fastest_first = fastest_first.reshape([m for m in fastest_first.shape if m > 1] or [1])
        return ['--kspace', save('k', fastest_first)]
    planes = len(scan.truth)
    k = np.stack(scan.data)  # {shot, plane, coil, sample}
    places = np.stack([np.stack([np.hstack([p, np.full((len(p), 1), z - planes // 2)]) for p in scan.k]) for z in range(planes)])
    k, places = k.transpose(3, 1, 0, 2).reshape(k.shape[3], -1, k.shape[2]), places.reshape(-1, *places.shape[2:])
    if kind == 'npy' and planes == 1: places = places[..., :2]
    return ['--kspace', save('k', k[None] if kind == 'cfl' else k), '--trajectory', save('t', places.transpose(2, 1, 0))]


def write(folder, scan, format, **flags):
    """Words that stand for the scan in a command; true maps are in maps.npy."""
    points = isinstance(scan.trajectory, Points)
    maps = np.repeat(scan.maps[:, None], len(scan.truth), 1)  # {coil, plane, axis 0, axis 1}
    np.save(os.path.join(folder, 'maps.npy'), maps.transpose((0, 3, 2, 1) if points else (0, 1, 3, 2)).astype('c8'))
    if format == 'h5':
        write_scan(os.path.join(folder, 'scan.h5'), scan, **flags)
        return [os.path.join(folder, 'scan.h5')]
    return write_arrays(os.path.join(folder, ''), scan, format)


# ------------------------------------------------------------------------------------------------------- reconstructing, judging
def planes_of(path, scan):
    """The image as the truth lies: {plane, axis 0, axis 1}, or None where its size is another"""
    image, n, planes = abs(np.load(path)).T, scan.n, len(scan.truth)  # {x, y, z}
    points = isinstance(scan.trajectory, Points)
    shape = (planes, n, n) if points else (n, n, planes)
    if image.shape[:2] == (n, n) and not points: image = image.reshape(n, n, -1)[:, :, :planes]  # the second slice is empty
    if [m for m in image.shape if m > 1] != [m for m in shape if m > 1]: return None
    return image.reshape(shape) if points else image.reshape(shape).transpose(2, 0, 1)


def error_of(path, scan):
    """|gain image - truth| / |truth| of magnitudes, with a gain that is a polynomial of fourth order; infinite for another size"""
    images = planes_of(path, scan)
    if images is None: return np.inf
    x, y = np.meshgrid(axis(scan.n, 1), axis(scan.n, 1), indexing='ij')
    terms = [x**i * y**j for i in range(5) for j in range(5 - i)]
    worst = 0
    for got, right in zip(images, abs(scan.truth)):
        columns = np.array([(t * right).ravel() for t in terms]).T
        fit = columns @ np.linalg.lstsq(columns, got.ravel(), rcond=None)[0]
        inside = right.ravel() > 0.02 * right.max()
        worst = max(worst, np.linalg.norm(got.ravel() - fit) / np.linalg.norm(fit[inside]))
    return worst


def sense(tool, words, out, options):
    """Runs the tool; its exit code, its notes and its last event"""
    command = [tool, 'sense', *words, out, '--part', 'magnitude', '--json', '--threads', '1', *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    events = [json.loads(l) for l in done.stdout.splitlines() if l.startswith('{')]
    return done.returncode, [e['text'] for e in events if e['event'] == 'note'], events[-1] if events else {}


def measure(tool, words, out, options, scan):
    """The error, infinite where the tool fails; notes; the last event"""
    if os.path.exists(out): os.remove(out)
    code, notes, last = sense(tool, words, out, options)
    return error_of(out, scan) if code == 0 and os.path.exists(out) else np.inf, notes, last


def is_named(option, notes):
    """Whether a note proposes that option; of penalties and weights the kind is enough"""
    name, _, value = option.partition(' ')
    value = value.partition(':')[0]
    return any(value in n and (name in n or value in ('tv', 'wavelet')) for n in notes)
