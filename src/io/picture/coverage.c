/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes coverage. Each edge adds the change of coverage to the pixels that it crosses. The sum along a
 * row from the left then is the coverage of each pixel. (FreeType's smooth rasteriser does the same with
 * integers.) */
#include "io/picture/coverage.h"

#include <math.h>
#include <stdbool.h>
#include "base/memory.h"

argand_status coverage_new(coverage *c, int width, int height)
{
    *c = (coverage){.width = width, .height = height};
    return NEW(c->cells, memory_product((size_t)width + 2, (size_t)height));
}

void coverage_free(coverage *c)
{
    memory_free(c->cells);
    *c = (coverage){0};
}

/* Adds an edge within one row, from x = start to x = end. rise: height of the edge, negative if it runs
 * up. */
static void add_within_row(coverage *c, int row, double start, double end, double rise)
{
    float *cells = c->cells + (size_t)row * ((size_t)c->width + 2);
    const double left = fmin(c->width, fmax(0, fmin(start, end))),
                 right = fmin(c->width, fmax(0, fmax(start, end)));
    int column = (int)left;
    do {
        const double from = fmax(left, column), to = fmin(right, column + 1);
        const double share = right > left ? rise * (to - from) / (right - left) : rise;
        const double inside = (from + to) / 2 - column; /* fraction of the pixel to the left of the edge */
        cells[column] += (float)(share * (1 - inside));
        cells[column + 1] += (float)(share * inside);
    } while (++column < right);
}

void coverage_edge(coverage *c, const double from[2], const double to[2])
{
    if (from[1] == to[1]) return;
    const bool down = from[1] < to[1];
    const double *upper = down ? from : to, *lower = down ? to : from;
    const double slope = (lower[0] - upper[0]) / (lower[1] - upper[1]);
    for (int row = (int)fmax(0, floor(upper[1])); row < c->height && row < lower[1]; row++) {
        const double top = fmax(row, upper[1]), bottom = fmin(row + 1, lower[1]);
        const double rise = down ? bottom - top : top - bottom;
        add_within_row(c, row, upper[0] + slope * (top - upper[1]), upper[0] + slope * (bottom - upper[1]),
                       rise);
    }
}
