/* SPDX-License-Identifier: BSD-3-Clause */
/* The penalty that CONTRIBUTING.md adds: known by name, described, chosen for, and solved. */
#include "harness.h"

static void known(void **state)
{
    (void)state;
    argand_regularizer list[ARGAND_MAX_REGULARIZERS];
    argand_regularizer_info info;
    int count;
    OK(argand_regularizers_parse("l1:0.25,quadratic:1", list, &count));
    assert_true(count == 2 && list[0].kind == ARGAND_L1 && list[0].weight == 0.25);
    OK(argand_regularizer_describe(ARGAND_L1, &info));
    assert_string_equal(info.name, "l1");
    assert_int_equal(argand_regularizer_count(), ARGAND_L1);
    FAILS(argand_regularizers_parse("l0:1", list, &count), ARGAND_ARGUMENT, "llr or l1");
    FAILS(argand_regularizers_parse("l1:1:2", list, &count), ARGAND_ARGUMENT, "write l1:WEIGHT");
    assert_int_equal(argand_solver_choose(list, 1), ARGAND_SOLVER_POGM);
}

/* With A = 1 the solution is the soft threshold of the data: y (1 - w / |y|) where |y| > w, else 0. */
static void solved(void **state)
{
    (void)state;
    const argand_shape shape = {ARGAND_C64, 2, {12, 10}};
    const argand_regularizer l1 = {.kind = ARGAND_L1, .weight = 0.7};
    argand_op *identity;
    argand_array *x, *y;
    OK(argand_op_identity(&identity, device, &shape));
    OK(argand_array_create(&x, device, shape.type, shape.rank, shape.dims));
    OK(argand_array_create(&y, device, shape.type, shape.rank, shape.dims));
    randomise(y, 1, 0, 0);
    for (int solver = ARGAND_SOLVER_POGM; solver <= ARGAND_SOLVER_ADMM; solver++) {
        OK(argand_solve(x, identity, y,
                        &(argand_solve_options){.regularizers = &l1,
                                                .regularizer_count = 1,
                                                .solver = (argand_solver)solver,
                                                .absolute = true,
                                                .iterations = 200,
                                                .tolerance = 1e-12}));
        double *a = as_doubles(x), *b = as_doubles(y);
        int zeros = 0;
        for (int i = 0; i < 120; i++) {
            const double complex v = CMPLX(b[2 * i], b[2 * i + 1]);
            const double factor = fmax(0, 1 - 0.7 / cabs(v));
            zeros += factor == 0;
            CHECK_BELOW(cabs(CMPLX(a[2 * i], a[2 * i + 1]) - factor * v), 1e-9);
        }
        assert_in_range(zeros, 10, 110);
        free(b);
        free(a);
    }
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_op_destroy(identity);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(known), cmocka_unit_test(solved)};
RUN_TESTS(tests)
