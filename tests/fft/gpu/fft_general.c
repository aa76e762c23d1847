/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine `general`, compared with the sum by definition: lengths of every radix, primes, and two tables
 * of roots; real and complex, centred, batches, several axes, in place, arrays with strides. */
#include "fft/direct.h"

#include "base/random.h"
#include "device/device.h"
#include "sample.h"

static void skip_on_the_host(void)
{
    if (device_is_host(device)) skip();
}

static argand_fft *plan_of(const argand_fft_options *o)
{
    argand_fft *plan;
    char printed[4096];
    OK(argand_fft_create(&plan, device, o));
    argand_fft_print(plan, printed, sizeof printed);
    assert_non_null(strstr(printed, "(general"));
    return plan;
}

/* Compares both directions with the sum; complex transforms also in place. */
static void check(const argand_fft_options *o)
{
    const bool real = o->type < ARGAND_C32;
    int64_t dims[ARGAND_MAX_RANK], half[ARGAND_MAX_RANK];
    double points = 1;
    for (int i = 0; i < o->rank; i++) points *= (double)(dims[i] = o->n[i]);
    dims[o->rank] = o->batch;
    memcpy(half, dims, sizeof half);
    if (real) half[0] = dims[0] / 2 + 1;
    const argand_type spectrum = o->type == ARGAND_R32   ? ARGAND_C32
                                 : o->type == ARGAND_R64 ? ARGAND_C64
                                                         : o->type;
    argand_fft *plan = plan_of(o);
    argand_array *x = new_array(o->type, o->rank + 1, dims), *y = new_array(spectrum, o->rank + 1, half);
    randomise(x, 7, 0, 0);
    exact *expected = exact_of(x), *original = exact_of(x);
    direct_fft(expected, o->rank, dims, o->batch, -1, o->centred);
    for (int64_t i = 0, kept = 0; real && i < argand_array_count(x); i++)
        if (i % dims[0] < half[0]) expected[kept++] = expected[i];
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    CHECK_BELOW(distance(y, expected, 1), fft_tolerance(o->type, points));
    OK(argand_fft_apply(plan, x, y, ARGAND_INVERSE));
    CHECK_BELOW(distance(x, original, points), 2 * fft_tolerance(o->type, points));
    if (!real) {
        OK(argand_fft_apply(plan, y, y, ARGAND_INVERSE));
        CHECK_BELOW(distance(y, original, points), 2 * fft_tolerance(o->type, points));
    }
    free(expected);
    free(original);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_fft_destroy(plan);
}

static void lengths_of_every_kind(void **state)
{
    (void)state;
    skip_on_the_host();
    /* every radix, products of them, primes up to the largest, two tables (above 4096) */
    static const int64_t lengths[] = {1,   2,   3,   4,    5,    6,    7,    8,    9,   10,  11,
                                      12,  13,  14,  15,   16,   17,   19,   32,   36,  101, 128,
                                      210, 221, 243, 1009, 1024, 2002, 4093, 4100, 6561};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        check(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {lengths[i]}, .batch = 2});
        check(&(argand_fft_options){.type = ARGAND_R32, .rank = 1, .n = {lengths[i]}, .batch = 3});
        if (lengths[i] < 2000) {
            check(&(argand_fft_options){.type = ARGAND_C64, .rank = 1, .n = {lengths[i]}, .batch = 1});
            check(&(argand_fft_options){
                .type = ARGAND_C32, .rank = 1, .n = {lengths[i]}, .batch = 2, .centred = true});
        }
    }
}

static void several_axes(void **state)
{
    (void)state;
    skip_on_the_host();
    random_state random = {seed_of_run()};
    for (int i = 0; i < 40; i++) {
        argand_fft_options o = {.rank = 2 + i % 3, .batch = 1 + i % 2};
        o.type = (const argand_type[]){ARGAND_C32, ARGAND_R32, ARGAND_C64, ARGAND_R64}[i % 4];
        for (int axis = 0; axis < o.rank; axis++)
            o.n[axis] = 1 + (int64_t)(random_uniform(&random) * (o.rank == 2 ? 40 : 14));
        o.centred = o.type >= ARGAND_C32 && i % 5 == 0;
        check(&o);
    }
}

/* Larger prime factors are for other engines, here the host's. */
static void prime_factors_have_a_limit(void **state)
{
    (void)state;
    argand_fft *plan;
    argand_fft_candidate c;
    bool found = false;
    skip_on_the_host();
    const argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {2 * 4099}};
    OK(argand_fft_create(&plan, device, &o));
    for (int i = 0; i < argand_fft_candidate_count(plan); i++) {
        OK(argand_fft_candidate_describe(plan, i, &c));
        assert_false(!strcmp(c.engine, "general") && c.possible);
        found |= !strcmp(c.reason, "a prime factor is larger than 4096");
    }
    assert_true(found);
    argand_fft_destroy(plan);
}

static int choose_general(void **state)
{
    (void)state;
    return setenv("ARGAND_FFT_ENGINE", "general", 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(lengths_of_every_kind, choose_general),
    cmocka_unit_test_setup(several_axes, choose_general),
    cmocka_unit_test_setup(prime_factors_have_a_limit, choose_general),
};

RUN_TESTS(tests)
