/* SPDX-License-Identifier: BSD-3-Clause */
/* The segmented NUFFT against the plain sum over all pixels in double, its adjoint, its batches, its
 * refusals. */
#include "dense.h"
#include "op/segmented.h"

static const double two_pi = 6.283185307179586;

typedef struct trial {
    argand_type type;
    int rank;
    int64_t n[3], samples, vectors;
    argand_interpolator interpolator;
    bool frequency, decay, mask, real;
    double tolerance;
} trial;

/* What a trial is made of, on the host in the numbers that the device has, and its operator. */
typedef struct made {
    trial p;
    int64_t pixels;
    double *k[3], *t, *w, *decay, *mask;
    argand_segments_info info;
    argand_op *op;
} made;

static argand_array *uniform(const trial *p, int64_t count, double low, double high, uint64_t seed,
                             double **host)
{
    argand_array *array = ARRAY(p->type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32, count);
    randomise(array, seed, low, high);
    *host = as_doubles(array);
    return array;
}

/* About two thirds are 1. */
static argand_array *some(int64_t count, double **host)
{
    argand_array *array = ARRAY(ARGAND_R64, count);
    random_state state = {9};
    *host = malloc((size_t)count * sizeof **host);
    for (int64_t i = 0; i < count; i++) (*host)[i] = random_uniform(&state) < 0.66;
    OK(argand_array_upload(array, *host));
    return array;
}

static argand_nufft *plan_of(made *m)
{
    const trial *p = &m->p;
    argand_nufft *plan;
    argand_array *k[3] = {0};
    argand_nufft_options options = {.type = p->type,
                                    .rank = p->rank,
                                    .real_image = p->real,
                                    .tolerance = p->type == ARGAND_C64 ? 1e-11 : 2e-6};
    for (int d = 0; d < p->rank; d++) {
        options.n[d] = p->n[d];
        k[d] =
            uniform(p, p->samples, -0.5 * (double)p->n[d], 0.5 * (double)p->n[d], 10 + (uint64_t)d, &m->k[d]);
    }
    OK(argand_nufft_create(&plan, device, &options));
    OK(argand_nufft_set_points(plan, k));
    for (int d = 0; d < p->rank; d++) argand_array_destroy(k[d]);
    return plan;
}

/* +-120 Hz, 2 to 27 ms in random order, up to 60 1/s. */
static argand_segments *segments_of(made *m)
{
    const trial *p = &m->p;
    argand_segments *segments;
    argand_array *t = uniform(p, p->samples, 0.002, 0.027, 20, &m->t),
                 *w = uniform(p, m->pixels, -120 * two_pi, 120 * two_pi, 21, &m->w), *decay = NULL,
                 *mask = NULL;
    if (p->decay) decay = uniform(p, m->pixels, 5, 60, 22, &m->decay);
    if (p->mask) mask = some(m->pixels, &m->mask);
    OK(argand_segments_create(&segments, device,
                              &(argand_segments_options){.type = p->type,
                                                         .interpolator = p->interpolator,
                                                         .frequency = p->frequency,
                                                         .tolerance = p->tolerance,
                                                         .t = t,
                                                         .field_map = w,
                                                         .r2star = decay,
                                                         .mask = mask}));
    argand_segments_describe(segments, &m->info);
    argand_array_destroy(t);
    argand_array_destroy(w);
    argand_array_destroy(decay);
    argand_array_destroy(mask);
    return segments;
}

static made make(trial p)
{
    made m = {.p = p, .pixels = 1};
    for (int d = 0; d < p.rank; d++) m.pixels *= p.n[d];
    argand_segments *segments = segments_of(&m);
    OK(argand_op_segmented(&m.op, device, plan_of(&m), segments, p.vectors));
    argand_segments_destroy(segments);
    return m;
}

static void unmake(made *m)
{
    for (int d = 0; d < 3; d++) free(m->k[d]);
    free(m->t);
    free(m->w);
    free(m->decay);
    free(m->mask);
    argand_op_destroy(m->op);
}

static double complex pair(const made *m, int64_t j, int64_t pixel)
{
    if (m->mask && m->mask[pixel] == 0) return 0;
    double turns = m->w[pixel] * m->t[j] / two_pi;
    int64_t rest = pixel;
    for (int d = 0; d < m->p.rank; d++) {
        const int64_t n = m->p.n[d];
        turns += m->k[d][j] * (double)(rest % n - n / 2) / (double)n;
        rest /= n;
    }
    const double size = m->decay ? exp(-m->decay[pixel] * m->t[j]) : 1,
                 angle = two_pi * (turns - rint(turns));
    return CMPLX(size * cos(angle), -size * sin(angle));
}

/* Both directions' exact sums of x and y. */
static void exact(const made *m, const double *x, double complex *forward, const double *y,
                  double complex *adjoint)
{
    for (int64_t j = 0; j < m->p.samples; j++)
        for (int64_t n = 0; n < m->pixels; n++) {
            const double complex e = pair(m, j, n);
            for (int64_t v = 0; v < m->p.vectors; v++) {
                const int64_t at = n + v * m->pixels, to = j + v * m->p.samples;
                forward[to] += e * CMPLX(x[2 * at], x[2 * at + 1]);
                adjoint[at] += conj(e) * CMPLX(y[2 * to], y[2 * to + 1]);
            }
        }
}

static argand_array *random_of(const argand_shape *shape)
{
    return new_array(shape->type, shape->rank, shape->dims);
}

/* Random images and samples count all pairs alike, so the error of the sum is that of the exponential but for
 * the luck of the draw: half as much again is allowed, and the plan's own error. */
static void compare(trial p)
{
    made m = make(p);
    const double limit = 1.5 * p.tolerance + (p.type == ARGAND_C64 ? 1e-10 : 5e-6);
    argand_array *x = random_of(argand_op_domain(m.op)), *y = random_of(argand_op_range(m.op)),
                 *to = random_of(argand_op_range(m.op)), *back = random_of(argand_op_domain(m.op));
    double error;
    randomise(x, 40, 0, 0);
    randomise(y, 41, 0, 0);
    double *xs = as_doubles(x), *ys = as_doubles(y);
    double complex *forward = calloc((size_t)(p.samples * p.vectors), sizeof *forward),
                   *adjoint = calloc((size_t)(m.pixels * p.vectors), sizeof *adjoint);
    exact(&m, xs, forward, ys, adjoint);
    OK(argand_op_apply(m.op, to, x));
    OK(argand_op_adjoint(m.op, back, y));
    double *tos = as_doubles(to), *backs = as_doubles(back);
    CHECK_BELOW(m.info.error, p.tolerance);
    CHECK_BELOW(relative_error(tos, (double *)forward, (size_t)(2 * p.samples * p.vectors)), limit);
    CHECK_BELOW(relative_error(backs, (double *)adjoint, (size_t)(2 * m.pixels * p.vectors)), limit);
    OK(argand_op_check(m.op, 3, 1, &error));
    CHECK_BELOW(error, p.type == ARGAND_C64 ? 1e-12 : 1e-5); /* what conventions.md promises */
    double *const numbers[] = {xs, ys, tos, backs};
    for (int i = 0; i < 4; i++) free(numbers[i]);
    free(forward);
    free(adjoint);
    argand_array *const arrays[] = {x, y, to, back};
    for (int i = 0; i < 4; i++) argand_array_destroy(arrays[i]);
    unmake(&m);
}

static void plane(void **state)
{
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++)
        for (int tight = 0; tight < 2; tight++)
            compare((trial){.type = is_double ? ARGAND_C64 : ARGAND_C32,
                            .rank = 2,
                            .n = {15, 22},
                            .samples = 301,
                            .vectors = 3,
                            .mask = tight,
                            .tolerance = tight ? (is_double ? 1e-8 : 1e-5) : 1e-3});
}

static void volume(void **state)
{
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++)
        compare((trial){.type = is_double ? ARGAND_C64 : ARGAND_C32,
                        .rank = 3,
                        .n = {9, 12, 5},
                        .samples = 257,
                        .vectors = 2,
                        .decay = true,
                        .mask = true,
                        .tolerance = is_double ? 1e-6 : 1e-4});
}

static void every_kind(void **state)
{
    (void)state;
    for (int kind = ARGAND_INTERPOLATE_LINEAR; kind <= ARGAND_INTERPOLATE_SVD; kind++)
        for (int frequency = 0; frequency < 2; frequency++)
            compare((trial){.type = ARGAND_C32,
                            .rank = 2,
                            .n = {14, 9},
                            .samples = 203,
                            .vectors = 1,
                            .interpolator = (argand_interpolator)kind,
                            .frequency = frequency,
                            .decay = kind == ARGAND_INTERPOLATE_SVD,
                            .tolerance = kind < ARGAND_INTERPOLATE_MINMAX ? 1e-2 : 1e-4});
}

static void line(void **state)
{
    (void)state;
    compare((trial){.type = ARGAND_C64,
                    .rank = 1,
                    .n = {131},
                    .samples = 190,
                    .vectors = 1,
                    .tolerance = 1e-5,
                    .decay = true});
}

/* However the work is cut into batches, the numbers are the same but for the rounding of a NUFFT in double.
 */
static void batches(void **state)
{
    (void)state;
    made m = make((trial){.type = ARGAND_C64,
                          .rank = 2,
                          .n = {11, 8},
                          .samples = 77,
                          .vectors = 5,
                          .tolerance = 1e-6,
                          .decay = true});
    argand_array *x = random_of(argand_op_domain(m.op)), *y = random_of(argand_op_range(m.op));
    const size_t each = 16 * (size_t)(m.pixels + m.p.samples), terms = (size_t)m.info.terms;
    const size_t bytes[] = {0, 2 * terms * each, terms * each, (terms - 1) * each, 9 * each, each, 1};
    double *whole[2] = {NULL, NULL};
    assert_true(terms > 9);
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        argand_test_segmented_bytes(bytes[i]);
        randomise(x, 50, 0, 0);
        OK(argand_op_apply(m.op, y, x));
        double *forward = as_doubles(y);
        OK(argand_op_adjoint(m.op, x, y));
        double *adjoint = as_doubles(x);
        if (i == 0) {
            whole[0] = forward;
            whole[1] = adjoint;
            continue;
        }
        CHECK_BELOW(relative_error(forward, whole[0], (size_t)(2 * m.p.samples * m.p.vectors)), 1e-12);
        CHECK_BELOW(relative_error(adjoint, whole[1], (size_t)(2 * m.pixels * m.p.vectors)), 1e-12);
        free(forward);
        free(adjoint);
    }
    argand_test_segmented_bytes(0);
    free(whole[0]);
    free(whole[1]);
    argand_array_destroy(x);
    argand_array_destroy(y);
    unmake(&m);
}

/* Nothing crosses between host and device, once a first call has made what it needs. */
static void crossings(void **state)
{
    (void)state;
    argand_device_info info;
    made m = make(
        (trial){.type = ARGAND_C32, .rank = 2, .n = {11, 8}, .samples = 77, .vectors = 3, .tolerance = 1e-3});
    argand_array *x = random_of(argand_op_domain(m.op)), *y = random_of(argand_op_range(m.op));
    OK(argand_device_describe(device, &info));
    if (!info.host_addressable) setenv("ARGAND_FFT_ENGINE", "fused", 1); /* not the host's, of processors */
    randomise(x, 70, 0, 0);
    for (int i = 0; i < 4; i++) {
        const argand_transfers before = argand_device_transfers(device);
        OK(i & 1 ? argand_op_adjoint(m.op, x, y) : argand_op_apply(m.op, y, x));
        const argand_transfers after = argand_device_transfers(device);
        if (i < 2) continue;
        assert_true(after.uploads == before.uploads && after.downloads == before.downloads);
    }
    unsetenv("ARGAND_FFT_ENGINE");
    argand_array_destroy(x);
    argand_array_destroy(y);
    unmake(&m);
}

/* Masked pixels are read as 0, whatever is there, and written as 0. */
static void mask(void **state)
{
    (void)state;
    made m = make((trial){.type = ARGAND_C64,
                          .rank = 2,
                          .n = {11, 8},
                          .samples = 77,
                          .vectors = 1,
                          .tolerance = 1e-3,
                          .mask = true});
    argand_array *x = random_of(argand_op_domain(m.op)), *y = random_of(argand_op_range(m.op));
    randomise(y, 60, 0, 0);
    OK(argand_op_adjoint(m.op, x, y));
    double *numbers = as_doubles(x);
    int outside = 0;
    for (int64_t i = 0; i < m.pixels; i++) {
        if (m.mask[i] != 0) {
            numbers[2 * i] = numbers[2 * i + 1] = 0;
            continue;
        }
        outside++;
        assert_true(numbers[2 * i] == 0 && numbers[2 * i + 1] == 0);
        numbers[2 * i] = 1000;
    }
    assert_true(outside > 10);
    double norm;
    OK(argand_array_upload(x, numbers));
    OK(argand_op_apply(m.op, y, x));
    OK(argand_array_norm(&norm, y));
    assert_true(norm == 0);
    free(numbers);
    argand_array_destroy(x);
    argand_array_destroy(y);
    unmake(&m);
}

/* |a - b| / |b|; a is overwritten. */
static double difference(argand_array *a, const argand_array *b)
{
    double error, norm;
    OK(argand_array_axpby(a, (argand_scalar){-1, 0}, b, (argand_scalar){1, 0}));
    OK(argand_array_norm(&error, a));
    OK(argand_array_norm(&norm, b));
    return error / norm;
}

static argand_array *line_of(argand_array *array)
{
    argand_array *view;
    OK(argand_array_reshape(&view, array, 1, (const int64_t[1]){argand_array_count(array)}));
    argand_array_destroy(array);
    return view;
}

/* A head in a head's field along a spiral, against the exact DFT: samples, and the conjugate-phase image. An
 * image's energy is not spread evenly over pixels and times as the error's mean is: up to three times the
 * tolerance were seen (docs/internals/segments.md). */
static void head(void **state)
{
    (void)state;
    const int64_t n[3] = {47, 52, 1};
    argand_array *k[3], *t, *w = ARRAY(ARGAND_R64, 47, 52), *x = ARRAY(ARGAND_C64, 47, 52, 1);
    argand_segments *segments;
    argand_nufft *plan;
    argand_field *field;
    argand_op *op, *exact;
    OK(argand_trajectory_make(
        k, &t, device, ARGAND_R64,
        &(argand_trajectory_options){.kind = ARGAND_SPIRAL, .n = {47, 52}, .readout = 0.02, .echo = 0.03}));
    for (int d = 0; d < 2; d++) k[d] = line_of(k[d]);
    t = line_of(t);
    OK(argand_fieldmap_head(w, 150 * two_pi));
    OK(argand_phantom_image(x, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_segments_create(
        &segments, device,
        &(argand_segments_options){.type = ARGAND_C64, .tolerance = 1e-3, .t = t, .field_map = w}));
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = ARGAND_C64, .rank = 2, .n = {n[0], n[1]}}));
    OK(argand_nufft_set_points(plan, k));
    OK(argand_op_segmented(&op, device, plan, segments, 1));
    OK(argand_field_create(
        &field, device,
        &(argand_field_options){
            .type = ARGAND_C64, .rank = 2, .n = {n[0], n[1]}, .k = {k[0], k[1]}, .t = t, .field_map = w}));
    OK(argand_op_field(&exact, device, field, 1));
    argand_array *y = random_of(argand_op_range(op)), *wanted = random_of(argand_op_range(op)),
                 *back = random_of(argand_op_domain(op)), *wanted_back = random_of(argand_op_domain(op));
    OK(argand_op_apply(exact, wanted, x));
    OK(argand_op_adjoint(exact, wanted_back, wanted));
    OK(argand_op_apply(op, y, x));
    OK(argand_op_adjoint(op, back, wanted));
    CHECK_BELOW(difference(y, wanted), 3e-3);
    CHECK_BELOW(difference(back, wanted_back), 3e-3);
    argand_array *const arrays[] = {k[0], k[1], t, w, x, y, wanted, back, wanted_back};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    argand_segments_destroy(segments);
    argand_op_destroy(op);
    argand_op_destroy(exact);
}

static void refuses(void **state)
{
    (void)state;
    made m = {.p = {.type = ARGAND_C32, .rank = 2, .n = {8, 6}, .samples = 40, .tolerance = 1e-3},
              .pixels = 48};
    made other = {.p = {.type = ARGAND_C64, .rank = 2, .n = {8, 6}, .samples = 40, .tolerance = 1e-3},
                  .pixels = 48};
    argand_segments *segments = segments_of(&m), *wide = segments_of(&other);
    argand_op *op = NULL;
    argand_nufft *plan;
    FAILS(argand_op_segmented(&op, device, NULL, segments, 1), ARGAND_ARGUMENT, "no plan");
    FAILS(argand_op_segmented(&op, device, plan_of(&m), NULL, 1), ARGAND_ARGUMENT, "no segments");
    free(m.k[0]);
    free(m.k[1]);
    FAILS(argand_op_segmented(&op, device, plan_of(&m), wide, 1), ARGAND_ARGUMENT, "complex");
    free(m.k[0]);
    free(m.k[1]);
    FAILS(argand_op_segmented(NULL, device, plan_of(&m), segments, 1), ARGAND_ARGUMENT, "no place");
    free(m.k[0]);
    free(m.k[1]);
    FAILS(argand_op_segmented(&op, device, plan_of(&m), segments, 0), ARGAND_ARGUMENT, "0 vectors");
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {8, 6}}));
    FAILS(argand_op_segmented(&op, device, plan, segments, 1), ARGAND_ARGUMENT, "no points");
    free(m.k[0]);
    free(m.k[1]);
    m.p.real = true;
    FAILS(argand_op_segmented(&op, device, plan_of(&m), segments, 1), ARGAND_UNSUPPORTED,
          "without real_image");
    free(m.k[0]);
    free(m.k[1]);
    m.p.real = false;
    m.p.samples = 39;
    FAILS(argand_op_segmented(&op, device, plan_of(&m), segments, 1), ARGAND_ARGUMENT,
          "48 pixels and 40 samples, the plan for 48 and 39");
    argand_segments_destroy(segments);
    argand_segments_destroy(wide);
    unmake(&m);
    unmake(&other);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plane), cmocka_unit_test(volume),  cmocka_unit_test(every_kind),
    cmocka_unit_test(line),  cmocka_unit_test(batches), cmocka_unit_test(crossings),
    cmocka_unit_test(mask),  cmocka_unit_test(head),    cmocka_unit_test(refuses)};
RUN_TESTS(tests)
