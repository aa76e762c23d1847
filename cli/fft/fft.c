/* SPDX-License-Identifier: BSD-3-Clause */
/* argand fft: Fourier transforms of arrays in files; what a transform will cost and how it will be done;
 * wisdom. */
#include "fft/transform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char description[] =
    "Transforms an array along some of its axes (the first three, unless --axes names others or --size has "
    "fewer):\n"
    "  forward  X[k] = sum_n x[n] exp(-2 pi i k n / N),   --inverse  with exp(+2 pi i k n / N),   unscaled "
    "unless --scale says so.\n"
    "Frequency 0 comes first; with --centred the middle element, floor(N/2), is 0 on both sides, as images "
    "and k-space are stored.\n"
    "--size pads with zeros or crops before the transform: at the end of each axis, with --centred around "
    "the middle.\n"
    "--real goes from real numbers to the half of their spectrum that says all, N/2 + 1 numbers along the "
    "first axis named, and\n"
    "with --inverse back; with --half-packed it has N/2, number N/2 in the place of number 0's imaginary "
    "part: "
    "X[0] + i X[N/2].\n"
    "Files: .npy, .cfl, .nii, .nii.gz; reads SCAN.h5:NAME too.\n"
    "\n"
    "With sizes instead of files, --explain says how such transforms would be done: each pass through memory "
    "with its lines,\n"
    "radices, bytes, bytes that lie together, and predicted time; which engines could do it, and why one was "
    "taken. --measure times\n"
    "all of them and keeps the fastest in mind: in the file of --wisdom, or below the cache folder, where "
    "every plan looks.";

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

/* The file of --wisdom is the one that plans read and write; a file of something else is not touched. */
static argand_status use_wisdom(const char *path)
{
    if (!path) return ARGAND_OK;
    if (!*path) return report_error(ARGAND_ARGUMENT, "--wisdom: give the name of a file");
    if (!access(path, F_OK)) {
        const argand_status status = argand_fft_wisdom_read(path);
        if (status != ARGAND_OK) return status;
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
        return report_error(ARGAND_ARGUMENT, "%s is a size, not a file: give --explain or --measure with it",
                            s->names[0]);
    if (sizes && s->size.rank)
        return report_error(ARGAND_ARGUMENT, "--size pads arrays of files; %s is a size already",
                            s->names[0]);
    if (!sizes && s->name_count > 2)
        return report_error(ARGAND_ARGUMENT, "%s: one file is read and one written", s->names[2]);
    if (!sizes && s->name_count < 2 && !s->explain)
        return report_error(ARGAND_ARGUMENT, "%s: give the name of a file to write, or --explain",
                            s->names[0]);
    if (!sizes && s->batch > 1)
        return report_error(ARGAND_ARGUMENT, "--batch goes with a size; %s has its own", s->names[0]);
    if (s->real && s->centred)
        return report_error(ARGAND_ARGUMENT, "--real with --centred: half a spectrum has no centre");
    if (s->odd && !(s->real && s->inverse))
        return report_error(ARGAND_ARGUMENT,
                            "--odd goes with --real --inverse: how many reals there are to be");
    if (s->half_packed && !s->real)
        return report_error(ARGAND_ARGUMENT,
                            "--half-packed goes with --real: how its half spectrum is laid out");
    if (s->half_packed && s->odd)
        return report_error(ARGAND_ARGUMENT, "--half-packed with --odd: it is for even numbers of reals");
    return ARGAND_OK;
}

/* One of the sizes. */
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
        flag_option("inverse", 'i', &s->inverse, "the inverse transform"),
        text_option("axes", 0, &s->axes, "LIST", "which axes, counted from 0, the fastest: 0,1 or x,y"),
        flag_option("centred", 'c', &s->centred, "the middle element is 0 on both sides"),
        choice_option("scale", 0, &s->scale, "NAME", "none|inverse|unitary",
                      "inverse: 1/N on the inverse; unitary: 1/sqrt(N)"),
        sizes_option("size", 0, &s->size, "N",
                     "pad with zeros or crop the transformed axes to this first, like 256x256"),
        flag_option("real", 0, &s->real, "transform between real numbers and half of their spectrum"),
        flag_option("half-packed", 0, &s->half_packed, "--real: N/2 numbers for N reals instead of N/2 + 1"),
        flag_option("odd", 0, &s->odd, "--real --inverse: to an odd number of reals"),
        choice_option("precision", 0, &s->precision, "NAME", "auto|single|double",
                      "precision of all numbers; auto: as in the file, single for sizes"),
        int_option("batch", 0, &s->batch, "B", 1, 1e9, "transforms at a time, with a size"),
        flag_option("explain", 'e', &s->explain, "print passes and candidates"),
        flag_option("measure", 'm', &s->measure, "time the candidates, keep the fastest as wisdom"),
        double_option("measure-seconds", 0, &s->measure_seconds, "T", 0, 1e6,
                      "begin no further candidate after T seconds"),
        text_option("wisdom", 'w', &s->wisdom, "FILE", "the file of measurements to use and to add to"),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {
        .usage = "argand fft IN OUT [options]\n       argand fft --explain|--measure SIZE... [options]",
        .description = description,
        .examples = examples,
        .options = options,
        .option_count = sizeof options / sizeof *options,
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
    if (status == ARGAND_OK) status = use_wisdom(s.wisdom);
    if (status == ARGAND_OK) status = common_open(&s.common, &device);
    if (status == ARGAND_OK)
        status = sizes ? explain_sizes(&s, device, &out) : transform_file(&s, device, &out);
    argand_device_close(device);
    return status == ARGAND_OK ? 0 : report_failure(&out, status);
}

const command command_fft = {"fft", "Fourier transforms of arrays; how they will be done, and how fast", run};
