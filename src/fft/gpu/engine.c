/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of the native kernels for CUDA and OpenCL devices. The plan makes the passes for contiguous
 * arrays, or for the strides given, and builds their kernels. Arrays with other strides get theirs in the
 * first call that uses them. */
#include "fft/engine/engine.h"

#include <math.h>
#include <string.h>
#include "array/layout.h"
#include "base/memory.h"
#include "fft/gpu/build.h"
#include "fft/gpu/estimate/estimate.h"
#include "fft/gpu/native.h"
#include "fft/gpu/tuning/candidates.h"
#include "fft/gpu/schedule/passes.h"
#include "fft/gpu/variant.h"

static const char *applicable(const fft_problem *p, argand_device *device)
{
    const device_traits *t = device_traits_of(device);
    block_limits limits;
    pass_program program;
    fft_geometry g;
    if (t->is_host) return "our kernels are for GPUs";
    if (t->is_processor && !engine_is_wanted(fft_engine_native.name))
        return "the device is a processor, on which the host engine is faster";
    if (type_is_double(p->type) && !t->has_double) return "the device has no double precision";
    if (limits_find(&limits, p, device, "") != ARGAND_OK) return "the device does not report its properties";
    problem_contiguous(&g, p, ARGAND_FORWARD);
    limits.outlined = true;
    if (program_make(&program, p, &g, ARGAND_FORWARD, &limits, true) != ARGAND_OK)
        return "Argand's kernels have no radices for this length";
    program_release(&program);
    return NULL;
}

/* Sets the geometry of the calls to expect. */
static void default_geometry(fft_geometry *g, const fft_problem *p, argand_direction direction)
{
    problem_contiguous(g, p, direction);
    if (p->axes_given) problem_given(g, p, direction);
}

/* Returns false if one kernel serves both directions: complex transforms with input and output in the same
 * order. */
static bool both_differ(const fft_problem *p)
{
    return problem_is_real(p) || p->scrambled_signal || p->scrambled_spectrum;
}

/* Returns true if the state also prepares that direction. */
static bool is_served(const fft_problem *p, argand_direction direction)
{
    return both_differ(p) ? !p->only || p->only == (int)direction : direction == ARGAND_FORWARD;
}

static variant_key key_of(const fft_problem *p, const fft_geometry *g, argand_direction direction,
                          bool out_of_place)
{
    return (variant_key){.geometry = *g,
                         .direction = both_differ(p) ? direction : ARGAND_FORWARD,
                         .out_of_place = out_of_place};
}

static argand_status make_program(pass_program *program, const void *plan, const variant_key *key,
                                  const block_limits *l)
{
    return program_make(program, plan, &key->geometry, key->direction, l, false);
}

static void destroy(void *state)
{
    native_state *s = state;
    if (!s) return;
    variants_end(s);
    memory_free(s);
}

/* Prepares the passes for the calls to expect: one program, or one for each direction. */
static argand_status prepare(native_state *s, const fft_problem *p)
{
    for (int inverse = 1; inverse >= 0; inverse--) {
        const argand_direction direction = inverse ? ARGAND_INVERSE : ARGAND_FORWARD;
        fft_geometry g;
        if (!is_served(p, direction)) continue;
        default_geometry(&g, p, direction);
        const variant_key key = key_of(p, &g, direction, true);
        TRY(variant_add(s, p, &key));
    }
    s->first = s->variants;
    TRY(variants_build(s));
    for (variant *v = s->variants; v; v = v->next) TRY(variant_prepare_replay(s, v));
    return ARGAND_OK;
}

static argand_status create_variant(void **state, const fft_problem *p, argand_device *device,
                                    const char *variant_name)
{
    native_state *s;
    TRY(NEW(s, 1));
    argand_status status = variants_begin(s, device, make_program);
    if (status == ARGAND_OK) status = limits_find(&s->limits, p, device, variant_name);
    if (status == ARGAND_OK) s->scrambled = scrambled_part(p, &s->limits);
    if (status == ARGAND_OK) status = prepare(s, p);
    if (status != ARGAND_OK) {
        destroy(s);
        return status;
    }
    *state = s;
    return ARGAND_OK;
}

/* Makes the programs of one variant, as far as the keys of their kernels. */
static int keyed_programs(pass_program *programs, const fft_problem *p, argand_device *device,
                          const char *variant_name)
{
    block_limits limits;
    int count = 0;
    if (limits_find(&limits, p, device, variant_name) != ARGAND_OK) return 0;
    limits.keyed = true;
    for (int inverse = 0; inverse < 2; inverse++) {
        const argand_direction direction = inverse ? ARGAND_INVERSE : ARGAND_FORWARD;
        fft_geometry g;
        if (!is_served(p, direction)) continue;
        default_geometry(&g, p, direction);
        count += program_make(&programs[count], p, &g, direction, &limits, true) == ARGAND_OK;
    }
    return count;
}

/* Compiles the kernels of the variants ahead of use. Errors are reported later, when the kernel is needed. */
static void precompile(const fft_problem *p, argand_device *device, const char *const *variants,
                       const int *only, int count)
{
    fft_problem problem = *p;
    pass_program *programs;
    program_kernel_keys kernels = {.count = 0};
    int made = 0;
    if (!kernels_in_parallel(device)) return;
    if (memory_new(&programs, 2 * (size_t)count, sizeof *programs) != ARGAND_OK) return;
    for (int i = 0; i < count; i++) {
        problem.only = only ? only[i] : 0;
        made += keyed_programs(&programs[made], &problem, device, variants[i]);
    }
    for (int i = 0; i < made && kernels_gather(&kernels, &programs[i]); i++) continue;
    (void)!kernels_build(device, kernels.key, kernels.count);
    for (int i = 0; i < made; i++) program_release(&programs[i]);
    memory_free(programs);
}

/* Requests a variant's kernels, unless all of them are at hand. */
static argand_status request(kernel_request **out, const fft_problem *p, argand_device *device,
                             const char *variant_name)
{
    pass_program *programs;
    program_kernel_keys kernels = {.count = 0};
    bool all = true;
    TRY(memory_new(&programs, 2, sizeof *programs));
    argand_status status = ARGAND_OK;
    const int made = keyed_programs(programs, p, device, variant_name);
    for (int i = 0; i < made; i++) all = all && kernels_gather(&kernels, &programs[i]);
    if (made && all && !kernels_load(device, kernels.key, kernels.count))
        status = kernels_request(out, device, kernels.key, kernels.count);
    for (int i = 0; i < made; i++) program_release(&programs[i]);
    memory_free(programs);
    return status;
}

static argand_status create(void **state, const fft_problem *p, argand_device *device)
{
    return create_variant(state, p, device, "");
}

static bool has_clusters(const fft_problem *p, argand_device *device, const char *variant_name)
{
    block_limits limits;
    pass_program program;
    fft_geometry g;
    bool found = false;
    default_geometry(&g, p, ARGAND_FORWARD);
    if (limits_find(&limits, p, device, variant_name) != ARGAND_OK || !limits.cluster) return false;
    limits.outlined = true;
    if (program_make(&program, p, &g, ARGAND_FORWARD, &limits, true) != ARGAND_OK) return false;
    for (int i = 0; i < program.count; i++) found |= program.pass[i].exchange.blocks > 0;
    program_release(&program);
    return found;
}

/* Returns true if the last three axes form a volume of complex points. */
static bool is_volume(const fft_problem *p)
{
    return p->rank >= 3 && !problem_is_real(p) && p->n[p->rank - 1] > 1 && p->n[p->rank - 2] > 1 &&
           p->n[p->rank - 3] > 1;
}

/* Returns true if the last two axes have more points than a cluster holds. */
static bool is_large_plane(const fft_problem *p)
{
    enum { CLUSTER = 1 << 18 };
    return p->rank >= 2 && !problem_is_real(p) && p->n[p->rank - 1] > 1 && p->n[p->rank - 2] > 1 &&
           p->n[p->rank - 1] * p->n[p->rank - 2] > CLUSTER;
}

/* Returns true if an axis has a length without radices. */
static bool convolves(const fft_problem *p)
{
    for (int i = 0; i < p->rank; i++)
        if (!has_radices(p->n[i])) return true;
    return false;
}

/* Returns true if a convolution of that many points might serve for such an axis; 0: of any number. */
static bool convolves_by(const fft_problem *p, int points)
{
    bool found = !points && convolves(p);
    for (int i = 0; i < p->rank; i++) found |= convolution_reaches(p->n[i], points);
    return found;
}

/* Writes the variant of ESTIMATE, which comes first. */
static int list_guess(const fft_problem *p, argand_device *device, char (*names)[FFT_VARIANT_CHARS])
{
    guess_variant(names[0], p, device_traits_of(device));
    return names[0][0] != 0;
}

/* Answers that are computed at most once: the plan uses clusters; the plan could use clusters, although
 * other passes should be faster. */
typedef struct cluster_answers {
    bool asked, asked_any, standard, any;
} cluster_answers;

static bool clusters(cluster_answers *c, const fft_problem *p, argand_device *device, bool any)
{
    if (!c->asked) c->standard = has_clusters(p, device, TUNING_STANDARD);
    c->asked = true;
    if (!any) return c->standard;
    if (!c->asked_any) c->any = c->standard || has_clusters(p, device, "any_cluster 1");
    c->asked_any = true;
    return c->any;
}

static bool can_differ(int i, const fft_problem *p, argand_device *device, cluster_answers *c)
{
    switch (candidate_scope_of(i)) {
    case FOR_CONVOLUTIONS:
        return convolves_by(p, candidate_convolution(i));
    case FOR_PLANES:
        return is_volume(p) || is_large_plane(p);
    case FOR_VOLUMES:
        return is_volume(p);
    case FOR_CLUSTERS:
        return clusters(c, p, device, false);
    case FOR_ANY_CLUSTER:
        return clusters(c, p, device, true);
    default:
        return true;
    }
}

/* Lists the variant of ESTIMATE, then those that can make a difference. */
int native_list_variants(const fft_problem *p, argand_device *device, char (*names)[FFT_VARIANT_CHARS],
                         int most)
{
    cluster_answers answers = {0};
    int count = list_guess(p, device, names);
    for (int k = 0; count < most && candidate_text(k, names[count], FFT_VARIANT_CHARS); k++) {
        if (!can_differ(k, p, device, &answers)) continue;
        if (count && !strcmp(names[count], names[0])) continue; /* the variant of ESTIMATE */
        count++;
    }
    return count;
}

/* Returns true if addresses are aligned as the kernels require; a part of an array may begin anywhere. */
static bool is_aligned(const argand_array *array)
{
    const uintptr_t start = (uintptr_t)storage_native(array->storage);
    return !type_is_complex(array->type) || start % (type_is_double(array->type) ? 16 : 8) == 0;
}

/* Returns true if pairs of reals can be loaded as one. */
static bool pairs_aligned(const argand_array *array)
{
    const uintptr_t size = argand_type_size(array->type),
                    start = (uintptr_t)storage_native(array->storage) + (uintptr_t)array->offset * size;
    return type_is_complex(array->type) || start % (2 * size) == 0;
}

static argand_status apply(const void *state, const fft_problem *p, argand_device *device,
                           const fft_call *call)
{
    native_state *s = (native_state *)state;
    const variant *v;
    if (!is_aligned(call->in) || !is_aligned(call->out))
        return packed_apply(&fft_engine_native, state, p, device, call);
    const variant_key key = key_of(p, call->geometry, call->direction, call_is_out_of_place(call));
    const argand_status status = variant_get(s, p, &key, &v);
    if (status == ARGAND_UNSUPPORTED) return packed_apply(&fft_engine_native, state, p, device, call);
    if (status != ARGAND_OK) return status;
    if (v->program.adjacent && !(pairs_aligned(call->in) && pairs_aligned(call->out)))
        return packed_apply(&fft_engine_native, state, p, device, call);
    return variant_run_all(s, p, &key, v, call);
}

static void print(const void *state, text *t)
{
    const native_state *s = state;
    const pass_program *p = &s->first->program;
    text_add(t, "(native");
    if (s->scrambled) text_add(t, " scrambled %lld", (long long)s->scrambled);
    if (p->persistent.count)
        text_add(t, " %d from %d on as persistent passes over %lld chunks", p->persistent.count,
                 p->persistent.begin, (long long)p->persistent.params.chunks);
    for (int i = 0; i < p->count; i++) {
        const tile_shape *shape = &p->pass[i].shape;
        const pass_exchange *exchange = &p->pass[i].exchange;
        if (exchange->blocks) text_add(t, " cluster %d exchange %d", exchange->blocks, exchange->algorithm);
        text_add(t, " (%dx%dx%d", shape->size[0], shape->size[1], shape->size[2]);
        for (int k = 0; k < shape->stages; k++)
            text_add(t, "%s%d%s", k ? " " : " by ", shape->stage[k].radix,
                     shape->stage[k].axis == 0   ? ""
                     : shape->stage[k].axis == 1 ? "'"
                                                 : "''");
        text_add(t, " threads %d", shape->threads);
        if (shape->persistent_blocks) text_add(t, " in %d persistent blocks", shape->persistent_blocks);
        if (shape->bulk_copy)
            text_add(t, " whole %s",
                     shape->bulk_copy == 1   ? "out"
                     : shape->bulk_copy == 2 ? "in"
                                             : "in and out");
        text_add(t, ")");
    }
    text_add(t, ")");
}

static void passes(const fft_problem *p, argand_device *device, const char *variant_name,
                   argand_direction direction, fft_passes *list)
{
    block_limits limits;
    pass_program program;
    fft_geometry g;
    default_geometry(&g, p, direction);
    if (limits_find(&limits, p, device, variant_name) != ARGAND_OK ||
        program_make(&program, p, &g, direction, &limits, true) != ARGAND_OK)
        return;
    program_passes(&program, &limits, list);
    program_release(&program);
}

/* Returns the reason why cuFFT goes first, or NULL. The native engine has low priority until it is
 * measured against cuFFT on a chip and wisdom says where it wins. On chips where it was faster
 * (device/drivers/chips.c) cuFFT has low priority. */
static const char *low_priority(const fft_problem *p, argand_device *device)
{
    const device_traits *t = device_traits_of(device);
    (void)p;
    if (engine_is_wanted(fft_engine_native.name) || !t->fft_tuned || t->fft_leads) return NULL;
    return "cuFFT goes first until wisdom or ARGAND_MEASURE says otherwise";
}

static int64_t workspace(const void *state, const fft_problem *p, argand_device *device,
                         argand_direction direction)
{
    native_state *s = (native_state *)state;
    const variant *v;
    fft_geometry g;
    (void)device;
    default_geometry(&g, p, direction);
    const variant_key key = key_of(p, &g, direction, true);
    return variant_get(s, p, &key, &v) == ARGAND_OK ? program_workspace(&g, &v->program, &s->limits) : 0;
}

static void order(const void *state, const fft_problem *p, bool spectrum, int axis, struct fft_order *order)
{
    const native_state *s = state;
    if (axis == 0 && s->scrambled && spectrum == p->scrambled_spectrum) order_of_matrix(order, s->scrambled);
}

static double line_operations(int64_t n, argand_device *device)
{
    const fft_problem p = {.type = ARGAND_C32, .rank = 1, .n = {n}, .points = n, .batch = 1};
    block_limits l;
    if (device_is_host(device) || limits_find(&l, &p, device, TUNING_STANDARD) != ARGAND_OK) return HUGE_VAL;
    return columns_cost(n, &l);
}

const fft_engine fft_engine_native = {.name = "native",
                                      .check = tuning_check,
                                      .applicable = applicable,
                                      .create = create,
                                      .apply = apply,
                                      .print = print,
                                      .variants = native_list_variants,
                                      .alike = true,
                                      .create_variant = create_variant,
                                      .unknown = tuning_unknown,
                                      .nearby = nearby_variants,
                                      .precompile = precompile,
                                      .request = request,
                                      .passes = passes,
                                      .low_priority = low_priority,
                                      .workspace = workspace,
                                      .line_operations = line_operations,
                                      .order = order,
                                      .destroy = destroy};
