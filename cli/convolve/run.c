/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolves a picture: chooses the plan, and whether to process it as a whole or in bands. */
#include "convolve/filter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

argand_status filter_memory(double *bytes, const char *text)
{
    static const char units[] = "kMGT";
    char *end;
    if (!text) {
        *bytes = 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
        return ARGAND_OK;
    }
    *bytes = strtod(text, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    for (const char *at = units; unit && at <= unit; at++) *bytes *= 1000;
    if (unit) end++;
    if (end == text || *end || !(*bytes >= 1e6) || !isfinite(*bytes))
        return report_error(ARGAND_ARGUMENT,
                            "--memory %s: give a number of bytes, 1M at least, such as 500M or 2G", text);
    return ARGAND_OK;
}

static double memory_of(const filter_job *job)
{
    return job->memory - filter_range_memory(job);
}

/* Returns the bytes for the whole picture at once: its rows, input and output of the plan, the kernel's
 * spectrum and the work memory of transforms. */
static double whole_bytes(const filter_job *job)
{
    const argand_picture_info *info = &job->source.info;
    const double pixels =
        job->deconv ? 4 * (double)info->width * (double)info->height
                    : (double)(info->width + job->kernel.width) * (double)(info->height + job->kernel.height);
    return 4 * pixels * (info->channels + 2 * job->lights + 2 * job->kernel.channels);
}

/* Replaces the kernel by the deconvolution filter. */
static argand_status use_filter(filter_job *job)
{
    argand_deconv_options o = *job->deconv;
    argand_array *kernel, *filter = NULL;
    filter_kernel new = {0};
    int64_t centre[3];
    o.conv = filter_options(job, job->source.info.width, job->source.info.height, ARGAND_CONV_SAME);
    o.conv.memory = (size_t)job->memory;
    report_stage(job->out, "filter");
    TRY(filter_kernel_array(&kernel, job));
    argand_status status = argand_deconv_filter(&filter, centre, job->device, kernel, &o);
    if (status == ARGAND_OK) status = filter_note_noise(job->out, kernel, &o);
    if (status == ARGAND_MEMORY)
        status = report_error(status, "%s; --memory %.0fM is enough for the whole picture at once",
                              argand_message(), ceil(whole_bytes(job) / 1e6));
    if (status == ARGAND_OK)
        status =
            kernel_take(&new, argand_array_dim(filter, 0), argand_array_dim(filter, 1), job->kernel.channels);
    if (status == ARGAND_OK) status = argand_array_download(filter, new.samples);
    argand_array_destroy(kernel);
    argand_array_destroy(filter);
    if (status == ARGAND_OK) {
        memcpy(new.centre, centre, sizeof new.centre);
        snprintf(new.description, sizeof new.description, "Wiener's filter of %.90s",
                 job->kernel.description);
        kernel_free(&job->kernel);
        job->kernel = new;
        job->deconv = NULL;
    } else
        kernel_free(&new);
    return status;
}

/* Sets size and position of the result before there is a plan. */
static argand_status place_result(filter_job *job)
{
    const int64_t n[2] = {job->source.info.width, job->source.info.height},
                  k[2] = {job->kernel.width, job->kernel.height};
    int64_t size[2];
    for (int axis = 0; axis < 2; axis++) {
        const int64_t centre = job->kernel.centre[axis], last = k[axis] - 1,
                      high = job->s->correlate ? centre : last - centre;
        const bool full = job->s->mode == ARGAND_CONV_FULL, valid = job->s->mode == ARGAND_CONV_VALID;
        size[axis] = full ? n[axis] + last : valid ? n[axis] - last : n[axis];
        job->first[axis] = full ? high - last : valid ? high : 0;
        if (size[axis] < 1)
            return report_error(ARGAND_ARGUMENT,
                                "--mode valid: the kernel has %lld %s, the picture %lld; give a smaller one",
                                (long long)k[axis], axis ? "rows" : "columns", (long long)n[axis]);
    }
    job->width = size[0];
    job->height = size[1];
    return ARGAND_OK;
}

/* Sets size and position of the result. */
static void describe(filter_job *job, const argand_conv_info *info)
{
    job->width = info->out[0];
    job->height = info->out[1];
    job->first[0] = info->first[0];
    job->first[1] = info->first[1];
}

static argand_status open_outputs(filter_job *job)
{
    argand_status status = ARGAND_OK;
    if (job->s->compare) status = compare_open(&job->compare, job->s->compare, job);
    if (status == ARGAND_OK && job->s->output)
        status = sink_open(&job->sink, job->s->output, &job->source, job->width, job->height);
    return status;
}

/* Returns the bytes that bands of this many rows need. */
static double band_bytes(const filter_job *job, int64_t rows)
{
    const double width = (double)(job->width + job->kernel.width),
                 height = (double)(rows + job->kernel.height), channels = job->source.info.channels;
    return 4 * width * height * (channels + 6.0 * job->lights);
}

static argand_status choose_bands(int64_t *rows, const filter_job *job)
{
    int64_t most = job->height;
    while (most > 1 && band_bytes(job, most) > memory_of(job)) most = (most + 1) / 2;
    *rows = most;
    if (band_bytes(job, most) <= memory_of(job)) return ARGAND_OK;
    return report_error(ARGAND_MEMORY,
                        "--memory: the %lld rows that the kernel%s covers take %.0f MB; give as much, or a "
                        "smaller kernel",
                        (long long)job->kernel.height, job->s->deconv ? " that undoes the convolution" : "",
                        (band_bytes(job, 1) + filter_range_memory(job)) / 1e6);
}

static argand_status in_bands(filter_job *job)
{
    int64_t rows;
    TRY(place_result(job));
    TRY(choose_bands(&rows, job));
    TRY(open_outputs(job));
    return filter_bands(job, rows);
}

static argand_status in_one_piece(filter_job *job)
{
    filter_engine engine;
    argand_conv_info info;
    TRY(filter_plan(&engine, job, job->source.info.width, job->source.info.height,
                    (argand_conv_mode)job->s->mode));
    engine_describe(&engine, &info);
    describe(job, &info);
    argand_status status = open_outputs(job);
    if (status == ARGAND_OK) status = filter_whole(job, &engine);
    job->wide = engine_wide(&engine);
    engine_close(&engine);
    return status;
}

argand_status filter_run(filter_job *job)
{
    const bool can = !job->deconv || job->deconv->method == ARGAND_DECONV_WIENER;
    const bool bands = can && whole_bytes(job) > memory_of(job);
    if (bands && job->deconv) TRY(use_filter(job));
    TRY(bands ? in_bands(job) : in_one_piece(job));
    if (job->sink.path) TRY(sink_finish(&job->sink));
    if (job->sink.path) sink_note_clipped(&job->sink, job->out);
    filter_note_range(job->out, job->s->input, job->wide, false);
    return job->compare ? compare_write(job->compare) : ARGAND_OK;
}
