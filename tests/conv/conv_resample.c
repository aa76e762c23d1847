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

enum { MOST = 4096, LONGEST = 64 };

/* Along one axis of n elements, `step` apart, of an array of `count`. */
static void circular(double *y, const double *x, int count, int n, int step, const double *kernel)
{
    for (int i = 0; i < count; i++) {
        const int at = i / step % n, first = i - at * step;
        y[i] = 0;
        for (int d = 0; d < n; d++) y[i] += kernel[d] * x[first + (at - d + n) % n * step];
    }
}

/* The kernel is a product of lines. */
static void lines_of(double lines[3][LONGEST], const int64_t *k)
{
    for (int i = 0; i < k[0]; i++) lines[0][i] = (double)(float)exp(-0.3 * pow(i - 3.7, 2));
    for (int i = 0; i < k[1]; i++) lines[1][i] = i == 1 ? 2 : i == 4 ? -0.5 : k[1] > 1 ? 0.25 : 1;
    for (int i = 0; i < k[2]; i++) lines[2][i] = 1 - 0.25 * i;
}

static void upload_product(argand_array *kernel, double lines[3][LONGEST], const int64_t *k)
{
    float taps[MOST];
    for (int64_t i = 0; i < k[0] * k[1] * k[2]; i++)
        taps[i] = (float)(lines[0][i % k[0]] * lines[1][i / k[0] % k[1]] * lines[2][i / k[0] / k[1]]);
    OK(argand_array_upload(kernel, taps));
}

static void check(argand_conv_resample how, int rank, const int64_t *n, const int64_t *k, const double *scale)
{
    argand_conv_options o = {.type = ARGAND_R32, .rank = rank, .method = ARGAND_CONV_FFT};
    double lines[3][LONGEST], wide[LONGEST], wanted[MOST], before[MOST];
    argand_conv *conv;
    argand_conv_spectrum *spectrum;
    for (int d = 0; d < rank; d++) {
        o.n[d] = n[d];
        o.kernel[d] = k[d];
        o.border[d] = (argand_conv_border){ARGAND_BORDER_WRAP, ARGAND_BORDER_WRAP};
    }
    argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                 *kernel = new_kernel(&o, o.type);
    randomise(image, 3, 0, 0);
    lines_of(lines, k);
    upload_product(kernel, lines, k);
    OK(argand_conv_spectrum_create(&spectrum, kernel, &o));
    OK(argand_conv_create(&conv, device, &o));
    OK(argand_conv_set_spectrum(conv, spectrum, scale, how));
    OK(argand_conv_apply(conv, out, image));
    double *x = as_doubles(image), *y = as_doubles(out);
    const int count = (int)argand_array_count(image);
    memcpy(wanted, x, (size_t)count * sizeof *x);
    for (int d = 0, step = 1; d < rank; step *= (int)n[d++]) {
        memcpy(before, wanted, (size_t)count * sizeof *x);
        resample(wide, (int)n[d], lines[d], (int)k[d], (int)k[d] / 2, scale[d], how);
        circular(wanted, before, count, (int)n[d], step, wide);
    }
    CHECK_BELOW(relative_error(y, wanted, (size_t)count), 2e-6);
    free(x);
    free(y);
    argand_conv_spectrum_destroy(spectrum);
    argand_conv_destroy(conv);
    argand_array_destroy(image);
    argand_array_destroy(out);
    argand_array_destroy(kernel);
}

/* Planes, a line, and volumes of odd lengths that differ. */
static void as_the_resampled_kernel(void **state)
{
    static const struct {
        int rank;
        int64_t n[3], k[3];
        double scale[3];
    } cases[] = {{2, {48, 20}, {9, 6, 1}, {1, 1}},        {2, {48, 20}, {9, 6, 1}, {1.7, 1.3}},
                 {2, {48, 20}, {9, 6, 1}, {0.6, 2.5}},    {1, {63}, {8, 1, 1}, {1.9}},
                 {3, {25, 9, 15}, {5, 4, 7}, {1, 1, 1}},  {3, {25, 9, 15}, {5, 4, 7}, {1.4, 0.7, 2.1}},
                 {3, {7, 27, 11}, {3, 7, 4}, {2, 3.3, 1}}};
    (void)state;
    for (int how = ARGAND_CONV_LINEAR; how <= ARGAND_CONV_EXACT; how++)
        for (int i = 0; i < 7; i++)
            check((argand_conv_resample)how, cases[i].rank, cases[i].n, cases[i].k, cases[i].scale);
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
          ARGAND_ARGUMENT, "scale is 0 along axis 1");
    FAILS(argand_conv_set_spectrum(conv, spectrum, NULL, (argand_conv_resample)3), ARGAND_ARGUMENT,
          "resample 3");
    argand_conv_destroy(conv);
    o.memory = SIZE_MAX;
    OK(argand_conv_create(&conv, device, &o));
    FAILS(argand_conv_set_spectrum(conv, spectrum, NULL, ARGAND_CONV_EXACT), ARGAND_UNSUPPORTED,
          "by one FFT");
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
