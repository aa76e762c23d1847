/* SPDX-License-Identifier: BSD-3-Clause */
/* Wiener's filter conj(H) / (|H|^2 + noise), made on the host in double. */
#include "conv/deconv.h"

#include <math.h>
#include "base/memory.h"

static void filter_doubles(double *h, int64_t count, double noise)
{
    for (int64_t i = 0; i < count; i++) {
        const double re = h[2 * i], im = h[2 * i + 1], size = re * re + im * im + noise;
        h[2 * i] = re / size;
        h[2 * i + 1] = -im / size;
    }
}

static void filter_floats(float *h, int64_t count, double noise)
{
    for (int64_t i = 0; i < count; i++) {
        const double re = h[2 * i], im = h[2 * i + 1], size = re * re + im * im + noise;
        h[2 * i] = (float)(re / size);
        h[2 * i + 1] = (float)(-im / size);
    }
}

/* The noise is that of a kernel whose sum is 1: of others it counts as many times as their power. */
static double power_of(const conv_taps *t, int64_t channel)
{
    double re = 0, im = 0;
    const double *at = t->at + 2 * channel * t->count;
    for (int64_t i = 0; i < t->count; i++) {
        re += at[2 * i];
        im += at[2 * i + 1];
    }
    return re * re + im * im;
}

argand_status wiener_spectrum(void *spectrum, argand_type type, int64_t count, const conv_taps *taps,
                              double noise)
{
    const int64_t each = count / taps->channels;
    for (int64_t i = 0; i < taps->channels; i++) {
        const double k = noise * power_of(taps, i);
        CHECK(k > 0, ARGAND_NUMERIC,
              "argand_deconv_set_kernel: channel %lld of the kernel sums up to 0: its noise cannot be told",
              (long long)i);
        if (type == ARGAND_C64)
            filter_doubles((double *)spectrum + 2 * i * each, each, k);
        else
            filter_floats((float *)spectrum + 2 * i * each, each, k);
    }
    return ARGAND_OK;
}

argand_status wiener_filter(argand_conv *c, double noise)
{
    const int64_t count = argand_array_count(c->spectrum);
    const argand_type type = c->spectrum->type;
    void *h;
    TRY(memory_take(&h, memory_product((size_t)count, argand_type_size(type))));
    argand_status status = argand_array_download(c->spectrum, h);
    if (status == ARGAND_OK) status = wiener_spectrum(h, type, count, &c->taps, noise);
    if (status == ARGAND_OK) status = argand_array_upload(c->spectrum, h);
    memory_free(h);
    return status;
}
