/* SPDX-License-Identifier: BSD-3-Clause */
/* Helps engines to describe their passes (fft_engine.passes), from the problem. */
#ifndef FFT_ENGINE_FACTS_H
#define FFT_ENGINE_FACTS_H

#include "fft/engine/engine.h"

/* Returns the next entry of the list, with these parameters; if the list is full, the last one again. */
argand_fft_pass *facts_add(fft_passes *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Describes a pass along an axis: lines, bytes, segments and operations (half as many for real lines).
 * neighbours: lines that are moved together if the axis is strided. Axis 0 of a real problem turns reals
 * into half a spectrum, or back; lines of the other axes are complex. from_input, to_output: the pass
 * reads the call's input, writes its output; otherwise it uses work memory, or the output in place. */
void facts_axis(argand_fft_pass *pass, const fft_problem *p, int axis, argand_direction direction,
                int64_t neighbours, bool from_input, bool to_output);

/* Return the bytes of the call's input or output, and of one element. */
int64_t facts_bytes(const fft_problem *p, bool output, argand_direction direction);
int64_t facts_element(const fft_problem *p, bool output, argand_direction direction);

/* Returns the floating-point operations of a line: 5 n log2 n, and more for primes from 7 on. */
double facts_operations(int64_t n);

/* Writes a list of radices as "4x16x16". */
void facts_radices(argand_fft_pass *pass, const int *radices, int count);

#endif
