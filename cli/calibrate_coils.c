/* SPDX-License-Identifier: BSD-3-Clause */
/* argand calibrate coils. */
#include "calibrate.h"

typedef struct coils_settings {
    common_options common;
    calibrate_choice choice;
    const char *input, *output, *eigenvalues;
    int method, region, kernel, sets;
    double threshold, crop, sigma;
    bool soft, images;
} coils_settings;

static const char description[] =
    "Coil sensitivities from a scan, from k-space {nx, ny[, nz], coils}, or (--images) from coil images.\n"
    "  espirit    eigenvectors of the calibration region's structure: no division by an image, 0 where there "
    "is no\n"
    "             signal, and with --sets 2 also where the object is larger than the field of view. It needs "
    "a fully\n"
    "             sampled centre of k-space. Definitions and defaults are BART's (ecalib -m 1).\n"
    "  adaptive   the local principal component of the coil images in a Gaussian window: defined everywhere, "
    "smooth\n"
    "Calibration acquisitions are used where a scan has them. Maps have the sum over coils of |S|^2 = 1.\n"
    "Written: complex {nx, ny, nz, coils}, and one more dimension for several sets or slices.";

static const char examples[] =
    "  argand calibrate coils scan.h5 maps.nii.gz\n"
    "  argand sense scan.h5 image.nii.gz --coil-maps maps.nii.gz\n"
    "  argand calibrate coils kspace.npy maps.cfl --region 20 --kernel 5 --sets 2\n";

static bool parse(coils_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        {.name = "method",
         .kind = OPTION_CHOICE,
         .value = &s->method,
         .argument = "NAME",
         .help = "how",
         .choices = "espirit|adaptive"},
        {.name = "region",
         .kind = OPTION_INT,
         .value = &s->region,
         .argument = "N",
         .help = "calibration region along each axis; 0: the fully sampled one, up to 24",
         .high = 1024},
        {.name = "kernel",
         .kind = OPTION_INT,
         .value = &s->kernel,
         .argument = "N",
         .help = "size of kernels along each axis; 0: 6 or what fits",
         .high = 64},
        {.name = "threshold",
         .kind = OPTION_DOUBLE,
         .value = &s->threshold,
         .argument = "T",
         .help = "part of the largest energy below which structure is noise",
         .low = 1e-12,
         .high = 0.999},
        {.name = "crop",
         .kind = OPTION_DOUBLE,
         .value = &s->crop,
         .argument = "C",
         .help = "maps are 0 where the eigenvalue is below C; negative: nowhere",
         .low = -1,
         .high = 0.999},
        {.name = "soft",
         .kind = OPTION_FLAG,
         .value = &s->soft,
         .help = "fall off smoothly towards the crop"},
        {.name = "sets",
         .kind = OPTION_INT,
         .value = &s->sets,
         .argument = "N",
         .help = "of maps",
         .low = 1,
         .high = 16},
        {.name = "eigenvalues",
         .kind = OPTION_TEXT,
         .value = &s->eigenvalues,
         .argument = "FILE",
         .help = "write these too: near 1 where maps explain the data"},
        {.name = "sigma",
         .kind = OPTION_DOUBLE,
         .value = &s->sigma,
         .argument = "S",
         .help = "adaptive: width of the window in pixels; 0: 3",
         .high = 1000},
        {.name = "images",
         .kind = OPTION_FLAG,
         .value = &s->images,
         .help = "IN holds coil images, not k-space"},
        CHOICE_OPTIONS(s->choice),
        SCAN_OPTIONS(s->choice.reading),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand calibrate coils IN OUT [options]",
                         .description = description,
                         .examples = examples,
                         .options = options,
                         .option_count = sizeof options / sizeof *options,
                         .positional_least = 2};
    return command_parse_files(&line, argc, argv, exit_code, &s->input, &s->output);
}

/* One set of data to maps. values may be NULL. */
static argand_status estimate(const coils_settings *s, argand_array *maps, argand_array *values,
                              const argand_array *data, bool images, report *out)
{
    argand_espirit_options o = {
        .threshold = s->threshold, .crop = s->crop, .soft = s->soft, .images = images};
    argand_espirit_report r;
    if (s->method) return argand_coils_estimate(maps, data, s->sigma);
    for (int axis = 0; axis < argand_array_rank(data) - 1; axis++) {
        if (argand_array_dim(data, axis) == 1) continue;
        o.calibration[axis] = s->region;
        o.kernel[axis] = s->kernel;
    }
    TRY(argand_coils_espirit(maps, values, data, &o, &r));
    report_note(out,
                "ESPIRiT: region %lld x %lld x %lld, kernel %lld x %lld x %lld, %lld of %lld patches' "
                "directions kept; maps "
                "cover %.1f %% of the image.",
                (long long)r.calibration[0], (long long)r.calibration[1], (long long)r.calibration[2],
                (long long)r.kernel[0], (long long)r.kernel[1], (long long)r.kernel[2], (long long)r.rank,
                (long long)r.patches, 100 * r.inside);
    return ARGAND_OK;
}

/* values may be NULL. */
static argand_status write_maps(const coils_settings *s, const argand_array *maps, const argand_array *values,
                                const argand_geometry *geometry, report *out)
{
    const sidecar of_maps = calibrate_facts(KIND_COIL_MAPS, "", "x, y, z, coil, set or slice", s->input),
                  of_values = calibrate_facts(KIND_EIGENVALUES, "", "x, y, z, set or slice", s->input);
    TRY(calibrate_write(s->output, maps, geometry, &of_maps, out));
    return values ? calibrate_write(s->eigenvalues, values, geometry, &of_values, out) : ARGAND_OK;
}

/* Adaptive combination of a k-space array: its images first. */
static argand_status to_images(argand_array **images, const argand_array *kspace)
{
    const int rank = argand_array_rank(kspace);
    int64_t dims[4];
    argand_fft *plan = NULL;
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(kspace, axis);
    const bool flat = rank == 3 || dims[2] == 1;
    const argand_fft_options o = {.type = argand_array_type(kspace),
                                  .rank = flat ? 2 : 3,
                                  .n = {dims[0], dims[1], flat ? 1 : dims[2]},
                                  .batch = dims[rank - 1],
                                  .centred = true,
                                  .scale = ARGAND_SCALE_UNITARY};
    TRY(argand_array_create(images, argand_array_device(kspace), o.type, rank, dims));
    argand_status status = argand_array_copy(*images, kspace);
    if (!status) status = argand_fft_create(&plan, argand_array_device(kspace), &o);
    if (!status) status = argand_fft_apply(plan, *images, *images, ARGAND_INVERSE);
    argand_fft_destroy(plan);
    return status;
}

static argand_status check_array(const coils_settings *s, const argand_array *data)
{
    const argand_type type = argand_array_type(data);
    const int rank = argand_array_rank(data);
    if ((type != ARGAND_C32 && type != ARGAND_C64) || rank < 3 || rank > 4)
        return report_error(ARGAND_ARGUMENT, "%s: rank %d, %s; coil data are complex {nx, ny[, nz], coils}",
                            s->input, rank, argand_type_name(type));
    if (s->method && s->sets > 1)
        return report_error(ARGAND_ARGUMENT, "--sets is ESPIRiT's: there is one adaptive set");
    if (s->method && s->eigenvalues) return report_error(ARGAND_ARGUMENT, "--eigenvalues are ESPIRiT's");
    return ARGAND_OK;
}

/* An array file: maps of its own size, or of --matrix. */
static argand_status from_array(const coils_settings *s, argand_device *device, report *out)
{
    argand_array *data = NULL, *images = NULL, *maps = NULL, *values = NULL;
    int64_t dims[6] = {1, 1, 1, 1, 1, 1}, size[4];
    argand_status status = calibrate_read(&data, s->input, KIND_KSPACE, device);
    if (!status) status = check_array(s, data);
    if (!status) {
        const int rank = argand_array_rank(data), space = rank - 1;
        for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(data, axis);
        for (int axis = 0; axis < space && axis < s->choice.matrix.rank; axis++)
            dims[axis] = s->choice.matrix.n[axis];
        dims[rank] = s->sets;
        for (int axis = 0; axis < space; axis++) size[axis] = dims[axis];
        size[space] = s->sets;
        status = argand_array_create(&maps, device, argand_array_type(data), rank + (s->sets > 1), dims);
        if (!status && s->eigenvalues)
            status = argand_array_create(&values, device, ARGAND_R32, space + (s->sets > 1), size);
    }
    if (!status && s->method && !s->images) status = to_images(&images, data);
    if (!status) status = estimate(s, maps, values, images ? images : data, s->images, out);
    if (!status) status = write_maps(s, maps, values, NULL, out);
    argand_array_destroy(values);
    argand_array_destroy(maps);
    argand_array_destroy(images);
    argand_array_destroy(data);
    return status;
}

/* Maps {nx, ny, nz, coils[, sets or slices]} and eigenvalues {nx, ny, nz[, ...]} of a scan. */
typedef struct scan_maps {
    argand_array *maps, *values;
    argand_geometry geometry;
    int64_t count; /* slices */
} scan_maps;

static argand_status make_maps(scan_maps *m, const coils_settings *s, const calibrate_samples *x,
                               argand_device *device)
{
    const int64_t more = m->count > 1 ? m->count : s->sets;
    const int64_t dims[5] = {x->n[0], x->n[1], x->n[2], x->coils, more},
                  size[4] = {x->n[0], x->n[1], x->n[2], more};
    m->geometry = x->geometry;
    TRY(argand_array_create(&m->maps, device, ARGAND_C32, more > 1 ? 5 : 4, dims));
    return s->eigenvalues ? argand_array_create(&m->values, device, ARGAND_R32, more > 1 ? 4 : 3, size)
                          : ARGAND_OK;
}

/* The index-th of all slices. */
static argand_status one_slice(scan_maps *m, const coils_settings *s, const argand_scan *scan, int slice,
                               int64_t index, argand_device *device, report *out)
{
    calibrate_samples x;
    argand_array *images = NULL, *maps = NULL, *values = NULL;
    argand_status status = calibrate_take(&x, scan, &s->choice, slice, 0, true, device);
    if (!status && index == 0) status = make_maps(m, s, &x, device);
    if (!status)
        status = argand_array_create(&images, device, ARGAND_C32, 4,
                                     (const int64_t[4]){x.n[0], x.n[1], x.n[2], x.coils});
    if (!status) status = calibrate_images(images, &x, device);
    if (!status && m->count > 1) status = calibrate_last(&maps, m->maps, index);
    if (!status && m->count > 1 && m->values) status = calibrate_last(&values, m->values, index);
    if (!status)
        status = estimate(s, maps ? maps : m->maps, m->count > 1 ? values : m->values, images, true, out);
    argand_array_destroy(values);
    argand_array_destroy(maps);
    argand_array_destroy(images);
    calibrate_samples_free(&x);
    return status;
}

static argand_status from_scan(const coils_settings *s, argand_device *device, report *out)
{
    argand_scan *scan;
    scan_maps m = {0};
    TRY(calibrate_open(&scan, s->input, &s->choice.reading, out));
    const int first = s->choice.slice < 0 ? 0 : s->choice.slice;
    m.count = s->choice.slice < 0 ? calibrate_slices(scan, s->choice.encoding) : 1;
    argand_status status =
        m.count > 1 && s->sets > 1
            ? report_error(ARGAND_ARGUMENT, "several sets of maps of several slices; name one with --slice")
            : ARGAND_OK;
    if (!status && s->method && (s->sets > 1 || s->eigenvalues))
        status = report_error(ARGAND_ARGUMENT, "--sets and --eigenvalues are ESPIRiT's");
    report_stage(out, "estimating maps");
    for (int64_t i = 0; (i < m.count || i == 0) && !status; i++) {
        status = interrupted() ? ARGAND_STOPPED : one_slice(&m, s, scan, first + (int)i, i, device, out);
        report_progress(out, (double)i + 1, (double)m.count);
    }
    if (!status) status = write_maps(s, m.maps, m.values, &m.geometry, out);
    argand_array_destroy(m.values);
    argand_array_destroy(m.maps);
    argand_scan_destroy(scan);
    return status;
}

int calibrate_coils(int argc, char **argv)
{
    int exit_code;
    argand_device *device;
    report out;
    coils_settings s = {.choice.slice = -1, .sets = 1, .threshold = 0.001, .crop = 0.8};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "calibrate coils", &s.common);
    interrupt_watch();
    argand_status status = common_open_host(&s.common, &device);
    if (!status) {
        status = calibrate_is_scan(s.input) ? from_scan(&s, device, &out) : from_array(&s, device, &out);
        argand_device_close(device);
    }
    if (!status) calibrate_done(&out, s.output);
    return calibrate_end(&out, status, s.input);
}
