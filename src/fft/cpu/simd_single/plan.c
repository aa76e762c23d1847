/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans the transform of one contiguous line: a codelet, a small matrix done by one function, or a matrix
 * with two chains of stages. */
#include "fft/cpu/simd_single/plan.h"

#include "base/memory.h"
#include "base/memory_available.h"
#include "fft/engine/roots.h"

enum {
    TABLE_BYTES = 128 * 1024, /* the most that the matrix's twiddles may take as one table */
    GROUP_BYTES = 256 * 1024, /* and that the cells of a group may */
    SHORT_BYTES = 1024 * 1024 /* lines up to here go vector by vector */
};

bool simd_single_can(int64_t n)
{
    if (n < 1) return false;
    for (int prime = 2; prime <= 13; prime++)
        while (n % prime == 0) n /= prime;
    return n == 1;
}

/* Cells for `count` blocks of rows, block i from row first + i, all columns. */
static void fill_twiddles(const simd_single *w, const roots *r, bool is_double, int64_t block, int64_t row)
{
    const int64_t lanes = w->lanes;
    for (int64_t column = 0; column < w->row_width; column++)
        for (int64_t lane = 0; lane < lanes; lane++) {
            double cosine, sine;
            const int64_t at = (block * w->row_width + column) * 2 * lanes + lane;
            roots_at(r, (row + lane) * column % w->n, &cosine, &sine);
            roots_put(w->twiddles, is_double, at, cosine);
            roots_put(w->twiddles, is_double, at + lanes, -sine);
        }
}

static void fill_coarse(const simd_single *w, const roots *r, bool is_double)
{
    for (int64_t block = 0; block < w->row_blocks; block++)
        for (int64_t column = 0; column < w->row_width; column++) {
            double cosine, sine;
            const int64_t at = 2 * (block * w->row_width + column);
            roots_at(r, simd_single_begin(w, block, w->rows) * column % w->n, &cosine, &sine);
            roots_put(w->coarse_twiddles, is_double, at, cosine);
            roots_put(w->coarse_twiddles, is_double, at + 1, sine);
        }
}

/* One table, or two to be multiplied where that would leave the cache. */
static bool has_two_tables(const simd_single *w)
{
    return memory_product((size_t)w->row_blocks, simd_single_cells(w, w->row_width)) > TABLE_BYTES;
}

static size_t coarse_bytes(const simd_single *w)
{
    return memory_product(memory_product((size_t)w->row_blocks, (size_t)w->row_width), 2 * w->real);
}

static argand_status make_twiddles(simd_single *w, bool is_double)
{
    const size_t table = simd_single_cells(w, w->row_width);
    const bool two = has_two_tables(w);
    roots r;
    TRY(roots_make(&r, w->n));
    argand_status status;
    TRY_OR_DONE(memory_take(&w->twiddles, memory_product(two ? 1 : (size_t)w->row_blocks, table)));
    if (two) {
        TRY_OR_DONE(memory_take(&w->coarse_twiddles, coarse_bytes(w)));
        fill_coarse(w, &r, is_double);
    }
    for (int64_t block = 0; block < (two ? 1 : w->row_blocks); block++)
        fill_twiddles(w, &r, is_double, block, simd_single_begin(w, block, w->rows));
done:
    roots_release(&r);
    return status;
}

static void make_matrix(simd_single *w, int64_t rows)
{
    const int64_t lanes = w->lanes;
    w->rows = rows;
    w->columns = w->n / rows;
    w->column_blocks = (w->columns + lanes - 1) / lanes;
    w->row_blocks = (w->rows + lanes - 1) / lanes;
    w->column_height = simd_single_larger(w->rows, lanes);
    w->row_width = simd_single_larger(w->columns, lanes);
    w->group = (size_t)w->n * 2 * w->real <= SHORT_BYTES ? 1 : 4;
    while (w->group > 1 && (size_t)w->group * simd_single_cells(w, w->row_width) > GROUP_BYTES) w->group /= 2;
    w->padded = w->kernels && !w->kernels->counts && (w->rows < lanes || w->columns < lanes);
}

static argand_status make_stages(simd_single *w, bool is_double)
{
    int64_t rows, columns;
    simd_single_split(w->n, w->lanes, &rows, &columns);
    make_matrix(w, rows);
    if (has_two_tables(w))
        TRY(memory_check_left(coarse_bytes(w), "fft")); /* most of what a long line takes */
    TRY(simd_single_chain_make(&w->column_chain, w->rows, 0, is_double));
    TRY(simd_single_chain_make(&w->row_chain, w->columns, w->lanes, is_double));
    return make_twiddles(w, is_double);
}

/* The widest vectors that do the line at once, if any do */
static const simd_single_small *find_small(int64_t n, bool is_double, int64_t *lanes)
{
    typedef const simd_single_small *small_of(int64_t n, int64_t * lanes_used);
    static small_of *const widths[3][2][CPU_LEVELS] = {CPU_VARIANTS(simd_single_small_for_16),
                                                       CPU_VARIANTS(simd_single_small_for_32),
                                                       CPU_VARIANTS(simd_single_small_for_64)};
    const simd_single_small *found = NULL;
    if (is_double && n <= SIMD_SINGLE_MOST_RADIX)
        return NULL; /* 8 and 16 are done as a whole in two thirds of the time */
    for (int i = 2; i >= 0 && !found; i--) found = widths[i][is_double][cpu_best()](n, lanes);
    return found;
}

/* Several lines of 4 lanes at a time, where the processor has wider vectors */
static simd_single_packed *find_packed(int64_t n, bool is_double, int64_t lanes, int64_t *count)
{
    typedef simd_single_packed *packed_of(int64_t n, int64_t * lines);
    static packed_of *const levels[2][CPU_LEVELS] = CPU_VARIANTS(simd_single_packed_for);
    enum { LANES_OF_PACKED = 4 };
    return lanes == LANES_OF_PACKED ? levels[is_double][cpu_best()](n, count) : NULL;
}

int64_t simd_single_small_lanes(bool is_double, int64_t n)
{
    int64_t lanes = 0;
    return find_small(n, is_double, &lanes) ? lanes : 0;
}

int64_t simd_single_packed_lines(bool is_double, int64_t n)
{
    int64_t count = 1;
    return find_packed(n, is_double, simd_single_small_lanes(is_double, n), &count) ? count : 1;
}

static void take_codelets(simd_single *w, bool is_double)
{
    typedef const simd_single_codelets *codelets_of(void);
    static codelets_of *const one[2][CPU_LEVELS] = CPU_VARIANTS(simd_single_codelets_of_one),
                              *const many[2][CPU_LEVELS] = CPU_VARIANTS(simd_single_codelets_of_many);
    const simd_single_codelets *of_many = many[is_double][cpu_best()]();
    w->codelet = one[is_double][cpu_best()]()->whole[w->n];
    w->codelet_of_many = of_many->whole[w->n];
    w->together = of_many->together;
}

static argand_status make_plan(simd_single *w, bool is_double)
{
    TRY(simd_single_paired_make(&w->paired, is_double, w->n));
    typedef const simd_single_kernels *kernels_of(void);
    static kernels_of *const kernels[2][CPU_LEVELS] = CPU_VARIANTS(simd_single_kernels_for);
    w->small = find_small(w->n, is_double, &w->lanes);
    if (w->small) {
        w->packed = find_packed(w->n, is_double, w->lanes, &w->packed_lines);
        make_matrix(w, w->n / w->lanes);
        return make_twiddles(w, is_double);
    }
    if (w->n <= SIMD_SINGLE_MOST_RADIX) {
        take_codelets(w, is_double);
        return ARGAND_OK;
    }
    w->kernels = kernels[is_double][cpu_best()]();
    w->lanes = w->kernels->lanes;
    return make_stages(w, is_double);
}

argand_status simd_single_make(simd_single **result, bool is_double, int64_t n)
{
    simd_single *w;
    *result = NULL;
    CHECK(simd_single_can(n), ARGAND_INTERNAL, "a line of %lld numbers has a prime factor above 13",
          (long long)n);
    TRY(NEW(w, 1));
    w->real = is_double ? sizeof(double) : sizeof(float);
    w->n = n;
    const argand_status status = make_plan(w, is_double);
    if (status != ARGAND_OK)
        simd_single_release(w);
    else
        *result = w;
    return status;
}

void simd_single_pack(simd_single *w)
{
    if (!w->packed) return;
    simd_single_paired_release(w->paired);
    w->paired = NULL;
}

void simd_single_release(simd_single *w)
{
    if (!w) return;
    simd_single_chain_release(&w->column_chain);
    simd_single_chain_release(&w->row_chain);
    simd_single_paired_release(w->paired);
    memory_free(w->twiddles);
    memory_free(w->coarse_twiddles);
    memory_free(w);
}

static void print_factors(const simd_single_factors *f, text *t)
{
    for (int i = 0; i < f->count; i++) text_add(t, "%s%d", i ? " x " : "", f->radix[i]);
}

void simd_single_print(const simd_single *w, text *t)
{
    if (w->codelet) {
        text_add(t, "%lld", (long long)w->n);
        return;
    }
    if (w->paired) {
        simd_single_paired_print(w->paired, t);
        return;
    }
    if (w->small) {
        text_add(t, "%d x %d, %d lanes", (int)w->rows, (int)w->columns, (int)w->lanes);
        return;
    }
    text_add(t, "(");
    print_factors(&w->column_chain.factors, t);
    text_add(t, ") x (");
    print_factors(&w->row_chain.factors, t);
    text_add(t, "), %d lanes", (int)w->lanes);
}

/* A rotation by half a line is one of the points of the first and of the last butterfly, where they are even.
 */
bool simd_single_rotates_half(const simd_single *w)
{
    if (w->codelet || w->padded) return false;
    if (w->small) return w->rows % 2 == 0;
    const simd_single_factors *first = &w->column_chain.factors, *last = &w->row_chain.factors;
    return first->radix[0] % 2 == 0 && last->radix[last->count - 1] % 2 == 0;
}
