/* SPDX-License-Identifier: BSD-3-Clause */
/* The pixels' tables for GPUs: spots of 16 neighbours along x, each begun at the first pixel that no spot
 * before it holds, so that few slots are lost to masks; or, for matrix units, tiles of 4 x 4, so that few are
 * lost to row ends. Padded to whole groups of outputs with empty spots. */
#include "field/device_table.h"
#include "field/device_engine.h"

/* The beginnings of the spots: for each, its first column and that column's place in the image. */
typedef struct cut {
    int64_t column;
    int32_t x, y, z;
} cut;

/* Calls with cuts NULL only count. */
static int64_t cut_rows(cut *cuts, const field_pixels *p)
{
    enum { SPOT = FIELD_SEGMENT };
    int64_t count = 0;
    cut now = {.x = -SPOT, .y = -1};
    for (int64_t r = 0; r < p->rows; r++)
        for (int64_t c = p->row[r].first; c < p->row[r].first + p->row[r].count; c++) {
            const bool inside = p->row[r].y == now.y && p->row[r].z == now.z && p->plus[c] < now.x + SPOT;
            if (inside) continue;
            now = (cut){c, p->plus[c], p->row[r].y, p->row[r].z};
            if (cuts) cuts[count] = now;
            count++;
        }
    return count;
}

static int64_t slots(const field_layout *l)
{
    return (int64_t)l->segments * FIELD_SEGMENT;
}

/* Pixels and empty slots of a spot up to its last pixel. */
static int held(const cut *cuts, const field_pixels *p, int64_t s, int64_t count)
{
    const int64_t end = s + 1 < count ? cuts[s + 1].column : p->columns;
    return p->plus[end - 1] - cuts[s].x + 1;
}

static argand_status make_places(field_layout *l, const argand_field *plan, const cut *cuts)
{
    const int64_t spots = l->segments;
    int32_t *table;
    TRY(NEW(table, 4 * spots));
    for (int64_t s = 0; s < l->spots; s++) {
        table[4 * s] = (int32_t)(cuts[s].x + FIELD_SEGMENT / 2 - plan->n[0] / 2);
        table[4 * s + 1] = (int32_t)(cuts[s].y - plan->n[1] / 2);
        table[4 * s + 2] = (int32_t)(cuts[s].z - plan->n[2] / 2);
        table[4 * s + 3] = (int32_t)held(cuts, &plan->pixels, s, l->spots);
    }
    return upload_table(&l->places, plan->device, &table, (size_t)spots * 4 * sizeof *table);
}

/* Which column is in each slot; -1 for none. */
static argand_status find_columns(int64_t **columns, const field_layout *l, const argand_field *plan,
                                  const cut *cuts)
{
    const field_pixels *p = &plan->pixels;
    TRY(NEW(*columns, slots(l)));
    for (int64_t i = 0; i < slots(l); i++) (*columns)[i] = -1;
    for (int64_t s = 0; s < l->spots; s++) {
        const int64_t end = s + 1 < l->spots ? cuts[s + 1].column : p->columns;
        for (int64_t c = cuts[s].column; c < end; c++)
            (*columns)[s * FIELD_SEGMENT + p->plus[c] - cuts[s].x] = c;
    }
    return ARGAND_OK;
}

static int32_t source_of_column(const argand_field *plan, const field_pixels *p, int64_t r, int64_t c)
{
    return (int32_t)(p->plus[c] + plan->n[0] * (p->row[r].y + plan->n[1] * p->row[r].z));
}

/* Finds the place of each column in the image. */
static argand_status find_sources(int32_t **of_column, const argand_field *plan)
{
    const field_pixels *p = &plan->pixels;
    TRY(NEW(*of_column, p->columns));
    for (int64_t r = 0; r < p->rows; r++)
        for (int64_t c = p->row[r].first; c < p->row[r].first + p->row[r].count; c++)
            (*of_column)[c] = source_of_column(plan, p, r, c);
    return ARGAND_OK;
}

static argand_status make_sources(field_layout *l, const argand_field *plan, const int32_t *of_column,
                                  const int64_t *columns)
{
    int32_t *table;
    TRY(NEW(table, slots(l)));
    for (int64_t i = 0; i < slots(l); i++) table[i] = columns[i] < 0 ? -1 : of_column[columns[i]];
    return upload_table(&l->pixel_source, plan->device, &table, (size_t)slots(l) * sizeof *table);
}

static double real_of(const void *values, int64_t index, bool is_double)
{
    return is_double ? ((const double *)values)[index] : (double)((const float *)values)[index];
}

/* Field in two parts, decay. */
static argand_status make_pixels(field_layout *l, const field_device *d, const argand_field *plan,
                                 const int64_t *columns)
{
    const field_pixels *p = &plan->pixels;
    const bool is_double = field_is_double(plan);
    const size_t real = field_real_size(plan);
    void *table;
    TRY(memory_new(&table, (size_t)slots(l) * 4, real));
    for (int64_t i = 0; i < slots(l); i++) {
        const int64_t c = columns[i];
        const double turns = c >= 0 && d->field ? p->turns[c] : 0;
        put_real(table, 4 * i, turns, is_double);
        put_real(table, 4 * i + 1, c >= 0 && d->decay ? real_of(p->decay, c, is_double) : 0, is_double);
        put_real(table, 4 * i + 2, is_double ? 0 : turns - (double)(float)turns, is_double);
    }
    return upload_table(&l->pixels, plan->device, &table, (size_t)slots(l) * 4 * real);
}

static argand_status make_slopes(field_layout *l, const field_device *d, const argand_field *plan,
                                 const int64_t *columns)
{
    const field_pixels *p = &plan->pixels;
    const bool is_double = field_is_double(plan);
    const size_t real = field_real_size(plan);
    void *table;
    if (!d->gradients) return ARGAND_OK;
    TRY(memory_new(&table, (size_t)slots(l) * 4, real));
    for (int64_t i = 0; i < slots(l); i++)
        for (int axis = 0; axis < 3; axis++)
            if (columns[i] >= 0 && p->gradient[axis])
                put_real(table, 4 * i + axis, real_of(p->gradient[axis], columns[i], is_double), is_double);
    return upload_table(&l->slopes, plan->device, &table, (size_t)slots(l) * 4 * real);
}

static argand_status make_terms(field_layout *l, const argand_field *plan, const int64_t *columns)
{
    const field_pixels *p = &plan->pixels;
    const int64_t all = slots(l) * plan->terms;
    const size_t bytes = 2 * (size_t)all * field_real_size(plan);
    void *table;
    if (!plan->terms) return ARGAND_OK;
    TRY(memory_new(&table, 1, bytes));
    for (int k = 0; k < plan->terms; k++)
        for (int64_t i = 0; i < slots(l); i++)
            if (columns[i] >= 0)
                put_parts(table, k * slots(l) + i, all, p->term[k * p->columns + columns[i]],
                          field_is_double(plan));
    return upload_table(&l->term_space, plan->device, &table, bytes);
}

/* The same for matrix kernels. */
static argand_status make_term_records(field_layout *l, const field_device *d, const argand_field *plan,
                                       const int64_t *columns)
{
    const field_pixels *p = &plan->pixels;
    const int records = field_term_records(d, plan);
    float *table;
    if (!records) return ARGAND_OK;
    TRY(NEW(table, 4 * records * slots(l)));
    for (int k = 0; k < plan->terms; k++)
        for (int64_t i = 0; i < slots(l); i++)
            if (columns[i] >= 0)
                put_record(table, i, records, k, p->term[k * p->columns + columns[i]], d->careful);
    return upload_table(&l->term_records, plan->device, &table,
                        4 * (size_t)records * (size_t)slots(l) * sizeof *table);
}

/* Segments, in whole groups of outputs. */
static int64_t segments_of(int64_t spots)
{
    enum { GROUP = FIELD_BLOCK / FIELD_SEGMENT };
    const int64_t groups = (spots + GROUP - 1) / GROUP;
    return GROUP * (groups ? groups : 1);
}

/* Makes the tables that kernels read for each slot. */
static argand_status make_tables(field_layout *l, const int32_t *of_column, const field_device *d,
                                 const argand_field *plan, const int64_t *columns)
{
    TRY(make_sources(l, plan, of_column, columns));
    TRY(make_pixels(l, d, plan, columns));
    TRY(make_slopes(l, d, plan, columns));
    if (!l->tiled) TRY(make_terms(l, plan, columns)); /* general kernels have rows */
    return make_term_records(l, d, plan, columns);
}

static argand_status make_layout(field_layout *l, int64_t **columns, const int32_t *of_column,
                                 const field_device *d, const argand_field *plan)
{
    cut *cuts = NULL;
    argand_status status;
    l->spots = (int)cut_rows(NULL, &plan->pixels);
    l->segments = (int)segments_of(l->spots);
    TRY_OR_DONE(NEW(cuts, l->segments));
    cut_rows(cuts, &plan->pixels);
    TRY_OR_DONE(find_columns(columns, l, plan, cuts));
    TRY_OR_DONE(make_places(l, plan, cuts));
    status = make_tables(l, of_column, d, plan, *columns);
done:
    memory_free(cuts);
    return status;
}

/* ---- tiles of 4 x 4 pixels ---- */

enum { SIDE = 4 };

/* Tiles of the whole image along each axis. */
typedef struct grid {
    int64_t n[3];
} grid;

static grid grid_of(const argand_field *plan)
{
    return (grid){{(plan->n[0] + SIDE - 1) / SIDE, (plan->n[1] + SIDE - 1) / SIDE, plan->n[2]}};
}

static int64_t tile_of(const grid *g, const field_pixels *p, int64_t r, int64_t c)
{
    return p->plus[c] / SIDE + g->n[0] * (p->row[r].y / SIDE + g->n[1] * p->row[r].z);
}

/* The number of each tile that holds pixels, -1 of the others; how many there are. */
static argand_status number_tiles(int32_t **numbers, int64_t *count, const argand_field *plan)
{
    const field_pixels *p = &plan->pixels;
    const grid g = grid_of(plan);
    const int64_t all = g.n[0] * g.n[1] * g.n[2];
    TRY(NEW(*numbers, all));
    for (int64_t r = 0; r < p->rows; r++)
        for (int64_t c = p->row[r].first; c < p->row[r].first + p->row[r].count; c++)
            (*numbers)[tile_of(&g, p, r, c)] = 1;
    *count = 0;
    for (int64_t i = 0; i < all; i++) (*numbers)[i] = (*numbers)[i] ? (int32_t)(*count)++ : -1;
    return ARGAND_OK;
}

/* Makes the table of each tile's first pixel. */
static argand_status make_tile_places(field_layout *l, const argand_field *plan, const int32_t *numbers)
{
    const grid g = grid_of(plan);
    int32_t *table;
    TRY(NEW(table, 4 * (int64_t)l->segments));
    for (int64_t i = 0; i < g.n[0] * g.n[1] * g.n[2]; i++) {
        if (numbers[i] < 0) continue;
        table[4 * numbers[i]] = (int32_t)(SIDE * (i % g.n[0]) - plan->n[0] / 2);
        table[4 * numbers[i] + 1] = (int32_t)(SIDE * (i / g.n[0] % g.n[1]) - plan->n[1] / 2);
        table[4 * numbers[i] + 2] = (int32_t)(i / g.n[0] / g.n[1] - plan->n[2] / 2);
    }
    return upload_table(&l->places, plan->device, &table, (size_t)l->segments * 4 * sizeof *table);
}

static argand_status find_tile_columns(int64_t **columns, const field_layout *l, const argand_field *plan,
                                       const int32_t *numbers)
{
    const field_pixels *p = &plan->pixels;
    const grid g = grid_of(plan);
    TRY(NEW(*columns, slots(l)));
    for (int64_t i = 0; i < slots(l); i++) (*columns)[i] = -1;
    for (int64_t r = 0; r < p->rows; r++)
        for (int64_t c = p->row[r].first; c < p->row[r].first + p->row[r].count; c++)
            (*columns)[(int64_t)numbers[tile_of(&g, p, r, c)] * FIELD_SEGMENT + p->row[r].y % SIDE * SIDE +
                       p->plus[c] % SIDE] = c;
    return ARGAND_OK;
}

static argand_status make_tiled_layout(field_layout *l, const int32_t *of_column, const field_device *d,
                                       const argand_field *plan, const int32_t *numbers, int64_t count)
{
    int64_t *columns = NULL;
    argand_status status;
    l->tiled = true;
    l->spots = (int)count;
    l->segments = (int)segments_of(count);
    TRY_OR_DONE(find_tile_columns(&columns, l, plan, numbers));
    TRY_OR_DONE(make_tile_places(l, plan, numbers));
    status = make_tables(l, of_column, d, plan, columns);
done:
    memory_free(columns);
    return status;
}

/* ---- pairs ---- */

static bool has_pixel(const int64_t *columns, int64_t slot)
{
    return columns[slot] >= 0 || columns[slot + 1] >= 0;
}

static int64_t count_pairs(const field_layout *l, const int64_t *columns)
{
    int64_t count = 0;
    for (int64_t slot = 0; slot < slots(l); slot += 2) count += has_pixel(columns, slot);
    return count;
}

/* The slots of all pairs, in order; padded with the last. */
static void fill_slots(int32_t *table, int64_t padded, const field_layout *l, const int64_t *columns)
{
    int64_t at = 0;
    for (int64_t slot = 0; slot < slots(l); slot += 2)
        if (has_pixel(columns, slot)) table[at++] = (int32_t)slot;
    for (; at < padded; at++) table[at] = at ? table[at - 1] : 0;
}

static int most_spots_of(const int32_t *slot, int64_t padded)
{
    enum { PAIRS = FIELD_BLOCK / 2 };
    int most = 1;
    for (int64_t first = 0; first < padded; first += PAIRS) {
        const int spots = slot[first + PAIRS - 1] / FIELD_SEGMENT - slot[first] / FIELD_SEGMENT + 1;
        most = spots > most ? spots : most;
    }
    return most;
}

static argand_status make_pair_sources(field_pairs *pairs, const argand_field *plan, const int32_t *of_column,
                                       const int32_t *slot, int64_t count, const int64_t *columns)
{
    const int64_t outputs = (int64_t)pairs->blocks * FIELD_BLOCK;
    int32_t *table;
    TRY(NEW(table, outputs));
    for (int64_t i = 0; i < outputs; i++) {
        const int64_t column = i / 2 < count ? columns[slot[i / 2] + i % 2] : -1;
        table[i] = column < 0 ? -1 : of_column[column];
    }
    return upload_table(&pairs->pixel_source, plan->device, &table, (size_t)outputs * sizeof *table);
}

static argand_status make_pairs(field_pairs *pairs, const field_layout *l, const argand_field *plan,
                                const int32_t *of_column, const int64_t *columns)
{
    enum { PAIRS = FIELD_BLOCK / 2 };
    const int64_t count = count_pairs(l, columns);
    int32_t *slot = NULL;
    argand_status status;
    pairs->count = (int)count;
    pairs->blocks = (int)(count ? (count + PAIRS - 1) / PAIRS : 1);
    const int64_t padded = (int64_t)pairs->blocks * PAIRS;
    TRY_OR_DONE(NEW(slot, padded));
    fill_slots(slot, padded, l, columns);
    pairs->most_spots = most_spots_of(slot, padded);
    TRY_OR_DONE(make_pair_sources(pairs, plan, of_column, slot, count, columns));
    status = upload_table(&pairs->slot, plan->device, &slot, (size_t)padded * sizeof *slot);
done:
    memory_free(slot);
    return status;
}

/* ---- both layouts ---- */

/* Both kinds of kernel read the same tables. */
static void share_layout(field_layout *to, const field_layout *from)
{
    *to = *from;
    storage *const tables[] = {from->pixels,     from->slopes,       from->pixel_source,
                               from->term_space, from->term_records, from->places};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i]) storage_keep(tables[i]);
}

/* Tiles cost adjoint matrix kernels a multiply-add for two pairs: they are taken where they spare a fortieth
 * of the slots. */
static bool tiles_are_fewer(int64_t tiles, int64_t spots)
{
    int tiled = 40 * tiles <= 39 * spots;
    field_tuning_value("tiled", &tiled);
    return tiled;
}

/* General kernels pass over the slots behind a spot's last pixel. */
static argand_status make_layouts(field_device *d, const argand_field *plan, const int32_t *of_column)
{
    int64_t *columns = NULL, count;
    int32_t *numbers = NULL;
    argand_status status;
    TRY_OR_DONE(make_layout(&d->direct, &columns, of_column, d, plan));
    TRY_OR_DONE(make_pairs(&d->pairs, &d->direct, plan, of_column, columns));
    TRY_OR_DONE(number_tiles(&numbers, &count, plan));
    if (tiles_are_fewer(count, d->direct.spots))
        status = make_tiled_layout(&d->tensor, of_column, d, plan, numbers, count);
    else
        share_layout(&d->tensor, &d->direct);
done:
    memory_free(numbers);
    memory_free(columns);
    return status;
}

argand_status field_device_pixels(field_device *d, const argand_field *plan)
{
    int32_t *of_column;
    TRY(find_sources(&of_column, plan));
    const argand_status status = make_layouts(d, plan, of_column);
    memory_free(of_column);
    return status;
}
