/* SPDX-License-Identifier: BSD-3-Clause */
/* argand calibrate: estimates what a reconstruction needs before images are made. */
#include "calibrate/calibrate.h"
#include "common/suggest.h"

#include <stdio.h>
#include <string.h>

static const struct part {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} parts[] = {
#define PART(function, name, summary) {name, summary, function},
#include "calibrate/kinds.inc"
#undef PART
    {NULL, NULL, NULL},
};

const char *const calibrate_parts[] = {
#define PART(function, name, summary) name,
#include "calibrate/kinds.inc"
#undef PART
    NULL,
};

static const char description[] =
    "Computes what a reconstruction needs to know in advance. For example, for a scan with noise "
    "acquisitions and two echoes:\n"
    "  argand calibrate noise scan.h5 whiten.npy            a matrix that makes the coils' noise independent "
    "and equal\n"
    "  argand calibrate coils scan.h5 maps.nii.gz           the sensitivity of each coil at each pixel\n"
    "  argand calibrate field-map echoes.h5 field.nii.gz    the off-resonance at each pixel, in rad/s\n"
    "  argand sense scan.h5 image.nii.gz --coil-maps maps.nii.gz --field-map field.nii.gz";

static int run(int argc, char **argv)
{
    for (const struct part *p = parts; argc > 1 && p->name; p++)
        if (!strcmp(p->name, argv[1])) return p->run(argc - 1, argv + 1);
    const bool asked = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
    FILE *to = asked ? stdout : stderr;
    if (argc > 1 && !asked) {
        report_misuse("calibrate", "there is nothing called %s%s", argv[1],
                      suggest_among(argv[1], calibrate_parts));
        fprintf(stderr, "(argand calibrate --help lists what there is)\n");
        return ARGAND_ARGUMENT;
    }
    fprintf(to,
            "usage: argand calibrate WHAT IN [OUT] [options]   (argand calibrate WHAT --help explains)\n");
    for (const struct part *p = parts; p->name; p++) fprintf(to, "  %-11s %s\n", p->name, p->summary);
    if (asked) fprintf(to, "\n%s\n", description);
    return asked ? 0 : ARGAND_ARGUMENT;
}

const command command_calibrate = {"calibrate",
                                   "compute coil maps, field maps, whitening, density weights, delays", run};
