/* SPDX-License-Identifier: BSD-3-Clause */
/* Several passes over a part of the data that fits in cache, before the next part is read. */
#ifndef FFT_CPU_PASSES_TILE_H
#define FFT_CPU_PASSES_TILE_H

#include "fft/cpu/passes/pass.h"

/* The passes of one tile at the origin, and the loops that lead to the others. */
typedef struct fft_tile {
    int passes;
    fft_pass pass[ARGAND_MAX_RANK];
    int loops;
    int64_t n[PASS_LOOPS], step[PASS_PLACES][PASS_LOOPS]; /* steps in bytes */
    size_t own; /* bytes of PASS_MIDDLE that are each thread's own, at the end of its buffer; 0: shared */
} fft_tile;

/* buffer_bytes: of each thread, tile->own among them. */
void tile_run(const fft_tile *tile, const pass_memory *memory, int threads, void *buffers,
              size_t buffer_bytes);

#endif
