/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the distance between neighbouring positions of a trajectory: large distances reveal a wrong
 * unit. */
#include <math.h>
#include "io/pack/pack.h"

static const double COARSE = 1.3, SMOOTH = 0.3;

/* Returns the length of the step from position `at` along an axis. *turn: length of the difference to the
 * next step. */
static double step_of(const pack_array *t, int64_t at, int64_t stride, double *turn)
{
    double length = 0, change = 0;
    for (int64_t d = 0; d < t->length[AXIS_K]; d++) {
        const float *k = t->numbers + at + d * t->stride[AXIS_K];
        const double step = (double)k[stride] - (double)k[0],
                     next = (double)k[2 * stride] - (double)k[stride];
        length += step * step;
        change += (next - step) * (next - step);
    }
    *turn = sqrt(change);
    return sqrt(length);
}

bool pack_is_coarse(const pack_array *t, pack_axis axis)
{
    const int64_t n = t->length[axis], stride = t->stride[axis], of_k = t->stride[AXIS_K];
    int64_t all = 1, steps = 0, coarse = 0;
    for (int i = 0; i < t->rank; i++) all *= t->dims[i];
    for (int64_t at = 0; at < all && n > 2; at++) {
        double turn;
        if (at / stride % n > n - 3 || at / of_k % t->length[AXIS_K]) continue;
        const double step = step_of(t, at, stride, &turn);
        steps++;
        coarse += step > COARSE && (axis != AXIS_SAMPLE || turn < SMOOTH * step);
    }
    return n <= 2 || 2 * coarse > steps;
}
