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

/* Few vectors: items next to each other have a point's cells along x, unless neighbouring points are so near
 * to each other that theirs lie together anyway. */
static void print_interpolate(char *key, size_t size, const nufft_gpu *g, int vectors)
{
    char common[GPU_KEY / 2];
    const int lanes = gpu_lanes(vectors), wide = lanes > 2 ? 8 : 16;
    snprintf(common, sizeof common, "REAL=%s RANK=%d WIDTH=%d TERMS=%d BATCH=%d ITEMS=%d LANES=%d FULL=%d",
             gpu_real_name(g), g->rank, g->width, g->terms, interpolated_at_once(g), ITEMS, lanes,
             vectors == lanes);
    if (lanes >= 8 || g->count >= g->cells)
        snprintf(key, size, "nufft_interpolate %s TOGETHER=%d", common, lanes >= 8 ? seen_together(g) : 1);
    else
        snprintf(key, size, "nufft_interpolate_few %s SPLIT=%d", common,
                 g->width <= 4   ? 4
                 : g->width <= 8 ? 8
                                 : wide);
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

static argand_status start_tensor(nufft_gpu *g, storage *to, const argand_array *grid, storage *scales,
                                  const struct nufft_params *p)
{
    char key[GPU_KEY];
    const int lanes = gpu_tensor_lanes(p->vectors);
    gpu_blocks *b;
    TRY(gpu_tile_parts(&b, g));
    storage *const memory[11] = {to,     grid->storage, g->u,     g->keys, g->order, g->row, g->coefficients,
                                 scales, b->crowded,    b->found, b->part};
    snprintf(key, sizeof key,
             "nufft_interpolate_tensor REAL=float RANK=%d WIDTH=%d TERMS=%d LANES=%d FULL=%d TENSOR_BRIEF=0 "
             "ITEMS=%d MIN_BLOCKS=%d",
             g->rank, g->width, g->terms, lanes, p->vectors == lanes, TENSOR_ITEMS, g->rank > 2 ? 3 : 2);
    return kernel_start(g->device, &(kernel_run){.key = key,
                                                 .groups = (b->parts + b->count) * p->rounds,
                                                 .memory = memory,
                                                 .memory_count = 11,
                                                 .params = p,
                                                 .params_bytes = sizeof *p,
                                                 .shared_bytes = tensor_bytes(g, lanes)});
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

static argand_status start_tiles(nufft_gpu *g, storage *to, const argand_array *grid,
                                 const struct nufft_params *p)
{
    char key[GPU_KEY];
    gpu_blocks *b;
    TRY(gpu_tile_parts(&b, g));
    storage *const memory[10] = {to,     grid->storage,   g->u,       g->keys,  g->order,
                                 g->row, g->coefficients, b->crowded, b->found, b->part};
    snprintf(key, sizeof key,
             "nufft_interpolate_tile REAL=float RANK=3 WIDTH=%d TERMS=%d PAIRED=%d ITEMS=128", g->width,
             g->terms, g->width > 6);
    return kernel_start(g->device, &(kernel_run){.key = key,
                                                 .groups = b->parts + b->count,
                                                 .memory = memory,
                                                 .memory_count = 10,
                                                 .params = p,
                                                 .params_bytes = sizeof *p,
                                                 .shared_bytes = gpu_given_bytes(g, tile_bytes(g)),
                                                 .overlaps = g->overlaps});
}

static argand_status start_interpolate(nufft_gpu *g, storage *to, const argand_array *grid, storage *scales,
                                       const struct nufft_params *p)
{
    if (scales) return start_tensor(g, to, grid, scales, p);
    if (sees_tiles(g, p->vectors)) return start_tiles(g, to, grid, p);
    char key[GPU_KEY];
    const int batch = interpolated_at_once(g);
    storage *const memory[6] = {to, grid->storage, g->u, g->keys, g->order, g->coefficients};
    print_interpolate(key, sizeof key, g, p->vectors);
    return gpu_start_early(g, key, (g->count + batch - 1) / batch, memory, 6, p);
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
