/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the order of axes of passes with accessors. If something is padded or cropped, tries all orders
 * and takes the cheapest. */
#include "fft/gpu/access/maker.h"

#include <string.h>

enum { ORDERED_RANK = 4 };

static void try_order(maker *m, const axis_order *order, axis_order *best)
{
    for (int one_by_one = 0; one_by_one < (order->count > 1 ? 2 : 1); one_by_one++) {
        m->one_by_one = one_by_one;
        if (access_make_with(m, order->axis, order->count, true, NULL) != ARGAND_OK) continue;
        const double cost = program_cost(m->program, m->limits);
        program_release(m->program);
        if (best->cost > 0 && cost >= 0.999 * best->cost) continue;
        *best = *order;
        best->one_by_one = one_by_one;
        best->cost = cost;
    }
}

/* Tries all orders of the axes from position `at` to `end` of the list. */
static void try_orders(maker *m, axis_order *order, int at, int end, axis_order *best)
{
    if (at == end) try_order(m, order, best);
    for (int i = at; i < end; i++) {
        int *const axis = order->axis;
        const int chosen = axis[i];
        memmove(axis + at + 1, axis + at, (size_t)(i - at) * sizeof *axis);
        axis[at] = chosen;
        try_orders(m, order, at + 1, end, best);
        memmove(axis + at, axis + at + 1, (size_t)(i - at) * sizeof *axis);
        axis[i] = chosen;
    }
}

static bool is_pruned(const maker *m, int axis)
{
    return wanted(m, axis, false) < points_of(m, axis, false) ||
           wanted(m, axis, true) < points_of(m, axis, true);
}

/* Returns the order of the problem, or the cheapest if something is padded or cropped. Axis 0 of a real
 * transform has a fixed position. */
axis_order access_order(maker *m)
{
    const bool last = m->plan->swapped, head = is_real(m) && !last;
    axis_order order = {.count = 0}, best;
    bool pruned = false;
    for (int axis = last; axis < m->g->rank; axis++) {
        if (m->problem->n[axis] > 1 || (head && axis == 0)) order.axis[order.count++] = axis;
        pruned |= is_pruned(m, axis);
    }
    if (last) order.axis[order.count++] = 0;
    best = order;
    const gpu_tuning *t = &m->limits->tuning;
    const bool is_given =
        (t->split_second > 1 || t->split_choice) && access_volume_of(m, order.axis, order.count);
    if (pruned && order.count > 1 && order.count <= ORDERED_RANK && !is_given)
        try_orders(m, &order, head, order.count - last, &best);
    m->one_by_one = best.one_by_one;
    return best;
}
