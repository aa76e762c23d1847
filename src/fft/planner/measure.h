/* SPDX-License-Identifier: BSD-3-Clause */
/* What candidates are measured with. */
#ifndef FFT_PLANNER_MEASURE_H
#define FFT_PLANNER_MEASURE_H

#include "fft/access/access.h"

/* measure.c: random values, which repeat after a prime number of elements, so that hardly two lines are the
 * same. The array is all of its memory. */
argand_status measure_fill(argand_array *memory);

/* ---- measure_access.c: of plans with accessors ---- */

/* Arrays for its accessors, like those of the plan but with values in them, as the plan's own may have none
 * yet. A function of the user's own keeps its array. */
typedef struct access_trial {
    argand_fft_access chains;
    argand_array *memory[3][ARGAND_MAX_ACCESSORS], *array[3][ARGAND_MAX_ACCESSORS];
} access_trial;
/* Whether there are such: calls forward are measured, which is not where the plan's arrays are those of calls
 * back alone. */
bool access_trial_can(const fft_problem *problem);
argand_status access_trial_begin(access_trial *t, const fft_problem *problem, argand_device *device);
void access_trial_end(access_trial *t);

/* Memory for what calls forward read or write, and an array in it with the plan's strides. */
/* What a layout of a plan with accessors reaches, in elements of that type */
void access_trial_reach(extent *e, argand_type *type, const fft_problem *problem, bool is_output);
argand_status access_trial_array(argand_array **memory, argand_array **array, const fft_problem *problem,
                                 argand_device *device, bool is_output);

/* How far results are from those kept, and their norm; `kept` NULL: only the norm. Of storage types the first
 * elements, on the host, where only what is finite counts. */
argand_status access_trial_distance(double *distance, double *norm, const argand_array *kept,
                                    const argand_array *result);
/* By how much rounding to its type may change a result of that norm. */
double access_trial_rounding(const argand_array *result, double norm);

#endif
