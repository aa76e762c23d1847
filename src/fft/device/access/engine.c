/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine for plans with accessors on GPUs whose kernels are ours: accessors are compiled into the passes
 * of the transform, which move no byte more than plain ones (program.c). Calls that these passes
 * cannot do go through kernels before and after a plain transform (access_staged.c). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "array/layout.h"
#include "base/memory.h"
#include "device/source.h"
#include "fft/device/box.h"
#include "fft/wisdom.h"

enum { SETS = 8 }; /* of load, spectrum, store */

/* Passes for one geometry and these kinds of arrays. */
typedef struct variant {
    struct variant *next;
    fft_geometry geometry;
    bool turned, together;
    unsigned reals[3];
    int part;
    box_program program;
    storage *tables;
    storage *counters; /* of a wave: zeros between launches */
} variant;

typedef struct fused_state {
    box_limits limits;
    bool tells_shared;
    char own[SETS][SOURCE_OWN_NAME];
    const char *own_names[SETS];
    pthread_mutex_t lock; /* of what follows */
    variant *variants;
    const variant *usual;
    void *staged; /* for calls that cannot be fused; NULL until one comes */
} fused_state;

/* ---- what can be done ---- */

/* Why the passes cannot have these accessors, whatever the device. */
static const char *unfused(const fft_problem *p)
{
    const struct fft_access *a = p->access;
    int padded = 0;
    if (a->sum) return "sums over loops are not part of our kernels";
    for (int axis = 0; axis < p->rank; axis++) {
        padded += a->in.span[axis].count < p->n[axis];
        if (a->out.span[axis].border != ARGAND_BORDER_ZERO)
            return "points beyond the output's border are in other groups' hands than what they are added to";
        if (p->n[axis] > INT32_MAX / 2) return "an axis is too long for our kernels";
    }
    if (a->in.has_constant && padded && p->rank > 1)
        return "a constant around an array of several axes is not part of our kernels";
    return NULL;
}

/* As box_access has it of accessor i. */
static unsigned kind_of(const argand_array *array, int i)
{
    int64_t reach = 0;
    if (!array) return 0;
    for (int d = 0; d < array->rank; d++) reach += (array->dims[d] - 1) * llabs(array->strides[d]);
    return (unsigned)(!type_is_complex(array->type) + (reach > INT32_MAX ? 2 : 0)) << 2 * i;
}

static access_plan plan_for(const fft_problem *p, const fused_state *s, argand_direction direction)
{
    static const char *const none[SETS] = {"", "", "", "", "", "", "", ""};
    access_plan a = {.problem = p, .own = s ? s->own_names : none, .part = -1, .together = true};
    a.turned = problem_is_real(p) && !p->access->has_spectrum && direction == ARGAND_INVERSE;
    for (int c = 0; c < 3; c++) {
        const argand_accessor *chain = access_chain_of(p->access, c);
        for (int i = 0; i < ARGAND_MAX_ACCESSORS && chain[i].kind; i++)
            a.reals[c] |= kind_of(chain[i].array, i);
    }
    return a;
}

/* Axes and loops of a call. */
static bool geometry_of(fft_geometry *g, const access_call *c, const fft_problem *p)
{
    *g = (fft_geometry){.rank = p->rank, .loops = c->dims - p->rank};
    if (c->dims > BOX_ACCESS_DIMS) return false;
    for (int d = 0; d < c->dims; d++) {
        const argand_axis axis = {d < p->rank ? p->n[d] : c->loop[d], c->in_stride[d], c->out_stride[d]};
        if (d < p->rank)
            g->axes[d] = axis;
        else
            g->loop[d - p->rank] = axis;
    }
    return true;
}

static bool usual_geometry(fft_geometry *g, const fft_problem *p, argand_direction direction)
{
    access_call c;
    access_plan_call(&c, p, direction);
    return geometry_of(g, &c, p);
}

/* As the plain transform does it best, or its way back, where wisdom knows that of our kernels. */
static argand_status find_limits(box_limits *l, const fft_problem *p, argand_device *device)
{
    fft_problem plain = *p;
    wisdom_answer known[2];
    bool is_known;
    plain.access = NULL;
    TRY(wisdom_ask(&is_known, known, device, &plain));
    bool found = false;
    for (int back = 0; is_known && !found && back < 2; back++)
        found = !strcmp(known[back].engine, fft_engine_box.name) &&
                box_find_limits(l, p, device, known[back].variant) == ARGAND_OK;
    if (!found) TRY(box_find_limits(l, p, device, ""));
    l->whole = true; /* waves begin with the first pass */
    return ARGAND_OK;
}

static const char *applicable(const fft_problem *p, argand_device *device)
{
    argand_device_info info;
    box_limits limits;
    box_program program;
    fft_geometry g;
    const bool wanted = engine_is_wanted("box") || engine_is_wanted(fft_engine_fused.name);
    if (!p->access || argand_device_describe(device, &info) != ARGAND_OK || info.host_addressable)
        return "our kernels are for GPUs";
    if (engine_is_wanted(fft_engine_staged.name)) return "ARGAND_FFT_ENGINE names another one";
    if (info.is_processor && !wanted)
        return "the host's passes serve processors better than kernels for GPUs";
    if (type_is_double(p->type) && !device_has_double(device)) return "the device has no double precision";
    const char *reason = unfused(p);
    if (reason) return reason;
    if (!access_has_texts(p->access))
        return "on this device an accessor of the user's own is a text; set .source and .name";
    if (find_limits(&limits, p, device) != ARGAND_OK) return "the device does not say what it can";
    const access_plan a = plan_for(p, NULL, ARGAND_FORWARD);
    if (!usual_geometry(&g, p, ARGAND_FORWARD) ||
        program_access(&program, &a, &g, &limits, true) != ARGAND_OK)
        return p->access->has_mirror ? "X[-k] is in another group's hands than X[k]"
                                     : "our kernels have no passes for these axes";
    program_release(&program);
    return NULL;
}

/* ---- variants ---- */

static void variant_destroy(variant *v)
{
    if (!v) return;
    program_release(&v->program);
    storage_release(v->tables);
    storage_release(v->counters);
    memory_free(v);
}

static argand_status variant_make(variant **out, const fused_state *s, const access_plan *a,
                                  const fft_geometry *g)
{
    variant *v;
    TRY(NEW(v, 1));
    v->geometry = *g;
    v->part = a->part;
    v->turned = a->turned;
    v->together = a->together;
    memcpy(v->reals, a->reals, sizeof v->reals);
    argand_status status = program_access(&v->program, a, g, &s->limits, false);
    if (status == ARGAND_OK)
        status = box_upload_tables(&v->tables, &v->program, &s->limits, s->limits.device);
    if (status == ARGAND_OK) status = box_make_counters(&v->counters, &v->program, s->limits.device);
    if (status == ARGAND_OK) status = box_build_kernels(&v->program, s->limits.device);
    if (status != ARGAND_OK)
        variant_destroy(v);
    else
        *out = v;
    return status;
}

static bool serves(const variant *v, const access_plan *a, const fft_geometry *g)
{
    return v->part == a->part && v->turned == a->turned && v->together == a->together &&
           !memcmp(v->reals, a->reals, sizeof v->reals) && geometry_is(&v->geometry, g);
}

static argand_status variant_get(fused_state *s, const access_plan *a, const fft_geometry *g,
                                 const variant **out)
{
    argand_status status = ARGAND_OK;
    variant *v, *made = NULL;
    pthread_mutex_lock(&s->lock);
    for (v = s->variants; v; v = v->next)
        if (serves(v, a, g)) break;
    if (!v) {
        status = variant_make(&made, s, a, g);
        if (status == ARGAND_OK) {
            made->next = s->variants;
            v = s->variants = made;
        }
    }
    pthread_mutex_unlock(&s->lock);
    *out = v;
    return status;
}

/* ---- life ---- */

static void destroy(void *state)
{
    fused_state *s = state;
    if (!s) return;
    while (s->variants) {
        variant *v = s->variants;
        s->variants = v->next;
        variant_destroy(v);
    }
    for (int i = 0; i < SETS; i++) source_own_release(s->own[i]);
    fft_engine_staged.destroy(s->staged);
    pthread_mutex_destroy(&s->lock);
    memory_free(s);
}

static argand_status make(fused_state *s, const fft_problem *p, argand_device *device)
{
    argand_device_info info;
    fft_geometry g;
    for (unsigned i = 1; i < SETS; i++) TRY(access_keep_own(s->own[i], p->access, i));
    TRY(argand_device_describe(device, &info));
    s->tells_shared = !strcmp(info.backend, "cuda");
    TRY(find_limits(&s->limits, p, device));
    const access_plan a = plan_for(p, s, ARGAND_FORWARD);
    CHECK(usual_geometry(&g, p, ARGAND_FORWARD), ARGAND_UNSUPPORTED,
          "argand_fft_create: more than %d axes and loops", (int)BOX_ACCESS_DIMS);
    return variant_get(s, &a, &g, &s->usual);
}

static argand_status create(void **state, const fft_problem *p, argand_device *device)
{
    fused_state *s;
    TRY(NEW(s, 1));
    pthread_mutex_init(&s->lock, NULL);
    for (int i = 0; i < SETS; i++) s->own_names[i] = s->own[i];
    const argand_status status = make(s, p, device);
    if (status == ARGAND_OK)
        *state = s;
    else
        destroy(s);
    return status;
}

/* ---- a call ---- */

/* A call, or a part of it. */
typedef struct run {
    const fused_state *s;
    const variant *v;
    const fft_call *call;
    storage *side[3]; /* by box_memory */
    int64_t at[3], part;
} run;

/* What a kernel is given: arrays; the structs of its passes, then the numbers of their accessors. */
enum { LINKS = 3 * ARGAND_MAX_ACCESSORS, WAVE_INDICES = sizeof(struct wave_params) / sizeof(INDEX) };
typedef struct launch {
    storage *memory[5 + LINKS];
    int memories;
    INDEX data[WAVE_INDICES + WAVE_MOST * BOX_WORDS];
    size_t used;
} launch;

static void add_params(launch *l, const void *params, size_t bytes)
{
    memcpy(l->data + l->used, params, bytes);
    l->used += bytes / sizeof *l->data;
}

static void complete(struct box_params *params, const run *r, const box_pass *pass)
{
    params->at[0] += r->at[pass->from];
    params->at[1] += r->at[pass->to];
    params->inverse = (r->call->direction == ARGAND_INVERSE) != pass->back;
    params->factor = layout_scalar(pass->scaled ? r->call->factor : 1, 0);
}

static void add_arrays(launch *l, const box_shape *shape, const access_call *c)
{
    const access_chain *const chains[3] = {&c->load, &c->spectrum, &c->store};
    for (int side = 0; side < 3; side++) {
        const box_access *a = &shape->access[side];
        for (int i = 0; i < a->links; i++) {
            const argand_array *array = chains[a->chain_number]->link[i].array;
            if (array) l->memory[l->memories + ARGAND_MAX_ACCESSORS * side + i] = array->storage;
        }
    }
}

/* Arrays and numbers of accessors, where any of the kernel's passes has such. */
static void add_access(launch *l, const run *r, const box_pass *pass, int count)
{
    const box_wave *wave = &r->v->program.wave;
    bool any = false;
    for (int i = 0; i < count; i++) any |= box_has_access(&pass[i].shape);
    if (!any) return;
    for (int i = 0; i < LINKS; i++) l->memory[l->memories + i] = r->v->tables;
    for (int i = 0; i < count; i++) {
        const int64_t part[3] = {r->part};
        const bool in_wave = &pass[i] < r->v->program.pass + wave->count;
        add_arrays(l, &pass[i].shape, r->call->access);
        l->used += (size_t)access_words(l->data + l->used, &pass[i].shape, r->call->access,
                                        in_wave ? wave->first[i] : part, r->s->limits.is_double);
    }
    const bool alone = count == 1 && pass >= r->v->program.pass + wave->count;
    l->memories += alone ? LINKS : 2 * ARGAND_MAX_ACCESSORS; /* others have nothing between transforms */
}

static argand_status start(const launch *l, const run *r, const char *key, int64_t groups, size_t shared)
{
    const kernel_run with = {.key = key,
                             .groups = groups,
                             .memory = l->memory,
                             .memory_count = l->memories,
                             .params = l->data,
                             .params_bytes = l->used * sizeof *l->data,
                             .shared_bytes = r->s->tells_shared ? shared : 0};
    return kernel_start(r->s->limits.device, &with);
}

/* One pass, or the two of a cluster. */
static argand_status run_pass(const run *r, const box_pass *pass)
{
    const int count = pass->cross.groups ? 2 : 1;
    launch l = {.memory = {r->side[pass[count - 1].to], r->side[pass->from], r->v->tables}, .memories = 3};
    for (int i = 0; i < count; i++) {
        struct box_params params = pass[i].params;
        complete(&params, r, &pass[i]);
        add_params(&l, &params, sizeof params);
    }
    add_access(&l, r, pass, count);
    return start(&l, r, pass->key, pass->groups, pass->shared_bytes);
}

static argand_status run_wave(const run *r)
{
    const box_program *p = &r->v->program;
    const box_wave *w = &p->wave;
    launch l = {.memory = {r->side[BOX_OUT], r->side[BOX_IN],
                           r->side[BOX_WORK] ? r->side[BOX_WORK] : r->side[BOX_OUT], r->v->tables,
                           r->v->counters},
                .memories = 5};
    struct wave_params params = w->params;
    for (int i = 0; i < w->count; i++) complete(&params.pass[i], r, &p->pass[i]);
    add_params(&l, &params, sizeof params);
    add_access(&l, r, p->pass, w->count);
    return start(&l, r, w->key, w->groups, w->shared_bytes);
}

static argand_status run_variant(run *r)
{
    const box_program *p = &r->v->program;
    argand_status status = ARGAND_OK;
    if (p->work)
        status = storage_scratch(&r->side[BOX_WORK], r->s->limits.device,
                                 memory_product((size_t)p->work, (size_t)r->s->limits.item_bytes));
    if (status == ARGAND_OK && p->wave.count) status = run_wave(r);
    for (int i = p->wave.count; status == ARGAND_OK && i < p->count; i += p->pass[i].cross.groups ? 2 : 1)
        status = run_pass(r, &p->pass[i]);
    storage_release(r->side[BOX_WORK]);
    r->side[BOX_WORK] = NULL;
    return status;
}

static run run_of(const fused_state *s, const variant *v, const fft_call *call)
{
    run r = {.s = s, .v = v, .call = call};
    r.side[BOX_IN] = call->in->storage;
    r.side[BOX_OUT] = call->out->storage;
    r.at[BOX_IN] = call->in->offset;
    r.at[BOX_OUT] = call->out->offset;
    return r;
}

/* A call in parts along its longest loop. */
static argand_status run_parts(fused_state *s, const access_plan *plan, const fft_geometry *all,
                               const fft_call *call, int64_t count)
{
    fft_geometry g = *all;
    const int loop = box_longest_loop(&g);
    const argand_axis axis = g.loop[loop];
    access_plan a = *plan;
    a.part = g.rank + loop;
    for (int64_t first = 0; first < axis.n; first += count) {
        const variant *v;
        g.loop[loop].n = axis.n - first < count ? axis.n - first : count;
        TRY(variant_get(s, &a, &g, &v));
        run r = run_of(s, v, call);
        r.at[BOX_IN] += first * axis.in_stride;
        r.at[BOX_OUT] += first * axis.out_stride;
        r.part = first;
        TRY(run_variant(&r));
    }
    return ARGAND_OK;
}

/* Complex numbers are loaded at once. */
static bool is_aligned(const argand_array *array)
{
    return !array || (uintptr_t)storage_native(array->storage) % argand_type_size(array->type) == 0;
}

/* Whether pairs of the array's reals may be loaded, or stored, at once. */
static bool has_pairs(const argand_array *array)
{
    const uintptr_t size = argand_type_size(array->type),
                    start = (uintptr_t)storage_native(array->storage) + (uintptr_t)array->offset * size;
    return type_has_pairs(array->type) || start % (2 * size) == 0;
}

/* Arrays as our kernels take them; and of which kind those of the chains are. */
static bool fits(access_plan *a, const fft_call *call)
{
    const access_chain *const chains[3] = {&call->access->load, &call->access->spectrum,
                                           &call->access->store};
    bool aligned = is_aligned(call->in) && is_aligned(call->out);
    if (problem_is_real(a->problem)) a->together = has_pairs(call->in) && has_pairs(call->out);
    for (int c = 0; c < 3; c++) {
        a->reals[c] = 0;
        for (int i = 0; i < chains[c]->count; i++) {
            aligned &= is_aligned(chains[c]->link[i].array);
            a->reals[c] |= kind_of(chains[c]->link[i].array, i);
        }
    }
    return aligned;
}

static argand_status apply_staged(fused_state *s, const fft_problem *p, argand_device *device,
                                  const fft_call *call)
{
    argand_status status = ARGAND_OK;
    pthread_mutex_lock(&s->lock);
    if (!s->staged) status = fft_engine_staged.create(&s->staged, p, device);
    pthread_mutex_unlock(&s->lock);
    return status == ARGAND_OK ? fft_engine_staged.apply(s->staged, p, device, call) : status;
}

static argand_status apply(const void *state, const fft_problem *p, argand_device *device,
                           const fft_call *call)
{
    fused_state *s = (fused_state *)state;
    access_plan a = plan_for(p, s, call->direction);
    fft_geometry g;
    const variant *v;
    if (!geometry_of(&g, call->access, p) || !fits(&a, call)) return apply_staged(s, p, device, call);
    const argand_status status = variant_get(s, &a, &g, &v);
    if (status == ARGAND_UNSUPPORTED) return apply_staged(s, p, device, call);
    if (status != ARGAND_OK) return status;
    const int64_t count = box_at_a_time(&v->geometry, &v->program, &s->limits);
    if (count) return run_parts(s, &a, &g, call, count);
    run r = run_of(s, v, call);
    return run_variant(&r);
}

/* ---- questions ---- */

static void print(const void *state, text *t)
{
    const fused_state *s = state;
    const box_program *p = &s->usual->program;
    text_add(t, "(fused");
    if (p->wave.count)
        text_add(t, " %d in a wave of %lld chunks", p->wave.count, (long long)p->wave.params.chunks);
    for (int i = 0; i < p->count; i++) {
        const box_shape *shape = &p->pass[i].shape;
        if (p->pass[i].cross.groups) text_add(t, " cluster %d", p->pass[i].cross.groups);
        text_add(t, " (%s%dx%dx%d by", shape->access[0].on ? "load " : "", shape->size[0], shape->size[1],
                 shape->size[2]);
        for (int k = 0; k < shape->stages; k++) text_add(t, " %d", shape->stage[k].radix);
        text_add(t, " items %d%s)", shape->items, shape->access[1].on ? " store" : "");
    }
    text_add(t, ")");
}

static void passes(const fft_problem *p, argand_device *device, const char *variant_name,
                   argand_direction direction, fft_passes *list)
{
    box_limits limits;
    box_program program;
    fft_geometry g;
    (void)variant_name;
    const access_plan a = plan_for(p, NULL, direction);
    if (!usual_geometry(&g, p, direction) || find_limits(&limits, p, device) != ARGAND_OK ||
        program_access(&program, &a, &g, &limits, true) != ARGAND_OK)
        return;
    program_passes(&program, &limits, list);
    program_release(&program);
}

static int64_t workspace(const void *state, const fft_problem *p, argand_device *device,
                         argand_direction direction)
{
    const fused_state *s = state;
    const access_plan a = plan_for(p, s, direction);
    int64_t bytes = box_workspace(&s->usual->geometry, &s->usual->program, &s->limits);
    box_program program;
    fft_geometry g;
    (void)device;
    if (a.turned && usual_geometry(&g, p, direction) &&
        program_access(&program, &a, &g, &s->limits, true) == ARGAND_OK) {
        bytes = box_workspace(&g, &program, &s->limits);
        program_release(&program);
    }
    return bytes;
}

const fft_engine fft_engine_fused = {.name = "fused",
                                     .applicable = applicable,
                                     .create = create,
                                     .apply = apply,
                                     .print = print,
                                     .passes = passes,
                                     .workspace = workspace,
                                     .destroy = destroy};
