#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tutorials.py SOURCE TOOL PAGE.md [--shell | --keep FOLDER]: runs the examples of a page as they stand, in an empty folder.
```sh and ```python blocks are run one after the other, Python's in one session; a ```text block is what the block before it prints, with numbers
to a tenth. A ```c block that begins with a comment /* NAME.c: ... */ is the file NAME.c. A page without blocks fails. Each picture of docs/images/tutorials that the page shows must have been made, with the same size and nearly the
same pixels. --shell leaves Python's blocks out. --keep FOLDER runs there, prints what differs, and takes the pictures over into the source."""
import importlib.util
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

BLOCK = re.compile(r'^```(sh|python|text|c)\n(.*?)^```$', re.M | re.S)
C_FILE = re.compile(r'/\* ([\w-]+\.c)\b')
PICTURE = re.compile(r'!\[[^\]]*\]\(\.\./images/tutorials/([\w.-]+)\)')
NUMBER = re.compile(r'-?\d+\.?\d*(?:e[-+]\d+)?')
SESSION = """
import json, sys, traceback
names, end = {'__name__': '__main__'}, json.loads(sys.argv[1])
for line in sys.stdin:
    try:
        exec(compile(json.loads(line), 'block', 'exec'), names)
        print(end, 'ok', flush=True)
    except BaseException:
        traceback.print_exc(file=sys.stdout)
        print(end, 'failed', flush=True)
"""
END = '-- the end of this block --'
NEAR, ALIKE = 0.1, 6  # relative; mean difference of pixels of 0 to 255


class Runner:
    """Runs blocks in a folder: the shell's each in a process of its own, Python's all in one."""

    def __init__(self, folder, tool):
        path = f'{tool.parent}{os.pathsep}{os.environ["PATH"]}'
        self.folder, self.python = folder, None
        self.environment = {**os.environ, 'PATH': path, 'ARGAND_DEVICE': 'cpu', 'MPLBACKEND': 'agg'}

    def install(self, source, tool):
        """A prefix for pkg-config that leads to the library of this build."""
        prefix, library = self.folder / '.prefix', pathlib.Path(os.environ['ARGAND_LIBRARY'])
        (prefix / 'lib/pkgconfig').mkdir(parents=True)
        (prefix / 'include').symlink_to(source.resolve() / 'include')
        for path in library.parent.glob('libargand.so*'):
            (prefix / 'lib' / path.name).symlink_to(path.resolve())
        shutil.copy(tool.parent / 'argand.pc', prefix / 'lib/pkgconfig')
        self.environment['PKG_CONFIG_PATH'] = str(prefix / 'lib/pkgconfig')

    def run(self, kind, text):
        if kind == 'c':
            if name := C_FILE.match(text):
                (self.folder / name[1]).write_text(text, encoding='utf-8')
            return ''
        done, output = self.shell(text) if kind == 'sh' else self.session(text)
        if not done:
            sys.exit(f'{text}\nfailed:\n{output}')
        return output

    def shell(self, text):
        done = subprocess.run(['bash', '-e', '-c', text], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        return done.returncode == 0, done.stdout + done.stderr

    def session(self, text):
        if self.python is None:
            self.python = subprocess.Popen([sys.executable, '-B', '-c', SESSION, json.dumps(END)], cwd=self.folder, env=self.environment,
                                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.python.stdin.write(json.dumps(text) + '\n')
        self.python.stdin.flush()
        output = ''
        for line in self.python.stdout:
            if line.startswith(END):
                return line.strip().endswith('ok'), output
            output += line
        return False, output

    def close(self):
        if self.python is not None:
            self.python.stdin.close()
            self.python.wait()


def same_line(wanted, got):
    if NUMBER.sub('#', wanted).split() != NUMBER.sub('#', got).split():
        return False
    pairs = zip(NUMBER.findall(wanted), NUMBER.findall(got))
    return all(abs(float(a) - float(b)) <= NEAR * abs(float(a)) for a, b in pairs)


def missing(wanted, output):
    """Lines of a ```text block that were not printed."""
    lines = output.split('\n')
    return [line for line in wanted.split('\n') if line.strip() and not any(same_line(line, got) for got in lines)]


def pixels(path):
    """(width, height, bytes a pixel, rows as bytes) of a PNG of 8 bits without interlace."""
    data, at, packed = path.read_bytes(), 8, b''
    while at < len(data):
        length, name = struct.unpack('>I4s', data[at:at + 8])
        if name == b'IHDR':
            width, height, depth, colour = struct.unpack('>IIBB', data[at + 8:at + 18])
        if name == b'IDAT':
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    assert depth == 8, path
    count = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    return width, height, count, unfilter(zlib.decompress(packed), width * count, height, count)


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def unfilter(raw, stride, height, count):
    rows, above = [], bytearray(stride)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind else 0):
            left, corner = (row[i - count], above[i - count]) if i >= count else (0, 0)
            guess = {1: left, 2: above[i], 3: (left + above[i]) // 2, 4: paeth(left, above[i], corner)}[kind]
            row[i] = (row[i] + guess) & 255
        rows.append(bytes(row))
        above = row
    return b''.join(rows)


def differs(made, kept):
    a, b = pixels(made), pixels(kept)
    if a[:3] != b[:3]:
        return f'{made.name}: {a[0]} x {a[1]}, {b[0]} x {b[1]} in the documentation'
    mean = sum(abs(x - y) for x, y in zip(a[3], b[3])) / len(a[3])
    return f'{made.name}: pixels differ by {mean:.2f} on average' if mean > ALIKE else None


def check_pictures(text, folder, images, renew):
    for name in PICTURE.findall(text):
        made, kept = folder / name, images / name
        if not made.exists():
            yield f'the page shows {name}, and no block makes it'
        elif renew:
            images.mkdir(exist_ok=True)
            shutil.copy(made, kept)
        else:
            yield from filter(None, [differs(made, kept)])


def execute(text, folder, source, tool, renew):
    output, runner = '', Runner(folder, tool)
    if C_FILE.search(text):
        runner.install(source, tool)
    for kind, block in BLOCK.findall(text):
        if kind != 'text':
            output = runner.run(kind, block)
            if renew:
                print(f'--- {block}{output}')
            continue
        for line in missing(block, output):
            yield f'was not printed: {line}\nbut:\n{output}'
    runner.close()


def absent(text):
    """What the page's blocks need and this machine lacks."""
    python = ''.join(block for kind, block in BLOCK.findall(text) if kind == 'python')
    needed = {name for name in re.findall(r'^\s*(?:import|from) (\w+)', python, re.M) if name not in sys.stdlib_module_names}
    needed |= {'numpy'} if python else set()
    if 'argand' in needed:
        needed = needed - {'argand'} | {'cffi'}
    lacking = [name for name in sorted(needed) if importlib.util.find_spec(name) is None]
    has_c = any(kind == 'c' and C_FILE.match(block) for kind, block in BLOCK.findall(text))
    lacking += [name for name in ('cc', 'pkg-config') if has_c and not shutil.which(name)]
    return lacking or (['shared library of Argand'] if ('cffi' in needed or has_c) and 'ARGAND_LIBRARY' not in os.environ else [])


def main():
    source, tool, page = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    renew, shell = '--keep' in sys.argv, '--shell' in sys.argv
    text = (source / 'docs/tutorials' / page).read_text(encoding='utf-8')
    if shell:
        text = re.sub(r'^```python\n.*?^```$', '', text, flags=re.M | re.S)
    if not BLOCK.search(text):
        sys.exit(f'{page} has no example that runs (a block of sh, python or c)')
    if lacking := absent(text):
        print(f'there is no {lacking[0]}: skipped')
        return 77
    data = os.environ.get('ARGAND_TEST_DATA', '')
    os.environ['ARGAND_EXAMPLES'] = os.path.join(data, 'cartesian_brain')  # tests use no network
    if 'fetch-example brain' in text and not os.path.isdir(data):
        print('there are no test data (ARGAND_TEST_DATA): skipped')
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(sys.argv[5] if renew else scratch)
        folder.mkdir(exist_ok=True)
        bad = list(execute(text, folder, source, tool, renew))
        bad += check_pictures(text, folder, source / 'docs/images/tutorials', renew)
    print('\n'.join(bad) or f'{page}: {len(BLOCK.findall(text))} blocks')
    return 1 if bad else 0


sys.exit(main())
