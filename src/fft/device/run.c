/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the engine of our own kernels: what the launches of a program are given, and their start, one by
 * one or, where the data are few, all at once. */
#include <string.h>
#include "array/layout.h"
#include "base/memory.h"
#include "fft/device/variant.h"

/* The launches of one call. */
typedef struct box_launches {
    int count;
    kernel_run run[KERNELS_REPLAYED];
    storage *memory[KERNELS_REPLAYED][5];
    union {
        struct cluster_convolved_params convolved;
        struct wave_params wave;
    } params[KERNELS_REPLAYED];
} box_launches;

static void keep(box_launches *to, const kernel_run *run)
{
    const int i = to->count++;
    to->run[i] = *run;
    memcpy(to->memory[i], run->memory, (size_t)run->memory_count * sizeof *run->memory);
    memcpy(&to->params[i], run->params, run->params_bytes);
    to->run[i].memory = to->memory[i];
    to->run[i].params = &to->params[i];
}

/* What passes of one call share. */
typedef struct box_run {
    const box_state *state;
    const variant *variant;
    argand_device *device;
    const fft_call *call;
    storage *side[3]; /* by box_memory */
    int64_t at[3];
    box_launches *together; /* launches are kept there, to be replayed; NULL: they start */
} box_run;

static void complete_params(struct box_params *params, const box_run *r, const box_pass *pass)
{
    params->at[0] += r->at[pass->from];
    params->at[1] += r->at[pass->to];
    params->inverse = r->call->direction == ARGAND_INVERSE;
    params->factor = layout_scalar(pass->scaled ? r->call->factor : 1, 0);
}

/* Starts the kernel of a pass, or of the wave or the cluster that begins with it. */
static argand_status start(const box_run *r, int pass, kernel_run run)
{
    const box_program *p = &r->variant->program;
    run.key = program_launch_key(p, pass);
    run.kernel = r->variant->kernels[pass];
    run.overlaps = r->state->limits.overlaps;
    if (!r->state->tells_shared) run.shared_bytes = 0;
    if (!r->together) return kernel_start(r->device, &run);
    keep(r->together, &run);
    return ARGAND_OK;
}

static argand_status run_pass(const box_run *r, int i)
{
    const box_pass *const pass = &r->variant->program.pass[i];
    const int passes = pass->cross.groups ? pass->cross.passes : 1;
    storage *const memory[3] = {r->side[pass[passes - 1].to], r->side[pass->from], r->variant->tables};
    struct cluster_convolved_params params; /* which begin as those of two passes, or of one */
    for (int k = 0; k < passes; k++) {
        params.pass[k] = pass[k].params;
        complete_params(&params.pass[k], r, &pass[k]);
    }
    return start(r, i,
                 (kernel_run){.groups = pass->shape.stream ? pass->shape.stream : pass->groups,
                              .memory = memory,
                              .memory_count = 3,
                              .params = &params,
                              .params_bytes = (size_t)passes * sizeof params.pass[0],
                              .shared_bytes = passes > 1 ? pass->shared_bytes
                                                         : pass_shared_bytes(pass, &r->state->limits)});
}

static argand_status run_wave(const box_run *r)
{
    const box_wave *w = &r->variant->program.wave;
    storage *const work = r->side[BOX_WORK] ? r->side[BOX_WORK] : r->side[BOX_OUT];
    storage *const memory[5] = {r->side[BOX_OUT], r->side[BOX_IN], work, r->variant->tables,
                                r->variant->counters};
    struct wave_params params = w->params;
    for (int i = 0; i < w->count; i++)
        complete_params(&params.pass[i], r, &r->variant->program.pass[w->begin + i]);
    return start(r, w->begin,
                 (kernel_run){.groups = w->groups,
                              .memory = memory,
                              .memory_count = 5,
                              .params = &params,
                              .params_bytes = sizeof params,
                              .shared_bytes = w->shared_bytes});
}

static int launched_at_once(const box_program *p, int pass)
{
    if (p->wave.count && pass == p->wave.begin) return p->wave.count;
    return p->pass[pass].cross.groups ? p->pass[pass].cross.passes : 1;
}

static argand_status run_passes(const box_run *r)
{
    const box_program *p = &r->variant->program;
    for (int i = 0; i < p->count; i += launched_at_once(p, i))
        TRY(p->wave.count && i == p->wave.begin ? run_wave(r) : run_pass(r, i));
    return ARGAND_OK;
}

argand_status variant_run(const box_state *s, const variant *v, argand_device *device, const fft_call *call,
                          part first)
{
    const box_program *p = &v->program;
    box_launches together;
    box_run r = {.state = s, .variant = v, .device = device, .call = call};
    argand_status status = ARGAND_OK;
    r.side[BOX_IN] = call->in->storage;
    r.side[BOX_OUT] = call->out->storage;
    r.at[BOX_IN] = call->in->offset + first.in;
    r.at[BOX_OUT] = call->out->offset + first.out;
    if (v->replay) {
        together.count = 0;
        r.together = &together;
    }
    if (p->work)
        status = storage_scratch(&r.side[BOX_WORK], device,
                                 memory_product((size_t)p->work, (size_t)s->limits.item_bytes));
    if (status == ARGAND_OK) status = run_passes(&r);
    if (status == ARGAND_OK && v->replay) status = kernel_replay_start(v->replay, together.run);
    storage_release(r.side[BOX_WORK]);
    return status;
}

static int64_t bytes_of(const fft_geometry *g, int item_bytes)
{
    int64_t bytes = item_bytes;
    for (int i = 0; i < g->rank; i++) bytes *= g->axes[i].n;
    for (int i = 0; i < g->loops; i++) bytes *= g->loop[i].n;
    return bytes;
}

/* Where starting the launches takes as long as they do, they are replayed. They are made with the tables in
 * place of arrays, which come with the calls. */
argand_status variant_prepare_replay(const box_state *s, variant *v, argand_device *device)
{
    const fft_call call = {.direction = ARGAND_FORWARD, .factor = 1};
    box_launches all = {.count = 0};
    box_run r = {.state = s, .variant = v, .device = device, .call = &call, .together = &all};
    int launches = 0;
    for (int i = 0; i < v->program.count; i += launched_at_once(&v->program, i)) launches++;
    if (launches > KERNELS_REPLAYED ||
        bytes_of(&v->geometry, s->limits.item_bytes) > (int64_t)s->limits.tuning.replay_kib * 1024)
        return ARGAND_OK;
    for (int side = 0; side < 3; side++) r.side[side] = v->tables;
    TRY(run_passes(&r));
    return kernel_replay_new(&v->replay, device, all.run, all.count);
}
