# SPDX-License-Identifier: BSD-3-Clause
"""The C reference: what include/argand declares, with the comment in front of it."""
import re
import textwrap

import rst

COMMENT = re.compile(r'/\*.*?\*/', re.S)
NOISE = re.compile(r'\bARGAND_(API|MUST_USE)\b\s*')


def inside(comment):
    """A comment's text, without its stars and the lines of dashes."""
    text = comment[2:-2]
    text = re.sub(r'\n \* ?', '\n', text)
    return textwrap.dedent(re.sub(r'-{4,}', '', text)).strip()


def declaration_end(text, start):
    """The place behind the ; or, of a #define, behind the line that ends it."""
    if text.startswith('#', start):
        end = re.compile(r'(?<!\\)\n').search(text, start)
        return end.end() if end else len(text)
    depth, i = 0, start
    while i < len(text):
        comment = COMMENT.match(text, i)
        if comment:
            i = comment.end()
            continue
        depth += (text[i] in '({') - (text[i] in ')}')
        i += 1
        if text[i - 1] == ';' and depth == 0:
            return i
    return len(text)


def items(text):
    """(comment, declaration, joined) in the order of a header; joined: follows the one before without a line between."""
    at, comment, joined = 0, '', False
    while at < len(text):
        space = re.compile(r'\s*').match(text, at)
        if space.group().count('\n') > 1:
            joined = False
            if comment:
                yield comment, '', False
            comment = ''
        at = space.end()
        if at >= len(text):
            break
        found = COMMENT.match(text, at)
        if found:
            if comment:
                yield comment, '', False
            comment, at, joined = inside(found.group()), found.end(), False
            continue
        end = declaration_end(text, at)
        yield comment, text[at:end].strip(), joined and not comment
        remark = re.compile(r'[ \t]*(/\*.*?\*/)', re.S).match(text, end)
        at, comment, joined = remark.end() if remark else end, '', True


def body(header):
    """A header without its frame: guards, includes, extern "C"."""
    text = re.sub(r'#ifdef __cplusplus.*?#endif\n', '', header, flags=re.S)
    text = re.sub(r'^#(ifndef|include|endif|if|else|elif|undef|pragma).*\n', '', text, flags=re.M)
    return re.sub(r'^#define ARGAND_[A-Z_0-9]*_H\n', '', text, flags=re.M)


def bare(declaration):
    """Without comments, attributes and line breaks."""
    text = NOISE.sub('', COMMENT.sub(' ', declaration))
    return re.sub(r'\s+', ' ', text).strip().rstrip(';').replace('* ', '*')


def function_name(declaration):
    found = re.search(r'\b(argand_\w+)\s*\(', bare(declaration)) if 'ARGAND_API' in declaration else None
    return found.group(1) if found else None


def kind(declaration):
    """(directive, signature) of a type or a macro."""
    found = re.match(r'typedef (struct|enum|union) (\w+) \{', bare(declaration))
    if found:
        return f'c:{found[1]}', found[2]
    found = re.match(r'typedef struct (\w+) (\w+)$', bare(declaration))
    if found:
        return 'c:struct', found[2]
    found = re.match(r'#define (\w+(?:\([^)]*\))?)', declaration)
    if found:
        return 'c:macro', found[1]
    found = re.match(r'typedef (.*)', bare(declaration))
    return ('c:type', found[1]) if found else (None, None)


def page(name, header):
    text, group = rst.title(name), None
    first, seen = True, set()
    for comment, declaration, joined in items(body(header)):
        if 'SPDX' in comment:
            continue
        if first and comment and not declaration:
            comment, first = comment.removeprefix(f'{name}: '), False
        function = function_name(declaration)
        if function and joined and group is not None:
            group[0].append(bare(declaration))
            continue
        if group:
            text += rst.directive('c:function', *group)
            group = None
        if function:
            group = ([bare(declaration)], rst.paragraphs(comment) if comment else '')
            continue
        _, signature = kind(declaration) if declaration else (None, None)
        if signature and signature in seen:  # a macro that is defined for each compiler
            continue
        seen.add(signature)
        text += type_text(comment, declaration)
    return text + (rst.directive('c:function', *group) if group else '')


def type_text(comment, declaration):
    words = rst.paragraphs(comment) if comment else ''
    directive, signature = kind(declaration) if declaration else (None, None)
    if not directive:
        return words + (rst.literal(declaration, 'c') if declaration else '')
    return rst.directive(directive, [signature], words + rst.literal(NOISE.sub('', declaration), 'c'))


def write(include, folder):
    folder.mkdir(parents=True)
    names = sorted(h.name for h in include.glob('*.h'))
    names.sort(key=lambda n: n != 'argand.h')
    for name in names:
        text = page(name, (include / name).read_text(encoding='utf-8'))
        (folder / f'{name[:-2]}.rst').write_text(text, encoding='utf-8')
    index = rst.title('C') + 'What the headers declare. Each page begins with its limits, threads and errors.\n\n'
    index += '.. toctree::\n   :maxdepth: 1\n\n' + ''.join(f'   {name[:-2]}\n' for name in names)
    (folder / 'index.rst').write_text(index, encoding='utf-8')
