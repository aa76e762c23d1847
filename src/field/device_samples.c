/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples' tables for GPUs. Blocks of FIELD_BLOCK samples take the middle of a stretch of time as their
 * centre; as few different centres as keep the field's phase within MOST_TURNS of it, since vectors are
 * packed for each of them. */
#include "field/device_table.h"
#include "base/pi.h"
#include "field/device_engine.h"

static const double most_cycles = 4;

static double time_of(const field_samples *s, int64_t j, bool is_double)
{
    const int64_t at = j < s->padded ? j : s->padded - 1;
    if (!s->offset) return 0;
    return s->centre[at / s->per_block] +
           (is_double ? ((const double *)s->offset)[at] : (double)((const float *)s->offset)[at]);
}

static double largest_field(const field_pixels *p)
{
    double most = 0;
    for (int64_t c = 0; p->turns && c < p->columns; c++) most = fmax(most, fabs(p->turns[c]));
    return most;
}

/* Returns the block after the last that shares the centre of block `first`. */
static int stretch_end(const argand_field *plan, int blocks, int first, double field, double reach)
{
    const bool is_double = field_is_double(plan);
    const double start = time_of(&plan->samples, (int64_t)first * FIELD_BLOCK, is_double);
    int end = first + 1;
    while (
        end < blocks &&
        field * (time_of(&plan->samples, (int64_t)end * FIELD_BLOCK + FIELD_BLOCK - 1, is_double) - start) <=
            reach)
        end++;
    return end;
}

typedef struct centre_tables {
    void *block, *different; /* REAL pairs: the centre and what its rounding lost */
    int32_t *which;
    double *centre; /* of each block */
} centre_tables;

static void put_centre(void *table, int64_t index, double centre, bool is_double)
{
    put_real(table, 2 * index, centre, is_double);
    put_real(table, 2 * index + 1, is_double ? 0 : centre - (double)(float)centre, is_double);
}

static void fill_centres(centre_tables *t, field_device *d, const argand_field *plan)
{
    const bool is_double = field_is_double(plan);
    const double field = largest_field(&plan->pixels);
    for (int first = 0; first < d->blocks; d->centres++) {
        const int end = stretch_end(plan, d->blocks, first, field, (d->decay ? 1 : 2) * most_cycles);
        const double start = time_of(&plan->samples, (int64_t)first * FIELD_BLOCK, is_double),
                     finish = time_of(&plan->samples, (int64_t)end * FIELD_BLOCK - 1, is_double);
        const double centre = d->decay ? start : 0.5 * (start + finish);
        put_centre(t->different, d->centres, centre, is_double);
        for (; first < end; first++) {
            t->which[first] = d->centres;
            t->centre[first] = centre;
            put_centre(t->block, first, centre, is_double);
        }
    }
}

static argand_status make_centres(field_device *d, const argand_field *plan, double **centre)
{
    const size_t real = field_real_size(plan), pairs = (size_t)d->blocks * 2 * real;
    centre_tables t = {0};
    argand_status status;
    TRY_OR_DONE(memory_new(&t.block, (size_t)d->blocks * 2, real));
    TRY_OR_DONE(memory_new(&t.different, (size_t)d->blocks * 2, real));
    TRY_OR_DONE(NEW(t.which, d->blocks));
    TRY_OR_DONE(NEW(t.centre, d->blocks));
    fill_centres(&t, d, plan);
    *centre = t.centre;
    t.centre = NULL;
    TRY_OR_DONE(upload_table(&d->block_centres, plan->device, &t.block, pairs));
    TRY_OR_DONE(upload_table(&d->different_centres, plan->device, &t.different, pairs));
    TRY_OR_DONE(upload_table(&d->block_centre, plan->device, &t.which, (size_t)d->blocks * sizeof *t.which));
done:
    memory_free(t.centre);
    memory_free(t.which);
    memory_free(t.different);
    memory_free(t.block);
    return status;
}

static int64_t padded(const field_device *d)
{
    return (int64_t)d->blocks * FIELD_BLOCK;
}

/* k / N, or 0 for padding. */
static double rate_of(const field_samples *s, int axis, int64_t j)
{
    return j < s->count ? s->rate[axis][j] : 0;
}

/* Fixed-point rates and the offset from the block's centre. */
static argand_status make_samples(field_device *d, const argand_field *plan, const double *centre)
{
    const field_samples *s = &plan->samples;
    const bool is_double = field_is_double(plan);
    const size_t record = d->wide ? 32 : 16;
    char *table;
    TRY(memory_new(&table, (size_t)padded(d), record));
    for (int64_t j = 0; j < padded(d); j++) {
        char *at = table + (size_t)j * record;
        for (int axis = 0; axis < 3; axis++) put_turns(at, axis, rate_of(s, axis, j), d->wide);
        put_real(at + 3 * record / 4, 0, time_of(s, j, is_double) - centre[j / FIELD_BLOCK], is_double);
    }
    return upload_table(&d->samples, plan->device, &table, (size_t)padded(d) * record);
}

static float radians_of(double rate)
{
    return (float)(TWO_PI * (rate - rint(rate)));
}

/* Rate along x in radians a pixel, offset, rate along y, for the tensor cores. */
static argand_status make_courses(field_device *d, const argand_field *plan, const double *centre)
{
    float *table;
    if (field_is_double(plan)) return ARGAND_OK;
    TRY(NEW(table, 4 * padded(d)));
    for (int64_t j = 0; j < padded(d); j++) {
        table[4 * j] = radians_of(rate_of(&plan->samples, 0, j));
        table[4 * j + 1] = (float)(time_of(&plan->samples, j, false) - centre[j / FIELD_BLOCK]);
        table[4 * j + 2] = radians_of(rate_of(&plan->samples, 1, j));
    }
    return upload_table(&d->courses, plan->device, &table, (size_t)padded(d) * 4 * sizeof *table);
}

/* k / N of the axes that have a gradient, and the time. */
static argand_status make_shapes(field_device *d, const argand_field *plan)
{
    const bool is_double = field_is_double(plan);
    const size_t real = field_real_size(plan);
    void *table;
    if (!d->gradients) return ARGAND_OK;
    TRY(memory_new(&table, (size_t)padded(d) * 4, real));
    for (int64_t j = 0; j < padded(d); j++) {
        for (int axis = 0; axis < 3; axis++)
            put_real(table, 4 * j + axis, plan->pixels.gradient[axis] ? rate_of(&plan->samples, axis, j) : 0,
                     is_double);
        put_real(table, 4 * j + 3, time_of(&plan->samples, j, is_double), is_double);
    }
    return upload_table(&d->shapes, plan->device, &table, (size_t)padded(d) * 4 * real);
}

static argand_status make_sources(field_device *d, const argand_field *plan)
{
    const field_samples *s = &plan->samples;
    int32_t *table;
    TRY(NEW(table, padded(d)));
    for (int64_t j = 0; j < padded(d); j++) table[j] = j < s->count ? (int32_t)s->source[j] : -1;
    return upload_table(&d->sample_source, plan->device, &table, (size_t)padded(d) * sizeof *table);
}

static argand_status make_weights(field_device *d, const argand_field *plan)
{
    const size_t real = field_real_size(plan);
    char *table;
    if (!plan->samples.weight) return ARGAND_OK;
    TRY(memory_new(&table, (size_t)padded(d), real));
    memcpy(table, plan->samples.weight, (size_t)plan->samples.count * real);
    return upload_table(&d->weights, plan->device, &table, (size_t)padded(d) * real);
}

/* All factors, then what their rounding lost. */
static argand_status make_terms(field_device *d, const argand_field *plan)
{
    const field_samples *s = &plan->samples;
    const bool is_double = field_is_double(plan);
    const int64_t all = padded(d) * plan->terms;
    const size_t bytes = 2 * (size_t)all * field_real_size(plan);
    void *table;
    if (!plan->terms) return ARGAND_OK;
    TRY(memory_new(&table, 1, bytes));
    for (int i = 0; i < plan->terms; i++)
        for (int64_t j = 0; j < s->count; j++)
            put_parts(table, i * padded(d) + j, all, s->term[i * s->padded + j], is_double);
    return upload_table(&d->term_time, plan->device, &table, bytes);
}

/* The same for matrix kernels. */
static argand_status make_term_records(field_device *d, const argand_field *plan)
{
    const field_samples *s = &plan->samples;
    const int records = field_term_records(d, plan);
    float *table;
    if (!records) return ARGAND_OK;
    TRY(NEW(table, 4 * records * padded(d)));
    for (int i = 0; i < plan->terms; i++)
        for (int64_t j = 0; j < s->count; j++)
            put_record(table, j, records, i, s->term[i * s->padded + j], d->careful);
    return upload_table(&d->term_records, plan->device, &table,
                        4 * (size_t)records * (size_t)padded(d) * sizeof *table);
}

argand_status field_device_samples(field_device *d, const argand_field *plan)
{
    double *centre = NULL;
    argand_status status;
    d->blocks = (int)((plan->samples.count + FIELD_BLOCK - 1) / FIELD_BLOCK);
    TRY_OR_DONE(make_centres(d, plan, &centre));
    TRY_OR_DONE(make_samples(d, plan, centre));
    TRY_OR_DONE(make_courses(d, plan, centre));
    TRY_OR_DONE(make_shapes(d, plan));
    TRY_OR_DONE(make_sources(d, plan));
    TRY_OR_DONE(make_weights(d, plan));
    TRY_OR_DONE(make_terms(d, plan));
    status = make_term_records(d, plan);
done:
    memory_free(centre);
    return status;
}
