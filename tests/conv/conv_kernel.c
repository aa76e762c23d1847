/* SPDX-License-Identifier: BSD-3-Clause */
/* What kernels do: the identity gives the image, sharpening is linear, normalised kernels keep sums and
 * luminance, bad kernels and options are refused and leave the one before; images of storage types. */
#include "reference.h"
#include "array/array.h"
#include "device/device.h"

static const argand_conv_method methods[] = {ARGAND_CONV_FFT, ARGAND_CONV_DIRECT};

static argand_array *filled(argand_array *array, const float *numbers)
{
    OK(argand_array_upload(array, numbers));
    return array;
}

static double error_of(const argand_array *a, const double *wanted)
{
    double *numbers = as_doubles(a);
    const double error = relative_error(numbers, wanted, (size_t)argand_array_count(a));
    free(numbers);
    return error;
}

static void identity_gives_the_image(void **state)
{
    (void)state;
    for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++)
        for (int rule = 0; rule < 5; rule++) {
            argand_conv_options o = {.type = ARGAND_R32,
                                     .rank = 2,
                                     .n = {37, 26},
                                     .kernel = {6, 5},
                                     .channels = 3,
                                     .centre_given = true,
                                     .centre = {4, 1},
                                     .constant = {3, 0},
                                     .method = methods[m]};
            float taps[30] = {0};
            argand_conv *conv;
            for (int d = 0; d < 2; d++) o.border[d].before = o.border[d].after = (argand_border)rule;
            taps[1 * 6 + 4] = 1;
            argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                         *kernel = filled(new_kernel(&o, o.type), taps);
            randomise(image, 3, 0, 0);
            OK(argand_conv_create(&conv, device, &o));
            OK(argand_conv_set_kernel(conv, kernel));
            OK(argand_conv_apply(conv, out, image));
            double *wanted = as_doubles(image);
            CHECK_BELOW(error_of(out, wanted), 1e-6);
            free(wanted);
            argand_conv_destroy(conv);
            argand_array_destroy(image);
            argand_array_destroy(out);
            argand_array_destroy(kernel);
        }
}

/* y(s) = (1 - s) y(0) + s x, for any s, with a kernel set before and after, and back again. */
static void sharpening_is_linear(void **state)
{
    static const double strengths[] = {0.25, 1, 1.75, -0.5, 0};
    (void)state;
    for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++) {
        argand_conv_options o = {
            .type = ARGAND_R32, .rank = 2, .n = {33, 20}, .kernel = {9, 7}, .method = methods[m]};
        double wanted[33 * 20];
        convolved c = convolved_new(&o);
        randomise(c.image, 3, 0, 0);
        randomise(c.kernel, 4, 0, 1);
        convolved_run(&c, &o);
        for (int i = 0; i < 5; i++) {
            OK(argand_conv_set_sharpness(c.conv, strengths[i]));
            if (i == 2) OK(argand_conv_set_kernel(c.conv, c.kernel));
            OK(argand_conv_apply(c.conv, c.out, c.image));
            for (int j = 0; j < 33 * 20; j++) wanted[j] = (1 - strengths[i]) * c.y[j] + strengths[i] * c.x[j];
            CHECK_BELOW(error_of(c.out, wanted), 2e-6);
        }
        FAILS(argand_conv_set_sharpness(c.conv, NAN), ARGAND_ARGUMENT, "give a finite number");
        convolved_free(&c);
    }
}

static void sums_of_channels(const argand_array *array, int64_t channels, double *sums)
{
    double *numbers = as_doubles(array);
    const int64_t each = argand_array_count(array) / channels;
    for (int64_t c = 0; c < channels; c++) {
        sums[c] = 0;
        for (int64_t i = 0; i < each; i++) sums[c] += numbers[c * each + i];
    }
    free(numbers);
}

/* Of a periodic image: each channel's sum, or the luminance of a grey one's, with the ratios of the channels
 * those of the kernel's. */
static void sums_are_kept(void **state)
{
    (void)state;
    for (int kind = 1; kind <= 2; kind++) {
        argand_conv_options o = {.type = ARGAND_R32,
                                 .rank = 2,
                                 .n = {30, 28},
                                 .kernel = {7, 8},
                                 .channels = 3,
                                 .kernel_channels = 3,
                                 .normalise = (argand_conv_normalise)kind};
        argand_conv *conv;
        double before[3], after[3], taps[3];
        for (int d = 0; d < 2; d++)
            o.border[d] = (argand_conv_border){ARGAND_BORDER_WRAP, ARGAND_BORDER_WRAP};
        argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                     *kernel = new_kernel(&o, o.type);
        OK(argand_array_fill(image, (argand_scalar){0.5, 0}));
        randomise(kernel, 4, 0, 9);
        OK(argand_conv_create(&conv, device, &o));
        OK(argand_conv_set_kernel(conv, kernel));
        OK(argand_conv_apply(conv, out, image));
        sums_of_channels(image, 3, before);
        sums_of_channels(out, 3, after);
        sums_of_channels(kernel, 3, taps);
        const double was = 0.2126 * before[0] + 0.7152 * before[1] + 0.0722 * before[2],
                     is = 0.2126 * after[0] + 0.7152 * after[1] + 0.0722 * after[2];
        CHECK_BELOW(fabs(is / was - 1), 2e-6);
        for (int c = 0; c < 3; c++)
            CHECK_BELOW(fabs(after[c] / after[0] - (kind == 1 ? 1 : taps[c] / taps[0])), 4e-6);
        argand_conv_destroy(conv);
        argand_array_destroy(image);
        argand_array_destroy(out);
        argand_array_destroy(kernel);
    }
}

/* A kernel of zeros, not normalised: results of 0, also with lights next to dark parts. */
static void kernel_of_zeros(void **state)
{
    (void)state;
    for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++)
        for (int wide = 0; wide < 2; wide++) {
            argand_conv *conv;
            argand_conv_options o = {
                .type = ARGAND_R32, .rank = 1, .n = {40}, .kernel = {4}, .method = methods[m]};
            double largest;
            argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                         *kernel = filled(new_kernel(&o, o.type), (const float[4]){0, 0, 0, 0}), *light;
            randomise(image, 1, 0, 0);
            OK(argand_array_part(&light, image, 0, 7, 1));
            if (wide) OK(argand_array_fill(light, (argand_scalar){1e12, 0}));
            argand_array_destroy(light);
            OK(argand_array_fill(out, (argand_scalar){1, 0}));
            OK(argand_conv_create(&conv, device, &o));
            OK(argand_conv_set_kernel(conv, kernel));
            OK(argand_conv_apply(conv, out, image));
            OK(argand_array_max_abs(&largest, out));
            assert_true(largest == 0);
            argand_conv_destroy(conv);
            argand_array_destroy(image);
            argand_array_destroy(out);
            argand_array_destroy(kernel);
        }
}

static void bad_kernels(void **state)
{
    (void)state;
    for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++) {
        argand_conv *conv;
        argand_conv_options o = {.type = ARGAND_R32,
                                 .rank = 1,
                                 .n = {40},
                                 .kernel = {4},
                                 .normalise = ARGAND_CONV_PER_CHANNEL,
                                 .method = methods[m]};
        argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                     *kernel = filled(new_kernel(&o, o.type), (const float[4]){1, 2, 3, 2});
        randomise(image, 1, 0, 0);
        OK(argand_conv_create(&conv, device, &o));
        FAILS(argand_conv_apply(conv, out, image), ARGAND_ARGUMENT, "no kernel yet");
        OK(argand_conv_set_kernel(conv, kernel));
        OK(argand_conv_apply(conv, out, image));
        double *wanted = as_doubles(out);
        filled(kernel, (const float[4]){0, 0, 0, 0});
        FAILS(argand_conv_set_kernel(conv, kernel), ARGAND_NUMERIC, "sums up to 0");
        filled(kernel, (const float[4]){0, NAN, 0, 0});
        FAILS(argand_conv_set_kernel(conv, kernel), ARGAND_NUMERIC, "element 1 of channel 0");
        filled(kernel, (const float[4]){0, 1, INFINITY, 0});
        FAILS(argand_conv_set_kernel(conv, kernel), ARGAND_NUMERIC, "not finite");
        filled(kernel, (const float[4]){1, -2, 0.5f, 0.5f});
        FAILS(argand_conv_set_kernel(conv, kernel), ARGAND_NUMERIC, "sums up to 0");
        OK(argand_conv_apply(conv, out, image));
        assert_true(error_of(out, wanted) == 0);
        FAILS(argand_conv_set_kernel(conv, image), ARGAND_ARGUMENT, "dimension 0 of the kernel is 40");
        FAILS(argand_conv_apply(conv, out, kernel), ARGAND_ARGUMENT, "dimension 0 of the input is 4");
        FAILS(argand_conv_apply(conv, out, out), ARGAND_ARGUMENT, "share memory");
        free(wanted);
        argand_conv_destroy(conv);
        argand_array_destroy(image);
        argand_array_destroy(out);
        argand_array_destroy(kernel);
    }
}

/* Kernels whose sums or squares doubles do not hold, normalised: what those near one give. */
static void far_from_one(void **state)
{
    static const double sizes[] = {1, 1e-300, 4e307, 1e-160};
    (void)state;
    if (!device_has_double(device)) skip();
    for (int how = ARGAND_CONV_PER_CHANNEL; how <= ARGAND_CONV_LUMINANCE; how++) {
        argand_conv *conv;
        argand_conv_options o = {
            .type = ARGAND_R64, .rank = 1, .n = {40}, .kernel = {4}, .normalise = (argand_conv_normalise)how};
        argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                     *kernel = new_kernel(&o, o.type);
        double *wanted = NULL;
        randomise(image, 1, 0, 0);
        OK(argand_conv_create(&conv, device, &o));
        for (int i = 0; i < 4; i++) {
            const double s = sizes[i], taps[4] = {s, 2 * s, 3 * s, 2 * s};
            OK(argand_array_upload(kernel, taps));
            OK(argand_conv_set_kernel(conv, kernel));
            OK(argand_conv_apply(conv, out, image));
            if (!wanted) wanted = as_doubles(out);
            CHECK_BELOW(error_of(out, wanted), 4e-15);
        }
        free(wanted);
        argand_conv_destroy(conv);
        argand_array_destroy(image);
        argand_array_destroy(out);
        argand_array_destroy(kernel);
    }
}

#define REFUSED(change, status, message)                                                        \
    do {                                                                                        \
        argand_conv_options o = {.type = ARGAND_R32, .rank = 2, .n = {8, 9}, .kernel = {3, 3}}; \
        argand_conv *conv;                                                                      \
        change;                                                                                 \
        FAILS(argand_conv_create(&conv, device, &o), status, message);                          \
        assert_null(conv);                                                                      \
    } while (0)

static void bad_options(void **state)
{
    (void)state;
    REFUSED(o.rank = 0, ARGAND_ARGUMENT, "rank is 0");
    REFUSED(o.rank = 4, ARGAND_ARGUMENT, "rank is 4");
    REFUSED(o.n[1] = 0, ARGAND_ARGUMENT, "axis 1 has 0 elements");
    REFUSED(o.kernel[0] = -1, ARGAND_ARGUMENT, "kernel of -1");
    REFUSED(o.n[0] = INT64_MAX / 2, ARGAND_ARGUMENT, "too large for any memory");
    REFUSED(o.type = ARGAND_R16, ARGAND_ARGUMENT, "type is half");
    REFUSED(o.in_type = ARGAND_C32, ARGAND_ARGUMENT, "in_type");
    REFUSED(o.out_type = ARGAND_R64, ARGAND_ARGUMENT, "precision");
    REFUSED(o.channels = 3; o.kernel_channels = 2, ARGAND_ARGUMENT, "kernel_channels is 2");
    REFUSED(o.mode = (argand_conv_mode)3, ARGAND_ARGUMENT, "mode 3");
    REFUSED(o.mode = ARGAND_CONV_VALID; o.kernel[0] = 9, ARGAND_ARGUMENT, "no result along axis 0");
    REFUSED(o.border[1].after = (argand_border)9, ARGAND_ARGUMENT, "border 9 of axis 1");
    REFUSED(o.centre_given = true; o.centre[0] = 3, ARGAND_ARGUMENT, "centre is 3 along axis 0");
    REFUSED(o.constant.im = 1, ARGAND_ARGUMENT, "imaginary part is not 0");
    REFUSED(o.constant.re = NAN, ARGAND_ARGUMENT, "not finite");
    REFUSED(o.normalise = ARGAND_CONV_LUMINANCE;
            o.channels = o.kernel_channels = 2, ARGAND_ARGUMENT, "the kernel has 2 channels, but luminance");
}

static float of_half(unsigned short half)
{
    const int exponent = half >> 10 & 31, sign = half >> 15 ? -1 : 1;
    return (float)sign * (exponent ? ldexpf((float)(1024 + (half & 1023)), exponent - 25)
                                   : ldexpf((float)(half & 1023), -24));
}

/* Halves and bytes on both sides, all borders, on devices by sums too, and doubles of the same numbers. */
static void storage_types(void **state)
{
    (void)state;
    for (int i = 0; i < (device_is_host(device) ? 10 : 20); i++) {
        argand_conv_options o = {.type = ARGAND_R32,
                                 .rank = 2,
                                 .n = {31, 22},
                                 .kernel = {8, 5},
                                 .channels = 3,
                                 .method = i < 10 ? ARGAND_CONV_FFT : ARGAND_CONV_DIRECT,
                                 .interleaved = i % 10 > 4,
                                 .normalise = ARGAND_CONV_PER_CHANNEL,
                                 .constant = {7, 0},
                                 .in_type = i % 2 ? ARGAND_U8 : ARGAND_R16,
                                 .out_type = i % 2 ? ARGAND_U8 : ARGAND_R16};
        enum { COUNT = 31 * 22 * 3 };
        unsigned short halves[COUNT];
        unsigned char bytes[COUNT];
        double x[COUNT], y[COUNT];
        argand_conv *conv;
        random_state random = {7};
        for (int d = 0; d < 2; d++) o.border[d].before = o.border[d].after = (argand_border)(i % 5);
        argand_array *image = new_images(&o, o.in_type, false), *out = new_images(&o, o.out_type, true),
                     *kernel = new_kernel(&o, o.type);
        randomise(kernel, 4, 0, 1);
        for (int j = 0; j < COUNT; j++) {
            halves[j] = (unsigned short)(0x3c00 + (int)(4096 * random_uniform(&random)));
            bytes[j] = (unsigned char)(256 * random_uniform(&random));
            x[j] = i % 2 ? bytes[j] : (double)of_half(halves[j]);
        }
        OK(argand_array_upload(image, i % 2 ? (void *)bytes : (void *)halves));
        OK(argand_conv_create(&conv, device, &o));
        OK(argand_conv_set_kernel(conv, kernel));
        OK(argand_conv_apply(conv, out, image));
        OK(argand_array_download(out, i % 2 ? (void *)bytes : (void *)halves));
        double *h = as_doubles(kernel), sum = 0, worst = 0;
        for (int j = 0; j < 40; j++) sum += h[j];
        for (int j = 0; j < 40; j++) h[j] /= sum;
        double *wanted = reference_conv(&o, x, o.type, h, o.type);
        for (int j = 0; j < COUNT; j++) {
            y[j] = i % 2 ? bytes[j] : (double)of_half(halves[j]);
            worst = fmax(worst, fabs(y[j] - wanted[j]));
        }
        if (i % 2)
            CHECK_BELOW(worst, 0.5 + 1e-3);
        else
            CHECK_BELOW(relative_error(y, wanted, COUNT), 1e-3);
        free(h);
        free(wanted);
        argand_conv_destroy(conv);
        argand_array_destroy(image);
        argand_array_destroy(out);
        argand_array_destroy(kernel);
    }
}

/* Whichever is the faster way: what comes out is right, and nothing of the other one is left. */
static void measured(void **state)
{
    (void)state;
    for (int64_t k = 1; k < 70; k += 33) {
        argand_conv_info info;
        argand_conv_options o = {
            .type = ARGAND_R32, .rank = 2, .n = {61, 52}, .kernel = {k, 3}, .effort = ARGAND_MEASURE};
        convolved c = convolved_new(&o);
        randomise(c.image, 1, 0, 0);
        randomise(c.kernel, 2, 0, 0);
        convolved_run(&c, &o);
        argand_conv_describe(c.conv, &info);
        assert_true(!strcmp(info.method, "direct") == !info.padded[0]);
        double *wanted = reference_conv(&o, c.x, o.type, c.h, o.type);
        CHECK_BELOW(error_of(c.out, wanted), 2e-6);
        free(wanted);
        convolved_free(&c);
    }
}

static argand_status all_of_it(const argand_conv_options *o, const argand_array *kernel,
                               const argand_array *image, argand_array *out)
{
    argand_conv *conv;
    argand_conv_spectrum *spectrum = NULL;
    argand_status status = argand_conv_create(&conv, device, o);
    if (status) return status;
    status = argand_conv_set_kernel(conv, kernel);
    if (!status) status = argand_conv_set_sharpness(conv, 0.5);
    if (!status) status = argand_conv_apply(conv, out, image);
    if (!status && o->method == ARGAND_CONV_FFT && !o->memory) {
        status = argand_conv_spectrum_create(&spectrum, kernel, o);
        if (!status) status = argand_conv_set_spectrum(conv, spectrum, NULL, ARGAND_CONV_CUBIC);
    }
    argand_conv_spectrum_destroy(spectrum);
    argand_conv_destroy(conv);
    return status;
}

static argand_status sharpen_again(const argand_conv_options *o, const argand_array *kernel,
                                   const argand_array *image, argand_array *out)
{
    argand_deconv *deconv;
    const argand_deconv_options d = {.conv = *o, .method = ARGAND_DECONV_RICHARDSON_LUCY, .iterations = 2};
    argand_status status = argand_deconv_create(&deconv, device, &d);
    if (status) return status;
    status = argand_deconv_set_kernel(deconv, kernel);
    if (!status) status = argand_deconv_apply(deconv, out, image);
    argand_deconv_destroy(deconv);
    return status;
}

/* Each allocation fails once: that is an error, and nothing is left (the harness counts). */
static void out_of_memory(void **state)
{
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        argand_conv_options o = {.type = ARGAND_R32,
                                 .rank = 2,
                                 .n = {14, 11},
                                 .kernel = {3, 4},
                                 .method = kind == 1 ? ARGAND_CONV_DIRECT : ARGAND_CONV_FFT};
        if (kind == 2) o.border[0].before = ARGAND_BORDER_MIRROR;
        if (kind == 3 || kind == 5) o.memory = SIZE_MAX;
        argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                     *kernel = new_kernel(&o, o.type);
        argand_status status = ARGAND_MEMORY;
        randomise(image, 3, 0, 1);
        randomise(kernel, 4, 0, 1);
        for (long n = 1; status; n++) {
            argand_test_fail_allocation(n);
            status = kind >= 4 ? sharpen_again(&o, kernel, image, out) : all_of_it(&o, kernel, image, out);
            argand_test_fail_allocation(0);
            if (status) assert_int_equal(status, ARGAND_MEMORY);
            assert_true(n < 5000);
        }
        argand_array_destroy(image);
        argand_array_destroy(out);
        argand_array_destroy(kernel);
    }
}

/* On hosts alone: drivers and compilers allocate as they like. */
static void allocations(void **state)
{
    if (device_is_host(device)) out_of_memory(state);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(identity_gives_the_image),
                                          cmocka_unit_test(sharpening_is_linear),
                                          cmocka_unit_test(sums_are_kept),
                                          cmocka_unit_test(kernel_of_zeros),
                                          cmocka_unit_test(bad_kernels),
                                          cmocka_unit_test(far_from_one),
                                          cmocka_unit_test(bad_options),
                                          cmocka_unit_test(storage_types),
                                          cmocka_unit_test(measured),
                                          cmocka_unit_test(allocations)};
RUN_TESTS(tests)
