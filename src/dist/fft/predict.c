/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts times of distributed transforms from a few constants of a machine, chooses slabs or pencils and
 * their grid, and tells when one rank would be faster. */
#include "dist/fft/plan.h"

#include <math.h>
#include <string.h>

/* A rank's share of a problem, in doubles, since only times are computed. */
typedef struct share {
    const argand_dist_machine *m;
    double n[3], batch;
    double size; /* bytes of a complex element */
    bool is_real, is_transposed;
    int rank, ranks;
} share;

typedef struct parts {
    double transform, exchange, messages, bytes;
} parts;

static double whole(const share *s)
{
    return s->n[0] * s->n[1] * s->n[2] * s->batch * (s->is_real ? 0.5 : 1);
}

/* Elements of the largest part if the axes are divided; empty parts make the others no smaller. */
static double largest_part(const share *s, const int *grid)
{
    double count = s->batch * (s->is_real ? 0.5 : 1);
    for (int d = 0; d < s->rank; d++) count *= ceil(s->n[d] / grid[d]);
    return count;
}

/* Adds the transform of some axes of a part. Each axis is a pass that reads and writes all elements. */
static void add_transform(parts *p, const share *s, double count, unsigned axes)
{
    double operations = 0, bytes = 0;
    for (int d = 0; d < s->rank; d++)
        if (axes >> d & 1) {
            operations += 5 * count * log2(s->n[d] > 1 ? s->n[d] : 1);
            bytes += 2 * count * s->size;
        }
    p->transform += s->m->start + fmax(operations / s->m->fft_rate, bytes / s->m->memory_bandwidth);
}

/* Adds an exchange of a part among `peers` ranks whose numbers are `distance` apart. */
static void add_exchange(parts *p, const share *s, double count, int peers, int distance)
{
    const argand_dist_machine *m = s->m;
    const int node = m->node_ranks > 0 && m->node_ranks < s->ranks ? m->node_ranks : s->ranks;
    const double near = fmin(peers, fmax(1, (double)node / distance)), far = peers - near;
    const double each = count * s->size / peers;
    if (peers == 1) return;
    p->messages += peers - 1;
    p->bytes += (peers - 1) * each;
    p->exchange += (near - 1) * m->latency + far * m->far_latency;
    p->exchange += fmax((near - 1) * each / m->bandwidth, far > 0 ? far * each / m->far_bandwidth : 0);
    /* what this rank keeps is copied; what it sends may be packed */
    p->exchange += 2 * each * (1 + m->packs * (peers - 1)) / m->memory_bandwidth;
}

static parts slab(const share *s)
{
    parts p = {0};
    const int last = s->rank - 1;
    int first_grid[3] = {1, 1, 1}, second_grid[3] = {1, 1, 1};
    first_grid[last] = second_grid[last - 1] = s->ranks;
    const double first = largest_part(s, first_grid), second = largest_part(s, second_grid);
    add_transform(&p, s, first, (1U << last) - 1);
    add_exchange(&p, s, fmax(first, second), s->ranks, 1);
    add_transform(&p, s, second, 1U << last);
    if (!s->is_transposed) add_exchange(&p, s, fmax(first, second), s->ranks, 1);
    return p;
}

static parts pencil(const share *s, const int *grid)
{
    parts p = {0};
    const double x = largest_part(s, (const int[]){1, grid[0], grid[1]}),
                 y = largest_part(s, (const int[]){grid[0], 1, grid[1]}),
                 z = largest_part(s, (const int[]){grid[0], grid[1], 1});
    add_transform(&p, s, x, 1);
    add_exchange(&p, s, fmax(x, y), grid[0], 1);
    add_transform(&p, s, y, 2);
    add_exchange(&p, s, fmax(y, z), grid[1], grid[0]);
    add_transform(&p, s, z, 4);
    if (!s->is_transposed) add_exchange(&p, s, fmax(x, z), s->ranks, 1);
    return p;
}

static double seconds_of(const parts *p)
{
    return p->transform + p->exchange;
}

static bool is_prime(int n)
{
    for (int d = 2; (int64_t)d * d <= n; d++)
        if (n % d == 0) return false;
    return true;
}

/* The fastest grid, or the caller's. A grid of one row is a slab with a useless exchange, and taken only if
 * the number of ranks is prime. */
static parts best_pencil(const share *s, const int *given, int *grid)
{
    parts best = {.transform = HUGE_VAL};
    const bool has_grids = !is_prime(s->ranks);
    for (int first = 1; first <= s->ranks; first++) {
        if (s->ranks % first || (given[0] && given[0] != first)) continue;
        if (!given[0] && has_grids && (first == 1 || first == s->ranks)) continue;
        const int now[2] = {first, s->ranks / first};
        const parts p = pencil(s, now);
        if (seconds_of(&p) >= seconds_of(&best)) continue;
        best = p;
        memcpy(grid, now, sizeof now);
    }
    return best;
}

static double one_rank(const share *s)
{
    parts p = {0};
    const double count = whole(s);
    if (s->m->memory > 0 && 2 * count * s->size > s->m->memory) return HUGE_VAL;
    add_transform(&p, s, count, (1U << s->rank) - 1);
    return p.transform;
}

static argand_status check_machine(const argand_dist_machine *m)
{
    CHECK(m->fft_rate > 0 && m->memory_bandwidth > 0 && m->bandwidth > 0 && m->latency >= 0 &&
              (m->node_ranks <= 0 || (m->far_bandwidth > 0 && m->far_latency >= 0)),
          ARGAND_ARGUMENT, "argand_dist_fft_predict: the machine has a rate of 0 or less");
    return ARGAND_OK;
}

argand_status argand_dist_fft_predict(argand_dist_times *times, const argand_dist_fft_options *o, int ranks,
                                      const argand_dist_machine *machine)
{
    CHECK(times && o && machine, ARGAND_ARGUMENT, "argand_dist_fft_predict: a pointer is NULL");
    CHECK(ranks >= 1, ARGAND_ARGUMENT, "argand_dist_fft_predict: ranks is %d; give 1 or more", ranks);
    TRY(dist_check_options(o, ranks));
    TRY(check_machine(machine));
    share s = {.m = machine,
               .n = {(double)o->n[0], (double)o->n[1], o->rank > 2 ? (double)o->n[2] : 1},
               .batch = o->batch > 1 ? (double)o->batch : 1,
               .size = type_is_double(o->type) ? 16 : 8,
               .is_real = o->type == ARGAND_R32 || o->type == ARGAND_R64,
               .is_transposed = o->transposed,
               .rank = o->rank,
               .ranks = ranks};
    *times = (argand_dist_times){.one = one_rank(&s), .pencil = HUGE_VAL, .division = ARGAND_DIST_SLAB};
    parts p = slab(&s);
    times->slab = seconds_of(&p);
    if (o->rank == 3) {
        const parts pencils = best_pencil(&s, o->grid, times->grid);
        times->pencil = seconds_of(&pencils);
        if (o->division == ARGAND_DIST_PENCIL || (!o->division && times->pencil < times->slab)) {
            times->division = ARGAND_DIST_PENCIL;
            p = pencils;
        }
    }
    times->transform = p.transform;
    times->exchange = p.exchange;
    times->messages = p.messages;
    times->sent_bytes = p.bytes;
    times->is_faster = seconds_of(&p) < times->one;
    return ARGAND_OK;
}
