/* SPDX-License-Identifier: BSD-3-Clause */
/* argand help: prints the help of a command, the list of commands, and both as manual pages. */
#include "common/help.h"
#include "common/report.h"

#include <string.h>

static const char usage[] =
    "usage: argand help [COMMAND [PART]]          the help of the command, as --help prints it\n"
    "       argand help --man [COMMAND [PART]]    that help as a manual page\n"
    "       argand help --options COMMAND [PART]  the options of the command, one a line\n"
    "       argand help --json [COMMAND [PART]]   the same with types, defaults and texts, as JSON; or all "
    "commands\n"
    "       argand help --names [COMMAND]         the names of all commands, or of a command's parts\n";

static void print_list(void)
{
    printf("commands (argand help COMMAND explains):\n");
    for (const command *const *c = commands; *c; c++) printf("  %-13s %s\n", (*c)->name, (*c)->summary);
}

/* Prints the manual page argand(1). */
static void print_overview(void)
{
    printf(
        ".TH \"argand\" 1 \"\" \"argand %s\" \"Argand\"\n.SH NAME\nargand \\- Fourier imaging: MRI "
        "reconstruction, calibration, transforms\n.SH SYNOPSIS\nargand COMMAND [arguments]\n.SH COMMANDS\n",
        argand_version());
    for (const command *const *c = commands; *c; c++) {
        printf(".TP\n\\fBargand %s\\fR\n", (*c)->name);
        help_roff((*c)->summary, strlen((*c)->summary));
        printf("\n");
        for (const command *part = (*c)->parts; part && part->name; part++) {
            printf(".TP\n\\fBargand %s ", (*c)->name);
            help_roff(part->name, strlen(part->name));
            printf("\\fR\n");
        }
    }
    printf(".SH SEE ALSO\nEach command has a page: \\fBargand\\-sense\\fR(1) and so on.\n");
}

/* Prints all commands, their parts and summaries as one line of JSON. */
static void print_json(void)
{
    char summary[1024];
    printf("{\"version\":\"%s\",\"commands\":[", argand_version());
    for (const command *const *c = commands; *c; c++) {
        printf("%s{\"name\":\"%s\",\"summary\":%s,\"parts\":[", c == commands ? "" : ",", (*c)->name,
               json_string(summary, sizeof summary, (*c)->summary));
        for (const command *part = (*c)->parts; part && part->name; part++)
            printf("%s\"%s\"", part == (*c)->parts ? "" : ",", part->name);
        printf("]}");
    }
    printf("]}\n");
}

static int print_names(const char *name)
{
    const command *c = name ? command_find(name) : NULL;
    for (const command *const *all = commands; *all && !name; all++) printf("%s\n", (*all)->name);
    for (const command *part = c ? c->parts : NULL; part && part->name; part++) printf("%s\n", part->name);
    return 0;
}

/* Runs the command with its arguments and a request for help. */
static int ask(int argc, char **argv, const char *wish)
{
    enum { MOST = 4 };
    char *given[MOST + 2] = {NULL};
    char last[16];
    const command *c = command_find(argv[0]);
    if (!c) return command_unknown("help", argv[0]);
    if (argc > MOST) return report_misuse("help", "give a command and at most %d more words", MOST - 1);
    for (int i = 0; i < argc; i++) given[i] = argv[i];
    snprintf(last, sizeof last, "%s", wish);
    given[argc] = last;
    return c->run(argc + 1, given);
}

static int run(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : "";
    const bool man = !strcmp(first, "--man");
    if (argc == 1) return print_list(), 0;
    if (man && argc == 2) return print_overview(), 0;
    if (!strcmp(first, "--json")) {
        if (argc > 2) return ask(argc - 2, argv + 2, "--help=json");
        return print_json(), 0;
    }
    if (!strcmp(first, "--names")) return print_names(argc > 2 ? argv[2] : NULL);
    if (man || (!strcmp(first, "--options") && argc > 2))
        return ask(argc - 2, argv + 2, man ? "--help=man" : "--help=options");
    if (first[0] != '-') return ask(argc - 1, argv + 1, "--help");
    const bool asked = help_form_of(first) == HELP_TEXT;
    fputs(usage, asked ? stdout : stderr);
    return asked ? 0 : ARGAND_ARGUMENT;
}

const command command_help = {
    .name = "help", .summary = "print the help of a command, or its manual page", .run = run};
