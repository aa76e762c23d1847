/* SPDX-License-Identifier: BSD-3-Clause */
/* Archimedean spirals, k = pitch theta exp(i theta), played as fast as the limits of gradient amplitude and
 * slew rate allow: the equation of motion of King, Foo, Crawford (Magn. Reson. Med. 34:156, 1995) and Glover
 * (42:412, 1999), integrated numerically.
 *
 * With w = d theta/dt, |dk/dt| = pitch w sqrt(1 + theta^2), and |d2k/dt2| = slew is a quadratic equation for
 * dw/dt: (1 + theta^2) w'^2 + 2 theta w^2 w' + (4 + theta^2) w^4 - (slew / pitch)^2 = 0. Its larger root
 * accelerates most. Once the amplitude limit is reached, w follows it. A readout longer than this least time
 * is filled by playing the same curve slower throughout, which lowers amplitude and slew rate and keeps both
 * within their limits. */
#include "mri/trajectory/kind.h"

#include <math.h>
#include "base/memory.h"
#include "base/status.h"

enum { MOST_SHOTS = 4096, FEWEST_STEPS = 20000 };
static const double LONGEST_STEP = 1e-6; /* s; the first turns need steps much shorter than their 0.1 ms */

typedef struct motion {
    double pitch, gradient, slew, end; /* end: the last theta */
} motion;

static double acceleration(const motion *m, double theta, double w)
{
    const double a = 1 + theta * theta, limit = m->slew / m->pitch, w2 = w * w;
    const double root = theta * theta * w2 * w2 - a * ((4 + theta * theta) * w2 * w2 - limit * limit);
    return (-theta * w2 + sqrt(fmax(root, 0))) / a;
}

static double fastest(const motion *m, double theta)
{
    return m->gradient / (m->pitch * sqrt(1 + theta * theta));
}

/* Computes theta after each step of h seconds (midpoint rule) until the end. Returns the number of steps,
 * at most `most`, or -1 if the end is not reached. thetas: NULL, or space for most + 1 values. */
static int64_t integrate(const motion *m, double h, int64_t most, double *thetas)
{
    double theta = 0, w = 0;
    if (thetas) thetas[0] = 0;
    for (int64_t i = 1; i <= most; i++) {
        const double half_w = fmin(w + h / 2 * acceleration(m, theta, w), fastest(m, theta));
        const double half_theta = theta + h / 2 * w;
        w = fmin(w + h * acceleration(m, half_theta, half_w), fastest(m, theta + h * half_w));
        theta += h * half_w;
        if (thetas) thetas[i] = theta;
        if (theta >= m->end) return i;
    }
    return -1;
}

/* Returns the motion along one interleaf. Its turns are shots * acceleration cycles per field of view
 * apart; the other shots fill the gaps. */
static motion motion_of(const plan_2d *plan, double radius, int64_t shots)
{
    const double pitch = (double)shots * plan->acceleration / (2 * M_PI);
    return (motion){pitch, plan->gradient, plan->slew, radius / pitch};
}

/* Returns theta at a time in steps. Between two steps theta is a parabola through three steps, which keeps
 * the velocity continuous. */
static double theta_at(const double *thetas, int64_t steps, double time)
{
    int64_t i = (int64_t)(time + 0.5);
    if (i < 1) i = 1;
    if (i > steps - 1) i = steps - 1;
    const double x = time - (double)i, a = thetas[i - 1], b = thetas[i], c = thetas[i + 1];
    return b + x * (0.5 * (c - a) + x * (0.5 * (a + c) - b));
}

/* Returns the time, in steps, at which the curve ends: between the last two steps. */
static double last_time(const double *thetas, int64_t steps, double end)
{
    double low = (double)steps - 1, high = (double)steps;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (theta_at(thetas, steps, middle) < end)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* Returns the number of samples for which neighbours are at most one cycle per field of view apart at the
 * fastest part. */
static int64_t samples_needed(const motion *m, const double *thetas, int64_t steps)
{
    double longest = 0;
    for (int64_t i = 1; i <= steps; i++) {
        const double middle = 0.5 * (thetas[i] + thetas[i - 1]);
        longest = fmax(longest, m->pitch * (thetas[i] - thetas[i - 1]) * sqrt(1 + middle * middle));
    }
    return (int64_t)ceil(longest * (double)steps) + 1;
}

/* Chooses the smallest number of shots whose interleaves fit into the readout, or checks the given number. */
static argand_status choose_shots(plan_2d *plan, double radius, double h, int64_t steps)
{
    int64_t shots = plan->shots > 0 ? plan->shots : 1;
    const int64_t last = plan->shots > 0 ? plan->shots : MOST_SHOTS;
    for (; shots <= last; shots++) {
        const motion m = motion_of(plan, radius, shots);
        if (integrate(&m, h, steps, NULL) > 2) break;
    }
    CHECK(shots <= last, ARGAND_ARGUMENT,
          "trajectory: a spiral of %lld shot%s does not reach |k| = %g within %g ms at these gradient "
          "limits; give more shots, "
          "a longer readout or a smaller matrix",
          (long long)last, last == 1 ? "" : "s", radius, 1e3 * plan->readout);
    plan->shots = shots;
    return ARGAND_OK;
}

static argand_status sample_curve(const plan_2d *plan, const motion *m, const double *thetas, int64_t steps,
                                  double **x, double **y)
{
    const double end = last_time(thetas, steps, m->end);
    TRY(NEW(*x, plan->samples));
    TRY(NEW(*y, plan->samples));
    for (int64_t i = 0; i < plan->samples; i++) {
        const double share = plan->samples > 1 ? (double)i / (double)(plan->samples - 1) : 0;
        const double theta = fmin(fmax(i ? theta_at(thetas, steps, share * end) : 0, 0), m->end);
        (*x)[i] = m->pitch * theta * cos(theta);
        (*y)[i] = m->pitch * theta * sin(theta);
    }
    return ARGAND_OK;
}

/* Designs one interleaf from k = 0 to |k| = N/2 at the end of the readout. Chooses plan->shots and
 * plan->samples if they are 0. */
static argand_status design(plan_2d *plan, double **x, double **y)
{
    const double radius = 0.5 * plan_longest(plan);
    const int64_t most = (int64_t)fmax(FEWEST_STEPS, ceil(plan->readout / LONGEST_STEP));
    const double h = plan->readout / (double)most;
    double *thetas;
    TRY(choose_shots(plan, radius, h, most));
    TRY(NEW(thetas, most + 1));
    const motion m = motion_of(plan, radius, plan->shots);
    const int64_t steps = integrate(&m, h, most, thetas);
    if (plan->samples == 0) plan->samples = samples_needed(&m, thetas, steps);
    const argand_status status = sample_curve(plan, &m, thetas, steps, x, y);
    memory_free(thetas);
    return status;
}

static argand_status points(plan_2d *plan, double **x, double **y)
{
    double *leaf_x = NULL, *leaf_y = NULL;
    argand_status status = design(plan, &leaf_x, &leaf_y);
    if (!status) status = plan_rotate(plan, leaf_x, leaf_y, 2 * M_PI, x, y);
    if (!status) plan_fit(plan, *x, *y);
    memory_free(leaf_y);
    memory_free(leaf_x);
    return status;
}

const trajectory_kind trajectory_spiral = {
    .id = ARGAND_SPIRAL,
    .name = "spiral",
    .summary = "spirals from the centre outwards, as fast as gradient amplitude and slew rate allow",
    .paper = "Glover: Simple analytic spiral k-space algorithm. Magn. Reson. Med. 42:412, 1999.",
    .shot = "spiral",
    .is_flat = true,
    .is_centre_out = true,
    .readout = 0.02,
    .points = points,
};

const trajectory_kind trajectory_stack_of_spirals = {
    .id = ARGAND_STACK_OF_SPIRALS,
    .name = "stack-of-spirals",
    .summary = "the same spirals in each partition of a volume",
    .paper = "Irarrazabal, Nishimura: Fast three dimensional magnetic resonance imaging. Magn. Reson. Med. "
             "33:656, 1995.",
    .shot = "spiral",
    .is_volume = true,
    .is_centre_out = true,
    .readout = 0.02,
    .points = points,
};
