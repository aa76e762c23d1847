/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms as operators: shapes, adjointness in both precisions, agreement with the plan, and chains of
 * them. */
#include "dense.h"

enum { POINTS = 150, VECTORS = 3 };

static argand_nufft *nufft_plan_of(argand_type type, int rank, bool real)
{
    argand_nufft *plan;
    argand_array *k[3];
    OK(argand_nufft_create(
        &plan, device,
        &(argand_nufft_options){.type = type, .rank = rank, .n = {14, 11, 9}, .real_image = real}));
    for (int axis = 0; axis < rank; axis++) {
        k[axis] = ARRAY(ARGAND_R64, POINTS);
        randomise(k[axis], 30 + (uint64_t)axis, -4, 4);
    }
    OK(argand_nufft_set_points(plan, k));
    for (int axis = 0; axis < rank; axis++) argand_array_destroy(k[axis]);
    return plan;
}

static argand_nufft *nufft_plan(argand_type type, int rank)
{
    return nufft_plan_of(type, rank, false);
}

static void nufft(void **state)
{
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        const argand_type type = kind & 1 ? ARGAND_C64 : ARGAND_C32;
        const int rank = kind / 2 + 1;
        argand_op *op;
        double error;
        OK(argand_op_nufft(&op, device, nufft_plan(type, rank), VECTORS));
        assert_int_equal(argand_op_domain(op)->rank, rank + 1);
        assert_int_equal(argand_op_domain(op)->dims[rank], VECTORS);
        assert_int_equal(argand_op_range(op)->dims[0], POINTS);
        OK(argand_op_check(op, 3, 1, &error));
        CHECK_BELOW(error, kind & 1 ? 1e-12 : 1e-5); /* what math.md asks of every operator */
        argand_op_destroy(op);
    }
}

static void nufft_of_real_images(void **state)
{
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        const argand_type type = kind & 1 ? ARGAND_C64 : ARGAND_C32;
        argand_op *op;
        double error;
        OK(argand_op_nufft(&op, device, nufft_plan_of(type, kind / 2 + 1, true), VECTORS));
        assert_int_equal(argand_op_domain(op)->type, kind & 1 ? ARGAND_R64 : ARGAND_R32);
        assert_int_equal(argand_op_range(op)->type, type);
        OK(argand_op_check(op, 3, 1, &error));
        CHECK_BELOW(error, kind & 1 ? 1e-12 : 1e-5);
        argand_op_destroy(op);
    }
}

/* Coil maps before the transform, weights after it, as a reconstruction chains them; then a few steps of CG.
 */
static void chained(void **state)
{
    (void)state;
    argand_op *transform, *maps, *encode;
    argand_array *map = ARRAY(ARGAND_C64, 14, 11, VECTORS), *x = ARRAY(ARGAND_C64, 14, 11, VECTORS),
                 *truth = ARRAY(ARGAND_C64, 14, 11, VECTORS), *y = ARRAY(ARGAND_C64, POINTS, VECTORS),
                 *fit = ARRAY(ARGAND_C64, POINTS, VECTORS);
    double error, norm, misfit;
    char text[64];
    OK(argand_op_nufft(&transform, device, nufft_plan(ARGAND_C64, 2), VECTORS));
    randomise(map, 40, 0, 0);
    randomise(truth, 41, 0, 0);
    OK(argand_op_diagonal(&maps, map));
    OK(argand_op_chain(&encode, transform, maps));
    argand_op_print(encode, text, sizeof text);
    assert_string_equal(text, "(chain (nufft) (diagonal))");
    OK(argand_op_check(encode, 3, 2, &error));
    CHECK_BELOW(error, 1e-12);
    OK(argand_op_apply(encode, y, truth));
    OK(argand_solve_cg(x, encode, y, &(argand_cg_options){.iterations = 60}));
    OK(argand_op_apply(encode, fit, x));
    OK(argand_array_axpby(fit, (argand_scalar){1, 0}, y, (argand_scalar){-1, 0}));
    OK(argand_array_norm(&misfit, fit));
    OK(argand_array_norm(&norm, y));
    CHECK_BELOW(misfit / norm, 1e-2); /* consistent data, hard maps: it has come far, not to the end */
    argand_op_destroy(encode);
    argand_op_destroy(maps);
    argand_op_destroy(transform);
    argand_array_destroy(map);
    argand_array_destroy(x);
    argand_array_destroy(truth);
    argand_array_destroy(y);
    argand_array_destroy(fit);
}

static argand_field *field_plan(argand_array *const k[2])
{
    argand_field *plan;
    OK(argand_field_create(
        &plan, device,
        &(argand_field_options){.type = ARGAND_C64, .rank = 2, .n = {14, 11}, .k = {k[0], k[1]}}));
    return plan;
}

/* A result does not change while the operator works on: nothing of it lies in the operator's own buffers
 * (the ancestor returned views of them). NUFFT, exact DFT and a chain, which has a buffer between its parts.
 */
static void results_are_the_callers(void **state)
{
    (void)state;
    argand_op *ops[3], *maps;
    argand_array *k[2], *map = ARRAY(ARGAND_C64, 14, 11, VECTORS);
    for (int axis = 0; axis < 2; axis++) {
        k[axis] = ARRAY(ARGAND_R64, POINTS);
        randomise(k[axis], 50 + (uint64_t)axis, -4, 4);
    }
    randomise(map, 52, 0, 0);
    FAILS(argand_op_field(&ops[1], device, NULL, 1), ARGAND_ARGUMENT, "no plan");
    FAILS(argand_op_field(NULL, device, field_plan(k), 1), ARGAND_ARGUMENT, "no place");
    FAILS(argand_op_field(&ops[1], device, field_plan(k), 0), ARGAND_ARGUMENT, "0 vectors");
    OK(argand_op_nufft(&ops[0], device, nufft_plan(ARGAND_C64, 2), VECTORS));
    OK(argand_op_field(&ops[1], device, field_plan(k), VECTORS));
    OK(argand_op_diagonal(&maps, map));
    OK(argand_op_chain(&ops[2], ops[0], maps));
    for (int i = 0; i < 3; i++) {
        argand_array *x = ARRAY(ARGAND_C64, 14, 11, VECTORS), *first = ARRAY(ARGAND_C64, POINTS, VECTORS),
                     *second = ARRAY(ARGAND_C64, POINTS, VECTORS);
        randomise(x, 60, 0, 0);
        OK(argand_op_apply(ops[i], first, x));
        double *before = as_doubles(first);
        randomise(x, 61, 0, 0);
        OK(argand_op_apply(ops[i], second, x));
        OK(argand_op_adjoint(ops[i], x, second));
        double *after = as_doubles(first), *other = as_doubles(second);
        assert_memory_equal(before, after, 2 * POINTS * VECTORS * sizeof *before);
        assert_true(relative_error(other, before, 2 * POINTS * VECTORS) > 0.1);
        free(before);
        free(after);
        free(other);
        argand_array_destroy(x);
        argand_array_destroy(first);
        argand_array_destroy(second);
    }
    for (int i = 2; i >= 0; i--) argand_op_destroy(ops[i]);
    argand_op_destroy(maps);
    argand_array_destroy(map);
    argand_array_destroy(k[0]);
    argand_array_destroy(k[1]);
}

static void refuses(void **state)
{
    (void)state;
    argand_op *op;
    argand_nufft *plan;
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {8, 8}}));
    FAILS(argand_op_nufft(&op, device, plan, 1), ARGAND_ARGUMENT, "no points"); /* and the plan is gone */
    FAILS(argand_op_nufft(&op, device, NULL, 1), ARGAND_ARGUMENT, "no plan");
    FAILS(argand_op_nufft(&op, device, nufft_plan(ARGAND_C32, 1), 0), ARGAND_ARGUMENT, "0 vectors");
    FAILS(argand_op_nufft(NULL, device, nufft_plan(ARGAND_C32, 1), 1), ARGAND_ARGUMENT, "no place");
    FAILS(argand_op_fft(&op, device, &(argand_fft_options){.type = ARGAND_R32, .rank = 1, .n = {8}},
                        ARGAND_FORWARD),
          ARGAND_UNSUPPORTED, "the transform is real");
    FAILS(argand_op_fft(&op, device, &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {0}},
                        ARGAND_FORWARD),
          ARGAND_ARGUMENT, "length 0 is 0");
    FAILS(argand_op_fft(&op, device,
                        &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {8}, .axes_given = true},
                        ARGAND_FORWARD),
          ARGAND_UNSUPPORTED, "contiguous");
    FAILS(argand_op_fft(&op, device, NULL, ARGAND_FORWARD), ARGAND_ARGUMENT, "no options");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nufft), cmocka_unit_test(nufft_of_real_images), cmocka_unit_test(chained),
    cmocka_unit_test(results_are_the_callers), cmocka_unit_test(refuses)};
RUN_TESTS(tests)
