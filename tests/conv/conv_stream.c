/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals block by block: y[t] = sum_j h[j] x[t - j] across the blocks, in double, for kernels shorter and
 * longer than a block; after a reset they begin anew. */
#include "reference.h"

enum { BLOCKS = 7, MOST = 4000 };

static void check_pass(argand_conv_stream *stream, const argand_conv_options *o, argand_array *in,
                       argand_array *out, const double *h)
{
    const int64_t block = o->n[0], channels = or_one(o->channels), all = BLOCKS * block;
    double x[MOST], y[MOST], wanted[MOST];
    for (int b = 0; b < BLOCKS; b++) {
        randomise(in, (uint64_t)b + 1, 0, 0);
        OK(argand_conv_stream_push(stream, out, in));
        double *was = as_doubles(in), *is = as_doubles(out);
        for (int64_t c = 0; c < channels; c++)
            for (int64_t i = 0; i < block; i++) {
                const int64_t at = o->interleaved ? i * channels + c : c * block + i;
                x[c * all + b * block + i] = was[at];
                y[c * all + b * block + i] = is[at];
            }
        free(was);
        free(is);
    }
    for (int64_t c = 0; c < channels; c++)
        for (int64_t t = 0; t < all; t++) {
            double sum = 0;
            for (int64_t j = 0; j < o->kernel[0] && j <= t; j++) sum += h[j] * x[c * all + t - j];
            wanted[c * all + t] = sum;
        }
    CHECK_BELOW(relative_error(y, wanted, (size_t)(all * channels)), 2e-6);
}

static void blocks(void **state)
{
    static const int64_t sizes[][2] = {{64, 9}, {50, 33}, {16, 100}, {128, 1}, {31, 31}};
    (void)state;
    for (int i = 0; i < 10; i++) {
        argand_conv_options o = {.type = ARGAND_R32,
                                 .rank = 1,
                                 .n = {sizes[i / 2][0]},
                                 .kernel = {sizes[i / 2][1]},
                                 .channels = 1 + i % 4,
                                 .interleaved = i % 3 == 1,
                                 .method = i % 2 ? ARGAND_CONV_FFT : ARGAND_CONV_AUTO};
        argand_conv_stream *stream;
        argand_array *in = new_images(&o, o.type, false), *out = new_images(&o, o.type, false),
                     *kernel = new_kernel(&o, o.type);
        randomise(kernel, 2, 0, 0);
        double *h = as_doubles(kernel);
        OK(argand_conv_stream_create(&stream, device, &o));
        FAILS(argand_conv_stream_push(stream, out, kernel), ARGAND_ARGUMENT,
              o.kernel[0] == o.n[0] && o.channels == 1 ? "no kernel yet" : "blocks are");
        OK(argand_conv_stream_set_kernel(stream, kernel));
        check_pass(stream, &o, in, out, h);
        OK(argand_conv_stream_reset(stream));
        check_pass(stream, &o, in, out, h);
        free(h);
        argand_conv_stream_destroy(stream);
        argand_array_destroy(in);
        argand_array_destroy(out);
        argand_array_destroy(kernel);
    }
}

static void refused(void **state)
{
    argand_conv_stream *stream;
    argand_conv_options o = {.type = ARGAND_R32, .rank = 2, .n = {8, 8}, .kernel = {3, 3}};
    (void)state;
    FAILS(argand_conv_stream_create(&stream, device, &o), ARGAND_ARGUMENT, "a stream needs rank 1");
    o.rank = 1;
    o.memory = 1 << 20;
    FAILS(argand_conv_stream_create(&stream, device, &o), ARGAND_UNSUPPORTED, "memory limit");
    o.memory = 0;
    o.kernel[0] = 0;
    FAILS(argand_conv_stream_create(&stream, device, &o), ARGAND_ARGUMENT, "the kernel 0");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(blocks), cmocka_unit_test(refused)};
RUN_TESTS(tests)
