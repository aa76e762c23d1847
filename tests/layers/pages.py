#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pages.py SOURCE: no line of a page is longer than 160 characters, no sentence of docs/internals, docs/performance and
README.md has more than 40 words, files that docs/internals names exist, every link to a file of the project leads somewhere, and words with private meanings
stay gone. docs/log is as it was written; kernel-macros.md is generated."""
import os, re, subprocess, sys

LONGEST, MOST_WORDS = 160, 40
STRICT = re.compile(r'docs/(?!conventions\.md|vendors\.md)|README\.md$')
GENERATED = {'docs/internals/kernel-macros.md'}
GONE = [
    (r'\bbeside\b', 'next to, besides, compared with'),
    (r'\brungs?\b', 'step'),
    (r'\bthere and back\b|\bthe ways? back\b', 'forward and inverse, or adjoint'),
    (r'\b(parts|told|tells?|kept|stands?|stays?) apart\b', 'separate, distinguish'),
    (r'\b(in|whose|these|with) words\b', 'text, message, tuning'),
    (r'\b(a|the|in|of) waves?\b(?! that fits)', 'persistent passes'),
]


def blocks(text):
    """Paragraphs and list items, without tables, headings and code."""
    code, block = False, []
    for line in text.split('\n') + ['']:
        begins_item = re.match(r'^\s*([-*]|\d+\.) ', line)
        if line.startswith('```'): code = not code
        if begins_item or code or not line.strip() or line.lstrip().startswith(('|', '#', '```')) or \
                (line.startswith('    ') and not block):
            if block: yield ' '.join(block)
            block = []
            if not begins_item: continue
        block.append(re.sub(r'^\s*([-*]|\d+\.) ', '', line).strip())


def missing(text, names):
    """Names of C files and kernels that no file of the project has or ends in."""
    ends = {n[i:] for n in names for i in [0] + [k + 1 for k, c in enumerate(n) if c == '/']}
    for m in re.finditer(r'(?<![\w/.*-])((?:[\w-]+/)*[\w-]+\.(?:c|h|krn))\b(?!\.h| in the history)', text):
        if m[1] not in ends: yield f'there is no file {m[1]}'


def faults(name, text, names):
    for number, line in enumerate(text.split('\n'), 1):
        if len(line) > LONGEST: yield f'{number}: {len(line)} characters, {LONGEST} at most'
    for target in re.findall(r'\]\(([^)\s#]+)[^)\s]*\)', text):
        if not re.match(r'https?:|mailto:', target) and \
                not os.path.exists(os.path.join(os.path.dirname(name), target)):
            yield f'the link to {target} leads nowhere'
    if not STRICT.search(name): return
    if name.startswith('docs/internals/'): yield from missing(text, names)
    for block in blocks(text):
        for sentence in re.split(r'(?<=[.!?:])["”*)]*\s+(?=["`*A-Z(\[])', block):
            words = len(sentence.split())
            if words > MOST_WORDS: yield f'a sentence of {words} words, {MOST_WORDS} at most: {sentence}'
    for pattern, instead in GONE:
        for m in re.finditer(pattern, re.sub(r'`[^`]*`', '', text), re.I): yield f'"{m[0]}": say {instead}'


def main():
    os.chdir(sys.argv[1])
    listed = subprocess.run(['git', 'ls-files', '*.md'], capture_output=True, text=True)
    if listed.returncode or not listed.stdout:
        print('not a checkout: skipped')
        return 77
    everything = subprocess.run(['git', 'ls-files'], capture_output=True, text=True).stdout.split('\n')
    names = [n for n in listed.stdout.split('\n') if n and os.path.exists(n)]
    names = [n for n in names if not n.startswith('docs/log/') and n not in GENERATED]
    bad = [f'{n}: {f}' for n in names for f in faults(n, open(n, encoding='utf-8').read(), everything)]
    print('\n'.join(bad) or f'{len(names)} pages')
    return 1 if bad else 0


sys.exit(main())
