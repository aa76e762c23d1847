/* SPDX-License-Identifier: BSD-3-Clause */
#include "fft/host/tile.h"

#include <omp.h>

static void run_tile(const fft_tile *t, int64_t index, void *buffer, size_t buffer_bytes)
{
    int64_t in = 0, out = 0;
    for (int i = 0; i < t->loops; index /= t->n[i++]) {
        in += index % t->n[i] * t->in[i];
        out += index % t->n[i] * t->out[i];
    }
    for (int i = 0; i < t->passes; i++) {
        fft_pass pass = t->pass[i];
        pass.in.at += i == 0 ? in : out;
        pass.out.at += out;
        pass_run(&pass, 1, buffer, buffer_bytes);
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
