/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of a minimum in each cell, such that residuals plus weighted squared differences between
 * neighbours are small: sequential tree-reweighted message passing (Kolmogorov, IEEE TPAMI 28:1568, 2006). A
 * pass goes through all cells in their order, another one in the opposite order. Each edge has one message,
 * for the direction of the pass that comes next. */
#include "maps/field_start.h"

#include <math.h>

enum { PASSES = 12 };

/* Returns the weight of the squared difference between two neighbours. The less certain one decides, so that
 * noise does not separate regions. */
static float weight_of(const field_cell *a, const field_cell *b, float smoothness)
{
    return smoothness * fminf(a->stiffness, b->stiffness);
}

static int degree(const int64_t neighbours[3])
{
    return (neighbours[0] >= 0) + (neighbours[1] >= 0) + (neighbours[2] >= 0);
}

/* Replaces the message on an edge, which came from the cell `to`, by the message to it. */
static void send(const field_cell *from, const field_cell *to, float message[MOST_LABELS],
                 const float *belief, float part, float weight)
{
    float sent[MOST_LABELS], least = INFINITY;
    for (int j = 0; j < to->count; j++) {
        float best = INFINITY;
        for (int i = 0; i < from->count; i++) {
            const float apart = from->omega[i] - to->omega[j];
            best = fminf(best, part * belief[i] - message[i] + weight * apart * apart);
        }
        sent[j] = best;
        least = fminf(least, best);
    }
    for (int j = 0; j < to->count; j++) message[j] = sent[j] - least;
}

/* Adds up the cost of a cell's minima and all messages to it. */
static void believe(const field_grid *g, const field_cell *cell, float belief[MOST_LABELS])
{
    for (int i = 0; i < cell->count; i++) belief[i] = cell->cost[i];
    for (int axis = 0; axis < 3; axis++) {
        if (cell->back[axis] >= 0)
            for (int i = 0; i < cell->count; i++) belief[i] += cell->message[axis][i];
        if (cell->next[axis] >= 0)
            for (int i = 0; i < cell->count; i++) belief[i] += g->cells[cell->next[axis]].message[axis][i];
    }
}

/* Updates the messages from a cell to its later neighbours, or to its earlier ones. */
static void pass_cell(field_grid *g, int64_t at, bool forward, float smoothness)
{
    field_cell *cell = &g->cells[at];
    const int before = degree(cell->back), after = degree(cell->next);
    const float part = 1.0f / (float)(before > after ? before : after > 0 ? after : 1);
    float belief[MOST_LABELS];
    believe(g, cell, belief);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t other = forward ? cell->next[axis] : cell->back[axis];
        if (other < 0) continue;
        float *message = forward ? g->cells[other].message[axis] : cell->message[axis];
        const float weight = weight_of(cell, &g->cells[other], smoothness);
        send(cell, &g->cells[other], message, belief, part, weight);
    }
}

/* Returns the cost of the cell's minimum i: its own, those of differences to chosen neighbours, and the
 * messages of the others. */
static float cost_of(const field_grid *g, const field_cell *cell, int i, float smoothness)
{
    float cost = cell->cost[i];
    for (int axis = 0; axis < 3; axis++) {
        if (cell->next[axis] >= 0) cost += g->cells[cell->next[axis]].message[axis][i];
        if (cell->back[axis] < 0) continue;
        const field_cell *other = &g->cells[cell->back[axis]];
        const float apart = cell->omega[i] - other->omega[other->chosen];
        cost += weight_of(cell, other, smoothness) * apart * apart;
    }
    return cost;
}

/* Chooses the cells' minima in the order of the cells. */
static void choose(field_grid *g, float smoothness)
{
    for (int64_t at = 0; at < g->count; at++) {
        field_cell *cell = &g->cells[at];
        float least = INFINITY;
        for (int i = 0; i < cell->count; i++) {
            const float cost = cost_of(g, cell, i, smoothness);
            if (!(cost < least)) continue; /* NaN is never chosen */
            least = cost;
            cell->chosen = i;
        }
    }
}

void labels_choose(field_grid *g, double smoothness)
{
    for (int p = 0; p < PASSES; p++) {
        for (int64_t at = 0; at < g->count; at++) pass_cell(g, at, true, (float)smoothness);
        for (int64_t at = g->count; at-- > 0;) pass_cell(g, at, false, (float)smoothness);
    }
    choose(g, (float)smoothness);
}
