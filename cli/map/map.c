/* SPDX-License-Identifier: BSD-3-Clause */
/* argand map: images whose values are quantities with units. */
#include "map/map.h"
#include "common/suggest.h"

#include <stdio.h>
#include <string.h>

static const struct part {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} parts[] = {
#define PART(function, name, summary) {name, summary, function},
#include "map/kinds.inc"
#undef PART
    {NULL, NULL, NULL},
};

const char *const map_parts[] = {
#define PART(function, name, summary) name,
#include "map/kinds.inc"
#undef PART
    NULL,
};

static const char description[] =
    "Computes maps of quantities from images that differ in echo time. For example:\n"
    "  argand sense scan.h5 echoes.nii.gz --part complex\n"
    "  argand map t2star echoes.nii.gz out.nii.gz     out_r2star.nii.gz in 1/s, out_t2star.nii.gz in s, ...\n"
    "  argand map water-fat echoes.nii.gz out.nii.gz  out_water.nii.gz, out_fat-fraction.nii.gz, ...\n"
    "  argand map match coefficients.npy basis.npy out.npy   out_t2.npy in s, ...: see argand basis\n"
    "A field map in Hz or rad/s comes from argand calibrate field-map.";

static int run(int argc, char **argv)
{
    for (const struct part *p = parts; argc > 1 && p->name; p++)
        if (!strcmp(p->name, argv[1])) return p->run(argc - 1, argv + 1);
    const bool asked = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
    FILE *to = asked ? stdout : stderr;
    if (argc > 1 && !asked) {
        report_misuse("map", "there is nothing called %s%s", argv[1], suggest_among(argv[1], map_parts));
        fprintf(stderr, "(argand map --help lists what there is)\n");
        return ARGAND_ARGUMENT;
    }
    fprintf(to, "usage: argand map KIND IN OUT [options]   (argand map KIND --help explains)\n");
    for (const struct part *p = parts; p->name; p++) fprintf(to, "  %-11s %s\n", p->name, p->summary);
    if (asked) fprintf(to, "\n%s\n", description);
    return asked ? 0 : ARGAND_ARGUMENT;
}

const command command_map = {"map", "compute maps of R2*, T2*, water and fat, T1 and T2", run};
