/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves for an image of each set of coil maps (maps/sets.c), and combines these to the volume's image. */
#include "recon/solve/solve.h"

#include <math.h>
#include "base/memory.h"

static argand_status combine(const argand_sense *s, const argand_array *images, argand_array *x)
{
    const int64_t pixels = argand_array_count(x), sets = s->options.sets;
    double *z;
    argand_array *flat = NULL, *shaped = NULL;
    argand_status status;
    TRY(numbers_of_array(images, &z));
    for (int64_t i = 0; i < pixels; i++) {
        const double first = hypot(z[2 * i], z[2 * i + 1]);
        double all = first;
        for (int64_t set = 1; set < sets; set++)
            all = hypot(all, hypot(z[2 * (i + pixels * set)], z[2 * (i + pixels * set) + 1]));
        const double re = first > 0 ? z[2 * i] / first : 1, im = first > 0 ? z[2 * i + 1] / first : 0;
        z[2 * i] = all * re;
        z[2 * i + 1] = all * im;
    }
    TRY_OR_DONE(complex_of_numbers(s, z, pixels, &flat));
    TRY_OR_DONE(argand_array_reshape(&shaped, flat, s->grid.rank, s->grid.n));
    status = argand_array_copy(x, shaped);
done:
    argand_array_destroy(shaped);
    argand_array_destroy(flat);
    memory_free(z);
    return status;
}

argand_status sets_solve(argand_sense *s, const recon_samples *data, argand_array *x, argand_monitor monitor,
                         void *context)
{
    argand_array *images;
    int64_t dims[4];
    if (s->options.method == ARGAND_METHOD_ADJOINT_RSS) return solve_volume(s, data, x, monitor, context);
    for (int axis = 0; axis < s->grid.rank; axis++) dims[axis] = s->grid.n[axis];
    dims[s->grid.rank] = s->options.sets;
    TRY(argand_array_create(&images, s->device, s->options.type, s->grid.rank + 1, dims));
    argand_status status = solve_volume(s, data, images, monitor, context);
    if (status == ARGAND_OK || status == ARGAND_STOPPED) {
        const argand_status combined = combine(s, images, x);
        if (combined != ARGAND_OK) status = combined;
    }
    argand_array_destroy(images);
    return status;
}
