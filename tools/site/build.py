#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""build.py --tool ARGAND --out FOLDER [--pages-only]: the documentation site, by Sphinx. Any warning is an error.
The pages are those of docs/ at their places, so that links hold; the references are made from the tool's option tables, the
headers, the Python package and the table of tuning parameters."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import commands
import headers
import package
import rst
import wisdom

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BESIDES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
LINK = re.compile(r'(?<!!)\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)')


def keep_links(page, pages):
    """Links to files that the site does not have (folders, sources, the log) become text."""
    def look(match):
        label, target, _ = match.groups()
        if not target or re.match(r'\w+:', target):
            return match.group()
        path = (page.parent / target).resolve()
        return match.group() if path in pages else label
    return LINK.sub(look, page.read_text(encoding='utf-8'))


def copy_pages(work):
    pages = [p for p in (SOURCE / 'docs').rglob('*.md') if 'log' not in p.relative_to(SOURCE / 'docs').parts[:-1]]
    pages += [SOURCE / name for name in BESIDES]
    known = {p.resolve() for p in pages}
    for page in pages:
        target = work / page.relative_to(SOURCE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(keep_links(page, known), encoding='utf-8')
    shutil.copytree(SOURCE / 'docs/images', work / 'docs/images')
    for page, pattern in [('docs/internals/README.md', '*'), ('docs/performance.md', 'performance/*')]:
        add_tree(work / page, f':glob:\n\n{pattern}')
    add_tree(work / 'docs/index.md', 'reference/index\n../CONTRIBUTING\n../SECURITY\n../CHANGELOG\n../README')


def add_tree(page, entries):
    with page.open('a', encoding='utf-8') as file:
        file.write(f'\n```{{toctree}}\n:hidden:\n{entries}\n```\n')


def write_references(work, tool):
    folder = work / 'docs/reference'
    commands.write(tool, folder / 'commands')
    headers.write(SOURCE / 'include/argand', folder / 'c')
    package.write(SOURCE / 'python/argand', folder / 'python')
    wisdom.write(SOURCE, folder / 'wisdom.rst')
    text = rst.title('Reference') + '.. toctree::\n   :maxdepth: 1\n\n'
    text += '   commands/index\n   c/index\n   python/index\n   wisdom\n'
    (folder / 'index.rst').write_text(text, encoding='utf-8')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--tool', required=True)
    parser.add_argument('--out', required=True, type=pathlib.Path)
    parser.add_argument('--pages-only', action='store_true', help='the pages for Sphinx alone')
    given = parser.parse_args()
    work = given.out / 'pages'
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    copy_pages(work)
    write_references(work, given.tool)
    shutil.copy(pathlib.Path(__file__).with_name('conf.py'), work / 'conf.py')
    if given.pages_only:
        return 0
    html = given.out / 'html'
    done = subprocess.run(['sphinx-build', '-W', '--keep-going', '-q', '-b', 'html', '-d', given.out / 'trees', work, html])
    if not done.returncode:
        (html / 'index.html').write_text('<meta http-equiv="refresh" content="0; url=docs/index.html">\n', encoding='utf-8')
        print(f'the site is {html}/docs/index.html')
    return done.returncode


sys.exit(main())
