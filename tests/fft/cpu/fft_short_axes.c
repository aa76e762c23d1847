/* SPDX-License-Identifier: BSD-3-Clause */
/* Planes and volumes with axes of 2 to 16 points, which are done whole (fft/cpu/short_axes): every plane, and
 * some volumes and batches, all types, by sums in long double; also with guarded memory. */
#include "fft/direct.h"

typedef struct shape {
    int rank;
    int64_t n[4], batch;
} shape;

static int64_t points_of(const shape *s)
{
    int64_t points = 1;
    for (int i = 0; i < s->rank; i++) points *= s->n[i];
    return points;
}

static void check_one(const shape *s, argand_type type, argand_direction direction, const argand_array *found,
                      const exact *expected, long double factor)
{
    const double error = distance(found, expected, factor), limit = fft_tolerance(type, (double)points_of(s));
    if (!(error <= limit))
        fail_msg("type %d, %d axes, %d x %d x %d x %d, batch %d, direction %d: error %.3g above %.3g",
                 (int)type, s->rank, (int)s->n[0], (int)s->n[1], (int)s->n[2], (int)s->n[3], (int)s->batch,
                 (int)direction, error, limit);
}

/* The spectrum of the signal, the half along axis 0 if it is real. */
static exact *spectrum_of(const argand_array *signal, const shape *s, bool reals)
{
    const int64_t half = reals ? s->n[0] / 2 + 1 : s->n[0], rows = points_of(s) / s->n[0] * s->batch;
    exact *x = exact_of(signal);
    direct_fft(x, s->rank, s->n, s->batch, -1, false);
    for (int64_t row = 0; row < rows; row++)
        memmove(x + row * half, x + row * s->n[0], (size_t)half * sizeof *x);
    return x;
}

static void check_shape(const shape *s, argand_type type)
{
    const bool reals = type == ARGAND_R32 || type == ARGAND_R64;
    const argand_type complex_type = type == ARGAND_R32 ? ARGAND_C32 : type == ARGAND_R64 ? ARGAND_C64 : type;
    argand_fft_options options = {.type = type, .rank = s->rank, .batch = s->batch};
    int64_t dims[5] = {1, 1, 1, 1, 1};
    for (int i = 0; i < s->rank; i++) dims[i] = options.n[i] = s->n[i];
    dims[s->rank] = s->batch;
    argand_array *signal = new_array(type, s->rank + 1, dims), *back = new_array(type, s->rank + 1, dims);
    if (reals) dims[0] = s->n[0] / 2 + 1;
    argand_array *spectrum = new_array(complex_type, s->rank + 1, dims);
    argand_fft *plan = new_plan(&options);
    randomise(signal, (uint64_t)(points_of(s) * 7 + s->n[0]), 0, 0);
    exact *x = exact_of(signal), *expected = spectrum_of(signal, s, reals);
    OK(argand_fft_apply(plan, spectrum, signal, ARGAND_FORWARD));
    check_one(s, type, ARGAND_FORWARD, spectrum, expected, 1);
    OK(argand_fft_apply(plan, back, spectrum, ARGAND_INVERSE));
    check_one(s, type, ARGAND_INVERSE, back, x, points_of(s));
    if (!reals) {
        OK(argand_fft_apply(plan, signal, signal, ARGAND_FORWARD));
        check_one(s, type, ARGAND_FORWARD, signal, expected, 1);
    }
    free(x);
    free(expected);
    argand_fft_destroy(plan);
    argand_array_destroy(signal);
    argand_array_destroy(back);
    argand_array_destroy(spectrum);
}

static void every_plane(void **state)
{
    (void)state;
    for (int64_t i = 2; i <= 16; i++)
        for (int64_t k = 2; k <= 16; k++)
            for (argand_type type = ARGAND_R32; type <= ARGAND_C64; type++)
                check_shape(&(shape){2, {i, k, 1, 1}, 1}, type);
}

static const shape others[] = {
    {3, {2, 2, 2, 1}, 1},   {3, {4, 4, 4, 1}, 3},   {3, {3, 5, 7, 1}, 2},   {3, {9, 2, 13, 1}, 1},
    {3, {16, 3, 2, 1}, 5},  {3, {8, 8, 8, 1}, 1},   {3, {11, 6, 5, 1}, 1},  {3, {12, 1, 10, 1}, 2},
    {3, {2, 15, 14, 1}, 1}, {3, {16, 16, 4, 1}, 1}, {4, {2, 3, 4, 5}, 1},   {4, {5, 2, 2, 6}, 2},
    {4, {4, 4, 4, 4}, 1},   {2, {8, 8, 1, 1}, 200}, {2, {3, 2, 1, 1}, 301}, {2, {7, 9, 1, 1}, 64},
    {2, {15, 4, 1, 1}, 17}, {3, {2, 2, 3, 1}, 40},  {2, {16, 17, 1, 1}, 3}, {2, {1, 6, 1, 1}, 2},
};

static void volumes_and_batches(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (argand_type type = ARGAND_R32; type <= ARGAND_C64; type++) check_shape(&others[i], type);
}

static void guarded(void **state)
{
    (void)state;
    for (argand_test_guard guard = ARGAND_TEST_GUARD_BEHIND; guard <= ARGAND_TEST_GUARD_BEFORE; guard++) {
        argand_test_guard_memory(guard);
        for (int64_t i = 2; i <= 16; i++)
            for (argand_type type = ARGAND_R32; type <= ARGAND_C64; type++)
                check_shape(&(shape){2, {i, 2 + i * 7 % 15, 1, 1}, 1 + i % 3}, type);
        argand_test_guard_memory(guard_wanted());
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_plane),
    cmocka_unit_test(volumes_and_batches),
    cmocka_unit_test(guarded),
};
RUN_TESTS(tests)
