/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans the part of a NUFFT that runs on a GPU: window, sorted points, transforms and memory. Made when
 * points are set. */
#include "nufft/gpu/gpu.h"

#include <string.h>
#include "base/memory.h"
#include "fft/plan/waiting.h"

static atomic_size_t most_bytes;

void argand_test_nufft_batch_bytes(size_t bytes)
{
    most_bytes = bytes;
}

/* Returns the cells of a row. A row of half a grid has its kept cells, margins, and cells that complete
 * the last tile */
static int64_t row_cells(const layout *l)
{
    const int64_t tile = 1 << NUFFT_TILE_X;
    return l->half ? (l->grid[0] / 2 + l->window.width + tile) / tile * tile : l->grid[0];
}

static argand_status measure(nufft_gpu *g, const layout *l)
{
    const int shift[3] = {NUFFT_TILE_X, NUFFT_TILE_Y(l->rank), NUFFT_TILE_Z(l->rank)};
    CHECK(g->count <= INT32_MAX, ARGAND_UNSUPPORTED, "nufft: %lld points: at most 2^31 - 1 on this device",
          (long long)g->count);
    g->cells = g->pixels = g->rows = 1;
    g->full = l->half ? l->grid[0] : 0;
    for (int axis = 0; axis < 3; axis++) {
        g->n[axis] = l->image[axis];
        g->grid[axis] = axis == 0 ? row_cells(l) : l->grid[axis];
        g->tiles[axis] = (g->grid[axis] + (1 << shift[axis]) - 1) >> shift[axis];
        g->pixels *= g->n[axis];
        g->cells *= g->grid[axis];
        g->rows *= g->tiles[axis] << (axis ? shift[axis] : 0);
    }
    const int64_t shortest = g->grid[0] / g->tiles[0];
    g->left = (int)((g->width - 1 + shortest - 1) / shortest);
    CHECK(g->rows >> (32 - NUFFT_TILE_X) == 0, ARGAND_UNSUPPORTED,
          "nufft: a grid of %lld cells: at most 2^32 on this device", (long long)g->cells);
    return ARGAND_OK;
}

/* Uploads the polynomials of the window's cells, behind so many terms of zeros. */
static argand_status upload_coefficients(storage **to, const nufft_gpu *g, const layout *l, int zeros)
{
    const size_t bytes = (size_t)(zeros + g->terms) * (size_t)g->width * (g->is_double ? 8 : 4);
    void *numbers;
    TRY(memory_new(&numbers, bytes, 1));
    memset(numbers, 0, bytes);
    for (int term = 0; term < g->terms; term++)
        for (int tap = 0; tap < g->width; tap++) {
            const int at = (zeros + term) * g->width + tap;
            if (g->is_double)
                ((double *)numbers)[at] = l->window.coefficients[term][tap];
            else
                ((float *)numbers)[at] = (float)l->window.coefficients[term][tap];
        }
    argand_status status = storage_new(to, g->device, bytes);
    if (status == ARGAND_OK) status = storage_upload(*to, 0, numbers, bytes);
    memory_free(numbers);
    return status;
}

/* Returns the number of terms that windows of a width have at most, whatever their oversampling: kernels for
 * it serve all of them. */
static int most_terms(const nufft_gpu *g)
{
    const int most = g->width + 2 < (g->is_double ? 14 : 10) ? g->width + 2 : g->is_double ? 14 : 10;
    return most > g->terms ? most : g->terms;
}

static argand_status make_coefficients(nufft_gpu *g, const layout *l)
{
    const int zeros = g->most_terms - g->terms;
    TRY(upload_coefficients(&g->coefficients, g, l, 0));
    if (zeros) return upload_coefficients(&g->most_coefficients, g, l, zeros);
    g->most_coefficients = storage_keep(g->coefficients);
    return ARGAND_OK;
}

/* Takes those of the points before. */
static void keep_coefficients(nufft_gpu *g, const nufft_gpu *before)
{
    g->coefficients = storage_keep(before->coefficients);
    g->most_coefficients = storage_keep(before->most_coefficients);
}

/* Reads what the device can do. Factors of 16 bits have about 16 times the rounding of single precision,
 * so they are used only if that is small next to the window's error. The memory that an FFT keeps between
 * its passes is known only for devices that it is tuned for. */
static void look_at_device(nufft_gpu *g, const layout *l)
{
    const device_traits *t = device_traits_of(g->device);
    g->has_tensor = t->matrix != DEVICE_MATRIX_NONE && !g->is_double && g->rank > 1;
    g->whole_work = !t->fft_tuned;
    int overlaps = 1;
    nufft_tuning_value("pdl", &overlaps);
    g->overlaps = overlaps;
    g->tensor_brief = 16 * l->rounding <= l->expected_error / 4;
}

/* Returns the cells that an FFT keeps between its passes, if the device does not tell: a copy of the grid;
 * for half a grid, without margins, also the part that the last axis leaves */
static int64_t copied_cells(const nufft_gpu *g)
{
    const int last = g->axes - 1;
    if (!g->full) return g->cells;
    const int64_t cells = g->cells / g->grid[0] * (g->full / 2 + 1);
    return cells + (last > 0 ? cells / g->grid[last] * g->n[last] : cells);
}

/* Returns the cells that an FFT keeps between its passes. The last pass is along the last axis and leaves the
 * image's pixels there, unless it is two passes. */
static int64_t kept_cells(const nufft_gpu *g)
{
    enum { ONE_PASS = 4096 };
    const int last = g->axes - 1;
    if (g->whole_work) return copied_cells(g);
    return last > 0 && g->grid[last] <= ONE_PASS ? g->cells / g->grid[last] * g->n[last] : g->cells;
}

/* Chooses how many vectors are computed at a time: as many as three eighths of the memory hold, at least
 * one, and full lanes if there are many. Several rounds share a launch while they fit in a 32nd of the
 * memory, as a launch of one round would leave multiprocessors idle at its end. */
static void choose_batch(nufft_gpu *g)
{
    enum { MOST_PADDED = 512 << 20 }; /* enough for launches that fill the device several times */
    const size_t number = g->is_double ? 16 : 8,
                 budget = most_bytes ? most_bytes : (size_t)device_traits_of(g->device)->memory / 8 * 3;
    /* the grid, what the FFT keeps between its passes, sorted samples, parts of crowded blocks */
    const size_t samples = ((size_t)g->count + 1) * (size_t)gpu_most_lanes(g);
    g->vector_bytes = number * ((size_t)(g->cells + kept_cells(g)) + samples) +
                      gpu_parts_bytes(g, gpu_tiles_serve(g, 1) ? 2 : 1);        /* tiles have no blocks */
    if (g->has_tensor) g->vector_bytes += (NUFFT_EXTENTS + 16) * sizeof(float); /* and scales */
    const size_t fit = budget / g->vector_bytes;
    g->padded_bytes = budget < MOST_PADDED ? budget : MOST_PADDED;
    g->batch = fit < 1 ? 1 : fit < 8 ? (int)fit : fit < 16 ? 8 : fit < GPU_VECTORS ? 16 : GPU_VECTORS;
    if (fit < GPU_VECTORS) return;
    const size_t rounds = budget / 12 / g->vector_bytes / GPU_VECTORS;
    if (rounds > 1) g->batch *= rounds < GPU_ROUNDS ? (int)rounds : GPU_ROUNDS;
}

/* Moves what depends on the layout alone: deapodisation and transforms. */
static void inherit(nufft_gpu *g, nufft_gpu *from)
{
    g->deapodise_exponent = from->deapodise_exponent;
    memcpy(g->deapodise, from->deapodise, sizeof g->deapodise);
    memset(from->deapodise, 0, sizeof from->deapodise);
    memcpy(g->transforms, from->transforms, sizeof g->transforms);
    memset(from->transforms, 0, sizeof from->transforms);
}

static argand_status fill(nufft_gpu *g, const layout *l, argand_array *const k[], nufft_gpu *before)
{
    TRY(measure(g, l));
    if (before)
        keep_coefficients(g, before);
    else
        TRY(make_coefficients(g, l));
    look_at_device(g, l);
    if (!before) TRY(gpu_deapodise(g, l));
    choose_batch(g);
    TRY(gpu_sort(g, k));
    if (before) inherit(g, before); /* nothing fails from here on */
    return ARGAND_OK;
}

argand_status gpu_create(nufft_gpu **out, const argand_nufft *plan, const layout *l, argand_array *const k[],
                         nufft_gpu *before)
{
    nufft_gpu *g;
    TRY(NEW(g, 1));
    pthread_mutex_init(&g->lock, NULL);
    g->device = device_keep(plan->device);
    g->is_double = l->is_double;
    g->waits = plan->options.wait_for_kernels || fft_environment_waits();
    memcpy(g->scale, plan->scale, sizeof g->scale);
    g->rank = l->rank;
    g->axes = l->axes;
    g->width = l->window.width;
    g->terms = l->window.terms;
    g->most_terms = most_terms(g);
    g->count = argand_array_count(k[0]);
    argand_status status = call_graph_new(&g->graph[0]);
    if (status == ARGAND_OK) status = call_graph_new(&g->graph[1]);
    if (status == ARGAND_OK) status = fill(g, l, k, before);
    if (status != ARGAND_OK) {
        gpu_destroy(g);
        return status;
    }
    *out = g;
    return ARGAND_OK;
}

argand_status gpu_set_again(nufft_gpu *g, argand_array *const k[])
{
    pthread_mutex_lock(&g->lock);
    g->is_again = true;
    argand_status status = gpu_sort_again(g, k);
    if (status == ARGAND_OK) status = gpu_blocks_again(g);
    pthread_mutex_unlock(&g->lock);
    return status;
}

/* Returns the bytes that the arena takes for `bytes`: up to an eighth more. */
static size_t rounded_up(size_t bytes)
{
    enum { LEAST = 4096 };
    return bytes + (bytes / 8 > LEAST ? bytes / 8 : LEAST);
}

/* Window, deapodisation, points, lists of blocks, and tables of the FFT, a few numbers for each point of an
 * axis */
static size_t kept_bytes(const nufft_gpu *g)
{
    enum { TABLE_NUMBERS = 8 }; /* complex, at most, of all passes along an axis */
    const size_t real = g->is_double ? 8 : 4, count = (size_t)g->count + 1;
    size_t bytes = sizeof *g + real * (size_t)((g->terms + g->most_terms) * g->width) +
                   2 * rounded_up(4 * count) + rounded_up(real * count * (size_t)g->rank) +
                   rounded_up(8 * ((size_t)g->rows + 1)) + rounded_up(gpu_lists_bytes(g));
    if (g->full) bytes += rounded_up(count);
    for (int axis = 0; axis < g->axes; axis++)
        bytes += real * (size_t)g->n[axis] + TABLE_NUMBERS * 2 * real * (size_t)g->grid[axis];
    return bytes;
}

gpu_info gpu_describe(const nufft_gpu *g)
{
    const size_t real = g->is_double ? 8 : 4,
                 tiles = 2 * real * (size_t)(g->cells + kept_cells(g)) + gpu_tiles_bytes(g),
                 most = tiles > g->vector_bytes ? tiles : g->vector_bytes;
    return (gpu_info){.count = g->count,
                      .bytes = kept_bytes(g),
                      .set_bytes = gpu_sort_bytes(g),
                      .vector_bytes = rounded_up(most),
                      .batch_bytes = g->vector_bytes,
                      .batch = g->batch};
}

void gpu_destroy(nufft_gpu *g)
{
    if (!g) return;
    for (int i = 0; i < GPU_ROUNDS * GPU_VECTORS; i++)
        gpu_transforms_free(&g->transforms[i / GPU_VECTORS][i % GPU_VECTORS]);
    for (int i = 0; i < GPU_LANES; i++) gpu_blocks_free(&g->blocks[i]);
    gpu_blocks_free(&g->tile_parts);
    storage_release(g->folded);
    storage_release(g->row);
    storage_release(g->u);
    storage_release(g->keys);
    storage_release(g->order);
    for (int axis = 2; axis >= 0; axis--) argand_array_destroy(g->deapodise[axis]);
    storage_release(g->most_coefficients);
    storage_release(g->coefficients);
    for (int i = 0; i < 2; i++) call_graph_free(g->graph[i]);
    pthread_mutex_destroy(&g->lock);
    argand_device_close(g->device);
    memory_free(g);
}
