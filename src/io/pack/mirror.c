/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what tells slices, repetitions and scattered samples from the axes of a Cartesian k-space:
 * symmetry about the centre, samples that repeat, and energy in few samples. */
#include <math.h>
#include "base/memory.h"
#include "io/pack/pack.h"

enum { MOST_PAIRS = 400000, LEAST_PAIRS = 60 };

static int64_t stride_of(const pack_array *a, int axis)
{
    int64_t stride = 1;
    for (int i = 0; i < axis; i++) stride *= a->dims[i];
    return stride;
}

static int64_t count_of(const pack_array *a)
{
    return stride_of(a, a->rank);
}

/* Returns the step between the samples that are looked at. It has no divisor in common with an axis, so that
 * they meet all indices of all axes. */
static int64_t step_of(const pack_array *a, int64_t count)
{
    int64_t step = count / MOST_PAIRS | 1;
    for (int i = 0; i < a->rank; i++) {
        int64_t divisor = step, rest = a->dims[i];
        while (rest) {
            const int64_t next = divisor % rest;
            divisor = rest, rest = next;
        }
        if (divisor > 1) step += 2, i = -1;
    }
    return step;
}

static double energy_at(const pack_array *a, int64_t element)
{
    const double re = (double)a->numbers[2 * element], im = (double)a->numbers[2 * element + 1];
    return re * re + im * im;
}

/* ---- symmetry */

typedef struct sums {
    double x, y, xx, yy, xy;
    int64_t count;
} sums;

static void add(sums *s, double x, double y)
{
    s->x += x, s->y += y;
    s->xx += x * x, s->yy += y * y, s->xy += x * y;
    s->count++;
}

static double correlation(const sums *s)
{
    const double n = (double)s->count, xx = s->xx - s->x * s->x / n, yy = s->yy - s->y * s->y / n;
    return xx > 0 && yy > 0 ? (s->xy - s->x * s->y / n) / sqrt(xx * yy) : 0;
}

/* Returns the element mirrored about the peak along the first `count` axes of k; -1: it lies outside. */
static int64_t mirrored(const pack_array *a, int64_t element, const int k[3], const int64_t peak[3],
                        int count)
{
    for (int d = 0; d < count; d++) {
        const int64_t stride = stride_of(a, k[d]), at = element / stride % a->dims[k[d]];
        const int64_t to = 2 * peak[d] - at;
        if (to < 0 || to >= a->dims[k[d]]) return -1;
        element += (to - at) * stride;
    }
    return element;
}

static double largest_energy(const pack_array *a, int64_t step)
{
    double most = 0;
    for (int64_t i = 0; i < count_of(a); i += step) most = fmax(most, energy_at(a, i));
    return most;
}

/* The samples that are compared with their mirrors about the peak, along three axes and along two. */
typedef struct symmetry {
    const pack_array *a;
    const int *k;        /* the axes */
    const int64_t *peak; /* along each of them */
    int64_t step;        /* between the samples that are looked at */
    double floor;        /* energy that is added before logarithms are taken */
    double *levels;      /* the mean logarithm of the energy at each index of axis k[2] */
    sums whole, plane;
} symmetry;

static argand_status find_levels(symmetry *s)
{
    const int64_t all = count_of(s->a), n = s->a->dims[s->k[2]], stride = stride_of(s->a, s->k[2]);
    int64_t *counts;
    TRY(NEW(s->levels, n));
    TRY(NEW(counts, n));
    for (int64_t i = 0; i < all; i += s->step) {
        const double energy = energy_at(s->a, i);
        if (energy > 0) s->levels[i / stride % n] += log(energy + s->floor), counts[i / stride % n]++;
    }
    for (int64_t i = 0; i < n; i++)
        if (counts[i]) s->levels[i] /= (double)counts[i];
    memory_free(counts);
    return ARGAND_OK;
}

/* Adds the pairs of samples. Levels along k[2] are subtracted: what counts is the pattern in a plane. */
static void add_pairs(symmetry *s)
{
    const pack_array *a = s->a;
    const int64_t n = a->dims[s->k[2]], stride = stride_of(a, s->k[2]);
    for (int64_t i = 0; i < count_of(a); i += s->step) {
        const int64_t w = mirrored(a, i, s->k, s->peak, 3), p = mirrored(a, i, s->k, s->peak, 2);
        if (w < 0 || p < 0 || w == p) continue;
        const double x = energy_at(a, i), y = energy_at(a, w), z = energy_at(a, p);
        if (!(x > 0 && y > 0 && z > 0)) continue;
        const double own = s->levels[i / stride % n], its = s->levels[w / stride % n];
        add(&s->whole, log(x + s->floor) - own, log(y + s->floor) - its);
        add(&s->plane, log(x + s->floor) - own, log(z + s->floor) - own);
    }
}

argand_status pack_mirror_of(double *difference, const pack_array *a, const int k[3], const int64_t peak[3])
{
    symmetry s = {.a = a, .k = k, .peak = peak, .step = step_of(a, count_of(a))};
    s.floor = 1e-6 * largest_energy(a, s.step);
    *difference = 0;
    const argand_status status = find_levels(&s);
    if (!status) add_pairs(&s);
    memory_free(s.levels);
    if (s.whole.count >= LEAST_PAIRS) *difference = correlation(&s.whole) - correlation(&s.plane);
    return status;
}

/* ---- repetitions */

/* Returns |<x, y>|^2 / (|x|^2 |y|^2) of two indices of an axis. */
static double alike(const pack_array *a, int axis, int64_t x, int64_t y)
{
    const int64_t stride = stride_of(a, axis), n = a->dims[axis], all = count_of(a);
    const int64_t step = step_of(a, all / n);
    double re = 0, im = 0, xx = 0, yy = 0;
    for (int64_t i = 0; i < all / n; i += step) {
        const int64_t first = i / stride * stride * n + i % stride;
        const float *p = a->numbers + 2 * (first + x * stride), *q = a->numbers + 2 * (first + y * stride);
        re += (double)p[0] * (double)q[0] + (double)p[1] * (double)q[1];
        im += (double)p[0] * (double)q[1] - (double)p[1] * (double)q[0];
        xx += energy_at(a, first + x * stride), yy += energy_at(a, first + y * stride);
    }
    return xx > 0 && yy > 0 ? (re * re + im * im) / (xx * yy) : 0;
}

bool pack_is_repeated(const pack_array *a, int axis)
{
    static const double SAME = 0.96;
    for (int64_t i = 1; i < a->dims[axis]; i++)
        if (alike(a, axis, 0, i) < SAME) return false;
    return a->dims[axis] > 1;
}

/* ---- scattered samples */

bool pack_is_concentrated(const pack_array *a)
{
    static const double MOST_OF_NOISE = 10; /* mean of squares over square of the mean; 2 in noise */
    const int64_t all = count_of(a), step = step_of(a, all);
    double sum = 0, squares = 0, count = 0;
    for (int64_t i = 0; i < all; i += step) {
        const double energy = energy_at(a, i);
        if (!(energy > 0)) continue;
        sum += energy, squares += energy * energy, count++;
    }
    return sum > 0 && squares * count > MOST_OF_NOISE * sum * sum;
}
