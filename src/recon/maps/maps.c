/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps: opened from the caller or the scan, checked against the grid, and converted to the session's
 * precision. */
#include "recon/maps/maps.h"

#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "base/pi.h"
#include "device/device.h"

/* Largest fields that occur in a head or a body. */
enum { MOST_PPM = 40, MOST_HERTZ = 20000 };

/* Checks an array of the host or the device and stores a converted copy as a map. */
static argand_status adopt(const argand_sense *s, recon_map *m, const char *what, int64_t vectors,
                           bool is_complex, const argand_array *given)
{
    const bool given_complex =
        argand_array_type(given) == ARGAND_C32 || argand_array_type(given) == ARGAND_C64;
    const bool is_double = s->options.type == ARGAND_C64;
    int64_t dims[ARGAND_MAX_RANK], slices;
    bool finite;
    for (int axis = 0; axis < argand_array_rank(given); axis++) dims[axis] = argand_array_dim(given, axis);
    CHECK(is_complex || !given_complex, ARGAND_ARGUMENT,
          "%s is complex; it must be real (argand convert --real takes the real part)", what);
    TRY(map_check_shape(s, what, vectors, argand_array_rank(given), dims, &slices));
    TRY(argand_array_is_finite(&finite, given));
    CHECK(finite, ARGAND_ARGUMENT,
          "%s holds numbers that are not finite (NaN or infinite): replace them, for example by the values "
          "next to them",
          what);

    argand_array *copy = NULL, *flat = NULL;
    argand_status status;
    const argand_type type = is_complex ? s->options.type : is_double ? ARGAND_R64 : ARGAND_R32;
    TRY_OR_DONE(argand_array_create(&copy, s->device, type, argand_array_rank(given), dims));
    TRY_OR_DONE(argand_array_copy(copy, given));
    TRY_OR_DONE(argand_array_is_finite(&finite, copy));
    CHECK_OR_DONE(finite, ARGAND_ARGUMENT, "%s holds numbers beyond single precision", what);
    TRY_OR_DONE(argand_array_reshape(&flat, copy, 5,
                                     (int64_t[]){s->grid.n[0], s->grid.n[1], s->grid.n[2], vectors, slices}));
    *m = (recon_map){flat, vectors, slices};
done:
    argand_array_destroy(copy);
    return status;
}

/* Makes a view of an array of the scan on the host's device, which supports every type. Nothing is copied. */
static argand_status from_scan(const argand_sense *s, const argand_scan_array *found, argand_array **out)
{
    argand_device *host;
    TRY(device_host(&host, s->device));
    return argand_array_wrap(out, host, found->type, found->rank, found->dims, NULL,
                             (void *)(uintptr_t)found->data);
}

static argand_status view_of(const argand_array *given, argand_array **out)
{
    int64_t dims[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK];
    for (int axis = 0; axis < argand_array_rank(given); axis++) {
        dims[axis] = argand_array_dim(given, axis);
        strides[axis] = argand_array_stride(given, axis);
    }
    return argand_array_view(out, given, argand_array_rank(given), dims, strides, 0);
}

argand_status map_open(argand_sense *s, const map_request *r, argand_array **out, map_title *what)
{
    *out = NULL;
    const bool named = r->given && r->name && *r->name;
    snprintf(what->chars, sizeof what->chars, "the %s%s%s", r->what, named ? " " : "", named ? r->name : "");
    if (r->given) return view_of(r->given, out);
    const char *name = r->name ? r->name : r->default_name;
    if (!name || !*name) return ARGAND_OK;
    const argand_scan_array *found = argand_scan_find(s->scan, name);
    CHECK(found || !r->name, ARGAND_ARGUMENT,
          "%s: there is no array \"%s\" to take the %s from (argand info lists the arrays)", s->scan->path,
          name, r->what);
    if (!found) return ARGAND_OK;
    snprintf(what->chars, sizeof what->chars, "the %s \"%s\" of the scan", r->what, name);
    text_add(&s->notes, "From the scan's array %s: the %s.\n", name, r->what);
    return from_scan(s, found, out);
}

bool map_is_zero(const recon_map *m)
{
    double most = 0;
    return !m->array || (argand_array_max_abs(&most, m->array) == ARGAND_OK && most == 0);
}

/* Requirements on a map. */
enum { MAP_COMPLEX = 1, MAP_NOT_ZERO = 2, MAP_NOT_NEGATIVE = 4 };

/* Refuses values that would give an image of zeros or nonsense without a message. */
static argand_status check_values(const recon_map *m, int wanted, const char *what)
{
    double *values = NULL;
    argand_status status = ARGAND_OK;
    CHECK(!(wanted & MAP_NOT_ZERO) || !map_is_zero(m), ARGAND_ARGUMENT,
          "%s is 0 everywhere, so the image would be 0: give another one", what);
    if (!(wanted & MAP_NOT_NEGATIVE)) return ARGAND_OK;
    const int64_t count = argand_array_count(m->array);
    TRY(numbers_of_array(m->array, &values));
    for (int64_t i = 0; i < count; i++)
        CHECK_OR_DONE(values[i] >= 0, ARGAND_ARGUMENT,
                      "%s is %g at pixel %lld: a decay rate must be 0 or more", what, values[i],
                      (long long)i);
done:
    memory_free(values);
    return status;
}

static argand_status find(argand_sense *s, recon_map *m, const map_request *r, int64_t vectors, int wanted)
{
    argand_array *array;
    map_title what;
    TRY(map_open(s, r, &array, &what));
    if (!array) return ARGAND_OK;
    argand_status status = adopt(s, m, what.chars, vectors, wanted & MAP_COMPLEX, array);
    argand_array_destroy(array);
    if (!status) status = check_values(m, wanted, what.chars);
    return status;
}

/* Computes a missing gradient map from the field map, slice by slice. */
static argand_status derive_gradient(argand_sense *s, int axis)
{
    recon_map *m = &s->maps.gradient[axis];
    const recon_map *field = &s->maps.field;
    argand_status status = ARGAND_OK;
    argand_array *slice = NULL, *from = NULL;
    const int64_t dims[5] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], 1, field->slices};
    TRY(argand_array_create(&m->array, s->device, argand_array_type(field->array), 5, dims));
    m->vectors = 1;
    m->slices = field->slices;
    for (int64_t i = 0; i < field->slices && status == ARGAND_OK; i++) {
        argand_array *part = NULL;
        TRY_OR_DONE(map_of_slice(s, field, (int)i, &from));
        TRY_OR_DONE(argand_array_part(&part, m->array, 4, i, 1));
        status = argand_array_reshape(&slice, part, 3, s->grid.n);
        argand_array_destroy(part);
        if (status == ARGAND_OK) status = argand_field_gradient(slice, from, NULL, axis);
        argand_array_destroy(slice);
        argand_array_destroy(from);
        slice = from = NULL;
    }
done:
    argand_array_destroy(slice);
    argand_array_destroy(from);
    return status;
}

static argand_status find_gradients(argand_sense *s, const argand_sense_options *given)
{
    static const char *const names[3] = {"FieldGradientX", "FieldGradientY", "FieldGradientZ"};
    static const char *const titles[3] = {"field gradient along x", "field gradient along y",
                                          "field gradient along z"};
    if (s->options.transform != ARGAND_TRANSFORM_DFT_GRADIENTS) return ARGAND_OK;
    bool any = false;
    for (int axis = 0; axis < 3; axis++) {
        const map_request r = {titles[axis], given->gradient[axis], NULL, names[axis]};
        TRY(find(s, &s->maps.gradient[axis], &r, 1, 0));
        any = any || s->maps.gradient[axis].array;
    }
    if (any || map_is_zero(&s->maps.field)) return ARGAND_OK;
    text_add(&s->notes, "The field gradients were computed as differences of the field map%s.\n",
             s->grid.n[2] > 1 ? "" : "; the gradient through the slice is unknown and set to 0");
    for (int axis = 0; axis < (s->grid.n[2] > 1 ? 3 : 2); axis++) TRY(derive_gradient(s, axis));
    return ARGAND_OK;
}

/* Notes the range of the field, in Hz and in cycles at the last sample, which reveals a map in a wrong
 * unit. */
static argand_status note_field(argand_sense *s)
{
    double most, last = 0;
    if (!s->maps.field.array || map_is_zero(&s->maps.field)) return ARGAND_OK;
    TRY(argand_array_max_abs(&most, s->maps.field.array));
    const double hertz = most / (TWO_PI);
    for (int64_t q = 0; q < s->volumes[0].count; q++) {
        const argand_acquisition *a = s->volumes[0].rows[q].acquisition;
        if (a->samples > 0) last = fmax(last, fabs((double)a->t[a->samples - 1]));
    }
    text_add(&s->notes, "The field map reaches %.4g Hz: %.3g cycles by the last sample (%.3g ms).\n", hertz,
             hertz * last, 1e3 * last);
    const argand_encoding *e = &s->scan->encodings[s->options.encoding];
    if (e->readout.untimed)
        text_add(
            &s->notes,
            "EPI: nothing says when the lines of %lld trains were read, so the field map does not correct "
            "the distortion along ky. Put echo_spacing (ms) into the header's sequenceParameters.\n",
            (long long)e->readout.untimed);
    const double ppm = s->scan->field_strength > 0 ? hertz / (42.577 * s->scan->field_strength) : 0;
    if (ppm > MOST_PPM || (ppm == 0 && hertz > MOST_HERTZ))
        text_add(&s->notes,
                 "That is too large for a field map (%.3g ppm; tissue next to air makes 10). Check its unit: "
                 "rad/s read as Hz, or a scale factor?\n",
                 ppm);
    else if (hertz * last < 1e-3)
        text_add(&s->notes,
                 "That is too small to change the image. Check the map's unit: kHz, ppm or radians?\n");
    return ARGAND_OK;
}

/* Refuses several sets of coil maps if the options do not ask for them: a further dimension otherwise
 * counts slices, and the sets of a file are not numbered. (The scan's own array may have slices of another
 * encoding.) */
static argand_status check_one_set(const argand_sense *s, const recon_map *m)
{
    CHECK(
        !m->array || s->slices > 1 || m->slices == 1, ARGAND_ARGUMENT,
        "the coil maps are %lld for each coil and pixel, but the scan has one slice: give --sets %lld to use "
        "them as sets, or maps of one slice",
        (long long)m->slices, (long long)m->slices);
    return ARGAND_OK;
}

static argand_status find_coils(argand_sense *s, recon_map *m, const map_request *r)
{
    argand_array *array, *vectors = NULL;
    map_title what;
    if (s->options.sets < 2) {
        TRY(find(s, m, r, s->channels, MAP_COMPLEX | MAP_NOT_ZERO));
        return r->given ? check_one_set(s, m) : ARGAND_OK;
    }
    TRY(map_open(s, r, &array, &what));
    if (!array) return ARGAND_OK;
    argand_status status = sets_adopt(s, what.chars, array, &vectors);
    if (!status)
        status = adopt(s, m, what.chars, (int64_t)s->channels * s->options.sets, MAP_COMPLEX | MAP_NOT_ZERO,
                       vectors);
    argand_array_destroy(vectors);
    argand_array_destroy(array);
    return status;
}

argand_status maps_find(argand_sense *s, const argand_sense_options *given)
{
    recon_maps *m = &s->maps;
    const map_request field = {"field map", given->field_map, given->field_map_name, "FieldMap"},
                      coil_maps = {"coil maps", given->coil_maps, given->coil_maps_name, "SENSEMap"},
                      mask = {"mask", given->mask, given->mask_name, NULL},
                      r2star = {"R2* map", given->r2star, NULL, NULL};
    TRY(find(s, &m->field, &field, 1, 0));
    TRY(field_zeros_continue(s, &m->field));
    TRY(note_field(s));
    TRY(find_coils(s, &m->coils, &coil_maps));
    TRY(find(s, &m->mask, &mask, 1, MAP_NOT_ZERO));
    TRY(find(s, &m->r2star, &r2star, 1, MAP_NOT_NEGATIVE));
    return find_gradients(s, given);
}

void maps_free(recon_maps *m)
{
    recon_map *const all[] = {&m->field,       &m->coils,       &m->mask,       &m->r2star,
                              &m->gradient[0], &m->gradient[1], &m->gradient[2]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        argand_array_destroy(all[i]->array);
        *all[i] = (recon_map){0};
    }
}

argand_status map_of_slice(const argand_sense *s, const recon_map *m, int slice, argand_array **out)
{
    argand_array *part, *shaped = NULL;
    int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], m->vectors};
    const int rank = s->grid.rank + (m == &s->maps.coils ? 1 : 0);
    *out = NULL;
    if (!m->array) return ARGAND_OK;
    dims[s->grid.rank] = m->vectors; /* after the two or three axes of the grid */
    if (m != &s->maps.coils && rank == 3) dims[2] = s->grid.n[2];
    TRY(argand_array_part(&part, m->array, 4, m->slices > 1 ? slice : 0, 1));
    const argand_status status = argand_array_reshape(&shaped, part, rank, dims);
    argand_array_destroy(part);
    *out = shaped;
    if (status != ARGAND_OK || m != &s->maps.coils) return status;
    return s->options.sets > 1 ? sets_of_slice(s, out) : channels_mix(s, out);
}
