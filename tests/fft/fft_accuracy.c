/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms against the sum in long double: all small lengths, primes, 1 to 4 axes, centred, both
 * directions, both precisions, scaled, real; then what follows from the sum: inverse(forward) = N x and
 * adjointness. */
#include "direct.h"
#include "parts.h"

typedef struct shape {
    int rank;
    int64_t n[4];
    int64_t batch;
} shape;

static const argand_type complex_types[2] = {ARGAND_C32, ARGAND_C64};

static int64_t points_of(const shape *s)
{
    int64_t points = 1;
    for (int axis = 0; axis < s->rank; axis++) points *= s->n[axis];
    return points;
}

static argand_array *array_for(const shape *s, argand_type type, int64_t axis_0)
{
    int64_t dims[5] = {axis_0};
    for (int axis = 1; axis < s->rank; axis++) dims[axis] = s->n[axis];
    dims[s->rank] = s->batch;
    return new_array(type, s->rank + 1, dims);
}

static int asked; /* problems so far, for in_part */

static void check_complex(const shape *s, argand_type type, bool centred, argand_effort effort)
{
    if (!in_part(asked++)) return;
    argand_fft_options options = {
        .type = type, .rank = s->rank, .batch = s->batch, .centred = centred, .effort = effort};
    memcpy(options.n, s->n, sizeof s->n);
    argand_fft *plan = new_plan(&options);
    argand_array *x = array_for(s, type, s->n[0]), *y = array_for(s, type, s->n[0]);
    for (int sign = -1; sign <= 1; sign += 2) {
        randomise(x, 1 + (uint64_t)s->n[0], 0, 0);
        exact *expected = exact_of(x), *before = exact_of(x);
        direct_fft(expected, s->rank, s->n, s->batch, sign, centred);
        OK(argand_fft_apply(plan, y, x, (argand_direction)sign));
        const double tolerance = fft_tolerance(type, (double)points_of(s));
        const double error = distance(y, expected, 1);
        if (!(error <= tolerance))
            fail_msg("n %lld rank %d sign %d centred %d type %d: %g > %g", (long long)s->n[0], s->rank, sign,
                     centred, type, error, tolerance);
        assert_true(distance(x, before, 1) == 0); /* the input stays */
        OK(argand_fft_apply(plan, x, x, (argand_direction)sign));
        CHECK_BELOW(distance(x, expected, 1), tolerance);
        free(expected);
        free(before);
    }
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_fft_destroy(plan);
}

static void all_small_lengths(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 64; n++)
        for (int kind = 0; kind < 4; kind++)
            check_complex(&(shape){1, {n}, n % 3 + 1}, complex_types[kind & 1], kind & 2, ARGAND_ESTIMATE);
}

/* Primes, powers, the lengths around a block's limits, and batches that do not fill a block. */
static void larger_lengths(void **state)
{
    (void)state;
    static const int64_t lengths[] = {97,  101, 127, 128,  243,  251,  256,  343, 512,
                                      541, 625, 720, 1000, 1024, 1021, 2048, 2187};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int kind = 0; kind < 4; kind++)
            check_complex(&(shape){1, {lengths[i]}, lengths[i] > 600 ? 1 : 1 + (int64_t)(i % 4) * 5},
                          complex_types[kind & 1], kind & 2, ARGAND_ESTIMATE);
}

static void several_axes(void **state)
{
    (void)state;
    static const shape shapes[] = {{2, {16, 16}, 1},     {2, {15, 8}, 3},      {2, {7, 9}, 2},
                                   {2, {1, 12}, 2},      {2, {12, 1}, 2},      {2, {1, 1}, 3},
                                   {2, {64, 48}, 2},     {2, {33, 130}, 1},    {3, {8, 6, 10}, 1},
                                   {3, {5, 7, 9}, 2},    {3, {16, 3, 1}, 4},   {3, {1, 5, 8}, 1},
                                   {4, {4, 5, 6, 7}, 1}, {4, {3, 2, 1, 4}, 5}, {3, {20, 18, 17}, 1},
                                   {2, {9, 6}, 20},      {3, {6, 5, 4}, 17},   {3, {4, 300, 40}, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int kind = 0; kind < 4; kind++)
            check_complex(&shapes[i], complex_types[kind & 1], kind & 2, ARGAND_ESTIMATE);
}

static void measured_plans(void **state)
{
    (void)state;
    check_complex(&(shape){2, {24, 18}, 3}, ARGAND_C32, true, ARGAND_MEASURE);
    check_complex(&(shape){1, {60}, 7}, ARGAND_C64, false, ARGAND_MEASURE);
}

/* Reals of the harness's random numbers, forward against the first half of the complex sum, and back. */
static void check_real(const shape *s, argand_type type)
{
    if (!in_part(asked++)) return;
    const argand_type complex_type = type == ARGAND_R32 ? ARGAND_C32 : ARGAND_C64;
    const int64_t half = s->n[0] / 2 + 1, rest = points_of(s) / s->n[0] * s->batch;
    argand_fft_options options = {.type = type, .rank = s->rank, .batch = s->batch};
    memcpy(options.n, s->n, sizeof s->n);
    argand_fft *plan = new_plan(&options);
    argand_array *x = array_for(s, type, s->n[0]), *y = array_for(s, complex_type, half),
                 *z = array_for(s, type, s->n[0]);
    randomise(x, 2, 0, 0);
    exact *original = exact_of(x), *expected = exact_of(x),
          *half_reference = malloc((size_t)(half * rest) * sizeof(exact));
    direct_fft(expected, s->rank, s->n, s->batch, -1, false);
    for (int64_t i = 0; i < half * rest; i++) half_reference[i] = expected[i / half * s->n[0] + i % half];
    const double tolerance = fft_tolerance(type, (double)points_of(s));
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    CHECK_BELOW(distance(y, half_reference, 1), tolerance);
    CHECK_BELOW(distance(x, original, 1), 0);
    exact *spectrum = exact_of(y);
    OK(argand_fft_apply(plan, z, y, ARGAND_INVERSE));
    CHECK_BELOW(distance(z, original, (long double)points_of(s)), 2 * tolerance);
    CHECK_BELOW(distance(y, spectrum, 1), 0); /* the input of the inverse stays, too */
    free(spectrum);
    free(original);
    free(expected);
    free(half_reference);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(z);
    argand_fft_destroy(plan);
}

static void real_transforms(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        const argand_type type = t ? ARGAND_R64 : ARGAND_R32;
        for (int64_t n = 1; n <= 40; n++) check_real(&(shape){1, {n}, n % 4 + 1}, type);
        static const shape shapes[] = {{1, {1000}, 9},    {2, {16, 16}, 1},     {2, {15, 8}, 3},
                                       {2, {1, 6}, 2},    {2, {9, 1}, 2},       {3, {8, 6, 10}, 2},
                                       {3, {5, 7, 9}, 1}, {4, {4, 3, 2, 5}, 2}, {2, {129, 70}, 1},
                                       {2, {9, 6}, 20},   {3, {6, 5, 4}, 17}};
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) check_real(&shapes[i], type);
    }
}

static void scaling(void **state)
{
    (void)state;
    static const double factors[3][2] = {{1, 1}, {1, 1.0 / 60}, {0.12909944487358056, 0.12909944487358056}};
    for (int scale = 0; scale < 3; scale++)
        for (int centred = 0; centred < 2; centred++) {
            if (!in_part(asked++)) continue;
            argand_fft *plan = new_plan(&(argand_fft_options){.type = ARGAND_C64,
                                                              .rank = 2,
                                                              .n = {12, 5},
                                                              .batch = 3,
                                                              .centred = centred,
                                                              .scale = (argand_fft_scale)scale});
            argand_array *x = new_array(ARGAND_C64, 3, (int64_t[]){12, 5, 3}),
                         *y = new_array(ARGAND_C64, 3, (int64_t[]){12, 5, 3});
            randomise(x, 3, 0, 0);
            for (int inverse = 0; inverse < 2; inverse++) {
                exact *expected = exact_of(x);
                direct_fft(expected, 2, (int64_t[]){12, 5}, 3, inverse ? 1 : -1, centred);
                OK(argand_fft_apply(plan, y, x, inverse ? ARGAND_INVERSE : ARGAND_FORWARD));
                CHECK_BELOW(distance(y, expected, (long double)factors[scale][inverse]),
                            fft_tolerance(ARGAND_C64, 60));
                free(expected);
            }
            argand_array_destroy(x);
            argand_array_destroy(y);
            argand_fft_destroy(plan);
        }
}

/* A long one: no direct sum, but one frequency in, one spike out, and the inverse. */
static void long_lengths(void **state)
{
    (void)state;
    static const int64_t lengths[] = {65536, 100003, 524288, 1000000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const int64_t n = lengths[i];
        if (!in_part(asked++)) continue;
        argand_fft *plan = new_plan(
            &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {n}, .scale = ARGAND_SCALE_INVERSE});
        argand_array *x = new_array(ARGAND_C32, 1, &n), *y = new_array(ARGAND_C32, 1, &n);
        float complex *wave = malloc((size_t)n * sizeof *wave);
        for (int64_t j = 0; j < n; j++) {
            const double turns = (double)(j * 12345 % n) / (double)n;
            wave[j] = (float complex)(cos(6.283185307179586 * turns) + I * sin(6.283185307179586 * turns));
        }
        OK(argand_array_upload(x, wave));
        OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
        double *spectrum = as_doubles(y), norm;
        CHECK_BELOW(hypot(spectrum[2 * 12345] / (double)n - 1, spectrum[2 * 12345 + 1] / (double)n), 1e-6);
        OK(argand_array_norm(&norm, y));
        CHECK_BELOW(fabs(norm / (double)n - 1), 1e-6);
        exact *before = exact_of(x);
        OK(argand_fft_apply(plan, x, y, ARGAND_INVERSE));
        CHECK_BELOW(distance(x, before, 1), 2 * fft_tolerance(ARGAND_C32, (double)n));
        free(before);
        free(spectrum);
        free(wave);
        argand_array_destroy(x);
        argand_array_destroy(y);
        argand_fft_destroy(plan);
    }
}

/* Long lines are split in two passes: random numbers, some frequencies of some lines against the sum; centred
 * and not, both directions, in place, in both precisions, a batch whose lines are interleaved. */
static void split_lines(void **state)
{
    (void)state;
    static const int64_t lengths[] = {131072, 144000, 151875};
    enum { BATCH = 3 };
    for (int kind = 0; kind < 24; kind++) {
        const int64_t n = lengths[kind / 8], c = kind & 2 ? n / 2 : 0;
        const argand_type type = complex_types[kind & 1];
        const int sign = kind & 4 ? 1 : -1;
        if (!in_part(asked++)) continue;
        argand_fft *plan = new_plan(&(argand_fft_options){.type = type,
                                                          .rank = 1,
                                                          .scale = ARGAND_SCALE_UNITARY,
                                                          .centred = kind & 2,
                                                          .axes_given = true,
                                                          .axes = {{n, BATCH, BATCH}},
                                                          .loops = 1,
                                                          .loop = {{BATCH, 1, 1}}});
        argand_array *x = new_array(type, 2, (int64_t[]){BATCH, n});
        randomise(x, 20, 0, 0);
        exact *in = exact_of(x);
        OK(argand_fft_apply(plan, x, x, (argand_direction)sign));
        exact *out = exact_of(x);
        long double difference = 0, norm = 0;
        for (int64_t i = 0; i < 12; i++) {
            const int64_t line = i % BATCH, k = (i * 7919 + 1) % n;
            const exact sum = direct_sum(in + line, n, BATCH, sign, c, k) / sqrtl((long double)n);
            const exact d = out[k * BATCH + line] - sum;
            difference += creall(d) * creall(d) + cimagl(d) * cimagl(d);
            norm += creall(sum) * creall(sum) + cimagl(sum) * cimagl(sum);
        }
        CHECK_BELOW((double)sqrtl(difference / norm), fft_tolerance(type, (double)n));
        free(in);
        free(out);
        argand_array_destroy(x);
        argand_fft_destroy(plan);
    }
}

/* As operators: the adjoint of every scaling and direction, centred or not. */
static void adjointness(void **state)
{
    (void)state;
    for (int kind = 0; kind < 12; kind++)
        for (int t = 0; t < 2; t++) {
            argand_op *op;
            double error;
            if (!in_part(asked++)) continue;
            OK(argand_op_fft(&op, device,
                             &(argand_fft_options){.type = complex_types[t],
                                                   .rank = 2,
                                                   .n = {9, 14},
                                                   .batch = 3,
                                                   .centred = kind & 1,
                                                   .scale = (argand_fft_scale)(kind / 4)},
                             kind & 2 ? ARGAND_FORWARD : ARGAND_INVERSE));
            OK(argand_op_check(op, 3, 7, &error));
            CHECK_BELOW(error, t ? 1e-14 : 1e-6); /* a dozen roundings */
            argand_op_destroy(op);
        }
}

static void next_size(void **state)
{
    (void)state;
    if (!in_part(asked++)) return;
    for (int64_t n = 1; n < 3000; n++) {
        int64_t size = n;
        for (;; size++) {
            int64_t rest = size;
            while (rest % 2 == 0) rest /= 2;
            while (rest % 3 == 0) rest /= 3;
            while (rest % 5 == 0) rest /= 5;
            while (rest % 7 == 0) rest /= 7;
            if (rest == 1) break;
        }
        assert_int_equal(argand_fft_next_size(n), size);
    }
    assert_int_equal(argand_fft_next_size(-5), 1);
    assert_true(argand_fft_next_size((INT64_C(1) << 60) + 1) > INT64_C(1) << 60);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_small_lengths), cmocka_unit_test(larger_lengths),  cmocka_unit_test(several_axes),
    cmocka_unit_test(measured_plans),    cmocka_unit_test(real_transforms), cmocka_unit_test(scaling),
    cmocka_unit_test(long_lengths),      cmocka_unit_test(split_lines),     cmocka_unit_test(adjointness),
    cmocka_unit_test(next_size)};
enum { PARTS = 8 };
RUN_TESTS_IN_PARTS(tests, PARTS)
