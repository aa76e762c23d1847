/* SPDX-License-Identifier: BSD-3-Clause */
/* Wisdom of a chip of the same kind: a GPU of capability 9.0 without an entry of its own takes the H200's.
 * Over the fake driver, which has such a chip. */
#include "../../harness.h"

#define PROBLEM "c32 1000 batch 64"
#define ENTRY(device, variant) \
    "argand wisdom 1\ndevice\t" device "\n" PROBLEM "\tnative\t" variant "\t1000.000e-9\n"

static argand_fft_options problem(argand_effort effort)
{
    return (argand_fft_options){
        .type = ARGAND_C32, .rank = 1, .n = {1000}, .batch = 64, .effort = effort, .measure_seconds = 1e-9};
}

static argand_fft_candidate taken(void)
{
    const argand_fft_options options = problem(ARGAND_ESTIMATE);
    argand_fft *plan;
    argand_fft_candidate candidate = {0};
    OK(argand_fft_create(&plan, device, &options));
    for (int i = 0; i < argand_fft_candidate_count(plan) && !candidate.taken; i++)
        OK(argand_fft_candidate_describe(plan, i, &candidate));
    argand_fft_destroy(plan);
    return candidate;
}

static int forget(void **state)
{
    (void)state;
    argand_fft_wisdom_forget();
    return 0;
}

static void a_relatives_tuning_is_taken(void **state)
{
    (void)state;
    OK(argand_fft_wisdom_import(ENTRY("NVIDIA H200", "radices 101010 prefetch_distance 1")));
    const argand_fft_candidate c = taken();
    assert_string_equal(c.variant, "radices 101010 prefetch_distance 1");
    assert_string_equal(c.reason, "taken: the fastest on NVIDIA H200, a chip of the same kind");
    assert_true(c.measured == 0); /* not on this one */
}

static void its_own_come_first(void **state)
{
    (void)state;
    OK(argand_fft_wisdom_import(ENTRY("NVIDIA H200", "radices 101010 prefetch_distance 1")));
    OK(argand_fft_wisdom_import(ENTRY("Fake 0", "radices 101010 row_lines 1")));
    const argand_fft_candidate c = taken();
    assert_string_equal(c.variant, "radices 101010 row_lines 1");
    assert_string_equal(c.reason, "taken: wisdom says it was the fastest");
}

static void other_chips_tuning_is_not(void **state)
{
    (void)state;
    OK(argand_fft_wisdom_import(ENTRY("NVIDIA L40S", "radices 101010 prefetch_distance 1")));
    assert_string_not_equal(taken().variant, "radices 101010 prefetch_distance 1");
}

/* That it measures is seen from what it says of kernels that compute nothing, as the fake driver's do. */
static void measuring_does_not_believe_a_relative(void **state)
{
    (void)state;
    const argand_fft_options options = problem(ARGAND_MEASURE);
    argand_fft *plan;
    OK(argand_fft_wisdom_import(ENTRY("NVIDIA H200", "radices 101010 prefetch_distance 1")));
    FAILS(argand_fft_create(&plan, device, &options), ARGAND_INTERNAL, "the norm of its result is 0");
    OK(argand_fft_wisdom_import(ENTRY("Fake 0", "radices 101010 row_lines 1")));
    OK(argand_fft_create(&plan, device, &options));
    argand_fft_destroy(plan);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(a_relatives_tuning_is_taken, forget, forget),
    cmocka_unit_test_setup_teardown(its_own_come_first, forget, forget),
    cmocka_unit_test_setup_teardown(other_chips_tuning_is_not, forget, forget),
    cmocka_unit_test_setup_teardown(measuring_does_not_believe_a_relative, forget, forget)};
RUN_TESTS(tests)
