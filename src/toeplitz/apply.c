/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies a Toeplitz normal operator to several images, or to one image under coil maps. */
#include "toeplitz/apply.h"

#include "array/array.h"
#include "base/memory.h"
#include "device/range.h"

argand_status toeplitz_check_maps(const argand_toeplitz *t, const argand_array *maps, const char *who)
{
    CHECK(argand_array_device(maps) == t->device, ARGAND_ARGUMENT,
          "%s: the coil maps live on another device than the Toeplitz kernels", who);
    CHECK(argand_array_rank(maps) >= t->rank && argand_array_type(maps) == t->type &&
              argand_array_is_contiguous(maps),
          ARGAND_ARGUMENT,
          "%s: the coil maps must be contiguous {image dims..., coils} of type %s, as the kernels are", who,
          argand_type_name(t->type));
    for (int d = 0; d < t->rank; d++)
        CHECK(argand_array_dim(maps, d) == t->n[d], ARGAND_ARGUMENT,
              "%s: dimension %d of the coil maps is %lld, but %lld in the Toeplitz kernels", who, d,
              (long long)argand_array_dim(maps, d), (long long)t->n[d]);
    CHECK(argand_array_count(maps) == t->pixels * argand_array_dim(maps, t->rank), ARGAND_ARGUMENT,
          "%s: the coil maps have dimensions beyond the coils (axis %d)", who, t->rank);
    return ARGAND_OK;
}

static argand_status fill(toeplitz_apply *a, const argand_array *maps)
{
    if (maps) TRY(argand_array_reshape(&a->maps, maps, 2, (const int64_t[2]){a->t->pixels, a->vectors}));
    if (a->t->images) return subspace_engine_open(a);
    return a->t->on_host ? cpu_engine_open(a) : a->t->is_whole ? whole_engine_open(a) : device_engine_open(a);
}

argand_status toeplitz_apply_create(toeplitz_apply **out, argand_toeplitz *t, int64_t vectors,
                                    const argand_array *maps)
{
    toeplitz_apply *a;
    TRY(NEW(a, 1));
    a->t = toeplitz_keep(t);
    a->vectors = vectors;
    const argand_status status = fill(a, maps);
    if (status == ARGAND_OK)
        *out = a;
    else
        toeplitz_apply_destroy(a);
    return status;
}

argand_status toeplitz_apply_run(const toeplitz_apply *a, argand_array *out, const argand_array *in)
{
    range_push("argand toeplitz normal");
    return range_end(a->t->images     ? subspace_engine_run(a, out, in)
                     : a->t->on_host  ? cpu_engine_run(a, out, in)
                     : a->t->is_whole ? whole_engine_run(a, out, in)
                                      : device_engine_run(a, out, in));
}

void toeplitz_apply_destroy(toeplitz_apply *a)
{
    if (!a) return;
    cpu_engine_close(a);
    device_engine_close(a);
    subspace_engine_close(a);
    argand_array_destroy(a->maps);
    argand_toeplitz_destroy(a->t);
    memory_free(a);
}
