/* SPDX-License-Identifier: BSD-3-Clause */
/* Half spectra packed into the memory of the reals: plans with half_packed against those without, number by
 * number. */
#include "fft/plan/half.h"

/* Of n/2 + 1 elements the real ones have imaginary parts of 0, as inverse transforms take them. */
static void upload(argand_array *array, const double *numbers)
{
    const int64_t count = argand_array_count(array);
    argand_array *doubles;
    OK(argand_array_create(&doubles, device, ARGAND_C64, 1, &count));
    OK(argand_array_upload(doubles, numbers));
    argand_array *flat;
    OK(argand_array_reshape(&flat, array, 1, &count));
    OK(argand_array_copy(flat, doubles));
    argand_array_destroy(flat);
    argand_array_destroy(doubles);
}

/* ---- plans ---- */

/* Both directions against the plan of n/2 + 1 numbers. `kind` says how arrays lie; the unpacked side is
 * contiguous, as it is inside. */
static void one(const shape *s, argand_type type, argand_fft_scale scale, int kind)
{
    const int64_t m = s->n[0] / 2;
    const argand_type complex_type = complex_of(type);
    argand_fft *plan = plan_of(s, type, scale, true), *expected = plan_of(s, type, scale, false);
    argand_array *x = array_of(s, type, s->n[0]), *reals = laid(s, type, s->n[0], kind),
                 *packed = laid(s, complex_type, m, kind), *half = array_of(s, complex_type, m + 1);
    randomise(x, 17, 0, 0);
    OK(argand_array_copy(reals, x));
    OK(argand_fft_apply(expected, half, reals, ARGAND_FORWARD));
    double *spectrum = as_doubles(half), *wanted = pack_here(spectrum, s, complex_type);
    for (int time = 0; time < 3; time++) {
        OK(argand_array_fill(packed, (argand_scalar){9, 9}));
        OK(argand_fft_apply(plan, packed, reals, ARGAND_FORWARD));
        check_same(packed, wanted, "forward", s);
    }
    /* back, from numbers that may be any spectrum */
    argand_array *any = array_of(s, complex_type, m), *back = laid(s, type, s->n[0], kind);
    randomise(any, 18, 0, 0);
    OK(argand_array_copy(packed, any));
    double *before = as_doubles(any), *unpacked = unpack_here(before, s, complex_type);
    upload(half, unpacked);
    OK(argand_fft_apply(expected, back, half, ARGAND_INVERSE));
    double *reals_wanted = as_doubles(back);
    for (int time = 0; time < 3; time++) {
        OK(argand_array_fill(back, (argand_scalar){9, 0}));
        OK(argand_fft_apply(plan, back, packed, ARGAND_INVERSE));
        check_same(back, reals_wanted, "inverse", s);
    }
    check_same(packed, before, "the input of an inverse", s);
    free(reals_wanted);
    free(unpacked);
    free(before);
    free(wanted);
    free(spectrum);
    argand_array_destroy(back);
    argand_array_destroy(any);
    argand_array_destroy(half);
    argand_array_destroy(packed);
    argand_array_destroy(reals);
    argand_array_destroy(x);
    argand_fft_destroy(expected);
    argand_fft_destroy(plan);
}

static void as_plans_of_one_more(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int kind = 0; kind < 3; kind++)
            one(&shapes[i], (i + kind) & 1 ? ARGAND_R64 : ARGAND_R32, (argand_fft_scale)((i + kind) % 3),
                kind);
}

/* By the device's own kernels, where the host is no such device. */
static void as_plans_of_one_more_by_kernels(void **state)
{
    static const shape few_shapes[] = {{1, {16}, 5}, {2, {12, 9}, 2}, {3, {8, 6, 5}, 2}};
    (void)state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (info.host_addressable) skip();
    setenv("ARGAND_FFT_ENGINE", "native", 1);
    for (int i = 0; i < 3; i++)
        for (int kind = 0; kind < 3; kind++)
            one(&few_shapes[i], kind == 1 ? ARGAND_R64 : ARGAND_R32, (argand_fft_scale)kind, kind);
    unsetenv("ARGAND_FFT_ENGINE");
}

static void there_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        const shape *s = &shapes[i];
        const argand_type type = i & 1 ? ARGAND_R64 : ARGAND_R32;
        argand_fft *plan = plan_of(s, type, i & 2 ? ARGAND_SCALE_UNITARY : ARGAND_SCALE_INVERSE, true);
        argand_array *x = array_of(s, type, s->n[0]), *packed = array_of(s, complex_of(type), s->n[0] / 2);
        double points = 1;
        for (int axis = 0; axis < s->rank; axis++) points *= (double)s->n[axis];
        randomise(x, 19, 0, 0);
        exact *before = exact_of(x);
        OK(argand_fft_apply(plan, packed, x, ARGAND_FORWARD));
        OK(argand_fft_apply(plan, x, packed, ARGAND_INVERSE));
        CHECK_BELOW(distance(x, before, 1), 2 * fft_tolerance(type, points));
        free(before);
        argand_array_destroy(packed);
        argand_array_destroy(x);
        argand_fft_destroy(plan);
    }
}

/* 1 everywhere has its sum at the frequencies 0, (-1)^n along axis 0 at n/2, exactly, and nothing elsewhere.
 */
static void constant_and_alternating(void **state)
{
    static const shape exact_shapes[] = {{1, {2}, 3},    {1, {16}, 2},     {1, {60}, 40},
                                         {2, {8, 9}, 2}, {2, {48, 64}, 1}, {3, {10, 6, 5}, 2}};
    (void)state;
    for (int i = 0; i < 12; i++) {
        const shape *s = &exact_shapes[i / 2];
        const argand_type type = i & 1 ? ARGAND_R64 : ARGAND_R32;
        const int64_t m = s->n[0] / 2, rows = rows_of(s), points = s->n[0] * (rows / s->batch);
        argand_fft *plan = plan_of(s, type, ARGAND_SCALE_NONE, true);
        argand_array *x = array_of(s, type, s->n[0]), *even, *packed = array_of(s, complex_of(type), m);
        OK(argand_array_fill(x, (argand_scalar){1, 0}));
        for (int alternating = 0; alternating < 2; alternating++) {
            if (alternating) {
                OK(argand_array_reshape(&even, x, 2, (int64_t[]){2, m * rows}));
                argand_array *odd;
                OK(argand_array_part(&odd, even, 0, 1, 1));
                OK(argand_array_fill(odd, (argand_scalar){-1, 0}));
                argand_array_destroy(odd);
                argand_array_destroy(even);
            }
            OK(argand_fft_apply(plan, packed, x, ARGAND_FORWARD));
            double *numbers = as_doubles(packed);
            for (int64_t j = 0; j < 2 * m * rows; j++) {
                const bool here = j % (2 * m * (rows / s->batch)) == alternating;
                if (here)
                    assert_true(numbers[j] == (double)points);
                else
                    CHECK_BELOW(fabs(numbers[j]), fft_tolerance(type, (double)points) * (double)points);
            }
            free(numbers);
        }
        argand_array_destroy(packed);
        argand_array_destroy(x);
        argand_fft_destroy(plan);
    }
}

/* The packed spectrum in the bytes of the reals, rows side by side or with gaps. */
static void in_place(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * SHAPES; i++) {
        const shape *s = &shapes[i / 2];
        const argand_type type = i / 2 & 1 ? ARGAND_R64 : ARGAND_R32, complex_type = complex_of(type);
        const int64_t m = s->n[0] / 2, row = i & 1 ? m + 2 : m;
        argand_fft *plan = plan_of(s, type, ARGAND_SCALE_INVERSE, true);
        argand_array *x = array_of(s, type, s->n[0]), *packed = array_of(s, complex_type, m),
                     *all = array_of(s, complex_type, row), *there, *back = array_of(s, type, s->n[0]);
        OK(argand_array_part(&there, all, 0, 0, m));
        argand_array *reals;
        OK(argand_array_view_as(&reals, there, type));
        randomise(all, 23, 0, 0);
        randomise(x, 20, 0, 0);
        OK(argand_array_copy(reals, x));
        double *around = as_doubles(all);
        OK(argand_fft_apply(plan, packed, x, ARGAND_FORWARD));
        OK(argand_fft_apply(plan, there, reals, ARGAND_FORWARD));
        double *wanted = as_doubles(packed);
        check_same(there, wanted, "forward in place", s);
        OK(argand_fft_apply(plan, back, packed, ARGAND_INVERSE));
        OK(argand_fft_apply(plan, reals, there, ARGAND_INVERSE));
        double *wanted_back = as_doubles(back), *after = as_doubles(all);
        check_same(reals, wanted_back, "inverse in place", s);
        for (int64_t j = 0; j < 2 * row * rows_of(s); j++)
            if (j % (2 * row) >= 2 * m) assert_true(around[j] == after[j]);
        free(after);
        free(wanted_back);
        free(wanted);
        free(around);
        argand_array_destroy(back);
        argand_array_destroy(reals);
        argand_array_destroy(there);
        argand_array_destroy(all);
        argand_array_destroy(packed);
        argand_array_destroy(x);
        argand_fft_destroy(plan);
    }
}

/* Axes by their strides: a transform along axes 2 and 0 of three, the packed side otherwise than the reals.
 */
static void axes_given(void **state)
{
    enum { A = 6, B = 3, C = 10 };
    (void)state;
    const shape s = {2, {C, A}, B};
    const int64_t m = C / 2;
    argand_fft_options o = {.type = ARGAND_R32,
                            .rank = 2,
                            .axes_given = true,
                            .axes = {{C, A * B, A}, {A, 1, 1}},
                            .loops = 1,
                            .loop = {{B, A, m * A}},
                            .half_packed = true};
    argand_fft *plan = new_plan(&o), *plain = plan_of(&s, ARGAND_R32, ARGAND_SCALE_NONE, true);
    argand_array *x = new_array(ARGAND_R32, 3, (int64_t[]){A, B, C}),
                 *y = new_array(ARGAND_C32, 3, (int64_t[]){A, m, B}), *x_view, *y_view, *apart, *packed;
    randomise(x, 21, 0, 0);
    OK(argand_array_view(&x_view, x, 3, (int64_t[]){C, A, B}, (int64_t[]){A * B, 1, A}, 0));
    OK(argand_array_view(&y_view, y, 3, (int64_t[]){m, A, B}, (int64_t[]){A, 1, m * A}, 0));
    apart = array_of(&s, ARGAND_R32, C);
    packed = array_of(&s, ARGAND_C32, m);
    OK(argand_array_copy(apart, x_view));
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    OK(argand_fft_apply(plain, packed, apart, ARGAND_FORWARD));
    exact *wanted = exact_of(packed), *reals = exact_of(apart);
    CHECK_BELOW(distance(y_view, wanted, 1), fft_tolerance(ARGAND_R32, A * C));
    OK(argand_fft_apply(plan, x, y, ARGAND_INVERSE));
    CHECK_BELOW(distance(x_view, reals, A * C), 2 * fft_tolerance(ARGAND_R32, A * C));
    free(reals);
    free(wanted);
    argand_array_destroy(packed);
    argand_array_destroy(apart);
    argand_array_destroy(y_view);
    argand_array_destroy(x_view);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_fft_destroy(plain);
    argand_fft_destroy(plan);
}

/* ---- what is refused and reported ---- */

static void refuse(const argand_fft_options *options, argand_status status, const char *message)
{
    argand_fft *plan = (argand_fft *)1;
    FAILS(argand_fft_create(&plan, device, options), status, message);
    assert_null(plan);
}

static void refused_plans(void **state)
{
    (void)state;
    argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {4}, .half_packed = true};
    refuse(&o, ARGAND_ARGUMENT, "half_packed is set, but the transform is complex");
    o.type = ARGAND_R32;
    o.n[0] = 5;
    refuse(&o, ARGAND_ARGUMENT, "half_packed with a length of 5 along axis 0; it must be even");
    o.n[0] = 4;
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {2, 0}};
    refuse(&o, ARGAND_UNSUPPORTED, "half_packed excludes accessors");
    refuse(
        &(argand_fft_options){
            .type = ARGAND_R32,
            .rank = 2,
            .axes_given = true,
            .axes = {{2, 1, 1}, {1, 1, 1}},
            .loops = 7,
            .loop = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
            .half_packed = true},
        ARGAND_UNSUPPORTED, "2 axes and 7 loops");
    /* strides that hold n/2 numbers a row, and not n/2 + 1; and that do not hold n/2 */
    o = (argand_fft_options){.type = ARGAND_R32,
                             .rank = 2,
                             .axes_given = true,
                             .axes = {{8, 1, 1}, {3, 8, 4}},
                             .half_packed = true};
    argand_fft_destroy(new_plan(&o));
    o.axes[1].out_stride = 3;
    refuse(&o, ARGAND_ARGUMENT, "two output elements share one address");
}

static void refused_arrays(void **state)
{
    (void)state;
    const shape s = {2, {8, 3}, 2};
    argand_fft *plan = plan_of(&s, ARGAND_R32, ARGAND_SCALE_NONE, true);
    argand_array *x = array_of(&s, ARGAND_R32, 8), *packed = array_of(&s, ARGAND_C32, 4),
                 *half = array_of(&s, ARGAND_C32, 5);
    FAILS(argand_fft_apply(plan, half, x, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "dimension 0 of the output is 5, but the plan has 4");
    FAILS(argand_fft_apply(plan, x, half, ARGAND_INVERSE), ARGAND_ARGUMENT,
          "dimension 0 of the input is 5, but the plan has 4");
    FAILS(argand_fft_apply_access(plan, packed, x, ARGAND_FORWARD, &(argand_fft_access){0}), ARGAND_ARGUMENT,
          "without accessors");
    argand_array moved = *packed; /* not in the bytes of the reals' rows */
    moved.type = ARGAND_R32;
    moved.dims[0] = 8;
    moved.strides[1] = 8;
    moved.strides[2] = 24;
    moved.count = 48;
    OK(argand_fft_apply(plan, packed, &moved, ARGAND_FORWARD));
    moved.strides[1] = 9;
    moved.strides[2] = 27;
    FAILS(argand_fft_apply(plan, packed, &moved, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "has its rows in the same bytes on both sides");
    assert_null(strstr(argand_message(), "n/2 + 1"));
    FAILS(argand_fft_apply(plan, &moved, packed, ARGAND_INVERSE), ARGAND_ARGUMENT,
          "has its rows in the same bytes on both sides");
    assert_null(strstr(argand_message(), "n/2 + 1"));
    argand_array_destroy(half);
    argand_array_destroy(packed);
    argand_array_destroy(x);
    argand_fft_destroy(plan);
}

static void told(void **state)
{
    (void)state;
    const shape s = {2, {8, 5}, 3};
    argand_fft *plan = plan_of(&s, ARGAND_R32, ARGAND_SCALE_NONE, true),
               *plain = plan_of(&s, ARGAND_R32, ARGAND_SCALE_NONE, false);
    char text[512];
    argand_fft_print(plan, text, sizeof text);
    assert_non_null(strstr(text, "(fft r32 8x5 batch 3 half packed "));
    for (int i = 0; i < 2; i++) {
        const argand_direction direction = i ? ARGAND_INVERSE : ARGAND_FORWARD;
        const int count = argand_fft_pass_count(plan, direction);
        argand_fft_pass pass, first, its;
        assert_int_equal(count, argand_fft_pass_count(plain, direction) + 1);
        OK(argand_fft_pass_describe(plan, direction, i ? 0 : count - 1, &pass));
        assert_string_equal(pass.what, i ? "unpacked" : "packed in place of the reals");
        assert_int_equal(i ? pass.write_bytes : pass.read_bytes, 5 * 15 * 8);
        assert_int_equal(i ? pass.read_bytes : pass.write_bytes, 4 * 15 * 8);
        assert_true(pass.seconds > 0);
        OK(argand_fft_pass_describe(plan, direction, i, &first));
        OK(argand_fft_pass_describe(plain, direction, 0, &its));
        assert_string_equal(first.what, its.what);
        assert_int_equal(argand_fft_workspace(plan, direction),
                         argand_fft_workspace(plain, direction) + 5 * 15 * 8);
    }
    assert_int_equal(argand_fft_position(plan, 0, 3), 3);
    assert_int_equal(argand_fft_position(plan, 0, 4), -1);
    assert_int_equal(argand_fft_position(plain, 0, 4), 4);
    assert_int_equal(argand_fft_frequency(plan, 0, 4), -1);
    assert_int_equal(argand_fft_mirror(plan, 0, 0), 0);
    assert_int_equal(argand_fft_mirror(plan, 0, 1), -1);
    assert_int_equal(argand_fft_position(plan, 1, 4), 4);
    argand_fft_destroy(plain);
    argand_fft_destroy(plan);
}

/* ---- memory ---- */

/* Whether a call that has run before allocates. */
static bool allocates(const argand_fft *plan, argand_array *out, const argand_array *in,
                      argand_direction direction)
{
    OK(argand_fft_apply(plan, out, in, direction));
    argand_test_fail_allocation(1);
    const argand_status status = argand_fft_apply(plan, out, in, direction);
    argand_test_fail_allocation(0);
    return status != ARGAND_OK;
}

static void later_calls_allocate_nothing(void **state)
{
    (void)state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (!info.host_addressable) setenv("ARGAND_FFT_ENGINE", "native", 1);
    const shape few_shapes[] = {{1, {256}, 4}, {2, {16, 16}, 2}};
    for (int i = 0; i < 2; i++) {
        const shape *s = &few_shapes[i];
        argand_fft *plan = plan_of(s, ARGAND_R32, ARGAND_SCALE_NONE, true);
        argand_array *x = array_of(s, ARGAND_R32, s->n[0]), *y = array_of(s, ARGAND_C32, s->n[0] / 2);
        const long before = argand_test_live_allocations();
        assert_false(allocates(plan, y, x, ARGAND_FORWARD));
        assert_false(allocates(plan, x, y, ARGAND_INVERSE));
        const long after = argand_test_live_allocations();
        for (int time = 0; time < 3; time++) {
            OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
            OK(argand_fft_apply(plan, x, y, ARGAND_INVERSE));
        }
        assert_int_equal(argand_test_live_allocations(), after);
        assert_true(after >= before);
        argand_array_destroy(y);
        argand_array_destroy(x);
        argand_fft_destroy(plan);
    }
    unsetenv("ARGAND_FFT_ENGINE");
}

static void out_of_memory(void **state)
{
    (void)state;
    const shape s = {2, {6, 4}, 1};
    argand_array *x = array_of(&s, ARGAND_R32, 6), *y = array_of(&s, ARGAND_C32, 3);
    int failures = 0;
    for (long n = 1; n < 100; n++) {
        argand_fft *plan = NULL;
        argand_test_fail_allocation(n);
        argand_status status = argand_fft_create(
            &plan, device,
            &(argand_fft_options){.type = ARGAND_R32, .rank = 2, .n = {6, 4}, .half_packed = true});
        if (!status) status = argand_fft_apply(plan, y, x, ARGAND_FORWARD);
        if (!status) status = argand_fft_apply(plan, x, y, ARGAND_INVERSE);
        argand_test_fail_allocation(0);
        argand_fft_destroy(plan);
        if (!status) break;
        assert_int_equal(status, ARGAND_MEMORY);
        failures++;
    }
    assert_in_range(failures, 1, 50);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

/* As many axes as arrays have dimensions, so that none is left for a batch. */
static void eight_axes(void **state)
{
    (void)state;
    const int64_t n[8] = {4, 2, 2, 2, 2, 2, 2, 3}, half[8] = {3, 2, 2, 2, 2, 2, 2, 3},
                  reals[8] = {2, 2, 2, 2, 2, 2, 2, 3};
    argand_fft_options o = {.type = ARGAND_R32, .rank = 8, .scale = ARGAND_SCALE_INVERSE};
    memcpy(o.n, n, sizeof n);
    argand_fft *whole = new_plan(&o), *plan;
    o.half_packed = true;
    plan = new_plan(&o);
    argand_array *x = new_array(ARGAND_R32, 8, n), *back = new_array(ARGAND_R32, 8, n),
                 *wanted = new_array(ARGAND_C32, 8, half), *packed = new_array(ARGAND_C32, 8, reals),
                 *other = new_array(ARGAND_C32, 8, reals);
    randomise(x, 5, 0, 0);
    OK(argand_fft_apply(whole, wanted, x, ARGAND_FORWARD));
    OK(argand_fft_half_pack(other, wanted, 8));
    OK(argand_fft_apply(plan, packed, x, ARGAND_FORWARD));
    OK(argand_fft_apply(plan, back, packed, ARGAND_INVERSE));
    double *a = as_doubles(packed), *b = as_doubles(other), *c = as_doubles(back), *d = as_doubles(x);
    CHECK_BELOW(relative_error(a, b, 2 * 2 * 64 * 3), 1e-7);
    CHECK_BELOW(relative_error(c, d, 4 * 64 * 3), 1e-6);
    double *const all[] = {a, b, c, d};
    for (int k = 0; k < 4; k++) free(all[k]);
    argand_array *const arrays[] = {x, back, wanted, packed, other};
    for (int k = 0; k < 5; k++) argand_array_destroy(arrays[k]);
    argand_fft_destroy(whole);
    argand_fft_destroy(plan);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(eight_axes),
    cmocka_unit_test(as_plans_of_one_more),
    cmocka_unit_test(as_plans_of_one_more_by_kernels),
    cmocka_unit_test(there_and_back),
    cmocka_unit_test(constant_and_alternating),
    cmocka_unit_test(in_place),
    cmocka_unit_test(axes_given),
    cmocka_unit_test(refused_plans),
    cmocka_unit_test(refused_arrays),
    cmocka_unit_test(told),
    cmocka_unit_test(later_calls_allocate_nothing),
    cmocka_unit_test(out_of_memory),
};
RUN_TESTS(tests)
