#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""imports.py SOURCE: the modules of the Python package import each other in one direction, also within functions. Imports for type
checkers alone (under TYPE_CHECKING) do not run, and do not count. Imports from a package's __init__ count as imports of it."""
import ast
import sys
from pathlib import Path

root = Path(sys.argv[1]) / "python"


def name_of(path):
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


files = {name_of(path): path for path in sorted(root.rglob("*.py"))}


def checkers_only(node):
    test = node.test if isinstance(node, ast.If) else None
    return getattr(test, "id", getattr(test, "attr", "")) == "TYPE_CHECKING"


def statements(node):
    """All that runs, in functions too."""
    for child in node.orelse if checkers_only(node) else ast.iter_child_nodes(node):
        yield child
        yield from statements(child)


def targets(name, node):
    """What an import statement in module `name` names: modules, or what may be one."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    package = name.split(".") if files[name].name == "__init__.py" else name.split(".")[:-1]
    base = package[: len(package) - node.level + 1] if node.level else []
    base = ".".join(base + ([node.module] if node.module else []))
    return [f"{base}.{alias.name}" if f"{base}.{alias.name}" in files else base for alias in node.names]


def imports(name):
    nodes = [n for n in statements(ast.parse(files[name].read_text())) if isinstance(n, (ast.Import, ast.ImportFrom))]
    # a generated module (_binding) has no file: its package is named in its place, which is no import of that package's contents
    generated = [n for n in nodes if isinstance(n, ast.ImportFrom) and [a.name for a in n.names] == ["_binding"]]
    found = {target for n in nodes if n not in generated for target in targets(name, n)}
    return sorted(found & files.keys() - {name})


def circle(uses):
    """A circle of modules, the first again at the end; None if there is none."""
    done, path = set(), []

    def visit(name):
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return None
        path.append(name)
        found = next(filter(None, map(visit, uses[name])), None)
        path.pop()
        done.add(name)
        return found

    return next(filter(None, map(visit, uses)), None)


uses = {name: imports(name) for name in files}
found = circle(uses)
print(f"these modules import each other in a circle: {' -> '.join(found)}" if found else f"{len(files)} modules")
sys.exit(bool(found) or len(files) < 30)
