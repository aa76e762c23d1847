/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR: what a file says besides its samples, into another file. Not what says how its samples are stored:
 * type, tiles and chunkCount of a file in tiles made OpenEXRCore write beyond its table of chunks. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include <string.h>
#include "io/raster/exr.h"

/* Of the file itself, or set already (exr_write.c). */
static bool is_its_own(const char *name)
{
    static const char *const names[] = {"type",
                                        "tiles",
                                        "chunkCount",
                                        "version",
                                        "name",
                                        "channels",
                                        "compression",
                                        "dataWindow",
                                        "lineOrder",
                                        "displayWindow",
                                        "maxSamplesPerPixel",
                                        "pixelAspectRatio",
                                        "screenWindowCenter",
                                        "screenWindowWidth"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

static exr_result_t copy_numbers(raster_exr_state *s, const exr_attribute_t *a)
{
    switch (a->type) {
    case EXR_ATTR_DOUBLE:
        return exr_attr_set_double(s->context, s->part, a->name, a->d);
    case EXR_ATTR_FLOAT:
        return exr_attr_set_float(s->context, s->part, a->name, a->f);
    case EXR_ATTR_INT:
        return exr_attr_set_int(s->context, s->part, a->name, a->i);
    case EXR_ATTR_ENVMAP:
        return exr_attr_set_envmap(s->context, s->part, a->name, (exr_envmap_t)a->uc);
    case EXR_ATTR_RATIONAL:
        return exr_attr_set_rational(s->context, s->part, a->name, a->rational);
    case EXR_ATTR_FLOAT_VECTOR:
        return exr_attr_set_float_vector(s->context, s->part, a->name, a->floatvector->length,
                                         a->floatvector->arr);
    case EXR_ATTR_V2I:
        return exr_attr_set_v2i(s->context, s->part, a->name, a->v2i);
    case EXR_ATTR_V2F:
        return exr_attr_set_v2f(s->context, s->part, a->name, a->v2f);
    case EXR_ATTR_V2D:
        return exr_attr_set_v2d(s->context, s->part, a->name, a->v2d);
    case EXR_ATTR_V3I:
        return exr_attr_set_v3i(s->context, s->part, a->name, a->v3i);
    case EXR_ATTR_V3F:
        return exr_attr_set_v3f(s->context, s->part, a->name, a->v3f);
    case EXR_ATTR_V3D:
        return exr_attr_set_v3d(s->context, s->part, a->name, a->v3d);
    case EXR_ATTR_M33F:
        return exr_attr_set_m33f(s->context, s->part, a->name, a->m33f);
    case EXR_ATTR_M33D:
        return exr_attr_set_m33d(s->context, s->part, a->name, a->m33d);
    case EXR_ATTR_M44F:
        return exr_attr_set_m44f(s->context, s->part, a->name, a->m44f);
    case EXR_ATTR_M44D:
        return exr_attr_set_m44d(s->context, s->part, a->name, a->m44d);
    default:
        return EXR_ERR_SUCCESS;
    }
}

/* Small arrays of words keep their pointers in the attribute; a file may have any number. */
static exr_result_t copy_strings(raster_exr_state *s, const exr_attribute_t *a)
{
    enum { MOST = 1024 };
    const char *strings[MOST];
    const int32_t count = a->stringvector->n_strings;
    if (count < 1 || count > MOST) return EXR_ERR_SUCCESS;
    for (int32_t i = 0; i < count; i++) strings[i] = a->stringvector->strings[i].str;
    return exr_attr_set_string_vector(s->context, s->part, a->name, count, strings);
}

static exr_result_t copy_one(raster_exr_state *s, const exr_attribute_t *a)
{
    switch (a->type) {
    case EXR_ATTR_BOX2I:
        return exr_attr_set_box2i(s->context, s->part, a->name, a->box2i);
    case EXR_ATTR_BOX2F:
        return exr_attr_set_box2f(s->context, s->part, a->name, a->box2f);
    case EXR_ATTR_CHROMATICITIES:
        return exr_attr_set_chromaticities(s->context, s->part, a->name, a->chromaticities);
    case EXR_ATTR_KEYCODE:
        return exr_attr_set_keycode(s->context, s->part, a->name, a->keycode);
    case EXR_ATTR_TIMECODE:
        return exr_attr_set_timecode(s->context, s->part, a->name, a->timecode);
    case EXR_ATTR_PREVIEW:
        return exr_attr_set_preview(s->context, s->part, a->name, a->preview);
    case EXR_ATTR_STRING:
        return exr_attr_set_string(s->context, s->part, a->name, a->string->str);
    case EXR_ATTR_STRING_VECTOR:
        return copy_strings(s, a);
    case EXR_ATTR_OPAQUE:
        return exr_attr_set_user(s->context, s->part, a->name, a->type_name, a->opaque->size,
                                 a->opaque->packed_data);
    default:
        return copy_numbers(s, a);
    }
}

exr_result_t raster_exr_copy_attributes(raster_exr_state *to, const raster_exr_state *from)
{
    int32_t count = 0;
    exr_result_t r = exr_get_attribute_count(from->context, from->part, &count);
    for (int32_t i = 0; i < count && !r; i++) {
        const exr_attribute_t *a;
        r = exr_get_attribute_by_index(from->context, from->part, EXR_ATTR_LIST_FILE_ORDER, i, &a);
        if (!r && !is_its_own(a->name)) r = copy_one(to, a);
    }
    return r;
}
#endif
