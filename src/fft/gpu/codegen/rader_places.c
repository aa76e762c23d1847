/* SPDX-License-Identifier: BSD-3-Clause */
/* Places the elements of Rader's convolutions, which are permuted in shared memory. In the order of global
 * memory, the elements that a warp reads in Rader's order would fall on banks at random, three or four of
 * them on one bank. */
#include "fft/gpu/codegen/shared_memory.h"

#include "base/memory.h"

/* Two access orders have no conflicts if no two elements of one access share a bank. Let accesses be the
 * nodes of a bipartite graph, and elements its edges, from the access in one order to the access in the
 * other. Banks are then colours of edges, and as many colours are enough as edges meet in a node (Koenig,
 * Math. Ann. 77:453, 1916). edge[node * banks + colour]: the edge of that colour at the node, -1: none. */
typedef struct colouring {
    int banks, *edge;
    const int *node; /* [edge][2] */
    int *colour;
} colouring;

static int *at_node(const colouring *c, int node, int colour)
{
    return &c->edge[node * c->banks + colour];
}

static int unused(const colouring *c, int node)
{
    int colour = 0;
    while (*at_node(c, node, colour) >= 0) colour++;
    return colour;
}

/* Exchanges colours `one` and `other` along the path of edges with these two colours that begins at
 * `node`, so that `one` becomes unused at the node. */
static void swap_path(colouring *c, int node, int one, int other)
{
    int edge = *at_node(c, node, one);
    *at_node(c, node, one) = -1;
    while (edge >= 0) {
        const int there = c->node[2 * edge] == node ? c->node[2 * edge + 1] : c->node[2 * edge],
                  next = *at_node(c, there, other);
        *at_node(c, node, other) = *at_node(c, there, other) = edge;
        c->colour[edge] = other;
        if (next < 0) *at_node(c, there, one) = -1;
        const int kept = one;
        one = other;
        other = kept;
        node = there;
        edge = next;
    }
}

static void colour_edges(colouring *c, int edges)
{
    for (int i = 0; i < edges; i++) {
        const int from = c->node[2 * i], to = c->node[2 * i + 1], free_from = unused(c, from),
                  free_to = unused(c, to);
        if (free_from != free_to) swap_path(c, to, free_from, free_to);
        c->colour[i] = free_from;
        *at_node(c, from, free_from) = *at_node(c, to, free_from) = i;
    }
}

/* Same as BOX_FLAT of the kernel. */
bool rader_is_flat(const tile_shape *s)
{
    return s->convolution.kind == CONVOLUTION_RADER && s->convolution_axis == 0 && s->exchange_mode == 3 &&
           s->size[2] == 1 && (s->unit == 15 || (s->size[1] == 1 && (s->unit & 3) == 3)) &&
           s->in_kind == IN_COMPLEX && s->out_kind == OUT_COMPLEX && !tile_has_access(s);
}

/* Returns the number of consecutive accesses of all threads, each of which is one row of banks. */
static int warps_of(const tile_shape *s, int banks)
{
    return (s->threads + banks - 1) / banks;
}

/* Returns the access that contains element i of the tile, or of a list that threads share in the same way. */
static int access_of(const tile_shape *s, int i, int banks)
{
    return i / s->threads * warps_of(s, banks) + i % s->threads / banks;
}

int rader_elements(const tile_shape *s, int banks)
{
    const int all = s->size[1] * s->convolution.points;
    return s->spread ? (access_of(s, all - 1, banks) + 1) * banks : all;
}

/* Input or output of the convolution. order[j]: the point of the line (from point 1 on) that is point j of
 * the convolution. */
typedef struct placement {
    const tile_shape *shape;
    int banks, radix, *order, *slot; /* slot: position of each element of the tile */
} placement;

/* Returns the access that contains point j of a line's convolution: threads have elements b + r n / radix. */
static int taken_in(const placement *s, int line, int j)
{
    const int butterflies = s->shape->convolution.convolution / s->radix,
              b = s->shape->mid_fast ? line + j % butterflies * s->shape->size[1]
                                     : line * butterflies + j % butterflies,
              round = b / s->shape->threads * s->radix + j / butterflies;
    return round * warps_of(s->shape, s->banks) + b % s->shape->threads / s->banks;
}

/* Returns the position of a point in its line. Shifted lines that keep the order of global memory have it
 * elsewhere. */
static int lies_at(const placement *s, int number)
{
    return rader_is_flat(s->shape) ? rader_place(&s->shape->convolution, number) : number;
}

/* Places elements without conflicts: one access in memory order is one row. Point 0 of a line causes no
 * conflicts, because few threads read it. */
static argand_status spread(placement *s)
{
    const int lines = s->shape->size[1], p = s->shape->convolution.points, all = lines * p,
              rows = rader_elements(s->shape, s->banks) / s->banks,
              rounds = ((p - 1) / s->radix * lines + s->shape->threads - 1) / s->shape->threads * s->radix,
              nodes = rows + rounds * warps_of(s->shape, s->banks) + lines;
    int *node = NULL;
    colouring c = {.banks = s->banks};
    argand_status status;
    TRY_OR_DONE(memory_take(&node, 2 * (size_t)all * sizeof *node));
    TRY_OR_DONE(memory_take(&c.colour, (size_t)all * sizeof *c.colour));
    TRY_OR_DONE(memory_take(&c.edge, (size_t)(nodes * s->banks) * sizeof *c.edge));
    for (int i = 0; i < nodes * s->banks; i++) c.edge[i] = -1;
    for (int i = 0; i < all; i++) node[2 * i] = access_of(s->shape, i, s->banks);
    for (int line = 0; line < lines; line++) {
        node[2 * (line * p + lies_at(s, 0)) + 1] = nodes - 1 - line;
        for (int j = 0; j < p - 1; j++)
            node[2 * (line * p + lies_at(s, 1 + s->order[j])) + 1] = rows + taken_in(s, line, j);
    }
    c.node = node;
    colour_edges(&c, all);
    for (int i = 0; i < all; i++) s->slot[i] = node[2 * i] * s->banks + c.colour[i];
done:
    memory_free(node);
    memory_free(c.colour);
    memory_free(c.edge);
    return status;
}

/* Sets the position of each element of the tile: as in global memory, or free of conflicts, or without
 * point 0. */
static argand_status place_elements(placement *s)
{
    const int p = s->shape->convolution.points, lines = s->shape->size[1];
    if (s->shape->spread) return spread(s);
    for (int i = 0; i < lines * p; i++) s->slot[i] = rader_is_flat(s->shape) ? i : i % p - 1;
    return ARGAND_OK;
}

/* Index lists of input or output: elements of the tile (NULL: not wanted), elements of the convolution,
 * and the latter for reversed lines (NULL: not wanted). If all lines have the same layout, the lists are
 * those of the first line. */
typedef struct lists {
    double *tile, *convolved, *reversed;
} lists;

static void fill_lists(lists to, const placement *s, double above, double bytes)
{
    const tile_shape *shape = s->shape;
    const int p = shape->convolution.points, m = p - 1, lines = shape->spread ? shape->size[1] : 1;
    for (int i = 0; shape->spread && i < lines * p; i++) to.tile[i] = above + bytes * s->slot[i];
    for (int line = 0; line < lines; line++)
        for (int j = 0; j < m; j++) {
            to.convolved[line * m + j] = above + bytes * s->slot[line * p + lies_at(s, 1 + s->order[j])];
            if (to.reversed)
                to.reversed[line * m + j] =
                    above + bytes * s->slot[line * p + lies_at(s, p - 1 - s->order[j])];
        }
}

static argand_status put_placement(lists to, const tile_shape *shape, const tile_stage *stage, int pitch,
                                   bool back, bool is_double)
{
    placement s = {.shape = shape, .banks = banks_of(shape, is_double), .radix = stage->radix};
    const int unit = shape->convolution_axis == 1 ? pitch : 1;
    argand_status status;
    TRY_OR_DONE(memory_take(&s.order, (size_t)shape->convolution.convolution * sizeof *s.order));
    TRY_OR_DONE(memory_take(&s.slot, (size_t)(shape->convolution.points * shape->size[1]) * sizeof *s.slot));
    rader_order(s.order, &shape->convolution, back);
    TRY_OR_DONE(place_elements(&s));
    fill_lists(to, &s, is_double ? 0 : 8388608,
               (is_double ? 8 : 4) * (shape->exchange_mode == 3 ? 2 : 1) * (double)unit);
done:
    memory_free(s.order);
    memory_free(s.slot);
    return status;
}

/* Makes the kernel's BOX_LIST. */
argand_status rader_lists(twiddle_tables *t, tile_shape *s, bool is_double)
{
    const int m = s->convolution.convolution, last = s->stages - 1, lines = s->spread ? s->size[1] : 1,
              all = s->spread ? lines * s->convolution.points : 0, convolved = lines * m;
    TRY(tables_reserve(t, (2 * all + 3 * convolved + 1) / 2, &s->convolution_table));
    if (t->dry) return ARGAND_OK;
    double *list = tables_at(t, s->convolution_table);
    const lists in = {list + 3 * convolved, list, NULL},
                out = {list + 3 * convolved + all, list + convolved, list + 2 * convolved};
    TRY(put_placement(in, s, &s->stage[0], s->stage[last].pitch, false, is_double));
    return put_placement(out, s, &s->back[last], s->back[last].pitch, true, is_double);
}
