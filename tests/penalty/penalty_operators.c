/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradient and wavelet operators: against formulas, adjoint, orthogonal, at odd, thin and repeated shapes. */
#include "harness.h"

static const argand_shape shapes[] = {
    {ARGAND_C64, 1, {1}},           {ARGAND_C64, 1, {37}},       {ARGAND_C64, 2, {16, 9}},
    {ARGAND_C64, 2, {33, 20}},      {ARGAND_C64, 3, {9, 14, 5}}, {ARGAND_C64, 3, {1, 21, 8}},
    {ARGAND_C64, 4, {17, 8, 9, 3}}, {ARGAND_R64, 2, {11, 26}},   {ARGAND_C64, 3, {12, 1, 19}},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static argand_array *new_array(const argand_shape *shape)
{
    argand_array *array;
    OK(argand_array_create(&array, device, shape->type, shape->rank, shape->dims));
    return array;
}

static argand_shape single(argand_shape shape)
{
    shape.type = shape.type == ARGAND_C64 ? ARGAND_C32 : ARGAND_R32;
    return shape;
}

static void check_adjoint(argand_op *op, double limit)
{
    double error;
    OK(argand_op_check(op, 3, 5, &error));
    CHECK_BELOW(error, limit);
}

static void adjoints(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * SHAPES; i++) {
        const argand_shape shape = i < SHAPES ? shapes[i] : single(shapes[i - SHAPES]);
        const double limit = i < SHAPES ? 1e-12 : 1e-5;
        const int least = shape.rank == 4 ? 3 : 1, most = shape.rank < 3 ? shape.rank : 3;
        for (int space = least; space <= most; space++) {
            argand_op *op;
            OK(argand_op_gradient(&op, device, &shape, space));
            check_adjoint(op, limit);
            argand_op_destroy(op);
            for (int kind = 0; kind < 2; kind++) {
                OK(argand_op_wavelet(&op, device, &shape, space, (argand_wavelet)kind, 3));
                check_adjoint(op, limit);
                argand_op_destroy(op);
            }
        }
    }
}

/* Element by element, with the subscript spelled out. */
static void gradient_is_the_formula(void **state)
{
    (void)state;
    const argand_shape shape = {ARGAND_C64, 4, {5, 1, 4, 3}}; /* no differences along axis 1 */
    argand_array *x = new_array(&shape), *y;
    argand_op *op;
    randomise(x, 1, 0, 0);
    OK(argand_op_gradient(&op, device, &shape, 3));
    assert_int_equal(argand_op_range(op)->rank, 5);
    assert_int_equal(argand_op_range(op)->dims[4], 2);
    y = new_array(argand_op_range(op));
    OK(argand_op_apply(op, y, x));
    double *a = as_doubles(x), *b = as_doubles(y);
    for (int n = 0; n < 60; n++)
        for (int part = 0; part < 2; part++) {
            const int i = n % 5, k = n / 5 % 4;
            const double along_x = i ? a[2 * n + part] - a[2 * (n - 1) + part] : 0;
            const double along_z = k ? a[2 * n + part] - a[2 * (n - 5) + part] : 0;
            assert_true(b[2 * n + part] == along_x && b[2 * (n + 60) + part] == along_z);
        }
    free(a);
    free(b);
    argand_op_destroy(op);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

/* W^H W = 1: lengths are kept, and the adjoint undoes. */
static void wavelets_are_orthogonal(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int kind = 0; kind < 2; kind++) {
            const argand_shape *shape = &shapes[i];
            argand_op *op;
            argand_array *x = new_array(shape), *y = new_array(shape), *z = new_array(shape);
            double before, after;
            randomise(x, 2, 0, 0);
            OK(argand_op_wavelet(&op, device, shape, shape->rank > 3 ? 3 : shape->rank, (argand_wavelet)kind,
                                 0));
            OK(argand_op_apply(op, y, x));
            OK(argand_op_adjoint(op, z, y));
            OK(argand_array_norm(&before, x));
            OK(argand_array_norm(&after, y));
            CHECK_BELOW(fabs(after / before - 1), 1e-13);
            double *a = as_doubles(x), *b = as_doubles(z);
            const size_t count = (size_t)argand_array_count(x) * (shape->type == ARGAND_C64 ? 2 : 1);
            CHECK_BELOW(relative_error(b, a, count), 1e-13);
            free(a);
            free(b);
            argand_array_destroy(x);
            argand_array_destroy(y);
            argand_array_destroy(z);
            argand_op_destroy(op);
        }
}

/* Two vanishing moments: away from the seam of the period a straight line has no details; Haar's are not 0.
 */
static void lines_have_no_details(void **state)
{
    (void)state;
    enum { N = 40 };
    const argand_shape shape = {ARGAND_R64, 1, {N}};
    for (int kind = 0; kind < 2; kind++) {
        double line[N], most = 0;
        argand_op *op;
        argand_array *x = new_array(&shape), *y = new_array(&shape);
        for (int i = 0; i < N; i++) line[i] = 3 - 0.25 * i;
        OK(argand_array_upload(x, line));
        OK(argand_op_wavelet(&op, device, &shape, 1, (argand_wavelet)kind, 1));
        OK(argand_op_apply(op, y, x));
        double *c = as_doubles(y);
        for (int i = N / 2; i < N - 1; i++) most = fmax(most, fabs(c[i]));
        if (kind == ARGAND_HAAR)
            CHECK_BELOW(fabs(most - 0.25 * sqrt(0.5)), 1e-14);
        else
            CHECK_BELOW(most, 1e-14);
        free(c);
        argand_op_destroy(op);
        argand_array_destroy(x);
        argand_array_destroy(y);
    }
}

/* 2-D Haar, one level, odd sizes: by hand. */
static void haar_by_hand(void **state)
{
    (void)state;
    const argand_shape shape = {ARGAND_R64, 2, {5, 4}};
    double x[20], rows[20], wanted[20];
    argand_op *op;
    argand_array *a = new_array(&shape), *b = new_array(&shape);
    for (int i = 0; i < 20; i++) x[i] = sin(1.0 + 3 * i);
    for (int j = 0; j < 4; j++) {
        const double *r = x + 5 * j, h = sqrt(0.5);
        const double line[5] = {h * (r[0] + r[1]), h * (r[2] + r[3]), r[4], h * (r[0] - r[1]),
                                h * (r[2] - r[3])};
        memcpy(rows + 5 * j, line, sizeof line);
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 2; j++) {
            wanted[i + 5 * j] = sqrt(0.5) * (rows[i + 10 * j] + rows[i + 10 * j + 5]);
            wanted[i + 5 * (j + 2)] = sqrt(0.5) * (rows[i + 10 * j] - rows[i + 10 * j + 5]);
        }
    OK(argand_array_upload(a, x));
    OK(argand_op_wavelet(&op, device, &shape, 2, ARGAND_HAAR, 1));
    OK(argand_op_apply(op, b, a));
    double *c = as_doubles(b);
    CHECK_BELOW(relative_error(c, wanted, 20), 1e-15);
    free(c);
    argand_op_destroy(op);
    argand_array_destroy(a);
    argand_array_destroy(b);
}

static void refusals(void **state)
{
    (void)state;
    const argand_shape shape = {ARGAND_C32, 2, {8, 8}};
    argand_op *op;
    FAILS(argand_op_gradient(&op, device, &shape, 4), ARGAND_ARGUMENT, "4 axes of space");
    FAILS(argand_op_wavelet(&op, device, &shape, 3, ARGAND_HAAR, 0), ARGAND_ARGUMENT, "3 axes of space");
    FAILS(argand_op_wavelet(&op, device, &shape, 2, (argand_wavelet)7, 0), ARGAND_ARGUMENT, "wavelet 7");
    FAILS(argand_op_wavelet(&op, device, &shape, 2, ARGAND_HAAR, -1), ARGAND_ARGUMENT, "-1 levels");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(adjoints),
                                          cmocka_unit_test(gradient_is_the_formula),
                                          cmocka_unit_test(wavelets_are_orthogonal),
                                          cmocka_unit_test(lines_have_no_details),
                                          cmocka_unit_test(haar_by_hand),
                                          cmocka_unit_test(refusals)};
RUN_TESTS(tests)
