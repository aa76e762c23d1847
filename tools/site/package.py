# SPDX-License-Identifier: BSD-3-Clause
"""The Python reference, from the package's text: nothing is imported, so neither the library nor NumPy is needed."""
import ast

import rst


def modules(folder):
    """By their names: NAME.py, NAME/__init__.py, or NAME.PART of NAME/PART.py."""
    files = {path.stem: path for path in sorted(folder.glob('*.py'))}
    files |= {path.parent.name: path for path in sorted(folder.glob('*/__init__.py'))}
    files |= {f'{path.parent.name}.{path.stem}': path for path in sorted(folder.glob('*/*.py')) if path.stem != '__init__'}
    trees = {name: ast.parse(path.read_text(encoding='utf-8')) for name, path in files.items()}
    for name, path in files.items():
        if path.stem == '__init__' and path.parent != folder:
            trees[name].body += parts(trees[name], path.parent)
    return trees


def parts(tree, folder):
    """What a folder's __init__.py takes from the files beside it."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            part = ast.parse((folder / f'{node.module}.py').read_text(encoding='utf-8'))
            found += [definition(part, alias.name) for alias in node.names if alias.name in public(tree)]
    return [node for node in found if node is not None]


def public(tree):
    """The names of __all__."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], 'id', '') == '__all__':
            return ast.literal_eval(node.value)
    return []


def sources(tree):
    """{name: (module, name there)} of what __init__ imports; a module itself has no name there."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            for alias in node.names:
                found[alias.asname or alias.name] = (node.module, alias.name) if node.module else (alias.name, '')
    return found


def definition(tree, name):
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name and not is_left_out(node):
            return node
    return None


def signature(node, name, method=False):
    arguments = node.args
    if method and arguments.args and not any('staticmethod' in ast.unparse(d) for d in node.decorator_list):
        arguments.args = arguments.args[1:]
    result = f' -> {ast.unparse(node.returns)}' if node.returns else ''
    return f'{name}({ast.unparse(arguments)}){result}'


def doc(node):
    text = ast.get_docstring(node)
    return rst.paragraphs(text) if text else ''


def is_left_out(node):
    """Setters, and forms of a function for type checkers."""
    return any(ast.unparse(d).endswith(('.setter', 'overload')) for d in node.decorator_list)


def members(node):
    text = ''
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and not item.target.id.startswith('_'):
            text += rst.directive('py:attribute', [item.target.id], option=f':type: {ast.unparse(item.annotation)}') + '\n'
        if isinstance(item, ast.FunctionDef) and not item.name.startswith('_') and not is_left_out(item):
            is_property = any(ast.unparse(d) == 'property' for d in item.decorator_list)
            name = item.name if is_property else signature(item, item.name, method=True)
            text += rst.directive('py:property' if is_property else 'py:method', [name], doc(item))
    return text


def entry(node, name):
    if isinstance(node, ast.FunctionDef):
        return rst.directive('py:function', [signature(node, name)], doc(node))
    made = definition(node, '__init__')
    head = signature(made, name, method=True).split(' -> ')[0] if made else name
    return rst.directive('py:class', [head], doc(node) + members(node))


def module_page(name, tree):
    text = rst.title(f'argand.{name}') + f'.. py:module:: argand.{name}\n\n' + doc(tree)
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith('_'):
            text += entry(node, node.name)
    return text


def write(folder, out):
    out.mkdir(parents=True)
    trees = modules(folder)
    top = trees['__init__']
    where = sources(top)
    text = rst.title('argand') + '.. py:module:: argand\n\n' + doc(top)
    for name in public(top):
        module, inner = where[name]
        node = definition(trees[module], inner) if inner else None
        text += entry(node, name) if node else '' if not inner else rst.directive('py:data', [name])
    (out / 'argand.rst').write_text(text, encoding='utf-8')
    pages = ['errors', 'tool', 'trajectory', 'torch', 'mrinufft', 'sigpy', 'deepinv', 'scipy_backend']
    for page in pages:
        tree = trees.get(page) or trees['_' + page]
        (out / f'{page}.rst').write_text(module_page(page, tree), encoding='utf-8')
    index = rst.title('Python') + '.. toctree::\n   :maxdepth: 1\n\n' + ''.join(f'   {p}\n' for p in ['argand', *pages])
    (out / 'index.rst').write_text(index, encoding='utf-8')
