/* SPDX-License-Identifier: BSD-3-Clause */
/* argand fft: transforms arrays in files; explains cost and method of a transform; keeps wisdom. */
#include "fft/transform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char description[] =
    "Computes the Fourier transform of an array along its three fastest axes, or those that --axes names:\n"
    "  forward  X[k] = sum_n x[n] exp(-2 pi i k n / N),   --inverse  with exp(+2 pi i k n / N),   unscaled "
    "by default.\n"
    "Index 0 comes first; with --centred it is at the centre, floor(N/2), of input and output, as images and "
    "k-space are\n"
    "stored. --size zero-pads or crops before the transform: at the end of each axis, or around the centre "
    "with --centred.\n"
    "--real transforms real numbers to the non-redundant half of their spectrum, N/2 + 1 numbers along the "
    "first axis named,\n"
    "and with --inverse back. With --half-packed the half has N/2 numbers: the first one is X[0] + i "
    "X[N/2].\n"
    "Files: .npy, .cfl, .nii, .nii.gz; IN can also be SCAN.h5:NAME.\n"
    "\n"
    "With sizes in place of files, --explain prints the plan: each pass through memory with its lines, "
    "radices, bytes,\n"
    "contiguous bytes and predicted time; which engines support the transform, and why one was chosen. "
    "--measure times all\n"
    "candidates and keeps the fastest as wisdom, in the file of --wisdom or in the cache folder, where every "
    "plan looks.";

static const char examples[] =
    "  argand fft image.npy kspace.npy --centred\n"
    "  argand fft kspace.npy image.npy --centred --inverse --scale inverse\n"
    "  argand fft coils.cfl kspace.cfl --axes x,y --centred --scale unitary\n"
    "  argand fft kspace.npy finer.npy --centred --inverse --size 512x512      (interpolated: zeros around)\n"
    "  argand fft signal.npy half.npy --real --axes 0\n"
    "  argand fft signal.npy packed.npy --real --half-packed --axes 0            (N/2 numbers for N reals)\n"
    "  argand fft --explain 256x256 --batch 32 --device cpu\n"
    "  argand fft --measure 256x256 128x128x128 --wisdom mine.wisdom           (ARGAND_WISDOM=mine.wisdom "
    "uses it)\n";

/* Makes --wisdom the file that plans read and write. A file with other contents is not changed. */
static argand_status use_wisdom(const char *path, report *out)
{
    char first[256];
    if (!path) return ARGAND_OK;
    if (!*path) return report_error(ARGAND_ARGUMENT, "--wisdom: give the name of a file");
    if (!access(path, F_OK)) {
        const argand_status status = argand_fft_wisdom_read(path);
        if (status != ARGAND_OK) return status;
        const int count = argand_fft_wisdom_left_out(first, sizeof first);
        if (count)
            report_note(out, "%s: %d entr%s left out. %s%s", path, count,
                        count == 1 ? "y of wisdom is" : "ies of wisdom are",
                        count == 1 ? "L" : "The first: l", first + 1);
        argand_fft_wisdom_forget();
    }
    return setenv("ARGAND_WISDOM", path, 1) ? report_error(ARGAND_MEMORY, "no memory for --wisdom %s", path)
                                            : ARGAND_OK;
}

static argand_status check_names(const transform_settings *s, bool sizes)
{
    for (int i = 1; sizes && i < s->name_count; i++)
        if (!transform_is_size(s->names[i]))
            return report_error(ARGAND_ARGUMENT,
                                "%s: give sizes alone, like 256x256, or an array's file and one to write",
                                s->names[i]);
    if (sizes && !s->explain && !s->measure)
        return report_error(ARGAND_ARGUMENT, "%s is a size, not a file: add --explain or --measure",
                            s->names[0]);
    if (sizes && s->size.rank)
        return report_error(ARGAND_ARGUMENT,
                            "--size pads an array from a file; %s is a size already: leave --size out",
                            s->names[0]);
    if (!sizes && s->name_count > 2)
        return report_error(ARGAND_ARGUMENT, "%s: one name too many; give one file to read and one to write",
                            s->names[2]);
    if (!sizes && s->name_count < 2 && !s->explain)
        return report_error(ARGAND_ARGUMENT, "%s: give the name of a file to write, or --explain",
                            s->names[0]);
    if (!sizes && s->batch > 1)
        return report_error(ARGAND_ARGUMENT,
                            "--batch needs a size; the file %s has its own batch: leave --batch out",
                            s->names[0]);
    if (s->real && s->centred)
        return report_error(ARGAND_ARGUMENT, "--real with --centred: half a spectrum has no centre");
    if (s->odd && !(s->real && s->inverse))
        return report_error(ARGAND_ARGUMENT,
                            "--odd goes with --real --inverse: how many reals there are to be");
    if (s->half_packed && !s->real)
        return report_error(ARGAND_ARGUMENT,
                            "--half-packed goes with --real: how its half spectrum is laid out");
    if (s->half_packed && s->odd)
        return report_error(
            ARGAND_ARGUMENT,
            "--half-packed excludes --odd: a packed half spectrum has an even number of reals");
    return ARGAND_OK;
}

/* Explains the transform of one of the sizes. */
static argand_status explain_size(const transform_settings *s, const char *size, argand_device *device,
                                  report *out)
{
    transform_problem p;
    argand_fft *plan = NULL;
    report_where(out, "%s", size);
    argand_status status = transform_of_size(&p, s, size);
    if (status == ARGAND_OK) status = argand_fft_create(&plan, device, &p.options);
    if (status == ARGAND_OK) status = transform_explain(plan, &p, s, device, out);
    argand_fft_destroy(plan);
    return status;
}

static argand_status explain_sizes(const transform_settings *s, argand_device *device, report *out)
{
    argand_status status = ARGAND_OK;
    report_stage(out, s->measure ? "measuring" : "planning");
    for (int i = 0; i < s->name_count && status == ARGAND_OK; i++) {
        if (s->measure) report_progress(out, i, s->name_count);
        status = explain_size(s, s->names[i], device, out);
        if (!out->json && i + 1 < s->name_count) printf("\n");
        if (status == ARGAND_OK && interrupted()) status = ARGAND_STOPPED;
    }
    if (s->measure && status == ARGAND_OK) report_progress(out, s->name_count, s->name_count);
    report_stage_end(out);
    return status;
}

static bool parse(transform_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        flag_option("inverse", 'i', &s->inverse, "compute the inverse transform"),
        text_option(
            "axes", 0, &s->axes, "LIST",
            "axes to transform, 0,1 or x,y; 0 or x is the fastest (NumPy's last). Default: the first three"),
        flag_option("centred", 'c', &s->centred,
                    "put index 0 at the centre, floor(N/2), of input and output"),
        choice_option("scale", 0, &s->scale, "NAME", "none|inverse|unitary",
                      "scaling. inverse: 1/N on the inverse; unitary: 1/sqrt(N) on both"),
        sizes_option("size", 0, &s->size, "N",
                     "first zero-pad or crop the transformed axes to this size, such as 256x256"),
        flag_option("real", 0, &s->real,
                    "transform real numbers to half of their spectrum, or back with --inverse"),
        flag_option("half-packed", 0, &s->half_packed,
                    "store N/2 complex numbers for N reals, with --real. Default: N/2 + 1"),
        flag_option("odd", 0, &s->odd, "the number of reals is odd, with --real --inverse"),
        choice_option("precision", 0, &s->precision, "NAME", "auto|single|double",
                      "precision; auto takes that of the file, single with --explain and --measure"),
        int_option("batch", 0, &s->batch, "B", 1, 1e9,
                   "number of transforms in one call, with --explain and --measure"),
        flag_option("explain", 'e', &s->explain, "print the passes of the plan and the other candidates"),
        flag_option("measure", 'm', &s->measure, "time all candidates and keep the fastest as wisdom"),
        double_option("measure-seconds", 0, &s->measure_seconds, "T", 0, 1e6,
                      "start no further candidate after T seconds"),
        text_option("wisdom", 'w', &s->wisdom, "FILE", "wisdom file to read and to add to"),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {
        .usage = "argand fft IN OUT [options]\n       argand fft --explain|--measure SIZE... [options]",
        .description = description,
        .examples = examples,
        OPTION_TABLE(options),
        .positional_least = 1,
        .positional_most = TRANSFORM_NAMES,
        .positional = s->names};
    const bool go_on = command_parse(&line, argc, argv, exit_code);
    s->name_count = line.positional_count;
    return go_on;
}

static int run(int argc, char **argv)
{
    transform_settings s = {.batch = 1, .measure_seconds = 10};
    int exit_code;
    report out;
    argand_device *device = NULL;
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    const bool sizes = transform_is_size(s.names[0]) && access(s.names[0], F_OK);
    report_begin(&out, "fft", &s.common);
    interrupt_watch();
    argand_status status = check_names(&s, sizes);
    if (status == ARGAND_OK) status = use_wisdom(s.wisdom, &out);
    if (status == ARGAND_OK) status = common_open(&s.common, &device);
    if (status == ARGAND_OK)
        status = sizes ? explain_sizes(&s, device, &out) : transform_file(&s, device, &out);
    argand_device_close(device);
    return status == ARGAND_OK ? 0 : report_failure(&out, status);
}

const command command_fft = {
    .name = "fft", .summary = "compute Fourier transforms of arrays; explain and time plans", .run = run};
