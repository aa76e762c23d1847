/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms of many lines at a time, SIMD across lines. Lines are taken in groups of as many as a vector has
 * lanes; point i of a group is a *cell*: the lanes' real parts, then their imaginary parts. So no stage
 * shuffles, and columns are read and written whole vectors at a time. Lengths with factors up to 13. */
#ifndef FFT_CPU_SIMD_BATCH_SIMD_BATCH_H
#define FFT_CPU_SIMD_BATCH_SIMD_BATCH_H

#include "base/cpu.h"
#include "fft/cpu/line/line.h"

enum { ACROSS_STAGES = 40, ACROSS_CHUNK = 8, ACROSS_MOST_RADIX = 16 };

typedef struct across {
    bool is_double;
    int64_t n;
    int count;
    int radix[ACROSS_STAGES];
    /* cos, sin of 2 pi p k / length for p from 0, k from 1 to radix - 1 of every stage but the last; reals */
    const void *turns[ACROSS_STAGES];
    void *tables;
    size_t cell_bytes; /* for the processor at hand */
    int64_t groups;    /* done together where there is one stage */
    void (*lines)(const struct across *a, const line_job *job, void *work);
} across;

/* False where n has a factor above 13. */
bool across_can(int64_t n);
argand_status across_make(across *a, bool is_double, int64_t n);
void across_release(across *a);
int64_t across_lanes(bool is_double); /* lines in a group */
size_t across_work_bytes(const across *a);
size_t across_edge_bytes(const across *a);

/* exp(-2 pi i l k / total) for element k of line l, as a product of two from short tables. */
typedef struct across_turns {
    void *lanes;  /* n cells: l below the lanes of a group */
    void *groups; /* n complex numbers for each group: of its first line */
} across_turns;
/* For lines of a->n points; those that are turned are total / n. */
argand_status across_turns_make(across_turns *turns, const across *a, int64_t total);
void across_turns_release(across_turns *turns);

/* The plan of a use whose way is across. */
const across *across_of(const line_use *use);
/* Lines of memory, any number of them. work: aligned to 64 bytes. touch.first is a multiple of the lanes. */
void across_run(const across *a, const line_job *job, void *work);

/* For layers above that work on cells themselves. One group: n cells of data become n cells of the result,
 * unscaled; data and work (n cells each, aligned to 64 bytes) are both overwritten, and the result is in the
 * one that is returned. */
void *across_cells(const across *a, void *data, void *work, int inverse);
/* `count` elements of at most `lanes` lines of memory from element `first` on, without rotation, into cells,
 * and back times the factor. Lanes beyond `lines` become 0. */
void across_load(bool is_double, void *cells, const line_memory *in, int64_t first, int64_t count,
                 int64_t lines);
void across_store(bool is_double, const line_memory *out, const void *cells, int64_t first, int64_t count,
                  int64_t lines, double factor);

/* ---- between the files of across ---- */

typedef enum across_weighing { ACROSS_REAL, ACROSS_COMPLEX, ACROSS_ALL, ACROSS_WEIGHINGS } across_weighing;

/* One stage over cells or columns: butterflies (p, q), p < parts, q < apart; point k of one is at
 * p from_p + q from_q + k from_k, or from_offset[k] in columns. Steps count reals. */
typedef struct across_stage_call {
    int radix;
    bool swap_in, swap_out; /* real and imaginary parts */
    int64_t parts, apart;
    const void *from, *turns; /* turns of p: from 2 (radix - 1) p on; NULL for none */
    void *to;
    int64_t from_p, from_q, from_k, to_p, to_q, to_k;
    double factor; /* of columns that are written */
    int64_t from_offset[ACROSS_MOST_RADIX], to_offset[ACROSS_MOST_RADIX];
    /* Of columns read or written by across_stage_weighed_...: an array's lanes side by side at weights +
     * weight_offset[k], weight_step on for the next butterfly; or one number for all. */
    across_weighing weighing;
    const void *weights;
    int64_t weight_step, weight_offset[ACROSS_MOST_RADIX];
    double sign, re, im; /* sign: of the array's imaginary parts */
} across_stage_call;

CPU_DECLARE(void, across_stage, const across_stage_call *call); /* cells to cells */
CPU_DECLARE(void, across_stage_from_columns, const across_stage_call *call);
CPU_DECLARE(void, across_stage_to_columns, const across_stage_call *call);
CPU_DECLARE(void, across_stage_columns, const across_stage_call *call); /* single stages */
CPU_DECLARE(void, across_stage_weighed_from, const across_stage_call *call);
CPU_DECLARE(void, across_stage_weighed_to, const across_stage_call *call);
/* Whether this instruction set has them. */
CPU_DECLARE(bool, across_weighs, void);
/* `count` cells from elements first, first + 1, ... of memory, and back; swap: real and imaginary parts;
 * ahead: the next group's rows are fetched */
CPU_DECLARE(void, across_gather, void *cells, const line_memory *in, int64_t first, int64_t count,
            int64_t lines, bool swap, bool ahead);
CPU_DECLARE(void, across_scatter, const line_memory *out, const void *cells, int64_t first, int64_t count,
            int64_t lines, double factor, bool swap, bool ahead);
/* The same of rows that follow each other point by point, across_row_points of them at least, times what the
 * array has for element `first` of the first line at `at` (REALs; NULL: times one number). */
typedef struct across_weights {
    const void *at;
    int64_t point, line; /* REALs from point to point (1, or 2 of complex numbers, where lines differ) and
                            from line to line; 0: all alike */
    bool real;
    double sign, re, im; /* sign: of the array's imaginary parts */
} across_weights;
CPU_DECLARE(void, across_gather_weighed, void *cells, const line_memory *in, int64_t first, int64_t count,
            int64_t lines, const across_weights *w, bool swap, bool ahead);
CPU_DECLARE(void, across_scatter_weighed, const line_memory *out, const void *cells, int64_t first,
            int64_t count, int64_t lines, double factor, const across_weights *w, bool swap, bool ahead);
CPU_DECLARE(void, across_lines, const across *a, const line_job *job, void *work);
CPU_DECLARE(void *, across_cells_run, const across *a, void *data, void *work, int inverse);

#endif
