/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that go forward, through a chain at the spectrum, and inverse in one pass. This pass computes
 * more for its bytes than any other, so that a multiprocessor should have several of its blocks: one
 * computes while another loads. If two blocks of the default tiles do not fit, threads hold more points,
 * and tiles are one memory sector wide. Narrow tiles cost nothing if rows are aligned to sectors
 * (docs/internals/conv.md). */
#include "fft/gpu/schedule/lines.h"

#include <math.h>
#include "fft/gpu/codegen/shared_memory.h"

/* minimum of points for each thread */
enum { HELD_LEAST = 11 };

/* Limits of narrow tiles: at_sectors: tiles may be one sector wide; enough: blocks for which wider tiles
 * are kept. */
typedef struct narrowing {
    bool at_sectors;
    int enough;
} narrowing;

static bool is_there_and_back(const line_job *job, const block_limits *l)
{
    const bool rows = lines_are_along(job, false) && lines_are_along(job, true);
    return job->access[2].on && !job->access[2].image.rank && !job->twiddle_points && !l->is_double && !rows;
}

/* Returns true if every tile is aligned to sectors, provided that its first line is a multiple of `lines`. */
static bool begins_at_sectors(const line_job *job, int64_t lines)
{
    int64_t odd = job->axis.in % lines | job->axis.out % lines;
    for (int i = 1; i < job->loops; i++) odd |= job->loop[i].in % lines | job->loop[i].out % lines;
    return !odd && job->loop[0].in == 1 && job->loop[0].out == 1;
}

static int blocks_of(const radix_list *r, int64_t n, int64_t lines, const block_limits *l)
{
    int held = 0;
    for (int i = 0; i < r->count; i++) {
        const int each = ((int)n / r->radix[i] + r->threads - 1) / r->threads * r->radix[i];
        if (each > held) held = each;
    }
    return there_and_back_blocks(r->threads * (int)lines, held, (size_t)(n * lines * l->element_bytes), l);
}

/* Narrows tiles until enough blocks fit. */
static int fit_narrow(block_limits *own, radix_list *r, int64_t n, const narrowing *w)
{
    const int64_t least = w->at_sectors ? SEGMENT_LEAST / own->element_bytes : lines_in_segment(own);
    int64_t lines = lines_in_segment(own);
    if (!radices_choose(r, (int)n, own, 1)) return 0;
    int blocks = blocks_of(r, n, lines, own);
    while (blocks < w->enough && lines / 2 >= least) blocks = blocks_of(r, n, lines /= 2, own);
    own->tuning.segment_bytes = (int)lines * own->element_bytes;
    return blocks;
}

/* Chooses threads and radices, and returns the number of blocks; 0: no tile fits. If only one block fits
 * in any case, composite radices save stages. */
static int fit_columns(block_limits *own, radix_list *r, int64_t n, const narrowing *w)
{
    if (!radices_choose(r, (int)n, own, 1)) return 0;
    const int usual = blocks_of(r, n, lines_in_segment(own), own), stages = r->count;
    if (usual >= w->enough) return usual;
    block_limits few = *own, large;
    radix_list composite;
    if (!few.tuning.threads_per_line) few.tuning.threads_per_line = (int)(n / HELD_LEAST) + 1;
    const int blocks = fit_narrow(&few, r, n, w);
    if (blocks) *own = few;
    if (blocks > 1) return blocks;
    large = *own;
    large.tuning.large_radices = 1;
    const int alone = fit_narrow(&large, &composite, n, w);
    if (alone && composite.count < (blocks ? r->count : stages)) {
        *own = large;
        *r = composite;
        return alone;
    }
    return radices_choose(r, (int)n, own, 1) ? 1 : 0;
}

/* Data from beyond the second-level cache need wider segments more than a third block. */
void columns_fit(block_limits *own, const line_job *job)
{
    /* bytes of the second-level cache for each multiprocessor (H100, H200) */
    enum { NEAR_OF_UNIT = 300000 };
    radix_list r;
    double bytes = (double)job->axis.n * own->element_bytes;
    if (!is_there_and_back(job, own)) return;
    for (int i = 0; i < job->loops; i++) bytes *= (double)job->loop[i].n;
    const bool near = bytes <= (double)NEAR_OF_UNIT * own->units;
    const narrowing w = {.at_sectors = begins_at_sectors(job, SEGMENT_LEAST / own->element_bytes),
                         .enough = near ? BLOCKS_ENOUGH : 2};
    fit_columns(own, &r, job->axis.n, &w);
}

/* Returns the loss of few blocks. A single block with fewer than 24 warps hides little latency (2560
 * points by 640 threads took 1.3 times as long as 2520 by 840). */
static double loss_of(int blocks, int threads)
{
    enum { WARPS = 24 };
    const double few_warps = 1.25;
    return few_blocks_lose(blocks) * (blocks == 1 && threads < 32 * WARPS ? few_warps : 1);
}

double columns_cost(int64_t n, const block_limits *l)
{
    enum { MOVED = 100 }; /* cost of loads and stores, in operations */
    block_limits own = *l;
    radix_list r;
    const int sector = SEGMENT_LEAST / l->element_bytes;
    if (n < 2 || n > limits_max_points(l) / sector) return HUGE_VAL;
    const narrowing w = {.at_sectors = true, .enough = BLOCKS_ENOUGH};
    const int blocks = fit_columns(&own, &r, n, &w);
    return blocks ? (double)n * (r.cost + MOVED) * loss_of(blocks, r.threads * sector) : HUGE_VAL;
}
