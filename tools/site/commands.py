# SPDX-License-Identifier: BSD-3-Clause
"""The command reference: the tool's own manual pages, which come from its tables of options."""
import re
import subprocess

import rst


def ask(tool, *arguments):
    return subprocess.run([tool, 'help', *arguments], capture_output=True, text=True, check=True).stdout


def names(tool):
    """(command, part) of all pages; part is '' where a command has none."""
    for command in ask(tool, '--names').split():
        parts = ask(tool, '--names', command).split() if command not in ('help', 'completion') else []
        for part in parts or ['']:
            yield command, part


def plain(line):
    """A line of man(7) as text."""
    line = re.sub(r'\\f[A-Z]', '', line)
    return line.replace('\\&', '').replace('\\-', '-').replace('\\e', '\\')


def sections(page):
    """{heading: lines} of a manual page."""
    found, lines = {}, []
    for line in page.split('\n'):
        if line.startswith('.SH '):
            lines = found[line[4:]] = []
        elif not line.startswith(('.nf', '.fi', '.TH')):
            lines.append(line)
    return found


def signatures(head):
    """-t, --transform NAME as Sphinx has it: -t NAME, --transform NAME."""
    option_names = re.findall(r'(?<!\S)--?[\w-]+', head)
    argument = head[head.rindex(option_names[-1]) + len(option_names[-1]):].strip()
    return [', '.join(f'{name} {argument}'.strip() for name in option_names)]


def options(lines):
    text, i = '', 0
    while i < len(lines):
        if lines[i].startswith('.SS '):
            text += f'.. rubric:: {rst.escape(plain(lines[i][4:]))}\n\n'
        elif lines[i] == '.TP':
            end = next((j for j in range(i + 2, len(lines)) if lines[j].startswith('.')), len(lines))
            text += rst.directive('option', signatures(plain(lines[i + 1])), rst.paragraphs(plain('\n'.join(lines[i + 2:end]))))
            i = end - 1
        i += 1
    return text


def page(tool, command, part):
    name = ' '.join(['argand', command, part]).strip()
    if command in ('help', 'completion'):
        usage = subprocess.run([tool, command, '--help'], capture_output=True, text=True).stdout
        return rst.title(name) + rst.literal(usage)
    found = sections(ask(tool, '--man', command, *([part] if part else [])))
    text = rst.title(name) + rst.literal(plain('\n'.join(found['SYNOPSIS'])))
    text += rst.literal(plain('\n'.join(found['DESCRIPTION'])))
    text += f'.. program:: {name}\n\n' + options(found['OPTIONS'])
    if found.get('EXAMPLES'):
        text += '.. rubric:: Examples\n\n' + rst.literal(plain('\n'.join(found['EXAMPLES'])))
    return text


def write(tool, folder):
    folder.mkdir(parents=True)
    listed = []
    for command, part in names(tool):
        name = '-'.join(filter(None, [command, part]))
        (folder / f'{name}.rst').write_text(page(tool, command, part), encoding='utf-8')
        listed.append(name)
    index = rst.title('Commands') + 'Each command, from the same tables as ``argand help COMMAND`` and the manual pages.\n\n'
    index += '.. toctree::\n   :maxdepth: 1\n\n' + ''.join(f'   {name}\n' for name in listed)
    (folder / 'index.rst').write_text(index, encoding='utf-8')
