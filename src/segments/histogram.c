/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces the distribution of the pixels' frequencies, or of the samples' times, by few weighted points. */
#include "segments/histogram.h"

#include "base/whole.h"
#include "segments/gauss.h"

typedef struct bin {
    int count;
    double x[GAUSS_MOST_POINTS], weight[GAUSS_MOST_POINTS];
} bin;

/* Four turns of E, eight of the squared error, are a polynomial of degree 39 up to 1e-13. Cells are finer
 * than the oscillation of an error, which has about one period per term. */
histogram_grid histogram_grid_for(double turns, int multiple, double decays)
{
    const int panels = (int)fmin(4096, fmax(1, ceil(turns / (4 * multiple)))) * multiple;
    return (histogram_grid){.panels = panels,
                            .nodes = 8 + (int)ceil(3 * fmin(turns / panels, 4)),
                            .strips = (int)fmin(1024, 64 + 8 * turns),
                            .cells = (int)fmin(32, 2 + ceil(8 * decays))};
}

static int place_of(double x, double low, double high, int places)
{
    const double place = high > low ? (x - low) / (high - low) * places : 0;
    return (int)whole(place, 0, places - 1);
}

static void bin_add(bin *b, double x, double weight, int nodes)
{
    if (b->count == GAUSS_MOST_POINTS) b->count = gauss_compress(b->x, b->weight, b->count, nodes);
    b->x[b->count] = x;
    b->weight[b->count++] = weight;
}

static argand_status fill(bin **bins, const values *v, const histogram_grid *grid)
{
    for (int64_t i = 0; i < v->count; i++) {
        const double weight = v->weight ? v->weight[i] : 1;
        const int at = place_of(v->value[i], v->low, v->high, grid->panels);
        if (!(weight > 0)) continue;
        if (!bins[at]) TRY(NEW(bins[at], 1));
        bin_add(bins[at], v->value[i], weight, grid->nodes);
    }
    return ARGAND_OK;
}

static argand_status collect(histogram *h, bin **bins, int count, const histogram_grid *grid, bool imaginary)
{
    int nodes = 0;
    for (int i = 0; i < count; i++) {
        if (!bins[i]) continue;
        bins[i]->count = gauss_compress(bins[i]->x, bins[i]->weight, bins[i]->count, grid->nodes);
        nodes += bins[i]->count;
    }
    TRY(NEW(h->at, nodes));
    TRY(NEW(h->weight, nodes));
    for (int i = 0; i < count; i++)
        for (int k = 0; bins[i] && k < bins[i]->count; k++) {
            const double x = bins[i]->x[k];
            h->at[h->count] = imaginary ? CMPLX(0, x) : CMPLX(x, 0);
            h->weight[h->count++] = bins[i]->weight[k];
        }
    return ARGAND_OK;
}

static argand_status by_panels(histogram *h, const values *v, const histogram_grid *grid, bool imaginary)
{
    bin **bins;
    TRY(NEW(bins, grid->panels));
    argand_status status = fill(bins, v, grid);
    if (status == ARGAND_OK) status = collect(h, bins, grid->panels, grid, imaginary);
    for (int i = 0; i < grid->panels; i++) memory_free(bins[i]);
    memory_free(bins);
    return status;
}

/* Sums of weight, weight times w, weight times decay in a cell. */
typedef struct cell {
    double weight, w, decay;
} cell;

static void add_to_cells(cell *cells, const values *v, const histogram_grid *grid)
{
    for (int64_t i = 0; i < v->count; i++) {
        const double weight = v->weight ? v->weight[i] : 1;
        cell *c = cells + place_of(v->value[i], v->low, v->high, grid->strips) +
                  grid->strips * place_of(v->decay[i], v->decay_low, v->decay_high, grid->cells);
        c->weight += weight;
        c->w += weight * v->value[i];
        c->decay += weight * v->decay[i];
    }
}

static argand_status put_cells(histogram *h, const cell *cells, int count)
{
    TRY(NEW(h->at, count));
    TRY(NEW(h->weight, count));
    for (int i = 0; i < count; i++) {
        if (!(cells[i].weight > 0)) continue;
        h->at[h->count] = CMPLX(cells[i].decay / cells[i].weight, cells[i].w / cells[i].weight);
        h->weight[h->count++] = cells[i].weight;
    }
    return ARGAND_OK;
}

static argand_status by_cells(histogram *h, const values *v, const histogram_grid *grid)
{
    const int count = grid->strips * grid->cells;
    cell *cells;
    TRY(NEW(cells, count));
    add_to_cells(cells, v, grid);
    const argand_status status = put_cells(h, cells, count);
    memory_free(cells);
    return status;
}

/* Copies the points unchanged. */
static argand_status by_points(histogram *h, const values *v)
{
    TRY(NEW(h->at, v->count));
    TRY(NEW(h->weight, v->count));
    for (int64_t i = 0; i < v->count; i++) {
        if (v->weight && !(v->weight[i] > 0)) continue;
        h->at[h->count] = CMPLX(v->decay[i], v->value[i]);
        h->weight[h->count++] = v->weight ? v->weight[i] : 1;
    }
    return ARGAND_OK;
}

static argand_status with_decay(histogram *h, const values *v, const histogram_grid *grid)
{
    return v->count <= (int64_t)grid->strips * 8 ? by_points(h, v) : by_cells(h, v, grid);
}

argand_status histogram_make(histogram *h, const values *v, const histogram_grid *grid, bool imaginary)
{
    *h = (histogram){0};
    const argand_status status = v->decay ? with_decay(h, v, grid) : by_panels(h, v, grid, imaginary);
    if (status != ARGAND_OK) histogram_release(h);
    return status;
}

void histogram_release(histogram *h)
{
    memory_free(h->at);
    memory_free(h->weight);
    *h = (histogram){0};
}
