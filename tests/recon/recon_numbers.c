/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions over scans whose numbers are very large, very small or absurd. */
#include "made_scan.h"

static void multiply_data(made_scan *m, float factor)
{
    for (int a = 0; a < m->scan.acquisition_count; a++)
        for (int i = 0; i < 2 * NX * COILS; i++) ((float *)(uintptr_t)m->acquisitions[a].data)[i] *= factor;
}

/* In single precision, where the squares of such numbers are 0 or infinite: the same digits. */
static void sizes_of_samples_change_no_digit(void **state)
{
    (void)state;
    static const float factors[] = {1, 0x1p-100f, 0x1p100f};
    double *images[3];
    for (int round = 0; round < 3; round++) {
        made_scan *m = new_scan(1);
        add_coil_maps(m);
        add_image(m, (argand_counters){0}, 1, 1e-5, 0);
        multiply_data(m, factors[round]);
        argand_sense *session;
        argand_array *image;
        const argand_sense_options options = {
            .type = ARGAND_C32,
            .transform = ARGAND_TRANSFORM_DFT,
            .iterations = 6,
            .regularizers = &(argand_regularizer){.kind = ARGAND_QUADRATIC, .weight = 0.01},
            .regularizer_count = 1};
        OK(argand_sense_create(&session, device, &m->scan, &options));
        OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
        OK(argand_sense_run(session, 0, image, NULL, NULL));
        images[round] = as_doubles(image);
        assert_true(images[round][0] != 0);
        for (int i = 0; i < 2 * PIXELS; i++)
            assert_true(images[round][i] == images[0][i] * (double)factors[round]);
        argand_array_destroy(image);
        argand_sense_destroy(session);
        free_scan(m);
    }
    for (int round = 0; round < 3; round++) free(images[round]);
}

/* What is absurd is refused or said. */
static void absurd_numbers(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    argand_sense *s;
    argand_array *image;
    add_coil_maps(m);
    add_image(m, (argand_counters){0}, 1, 1e-5, 0);
    argand_sense_options o = exact;
    o.type = ARGAND_C32;
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));

    float *sample = (float *)(uintptr_t)m->acquisitions[3].data + 2 * (5 + NX);
    const float kept = *sample;
    *sample = 3e30f;
    OK(argand_sense_create(&s, device, &m->scan, &o));
    assert_non_null(strstr(argand_sense_notes(s), "Acquisition 0, channel 1, sample 5: 3e+30 is"));
    OK(argand_sense_run(s, 0, image, NULL, NULL));
    argand_sense_destroy(s);
    *sample = NAN;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_FORMAT,
          "channel 1, sample 5 is not a finite number");
    *sample = kept;

    float *maps = (float *)(uintptr_t)m->arrays[0].data;
    for (int i = 0; i < 2 * PIXELS * COILS; i++) maps[i] *= 1000;
    multiply_data(m, 0x1p115f); /* the adjoint's sums are beyond single precision */
    o.method = ARGAND_METHOD_ADJOINT;
    o.density = ARGAND_DENSITY_NONE;
    OK(argand_sense_create(&s, device, &m->scan, &o));
    FAILS(argand_sense_run(s, 0, image, NULL, NULL), ARGAND_NUMERIC,
          "volume 1 of the image holds numbers that are");
    argand_sense_destroy(s);

    multiply_data(m, 0);
    OK(argand_sense_create(&s, device, &m->scan, &o));
    assert_non_null(strstr(argand_sense_notes(s), "All samples are 0"));
    argand_sense_destroy(s);

    o.mask_name = "Mask";
    add_real_map(m, "Mask", 2, (int64_t[]){NX, NY}, 0);
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT,
          "the mask \"Mask\" of the scan is 0 everywhere");
    o.mask_name = NULL;
    memset(maps, 0, sizeof(float) * 2 * PIXELS * COILS);
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT,
          "the coil maps \"SENSEMap\" of the scan is 0 everywhere");
    argand_array_destroy(image);
    free_scan(m);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_of_samples_change_no_digit),
                                          cmocka_unit_test(absurd_numbers)};

RUN_TESTS(tests)
