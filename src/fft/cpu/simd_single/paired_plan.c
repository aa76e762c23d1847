/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts a line into the radices of the stages of paired.c, makes their tables, and runs them. */
#include "fft/cpu/simd_single/paired.h"

#include "base/memory.h"
#include "fft/cpu/simd_single/kernels.h"
#include "fft/engine/roots.h"

typedef struct radices {
    int64_t first, middle, last; /* middle is 1 where there are two stages */
} radices;

struct simd_single_paired {
    simd_single_paired_first *first;
    simd_single_paired_middle *middle; /* NULL where there are two stages */
    simd_single_paired_last *last;
    simd_single_paired_whole *whole; /* in place of them; NULL: there is none */
    int64_t points;
    radices r;
    int64_t columns, rows; /* middle * last; vectors of first */
    void *first_twiddles, *middle_twiddles;
    size_t work_bytes;
};

enum { ON_STACK = 4096 }; /* bytes of cells for which callers need no work memory: a call takes less */

static const simd_single_paired_stages *stages_for(bool is_double)
{
    typedef const simd_single_paired_stages *stages_of(void);
    static stages_of *const all[2][CPU_LEVELS] = CPU_VARIANTS(simd_single_paired_stages_for);
    return all[is_double][cpu_best()]();
}

static int64_t vectors(int64_t count, int64_t points)
{
    return (count + points - 1) / points;
}

/* Cycles of a butterfly of each radix in the three stages, and of a stage's call, fitted to 2600 lines on a
 * Zen 5, whose times they give within a twentieth; less where both stages are one function */
static double cycles(const radices *r, const simd_single_paired_stages *stages)
{
    enum { RADICES = SIMD_SINGLE_MOST_RADIX + 1 };
    static const float first[RADICES] = {0, 0, 5, 8, 10, 23, 22, 32, 32, 55, 49, 67, 53, 87, 77, 82, 79},
                       middle[RADICES] = {0, 0, 2, 5, 6, 11, 13, 20, 19, 33, 29, 47, 35, 63, 47, 54, 54},
                       last[RADICES] = {0, 0, 3, 6, 8, 11, 12, 16, 16, 24, 22, 36, 26, 51, 36, 43, 44};
    const int64_t points = stages->points;
    const bool three = r->middle > 1, whole = !three && stages->whole[r->first][r->last];
    const double blocks = (double)vectors(r->middle * r->last, points), call = 15,
                 rows = (double)vectors(r->first, points),
                 each = (double)r->middle * last[r->last] + (three ? (double)r->last * middle[r->middle] : 0);
    const double sum = blocks * first[r->first] + rows * each;
    return whole ? 0.85 * sum : sum + call * (three ? 3 : 2);
}

/* Returns the cycles of the cheapest radices, or 0 if there are none. */
static double choose(radices *best, int64_t n, const simd_single_paired_stages *stages)
{
    double least = 0;
    for (int64_t first = stages->points; first <= SIMD_SINGLE_MOST_RADIX; first++)
        for (int64_t middle = 1; middle <= SIMD_SINGLE_MOST_RADIX; middle++) {
            const radices r = {first, middle, n / (first * middle)};
            if (r.last < 2 || r.last > SIMD_SINGLE_MOST_RADIX || first * middle * r.last != n) continue;
            if (middle * r.last < stages->points && (middle > 1 || !stages->whole[first][r.last])) continue;
            const double cost = cycles(&r, stages);
            if (least > 0 && cost >= least) continue;
            least = cost;
            *best = r;
        }
    return least;
}

double simd_single_paired_cost(bool is_double, int64_t n)
{
    static const double gigahertz = 4.1;
    enum { MOST_BYTES = 48 * 1024 }; /* of points; above, cells and tables leave the nearest cache */
    const simd_single_paired_stages *stages = stages_for(is_double);
    radices r;
    if (!stages || n <= SIMD_SINGLE_MOST_RADIX || n * (is_double ? 16 : 8) > MOST_BYTES) return 0;
    return choose(&r, n, stages) / gigahertz;
}

static void put_root(void *table, const roots *r, bool is_double, int64_t at, int64_t power)
{
    double cosine, sine;
    roots_at(r, power, &cosine, &sine);
    roots_put(table, is_double, 2 * at, cosine);
    roots_put(table, is_double, 2 * at + 1, sine);
}

static argand_status fill_tables(simd_single_paired *p, bool is_double, int64_t n)
{
    const int64_t points = p->points, blocks = vectors(p->columns, points);
    const size_t pair = is_double ? 16 : 8;
    argand_status status;
    roots r;
    TRY(roots_make(&r, n));
    TRY_OR_DONE(memory_new(&p->first_twiddles, (size_t)(blocks * (p->r.first - 1) * points), pair));
    for (int64_t block = 0, at = 0; block < blocks; block++)
        for (int64_t k = 1; k < p->r.first; k++)
            for (int64_t i = 0; i < points; i++) {
                const int64_t begin = block * points, latest = p->columns - points,
                              column = (block && begin > latest ? latest : begin) + i;
                put_root(p->first_twiddles, &r, is_double, at++, k * column % n);
            }
    if (p->r.middle > 1)
        TRY_OR_DONE(memory_new(&p->middle_twiddles, (size_t)(p->r.last * (p->r.middle - 1)), pair));
    for (int64_t i = 0, at = 0; i < p->r.last; i++)
        for (int64_t k = 1; k < p->r.middle; k++)
            put_root(p->middle_twiddles, &r, is_double, at++, i * k * p->r.first);
    status = ARGAND_OK;
done:
    roots_release(&r);
    return status;
}

argand_status simd_single_paired_make(simd_single_paired **paired, bool is_double, int64_t n)
{
    *paired = NULL;
    if (simd_single_paired_cost(is_double, n) == 0) return ARGAND_OK;
    simd_single_paired *p;
    TRY(NEW(p, 1));
    const simd_single_paired_stages *stages = stages_for(is_double);
    choose(&p->r, n, stages);
    p->points = stages->points;
    p->first = stages->first[p->r.first];
    p->middle = p->r.middle > 1 ? stages->middle[p->r.middle] : NULL;
    p->last = stages->last[p->r.last];
    p->whole = p->middle ? NULL : stages->whole[p->r.first][p->r.last];
    p->columns = p->r.middle * p->r.last;
    p->rows = vectors(p->r.first, p->points);
    p->work_bytes = (size_t)(p->rows * p->columns * p->points) * (is_double ? 16 : 8);
    const argand_status status = fill_tables(p, is_double, n);
    if (status == ARGAND_OK)
        *paired = p;
    else
        simd_single_paired_release(p);
    return status;
}

void simd_single_paired_release(simd_single_paired *p)
{
    if (!p) return;
    memory_free(p->first_twiddles);
    memory_free(p->middle_twiddles);
    memory_free(p);
}

size_t simd_single_paired_work_bytes(const simd_single_paired *p)
{
    return p->whole || p->work_bytes <= ON_STACK ? 0 : p->work_bytes;
}

static inline void run_stages(const simd_single_paired *p, void *out, const void *in, void *cells,
                              int inverse, double factor, int moved)
{
    p->first(cells, in, p->first_twiddles, p->columns, inverse, moved);
    if (p->middle) p->middle(cells, p->middle_twiddles, p->rows, p->r.last, inverse);
    p->last(out, cells, p->r.first, p->r.middle, factor, inverse, moved);
}

/* Separate, as the alignment of its frame takes some nanoseconds. */
__attribute__((noinline)) static void run_on_stack(const simd_single_paired *p, void *out, const void *in,
                                                   int inverse, double factor, int moved)
{
    _Alignas(64) char cells[ON_STACK];
    run_stages(p, out, in, cells, inverse, factor, moved);
}

void simd_single_paired_run(const simd_single_paired *p, void *out, const void *in, void *work, int inverse,
                            double factor, int moved)
{
    if (p->whole)
        p->whole(out, in, p->first_twiddles, inverse, factor, moved);
    else if (p->work_bytes <= ON_STACK)
        run_on_stack(p, out, in, inverse, factor, moved);
    else
        run_stages(p, out, in, work, inverse, factor, moved);
}

bool simd_single_paired_moves(const simd_single_paired *p, int moved)
{
    return !(moved & SIMD_SINGLE_IN_MOVED && p->r.first % 2) &&
           !(moved & SIMD_SINGLE_OUT_MOVED && p->r.last % 2);
}

void simd_single_paired_print(const simd_single_paired *p, text *t)
{
    text_add(t, "%d x ", (int)p->r.first);
    if (p->r.middle > 1) text_add(t, "%d x ", (int)p->r.middle);
    text_add(t, "%d, pairs, %d lanes", (int)p->r.last, (int)p->points);
}
