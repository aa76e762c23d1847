/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase maps of the shots: found, checked, chosen for a volume. They have the grid's shape, followed by
 * axes for shot, partition, slice, average, phase, contrast, repetition and segment, as in files of forge
 * and PowerGrid (also as one long vector). An axis of 1 means that all share a map; it may be left out. */
#include "recon/maps/maps.h"

#include <string.h>
#include "array/array.h"
#include "base/memory.h"
#include "device/device.h"

static void numbers_of(const argand_counters *c, int64_t number[PHASE_AXES])
{
    const int64_t all[PHASE_AXES] = {c->shot,  c->partition, c->slice,      c->average,
                                     c->phase, c->contrast,  c->repetition, c->segment};
    memcpy(number, all, sizeof all);
}

/* Finds the largest shot, partition, ... number of the scan plus 1, but 1 at least. */
static void count_axes(const argand_sense *s, int64_t wanted[PHASE_AXES])
{
    int64_t number[PHASE_AXES];
    for (int axis = 0; axis < PHASE_AXES; axis++) wanted[axis] = 1;
    for (int v = 0; v < s->volume_count; v++)
        for (int64_t row = 0; row < s->volumes[v].count; row++) {
            numbers_of(&s->volumes[v].rows[row].acquisition->counters, number);
            for (int axis = 0; axis < PHASE_AXES; axis++)
                if (number[axis] >= wanted[axis]) wanted[axis] = number[axis] + 1;
        }
}

/* Returns the number of leading dimensions that are the grid's, or 0 if the shape does not fit. nz = 1 may
 * be left out. */
static int grid_axes(const argand_sense *s, int rank, const int64_t *dims)
{
    const int64_t *n = s->grid.n;
    if (rank < 2 || dims[0] != n[0] || dims[1] != n[1]) return 0;
    if (n[2] > 1) return rank > 2 && dims[2] == n[2] ? 3 : 0;
    return rank > 2 && dims[2] == 1 ? 3 : 2;
}

/* Assigns each dimension above 1 to the next axis of which the scan has more than one. A dimension of 1 is
 * the next axis, whichever it is. */
static void assign_axes(int rank, const int64_t *dims, const int64_t wanted[PHASE_AXES],
                        int64_t extent[PHASE_AXES])
{
    int axis = 0;
    for (int d = 0; d < rank && axis < PHASE_AXES; d++, axis++) {
        while (dims[d] > 1 && wanted[axis] == 1 && axis > 0 && axis + 1 < PHASE_AXES) axis++;
        extent[axis] = dims[d];
    }
}

/* Assigns a vector of maps: up to some axis as many as the scan has, and one of each later axis. Returns
 * false if no axis fits. */
static bool assign_vector(int64_t maps, const int64_t wanted[PHASE_AXES], int64_t extent[PHASE_AXES])
{
    int64_t product = 1;
    for (int axis = 0; axis < PHASE_AXES; axis++) {
        extent[axis] = wanted[axis];
        product *= wanted[axis];
        if (product == maps) return true;
    }
    for (int axis = 0; axis < PHASE_AXES; axis++) extent[axis] = 1;
    return false;
}

static argand_status check_extents(const argand_sense *s, const char *what, const char *have, int64_t maps,
                                   const int64_t wanted[PHASE_AXES], const int64_t extent[PHASE_AXES])
{
    static const char *const names[PHASE_AXES] = {"shot",  "partition", "slice",      "average",
                                                  "phase", "contrast",  "repetition", "segment"};
    int64_t product = 1;
    for (int axis = 0; axis < PHASE_AXES; axis++) {
        product *= extent[axis];
        const bool may_share = axis != 0 && axis != 2; /* all may share a map, except for shots and slices */
        CHECK(extent[axis] >= wanted[axis] || (may_share && extent[axis] == 1), ARGAND_ARGUMENT,
              "%s: %s have the shape %s and so %lld %s(s), but the scan has %lld; slower axes than "
              "the image's count shot, partition, slice, average, phase, contrast, repetition, segment",
              s->scan->path, what, have, (long long)extent[axis], names[axis], (long long)wanted[axis]);
    }
    CHECK(product == maps, ARGAND_ARGUMENT,
          "%s: %s have the shape %s, which is more than shot, partition, slice, average, phase, contrast, "
          "repetition and segment count",
          s->scan->path, what, have);
    return ARGAND_OK;
}

static argand_status find_extents(argand_sense *s, const char *what, const argand_array *array)
{
    int64_t dims[ARGAND_MAX_RANK], wanted[PHASE_AXES], *extent = s->phases.extent, most = 1;
    const int64_t pixels = s->grid.n[0] * s->grid.n[1] * s->grid.n[2], count = argand_array_count(array);
    const int rank = argand_array_rank(array);
    char have[256], want[256];
    for (int d = 0; d < rank; d++) {
        dims[d] = argand_array_dim(array, d);
        if (dims[d] > most) most = dims[d];
    }
    map_shape_print(have, sizeof have, what, rank, dims);
    map_shape_print(want, sizeof want, what, s->grid.n[2] > 1 ? 3 : 2, s->grid.n);
    count_axes(s, wanted);
    for (int axis = 0; axis < PHASE_AXES; axis++) extent[axis] = 1;
    const int axes = grid_axes(s, rank, dims);
    /* a single axis of maps is a vector of all maps or, if it is shorter, counts the shots */
    const bool is_vector = axes ? rank - axes == 1 : most == count && count % pixels == 0;
    const bool assigned = is_vector && assign_vector(count / pixels, wanted, extent);
    CHECK(axes || assigned, ARGAND_ARGUMENT,
          "%s: %s have the shape %s, but the image is %s with %lld shot(s): give maps of the image's "
          "size, one for "
          "each shot, or choose the image's size by --matrix",
          s->scan->path, what, have, want, (long long)wanted[0]);
    if (!assigned) assign_axes(rank - axes, dims + axes, wanted, extent);
    return check_extents(s, what, have, count / pixels, wanted, extent);
}

static argand_status check_finite(const argand_sense *s, const char *what)
{
    const int64_t pixels = argand_array_dim(s->phases.array, 0), maps = argand_array_dim(s->phases.array, 1);
    bool finite;
    TRY(argand_array_is_finite(&finite, s->phases.array));
    if (finite) return ARGAND_OK;
    for (int64_t m = 0; m < maps; m++) {
        argand_array *one;
        TRY(argand_array_part(&one, s->phases.array, 1, m, 1));
        const argand_status status = argand_array_is_finite(&finite, one);
        argand_array_destroy(one);
        TRY(status);
        CHECK(finite, ARGAND_ARGUMENT,
              "%s: map %lld of %lld (%lld pixels each) in %s holds numbers that are not finite (NaN or "
              "infinite)",
              s->scan->path, (long long)m, (long long)maps, (long long)pixels, what);
    }
    return ARGAND_OK;
}

/* Stores a copy {pixels, maps} on the host's device. */
static argand_status adopt(argand_sense *s, const char *what, const argand_array *found)
{
    argand_device *host;
    argand_array *copy;
    int64_t dims[ARGAND_MAX_RANK];
    const int64_t pixels = s->grid.n[0] * s->grid.n[1] * s->grid.n[2];
    CHECK(!type_is_complex(argand_array_type(found)), ARGAND_ARGUMENT,
          "%s: %s are %s; they must be real, in rad", s->scan->path, what,
          argand_type_name(argand_array_type(found)));
    TRY(find_extents(s, what, found));
    TRY(device_host(&host, s->device));
    for (int d = 0; d < argand_array_rank(found); d++) dims[d] = argand_array_dim(found, d);
    TRY(argand_array_create(&copy, host, argand_array_type(found), argand_array_rank(found), dims));
    argand_status status = argand_array_copy(copy, found);
    if (!status)
        status = argand_array_reshape(&s->phases.array, copy, 2,
                                      (int64_t[]){pixels, argand_array_count(copy) / pixels});
    argand_array_destroy(copy);
    return status ? status : check_finite(s, what);
}

argand_status phases_find(argand_sense *s, const argand_sense_options *given)
{
    argand_array *found;
    map_title what;
    const map_request r = {"phase maps", given->phase_maps, given->phase_maps_name, "PhaseMaps"};
    if (s->options.phases != ARGAND_PHASES_MAPS) return ARGAND_OK;
    TRY(map_open(s, &r, &found, &what));
    CHECK(found, ARGAND_ARGUMENT,
          "%s: there are no phase maps (array PhaseMaps); give them by --phase-maps FILE, or have them "
          "estimated by --phase-maps %s",
          s->scan->path,
          s->scan->navigator_count > 0 ? "navigators" : "shots, as the scan has no navigators");
    const argand_status status = adopt(s, what.chars, found);
    argand_array_destroy(found);
    return status;
}

void phases_free(recon_phases *p)
{
    argand_array_destroy(p->array);
    *p = (recon_phases){0};
}

int64_t phases_index(const argand_sense *s, const argand_counters *c)
{
    int64_t number[PHASE_AXES], index = 0, stride = 1;
    if (!s->phases.array)
        return (int64_t)c->partition << 16 | c->shot; /* estimated: one map per shot and partition */
    numbers_of(c, number);
    for (int axis = 0; axis < PHASE_AXES; axis++) {
        if (s->phases.extent[axis] > 1) index += stride * number[axis];
        stride *= s->phases.extent[axis];
    }
    return index;
}

argand_status phases_of_shots(const argand_sense *s, const recon_samples *data, argand_array **out)
{
    const argand_array *all = s->phases.array;
    int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2]};
    const int64_t pixels = argand_array_dim(all, 0);
    argand_array *from = NULL, *to = NULL, *flat = NULL;
    argand_status status;
    dims[s->grid.rank] = data->shot_count;
    TRY(argand_array_create(out, argand_array_device(all), argand_array_type(all), s->grid.rank + 1, dims));
    TRY_OR_DONE(argand_array_reshape(&flat, *out, 2, (int64_t[]){pixels, data->shot_count}));
    for (int i = 0; i < data->shot_count; i++) {
        TRY_OR_DONE(argand_array_part(&from, all, 1, data->shots[i].map, 1));
        TRY_OR_DONE(argand_array_part(&to, flat, 1, i, 1));
        TRY_OR_DONE(argand_array_copy(to, from));
        argand_array_destroy(from);
        argand_array_destroy(to);
        from = to = NULL;
    }
    status = ARGAND_OK;
done:
    argand_array_destroy(from);
    argand_array_destroy(to);
    argand_array_destroy(flat);
    if (status) {
        argand_array_destroy(*out);
        *out = NULL;
    }
    return status;
}
