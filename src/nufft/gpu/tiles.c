/* SPDX-License-Identifier: BSD-3-Clause */
/* One vector's samples to the grid by padded tiles (kernels/nufft/spread_tile.krn), which the grid's cells
 * are then summed from. They are kept for some layers of tiles at a time. */
#include "nufft/gpu/gpu.h"

#include <stdio.h>

enum { MOST_LANES = 32, SUM_ITEMS = 256, SUM_CELLS = 16, ADD_ITEMS = 128 };

typedef struct padding {
    int lanes, slices, batch;
    int64_t cells;       /* of a padded tile */
    size_t shared_bytes; /* of a group of spreading */
    int64_t near[3];     /* tiles that reach one, along each axis */
} padding;

static size_t real_bytes(const nufft_gpu *g)
{
    return g->is_double ? 8 : 4;
}

static int64_t start_of(const nufft_gpu *g, int axis, int64_t tile)
{
    const int shift = axis == 0 ? NUFFT_TILE_X : axis == 1 ? NUFFT_TILE_Y(g->rank) : NUFFT_TILE_Z(g->rank);
    int64_t on_grid = tile % g->tiles[axis];
    if (on_grid < 0) on_grid += g->tiles[axis];
    const int64_t begin = axis == 0 ? on_grid * g->grid[0] / g->tiles[0] : on_grid << shift;
    return begin + (tile - on_grid) / g->tiles[axis] * g->grid[axis];
}

/* Returns the most tiles from a tile back to the first one whose padded cells do not reach it */
static int64_t near_along(const nufft_gpu *g, int axis, int64_t padded)
{
    int64_t most = 1;
    for (int64_t tile = 0; tile < g->tiles[axis]; tile++) {
        int64_t near = 1;
        while (start_of(g, axis, tile) - start_of(g, axis, tile - near) < padded) near++;
        most = near > most ? near : most;
    }
    return most;
}

/* Returns the number of slices that was fastest on an H100 for widths 6 and 8. Registers must hold the
 * planes of a slice. */
static int slices_of(const nufft_gpu *g)
{
    if (g->rank == 2) return 2;
    return g->is_double || g->width > 9 ? g->width : g->width > 7 ? 4 : 2;
}

static padding padding_of(const nufft_gpu *g)
{
    const int64_t more = g->width - 1,
                  tile[3] = {1 << NUFFT_TILE_X, 1 << NUFFT_TILE_Y(g->rank), 1 << NUFFT_TILE_Z(g->rank)};
    padding of = {.cells = 1, .near = {1, 1, 1}, .batch = GPU_BATCH};
    for (int axis = 0; axis < g->rank; axis++) {
        of.cells *= tile[axis] + more;
        of.near[axis] = near_along(g, axis, tile[axis] + more);
    }
    of.lanes = tile[0] + more > MOST_LANES / 2 ? MOST_LANES : MOST_LANES / 2;
    of.slices = slices_of(g);
    const int64_t deep = (g->width + of.slices - 1) / of.slices * of.slices;
    const int64_t planes = g->rank == 2 ? of.slices : 1, row_z = g->rank == 2 ? 1 : deep + 1 - deep % 2;
    const int64_t reals = (2 * of.cells * planes + 3) / 4 * 4 + of.batch * (of.lanes + 1 + row_z);
    of.shared_bytes = (size_t)reals * real_bytes(g);
    return of;
}

/* Returns the axis of the layers: z in volumes and for planes, otherwise y */
static int layer_axis(const nufft_gpu *g)
{
    return g->rank > 2 || g->tiles[2] > 1 ? 2 : 1;
}

static int64_t tiles_of_layer(const nufft_gpu *g)
{
    return layer_axis(g) > 1 ? g->tiles[0] * g->tiles[1] : g->tiles[0];
}

static int64_t layer_bytes(const nufft_gpu *g, const padding *of)
{
    return tiles_of_layer(g) * of->cells * 2 * (int64_t)real_bytes(g);
}

/* Shared memory of the kernel's own: what a point has besides its weights along x and z */
static size_t own_bytes(const nufft_gpu *g, const padding *of)
{
    const size_t point = ((size_t)g->width + 2) * real_bytes(g);
    return (size_t)of->batch * ((point + 15) / 16 * 16) +
           sizeof(uint32_t) * (1u << (NUFFT_TILE_Y(g->rank) + NUFFT_TILE_Z(g->rank)));
}

size_t gpu_group_memory(const nufft_gpu *g)
{
    const device_traits *t = device_traits_of(g->device);
    const bool asked = t->group_memory >= GPU_GROUP_MEMORY && t->group_memory_default < GPU_GROUP_MEMORY;
    return asked ? GPU_GROUP_MEMORY : t->group_memory_default;
}

size_t gpu_given_bytes(const nufft_gpu *g, size_t bytes)
{
    return device_traits_of(g->device)->group_memory_given ? bytes : 0;
}

bool gpu_tiles_serve(const nufft_gpu *g, int vectors)
{
    const int64_t padded_row = (1 << NUFFT_TILE_X) + g->width - 1;
    if (g->rank == 1 || vectors > 1 || padded_row > MOST_LANES || g->tiles[layer_axis(g)] > INT32_MAX)
        return false;
    const padding of = padding_of(g);
    int wanted = 1;
    nufft_tuning_value("tiles", &wanted);
    return wanted && of.shared_bytes + own_bytes(g, &of) <= gpu_group_memory(g);
}

static void print_spread(char key[GPU_KEY], const nufft_gpu *g, const padding *of, int terms, bool is_part)
{
    snprintf(
        key, GPU_KEY,
        "nufft_spread_tile REAL=%s RANK=%d WIDTH=%d TERMS=%d LANES=%d SLICES=%d BATCH=%d PART=%d ITEMS=%d",
        g->is_double ? "double" : "float", g->rank, g->width, terms, of->lanes, of->slices, of->batch,
        is_part, of->lanes * of->slices);
}

/* One launch: of all tiles of some layers, or of the parts of crowded ones */
static argand_status start_spread(const nufft_gpu *g, const padding *of, const gpu_blocks *b, int64_t groups,
                                  storage *to, const gpu_samples *s, const struct nufft_params *p)
{
    char own[GPU_KEY], general[GPU_KEY];
    print_spread(own, g, of, g->terms, groups < 0);
    print_spread(general, g, of, g->most_terms, groups < 0);
    const bool any = gpu_gives_way(g, own, general);
    storage *const coefficients = any ? g->most_coefficients : g->coefficients;
    storage *const memory[10] = {to,     s->array->storage, g->order,   g->u,     g->keys,
                                 g->row, coefficients,      b->crowded, b->found, b->part};
    return kernel_start(g->device, &(kernel_run){.key = any ? general : own,
                                                 .groups = groups < 0 ? b->parts : groups,
                                                 .memory = memory,
                                                 .memory_count = 10,
                                                 .params = p,
                                                 .params_bytes = sizeof *p,
                                                 .shared_bytes = gpu_given_bytes(g, of->shared_bytes),
                                                 .overlaps = g->overlaps});
}

/* Adds the parts of each crowded tile, in the place of the first */
static argand_status add_parts(const nufft_gpu *g, const padding *of, const gpu_blocks *b, storage *partial,
                               const gpu_samples *s, const struct nufft_params *p)
{
    char key[GPU_KEY];
    TRY(start_spread(g, of, b, -1, partial, s, p));
    snprintf(key, sizeof key, "nufft_sum_parts REAL=%s RANK=%d WIDTH=%d ITEMS=%d",
             g->is_double ? "double" : "float", g->rank, g->width, SUM_ITEMS);
    return gpu_start_early(g, key, b->parts * ((of->cells + SUM_CELLS - 1) / SUM_CELLS),
                           (storage *const[]){partial, b->part, b->found}, 3, p);
}

static void print_add(char key[GPU_KEY], const nufft_gpu *g, const int64_t near[3])
{
    snprintf(key, GPU_KEY, "nufft_add_tiles REAL=%s RANK=%d WIDTH=%d NEAR_X=%d NEAR_Y=%d NEAR_Z=%d ITEMS=%d",
             g->is_double ? "double" : "float", g->rank, g->width, (int)near[0], (int)near[1], (int)near[2],
             ADD_ITEMS);
}

/* Prints the key of a kernel that looks at more tiles: enough for all grids but those of few tiles. */
static void print_general_add(char key[GPU_KEY], const nufft_gpu *g, const int64_t near[3])
{
    enum { FAR = 3 };
    int64_t most[3] = {1, 1, 1};
    for (int axis = 0; axis < g->rank; axis++) most[axis] = near[axis] < FAR ? FAR : near[axis];
    print_add(key, g, most);
}

static argand_status start_add(const nufft_gpu *g, const padding *of, const gpu_blocks *b, int64_t groups,
                               storage *const place[3], const struct nufft_params *p)
{
    char own[GPU_KEY], general[GPU_KEY];
    print_add(own, g, of->near);
    print_general_add(general, g, of->near);
    const char *key = gpu_gives_way(g, own, general) ? general : own;
    return gpu_start_early(g, key, groups,
                           (storage *const[]){place[0], place[1], place[2], g->row, b->crowded}, 5, p);
}

void gpu_want_tiles(const nufft_gpu *g)
{
    char spread[GPU_KEY], add[GPU_KEY];
    const padding of = padding_of(g);
    print_spread(spread, g, &of, g->terms, false);
    print_add(add, g, of.near);
    kernels_want(g->device, (const char *const[]){spread, add}, 2);
}

/* Returns how many layers are kept at a time: as many as the announced memory holds */
static int64_t ring_of(const nufft_gpu *g, const padding *of)
{
    const int axis = layer_axis(g);
    const int64_t fit = (int64_t)g->padded_bytes / layer_bytes(g, of), least = of->near[axis] + 1;
    const int64_t ring = fit > least ? fit : least;
    return ring < g->tiles[axis] ? ring : g->tiles[axis];
}

size_t gpu_tiles_bytes(const nufft_gpu *g)
{
    if (!gpu_tiles_serve(g, 1)) return 0;
    const padding of = padding_of(g);
    return (size_t)(ring_of(g, &of) * layer_bytes(g, &of)) +
           (size_t)(gpu_most_tile_parts(g) * of.cells) * 2 * real_bytes(g);
}

/* Some layers of tiles, then the cells that these are enough for, and so on. */
static argand_status run_layers(const nufft_gpu *g, const padding *of, const gpu_blocks *b,
                                storage *const place[3], const gpu_samples *s, struct nufft_params *p)
{
    const int axis = layer_axis(g);
    const int64_t layers = g->tiles[axis], in_layer = tiles_of_layer(g);
    const bool whole = p->ring == layers;
    const int64_t step = whole ? layers : p->ring - (of->near[axis] - 1);
    int64_t next = whole ? 0 : 1 - of->near[axis];
    for (int64_t done = 0; done < layers; done += step) {
        const int64_t end = done + step < layers ? done + step : layers;
        p->layer = next;
        TRY(start_spread(g, of, b, (end - next) * in_layer, place[1], s, p));
        p->layer = done;
        TRY(start_add(g, of, b, (end - done) * in_layer, place, p));
        next = end;
    }
    return ARGAND_OK;
}

argand_status gpu_spread_tiles(nufft_gpu *g, argand_array *grid, const gpu_samples *s, struct nufft_params *p)
{
    const padding of = padding_of(g);
    storage *partial = NULL, *padded = NULL;
    gpu_blocks *b;
    argand_status status;
    TRY(gpu_tile_parts(&b, g));
    const size_t tile = (size_t)of.cells * 2 * real_bytes(g);
    p->ring = ring_of(g, &of);
    TRY_OR_DONE(storage_scratch(&padded, g->device, (size_t)(p->ring * layer_bytes(g, &of))));
    if (b->parts) TRY_OR_DONE(storage_scratch(&partial, g->device, (size_t)b->parts * tile));
    storage *const place[3] = {grid->storage, padded, partial ? partial : padded};
    for (p->lane = 0; p->lane < s->vectors; p->lane++) {
        if (b->parts) TRY_OR_DONE(add_parts(g, &of, b, partial, s, p));
        TRY_OR_DONE(run_layers(g, &of, b, place, s, p));
        p->samples += p->vector_stride;
    }
done:
    storage_release(padded);
    storage_release(partial);
    return status;
}
