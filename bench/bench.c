/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench PART: measures speed and accuracy, also of other libraries for comparison. */
#include "common/report.h"
#include "common/suggest.h"

#include <stdio.h>
#include <string.h>

#define BENCH(name) int bench_##name(int argc, char **argv);
#include "benches.inc"
#undef BENCH

static const struct bench {
    const char *name;
    int (*run)(int argc, char **argv);
} benches[] = {
#define BENCH(name) {#name, bench_##name},
#include "benches.inc"
#undef BENCH
    {NULL, NULL},
};

const char *const bench_parts[] = {
#define BENCH(name) #name,
#include "benches.inc"
#undef BENCH
    NULL,
};

static int run(int argc, char **argv)
{
    for (const struct bench *b = benches; argc > 1 && b->name; b++)
        if (!strcmp(b->name, argv[1])) return b->run(argc - 1, argv + 1);
    if (argc > 1 && argv[1][0] != '-') {
        report_misuse("bench", "there is no part %s%s", argv[1], suggest_among(argv[1], bench_parts));
        fprintf(stderr, "(argand bench --help lists the parts)\n");
        return ARGAND_ARGUMENT;
    }
    FILE *to = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) ? stdout : stderr;
    fprintf(to, "usage: argand bench PART [options]   (argand bench PART --help explains)\nparts:");
    for (const struct bench *b = benches; b->name; b++) fprintf(to, " %s", b->name);
    fprintf(to, "\n");
    return to == stdout ? 0 : ARGAND_ARGUMENT;
}

const command command_bench = {"bench", "measure the transforms and their peers", run};
