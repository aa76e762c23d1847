/* SPDX-License-Identifier: BSD-3-Clause */
/* Resamples maps on another grid to the image's grid, by the positions of both in the patient, and prints
 * a note. A map of the image's shape is used unchanged; a note says if it lies elsewhere. */
#include "sense/inputs.h"

#include <math.h>
#include <stdlib.h>

/* The image's grid: one slab, or a list of slices with a position each. */
typedef struct image_grid {
    int64_t n[3];
    int slices;              /* number of slice counters; n[2] is 1 unless this is 1 */
    argand_geometry *places; /* position of each slice */
} image_grid;

/* A map that the command read from a file. */
typedef struct placed_map {
    const char *named, *path;
    argand_array **array;
    const argand_geometry *geometry;
    bool nearest;
} placed_map;

/* Opens a session without maps to find its grid. Its errors are ignored: the real session reports them
 * better. */
static argand_status open_probe(argand_sense **probe, argand_device *device, const argand_scan *scan,
                                const argand_sense_options *o)
{
    argand_sense_options bare = {.type = o->type,
                                 .encoding = o->encoding,
                                 .method = ARGAND_METHOD_ADJOINT,
                                 .as_received = true,
                                 .field_map_name = "",
                                 .coil_maps_name = "",
                                 .phase_maps_name = ""};
    for (int axis = 0; axis < 3; axis++) {
        bare.matrix[axis] = o->matrix[axis];
        bare.field_of_view[axis] = o->field_of_view[axis];
    }
    return argand_sense_create(probe, device, scan, &bare);
}

argand_status sense_count_volumes(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                  int *count)
{
    argand_sense *probe;
    TRY(open_probe(&probe, device, scan, &s->session));
    *count = argand_sense_volumes(probe);
    argand_sense_destroy(probe);
    return ARGAND_OK;
}

static argand_status take_grid(image_grid *g, const argand_sense *probe)
{
    const int volumes = argand_sense_volumes(probe);
    argand_sense_grid(probe, g->n);
    for (int v = 0; v < volumes; v++)
        if (argand_sense_counters(probe, v)->slice >= g->slices)
            g->slices = (int)argand_sense_counters(probe, v)->slice + 1;
    g->places = calloc((size_t)g->slices, sizeof *g->places);
    if (!g->places) return report_error(ARGAND_MEMORY, "no memory for the places of %d slices", g->slices);
    for (int v = volumes - 1; v >= 0; v--)
        g->places[argand_sense_counters(probe, v)->slice] = argand_sense_geometry(probe, v);
    return ARGAND_OK;
}

static bool all_placed(const image_grid *g)
{
    for (int slice = 0; slice < g->slices; slice++)
        if (!g->places[slice].valid) return false;
    return g->slices > 0;
}

static bool is_stack(const image_grid *g)
{
    return g->n[2] == 1 && g->slices > 1;
}

/* Returns true if the map has the image's shape. NIfTI coil maps of several slices
 * do not: their slices come before the coils and must be reordered. */
static bool same_shape(const image_grid *g, const argand_array *map)
{
    const int64_t depth = argand_array_dim(map, 2), vectors = argand_array_dim(map, 3);
    return argand_array_dim(map, 0) == g->n[0] && argand_array_dim(map, 1) == g->n[1] &&
           (depth == g->n[2] || (is_stack(g) && depth == g->slices && vectors == 1));
}

/* A volume of a map, or one plane of it, with its position. */
typedef struct placed_volume {
    int64_t n[3];
    argand_geometry geometry;
} placed_volume;

static placed_volume plane_of(const placed_volume *volume, int64_t plane)
{
    placed_volume p = *volume;
    p.n[2] = 1;
    for (int i = 0; i < 3; i++)
        p.geometry.centre[i] +=
            (double)(plane - volume->n[2] / 2) * p.geometry.voxel[2] * p.geometry.slice[i];
    return p;
}

/* Returns the distance in mm from the position of a slice or of the image. */
static double distance_from(const image_grid *g, int slice, const placed_volume *v)
{
    return argand_geometry_distance(&g->places[slice], g->n, &v->geometry, v->n);
}

/* Returns the distance in image voxels between the image and a map of its shape. */
static double voxels_between(const image_grid *g, const placed_volume *there, double *millimetres)
{
    double most = 0;
    for (int slice = 0; slice < (is_stack(g) ? g->slices : 1); slice++) {
        const placed_volume plane = is_stack(g) ? plane_of(there, slice) : *there;
        most = fmax(most, distance_from(g, slice, &plane));
    }
    *millimetres = most;
    const double *voxel = g->places[0].voxel;
    return most / fmin(voxel[0], voxel[1]);
}

/* Returns true if the map's planes are the image's slices in another order. */
static bool is_reordered(const image_grid *g, const placed_volume *there)
{
    const double *voxel = g->places[0].voxel;
    if (!is_stack(g) || there->n[2] != g->slices) return false;
    for (int slice = 0; slice < g->slices; slice++) {
        double nearest = INFINITY;
        for (int64_t p = 0; p < there->n[2]; p++) {
            const placed_volume plane = plane_of(there, p);
            nearest = fmin(nearest, distance_from(g, slice, &plane));
        }
        if (nearest > 0.5 * fmin(voxel[0], voxel[1])) return false;
    }
    return true;
}

/* Resamples the map to each slice of the image, volume by volume: {nx, ny, nz, vectors, slices}. */
static argand_status spread(argand_array **y, int64_t *outside, const image_grid *g, const placed_map *m,
                            argand_device *host)
{
    const argand_array *x = *m->array;
    const int64_t vectors = argand_array_dim(x, 3), dims[5] = {g->n[0], g->n[1], g->n[2], vectors, g->slices};
    int64_t strides[4] = {1};
    for (int d = 1; d < 4; d++) strides[d] = strides[d - 1] * dims[d - 1];
    *outside = 0;
    TRY(argand_array_create(y, host, argand_array_type(x), 5, dims));
    for (int slice = 0; slice < g->slices; slice++) {
        argand_array *to;
        int64_t beyond = 0;
        TRY(argand_array_view(&to, *y, 4, dims, strides, slice * strides[3] * vectors));
        const argand_status status =
            argand_array_regrid(to, &g->places[slice], x, m->geometry, m->nearest, &beyond);
        argand_array_destroy(to);
        if (status) return status;
        *outside += beyond;
    }
    return ARGAND_OK;
}

static argand_status note_spread(const placed_map *m, const image_grid *g, int64_t outside, report *out)
{
    const int64_t pixels = g->n[0] * g->n[1] * g->n[2] * g->slices;
    char slices[40] = "";
    if (outside == pixels)
        return report_error(ARGAND_ARGUMENT,
                            "%s %s: lies elsewhere in the patient, no pixel of the image is in it: take a "
                            "map of the same place, or mend its affine",
                            m->named, m->path);
    if (is_stack(g)) snprintf(slices, sizeof slices, ", %d slices", g->slices);
    report_note(out,
                "%s: from its grid of %lld x %lld x %lld voxels put on the image's %lld x %lld x %lld%s by "
                "their places in the patient, %s; %.3g %% of the image lie outside, where it is 0.",
                m->path, (long long)argand_array_dim(*m->array, 0), (long long)argand_array_dim(*m->array, 1),
                (long long)argand_array_dim(*m->array, 2), (long long)g->n[0], (long long)g->n[1],
                (long long)g->n[2], slices, m->nearest ? "nearest neighbours" : "trilinear",
                100. * (double)outside / (double)pixels);
    return ARGAND_OK;
}

static argand_status put_on(const placed_map *m, const image_grid *g, argand_device *host, report *out)
{
    argand_array *array = NULL;
    int64_t outside = 0;
    argand_status status = spread(&array, &outside, g, m, host);
    if (!status) status = note_spread(m, g, outside, out);
    if (status) {
        argand_array_destroy(array);
        return status;
    }
    argand_array_destroy(*m->array);
    *m->array = array;
    return ARGAND_OK;
}

/* Fits a map to the grid. Maps with more axes than volume and coils stay unchanged; the session checks
 * them. */
static argand_status fit(const placed_map *m, const image_grid *g, argand_device *host, report *out)
{
    double millimetres;
    if (!*m->array || !m->geometry->valid) return ARGAND_OK;
    const argand_array *map = *m->array;
    const placed_volume there = {
        {argand_array_dim(map, 0), argand_array_dim(map, 1), argand_array_dim(map, 2)}, *m->geometry};
    if (argand_array_dim(map, 3) * there.n[0] * there.n[1] * there.n[2] != argand_array_count(map))
        return ARGAND_OK;
    if (!same_shape(g, map)) return put_on(m, g, host, out);
    const bool elsewhere = voxels_between(g, &there, &millimetres) > 0.5;
    if (elsewhere && is_reordered(g, &there)) return put_on(m, g, host, out);
    if (elsewhere)
        report_note(out,
                    "%s: has the image's shape and is used pixel by pixel, but its affine says that it lies "
                    "up to %.3g mm from there. Put it on the image's grid first where that is so (argand "
                    "resample).",
                    m->path, millimetres);
    return ARGAND_OK;
}

static argand_status fit_all(sense_inputs *in, const sense_settings *s, const image_grid *g, report *out)
{
    const placed_map maps[] = {
        {"--field-map", s->field_map, &in->field, &in->field_place, false},
        {"--coil-maps", s->coil_maps, &in->coils, &in->coils_place, false},
        {"--mask", s->mask, &in->mask, &in->mask_place, true},
        {"--r2star", s->r2star, &in->r2star, &in->r2star_place, false},
    };
    argand_device *host;
    TRY(argand_device_open(&host, "cpu"));
    argand_status status = ARGAND_OK;
    for (size_t i = 0; i < sizeof maps / sizeof *maps && !status; i++) status = fit(&maps[i], g, host, out);
    argand_device_close(host);
    return status;
}

static void tell_places(const sense_inputs *in, const sense_settings *s, report *out)
{
    const struct {
        const char *path;
        const argand_geometry *place;
    } maps[] = {{s->field_map, &in->field_place},
                {s->coil_maps, &in->coils_place},
                {s->mask, &in->mask_place},
                {s->r2star, &in->r2star_place}};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (maps[i].path) report_place(out, maps[i].path, maps[i].place);
}

argand_status sense_places_fit(sense_inputs *in, const sense_settings *s, argand_device *device,
                               const argand_scan *scan, argand_sense_options *o, report *out)
{
    argand_sense *probe;
    image_grid g = {0};
    const bool any =
        in->field_place.valid || in->coils_place.valid || in->mask_place.valid || in->r2star_place.valid;
    tell_places(in, s, out);
    if (!any || open_probe(&probe, device, scan, o)) return ARGAND_OK;
    argand_status status = take_grid(&g, probe);
    argand_sense_destroy(probe);
    if (!status && all_placed(&g)) status = fit_all(in, s, &g, out);
    free(g.places);
    o->field_map = in->field;
    o->coil_maps = in->coils;
    o->mask = in->mask;
    o->r2star = in->r2star;
    return status;
}
