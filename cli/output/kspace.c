/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws two pictures of the first volume's k-space with a pixel for each cycle per field of view: the
 * number of samples in each cell, and their magnitude. */
#include "output/provenance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINEST = 512 };
static const double floor_db = -80;

typedef struct kspace {
    int64_t n[2];
    float *count, *size; /* per cell: number of samples; mean root of the sum of squares over channels */
} kspace;

static bool is_of_volume(const argand_acquisition *a, const argand_counters *c, int encoding)
{
    const argand_counters *b = &a->counters;
    return a->encoding == encoding && b->slice == c->slice && b->repetition == c->repetition &&
           b->contrast == c->contrast && b->average == c->average && b->phase == c->phase && b->set == c->set;
}

static void add_samples(kspace *k, const argand_acquisition *a, const argand_encoding *e)
{
    for (int64_t j = 0; j < a->samples; j++) {
        int64_t cell = 0, step = 1;
        bool inside = true;
        for (int axis = 0; axis < 2; axis++) {
            const double x =
                floor(((double)a->k[axis][j] / (double)e->matrix[axis] + 0.5) * (double)k->n[axis]);
            inside &= x >= 0 && x < (double)k->n[axis];
            cell += inside ? (int64_t)x * step : 0;
            step *= k->n[axis];
        }
        double square = 0;
        for (int c = 0; c < a->channels; c++) {
            const float *s = a->data + 2 * (j + a->samples * c);
            square += (double)s[0] * s[0] + (double)s[1] * s[1];
        }
        if (!inside) continue;
        k->count[cell] += 1;
        k->size[cell] += (float)sqrt(square);
    }
}

static void to_decibel(kspace *k)
{
    float most = 0;
    for (int64_t i = 0; i < k->n[0] * k->n[1]; i++) {
        if (k->count[i] > 0) k->size[i] /= k->count[i];
        if (k->size[i] > most) most = k->size[i];
    }
    for (int64_t i = 0; i < k->n[0] * k->n[1]; i++) {
        const double value = k->size[i] > 0 ? 20 * log10((double)k->size[i] / (double)most) : floor_db;
        k->size[i] = (float)(value < floor_db ? floor_db : value);
    }
}

static argand_status show(argand_report *page, const output *o, const kspace *k, float *values,
                          const argand_report_view *view)
{
    argand_array *array;
    TRY(argand_array_create(&array, o->run.device, ARGAND_R32, 2, k->n));
    argand_status status = argand_array_upload(array, values);
    if (status == ARGAND_OK) status = argand_report_image(page, array, view);
    argand_array_destroy(array);
    return status;
}

argand_status kspace_report(argand_report *page, const output *o)
{
    static const argand_report_view counted = {
        .title = "Trajectory: samples of each cycle per field of view, first volume",
        .map = true,
        .colours = ARGAND_COLOURS_HEAT};
    static const argand_report_view measured = {.title = "K-space: mean magnitude, first volume",
                                                .unit = "dB",
                                                .map = true,
                                                .low = -80,
                                                .high = 0,
                                                .colours = ARGAND_COLOURS_GREY};
    const argand_scan *scan = o->run.scan;
    const int encoding = scan->acquisitions[0].encoding;
    const argand_encoding *e = &scan->encodings[encoding];
    const argand_counters *volume = argand_sense_counters(o->run.session, 0);
    kspace k = {
        .n = {e->matrix[0] < FINEST ? e->matrix[0] : FINEST, e->matrix[1] < FINEST ? e->matrix[1] : FINEST}};
    const size_t cells = (size_t)(k.n[0] * k.n[1]);
    argand_status status = ARGAND_OK;
    k.count = calloc(cells, sizeof *k.count);
    k.size = calloc(cells, sizeof *k.size);
    if (!k.count || !k.size) status = report_error(ARGAND_MEMORY, "out of memory");
    for (int64_t i = 0; status == ARGAND_OK && i < scan->acquisition_count; i++)
        if (is_of_volume(&scan->acquisitions[i], volume, encoding))
            add_samples(&k, &scan->acquisitions[i], e);
    if (status == ARGAND_OK) to_decibel(&k);
    if (status == ARGAND_OK) status = show(page, o, &k, k.count, &counted);
    if (status == ARGAND_OK) status = show(page, o, &k, k.size, &measured);
    free(k.count);
    free(k.size);
    return status;
}
