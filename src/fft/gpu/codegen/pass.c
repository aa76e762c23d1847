/* SPDX-License-Identifier: BSD-3-Clause */
/* What all passes have in common: loops in good order, and the parameters of the kernel. */
#include "fft/gpu/box.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

int box_most_points(const box_limits *l)
{
    /* the parts of numbers go through shared memory in turn; an eighth may be left free against conflicts */
    const int64_t shared = l->shared_bytes / (l->item_bytes / 2) / 9 * 8,
                  held = (int64_t)l->items * l->values, most = shared < held ? shared : held;
    return l->tuning.points && l->tuning.points < most ? l->tuning.points : (int)most;
}

/* Points that an item may hold where a convolution has no room for two groups on a multiprocessor anyway. */
enum { CONVOLVED_VALUES = 24 };

int box_most_convolved(const box_limits *l)
{
    const int64_t shared = l->shared_bytes / (l->item_bytes / 2) / 9 * 8,
                  held = (int64_t)l->items * (l->is_double ? l->values : CONVOLVED_VALUES);
    return (int)(shared < held ? shared : held);
}

static void drop_loop(box_job *job, int at)
{
    job->loops--;
    for (int i = at; i < job->loops; i++) job->loop[i] = job->loop[i + 1];
    if (job->counted_loop > at) job->counted_loop--;
}

static bool follows(const box_span *a, const box_span *b)
{
    return b->in == a->n * a->in && b->out == a->n * a->out && b->number == a->n * a->number;
}

/* Coordinates that accessors see stay apart. */
static bool joins(const box_job *job, int i, int j)
{
    const bool seen = job->access[0].on || job->access[1].on || job->access[2].on;
    return i != j && i != job->counted_loop && j != job->counted_loop &&
           !(seen && (job->loop[i].dim || job->loop[j].dim)) && follows(&job->loop[i], &job->loop[j]);
}

static bool join_two(box_job *job)
{
    for (int i = 0; i < job->loops; i++)
        for (int j = 0; j < job->loops; j++)
            if (joins(job, i, j)) {
                job->loop[i].n *= job->loop[j].n;
                drop_loop(job, j);
                return true;
            }
    return false;
}

static int64_t distance(const box_span *s)
{
    return llabs(s->in) + llabs(s->out);
}

static void swap_loops(box_job *job, int a, int b)
{
    const box_span kept = job->loop[a];
    job->loop[a] = job->loop[b];
    job->loop[b] = kept;
    if (job->counted_loop == a)
        job->counted_loop = b;
    else if (job->counted_loop == b)
        job->counted_loop = a;
}

/* How far apart neighbours are on both sides of boxes whose lines are those of loop i: along the axis or from
 * line to line. */
static int64_t reach(const box_job *job, int i)
{
    const box_span *a = &job->axis, *b = &job->loop[i];
    const int64_t in = llabs(a->in) < llabs(b->in) ? llabs(a->in) : llabs(b->in),
                  out = llabs(a->out) < llabs(b->out) ? llabs(a->out) : llabs(b->out);
    return in + out;
}

/* Rows of many convolutions whose spectrum is not to be read again for each of them, as it is as long as what
 * they are: the same row of all comes before the next. */
static bool shares_spectrum(const box_job *job)
{
    enum { LONG = 1 << 19 };
    return job->chirp.part == CHIRP_MIDDLE && !job->chirp.halves && job->chirp.convolution >= LONG &&
           job->loops == 2 && job->counted_loop == 0;
}

void job_tidy(box_job *job)
{
    for (int i = job->loops; i-- > 0;)
        if (job->loop[i].n == 1 && i != job->counted_loop) drop_loop(job, i);
    while (join_two(job)) continue;
    if (!job->loops) job->loop[job->loops++] = (box_span){.n = 1};
    for (int i = 0; i < job->loops; i++)
        for (int j = i + 1; j < job->loops; j++)
            if (distance(&job->loop[j]) < distance(&job->loop[i])) swap_loops(job, i, j);
    for (int i = 1; i < job->loops; i++)
        if (reach(job, i) < reach(job, 0)) swap_loops(job, 0, i);
    if ((job->folded || job->access[2].image.rank) && job->counted_loop > 0)
        swap_loops(job, 0, job->counted_loop);
    if (job->counted_loop > 1) swap_loops(job, 1, job->counted_loop);
    if (shares_spectrum(job)) swap_loops(job, 0, 1);
}

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

/* The stages in reverse order: the last one's results are where the first one back takes its points. */
static argand_status make_back(box_program *p, box_shape *s)
{
    int done[3] = {1, 1, 1};
    for (int i = 0; i < s->stages; i++) {
        box_stage *t = &s->back[i];
        *t = s->stage[s->stages - 1 - i];
        t->length = done[t->axis];
        done[t->axis] *= t->radix;
        TRY(tables_stage(&p->tables, t->length, t->radix, &t->turns));
    }
    return ARGAND_OK;
}

void shape_values(box_shape *s)
{
    s->values = 0;
    for (int i = 0; i < s->stages; i++) {
        const int butterflies = box_points(s) / s->stage[i].radix,
                  held = (butterflies + s->items - 1) / s->items * s->stage[i].radix;
        if (held > s->values) s->values = held;
    }
    if (s->fused.kind == FUSED_RADER) { /* which are also held as they lie in memory */
        const int points = box_points(s) / s->fused.convolution * s->fused.points,
                  held = (points + s->items - 1) / s->items;
        if (held > s->values) s->values = held;
    }
}

/* Lengths and tables of the stages. */
static argand_status make_stages(box_program *p, box_shape *s)
{
    int done[3] = {1, 1, 1};
    shape_values(s);
    for (int i = 0; i < s->stages; i++) {
        box_stage *t = &s->stage[i];
        if (s->access[2].mirror) s->mirror |= 1 << t->axis;
        t->length = done[t->axis];
        done[t->axis] *= t->radix;
        TRY(tables_stage(&p->tables, t->length, t->radix, &t->turns));
    }
    return box_convolves(s) ? make_back(p, s) : ARGAND_OK;
}

/* Whether a stage along all of the second axis takes from each item what the last one along rows left it: it
 * has the same places of all rows. */
static bool stays_before(const box_shape *s, int stage)
{
    const box_stage *a = &s->stage[stage - 1], *b = &s->stage[stage];
    return a->axis == 0 && b->axis == 1 && s->size[2] == 1 && b->radix == s->size[1] && b->radix > 1 &&
           a->radix * a->length == s->size[0] && s->size[0] / a->radix % s->items == 0;
}

static void find_staying(box_shape *s)
{
    const bool plain = s->in_kind == IN_COMPLEX && s->out_kind == OUT_COMPLEX && !box_convolves(s) &&
                       !s->chirp && !s->in_fast && !s->mid_fast && !s->out_fast && !box_has_access(s);
    for (int i = 1; i < s->stages && plain; i++)
        if (stays_before(s, i)) s->stays |= 1 << i;
}

/* By arithmetic, where products are exact enough. */
static bool is_arithmetic(int64_t points, const box_limits *l)
{
    return !l->tuning.tables && points <= (l->is_double ? INT32_MAX : (int64_t)1 << 32);
}

/* Tables have no turns of numbers below 0, which lines have that are rotated between their parts. */
bool job_may_divide(const box_job *job, int64_t n, int64_t n1, const box_limits *l)
{
    return (job->shift_in % (n / n1) == 0 && job->shift_out % n1 == 0) || is_arithmetic(n, l);
}

static bool twist_by_arithmetic(box_pass *pass, int64_t points, const box_limits *l)
{
    const double unit = (double)(1.57079632679489661923L / (long double)points);
    if (!is_arithmetic(points, l)) return false;
    pass->shape.twist = 2;
    if (l->is_double) {
        memcpy(&pass->params.turn, &unit, sizeof unit);
        pass->params.twist[0] = (int)points;
    } else {
        pass->params.turn = (int64_t)(UINT64_MAX / (uint64_t)points + 1);
    }
    return true;
}

/* Turns by the counted loop's number: by arithmetic, else from tables. */
static argand_status make_twist(box_program *p, box_pass *pass, const box_job *job, const box_limits *l)
{
    int shift = 1;
    if (job->counted_loop >= 0) pass->shape.counted = job->counted_loop == 0 ? 1 : 2;
    pass->shape.twist_from = job->twist_points ? job->twist_from : 0;
    if (!job->twist_points || twist_by_arithmetic(pass, job->twist_points, l)) return ARGAND_OK;
    while ((int64_t)1 << (2 * shift) < job->twist_points) shift++;
    const int coarse = (int)(job->twist_points >> shift) + 1;
    pass->shape.twist = 1;
    pass->shape.twist_shift = shift;
    TRY(tables_turns(&p->tables, job->twist_points, 1, 1 << shift, &pass->params.twist[0]));
    return tables_turns(&p->tables, job->twist_points, (int64_t)1 << shift, coarse, &pass->params.twist[1]);
}

/* Numbers below this are exact in single precision. */
enum { CHIRP_EXACT = 1 << 24 };

/* The tables of a long convolution's part. */
static argand_status make_chirp(box_program *p, box_pass *pass, const box_job *job, argand_device *device,
                                bool is_double)
{
    const box_fused f = {.kind = job->chirp.rader ? FUSED_RADER : FUSED_BLUESTEIN,
                         .points = (int)job->chirp.points,
                         .origin = (int)job->chirp.origin,
                         .convolution = (int)job->chirp.convolution};
    pass->params.chirp_points = job->chirp.points;
    pass->params.chirp_step = job->chirp.step;
    if (!job->chirp.part) return ARGAND_OK;
    pass->shape.rader = job->chirp.rader;
    if (job->chirp.part == CHIRP_MIDDLE) {
        const int lines = pass->shape.stage[0].axis == 0 ? (int)job->chirp.step : 1;
        return fused_spectrum(&p->tables, &f, lines, device, &pass->params.chirp);
    }
    pass->shape.origin = f.origin;
    if (job->chirp.rader)
        return rader_route(&p->tables, &f, job->chirp.halves, job->chirp.part == CHIRP_OUT, is_double,
                           &pass->params.chirp);
    pass->shape.filled = (int)((job->chirp.points + job->chirp.step - 1) / job->chirp.step);
    pass->shape.chirp_angle = !is_double && job->chirp.points < CHIRP_EXACT ? 3 : 0;
    if (!pass->shape.chirp_angle) {
        pass->shape.origin = 0;
        return fused_chirp(&p->tables, &f, device, &pass->params.chirp);
    }
    pass->params.chirp_turn = (int64_t)(UINT64_MAX / (2 * (uint64_t)job->chirp.points) + 1);
    return ARGAND_OK;
}

static bool reaches_far(const box_pass *pass)
{
    for (int side = 0; side < 2; side++) {
        int64_t reach = 0;
        for (int d = 0; d < 3; d++) {
            const bool folded = box_fold(&pass->shape) > 1 && d == pass->shape.lines;
            const int64_t size = folded ? pass->params.lines : pass->shape.size[d];
            reach += llabs(pass->params.stride[side][d]) * (size + 1);
        }
        const box_access *a = &pass->shape.access[side];
        for (int i = 0; i < a->spans; i++) reach += llabs(a->span[i].stride) * a->span[i].count;
        if (reach > INT32_MAX) return true;
    }
    return false;
}

/* Strides of 1 along dimension 0, and rows without gaps. */
static int constant_strides(const box_pass *pass)
{
    const box_shape *s = &pass->shape;
    const int row = s->fused.kind && s->fused_axis == 0 ? s->fused.points : s->size[0];
    int unit = 0;
    for (int side = 0; side < 2; side++) {
        const int64_t *stride = pass->params.stride[side];
        if (stride[0] != 1) continue;
        unit |= 1 << side;
        if (stride[1] == row && s->size[1] > 1) unit |= 4 << side;
    }
    return unit;
}

/* Strides of columns whose points all lie within what an instruction can add to an address. */
static bool is_near(int64_t stride, int64_t count, const box_limits *l)
{
    const int64_t reach = 1 << 23;
    return l->waves && l->tuning.near && stride > (l->tuning.near == 1) &&
           stride * count * l->item_bytes <= reach;
}

static void near_strides(box_pass *pass, const box_limits *l)
{
    box_shape *s = &pass->shape;
    const bool plain = s->in_kind == IN_COMPLEX && s->out_kind == OUT_COMPLEX;
    for (int side = 0; side < 2; side++) {
        const int64_t stride = pass->params.stride[side][1];
        box_access *a = &s->access[side];
        if (plain && s->size[1] > 1 && is_near(stride, s->size[1], l) && !(s->unit & 4 << side))
            s->near[side] = (int)stride;
        for (int i = 0; i < a->spans && a->on; i++)
            if (a->span[i].stride == 1 || (l->waves && l->tuning.near && a->span[i].stride > 1 &&
                                           a->span[i].stride * a->span[i].count < INT32_MAX))
                a->span[i].near = (int)a->span[i].stride;
    }
}

/* In falling order, but for loops whose numbers the kernel asks for; with accessors, which ask for all, it
 * counts so itself. */
static void reverse_loops(struct box_params *q, box_shape *s, const box_job *job)
{
    s->falling = box_has_access(s) && !s->mirrored;
    if (s->mirrored || box_has_access(s) || s->in_kind != IN_COMPLEX || s->out_kind != OUT_COMPLEX ||
        s->chirp)
        return;
    for (int i = s->ragged ? 1 : 0; i < job->loops; i++)
        for (int side = 0; side < 2 && i != job->counted_loop; side++) {
            q->at[side] += (q->n[i] - 1) * q->loop[side][i];
            q->loop[side][i] = -q->loop[side][i];
        }
}

/* The last loop along an axis: of its numbers k half are enough where boxes have what is at -k, too. That of
 * lines where there is no other. */
static int halved_loop(const box_job *job, int rank)
{
    int halved = 0;
    for (int i = 1; i < job->loops; i++)
        if (job->loop[i].dim && job->loop[i].dim <= rank) halved = i;
    return halved;
}

/* Lines, or boxes, along loop i. */
static int64_t loop_points(const box_shape *s, const box_job *job, int i)
{
    const int64_t n = job->loop[i].n;
    if (box_has_images(s)) return i == s->halved ? n / 2 + 1 : n;
    return i == 0 ? n / box_fold(s) : n;
}

static void fill_params(box_pass *pass, const box_job *job, const box_span span[3], const int shift[2][3])
{
    struct box_params *q = &pass->params;
    box_shape *s = &pass->shape;
    const int64_t lines = s->lines < 3 ? s->size[s->lines] / box_fold(s) : 1;
    q->at[0] = job->from_at;
    q->at[1] = job->to_at;
    q->pair[0] = job->in_pair;
    q->pair[1] = job->out_pair;
    for (int d = 0; d < 3; d++) {
        q->stride[0][d] = span[d].in;
        q->stride[1][d] = span[d].out;
        q->real[d] = (int)span[d].number;
        q->shift[0][d] = shift[0][d];
        q->shift[1][d] = shift[1][d];
        s->shift[0][d] = shift[0][d];
        s->shift[1][d] = shift[1][d];
        s->rotate |= shift[0][d] || shift[1][d];
    }
    s->loops = job->loops;
    if (box_has_images(s)) s->halved = halved_loop(job, s->access[2].image.rank);
    pass->groups = 1;
    for (int i = 0; i < job->loops; i++) {
        const int64_t step = i == 0                                            ? lines
                             : i == 1 && s->lines < 2 && !box_has_stages(s, 2) ? s->size[2]
                                                                               : 1;
        q->n[i] = (loop_points(s, job, i) + step - 1) / step;
        q->real_loop[i] = (int)(job->loop[i].number * step);
        q->loop[0][i] = job->loop[i].in * step;
        q->loop[1][i] = job->loop[i].out * step;
        pass->groups *= q->n[i];
    }
    q->lines = job->loop[0].n;
    s->ragged = !box_has_images(s) && loop_points(s, job, 0) % lines != 0;
    if (job->order == 2) reverse_loops(q, s, job);
    if (box_has_access(s)) access_places(pass, job, span);
    s->wide = reaches_far(pass);
    s->unit = constant_strides(pass);
}

/* Both parts of numbers go through shared memory together where it has room for them in all groups. */
static void choose_planes(box_shape *s, const box_limits *l)
{
    const int64_t together = 2 * (int64_t)s->shared_numbers * (l->item_bytes / 2);
    const int groups = shape_groups(s, l);
    s->planes = 1;
    if (s->shared_numbers > 1 && together <= (l->tuning.planes == 2   ? l->shared_bytes
                                              : l->tuning.planes == 1 ? 0
                                                                      : l->shared_bytes / groups - 1024)) {
        s->planes = 2;
        s->shared_numbers *= 2;
    }
}

/* Kernels differ only where it matters. */
static int powers_of(const box_shape *s, const box_limits *l)
{
    for (int i = 0; i < s->stages; i++)
        if (l->tuning.powers && s->stage[i].length >= l->tuning.powers && s->stage[i].radix > 2 &&
            s->stage[i].radix < 5)
            return l->tuning.powers;
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
        s->fused.kind ? fused_may_loop(&s->fused, l) : s->chirp == CHIRP_MIDDLE && l->tuning.looped;
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
    if (s->planes == 2 && (l->tuning.planes == 3 || s->fused.kind || s->chirp)) {
        s->planes = 3; /* half the instructions; and conflicts are as few */
        s->spread = rader_is_flat(s) && (!s->mid_fast || s->size[1] < 16);
        banks_choose(s, l->is_double);
    } else if (s->planes == 2 && l->waves && l->tuning.pairs) {
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
    if (l->tuning.once == 2) return 3;
    if (l->tuning.once >= 3) return job->once;
    if (!l->tuning.once) return 0;
    return job->chirp.part == CHIRP_IN ? 1 : job->chirp.part == CHIRP_OUT ? 2 : 0;
}

/* Where points are loaded as they are, wherever spans have them. */
static int ahead_of(const box_shape *s, const box_limits *l)
{
    const box_access *a = &s->access[0];
    const bool whole = !a->on || a->type == (l->is_double ? ARGAND_C64 : ARGAND_C32),
               plain = s->in_kind == IN_COMPLEX && !s->fused.kind && !s->chirp && !box_has_images(s) &&
                       (!box_has_access(s) || (whole && l->tuning.access_ahead));
    return plain && l->tuning.ahead ? l->tuning.ahead * l->units : 0;
}

argand_status pass_finish(box_program *p, box_pass *pass, const box_job *job, const box_span span[3],
                          const int shift[2][3], const box_limits *l)
{
    box_shape *s = &pass->shape;
    CHECK(job->loops <= BOX_LOOPS, ARGAND_UNSUPPORTED, "argand_fft_create: %d loops; our kernels have %d",
          job->loops, (int)BOX_LOOPS);
    if (!l->tuning.radices && !(p->tables.dry && l->outlined)) banks_order(s, l->is_double);
    TRY(make_stages(p, s));
    find_staying(s);
    TRY(make_twist(p, pass, job, l));
    TRY(make_chirp(p, pass, job, l->device, l->is_double));
    fill_params(pass, job, span, shift);
    CHECK(s->twist != 1 || (!s->twist_from && !s->shift[1][s->twist_axis]), ARGAND_UNSUPPORTED,
          "argand_fft_create: tables have no turns for lines that are centred between their parts");
    near_strides(pass, l);
    if (job->together) s->together = (s->in_kind == IN_PAIRS ? 1 : 0) | (s->out_kind == OUT_PAIRS ? 2 : 0);
    p->together |= s->together != 0;
    CHECK(pass->groups < INT32_MAX, ARGAND_UNSUPPORTED, "argand_fft_create: %lld groups",
          (long long)pass->groups);
    s->powers = powers_of(s, l);
    s->ahead = ahead_of(s, l);
    s->late = l->tuning.late;
    s->plain = l->unscaled || !job->scaled;
    if (!box_convolves(s) && !l->is_double) s->turning = l->tuning.products;
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
    if (!l->overlaps || !l->tuning.spread || share * pass->shape.items > MOST_ITEMS ||
        bytes <= (int64_t)pass->shared_bytes || bytes > l->shared_bytes)
        return pass->shared_bytes;
    return (size_t)bytes;
}
