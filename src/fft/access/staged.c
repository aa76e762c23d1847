/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine for plans with accessors on devices whose transforms cannot fuse them. One kernel makes the
 * padded array, with windows, borders, conversions and chain in one pass; the plain transform follows; one
 * kernel stores the result. A chain at the spectrum adds a kernel between two transforms. Arrays that the
 * transform can use directly need no kernel before it, nor, after a spectrum, behind it. */
#include <stdio.h>
#include <string.h>
#include "array/array.h"
#include "base/memory.h"
#include "device/source.h"
#include "fft/access/access.h"
#include "fft/engine/engine.h"
#include "kernels/params.h"
#include "kernels/access/params.h"

enum { CHUNK = 1024, CHAINS = 3 };

typedef struct staged {
    argand_fft *inner;
    char own[CHAINS][SOURCE_OWN_NAME]; /* user functions of load, spectrum, store; "": none */
} staged;

static const argand_accessor *chain_of(const fft_problem *p, int i)
{
    return access_chain_of(p->access, i);
}

static const char *applicable(const fft_problem *p, argand_device *device)
{
    if (!p->access) return "the plan has no accessors";
    if (device_is_host(device)) return "the host reads this device's memory directly";
    if (p->rank > ACCESS_RANK) return "on GPUs, plans with accessors support up to 6 axes and loops";
    return access_has_texts(p->access)
               ? NULL
               : "on this device a user's accessor must be source text; set .source and .name";
}

/* ---- kernels ---- */

/* Makes the key of a kernel that loads from or stores to `layout`, or (NULL) applies the chain at the
 * spectrum. */
static void make_key(text *key, const fft_problem *p, int dims, int chain, const char *own,
                     const access_array_layout *layout)
{
    static const char *const names[CHAINS] = {"access_load", "access_spectrum", "access_store"};
    const argand_accessor *a = chain_of(p, chain);
    const bool is_double = type_is_double(p->type);
    int links = 0, fold = 0;
    while (links < ARGAND_MAX_ACCESSORS && a[links].kind) links++;
    for (int d = 0; d < p->rank && layout; d++) fold |= layout->window[d].border != ARGAND_BORDER_ZERO;
    text_add(key, "%s REAL=%s CHAIN_TYPE=%d CHAIN_RANK=%d CHAIN_USED=%d CHAIN_REALS=%d CHAIN_LINKS=%d",
             names[chain], is_double ? "double" : "float",
             layout      ? (int)layout->type
             : is_double ? (int)ARGAND_C64
                         : (int)ARGAND_C32,
             p->rank, dims, layout && layout->reals, links);
    for (int i = 0; i < links; i++) {
        text_add(key, " CHAIN_KIND_%d=%d CHAIN_CONJUGATE_%d=%d", i, (int)a[i].kind, i, a[i].conjugate);
        if (a[i].kind == ARGAND_ACCESS_CALL) text_add(key, " CHAIN_CALL_%d=" ACCESS_OWN "%s", i, a[i].name);
    }
    if (chain == 1) text_add(key, " CHAIN_MIRROR=%d", p->access->has_mirror);
    if (chain == 2) text_add(key, " CHAIN_FOLD=%d", fold);
    if (own[0]) text_add(key, " OWN=%s", own);
}

/* Makes the key for a call with the default arrays. */
static void make_default_key(text *key, const fft_problem *p, int chain, const char *own,
                             const access_array_layout *layout)
{
    access_call is_default;
    access_plan_call(&is_default, p, ARGAND_FORWARD);
    make_key(key, p, is_default.dims, chain, own, layout);
}

static argand_status prepare(const staged *s, const fft_problem *p, argand_device *device, int chain,
                             const access_array_layout *layout)
{
    text key = {0};
    make_default_key(&key, p, chain, s->own[chain], layout);
    const argand_status status =
        key.status == ARGAND_OK ? kernel_prepare(device, text_chars(&key)) : key.status;
    text_free(&key);
    return status;
}

static bool loads(const fft_problem *p, argand_device *device, int chain, const access_array_layout *layout)
{
    text key = {0};
    make_default_key(&key, p, chain, "", layout);
    const char *const keys[] = {text_chars(&key)};
    const bool is_there = key.status == ARGAND_OK && kernels_load(device, keys, 1);
    text_free(&key);
    return is_there;
}

/* The plan within must compile nothing either, which its creation tells. Users' own texts are compiled. */
static bool is_immediate(const fft_problem *p, argand_device *device)
{
    char own[SOURCE_OWN_NAME] = "";
    const bool has_own = access_keep_own(own, p->access, 7) != ARGAND_OK || own[0];
    source_own_release(own);
    return !has_own && loads(p, device, 0, &p->access->in) && loads(p, device, 2, &p->access->out) &&
           (!p->access->has_spectrum || loads(p, device, 1, NULL));
}

/* ---- create and destroy ---- */

static void destroy(void *state)
{
    staged *s = state;
    if (!s) return;
    for (int i = 0; i < CHAINS; i++) source_own_release(s->own[i]);
    argand_fft_destroy(s->inner);
    memory_free(s);
}

static argand_status make_staged(staged *s, const fft_problem *p, argand_device *device)
{
    argand_fft_options plain = {
        .type = p->type, .rank = p->rank, .batch = p->batch, .effort = p->effort, .wait_for_kernels = true};
    if (p->at_once) plain.effort = ARGAND_ESTIMATE;
    memcpy(plain.n, p->n, sizeof plain.n);
    for (int i = 0; i < CHAINS; i++) TRY(access_keep_own(s->own[i], p->access, 1u << i));
    /* compiles the user's texts first, so that errors come before anything else is made */
    TRY(prepare(s, p, device, 0, &p->access->in));
    if (p->access->has_spectrum) TRY(prepare(s, p, device, 1, NULL));
    TRY(prepare(s, p, device, 2, &p->access->out));
    return (p->at_once ? p->create_at_once : argand_fft_create)(&s->inner, device, &plain);
}

static argand_status create(void **state, const fft_problem *p, argand_device *device)
{
    staged *s;
    TRY(NEW(s, 1));
    const argand_status status = make_staged(s, p, device);
    if (status == ARGAND_OK)
        *state = s;
    else
        destroy(s);
    return status;
}

/* ---- a call ---- */

static INDEX bits_of(const fft_problem *p, double x)
{
    INDEX bits = 0;
    const float single = (float)x;
    if (type_is_double(p->type))
        memcpy(&bits, &x, sizeof x);
    else {
        uint32_t half;
        memcpy(&half, &single, sizeof half);
        bits = half;
    }
    return bits;
}

typedef struct stage {
    const staged *s;
    const fft_problem *p;
    const access_call *c;
    argand_device *device;
    double factor;
} stage;

static void set_links(struct access_params *q, storage **memory, const stage *g, const access_chain *chain)
{
    for (int i = 0; i < chain->count; i++) {
        const access_link *l = &chain->link[i];
        q->scalar[i][0] = bits_of(g->p, l->scalar.re);
        q->scalar[i][1] = bits_of(g->p, l->scalar.im);
        for (int k = 0; k < ACCESS_NUMBERS; k++) q->numbers[i][k] = bits_of(g->p, l->parameters[k]);
        q->real_array[i] = l->real_array ? 1 : 2;
        for (int d = 0; d < ACCESS_RANK; d++) q->link_stride[i][d] = l->stride[d];
        if (!l->array) continue;
        q->link_at[i] = l->array->offset * (l->real_array ? 1 : 2);
        memory[2 + i] = l->array->storage;
    }
}

static void set_layout(struct access_params *q, const stage *g, const access_array_layout *layout,
                       const argand_array *array, const int64_t *stride)
{
    q->at = array->offset;
    q->imaginary = layout->imaginary;
    q->around[0] = bits_of(g->p, layout->constant.re);
    q->around[1] = bits_of(g->p, layout->constant.im);
    for (int d = 0; d < g->c->dims; d++) {
        const bool summed = g->c->sum >> d & 1;
        q->stride[d] = stride[d];
        q->count[d] = d < g->p->rank                 ? layout->window[d].count
                      : summed && array == g->c->out ? 1
                                                     : g->c->loop[d];
        if (d >= g->p->rank) continue;
        q->first[d] = layout->window[d].first;
        q->border[d] = (int)layout->window[d].border;
    }
}

static argand_status start_kernel(const stage *g, int chain, const access_array_layout *layout,
                                  struct access_params *q, storage **memory)
{
    text key = {0};
    make_key(&key, g->p, g->c->dims, chain, g->s->own[chain], layout);
    q->chunk = CHUNK;
    const kernel_run run = {.key = text_chars(&key),
                            .groups = (q->total + CHUNK - 1) / CHUNK,
                            .memory = memory,
                            .memory_count = 2 + ACCESS_LINKS,
                            .params = q,
                            .params_bytes = sizeof *q};
    const argand_status status = key.status == ARGAND_OK ? kernel_start(g->device, &run) : key.status;
    text_free(&key);
    return status;
}

/* Sets the parameters for the points of the transform's array `work`, with as many elements, until
 * set_layout changes them. */
static struct access_params params_for(const stage *g, const argand_array *work)
{
    struct access_params q = {.factor = bits_of(g->p, g->factor), .sum = (int)g->c->sum, .total = 1};
    q.work = work->offset * (type_is_complex(work->type) ? 2 : 1);
    for (int d = 0; d < ACCESS_RANK; d++) {
        q.n[d] = d < g->p->rank ? work->dims[d] : d < g->c->dims ? g->c->loop[d] : 1;
        q.count[d] = q.n[d];
        q.total *= q.n[d];
    }
    return q;
}

static argand_status run_load(const stage *g, argand_array *work)
{
    struct access_params q = params_for(g, work);
    storage *const in = g->c->in->storage;
    storage *memory[2 + ACCESS_LINKS] = {work->storage, in, in, in, in, in};
    set_layout(&q, g, g->c->in_layout, g->c->in, g->c->in_stride);
    set_links(&q, memory, g, &g->c->load);
    return start_kernel(g, 0, g->c->in_layout, &q, memory);
}

static argand_status run_spectrum(const stage *g, argand_array *to, argand_array *from, double factor)
{
    struct access_params q = params_for(g, to);
    q.factor = bits_of(g->p, factor);
    storage *const in = from->storage;
    storage *memory[2 + ACCESS_LINKS] = {to->storage, in, in, in, in, in};
    q.at = from->offset * 2;
    set_links(&q, memory, g, &g->c->spectrum);
    return start_kernel(g, 1, NULL, &q, memory);
}

static argand_status run_store(const stage *g, argand_array *work)
{
    struct access_params q = params_for(g, work);
    storage *const in = work->storage;
    storage *memory[2 + ACCESS_LINKS] = {g->c->out->storage, in, in, in, in, in};
    set_layout(&q, g, g->c->out_layout, g->c->out, g->c->out_stride);
    set_links(&q, memory, g, &g->c->store);
    q.total = 1;
    for (int d = 0; d < ACCESS_RANK; d++) q.total *= q.count[d];
    return start_kernel(g, 2, g->c->out_layout, &q, memory);
}

/* Makes an array for a transform: the plan's axes and the batch. */
static argand_status make_work(argand_array **work, const stage *g, bool reals, bool half)
{
    const bool is_double = type_is_double(g->p->type);
    int64_t dims[ARGAND_MAX_RANK + 1];
    for (int axis = 0; axis < g->p->rank; axis++) dims[axis] = access_points(g->p, axis, half);
    dims[g->p->rank] = g->p->batch;
    return array_scratch(work, g->device,
                         reals       ? g->p->type
                         : is_double ? ARGAND_C64
                                     : ARGAND_C32,
                         g->p->rank + 1, dims);
}

/* Returns true if the transform can use the input or output array directly. */
static bool is_plain(const stage *g, bool out)
{
    const fft_problem *p = g->p;
    const access_array_layout *layout = out ? g->c->out_layout : g->c->in_layout;
    const argand_array *array = out ? g->c->out : g->c->in;
    const access_chain *chain = out ? &g->c->store : &g->c->load;
    bool plain = !problem_is_real(p) && !p->axes_given && !g->c->sum && !chain->count &&
                 layout->type == (type_is_double(p->type) ? ARGAND_C64 : ARGAND_C32) &&
                 argand_array_dim(array, p->rank) == p->batch;
    for (int axis = 0; axis < p->rank; axis++)
        plain &= layout->window[axis].count == p->n[axis] && !layout->window[axis].first;
    return plain;
}

static argand_status there(const stage *g, argand_array *to, argand_array *from, argand_direction direction)
{
    if (is_plain(g, false)) return argand_fft_apply(g->s->inner, to, g->c->in, direction);
    TRY(run_load(g, from));
    return argand_fft_apply(g->s->inner, to, from, direction);
}

/* Transforms a spectrum back into the output; `signal` has space for the intermediate result. */
static argand_status back(const stage *g, argand_array *spectrum, argand_array *to, argand_array *signal,
                          argand_direction direction)
{
    const bool plain = is_plain(g, true);
    TRY(run_spectrum(g, to, spectrum, plain ? g->factor : 1));
    TRY(argand_fft_apply(g->s->inner, plain ? g->c->out : signal, to,
                         direction == ARGAND_FORWARD ? ARGAND_INVERSE : ARGAND_FORWARD));
    return plain ? ARGAND_OK : run_store(g, signal);
}

static argand_status through(const stage *g, argand_direction direction)
{
    const bool real = problem_is_real(g->p), spectrum = g->p->access->has_spectrum;
    argand_array *signal = NULL, *half = NULL, *mirrored = NULL;
    argand_status status;
    TRY_OR_DONE(make_work(&signal, g, real, false));
    if (real) TRY_OR_DONE(make_work(&half, g, false, true));
    argand_array *const other = real ? half : signal; /* complex elements */
    const bool inverse = real && !spectrum && direction == ARGAND_INVERSE;
    argand_array *const from = inverse ? half : signal, *const to = inverse ? signal : other;
    TRY_OR_DONE(there(g, to, from, direction));
    if (g->p->access->has_mirror) TRY_OR_DONE(make_work(&mirrored, g, false, false));
    status = spectrum ? back(g, other, mirrored ? mirrored : other, signal, direction) : run_store(g, to);
done:
    argand_array_destroy(mirrored);
    argand_array_destroy(half);
    argand_array_destroy(signal);
    return status;
}

static argand_status apply(const void *state, const fft_problem *p, argand_device *device,
                           const fft_call *call)
{
    const stage g = {state, p, call->access, device, call->factor};
    CHECK(g.c->dims <= ACCESS_RANK, ARGAND_UNSUPPORTED,
          "argand_fft_apply: there are %d axes and loops; on GPUs, plans with accessors support up to %d",
          g.c->dims, ACCESS_RANK);
    return through(&g, call->direction);
}

static void print(const void *state, text *t)
{
    const staged *s = state;
    char inner[512];
    argand_fft_print(s->inner, inner, sizeof inner);
    text_add(t, "(accessors before and after %s)", inner);
}

const fft_engine fft_engine_staged = {.name = "staged",
                                      .is_immediate = is_immediate,
                                      .applicable = applicable,
                                      .create = create,
                                      .apply = apply,
                                      .print = print,
                                      .destroy = destroy};
