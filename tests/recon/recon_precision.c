/* SPDX-License-Identifier: BSD-3-Clause */
/* Single precision on the device against double on the cpu, for the real scans, with and without density
 * weights: residual within 1e-4 and image within 1e-3 at each of 50 iterations. Without what keeps gradients
 * orthogonal the residual leaves that from about the 9th iteration on, differently on every device. In double
 * that is not the same computation with fewer roundings alone: where plain recurrences in double still have
 * their orthogonality (recon_brain_2d.c, recon_b0_phantom.c) it is held against independent programs. */
#include "real.h"

enum { ITERATIONS = 50 };

typedef struct path_of_solver {
    double residual[ITERATIONS + 1];
    double *image[ITERATIONS + 1];
    const argand_array *x; /* what the solver is at work on */
    int last;
} path_of_solver;

static bool keep_step(void *context, const argand_progress *p)
{
    path_of_solver *path = context;
    path->residual[p->iteration] = p->residual;
    path->image[p->iteration] = as_doubles(path->x);
    path->last = p->iteration;
    return true;
}

static void free_path(path_of_solver *path)
{
    for (int i = 0; i <= path->last; i++) free(path->image[i]);
}

typedef struct worst {
    double residual, image;
} worst;

static worst compare(const char *name, const path_of_solver *got, const path_of_solver *wanted,
                     size_t numbers)
{
    worst w = {0, 0};
    assert_int_equal(got->last, wanted->last);
    for (int i = 1; i <= got->last; i++) {
        w.residual = fmax(w.residual, fabs(got->residual[i] - wanted->residual[i]));
        w.image = fmax(w.image, relative_error(got->image[i], wanted->image[i], numbers));
    }
    printf("%s: %d iterations, residual to %.1e, image to %.1e\n", name, got->last, w.residual, w.image);
    return w;
}

/* One volume by the given options; `on` may be another device than the test's. */
static size_t run_path(argand_device *on, const argand_scan *scan, argand_sense_options options,
                       argand_type type, path_of_solver *path)
{
    argand_sense *session;
    argand_array *image;
    int64_t n[3];
    options.type = type;
    options.iterations = ITERATIONS;
    OK(argand_sense_create(&session, on, scan, &options));
    argand_sense_grid(session, n);
    OK(argand_array_create(&image, on, type, 3, n));
    path->x = image;
    OK(argand_sense_run(session, 0, image, keep_step, path));
    argand_array_destroy(image);
    argand_sense_destroy(session);
    return (size_t)(2 * n[0] * n[1] * n[2]);
}

static void single_against_double(const char *name, const argand_scan *scan,
                                  const argand_sense_options *options)
{
    argand_device *host;
    path_of_solver single = {.last = 0}, wanted = {.last = 0};
    OK(argand_device_open(&host, "cpu"));
    run_path(host, scan, *options, ARGAND_C64, &wanted);
    const size_t numbers = run_path(device, scan, *options, ARGAND_C32, &single);
    const worst w = compare(name, &single, &wanted, numbers);
    CHECK_BELOW(w.residual, 1e-4);
    CHECK_BELOW(w.image, 1e-3);
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
    argand_scan *scan = read_scan("brain_spiral_2d/brain_spiral_2d.h5");
    if (!scan) skip();
    argand_sense_options o = {.transform = ARGAND_TRANSFORM_DFT, .field_map_name = ""};
    single_against_double("brain 2d, dft", scan, &o);
    o.density = ARGAND_DENSITY_PIPE;
    single_against_double("brain 2d, dft, weights", scan, &o);
    o = (argand_sense_options){.transform = ARGAND_TRANSFORM_DFT_GRADIENTS,
                               .field_map_name = "FieldMapDerived"};
    single_against_double("brain 2d, field and gradients", scan, &o);
    argand_scan_destroy(scan);
}

static void brain_3d(void **state)
{
    (void)state;
    argand_scan *scan = read_scan("brain_stack_of_spirals_3d/brain_stack_of_spirals_3d.h5");
    if (!scan) skip();
    argand_sense_options o = {
        .transform = ARGAND_TRANSFORM_NUFFT, .field_map_name = "", .toeplitz = ARGAND_TOEPLITZ_OFF};
    single_against_double("brain 3d", scan, &o);
    o.density = ARGAND_DENSITY_PIPE;
    single_against_double("brain 3d, weights", scan, &o);
    argand_scan_destroy(scan);
}

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
                              .toeplitz = ARGAND_TOEPLITZ_OFF,
                              .segment_tolerance = 1e-4,
                              .compress = 4};
    single_against_double("poorly shimmed phantom", scan, &o);
    o.density = ARGAND_DENSITY_FILE;
    single_against_double("poorly shimmed phantom, weights", scan, &o);
    argand_array_destroy(maps);
    argand_scan_destroy(scan);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(brain_2d), cmocka_unit_test(brain_3d),
                                          cmocka_unit_test(b0_phantom)};
RUN_TESTS(tests)
