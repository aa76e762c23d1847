/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads kernels from files, centres, scales and normalises them. */
#include "convolve/filter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

argand_status kernel_take(filter_kernel *kernel, int64_t width, int64_t height, int channels)
{
    const size_t count = (size_t)width * (size_t)height;
    kernel->samples = width < 1 << 24 && height < 1 << 24
                          ? calloc(count, (size_t)channels * sizeof *kernel->samples)
                          : NULL;
    if (!kernel->samples)
        return report_error(ARGAND_MEMORY, "no memory for a kernel of %lld x %lld", (long long)width,
                            (long long)height);
    kernel->width = width;
    kernel->height = height;
    kernel->channels = channels;
    kernel->centre[0] = width / 2;
    kernel->centre[1] = height / 2;
    return ARGAND_OK;
}

void kernel_free(filter_kernel *kernel)
{
    free(kernel->samples);
    *kernel = (filter_kernel){0};
}

argand_status kernel_read(filter_kernel *kernel, const char *path)
{
    filter_source source = {0};
    argand_status status = source_open(&source, path, &(argand_picture_options){.isolated = true});
    const int64_t width = source.info.width, height = source.info.height, plane = width * height;
    float *planes =
        status == ARGAND_OK ? malloc((size_t)(plane * source.info.channels) * sizeof *planes) : NULL;
    int lights = 0;
    for (int c = 0; c < source.info.channels; c++) lights += (source.info.light >> c & 1) != 0;
    if (status == ARGAND_OK && !planes)
        status = report_error(ARGAND_MEMORY, "%s: no memory to read it", path);
    if (status == ARGAND_OK) status = source_read(&source, height, planes);
    if (status == ARGAND_OK) status = kernel_take(kernel, width, height, lights);
    for (int c = 0, k = 0; c < source.info.channels && status == ARGAND_OK; c++)
        if (source.info.light >> c & 1)
            memcpy(kernel->samples + k++ * plane, planes + c * plane, (size_t)plane * sizeof *planes);
    free(planes);
    source_close(&source);
    return status;
}

/* ---- centre ---- */

static double brightness(const filter_kernel *k, int64_t at)
{
    double sum = 0;
    for (int c = 0; c < k->channels; c++) sum += (double)k->samples[c * k->width * k->height + at];
    return sum;
}

/* Returns the first of the brightest pixels, or the middle if that is one of them. */
static int64_t find_brightest(const filter_kernel *k)
{
    int64_t best = k->height / 2 * k->width + k->width / 2;
    double most = brightness(k, best);
    for (int64_t i = 0; i < k->width * k->height; i++)
        if (brightness(k, i) > most) most = brightness(k, best = i);
    return best;
}

/* Notes that the brightest pixel is not the centre: such a kernel shifts the picture. */
static void tell_centre(const filter_kernel *k, const char *path, report *out)
{
    const int64_t best = find_brightest(k), x = best % k->width, y = best / k->width;
    const double there = brightness(k, best), here = brightness(k, k->centre[1] * k->width + k->centre[0]);
    if (there > 2 * fabs(here) && (llabs(x - k->centre[0]) > 1 || llabs(y - k->centre[1]) > 1))
        report_note(
            out,
            "%s: its brightest pixel is (%lld, %lld), and (%lld, %lld) is taken for its centre: the picture "
            "moves by the difference, unless --centre brightest is given",
            path, (long long)x, (long long)y, (long long)k->centre[0], (long long)k->centre[1]);
}

argand_status kernel_find_centre(filter_kernel *k, const char *centre, const char *path, report *out)
{
    if (!centre || !strcmp(centre, "middle")) {
        if (out) tell_centre(k, path, out);
        return ARGAND_OK;
    }
    if (!strcmp(centre, "brightest")) {
        const int64_t best = find_brightest(k);
        k->centre[0] = best % k->width;
        k->centre[1] = best / k->width;
        return ARGAND_OK;
    }
    long long x, y;
    int used = 0;
    if (sscanf(centre, "%lld,%lld%n", &x, &y, &used) != 2 || centre[used])
        return report_error(ARGAND_ARGUMENT, "--centre %s: give middle, brightest, or x,y", centre);
    if (x < 0 || y < 0 || x >= k->width || y >= k->height)
        return report_error(ARGAND_ARGUMENT, "--centre %s: the last pixel of %s is %lld,%lld", centre, path,
                            (long long)k->width - 1, (long long)k->height - 1);
    k->centre[0] = x;
    k->centre[1] = y;
    return ARGAND_OK;
}

/* ---- size ---- */

static double keys(double x)
{
    x = fabs(x);
    if (x >= 2) return 0;
    return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
}

/* Interpolates a line of n samples, `step` apart, at a fractional position. Smooths if the kernel is
 * reduced. */
static double value_at(const float *line, int64_t n, int64_t step, double place, double scale)
{
    const double wide = scale < 1 ? 1 / scale : 1;
    double sum = 0, weights = 0;
    for (int64_t i = (int64_t)ceil(place - 2 * wide); (double)i <= place + 2 * wide; i++) {
        const double w = keys(((double)i - place) / wide);
        weights += w;
        if (i >= 0 && i < n) sum += w * (double)line[i * step];
    }
    return weights > 0 ? sum / weights : 0;
}

/* How the lines along one axis are scaled: n samples around `centre` become m around `new_centre`. */
typedef struct line_scaling {
    int64_t n, m, centre, new_centre;
    double scale;
} line_scaling;

/* Scales `rows` lines of a plane. columns: neighbours in memory belong to neighbouring lines. */
static void scale_lines(float *to, const float *from, const line_scaling *s, int64_t rows, bool columns)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = 0; i < s->m; i++) {
            const double place = (double)s->centre + (double)(i - s->new_centre) / s->scale;
            if (columns)
                to[i * rows + r] = (float)value_at(from + r, s->n, rows, place, s->scale);
            else
                to[r * s->m + i] = (float)value_at(from + r * s->n, s->n, 1, place, s->scale);
        }
}

argand_status kernel_scale(filter_kernel *k, double scale)
{
    if (scale == 1) return ARGAND_OK;
    const int64_t left = (int64_t)floor((double)k->centre[0] * scale),
                  right = (int64_t)floor((double)(k->width - 1 - k->centre[0]) * scale),
                  above = (int64_t)floor((double)k->centre[1] * scale),
                  below = (int64_t)floor((double)(k->height - 1 - k->centre[1]) * scale);
    filter_kernel new = {0}, half = {0};
    const int64_t width = left + right + 1, height = above + below + 1;
    argand_status status = kernel_take(&new, width, height, k->channels);
    if (status == ARGAND_OK) status = kernel_take(&half, width, k->height, 1);
    const line_scaling along_x = {k->width, width, k->centre[0], left, scale},
                       along_y = {k->height, height, k->centre[1], above, scale};
    for (int c = 0; c < k->channels && status == ARGAND_OK; c++) {
        scale_lines(half.samples, k->samples + c * k->width * k->height, &along_x, k->height, false);
        scale_lines(new.samples + c *width *height, half.samples, &along_y, width, true);
    }
    kernel_free(&half);
    for (int64_t i = 0; i < width * height * k->channels && status == ARGAND_OK; i++)
        new.samples[i] *= (float)(1 / (scale * scale)); /* keeps the total light on the new area */
    new.centre[0] = left;
    new.centre[1] = above;
    if (status == ARGAND_OK) kernel_free(k);
    if (status == ARGAND_OK)
        *k = new;
    else
        kernel_free(&new);
    return status;
}

/* ---- channels and sums ---- */

argand_status kernel_fit(filter_kernel *k, int lights, const char *path)
{
    if (k->channels == 1 || k->channels == lights) return ARGAND_OK;
    if (lights % k->channels)
        return report_error(ARGAND_ARGUMENT,
                            "%s: %d channels for a picture of %d; give one for all, or as many", path,
                            k->channels, lights);
    filter_kernel all = {0};
    TRY(kernel_take(&all, k->width, k->height, lights));
    const size_t bytes = (size_t)(k->width * k->height * k->channels) * sizeof *k->samples;
    for (int i = 0; i < lights / k->channels; i++)
        memcpy((char *)all.samples + (size_t)i * bytes, k->samples, bytes);
    memcpy(all.centre, k->centre, sizeof all.centre);
    memcpy(all.description, k->description, sizeof all.description);
    kernel_free(k);
    *k = all;
    return ARGAND_OK;
}

argand_status kernel_check(const filter_kernel *k, const char *path)
{
    bool zero = true;
    for (int64_t i = 0; i < k->width * k->height * k->channels; i++) {
        if (!isfinite(k->samples[i]))
            return report_error(ARGAND_NUMERIC, "%s: the kernel holds NaN or infinity", path);
        zero = zero && k->samples[i] == 0;
    }
    return zero ? report_error(ARGAND_NUMERIC, "%s: the kernel is zero everywhere", path) : ARGAND_OK;
}

argand_status kernel_normalise(filter_kernel *k, int how, const char *path)
{
    static const double weights[3] = {0.2126, 0.7152, 0.0722};
    const int64_t plane = k->width * k->height;
    double sums[ARGAND_PICTURE_CHANNELS] = {0}, light = 0, size = 0;
    if (how == ARGAND_CONV_AS_IT_IS) return ARGAND_OK;
    for (int c = 0; c < k->channels; c++) {
        for (int64_t i = 0; i < plane; i++) sums[c] += (double)k->samples[c * plane + i];
        for (int64_t i = 0; i < plane; i++) size += fabs((double)k->samples[c * plane + i]);
        light += sums[c] * (k->channels == 3 ? weights[c] : 1.0 / k->channels);
    }
    for (int c = 0; c < k->channels; c++) {
        const double sum = how == ARGAND_CONV_LUMINANCE ? light : sums[c];
        if (fabs(sum) <= 1e-6 * size) /* within the rounding of single precision */
            return report_error(
                ARGAND_NUMERIC,
                "%s: the kernel's sum is 0, so it cannot be normalised; argand convolve --normalise none "
                "takes it as it is",
                path);
        for (int64_t i = 0; i < plane; i++)
            k->samples[c * plane + i] = (float)((double)k->samples[c * plane + i] / sum);
    }
    return ARGAND_OK;
}
