/* SPDX-License-Identifier: BSD-3-Clause */
/* SENSE over a transform: its values by the formula, its adjoint, its refusals. */
#include "harness.h"
#include "base/memory.h"

enum { NX = 7, NY = 4, COILS = 3 };

/* A transform of all coils of a 7 x 4 image: the exact DFT to the complete grid of k, in order, with or
 * without a field. */
static argand_op *field_transform(argand_type type, int64_t coils, bool with_field)
{
    const argand_type real = type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    argand_array *k[3], *t, *map;
    argand_field *plan;
    argand_op *op;
    OK(argand_trajectory_make(k, &t, device, real,
                              &(argand_trajectory_options){.kind = ARGAND_CARTESIAN, .n = {NX, NY}}));
    OK(argand_array_create(&map, device, real, 2, (const int64_t[2]){NX, NY}));
    OK(argand_fieldmap_head(map, 2000));
    OK(argand_field_create(&plan, device,
                           &(argand_field_options){.type = type,
                                                   .rank = 2,
                                                   .n = {NX, NY},
                                                   .k = {k[0], k[1]},
                                                   .t = with_field ? t : NULL,
                                                   .field_map = with_field ? map : NULL}));
    OK(argand_op_field(&op, device, plan, coils));
    argand_array_destroy(map);
    argand_array_destroy(t);
    for (int d = 0; d < 2; d++) argand_array_destroy(k[d]);
    return op;
}

static argand_op *transform(argand_type type, int64_t coils)
{
    return field_transform(type, coils, false);
}

/* The same grid by FFT; both must agree. */
static argand_op *fft_transform(argand_type type, int64_t coils)
{
    argand_op *op;
    OK(argand_op_fft(
        &op, device,
        &(argand_fft_options){.type = type, .rank = 2, .n = {NX, NY}, .batch = coils, .centred = true},
        ARGAND_FORWARD));
    return op;
}

/* Radial samples by NUFFT, on a 7 x 4 image. */
static argand_op *nufft_transform(argand_type type, int64_t coils)
{
    argand_array *k[3], *t;
    argand_nufft *plan;
    argand_op *op;
    OK(argand_trajectory_make(k, &t, device, type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32,
                              &(argand_trajectory_options){.kind = ARGAND_RADIAL, .n = {NX, NY}}));
    OK(argand_nufft_create(&plan, device, &(argand_nufft_options){.type = type, .rank = 2, .n = {NX, NY}}));
    OK(argand_nufft_set_points(plan, k));
    OK(argand_op_nufft(&op, device, plan, coils));
    argand_array_destroy(t);
    for (int d = 0; d < 2; d++) argand_array_destroy(k[d]);
    return op;
}

static argand_array *random_array(argand_type type, int rank, const int64_t *dims, uint64_t seed)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    randomise(array, seed, 0, 0);
    return array;
}

/* y_c = F(S_c x), written out; and the same through the normal operator. */
static void values(void **state)
{
    (void)state;
    const int64_t dims[3] = {NX, NY, COILS}, pixels = NX * NY;
    argand_array *maps = random_array(ARGAND_C64, 3, dims, 1), *x = random_array(ARGAND_C64, 2, dims, 2), *y,
                 *z, *z2;
    argand_op *fourier = transform(ARGAND_C64, COILS), *sense;
    OK(argand_array_create(&y, device, ARGAND_C64, 2, (const int64_t[2]){NX * NY, COILS}));
    OK(argand_array_create(&z, device, ARGAND_C64, 2, dims));
    OK(argand_array_create(&z2, device, ARGAND_C64, 2, dims));
    OK(argand_op_sense(&sense, fourier, maps));
    argand_op_destroy(fourier);
    OK(argand_op_apply(sense, y, x));
    double complex *s = (double complex *)as_doubles(maps), *m = (double complex *)as_doubles(x),
                   *data = (double complex *)as_doubles(y);
    for (int c = 0; c < COILS; c++)
        for (int k = 0; k < pixels; k++) {
            double complex sum = 0;
            for (int n = 0; n < pixels; n++) {
                const double turns = (double)((k % NX - NX / 2) * (n % NX - NX / 2)) / NX +
                                     (double)((k / NX - NY / 2) * (n / NX - NY / 2)) / NY;
                sum += s[c * pixels + n] * m[n] * cexp(-2 * 3.14159265358979323846 * I * turns);
            }
            CHECK_BELOW(cabs(data[c * pixels + k] - sum), 1e-12);
        }
    OK(argand_op_adjoint(sense, z, y));
    OK(argand_op_normal(sense, z2, x));
    double *a = as_doubles(z), *b = as_doubles(z2);
    CHECK_BELOW(relative_error(a, b, 2 * NX * NY), 1e-14);
    free(a);
    free(b);
    free(data);
    free(m);
    free(s);
    argand_op_destroy(sense);
    argand_array_destroy(z2);
    argand_array_destroy(z);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_array_destroy(maps);
}

static void is_adjoint(argand_op *fourier, const argand_array *maps, double limit)
{
    argand_op *sense;
    double error;
    OK(argand_op_sense(&sense, fourier, maps));
    argand_op_destroy(fourier);
    OK(argand_op_check(sense, 4, 9, &error));
    CHECK_BELOW(error, limit);
    argand_op_destroy(sense);
}

static void adjoint_over_transforms(void **state)
{
    (void)state;
    const argand_type types[2] = {ARGAND_C32, ARGAND_C64};
    for (int p = 0; p < 2; p++)
        for (int64_t coils = 1; coils < 6; coils += 2) {
            argand_array *maps = random_array(types[p], 3, (const int64_t[3]){NX, NY, coils}, 3);
            is_adjoint(field_transform(types[p], coils, false), maps, p ? 1e-12 : 1e-5);
            is_adjoint(field_transform(types[p], coils, true), maps, p ? 1e-12 : 1e-5);
            is_adjoint(nufft_transform(types[p], coils), maps, p ? 1e-12 : 1e-5);
            is_adjoint(fft_transform(types[p], coils), maps, p ? 1e-12 : 1e-5);
            argand_array_destroy(maps);
        }
}

/* The maps are shared, not copied: later changes are seen. */
static void maps_are_shared(void **state)
{
    (void)state;
    const int64_t dims[3] = {NX, NY, COILS};
    argand_array *maps = random_array(ARGAND_C32, 3, dims, 1), *x = random_array(ARGAND_C32, 2, dims, 2), *y;
    argand_op *fourier = transform(ARGAND_C32, COILS), *sense;
    double norm;
    OK(argand_array_create(&y, device, ARGAND_C32, 2, (const int64_t[2]){NX * NY, COILS}));
    OK(argand_op_sense(&sense, fourier, maps));
    OK(argand_array_fill(maps, (argand_scalar){0, 0}));
    argand_array_destroy(maps);
    OK(argand_op_apply(sense, y, x));
    OK(argand_array_norm(&norm, y));
    assert_true(norm == 0);
    argand_op_destroy(sense);
    argand_op_destroy(fourier);
    argand_array_destroy(y);
    argand_array_destroy(x);
}

static void refusals(void **state)
{
    (void)state;
    argand_op *fourier = transform(ARGAND_C32, COILS), *sense;
    const struct {
        argand_type type;
        int rank;
        int64_t dims[4];
        const char *message;
    } wrong[] = {{ARGAND_C64, 3, {NX, NY, COILS}, "type"},
                 {ARGAND_C32, 3, {NX, NY, COILS + 1}, "dimension 2 of the coil maps is 4"},
                 {ARGAND_C32, 3, {NY, NX, COILS}, "dimension 0"},
                 {ARGAND_C32, 4, {NX, NY, 1, COILS}, "dimension 2"},
                 {ARGAND_C32, 1, {NX}, "contiguous"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        argand_array *maps;
        OK(argand_array_create(&maps, device, wrong[i].type, wrong[i].rank, wrong[i].dims));
        FAILS(argand_op_sense(&sense, fourier, maps), ARGAND_ARGUMENT, wrong[i].message);
        argand_array_destroy(maps);
    }
    FAILS(argand_op_sense(&sense, fourier, NULL), ARGAND_ARGUMENT, "maps");
    argand_op_destroy(fourier);
}

static void no_memory(void **state)
{
    (void)state;
    argand_array *maps = random_array(ARGAND_C32, 3, (const int64_t[3]){NX, NY, COILS}, 1);
    argand_op *fourier = transform(ARGAND_C32, COILS), *sense = NULL;
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status && n < 30; n++) {
        argand_test_fail_allocation(n);
        status = argand_op_sense(&sense, fourier, maps);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_op_destroy(sense);
    argand_op_destroy(fourier);
    argand_array_destroy(maps);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values),          cmocka_unit_test(adjoint_over_transforms),
    cmocka_unit_test(maps_are_shared), cmocka_unit_test(refusals),
    cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
