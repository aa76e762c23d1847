/* SPDX-License-Identifier: BSD-3-Clause */
/* argand resample: an image or a map on the grid of another, by their places in the patient. */
#include "array/numbers.h"
#include "common/regrid.h"

/* Volume by volume. */
static argand_status resample(numbers *y, const numbers *x, const numbers *like, bool nearest)
{
    int64_t dims[ARGAND_MAX_RANK];
    for (int d = 0; d < ARGAND_MAX_RANK; d++) dims[d] = d < 3 ? like->dims[d] : x->dims[d];
    TRY(numbers_like(y, x, x->rank > 3 ? x->rank : 3, dims));
    const int64_t volume = dims[0] * dims[1] * dims[2], from = x->dims[0] * x->dims[1] * x->dims[2];
    const regrid_place here = {{dims[0], dims[1], dims[2]}, like->geometry},
                       there = {{x->dims[0], x->dims[1], x->dims[2]}, x->geometry};
    for (int64_t i = 0; i < y->count / volume; i++)
        (void)regrid(y->v + i * volume, &here, x->v + i * from, &there, nearest);
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

const command command_resample = {"resample", "interpolate an image or map to the grid of another", run};
