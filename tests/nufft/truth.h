/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact sums in double, kinds of points, and plans made from one line: shared by the tests of the NUFFT. */
#ifndef TESTS_NUFFT_TRUTH_H
#define TESTS_NUFFT_TRUTH_H

#include "harness.h"

#include "device/device.h"

static const double two_pi = 6.283185307179586476925;

typedef enum point_kind { UNIFORM, RADIAL, SPIRAL, CLUSTERED, EDGE, MIDDLE, KINDS } point_kind;
static const char *const kind_names[KINDS] = {"uniform", "radial", "spiral", "clustered", "edge", "middle"};

typedef struct problem {
    argand_type type;
    int rank;
    int64_t n[3];
    double tolerance, oversampling;
    point_kind kind;
    int64_t count, vectors;
    int threads;
    bool every_pixel;
    double fall; /* each vector of inputs is so many times the one before; 0: all are alike */
} problem;

typedef struct made {
    argand_array *k[3], *image, *samples;
    double *at[3]; /* positions as k has them */
    argand_nufft *plan;
    argand_nufft_info info;
} made;

static int is_double(const problem *p)
{
    return p->type == ARGAND_C64;
}

/* Coordinate of point j on an axis of n pixels; the EDGE kind lies on -n/2 and n/2 exactly, within a cell of
 * them, and periods beyond. */
static inline double position(enum point_kind which, int64_t j, int64_t count, int axis, double n,
                              random_state *random)
{
    const double t = (double)j / (double)count, uniform = random_uniform(random);
    const double angle = two_pi * (which == RADIAL ? floor(t * 13) / 13 : 9 * t);
    const double radius = which == RADIAL ? fmod(t * 13, 1) - 0.5 : 0.5 * t;
    switch (which) {
    case RADIAL:
    case SPIRAL:
        return n * radius * (axis == 0 ? cos(angle) : axis == 1 ? sin(angle) : 2 * t - 1);
    case CLUSTERED: { /* 25 clusters smaller than a grid cell */
        random_state centre = {(uint64_t)(j % 25 * 3 + axis)};
        return n * (random_uniform(&centre) - 0.5) + 0.3 * uniform;
    }
    case EDGE: {
        static const double places[] = {-0.5, 0.5, 0.5, -0.5, 1.5, -3.5};
        const double offset = j % 3 == 0 ? 0 : j % 3 == 1 ? uniform - 0.5 : 0.01 * uniform;
        return places[(j / 3 + axis * (1 + j / 7)) % 6] * n + offset;
    }
    case MIDDLE: /* most of the grid has no point */
        return 4 * uniform - 2;
    default:
        return n * (uniform - 0.5);
    }
}

/* Of a line of a table: rank, n */
static inline problem problem_of(const int64_t shape[4], argand_type type, double tolerance, point_kind kind,
                                 int64_t count, int64_t vectors)
{
    return (problem){.type = type,
                     .rank = (int)shape[0],
                     .n = {shape[1], shape[2], shape[3]},
                     .tolerance = tolerance,
                     .kind = kind,
                     .count = count,
                     .vectors = vectors,
                     .threads = 1};
}

static inline argand_array *like(const argand_array *a)
{
    int64_t dims[ARGAND_MAX_RANK];
    argand_array *twin;
    for (int axis = 0; axis < argand_array_rank(a); axis++) dims[axis] = argand_array_dim(a, axis);
    OK(argand_array_create(&twin, device, argand_array_type(a), argand_array_rank(a), dims));
    return twin;
}

/* ARGAND_TEST_GENERAL: plans have the kernels with which cold plans begin. */
static inline void take_general_kernels(void)
{
    device_traits traits = *device_traits_of(device);
    if (traits.rehearses_first || !getenv("ARGAND_TEST_GENERAL")) return;
    traits.rehearses_first = true;
    argand_test_device_traits(device, &traits);
}

static inline made make(const problem *p)
{
    made m = {0};
    take_general_kernels();
    const argand_type real = is_double(p) ? ARGAND_R64 : ARGAND_R32;
    int64_t dims[4] = {p->n[0], p->n[1], p->n[2]};
    dims[p->rank] = p->vectors;
    random_state random = {77};
    for (int axis = 0; axis < p->rank; axis++) {
        OK(argand_array_create(&m.k[axis], device, real, 1, &p->count));
        double *value = malloc((size_t)p->count * sizeof *value);
        assert_non_null(value);
        for (int64_t j = 0; j < p->count; j++) {
            value[j] = position(p->kind, j, p->count, axis, (double)p->n[axis], &random);
            if (!is_double(p)) ((float *)value)[j] = (float)value[j];
        }
        OK(argand_array_upload(m.k[axis], value));
        free(value);
        m.at[axis] = as_doubles(m.k[axis]);
    }
    OK(argand_array_create(&m.image, device, p->type, p->rank + 1, dims));
    OK(argand_array_create(&m.samples, device, p->type, 2, (int64_t[]){p->count, p->vectors}));
    OK(argand_device_set_threads(device, p->threads));
    OK(argand_nufft_create(&m.plan, device,
                           &(argand_nufft_options){.type = p->type,
                                                   .rank = p->rank,
                                                   .n = {p->n[0], p->n[1], p->n[2]},
                                                   .tolerance = p->tolerance,
                                                   .oversampling = p->oversampling,
                                                   .every_pixel = p->every_pixel}));
    OK(argand_nufft_set_points(m.plan, m.k));
    argand_nufft_describe(m.plan, &m.info);
    return m;
}

static inline void unmake(made *m)
{
    argand_nufft_destroy(m->plan);
    argand_array_destroy(m->samples);
    argand_array_destroy(m->image);
    for (int axis = 0; axis < 3; axis++) {
        argand_array_destroy(m->k[axis]);
        free(m->at[axis]);
    }
}

/* exp(sign 2 pi i k r) for each pixel of an axis; r = (x - floor(n/2)) / n. The phase's whole turns are taken
 * off before they cost digits: k x is exact enough as (k mod n) x for the numbers used here. */
static inline void phasors(double complex *out, int64_t n, double k, double sign)
{
    for (int64_t x = 0; x < n; x++) {
        const long double turns = (long double)k * (long double)(x - n / 2) / (long double)n;
        const double phase = (double)(turns - rintl(turns)) * two_pi;
        out[x] = CMPLX(cos(phase), sign * sin(phase));
    }
}

static inline double coordinate(const made *m, int axis, int64_t j)
{
    return m->at[axis] ? m->at[axis][j] : 0;
}

/* Of an array in host memory */
static inline double point(const argand_array *k, int64_t j)
{
    if (!k) return 0;
    return argand_array_type(k) == ARGAND_R64 ? ((const double *)argand_array_data(k))[j]
                                              : (double)((const float *)argand_array_data(k))[j];
}

/* Calls for each pixel of each point: forward adds to samples, else to the image. One vector. */
static inline void exact(const problem *p, const made *m, double complex *image, double complex *samples,
                         int forward)
{
    const int64_t nx = p->n[0], ny = p->rank > 1 ? p->n[1] : 1, nz = p->rank > 2 ? p->n[2] : 1;
    double complex *ex = malloc((size_t)(nx + ny + nz) * sizeof *ex), *ey = ex + nx, *ez = ey + ny;
    assert_non_null(ex);
    for (int64_t j = 0; j < p->count; j++) {
        const double sign = forward ? -1 : 1;
        phasors(ex, nx, coordinate(m, 0, j), sign);
        phasors(ey, ny, coordinate(m, 1, j), sign);
        phasors(ez, nz, coordinate(m, 2, j), sign);
        for (int64_t z = 0; z < nz; z++)
            for (int64_t y = 0; y < ny; y++) {
                const double complex outer = ey[y] * ez[z];
                double complex *row = image + (z * ny + y) * nx;
                double complex sum = 0;
                if (forward) {
                    for (int64_t x = 0; x < nx; x++) sum += row[x] * ex[x];
                    samples[j] += sum * outer;
                } else {
                    const double complex factor = samples[j] * outer;
                    for (int64_t x = 0; x < nx; x++) row[x] += factor * ex[x];
                }
            }
    }
    free(ex);
}

typedef struct errors {
    double forward, adjoint; /* relative l2, the worst vector */
} errors;

/* Random vectors, each of which is `fall` times the one before where that is not 0 */
static inline void fill_vectors(argand_array *array, uint64_t seed, double fall)
{
    const int last = argand_array_rank(array) - 1;
    randomise(array, seed, 0, 0);
    for (int64_t v = 1; v < argand_array_dim(array, last) && fall != 0; v++) {
        argand_array *vector;
        OK(argand_array_part(&vector, array, last, v, 1));
        OK(argand_array_scale(vector, (argand_scalar){pow(fall, (double)v), 0}));
        argand_array_destroy(vector);
    }
}

/* Both types against exact sums; every `step`-th vector is checked. */
static inline errors measure(const problem *p, const made *m, int64_t step)
{
    errors e = {0};
    const int64_t pixels = argand_array_count(m->image) / p->vectors;
    for (int forward = 1; forward >= 0; forward--) {
        fill_vectors(m->image, 5, p->fall);
        fill_vectors(m->samples, 6, p->fall);
        double *in = as_doubles(forward ? m->image : m->samples);
        if (forward)
            OK(argand_nufft_apply(m->plan, m->samples, m->image));
        else
            OK(argand_nufft_adjoint(m->plan, m->image, m->samples));
        double *out = as_doubles(forward ? m->samples : m->image);
        const int64_t in_count = forward ? pixels : p->count, out_count = forward ? p->count : pixels;
        double complex *sum = malloc((size_t)out_count * sizeof *sum);
        assert_non_null(sum);
        for (int64_t v = 0; v < p->vectors; v += step) {
            double complex *input = (double complex *)(in + 2 * v * in_count);
            memset(sum, 0, (size_t)out_count * sizeof *sum);
            exact(p, m, forward ? input : sum, forward ? sum : input, forward);
            const double error =
                relative_error(out + 2 * v * out_count, (const double *)sum, 2 * (size_t)out_count);
            double *worst = forward ? &e.forward : &e.adjoint;
            *worst = fmax(*worst, error); /* NaN is caught by the caller, who wants a finite result */
            if (!isfinite(error)) *worst = INFINITY;
        }
        free(sum);
        free(out);
        free(in);
    }
    return e;
}

static inline void print_problem(const problem *p, const made *m, errors e)
{
    char text[256];
    argand_nufft_print(m->plan, text, sizeof text);
    printf("%-9s vectors %lld error %.2e %.2e  %s\n", kind_names[p->kind], (long long)p->vectors, e.forward,
           e.adjoint, text);
}

/* The limit is the asked tolerance. Where rounding alone is larger than that (expected_error says so), it is
 * the reported error: that is what the plan promises. */
static inline void check_reached(const problem *p)
{
    made m = make(p);
    const errors e = measure(p, &m, p->vectors > 4 ? p->vectors - 1 : 1);
    const double limit = fmax(p->tolerance, m.info.expected_error);
    if (getenv("VERBOSE") || !(e.forward <= limit) || !(e.adjoint <= limit)) print_problem(p, &m, e);
    CHECK_BELOW(e.forward, limit);
    CHECK_BELOW(e.adjoint, limit);
    unmake(&m);
}

/* |<Ax, y> - <x, A^H y>| <= limit ||Ax|| ||y||: both directions use the same weights and factors, so only
 * rounding differs. 1e-5 and 1e-12 are the project's limits for every operator (docs of conventions). */
static inline void check_pair(const argand_array *ax, const argand_array *y, const argand_array *x,
                              const argand_array *ahy)
{
    argand_scalar left, right;
    double norm_ax, norm_y;
    OK(argand_array_dot(&left, ax, y));
    OK(argand_array_dot(&right, x, ahy));
    OK(argand_array_norm(&norm_ax, ax));
    OK(argand_array_norm(&norm_y, y));
    CHECK_BELOW(hypot(left.re - right.re, left.im - right.im) / (norm_ax * norm_y),
                argand_array_type(x) == ARGAND_C64 ? 1e-12 : 1e-5);
}

static inline void check_adjoint_of(const made *m)
{
    argand_array *ax = like(m->samples), *ahy = like(m->image);
    randomise(m->image, 3, 0, 0);
    randomise(m->samples, 4, 0, 0);
    OK(argand_nufft_apply(m->plan, ax, m->image));
    OK(argand_nufft_adjoint(m->plan, ahy, m->samples));
    check_pair(ax, m->samples, m->image, ahy);
    argand_array_destroy(ahy);
    argand_array_destroy(ax);
}

static inline void check_adjoint(const problem *p)
{
    made m = make(p);
    check_adjoint_of(&m);
    unmake(&m);
}

#endif
