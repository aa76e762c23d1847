#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""notebooks.py SOURCE: writes docs/notebooks, a Jupyter notebook for each page of docs/tutorials, without outputs.

Text becomes cells of Markdown, ```python a cell of code, ```sh a cell of code that bash runs. ```text is left out: running the cells prints it.
A comment <!-- notebook ... --> of a page is a cell of code that only the notebook has, which shows an image."""
import json
import pathlib
import re
import sys

PART = re.compile(r'^```(sh|python|text)\n(.*?)^```\n|^<!-- (notebook)\n(.*?)^-->\n', re.M | re.S)
SIBLING = re.compile(r'\]\((?=[\w-]+\.md)')


def cell(kind, text, number):
    found = {'cell_type': kind, 'id': f'cell-{number}', 'metadata': {}, 'source': text.strip('\n').splitlines(keepends=True)}
    return {**found, 'execution_count': None, 'outputs': []} if kind == 'code' else found


def cells(page):
    parts, at = [], 0
    for match in PART.finditer(page):
        parts.append(('markdown', page[at:match.start()]))
        kind, text = match[1] or match[3], match[2] or match[4]
        if kind != 'text':
            parts.append(('code', '%%bash\n' + text if kind == 'sh' else text))
        at = match.end()
    parts.append(('markdown', page[at:]))
    kept = [(kind, SIBLING.sub('](../tutorials/', text) if kind == 'markdown' else text) for kind, text in parts if text.strip()]
    return [cell(kind, text, number) for number, (kind, text) in enumerate(kept)]


def notebook(page):
    """The file's text."""
    kernel = {'display_name': 'Python 3', 'language': 'python', 'name': 'python3'}
    whole = {'cells': cells(page), 'metadata': {'kernelspec': kernel, 'language_info': {'name': 'python'}}, 'nbformat': 4, 'nbformat_minor': 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + '\n'


def pages(source):
    """{name: text of the page}."""
    return {path.stem: path.read_text(encoding='utf-8') for path in sorted((source / 'docs/tutorials').glob('*.md')) if path.stem != 'index'}


if __name__ == '__main__':
    for name, page in pages(pathlib.Path(sys.argv[1])).items():
        (pathlib.Path(sys.argv[1]) / 'docs/notebooks' / f'{name}.ipynb').write_text(notebook(page), encoding='utf-8')
