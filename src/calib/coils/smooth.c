/* SPDX-License-Identifier: BSD-3-Clause */
/* Inner loops of smooth.h. One thread computes each output element, in a fixed order, so that results do
 * not depend on the number of threads. */
#include "calib/coils/smooth.h"

#include <math.h>
#include <string.h>

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void VARIANT(smooth_combine)(const smooth_task *task, void *sum, const void *maps, const void *images)
{
    enum { BLOCK = 1024 };
    const REAL scale = (REAL)task->scale;
    REAL *p = sum;
#pragma omp parallel for schedule(static) num_threads(task->threads)
    for (int64_t start = 0; start < task->pixels; start += BLOCK) {
        const int64_t end = least(start + BLOCK, task->pixels);
        memset(p + 2 * start, 0, (size_t)(2 * (end - start)) * sizeof *p);
        for (int64_t c = 0; c < task->coils; c++) {
            const REAL *m = (const REAL *)maps + 2 * c * task->pixels,
                       *v = (const REAL *)images + 2 * c * task->pixels;
            for (int64_t i = 2 * start; i < 2 * end; i += 2) {
                p[i] += scale * (m[i] * v[i] + m[i + 1] * v[i + 1]);
                p[i + 1] += scale * (m[i] * v[i + 1] - m[i + 1] * v[i]);
            }
        }
    }
}

static void multiply(const smooth_task *task, REAL *out, const REAL *image, const REAL *sum)
{
    const REAL scale = (REAL)task->scale;
    for (int64_t i = 0; i < 2 * task->pixels; i += 2) {
        out[i] = scale * (image[i] * sum[i] + image[i + 1] * sum[i + 1]);
        out[i + 1] = scale * (image[i + 1] * sum[i] - image[i] * sum[i + 1]);
    }
}

/* Smooths along one axis: `lines` lines of n points, each point a row of `width` numbers. The image is 0
 * outside. */
static void smooth_axis(const smooth_task *task, REAL *out, const REAL *in, int64_t lines, int64_t n,
                        int64_t width)
{
    for (int64_t row = 0; row < lines * n; row++) {
        const int64_t at = row % n;
        const REAL *centre = in + row * width;
        REAL *o = out + row * width;
        const REAL tap0 = (REAL)task->taps[0];
        for (int64_t i = 0; i < width; i++) o[i] = tap0 * centre[i];
        for (int64_t d = 1; d <= task->half; d++) {
            const REAL tap = (REAL)task->taps[d];
            if (at >= d)
                for (int64_t i = 0; i < width; i++) o[i] += tap * centre[i - d * width];
            if (at + d < n)
                for (int64_t i = 0; i < width; i++) o[i] += tap * centre[i + d * width];
        }
    }
}

/* Smooths along x, where neighbours have a stride of two numbers: each tap adds a shifted part of the row. */
static void smooth_rows(const smooth_task *task, REAL *out, const REAL *in)
{
    const int64_t width = 2 * task->n[0];
    for (int64_t row = 0; row < task->n[1] * task->n[2]; row++) {
        const REAL *r = in + row * width;
        REAL *o = out + row * width;
        const REAL tap0 = (REAL)task->taps[0];
        for (int64_t i = 0; i < width; i++) o[i] = tap0 * r[i];
        for (int64_t d = 2; d <= 2 * task->half && d < width; d += 2) {
            const REAL tap = (REAL)task->taps[d / 2];
            for (int64_t i = d; i < width; i++) o[i] += tap * r[i - d];
            for (int64_t i = 0; i < width - d; i++) o[i] += tap * r[i + d];
        }
    }
}

void VARIANT(smooth_correlate)(const smooth_task *task, void *map, const void *image, const void *sum,
                               void *scratch)
{
    const int64_t *n = task->n, plane = 2 * n[0] * n[1];
    REAL *m = map, *s = scratch;
    multiply(task, m, image, sum);
    smooth_rows(task, s, m);
    smooth_axis(task, m, s, n[2], n[1], 2 * n[0]);
    if (n[2] == 1) return;
    smooth_axis(task, s, m, 1, n[2], plane);
    memcpy(m, s, (size_t)(2 * task->pixels) * sizeof *m);
}

void VARIANT(smooth_normalise)(const smooth_task *task, void *maps)
{
    REAL *m = maps;
#pragma omp parallel for schedule(static) num_threads(task->threads)
    for (int64_t i = 0; i < task->pixels; i++) {
        double square = 0;
        for (int64_t c = 0; c < task->coils; c++) {
            const REAL *v = m + 2 * (c * task->pixels + i);
            square += (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1];
        }
        const REAL factor = square >= 1e-30 ? (REAL)(1 / sqrt(square)) : 0;
        for (int64_t c = 0; c < task->coils; c++) {
            m[2 * (c * task->pixels + i)] *= factor;
            m[2 * (c * task->pixels + i) + 1] *= factor;
        }
    }
}
