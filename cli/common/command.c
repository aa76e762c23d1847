/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds commands by their names, and runs those that consist of parts. */
#include "common/report.h"
#include "common/suggest.h"

#include <stdio.h>
#include <string.h>

const command *command_find(const char *name)
{
    for (const command *const *c = commands; *c; c++)
        if (!strcmp((*c)->name, name)) return *c;
    return NULL;
}

const command *command_part(const command *c, const char *name)
{
    for (const command *part = c->parts; part && part->name; part++)
        if (!strcmp(part->name, name)) return part;
    return NULL;
}

int command_unknown(const char *who, const char *name)
{
    suggestion near = suggest_for(name, (int)strlen(name));
    for (const command *const *c = commands; *c; c++) suggest_try(&near, (*c)->name, (int)strlen((*c)->name));
    const int code = report_misuse(who, "there is no command \"%s\"%s", name, suggest_text(&near, ""));
    fprintf(stderr, "(argand help lists the commands)\n");
    return code;
}

static int unknown_part(const command *c, const char *name)
{
    suggestion near = suggest_for(name, (int)strlen(name));
    for (const command *part = c->parts; part->name; part++)
        suggest_try(&near, part->name, (int)strlen(part->name));
    const int code = report_misuse(c->name, "there is nothing called %s%s", name, suggest_text(&near, ""));
    fprintf(stderr, "(argand %s --help lists what there is)\n", c->name);
    return code;
}

int command_run_part(const command *c, const char *kind, const char *rest, const char *description, int argc,
                     char **argv)
{
    const command *part = argc > 1 ? command_part(c, argv[1]) : NULL;
    if (part) return part->run(argc - 1, argv + 1);
    const bool asked = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
    if (argc > 1 && !asked) return unknown_part(c, argv[1]);
    FILE *to = asked ? stdout : stderr;
    fprintf(to, "usage: argand %s %s %s   (argand %s %s --help explains)\n", c->name, kind, rest, c->name,
            kind);
    for (part = c->parts; part->name; part++) fprintf(to, "  %-11s %s\n", part->name, part->summary);
    if (asked) fprintf(to, "\n%s\n", description);
    return asked ? 0 : ARGAND_ARGUMENT;
}
