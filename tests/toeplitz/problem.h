/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems for Toeplitz normal operators with the truth A^H W A by plain sums in double. */
#ifndef TESTS_TOEPLITZ_PROBLEM_H
#define TESTS_TOEPLITZ_PROBLEM_H

#include "harness.h"

enum { WEIGHTS = 1, FIELD = 2, DECAY = 4, MASK = 8, PHASES = 16 };

typedef struct problem {
    argand_type type;
    int rank;
    int64_t n[3], samples, coils; /* coils: vectors, or with maps those of the maps */
    int features, shots, maps;
    double tolerance;
} problem;

typedef struct made {
    problem p;
    int64_t pixels;
    argand_array *k[3], *weights, *t, *field, *decay, *mask, *phases, *maps;
    argand_toeplitz *toeplitz;
} made;

static inline argand_array *reals(const problem *p, int rank, const int64_t *dims, double low, double high,
                                  uint64_t seed)
{
    argand_array *array;
    OK(argand_array_create(&array, device, p->type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32, rank, dims));
    randomise(array, seed, low, high);
    return array;
}

static inline argand_array *some_mask(const problem *p)
{
    argand_array *mask = reals(p, p->rank, p->n, 0, 1, 31);
    double *values = as_doubles(mask);
    float *floats = (float *)values;
    const int64_t count = argand_array_count(mask);
    for (int64_t i = 0; i < count; i++) {
        const double in = values[i] < 0.7 || i == count / 2;
        if (p->type == ARGAND_C64)
            values[i] = in;
        else
            floats[i] = (float)in;
    }
    OK(argand_array_upload(mask, values));
    free(values);
    return mask;
}

static inline argand_toeplitz_options options_of(const made *m)
{
    const problem *p = &m->p;
    argand_toeplitz_options o = {.type = p->type,
                                 .rank = p->rank,
                                 .weights = m->weights,
                                 .t = m->t,
                                 .field_map = m->field,
                                 .r2star = m->decay,
                                 .mask = m->mask,
                                 .phase_maps = m->phases,
                                 .shots = p->shots,
                                 .tolerance = p->tolerance};
    for (int d = 0; d < p->rank; d++) {
        o.n[d] = p->n[d];
        o.k[d] = m->k[d];
    }
    return o;
}

/* Fields of +-150 Hz over 10 ms from an echo time of 5 ms on; R2* up to 60 / s; any phases. */
static inline made make(problem p)
{
    made m = {.p = p, .pixels = 1};
    int64_t with_shots[4] = {0};
    for (int d = 0; d < p.rank; d++) {
        const double edge = 0.55 * (double)p.n[d];
        m.pixels *= with_shots[d] = p.n[d];
        m.k[d] = reals(&p, 1, &p.samples, -edge, edge, 10 + (uint64_t)d);
    }
    with_shots[p.rank] = p.shots;
    if (p.features & WEIGHTS) m.weights = reals(&p, 1, &p.samples, 0, 2, 20);
    if (p.features & (FIELD | DECAY)) m.t = reals(&p, 1, &p.samples, 0.005, 0.015, 21);
    if (p.features & FIELD) m.field = reals(&p, p.rank, p.n, -900, 900, 22);
    if (p.features & DECAY) m.decay = reals(&p, p.rank, p.n, 0, 60, 23);
    if (p.features & MASK) m.mask = some_mask(&p);
    if (p.features & PHASES) m.phases = reals(&p, p.rank + 1, with_shots, -3, 3, 24);
    if (p.maps) {
        with_shots[p.rank] = p.coils;
        OK(argand_array_create(&m.maps, device, p.type, p.rank + 1, with_shots));
        randomise(m.maps, 25, 0, 0);
    }
    const argand_toeplitz_options o = options_of(&m);
    OK(argand_toeplitz_create(&m.toeplitz, device, &o));
    return m;
}

static inline void unmake(made *m)
{
    argand_array *const all[] = {m->k[0],  m->k[1],  m->k[2], m->weights, m->t,
                                 m->field, m->decay, m->mask, m->phases,  m->maps};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) argand_array_destroy(all[i]);
    argand_toeplitz_destroy(m->toeplitz);
}

static inline double *doubles_or_null(const argand_array *array)
{
    return array ? as_doubles(array) : NULL;
}

/* Rows of A, {samples} of {pixels}, times the root of the weights. */
static inline double complex *matrix(const made *m)
{
    const problem *p = &m->p;
    double *k[3] = {0}, *w = doubles_or_null(m->weights), *t = doubles_or_null(m->t),
           *field = doubles_or_null(m->field), *decay = doubles_or_null(m->decay),
           *mask = doubles_or_null(m->mask), *phases = doubles_or_null(m->phases);
    const int64_t per_shot = p->samples / (p->shots ? p->shots : 1);
    double complex *a = malloc((size_t)(p->samples * m->pixels) * sizeof *a);
    assert_non_null(a);
    for (int d = 0; d < p->rank; d++) k[d] = as_doubles(m->k[d]);
    for (int64_t j = 0; j < p->samples; j++)
        for (int64_t i = 0; i < m->pixels; i++) {
            double turns = 0, size = w ? sqrt(w[j]) : 1, phase = 0;
            int64_t rest = i;
            for (int d = 0; d < p->rank; d++) {
                turns += k[d][j] * (double)(rest % p->n[d] - p->n[d] / 2) / (double)p->n[d];
                rest /= p->n[d];
            }
            phase = -6.283185307179586476925 * turns;
            if (field) phase -= field[i] * t[j];
            if (phases) phase += phases[j / per_shot * m->pixels + i];
            if (decay) size *= exp(-decay[i] * t[j]);
            if (mask && mask[i] == 0) size = 0;
            a[j * m->pixels + i] = size * cexp(I * phase);
        }
    double *const all[] = {k[0], k[1], k[2], w, t, field, decay, mask, phases};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    return a;
}

/* y += conj(s) A^H A (s x); s may be NULL */
static inline void add_normal(double complex *y, const made *m, const double complex *a,
                              const double complex *x, const double complex *s)
{
    for (int64_t j = 0; j < m->p.samples; j++) {
        const double complex *row = a + j * m->pixels;
        double complex sample = 0;
        for (int64_t i = 0; i < m->pixels; i++) sample += row[i] * x[i] * (s ? s[i] : 1);
        for (int64_t i = 0; i < m->pixels; i++) y[i] += conj(row[i] * (s ? s[i] : 1)) * sample;
    }
}

static inline argand_op *operator_of(const made *m)
{
    argand_op *op;
    if (m->p.maps)
        OK(argand_op_sense_normal(&op, m->toeplitz, m->maps));
    else
        OK(argand_op_toeplitz(&op, device, m->toeplitz, m->p.coils));
    return op;
}

static inline argand_array *in_domain(const argand_op *op, uint64_t seed)
{
    const argand_shape *shape = argand_op_domain(op);
    argand_array *array;
    OK(argand_array_create(&array, device, shape->type, shape->rank, shape->dims));
    randomise(array, seed, 0, 0);
    return array;
}

/* Relative l2 error against the plain sums */
static inline double error_of(const made *m)
{
    argand_op *op = operator_of(m);
    argand_array *x = in_domain(op, 40), *y = in_domain(op, 41);
    const int64_t vectors = m->p.maps ? 1 : m->p.coils;
    double complex *a = matrix(m), *in = (double complex *)as_doubles(x),
                   *truth = calloc((size_t)(vectors * m->pixels), sizeof *truth),
                   *maps = (double complex *)doubles_or_null(m->maps);
    OK(argand_op_apply(op, y, x));
    double *got = as_doubles(y);
    for (int64_t c = 0; c < m->p.coils; c++) {
        const int64_t v = maps ? 0 : c;
        add_normal(truth + v * m->pixels, m, a, in + v * m->pixels, maps ? maps + c * m->pixels : NULL);
    }
    const double error = relative_error(got, (const double *)truth, 2 * (size_t)(vectors * m->pixels));
    void *const all[] = {a, in, truth, maps, got};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_op_destroy(op);
    return error;
}

#endif
