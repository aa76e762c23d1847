/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of n = n1 n2 points as a matrix (Gentleman and Sande 1966; Bailey, J. Supercomputing 4:23, 1990):
 *   j = j1 n2 + j2, k = k1 + n1 k2:
 *   X[k] = sum_j2 w_n2^(j2 k2) ( w_n^(j2 k1) sum_j1 w_n1^(j1 k1) x[j] )
 * First pass: columns of length n1, times w_n, to work memory. Second pass: its rows of length n2,
 * written as columns. Both keep to cache and are parallel, which one long transform is not. Centred (n1, n2
 * even): index j + n/2 is j1 + n1/2, and k + n/2 is k2 + n2/2, so that input and output are each rotated by
 * one of the passes.
 * Where frequencies may be left at k1 n2 + k2, a pass of columns and one of rows are all in place: towards
 * them columns go first, back from them rows. */
#include "fft/cpu/passes/split.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/memory_there.h"
#include "fft/cpu/passes/pass.h"

/* One thread is faster with SIMD along the line (simd_single/run.c), by a factor of two where that fits
 * its cache; lines that are many have no need of several threads each. */
enum { SPLIT_FROM = 131072, SPLIT_LINES = 16, SPLIT_LEAST = 64 };

/* The largest factor up to the square root, even like its partner if wanted; 0 where it is too small to help.
 */
static int64_t first_factor(int64_t n, bool even)
{
    for (int64_t n1 = (int64_t)sqrt((double)n) + 1; n1 >= SPLIT_LEAST; n1--)
        if (n % n1 == 0 && n / n1 >= n1 && (!even || (n1 % 2 == 0 && n / n1 % 2 == 0)))
            return n / n1 <= 32 * n1 ? n1 : 0;
    return 0;
}

int64_t split_factor(int64_t n, int64_t lines, bool centred)
{
    return n < SPLIT_FROM || lines >= SPLIT_LINES || !simd_batch_can(n) ? 0 : first_factor(n, centred);
}

/* In an order of their own rows are done by any algorithm, but for those with twiddles behind them. */
static argand_status make_lines(fft_split *s, bool is_double, argand_effort effort)
{
    char algorithms[64];
    snprintf(algorithms, sizeof algorithms, "%lld:%s/simd_batch", (long long)s->n2,
             s->scrambled ? "-" : "simd_batch");
    const line_request first = {.is_double = is_double,
                                .n = s->n1,
                                .lines = s->n2,
                                .effort = effort,
                                .wanted = "simd_batch"},
                       second = {.is_double = is_double,
                                 .n = s->n2,
                                 .lines = s->n1,
                                 .effort = effort,
                                 .wanted = algorithms};
    TRY(line_make(&s->first, &first, 1U << LINE_COLUMNS));
    return line_make(&s->second, &second, 1U << LINE_COLUMNS | (s->scrambled ? 1U << LINE_ROWS : 0));
}

argand_status split_make(fft_split *s, int64_t n, int64_t lines, bool is_double, bool centred, bool scrambled,
                         argand_effort effort)
{
    *s = (fft_split){0};
    const int64_t n1 = split_factor(n, lines, centred);
    if (!n1) return ARGAND_OK;
    *s = (fft_split){.n1 = n1, .n2 = n / n1, .scrambled = scrambled};
    argand_status status =
        memory_check_left(memory_product(simd_batch_twiddle_bytes(is_double, n), scrambled ? 2 : 1), "fft");
    if (status == ARGAND_OK) status = make_lines(s, is_double, effort);
    if (status == ARGAND_OK)
        status = simd_batch_twiddles_make(&s->twiddles, simd_batch_of(&s->first.use[LINE_COLUMNS]), n);
    if (status == ARGAND_OK && scrambled)
        status = simd_batch_twiddles_make(&s->row_twiddles, simd_batch_of(&s->second.use[LINE_COLUMNS]), n);
    if (status != ARGAND_OK) split_release(s);
    return status;
}

void split_release(fft_split *s)
{
    simd_batch_twiddles_release(&s->row_twiddles);
    simd_batch_twiddles_release(&s->twiddles);
    line_release(&s->second);
    line_release(&s->first);
    *s = (fft_split){0};
}

size_t split_buffer_bytes(const fft_split *s)
{
    const size_t first = pass_buffer_bytes(&s->first), second = pass_buffer_bytes(&s->second);
    return first > second ? first : second;
}

/* The matrix in memory: its columns, or its rows, one behind the other. */
static pass_layout columns_of(const fft_split *s, const split_call *c, const void *at, int64_t stride)
{
    return (pass_layout){.at = (char *)at, .size = c->size, .stride = s->n2 * stride, .loop = {stride}};
}

static pass_layout rows_of(const fft_split *s, const split_call *c, const void *at, int64_t stride)
{
    return (pass_layout){.at = (char *)at, .size = c->size, .stride = stride, .loop = {s->n2 * stride}};
}

static fft_pass column_pass(const fft_split *s, const split_call *c)
{
    return (fft_pass){.line = &s->first,
                      .use = &s->first.use[LINE_COLUMNS],
                      .inverse = c->inverse,
                      .far = true,
                      .ops = {.factor = 1},
                      .loops = 1,
                      .n = {s->n2}};
}

static fft_pass row_pass(const fft_split *s, const split_call *c, line_layout layout)
{
    return (fft_pass){.line = &s->second,
                      .use = &s->second.use[layout],
                      .inverse = c->inverse,
                      .ops = {.factor = 1},
                      .loops = 1,
                      .n = {s->n1}};
}

static void run_natural(const fft_split *s, const split_call *c, int threads, void *middle, void *buffers)
{
    fft_pass first = column_pass(s, c), second = row_pass(s, c, LINE_COLUMNS);
    first.ops.rotate_in = c->centred ? s->n1 / 2 : 0;
    first.ops.twiddles = &s->twiddles;
    first.in = columns_of(s, c, c->in, c->in_stride);
    first.out = columns_of(s, c, middle, 1);
    second.ops.rotate_out = c->centred ? s->n2 / 2 : 0;
    second.ops.factor = c->factor;
    second.in = rows_of(s, c, middle, 1);
    second.out = (pass_layout){
        .at = c->out, .size = c->size, .stride = s->n1 * c->out_stride, .loop = {c->out_stride}};
    pass_run(&first, threads, buffers, split_buffer_bytes(s));
    pass_run(&second, threads, buffers, split_buffer_bytes(s));
}

static void run_to_scrambled(const fft_split *s, const split_call *c, int threads, void *buffers)
{
    fft_pass first = column_pass(s, c),
             second = row_pass(s, c, c->out_stride == 1 ? LINE_ROWS : LINE_COLUMNS);
    first.ops.rotate_in = c->centred ? s->n1 / 2 : 0;
    first.ops.twiddles = &s->twiddles;
    first.in = columns_of(s, c, c->in, c->in_stride);
    first.out = columns_of(s, c, c->out, c->out_stride);
    second.ops.rotate_out = c->centred ? s->n2 / 2 : 0;
    second.ops.factor = c->factor;
    second.in = second.out = rows_of(s, c, c->out, c->out_stride);
    pass_run(&first, threads, buffers, split_buffer_bytes(s));
    pass_run(&second, threads, buffers, split_buffer_bytes(s));
}

static void run_from_scrambled(const fft_split *s, const split_call *c, int threads, void *buffers)
{
    fft_pass first = row_pass(s, c, LINE_COLUMNS), second = column_pass(s, c);
    first.ops.rotate_in = c->centred ? s->n2 / 2 : 0;
    first.ops.twiddles = &s->row_twiddles;
    first.in = rows_of(s, c, c->in, c->in_stride);
    first.out = rows_of(s, c, c->out, c->out_stride);
    second.ops.rotate_out = c->centred ? s->n1 / 2 : 0;
    second.ops.factor = c->factor;
    second.in = second.out = columns_of(s, c, c->out, c->out_stride);
    pass_run(&first, threads, buffers, split_buffer_bytes(s));
    pass_run(&second, threads, buffers, split_buffer_bytes(s));
}

void split_run(const fft_split *s, const split_call *c, int threads, void *middle, void *buffers)
{
    if (!s->scrambled)
        run_natural(s, c, threads, middle, buffers);
    else
        (c->to_scrambled ? run_to_scrambled : run_from_scrambled)(s, c, threads, buffers);
}
