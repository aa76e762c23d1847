/* SPDX-License-Identifier: BSD-3-Clause */
/* The same scan by every member of the family: spirals of 20 ms, field within +-150 Hz, the analytic phantom
 * on a grid twice as fine, so that data and model do not agree too well. Exact DFT, segments and Toeplitz
 * convolutions give the same image to the tolerance that is asked for; each is as near to the truth as the
 * exact one; without the field map nothing is. Then shots with phases of their own, and penalties. */
#include "harness.h"

enum { N = 40, COILS = 3, MOST_SHOTS = 32 };
#define PI 3.14159265358979323846

typedef struct made_scan {
    argand_scan scan;
    argand_encoding encoding;
    argand_acquisition shots[MOST_SHOTS];
    argand_scan_array arrays[4];
    float *data, *k[3], *t, *maps, *field, *phases, *truth;
} made_scan;

static argand_array *new_array(argand_type type, int rank, const int64_t *dims)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    return array;
}

static float *floats_of(const argand_array *array)
{
    const argand_type type = argand_array_type(array);
    float *numbers = malloc((size_t)argand_array_count(array) * (type == ARGAND_C32 ? 8 : 4));
    assert_non_null(numbers);
    OK(argand_array_download(array, numbers));
    return numbers;
}

/* A head on a grid of n pixels a side. */
typedef struct head {
    argand_array *image, *field, *maps;
} head;

static head head_of(int64_t n)
{
    head h = {new_array(ARGAND_R32, 2, (int64_t[]){n, n}), new_array(ARGAND_R32, 2, (int64_t[]){n, n}),
              new_array(ARGAND_C32, 3, (int64_t[]){n, n, COILS})};
    OK(argand_phantom_image(h.image, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_fieldmap_head(h.field, 2 * PI * 150));
    OK(argand_coils_birdcage(h.maps));
    return h;
}

static void head_free(head *h)
{
    argand_array_destroy(h->image);
    argand_array_destroy(h->field);
    argand_array_destroy(h->maps);
}

/* A smooth phase of several rad, another one for each shot, in the middle of 0. */
static double phase_at(int64_t shot, double x, double y)
{
    return sin(3. * (double)shot) + 2 * cos(5. * (double)shot) * x + 1.5 * sin(2. * (double)shot + 0.3) * y;
}

static void phase_map(float *phase, int64_t shot, int64_t n)
{
    for (int64_t i = 0; i < n * n; i++)
        phase[i] = (float)phase_at(shot, 2 * (double)(i % n - n / 2) / (double)n,
                                   2 * (double)(i / n - n / 2) / (double)n);
}

/* The fine image times exp(i P). */
static argand_array *modulated(const argand_array *image, int64_t shot)
{
    const int64_t n = argand_array_dim(image, 0);
    float *phase = malloc(sizeof *phase * (size_t)(n * n)),
          *numbers = malloc(2 * sizeof *numbers * (size_t)(n * n)), *values = floats_of(image);
    argand_array *out = new_array(ARGAND_C32, 2, (int64_t[]){n, n});
    phase_map(phase, shot, n);
    for (int64_t i = 0; i < n * n; i++) {
        numbers[2 * i] = values[i] * cosf(phase[i]);
        numbers[2 * i + 1] = values[i] * sinf(phase[i]);
    }
    OK(argand_array_upload(out, numbers));
    free(phase), free(numbers), free(values);
    return out;
}

static argand_array *column(const argand_array *array, int64_t shot)
{
    const int64_t samples = argand_array_dim(array, 0), stride = 1;
    argand_array *view;
    OK(argand_array_view(&view, array, 1, &samples, &stride, shot * samples));
    return view;
}

static void simulate_shot(made_scan *m, const head *fine, argand_array *const k[3], const argand_array *t,
                          int64_t shot, bool with_phases)
{
    const int64_t samples = argand_array_dim(t, 0);
    argand_array *own_k[2] = {column(k[0], shot), column(k[1], shot)}, *own_t = column(t, shot),
                 *image = with_phases ? modulated(fine->image, shot) : NULL,
                 *y = new_array(ARGAND_C32, 2, (int64_t[]){samples, COILS});
    OK(argand_simulate(y, &(argand_simulation){.image = image ? image : fine->image,
                                               .coil_maps = fine->maps,
                                               .field_map = fine->field,
                                               .k = {own_k[0], own_k[1]},
                                               .t = own_t,
                                               .n = {N, N}}));
    float *data = m->data + 2 * samples * COILS * shot;
    OK(argand_array_download(y, data));
    m->shots[shot] = (argand_acquisition){.counters = {.shot = (uint16_t)shot},
                                          .samples = samples,
                                          .channels = COILS,
                                          .data = data,
                                          .k = {m->k[0] + samples * shot, m->k[1] + samples * shot, m->k[2]},
                                          .t = m->t + samples * shot};
    argand_array_destroy(own_k[0]);
    argand_array_destroy(own_k[1]);
    argand_array_destroy(own_t);
    argand_array_destroy(image);
    argand_array_destroy(y);
}

static void take_maps(made_scan *m, int64_t shots, bool with_phases)
{
    head coarse = head_of(N);
    m->truth = floats_of(coarse.image);
    m->field = floats_of(coarse.field);
    m->maps = floats_of(coarse.maps);
    m->phases = malloc(sizeof(float) * N * N * (size_t)shots);
    for (int64_t s = 0; s < shots; s++) phase_map(m->phases + N * N * s, s, N);
    m->arrays[0] = (argand_scan_array){"FieldMap", ARGAND_R32, 2, {N, N}, m->field};
    m->arrays[1] = (argand_scan_array){"SENSEMap", ARGAND_C32, 3, {N, N, COILS}, m->maps};
    m->arrays[2] = (argand_scan_array){"PhaseMaps", ARGAND_R32, 3, {N, N, shots}, m->phases};
    m->scan.array_count = with_phases ? 3 : 2;
    head_free(&coarse);
}

static made_scan *new_scan(bool with_phases)
{
    made_scan *m = calloc(1, sizeof *m);
    argand_array *k[3], *t;
    head fine = head_of(2 * N);
    assert_non_null(m);
    OK(argand_trajectory_make(k, &t, device, ARGAND_R32,
                              &(argand_trajectory_options){.kind = ARGAND_SPIRAL,
                                                           .n = {N, N},
                                                           .readout = 0.02,
                                                           .echo = 0.001,
                                                           .shots = with_phases ? 3 : 2}));
    const int64_t samples = argand_array_dim(t, 0), shots = argand_array_dim(t, 1);
    m->data = malloc(sizeof(float) * 2 * COILS * (size_t)(samples * shots));
    m->k[0] = floats_of(k[0]);
    m->k[1] = floats_of(k[1]);
    m->k[2] = calloc((size_t)samples, sizeof(float));
    m->t = floats_of(t);
    for (int64_t s = 0; s < shots; s++) simulate_shot(m, &fine, k, t, s, with_phases);
    take_maps(m, shots, with_phases);
    m->encoding = (argand_encoding){.matrix = {N, N, 1},
                                    .field_of_view = {240, 240, 5},
                                    .recon_matrix = {N, N, 1},
                                    .recon_field_of_view = {240, 240, 5},
                                    .trajectory = "spiral"};
    m->scan.encoding_count = 1;
    m->scan.encodings = &m->encoding;
    m->scan.acquisition_count = shots;
    m->scan.acquisitions = m->shots;
    m->scan.arrays = m->arrays;
    m->scan.channels = COILS;
    m->scan.header = m->scan.notes = "";
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(k[axis]);
    argand_array_destroy(t);
    head_free(&fine);
    return m;
}

static void free_scan(made_scan *m)
{
    for (int axis = 0; axis < 3; axis++) free(m->k[axis]);
    free(m->data), free(m->t), free(m->maps), free(m->field), free(m->phases), free(m->truth);
    free(m);
}

static double *image_with(const made_scan *m, argand_sense_options o, argand_sense_info *info)
{
    argand_sense *session;
    argand_array *image;
    OK(argand_sense_create(&session, device, &m->scan, &o));
    OK(argand_array_create(&image, device, o.type, 3, (int64_t[]){N, N, 1}));
    OK(argand_sense_run(session, 0, image, NULL, NULL));
    argand_sense_describe(session, info);
    double *numbers = as_doubles(image);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    return numbers;
}

/* |magnitude - truth| / |truth| */
static double nrmse(const made_scan *m, const double *image)
{
    double error = 0, norm = 0;
    for (int i = 0; i < N * N; i++) {
        const double truth = (double)m->truth[i], value = hypot(image[2 * i], image[2 * i + 1]);
        error += (value - truth) * (value - truth);
        norm += truth * truth;
    }
    return sqrt(error / norm);
}

static const double asked = 1e-3;

/* In double precision, as conjugate gradients lose digits of their own in single precision on a scan of two
 * spirals. */
static const argand_sense_options base = {.type = ARGAND_C64,
                                          .density = ARGAND_DENSITY_NONE,
                                          .iterations = 6,
                                          .nufft_tolerance = 1e-6,
                                          .segment_tolerance = 1e-3};

static void every_transform_gives_the_same_image(void **state)
{
    (void)state;
    made_scan *m = new_scan(false);
    argand_sense_info info;
    const struct {
        const char *name;
        argand_transform transform;
        argand_toeplitz_use toeplitz;
        bool frequency;
        argand_interpolator interpolator;
    } ways[] = {
        {"exact DFT", ARGAND_TRANSFORM_DFT, ARGAND_TOEPLITZ_OFF, false, 0},
        {"segments", ARGAND_TRANSFORM_SEGMENTED, ARGAND_TOEPLITZ_OFF, false, 0},
        {"frequency segments", ARGAND_TRANSFORM_SEGMENTED, ARGAND_TOEPLITZ_OFF, true, 0},
        {"SVD", ARGAND_TRANSFORM_SEGMENTED, ARGAND_TOEPLITZ_OFF, false, ARGAND_INTERPOLATE_SVD},
        {"Toeplitz", ARGAND_TRANSFORM_SEGMENTED, ARGAND_TOEPLITZ_ON, false, 0},
        {"Toeplitz, right-hand side by the exact DFT", ARGAND_TRANSFORM_DFT, ARGAND_TOEPLITZ_ON, false, 0}};
    double *exact = NULL, exact_error = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        argand_sense_options o = base;
        o.transform = ways[i].transform;
        o.toeplitz = ways[i].toeplitz;
        o.frequency_segments = ways[i].frequency;
        o.interpolator = ways[i].interpolator;
        double *image = image_with(m, o, &info);
        assert_int_equal(info.convolutions > 0, o.toeplitz == ARGAND_TOEPLITZ_ON);
        if (!exact) {
            exact = image;
            exact_error = nrmse(m, image);
            printf("%s: NRMSE %.4f\n", ways[i].name, exact_error);
            continue;
        }
        const double apart = relative_error(image, exact, 2 * N * N);
        printf("%s: NRMSE %.4f, %.1e from the exact DFT (%d segments, error %.1e, %d convolutions)\n",
               ways[i].name, nrmse(m, image), apart, info.segments, info.segment_error, info.convolutions);
        CHECK_BELOW(apart, asked);
        CHECK_BELOW(nrmse(m, image), 1.05 * exact_error);
        free(image);
    }
    argand_sense_options uncorrected = base;
    uncorrected.field_map_name = "";
    double *image = image_with(m, uncorrected, &info);
    printf("uncorrected: NRMSE %.4f\n", nrmse(m, image));
    assert_true(nrmse(m, image) > 2 * exact_error);
    free(image);
    free(exact);
    free_scan(m);
}

/* Shots with phases: near the phase-free image in error, far from it without the maps; by convolutions too.
 */
static void shots_with_phases(void **state)
{
    (void)state;
    made_scan *m = new_scan(true), *plain = new_scan(true);
    argand_sense_info info;
    argand_sense_options o = base, none = base;
    for (int64_t s = 0; s < plain->scan.acquisition_count; s++)
        assert_int_equal(plain->shots[s].counters.shot, s);
    o.phases = ARGAND_PHASES_MAPS;
    o.transform = ARGAND_TRANSFORM_SEGMENTED;
    o.toeplitz = ARGAND_TOEPLITZ_OFF;
    double *image = image_with(m, o, &info);
    assert_int_equal(info.shots, 3);
    o.toeplitz = ARGAND_TOEPLITZ_ON;
    double *fast = image_with(m, o, &info);
    assert_true(info.convolutions >= 3);
    double *without = image_with(m, none, &info);
    printf(
        "three shots with phases: NRMSE %.4f, by convolutions %.4f (%.1e apart); without their maps %.4f\n",
        nrmse(m, image), nrmse(m, fast), relative_error(fast, image, 2 * N * N), nrmse(m, without));
    CHECK_BELOW(relative_error(fast, image, 2 * N * N), asked);
    assert_true(nrmse(m, without) > 2 * nrmse(m, image));
    free(image), free(fast), free(without);
    free_scan(plain);
    free_scan(m);
}

/* Through the session each list reaches the solver that it names, lowers what it penalises, and works with
 * convolutions. */
static void penalties(void **state)
{
    (void)state;
    made_scan *m = new_scan(false);
    argand_sense_info info;
    const struct {
        const char *text, *solver;
    } lists[] = {{"0.01", "cg"},
                 {"tikhonov:0.01,quadratic:0.003", "cg"},
                 {"hyperbola:0.05", "half-quadratic"},
                 {"wavelet:0.005:fixed", "pogm"},
                 {"tv:0.005", "admm"},
                 {"tv:0.003,wavelet:0.003:fixed", "admm"}};
    argand_sense_options o = base;
    o.transform = ARGAND_TRANSFORM_SEGMENTED;
    o.segment_tolerance =
        asked / 10; /* solvers that iterate within iterations are nearer to the solution, and so magnify */
    double *plain = image_with(m, o, &info);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        argand_regularizer list[ARGAND_MAX_REGULARIZERS];
        double *images[2];
        OK(argand_regularizers_parse(lists[i].text, list, &o.regularizer_count));
        o.regularizers = list;
        for (int fast = 0; fast < 2; fast++) {
            o.toeplitz = fast ? ARGAND_TOEPLITZ_ON : ARGAND_TOEPLITZ_OFF;
            images[fast] = image_with(m, o, &info);
            assert_string_equal(info.solver, lists[i].solver);
        }
        printf("%s: NRMSE %.4f, %.1e apart by convolutions, %.1e from no penalty\n", lists[i].text,
               nrmse(m, images[0]), relative_error(images[1], images[0], 2 * N * N),
               relative_error(images[0], plain, 2 * N * N));
        assert_true(relative_error(images[0], plain, 2 * N * N) > 1e-3);
        CHECK_BELOW(relative_error(images[1], images[0], 2 * N * N), asked);
        free(images[0]), free(images[1]);
    }
    free(plain);
    free_scan(m);
}

/* The circulant preconditioner gets as far in fewer iterations, and keeps to the mask. */
static void preconditioned(void **state)
{
    (void)state;
    made_scan *m = new_scan(false);
    argand_sense_info info;
    argand_sense_options o = base;
    float mask[N * N];
    argand_array *map;
    for (int i = 0; i < N * N; i++) mask[i] = m->truth[i] > 0 || i % N == N / 2;
    OK(argand_array_create(&map, device, ARGAND_R32, 2, (int64_t[]){N, N}));
    OK(argand_array_upload(map, mask));
    o.transform = ARGAND_TRANSFORM_SEGMENTED;
    o.mask = map;
    o.iterations = 60;
    o.toeplitz = ARGAND_TOEPLITZ_ON;
    double *converged = image_with(m, o, &info), apart[2];
    o.iterations = 6;
    for (int with = 0; with < 2; with++) {
        o.precondition = with;
        double *image = image_with(m, o, &info);
        apart[with] = relative_error(image, converged, 2 * N * N);
        for (int i = 0; i < N * N; i++)
            if (mask[i] == 0) assert_true(image[2 * i] == 0 && image[2 * i + 1] == 0);
        free(image);
    }
    printf("after six iterations %.3f from the solution, preconditioned %.3f\n", apart[0], apart[1]);
    assert_true(apart[1] < apart[0]);
    free(converged);
    argand_array_destroy(map);
    free_scan(m);
}

static void refusals(void **state)
{
    (void)state;
    made_scan *m = new_scan(false);
    argand_sense *s;
    argand_sense_options o = base;
    o.transform = ARGAND_TRANSFORM_DFT_GRADIENTS;
    o.toeplitz = ARGAND_TOEPLITZ_ON;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_UNSUPPORTED,
          "with gradients within voxels the normal operator is not a convolution");
    o.transform = ARGAND_TRANSFORM_SEGMENTED;
    o.segments = 3;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_UNSUPPORTED, "a fixed number of segments");
    o = base;
    o.toeplitz = (argand_toeplitz_use)3;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "toeplitz 3");
    o = base;
    o.precondition = true;
    o.toeplitz = ARGAND_TOEPLITZ_OFF;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "needs Toeplitz kernels");
    o = base;
    o.regularizer_count = 1;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "list of regularizers is NULL");
    o.regularizers = &(argand_regularizer){.kind = ARGAND_TV, .weight = 0.1};
    o.partial_fourier = 0.3;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_UNSUPPORTED,
          "quadratic penalties only, not tv");
    o = base;
    o.segments = -1;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "-1 segments");
    o = base;
    o.segment_tolerance = -1;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "segment tolerance -1");
    o = base;
    o.interpolator = (argand_interpolator)11;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "interpolator 11");
    free_scan(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_transform_gives_the_same_image),
    cmocka_unit_test(shots_with_phases),
    cmocka_unit_test(penalties),
    cmocka_unit_test(preconditioned),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
