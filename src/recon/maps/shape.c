/* SPDX-License-Identifier: BSD-3-Clause */
/* Accepted shapes of maps. */
#include "recon/maps/maps.h"

#include <stdio.h>
#include "array/array.h"
#include "base/files/file.h"

const char *map_shape_print(char *chars, size_t size, const char *title, int rank, const int64_t *dims)
{
    const bool reversed = file_ends_with(title, ".npy") || file_ends_with(title, "of the scan");
    size_t used = (size_t)snprintf(chars, size, reversed ? "(" : "{");
    for (int axis = 0; axis < rank && used < size; axis++)
        used += (size_t)snprintf(chars + used, size - used, "%s%lld", axis ? ", " : "",
                                 (long long)dims[reversed ? rank - 1 - axis : axis]);
    if (used < size) snprintf(chars + used, size - used, !reversed ? "}" : rank == 1 ? ",)" : ")");
    return chars;
}

/* Copies the dimensions above 1, since a map's shape may leave out axes of length 1. Returns their number. */
static int without_ones(int rank, const int64_t *dims, int64_t *kept)
{
    int count = 0;
    for (int axis = 0; axis < rank; axis++)
        if (dims[axis] != 1) kept[count++] = dims[axis];
    return count;
}

/* Returns the number of slices in the shape, or 0 if the shape is not that of a map. */
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

argand_status map_check_shape(const argand_sense *s, const char *what, int64_t vectors, int rank,
                              const int64_t *dims, int64_t *slices)
{
    char have[256], want[256];
    const int64_t expected[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], vectors};
    *slices = slices_of(s, vectors, rank, dims);
    map_shape_print(have, sizeof have, what, rank, dims);
    map_shape_print(want, sizeof want, what, vectors > 1 ? 4 : s->grid.n[2] > 1 ? 3 : 2, expected);
    CHECK(*slices || vectors == 1 || slices_of(s, 1, rank < 3 ? rank : 3, dims) == 0, ARGAND_ARGUMENT,
          "%s is %s, but %s has %lld coils, %s: give maps of the same coils", what, have, s->scan->path,
          (long long)vectors, want);
    CHECK(*slices, ARGAND_ARGUMENT, "%s is %s, but the image%s %s: resample the map, %s", what, have,
          vectors > 1 ? " with its coils is" : " is", want,
          s->options.field_of_view[0] > 0
              ? "or leave it out: coil maps of another field of view can be estimated"
              : "or choose the image's size by --matrix");
    CHECK(*slices >= s->slices, ARGAND_ARGUMENT, "%s is %s and so has %lld slice(s), but the scan has %d",
          what, have, (long long)*slices, s->slices);
    return ARGAND_OK;
}
