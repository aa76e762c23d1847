/* SPDX-License-Identifier: BSD-3-Clause */
/* argand grid: images by one density-weighted adjoint, without iteration. */
#include "sense/sense.h"

static const char description[] =
    "Reconstructs every volume by the density-weighted adjoint, without iteration (gridding; conjugate phase "
    "if there is a\n"
    "field map). This is fast and shows what the data hold; undersampled scans alias, which argand sense "
    "avoids. Coils are\n"
    "combined by the root of the sum of squares, which needs no coil maps, or by coil maps (--combine "
    "sense). Maps, output\n"
    "files and other options are those of argand sense; no residuals are written.";

static const char examples[] =
    "  argand grid brain.h5 look.nii.gz\n"
    "  argand grid brain.h5 look.nii.gz --field-map none --transform nufft\n"
    "  argand grid brain.h5 combined.nii.gz --combine sense --part magnitude,phase\n";

/* Options that concern iterations, which grid does not have. */
static const char *const iterative[] = {
    "iterations",      "tolerance",      "regularize",  "solver", "toeplitz", "precondition",
    "partial-fourier", "joint",          "basis",       "rank",   "denoiser", "denoiser-noise",
    "denoiser-weight", "denoiser-scale", "gfactor-map", NULL};

static int run(int argc, char **argv)
{
    int exit_code, combine = 0;
    sense_settings s = SENSE_DEFAULTS("grid");
    s.iterations = 0;
    s.without = iterative;
    const option own[] = {
        choice_option("combine", 0, &combine, "NAME", "rss|sense",
                      "combine coils by the root of the sum of squares (rss) or by coil maps (sense)")};
    command_line line = {.usage = "argand grid IN.h5|STUDY/|--kspace FILE OUT.nii.gz|IMAGES/ [options]",
                         .description = description,
                         .examples = examples};
    if (!sense_parse(&line, &s, own, 1, argc, argv, &exit_code)) return exit_code;
    s.session.method = combine ? ARGAND_METHOD_ADJOINT : ARGAND_METHOD_ADJOINT_RSS;
    s.iterations = 0;
    return sense_start(&s);
}

const command command_grid = {
    .name = "grid",
    .summary = "reconstruct images by gridding: the density-weighted adjoint without iteration",
    .run = run};
