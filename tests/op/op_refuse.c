/* SPDX-License-Identifier: BSD-3-Clause */
/* What operators refuse, with which messages, and that nothing leaks when memory runs out. */
#include "dense.h"
#include "base/memory.h"

static void definitions(void **state)
{
    (void)state;
    argand_op *op = (argand_op *)1;
    argand_op_definition d = {
        .domain = {ARGAND_C32, 1, {4}}, .range = {ARGAND_C32, 1, {4}}, .apply = dense_apply};
    FAILS(argand_op_create(&op, device, &d), ARGAND_ARGUMENT, "both apply and adjoint");
    assert_null(op);
    d.adjoint = dense_adjoint;
    d.range.dims[0] = 0;
    FAILS(argand_op_create(&op, device, &d), ARGAND_ARGUMENT, "dimension 0 of the range is 0");
    d.range = (argand_shape){0};
    FAILS(argand_op_create(&op, device, &d), ARGAND_ARGUMENT, "no type");
    d.range = (argand_shape){ARGAND_C32, 9, {1}};
    FAILS(argand_op_create(&op, device, &d), ARGAND_ARGUMENT, "rank of the range is 9");
    FAILS(argand_op_create(&op, NULL, &d), ARGAND_ARGUMENT, "no device");
    FAILS(argand_op_create(&op, device, NULL), ARGAND_ARGUMENT, "no definition");
    argand_op_destroy(NULL);
}

static void calls(void **state)
{
    (void)state;
    argand_op *op = dense_op(dense_new(4, 6, 1), ARGAND_C32);
    argand_array *x = ARRAY(ARGAND_C32, 6), *y = ARRAY(ARGAND_C32, 4), *wide = ARRAY(ARGAND_C64, 6),
                 *big = ARRAY(ARGAND_C32, 12), *strided, *trailing = ARRAY(ARGAND_C32, 6, 1, 1);
    OK(argand_array_view(&strided, big, 1, (int64_t[]){6}, (int64_t[]){2}, 0));
    FAILS(argand_op_apply(op, x, x), ARGAND_ARGUMENT,
          "the output is complex float {6} and must be complex float {4}");
    FAILS(argand_op_apply(op, y, wide), ARGAND_ARGUMENT,
          "the input is complex double {6} and must be complex float {6}");
    FAILS(argand_op_apply(op, y, strided), ARGAND_ARGUMENT, "not contiguous");
    FAILS(argand_op_apply(op, y, NULL), ARGAND_ARGUMENT, "the input is NULL");
    FAILS(argand_op_apply(NULL, y, x), ARGAND_ARGUMENT, "no operator");
    FAILS(argand_op_normal(op, x, x), ARGAND_ARGUMENT, "share memory");
    FAILS(argand_op_check(op, -1, 1, &(double){0}), ARGAND_ARGUMENT, "-1 trials");
    OK(argand_op_apply(op, y, trailing)); /* trailing ones do not count */
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(wide);
    argand_array_destroy(strided);
    argand_array_destroy(big);
    argand_array_destroy(trailing);
    argand_op_destroy(op);
}

static void compositions(void **state)
{
    (void)state;
    argand_op *a = dense_op(dense_new(4, 6, 1), ARGAND_C32), *b = dense_op(dense_new(4, 6, 2), ARGAND_C64),
              *op;
    FAILS(argand_op_chain(&op, a, a), ARGAND_ARGUMENT,
          "\"dense\" gives complex float {4}, but \"dense\" takes complex float {6}");
    FAILS(argand_op_sum(&op, a, b), ARGAND_ARGUMENT,
          "takes complex float {6}, but \"dense\" takes complex double {6}");
    FAILS(argand_op_scale(&op, (argand_scalar){NAN, 0}, a), ARGAND_ARGUMENT, "not finite");
    FAILS(argand_op_chain(&op, a, NULL), ARGAND_ARGUMENT, "NULL");
    FAILS(argand_op_difference(&op, device, &(argand_shape){ARGAND_C32, 2, {4, 4}}, 2), ARGAND_ARGUMENT,
          "axis 2");
    argand_op *real;
    OK(argand_op_identity(&real, device, &(argand_shape){ARGAND_R32, 1, {4}}));
    FAILS(argand_op_scale(&op, (argand_scalar){0, 1}, real), ARGAND_ARGUMENT, "real side");
    argand_op_destroy(real);
    argand_op_destroy(a);
    argand_op_destroy(b);
}

/* Allocation n fails, for n = 1, 2, ... until the whole works. */
static void out_of_memory(void **state)
{
    (void)state;
    argand_op *a = dense_op(dense_new(4, 4, 1), ARGAND_C32);
    argand_array *x = ARRAY(ARGAND_C32, 4), *y = ARRAY(ARGAND_C32, 4);
    int failures = 0;
    for (long n = 1; n < 100; n++) {
        argand_op *two = NULL, *both = NULL;
        argand_test_fail_allocation(n);
        argand_status status = argand_op_chain(&two, a, a);
        if (!status) status = argand_op_sum(&both, two, a);
        if (!status) status = argand_op_normal(both, y, x);
        argand_test_fail_allocation(0);
        argand_op_destroy(both);
        argand_op_destroy(two);
        if (!status) break;
        assert_int_equal(status, ARGAND_MEMORY);
        failures++;
    }
    assert_in_range(failures, 5, 50);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_op_destroy(a);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(definitions), cmocka_unit_test(calls),
                                          cmocka_unit_test(compositions), cmocka_unit_test(out_of_memory)};
RUN_TESTS(tests)
