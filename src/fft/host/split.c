/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of n = n1 n2 numbers as a matrix (Gentleman and Sande 1966; Bailey, J. Supercomputing 4:23, 1990):
 *   j = j1 n2 + j2, k = k1 + n1 k2:
 *   X[k] = sum_j2 w_n2^(j2 k2) ( w_n^(j2 k1) sum_j1 w_n1^(j1 k1) x[j] )
 * First pass: columns of length n1, turned by w_n, to work memory. Second pass: its rows of length n2,
 * written as columns. Both keep to cache and are parallel, which one long transform is not. Centred (n1, n2
 * even): index j + n/2 is j1 + n1/2, and k + n/2 is k2 + n2/2, so that each side is rotated by one of the
 * passes. */
#include "fft/host/split.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "fft/host/pass.h"

/* One thread is faster with SIMD along the line (within.c), by a factor of two where that stays in its cache;
 * lines that are many have no need of several threads each. */
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
    return n < SPLIT_FROM || lines >= SPLIT_LINES || !across_can(n) ? 0 : first_factor(n, centred);
}

argand_status split_make(fft_split *s, int64_t n, int64_t lines, bool is_double, bool centred,
                         argand_effort effort)
{
    *s = (fft_split){0};
    const int64_t n1 = split_factor(n, lines, centred);
    if (!n1) return ARGAND_OK;
    line_request
        first = {.is_double = is_double, .n = n1, .lines = n / n1, .effort = effort, .wanted = "across"},
        second = {.is_double = is_double, .n = n / n1, .lines = n1, .effort = effort, .wanted = "across"};
    TRY(line_make(&s->first, &first, 1 << LINE_COLUMNS));
    argand_status status = line_make(&s->second, &second, 1 << LINE_COLUMNS);
    s->n1 = n1;
    s->n2 = n / n1;
    if (status == ARGAND_OK) status = across_turns_make(&s->turns, across_of(&s->first.use[LINE_COLUMNS]), n);
    if (status != ARGAND_OK) split_release(s);
    return status;
}

void split_release(fft_split *s)
{
    across_turns_release(&s->turns);
    line_release(&s->second);
    line_release(&s->first);
    *s = (fft_split){0};
}

size_t split_buffer_bytes(const fft_split *s)
{
    const size_t first = pass_buffer_bytes(&s->first), second = pass_buffer_bytes(&s->second);
    return first > second ? first : second;
}

void split_run(const fft_split *s, const split_call *c, int threads, void *middle, void *buffers)
{
    const fft_pass first = {
        .line = &s->first,
        .use = &s->first.use[LINE_COLUMNS],
        .inverse = c->inverse,
        .far = true,
        .touch = {.rotate_in = c->centred ? s->n1 / 2 : 0, .factor = 1, .turns = &s->turns},
        .loops = 1,
        .n = {s->n2},
        .in = {.at = (char *)c->in, .size = c->size, .stride = s->n2 * c->in_stride, .loop = {c->in_stride}},
        .out = {.at = middle, .size = c->size, .stride = s->n2, .loop = {1}}};
    const fft_pass second = {
        .line = &s->second,
        .use = &s->second.use[LINE_COLUMNS],
        .inverse = c->inverse,
        .touch = {.rotate_out = c->centred ? s->n2 / 2 : 0, .factor = c->factor},
        .loops = 1,
        .n = {s->n1},
        .in = {.at = middle, .size = c->size, .stride = 1, .loop = {s->n2}},
        .out = {.at = c->out, .size = c->size, .stride = s->n1 * c->out_stride, .loop = {c->out_stride}}};
    pass_run(&first, threads, buffers, split_buffer_bytes(s));
    pass_run(&second, threads, buffers, split_buffer_bytes(s));
}
