/* SPDX-License-Identifier: BSD-3-Clause */
/* What plans refuse, in which words, and that nothing leaks when memory runs out. */
#include "direct.h"
#include "base/memory.h"

static void refuse(const argand_fft_options *options, argand_status status, const char *words)
{
    argand_fft *plan = (argand_fft *)1;
    FAILS(argand_fft_create(&plan, device, options), status, words);
    assert_null(plan);
}

static void options(void **state)
{
    (void)state;
    argand_fft *plan;
    FAILS(argand_fft_create(&plan, device, NULL), ARGAND_ARGUMENT, "no options");
    FAILS(argand_fft_create(&plan, NULL, &(argand_fft_options){0}), ARGAND_ARGUMENT, "no device");
    refuse(&(argand_fft_options){.rank = 1, .n = {4}}, ARGAND_ARGUMENT, "set .type");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .n = {4}}, ARGAND_ARGUMENT, "rank 0");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 9, .n = {4}}, ARGAND_ARGUMENT, "rank 9");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {4}}, ARGAND_ARGUMENT, "length 1 is 0");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {4, -3}}, ARGAND_ARGUMENT,
           "length 1 is -3");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .batch = -1}, ARGAND_ARGUMENT,
           "batch of -1");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {INT64_C(1) << 40, INT64_C(1) << 40}},
           ARGAND_ARGUMENT, "too many elements");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .batch = INT64_MAX / 8},
           ARGAND_ARGUMENT, "too many elements");
    refuse(&(argand_fft_options){.type = ARGAND_R32, .rank = 1, .n = {4}, .centred = true},
           ARGAND_UNSUPPORTED, "centred");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .scale = (argand_fft_scale)3},
           ARGAND_ARGUMENT, "scale 3");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .effort = (argand_effort)3},
           ARGAND_ARGUMENT, "effort 3");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .measure_seconds = -1},
           ARGAND_ARGUMENT, "measure_seconds is -1");
    refuse(
        &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .spectrum_order = (argand_fft_order)2},
        ARGAND_ARGUMENT, "ARGAND_ORDER_SCRAMBLED");
}

static void axes(void **state)
{
    (void)state;
    argand_fft_options o = {
        .type = ARGAND_C32, .rank = 2, .axes_given = true, .axes = {{4, 1, 1}, {4, 4, 3}}};
    refuse(&o, ARGAND_ARGUMENT, "two output elements are one");
    o.axes[1].out_stride = 0;
    refuse(&o, ARGAND_ARGUMENT, "two output elements are one");
    o.axes[1].out_stride = INT64_MAX;
    refuse(&o, ARGAND_ARGUMENT, "beyond any memory");
    o.axes[1].out_stride = 4;
    o.loops = 9;
    refuse(&o, ARGAND_ARGUMENT, "9 loops");
    o.loops = 1;
    refuse(&o, ARGAND_ARGUMENT, "loop 0 is 0");
    /* 2 and 3 elements at strides 3 and 2 are six different ones: allowed, and so are repeated inputs */
    argand_fft *plan;
    OK(argand_fft_create(
        &plan, device,
        &(argand_fft_options){
            .type = ARGAND_C32, .rank = 2, .axes_given = true, .axes = {{2, 0, 3}, {3, 0, 2}}}));
    argand_fft_destroy(plan);
    /* the real side is written by the inverse */
    refuse(&(argand_fft_options){.type = ARGAND_R32, .rank = 1, .axes_given = true, .axes = {{4, 0, 1}}},
           ARGAND_ARGUMENT, "two real elements are one");
}

static void arrays(void **state)
{
    (void)state;
    argand_fft *plan =
        new_plan(&(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {6, 4}, .batch = 2});
    argand_fft *real = new_plan(&(argand_fft_options){.type = ARGAND_R32, .rank = 1, .n = {6}});
    argand_array *right = new_array(ARGAND_C32, 3, (int64_t[]){6, 4, 2}),
                 *other = new_array(ARGAND_C32, 3, (int64_t[]){6, 4, 2}),
                 *wide = new_array(ARGAND_C64, 3, (int64_t[]){6, 4, 2}),
                 *few = new_array(ARGAND_C32, 2, (int64_t[]){6, 4}),
                 *turned = new_array(ARGAND_C32, 3, (int64_t[]){4, 6, 2}),
                 *six = new_array(ARGAND_R32, 1, (int64_t[]){6}),
                 *three = new_array(ARGAND_C32, 1, (int64_t[]){3}), *repeated;
    FAILS(argand_fft_apply(plan, right, NULL, ARGAND_FORWARD), ARGAND_ARGUMENT, "no input array");
    FAILS(argand_fft_apply(NULL, right, other, ARGAND_FORWARD), ARGAND_ARGUMENT, "no plan");
    FAILS(argand_fft_apply(plan, right, other, (argand_direction)0), ARGAND_ARGUMENT, "direction 0");
    FAILS(argand_fft_apply(plan, right, wide, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "the input is complex double, but this plan wants complex float");
    FAILS(argand_fft_apply(plan, few, right, ARGAND_FORWARD), ARGAND_ARGUMENT, "holds 1 transforms");
    FAILS(argand_fft_apply(plan, right, turned, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "dimension 0 of the input is 4");
    FAILS(argand_fft_apply(real, three, six, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "dimension 0 of the output is 3, but the plan has 4");
    FAILS(argand_fft_apply(real, six, six, ARGAND_FORWARD), ARGAND_ARGUMENT, "wants complex float");
    OK(argand_array_view(&repeated, few, 3, (int64_t[]){6, 4, 2}, (int64_t[]){1, 6, 0}, 0));
    OK(argand_fft_apply(plan, right, repeated, ARGAND_FORWARD));
    FAILS(argand_fft_apply(plan, repeated, right, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "two output elements are one");
    argand_array_destroy(repeated);
    argand_array_destroy(right);
    argand_array_destroy(other);
    argand_array_destroy(wide);
    argand_array_destroy(few);
    argand_array_destroy(turned);
    argand_array_destroy(six);
    argand_array_destroy(three);
    argand_fft_destroy(plan);
    argand_fft_destroy(real);
    argand_fft_destroy(NULL);
}

static void out_of_memory(void **state)
{
    (void)state;
    argand_array *x = new_array(ARGAND_R32, 2, (int64_t[]){6, 4}),
                 *y = new_array(ARGAND_C32, 2, (int64_t[]){4, 4});
    int failures = 0;
    for (long n = 1; n < 100; n++) {
        argand_fft *plan = NULL;
        argand_test_fail_allocation(n);
        argand_status status = argand_fft_create(
            &plan, device, &(argand_fft_options){.type = ARGAND_R32, .rank = 2, .n = {6, 4}});
        if (!status) status = argand_fft_apply(plan, y, x, ARGAND_FORWARD);
        if (!status) status = argand_fft_apply(plan, x, y, ARGAND_INVERSE);
        argand_test_fail_allocation(0);
        argand_fft_destroy(plan);
        if (!status) break;
        assert_int_equal(status, ARGAND_MEMORY);
        failures++;
    }
    assert_in_range(failures, 3, 50);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

/* Where memory for measuring runs out the plan is made by prediction; where it runs out altogether there is
 * none. */
static void out_of_memory_measured(void **state)
{
    (void)state;
    int made = 0, refused = 0;
    for (long n = 1; n <= 120; n++) {
        argand_fft *plan = NULL;
        argand_test_fail_allocation(n);
        const argand_status status = argand_fft_create(&plan, device,
                                                       &(argand_fft_options){.type = ARGAND_C32,
                                                                             .rank = 2,
                                                                             .n = {6, 5},
                                                                             .effort = ARGAND_MEASURE,
                                                                             .measure_seconds = 1e-3});
        argand_test_fail_allocation(0);
        assert_true(status == ARGAND_OK ? plan != NULL : status == ARGAND_MEMORY && !plan);
        *(status == ARGAND_OK ? &made : &refused) += 1;
        argand_fft_destroy(plan);
    }
    assert_true(made > 0 && refused > 0);
}

static void prints(void **state)
{
    (void)state;
    char text[512];
    argand_fft *plan = new_plan(
        &(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 8, .centred = true});
    argand_fft_print(plan, text, sizeof text);
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (info.host_addressable) /* whichever way the lines go */
        assert_ptr_equal(strstr(text, "(fft c32 256x256 batch 8 centred (passes ("), text);
    else /* by the device's kernels, by its library, or on the host */
        assert_true(strstr(text, "centred (box ") || strstr(text, "(cufft ") ||
                    strstr(text, "centred (on cpu (passes ("));
    assert_string_equal(text + strlen(text) - 2, "))");
    argand_fft_print(plan, text, 8);
    assert_string_equal(text, "(fft c3");
    argand_fft_destroy(plan);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(options),
                                          cmocka_unit_test(axes),
                                          cmocka_unit_test(arrays),
                                          cmocka_unit_test(out_of_memory),
                                          cmocka_unit_test(out_of_memory_measured),
                                          cmocka_unit_test(prints)};
RUN_TESTS(tests)
