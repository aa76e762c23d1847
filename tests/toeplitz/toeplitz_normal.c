/* SPDX-License-Identifier: BSD-3-Clause */
/* Toeplitz normal operators against A^H W A by plain sums, Hermitian, positive; with fields, decay, masks,
 * shots and coil maps. */
#include "problem.h"

static int types(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.has_double ? 2 : 1;
}

static const int64_t sizes[][4] = {
    {1, 17}, {2, 13, 8}, {2, 11, 11}, {3, 5, 6, 7}, {3, 7, 1, 4}, {1, 1},
};
enum { SIZES = sizeof sizes / sizeof *sizes };

static problem sized(int size, argand_type type)
{
    problem p = {.type = type, .rank = (int)sizes[size][0], .samples = 120, .coils = 3, .shots = 1};
    for (int d = 0; d < p.rank; d++) p.n[d] = sizes[size][d + 1];
    return p;
}

/* What is asked for is what is reached. */
static void plain(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++)
        for (int twice = 0; twice < types(); twice++) {
            problem p = sized(i, twice ? ARGAND_C64 : ARGAND_C32);
            for (int features = 0; features <= (WEIGHTS | MASK); features += WEIGHTS | MASK) {
                p.features = features;
                made m = make(p);
                CHECK_BELOW(error_of(&m), twice ? 1e-9 : 1e-5);
                unmake(&m);
            }
        }
}

static void with_field(void **state)
{
    (void)state;
    static const int features[] = {FIELD, FIELD | WEIGHTS | MASK, FIELD | DECAY, DECAY | MASK};
    static const double tolerances[] = {0, 1e-4, 1e-6};
    for (int i = 0; i < 8; i++) {
        problem p = sized(1 + i % 4, types() > 1 ? ARGAND_C64 : ARGAND_C32);
        p.features = features[i % 4];
        p.tolerance = types() > 1 ? tolerances[i % 3] : tolerances[i % 2];
        made m = make(p);
        argand_toeplitz_info info;
        argand_toeplitz_describe(m.toeplitz, &info);
        const double asked = p.tolerance > 0 ? p.tolerance : 1e-3, error = error_of(&m);
        printf("%d segments: by the histogram %.2g, found %.2g, asked %.2g\n", info.segments,
               info.segment_error, error, asked);
        CHECK_BELOW(info.segment_error, asked);
        assert_true(info.segments > 1);
        CHECK_BELOW(error, asked);
        unmake(&m);
    }
}

/* Each shot with its phase map, all coils: phase-corrected SENSE; with a field too. */
static void shots_and_coils(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        problem p = sized(1 + i % 4, i < 4 && types() > 1 ? ARGAND_C64 : ARGAND_C32);
        p.features = PHASES | (i % 2 ? FIELD | MASK | WEIGHTS : 0);
        p.shots = i % 3 + 1;
        p.maps = i != 5;
        p.tolerance = i % 2 ? 1e-4 : 0;
        made m = make(p);
        CHECK_BELOW(error_of(&m), i % 2 ? 1e-4 : p.type == ARGAND_C64 ? 1e-9 : 1e-5);
        unmake(&m);
    }
}

static void hermitian_and_positive(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        problem p = sized(i % 4, i < 4 && types() > 1 ? ARGAND_C64 : ARGAND_C32);
        p.features = i % 2 ? WEIGHTS : PHASES | FIELD | DECAY;
        p.shots = i % 2 ? 1 : 2;
        p.maps = i % 4 < 2;
        made m = make(p);
        argand_op *op = operator_of(&m);
        argand_array *x = in_domain(op, 3), *y = in_domain(op, 4);
        double error;
        argand_scalar product;
        OK(argand_op_check(op, 3, 5, &error));
        CHECK_BELOW(error, p.type == ARGAND_C64 ? 1e-13 : 1e-6);
        OK(argand_op_apply(op, y, x));
        OK(argand_array_dot(&product, x, y));
        assert_true(product.re > 0);
        CHECK_BELOW(fabs(product.im) / product.re, p.type == ARGAND_C64 ? 1e-13 : 1e-6);
        argand_array_destroy(x);
        argand_array_destroy(y);
        argand_op_destroy(op);
        unmake(&m);
    }
}

/* Images so large that neither all vectors nor all parities fit a batch, against the NUFFT forward and
 * adjoint */
static void in_batches(void **state)
{
    (void)state;
    static const int64_t n[2] = {150, 171}, samples = 3000;
    const argand_type type = types() > 1 ? ARGAND_C64 : ARGAND_C32;
    const problem p = {.type = type, .rank = 2, .n = {n[0], n[1]}, .samples = samples, .coils = 5};
    made m = make(p);
    argand_nufft *plan;
    argand_op *there, *op;
    double wrong, norm;
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = type, .rank = 2, .n = {n[0], n[1]}}));
    OK(argand_nufft_set_points(plan, m.k));
    OK(argand_op_nufft(&there, device, plan, p.coils));
    OK(argand_op_toeplitz(&op, device, m.toeplitz, p.coils));
    argand_array *x = in_domain(op, 8), *y = in_domain(op, 9), *z = in_domain(op, 9);
    OK(argand_op_apply(op, y, x));
    OK(argand_op_normal(there, z, x));
    OK(argand_array_norm(&norm, z));
    OK(argand_array_axpby(z, (argand_scalar){1, 0}, y, (argand_scalar){-1, 0}));
    OK(argand_array_norm(&wrong, z));
    CHECK_BELOW(wrong / norm, type == ARGAND_C64 ? 2e-9 : 2e-5); /* both have their tolerance */
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(z);
    argand_op_destroy(op);
    argand_op_destroy(there);
    unmake(&m);
}

/* The kernels may be destroyed before the operators made of them, and serve several. */
static void shared(void **state)
{
    (void)state;
    made m = make(sized(1, ARGAND_C32));
    argand_op *one, *two;
    OK(argand_op_toeplitz(&one, device, m.toeplitz, 3));
    OK(argand_op_toeplitz(&two, device, m.toeplitz, 1));
    unmake(&m);
    argand_array *x = in_domain(one, 1), *y = in_domain(one, 2), *first, *y1 = in_domain(two, 2);
    OK(argand_op_apply(one, y, x));
    OK(argand_array_part(&first, x, 2, 0, 1));
    OK(argand_op_adjoint(two, y1, first));
    double *a = as_doubles(y), *b = as_doubles(y1);
    CHECK_BELOW(relative_error(a, b, 2 * 13 * 8), 1e-6);
    free(a);
    free(b);
    argand_array *const all[] = {x, y, first, y1};
    for (int i = 0; i < 4; i++) argand_array_destroy(all[i]);
    argand_op_destroy(one);
    argand_op_destroy(two);
}

static void refusals(void **state)
{
    (void)state;
    problem p = sized(1, ARGAND_C32);
    p.features = FIELD | WEIGHTS;
    made m = make(p);
    argand_toeplitz *t;
    argand_op *op;
    argand_toeplitz_options o = options_of(&m);
    FAILS(argand_toeplitz_create(&t, device, NULL), ARGAND_ARGUMENT, "no options");
    FAILS(argand_toeplitz_create(NULL, device, &o), ARGAND_ARGUMENT, "no place");
#define REFUSED(field, value, status, message)                          \
    do {                                                                \
        o = options_of(&m);                                             \
        o.field = value;                                                \
        FAILS(argand_toeplitz_create(&t, device, &o), status, message); \
    } while (0)
    REFUSED(type, ARGAND_R32, ARGAND_ARGUMENT, "type");
    REFUSED(rank, 4, ARGAND_ARGUMENT, "rank 4");
    REFUSED(n[1], 0, ARGAND_ARGUMENT, "n[1] = 0");
    REFUSED(k[1], NULL, ARGAND_ARGUMENT, "k[1] is missing");
    REFUSED(t, NULL, ARGAND_ARGUMENT, "t is missing");
    REFUSED(k[1], m.field, ARGAND_ARGUMENT, "k[1] has 104 values");
    REFUSED(field_map, m.k[0], ARGAND_ARGUMENT, "field_map has 120 values");
    REFUSED(weights, m.k[0], ARGAND_ARGUMENT, "weight of sample");
    REFUSED(tolerance, -1, ARGAND_ARGUMENT, "tolerance -1");
    REFUSED(segments, -1, ARGAND_ARGUMENT, "-1 segments");
    REFUSED(shots, 2, ARGAND_ARGUMENT, "without phase maps");
    o = options_of(&m);
    OK(argand_array_fill(m.field, (argand_scalar){NAN, 0}));
    FAILS(argand_toeplitz_create(&t, device, &o), ARGAND_NUMERIC, "field_map at pixel (0, 0, 0)");
    FAILS(argand_op_toeplitz(&op, device, NULL, 1), ARGAND_ARGUMENT, "no Toeplitz kernels");
    FAILS(argand_op_toeplitz(&op, device, m.toeplitz, 0), ARGAND_ARGUMENT, "0 vectors");
    FAILS(argand_op_sense_normal(&op, m.toeplitz, m.k[0]), ARGAND_ARGUMENT, "coil maps");
    unmake(&m);
}

static void no_memory(void **state)
{
    (void)state;
    problem p = sized(1, ARGAND_C32);
    p.features = FIELD | MASK;
    made m = make(p);
    const argand_toeplitz_options o = options_of(&m);
    argand_toeplitz *t = NULL;
    argand_op *op = NULL;
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status && n < 4000; n++) {
        argand_test_fail_allocation(n);
        status = argand_toeplitz_create(&t, device, &o);
        if (!status) status = argand_op_toeplitz(&op, device, t, 2);
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
    unmake(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plain),           cmocka_unit_test(with_field),
    cmocka_unit_test(shots_and_coils), cmocka_unit_test(hermitian_and_positive),
    cmocka_unit_test(in_batches),      cmocka_unit_test(shared),
    cmocka_unit_test(refusals),        cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
