/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms of many lines at a time, SIMD over lines. Lines are taken in groups of as many as a vector has
 * lanes; point i of a group is a *cell*: the lanes' real parts, then their imaginary parts. So no stage
 * shuffles, and columns are read and written whole vectors at a time. Lengths with factors up to 13. */
#ifndef FFT_CPU_SIMD_BATCH_SIMD_BATCH_H
#define FFT_CPU_SIMD_BATCH_SIMD_BATCH_H

#include "base/cpu.h"
#include "fft/cpu/line/line.h"

enum { SIMD_BATCH_STAGES = 40, SIMD_BATCH_CHUNK = 8, SIMD_BATCH_MOST_RADIX = 16 };

typedef struct simd_batch {
    bool is_double;
    int64_t n;
    int count;
    int radix[SIMD_BATCH_STAGES];
    /* cos, sin of 2 pi p k / length for p from 0, k from 1 to radix - 1 of every stage but the last; reals */
    const void *twiddles[SIMD_BATCH_STAGES];
    void *tables;
    size_t cell_bytes; /* for the processor at hand */
    int64_t groups;    /* done together where there is one stage */
    void (*lines)(const struct simd_batch *a, const line_job *job, void *work);
} simd_batch;

/* False where n has a factor above 13. */
bool simd_batch_can(int64_t n);
argand_status simd_batch_make(simd_batch *a, bool is_double, int64_t n);
void simd_batch_release(simd_batch *a);
int64_t simd_batch_lanes(bool is_double); /* lines in a group */
size_t simd_batch_work_bytes(const simd_batch *a);
size_t simd_batch_callback_bytes(const simd_batch *a);

/* exp(-2 pi i l k / total) for element k of line l, as a product of two from short tables. */
typedef struct simd_batch_twiddles {
    void *lanes;  /* n cells: l below the lanes of a group */
    void *groups; /* n complex numbers for each group: of its first line */
} simd_batch_twiddles;
/* Returns the least memory that these twiddles take for so many points */
size_t simd_batch_twiddle_bytes(bool is_double, int64_t total);
/* Makes the twiddles of total / n lines of a->n points, which multiply their results. */
argand_status simd_batch_twiddles_make(simd_batch_twiddles *twiddles, const simd_batch *a, int64_t total);
void simd_batch_twiddles_release(simd_batch_twiddles *twiddles);

/* The plan of a use whose algorithm is simd_batch. */
const simd_batch *simd_batch_of(const line_use *use);
/* Lines of memory, any number of them. work: aligned to 64 bytes. ops.first is a multiple of the lanes. */
void simd_batch_run(const simd_batch *a, const line_job *job, void *work);

/* For layers above that work on cells themselves. One group: n cells of data become n cells of the result,
 * unscaled; data and work (n cells each, aligned to 64 bytes) are both overwritten, and the result is in the
 * one that is returned. */
void *simd_batch_cells(const simd_batch *a, void *data, void *work, int inverse);

/* ---- between the files of this folder ---- */

typedef enum simd_batch_weights_kind {
    SIMD_BATCH_WEIGHTS_REAL,
    SIMD_BATCH_WEIGHTS_COMPLEX,
    SIMD_BATCH_WEIGHTS_ONE,
    SIMD_BATCH_WEIGHTS_KINDS
} simd_batch_weights_kind;

/* One stage over cells or columns: butterflies (p, q), p < parts, q < apart; point k of one is at
 * p from_p + q from_q + k from_k, or from_offset[k] in columns. Steps count reals. */
typedef struct simd_batch_stage_call {
    int radix;
    bool swap_in, swap_out; /* real and imaginary parts */
    int64_t lines;          /* columns that are there; 0: as many as lanes */
    int64_t parts, interleaved;
    const void *from, *twiddles; /* twiddles of p: from 2 (radix - 1) p on; NULL for none */
    void *to;
    int64_t from_p, from_q, from_k, to_p, to_q, to_k;
    double factor; /* of columns that are written */
    int64_t from_offset[SIMD_BATCH_MOST_RADIX], to_offset[SIMD_BATCH_MOST_RADIX];
    /* Of columns read or written by simd_batch_stage_multiplied_...: an array's lanes side by side at weights
     * + weight_offset[k], weight_step on for the next butterfly; or one factor for all. */
    simd_batch_weights_kind weights_kind;
    const void *weights;
    int64_t weight_step, weight_offset[SIMD_BATCH_MOST_RADIX];
    double sign, re, im; /* sign: of the array's imaginary parts */
} simd_batch_stage_call;

CPU_DECLARE(void, simd_batch_stage, const simd_batch_stage_call *call); /* cells to cells */
CPU_DECLARE(void, simd_batch_stage_from_columns, const simd_batch_stage_call *call);
CPU_DECLARE(void, simd_batch_stage_to_columns, const simd_batch_stage_call *call);
/* Whether there may be fewer columns than lanes */
CPU_DECLARE(bool, simd_batch_takes_some, void);
CPU_DECLARE(void, simd_batch_stage_columns, const simd_batch_stage_call *call); /* single stages */
CPU_DECLARE(void, simd_batch_stage_multiplied_from, const simd_batch_stage_call *call);
CPU_DECLARE(void, simd_batch_stage_multiplied_to, const simd_batch_stage_call *call);
/* Whether this instruction set has them. */
CPU_DECLARE(bool, simd_batch_multiplies, void);
/* `count` cells from elements first, first + 1, ... of memory, and back; swap: real and imaginary parts;
 * prefetch: the next group's rows are fetched */
CPU_DECLARE(void, simd_batch_gather, void *cells, const line_memory *in, int64_t first, int64_t count,
            int64_t lines, bool swap, bool prefetch);
CPU_DECLARE(void, simd_batch_scatter, const line_memory *out, const void *cells, int64_t first, int64_t count,
            int64_t lines, double factor, bool swap, bool prefetch);
/* The same of rows that follow each other point by point, simd_batch_row_points of them at least, times what
 * the array has for element `first` of the first line at `at` (REALs; NULL: times one scalar). */
typedef struct simd_batch_weights {
    const void *at;
    int64_t point, line; /* REALs from point to point (1, or 2 of complex numbers, where lines differ) and
                            from line to line; 0: all alike */
    bool real;
    double sign, re, im; /* sign: of the array's imaginary parts */
} simd_batch_weights;
CPU_DECLARE(void, simd_batch_gather_multiplied, void *cells, const line_memory *in, int64_t first,
            int64_t count, int64_t lines, const simd_batch_weights *w, bool swap, bool prefetch);
CPU_DECLARE(void, simd_batch_scatter_multiplied, const line_memory *out, const void *cells, int64_t first,
            int64_t count, int64_t lines, double factor, const simd_batch_weights *w, bool swap,
            bool prefetch);
CPU_DECLARE(void, simd_batch_lines, const simd_batch *a, const line_job *job, void *work);
CPU_DECLARE(void *, simd_batch_cells_run, const simd_batch *a, void *data, void *work, int inverse);

#endif
