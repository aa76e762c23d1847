/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the passes of the CPU engine before a plan is made, for the planner's model and for
 * `--explain`. */
#include "fft/cpu/passes/pass_list.h"

#include "fft/engine/facts.h"
#include "fft/cpu/passes/split.h"

enum { NEIGHBOURS = SPLIT_NEIGHBOURS };

static void list_axis(fft_passes *list, const fft_problem *p, int axis, argand_direction direction,
                      bool first, bool last)
{
    argand_fft_pass *pass = facts_add(list, axis ? "columns" : problem_is_real(p) ? "real rows" : "rows");
    facts_axis(pass, p, axis, direction, NEIGHBOURS, first,
               last || !problem_is_real(p) || direction == ARGAND_FORWARD);
}

/* Axes of a tile: the first one reads from memory, the last one's results go there, between them is cache. */
static void list_tile(fft_passes *list, const fft_problem *p, argand_direction direction)
{
    const bool to_real = problem_is_real(p) && direction == ARGAND_INVERSE;
    int order[ARGAND_MAX_RANK];
    const int count = passes_tile_order(p, direction, order);
    for (int i = 0; i < count; i++) {
        const bool first = i == 0, last = i == count - 1;
        argand_fft_pass *pass =
            facts_add(list, order[i] ? "columns of a tile in cache" : "rows of a tile in cache");
        facts_axis(pass, p, order[i], direction, NEIGHBOURS, first, last || !to_real);
        if (!first) pass->read_bytes = 0;
        if (!last) pass->write_bytes = 0;
    }
}

void passes_list(const fft_problem *p, argand_device *device, const char *variant, argand_direction direction,
                 fft_passes *list)
{
    (void)device, (void)variant;
    const bool to_real = problem_is_real(p) && direction == ARGAND_INVERSE;
    const int64_t n1 = p->rank == 1 && !problem_is_real(p) ? split_factor(p->n[0], p->batch, p->centred) : 0;
    const int tiled = passes_tiled_axes(p);
    if (n1) {
        split_list(list, p, direction, n1);
        return;
    }
    if (!to_real) list_tile(list, p, direction);
    for (int axis = tiled ? tiled : to_real; axis < p->rank; axis++)
        if (axis == 0 || p->n[axis] > 1) list_axis(list, p, axis, direction, !list->count, false);
    if (to_real && tiled) list_tile(list, p, direction);
    if (to_real && !tiled) list_axis(list, p, 0, direction, !list->count, true);
}
