/* SPDX-License-Identifier: BSD-3-Clause */
/* The multiplication of an image by the maps of all coils, as the operator "coils". */
#include "mri/coils_op.h"

#include <stdio.h>
#include "array/array.h"
#include "kernels/params.h"
#include "mri/host.h"

typedef struct coils {
    argand_array *maps; /* {pixels, coils}; storage shared with the caller */
    int64_t pixels, count;
} coils;

/* Launches one kernel for all coils: operand 0 is the output, operand 1 the maps. If the kernel does not sum
 * over coils, the coils are divided among several work groups of a GPU. */
static argand_status run(const coils *s, const char *kernel, bool sums, argand_array *out,
                         const argand_array *in, struct coils_params params)
{
    enum { CHUNK = 1024, GPU_CHUNK = 256, GPU_TOGETHER = 4 };
    const bool on_gpu = !storage_address(out->storage);
    char key[64];
    storage *const memory[3] = {out->storage, s->maps->storage, in->storage};
    params.pixels = s->pixels;
    params.count = s->count;
    params.chunk = on_gpu ? GPU_CHUNK : CHUNK;
    params.chunks = (s->pixels + params.chunk - 1) / params.chunk;
    params.together = sums || !on_gpu ? s->count : GPU_TOGETHER;
    params.maps = 2 * s->maps->offset;
    snprintf(key, sizeof key, "%s REAL=%s", kernel, type_is_double(out->type) ? "double" : "float");
    const kernel_run launch = {.key = key,
                               .groups = params.chunks * ((s->count + params.together - 1) / params.together),
                               .memory = memory,
                               .memory_count = 3,
                               .params = &params,
                               .params_bytes = sizeof params};
    return kernel_start(argand_array_device(out), &launch);
}

/* y_c = S_c x */
static argand_status coils_apply(void *context, argand_array *y, const argand_array *x)
{
    return run(context, "coils_apply", false, y, x,
               (struct coils_params){.image = 2 * x->offset, .coils = 2 * y->offset});
}

/* x = sum_c conj(S_c) y_c */
static argand_status coils_adjoint(void *context, argand_array *x, const argand_array *y)
{
    return run(context, "coils_adjoint", true, x, y,
               (struct coils_params){.image = 2 * x->offset, .coils = 2 * y->offset});
}

static void coils_destroy(void *context)
{
    coils *s = context;
    if (s) argand_array_destroy(s->maps);
    memory_free(s);
}

static argand_status coils_new(coils **context, const argand_array *maps)
{
    coils *s;
    TRY(NEW(s, 1));
    s->count = argand_array_dim(maps, argand_array_rank(maps) - 1);
    s->pixels = argand_array_count(maps) / s->count;
    const argand_status status =
        argand_array_reshape(&s->maps, maps, 2, (const int64_t[2]){s->pixels, s->count});
    if (status)
        memory_free(s);
    else
        *context = s;
    return status;
}

argand_status coils_op(argand_op **op, const argand_array *maps)
{
    const int rank = argand_array_rank(maps);
    argand_op_definition definition = {.name = "coils",
                                       .domain = {.type = argand_array_type(maps), .rank = rank - 1},
                                       .range = {.type = argand_array_type(maps), .rank = rank},
                                       .apply = coils_apply,
                                       .adjoint = coils_adjoint,
                                       .destroy = coils_destroy};
    coils *s;
    for (int d = 0; d < rank; d++) definition.range.dims[d] = argand_array_dim(maps, d);
    for (int d = 0; d + 1 < rank; d++) definition.domain.dims[d] = argand_array_dim(maps, d);
    TRY(coils_new(&s, maps));
    definition.context = s;
    const argand_status status = argand_op_create(op, argand_array_device(maps), &definition);
    if (status) coils_destroy(s);
    return status;
}

/* Accepts maps of one coil without the trailing dimension of 1. */
argand_status coils_check_maps(const char *who, const argand_shape *domain, const argand_array *maps)
{
    const int rank = argand_array_rank(maps);
    CHECK(
        rank >= 2 && argand_array_type(maps) == domain->type && argand_array_is_contiguous(maps),
        ARGAND_ARGUMENT,
        "%s: the coil maps must be contiguous {image dims..., coils} of type %s, as the transform takes them",
        who, argand_type_name(domain->type));
    for (int d = 0; d < rank || d < domain->rank; d++) {
        const int64_t given = argand_array_dim(maps, d), wanted = d < domain->rank ? domain->dims[d] : 1;
        CHECK(given == wanted, ARGAND_ARGUMENT,
              "%s: dimension %d of the coil maps is %lld, but %lld in the transform", who, d,
              (long long)given, (long long)wanted);
    }
    return ARGAND_OK;
}
