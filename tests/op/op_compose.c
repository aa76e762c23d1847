/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators and their compositions against matrices multiplied out here in double, and the adjointness of
 * each. */
#include "dense.h"

static const argand_type types[2] = {ARGAND_C32, ARGAND_C64};

/* Sums of some 10 products: a few roundings of each precision. */
static double tolerance(argand_type type)
{
    return type == ARGAND_C32 ? 2e-6 : 1e-14;
}

/* Applies op to a random x and compares with the dense matrix `truth` (rows x columns). */
static void compare(const argand_op *op, const dense *truth, argand_type type)
{
    argand_array *x = ARRAY(type, truth->columns), *y = ARRAY(type, truth->rows),
                 *expected = ARRAY(type, truth->rows);
    randomise(x, 5, 0, 0);
    OK(argand_op_apply(op, y, x));
    OK(dense_apply((void *)truth, expected, x));
    double *a = as_doubles(y), *b = as_doubles(expected);
    CHECK_BELOW(relative_error(a, b, 2 * (size_t)truth->rows), tolerance(type));
    free(a);
    free(b);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(expected);
}

static void adjoint_of(const argand_op *op, argand_type type)
{
    double error;
    OK(argand_op_check(op, 5, 99, &error));
    CHECK_BELOW(error, tolerance(type));
}

/* normal against adjoint(apply) */
static void normal_is_consistent(const argand_op *op, argand_type type)
{
    const argand_shape *domain = argand_op_domain(op), *range = argand_op_range(op);
    argand_array *x = new_array(type, domain->rank, domain->dims),
                 *y = new_array(type, range->rank, range->dims),
                 *z = new_array(type, domain->rank, domain->dims),
                 *expected = new_array(type, domain->rank, domain->dims);
    randomise(x, 6, 0, 0);
    OK(argand_op_apply(op, y, x));
    OK(argand_op_adjoint(op, expected, y));
    OK(argand_op_normal(op, z, x));
    double *a = as_doubles(z), *b = as_doubles(expected);
    CHECK_BELOW(relative_error(a, b, 2 * (size_t)argand_array_count(x)), tolerance(type));
    free(a);
    free(b);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(z);
    argand_array_destroy(expected);
}

static dense *product(const dense *a, const dense *b)
{
    dense *c = dense_new(a->rows, b->columns, 0);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->columns; j++) {
            c->a[i * b->columns + j] = 0;
            for (int k = 0; k < a->columns; k++)
                c->a[i * b->columns + j] += a->a[i * a->columns + k] * b->a[k * b->columns + j];
        }
    return c;
}

static dense *conjugate_transpose(const dense *a)
{
    dense *c = dense_new(a->columns, a->rows, 0);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->columns; j++) c->a[j * a->rows + i] = conj(a->a[i * a->columns + j]);
    return c;
}

static void check_against(argand_op *op, dense *truth, argand_type type)
{
    compare(op, truth, type);
    adjoint_of(op, type);
    normal_is_consistent(op, type);
    dense_free(truth);
    argand_op_destroy(op);
}

static void chain(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        dense *a = dense_new(7, 5, 1), *b = dense_new(5, 9, 2);
        dense *truth = product(a, b);
        argand_op *op_a = dense_op(a, types[t]), *op_b = dense_op(b, types[t]), *op;
        OK(argand_op_chain(&op, op_a, op_b));
        argand_op_destroy(op_a); /* the chain keeps them */
        argand_op_destroy(op_b);
        check_against(op, truth, types[t]);
    }
}

static void sum(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        dense *a = dense_new(7, 5, 1), *b = dense_new(7, 5, 2), *truth = dense_new(7, 5, 0);
        for (int i = 0; i < 35; i++) truth->a[i] = a->a[i] + b->a[i];
        argand_op *op_a = dense_op(a, types[t]), *op_b = dense_op(b, types[t]), *op;
        OK(argand_op_sum(&op, op_a, op_b));
        argand_op_destroy(op_a);
        argand_op_destroy(op_b);
        check_against(op, truth, types[t]);
    }
}

static void scale(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        dense *a = dense_new(7, 5, 1), *truth = dense_new(7, 5, 0);
        for (int i = 0; i < 35; i++) truth->a[i] = (2 - 3 * I) * a->a[i];
        argand_op *op_a = dense_op(a, types[t]), *op;
        OK(argand_op_scale(&op, (argand_scalar){2, -3}, op_a));
        argand_op_destroy(op_a);
        check_against(op, truth, types[t]);
    }
}

static void adjoint_and_normal(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        dense *a = dense_new(7, 5, 1), *transpose = conjugate_transpose(a), *gram = product(transpose, a);
        argand_op *op_a = dense_op(a, types[t]), *adjoint, *normal;
        OK(argand_op_adjoint_of(&adjoint, op_a));
        OK(argand_op_normal_of(&normal, op_a));
        argand_op_destroy(op_a);
        check_against(adjoint, transpose, types[t]);
        check_against(normal, gram, types[t]);
    }
}

/* An operator used in both places of a sum, and a chain of chains: scratch must not be shared wrongly. */
static void nested(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        dense *a = dense_new(6, 6, 3);
        dense *square = product(a, a), *cube = product(square, a), *truth = dense_new(6, 6, 0);
        for (int i = 0; i < 36; i++) truth->a[i] = cube->a[i] + square->a[i];
        argand_op *op = dense_op(a, types[t]), *two, *three, *both;
        OK(argand_op_chain(&two, op, op));
        OK(argand_op_chain(&three, two, op));
        OK(argand_op_sum(&both, three, two));
        char text[128];
        argand_op_print(both, text, sizeof text);
        assert_string_equal(text, "(sum (chain (chain (dense) (dense)) (dense)) (chain (dense) (dense)))");
        argand_op_destroy(op);
        argand_op_destroy(two);
        argand_op_destroy(three);
        check_against(both, truth, types[t]);
        dense_free(square);
        dense_free(cube);
    }
}

static void identity(void **state)
{
    (void)state;
    dense *truth = dense_new(6, 6, 0);
    for (int i = 0; i < 36; i++) truth->a[i] = i % 7 == 0;
    argand_op *op;
    OK(argand_op_identity(&op, device, &(argand_shape){ARGAND_C32, 1, {6}}));
    check_against(op, truth, ARGAND_C32);
}

/* d complex, real, and repeated along an axis by a stride of 0. */
static void diagonal(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++)
        for (int kind = 0; kind < 3; kind++) {
            const argand_type type = types[t], real = t ? ARGAND_R64 : ARGAND_R32;
            argand_array *d = kind == 1 ? ARRAY(real, 3) : ARRAY(type, 3), *view;
            randomise(d, 8, 0, 0);
            OK(argand_array_view(&view, d, 2, (int64_t[]){3, 4}, (int64_t[]){1, 0}, 0));
            argand_op *op;
            OK(argand_op_diagonal(&op, kind == 2 ? d : view));
            double *values = as_doubles(d);
            argand_array_destroy(view);
            argand_array_destroy(d); /* the operator keeps the storage */
            const int count = kind == 2 ? 3 : 12;
            argand_array *x = kind == 2 ? ARRAY(type, 3) : ARRAY(type, 3, 4),
                         *y = kind == 2 ? ARRAY(type, 3) : ARRAY(type, 3, 4);
            randomise(x, 9, 0, 0);
            OK(argand_op_apply(op, y, x));
            double *in = as_doubles(x), *out = as_doubles(y);
            for (int i = 0; i < count; i++) {
                const double complex factor =
                    kind == 1 ? values[i % 3] : values[2 * (i % 3)] + I * values[2 * (i % 3) + 1];
                const double complex expected = factor * (in[2 * i] + I * in[2 * i + 1]);
                CHECK_BELOW(cabs(expected - (out[2 * i] + I * out[2 * i + 1])),
                            tolerance(type) * cabs(expected));
            }
            adjoint_of(op, type);
            normal_is_consistent(op, type);
            free(values);
            free(in);
            free(out);
            argand_array_destroy(x);
            argand_array_destroy(y);
            argand_op_destroy(op);
        }
}

/* Every axis of an odd, non-cubic image with an axis of 1: values against the definition, never over row
 * ends. */
static void difference(void **state)
{
    (void)state;
    const int64_t n[4] = {5, 4, 1, 3}, stride[4] = {1, 5, 20, 20};
    for (int axis = 0; axis < 4; axis++) {
        argand_op *op;
        OK(argand_op_difference(&op, device, &(argand_shape){ARGAND_C64, 4, {5, 4, 1, 3}}, axis));
        argand_array *x = ARRAY(ARGAND_C64, 5, 4, 1, 3), *y = ARRAY(ARGAND_C64, 5, 4, 1, 3);
        randomise(x, 10, 0, 0);
        randomise(y, 11, 0, 0); /* must be overwritten */
        OK(argand_op_apply(op, y, x));
        double *in = as_doubles(x), *out = as_doubles(y);
        for (int64_t i = 0; i < 60; i++)
            for (int part = 0; part < 2; part++) {
                const bool inside = i / stride[axis] % n[axis] > 0;
                const double expected = inside ? in[2 * i + part] - in[2 * (i - stride[axis]) + part] : 0;
                assert_true(out[2 * i + part] == expected);
            }
        adjoint_of(op, ARGAND_C64);
        normal_is_consistent(op, ARGAND_C64);
        free(in);
        free(out);
        argand_array_destroy(x);
        argand_array_destroy(y);
        argand_op_destroy(op);
    }
}

/* The check must find a wrong adjoint: here one that forgets to conjugate. */
static argand_status wrong_adjoint(void *context, argand_array *x, const argand_array *y)
{
    const dense *d = context;
    dense *flipped = dense_new(d->rows, d->columns, 0);
    for (int i = 0; i < d->rows * d->columns; i++) flipped->a[i] = conj(d->a[i]);
    const argand_status status = dense_adjoint(flipped, x, y);
    dense_free(flipped);
    return status;
}

static void check_finds_a_wrong_adjoint(void **state)
{
    (void)state;
    argand_op *op;
    double error;
    OK(argand_op_create(&op, device,
                        &(argand_op_definition){.name = "wrong",
                                                .domain = {ARGAND_C64, 1, {6}},
                                                .range = {ARGAND_C64, 1, {6}},
                                                .apply = dense_apply,
                                                .adjoint = wrong_adjoint,
                                                .destroy = dense_free,
                                                .context = dense_new(6, 6, 4)}));
    OK(argand_op_check(op, 0, 1, &error));
    assert_true(error > 0.01);
    argand_op_destroy(op);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(chain),
    cmocka_unit_test(sum),
    cmocka_unit_test(scale),
    cmocka_unit_test(adjoint_and_normal),
    cmocka_unit_test(nested),
    cmocka_unit_test(identity),
    cmocka_unit_test(diagonal),
    cmocka_unit_test(difference),
    cmocka_unit_test(check_finds_a_wrong_adjoint),
};
RUN_TESTS(tests)
