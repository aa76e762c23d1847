/* SPDX-License-Identifier: BSD-3-Clause */
/* The Gram matrix of all patches of the calibration region. The calibration matrix is block-Hankel: for two
 * taps p and p + delta, the sum over patches is the sum of one product image x_c(s) conj(x_d(s - delta))
 * over a block that slides with p. Each product is therefore formed once for all pairs of taps at distance
 * delta, not once for each pair. */
#include "calib/patches.h"

#include "base/observe.h"
#include <string.h>

/* Sliding block sums of a product image of one lag on `region`. Positions of the first element (p) and the
 * second (p - delta) are both in 0..places-1; the block has region - places + 1 elements. */
typedef struct sliding {
    int64_t region[3], places[3], lag[3];
} sliding;

static int64_t lowest(const sliding *s, int axis)
{
    return s->lag[axis] > 0 ? s->lag[axis] : 0;
}

static int64_t past(const sliding *s, int axis)
{
    return s->lag[axis] < 0 ? s->places[axis] + s->lag[axis] : s->places[axis];
}

/* Sums along one axis: out[p] = sum of in[p .. p + box), for p in [from, to), over lines of `inner` complex
 * numbers; `outer` blocks of `n` lines in both arrays. */
static void slide(const double *in, double *out, int64_t inner, int64_t n, int64_t outer, int64_t from,
                  int64_t to, int64_t box)
{
    const int64_t count = 2 * (to - from) * inner;
    for (int64_t o = 0; o < outer; o++) {
        const double *first = in + 2 * (o * n + from) * inner;
        double *restrict sums = out + 2 * (o * n + from) * inner;
        memcpy(sums, first, (size_t)count * sizeof *sums);
        for (int64_t b = 1; b < box; b++) {
            const double *restrict add = first + 2 * b * inner;
            for (int64_t i = 0; i < count; i++) sums[i] += add[i];
        }
    }
}

/* Sums along all three axes; the result is at region index p. a: the product image, which is overwritten; b:
 * memory of the same size. Returns the one that holds the result. */
static double *box_sums(const sliding *s, double *a, double *b)
{
    const int64_t *n = s->region;
    int64_t inner = 1, outer = n[1] * n[2];
    for (int axis = 0; axis < 3; axis++) {
        if (s->places[axis] < n[axis]) {
            slide(a, b, inner, n[axis], outer, lowest(s, axis), past(s, axis), n[axis] - s->places[axis] + 1);
            double *const swap = a;
            a = b;
            b = swap;
        }
        inner *= n[axis];
        outer = axis < 2 ? outer / n[axis + 1] : 1;
    }
    return a;
}

/* Computes product(s) = x(s) conj(y(s - lag)) where both exist, or adds it if `add`. */
static void multiply(const sliding *s, const double *x, const double *y, double *product, bool add)
{
    const int64_t *n = s->region, shift = (s->lag[2] * n[1] + s->lag[1]) * n[0] + s->lag[0];
    if (!add) memset(product, 0, (size_t)(2 * n[0] * n[1] * n[2]) * sizeof *product);
    int64_t from[3], to[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = s->lag[axis] > 0 ? s->lag[axis] : 0;
        to[axis] = s->lag[axis] < 0 ? n[axis] + s->lag[axis] : n[axis];
    }
    for (int64_t k = from[2]; k < to[2]; k++)
        for (int64_t j = from[1]; j < to[1]; j++)
            for (int64_t i = (k * n[1] + j) * n[0] + from[0], end = i - from[0] + to[0]; i < end; i++) {
                const double xr = x[2 * i], xi = x[2 * i + 1], yr = y[2 * (i - shift)],
                             yi = y[2 * (i - shift) + 1];
                product[2 * i] += xr * yr + xi * yi;
                product[2 * i + 1] += xi * yr - xr * yi;
            }
}

/* Sets element (row0 + p, column0 + p - lag) to the sum at p, for all p, and the mirrored element to its
 * conjugate. */
static void put(const sliding *s, const double *sums, hermitian_planes gram, int64_t size, int64_t row0,
                int64_t column0)
{
    const int64_t *n = s->region, *m = s->places, back = (s->lag[2] * m[1] + s->lag[1]) * m[0] + s->lag[0];
    for (int64_t k = lowest(s, 2); k < past(s, 2); k++)
        for (int64_t j = lowest(s, 1); j < past(s, 1); j++)
            for (int64_t i = lowest(s, 0); i < past(s, 0); i++) {
                const int64_t place = (k * m[1] + j) * m[0] + i, from = (k * n[1] + j) * n[0] + i;
                const int64_t row = row0 + place, column = column0 + place - back;
                gram.re[row * size + column] = sums[2 * from];
                gram.im[row * size + column] = sums[2 * from + 1];
                gram.re[column * size + row] = sums[2 * from];
                gram.im[column * size + row] = -sums[2 * from + 1];
            }
}

/* Sets the lag with index `lag` among all (2 places - 1)^3. */
static void set_lag(sliding *s, int64_t lag)
{
    for (int axis = 0; axis < 3; axis++) {
        const int64_t span = 2 * s->places[axis] - 1;
        s->lag[axis] = lag % span - (s->places[axis] - 1);
        lag /= span;
    }
}

static int64_t lag_count(const sliding *s)
{
    return (2 * s->places[0] - 1) * (2 * s->places[1] - 1) * (2 * s->places[2] - 1);
}

/* Compute one pair of coils (all lags), or one lag (all coils). */
static void taps_of_pair(const patch_set *t, hermitian_planes gram, int64_t c, int64_t d, double *scratch)
{
    sliding s = {.region = {t->region[0], t->region[1], t->region[2]},
                 .places = {t->kernel[0], t->kernel[1], t->kernel[2]}};
    const int64_t elements = t->region[0] * t->region[1] * t->region[2];
    const int64_t taps = t->kernel[0] * t->kernel[1] * t->kernel[2];
    for (int64_t lag = 0; lag < lag_count(&s); lag++) {
        set_lag(&s, lag);
        multiply(&s, t->data + 2 * c * elements, t->data + 2 * d * elements, scratch, false);
        put(&s, box_sums(&s, scratch, scratch + 2 * elements), gram, taps * t->coils, c * taps, d * taps);
    }
}

static void patches_of_lag(const patch_set *t, hermitian_planes gram, int64_t lag, double *scratch)
{
    sliding s = {.region = {t->region[0], t->region[1], t->region[2]}};
    const int64_t elements = t->region[0] * t->region[1] * t->region[2];
    for (int axis = 0; axis < 3; axis++) s.places[axis] = t->region[axis] - t->kernel[axis] + 1;
    set_lag(&s, lag);
    for (int64_t c = 0; c < t->coils; c++)
        multiply(&s, t->data + 2 * c * elements, t->data + 2 * c * elements, scratch, c > 0);
    put(&s, box_sums(&s, scratch, scratch + 2 * elements), gram, patches_count(t), 0, 0);
}

bool patches_by_taps(const patch_set *t)
{
    return t->kernel[0] * t->kernel[1] * t->kernel[2] * t->coils <= patches_count(t);
}

int64_t patches_count(const patch_set *t)
{
    int64_t count = 1;
    for (int axis = 0; axis < 3; axis++) count *= t->region[axis] - t->kernel[axis] + 1;
    return count;
}

argand_status patches_gram(const patch_set *t, bool by_taps, hermitian_planes gram)
{
    const int64_t elements = t->region[0] * t->region[1] * t->region[2];
    sliding s = {.places = {t->region[0] - t->kernel[0] + 1, t->region[1] - t->kernel[1] + 1,
                            t->region[2] - t->kernel[2] + 1}};
    /* the other half of the lags are mirror images */
    const int64_t jobs = by_taps ? t->coils * (t->coils + 1) / 2 : lag_count(&s) / 2 + 1;
    const int workers = t->threads < jobs ? t->threads : (int)jobs;
    atomic_bool cancelled = false;
    double *scratch;
    TRY(NEW(scratch, workers * 4 * elements));
#pragma omp parallel for schedule(static) num_threads(workers)
    for (int worker = 0; worker < workers; worker++)
        for (int64_t job = worker; job < jobs && !observe_within(&cancelled); job += workers) {
            double *const own = scratch + worker * 4 * elements;
            int64_t c = 0;
            while (by_taps && (c + 1) * (c + 2) / 2 <= job) c++;
            if (by_taps)
                taps_of_pair(t, gram, c, job - c * (c + 1) / 2, own);
            else
                patches_of_lag(t, gram, job, own);
        }
    memory_free(scratch);
    return observe_end(&cancelled);
}
