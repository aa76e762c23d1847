#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""heads.py SOURCE: every .c file of src begins with its licence and, on the next line, a comment that says what the file computes.
Files of one name (plan.c, apply.c) begin with different lines. The FFT's kernels have at most FFT_CONDITIONS #if, #ifdef and #ifndef.
Plans ask a device's description, not its compute capability or backend."""
import collections, os, re, subprocess, sys

# A ceiling for src/kernels/fft, to be lowered with every macro that becomes a value: 60 is the aim.
FFT_CONDITIONS = 306
LICENCE = '/* SPDX-License-Identifier: BSD-3-Clause */'


def heads(names):
    """Faults of the first lines of .c files."""
    same = collections.defaultdict(list)
    for name in names:
        lines = open(name, errors='replace').read().split('\n') + ['', '']
        if lines[0] != LICENCE: yield f'{name}:1: must be {LICENCE}'
        if not re.match(r'/\* \S', lines[1]): yield f'{name}:2: must begin a comment that says what this file computes, and for whom'
        same[os.path.basename(name), lines[1]].append(name)
    for (_, line), found in same.items():
        if len(found) > 1: yield f'{" and ".join(found)} begin with the same comment: say what each does\n    {line}'


def conditions(names):
    """More conditions in the FFT's kernels than the ceiling allows."""
    count = sum(len(re.findall(r'^\s*#\s*if', open(n).read(), re.M)) for n in names)
    if count > FFT_CONDITIONS:
        yield f'src/kernels/fft: {count} lines with #if, {FFT_CONDITIONS} at most: use a constant and `if` in place of the preprocessor'


def devices(names):
    """Files outside src/device that choose by a chip's number or a backend's name; the vendor's libraries are for one backend."""
    for name in names:
        if name.startswith(('src/device/', 'src/kernels/', 'src/fft/vendor/', 'src/dist/comm/nccl.c')) or not name.endswith(('.c', '.h')): continue
        found = re.search(r'\bcapability\b|(\.|->)backend, "', open(name, errors='replace').read())
        if found: yield f'{name}: "{found[0]}": ask device_traits_of for what is needed (src/device/traits.h)'


def main():
    os.chdir(sys.argv[1])
    listed = subprocess.run(['git', 'ls-files', 'src'], capture_output=True, text=True)
    if listed.returncode or not listed.stdout:
        print('not a checkout: skipped')
        return 77
    names = [n for n in listed.stdout.split('\n') if n and os.path.exists(n)]
    sources = [n for n in names if n.endswith('.c')]
    bad = list(heads(sources)) + list(conditions([n for n in names if n.startswith('src/kernels/fft/')])) + list(devices(names))
    print('\n'.join(bad) or f'{len(sources)} files')
    return 1 if bad else 0


sys.exit(main())
