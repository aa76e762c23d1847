/* SPDX-License-Identifier: BSD-3-Clause */
/* argand calibrate field-map. */
#include "calibrate/opposite.h"
#include "common/path.h"
#include "files/maps.h"

#include <stdlib.h>

enum { MOST_ECHOES = 64 };

typedef struct field_settings {
    common_options common;
    calibrate_choice choice;
    const char *input, *output, *echo_times, *mask, *opposite;
    double beta, threshold, echo_spacing;
    int iterations, unit;
    bool zero_outside;
    int echo_count;
    double times[MOST_ECHOES];
} field_settings;

static const char description[] =
    "Computes a field map from two or more echoes: the contrasts of a scan, or complex images {nx, ny[, nz], "
    "coils, echoes}\n"
    "(one coil: size 1) with --echo-times. The phases of all coils and pairs of echoes are fitted together, "
    "with a penalty on\n"
    "roughness, inside a mask, after unwrapping. An echo at time t has the phase exp(-i w t).\n"
    "Two echoes determine the map up to a multiple of 1 / (t2 - t1) Hz: the map whose mean is nearest to 0 "
    "is taken. Outside\n"
    "the mask the map is continued smoothly, because a jump at the rim would harm a reconstruction.\n"
    "--opposite: IN and FILE are images of EPI that were read in opposite directions of phase encoding "
    "(blip-up and\n"
    "blip-down). The map is the one with which both agree after the correction of the distortion along y. "
    "Echo spacing and\n"
    "directions are those of the sidecars that argand sense writes.\n"
    "The output is real {nx, ny, nz or slices}, in rad/s or Hz (--unit). A sidecar (.json) holds the unit, "
    "and argand sense\n"
    "--field-map reads the unit there.";

static const char examples[] =
    "  argand calibrate field-map two_echoes.h5 field.nii.gz\n"
    "  argand calibrate field-map images.npy field.nii --echo-times 0.00492,0.00738 --unit hz\n"
    "  argand sense scan.h5 image.nii.gz --field-map field.nii.gz\n"
    "  argand sense up.h5 up.nii.gz && argand sense down.h5 down.nii.gz\n"
    "  argand calibrate field-map up.nii.gz field.nii.gz --opposite down.nii.gz\n";

static bool parse(field_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        text_option("echo-times", 0, &s->echo_times, "T,T...",
                    "echo times in seconds. Default: those of the scan"),
        text_option(
            "opposite", 0, &s->opposite, "FILE",
            "image of the opposite direction of phase encoding: ky falls in time in FILE and rises in "
            "IN, unless the sidecars say otherwise"),
        double_option("echo-spacing", 0, &s->echo_spacing, "S", 0, 1,
                      "seconds between neighbouring ky of an --opposite pair: the echo spacing over the "
                      "acceleration. Default: EffectiveEchoSpacing of the sidecar"),
        text_option("mask", 'm', &s->mask, "FILE", "mask of the pixels to fit. Default: pixels with signal"),
        double_option("threshold", 0, &s->threshold, "T", 1e-6, 0.99,
                      "fit pixels above this fraction of the largest signal, if --mask is not given"),
        double_option("beta", 0, &s->beta, "B", -1, 1e6,
                      "weight of the roughness penalty, relative to the data of a mean pixel; a negative B "
                      "switches the penalty off"),
        int_option("iterations", 'n', &s->iterations, "N", 1, 100000,
                   "maximum number of iterations for each echo spacing"),
        choice_option("unit", 0, &s->unit, "UNIT", "rad/s|hz", "unit of the written map"),
        flag_option("zero-outside", 0, &s->zero_outside,
                    "write 0 outside the mask. Default: continue the map smoothly"),
        CHOICE_OPTIONS(s->choice),
        SCAN_OPTIONS(s->choice.reading),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand calibrate field-map IN OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->input, &s->output},
                         .positional_least = 2};
    return command_parse(&line, argc, argv, exit_code);
}

/* Reads --echo-times, "0.004,0.006". */
static argand_status read_times(field_settings *s)
{
    for (const char *at = s->echo_times; at && *at;) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || (*end && *end != ',') || s->echo_count == MOST_ECHOES)
            return report_error(ARGAND_ARGUMENT,
                                "--echo-times %s: give up to %d numbers in seconds, separated by commas",
                                s->echo_times, MOST_ECHOES);
        s->times[s->echo_count++] = value;
        at = *end ? end + 1 : end;
    }
    return ARGAND_OK;
}

static argand_status fit(const field_settings *s, argand_array *map, const argand_array *echoes,
                         const argand_array *mask, report *out)
{
    argand_fieldmap_report r;
    if (mask && argand_array_count(mask) != argand_array_count(map))
        return report_error(
            ARGAND_ARGUMENT,
            "--mask %s: has %lld pixels, but the map of a slice %lld: resample it, or choose the map's "
            "size by --matrix",
            s->mask, (long long)argand_array_count(mask), (long long)argand_array_count(map));
    const argand_fieldmap_options o = {.echo_count = s->echo_count,
                                       .echo_times = s->times,
                                       .mask = mask,
                                       .threshold = s->threshold,
                                       .beta = s->beta == 0 ? -1 : s->beta,
                                       .iterations = s->iterations,
                                       .zero_outside = s->zero_outside};
    TRY(argand_fieldmap_estimate(map, echoes, &o, &r));
    report_note(out, "Field map of %lld pixels from %d echoes: %d iteration%s, phases fit to %.3g rad.",
                (long long)r.inside, s->echo_count, r.iterations, plural_s(r.iterations), r.misfit);
    return s->unit ? argand_array_scale(map, (argand_scalar){1 / (2 * 3.14159265358979323846), 0})
                   : ARGAND_OK;
}

static argand_status write_map(const field_settings *s, const argand_array *map,
                               const argand_geometry *geometry, report *out)
{
    const sidecar what =
        calibrate_facts(KIND_FIELD_MAP, s->unit ? "Hz" : "rad/s", "x, y, z or slice", s->input);
    return calibrate_write(s->output, map, geometry, &what, out);
}

static argand_status from_array(field_settings *s, argand_device *device, const argand_array *mask,
                                report *out)
{
    argand_array *echoes, *map = NULL;
    int64_t dims[3] = {1, 1, 1};
    TRY(calibrate_read(&echoes, s->input, KIND_ECHOES, device));
    const int rank = argand_array_rank(echoes);
    argand_status status =
        rank == 4 || rank == 5
            ? ARGAND_OK
            : report_error(ARGAND_ARGUMENT, "%s: rank %d; echoes are complex {nx, ny[, nz], coils, echoes}",
                           s->input, rank);
    if (!status && !s->echo_count)
        status = report_error(ARGAND_ARGUMENT, "%s has no echo times: give --echo-times", s->input);
    for (int axis = 0; axis < rank - 2 && axis < 3; axis++) dims[axis] = argand_array_dim(echoes, axis);
    if (!status) status = argand_array_create(&map, device, ARGAND_R32, 3, dims);
    if (!status) status = fit(s, map, echoes, mask, out);
    if (!status) status = write_map(s, map, NULL, out);
    argand_array_destroy(map);
    argand_array_destroy(echoes);
    return status;
}

/* Loads the coil images of all contrasts of a slice: {nx, ny, nz, coils, echoes}. */
static argand_status load_echoes(argand_array **echoes, calibrate_samples *first, const field_settings *s,
                                 const argand_scan *scan, int slice, argand_device *device)
{
    argand_status status = ARGAND_OK;
    *echoes = NULL;
    for (int e = 0; e < s->echo_count && !status; e++) {
        calibrate_samples x;
        argand_array *images = NULL;
        status = calibrate_take(&x, scan, &s->choice, slice, e, false, device);
        if (!status && e == 0)
            status = argand_array_create(echoes, device, ARGAND_C32, 5,
                                         (const int64_t[5]){x.n[0], x.n[1], x.n[2], x.coils, s->echo_count});
        if (!status) status = calibrate_last(&images, *echoes, e);
        if (!status) status = calibrate_images(images, &x, device);
        argand_array_destroy(images);
        if (e == 0) {
            first->geometry = x.geometry;
            for (int axis = 0; axis < 3; axis++) first->n[axis] = x.n[axis];
        }
        calibrate_samples_free(&x);
    }
    return status;
}

static argand_status take_times(field_settings *s, const argand_scan *scan)
{
    const int contrasts = calibrate_contrasts(scan, s->choice.encoding);
    if (contrasts < 2)
        return report_error(ARGAND_ARGUMENT, "%s: %d contrast; a field map needs two echoes or more",
                            scan->path, contrasts);
    if (s->echo_count == 0 && scan->echo_count >= contrasts)
        for (; s->echo_count < contrasts && s->echo_count < MOST_ECHOES; s->echo_count++)
            s->times[s->echo_count] = scan->echo_times[s->echo_count];
    if (s->echo_count != contrasts)
        return report_error(ARGAND_ARGUMENT, "%s: %d echo times for %d contrasts; give --echo-times",
                            scan->path, s->echo_count, contrasts);
    return ARGAND_OK;
}

/* The field map of a scan while it is made, slice by slice. */
typedef struct field_slices {
    const field_settings *s;
    const argand_scan *scan;
    const argand_array *mask;
    argand_device *device;
    report *out;
    int start; /* first slice */
    int64_t count;
    argand_array *map;
    calibrate_samples first; /* sizes and geometry of the last slice */
} field_slices;

static argand_status one_slice(field_slices *f, int64_t index)
{
    argand_array *echoes = NULL, *part = NULL;
    const int64_t *n = f->first.n;
    argand_status status = load_echoes(&echoes, &f->first, f->s, f->scan, f->start + (int)index, f->device);
    const bool is_volume = n[2] > 1;
    if (!status && index == 0)
        status = argand_array_create(&f->map, f->device, ARGAND_R32, 3,
                                     (const int64_t[3]){n[0], n[1], is_volume ? n[2] : f->count});
    if (!status && is_volume && f->count > 1)
        status = report_error(ARGAND_ARGUMENT, "%s: the scan has several slabs; choose one with --slice",
                              f->scan->path);
    if (!status) status = argand_array_part(&part, f->map, 2, is_volume ? 0 : index, n[2]);
    if (!status) status = fit(f->s, part, echoes, f->mask, f->out);
    argand_array_destroy(part);
    argand_array_destroy(echoes);
    return status;
}

static argand_status from_scan(field_settings *s, argand_device *device, const argand_array *mask,
                               report *out)
{
    argand_scan *scan;
    TRY(calibrate_open(&scan, s->input, &s->choice.reading, out));
    field_slices f = {.s = s,
                      .scan = scan,
                      .mask = mask,
                      .device = device,
                      .out = out,
                      .start = s->choice.slice < 0 ? 0 : s->choice.slice,
                      .count = s->choice.slice < 0 ? calibrate_slices(scan, s->choice.encoding) : 1};
    argand_status status = take_times(s, scan);
    report_stage(out, "fitting the field");
    for (int64_t i = 0; i < f.count && !status; i++) {
        status = interrupted() ? ARGAND_STOPPED : one_slice(&f, i);
        report_progress(out, (double)i + 1, (double)f.count);
    }
    if (!status) status = write_map(s, f.map, &f.first.geometry, out);
    argand_array_destroy(f.map);
    argand_scan_destroy(scan);
    return status;
}

/* Computes the map from two images; options of echoes have no meaning. */
static argand_status from_pair(const field_settings *s, argand_device *device, report *out)
{
    argand_array *map = NULL;
    argand_geometry geometry = {0};
    const opposite_pair pair = {
        .up = s->input, .down = s->opposite, .echo_spacing = s->echo_spacing, .beta = s->beta};
    if (s->echo_times || s->mask || s->zero_outside || s->beta < 0)
        return report_error(ARGAND_ARGUMENT,
                            "--opposite: not with --echo-times, --mask, --zero-outside or a negative --beta");
    argand_status status = opposite_field(&map, &geometry, &pair, device, out);
    if (!status && s->unit)
        status = argand_array_scale(map, (argand_scalar){1 / (2 * 3.14159265358979323846), 0});
    if (!status) status = write_map(s, map, geometry.valid ? &geometry : NULL, out);
    argand_array_destroy(map);
    return status;
}

/* Refuses echo times of whole seconds: they are probably milliseconds. */
static argand_status check_times(const field_settings *s)
{
    for (int i = 0; i < s->echo_count; i++)
        if (!(s->times[i] >= 0 && s->times[i] < 1))
            return report_error(ARGAND_ARGUMENT, "--echo-times %s: %g s; give seconds (4.6 ms is 0.0046)",
                                s->echo_times, s->times[i]);
    return ARGAND_OK;
}

static argand_status read_mask(argand_array **mask, const char *path, argand_device *device)
{
    sidecar meta;
    bool finite = false;
    double most = 0;
    TRY(array_file_read("--mask", path, device, mask));
    TRY(array_file_real("--mask", path, mask));
    TRY(sidecar_read(&meta, path));
    TRY(sidecar_check(&meta, "--mask", path, *mask, KIND_MASK, KIND_UNKNOWN));
    TRY(argand_array_is_finite(&finite, *mask));
    TRY(argand_array_max_abs(&most, *mask));
    if (finite && most == 0) return report_error(ARGAND_ARGUMENT, "--mask %s: is 0 everywhere", path);
    return finite ? ARGAND_OK
                  : report_error(ARGAND_ARGUMENT,
                                 "--mask %s: holds numbers that are not finite (NaN or infinite)", path);
}

static argand_status work(void *settings, argand_device *device, report *out)
{
    field_settings *s = settings;
    argand_array *mask = NULL;
    TRY(read_times(s));
    TRY(check_times(s));
    argand_status status = s->mask ? read_mask(&mask, s->mask, device) : ARGAND_OK;
    if (!status)
        status = s->opposite              ? from_pair(s, device, out)
                 : path_is_scan(s->input) ? from_scan(s, device, mask, out)
                                          : from_array(s, device, mask, out);
    argand_array_destroy(mask);
    return status;
}

int calibrate_field_map(int argc, char **argv)
{
    int exit_code;
    field_settings s = {.choice.slice = -1, .beta = 0.05, .threshold = 0.1, .iterations = 30};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    return calibrate_run(&(calibrate_job){.name = "calibrate field-map",
                                          .common = &s.common,
                                          .input = s.input,
                                          .output = s.output,
                                          .settings = &s,
                                          .work = work});
}
