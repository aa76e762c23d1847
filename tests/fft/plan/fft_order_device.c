/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions and frequencies on devices: kernels/fft/order.h compiled and run there, against the same text on
 * the host. */
#include "harness.h"
#include "base/text.h"
#include "device/handle.h"
#include "device/source.h"
#include "kernels/fft/order.h"
#include "kernels/texts.h"

enum { ITEMS_HERE = 64 };

static const char *embedded(const char *file)
{
    for (const kernel_text *t = kernel_texts; t->file; t++)
        if (!strcmp(t->file, file)) return t->text;
    fail_msg("%s is not embedded", file);
    return NULL;
}

static const char kernel[] = "KERNEL void order_test(GLOBAL INDEX *out, PARAMS(fft_order) order GROUP_ARG)\n"
                             "{\n"
                             "    EACH(i, 0, order.n)\n"
                             "    {\n"
                             "        out[3 * i] = fft_order_frequency(&order, i);\n"
                             "        out[3 * i + 1] = fft_order_position(&order, i);\n"
                             "        out[3 * i + 2] = fft_order_mirror(&order, i);\n"
                             "    }\n"
                             "}\n";

static void same_text(void **state)
{
    (void)state;
    const backend *b = device->backend;
    if (!b->items) skip(); /* the host's kernels are C already */
    text t = {0};
    text_add(&t, "#define REAL float\n#define ITEMS %d\n", ITEMS_HERE);
    const char *const files[] = {embedded("portable.h"), embedded("params.h"), embedded("fft/order.h"),
                                 kernel};
    for (int i = 0; i < 4; i++) text_add(&t, "%s\n", files[i]);
    const kernel_source source = {
        .key = "order_test", .name = "order_test", .text = text_chars(&t), .items = ITEMS_HERE};
    kernel_binary binary = {0};
    void *built;
    OK(b->build(device->context, &source, &binary, &built));
    const struct fft_order orders[] = {
        {.n = 60, .radix = {5, 3, 4}, .weight = {12, 4, 1}, .digits = 3},
        {.n = 60, .radix = {5, 3, 4}, .weight = {12, 4, 1}, .digits = 3, .origin = 30},
        {.n = 61, .origin = 30},
        {.n = 1024, .radix = {16, 8, 8}, .weight = {64, 8, 1}, .digits = 3},
    };
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        const struct fft_order *order = &orders[k];
        const size_t bytes = 3 * (size_t)order->n * sizeof(int64_t);
        int64_t *found = malloc(bytes);
        void *memory;
        OK(b->alloc(device->context, bytes, &memory));
        OK(b->launch(device->context, &(kernel_launch){.kernel = built,
                                                       .groups = 1,
                                                       .items = ITEMS_HERE,
                                                       .memory = &memory,
                                                       .memory_count = 1,
                                                       .params = order,
                                                       .params_bytes = sizeof *order}));
        OK(b->download(device->context, found, memory, 0, bytes));
        for (int64_t i = 0; i < order->n; i++) {
            assert_int_equal(found[3 * i], fft_order_frequency(order, i));
            assert_int_equal(found[3 * i + 1], fft_order_position(order, i));
            assert_int_equal(found[3 * i + 2], fft_order_mirror(order, i));
        }
        b->free(device->context, memory);
        free(found);
    }
    b->discard(device->context, built);
    memory_free(binary.bytes);
    text_free(&t);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(same_text)};
RUN_TESTS(tests)
