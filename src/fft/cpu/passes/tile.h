/* SPDX-License-Identifier: BSD-3-Clause */
/* Several passes over a part of the data that fits in cache, before the next part is read. */
#ifndef FFT_CPU_PASSES_TILE_H
#define FFT_CPU_PASSES_TILE_H

#include "fft/cpu/passes/pass.h"

/* The passes of one tile at the origin, and the loops that lead to the others. The first pass reads `in`, the
 * last one writes `out`; in between they work in memory that may be the output's. */
typedef struct fft_tile {
    int passes;
    fft_pass pass[ARGAND_MAX_RANK];
    int loops;
    int64_t n[PASS_LOOPS], in[PASS_LOOPS], between[PASS_LOOPS], out[PASS_LOOPS]; /* steps in bytes */
    size_t
        own; /* bytes of each thread's own memory between the passes, at the end of its buffer; 0: shared */
} fft_tile;

/* buffer_bytes: of each thread, tile->own among them. */
void tile_run(const fft_tile *tile, int threads, void *buffers, size_t buffer_bytes);

#endif
