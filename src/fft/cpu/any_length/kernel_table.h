/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that are compiled for each precision and instruction set, as one table; and functions that
 * complex and real batches share. */
#ifndef FFT_CPU_ANY_LENGTH_KERNEL_TABLE_H
#define FFT_CPU_ANY_LENGTH_KERNEL_TABLE_H

#include "fft/cpu/line/line.h"
#include "fft/cpu/any_length/any_length.h"
#include "fft/cpu/any_length/move.h"

typedef struct any_length_kernels {
    void (*load)(void *cells, const int32_t *place, const any_length_layout *layout, int64_t first,
                 int64_t count, bool exchange);
    void (*store)(const any_length_layout *layout, const void *cells, const int32_t *place, int64_t first,
                  int64_t count, bool exchange, double factor);
    void (*run)(const any_length_tree *tree, void *cells, void *work);
    void (*unpack_even)(void *cells, const int32_t *place, int64_t n, const void *twiddles);
    void (*pack_even)(void *cells, const int32_t *place, int64_t n, const void *twiddles);
    void (*spread_odd)(void *cells, const int32_t *place, int64_t n);
} any_length_kernels;

/* Returns the kernels for the processor at hand. */
const any_length_kernels *any_length_kernels_for(bool is_double);
/* Lines in a cell there, and bytes of a cell. */
int64_t any_length_lanes(bool is_double);
size_t any_length_cell_bytes(bool is_double);

/* `lines` lines from line `first` on of a complex layout. */
any_length_layout any_length_complex_layout(const line_job *job, bool is_output, bool is_double,
                                            int64_t first, int64_t lines);

/* How many lanes' worth of lines make a block: short lines go several cells' worth at a time. */
int64_t any_length_groups(int64_t n);
/* Predicted nanoseconds for one of `lines` lines whose cells are `cells` and cost that much altogether.
 * moved: cells that are both read and written, of complex lines all. */
double any_length_time(double cost, int64_t cells, double moved, int64_t lines, bool is_double);

#endif
