/* SPDX-License-Identifier: BSD-3-Clause */
/* What plans refuse, with which message, and that nothing leaks when memory runs out. */
#include "fft/direct.h"
#include "base/memory.h"
#include "fft/problem/problem.h"

static void refuse(const argand_fft_options *options, argand_status status, const char *message)
{
    argand_fft *plan = (argand_fft *)1;
    FAILS(argand_fft_create(&plan, device, options), status, message);
    assert_null(plan);
}

static void options(void **state)
{
    (void)state;
    argand_fft *plan;
    FAILS(argand_fft_create(&plan, device, NULL), ARGAND_ARGUMENT, "no options");
    FAILS(argand_fft_create(&plan, NULL, &(argand_fft_options){0}), ARGAND_ARGUMENT, "no device");
    refuse(&(argand_fft_options){.rank = 1, .n = {4}}, ARGAND_ARGUMENT, "set .type");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .n = {4}}, ARGAND_ARGUMENT, "rank is 0");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 9, .n = {4}}, ARGAND_ARGUMENT, "rank is 9");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {4}}, ARGAND_ARGUMENT, "length 1 is 0");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {4, -3}}, ARGAND_ARGUMENT,
           "length 1 is -3");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .batch = -1}, ARGAND_ARGUMENT,
           "batch is -1");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {INT64_C(1) << 40, INT64_C(1) << 40}},
           ARGAND_ARGUMENT, "too many elements");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .batch = INT64_MAX},
           ARGAND_ARGUMENT, "with a batch of 9223372036854775807 the transform has too many elements");
    refuse(&(argand_fft_options){.type = ARGAND_R32, .rank = 1, .n = {4}, .centred = true},
           ARGAND_UNSUPPORTED, "input.window[axis].first = -(n[axis] / 2)");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .scale = (argand_fft_scale)3},
           ARGAND_ARGUMENT, "scale 3");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .effort = (argand_effort)3},
           ARGAND_ARGUMENT, "effort 3");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .measure_seconds = -1},
           ARGAND_ARGUMENT, "measure_seconds is -1");
    refuse(
        &(argand_fft_options){
            .type = ARGAND_C32, .rank = 1, .n = {4}, .input = {.type = ARGAND_R32, .imaginary = INT64_MAX}},
        ARGAND_ARGUMENT, "beyond any memory");
    refuse(
        &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .spectrum_order = (argand_fft_order)2},
        ARGAND_ARGUMENT, "ARGAND_ORDER_SCRAMBLED");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .axes = {{4, 1, 1}}}, ARGAND_ARGUMENT,
           "set axes_given, or give n");
    refuse(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {4}, .loops = 1, .loop = {{3, 4, 4}}},
           ARGAND_ARGUMENT, "loops is 1, but loops are read only if axes_given is true");
}

/* What the environment asks for and nobody knows, by the variable's name. */
static void environment(void **state)
{
    (void)state;
    const argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {4}};
    setenv("ARGAND_FFT_ENGINE", "nonsense", 1);
    refuse(&o, ARGAND_ARGUMENT,
           "ARGAND_FFT_ENGINE is \"nonsense\"; the engines are cufft, native, general, passes, accessors, "
           "fused, staged");
    setenv("ARGAND_FFT_ENGINE", "", 1);
    argand_fft_destroy(new_plan(&o));
    unsetenv("ARGAND_FFT_ENGINE");
    setenv("ARGAND_FFT_TUNING", "threads 128; chunk_kib 0 thraeds 64 points_per_thread 10", 1);
    refuse(&o, ARGAND_ARGUMENT,
           "ARGAND_FFT_TUNING has \"thraeds 64 points_per_thread 10\", which is no parameter and its number; "
           "known are threads, "
           "points_per_thread,");
    setenv("ARGAND_FFT_TUNING", "chunk_kib 0 threads 5000", 1);
    refuse(&o, ARGAND_ARGUMENT, "ARGAND_FFT_TUNING has \"threads 5000\"; behind threads stands 32 to 1024");
    setenv("ARGAND_FFT_TUNING", "points_per_thread", 1);
    refuse(&o, ARGAND_ARGUMENT,
           "ARGAND_FFT_TUNING has \"points_per_thread\"; behind points_per_thread stands 2 to 49");
    setenv("ARGAND_FFT_TUNING",
           "threads 128 points_per_thread 10 chunk_kib 0 segment_bytes 128 streaming 2 prefetch_next 1 "
           "min_blocks 3 chunk_lag 14 exchange_mode 1 no_cluster 1 dependent_launch 0",
           1);
    refuse(&o, ARGAND_ARGUMENT, "a variant has fewer than 159 characters");
    setenv("ARGAND_FFT_TUNING", "standard; threads 128 ;", 1);
    argand_fft_destroy(new_plan(&o));
    unsetenv("ARGAND_FFT_TUNING");
}

/* An accessor behind an empty place would be lost. */
static void gaps(void **state)
{
    (void)state;
    const argand_accessor half = {.kind = ARGAND_ACCESS_SCALE, .scalar = {0.5, 0}};
    argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {4}}, adjoint;
    argand_array *x = new_array(ARGAND_C32, 1, o.n);
    o.access.load[1] = half;
    refuse(&o, ARGAND_ARGUMENT, "argand_fft_create: access.load[1] follows an empty entry");
    FAILS(argand_fft_adjoint(&adjoint, &o), ARGAND_ARGUMENT,
          "argand_fft_adjoint: access.load[1] follows an empty entry");
    o.access.load[0] = half;
    argand_fft *plan = new_plan(&o);
    o.access.store[3] = half;
    FAILS(argand_fft_apply_access(plan, x, x, ARGAND_FORWARD, &o.access), ARGAND_ARGUMENT,
          "argand_fft_apply_access: access.store[3] follows an empty entry");
    argand_fft_destroy(plan);
    argand_array_destroy(x);
}

static void axes(void **state)
{
    (void)state;
    argand_fft_options o = {
        .type = ARGAND_C32, .rank = 2, .axes_given = true, .axes = {{4, 1, 1}, {4, 4, 3}}};
    refuse(&o, ARGAND_ARGUMENT, "two output elements share one address");
    o.axes[1].out_stride = 0;
    refuse(&o, ARGAND_ARGUMENT, "two output elements share one address");
    o.axes[1].out_stride = INT64_MAX;
    refuse(&o, ARGAND_ARGUMENT, "beyond any memory");
    o.input.window[0].count = 3; /* also where the arrays say how many there are */
    refuse(&o, ARGAND_ARGUMENT, "beyond any memory");
    o.input.window[0].count = 0;
    o.axes[1].out_stride = 4;
    o.loops = 9;
    refuse(&o, ARGAND_ARGUMENT, "loops is 9");
    o.loops = 1;
    refuse(&o, ARGAND_ARGUMENT, "loop 0 is 0");
    /* 2 and 3 elements at strides 3 and 2 are six different ones: allowed, and so are repeated inputs */
    argand_fft *plan;
    OK(argand_fft_create(
        &plan, device,
        &(argand_fft_options){
            .type = ARGAND_C32, .rank = 2, .axes_given = true, .axes = {{2, 0, 3}, {3, 0, 2}}}));
    argand_fft_destroy(plan);
    /* the real array is written by the inverse */
    refuse(&(argand_fft_options){.type = ARGAND_R32, .rank = 1, .axes_given = true, .axes = {{4, 0, 1}}},
           ARGAND_ARGUMENT, "two real elements share one address");
}

/* Strides of the plan and others of the arrays: one of the two would be ignored. */
static void other_strides(void **state)
{
    (void)state;
    argand_array *memory = new_array(ARGAND_C32, 1, (int64_t[]){300}), *view,
                 *out = new_array(ARGAND_C32, 2, (int64_t[]){6, 5});
    argand_fft *plan = new_plan(&(argand_fft_options){.type = ARGAND_C32,
                                                      .rank = 1,
                                                      .axes_given = true,
                                                      .axes = {{6, 2, 1}},
                                                      .loops = 1,
                                                      .loop = {{5, 20, 6}}});
    static const int64_t dims[][2] = {{6, 5}, {5, 6}, {6, 5}, {5, 5}, {6, 5}},
                         strides[][2] = {{2, 20}, {20, 2}, {3, 20}, {2, 20}, {2, 21}};
    for (int i = 0; i < 5; i++) {
        OK(argand_array_view(&view, memory, 2, dims[i], strides[i], 0));
        if (i < 2) /* as the plan has it, in any order */
            OK(argand_fft_apply(plan, out, view, ARGAND_FORWARD));
        else
            FAILS(argand_fft_apply(plan, out, view, ARGAND_FORWARD), ARGAND_ARGUMENT,
                  i == 4 ? "loop 0 has 5 elements at stride 20" : "axis 0 has 6 elements at stride 2");
        argand_array_destroy(view);
    }
    OK(argand_fft_apply(plan, out, memory, ARGAND_FORWARD));
    argand_fft_destroy(plan);
    argand_array_destroy(memory);
    argand_array_destroy(out);
}

/* Whether elements at these lengths and strides are disjoint, as plans see it. */
static bool are_distinct(int axes, const int64_t (*strides)[2])
{
    fft_geometry g = {.rank = 1, .axes = {{1, 1, 1}}, .loops = axes};
    for (int i = 0; i < axes; i++) g.loop[i] = (argand_axis){strides[i][0], 0, strides[i][1]};
    const argand_status status = geometry_check_output(&g, true, 1);
    if (status == ARGAND_OK) return true;
    if (status != ARGAND_ARGUMENT || !strstr(argand_message(), "two output elements share one address"))
        fail_msg("%s", argand_message());
    return false;
}

/* The same, by all the places. */
static bool have_no_place_twice(int axes, const int64_t (*strides)[2])
{
    enum { MOST = 4096 };
    int64_t at[MOST], count = 1;
    for (int i = 0; i < axes; i++) count *= strides[i][0];
    assert_true(count <= MOST);
    for (int64_t index = 0; index < count; index++) {
        int64_t rest = index;
        at[index] = 0;
        for (int i = 0; i < axes; rest /= strides[i++][0]) at[index] += rest % strides[i][0] * strides[i][1];
        for (int64_t k = 0; k < index; k++)
            if (at[k] == at[index]) return false;
    }
    return true;
}

/* Strides of great reach, and random small ones, half of which are woven: neither memory nor time is taken
 * for what lies in between. */
static void woven_strides(void **state)
{
    (void)state;
    const int64_t far = INT64_C(1) << 36;
    assert_false(are_distinct(2, (const int64_t[][2]){{4, far}, {4, far}}));
    assert_false(are_distinct(2, (const int64_t[][2]){{4, far}, {4, -far}}));
    assert_false(are_distinct(2, (const int64_t[][2]){{4, 3 * far}, {4, 2 * far}}));
    assert_true(are_distinct(2, (const int64_t[][2]){{2, 3 * far}, {3, 2 * far}}));
    assert_true(are_distinct(3, (const int64_t[][2]){{2, 3 * far}, {5, 1}, {3, -2 * far}}));
    assert_true(are_distinct(3, (const int64_t[][2]){{2, 3 * far}, {5, 1}, {3, 2 * far + 1}}));
    assert_false(are_distinct(3, (const int64_t[][2]){{3, 3 * far}, {5, 1}, {4, 2 * far + 1}}));
    assert_true(are_distinct(2, (const int64_t[][2]){{1 << 20, (1 << 20) + 1}, {1 << 20, 1 << 20}}));
    assert_false(
        are_distinct(2, (const int64_t[][2]){{(1 << 20) + 2, 1 << 20}, {(1 << 20) + 1, (1 << 20) + 1}}));
    refuse(&(argand_fft_options){.type = ARGAND_C32,
                                 .rank = 1,
                                 .axes_given = true,
                                 .axes = {{1, 1, 1}},
                                 .loops = 5,
                                 .loop = {{1000, 0, 9999999943333},
                                          {1000, 0, 9876543210987},
                                          {1000, 0, 9765432109871},
                                          {1000, 0, 9654321098761},
                                          {1000, 0, 9543210987653}}},
           ARGAND_UNSUPPORTED, "the check takes too long");
    random_state random = {11};
    int distinct = 0, all = 0;
    for (; all < 3000; all++) {
        int64_t strides[4][2];
        const int axes = 2 + all % 3;
        for (int i = 0; i < axes; i++) {
            strides[i][0] = 1 + (int64_t)(5 * random_uniform(&random));
            strides[i][1] = (int64_t)(120 * random_uniform(&random)) - 60;
        }
        const bool expected = have_no_place_twice(axes, strides);
        assert_int_equal(are_distinct(axes, strides), expected);
        distinct += expected;
    }
    assert_in_range(distinct, all / 5, 4 * all / 5);
}

/* Executions ask again, and allocate nothing for it (what other devices' do for strided arrays aside). */
static void woven_views(void **state)
{
    argand_device_info info;
    (void)state;
    OK(argand_device_describe(device, &info));
    if (!info.host_addressable) return;
    argand_array *memory = new_array(ARGAND_C32, 1, (int64_t[]){64}), *view,
                 *in = new_array(ARGAND_C32, 2, (int64_t[]){2, 3});
    argand_fft *plan = new_plan(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {2}, .batch = 3});
    OK(argand_array_view(&view, memory, 2, (int64_t[]){2, 3}, (int64_t[]){3, 2}, 0));
    OK(argand_fft_apply(plan, view, in, ARGAND_FORWARD));
    argand_test_fail_allocation(1);
    const argand_status status = argand_fft_apply(plan, view, in, ARGAND_FORWARD);
    argand_test_fail_allocation(0);
    argand_array_destroy(view);
    argand_array_destroy(memory);
    argand_array_destroy(in);
    argand_fft_destroy(plan);
    if (status) fail_msg("%s", argand_message());
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
                 *permuted = new_array(ARGAND_C32, 3, (int64_t[]){4, 6, 2}),
                 *six = new_array(ARGAND_R32, 1, (int64_t[]){6}),
                 *three = new_array(ARGAND_C32, 1, (int64_t[]){3}), *repeated;
    FAILS(argand_fft_apply(plan, right, NULL, ARGAND_FORWARD), ARGAND_ARGUMENT, "no input array");
    FAILS(argand_fft_apply(NULL, right, other, ARGAND_FORWARD), ARGAND_ARGUMENT, "no plan");
    FAILS(argand_fft_apply(plan, right, other, (argand_direction)0), ARGAND_ARGUMENT, "direction 0");
    FAILS(argand_fft_apply(plan, right, wide, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "the input is complex double, but the plan was made for complex float");
    FAILS(argand_fft_apply(plan, few, right, ARGAND_FORWARD), ARGAND_ARGUMENT, "holds 1 transforms");
    FAILS(argand_fft_apply(plan, right, permuted, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "dimension 0 of the input is 4");
    FAILS(argand_fft_apply(real, three, six, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "dimension 0 of the output is 3, but the plan has 4");
    FAILS(argand_fft_apply(real, six, six, ARGAND_FORWARD), ARGAND_ARGUMENT, "was made for complex float");
    OK(argand_array_view(&repeated, few, 3, (int64_t[]){6, 4, 2}, (int64_t[]){1, 6, 0}, 0));
    OK(argand_fft_apply(plan, right, repeated, ARGAND_FORWARD));
    FAILS(argand_fft_apply(plan, repeated, right, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "two output elements share one address");
    argand_array_destroy(repeated);
    argand_array_destroy(right);
    argand_array_destroy(other);
    argand_array_destroy(wide);
    argand_array_destroy(few);
    argand_array_destroy(permuted);
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
        assert_true(strstr(text, "centred (native ") || strstr(text, "(cufft ") ||
                    strstr(text, "centred (on cpu (passes ("));
    assert_string_equal(text + strlen(text) - 2, "))");
    argand_fft_print(plan, text, 8);
    assert_string_equal(text, "(fft c3");
    argand_fft_destroy(plan);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(options),       cmocka_unit_test(environment),
    cmocka_unit_test(gaps),          cmocka_unit_test(axes),
    cmocka_unit_test(other_strides), cmocka_unit_test(woven_strides),
    cmocka_unit_test(woven_views),   cmocka_unit_test(arrays),
    cmocka_unit_test(out_of_memory), cmocka_unit_test(out_of_memory_measured),
    cmocka_unit_test(prints)};
RUN_TESTS(tests)
