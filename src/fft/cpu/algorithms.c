/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of algorithms for lines. */
#include "fft/cpu/line/algorithms.h"

const line_algorithm *const line_algorithms[LINE_MOST_ALGORITHMS] = {
    &simd_batch_algorithm,  &simd_single_algorithm, &any_batch_algorithm,   &real_batch_algorithm,
    &sums_single_algorithm, &any_single_algorithm,  &real_single_algorithm, &real_codelet_algorithm,
#ifdef ARGAND_HAVE_FFTW
    &fftw_algorithm,
#endif
};
