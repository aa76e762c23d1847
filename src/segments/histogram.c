/* SPDX-License-Identifier: BSD-3-Clause */
#include "segments/histogram.h"

#include "segments/gauss.h"

typedef struct bin {
    int count;
    double decay, total; /* sum of weight times decay, sum of weights */
    double x[GAUSS_MOST_POINTS], weight[GAUSS_MOST_POINTS];
} bin;

/* Four turns of E, eight of the squared error, are within 1e-13 of a polynomial of degree 39. */
histogram_grid histogram_grid_for(double turns, int multiple, double decays)
{
    const int panels = (int)fmin(4096, fmax(1, ceil(turns / (4 * multiple)))) * multiple;
    return (histogram_grid){.panels = panels,
                            .nodes = 8 + (int)ceil(3 * fmin(turns / panels, 4)),
                            .slabs = (int)fmin(16, 1 + ceil(4 * decays))};
}

static int place_of(double x, double low, double high, int places)
{
    const double place = high > low ? (x - low) / (high - low) * places : 0;
    return place < places ? (int)place : places - 1;
}

static void bin_add(bin *b, double x, double decay, double weight, int nodes)
{
    if (b->count == GAUSS_MOST_POINTS) b->count = gauss_compress(b->x, b->weight, b->count, nodes);
    b->x[b->count] = x;
    b->weight[b->count++] = weight;
    b->decay += weight * decay;
    b->total += weight;
}

static argand_status fill(bin **bins, const values *v, const histogram_grid *grid)
{
    for (int64_t i = 0; i < v->count; i++) {
        const double decay = v->decay ? v->decay[i] : 0, weight = v->weight ? v->weight[i] : 1;
        if (!(weight > 0)) continue;
        const int at = place_of(v->value[i], v->low, v->high, grid->panels) +
                       grid->panels * place_of(decay, v->decay_low, v->decay_high, grid->slabs);
        if (!bins[at]) TRY(NEW(bins[at], 1));
        bin_add(bins[at], v->value[i], decay, weight, grid->nodes);
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
            h->at[h->count] = imaginary ? CMPLX(bins[i]->decay / bins[i]->total, x) : CMPLX(x, 0);
            h->weight[h->count++] = bins[i]->weight[k];
        }
    return ARGAND_OK;
}

argand_status histogram_make(histogram *h, const values *v, const histogram_grid *grid, bool imaginary)
{
    const int count = grid->panels * grid->slabs;
    bin **bins;
    *h = (histogram){0};
    TRY(NEW(bins, count));
    argand_status status = fill(bins, v, grid);
    if (status == ARGAND_OK) status = collect(h, bins, count, grid, imaginary);
    if (status != ARGAND_OK) histogram_release(h);
    for (int i = 0; i < count; i++) memory_free(bins[i]);
    memory_free(bins);
    return status;
}

void histogram_release(histogram *h)
{
    memory_free(h->at);
    memory_free(h->weight);
    *h = (histogram){0};
}
