/* SPDX-License-Identifier: BSD-3-Clause */
/* Completes a pass from a shape with sizes and stages, for all kinds of passes. */
#include "fft/gpu/codegen/pass.h"

#include "fft/gpu/codegen/access.h"
#include "fft/gpu/codegen/finish.h"
#include "fft/gpu/codegen/key.h"
#include "fft/gpu/codegen/shared_memory.h"

argand_status pass_begin(pass_program *p, const line_job *job, tile_pass **pass)
{
    CHECK(p->count < PROGRAM_PASSES, ARGAND_UNSUPPORTED, "argand_fft_create: more than %d passes",
          (int)PROGRAM_PASSES);
    *pass = &p->pass[p->count];
    **pass = (tile_pass){.shape = {.size = {1, 1, 1},
                                   .lines = 3,
                                   .in_kind = job->in_kind,
                                   .out_kind = job->out_kind,
                                   .chirp = job->chirp.part,
                                   .real_points = job->real_points,
                                   .plane = job->plane,
                                   .access = {job->access[0], job->access[1], job->access[2]},
                                   .dims = job->dims,
                                   .at_part = job->at_part,
                                   .at_with = job->at_with,
                                   .at_with_n = job->at_with_n,
                                   .own = job->own},
                         .back = job->back};
    tables_begin(&p->tables);
    (*pass)->params.tables = p->tables.count;
    return ARGAND_OK;
}

/* Exchanges real and imaginary parts together if shared memory for both does not reduce the number of
 * blocks. */
static void choose_planes(tile_shape *s, const block_limits *l)
{
    const int64_t both = 2 * (int64_t)s->shared_elements * (l->element_bytes / 2);
    const int blocks = tile_blocks(s, l);
    s->exchange_mode = 1;
    if (s->shared_elements > 1 &&
        both <= (l->tuning.exchange_mode == 2 || s->plane ? l->shared_bytes
                 : l->tuning.exchange_mode == 1           ? 0
                                                          : l->shared_bytes / blocks - 1024)) {
        s->exchange_mode = 2;
        s->shared_elements *= 2;
    }
}

/* Exchanges both parts as one access (pairs) if the layout for pairs takes at most a sixteenth more
 * memory. */
static void choose_pairs(tile_shape *s, const block_limits *l)
{
    tile_shape pairs = *s;
    pairs.exchange_mode = 3;
    banks_choose(&pairs, l->is_double);
    if (pairs.shared_elements <= s->shared_elements + s->shared_elements / 16) *s = pairs;
}

/* Returns true if forward and inverse stages are equal and the kernel has them once, in a loop: half the
 * machine code to compile and to fetch. Lines of one block are faster without the loop (4099 points by 5 %
 * on an H200, 10007 by 10). Half of their first stage's points are 0, and half of the last stage's are
 * dropped. For the longest lines, which compile longest, only MEASURE tries without it. */
static bool is_looped(const tile_shape *s, const block_limits *l)
{
    const bool wanted = s->convolution.kind ? convolution_may_loop(&s->convolution, l)
                                            : s->chirp == CHIRP_MIDDLE && l->tuning.stage_loop;
    bool same = wanted && s->stages > 1 && !tile_has_access(s) && s->in_fast == s->mid_fast &&
                s->mid_fast == s->out_fast;
    for (int i = 0; i < s->stages && same; i++) {
        const tile_stage *t = &s->stage[i], *b = &s->back[i];
        same = t->radix == b->radix && t->axis == b->axis && t->twiddles == b->twiddles &&
               (i == s->stages - 1 || (t->pitch == b->pitch && t->padding_interval == b->padding_interval &&
                                       t->padding == b->padding));
    }
    return same;
}

/* Returns the elements of its lines that a wrapped convolution keeps in shared memory after the exchange
 * area. */
static int kept_elements(const tile_shape *s)
{
    return s->convolution.wrapped ? 2 * s->convolution.wrapped *
                                        (s->size[0] * s->size[1] * s->size[2] / s->size[s->convolution_axis])
                                  : 0;
}

/* Returns the reals of shared memory through which half spectra pass on load (half_plane.krn). */
static int loaded_elements(const tile_shape *s)
{
    const bool staged = s->in_kind == IN_HALF_PLANE && s->plane == PLANE_ALONG_ROWS;
    return staged ? 2 * (s->size[0] + 1) * s->size[1] * s->size[2] : 0;
}

/* Chooses the layouts in shared memory, which takes a while. */
static void use_shared(tile_pass *pass, const block_limits *l)
{
    tile_shape *s = &pass->shape;
    s->exchange_mode = 1;
    banks_choose(s, l->is_double);
    if (persistent_blocks_make(pass, l)) return;
    choose_planes(s, l);
    if (s->exchange_mode == 2 && (l->tuning.exchange_mode == 3 || s->convolution.kind || s->chirp)) {
        s->exchange_mode = 3; /* half the instructions, and as few conflicts */
        s->spread = rader_is_flat(s) && (!s->mid_fast || s->size[1] < 16);
        banks_choose(s, l->is_double);
    } else if (s->exchange_mode == 2 && l->persistent && l->tuning.pair_access) {
        choose_pairs(s, l);
    }
    bulk_copy_choose(pass, l);
    if (s->shared_elements < loaded_elements(s)) s->shared_elements = loaded_elements(s);
    pass->shared_bytes = (size_t)(s->shared_elements + kept_elements(s)) * (size_t)(l->element_bytes / 2);
    s->min_blocks = tile_min_blocks(s, l, pass->shared_bytes);
    s->looped = is_looped(s, l);
}

/* Returns the operands with streaming access. Input and result of a long convolution bypass the caches,
 * which keep its work memory. */
static int streaming_of(const line_job *job, const block_limits *l)
{
    if (l->tuning.streaming == 2) return 3;
    if (l->tuning.streaming >= 3) return job->streaming;
    if (!l->tuning.streaming) return 0;
    return job->chirp.part == CHIRP_IN ? 1 : job->chirp.part == CHIRP_OUT ? 2 : 0;
}

/* Returns the prefetch distance. Only points that are loaded unchanged are prefetched, from wherever
 * windows place them. */
static int prefetch_of(const tile_shape *s, const block_limits *l)
{
    const pass_access *a = &s->access[0];
    const bool whole = !a->on || a->type == (l->is_double ? ARGAND_C64 : ARGAND_C32),
               plain = s->in_kind == IN_COMPLEX && !s->convolution.kind && !s->chirp && !tile_has_images(s) &&
                       (!tile_has_access(s) || (whole && l->tuning.prefetch_access));
    return plain && l->tuning.prefetch_distance ? l->tuning.prefetch_distance * l->units : 0;
}

argand_status pass_finish(pass_program *p, tile_pass *pass, const line_job *job, const job_axis dims[3],
                          const int shift[2][3], const block_limits *l)
{
    tile_shape *s = &pass->shape;
    CHECK(job->loops <= TILE_LOOPS_MOST, ARGAND_UNSUPPORTED,
          "argand_fft_create: %d loops; our kernels have %d", job->loops, (int)TILE_LOOPS_MOST);
    if (!l->tuning.radices && !(p->tables.dry && l->outlined)) banks_order(s, l->is_double);
    TRY(stages_make(p, s));
    stages_find_staying(s);
    TRY(twiddles_make(p, pass, job, l));
    TRY(twiddles_chirp(p, pass, job, l->device, l->is_double));
    params_fill(pass, job, dims, shift);
    CHECK(s->twiddle != 1 || (!s->twiddle_from && !s->shift[1][s->twiddle_axis]), ARGAND_UNSUPPORTED,
          "argand_fft_create: tables have no twiddles for lines that are centred between their parts");
    params_near_strides(pass, l);
    if (job->adjacent) s->adjacent = (s->in_kind == IN_PAIRS ? 1 : 0) | (s->out_kind == OUT_PAIRS ? 2 : 0);
    p->adjacent |= s->adjacent != 0;
    CHECK(pass->blocks < INT32_MAX, ARGAND_UNSUPPORTED, "argand_fft_create: %lld groups",
          (long long)pass->blocks);
    s->prefetch_distance = prefetch_of(s, l);
    s->prefetch_at_store = l->tuning.prefetch_at_store;
    s->plain = l->unscaled || !job->scaled;
    if (!tile_convolves(s) && !l->is_double) s->twiddle_source = l->tuning.twiddle_products;
    const bool only_shape = p->tables.dry && !l->keyed;
    if (!only_shape) use_shared(pass, l);
    s->factors = !only_shape && access_has_factors(s, l);
    if (s->convolution.kind == CONVOLUTION_RADER) TRY(rader_lists(&p->tables, s, l->is_double));
    s->before_store = s->stages == 1 &&
                      ((!tile_convolves(s) && (s->rotate || s->in_kind >= IN_HALF)) || tile_has_access(s));
    s->streaming = streaming_of(job, l);
    pass->from = job->from;
    pass->to = job->to;
    pass->scaled = job->scaled;
    pass->axis = job->number;
    p->count++;
    return only_shape ? ARGAND_OK : key_make(&pass->key, pass, l->is_double);
}

/* If launches overlap, blocks of the next launch start as soon as they fit. Multiprocessors that finish
 * early would take as many as fit, others would get none, and all would wait for those few in the end.
 * Requesting more shared memory limits a multiprocessor to its share of a launch whose blocks could all be
 * resident at once. */
size_t pass_shared_bytes(const tile_pass *pass, const block_limits *l)
{
    enum { UNIT = 128, MOST_THREADS = 2048 };
    const int64_t share = (pass->blocks + l->units - 1) / (l->units ? l->units : 1),
                  too_many = (l->shared_bytes + SHARED_LEFT) / (share + 1) - SHARED_OF_EACH,
                  bytes = (too_many / UNIT + 1) * UNIT;
    if (!l->overlaps || !l->tuning.even_blocks || share * pass->shape.threads > MOST_THREADS ||
        bytes <= (int64_t)pass->shared_bytes || bytes > l->shared_bytes)
        return pass->shared_bytes;
    return (size_t)bytes;
}
