/* SPDX-License-Identifier: BSD-3-Clause */
#include "fft/cpu/simd_single/plan.h"

#include "base/memory.h"
#include "fft/engine/roots.h"

enum {
    TABLE_BYTES = 128 * 1024, /* the most that the matrix's turns may take as one table */
    GROUP_BYTES = 256 * 1024, /* and that the cells of a group may */
    SHORT_BYTES = 1024 * 1024 /* lines up to here go vector by vector */
};

bool within_takes(int64_t n)
{
    if (n < 1) return false;
    for (int prime = 2; prime <= 13; prime++)
        while (n % prime == 0) n /= prime;
    return n == 1;
}

/* Cells for `count` blocks of rows, block i from row first + i, all columns. */
static void fill_turns(const within *w, const roots *r, bool is_double, int64_t block, int64_t row)
{
    const int64_t lanes = w->lanes;
    for (int64_t column = 0; column < w->row_width; column++)
        for (int64_t lane = 0; lane < lanes; lane++) {
            double cosine, sine;
            const int64_t at = (block * w->row_width + column) * 2 * lanes + lane;
            roots_at(r, (row + lane) * column % w->n, &cosine, &sine);
            roots_put(w->turns, is_double, at, cosine);
            roots_put(w->turns, is_double, at + lanes, -sine);
        }
}

static void fill_more(const within *w, const roots *r, bool is_double)
{
    for (int64_t block = 0; block < w->row_blocks; block++)
        for (int64_t column = 0; column < w->row_width; column++) {
            double cosine, sine;
            const int64_t at = 2 * (block * w->row_width + column);
            roots_at(r, within_begin(w, block, w->rows) * column % w->n, &cosine, &sine);
            roots_put(w->more, is_double, at, cosine);
            roots_put(w->more, is_double, at + 1, sine);
        }
}

/* One table, or two to be multiplied where that would leave the cache. */
static argand_status make_turns(within *w, bool is_double)
{
    const size_t table = within_cells(w, w->row_width);
    const bool two = memory_product((size_t)w->row_blocks, table) > TABLE_BYTES;
    roots r;
    TRY(roots_make(&r, w->n));
    argand_status status;
    TRY_OR_DONE(memory_take(&w->turns, memory_product(two ? 1 : (size_t)w->row_blocks, table)));
    if (two) {
        TRY_OR_DONE(
            memory_take(&w->more, memory_product((size_t)(w->row_blocks * w->row_width), 2 * w->real)));
        fill_more(w, &r, is_double);
    }
    for (int64_t block = 0; block < (two ? 1 : w->row_blocks); block++)
        fill_turns(w, &r, is_double, block, within_begin(w, block, w->rows));
done:
    roots_release(&r);
    return status;
}

static void make_matrix(within *w, int64_t rows)
{
    const int64_t lanes = w->lanes;
    w->rows = rows;
    w->columns = w->n / rows;
    w->column_blocks = (w->columns + lanes - 1) / lanes;
    w->row_blocks = (w->rows + lanes - 1) / lanes;
    w->column_height = within_larger(w->rows, lanes);
    w->row_width = within_larger(w->columns, lanes);
    w->group = (size_t)w->n * 2 * w->real <= SHORT_BYTES ? 1 : 4;
    while (w->group > 1 && (size_t)w->group * within_cells(w, w->row_width) > GROUP_BYTES) w->group /= 2;
    w->padded = w->kernels && !w->kernels->counts && (w->rows < lanes || w->columns < lanes);
}

static argand_status make_stages(within *w, bool is_double)
{
    int64_t rows, columns;
    within_split(w->n, w->lanes, &rows, &columns);
    make_matrix(w, rows);
    TRY(within_chain_make(&w->along_columns, w->rows, 0, is_double));
    TRY(within_chain_make(&w->along_rows, w->columns, w->lanes, is_double));
    return make_turns(w, is_double);
}

/* The widest vectors that do the line at once, if any do */
static const within_small *find_small(int64_t n, bool is_double, int64_t *lanes)
{
    typedef const within_small *small_of(int64_t n, int64_t * lanes_used);
    static small_of *const widths[3][2][CPU_LEVELS] = {CPU_VARIANTS(fft_within_small_16),
                                                       CPU_VARIANTS(fft_within_small_32),
                                                       CPU_VARIANTS(fft_within_small_64)};
    const within_small *found = NULL;
    if (is_double && n <= WITHIN_MOST_RADIX)
        return NULL; /* 8 and 16 are done as a whole in two thirds of the time */
    for (int i = 2; i >= 0 && !found; i--) found = widths[i][is_double][cpu_best()](n, lanes);
    return found;
}

/* Several lines of 4 lanes at a time, where the processor has wider vectors */
static within_several *find_several(int64_t n, bool is_double, int64_t lanes, int64_t *count)
{
    typedef within_several *several_of(int64_t n, int64_t * lines);
    static several_of *const levels[2][CPU_LEVELS] = CPU_VARIANTS(fft_within_several);
    enum { LANES_OF_SEVERAL = 4 };
    return lanes == LANES_OF_SEVERAL ? levels[is_double][cpu_best()](n, count) : NULL;
}

int64_t within_small_lanes(bool is_double, int64_t n)
{
    int64_t lanes = 0;
    return find_small(n, is_double, &lanes) ? lanes : 0;
}

int64_t within_at_a_time(bool is_double, int64_t n)
{
    int64_t count = 1;
    return find_several(n, is_double, within_small_lanes(is_double, n), &count) ? count : 1;
}

static argand_status make(within *w, bool is_double)
{
    typedef const within_kernels *kernels_of(void);
    typedef within_whole *whole_of(int64_t n);
    static kernels_of *const kernels[2][CPU_LEVELS] = CPU_VARIANTS(fft_within_kernels);
    static whole_of *const wholes[2][CPU_LEVELS] = CPU_VARIANTS(fft_within_whole);
    w->small = find_small(w->n, is_double, &w->lanes);
    if (w->small) {
        w->several = find_several(w->n, is_double, w->lanes, &w->at_a_time);
        make_matrix(w, w->n / w->lanes);
        return make_turns(w, is_double);
    }
    if (w->n <= WITHIN_MOST_RADIX) {
        w->whole = wholes[is_double][cpu_best()](w->n);
        return ARGAND_OK;
    }
    w->kernels = kernels[is_double][cpu_best()]();
    w->lanes = w->kernels->lanes;
    return make_stages(w, is_double);
}

argand_status within_make(within **result, bool is_double, int64_t n)
{
    within *w;
    *result = NULL;
    CHECK(within_takes(n), ARGAND_INTERNAL, "a line of %lld numbers has a prime factor above 13",
          (long long)n);
    TRY(NEW(w, 1));
    w->real = is_double ? sizeof(double) : sizeof(float);
    w->n = n;
    const argand_status status = make(w, is_double);
    if (status != ARGAND_OK)
        within_release(w);
    else
        *result = w;
    return status;
}

void within_release(within *w)
{
    if (!w) return;
    within_chain_release(&w->along_columns);
    within_chain_release(&w->along_rows);
    memory_free(w->turns);
    memory_free(w->more);
    memory_free(w);
}

static void print_factors(const within_factors *f, text *t)
{
    for (int i = 0; i < f->count; i++) text_add(t, "%s%d", i ? " x " : "", f->radix[i]);
}

void within_print(const within *w, text *t)
{
    if (w->whole) {
        text_add(t, "%lld", (long long)w->n);
        return;
    }
    if (w->small) {
        text_add(t, "%d x %d, %d lanes", (int)w->rows, (int)w->columns, (int)w->lanes);
        return;
    }
    text_add(t, "(");
    print_factors(&w->along_columns.factors, t);
    text_add(t, ") x (");
    print_factors(&w->along_rows.factors, t);
    text_add(t, "), %d lanes", (int)w->lanes);
}
