/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of some vectors from the oversampled grid. */
#include "nufft/gpu/gpu.h"

#include <stdio.h>

enum { ITEMS = 128 };

/* Points of a group: whose weights fit in shared memory, which the nearest cache is the rest of; fewer where
 * there would be too few groups for all multiprocessors. */
static int interpolated_at_once(const nufft_gpu *g)
{
    enum { MOST_BYTES = 12 << 10, LEAST_GROUPS = 2048 };
    const int point = g->rank * (g->width * (g->is_double ? 8 : 4) + 4);
    int batch = 128;
    while (batch > GPU_BATCH && (batch * point > MOST_BYTES || g->count < batch * (int64_t)LEAST_GROUPS))
        batch /= 2;
    return batch;
}

/* Returns how many points share one read of their cells: at most the points of a cell, and at most as many
 * as have their weights in registers. */
static int seen_together(const nufft_gpu *g)
{
    enum { MOST_WEIGHTS = 256 };
    int together = g->count >= g->cells ? 4 : 4 * g->count >= g->cells ? 2 : 1;
    while (together > 1 && together * g->width * (g->is_double ? 8 : 4) > MOST_WEIGHTS) together /= 2;
    return together;
}

/* A kernel that interpolates some vectors: points of a group, points that share a read (many vectors),
 * the window's terms, whether all lanes have a vector, and whether items next to each other have a point's
 * cells along x. */
typedef struct one_by_one {
    int lanes, batch, together, terms;
    storage *coefficients;
    bool full, few;
} one_by_one;

/* Few vectors: items next to each other have a point's cells along x, unless neighbouring points are so near
 * to each other that theirs lie together anyway. */
static one_by_one own_one_by_one(const nufft_gpu *g, int vectors)
{
    const int lanes = gpu_lanes(vectors);
    return (one_by_one){.lanes = lanes,
                        .batch = interpolated_at_once(g),
                        .together = lanes >= 8 ? seen_together(g) : 1,
                        .terms = g->terms,
                        .coefficients = g->coefficients,
                        .full = vectors == lanes,
                        .few = lanes < 8 && g->count < g->cells};
}

/* Returns the kernel that serves any number of points; one, few or many vectors; all windows of the width. */
static one_by_one general_one_by_one(const nufft_gpu *g, int vectors)
{
    enum { FEW = 4 };
    const int lanes = vectors == 1 ? 1 : vectors <= FEW ? FEW : GPU_VECTORS;
    return (one_by_one){.lanes = lanes,
                        .batch = GPU_BATCH,
                        .together = 1,
                        .terms = g->most_terms,
                        .coefficients = g->most_coefficients,
                        .full = lanes == 1,
                        .few = lanes <= FEW};
}

static void print_one_by_one(char key[GPU_KEY], const nufft_gpu *g, const one_by_one *k)
{
    char common[GPU_KEY / 2];
    const int wide = k->lanes > 2 ? 8 : 16;
    snprintf(common, sizeof common, "REAL=%s RANK=%d WIDTH=%d TERMS=%d BATCH=%d ITEMS=%d LANES=%d FULL=%d",
             gpu_real_name(g), g->rank, g->width, k->terms, k->batch, ITEMS, k->lanes, k->full);
    if (k->few)
        snprintf(key, GPU_KEY, "nufft_interpolate_few %s SPLIT=%d", common,
                 g->width <= 4   ? 4
                 : g->width <= 8 ? 8
                                 : wide);
    else
        snprintf(key, GPU_KEY, "nufft_interpolate %s TOGETHER=%d", common, k->together);
}

/* ---- on matrix units (kernels/nufft/interpolate_tensor.krn) ---- */

enum { TENSOR_ITEMS = 256, LEAST_VECTORS = 5 };

/* Shared memory of a group: cells of a plane of a padded tile, as halves */
static size_t tensor_bytes(const nufft_gpu *g, int lanes)
{
    const size_t more = (size_t)g->width - 1, x = (1u << NUFFT_TILE_X) + more,
                 y = (1u << NUFFT_TILE_Y(g->rank)) + more, beyond = (x + 15) / 16 * 16 - x;
    return (y * x + beyond) * (2 * (size_t)lanes + 4) * sizeof(uint32_t);
}

/* Returns the bytes of the kernel's other shared memory: each warp's weights along y and z, the window's
 * polynomials, scales */
static size_t tensor_own_bytes(const nufft_gpu *g, int lanes)
{
    const size_t width = (size_t)g->width, warps = TENSOR_ITEMS / 32, outer = g->rank > 2 ? 2 : 1;
    return sizeof(float) *
           (warps * outer * width * 16 + width * (((size_t)g->terms + 3) / 4 * 4) + 2 * (size_t)lanes);
}

static atomic_int least_points;

void argand_test_nufft_tensor_points(int least)
{
    least_points = least;
}

/* Returns false if tiles have so few points that most loaded cells would not be used; then points are
 * interpolated one by one. The limits were measured on an H200. */
bool gpu_interpolates_by_tensor(const nufft_gpu *g, int vectors)
{
    const int lanes = gpu_tensor_lanes(vectors), test = least_points;
    const int64_t tiles = g->tiles[0] * g->tiles[1] * g->tiles[2], least = test ? test : 16 + 256 / lanes;
    return g->has_tensor && vectors >= LEAST_VECTORS && g->count / least >= tiles &&
           tensor_bytes(g, lanes) + tensor_own_bytes(g, lanes) <= gpu_group_memory(g);
}

static void print_tensor(char key[GPU_KEY], const nufft_gpu *g, int vectors)
{
    const int lanes = gpu_tensor_lanes(vectors);
    snprintf(key, GPU_KEY,
             "nufft_interpolate_tensor REAL=float RANK=%d WIDTH=%d TERMS=%d LANES=%d FULL=%d TENSOR_BRIEF=0 "
             "ITEMS=%d MIN_BLOCKS=%d",
             g->rank, g->width, g->terms, lanes, vectors == lanes, TENSOR_ITEMS, g->rank > 2 ? 3 : 2);
}

static argand_status start_tensor(nufft_gpu *g, const char *key, storage *to, const argand_array *grid,
                                  storage *scales, const struct nufft_params *p)
{
    gpu_blocks *b;
    TRY(gpu_tile_parts(&b, g));
    storage *const memory[11] = {to,     grid->storage, g->u,     g->keys, g->order, g->row, g->coefficients,
                                 scales, b->crowded,    b->found, b->part};
    return kernel_start(g->device,
                        &(kernel_run){.key = key,
                                      .groups = (b->parts + b->count) * p->rounds,
                                      .memory = memory,
                                      .memory_count = 11,
                                      .params = p,
                                      .params_bytes = sizeof *p,
                                      .shared_bytes = tensor_bytes(g, gpu_tensor_lanes(p->vectors))});
}

/* ---- of one vector, from tiles in shared memory (kernels/nufft/interpolate_tile.krn) ---- */

enum { TILE_ROW = 24 }; /* cells from one row to the next, as the kernel has them */

/* Returns the shared memory of a group: a padded tile */
static size_t tile_bytes(const nufft_gpu *g)
{
    const size_t more = (size_t)g->width - 1, y = (1u << NUFFT_TILE_Y(3)) + more,
                 z = (1u << NUFFT_TILE_Z(3)) + more;
    return (TILE_ROW * y + y % 2 * 8) * z * 2 * sizeof(float);
}

/* Returns false if tiles have so few points that most loaded cells would not be used, or if tiles do not
 * fit; then points read the grid itself. In double precision a multiprocessor would hold only two groups
 * with tiles. */
static bool sees_tiles(const nufft_gpu *g, int vectors)
{
    const size_t weights = (size_t)g->width * (((size_t)g->terms + 3) / 4 * 4) * sizeof(float);
    return vectors == 1 && g->rank == 3 && !g->is_double && 4 * g->count >= g->cells &&
           (1 << NUFFT_TILE_X) + g->width - 1 <= TILE_ROW && tile_bytes(g) + weights <= gpu_group_memory(g);
}

static void print_tiles(char key[GPU_KEY], const nufft_gpu *g)
{
    snprintf(key, GPU_KEY, "nufft_interpolate_tile REAL=float RANK=3 WIDTH=%d TERMS=%d PAIRED=%d ITEMS=128",
             g->width, g->terms, g->width > 6);
}

static argand_status start_tiles(nufft_gpu *g, const char *key, storage *to, const argand_array *grid,
                                 const struct nufft_params *p)
{
    gpu_blocks *b;
    TRY(gpu_tile_parts(&b, g));
    storage *const memory[10] = {to,     grid->storage,   g->u,       g->keys,  g->order,
                                 g->row, g->coefficients, b->crowded, b->found, b->part};
    return kernel_start(g->device, &(kernel_run){.key = key,
                                                 .groups = b->parts + b->count,
                                                 .memory = memory,
                                                 .memory_count = 10,
                                                 .params = p,
                                                 .params_bytes = sizeof *p,
                                                 .shared_bytes = gpu_given_bytes(g, tile_bytes(g)),
                                                 .overlaps = g->overlaps});
}

static argand_status start_one_by_one(const nufft_gpu *g, const one_by_one *k, storage *to,
                                      const argand_array *grid, const struct nufft_params *p)
{
    char key[GPU_KEY];
    storage *const memory[6] = {to, grid->storage, g->u, g->keys, g->order, k->coefficients};
    print_one_by_one(key, g, k);
    return gpu_start_early(g, key, (g->count + k->batch - 1) / k->batch, memory, 6, p);
}

static void print_own(char key[GPU_KEY], const nufft_gpu *g, int vectors, bool by_tensor)
{
    const one_by_one each = own_one_by_one(g, vectors);
    if (by_tensor)
        print_tensor(key, g, vectors);
    else if (sees_tiles(g, vectors))
        print_tiles(key, g);
    else
        print_one_by_one(key, g, &each);
}

void gpu_want_interpolate(const nufft_gpu *g, int vectors)
{
    char key[GPU_KEY];
    print_own(key, g, vectors, gpu_interpolates_by_tensor(g, vectors));
    kernels_want(g->device, (const char *const[]){key}, 1);
}

static argand_status start_interpolate(nufft_gpu *g, storage *to, const argand_array *grid, storage *scales,
                                       const struct nufft_params *p)
{
    const one_by_one each = own_one_by_one(g, p->vectors), any = general_one_by_one(g, p->vectors);
    char own[GPU_KEY], general[GPU_KEY];
    print_own(own, g, p->vectors, scales != NULL);
    print_one_by_one(general, g, &any);
    if (gpu_gives_way(g, own, general)) return start_one_by_one(g, &any, to, grid, p);
    if (scales) return start_tensor(g, own, to, grid, scales, p);
    return sees_tiles(g, p->vectors) ? start_tiles(g, own, to, grid, p)
                                     : start_one_by_one(g, &each, to, grid, p);
}

static atomic_size_t scattered_bytes = 16 << 20;

void argand_test_nufft_scattered_bytes(size_t bytes)
{
    scattered_bytes = bytes ? bytes : 16 << 20;
}

/* Returns true if whole rows of vectors are written first and then distributed. Points are sorted, so a
 * vector's results would be written one by one all over memory. That is slow if the second-level cache
 * cannot collect them. */
static bool wants_rows(const nufft_gpu *g, const gpu_samples *s)
{
    enum { LEAST_ROW = 64 };
    const size_t row = (size_t)s->vectors * (g->is_double ? 16 : 8);
    return row >= LEAST_ROW && s->vector_stride != 1 && (size_t)g->count * row > scattered_bytes;
}

argand_status gpu_interpolate(nufft_gpu *g, const gpu_samples *s, const argand_array *grid, storage *scales)
{
    char key[GPU_KEY];
    storage *rows;
    const struct nufft_params p = gpu_samples_params(g, s, NULL);
    if (!wants_rows(g, s)) return start_interpolate(g, s->array->storage, grid, scales, &p);
    struct nufft_params to_rows = p;
    to_rows.samples = 0;
    to_rows.stride = 2 * s->rounds * s->vectors;
    to_rows.vector_stride = 2;
    TRY(storage_scratch(&rows, g->device,
                        (size_t)(s->rounds * s->vectors) * (size_t)g->count * (g->is_double ? 16 : 8)));
    argand_status status = start_interpolate(g, rows, grid, scales, &to_rows);
    snprintf(key, sizeof key, "nufft_deal_samples REAL=%s", gpu_real_name(g));
    if (status == ARGAND_OK)
        status = gpu_start(g, key, (g->count + 31) / 32, (storage *const[]){s->array->storage, rows}, 2, &p);
    storage_release(rows);
    return status;
}
