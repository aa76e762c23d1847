/* SPDX-License-Identifier: BSD-3-Clause */
/* The real stack-of-spirals brain, 64x64x16, 4 coils with maps: NUFFT and exact DFT against the independent
 * NumPy reconstruction, and against each other. The problem is well behaved: complex64 agrees to 3e-7 in
 * every residual and to 5e-6 in the image, so that 1e-4 allows for the NUFFT's tolerance of 1e-5 alone.
 */
#include "real.h"

static void run(argand_transform transform, const char *name, argand_array **image)
{
    DATA_OR_SKIP("brain_stack_of_spirals_3d/brain_stack_of_spirals_3d.h5", path);
    DATA_OR_SKIP("brain_stack_of_spirals_3d/brain_stack_of_spirals_3d_residuals.csv", table);
    DATA_OR_SKIP("brain_stack_of_spirals_3d/brain_stack_of_spirals_3d_ref_cg10_complex.npy", reference);
    argand_scan *scan;
    double expected[MOST_ITERATIONS];
    record got = {.last = 0};
    OK(argand_scan_read(&scan, path, NULL));
    read_column(table, "sense_dft", expected);
    const int iterations = is_first_tier() && transform == ARGAND_TRANSFORM_DFT ? 2 : 10;
    run_session(scan,
                &(argand_sense_options){.type = ARGAND_C32,
                                        .transform = transform,
                                        .density = ARGAND_DENSITY_NONE,
                                        .iterations = iterations},
                &got, image);
    printf("%s: %d iterations in %.2f s\n", name, iterations, got.seconds);
    for (int i = 1; i <= iterations; i++) CHECK_BELOW(fabs(got.residual[i] / expected[i] - 1), 1e-4);
    if (iterations == 10) CHECK_BELOW(distance_to_file(*image, reference), 1e-4);
    argand_scan_destroy(scan);
}

static void nufft_and_dft_meet_the_reference_and_each_other(void **state)
{
    (void)state;
    argand_array *fast, *exact;
    run(ARGAND_TRANSFORM_NUFFT, "nufft", &fast);
    run(ARGAND_TRANSFORM_DFT, "dft", &exact);
    double *a = as_doubles(fast), *b = as_doubles(exact);
    if (!is_first_tier()) CHECK_BELOW(relative_error(a, b, 2 * (size_t)argand_array_count(fast)), 1e-4);
    free(a);
    free(b);
    argand_array_destroy(fast);
    argand_array_destroy(exact);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(nufft_and_dft_meet_the_reference_and_each_other)};
RUN_TESTS(tests)
