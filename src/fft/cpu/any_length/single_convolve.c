/* SPDX-License-Identifier: BSD-3-Clause */
/* The convolution of one line, for the methods that make a transform one (method.h): forward, times the
 * spectrum, and inverse, by transforms that run along the line (simd_single/simd_single.h). */
#include "fft/cpu/any_length/method.h"

#include <string.h>

void single_get_point(double *re_im, const void *from, bool is_double)
{
    float f[2];
    if (is_double) {
        memcpy(re_im, from, 16);
        return;
    }
    memcpy(f, from, 8);
    re_im[0] = (double)f[0];
    re_im[1] = (double)f[1];
}

void single_put_point(void *to, double re, double im, bool is_double)
{
    const double d[2] = {re, im};
    const float f[2] = {(float)re, (float)im};
    memcpy(to, is_double ? (const void *)d : (const void *)f, is_double ? 16 : 8);
}

void single_convolve(const single_line *s, int half, void *data, double *point_zero)
{
    const any_length_convolution *c = &s->big->half[half];
    double total[2], first[2];
    simd_single_run(s->smooth, data, data, s->work, 0, 1);
    single_get_point(total, data, s->is_double);
    s->kernels->times(data, data, c->spectrum, c->tree.n, 0);
    if (point_zero) {
        single_get_point(first, data, s->is_double);
        single_put_point(data, first[0] + point_zero[0], first[1] + point_zero[1], s->is_double);
        memcpy(point_zero, total, sizeof total);
    }
    simd_single_run(s->smooth, data, data, s->work, 1, 1);
}

void single_clear(const single_line *s, char *data)
{
    const any_length_big *b = s->big;
    memset(data + (size_t)b->count * s->size, 0, (size_t)(b->half[0].tree.n - b->count) * s->size);
}
