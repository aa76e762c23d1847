/* SPDX-License-Identifier: BSD-3-Clause */
/* SENSE of several shots with phase maps: its values by the formula, its adjoint and normal over every kind
 * of transform, missing shots, what it needs of memory, its refusals. (The ancestors' operator had the same
 * sign in both directions.) */
#include "harness.h"
#include "base/memory.h"

enum { NX = 7, NY = 4, COILS = 3, SHOTS = 4, PIXELS = NX * NY };
#define PI 3.14159265358979323846

static argand_array *random_array(argand_type type, int rank, const int64_t *dims, uint64_t seed)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    randomise(array, seed, 0, 0);
    return array;
}

/* k of shot s: 5 + s samples within the unit of pixels, repeatable. */
static int samples_of(int s)
{
    return 5 + s;
}

static double k_of(int s, int j, int axis)
{
    return axis ? 1.5 * sin(1 + 7.3 * s + 2.1 * j) : 3.2 * cos(0.5 + 3.1 * s + 1.7 * j);
}

typedef enum kind { FIELD, FIELD_MAP, NUFFT, FFT } kind;

/* t of a sample is its number in ms. */
static argand_op *transform_of(kind which, argand_type type, int s, int64_t coils)
{
    const argand_type real = type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    const int64_t count = samples_of(s);
    argand_array *k[3] = {NULL}, *t, *map;
    argand_device *host;
    argand_op *op;
    double numbers[16];
    OK(argand_device_open(&host, "cpu"));
    OK(argand_array_create(&t, host, ARGAND_R64, 1, &count));
    for (int axis = 0; axis < 2; axis++) {
        OK(argand_array_create(&k[axis], host, ARGAND_R64, 1, &count));
        for (int j = 0; j < count; j++) numbers[j] = k_of(s, j, axis);
        OK(argand_array_upload(k[axis], numbers));
    }
    for (int j = 0; j < count; j++) numbers[j] = 1e-3 * j;
    OK(argand_array_upload(t, numbers));
    OK(argand_array_create(&map, device, real, 2, (const int64_t[2]){NX, NY}));
    OK(argand_fieldmap_head(map, 2000));
    if (which == FFT) { /* whose samples have the image's dimensions */
        OK(argand_op_fft(
            &op, device,
            &(argand_fft_options){.type = type, .rank = 2, .n = {NX, NY}, .batch = coils, .centred = s % 2},
            ARGAND_FORWARD));
    } else if (which == NUFFT) {
        argand_nufft *plan;
        OK(argand_nufft_create(&plan, device,
                               &(argand_nufft_options){.type = type, .rank = 2, .n = {NX, NY}}));
        OK(argand_nufft_set_points(plan, k));
        OK(argand_op_nufft(&op, device, plan, coils));
    } else {
        argand_field *plan;
        OK(argand_field_create(&plan, device,
                               &(argand_field_options){.type = type,
                                                       .rank = 2,
                                                       .n = {NX, NY},
                                                       .k = {k[0], k[1]},
                                                       .t = which == FIELD_MAP ? t : NULL,
                                                       .field_map = which == FIELD_MAP ? map : NULL}));
        OK(argand_op_field(&op, device, plan, coils));
    }
    argand_array_destroy(map);
    argand_array_destroy(t);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(k[axis]);
    argand_device_close(host);
    return op;
}

/* Which shots are there, bit s for shot s. */
static argand_op *pcsense_of(kind which, argand_type type, unsigned there, const argand_array *maps,
                             const argand_array *phases)
{
    argand_op *transforms[SHOTS] = {NULL}, *op;
    for (int s = 0; s < SHOTS; s++)
        if (there >> s & 1) transforms[s] = transform_of(which, type, s, argand_array_dim(maps, 2));
    OK(argand_op_pcsense(&op, SHOTS, transforms, maps, phases));
    for (int s = 0; s < SHOTS; s++) argand_op_destroy(transforms[s]);
    return op;
}

/* y_cs = sum_n S_cn exp(i P_sn) x_n exp(-2 pi i k r): sample fastest, then shot, then coil; shot 1 missing.
 */
static void values(void **state)
{
    (void)state;
    const unsigned there = 0xD;
    argand_array *maps = random_array(ARGAND_C32, 3, (int64_t[]){NX, NY, COILS}, 1),
                 *phases = random_array(ARGAND_R32, 3, (int64_t[]){NX, NY, SHOTS}, 2),
                 *x = random_array(ARGAND_C32, 2, (int64_t[]){NX, NY}, 3), *y;
    argand_op *op = pcsense_of(FIELD, ARGAND_C32, there, maps, phases);
    const int64_t total = argand_op_range(op)->dims[0];
    assert_int_equal(total, samples_of(0) + samples_of(2) + samples_of(3));
    assert_int_equal(argand_op_range(op)->dims[1], COILS);
    OK(argand_array_create(&y, device, ARGAND_C32, 2, (int64_t[]){total, COILS}));
    OK(argand_op_apply(op, y, x));
    double complex *map = (double complex *)as_doubles(maps), *image = (double complex *)as_doubles(x),
                   *got = (double complex *)as_doubles(y);
    double *phase = as_doubles(phases);
    double complex *expected = calloc((size_t)total * COILS, sizeof *expected);
    int64_t at = 0;
    for (int c = 0; c < COILS; c++)
        for (int s = 0; s < SHOTS; s++)
            for (int j = 0; there >> s & 1 && j < samples_of(s); j++, at++)
                for (int n = 0; n < PIXELS; n++) {
                    const double turns =
                        k_of(s, j, 0) * (n % NX - NX / 2) / NX + k_of(s, j, 1) * (n / NX - NY / 2) / NY;
                    expected[at] +=
                        map[n + PIXELS * c] * image[n] * cexp(I * (phase[n + PIXELS * s] - 2 * PI * turns));
                }
    assert_int_equal(at, total * COILS);
    CHECK_BELOW(relative_error((double *)got, (double *)expected, 2 * (size_t)at), 1e-6);
    free(map), free(image), free(got), free(phase), free(expected);
    argand_op_destroy(op);
    argand_array_destroy(maps);
    argand_array_destroy(phases);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

static void is_adjoint_and_normal(kind which, argand_type type, int64_t coils, unsigned there)
{
    const bool is_double = type == ARGAND_C64;
    argand_array *maps = random_array(type, 3, (int64_t[]){NX, NY, coils}, 4),
                 *phases =
                     random_array(is_double ? ARGAND_R64 : ARGAND_R32, 3, (int64_t[]){NX, NY, SHOTS}, 5),
                 *x = random_array(type, 2, (int64_t[]){NX, NY}, 6), *y, *z[2];
    argand_op *op = pcsense_of(which, type, there, maps, phases);
    double error;
    OK(argand_op_check(op, few() ? 1 : 3, 7, &error));
    CHECK_BELOW(error, is_double ? 1e-12 : 1e-5);
    OK(argand_array_create(&y, device, type, 2, argand_op_range(op)->dims));
    for (int i = 0; i < 2; i++) OK(argand_array_create(&z[i], device, type, 2, (int64_t[]){NX, NY}));
    OK(argand_op_normal(op, z[0], x));
    OK(argand_op_apply(op, y, x));
    OK(argand_op_adjoint(op, z[1], y));
    double *a = as_doubles(z[0]), *b = as_doubles(z[1]);
    CHECK_BELOW(relative_error(a, b, 2 * PIXELS), is_double ? 1e-13 : 1e-6);
    free(a), free(b);
    argand_op_destroy(op);
    argand_array_destroy(maps);
    argand_array_destroy(phases);
    argand_array_destroy(x);
    argand_array_destroy(y);
    for (int i = 0; i < 2; i++) argand_array_destroy(z[i]);
}

static void adjoint_over_transforms(void **state)
{
    (void)state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    for (int which = FIELD; which <= FFT; which++)
        for (int64_t coils = 1; coils < 4; coils += 2)
            for (int precise = 0; precise < (info.has_double ? 2 : 1); precise++)
                if (!few() || precise == (coils == 3) || !info.has_double)
                    is_adjoint_and_normal(which, precise ? ARGAND_C64 : ARGAND_C32, coils,
                                          coils == 1 ? 0xF : 0xA);
}

static argand_status keep(void *context, argand_array *y, const argand_array *x)
{
    (void)context;
    return argand_array_copy(y, x);
}

/* Besides what its transforms do (nothing, here) the operator moves nothing between host and device. */
static void nothing_crosses_the_bus(void **state)
{
    (void)state;
    argand_array *maps = random_array(ARGAND_C32, 3, (int64_t[]){NX, NY, COILS}, 1),
                 *phases = random_array(ARGAND_R32, 3, (int64_t[]){NX, NY, 2}, 2),
                 *x = random_array(ARGAND_C32, 2, (int64_t[]){NX, NY}, 3), *y;
    argand_op *transforms[2], *op;
    const argand_op_definition definition = {.name = "copy",
                                             .domain = {ARGAND_C32, 3, {NX, NY, COILS}},
                                             .range = {ARGAND_C32, 3, {NX, NY, COILS}},
                                             .apply = keep,
                                             .adjoint = keep};
    for (int s = 0; s < 2; s++) OK(argand_op_create(&transforms[s], device, &definition));
    OK(argand_op_pcsense(&op, 2, transforms, maps, phases));
    OK(argand_array_create(&y, device, ARGAND_C32, 2, argand_op_range(op)->dims));
    OK(argand_op_apply(op, y, x));
    const argand_transfers before = argand_device_transfers(device);
    for (int i = 0; i < 3; i++) {
        OK(argand_op_apply(op, y, x));
        OK(argand_op_adjoint(op, x, y));
    }
    const argand_transfers after = argand_device_transfers(device);
    assert_int_equal(after.uploads, before.uploads);
    assert_int_equal(after.downloads, before.downloads);
    for (int s = 0; s < 2; s++) argand_op_destroy(transforms[s]);
    argand_op_destroy(op);
    argand_array_destroy(maps);
    argand_array_destroy(phases);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

/* With all phases 0 and one shot it is SENSE. */
static void without_phases_it_is_sense(void **state)
{
    (void)state;
    argand_array *maps = random_array(ARGAND_C32, 3, (int64_t[]){NX, NY, COILS}, 1), *phases,
                 *x = random_array(ARGAND_C32, 2, (int64_t[]){NX, NY}, 3), *y[2];
    argand_op *transform = transform_of(FIELD_MAP, ARGAND_C32, 3, COILS), *ops[2];
    OK(argand_array_create(&phases, device, ARGAND_R32, 2, (int64_t[]){NX, NY}));
    OK(argand_op_pcsense(&ops[0], 1, &transform, maps, phases));
    OK(argand_op_sense(&ops[1], transform, maps));
    double *got[2];
    for (int i = 0; i < 2; i++) {
        OK(argand_array_create(&y[i], device, ARGAND_C32, 2, (int64_t[]){samples_of(3), COILS}));
        OK(argand_op_apply(ops[i], y[i], x));
        got[i] = as_doubles(y[i]);
    }
    assert_memory_equal(got[0], got[1], sizeof(double) * 2 * 8 * COILS);
    for (int i = 0; i < 2; i++) {
        free(got[i]);
        argand_op_destroy(ops[i]);
        argand_array_destroy(y[i]);
    }
    argand_op_destroy(transform);
    argand_array_destroy(maps);
    argand_array_destroy(phases);
    argand_array_destroy(x);
}

static void refusals(void **state)
{
    (void)state;
    argand_array *maps = random_array(ARGAND_C32, 3, (int64_t[]){NX, NY, COILS}, 1), *phases,
                 *wrong_maps = random_array(ARGAND_C32, 3, (int64_t[]){NX, NY + 1, COILS}, 1);
    argand_op *transforms[2] = {transform_of(FIELD, ARGAND_C32, 0, COILS),
                                transform_of(FIELD, ARGAND_C32, 1, COILS)},
              *none[2] = {NULL, NULL}, *op;
    const struct {
        argand_type type;
        int64_t dims[3];
        const char *message;
    } wrong[] = {{ARGAND_C32, {NX, NY, 2}, "must be real"},
                 {ARGAND_R32, {NX, NY + 2, 2}, "dimension 1 of the phase maps is 6, but 4"},
                 {ARGAND_R32, {NX, NY, 3}, "3 phase maps for 2 shots"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        OK(argand_array_create(&phases, device, wrong[i].type, 3, wrong[i].dims));
        FAILS(argand_op_pcsense(&op, 2, transforms, maps, phases), ARGAND_ARGUMENT, wrong[i].message);
        argand_array_destroy(phases);
    }
    float numbers[2 * PIXELS] = {0};
    numbers[PIXELS + 3] = NAN;
    OK(argand_array_create(&phases, device, ARGAND_R32, 3, (int64_t[]){NX, NY, 2}));
    FAILS(argand_op_pcsense(&op, 2, transforms, wrong_maps, phases), ARGAND_ARGUMENT,
          "shot 0 of 2: dimension 1 of the coil maps is 5");
    FAILS(argand_op_pcsense(&op, 2, none, maps, phases), ARGAND_ARGUMENT, "no shot");
    OK(argand_array_upload(phases, numbers));
    FAILS(argand_op_pcsense(&op, 2, transforms, maps, phases), ARGAND_ARGUMENT,
          "phase map of shot 1 is nan at pixel 3");
    argand_op_destroy(transforms[0]);
    argand_op_destroy(transforms[1]);
    argand_array_destroy(maps);
    argand_array_destroy(wrong_maps);
    argand_array_destroy(phases);
}

static void no_memory(void **state)
{
    (void)state;
    argand_array *maps = random_array(ARGAND_C32, 3, (int64_t[]){NX, NY, COILS}, 1),
                 *phases = random_array(ARGAND_R32, 3, (int64_t[]){NX, NY, 2}, 2);
    argand_op *transforms[2] = {transform_of(FIELD, ARGAND_C32, 0, COILS),
                                transform_of(FIELD, ARGAND_C32, 1, COILS)},
              *op = NULL;
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status && n < 60; n++) {
        argand_test_fail_allocation(n);
        status = argand_op_pcsense(&op, 2, transforms, maps, phases);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_op_destroy(op);
    argand_op_destroy(transforms[0]);
    argand_op_destroy(transforms[1]);
    argand_array_destroy(maps);
    argand_array_destroy(phases);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values),
    cmocka_unit_test(adjoint_over_transforms),
    cmocka_unit_test(nothing_crosses_the_bus),
    cmocka_unit_test(without_phases_it_is_sense),
    cmocka_unit_test(refusals),
    cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
