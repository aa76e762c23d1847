/* SPDX-License-Identifier: BSD-3-Clause */
/* Conjugate gradients for the fit of rigid motion: for the image alone, and for image and motion together.
 * The latter are Gauss-Newton steps of the joint problem, min |W^1/2 (r - A dx - J dm)|^2: each step changes
 * the image and the motion together, so that few steps are needed. (Steps that alternate between image and
 * motion are far slower: the image holds back the motion. The joint problem: Cordero-Grande et al., IEEE
 * Trans. Comput. Imaging 2:266, 2016; Haskell et al., IEEE Trans. Med. Imaging 37:1253, 2018.) */
#include "calib/motion/motion.h"

#include <math.h>
#include <string.h>
#include "base/observe.h"

/* Damping of the motion relative to the mean curvature, and the residual at which a solution is exact
 * enough. */
static const double DAMPING = 1e-3, ENOUGH = 1e-6, LEAST = 1e-9;

static double weighted(const motion_level *l, const double complex *a)
{
    double sum = 0;
    for (int64_t c = 0; c < l->coils; c++)
        for (int64_t j = 0; j < l->points; j++) {
            const double complex v = a[j + l->points * c];
            sum += l->w[j] * (creal(v) * creal(v) + cimag(v) * cimag(v));
        }
    return sum;
}

static double square(const double complex *a, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += creal(a[i]) * creal(a[i]) + cimag(a[i]) * cimag(a[i]);
    return sum;
}

/* g = A^H W r; scratch {points, coils}. */
static argand_status gradient(const motion_level *l, double complex *g, const double complex *r,
                              double complex *scratch)
{
    for (int64_t c = 0; c < l->coils; c++)
        for (int64_t j = 0; j < l->points; j++) scratch[j + l->points * c] = l->w[j] * r[j + l->points * c];
    return level_adjoint(l, g, scratch);
}

argand_status fit_begin(motion_fit *f, const motion_level *l)
{
    *f = (motion_fit){.level = l};
    argand_status status = NEW(f->x, l->pixels);
    if (!status) status = NEW(f->r, l->points * l->coils);
    if (status) fit_free(f);
    return status;
}

void fit_free(motion_fit *f)
{
    memory_free(f->x);
    memory_free(f->r);
    *f = (motion_fit){0};
}

argand_status fit_image(motion_fit *f, int steps)
{
    const motion_level *l = f->level;
    const int64_t data = l->points * l->coils;
    double complex *g = NULL, *p = NULL, *q = NULL, *scratch = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(g, l->pixels));
    TRY_OR_DONE(NEW(p, l->pixels));
    TRY_OR_DONE(NEW(q, data));
    TRY_OR_DONE(NEW(scratch, data));
    TRY_OR_DONE(level_apply(l, q, f->x));
    for (int64_t i = 0; i < data; i++) f->r[i] = l->y[i] - q[i];
    double before = 0;
    for (int step = 0; step < steps; step++) {
        TRY_OR_DONE(observe_again());
        TRY_OR_DONE(gradient(l, g, f->r, scratch));
        const double now = square(g, l->pixels), beta = before > 0 ? now / before : 0;
        for (int64_t i = 0; i < l->pixels; i++) p[i] = g[i] + beta * p[i];
        TRY_OR_DONE(level_apply(l, q, p));
        const double curvature = weighted(l, q), alpha = curvature > 0 ? now / curvature : 0;
        for (int64_t i = 0; i < l->pixels; i++) f->x[i] += alpha * p[i];
        for (int64_t i = 0; i < data; i++) f->r[i] -= alpha * q[i];
        if (!(alpha > 0)) break;
        before = now;
    }
    f->objective = weighted(l, f->r);
    CHECK_OR_DONE(isfinite(f->objective), ARGAND_NUMERIC, "motion: the image is not finite");
done:
    memory_free(scratch);
    memory_free(q);
    memory_free(p);
    memory_free(g);
    return status;
}

/* ---- the joint problem; numbers of the motion: {rows, params} */

typedef struct joint {
    const motion_level *l;
    double complex *jacobian, *dx, *px, *gx, *res, *q, *scratch;
    double *curvature; /* {rows, params, params} */
    double *inverse;   /* likewise, of the damped curvature */
    double damping[MOTION_MOST];
    double *dm, *pm, *gm, *zm;
} joint;

static void joint_free(joint *t)
{
    double complex *const fields[] = {t->jacobian, t->px, t->gx, t->res, t->q, t->scratch};
    double *const numbers[] = {t->curvature, t->inverse, t->dm, t->pm, t->gm, t->zm};
    for (int i = 0; i < 6; i++) {
        memory_free(fields[i]);
        memory_free(numbers[i]);
    }
}

static argand_status joint_reserve(joint *t)
{
    const motion_level *l = t->l;
    const int64_t data = l->points * l->coils, unknowns = l->rows * l->params;
    TRY(NEW(t->jacobian, data * l->params));
    TRY(NEW(t->px, l->pixels));
    TRY(NEW(t->gx, l->pixels));
    TRY(NEW(t->res, data));
    TRY(NEW(t->q, data));
    TRY(NEW(t->scratch, data));
    TRY(NEW(t->curvature, unknowns * l->params));
    TRY(NEW(t->inverse, unknowns * l->params));
    TRY(NEW(t->dm, unknowns));
    TRY(NEW(t->pm, unknowns));
    TRY(NEW(t->gm, unknowns));
    return NEW(t->zm, unknowns);
}

/* q += J m */
static void add_motion(const joint *t, double complex *q, const double *m)
{
    const motion_level *l = t->l;
    const int64_t data = l->points * l->coils;
    for (int p = 0; p < l->params; p++)
        for (int64_t c = 0; c < l->coils; c++)
            for (int64_t j = 0; j < l->points; j++)
                q[j + l->points * c] +=
                    m[l->row[j] * l->params + p] * t->jacobian[j + l->points * c + data * p];
}

/* g = Re J^H W r, and 0 for row 0, whose position is the reference. */
static void motion_gradient(const joint *t, double *g, const double complex *r)
{
    const motion_level *l = t->l;
    const int64_t data = l->points * l->coils;
    memset(g, 0, (size_t)(l->rows * l->params) * sizeof *g);
    for (int p = 0; p < l->params; p++)
        for (int64_t c = 0; c < l->coils; c++)
            for (int64_t j = 0; j < l->points; j++) {
                const double complex a = t->jacobian[j + l->points * c + data * p], b = r[j + l->points * c];
                g[l->row[j] * l->params + p] += l->w[j] * (creal(a) * creal(b) + cimag(a) * cimag(b));
            }
    for (int p = 0; p < l->params; p++) g[p] = 0;
}

static void find_curvature(joint *t)
{
    const motion_level *l = t->l;
    const int64_t data = l->points * l->coils;
    const int n = l->params;
    for (int p = 0; p < n; p++)
        for (int s = 0; s <= p; s++)
            for (int64_t c = 0; c < l->coils; c++)
                for (int64_t j = 0; j < l->points; j++) {
                    const double complex a = t->jacobian[j + l->points * c + data * p],
                                         b = t->jacobian[j + l->points * c + data * s];
                    t->curvature[(l->row[j] * n + p) * n + s] +=
                        l->w[j] * (creal(a) * creal(b) + cimag(a) * cimag(b));
                }
    for (int64_t row = 0; row < l->rows; row++)
        for (int p = 0; p < n; p++) {
            for (int s = p + 1; s < n; s++)
                t->curvature[(row * n + p) * n + s] = t->curvature[(row * n + s) * n + p];
            t->damping[p] += DAMPING * t->curvature[(row * n + p) * n + p] / (double)l->rows;
        }
}

/* Inverts a positive definite matrix n x n by Gauss and Jordan's elimination. */
static void invert(double *to, const double *from, int n)
{
    double a[MOTION_MOST][2 * MOTION_MOST] = {{0}};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) a[i][j] = from[i * n + j];
        a[i][n + i] = 1;
    }
    for (int i = 0; i < n; i++) {
        const double pivot = a[i][i] > 0 ? 1 / a[i][i] : 0;
        for (int j = 0; j < 2 * n; j++) a[i][j] *= pivot;
        for (int m = 0; m < n; m++) {
            const double factor = a[m][i];
            for (int j = 0; m != i && j < 2 * n; j++) a[m][j] -= factor * a[i][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) to[i * n + j] = a[i][n + j];
}

static void invert_curvature(joint *t)
{
    const int n = t->l->params;
    for (int64_t row = 0; row < t->l->rows; row++) {
        double block[MOTION_MOST * MOTION_MOST];
        memcpy(block, t->curvature + row * n * n, sizeof(double) * (size_t)(n * n));
        for (int p = 0; p < n; p++) block[p * n + p] += t->damping[p] * (1 + LEAST);
        invert(t->inverse + row * n * n, block, n);
    }
}

/* zm = preconditioned gm; returns the product of the gradient with its preconditioned form. */
static double precondition(joint *t)
{
    const motion_level *l = t->l;
    const int n = l->params;
    double sum = square(t->gx, l->pixels) / l->diagonal;
    for (int64_t row = 0; row < l->rows; row++)
        for (int p = 0; p < n; p++) {
            double z = 0;
            for (int s = 0; s < n; s++) z += t->inverse[(row * n + p) * n + s] * t->gm[row * n + s];
            t->zm[row * n + p] = z;
            sum += z * t->gm[row * n + p];
        }
    return sum;
}

static argand_status joint_iterate(joint *t, int steps)
{
    const motion_level *l = t->l;
    const int64_t data = l->points * l->coils, unknowns = l->rows * l->params;
    double before = 0, first = 0;
    for (int step = 0; step < steps; step++) {
        TRY(observe_again());
        TRY(gradient(l, t->gx, t->res, t->scratch));
        motion_gradient(t, t->gm, t->res);
        for (int64_t i = l->params; i < unknowns; i++) t->gm[i] -= t->damping[i % l->params] * t->dm[i];
        const double now = precondition(t), beta = before > 0 ? now / before : 0;
        if (step == 0) first = now;
        if (!(now > ENOUGH * first)) break;
        before = now;
        for (int64_t i = 0; i < l->pixels; i++) t->px[i] = t->gx[i] / l->diagonal + beta * t->px[i];
        for (int64_t i = 0; i < unknowns; i++) t->pm[i] = t->zm[i] + beta * t->pm[i];
        TRY(level_apply(l, t->q, t->px));
        add_motion(t, t->q, t->pm);
        double curvature = weighted(l, t->q);
        for (int64_t i = 0; i < unknowns; i++) curvature += t->damping[i % l->params] * t->pm[i] * t->pm[i];
        if (!(curvature > 0)) break;
        const double alpha = now / curvature;
        for (int64_t i = 0; i < l->pixels; i++) t->dx[i] += alpha * t->px[i];
        for (int64_t i = 0; i < unknowns; i++) t->dm[i] += alpha * t->pm[i];
        for (int64_t i = 0; i < data; i++) t->res[i] -= alpha * t->q[i];
    }
    return ARGAND_OK;
}

/* Noise of a row's parameters, from the residual that is left and the row's curvature. */
static void find_deviation(const joint *t, const motion_fit *f, double *deviation)
{
    const motion_level *l = t->l;
    const int n = l->params;
    const double freedom = (double)(l->points * l->coils), noise = f->objective / fmax(freedom, 1);
    for (int64_t i = 0; i < l->rows * n; i++) {
        const double variance = noise * t->inverse[i * n + i % n];
        deviation[i] = variance > 0 ? sqrt(variance) : 0;
    }
}

argand_status fit_step(const motion_fit *f, const argand_rigid *motion, int steps, double complex *dx,
                       argand_rigid *change, double *deviation)
{
    const motion_level *l = f->level;
    joint t = {.l = l, .dx = dx};
    argand_status status;
    TRY_OR_DONE(joint_reserve(&t));
    memset(dx, 0, (size_t)l->pixels * sizeof *dx);
    memcpy(t.res, f->r, (size_t)(l->points * l->coils) * sizeof *t.res);
    TRY_OR_DONE(level_jacobian(l, t.jacobian, f->x, motion));
    find_curvature(&t);
    invert_curvature(&t);
    TRY_OR_DONE(joint_iterate(&t, steps));
    memset(change, 0, (size_t)l->rows * sizeof *change);
    for (int64_t row = 0; row < l->rows; row++)
        for (int p = 0; p < l->params; p++)
            *rigid_parameter(&change[row], l->rank, p) = t.dm[row * l->params + p];
    find_deviation(&t, f, deviation);
done:
    joint_free(&t);
    return status;
}
