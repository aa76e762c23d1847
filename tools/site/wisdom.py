# SPDX-License-Identifier: BSD-3-Clause
"""The reference of wisdom: the parameters of tuning from their table, the words of keys with what each means."""
import re

import rst

PARAMETER = re.compile(r'PARAMETER\(\s*(\w+),\s*([^,]+),\s*([^,]+),\s*([^,]+),\s*((?:"[^"]*"\s*)+)\)|/\* ---- (.*?) ---- \*/')

# What stands in a problem's key (src/fft/planner/wisdom.c, src/fft/access/key.c); a test holds the list against both.
PROBLEM = {
    'c32, c64, r32, r64': 'type: complex or real, single or double precision',
    '256x256': 'lengths, the fastest axis first',
    'batch': 'so many transforms in a call',
    'centred': 'the middle element is 0',
    'any-signal, any-spectrum': 'the order of one end is free (scrambled)',
    'axes, loops': 'lengths and strides, LENGTH:INPUT:OUTPUT each, where they are given',
    'inverse': 'the inverse of a real problem where it was measured separately; within accessors: forward, spectrum, inverse',
}
ACCESS = {
    'access': 'accessors follow',
    'in, out': 'a layout that is not the transform\'s own: its type, the window\'s lengths, its border',
    'c16, r16, cb16, rb16, u8': 'storage types: halves, bfloat16, bytes',
    'split': 'real and imaginary part in two arrays',
    'zero, constant, wrap, clamp, mirror': 'what stands beyond a window',
    'sum': 'sum over a loop, as over coils',
    'load, spectrum, store': 'the chain at which the next ones stand',
    'array, reals, :n1': 'a product with an array, complex or real; :n1 where it repeats along an axis',
    'own, mirrored': 'a text of the caller\'s; mirrored: it sees the mirror element, too',
    'moved': 'windows that only move',
}
FIGURES = {'!copy': 'seconds of a gigabyte read and written', '!launch': 'seconds of the shortest work'}
ENGINES = {
    'native': 'Argand\'s kernels for CUDA devices; the variant holds tuning parameters (below)',
    'fused': 'the same with accessors in its passes',
    'staged': 'accessors in passes of their own',
    'access': 'accessors on CPUs',
    'passes': 'CPUs: LENGTH:ALGORITHM/ALGORITHM, of rows and of columns; - was not chosen by measurement',
    'cufft': 'NVIDIA\'s library',
}
ALGORITHMS = {
    'fftw': 'FFTW',
    'simd_batch': 'one transform per lane of a vector',
    'simd_single': 'one transform by all lanes',
    'any_batch, any_single': 'any length, by Rader and Bluestein',
    'real_batch, real_single': 'real transforms',
}


def enums(folder):
    """Values of the enumerators of the engine's headers."""
    values = {}
    for path in folder.rglob('*.h'):
        for names in re.findall(r'enum \w+ \{([^}]*)\}', path.read_text(encoding='utf-8')):
            following = 0
            for name, value in re.findall(r'(\w+)\s*(?:=\s*(\d+))?\s*(?:,|$)', names.strip()):
                following = int(value) if value else following
                values[name] = following
                following += 1
    return values


def parameters(source):
    """(group, name, least, most, default, help) of the table."""
    values, group = enums(source / 'src/fft/gpu'), ''
    table = (source / 'src/fft/gpu/tuning/parameters.inc').read_text(encoding='utf-8')
    for name, least, most, default, text, heading in PARAMETER.findall(table):
        if heading:
            group = heading
            continue
        numbers = [str(eval(n, {'__builtins__': {}}, values)) for n in (least, most, default)]
        yield group, name, *numbers, ''.join(re.findall(r'"([^"]*)"', text))


def table(heading, entries):
    text = rst.title(heading, '-') + '.. list-table::\n   :widths: 30 70\n\n'
    for words, meaning in entries.items():
        text += f'   * - ``{words}``\n     - {rst.escape(meaning)}\n'
    return text + '\n'


def write(source, path):
    text = rst.title('Wisdom and tuning')
    text += ('A line of wisdom is ``PROBLEM<TAB>ENGINE<TAB>VARIANT<TAB>SECONDS``, below ``device<TAB>NAME``. '
             'Wisdom comes from ``argand fft --measure``.\n\n')
    for heading, entries in [('Words of a problem', PROBLEM), ('Words of accessors', ACCESS), ('Figures of a device', FIGURES),
                             ('Engines', ENGINES), ('Algorithms of CPUs', ALGORITHMS)]:
        text += table(heading, entries)
    text += rst.title('Tuning parameters', '-')
    text += 'As variant of the engine ``native`` and in ``ARGAND_FFT_TUNING``: pairs of a name and a number.\n\n'
    last = None
    for group, name, least, most, default, meaning in parameters(source):
        if group != last:
            text += rst.title(group.capitalize(), '~') + '.. list-table::\n   :widths: 25 15 10 50\n   :header-rows: 1\n\n'
            text += '   * - name\n     - range\n     - default\n     - what\n'
        following = f'   * - ``{name}``\n     - {least} to {most}\n     - {default}\n     - {rst.escape(meaning)}\n'
        text, last = text + following, group
    # list-table bodies end with a blank line before the next title
    path.write_text(re.sub(r'(\n     - [^\n]*\n)(?=\S)', r'\1\n', text), encoding='utf-8')
