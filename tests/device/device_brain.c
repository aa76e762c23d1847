/* SPDX-License-Identifier: BSD-3-Clause */
/* A real brain (single-shot spiral, 2-D) is reconstructed on a HIP or Metal device whose kernels really run,
 * over the stand-in, and equals the CPU's image: by the exact DFT with the measured field map, and by the
 * NUFFT. */
#include "recon/real.h"

static argand_scan *brain; /* NULL: the data are not here */

static int read_brain(void **state)
{
    char path[4096];
    (void)state;
    if (!brain && have_data("brain_spiral_2d/brain_spiral_2d.h5", path, sizeof path))
        OK(argand_scan_read(&brain, path, NULL));
    return 0;
}

static double *image_on(argand_device *on, argand_transform transform, const char *field_map, int64_t *count)
{
    argand_sense *session;
    argand_array *image;
    int64_t n[3];
    const argand_sense_options options = {.type = ARGAND_C32,
                                          .transform = transform,
                                          .toeplitz = ARGAND_TOEPLITZ_OFF,
                                          .density = ARGAND_DENSITY_NONE,
                                          .iterations = 6,
                                          .field_map_name = field_map};
    OK(argand_sense_create(&session, on, brain, &options));
    argand_sense_grid(session, n);
    OK(argand_array_create(&image, on, ARGAND_C32, 3, n));
    OK(argand_sense_run(session, 0, image, NULL, NULL));
    argand_sense_destroy(session);
    *count = 2 * argand_array_count(image);
    double *numbers = as_doubles(image);
    argand_array_destroy(image);
    return numbers;
}

static void compare(argand_transform transform, const char *field_map)
{
    argand_device *cpu;
    int64_t count, same;
    if (!brain) skip();
    OK(argand_device_open(&cpu, "cpu"));
    double *expected = image_on(cpu, transform, field_map, &count);
    double *got = image_on(device, transform, field_map, &same);
    assert_int_equal(count, same);
    CHECK_BELOW(relative_error(got, expected, (size_t)count), 1e-4);
    free(expected);
    free(got);
    argand_device_close(cpu);
}

static void the_exact_dft(void **state)
{
    (void)state;
    compare(ARGAND_TRANSFORM_DFT, "FieldMapDerived");
}

static void the_nufft(void **state)
{
    (void)state;
    compare(ARGAND_TRANSFORM_NUFFT, "");
}

static int forget_brain(void **state)
{
    (void)state;
    argand_scan_destroy(brain);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(the_exact_dft, read_brain),
    cmocka_unit_test_setup_teardown(the_nufft, read_brain, forget_brain),
};

RUN_TESTS(tests)
