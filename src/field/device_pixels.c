/* SPDX-License-Identifier: BSD-3-Clause */
/* The pixels' tables for GPUs: spots of 16 or 8 neighbours along x, each begun at the first pixel that no
 * spot before it holds, so that few slots are lost to masks and row ends. Padded to whole groups of outputs
 * with empty spots. */
#include "field/device_table.h"
#include "field/device_way.h"

/* Where the spots begin: for each, its first column and that column's place in the image. */
typedef struct cut {
    int64_t column;
    int32_t x, y, z;
} cut;

/* Calls with cuts NULL only count. */
static int64_t cut_rows(cut *cuts, const field_pixels *p, int spot)
{
    int64_t count = 0;
    cut now = {.x = -spot, .y = -1};
    for (int64_t r = 0; r < p->rows; r++)
        for (int64_t c = p->row[r].first; c < p->row[r].first + p->row[r].count; c++) {
            const bool inside = p->row[r].y == now.y && p->row[r].z == now.z && p->plus[c] < now.x + spot;
            if (inside) continue;
            now = (cut){c, p->plus[c], p->row[r].y, p->row[r].z};
            if (cuts) cuts[count] = now;
            count++;
        }
    return count;
}

static int64_t slots(const field_device *d)
{
    return (int64_t)d->segments * FIELD_SEGMENT;
}

static argand_status make_places(field_device *d, const argand_field *plan, const cut *cuts, int64_t count)
{
    const int64_t spots = slots(d) / d->spot;
    int32_t *table;
    TRY(NEW(table, 4 * spots));
    for (int64_t s = 0; s < count; s++) {
        table[4 * s] = (int32_t)(cuts[s].x + d->spot / 2 - plan->n[0] / 2);
        table[4 * s + 1] = (int32_t)(cuts[s].y - plan->n[1] / 2);
        table[4 * s + 2] = (int32_t)(cuts[s].z - plan->n[2] / 2);
    }
    return upload_table(&d->places, plan->device, &table, (size_t)spots * 4 * sizeof *table);
}

/* Which column is in each slot; -1 for none. */
static argand_status find_columns(int64_t **columns, const field_device *d, const argand_field *plan,
                                  const cut *cuts, int64_t count)
{
    const field_pixels *p = &plan->pixels;
    TRY(NEW(*columns, slots(d)));
    for (int64_t i = 0; i < slots(d); i++) (*columns)[i] = -1;
    for (int64_t s = 0; s < count; s++) {
        const int64_t end = s + 1 < count ? cuts[s + 1].column : p->columns;
        for (int64_t c = cuts[s].column; c < end; c++) (*columns)[s * d->spot + p->plus[c] - cuts[s].x] = c;
    }
    return ARGAND_OK;
}

static argand_status make_sources(field_device *d, const argand_field *plan, const cut *cuts,
                                  const int64_t *columns)
{
    int32_t *table;
    TRY(NEW(table, slots(d)));
    for (int64_t i = 0; i < slots(d); i++) {
        const cut *at = &cuts[i / d->spot];
        table[i] =
            columns[i] < 0 ? -1 : (int32_t)(at->x + i % d->spot + plan->n[0] * (at->y + plan->n[1] * at->z));
    }
    return upload_table(&d->pixel_source, plan->device, &table, (size_t)slots(d) * sizeof *table);
}

static double real_of(const void *values, int64_t index, bool is_double)
{
    return is_double ? ((const double *)values)[index] : (double)((const float *)values)[index];
}

/* Field in two parts, decay. */
static argand_status make_pixels(field_device *d, const argand_field *plan, const int64_t *columns)
{
    const field_pixels *p = &plan->pixels;
    const bool is_double = field_is_double(plan);
    const size_t real = field_real_size(plan);
    void *table;
    TRY(memory_new(&table, (size_t)slots(d) * 4, real));
    for (int64_t i = 0; i < slots(d); i++) {
        const int64_t c = columns[i];
        const double turns = c >= 0 && d->field ? p->turns[c] : 0;
        put_real(table, 4 * i, turns, is_double);
        put_real(table, 4 * i + 1, c >= 0 && d->decay ? real_of(p->decay, c, is_double) : 0, is_double);
        put_real(table, 4 * i + 2, is_double ? 0 : turns - (double)(float)turns, is_double);
    }
    return upload_table(&d->pixels, plan->device, &table, (size_t)slots(d) * 4 * real);
}

static argand_status make_slopes(field_device *d, const argand_field *plan, const int64_t *columns)
{
    const field_pixels *p = &plan->pixels;
    const bool is_double = field_is_double(plan);
    const size_t real = field_real_size(plan);
    void *table;
    if (!d->gradients) return ARGAND_OK;
    TRY(memory_new(&table, (size_t)slots(d) * 4, real));
    for (int64_t i = 0; i < slots(d); i++)
        for (int axis = 0; axis < 3; axis++)
            if (columns[i] >= 0 && p->gradient[axis])
                put_real(table, 4 * i + axis, real_of(p->gradient[axis], columns[i], is_double), is_double);
    return upload_table(&d->slopes, plan->device, &table, (size_t)slots(d) * 4 * real);
}

static argand_status make_terms(field_device *d, const argand_field *plan, const int64_t *columns)
{
    const field_pixels *p = &plan->pixels;
    const int64_t all = slots(d) * plan->terms;
    const size_t bytes = 2 * (size_t)all * field_real_size(plan);
    void *table;
    if (!plan->terms) return ARGAND_OK;
    TRY(memory_new(&table, 1, bytes));
    for (int k = 0; k < plan->terms; k++)
        for (int64_t i = 0; i < slots(d); i++)
            if (columns[i] >= 0)
                put_parts(table, k * slots(d) + i, all, p->term[k * p->columns + columns[i]],
                          field_is_double(plan));
    return upload_table(&d->term_space, plan->device, &table, bytes);
}

/* Segments, in whole groups of outputs. */
static int64_t segments_of(int64_t spots, int spot)
{
    enum { GROUP = FIELD_BLOCK / FIELD_SEGMENT };
    const int64_t groups = (spots * spot + FIELD_BLOCK - 1) / FIELD_BLOCK;
    return GROUP * (groups ? groups : 1);
}

/* Spots of 8 cost a few instructions more a pair: they are taken where they spare a twentieth of the slots.
 */
static int64_t choose_spots(field_device *d, const field_pixels *p)
{
    const int64_t wide = cut_rows(NULL, p, FIELD_SEGMENT), narrow = cut_rows(NULL, p, FIELD_SEGMENT / 2);
    const int64_t with_wide = segments_of(wide, FIELD_SEGMENT),
                  with_narrow = segments_of(narrow, FIELD_SEGMENT / 2);
    int wanted = 0;
    field_shape_word("spot", &wanted);
    const bool is_narrow = wanted ? wanted < FIELD_SEGMENT : 20 * with_narrow <= 19 * with_wide;
    d->spot = is_narrow ? FIELD_SEGMENT / 2 : FIELD_SEGMENT;
    d->segments = (int)(is_narrow ? with_narrow : with_wide);
    return is_narrow ? narrow : wide;
}

argand_status field_device_pixels(field_device *d, const argand_field *plan)
{
    cut *cuts = NULL;
    int64_t *columns = NULL;
    argand_status status;
    const int64_t count = choose_spots(d, &plan->pixels);
    TRY_OR_DONE(NEW(cuts, slots(d) / d->spot));
    cut_rows(cuts, &plan->pixels, d->spot);
    TRY_OR_DONE(find_columns(&columns, d, plan, cuts, count));
    TRY_OR_DONE(make_places(d, plan, cuts, count));
    TRY_OR_DONE(make_sources(d, plan, cuts, columns));
    TRY_OR_DONE(make_pixels(d, plan, columns));
    TRY_OR_DONE(make_slopes(d, plan, columns));
    status = make_terms(d, plan, columns);
done:
    memory_free(columns);
    memory_free(cuts);
    return status;
}
