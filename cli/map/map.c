/* SPDX-License-Identifier: BSD-3-Clause */
/* argand map: images whose values are quantities with units. */
#include "map/map.h"

static const command parts[] = {
#define PART(function, name, summary) {name, summary, function, NULL},
#include "map/kinds.inc"
#undef PART
    {.name = NULL},
};

static const char description[] =
    "Computes maps of quantities from images that differ in echo time. For example:\n"
    "  argand sense scan.h5 echoes.nii.gz --part complex\n"
    "  argand map t2star echoes.nii.gz out.nii.gz     out_r2star.nii.gz in 1/s, out_t2star.nii.gz in s, ...\n"
    "  argand map water-fat echoes.nii.gz out.nii.gz  out_water.nii.gz, out_fat-fraction.nii.gz, ...\n"
    "  argand map match coefficients.npy basis.npy out.npy   out_t2.npy in s, ...: see argand basis\n"
    "A field map in Hz or rad/s comes from argand calibrate field-map.";

extern const command command_map;

static int run(int argc, char **argv)
{
    return command_run_part(&command_map, "KIND", "IN OUT [options]", description, argc, argv);
}

const command command_map = {.name = "map",
                             .summary = "compute maps of R2*, T2*, water and fat, T1 and T2",
                             .run = run,
                             .parts = parts};
