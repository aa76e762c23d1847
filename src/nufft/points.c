/* SPDX-License-Identifier: BSD-3-Clause */
/* Points folded into the grid's period, located in their tile, and sorted by tile, then by cell, so that
 * points that touch the same cells follow one another. Sorting is stable: the order does not depend on
 * threads. */
#include "nufft/plan.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include "base/memory.h"

/* A tile with more points than this is several tasks, so that a crowded centre does not hold up the rest. */
enum { TASK_POINTS = 8192, PIECE = 4096 };

/* One axis of the grid: its tiles, by first cell */
typedef struct axis_table {
    double n, grid, half_width;
    int32_t *tile, *inside; /* of each cell: its tile, and its place in the tile */
    int64_t longest;        /* cells of the longest tile */
} axis_table;

/* Points before sorting */
typedef struct located {
    const layout *l;
    argand_array *const *k;
    const double *scale; /* of each axis, to cycles/FOV */
    int64_t count;
    int64_t tile_count, tile_cells;
    axis_table axis[3];
    uint32_t *tile, *cell; /* of each point: which tile, which cell of it (without padding) */
    uint32_t *by_tile;     /* indices sorted by tile */
    int64_t *tile_first;   /* tile_count + 1 */
    int threads;
} located;

static argand_status make_table(axis_table *a, const layout *l, int axis)
{
    a->n = (double)l->image[axis];
    a->grid = (double)l->grid[axis];
    a->half_width = 0.5 * l->window.width;
    a->longest = (l->grid[axis] + l->tiles[axis] - 1) / l->tiles[axis];
    TRY(NEW(a->tile, l->grid[axis]));
    TRY(NEW(a->inside, l->grid[axis]));
    for (int64_t tile = 0; tile < l->tiles[axis]; tile++) {
        const int64_t start = layout_tile_start(l, axis, tile), end = layout_tile_start(l, axis, tile + 1);
        for (int64_t cell = start; cell < end; cell++) {
            a->tile[cell] = (int32_t)tile;
            a->inside[cell] = (int32_t)(cell - start);
        }
    }
    return ARGAND_OK;
}

static inline double coordinate(const void *k, bool is_double, int64_t i)
{
    return is_double ? ((const double *)k)[i] : (double)((const float *)k)[i];
}

/* The first cell that the window of a point at k touches, and where it lies between cells. k splits into an
 * integer, whose place on the grid is computed exactly (n and grid are below 2^31 and their product below
 * 2^62, so the quotient is corrected by the remainder), and a rest of at most half: no digits are lost to
 * large k. */
static inline int64_t first_cell(const axis_table *a, double k, double *u)
{
    if (fabs(k) > 0x1p30) k = fmod(k, a->n);
    const double whole = (k + 0x1.8p52) - 0x1.8p52, rest = k - whole; /* to the nearest, without a call */
    const int64_t n = (int64_t)a->n, grid = (int64_t)a->grid, product = (int64_t)whole * grid;
    int64_t cell = (int64_t)(whole * a->grid / a->n), over = product - cell * n;
    while (over < 0) cell--, over += n;
    while (over >= n) cell++, over -= n;
    const double offset = ((double)over + rest * a->grid) / a->n - a->half_width;
    int64_t up = (int64_t)offset;
    if ((double)up < offset) up++;
    const double v = 2 * ((double)up - offset) - 1;
    *u = v < 1 ? v : 1;
    cell += up;
    if (cell >= 0 && cell < grid) return cell;
    cell %= grid;
    return cell < 0 ? cell + grid : cell;
}

/* Tile and cell of points begin to end - 1, an axis at a time; -1 or the last that is not finite */
static int64_t locate_range(const located *s, int64_t begin, int64_t end)
{
    int64_t bad = -1;
    for (int64_t i = begin; i < end; i++) s->tile[i] = s->cell[i] = 0;
    for (int axis = s->l->rank - 1; axis >= 0; axis--) {
        const axis_table *a = &s->axis[axis];
        const void *k = argand_array_data(s->k[axis]);
        const bool is_double = argand_array_type(s->k[axis]) == ARGAND_R64;
        const double scale = s->scale[axis];
        const uint32_t tiles = (uint32_t)s->l->tiles[axis], longest = (uint32_t)a->longest;
        for (int64_t i = begin; i < end; i++) {
            double u;
            const double value = scale * coordinate(k, is_double, i);
            if (!isfinite(value)) {
                bad = i;
                continue;
            }
            const int64_t cell = first_cell(a, value, &u);
            s->tile[i] = s->tile[i] * tiles + (uint32_t)a->tile[cell];
            s->cell[i] = s->cell[i] * longest + (uint32_t)a->inside[cell];
        }
    }
    return bad;
}

static argand_status locate(const located *s)
{
    int64_t bad = -1;
#pragma omp parallel for num_threads(s->threads) schedule(static) reduction(max : bad)
    for (int64_t piece = 0; piece < (s->count + PIECE - 1) / PIECE; piece++) {
        const int64_t end = (piece + 1) * PIECE,
                      found = locate_range(s, piece * PIECE, end < s->count ? end : s->count);
        bad = found > bad ? found : bad;
    }
    CHECK(bad < 0, ARGAND_NUMERIC, "nufft: position %lld of %lld is not finite: all must be numbers",
          (long long)bad, (long long)s->count);
    return ARGAND_OK;
}

static void sort_by_tile(located *s)
{
    for (int64_t i = 0; i < s->count; i++) s->tile_first[s->tile[i] + 1]++;
    for (int64_t t = 0; t < s->tile_count; t++) s->tile_first[t + 1] += s->tile_first[t];
    for (int64_t i = 0; i < s->count; i++) s->by_tile[s->tile_first[s->tile[i]]++] = (uint32_t)i;
    for (int64_t t = s->tile_count; t > 0; t--) s->tile_first[t] = s->tile_first[t - 1];
    s->tile_first[0] = 0;
}

/* Sorts the points of one tile by cell into order; count: tile_cells + 1 zeros, zeros again on return */
static void sort_tile(const located *s, int64_t tile, uint32_t *order, uint32_t *count)
{
    const int64_t begin = s->tile_first[tile], end = s->tile_first[tile + 1];
    for (int64_t i = begin; i < end; i++) count[s->cell[s->by_tile[i]] + 1]++;
    for (int64_t c = 0; c < s->tile_cells; c++) count[c + 1] += count[c];
    for (int64_t i = begin; i < end; i++) order[begin + count[s->cell[s->by_tile[i]]]++] = s->by_tile[i];
    for (int64_t c = 0; c <= s->tile_cells; c++) count[c] = 0;
}

static argand_status sort_by_cell(const located *s, uint32_t *order)
{
    uint32_t *counts;
    const size_t each = (size_t)s->tile_cells + 1;
    TRY(NEW(counts, memory_product(each, (size_t)s->threads)));
#pragma omp parallel num_threads(s->threads)
    {
        uint32_t *count = counts + each * (size_t)omp_get_thread_num();
#pragma omp for schedule(dynamic, 16)
        for (int64_t tile = 0; tile < s->tile_count; tile++)
            if (s->tile_first[tile] < s->tile_first[tile + 1]) sort_tile(s, tile, order, count);
    }
    memory_free(counts);
    return ARGAND_OK;
}

/* Positions of points begin to end - 1 in sorted order, in the plan's precision */
static void fill_range(points *p, const located *s, int64_t begin, int64_t end)
{
    const layout *l = s->l;
    for (int64_t i = begin; i < end; i++) p->cell[i] = 0;
    for (int axis = l->rank - 1; axis >= 0; axis--) {
        const axis_table *a = &s->axis[axis];
        const void *k = argand_array_data(s->k[axis]);
        const bool is_double = argand_array_type(s->k[axis]) == ARGAND_R64;
        const int32_t padded = (int32_t)l->padded[axis];
        double values[PIECE]; /* fetched in a loop of their own, so that many are on their way at once */
        const double scale = s->scale[axis];
        for (int64_t i = begin; i < end; i++)
            values[i - begin] = scale * coordinate(k, is_double, p->order[i]);
        for (int64_t i = begin; i < end; i++) {
            double u;
            const int64_t cell = first_cell(a, values[i - begin], &u);
            p->cell[i] = p->cell[i] * padded + a->inside[cell];
            if (l->is_double)
                ((double *)p->u[axis])[i] = u;
            else
                ((float *)p->u[axis])[i] = (float)u;
        }
    }
}

static void fill_points(points *p, const located *s)
{
#pragma omp parallel for num_threads(s->threads) schedule(static)
    for (int64_t piece = 0; piece < (p->count + PIECE - 1) / PIECE; piece++) {
        const int64_t end = (piece + 1) * PIECE;
        fill_range(p, s, piece * PIECE, end < p->count ? end : p->count);
    }
}

static int colour_of(const int64_t tile[3])
{
    return (int)((tile[0] & 1) | (tile[1] & 1) << 1 | (tile[2] & 1) << 2);
}

static void tile_place(const layout *l, int64_t tile, int64_t place[3])
{
    place[0] = tile % l->tiles[0];
    place[1] = tile / l->tiles[0] % l->tiles[1];
    place[2] = tile / l->tiles[0] / l->tiles[1];
}

static int64_t tasks_of(const located *s, int64_t tile)
{
    return (s->tile_first[tile + 1] - s->tile_first[tile] + TASK_POINTS - 1) / TASK_POINTS;
}

static argand_status make_tasks(points *p, const located *s)
{
    int64_t place[3], next[COLOURS];
    for (int64_t tile = 0; tile < s->tile_count; tile++) {
        tile_place(s->l, tile, place);
        p->task_first[colour_of(place) + 1] += tasks_of(s, tile);
    }
    for (int c = 0; c < COLOURS; c++) p->task_first[c + 1] += p->task_first[c];
    for (int c = 0; c < COLOURS; c++) next[c] = p->task_first[c];
    TRY(NEW(p->tasks, p->task_first[COLOURS]));
    for (int64_t tile = 0; tile < s->tile_count; tile++) {
        tile_place(s->l, tile, place);
        const int64_t parts = tasks_of(s, tile), begin = s->tile_first[tile], end = s->tile_first[tile + 1];
        for (int64_t part = 0; part < parts; part++) {
            task *t = &p->tasks[next[colour_of(place)]++];
            *t = (task){.first = begin + part * TASK_POINTS,
                        .tile = {place[0], place[1], place[2]},
                        .slot = p->slots,
                        .part = (int)part};
            t->count = end - t->first < TASK_POINTS ? end - t->first : TASK_POINTS;
        }
        p->slots += parts > 0;
    }
    return ARGAND_OK;
}

/* Arrays that are written whole are not zeroed first: their pages are touched where they are used, by all
 * threads. */
static argand_status allocate(points *p, located *s)
{
    const size_t real = s->l->is_double ? 8 : 4, count = (size_t)s->count,
                 index = memory_product(count, sizeof(uint32_t));
    TRY(memory_take(&p->order, index));
    TRY(memory_take(&p->cell, index));
    for (int axis = 0; axis < s->l->rank; axis++) {
        TRY(memory_take(&p->u[axis],
                        memory_product(count + 4, real))); /* kernels take four points at a time */
        memset((char *)p->u[axis] + count * real, 0, 4 * real);
        TRY(make_table(&s->axis[axis], s->l, axis));
    }
    TRY(memory_take(&s->tile, index));
    TRY(memory_take(&s->cell, index));
    TRY(memory_take(&s->by_tile, index));
    TRY(NEW(s->tile_first, s->tile_count + 1));
    p->bytes = count * (8 + real * (size_t)s->l->rank);
    return ARGAND_OK;
}

/* All cells that tasks read and write lie there; of scans that fill their grid, all. */
static argand_status mark_used(points *p, const layout *l)
{
    for (int axis = 0; axis < 2; axis++) {
        TRY(NEW(p->used[axis], l->grid[axis]));
        for (int64_t i = 0; i < p->task_first[COLOURS]; i++) {
            const int64_t tile = p->tasks[i].tile[axis], start = layout_tile_start(l, axis, tile),
                          touched = axis < l->rank ? l->window.width - 1 : 0;
            for (int64_t at = start; at < layout_tile_start(l, axis, tile + 1) + touched; at++)
                p->used[axis][at % l->grid[axis]] = true;
        }
    }
    return ARGAND_OK;
}

static argand_status sort(points *p, located *s)
{
    TRY(allocate(p, s));
    TRY(locate(s));
    sort_by_tile(s);
    TRY(sort_by_cell(s, p->order));
    fill_points(p, s);
    TRY(make_tasks(p, s));
    return mark_used(p, s->l);
}

argand_status points_create(points **out, const layout *l, argand_array *const k[], const double scale[3],
                            int threads)
{
    located s = {.l = l,
                 .k = k,
                 .scale = scale,
                 .count = argand_array_count(k[0]),
                 .tile_count = 1,
                 .tile_cells = 1,
                 .threads = threads};
    CHECK(s.count <= UINT32_MAX, ARGAND_UNSUPPORTED, "nufft: %lld points: at most 2^32 - 1 in one plan",
          (long long)s.count);
    for (int axis = 0; axis < 3; axis++) {
        s.tile_count *= l->tiles[axis];
        s.tile_cells *= (l->grid[axis] + l->tiles[axis] - 1) / l->tiles[axis];
    }
    points *p;
    TRY(NEW(p, 1));
    p->count = s.count;
    const argand_status status = sort(p, &s);
    for (int axis = 2; axis >= 0; axis--) {
        memory_free(s.axis[axis].inside);
        memory_free(s.axis[axis].tile);
    }
    memory_free(s.tile_first);
    memory_free(s.by_tile);
    memory_free(s.cell);
    memory_free(s.tile);
    if (status != ARGAND_OK) {
        points_destroy(p);
        return status;
    }
    p->bytes += sizeof *p + (size_t)p->task_first[COLOURS] * sizeof *p->tasks;
    *out = p;
    return ARGAND_OK;
}

void points_destroy(points *p)
{
    if (!p) return;
    for (int axis = 1; axis >= 0; axis--) memory_free(p->used[axis]);
    memory_free(p->tasks);
    for (int axis = 2; axis >= 0; axis--) memory_free(p->u[axis]);
    memory_free(p->cell);
    memory_free(p->order);
    memory_free(p);
}
