/* SPDX-License-Identifier: BSD-3-Clause */
/* Variants of a plan with native kernels: programs, with their tables and kernels, for arrays of one kind.
 * They are made on demand, found again by their key, and freed with the plan. */
#include "fft/gpu/build.h"
#include "fft/gpu/native.h"
#include "fft/gpu/variant.h"

#include <string.h>
#include "base/memory.h"

static void variant_destroy(variant *v)
{
    if (!v) return;
    kernel_replay_free(v->replay);
    program_release(&v->program);
    storage_release(v->tables);
    storage_release(v->counters);
    memory_free(v);
}

argand_status variants_begin(native_state *s, argand_device *device, variant_maker make)
{
    pthread_mutex_init(&s->lock, NULL);
    s->make = make;
    s->tells_shared = device_traits_of(device)->group_memory_given;
    return ARGAND_OK;
}

void variants_end(native_state *s)
{
    while (s->variants) {
        variant *v = s->variants;
        s->variants = v->next;
        variant_destroy(v);
    }
    pthread_mutex_destroy(&s->lock);
}

/* Uploads a part at a time, because allocating memory costs as much as copying to it. */
static argand_status upload_single(storage *to, const double *from, size_t count, argand_device *device)
{
    const size_t most = (size_t)1 << 20, chunk = count < most ? count : most;
    argand_status status = ARGAND_OK;
    float *single;
    TRY(memory_take(&single, chunk * sizeof *single));
    for (size_t at = 0; status == ARGAND_OK && at < count; at += chunk) {
        const int here = (int)(count - at < chunk ? count - at : chunk);
#pragma omp parallel for num_threads(argand_device_threads(device)) schedule(static) if (here > 1 << 18)
        for (int i = 0; i < here; i++) single[i] = (float)from[at + (size_t)i];
        status = storage_upload(to, at * sizeof *single, single, (size_t)here * sizeof *single);
    }
    memory_free(single);
    return status;
}

argand_status variant_upload_tables(storage **to, const pass_program *p, const block_limits *l,
                                    argand_device *device)
{
    const size_t count = 2 * (size_t)(p->tables.count ? p->tables.count : 1);
    TRY(storage_new(to, device, count * (size_t)l->element_bytes / 2));
    if (!p->tables.count) return ARGAND_OK;
    if (l->is_double) return storage_upload(*to, 0, p->tables.elements, count * sizeof(double));
    return upload_single(*to, p->tables.elements, count, device);
}

/* Makes the counters. Persistent passes have two for all blocks, and one for each pass and chunk.
 * Persistent blocks of all passes share one, from which they draw tiles. All are zero whenever a launch
 * ends. */
static argand_status make_counters(storage **to, const pass_program *p, argand_device *device)
{
    const persistent_launch *w = &p->persistent;
    size_t count = w->count ? 2 + (size_t)w->count * (size_t)w->params.chunks : 0;
    for (int i = 0; i < p->count; i++)
        if (p->pass[i].shape.persistent_blocks && !count) count = 1;
    return count ? storage_new(to, device, count * sizeof(int)) : ARGAND_OK;
}

static bool strides_are(const fft_geometry *a, const fft_geometry *b)
{
    bool same = a->rank == b->rank && a->loops == b->loops;
    for (int i = 0; same && i < a->rank + a->loops; i++) {
        const argand_axis *x = i < a->rank ? &a->axes[i] : &a->loop[i - a->rank],
                          *y = i < a->rank ? &b->axes[i] : &b->loop[i - a->rank];
        same = x->in_stride == y->in_stride && x->out_stride == y->out_stride;
    }
    return same;
}

/* Makes a variant. Strides other than the plan's own may be many, so that kernels do not have them as
 * constants. */
static argand_status variant_new(variant **out, const native_state *s, const void *plan,
                                 const variant_key *key)
{
    variant *v;
    block_limits limits = s->limits;
    limits.out_of_place = key->out_of_place;
    limits.tuning.constant_strides &= !s->first || strides_are(&key->geometry, &s->first->key.geometry);
    TRY(NEW(v, 1));
    v->key = *key;
    argand_status status = s->make(&v->program, plan, key, &limits);
    if (status == ARGAND_OK)
        status = variant_upload_tables(&v->tables, &v->program, &s->limits, limits.device);
    if (status == ARGAND_OK) status = make_counters(&v->counters, &v->program, limits.device);
    if (status != ARGAND_OK)
        variant_destroy(v);
    else
        *out = v;
    return status;
}

static void put_first(native_state *s, variant *v)
{
    v->next = s->variants;
    s->variants = v;
}

argand_status variant_add(native_state *s, const void *plan, const variant_key *key)
{
    variant *made;
    TRY(variant_new(&made, s, plan, key));
    put_first(s, made);
    return ARGAND_OK;
}

/* Builds the kernels of `first` and of the variants after it in the list. */
static argand_status build_kernels(variant *first, argand_device *device)
{
    program_kernel_keys kernels = {.count = 0};
    for (const variant *v = first; v; v = v->next) kernels_gather(&kernels, &v->program);
    TRY(kernels_build(device, kernels.key, kernels.count));
    for (variant *v = first; v; v = v->next) TRY(program_kernels(v->kernels, &v->program, device));
    return ARGAND_OK;
}

argand_status variants_build(native_state *s)
{
    return build_kernels(s->variants, s->limits.device);
}

static bool serves(const variant *v, const variant_key *key)
{
    const variant_key *own = &v->key;
    return own->direction == key->direction && own->part == key->part && own->swapped == key->swapped &&
           own->adjacent == key->adjacent && own->factor == key->factor &&
           !memcmp(own->reals, key->reals, sizeof own->reals) &&
           (key->out_of_place || !v->program.out_of_place) && geometry_is(&own->geometry, &key->geometry);
}

argand_status variant_get(native_state *s, const void *plan, const variant_key *key, const variant **out)
{
    argand_status status = ARGAND_OK;
    variant *v, *made = NULL;
    pthread_mutex_lock(&s->lock);
    for (v = s->variants; v; v = v->next)
        if (serves(v, key)) break;
    if (!v) {
        status = variant_new(&made, s, plan, key);
        if (status == ARGAND_OK) status = build_kernels(made, s->limits.device);
        if (status == ARGAND_OK) status = variant_prepare_replay(s, made);
        if (status == ARGAND_OK)
            put_first(s, v = made);
        else
            variant_destroy(made);
    }
    pthread_mutex_unlock(&s->lock);
    *out = v;
    return status;
}
