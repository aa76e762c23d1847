/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares the pixels of a row for the convolution and mixes the result. Light is the picture's times its
 * coverage, as optics adds light; coverage, depth and similar channels stay unchanged. */
#include "convolve/filter.h"

#include <string.h>

void pixels_associate(const filter_job *job, float *row)
{
    const argand_picture_info *info = &job->source.info;
    if (info->alpha < 0 || info->associated) return;
    const float *alpha = row + info->alpha * info->width;
    for (int k = 0; k < job->lights; k++)
        for (int64_t x = 0; x < info->width; x++) row[job->light[k] * info->width + x] *= alpha[x];
}

/* Returns the share of a pixel's light above the threshold T: 1 - T / luminance; 0 below. */
static float excess(const filter_job *job, const float *row, int64_t x)
{
    static const double weights[3] = {0.2126, 0.7152, 0.0722};
    const int64_t width = job->source.info.width;
    double light = 0;
    for (int k = 0; k < job->lights; k++)
        light += (job->lights == 3 ? weights[k] : 1.0 / job->lights) * (double)row[job->light[k] * width + x];
    return light > job->s->threshold ? (float)(1 - job->s->threshold / light) : 0;
}

void pixels_select(const filter_job *job, const float *row, float *const *planes)
{
    const int64_t width = job->source.info.width;
    for (int k = 0; k < job->lights; k++)
        memcpy(planes[k], row + job->light[k] * width, (size_t)width * sizeof *row);
    for (int64_t x = 0; x < width && job->s->threshold > 0; x++) {
        const float part = excess(job, row, x);
        for (int k = 0; k < job->lights; k++) planes[k][x] *= part;
    }
}

bool pixels_keep_row(const filter_job *job)
{
    return job->s->threshold > 0;
}

/* Replaces the picture's light in `row` by the result. With a threshold T and the light h above it:
 * picture + strength (psf * h - h). Otherwise the plan's sharpness has already done all. */
void pixels_mix(const filter_job *job, float *row, const float *const *convolved)
{
    const int64_t width = job->width;
    if (!pixels_keep_row(job)) {
        for (int k = 0; k < job->lights; k++)
            memcpy(row + job->light[k] * width, convolved[k], (size_t)width * sizeof *row);
        return;
    }
    for (int64_t x = 0; x < width; x++) {
        const float part = excess(job, row, x);
        for (int k = 0; k < job->lights; k++) {
            float *light = row + job->light[k] * width + x;
            *light += (float)job->s->strength * (convolved[k][x] - part * *light);
        }
    }
}

/* Converts a row to the file's form, in which colours are not multiplied by their coverage. At coverage 0
 * the light stays. */
void pixels_write_form(const filter_job *job, float *row)
{
    const argand_picture_info *info = &job->sink.info;
    if (info->alpha < 0 || info->associated) return;
    const float *alpha = row + info->alpha * info->width;
    for (int k = 0; k < job->lights; k++)
        for (int64_t x = 0; x < info->width; x++)
            if (alpha[x] > 0) row[job->light[k] * info->width + x] /= alpha[x];
}

int64_t pixels_border(int64_t i, int64_t n, int border)
{
    if (i >= 0 && i < n) return i;
    if (border == ARGAND_BORDER_CLAMP) return i < 0 ? 0 : n - 1;
    if (border == ARGAND_BORDER_WRAP) return (i % n + n) % n;
    if (border != ARGAND_BORDER_MIRROR) return -1;
    const int64_t j = (i % (2 * n) + 2 * n) % (2 * n);
    return j < n ? j : 2 * n - 1 - j;
}
