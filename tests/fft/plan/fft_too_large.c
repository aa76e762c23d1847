/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms that no memory holds are refused before anything is taken for them: of every kind, and what
 * stands on them. Tables that a length needs, and arrays to measure with, are compared with what there is
 * before the first of them is made. */
#include "harness.h"
#include "base/memory_available.h"

enum { LITTLE = 1 << 20 }; /* bytes that a refusal may take */

static const int64_t huge = INT64_C(1) << 40;

/* Refused for want of memory, of which next to none was taken. */
static void refuse(const argand_fft_options *o)
{
    argand_fft *plan;
    const uint64_t before = argand_test_bytes_taken();
    FAILS(argand_fft_create(&plan, device, o), ARGAND_MEMORY, "no memory for");
    assert_null(plan);
    assert_true(argand_test_bytes_taken() - before < LITTLE);
}

static void every_kind(argand_type type, argand_effort effort)
{
    const argand_fft_options plain = {.type = type, .rank = 1, .n = {huge}, .effort = effort};
    argand_fft_options o = plain;
    refuse(&o);
    o.batch = 7;
    refuse(&o);
    o = (argand_fft_options){
        .type = type, .rank = 1, .axes_given = true, .axes = {{huge, 1, 1}}, .effort = effort};
    refuse(&o);
    o.axes[0] = (argand_axis){huge, 3, 5};
    refuse(&o);
    o.loops = 1;
    o.loop[0] = (argand_axis){3, 1, 1};
    refuse(&o);
    o = plain;
    o.rank = 3;
    o.n[0] = o.n[1] = 1 << 10, o.n[2] = 1 << 20;
    refuse(&o);
    o = plain;
    o.n[0] = huge + 1; /* a prime factor above 13 */
    refuse(&o);
    o = plain;
    o.input.window[0].count = 100; /* a line all the same */
    refuse(&o);
}

static void transforms(void **state)
{
    (void)state;
    for (int type = ARGAND_R32; type <= ARGAND_C64; type++)
        for (int effort = ARGAND_ESTIMATE; effort <= ARGAND_REMEASURE; effort++)
            every_kind((argand_type)type, (argand_effort)effort);
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {huge}, .centred = true});
    refuse(&(argand_fft_options){.type = ARGAND_R32, .rank = 1, .n = {huge}, .half_packed = true});
    refuse(&(argand_fft_options){
        .type = ARGAND_C64, .rank = 1, .n = {huge}, .spectrum_order = ARGAND_ORDER_SCRAMBLED});
}

/* By Bluestein, by Rader and in a batch, whose tables are several times as large as the line */
static void tables(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1000003, 7340033, 2 * 1000003};
    argand_test_memory_available(50000000);
    for (int i = 0; i < 3; i++)
        for (int type = ARGAND_R32; type <= ARGAND_C64; type++)
            refuse(&(argand_fft_options){.type = (argand_type)type, .rank = 1, .n = {lengths[i]}});
    argand_test_memory_available(0);
}

/* A batch that does not fit is no reason to refuse a plan: it may come from a mapped file. But nothing can be
 * measured then, and the prediction is taken. */
static void measurements(void **state)
{
    (void)state;
    const argand_fft_options options[] = {{.type = ARGAND_C64, .rank = 1, .n = {256}, .batch = 1 << 20},
                                          {.type = ARGAND_R32, .rank = 2, .n = {64, 64}, .batch = 1 << 20},
                                          {.type = ARGAND_C32,
                                           .rank = 1,
                                           .axes_given = true,
                                           .axes = {{64, INT64_C(1) << 33, INT64_C(1) << 33}},
                                           .loops = 1,
                                           .loop = {{3, 1, 1}}}};
    argand_test_memory_available(50000000);
    for (int i = 0; i < 3; i++) {
        argand_fft_options o = options[i];
        argand_fft *plan;
        o.effort = ARGAND_REMEASURE;
        o.measure_seconds = 0.1;
        const uint64_t before = argand_test_bytes_taken();
        OK(argand_fft_create(&plan, device, &o));
        assert_true(argand_test_bytes_taken() - before < 100 * LITTLE);
        argand_fft_destroy(plan);
    }
    argand_test_memory_available(0);
}

static argand_array *points(void)
{
    argand_array *k;
    OK(argand_array_create(&k, device, ARGAND_R64, 1, (int64_t[]){20}));
    randomise(k, 1, -3, 3);
    return k;
}

static void others(void **state)
{
    (void)state;
    argand_array *k = points();
    const uint64_t before = argand_test_bytes_taken();
    for (int real = 0; real < 2; real++) {
        const int64_t n = (1 << 28) - 1;
        argand_nufft *plan;
        const argand_nufft_options o = {
            .type = ARGAND_C64, .rank = 3, .n = {n, n, n}, .real_image = real != 0};
        FAILS(argand_nufft_create(&plan, device, &o), ARGAND_MEMORY, "no memory for");
    }
    for (int method = ARGAND_CONV_AUTO; method <= ARGAND_CONV_FFT; method += 2) {
        argand_conv *plan;
        const argand_conv_options o = {.type = ARGAND_R32,
                                       .rank = 1,
                                       .n = {huge},
                                       .kernel = {1001},
                                       .method = (argand_conv_method)method,
                                       .effort = method ? ARGAND_REMEASURE : ARGAND_ESTIMATE};
        FAILS(argand_conv_create(&plan, device, &o), ARGAND_MEMORY, "no memory for");
    }
    argand_toeplitz *toeplitz;
    const argand_toeplitz_options t = {
        .type = ARGAND_C64, .rank = 3, .n = {1 << 15, 1 << 15, 1 << 15}, .k = {k, k, k}};
    FAILS(argand_toeplitz_create(&toeplitz, device, &t), ARGAND_MEMORY, "no memory for");
    argand_field *field;
    const argand_field_options f = {
        .type = ARGAND_C64, .rank = 3, .n = {1 << 13, 1 << 13, 1 << 13}, .k = {k, k, k}};
    FAILS(argand_field_create(&field, device, &f), ARGAND_MEMORY, "no memory for");
    assert_true(argand_test_bytes_taken() - before < 200 * LITTLE); /* tables of tiles */
    argand_array_destroy(k);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(transforms), cmocka_unit_test(tables),
                                          cmocka_unit_test(measurements), cmocka_unit_test(others)};
RUN_TESTS(tests)
