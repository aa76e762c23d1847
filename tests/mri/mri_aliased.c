/* SPDX-License-Identifier: BSD-3-Clause */
/* The normal operator of simultaneous slices in image space against direct sums over samples and pixels, for
 * regular and irregular lines; which pixels alias; positions for which there is none. */
#include "harness.h"

#include "device/device.h"
#include "mri/aliased.h"
#include "op/op.h"

enum { NX = 9, MOST_Y = 38, BANDS = 3, COILS = 4, MOST = 2 * NX * MOST_Y };

static const double TAU = 6.283185307179586476925;

/* Lines `first`, first + step, ... below `end`, of `ny`; blips of `period` lines; `finer` samples per cycle
 * of the readout; samples left out at its start; shift of its samples, in cycles. */
typedef struct lines {
    int64_t ny;
    int first, end, step, period, finer, skip;
    double shift;
    int64_t pairs; /* of an image */
} lines;

typedef struct samples {
    double k[3][MOST];
    int64_t count;
} samples;

static samples *samples_of(const lines *l)
{
    samples *s = calloc(1, sizeof *s);
    assert_non_null(s);
    int line = 0;
    for (int y = l->first; y < l->end; y += l->step, line++)
        for (int x = l->skip; x < NX * l->finer; x++, s->count++) {
            s->k[0][s->count] = ((double)x - (int)(NX * l->finer / 2)) / l->finer + l->shift;
            s->k[1][s->count] = (double)(y - l->ny / 2);
            s->k[2][s->count] = line % l->period - 1;
        }
    return s;
}

static aliasing find(const lines *l, const samples *s, int64_t most)
{
    aliasing a;
    double k[3][MOST];
    memcpy(k, s->k, sizeof k);
    OK(aliasing_find(&a, (double *[3]){k[0], k[1], k[2]}, s->count, (int64_t[]){NX, l->ny}, BANDS, most));
    return a;
}

/* The phase of pixel `at` of a band at sample j. */
static double complex encode(const samples *s, int64_t ny, int64_t j, int band, int64_t at)
{
    const double x = (double)(at % NX - NX / 2) / NX, y = (double)(at / NX - ny / 2) / (double)ny;
    return cexp(-I * TAU *
                (s->k[0][j] * x + s->k[1][j] * y + s->k[2][j] * (double)(band - BANDS / 2) / BANDS));
}

/* z = A^H A x by its definition. maps[band] and images are complex, pixel after pixel. */
static void direct(const lines *l, const samples *s, double *const maps[BANDS], const double complex *x,
                   double complex *z)
{
    const int64_t pixels = NX * l->ny;
    for (int64_t j = 0; j < s->count; j++)
        for (int c = 0; c < COILS; c++) {
            double complex sum = 0;
            for (int b = 0; b < BANDS; b++)
                for (int64_t at = 0; at < pixels; at++)
                    sum += encode(s, l->ny, j, b, at) * ((double complex *)maps[b])[at + pixels * c] *
                           x[at + pixels * b];
            for (int b = 0; b < BANDS; b++)
                for (int64_t at = 0; at < pixels; at++)
                    z[at + pixels * b] +=
                        conj(encode(s, l->ny, j, b, at) * ((double complex *)maps[b])[at + pixels * c]) * sum;
        }
}

static argand_array *random_array(argand_type type, int rank, const int64_t *dims, uint64_t seed)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    randomise(array, seed, 0, 0);
    return array;
}

static void compare(const lines *l, argand_type type)
{
    const int64_t pixels = NX * l->ny, dims[3] = {NX, l->ny, BANDS};
    samples *s = samples_of(l);
    aliasing a = find(l, s, INT64_MAX);
    argand_array *maps[BANDS], *x = random_array(type, 3, dims, 3), *z = random_array(type, 3, dims, 4);
    double *values[BANDS], *in = as_doubles(x);
    double complex *want = calloc((size_t)(pixels * BANDS), sizeof *want);
    argand_op *op;
    assert_int_equal(a.count, l->pairs * BANDS);
    for (int b = 0; b < BANDS; b++) {
        maps[b] = random_array(type, 2, (int64_t[]){pixels, COILS}, (uint64_t)(40 + b));
        values[b] = as_doubles(maps[b]);
    }
    OK(aliased_op(&op, &a, maps));
    OK(argand_op_apply(op, z, x));
    direct(l, s, values, (double complex *)in, want);
    double *got = as_doubles(z), error;
    CHECK_BELOW(relative_error(got, (double *)want, (size_t)(2 * pixels * BANDS)),
                type == ARGAND_C64 ? 1e-12 : 1e-5);
    OK(argand_op_check(op, 2, 3, &error));
    CHECK_BELOW(error, type == ARGAND_C64 ? 1e-12 : 1e-5);
    argand_op_destroy(op);
    for (int b = 0; b < BANDS; b++) {
        argand_array_destroy(maps[b]);
        free(values[b]);
    }
    free(got);
    free(in);
    free(want);
    argand_array_destroy(x);
    argand_array_destroy(z);
    aliasing_free(&a);
    free(s);
}

/* 38 rows of 9 pixels do not fill blocks of 32, and have more of them than a group of the CPU. */
static const lines cases[] = {
    {.ny = 12, .end = 12, .step = 1, .period = 3, .finer = 1, .pairs = 3},
    {.ny = 12, .end = 12, .step = 2, .period = 3, .finer = 1, .pairs = 6},
    {.ny = 38, .end = 38, .step = 1, .period = 2, .finer = 1, .pairs = 5},  /* two shifts of other bands */
    {.ny = 10, .end = 10, .step = 1, .period = 3, .finer = 2, .pairs = 21}, /* 10 lines are no periods */
    {.ny = 10, .first = 2, .end = 9, .step = 1, .period = 1, .finer = 1, .shift = 0.25, .pairs = 30},
};

static void direct_sums(void **state)
{
    (void)state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        compare(&cases[i], ARGAND_C32);
        if (info.has_double) compare(&cases[i], ARGAND_C64);
    }
}

/* x_b = sum over samples and coils of conj(E S_b) y, by its definition. */
static void direct_adjoint(const lines *l, const samples *s, double *const maps[BANDS],
                           const double complex *y, double complex *x)
{
    const int64_t pixels = NX * l->ny;
    for (int64_t j = 0; j < s->count; j++)
        for (int b = 0; b < BANDS; b++)
            for (int64_t at = 0; at < pixels; at++) {
                double complex sum = 0;
                for (int c = 0; c < COILS; c++)
                    sum += conj(((double complex *)maps[b])[at + pixels * c]) * y[j + s->count * c];
                x[at + pixels * b] += conj(encode(s, l->ny, j, b, at)) * sum;
            }
}

static void compare_adjoint(const lines *l, argand_type type)
{
    const int64_t pixels = NX * l->ny;
    samples *s = samples_of(l);
    aliasing a = find(l, s, INT64_MAX);
    const argand_shape domain = {type, 3, {NX, l->ny, BANDS}}, range = {type, 2, {s->count, COILS}};
    argand_array *maps[BANDS], *y = random_array(type, 2, range.dims, 5),
                               *x = random_array(type, 3, domain.dims, 6);
    double *values[BANDS], *in = as_doubles(y);
    double complex *want = calloc((size_t)(pixels * BANDS), sizeof *want);
    argand_op *whole, *op;
    for (int b = 0; b < BANDS; b++) {
        maps[b] = random_array(type, 2, (int64_t[]){pixels, COILS}, (uint64_t)(40 + b));
        values[b] = as_doubles(maps[b]);
    }
    OK(op_zero(&whole, device, &domain, &range));
    OK(lines_op(&op, whole, &a, (double *[3]){s->k[0], s->k[1], s->k[2]}, s->count, maps));
    assert_non_null(op);
    OK(argand_op_adjoint(op, x, y));
    direct_adjoint(l, s, values, (double complex *)in, want);
    double *got = as_doubles(x);
    CHECK_BELOW(relative_error(got, (double *)want, (size_t)(2 * pixels * BANDS)),
                type == ARGAND_C64 ? 1e-12 : 1e-5);
    argand_op_destroy(op);
    argand_op_destroy(whole);
    for (int b = 0; b < BANDS; b++) {
        argand_array_destroy(maps[b]);
        free(values[b]);
    }
    free(got);
    free(in);
    free(want);
    argand_array_destroy(x);
    argand_array_destroy(y);
    aliasing_free(&a);
    free(s);
}

/* The adjoint for GPUs; lines that differ have none. */
static void adjoint_of_lines(void **state)
{
    (void)state;
    argand_device_info info;
    argand_op *whole = NULL, *op;
    OK(argand_device_describe(device, &info));
    if (device_is_host(device)) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        compare_adjoint(&cases[i], ARGAND_C32);
        if (info.has_double) compare_adjoint(&cases[i], ARGAND_C64);
    }
    samples *s = samples_of(&cases[0]);
    aliasing a = find(&cases[0], s, INT64_MAX);
    s->k[0][30] += 9; /* the same pixels, but other factors */
    OK(lines_op(&op, whole, &a, (double *[3]){s->k[0], s->k[1], s->k[2]}, s->count, NULL));
    assert_null(op);
    aliasing_free(&a);
    free(s);
}

/* Readouts that lack a sample or have one too many leave pixels of other columns; too many pairs. */
static void none(void **state)
{
    (void)state;
    static const lines incomplete[] = {
        {.ny = 12, .end = 12, .step = 1, .period = 3, .finer = 1, .skip = 1},
        {.ny = 12, .end = 12, .step = 1, .period = 3, .finer = 2, .skip = 3},
    };
    for (int i = 0; i < 2; i++) {
        samples *s = samples_of(&incomplete[i]);
        aliasing a = find(&incomplete[i], s, INT64_MAX);
        assert_int_equal(a.count, 0);
        aliasing_free(&a);
        free(s);
    }
    samples *s = samples_of(&cases[1]);
    aliasing a = find(&cases[1], s, 5);
    assert_int_equal(a.count, 0);
    aliasing_free(&a);
    s->k[0][20] += 0.5; /* of one line */
    a = find(&cases[1], s, 6);
    assert_int_equal(a.count, 0);
    aliasing_free(&a);
    free(s);
}

static void no_memory(void **state)
{
    (void)state;
    samples *s = samples_of(&cases[0]);
    argand_array *maps[BANDS];
    argand_op *op = NULL;
    argand_status status = ARGAND_MEMORY;
    for (int b = 0; b < BANDS; b++)
        maps[b] = random_array(ARGAND_C32, 2, (int64_t[]){NX * cases[0].ny, COILS}, 1);
    for (long n = 1; status && n < 60; n++) {
        aliasing a;
        argand_test_fail_allocation(n);
        status = aliasing_find(&a, (double *[3]){s->k[0], s->k[1], s->k[2]}, s->count,
                               (int64_t[]){NX, cases[0].ny}, BANDS, 9);
        if (!status) status = aliased_op(&op, &a, maps);
        aliasing_free(&a);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_op_destroy(op);
    for (int b = 0; b < BANDS; b++) argand_array_destroy(maps[b]);
    free(s);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(direct_sums), cmocka_unit_test(adjoint_of_lines),
                                          cmocka_unit_test(none), cmocka_unit_test(no_memory)};
RUN_TESTS(tests)
