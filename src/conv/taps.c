/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a kernel into taps: on the host, in double precision, in the order of offsets, normalised. */
#include "conv/plan.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

typedef struct number {
    double re, im;
} number;

static number number_at(const void *numbers, argand_type type, int64_t i)
{
    switch (type) {
    case ARGAND_R32:
        return (number){((const float *)numbers)[i], 0};
    case ARGAND_R64:
        return (number){((const double *)numbers)[i], 0};
    case ARGAND_C32:
        return (number){((const float *)numbers)[2 * i], ((const float *)numbers)[2 * i + 1]};
    default:
        return (number){((const double *)numbers)[2 * i], ((const double *)numbers)[2 * i + 1]};
    }
}

void conv_tap_put(void *to, argand_type type, int64_t i, const double *tap)
{
    switch (type) {
    case ARGAND_R32:
        ((float *)to)[i] = (float)tap[0];
        break;
    case ARGAND_R64:
        ((double *)to)[i] = tap[0];
        break;
    case ARGAND_C32:
        ((float *)to)[2 * i] = (float)tap[0];
        ((float *)to)[2 * i + 1] = (float)tap[1];
        break;
    default:
        memcpy((double *)to + 2 * i, tap, 2 * sizeof(double));
    }
}

/* Returns the element of the kernel for tap u; correlation reverses all axes. */
static int64_t element_of(const argand_conv_options *o, int64_t u, int64_t count, int64_t channel)
{
    const int64_t tap = o->correlate ? count - 1 - u : u;
    return o->interleaved ? tap * o->kernel_channels + channel : channel * count + tap;
}

static void order_taps(conv_taps *t, const argand_conv_options *o, const void *numbers, argand_type type)
{
    for (int64_t channel = 0; channel < t->channels; channel++)
        for (int64_t u = 0; u < t->count; u++) {
            const number h = number_at(numbers, type, element_of(o, u, t->count, channel));
            double *to = t->at + 2 * (channel * t->count + u);
            to[0] = h.re;
            to[1] = o->correlate ? -h.im : h.im;
            t->is_complex |= h.im != 0;
        }
}

static argand_status check_taps(const conv_taps *t)
{
    for (int64_t i = 0; i < 2 * t->count * t->channels; i++)
        CHECK(isfinite(t->at[i]), ARGAND_NUMERIC,
              "argand_conv_set_kernel: element %lld of channel %lld of the kernel is not finite",
              (long long)(i / 2 % t->count), (long long)(i / 2 / t->count));
    return ARGAND_OK;
}

/* Returns the sum of a channel's taps, or 0 if the sum is a rounding error. */
static number sum_of(const conv_taps *t, int64_t channel, double rounding)
{
    number sum = {0, 0};
    double size = 0;
    const double *at = t->at + 2 * channel * t->count;
    for (int64_t u = 0; u < t->count; u++) {
        sum.re += at[2 * u];
        sum.im += at[2 * u + 1];
        size += fabs(at[2 * u]) + fabs(at[2 * u + 1]);
    }
    return hypot(sum.re, sum.im) <= rounding * size ? (number){0, 0} : sum;
}

static argand_status divide(conv_taps *t, int64_t channel, number by)
{
    const double size = by.re * by.re + by.im * by.im;
    CHECK(size > 0, ARGAND_NUMERIC,
          "argand_conv_set_kernel: channel %lld of the kernel sums up to 0 and cannot be divided by its sum; "
          "set normalise to ARGAND_CONV_AS_IT_IS",
          (long long)channel);
    for (int64_t u = 0; u < t->count; u++) {
        double *at = t->at + 2 * (channel * t->count + u);
        const number h = {at[0], at[1]};
        at[0] = (h.re * by.re + h.im * by.im) / size;
        at[1] = (h.im * by.re - h.re * by.im) / size;
    }
    return ARGAND_OK;
}

static argand_status divide_by_luminance(conv_taps *t, const argand_conv_options *o, double rounding)
{
    number luminance = {0, 0};
    double size = 0;
    for (int64_t i = 0; i < (t->channels < 3 ? 1 : 3); i++) {
        const number sum = sum_of(t, i, rounding);
        const double weight = t->channels < 3 ? 1 : o->luminance[i];
        luminance.re += weight * sum.re;
        luminance.im += weight * sum.im;
        size += fabs(weight) * hypot(sum.re, sum.im);
    }
    CHECK(hypot(luminance.re, luminance.im) > rounding * size, ARGAND_NUMERIC,
          "argand_conv_set_kernel: the luminance of the kernel is 0, so that no division by it is possible; "
          "set normalise to ARGAND_CONV_AS_IT_IS");
    for (int64_t i = 0; i < t->channels; i++) TRY(divide(t, i, luminance));
    return ARGAND_OK;
}

/* Divides taps by a power of two if squares or sums of very large or small taps would overflow or
 * underflow. Normalised results do not depend on this factor. */
static void bring_near_one(conv_taps *t, int64_t first, int64_t channels)
{
    double *at = t->at + 2 * first * t->count, largest = 0;
    const int64_t numbers = 2 * channels * t->count;
    int exponent;
    for (int64_t i = 0; i < numbers; i++) largest = fmax(largest, fabs(at[i]));
    (void)frexp(largest, &exponent);
    for (int64_t i = 0; i < numbers; i++) at[i] = ldexp(at[i], -exponent);
}

static argand_status normalise(conv_taps *t, const argand_conv_options *o, bool is_double)
{
    const double rounding = is_double ? 1e-13 : 1e-6;
    if (o->normalise == ARGAND_CONV_LUMINANCE) {
        bring_near_one(t, 0, t->channels);
        return divide_by_luminance(t, o, rounding);
    }
    for (int64_t i = 0; i < t->channels && o->normalise == ARGAND_CONV_PER_CHANNEL; i++) {
        bring_near_one(t, i, 1);
        TRY(divide(t, i, sum_of(t, i, rounding)));
    }
    return ARGAND_OK;
}

static argand_status download(void **numbers, const argand_array *kernel)
{
    const size_t count = (size_t)argand_array_count(kernel);
    TRY(memory_take(numbers, memory_product(count, argand_type_size(kernel->type))));
    const argand_status status = argand_array_download(kernel, *numbers);
    if (status == ARGAND_OK) return ARGAND_OK;
    memory_free(*numbers);
    *numbers = NULL;
    return status;
}

argand_status conv_taps_read(conv_taps *taps, const argand_conv *c, const argand_array *kernel)
{
    const argand_conv_options *o = &c->options;
    conv_taps t = {.count = o->kernel[0] * o->kernel[1] * o->kernel[2], .channels = o->kernel_channels};
    void *numbers;
    TRY(download(&numbers, kernel));
    argand_status status = memory_take(&t.at, memory_product((size_t)(t.count * t.channels), sizeof(number)));
    if (status == ARGAND_OK) {
        order_taps(&t, o, numbers, kernel->type);
        status = check_taps(&t);
    }
    if (status == ARGAND_OK) status = normalise(&t, o, type_is_double(kernel->type));
    memory_free(numbers);
    if (status == ARGAND_OK)
        *taps = t;
    else
        conv_taps_release(&t);
    return status;
}

void conv_taps_release(conv_taps *taps)
{
    memory_free(taps->at);
    *taps = (conv_taps){0};
}
