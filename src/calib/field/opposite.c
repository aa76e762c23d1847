/* SPDX-License-Identifier: BSD-3-Clause */
/* Field map from two EPI images with opposite phase encoding. A field moves signal by d pixels along y in one
 * image and by -d in the other, and compresses or stretches it: up(y + d) (1 + d') and down(y - d) (1 - d')
 * are the same undistorted image (Andersson, Skare, Ashburner, NeuroImage 20:870, 2003). The squared
 * difference of both, and a penalty on second differences of d, are minimised by Gauss-Newton steps, from
 * strongly smoothed images to the images themselves. */
#include "calib/field/field.h"

#include <math.h>
#include <string.h>
#include "base/observe.h"
#include "base/pi.h"
#include "mri/host.h"

enum { LEVELS = 5, STEPS = 10, CG_STEPS = 40 };

/* Smoothing in pixels, and weight of the penalty for images of unit mean square. */
static const double smoothing[LEVELS] = {6, 4, 2, 1, 0}, stiffness[LEVELS] = {120, 40, 12, 4, 4};
static const double default_beta = 0.05;

typedef struct opposite_fit {
    int64_t n[3], pixels;
    const double *given[2]; /* up, down, of unit mean square */
    double *image[2];       /* the same, smoothed */
    double *d;              /* displacement in pixels along y */
    double weight;          /* of the penalty */
    int threads, steps;
} opposite_fit;

/* The linear model of the difference near d: J p = a p + b (D p). */
typedef struct difference_model {
    double *r, *a, *b;
} difference_model;

/* ---- along the axes */

static int64_t stride_of(const int64_t n[3], int axis)
{
    return axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
}

/* The derivative along y at a pixel: central, one-sided at the ends. */
static double derivative(const opposite_fit *f, const double *x, int64_t i)
{
    const int64_t s = f->n[0], y = i / s % f->n[1];
    if (y == 0) return x[i + s] - x[i];
    return y + 1 == f->n[1] ? x[i] - x[i - s] : 0.5 * (x[i + s] - x[i - s]);
}

/* The transpose of the derivative at a pixel: what the derivatives around it owe to it. */
static double derivative_transposed(const opposite_fit *f, const double *x, int64_t i)
{
    const int64_t s = f->n[0], y = i / s % f->n[1], last = f->n[1] - 1;
    double sum = y == 0 ? -x[i] : y == last ? x[i] : 0;
    if (y > 0) sum += (y == 1 ? 1 : 0.5) * x[i - s];
    if (y < last) sum -= (y == last - 1 ? 1 : 0.5) * x[i + s];
    return sum;
}

/* Second difference; 0 at the ends of an axis. */
static double second(const int64_t n[3], const double *x, int64_t i, int axis)
{
    const int64_t s = stride_of(n, axis), place = i / s % n[axis];
    return place == 0 || place + 1 >= n[axis] ? 0 : x[i - s] - 2 * x[i] + x[i + s];
}

/* The transpose of second differences times these, over all axes, at a pixel. */
static double roughness(const int64_t n[3], const double *x, int64_t i)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t s = stride_of(n, axis), place = i / s % n[axis];
        sum -= 2 * second(n, x, i, axis);
        if (place > 0) sum += second(n, x, i - s, axis);
        if (place + 1 < n[axis]) sum += second(n, x, i + s, axis);
    }
    return sum;
}

static void smooth_axis(double *out, const double *in, const opposite_fit *f, int axis, double sigma)
{
    const int64_t *n = f->n, s = stride_of(n, axis);
    const int reach = (int)ceil(3 * sigma);
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int64_t i = 0; i < f->pixels; i++) {
        const int64_t place = i / s % n[axis];
        double sum = 0, weights = 0;
        for (int k = -reach; k <= reach; k++) {
            const double weight = exp(-0.5 * k * k / (sigma * sigma));
            weights += weight;
            if (place + k >= 0 && place + k < n[axis]) sum += weight * in[i + k * s];
        }
        out[i] = sum / weights;
    }
}

static argand_status smooth(opposite_fit *f, double sigma)
{
    double *between;
    TRY(NEW(between, f->pixels));
    for (int which = 0; which < 2; which++) {
        memcpy(f->image[which], f->given[which], (size_t)f->pixels * sizeof *between);
        for (int axis = 0; axis < 3 && sigma > 0; axis++) {
            if (f->n[axis] == 1) continue;
            smooth_axis(between, f->image[which], f, axis, axis == 2 ? fmin(sigma, 1) : sigma);
            memcpy(f->image[which], between, (size_t)f->pixels * sizeof *between);
        }
    }
    memory_free(between);
    return ARGAND_OK;
}

/* ---- the difference of the unwarped images */

/* Cubic interpolation (Keys, a = -1/2) along y at the position y + shift of a pixel's line, and its
 * derivative; 0 outside. */
static double interpolate(const opposite_fit *f, const double *image, int64_t i, double shift, double *slope)
{
    const int64_t s = f->n[0], y = i / s % f->n[1];
    const double at = fmin(fmax((double)y + shift, -2), (double)f->n[1] + 1);
    const int64_t low = (int64_t)floor(at);
    const double u = at - (double)low;
    const double w[4] = {u * (-0.5 + u * (1 - 0.5 * u)), 1 + u * u * (-2.5 + 1.5 * u),
                         u * (0.5 + u * (2 - 1.5 * u)), u * u * (-0.5 + 0.5 * u)};
    const double v[4] = {-0.5 + u * (2 - 1.5 * u), u * (-5 + 4.5 * u), 0.5 + u * (4 - 4.5 * u),
                         u * (-1 + 1.5 * u)};
    double sum = 0;
    *slope = 0;
    for (int k = 0; k < 4; k++) {
        const int64_t row = low - 1 + k;
        if (row < 0 || row >= f->n[1]) continue;
        sum += w[k] * image[i + (row - y) * s];
        *slope += v[k] * image[i + (row - y) * s];
    }
    return sum;
}

/* Computes the difference at d, and its model if m->a is not NULL. Returns half of the cost. */
static double difference(const opposite_fit *f, const double *d, const difference_model *m)
{
    double cost = 0;
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int64_t i = 0; i < f->pixels; i++) {
        double slopes[2];
        const double up = interpolate(f, f->image[0], i, d[i], &slopes[0]),
                     down = interpolate(f, f->image[1], i, -d[i], &slopes[1]), bend = derivative(f, d, i);
        m->r[i] = (1 + bend) * up - (1 - bend) * down;
        if (!m->a) continue;
        m->a[i] = (1 + bend) * slopes[0] + (1 - bend) * slopes[1];
        m->b[i] = up + down;
    }
    for (int64_t i = 0; i < f->pixels; i++) {
        cost += 0.5 * m->r[i] * m->r[i];
        for (int axis = 0; axis < 3; axis++) cost += 0.5 * f->weight * pow(second(f->n, d, i, axis), 2);
    }
    return cost;
}

/* out = (J^T J + penalty) p; q: work memory. */
static void normal(const opposite_fit *f, const difference_model *m, const double *p, double *q, double *out)
{
#pragma omp parallel num_threads(f->threads)
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < f->pixels; i++) q[i] = m->a[i] * p[i] + m->b[i] * derivative(f, p, i);
#pragma omp for schedule(static)
        for (int64_t i = 0; i < f->pixels; i++) out[i] = m->b[i] * q[i];
    }
    double *product = out; /* b q, whose transposed derivative is needed at all pixels */
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int64_t i = 0; i < f->pixels; i++) q[i] = m->a[i] * q[i] + derivative_transposed(f, product, i);
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int64_t i = 0; i < f->pixels; i++) out[i] = q[i] + f->weight * roughness(f->n, p, i);
}

/* Returns the preconditioner's diagonal element of a pixel. */
static double diagonal(const opposite_fit *f, const difference_model *m, int64_t i)
{
    int axes = 0;
    for (int axis = 0; axis < 3; axis++) axes += f->n[axis] > 2;
    return m->a[i] * m->a[i] + 0.5 * m->b[i] * m->b[i] + 6 * f->weight * axes;
}

typedef struct opposite_scratch {
    difference_model model;
    double *step, *residual, *direction, *image, *work, *trial;
} opposite_scratch;

/* Solves approximately for the Gauss-Newton step. */
static argand_status solve(const opposite_fit *f, const opposite_scratch *s)
{
    double energy = 0, first;
    for (int64_t i = 0; i < f->pixels; i++) s->image[i] = s->model.b[i] * s->model.r[i];
    for (int64_t i = 0; i < f->pixels; i++) {
        s->step[i] = 0;
        s->residual[i] = -(s->model.a[i] * s->model.r[i] + derivative_transposed(f, s->image, i) +
                           f->weight * roughness(f->n, f->d, i));
        s->direction[i] = s->residual[i] / diagonal(f, &s->model, i);
        energy += s->residual[i] * s->direction[i];
    }
    first = energy;
    for (int k = 0; k < CG_STEPS && energy > 1e-6 * first && energy > 0; k++) {
        double bend = 0, before = energy;
        TRY(observe_again());
        normal(f, &s->model, s->direction, s->work, s->image);
        for (int64_t i = 0; i < f->pixels; i++) bend += s->direction[i] * s->image[i];
        if (!(bend > 0)) break;
        energy = 0;
        for (int64_t i = 0; i < f->pixels; i++) {
            s->step[i] += before / bend * s->direction[i];
            s->residual[i] -= before / bend * s->image[i];
            energy += s->residual[i] * s->residual[i] / diagonal(f, &s->model, i);
        }
        for (int64_t i = 0; i < f->pixels; i++)
            s->direction[i] = s->residual[i] / diagonal(f, &s->model, i) + energy / before * s->direction[i];
    }
    return ARGAND_OK;
}

/* Goes along the step as far as the cost falls. Returns the largest change in pixels; 0: none is better. */
static double advance(opposite_fit *f, const opposite_scratch *s, double cost)
{
    const difference_model only = {.r = s->work};
    for (double part = 1; part > 1e-3; part *= 0.5) {
        double largest = 0;
        for (int64_t i = 0; i < f->pixels; i++) {
            s->trial[i] = f->d[i] + part * s->step[i];
            largest = fmax(largest, part * fabs(s->step[i]));
        }
        if (!(difference(f, s->trial, &only) < cost)) continue;
        memcpy(f->d, s->trial, (size_t)f->pixels * sizeof *f->d);
        return largest;
    }
    return 0;
}

static argand_status run_levels(opposite_fit *f, double beta, const opposite_scratch *s)
{
    for (int level = 0; level < LEVELS; level++) {
        TRY(smooth(f, fmin(smoothing[level], (double)f->n[1] / 8)));
        f->weight = beta * stiffness[level];
        double largest = 1;
        for (int k = 0; k < STEPS && largest > 1e-3; k++, f->steps++) {
            TRY(observe("fitting the field", (level + (double)k / STEPS) / LEVELS));
            const double cost = difference(f, f->d, &s->model);
            TRY(solve(f, s));
            largest = advance(f, s, cost);
        }
    }
    return ARGAND_OK;
}

/* ---- arguments */

/* Returns the rms of the difference of the unwarped images relative to that of the images. */
static double mismatch(const opposite_fit *f, double *work)
{
    const difference_model only = {.r = work};
    double sum = 0;
    difference(f, f->d, &only);
    for (int64_t i = 0; i < f->pixels; i++) sum += work[i] * work[i];
    return sqrt(sum / (double)f->pixels);
}

/* Scales both images to unit mean square together, and to the same sum, which a field does not change. */
static argand_status scale_images(double *up, double *down, int64_t pixels)
{
    double sums[2] = {0}, square = 0;
    for (int64_t i = 0; i < pixels; i++) sums[0] += up[i], sums[1] += down[i];
    CHECK(sums[0] > 0 && sums[1] > 0, ARGAND_NUMERIC, "field map: an image of the pair has no signal");
    CHECK(sums[0] < 4 * sums[1] && sums[1] < 4 * sums[0], ARGAND_ARGUMENT,
          "field map: the sums of the two images differ by a factor of %.3g: they are not a pair of blip-up "
          "and blip-down",
          fmax(sums[0] / sums[1], sums[1] / sums[0]));
    for (int64_t i = 0; i < pixels; i++) down[i] *= sums[0] / sums[1];
    for (int64_t i = 0; i < pixels; i++) square += 0.5 * (up[i] * up[i] + down[i] * down[i]);
    const double scale = 1 / sqrt(square / (double)pixels);
    for (int64_t i = 0; i < pixels; i++) up[i] *= scale, down[i] *= scale;
    return ARGAND_OK;
}

static argand_status fit_pair(opposite_fit *f, const argand_opposite_options *o,
                              argand_opposite_report *report)
{
    double *scratch = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(scratch, 9 * f->pixels));
    TRY_OR_DONE(NEW(f->image[0], f->pixels));
    TRY_OR_DONE(NEW(f->image[1], f->pixels));
    double *part[9];
    for (int i = 0; i < 9; i++) part[i] = scratch + i * f->pixels;
    const opposite_scratch s = {
        {part[0], part[1], part[2]}, part[3], part[4], part[5], part[6], part[7], part[8]};
    TRY_OR_DONE(smooth(f, 0));
    report->before = mismatch(f, part[7]);
    TRY_OR_DONE(run_levels(f, o->beta > 0 ? o->beta : default_beta, &s));
    report->after = mismatch(f, part[7]);
    report->iterations = f->steps;
    for (int64_t i = 0; i < f->pixels; i++)
        report->displacement = fmax(report->displacement, f->image[0][i] > 0.3 ? fabs(f->d[i]) : 0);
done:
    memory_free(f->image[1]);
    memory_free(f->image[0]);
    memory_free(scratch);
    return status;
}

static argand_status check(const argand_array *map, const argand_array *up, const argand_array *down,
                           const argand_opposite_options *o)
{
    const int rank = argand_array_rank(up);
    CHECK(rank >= 2 && rank <= 3 && argand_array_rank(down) == rank, ARGAND_ARGUMENT,
          "field map: images of rank %d and %d; both must be {nx, ny[, nz or slices]}", rank,
          argand_array_rank(down));
    for (int axis = 0; axis < rank; axis++)
        CHECK(argand_array_dim(up, axis) == argand_array_dim(down, axis), ARGAND_ARGUMENT,
              "field map: the two images have %lld and %lld pixels along axis %d",
              (long long)argand_array_dim(up, axis), (long long)argand_array_dim(down, axis), axis);
    CHECK(argand_array_dim(up, 1) >= 8, ARGAND_ARGUMENT,
          "field map: %lld pixels along the phase-encode axis; give 8 or more",
          (long long)argand_array_dim(up, 1));
    CHECK(!type_is_complex(argand_array_type(up)) && !type_is_complex(argand_array_type(down)) &&
              !type_is_complex(argand_array_type(map)),
          ARGAND_ARGUMENT, "field map: the images of a pair and the map must be real (magnitudes)");
    CHECK(argand_array_count(map) == argand_array_count(up), ARGAND_ARGUMENT,
          "field map: the map has %lld pixels, the images %lld", (long long)argand_array_count(map),
          (long long)argand_array_count(up));
    CHECK(o->echo_spacing > 0 && o->echo_spacing < 1, ARGAND_ARGUMENT,
          "field map: an echo spacing of %g s; give that of neighbouring lines of ky, in seconds",
          o->echo_spacing);
    CHECK(isfinite(o->beta) && o->beta >= 0, ARGAND_ARGUMENT, "field map: a weight of %g", o->beta);
    TRY(calib_check_finite(up, "field map: the first image"));
    return calib_check_finite(down, "field map: the second image");
}

argand_status argand_fieldmap_opposite(argand_array *map, const argand_array *up, const argand_array *down,
                                       const argand_opposite_options *options, argand_opposite_report *report)
{
    argand_opposite_report own, *r = report ? report : &own;
    double *images[2] = {NULL};
    argand_status status;
    CHECK_ARRAY(map);
    CHECK_ARRAY(up);
    CHECK_ARRAY(down);
    CHECK(options, ARGAND_ARGUMENT, "field map: the options with the echo spacing are missing");
    TRY(check(map, up, down, options));
    *r = (argand_opposite_report){0};
    opposite_fit f = {.n = {1, 1, 1},
                      .pixels = argand_array_count(up),
                      .threads = argand_device_threads(argand_array_device(up))};
    for (int axis = 0; axis < argand_array_rank(up); axis++) f.n[axis] = argand_array_dim(up, axis);
    TRY_OR_DONE(host_read(&images[0], up));
    TRY_OR_DONE(host_read(&images[1], down));
    TRY_OR_DONE(NEW(f.d, f.pixels));
    TRY_OR_DONE(scale_images(images[0], images[1], f.pixels));
    for (int which = 0; which < 2; which++) f.given[which] = images[which];
    TRY_OR_DONE(fit_pair(&f, options, r));
    for (int64_t i = 0; i < f.pixels; i++) f.d[i] *= TWO_PI / ((double)f.n[1] * options->echo_spacing);
    status = host_write_real(map, f.d);
done:
    memory_free(f.d);
    memory_free(images[1]);
    memory_free(images[0]);
    return status;
}
