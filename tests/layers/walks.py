#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""walks.py SOURCE: the walks of docs/internals/README.md name files that are there and functions that these define."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
STEP = re.compile(r"^\| `([\w/]+\.\w+)` \| ((?:`\w+`(?:, )?)+) \|", re.M)


def defines(text, function):
    """A definition begins its line with a type and is followed by a body, not a semicolon."""
    return re.search(rf"^\w[\w\s*]*\b{function}\([^;{{]*\)\s*\{{", text, re.M)


def wrong(path, functions):
    file = root / path
    if not file.exists():
        return [f"{path}: there is no such file"]
    text = file.read_text()
    return [f"{path}: does not define {name}" for name in functions if not defines(text, name)]


steps = STEP.findall((root / "docs/internals/README.md").read_text())
found = [message for path, names in steps for message in wrong(path, re.findall(r"\w+", names))]
print("\n".join(found) or f"{len(steps)} steps")
sys.exit(bool(found) or len(steps) < 30)
