/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of the library's own operators and solvers, whose results have the same bits in every run, and plans
 * that no compiler delays. */
#ifndef FFT_PLAN_WAITING_H
#define FFT_PLAN_WAITING_H

#include <argand/fft.h>

/* Does as argand_fft_create with wait_for_kernels. */
argand_status fft_create_waiting(argand_fft **plan, argand_device *device, const argand_fft_options *options);
/* Returns true if ARGAND_FFT_WAIT=1 makes all plans wait. */
bool fft_environment_waits(void);
/* Takes an engine that compiles nothing, for good (general, cuFFT). ARGAND_UNSUPPORTED: there is none. */
argand_status fft_create_at_once(argand_fft **plan, argand_device *device, const argand_fft_options *options);

#endif
