/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans lines along one axis as one pass: the lines of a tile, and its stages. */
#include "fft/gpu/schedule/lines.h"

#include <stdlib.h>
#include "fft/gpu/codegen/shared_memory.h"

/* Bytes of a row that neighbouring threads should load or store together. */
enum { RUN_LEAST = 96 };
/* Lines of a convolution from which neighbouring threads have points of different lines. Many threads then
 * read the same table elements, and positions in Rader's order fall on different banks. */
enum { LINES_ACROSS = 5, LINES_RADER = 4 };
/* Lines of a tile whose arrays at the spectrum are contiguous over the lines. */
enum { MAP_LINES = 8 };

/* Returns the number of adjacent lines that a tile should have. */
int lines_in_segment(const block_limits *l)
{
    const int bytes = l->tuning.segment_bytes ? l->tuning.segment_bytes : SEGMENT_GOOD;
    /* the tuning may ask for less than one element */
    return bytes > l->element_bytes ? bytes / l->element_bytes : 1;
}

/* Returns true if, in the input or output, the axis has a smaller stride than the adjacent lines. */
bool lines_are_along(const line_job *job, bool out)
{
    const int64_t axis = llabs(out ? job->axis.out : job->axis.in),
                  loop = llabs(out ? job->loop[0].out : job->loop[0].in);
    return axis < loop || job->loop[0].n == 1;
}

/* Returns the number of rows for tiles in which a stage of radix 1 loads or stores rows in memory order.
 * The threads should be a multiple of the length, because each then moves points of one position. They
 * should also be whole warps, or at least cover whole cache lines. */
static int even_lines(int n, int threads, int wanted)
{
    static const int shares[] = {32, 16, 1};
    for (int i = 0; i < 3; i++)
        for (int more = 0; 2 * more <= wanted; more++)
            for (int sign = 1; sign >= -1; sign -= 2) {
                const int lines = wanted + sign * more;
                if (4 * more > wanted && sign > 0) continue;
                if (lines * threads % n == 0 && lines * threads % shares[i] == 0) return lines;
            }
    return wanted;
}

/* Returns true if a stage of radix 1 should load, or store, instead of the first or last radix, whose
 * points have stride n / radix. */
static bool moves(const radix_list *r, int n, int end, const block_limits *l)
{
    const int radix = r->radix[end ? r->count - 1 : 0];
    return r->count == 1 ? radix > 4 : !l->tuning.short_runs && n / radix * l->element_bytes < RUN_LEAST;
}

/* Returns the lines of a tile for Rader's algorithm: as many as give neighbouring threads neighbouring
 * lines, with warps that access whole rows of banks, if blocks do not become too large. */
static int rader_lines(int wanted, int threads, const block_limits *l)
{
    const int most = 2 * l->tuning.threads;
    if (wanted >= 16) return wanted - wanted % 16;
    return threads * 8 <= most - most / 8 ? 8 : threads * 4 <= most ? 4 : wanted;
}

/* Returns true if half of a tile's lines are elsewhere in memory. */
bool lines_are_folded(const line_job *job)
{
    return job->folded || job->access[2].image.rank > 0;
}

/* Returns true if arrays at the spectrum are contiguous over the lines, as in the middle of a long line. */
static bool is_scattered(const line_job *job)
{
    const pass_access *a = &job->access[2];
    bool has_array = false;
    for (int i = 0; i < a->links; i++) has_array |= a->chain[a->place[i]].array != NULL;
    return has_array && job->twiddle_points;
}

int lines_for(const line_job *job, int n, const radix_list *r, const block_limits *l, bool rows,
              convolution_kind fused)
{
    const int most = fused && l->tuning.interleaved_lines ? limits_max_convolution(l)
                     : job->plane                         ? limits_real_plane_points(l)
                                                          : limits_max_points(l),
              most_lines = most / n, segment = lines_in_segment(l) * (lines_are_folded(job) ? 2 : 1);
    int lines = l->tuning.threads / r->threads;
    if (rows && job->access[2].image.rank) lines /= 2; /* X[-k] needs registers, too */
    if (rows && is_scattered(job) && lines < MAP_LINES) lines = MAP_LINES;
    if (!rows && lines < segment) lines = segment;
    if (rows && !fused && lines > 1 && (moves(r, n, 0, l) || moves(r, n, 1, l)))
        lines = n > 16 && r->count == 1 ? lines - lines % n : even_lines(n, r->threads, lines);
    if (rows && fused == CONVOLUTION_RADER) lines = rader_lines(lines, r->threads, l);
    const int told = fused ? 0 : rows ? l->tuning.row_lines : l->tuning.tile_lines;
    if (told) lines = told;
    if (lines > most_lines) lines = most_lines;
    if (lines > l->threads / r->threads && (fused || !l->tuning.row_threads)) lines = l->threads / r->threads;
    if (lines < 1) lines = 1;
    if (!rows && lines > segment && !told) lines -= lines % segment;
    if (job->loop[0].n < lines) lines = (int)job->loop[0].n;
    if (lines_are_folded(job)) lines -= lines > 1 ? lines % 2 : -1;
    return lines;
}

/* Sets the stages along one dimension. Stages of radix 1 only move points. They are added if neighbouring
 * threads would otherwise access too few contiguous bytes, or if load and store run along different
 * dimensions. */
static void put_stages(tile_shape *s, const radix_list *r, int n, int axis, bool rows, const block_limits *l)
{
    const tile_stage move = {.radix = 1, .axis = axis};
    const bool half =
        r->count > 1 && (s->out_kind == OUT_HALF_PACKED  /* goes through shared memory at its end */
                         || tile_is_real_round_trip(s)); /* has its spectrum there */
    if (rows && moves(r, n, 0, l)) s->stage[s->stages++] = move;
    for (int i = 0; i < r->count; i++)
        s->stage[s->stages++] = (tile_stage){.radix = r->radix[i], .axis = axis};
    if ((rows && !half && moves(r, n, 1, l)) || (r->count == 1 && s->in_fast != s->out_fast))
        s->stage[s->stages++] = move;
}

/* Moves the largest radix to the end, because results get twiddle factors: a butterfly of 16 needs seven
 * angles, four of 4 need twelve. */
static void put_largest_last(radix_list *r)
{
    for (int i = 0; i + 1 < r->count; i++)
        if (r->radix[i] > r->radix[i + 1]) {
            const int larger = r->radix[i];
            r->radix[i] = r->radix[i + 1];
            r->radix[i + 1] = larger;
        }
}

/* If one loop has too few lines to fill a block, returns how many lines of the next loop share the tile: a
 * divisor of that loop. */
static int more_lines(const line_job *job, const tile_shape *s, const block_limits *l)
{
    const int points = s->size[0] * s->size[1];
    int most = l->tuning.threads / s->threads;
    if (job->loops < 2 || s->size[s->lines] < job->loop[0].n || job->counted_loop >= 0 || tile_has_images(s))
        return 1;
    if (most > limits_max_points(l) / points) most = limits_max_points(l) / points;
    while (most > 1 && job->loop[1].n % most) most--;
    return most > 1 ? most : 1;
}

/* Returns the threads of a block that the tuning gives, unless a thread would hold too many points. */
static int team_of(const tile_shape *s, const block_limits *l)
{
    enum { MOST_HELD = 50 };
    const int team = l->tuning.row_threads < l->threads ? l->tuning.row_threads : l->threads;
    for (int i = 0; i < s->stages; i++) {
        const int radix = s->stage[i].radix, butterflies = tile_points(s) / radix;
        if (!team || (butterflies + team - 1) / team * radix > MOST_HELD) return s->threads;
    }
    return team;
}

/* Returns true if pairs of reals go forward and inverse in one pass. */
bool lines_are_round_trip(const line_job *job)
{
    return job->in_kind == IN_PAIRS && job->out_kind == OUT_PAIRS;
}

bool lines_are_packed(const line_job *job)
{
    return job->in_kind == IN_HALF_PACKED || job->out_kind == OUT_HALF_PACKED || lines_are_round_trip(job);
}

/* Makes the tables of exp(-2 pi i k / real_points), with k = k1 + n1 k2 as two tables. */
static argand_status real_tables(pass_program *p, tile_shape *s, int n, const line_job *job)
{
    TRY(tables_twiddles(&p->tables, 2 * (int64_t)n, 1, n, &s->real_twiddles));
    if (s->mirrored < 2) return ARGAND_OK;
    return tables_twiddles(&p->tables, s->real_points, 1, (int)(job->loop[0].n / 2 + 1), &s->real_lines);
}

static argand_status put_convolution(pass_program *p, tile_shape *s, const line_convolution *f,
                                     const block_limits *l)
{
    s->convolution = *f;
    s->twiddle_source = l->is_double && l->tuning.convolution_twiddles ? 1 : l->tuning.convolution_twiddles;
    const bool chirped = f->kind == CONVOLUTION_BLUESTEIN;
    if (chirped) {
        s->filled = f->points;
        TRY(convolution_chirp(&p->tables, f, l->device, &s->convolution_table));
        TRY(convolution_conjugates(&p->tables, s->convolution_table, f->points, false));
    }
    TRY(convolution_wrapped(&p->tables, f, &s->wrap_table));
    TRY(convolution_spectrum(&p->tables, f, 1, l->device, &s->spectrum_table));
    return chirped ? convolution_conjugates(&p->tables, s->spectrum_table, f->convolution, true) : ARGAND_OK;
}

/* Sets along which dimension neighbouring threads have neighbouring points: at load, in shared memory, at
 * store. */
static void set_fast_dims(tile_shape *s, const line_job *job, const line_convolution *f,
                          const block_limits *l)
{
    const bool along_in = lines_are_along(job, false), along_out = lines_are_along(job, true),
               rows = along_in && along_out;
    const int across = l->tuning.interleaved_lines    ? l->tuning.interleaved_lines
                       : f->kind == CONVOLUTION_RADER ? LINES_RADER
                                                      : LINES_ACROSS;
    s->in_fast = rows || !along_in ? 0 : 1;
    s->out_fast = rows || !along_out ? 0 : 1;
    s->mid_fast = rows && ((f->kind && s->size[s->lines] >= across) || is_scattered(job));
}

/* Finishes a pass whose lines run along dimension `axis` of the tile. */
static argand_status finish(pass_program *p, tile_pass *pass, const line_job *job, int axis,
                            const block_limits *l)
{
    job_axis dims[3] = {{.n = 1}, {.n = 1}, job->loop[1]};
    int shift[2][3] = {{0}, {0}};
    dims[axis] = job->axis;
    dims[1 - axis] = job->loop[0];
    if (pass->shape.convolution.kind != CONVOLUTION_BLUESTEIN) { /* Bluestein's origin is that of its chirp */
        shift[0][axis] = job->shift_in;
        shift[1][axis] = job->shift_out;
    }
    return pass_finish(p, pass, job, dims, shift, l);
}

argand_status lines_one_pass(pass_program *p, const line_job *job, const radix_list *chosen,
                             const line_convolution *f, const block_limits *l)
{
    radix_list own = *chosen;
    const radix_list *r = &own;
    const bool rows = lines_are_along(job, false) && lines_are_along(job, true);
    const int n = f->kind ? f->convolution : (int)job->axis.n, lines = lines_for(job, n, r, l, rows, f->kind),
              axis = rows ? 0 : 1;
    tile_pass *pass;
    if (!rows && job->twiddle_points && !r->paired && !f->kind && !l->tuning.falling_radices)
        put_largest_last(&own);
    TRY(pass_begin(p, job, &pass));
    tile_shape *s = &pass->shape;
    s->size[axis] = n;
    s->size[1 - axis] = lines;
    s->lines = 1 - axis;
    s->threads = r->threads * lines;
    s->twiddle_axis = s->real_axis = s->convolution_axis = axis;
    set_fast_dims(s, job, f, l);
    if (lines_are_packed(job) && r->paired) s->mirrored = job->folded ? 2 : 1;
    s->size[2] = more_lines(job, s, l);
    s->threads *= s->size[2];
    put_stages(s, r, n, axis, rows && !f->kind, l);
    if (!f->kind && !s->mirrored) s->threads = team_of(s, l);
    if (f->kind) TRY(put_convolution(p, s, f, l));
    if (lines_are_packed(job)) TRY(real_tables(p, s, n, job));
    return finish(p, pass, job, axis, l);
}
