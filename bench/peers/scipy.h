/* SPDX-License-Identifier: BSD-3-Clause */
/* SciPy's fftconvolve and oaconvolve and OpenCV's filter2D as peers of `argand bench bloom` on processors,
 * called through Python: zeros outside the image, results of the image's size, single precision. */
#ifndef CLI_SCIPY_PEER_H
#define CLI_SCIPY_PEER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct scipy_job {
    const int64_t *n, *kernel; /* two numbers each */
    int channels, threads, repeat;
} scipy_job;

enum { SCIPY_FFT, SCIPY_OVERLAP_ADD, OPENCV_FILTER, SCIPY_PEERS };

/* Result of one method. seconds: 0 if it is not installed. error: at 16 places, against sums in double. */
typedef struct scipy_result {
    char name[32], version[32];
    double seconds, error;
} scipy_result;

/* Returns false if python3 or numpy is not installed, or if the run failed. */
bool scipy_measure(const scipy_job *job, scipy_result result[SCIPY_PEERS]);

#endif
