/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes, views, wraps: what they accept, what they refuse, who owns what. */
#include "harness.h"
#include "base/memory.h"

static void numbered(argand_array **a, int rank, const int64_t *dims)
{
    OK(argand_array_create(a, device, ARGAND_R32, rank, dims));
    float *numbers = malloc((size_t)argand_array_count(*a) * sizeof *numbers);
    for (int64_t i = 0; i < argand_array_count(*a); i++) numbers[i] = (float)i;
    OK(argand_array_upload(*a, numbers));
    free(numbers);
}

static void new_arrays_are_zero_and_views_outlive_their_parents(void **state)
{
    (void)state;
    argand_array *a, *part;
    OK(argand_array_create(&a, device, ARGAND_C64, 2, (int64_t[]){3, 5}));
    assert_int_equal(argand_array_count(a), 15);
    double norm;
    OK(argand_array_norm(&norm, a));
    assert_true(norm == 0);
    OK(argand_array_part(&part, a, 1, 4, 1));
    argand_array_destroy(a);
    OK(argand_array_fill(part, (argand_scalar){2, 1}));
    OK(argand_array_norm(&norm, part));
    CHECK_BELOW(fabs(norm - sqrt(15.)), 1e-15);
    argand_array_destroy(part);
}

static void parts_and_transposes_read_the_right_elements(void **state)
{
    (void)state;
    argand_array *a, *part, *transposed;
    numbered(&a, 3, (int64_t[]){4, 3, 2});
    OK(argand_array_part(&part, a, 1, 1, 2));
    assert_false(argand_array_is_contiguous(part));
    float got[16];
    OK(argand_array_download(part, got));
    for (int z = 0, i = 0; z < 2; z++)
        for (int y = 1; y < 3; y++)
            for (int x = 0; x < 4; x++) assert_true(got[i++] == (float)(x + 4 * y + 12 * z));
    OK(argand_array_view(&transposed, part, 2, (int64_t[]){2, 4}, (int64_t[]){4, -1}, 3));
    OK(argand_array_download(transposed, got));
    for (int x = 0, i = 0; x < 4; x++)
        for (int y = 1; y < 3; y++) assert_true(got[i++] == (float)(3 - x + 4 * y));
    argand_array_destroy(transposed);
    argand_array_destroy(part);
    argand_array_destroy(a);
}

static void strided_upload_touches_nothing_else(void **state)
{
    (void)state;
    argand_array *a, *odd;
    numbered(&a, 2, (int64_t[]){4, 3});
    OK(argand_array_view(&odd, a, 2, (int64_t[]){2, 3}, (int64_t[]){2, 4}, 1));
    OK(argand_array_upload(odd, (float[]){-1, -2, -3, -4, -5, -6}));
    float got[12];
    const float expected[12] = {0, -1, 2, -2, 4, -3, 6, -4, 8, -5, 10, -6};
    OK(argand_array_download(a, got));
    assert_memory_equal(got, expected, sizeof got);
    argand_array_destroy(odd);
    argand_array_destroy(a);
}

static void wraps_user_memory(void **state)
{
    (void)state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (!info.host_addressable) skip();
    double mine[6] = {1, 2, 3, 4, 5, 6};
    argand_array *a;
    OK(argand_array_wrap(&a, device, ARGAND_C64, 1, (int64_t[]){3}, (int64_t[]){-1}, mine + 4));
    OK(argand_array_scale(a, (argand_scalar){0, 1}));
    const double expected[6] = {-2, 1, -4, 3, -6, 5};
    assert_memory_equal(mine, expected, sizeof mine);
    assert_ptr_equal(argand_array_data(a), mine + 4);
    argand_array_destroy(a);
}

static void refusals(void **state)
{
    (void)state;
    argand_array *a = NULL, *v;
    FAILS(argand_array_create(&v, device, ARGAND_C32, 2, (int64_t[]){4, 0}), ARGAND_ARGUMENT,
          "dimension 1 is 0");
    FAILS(argand_array_create(&v, device, ARGAND_C32, 9, (int64_t[9]){0}), ARGAND_ARGUMENT, "rank 9");
    FAILS(argand_array_create(&v, device, (argand_type)99, 0, NULL), ARGAND_ARGUMENT, "type 99");
    FAILS(argand_array_create(&v, device, ARGAND_C32, 3, (int64_t[]){INT32_MAX, INT32_MAX, 64}),
          ARGAND_ARGUMENT, "too large");
    FAILS(argand_array_create(&v, device, ARGAND_C32, 1, (int64_t[]){INT64_C(1) << 55}), ARGAND_MEMORY,
          "no memory");
    numbered(&a, 2, (int64_t[]){4, 3});
    FAILS(argand_array_part(&v, a, 0, 2, 3), ARGAND_ARGUMENT, "3 elements from 2 of 4");
    FAILS(argand_array_part(&v, a, 2, 0, 1), ARGAND_ARGUMENT, "axis 2");
    FAILS(argand_array_reshape(&v, a, 1, (int64_t[]){13}), ARGAND_ARGUMENT, "12 elements");
    FAILS(argand_array_view(&v, a, 1, (int64_t[]){2}, (int64_t[]){12}, 0), ARGAND_ARGUMENT, "outside");
    FAILS(argand_array_view(&v, a, 1, (int64_t[]){2}, (int64_t[]){INT64_MAX}, 0), ARGAND_ARGUMENT, "outside");
    FAILS(argand_array_view(&v, a, 1, (int64_t[]){2}, (int64_t[]){-1}, 0), ARGAND_ARGUMENT, "outside");
    argand_array_destroy(a);
    argand_device *other;
    FAILS(argand_device_open(&other, "toaster:1"), ARGAND_ARGUMENT, "\"cpu\"");
    FAILS(argand_device_open(&other, "cpu:7"), ARGAND_DEVICE, "the last cpu device of this machine is");
    FAILS(argand_device_open(&other, "cpu:x"), ARGAND_ARGUMENT, "not known");
}

static void failing_allocations_leave_nothing(void **state)
{
    (void)state;
    int failures = 0;
    for (long n = 1; n < 20; n++) {
        argand_array *a = NULL;
        argand_test_fail_allocation(n);
        const argand_status status = argand_array_create(&a, device, ARGAND_C32, 1, (int64_t[]){100});
        argand_test_fail_allocation(0);
        assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
        assert_true((status == ARGAND_OK) == (a != NULL));
        failures += status != ARGAND_OK;
        argand_array_destroy(a);
    }
    assert_true(failures >= 3);
}

static void device_may_be_closed_before_its_arrays(void **state)
{
    (void)state;
    argand_device *own;
    argand_array *a;
    OK(argand_device_open(&own, "cpu"));
    OK(argand_array_create(&a, own, ARGAND_R64, 1, (int64_t[]){10}));
    argand_device_close(own);
    OK(argand_array_fill(a, (argand_scalar){1, 0}));
    argand_array_destroy(a);
}

/* Complex numbers as the reals that they are made of, on whatever device, and back. */
static void the_same_memory_as_another_type(void **state)
{
    (void)state;
    argand_array *z, *rows, *reals, *back, *odd, *view;
    float numbers[48], got[48];
    for (int i = 0; i < 48; i++) numbers[i] = (float)i;
    OK(argand_array_create(&z, device, ARGAND_C32, 2, (int64_t[]){6, 4}));
    OK(argand_array_upload(z, numbers));
    OK(argand_array_part(&rows, z, 1, 1, 2)); /* rows 1 and 2, from their second number on */
    OK(argand_array_part(&view, rows, 0, 1, 4));
    argand_array_destroy(rows);
    OK(argand_array_view_as(&reals, view, ARGAND_R32));
    argand_array_destroy(view);
    assert_int_equal(argand_array_dim(reals, 0), 8);
    assert_int_equal(argand_array_dim(reals, 1), 2);
    OK(argand_array_download(reals, got));
    for (int i = 0; i < 16; i++) assert_true(got[i] == (float)(12 * (1 + i / 8) + 2 + i % 8));
    OK(argand_array_view_as(&back, reals, ARGAND_C32));
    assert_int_equal(argand_array_dim(back, 0), 4);
    OK(argand_array_download(back, got));
    for (int i = 0; i < 16; i++) assert_true(got[i] == (float)(12 * (1 + i / 8) + 2 + i % 8));
    OK(argand_array_part(&odd, reals, 0, 1, 4));
    FAILS(argand_array_view_as(&view, odd, ARGAND_C32), ARGAND_ARGUMENT,
          "complex numbers begin at even ones");
    argand_array_destroy(odd);
    OK(argand_array_part(&odd, reals, 0, 0, 3));
    FAILS(argand_array_view_as(&view, odd, ARGAND_C32), ARGAND_ARGUMENT, "3 reals along dimension 0");
    argand_array_destroy(odd);
    OK(argand_array_view(&odd, reals, 2, (int64_t[]){2, 2}, (int64_t[]){1, 3}, 0));
    FAILS(argand_array_view_as(&view, odd, ARGAND_C32), ARGAND_ARGUMENT,
          "the stride of dimension 1 is 3 reals");
    argand_array_destroy(odd);
    OK(argand_array_view(&odd, reals, 1, (int64_t[]){2}, (int64_t[]){2}, 0));
    FAILS(argand_array_view_as(&view, odd, ARGAND_C32), ARGAND_ARGUMENT, "do not lie together");
    argand_array_destroy(odd);
    FAILS(argand_array_view_as(&view, z, ARGAND_R64), ARGAND_ARGUMENT,
          "complex float cannot be seen as double");
    FAILS(argand_array_view_as(&view, z, (argand_type)77), ARGAND_ARGUMENT, "cannot be seen as");
    FAILS(argand_array_view_as(&view, z, ARGAND_C32), ARGAND_ARGUMENT, "cannot be seen as");
    argand_array_destroy(back);
    argand_array_destroy(reals);
    argand_array_destroy(z);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_same_memory_as_another_type),
    cmocka_unit_test(new_arrays_are_zero_and_views_outlive_their_parents),
    cmocka_unit_test(parts_and_transposes_read_the_right_elements),
    cmocka_unit_test(strided_upload_touches_nothing_else),
    cmocka_unit_test(wraps_user_memory),
    cmocka_unit_test(refusals),
    cmocka_unit_test(failing_allocations_leave_nothing),
    cmocka_unit_test(device_may_be_closed_before_its_arrays),
};
RUN_TESTS(tests)
