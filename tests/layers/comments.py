#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""comments.py SOURCE: words that the project gave private meanings do not come back into comments.
Each has a term of the field instead (docs/internals/README.md, "Glossary")."""
import os, re, subprocess, sys

GONE = [  # what must not stand in a comment, and what stands there instead
    (r'\bbeside\b', 'next to, besides, compared with'),
    (r'\brungs?\b', 'step'),
    (r'\brooms?\b', 'space, padding, memory; folder'),
    (r'\b(in|with|put into|these|those|whose|further|own|by its|which) words\b|\bwords (of|for|that|in|beside)\b', 'text, message, tuning'),
    (r'\b(turned round|by turns|takes? turns|turned by exp|one turn behind)\b', 'reversed, alternately, twiddle'),
    (r'\b(timed|measured|data|rounds|run|parts|passes) in turns?\b', 'alternately, one after the other'),
    (r'\b(tells?|told|parts|kept|stands?|stays?|lies|measured|numbers|elements|points|constant) apart\b', 'distinguish, separate, stride'),
    (r'\b(apart or|or apart|as far apart|so many apart|falls? apart)\b', 'disjoint, stride'),
    (r'\b(real|complex|load|store|spectrum\'s|signal\'s|input|output|array\'s) sides?\b', 'layout, input, output'),
    (r'\b(there and back|(the|its|their) ways? back|way there)\b', 'forward and inverse, or adjoint'),
    (r'\b(a|the|in|two|of) waves?(?=[ ,.\'](?!k\b))(?! (of frequency|vectors?|that an impulse|, sums))', 'persistent passes'),
    (r'\b(groups|blocks|boxes) that stay\b', 'persistent blocks'),
    (r'\b(a[b]reast|likeness|fores[e]e[ns]?|stand[s]? back)\b', 'in batches, precompile, low priority'),
    (r'\bnumber [a-z0-9]( [-+] [a-z0-9]+)? (of|behind)\b(?! (the|these|those) (threads|coils|shots))', 'element, point'),
]
FFT_GONE = [(r'\bbox(es)?\b', 'tile')]  # in src/fft and its kernels; elsewhere a box is a part of an image
FINE = re.compile(r'an impulse becomes a wave|A wave of 3 periods|has WORDS in it|Box and Muller|from blank \(32\) to the box|box of ones|a box of w|Phases? in turns|phase in turns')
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.S)


def comments(text):
    """(line, text) of all lines of comments, identifiers in backticks left out."""
    for m in TOKEN.finditer(text):
        if m[0][0] == '/':
            first = text.count('\n', 0, m.start()) + 1
            for i, line in enumerate(m[0].split('\n')): yield first + i, re.sub(r'`[^`]*`', '', line)


def main():
    os.chdir(sys.argv[1])
    listed = subprocess.run(['git', 'ls-files', '*.c', '*.cc', '*.h', '*.krn', '*.inc'], capture_output=True, text=True)
    if listed.returncode or not listed.stdout:
        print('not a checkout: skipped')
        return 77
    names, bad = [n for n in listed.stdout.split('\n') if n and os.path.exists(n)], 0
    for name in names:
        for number, line in comments(open(name, errors='replace').read()):
            for pattern, instead in GONE + (FFT_GONE if re.match(r'src/(fft|kernels/fft)/', name) else []):
                m = re.search(pattern, line, re.I)
                if m and not FINE.search(line):
                    print(f'{name}:{number}: "{m[0]}": say {instead}\n    {line.strip()}')
                    bad += 1
    print(f'{len(names)} files, {bad} comments to mend')
    return 1 if bad else 0


sys.exit(main())
