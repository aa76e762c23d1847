/* SPDX-License-Identifier: BSD-3-Clause */
/* How long candidates take, by a clock of the test's own: the text of fft/measure.c under other names. */
#include "fft_choose_clock.h"

#include "device/device.h"
#include "fft/planner/candidate.h"

double test_now;

static double started, stopped;

static argand_status test_timer_start(argand_timer *timer)
{
    (void)timer;
    started = test_now;
    return ARGAND_OK;
}

static argand_status test_timer_stop(argand_timer *timer)
{
    (void)timer;
    stopped = test_now;
    return ARGAND_OK;
}

static argand_status test_timer_milliseconds(argand_timer *timer, double *milliseconds)
{
    (void)timer;
    *milliseconds = 1e3 * (stopped - started);
    return ARGAND_OK;
}

#define candidate_measure test_candidate_measure
#define reference_release test_reference_release
#define clock_seconds test_clock_seconds
#define argand_timer_start test_timer_start
#define argand_timer_stop test_timer_stop
#define argand_timer_milliseconds test_timer_milliseconds

argand_status test_candidate_measure(double seconds[2], bool *differs, fft_reference *r, fft_candidate *c,
                                     const void *state, const fft_problem *p, argand_device *device);
void test_reference_release(fft_reference *r);
#include "fft/planner/measure.c"
