/* SPDX-License-Identifier: BSD-3-Clause */
/* argand calibrate: estimates what a reconstruction needs before images are made. */
#include "calibrate/calibrate.h"

static const command parts[] = {
#define PART(function, name, summary) {name, summary, function, NULL},
#include "calibrate/kinds.inc"
#undef PART
    {.name = NULL},
};

static const char description[] =
    "Computes what a reconstruction needs to know in advance. For example, for a scan with noise "
    "acquisitions and two echoes:\n"
    "  argand calibrate noise scan.h5 whiten.npy            a matrix that makes the coils' noise independent "
    "and equal\n"
    "  argand calibrate coils scan.h5 maps.nii.gz           the sensitivity of each coil at each pixel\n"
    "  argand calibrate field-map echoes.h5 field.nii.gz    the off-resonance at each pixel, in rad/s\n"
    "  argand sense scan.h5 image.nii.gz --coil-maps maps.nii.gz --field-map field.nii.gz";

extern const command command_calibrate;

static int run(int argc, char **argv)
{
    return command_run_part(&command_calibrate, "WHAT", "IN [OUT] [options]", description, argc, argv);
}

const command command_calibrate = {.name = "calibrate",
                                   .summary =
                                       "compute coil maps, field maps, whitening, density weights, delays",
                                   .run = run,
                                   .parts = parts};
