/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan whose missing lines are computed, volume after volume. Acquired lines share their samples with the
 * caller's scan. */
#include "recon/fill/fill.h"

#include <string.h>
#include "base/memory.h"
#include "base/observe.h"

struct argand_fill {
    argand_scan scan;
    argand_acquisition *images;
    fill_added added;
    fill_kernels kernels;
    argand_fill_info info;
    text notes;
};

/* What is kept from volume to volume: weights serve as long as calibration data and sampling are the same. */
typedef struct work {
    const argand_fill_options *options;
    fill_lines lines;
    fill_calibration calibration;
    argand_grappa *plan;
    bool again;                            /* the plan is that of the volume before */
    const argand_acquisition *plan_source; /* first line of its calibration data */
    unsigned char *mask, *plan_mask;
} work;

/* Marks the acquired samples; returns their number. */
static int64_t mark(unsigned char *mask, const argand_array *kspace)
{
    const float *data = argand_array_data(kspace);
    const int64_t coils = argand_array_dim(kspace, 3), positions = argand_array_count(kspace) / coils;
    int64_t count = 0;
    memset(mask, 0, (size_t)positions);
    for (int64_t c = 0; c < coils; c++)
        for (int64_t i = 0; i < positions; i++)
            mask[i] |= data[2 * (c * positions + i)] != 0 || data[2 * (c * positions + i) + 1] != 0;
    for (int64_t i = 0; i < positions; i++) count += mask[i];
    return count;
}

/* Makes weights, unless those of the volume before serve. */
static argand_status follow(work *w, const argand_array *kspace, int64_t positions)
{
    w->again = w->plan && w->plan_source == w->calibration.source &&
               !memcmp(w->mask, w->plan_mask, (size_t)positions);
    if (w->again) return ARGAND_OK;
    argand_grappa_destroy(w->plan);
    w->plan = NULL;
    TRY(argand_grappa_create(&w->plan, kspace, w->calibration.data, &w->options->grappa));
    w->plan_source = w->calibration.source;
    memcpy(w->plan_mask, w->mask, (size_t)positions);
    return ARGAND_OK;
}

static argand_status fill_volume(argand_fill *fill, work *w, int64_t volume)
{
    const fill_lines *l = &w->lines;
    const int64_t *n = l->encoding->matrix, positions = n[0] * n[1] * n[2];
    const int64_t count = l->first[volume + 1] - l->first[volume];
    argand_array *kspace = NULL;
    argand_status status;
    TRY_OR_DONE(fill_grid(&kspace, l, l->line + l->first[volume], count));
    const int64_t acquired = mark(w->mask, kspace);
    fill->info.lines += count;
    if (!acquired || acquired == positions) goto done;
    TRY_OR_DONE(fill_calibrate(&w->calibration, l, volume, kspace));
    TRY_OR_DONE(follow(w, kspace, positions));
    TRY_OR_DONE(argand_grappa_fill(w->plan, kspace));
    argand_grappa_describe(w->plan, &fill->info.last);
    if (w->options->keep_kernels) TRY_OR_DONE(fill_kernels_add(&fill->kernels, l, volume, w->plan, w->again));
    fill->info.filled++;
    status = fill_add(&fill->added, l, volume, kspace, fill->images);
done:
    argand_array_destroy(kspace);
    return status;
}

static void tell(argand_fill *fill)
{
    const argand_fill_info *i = &fill->info;
    const argand_grappa_info *g = &i->last;
    text *notes = &fill->notes;
    if (!i->filled) {
        text_add(notes, "GRAPPA: k-space is complete: nothing to fill.\n");
        return;
    }
    text_add(notes,
             "GRAPPA: %lld lines were acquired and %lld added in %lld volume%s; window of %d x %d x %d, %lld "
             "pattern%s, calibration region of %lld x %lld x %lld.\n",
             (long long)i->lines, (long long)i->added, (long long)i->filled, plural_s(i->filled),
             g->kernel[0], g->kernel[1], g->kernel[2], (long long)g->patterns, plural_s(g->patterns),
             (long long)g->calibration[0], (long long)g->calibration[1], (long long)g->calibration[2]);
    if (g->equations < 2 * g->unknowns)
        text_add(notes,
                 "GRAPPA: the calibration region gives %lld equations for %lld weights: expect noise and "
                 "aliasing; more calibration lines help.\n",
                 (long long)g->equations, (long long)g->unknowns);
}

/* Joins the scan's lines and the added ones. */
static argand_status join(argand_fill *fill, const argand_scan *scan)
{
    argand_acquisition *all;
    const int64_t own = scan->acquisition_count, added = fill->added.count;
    TRY(NEW(all, own + added));
    memcpy(all, fill->images, (size_t)own * sizeof *all);
    if (added) memcpy(all + own, fill->added.lines, (size_t)added * sizeof *all);
    memory_free(fill->images);
    fill->images = all;
    fill->scan.acquisitions = all;
    fill->scan.acquisition_count = own + added;
    fill->info.added = added;
    return ARGAND_OK;
}

static argand_status prepare(argand_fill *fill, const argand_scan *scan, const argand_fill_options *o)
{
    work w = {.options = o};
    argand_status status;
    fill->scan = *scan;
    TRY(NEW(fill->images, scan->acquisition_count));
    memcpy(fill->images, scan->acquisitions, (size_t)scan->acquisition_count * sizeof *fill->images);
    TRY_OR_DONE(fill_lines_find(&w.lines, scan, o->encoding));
    const int64_t *n = w.lines.encoding->matrix;
    TRY_OR_DONE(NEW(w.mask, n[0] * n[1] * n[2]));
    TRY_OR_DONE(NEW(w.plan_mask, n[0] * n[1] * n[2]));
    if (o->keep_kernels) TRY_OR_DONE(fill_kernels_new(&fill->kernels, &w.lines));
    fill->info.volumes = w.lines.volumes;
    for (int64_t v = 0; v < w.lines.volumes; v++) {
        TRY_OR_DONE(observe("GRAPPA", (double)v / (double)w.lines.volumes));
        TRY_OR_DONE(fill_volume(fill, &w, v));
    }
    TRY_OR_DONE(join(fill, scan));
    tell(fill);
    status = fill->notes.status;
done:
    argand_grappa_destroy(w.plan);
    argand_array_destroy(w.calibration.data);
    memory_free(w.mask);
    memory_free(w.plan_mask);
    fill_lines_free(&w.lines);
    return status;
}

argand_status argand_fill_create(argand_fill **fill, const argand_scan *scan,
                                 const argand_fill_options *options)
{
    static const argand_fill_options defaults = {0};
    if (fill) *fill = NULL;
    CHECK(fill && scan, ARGAND_ARGUMENT, "argand_fill_create: %s is NULL", fill ? "scan" : "fill");
    const argand_fill_options *o = options ? options : &defaults;
    CHECK(o->encoding >= 0 && o->encoding < scan->encoding_count, ARGAND_ARGUMENT,
          "%s: there is no encoding space %d", scan->path, o->encoding);
    TRY(NEW(*fill, 1));
    const argand_status status = prepare(*fill, scan, o);
    if (!status) return ARGAND_OK;
    argand_fill_destroy(*fill);
    *fill = NULL;
    return status;
}

const fill_kernels *fill_kernels_of(const argand_fill *fill)
{
    return &fill->kernels;
}

const argand_scan *argand_fill_scan(const argand_fill *fill)
{
    return fill ? &fill->scan : NULL;
}

void argand_fill_describe(const argand_fill *fill, argand_fill_info *info)
{
    if (info) *info = fill ? fill->info : (argand_fill_info){0};
}

const char *argand_fill_notes(const argand_fill *fill)
{
    return fill ? text_chars(&fill->notes) : "";
}

void argand_fill_destroy(argand_fill *fill)
{
    if (!fill) return;
    memory_free(fill->images);
    fill_added_free(&fill->added);
    fill_kernels_free(&fill->kernels);
    text_free(&fill->notes);
    memory_free(fill);
}
