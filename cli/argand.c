/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of commands. */
#include "common/origin.h"
#include "common/report.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GROUP(title)
#define COMMAND(name) extern const command command_##name;
#include "commands.inc"
#undef COMMAND

const command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "commands.inc"
#undef COMMAND
    NULL,
};
#undef GROUP

static void print_commands(FILE *to)
{
    fprintf(to, "usage: argand COMMAND [arguments]   (argand help COMMAND explains)\n");
#define GROUP(title) fprintf(to, "\n%s:\n", title);
#define COMMAND(word) fprintf(to, "  %-13s %s\n", command_##word.name, command_##word.summary);
#include "commands.inc"
#undef COMMAND
#undef GROUP
}

/* Opens standard streams that are closed. Otherwise the next opened file would take the number of such a
 * stream, and messages would be written into it. The streams opened here cannot be written. */
static void keep_standard_streams(void)
{
    int descriptor;
    do descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO) close(descriptor);
}

static int run(const command *c, int argc, char **argv)
{
    argand_files_begin();
    return report_end(c->name, c->run(argc, argv));
}

int main(int argc, char **argv)
{
    /* a disk limit or a closed pipe then makes write() fail with a message, and does not kill the process */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    keep_standard_streams();
    origin_keep(argc, argv);
    for (int i = 2; i < argc; i++)
        if (!strcmp(argv[i], "--json")) report_expect_json(true);
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
        (argc == 2 && !strcmp(argv[1], "help"))) {
        print_commands(argc < 2 ? stderr : stdout);
        return report_end("", argc < 2 ? ARGAND_ARGUMENT : 0);
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "version")) {
        const char *commit = origin_commit();
        printf("argand %s%s%s\n", argand_version(), *commit ? ", commit " : "", commit);
        return report_end("", 0);
    }
    const command *c = command_find(argv[1]);
    return c ? run(c, argc - 1, argv + 1) : command_unknown("", argv[1]);
}
