/* SPDX-License-Identifier: BSD-3-Clause */
/* argand resample: resamples an image or a map to the grid of another by their positions in the patient. */
#include "array/placed.h"
#include "common/report.h"

/* Resamples volume by volume. */
static argand_status resample(placed *y, const placed *x, const placed *like, bool nearest)
{
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = argand_array_rank(x->array);
    for (int d = 0; d < ARGAND_MAX_RANK; d++) dims[d] = argand_array_dim(d < 3 ? like->array : x->array, d);
    y->geometry = like->geometry;
    y->geometry.time_step = x->geometry.time_step;
    TRY(argand_array_create(&y->array, argand_array_device(x->array), argand_array_type(x->array),
                            rank > 3 ? rank : 3, dims));
    return argand_array_regrid(y->array, &like->geometry, x->array, &x->geometry, nearest, NULL);
}

static long long voxels(const placed *x, int axis)
{
    return (long long)argand_array_dim(x->array, axis);
}

static argand_status work(const char *const names[2], const char *reference, bool nearest,
                          argand_device *device, report *out)
{
    placed x = {0}, like = {0}, y = {0};
    char path[4200];
    argand_status status = placed_read(&x, names[0], device);
    if (!status) status = placed_read(&like, reference, device);
    if (!status) status = placed_check(&x, names[0]);
    if (!status) status = placed_check(&like, reference);
    if (!status) status = resample(&y, &x, &like, nearest);
    if (!status) status = placed_write(names[1], &y);
    if (!status) {
        report_note(
            out,
            "%s: %s from %lld x %lld x %lld to %lld x %lld x %lld voxels; voxels outside the input are 0.",
            names[1], nearest ? "nearest neighbours" : "trilinear", voxels(&x, 0), voxels(&x, 1),
            voxels(&x, 2), voxels(&y, 0), voxels(&y, 1), voxels(&y, 2));
        report_result(out, "\"output\":%s", json_string(path, sizeof path, names[1]));
    }
    argand_array_destroy(x.array);
    argand_array_destroy(like.array);
    argand_array_destroy(y.array);
    return status;
}

static int run(int argc, char **argv)
{
    static common_options common;
    const char *names[2] = {NULL}, *like = NULL;
    bool nearest = false;
    const option options[] = {
        text_option("like", 0, &like, "IMAGE.nii", "image whose grid the output has"),
        flag_option("nearest", 0, &nearest,
                    "take the nearest voxel, for masks and labels. Default: linear interpolation"),
        COMMON_OPTIONS(common),
    };
    command_line line = {.usage = "argand resample IN.nii OUT.nii --like IMAGE.nii [options]",
                         .description = "Interpolates an image or a map (.nii, .nii.gz) linearly to the grid "
                                        "of another, by the position and orientation of both:\n"
                                        "field maps, masks and coil maps of other scans, for argand sense. "
                                        "Dimensions beyond the third count volumes. Voxels\n"
                                        "outside IN become 0.",
                         .examples = "  argand resample b0.nii.gz b0_here.nii.gz --like image.nii.gz\n",
                         OPTION_TABLE(options),
                         .files = {&names[0], &names[1]},
                         .positional_least = 2};
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

const command command_resample = {
    .name = "resample", .summary = "interpolate an image or map to the grid of another", .run = run};
