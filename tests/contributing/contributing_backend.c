/* SPDX-License-Identifier: BSD-3-Clause */
/* The backend that CONTRIBUTING.md adds: it is listed and opened by its name, computes what the cpu does, and
 * counts. */
#include "harness.h"

extern int64_t counted_launches;

static void listed(void **state)
{
    (void)state;
    const char *name = "", *reason;
    int devices = 0;
    argand_device *own;
    argand_device_info info;
    for (int i = 0; i < argand_backend_count() && strcmp(name, "counted"); i++)
        OK(argand_backend_describe(i, &name, &devices, &reason));
    assert_string_equal(name, "counted");
    assert_int_equal(devices, 1);
    OK(argand_device_open(&own, "counted:0"));
    OK(argand_device_describe(own, &info));
    assert_string_equal(info.backend, "counted");
    argand_device_close(own);
}

static void compute(const char *name, double result[40], double *norm)
{
    argand_device *own;
    argand_array *x, *y;
    OK(argand_device_open(&own, name));
    OK(argand_array_create(&x, own, ARGAND_C64, 1, (int64_t[]){20}));
    OK(argand_array_create(&y, own, ARGAND_C64, 1, (int64_t[]){20}));
    assert_true((argand_array_data(x) == NULL) == !strcmp(name, "counted"));
    randomise(x, 1, 0, 0);
    randomise(y, 2, 0, 0);
    OK(argand_array_axpby(y, (argand_scalar){0.5, 2}, x, (argand_scalar){-1, 0}));
    OK(argand_array_multiply(y, x, y, ARGAND_PRODUCT_CONJ));
    OK(argand_array_norm(norm, y));
    OK(argand_array_download(y, result));
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_device_close(own);
}

static void computes(void **state)
{
    (void)state;
    double here[40], there[40], norm[2];
    compute("cpu", here, &norm[0]);
    assert_int_equal(counted_launches, 0);
    compute("counted", there, &norm[1]);
    assert_in_range(counted_launches, 3, 20); /* axpby, multiply and a norm */
    assert_memory_equal(here, there, sizeof here);
    assert_true(norm[0] > 0 && norm[0] == norm[1]);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(listed), cmocka_unit_test(computes)};
RUN_TESTS(tests)
