#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""report_repeat.py ARGAND: a report is enough to repeat a reconstruction. The command is taken from the page and run in another
folder, on inputs that are found by their SHA-256; the image is the same to the byte. What else a report has is looked for, too:
version, methods with papers, pictures of k-space, figures with what is usual, differences of two images; no row twice."""
import hashlib
import html
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ARGAND = pathlib.Path(sys.argv[1]).resolve()
ENVIRONMENT = {**os.environ, 'PATH': f'{ARGAND.parent}:{os.environ["PATH"]}'}


def run(command, folder):
    done = subprocess.run(['bash', '-c', command], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, f'{command}\n{done.stderr}'
    return done.stdout


def rows(page):
    """(section, name, value) of all tables of facts."""
    for section in re.findall(r'<section class="facts">(.*?)</section>', page, re.S):
        heading = re.search(r'<h3>(.*?)</h3>', section).group(1)
        for name, value in re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', section, re.S):
            yield html.unescape(heading), html.unescape(name), html.unescape(value)


def repeat(page, inputs, first):
    """Runs the page's command where nothing but its inputs is."""
    facts = {name: value for section, name, value in rows(page) if section == 'How to repeat it'}
    sums = {name.removeprefix('SHA-256 of '): value for name, value in facts.items() if name.startswith('SHA-256 of ')}
    assert set(sums) == set(inputs), sums
    with tempfile.TemporaryDirectory() as place:
        by_sum = {hashlib.sha256((first / name).read_bytes()).hexdigest(): first / name for name in inputs}
        for name, value in sums.items():
            shutil.copy(by_sum[value], pathlib.Path(place) / name)
        run(facts['Command'], place)
        image = pathlib.Path(place, 'an image.npy').read_bytes()
        assert image == (first / 'an image.npy').read_bytes(), 'another image'
    return facts


def check_page(page, facts):
    version = run('argand --version', '.').strip()
    assert facts['Program'] == version, (facts['Program'], version)
    found = list(rows(page))
    assert len({row[:2] for row in found}) == len(found), 'a row twice'
    headings = re.findall(r'<h3>(.*?)</h3>', page)
    assert len(set(headings)) == len(headings), headings
    prose = page[page.index('<h2>Methods'):]
    for words in ['iterative SENSE [1]', '[1] Pruessmann', 'Sutton, Noll, Fessler', 'spiral acquisitions']:
        assert words in prose, words
    for title in ['Trajectory: samples', 'K-space: mean magnitude', 'Field map']:
        assert f'"title":"{title}' in page, title
    quality = {name: value for section, name, value in found if section == 'Is it good?'}
    assert quality and all('Usual' in value for value in quality.values()), quality


def methods(command, folder):
    run(f'argand sense {command} -q --report said.html --iterations 3', folder)
    return (folder / 'said.html').read_text(encoding='utf-8').split('<h2>Methods')[1]


def check_methods(folder):
    """What a model has beyond maps is said where it was used, with its paper, and only there."""
    run('argand simulate lines.h5 --matrix 32 --coils 6 --trajectory cartesian --partial-fourier 0.7 --noise-scan 40 -q', folder)
    run('argand simulate bands.h5 --matrix 24 --coils 6 --slices 2 --bands 2 --field-range 0 -q', folder)
    run('argand convert lines.h5:FieldMap b0.npy -q && argand array scale b0.npy r2.npy --by 0 -q', folder)
    said = {
        'Bydder, Robson': 'lines.h5 a.npy --partial-fourier 0.3',
        'Roemer, Edelstein': 'lines.h5 a.npy --whiten',
        'Buehrer, Pruessmann': 'lines.h5 a.npy --compress 3',
        'Peters, Derbyshire': 'lines.h5 a.npy --delay 1,2,0',
        'Olafsson, Noll, Fessler: Fast joint': 'lines.h5 a.npy --r2star r2.npy',
        'Robson, Grant': 'lines.h5 a.npy --noise-map 2',
        'Larkman, Hajnal': 'bands.h5 a.npy',
        'Uecker, Hohage': 'lines.h5 a.npy --coil-maps none --coils joint',
    }
    texts = {paper: methods(command, folder) for paper, command in said.items()}
    plain = methods('lines.h5 a.npy --no-whiten', folder)
    for paper, text in texts.items():
        assert paper in text, (paper, text)
        assert paper not in plain, (paper, plain)


def main():
    with tempfile.TemporaryDirectory() as place:
        first = pathlib.Path(place)
        run("argand simulate 'a scan.h5' --matrix 32 --coils 3 --readout 5 -q", first)
        run("argand convert 'a scan.h5:FieldMap' field.npy -q", first)
        command = "argand sense 'a scan.h5' 'an image.npy' --field-map=field.npy --report --iterations 4 --regularize 'quadratic:0.01' -q"
        run(command, first)
        page = (first / 'an image.html').read_text(encoding='utf-8')
        facts = repeat(page, ['a scan.h5', 'field.npy', 'field.json'], first)
        assert shlex.split(facts['Command']) == shlex.split(command), facts['Command']
        check_page(page, facts)
        run(command, first)  # with its own outputs there already: they are no inputs
        again = (first / 'an image.html').read_text(encoding='utf-8')
        repeat(again, ['a scan.h5', 'field.npy', 'field.json'], first)
        sidecar = json.loads((first / 'an image.json').read_text())['Argand']
        assert sidecar['CommandLine'] == facts['Command'] and set(sidecar['InputSHA256']) == {'a scan.h5', 'field.npy', 'field.json'}
        run("argand sense 'a scan.h5' plain.npy --field-map none --iterations 4 -q", first)
        run("argand report plain.npy 'an image.npy' both.html --captions 'plain|corrected' -q", first)
        both = (first / 'both.html').read_text(encoding='utf-8')
        assert '"title":"Difference: plain - corrected"' in both
        check_methods(first)
    print('repeated')


main()
