/* SPDX-License-Identifier: BSD-3-Clause */
/* SPIRiT: NumPy's dense solution of a small problem; the operator's adjoint, also of volumes; refusals. */
#include "harness.h"
#include "spirit_truth.h"

static bool is_acquired(int64_t y)
{
    return y % 2 == 0 || y == 3;
}

/* k-space lines from `first` on, {N, lines, COILS}; unacquired ones are 0 if `sampled`. */
static argand_array *lines_of(int64_t first, int64_t lines, bool sampled)
{
    argand_array *array;
    double *values = calloc((size_t)(2 * N * lines * COILS), sizeof *values);
    for (int64_t i = 0; i < N * lines * COILS; i++) {
        const int64_t y = i / N % lines + first, from = (i / (N * lines) * N + y) * N + i % N;
        if (!sampled || is_acquired(y)) memcpy(values + 2 * i, whole + 2 * from, 2 * sizeof *values);
    }
    OK(argand_array_create(&array, device, ARGAND_C64, 3, (const int64_t[]){N, lines, COILS}));
    OK(argand_array_upload(array, values));
    free(values);
    return array;
}

/* The transform from coil images to acquired samples: D F. */
static argand_op *sampled_transform(void)
{
    argand_op *fft, *mask, *both;
    argand_array *d;
    const argand_fft_options options = {
        .type = ARGAND_C64, .rank = 2, .n = {N, N}, .batch = COILS, .centred = true};
    double values[2 * N * N * COILS] = {0};
    for (int64_t i = 0; i < N * N * COILS; i++) values[2 * i] = is_acquired(i / N % N);
    OK(argand_array_create(&d, device, ARGAND_C64, 3, (const int64_t[]){N, N, COILS}));
    OK(argand_array_upload(d, values));
    OK(argand_op_fft(&fft, device, &options, ARGAND_FORWARD));
    OK(argand_op_diagonal(&mask, d));
    OK(argand_op_chain(&both, mask, fft));
    argand_op_destroy(mask);
    argand_op_destroy(fft);
    argand_array_destroy(d);
    return both;
}

static void like_numpy(void **state)
{
    (void)state;
    argand_op *consistency, *transform = sampled_transform();
    argand_array *calibration = lines_of(FIRST, LINES, false), *y = lines_of(0, N, true), *x, *k;
    argand_spirit_report report;
    const argand_shape *images = argand_op_domain(transform);
    const argand_spirit_options options = {.kernel = {WINDOW, WINDOW}};
    OK(argand_op_spirit(&consistency, device, images, calibration, &options, &report));
    assert_true(report.unknowns == WINDOW * WINDOW * COILS - 1 && report.equations == 24 &&
                report.bytes == 16. * N * N * COILS * COILS);
    OK(argand_array_create(&x, device, images->type, images->rank, images->dims));
    OK(argand_array_create(&k, device, images->type, images->rank, images->dims));
    /* F F^H = N^2 */
    const argand_penalty penalty = {consistency, N * N};
    OK(argand_solve_cg(x, transform, y,
                       &(argand_cg_options){.iterations = 200, .penalties = &penalty, .penalty_count = 1}));
    argand_fft *fft;
    OK(argand_fft_create(
        &fft, device,
        &(argand_fft_options){.type = ARGAND_C64, .rank = 2, .n = {N, N}, .batch = COILS, .centred = true}));
    OK(argand_fft_apply(fft, k, x, ARGAND_FORWARD));
    double *got = as_doubles(k);
    CHECK_BELOW(relative_error(got, solved, (size_t)(2 * N * N * COILS)), 1e-7);
    free(got);
    argand_fft_destroy(fft);
    argand_array_destroy(k);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(calibration);
    argand_op_destroy(consistency);
    argand_op_destroy(transform);
}

static void adjoints(void **state)
{
    (void)state;
    const argand_shape shapes[2] = {{ARGAND_C32, 3, {15, 10, 4}}, {ARGAND_C64, 4, {6, 7, 5, 3}}};
    for (int i = 0; i < 2; i++) {
        argand_op *op;
        argand_array *calibration;
        double error;
        const int rank = shapes[i].rank;
        const int64_t coils = shapes[i].dims[rank - 1];
        OK(argand_array_create(&calibration, device, ARGAND_C32, 4,
                               (const int64_t[]){9, 8, i ? 5 : 1, coils}));
        OK(argand_array_fill(calibration, (argand_scalar){0, 0}));
        OK(argand_noise_add(calibration, 1, 7));
        OK(argand_op_spirit(&op, device, &shapes[i], calibration, NULL, NULL));
        OK(argand_op_check(op, 3, 1, &error));
        CHECK_BELOW(error, i ? 1e-12 : 1e-5);
        argand_op_destroy(op);
        argand_array_destroy(calibration);
    }
}

static void refused(void **state)
{
    (void)state;
    argand_op *op;
    argand_array *calibration = lines_of(FIRST, LINES, false), *few = lines_of(FIRST, 4, false);
    argand_shape images = {ARGAND_C32, 3, {N, N, COILS}};
    FAILS(argand_op_spirit(&op, device, &images, few, NULL, NULL), ARGAND_ARGUMENT,
          "8 x 4 x 1 samples is too small: along axis 1 it needs at least 5");
    FAILS(
        argand_op_spirit(&op, device, &images, calibration, &(argand_spirit_options){.kernel = {3, 4}}, NULL),
        ARGAND_ARGUMENT, "odd number");
    FAILS(
        argand_op_spirit(&op, device, &images, calibration, &(argand_spirit_options){.kernel = {3, 7}}, NULL),
        ARGAND_ARGUMENT, "at least 7");
    images.dims[2] = 2;
    FAILS(argand_op_spirit(&op, device, &images, calibration, NULL, NULL), ARGAND_ARGUMENT,
          "3 coils, the images 2");
    images.dims[2] = COILS;
    images.dims[0] = images.dims[1] = 1 << 14;
    FAILS(argand_op_spirit(&op, device, &images, calibration, NULL, NULL), ARGAND_UNSUPPORTED,
          "compress the channels to 2");
    argand_array_destroy(few);
    argand_array_destroy(calibration);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(like_numpy), cmocka_unit_test(adjoints),
                                          cmocka_unit_test(refused)};
RUN_TESTS(tests)
