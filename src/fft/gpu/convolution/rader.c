/* SPDX-License-Identifier: BSD-3-Clause */
/* Rader's algorithm (Proc. IEEE 56:1107, 1968) inside a tile, for lines of a prime length p: point j of a
 * convolution of p - 1 points is point root^j of the line, and result j is point root^-j. This file
 * chooses the convolution and makes the kernel and the orders; the steps are in
 * kernels/fft/tile/convolution.krn. */
#include "fft/gpu/convolution/convolution.h"

#include "array/array.h"
#include "base/memory.h"
#include "fft/engine/primes.h"

bool rader_choose(line_convolution *f, radix_list *r, int64_t n, int most, const block_limits *l)
{
    if (n > most || !is_prime(n) || !has_small_radices(n - 1) || !radices_choose(r, (int)n - 1, l, 1))
        return false;
    *f = (line_convolution){.kind = CONVOLUTION_RADER, .points = (int)n, .convolution = (int)n - 1};
    return true;
}

/* A cluster holds a line, and its thread blocks send each other elements (kernels/fft/cluster/part.krn):
 * from the order of memory to columns of the convolution, or back. Before a block sends, elements for one
 * receiver lie together, those for the block after the sender's own first. */
typedef struct route {
    int blocks, count, run; /* run: elements of a block before they are sent */
    struct stop {
        int at, group; /* position in the lists, and the block that has it */
    } * from, *to;     /* for each element */
    /* single precision stores 2^23 plus the integer, which is then in the last bits */
    double above;
} route;

enum { ROUTE_GROUPS = 16 };

static void fill_route(const route *r, double *put, double *sent, double *come)
{
    int count[ROUTE_GROUPS][ROUTE_GROUPS] = {{0}}, first[ROUTE_GROUPS][ROUTE_GROUPS] = {{0}},
        arrived[ROUTE_GROUPS][ROUTE_GROUPS] = {{0}};
    for (int k = 0; k < r->count; k++) count[r->from[k].group][r->to[k].group]++;
    for (int s = 0; s < r->blocks; s++)
        for (int next = 1, sum = 0; next <= r->blocks; next++) {
            const int d = (s + next) % r->blocks;
            first[s][d] = sum;
            sum += count[s][d];
            for (int before = 0; before < s; before++) arrived[s][d] += count[before][d];
        }
    for (int k = 0; k < r->count; k++) {
        const int s = r->from[k].group, d = r->to[k].group, at = first[s][d]++, there = arrived[s][d]++;
        put[r->from[k].at] = r->above + at;
        sent[s * r->run + at] = r->above + 65536 * (double)d + there;
        come[r->to[k].at] = r->above + there;
    }
}

/* Returns where a point of the line lies in memory. */
int rader_place(const line_convolution *f, int number)
{
    return (number + f->origin) % f->points;
}

/* Returns the same place, counted without point 0. */
static int without_first(const line_convolution *f, int number)
{
    const int at = rader_place(f, number);
    return at < f->origin ? at : at - 1;
}

argand_status rader_route(twiddle_tables *t, const line_convolution *f, const convolution_split *c, bool back,
                          bool is_double, int *table)
{
    const int m = f->convolution, tile = c->v_tile, run = (m + c->blocks - 1) / c->blocks;
    const int64_t p = f->points, root = primitive_root(p), step = back ? power_mod(root, p - 2, p) : root;
    route r = {
        .blocks = c->blocks, .count = m, .run = back ? tile * c->u : run, .above = is_double ? 0 : 8388608};
    argand_status status;
    TRY(tables_reserve(t, (3 * m + 1) / 2, table));
    if (t->dry) return ARGAND_OK;
    TRY_OR_DONE(memory_take(&r.from, (size_t)m * sizeof *r.from));
    TRY_OR_DONE(memory_take(&r.to, (size_t)m * sizeof *r.to));
    int64_t at = 1;
    for (int j = 0; j < m; j++, at = at * step % p) {
        const int there = without_first(f, (int)at);
        const struct stop column = {j, j % c->v / tile}, line = {there, there / run};
        r.from[j] = back ? column : line;
        r.to[j] = back ? line : column;
    }
    double *list = tables_at(t, *table);
    fill_route(&r, list, list + m, list + 2 * m);
done:
    memory_free(r.from);
    memory_free(r.to);
    return status;
}

/* Sets the kernel exp(-2 pi i root^-j / p) / (p - 1). */
argand_status rader_kernel(double *kernel, const line_convolution *f)
{
    const int64_t p = f->points, back = power_mod(primitive_root(p), p - 2, p);
    int64_t to = 1;
    roots r;
    TRY(roots_make(&r, p));
    for (int j = 0; j < f->convolution; j++, to = to * back % p) {
        tables_root(kernel + 2 * j, &r, to);
        kernel[2 * j] /= f->convolution;
        kernel[2 * j + 1] /= f->convolution;
    }
    roots_release(&r);
    return ARGAND_OK;
}

void rader_order(int *order, const line_convolution *f, bool back)
{
    int64_t root = primitive_root(f->points), at = 1;
    if (back) root = power_mod(root, f->points - 2, f->points);
    for (int j = 0; j < f->convolution; j++, at = at * root % f->points) order[j] = (int)at - 1;
}
