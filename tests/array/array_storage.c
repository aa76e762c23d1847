/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies to and from storage types, against their definitions: every pattern, rounding, strides, pairs. */
#include "harness.h"
#include "array/array.h"

enum { SIDE = 256, ALL = SIDE * SIDE };

static double decode(argand_type type, unsigned bits)
{
    if (type == ARGAND_U8) return bits;
    const int mantissa = type == ARGAND_R16 ? 10 : 7, bias = type == ARGAND_R16 ? 15 : 127;
    const int exponent = (int)((bits & 0x7fff) >> mantissa), sign = bits >> 15 ? -1 : 1;
    const double fraction = ldexp((double)(bits & ((1u << mantissa) - 1)), -mantissa);
    if (exponent == 2 * bias + 1) return fraction > 0 ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1 + fraction, exponent - bias) : ldexp(fraction, 1 - bias));
}

static argand_array *new_of(argand_type type, int rank, const int64_t *dims)
{
    argand_array *x;
    OK(argand_array_create(&x, device, type, rank, dims));
    return x;
}

/* The other way round along one axis, axes exchanged. */
static argand_array *turned(const argand_array *x, int64_t n)
{
    argand_array *view;
    OK(argand_array_view(&view, x, 2, (int64_t[]){n, n}, (int64_t[]){-n, 1}, n * (n - 1)));
    return view;
}

/* Every pattern becomes its number, and the number the pattern; what is read and written is turned. */
static void all_patterns(void **state)
{
    static const argand_type types[] = {ARGAND_R16, ARGAND_RB16, ARGAND_U8};
    (void)state;
    for (int k = 0; k < 3; k++) {
        const int64_t n = k == 2 ? 16 : SIDE, count = n * n;
        const size_t each = argand_type_size(types[k]);
        unsigned short shorts[ALL], again[ALL] = {0};
        unsigned char bytes[SIDE];
        for (int i = 0; i < ALL; i++) shorts[i] = (unsigned short)i;
        for (int i = 0; i < SIDE; i++) bytes[i] = (unsigned char)i;
        const void *bits = k == 2 ? (const void *)bytes : (const void *)shorts;
        argand_array *x = new_of(types[k], 2, (int64_t[]){n, n}), *view = turned(x, n),
                     *y = new_of(ARGAND_R32, 2, (int64_t[]){n, n}), *z = new_of(types[k], 2, x->dims),
                     *back = turned(z, n);
        OK(argand_array_upload(x, bits));
        OK(argand_array_copy(y, view));
        OK(argand_array_copy(back, y));
        OK(argand_array_download(z, again));
        double *numbers = as_doubles(y);
        for (int64_t i = 0; i < count; i++) {
            const double got = numbers[i], wanted = decode(types[k], (unsigned)((n - 1 - i % n) * n + i / n));
            if (!(got == wanted || (isnan(got) && isnan(wanted))))
                fail_msg("%s %d: %g, not %g", argand_type_name(types[k]), (int)i, got, wanted);
            const bool is_none = isnan(decode(types[k], (unsigned)i));
            if (!is_none)
                assert_memory_equal((char *)again + (size_t)i * each, (const char *)bits + (size_t)i * each,
                                    each);
        }
        free(numbers);
        argand_array_destroy(x);
        argand_array_destroy(y);
        argand_array_destroy(z);
        argand_array_destroy(view);
        argand_array_destroy(back);
    }
}

/* To the nearest of all that the type has, the even one of two; too large ones become infinite. */
static void rounded(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        enum { COUNT = 4000 };
        const argand_type type = k ? ARGAND_RB16 : ARGAND_R16;
        unsigned short bits[COUNT];
        float numbers[COUNT];
        random_state random = {5};
        argand_array *x = new_of(ARGAND_R32, 1, (int64_t[]){COUNT}), *y = new_of(type, 1, x->dims);
        for (int i = 0; i < COUNT; i++) {
            const unsigned below = (unsigned)((k ? 0x7f7f : 0x7bff) * random_uniform(&random));
            const double part = i % 3 ? random_uniform(&random) : 0.5;
            numbers[i] = (float)((1 - part) * decode(type, below) + part * decode(type, below + 1));
            if (below + 1 >= (k ? 0x7f80 : 0x7c00)) numbers[i] = 1;
            if (i % 2) numbers[i] = -numbers[i];
        }
        OK(argand_array_upload(x, numbers));
        OK(argand_array_copy(y, x));
        OK(argand_array_download(y, bits));
        for (int i = 0; i < COUNT; i++) {
            const double v = numbers[i], error = fabs(decode(type, bits[i]) - v);
            for (int step = -1; step < 2; step += 2) {
                const unsigned size = bits[i] & 0x7fffu,
                               near = size || step > 0 ? size + (unsigned)step : size;
                const double other = fabs(decode(type, near) - fabs(v));
                assert_true(error < other || (error == other && (near == size || !(bits[i] & 1))));
            }
        }
        argand_array_destroy(x);
        argand_array_destroy(y);
    }
}

/* Pairs, reals to pairs, one storage type to another, doubles; complex to real is refused, and sums. */
static void between(void **state)
{
    static const argand_type types[] = {ARGAND_C16, ARGAND_CB16, ARGAND_C32, ARGAND_C64};
    const float numbers[6] = {1, -2, 0.5f, 96, 3, -0.25f};
    const int64_t three = 3;
    (void)state;
    argand_array *x = new_of(ARGAND_C32, 1, &three), *real = new_of(ARGAND_R16, 1, &three);
    OK(argand_array_upload(x, numbers));
    for (int i = 0; i < 16; i++) {
        const argand_type first = types[i % 4], second = types[i / 4];
        const bool is_double = first == ARGAND_C64 || second == ARGAND_C64;
        if (is_double && !device_has_double(device)) continue;
        argand_array *a = new_of(first, 1, &three), *b = new_of(second, 1, &three),
                     *y = new_of(ARGAND_C32, 1, &three);
        OK(argand_array_copy(a, x));
        OK(argand_array_copy(b, a));
        OK(argand_array_copy(y, b));
        double *got = as_doubles(y);
        for (int j = 0; j < 6; j++) assert_true(got[j] == (double)numbers[j]);
        free(got);
        FAILS(argand_array_copy(real, a), ARGAND_ARGUMENT, "complex");
        if (type_is_storage(first))
            FAILS(argand_array_scale(a, (argand_scalar){2, 0}), ARGAND_UNSUPPORTED, "storage");
        argand_array_destroy(a);
        argand_array_destroy(b);
        argand_array_destroy(y);
    }
    const unsigned short halves[3] = {0x3c00, 0xc000, 0x3800}; /* 1, -2, 0.5 */
    OK(argand_array_upload(real, halves));
    OK(argand_array_copy(x, real));
    double *got = as_doubles(x);
    const double wanted[6] = {1, 0, -2, 0, 0.5, 0};
    for (int j = 0; j < 6; j++) assert_true(got[j] == wanted[j]);
    free(got);
    argand_array_destroy(x);
    argand_array_destroy(real);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(all_patterns), cmocka_unit_test(rounded),
                                          cmocka_unit_test(between)};
RUN_TESTS(tests)
