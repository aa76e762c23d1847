/* SPDX-License-Identifier: BSD-3-Clause */
/* What all passes have in common: from a shape with its sizes and stages to a pass. */
#include "fft/gpu/codegen/pass.h"

#include "fft/gpu/codegen/access.h"
#include "fft/gpu/codegen/finish.h"
#include "fft/gpu/codegen/key.h"
#include "fft/gpu/codegen/shared_memory.h"

argand_status pass_begin(box_program *p, const box_job *job, box_pass **pass)
{
    CHECK(p->count < BOX_PASSES, ARGAND_UNSUPPORTED, "argand_fft_create: more than %d passes",
          (int)BOX_PASSES);
    *pass = &p->pass[p->count];
    **pass = (box_pass){.shape = {.size = {1, 1, 1},
                                  .lines = 3,
                                  .in_kind = job->in_kind,
                                  .out_kind = job->out_kind,
                                  .chirp = job->chirp.part,
                                  .real_points = job->real_points,
                                  .access = {job->access[0], job->access[1], job->access[2]},
                                  .dims = job->dims,
                                  .at_part = job->at_part,
                                  .at_with = job->at_with,
                                  .at_with_n = job->at_with_n,
                                  .own = job->own}};
    tables_begin(&p->tables);
    (*pass)->params.tables = p->tables.count;
    return ARGAND_OK;
}

/* Both parts of numbers go through shared memory together where it has room for them in all groups. */
static void choose_planes(box_shape *s, const box_limits *l)
{
    const int64_t together = 2 * (int64_t)s->shared_numbers * (l->item_bytes / 2);
    const int groups = shape_groups(s, l);
    s->planes = 1;
    if (s->shared_numbers > 1 &&
        together <= (l->tuning.exchange_mode == 2   ? l->shared_bytes
                     : l->tuning.exchange_mode == 1 ? 0
                                                    : l->shared_bytes / groups - 1024)) {
        s->planes = 2;
        s->shared_numbers *= 2;
    }
}

/* Kernels differ only where it matters. */
static int powers_of(const box_shape *s, const box_limits *l)
{
    for (int i = 0; i < s->stages; i++)
        if (l->tuning.twiddle_powers && s->stage[i].length >= l->tuning.twiddle_powers &&
            s->stage[i].radix > 2 && s->stage[i].radix < 5)
            return l->tuning.twiddle_powers;
    return 0;
}

/* Pairs lie in other orders, which may take more room. */
static void choose_pairs(box_shape *s, const box_limits *l)
{
    box_shape pairs = *s;
    pairs.planes = 3;
    banks_choose(&pairs, l->is_double);
    if (pairs.shared_numbers <= s->shared_numbers + s->shared_numbers / 16) *s = pairs;
}

/* Whether stages there and back are the same, so that the kernel has them once, in a loop: half the machine
 * code to make and to fetch. Lines of one group are faster without (4099 points by 5 % on an H200, 10007 by
 * 10), as half of the first stage's points are 0 and half of the last one's are dropped; but where there are
 * most points, and the compiler's time is the longest, only MEASURE finds that out. */
static bool is_looped(const box_shape *s, const box_limits *l)
{
    const bool wanted =
        s->fused.kind ? fused_may_loop(&s->fused, l) : s->chirp == CHIRP_MIDDLE && l->tuning.stage_loop;
    bool same = wanted && s->stages > 1 && !box_has_access(s) && s->in_fast == s->mid_fast &&
                s->mid_fast == s->out_fast;
    for (int i = 0; i < s->stages && same; i++) {
        const box_stage *t = &s->stage[i], *b = &s->back[i];
        same = t->radix == b->radix && t->axis == b->axis && t->turns == b->turns &&
               (i == s->stages - 1 || (t->pitch == b->pitch && t->every == b->every && t->room == b->room));
    }
    return same;
}

/* What a convolution that is too short keeps of its lines, behind what is exchanged. */
static int kept_numbers(const box_shape *s)
{
    return s->fused.wrapped
               ? 2 * s->fused.wrapped * (s->size[0] * s->size[1] * s->size[2] / s->size[s->fused_axis])
               : 0;
}

/* Its orders in shared memory, which take a while to find. */
static void use_shared(box_pass *pass, const box_limits *l)
{
    box_shape *s = &pass->shape;
    s->planes = 1;
    banks_choose(s, l->is_double);
    if (stream_make(pass, l)) return;
    choose_planes(s, l);
    if (s->planes == 2 && (l->tuning.exchange_mode == 3 || s->fused.kind || s->chirp)) {
        s->planes = 3; /* half the instructions; and conflicts are as few */
        s->spread = rader_is_flat(s) && (!s->mid_fast || s->size[1] < 16);
        banks_choose(s, l->is_double);
    } else if (s->planes == 2 && l->waves && l->tuning.pair_access) {
        choose_pairs(s, l);
    }
    bulk_choose(pass, l);
    pass->shared_bytes = (size_t)(s->shared_numbers + kept_numbers(s)) * (size_t)(l->item_bytes / 2);
    s->resident = shape_resident(s, l, pass->shared_bytes);
    s->looped = is_looped(s, l);
}

/* A long convolution's input and result pass by the caches, which its work memory is to stay in. */
static int once_of(const box_job *job, const box_limits *l)
{
    if (l->tuning.streaming == 2) return 3;
    if (l->tuning.streaming >= 3) return job->once;
    if (!l->tuning.streaming) return 0;
    return job->chirp.part == CHIRP_IN ? 1 : job->chirp.part == CHIRP_OUT ? 2 : 0;
}

/* Where points are loaded as they are, wherever spans have them. */
static int ahead_of(const box_shape *s, const box_limits *l)
{
    const box_access *a = &s->access[0];
    const bool whole = !a->on || a->type == (l->is_double ? ARGAND_C64 : ARGAND_C32),
               plain = s->in_kind == IN_COMPLEX && !s->fused.kind && !s->chirp && !box_has_images(s) &&
                       (!box_has_access(s) || (whole && l->tuning.prefetch_access));
    return plain && l->tuning.prefetch_distance ? l->tuning.prefetch_distance * l->units : 0;
}

argand_status pass_finish(box_program *p, box_pass *pass, const box_job *job, const box_span span[3],
                          const int shift[2][3], const box_limits *l)
{
    box_shape *s = &pass->shape;
    CHECK(job->loops <= BOX_LOOPS, ARGAND_UNSUPPORTED, "argand_fft_create: %d loops; our kernels have %d",
          job->loops, (int)BOX_LOOPS);
    if (!l->tuning.radices && !(p->tables.dry && l->outlined)) banks_order(s, l->is_double);
    TRY(stages_make(p, s));
    stages_find_staying(s);
    TRY(twiddles_make(p, pass, job, l));
    TRY(twiddles_chirp(p, pass, job, l->device, l->is_double));
    params_fill(pass, job, span, shift);
    CHECK(s->twist != 1 || (!s->twist_from && !s->shift[1][s->twist_axis]), ARGAND_UNSUPPORTED,
          "argand_fft_create: tables have no turns for lines that are centred between their parts");
    params_near_strides(pass, l);
    if (job->together) s->together = (s->in_kind == IN_PAIRS ? 1 : 0) | (s->out_kind == OUT_PAIRS ? 2 : 0);
    p->together |= s->together != 0;
    CHECK(pass->groups < INT32_MAX, ARGAND_UNSUPPORTED, "argand_fft_create: %lld groups",
          (long long)pass->groups);
    s->powers = powers_of(s, l);
    s->ahead = ahead_of(s, l);
    s->late = l->tuning.prefetch_at_store;
    s->plain = l->unscaled || !job->scaled;
    if (!box_convolves(s) && !l->is_double) s->turning = l->tuning.twiddle_products;
    const bool only_shape = p->tables.dry && !l->keyed;
    if (!only_shape) use_shared(pass, l);
    s->factors = !only_shape && access_has_factors(s, l);
    if (s->fused.kind == FUSED_RADER) TRY(rader_lists(&p->tables, s, l->is_double));
    s->before_store =
        s->stages == 1 && ((!box_convolves(s) && (s->rotate || s->in_kind >= IN_HALF)) || box_has_access(s));
    s->once = once_of(job, l);
    pass->from = job->from;
    pass->to = job->to;
    pass->scaled = job->scaled;
    pass->axis = job->number;
    p->count++;
    return only_shape ? ARGAND_OK : key_make(&pass->key, pass, l->is_double);
}

/* Where launches overlap, groups of the next one come as soon as there is room for them: to multiprocessors
 * that have less to do, and there as many as fit, while others get none, and all wait for those few in the
 * end. So no multiprocessor has room for more than its share of a launch whose groups could all be there at a
 * time. */
size_t pass_shared_bytes(const box_pass *pass, const box_limits *l)
{
    enum { UNIT = 128, MOST_ITEMS = 2048 };
    const int64_t share = (pass->groups + l->units - 1) / (l->units ? l->units : 1),
                  too_many = (l->shared_bytes + BOX_SHARED_LEFT) / (share + 1) - BOX_SHARED_OF_EACH,
                  bytes = (too_many / UNIT + 1) * UNIT;
    if (!l->overlaps || !l->tuning.even_blocks || share * pass->shape.items > MOST_ITEMS ||
        bytes <= (int64_t)pass->shared_bytes || bytes > l->shared_bytes)
        return pass->shared_bytes;
    return (size_t)bytes;
}
