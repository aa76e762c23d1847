/* SPDX-License-Identifier: BSD-3-Clause */
/* Input and output of `argand calibrate`: samples of a scan as arrays, coil images, files. */
#include "calibrate/calibrate.h"
#include "common/path.h"
#include "files/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

argand_status calibrate_open(argand_scan **scan, const char *path, const scan_reading *reading, report *out)
{
    TRY(scan_open(scan, path, reading));
    for (const char *notes = (*scan)->notes; *notes;) {
        const int length = (int)strcspn(notes, "\n");
        if (length) report_note(out, "%.*s", length, notes);
        notes += length + (notes[length] == '\n');
    }
    return ARGAND_OK;
}

argand_status calibrate_read(argand_array **array, const char *path, sidecar_kind kind, argand_device *device)
{
    sidecar meta;
    double most = 0;
    bool finite = true;
    TRY(argand_array_read(array, path, device));
    argand_status status = sidecar_read(&meta, path);
    if (!status) status = sidecar_check(&meta, "IN", path, *array, kind, KIND_UNKNOWN);
    if (!status) status = argand_array_is_finite(&finite, *array);
    if (!status && !finite)
        status =
            report_error(ARGAND_NUMERIC, "%s: holds numbers that are not finite (NaN or infinite)", path);
    if (!status) status = argand_array_max_abs(&most, *array);
    if (!status && most == 0)
        status =
            report_error(ARGAND_ARGUMENT, "%s: all numbers are 0: there is nothing to calibrate by", path);
    if (!status) return ARGAND_OK;
    argand_array_destroy(*array);
    *array = NULL;
    return status;
}

int calibrate_slices(const argand_scan *scan, int encoding)
{
    int most = 0;
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        if (scan->acquisitions[i].encoding == encoding && scan->acquisitions[i].counters.slice >= most)
            most = scan->acquisitions[i].counters.slice + 1;
    return most;
}

int calibrate_contrasts(const argand_scan *scan, int encoding)
{
    int most = 0;
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        if (scan->acquisitions[i].encoding == encoding && scan->acquisitions[i].counters.contrast >= most)
            most = scan->acquisitions[i].counters.contrast + 1;
    return most;
}

/* Returns true if a has this slice and contrast, and the repetition, average, phase and set of `first`. */
static bool belongs(const argand_acquisition *a, const argand_acquisition *first, int encoding, int slice,
                    int contrast)
{
    const argand_counters *c = &a->counters;
    if (a->encoding != encoding || c->slice != slice || c->contrast != contrast || !a->k[0]) return false;
    if (!first) return true;
    const argand_counters *f = &first->counters;
    return c->repetition == f->repetition && c->average == f->average && c->phase == f->phase &&
           c->set == f->set;
}

static double length_of(const float v[3])
{
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2]);
}

static argand_geometry place_of(const argand_acquisition *a, const argand_encoding *e, const int64_t n[3])
{
    argand_geometry g = {.valid = true};
    const float *directions[3] = {a->read_dir, a->phase_dir, a->slice_dir};
    double *unit[3] = {g.read, g.phase, g.slice};
    for (int axis = 0; axis < 3; axis++) {
        const double length = length_of(directions[axis]);
        g.voxel[axis] = e->field_of_view[axis] / (double)n[axis];
        g.valid = g.valid && fabs(length - 1) < 0.01 && g.voxel[axis] > 0;
        for (int i = 0; i < 3; i++) unit[axis][i] = length > 0 ? (double)directions[axis][i] / length : 0;
        g.centre[axis] = (double)a->position[axis];
    }
    return g;
}

/* Copies the chosen acquisitions into k and y, which must have space for all of them. */
static void gather(float *k[3], float *y, const argand_acquisition *const *rows, int64_t count,
                   int64_t points, int64_t coils)
{
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        const argand_acquisition *a = rows[i];
        const size_t bytes = (size_t)a->samples * sizeof(float);
        for (int axis = 0; axis < 3; axis++) {
            if (a->k[axis])
                memcpy(k[axis] + at, a->k[axis], bytes);
            else
                memset(k[axis] + at, 0, bytes);
        }
        for (int64_t c = 0; c < coils; c++)
            memcpy(y + 2 * (c * points + at), a->data + 2 * c * a->samples, 2 * bytes);
        at += a->samples;
    }
}

static argand_status upload(calibrate_samples *s, const argand_acquisition *const *rows, int64_t count,
                            argand_device *device)
{
    argand_status status = ARGAND_OK;
    float *memory = malloc((size_t)(s->points * (3 + 2 * s->coils)) * sizeof *memory);
    if (!memory) return report_error(ARGAND_MEMORY, "no memory for %lld samples", (long long)s->points);
    float *k[3] = {memory, memory + s->points, memory + 2 * s->points}, *y = memory + 3 * s->points;
    gather(k, y, rows, count, s->points, s->coils);
    for (int axis = 0; axis < s->rank && !status; axis++) {
        status = argand_array_create(&s->k[axis], device, ARGAND_R32, 1, &s->points);
        if (!status) status = argand_array_upload(s->k[axis], k[axis]);
    }
    if (!status)
        status = argand_array_create(&s->y, device, ARGAND_C32, 2, (const int64_t[2]){s->points, s->coils});
    if (!status) status = argand_array_upload(s->y, y);
    free(memory);
    return status;
}

/* Refuses a header that claims hours of work for few samples, like argand_sense_create. */
static argand_status check_claim(const calibrate_samples *s, const argand_scan *scan)
{
    enum { PIXELS_FOR_A_SAMPLE = 100, SMALL = 1 << 21 };
    const double pixels = (double)s->n[0] * (double)s->n[1] * (double)s->n[2];
    double samples = 0;
    for (int64_t i = 0; i < scan->acquisition_count; i++) samples += (double)scan->acquisitions[i].samples;
    for (int64_t i = 0; i < scan->calibration_count; i++) samples += (double)scan->calibrations[i].samples;
    if (pixels * scan->channels <= SMALL || pixels <= PIXELS_FOR_A_SAMPLE * samples) return ARGAND_OK;
    return report_error(ARGAND_UNSUPPORTED,
                        "%s: the header claims %lld x %lld x %lld pixels, but %.0f samples of each channel "
                        "can fill %.0f at most: if the matrix is right, give it by --matrix",
                        scan->path, (long long)s->n[0], (long long)s->n[1], (long long)s->n[2], samples,
                        PIXELS_FOR_A_SAMPLE * samples);
}

static argand_status choose_matrix(calibrate_samples *s, const argand_scan *scan,
                                   const calibrate_choice *choice)
{
    const argand_encoding *e = &scan->encodings[choice->encoding];
    for (int axis = 0; axis < 3; axis++) {
        s->n[axis] = axis < choice->matrix.rank ? choice->matrix.n[axis] : e->matrix[axis];
        if (s->n[axis] < 1) s->n[axis] = 1;
    }
    s->rank = s->n[2] > 1 ? 3 : 2;
    return choice->matrix.rank >= s->rank ? ARGAND_OK : check_claim(s, scan);
}

argand_status calibrate_take(calibrate_samples *s, const argand_scan *scan, const calibrate_choice *choice,
                             int slice, int contrast, bool calibrations, argand_device *device)
{
    *s = (calibrate_samples){.coils = scan->channels};
    if (choice->encoding >= scan->encoding_count)
        return report_error(ARGAND_ARGUMENT, "%s: there is no encoding %d, only %d", scan->path,
                            choice->encoding, scan->encoding_count);
    const bool apart = calibrations && scan->calibration_count > 0;
    const argand_acquisition *all = apart ? scan->calibrations : scan->acquisitions, *first = NULL;
    const int64_t count = apart ? scan->calibration_count : scan->acquisition_count;
    const argand_acquisition **rows = malloc(((size_t)count + 1) * sizeof *rows);
    if (!rows)
        return report_error(ARGAND_MEMORY, "no memory for a list of %lld acquisitions", (long long)count);
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!belongs(&all[i], first, choice->encoding, slice, contrast)) continue;
        if (!first) first = &all[i];
        rows[found++] = &all[i];
        s->points += all[i].samples;
    }
    argand_status status =
        first
            ? ARGAND_OK
            : report_error(ARGAND_ARGUMENT, "%s: no acquisition of encoding %d has slice %d and contrast %d",
                           scan->path, choice->encoding, slice, contrast);
    if (!status) status = choose_matrix(s, scan, choice);
    if (!status) s->geometry = place_of(first, &scan->encodings[choice->encoding], s->n);
    if (!status) status = upload(s, rows, found, device);
    free(rows);
    return status;
}

void calibrate_samples_free(calibrate_samples *s)
{
    argand_array_destroy(s->y);
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(s->k[axis]);
    *s = (calibrate_samples){0};
}

argand_status calibrate_images(argand_array *images, const calibrate_samples *s, argand_device *device)
{
    argand_nufft *window = NULL, *plan = NULL;
    argand_array *weights = NULL;
    double most;
    TRY(argand_array_max_abs(&most, s->y));
    if (most == 0)
        return report_error(ARGAND_ARGUMENT, "all samples are 0: there is nothing to calibrate by");
    const argand_nufft_options options = {.type = ARGAND_C32,
                                          .rank = s->rank,
                                          .n = {s->n[0], s->n[1], s->n[2]},
                                          .tolerance = 1e-4,
                                          .wait_for_kernels = true};
    argand_status status = argand_density_plan(&window, device, ARGAND_C32, s->k, s->rank, s->n);
    if (!status) status = argand_array_create(&weights, device, ARGAND_R32, 1, &s->points);
    if (!status) status = argand_density_pipe(weights, window, 0, 0, NULL);
    argand_nufft_destroy(window);
    if (!status) status = argand_nufft_create(&plan, device, &options);
    if (!status) status = argand_nufft_set_points(plan, s->k);
    if (!status) status = argand_gridding(NULL, images, plan, s->y, weights);
    argand_array_destroy(weights);
    argand_nufft_destroy(plan);
    return status;
}

sidecar calibrate_facts(sidecar_kind kind, const char *units, const char *axes, const char *source)
{
    sidecar s = {.kind = kind};
    snprintf(s.units, sizeof s.units, "%s", units);
    snprintf(s.axes, sizeof s.axes, "%s", axes);
    snprintf(s.source, sizeof s.source, "%s", source);
    return s;
}

argand_status calibrate_write(const char *path, const argand_array *array, const argand_geometry *geometry,
                              const sidecar *what, report *out)
{
    const bool nifti = path_is_nifti(path);
    TRY(sidecar_may_write(what, path));
    TRY(nifti ? argand_nifti_write(path, array, geometry, 0) : argand_array_write(path, array));
    TRY(sidecar_write(what, path, array, out->command));
    char shape[256];
    report_note(out, "%s: %s", path, shape_of_array(shape, sizeof shape, path, array));
    return ARGAND_OK;
}

argand_status calibrate_last(argand_array **view, const argand_array *array, int64_t index)
{
    const int rank = argand_array_rank(array) - 1;
    int64_t dims[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK];
    for (int axis = 0; axis < rank; axis++) {
        dims[axis] = argand_array_dim(array, axis);
        strides[axis] = argand_array_stride(array, axis);
    }
    return argand_array_view(view, array, rank, dims, strides, index * argand_array_stride(array, rank));
}
