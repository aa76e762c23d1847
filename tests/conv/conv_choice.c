/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums or transforms, without measuring: problems of which one method takes less than two thirds of the
 * other's time wherever both were measured (docs/performance/conv.md); plans do what --explain says of the
 * two. */
#include "reference.h"
#include "device/device.h"

typedef struct problem {
    int rank;
    int64_t n, k;
    const char *faster;
} problem;

static const problem known[] = {
    {2, 512, 3, "direct"},    {2, 1024, 1, "direct"},   {2, 1024, 5, "direct"},
    {2, 1024, 31, "fft"},     {3, 128, 1, "direct"},    {3, 64, 9, "fft"},
    {1, 100000, 3, "direct"}, {1, 100000, 1025, "fft"}, {2, 200, 300, "fft"},
};

static argand_conv_options options_of(const problem *p)
{
    argand_conv_options o = {.type = ARGAND_R32, .rank = p->rank};
    for (int d = 0; d < p->rank; d++) {
        o.n[d] = p->n;
        o.kernel[d] = p->k;
    }
    return o;
}

/* Whether nobody has measured such a device. */
static bool is_unknown(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.is_processor;
}

static void as_measured(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        argand_conv *conv;
        argand_conv_info info;
        const argand_conv_options o = options_of(&known[i]);
        OK(argand_conv_create(&conv, device, &o));
        argand_conv_describe(conv, &info);
        if (strcmp(info.method, is_unknown() ? "fft" : known[i].faster) != 0)
            fail_msg("%d axes of %lld, kernel %lld: %s", o.rank, (long long)o.n[0], (long long)o.kernel[0],
                     info.method);
        argand_conv_destroy(conv);
    }
}

/* Milliseconds of both methods as the text has them; false: it says none. */
static bool read_times(const argand_conv *conv, double *sums, double *transforms)
{
    char text[4096];
    argand_conv_explain(conv, text, sizeof text);
    const char *at = strstr(text, "predicted time: ");
    return at && sscanf(at, "predicted time: direct sums %lg ms, transforms %lg ms", sums, transforms) == 2;
}

static void check_said(const argand_conv_options *o, int *direct, int *fft)
{
    argand_conv *conv;
    argand_conv_info info;
    double sums, transforms;
    OK(argand_conv_create(&conv, device, o));
    argand_conv_describe(conv, &info);
    const bool said = read_times(conv, &sums, &transforms), is_direct = !strcmp(info.method, "direct");
    const double margin = device_is_host(device) ? 1 : 1.1;
    if (o->method == ARGAND_CONV_AUTO && !is_unknown()) {
        assert_true(said && sums > 0);
        if (fabs(sums / (margin * transforms) - 1) > 0.02) /* they are rounded */
            assert_true(is_direct == (sums < margin * transforms));
        *direct += is_direct;
        *fft += !is_direct;
    } else
        assert_false(said);
    argand_conv_destroy(conv);
}

/* From one tap to many, borders that are made by a pass of their own, channels, and both precisions; where
 * the method was asked for, nothing was predicted. */
static void as_explained(void **state)
{
    int direct = 0, fft = 0;
    (void)state;
    for (int i = 0; i < 12; i++) {
        argand_conv_options o = {.type = i % 3 == 2 && device_has_double(device) ? ARGAND_R64 : ARGAND_R32,
                                 .rank = 2,
                                 .n = {300 + 100 * (i % 3), 257},
                                 .kernel = {1 + 3 * i, 2 + 2 * i},
                                 .channels = 1 + i % 2,
                                 .method = i == 5 ? ARGAND_CONV_FFT : ARGAND_CONV_AUTO};
        o.border[0].before = i % 4 == 3 ? ARGAND_BORDER_CONSTANT : ARGAND_BORDER_ZERO;
        o.border[1].before = o.border[1].after = i % 4 ? ARGAND_BORDER_MIRROR : ARGAND_BORDER_ZERO;
        check_said(&o, &direct, &fft);
    }
    assert_true(is_unknown() || (direct > 0 && fft > 0));
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(as_measured), cmocka_unit_test(as_explained)};
RUN_TESTS(tests)
