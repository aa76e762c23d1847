/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of n = rows columns numbers as a matrix of rows x columns (Gentleman and Sande 1966; Bailey,
 * J. Supercomputing 4:23, 1990), for the sake of SIMD: the transforms of its columns run side by side in the
 * lanes of vectors, whatever their radices; the result is multiplied by turns and transposed, LANES x LANES
 * numbers at a time in registers; then the rows' transforms run side by side, and their results k, k + 1, ...
 * are neighbours in memory. So one pass over registers shuffles, all stages have turns that are the same in
 * all lanes, and lengths need no factor in common with LANES: the last vector of columns overlaps the one
 * before.
 *
 *   j = j1 columns + j2, k = k1 + rows k2:
 *   X[k] = sum_j2 w_columns^(j2 k2) ( w_n^(j2 k1) sum_j1 w_rows^(j1 k1) x[j] ) */
#include "fft/host/within.h"

#include <string.h>
#include "base/memory.h"
#include "fft/host/roots.h"
#include "fft/host/within_factors.h"
#include "fft/host/within_kernels.h"

/* The stages of a transform of cells. */
typedef struct chain {
    within_factors factors;
    void *turns[WITHIN_MOST_FACTORS];
} chain;

struct within {
    const within_kernels *kernels;
    within_whole *whole; /* of short lines, which have nothing else */
    size_t real;         /* bytes */
    int64_t n, rows, columns;
    int64_t row_blocks, column_blocks;
    int64_t column_cells; /* from one vector of columns to the next */
    chain along_columns, along_rows;
    void *turns; /* for each block of rows, a cell for each column */
};

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static size_t cells(const within *w, int64_t count)
{
    return (size_t)count * 2 * (size_t)w->kernels->lanes * w->real;
}

/* Where vector i of `count` numbers begins: the last overlaps the one before. */
static int64_t first_of(const within *w, int64_t i, int64_t count)
{
    const int64_t first = i * w->kernels->lanes, latest = larger(count - w->kernels->lanes, 0);
    return first < latest ? first : latest;
}

bool within_takes(int64_t n)
{
    if (n < 1) return false;
    for (int prime = 2; prime <= 13; prime++)
        while (n % prime == 0) n /= prime;
    return n == 1;
}

static void put(void *numbers, bool is_double, int64_t at, double value)
{
    if (is_double)
        ((double *)numbers)[at] = value;
    else
        ((float *)numbers)[at] = (float)value;
}

/* Stage i from `done` points: exp(-2 pi i r k / (done radix)) as cos, -sin for k < done, 1 <= r < radix. */
static argand_status make_chain(chain *c, int64_t n, bool is_double)
{
    roots r;
    TRY(roots_make(&r, n));
    argand_status status = ARGAND_OK;
    for (int64_t i = 0, done = 1; i < c->factors.count; done *= c->factors.radix[i++]) {
        const int64_t radix = c->factors.radix[i], step = n / (done * radix);
        if (i == 0) continue;
        TRY_OR_DONE(memory_new(&c->turns[i], (size_t)(done * (radix - 1)), is_double ? 16 : 8));
        for (int64_t k = 0, at = 0; k < done; k++)
            for (int64_t p = 1; p < radix; p++, at += 2) {
                double cosine, sine;
                roots_at(&r, p * k * step, &cosine, &sine);
                put(c->turns[i], is_double, at, cosine);
                put(c->turns[i], is_double, at + 1, sine);
            }
    }
done:
    roots_release(&r);
    return status;
}

static argand_status make_turns(within *w, bool is_double)
{
    const int64_t lanes = w->kernels->lanes, width = larger(w->columns, lanes);
    roots r;
    TRY(roots_make(&r, w->n));
    argand_status status = memory_take(&w->turns, memory_product((size_t)w->row_blocks, cells(w, width)));
    if (status != ARGAND_OK) goto done;
    for (int64_t block = 0; block < w->row_blocks; block++)
        for (int64_t column = 0; column < width; column++)
            for (int64_t lane = 0; lane < lanes; lane++) {
                double cosine, sine;
                const int64_t at = (block * width + column) * 2 * lanes + lane;
                roots_at(&r, (first_of(w, block, w->rows) + lane) * column % w->n, &cosine, &sine);
                put(w->turns, is_double, at, cosine);
                put(w->turns, is_double, at + lanes, -sine);
            }
done:
    roots_release(&r);
    return status;
}

static argand_status make(within *w, bool is_double)
{
    const int64_t lanes = w->kernels->lanes;
    if (w->whole) return ARGAND_OK;
    within_split(w->n, lanes, &w->rows, &w->columns);
    w->column_blocks = (w->columns + lanes - 1) / lanes;
    w->row_blocks = (w->rows + lanes - 1) / lanes;
    w->column_cells = larger(w->rows, lanes);
    within_factor(w->rows, &w->along_columns.factors);
    within_factor(w->columns, &w->along_rows.factors);
    TRY(make_chain(&w->along_columns, w->rows, is_double));
    TRY(make_chain(&w->along_rows, w->columns, is_double));
    return make_turns(w, is_double);
}

argand_status within_make(within **result, bool is_double, int64_t n)
{
    typedef const within_kernels *kernels_of(void);
    typedef within_whole *whole_of(int64_t n);
    static kernels_of *const kernels[2][CPU_LEVELS] = CPU_VARIANTS(fft_within_kernels);
    static whole_of *const wholes[2][CPU_LEVELS] = CPU_VARIANTS(fft_within_whole);
    within *w;
    *result = NULL;
    CHECK(within_takes(n), ARGAND_INTERNAL, "a line of %lld numbers has a prime factor above 13",
          (long long)n);
    TRY(NEW(w, 1));
    w->kernels = kernels[is_double][cpu_best()]();
    w->real = is_double ? sizeof(double) : sizeof(float);
    w->n = n;
    if (n <= WITHIN_MOST_RADIX) w->whole = wholes[is_double][cpu_best()](n);
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
    for (int i = 0; i < WITHIN_MOST_FACTORS; i++) {
        memory_free(w->along_columns.turns[i]);
        memory_free(w->along_rows.turns[i]);
    }
    memory_free(w->turns);
    memory_free(w);
}

/* The turned matrix by blocks, and two columns of cells that stages pass to and fro. */
size_t within_work_bytes(const within *w)
{
    if (w->whole) return 0;
    const int64_t longest = larger(larger(w->rows, w->columns), w->kernels->lanes);
    return cells(w, w->column_blocks * w->column_cells + 2 * longest);
}

/* Columns from `in`: all stages but the first are on cells, the last one into `to`. */
static void transform_columns(const within *w, char *to, const char *in, int64_t columns, char *buffers[2],
                              int inverse)
{
    const within_factors *f = &w->along_columns.factors;
    const int64_t rows = w->rows;
    char *at = f->count == 1 ? to : buffers[0];
    w->kernels->first[f->radix[0]](at, in, rows, w->columns, columns, inverse);
    for (int64_t i = 1, done = f->radix[0]; i < f->count; done *= f->radix[i++]) {
        char *next = i == f->count - 1 ? to : buffers[i % 2];
        w->kernels->stage[f->radix[i]](next, at, w->along_columns.turns[i], rows, done);
        at = next;
    }
    if (rows < w->kernels->lanes) memset(to + cells(w, rows), 0, cells(w, w->kernels->lanes - rows));
}

/* A block of rows, turned into cells in buffers[0], to `out`. */
static void transform_rows(const within *w, char *out, char *buffers[2], int inverse, double factor)
{
    const within_factors *f = &w->along_rows.factors;
    int64_t done = 1, i = 0;
    for (; i < f->count - 1; done *= f->radix[i++])
        w->kernels->stage[f->radix[i]](buffers[(i + 1) % 2], buffers[i % 2], w->along_rows.turns[i],
                                       w->columns, done);
    w->kernels->last[f->radix[i]](out, buffers[i % 2], w->along_rows.turns[i], w->columns, w->rows, w->rows,
                                  inverse, factor);
}

void within_run(const within *w, void *out, const void *in, void *work, int inverse, double factor)
{
    if (w->whole) {
        w->whole(out, in, inverse, factor);
        return;
    }
    const int64_t lanes = w->kernels->lanes, width = larger(w->columns, lanes);
    const size_t number = 2 * w->real;
    char *turned = work, *buffers[2];
    buffers[0] = turned + cells(w, w->column_blocks * w->column_cells);
    buffers[1] = buffers[0] + cells(w, larger(w->rows, width));
    for (int64_t i = 0; i < w->column_blocks; i++)
        transform_columns(w, turned + cells(w, i * w->column_cells),
                          (const char *)in + (size_t)first_of(w, i, w->columns) * number, w->columns, buffers,
                          inverse);
    for (int64_t block = 0; block < w->row_blocks; block++) {
        const int64_t row = first_of(w, block, w->rows);
        for (int64_t i = 0; i < w->column_blocks; i++) {
            const int64_t column = first_of(w, i, w->columns);
            w->kernels->turn(buffers[0] + cells(w, column), turned + cells(w, i * w->column_cells + row),
                             (char *)w->turns + cells(w, block * width + column));
        }
        transform_rows(w, (char *)out + (size_t)row * number, buffers, inverse, factor);
    }
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
    text_add(t, "(");
    print_factors(&w->along_columns.factors, t);
    text_add(t, ") x (");
    print_factors(&w->along_rows.factors, t);
    text_add(t, "), %d lanes", (int)w->kernels->lanes);
}
