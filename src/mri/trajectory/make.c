/* SPDX-License-Identifier: BSD-3-Clause */
/* k-space trajectories with the time of every sample. A kind of kinds/ makes the shots of a plane once; they
 * are repeated over the partitions of a stack here. */
#include "mri/trajectory/kind.h"

#include <math.h>
#include "base/text.h"

/* gyromagnetic ratio of the proton over 2 pi, Hz/T (CODATA 2018) */
static const double GAMMA_BAR = 42.577478518e6;

#define TRAJECTORY(name) extern const trajectory_kind trajectory_##name;
#include "mri/trajectory/kinds.inc"
#undef TRAJECTORY

#define TRAJECTORY(name) &trajectory_##name,
static const trajectory_kind *const kinds[] = {
#include "mri/trajectory/kinds.inc"
};
#undef TRAJECTORY
enum { KINDS = sizeof kinds / sizeof *kinds };

static const trajectory_kind *kind_of(argand_trajectory id)
{
    for (int i = 0; i < KINDS; i++)
        if (kinds[i]->id == id) return kinds[i];
    return NULL;
}

int argand_trajectory_count(void)
{
    return KINDS;
}

argand_status argand_trajectory_describe(argand_trajectory kind, argand_trajectory_info *info)
{
    const trajectory_kind *k = kind_of(kind);
    CHECK(info, ARGAND_ARGUMENT, "argand_trajectory_describe: info is NULL");
    CHECK(k, ARGAND_ARGUMENT, "trajectory: there is no kind with number %d; give 0 to %d", (int)kind,
          (int)KINDS - 1);
    *info = (argand_trajectory_info){.name = k->name,
                                     .summary = k->summary,
                                     .paper = k->paper,
                                     .shot = k->shot,
                                     .is_flat = k->is_flat,
                                     .is_volume = k->is_volume,
                                     .is_centre_out = k->is_centre_out};
    return ARGAND_OK;
}

argand_status plan_allocate(const plan_2d *plan, double **x, double **y)
{
    TRY(NEW(*x, plan->samples * plan->shots));
    return NEW(*y, plan->samples * plan->shots);
}

double plan_longest(const plan_2d *plan)
{
    return (double)(plan->nx > plan->ny ? plan->nx : plan->ny);
}

void plan_fit(const plan_2d *plan, double *x, double *y)
{
    const double n = plan_longest(plan);
    for (int64_t i = 0; i < plan->samples * plan->shots; i++) {
        x[i] *= (double)plan->nx / n;
        y[i] *= (double)plan->ny / n;
    }
}

argand_status plan_rotate(const plan_2d *plan, const double *leaf_x, const double *leaf_y, double range,
                          double **x, double **y)
{
    TRY(plan_allocate(plan, x, y));
    for (int64_t s = 0; s < plan->shots; s++) {
        const double angle = range * (double)s / (double)plan->shots, cosine = cos(angle), sine = sin(angle);
        for (int64_t i = 0; i < plan->samples; i++) {
            (*x)[s * plan->samples + i] = cosine * leaf_x[i] - sine * leaf_y[i];
            (*y)[s * plan->samples + i] = sine * leaf_x[i] + cosine * leaf_y[i];
        }
    }
    return ARGAND_OK;
}

static double or_default(double value, double standard)
{
    return value > 0 ? value : standard;
}

/* Partitions need a kind that takes them: the message lists these. */
static argand_status check_partitions(const trajectory_kind *kind, int64_t partitions)
{
    text takes = {0};
    if (partitions <= 1 || kind->is_volume) return ARGAND_OK;
    for (int i = 0; i < KINDS; i++)
        if (kinds[i]->is_volume) text_add(&takes, "%s%s", takes.length ? ", " : "", kinds[i]->name);
    const argand_status status = status_set(
        ARGAND_ARGUMENT, "trajectory: %s is of one plane, but the matrix has %lld partitions; take one of %s",
        kind->name, (long long)partitions, text_chars(&takes));
    text_free(&takes);
    return status;
}

static argand_status check_options(const argand_trajectory_options *o)
{
    argand_trajectory_info info;
    CHECK(o, ARGAND_ARGUMENT, "trajectory: no options given");
    TRY(argand_trajectory_describe(o->kind, &info));
    CHECK(o->n[0] >= 2 && o->n[1] >= 1 && o->n[2] >= 0 && o->n[0] <= 1 << 16 && o->n[1] <= 1 << 16 &&
              o->n[2] <= 1 << 16,
          ARGAND_ARGUMENT, "trajectory: the matrix is %lldx%lldx%lld; x needs 2 to 65536, y and z 1 to 65536",
          (long long)o->n[0], (long long)o->n[1], (long long)o->n[2]);
    TRY(check_partitions(kind_of(o->kind), o->n[2]));
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
    const trajectory_kind *kind = kind_of(o->kind);
    const double fov = or_default(o->field_of_view, 0.24);
    plan_2d plan = {.golden = o->golden,
                    .nx = o->n[0],
                    .ny = o->n[1],
                    .shots = o->shots,
                    .samples = o->samples,
                    .readout = or_default(o->readout, kind->readout),
                    .acceleration = or_default(o->acceleration, 1),
                    .gradient = GAMMA_BAR * fov * or_default(o->gradient_limit, 0.040),
                    .slew = GAMMA_BAR * fov * or_default(o->slew_limit, 150)};
    if (plan.samples == 0 && kind->samples) plan.samples = kind->samples(&plan);
    return plan;
}

/* Returns the sample at which a shot crosses k = 0 (in Cartesian lines: k_x = 0). */
static int64_t centre_sample(const trajectory_kind *kind, const plan_2d *plan)
{
    return kind->is_centre_out ? 0 : plan->samples / 2;
}

/* Returns the seconds from the first sample of a shot to the centre of k-space. */
static double time_to_centre(const trajectory_kind *kind, const plan_2d *plan)
{
    return plan->samples > 1 ? plan->readout * (double)centre_sample(kind, plan) / (double)(plan->samples - 1)
                             : 0;
}

argand_status argand_trajectory_shortest_echo(double *seconds, const argand_trajectory_options *options)
{
    CHECK(seconds, ARGAND_ARGUMENT, "argand_trajectory_shortest_echo: nowhere to put the time");
    TRY(check_options(options));
    const plan_2d plan = plan_of(options);
    *seconds = time_to_centre(kind_of(options->kind), &plan);
    return ARGAND_OK;
}

/* Creates an array with these values. */
static argand_status make_array(argand_array **array, argand_device *device, argand_type type,
                                const int64_t *dims, int rank, const double *values)
{
    TRY(argand_array_create(array, device, type, rank, dims));
    return host_write_real(*array, values);
}

/* Repeats the plane's values for every partition. */
static void fill_planar(double *out, int64_t plane, int64_t partitions, const double *values)
{
    for (int64_t i = 0; i < plane * partitions; i++) out[i] = values[i % plane];
}

static void fill_partitions(double *out, int64_t plane, int64_t partitions)
{
    for (int64_t i = 0; i < plane * partitions; i++) out[i] = (double)(i / plane - partitions / 2);
}

/* Fills in the time of each sample: that of sample `centre` of a shot is `echo`. */
static void fill_times(double *out, const plan_2d *plan, int64_t partitions, int64_t centre, double echo)
{
    const double dwell = plan->samples > 1 ? plan->readout / (double)(plan->samples - 1) : 0;
    for (int64_t i = 0; i < plan->samples * plan->shots * partitions; i++)
        out[i] = echo + dwell * (double)(i % plan->samples - centre);
}

static argand_status check_echo(double before, double echo)
{
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
    const trajectory_kind *kind = kind_of(options->kind);
    plan_2d plan = plan_of(options);
    const int rank = options->n[2] > 1 ? 3 : 2;
    const int64_t partitions = rank == 3 ? options->n[2] : 1;
    TRY_OR_DONE(kind->points(&plan, &x, &y));
    TRY_OR_DONE(check_echo(time_to_centre(kind, &plan), options->echo));
    const int64_t plane = plan.samples * plan.shots, dims[3] = {plan.samples, plan.shots, partitions};
    TRY_OR_DONE(NEW(values, plane * partitions));
    fill_planar(values, plane, partitions, x);
    TRY_OR_DONE(make_array(&made[0], device, type, dims, rank, values));
    fill_planar(values, plane, partitions, y);
    TRY_OR_DONE(make_array(&made[1], device, type, dims, rank, values));
    fill_partitions(values, plane, partitions);
    if (rank == 3) TRY_OR_DONE(make_array(&made[2], device, type, dims, rank, values));
    fill_times(values, &plan, partitions, centre_sample(kind, &plan), options->echo);
    TRY_OR_DONE(make_array(&made[3], device, type, dims, rank, values));
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
