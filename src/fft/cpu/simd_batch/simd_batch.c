/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of batched SIMD: which radices, and their twiddles. */
#include "fft/cpu/simd_batch/simd_batch.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/pi.h"
#include "fft/cpu/line/algorithms.h"

enum { CELLS_AT_ONCE = 96 }; /* of short lines, in the nearest cache */

int64_t simd_batch_lanes(bool is_double)
{
    return cpu_vector_bytes() / (is_double ? 8 : 4);
}

/* ---- radices ---- */

/* The cost of a stage for one point, in cycles of a cell with 32 registers and with 16, loads and stores
 * included. */
static const float costs[2][SIMD_BATCH_MOST_RADIX + 1] = {
    {0, 0, 6, 6.5F, 6, 7.5F, 8, 9.5F, 7.5F, 9, 10, 14, 9.5F, 17, 13, 12, 11},
    {0, 0, 6, 7, 6.5F, 9, 11, 13, 9.5F, 14, 15, 22, 14, 27, 20, 19, 17}};

/* Data beyond this size leave the nearest cache between stages, which costs more than a stage's
 * arithmetic. */
enum { NEAR_BYTES = 16384 };
static const float FAR_COST = 4;

typedef struct search {
    const float *cost;
    float best, stage; /* of each stage besides that */
    int depth, count;
    int now[SIMD_BATCH_STAGES], radix[SIMD_BATCH_STAGES];
} search;

/* Radices in falling order, so that each set is met once. */
static void try_radices(search *s, int64_t n, int most, float so_far)
{
    if (so_far >= s->best) return;
    if (n == 1) {
        s->best = so_far;
        s->count = s->depth;
        memcpy(s->radix, s->now, sizeof s->now);
        return;
    }
    for (int r = most; r >= 2; r--)
        if (n % r == 0) {
            s->now[s->depth++] = r;
            try_radices(s, n / r, r, so_far + s->cost[r] + s->stage);
            s->depth--;
        }
}

static int find_radices(int *radix, int64_t n)
{
    const bool near = n * 2 * cpu_vector_bytes() <= NEAR_BYTES;
    search s = {.cost = costs[cpu_registers() < 32], .best = INFINITY, .stage = near ? 0 : FAR_COST};
    if (n == 1) {
        radix[0] = 1;
        return 1;
    }
    try_radices(&s, n, SIMD_BATCH_MOST_RADIX, 0);
    memcpy(radix, s.radix, sizeof s.radix);
    return s.count;
}

bool simd_batch_can(int64_t n)
{
    for (int f = 2; f <= 13; f++)
        while (n % f == 0) n /= f;
    return n == 1;
}

/* ---- twiddles ---- */

/* exp(i 2 pi j / n) for j < n as cosines and sines in double, by the symmetries of the circle: every angle is
 * computed below an eighth */
static void unit_root(double *cosine, double *sine, int64_t j, int64_t n)
{
    const int64_t eighth = 8 * j / n;
    const int64_t quarter = (eighth + 1) / 2;
    const double angle = TWO_PI * ((double)(4 * j - quarter * n) / (4 * (double)n));
    const double c = cos(angle), s = sin(angle);
    *cosine = quarter % 4 == 0 ? c : quarter % 4 == 1 ? -s : quarter % 4 == 2 ? -c : s;
    *sine = quarter % 4 == 0 ? s : quarter % 4 == 1 ? c : quarter % 4 == 2 ? -s : -c;
}

static void fill_twiddles(void *at, bool is_double, int64_t length, int64_t radix)
{
    float *floats = at;
    double *doubles = at;
    for (int64_t p = 0; p < length / radix; p++)
        for (int64_t k = 1; k < radix; k++) {
            double c, s;
            unit_root(&c, &s, p * k, length);
            if (is_double)
                *doubles++ = c, *doubles++ = s;
            else
                *floats++ = (float)c, *floats++ = (float)s;
        }
}

argand_status simd_batch_make(simd_batch *a, bool is_double, int64_t n)
{
    static void (*const lines[2][CPU_LEVELS])(const simd_batch *, const line_job *, void *) =
        CPU_VARIANTS(simd_batch_lines);
    *a = (simd_batch){.is_double = is_double,
                      .n = n,
                      .cell_bytes = (size_t)cpu_vector_bytes() * 2,
                      .lines = lines[is_double][cpu_best()]};
    const size_t real = is_double ? 8 : 4;
    CHECK(simd_batch_can(n) && n <= INT32_MAX, ARGAND_INTERNAL, "simd_batch: %lld points", (long long)n);
    a->count = find_radices(a->radix, n);
    a->groups = a->count > 1 ? 1 : (CELLS_AT_ONCE + n - 1) / n;
    TRY(memory_take(&a->tables, memory_product((size_t)n, 4 * real)));
    char *at = a->tables;
    int64_t length = n;
    for (int i = 0; i < a->count - 1; length /= a->radix[i++]) {
        fill_twiddles(at, is_double, length, a->radix[i]);
        a->twiddles[i] = at;
        at += 2 * real * (size_t)(length / a->radix[i] * (a->radix[i] - 1));
    }
    return ARGAND_OK;
}

void simd_batch_release(simd_batch *a)
{
    memory_free(a->tables);
    a->tables = NULL;
}

static void set_twiddle(void *at, bool is_double, int64_t re, int64_t im, int64_t j, int64_t n)
{
    double c, s;
    unit_root(&c, &s, j, n);
    if (is_double)
        ((double *)at)[re] = c, ((double *)at)[im] = s;
    else
        ((float *)at)[re] = (float)c, ((float *)at)[im] = (float)s;
}

size_t simd_batch_twiddle_bytes(bool is_double, int64_t total)
{
    return memory_product((size_t)(total / simd_batch_lanes(is_double)), is_double ? 16 : 8);
}

argand_status simd_batch_twiddles_make(simd_batch_twiddles *t, const simd_batch *a, int64_t total)
{
    const int64_t lanes = simd_batch_lanes(a->is_double), n = a->n, groups = (total / n + lanes - 1) / lanes;
    *t = (simd_batch_twiddles){0};
    TRY(memory_take(&t->lanes, memory_product((size_t)n, a->cell_bytes)));
    argand_status status =
        memory_take(&t->groups, memory_product((size_t)(groups * n), a->is_double ? 16 : 8));
    if (status != ARGAND_OK) {
        simd_batch_twiddles_release(t);
        return status;
    }
    for (int64_t k = 0; k < n; k++)
        for (int64_t l = 0; l < lanes; l++)
            set_twiddle(t->lanes, a->is_double, (2 * k) * lanes + l, (2 * k + 1) * lanes + l, k * l % total,
                        total);
    for (int64_t i = 0; i < groups; i++)
        for (int64_t k = 0; k < n; k++)
            set_twiddle(t->groups, a->is_double, 2 * (i * n + k), 2 * (i * n + k) + 1, i * lanes * k % total,
                        total);
    return ARGAND_OK;
}

void simd_batch_twiddles_release(simd_batch_twiddles *t)
{
    memory_free(t->groups);
    memory_free(t->lanes);
    *t = (simd_batch_twiddles){0};
}

/* ---- runs ---- */

size_t simd_batch_work_bytes(const simd_batch *a)
{
    return memory_product(2 * (size_t)(a->groups * a->n) + SIMD_BATCH_CHUNK * SIMD_BATCH_MOST_RADIX,
                          a->cell_bytes);
}

/* Some points of a group's rows; columns go into cells at once. */
size_t simd_batch_callback_bytes(const simd_batch *a)
{
    return SIMD_BATCH_CHUNK * a->cell_bytes;
}

void simd_batch_run(const simd_batch *a, const line_job *job, void *work)
{
    a->lines(a, job, work);
}

void *simd_batch_cells(const simd_batch *a, void *data, void *work, int inverse)
{
    static void *(*const run[2][CPU_LEVELS])(const simd_batch *, void *, void *, int) =
        CPU_VARIANTS(simd_batch_cells_run);
    return run[a->is_double][cpu_best()](a, data, work, inverse);
}
