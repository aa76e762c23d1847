/* SPDX-License-Identifier: BSD-3-Clause */
/* Trigonometric polynomials in real waves. A pair of lags, s exp(i a) + t exp(-i a), is (s + t) cos(a) + i
 * (s - t) sin(a): half of the multiplications. */
#include "calib/espirit/espirit.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/pi.h"

static int64_t terms_of(int64_t lags)
{
    return 2 * (lags / 2) + 1;
}

void espirit_waves(int64_t terms, double r, double *waves)
{
    waves[0] = 1;
    for (int64_t f = 1; 2 * f < terms; f++) {
        waves[2 * f - 1] = cos(TWO_PI * (double)f * r);
        waves[2 * f] = sin(TWO_PI * (double)f * r);
    }
}

/* Makes the terms along one axis: complex {inner, lags, outer} to {inner, terms, outer}. */
static void change_axis(const double *in, double *out, int64_t inner, int64_t lags, int64_t outer)
{
    const int64_t line = 2 * inner, middle = lags / 2;
    for (int64_t o = 0; o < outer; o++, in += lags * line, out += terms_of(lags) * line)
        for (int64_t f = 0; f <= middle; f++)
            for (int64_t i = 0; i < line; i += 2) {
                const double *less = in + (middle - f) * line + i, *more = in + (middle + f) * line + i;
                const bool there = middle + f < lags && f > 0; /* of an even number the last has no partner */
                const double re = there ? more[0] : 0, im = there ? more[1] : 0;
                double *even = out + (f > 0 ? 2 * f - 1 : 0) * line + i, *odd = even + line;
                even[0] = less[0] + re;
                even[1] = less[1] + im;
                if (f == 0) continue;
                odd[0] = less[1] - im;
                odd[1] = re - less[0];
            }
}

argand_status espirit_polynomials_make(espirit_polynomials *p, const double *sums, const int64_t lags[3],
                                       int64_t items)
{
    double *a = NULL, *b = NULL;
    argand_status status;
    for (int axis = 0; axis < 3; axis++) p->terms[axis] = terms_of(lags[axis]);
    p->items = items;
    const int64_t *n = p->terms, all = n[0] * n[1] * n[2] * items;
    TRY_OR_DONE(NEW(a, 2 * all));
    TRY_OR_DONE(NEW(b, 2 * all));
    TRY_OR_DONE(NEW(p->coefficients, 2 * all));
    change_axis(sums, a, 1, lags[0], lags[1] * lags[2] * items);
    change_axis(a, b, n[0], lags[1], lags[2] * items);
    change_axis(b, a, n[0] * n[1], lags[2], items);
    for (int64_t item = 0; item < items; item++)
        for (int64_t line = 0; line < n[1] * n[2]; line++)
            memcpy(p->coefficients + 2 * (line * items + item) * n[0],
                   a + 2 * (item * n[1] * n[2] + line) * n[0], (size_t)(2 * n[0]) * sizeof *a);
done:
    memory_free(b);
    memory_free(a);
    return status;
}
