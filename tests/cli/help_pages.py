#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""help_pages.py ARGAND: help, manual pages and completion of every command say the same options, as all of them come
from one table; names that are nearly right are answered by the right ones."""
import fcntl, json, os, pty, random, re, shutil, struct, subprocess, sys, termios

tool = sys.argv[1]
failures = 0


def argand(*arguments, code=0):
    done = subprocess.run([tool, *arguments], capture_output=True, text=True)
    check(done.returncode == code, f'argand {" ".join(arguments)}: exit code {done.returncode}, wanted {code}: {done.stderr[:200]}')
    return done.stdout, done.stderr


def check(good, message):
    global failures
    if not good:
        print(message)
        failures += 1


def lines(*arguments):
    return argand(*arguments)[0].splitlines()


def leaves():
    """All commands and parts that have options."""
    for name in lines('help', '--names'):
        parts = lines('help', '--names', name)
        if name not in ('help', 'completion'): yield from ([name, part] for part in parts) if parts else [[name]]


def plain(page):
    return re.sub(r'\\f[BIR]', '', page).replace('\\-', '-').replace('\\e', '\\')


def check_command(arguments):
    text = argand('help', *arguments)[0]
    check(text == argand(*arguments, '--help')[0], f'help {arguments} is not what --help says')
    options = text.split('\noptions:\n')[1].split('\nexamples:\n')[0]
    in_text = set(re.findall(r'^  (?:-\w, )?(--[\w-]+)', options, re.M))
    listed = {l.split('\t')[0] for l in lines('help', '--options', *arguments) if l.startswith('--')}
    check(listed == in_text and '--help' in listed, f'{arguments}: listed {listed ^ in_text} differ from the help')
    table = json.loads(argand('help', '--json', *arguments)[0])
    names = {'--' + o['name'] for o in table['options']} | {'--help'}
    check(names == in_text, f'{arguments}: {names ^ in_text} differ between the table as JSON and the help')
    check(text.startswith(f"usage: {table['usage']}\n\n{table['description']}\n"), f'{arguments}: the JSON has another usage or description')
    for o in table['options']:
        check(o['kind'] in ('flag', 'int', 'double', 'text', 'choice', 'set', 'sizes'), f'{arguments}: {o}')
        check(o['kind'] != 'choice' or o['default'] in o['choices'], f'{arguments}: {o}')
        check(o['help'] in text, f"{arguments}: --{o['name']} has another text as JSON")
    page = argand('help', '--man', *arguments)[0]
    check(plain(page).startswith(f'.TH "argand-{arguments[0]}'), f'{arguments}: the page begins {page[:60]}')
    in_page = set(re.findall(r'^(?:-\w, )?(--[\w-]+)', plain(page.split('.SH OPTIONS')[1].split('.SH ')[0]), re.M))
    check(in_page == in_text, f'{arguments}: {in_page ^ in_text} differ between page and help')
    check(not re.search(r"^[.'](?!TH|SH|SS|TP|nf|fi)", page, re.M), f'{arguments}: a line of the page is taken for a request')
    if shutil.which('groff'):
        said = subprocess.run(['groff', '-man', '-ww', '-Tutf8', '-z'], input=page, capture_output=True, text=True).stderr
        check(not said, f'{arguments}: groff says {said[:200]}')


# Words with which no text of an option begins: those of a fragment that lacks its noun or its verb.
FRAGMENTS = r'(of|from|so many|between|with|without|at|that|those|these|per|to|how|on|for|their|its|ours|the same|beyond|no)\b(?!:)'


def check_phrases(arguments):
    """Texts of options are phrases with a noun or a verb, of sentences with at most 25 words."""
    text = argand('help', *arguments)[0].split('\noptions:\n')[1].split('\nexamples:\n')[0]
    for name, said in re.findall(r'^  (?:-\w, )?(--[\w-]+)[^\n]{0,24}? {2,}(\S[^\n]*)$', text, re.M):
        check(not re.match(FRAGMENTS, said), f'{arguments}: {name}: "{said}" begins with a fragment')
        check('so many' not in said, f'{arguments}: {name}: "{said}" says so many')
        for sentence in re.split(r'[.;:] ', said): check(len(sentence.split()) <= 40, f'{arguments}: {name}: {len(sentence.split())} words: {sentence}')


def check_name(arguments):
    """NAME of a manual page is one short line, of a command that of the list."""
    page = plain(argand('help', '--man', *arguments)[0])
    line = page.split('.SH NAME\n')[1].split('\n')[0]
    summary = line.split(' - ', 1)[1]
    check(8 < len(summary) <= 140, f'{arguments}: NAME is "{line}"')
    if len(arguments) == 1: check(f'  {arguments[0]:<13} {summary.replace(chr(92) + "&", "")}' in argand('help')[0], f'{arguments}: NAME "{summary}" is not that of the list')


def complete(*arguments):
    """What bash offers for the last of the words."""
    script = argand('completion', 'bash')[0] + '''
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _argand; printf '%s\\n' "${COMPREPLY[@]}"'''
    done = subprocess.run(['bash', '-c', script, 'bash', tool, *arguments], capture_output=True, text=True)
    check(not done.stderr, f'completion of {arguments}: {done.stderr[:200]}')
    return set(done.stdout.split())


def on_terminal(columns, *arguments):
    """What the command says to a terminal of so many columns."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack('HHHH', 40, columns, 0, 0))
    child = subprocess.Popen([tool, *arguments], stdout=its, stderr=its)
    os.close(its)
    text = b''
    try:
        while piece := os.read(ours, 65536): text += piece
    except OSError: pass  # the end of a terminal
    child.wait()
    os.close(ours)
    return text.decode().replace('\r\n', '\n')


commands = list(leaves())
if os.environ.get('ARGAND_TEST_FIRST'):  # the first tier: a third of the commands
    seed = int(os.environ.get('ARGAND_TEST_SEED') or random.randrange(1 << 15))
    print(f'ARGAND_TEST_SEED={seed}')
    commands = random.Random(seed).sample(commands, len(commands) // 3)
for arguments in commands:
    check_command(arguments)
    check_phrases(arguments)
    check_name(arguments)
for columns in (60, 80, 100):
    text = on_terminal(columns, 'help', 'sense').split('\n\n', 1)[1].split('\nexamples:\n')[0]
    widest = max((l for l in text.split('\n') if len(l.split()) > 1), key=len)  # one word alone cannot be broken
    check(len(widest) <= columns, f'{columns} columns: {widest}')
    whole = argand('help', 'sense')[0].split('\n\n', 1)[1].split('\nexamples:\n')[0]
    check(text.split() == whole.split(), f'{columns} columns: other words than without a terminal')
for group in ('How the image is found:', 'Maps, channels, the grid:', 'What is written:'):
    check(f'\n{group}\n' in argand('help', 'sense')[0], f'no group {group}')
check('is not an option' in argand('sense', 'a', 'b', '--=3', code=1)[1], 'a group is no option')
check('.TH "argand" 1' in argand('help', '--man')[0], 'there is no page argand(1)')
for name in lines('help', '--names'):
    check(f'argand {name}' in plain(argand('help', '--man')[0]), f'argand(1) does not name {name}')

check('did you mean sense?' in argand('sens', code=1)[1], 'sens is not answered by sense')
for words in (('sens',), ('quux',), ('help', 'quux'), ('calibrate', 'coil'), ('bench', 'ftf'), ('sense', 'a', 'b', '--iter', '3'), ('array', 'ads')):
    said = argand(*words, code=1)[1]
    check(len(said.splitlines()) <= 4, f'{words}: {len(said.splitlines())} lines bury the answer')
check(argand('version') == argand('--version'), 'version is not --version')
check('did you mean' not in argand('quux', code=1)[1], 'quux is near to nothing')
check('did you mean --iterations?' in argand('sense', 'a', 'b', '--iteraitons', '3', code=1)[1], 'swapped letters')
check('did you mean --iterations?' in argand('sense', 'a', 'b', '--iter=3', code=1)[1], 'the beginning of a name')
check('did you mean' not in argand('sense', 'a', 'b', '--quux', code=1)[1], '--quux is near to nothing')
check('did you mean nufft?' in argand('sense', 'a', 'b', '--transform', 'nuft', code=1)[1], 'a choice')
check('there is no command "quux"' in argand('help', 'quux', code=1)[1], 'help of a command that there is not')

if shutil.which('bash'):
    check(complete('sen') == {'sense'}, f'sen completes to {complete("sen")}')
    check(complete('calibrate', 'co') == {'coils', 'compress'}, 'parts of calibrate')
    check(complete('help', 'sim') == {'simulate'}, 'commands behind help')
    check(complete('sense', '--iter') == {'--iterations'}, 'options of sense')
    check(complete('calibrate', 'coils', '--thr') == {'--threshold', '--threads'}, 'options of a part')
    check(complete('sense', '--transform', 'dft') == {'dft', 'dft-gradients'}, 'choices of an option')
    check(complete('sense', '-t', 'seg') == {'segmented'}, 'choices of a letter')
    check(complete('sense', 'scan') == set(), 'files are the shell\'s')
if shutil.which('zsh'):
    check(not subprocess.run(['zsh', '-n'], input=argand('completion', 'zsh')[0], capture_output=True, text=True).stderr,
          'zsh does not read its script')
print(f'{failures} failures')
sys.exit(failures > 0)
