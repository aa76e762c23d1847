/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine for plans with accessors on processors: passes as schedule.c orders them, with the line
 * transforms of line.h. A transform that fits in cache goes through all its passes in one thread's own memory
 * before the next; leading passes of a large one go tile by tile. */
#include <omp.h>
#include <string.h>
#include "base/memory.h"
#include "fft/engine/engine.h"
#include "fft/engine/facts.h"
#include "fft/cpu/access/mirror.h"
#include "fft/cpu/access/schedule.h"
#include "fft/cpu/passes/scratch.h"

typedef struct access_state {
    int line_count;
    fft_line lines[ARGAND_MAX_RANK];
    const fft_line *line_of[ARGAND_MAX_RANK];
    scratch_pool pool;
} access_state;

static argand_status check_functions(const argand_accessor *chain, const char **reason)
{
    for (int i = 0; i < ARGAND_MAX_ACCESSORS; i++)
        if (chain[i].kind == ARGAND_ACCESS_CALL && !chain[i].function)
            *reason = "on the cpu a user's accessor must be a C function; set .function";
    return ARGAND_OK;
}

static const char *applicable(const fft_problem *p, argand_device *device)
{
    const char *reason = NULL;
    if (!p->access) return "the plan has no accessors";
    if (!device_is_host(device)) return "the device's memory cannot be read by the host";
    (void)check_functions(p->access->chains.load, &reason);
    (void)check_functions(p->access->chains.spectrum, &reason);
    (void)check_functions(p->access->chains.store, &reason);
    return reason;
}

static void destroy(void *state)
{
    access_state *s = state;
    if (!s) return;
    for (int i = 0; i < s->line_count; i++) line_release(&s->lines[i]);
    scratch_close(&s->pool);
    memory_free(s);
}

static argand_status add_line(access_state *s, const fft_problem *p, int axis)
{
    const line_kind kind = axis == 0 && problem_is_real(p) ? LINE_REAL : LINE_COMPLEX;
    for (int i = 0; i < s->line_count; i++)
        if (s->lines[i].n == p->n[axis] && s->lines[i].kind == kind) {
            s->line_of[axis] = &s->lines[i];
            return ARGAND_OK;
        }
    const line_request request = {.kind = kind,
                                  .is_double = type_is_double(p->type),
                                  .n = p->n[axis],
                                  .lines = p->points / p->n[axis] * p->batch,
                                  .effort = p->effort};
    TRY(line_make(&s->lines[s->line_count], &request, 1U << LINE_ROWS | 1U << LINE_COLUMNS));
    s->line_of[axis] = &s->lines[s->line_count++];
    return ARGAND_OK;
}

static argand_status create(void **state, const fft_problem *p, argand_device *device)
{
    (void)device;
    access_state *s;
    argand_status status = ARGAND_OK;
    TRY(NEW(s, 1));
    scratch_open(&s->pool);
    for (int axis = 0; axis < p->rank && status == ARGAND_OK; axis++) status = add_line(s, p, axis);
    if (status != ARGAND_OK) {
        destroy(s);
        return status;
    }
    *state = s;
    return ARGAND_OK;
}

/* ---- a call ---- */

/* Place `index` among n[0] x n[1] x ..., added to the coordinates. */
static int64_t places(const int64_t *n)
{
    int64_t count = 1;
    for (int d = 0; d < ACCESS_DIMS; d++) count *= n[d];
    return count;
}

static void go_to(int64_t *coordinate, const int64_t *n, int64_t index)
{
    for (int d = 0; d < ACCESS_DIMS; index /= n[d++]) coordinate[d] += index % n[d];
}

/* Returns the pass with its places in work memory in place of the caller's. */
static access_pass placed(const access_pass *pass, char *work)
{
    access_pass p = *pass;
    if (!p.in.at) p.in.at = work;
    if (!p.out.at) p.out.at = work;
    return p;
}

typedef struct running {
    const access_schedule *s;
    int threads;
    char *buffers;
    size_t buffer_bytes; /* of a thread */
} running;

static void run_pass(const running *r, int i, const int64_t *coordinate, int threads, char *work,
                     char *buffers)
{
    const access_pass pass = placed(&r->s->pass[i], work);
    if (r->s->mirrored && i == r->s->mirror)
        access_mirror_run(&pass, coordinate, buffers);
    else
        access_pass_run(&pass, coordinate, threads, buffers);
}

/* Transforms that fit a thread's cache, or tiles: that of index `index`. */
static void run_whole(const running *r, const int64_t *outer, int64_t index, int thread, char *work)
{
    int64_t at[ACCESS_DIMS];
    memcpy(at, outer, sizeof at);
    go_to(at, r->s->outer, index);
    for (int i = 0; i < r->s->count; i++)
        run_pass(r, i, at, 1, work + (size_t)thread * (size_t)r->s->work_bytes,
                 r->buffers + (size_t)thread * r->buffer_bytes);
}

static void run_tile(const running *r, const int64_t *outer, int64_t index, int thread, char *work)
{
    int64_t at[ACCESS_DIMS];
    memcpy(at, outer, sizeof at);
    go_to(at, r->s->tile, index);
    for (int i = 0; i < r->s->tiled; i++)
        run_pass(r, i, at, 1, work, r->buffers + (size_t)thread * r->buffer_bytes);
}

typedef void run_one(const running *r, const int64_t *outer, int64_t index, int thread, char *work);

static void run_each(const running *r, run_one *one, int64_t count, const int64_t *outer, char *work)
{
    if (r->threads <= 1) {
        for (int64_t index = 0; index < count; index++) one(r, outer, index, 0, work);
        return;
    }
#pragma omp parallel for num_threads(r->threads) schedule(static)
    for (int64_t index = 0; index < count; index++) one(r, outer, index, omp_get_thread_num(), work);
}

static void run_large(const running *r, char *work)
{
    const access_schedule *s = r->s;
    const int64_t count = places(s->outer);
    for (int64_t index = 0; index < count; index++) {
        int64_t at[ACCESS_DIMS] = {0};
        go_to(at, s->outer, index);
        if (s->tiled) run_each(r, run_tile, places(s->tile), at, work);
        for (int i = s->tiled; i < s->count; i++) run_pass(r, i, at, r->threads, work, r->buffers);
    }
}

/* Small transforms are done before a second thread has woken up. */
static int threads_for(const fft_problem *p, argand_device *device)
{
    const int64_t worth = p->points / 8192 * p->batch + p->points % 8192 * p->batch / 8192;
    const int all = omp_in_parallel() ? 1 : argand_device_threads(device);
    return worth < 2 ? 1 : worth < all ? (int)worth : all;
}

static size_t most_buffers(const access_schedule *s)
{
    size_t most = 0;
    for (int i = 0; i < s->count; i++) {
        const size_t bytes = access_pass_bytes(&s->pass[i]);
        if (bytes > most) most = bytes;
    }
    return most;
}

static argand_status apply(const void *state, const fft_problem *p, argand_device *device,
                           const fft_call *call)
{
    const access_state *s = state;
    access_schedule schedule;
    scratch_pool *pool = (scratch_pool *)&s->pool;
    scratch_block *buffers = NULL, *work = NULL;
    argand_status status;
    TRY(argand_device_wait(device));
    access_schedule_make(&schedule, p, call->access, s->line_of, call->direction, call->factor);
    running r = {.s = &schedule, .threads = threads_for(p, device), .buffer_bytes = most_buffers(&schedule)};
    const size_t works = memory_product((size_t)schedule.work_bytes, schedule.whole ? (size_t)r.threads : 1);
    TRY_OR_DONE(scratch_take(pool, works, &work));
    TRY_OR_DONE(scratch_take(pool, memory_product(r.buffer_bytes, (size_t)r.threads), &buffers));
    r.buffers = buffers->memory;
    static const int64_t origin[ACCESS_DIMS];
    if (schedule.whole)
        run_each(&r, run_whole, places(schedule.outer), origin, work->memory);
    else
        run_large(&r, work->memory);
done:
    scratch_give(pool, buffers);
    scratch_give(pool, work);
    return status;
}

/* ---- for the planner ---- */

/* The passes of a call on contiguous arrays, or along the plan's axes: which lines, and how many. Arrays of
 * accessors are not counted. */
static void passes(const fft_problem *p, argand_device *device, const char *variant,
                   argand_direction direction, fft_passes *list)
{
    (void)device;
    (void)variant;
    access_call call;
    access_schedule schedule;
    const fft_line *const none[ARGAND_MAX_RANK] = {NULL};
    access_plan_call(&call, p, direction);
    access_schedule_make(&schedule, p, &call, none, direction, 1);
    for (int i = 0; i < schedule.count; i++) {
        const access_pass *pass = &schedule.pass[i];
        int64_t lines = access_pass_lines(pass), stored = 1;
        for (int d = 0; d < call.dims; d++) {
            lines *= schedule.outer[d] * (i < schedule.tiled ? schedule.tile[d] : 1);
            stored *= pass->sum >> d & 1 ? pass->n[d] : 1;
        }
        argand_fft_pass *fact = facts_add(list, pass->no_transform ? "spectrum"
                                                : pass->round_trip ? "forward and inverse"
                                                                   : "lines with accessors");
        const int64_t in_size = (int64_t)argand_type_size(pass->in.type) * (pass->in.imaginary ? 2 : 1),
                      out_size = (int64_t)argand_type_size(pass->out.type) * (pass->out.imaginary ? 2 : 1);
        fact->axis = pass->axis;
        fact->length = p->n[pass->axis];
        fact->lines = lines;
        fact->read_bytes = lines * pass->in.window.count * in_size;
        fact->write_bytes = lines / stored * pass->out.window.count * out_size;
        if (!pass->no_transform)
            fact->operations =
                (pass->round_trip ? 2 : 1) * facts_operations(p->n[pass->axis]) * (double)lines;
    }
}

static void print(const void *state, text *t)
{
    const access_state *s = state;
    text_add(t, "(accessors");
    for (int i = 0; i < s->line_count; i++) {
        text_add(t, " ");
        line_print(&s->lines[i], t);
    }
    text_add(t, ")");
}

const fft_engine fft_engine_access = {.name = "accessors",
                                      .applicable = applicable,
                                      .create = create,
                                      .apply = apply,
                                      .print = print,
                                      .passes = passes,
                                      .destroy = destroy};
