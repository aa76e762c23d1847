/* SPDX-License-Identifier: BSD-3-Clause */
/* The common part of argand convolve and argand deconvolve: files of any kind, with a kernel from a file. */
#include <stdio.h>
#include <string.h>
#include "convolve/arrays.h"

static argand_status check(const filter_settings *s)
{
    TRY(sink_check(s->output));
    if (s->constant != 0 && s->border != ARGAND_BORDER_CONSTANT)
        return report_error(ARGAND_ARGUMENT, "--constant needs --border constant");
    if (s->sharpen != 0 && s->mode != ARGAND_CONV_SAME)
        return report_error(ARGAND_ARGUMENT, "--sharpen needs --mode same");
    if (s->memory && argand_picture_is_known(s->input) && s->deconv &&
        s->deconv->method == ARGAND_DECONV_RICHARDSON_LUCY)
        return report_error(ARGAND_ARGUMENT,
                            "--memory goes with --method wiener or with arrays; %s is a picture", s->input);
    if (s->compare && !argand_picture_is_known(s->input))
        return report_error(ARGAND_ARGUMENT, "--compare works with pictures only; %s is an array", s->input);
    if (s->compare && s->mode != ARGAND_CONV_SAME)
        return report_error(ARGAND_ARGUMENT, "--compare needs --mode same");
    return compare_check(s);
}

static argand_status convolve_picture(filter_job *job)
{
    const filter_settings *s = job->s;
    TRY(filter_begin(job));
    TRY(kernel_read(&job->kernel, s->kernel));
    TRY(kernel_check(&job->kernel, s->kernel));
    TRY(kernel_find_centre(&job->kernel, s->centre, s->kernel, NULL));
    TRY(kernel_normalise(&job->kernel, s->normalise, s->kernel));
    TRY(kernel_fit(&job->kernel, job->lights, s->kernel));
    snprintf(job->kernel.description, sizeof job->kernel.description, "%s", s->kernel);
    job->sharpness = s->sharpen;
    TRY(filter_run(job));
    report_stage_end(job->out);
    char path[4200];
    report_note(job->out, "%s: %lld x %lld, %d channel%s", s->output, (long long)job->width,
                (long long)job->height, job->source.info.channels, job->source.info.channels > 1 ? "s" : "");
    report_result(job->out, "\"output\":%s,\"dims\":[%lld,%lld,%d],\"bands\":%lld",
                  json_string(path, sizeof path, s->output), (long long)job->width, (long long)job->height,
                  job->source.info.channels, (long long)job->bands);
    return ARGAND_OK;
}

argand_status convolve_files(const filter_settings *s, report *out)
{
    filter_job job = {.s = s, .out = out, .deconv = s->deconv};
    argand_status status = check(s);
    if (status == ARGAND_OK) status = filter_memory(&job.memory, s->memory);
    if (status == ARGAND_OK) status = common_open(&s->common, &job.device);
    if (status == ARGAND_OK)
        status = argand_picture_is_known(s->input)
                     ? convolve_picture(&job)
                     : convolve_arrays(s, job.device, s->memory ? job.memory : 0, out);
    sink_close(&job.sink);
    source_close(&job.source);
    kernel_free(&job.kernel);
    compare_close(job.compare);
    argand_device_close(job.device);
    return status;
}
