/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan of EPI with equidistant samples and without the error of reversed lines. Lines that stay as they
 * are share their samples with the caller's scan. */
#include "recon/epi/epi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/pi.h"
#include "base/text.h"

struct argand_epi {
    argand_scan scan;
    argand_acquisition *lists[EPI_LISTS];
    float *samples, *k, *t; /* of changed lines */
    float *reordered;       /* samples, k and t of lines that were reordered */
    argand_encoding *encodings;
    argand_epi_info info;
    argand_epi_estimate *estimates;
    text notes, all_notes; /* all_notes: the scan's, then these */
};

/* The lines that change, with their estimates. */
typedef struct changed_lines {
    int64_t count;
    argand_acquisition **lines;
    const argand_epi_phase **phases;
    int64_t elsewhere; /* lines that take the estimate of another slice */
} changed_lines;

static argand_status copy_list(argand_epi *epi, int list, const argand_acquisition *from, int64_t count)
{
    TRY(NEW(epi->lists[list], count));
    if (count) memcpy(epi->lists[list], from, (size_t)count * sizeof *from);
    return ARGAND_OK;
}

static argand_status copy_lists(argand_epi *epi, const argand_scan *scan)
{
    epi->scan = *scan;
    TRY(copy_list(epi, EPI_IMAGES, scan->acquisitions, scan->acquisition_count));
    TRY(copy_list(epi, EPI_CALIBRATIONS, scan->calibrations, scan->calibration_count));
    TRY(copy_list(epi, EPI_CORRECTIONS, scan->corrections, scan->correction_count));
    epi->scan.acquisitions = epi->lists[EPI_IMAGES];
    epi->scan.calibrations = epi->lists[EPI_CALIBRATIONS];
    epi->scan.corrections = epi->lists[EPI_CORRECTIONS];
    return ARGAND_OK;
}

static argand_status collect(changed_lines *c, argand_epi *epi, const line_plan *p, const ghosts *g)
{
    const int64_t counts[EPI_LISTS] = {epi->scan.acquisition_count, epi->scan.calibration_count,
                                       epi->scan.correction_count};
    TRY(NEW(c->lines, counts[0] + counts[1] + counts[2]));
    TRY(NEW(c->phases, counts[0] + counts[1] + counts[2]));
    for (int l = 0; l < EPI_LISTS; l++)
        for (int64_t i = 0; i < counts[l]; i++) {
            argand_acquisition *a = &epi->lists[l][i];
            const bool back = a->flags & ARGAND_FLAG_REVERSE;
            if (a->encoding != p->encoding) continue;
            epi->info.lines += l == EPI_IMAGES;
            epi->info.reversed += l == EPI_IMAGES && back;
            if (!line_plan_applies(p, a)) continue;
            bool elsewhere = false;
            c->phases[c->count] = back ? ghosts_phase(g, a, &elsewhere) : NULL;
            c->elsewhere += elsewhere;
            epi->info.corrected += c->phases[c->count] != NULL;
            c->lines[c->count++] = a;
        }
    return ARGAND_OK;
}

/* The time at which the line passed position k, from the times of its samples, whose positions rise. */
static float time_at(const float *k, const float *t, int64_t samples, float wanted)
{
    int64_t i = 0;
    while (i + 2 < samples && k[i + 1] < wanted) i++;
    const float step = (wanted - k[i]) / (k[i + 1] - k[i]);
    return t[i] + step * (t[i + 1] - t[i]);
}

/* Positions and times of a regridded line: equidistant along the readout, as it was along the others. */
static void place_line(const line_plan *p, argand_acquisition *a, float *k, float *t)
{
    for (int64_t x = 0; x < p->pixels; x++) {
        const float kx = (float)(x - p->pixels / 2);
        t[x] = time_at(a->k[0], a->t, p->samples, kx);
        for (int d = 0; d < 3; d++) k[d * p->pixels + x] = d ? a->k[d][0] : kx;
    }
    for (int d = 0; d < 3; d++) a->k[d] = k + d * p->pixels;
    a->t = t;
    a->samples = p->pixels;
    a->centre_sample = (int)(p->pixels / 2);
}

static argand_status place_lines(argand_epi *epi, const line_plan *p, const changed_lines *c)
{
    TRY(NEW(epi->k, 3 * p->pixels * c->count));
    TRY(NEW(epi->t, p->pixels * c->count));
    for (int64_t l = 0; l < c->count; l++)
        place_line(p, c->lines[l], epi->k + 3 * l * p->pixels, epi->t + l * p->pixels);
    return ARGAND_OK;
}

static argand_status change(argand_epi *epi, const line_plan *p, changed_lines *c)
{
    const int64_t line = 2 * p->pixels * epi->scan.channels;
    TRY(memory_take(&epi->samples,
                    memory_product(memory_product((size_t)line, (size_t)c->count), sizeof *epi->samples)));
    TRY(lines_apply(p, epi->samples, (const argand_acquisition *const *)c->lines, c->count, c->phases,
                    p->regrids ? LINE_COMMON_GRID : LINE_OWN_GRID));
    for (int64_t l = 0; l < c->count; l++) c->lines[l]->data = epi->samples + l * line;
    if (!p->regrids) return ARGAND_OK;
    epi->info.regridded = c->count;
    return place_lines(epi, p, c);
}

/* Mean, least and largest of the estimates; phases are compared with the first one, modulo 2 pi. */
static void summarise(argand_epi_info *info, const ghosts *g)
{
    info->groups = g->count;
    for (int64_t i = 0; i < g->count; i++) {
        const argand_epi_phase *e = &g->groups[i].phase;
        const double first = g->groups[0].phase.constant;
        const double phase = e->constant - TWO_PI * rint((e->constant - first) / TWO_PI);
        info->shift[0] += e->shift / (double)g->count;
        info->phase[0] += phase / (double)g->count;
        info->shift[1] = i ? fmin(info->shift[1], e->shift) : e->shift;
        info->shift[2] = i ? fmax(info->shift[2], e->shift) : e->shift;
        info->phase[1] = i ? fmin(info->phase[1], phase) : phase;
        info->phase[2] = i ? fmax(info->phase[2], phase) : phase;
    }
}

static argand_status list_estimates(argand_epi *epi, const ghosts *g)
{
    TRY(NEW(epi->estimates, g->count));
    for (int64_t i = 0; i < g->count; i++)
        epi->estimates[i] = (argand_epi_estimate){.slice = g->groups[i].slice,
                                                  .row = g->groups[i].row,
                                                  .shift = g->groups[i].phase.shift,
                                                  .phase = g->groups[i].phase.constant};
    return ARGAND_OK;
}

static argand_status publish_notes(argand_epi *epi)
{
    if (!epi->notes.length) return epi->notes.status;
    text_add(&epi->all_notes, "%s", epi->scan.notes ? epi->scan.notes : "");
    text_add(&epi->all_notes, "%s", text_chars(&epi->notes));
    epi->scan.notes = text_chars(&epi->all_notes);
    return epi->notes.status ? epi->notes.status : epi->all_notes.status;
}

/* Says what was found without reference lines. */
static void tell_image(argand_epi *epi, const ghosts *g, int64_t elsewhere)
{
    const argand_epi_info *i = &epi->info;
    text_add(&epi->notes, "EPI: %lld of %lld lines were read backwards, without usable reference lines. ",
             (long long)i->reversed, (long long)i->lines);
    if (!i->corrected)
        text_add(&epi->notes, "The entropy of the image shows no error: the lines stay as they are.\n");
    else
        text_add(
            &epi->notes,
            "By the entropy of the images of %lld slice%s they are %.3f samples late (%.3f to %.3f) and "
            "have a phase of %.3f rad (%.3f to %.3f): corrected. A phase beyond pi/2 would move the image "
            "by half a field of view.\n",
            (long long)i->groups, plural_s(i->groups), i->shift[0], i->shift[1], i->shift[2], i->phase[0],
            i->phase[1], i->phase[2]);
    if (elsewhere)
        text_add(
            &epi->notes,
            "EPI: %lld reversed lines are of %lld slices with too few lines of both directions, and took "
            "the estimate of the nearest slice.\n",
            (long long)elsewhere, (long long)g->unusable);
}

static void tell_references(argand_epi *epi, const ghosts *g, int64_t elsewhere)
{
    const argand_epi_info *i = &epi->info;
    text *notes = &epi->notes;
    text_add(notes,
             "EPI: %lld of %lld lines were read backwards. By %lld set%s of reference lines they are %.3f "
             "samples late (%.3f to %.3f) and have a phase of %.3f rad (%.3f to %.3f): corrected.\n",
             (long long)i->reversed, (long long)i->lines, (long long)i->groups, plural_s(i->groups),
             i->shift[0], i->shift[1], i->shift[2], i->phase[0], i->phase[1], i->phase[2]);
    if (g->unusable)
        text_add(notes, "EPI: %lld set%s of reference lines with one direction alone, or without signal.\n",
                 (long long)g->unusable, plural_s(g->unusable));
    if (elsewhere)
        text_add(notes,
                 "EPI: %lld reversed lines are of slices without reference lines, and took the estimate of "
                 "the nearest slice.\n",
                 (long long)elsewhere);
}

static void tell(argand_epi *epi, const line_plan *p, const ghosts *g, int64_t elsewhere)
{
    const argand_epi_info *i = &epi->info;
    text *notes = &epi->notes;
    if (p->regrids)
        text_add(notes,
                 "EPI: the lines' %lld samples, some on the ramps of the gradient, became %lld equidistant "
                 "ones.\n",
                 (long long)p->samples, (long long)p->pixels);
    if (p->obstacle)
        text_add(notes, "EPI: the lines stay as they are, because %s: expect ghosts%s.\n", p->obstacle,
                 i->reversed ? " half a field of view away" : "");
    else if (g->by_image && g->count)
        tell_image(epi, g, elsewhere);
    else if (g->count)
        tell_references(epi, g, elsewhere);
    else if (p->mends)
        text_add(
            notes,
            "EPI: %lld of %lld lines were read backwards, and there are neither usable reference lines nor "
            "enough lines of both directions in a slice: their errors are not corrected, so that the "
            "image may have a ghost half a field of view away.\n",
            (long long)i->reversed, (long long)i->lines);
}

/* Reads directions and reference lines off the positions, where flags do not tell them. */
static argand_status sort_lines(argand_epi *epi, int encoding)
{
    argand_scan *scan = &epi->scan;
    int64_t reordered, references;
    TRY(lines_reorder(&epi->reordered, &reordered, epi->lists, scan, encoding));
    if (!reordered) return ARGAND_OK;
    text_add(&epi->notes,
             "EPI: by their positions, %lld of %lld lines run against their flags (flag 22: read backwards). "
             "The positions are believed.\n",
             (long long)reordered, (long long)scan->acquisition_count);
    TRY(lines_set_aside(&references, epi->lists, scan, encoding));
    if (references)
        text_add(&epi->notes,
                 "EPI: %lld lines at the middle of k-space, in front of the trains, are taken as reference "
                 "lines (flag 24).\n",
                 (long long)references);
    if (!strcmp(scan->encodings[encoding].trajectory, "cartesian")) return ARGAND_OK;
    TRY(NEW(epi->encodings, scan->encoding_count));
    memcpy(epi->encodings, scan->encodings, (size_t)scan->encoding_count * sizeof *epi->encodings);
    snprintf(epi->encodings[encoding].trajectory, sizeof epi->encodings->trajectory, "epi");
    scan->encodings = epi->encodings;
    return ARGAND_OK;
}

/* Says that samples contradict the directions of lines. */
static void tell_mirrored(argand_epi *epi, int encoding)
{
    const double least_contrast = 0.4; /* trains of a scanner have 0.5 to 2, other scans 0 and less */
    const argand_scan *scan = &epi->scan;
    int64_t pairs, next_pairs, flagged = 0;
    const double likeness = lines_likeness(scan, encoding, 1, &pairs),
                 next = lines_likeness(scan, encoding, 2, &next_pairs);
    if (pairs < 4 || next_pairs < 4 || likeness >= 0 || next - likeness < least_contrast) return;
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        flagged += scan->acquisitions[i].encoding == encoding &&
                   (scan->acquisitions[i].flags & ARGAND_FLAG_REVERSE) != 0;
    text_add(&epi->notes,
             "EPI: lines that were read one after the other look like mirror images of each other (likeness "
             "%.2f, of every other line %.2f), but %s: the image is wrong. %s\n",
             likeness, next,
             flagged ? "flag 22 should have put them in one order" : "no line has flag 22 (read backwards)",
             flagged ? "Remove the flag if the file's samples are in forward order already."
                     : "Set the flag of the backward lines, or give the Pulseq sequence (--sequence).");
}

static argand_status prepare(argand_epi *epi, const argand_scan *scan, const argand_epi_options *o)
{
    line_plan plan = {0};
    ghosts found = {0};
    changed_lines changed = {0};
    argand_status status;
    TRY_OR_DONE(copy_lists(epi, scan));
    if (o->choice == ARGAND_EPI_OFF) goto done;
    TRY_OR_DONE(sort_lines(epi, o->encoding));
    tell_mirrored(epi, o->encoding);
    scan = &epi->scan;
    TRY_OR_DONE(line_plan_make(&plan, scan, o->encoding, o->choice));
    TRY_OR_DONE(ghosts_find(&found, &plan, scan));
    TRY_OR_DONE(collect(&changed, epi, &plan, &found));
    summarise(&epi->info, &found);
    TRY_OR_DONE(list_estimates(epi, &found));
    if (plan.regrids || epi->info.corrected) TRY_OR_DONE(change(epi, &plan, &changed));
    tell(epi, &plan, &found, changed.elsewhere);
    status = publish_notes(epi);
done:
    memory_free(changed.phases);
    memory_free(changed.lines);
    ghosts_free(&found);
    line_plan_free(&plan);
    return status;
}

argand_status argand_epi_create(argand_epi **epi, const argand_scan *scan, const argand_epi_options *options)
{
    static const argand_epi_options defaults = {0};
    if (epi) *epi = NULL;
    CHECK(epi && scan, ARGAND_ARGUMENT, "argand_epi_create: %s is NULL", epi ? "scan" : "epi");
    const argand_epi_options *o = options ? options : &defaults;
    CHECK(o->choice >= ARGAND_EPI_AUTO && o->choice <= ARGAND_EPI_GHOSTS, ARGAND_ARGUMENT,
          "argand_epi_create: choice is %d", (int)o->choice);
    CHECK(o->encoding >= 0 && o->encoding < scan->encoding_count, ARGAND_ARGUMENT,
          "%s: there is no encoding space %d", scan->path, o->encoding);
    TRY(NEW(*epi, 1));
    const argand_status status = prepare(*epi, scan, o);
    if (!status) return ARGAND_OK;
    argand_epi_destroy(*epi);
    *epi = NULL;
    return status;
}

const argand_scan *argand_epi_scan(const argand_epi *epi)
{
    return epi ? &epi->scan : NULL;
}

void argand_epi_describe(const argand_epi *epi, argand_epi_info *info)
{
    if (info) *info = epi ? epi->info : (argand_epi_info){0};
}

int64_t argand_epi_estimates(const argand_epi *epi, const argand_epi_estimate **list)
{
    if (list) *list = epi ? epi->estimates : NULL;
    return epi ? epi->info.groups : 0;
}

const char *argand_epi_notes(const argand_epi *epi)
{
    return epi ? text_chars(&epi->notes) : "";
}

void argand_epi_destroy(argand_epi *epi)
{
    if (!epi) return;
    for (int l = 0; l < EPI_LISTS; l++) memory_free(epi->lists[l]);
    memory_free(epi->samples);
    memory_free(epi->reordered);
    memory_free(epi->encodings);
    memory_free(epi->k);
    memory_free(epi->t);
    memory_free(epi->estimates);
    text_free(&epi->all_notes);
    text_free(&epi->notes);
    memory_free(epi);
}
