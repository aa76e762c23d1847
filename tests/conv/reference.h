/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolution by its definition, in double, and problems to compare with it. */
#ifndef TESTS_CONV_REFERENCE_H
#define TESTS_CONV_REFERENCE_H

#include "harness.h"

static inline bool is_pairs(argand_type type)
{
    return type == ARGAND_C32 || type == ARGAND_C64;
}

static inline int64_t or_one(int64_t n)
{
    return n ? n : 1;
}

/* The element beneath i on an axis of n: -1 the constant, -2 zero. Written out rule by rule. */
static inline int64_t reference_element(int64_t i, int64_t n, argand_conv_border border)
{
    const argand_border rule = i < 0 ? border.before : border.after;
    if (i >= 0 && i < n) return i;
    switch (rule) {
    case ARGAND_BORDER_CONSTANT:
        return -1;
    case ARGAND_BORDER_CLAMP:
        return i < 0 ? 0 : n - 1;
    case ARGAND_BORDER_WRAP:
        while (i < 0) i += n;
        while (i >= n) i -= n;
        return i;
    case ARGAND_BORDER_MIRROR:
        while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
        return i;
    default:
        return -2;
    }
}

/* Lengths along an axis, the first result's element, the centre. */
typedef struct reference_axis {
    int64_t n, k, c, out, first;
} reference_axis;

static inline reference_axis reference_of(const argand_conv_options *o, int d)
{
    reference_axis a = {1, 1, 0, 1, 0};
    if (d >= o->rank) return a;
    a.n = o->n[d];
    a.k = o->kernel[d];
    a.c = o->centre_given ? o->centre[d] : a.k / 2;
    const int64_t before = o->correlate ? a.k - 1 - a.c : a.c;
    a.out = o->mode == ARGAND_CONV_FULL ? a.n + a.k - 1 : o->mode == ARGAND_CONV_VALID ? a.n - a.k + 1 : a.n;
    a.first = o->mode == ARGAND_CONV_FULL ? -before : o->mode == ARGAND_CONV_VALID ? a.k - 1 - before : 0;
    return a;
}

static inline double complex reference_at(const double complex *image, const argand_conv_options *o,
                                          const int64_t i[3])
{
    int64_t e[3], at = 0, step = 1;
    bool constant = false, zero = false;
    for (int d = 0; d < 3; d++) {
        e[d] = d < o->rank ? reference_element(i[d], o->n[d], o->border[d]) : 0;
        constant |= e[d] == -1;
        zero |= e[d] == -2;
    }
    if (zero) return 0;
    if (constant) return CMPLX(o->constant.re, o->constant.im);
    for (int d = 0; d < o->rank; d++) {
        at += step * e[d];
        step *= o->n[d];
    }
    return image[at];
}

/* One channel: out has the results in order, axis 0 fastest. */
static inline void reference_channel(double complex *out, const double complex *image,
                                     const double complex *kernel, const argand_conv_options *o)
{
    const reference_axis a[3] = {reference_of(o, 0), reference_of(o, 1), reference_of(o, 2)};
    for (int64_t r = 0; r < a[0].out * a[1].out * a[2].out; r++) {
        const int64_t at[3] = {r % a[0].out, r / a[0].out % a[1].out, r / a[0].out / a[1].out};
        double complex sum = 0;
        for (int64_t j = 0; j < a[0].k * a[1].k * a[2].k; j++) {
            const int64_t tap[3] = {j % a[0].k, j / a[0].k % a[1].k, j / a[0].k / a[1].k};
            int64_t i[3];
            for (int d = 0; d < 3; d++)
                i[d] = at[d] + a[d].first + (o->correlate ? tap[d] - a[d].c : a[d].c - tap[d]);
            sum += (o->correlate ? conj(kernel[j]) : kernel[j]) * reference_at(image, o, i);
        }
        out[r] = sum;
    }
}

/* Where element i of channel c of image b lies among the numbers of an array. */
static inline int64_t place_of(const argand_conv_options *o, int64_t count, int64_t channels, int64_t i,
                               int64_t c, int64_t b)
{
    return o->interleaved ? (b * count + i) * channels + c : (b * channels + c) * count + i;
}

static inline void take_channel(double complex *to, const double *from, argand_type type,
                                const argand_conv_options *o, int64_t count, int64_t channels, int64_t c,
                                int64_t b)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = place_of(o, count, channels, i, c, b);
        to[i] = is_pairs(type) ? CMPLX(from[2 * at], from[2 * at + 1]) : CMPLX(from[at], 0);
    }
}

static inline void put_channel(double *to, const double complex *from, argand_type type,
                               const argand_conv_options *o, int64_t count, int64_t channels, int64_t c,
                               int64_t b)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = place_of(o, count, channels, i, c, b);
        if (is_pairs(type)) {
            to[2 * at] = creal(from[i]);
            to[2 * at + 1] = cimag(from[i]);
        } else
            to[at] = creal(from[i]);
    }
}

static inline int64_t count_of(const argand_conv_options *o, bool results)
{
    int64_t count = 1;
    for (int d = 0; d < o->rank; d++) count *= results ? reference_of(o, d).out : o->n[d];
    return count;
}

static inline int64_t taps_of(const argand_conv_options *o)
{
    int64_t count = 1;
    for (int d = 0; d < o->rank; d++) count *= o->kernel[d];
    return count;
}

/* What the whole problem should give, as doubles in the order of the output's numbers; free() them. */
static inline double *reference_conv(const argand_conv_options *o, const double *image,
                                     argand_type image_type, const double *kernel, argand_type kernel_type)
{
    const int64_t n = count_of(o, false), out = count_of(o, true), k = taps_of(o);
    const int64_t channels = or_one(o->channels), batch = or_one(o->batch),
                  kernels = or_one(o->kernel_channels);
    double *result = calloc((size_t)(2 * out * channels * batch), sizeof *result);
    double complex *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)out * sizeof *y),
                   *h = malloc((size_t)k * sizeof *h);
    assert_true(result && x && y && h);
    for (int64_t b = 0; b < batch; b++)
        for (int64_t c = 0; c < channels; c++) {
            take_channel(x, image, image_type, o, n, channels, c, b);
            take_channel(h, kernel, kernel_type, o, k, kernels, kernels > 1 ? c : 0, 0);
            reference_channel(y, x, h, o);
            put_channel(result, y, o->type, o, out, channels, c, b);
        }
    free(x);
    free(y);
    free(h);
    return result;
}

/* A new array of the plan's shape: of the images (results or not) or of the kernel. */
static inline argand_array *new_images(const argand_conv_options *o, argand_type type, bool results)
{
    int64_t dims[5];
    int rank = 0;
    if (o->interleaved) dims[rank++] = or_one(o->channels);
    for (int d = 0; d < o->rank; d++) dims[rank++] = results ? reference_of(o, d).out : o->n[d];
    if (!o->interleaved) dims[rank++] = or_one(o->channels);
    dims[rank++] = or_one(o->batch);
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    return array;
}

static inline argand_array *new_kernel(const argand_conv_options *o, argand_type type)
{
    int64_t dims[4];
    int rank = 0;
    if (o->interleaved) dims[rank++] = or_one(o->kernel_channels);
    for (int d = 0; d < o->rank; d++) dims[rank++] = o->kernel[d];
    if (!o->interleaved) dims[rank++] = or_one(o->kernel_channels);
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    return array;
}

/* A convolution that was run: its plan, its arrays, and their numbers as doubles. */
typedef struct convolved {
    argand_conv *conv;
    argand_array *image, *out, *kernel;
    double *x, *y, *h; /* of image, out and kernel */
} convolved;

static inline convolved convolved_new(const argand_conv_options *o)
{
    return (convolved){.image = new_images(o, o->type, false),
                       .out = new_images(o, o->type, true),
                       .kernel = new_kernel(o, o->type)};
}

/* Once image and kernel are filled. */
static inline void convolved_run(convolved *c, const argand_conv_options *o)
{
    OK(argand_conv_create(&c->conv, device, o));
    OK(argand_conv_set_kernel(c->conv, c->kernel));
    OK(argand_conv_apply(c->conv, c->out, c->image));
    c->x = as_doubles(c->image);
    c->y = as_doubles(c->out);
    c->h = as_doubles(c->kernel);
}

static inline void convolved_free(convolved *c)
{
    free(c->x);
    free(c->y);
    free(c->h);
    argand_conv_destroy(c->conv);
    argand_array_destroy(c->image);
    argand_array_destroy(c->out);
    argand_array_destroy(c->kernel);
}

#endif
