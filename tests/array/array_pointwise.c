/* SPDX-License-Identifier: BSD-3-Clause */
/* Every pointwise operation against C's complex arithmetic in double, for all types and for strided operands.
 */
#include "precisions.h"

enum { NX = 37, NY = 53, NZ = 11, N = NX * NY * NZ };
static const argand_type types[] = {ARGAND_R32, ARGAND_R64, ARGAND_C32, ARGAND_C64};

static int is_complex(argand_type type)
{
    return type == ARGAND_C32 || type == ARGAND_C64;
}
static int is_double(argand_type type)
{
    return type == ARGAND_R64 || type == ARGAND_C64;
}
/* one rounding in each of at most six operations */
static double rounding(argand_type type)
{
    return is_double(type) ? 6 * 1.2e-16 : 6 * 6e-8;
}

static void make(argand_array **a, argand_type type, uint64_t seed)
{
    OK(argand_array_create(a, device, type, 3, (int64_t[]){NX, NY, NZ}));
    randomise(*a, seed, 0, 0);
}

/* the array's elements as complex doubles */
static double complex *values(const argand_array *a)
{
    double *numbers = as_doubles(a);
    double complex *result = malloc((size_t)argand_array_count(a) * sizeof *result);
    for (int64_t i = 0; i < argand_array_count(a); i++)
        result[i] = is_complex(argand_array_type(a)) ? CMPLX(numbers[2 * i], numbers[2 * i + 1]) : numbers[i];
    free(numbers);
    return result;
}

static void compare(const argand_array *a, const double complex *expected)
{
    double complex *got = values(a);
    CHECK_BELOW(relative_error((double *)got, (const double *)expected, 2 * (size_t)argand_array_count(a)),
                rounding(argand_array_type(a)));
    free(got);
}

static void axpby(argand_type ty, argand_type tx, double complex a, double complex b)
{
    argand_array *x, *y;
    make(&x, tx, 1);
    make(&y, ty, 2);
    double complex *xs = values(x), *expected = values(y);
    for (int i = 0; i < N; i++) expected[i] = a * xs[i] + b * expected[i];
    OK(argand_array_axpby(y, (argand_scalar){creal(a), cimag(a)}, x, (argand_scalar){creal(b), cimag(b)}));
    compare(y, expected);
    free(xs);
    free(expected);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

static void axpby_all_types(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            if (is_double(types[i]) != is_double(types[j]) || is_complex(types[j]) > is_complex(types[i]))
                continue;
            if (is_double(types[i]) && precision_count() < 2) continue;
            axpby(types[i], types[j], 0.7, -1.3);
            axpby(types[i], types[j], 1, 0);
            if (is_complex(types[i])) axpby(types[i], types[j], 0.7 - 0.2 * I, -1.3 + 2 * I);
        }
}

static void product(argand_type ty, argand_type ta, argand_type tb, int flags)
{
    argand_array *y, *a, *b;
    make(&y, ty, 3);
    make(&a, ta, 4);
    make(&b, tb, 5);
    double complex *as = values(a), *bs = values(b), *expected = values(y);
    for (int i = 0; i < N; i++)
        expected[i] = (flags & ARGAND_PRODUCT_ADD ? expected[i] : 0) +
                      (flags & ARGAND_PRODUCT_CONJ ? conj(as[i]) : as[i]) * bs[i];
    OK(argand_array_multiply(y, a, b, flags));
    compare(y, expected);
    free(as);
    free(bs);
    free(expected);
    argand_array_destroy(y);
    argand_array_destroy(a);
    argand_array_destroy(b);
}

static void products_of_all_types(void **state)
{
    (void)state;
    for (int flags = 0; flags < 4; flags++) {
        product(ARGAND_R32, ARGAND_R32, ARGAND_R32, flags);
        if (precision_count() > 1) product(ARGAND_R64, ARGAND_R64, ARGAND_R64, flags);
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++) {
                product(ARGAND_C32, a ? ARGAND_C32 : ARGAND_R32, b ? ARGAND_C32 : ARGAND_R32, flags);
                if (precision_count() > 1)
                    product(ARGAND_C64, a ? ARGAND_C64 : ARGAND_R64, b ? ARGAND_C64 : ARGAND_R64, flags);
            }
    }
}

/* image {x, y, 1->z} times maps {x, y, z} into a permuted output: what SENSE does with repeated and permuted
 * operands */
static void strides_and_repeats(void **state)
{
    (void)state;
    argand_array *image, *maps, *y, *repeated, *transposed;
    OK(argand_array_create(&image, device, ARGAND_C32, 2, (int64_t[]){NX, NY}));
    randomise(image, 6, 0, 0);
    make(&maps, ARGAND_C32, 7);
    OK(argand_array_create(&y, device, ARGAND_C32, 3, (int64_t[]){NZ, NX, NY}));
    OK(argand_array_view(&repeated, image, 3, (int64_t[]){NX, NY, NZ}, (int64_t[]){1, NX, 0}, 0));
    OK(argand_array_view(&transposed, y, 3, (int64_t[]){NX, NY, NZ}, (int64_t[]){NZ, NZ * NX, 1}, 0));
    OK(argand_array_multiply(transposed, maps, repeated, ARGAND_PRODUCT_CONJ));
    double complex *m = values(maps), *i = values(image), *expected = malloc(N * sizeof *expected);
    for (int z = 0; z < NZ; z++)
        for (int p = 0; p < NX * NY; p++) expected[z + NZ * p] = conj(m[p + NX * NY * z]) * i[p];
    compare(y, expected);
    FAILS(argand_array_copy(repeated, maps), ARGAND_ARGUMENT, "repeats");
    free(m);
    free(i);
    free(expected);
    argand_array_destroy(transposed);
    argand_array_destroy(repeated);
    argand_array_destroy(y);
    argand_array_destroy(maps);
    argand_array_destroy(image);
}

static void parts(void **state)
{
    (void)state;
    for (int precision = 0; precision < precision_count(); precision++) {
        argand_array *x, *y;
        make(&x, precision ? ARGAND_C64 : ARGAND_C32, 8);
        make(&y, precision ? ARGAND_R64 : ARGAND_R32, 9);
        double complex *xs = values(x), *expected = malloc(N * sizeof *expected);
        argand_status (*const functions[])(argand_array *, const argand_array *) = {
            argand_array_abs, argand_array_phase, argand_array_real, argand_array_imag};
        for (int f = 0; f < 4; f++) {
            for (int i = 0; i < N; i++)
                expected[i] = f == 0   ? cabs(xs[i])
                              : f == 1 ? carg(xs[i])
                              : f == 2 ? creal(xs[i])
                                       : cimag(xs[i]);
            OK(functions[f](y, x));
            compare(y, expected);
        }
        FAILS(argand_array_abs(x, x), ARGAND_ARGUMENT, "must be real");
        free(xs);
        free(expected);
        argand_array_destroy(x);
        argand_array_destroy(y);
    }
}

/* Where the squares are 0 or infinite. */
static void modulus_of_any_size(void **state)
{
    (void)state;
    static const float numbers[][3] = {
        {3e30f, 4e30f, 5e30f},    {-3e-30f, 4e-30f, 5e-30f}, {0, -2e38f, 2e38f}, {0, 0, 0}, {3, -4, 5},
        {-INFINITY, 1, INFINITY}, {1e-38f, 0, 1e-38f}};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    float pairs[2 * COUNT];
    argand_array *x, *y;
    OK(argand_array_create(&x, device, ARGAND_C32, 1, (int64_t[]){COUNT}));
    OK(argand_array_create(&y, device, ARGAND_R32, 1, (int64_t[]){COUNT}));
    for (int i = 0; i < COUNT; i++) memcpy(pairs + 2 * i, numbers[i], 2 * sizeof *pairs);
    OK(argand_array_upload(x, pairs));
    OK(argand_array_abs(y, x));
    float got[COUNT];
    OK(argand_array_download(y, got));
    for (int i = 0; i < COUNT; i++)
        if (got[i] != numbers[i][2]) CHECK_BELOW(fabs((double)got[i] / (double)numbers[i][2] - 1), 2e-7);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

static void conversions(void **state)
{
    (void)state;
    argand_array *f, *d, *r;
    if (precision_count() < 2) return;
    make(&f, ARGAND_C32, 10);
    make(&d, ARGAND_C64, 11);
    make(&r, ARGAND_R64, 12);
    double complex *expected = values(f);
    OK(argand_array_copy(d, f));
    compare(d, expected);
    free(expected);
    expected = values(r);
    OK(argand_array_copy(f, r));
    compare(f, expected);
    free(expected);
    FAILS(argand_array_copy(r, f), ARGAND_ARGUMENT, "cannot become a real one");
    FAILS(argand_array_axpby(d, (argand_scalar){1, 0}, f, (argand_scalar){0, 0}), ARGAND_ARGUMENT,
          "precision");
    argand_array_destroy(f);
    argand_array_destroy(d);
    argand_array_destroy(r);
}

/* b = 0 means that y is not read: NaN in fresh memory must not survive (a classic of BLAS). */
static void zero_factor_forgets_nan(void **state)
{
    (void)state;
    argand_array *x, *y;
    make(&x, ARGAND_C32, 13);
    make(&y, ARGAND_C32, 14);
    OK(argand_array_fill(y, (argand_scalar){NAN, NAN}));
    bool finite;
    OK(argand_array_is_finite(&finite, y));
    assert_false(finite);
    OK(argand_array_axpby(y, (argand_scalar){2, 0}, x, (argand_scalar){0, 0}));
    OK(argand_array_is_finite(&finite, y));
    assert_true(finite);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(axpby_all_types),         cmocka_unit_test(products_of_all_types),
    cmocka_unit_test(strides_and_repeats),     cmocka_unit_test(parts),
    cmocka_unit_test(modulus_of_any_size),     cmocka_unit_test(conversions),
    cmocka_unit_test(zero_factor_forgets_nan),
};
RUN_TESTS(tests)
