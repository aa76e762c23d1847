/* SPDX-License-Identifier: BSD-3-Clause */
/* Repetitions solved together: each by itself as without, by a temporal basis from data that no repetition
 * could be found from alone; the weighted adjoint of a complete grid; refusals. Scans are made by the plain
 * double sum. */
#include "owned_scan.h"

enum { NX = 12, NY = 8, COILS = 2, PIXELS = NX * NY, REPETITIONS = 6, IMAGES = 2 };

static double complex basis_at(int r, int k)
{
    return k ? cexp(I * 0.9 * r) : 1 - 0.1 * r;
}

static double complex component(int k, int n)
{
    const int x = n % NX, y = n / NX;
    return k ? (x > 3 && x < 9 && y > 1) * (1 + 0.5 * I * y) : (1 + x) * cexp(I * 0.2 * y);
}

static double complex truth_at(int r, int n)
{
    return basis_at(r, 0) * component(0, n) + basis_at(r, 1) * component(1, n);
}

static double complex coil_at(int coil, int n)
{
    const double x = (n % NX - 5.5) / NX, y = ((double)n / NX - 3.5) / NY;
    return coil ? 0.5 + 0.6 * x - 0.3 * I * y : 1 - 0.4 * y + 0.2 * I * x;
}

/* exp(-2 pi i k . r) of sample i and pixel n */
static double complex wave_at(const readout *r, int i, int n)
{
    return cexp(-2 * PI * I *
                ((double)r->k[0][i] * (n % NX - NX / 2) / NX + (double)r->k[1][i] * (n / NX - NY / 2) / NY));
}

static void add_line(made_scan *m, int repetition, int line)
{
    const argand_counters counters = {.shot = (uint16_t)line, .repetition = (uint16_t)repetition};
    const readout r = add_readout(m, counters, NX, COILS);
    for (int i = 0; i < NX; i++) {
        r.k[0][i] = (float)(i - NX / 2);
        r.k[1][i] = (float)(line - NY / 2);
        for (int c = 0; c < COILS; c++) {
            double complex sum = 0;
            for (int n = 0; n < PIXELS; n++)
                sum += truth_at(repetition, n) * coil_at(c, n) * wave_at(&r, i, n);
            put_complex(r.data, i + NX * c, sum);
        }
    }
}

/* Every `step`-th line, from another one on in each repetition. */
static made_scan *new_scan(int step)
{
    made_scan *m = empty_scan(NX, NY, COILS, 1);
    for (int r = 0; r < REPETITIONS; r++)
        for (int line = r % step; line < NY; line += step) add_line(m, r, line);
    double complex maps[PIXELS * COILS];
    for (int i = 0; i < PIXELS * COILS; i++) maps[i] = coil_at(i / PIXELS, i % PIXELS);
    add_complex_array(m, (argand_scan_array){.name = "SENSEMap", .rank = 4, .dims = {NX, NY, 1, COILS}},
                      maps);
    return m;
}

/* "v" as the ancestor's files have it: complex double, with more columns than are used. */
static void add_basis(made_scan *m, int columns)
{
    double *v = own(m, sizeof *v * 2 * (size_t)(REPETITIONS * columns));
    for (int i = 0; i < REPETITIONS * columns; i++) {
        const double complex value =
            i / REPETITIONS < 2 ? basis_at(i % REPETITIONS, i / REPETITIONS) : sin(7. * i);
        v[2 * i] = creal(value);
        v[2 * i + 1] = cimag(value);
    }
    m->arrays[m->scan.array_count++] = (argand_scan_array){
        .name = "v", .type = ARGAND_C64, .rank = 2, .dims = {REPETITIONS, columns}, .data = v};
}

/* The largest error over the repetitions (few: over two of them). */
static double worst_error(const made_scan *m, const argand_sense_options *o)
{
    argand_sense *session;
    argand_array *image;
    double worst = 0;
    OK(create_session(&session, &m->scan, o));
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    for (int i = 0; i < (few() ? 2 : REPETITIONS); i++) {
        const int r = (i + 2) % REPETITIONS; /* any order */
        double complex expected[PIXELS];
        OK(argand_sense_run(session, r, image, NULL, NULL));
        for (int n = 0; n < PIXELS; n++) expected[n] = truth_at(r, n);
        double *got = as_doubles(image);
        worst = fmax(worst, relative_error(got, (double *)expected, 2 * PIXELS));
        free(got);
    }
    argand_array_destroy(image);
    argand_sense_destroy(session);
    return worst;
}

static const argand_sense_options exact = {.type = ARGAND_C64, .iterations = 60, .nufft_tolerance = 1e-11};

static void together_as_each_by_itself(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    argand_sense_options o = exact;
    o.joint = true;
    CHECK_BELOW(worst_error(m, &o), 3e-6);
    o.density = ARGAND_DENSITY_PIPE;
    CHECK_BELOW(worst_error(m, &o), 3e-6);
    free_scan(m);
}

/* A quarter of the lines: two coils cannot unfold that, two images for six repetitions can be found. */
static void a_basis_unfolds_what_coils_cannot(void **state)
{
    (void)state;
    made_scan *m = new_scan(4);
    assert_true(worst_error(m, &exact) > 0.1);
    argand_sense_options o = exact;
    add_basis(m, REPETITIONS);
    o.basis_name = "v";
    o.rank = IMAGES;
    o.iterations = 150;
    o.transform = ARGAND_TRANSFORM_DFT;
    CHECK_BELOW(worst_error(m, &o), 2e-4); /* still converging: the columns are nearly parallel */
    free_scan(m);
}

/* The same by convolutions. */
static void by_convolutions(void **state)
{
    (void)state;
    made_scan *m = new_scan(2);
    argand_sense_options o = exact;
    add_basis(m, IMAGES);
    o.basis_name = "v";
    o.iterations = 100;
    CHECK_BELOW(worst_error(m, &o), 1e-5);
    o.toeplitz = ARGAND_TOEPLITZ_ON;
    CHECK_BELOW(worst_error(m, &o), 1e-5);
    free_scan(m);
}

/* Locally low rank, which the joint problem comes along with: a third of the lines folds too much for two
 * coils; that few images span each block helps. A single repetition has no rank to be low. */
static void low_rank(void **state)
{
    (void)state;
    made_scan *m = new_scan(3);
    argand_regularizer list[ARGAND_MAX_REGULARIZERS];
    argand_sense_options o = exact;
    argand_sense *s;
    const double alone = worst_error(m, &o);
    OK(argand_regularizers_parse("llr:0.01:4:fixed", list, &o.regularizer_count));
    o.regularizers = list;
    CHECK_BELOW(worst_error(m, &o), 0.75 * alone);
    m->scan.acquisition_count = 3;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT,
          "a low-rank regularizer needs several repetitions");
    free_scan(m);
}

/* Without weights but the uniform ones of a complete grid the adjoint is the image times sum |S|^2. */
static void the_adjoint_alone(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    const argand_method methods[2] = {ARGAND_METHOD_ADJOINT, ARGAND_METHOD_ADJOINT_RSS};
    for (int i = 0; i < 2; i++) {
        argand_sense *session;
        argand_array *image;
        argand_sense_options o = exact;
        double expected[2 * PIXELS];
        o.method = methods[i];
        OK(create_session(&session, &m->scan, &o));
        OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
        OK(argand_sense_run(session, 0, image, NULL, NULL));
        for (int n = 0; n < PIXELS; n++) {
            double square = 0;
            for (int c = 0; c < COILS; c++) square += pow(cabs(coil_at(c, n)), 2);
            const double complex value = i ? cabs(truth_at(0, n)) * sqrt(square) : truth_at(0, n) * square;
            expected[2 * n] = creal(value);
            expected[2 * n + 1] = cimag(value);
        }
        double *got = as_doubles(image);
        CHECK_BELOW(relative_error(got, expected, 2 * PIXELS), 2e-3); /* how even Pipe's weights are */
        free(got);
        argand_array_destroy(image);
        argand_sense_destroy(session);
    }
    free_scan(m);
}

/* The image of repetition 1 after so many iterations by total variation, with one CG step in each. */
static double *by_total_variation(const made_scan *m, const argand_sense_options *of, int iterations)
{
    argand_sense *session;
    argand_array *image;
    const argand_regularizer tv = {.kind = ARGAND_TV, .weight = 0.01};
    argand_sense_options o = *of;
    o.regularizers = &tv;
    o.regularizer_count = 1;
    o.iterations = iterations;
    o.inner = 1;
    OK(argand_sense_create(&session, device, &m->scan, &o));
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    OK(argand_sense_run(session, 1, image, NULL, NULL));
    double *values = as_doubles(image);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    return values;
}

/* A line that is measured often makes the problem steep: one step of an image update gets far only with the
 * spectra of all repetitions. Without 0.3, with their mean 0.8: they measure different lines. */
static void image_updates_are_preconditioned(void **state)
{
    (void)state;
    made_scan *m = new_scan(2);
    for (int r = 0; r < REPETITIONS; r++)
        for (int i = 0; i < 6; i++) add_line(m, r, NY / 2 + r % 2);
    argand_sense_options o = exact;
    o.density = ARGAND_DENSITY_NONE;
    o.joint = true;
    for (int spanned = 0; spanned < 2; spanned++) {
        double *early = by_total_variation(m, &o, 15), *late = by_total_variation(m, &o, 150);
        const double error = relative_error(early, late, 2 * PIXELS);
        printf("%s: after 15 iterations %.1e from the solution\n", spanned ? "basis" : "joint", error);
        CHECK_BELOW(error, 0.1);
        free(early);
        free(late);
        add_basis(m, IMAGES);
        o.basis_name = "v";
    }
    free_scan(m);
}

static void refusals(void **state)
{
    (void)state;
    made_scan *m = new_scan(1);
    argand_sense *s;
    argand_array *image;
    argand_sense_options o = exact;
    add_basis(m, REPETITIONS);
    o.basis_name = "v";
    o.rank = REPETITIONS + 1;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "rank 7");
    o.rank = -1;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "rank -1");
    o.rank = 0;
    m->arrays[1].dims[0] = 3;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT,
          "is 3x6; it must have a row for each");
    m->arrays[1].dims[1] = 2;
    OK(argand_sense_create(&s, device, &m->scan, &o));
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    FAILS(argand_sense_run(s, 0, image, NULL, NULL), ARGAND_ARGUMENT,
          "3 rows, but slice 0 has 6 repetitions");
    argand_array_destroy(image);
    argand_sense_destroy(s);
    ((double *)(uintptr_t)m->arrays[1].data)[4] = INFINITY;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "not finite");
    o.method = ARGAND_METHOD_ADJOINT;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "not the weighted adjoint alone");
    o = exact;
    o.method = (argand_method)9;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "method 9");
    free_scan(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(together_as_each_by_itself),
    cmocka_unit_test(a_basis_unfolds_what_coils_cannot),
    cmocka_unit_test(by_convolutions),
    cmocka_unit_test(low_rank),
    cmocka_unit_test(the_adjoint_alone),
    cmocka_unit_test(image_updates_are_preconditioned),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
