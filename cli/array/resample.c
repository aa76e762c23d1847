/* SPDX-License-Identifier: BSD-3-Clause */
/* argand resample: an image or a map on the grid of another, by their places in the patient. */
#include "array/numbers.h"

#include <math.h>

/* Voxel numbers of one grid to those of another: at = origin + matrix v. */
typedef struct between {
    double origin[3], matrix[3][3];
} between;

static void column(double to[3], const argand_geometry *g, int axis)
{
    const double *direction = axis == 0 ? g->read : axis == 1 ? g->phase : g->slice;
    for (int i = 0; i < 3; i++) to[i] = direction[i] * g->voxel[axis];
}

/* The inverse of the matrix whose columns are a voxel's steps: its rows. */
static void invert(double rows[3][3], const argand_geometry *g)
{
    double c[3][3];
    for (int axis = 0; axis < 3; axis++) column(c[axis], g, axis);
    for (int i = 0; i < 3; i++) {
        const double *a = c[(i + 1) % 3], *b = c[(i + 2) % 3];
        const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                 a[0] * b[1] - a[1] * b[0]};
        const double volume = c[i][0] * cross[0] + c[i][1] * cross[1] + c[i][2] * cross[2];
        for (int j = 0; j < 3; j++) rows[i][j] = cross[j] / volume;
    }
}

static void relate(between *b, const numbers *x, const numbers *like)
{
    double rows[3][3], step[3];
    invert(rows, &x->geometry);
    for (int i = 0; i < 3; i++) {
        b->origin[i] = (double)(x->dims[i] / 2);
        for (int j = 0; j < 3; j++)
            b->origin[i] += rows[i][j] * (like->geometry.centre[j] - x->geometry.centre[j]);
    }
    for (int axis = 0; axis < 3; axis++) {
        column(step, &like->geometry, axis);
        for (int i = 0; i < 3; i++) {
            b->matrix[i][axis] = rows[i][0] * step[0] + rows[i][1] * step[1] + rows[i][2] * step[2];
            b->origin[i] -= b->matrix[i][axis] * (double)(like->dims[axis] / 2);
        }
    }
}

/* Trilinear between the eight neighbours; half a voxel beyond the edge counts as the edge, more is 0. */
static double complex value_at(const numbers *x, const double complex *v, const double at[3], bool nearest)
{
    int64_t low[3];
    double part[3];
    double complex sum = 0;
    for (int d = 0; d < 3; d++) {
        const double last = (double)(x->dims[d] - 1), inside = fmin(fmax(at[d], 0), last);
        if (!(at[d] > -0.5 - 1e-6 && at[d] < last + 0.5 + 1e-6)) return 0;
        low[d] = (int64_t)floor(nearest ? inside + 0.5 : inside);
        part[d] = nearest ? 0 : inside - (double)low[d];
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        int64_t place = 0, stride = 1;
        for (int d = 0; d < 3; d++) {
            const int up = corner >> d & 1;
            weight *= up ? part[d] : 1 - part[d];
            place += (low[d] + up) * stride;
            stride *= x->dims[d];
        }
        if (weight > 0) sum += weight * v[place];
    }
    return sum;
}

static argand_status resample(numbers *y, const numbers *x, const numbers *like, bool nearest)
{
    between b;
    int64_t dims[ARGAND_MAX_RANK];
    for (int d = 0; d < ARGAND_MAX_RANK; d++) dims[d] = d < 3 ? like->dims[d] : x->dims[d];
    relate(&b, x, like);
    TRY(numbers_like(y, x, x->rank > 3 ? x->rank : 3, dims));
    const int64_t volume = dims[0] * dims[1] * dims[2], from = x->dims[0] * x->dims[1] * x->dims[2];
    for (int64_t i = 0; i < y->count; i++) {
        const int64_t p = i % volume;
        const double v[3] = {(double)(p % dims[0]), (double)(p / dims[0] % dims[1]),
                             (double)(p / (dims[0] * dims[1]))};
        double at[3];
        for (int d = 0; d < 3; d++)
            at[d] = b.origin[d] + b.matrix[d][0] * v[0] + b.matrix[d][1] * v[1] + b.matrix[d][2] * v[2];
        y->v[i] = value_at(x, x->v + i / volume * from, at, nearest);
    }
    y->geometry = like->geometry;
    y->geometry.time_step = x->geometry.time_step;
    return ARGAND_OK;
}

static argand_status check_place(const numbers *x)
{
    if (x->geometry.valid) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "%s: has no place in the patient (a NIfTI file with a qform or sform is "
                        "wanted)",
                        x->path);
}

static argand_status work(const char *const names[2], const char *reference, bool nearest,
                          argand_device *device, report *out)
{
    numbers x = {0}, like = {0}, y = {0};
    char path[4200];
    argand_status status = numbers_read(&x, names[0], device);
    if (!status) status = numbers_read(&like, reference, device);
    if (!status) status = check_place(&x);
    if (!status) status = check_place(&like);
    if (!status) status = resample(&y, &x, &like, nearest);
    if (!status) status = numbers_write(names[1], &y, device);
    if (!status) {
        report_note(out, "%s: %s from %lld x %lld x %lld to %lld x %lld x %lld voxels, 0 where it has none.",
                    names[1], nearest ? "nearest neighbours" : "trilinear", (long long)x.dims[0],
                    (long long)x.dims[1], (long long)x.dims[2], (long long)y.dims[0], (long long)y.dims[1],
                    (long long)y.dims[2]);
        report_result(out, "\"output\":%s", json_string(path, sizeof path, names[1]));
    }
    numbers_free(&x);
    numbers_free(&like);
    numbers_free(&y);
    return status;
}

static int run(int argc, char **argv)
{
    static common_options common;
    const char *names[2] = {NULL}, *like = NULL;
    bool nearest = false;
    const option options[] = {
        text_option("like", 0, &like, "IMAGE.nii", "the grid that is wanted"),
        flag_option("nearest", 0, &nearest, "the nearest voxel, for masks and labels"),
        COMMON_OPTIONS(common),
    };
    command_line line = {
        .usage = "argand resample IN.nii OUT.nii --like IMAGE.nii [options]",
        .description =
            "Puts an image or a map (.nii, .nii.gz) on the grid of another, by the places of both in the "
            "patient:\nfield maps, masks and coil maps of other scans, for argand sense. Linear between "
            "voxels; further\ndimensions are volumes; 0 where IN has nothing.",
        .examples = "  argand resample b0.nii.gz b0_here.nii.gz --like image.nii.gz\n",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .positional_least = 2,
        .positional_most = 2,
        .positional = names};
    int exit_code;
    report out;
    argand_device *device = NULL;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "resample", &common);
    interrupt_watch();
    argand_status status = like ? common_open_host(&common, &device)
                                : report_error(ARGAND_ARGUMENT, "give the grid: --like IMAGE.nii");
    if (!status) status = work(names, like, nearest, device, &out);
    argand_device_close(device);
    return status ? report_failure(&out, status) : 0;
}

const command command_resample = {"resample", "an image or map on the grid of another", run};
