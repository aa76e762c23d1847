/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines without radices as a convolution of U V points that a cluster of blocks holds, so that a line goes
 * through memory once (kernels/fft/cluster/convolution.krn). Rader's algorithm if the length is a prime
 * and one less is U V, otherwise Bluestein's. Three passes as in long_convolution.c: columns of U, rows of
 * V forward and inverse, columns of U. */
#include "fft/gpu/cluster/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "fft/engine/primes.h"

/* Returns true if the input or the output is reals or half a spectrum. */
static bool is_real(const line_job *job)
{
    return job->in_kind != IN_COMPLEX || job->out_kind != OUT_COMPLEX;
}

static bool can(const line_job *job, const block_limits *l)
{
    return l->cluster && !l->tuning.no_cluster && cluster_takes_kinds(job) && !job->chirp.part &&
           job->counted_loop < 0 && !job->twiddle_points && job->shift_in == job->shift_out &&
           job->loops < TILE_LOOPS_MOST && job->axis.n <= (int64_t)l->cluster * limits_max_points(l) &&
           !has_radices(job->axis.n);
}

/* Returns true if a result's index within its butterfly determines the receiving block, and all blocks
 * have equally many lines. */
static bool sends_evenly(const cluster_split *h, int half)
{
    const int n = half ? h->v : h->u, other = half ? h->u : h->v, tile = cluster_tile(n, h->blocks),
              length = n / h->radices[half].radix[h->radices[half].count - 1];
    return tile % length == 0 && n % h->blocks == 0 && other % h->blocks == 0;
}

/* Gain in percent of stages in a loop. If the radices read the same from both ends, the forward and
 * inverse stages of rows are one loop; if rows and columns have the same stages, all of them are one
 * (round). NVRTC's time falls with the machine code. */
enum { GAIN_LOOPED = 4, GAIN_ROUND = 8 };
static double worth_of(const cluster_split *h, const block_limits *l)
{
    const radix_list *r = &h->radices[1], *columns = &h->radices[0];
    bool looped = l->tuning.cluster_loop && l->tuning.stage_loop && r->count > 1, round = h->u == h->v;
    for (int i = 0; i < r->count && looped; i++) {
        looped = r->radix[i] == r->radix[r->count - 1 - i];
        round = round && columns->count == r->count && columns->radix[i] == r->radix[i];
    }
    return looped ? 1 - (round ? GAIN_ROUND : GAIN_LOOPED) / 100.0 : 1;
}

/* Returns the operations of all threads, idle ones too, and of exchanges, as in radices.c. */
static double cost_of(const cluster_split *h, const block_limits *l)
{
    const double exchange = 46;
    double sum = 0;
    int held = 0;
    for (int half = 0; half < 2; half++) {
        const radix_list *r = &h->radices[half];
        const int points = half ? h->v * cluster_tile(h->u, h->blocks) : h->u * cluster_tile(h->v, h->blocks);
        for (int i = 0; i < r->count; i++) {
            const int each = (points / r->radix[i] + h->threads - 1) / h->threads;
            sum += (radix_operations(r->radix[i]) + exchange) * each * r->radix[i] * h->threads;
            if (each * r->radix[i] > held) held = each * r->radix[i];
        }
    }
    if (held > CLUSTER_HELD) sum *= 1 + 0.03 * (held - CLUSTER_HELD);
    return sum * h->blocks * (sends_evenly(h, 0) ? 1 : 1.1) * (sends_evenly(h, 1) ? 1 : 1.1) * worth_of(h, l);
}

/* Returns a lower bound of the cost. first, second: operations a point of both halves. */
static double least_cost(int blocks, int u, int v, double first, double second)
{
    return blocks * (first * u * cluster_tile(v, blocks) + second * v * cluster_tile(u, blocks)) *
           (1 - GAIN_ROUND / 100.0);
}

/* Tries this split and returns true if its cost is below *cost. any: with any number of threads. The rule
 * for lines with radices, where memory traffic counts most, does not apply then; but if two blocks fit on
 * a multiprocessor with it, two must still fit. */
static bool try_split(cluster_split *best, double *cost, int blocks, int u, int v, bool any,
                      const block_limits *l)
{
    const int segment = CLUSTER_SEGMENT / l->element_bytes;
    block_limits here = *l;
    cluster_split more;
    bool found = false;
    for (int threads = any ? 64 : l->tuning.cluster_threads; threads <= l->threads; threads += 32) {
        here.tuning.cluster_threads = threads;
        if (cluster_try(&more, blocks, u, v, segment, &here) && (!any || more.min_blocks > 1) &&
            cost_of(&more, l) < *cost) {
            *best = more;
            *cost = cost_of(best, l);
            found = true;
        }
        if (!any) break;
    }
    return found;
}

/* Tries V from `least` on for a given U, such that all blocks have equally many columns. Returns true if
 * the cheapest costs less than *cost. */
static bool try_columns(cluster_split *h, double *cost, int blocks, int u, int least, bool exact, bool any,
                        const block_limits *l)
{
    const int segment = CLUSTER_SEGMENT / l->element_bytes, most = exact ? least : least + least / 4;
    const double first = cluster_half_least(u);
    bool found = false;
    for (int v = least; v <= most; v++) {
        if ((!exact && v % blocks) || least_cost(blocks, u, v, first, 0) >= *cost || !has_radices(v) ||
            !cluster_fits(blocks, u, v, segment, l) ||
            least_cost(blocks, u, v, first, cluster_half_least(v)) >= *cost ||
            !try_split(h, cost, blocks, u, v, any, l))
            continue;
        found = true;
    }
    return found;
}

/* Chooses the split with U V >= m, or U V = m if exact. */
static bool by(cluster_split *best, int blocks, int m, bool exact, bool any, const block_limits *l)
{
    const int least = blocks * (CLUSTER_SEGMENT / l->element_bytes - 1) + 1;
    double cost = HUGE_VAL;
    bool found = false;
    for (int u = least; u <= m / blocks; u++)
        if ((exact ? m % u : u % blocks) == 0 && has_radices(u))
            found |= try_columns(best, &cost, blocks, u, (m + u - 1) / u, exact, any, l);
    return found;
}

/* Chooses the fewest blocks whose share is small enough; if none is, the most blocks. */
static bool choose(cluster_split *h, int64_t m, bool exact, const block_limits *l)
{
    int first = 2;
    bool found = false;
    while (first <= l->cluster && m > (int64_t)first * cluster_small_points(l)) first *= 2;
    for (int blocks = first; blocks <= l->cluster && !(found && cluster_is_small(h, l)); blocks *= 2) {
        cluster_split more;
        if (m > (int64_t)blocks * limits_max_points(l) || !by(&more, blocks, (int)m, exact, false, l))
            continue;
        *h = more;
        found = true;
    }
    for (int blocks = first / 2; !found && blocks > 1; blocks /= 2)
        found = m <= (int64_t)blocks * limits_max_points(l) && by(h, blocks, (int)m, exact, false, l);
    return found;
}

/* Uses another number of threads if they do a sixth less work (10007 points: 3.44 instead of 4.85 ms; a
 * thread of 17 points had spilled). */
static void choose_threads(cluster_split *h, int64_t m, bool exact, const block_limits *l)
{
    cluster_split more;
    if (by(&more, h->blocks, (int)m, exact, true, l) && cost_of(&more, l) < cost_of(h, l) * 5 / 6) *h = more;
}

/* The best split found for a line of n points, and all that it depends on. */
typedef struct answer {
    int64_t n;
    int cluster, threads, element_bytes, most;
    gpu_tuning tuning;
    bool real, found, rader;
    cluster_split split;
} answer;

/* Rader's algorithm moves elements as complex numbers (cluster_bring), so that real lines use Bluestein's. */
static void find(answer *a, const block_limits *l)
{
    a->rader = !a->real && has_radices(a->n - 1) && is_prime(a->n) && choose(&a->split, a->n - 1, true, l);
    a->found = a->rader || choose(&a->split, 2 * a->n - 1, false, l);
    if (a->found && l->is_double && !l->tuning.cluster_threads)
        choose_threads(&a->split, a->rader ? a->n - 1 : 2 * a->n - 1, a->rader, l);
}

static bool is_asked_again(const answer *a, const answer *now)
{
    return a->n == now->n && a->real == now->real && a->cluster == now->cluster &&
           a->threads == now->threads && a->element_bytes == now->element_bytes && a->most == now->most &&
           !memcmp(&a->tuning, &now->tuning, sizeof a->tuning);
}

/* Keeps the last answer, because a plan asks several times: for the kinds of its passes, for their cost,
 * and to make them. */
bool cluster_convolution(cluster_split *h, bool *rader, const line_job *job, const block_limits *l)
{
    static _Thread_local answer last;
    if (!can(job, l) || job->access[0].on || job->access[1].on || job->access[2].on) return false;
    answer now = {.n = job->axis.n,
                  .real = is_real(job),
                  .cluster = l->cluster,
                  .threads = l->threads,
                  .element_bytes = l->element_bytes,
                  .most = limits_max_points(l),
                  .tuning = l->tuning};
    if (!is_asked_again(&last, &now)) {
        find(&now, l);
        last = now;
    }
    *h = last.split;
    *rader = last.rader;
    return last.found;
}

/* ---- the passes ---- */

static argand_status put_part(pass_program *p, const line_job *job, const cluster_split *h, int half,
                              const block_limits *l)
{
    const job_axis dims[3] = {job->loop[0], job->axis, {.n = 1}};
    const int none[2][3] = {{0}};
    block_limits own = *l;
    tile_pass *pass;
    own.tuning.exchange_mode = 2;
    own.tuning.persistent_blocks = own.tuning.bulk_copy = 0;
    TRY(cluster_begin(p, job, h, half, &pass));
    return pass_finish(p, pass, job, dims, none, &own);
}

static bool same_stage(const tile_stage *s, const tile_stage *t)
{
    return s->radix == t->radix && s->axis == t->axis && s->length == t->length &&
           s->twiddles == t->twiddles && s->pitch == t->pitch && s->padding_interval == t->padding_interval &&
           s->padding == t->padding;
}

/* Returns true if two passes have the same stages and the same layouts between them. Twiddle factors may
 * differ: the kernel takes those of either pass. */
static bool same_stages(const tile_shape *s, const tile_shape *t)
{
    bool same = s->stages == t->stages && s->points_per_thread == t->points_per_thread &&
                s->exchange_mode == t->exchange_mode && s->shared_elements == t->shared_elements &&
                s->in_fast == t->in_fast && s->mid_fast == t->mid_fast && s->out_fast == t->out_fast &&
                s->lines == t->lines && s->ragged == t->ragged && s->wide == t->wide &&
                s->loops == t->loops && s->counted == t->counted;
    for (int d = 0; d < 3; d++) same = same && s->size[d] == t->size[d];
    for (int i = 0; i < s->stages && same; i++) same = same_stage(&s->stage[i], &t->stage[i]);
    return same;
}

/* Returns which stages share a loop in the kernel. If rows have the same shape as columns (65537: 256 x
 * 256), the kernel has one text for the stages of all four transforms and one for both exchanges: two
 * thirds of the machine code, and of NVRTC's time. Otherwise columns forward and inverse share one text. */
static cluster_loop_kind round_of(const tile_pass *part, const pass_exchange *c, const block_limits *l)
{
    if (!l->tuning.cluster_loop || !same_stages(&part[0].shape, &part[2].shape)) return LOOP_NONE;
    return part[1].shape.looped && c->u == c->v && same_stages(&part[0].shape, &part[1].shape) ? LOOP_ALL
                                                                                               : LOOP_COLUMNS;
}

/* Joins the last three passes to one launch. Elements from other blocks overwrite those of the stages
 * before. Lines have an odd stride there, because neighbouring threads have neighbouring lines. */
static argand_status join(pass_program *p, const cluster_split *h, const block_limits *l)
{
    tile_pass *const part = &p->pass[p->count - 3];
    pass_exchange *const c = &part->exchange;
    *c = (pass_exchange){.blocks = h->blocks,
                         .passes = 3,
                         .u = h->u,
                         .v = h->v,
                         .u_tile = cluster_tile(h->u, h->blocks),
                         .v_tile = cluster_tile(h->v, h->blocks),
                         .row = h->v | 1,
                         .row_inverse = h->u | 1,
                         .order = l->tuning.send_order ? l->tuning.send_order : SEND_HALF,
                         .algorithm = EXCHANGE_IN_PLACE};
    const int there = 2 * c->row * c->u_tile, back = 2 * c->row_inverse * c->v_tile;
    c->shared_elements = there > back ? there : back;
    for (int i = 0; i < 3; i++) {
        const tile_shape *s = &part[i].shape;
        if (s->shared_elements > c->shared_elements) c->shared_elements = s->shared_elements;
    }
    c->round = round_of(part, c, l);
    return cluster_launch(part, h, l);
}

argand_status program_cluster_convolution(pass_program *p, const line_job *job, const cluster_split *h,
                                          bool rader, const block_limits *l)
{
    line_job first = *job, middle = *job, last = *job;
    const int64_t m = (int64_t)h->u * h->v;
    const convolution_split split = {
        .blocks = h->blocks, .u = h->u, .v = h->v, .v_tile = cluster_tile(h->v, h->blocks)};
    first.chirp = middle.chirp = last.chirp = (job_chirp){
        .points = job->axis.n, .convolution = m, .origin = job->shift_in, .rader = rader, .split = split};
    first.chirp.part = CHIRP_IN;
    middle.chirp.part = CHIRP_MIDDLE;
    last.chirp.part = CHIRP_OUT;
    first.chirp.step = last.chirp.step = h->v;
    middle.chirp.step = h->u;
    first.out_kind = middle.out_kind = OUT_COMPLEX;
    middle.in_kind = last.in_kind = IN_COMPLEX;
    const job_axis lines = {.n = h->v, .number = job->axis.number};
    first.axis = (job_axis){.n = h->u, .in = h->v * job->axis.in, .out = h->v};
    first.axis.number = h->v * job->axis.number;
    job_put_lines(&first, lines);
    first.loop[0].in = job->axis.in;
    first.loop[0].out = 1;
    /* the middle pass's memory begins at Rader's first element */
    middle.axis = (job_axis){.n = h->v, .in = h->u, .out = h->u};
    job_put_lines(&middle, (job_axis){.n = h->u, .in = 1, .out = 1});
    middle.from_at += job->shift_in * job->axis.in;
    middle.to_at += job->shift_out * job->axis.out;
    last.axis = (job_axis){.n = h->u, .in = h->v, .out = h->v * job->axis.out};
    last.axis.number = first.axis.number;
    job_put_lines(&last, lines);
    last.loop[0].in = 1;
    last.loop[0].out = job->axis.out;
    first.twiddle_points = middle.twiddle_points = m;
    first.scaled = middle.scaled = false;
    TRY(put_part(p, &first, h, 0, l));
    TRY(put_part(p, &middle, h, 1, l));
    TRY(put_part(p, &last, h, 0, l));
    return join(p, h, l);
}
