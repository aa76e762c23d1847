/* SPDX-License-Identifier: BSD-3-Clause */
/* argand calibrate density. */
#include "calibrate/calibrate.h"
#include "common/path.h"

typedef struct density_settings {
    common_options common;
    calibrate_choice choice;
    const char *input, *output;
    int method;
} density_settings;

static const char description[] =
    "Computes the density weights of the samples of a scan (one slice; slices usually share the trajectory), "
    "or of a\n"
    "trajectory {axes, samples...} in cycles per field of view, as BART's, with --matrix.\n"
    "  pipe        the iteration of Pipe and Menon, which makes the point spread function flat\n"
    "  deconvolve  the same without iteration, from the point spread function inside the field of view\n"
    "  voronoi     areas of the Voronoi cells inside the convex hull, for 2-D trajectories\n"
    "The weights add up to 1. The output is real {samples}, acquisition after acquisition, or has the shape "
    "of the\n"
    "trajectory, for argand sense --weights.";

static const char examples[] = "  argand calibrate density spiral.h5 weights.npy --method voronoi\n"
                               "  argand calibrate density traj.cfl weights.npy --matrix 128x128\n";

static bool parse(density_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        choice_option("method", 0, &s->method, "NAME", "pipe|voronoi|deconvolve", "method"),
        CHOICE_OPTIONS(s->choice),
        SCAN_OPTIONS(s->choice.reading),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand calibrate density IN OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->input, &s->output},
                         .positional_least = 2};
    return command_parse(&line, argc, argv, exit_code);
}

/* Computes weights for the points of x. */
static argand_status weigh(argand_array *weights, const calibrate_samples *x, const density_settings *s,
                           argand_device *device, report *out)
{
    argand_nufft *plan = NULL;
    argand_density_report r;
    double area;
    if (s->method == 2) return argand_density_deconvolve(weights, x->k, x->rank, x->n);
    if (s->method) {
        if (x->rank == 3)
            return report_error(ARGAND_ARGUMENT,
                                "Voronoi cells are those of a plane; take --method pipe in three dimensions");
        TRY(argand_density_voronoi(weights, x->k, &area));
        report_note(out, "%lld samples over an area of %.6g in k-space.", (long long)x->points, area);
        return ARGAND_OK;
    }
    argand_status status = argand_density_plan(&plan, device, ARGAND_C32, x->k, x->rank, x->n);
    if (!status) status = argand_density_pipe(weights, plan, 0, 0, &r);
    if (!status)
        report_note(out, "%lld samples, %d iteration%s.", (long long)x->points, r.iterations,
                    plural_s(r.iterations));
    argand_nufft_destroy(plan);
    return status;
}

static argand_status write_weights(const density_settings *s, const argand_array *weights, report *out)
{
    const sidecar what = calibrate_facts(KIND_WEIGHTS, "", "sample, then acquisition", s->input);
    return calibrate_write(s->output, weights, NULL, &what, out);
}

static argand_status from_scan(const density_settings *s, argand_device *device, report *out)
{
    argand_scan *scan;
    calibrate_samples x;
    argand_array *weights = NULL;
    TRY(calibrate_open(&scan, s->input, &s->choice.reading, out));
    argand_status status =
        calibrate_take(&x, scan, &s->choice, s->choice.slice < 0 ? 0 : s->choice.slice, 0, false, device);
    if (!status) status = argand_array_create(&weights, device, ARGAND_R32, 1, &x.points);
    if (!status) status = weigh(weights, &x, s, device, out);
    if (!status) status = write_weights(s, weights, out);
    argand_array_destroy(weights);
    calibrate_samples_free(&x);
    argand_scan_destroy(scan);
    return status;
}

/* Splits the trajectory into an array for each axis. */
static argand_status split(calibrate_samples *x, const argand_array *trajectory, const density_settings *s,
                           argand_device *device)
{
    const int64_t axes = argand_array_dim(trajectory, 0);
    if ((axes != 2 && axes != 3) || argand_array_rank(trajectory) < 2 || s->choice.matrix.rank < 2)
        return report_error(ARGAND_ARGUMENT,
                            "%s: a trajectory is {2 or 3, samples...} in cycles per field of view, and "
                            "--matrix says its image's size",
                            s->input);
    x->rank = axes == 3 && s->choice.matrix.rank == 3 && s->choice.matrix.n[2] > 1 ? 3 : 2;
    x->points = argand_array_count(trajectory) / axes;
    for (int axis = 0; axis < 3; axis++)
        x->n[axis] = axis < s->choice.matrix.rank ? s->choice.matrix.n[axis] : 1;
    argand_status status = ARGAND_OK;
    for (int axis = 0; axis < x->rank && !status; axis++) {
        argand_array *view = NULL;
        const argand_type type = argand_array_type(trajectory);
        status = argand_array_view(&view, trajectory, 1, &x->points, &axes, axis);
        if (!status)
            status = argand_array_create(&x->k[axis], device,
                                         type == ARGAND_C64 || type == ARGAND_R64 ? ARGAND_R64 : ARGAND_R32,
                                         1, &x->points);
        if (!status)
            status = type == ARGAND_C32 || type == ARGAND_C64 ? argand_array_real(x->k[axis], view)
                                                              : argand_array_copy(x->k[axis], view);
        argand_array_destroy(view);
    }
    return status;
}

/* Warns if positions seem to be in another unit than cycles per field of view: normalised positions reach
 * only 0.5; positions for a larger matrix would alias. */
static argand_status check_reach(const calibrate_samples *x, const density_settings *s, report *out)
{
    double part = 0;
    for (int axis = 0; axis < x->rank; axis++) {
        double most;
        TRY(argand_array_max_abs(&most, x->k[axis]));
        part = most / (0.5 * (double)x->n[axis]) > part ? most / (0.5 * (double)x->n[axis]) : part;
    }
    if (part > 1.5)
        return report_error(
            ARGAND_ARGUMENT,
            "%s: positions reach %.3g times as far as k-space of --matrix: they are cycles per field "
            "of view; give the matrix that they belong to",
            s->input, part);
    if (part < 0.25)
        report_note(out,
                    "%s: positions reach %.3g of k-space of --matrix: are they in cycles per field of view? "
                    "Normalised ones (up to 0.5) are to be multiplied by the matrix.",
                    s->input, part);
    return ARGAND_OK;
}

static argand_status from_array(const density_settings *s, argand_device *device, report *out)
{
    argand_array *trajectory, *weights = NULL, *flat = NULL;
    calibrate_samples x = {0};
    int64_t dims[ARGAND_MAX_RANK];
    TRY(calibrate_read(&trajectory, s->input, KIND_TRAJECTORY, device));
    const int rank = argand_array_rank(trajectory);
    for (int axis = 1; axis < rank; axis++) dims[axis - 1] = argand_array_dim(trajectory, axis);
    argand_status status = split(&x, trajectory, s, device);
    if (!status) status = check_reach(&x, s, out);
    if (!status) status = argand_array_create(&weights, device, ARGAND_R32, rank - 1, dims);
    if (!status) status = argand_array_reshape(&flat, weights, 1, &x.points);
    if (!status) status = weigh(flat, &x, s, device, out);
    if (!status) status = write_weights(s, weights, out);
    argand_array_destroy(flat);
    argand_array_destroy(weights);
    calibrate_samples_free(&x);
    argand_array_destroy(trajectory);
    return status;
}

static argand_status work(void *settings, argand_device *device, report *out)
{
    const density_settings *s = settings;
    return path_is_scan(s->input) ? from_scan(s, device, out) : from_array(s, device, out);
}

int calibrate_density(int argc, char **argv)
{
    int exit_code;
    density_settings s = {.choice.slice = -1};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    return calibrate_run(&(calibrate_job){.name = "calibrate density",
                                          .common = &s.common,
                                          .input = s.input,
                                          .output = s.output,
                                          .settings = &s,
                                          .work = work});
}
