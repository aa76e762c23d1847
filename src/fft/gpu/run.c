/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs calls of the native engines: fills in the arguments of a program's launches and starts them one by
 * one, or all at once if the data are few. */
#include <string.h>
#include "array/layout.h"
#include "base/memory.h"
#include "fft/gpu/access/access.h"
#include "fft/gpu/build.h"
#include "fft/gpu/codegen/access.h"
#include "fft/gpu/codegen/pass.h"
#include "fft/gpu/native.h"
#include "fft/gpu/variant.h"

/* Arguments of a kernel: arrays, the structs of its passes, then the arguments of their accessors. */
enum { LINKS = 3 * ARGAND_MAX_ACCESSORS, PERSISTENT_INDICES = sizeof(struct passes_params) / sizeof(INDEX) };
typedef struct launch {
    storage *memory[5 + LINKS];
    int memories;
    size_t used;
    INDEX params[PERSISTENT_INDICES + PERSISTENT_MOST * ACCESS_ARGUMENTS_MOST];
} launch;

/* The launches of one call. */
typedef struct call_launches {
    int count;
    kernel_run run[KERNELS_REPLAYED];
    launch given[KERNELS_REPLAYED];
} call_launches;

static void keep(call_launches *to, const kernel_run *run)
{
    const int i = to->count++;
    launch *const given = &to->given[i];
    to->run[i] = *run;
    memcpy(given->memory, run->memory, (size_t)run->memory_count * sizeof *run->memory);
    memcpy(given->params, run->params, run->params_bytes);
    to->run[i].memory = given->memory;
    to->run[i].params = given->params;
}

/* State shared by the passes of one call. */
typedef struct pass_run {
    const native_state *state;
    const variant *variant;
    const fft_call *call;
    storage *buffer[3]; /* indexed by pass_memory */
    int64_t at[3], part;
    argand_scalar factor;    /* factor of the results */
    call_launches *recorded; /* records launches to be replayed; NULL: launches start at once */
} pass_run;

static void add_params(launch *l, const void *params, size_t bytes)
{
    memcpy(l->params + l->used, params, bytes);
    l->used += bytes / sizeof *l->params;
}

static void complete_params(struct tile_params *params, const pass_run *r, const tile_pass *pass)
{
    params->at[0] += r->at[pass->from];
    params->at[1] += r->at[pass->to];
    params->inverse = (r->call->direction == ARGAND_INVERSE) != pass->back;
    params->factor = pass->scaled ? layout_scalar(r->factor.re, r->factor.im) : layout_scalar(1, 0);
}

static void add_arrays(launch *l, const tile_shape *shape, const access_call *c)
{
    const access_chain *const chains[3] = {&c->load, &c->spectrum, &c->store};
    for (int operand = 0; operand < 3; operand++) {
        const pass_access *a = &shape->access[operand];
        for (int i = 0; i < a->links; i++) {
            const argand_array *array = chains[a->chain_number]->link[a->place[i]].array;
            if (array) l->memory[l->memories + ARGAND_MAX_ACCESSORS * operand + i] = array->storage;
        }
    }
}

/* Adds arrays and arguments of accessors if any of the kernel's passes, from this one on, has accessors;
 * leaves space for arguments that are set later. */
static void add_access(launch *l, const pass_run *r, const tile_pass *pass, int count, bool in_persistent)
{
    const int64_t first[3] = {r->part};
    bool any = false;
    for (int i = 0; i < count; i++) any |= tile_has_access(&pass[i].shape);
    if (!any) return;
    for (int i = 0; i < LINKS; i++) l->memory[l->memories + i] = r->variant->tables;
    for (int i = 0; i < count; i++) {
        if (r->call->access) add_arrays(l, &pass[i].shape, r->call->access);
        l->used += (size_t)access_arguments(l->params + l->used, &pass[i].shape, r->call->access,
                                            in_persistent ? r->variant->program.persistent.first[i] : first,
                                            r->state->limits.is_double);
    }
    /* only a single pass has a chain between transforms */
    l->memories += count == 1 && !in_persistent ? LINKS : 2 * ARGAND_MAX_ACCESSORS;
}

/* Starts the kernel of a pass, or of the persistent passes or the cluster that begins with it. */
static argand_status start(const pass_run *r, const launch *l, int pass, int64_t blocks, size_t shared_bytes)
{
    const kernel_run run = {.key = program_launch_key(&r->variant->program, pass),
                            .kernel = r->variant->kernels[pass],
                            .groups = blocks,
                            .memory = l->memory,
                            .memory_count = l->memories,
                            .params = l->params,
                            .params_bytes = l->used * sizeof *l->params,
                            .shared_bytes = r->state->tells_shared ? shared_bytes : 0,
                            .overlaps = r->state->limits.overlaps};
    if (!r->recorded) return kernel_start(r->state->limits.device, &run);
    keep(r->recorded, &run);
    return ARGAND_OK;
}

static argand_status run_pass(const pass_run *r, int i)
{
    const tile_pass *const pass = &r->variant->program.pass[i];
    const int passes = pass->exchange.blocks ? pass->exchange.passes : 1;
    launch l;
    l.memory[0] = r->buffer[pass[passes - 1].to];
    l.memory[1] = r->buffer[pass->from];
    l.memory[2] = r->variant->tables;
    l.memory[3] = r->variant->counters;
    l.memories = pass->shape.persistent_blocks ? 4 : 3;
    l.used = 0;
    for (int k = 0; k < passes; k++) {
        struct tile_params params = pass[k].params;
        complete_params(&params, r, &pass[k]);
        add_params(&l, &params, sizeof params);
    }
    add_access(&l, r, pass, passes, false);
    return start(r, &l, i, pass->shape.persistent_blocks ? pass->shape.persistent_blocks : pass->blocks,
                 passes > 1 ? pass->shared_bytes : pass_shared_bytes(pass, &r->state->limits));
}

static argand_status run_persistent(const pass_run *r)
{
    const persistent_launch *w = &r->variant->program.persistent;
    const tile_pass *const pass = &r->variant->program.pass[w->begin];
    launch l;
    l.memory[0] = r->buffer[MEMORY_OUT];
    l.memory[1] = r->buffer[MEMORY_IN];
    l.memory[2] = r->buffer[MEMORY_WORK] ? r->buffer[MEMORY_WORK] : r->buffer[MEMORY_OUT];
    l.memory[3] = r->variant->tables;
    l.memory[4] = r->variant->counters;
    l.memories = 5;
    l.used = 0;
    struct passes_params params = w->params;
    for (int i = 0; i < w->count; i++) complete_params(&params.pass[i], r, &pass[i]);
    add_params(&l, &params, sizeof params);
    add_access(&l, r, pass, w->count, true);
    return start(r, &l, w->begin, w->blocks, w->shared_bytes);
}

static int launched_at_once(const pass_program *p, int pass)
{
    if (p->persistent.count && pass == p->persistent.begin) return p->persistent.count;
    return p->pass[pass].exchange.blocks ? p->pass[pass].exchange.passes : 1;
}

static argand_status run_passes(const pass_run *r)
{
    const pass_program *p = &r->variant->program;
    for (int i = 0; i < p->count; i += launched_at_once(p, i))
        TRY(p->persistent.count && i == p->persistent.begin ? run_persistent(r) : run_pass(r, i));
    return ARGAND_OK;
}

/* Returns the plan's factor, times the scalars that left their chains. */
static argand_scalar factor_for(const pass_program *p, const fft_call *call)
{
    argand_scalar f = {1, 0};
    if (call->access) f = factor_of(p->folded, call->access);
    return (argand_scalar){call->factor * f.re, call->factor * f.im};
}

argand_status variant_run(const native_state *s, const variant *v, const fft_call *call, part first)
{
    const pass_program *p = &v->program;
    call_launches recorded;
    pass_run r = {.state = s, .variant = v, .call = call, .part = first.first, .factor = factor_for(p, call)};
    argand_status status = ARGAND_OK;
    r.buffer[MEMORY_IN] = call->in->storage;
    r.buffer[MEMORY_OUT] = call->out->storage;
    r.at[MEMORY_IN] = call->in->offset + first.in;
    r.at[MEMORY_OUT] = call->out->offset + first.out;
    if (v->replay) {
        recorded.count = 0;
        r.recorded = &recorded;
    }
    if (p->work)
        status = storage_scratch(&r.buffer[MEMORY_WORK], s->limits.device,
                                 memory_product((size_t)p->work, (size_t)s->limits.element_bytes));
    if (status == ARGAND_OK) status = run_passes(&r);
    if (status == ARGAND_OK && v->replay) status = kernel_replay_start(v->replay, recorded.run);
    storage_release(r.buffer[MEMORY_WORK]);
    return status;
}

static int64_t bytes_of(const fft_geometry *g, int element_bytes)
{
    int64_t bytes = element_bytes;
    for (int i = 0; i < g->rank; i++) bytes *= g->axes[i].n;
    for (int i = 0; i < g->loops; i++) bytes *= g->loop[i].n;
    return bytes;
}

/* Records the launches of small calls for replay, if starting them takes as long as they run. If they run
 * longer, consecutive calls overlap when launched one by one, and replays do not (8 MB on an H200: a tenth
 * slower). The recording uses the tables in place of arrays, and leaves out accessor arguments, which come
 * with each call. */
argand_status variant_prepare_replay(const native_state *s, variant *v)
{
    const fft_call call = {.direction = ARGAND_FORWARD, .factor = 1};
    call_launches all;
    pass_run r = {.state = s, .variant = v, .call = &call, .recorded = &all};
    int launches = 0;
    all.count = 0;
    for (int i = 0; i < v->program.count; i += launched_at_once(&v->program, i)) launches++;
    if (launches > KERNELS_REPLAYED ||
        bytes_of(&v->key.geometry, s->limits.element_bytes) > (int64_t)s->limits.tuning.graph_kib * 1024)
        return ARGAND_OK;
    for (int i = 0; i < 3; i++) r.buffer[i] = v->tables;
    TRY(run_passes(&r));
    return kernel_replay_new(&v->replay, s->limits.device, all.run, all.count);
}
