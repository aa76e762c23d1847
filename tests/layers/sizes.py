#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sizes.py SOURCE: files of at most 500 lines, functions of at most 60 (kernels 80), folders of at most 35 files."""
import collections, os, re, subprocess, sys


def functions(lines):
    """(name, lines) of all bodies that begin and end in the first column."""
    i = 0
    while i < len(lines):
        if lines[i] == '{':
            end = next((j for j in range(i, len(lines)) if lines[j] == '}'), len(lines) - 1)
            head = ' '.join(lines[max(0, i - 30):i])
            names = re.findall(r'(\w+)\s*\(', head[head.rfind('}') + 1:].split('*/')[-1])
            yield next((n for n in names if n not in ('PORTABLE_JOIN', '__attribute__')), '?'), end - i + 1
            i = end
        i += 1


def main():
    os.chdir(sys.argv[1])
    listed = subprocess.run(['git', 'ls-files'], capture_output=True, text=True)
    if listed.returncode or not listed.stdout:
        print('not a checkout: skipped')
        return 77
    names = [n for n in listed.stdout.split('\n') if n and os.path.exists(n)]
    long, full = set(), set()
    for name in names:
        if not re.search(r'\.(c|cc|h|krn)$', name): continue
        lines = open(name, errors='replace').read().split('\n')
        if len(lines) - 1 > 500: long.add(name)
        most = 80 if name.endswith('.krn') else 60
        long.update(f'{name}:{f}' for f, n in functions(lines) if n > most)
    for folder, count in collections.Counter(os.path.dirname(n) for n in names).items():
        if count > 35: full.add(folder)
    bad = [f'{n}: too long' for n in sorted(long)] + [f'{n}: more than 35 files' for n in sorted(full)]
    print('\n'.join(bad) or f'{len(names)} files')
    return 1 if bad else 0


sys.exit(main())
