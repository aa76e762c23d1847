#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""kernel_macros.py [--check]: docs/internals/kernel-macros.md from the tables in the comments of src/kernels.

A table's line is " *   NAMES   what they mean" in a block comment: names of macros, two spaces or more, the text; lines that begin
further right go on. A name alone on its line goes with those of the next one. With --check nothing is written, and a page that
differs fails; so does a macro that a key of keys.txt defines and no table has."""
import re
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
kernels = root / "src" / "kernels"
page = root / "docs" / "internals" / "kernel-macros.md"
TABLES = [
    ("portable.h", "The language of kernels"),
    ("fft/parameters.h", "What a key says of a transform"),
    ("fft/cluster/shared.h", "Clusters"),
    ("field/params.h", "What a key says of the field DFT"),
    ("access/chain.h", "Accessors that are passes of their own"),
]
NAME = r"[A-Z][A-Z0-9_]*(?:\([^)]*\))?"
ENTRY = re.compile(rf"^ ?((?:{NAME})(?: +{NAME})*)(?:  +(\S.*))?$")


def entries(text):
    """Rows (names, text) and headings (None, text) of the first comment with a table."""
    for comment in re.findall(r"/\*.*?\*/", text, re.S):
        rows, names, title = [], "", ""
        for line in re.sub(r"\s*\*/$", "", comment).split("\n"):
            body = re.sub(r"^ \* ?|^/\* ?", "", line)
            lead = len(body) - len(body.lstrip())
            match = ENTRY.match(body[1:]) if lead == 2 else None
            if match:
                names = f"{names} {match[1]}".strip()
                if match[2]:
                    if title:
                        rows.append([None, title])
                    rows.append([names, match[2]])
                    names = title = ""
            elif lead > 2 and rows and not title:
                rows[-1][1] += " " + body.strip()
            elif lead > 2 and names:
                rows.append([names, body.strip()])
                names = ""
            elif body.strip():
                title = f"{title} {body.strip()}".strip()
            else:
                title = ""
        if sum(row[0] is not None for row in rows) > 2:
            return rows
    return []


def make():
    known = set()
    out = ["# Macros of the kernels", "", "Made by `tools/kernel_macros.py` from the comments of `src/kernels`; a test compares them.", ""]
    for file, title in TABLES:
        out += [f"## {title} (`{file}`)", "", "| macro | meaning |", "|---|---|"]
        rows = entries((kernels / file).read_text())
        if not rows:
            sys.exit(f"src/kernels/{file} has no table of macros")
        for names, text in rows:
            if names is None:
                if out[-1] == "|---|---|":
                    del out[-2:]
                out += ["", text, "", "| macro | meaning |", "|---|---|"] if out[-1] else [text, "", "| macro | meaning |", "|---|---|"]
                continue
            parts = re.findall(NAME, names)
            known |= {re.sub(r"\(.*", "", part) for part in parts}
            out.append("| " + " ".join(f"`{part}`" for part in parts) + " | " + text.replace("|", "\\|") + " |")
        out.append("")
    return "\n".join(out), known


def undocumented(known):
    used = set()
    for line in (kernels / "keys.txt").read_text().splitlines():
        if line.startswith(("fft_", "field_", "access_")):
            used |= set(re.findall(r" ([A-Z]\w*)=", line))
    return sorted(name for name in used if name not in known and re.sub(r"_[0-2]$", "", name) not in known)


text, known = make()
missing = undocumented(known)
if missing:
    sys.exit("no table of src/kernels says anything of " + ", ".join(missing))
if "--check" in sys.argv:
    if not page.exists() or page.read_text() != text:
        sys.exit("docs/internals/kernel-macros.md is not what the comments say: run tools/kernel_macros.py")
else:
    page.write_text(text)
