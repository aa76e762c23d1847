/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines along one axis: as one pass, or, where they are too long for a box, as two or more (Gentleman and
 * Sande 1966; Bailey, J. Supercomputing 4:23, 1990): with j = j1 n2 + j2 and k = k1 + n1 k2, X[k] = sum_j2
 * w_n2^(j2 k2) ( w_n^(j2 k1) sum_j1 w_n1^(j1 k1) x[j] ). */
#include "fft/gpu/box.h"

#include <math.h>
#include <stdlib.h>

/* Bytes of neighbours that a strided access should bring at least, and better does. */
enum { SEGMENT_LEAST = 32, SEGMENT_GOOD = 64 };
/* Bytes of a row that neighbouring items should load or store together. */
enum { RUN_LEAST = 96 };
/* From so many on neighbouring items have points of different lines of a convolution: the tables' numbers are
 * then the same for many of them, and places in Rader's order fall on different banks. */
enum { LINES_ACROSS = 5, LINES_RADER = 4 };
/* Lines of a box whose arrays have neighbours across them. */
enum { MAP_LINES = 8 };

/* Lines beside each other that a tile should have. */
static int neighbours(const box_limits *l)
{
    const int bytes = l->tuning.segment ? l->tuning.segment : SEGMENT_GOOD;
    return bytes > l->item_bytes ? bytes / l->item_bytes : 1; /* words may ask for less than one */
}

/* Whether the axis runs faster through memory than the lines beside each other, on one side. */
static bool is_along(const box_job *job, bool out)
{
    const int64_t axis = llabs(out ? job->axis.out : job->axis.in),
                  loop = llabs(out ? job->loop[0].out : job->loop[0].in);
    return axis < loop || job->loop[0].n == 1;
}

/* Rows that a stage of radix 1 loads or stores as they lie in memory: so many that the items are a multiple
 * of the length, as each then moves points of one place, and of whole warps or at least whole lines of
 * memory. */
static int even_lines(int n, int items, int wanted)
{
    static const int shares[] = {32, 16, 1};
    for (int i = 0; i < 3; i++)
        for (int more = 0; 2 * more <= wanted; more++)
            for (int sign = 1; sign >= -1; sign -= 2) {
                const int lines = wanted + sign * more;
                if (4 * more > wanted && sign > 0) continue;
                if (lines * items % n == 0 && lines * items % shares[i] == 0) return lines;
            }
    return wanted;
}

/* Whether a stage of radix 1 is to load, or store, in a radix' place: it takes points n / radix apart. */
static bool moves(const box_radices *r, int n, int side, const box_limits *l)
{
    const int radix = r->radix[side ? r->count - 1 : 0];
    return r->count == 1 ? radix > 4 : !l->tuning.any_run && n / radix * l->item_bytes < RUN_LEAST;
}

/* Rader's: so many that items that are neighbours have neighbouring lines and warps access whole rows of
 * banks, if groups do not become too large. */
static int rader_lines(int wanted, int items, const box_limits *l)
{
    const int most = 2 * l->tuning.items;
    if (wanted >= 16) return wanted - wanted % 16;
    return items * 8 <= most - most / 8 ? 8 : items * 4 <= most ? 4 : wanted;
}

/* Whether half of a box's lines are elsewhere in memory. */
static bool is_folded(const box_job *job)
{
    return job->folded || job->access[2].image.rank > 0;
}

/* Whether arrays at the spectrum have neighbours across the lines: those of a long line's middle. */
static bool is_scattered(const box_job *job)
{
    const box_access *a = &job->access[2];
    bool has_array = false;
    for (int i = 0; i < a->links; i++) has_array |= a->chain[a->place[i]].array != NULL;
    return has_array && job->twist_points;
}

static int lines_for(const box_job *job, int n, const box_radices *r, const box_limits *l, bool rows,
                     fused_kind fused)
{
    const int most = fused && l->tuning.across ? box_most_convolved(l) : box_most_points(l), room = most / n,
              segment = neighbours(l) * (is_folded(job) ? 2 : 1);
    int lines = l->tuning.items / r->items;
    if (rows && job->access[2].image.rank) lines /= 2; /* X[-k] takes registers, too */
    if (rows && is_scattered(job) && lines < MAP_LINES) lines = MAP_LINES;
    if (!rows && lines < segment) lines = segment;
    if (rows && !fused && lines > 1 && (moves(r, n, 0, l) || moves(r, n, 1, l)))
        lines = n > 16 && r->count == 1 ? lines - lines % n : even_lines(n, r->items, lines);
    if (rows && fused == FUSED_RADER) lines = rader_lines(lines, r->items, l);
    const int told = fused ? 0 : rows ? l->tuning.lines : l->tuning.tile;
    if (told) lines = told;
    if (lines > room) lines = room;
    if (lines > l->items / r->items && (fused || !l->tuning.team)) lines = l->items / r->items;
    if (lines < 1) lines = 1;
    if (!rows && lines > segment && !told) lines -= lines % segment;
    if (job->loop[0].n < lines) lines = (int)job->loop[0].n;
    if (is_folded(job)) lines -= lines > 1 ? lines % 2 : -1;
    return lines;
}

/* Stages along one dimension. Where lines lie along memory and neighbouring items would touch too little of
 * it together, or load and store run along different dimensions, stages of radix 1 only move points. */
static void put_stages(box_shape *s, const box_radices *r, int n, int axis, bool rows, const box_limits *l)
{
    const box_stage move = {.radix = 1, .axis = axis};
    const bool half =
        r->count > 1 && (s->out_kind == OUT_HALF_PACKED /* goes through shared memory at its end */
                         || box_is_real_middle(s));     /* has its spectrum there */
    if (rows && moves(r, n, 0, l)) s->stage[s->stages++] = move;
    for (int i = 0; i < r->count; i++)
        s->stage[s->stages++] = (box_stage){.radix = r->radix[i], .axis = axis};
    if ((rows && !half && moves(r, n, 1, l)) || (r->count == 1 && s->in_fast != s->out_fast))
        s->stage[s->stages++] = move;
}

/* The largest radix last, where results are turned: a butterfly of 16 takes seven angles, four of 4 twelve.
 */
static void put_largest_last(box_radices *r)
{
    for (int i = 0; i + 1 < r->count; i++)
        if (r->radix[i] > r->radix[i + 1]) {
            const int larger = r->radix[i];
            r->radix[i] = r->radix[i + 1];
            r->radix[i + 1] = larger;
        }
}

/* Where one loop has too few lines to fill a group: lines of the next loop beside them, as many as divide it.
 */
static int more_lines(const box_job *job, const box_shape *s, const box_limits *l)
{
    const int points = s->size[0] * s->size[1];
    int most = l->tuning.items / s->items;
    if (job->loops < 2 || s->size[s->lines] < job->loop[0].n || job->counted_loop >= 0 || box_has_images(s))
        return 1;
    if (most > box_most_points(l) / points) most = box_most_points(l) / points;
    while (most > 1 && job->loop[1].n % most) most--;
    return most > 1 ? most : 1;
}

/* Items of a group that the tuning tells, where none would hold too much. */
static int team_of(const box_shape *s, const box_limits *l)
{
    enum { MOST_HELD = 50 };
    const int team = l->tuning.team < l->items ? l->tuning.team : l->items;
    for (int i = 0; i < s->stages; i++) {
        const int radix = s->stage[i].radix, butterflies = box_points(s) / radix;
        if (!team || (butterflies + team - 1) / team * radix > MOST_HELD) return s->items;
    }
    return team;
}

/* Pairs of reals there and back. */
static bool is_middle(const box_job *job)
{
    return job->in_kind == IN_PAIRS && job->out_kind == OUT_PAIRS;
}

static bool is_packed(const box_job *job)
{
    return job->in_kind == IN_HALF_PACKED || job->out_kind == OUT_HALF_PACKED || is_middle(job);
}

/* exp(-2 pi i k / real_points), where k = k1 + n1 k2 as two tables. */
static argand_status real_tables(box_program *p, box_shape *s, int n, const box_job *job)
{
    TRY(tables_turns(&p->tables, 2 * (int64_t)n, 1, n, &s->real_turns));
    if (s->mirrored < 2) return ARGAND_OK;
    return tables_turns(&p->tables, s->real_points, 1, (int)(job->loop[0].n / 2 + 1), &s->real_lines);
}

static argand_status put_convolution(box_program *p, box_shape *s, const box_fused *f, const box_limits *l)
{
    s->fused = *f;
    s->turning = l->is_double && l->tuning.turning ? 1 : l->tuning.turning;
    if (f->kind == FUSED_BLUESTEIN) {
        s->filled = f->points;
        s->chirp_angle = l->is_double ? 0 : 3 - l->tuning.chirp;
        s->origin = s->chirp_angle ? f->origin : 0;
    }
    const bool conjugates = f->kind == FUSED_BLUESTEIN && !s->chirp_angle;
    if (f->kind == FUSED_BLUESTEIN && s->chirp_angle != 3)
        TRY(fused_chirp(&p->tables, f, l->device, &s->fused_table));
    if (conjugates) TRY(fused_conjugates(&p->tables, s->fused_table, f->points, false));
    TRY(fused_wrapped(&p->tables, f, &s->wrap_table));
    TRY(fused_spectrum(&p->tables, f, 1, l->device, &s->fused_spectrum));
    return conjugates ? fused_conjugates(&p->tables, s->fused_spectrum, f->convolution, true) : ARGAND_OK;
}

static argand_status one_pass(box_program *p, const box_job *job, const box_radices *chosen,
                              const box_fused *f, const box_limits *l)
{
    box_radices own = *chosen;
    const box_radices *r = &own;
    const bool along_in = is_along(job, false), along_out = is_along(job, true), rows = along_in && along_out;
    const int n = f->kind ? f->convolution : (int)job->axis.n, lines = lines_for(job, n, r, l, rows, f->kind),
              axis = rows ? 0 : 1;
    box_pass *pass;
    if (!rows && job->twist_points && !r->paired && !f->kind && !l->tuning.first_large)
        put_largest_last(&own);
    TRY(pass_begin(p, job, &pass));
    box_shape *s = &pass->shape;
    box_span span[3] = {{.n = 1}, {.n = 1}, {.n = 1}};
    int shift[2][3] = {{0}, {0}};
    span[axis] = job->axis;
    span[1 - axis] = job->loop[0];
    if (f->kind != FUSED_BLUESTEIN) { /* whose chirp it is a part of */
        shift[0][axis] = job->shift_in;
        shift[1][axis] = job->shift_out;
    }
    s->size[axis] = n;
    s->size[1 - axis] = lines;
    s->lines = 1 - axis;
    s->items = r->items * lines;
    s->in_fast = rows || !along_in ? 0 : 1;
    s->out_fast = rows || !along_out ? 0 : 1;
    const int across = l->tuning.across         ? l->tuning.across
                       : f->kind == FUSED_RADER ? LINES_RADER
                                                : LINES_ACROSS;
    s->mid_fast = rows && ((f->kind && lines >= across) || is_scattered(job));
    s->twist_axis = s->real_axis = s->fused_axis = axis;
    if (is_packed(job) && r->paired) s->mirrored = job->folded ? 2 : 1;
    s->size[2] = more_lines(job, s, l);
    s->items *= s->size[2];
    span[2] = job->loop[1];
    put_stages(s, r, n, axis, rows && !f->kind, l);
    if (!f->kind && !s->mirrored) s->items = team_of(s, l);
    if (f->kind) TRY(put_convolution(p, s, f, l));
    if (is_packed(job)) TRY(real_tables(p, s, n, job));
    return pass_finish(p, pass, job, span, shift, l);
}

int64_t longest(const box_job *job, const box_limits *l)
{
    const int most = box_most_points(l);
    const int bytes = l->tuning.columns > SEGMENT_LEAST ? l->tuning.columns : SEGMENT_LEAST;
    const int64_t wanted = bytes / l->item_bytes * (is_folded(job) ? 2 : 1);
    if (is_along(job, false) && is_along(job, true)) return most;
    return most / (job->loop[0].n < wanted ? job->loop[0].n : wanted);
}

/* As for others, but that items which hold X[-k], too, or turn what they have there and back, hold fewer
 * points: 32 spill (128 registers an item of 2^20 points, 176 and 944 bytes of stack). */
box_limits middle_limits(const box_job *job, const box_limits *l)
{
    enum { HELD = 16 };
    box_limits own = *l;
    const bool more = job->access[2].image.rank || (job->access[2].on && job->twist_points);
    if (!more) return own;
    own.tuning.radices = 0;
    if (own.tuning.values > HELD) own.tuning.values = HELD;
    return own;
}

bool images_fit(const box_job *given, int rank, const box_limits *l)
{
    box_job job = *given;
    box_radices r;
    job.access[2].image.rank = rank;
    job_tidy(&job);
    const box_limits own = middle_limits(&job, l);
    if (!job.loop[0].dim || job.loop[0].dim > rank || job.axis.n > longest(&job, &own) ||
        !radices_choose(&r, (int)job.axis.n, &own, 1))
        return false;
    return job.loop[0].n > 1 && 2 * r.items <= l->items && 2 * job.axis.n <= box_most_points(&own);
}

/* The longest part that leaves room for neighbours: narrow tiles only where they spare the third pass. */
int64_t longest_part(int64_t n, const box_limits *l)
{
    const int64_t good = box_most_points(l) / neighbours(l),
                  least = box_most_points(l) / (SEGMENT_LEAST / l->item_bytes);
    return l->tuning.segment == SEGMENT_LEAST && n > good * good && n <= least * least ? least : good;
}

/* What tiles lose whose neighbours, W at a time, do not begin where 32 bytes of memory do: rows are n apart.
 */
static double unaligned(int64_t n, double w, const box_limits *l)
{
    const int64_t whole = 32 / l->item_bytes;
    return n % whole == 0 ? 0 : (n % 2 ? 1.3 : 1) * 2 / w;
}

/* As measured with some 80 lines of 18000 to 160000 points on an H200: both parts should be such that rows
 * begin where memory's sectors do, the first one without radices above 16 (its results are turned and
 * stored), not longer than the second one, and similar, as a multiprocessor has room for one group with tiles
 * of more than 1024. */
static double two_parts_lose(int64_t n1, int64_t n2, const box_radices *first, const box_limits *l)
{
    const double ratio = log((double)n1 / (double)n2), tile = n1 < 110 ? 24 : n1 < 200 ? 16 : 8;
    bool large = false;
    for (int i = 0; i < first->count; i++) large |= first->radix[i] > 16;
    return 0.05 * fabs(ratio) + (ratio > 0 ? 0.05 * ratio : 0) + unaligned(n1, 8, l) +
           unaligned(n2, tile, l) + (large ? 0.2 : 0) + (n1 > 1024 ? 0.3 : 0) + (n2 > 1024 ? 0.2 : 0);
}

/* A rotated line in two parts: (j - a) (k - b), with j = j1 n2 + j2, k = k1 + n1 k2 and likewise a and b, is
 * n2 (j1 - a1) (k1 - b1) + (j2 - a2) (k1 - b1) + n1 (j2 - a2) (k2 - b2) modulo n: both parts are rotated, and
 * what is between them turns by numbers that count from a2 and b1. */
void job_share_shift(box_job *first, box_job *second, int64_t n1, int64_t n2)
{
    const int in = first->shift_in, out = second->shift_out;
    first->shift_in = in / (int)n2;
    second->shift_in = first->twist_from = in % (int)n2;
    first->shift_out = out % (int)n1;
    second->shift_out = out / (int)n1;
}

/* n1 such that both parts fit in boxes, or n1 does and n2 is to be divided again; 0: none. Of three parts the
 * first one should be as near to the others as it can. */
int64_t first_factor(const box_job *job, int64_t n, const box_limits *l)
{
    const int64_t most = longest_part(n, l);
    const int parts = n > most * most ? 3 : 2;
    const double wanted = l->tuning.head ? l->tuning.head : pow((double)n, 1.0 / parts);
    int64_t best = 0;
    double least = HUGE_VAL;
    for (int64_t n1 = 2; n1 <= most && n1 <= n / 2; n1++) {
        box_radices r;
        if (n % n1 || !job_may_divide(job, n, n1, l)) continue;
        if ((parts == 2 && n / n1 > most) || !radices_choose(&r, (int)n1, l, 1)) continue;
        const double off = parts == 2 && !l->tuning.head ? two_parts_lose(n1, n / n1, &r, l)
                                                         : fabs(log((double)n1 / wanted));
        if (off >= least - 1e-9) continue;
        least = off;
        best = n1;
    }
    return best;
}

/* A loop of the first part, and the same one of the second, at this distance in work memory. */
static int64_t put_loop(box_job *first, box_job *second, int i, int64_t apart)
{
    first->loop[i].out = second->loop[i].in = apart;
    return apart * first->loop[i].n;
}

/* Where work memory has the points between both parts: what runs faster than the axis, j2, k1, and the rest.
 */
static int64_t place_work(box_job *first, box_job *second, int64_t axis_stride, int64_t n1, int64_t n2)
{
    int64_t count = 1;
    const int inner = first->counted_loop;
    for (int i = 0; i < inner; i++)
        if (llabs(first->loop[i].in) < llabs(axis_stride)) count = put_loop(first, second, i, count);
    first->loop[inner].out = second->axis.in = count;
    first->axis.out = second->loop[inner].in = count * n2;
    count *= n1 * n2;
    for (int i = 0; i < inner; i++)
        if (llabs(first->loop[i].in) >= llabs(axis_stride)) count = put_loop(first, second, i, count);
    return count;
}

/* Points that are in work memory already stay where they are. */
static void keep_place(box_job *first, box_job *second, const box_job *job)
{
    for (int i = 0; i < first->loops; i++) {
        first->loop[i].out = first->loop[i].in;
        if (i < first->counted_loop) second->loop[i].in = first->loop[i].in;
    }
    first->axis.out = first->axis.in;
    second->axis.in = job->axis.in;
    second->loop[first->counted_loop].in = first->axis.in;
}

void divide_line(box_program *p, const box_job *job, int64_t n1, box_job *first, box_job *second)
{
    const int64_t n2 = job->axis.n / n1;
    *first = *second = *job;
    first->axis = (box_span){.n = n1,
                             .in = n2 * job->axis.in,
                             .number = n2 * job->axis.number,
                             .dim = job->axis.dim,
                             .step = n2 * job->axis.step};
    first->counted_loop = first->loops++;
    first->loop[first->counted_loop] = (box_span){.n = n2,
                                                  .in = job->axis.in,
                                                  .number = job->axis.number,
                                                  .dim = job->axis.dim,
                                                  .step = job->axis.step};
    first->twist_points = job->axis.n;
    second->axis = (box_span){.n = n2,
                              .out = n1 * job->axis.out,
                              .number = n1 * job->axis.number,
                              .dim = job->axis.dim,
                              .step = n1 * job->axis.step};
    second->loop[second->loops++] = (box_span){.n = n1,
                                               .out = job->axis.out,
                                               .number = job->axis.number,
                                               .dim = job->axis.dim,
                                               .step = job->axis.step};
    first->access[1] = second->access[0] = (box_access){0};
    if (job->from == BOX_WORK && job->from_at == p->kept) {
        keep_place(first, second, job);
    } else {
        const int64_t work = p->kept + place_work(first, second, job->axis.in, n1, n2);
        if (work > p->work) p->work = work;
    }
    first->to = second->from = BOX_WORK;
    first->to_at = second->from_at = p->kept;
    first->out_kind = OUT_COMPLEX;
    second->in_kind = IN_COMPLEX;
    first->scaled = false;
    first->once = second->once = 0;
    second->order = job->order ? 3 - job->order : 0;
    second->any_lines = true;
    job_share_shift(first, second, n1, n2);
}

/* Items of the pass that one_pass will make; 0: none. */
static int items_of(const box_job *given, const box_limits *l)
{
    box_job job = *given;
    box_radices r;
    job_tidy(&job);
    if (job.axis.n > longest(&job, l) || !radices_choose(&r, (int)job.axis.n, l, 1)) return 0;
    return r.items *
           lines_for(&job, (int)job.axis.n, &r, l, is_along(&job, false) && is_along(&job, true), 0);
}

/* Two passes over chunks of neighbouring lines, whose numbers stay in the cache between them. */
static argand_status in_a_wave(box_program *p, const box_job *job, int64_t n1, const wave_choice *w,
                               const box_limits *l)
{
    const int64_t kept = p->kept;
    box_limits same = *l;
    box_job part = *job, first, second;
    part.loop[0].n = w->chunk;
    part.loops = 1;
    p->kept = w->base; /* what they read may be there */
    divide_line(p, &part, n1, &first, &second);
    const int a = items_of(&first, l), b = items_of(&second, l);
    CHECK(a && b, ARGAND_UNSUPPORTED, "argand_fft_create: parts of %lld points", (long long)job->axis.n);
    same.tuning.items = a > b ? a : b;
    same.tuning.stream = same.tuning.bulk = 0;
    argand_status status = program_lines(p, &first, &same);
    if (status == ARGAND_OK) status = program_lines(p, &second, &same);
    p->kept = kept;
    return status == ARGAND_OK ? wave_finish(p, w, l) : status;
}

static argand_status two_passes(box_program *p, const box_job *job, const box_limits *l)
{
    const int64_t n1 = first_factor(job, job->axis.n, l);
    box_job first, second;
    wave_choice w;
    CHECK(n1, ARGAND_UNSUPPORTED, "argand_fft_create: length %lld has no factors that our kernels know",
          (long long)job->axis.n);
    CHECK(!is_packed(job) && job->loops < JOB_SPANS && job->counted_loop < 0, ARGAND_UNSUPPORTED,
          "argand_fft_create: length %lld is too long for one pass", (long long)job->axis.n);
    if (job->axis.n <= longest_part(job->axis.n, l) * longest_part(job->axis.n, l) &&
        wave_tail(&w, p, job, l))
        return in_a_wave(p, job, n1, &w, l);
    divide_line(p, job, n1, &first, &second);
    TRY(program_lines(p, &first, l));
    return program_lines(p, &second, l);
}

/* Pairs of butterflies where half a spectrum has its mirror images, unless that makes too many stages. */
static bool choose(box_radices *r, const box_job *job, const box_limits *l)
{
    const double more = 80; /* operations a point that a way through shared memory costs */
    box_radices paired;
    const bool any = radices_choose(r, (int)job->axis.n, l, 1),
               pairs = is_packed(job) &&
                       radices_choose_paired(&paired, (int)job->axis.n, l,
                                             job->in_kind == IN_HALF_PACKED ? PAIRED_FIRST : PAIRED_LAST);
    const bool needed = job->folded || is_middle(job);
    if (pairs && (!any || needed || paired.cost <= r->cost + more)) *r = paired;
    return needed ? pairs : any;
}

argand_status program_lines(box_program *p, const box_job *given, const box_limits *l)
{
    box_job job = *given;
    box_radices r;
    job_tidy(&job);
    box_fused f = {0};
    const box_limits own = middle_limits(&job, l);
    const int64_t most = longest(&job, &own);
    if (job.axis.n <= most && choose(&r, &job, &own)) return one_pass(p, &job, &r, &f, &own);
    if (is_packed(&job)) return program_halves(p, &job, l);
    if (job.access[2].on) return program_middle(p, &job, l);
    int most_convolved = most < box_most_points(l) ? (int)most : box_most_convolved(l);
    if (l->tuning.fused && l->tuning.fused < most_convolved) most_convolved = l->tuning.fused;
    if (job.axis.n <= most && !has_radices(job.axis.n) &&
        fused_choose(&f, &r, job.axis.n, most_convolved, l)) {
        f.origin = job.shift_in; /* convolved lines are whole, so that both sides are alike */
        return one_pass(p, &job, &r, &f, l);
    }
    box_halves h;
    bool rader;
    if (cluster_line(&h, &job, l)) return program_cluster_line(p, &job, &h, l);
    if (cluster_convolution(&h, &rader, &job, l)) return program_cluster_convolution(p, &job, &h, rader, l);
    return has_radices(job.axis.n) ? two_passes(p, &job, l) : program_convolved(p, &job, l);
}
