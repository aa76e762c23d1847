/* SPDX-License-Identifier: BSD-3-Clause */
/* Resamples one kernel for many sizes: the spectrum of any plan is the kernel's spectrum at its own size,
 * interpolated between its points. Each axis is interpolated separately: a value at one frequency is a sum
 * over a few points of the spectrum (linear, cubic) or over all taps (exact). The host computes in double
 * precision. */
#include "conv/wide.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/pi.h"

typedef struct number {
    double re, im;
} number;

struct argand_conv_spectrum {
    int rank;
    int64_t k[3], low[3], channels;
    conv_taps taps;
    number
        *points; /* {k..., channels}: values at frequencies 0 to (k - 1) / k; phases count from the centre */
};

/* Interpolation along an axis: value f is the weighted sum of `terms` inputs from first[f] on, cyclically. */
typedef struct axis_sum {
    int64_t in, out, terms;
    int64_t *first;
    number *weight; /* `terms` weights for each f */
} axis_sum;

static void release_sum(axis_sum *s)
{
    memory_free(s->first);
    memory_free(s->weight);
}

static argand_status new_sum(axis_sum *s, int64_t in, int64_t out, int64_t terms)
{
    *s = (axis_sum){.in = in, .out = out, .terms = terms};
    TRY(NEW(s->first, out));
    const argand_status status =
        memory_new(&s->weight, memory_product((size_t)out, (size_t)terms), sizeof(number));
    if (status != ARGAND_OK) release_sum(s);
    return status;
}

/* Sets the weights of the exact transform of taps at offsets low, low + 1, ... at `frequency` cycles per
 * element. */
static void set_exact(axis_sum *s, int64_t f, double frequency, int64_t low)
{
    number *w = s->weight + f * s->terms;
    for (int64_t j = 0; j < s->terms; j++) {
        const double turn = frequency * (double)(low + j), angle = -2 * PI * (turn - floor(turn));
        w[j] = (number){cos(angle), sin(angle)};
    }
}

/* Sets the weights of linear interpolation, or of cubic interpolation through four points (Catmull and
 * Rom). */
static void set_between(axis_sum *s, int64_t f, double frequency)
{
    number *w = s->weight + f * s->terms;
    const double at = frequency * (double)s->in, t = at - floor(at);
    s->first[f] = (int64_t)floor(at) - (s->terms == 4);
    if (s->terms == 2) {
        w[0].re = 1 - t;
        w[1].re = t;
        return;
    }
    w[0].re = t * (-0.5 + t * (1 - 0.5 * t));
    w[1].re = 1 + t * t * (-2.5 + 1.5 * t);
    w[2].re = t * (0.5 + t * (2 - 1.5 * t));
    w[3].re = t * t * (-0.5 + 0.5 * t);
}

/* Makes the weights for all frequencies of a plan, for a kernel stretched by `scale`. Frequencies beyond
 * the kernel's band get the value 0. */
static argand_status make_sum(axis_sum *s, int64_t in, int64_t low, int64_t points, int64_t out, double scale,
                              argand_conv_resample how)
{
    const int64_t terms = how == ARGAND_CONV_LINEAR ? 2 : how == ARGAND_CONV_CUBIC ? 4 : in;
    TRY(new_sum(s, in, out, terms));
    for (int64_t f = 0; f < out; f++) {
        const double frequency = scale * (double)(f <= points / 2 ? f : f - points) / (double)points;
        if (fabs(frequency) > 0.5 * (1 + 1e-12)) continue;
        if (how == ARGAND_CONV_EXACT)
            set_exact(s, f, frequency, low);
        else
            set_between(s, f, frequency);
    }
    return ARGAND_OK;
}

/* Interpolates one axis: {before, s->in, after} becomes {before, s->out, after}. */
static void apply_sum(number *to, const number *from, const axis_sum *s, int64_t before, int64_t after)
{
    for (int64_t a = 0; a < after; a++)
        for (int64_t f = 0; f < s->out; f++) {
            number *y = to + (a * s->out + f) * before;
            memset(y, 0, (size_t)before * sizeof *y);
            for (int64_t j = 0; j < s->terms; j++) {
                const number w = s->weight[f * s->terms + j];
                const int64_t at = ((s->first[f] + j) % s->in + s->in) % s->in;
                const number *x = from + (a * s->in + at) * before;
                if (w.re == 0 && w.im == 0) continue;
                for (int64_t b = 0; b < before; b++) {
                    y[b].re += w.re * x[b].re - w.im * x[b].im;
                    y[b].im += w.re * x[b].im + w.im * x[b].re;
                }
            }
        }
}

/* Interpolates the three axes of an array {in..., channels}; replaces *numbers by the array {out...,
 * channels}. */
static argand_status apply_sums(number **numbers, const axis_sum *sums, int64_t channels)
{
    int64_t n[3] = {sums[0].in, sums[1].in, sums[2].in};
    for (int d = 2; d >= 0; d--) {
        number *to;
        int64_t before = 1, after = channels;
        for (int e = 0; e < 3; e++) {
            before *= e < d ? n[e] : 1;
            after *= e > d ? n[e] : 1;
        }
        TRY(memory_take(&to, memory_product((size_t)(before * sums[d].out * after), sizeof *to)));
        apply_sum(to, *numbers, &sums[d], before, after);
        memory_free(*numbers);
        *numbers = to;
        n[d] = sums[d].out;
    }
    return ARGAND_OK;
}

/* Evaluates the spectrum at out[d] frequencies, multiples of 1 / points[d]. from: points of the spectrum,
 * or taps. */
static argand_status evaluate(number **values, const argand_conv_spectrum *s, const number *from,
                              const int64_t *points, const int64_t *out, const double *scale,
                              argand_conv_resample how)
{
    const size_t bytes = (size_t)(s->taps.count * s->channels) * sizeof(number);
    axis_sum sums[3] = {{0}};
    argand_status status = memory_take(values, bytes);
    if (status == ARGAND_OK) memcpy(*values, from, bytes);
    for (int d = 0; d < 3 && status == ARGAND_OK; d++)
        status = make_sum(&sums[d], s->k[d], s->low[d], points[d], out[d], scale[d], how);
    if (status == ARGAND_OK) status = apply_sums(values, sums, s->channels);
    for (int d = 0; d < 3; d++) release_sum(&sums[d]);
    if (status == ARGAND_OK) return ARGAND_OK;
    memory_free(*values);
    *values = NULL;
    return status;
}

static argand_status fill(argand_conv_spectrum *s, const argand_array *kernel, const argand_conv_options *o)
{
    static const double same[3] = {1, 1, 1};
    argand_conv shape = {.device = argand_array_device(kernel)};
    argand_conv_options own = *o;
    own.mode = ARGAND_CONV_SAME;
    for (int d = 0; d < 3; d++) own.n[d] = own.kernel[d];
    TRY(conv_options_read(&shape, &own));
    TRY(conv_kernel_check(&shape, kernel));
    TRY(conv_taps_read(&s->taps, &shape, kernel));
    s->rank = own.rank;
    s->channels = shape.options.kernel_channels;
    for (int d = 0; d < 3; d++) {
        s->k[d] = shape.axis[d].k;
        s->low[d] = shape.axis[d].low;
    }
    return evaluate(&s->points, s, (const number *)(const void *)s->taps.at, s->k, s->k, same,
                    ARGAND_CONV_EXACT);
}

argand_status argand_conv_spectrum_create(argand_conv_spectrum **spectrum, const argand_array *kernel,
                                          const argand_conv_options *options)
{
    argand_conv_spectrum *s;
    if (spectrum) *spectrum = NULL;
    CHECK(spectrum && kernel && options, ARGAND_ARGUMENT, "argand_conv_spectrum_create: no %s given",
          !spectrum ? "place"
          : !kernel ? "kernel"
                    : "options");
    TRY(NEW(s, 1));
    const argand_status status = fill(s, kernel, options);
    if (status == ARGAND_OK)
        *spectrum = s;
    else
        argand_conv_spectrum_destroy(s);
    return status;
}

void argand_conv_spectrum_destroy(argand_conv_spectrum *s)
{
    if (!s) return;
    conv_taps_release(&s->taps);
    memory_free(s->points);
    memory_free(s);
}

static argand_status check(const argand_conv *c, const argand_conv_spectrum *s, const double *scale,
                           argand_conv_resample how)
{
    CHECK(c->fft, ARGAND_UNSUPPORTED,
          "argand_conv_set_spectrum: the plan does not compute a whole image by one FFT; create it with "
          "method ARGAND_CONV_FFT and without a memory limit");
    CHECK(how >= ARGAND_CONV_LINEAR && how <= ARGAND_CONV_EXACT, ARGAND_ARGUMENT,
          "argand_conv_set_spectrum: resample %d is not known", (int)how);
    CHECK(s->rank == c->options.rank && s->channels == c->options.kernel_channels, ARGAND_ARGUMENT,
          "argand_conv_set_spectrum: the spectrum has %d axes and %lld channels, but the plan's kernel has "
          "%d and %lld",
          s->rank, (long long)s->channels, c->options.rank, (long long)c->options.kernel_channels);
    CHECK(!s->taps.is_complex || type_is_complex(c->options.type), ARGAND_ARGUMENT,
          "argand_conv_set_spectrum: the kernel is complex, but the plan's images are real");
    for (int d = 0; d < s->rank && scale; d++)
        CHECK(isfinite(scale[d]) && scale[d] > 0, ARGAND_ARGUMENT,
              "argand_conv_set_spectrum: scale is %g along axis %d; give a number above 0", scale[d], d);
    return ARGAND_OK;
}

/* Uploads values to the plan's array in the precision of the array. */
static argand_status upload(argand_array *to, number *values)
{
    float *floats = (float *)(void *)values;
    const double *doubles = (const double *)(const void *)values;
    if (!type_is_double(to->type))
        for (int64_t i = 0; i < 2 * argand_array_count(to); i++) {
            const float value = (float)doubles[i];
            memcpy(floats + i, &value, sizeof value);
        }
    return argand_array_upload(to, values);
}

argand_status argand_conv_set_spectrum(argand_conv *c, const argand_conv_spectrum *s, const double *scale,
                                       argand_conv_resample how)
{
    number *values;
    int64_t points[3], out[3];
    double scales[3] = {1, 1, 1};
    CHECK(c && s, ARGAND_ARGUMENT, "argand_conv_set_spectrum: no %s given", c ? "spectrum" : "plan");
    TRY(check(c, s, scale, how));
    for (int d = 0; d < 3; d++) {
        if (scale && d < s->rank) scales[d] = scale[d];
        points[d] = c->axis[d].points;
        out[d] = d == 0 && !type_is_complex(c->options.type) ? points[0] / 2 + 1 : points[d];
    }
    TRY(evaluate(&values, s, how == ARGAND_CONV_EXACT ? (const number *)(const void *)s->taps.at : s->points,
                 points, out, scales, how));
    argand_status status = upload(c->unblended ? c->unblended : c->spectrum, values);
    memory_free(values);
    if (status == ARGAND_OK && c->unblended) status = conv_transform_blend(c);
    if (status != ARGAND_OK) return status;
    c->has_kernel = true;
    conv_taps_release(&c->taps);
    conv_wide_kernel(c);
    return ARGAND_OK;
}
