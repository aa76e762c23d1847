/* SPDX-License-Identifier: BSD-3-Clause */
/* The cuFFT engine over a library of the test's own (fake_cufft.c): order of axes, batches, centring, scales,
 * real transforms, misaligned parts. The same engine runs over the real library in fft_accuracy and
 * fft_layout on cuda. */
#include "fft/direct.h"
#include "fft/planner/plan.h"
#include "fft/plan/options.h"

typedef struct engine_plan {
    fft_problem problem;
    void *state;
} engine_plan;

static engine_plan make(const argand_fft_options *options)
{
    engine_plan e = {0};
    OK(problem_make(&e.problem, options));
    OK(fft_engine_cufft.create(&e.state, &e.problem, device));
    return e;
}

static void run(const engine_plan *e, argand_array *out, const argand_array *in, argand_direction direction)
{
    const fft_problem *p = &e->problem;
    fft_geometry g;
    OK(problem_bind(&g, p, out, in, direction));
    OK(fft_engine_cufft.apply(
        e->state, p, device,
        &(fft_call){.geometry = &g,
                    .out = out,
                    .in = in,
                    .direction = direction,
                    .factor = direction == ARGAND_FORWARD ? p->forward_factor : p->inverse_factor}));
}

static void complex_transforms(void **state)
{
    (void)state;
    const int64_t sizes[4][4] = {{6, 5, 4, 2}, {7, 4, 1, 3}, {9, 1, 1, 2}, {1, 8, 3, 1}};
    for (int kind = 0; kind < 32; kind++) {
        const int64_t *n = sizes[kind & 3];
        const argand_type type = kind & 4 ? ARGAND_C64 : ARGAND_C32;
        const bool centred = kind & 8, inverse = kind & 16;
        const int64_t points = n[0] * n[1] * n[2];
        engine_plan e = make(&(argand_fft_options){.type = type,
                                                   .rank = 3,
                                                   .n = {n[0], n[1], n[2]},
                                                   .batch = n[3],
                                                   .centred = centred,
                                                   .scale = ARGAND_SCALE_UNITARY});
        argand_array *in = new_array(type, 4, n), *out = new_array(type, 4, n);
        randomise(in, 7, 0, 0);
        exact *expected = exact_of(in);
        direct_fft(expected, 3, n, n[3], inverse ? 1 : -1, centred);
        run(&e, out, in, inverse ? ARGAND_INVERSE : ARGAND_FORWARD);
        CHECK_BELOW(distance(out, expected, 1 / sqrtl((long double)points)),
                    fft_tolerance(type, (double)points));
        run(&e, in, in, inverse ? ARGAND_INVERSE : ARGAND_FORWARD); /* in place */
        CHECK_BELOW(distance(in, expected, 1 / sqrtl((long double)points)),
                    fft_tolerance(type, (double)points));
        free(expected);
        argand_array_destroy(in);
        argand_array_destroy(out);
        fft_engine_cufft.destroy(e.state);
    }
}

/* Forward to the half spectrum and back; the inverse leaves its input as it is. */
static void real_transforms(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        const bool twice = kind & 1;
        const int64_t n[3] = {kind & 2 ? 7 : 6, 5, 2}, half[3] = {n[0] / 2 + 1, 5, 2};
        const argand_type real = twice ? ARGAND_R64 : ARGAND_R32,
                          complex_type = twice ? ARGAND_C64 : ARGAND_C32;
        engine_plan e = make(&(argand_fft_options){
            .type = real, .rank = 2, .n = {n[0], n[1]}, .batch = n[2], .scale = ARGAND_SCALE_INVERSE});
        argand_array *x = new_array(real, 3, n), *y = new_array(complex_type, 3, half),
                     *back = new_array(real, 3, n);
        randomise(x, 8, 0, 0);
        exact *expected = exact_of(x), *original = exact_of(x);
        direct_fft(expected, 2, n, n[2], -1, false);
        for (int64_t i = 0, kept = 0; i < n[0] * n[1] * n[2]; i++)
            if (i % n[0] < half[0]) expected[kept++] = expected[i];
        run(&e, y, x, ARGAND_FORWARD);
        CHECK_BELOW(distance(y, expected, 1), fft_tolerance(complex_type, (double)(n[0] * n[1])));
        run(&e, back, y, ARGAND_INVERSE);
        CHECK_BELOW(distance(back, original, 1), fft_tolerance(complex_type, (double)(n[0] * n[1])));
        CHECK_BELOW(distance(y, expected, 1), fft_tolerance(complex_type, (double)(n[0] * n[1])));
        free(expected);
        free(original);
        argand_array_destroy(x);
        argand_array_destroy(y);
        argand_array_destroy(back);
        fft_engine_cufft.destroy(e.state);
    }
}

/* A real array that begins at an odd element is not aligned for cuFFT. */
static void misaligned(void **state)
{
    (void)state;
    engine_plan e = make(&(argand_fft_options){.type = ARGAND_R32, .rank = 1, .n = {8}});
    argand_array *all = new_array(ARGAND_R32, 1, (int64_t[]){9}), *x,
                 *y = new_array(ARGAND_C32, 1, (int64_t[]){5});
    OK(argand_array_part(&x, all, 0, 1, 8));
    randomise(all, 9, 0, 0);
    exact *expected = exact_of(x);
    direct_fft(expected, 1, (int64_t[]){8}, 1, -1, false);
    run(&e, y, x, ARGAND_FORWARD);
    CHECK_BELOW(distance(y, expected, 1), fft_tolerance(ARGAND_C32, 8));
    free(expected);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(all);
    fft_engine_cufft.destroy(e.state);
}

/* A real plan with another engine for its inverse, here cuFFT's behind the processor's own: each direction
 * goes by its engine, with what that wants (contiguous arrays), and questions are answered by it. */
static void another_one_back(void **state)
{
    (void)state;
    const int64_t n[2] = {6, 5}, half[2] = {4, 5}, apart[2] = {1, 9};
    argand_fft *plan;
    char plan_text[256];
    OK(argand_fft_create(
        &plan, device,
        &(argand_fft_options){.type = ARGAND_R64, .rank = 2, .n = {6, 5}, .scale = ARGAND_SCALE_INVERSE}));
    const int passes = argand_fft_pass_count(plan, ARGAND_FORWARD);
    plan->inverse_engine = &fft_engine_cufft;
    OK(fft_engine_cufft.create(&plan->inverse_state, &plan->problem, device));
    argand_fft_print(plan, plan_text, sizeof plan_text);
    assert_non_null(strstr(plan_text, " and back (cufft"));
    assert_int_equal(argand_fft_pass_count(plan, ARGAND_FORWARD), passes);
    argand_fft_pass pass;
    OK(argand_fft_pass_describe(plan, ARGAND_INVERSE, 1, &pass));
    assert_non_null(strstr(pass.what, "cuFFT"));
    assert_int_equal(argand_fft_workspace(plan, ARGAND_INVERSE),
                     fft_engine_cufft.workspace(plan->inverse_state, &plan->problem, device, ARGAND_INVERSE));
    argand_array *x = new_array(ARGAND_R64, 2, n), *y = new_array(ARGAND_C64, 2, half), *all, *back;
    all = new_array(ARGAND_R64, 1, (int64_t[]){6 + 4 * 9});
    OK(argand_array_view(&back, all, 2, n, apart, 0));
    randomise(x, 8, 0, 0);
    exact *expected = exact_of(x), *original = exact_of(x);
    direct_fft(expected, 2, n, 1, -1, false);
    for (int64_t i = 0, kept = 0; i < n[0] * n[1]; i++)
        if (i % n[0] < half[0]) expected[kept++] = expected[i];
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    CHECK_BELOW(distance(y, expected, 1), fft_tolerance(ARGAND_C64, 30));
    OK(argand_fft_apply(plan, back, y, ARGAND_INVERSE));
    CHECK_BELOW(distance(back, original, 1), fft_tolerance(ARGAND_C64, 30));
    free(expected);
    free(original);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(back);
    argand_array_destroy(all);
    argand_fft_destroy(plan);
}

/* A half-packed plan over it, against the host's own: both by way of n/2 + 1 numbers. */
static void half_packed(void **state)
{
    (void)state;
    const int64_t n[3] = {6, 5, 2}, half[3] = {3, 5, 2};
    argand_fft *plan;
    OK(argand_fft_create(
        &plan, device,
        &(argand_fft_options){.type = ARGAND_R64, .rank = 2, .n = {6, 5}, .batch = 2, .half_packed = true}));
    argand_array *x = new_array(ARGAND_R64, 3, n), *y = new_array(ARGAND_C64, 3, half),
                 *by_host = new_array(ARGAND_C64, 3, half);
    randomise(x, 9, 0, 0);
    OK(argand_fft_apply(plan, by_host, x, ARGAND_FORWARD));
    plan->engine->destroy(plan->state);
    plan->engine = &fft_engine_cufft;
    OK(fft_engine_cufft.create(&plan->state, &plan->problem, device));
    exact *wanted = exact_of(by_host), *original = exact_of(x);
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    CHECK_BELOW(distance(y, wanted, 1), fft_tolerance(ARGAND_C64, 30));
    OK(argand_fft_apply(plan, x, y, ARGAND_INVERSE));
    CHECK_BELOW(distance(x, original, 30), fft_tolerance(ARGAND_C64, 30));
    free(original);
    free(wanted);
    argand_array_destroy(by_host);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_fft_destroy(plan);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(complex_transforms),
                                          cmocka_unit_test(real_transforms), cmocka_unit_test(misaligned),
                                          cmocka_unit_test(another_one_back), cmocka_unit_test(half_packed)};
RUN_TESTS(tests)
