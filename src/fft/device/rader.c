/* SPDX-License-Identifier: BSD-3-Clause */
/* Rader's orders (Proc. IEEE 56:1107, 1968): number j of a prime line's convolution is number root^j of the
 * line, and result j is number root^-j. Numbers change their order in shared memory. Were they to lie there as
 * in memory, those that a warp takes in Rader's order would be as many as thrown dice, of which three or four
 * fall on one bank. So each is put anywhere among its neighbours, where it is in nobody's way on either side:
 * numbers of one access are the edges of a node of a bipartite graph, banks their colours, and such a graph
 * has as many colours as edges meet (Koenig, Math. Ann. 77:453, 1916). Exchanges of two at a time come near. */
#include "fft/device/box.h"

#include "array/array.h"
#include "base/memory.h"

static int64_t power(int64_t base, int64_t exponent, int64_t p)
{
    int64_t result = 1;
    for (; exponent; exponent /= 2, base = base * base % p)
        if (exponent % 2) result = result * base % p;
    return result;
}

/* The smallest number whose powers are all of 1 to p - 1. */
static int64_t primitive_root(int64_t p)
{
    for (int64_t root = 1;; root++) {
        bool all = true;
        int64_t rest = p - 1;
        for (int64_t d = 2; d <= rest && all; d++) {
            if (rest % d) continue;
            all = power(root, (p - 1) / d, p) != 1;
            while (rest % d == 0) rest /= d;
        }
        if (all) return root;
    }
}

/* Places count from number 1 of the line; single precision has 2^23 and them, whose last bits they are. */
argand_status rader_places(box_tables *t, const box_fused *f, bool is_double, int *table)
{
    const int64_t p = f->points, root = primitive_root(p), back = power(root, p - 2, p);
    const double above = is_double ? 0 : 8388608;
    TRY(tables_room(t, f->convolution, table));
    if (t->dry) return ARGAND_OK;
    double *places = tables_at(t, *table);
    int64_t to = 1, from = 1;
    for (int j = 0; j < f->convolution; j++, to = to * back % p, from = from * root % p) {
        places[2 * j] = above + (double)(from - 1);
        places[2 * j + 1] = above + (double)(to - 1);
    }
    return ARGAND_OK;
}

/* exp(-2 pi i root^-j / p) is what its lines are convolved with. */
void rader_kernel(double *kernel, const box_fused *f)
{
    const int64_t p = f->points, back = power(primitive_root(p), p - 2, p);
    int64_t to = 1;
    for (int j = 0; j < f->convolution; j++, to = to * back % p) {
        tables_turn(kernel + 2 * j, to, p);
        kernel[2 * j] /= f->convolution;
        kernel[2 * j + 1] /= f->convolution;
    }
}

/* ---- where numbers lie in a box ---- */

/* One side of the convolution. Accesses are numbered; the first `rows` of each line's are of numbers as they
 * lie in memory, the others in Rader's order. */
typedef struct side {
    int n, lines, banks, pitch;
    int *slot;     /* of number i */
    int *access;   /* [line][i][2]: the accesses that it is part of */
    uint8_t *seen; /* [access][bank] */
    int accesses;
} side;

/* By how much more numbers of the same bank meet if number i moves from one slot to another, or by how much
 * less if sign is -1; the move is counted. */
static int count(side *s, int i, int slot, int sign)
{
    int met = 0;
    for (int line = 0; line < s->lines; line++)
        for (int k = 0; k < 2; k++) {
            uint8_t *seen = &s->seen[s->access[2 * (line * s->n + i) + k] * s->banks +
                                     (slot + line * s->pitch) % s->banks];
            if (sign < 0) --*seen;
            met += *seen;
            if (sign > 0) ++*seen;
        }
    return met;
}

/* Two slots of one row change their numbers (-1: none) if that is no worse. */
static bool exchange(side *s, int *number, int a, int b)
{
    const int i = number[a], j = number[b];
    int before = 0, after = 0;
    if (i >= 0) before += count(s, i, a, -1);
    if (j >= 0) before += count(s, j, b, -1);
    if (i >= 0) after += count(s, i, b, 1);
    if (j >= 0) after += count(s, j, a, 1);
    if (after <= before) {
        number[a] = j;
        number[b] = i;
        return after < before;
    }
    if (i >= 0) count(s, i, b, -1), count(s, i, a, 1);
    if (j >= 0) count(s, j, a, -1), count(s, j, b, 1);
    return false;
}

/* Sweeps over the pairs of each row until they gain nothing any more. */
static argand_status settle(side *s)
{
    enum { SWEEPS = 24 };
    int *number;
    TRY(memory_take(&number, (size_t)s->pitch * sizeof *number));
    for (int k = 0; k < s->pitch; k++) number[k] = k < s->n ? k : -1;
    for (int i = 0; i < s->n; i++) count(s, i, i, 1);
    for (int sweep = 0, idle = 0; sweep < SWEEPS && idle < 4; sweep++) {
        bool better = false;
        for (int row = 0; row < s->pitch; row += s->banks)
            for (int a = row; a < row + s->banks; a++)
                for (int b = a + 1; b < row + s->banks; b++) better |= exchange(s, number, a, b);
        idle = better ? 0 : idle + 1;
    }
    for (int k = 0; k < s->pitch; k++)
        if (number[k] >= 0) s->slot[number[k]] = k;
    memory_free(number);
    return ARGAND_OK;
}

/* Which accesses number i of each line is part of: as it lies in memory, and in the order of a stage of that
 * radix, whose item b has numbers b + r n / radix of the convolution. */
static void find_accesses(side *s, const int *order, int radix, int items)
{
    const int rows = (s->n * s->lines + items - 1) / items, warps = (items + s->banks - 1) / s->banks,
              butterflies = s->n / radix, turns = (butterflies * s->lines + items - 1) / items;
    for (int line = 0; line < s->lines; line++)
        for (int j = 0; j < s->n; j++) {
            const int at = line * s->n + j, b = line * butterflies + j % butterflies;
            s->access[2 * at] = at / items * warps + at % items / s->banks;
            s->access[2 * (line * s->n + order[j]) + 1] =
                rows * warps +
                ((b / items * radix + j / butterflies) * warps + b % items / s->banks);
        }
    s->accesses = (rows + turns * radix) * warps;
}

static argand_status spread(int *slot, const box_shape *shape, const int *order, int radix, bool is_double)
{
    side s = {.n = shape->fused.convolution,
              .lines = shape->size[1] * shape->size[2],
              .banks = banks_of(shape, is_double),
              .slot = slot};
    argand_status status;
    s.pitch = (s.n + s.banks - 1) / s.banks * s.banks;
    TRY_OR_DONE(memory_take(&s.access, 2 * (size_t)(s.n * s.lines) * sizeof *s.access));
    find_accesses(&s, order, radix, shape->items);
    TRY_OR_DONE(memory_take(&s.seen, (size_t)(s.accesses * s.banks)));
    for (int i = 0; i < s.accesses * s.banks; i++) s.seen[i] = 0;
    TRY_OR_DONE(settle(&s));
done:
    memory_free(s.access);
    memory_free(s.seen);
    return status;
}

/* As BOX_FLAT of the kernel. */
bool rader_is_flat(const box_shape *s)
{
    return s->fused.kind == FUSED_RADER && s->fused_axis == 0 && s->planes == 3 && !s->spread &&
           s->size[2] == 1 && s->unit == 15 && s->in_kind == IN_COMPLEX && s->out_kind == OUT_COMPLEX &&
           !s->rotate && !box_has_access(s);
}

argand_status rader_room(box_tables *t, const box_fused *f, int *table)
{
    return tables_room(t, 5 * f->convolution / 2 + 1, table);
}

/* order[j]: which number of the line, from its number 1 on, the convolution's number j is. */
static void fill_order(int *order, const box_fused *f, int64_t root)
{
    int64_t at = 1;
    for (int j = 0; j < f->convolution; j++, at = at * root % f->points) order[j] = (int)at - 1;
}

/* The lists of one side: of the line's numbers (NULL: as they lie in memory), of the convolution's, and these
 * with the line reversed (NULL: not). */
typedef struct lists {
    double *line, *convolved, *reversed;
} lists;

static argand_status put_side(lists to, const box_shape *s, const box_stage *stage, int pitch, int64_t root,
                              bool is_double)
{
    const int m = s->fused.convolution, unit = s->fused_axis == 1 ? pitch : 1, first = rader_is_flat(s);
    const double bytes = (is_double ? 8 : 4) * (s->planes == 3 ? 2 : 1) * unit, above = is_double ? 0 : 8388608;
    int *order = NULL, *slot = NULL;
    argand_status status;
    TRY_OR_DONE(memory_take(&order, (size_t)m * sizeof *order));
    TRY_OR_DONE(memory_take(&slot, (size_t)m * sizeof *slot));
    fill_order(order, &s->fused, root);
    for (int i = 0; i < m; i++) slot[i] = i + first;
    if (s->spread) TRY_OR_DONE(spread(slot, s, order, stage->radix, is_double));
    for (int j = 0; j < m; j++) {
        to.line[j] = above + bytes * slot[j];
        to.convolved[j] = above + bytes * slot[order[j]];
        if (to.reversed) to.reversed[j] = above + bytes * slot[m - 1 - order[j]];
    }
done:
    memory_free(order);
    memory_free(slot);
    return status;
}

argand_status rader_lists(box_tables *t, const box_shape *s, bool is_double)
{
    const int m = s->fused.convolution, last = s->stages - 1;
    const int64_t p = s->fused.points, root = primitive_root(p);
    double *list = tables_at(t, s->fused_table);
    const lists in = {list, list + m, NULL}, out = {list + 3 * m, list + 2 * m, list + 4 * m};
    TRY(put_side(in, s, &s->stage[0], s->stage[last].pitch, root, is_double));
    return put_side(out, s, &s->back[last], s->back[last].pitch, power(root, p - 2, p), is_double);
}
