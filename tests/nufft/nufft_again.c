/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans that are made again have the bits of the first, however many others were made in between and in how
 * many threads: what a process keeps of its plans' windows is no part of the result. */
#include "truth.h"

#include <pthread.h>
#include "nufft/window.h"

enum { SHAPES = 24, POINTS = 90, THREADS = 4, BETWEEN = 120 };

typedef struct outcome {
    char text[512];
    argand_nufft_info info;
    uint64_t bits; /* of the samples */
} outcome;

static problem shaped(int shape)
{
    const int rank = 1 + shape % 3, longest = rank == 1 ? 900 : rank == 2 ? 44 : 12;
    problem p = {.type = shape % 2 ? ARGAND_C64 : ARGAND_C32,
                 .rank = rank,
                 .tolerance = shape % 4 < 2 ? 1e-3 : 1e-5,
                 .oversampling = shape % 5 ? 0 : 1.6,
                 .kind = UNIFORM,
                 .count = POINTS,
                 .vectors = 1,
                 .threads = 1};
    for (int axis = 0; axis < rank; axis++) p.n[axis] = longest - (3 * shape + axis) % (longest / 2);
    return p;
}

static uint64_t bits_of(const argand_array *a)
{
    const unsigned char *at = argand_array_data(a);
    const size_t bytes = (size_t)argand_array_count(a) * argand_type_size(argand_array_type(a));
    uint64_t hash = 1469598103934665603U;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ at[i]) * 1099511628211U;
    return hash;
}

static void find(outcome *o, int shape)
{
    const problem p = shaped(shape);
    made m = make(&p);
    memset(o, 0, sizeof *o);
    randomise(m.image, 7, 0, 0);
    OK(argand_nufft_apply(m.plan, m.samples, m.image));
    argand_nufft_describe(m.plan, &o->info);
    argand_nufft_print(m.plan, o->text, sizeof o->text);
    o->bits = bits_of(m.samples);
    unmake(&m);
}

static void is_same(const outcome *a, const outcome *b)
{
    assert_string_equal(a->text, b->text);
    assert_true(a->bits == b->bits);
    assert_true(a->info.width == b->info.width && a->info.bytes == b->info.bytes);
    assert_true(!(a->info.expected_error < b->info.expected_error) &&
                !(a->info.expected_error > b->info.expected_error));
}

/* More windows than are kept */
static void make_others(void)
{
    for (int i = 0; i < BETWEEN; i++) {
        argand_nufft *plan;
        OK(argand_nufft_create(
            &plan, device,
            &(argand_nufft_options){.type = ARGAND_C32, .rank = 1, .n = {100 + 7 * i}, .tolerance = 1e-4}));
        argand_nufft_destroy(plan);
    }
}

static outcome first[SHAPES];

static void plans_made_again(void **state)
{
    (void)state;
    outcome again;
    for (int shape = 0; shape < SHAPES; shape++) find(&first[shape], shape);
    for (int round = 0; round < 2; round++) {
        for (int shape = SHAPES; shape-- > 0;) {
            find(&again, shape);
            is_same(&first[shape], &again);
        }
        make_others();
    }
}

static void *create_all(void *argument)
{
    outcome *all = argument;
    for (int shape = 0; shape < SHAPES; shape++) {
        const problem p = shaped(shape);
        argand_nufft *plan;
        if (argand_nufft_create(&plan, device,
                                &(argand_nufft_options){.type = p.type,
                                                        .rank = p.rank,
                                                        .n = {p.n[0], p.n[1], p.n[2]},
                                                        .tolerance = p.tolerance,
                                                        .oversampling = p.oversampling}))
            return NULL;
        argand_nufft_print(plan, all[shape].text, sizeof all[shape].text);
        argand_nufft_destroy(plan);
    }
    return all;
}

/* All threads ask for the same windows at the same time. */
static void plans_of_threads(void **state)
{
    (void)state;
    static outcome all[THREADS][SHAPES], wanted[SHAPES];
    pthread_t thread[THREADS];
    void *end;
    make_others();
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, create_all, all[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], &end), 0);
        assert_non_null(end);
    }
    assert_non_null(create_all(wanted));
    for (int i = 0; i < THREADS; i++)
        for (int shape = 0; shape < SHAPES; shape++)
            assert_string_equal(all[i][shape].text, wanted[shape].text);
}

/* Keys that differ in one part alone, some of which displace each other */
static void values_kept(void **state)
{
    (void)state;
    random_state random = {5};
    for (int i = 0; i < 2000; i++) {
        const int width = 4 + (int)(3 * random_uniform(&random));
        const int64_t pixels = 100 + (int64_t)(6 * random_uniform(&random)),
                      grid = 2 * pixels - (int64_t)(8 * random_uniform(&random));
        const double shape = 2.25 * width + (random_uniform(&random) < 0.5 ? 0 : 1e-9),
                     error = random_uniform(&random) < 0.5 ? 1e-5 : 1e-6;
        const window_errors aliasing = window_aliasing(width, shape, pixels, grid),
                            rise = window_amplification(width, shape, pixels, grid);
        window_errors got[2];
        window_cached_errors(&got[0], &got[1], width, shape, pixels, grid);
        assert_memory_equal(&got[0], &aliasing, sizeof aliasing);
        assert_memory_equal(&got[1], &rise, sizeof rise);
        if (i % 10) continue;
        window fitted, kept;
        window_fit(&fitted, width, shape, error);
        window_cached_fit(&kept, width, shape, error);
        assert_true(kept.terms == fitted.terms && kept.width == width);
        assert_memory_equal(kept.coefficients, fitted.coefficients, sizeof kept.coefficients);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(values_kept), cmocka_unit_test(plans_made_again),
                                          cmocka_unit_test(plans_of_threads)};

RUN_TESTS(tests)
