#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check.py SOURCE TOOL OUT [--html]: the documentation has every command, option, public function, name of the Python package,
word of wisdom and tuning parameter. With --html Sphinx builds it without a warning, and every link within it holds."""
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

SOURCE, TOOL, OUT = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
PAGES = OUT / 'site' / 'pages' / 'docs' / 'reference'


def build(*options):
    command = [sys.executable, '-B', SOURCE / 'tools/site/build.py', '--tool', TOOL, '--out', OUT / 'site', *options]
    return subprocess.run(command).returncode


def tool(*arguments):
    return subprocess.run([TOOL, 'help', *arguments], capture_output=True, text=True, check=True).stdout


def commands():
    """What the commands' pages lack, by the tool's lists for completion."""
    for command in tool('--names').split():
        parts = tool('--names', command).split() if command not in ('help', 'completion') else []
        for part in parts or ['']:
            page = PAGES / 'commands' / ('-'.join(filter(None, [command, part])) + '.rst')
            if not page.exists():
                yield f'command {command} {part} has no page'
                continue
            if command in ('help', 'completion'):
                continue
            heads = re.findall(r'^\.\. option:: (.*)$', page.read_text(encoding='utf-8'), re.M)
            there = {word for head in heads for word in re.findall(r'(?<!\S)--?[\w-]+', head)}
            names = {line.split('\t')[0] for line in tool('--options', command, *([part] if part else [])).split('\n') if line}
            for name in names - there - {'--help', '-h'}:
                yield f'{command} {part}: {name} is not in its page'


def functions():
    """Public functions by the list that tests/api/complete.sh holds against the headers."""
    calls = (SOURCE / 'tests/api/calls.inc').read_text(encoding='utf-8')
    text = '\n'.join(p.read_text(encoding='utf-8') for p in (PAGES / 'c').glob('*.rst'))
    heads = ' '.join(re.findall(r'^(?:\.\. c:function:: | {16,18})(.*)$', text, re.M))
    for name in re.findall(r'\((argand_\w+),', calls):
        if not re.search(rf'\b{name}\(', heads):
            yield f'{name} is not in the C reference'


def python_names():
    text = (SOURCE / 'python/argand/__init__.py').read_text(encoding='utf-8')
    page = (PAGES / 'python/argand.rst').read_text(encoding='utf-8')
    for name in re.findall(r'"(\w+)"', text[text.index('__all__'):]):
        if name in ('__version__', 'errors', 'tool', 'trajectory'):
            continue
        if not re.search(rf'^\.\. py:\w+:: {name}\b', page, re.M):
            yield f'argand.{name} is not in the Python reference'


def wisdom_parameters():
    """Words of the shipped wisdom, of the text that makes keys, and of the table of parameters."""
    page = (PAGES / 'wisdom.rst').read_text(encoding='utf-8')
    there = set(re.findall(r'[!\w-]+', ' '.join(re.findall(r'``([^`]*)``', page))))
    wanted = set(re.findall(r'PARAMETER\(\s*(\w+)', (SOURCE / 'src/fft/gpu/tuning/parameters.inc').read_text(encoding='utf-8')))
    wanted.discard('name')  # of the comment that explains the table
    for path in (SOURCE / 'share/wisdom').glob('*.wisdom'):
        for line in path.read_text(encoding='utf-8').split('\n'):
            fields = line.split('\t')
            wanted.update(re.findall(r'(?<!\w)!?[a-z][\w-]+', re.sub(r':\S*', '', ' '.join(fields[:3]))) if len(fields) == 4 else [])
    for name in ['src/fft/planner/wisdom.c', 'src/fft/access/key.c']:
        text = (SOURCE / name).read_text(encoding='utf-8')
        for literal in re.findall(r'(?:text_add|add_axes|add_layout)\([^;]*?;|#define MOVED.*|types\[\] = \{.*?\}|borders\[\] = \{.*?\}|names\[\] = \{.*?\}',
                                  text, re.S):
            wanted.update(w for s in re.findall(r'"([^"]*)"', literal) for w in re.findall(r'(?<![%\w])[a-z][\w-]+', re.sub(r'%\.?\*?l*[a-z]', '', s)))
    for word in sorted(wanted - there):
        yield f'the word {word} is not in the page of wisdom'


class Links(html.parser.HTMLParser):
    """Targets and identifiers of a page."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ('href', 'src') and value:
                self.targets.append(value)
            if name in ('id', 'name') and value:
                self.names.add(value)


def broken_links(folder):
    pages = {p.resolve(): Links(p.read_text(encoding='utf-8')) for p in folder.rglob('*.html') if '_static' not in p.parts}
    for path, page in pages.items():
        for target in page.targets:
            url = urllib.parse.urlsplit(target)
            if url.scheme or url.netloc or target.startswith('data:'):
                continue
            there = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if not there.exists():
                yield f'{path.name}: {target} leads nowhere'
            elif url.fragment and there in pages and urllib.parse.unquote(url.fragment) not in pages[there].names:
                yield f'{path.name}: {target} has no such place'


def lacks():
    """What Sphinx's own Python lacks for the site, or nothing."""
    found = shutil.which('sphinx-build')
    if not found:
        return 'sphinx-build'
    python = pathlib.Path(found).read_text(encoding='utf-8').split('\n')[0].removeprefix('#!').split()
    return '' if subprocess.run([*python, '-c', 'import myst_parser'], capture_output=True).returncode == 0 else 'myst_parser'


def main():
    with_html = '--html' in sys.argv
    if with_html and lacks():
        print(f'{lacks()} is not installed (tools/bootstrap.sh test): skipped, the site was not built')
        return 77
    if build(*([] if with_html else ['--pages-only'])):
        return 1
    bad = list(broken_links(OUT / 'site/html')) if with_html else \
        [*commands(), *functions(), *python_names(), *wisdom_parameters()]
    print('\n'.join(bad) or 'complete')
    return 1 if bad else 0


sys.exit(main())
