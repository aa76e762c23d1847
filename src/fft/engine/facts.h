/* SPDX-License-Identifier: BSD-3-Clause */
/* What engines say of their passes (fft_engine.passes), computed from the problem. */
#ifndef FFT_ENGINE_FACTS_H
#define FFT_ENGINE_FACTS_H

#include "fft/engine/engine.h"

/* The next entry of the list, with these parameters; the last one again where it is full. */
argand_fft_pass *facts_add(fft_passes *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A pass along an axis: its lines, bytes, segments and operations (half as many for real lines).
 * neighbours: lines that are moved together where the axis is strided. Axis 0 of a real problem makes reals
 * into half a spectrum, or back; the other axes' lines are complex. from_input, to_output: whether it reads
 * the call's input, writes its output; the other layout is work memory, or the output in place. */
void facts_axis(argand_fft_pass *pass, const fft_problem *p, int axis, argand_direction direction,
                int64_t neighbours, bool from_input, bool to_output);

/* Of the call's input or output: bytes of all, and of an element. */
int64_t facts_bytes(const fft_problem *p, bool output, argand_direction direction);
int64_t facts_element(const fft_problem *p, bool output, argand_direction direction);

/* Floating point operations of a line: 5 n log2 n, and more for the primes from 7 on. */
double facts_operations(int64_t n);

/* "4x16x16" of a list of radices. */
void facts_radices(argand_fft_pass *pass, const int *radices, int count);

#endif
