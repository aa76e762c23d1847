/* SPDX-License-Identifier: BSD-3-Clause */
/* Included once for each precision, with REAL, FFTW(name) (fftw_name or fftwf_name) and CALLS (the table)
 * set. */
#include "fft/cpu/fftw/calls.h"

#include <fftw3.h>

static void *plan(line_kind kind, int64_t n, int64_t howmany, int64_t in_pitch, int64_t out_pitch, void *in,
                  void *out, int inverse, unsigned flags)
{
    const FFTW(iodim64) axis = {n, 1, 1}, lines = {howmany, in_pitch, out_pitch};
    if (kind == LINE_COMPLEX)
        return FFTW(plan_guru64_dft)(1, &axis, 1, &lines, in, out, inverse ? FFTW_BACKWARD : FFTW_FORWARD,
                                     flags);
    return inverse ? FFTW(plan_guru64_dft_c2r)(1, &axis, 1, &lines, in, out, flags)
                   : FFTW(plan_guru64_dft_r2c)(1, &axis, 1, &lines, in, out, flags);
}

static void execute(void *p, line_kind kind, void *in, void *out, int inverse)
{
    if (kind == LINE_COMPLEX)
        FFTW(execute_dft)(p, in, out);
    else if (inverse)
        FFTW(execute_dft_c2r)(p, in, out);
    else
        FFTW(execute_dft_r2c)(p, in, out);
}

static void destroy(void *p)
{
    FFTW(destroy_plan)(p);
}

const fftw_calls CALLS = {.plan = plan, .execute = execute, .destroy = destroy};
