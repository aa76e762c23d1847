/* SPDX-License-Identifier: BSD-3-Clause */
/* argand calibrate coils. */
#include "calibrate/calibrate.h"
#include "common/path.h"

#include <string.h>

typedef struct coils_settings {
    common_options common;
    calibrate_choice choice;
    const char *input, *output, *eigenvalues;
    int method, region, kernel, sets;
    double threshold, crop, sigma;
    bool soft, images;
} coils_settings;

static const char description[] = "Computes coil sensitivity maps from a scan, from k-space {nx, ny[, nz], "
                                  "coils}, or with --images from coil images.\n"
                                  "  espirit    eigenvectors of the calibration matrix. The maps are 0 where "
                                  "there is no signal, and --sets 2 also serves\n"
                                  "             objects larger than the field of view. The centre of k-space "
                                  "must be fully sampled. BART's defaults\n"
                                  "             (ecalib -m 1): region 24, kernel 6, crop 0.8. Not BART's: "
                                  "the threshold, found from the data.\n"
                                  "             Maps then cover more pixels outside the object. With "
                                  "--threshold 0.001 they cover the same pixels.\n"
                                  "  adaptive   the local principal component of the coil images in a "
                                  "Gaussian window: smooth maps, defined everywhere\n"
                                  "From a scan, all samples of the centre of k-space are used: image lines, "
                                  "calibration lines between them with any flags,\n"
                                  "or a separate calibration scan. The maps have the size of the image that "
                                  "argand sense makes, and the sum over coils of\n"
                                  "|S|^2 is 1. The output is complex {nx, ny, nz, coils}, with one more "
                                  "dimension for several sets or slices.";

static const char examples[] =
    "  argand calibrate coils scan.h5 maps.nii.gz\n"
    "  argand sense scan.h5 image.nii.gz --coil-maps maps.nii.gz\n"
    "  argand calibrate coils kspace.npy maps.cfl --region 20 --kernel 5 --sets 2\n";

static bool parse(coils_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        choice_option("method", 0, &s->method, "NAME", "espirit|adaptive", "method"),
        int_option(
            "region", 0, &s->region, "N", 0, 1024,
            "size of the calibration region along each axis; 0 uses the fully sampled centre, at most 24"),
        int_option("kernel", 0, &s->kernel, "N", 0, 64,
                   "kernel size along each axis; 0 uses 6, or less in a small calibration region"),
        double_option("threshold", 0, &s->threshold, "T", 0, 0.999,
                      "treat singular vectors with an energy below T times the largest as noise; 0 finds T "
                      "from the data. BART's value is 0.001"),
        double_option("crop", 0, &s->crop, "C", -1, 0.999,
                      "set the maps to 0 where the eigenvalue is below C; a negative C sets nothing to 0"),
        flag_option("soft", 0, &s->soft, "let the maps fall off smoothly towards --crop"),
        int_option("sets", 0, &s->sets, "N", 1, 16, "number of sets of coil maps"),
        text_option(
            "eigenvalues", 0, &s->eigenvalues, "FILE",
            "also write the eigenvalue of each pixel; a value near 1 means that the maps explain the data"),
        double_option("sigma", 0, &s->sigma, "S", 0, 1000,
                      "width of the Gaussian window in pixels (adaptive); 0 uses 3"),
        flag_option("images", 0, &s->images, "IN holds coil images instead of k-space"),
        CHOICE_OPTIONS(s->choice),
        SCAN_OPTIONS(s->choice.reading),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand calibrate coils IN OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->input, &s->output},
                         .positional_least = 2};
    return command_parse(&line, argc, argv, exit_code);
}

/* Estimates the maps of one set of data. values may be NULL. */
static argand_status estimate(const coils_settings *s, argand_array *maps, argand_array *values,
                              const argand_array *data, bool images, report *out)
{
    argand_espirit_options o = {.threshold = s->threshold > 0 ? s->threshold : -1e-4,
                                .crop = s->crop,
                                .soft = s->soft,
                                .images = images};
    argand_espirit_report r;
    if (s->method) return argand_coils_estimate(maps, data, s->sigma);
    for (int axis = 0; axis < argand_array_rank(data) - 1; axis++) {
        if (argand_array_dim(data, axis) == 1) continue;
        o.calibration[axis] = s->region;
        o.kernel[axis] = s->kernel;
    }
    TRY(argand_coils_espirit(maps, values, data, &o, &r));
    if (r.note[0]) report_note(out, "%s", r.note);
    report_note(out,
                "ESPIRiT: region %lld x %lld x %lld, kernel %lld x %lld x %lld, %lld of %lld patches' "
                "directions kept; maps "
                "cover %.1f %% of the image.",
                (long long)r.calibration[0], (long long)r.calibration[1], (long long)r.calibration[2],
                (long long)r.kernel[0], (long long)r.kernel[1], (long long)r.kernel[2], (long long)r.rank,
                (long long)r.patches, 100 * r.inside);
    return ARGAND_OK;
}

/* Writes maps and eigenvalues. values may be NULL. */
static argand_status write_maps(const coils_settings *s, const argand_array *maps, const argand_array *values,
                                const argand_geometry *geometry, report *out)
{
    const bool sets = s->sets > 1;
    const sidecar of_maps = calibrate_facts(KIND_COIL_MAPS, "",
                                            sets ? "x, y, z, coil, set" : "x, y, z, coil, slice", s->input),
                  of_values = calibrate_facts(KIND_EIGENVALUES, "", sets ? "x, y, z, set" : "x, y, z, slice",
                                              s->input);
    TRY(calibrate_write(s->output, maps, geometry, &of_maps, out));
    return values ? calibrate_write(s->eigenvalues, values, geometry, &of_values, out) : ARGAND_OK;
}

/* Transforms k-space to images, which adaptive combination needs. */
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
                                  .scale = ARGAND_SCALE_UNITARY,
                                  .wait_for_kernels = true};
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
        return report_error(ARGAND_ARGUMENT,
                            "--sets needs --method espirit: adaptive combination makes one set of maps");
    if (s->method && s->eigenvalues)
        return report_error(ARGAND_ARGUMENT, "--eigenvalues needs --method espirit");
    return ARGAND_OK;
}

/* Estimates maps from an array file, of its own size or of --matrix. */
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

/* ---- scans: a session makes the maps, so that they equal those of `argand sense` and have its image's
 * size */

/* Maps {nx, ny, nz, coils[, sets or slices]} and eigenvalues {nx, ny, nz[, ...]} of a scan. */
typedef struct scan_maps {
    argand_array *maps, *values;
    int64_t count; /* slices */
    size_t notes;  /* number of characters of the session's notes already printed */
} scan_maps;

static argand_status open_session(const coils_settings *s, const argand_scan *scan, argand_device *device,
                                  argand_sense **session)
{
    argand_sense_options o = {.transform = ARGAND_TRANSFORM_NUFFT,
                              .density = ARGAND_DENSITY_NONE,
                              .toeplitz = ARGAND_TOEPLITZ_OFF,
                              .encoding = s->choice.encoding,
                              .coils = s->method ? ARGAND_COILS_ADAPTIVE : ARGAND_COILS_ESPIRIT,
                              .espirit = {.threshold = s->threshold, .crop = s->crop, .soft = s->soft},
                              .coil_sigma = s->sigma,
                              .sets = s->sets,
                              .field_map_name = "",
                              .coil_maps_name = ""};
    for (int axis = 0; axis < 3; axis++) {
        o.espirit.calibration[axis] = s->region;
        o.espirit.kernel[axis] = s->kernel;
        if (axis < s->choice.matrix.rank) o.matrix[axis] = s->choice.matrix.n[axis];
    }
    if (s->choice.encoding >= scan->encoding_count)
        return report_error(ARGAND_ARGUMENT, "%s: there is no encoding %d, only %d", scan->path,
                            s->choice.encoding, scan->encoding_count);
    return argand_sense_create(session, device, scan, &o);
}

static void print_notes(const argand_sense *session, scan_maps *m, report *out)
{
    for (const char *notes = argand_sense_notes(session) + m->notes; *notes;) {
        const int length = (int)strcspn(notes, "\n");
        if (length) report_note(out, "%.*s", length, notes);
        notes += length + (notes[length] == '\n');
    }
    m->notes = strlen(argand_sense_notes(session));
}

/* Returns the first volume of a slice; -1: none. */
static int volume_of(const argand_sense *session, int slice)
{
    for (int v = 0; v < argand_sense_volumes(session); v++)
        if (argand_sense_counters(session, v)->slice == slice) return v;
    return -1;
}

static int slices_of(const argand_sense *session)
{
    int most = 0;
    for (int v = 0; v < argand_sense_volumes(session); v++)
        if (argand_sense_counters(session, v)->slice >= most)
            most = argand_sense_counters(session, v)->slice + 1;
    return most;
}

/* Appends one slice's array to those of the slices before it; a single slice stays unchanged. */
static argand_status keep(argand_array **all, argand_array *one, int64_t count, int64_t index)
{
    argand_array *place = NULL;
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = argand_array_rank(one);
    argand_status status = ARGAND_OK;
    if (count == 1) {
        *all = one;
        return ARGAND_OK;
    }
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(one, axis);
    dims[rank] = count;
    if (!*all)
        status = argand_array_create(all, argand_array_device(one), argand_array_type(one), rank + 1, dims);
    if (!status) status = calibrate_last(&place, *all, index);
    if (!status) status = argand_array_copy(place, one);
    argand_array_destroy(place);
    argand_array_destroy(one);
    return status;
}

/* Makes the maps of a slice and stores them as number `index`. */
static argand_status one_slice(scan_maps *m, const coils_settings *s, argand_sense *session, int slice,
                               int64_t index)
{
    argand_array *maps = NULL, *values = NULL;
    const int volume = volume_of(session, slice);
    if (volume < 0)
        return report_error(ARGAND_ARGUMENT, "%s: there are no image data of slice %d", s->input, slice);
    TRY(argand_sense_coil_maps(session, volume, &maps));
    TRY(keep(&m->maps, maps, m->count, index));
    if (!s->eigenvalues) return ARGAND_OK;
    TRY(argand_sense_eigenvalues(session, volume, &values));
    return values ? keep(&m->values, values, m->count, index) : ARGAND_OK;
}

static argand_status check_scan(const coils_settings *s, int64_t slices)
{
    if (slices > 1 && s->sets > 1)
        return report_error(
            ARGAND_ARGUMENT,
            "a file cannot hold several sets of maps for several slices; choose one slice with --slice");
    if (s->method && (s->sets > 1 || s->eigenvalues))
        return report_error(ARGAND_ARGUMENT, "--sets and --eigenvalues need --method espirit");
    return ARGAND_OK;
}

static argand_status all_slices(scan_maps *m, const coils_settings *s, argand_sense *session, report *out)
{
    const int first = s->choice.slice < 0 ? 0 : s->choice.slice;
    m->count = s->choice.slice < 0 ? slices_of(session) : 1;
    argand_status status = check_scan(s, m->count);
    report_stage(out, "estimating maps");
    for (int64_t i = 0; i < m->count && !status; i++) {
        status = interrupted() ? ARGAND_STOPPED : one_slice(m, s, session, first + (int)i, i);
        print_notes(session, m, out);
        report_progress(out, (double)i + 1, (double)m->count);
    }
    return status;
}

static argand_status from_scan(const coils_settings *s, argand_device *device, report *out)
{
    argand_scan *scan;
    argand_sense *session = NULL;
    scan_maps m = {0};
    TRY(calibrate_open(&scan, s->input, &s->choice.reading, out));
    argand_status status = s->method ? check_scan(s, 1) : ARGAND_OK;
    if (!status) status = open_session(s, scan, device, &session);
    if (!status) status = all_slices(&m, s, session, out);
    if (!status) {
        const int slice = s->choice.slice < 0 ? 0 : s->choice.slice;
        const argand_geometry geometry = argand_sense_geometry(session, volume_of(session, slice));
        status = write_maps(s, m.maps, m.values, &geometry, out);
    }
    argand_array_destroy(m.values);
    argand_array_destroy(m.maps);
    argand_sense_destroy(session);
    argand_scan_destroy(scan);
    return status;
}

static argand_status work(void *settings, argand_device *device, report *out)
{
    const coils_settings *s = settings;
    return path_is_scan(s->input) ? from_scan(s, device, out) : from_array(s, device, out);
}

int calibrate_coils(int argc, char **argv)
{
    int exit_code;
    coils_settings s = {.choice.slice = -1, .sets = 1, .crop = 0.8};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    return calibrate_run(&(calibrate_job){.name = "calibrate coils",
                                          .common = &s.common,
                                          .input = s.input,
                                          .output = s.output,
                                          .any_device = !s.method,
                                          .settings = &s,
                                          .work = work});
}
