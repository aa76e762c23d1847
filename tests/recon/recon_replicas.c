/* SPDX-License-Identifier: BSD-3-Clause */
/* Noise by pseudo-replicas: of a transform whose noise is known, and that it leaves the session as it was. */
#include "made_scan.h"

enum { COUNT = 200 };

/* The adjoint of a complete grid without coil maps, which is linear but for the root of the squares. */
static argand_sense *adjoint_of(const made_scan *m)
{
    argand_sense *session;
    OK(argand_sense_create(&session, device, &m->scan,
                           &(argand_sense_options){.type = ARGAND_C64,
                                                   .method = ARGAND_METHOD_ADJOINT,
                                                   .density = ARGAND_DENSITY_PIPE,
                                                   .nufft_tolerance = 1e-9}));
    return session;
}

static argand_array *pixels(argand_type type)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, 3, (const int64_t[3]){NX, NY, 1}));
    return array;
}

static argand_array *unit_matrix(double value)
{
    argand_array *factor, *diagonal;
    const int64_t n = COILS, stride = COILS + 1;
    OK(argand_array_create(&factor, device, ARGAND_C64, 2, (const int64_t[2]){COILS, COILS}));
    OK(argand_array_view(&diagonal, factor, 1, &n, &stride, 0));
    OK(argand_array_fill(diagonal, (argand_scalar){value, 0}));
    argand_array_destroy(diagonal);
    return factor;
}

/* x = sum_c conj(S_c) A^H W y_c, weights of 1/PIXELS each: E |n|^2 = sum_c |S_c|^2 / PIXELS, half of it in
 * the real part. */
static void known_noise(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    add_image(m, (argand_counters){0}, 1, 1e-5, 0);
    add_coil_maps(m);
    argand_sense *session = adjoint_of(m);
    argand_array *image = pixels(ARGAND_C64), *deviation = pixels(ARGAND_R64), *again = pixels(ARGAND_C64);
    OK(argand_sense_run(session, 0, image, NULL, NULL));
    OK(argand_sense_noise(session, 0, image, COUNT, NULL, deviation, NULL, NULL));
    double *found = as_doubles(deviation), worst = 0, sum = 0;
    for (int i = 0; i < PIXELS; i++) {
        double square = 0;
        for (int c = 0; c < COILS; c++) square += pow(cabs(coil_at(c, i % NX, i / NX)), 2);
        const double ratio = found[i] / sqrt(square / PIXELS / 2);
        worst = fmax(worst, fabs(ratio - 1));
        sum += ratio / PIXELS;
    }
    CHECK_BELOW(worst, 5 / sqrt(4.0 * COUNT));
    CHECK_BELOW(fabs(sum - 1), 5 / sqrt(4.0 * COUNT * PIXELS) + 5e-3); /* the weights of pipe */
    OK(argand_sense_run(session, 0, again, NULL, NULL));               /* with the scan's own samples */
    double *a = as_doubles(image), *b = as_doubles(again);
    assert_memory_equal(a, b, sizeof *a * 2 * PIXELS);
    free(a);
    free(b);
    free(found);
    argand_array_destroy(again);
    argand_array_destroy(deviation);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    free_scan(m);
}

/* The same noise three times as large, from a session made alike. */
static void factor_of_the_noise(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    add_image(m, (argand_counters){0}, 1, 1e-5, 0);
    add_coil_maps(m);
    argand_array *image = pixels(ARGAND_C64), *deviation = pixels(ARGAND_R64), *factor = unit_matrix(3);
    double *found[2];
    for (int i = 0; i < 2; i++) {
        argand_sense *session = adjoint_of(m);
        OK(argand_sense_run(session, 0, image, NULL, NULL));
        OK(argand_sense_noise(session, 0, image, 2, i ? factor : NULL, deviation, NULL, NULL));
        found[i] = as_doubles(deviation);
        argand_sense_destroy(session);
    }
    for (int i = 0; i < PIXELS; i++) CHECK_BELOW(fabs(found[1][i] - 3 * found[0][i]), 1e-4 * found[1][i]);
    free(found[0]);
    free(found[1]);
    argand_array_destroy(factor);
    argand_array_destroy(deviation);
    argand_array_destroy(image);
    free_scan(m);
}

static void refusals(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    add_image(m, (argand_counters){0}, 1, 1e-5, 0);
    add_coil_maps(m);
    argand_sense *session = adjoint_of(m);
    argand_array *image = pixels(ARGAND_C64), *narrow = pixels(ARGAND_C32), *deviation = pixels(ARGAND_R32),
                 *factor = unit_matrix(1), *few;
    OK(argand_array_part(&few, deviation, 0, 0, 2));
    FAILS(argand_sense_noise(session, 0, image, 0, NULL, deviation, NULL, NULL), ARGAND_ARGUMENT,
          "0 replicas");
    FAILS(argand_sense_noise(session, 1, image, 2, NULL, deviation, NULL, NULL), ARGAND_ARGUMENT,
          "volume 1 of 1");
    FAILS(argand_sense_noise(session, 0, narrow, 2, NULL, deviation, NULL, NULL), ARGAND_ARGUMENT,
          "complex float");
    FAILS(argand_sense_noise(session, 0, image, 2, NULL, few, NULL, NULL), ARGAND_ARGUMENT,
          "array of deviations 14");
    FAILS(argand_sense_noise(session, 0, image, 2, image, deviation, NULL, NULL), ARGAND_ARGUMENT,
          "c64 {channels, channels}");
    argand_array_destroy(few);
    argand_array_destroy(factor);
    argand_array_destroy(deviation);
    argand_array_destroy(narrow);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    free_scan(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(known_noise),
    cmocka_unit_test(factor_of_the_noise),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
