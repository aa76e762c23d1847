/* SPDX-License-Identifier: BSD-3-Clause */
/* What is refused, with which message, and that a refusal changes nothing. */
#include "truth.h"
#include "base/memory.h"

static const problem usual = {
    .type = ARGAND_C32, .rank = 2, .n = {20, 16}, .tolerance = 1e-4, .count = 50, .vectors = 2, .threads = 2};

static void options_that_make_no_sense(void **state)
{
    (void)state;
    argand_nufft *plan;
    const argand_nufft_options good = {.type = ARGAND_C32, .rank = 2, .n = {20, 16}};
    argand_nufft_options o = good;
    o.type = ARGAND_R32;
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "ARGAND_C32");
    o = good, o.rank = 4;
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "rank 4");
    o = good, o.n[1] = 0;
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "n[1] = 0");
    o = good, o.tolerance = -1;
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "tolerance -1");
    o = good, o.tolerance = NAN;
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "tolerance");
    o = good, o.oversampling = 0.9;
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "oversampling 0.9");
    FAILS(argand_nufft_create(&plan, NULL, &good), ARGAND_ARGUMENT, "device");
    assert_null(plan);
}

/* No tolerance is too small: the error that can be reached is reported. */
static void tolerances_beyond_the_precision(void **state)
{
    (void)state;
    problem p = usual;
    p.tolerance = 1e-30;
    made m = make(&p);
    assert_true(m.info.expected_error > 1e-8 && m.info.expected_error < 2e-6);
    const errors e = measure(&p, &m, 1);
    CHECK_BELOW(e.forward, m.info.expected_error);
    CHECK_BELOW(e.adjoint, m.info.expected_error);
    unmake(&m);
    p.type = ARGAND_C64;
    m = make(&p);
    assert_true(m.info.expected_error < 1e-14);
    unmake(&m);
}

/* A plan without points, and positions that are not numbers: the plan works on as it was. */
static void positions_that_are_not_numbers(void **state)
{
    (void)state;
    made m = make(&usual);
    randomise(m.image, 1, 0, 0);
    OK(argand_nufft_apply(m.plan, m.samples, m.image));
    double *before = as_doubles(m.samples);
    float *y = argand_array_data(m.k[1]);
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        const float kept = y[31];
        y[31] = bad[i];
        FAILS(argand_nufft_set_points(m.plan, m.k), ARGAND_NUMERIC, "position 31 of 50");
        y[31] = kept;
        OK(argand_nufft_apply(m.plan, m.samples, m.image));
        double *after = as_doubles(m.samples);
        assert_memory_equal(before, after, 4 * (size_t)usual.count * sizeof *after);
        free(after);
    }
    free(before);
    unmake(&m);
}

static void no_points_yet(void **state)
{
    (void)state;
    made m = make(&usual);
    argand_nufft *plan;
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {20, 16}}));
    FAILS(argand_nufft_apply(plan, m.samples, m.image), ARGAND_ARGUMENT, "argand_nufft_set_points");
    FAILS(argand_nufft_adjoint(plan, m.image, m.samples), ARGAND_ARGUMENT, "argand_nufft_set_points");
    FAILS(argand_nufft_blur(plan, m.samples, m.samples), ARGAND_ARGUMENT, "argand_nufft_set_points");
    argand_nufft_info info;
    argand_nufft_describe(plan, &info);
    assert_int_equal(info.points, 0);
    argand_nufft_destroy(plan);
    argand_nufft_destroy(NULL);
    unmake(&m);
}

static void arrays_that_do_not_fit(void **state)
{
    (void)state;
    made m = make(&usual);
    argand_array *few, *one, *flat, *twice;
    OK(argand_array_create(&few, device, ARGAND_C32, 2, (int64_t[]){49, 2}));
    OK(argand_array_create(&one, device, ARGAND_C32, 1, (int64_t[]){50}));
    OK(argand_array_create(&flat, device, ARGAND_C32, 2, (int64_t[]){16, 20}));
    OK(argand_array_create(&twice, device, ARGAND_C64, 3, (int64_t[]){20, 16, 2}));
    FAILS(argand_nufft_apply(m.plan, few, m.image), ARGAND_ARGUMENT, "49 samples for 50 points");
    FAILS(argand_nufft_apply(m.plan, one, m.image), ARGAND_ARGUMENT, "1 vectors of samples but 2 images");
    FAILS(argand_nufft_adjoint(m.plan, flat, one), ARGAND_ARGUMENT, "16 pixels on axis 0, the plan 20");
    FAILS(argand_nufft_apply(m.plan, m.samples, twice), ARGAND_ARGUMENT, "complex double given");
    FAILS(argand_nufft_apply(m.plan, NULL, m.image), ARGAND_ARGUMENT, "samples");
    FAILS(argand_nufft_blur(m.plan, m.samples, m.samples), ARGAND_ARGUMENT, "one vector");
    argand_array *const mixed[] = {m.k[0], one};
    FAILS(argand_nufft_set_points(m.plan, mixed), ARGAND_ARGUMENT, "complex float: give r32 or r64");
    argand_array *shorter;
    OK(argand_array_part(&shorter, m.k[1], 0, 0, 49));
    argand_array *const uneven[] = {m.k[0], shorter};
    FAILS(argand_nufft_set_points(m.plan, uneven), ARGAND_ARGUMENT,
          "49 positions on axis 1 but 50 on axis 0");
    argand_array *const all[] = {shorter, twice, flat, one, few};
    for (int i = 0; i < 5; i++) argand_array_destroy(all[i]);
    unmake(&m);
}

/* Each allocation fails in turn: memory is reported, nothing leaks (the address sanitizer looks), and the
 * plan works on once there is memory again. */
static void every_allocation_may_fail(void **state)
{
    (void)state;
    made m = make(&usual);
    argand_nufft *plan = NULL;
    const argand_nufft_options o = {.type = ARGAND_C32, .rank = 2, .n = {20, 16}};
    argand_status status = ARGAND_MEMORY;
    long n = 0;
    while (status == ARGAND_MEMORY) {
        argand_test_fail_allocation(++n);
        status = argand_nufft_create(&plan, device, &o);
    }
    assert_int_equal(status, ARGAND_OK);
    assert_true(n > 5);
    status = ARGAND_MEMORY;
    for (n = 0; status == ARGAND_MEMORY;) {
        argand_test_fail_allocation(++n);
        status = argand_nufft_set_points(plan, m.k);
    }
    assert_int_equal(status, ARGAND_OK);
    assert_true(n > 5);
    status = ARGAND_MEMORY;
    for (n = 0; status == ARGAND_MEMORY;) {
        argand_test_fail_allocation(++n);
        status = argand_nufft_apply(plan, m.samples, m.image);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    assert_true(n > 3);
    argand_nufft_destroy(plan);
    unmake(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(options_that_make_no_sense),     cmocka_unit_test(tolerances_beyond_the_precision),
    cmocka_unit_test(positions_that_are_not_numbers), cmocka_unit_test(no_points_yet),
    cmocka_unit_test(arrays_that_do_not_fit),         cmocka_unit_test(every_allocation_may_fail),
};
RUN_TESTS(tests)
