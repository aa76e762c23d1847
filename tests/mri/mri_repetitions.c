/* SPDX-License-Identifier: BSD-3-Clause */
/* Repetitions as one operator, without and with a temporal basis: values against the parts, adjoint, normal,
 * refusals. */
#include "harness.h"

enum { NX = 5, NY = 6, COUNT = 4, IMAGES = 2, PIXELS = NX * NY };

/* Operators of different ranges: multiples of the FFT, of the identity. */
static argand_op *part_of(int r, argand_type type)
{
    argand_op *op;
    const argand_shape shape = {.type = type, .rank = 2, .dims = {NX, NY}};
    if (r % 2)
        OK(argand_op_difference(&op, device, &shape, r / 2));
    else
        OK(argand_op_fft(&op, device, &(argand_fft_options){.type = type, .rank = 2, .n = {NX, NY}},
                         ARGAND_FORWARD));
    return op;
}

static argand_array *random_array(argand_type type, int rank, const int64_t *dims, uint64_t seed)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    randomise(array, seed, 0, 0);
    return array;
}

static argand_op *whole_of(argand_op *parts[COUNT], argand_type type, const argand_array *basis)
{
    argand_op *op;
    for (int r = 0; r < COUNT; r++) parts[r] = part_of(r, type);
    OK(argand_op_repetitions(&op, parts, COUNT, basis));
    return op;
}

/* Each part by itself, on the sum over the basis that C computes. */
static void values(void **state)
{
    (void)state;
    for (int with = 0; with < 2; with++) {
        const int images = with ? IMAGES : COUNT;
        argand_array *basis = random_array(ARGAND_C32, 2, (int64_t[]){COUNT, IMAGES}, 1),
                     *x = random_array(ARGAND_C32, 3, (int64_t[]){NX, NY, images}, 2), *y, *one, *part;
        argand_op *parts[COUNT], *op = whole_of(parts, ARGAND_C32, with ? basis : NULL);
        OK(argand_array_create(&y, device, ARGAND_C32, 1, (int64_t[]){COUNT * PIXELS}));
        OK(argand_array_create(&one, device, ARGAND_C32, 2, (int64_t[]){NX, NY}));
        OK(argand_array_create(&part, device, ARGAND_C32, 2, (int64_t[]){NX, NY}));
        OK(argand_op_apply(op, y, x));
        double complex *v = (double complex *)as_doubles(basis), *image = (double complex *)as_doubles(x);
        double *got = as_doubles(y);
        for (int r = 0; r < COUNT; r++) {
            float complex sum[PIXELS];
            for (int i = 0; i < PIXELS; i++) {
                double complex value = with ? 0 : image[i + PIXELS * r];
                for (int k = 0; with && k < IMAGES; k++) value += v[r + COUNT * k] * image[i + PIXELS * k];
                sum[i] = (float complex)value;
            }
            OK(argand_array_upload(one, sum));
            OK(argand_op_apply(parts[r], part, one));
            double *expected = as_doubles(part);
            CHECK_BELOW(relative_error(got + 2 * (ptrdiff_t)r * PIXELS, expected, 2 * PIXELS), 1e-6);
            free(expected);
            argand_op_destroy(parts[r]);
        }
        free(v), free(image), free(got);
        argand_op_destroy(op);
        argand_array_destroy(basis);
        argand_array_destroy(x);
        argand_array_destroy(y);
        argand_array_destroy(one);
        argand_array_destroy(part);
    }
}

static void adjoint_and_normal(void **state)
{
    (void)state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    for (int precise = 0; precise < (info.has_double ? 2 : 1); precise++)
        for (int with = 0; with < 2; with++) {
            const argand_type type = precise ? ARGAND_C64 : ARGAND_C32;
            const int images = with ? IMAGES : COUNT;
            argand_array *basis = random_array(type, 2, (int64_t[]){COUNT, IMAGES}, 1),
                         *x = random_array(type, 3, (int64_t[]){NX, NY, images}, 2), *y, *z[2];
            argand_op *parts[COUNT], *op = whole_of(parts, type, with ? basis : NULL);
            double error;
            OK(argand_op_check(op, 3, 4, &error));
            CHECK_BELOW(error, precise ? 1e-12 : 1e-5);
            OK(argand_array_create(&y, device, type, 1, (int64_t[]){COUNT * PIXELS}));
            for (int i = 0; i < 2; i++)
                OK(argand_array_create(&z[i], device, type, 3, (int64_t[]){NX, NY, images}));
            OK(argand_op_normal(op, z[0], x));
            OK(argand_op_apply(op, y, x));
            OK(argand_op_adjoint(op, z[1], y));
            double *a = as_doubles(z[0]), *b = as_doubles(z[1]);
            CHECK_BELOW(relative_error(a, b, 2 * PIXELS * (size_t)images), precise ? 1e-13 : 1e-6);
            free(a), free(b);
            argand_op_destroy(op);
            for (int r = 0; r < COUNT; r++) argand_op_destroy(parts[r]);
            argand_array_destroy(basis);
            argand_array_destroy(x);
            argand_array_destroy(y);
            for (int i = 0; i < 2; i++) argand_array_destroy(z[i]);
        }
}

/* From normal operators of the parts: the same as the whole one's. */
static void normal_of_normals(void **state)
{
    (void)state;
    for (int with = 0; with < 2; with++) {
        const int images = with ? IMAGES : COUNT;
        argand_array *basis = random_array(ARGAND_C32, 2, (int64_t[]){COUNT, IMAGES}, 1),
                     *x = random_array(ARGAND_C32, 3, (int64_t[]){NX, NY, images}, 2), *z[2];
        argand_op *parts[COUNT], *normals[COUNT], *op = whole_of(parts, ARGAND_C32, with ? basis : NULL),
                                                  *normal;
        for (int r = 0; r < COUNT; r++) OK(argand_op_normal_of(&normals[r], parts[r]));
        OK(argand_op_repetitions_normal(&normal, normals, COUNT, with ? basis : NULL));
        for (int i = 0; i < 2; i++)
            OK(argand_array_create(&z[i], device, ARGAND_C32, 3, (int64_t[]){NX, NY, images}));
        OK(argand_op_normal(op, z[0], x));
        OK(argand_op_apply(normal, z[1], x));
        double *a = as_doubles(z[0]), *b = as_doubles(z[1]), error;
        CHECK_BELOW(relative_error(a, b, 2 * PIXELS * (size_t)images), 1e-6);
        OK(argand_op_check(normal, 2, 5, &error));
        CHECK_BELOW(error, 1e-5);
        free(a), free(b);
        argand_op_destroy(normal);
        argand_op_destroy(op);
        for (int r = 0; r < COUNT; r++) {
            argand_op_destroy(parts[r]);
            argand_op_destroy(normals[r]);
        }
        argand_array_destroy(basis);
        argand_array_destroy(x);
        for (int i = 0; i < 2; i++) argand_array_destroy(z[i]);
    }
}

static void refusals(void **state)
{
    (void)state;
    argand_op *parts[2] = {part_of(0, ARGAND_C32), part_of(0, ARGAND_C32)}, *op, *other;
    argand_array *basis = random_array(ARGAND_C32, 2, (int64_t[]){3, 1}, 1), *wide, *real;
    const argand_shape shape = {.type = ARGAND_C32, .rank = 2, .dims = {NX + 1, NY}};
    OK(argand_array_create(&wide, device, ARGAND_C32, 2, (int64_t[]){2, 3}));
    OK(argand_array_create(&real, device, ARGAND_R32, 2, (int64_t[]){2, 1}));
    FAILS(argand_op_repetitions(&op, parts, 2, basis), ARGAND_ARGUMENT,
          "the temporal basis is 3x1; it must have 2 rows");
    FAILS(argand_op_repetitions(&op, parts, 2, wide), ARGAND_ARGUMENT, "2x3");
    FAILS(argand_op_repetitions(&op, parts, 2, real), ARGAND_ARGUMENT, "must be complex");
    FAILS(argand_op_repetitions(&op, parts, 0, NULL), ARGAND_ARGUMENT, "no operators");
    OK(argand_op_identity(&other, device, &shape));
    argand_op *mixed[2] = {parts[0], other};
    FAILS(argand_op_repetitions(&op, mixed, 2, NULL), ARGAND_ARGUMENT, "repetition 1 takes other images");
    argand_op_destroy(other);
    argand_op_destroy(parts[0]);
    argand_op_destroy(parts[1]);
    argand_array_destroy(basis);
    argand_array_destroy(wide);
    argand_array_destroy(real);
}

static void no_memory(void **state)
{
    (void)state;
    argand_op *parts[2] = {part_of(0, ARGAND_C32), part_of(0, ARGAND_C32)}, *op = NULL;
    argand_array *basis = random_array(ARGAND_C32, 2, (int64_t[]){2, 1}, 1);
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status && n < 30; n++) {
        argand_test_fail_allocation(n);
        status = argand_op_repetitions(&op, parts, 2, basis);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_op_destroy(op);
    argand_op_destroy(parts[0]);
    argand_op_destroy(parts[1]);
    argand_array_destroy(basis);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values),   cmocka_unit_test(adjoint_and_normal), cmocka_unit_test(normal_of_normals),
    cmocka_unit_test(refusals), cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
