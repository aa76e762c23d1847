/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans whose spectrum is resampled from a kernel's own: against direct circular convolution with the
 * resampled kernel, which is made here from the definition, in double. */
#include "reference.h"
#include "array/array.h"

/* The kernel's transform at `frequency` cycles an element, about its centre. */
static double complex transform_at(const double *h, int k, int c, double frequency)
{
    double complex sum = 0;
    for (int j = 0; j < k; j++) sum += h[j] * cexp(CMPLX(0, -2 * acos(-1) * frequency * (j - c)));
    return sum;
}

/* Read between its values at multiples of 1/k. */
static double complex between(const double *h, int k, int c, double frequency, argand_conv_resample how)
{
    const double at = frequency * k, t = at - floor(at);
    double complex p[4];
    if (how == ARGAND_CONV_EXACT) return transform_at(h, k, c, frequency);
    for (int i = 0; i < 4; i++) p[i] = transform_at(h, k, c, (floor(at) + i - 1) / k);
    if (how == ARGAND_CONV_LINEAR) return (1 - t) * p[1] + t * p[2];
    return p[1] + 0.5 * t *
                      (p[2] - p[0] +
                       t * (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3] + t * (3 * (p[1] - p[2]) + p[3] - p[0])));
}

/* The kernel on a circle of n, `scale` times as wide. */
static void resample(double *kernel, int n, const double *h, int k, int c, double scale,
                     argand_conv_resample how)
{
    for (int i = 0; i < n; i++) {
        double complex sum = 0;
        for (int f = -((n - 1) / 2); f <= n / 2; f++) {
            const double frequency = scale * f / n;
            if (fabs(frequency) > 0.5 + 1e-12) continue;
            sum += between(h, k, c, frequency, how) * cexp(CMPLX(0, 2 * acos(-1) * f * i / n));
        }
        kernel[i] = creal(sum) / n;
    }
}

enum { N = 48, ROWS = 20, K = 9, K1 = 6 };

/* A product of two lines' kernels, convolved along one axis after the other. */
static void circular(double *y, const double *x, const double *rows, const double *columns)
{
    double between_passes[N * ROWS];
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int d = 0; d < N; d++) sum += rows[d] * x[j * N + (i - d + N) % N];
            between_passes[j * N + i] = sum;
        }
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int d = 0; d < ROWS; d++) sum += columns[d] * between_passes[(j - d + ROWS) % ROWS * N + i];
            y[j * N + i] = sum;
        }
}

static void check(argand_conv_resample how, double scale0, double scale1)
{
    const argand_conv_border wrap = {ARGAND_BORDER_WRAP, ARGAND_BORDER_WRAP};
    argand_conv_options o = {.type = ARGAND_R32,
                             .rank = 2,
                             .n = {N, ROWS},
                             .kernel = {K, K1},
                             .border = {wrap, wrap},
                             .method = ARGAND_CONV_FFT};
    double line[K], column[K1], rows[N], columns[ROWS], wanted[N * ROWS];
    const double scale[2] = {scale0, scale1};
    float taps[K * K1];
    argand_conv *conv;
    argand_conv_spectrum *spectrum;
    for (int i = 0; i < K; i++) line[i] = (double)(float)exp(-0.3 * pow(i - 3.7, 2));
    for (int i = 0; i < K1; i++) column[i] = i == 1 ? 2 : i == 4 ? -0.5 : 0.25;
    for (int i = 0; i < K * K1; i++) taps[i] = (float)(line[i % K] * column[i / K]);
    argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                 *kernel = new_kernel(&o, o.type);
    randomise(image, 3, 0, 0);
    OK(argand_array_upload(kernel, taps));
    OK(argand_conv_spectrum_create(&spectrum, kernel, &o));
    OK(argand_conv_create(&conv, device, &o));
    OK(argand_conv_set_spectrum(conv, spectrum, scale, how));
    OK(argand_conv_apply(conv, out, image));
    double *x = as_doubles(image), *y = as_doubles(out);
    resample(rows, N, line, K, K / 2, scale0, how);
    resample(columns, ROWS, column, K1, K1 / 2, scale1, how);
    circular(wanted, x, rows, columns);
    CHECK_BELOW(relative_error(y, wanted, N * ROWS), 2e-6);
    free(x);
    free(y);
    argand_conv_spectrum_destroy(spectrum);
    argand_conv_destroy(conv);
    argand_array_destroy(image);
    argand_array_destroy(out);
    argand_array_destroy(kernel);
}

static void as_the_resampled_kernel(void **state)
{
    (void)state;
    for (int how = ARGAND_CONV_LINEAR; how <= ARGAND_CONV_EXACT; how++) {
        check((argand_conv_resample)how, 1, 1);
        check((argand_conv_resample)how, 1.7, 1.3);
        check((argand_conv_resample)how, 0.6, 2.5);
    }
}

/* Of scale 1, exactly, it is the kernel itself, whatever the borders; sharpening works on it. */
static void exact_is_the_kernel(void **state)
{
    argand_conv_options o = {.type = ARGAND_R32,
                             .rank = 2,
                             .n = {30, 21},
                             .kernel = {7, 4},
                             .channels = 3,
                             .kernel_channels = 3,
                             .normalise = ARGAND_CONV_PER_CHANNEL,
                             .correlate = true,
                             .method = ARGAND_CONV_FFT};
    argand_conv *conv;
    argand_conv_spectrum *spectrum;
    (void)state;
    argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                 *kernel = new_kernel(&o, o.type);
    randomise(image, 3, 0, 0);
    randomise(kernel, 4, 0, 1);
    OK(argand_conv_create(&conv, device, &o));
    OK(argand_conv_set_kernel(conv, kernel));
    OK(argand_conv_set_sharpness(conv, 0.3));
    OK(argand_conv_apply(conv, out, image));
    double *wanted = as_doubles(out);
    OK(argand_conv_spectrum_create(&spectrum, kernel, &o));
    OK(argand_conv_set_spectrum(conv, spectrum, NULL, ARGAND_CONV_EXACT));
    OK(argand_array_fill(out, (argand_scalar){0, 0}));
    OK(argand_conv_apply(conv, out, image));
    double *y = as_doubles(out);
    CHECK_BELOW(relative_error(y, wanted, (size_t)argand_array_count(out)), 1e-6);
    FAILS(argand_conv_set_spectrum(conv, spectrum, (const double[2]){1, 0}, ARGAND_CONV_LINEAR),
          ARGAND_ARGUMENT, "scale 0 of axis 1");
    FAILS(argand_conv_set_spectrum(conv, spectrum, NULL, (argand_conv_resample)3), ARGAND_ARGUMENT,
          "resample 3");
    argand_conv_destroy(conv);
    o.memory = SIZE_MAX;
    OK(argand_conv_create(&conv, device, &o));
    FAILS(argand_conv_set_spectrum(conv, spectrum, NULL, ARGAND_CONV_EXACT), ARGAND_UNSUPPORTED,
          "one transform");
    free(wanted);
    free(y);
    argand_conv_spectrum_destroy(spectrum);
    argand_conv_destroy(conv);
    argand_array_destroy(image);
    argand_array_destroy(out);
    argand_array_destroy(kernel);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_resampled_kernel),
                                          cmocka_unit_test(exact_is_the_kernel)};
RUN_TESTS(tests)
