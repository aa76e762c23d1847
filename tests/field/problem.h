/* SPDX-License-Identifier: BSD-3-Clause */
/* A random problem of the field-corrected DFT, its plan, and the truth: the plain sum in long double. */
#ifndef TESTS_FIELD_PROBLEM_H
#define TESTS_FIELD_PROBLEM_H

#include "harness.h"

enum { FIELD = 1, DECAY = 2, GRADIENTS = 4, VOXEL = 8, MASK = 16, SHUFFLED = 32 };

typedef struct problem {
    argand_type type;
    int rank;
    int64_t n[3], samples, coils;
    int features;
    double hertz, seconds, decay, slope,
        k_scale; /* ranges; 0 means 200 Hz, 20 ms, 30 1/s, 20 Hz per voxel, 1 */
} problem;

typedef struct made {
    problem p;
    argand_field *plan;
    argand_array *k[3], *t, *field, *r2star, *gradient[3], *mask, *image, *samples;
    int64_t pixels;
} made;

static inline double either(double value, double otherwise)
{
    return value > 0 ? value : otherwise;
}

static inline argand_type real_type(argand_type type)
{
    return type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
}

static inline argand_array *new_reals(const made *m, int rank, const int64_t *dims, double low, double high,
                                      uint64_t seed)
{
    argand_array *array;
    OK(argand_array_create(&array, device, real_type(m->p.type), rank, dims));
    randomise(array, seed, low, high);
    return array;
}

/* Times of a readout, rising; shuffled by a stride that visits every sample. */
static inline void set_times(argand_array *t, int64_t samples, double seconds, int shuffled)
{
    double *times = malloc((size_t)samples * sizeof *times);
    argand_array *host;
    for (int64_t j = 0; j < samples; j++)
        times[j] = 0.002 + seconds * (double)(shuffled ? j * 7919 % samples : j) / (double)samples;
    OK(argand_array_wrap(&host, device, ARGAND_R64, 1, &samples, NULL, times));
    OK(argand_array_copy(t, host));
    argand_array_destroy(host);
    free(times);
}

/* About two thirds of the pixels are in. */
static inline argand_array *new_mask(const made *m)
{
    argand_array *mask;
    double *in = malloc((size_t)m->pixels * sizeof *in);
    random_state state = {99};
    OK(argand_array_create(&mask, device, ARGAND_R64, m->p.rank, m->p.n));
    for (int64_t i = 0; i < m->pixels; i++) in[i] = random_uniform(&state) < 0.66;
    OK(argand_array_upload(mask, in));
    free(in);
    return mask;
}

static inline made make(problem p)
{
    made m = {.p = p, .pixels = 1};
    argand_field_options options = {.type = p.type, .rank = p.rank, .gradients = p.features & VOXEL};
    for (int d = 0; d < p.rank; d++) m.pixels *= options.n[d] = p.n[d];
    for (int d = 0; d < p.rank; d++) {
        const double edge = either(p.k_scale, 1) * (double)p.n[d] / 2;
        options.k[d] = m.k[d] = new_reals(&m, 1, &p.samples, -edge, edge, 10 + (uint64_t)d);
        if (p.features & GRADIENTS)
            options.gradient[d] = m.gradient[d] =
                new_reals(&m, p.rank, p.n, -either(p.slope, 20), either(p.slope, 20), 20 + (uint64_t)d);
    }
    const double w = 6.283185307179586 * either(p.hertz, 200);
    OK(argand_array_create(&m.t, device, real_type(p.type), 1, &p.samples));
    set_times(m.t, p.samples, either(p.seconds, 0.02), p.features & SHUFFLED);
    options.t = m.t;
    if (p.features & FIELD) options.field_map = m.field = new_reals(&m, p.rank, p.n, -w, w, 30);
    if (p.features & DECAY)
        options.r2star = m.r2star = new_reals(&m, p.rank, p.n, 0, either(p.decay, 30), 31);
    if (p.features & MASK) options.mask = m.mask = new_mask(&m);
    OK(argand_field_create(&m.plan, device, &options));
    int64_t image_dims[4], sample_dims[2] = {p.samples, p.coils};
    for (int d = 0; d < p.rank; d++) image_dims[d] = p.n[d];
    image_dims[p.rank] = p.coils;
    OK(argand_array_create(&m.image, device, p.type, p.rank + 1, image_dims));
    OK(argand_array_create(&m.samples, device, p.type, 2, sample_dims));
    randomise(m.image, 40, 0, 0);
    randomise(m.samples, 41, 0, 0);
    return m;
}

static inline void unmake(made *m)
{
    argand_field_destroy(m->plan);
    for (int d = 0; d < 3; d++) {
        argand_array_destroy(m->k[d]);
        argand_array_destroy(m->gradient[d]);
    }
    argand_array *const others[] = {m->t, m->field, m->r2star, m->mask, m->image, m->samples};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) argand_array_destroy(others[i]);
}

static inline argand_array *like(const argand_array *array)
{
    argand_array *other;
    int64_t dims[ARGAND_MAX_RANK];
    for (int d = 0; d < argand_array_rank(array); d++) dims[d] = argand_array_dim(array, d);
    OK(argand_array_create(&other, device, argand_array_type(array), argand_array_rank(array), dims));
    return other;
}

/* ---- the truth ---- */

typedef struct truth {
    const made *m;
    double *k[3], *t, *field, *r2star, *gradient[3], *mask;
} truth;

static inline double *doubles_or_null(const argand_array *array)
{
    return array ? as_doubles(array) : NULL;
}

static inline truth truth_open(const made *m)
{
    truth u = {.m = m,
               .t = as_doubles(m->t),
               .field = doubles_or_null(m->field),
               .r2star = doubles_or_null(m->r2star),
               .mask = doubles_or_null(m->mask)};
    for (int d = 0; d < 3; d++) {
        u.k[d] = doubles_or_null(m->k[d]);
        u.gradient[d] = doubles_or_null(m->gradient[d]);
    }
    return u;
}

static inline void truth_close(truth *u)
{
    for (int d = 0; d < 3; d++) {
        free(u->k[d]);
        free(u->gradient[d]);
    }
    free(u->t);
    free(u->field);
    free(u->r2star);
    free(u->mask);
}

static inline long double true_sinc(long double x)
{
    const long double angle = 3.14159265358979323846264338328L * x;
    return angle == 0 ? 1 : sinl(angle) / angle;
}

/* B exp(-R t) exp(-i phase) of sample j and pixel n */
static inline double complex true_pair(const truth *u, int64_t j, int64_t pixel)
{
    const problem *p = &u->m->p;
    if (u->mask && u->mask[pixel] == 0) return 0;
    long double turns = 0, amplitude = 1;
    int64_t rest = pixel;
    for (int d = 0; d < p->rank; d++) {
        const int64_t place = rest % p->n[d];
        rest /= p->n[d];
        const long double rate = (long double)u->k[d][j] / (long double)p->n[d];
        turns += rate * (long double)(place - p->n[d] / 2);
        if (p->features & (VOXEL | GRADIENTS))
            amplitude *=
                true_sinc(rate + (u->gradient[d] ? (long double)u->gradient[d][pixel] * u->t[j] : 0));
    }
    if (u->field) turns += (long double)u->field[pixel] * u->t[j] / 6.28318530717958647692528676656L;
    if (u->r2star) amplitude *= expl(-(long double)u->r2star[pixel] * u->t[j]);
    turns -= rintl(turns);
    const long double angle = 6.28318530717958647692528676656L * turns;
    return (double)(amplitude * cosl(angle)) - I * (double)(amplitude * sinl(angle));
}

/* Relative l2 error of `got`, which holds what apply made of the image, at every `step`-th sample. */
static inline double forward_error(const made *m, const argand_array *got_array, int64_t step)
{
    truth u = truth_open(m);
    double *image = as_doubles(m->image), *got = as_doubles(got_array), wrong = 0, norm = 0;
    double complex *sum = calloc((size_t)m->p.coils, sizeof *sum);
    for (int64_t j = 0; j < m->p.samples; j += step) {
        for (int64_t c = 0; c < m->p.coils; c++) sum[c] = 0;
        for (int64_t n = 0; n < m->pixels; n++) {
            const double complex pair = true_pair(&u, j, n);
            for (int64_t c = 0; c < m->p.coils; c++) {
                const double *pixel = image + 2 * (n + c * m->pixels);
                sum[c] += pair * (pixel[0] + I * pixel[1]);
            }
        }
        for (int64_t c = 0; c < m->p.coils; c++) {
            const double *s = got + 2 * (j + c * m->p.samples);
            const double difference = cabs(s[0] + I * s[1] - sum[c]);
            wrong += difference * difference;
            norm += creal(sum[c] * conj(sum[c]));
        }
    }
    free(sum);
    free(got);
    free(image);
    truth_close(&u);
    return sqrt(wrong / norm);
}

/* The same for what adjoint made of the samples, at every `step`-th pixel. */
static inline double adjoint_error(const made *m, const argand_array *got_array, int64_t step)
{
    truth u = truth_open(m);
    double *samples = as_doubles(m->samples), *got = as_doubles(got_array), wrong = 0, norm = 0;
    double complex *sum = calloc((size_t)m->p.coils, sizeof *sum);
    for (int64_t n = 0; n < m->pixels; n += step) {
        for (int64_t c = 0; c < m->p.coils; c++) sum[c] = 0;
        for (int64_t j = 0; j < m->p.samples; j++) {
            const double complex pair = conj(true_pair(&u, j, n));
            for (int64_t c = 0; c < m->p.coils; c++) {
                const double *s = samples + 2 * (j + c * m->p.samples);
                sum[c] += pair * (s[0] + I * s[1]);
            }
        }
        for (int64_t c = 0; c < m->p.coils; c++) {
            const double *pixel = got + 2 * (n + c * m->pixels);
            const double difference = cabs(pixel[0] + I * pixel[1] - sum[c]);
            wrong += difference * difference;
            norm += creal(sum[c] * conj(sum[c]));
        }
    }
    free(sum);
    free(got);
    free(samples);
    truth_close(&u);
    return sqrt(wrong / norm);
}

#endif
