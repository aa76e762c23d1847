/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_FFT_COLD_H
#define CLI_FFT_COLD_H

#include "fft/transform.h"

/* Compiles the kernels with which FFTs and NUFFTs of any size begin, by several threads. The device rehearses
 * them (ARGAND_REHEARSE=first). *plans: how many were made. */
argand_status cold_kernels(int *plans, argand_device *device, int threads, report *out);

#endif
