/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields, times and the truth for tests of segments: the exponential itself, over all pixels and samples. */
#ifndef TESTS_SEGMENTS_H
#define TESTS_SEGMENTS_H

#include "harness.h"

/* Real numbers on the device, rounded to the type; the rounded ones go back to the host. */
static inline argand_array *reals(argand_type type, int64_t count, double *numbers)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, 1, &count));
    float *floats = malloc((size_t)count * sizeof *floats);
    for (int64_t i = 0; i < count; i++) floats[i] = (float)numbers[i];
    if (type == ARGAND_R32)
        for (int64_t i = 0; i < count; i++) numbers[i] = (double)floats[i];
    OK(argand_array_upload(array, type == ARGAND_R32 ? (const void *)floats : (const void *)numbers));
    free(floats);
    return array;
}

/* w, R and t of a problem; decay and mask may be NULL. */
typedef struct field_case {
    int64_t pixels, samples;
    double *w, *decay, *mask, *t;
} field_case;

static inline field_case new_case(int64_t pixels, int64_t samples, bool decay, bool mask)
{
    field_case c = {.pixels = pixels, .samples = samples};
    c.w = calloc((size_t)pixels, sizeof *c.w);
    c.t = calloc((size_t)samples, sizeof *c.t);
    if (decay) c.decay = calloc((size_t)pixels, sizeof *c.decay);
    if (mask) c.mask = calloc((size_t)pixels, sizeof *c.mask);
    return c;
}

static inline void free_case(field_case *c)
{
    free(c->w);
    free(c->t);
    free(c->decay);
    free(c->mask);
}

static inline argand_status create(argand_segments **s, field_case *c, argand_segments_options options)
{
    const argand_type real = options.type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    argand_array *t = reals(real, c->samples, c->t), *w = reals(real, c->pixels, c->w);
    argand_array *decay = c->decay ? reals(real, c->pixels, c->decay) : NULL;
    argand_array *mask = c->mask ? reals(real, c->pixels, c->mask) : NULL;
    options.t = t;
    options.field_map = w;
    options.r2star = decay;
    options.mask = mask;
    const argand_status status = argand_segments_create(s, device, &options);
    argand_array_destroy(t);
    argand_array_destroy(w);
    argand_array_destroy(decay);
    argand_array_destroy(mask);
    return status;
}

typedef struct misfit {
    double rms, largest;
} misfit;

/* The error of the arrays a and b as they lie on the device, over every pixel in the mask and every sample.
 */
static inline misfit true_error(const argand_segments *s, const field_case *c)
{
    argand_segments_info info;
    argand_segments_describe(s, &info);
    double *a = as_doubles(argand_segments_time(s)), *b = as_doubles(argand_segments_space(s));
    double difference = 0, all = 0, largest = 0;
    for (int64_t n = 0; n < c->pixels; n++) {
        if (c->mask && c->mask[n] == 0) continue;
        for (int64_t j = 0; j < c->samples; j++) {
            const double size = c->decay ? exp(-c->decay[n] * c->t[j]) : 1, phase = c->w[n] * c->t[j];
            double re = size * cos(phase), im = -size * sin(phase);
            for (int l = 0; l < info.terms; l++) {
                const double *at = a + 2 * (l * c->samples + j), *bt = b + 2 * (l * c->pixels + n);
                re -= at[0] * bt[0] - at[1] * bt[1];
                im -= at[0] * bt[1] + at[1] * bt[0];
            }
            difference += re * re + im * im;
            all += size * size;
            largest = fmax(largest, re * re + im * im);
        }
    }
    free(a);
    free(b);
    return (misfit){sqrt(difference / all), sqrt(largest)};
}

#endif
