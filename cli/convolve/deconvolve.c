/* SPDX-License-Identifier: BSD-3-Clause */
/* argand deconvolve: recovers a sharp picture or array from a blurred one. */
#include "convolve/arrays.h"

#include <string.h>

typedef struct deconvolve_settings {
    filter_settings filter;
    argand_deconv_options deconv;
    int method;
} deconvolve_settings;

static const char description[] =
    "Sharpens IN, an image that was blurred by KERNEL. Pictures are taken in linear light, each colour by "
    "itself; arrays\n"
    "(.npy .nii .cfl) along as many axes as the kernel has, as with argand convolve.\n"
    "\n"
    "  wiener           X = conj(H) Y / (|H|^2 + noise), without iteration; --border says what lies outside "
    "IN\n"
    "  richardson-lucy  repeats x = x H^T(y / (H x + background)) / H^T 1, for counts, which are never "
    "negative.\n"
    "                   Values outside IN are treated as unknown, so that edges do not ring\n"
    "\n"
    "--noise is the power of the noise relative to that of the image: a smaller value gives a sharper, "
    "noisier result. Total\n"
    "variation suppresses the noise grains of Richardson-Lucy. The kernel is divided by its sum, unless "
    "--normalise none.";

static const char examples[] =
    "  argand deconvolve blurred.exr psf.exr sharp.exr --noise 1e-4\n"
    "  argand deconvolve stack.nii.gz psf.npy sharp.nii.gz --method richardson-lucy --iterations 50\n"
    "  argand deconvolve cells.tif psf.tif sharp.tif --method richardson-lucy --background 0.01 "
    "--total-variation "
    "0.002\n";

static bool parse(deconvolve_settings *s, int argc, char **argv, int *exit_code)
{
    filter_settings *f = &s->filter;
    argand_deconv_options *d = &s->deconv;
    const option options[] = {
        choice_option("method", 'm', &s->method, "NAME", "wiener|richardson-lucy", "method"),
        double_option("noise", 0, &d->noise, "P", 0, 1e6,
                      "power of the noise relative to that of the image (wiener); 0 means 1e-3"),
        flag_option("exact-noise", 0, &d->exact_noise,
                    "use --noise as given, even below the floor that borders and rounding require (wiener)"),
        int_option("iterations", 'n', &d->iterations, "N", 0, 1000000,
                   "number of richardson-lucy iterations; 0 means 30"),
        double_option("background", 0, &d->background, "B", 0, 1e30,
                      "constant background counts to model (richardson-lucy)"),
        double_option("total-variation", 0, &d->total_variation, "W", 0, 1e6,
                      "weight of total variation, which suppresses noise grains (richardson-lucy)"),
        choice_option("border", 'b', &f->border, "RULE", choices_of(CHOICE_BORDERS),
                      "values outside IN (wiener)"),
        FILTER_KERNEL_OPTIONS(f),
        FILTER_COMPARE_OPTIONS(f),
        FILTER_PART_OPTION(f),
        text_option("memory", 0, &f->memory, "BYTES",
                    "use at most this much memory, such as 500M or 2G (richardson-lucy: for arrays)"),
        flag_option("explain", 'e', &f->explain, "also print kernel and plan"),
        COMMON_OPTIONS(f->common),
    };
    command_line line = {.usage = "argand deconvolve IN KERNEL OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&f->input, &f->kernel, &f->output},
                         .positional_least = 3};
    const bool go_on = command_parse(&line, argc, argv, exit_code);
    d->method = s->method ? ARGAND_DECONV_RICHARDSON_LUCY : ARGAND_DECONV_WIENER;
    return go_on;
}

static argand_status check(const deconvolve_settings *s)
{
    const argand_deconv_options *d = &s->deconv;
    if (!s->method && (d->iterations || d->background > 0 || d->total_variation > 0))
        return report_error(
            ARGAND_ARGUMENT,
            "--iterations, --background and --total-variation go with --method richardson-lucy");
    if (s->method && d->exact_noise)
        return report_error(ARGAND_ARGUMENT, "--exact-noise needs --method wiener");
    if (s->method && d->noise > 0) return report_error(ARGAND_ARGUMENT, "--noise needs --method wiener");
    return ARGAND_OK;
}

static int run(int argc, char **argv)
{
    deconvolve_settings s = {.filter = {.border = ARGAND_BORDER_MIRROR, .scale = 1, .normalise = 1}};
    int exit_code;
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    s.filter.deconv = &s.deconv;
    report out;
    report_begin(&out, "deconvolve", &s.filter.common);
    interrupt_watch();
    argand_status status = check(&s);
    if (status == ARGAND_OK) status = convolve_files(&s.filter, &out);
    return status == ARGAND_OK ? 0 : report_failure(&out, status);
}

const command command_deconvolve = {
    .name = "deconvolve", .summary = "sharpen a picture or array blurred by a known kernel", .run = run};
