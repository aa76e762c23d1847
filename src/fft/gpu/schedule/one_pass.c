/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines along one axis as one pass: how many a box has, and its stages. */
#include "fft/gpu/schedule/lines.h"

#include <stdlib.h>
#include "fft/gpu/codegen/shared_memory.h"

/* Bytes of a row that neighbouring items should load or store together. */
enum { RUN_LEAST = 96 };
/* From so many on neighbouring items have points of different lines of a convolution: the tables' numbers are
 * then the same for many of them, and places in Rader's order fall on different banks. */
enum { LINES_ACROSS = 5, LINES_RADER = 4 };
/* Lines of a box whose arrays have neighbours across them. */
enum { MAP_LINES = 8 };

/* Lines beside each other that a tile should have. */
int lines_beside(const box_limits *l)
{
    const int bytes = l->tuning.segment_bytes ? l->tuning.segment_bytes : SEGMENT_GOOD;
    return bytes > l->item_bytes ? bytes / l->item_bytes : 1; /* words may ask for less than one */
}

/* Whether the axis runs faster through memory than the lines beside each other, on one side. */
bool lines_are_along(const box_job *job, bool out)
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
    return r->count == 1 ? radix > 4 : !l->tuning.short_runs && n / radix * l->item_bytes < RUN_LEAST;
}

/* Rader's: so many that items that are neighbours have neighbouring lines and warps access whole rows of
 * banks, if groups do not become too large. */
static int rader_lines(int wanted, int items, const box_limits *l)
{
    const int most = 2 * l->tuning.threads;
    if (wanted >= 16) return wanted - wanted % 16;
    return items * 8 <= most - most / 8 ? 8 : items * 4 <= most ? 4 : wanted;
}

/* Whether half of a box's lines are elsewhere in memory. */
bool lines_are_folded(const box_job *job)
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

int lines_for(const box_job *job, int n, const box_radices *r, const box_limits *l, bool rows,
              fused_kind fused)
{
    const int most = fused && l->tuning.interleaved_lines ? box_most_convolved(l) : box_most_points(l),
              room = most / n, segment = lines_beside(l) * (lines_are_folded(job) ? 2 : 1);
    int lines = l->tuning.threads / r->items;
    if (rows && job->access[2].image.rank) lines /= 2; /* X[-k] takes registers, too */
    if (rows && is_scattered(job) && lines < MAP_LINES) lines = MAP_LINES;
    if (!rows && lines < segment) lines = segment;
    if (rows && !fused && lines > 1 && (moves(r, n, 0, l) || moves(r, n, 1, l)))
        lines = n > 16 && r->count == 1 ? lines - lines % n : even_lines(n, r->items, lines);
    if (rows && fused == FUSED_RADER) lines = rader_lines(lines, r->items, l);
    const int told = fused ? 0 : rows ? l->tuning.row_lines : l->tuning.tile_lines;
    if (told) lines = told;
    if (lines > room) lines = room;
    if (lines > l->items / r->items && (fused || !l->tuning.row_threads)) lines = l->items / r->items;
    if (lines < 1) lines = 1;
    if (!rows && lines > segment && !told) lines -= lines % segment;
    if (job->loop[0].n < lines) lines = (int)job->loop[0].n;
    if (lines_are_folded(job)) lines -= lines > 1 ? lines % 2 : -1;
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
    int most = l->tuning.threads / s->items;
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
    const int team = l->tuning.row_threads < l->items ? l->tuning.row_threads : l->items;
    for (int i = 0; i < s->stages; i++) {
        const int radix = s->stage[i].radix, butterflies = box_points(s) / radix;
        if (!team || (butterflies + team - 1) / team * radix > MOST_HELD) return s->items;
    }
    return team;
}

/* Pairs of reals there and back. */
bool lines_are_middle(const box_job *job)
{
    return job->in_kind == IN_PAIRS && job->out_kind == OUT_PAIRS;
}

bool lines_are_packed(const box_job *job)
{
    return job->in_kind == IN_HALF_PACKED || job->out_kind == OUT_HALF_PACKED || lines_are_middle(job);
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
    s->turning = l->is_double && l->tuning.convolution_twiddles ? 1 : l->tuning.convolution_twiddles;
    if (f->kind == FUSED_BLUESTEIN) {
        s->filled = f->points;
        s->chirp_angle = l->is_double ? 0 : 3 - l->tuning.chirp_tables;
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

argand_status lines_one_pass(box_program *p, const box_job *job, const box_radices *chosen,
                             const box_fused *f, const box_limits *l)
{
    box_radices own = *chosen;
    const box_radices *r = &own;
    const bool along_in = lines_are_along(job, false), along_out = lines_are_along(job, true),
               rows = along_in && along_out;
    const int n = f->kind ? f->convolution : (int)job->axis.n, lines = lines_for(job, n, r, l, rows, f->kind),
              axis = rows ? 0 : 1;
    box_pass *pass;
    if (!rows && job->twist_points && !r->paired && !f->kind && !l->tuning.falling_radices)
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
    const int across = l->tuning.interleaved_lines ? l->tuning.interleaved_lines
                       : f->kind == FUSED_RADER    ? LINES_RADER
                                                   : LINES_ACROSS;
    s->mid_fast = rows && ((f->kind && lines >= across) || is_scattered(job));
    s->twist_axis = s->real_axis = s->fused_axis = axis;
    if (lines_are_packed(job) && r->paired) s->mirrored = job->folded ? 2 : 1;
    s->size[2] = more_lines(job, s, l);
    s->items *= s->size[2];
    span[2] = job->loop[1];
    put_stages(s, r, n, axis, rows && !f->kind, l);
    if (!f->kind && !s->mirrored) s->items = team_of(s, l);
    if (f->kind) TRY(put_convolution(p, s, f, l));
    if (lines_are_packed(job)) TRY(real_tables(p, s, n, job));
    return pass_finish(p, pass, job, span, shift, l);
}
