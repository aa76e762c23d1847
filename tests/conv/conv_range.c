/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of a high dynamic range, and those with NaN or infinity, against direct sums in double: each error
 * is relative to sum |h| |x| there, and where that is 0 the result is 0. */
#include "reference.h"
#include "device/device.h"

enum { WIDTH = 40, HEIGHT = 36 };

/* What is bright in front of a dark background. */
typedef enum scene { ONE_LIGHT, STARS, WINDOW, NOISE_AND_LIGHT, ON_ZEROS, SCENES } scene;

static const char *const scene_names[] = {"one light", "stars", "window", "noise and light",
                                          "window on zeros"};

static bool is_double(argand_type type)
{
    return type == ARGAND_R64 || type == ARGAND_C64;
}

static double brightness(scene s, int64_t x, int64_t y, double light, random_state *random)
{
    const double u = random_uniform(random), v = random_uniform(random);
    const bool inside = x >= 12 && x < 24 && y >= 9 && y < 20;
    switch (s) {
    case ONE_LIGHT:
        return x == 17 && y == 21 ? light : 1e-3;
    case STARS:
        return v < 0.02 ? 1e-3 + pow(light, u) : 1e-3 * u;
    case WINDOW:
        return inside ? light * (1 + u) : 1e-3 * (1 + u);
    case NOISE_AND_LIGHT:
        return x == 5 && y == 5 ? light : u - 0.5;
    default:
        return inside ? light * (1 + u) : 0;
    }
}

static void fill_scene(argand_array *image, const argand_conv_options *o, scene s, double light)
{
    const int64_t count = argand_array_count(image), channels = or_one(o->channels);
    const int parts = is_pairs(argand_array_type(image)) ? 2 : 1;
    double *numbers = malloc((size_t)(count * parts) * sizeof *numbers);
    float *floats = malloc((size_t)(count * parts) * sizeof *floats);
    random_state random = {7};
    assert_true(numbers && floats);
    for (int64_t i = 0; i < count * parts; i++) {
        const int64_t element = o->interleaved ? i / parts / channels : i / parts;
        const int64_t at = element % (WIDTH * HEIGHT),
                      number = o->interleaved ? i / parts % channels : element / (WIDTH * HEIGHT);
        /* channels and images of other brightness, the last one an ordinary picture */
        const double share = number == 0 ? 1 : 1e-2 * light;
        numbers[i] = number == 2 ? 1 + random_uniform(&random)
                                 : share * brightness(s, at % WIDTH, at / WIDTH, light, &random);
        floats[i] = (float)numbers[i];
    }
    OK(argand_array_upload(image, is_double(argand_array_type(image)) ? (void *)numbers : (void *)floats));
    free(numbers);
    free(floats);
}

static double size_of(const double *x, size_t i, int parts)
{
    return parts == 2 ? hypot(x[2 * i], x[2 * i + 1]) : fabs(x[i]);
}

static double *sizes_of(const double *x, size_t count, int parts)
{
    double *sizes = calloc(count * (size_t)parts, sizeof *sizes);
    assert_non_null(sizes);
    for (size_t i = 0; i < count; i++) sizes[(size_t)parts * i] = size_of(x, i, parts);
    return sizes;
}

/* The largest error over sum |h| |x|; infinite where something stands in the place of 0. */
static double worst(const double *got, const argand_conv_options *o, const double *x, const double *h)
{
    const int parts = is_pairs(o->type) ? 2 : 1;
    const size_t results = (size_t)(count_of(o, true) * or_one(o->channels) * or_one(o->batch)),
                 elements = (size_t)(count_of(o, false) * or_one(o->channels) * or_one(o->batch)),
                 taps = (size_t)(taps_of(o) * or_one(o->kernel_channels));
    double *wanted = reference_conv(o, x, o->type, h, o->type), *dx = sizes_of(x, elements, parts),
           *dh = sizes_of(h, taps, parts), *scale = reference_conv(o, dx, o->type, dh, o->type), most = 0;
    for (size_t i = 0; i < results; i++) {
        double difference[2] = {got[(size_t)parts * i] - wanted[(size_t)parts * i]};
        if (parts == 2) difference[1] = got[2 * i + 1] - wanted[2 * i + 1];
        const double error = hypot(difference[0], difference[1]), size = size_of(scale, i, parts);
        most = fmax(most, size > 0 ? error / size : error > 0 ? INFINITY : 0);
    }
    free(wanted);
    free(dx);
    free(dh);
    free(scale);
    return most;
}

typedef struct outcome {
    double error;
    int64_t wide;
} outcome;

static outcome convolve(const argand_conv_options *o, scene s, double light)
{
    argand_conv_info info;
    convolved c = convolved_new(o);
    fill_scene(c.image, o, s, light);
    randomise(c.kernel, 5, is_pairs(o->type) ? 0 : 0.05, is_pairs(o->type) ? 0 : 1);
    convolved_run(&c, o);
    argand_conv_describe(c.conv, &info);
    const outcome result = {worst(c.y, o, c.x, c.h), info.wide};
    convolved_free(&c);
    return result;
}

static argand_conv_options problem(int i)
{
    static const argand_type types[] = {ARGAND_R32, ARGAND_R32, ARGAND_C32, ARGAND_R64};
    argand_conv_options o = {.type = types[i % 4],
                             .rank = 2,
                             .n = {WIDTH, HEIGHT},
                             .kernel = {5 + i % 3, 7 + i % 4},
                             .channels = i % 5 == 2 ? 3 : 1,
                             .batch = i % 5 == 4 ? 3 : 1,
                             .interleaved = i % 2,
                             .mode = (argand_conv_mode)(i % 3),
                             .constant = {2e-3, 0},
                             .correlate = i % 7 == 3,
                             .method = ARGAND_CONV_FFT};
    for (int d = 0; d < 2; d++) o.border[d].before = o.border[d].after = (argand_border)((i + i / 5) % 5);
    return o;
}

/* Single precision: 3e-5 of what is dark by the plan's choice, more where a complex kernel cancels nothing;
 * double precision beyond its range. On zeros a double plan leaves its rounding. */
static void relative_to_what_is_there(void **state)
{
    static const double lights[] = {30, 65504, 1e6, 1e12, 1e25};
    (void)state;
    for (int i = 0; i < 25 * SCENES; i += few() ? 7 : 1) {
        const argand_conv_options o = problem(i);
        const scene s = (scene)(i % SCENES);
        const double light = lights[i / SCENES % 5], limit = is_double(o.type) ? 1e-11 : 4e-5;
        if (is_double(o.type) && (s == ON_ZEROS || !device_has_double(device))) continue;
        const outcome result = convolve(&o, s, light);
        if (!(result.error <= limit))
            fail_msg("problem %d, %s, %s of %g: error %g", i, argand_type_name(o.type), scene_names[s], light,
                     result.error);
    }
}

/* What each setting does; an ordinary image costs nothing but being read. */
static void as_asked(void **state)
{
    argand_conv_options o = problem(0);
    (void)state;
    o.batch = 3; /* the last one is an ordinary picture */
    assert_int_equal(convolve(&o, ONE_LIGHT, 1e6).wide, 2);
    assert_int_equal(convolve(&o, NOISE_AND_LIGHT, 1).wide, 0);
    o.range = ARGAND_CONV_RANGE_WIDE;
    assert_int_equal(convolve(&o, NOISE_AND_LIGHT, 1).wide, 3);
    o.range = ARGAND_CONV_RANGE_NARROW;
    const outcome narrow = convolve(&o, ONE_LIGHT, 1e6);
    assert_int_equal(narrow.wide, 0);
    assert_true(narrow.error > 1e-2); /* which is why there are others */
    o.range = ARGAND_CONV_RANGE_AUTO;
    o.method = ARGAND_CONV_DIRECT;
    if (!device_is_host(device)) return;
    CHECK_BELOW(convolve(&o, ONE_LIGHT, 1e6).error, 1e-6);
}

/* Tiles have ranges of their own, and what a border puts into a tile does not count. */
static void in_tiles(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i += few() ? 3 : 1) {
        argand_conv_options o = problem(4 * i); /* single precision */
        o.memory = 150000;
        CHECK_BELOW(convolve(&o, (scene)(i % SCENES), i % 2 ? 1e6 : 1e12).error, 4e-5);
        o.border[0] = o.border[1] = (argand_conv_border){ARGAND_BORDER_ZERO, ARGAND_BORDER_ZERO};
        assert_int_equal(convolve(&o, NOISE_AND_LIGHT, 1).wide, 0);
    }
}

/* ---- what is not finite ---- */

static bool alike(double a, double b)
{
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    return isinf(a) || isinf(b) ? a == b : true;
}

/* Every product of the definition, as IEEE 754 has it. */
static double sum_at(const double *x, const double *h, const argand_conv_options *o, int64_t r)
{
    const reference_axis a[2] = {reference_of(o, 0), reference_of(o, 1)};
    double sum = 0;
    for (int64_t j = 0; j < a[0].k * a[1].k; j++) {
        const int64_t ex = reference_element(r % a[0].out + a[0].first + a[0].c - j % a[0].k, a[0].n,
                                             o->border[0]),
                      ey = reference_element(r / a[0].out + a[1].first + a[1].c - j / a[0].k, a[1].n,
                                             o->border[1]);
        sum += h[j] * (ex < 0 || ey < 0 ? 0 : x[ey * a[0].n + ex]);
    }
    return sum;
}

static void check_strange(const argand_conv_options *o, double value)
{
    const int64_t places[] = {0, WIDTH * 7 + 11, WIDTH * 20 + WIDTH - 1};
    convolved c = convolved_new(o);
    randomise(c.image, 1, 0, 0);
    randomise(c.kernel, 2, 0, 0);
    double *x = as_doubles(c.image), *h = as_doubles(c.kernel);
    float floats[WIDTH * HEIGHT];
    for (int i = 0; i < 3; i++) x[places[i]] = i == 1 ? value : -value;
    for (int64_t i = 0; i < WIDTH * HEIGHT; i++) floats[i] = (float)x[i];
    OK(argand_array_upload(c.image, floats));
    h[0] = 0;
    for (int64_t i = 0; i < taps_of(o); i++) floats[i] = (float)h[i];
    OK(argand_array_upload(c.kernel, floats));
    free(x);
    free(h);
    convolved_run(&c, o);
    for (int64_t i = 0; i < argand_array_count(c.out); i++) {
        const double wanted = sum_at(c.x, c.h, o, i);
        if (!alike(c.y[i], wanted) || (isfinite(wanted) && !(fabs(c.y[i] - wanted) < 1e-4)))
            fail_msg("method %d, border %d: result %lld is %g, not %g", (int)o->method,
                     (int)o->border[0].before, (long long)i, c.y[i], wanted);
    }
    convolved_free(&c);
}

/* NaN and infinity stay within the kernel's reach whatever the method, taps of 0 count. */
static void not_finite(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i += few() ? 5 : 1) {
        argand_conv_options o = problem(4 * i);
        o.channels = o.batch = 1;
        o.correlate = false;
        o.constant.re = 0;
        for (int method = ARGAND_CONV_AUTO; method <= ARGAND_CONV_FFT; method++) {
            o.method = (argand_conv_method)method;
            if (method == ARGAND_CONV_DIRECT && !device_is_host(device) && i > 1) continue;
            check_strange(&o, i % 2 ? (double)INFINITY : (double)NAN);
        }
        o.memory = 150000;
        check_strange(&o, i % 2 ? (double)NAN : (double)INFINITY);
    }
}

/* ---- what it says and refuses ---- */

static void says(void **state)
{
    argand_conv *conv;
    char text[4096];
    argand_conv_options o = problem(0);
    (void)state;
    OK(argand_conv_create(&conv, device, &o));
    argand_conv_explain(conv, text, sizeof text);
    assert_non_null(strstr(text, "dynamic range: each image's range is measured first"));
    assert_non_null(strstr(text, "2 to 3 times as long"));
    argand_conv_destroy(conv);
    o.range = ARGAND_CONV_RANGE_NARROW;
    OK(argand_conv_create(&conv, device, &o));
    argand_conv_explain(conv, text, sizeof text);
    assert_non_null(strstr(text, "dynamic range: all images are computed in the plan's precision"));
    argand_conv_destroy(conv);
    o.range = (argand_conv_range)9;
    assert_int_equal(argand_conv_create(&conv, device, &o), ARGAND_ARGUMENT);
}

/* Too little memory for the second plan is an error, not a wrong result; so is each failed allocation. */
static void refused(void **state)
{
    argand_conv *conv;
    argand_conv_options o = problem(0);
    (void)state;
    o.range_memory = 1000;
    argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                 *kernel = new_kernel(&o, o.type);
    fill_scene(image, &o, STARS, 1e12);
    randomise(kernel, 2, 0, 1);
    OK(argand_conv_create(&conv, device, &o));
    OK(argand_conv_set_kernel(conv, kernel));
    assert_int_equal(argand_conv_apply(conv, out, image), ARGAND_MEMORY);
    assert_non_null(strstr(argand_message(), "high dynamic range"));
    argand_conv_destroy(conv);
    o.range_memory = 0;
    OK(argand_conv_create(&conv, device, &o));
    OK(argand_conv_set_kernel(conv, kernel));
    argand_status status = ARGAND_MEMORY;
    for (long i = 1; status != ARGAND_OK; i++) {
        assert_true(i < 2000);
        argand_test_fail_allocation(i);
        status = argand_conv_apply(conv, out, image);
        argand_test_fail_allocation(0);
        assert_true(status == ARGAND_OK || status == ARGAND_MEMORY);
    }
    argand_conv_destroy(conv);
    argand_array_destroy(image);
    argand_array_destroy(out);
    argand_array_destroy(kernel);
}

/* Sharpness counts in both plans, whenever it is set. */
static void sharpened(void **state)
{
    argand_conv *conv;
    argand_conv_options o = problem(0);
    (void)state;
    argand_array *image = new_images(&o, o.type, false), *out = new_images(&o, o.type, true),
                 *kernel = new_kernel(&o, o.type);
    fill_scene(image, &o, STARS, 1e6);
    randomise(kernel, 2, 0, 1);
    OK(argand_conv_create(&conv, device, &o));
    OK(argand_conv_set_kernel(conv, kernel));
    for (int i = 0; i < 3; i++) {
        const double s = i == 1 ? 1 : 0.25 * i;
        OK(argand_conv_set_sharpness(conv, s));
        OK(argand_conv_apply(conv, out, image));
        double *x = as_doubles(image), *h = as_doubles(kernel), *y = as_doubles(out);
        const int64_t centre = o.kernel[1] / 2 * o.kernel[0] + o.kernel[0] / 2;
        for (int64_t j = 0; j < taps_of(&o); j++) h[j] = (1 - s) * h[j] + (j == centre ? s : 0);
        CHECK_BELOW(worst(y, &o, x, h), 1e-6);
        free(x);
        free(h);
        free(y);
    }
    argand_conv_destroy(conv);
    argand_array_destroy(image);
    argand_array_destroy(out);
    argand_array_destroy(kernel);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(relative_to_what_is_there),
                                          cmocka_unit_test(as_asked),
                                          cmocka_unit_test(in_tiles),
                                          cmocka_unit_test(not_finite),
                                          cmocka_unit_test(says),
                                          cmocka_unit_test(refused),
                                          cmocka_unit_test(sharpened)};
RUN_TESTS(tests)
