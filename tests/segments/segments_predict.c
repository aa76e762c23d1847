/* SPDX-License-Identifier: BSD-3-Clause */
/* What the prediction says, as far as it does not depend on the machine. */
#include "segments.h"

static argand_segments_times predicted(argand_segments_problem p)
{
    argand_segments_times times;
    OK(argand_segments_predict(&times, device, &p));
    assert_true(times.exact > 0 && times.segmented > 0 && times.terms >= 1);
    return times;
}

/* A handful of pixels with many terms is faster by the sum, a large image by the NUFFT (where the CPU
 * computes both). */
static void extremes(void **state)
{
    (void)state;
    const argand_segments_problem small = {
        .type = ARGAND_C32, .rank = 2, .n = {16, 15}, .samples = 300, .vectors = 1, .cycles = 30};
    argand_segments_problem large = {
        .type = ARGAND_C32, .rank = 2, .n = {257, 250}, .samples = 60000, .vectors = 8, .cycles = 4};
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    assert_true(predicted(small).exact < predicted(small).segmented);
    if (strcmp(info.backend, "cpu") == 0)
        assert_true(predicted(large).exact > 3 * predicted(large).segmented);
    const argand_segments_times single = predicted(large);
    large.inside = 257 * 25;
    assert_true(predicted(large).exact < single.exact);
    large.type = ARGAND_C64;
    assert_true(predicted(large).segmented > single.segmented);
    large.terms = 20;
    assert_int_equal(predicted(large).terms, 20);
}

/* The number of terms without making them: within two of what uniform fields need. */
static void terms(void **state)
{
    (void)state;
    for (int hertz = 10; hertz <= 640; hertz *= 2)
        for (double tolerance = 1e-2; tolerance > 1e-7; tolerance /= 100) {
            field_case c = new_case(500, 400, false, false);
            argand_segments *s;
            argand_segments_info info;
            for (int n = 0; n < 500; n++) c.w[n] = 6.283185307179586 * hertz * (n / 249.5 - 1);
            for (int j = 0; j < 400; j++) c.t[j] = 0.02 * j / 399;
            OK(create(&s, &c, (argand_segments_options){.type = ARGAND_C64, .tolerance = tolerance}));
            argand_segments_describe(s, &info);
            const argand_segments_times times = predicted((argand_segments_problem){.type = ARGAND_C64,
                                                                                    .rank = 1,
                                                                                    .n = {500},
                                                                                    .samples = 400,
                                                                                    .cycles = info.cycles,
                                                                                    .tolerance = tolerance});
            if (abs(times.terms - info.terms) > 2)
                fail_msg("%g cycles, tolerance %g: %d predicted, %d needed", info.cycles, tolerance,
                         times.terms, info.terms);
            argand_segments_destroy(s);
            free_case(&c);
        }
    assert_int_equal(
        predicted((argand_segments_problem){.type = ARGAND_C32, .rank = 1, .n = {9}, .samples = 9}).terms, 1);
}

static void refuses(void **state)
{
    (void)state;
    argand_segments_times times;
    argand_segments_problem p = {.type = ARGAND_C32, .rank = 2, .n = {8, 8}, .samples = 9};
    FAILS(argand_segments_predict(NULL, device, &p), ARGAND_ARGUMENT, "no place");
    FAILS(argand_segments_predict(&times, NULL, &p), ARGAND_ARGUMENT, "no device");
    FAILS(argand_segments_predict(&times, device, NULL), ARGAND_ARGUMENT, "no problem");
    p.n[1] = 0;
    FAILS(argand_segments_predict(&times, device, &p), ARGAND_ARGUMENT, "n[1] is 0");
    p.rank = 4;
    FAILS(argand_segments_predict(&times, device, &p), ARGAND_ARGUMENT, "rank must be");
    p = (argand_segments_problem){.type = ARGAND_R32, .rank = 1, .n = {8}, .samples = 9};
    FAILS(argand_segments_predict(&times, device, &p), ARGAND_ARGUMENT, "type must be");
    p.type = ARGAND_C32;
    p.cycles = NAN;
    FAILS(argand_segments_predict(&times, device, &p), ARGAND_ARGUMENT, "nan cycles");
    p.cycles = 1;
    p.samples = 0;
    FAILS(argand_segments_predict(&times, device, &p), ARGAND_ARGUMENT, "0 samples");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(extremes), cmocka_unit_test(terms),
                                          cmocka_unit_test(refuses)};
RUN_TESTS(tests)
