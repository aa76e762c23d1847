/* SPDX-License-Identifier: BSD-3-Clause */
/* The gradient of a field map inside a voxel (Sutton, Noll and Fessler use such maps for through-plane
 * dephasing), by differences along one axis, each row for itself. */
#include "base/memory.h"
#include "base/pi.h"
#include "base/status.h"
#include "field/input.h"

typedef struct field_of_rows {
    const double *value, *mask;
    int64_t stride, length; /* of the axis, elements */
} field_of_rows;

static bool usable(const field_of_rows *m, int64_t pixel, int64_t place)
{
    return place >= 0 && place < m->length && (!m->mask || m->mask[pixel] != 0);
}

/* rad/s per voxel at `pixel`, which is the `place`-th of its row */
static double slope(const field_of_rows *m, int64_t pixel, int64_t place)
{
    if (!usable(m, pixel, place)) return 0;
    const int64_t before = pixel - m->stride, after = pixel + m->stride;
    const bool has_before = place > 0 && usable(m, before, place - 1);
    const bool has_after = place + 1 < m->length && usable(m, after, place + 1);
    if (has_before && has_after) return (m->value[after] - m->value[before]) / 2;
    if (has_after) return m->value[after] - m->value[pixel];
    if (has_before) return m->value[pixel] - m->value[before];
    return 0;
}

static argand_status check_shapes(const argand_array *gradient, const argand_array *map,
                                  const argand_array *mask, int axis)
{
    CHECK(gradient && map, ARGAND_ARGUMENT, "field: the gradient needs a map and an array for the result");
    const int rank = argand_array_rank(map);
    CHECK(rank >= 1 && rank <= 3, ARGAND_ARGUMENT, "field: a map of rank %d; it must be 1, 2 or 3", rank);
    CHECK(axis >= 0 && axis < rank, ARGAND_ARGUMENT, "field: axis %d of a map of rank %d", axis, rank);
    for (int d = 0; d < 3; d++) {
        const long long n = (long long)argand_array_dim(map, d),
                        other = (long long)argand_array_dim(gradient, d);
        CHECK(n == other, ARGAND_ARGUMENT, "field: dimension %d is %lld in the gradient and %lld in the map",
              d, other, n);
    }
    CHECK(argand_array_count(gradient) == argand_array_count(map), ARGAND_ARGUMENT,
          "field: the gradient and the map differ in shape");
    CHECK(!mask || argand_array_count(mask) == argand_array_count(map), ARGAND_ARGUMENT,
          "field: the mask has %lld values, the map %lld", mask ? (long long)argand_array_count(mask) : 0,
          (long long)argand_array_count(map));
    return ARGAND_OK;
}

static argand_status upload(argand_array *gradient, const double *values)
{
    void *packed = NULL;
    const argand_type type = argand_array_type(gradient);
    CHECK(type == ARGAND_R32 || type == ARGAND_R64, ARGAND_ARGUMENT,
          "field: the gradient's array is %s; it must be real", argand_type_name(type));
    TRY(field_pack(&packed, values, argand_array_count(gradient), type == ARGAND_R64));
    const argand_status status = argand_array_upload(gradient, packed);
    memory_free(packed);
    return status;
}

argand_status argand_field_gradient(argand_array *gradient, const argand_array *field,
                                    const argand_array *mask, int axis)
{
    TRY(check_shapes(gradient, field, mask, axis));
    double *value = NULL, *inside = NULL, *result = NULL;
    argand_status status;
    const int64_t count = argand_array_count(field);
    field_of_rows m = {.stride = 1, .length = argand_array_dim(field, axis)};
    for (int d = 0; d < axis; d++) m.stride *= argand_array_dim(field, d);
    TRY_OR_DONE(field_read_reals(&value, field, "the map"));
    if (mask) TRY_OR_DONE(field_read_reals(&inside, mask, "the mask"));
    TRY_OR_DONE(NEW(result, count));
    m.value = value;
    m.mask = inside;
    for (int64_t i = 0; i < count; i++) result[i] = slope(&m, i, i / m.stride % m.length) / TWO_PI;
    TRY_OR_DONE(upload(gradient, result));
done:
    memory_free(result);
    memory_free(inside);
    memory_free(value);
    return status;
}
