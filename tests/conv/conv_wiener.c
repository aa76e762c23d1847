/* SPDX-License-Identifier: BSD-3-Clause */
/* Wiener's filter against its definition; within a limit of memory, tile by tile, against all at once. */
#include "reference.h"
#include "array/array.h"
#include "device/device.h"

static argand_array *from_doubles(const double *numbers, int64_t n)
{
    argand_array *array;
    float floats[1024];
    assert_true(n <= 1024);
    for (int64_t i = 0; i < n; i++) floats[i] = (float)numbers[i];
    OK(argand_array_create(&array, device, ARGAND_R32, 1, &n));
    OK(argand_array_upload(array, floats));
    return array;
}

/* Wiener's filter as its definition has it, of an image that goes on by `border` for a period of points. */
static void reference_wiener(double *wanted, const double *x, int n, const double *h, int k,
                             argand_border border, int period, double noise)
{
    const double pi = acos(-1);
    const argand_conv_border rule = {border, border};
    double total = 0;
    double complex *spectrum = malloc((size_t)period * sizeof *spectrum);
    assert_non_null(spectrum);
    for (int i = 0; i < k; i++) total += h[i];
    for (int f = 0; f < period; f++) {
        double complex image = 0, blurred = 0;
        for (int i = 0; i < period; i++) {
            const int at = i < n + (period - n) / 2 ? i : i - period;
            const int64_t from = reference_element(at, n, rule);
            const double v = from == -2 ? 0 : from == -1 ? 1.5 : x[from];
            image += v * cexp(CMPLX(0, -2 * pi * f * at / period));
        }
        for (int i = 0; i < k; i++) blurred += h[i] * cexp(CMPLX(0, -2 * pi * f * (i - k / 2) / period));
        spectrum[f] = image * conj(blurred) / (pow(cabs(blurred), 2) + noise * total * total);
    }
    for (int i = 0; i < n; i++) {
        double complex sum = 0;
        for (int f = 0; f < period; f++) sum += spectrum[f] * cexp(CMPLX(0, 2 * pi * f * i / period));
        wanted[i] = creal(sum) / period;
    }
    free(spectrum);
}

enum { WIENER_MOST = 64 };

/* memory: the limit of the plan; 0: none. */
static double wiener_error(int n, argand_border border, int period, double noise, size_t memory)
{
    enum { K = 7 };
    double x[WIENER_MOST], h[K], wanted[WIENER_MOST];
    random_state random = {3};
    argand_deconv *deconv;
    const int64_t dims = n, k = K;
    for (int i = 0; i < n; i++) x[i] = (double)(float)(1 + random_normal(&random));
    for (int i = 0; i < K; i++) h[i] = (double)(float)random_uniform(&random);
    reference_wiener(wanted, x, n, h, K, border, period, noise);
    argand_deconv_options o = {.conv = {.type = ARGAND_R32, .rank = 1, .n = {n}, .kernel = {K}},
                               .noise = noise};
    o.conv.border[0] = (argand_conv_border){border, border};
    o.conv.constant.re = 1.5;
    o.conv.memory = memory;
    argand_array *image = from_doubles(x, dims), *kernel = from_doubles(h, k), *out;
    OK(argand_array_create(&out, device, ARGAND_R32, 1, &dims));
    OK(argand_deconv_create(&deconv, device, &o));
    OK(argand_deconv_set_kernel(deconv, kernel));
    OK(argand_deconv_apply(deconv, out, image));
    double *got = as_doubles(out);
    const double error = relative_error(got, wanted, (size_t)n);
    free(got);
    argand_deconv_destroy(deconv);
    argand_array_destroy(image);
    argand_array_destroy(kernel);
    argand_array_destroy(out);
    return error;
}

/* Periodic borders are exact for every length and however little noise there is. Others go on for ever in
 * their definition, here for 24 images; with this noise the filter ends within half of one. */
static void as_defined(void **state)
{
    static const struct {
        int n;
        argand_border border;
        int period;
        double noise;
    } cases[] = {{48, ARGAND_BORDER_WRAP, 48, 0.02},   {47, ARGAND_BORDER_WRAP, 47, 1e-4},
                 {37, ARGAND_BORDER_MIRROR, 74, 1e-4}, {48, ARGAND_BORDER_MIRROR, 96, 1e-4},
                 {60, ARGAND_BORDER_ZERO, 1440, 0.02}, {60, ARGAND_BORDER_CONSTANT, 1440, 0.02},
                 {60, ARGAND_BORDER_CLAMP, 1440, 0.02}};
    (void)state;
    for (int i = 0; i < 7; i++)
        for (int tiles = 0; tiles < 3; tiles++) {
            const size_t memory = tiles == 2 ? SIZE_MAX : tiles ? 10000 : 0;
            CHECK_BELOW(wiener_error(cases[i].n, cases[i].border, cases[i].period, cases[i].noise, memory),
                        2e-6);
        }
}

/* ---- in tiles ---- */

/* Kernels odd and even, centred or not, one or one for each channel, complex, correlated. Zeros beyond the
 * image: with this noise the filter ends within one, whatever its period is. Rounding grows
 * with the filter's gain, 1 / (2 sqrt(noise)) at most. */
static argand_deconv_options problem(int i)
{
    static const argand_border rules[] = {ARGAND_BORDER_MIRROR, ARGAND_BORDER_WRAP, ARGAND_BORDER_ZERO};
    argand_deconv_options d = {.conv = {.type = i % 4 == 1   ? ARGAND_R32
                                                : i % 4 == 3 ? ARGAND_C64
                                                             : ARGAND_R64,
                                        .rank = 1 + i % 3,
                                        .n = {61 + i % 2, 47 + i % 3, 23},
                                        .kernel = {5 + i % 2, 4 - i % 3 / 2, 1 + i % 2},
                                        .channels = 1 + i % 2,
                                        .kernel_channels = 1 + i % 4 / 3,
                                        .batch = 1 + i % 5 / 4,
                                        .interleaved = i % 5 > 2,
                                        .centre_given = i % 7 > 3,
                                        .correlate = i % 7 == 2},
                               .noise = i % 12 == 3 ? 1e-3 : 0.05};
    argand_conv_options *o = &d.conv;
    if (o->rank == 1) o->n[0] = 1000 + i;
    if (o->rank == 2) o->n[0] = 150 + i % 2, o->n[1] = 131 + i % 3;
    if (o->rank == 3) d.noise = 0.3;
    if (o->centre_given) o->centre[0] = i % 2 ? 0 : o->kernel[0] - 1;
    for (int a = 0; a < 3; a++) o->border[a].before = o->border[a].after = rules[(i + a) % 3];
    return d;
}

/* A little more than the least that a plan takes: many tiles. */
static size_t limit_for(argand_deconv_options o, const argand_array *kernel)
{
    argand_deconv *deconv;
    argand_status status = ARGAND_MEMORY;
    for (o.conv.memory = 1 << 15; status; o.conv.memory += o.conv.memory / 2) {
        OK(argand_deconv_create(&deconv, device, &o));
        status = argand_deconv_set_kernel(deconv, kernel);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
        argand_deconv_destroy(deconv);
    }
    return o.conv.memory;
}

static argand_array *deconvolved(const argand_deconv_options *o, const argand_array *image,
                                 const argand_array *kernel)
{
    argand_deconv *deconv;
    argand_array *out = new_images(&o->conv, o->conv.type, true);
    OK(argand_deconv_create(&deconv, device, o));
    OK(argand_deconv_set_kernel(deconv, kernel));
    OK(argand_deconv_apply(deconv, out, image));
    argand_deconv_destroy(deconv);
    return out;
}

static double difference(const argand_array *a, const argand_array *b)
{
    double *x = as_doubles(a), *y = as_doubles(b);
    const double error = relative_error(x, y, (size_t)argand_array_count(a) * (is_pairs(a->type) ? 2 : 1));
    free(x);
    free(y);
    return error;
}

static void same_as_whole(void **state)
{
    (void)state;
    for (int i = 0; i < 42; i += few() ? 11 : is_first_tier() ? 4 : 1) {
        argand_deconv_options o = problem(i);
        const bool is_double = o.conv.type != ARGAND_R32;
        if (is_double && !device_has_double(device)) continue;
        argand_array *image = new_images(&o.conv, o.conv.type, false),
                     *kernel = new_kernel(&o.conv, o.conv.type);
        randomise(image, 3, 0, 0);
        randomise(kernel, 4, 0, 1);
        argand_array *whole = deconvolved(&o, image, kernel);
        const double limit = 4e-14;
        o.conv.memory = limit_for(o, kernel);
        argand_array *tiles = deconvolved(&o, image, kernel);
        CHECK_BELOW(difference(tiles, whole), is_double ? limit : 2e-6);
        argand_array_destroy(image);
        argand_array_destroy(kernel);
        argand_array_destroy(whole);
        argand_array_destroy(tiles);
    }
}

/* An image of the caller's, and results. */
typedef struct files {
    const argand_array *image;
    argand_array *out;
    int writes;
} files;

static argand_array *part_of(const argand_array *x, const argand_array *box, const int64_t *first)
{
    argand_array *view;
    OK(argand_array_view(&view, x, box->rank, box->dims, x->strides,
                         first[0] * x->strides[0] + first[1] * x->strides[1]));
    return view;
}

static argand_status read_box(void *context, argand_array *box, const int64_t first[3], int64_t image)
{
    argand_array *view = part_of(((files *)context)->image, box, first);
    (void)image;
    OK(argand_array_copy(box, view));
    argand_array_destroy(view);
    return ARGAND_OK;
}

static argand_status write_box(void *context, const argand_array *box, const int64_t first[3], int64_t image)
{
    files *f = context;
    argand_array *view = part_of(f->out, box, first);
    (void)image;
    OK(argand_array_copy(view, box));
    argand_array_destroy(view);
    f->writes++;
    return ARGAND_OK;
}

static double boxes_error(const argand_deconv_options *o, const argand_array *image,
                          const argand_array *kernel, const argand_array *whole)
{
    argand_deconv *deconv;
    files f = {.image = image, .out = new_images(&o->conv, o->conv.type, true)};
    OK(argand_deconv_create(&deconv, device, o));
    FAILS(argand_deconv_apply_boxes(deconv, write_box, read_box, &f), ARGAND_ARGUMENT, "no kernel");
    OK(argand_deconv_set_kernel(deconv, kernel));
    OK(argand_deconv_apply_boxes(deconv, write_box, read_box, &f));
    assert_true(f.writes > 1);
    const double error = difference(f.out, whole);
    argand_deconv_destroy(deconv);
    argand_array_destroy(f.out);
    return error;
}

/* The filter as the kernel of a convolution of one's own. */
static double filter_error(const argand_deconv_options *o, const argand_array *image,
                           const argand_array *kernel, const argand_array *whole)
{
    argand_conv *conv;
    argand_array *filter, *out = new_images(&o->conv, o->conv.type, true);
    argand_conv_options c = o->conv;
    OK(argand_deconv_filter(&filter, c.centre, device, kernel, o));
    for (int d = 0; d < c.rank; d++) c.kernel[d] = argand_array_dim(filter, d);
    c.memory = 0;
    c.centre_given = true;
    c.correlate = false;
    OK(argand_conv_create(&conv, device, &c));
    OK(argand_conv_set_kernel(conv, filter));
    OK(argand_conv_apply(conv, out, image));
    const double error = difference(out, whole);
    argand_conv_destroy(conv);
    argand_array_destroy(filter);
    argand_array_destroy(out);
    return error;
}

static void as_kernel_and_by_boxes(void **state)
{
    (void)state;
    argand_deconv_options o = problem(1);
    o.conv.channels = 3;
    argand_array *image = new_images(&o.conv, ARGAND_R32, false), *kernel = new_kernel(&o.conv, ARGAND_R32);
    randomise(image, 3, 0, 0);
    randomise(kernel, 4, 0, 1);
    argand_array *whole = deconvolved(&o, image, kernel);
    CHECK_BELOW(filter_error(&o, image, kernel, whole), 2e-6);
    o.conv.memory = limit_for(o, kernel);
    if (device_is_host(device)) CHECK_BELOW(boxes_error(&o, image, kernel, whole), 2e-6);
    argand_array_destroy(image);
    argand_array_destroy(kernel);
    argand_array_destroy(whole);
}

/* Too little memory is said with what it would take, before anything is taken; kernels whose sum is 0. */
static void refused(void **state)
{
    (void)state;
    argand_deconv *deconv;
    argand_array *kernel, *filter;
    int64_t centre[3];
    const int64_t dims[2] = {64, 64};
    float taps[64 * 64] = {1, -1};
    argand_deconv_options o = {
        .conv = {.type = ARGAND_R32, .rank = 2, .n = {4000, 4000}, .kernel = {64, 64}, .memory = 1 << 19}};
    OK(argand_array_create(&kernel, device, ARGAND_R32, 2, dims));
    randomise(kernel, 1, 0, 1);
    OK(argand_deconv_create(&deconv, device, &o));
    FAILS(argand_deconv_set_kernel(deconv, kernel), ARGAND_MEMORY,
          "is made from 256x256 points or more, which take 1.57e+06 bytes, up to 8000x8000 of this image, "
          "1.54e+09 bytes; the limit is 5.24e+05");
    FAILS(argand_deconv_apply(deconv, kernel, kernel), ARGAND_ARGUMENT, "no kernel");
    FAILS(argand_deconv_filter(&filter, centre, device, kernel, &o), ARGAND_MEMORY, "give more memory");
    assert_null(filter);
    argand_deconv_destroy(deconv);
    o.conv.memory = 1 << 23;
    OK(argand_array_upload(kernel, taps));
    OK(argand_deconv_create(&deconv, device, &o));
    FAILS(argand_deconv_set_kernel(deconv, kernel), ARGAND_NUMERIC, "sums up to 0");
    argand_deconv_destroy(deconv);
    o.conv.memory = 0;
    OK(argand_deconv_create(&deconv, device, &o));
    FAILS(argand_deconv_apply_boxes(deconv, write_box, read_box, NULL), ARGAND_ARGUMENT, ".memory");
    argand_deconv_destroy(deconv);
    o.method = ARGAND_DECONV_RICHARDSON_LUCY;
    o.conv.memory = 1 << 26;
    FAILS(argand_deconv_filter(&filter, centre, device, kernel, &o), ARGAND_ARGUMENT,
          "no single filter describes it");
    OK(argand_deconv_create(&deconv, device, &o));
    FAILS(argand_deconv_apply_boxes(deconv, write_box, read_box, NULL), ARGAND_UNSUPPORTED, "Wiener");
    argand_deconv_destroy(deconv);
    argand_array_destroy(kernel);
}

/* ---- almost no noise ---- */

/* The largest error over the image's rms of a scene that goes on beyond its borders as they say, blurred by
 * sums in double, then deconvolved. */
static double magnified(argand_border border, argand_type type, double noise, bool exact, size_t memory)
{
    enum { N = 192, K = 13, R = K / 2 };
    double x[N], h[K], total = 0, power = 0, most = 0;
    double numbers[N];
    float floats[N];
    const int64_t n = N, k = K;
    const argand_conv_border rule = {border, border};
    argand_deconv *deconv;
    argand_array *image, *kernel, *out;
    argand_deconv_options o = {.conv = {.type = type, .rank = 1, .n = {N}, .kernel = {K}, .memory = memory},
                               .noise = noise,
                               .exact_noise = exact};
    o.conv.border[0] = rule;
    for (int i = 0; i < K; i++) total += h[i] = exp(-(i - R) * (i - R) / 8.0);
    for (int i = 0; i < N; i++) x[i] = 0.5 + 0.3 * sin(0.11 * i) + (i > 60 && i < 90 ? 0.4 : 0);
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < K; j++) {
            const int64_t from = reference_element(i + R - j, N, rule);
            sum += h[j] / total * (from < 0 ? 0 : x[from]);
        }
        numbers[i] = sum;
        floats[i] = (float)sum;
        power += x[i] * x[i] / N;
    }
    const bool wide = type == ARGAND_R64;
    OK(argand_array_create(&image, device, type, 1, &n));
    OK(argand_array_create(&out, device, type, 1, &n));
    OK(argand_array_create(&kernel, device, ARGAND_R64, 1, &k));
    OK(argand_array_upload(image, wide ? (void *)numbers : (void *)floats));
    OK(argand_array_upload(kernel, h));
    OK(argand_deconv_create(&deconv, device, &o));
    OK(argand_deconv_set_kernel(deconv, kernel));
    OK(argand_deconv_apply(deconv, out, image));
    double *got = as_doubles(out);
    for (int i = 0; i < N; i++) most = fmax(most, fabs(got[i] - x[i]) / sqrt(power));
    free(got);
    argand_deconv_destroy(deconv);
    argand_array_destroy(image);
    argand_array_destroy(kernel);
    argand_array_destroy(out);
    return most;
}

/* Zeros and the last element do not go on as the blur did; the noise's floor keeps what that becomes near the
 * image's own size, for every border, in tiles as well. Without it, as asked, there is no bound. */
static void bounded(void **state)
{
    static const double noises[] = {1e-14, 1e-8, 1e-5};
    (void)state;
    for (int border = ARGAND_BORDER_ZERO; border <= ARGAND_BORDER_MIRROR; border++)
        for (int i = 0; i < 3; i++)
            for (int tiles = 0; tiles < 2; tiles++) {
                const size_t memory = tiles ? SIZE_MAX : 0;
                const argand_border rule = (argand_border)border;
                CHECK_BELOW(magnified(rule, ARGAND_R32, noises[i], false, memory), 1.5);
                if (device_has_double(device))
                    CHECK_BELOW(magnified(rule, ARGAND_R64, noises[i], false, memory), 1.5);
            }
    assert_true(magnified(ARGAND_BORDER_ZERO, ARGAND_R32, 1e-8, true, 0) > 10);
}

/* The floor as argand/deconv.h has it, of a kernel of three equal taps; more noise is taken as it is. */
static void noise_floor(void **state)
{
    const double taps[3] = {1, 1, 1}, p = 2 * (1.0 / 9) / 4000;
    const int64_t k = 3;
    argand_array *kernel;
    argand_deconv_options o = {.conv = {.type = ARGAND_R32, .rank = 1, .n = {4000}, .kernel = {3}},
                               .noise = 1e-9};
    double noise;
    (void)state;
    OK(argand_array_create(&kernel, device, ARGAND_R64, 1, &k));
    OK(argand_array_upload(kernel, taps));
    OK(argand_deconv_noise(&noise, device, kernel, &o));
    assert_true(fabs(noise / (p / 8) - 1) < 1e-12);
    o.conv.border[0] = (argand_conv_border){ARGAND_BORDER_CLAMP, ARGAND_BORDER_ZERO};
    OK(argand_deconv_noise(&noise, device, kernel, &o));
    assert_true(fabs(noise / (p / 16 + p / 128) - 1) < 1e-12);
    o.exact_noise = true;
    OK(argand_deconv_noise(&noise, device, kernel, &o));
    assert_true(noise == 1e-9);
    o.exact_noise = false;
    o.conv.border[0] = (argand_conv_border){ARGAND_BORDER_WRAP, ARGAND_BORDER_WRAP};
    o.noise = 1e-20;
    OK(argand_deconv_noise(&noise, device, kernel, &o));
    assert_true(noise == 6e-11);
    o.noise = 0;
    OK(argand_deconv_noise(&noise, device, kernel, &o));
    assert_true(noise == 1e-3);
    o.method = ARGAND_DECONV_RICHARDSON_LUCY;
    assert_int_equal(argand_deconv_noise(&noise, device, kernel, &o), ARGAND_ARGUMENT);
    argand_array_destroy(kernel);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(bounded),
                                          cmocka_unit_test(noise_floor),
                                          cmocka_unit_test(as_defined),
                                          cmocka_unit_test(same_as_whole),
                                          cmocka_unit_test(as_kernel_and_by_boxes),
                                          cmocka_unit_test(refused)};
RUN_TESTS(tests)
