/* SPDX-License-Identifier: BSD-3-Clause */
/* Inner products with a basis on the device, and their subtraction, against sums in double on the host. */
#include "harness.h"
#include "array/basis.h"

/* More than a chunk of every device, and no multiple of a run. */
enum { N = 20011, VECTORS = 5 };

static const argand_type types[4] = {ARGAND_R32, ARGAND_R64, ARGAND_C32, ARGAND_C64};

static bool no_double(argand_type type)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return !info.has_double && (type == ARGAND_R64 || type == ARGAND_C64);
}

static bool is_complex(argand_type type)
{
    return type == ARGAND_C32 || type == ARGAND_C64;
}

/* Products are summed in the array's precision over at most 64 elements: of |v| |x| that is a few roundings.
 */
static double rounding(argand_type type)
{
    return type == ARGAND_R32 || type == ARGAND_C32 ? 5e-7 : 1e-15;
}

static argand_array *random_array(argand_type type, uint64_t seed)
{
    argand_array *x;
    OK(argand_array_create(&x, device, type, 1, (int64_t[]){N}));
    randomise(x, seed, 0, 0);
    return x;
}

/* v / |v| as the host has it, complex for real types too */
static void host_vector(argand_type type, uint64_t seed, double complex *v)
{
    argand_array *x = random_array(type, seed);
    double *numbers = as_doubles(x), square = 0;
    for (int i = 0; i < N; i++) {
        v[i] = is_complex(type) ? CMPLX(numbers[2 * i], numbers[2 * i + 1]) : numbers[i];
        square += creal(v[i]) * creal(v[i]) + cimag(v[i]) * cimag(v[i]);
    }
    for (int i = 0; i < N; i++) v[i] /= sqrt(square);
    free(numbers);
    argand_array_destroy(x);
}

static double complex host_dot(const double complex *v, const double complex *x)
{
    double complex sum = 0;
    for (int i = 0; i < N; i++) sum += conj(v[i]) * x[i];
    return sum;
}

static void fill(basis *b, argand_type type)
{
    argand_array *numbers;
    OK(scalars_create(&numbers, device, 2));
    for (int j = 0; j < VECTORS; j++) {
        argand_array *x = random_array(type, 10 + (uint64_t)j);
        OK(scalars_dot(numbers, 1, 1, x, x, false));
        OK(basis_keep(b, x, numbers, 1));
        argand_array_destroy(x);
    }
    assert_int_equal(b->count, VECTORS);
    argand_array_destroy(numbers);
}

static void compare(argand_type type, bool reals)
{
    static double complex v[VECTORS][N], x[N];
    basis b;
    double sums[2 * VECTORS], again[2 * VECTORS];
    OK(basis_make(&b, device, type, N, VECTORS, reals));
    fill(&b, type);
    argand_array *on_device = random_array(type, 1);
    double *numbers = as_doubles(on_device);
    for (int i = 0; i < N; i++)
        x[i] = is_complex(type) ? CMPLX(numbers[2 * i], numbers[2 * i + 1]) : numbers[i];
    free(numbers);
    OK(basis_dot(&b, on_device));
    OK(scalars_read(sums, b.sums));
    OK(basis_dot(&b, on_device));
    OK(scalars_read(again, b.sums));
    assert_memory_equal(sums, again, sizeof sums);
    OK(basis_subtract(&b, on_device));
    const double length = sqrt(creal(host_dot(x, x)));
    double complex c[VECTORS];
    for (int j = 0; j < VECTORS; j++) {
        host_vector(type, 10 + (uint64_t)j, v[j]);
        c[j] = host_dot(v[j], x);
        if (reals) c[j] = creal(c[j]);
        CHECK_BELOW(cabs(CMPLX(sums[2 * j], sums[2 * j + 1]) - c[j]), rounding(type) * length);
    }
    for (int j = 0; j < VECTORS; j++)
        for (int i = 0; i < N; i++) x[i] -= c[j] * v[j][i];
    double *left = as_doubles(on_device), difference = 0;
    for (int i = 0; i < N; i++) {
        const double complex d = (is_complex(type) ? CMPLX(left[2 * i], left[2 * i + 1]) : left[i]) - x[i];
        difference += creal(d) * creal(d) + cimag(d) * cimag(d);
    }
    CHECK_BELOW(sqrt(difference), rounding(type) * length);
    free(left);
    argand_array_destroy(on_device);
    basis_release(&b);
}

static void against_the_host(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        if (no_double(types[kind])) continue;
        compare(types[kind], false);
        if (is_complex(types[kind])) compare(types[kind], true);
    }
}

/* A vector of no length, or of NaN, takes a place and changes nothing; a full basis takes no more. */
static void vectors_of_no_length(void **state)
{
    (void)state;
    basis b;
    argand_array *numbers, *x = random_array(ARGAND_C32, 1);
    double *before = as_doubles(x);
    const double squares[2] = {0, NAN};
    const float floats[2] = {0, NAN};
    OK(basis_make(&b, device, ARGAND_C32, N, 2, false));
    OK(scalars_create(&numbers, device, 2));
    OK(argand_array_upload(numbers,
                           argand_array_type(numbers) == ARGAND_R64 ? (const void *)squares : floats));
    for (int i = 0; i < 3; i++) OK(basis_keep(&b, x, numbers, i % 2));
    assert_int_equal(b.count, 2);
    OK(basis_dot(&b, x));
    OK(basis_subtract(&b, x));
    double *after = as_doubles(x);
    assert_memory_equal(before, after, 2 * N * sizeof *before);
    free(after);
    free(before);
    argand_array_destroy(x);
    argand_array_destroy(numbers);
    basis_release(&b);
}

static void no_capacity(void **state)
{
    (void)state;
    basis b;
    argand_array *x = random_array(ARGAND_C32, 1);
    OK(basis_make(&b, device, ARGAND_C32, N, 0, false));
    OK(basis_keep(&b, x, NULL, 0));
    OK(basis_dot(&b, x));
    OK(basis_subtract(&b, x));
    basis_release(&b);
    argand_array_destroy(x);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(against_the_host),
                                          cmocka_unit_test(vectors_of_no_length),
                                          cmocka_unit_test(no_capacity)};
RUN_TESTS(tests)
