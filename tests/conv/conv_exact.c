/* SPDX-License-Identifier: BSD-3-Clause */
/* Both methods against the definition in double: modes, borders, centres, layouts, types, kernels larger than
 * the image, and the lengths at which another library's convolution is known to fail. */
#include "reference.h"
#include "device/device.h"

static const char *const border_names[] = {"zero", "constant", "wrap", "clamp", "mirror"};

static double compare(const argand_conv_options *o)
{
    argand_conv *conv;
    argand_array *image = new_images(o, o->type, false), *out = new_images(o, o->type, true),
                 *kernel = new_kernel(o, o->type);
    randomise(image, 1, 0, 0);
    randomise(kernel, 2, 0, 0);
    OK(argand_conv_create(&conv, device, o));
    OK(argand_conv_set_kernel(conv, kernel));
    OK(argand_conv_apply(conv, out, image));
    double *x = as_doubles(image), *h = as_doubles(kernel), *y = as_doubles(out);
    double *wanted = reference_conv(o, x, o->type, h, o->type);
    const size_t count = (size_t)argand_array_count(out) * (is_pairs(o->type) ? 2 : 1);
    const double error = relative_error(y, wanted, count);
    free(x);
    free(h);
    free(y);
    free(wanted);
    argand_conv_destroy(conv);
    argand_array_destroy(image);
    argand_array_destroy(out);
    argand_array_destroy(kernel);
    return error;
}

static bool is_double(argand_type type)
{
    return type == ARGAND_R64 || type == ARGAND_C64;
}

/* By each method. On devices sums have a kernel for each size of taps, which takes long to build: one problem
 * in eight. */
static void check(argand_conv_options o)
{
    static int asked;
    const bool sums = device_is_host(device) || asked++ % 8 == 0;
    for (int method = sums ? ARGAND_CONV_DIRECT : ARGAND_CONV_FFT; method <= ARGAND_CONV_FFT; method++) {
        o.method = (argand_conv_method)method;
        const double error = compare(&o), limit = is_double(o.type) ? 4e-15 : 2e-6;
        if (!(error <= limit))
            fail_msg(
                "%s %d axes, n %lld %lld %lld, kernel %lld %lld %lld, mode %d, border 0 %s to %s, border 1 "
                "%s to %s, method %d: %g",
                argand_type_name(o.type), o.rank, (long long)o.n[0], (long long)o.n[1], (long long)o.n[2],
                (long long)o.kernel[0], (long long)o.kernel[1], (long long)o.kernel[2], (int)o.mode,
                border_names[o.border[0].before], border_names[o.border[0].after],
                border_names[o.border[1].before], border_names[o.border[1].after], method, error);
    }
}

static argand_border both(int64_t *code)
{
    const argand_border border = (argand_border)(*code % 5);
    *code /= 5;
    return border;
}

/* All pairs of sides on a line, at sizes around the kernel's. */
static void lines(void **state)
{
    static const int64_t sizes[][2] = {{1, 1}, {1, 4}, {9, 3}, {10, 4}, {7, 7}, {5, 12}, {6, 33}, {50, 9}};
    (void)state;
    for (int i = 0; i < 8; i++)
        for (int64_t code = 0; code < 25 * 3; code++) {
            int64_t rest = code / 3;
            argand_conv_options o = {.type = ARGAND_R32,
                                     .rank = 1,
                                     .n = {sizes[i][0]},
                                     .kernel = {sizes[i][1]},
                                     .mode = (argand_conv_mode)(code % 3),
                                     .constant = {1.5, 0}};
            o.border[0].before = both(&rest);
            o.border[0].after = both(&rest);
            o.correlate = (code + i) % 2;
            o.centre_given = i % 3 == 1;
            o.centre[0] = (code + i) % o.kernel[0];
            if (o.mode == ARGAND_CONV_VALID && o.kernel[0] > o.n[0]) continue;
            if (few() && (code + i) % 23) continue;
            check(o);
        }
}

/* Borders of several axes together, complex numbers, channels and batches in both layouts. */
static void images(void **state)
{
    static const argand_type types[] = {ARGAND_R32, ARGAND_R64, ARGAND_C32, ARGAND_C64};
    (void)state;
    for (int i = 0; i < 100; i += few() ? 13 : 1) {
        int64_t code = (i * 7919) % 625;
        argand_conv_options o = {.type = types[i % 4],
                                 .rank = 2,
                                 .n = {17 + i % 5, 12 + i % 3},
                                 .kernel = {1 + i % 9, 1 + i % 16},
                                 .channels = 1 + i % 3,
                                 .batch = 1 + i % 2,
                                 .interleaved = i / 2 % 2,
                                 .mode = (argand_conv_mode)(i % 3 == 2 ? 0 : i % 3),
                                 .constant = {-0.7, 0},
                                 .correlate = i % 5 == 1};
        if (i % 3 == 1) o.kernel_channels = o.channels;
        o.border[0].before = o.border[0].after = both(&code);
        o.border[1].before = o.border[1].after = both(&code);
        if (i % 4 == 1) o.border[0].after = both(&code);
        if (i % 8 == 3) o.border[1].before = both(&code);
        if (is_pairs(o.type)) o.constant.im = 0.3;
        if (is_double(o.type) && !device_has_double(device)) continue;
        check(o);
    }
}

static void volumes(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i += few() ? 3 : 1) {
        argand_conv_options o = {.type = i % 3 ? ARGAND_R32 : ARGAND_C32,
                                 .rank = 3,
                                 .n = {11, 7 + i % 2, 6},
                                 .kernel = {3, 1 + i % 4, 5 + i},
                                 .channels = 1 + i % 2,
                                 .mode = i % 4 == 3 ? ARGAND_CONV_FULL : ARGAND_CONV_SAME,
                                 .constant = {2, 0}};
        for (int d = 0; d < 3; d++)
            o.border[d].before = o.border[d].after = (argand_border)((i + d * (i > 4)) % 5);
        check(o);
    }
}

/* Lengths at which VkFFT's convolution is reported to fail, and planes whose sides are not powers of two. */
static void known_lengths(void **state)
{
    static const int64_t lengths[] = {50, 52, 53, 449};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const int64_t n = lengths[i];
        check(
            (argand_conv_options){.type = ARGAND_R32, .rank = 1, .n = {n}, .kernel = {n / 3}, .channels = 3});
        check((argand_conv_options){.type = ARGAND_C32, .rank = 1, .n = {n}, .kernel = {n}});
        check((argand_conv_options){.type = ARGAND_R32, .rank = 2, .n = {n, 9}, .kernel = {21, 3}});
        argand_conv_options o = {.type = ARGAND_R32, .rank = 2, .n = {9, n}, .kernel = {2, 31}};
        o.border[1] = (argand_conv_border){ARGAND_BORDER_WRAP, ARGAND_BORDER_WRAP};
        check(o);
    }
}

/* Work memory that another call left full of what is no number. */
static void after_no_numbers(void **state)
{
    argand_conv *conv;
    argand_conv_options o = {.type = ARGAND_R32, .rank = 2, .n = {100, 35}, .kernel = {5, 4}};
    argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                 *kernel = new_kernel(&o, o.type);
    (void)state;
    randomise(kernel, 2, 0, 0);
    OK(argand_array_fill(image, (argand_scalar){NAN, 0}));
    o.method = ARGAND_CONV_DIRECT;
    OK(argand_conv_create(&conv, device, &o));
    OK(argand_conv_set_kernel(conv, kernel));
    for (int i = 0; i < 4; i++) OK(argand_conv_apply(conv, out, image));
    argand_conv_destroy(conv);
    argand_array_destroy(image);
    argand_array_destroy(out);
    argand_array_destroy(kernel);
    for (int64_t rows = 1; rows < 36; rows += 2)
        check((argand_conv_options){.type = ARGAND_R32, .rank = 2, .n = {100, rows}, .kernel = {5, 4}});
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(after_no_numbers),
                                          cmocka_unit_test(images), cmocka_unit_test(volumes),
                                          cmocka_unit_test(known_lengths)};
RUN_TESTS(tests)
