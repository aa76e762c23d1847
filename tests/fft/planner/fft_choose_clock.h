/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock that fft_choose.c measures by: it goes forward only where a stub of an engine says so. */
#ifndef TEST_FFT_CHOOSE_CLOCK_H
#define TEST_FFT_CHOOSE_CLOCK_H

#include "base/clock.h"

extern double test_now; /* seconds */

static inline double test_clock_seconds(void)
{
    return test_now;
}

#endif
