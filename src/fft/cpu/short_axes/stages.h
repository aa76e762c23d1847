/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of short_axes.c, compiled for each precision and instruction set. */
#ifndef FFT_CPU_SHORT_AXES_STAGES_H
#define FFT_CPU_SHORT_AXES_STAGES_H

#include "base/cpu.h"
#include <stdbool.h>
#include <stdint.h>

enum { SHORT_AXES_MOST = 16 /* points of an axis */ };

/* What a stage reads: pairs, reals, or the first half of spectra of reals. */
typedef enum short_axes_source { FROM_PAIRS, FROM_REALS, FROM_HALVES } short_axes_source;
/* What it writes: rows of whole vectors for the next stage, pairs, the first halves of spectra, or reals. */
typedef enum short_axes_sink { TO_CELLS, TO_PAIRS, TO_HALVES, TO_REALS } short_axes_sink;

/* `radix` points with a stride of `step` numbers, of groups * columns lines: those of a group are neighbours,
 * `pitch` is the stride of groups. Column c of group g becomes row g columns + c of the output. row: the
 * stride of rows of reals. cells: the input is that of TO_CELLS, whose vectors may be read past the columns.
 * Real and imaginary parts are exchanged at an end where it says so; factor: of the output. */
typedef struct short_axes_stage {
    int64_t step, groups, pitch, columns, row;
    short_axes_source from;
    short_axes_sink to;
    bool cells, exchange_in, exchange_out;
} short_axes_stage;

typedef void short_axes_run_stage(void *out, const void *in, const short_axes_stage *stage, double factor);
typedef struct short_axes_stages {
    int64_t points; /* of a vector */
    short_axes_run_stage *run[SHORT_AXES_MOST + 1];
} short_axes_stages;

/* NULL: the processor has no such vectors */
CPU_DECLARE(const short_axes_stages *, short_axes_stages_for, void);

#endif
