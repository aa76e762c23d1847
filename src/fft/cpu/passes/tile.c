/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs several passes over one tile after another, threads taking tiles. */
#include "fft/cpu/passes/tile.h"

#include <omp.h>

static int64_t place(const fft_tile *t, int64_t index, const int64_t *step)
{
    int64_t at = 0;
    for (int i = 0; i < t->loops; index /= t->n[i++]) at += index % t->n[i] * step[i];
    return at;
}

static void run_tile(const fft_tile *t, const pass_memory *memory, int64_t index, char *buffer,
                     size_t buffer_bytes)
{
    const size_t left = buffer_bytes - t->own;
    pass_memory moved = *memory;
    for (int i = 0; i < PASS_PLACES; i++)
        if (moved.at[i]) moved.at[i] += place(t, index, t->step[i]);
    if (t->own) moved.at[PASS_MIDDLE] = buffer + left;
    for (int i = 0; i < t->passes; i++) pass_run(&t->pass[i], &moved, 1, buffer, left);
}

void tile_run(const fft_tile *t, const pass_memory *memory, int threads, void *buffers, size_t buffer_bytes)
{
    int64_t count = 1;
    for (int i = 0; i < t->loops; i++) count *= t->n[i];
    if (threads <= 1) {
        for (int64_t index = 0; index < count; index++) run_tile(t, memory, index, buffers, buffer_bytes);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        void *buffer = (char *)buffers + (size_t)omp_get_thread_num() * buffer_bytes;
#pragma omp for schedule(static)
        for (int64_t index = 0; index < count; index++) run_tile(t, memory, index, buffer, buffer_bytes);
    }
}
