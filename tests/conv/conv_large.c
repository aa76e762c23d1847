/* SPDX-License-Identifier: BSD-3-Clause */
/* Large problems: results at some places, against sums in double over all taps. */
#include "reference.h"
#include "device/device.h"

enum { PLACES = 60 };

/* Relative to the norm of what is expected at these places. */
static double error_at_places(const argand_conv_options *o, const double *image, const double *kernel,
                              const double *out)
{
    random_state random = {11};
    double difference = 0, norm = 0;
    int64_t count = 1, taps = 1;
    for (int d = 0; d < o->rank; d++) {
        count *= o->n[d];
        taps *= o->kernel[d];
    }
    for (int p = 0; p < PLACES; p++) {
        const int64_t at = (int64_t)(random_uniform(&random) * (double)count);
        double sum = 0;
        for (int64_t j = 0; j < taps; j++) {
            int64_t e = 0, step = 1, rest = at, tap = j;
            bool zero = false;
            for (int d = 0; d < o->rank; d++) {
                const int64_t i = rest % o->n[d] + o->kernel[d] / 2 - tap % o->kernel[d],
                              x = reference_element(i, o->n[d], o->border[d]);
                zero |= x < 0;
                e += step * x;
                step *= o->n[d];
                rest /= o->n[d];
                tap /= o->kernel[d];
            }
            if (!zero) sum += kernel[j] * image[e];
        }
        difference += (out[at] - sum) * (out[at] - sum);
        norm += sum * sum;
    }
    return sqrt(difference / norm);
}

static void check(argand_conv_options o)
{
    if (o.type == ARGAND_R64 && !device_has_double(device)) return;
    convolved c = convolved_new(&o);
    randomise(c.image, 1, 0, 0);
    randomise(c.kernel, 2, 0, 0);
    convolved_run(&c, &o);
    CHECK_BELOW(error_at_places(&o, c.x, c.h, c.y), o.type == ARGAND_R64 ? 4e-15 : 2e-6);
    convolved_free(&c);
}

static void lengths_that_others_fail_at(void **state)
{
    const argand_conv_border wrap = {ARGAND_BORDER_WRAP, ARGAND_BORDER_WRAP};
    (void)state;
    check((argand_conv_options){
        .type = ARGAND_R32, .rank = 2, .n = {1234, 1234}, .kernel = {61, 33}, .border = {wrap, wrap}});
    check((argand_conv_options){.type = ARGAND_R64, .rank = 1, .n = {4096}, .kernel = {4096}});
    check((argand_conv_options){
        .type = ARGAND_R64, .rank = 1, .n = {4096}, .kernel = {4096}, .border = {wrap}});
    check((argand_conv_options){.type = ARGAND_R32, .rank = 3, .n = {65, 50, 53}, .kernel = {9, 21, 17}});
}

static void larger_ones(void **state)
{
    const argand_conv_border mirror = {ARGAND_BORDER_MIRROR, ARGAND_BORDER_MIRROR};
    (void)state;
    if (is_first_tier()) skip();
    check((argand_conv_options){
        .type = ARGAND_R32, .rank = 2, .n = {8192, 8192}, .kernel = {257, 255}, .method = ARGAND_CONV_FFT});
    check((argand_conv_options){.type = ARGAND_R32,
                                .rank = 3,
                                .n = {200, 180, 160},
                                .kernel = {31, 32, 33},
                                .border = {mirror, mirror, mirror}});
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(lengths_that_others_fail_at),
                                          cmocka_unit_test(larger_ones)};
RUN_TESTS(tests)
