/* SPDX-License-Identifier: BSD-3-Clause */
/* A random problem of the field-corrected DFT, its plan, and the truth: the plain sum in long double. Arrays
 * are filled and read by upload and download alone, so that they may live on any device. */
#ifndef TESTS_FIELD_PROBLEM_H
#define TESTS_FIELD_PROBLEM_H

#include "precisions.h"

enum {
    FIELD = 1,
    DECAY = 2,
    GRADIENTS = 4,
    VOXEL = 8,
    MASK = 16,
    SHUFFLED = 32,
    SAME_TIMES = 64,
    SPARSE = 128
};

typedef struct problem {
    argand_type type;
    int rank;
    int64_t n[3], samples, coils;
    int features;
    double hertz, seconds, decay, slope,
        k_scale; /* ranges; 0 means 200 Hz, 20 ms, 30 1/s, 20 Hz per voxel, 1 */
    int terms;
    double term_turns, tolerance; /* largest phase of a term; 0 means 3 */
    uint64_t seed;
} problem;

typedef struct made {
    problem p;
    argand_field *plan;
    argand_array *k[3], *t, *field, *r2star, *gradient[3], *mask, *image, *samples;
    argand_array *term_time[ARGAND_FIELD_TERMS], *term_space[ARGAND_FIELD_TERMS];
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
    randomise(array, seed + m->p.seed, low, high);
    return array;
}

/* Uploads doubles to a real array of either precision. */
static inline void put_reals(argand_array *array, const double *values)
{
    const int64_t count = argand_array_count(array);
    float *floats = malloc((size_t)count * sizeof *floats);
    for (int64_t i = 0; i < count; i++) floats[i] = (float)values[i];
    OK(argand_array_upload(array, argand_array_type(array) == ARGAND_R64 ? (const void *)values
                                                                         : (const void *)floats));
    free(floats);
}

/* Times of a readout, rising; shuffled by a stride that visits every sample, or the same for many. */
static inline void set_times(const made *m)
{
    const int64_t samples = m->p.samples;
    double *times = malloc((size_t)samples * sizeof *times);
    for (int64_t j = 0; j < samples; j++) {
        const int64_t place = m->p.features & SHUFFLED     ? j * 7919 % samples
                              : m->p.features & SAME_TIMES ? j % 5 * samples / 5
                                                           : j;
        times[j] = 0.002 + either(m->p.seconds, 0.02) * (double)place / (double)samples;
    }
    put_reals(m->t, times);
    free(times);
}

/* About two thirds of the pixels are in, or (SPARSE) every 17th; at least one. */
static inline argand_array *new_mask(const made *m)
{
    argand_array *mask;
    double *in = malloc((size_t)m->pixels * sizeof *in);
    random_state state = {99 + m->p.seed};
    OK(argand_array_create(&mask, device, precision_count() > 1 ? ARGAND_R64 : ARGAND_R32, m->p.rank,
                           m->p.n));
    for (int64_t i = 0; i < m->pixels; i++)
        in[i] = m->p.features & SPARSE ? i % 17 == 0 : random_uniform(&state) < 0.66;
    in[m->pixels / 2] = 1;
    put_reals(mask, in);
    free(in);
    return mask;
}

static inline void make_terms(made *m, argand_field_options *options)
{
    const double most = 6.283185307179586 * either(m->p.term_turns, 3);
    options->terms = m->p.terms;
    for (int i = 0; i < m->p.terms; i++) {
        options->term_time[i] = m->term_time[i] =
            new_reals(m, 1, &m->p.samples, -most / 2, most / 2, 100 + (uint64_t)i);
        options->term_space[i] = m->term_space[i] = new_reals(m, m->p.rank, m->p.n, -2, 2, 200 + (uint64_t)i);
    }
}

static inline made make(problem p)
{
    made m = {.p = p, .pixels = 1};
    argand_field_options options = {
        .type = p.type, .rank = p.rank, .gradients = p.features & VOXEL, .tolerance = p.tolerance};
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
    set_times(&m);
    options.t = m.t;
    if (p.features & FIELD) options.field_map = m.field = new_reals(&m, p.rank, p.n, -w, w, 30);
    if (p.features & DECAY)
        options.r2star = m.r2star = new_reals(&m, p.rank, p.n, 0, either(p.decay, 30), 31);
    if (p.features & MASK) options.mask = m.mask = new_mask(&m);
    make_terms(&m, &options);
    OK(argand_field_create(&m.plan, device, &options));
    int64_t image_dims[4], sample_dims[2] = {p.samples, p.coils};
    for (int d = 0; d < p.rank; d++) image_dims[d] = p.n[d];
    image_dims[p.rank] = p.coils;
    OK(argand_array_create(&m.image, device, p.type, p.rank + 1, image_dims));
    OK(argand_array_create(&m.samples, device, p.type, 2, sample_dims));
    randomise(m.image, 40 + p.seed, 0, 0);
    randomise(m.samples, 41 + p.seed, 0, 0);
    return m;
}

static inline void unmake(made *m)
{
    argand_field_destroy(m->plan);
    for (int d = 0; d < 3; d++) {
        argand_array_destroy(m->k[d]);
        argand_array_destroy(m->gradient[d]);
    }
    for (int i = 0; i < m->p.terms; i++) {
        argand_array_destroy(m->term_time[i]);
        argand_array_destroy(m->term_space[i]);
    }
    argand_array *const others[] = {m->t, m->field, m->r2star, m->mask, m->image, m->samples};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) argand_array_destroy(others[i]);
}

/* The same shape and type, on another device or the same. */
static inline argand_array *like_on(argand_device *where, const argand_array *array)
{
    argand_array *other;
    int64_t dims[ARGAND_MAX_RANK];
    for (int d = 0; d < argand_array_rank(array); d++) dims[d] = argand_array_dim(array, d);
    OK(argand_array_create(&other, where, argand_array_type(array), argand_array_rank(array), dims));
    return other;
}

static inline argand_array *like(const argand_array *array)
{
    return like_on(device, array);
}

/* ---- the truth ---- */

typedef struct truth {
    const made *m;
    double *k[3], *t, *field, *r2star, *gradient[3], *mask;
    double *term_time[ARGAND_FIELD_TERMS], *term_space[ARGAND_FIELD_TERMS];
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
    for (int i = 0; i < m->p.terms; i++) {
        u.term_time[i] = as_doubles(m->term_time[i]);
        u.term_space[i] = as_doubles(m->term_space[i]);
    }
    return u;
}

static inline void truth_close(truth *u)
{
    for (int d = 0; d < 3; d++) {
        free(u->k[d]);
        free(u->gradient[d]);
    }
    for (int i = 0; i < u->m->p.terms; i++) {
        free(u->term_time[i]);
        free(u->term_space[i]);
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
    for (int i = 0; i < p->terms; i++)
        turns += (long double)u->term_time[i][j] * u->term_space[i][pixel] / 6.28318530717958647692528676656L;
    if (u->r2star) amplitude *= expl(-(long double)u->r2star[pixel] * u->t[j]);
    turns -= rintl(turns);
    const long double angle = 6.28318530717958647692528676656L * turns;
    return (double)(amplitude * cosl(angle)) - I * (double)(amplitude * sinl(angle));
}

/* One output's truth for each coil, and what its square would be on average if the phases were random. */
typedef struct expected {
    double complex *sum;
    double *square;
} expected;

static inline void add_pair(expected *e, int64_t coil, double complex pair, const double *value)
{
    const double complex part = pair * CMPLX(value[0], value[1]);
    e->sum[coil] += part;
    e->square[coil] += creal(part * conj(part));
}

/* Adds the square of what is wrong with one output, and the square that it is compared with: that of the
 * truth, or what random phases would give where this one happens to cancel more than that. */
static inline void compare_output(const expected *e, int64_t coil, const double *got, double *wrong,
                                  double *norm)
{
    const double complex sum = e->sum[coil], difference = CMPLX(got[0], got[1]) - sum;
    *wrong += creal(difference * conj(difference));
    *norm += fmax(creal(sum * conj(sum)), e->square[coil]);
}

static inline expected expected_new(int64_t coils)
{
    return (expected){malloc((size_t)coils * sizeof(double complex)), malloc((size_t)coils * sizeof(double))};
}

static inline void expected_clear(expected *e, int64_t coils)
{
    for (int64_t c = 0; c < coils; c++) e->sum[c] = e->square[c] = 0;
}

/* Relative l2 error of `got`, which holds what apply made of the image, at every `step`-th sample. */
static inline double forward_error(const made *m, const argand_array *got_array, int64_t step)
{
    truth u = truth_open(m);
    double *image = as_doubles(m->image), *got = as_doubles(got_array), wrong = 0, norm = 0;
    expected e = expected_new(m->p.coils);
    for (int64_t j = 0; j < m->p.samples; j += step) {
        expected_clear(&e, m->p.coils);
        for (int64_t n = 0; n < m->pixels; n++) {
            const double complex pair = true_pair(&u, j, n);
            for (int64_t c = 0; c < m->p.coils; c++) add_pair(&e, c, pair, image + 2 * (n + c * m->pixels));
        }
        for (int64_t c = 0; c < m->p.coils; c++)
            compare_output(&e, c, got + 2 * (j + c * m->p.samples), &wrong, &norm);
    }
    free(e.sum);
    free(e.square);
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
    expected e = expected_new(m->p.coils);
    for (int64_t n = 0; n < m->pixels; n += step) {
        expected_clear(&e, m->p.coils);
        for (int64_t j = 0; j < m->p.samples; j++) {
            const double complex pair = conj(true_pair(&u, j, n));
            for (int64_t c = 0; c < m->p.coils; c++)
                add_pair(&e, c, pair, samples + 2 * (j + c * m->p.samples));
        }
        for (int64_t c = 0; c < m->p.coils; c++)
            compare_output(&e, c, got + 2 * (n + c * m->pixels), &wrong, &norm);
    }
    free(e.sum);
    free(e.square);
    free(got);
    free(samples);
    truth_close(&u);
    return sqrt(wrong / norm);
}

/* ||Ax||^2 as random phases would give it: a few samples may happen to cancel far below that. */
static inline double expected_square(const made *m)
{
    truth u = truth_open(m);
    expected e = expected_new(m->p.coils);
    double *image = as_doubles(m->image), square = 0;
    expected_clear(&e, m->p.coils);
    for (int64_t j = 0; j < m->p.samples; j++)
        for (int64_t n = 0; n < m->pixels; n++) {
            const double complex pair = true_pair(&u, j, n);
            for (int64_t c = 0; c < m->p.coils; c++) add_pair(&e, c, pair, image + 2 * (n + c * m->pixels));
        }
    for (int64_t c = 0; c < m->p.coils; c++) square += e.square[c];
    free(image);
    free(e.sum);
    free(e.square);
    truth_close(&u);
    return square;
}

/* |<Ax, y> - <x, A^H y>| / (||Ax|| ||y||), in double on the host */
static inline double adjointness(const made *m, const argand_array *forward, const argand_array *adjoint)
{
    double *ax = as_doubles(forward), *y = as_doubles(m->samples), *x = as_doubles(m->image),
           *back = as_doubles(adjoint), norm_ax = 0, norm_y = 0;
    double complex apart = 0;
    for (int64_t i = 0; i < argand_array_count(forward); i++) {
        const double complex a = CMPLX(ax[2 * i], ax[2 * i + 1]), b = CMPLX(y[2 * i], y[2 * i + 1]);
        apart += conj(a) * b;
        norm_ax += creal(a * conj(a));
        norm_y += creal(b * conj(b));
    }
    for (int64_t i = 0; i < argand_array_count(adjoint); i++)
        apart -= CMPLX(x[2 * i], -x[2 * i + 1]) * CMPLX(back[2 * i], back[2 * i + 1]);
    double *const all[] = {ax, y, x, back};
    for (size_t i = 0; i < 4; i++) free(all[i]);
    if (m->p.samples < 16) norm_ax = fmax(norm_ax, expected_square(m));
    return cabs(apart) / sqrt(norm_ax * norm_y);
}

/* ---- devices ---- */

static inline bool on_cpu(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return !strcmp(info.backend, "cpu");
}

/* Relative l2 error that a result may have. The cpu: a phasor is right to about 2e-7 in single precision
 * (polynomials 7e-8, a phase of at most half a turn and a small increment 3e-8 turns), and random errors of
 * pairs average to that in the sum, so 1e-6 allows for a few roundings of the sums. In double the same
 * is 4e-16 per phasor; the phase of k = 128 at the edge of the image, 64 turns rounded once, adds 64
 * x 1.1e-16 x 2 pi = 4e-14, so 1e-13. Other devices may split numbers into halves for their matrix units:
 * 1e-5 and 1e-12 are what is asked of them. */
static inline double limit_of(argand_type type)
{
    if (on_cpu()) return type == ARGAND_C64 ? 1e-13 : 1e-6;
    return type == ARGAND_C64 ? 1e-12 : 1e-5;
}

static inline double adjoint_limit_of(argand_type type)
{
    return type == ARGAND_C64 ? (on_cpu() ? 1e-13 : 1e-12) : 1e-6;
}

/* Both directions against the plain sums, every so many outputs, and each other. */
static inline void check_sums(problem p, int64_t sample_step, int64_t pixel_step, double limit)
{
    made m = make(p);
    argand_array *forward = like(m.samples), *adjoint = like(m.image);
    OK(argand_field_apply(m.plan, forward, m.image));
    OK(argand_field_adjoint(m.plan, adjoint, m.samples));
    char text[256];
    argand_field_print(m.plan, text, sizeof text);
    const double error = forward_error(&m, forward, sample_step),
                 error_back = adjoint_error(&m, adjoint, pixel_step),
                 apart = adjointness(&m, forward, adjoint);
    printf("%s x %d: %.2g, %.2g, adjointness %.2g\n", text, (int)p.coils, error, error_back, apart);
    CHECK_BELOW(error, limit);
    CHECK_BELOW(error_back, limit);
    if (!p.tolerance) CHECK_BELOW(apart, adjoint_limit_of(p.type));
    argand_array_destroy(adjoint);
    argand_array_destroy(forward);
    unmake(&m);
}

/* Where kernels take a second each to compile (OpenCL on a CPU), one problem in forty must do, from all over,
 * and in the first tier one in 180; of others the first tier has one in seven. */
static inline bool taken(void)
{
    static int asked;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    const bool is_slow = !strcmp(info.backend, "opencl") || getenv("ARGAND_TEST_FEW");
    if (is_first_tier()) return in_round(asked++, is_slow ? 180 : 7);
    return !is_slow || asked++ % 40 == 0;
}

#endif
