/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the options of a transform into its problem. */
#ifndef FFT_PLAN_OPTIONS_H
#define FFT_PLAN_OPTIONS_H

#include "fft/problem/problem.h"

argand_status problem_make(fft_problem *problem, const argand_fft_options *options);
/* Returns ARGAND_MEMORY if one transform exceeds the device's memory, before anything is made for it. */
argand_status problem_check_memory(const fft_problem *problem, argand_device *device);
void fft_problem_release(fft_problem *problem);

#endif
