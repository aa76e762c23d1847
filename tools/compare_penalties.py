#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/compare_penalties.py ARGAND: TV and wavelets beside BART's, by processor time at the same objective.

128 x 128 pixels, 8 coils, radial and spiral, 50 iterations each, one thread. Both images go into the same objective, computed here
by FINUFFT and PyWavelets in double: 1/2 |y - A x|^2 + lambda R(x), with the lambda that BART's weight means in units of the data. R of
wavelets is the mean over 32 random shifts, as both programs move their grid; by itself ("details"), as Argand defines it, and with
the coarsest coefficients, as BART has it ("all"). Needs bart, numpy, finufft, pywt, h5py. Two minutes."""
import os, re, resource, subprocess, sys, tempfile
import finufft, numpy as np, pywt

N, COILS, SHIFTS = 128, 8, 32
SCANS = {'50 spokes of 256': '--trajectory radial --shots 50 --samples 256', '8 spirals of 2168': '--trajectory spiral --shots 8'}
CASES = {'wavelet': ('W:3:0:0.001', 'wavelet:{:.8g}:daubechies4'), 'tv': ('T:3:0:0.001', 'tv:{:.8g}')}
os.environ['OMP_NUM_THREADS'] = '1'


def user_seconds(command, repeat=3):
    """The least processor time of several runs, and what the last one printed."""
    least = np.inf
    for _ in range(repeat):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode: sys.exit(' '.join(command) + '\n' + done.stdout + done.stderr)
        least = min(least, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return least, done.stdout + done.stderr


def cfl(name):
    dims = [int(d) for d in open(name + '.hdr').read().split('\n')[1].split()]
    return np.fromfile(name + '.cfl', 'c8').reshape(dims, order='F').astype('c16')


def tv(x):
    d = [np.zeros_like(x), np.zeros_like(x)]
    d[0][1:], d[1][:, 1:] = np.diff(x, axis=0), np.diff(x, axis=1)
    return np.sqrt(abs(d[0])**2 + abs(d[1])**2).sum()


def wavelet(x, coarse):
    random, total = np.random.default_rng(1), 0
    for _ in range(SHIFTS):
        c = pywt.wavedec2(np.roll(x, random.integers(0, N, 2), (0, 1)), 'db2', 'periodization', 4)
        total += sum(abs(b).sum() for level in c[1:] for b in level) + (abs(c[0]).sum() if coarse else 0)
    return total / SHIFTS


RULES = {'wavelet': {'details': lambda x: wavelet(x, False), 'all': lambda x: wavelet(x, True)}, 'tv': {'': tv}}


class Data:
    def __init__(self, tool, words):
        self.tool = tool
        subprocess.run([tool, 'simulate', 'scan.h5', '--matrix', f'{N}x{N}', '--coils', str(COILS), '--field-range', '0', '--snr', '40', '--quiet',
                        *words.split()], check=True)
        for what, name in (('kspace', 'y'), ('trajectory', 't'), ('SENSEMap', 's')):
            subprocess.run([tool, 'convert', f'scan.h5:{what}', f'{name}.cfl', '--quiet'], check=True)
        k = cfl('t').real.reshape(3, -1, order='F') * 2 * np.pi / N
        self.k, self.y = [k[0].copy(), k[1].copy()], cfl('y').reshape(-1, COILS, order='F').T.copy()
        self.maps = cfl('s').reshape(N, N, COILS, order='F').transpose(2, 0, 1).copy()

    def misfit(self, x):
        return (abs(finufft.nufft2d2(*self.k, self.maps * x, isign=-1, eps=1e-10) - self.y)**2).sum() / 2

    def bart(self, rule, iterations):
        seconds, text = user_seconds(['bart', 'pics', '-S', '-d', '4', *rule, '-i', str(iterations), '-t', 't', 'y', 's', 'bart'])
        scale = float(re.search(r'[Ss]caling[^:]*: *([0-9.eE+-]+)', text)[1])
        return seconds, cfl('bart').reshape(N, N, order='F') / N, scale

    def argand(self, rule, iterations, *words):
        seconds, _ = user_seconds([self.tool, 'sense', 'scan.h5', 'argand.cfl', '--density', 'none', '--part', 'complex', '--threads', '1', '--device',
                                   'cpu', '--quiet', '-n', str(iterations), '-r', rule, *words])
        return seconds, cfl('argand').reshape(N, N, order='F')


def same_weight(data, kind, r, lam):
    """Argand's weight that means lam. What 0.01 means is the penalty that it prints over R of the image, up to the power of two by which it
    scales the data; docs/conventions.md has what it should be, near enough to find that power."""
    subprocess.run([data.tool, 'sense', 'scan.h5', 'a.cfl', '--density', 'none', '--part', 'complex', '--quiet', '-n', '50', '-r', kind.format(0.01)],
                   check=True)
    lines, image = open('a.csv').read().split(), cfl('a').reshape(N, N, order='F')
    found = float(lines[-1].split(',')[lines[0].split(',').index('penalty')]) / r(image)
    bright = np.sqrt((abs(image)**4).sum() / (abs(image)**2).sum())
    near = 0.01 * bright * data.y.shape[1] * (abs(data.maps)**2).sum() / N**2
    return 0.01 * lam / (found * 4**np.round(np.log(near / found) / np.log(4)))


def compare(data, name, case):
    bart_rule, argand_rule = CASES[case]
    rules = RULES[case]
    extra = ['-e'] if case == 'wavelet' else []  # without the largest eigenvalue BART's FISTA diverges here
    seconds, image, scale = data.bart(['-R', bart_rule, *extra], 50)
    alone = f' (its 50 iterations alone {data.bart(["-R", bart_rule], 50)[0]:.2f} s)' if extra else ''
    lam = float(bart_rule.split(':')[-1]) * scale * N
    bart = {w: data.misfit(image) + lam * r(image) for w, r in rules.items()}
    print(f'{name}, {case}: BART {seconds:.2f} s{alone}, objective ' + ', '.join(f'{w} {v:.5e}' for w, v in bart.items()), flush=True)
    weight = same_weight(data, argand_rule, next(iter(rules.values())), lam)
    for n in (5, 10, 15, 20, 30, 50):
        seconds, image = data.argand(argand_rule.format(weight), n)
        values = {w: data.misfit(image) + lam * r(image) for w, r in rules.items()}
        print(f'  Argand, weight {weight:.4g}, {n} iterations: {seconds:.2f} s, objective ' +
              ', '.join(f'{w} {v:.5e} ({v / bart[w] - 1:+.1e})' for w, v in values.items()), flush=True)


if __name__ == '__main__':
    if len(sys.argv) != 2: sys.exit(__doc__)
    tool = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, words in SCANS.items():
            data = Data(tool, words)
            for case in CASES: compare(data, name, case)
