/* SPDX-License-Identifier: BSD-3-Clause */
/* Several sets of coil maps (soft SENSE: Uecker et al., Magn. Reson. Med. 71:990, 2014). If an object is
 * larger than the field of view, two of its points fall into one pixel, and the coils see them with
 * different maps. The unknowns are an image for each set. The volume's image is the root of the sum of
 * their squares with the phase of the first. */
#include "recon/maps/maps.h"

#include <math.h>
#include "array/array.h"
#include "base/memory.h"

argand_shape sets_shape(const argand_sense *s)
{
    argand_shape shape = {.type = s->options.type, .rank = s->grid.rank};
    for (int axis = 0; axis < s->grid.rank; axis++) shape.dims[axis] = s->grid.n[axis];
    shape.dims[shape.rank++] = s->coils;
    if (s->options.sets > 1) shape.dims[shape.rank++] = s->options.sets;
    return shape;
}

/* Accepts the dimensions {grid, coils, sets} and optionally slices; axes of length 1 may be left out. */
argand_status sets_adopt(const argand_sense *s, const char *what, const argand_array *given,
                         argand_array **as_vectors)
{
    const int64_t want[5] = {s->grid.n[0], s->grid.n[1], s->grid.n[2], s->channels, s->options.sets};
    const int rank = argand_array_rank(given);
    int64_t slices = 1, dims[ARGAND_MAX_RANK];
    int at = 0;
    char have[256], wanted[256];
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(given, axis);
    map_shape_print(have, sizeof have, what, rank, dims);
    map_shape_print(wanted, sizeof wanted, what, 5, want);
    for (int i = 0; i < 5; i++) {
        if (want[i] == 1) continue;
        while (at < rank && dims[at] == 1) at++;
        CHECK(at < rank && dims[at] == want[i], ARGAND_ARGUMENT,
              "%s is %s, but with %d sets and %d coils it must be %s, for slices with one more axis, the "
              "slowest",
              what, have, s->options.sets, s->channels, wanted);
        at++;
    }
    for (; at < rank; at++) slices *= dims[at];
    return argand_array_reshape(as_vectors, given, 5,
                                (int64_t[]){want[0], want[1], want[2], want[3] * want[4], slices});
}

/* Turns {grid, channels * sets} of a slice into {grid, coils, sets}, whitened and compressed set by set. */
argand_status sets_of_slice(const argand_sense *s, argand_array **maps)
{
    const argand_shape shape = sets_shape(s);
    const int vectors = shape.rank - 2, sets = shape.rank - 1;
    argand_array *all = NULL, *one = NULL, *to = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_create(&all, s->device, shape.type, shape.rank, shape.dims));
    for (int64_t set = 0; set < s->options.sets; set++) {
        argand_array *part;
        TRY_OR_DONE(argand_array_part(&part, *maps, vectors, set * s->channels, s->channels));
        one = part;
        TRY_OR_DONE(channels_mix(s, &one));
        TRY_OR_DONE(argand_array_part(&part, all, sets, set, 1));
        status = argand_array_reshape(&to, part, sets, shape.dims);
        argand_array_destroy(part);
        if (status == ARGAND_OK) status = argand_array_copy(to, one);
        if (status != ARGAND_OK) goto done;
        argand_array_destroy(to);
        argand_array_destroy(one);
        to = one = NULL;
    }
    argand_array_destroy(*maps);
    *maps = all;
    all = NULL;
    status = ARGAND_OK;
done:
    argand_array_destroy(to);
    argand_array_destroy(one);
    argand_array_destroy(all);
    return status;
}
