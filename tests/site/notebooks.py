#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""notebooks.py SOURCE TOOL [NAME...]: the notebooks of docs/notebooks are those of the tutorials, without outputs; runs those that are named,
cell by cell, with what a notebook would show of each last line; `all`: each, in Jupyter (nbclient) where it is installed. 77: something that
they need is not there."""
import ast
import contextlib
import io
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE, TOOL = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(SOURCE / 'tools/site'))
import notebooks  # noqa: E402


def check_files():
    """Bad files, a line each."""
    wanted = {name: notebooks.notebook(page) for name, page in notebooks.pages(SOURCE).items()}
    found = {path.stem: path.read_text(encoding='utf-8') for path in (SOURCE / 'docs/notebooks').glob('*.ipynb')}
    for name in sorted(set(wanted) | set(found)):
        if wanted.get(name) != found.get(name):
            yield f'docs/notebooks/{name}.ipynb is not what docs/tutorials/{name}.md says: tools/site/notebooks.py . writes it anew'


def last_value(code, names):
    """Runs a cell and returns the value of its last line, if that is an expression."""
    tree = ast.parse(code)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, 'cell', 'exec'), names)
    return None if last is None else eval(compile(last, 'cell', 'eval'), names)


def run_plainly(cells, folder):
    """Without Jupyter. Returns what is printed and shown."""
    import argand._show as argand

    before, argand.in_notebook = argand.in_notebook, lambda: True
    os.chdir(folder)
    names, output = {'__name__': '__main__'}, io.StringIO()
    for cell in cells:
        code = ''.join(cell['source'])
        if code.startswith('%%bash\n'):
            done = subprocess.run(['bash', '-e', '-c', code.split('\n', 1)[1]], capture_output=True, text=True)
            assert done.returncode == 0, f'{code}\n{done.stdout}{done.stderr}'
            continue
        with contextlib.redirect_stdout(output):
            value = last_value(code, names)
        if value is not None:
            output.write(value._repr_html_() if hasattr(value, '_repr_html_') else repr(value))
    argand.in_notebook = before
    return output.getvalue()


def run_in_jupyter(whole, folder):
    import nbclient
    import nbformat

    book = nbformat.reads(json.dumps(whole), as_version=4)
    nbformat.validate(book)
    nbclient.NotebookClient(book, timeout=600, resources={'metadata': {'path': str(folder)}}).execute()
    outputs = [output for cell in book.cells if cell.cell_type == 'code' for output in cell.outputs]
    return ''.join(output.get('text', '') + str(output.get('data', '')) for output in outputs)


def has_jupyter():
    wanted = 'import nbclient, nbformat, ipykernel'
    return subprocess.run([sys.executable, '-c', wanted], capture_output=True).returncode == 0


def run(name, in_jupyter):
    whole = json.loads((SOURCE / 'docs/notebooks' / f'{name}.ipynb').read_text(encoding='utf-8'))
    with tempfile.TemporaryDirectory() as folder:
        try:
            if in_jupyter:
                output = run_in_jupyter(whole, folder)
            else:
                output = run_plainly([cell for cell in whole['cells'] if cell['cell_type'] == 'code'], folder)
        finally:
            os.chdir(SOURCE)
    assert ('True' in output or ' found ' in output) and 'False' not in output, output
    assert any(sign in output for sign in ('<img', 'image/png', 'jupyter.widget-view')), f'{name} shows no image: {output}'
    print(name, len(whole['cells']), 'cells, in Jupyter' if in_jupyter else 'cells, without Jupyter', flush=True)


def main(names):
    bad = list(check_files())
    if bad:
        print('\n'.join(bad))
        return 1
    if subprocess.run([sys.executable, '-c', 'import numpy, cffi'], capture_output=True).returncode or 'ARGAND_LIBRARY' not in os.environ:
        print('NumPy, cffi or the shared library is missing: the notebooks are not run')
        return 77
    data = os.environ.get('ARGAND_TEST_DATA', '')
    path = f'{TOOL.parent}{os.pathsep}{os.environ["PATH"]}'
    os.environ.update(PATH=path, ARGAND_DEVICE='cpu', MPLBACKEND='agg', ARGAND_EXAMPLES=os.path.join(data, 'cartesian_brain'))
    everything, has_h5py = names == ['all'], importlib.util.find_spec('h5py') is not None
    for name in sorted(notebooks.pages(SOURCE)) if everything else names:
        if name == 'real-scan' and not os.path.isdir(data):
            print('real-scan is not run: there are no test data (ARGAND_TEST_DATA)')
            continue
        if 'import h5py' in notebooks.pages(SOURCE)[name] and not has_h5py:
            print(f'{name} is not run: Python has no h5py')
            continue
        run(name, everything and has_jupyter())
    return 0


sys.exit(main(sys.argv[3:]))
