/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays and helpers for measuring candidates. */
#ifndef FFT_PLANNER_MEASURE_H
#define FFT_PLANNER_MEASURE_H

#include "fft/access/access.h"

/* measure.c: fills an array, which is all of its memory, with random values. They repeat after a prime
 * number of elements, so that hardly two lines are equal. */
argand_status measure_fill(argand_array *memory);

/* ---- measure_access.c: plans with accessors ---- */

/* Arrays for the accessors of a plan, of the same shapes but with values, because the plan's own may have
 * none yet. A user function keeps its array. */
typedef struct access_trial {
    argand_fft_access chains;
    argand_array *memory[3][ARGAND_MAX_ACCESSORS], *array[3][ARGAND_MAX_ACCESSORS];
} access_trial;
/* Returns true if such arrays can be made. Forward calls are measured, which is not possible if the plan's
 * arrays only suit inverse calls. */
bool access_trial_can(const fft_problem *problem);
argand_status access_trial_begin(access_trial *t, const fft_problem *problem, argand_device *device);
void access_trial_end(access_trial *t);

/* access_trial_reach sets the extent of the input or output of a plan with accessors, in elements of that
 * type. access_trial_array makes memory for the input or output of forward calls, and an array in it with
 * the plan's strides. */
void access_trial_reach(extent *e, argand_type *type, const fft_problem *problem, bool is_output);
argand_status access_trial_array(argand_array **memory, argand_array **array, const fft_problem *problem,
                                 argand_device *device, bool is_output);

/* Computes the distance of results from those kept, and their norm; `kept` NULL: only the norm. For
 * storage types, compares the first elements, on the host, and only finite ones. */
argand_status access_trial_distance(double *distance, double *norm, const argand_array *kept,
                                    const argand_array *result);
/* Returns how much rounding to its type may change a result of that norm. */
double access_trial_rounding(const argand_array *result, double norm);

#endif
