/* SPDX-License-Identifier: BSD-3-Clause */
/* The regularised fit of a field map (Funai, Fessler, Yeo, Olafsson, Noll, IEEE Trans. Med. Imaging
 * 27:1484, 2008). The cost 1 - cos(s) lies below the parabola that touches it at s with the curvature
 * sin(s)/s, s in [-pi, pi] (Huber). Each step therefore solves (D + beta C^T C) d = -gradient by
 * preconditioned conjugate gradients, and the cost never increases. */
#include "calib/field/field.h"

#include <math.h>
#include <string.h>
#include "base/observe.h"

enum { CG_STEPS = 40, ROWS = 64 };
static const double STILL = 1e-4; /* rad: the iteration ends when no pixel moves further than this */

static int64_t stride_of(const field_fit *f, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? f->n[0] : f->n[0] * f->n[1];
}

/* Returns the second difference at a pixel if the pixel and both neighbours are inside the mask, otherwise
 * 0. */
static double second(const field_fit *f, const double *x, int64_t i, int axis)
{
    const int64_t stride = stride_of(f, axis), place = i / stride % f->n[axis];
    if (place == 0 || place + 1 >= f->n[axis] || !f->mask[i] || !f->mask[i - stride] || !f->mask[i + stride])
        return 0;
    return x[i - stride] - 2 * x[i] + x[i + stride];
}

/* Computes out = beta C^T C x. Each element gathers the contributions of its own and its neighbours'
 * differences. */
static void roughness(const field_fit *f, const double *x, double *out)
{
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int64_t i = 0; i < f->pixels; i++) {
        double sum = 0;
        for (int axis = 0; axis < 3 && f->mask[i]; axis++) {
            const int64_t stride = stride_of(f, axis), place = i / stride % f->n[axis];
            sum -= 2 * second(f, x, i, axis);
            if (place > 0) sum += second(f, x, i - stride, axis);
            if (place + 1 < f->n[axis]) sum += second(f, x, i + stride, axis);
        }
        out[i] = f->beta * sum;
    }
}

/* Computes gradient and curvature of the data term, and the diagonal of the whole surrogate. */
static void surrogate(const field_fit *f, int pairs, double *gradient, double *curvature, double *diagonal)
{
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int64_t i = 0; i < f->pixels; i++) {
        double slope = 0, bend = 0;
        for (int p = 0; p < pairs && f->mask[i]; p++) {
            const double amount = f->amount[p * f->pixels + i], ratio = f->ratio[p];
            const double s = unwrap_nearest(f->angle[p * f->pixels + i] + ratio * f->x[i]);
            slope += amount * ratio * sin(s);
            bend += amount * ratio * ratio * (fabs(s) < 1e-4 ? 1 : sin(s) / s);
        }
        gradient[i] += slope;
        curvature[i] = bend;
        diagonal[i] =
            bend + 6 * f->beta * (f->n[0] > 2) + 6 * f->beta * (f->n[1] > 2) + 6 * f->beta * (f->n[2] > 2);
    }
}

/* Returns the inner product. Sums over blocks of fixed size are added in order. */
static double dot(const field_fit *f, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < f->pixels; i++) sum += a[i] * b[i];
    return sum;
}

typedef struct fit_scratch {
    double *gradient, *curvature, *diagonal, *step, *residual, *direction, *image;
} fit_scratch;

/* Solves approximately for step = -(D + beta C^T C)^-1 gradient. */
static argand_status solve(const field_fit *f, const fit_scratch *r)
{
    double energy = 0, first = 0;
    for (int64_t i = 0; i < f->pixels; i++) {
        r->step[i] = 0;
        r->residual[i] = f->mask[i] ? -r->gradient[i] : 0;
        r->direction[i] = r->diagonal[i] > 0 ? r->residual[i] / r->diagonal[i] : 0;
        energy += r->residual[i] * r->direction[i];
    }
    first = energy;
    for (int k = 0; k < CG_STEPS && energy > 1e-10 * first && energy > 0; k++) {
        TRY(observe_again());
        roughness(f, r->direction, r->image);
        for (int64_t i = 0; i < f->pixels; i++) r->image[i] += r->curvature[i] * r->direction[i];
        const double bend = dot(f, r->direction, r->image);
        if (!(bend > 0)) break;
        const double alpha = energy / bend, before = energy;
        energy = 0;
        for (int64_t i = 0; i < f->pixels; i++) {
            r->step[i] += alpha * r->direction[i];
            r->residual[i] -= alpha * r->image[i];
            if (r->diagonal[i] > 0) energy += r->residual[i] * r->residual[i] / r->diagonal[i];
        }
        for (int64_t i = 0; i < f->pixels; i++)
            r->direction[i] = (r->diagonal[i] > 0 ? r->residual[i] / r->diagonal[i] : 0) +
                              energy / before * r->direction[i];
    }
    return ARGAND_OK;
}

argand_status field_fit_run(field_fit *f, int pairs)
{
    double *scratch;
    TRY(NEW(scratch, 7 * f->pixels));
    const fit_scratch r = {scratch,
                           scratch + f->pixels,
                           scratch + 2 * f->pixels,
                           scratch + 3 * f->pixels,
                           scratch + 4 * f->pixels,
                           scratch + 5 * f->pixels,
                           scratch + 6 * f->pixels};
    double largest = INFINITY;
    argand_status status = ARGAND_OK;
    for (int k = 0; k < f->iterations && largest > STILL; k++, f->done++) {
        TRY_OR_DONE(observe("fitting the field map", -1));
        roughness(f, f->x, r.gradient);
        surrogate(f, pairs, r.gradient, r.curvature, r.diagonal);
        TRY_OR_DONE(solve(f, &r));
        largest = 0;
        for (int64_t i = 0; i < f->pixels; i++) {
            f->x[i] += r.step[i];
            largest = fmax(largest, fabs(r.step[i]));
        }
    }
done:
    memory_free(scratch);
    return status;
}
