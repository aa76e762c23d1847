/* SPDX-License-Identifier: BSD-3-Clause */
/* Simultaneous slices: the sum written out, the equality with a transform in three dimensions, slices
 * separated again; adjoint, refusals. */
#include "harness.h"

enum { NX = 9, NY = 6, BANDS = 3, COILS = 4, SAMPLES = NX * NY };

static const double TAU = 6.283185307179586476925;

static argand_type real_of(argand_type type)
{
    return type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
}

static argand_array *new_array(argand_type type, int rank, const int64_t *dims)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    return array;
}

/* kz = (line mod BANDS) - 1: neighbours shifted by a third of the field of view. */
static argand_array *make_phases(argand_type type)
{
    double k[SAMPLES];
    float single[SAMPLES];
    argand_array *phases = new_array(type, 2, (const int64_t[2]){SAMPLES, BANDS}),
                 *kz = new_array(real_of(type), 1, (const int64_t[1]){SAMPLES});
    for (int j = 0; j < SAMPLES; j++) single[j] = (float)(k[j] = j / NX % BANDS - 1);
    OK(argand_array_upload(kz, type == ARGAND_C64 ? (const void *)k : (const void *)single));
    OK(argand_multiband_phases(phases, kz));
    argand_array_destroy(kz);
    return phases;
}

static argand_op *make_transform(argand_type type)
{
    argand_array *k[3], *t;
    argand_field *plan;
    argand_op *op;
    OK(argand_trajectory_make(k, &t, device, real_of(type),
                              &(argand_trajectory_options){.kind = ARGAND_CARTESIAN, .n = {NX, NY}}));
    OK(argand_field_create(
        &plan, device, &(argand_field_options){.type = type, .rank = 2, .n = {NX, NY}, .k = {k[0], k[1]}}));
    OK(argand_op_field(&op, device, plan, COILS));
    argand_array_destroy(t);
    for (int d = 0; d < 2; d++) argand_array_destroy(k[d]);
    return op;
}

/* The stack; maps[b] {NX, NY, COILS} are returned too. */
static argand_op *make_stack(argand_type type, argand_array *maps[BANDS], bool with_phases)
{
    argand_op *transform = make_transform(type), *parts[BANDS], *op;
    argand_array *phases = with_phases ? make_phases(type) : NULL;
    for (int b = 0; b < BANDS; b++) {
        maps[b] = new_array(type, 3, (const int64_t[3]){NX, NY, COILS});
        randomise(maps[b], (uint64_t)(40 + b), 0, 0);
        OK(argand_op_sense(&parts[b], transform, maps[b]));
    }
    OK(argand_op_multiband(&op, parts, BANDS, phases));
    for (int b = 0; b < BANDS; b++) argand_op_destroy(parts[b]);
    argand_array_destroy(phases);
    argand_op_destroy(transform);
    return op;
}

static void free_maps(argand_array *maps[BANDS])
{
    for (int b = 0; b < BANDS; b++) argand_array_destroy(maps[b]);
}

/* y_jc = sum_b exp(-2 pi i kz_j (b - 1) / 3) sum_n exp(-2 pi i k_j r_n) S_bcn x_bn */
static void values(void **state)
{
    (void)state;
    argand_array *maps[BANDS], *x = new_array(ARGAND_C64, 3, (const int64_t[3]){NX, NY, BANDS}),
                               *y = new_array(ARGAND_C64, 2, (const int64_t[2]){SAMPLES, COILS});
    for (int with = 0; with < 2; with++) {
        argand_op *op = make_stack(ARGAND_C64, maps, with);
        randomise(x, 7, 0, 0);
        OK(argand_op_apply(op, y, x));
        double complex *m = (double complex *)as_doubles(x), *data = (double complex *)as_doubles(y),
                       *s[BANDS];
        for (int b = 0; b < BANDS; b++) s[b] = (double complex *)as_doubles(maps[b]);
        for (int j = 0; j < SAMPLES; j++)
            for (int c = 0; c < COILS; c++) {
                double complex sum = 0;
                for (int b = 0; b < BANDS; b++)
                    for (int n = 0; n < NX * NY; n++) {
                        double turns = (double)((j % NX - NX / 2) * (n % NX - NX / 2)) / NX +
                                       (double)((j / NX - NY / 2) * (n / NX - NY / 2)) / NY;
                        if (with) turns += (double)((j / NX % BANDS - 1) * (b - 1)) / BANDS;
                        sum += s[b][n + NX * NY * c] * m[n + NX * NY * b] * cexp(-I * TAU * turns);
                    }
                CHECK_BELOW(cabs(sum - data[j + SAMPLES * c]), 1e-11);
            }
        for (int b = 0; b < BANDS; b++) free(s[b]);
        free(data);
        free(m);
        argand_op_destroy(op);
        free_maps(maps);
    }
    argand_array_destroy(y);
    argand_array_destroy(x);
}

static void adjoint(void **state)
{
    (void)state;
    for (int p = 0; p < 2; p++)
        for (int with = 0; with < 2; with++) {
            argand_array *maps[BANDS];
            argand_op *op = make_stack(p ? ARGAND_C64 : ARGAND_C32, maps, with);
            double error;
            OK(argand_op_check(op, 4, 3, &error));
            CHECK_BELOW(error, p ? 1e-12 : 1e-5);
            argand_op_destroy(op);
            free_maps(maps);
        }
}

/* Three slices from one slice's samples: with coils that differ and shifted neighbours, least squares finds
 * them all. */
static void separation(void **state)
{
    (void)state;
    argand_array *maps[BANDS], *x = new_array(ARGAND_C32, 3, (const int64_t[3]){NX, NY, BANDS}),
                               *found = new_array(ARGAND_C32, 3, (const int64_t[3]){NX, NY, BANDS}),
                               *y = new_array(ARGAND_C32, 2, (const int64_t[2]){SAMPLES, COILS});
    argand_op *op = make_stack(ARGAND_C32, maps, true);
    randomise(x, 8, 0, 0);
    OK(argand_op_apply(op, y, x));
    OK(argand_solve_cg(found, op, y, &(argand_cg_options){.iterations = 150, .tolerance = 1e-7}));
    double *a = as_doubles(found), *b = as_doubles(x);
    CHECK_BELOW(relative_error(a, b, 2 * NX * NY * BANDS), 1e-4);
    free(b);
    free(a);
    argand_op_destroy(op);
    free_maps(maps);
    argand_array_destroy(y);
    argand_array_destroy(found);
    argand_array_destroy(x);
}

static void refusals(void **state)
{
    (void)state;
    argand_op *a = make_transform(ARGAND_C32), *op, *other;
    const int64_t dims[2] = {SAMPLES, 2};
    argand_array *few = new_array(ARGAND_C32, 2, dims), *kz = new_array(ARGAND_R32, 1, dims);
    OK(argand_op_identity(&other, device, argand_op_domain(a)));
    FAILS(argand_op_multiband(&op, (argand_op *[]){a, a, a}, 0, NULL), ARGAND_ARGUMENT, "0 bands");
    FAILS(argand_op_multiband(&op, (argand_op *[]){a, NULL}, 2, NULL), ARGAND_ARGUMENT, "band 1 is NULL");
    FAILS(argand_op_multiband(&op, (argand_op *[]){a, other}, 2, NULL), ARGAND_ARGUMENT, "band 1 has other");
    FAILS(argand_op_multiband(&op, (argand_op *[]){a, a, a}, 3, few), ARGAND_ARGUMENT,
          "the phases are complex float of 54x2; complex float of 54x3");
    FAILS(argand_multiband_phases(kz, kz), ARGAND_ARGUMENT, "phases must be complex");
    FAILS(argand_multiband_phases(few, few), ARGAND_ARGUMENT, "kz must be real");
    argand_array_destroy(kz);
    argand_array_destroy(few);
    argand_op_destroy(other);
    argand_op_destroy(a);
}

static void no_memory(void **state)
{
    (void)state;
    argand_op *a = make_transform(ARGAND_C32), *op = NULL;
    argand_array *phases = make_phases(ARGAND_C32);
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status && n < 60; n++) {
        argand_test_fail_allocation(n);
        status = argand_op_multiband(&op, (argand_op *[]){a, a, a}, BANDS, phases);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_op_destroy(op);
    argand_array_destroy(phases);
    argand_op_destroy(a);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(adjoint),
                                          cmocka_unit_test(separation), cmocka_unit_test(refusals),
                                          cmocka_unit_test(no_memory)};
RUN_TESTS(tests)
