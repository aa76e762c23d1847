/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps: given by the caller or found in the scan, checked against the grid, converted to the session's
 * precision. */
#include "recon/session.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "device/device.h"

static const char *print_dims(char *words, size_t size, int rank, const int64_t *dims)
{
    size_t used = 0;
    words[0] = 0;
    for (int axis = 0; axis < rank && used < size; axis++)
        used += (size_t)snprintf(words + used, size - used, "%s%lld", axis ? "x" : "", (long long)dims[axis]);
    return words;
}

/* Axes of length 1 may be left out of a map's shape, so that shapes are compared without them. */
static int without_ones(int rank, const int64_t *dims, int64_t *kept)
{
    int count = 0;
    for (int axis = 0; axis < rank; axis++)
        if (dims[axis] != 1) kept[count++] = dims[axis];
    return count;
}

/* How many slices the shape holds, or 0 where it is not that of a map. */
static int64_t slices_of(const argand_sense *s, int64_t vectors, int rank, const int64_t *dims)
{
    const int64_t expected[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], vectors};
    int64_t want[4], have[ARGAND_MAX_RANK];
    const int wanted = without_ones(4, expected, want), held = without_ones(rank, dims, have);
    if (held < wanted || held > wanted + 1) return 0;
    for (int i = 0; i < wanted; i++)
        if (have[i] != want[i]) return 0;
    return held > wanted ? have[wanted] : 1;
}

static argand_status check_shape(const argand_sense *s, const char *what, int64_t vectors, int rank,
                                 const int64_t *dims, int64_t *slices)
{
    char have[128], want[128];
    const int64_t expected[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], vectors};
    *slices = slices_of(s, vectors, rank, dims);
    print_dims(have, sizeof have, rank, dims);
    print_dims(want, sizeof want, vectors > 1 ? 4 : s->grid.n[2] > 1 ? 3 : 2, expected);
    CHECK(*slices, ARGAND_ARGUMENT,
          "%s is %s, but the image%s %s: resample the map, or choose the image's size by --matrix", what,
          have, vectors > 1 ? " with its coils is" : " is", want);
    CHECK(*slices >= s->slices, ARGAND_ARGUMENT, "%s is %s and so has %lld slice(s), but the scan has %d",
          what, have, (long long)*slices, s->slices);
    return ARGAND_OK;
}

/* Takes a host or device array in as a map: checked, copied, converted. */
static argand_status adopt(const argand_sense *s, recon_map *m, const char *what, int64_t vectors,
                           bool is_complex, const argand_array *given)
{
    const bool given_complex =
        argand_array_type(given) == ARGAND_C32 || argand_array_type(given) == ARGAND_C64;
    const bool is_double = s->options.type == ARGAND_C64;
    int64_t dims[ARGAND_MAX_RANK], slices;
    bool finite;
    for (int axis = 0; axis < argand_array_rank(given); axis++) dims[axis] = argand_array_dim(given, axis);
    CHECK(is_complex || !given_complex, ARGAND_ARGUMENT, "%s is complex; it must be real", what);
    TRY(check_shape(s, what, vectors, argand_array_rank(given), dims, &slices));
    TRY(argand_array_is_finite(&finite, given));
    CHECK(finite, ARGAND_ARGUMENT, "%s holds numbers that are not finite (NaN or infinite)", what);

    argand_array *copy = NULL, *flat = NULL;
    argand_status status;
    const argand_type type = is_complex ? s->options.type : is_double ? ARGAND_R64 : ARGAND_R32;
    TRY_OR_DONE(argand_array_create(&copy, s->device, type, argand_array_rank(given), dims));
    TRY_OR_DONE(argand_array_copy(copy, given));
    TRY_OR_DONE(argand_array_reshape(&flat, copy, 5,
                                     (int64_t[]){s->grid.n[0], s->grid.n[1], s->grid.n[2], vectors, slices}));
    *m = (recon_map){flat, vectors, slices};
done:
    argand_array_destroy(copy);
    return status;
}

/* An array of the scan as an array on the host's device, where any type can be. */
static argand_status from_scan(const argand_sense *s, const argand_scan_array *found, argand_array **out)
{
    argand_device *host;
    TRY(device_host(&host, s->device));
    TRY(argand_array_create(out, host, found->type, found->rank, found->dims));
    const argand_status status = argand_array_upload(*out, found->data);
    if (status != ARGAND_OK) argand_array_destroy(*out);
    return status;
}

/* What a map is called in messages, where it comes from, what it must be like. */
typedef struct request {
    const char *what;
    const argand_array *given;
    const char *name, *default_name; /* in the scan; NULL: not looked for */
    int64_t vectors;
    bool is_complex;
} request;

static argand_status find(argand_sense *s, recon_map *m, const request *r)
{
    char what[160];
    if (r->given) {
        snprintf(what, sizeof what, "the %s", r->what);
        return adopt(s, m, what, r->vectors, r->is_complex, r->given);
    }
    const char *name = r->name ? r->name : r->default_name;
    if (!name || !*name) return ARGAND_OK;
    const argand_scan_array *found = argand_scan_find(s->scan, name);
    CHECK(found || !r->name, ARGAND_ARGUMENT,
          "%s: there is no array \"%s\" to take the %s from (argand info lists the arrays)", s->scan->path,
          name, r->what);
    if (!found) return ARGAND_OK;
    argand_array *array;
    TRY(from_scan(s, found, &array));
    snprintf(what, sizeof what, "the %s \"%s\" of the scan", r->what, name);
    const argand_status status = adopt(s, m, what, r->vectors, r->is_complex, array);
    argand_array_destroy(array);
    if (status == ARGAND_OK) text_add(&s->notes, "From the scan's array %s: the %s.\n", name, r->what);
    return status;
}

bool map_is_zero(const recon_map *m)
{
    double most = 0;
    return !m->array || (argand_array_max_abs(&most, m->array) == ARGAND_OK && most == 0);
}

/* Gradients where none are given: of the field map, slice by slice. */
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
    static const char *const words[3] = {"field gradient along x", "field gradient along y",
                                         "field gradient along z"};
    if (s->options.transform != ARGAND_TRANSFORM_DFT_GRADIENTS) return ARGAND_OK;
    bool any = false;
    for (int axis = 0; axis < 3; axis++) {
        const request r = {words[axis], given->gradient[axis], NULL, names[axis], 1, false};
        TRY(find(s, &s->maps.gradient[axis], &r));
        any = any || s->maps.gradient[axis].array;
    }
    if (any || map_is_zero(&s->maps.field)) return ARGAND_OK;
    text_add(&s->notes, "The field gradients are differences of the field map%s.\n",
             s->grid.n[2] > 1 ? "" : "; the one through the slice is not known and taken as 0");
    for (int axis = 0; axis < (s->grid.n[2] > 1 ? 3 : 2); axis++) TRY(derive_gradient(s, axis));
    return ARGAND_OK;
}

argand_status maps_find(argand_sense *s, const argand_sense_options *given)
{
    recon_maps *m = &s->maps;
    TRY(find(s, &m->field,
             &(request){"field map", given->field_map, given->field_map_name, "FieldMap", 1, false}));
    TRY(find(s, &m->coils,
             &(request){"coil maps", given->coil_maps, given->coil_maps_name, "SENSEMap", s->coils, true}));
    TRY(find(s, &m->mask, &(request){"mask", given->mask, given->mask_name, NULL, 1, false}));
    TRY(find(s, &m->r2star, &(request){"R2* map", given->r2star, NULL, NULL, 1, false}));
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
    dims[s->grid.rank] = m->vectors; /* after the grid's axes, be they two or three */
    if (m != &s->maps.coils && rank == 3) dims[2] = s->grid.n[2];
    TRY(argand_array_part(&part, m->array, 4, m->slices > 1 ? slice : 0, 1));
    const argand_status status = argand_array_reshape(&shaped, part, rank, dims);
    argand_array_destroy(part);
    *out = shaped;
    return status;
}
