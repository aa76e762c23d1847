/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between arrays of two devices: a second cpu device stands for the other one. */
#include "harness.h"
#include "array/copy.h"

static argand_device *other; /* a device that is not `device` */

static const argand_type types[4] = {ARGAND_R32, ARGAND_R64, ARGAND_C32, ARGAND_C64};

static bool is_complex(argand_type type)
{
    return type == ARGAND_C32 || type == ARGAND_C64;
}

static bool is_double(argand_type type)
{
    return type == ARGAND_R64 || type == ARGAND_C64;
}

static bool can_hold(argand_device *where, argand_type type)
{
    argand_device_info info;
    OK(argand_device_describe(where, &info));
    return info.has_double || !is_double(type);
}

/* A permuted view of every second element along y, or all of them as they lie. */
static argand_array *place(argand_device *where, argand_type type, bool strided)
{
    argand_array *all, *view;
    OK(argand_array_create(&all, where, type, 2, strided ? (int64_t[]){7, 10} : (int64_t[]){5, 7}));
    if (!strided) return all;
    OK(argand_array_view(&view, all, 2, (int64_t[]){5, 7}, (int64_t[]){14, -1}, 6));
    argand_array_destroy(all);
    return view;
}

static double expected_part(const double *from, argand_type type, bool to_float, int64_t i, int part)
{
    if (!is_complex(type)) return part ? 0 : to_float ? (double)(float)from[i] : from[i];
    return to_float ? (double)(float)from[2 * i + part] : from[2 * i + part];
}

static void check_copy(argand_device *to, argand_type to_type, bool to_strided, argand_device *from,
                       argand_type from_type, bool from_strided)
{
    argand_array *x = place(from, from_type, from_strided), *y = place(to, to_type, to_strided);
    randomise(x, 3, 0, 0);
    OK(argand_array_copy(y, x));
    double *a = as_doubles(x), *b = as_doubles(y);
    const int parts = is_complex(to_type) ? 2 : 1;
    for (int64_t i = 0; i < 35; i++)
        for (int part = 0; part < parts; part++)
            assert_true(b[parts * i + part] == expected_part(a, from_type, !is_double(to_type), i, part));
    free(a);
    free(b);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

/* Every pair of types and of layouts, in both directions. */
static void copies_convert_and_stride(void **state)
{
    (void)state;
    for (int kind = 0; kind < 128; kind++) {
        const argand_type to_type = types[kind & 3], from_type = types[kind >> 2 & 3];
        argand_device *to = kind & 16 ? device : other, *from = kind & 16 ? other : device;
        if (!can_hold(to, to_type) || !can_hold(from, from_type)) continue;
        if (is_complex(from_type) && !is_complex(to_type)) continue;
        check_copy(to, to_type, kind & 32, from, from_type, kind & 64);
    }
}

static void copies_refuse(void **state)
{
    (void)state;
    argand_array *x, *y, *real, *repeated;
    OK(argand_array_create(&x, other, ARGAND_C32, 2, (int64_t[]){5, 7}));
    OK(argand_array_create(&y, device, ARGAND_C32, 2, (int64_t[]){7, 5}));
    OK(argand_array_create(&real, device, ARGAND_R32, 2, (int64_t[]){5, 7}));
    OK(argand_array_view(&repeated, y, 2, (int64_t[]){5, 7}, (int64_t[]){1, 0}, 0));
    FAILS(argand_array_copy(y, x), ARGAND_ARGUMENT, "shapes differ: 7x5 and 5x7");
    FAILS(argand_array_copy(real, x), ARGAND_ARGUMENT, "complex array cannot become a real one");
    FAILS(argand_array_copy(repeated, x), ARGAND_ARGUMENT, "repeats its elements");
    FAILS(argand_array_axpby(y, (argand_scalar){1, 0}, x, (argand_scalar){1, 0}), ARGAND_ARGUMENT,
          "shapes differ");
    argand_array_destroy(repeated);
    argand_array_destroy(real);
    argand_array_destroy(y);
    argand_array_destroy(x);
}

static void on_device_is_a_view_or_a_copy(void **state)
{
    (void)state;
    argand_array *x, *here, *there, *remote;
    OK(argand_array_create(&x, device, ARGAND_R32, 1, (int64_t[]){9}));
    randomise(x, 1, 0, 0);
    OK(array_on_device(&here, x, device));
    OK(array_on_device(&there, x, other));
    OK(array_like_on_device(&remote, x, other));
    assert_ptr_equal(argand_array_device(there), other);
    assert_ptr_equal(argand_array_device(remote), other);
    double *a = as_doubles(there);
    OK(argand_array_fill(here, (argand_scalar){2, 0})); /* x itself */
    double *b = as_doubles(x), *c = as_doubles(there);
    for (int i = 0; i < 9; i++) assert_true(b[i] == 2 && c[i] == a[i]);
    free(a);
    free(b);
    free(c);
    argand_array_destroy(remote);
    argand_array_destroy(there);
    argand_array_destroy(here);
    argand_array_destroy(x);
}

static void transfers_are_counted(void **state)
{
    (void)state;
    argand_array *x;
    float numbers[100] = {0};
    OK(argand_array_create(&x, device, ARGAND_R32, 1, (int64_t[]){100}));
    const argand_transfers before = argand_device_transfers(device);
    OK(argand_array_upload(x, numbers));
    OK(argand_array_fill(x, (argand_scalar){3, 0}));
    OK(argand_array_download(x, numbers));
    OK(argand_array_download(x, numbers));
    const argand_transfers after = argand_device_transfers(device);
    assert_int_equal(after.uploads - before.uploads, 1);
    assert_int_equal(after.downloads - before.downloads, 2);
    assert_int_equal(after.upload_bytes - before.upload_bytes, 400);
    assert_int_equal(after.download_bytes - before.download_bytes, 800);
    assert_true(numbers[99] == 3);
    argand_array_destroy(x);
}

static int open_other(void **state)
{
    (void)state;
    OK(argand_device_open(&other, "cpu"));
    return 0;
}

static int close_other(void **state)
{
    (void)state;
    argand_device_close(other);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(copies_convert_and_stride, open_other, close_other),
    cmocka_unit_test_setup_teardown(copies_refuse, open_other, close_other),
    cmocka_unit_test_setup_teardown(on_device_is_a_view_or_a_copy, open_other, close_other),
    cmocka_unit_test(transfers_are_counted)};
RUN_TESTS(tests)
