/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the cost of a convolution: padding, passes, bytes, and the number of transforms for each order of
 * the axes. */
#include "conv/wide.h"

#include <argand/fft_info.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"

static void add_axes(text *t, const argand_conv *c)
{
    for (int d = 0; d < c->options.rank; d++) {
        const conv_axis *a = &c->axis[d];
        text_add(t, "axis %d: %lld elements, %lld taps from %lld to %lld, %lld results from element %lld", d,
                 (long long)a->n, (long long)a->k, (long long)a->low, (long long)a->high, (long long)a->out,
                 (long long)a->first);
        if (c->fft)
            text_add(t, ", transforms of %lld points (%.3g times)", (long long)a->points,
                     (double)a->points / (double)a->n);
        text_add(t, "\n");
    }
}

static void add_passes(text *t, const argand_fft *fft)
{
    const int count = argand_fft_pass_count(fft, ARGAND_FORWARD);
    for (int i = 0; i < count; i++) {
        argand_fft_pass p;
        if (argand_fft_pass_describe(fft, ARGAND_FORWARD, i, &p) != ARGAND_OK) continue;
        text_add(t, "pass %d: %s, %lld lines of %lld, reads %.4g MB, writes %.4g MB\n", i, p.what,
                 (long long)p.lines, (long long)p.length, 1e-6 * (double)p.read_bytes,
                 1e-6 * (double)p.write_bytes);
    }
}

/* Counts the lines transformed, forward and inverse, if the axes are transformed in the given order. An
 * axis has n elements before its own transform and all padded points afterwards. Real lines count half:
 * two are transformed together, and their spectra have half the length. */
static double transforms_in_order(const argand_conv *c, const int *order)
{
    const int rank = c->options.rank;
    const bool real = !type_is_complex(c->options.type);
    double sum = 0;
    for (int output = 0; output < 2; output++)
        for (int i = 0; i < rank; i++) {
            double lines = real && i == 0 ? 0.5 : 1;
            for (int j = 0; j < rank; j++) {
                const conv_axis *a = &c->axis[order[j]];
                if (j == i) continue;
                lines *= j > i        ? (double)(output ? a->out : a->n)
                         : real && !j ? (double)(a->points / 2 + 1)
                                      : (double)a->points;
            }
            sum += lines;
        }
    return sum * (double)(c->options.channels * c->options.batch);
}

static void add_orders(text *t, const argand_conv *c)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const int count = c->options.rank == 3 ? 6 : c->options.rank;
    for (int i = 0; i < count; i++) {
        text_add(t, "transforms with axes in the order");
        for (int d = 0; d < c->options.rank; d++) text_add(t, " %d", orders[i][d]);
        text_add(t, ": %.0f\n", transforms_in_order(c, orders[i]));
    }
}

static void add_tiles(text *t, const argand_conv *c)
{
    int64_t out[3];
    char inner[1024];
    argand_conv_print(conv_tiles_inner(c, out), inner, sizeof inner);
    text_add(t, "tiles of %lld x %lld x %lld results, each by %s\n", (long long)out[0], (long long)out[1],
             (long long)out[2], inner);
}

static void add_range(text *t, const argand_conv *c)
{
    int64_t out[3];
    if (c->tiles) c = conv_tiles_inner(c, out);
    if (c->engine == &conv_direct_engine) return;
    text_add(t, "dynamic range: %s\n",
             !c->wide ? "all images are computed in the plan's precision"
             : c->options.range == ARGAND_CONV_RANGE_WIDE
                 ? "all images are computed in double precision, which takes 2 to 3 times as long"
                 : "each image's range is measured first; an image with too high a dynamic range is computed "
                   "in double precision (2 to 3 times as long) or layer by layer (5 to 9 times as long)");
    if (conv_wide_calls(c))
        text_add(t, "images computed in double precision so far: %lld\n", (long long)conv_wide_calls(c));
}

void argand_conv_explain(const argand_conv *c, char *chars, size_t size)
{
    text t = {0};
    if (chars && size) *chars = 0;
    if (!c || !chars || !size) return;
    add_axes(&t, c);
    if (c->extends) text_add(&t, "borders: filled by a separate pass\n");
    if (c->tiles) add_tiles(&t, c);
    if (c->engine == &conv_direct_engine) text_add(&t, "direct sums\n");
    if (c->predicted.transforms > 0)
        text_add(&t, "predicted time: direct sums %.3g ms, transforms %.3g ms\n", 1e3 * c->predicted.sums,
                 1e3 * c->predicted.transforms);
    add_range(&t, c);
    if (c->fft) {
        add_passes(&t, c->fft);
        add_orders(&t, c);
    }
    const char *all = text_chars(&t);
    const size_t length = strlen(all) < size - 1 ? strlen(all) : size - 1;
    memcpy(chars, all, length);
    chars[length] = 0;
    text_free(&t);
}
