/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates the plan of a picture's convolution, for one piece or for a band, and sets its kernel. */
#include "convolve/filter.h"

#include <math.h>

double filter_range_memory(const filter_job *job)
{
    const filter_kernel *k = &job->kernel;
    const double least = 55 * (double)k->width * (double)k->height * (job->lights + k->channels) + 1e4;
    if (job->s->deconv || job->s->range == ARGAND_CONV_RANGE_NARROW) return 0;
    return fmax(0.25 * job->memory, least);
}

argand_conv_options filter_options(const filter_job *job, int64_t width, int64_t height,
                                   argand_conv_mode mode)
{
    const filter_kernel *k = &job->kernel;
    const argand_border border = (argand_border)job->s->border;
    return (argand_conv_options){
        .type = ARGAND_R32,
        .rank = 2,
        .n = {width, height},
        .kernel = {k->width, k->height},
        .channels = job->lights,
        .kernel_channels = k->channels,
        .mode = mode,
        .border = {{border, border}, {border, border}},
        .constant = {job->s->constant, 0},
        .centre_given = true,
        .centre = {k->centre[0], k->centre[1]},
        .correlate = job->s->correlate,
        .range = job->s->deconv ? ARGAND_CONV_RANGE_NARROW : (argand_conv_range)job->s->range,
        .range_memory = (size_t)filter_range_memory(job),
    };
}

argand_status filter_plan(filter_engine *engine, const filter_job *job, int64_t width, int64_t height,
                          argand_conv_mode mode)
{
    const argand_conv_options options = filter_options(job, width, height, mode);
    return engine_open(engine, job->device, &options, job->deconv);
}

argand_status filter_kernel_array(argand_array **kernel, const filter_job *job)
{
    const filter_kernel *k = &job->kernel;
    const int64_t dims[3] = {k->width, k->height, k->channels};
    TRY(argand_array_create(kernel, job->device, ARGAND_R32, 3, dims));
    const argand_status status = argand_array_upload(*kernel, k->samples);
    if (status == ARGAND_OK) return ARGAND_OK;
    argand_array_destroy(*kernel);
    *kernel = NULL;
    return status;
}

argand_status filter_use_kernel(filter_engine *engine, const filter_job *job)
{
    argand_array *kernel;
    TRY(filter_kernel_array(&kernel, job));
    argand_status status = engine_set_kernel(engine, kernel, job->sharpness);
    if (status == ARGAND_OK && job->deconv) {
        argand_deconv_options o = *job->deconv;
        o.conv = engine->options;
        status = filter_note_noise(job->out, kernel, &o);
    }
    argand_array_destroy(kernel);
    return status;
}
