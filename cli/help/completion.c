/* SPDX-License-Identifier: BSD-3-Clause */
/* argand completion SHELL: prints a script that completes commands, options and choices. The script asks
 * `argand help`, so that it fits any version of argand. */
#include "common/help.h"
#include "common/report.h"

#include <string.h>

static const char bash[] =
    "# bash completion of argand; source it, or install it as .../bash-completion/completions/argand\n"
    "_argand()\n"
    "{\n"
    "    local tool=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local command=${COMP_WORDS[1]} parts= part= options choices\n"
    "    COMPREPLY=()\n"
    "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
    "        COMPREPLY=($(compgen -W \"$(\"$tool\" help --names 2> /dev/null)\" -- \"$word\"))\n"
    "        return\n"
    "    fi\n"
    "    parts=$(\"$tool\" help --names \"$command\" 2> /dev/null)\n"
    "    [ \"$command\" = help ] && parts=$(\"$tool\" help --names 2> /dev/null)\n"
    "    if [ \"$COMP_CWORD\" = 2 ] && [ -n \"$parts\" ]; then\n"
    "        COMPREPLY=($(compgen -W \"$parts\" -- \"$word\"))\n"
    "        return\n"
    "    fi\n"
    "    [ -n \"$parts\" ] && part=${COMP_WORDS[2]}\n"
    "    options=$(\"$tool\" help --options \"$command\" $part 2> /dev/null)\n"
    "    choices=$(awk -F '\\t' -v name=\"$previous\" '$1 == name { print $3 }' <<< \"$options\")\n"
    "    if [ -n \"$choices\" ]; then\n"
    "        COMPREPLY=($(compgen -W \"${choices//|/ }\" -- \"$word\"))\n"
    "    elif [[ $word == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$(cut -f 1 <<< \"$options\")\" -- \"$word\"))\n"
    "    fi\n"
    "}\n"
    "complete -o default -F _argand argand\n";

static const char zsh[] =
    "#compdef argand\n"
    "# zsh completion of argand; install it as _argand in a folder of $fpath\n"
    "_argand()\n"
    "{\n"
    "    local tool=$words[1] command=$words[2] part= previous=$words[CURRENT-1]\n"
    "    local -a names parts lines choices\n"
    "    if (( CURRENT == 2 )); then\n"
    "        names=(${(f)\"$($tool help --names 2> /dev/null)\"})\n"
    "        compadd -a names\n"
    "        return\n"
    "    fi\n"
    "    parts=(${(f)\"$($tool help --names $command 2> /dev/null)\"})\n"
    "    [[ $command == help ]] && parts=(${(f)\"$($tool help --names 2> /dev/null)\"})\n"
    "    if (( CURRENT == 3 && $#parts )); then\n"
    "        compadd -a parts\n"
    "        return\n"
    "    fi\n"
    "    (( $#parts )) && part=$words[3]\n"
    "    lines=(${(f)\"$($tool help --options $command $part 2> /dev/null)\"})\n"
    "    choices=(${(s:|:)${${(M)lines:#$previous$'\\t'*}##*$'\\t'}})\n"
    "    if (( $#choices )); then\n"
    "        compadd -a choices\n"
    "    elif [[ $words[CURRENT] == -* ]]; then\n"
    "        names=(${lines%%$'\\t'*})\n"
    "        compadd -a names\n"
    "    else\n"
    "        _files\n"
    "    fi\n"
    "}\n"
    "_argand \"$@\"\n";

static int run(int argc, char **argv)
{
    static const char usage[] =
        "usage: argand completion bash|zsh   (prints a script; argand.bash, _argand)\n";
    const char *shell = argc > 1 ? argv[1] : "";
    const bool asked = help_form_of(shell) != HELP_NONE;
    if (!strcmp(shell, "bash") || !strcmp(shell, "zsh")) return fputs(*shell == 'b' ? bash : zsh, stdout), 0;
    if (!asked) report_misuse("completion", "there is no completion for \"%s\"", shell);
    fputs(usage, asked ? stdout : stderr);
    return asked ? 0 : ARGAND_ARGUMENT;
}

const command command_completion = {.name = "completion",
                                    .summary =
                                        "print a script that completes commands and options in bash or zsh",
                                    .run = run};
