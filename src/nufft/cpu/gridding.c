/* SPDX-License-Identifier: BSD-3-Clause */
/* Each task works on a private copy of its padded tile. Spreading adds tiles to the grid in a fixed order, so
 * that the result does not depend on threads: tiles of one colour share no cell, colours follow one another,
 * and tasks of one tile wait for their turn. */
#include "nufft/on_host.h"

#include <omp.h>
#include <sched.h>
#include <string.h>
#include "nufft/cpu/kernels.h"

typedef enum kernel_kind { SPREAD, INTERPOLATE } kernel_kind;

static chunk_kernel *find_kernel(kernel_kind kind, lane_mode mode, bool is_double)
{
    static chunk_kernel *const spread_one[2][CPU_LEVELS] = CPU_VARIANTS(nufft_spread_one);
    static chunk_kernel *const spread_many[2][CPU_LEVELS] = CPU_VARIANTS(nufft_spread_many);
    static chunk_kernel *const interpolate_one[2][CPU_LEVELS] = CPU_VARIANTS(nufft_interpolate_one);
    static chunk_kernel *const interpolate_many[2][CPU_LEVELS] = CPU_VARIANTS(nufft_interpolate_many);
    const cpu_level level = cpu_best();
    if (kind == SPREAD) return (mode == LANES_MANY ? spread_many : spread_one)[is_double][level];
    return (mode == LANES_MANY ? interpolate_many : interpolate_one)[is_double][level];
}

/* A task's tile, and the cells of the grid that it covers */
typedef struct tile_view {
    const layout *l;
    int64_t cell;       /* bytes */
    int64_t row, plane; /* of the grid, in cells */
    char *grid, *tile;
    int64_t period;            /* of rows */
    int64_t start[3], size[3]; /* of the padded tile, in cells of rows, columns and planes as they lie */
} tile_view;

static tile_view view_tile(const layout *l, lane_mode mode, char *grid, char *tile, const task *t)
{
    tile_view v = {.l = l,
                   .row = layout_row(l, mode),
                   .plane = layout_plane(l, mode),
                   .grid = grid,
                   .tile = tile,
                   .period = l->half ? layout_row(l, mode) : l->grid[0]};
    v.cell = (int64_t)layout_lanes(l, mode) * (l->is_double ? 16 : 8);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t start = layout_tile_start(l, axis, t->tile[axis]);
        v.start[axis] = start;
        v.size[axis] = layout_tile_start(l, axis, t->tile[axis] + 1) - start;
        if (axis < l->rank) v.size[axis] += l->window.width - 1;
    }
    if (l->half) v.start[0] += v.start[0] < l->before ? v.period - l->before : -l->before;
    return v;
}

static void add_reals(const tile_view *v, char *to, const char *from, int64_t cells)
{
    if (v->l->is_double) {
        double *sum = (double *)(void *)to;
        const double *term = (const double *)(const void *)from;
        for (int64_t i = 0; i < cells * v->cell / 8; i++) sum[i] += term[i];
    } else {
        float *sum = (float *)(void *)to;
        const float *term = (const float *)(const void *)from;
        for (int64_t i = 0; i < cells * v->cell / 4; i++) sum[i] += term[i];
    }
}

/* One row of the padded tile to (add) or from (copy) the grid */
static void move_row(const tile_view *v, int64_t y, int64_t z, bool add)
{
    const int64_t *n = v->l->grid, *padded = v->l->padded;
    const int64_t at_y = (v->start[1] + y) % n[1], at_z = (v->start[2] + z) % n[2];
    char *row = v->grid + v->cell * (at_z * v->plane + at_y * v->row);
    char *tile = v->tile + v->cell * (z * padded[1] + y) * padded[0];
    int64_t at = v->start[0];
    for (int64_t left = v->size[0]; left > 0; at = 0) {
        const int64_t there = v->period - at, cells = left < there ? left : there;
        if (add)
            add_reals(v, row + v->cell * at, tile, cells);
        else
            memcpy(tile, row + v->cell * at, (size_t)(v->cell * cells));
        tile += v->cell * cells;
        left -= cells;
    }
}

static void move_tile(const tile_view *v, bool add)
{
    for (int64_t z = 0; z < v->size[2]; z++)
        for (int64_t y = 0; y < v->size[1]; y++) move_row(v, y, z, add);
}

static chunk make_chunk(const argand_nufft *plan, const task *t, const sample_view *samples, void *tile)
{
    const layout *l = plan->layout;
    const points *p = plan->points;
    const int64_t real = l->is_double ? 8 : 4;
    chunk c = {.rank = l->rank,
               .width = l->window.width,
               .terms = l->window.terms,
               .taps = l->taps,
               .coefficients = l->coefficients,
               .row = l->padded[0],
               .plane = l->padded[0] * l->padded[1],
               .count = t->count,
               .cell = p->cell + t->first,
               .order = p->order + t->first,
               .folded = p->folded ? p->folded + t->first : NULL,
               .samples = samples->data,
               .stride = samples->stride,
               .vectors = samples->vectors,
               .vector_count = samples->vector_count,
               .tile = tile};
    for (int axis = 0; axis < l->rank; axis++) c.u[axis] = (const char *)p->u[axis] + real * t->first;
    return c;
}

static size_t grid_bytes(const layout *l, lane_mode mode)
{
    return (size_t)(layout_plane(l, mode) * l->grid[2] * layout_lanes(l, mode)) * (l->is_double ? 16 : 8);
}

static void clear_grid(char *grid, size_t bytes, int threads)
{
    enum { PIECE = 1 << 18 };
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t at = 0; at < bytes; at += PIECE)
        memset(grid + at, 0, bytes - at < PIECE ? bytes - at : PIECE);
}

static size_t used_tile_bytes(const tile_view *v)
{
    return (size_t)(v->cell * v->l->padded[0] * ((v->size[2] - 1) * v->l->padded[1] + v->size[1]));
}

/* The points of a crowded cell are first added to a tile of their own, CROWD at a time. Added one after
 * another, many equal numbers lose a digit for each factor of ten in their count. */
enum { CROWD = 128 };

/* Adds the window of a crowded cell to the tile, and clears it again, with what whole vectors touch: less
 * than the cells that a padded row has more than it needs (layout.c). */
static void take_over(const tile_view *v, char *crowded, int32_t cell)
{
    const layout *l = v->l;
    const int64_t width = l->window.width, ny = l->rank > 1 ? width : 1, nz = l->rank > 2 ? width : 1;
    for (int64_t z = 0; z < nz; z++)
        for (int64_t y = 0; y < ny; y++) {
            const int64_t at = v->cell * (cell + (z * l->padded[1] + y) * l->padded[0]);
            add_reals(v, v->tile + at, crowded + at, width);
            memset(crowded + at, 0, (size_t)(v->cell * width) + CELL_BYTES);
        }
}

static chunk part_of(const chunk *c, int64_t first, int64_t end, int64_t real, void *tile)
{
    chunk part = *c;
    part.count = end - first;
    part.cell += first;
    part.order += first;
    if (part.folded) part.folded += first;
    part.tile = tile;
    for (int axis = 0; axis < c->rank; axis++) part.u[axis] = (const char *)c->u[axis] + real * first;
    return part;
}

static bool is_crowd(const chunk *c, int64_t first)
{
    return first + CROWD <= c->count && c->cell[first] == c->cell[first + CROWD - 1];
}

static void spread_points(const tile_view *v, const chunk *c, chunk_kernel *kernel, char *crowded)
{
    const int64_t real = v->l->is_double ? 8 : 4;
    for (int64_t first = 0, end; first < c->count; first = end) {
        const bool crowd = is_crowd(c, first);
        for (end = first + CROWD; !crowd && end < c->count && !is_crowd(c, end); end += CROWD)
            ;
        if (end > c->count) end = c->count;
        const chunk part = part_of(c, first, end, real, crowd ? crowded : v->tile);
        kernel(&part);
        if (crowd) take_over(v, crowded, c->cell[first]);
    }
}

static void spread_task(const argand_nufft *plan, lane_mode mode, workspace *s, const sample_view *samples,
                        const task *t, char *tile)
{
    const tile_view v = view_tile(plan->layout, mode, s->grid, tile, t);
    const chunk c = make_chunk(plan, t, samples, tile);
    atomic_int *ticket = &s->tickets[t->slot];
    memset(tile, 0, used_tile_bytes(&v));
    spread_points(&v, &c, find_kernel(SPREAD, mode, plan->layout->is_double), tile + s->tile_bytes);
    /* Earlier parts were begun earlier, so they will end. */
    while (atomic_load_explicit(ticket, memory_order_acquire) != t->part) sched_yield();
    move_tile(&v, true);
    atomic_store_explicit(ticket, t->part + 1, memory_order_release);
}

void gridding_spread(const argand_nufft *plan, lane_mode mode, workspace *s, const sample_view *samples)
{
    const points *p = plan->points;
    atomic_llong next[COLOURS];
    for (int i = 0; i < COLOURS; i++) atomic_init(&next[i], p->task_first[i]);
    for (int64_t slot = 0; slot < p->slots; slot++) atomic_init(&s->tickets[slot], 0);
    clear_grid(s->grid, grid_bytes(plan->layout, mode), s->threads);
#pragma omp parallel num_threads(s->threads)
    {
        char *tile = s->tiles + 2 * s->tile_bytes * (size_t)omp_get_thread_num();
        for (int colour = 0; colour < COLOURS; colour++) {
            for (;;) {
                const int64_t i = atomic_fetch_add(&next[colour], 1);
                if (i >= p->task_first[colour + 1]) break;
                spread_task(plan, mode, s, samples, &p->tasks[i], tile);
            }
#pragma omp barrier
        }
    }
}

void gridding_interpolate(const argand_nufft *plan, lane_mode mode, workspace *s, const sample_view *samples)
{
    const points *p = plan->points;
    chunk_kernel *const kernel = find_kernel(INTERPOLATE, mode, plan->layout->is_double);
#pragma omp parallel for num_threads(s->threads) schedule(dynamic, 1)
    for (int64_t i = 0; i < p->task_first[COLOURS]; i++) {
        char *tile = s->tiles + 2 * s->tile_bytes * (size_t)omp_get_thread_num();
        const tile_view v = view_tile(plan->layout, mode, s->grid, tile, &p->tasks[i]);
        const chunk c = make_chunk(plan, &p->tasks[i], samples, tile);
        move_tile(&v, false);
        kernel(&c);
    }
}
