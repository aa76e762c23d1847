/* SPDX-License-Identifier: BSD-3-Clause */
/* The exact sums on the CPU; compiled for each precision and instruction set (argand_variants).
 *
 * For a block of samples and a row of pixels, the phasors of the row's columns are lines of a tile: taken
 * from the block's table when nothing depends on sample and pixel together (separable), else computed TILE
 * columns at a time, phase in turns = table's + field times offset in time + the column's own at the block's
 * centre. The tile fits the first cache and serves all coils (sums.h). What a row shares (segment, y, z)
 * is one factor per sample, applied to the row's sum, or to the samples before it. So a phase is at most half
 * a turn plus a small increment, and keeps its digits for any image size. */
#include "field/direct.h"
#include "field/phasor.h"
#include "field/sums.h"

enum { TILE = 16, GROUP = 4, ROWS_IN_SINGLE = 64 };

static const uint16_t in_order[TILE] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* ---- tables ---- */

static void phases(REAL *restrict line, const double *restrict rate, double offset)
{
    for (int j = 0; j < BLOCK; j++) {
        const double turns = rate[j] * offset;
        line[j] = (REAL)(turns - ((turns + 0x1.8p52) - 0x1.8p52));
    }
}

static void phasors(REAL *restrict line, const double *restrict rate, double offset)
{
    REAL turns[BLOCK];
    phases(turns, rate, offset);
    for (int j = 0; j < BLOCK; j++) phasor(turns[j], &line[j], &line[BLOCK + j]);
}

static REAL *phasor_axis(REAL *out, const double *rate, const double *offset, int count)
{
    for (int i = 0; i < count; i++, out += 2 * BLOCK) phasors(out, rate, offset[i]);
    return out;
}

static int line_size(const argand_field *plan)
{
    return plan->separable ? 2 * BLOCK : BLOCK;
}

void VARIANT(field_tables)(const field_table_task *task)
{
    const field_axes *axes = &task->plan->axes;
    const double *const *rate = (const double *const *)task->plan->samples.rate;
    const int64_t first = task->block * BLOCK;
    REAL *out = task->table;
    for (int i = 0; i < axes->lines; i++, out += line_size(task->plan))
        if (task->plan->separable)
            phasors(out, rate[0] + first, axes->line[i]);
        else
            phases(out, rate[0] + first, axes->line[i]);
    out = phasor_axis(out, rate[0] + first, axes->segment, axes->segments);
    out = phasor_axis(out, rate[1] + first, axes->y, axes->ny);
    phasor_axis(out, rate[2] + first, axes->z, axes->nz);
}

static void multiply_phasors(REAL *restrict out, const REAL *restrict a, const REAL *restrict b)
{
    for (int j = 0; j < BLOCK; j++) {
        out[j] = a[j] * b[j] - a[BLOCK + j] * b[BLOCK + j];
        out[BLOCK + j] = a[j] * b[BLOCK + j] + a[BLOCK + j] * b[j];
    }
}

/* Computes the factor that all columns of the row share, for each sample of the block. */
static void row_factor(REAL *factor, const argand_field *plan, const REAL *table, const field_row *row)
{
    const field_axes *axes = &plan->axes;
    const REAL *segments = table + (int64_t)axes->lines * line_size(plan);
    const REAL *y = segments + (int64_t)axes->segments * 2 * BLOCK, *z = y + (int64_t)axes->ny * 2 * BLOCK;
    REAL plane[2 * BLOCK];
    multiply_phasors(plane, y + (int64_t)row->y * 2 * BLOCK, z + (int64_t)row->z * 2 * BLOCK);
    multiply_phasors(factor, plane, segments + (int64_t)row->segment * 2 * BLOCK);
}

/* ---- tiles ---- */

/* One block of samples against the columns of a row. */
typedef struct block_view {
    const argand_field *plan;
    const REAL *table, *offset;
    int64_t block;
} block_view;

static void phasor_line(REAL *restrict line, const REAL *restrict phase, const REAL *restrict offset,
                        REAL turns, REAL base)
{
    for (int j = 0; j < BLOCK; j++) phasor(phase[j] + turns * offset[j] + base, &line[j], &line[BLOCK + j]);
}

static void damp(REAL *restrict line, const REAL *restrict time, REAL rate)
{
    for (int j = 0; j < BLOCK; j++) {
        const REAL factor = decay(rate * time[j]);
        line[j] *= factor;
        line[BLOCK + j] *= factor;
    }
}

static void dephase_near(REAL *restrict line, const REAL *restrict rate, const REAL *restrict time,
                         REAL gradient)
{
    for (int j = 0; j < BLOCK; j++) {
        const REAL factor = sinc_near(rate[j] + gradient * time[j]);
        line[j] *= factor;
        line[BLOCK + j] *= factor;
    }
}

static void dephase_any(REAL *restrict line, const REAL *restrict rate, const REAL *restrict time,
                        REAL gradient)
{
    for (int j = 0; j < BLOCK; j++) {
        const REAL factor = sinc_any(rate[j] + gradient * time[j]);
        line[j] *= factor;
        line[BLOCK + j] *= factor;
    }
}

static void dephase(REAL *line, const block_view *b, int axis, int64_t column)
{
    const field_samples *s = &b->plan->samples;
    const int64_t first = b->block * BLOCK;
    const REAL *rate = (const REAL *)s->real_rate[axis] + first, *time = (const REAL *)s->time + first;
    const REAL gradient = ((const REAL *)b->plan->pixels.gradient[axis])[column];
    const double size = gradient < 0 ? -gradient : gradient;
    if (s->rate_max[axis][b->block] + size * s->time_max[b->block] <= 1)
        dephase_near(line, rate, time, gradient);
    else
        dephase_any(line, rate, time, gradient);
}

typedef double wide __attribute__((vector_size(VECTOR_BYTES), may_alias, aligned(8)));

/* sum += a b turns. In double precision without its whole turns, so that sums of large phases are small; a b
 * less a whole number is exact where multiply-adds are fused. */
INLINE void add_turns(wide *sum, double a, wide b)
{
#if REAL_BITS == 32
    *sum += a * b;
#else
    const wide whole = (a * b + 0x1.8p52) - 0x1.8p52;
    *sum += a * b - whole;
#endif
}

/* The further terms, in double also for single precision, where one multiply-add a term is less work than two
 * numbers of half the digits would be. */
static void add_terms(REAL *restrict phase, const block_view *b, int64_t column)
{
    enum { STEP = 4 * VECTOR_BYTES / 8 };
    const double *space = b->plan->pixels.term + column, *time = b->plan->samples.term + b->block * BLOCK;
    const int64_t stride = b->plan->pixels.columns, padded = b->plan->samples.padded;
    for (int at = 0; at < BLOCK; at += STEP) {
        wide sum[4] = {0};
        double turns[STEP];
        for (int i = 0; i < b->plan->terms; i++) {
            const wide *factor = (const wide *)(time + i * padded + at);
            EACH(v, 4) add_turns(&sum[v], space[i * stride], factor[v]);
        }
        memcpy(turns, sum, sizeof turns);
        for (int j = 0; j < STEP; j++) phase[at + j] += (REAL)(turns[j] - ((turns[j] + 0x1.8p52) - 0x1.8p52));
    }
}

static void make_line(REAL *line, const block_view *b, int64_t column)
{
    const field_pixels *p = &b->plan->pixels;
    const field_samples *s = &b->plan->samples;
    const double turns = p->turns[column] * s->centre[b->block];
    const REAL *phase = b->table + (int64_t)p->line[column] * BLOCK;
    REAL mixed[BLOCK];
    if (p->term) {
        memcpy(mixed, phase, sizeof mixed);
        add_terms(mixed, b, column);
        phase = mixed;
    }
    phasor_line(line, phase, b->offset, ((const REAL *)p->real_turns)[column],
                (REAL)(turns - ((turns + 0x1.8p52) - 0x1.8p52)));
    if (p->decay) damp(line, (const REAL *)s->time + b->block * BLOCK, ((const REAL *)p->decay)[column]);
    for (int d = 0; d < 3; d++)
        if (p->gradient[d]) dephase(line, b, d, column);
}

/* The next columns of a row from `column` on: from the table, or into the tile. */
static lines next_lines(REAL *tile, const block_view *b, int64_t column, int64_t end)
{
    if (b->plan->separable) return (lines){b->table, b->plan->pixels.line + column, (int)(end - column)};
    const int count = end - column < TILE ? (int)(end - column) : TILE;
    for (int i = 0; i < count; i++) make_line(tile + i * 2 * BLOCK, b, column + i);
    return (lines){tile, in_order, count};
}

static block_view view_block(const argand_field *plan, const void *table, int64_t block)
{
    const REAL *offset = plan->samples.offset;
    return (block_view){plan, table, offset ? offset + block * BLOCK : NULL, block};
}

/* ---- image -> samples ---- */

static void clear(REAL *values, int64_t count)
{
    memset(values, 0, (size_t)count * sizeof *values);
}

static void forward_row(REAL *sums, REAL *tile, const block_view *b, const field_row *row,
                        const field_forward_task *task)
{
    columns values = {task->image, task->plan->pixels.columns};
    int64_t column = row->first;
    clear(sums, task->coils * 2 * BLOCK);
    while (column < row->first + row->count) {
        const lines l = next_lines(tile, b, column, row->first + row->count);
        values.value = (const REAL *)task->image + column;
        forward_sums(sums, &l, values, task->coils, field_planes(task->plan));
        column += l.count;
    }
}

/* group += (c - i s) sums */
static void add_row(REAL *restrict group, const REAL *restrict factor, const REAL *restrict sums)
{
    const REAL *im = sums + BLOCK, *sine = factor + BLOCK;
    for (int j = 0; j < BLOCK; j++) {
        group[j] += factor[j] * sums[j] + sine[j] * im[j];
        group[BLOCK + j] += factor[j] * im[j] - sine[j] * sums[j];
    }
}

/* Moves what some rows gave into double precision, so that no sum in single precision grows long. */
static void flush(double *restrict total, REAL *restrict group, int64_t count)
{
    for (int64_t j = 0; j < count; j++) {
        total[j] += (double)group[j];
        group[j] = 0;
    }
}

void VARIANT(field_forward)(const field_forward_task *task)
{
    const int64_t count = task->coils * 2 * BLOCK;
    double *total = task->scratch;
    REAL *group = (REAL *)(total + count), *sums = group + count, *tile = sums + count, *out = task->out;
    const block_view b = view_block(task->plan, task->table, task->block);
    memset(total, 0, (size_t)count * sizeof *total);
    clear(group, count);
    for (int64_t r = task->first_row; r < task->end_row; r++) {
        const field_row *row = &task->plan->pixels.row[r];
        REAL factor[2 * BLOCK];
        forward_row(sums, tile, &b, row, task);
        row_factor(factor, task->plan, task->table, row);
        for (int64_t c = 0; c < task->coils; c++)
            add_row(group + c * 2 * BLOCK, factor, sums + c * 2 * BLOCK);
        if ((r - task->first_row) % ROWS_IN_SINGLE == ROWS_IN_SINGLE - 1) flush(total, group, count);
    }
    flush(total, group, count);
    for (int64_t j = 0; j < count; j++) out[j] = (REAL)total[j];
}

/* ---- samples -> image ---- */

/* out = (c + i s) samples */
static void remove_factor(REAL *restrict out, const REAL *restrict factor, const REAL *restrict re,
                          const REAL *restrict im)
{
    const REAL *sine = factor + BLOCK;
    for (int j = 0; j < BLOCK; j++) {
        out[j] = factor[j] * re[j] - sine[j] * im[j];
        out[BLOCK + j] = factor[j] * im[j] + sine[j] * re[j];
    }
}

static void rotate_samples(REAL *rotated, const field_adjoint_task *task, const REAL *table, int64_t block)
{
    REAL factor[2 * BLOCK];
    const int64_t padded = task->plan->samples.padded;
    row_factor(factor, task->plan, table, &task->plan->pixels.row[task->row]);
    for (int64_t c = 0; c < task->coils; c++) {
        const REAL *re = (const REAL *)task->samples + c * 2 * padded + block * BLOCK;
        remove_factor(rotated + c * 2 * BLOCK, factor, re, re + padded);
    }
}

/* Adds the lanes of each sum and the sum to the image. */
static void add_lanes(const field_adjoint_task *task, const REAL *sums)
{
    const field_row *row = &task->plan->pixels.row[task->row];
    const int planes = field_planes(task->plan);
    const int64_t count = task->coils * planes;
    for (int64_t i = 0; i < row->count; i++)
        for (int64_t p = 0; p < count; p++) {
            const REAL *lane = sums + (i * count + p) * LANES;
            REAL sum = 0;
            for (int l = 0; l < LANES; l++) sum += lane[l];
            ((REAL *)task->image)[p * task->plan->pixels.columns + row->first + i] += sum;
        }
}

/* A few columns against a few blocks at a time, so that the columns' sums are kept in the first cache for all
 * of these. */
static void adjoint_group(const field_adjoint_task *task, int64_t first, int count, REAL *tile, REAL *rotated,
                          REAL *sums)
{
    const argand_field *plan = task->plan;
    const field_row *row = &plan->pixels.row[task->row];
    const int planes = field_planes(plan);
    const int64_t each = task->coils * planes * LANES, size = task->coils * 2 * BLOCK,
                  end = row->first + row->count;
    block_view b[GROUP];
    for (int g = 0; g < count; g++) {
        const char *table =
            (const char *)task->tables + (size_t)(first + g - task->panel) * task->table_bytes;
        b[g] = view_block(plan, table, first + g);
        rotate_samples(rotated + g * size, task, b[g].table, first + g);
    }
    for (int64_t column = row->first; column < end; column += TILE)
        for (int g = 0; g < count; g++) {
            const lines l = next_lines(tile, &b[g], column, end - column < TILE ? end : column + TILE);
            adjoint_sums(sums + (column - row->first) * each, &l, rotated + g * size, task->coils, planes);
        }
}

void VARIANT(field_adjoint)(const field_adjoint_task *task)
{
    REAL *tile = task->scratch, *rotated = tile + TILE * 2 * BLOCK,
         *sums = rotated + GROUP * task->coils * 2 * BLOCK;
    clear(sums, task->plan->pixels.row[task->row].count * task->coils * field_planes(task->plan) * LANES);
    for (int64_t block = task->first; block < task->end; block += GROUP)
        adjoint_group(task, block, task->end - block < GROUP ? (int)(task->end - block) : GROUP, tile,
                      rotated, sums);
    add_lanes(task, sums);
}
