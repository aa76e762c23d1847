/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent passes process the data chunk by chunk in one launch (kernels/fft/persistent/passes.krn). The
 * results of one pass are still in the second-level cache when the next pass loads them. Chunks divide the
 * batch if one of its transforms is small enough. Otherwise they divide the last axis, and the persistent
 * passes are those along the axes before it. */
#include "fft/gpu/schedule/persistent_passes.h"
#include "fft/gpu/codegen/key.h"
#include "fft/gpu/codegen/pass.h"

#include <stdlib.h>
#include "base/memory.h"

enum { MOST_THREADS = 2048 }; /* threads of a multiprocessor */
enum { LONG_LINE = 8 << 20 }; /* bytes */

/* Returns the largest divisor of n that is at most `most`. */
static int64_t divisor_below(int64_t n, int64_t most)
{
    if (most >= n) return n;
    int64_t best = 1;
    for (int64_t d = 1; d * d <= n; d++) {
        if (n % d) continue;
        if (d <= most && d > best) best = d;
        if (n / d <= most && n / d > best) best = n / d;
    }
    return best;
}

/* Chooses chunks of about chunk_kib, where one position has `unit` bytes. Returns false with fewer than
 * two chunks, because nothing could overlap. */
static bool choose_chunk(chunk_choice *w, int64_t unit, const block_limits *l)
{
    const int64_t bytes = (int64_t)l->tuning.chunk_kib * 1024;
    if (unit > 4 * bytes) return false;
    w->chunk = divisor_below(w->all, unit < bytes ? bytes / unit : 1);
    return w->all / w->chunk >= 2;
}

/* Returns the number of passes along the first axes, and stores their largest number of threads. */
static int count_passes(chunk_choice *w, const pass_program *p)
{
    int count = 0;
    w->threads = 0;
    for (; count < p->count && p->pass[count].axis < w->axes; count++)
        if (p->pass[count].shape.threads > w->threads) w->threads = p->pass[count].shape.threads;
    return count;
}

/* Divides the longest loop: the batch. */
static bool along_batch(chunk_choice *w, const pass_program *p, const job_axis *axes, int rank, int all,
                        const block_limits *l)
{
    int64_t points = 1;
    *w = (chunk_choice){.axis = -1, .with = -1, .axes = rank};
    for (int i = 0; i < all; i++) {
        points *= axes[i].n;
        if (i >= rank && (w->axis < 0 || axes[i].n > axes[w->axis].n)) w->axis = i;
    }
    if (w->axis < 0 || axes[w->axis].n < 2) return false;
    w->n = w->all = axes[w->axis].n;
    const int64_t most = p->work > points ? p->work : points, unit = most / w->all * l->element_bytes;
    /* long lines are faster in two launches (2^20 points: 1.15 instead of 1.31 ms), 10^6 points are not */
    if (p->work > p->kept && unit >= LONG_LINE) return false;
    return choose_chunk(w, unit, l);
}

/* Divides the last axis together with a loop that continues it. */
static bool along_axis(chunk_choice *w, const job_axis *axes, int rank, int all, const block_limits *l)
{
    const int last = rank - 1;
    int64_t unit = l->element_bytes;
    *w = (chunk_choice){.axis = last, .with = -1, .axes = last, .n = axes[last].n, .all = axes[last].n};
    for (int i = rank; i < all; i++)
        if (axes[i].in == w->n * axes[last].in && axes[i].out == w->n * axes[last].out) w->with = i;
    if (w->with >= 0) w->all *= w->with_n = axes[w->with].n;
    for (int i = 0; i < all; i++)
        if (i != last && i != w->with) unit *= axes[i].n;
    return rank > 1 && choose_chunk(w, unit, l);
}

/* Returns true if the results that stay in work memory after the persistent passes lie there chunk by
 * chunk. */
static bool keeps_place(chunk_choice *w, const pass_program *p, const job_axis *axes, int rank, int all,
                        const block_limits *l)
{
    w->kept = l->whole && p->kept == p->work;
    for (int i = rank; i < all; i++)
        if (i != w->with && axes[i].n > 1) w->kept = false;
    return w->kept;
}

bool persistent_choose(chunk_choice *w, const pass_program *p, const job_axis *axes, int rank, int all,
                       const block_limits *l)
{
    if (!l->persistent || !l->tuning.chunk_kib) return false;
    /* a division of axes set by the tuning is for calls out of place; other calls may have persistent
     * passes */
    if (p->out_of_place && (l->tuning.split_last > 1 || (l->tuning.split_second > 1 && rank < 3)))
        return false;
    for (int i = 0; i < p->count; i++)
        if (p->pass[i].exchange.blocks || p->pass[i].shape.fold)
            /* all blocks of a kernel belong to clusters, or none does; and every pass needs stages */
            return false;
    for (int way = 0; way < 2; way++) {
        if (way == 0
                ? !along_batch(w, p, axes, rank, all, l)
                : !along_axis(w, axes, rank, all, l) || (p->kept && !keeps_place(w, p, axes, rank, all, l)))
            continue;
        const int count = count_passes(w, p);
        w->at = axes[w->axis];
        if (count >= 2 && count <= PERSISTENT_MOST) return true;
    }
    return false;
}

/* Divides the fastest loop of a line that takes two passes, in tiles of neighbours that fill whole cache
 * lines. */
bool persistent_tail(chunk_choice *w, const pass_program *p, const line_job *job, const block_limits *l)
{
    enum { NEIGHBOURS = 64 };
    const int64_t unit = job->axis.n * l->element_bytes, bytes = (int64_t)l->tuning.tail_kib * 1024;
    if (!l->persistent || l->whole || !bytes || job->access[0].on || job->access[1].on ||
        p->persistent.count || job->loops > 2 || job->counted_loop >= 0 || job->twiddle_points ||
        job->chirp.part || job->in_kind != IN_COMPLEX || job->out_kind != OUT_COMPLEX)
        return false;
    *w = (chunk_choice){.tail = true, .at = job->loop[0], .all = job->loop[0].n, .base = p->work};
    w->outer = job->loops > 1 ? job->loop[1] : (job_axis){.n = 1};
    w->chunk = divisor_below(w->all, bytes / unit);
    return w->chunk * l->element_bytes >= NEIGHBOURS && w->all / w->chunk * w->outer.n >= 2;
}

/* Sets the strides between a line's chunks: its first pass reads chunks of the input, its second one
 * writes chunks of the output. */
static void place_tail(struct passes_params *q, const chunk_choice *w, int64_t slot)
{
    q->step[0][0] = 2 * w->chunk * w->at.in;
    q->outer[0][0] = 2 * w->outer.in;
    q->step[0][1] = q->step[1][0] = 2 * slot;
    q->step[1][1] = 2 * w->chunk * w->at.out;
    q->outer[1][1] = 2 * w->outer.out;
}

/* Returns the reals from one chunk to the next in the input or output of a pass. */
static int64_t step_of(const pass_program *p, const tile_pass *pass, const chunk_choice *w, bool out)
{
    const pass_memory memory = out ? pass->to : pass->from;
    const bool reals = out ? pass->shape.out_kind == OUT_REAL || pass->shape.out_kind == OUT_PAIRS
                           : pass->shape.in_kind == IN_REAL || pass->shape.in_kind == IN_PAIRS;
    if (memory == MEMORY_WORK) return 2 * p->persistent.work;
    return w->chunk * (memory == MEMORY_IN ? w->at.in : w->at.out) * (reals ? 1 : 2);
}

/* Returns true if that number of threads shares a pass's pairs of butterflies evenly. */
static bool shares_pairs(const tile_shape *s, int threads)
{
    return !s->mirrored || tile_points(s) / tile_paired_stage(s)->radix % (2 * threads) == 0;
}

/* Returns the operands with streaming access: input from outside and final results need not stay in the
 * cache that the passes share. */
static int streaming_of(const persistent_launch *persistent, const tile_pass *pass, int i,
                        const block_limits *l)
{
    if (i > 0) return 4 + (i + 1 == persistent->count && l->tuning.streaming ? 2 : 0);
    return (pass->from == MEMORY_IN || persistent->begin) && l->tuning.streaming ? 1 : 0;
}

/* Returns the blocks that a multiprocessor of 65536 registers can hold if a thread has registers for its
 * points and 28 others. The compiler would use more, because it compiles all passes as one kernel. 0: no
 * minimum. */
static int resident_of(const pass_program *p, const block_limits *l)
{
    const persistent_launch *w = &p->persistent;
    const int warps = (w->threads + 31) / 32;
    int held = 0;
    if (l->tuning.min_blocks) return l->tuning.min_blocks;
    for (int i = 0; i < w->count; i++) {
        const tile_shape *s = &p->pass[w->begin + i].shape;
        if (tile_convolves(s)) return 0;
        if (s->points_per_thread > held) held = s->points_per_thread;
    }
    const int registers = ((l->is_double ? 4 * held + 48 : 2 * held + 28) + 7) / 8 * 8;
    const int64_t by_registers = 65536 / (32 * warps * registers),
                  by_shared = l->shared_bytes / ((int64_t)w->shared_bytes + 1024);
    return (int)(by_registers < by_shared ? by_registers : by_shared);
}

/* Gives all passes the threads of the one with most. */
static argand_status same_threads(pass_program *p, const block_limits *l)
{
    persistent_launch *persistent = &p->persistent;
    tile_pass *const passes = p->pass + persistent->begin;
    for (int i = 0; i < persistent->count; i++)
        if (passes[i].shape.threads > persistent->threads) persistent->threads = passes[i].shape.threads;
    for (int i = 0; i < persistent->count; i++) {
        tile_pass *pass = &passes[i];
        CHECK(shares_pairs(&pass->shape, persistent->threads), ARGAND_UNSUPPORTED,
              "persistent passes of %d threads", persistent->threads);
        pass->shape.threads = persistent->threads;
        pass->shape.streaming = streaming_of(persistent, pass, i, l);
        if (pass->shape.prefetch_distance)
            pass->shape.prefetch_distance = i == 0 && !pass->shape.access[0].windows;
        tile_set_points_per_thread(&pass->shape);
        pass->shape.factors = false; /* points would be on the stack */
        if (pass->shared_bytes > persistent->shared_bytes) persistent->shared_bytes = pass->shared_bytes;
    }
    /* no more blocks than can be resident */
    const int64_t most = (int64_t)l->units * (MOST_THREADS / persistent->threads);
    persistent->blocks = persistent->params.tickets < most ? persistent->params.tickets : most;
    persistent->params.groups_at_work = (int)persistent->blocks;
    if (p->tables.dry && !l->keyed) return ARGAND_OK;
    persistent->min_blocks = resident_of(p, l);
    persistent->prefetch_next = l->tuning.prefetch_next;
    return key_make_persistent(&persistent->key, p, (int)persistent->shared_bytes / (l->element_bytes / 2),
                               l->is_double);
}

/* Returns the lag in steps, so that the blocks of one pass of a chunk have ended when those of the next
 * pass begin. The lag covers more blocks than are resident, about as many as fill each multiprocessor with
 * 1024 threads. */
static int lag_for(const pass_program *p, const struct passes_params *q, const block_limits *l)
{
    int threads = 0;
    for (int i = p->persistent.begin; i < p->count; i++)
        if (p->pass[i].shape.threads > threads) threads = p->pass[i].shape.threads;
    const int at_a_time = l->units * 1024 / threads;
    return (at_a_time + at_a_time / 4) / q->step_groups + 1;
}

argand_status persistent_finish(pass_program *p, const chunk_choice *w, const block_limits *l)
{
    persistent_launch *persistent = &p->persistent;
    struct passes_params *q = &persistent->params;
    const int first = w->tail ? p->count - 2 : 0, count = p->count - first;
    CHECK(count >= 2 && count <= PERSISTENT_MOST, ARGAND_UNSUPPORTED, "%d persistent passes", count);
    *persistent = (persistent_launch){.begin = first, .count = count, .work = p->work - w->base};
    q->chunks = w->all / w->chunk;
    q->inner = (int)q->chunks;
    if (w->tail) q->chunks *= w->outer.n;
    for (int i = 0; i < persistent->count; i++) {
        const tile_pass *pass = &p->pass[first + i];
        q->pass[i] = pass->params;
        if (!w->tail) q->step[i][0] = step_of(p, pass, w, false);
        if (!w->tail) q->step[i][1] = step_of(p, pass, w, true);
        q->groups[i] = (int)pass->blocks;
        q->step_groups += (int)pass->blocks;
    }
    if (w->tail) place_tail(q, w, persistent->work);
    q->lag = l->tuning.chunk_lag ? l->tuning.chunk_lag : lag_for(p, q, l);
    q->ring = q->lag * persistent->count + 1; /* the first pass does not wait for the last one either */
    if (!persistent->work || w->kept || q->ring > q->chunks) q->ring = q->chunks;
    const int64_t tickets = q->step_groups * (q->chunks + q->lag * (persistent->count - 1));
    CHECK(tickets < INT32_MAX / 2, ARGAND_UNSUPPORTED, "argand_fft_create: %lld groups", (long long)tickets);
    q->tickets = (int)tickets;
    p->work = w->base + persistent->work * q->ring;
    return same_threads(p, l);
}
