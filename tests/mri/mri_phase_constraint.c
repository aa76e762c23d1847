/* SPDX-License-Identifier: BSD-3-Clause */
/* The phase constraint: its formula, its adjoint over the real numbers, and what it is for: a head with a
 * smooth phase from little more than half of its lines. */
#include "harness.h"

enum { NX = 33, NY = 40, FIRST = -6, LINES = NY / 2 - FIRST, SAMPLES = NX * LINES };

static argand_array *new_array(argand_type type, int rank, const int64_t *dims)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    return array;
}

static const int64_t image_dims[2] = {NX, NY};

static void formula(void **state)
{
    (void)state;
    argand_array *p = new_array(ARGAND_C64, 2, image_dims), *x = new_array(ARGAND_C64, 2, image_dims),
                 *y = new_array(ARGAND_R64, 2, image_dims), *x2 = new_array(ARGAND_C64, 2, image_dims);
    argand_op *op;
    randomise(x, 1, 0, 0);
    randomise(x2, 2, 0, 0);
    OK(argand_phase_unit(p, x2));
    OK(argand_op_phase_constraint(&op, p));
    OK(argand_op_apply(op, y, x));
    OK(argand_op_adjoint(op, x2, y));
    double complex *pv = (double complex *)as_doubles(p), *xv = (double complex *)as_doubles(x),
                   *back = (double complex *)as_doubles(x2);
    double *yv = as_doubles(y), error;
    for (int i = 0; i < NX * NY; i++) {
        CHECK_BELOW(fabs(cabs(pv[i]) - 1), 1e-15);
        CHECK_BELOW(fabs(yv[i] - cimag(conj(pv[i]) * xv[i])), 1e-14);
        CHECK_BELOW(cabs(back[i] - I * pv[i] * yv[i]), 1e-14);
    }
    OK(argand_op_check(op, 4, 5, &error));
    CHECK_BELOW(error, 1e-14);
    free(yv);
    free(back);
    free(xv);
    free(pv);
    argand_op_destroy(op);
    argand_array_destroy(x2);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_array_destroy(p);
}

/* Lines from FIRST to NY / 2 - 1 of the grid; weights: 0 beyond -FIRST, a Hann window before. */
static argand_op *partial_transform(argand_array *weights)
{
    static float k[2][SAMPLES], w[SAMPLES];
    argand_array *kx = new_array(ARGAND_R32, 1, (const int64_t[1]){SAMPLES}),
                 *ky = new_array(ARGAND_R32, 1, (const int64_t[1]){SAMPLES});
    argand_array *one = new_array(ARGAND_C32, 3, (const int64_t[3]){NX, NY, 1});
    argand_field *plan;
    argand_op *transform, *op;
    for (int j = 0; j < SAMPLES; j++) {
        k[0][j] = (float)(j % NX - NX / 2);
        k[1][j] = (float)(j / NX + FIRST);
        const double u = (double)k[1][j] / (1 - FIRST);
        w[j] = fabs(u) < 1 ? (float)(0.5 + 0.5 * cos(3.14159265358979323846 * u)) : 0;
    }
    OK(argand_array_upload(kx, k[0]));
    OK(argand_array_upload(ky, k[1]));
    OK(argand_array_upload(weights, w));
    OK(argand_field_create(
        &plan, device, &(argand_field_options){.type = ARGAND_C32, .rank = 2, .n = {NX, NY}, .k = {kx, ky}}));
    OK(argand_op_field(&transform, device, plan, 1));
    OK(argand_array_fill(one, (argand_scalar){1, 0}));
    OK(argand_op_sense(&op, transform, one));
    argand_op_destroy(transform);
    argand_array_destroy(one);
    argand_array_destroy(ky);
    argand_array_destroy(kx);
    return op;
}

/* A head whose phase goes through more than a turn. */
static argand_array *make_head(void)
{
    argand_array *head = new_array(ARGAND_C32, 2, image_dims);
    OK(argand_phantom_image(head, ARGAND_SHEPP_LOGAN_2D));
    double *m = as_doubles(head);
    float numbers[2 * NX * NY];
    for (int i = 0; i < NX * NY; i++) {
        const double x = (i % NX - NX / 2) / (double)NX, y = (i / NX - NY / 2) / (double)NY;
        const double phase = 4 * x + 3 * y - 6 * (x * x + y * y) + 1;
        numbers[2 * i] = (float)(m[2 * i] * cos(phase));
        numbers[2 * i + 1] = (float)(m[2 * i] * sin(phase));
    }
    OK(argand_array_upload(head, numbers));
    free(m);
    return head;
}

static double error_of(const argand_array *found, const argand_array *head)
{
    double *a = as_doubles(found), *b = as_doubles(head);
    const double error = relative_error(a, b, 2 * NX * NY);
    free(b);
    free(a);
    return error;
}

static void partial_fourier(void **state)
{
    (void)state;
    argand_array *weights = new_array(ARGAND_R32, 2, (const int64_t[2]){SAMPLES, 1}), *head = make_head(),
                 *y = new_array(ARGAND_C32, 2, (const int64_t[2]){SAMPLES, 1}),
                 *x = new_array(ARGAND_C32, 2, image_dims), *phase = new_array(ARGAND_C32, 2, image_dims);
    argand_op *op = partial_transform(weights), *constraint;
    OK(argand_op_apply(op, y, head));
    /* one step from 0 is the adjoint of the windowed samples: an image without ringing, whose phase is smooth
     */
    OK(argand_solve_cg(x, op, y, &(argand_cg_options){.iterations = 1, .weights = weights}));
    OK(argand_phase_unit(phase, x));
    OK(argand_solve_cg(x, op, y, &(argand_cg_options){.iterations = 10}));
    const double zero_filled = error_of(x, head);
    OK(argand_op_phase_constraint(&constraint, phase));
    OK(argand_solve_cg(x, op, y,
                       &(argand_cg_options){.iterations = 30,
                                            .penalties = &(argand_penalty){constraint, 0.3 * SAMPLES},
                                            .penalty_count = 1}));
    const double constrained = error_of(x, head);
    print_message("zero-filled %.4f, with the phase %.4f\n", zero_filled, constrained);
    CHECK_BELOW(0.1, zero_filled);
    CHECK_BELOW(constrained, 0.4 * zero_filled);
    argand_op_destroy(constraint);
    argand_op_destroy(op);
    argand_array_destroy(phase);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(head);
    argand_array_destroy(weights);
}

static void refusals(void **state)
{
    (void)state;
    argand_array *real = new_array(ARGAND_R32, 2, image_dims), *image = new_array(ARGAND_C32, 2, image_dims);
    argand_op *op;
    argand_status status = ARGAND_MEMORY;
    FAILS(argand_op_phase_constraint(&op, real), ARGAND_ARGUMENT, "contiguous and complex");
    FAILS(argand_phase_unit(image, real), ARGAND_ARGUMENT, "two complex arrays");
    for (long n = 1; status && n < 60; n++) {
        argand_test_fail_allocation(n);
        status = argand_op_phase_constraint(&op, image);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_op_destroy(op);
    argand_array_destroy(image);
    argand_array_destroy(real);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(formula), cmocka_unit_test(partial_fourier),
                                          cmocka_unit_test(refusals)};
RUN_TESTS(tests)
