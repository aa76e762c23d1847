/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass over memory: all lines along one axis, transformed. */
#ifndef FFT_CPU_PASSES_PASS_H
#define FFT_CPU_PASSES_PASS_H

#include "fft/cpu/line/line.h"
#include "fft/problem/problem.h"

enum { PASS_LOOPS = 2 * ARGAND_MAX_RANK };

/* Memory that the passes of a call read and write: its input, its output, and what it keeps between them. */
typedef enum pass_place { PASS_IN, PASS_OUT, PASS_MIDDLE, PASS_PLACES } pass_place;
typedef struct pass_memory {
    char *at[PASS_PLACES];
} pass_memory;

/* Input or output of a pass. A pass holds no addresses, so that one schedule serves many calls. */
typedef struct pass_layout {
    pass_place place;
    bool real;
    size_t size;              /* of an element, bytes */
    int64_t stride;           /* along the line */
    int64_t loop[PASS_LOOPS]; /* from line to line */
} pass_layout;

typedef struct fft_pass {
    const fft_line *line;
    const line_use *use; /* set by pass_order_loops */
    int inverse;
    bool far;            /* its data come from memory, not from a cache */
    line_operations ops; /* with twiddles loops is 1 */
    int loops;
    int64_t n[PASS_LOOPS]; /* loop 0 is the one whose lines make blocks */
    pass_layout out, in;
} fft_pass;

/* Input and output of this size together are taken to be outside the cache, as one core has some megabytes
 * of the last cache. Within the cache, prefetching costs a tenth. */
enum { PASS_FAR_BYTES = 1 << 23 };

/* Returns how many lines are copied to a slab and done together, if their points have a stride of so many
 * bytes; 0 if that does not help. `pitch`: bytes from point to point of the copy. */
int64_t pass_slab_lines(const fft_line *line, int64_t bytes_apart, bool far);
enum { PASS_SLAB_PITCH = 512 + 64, PASS_SLAB_PREFETCH = 4 /* points that are fetched meanwhile */ };

/* Joins loops that are one behind the other, and puts the one with the closest lines first. */
void pass_order_loops(fft_pass *pass);
/* Work memory that a pass along such a line takes for each thread, whatever its strides. */
size_t pass_buffer_bytes(const fft_line *line);
/* Work memory that this pass takes for each thread: at most pass_buffer_bytes. */
size_t pass_work_bytes(const fft_pass *pass);
/* Runs with that many threads, each with buffer_bytes of `buffers`. */
void pass_run(const fft_pass *pass, const pass_memory *memory, int threads, void *buffers,
              size_t buffer_bytes);

#endif
