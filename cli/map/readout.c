/* SPDX-License-Identifier: BSD-3-Clause */
/* Water and fat from the samples of a scan, with what happens during the readout: fat is displaced or
 * blurred, field and decay go on. Images of single echoes lack this. R2* and field are those of the images;
 * water and fat of all echoes are the solution of least squares, which begins at those of the images. */
#include "map/readout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 30 };
static const double TOLERANCE = 2e-3; /* of the gradient */

/* The samples of all echoes of a slice. */
typedef struct slice_samples {
    int64_t points, coils, at;
    int rank;
    float *k[3], *t, *y; /* y: {points, coils} */
    argand_array *axes[3], *times, *samples;
} slice_samples;

static void samples_free(slice_samples *x)
{
    for (int axis = 0; axis < 3; axis++) {
        free(x->k[axis]);
        argand_array_destroy(x->axes[axis]);
    }
    free(x->t);
    free(x->y);
    argand_array_destroy(x->times);
    argand_array_destroy(x->samples);
}

/* Returns true if an acquisition belongs to an echo of a volume's slice. */
static bool belongs(const argand_acquisition *a, const map_volume *v, bool same_echo)
{
    const argand_counters *c = &a->counters, *d = &v->counters;
    return a->encoding == 0 && c->slice == d->slice && c->repetition == d->repetition &&
           c->average == d->average && c->phase == d->phase && c->set == d->set &&
           (!same_echo || c->contrast == d->contrast);
}

static argand_status allocate(slice_samples *x, const argand_scan *scan, const map_volume *v)
{
    x->coils = scan->channels;
    x->rank = argand_array_dim(v->coil_maps, 2) > 1 ? 3 : 2;
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        if (belongs(&scan->acquisitions[i], v, false)) x->points += scan->acquisitions[i].samples;
    const size_t points = (size_t)x->points;
    bool fine = true;
    for (int axis = 0; axis < 3; axis++) fine = (x->k[axis] = calloc(points, sizeof(float))) && fine;
    fine = (x->t = calloc(points, sizeof(float))) && fine;
    fine = (x->y = calloc(points, 2 * sizeof(float) * (size_t)x->coils)) && fine;
    return fine ? ARGAND_OK : report_error(ARGAND_MEMORY, "no memory for %lld samples", (long long)x->points);
}

/* Adds an acquisition. Positions become cycles per field of view of the image. */
static void add(slice_samples *x, const argand_acquisition *a, const double scale[3])
{
    for (int axis = 0; axis < 3; axis++)
        for (int64_t j = 0; j < a->samples && a->k[axis]; j++)
            x->k[axis][x->at + j] = (float)scale[axis] * a->k[axis][j];
    memcpy(x->t + x->at, a->t, (size_t)a->samples * sizeof *x->t);
    for (int64_t coil = 0; coil < x->coils; coil++)
        memcpy(x->y + 2 * (coil * x->points + x->at), a->data + 2 * coil * a->samples,
               2 * (size_t)a->samples * sizeof *x->y);
    x->at += a->samples;
}

static argand_status upload(argand_array **to, argand_type type, const float *values, int64_t points,
                            int64_t coils, argand_device *device)
{
    TRY(argand_array_create(to, device, type, coils ? 2 : 1, (const int64_t[2]){points, coils}));
    return argand_array_upload(*to, values);
}

static argand_status take(slice_samples *x, const argand_scan *scan, const map_volume *v,
                          argand_device *device)
{
    const argand_encoding *e = &scan->encodings[0];
    double scale[3];
    TRY(allocate(x, scan, v));
    for (int axis = 0; axis < 3; axis++) {
        const double size = v->place.voxel[axis] * (double)argand_array_dim(v->coil_maps, axis);
        scale[axis] = e->field_of_view[axis] > 0 && size > 0 ? size / e->field_of_view[axis] : 1;
    }
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        if (belongs(&scan->acquisitions[i], v, false)) add(x, &scan->acquisitions[i], scale);
    for (int axis = 0; axis < x->rank; axis++)
        TRY(upload(&x->axes[axis], ARGAND_R32, x->k[axis], x->points, 0, device));
    TRY(upload(&x->times, ARGAND_R32, x->t, x->points, 0, device));
    return upload(&x->samples, ARGAND_C32, x->y, x->points, x->coils, device);
}

/* Creates a view of the slice in a map {nx, ny, nz or slices, repetitions}. */
static argand_status view_slice(argand_array **view, const argand_array *map, const map_volume *v)
{
    const int64_t nz = argand_array_dim(v->coil_maps, 2);
    argand_array *repetition = NULL;
    argand_status status = argand_array_part(&repetition, map, 3, v->repetition, 1);
    if (!status) status = argand_array_part(view, repetition, 2, v->slice * nz, nz);
    argand_array_destroy(repetition);
    return status;
}

/* Creates a copy of the slice of a map. */
static argand_status copy_slice(argand_array **copy, const argand_array *map, const map_volume *v)
{
    argand_array *view = NULL;
    argand_status status = view_slice(&view, map, v);
    if (!status) {
        const int64_t n[4] = {argand_array_dim(view, 0), argand_array_dim(view, 1), argand_array_dim(view, 2),
                              1};
        status = argand_array_create(copy, argand_array_device(map), argand_array_type(map), 4, n);
    }
    if (!status) status = argand_array_copy(*copy, view);
    argand_array_destroy(view);
    return status;
}

/* Copies water or fat of the slice from the map to the unknowns {nx, ny, nz, 2}, or to the map. */
static argand_status move(const argand_array *x, int which, const argand_array *map, const map_volume *v,
                          bool to_map)
{
    argand_array *part = NULL, *view = NULL;
    argand_status status = argand_array_part(&part, x, 3, which, 1);
    if (!status) status = view_slice(&view, map, v);
    if (!status) status = to_map ? argand_array_copy(view, part) : argand_array_copy(part, view);
    argand_array_destroy(view);
    argand_array_destroy(part);
    return status;
}

static argand_status solve(const slice_samples *x, const map_volume *v, const argand_water_fat_maps *maps,
                           const argand_water_fat_options *fat, argand_device *device)
{
    const int64_t n[4] = {argand_array_dim(v->coil_maps, 0), argand_array_dim(v->coil_maps, 1),
                          argand_array_dim(v->coil_maps, 2), 2};
    argand_water_fat_maps own = {0};
    argand_op *op = NULL;
    argand_array *unknown = NULL;
    const argand_cg_options o = {.iterations = ITERATIONS, .tolerance = TOLERANCE, .use_start = true};
    argand_status status = copy_slice(&own.r2star, maps->r2star, v);
    if (!status) status = copy_slice(&own.field, maps->field, v);
    if (!status) status = argand_op_water_fat(&op, &own, v->coil_maps, x->axes, x->rank, x->times, fat);
    if (!status) status = argand_array_create(&unknown, device, ARGAND_C32, 4, n);
    if (!status) status = move(unknown, 0, maps->water, v, false);
    if (!status) status = move(unknown, 1, maps->fat, v, false);
    if (!status) status = argand_solve_cg(unknown, op, x->samples, &o);
    if (!status) status = move(unknown, 0, maps->water, v, true);
    if (!status) status = move(unknown, 1, maps->fat, v, true);
    argand_array_destroy(unknown);
    argand_op_destroy(op);
    argand_array_destroy(own.field);
    argand_array_destroy(own.r2star);
    return status;
}

/* Returns the time of the sample nearest to the centre of k-space; NAN: samples have no times. */
static double time_of_centre(const argand_scan *scan, const map_volume *v)
{
    double nearest = INFINITY, time = NAN;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        if (!belongs(a, v, true)) continue;
        if (!a->t) return NAN;
        for (int64_t j = 0; j < a->samples; j++) {
            double square = 0;
            for (int axis = 0; axis < 3; axis++)
                square += a->k[axis] ? (double)a->k[axis][j] * (double)a->k[axis][j] : 0;
            if (square >= nearest) continue;
            nearest = square;
            time = (double)a->t[j];
        }
    }
    return time;
}

const char *readout_doubt(const map_echoes *e)
{
    if (e->scan->encodings[0].bands.count > 1) return "slices are excited together";
    const double allowed = 0.25 * (e->times[1] - e->times[0]);
    for (int v = 0; v < e->volume_count; v++)
        if (!(fabs(time_of_centre(e->scan, &e->volumes[v]) - e->times[e->volumes[v].image]) < allowed))
            return "the samples' times at the centre of k-space are not the echo times";
    return NULL;
}

/* Sets an image to 0 where R2* is 0, outside of the mask. */
static argand_status clear_outside(argand_array *image, const argand_array *r2star)
{
    const size_t pixels = (size_t)argand_array_count(image);
    float *values = malloc(2 * pixels * sizeof *values), *inside = malloc(pixels * sizeof *inside);
    argand_status status = ARGAND_OK;
    if (!values || !inside) status = report_error(ARGAND_MEMORY, "out of memory");
    if (!status) status = argand_array_download(image, values);
    if (!status) status = argand_array_download(r2star, inside);
    for (size_t i = 0; i < pixels && !status; i++)
        if (!(inside[i] > 0)) values[2 * i] = values[2 * i + 1] = 0;
    if (!status) status = argand_array_upload(image, values);
    free(inside);
    free(values);
    return status;
}

argand_status readout_solve(const map_echoes *e, const argand_water_fat_maps *maps,
                            const argand_water_fat_options *fat, argand_device *device, report *out)
{
    argand_status status = ARGAND_OK;
    report_stage(out, "solving for water and fat");
    for (int i = 0; i < e->volume_count && !status; i++) {
        slice_samples x = {0};
        if (e->volumes[i].image != 0) continue;
        status = interrupted() ? ARGAND_STOPPED : take(&x, e->scan, &e->volumes[i], device);
        if (!status) status = solve(&x, &e->volumes[i], maps, fat, device);
        samples_free(&x);
        report_progress(out, i + 1, e->volume_count);
    }
    if (!status) status = clear_outside(maps->water, maps->r2star);
    if (!status) status = clear_outside(maps->fat, maps->r2star);
    return status ? status : argand_fat_fraction(maps->fraction, maps->water, maps->fat);
}
