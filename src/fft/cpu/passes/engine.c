/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine for the CPU: one pass along each axis (row-column). Complex: axis 0 first, from in to out, then
 * the others in place. Real to complex the same. Complex to real ends with axis 0, and works in a copy
 * before (a tile's, where tiles are whole transforms), so that its input is always preserved. Leading axes
 * that fit in cache together are done tile by tile. Centring is a rotation of each line as it is read and as
 * it is written: exact for odd and even lengths alike. The scale goes into the last pass. */
#include "fft/engine/engine.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "fft/cpu/line/line.h"
#include "fft/cpu/passes/pass.h"
#include "fft/cpu/passes/pass_list.h"
#include "fft/cpu/passes/schedule.h"
#include "fft/cpu/passes/short_planes.h"
#include "fft/cpu/passes/whole_planes.h"

static const char *applicable(const fft_problem *problem, argand_device *device)
{
    argand_device_info info;
    if (problem->access) return "it has no accessors";
    if (argand_device_describe(device, &info) != ARGAND_OK || !info.host_addressable)
        return "the device's memory cannot be read by the host, and no other engine is built in";
    return NULL;
}

static bool is_row(const argand_axis *axis)
{
    return axis->in_stride == 1 && axis->out_stride == 1;
}

/* How lines of the axis, and of others of that length, lie: rows or columns. */
static unsigned layouts_of(const fft_problem *p, int axis)
{
    unsigned layouts = 0;
    for (int i = 0; i < p->rank; i++)
        if (p->n[i] == p->n[axis] && !(problem_is_real(p) && (i == 0) != (axis == 0)))
            layouts |=
                1U << ((p->axes_given ? is_row(&p->geometry.axes[i]) : i == 0) ? LINE_ROWS : LINE_COLUMNS);
    return layouts;
}

static argand_status add_line(passes *s, const fft_problem *p, int axis, const char *wanted)
{
    const line_kind kind = axis == 0 && problem_is_real(p) ? LINE_REAL : LINE_COMPLEX;
    for (int i = 0; i < s->line_count; i++)
        if (s->lines[i].n == p->n[axis] && s->lines[i].kind == kind) {
            s->line_of[axis] = i;
            return ARGAND_OK;
        }
    const line_request request = {.kind = kind,
                                  .is_double = type_is_double(p->type),
                                  .n = p->n[axis],
                                  .lines = p->points / p->n[axis] * p->batch,
                                  .effort = p->effort,
                                  .wanted = wanted};
    TRY(line_make(&s->lines[s->line_count], &request, layouts_of(p, axis)));
    s->line_of[axis] = s->line_count++;
    return ARGAND_OK;
}

static void destroy(void *state)
{
    passes *s = state;
    if (!s) return;
    for (int i = 0; i < s->line_count; i++) line_release(&s->lines[i]);
    split_release(&s->split);
    memory_free(s->planes);
    whole_planes_free(s->whole);
    scratch_close(&s->pool);
    memory_free(s);
}

static argand_status create_variant(void **state, const fft_problem *p, argand_device *device,
                                    const char *variant)
{
    (void)device;
    passes *s;
    argand_status status = ARGAND_OK;
    TRY(NEW(s, 1));
    scratch_open(&s->pool);
    if (p->rank == 1 && !problem_is_real(p))
        status = split_make(&s->split, p->n[0], p->batch, type_is_double(p->type), p->centred,
                            p->scrambled_signal || p->scrambled_spectrum, p->effort);
    for (int axis = 0; axis < p->rank && status == ARGAND_OK && !s->split.n1; axis++)
        status = add_line(s, p, axis, variant);
    if (status != ARGAND_OK) {
        destroy(s);
        return status;
    }
    if (p->rank == 1 && !s->split.n1) short_call_make(&s->brief, p, &s->lines[0]);
    if (!variant) status = whole_planes_make(&s->whole, p);
    if (status == ARGAND_OK && !s->whole && !s->brief.line && !s->split.n1 && passes_are_short(p))
        status = short_planes_make(&s->planes, s, p);
    if (status != ARGAND_OK) {
        destroy(s);
        return status;
    }
    s->whole_is_short = s->whole && passes_are_short(p);
    *state = s;
    return ARGAND_OK;
}

static argand_status create(void **state, const fft_problem *p, argand_device *device)
{
    return create_variant(state, p, device, NULL);
}

/* The algorithms that its lines took. */
static void chosen(const void *state, const fft_problem *p, char name[FFT_VARIANT_CHARS])
{
    (void)p;
    const passes *s = state;
    text t = {0};
    for (int i = 0; i < s->line_count; i++) line_chosen(&s->lines[i], &t);
    const bool fits = t.status == ARGAND_OK && t.length < FFT_VARIANT_CHARS;
    snprintf(name, FFT_VARIANT_CHARS, "%s", fits ? text_chars(&t) : "");
    text_free(&t);
}

/* "simd_batch 16x16 by 64" */
static void explain_algorithm(argand_fft_pass *pass, const line_use *use)
{
    text t = {0};
    if (use->algorithm) use->algorithm->print(use->state, &t);
    const char *chars = text_chars(&t);
    const bool enclosed = t.length > 2 && chars[0] == '(';
    snprintf(pass->radices, sizeof pass->radices, "%.*s", (int)t.length - 2 * enclosed, chars + enclosed);
    text_free(&t);
    t = (text){0};
    if (use->algorithm) line_explain(use, &t);
    snprintf(pass->algorithms, sizeof pass->algorithms, "%s", text_chars(&t));
    text_free(&t);
}

static void explain_whole(argand_fft_pass *pass, const whole_planes *whole)
{
    text t = {0};
    whole_planes_print(whole, &t);
    snprintf(pass->radices, sizeof pass->radices, "%s", text_chars(&t));
    text_free(&t);
}

static void detail(const void *state, const fft_problem *p, fft_passes *list)
{
    const passes *s = state;
    for (int i = 0; i < list->count; i++) {
        argand_fft_pass *pass = &list->pass[i];
        if (pass->axis < 0) continue;
        if (s->whole) {
            explain_whole(pass, s->whole);
            continue;
        }
        if (s->split.n1) {
            const bool columns = !strncmp(pass->what, "columns", 7);
            explain_algorithm(pass, columns              ? &s->split.first.use[LINE_COLUMNS]
                                    : s->split.scrambled ? &s->split.second.use[LINE_ROWS]
                                                         : &s->split.second.use[LINE_COLUMNS]);
            continue;
        }
        const bool rows = p->axes_given ? is_row(&p->geometry.axes[pass->axis]) : pass->axis == 0;
        explain_algorithm(pass, line_use_for(&s->lines[s->line_of[pass->axis]], rows ? 1 : 2, rows ? 1 : 2));
    }
}

/* ---- a call ---- */

static int threads_for(const fft_problem *p, argand_device *device)
{
    const int64_t worth = passes_threads_worth(p);
    const int all = omp_in_parallel() ? 1 : argand_device_threads(device);
    return worth < 2 ? 1 : worth < all ? (int)worth : all;
}

static size_t buffer_bytes(const passes *s)
{
    size_t most = 0;
    for (int i = 0; i < s->line_count; i++) {
        const size_t bytes = pass_buffer_bytes(&s->lines[i]);
        if (bytes > most) most = bytes;
    }
    return most < SIZE_MAX - 63 ? (most + 63) / 64 * 64 : most; /* more than there is remains so */
}

/* Work memory of one thread that goes through the passes: theirs, then what it keeps of its tile. */
static size_t thread_bytes(const passes *s, const fft_problem *p, argand_direction direction)
{
    return buffer_bytes(s) + passes_tile_own(p, direction);
}

/* Work memory of a call of split lines: the points between its passes, then that of each thread. */
typedef struct split_work {
    size_t buffers_at, bytes;
} split_work;

static split_work split_work_of(const fft_split *split, const fft_problem *p, int threads)
{
    const size_t element = type_is_double(p->type) ? 16 : 8,
                 middle = split->scrambled ? 0 : memory_product((size_t)p->points, element),
                 buffers = memory_product(split_buffer_bytes(split), (size_t)threads),
                 at = middle > SIZE_MAX - 63 ? SIZE_MAX : (middle + 63) / 64 * 64;
    return (split_work){at, at > SIZE_MAX - buffers ? SIZE_MAX : at + buffers};
}

/* One long line after another, each with all threads. */
static argand_status apply_split(const passes *s, const fft_problem *p, const fft_call *call, int threads)
{
    const fft_geometry *g = call->geometry;
    const region out = passes_region(p, g, call->direction, true),
                 in = passes_region(p, g, call->direction, false);
    char *const out_at = argand_array_data(call->out), *const in_at = argand_array_data(call->in);
    const fft_split *split = &s->split;
    const split_work work_of_split = split_work_of(split, p, threads);
    scratch_pool *pool = (scratch_pool *)&s->pool;
    scratch_block *work;
    TRY(scratch_take(pool, work_of_split.bytes, &work));
    for (int64_t line = 0; line < p->batch; line++) {
        int64_t rest = line, to = 0, from = 0;
        for (int i = 0; i < g->loops; rest /= g->loop[i++].n) {
            to += rest % g->loop[i].n * g->loop[i].out_stride;
            from += rest % g->loop[i].n * g->loop[i].in_stride;
        }
        split_run(split,
                  &(split_call){.out = out_at + to * (int64_t)out.size,
                                .in = in_at + from * (int64_t)in.size,
                                .size = out.size,
                                .out_stride = out.stride[0],
                                .in_stride = in.stride[0],
                                .inverse = call->direction == ARGAND_INVERSE,
                                .centred = p->centred,
                                .to_scrambled = p->scrambled_spectrum == (call->direction == ARGAND_FORWARD),
                                .factor = call->factor},
                  threads, work->memory, (char *)work->memory + work_of_split.buffers_at);
    }
    scratch_give(pool, work);
    return ARGAND_OK;
}

/* Chooses the memory of the half spectrum between the passes towards reals: a copy of its own, or a
 * tile's. */
static argand_status take_middle(const passes *s, const fft_problem *p, const fft_call *call, region *middle,
                                 scratch_block **spectrum)
{
    const fft_geometry *g = call->geometry;
    const size_t size = argand_type_size(call->in->type);
    *middle = (region){0};
    if (!passes_to_real(p, call->direction) || p->rank == 1) return ARGAND_OK;
    if (passes_tile_own(p, call->direction)) {
        passes_half_region(middle, g, g->rank, size);
        return ARGAND_OK;
    }
    TRY(scratch_take((scratch_pool *)&s->pool, passes_half_region(middle, g, g->rank + g->loops, size),
                     spectrum));
    return ARGAND_OK;
}

static argand_status apply_passes(const passes *s, const fft_problem *p, const fft_call *call, int threads)
{
    scratch_pool *pool = (scratch_pool *)&s->pool;
    scratch_block *buffers = NULL, *spectrum = NULL;
    const size_t bytes = thread_bytes(s, p, call->direction);
    region middle;
    passes_schedule d;
    argand_status status;
    TRY_OR_DONE(take_middle(s, p, call, &middle, &spectrum));
    TRY_OR_DONE(scratch_take(pool, memory_product(bytes, (size_t)threads), &buffers));
    passes_make_schedule(&d, s, p, call->geometry, call->direction, call->factor, &middle);
    const pass_memory memory = {
        {argand_array_data(call->in), argand_array_data(call->out), spectrum ? spectrum->memory : NULL}};
    passes_run_schedule(&d, &memory, threads, buffers->memory, bytes);
done:
    scratch_give(pool, buffers);
    scratch_give(pool, spectrum);
    return status;
}

/* Lines of one axis that make one block at most: for short ones a schedule would take longer. */
static bool is_one_block(const passes *s, const fft_problem *p, const fft_geometry *g, const line_use **use)
{
    if (p->rank != 1 || s->split.n1 || g->loops > 1) return false;
    *use = line_use_for(&s->lines[0], g->axes[0].out_stride, g->axes[0].in_stride);
    return p->batch <= (*use)->block;
}

static argand_status apply_block(const passes *s, const fft_problem *p, const fft_call *call,
                                 const line_use *use)
{
    const fft_geometry *g = call->geometry;
    const int64_t shift = p->centred ? p->n[0] / 2 : 0;
    const bool reals = problem_is_real(p), inverse = call->direction == ARGAND_INVERSE;
    const argand_axis loop = g->loops ? g->loop[0] : (argand_axis){.n = 1};
    const line_job job = {
        .out = {argand_array_data(call->out), loop.out_stride, g->axes[0].out_stride, reals && inverse},
        .in = {argand_array_data(call->in), loop.in_stride, g->axes[0].in_stride, reals && !inverse},
        .lines = p->batch,
        .inverse = inverse,
        .ops = {.rotate_in = shift, .rotate_out = shift, .factor = call->factor}};
    const size_t bytes = line_work_bytes(&s->lines[0], use, &job);
    if (short_call_line(&s->lines[0], use, &job, bytes)) return ARGAND_OK;
    scratch_pool *pool = (scratch_pool *)&s->pool;
    scratch_block *work;
    TRY(scratch_take(pool, bytes, &work));
    line_run(&s->lines[0], use, &job, work->memory);
    scratch_give(pool, work);
    return ARGAND_OK;
}

static fft_brief brief(const void *state, argand_direction direction)
{
    const passes *s = state;
    if (s->whole_is_short) return whole_planes_brief(s->whole, direction);
    return s->planes ? short_planes_brief(s->planes, direction) : short_call_brief(&s->brief, direction);
}

static argand_status apply(const void *state, const fft_problem *p, argand_device *device,
                           const fft_call *call)
{
    const passes *s = state;
    const line_use *use;
    int64_t row;
    TRY(argand_device_wait(device));
    if (is_one_block(s, p, call->geometry, &use)) return apply_block(s, p, call, use);
    const int threads = threads_for(p, device);
    if (whole_planes_serve(s->whole, call, &row)) {
        whole_planes_apply(s->whole, call, row, threads);
        return ARGAND_OK;
    }
    return s->split.n1 ? apply_split(s, p, call, threads) : apply_passes(s, p, call, threads);
}

static int64_t workspace(const void *state, const fft_problem *p, argand_device *device,
                         argand_direction direction)
{
    const passes *s = state;
    const int64_t threads = threads_for(p, device), element = type_is_double(p->type) ? 16 : 8;
    if (s->split.n1) return (int64_t)split_work_of(&s->split, p, (int)threads).bytes;
    const int64_t spectrum = p->points / p->n[0] * (p->n[0] / 2 + 1) * p->batch * element;
    const bool copies = passes_to_real(p, direction) && p->rank > 1 && !passes_tile_own(p, direction);
    return (copies ? spectrum : 0) + threads * (int64_t)thread_bytes(s, p, direction);
}

static void print(const void *state, text *t)
{
    const passes *s = state;
    text_add(t, s->whole ? "(passes " : "(passes");
    if (s->split.n1) split_print(&s->split, t);
    if (s->whole) whole_planes_print(s->whole, t);
    for (int i = 0; i < s->line_count && !s->whole; i++) {
        text_add(t, " ");
        line_print(&s->lines[i], t);
    }
    text_add(t, ")");
}

static void order(const void *state, const fft_problem *p, bool spectrum, int axis, struct fft_order *order)
{
    const fft_split *split = &((const passes *)state)->split;
    if (axis == 0 && split->scrambled && spectrum == p->scrambled_spectrum) order_of_matrix(order, split->n1);
}

const fft_engine fft_engine_passes = {.name = "passes",
                                      .applicable = applicable,
                                      .create = create,
                                      .apply = apply,
                                      .brief = brief,
                                      .print = print,
                                      .destroy = destroy,
                                      .create_variant = create_variant,
                                      .unknown = line_unknown,
                                      .chosen = chosen,
                                      .passes = passes_list,
                                      .detail = detail,
                                      .workspace = workspace,
                                      .order = order};
