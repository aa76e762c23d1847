/* SPDX-License-Identifier: BSD-3-Clause */
/* Bundles 64 bytes wide go through stages.c, where the cache holds them; others are lines as any. */
#include "fft/cpu/bundle/bundle.h"

#include "base/memory.h"
#include "fft/engine/roots.h"
#include "fft/cpu/line/line.h"
#include "fft/cpu/bundle/stages.h"

enum { LONGEST = 4096 }; /* of a bundle whose data and work fit the second-level cache */

typedef void stages_function(const stages *, void *, void *, int);

struct fft_bundle {
    int64_t n, count;
    argand_type type;
    fft_line line; /* used where stages.count is 0 */
    stages stages; /* used where its count is not 0 */
    void *twiddles;
    stages_function *run;
};

/* Radices for n, 4 first; false where n has another prime factor. */
static bool split_stages(stages *s, int64_t n)
{
    static const int radices[] = {4, 2, 3, 5, 7};
    *s = (stages){.n = n};
    for (int i = 0; i < 5; i++)
        for (; n % radices[i] == 0; n /= radices[i]) s->radix[s->count++] = radices[i];
    return n == 1;
}

/* cos and sin of every stage's twiddles, in the bundle's precision, and the code for this processor */
static argand_status prepare_stages(fft_bundle *l)
{
    static stages_function *const run[2][CPU_LEVELS] = CPU_VARIANTS(fft_stages_run);
    stages *s = &l->stages;
    const size_t real = l->type == ARGAND_C64 ? 8 : 4;
    TRY(memory_new(&l->twiddles, (size_t)(4 * l->n), real)); /* sum of length (radix - 1) / radix, twice */
    l->run = run[l->type == ARGAND_C64][cpu_best()];
    roots r;
    TRY(roots_make(&r, l->n));
    int64_t length = l->n, at = 0;
    for (int i = 0; i < s->count; length /= s->radix[i], i++) {
        s->twiddles[i] = (char *)l->twiddles + (size_t)at * real;
        for (int64_t p = 0; p < length / s->radix[i]; p++)
            for (int64_t k = 1; k < s->radix[i]; k++, at += 2) {
                double cosine, sine;
                roots_at(&r, p * k * (l->n / length), &cosine, &sine);
                roots_put(l->twiddles, real == 8, at, cosine);
                roots_put(l->twiddles, real == 8, at + 1, sine);
            }
    }
    roots_release(&r);
    return ARGAND_OK;
}

argand_status fft_bundle_create(fft_bundle **bundle, argand_type type, int64_t n, int64_t count)
{
    *bundle = NULL;
    CHECK(n >= 1 && count >= 1 && n <= INT32_MAX / count, ARGAND_UNSUPPORTED,
          "fft: %lld lines of %lld points are too long", (long long)count, (long long)n);
    fft_bundle *l;
    argand_status status;
    TRY(NEW(l, 1));
    *l = (fft_bundle){.n = n, .count = count, .type = type};
    const bool cells = (size_t)count * argand_type_size(type) == 64 && n > 1 && n <= LONGEST;
    if (cells && split_stages(&l->stages, n)) {
        status = prepare_stages(l);
    } else {
        l->stages.count = 0;
        status = line_make(
            &l->line,
            &(line_request){.is_double = type == ARGAND_C64, .n = n, .lines = count, .plans_often = true},
            1U << (count == 1 ? LINE_ROWS : LINE_COLUMNS));
    }
    if (status == ARGAND_OK)
        *bundle = l;
    else
        fft_bundle_destroy(l);
    return status;
}

static const line_use *use_of(const fft_bundle *l)
{
    return line_use_for(&l->line, l->count, l->count);
}

size_t fft_bundle_work_bytes(const fft_bundle *l)
{
    if (!l) return 0;
    if (l->stages.count) return memory_product((size_t)(l->n * l->count), argand_type_size(l->type));
    const line_memory lines = {.line_stride = 1, .stride = l->count};
    const size_t bytes =
        line_work_bytes(&l->line, use_of(l), &(line_job){.in = lines, .out = lines, .lines = 1});
    return (bytes + 63) / 64 * 64;
}

static void run_lines(const fft_bundle *l, char *data, void *work, int inverse, line_team team)
{
    const line_use *use = use_of(l);
    const int64_t size = (int64_t)argand_type_size(l->type);
    for (int64_t first = 0; first < l->count; first += use->block) {
        const line_memory at = {.at = data + first * size, .line_stride = 1, .stride = l->count};
        const int64_t left = l->count - first;
        line_run(&l->line, use,
                 &(line_job){.out = at,
                             .in = at,
                             .lines = left < use->block ? left : use->block,
                             .inverse = inverse,
                             .ops = {.factor = 1},
                             .team = team},
                 work);
    }
}

void fft_bundle_apply_together(const fft_bundle *l, void *data, void *work, argand_direction direction,
                               int threads, size_t apart)
{
    const int inverse = direction == ARGAND_INVERSE;
    if (l->stages.count)
        l->run(&l->stages, data, work, inverse);
    else
        run_lines(l, data, work, inverse, (line_team){threads, apart});
}

void fft_bundle_apply(const fft_bundle *l, void *data, void *work, argand_direction direction)
{
    fft_bundle_apply_together(l, data, work, direction, 1, 0);
}

void fft_bundle_destroy(fft_bundle *l)
{
    if (!l) return;
    line_release(&l->line);
    memory_free(l->twiddles);
    memory_free(l);
}
