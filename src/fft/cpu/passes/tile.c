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

static void run_tile(const fft_tile *t, int64_t index, char *buffer, size_t buffer_bytes)
{
    const int64_t in = place(t, index, t->in), out = place(t, index, t->out),
                  between = place(t, index, t->between);
    const size_t left = buffer_bytes - t->own;
    for (int i = 0; i < t->passes; i++) {
        const bool first = i == 0, last = i == t->passes - 1;
        fft_pass pass = t->pass[i];
        if (t->own && !first) pass.in.at = buffer + left;
        if (t->own && !last) pass.out.at = buffer + left;
        pass.in.at += first ? in : between;
        pass.out.at += last ? out : between;
        pass_run(&pass, 1, buffer, left);
    }
}

void tile_run(const fft_tile *t, int threads, void *buffers, size_t buffer_bytes)
{
    int64_t count = 1;
    for (int i = 0; i < t->loops; i++) count *= t->n[i];
    if (threads <= 1) {
        for (int64_t index = 0; index < count; index++) run_tile(t, index, buffers, buffer_bytes);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        void *buffer = (char *)buffers + (size_t)omp_get_thread_num() * buffer_bytes;
#pragma omp for schedule(static)
        for (int64_t index = 0; index < count; index++) run_tile(t, index, buffer, buffer_bytes);
    }
}
