/* SPDX-License-Identifier: BSD-3-Clause */
/* Points folded into the grid's period, located in their tile, and sorted by tile, then by cell, so that
 * points that touch the same cells follow one another. Threads take parts of the points, count those of each
 * tile, and move them to where all parts' counts say; then they take tiles. Sorting is stable: the order does
 * not depend on threads. */
#include "nufft/cpu/locate.h"
#include "nufft/on_host.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include "base/memory.h"

/* A tile with more points than this is several tasks, so that a crowded centre does not hold up the rest. */
enum { TASK_POINTS = 8192 };

/* Points while they are sorted */
typedef struct sorting {
    const layout *l;
    locate_job job;
    int64_t count;
    int64_t tile_count;
    uint32_t tile_cells;
    int parts;           /* of the points, one a thread */
    int64_t *counts;     /* [parts][tile_count] */
    int64_t *tile_first; /* tile_count + 1 */
    int threads;
    bool direct;       /* in one step, without records */
    char *places;      /* of direct sorting: the places of points in the caller's order */
    uint32_t *in_cell; /* of direct sorting: a counter for each cell of each tile */
} sorting;

static locate_axis make_axis(const layout *l, int axis, const argand_array *k, double scale)
{
    locate_axis a = {.k = argand_array_data(k),
                     .stride = positions_step(k),
                     .is_double = argand_array_type(k) == ARGAND_R64,
                     .scale = scale,
                     .n = (double)l->image[axis],
                     .grid = (double)l->grid[axis],
                     .half_width = axis < l->rank ? 0.5 * l->window.width - (l->half && !axis ? l->before : 0)
                                                  : 0.5, /* the nearest plane */
                     .span = (double)l->span[axis],
                     .tiles = (double)l->tiles[axis],
                     .padded = (double)l->padded[axis]};
    a.per_n = 1 / a.n;
    a.per_grid = 1 / a.grid;
    a.per_span = 1 / a.span;
    a.tiles_a_cell = a.tiles / a.span;
    a.cells_a_tile = a.span / a.tiles;
    /* products of whole numbers stay below 2^52, and what reciprocals are wrong by below a half */
    const bool serves = a.n * a.grid < 0x1p50 && (a.grid + 1) * a.tiles < 0x1p48;
    a.limit = serves ? 0x1p50 / a.grid : -1;
    return a;
}

static int64_t part_begin(const sorting *s, int part)
{
    const int64_t each = (s->count + s->parts - 1) / s->parts, begin = part * each;
    return begin < s->count ? begin : s->count;
}

static argand_status locate_points(const sorting *s)
{
    static int64_t (*const locate[2][CPU_LEVELS])(const locate_job *, int64_t, int64_t, int64_t *) =
        CPU_VARIANTS(nufft_locate_points);
    int64_t bad = -1;
#pragma omp parallel for num_threads(s->parts) schedule(static) reduction(max : bad)
    for (int part = 0; part < s->parts; part++) {
        const int64_t found =
            locate[s->l->is_double][cpu_best()](&s->job, part_begin(s, part), part_begin(s, part + 1),
                                                s->direct ? NULL : s->counts + part * s->tile_count);
        bad = found > bad ? found : bad;
    }
    CHECK(bad < 0, ARGAND_NUMERIC, "nufft: position %lld of %lld is not finite: all must be numbers",
          (long long)bad, (long long)s->count);
    return ARGAND_OK;
}

/* Turns the number of points of each part in a tile into the place where they go */
static void place_parts(const sorting *s)
{
    int64_t sum = 0;
    for (int64_t tile = 0; tile < s->tile_count; tile++) {
        s->tile_first[tile] = sum;
        for (int part = 0; part < s->parts; part++) {
            int64_t *at = s->counts + part * s->tile_count + tile;
            const int64_t points_there = *at;
            *at = sum;
            sum += points_there;
        }
    }
    s->tile_first[s->tile_count] = sum;
}

static void move_points(const sorting *s)
{
    static void (*const move[2][CPU_LEVELS])(const locate_job *, int64_t, int64_t, int64_t *) =
        CPU_VARIANTS(nufft_move_points);
#pragma omp parallel for num_threads(s->parts) schedule(static)
    for (int part = 0; part < s->parts; part++)
        move[s->l->is_double][cpu_best()](&s->job, part_begin(s, part), part_begin(s, part + 1),
                                          s->counts + part * s->tile_count);
}

static tile_sort sort_of(const points *p, const sorting *s, int64_t tile, uint32_t *scratch)
{
    const size_t real = s->l->is_double ? 8 : 4;
    const int64_t first = s->tile_first[tile];
    tile_sort t = {.rank = s->l->rank,
                   .records = s->job.records + RECORD_BYTES(s->l->rank, real) * (size_t)first,
                   .count = s->tile_first[tile + 1] - first,
                   .cells = s->tile_cells,
                   .counts = scratch,
                   .between = scratch + s->tile_cells + 512,
                   .order = p->order + first,
                   .cell = p->cell + first,
                   .folded = p->folded ? p->folded + first : NULL};
    for (int axis = 0; axis < t.rank; axis++) t.u[axis] = (char *)p->u[axis] + real * (size_t)first;
    return t;
}

static argand_status sort_tiles(const points *p, const sorting *s)
{
    static void (*const sort_tile[2][CPU_LEVELS])(const tile_sort *) = CPU_VARIANTS(nufft_sort_tile);
    uint32_t *scratch;
    const size_t each = 2 * (size_t)s->tile_cells + 512; /* counts, and two digits' more; points in between */
    TRY(NEW(scratch, memory_product(each, (size_t)s->threads)));
#pragma omp parallel num_threads(s->threads)
    {
        uint32_t *mine = scratch + each * (size_t)omp_get_thread_num();
#pragma omp for schedule(dynamic, 16)
        for (int64_t tile = 0; tile < s->tile_count; tile++) {
            if (s->tile_first[tile] == s->tile_first[tile + 1]) continue;
            const tile_sort t = sort_of(p, s, tile, mine);
            sort_tile[s->l->is_double][cpu_best()](&t);
        }
    }
    memory_free(scratch);
    return ARGAND_OK;
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

static int64_t tasks_of(const sorting *s, int64_t tile)
{
    return (s->tile_first[tile + 1] - s->tile_first[tile] + TASK_POINTS - 1) / TASK_POINTS;
}

static argand_status make_tasks(points *p, const sorting *s)
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

/* Sorted by records, points are in the arrays of the result before and after. */
static argand_status allocate_records(const points *p, sorting *s)
{
    s->job.tile = p->order;
    s->job.cell = p->cell;
    s->job.folded = p->folded;
    for (int axis = 0; axis < s->l->rank; axis++) s->job.u[axis] = p->u[axis];
    TRY(memory_take_pages(
        &s->job.records,
        memory_product((size_t)s->count, RECORD_BYTES(s->l->rank, s->l->is_double ? 8 : 4))));
    return NEW(s->counts, memory_product((size_t)s->parts, (size_t)s->tile_count));
}

static argand_status allocate_direct(sorting *s)
{
    const size_t real = s->l->is_double ? 8 : 4, count = (size_t)s->count;
    TRY(memory_take(&s->places, count * (9 + real * (size_t)s->l->rank)));
    for (int axis = 0; axis < s->l->rank; axis++) s->job.u[axis] = s->places + count * real * (size_t)axis;
    char *rest = s->places + count * real * (size_t)s->l->rank;
    s->job.tile = (uint32_t *)(void *)rest;
    s->job.cell = (int32_t *)(void *)(rest + 4 * count);
    s->job.folded = (uint8_t *)rest + 8 * count;
    return NEW(s->in_cell, s->tile_count * s->tile_cells);
}

/* Arrays that are written whole are not zeroed first: their pages are touched where they are used, by all
 * threads. */
static argand_status allocate(points *p, sorting *s)
{
    const size_t real = s->l->is_double ? 8 : 4, count = (size_t)s->count,
                 index = memory_product(count, sizeof(uint32_t));
    TRY(memory_take_pages(&p->order, index));
    TRY(memory_take_pages(&p->cell, index));
    if (s->l->half) TRY(memory_take_pages(&p->folded, count));
    for (int axis = 0; axis < s->l->rank; axis++) {
        TRY(memory_take_pages(&p->u[axis],
                              memory_product(count + 8, real))); /* kernels take eight points at a time */
        memset((char *)p->u[axis] + count * real, 0, 8 * real);
    }
    TRY(s->direct ? allocate_direct(s) : allocate_records(p, s));
    TRY(NEW(s->tile_first, s->tile_count + 1));
    p->bytes = count * (8 + real * (size_t)s->l->rank + (s->l->half ? 1 : 0));
    return ARGAND_OK;
}

/* Along x of half a grid, where margins are other cells, too */
static void mark_half(points *p, const layout *l)
{
    for (int64_t i = 0; i < p->task_first[COLOURS]; i++) {
        const int64_t tile = p->tasks[i].tile[0],
                      end = layout_tile_start(l, 0, tile + 1) + l->window.width - 1;
        for (int64_t at = layout_tile_start(l, 0, tile); at < end; at++) {
            bool mirrored;
            p->used[0][layout_home(l, at - l->before, &mirrored)] = true;
        }
    }
}

/* All cells that tasks read and write lie there; of scans that fill their grid, all. */
static argand_status mark_used(points *p, const layout *l)
{
    for (int axis = 0; axis < 3; axis++) {
        TRY(NEW(p->used[axis], l->grid[axis]));
        if (l->half && !axis) {
            mark_half(p, l);
            continue;
        }
        for (int64_t i = 0; i < p->task_first[COLOURS]; i++) {
            const int64_t tile = p->tasks[i].tile[axis], grid = l->grid[axis],
                          touched = axis < l->rank ? l->window.width - 1 : 0,
                          start = layout_tile_start(l, axis, tile),
                          end = layout_tile_start(l, axis, tile + 1) + touched;
            memset(p->used[axis] + start, true, (size_t)((end < grid ? end : grid) - start));
            for (int64_t at = grid; at < end; at++) p->used[axis][at % grid] = true;
        }
    }
    return ARGAND_OK;
}

/* Margins of half a grid are cells of the rows at -y. */
static void mirror_used(points *p, const layout *l)
{
    bool *used = p->used[1];
    for (int64_t i = 1, n = l->grid[1]; l->half && i <= n / 2; i++) used[i] = used[n - i] |= used[i];
}

static void sort_direct(const points *p, const sorting *s)
{
    static void (*const sort_all[2][CPU_LEVELS])(const direct_sort *) = CPU_VARIANTS(nufft_sort_direct);
    direct_sort d = {.located = &s->job,
                     .count = s->count,
                     .tiles = s->tile_count,
                     .cells = s->tile_cells,
                     .counts = s->in_cell,
                     .tile_first = s->tile_first,
                     .order = p->order,
                     .cell = p->cell,
                     .folded = p->folded};
    for (int axis = 0; axis < s->l->rank; axis++) d.u[axis] = p->u[axis];
    sort_all[s->l->is_double][cpu_best()](&d);
}

static argand_status sort_by_records(const points *p, const sorting *s)
{
    place_parts(s);
    move_points(s);
    return sort_tiles(p, s);
}

static argand_status sort(points *p, sorting *s)
{
    TRY(allocate(p, s));
    TRY(locate_points(s));
    if (s->direct)
        sort_direct(p, s);
    else
        TRY(sort_by_records(p, s));
    TRY(make_tasks(p, s));
    TRY(mark_used(p, s->l));
    mirror_used(p, s->l);
    return ARGAND_OK;
}

/* Tables of all parts stay below what the points themselves take. */
static int choose_parts(int64_t count, int64_t tiles, int threads)
{
    const int64_t most = count / (tiles > 1024 ? tiles : 1024) + 1;
    return most < threads ? (int)most : threads;
}

/* Points and cells that the nearest caches hold, by one thread: both ways give the same order. */
static bool sorts_directly(const sorting *s)
{
    enum { MOST_POINTS = 1 << 16, MOST_SHARED = 1 << 13 };
    const int64_t cells = s->tile_count * s->tile_cells;
    return s->count <= (s->threads > 1 ? MOST_SHARED : MOST_POINTS) && cells <= 4 * s->count + 4096;
}

argand_status points_create(points **out, const layout *l, argand_array *const k[], const double scale[3],
                            int threads)
{
    sorting s = {.l = l,
                 .job = {.rank = l->rank, .axes = l->axes, .fold = l->half},
                 .count = argand_array_count(k[0]),
                 .tile_count = l->tiles[0] * l->tiles[1] * l->tiles[2],
                 .tile_cells = (uint32_t)(l->padded[0] * l->padded[1] * l->padded[2]),
                 .threads = threads};
    CHECK(!l->half || s.count <= INT32_MAX, ARGAND_UNSUPPORTED,
          "nufft: %lld points: at most 2^31 - 1 in one plan for real images", (long long)s.count);
    CHECK(s.count <= UINT32_MAX, ARGAND_UNSUPPORTED, "nufft: %lld points: at most 2^32 - 1 in one plan",
          (long long)s.count);
    CHECK(s.tile_count <= UINT32_MAX, ARGAND_UNSUPPORTED, "nufft: %lld tiles of the grid: at most 2^32 - 1",
          (long long)s.tile_count);
    /* 1024 points are located in the time that it takes to wake a thread */
    const int64_t worth = 1 + (s.count + s.tile_count) / 1024;
    if (worth < threads) s.threads = threads = (int)worth;
    s.direct = sorts_directly(&s);
    s.parts = s.direct ? 1 : choose_parts(s.count, s.tile_count, threads);
    for (int axis = 0; axis < l->axes; axis++) s.job.axis[axis] = make_axis(l, axis, k[axis], scale[axis]);
    points *p;
    TRY(NEW(p, 1));
    p->count = s.count;
    const argand_status status = sort(p, &s);
    memory_free(s.tile_first);
    memory_free(s.in_cell);
    memory_free(s.places);
    memory_free(s.counts);
    memory_free(s.job.records);
    if (status != ARGAND_OK) {
        points_destroy(p);
        return status;
    }
    p->bytes += sizeof *p + (size_t)p->task_first[COLOURS] * sizeof *p->tasks +
                (size_t)(l->grid[0] + l->grid[1] + l->grid[2]);
    *out = p;
    return ARGAND_OK;
}

void points_destroy(points *p)
{
    if (!p) return;
    for (int axis = 2; axis >= 0; axis--) memory_free(p->used[axis]);
    memory_free(p->tasks);
    for (int axis = 2; axis >= 0; axis--) memory_free(p->u[axis]);
    memory_free(p->folded);
    memory_free(p->cell);
    memory_free(p->order);
    memory_free(p);
}
