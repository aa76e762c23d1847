/* SPDX-License-Identifier: BSD-3-Clause */
/* Three axes in two passes with tiles of similar size. The middle axis of n = a b points is divided (j =
 * j1 b + j2, k = k1 + a k2, as in divide.c). The first pass has a whole rows, at stride b, and multiplies
 * its results by twiddle factors. The second one transforms the remaining b points and the third axis, in
 * tiles of neighbouring points. The first pass stores (k1, j2) at the position of (k1, k2), so that the
 * second one works in place; the first one does not.
 *
 * The alternatives are a plane in one block, which then fills a multiprocessor, a plane in a cluster, or
 * three passes. */
#include "fft/gpu/schedule/passes.h"
#include "fft/gpu/schedule/tile_cost.h"

#include <math.h>
#include <stdlib.h>

enum { MANY = 32 }; /* points of a thread */
/* bytes of a memory sector; cache lines of a tile's row, at most */
enum { SECTOR = 32, MOST_LINES = 4 };

static void add_stages(tile_shape *s, const radix_list *r, int from, int to, int axis)
{
    for (int i = from; i < to; i++) s->stage[s->stages++] = (tile_stage){.radix = r->radix[i], .axis = axis};
}

/* ---- tiles of both passes ---- */

/* What the first pass transforms: `planes` planes of b times a rows of n points, each a rows together. */
typedef struct row_groups {
    int n, a;
    int64_t b, planes;
} row_groups;

/* Chooses how many groups of rows a tile has, so that the cost is least. along, across: radices of rows and
 * of columns. Returns the cost. */
static double rows_in(tile_shape *s, const row_groups *g, const radix_list *along, const radix_list *across,
                      const block_limits *l)
{
    const int first = across->count > 1; /* whole rows are loaded and stored */
    double least = HUGE_VAL;
    if (along->count + across->count > TILE_STAGES) return least;
    for (int rows = 1; rows <= g->b && rows * g->n * g->a <= limits_max_points(l); rows++) {
        tile_shape more = {.size = {g->n, g->a, rows}, .lines = 2, .twiddle_axis = 1};
        add_stages(&more, across, 0, first, 1);
        add_stages(&more, along, 0, along->count, 0);
        add_stages(&more, across, first, across->count, 1);
        if (g->b % rows) continue;
        const double cost = tile_cost(&more, (double)(g->b / rows * g->planes), l);
        if (cost >= least || (more.threads > l->tuning.threads && least < HUGE_VAL)) continue;
        least = cost;
        *s = more;
    }
    return least;
}

/* Chooses the shape of the first pass. Tries the cheapest radices, then those of a quarter row followed by
 * a last radix 4. With the latter, threads keep their points for the stage over rows. */
static double rows_shape(tile_shape *s, const row_groups *g, const block_limits *l)
{
    enum { REST = 4 };
    radix_list along, across;
    if (!radices_choose(&along, g->n, l, 1) || !radices_choose(&across, g->a, l, 1)) return HUGE_VAL;
    const double least = rows_in(s, g, &along, &across, l);
    if (l->tuning.points_per_thread < MANY || g->n % REST || across.count > 1 ||
        !radices_choose(&along, g->n / REST, l, 1) || along.count > 2)
        return least;
    along.radix[along.count++] = REST;
    tile_shape more;
    const double other = rows_in(&more, g, &along, &across, l);
    if (other >= HUGE_VAL || g->n / REST % more.threads ||
        other / tile_cost_of_stages(more.stages) * tile_cost_of_stages(more.stages - 1) >= least)
        return least;
    *s = more;
    return other;
}

static bool columns_shape(tile_shape *s, int tile, int b, int n, const block_limits *l)
{
    radix_list along, across;
    *s = (tile_shape){.size = {tile, b, n}, .lines = 0};
    if (tile_points(s) > limits_max_points(l) || !radices_choose(&across, b, l, 1) ||
        !radices_choose(&along, n, l, 1) || along.count + across.count > TILE_STAGES)
        return false;
    add_stages(s, &across, 0, across.count, 1);
    if (n > 1) add_stages(s, &along, 0, along.count, 2);
    return tile_choose_threads(s, l);
}

/* ---- the choice ---- */

/* Rows of tiles of a rows, then columns. */
typedef struct choice {
    int64_t a;
    tile_shape rows, columns;
    double cost;
} choice;

/* The best choices, cheapest first. */
enum { CHOICES = 4 };
typedef struct choices {
    int count;
    choice best[CHOICES];
} choices;

static void keep(choices *all, const choice *c)
{
    int at = all->count < CHOICES ? all->count++ : CHOICES;
    for (; at > 0 && all->best[at - 1].cost > c->cost; at--)
        if (at < CHOICES) all->best[at] = all->best[at - 1];
    if (at < CHOICES) all->best[at] = *c;
}

static void try_tile(choices *all, const choice *rows, int sectors, const job_axis *s, const block_limits *l)
{
    const int tile = sectors * SECTOR / l->element_bytes;
    const int64_t lines = s[0].n * rows->a;
    choice c = *rows;
    if ((l->tuning.tile_lines && tile != l->tuning.tile_lines) ||
        !columns_shape(&c.columns, tile, (int)(s[1].n / c.a), (int)s[2].n, l))
        return;
    c.cost += tile_cost_by_sectors(&c.columns, (double)((lines + tile - 1) / tile), sectors, l);
    keep(all, &c);
}

/* Tries all tiles for one a. Planes begin with the widest tiles, of several cache lines. */
static void try_part(choices *all, int64_t a, const job_axis *s, const block_limits *l)
{
    const int64_t b = s[1].n / a;
    choice c = {.a = a};
    if (s[0].n * a > limits_max_points(l) || b * s[2].n > limits_max_points(l)) return;
    c.cost = rows_shape(&c.rows, &(row_groups){(int)s[0].n, (int)a, b, s[2].n}, l);
    if (c.cost >= HUGE_VAL) return;
    for (int lines = s[2].n > 1 ? 1 : MOST_LINES; lines > 1; lines /= 2)
        try_tile(all, &c, lines * LINE_SECTORS, s, l);
    for (int sectors = LINE_SECTORS; sectors > 0; sectors--) try_tile(all, &c, sectors, s, l);
}

/* Returns the choice with the tuning's number; HUGE_VAL and a = 0 if there are fewer. */
static choice choose(const job_axis *s, const block_limits *given)
{
    block_limits l = *given;
    choices all = {.count = 0};
    l.tuning.large_radices = 1;
    for (int64_t a = 2; a <= s[1].n / 2; a++)
        if (s[1].n % a == 0 && (!l.tuning.split_second || l.tuning.split_second == a))
            try_part(&all, a, s, &l);
    return l.tuning.split_choice < all.count ? all.best[l.tuning.split_choice] : (choice){.cost = HUGE_VAL};
}

/* Returns the cost of planes in one block followed by the third axis. */
static double cost_of_planes(const job_axis *s, const block_limits *l)
{
    /* cost of three passes, or of a cluster, which is hardly better */
    static const double otherwise = 3.1;
    tile_shape plane;
    if (l->tuning.separate_axes || !plane_fits(&s[0], &s[1], l) || !fits_block(&s[0], &s[1], l))
        return otherwise;
    return 1 + rows_shape(&plane, &(row_groups){(int)s[0].n, (int)s[1].n, 1, s[2].n}, l);
}

int64_t volume_part(const job_axis *s, const block_limits *l)
{
    /* points of a multiprocessor; with fewer, idle ones do not matter */
    enum { NEVER = 1, LEAST = 4096 };
    if (l->tuning.split_second == NEVER || llabs(s[0].in) != 1 || llabs(s[0].out) != 1 ||
        (!l->tuning.split_second && !l->tuning.split_choice &&
         s[0].n * s[1].n * s[2].n < (int64_t)LEAST * l->units))
        return 0;
    const choice c = choose(s, l);
    return c.a && (l->tuning.split_second || l->tuning.split_choice || c.cost < 0.96 * cost_of_planes(s, l))
               ? c.a
               : 0;
}

bool volume_fits(const job_axis *s, const block_limits *l)
{
    return l->out_of_place && volume_part(s, l);
}

/* Divides a plane in the same way, without a third axis. The second pass then has shorter columns, so that
 * its tiles are wider. */
bool plane_is_split(const job_axis *a, const job_axis *b, const block_limits *l)
{
    const job_axis s[3] = {*a, *b, {.n = 1}};
    return l->out_of_place && l->tuning.split_second > 1 && llabs(a->in) == 1 && llabs(a->out) == 1 &&
           choose(s, l).a;
}

/* ---- the passes ---- */

static argand_status put_pass(pass_program *p, const line_job *job, const tile_shape *shape,
                              const job_axis dims[3], const int shift[2][3], const block_limits *l)
{
    tile_pass *pass;
    TRY(pass_begin(p, job, &pass));
    tile_shape *s = &pass->shape;
    for (int d = 0; d < 3; d++) s->size[d] = shape->size[d];
    for (int i = 0; i < shape->stages; i++) s->stage[s->stages++] = shape->stage[i];
    s->lines = shape->lines;
    s->threads = shape->threads;
    s->twiddle_axis = shape->twiddle_axis;
    return pass_finish(p, pass, job, dims, shift, l);
}

/* Returns a part of an axis of which one step is `times` points of the axis. */
static job_axis part_of(const job_axis *axis, int64_t n, int64_t in, int64_t out, int64_t times)
{
    return (job_axis){
        .n = n, .in = in * axis->in, .out = out * axis->out, .dim = axis->dim, .step = times * axis->step};
}

/* Appends the first pass. j1 has b times the axis's stride, k1 the stride itself, and j2 the stride of k2:
 * a. job: along the first axis; s: the middle one. */
static argand_status put_rows(pass_program *p, const line_job *given, const job_axis *s, const int shift[3],
                              const choice *c, const block_limits *l)
{
    line_job job = *given;
    const int64_t b = s->n / c->a;
    const job_axis part = part_of(s, c->a, b, 1, b), others = part_of(s, b, 1, c->a, 1);
    const int shifts[2][3] = {{shift[0], shift[1] / (int)b, 0}, {shift[0], shift[1] % (int)c->a, 0}};
    job.twiddle_points = s->n;
    job.twiddle_from = shift[1] % (int)b;
    job.scaled = false;
    job.streaming = 1;
    job_tidy(&job);
    job_put_lines(&job, others);
    const job_axis dims[3] = {job.axis, part, others};
    return put_pass(p, &job, &c->rows, dims, shifts, l);
}

/* Appends the second pass. job: along the last axis, with the first one as a loop. */
static argand_status put_columns(pass_program *p, const line_job *given, const job_axis *s,
                                 const int shift[3], const choice *c, const block_limits *l)
{
    line_job job = *given;
    const int64_t b = s->n / c->a;
    const job_axis part = part_of(s, b, c->a, c->a, c->a);
    const int shifts[2][3] = {{0, shift[1] % (int)b, shift[2]}, {0, shift[1] / (int)c->a, shift[2]}};
    job.loop[job.loops++] = part_of(s, c->a, 1, 1, 1);
    job.streaming = l->tuning.streaming == 4 ? 3 : 0;
    job_tidy(&job);
    const job_axis dims[3] = {job.loop[0], part, job.axis};
    return put_pass(p, &job, &c->columns, dims, shifts, l);
}

/* Returns the axis as the second pass finds it, where the first pass stored. */
static job_axis stored(job_axis s)
{
    s.in = s.out;
    return s;
}

/* job: along the first axis, with the loops outside the volume. */
argand_status program_volume(pass_program *p, const line_job *job, const job_axis *s, const int shift[3],
                             const block_limits *given)
{
    const choice c = choose(s, given);
    line_job rows = *job, columns = *job;
    const job_axis middle = stored(s[1]);
    rows.loop[rows.loops++] = s[2];
    for (int i = 0; i < columns.loops; i++) columns.loop[i] = stored(columns.loop[i]);
    columns.loop[columns.loops++] = stored(s[0]);
    columns.axis = stored(s[2]);
    columns.from = columns.to;
    columns.number += s[2].n > 1 ? 2 : 1;
    columns.order = job->order ? 3 - job->order : 0;
    p->out_of_place = true;
    TRY(put_rows(p, &rows, &s[1], shift, &c, given));
    return put_columns(p, &columns, &middle, shift, &c, given);
}

argand_status program_volume_pass(pass_program *p, const line_job *job, const job_axis *s, int pass,
                                  const block_limits *l)
{
    static const int none[3] = {0};
    const choice c = choose(s, l);
    return pass ? put_columns(p, job, &s[1], none, &c, l) : put_rows(p, job, &s[1], none, &c, l);
}

/* ---- second and third axis divided ---- */

/* Large volumes in three passes of tiles with long rows. The second axis is divided as above; the last one
 * of c d points is divided likewise between the second pass and the third. The first pass stores planes j1
 * d + j2 of the last axis at j1 + c j2, so that the others work in place. Planes j1 of one j2 are
 * neighbours for the second pass, whose results k1 stay there; the third pass has those of one k1, at
 * stride c. */
bool volume_is_split_twice(const job_axis *s, const block_limits *l)
{
    const int a = l->tuning.split_second, c = l->tuning.split_last;
    return l->out_of_place && a > 1 && c > 1 && s[1].n % a == 0 && s[2].n % c == 0 && llabs(s[0].in) == 1 &&
           llabs(s[0].out) == 1;
}

/* Chooses a shape of d points with so many adjacent columns that two blocks fit on a multiprocessor. */
static bool wide_shape(tile_shape *s, int d, const block_limits *l)
{
    const int most = limits_max_points(l) / 2;
    for (int tile = 64; tile > 1; tile /= 2)
        if (tile * d <= most && columns_shape(s, tile, d, 1, l)) return true;
    return false;
}

/* How the second and third axis are divided: a b and c d points, and the tiles of the three passes. */
typedef struct double_split {
    int a, b, c, d;
    choice first;
    tile_shape middle, last;
} double_split;

static argand_status choose_double_split(double_split *t, const job_axis *s, const block_limits *l)
{
    *t = (double_split){.a = l->tuning.split_second, .c = l->tuning.split_last};
    t->b = (int)(s[1].n / t->a);
    t->d = (int)(s[2].n / t->c);
    t->first.a = t->a;
    const row_groups rows = {(int)s[0].n, t->a, t->b, s[2].n};
    const int columns = l->tuning.tile_lines ? l->tuning.tile_lines : 16;
    CHECK(s[0].n * t->a <= limits_max_points(l) && rows_shape(&t->first.rows, &rows, l) < HUGE_VAL &&
              columns_shape(&t->middle, columns, t->b, t->c, l) && wide_shape(&t->last, t->d, l),
          ARGAND_UNSUPPORTED, "argand_fft_create: no tiles for parts of %d and %d points", t->a, t->c);
    t->middle.twiddle_axis = 2;
    return ARGAND_OK;
}

static argand_status put_middle(pass_program *p, const line_job *given, const job_axis *s, const int shift[3],
                                const double_split *t, const block_limits *l)
{
    const int shifts[2][3] = {{0, shift[1] % t->b, shift[2] / t->d}, {0, shift[1] / t->a, shift[2] % t->c}};
    line_job job = *given;
    job.axis = part_of(&s[2], t->c, 1, 1, 1);
    job.loop[job.loops++] = s[0];
    job.loop[job.loops++] = part_of(&s[1], t->a, 1, 1, 1);
    job.counted_loop = job.loops;
    job.loop[job.loops++] = part_of(&s[2], t->d, t->c, t->c, 1);
    job.twiddle_points = s[2].n;
    job.twiddle_from = shift[2] % t->d;
    job.scaled = false;
    job_tidy(&job);
    const job_axis dims[3] = {job.loop[0], part_of(&s[1], t->b, t->a, t->a, t->a), job.axis};
    return put_pass(p, &job, &t->middle, dims, shifts, l);
}

static argand_status put_last(pass_program *p, const line_job *given, const job_axis *s, const int shift[3],
                              const double_split *t, const block_limits *l)
{
    const int shifts[2][3] = {{0, shift[2] % t->d, 0}, {0, shift[2] / t->c, 0}};
    line_job job = *given;
    job.axis = part_of(&s[2], t->d, t->c, t->c, t->c);
    job.loop[job.loops++] = s[0];
    job.loop[job.loops++] = s[1];
    job.loop[job.loops++] = part_of(&s[2], t->c, 1, 1, 1);
    job.streaming = l->tuning.streaming == 4 ? 3 : 0;
    job_tidy(&job);
    const job_axis dims[3] = {job.loop[0], job.axis, {.n = 1}};
    return put_pass(p, &job, &t->last, dims, shifts, l);
}

argand_status program_volume_split_twice(pass_program *p, const line_job *job, const job_axis *s,
                                         const int shift[3], const block_limits *given)
{
    block_limits l = *given;
    const job_axis after[3] = {stored(s[0]), stored(s[1]), stored(s[2])};
    double_split t;
    l.tuning.large_radices = 1;
    TRY(choose_double_split(&t, s, &l));
    line_job rows = *job, later = *job;
    rows.loop[rows.loops++] = part_of(&s[2], t.c, t.d, 1, 1);
    rows.loop[rows.loops++] = part_of(&s[2], t.d, 1, t.c, 1);
    p->out_of_place = true;
    TRY(put_rows(p, &rows, &s[1], shift, &t.first, &l));
    for (int i = 0; i < later.loops; i++) later.loop[i] = stored(later.loop[i]);
    later.from = later.to;
    later.number++;
    later.order = job->order ? 3 - job->order : 0;
    TRY(put_middle(p, &later, after, shift, &t, &l));
    later.number++;
    later.order = job->order;
    return put_last(p, &later, after, shift, &t, &l);
}
