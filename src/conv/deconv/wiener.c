/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes Wiener's filter conj(H) / (|H|^2 + noise) on the host in double precision. */
#include "conv/deconv/deconv.h"

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

/* Returns |sum of the taps|^2 of a channel. The noise is defined for a kernel of sum 1; other kernels
 * multiply the noise by this. */
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
              "argand_deconv_set_kernel: channel %lld of the kernel sums up to 0, so its noise level is not "
              "defined",
              (long long)i);
        if (type == ARGAND_C64)
            filter_doubles((double *)spectrum + 2 * i * each, each, k);
        else
            filter_floats((float *)spectrum + 2 * i * each, each, k);
    }
    return ARGAND_OK;
}

/* ---- the floor of the noise ---- */

/* Returns the factor of a border in the noise floor p (argand/deconv.h): it is larger if the image goes on
 * beyond the border unlike the blur assumed. */
static double part_of(const conv_axis *a, argand_border border)
{
    const bool periodic = border == ARGAND_BORDER_WRAP || border == ARGAND_BORDER_MIRROR;
    if (periodic && a->before == a->after) return 0;
    return border == ARGAND_BORDER_ZERO || border == ARGAND_BORDER_CONSTANT ? 1.0 / 8 : 1.0 / 64;
}

/* Sums the taps over all axes but d: sums[offset along d]. */
static void project(double *sums, const argand_conv *blur, int64_t channel, int d)
{
    const conv_taps *t = &blur->taps;
    int64_t step = 1;
    for (int e = 0; e < d; e++) step *= blur->axis[e].k;
    for (int64_t i = 0; i < 2 * blur->axis[d].k; i++) sums[i] = 0;
    for (int64_t i = 0; i < t->count; i++) {
        const double *at = t->at + 2 * (channel * t->count + i);
        const int64_t u = i / step % blur->axis[d].k;
        sums[2 * u] += at[0];
        sums[2 * u + 1] += at[1];
    }
}

/* Returns the sum over j of |sum of the taps beyond offset j|^2, counted from one end of the axis. */
static double tails(const double *sums, int64_t k, int64_t count, bool from_high)
{
    double re = 0, im = 0, power = 0;
    for (int64_t u = 0; u < count && u < k; u++) {
        const double *at = sums + 2 * (from_high ? k - 1 - u : u);
        re += at[0];
        im += at[1];
        power += re * re + im * im;
    }
    return power;
}

static double border_floor(const argand_conv *blur, double *sums, int64_t channel)
{
    const double power = power_of(&blur->taps, channel);
    double floor = 0;
    for (int d = 0; d < blur->options.rank; d++) {
        const conv_axis *a = &blur->axis[d];
        project(sums, blur, channel, d);
        floor += (part_of(a, a->before) * tails(sums, a->k, a->high, true) +
                  part_of(a, a->after) * tails(sums, a->k, -a->low, false)) /
                 (double)a->n;
    }
    return power > 0 ? floor / power : 0;
}

argand_status wiener_noise(double *noise, const argand_conv *blur, const argand_deconv_options *o)
{
    static const double MOST = 1e-3, ROUNDING[2] = {6e-11, 2e-28};
    double *sums, floor = 0;
    int64_t longest = 1;
    *noise = o->noise;
    if (o->exact_noise) return ARGAND_OK;
    for (int d = 0; d < blur->options.rank; d++)
        if (blur->axis[d].k > longest) longest = blur->axis[d].k;
    TRY(NEW(sums, 2 * longest));
    for (int64_t i = 0; i < blur->taps.channels; i++) floor = fmax(floor, border_floor(blur, sums, i));
    memory_free(sums);
    floor = fmax(fmin(floor, MOST), ROUNDING[type_is_double(blur->options.type)]);
    *noise = fmax(o->noise, floor);
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
