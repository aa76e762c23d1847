/* SPDX-License-Identifier: BSD-3-Clause */
/* The two-pass split: a line of n = n1 n2 points as a matrix (Gentleman and Sande 1966; Bailey, J.
 * Supercomputing 4:23, 1990): j = j1 n2 + j2, k = k1 + n1 k2,
 *   X[k] = sum_j2 w_n2^(j2 k2) ( w_n^(j2 k1) sum_j1 w_n1^(j1 k1) x[j] )
 * The first pass transforms columns of length n1, times w_n, to work memory. The second pass transforms its
 * rows of length n2 and writes them as columns. Unlike one long transform, both passes stay in cache and run
 * in parallel. Centred (n1, n2 even): index j + n/2 is j1 + n1/2, and k + n/2 is k2 + n2/2, so each pass
 * rotates one end.
 * Scrambled: if frequency k may be left at k1 n2 + k2, both passes are in place. Columns go first towards the
 * frequencies, and rows first in the inverse. */
#include "fft/cpu/passes/split.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/memory_available.h"
#include "fft/cpu/passes/pass.h"

/* ---- when ---- */

/* Shorter lines are not split: one thread with SIMD along the line (simd_single/run.c) is up to twice as
 * fast while the line fits its cache. Many lines are not split either: each thread has lines of its own. */
enum { SPLIT_FROM = 131072, SPLIT_LINES = 16, SPLIT_LEAST = 64 };

/* Returns the largest factor of n up to its square root; 0 if it is too small to help. even: both factors
 * must be even. */
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

/* ---- plan ---- */

/* With scrambled frequencies any algorithm may do the rows, except rows that are multiplied by twiddles
 * afterwards. */
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

/* ---- apply ---- */

/* Returns the layout of the matrix's columns, one after another; rows_of: of its rows. */
static pass_layout columns_of(const fft_split *s, const split_call *c, pass_place place, int64_t stride)
{
    return (pass_layout){.place = place, .size = c->size, .stride = s->n2 * stride, .loop = {stride}};
}

static pass_layout rows_of(const fft_split *s, const split_call *c, pass_place place, int64_t stride)
{
    return (pass_layout){.place = place, .size = c->size, .stride = stride, .loop = {s->n2 * stride}};
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

static void run_two(const fft_split *s, const fft_pass *first, const fft_pass *second,
                    const pass_memory *memory, int threads, void *buffers)
{
    pass_run(first, memory, threads, buffers, split_buffer_bytes(s));
    pass_run(second, memory, threads, buffers, split_buffer_bytes(s));
}

static void run_natural(const fft_split *s, const split_call *c, const pass_memory *memory, int threads,
                        void *buffers)
{
    fft_pass first = column_pass(s, c), second = row_pass(s, c, LINE_COLUMNS);
    first.ops.rotate_in = c->centred ? s->n1 / 2 : 0;
    first.ops.twiddles = &s->twiddles;
    first.in = columns_of(s, c, PASS_IN, c->in_stride);
    first.out = columns_of(s, c, PASS_MIDDLE, 1);
    second.ops.rotate_out = c->centred ? s->n2 / 2 : 0;
    second.ops.factor = c->factor;
    second.in = rows_of(s, c, PASS_MIDDLE, 1);
    second.out = (pass_layout){
        .place = PASS_OUT, .size = c->size, .stride = s->n1 * c->out_stride, .loop = {c->out_stride}};
    run_two(s, &first, &second, memory, threads, buffers);
}

static void run_to_scrambled(const fft_split *s, const split_call *c, const pass_memory *memory, int threads,
                             void *buffers)
{
    fft_pass first = column_pass(s, c),
             second = row_pass(s, c, c->out_stride == 1 ? LINE_ROWS : LINE_COLUMNS);
    first.ops.rotate_in = c->centred ? s->n1 / 2 : 0;
    first.ops.twiddles = &s->twiddles;
    first.in = columns_of(s, c, PASS_IN, c->in_stride);
    first.out = columns_of(s, c, PASS_OUT, c->out_stride);
    second.ops.rotate_out = c->centred ? s->n2 / 2 : 0;
    second.ops.factor = c->factor;
    second.in = second.out = rows_of(s, c, PASS_OUT, c->out_stride);
    run_two(s, &first, &second, memory, threads, buffers);
}

static void run_from_scrambled(const fft_split *s, const split_call *c, const pass_memory *memory,
                               int threads, void *buffers)
{
    fft_pass first = row_pass(s, c, LINE_COLUMNS), second = column_pass(s, c);
    first.ops.rotate_in = c->centred ? s->n2 / 2 : 0;
    first.ops.twiddles = &s->row_twiddles;
    first.in = rows_of(s, c, PASS_IN, c->in_stride);
    first.out = rows_of(s, c, PASS_OUT, c->out_stride);
    second.ops.rotate_out = c->centred ? s->n1 / 2 : 0;
    second.ops.factor = c->factor;
    second.in = second.out = columns_of(s, c, PASS_OUT, c->out_stride);
    run_two(s, &first, &second, memory, threads, buffers);
}

void split_run(const fft_split *s, const split_call *c, int threads, void *middle, void *buffers)
{
    const pass_memory memory = {{(char *)(uintptr_t)c->in, c->out, middle}};
    (!s->scrambled     ? run_natural
     : c->to_scrambled ? run_to_scrambled
                       : run_from_scrambled)(s, c, &memory, threads, buffers);
}

/* ---- print ---- */

void split_list(fft_passes *list, const fft_problem *p, argand_direction direction, int64_t n1)
{
    const bool scrambled = p->scrambled_signal || p->scrambled_spectrum,
               from = scrambled && p->scrambled_spectrum != (direction == ARGAND_FORWARD);
    static const char *const names[3][2] = {{"columns and twiddles", "rows, stored as columns"},
                                            {"columns and twiddles", "rows"},
                                            {"rows and twiddles", "columns"}};
    const int order = !scrambled ? 0 : from ? 2 : 1;
    for (int half = 0; half < 2; half++) {
        const bool columns = half == from;
        argand_fft_pass *pass = facts_add(list, "%s", names[order][half]);
        facts_axis(pass, p, 0, direction, SPLIT_NEIGHBOURS, !half, half);
        pass->length = columns ? n1 : p->n[0] / n1;
        pass->lines = p->points * p->batch / pass->length;
        pass->operations *= 0.5;
        const int64_t segment = SPLIT_NEIGHBOURS * facts_element(p, true, direction);
        pass->write_segment = columns || !scrambled ? segment : 0;
        pass->read_segment = columns ? segment : 0;
        if (!half) pass->read_bytes += facts_bytes(p, true, direction) / p->batch; /* the twiddles */
    }
}

void split_print(const fft_split *s, text *t)
{
    text_add(t, " (split %lld %lld%s)", (long long)s->n1, (long long)s->n2, s->scrambled ? " scrambled" : "");
}
