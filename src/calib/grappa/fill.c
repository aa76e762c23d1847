/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the missing samples of k-space in place: sources are acquired samples, which do not change. */
#include "calib/grappa/grappa.h"

#include <stdatomic.h>
#include <string.h>
#include "base/observe.h"
#include "mri/host.h"

static void (*const block_sums[2][CPU_LEVELS])(float *, const float *, const float *, int64_t,
                                               int64_t) = CPU_VARIANTS(grappa_block);

/* One call. */
typedef struct filling {
    const argand_grappa *g;
    void *data; /* complex {n..., coils} */
    bool is_double;
    double scale; /* data are multiplied by it in floats, so that squares neither over- nor underflow */
} filling;

static void load(const filling *f, float *re, float *im, int64_t at)
{
    if (f->is_double) {
        *re = (float)(((const double *)f->data)[2 * at] * f->scale);
        *im = (float)(((const double *)f->data)[2 * at + 1] * f->scale);
    } else {
        *re = (float)((double)((const float *)f->data)[2 * at] * f->scale);
        *im = (float)((double)((const float *)f->data)[2 * at + 1] * f->scale);
    }
}

static void store(const filling *f, float re, float im, int64_t at)
{
    if (f->is_double) {
        ((double *)f->data)[2 * at] = (double)re / f->scale;
        ((double *)f->data)[2 * at + 1] = (double)im / f->scale;
    } else {
        ((float *)f->data)[2 * at] = (float)((double)re / f->scale);
        ((float *)f->data)[2 * at + 1] = (float)((double)im / f->scale);
    }
}

/* Loads the sources of `count` positions of a row from x on: {source}[2][BLOCK]. */
static void gather(const filling *f, float *in, int64_t pattern, int64_t row, int64_t x, int64_t count)
{
    enum { B = GRAPPA_BLOCK };
    const argand_grappa *g = f->g;
    const grappa_patterns *p = &g->patterns;
    const int64_t *n = g->mask.n, width = 2 * p->half[0] + 1, height = 2 * p->half[1] + 1;
    const unsigned char *bits = p->bits + pattern * p->taps;
    for (int64_t tap = 0; tap < p->taps; tap++) {
        if (!bits[tap]) continue;
        const int64_t dx = tap % width - p->half[0], dy = tap / width % height - p->half[1],
                      dz = tap / (width * height) - p->half[2], start = (row + dz * n[1] + dy) * n[0];
        for (int64_t c = 0; c < g->coils; c++, in += 2 * B)
            for (int64_t b = 0; b < count; b++) {
                const int64_t at = x + b + dx;
                if (at >= 0 && at < n[0])
                    load(f, &in[b], &in[B + b], c * n[0] * n[1] * n[2] + start + at);
                else
                    in[b] = in[B + b] = 0;
            }
    }
}

/* Fills a row's positions whose patterns are in the batch. in, out: scratch. */
static void fill_row(const filling *f, int64_t row, float *in, float *out)
{
    enum { B = GRAPPA_BLOCK };
    const argand_grappa *g = f->g;
    const int64_t *n = g->mask.n;
    const int32_t *of = g->patterns.of + row * n[0];
    for (int64_t x = 0, count; x < n[0]; x += count) {
        const int64_t pattern = of[x], at = pattern - g->first;
        for (count = 1; x + count < n[0] && count < B && of[x + count] == pattern; count++) {}
        if (pattern < 0 || at < 0 || at >= g->count) continue;
        gather(f, in, pattern, row, x, count);
        block_sums[0][cpu_best()](out, g->weights[at], in, g->coils, g->patterns.sources[pattern] * g->coils);
        for (int64_t c = 0; c < g->coils; c++)
            for (int64_t b = 0; b < count; b++)
                store(f, out[2 * c * B + b], out[(2 * c + 1) * B + b],
                      c * n[0] * n[1] * n[2] + row * n[0] + x + b);
    }
}

static argand_status fill_batch(const filling *f)
{
    const argand_grappa *g = f->g;
    const int64_t rows = g->mask.n[1] * g->mask.n[2];
    const int64_t in = 2 * GRAPPA_BLOCK * g->patterns.most * g->coils, out = 2 * GRAPPA_BLOCK * g->coils;
    const int workers = g->threads < rows ? g->threads : (int)rows;
    atomic_bool cancelled = false;
    float *scratch;
    TRY(NEW(scratch, workers * (in + out)));
#pragma omp parallel for schedule(static) num_threads(workers)
    for (int worker = 0; worker < workers; worker++)
        for (int64_t row = worker; row < rows && !observe_within(&cancelled); row += workers)
            fill_row(f, row, scratch + worker * (in + out), scratch + worker * (in + out) + in);
    memory_free(scratch);
    return observe_end(&cancelled);
}

/* Finds 1 / (the largest part of an element). */
static void find_scale(filling *f, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < 2 * count; i++) {
        const double value =
            f->is_double ? ((const double *)f->data)[i] : (double)((const float *)f->data)[i];
        largest = value > largest ? value : -value > largest ? -value : largest;
    }
    f->scale = largest > 0 ? 1 / largest : 1;
}

static argand_status check(const argand_grappa *g, const argand_array *kspace)
{
    int64_t n[3], coils;
    TRY(calib_coil_shape(kspace, "GRAPPA: k-space", n, &coils));
    CHECK(
        coils == g->coils && n[0] == g->mask.n[0] && n[1] == g->mask.n[1] && n[2] == g->mask.n[2],
        ARGAND_ARGUMENT,
        "GRAPPA: k-space is %lld x %lld x %lld of %lld coils, but the plan is for %lld x %lld x %lld of %lld",
        (long long)n[0], (long long)n[1], (long long)n[2], (long long)coils, (long long)g->mask.n[0],
        (long long)g->mask.n[1], (long long)g->mask.n[2], (long long)g->coils);
    return calib_check_finite(kspace, "GRAPPA: k-space");
}

argand_status argand_grappa_fill(argand_grappa *g, argand_array *kspace)
{
    host_view view = {0};
    argand_status status;
    CHECK(g, ARGAND_ARGUMENT, "argand_grappa_fill: grappa is NULL");
    CHECK_ARRAY(kspace);
    TRY(check(g, kspace));
    TRY_OR_DONE(host_open(&view, kspace));
    filling f = {.g = g, .data = view.data, .is_double = type_is_double(argand_array_type(kspace))};
    find_scale(&f, argand_array_count(kspace));
    for (int64_t first = 0; first < g->patterns.count; first = g->first + g->count) {
        if (!g->weights || g->first != first) TRY_OR_DONE(grappa_weights_make(g, first));
        TRY_OR_DONE(fill_batch(&f));
    }
    status = host_put(&view, kspace);
done:
    host_close(&view);
    return status;
}
