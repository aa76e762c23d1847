/* SPDX-License-Identifier: BSD-3-Clause */
/* Waves: passes that go over the data chunk by chunk in one launch, so that what one pass leaves is in the
 * second-level cache when the next one takes it (kernels/fft/persistent/passes.krn). Chunks run along the
 * batch where one of its transforms is small enough; else along the last axis, for the passes along those
 * before it. */
#include "fft/gpu/schedule/persistent_passes.h"
#include "fft/gpu/codegen/key.h"
#include "fft/gpu/codegen/pass.h"

#include <stdlib.h>
#include "base/memory.h"

enum { MOST_ITEMS = 2048 };   /* of a multiprocessor */
enum { LONG_LINE = 8 << 20 }; /* bytes */

/* The largest divisor of n that is not more than `most`. */
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

/* Places in chunks of about `bytes`, where one place has `unit`; two chunks at least, or there is nothing to
 * overlap. */
static bool choose_chunk(wave_choice *w, int64_t unit, const box_limits *l)
{
    const int64_t bytes = (int64_t)l->tuning.chunk_kib * 1024;
    if (unit > 4 * bytes) return false;
    w->chunk = divisor_below(w->all, unit < bytes ? bytes / unit : 1);
    return w->all / w->chunk >= 2;
}

/* The most items that a pass along the first axes has, and how many those passes are. */
static int wave_passes(wave_choice *w, const box_program *p)
{
    int count = 0;
    w->items = 0;
    for (; count < p->count && p->pass[count].axis < w->axes; count++)
        if (p->pass[count].shape.items > w->items) w->items = p->pass[count].shape.items;
    return count;
}

/* Along the longest loop: the batch. */
static bool along_batch(wave_choice *w, const box_program *p, const box_span *spans, int rank, int all,
                        const box_limits *l)
{
    int64_t points = 1;
    *w = (wave_choice){.span = -1, .with = -1, .axes = rank};
    for (int i = 0; i < all; i++) {
        points *= spans[i].n;
        if (i >= rank && (w->span < 0 || spans[i].n > spans[w->span].n)) w->span = i;
    }
    if (w->span < 0 || spans[w->span].n < 2) return false;
    w->n = w->all = spans[w->span].n;
    const int64_t most = p->work > points ? p->work : points, unit = most / w->all * l->item_bytes;
    /* long lines are faster in two launches (2^20 points: 1.15 ms, not 1.31), 10^6 points are not */
    if (p->work > p->kept && unit >= LONG_LINE) return false;
    return choose_chunk(w, unit, l);
}

/* Along the last axis, and a loop that goes on where it ends. */
static bool along_axis(wave_choice *w, const box_span *spans, int rank, int all, const box_limits *l)
{
    const int last = rank - 1;
    int64_t unit = l->item_bytes;
    *w = (wave_choice){.span = last, .with = -1, .axes = last, .n = spans[last].n, .all = spans[last].n};
    for (int i = rank; i < all; i++)
        if (spans[i].in == w->n * spans[last].in && spans[i].out == w->n * spans[last].out) w->with = i;
    if (w->with >= 0) w->all *= w->with_n = spans[w->with].n;
    for (int i = 0; i < all; i++)
        if (i != last && i != w->with) unit *= spans[i].n;
    return rank > 1 && choose_chunk(w, unit, l);
}

/* Whether numbers that stay in work memory after the wave, too, lie there chunk by chunk. */
static bool keeps_place(wave_choice *w, const box_program *p, const box_span *spans, int rank, int all,
                        const box_limits *l)
{
    w->kept = l->whole && p->kept == p->work;
    for (int i = rank; i < all; i++)
        if (i != w->with && spans[i].n > 1) w->kept = false;
    return w->kept;
}

bool wave_choose(wave_choice *w, const box_program *p, const box_span *spans, int rank, int all,
                 const box_limits *l)
{
    if (!l->waves || !l->tuning.chunk_kib) return false;
    /* told how axes are shared, which is for calls out of place; others may have waves */
    if (p->apart && (l->tuning.split_last > 1 || (l->tuning.split_second > 1 && rank < 3))) return false;
    for (int i = 0; i < p->count; i++)
        if (p->pass[i].cross.groups) return false; /* all of a kernel's groups belong to clusters */
    for (int way = 0; way < 2; way++) {
        if (way == 0
                ? !along_batch(w, p, spans, rank, all, l)
                : !along_axis(w, spans, rank, all, l) || (p->kept && !keeps_place(w, p, spans, rank, all, l)))
            continue;
        const int count = wave_passes(w, p);
        w->at = spans[w->span];
        if (count >= 2 && count <= WAVE_MOST) return true;
    }
    return false;
}

/* Along the fastest loop of a line that takes two passes: tiles of neighbours, so many that they fill lines
 * of memory. */
bool wave_tail(wave_choice *w, const box_program *p, const box_job *job, const box_limits *l)
{
    enum { NEIGHBOURS = 64 };
    const int64_t unit = job->axis.n * l->item_bytes, bytes = (int64_t)l->tuning.tail_kib * 1024;
    if (!l->waves || l->whole || !bytes || job->access[0].on || job->access[1].on || p->wave.count ||
        job->loops > 2 || job->counted_loop >= 0 || job->twist_points || job->chirp.part ||
        job->in_kind != IN_COMPLEX || job->out_kind != OUT_COMPLEX)
        return false;
    *w = (wave_choice){.tail = true, .at = job->loop[0], .all = job->loop[0].n, .base = p->work};
    w->outer = job->loops > 1 ? job->loop[1] : (box_span){.n = 1};
    w->chunk = divisor_below(w->all, bytes / unit);
    return w->chunk * l->item_bytes >= NEIGHBOURS && w->all / w->chunk * w->outer.n >= 2;
}

/* Where a line's chunks are: the first of its passes reads them, the second one writes them. */
static void place_tail(struct wave_params *q, const wave_choice *w, int64_t slot)
{
    q->step[0][0] = 2 * w->chunk * w->at.in;
    q->outer[0][0] = 2 * w->outer.in;
    q->step[0][1] = q->step[1][0] = 2 * slot;
    q->step[1][1] = 2 * w->chunk * w->at.out;
    q->outer[1][1] = 2 * w->outer.out;
}

/* Reals from one chunk to the next on one side of a pass. */
static int64_t step_of(const box_program *p, const box_pass *pass, const wave_choice *w, bool out)
{
    const box_memory memory = out ? pass->to : pass->from;
    const bool reals = out ? pass->shape.out_kind == OUT_REAL || pass->shape.out_kind == OUT_PAIRS
                           : pass->shape.in_kind == IN_REAL || pass->shape.in_kind == IN_PAIRS;
    if (memory == BOX_WORK) return 2 * p->wave.work;
    return w->chunk * (memory == BOX_IN ? w->at.in : w->at.out) * (reals ? 1 : 2);
}

/* Whether a pass's pairs of butterflies are still shared evenly. */
static bool shares_pairs(const box_shape *s, int items)
{
    return !s->mirrored || box_points(s) / box_paired_stage(s)->radix % (2 * items) == 0;
}

/* What comes from outside, or is the wave's result, need not stay in the cache that its passes share. */
static int once_of(const box_wave *wave, const box_pass *pass, int i, const box_limits *l)
{
    if (i > 0) return 4 + (i + 1 == wave->count && l->tuning.streaming ? 2 : 0);
    return (pass->from == BOX_IN || wave->begin) && l->tuning.streaming ? 1 : 0;
}

/* Groups that a multiprocessor of 65536 registers can hold where an item has its points and 28 registers: the
 * passes of a wave are compiled as one, which of itself takes more. 0: as it comes. */
static int resident_of(const box_program *p, const box_limits *l)
{
    const box_wave *w = &p->wave;
    const int warps = (w->items + 31) / 32;
    int held = 0;
    if (l->tuning.min_blocks) return l->tuning.min_blocks;
    for (int i = 0; i < w->count; i++) {
        const box_shape *s = &p->pass[w->begin + i].shape;
        if (box_convolves(s)) return 0;
        if (s->values > held) held = s->values;
    }
    const int registers = ((l->is_double ? 4 * held + 48 : 2 * held + 28) + 7) / 8 * 8;
    const int64_t by_registers = 65536 / (32 * warps * registers),
                  by_shared = l->shared_bytes / ((int64_t)w->shared_bytes + 1024);
    return (int)(by_registers < by_shared ? by_registers : by_shared);
}

/* All passes have the items of the one with most. */
static argand_status same_items(box_program *p, const box_limits *l)
{
    box_wave *wave = &p->wave;
    box_pass *const passes = p->pass + wave->begin;
    for (int i = 0; i < wave->count; i++)
        if (passes[i].shape.items > wave->items) wave->items = passes[i].shape.items;
    for (int i = 0; i < wave->count; i++) {
        box_pass *pass = &passes[i];
        CHECK(shares_pairs(&pass->shape, wave->items), ARGAND_UNSUPPORTED, "a wave of %d items", wave->items);
        pass->shape.items = wave->items;
        pass->shape.once = once_of(wave, pass, i, l);
        if (pass->shape.ahead) pass->shape.ahead = i == 0 && !pass->shape.access[0].spans;
        shape_values(&pass->shape);
        pass->shape.factors = false; /* points would be on the stack */
        if (pass->shared_bytes > wave->shared_bytes) wave->shared_bytes = pass->shared_bytes;
    }
    /* no more than can be there at a time */
    const int64_t most = (int64_t)l->units * (MOST_ITEMS / wave->items);
    wave->groups = wave->params.tickets < most ? wave->params.tickets : most;
    wave->params.groups_at_work = (int)wave->groups;
    if (p->tables.dry && !l->keyed) return ARGAND_OK;
    wave->resident = resident_of(p, l);
    wave->early = l->tuning.prefetch_next;
    return key_make_wave(&wave->key, p, (int)wave->shared_bytes / (l->item_bytes / 2), l->is_double);
}

/* So many steps that the groups of one pass of a chunk have ended when those of the next begin: more groups
 * than the device runs at a time, which are about as many as have 1024 items on each multiprocessor. */
static int lag_for(const box_program *p, const struct wave_params *q, const box_limits *l)
{
    int items = 0;
    for (int i = p->wave.begin; i < p->count; i++)
        if (p->pass[i].shape.items > items) items = p->pass[i].shape.items;
    const int at_a_time = l->units * 1024 / items;
    return (at_a_time + at_a_time / 4) / q->step_groups + 1;
}

argand_status wave_finish(box_program *p, const wave_choice *w, const box_limits *l)
{
    box_wave *wave = &p->wave;
    struct wave_params *q = &wave->params;
    const int first = w->tail ? p->count - 2 : 0, count = p->count - first;
    CHECK(count >= 2 && count <= WAVE_MOST, ARGAND_UNSUPPORTED, "a wave of %d passes", count);
    *wave = (box_wave){.begin = first, .count = count, .work = p->work - w->base};
    q->chunks = w->all / w->chunk;
    q->inner = (int)q->chunks;
    if (w->tail) q->chunks *= w->outer.n;
    for (int i = 0; i < wave->count; i++) {
        const box_pass *pass = &p->pass[first + i];
        q->pass[i] = pass->params;
        if (!w->tail) q->step[i][0] = step_of(p, pass, w, false);
        if (!w->tail) q->step[i][1] = step_of(p, pass, w, true);
        q->groups[i] = (int)pass->groups;
        q->step_groups += (int)pass->groups;
    }
    if (w->tail) place_tail(q, w, wave->work);
    q->lag = l->tuning.chunk_lag ? l->tuning.chunk_lag : lag_for(p, q, l);
    q->ring = q->lag * wave->count + 1; /* nor does the first pass wait for the last one */
    if (!wave->work || w->kept || q->ring > q->chunks) q->ring = q->chunks;
    const int64_t tickets = q->step_groups * (q->chunks + q->lag * (wave->count - 1));
    CHECK(tickets < INT32_MAX / 2, ARGAND_UNSUPPORTED, "argand_fft_create: %lld groups", (long long)tickets);
    q->tickets = (int)tickets;
    p->work = w->base + wave->work * q->ring;
    return same_items(p, l);
}
