/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses phases of vectors on a grid so that neighbours differ least: linear least squares with one real
 * unknown per element, by conjugate gradients with the diagonal as preconditioner. A real-valued function
 * has no vortices. But differences of neighbours are known only up to multiples of 2 pi, and wrong
 * multiples are vortices as well. The vectors are therefore first aligned along lines: the middle line of
 * the last axis, from there the middle lines of the axis before, from there all lines of the first axis.
 * The remaining difference between lines is then 0 in the middle and changes little from element to
 * element, so that it can be followed outwards. */
#include "calib/coils/start.h"

#include <math.h>

/* FLOOR: relative weight of elements without signal, which still connect the others. */
static const double FLOOR = 1e-3, ACCURACY = 1e-4;

typedef struct links {
    const int64_t *n;
    int64_t count, coils, middle[3];
    double complex *vectors;
    const double *energy;
    double *weight,
        /* [axis][element]: difference to the next element along the axis; the weight at the end is 0. */
        *phase_step;
    double *diagonal, *phase, *residual, *direction, *product;
} links;

static int64_t stride_of(const int64_t n[3], int axis)
{
    return axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
}

static double complex product_of(const links *l, int64_t a, int64_t b)
{
    double complex product = 0;
    for (int64_t c = 0; c < l->coils; c++)
        product += conj(l->vectors[a * l->coils + c]) * l->vectors[b * l->coils + c];
    return product;
}

/* Finds the element at the centre of the signal. */
static void find_middle(links *l)
{
    double sum = 0, at[3] = {0};
    for (int64_t i = 0; i < l->count; i++) {
        sum += l->energy[i];
        for (int axis = 0; axis < 3; axis++)
            at[axis] += l->energy[i] * (double)(i / stride_of(l->n, axis) % l->n[axis]);
    }
    for (int axis = 0; axis < 3; axis++) l->middle[axis] = sum > 0 ? (int64_t)(at[axis] / sum + 0.5) : 0;
}

/* Calls step(l, link, before, i) for each element i next to `before` along the axis, from the middle
 * outwards. Visits only lines through the middle of the preceding axes. */
static void walk(links *l, int axis, int link, void (*step)(links *, int, int64_t, int64_t))
{
    const int64_t stride = stride_of(l->n, axis), middle = l->middle[axis];
    for (int64_t start = 0; start < l->count; start++) {
        if (start / stride % l->n[axis] != middle) continue;
        if (axis > 0 && start % l->n[0] != l->middle[0]) continue;
        if (axis > 1 && start / l->n[0] % l->n[1] != l->middle[1]) continue;
        for (int64_t k = 1; middle + k < l->n[axis]; k++)
            step(l, link, start + (k - 1) * stride, start + k * stride);
        for (int64_t k = 1; k <= middle; k++) step(l, link, start - (k - 1) * stride, start - k * stride);
    }
}

static void align_vector(links *l, int link, int64_t before, int64_t i)
{
    (void)link;
    const double complex product = product_of(l, before, i);
    if (!(cabs(product) > 0)) return;
    for (int64_t c = 0; c < l->coils; c++) l->vectors[i * l->coils + c] *= conj(product) / cabs(product);
}

static void unwrap_phase_step(links *l, int link, int64_t before, int64_t i)
{
    double *phase_step = l->phase_step + link * l->count;
    phase_step[i] += 2 * M_PI * rint((phase_step[before] - phase_step[i]) / (2 * M_PI));
}

static void measure(links *l)
{
    double most = 0;
    for (int64_t i = 0; i < l->count; i++) most = fmax(most, l->energy[i]);
    for (int axis = 0; axis < 3; axis++)
        for (int64_t i = 0, step = stride_of(l->n, axis); i < l->count; i++) {
            if (i / step % l->n[axis] + 1 == l->n[axis]) continue;
            const double complex product = product_of(l, i, i + step);
            const double signal = most > 0 ? sqrt(fmin(l->energy[i], l->energy[i + step]) / most) : 0,
                         weight = FLOOR + signal * cabs(product);
            l->weight[axis * l->count + i] = weight;
            l->phase_step[axis * l->count + i] = -carg(product);
            l->diagonal[i] += weight;
            l->diagonal[i + step] += weight;
        }
}

/* Computes out = D^T weight (D x), or D^T weight phase_step if x is NULL; D takes differences of
 * neighbours. */
static void normal(const links *l, const double *x, double *out)
{
    for (int64_t i = 0; i < l->count; i++) out[i] = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double *weight = l->weight + axis * l->count, *phase_step = l->phase_step + axis * l->count;
        for (int64_t i = 0, step = stride_of(l->n, axis); i + step < l->count; i++) {
            const double flow = weight[i] * (x ? x[i + step] - x[i] : phase_step[i]);
            out[i] -= flow;
            out[i + step] += flow;
        }
    }
}

static double inner(const links *l, const double *a, const double *b, const double *under)
{
    double sum = 0;
    for (int64_t i = 0; i < l->count; i++) sum += a[i] * b[i] / (under ? under[i] : 1);
    return sum;
}

static void solve(links *l)
{
    normal(l, NULL, l->residual);
    for (int64_t i = 0; i < l->count; i++) l->direction[i] = l->residual[i] / l->diagonal[i];
    const double first = inner(l, l->residual, l->residual, l->diagonal);
    double energy = first;
    const int64_t most = 100 + 10 * (l->n[0] + l->n[1] + l->n[2]);
    for (int64_t k = 0; k < most && energy > ACCURACY * ACCURACY * first; k++) {
        normal(l, l->direction, l->product);
        const double bend = inner(l, l->direction, l->product, NULL), before = energy;
        if (!(bend > 0)) break;
        const double alpha = energy / bend;
        for (int64_t i = 0; i < l->count; i++) {
            l->phase[i] += alpha * l->direction[i];
            l->residual[i] -= alpha * l->product[i];
        }
        energy = inner(l, l->residual, l->residual, l->diagonal);
        for (int64_t i = 0; i < l->count; i++)
            l->direction[i] = l->residual[i] / l->diagonal[i] + energy / before * l->direction[i];
    }
}

argand_status coils_align(double complex *vectors, const double *energy, const int64_t n[3], int64_t coils)
{
    const int64_t count = n[0] * n[1] * n[2];
    double *scratch;
    if (count < 2) return ARGAND_OK;
    TRY(NEW(scratch, 11 * count)); /* zeros */
    links l = {.n = n,
               .count = count,
               .coils = coils,
               .vectors = vectors,
               .energy = energy,
               .weight = scratch,
               .phase_step = scratch + 3 * count,
               .diagonal = scratch + 6 * count,
               .phase = scratch + 7 * count,
               .residual = scratch + 8 * count,
               .direction = scratch + 9 * count,
               .product = scratch + 10 * count};
    find_middle(&l);
    for (int axis = 2; axis >= 0; axis--) walk(&l, axis, 0, align_vector);
    measure(&l);
    for (int link = 1; link < 3; link++)
        for (int axis = link - 1; axis >= 0; axis--) walk(&l, axis, link, unwrap_phase_step);
    solve(&l);
    for (int64_t i = 0; i < count * coils; i++) vectors[i] *= cexp(I * l.phase[i / coils]);
    memory_free(scratch);
    return ARGAND_OK;
}
