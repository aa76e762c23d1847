# SPDX-License-Identifier: BSD-3-Clause
"""Plain text of headers, option tables and docstrings as reStructuredText."""
import re
import textwrap


def escape(text):
    """Text in which nothing is markup."""
    text = re.sub(r'([\\*`_|])', r'\\\1', text)
    return re.sub(r'^(\w+[.)]\s|[-+•]\s)', r'\\\1', text)


def title(text, mark='='):
    return f'{escape(text)}\n{mark * (2 * len(text) + 2)}\n\n'


def literal(text, language='none'):
    return f'.. code-block:: {language}\n\n' + textwrap.indent(text.rstrip('\n'), '   ') + '\n\n'


def paragraphs(text):
    """Lines flow, but for indented ones (tables, formulas) and those of an interpreter, which stay as they are."""
    out = []
    for part in re.split(r'\n\s*\n', text.strip('\n')):
        lines = part.split('\n')
        while lines:
            fixed = is_fixed(lines[0])
            count = next((i for i, line in enumerate(lines) if is_fixed(line) != fixed), len(lines))
            if lines[0].startswith('>>>'):  # with what it prints
                count = len(lines)
            run, lines = lines[:count], lines[count:]
            out.append(literal(textwrap.dedent('\n'.join(run))) if fixed else escape(' '.join(run)) + '\n\n')
    return ''.join(out)


def is_fixed(line):
    return line.startswith((' ', '>>>'))


def directive(name, signatures, body='', option=''):
    """.. name:: with several signatures, each in a line."""
    space = '\n' + ' ' * (len(name) + 7)
    text = f'.. {name}:: ' + space.join(signatures) + '\n' + (f'   {option}\n' if option else '') + '\n'
    return text + textwrap.indent(body, '   ')
