/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that one call needs. The last one used is kept with the plan, so that iterations do not fault in
 * fresh pages; a second call at the same time makes its own. */
#include "nufft/on_host.h"

#include "base/memory.h"

enum { SLACK = 1024 }; /* kernels touch whole vectors beyond a tile's last cell, with weight 0 */

static size_t round_up(size_t bytes)
{
    return (bytes + SLACK + 63) / 64 * 64;
}

/* Returns the bytes of a bundle of columns and its work memory; rows are transformed in place. */
static size_t line_bytes(const layout *l, lane_mode mode)
{
    size_t most = 0;
    for (int axis = 0; axis < l->axes; axis++) {
        const size_t bytes =
            (axis ? (size_t)l->grid[axis] * CELL_BYTES : 0) + fft_bundle_work_bytes(l->lines[mode][axis]);
        if (bytes > most) most = bytes;
    }
    return round_up(most);
}

static size_t cell_bytes(const layout *l, lane_mode mode)
{
    return (size_t)layout_lanes(l, mode) * (l->is_double ? 16 : 8);
}

static size_t grid_bytes(const layout *l, lane_mode mode)
{
    return memory_product((size_t)layout_plane(l, mode), (size_t)l->grid[2] * cell_bytes(l, mode));
}

static workspace sizes(const argand_nufft *plan, lane_mode mode, int threads)
{
    const layout *l = plan->layout;
    const int lanes = layout_lanes(l, mode),
              used = choice_threads(plan, plan->points ? (double)plan->points->count : 0, lanes, threads);
    return (workspace){
        .grid_bytes = grid_bytes(l, mode),
        .tile_bytes = round_up((size_t)(l->padded[0] * l->padded[1] * l->padded[2]) * cell_bytes(l, mode)),
        .line_bytes = line_bytes(l, mode),
        .threads = used,
        .places = used,
        .slots = plan->points ? plan->points->slots : 0};
}

static size_t bytes_of(const workspace *s)
{
    return s->grid_bytes + (2 * s->tile_bytes + s->line_bytes) * (size_t)s->places +
           (size_t)s->slots * sizeof(atomic_int);
}

size_t workspace_wanted(const argand_nufft *plan, int threads)
{
    const layout *l = plan->layout;
    if (layout_prepare(l, LANES_ONE) != ARGAND_OK || layout_prepare(l, LANES_MANY) != ARGAND_OK)
        return 0; /* no memory for any of it */
    const workspace one = sizes(plan, LANES_ONE, threads), many = sizes(plan, LANES_MANY, threads);
    const size_t alone = bytes_of(&one), share = (bytes_of(&many) + (size_t)l->many - 1) / (size_t)l->many;
    return alone > share ? alone : share;
}

static bool serves(const workspace *has, const workspace *wanted)
{
    return has->grid_bytes >= wanted->grid_bytes && has->tile_bytes >= wanted->tile_bytes &&
           has->line_bytes >= wanted->line_bytes && has->places >= wanted->threads &&
           has->slots >= wanted->slots;
}

static argand_status allocate(workspace *s)
{
    TRY(memory_take_pages(&s->grid, s->grid_bytes)); /* of it only what was written is read */
    TRY(NEW(s->tiles, memory_product(2 * s->tile_bytes, (size_t)s->places)));
    TRY(memory_take_pages(&s->lines, memory_product(s->line_bytes, (size_t)s->places)));
    return NEW(s->tickets, s->slots);
}

argand_status workspace_take(workspace **out, const argand_nufft *plan, lane_mode mode)
{
    const int threads = argand_device_threads(plan->device);
    TRY(layout_prepare(plan->layout, mode));
    const workspace wanted = sizes(plan, mode, threads);
    workspace *s = atomic_exchange(&((argand_nufft *)plan)->spare, NULL);
    if (s && !serves(s, &wanted)) {
        workspace_destroy(s);
        s = NULL;
    }
    if (!s) {
        TRY(NEW(s, 1));
        *s = wanted;
        const argand_status status = allocate(s);
        if (status != ARGAND_OK) {
            workspace_destroy(s);
            return status;
        }
    }
    s->threads = wanted.threads;
    *out = s;
    return ARGAND_OK;
}

void workspace_give_back(const argand_nufft *plan, workspace *s)
{
    workspace_destroy(atomic_exchange(&((argand_nufft *)plan)->spare, s));
}

size_t workspace_bytes(const workspace *s)
{
    return s ? sizeof *s + bytes_of(s) : 0;
}

void workspace_destroy(workspace *s)
{
    if (!s) return;
    memory_free(s->tickets);
    memory_free(s->lines);
    memory_free(s->tiles);
    memory_free(s->grid);
    memory_free(s);
}
