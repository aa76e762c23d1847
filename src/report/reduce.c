/* SPDX-License-Identifier: BSD-3-Clause */
/* Averages an image down to a size that fits a page. */
#include "report/reduce.h"

#include "base/memory.h"

/* An axis is not reduced below this length while another axis exceeds its own. */
static const double good_lengths[3] = {160, 24, 8}; /* longer side of a slice; slices; volumes */

static double excess(const reduction *r, int axis)
{
    const int64_t longer = r->n[0] > r->n[1] ? r->n[0] : r->n[1];
    const int64_t length = axis ? r->n[axis + 1] : longer;
    return length > 1 ? (double)length / good_lengths[axis] : 0;
}

static void halve(reduction *r, int axis)
{
    if (r->n[axis] == 1) return;
    r->step[axis] *= 2;
    r->n[axis] = (r->from[axis] + r->step[axis] - 1) / r->step[axis];
}

void reduction_choose(reduction *r, const int64_t from[4], int64_t limit)
{
    for (int axis = 0; axis < 4; axis++) r->from[axis] = r->n[axis] = from[axis], r->step[axis] = 1;
    while ((double)r->n[0] * (double)r->n[1] * (double)r->n[2] * (double)r->n[3] > (double)limit) {
        int axis = 0;
        for (int other = 1; other < 3; other++)
            if (excess(r, other) > excess(r, axis)) axis = other;
        if (excess(r, axis) == 0) return;
        halve(r, axis ? axis + 1 : 0);
        if (!axis) halve(r, 1);
    }
}

bool reduction_is_whole(const reduction *r)
{
    return r->step[0] == 1 && r->step[1] == 1 && r->step[2] == 1 && r->step[3] == 1;
}

static int64_t end_of(const reduction *r, int axis, int64_t first)
{
    return first + r->step[axis] < r->from[axis] ? first + r->step[axis] : r->from[axis];
}

/* Returns the mean of one part of the block of pixels behind a reduced pixel; blocks at the edge are
 * smaller. */
static float block_mean(const reduction *r, const reduction_pixels *from, const int64_t at[4], int part)
{
    const int64_t x = at[0] * r->step[0], x_end = end_of(r, 0, x), y = at[1] * r->step[1],
                  y_end = end_of(r, 1, y), slice = at[2] * r->step[2] + r->from[2] * at[3] * r->step[3];
    double sum = 0;
    for (int64_t j = y; j < y_end; j++)
        for (int64_t i = x; i < x_end; i++) {
            const int64_t k = from->parts * (i + r->from[0] * (j + r->from[1] * slice)) + part;
            sum += from->doubles ? ((const double *)from->numbers)[k]
                                 : (double)((const float *)from->numbers)[k];
        }
    return (float)(sum / (double)((x_end - x) * (y_end - y)));
}

argand_status reduction_apply(const reduction *r, const reduction_pixels *from, float **out)
{
    const int64_t pixels = r->n[0] * r->n[1] * r->n[2] * r->n[3];
    TRY(NEW(*out, pixels * from->parts));
    for (int64_t i = 0; i < pixels; i++) {
        const int64_t at[4] = {i % r->n[0], i / r->n[0] % r->n[1], i / r->n[0] / r->n[1] % r->n[2],
                               i / r->n[0] / r->n[1] / r->n[2]};
        for (int part = 0; part < from->parts; part++)
            (*out)[i * from->parts + part] = block_mean(r, from, at, part);
    }
    return ARGAND_OK;
}
