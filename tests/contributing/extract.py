#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""extract.py SOURCE OUT: what the worked cases of CONTRIBUTING.md ask for, done in the folder OUT: its blocks of code as the files that they
name, its lines at the end of copies of the lists, its values at the end of enums in copies of the public headers."""
import pathlib
import re
import shutil
import sys
import textwrap

SOURCE, OUT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def write(path, text):
    target = OUT / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding='utf-8')


def cases(text):
    """The cases that a test builds."""
    for case in re.split(r'^## ', text, flags=re.M):
        if case.startswith(('Worked case: add a penalty', 'Worked case: add a trajectory', 'Worked case: add a backend')):
            yield case


def blocks(case):
    """(path, code): a step that begins with a path and ends with a colon, and the block behind it."""
    for path, code in re.findall(r'^\d\. `([\w/.]+)`[^\n]*(?:\n[^\n]+)*:\n\n((?: {7}[^\n]*\n|\n)+)', case, re.M):
        yield path, textwrap.dedent(code).strip() + '\n'


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    shutil.copytree(SOURCE / 'include', OUT / 'include')
    done = []
    for case in cases((SOURCE / 'CONTRIBUTING.md').read_text(encoding='utf-8')):
        for path, code in blocks(case):
            write(path, code)
            done.append(path)
        for path, line in re.findall(r'One line in `([\w/.]+)`: `([^`]+)`', case):
            write(path, (SOURCE / path).read_text(encoding='utf-8') + line + '\n')
            done.append(path)
        for enum, path, value in re.findall(r'One value at the end of `(\w+)` in `([\w/.]+)`: `([^`]+)`', case):
            header, count = re.subn(rf'\n}} {enum};', f',\n    {value}\n}} {enum};', (OUT / path).read_text(encoding='utf-8'))
            assert count == 1, f'{path} has no enum {enum}'
            write(path, header)
            done.append(path)
    wanted = sys.argv[3:]
    assert sorted(done) == sorted(wanted), f'CONTRIBUTING.md names {sorted(done)}, not {sorted(wanted)}'


main()
