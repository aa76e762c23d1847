/* SPDX-License-Identifier: BSD-3-Clause */
/* Channels whitened and compressed: six channels that are mixtures of three coils give the true image through
 * three virtual coils, with given maps that are mixed along; noise that is not white becomes it. A scan by
 * the plain double sum. */
#include "few.h"

enum { NX = 10, NY = 9, COILS = 3, CHANNELS = 6, PIXELS = NX * NY, NOISE = 4000 };
#define PI 3.14159265358979323846

typedef struct made_scan {
    argand_scan scan;
    argand_encoding encoding;
    argand_acquisition lines[NY], noise;
    argand_scan_array maps;
    float data[NY][2 * NX * CHANNELS], k[3][NY][NX], t[NX], map[2 * PIXELS * CHANNELS],
        noise_data[2 * NOISE * CHANNELS];
} made_scan;

static double complex truth_at(int n)
{
    return (1 + n % NX) * cexp(I * 0.3 * (n / NX)) + 2 * (n == 34);
}

static double complex coil_at(int coil, int n)
{
    const double x = (n % NX - 4.5) / NX, y = ((double)n / NX - 4) / NY;
    return coil == 0   ? 1 - 0.4 * y + 0.2 * I * x
           : coil == 1 ? 0.5 + 0.6 * x - 0.3 * I * y
                       : 0.7 * I + y - 0.5 * x;
}

static double complex channel_at(int channel, int n)
{
    double complex sum = 0;
    for (int c = 0; c < COILS; c++)
        sum += cexp(I * (1.3 * channel * c + c)) * (1 + 0.4 * channel) * coil_at(c, n);
    return sum;
}

/* Noise of channel c is g_c + 0.8 g_(c-1), times c + 1: correlated, of different strength. */
static void make_noise(made_scan *m)
{
    random_state random = {5};
    double last[2] = {0};
    for (int i = 0; i < NOISE; i++)
        for (int c = 0; c < CHANNELS; c++)
            for (int part = 0; part < 2; part++) {
                const double g = random_normal(&random);
                m->noise_data[2 * (i + NOISE * c) + part] =
                    (float)((c + 1) * (g + (c ? 0.8 * last[part] : 0)));
                last[part] = g;
            }
    m->noise = (argand_acquisition){.flags = ARGAND_FLAG_NOISE,
                                    .samples = NOISE,
                                    .channels = CHANNELS,
                                    .sample_time = 1e-5,
                                    .data = m->noise_data,
                                    .t = m->t};
}

static void make_line(made_scan *m, int line)
{
    for (int i = 0; i < NX; i++) {
        m->k[0][line][i] = (float)(i - NX / 2);
        m->k[1][line][i] = (float)(line - NY / 2);
        for (int c = 0; c < CHANNELS; c++) {
            double complex sum = 0;
            for (int n = 0; n < PIXELS; n++)
                sum += truth_at(n) * channel_at(c, n) *
                       cexp(-2 * PI * I *
                            ((double)(i - NX / 2) * (n % NX - NX / 2) / NX +
                             (double)(line - NY / 2) * (n / NX - NY / 2) / NY));
            m->data[line][2 * (i + NX * c)] = (float)creal(sum);
            m->data[line][2 * (i + NX * c) + 1] = (float)cimag(sum);
        }
    }
    m->lines[line] = (argand_acquisition){.counters = {.shot = (uint16_t)line},
                                          .samples = NX,
                                          .channels = CHANNELS,
                                          .sample_time = 1e-5,
                                          .data = m->data[line],
                                          .k = {m->k[0][line], m->k[1][line], m->k[2][line]},
                                          .t = m->t};
}

static made_scan *new_scan(void)
{
    made_scan *m = calloc(1, sizeof *m);
    assert_non_null(m);
    for (int line = 0; line < NY; line++) make_line(m, line);
    make_noise(m);
    for (int i = 0; i < PIXELS * CHANNELS; i++) {
        m->map[2 * i] = (float)creal(channel_at(i / PIXELS, i % PIXELS));
        m->map[2 * i + 1] = (float)cimag(channel_at(i / PIXELS, i % PIXELS));
    }
    m->maps = (argand_scan_array){
        .name = "SENSEMap", .type = ARGAND_C32, .rank = 4, .dims = {NX, NY, 1, CHANNELS}, .data = m->map};
    m->encoding = (argand_encoding){.matrix = {NX, NY, 1},
                                    .field_of_view = {240, 216, 5},
                                    .recon_matrix = {NX, NY, 1},
                                    .recon_field_of_view = {240, 216, 5},
                                    .trajectory = "cartesian"};
    m->scan = (argand_scan){.path = "made.h5",
                            .encoding_count = 1,
                            .encodings = &m->encoding,
                            .acquisition_count = NY,
                            .acquisitions = m->lines,
                            .noise_count = 1,
                            .noise = &m->noise,
                            .array_count = 1,
                            .arrays = &m->maps,
                            .channels = CHANNELS,
                            .header = "",
                            .notes = ""};
    return m;
}

static const argand_sense_options exact = {.type = ARGAND_C64, .iterations = 30, .nufft_tolerance = 1e-11};

/* The image's error, and the number of coils that the model has. */
static double error_with(const made_scan *m, const argand_sense_options *o, int64_t *coils)
{
    argand_sense *session;
    argand_array *image, *maps;
    double complex expected[PIXELS];
    OK(create_session(&session, &m->scan, o));
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    OK(argand_sense_run(session, 0, image, NULL, NULL));
    OK(argand_sense_coil_maps(session, 0, &maps));
    *coils = argand_array_dim(maps, 3);
    for (int n = 0; n < PIXELS; n++) expected[n] = truth_at(n);
    double *got = as_doubles(image);
    const double error = relative_error(got, (double *)expected, 2 * PIXELS);
    free(got);
    argand_array_destroy(maps);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    return error;
}

static void three_virtual_coils_are_enough(void **state)
{
    (void)state;
    made_scan *m = new_scan();
    int64_t coils;
    for (int whiten = 0; whiten < 2; whiten++) {
        argand_sense_options o = exact;
        o.whiten = whiten;
        CHECK_BELOW(error_with(m, &o, &coils), 3e-6);
        assert_int_equal(coils, CHANNELS);
        o.compress = COILS;
        CHECK_BELOW(error_with(m, &o, &coils), 3e-6);
        assert_int_equal(coils, COILS);
    }
    free(m);
}

/* Noise that the caller gives whitens as well; it is far from white. */
static void noise_of_the_caller(void **state)
{
    (void)state;
    made_scan *m = new_scan();
    argand_array *noise, *covariance;
    OK(argand_array_create(&noise, device, ARGAND_C32, 2, (int64_t[]){NOISE, CHANNELS}));
    OK(argand_array_upload(noise, m->noise_data));
    m->scan.noise_count = 0;
    argand_sense_options o = exact;
    int64_t coils;
    o.noise = noise;
    CHECK_BELOW(error_with(m, &o, &coils), 3e-6);
    OK(argand_array_create(&covariance, device, ARGAND_C64, 2, (int64_t[]){CHANNELS, CHANNELS}));
    OK(argand_noise_covariance(covariance, noise, 1));
    double *before = as_doubles(covariance);
    assert_true(before[2 * (CHANNELS * CHANNELS - 1)] > 20); /* 2 x 36 x 1.64 */
    free(before);
    argand_array_destroy(covariance);
    argand_array_destroy(noise);
    free(m);
}

/* The image of all iterations but the last few, where whitening still matters. */
static double *image_after_three(const made_scan *m, argand_sense_options o)
{
    argand_sense *session;
    argand_array *image;
    o.iterations = 3;
    OK(create_session(&session, &m->scan, &o));
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    OK(argand_sense_run(session, 0, image, NULL, NULL));
    double *got = as_doubles(image);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    return got;
}

/* The whitening matrix itself, in our order and in BART's (axes 3 and 4, input first), is as good as the
 * noise that it was made from. */
static void matrix_of_the_caller(void **state)
{
    (void)state;
    made_scan *m = new_scan();
    argand_array *noise, *covariance, *matrix, *bart;
    const int64_t square[2] = {CHANNELS, CHANNELS};
    OK(argand_array_create(&noise, device, ARGAND_C32, 2, (int64_t[]){NOISE, CHANNELS}));
    OK(argand_array_upload(noise, m->noise_data));
    OK(argand_array_create(&covariance, device, ARGAND_C64, 2, square));
    OK(argand_array_create(&matrix, device, ARGAND_C64, 2, square));
    OK(argand_array_create(&bart, device, ARGAND_C64, 5, (int64_t[]){1, 1, 1, CHANNELS, CHANNELS}));
    OK(argand_noise_covariance(covariance, noise, 1));
    OK(argand_noise_whitener(matrix, covariance));
    double *numbers = as_doubles(matrix), transposed[2 * CHANNELS * CHANNELS];
    for (int i = 0; i < CHANNELS; i++)
        for (int j = 0; j < CHANNELS; j++)
            for (int part = 0; part < 2; part++)
                transposed[2 * (i * CHANNELS + j) + part] = numbers[2 * (i + CHANNELS * j) + part];
    OK(argand_array_upload(bart, transposed));
    argand_sense_options by_noise = exact, by_matrix = exact, by_bart = exact;
    argand_sense_options as_received = exact;
    as_received.as_received = true;
    by_noise.noise = noise;
    by_matrix.whitener = matrix;
    by_bart.whitener = bart;
    double *expected = image_after_three(m, by_noise), *got = image_after_three(m, by_matrix),
           *as_bart = image_after_three(m, by_bart), *plain = image_after_three(m, as_received);
    CHECK_BELOW(relative_error(got, expected, 2 * PIXELS), 1e-12);
    CHECK_BELOW(relative_error(as_bart, expected, 2 * PIXELS), 1e-12);
    assert_true(relative_error(plain, expected, 2 * PIXELS) > 1e-3);
    argand_sense *s;
    OK(argand_array_upload(matrix, transposed));
    FAILS(argand_sense_create(&s, device, &m->scan, &by_matrix), ARGAND_ARGUMENT, "is upper triangular");
    by_noise.noise = matrix;
    FAILS(argand_sense_create(&s, device, &m->scan, &by_noise), ARGAND_ARGUMENT,
          "looks like a matrix, not like noise samples");
    double *const all[] = {numbers, expected, got, as_bart, plain};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    argand_array *const arrays[] = {noise, covariance, matrix, bart};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    free(m);
}

static void refusals(void **state)
{
    (void)state;
    made_scan *m = new_scan();
    argand_sense *s;
    argand_array *noise;
    argand_sense_options o = exact;
    o.compress = CHANNELS + 1;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT,
          "compression to 7 coils: the scan has 6");
    o.compress = -1;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "compression to -1");
    o = exact;
    OK(argand_array_create(&noise, device, ARGAND_C32, 2, (int64_t[]){NOISE, CHANNELS - 1}));
    o.noise = noise;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT,
          "the noise has 5 channels, the scan 6");
    o.noise = NULL;
    o.whiten = true;
    m->scan.noise_count = 0;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT,
          "the scan holds no noise acquisitions for whitening");
    o = exact;
    o.coils = (argand_coils)5;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "coils 5");
    argand_array_destroy(noise);
    free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(three_virtual_coils_are_enough),
    cmocka_unit_test(noise_of_the_caller),
    cmocka_unit_test(matrix_of_the_caller),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
