/* SPDX-License-Identifier: BSD-3-Clause */
/* Single precision on the device against double on the cpu, for the real scans, with and without density
 * weights: residual within 1e-4 and image within 1e-3 at each of 50 iterations. Without what keeps gradients
 * orthogonal the residual leaves that from about the 9th iteration on, differently on every device. In double
 * that is not the same computation with fewer roundings alone: where plain recurrences in double still have
 * their orthogonality (recon_brain_2d.c, recon_b0_phantom.c) it is held against independent programs. */
#include "precision.h"

/* Kernels that OpenCL runs on processors take minutes for all of it: there the scan that parts most without
 * kept gradients, for as many iterations as it takes to part (its image by 0.12), must do. */
static bool is_brief(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.is_processor;
}

/* One volume by the given options; `on` may be another device than the test's. */
static size_t run_path(argand_device *on, const argand_scan *scan, argand_sense_options options,
                       argand_type type, path_of_solver *path)
{
    argand_sense *session;
    argand_array *image;
    int64_t n[3];
    options.type = type;
    options.iterations = is_brief() ? 12 : is_first_tier() ? 16 : ITERATIONS;
    OK(argand_sense_create(&session, on, scan, &options));
    argand_sense_grid(session, n);
    OK(argand_array_create(&image, on, type, 3, n));
    path->x = options.toeplitz == ARGAND_TOEPLITZ_OFF ? image : NULL;
    OK(argand_sense_run(session, 0, image, keep_step, path));
    path->result = as_doubles(image);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    return (size_t)(2 * n[0] * n[1] * n[2]);
}

static void single_against_double(const char *name, const argand_scan *scan,
                                  const argand_sense_options *options)
{
    static int asked;
    argand_device *host;
    path_of_solver single = {.last = 0}, wanted = {.last = 0};
    if (!is_brief() && !in_round(asked++, 3)) return;
    OK(argand_device_open(&host, "cpu"));
    run_path(host, scan, *options, ARGAND_C64, &wanted);
    const size_t numbers = run_path(device, scan, *options, ARGAND_C32, &single);
    const distances d = compare(name, &single, &wanted, numbers);
    CHECK_BELOW(d.residual, 1e-4);
    CHECK_BELOW(d.image, 1e-3);
    free_path(&single);
    free_path(&wanted);
    argand_device_close(host);
}

static argand_scan *read_scan(const char *name)
{
    char path[4096];
    argand_scan *scan;
    if (!have_data(name, path, sizeof path)) return NULL;
    OK(argand_scan_read(&scan, path, NULL));
    return scan;
}

static void brain_2d(void **state)
{
    (void)state;
    if (is_brief()) skip();
    argand_scan *scan = read_scan("brain_spiral_2d/brain_spiral_2d.h5");
    if (!scan) skip();
    argand_sense_options o = {.transform = ARGAND_TRANSFORM_DFT,
                              .field_map_name = "",
                              .density = ARGAND_DENSITY_NONE,
                              .toeplitz = ARGAND_TOEPLITZ_OFF};
    single_against_double("brain 2d, dft", scan, &o);
    o.density = ARGAND_DENSITY_PIPE;
    single_against_double("brain 2d, dft, weights", scan, &o);
    o.density = ARGAND_DENSITY_NONE;
    o.transform = ARGAND_TRANSFORM_DFT_GRADIENTS;
    o.field_map_name = "FieldMapDerived";
    single_against_double("brain 2d, field and gradients", scan, &o);
    argand_scan_destroy(scan);
}

static void brain_3d(void **state)
{
    (void)state;
    if (is_brief()) skip();
    argand_scan *scan = read_scan("brain_stack_of_spirals_3d/brain_stack_of_spirals_3d.h5");
    if (!scan) skip();
    argand_sense_options o = {.transform = ARGAND_TRANSFORM_NUFFT,
                              .field_map_name = "",
                              .density = ARGAND_DENSITY_PIPE,
                              .toeplitz = ARGAND_TOEPLITZ_OFF,
                              .compress = 1};
    single_against_double("brain 3d, weights", scan, &o);
    o.density = ARGAND_DENSITY_NONE;
    o.toeplitz = ARGAND_TOEPLITZ_ON;
    single_against_double("brain 3d, Toeplitz", scan, &o);
    argand_scan_destroy(scan);
}

/* The poorly shimmed phantom with its field map, by segments; two virtual coils. */
static void b0_phantom(void **state)
{
    (void)state;
    argand_scan *scan = read_scan("spiral_b0_phantom/spiral_b0_phantom.h5");
    DATA_OR_SKIP("spiral_b0_phantom/spiral_b0_phantom_ref_coilmaps_filled.npy", maps_path);
    argand_array *maps;
    OK(argand_array_read(&maps, maps_path, device));
    argand_sense_options o = {.transform = ARGAND_TRANSFORM_SEGMENTED,
                              .field_map_name = "FieldMapFilled",
                              .coil_maps = maps,
                              .density = ARGAND_DENSITY_NONE,
                              .toeplitz = ARGAND_TOEPLITZ_OFF,
                              .segment_tolerance = 1e-3,
                              .compress = 2};
    single_against_double("poorly shimmed phantom", scan, &o);
    o.density = ARGAND_DENSITY_FILE;
    if (!is_brief()) single_against_double("poorly shimmed phantom, weights", scan, &o);
    argand_array_destroy(maps);
    argand_scan_destroy(scan);
}

/* Maps of one estimate for both precisions: {nx, ny, nz, coils}. */
static argand_array *estimate_maps(const argand_scan *scan, argand_sense_options options)
{
    argand_sense *session;
    argand_array *maps;
    OK(argand_sense_create(&session, device, scan, &options));
    OK(argand_sense_coil_maps(session, 0, &maps));
    argand_sense_destroy(session);
    return maps;
}

static void shimmed_phantom(void **state)
{
    (void)state;
    if (is_brief()) skip();
    argand_scan *scan = read_scan("spiral_b0_phantom/spiral_shimmed_phantom.h5");
    if (!scan) skip();
    argand_sense_options o = {.transform = ARGAND_TRANSFORM_NUFFT, .density = ARGAND_DENSITY_NONE};
    argand_array *maps = estimate_maps(scan, o);
    o.coil_maps = maps;
    o.compress = 4;
    o.toeplitz = ARGAND_TOEPLITZ_OFF;
    single_against_double("well shimmed phantom", scan, &o);
    o.toeplitz = ARGAND_TOEPLITZ_ON;
    single_against_double("well shimmed phantom, Toeplitz", scan, &o);
    o.density = ARGAND_DENSITY_FILE;
    o.precondition = true;
    single_against_double("well shimmed phantom, Toeplitz, weights, preconditioner", scan, &o);
    argand_array_destroy(maps);
    argand_scan_destroy(scan);
}

static void cartesian_phantom(void **state)
{
    (void)state;
    if (is_brief()) skip();
    argand_scan *scan = read_scan("phantom_cartesian/phantom_cartesian.h5");
    if (!scan) skip();
    const argand_sense_options o = {
        .transform = ARGAND_TRANSFORM_NUFFT, .coil_maps_name = "csm", .toeplitz = ARGAND_TOEPLITZ_OFF};
    single_against_double("Cartesian phantom", scan, &o);
    argand_scan_destroy(scan);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(brain_2d), cmocka_unit_test(brain_3d),
                                          cmocka_unit_test(b0_phantom), cmocka_unit_test(shimmed_phantom),
                                          cmocka_unit_test(cartesian_phantom)};
RUN_TESTS(tests)
