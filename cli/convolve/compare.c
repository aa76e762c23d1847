/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the picture before and after side by side, as an eye sees it: reduced by a whole factor (mean of
 * light), exposed, cut off at white, in sRGB. */
#include "convolve/filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/path.h"

enum { LARGEST_SIDE = 960, GAP = 8 };

struct filter_compare {
    const char *path;
    const filter_job *job;
    int64_t factor, width, height; /* of each half */
    int channels;
    int64_t row;
    float *sums; /* pixels of both halves, row by row */
    double exposure;
};

argand_status compare_check(const filter_settings *s)
{
    if (!s->compare) return ARGAND_OK;
    if (!has_ending(s->compare, ".png"))
        return report_error(ARGAND_ARGUMENT, "%s: --compare writes a .png", s->compare);
    if (!strcmp(s->compare, s->output))
        return report_error(ARGAND_ARGUMENT,
                            "%s: --compare and OUT name the same file; give --compare another name",
                            s->compare);
    return ARGAND_OK;
}

argand_status compare_open(filter_compare **compare, const char *path, const filter_job *job)
{
    const int64_t width = job->width, height = job->height;
    filter_compare *c = *compare = calloc(1, sizeof *c);
    if (!c) return report_error(ARGAND_MEMORY, "%s: no memory for it", path);
    c->path = path;
    c->job = job;
    c->factor = ((width > height ? width : height) + LARGEST_SIDE - 1) / LARGEST_SIDE;
    c->width = (width + c->factor - 1) / c->factor;
    c->height = (height + c->factor - 1) / c->factor;
    c->channels = job->lights >= 3 ? 3 : 1;
    c->exposure = exp2(job->s->exposure);
    c->sums = calloc((size_t)(2 * c->width * c->height) * (size_t)c->channels, sizeof *c->sums);
    return c->sums ? ARGAND_OK : report_error(ARGAND_MEMORY, "%s: no memory for it", path);
}

static void add_row(filter_compare *c, const float *row, int half)
{
    const int64_t y = c->row / c->factor;
    for (int k = 0; k < c->channels; k++) {
        const float *light = row + c->job->light[k] * c->job->width;
        float *sums = c->sums + ((y * 2 + half) * c->channels + k) * c->width;
        for (int64_t x = 0; x < c->job->width; x++) sums[x / c->factor] += light[x];
    }
}

void compare_add(filter_compare *c, const float *before, const float *after)
{
    if (c->row / c->factor >= c->height) return;
    add_row(c, before, 0);
    add_row(c, after, 1);
    c->row++;
}

/* Returns the number of pixels in a reduced pixel, which is smaller at the ends. */
static int64_t covered(int64_t at, int64_t factor, int64_t n)
{
    return (at + 1) * factor <= n ? factor : n - at * factor;
}

static uint8_t code_of(const filter_compare *c, int64_t x, int64_t y, int half, int k)
{
    const double sum = (double)c->sums[((y * 2 + half) * c->channels + k) * c->width + x];
    const double count =
        (double)(covered(x, c->factor, c->job->width) * covered(y, c->factor, c->job->height));
    const double light = fmin(fmax(c->exposure * sum / count, 0), 1);
    return (uint8_t)(255 * argand_srgb_encode(light) + 0.5);
}

argand_status compare_write(const filter_compare *c)
{
    const int64_t width = 2 * c->width + GAP;
    uint8_t *pixels = malloc((size_t)(width * c->height) * (size_t)c->channels);
    if (!pixels) return report_error(ARGAND_MEMORY, "%s: no memory for it", c->path);
    memset(pixels, 128, (size_t)(width * c->height) * (size_t)c->channels);
    for (int64_t y = 0; y < c->height; y++)
        for (int64_t x = 0; x < c->width; x++)
            for (int half = 0; half < 2; half++)
                for (int k = 0; k < c->channels; k++)
                    pixels[(y * width + half * (c->width + GAP) + x) * c->channels + k] =
                        code_of(c, x, y, half, k);
    const argand_status status = argand_png_write(c->path, (int)width, (int)c->height, pixels, c->channels);
    free(pixels);
    return status;
}

void compare_close(filter_compare *c)
{
    if (c) free(c->sums);
    free(c);
}
