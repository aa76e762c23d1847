/* SPDX-License-Identifier: BSD-3-Clause */
/* Toeplitz normal operators of a subspace of images against plain sums in double, against the pair of NUFFTs
 * whose samples are combined, and their refusals. */
#include "problem.h"

typedef struct subspace {
    problem p;
    int images;
    bool real; /* factors without imaginary parts */
    bool weighted;
} subspace;

static argand_array *factors_of(const subspace *s)
{
    argand_array *factors;
    const argand_type narrow = s->real ? ARGAND_R32 : ARGAND_C32, wide = s->real ? ARGAND_R64 : ARGAND_C64;
    OK(argand_array_create(&factors, device, s->p.type == ARGAND_C64 ? wide : narrow, 2,
                           (const int64_t[2]){s->p.samples, s->images}));
    randomise(factors, 50, -1, 1);
    return factors;
}

static made make_subspace(const subspace *s, argand_array *factors)
{
    problem p = s->p;
    p.features = s->weighted ? WEIGHTS : 0;
    made m = make(p);
    argand_toeplitz_options o = options_of(&m);
    argand_toeplitz_destroy(m.toeplitz);
    o.factors = factors;
    OK(argand_toeplitz_create(&m.toeplitz, device, &o));
    return m;
}

/* y_k += conj(s) A^H conj(f_k) (sum_l f_l A (s x_l)) */
static void add_sums(double complex *y, const made *m, const double complex *a, const double complex *f,
                     const double complex *x, const double complex *s, int images)
{
    for (int64_t j = 0; j < m->p.samples; j++) {
        const double complex *row = a + j * m->pixels;
        double complex sample = 0;
        for (int l = 0; l < images; l++)
            for (int64_t i = 0; i < m->pixels; i++)
                sample += f[j + l * m->p.samples] * row[i] * x[l * m->pixels + i] * (s ? s[i] : 1);
        for (int k = 0; k < images; k++)
            for (int64_t i = 0; i < m->pixels; i++)
                y[k * m->pixels + i] += conj(f[j + k * m->p.samples] * row[i] * (s ? s[i] : 1)) * sample;
    }
}

static double complex *complex_of(const argand_array *array)
{
    double *values = as_doubles(array);
    if (argand_array_type(array) == ARGAND_C32 || argand_array_type(array) == ARGAND_C64)
        return (double complex *)values;
    const int64_t count = argand_array_count(array);
    double complex *wide = malloc((size_t)count * sizeof *wide);
    assert_non_null(wide);
    for (int64_t i = 0; i < count; i++) wide[i] = values[i];
    free(values);
    return wide;
}

static double error_of_sums(const subspace *s)
{
    argand_array *factors = factors_of(s);
    made m = make_subspace(s, factors);
    argand_op *op = operator_of(&m);
    argand_array *x = in_domain(op, 40), *y = in_domain(op, 41);
    const int64_t vectors = s->p.maps ? 1 : s->p.coils, step = s->images * m.pixels;
    double complex *a = matrix(&m), *in = complex_of(x), *f = complex_of(factors),
                   *truth = calloc((size_t)(vectors * step), sizeof *truth),
                   *maps = m.maps ? complex_of(m.maps) : NULL;
    assert_int_equal(argand_op_domain(op)->dims[s->p.rank], s->images);
    OK(argand_op_apply(op, y, x));
    double *got = as_doubles(y);
    for (int64_t c = 0; c < s->p.coils; c++) {
        const int64_t v = maps ? 0 : c;
        add_sums(truth + v * step, &m, a, f, in + v * step, maps ? maps + c * m.pixels : NULL, s->images);
    }
    const double error = relative_error(got, (const double *)truth, 2 * (size_t)(vectors * step));
    void *const all[] = {a, in, f, truth, maps, got};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    argand_array *const arrays[] = {x, y, factors};
    for (int i = 0; i < 3; i++) argand_array_destroy(arrays[i]);
    argand_op_destroy(op);
    unmake(&m);
    return error;
}

static bool has_double(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.has_double;
}

static const subspace problems[] = {
    {{.rank = 1, .n = {17}, .coils = 2, .maps = 1}, 1, false, false},
    {{.rank = 2, .n = {13, 8}, .coils = 5, .maps = 1}, 3, true, true},
    {{.rank = 2, .n = {8, 11}, .coils = 3, .maps = 1}, 4, false, true},
    {{.rank = 2, .n = {9, 7}, .coils = 3}, 4, true, false},
    {{.rank = 2, .n = {6, 7}, .coils = 6, .maps = 1}, 5, false, false},
    {{.rank = 3, .n = {5, 6, 7}, .coils = 2, .maps = 1}, 9, true, true},
    {{.rank = 3, .n = {4, 3, 5}, .coils = 2}, 2, false, true},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static void plain_sums(void **state)
{
    (void)state;
    for (int i = 0; i < PROBLEMS; i++)
        for (int twice = 0; twice < (has_double() ? 2 : 1); twice++) {
            subspace s = problems[i];
            s.p.type = twice ? ARGAND_C64 : ARGAND_C32;
            s.p.samples = 90;
            s.p.shots = 1;
            CHECK_BELOW(error_of_sums(&s), twice ? 1e-9 : 1e-5);
        }
}

static void hermitian(void **state)
{
    (void)state;
    for (int i = 0; i < PROBLEMS; i++) {
        subspace s = problems[i];
        double error;
        s.p.type = has_double() ? ARGAND_C64 : ARGAND_C32;
        s.p.samples = 70;
        s.p.shots = 1;
        argand_array *factors = factors_of(&s);
        made m = make_subspace(&s, factors);
        argand_op *op = operator_of(&m);
        OK(argand_op_check(op, 3, 5, &error));
        CHECK_BELOW(error, s.p.type == ARGAND_C64 ? 1e-13 : 1e-6);
        argand_op_destroy(op);
        argand_array_destroy(factors);
        unmake(&m);
    }
}

/* K NUFFTs over all samples, combined by the factors of each sample: as argand_op_multiband adds slices. */
static argand_op *pair_of(const made *m, argand_array *factors, int images)
{
    const problem *p = &m->p;
    argand_nufft_options options = {.type = p->type, .rank = p->rank};
    argand_nufft *plan;
    argand_op *transform, *sense, *op, *parts[16];
    for (int d = 0; d < p->rank; d++) options.n[d] = p->n[d];
    OK(argand_nufft_create(&plan, device, &options));
    OK(argand_nufft_set_points(plan, m->k));
    OK(argand_op_nufft(&transform, device, plan, p->coils));
    OK(argand_op_sense(&sense, transform, m->maps));
    for (int k = 0; k < images; k++) parts[k] = sense;
    OK(argand_op_multiband(&op, parts, images, factors));
    argand_op_destroy(transform);
    argand_op_destroy(sense);
    return op;
}

/* So many coils that a host takes them in several batches, the last of which is smaller. */
static void in_batches(void **state)
{
    (void)state;
    const subspace s = {{.type = has_double() ? ARGAND_C64 : ARGAND_C32,
                         .rank = 2,
                         .n = {151, 140},
                         .samples = 4000,
                         .coils = 11,
                         .shots = 1,
                         .maps = 1},
                        4,
                        false,
                        false};
    argand_array *factors = factors_of(&s);
    made m = make_subspace(&s, factors);
    argand_op *pair = pair_of(&m, factors, s.images), *op = operator_of(&m);
    argand_array *x = in_domain(op, 8), *y = in_domain(op, 9), *z = in_domain(op, 9);
    double wrong, norm;
    OK(argand_op_apply(op, y, x));
    OK(argand_op_normal(pair, z, x));
    OK(argand_array_norm(&norm, z));
    OK(argand_array_axpby(z, (argand_scalar){1, 0}, y, (argand_scalar){-1, 0}));
    OK(argand_array_norm(&wrong, z));
    CHECK_BELOW(wrong / norm, s.p.type == ARGAND_C64 ? 2e-9 : 2e-5);
    argand_array *const all[] = {x, y, z, factors};
    for (int i = 0; i < 4; i++) argand_array_destroy(all[i]);
    argand_op_destroy(op);
    argand_op_destroy(pair);
    unmake(&m);
}

static void refusals(void **state)
{
    (void)state;
    subspace s = problems[2];
    s.p.type = ARGAND_C32;
    s.p.samples = 40;
    s.p.shots = 1;
    argand_array *factors = factors_of(&s), *other, *values = NULL;
    made m = make_subspace(&s, factors);
    argand_toeplitz *t;
    argand_op *op;
    argand_toeplitz_info info;
    argand_toeplitz_options o = options_of(&m);
    argand_toeplitz_describe(m.toeplitz, &info);
    assert_int_equal(info.images, 4);
    assert_string_equal(info.engine, "subspace");
    o.factors = m.k[0];
    OK(argand_toeplitz_create(&t, device, &o)); /* real {samples}: one image */
    argand_toeplitz_destroy(t);
    OK(argand_array_create(&other, device, ARGAND_R32, 2, (const int64_t[2]){40, 17}));
    o.factors = other;
    FAILS(argand_toeplitz_create(&t, device, &o), ARGAND_ARGUMENT, "{40, 17}");
    argand_array_destroy(other);
    o.factors = m.maps;
    FAILS(argand_toeplitz_create(&t, device, &o), ARGAND_ARGUMENT, "{8, 11}");
    o.factors = factors;
    o.mask = m.k[0];
    FAILS(argand_toeplitz_create(&t, device, &o), ARGAND_UNSUPPORTED, "subspace");
    o.mask = NULL;
    FAILS(argand_op_circulant(&op, m.toeplitz, NULL, 1), ARGAND_UNSUPPORTED, "subspace");
    FAILS(argand_toeplitz_circulant(&values, m.toeplitz, NULL), ARGAND_UNSUPPORTED, "subspace");
    OK(argand_array_fill(factors, (argand_scalar){NAN, 0}));
    FAILS(argand_toeplitz_create(&t, device, &o), ARGAND_NUMERIC, "a factor of sample 0");
    argand_array_destroy(factors);
    unmake(&m);
}

/* Each allocation fails once: nothing leaks, nothing is left half made. */
static void no_memory(void **state)
{
    (void)state;
    subspace s = problems[2];
    s.p.type = ARGAND_C32;
    s.p.samples = 40;
    s.p.shots = 1;
    argand_array *factors = factors_of(&s);
    made m = make_subspace(&s, factors);
    argand_toeplitz_options o = options_of(&m);
    argand_toeplitz *t = NULL;
    argand_op *op = NULL;
    argand_status status = ARGAND_MEMORY;
    o.factors = factors;
    for (long n = 1; status && n < 4000; n++) {
        argand_test_fail_allocation(n);
        status = argand_toeplitz_create(&t, device, &o);
        if (!status) status = argand_op_sense_normal(&op, t, m.maps);
        if (status) {
            assert_int_equal(status, ARGAND_MEMORY);
            argand_toeplitz_destroy(t);
            t = NULL;
        }
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_op_destroy(op);
    argand_toeplitz_destroy(t);
    argand_array_destroy(factors);
    unmake(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plain_sums), cmocka_unit_test(hermitian), cmocka_unit_test(in_batches),
    cmocka_unit_test(refusals),   cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
