/* SPDX-License-Identifier: BSD-3-Clause */
/* How spreading cuts the grid, and which blocks are so crowded that their points are added in parts. */
#include "nufft/gpu/gpu.h"

#include <stdio.h>
#include <string.h>

enum { LEAST_PART = 1024, LEAST_TILE_PART = 1024, TENSOR_LANES = 8 };

int gpu_tensor_lanes(int vectors)
{
    return (vectors + TENSOR_LANES - 1) / TENSOR_LANES * TENSOR_LANES;
}

/* Rows of cells, of which a matrix product takes two; whole tiles of columns for the vectors */
static gpu_shape tensor_shape(int rank, int vectors)
{
    return (gpu_shape){.lanes = gpu_tensor_lanes(vectors),
                       .segments = 1,
                       .y = rank > 2 ? 4 : 8,
                       .z = rank > 2 ? 4 : 1,
                       .tensor = true};
}

/* Returns the number of vectors from which matrix products are faster, as measured on an H200 */
static int least_tensor(int rank)
{
    return rank > 2 ? 5 : 2;
}

int gpu_most_lanes(const nufft_gpu *g)
{
    return g->has_tensor ? (TENSOR_LANES + least_tensor(g->rank) - 1) / least_tensor(g->rank) : 1;
}

int gpu_lanes(int vectors)
{
    int lanes = 1;
    while (lanes < vectors && lanes < GPU_VECTORS) lanes *= 2;
    return lanes;
}

static int number_of_lanes(int lanes)
{
    int i = 0;
    while (1 << i < lanes) i++;
    return i;
}

/* Lanes hold the vectors; about 128 items. A block lies in one tile along y and z. */
gpu_shape gpu_shape_of(const nufft_gpu *g, int vectors)
{
    static const int shapes[3][GPU_LANES][3] = {
        {{32, 1, 1}, {32, 1, 1}, {32, 1, 1}, {16, 1, 1}, {8, 1, 1}, {4, 1, 1}},
        {{8, 16, 1}, {4, 16, 1}, {2, 16, 1}, {1, 16, 1}, {1, 8, 1}, {1, 4, 1}},
        {{2, 8, 8}, {1, 8, 8}, {1, 8, 4}, {1, 4, 4}, {1, 4, 2}, {1, 2, 2}}};
    if (g->has_tensor && vectors >= least_tensor(g->rank)) return tensor_shape(g->rank, vectors);
    const int lanes = gpu_lanes(vectors), *const cut = shapes[g->rank - 1][number_of_lanes(lanes)];
    const int most = g->width > 16 && g->rank == 3 ? 4 : 16; /* the list of rows must fit in shared memory */
    return (gpu_shape){.lanes = lanes,
                       .segments = cut[0],
                       .y = cut[1] < most ? cut[1] : most,
                       .z = cut[2] < most ? cut[2] : most};
}

void gpu_shape_print(char *text, size_t size, const nufft_gpu *g, const gpu_shape *s)
{
    snprintf(text, size, "RANK=%d WIDTH=%d LEFT=%d SEGMENTS=%d BLOCK_Y=%d BLOCK_Z=%d", g->rank, g->width,
             g->left, s->segments, s->y, s->z);
}

/* Returns the most parts that crowded blocks can have together. Each is reached by more than LEAST_PART
 * points, and at most one of its parts has fewer. */
static size_t most_parts(const nufft_gpu *g, const gpu_shape *s)
{
    int64_t reached = g->left + 1; /* blocks, by a point */
    if (g->rank > 1) reached *= (g->width - 2) / s->y + 2;
    if (g->rank > 2) reached *= (g->width - 2) / s->z + 2;
    const int64_t most = 2 * (g->count / LEAST_PART + 1) * reached;
    return most < NUFFT_PARTS ? (size_t)most : NUFFT_PARTS;
}

size_t gpu_parts_bytes(const nufft_gpu *g, int least)
{
    size_t most = 0;
    for (int vectors = least; vectors <= GPU_VECTORS && g->count > LEAST_PART; vectors *= 2) {
        const gpu_shape s = gpu_shape_of(g, vectors);
        const size_t block = (most_parts(g, &s) * (size_t)s.segments * (size_t)(s.y * s.z)) << NUFFT_TILE_X;
        most = block > most ? block : most;
    }
    return most * (size_t)gpu_most_lanes(g) * (g->is_double ? 16 : 8);
}

/* Each crowded tile has more than LEAST_TILE_PART points, and at most one part with fewer. */
int64_t gpu_most_tile_parts(const nufft_gpu *g)
{
    const int64_t most = 2 * (g->count / LEAST_TILE_PART);
    return most < NUFFT_PARTS ? most : NUFFT_PARTS;
}

static gpu_blocks cut(const nufft_gpu *g, gpu_shape shape)
{
    gpu_blocks b = {.shape = shape,
                    .blocks = {(g->tiles[0] + shape.segments - 1) / shape.segments,
                               (g->grid[1] + shape.y - 1) / shape.y, (g->grid[2] + shape.z - 1) / shape.z}};
    b.count = b.blocks[0] * b.blocks[1] * b.blocks[2];
    return b;
}

/* Lists of blocks for many vectors and of tiles, and of their parts */
size_t gpu_lists_bytes(const nufft_gpu *g)
{
    const int64_t blocks = cut(g, gpu_shape_of(g, GPU_VECTORS)).count,
                  tiles = g->tiles[0] * g->tiles[1] * g->tiles[2];
    return (size_t)(blocks + tiles + 2 * 2 * NUFFT_PARTS) * sizeof(uint32_t);
}

static void print_parts(char key[GPU_KEY], int least)
{
    snprintf(key, GPU_KEY, "nufft_block_parts LEAST=%d", least);
}

/* Finds the parts. How many points blocks have is what `totals`, a kernel, says. */
static argand_status find(const gpu_blocks *b, const nufft_gpu *g, const char *totals, int least)
{
    char key[GPU_KEY];
    struct nufft_params p = gpu_params(g);
    for (int axis = 0; axis < 3; axis++) p.blocks[axis] = b->blocks[axis];
    p.count = b->count;
    TRY(gpu_start(g, totals, (b->count + GPU_CHUNK - 1) / GPU_CHUNK, (storage *const[]){b->crowded, g->row},
                  2, &p));
    print_parts(key, least);
    return gpu_start(g, key, 1, (storage *const[]){b->crowded, b->part, b->found}, 3, &p);
}

/* most: parts that there can be */
static argand_status make(gpu_blocks *b, nufft_gpu *g, const char *totals, int least, int64_t most)
{
    uint32_t found[2];
    TRY(storage_new(&b->crowded, g->device, (size_t)b->count * sizeof(uint32_t)));
    TRY(storage_new(&b->part, g->device, 2 * NUFFT_PARTS * sizeof(uint32_t)));
    TRY(storage_new(&b->found, g->device, sizeof found));
    TRY(find(b, g, totals, least));
    b->parts = device_traits_of(g->device)->rehearses ? 1 : most; /* so that their kernels are asked for */
    if (g->is_again || device_traits_of(g->device)->rehearses) return ARGAND_OK;
    TRY(storage_download(b->found, 0, found, sizeof found));
    b->parts = found[0];
    return ARGAND_OK;
}

static argand_status make_once(gpu_blocks *b, nufft_gpu *g, const char *totals, int least, int64_t most)
{
    const argand_status status = make(b, g, totals, least, most);
    if (status == ARGAND_OK) return status;
    gpu_blocks_free(b);
    *b = (gpu_blocks){0};
    return status;
}

void gpu_blocks_free(gpu_blocks *b)
{
    storage_release(b->found);
    storage_release(b->part);
    storage_release(b->crowded);
}

static void print_totals(char key[GPU_KEY], const nufft_gpu *g, const gpu_shape *shape)
{
    char blocks[GPU_KEY / 2];
    gpu_shape_print(blocks, sizeof blocks, g, shape);
    snprintf(key, GPU_KEY, "nufft_block_totals %s CHUNK=%d", blocks, GPU_CHUNK);
}

static void print_tile_totals(char key[GPU_KEY], const nufft_gpu *g)
{
    snprintf(key, GPU_KEY, "nufft_tile_totals RANK=%d WIDTH=%d CHUNK=%d", g->rank, g->width, GPU_CHUNK);
}

argand_status gpu_blocks_for(gpu_blocks **out, nufft_gpu *g, int vectors)
{
    const gpu_shape shape = gpu_shape_of(g, vectors);
    gpu_blocks *b = &g->blocks[number_of_lanes(shape.lanes)];
    char totals[GPU_KEY];
    argand_status status = ARGAND_OK;
    *out = b;
    pthread_mutex_lock(&g->lock);
    if (!b->shape.lanes) {
        *b = cut(g, shape);
        print_totals(totals, g, &shape);
        status = make_once(b, g, totals, LEAST_PART, (int64_t)most_parts(g, &shape));
    }
    pthread_mutex_unlock(&g->lock);
    return status;
}

argand_status gpu_tile_parts(gpu_blocks **out, nufft_gpu *g)
{
    char totals[GPU_KEY];
    argand_status status = ARGAND_OK;
    gpu_blocks *b = *out = &g->tile_parts;
    print_tile_totals(totals, g);
    pthread_mutex_lock(&g->lock);
    if (!b->found) {
        b->count = g->tiles[0] * g->tiles[1] * g->tiles[2];
        status = make_once(b, g, totals, LEAST_TILE_PART, gpu_most_tile_parts(g));
    }
    pthread_mutex_unlock(&g->lock);
    return status;
}

void gpu_print_parts(char totals[GPU_KEY], char parts[GPU_KEY], const nufft_gpu *g)
{
    print_tile_totals(totals, g);
    print_parts(parts, LEAST_TILE_PART);
}

argand_status gpu_blocks_again(nufft_gpu *g)
{
    char totals[GPU_KEY];
    for (int i = 0; i < GPU_LANES; i++) {
        gpu_blocks *b = &g->blocks[i];
        if (!b->shape.lanes) continue;
        print_totals(totals, g, &b->shape);
        TRY(find(b, g, totals, LEAST_PART));
        b->parts = (int64_t)most_parts(g, &b->shape);
    }
    if (!g->tile_parts.found) return ARGAND_OK;
    print_tile_totals(totals, g);
    g->tile_parts.parts = gpu_most_tile_parts(g);
    return find(&g->tile_parts, g, totals, LEAST_TILE_PART);
}
