/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines whose samples contradict their directions: the image of a line along the readout is about that of
 * the line that was read next, but its mirror image if one of them was read backwards and nothing says so.
 * Means of |image|^2 times exp(-2 pi i x j / n) are correlations of samples at a distance of j, which neither
 * an echo shift nor a phase changes; mirroring negates their imaginary parts. Those of a symmetric object
 * have any sign, but then a line is no more like the next one but one than like the next. */
#include "recon/epi/epi.h"

#include <math.h>

enum { LAGS = 4, MOST_PAIRS = 256 };

/* Imaginary part of the correlation of a channel's samples at a distance. */
static double odd_part(const float *samples, int64_t count, int64_t lag)
{
    double sum = 0;
    for (int64_t i = 0; i + lag < count; i++) {
        const float *a = samples + 2 * i, *b = samples + 2 * (i + lag);
        sum += (double)b[1] * (double)a[0] - (double)b[0] * (double)a[1];
    }
    return sum;
}

static bool are_alike(const argand_acquisition *a, const argand_acquisition *b, int distance)
{
    return b->row == a->row + distance && a->encoding == b->encoding && a->samples == b->samples &&
           a->channels == b->channels && a->counters.slice == b->counters.slice && line_order(a) > 0 &&
           line_order(b) > 0;
}

/* Returns how alike two lines are: 1 alike, -1 mirror images. */
static double likeness_of(const argand_acquisition *a, const argand_acquisition *b)
{
    double sum = 0, most = 0;
    for (int64_t c = 0; c < a->channels; c++)
        for (int64_t lag = 1; lag <= LAGS && lag < a->samples; lag++) {
            const double x = odd_part(a->data + 2 * c * a->samples, a->samples, lag),
                         y = odd_part(b->data + 2 * c * b->samples, b->samples, lag);
            sum += x * y;
            most += fabs(x * y);
        }
    return most > 0 ? sum / most : 0;
}

double lines_likeness(const argand_scan *scan, int encoding, int distance, int64_t *pairs)
{
    double sum = 0;
    *pairs = 0;
    for (int64_t i = distance; i < scan->acquisition_count && *pairs < MOST_PAIRS; i++) {
        const argand_acquisition *b = &scan->acquisitions[i], *a = b - distance;
        if (a->encoding != encoding || !are_alike(a, b, distance)) continue;
        ++*pairs;
        sum += likeness_of(a, b);
    }
    return *pairs ? sum / (double)*pairs : 0;
}
