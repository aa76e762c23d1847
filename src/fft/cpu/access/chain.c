/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalars, arrays and functions on lines in cache. An array's column is read as the lines of the block are,
 * whole cache lines at a time, and multiplied from there. */
#include "fft/cpu/access/chain.h"

#include <string.h>
#define REAL double
#include "kernels/portable.h"
#include "kernels/access/types.h"
#undef REAL

int64_t border_element(int64_t t, int64_t n, int64_t count, argand_border border)
{
    return access_border(t, n, count, (int)border);
}

static void scale(const block_state *b, const access_link *link, int width, int64_t point, int64_t count)
{
    const block_part x = part_of_block(b, b->buffer, width, point, count);
    for (int64_t o = 0; o < x.outers; o++)
        b->pass->moves->scale(x.at + o * x.step, width, link->scalar, (argand_scalar){0, 0}, x.inners);
}

/* Elements that are not contiguous, as the block's are, are brought into that order first, in
 * b->side. */
static void multiply(const block_state *b, const access_link *link, int width, int64_t place, int64_t point,
                     int64_t count)
{
    const access_pass *p = b->pass;
    const block_part x = part_of_block(b, b->buffer, width, point, count);
    const int64_t size = (int64_t)argand_type_size(link->array->type);
    const int64_t along = link->stride[p->axis], line_dim = b->line_dim < 0 ? 0 : link->stride[b->line_dim];
    const int64_t inner = b->columns ? line_dim : along, outer = b->columns ? along : line_dim;
    const int a_width = link->real_array ? 1 : 2;
    access_lines from = {argand_array_data(link->array), link->array->type, 0, inner * size, outer * size};
    for (int d = 0; d < p->dims; d++)
        from.at += (b->coordinate[d] + (d == p->axis ? place : 0)) * link->stride[d] * size;
    const bool in_order = inner == 0 || inner == 1;
    if (!in_order) {
        p->moves->read(&(access_buffer){b->scratch, b->pitch, a_width, 0}, 0, &from, outer ? x.outers : 1,
                       x.inners);
        from.at = b->scratch;
        from.line_stride = outer ? x.step : 0;
    }
    for (int64_t o = 0; o < x.outers; o++) {
        const access_product product = {from.at + o * from.line_stride, in_order ? inner : 1,
                                        link->real_array, link->conjugate};
        p->moves->multiply(x.at + o * x.step, width, &product, x.inners);
    }
}

/* X[-k] of all lines, n complex points. */
static block_part mirrored(const block_state *b, const block_part *x)
{
    const size_t size = b->pass->is_double ? 16 : 8;
    const int64_t n = b->columns ? x->outers : x->inners;
    for (int64_t o = 0; o < x->outers; o++) {
        const char *from = x->at + (b->columns ? (n - o) % n : o) * x->step;
        char *to = (char *)b->scratch + o * x->step;
        if (b->columns)
            memcpy(to, from, (size_t)x->inners * size);
        else
            for (int64_t k = 0; k < n; k++)
                memcpy(to + (size_t)k * size, from + (size_t)((n - k) % n) * size, size);
    }
    return (block_part){b->scratch, x->outers, x->inners, x->step};
}

static void call(const block_state *b, const access_link *link, int width, int64_t place, int64_t point,
                 int64_t count)
{
    const block_part x = part_of_block(b, b->buffer, width, point, count);
    const block_part mirror = link->mirror ? mirrored(b, &x) : (block_part){0};
    const int outer = b->columns ? b->pass->axis : b->line_dim;
    argand_access_run run = {.count = x.inners,
                             .axis = b->columns ? b->line_dim : b->pass->axis,
                             .parameters = link->parameters,
                             .data = link->array ? argand_array_data(link->array) : NULL};
    memcpy(run.coordinate, b->coordinate, sizeof run.coordinate);
    run.coordinate[b->pass->axis] += place;
    for (int64_t o = 0; o < x.outers; o++) {
        link->function(x.at + o * x.step, mirror.at ? mirror.at + o * mirror.step : NULL, &run);
        if (outer >= 0) run.coordinate[outer]++;
    }
}

void chain_apply(const block_state *b, const access_chain *chain, int width, int64_t place, int64_t point,
                 int64_t count)
{
    for (int i = 0; i < chain->count; i++) {
        const access_link *link = &chain->link[i];
        if (link->kind == ARGAND_ACCESS_SCALE) scale(b, link, width, point, count);
        if (link->kind == ARGAND_ACCESS_MULTIPLY) multiply(b, link, width, place, point, count);
        if (link->kind == ARGAND_ACCESS_CALL) call(b, link, width, place, point, count);
    }
}
