/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine for plans with accessors on GPUs with native kernels: accessors are compiled into the passes
 * of the transform, which move no more bytes than plain ones (access/program.c). Calls that these passes
 * cannot do run kernels before and after a plain transform (access/staged.c). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "device/source.h"
#include "fft/gpu/access/access.h"
#include "fft/gpu/build.h"
#include "fft/gpu/estimate/estimate.h"
#include "fft/gpu/native.h"
#include "fft/gpu/variant.h"
#include "fft/planner/wisdom.h"

enum { SETS = 8 }; /* combinations of load, spectrum and store */

typedef struct fused_state {
    native_state native;
    char own[SETS][SOURCE_OWN_NAME];
    const char *own_names[SETS];
    pthread_mutex_t lock; /* protects the following member */
    void *staged;         /* plan for calls that cannot be fused; NULL until the first */
} fused_state;

/* ---- supported accessors ---- */

/* Returns the reason why no device can fuse these accessors, or NULL. */
static const char *unfused(const fft_problem *p)
{
    const struct fft_access *a = p->access;
    int padded = 0;
    if (a->sum) return "Argand's kernels cannot sum over loops";
    for (int axis = 0; axis < p->rank; axis++) {
        padded += a->in.window[axis].count < p->n[axis];
        if (a->out.window[axis].border != ARGAND_BORDER_ZERO)
            return "the output's border adds outside points to inside ones, which another thread block "
                   "writes";
        if (p->n[axis] > INT32_MAX / 2) return "an axis is longer than Argand's kernels support";
    }
    if (a->in.has_constant && padded && p->rank > 1)
        return "Argand's kernels support a constant border for one axis only";
    return NULL;
}

/* Returns true if the array has the strides that the plan was made for. */
static bool same_steps(const argand_array *planned, const argand_array *array)
{
    for (int d = 0; d < ARGAND_MAX_RANK; d++) {
        const int64_t wanted = d < planned->rank && planned->dims[d] > 1 ? planned->strides[d] : 0,
                      step = d < array->rank && array->dims[d] > 1 ? array->strides[d] : 0;
        if (step != wanted) return false;
    }
    return true;
}

/* Returns true if pairs of complex elements start on a 16-byte boundary: one load copies both. */
static bool is_whole(const argand_array *array)
{
    enum { UNIT = 16 };
    const uintptr_t start =
        (uintptr_t)storage_native(array->storage) + (uintptr_t)array->offset * argand_type_size(array->type);
    return !type_is_complex(array->type) || start % UNIT == 0;
}

/* Returns the properties of an accessor's array, as in pass_access. out: array of results, or NULL. */
static unsigned kind_of(const argand_array *array, const argand_array *planned, const argand_array *out)
{
    int64_t reach = 0;
    if (!array) return 0;
    for (int d = 0; d < array->rank; d++) reach += (array->dims[d] - 1) * llabs(array->strides[d]);
    unsigned kind = type_is_complex(array->type) ? 0 : ACCESS_REAL_ARRAY;
    if (reach > INT32_MAX)
        kind |= ACCESS_FAR_ARRAY;
    else if (planned && same_steps(planned, array) && is_whole(array))
        kind |= ACCESS_STEPS_KNOWN;
    if (out && access_shares_memory(array, out)) kind |= ACCESS_SHARED_ARRAY;
    return kind;
}

static access_plan plan_for(const fft_problem *p, const fused_state *s, argand_direction direction)
{
    static const char *const none[SETS] = {"", "", "", "", "", "", "", ""};
    access_plan a = {.problem = p, .own = s ? s->own_names : none, .part = -1, .adjacent = true};
    a.swapped = problem_is_real(p) && !p->access->has_spectrum && direction == ARGAND_INVERSE;
    factor_find(&a);
    a.factor = factor_planned(&a).im != 0;
    for (int c = 0; c < 3; c++) {
        const argand_accessor *chain = access_chain_of(p->access, c);
        for (int i = 0; i < ARGAND_MAX_ACCESSORS && chain[i].kind; i++)
            a.reals[c] |= kind_of(chain[i].array, chain[i].array, NULL) << ACCESS_KIND_BITS * i;
    }
    return a;
}

/* Sets the axes and loops of a call. There is at least one loop, as in the plan's own geometry, also for
 * arrays without such a dimension; loops of length 1 after it are dropped. */
static bool geometry_of(fft_geometry *g, const access_call *c, const fft_problem *p)
{
    int dims = c->dims;
    while (dims > p->rank + 1 && c->loop[dims - 1] == 1) dims--;
    if (dims == p->rank && !p->axes_given) dims++;
    *g = (fft_geometry){.rank = p->rank, .loops = dims - p->rank};
    if (dims > PASS_ACCESS_DIMS) return false;
    for (int d = 0; d < dims; d++) {
        const int64_t n = d < p->rank ? p->n[d] : d < c->dims ? c->loop[d] : 1;
        const argand_axis axis = {n, c->in_stride[d], c->out_stride[d]};
        if (d < p->rank)
            g->axes[d] = axis;
        else
            g->loop[d - p->rank] = axis;
    }
    return true;
}

static bool default_geometry(fft_geometry *g, const fft_problem *p, argand_direction direction)
{
    access_call c;
    access_plan_call(&c, p, direction);
    return geometry_of(g, &c, p);
}

static argand_status find_limits(block_limits *l, const fft_problem *p, argand_device *device,
                                 const char *variant_text)
{
    access_plan a = {.problem = p};
    TRY(limits_find(l, p, device, variant_text));
    factor_find(&a);
    l->unscaled &= !factor_is_any(&a);
    l->whole = true; /* persistent passes must begin with the first pass */
    return ARGAND_OK;
}

/* Returns the blocks of a cluster that should be resident on a multiprocessor; 0: there is no cluster. */
static int cluster_resident(const fft_problem *p, argand_device *device, const char *variant_text)
{
    const access_plan a = plan_for(p, NULL, ARGAND_FORWARD);
    block_limits limits;
    pass_program program;
    fft_geometry g;
    int resident = 0;
    if (find_limits(&limits, p, device, variant_text) != ARGAND_OK ||
        !default_geometry(&g, p, ARGAND_FORWARD) ||
        program_access(&program, &a, &g, &limits, true) != ARGAND_OK)
        return 0;
    for (int i = 0; i < program.count; i++)
        if (program.pass[i].exchange.blocks > 0) resident = program.pass[i].exchange.min_blocks;
    program_release(&program);
    return resident;
}

/* Writes the plain plan's tuning. If chains keep values in registers, clusters have no more resident
 * blocks than by default: more would leave no registers (256 x 256 with a map: 10 % slower, H200). */
static void first_variant(char variant_text[FFT_VARIANT_CHARS], const fft_problem *p, argand_device *device)
{
    char fewer[FFT_VARIANT_CHARS];
    if (access_variant_known(variant_text, p, device)) return;
    access_variant_plain(variant_text, p, device);
    if (access_is_free(p) || !strstr(variant_text, "min_blocks ") ||
        !tuning_changed(variant_text, "min_blocks 0", fewer, sizeof fewer))
        return;
    const int limit = cluster_resident(p, device, fewer);
    if (limit && cluster_resident(p, device, variant_text) > limit) memcpy(variant_text, fewer, sizeof fewer);
}

static const char *applicable(const fft_problem *p, argand_device *device)
{
    const device_traits *t = device_traits_of(device);
    block_limits limits;
    pass_program program;
    fft_geometry g;
    char variant_text[FFT_VARIANT_CHARS];
    const bool wanted = engine_is_wanted("native") || engine_is_wanted(fft_engine_fused.name);
    if (!p->access || t->is_host) return "our kernels are for GPUs";
    if (engine_is_wanted(fft_engine_staged.name)) return "ARGAND_FFT_ENGINE names another one";
    if (t->is_processor && !wanted) return "the device is a processor, on which the host engine is faster";
    if (type_is_double(p->type) && !t->has_double) return "the device has no double precision";
    const char *reason = unfused(p);
    if (reason) return reason;
    if (!access_has_texts(p->access))
        return "on this device a user's accessor must be source text; set .source and .name";
    first_variant(variant_text, p, device);
    if (find_limits(&limits, p, device, variant_text) != ARGAND_OK)
        return "the device does not report its properties";
    const access_plan a = plan_for(p, NULL, ARGAND_FORWARD);
    if (!default_geometry(&g, p, ARGAND_FORWARD) ||
        program_access(&program, &a, &g, &limits, true) != ARGAND_OK)
        return p->access->has_mirror ? "Argand's kernels have no passes for these axes, or the output has no "
                                       "space for X[-k] of several passes"
                                     : "Argand's kernels have no passes for these axes";
    program_release(&program);
    return NULL;
}

/* ---- create and destroy ---- */

static argand_status make_program(pass_program *program, const void *plan, const variant_key *key,
                                  const block_limits *l)
{
    access_plan a = *(const access_plan *)plan;
    a.part = key->part;
    return program_access(program, &a, &key->geometry, l, false);
}

/* Returns the key of a call. One kernel serves both directions; real plans are `swapped` in one of them. */
static variant_key key_of(const access_plan *a, const fft_geometry *g, bool out_of_place)
{
    variant_key key = {.geometry = *g,
                       .direction = ARGAND_FORWARD,
                       .out_of_place = out_of_place,
                       .swapped = a->swapped,
                       .adjacent = a->adjacent,
                       .factor = a->factor,
                       .part = a->part};
    memcpy(key.reals, a->reals, sizeof key.reals);
    return key;
}

static void destroy(void *state)
{
    fused_state *s = state;
    if (!s) return;
    variants_end(&s->native);
    for (int i = 0; i < SETS; i++) source_own_release(s->own[i]);
    fft_engine_staged.destroy(s->staged);
    pthread_mutex_destroy(&s->lock);
    memory_free(s);
}

static argand_status make(fused_state *s, const fft_problem *p, argand_device *device,
                          const char *variant_text)
{
    fft_geometry g;
    TRY(variants_begin(&s->native, device, make_program));
    for (unsigned i = 1; i < SETS; i++) TRY(access_keep_own(s->own[i], p->access, i));
    TRY(find_limits(&s->native.limits, p, device, variant_text));
    const access_plan a = plan_for(p, s, ARGAND_FORWARD);
    CHECK(default_geometry(&g, p, ARGAND_FORWARD), ARGAND_UNSUPPORTED,
          "argand_fft_create: more than %d axes and loops", (int)PASS_ACCESS_DIMS);
    const variant_key key = key_of(&a, &g, true);
    return variant_get(&s->native, &a, &key, &s->native.first);
}

static argand_status create_variant(void **state, const fft_problem *p, argand_device *device,
                                    const char *variant_text)
{
    fused_state *s;
    TRY(NEW(s, 1));
    pthread_mutex_init(&s->lock, NULL);
    for (int i = 0; i < SETS; i++) s->own_names[i] = s->own[i];
    const argand_status status = make(s, p, device, variant_text);
    if (status == ARGAND_OK)
        *state = s;
    else
        destroy(s);
    return status;
}

static argand_status create(void **state, const fft_problem *p, argand_device *device)
{
    char variant_text[FFT_VARIANT_CHARS];
    first_variant(variant_text, p, device);
    return create_variant(state, p, device, variant_text);
}

/* ---- variants ---- */

static int add_name(char (*names)[FFT_VARIANT_CHARS], int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name)) return count;
    memmove(names[count], name, strlen(name) + 1);
    return count + 1;
}

/* Lists the plain plan's tuning, then the variants that plain plans compare. */
static int list_variants(const fft_problem *p, argand_device *device, char (*names)[FFT_VARIANT_CHARS],
                         int most)
{
    enum { PLAIN = 2 };
    fft_problem plain = *p;
    char variant_text[FFT_VARIANT_CHARS];
    plain.access = NULL;
    first_variant(names[0], p, device);
    if (!names[0][0]) return native_list_variants(&plain, device, names, most);
    if (most <= PLAIN) return 1;
    access_variant_plain(variant_text, p, device);
    int count = add_name(names, 1, variant_text);
    const int last = PLAIN + native_list_variants(&plain, device, names + PLAIN, most - PLAIN);
    for (int i = PLAIN; i < last; i++) count = add_name(names, count, names[i]);
    return count;
}

/* Makes the program of one variant, as far as the keys of its kernels. */
static bool keyed_program(pass_program *program, const fft_problem *p, argand_device *device,
                          const char *variant_text)
{
    const access_plan a = plan_for(p, NULL, ARGAND_FORWARD);
    block_limits limits;
    fft_geometry g;
    if (find_limits(&limits, p, device, variant_text) != ARGAND_OK) return false;
    limits.keyed = true;
    return default_geometry(&g, p, ARGAND_FORWARD) &&
           program_access(program, &a, &g, &limits, true) == ARGAND_OK;
}

/* Returns true for plans with users' own texts, whose kernels only the plan that keeps them can ask for. */
static bool has_own_texts(const fft_problem *p)
{
    char own[SOURCE_OWN_NAME] = "";
    const bool has = access_keep_own(own, p->access, SETS - 1) != ARGAND_OK || own[0];
    source_own_release(own);
    return has;
}

/* Requests a variant's kernels, unless all of them are at hand. */
static argand_status request(kernel_request **out, const fft_problem *p, argand_device *device,
                             const char *variant_text)
{
    char first[FFT_VARIANT_CHARS];
    pass_program *program;
    program_kernel_keys kernels = {.count = 0};
    argand_status status = ARGAND_OK;
    if (has_own_texts(p)) return ARGAND_OK;
    if (!variant_text[0]) first_variant(first, p, device);
    TRY(NEW(program, 1));
    if (keyed_program(program, p, device, variant_text[0] ? variant_text : first)) {
        if (kernels_gather(&kernels, program) && !kernels_load(device, kernels.key, kernels.count))
            status = kernels_request(out, device, kernels.key, kernels.count);
        program_release(program);
    }
    memory_free(program);
    return status;
}

/* Compiles the kernels of the variants ahead of use. Keys of user functions are those of the plan that
 * keeps them. Errors are reported later, when the kernel is needed. */
static void precompile(const fft_problem *p, argand_device *device, const char *const *variants,
                       const int *only, int count)
{
    pass_program *programs;
    program_kernel_keys kernels = {.count = 0};
    int made = 0;
    (void)only;
    if (has_own_texts(p) || !kernels_in_parallel(device)) return;
    if (memory_new(&programs, (size_t)count, sizeof *programs) != ARGAND_OK) return;
    for (int i = 0; i < count; i++) made += keyed_program(&programs[made], p, device, variants[i]);
    for (int i = 0; i < made && kernels_gather(&kernels, &programs[i]); i++) continue;
    (void)!kernels_build(device, kernels.key, kernels.count);
    for (int i = 0; i < made; i++) program_release(&programs[i]);
    memory_free(programs);
}

/* ---- a call ---- */

/* Returns true if complex elements can be loaded with one access. */
static bool is_aligned(const argand_array *array)
{
    return !array || (uintptr_t)storage_native(array->storage) % argand_type_size(array->type) == 0;
}

/* Returns true if pairs of the array's reals can be loaded, or stored, with one access. */
static bool has_pairs(const argand_array *array)
{
    const uintptr_t size = argand_type_size(array->type),
                    start = (uintptr_t)storage_native(array->storage) + (uintptr_t)array->offset * size;
    return type_has_pairs(array->type) || start % (2 * size) == 0;
}

/* Returns true if the kernels can use the call's arrays, and sets the properties of the chains' arrays. */
static bool fits(access_plan *a, const fft_call *call)
{
    const access_chain *const chains[3] = {&call->access->load, &call->access->spectrum,
                                           &call->access->store};
    bool aligned = is_aligned(call->in) && is_aligned(call->out);
    a->factor = factor_of(a->folded, call->access).im != 0;
    if (problem_is_real(a->problem)) a->adjacent = has_pairs(call->in) && has_pairs(call->out);
    for (int c = 0; c < 3; c++) {
        const argand_accessor *planned = access_chain_of(a->problem->access, c);
        a->reals[c] = 0;
        for (int i = 0; i < chains[c]->count; i++) {
            const argand_array *array = chains[c]->link[i].array;
            aligned &= is_aligned(array);
            a->reals[c] |= kind_of(array, planned[i].array, call->out) << ACCESS_KIND_BITS * i;
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
    const variant_key key = key_of(&a, &g, call_is_out_of_place(call));
    const argand_status status = variant_get(&s->native, &a, &key, &v);
    if (status == ARGAND_UNSUPPORTED) return apply_staged(s, p, device, call);
    return status == ARGAND_OK ? variant_run_all(&s->native, &a, &key, v, call) : status;
}

/* ---- printing and queries ---- */

static void print(const void *state, text *t)
{
    const fused_state *s = state;
    const pass_program *p = &s->native.first->program;
    text_add(t, "(fused");
    if (p->persistent.count)
        text_add(t, " %d as persistent passes over %lld chunks", p->persistent.count,
                 (long long)p->persistent.params.chunks);
    for (int i = 0; i < p->count; i++) {
        const tile_shape *shape = &p->pass[i].shape;
        if (p->pass[i].exchange.blocks) text_add(t, " cluster %d", p->pass[i].exchange.blocks);
        text_add(t, " (%s%dx%dx%d by", shape->access[0].on ? "load " : "", shape->size[0], shape->size[1],
                 shape->size[2]);
        for (int k = 0; k < shape->stages; k++) text_add(t, " %d", shape->stage[k].radix);
        text_add(t, " threads %d%s%s)", shape->threads, shape->factors ? " factors" : "",
                 shape->access[1].on ? " store" : "");
    }
    text_add(t, ")");
}

static void passes(const fft_problem *p, argand_device *device, const char *variant_name,
                   argand_direction direction, fft_passes *list)
{
    block_limits limits;
    pass_program program;
    fft_geometry g;
    const access_plan a = plan_for(p, NULL, direction);
    if (!default_geometry(&g, p, direction) || find_limits(&limits, p, device, variant_name) != ARGAND_OK ||
        program_access(&program, &a, &g, &limits, true) != ARGAND_OK)
        return;
    program_passes(&program, &limits, list);
    program_release(&program);
}

static int64_t workspace(const void *state, const fft_problem *p, argand_device *device,
                         argand_direction direction)
{
    const fused_state *s = state;
    const block_limits *l = &s->native.limits;
    const variant *first = s->native.first;
    const access_plan a = plan_for(p, s, direction);
    int64_t bytes = program_workspace(&first->key.geometry, &first->program, l);
    pass_program program;
    fft_geometry g;
    (void)device;
    if (a.swapped && default_geometry(&g, p, direction) &&
        program_access(&program, &a, &g, l, true) == ARGAND_OK) {
        bytes = program_workspace(&g, &program, l);
        program_release(&program);
    }
    return bytes;
}

const fft_engine fft_engine_fused = {.name = "fused",
                                     .applicable = applicable,
                                     .create = create,
                                     .variants = list_variants,
                                     .alike = true,
                                     .create_variant = create_variant,
                                     .unknown = tuning_unknown,
                                     .nearby = nearby_variants,
                                     .precompile = precompile,
                                     .request = request,
                                     .apply = apply,
                                     .print = print,
                                     .passes = passes,
                                     .workspace = workspace,
                                     .destroy = destroy};
