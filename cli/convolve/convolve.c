/* SPDX-License-Identifier: BSD-3-Clause */
/* argand convolve: convolves a picture or an array with a kernel. */
#include "convolve/filter.h"

#include <stdio.h>
#include <string.h>
#include "convolve/arrays.h"

static const char description[] =
    "Convolves IN with KERNEL:  y[i] = sum_j h[j] x[i + c - j],  where c is the centre of the kernel. The "
    "result is exact for\n"
    "every border rule and kernels of any size. Pictures (.exr .png .pfm .tif) are convolved in linear "
    "light, each colour by\n"
    "itself; alpha and depth channels are copied. Arrays (.npy .nii .cfl), real or complex, are convolved "
    "along their first\n"
    "axes, as many as the kernel has (up to 3); further axes are a batch. KERNEL is a picture or an array; "
    "for pictures it has\n"
    "one channel, or one for each colour.\n"
    "\n"
    "--mode: same (as large as IN), full (all pixels that the kernel reaches), valid (pixels that no border "
    "reaches).\n"
    "--border: zero, constant, wrap (a b c | a b c), clamp (c c c | c), mirror (a b c | c b a).";

static const char examples[] =
    "  argand convolve photo.exr kernel.exr out.exr --border mirror\n"
    "  argand convolve volume.nii.gz psf.npy blurred.nii.gz --normalise channel\n"
    "  argand convolve signal.npy taps.npy out.npy --mode full\n"
    "  argand convolve image.npy template.npy match.npy --correlate --centre 0,0\n";

static bool parse(filter_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        choice_option("mode", 0, &s->mode, "NAME", "same|full|valid", "extent of the result; see above"),
        choice_option("border", 'b', &s->border, "RULE", choices_of(CHOICE_BORDERS), "values outside IN"),
        double_option("constant", 0, &s->constant, "V", -1e30, 1e30,
                      "value outside IN with --border constant"),
        FILTER_KERNEL_OPTIONS(s),
        flag_option("correlate", 0, &s->correlate, "correlate instead: y[i] = sum_j conj(h[j]) x[i - c + j]"),
        double_option("sharpen", 0, &s->sharpen, "T", -1e6, 1e6,
                      "write (1 - T) result + T IN; needs --mode same"),
        FILTER_IMAGE_OPTIONS(s),
    };
    command_line line = {.usage = "argand convolve IN KERNEL OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->input, &s->kernel, &s->output},
                         .positional_least = 3};
    return command_parse(&line, argc, argv, exit_code);
}

static int run(int argc, char **argv)
{
    filter_settings s = {.border = ARGAND_BORDER_ZERO, .scale = 1};
    report out;
    int exit_code;
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "convolve", &s.common);
    interrupt_watch();
    const argand_status status = convolve_files(&s, &out);
    return status == ARGAND_OK ? 0 : report_failure(&out, status);
}

const command command_convolve = {.name = "convolve",
                                  .summary =
                                      "convolve pictures, signals and volumes with a kernel of any size",
                                  .run = run};
