/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches that begin before the one before has ended (EARLIER_DONE): long chains of executions, each of
 * which reads what the one before wrote and writes where that one read, through the same work memory, queued
 * without a pause, give the bits of the same chain with a wait after each and launches one by one; so they do
 * with copies and other kernels in between. Small ones start all their launches at once (kernel_replay), with
 * other arrays and the other direction each time. */
#include "../../harness.h"

typedef struct kind {
    const char *name, *parameters; /* words: the tuning that the plan is made with (tuning.c) */
    argand_fft_options options;
} kind;

static const kind kinds[] = {
    {"a small volume", "", {.type = ARGAND_C32, .rank = 3, .n = {32, 32, 32}, .batch = 1}},
    {"a volume", "", {.type = ARGAND_C32, .rank = 3, .n = {96, 96, 96}, .batch = 1}},
    {"three passes",
     "separate_axes 1 chunk_kib 0",
     {.type = ARGAND_C32, .rank = 3, .n = {64, 64, 64}, .batch = 2}},
    {"one pass", "", {.type = ARGAND_C32, .rank = 1, .n = {1024}, .batch = 3000}},
    {"a long line", "no_cluster 1", {.type = ARGAND_C32, .rank = 1, .n = {65536}, .batch = 2}},
    {"clusters", "", {.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 7}},
    {"waves", "no_cluster 1 chunk_kib 512", {.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 20}},
    {"a large prime", "", {.type = ARGAND_C32, .rank = 1, .n = {10007}, .batch = 3}},
    {"double", "", {.type = ARGAND_C64, .rank = 3, .n = {48, 50, 30}, .batch = 1}}};
enum { KINDS = sizeof kinds / sizeof *kinds, STEPS = 60 };

static argand_array *make_array(const kind *k)
{
    argand_array *array;
    int64_t dims[4];
    for (int d = 0; d < k->options.rank; d++) dims[d] = k->options.n[d];
    dims[k->options.rank] = k->options.batch;
    OK(argand_array_create(&array, device, k->options.type, k->options.rank + 1, dims));
    return array;
}

/* What other work may come between two executions. */
static void between(int step, argand_array *now, argand_array *other)
{
    if (step % 7 == 3) OK(argand_array_scale(now, (argand_scalar){0.5, 0.25}));
    if (step % 11 == 5) {
        OK(argand_array_copy(other, now));
        OK(argand_array_copy(now, other));
    }
}

static double *chain(const kind *k, const argand_fft *plan, bool waits, bool other_work)
{
    argand_array *a = make_array(k), *b = make_array(k);
    randomise(a, 5, -0.5, 0.5);
    OK(argand_device_wait(device));
    for (int step = 0; step < STEPS; step++) {
        argand_array *const from = step % 2 ? b : a, *const to = step % 2 ? a : b;
        OK(argand_fft_apply(plan, to, from, step % 3 == 2 ? ARGAND_INVERSE : ARGAND_FORWARD));
        if (other_work) between(step, to, from);
        if (waits) OK(argand_device_wait(device));
    }
    double *numbers = as_doubles(a);
    argand_array_destroy(a);
    argand_array_destroy(b);
    return numbers;
}

static argand_fft *make_plan(const kind *k, const char *more_parameters)
{
    argand_fft *plan;
    argand_fft_options options = k->options;
    char parameters[256];
    snprintf(parameters, sizeof parameters, "%s%s", k->parameters, more_parameters);
    setenv("ARGAND_FFT_TUNING", parameters, 1);
    options.scale = ARGAND_SCALE_UNITARY;
    OK(argand_fft_create(&plan, device, &options));
    return plan;
}

static void chains_are_the_same_without_waits(void **state)
{
    (void)state;
    setenv("ARGAND_FFT_ENGINE", "native", 1);
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        argand_fft *const plan = make_plan(k, " graph_kib 16384"), *const one_by_one =
                                                                       make_plan(k, " graph_kib 0");
        const argand_fft_options options = k->options;
        size_t count = 2 * (size_t)options.batch;
        for (int d = 0; d < options.rank; d++) count *= (size_t)options.n[d];
        for (int other_work = 0; other_work < 2; other_work++) {
            double *expected = chain(k, one_by_one, true, other_work), largest = 0;
            for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(expected[i]));
            assert_true(largest > 1e-6 && largest < 1e6); /* a chain of zeros would prove nothing */
            for (int repeat = 0; repeat < 3; repeat++) {
                double *got = chain(k, plan, false, other_work);
                if (memcmp(got, expected, count * sizeof *got))
                    fail_msg("%s%s: other bits without waits", k->name,
                             other_work ? ", with other work" : "");
                free(got);
            }
            free(expected);
        }
        argand_fft_destroy(plan);
        argand_fft_destroy(one_by_one);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(chains_are_the_same_without_waits)};
RUN_TESTS(tests)
