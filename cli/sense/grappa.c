/* SPDX-License-Identifier: BSD-3-Clause */
/* argand grappa: fills k-space by GRAPPA, then reconstructs images. */
#include "sense/sense.h"

static const char description[] =
    "Reconstructs undersampled Cartesian scans by GRAPPA: missing samples of each channel are linear "
    "combinations of their\n"
    "acquired neighbours, with weights from fully sampled calibration lines. The complete channels are then "
    "combined by coil\n"
    "maps, or by the root of the sum of squares. Missing samples are grouped by the pattern of their "
    "acquired neighbours, so\n"
    "that one or two undersampled directions, shifted lines (CAIPIRINHA), elliptical corners and embedded or "
    "separate\n"
    "calibration lines need no options. Weights are computed on the CPU. Maps, output files and other "
    "options are those of\n"
    "argand sense.";

static const char examples[] =
    "  argand grappa brain.h5 brain.nii.gz\n"
    "  argand grappa brain.h5 brain.nii.gz --kernel 5x7 --combine rss\n"
    "  argand grappa --kspace k.npy brain.nii.gz\n"
    "  argand simulate r2.h5 --trajectory cartesian --acceleration 2 --calibration 24 && argand grappa r2.h5 "
    "r2.nii.gz\n";

/* The noise of filled samples is that of acquired ones, so that replicas of the complete scan would show too
 * little of it. */
static const char *const without[] = {"noise-map", NULL};

static int run(int argc, char **argv)
{
    int exit_code, combine = 0;
    sense_settings s = SENSE_DEFAULTS("grappa");
    s.fills = true;
    s.without = without;
    const option own[] = {
        group_option("How missing samples are found"),
        sizes_option("kernel", 0, &s.kernel, "NXxNY[xNZ]",
                     "window around a missing sample whose acquired samples are its sources: odd numbers of "
                     "samples along the readout and the phase-encode directions. Default: chosen by the "
                     "distance of the acquired lines and the number of calibration lines"),
        double_option("kernel-regularization", 0, &s.kernel_regularization, "L", -1, 1e6,
                      "Tikhonov regularization of the weights, relative to the norm of the calibration data; "
                      "-1: none. Default (0): 0.01"),
        choice_option("combine", 0, &combine, "NAME", "sense|rss",
                      "combine coils by coil maps (sense) or by the root of the sum of squares (rss)")};
    command_line line = {.usage = "argand grappa IN.h5|STUDY/|--kspace FILE OUT.nii.gz|IMAGES/ [options]",
                         .description = description,
                         .examples = examples};
    if (!sense_parse(&line, &s, own, sizeof own / sizeof *own, argc, argv, &exit_code)) return exit_code;
    if (combine) s.session.method = ARGAND_METHOD_ADJOINT_RSS;
    return sense_start(&s);
}

const command command_grappa = {
    .name = "grappa", .summary = "reconstruct undersampled Cartesian scans by GRAPPA", .run = run};
