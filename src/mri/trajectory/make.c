/* SPDX-License-Identifier: BSD-3-Clause */
/* k-space trajectories with the time of every sample. In-plane shots are made once and repeated over the
 * partitions of a stack. */
#include "mri/trajectory.h"

#include <math.h>
#include "mri/host.h"

/* gyromagnetic ratio of the proton over 2 pi, Hz/T (CODATA 2018) */
static const double GAMMA_BAR = 42.577478518e6;
static const double GOLDEN_ANGLE =
    1.9416110387254666; /* pi / golden ratio (Winkelmann et al., IEEE TMI 26:68, 2007) */

static double or_default(double value, double standard)
{
    return value > 0 ? value : standard;
}

static bool is_stack(argand_trajectory kind)
{
    return kind == ARGAND_STACK_OF_SPIRALS || kind == ARGAND_STACK_OF_STARS;
}

static argand_status check_options(const argand_trajectory_options *o)
{
    CHECK(o, ARGAND_ARGUMENT, "trajectory: no options given");
    CHECK(o->kind >= ARGAND_CARTESIAN && o->kind <= ARGAND_STACK_OF_STARS, ARGAND_ARGUMENT,
          "trajectory: there is no kind with number %d", (int)o->kind);
    CHECK(o->n[0] >= 2 && o->n[1] >= 1 && o->n[2] >= 0 && o->n[0] <= 1 << 16 && o->n[1] <= 1 << 16 &&
              o->n[2] <= 1 << 16,
          ARGAND_ARGUMENT, "trajectory: the matrix is %lldx%lldx%lld; x needs 2 to 65536, y and z 1 to 65536",
          (long long)o->n[0], (long long)o->n[1], (long long)o->n[2]);
    CHECK(o->n[2] <= 1 || o->kind == ARGAND_CARTESIAN || is_stack(o->kind), ARGAND_ARGUMENT,
          "trajectory: spirals and radial spokes are in-plane; use a stack of them for %lld partitions",
          (long long)o->n[2]);
    CHECK(o->shots >= 0 && o->samples >= 0, ARGAND_ARGUMENT,
          "trajectory: %d shots of %d samples; give 0 or more", o->shots, o->samples);
    const double reals[] = {o->readout,       o->echo,           o->acceleration,
                            o->field_of_view, o->gradient_limit, o->slew_limit};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        CHECK(isfinite(reals[i]) && reals[i] >= 0, ARGAND_ARGUMENT,
              "trajectory: readout, echo, acceleration, field of view and gradient limits must be finite and "
              "not negative");
    CHECK(o->readout <= 1, ARGAND_ARGUMENT,
          "trajectory: a readout of %g s; at most 1 s (the unit is the second)", o->readout);
    CHECK(o->acceleration == 0 || o->acceleration >= 1, ARGAND_ARGUMENT,
          "trajectory: acceleration %g is below 1", o->acceleration);
    return ARGAND_OK;
}

static plan_2d plan_of(const argand_trajectory_options *o)
{
    const double fov = or_default(o->field_of_view, 0.24);
    plan_2d plan = {.kind = o->kind == ARGAND_STACK_OF_SPIRALS ? ARGAND_SPIRAL
                            : o->kind == ARGAND_STACK_OF_STARS ? ARGAND_RADIAL
                                                               : o->kind,
                    .golden = o->golden,
                    .nx = o->n[0],
                    .ny = o->n[1],
                    .shots = o->shots,
                    .samples = o->samples,
                    .acceleration = or_default(o->acceleration, 1),
                    .gradient = GAMMA_BAR * fov * or_default(o->gradient_limit, 0.040),
                    .slew = GAMMA_BAR * fov * or_default(o->slew_limit, 150)};
    plan.readout = or_default(o->readout, plan.kind == ARGAND_SPIRAL ? 0.02 : 0.005);
    return plan;
}

/* Every line, or evenly spread ones that include the centre; in ascending order. */
static argand_status cartesian(plan_2d *plan, double **x, double **y)
{
    if (plan->shots == 0) plan->shots = (int64_t)ceil((double)plan->ny / plan->acceleration - 1e-9);
    if (plan->samples == 0) plan->samples = plan->nx;
    CHECK(plan->shots <= plan->ny, ARGAND_ARGUMENT,
          "trajectory: %lld Cartesian lines, but the matrix has %lld", (long long)plan->shots,
          (long long)plan->ny);
    TRY(NEW(*x, plan->samples * plan->shots));
    TRY(NEW(*y, plan->samples * plan->shots));
    const int64_t before = plan->ny / 2 * plan->shots / plan->ny; /* lines below the centre */
    for (int64_t s = 0; s < plan->shots; s++)
        for (int64_t i = 0; i < plan->samples; i++) {
            (*x)[s * plan->samples + i] =
                (double)(i - plan->samples / 2) * ((double)plan->nx / (double)plan->samples);
            (*y)[s * plan->samples + i] = floor((double)((s - before) * plan->ny) / (double)plan->shots);
        }
    return ARGAND_OK;
}

/* Spokes through the centre, sample floor(samples/2) on it. pi/2 N spokes meet the sampling theorem at the
 * rim. */
static argand_status radial(plan_2d *plan, double **x, double **y)
{
    const double n = (double)(plan->nx > plan->ny ? plan->nx : plan->ny);
    if (plan->shots == 0) plan->shots = (int64_t)ceil(M_PI / 2 * n / plan->acceleration - 1e-9);
    if (plan->samples == 0) plan->samples = 2 * (int64_t)n;
    TRY(NEW(*x, plan->samples * plan->shots));
    TRY(NEW(*y, plan->samples * plan->shots));
    for (int64_t s = 0; s < plan->shots; s++) {
        const double angle = (double)s * (plan->golden ? GOLDEN_ANGLE : M_PI / (double)plan->shots);
        for (int64_t i = 0; i < plan->samples; i++) {
            const double k = (double)(i - plan->samples / 2) * (n / (double)plan->samples);
            (*x)[s * plan->samples + i] = k * cos(angle);
            (*y)[s * plan->samples + i] = k * sin(angle);
        }
    }
    return ARGAND_OK;
}

/* One interleaf rotated to all angles. */
static argand_status spiral(plan_2d *plan, double **x, double **y)
{
    double *leaf_x = NULL, *leaf_y = NULL;
    argand_status status;
    TRY(spiral_design(plan, &leaf_x, &leaf_y));
    TRY_OR_DONE(NEW(*x, plan->samples * plan->shots));
    TRY_OR_DONE(NEW(*y, plan->samples * plan->shots));
    for (int64_t s = 0; s < plan->shots; s++) {
        const double angle = 2 * M_PI * (double)s / (double)plan->shots, cosine = cos(angle),
                     sine = sin(angle);
        for (int64_t i = 0; i < plan->samples; i++) {
            (*x)[s * plan->samples + i] = cosine * leaf_x[i] - sine * leaf_y[i];
            (*y)[s * plan->samples + i] = sine * leaf_x[i] + cosine * leaf_y[i];
        }
    }
done:
    memory_free(leaf_y);
    memory_free(leaf_x);
    return status;
}

/* Square to rectangular: voxels are as large in y as in x, so the shorter axis has fewer cycles per its own
 * field of view. */
static void fit_matrix(const plan_2d *plan, double *x, double *y)
{
    const double n = (double)(plan->nx > plan->ny ? plan->nx : plan->ny);
    if (plan->kind == ARGAND_CARTESIAN) return;
    for (int64_t i = 0; i < plan->samples * plan->shots; i++) {
        x[i] *= (double)plan->nx / n;
        y[i] *= (double)plan->ny / n;
    }
}

/* The sample at which a shot crosses k = 0 (in Cartesian lines: k_x = 0). */
static int64_t centre_sample(const plan_2d *plan)
{
    return plan->kind == ARGAND_SPIRAL ? 0 : plan->samples / 2;
}

/* values[j mod period] goes to element j */
static argand_status make_array(argand_array **array, argand_device *device, argand_type type,
                                const int64_t *dims, int rank, const double *values)
{
    TRY(argand_array_create(array, device, type, rank, dims));
    return host_write_real(*array, values);
}

/* What of the 3-D trajectory the arrays hold, on axis 0 to 2, or the time on axis 3. */
static void fill_axis(double *out, const plan_2d *plan, int64_t partitions, int axis, const double *x,
                      const double *y, double echo)
{
    const int64_t plane = plan->samples * plan->shots;
    const double dwell = plan->samples > 1 ? plan->readout / (double)(plan->samples - 1) : 0;
    for (int64_t p = 0; p < partitions; p++)
        for (int64_t j = 0; j < plane; j++) {
            const double time = echo + dwell * (double)(j % plan->samples - centre_sample(plan));
            out[p * plane + j] = axis == 0   ? x[j]
                                 : axis == 1 ? y[j]
                                 : axis == 2 ? (double)(p - partitions / 2)
                                             : time;
        }
}

static argand_status check_echo(const plan_2d *plan, double echo)
{
    const double before =
        plan->samples > 1 ? plan->readout * (double)centre_sample(plan) / (double)(plan->samples - 1) : 0;
    CHECK(echo == 0 || echo >= before * (1 - 1e-9), ARGAND_ARGUMENT,
          "trajectory: an echo time of %g ms is too short: the readout starts %g ms before its centre",
          1e3 * echo, 1e3 * before);
    return ARGAND_OK;
}

argand_status argand_trajectory_make(argand_array *k[3], argand_array **t, argand_device *device,
                                     argand_type type, const argand_trajectory_options *options)
{
    double *x = NULL, *y = NULL, *values = NULL;
    argand_array *made[4] = {NULL, NULL, NULL, NULL};
    argand_status status;

    CHECK(k && t && device, ARGAND_ARGUMENT, "trajectory: no device, or nowhere to put the arrays");
    CHECK(type == ARGAND_R32 || type == ARGAND_R64, ARGAND_ARGUMENT,
          "trajectory: the type must be R32 or R64");
    TRY(check_options(options));
    plan_2d plan = plan_of(options);
    const int rank = options->n[2] > 1 ? 3 : 2;
    const int64_t partitions = rank == 3 ? options->n[2] : 1;
    TRY_OR_DONE((plan.kind == ARGAND_CARTESIAN ? cartesian
                 : plan.kind == ARGAND_RADIAL  ? radial
                                               : spiral)(&plan, &x, &y));
    TRY_OR_DONE(check_echo(&plan, options->echo));
    fit_matrix(&plan, x, y);
    TRY_OR_DONE(NEW(values, plan.samples * plan.shots * partitions));
    for (int axis = 0; axis < 4; axis++) {
        if (axis == 2 && rank == 2) continue;
        fill_axis(values, &plan, partitions, axis, x, y, options->echo);
        TRY_OR_DONE(make_array(&made[axis], device, type,
                               (const int64_t[3]){plan.samples, plan.shots, partitions}, rank, values));
    }
    for (int axis = 0; axis < 3; axis++) k[axis] = made[axis];
    *t = made[3];
done:
    if (status)
        for (int axis = 0; axis < 4; axis++) argand_array_destroy(made[axis]);
    memory_free(values);
    memory_free(y);
    memory_free(x);
    return status;
}
