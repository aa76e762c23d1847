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

/* Returns the mean of a block of pixels that begins at (x, y); blocks at the edge may be smaller. */
static float block_mean(const reduction *r, const void *numbers, bool doubles, int parts, int64_t slice,
                        int64_t x, int64_t y, int part)
{
    const int64_t x_end = x + r->step[0] < r->from[0] ? x + r->step[0] : r->from[0];
    const int64_t y_end = y + r->step[1] < r->from[1] ? y + r->step[1] : r->from[1];
    double sum = 0;
    for (int64_t j = y; j < y_end; j++)
        for (int64_t i = x; i < x_end; i++) {
            const int64_t at = parts * (i + r->from[0] * (j + r->from[1] * slice)) + part;
            sum += doubles ? ((const double *)numbers)[at] : (double)((const float *)numbers)[at];
        }
    return (float)(sum / (double)((x_end - x) * (y_end - y)));
}

argand_status reduction_apply(const reduction *r, const void *numbers, bool doubles, int parts, float **out)
{
    TRY(NEW(*out, r->n[0] * r->n[1] * r->n[2] * r->n[3] * parts));
    float *to = *out;
    for (int64_t volume = 0; volume < r->n[3]; volume++)
        for (int64_t slice = 0; slice < r->n[2]; slice++) {
            const int64_t tile = slice * r->step[2] + r->from[2] * volume * r->step[3];
            for (int64_t y = 0; y < r->n[1]; y++)
                for (int64_t x = 0; x < r->n[0]; x++)
                    for (int part = 0; part < parts; part++)
                        *to++ = block_mean(r, numbers, doubles, parts, tile, x * r->step[0], y * r->step[1],
                                           part);
        }
    return ARGAND_OK;
}
