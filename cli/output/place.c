/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the file, slice and repetition of each volume. Slices of 2-D scans are stacked by their position
 * along the slice direction, in whatever order they were counted. Slices of another orientation (a
 * localiser) and slabs of 3-D scans get separate files. */
#include "output/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double along(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool same_directions(const argand_geometry *a, const argand_geometry *b)
{
    return along(a->read, b->read) > 0.9999 * along(a->read, a->read) &&
           along(a->phase, b->phase) > 0.9999 * along(a->phase, a->phase) &&
           along(a->slice, b->slice) > 0.9999 * along(a->slice, a->slice);
}

static bool same_kind(const argand_counters *a, const argand_counters *b)
{
    return a->set == b->set && a->phase == b->phase && a->contrast == b->contrast && a->average == b->average;
}

/* Returns true if slices cannot be stacked: slabs, or slices of different orientations. */
static bool is_by_slice(const output *o)
{
    int64_t n[3];
    argand_sense_grid(o->run.session, n);
    if (n[2] > 1) return true;
    const argand_geometry first = argand_sense_geometry(o->run.session, 0);
    for (int v = 1; v < argand_sense_volumes(o->run.session); v++) {
        const argand_geometry other = argand_sense_geometry(o->run.session, v);
        if (first.valid && other.valid && !same_directions(&first, &other)) return true;
    }
    return false;
}

/* Returns the image of a volume; adds an image for the first volume of its kind. */
static int image_of(output *o, int volume, bool by_slice)
{
    const argand_counters *c = argand_sense_counters(o->run.session, volume);
    for (int i = 0; i < o->image_count; i++) {
        const argand_counters *other = &o->images[i].counters;
        if (same_kind(other, c) && (!by_slice || other->slice == c->slice)) return i;
    }
    o->images[o->image_count] =
        (output_image){.counters = *c, .geometry = argand_sense_geometry(o->run.session, volume)};
    return o->image_count++;
}

/* A distinct counter value of an image, or a slice, with its position. */
typedef struct ranked {
    int counter;
    double position; /* mm along the slice direction */
    double centre[3];
} ranked;

static int by_place(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->position < b->position - 1e-3) return -1;
    if (a->position > b->position + 1e-3) return 1;
    return a->counter - b->counter;
}

/* Returns the entry of a counter; appends a new one if there is none. */
static ranked *entry_of(ranked *list, int64_t *count, int counter)
{
    for (int64_t i = 0; i < *count; i++)
        if (list[i].counter == counter) return &list[i];
    list[*count] = (ranked){.counter = counter};
    return &list[(*count)++];
}

/* Sets the geometry of a stack: the third voxel size is the slice distance, the third direction points
 * from the first slice to the last, the centre is that of the middle slice. If positions are missing,
 * slices are one thickness apart. */
static void stack(output_image *image, const ranked *slices)
{
    argand_geometry *g = &image->geometry;
    double way[3], length = 0, worst = 0;
    const double steps = (double)(image->slices - 1), middle = (double)(image->slices / 2);
    memcpy(g->centre, slices[0].centre, sizeof g->centre);
    if (image->slices < 2) return;
    for (int i = 0; i < 3; i++) {
        way[i] = (slices[image->slices - 1].centre[i] - slices[0].centre[i]) / steps;
        length += way[i] * way[i];
    }
    length = sqrt(length);
    const bool placed = length > 1e-3;
    if (!placed) length = g->voxel[2];
    for (int i = 0; i < 3; i++) {
        if (placed)
            g->slice[i] = way[i] / length;
        else
            way[i] = g->slice[i] * length;
        for (int64_t s = 0; s < image->slices && placed; s++)
            worst = fmax(worst, fabs(slices[s].centre[i] - slices[0].centre[i] - (double)s * way[i]));
        g->centre[i] = slices[0].centre[i] + middle * way[i];
    }
    if (length > 0) g->voxel[2] = length;
    image->uneven = worst > 0.02 * length;
}

/* Sorts slices and repetitions of an image and sets the places of its volumes. */
static argand_status place_volumes(output *o, int index, bool by_slice)
{
    output_image *image = &o->images[index];
    const int volumes = argand_sense_volumes(o->run.session);
    ranked *slices = calloc(2 * (size_t)volumes, sizeof *slices), *repetitions = slices + volumes;
    if (!slices) return report_error(ARGAND_MEMORY, "out of memory");
    for (int v = 0; v < volumes; v++) {
        if (o->places[v].image != index) continue;
        const argand_counters *c = argand_sense_counters(o->run.session, v);
        const argand_geometry place = argand_sense_geometry(o->run.session, v);
        ranked *slice = entry_of(slices, &image->slices, by_slice ? 0 : c->slice);
        slice->position = place.valid ? along(place.centre, image->geometry.slice) : 0;
        memcpy(slice->centre, place.centre, sizeof slice->centre);
        entry_of(repetitions, &image->repetitions, c->repetition);
    }
    qsort(slices, (size_t)image->slices, sizeof *slices, by_place);
    qsort(repetitions, (size_t)image->repetitions, sizeof *repetitions, by_place);
    for (int v = 0; v < volumes; v++) {
        if (o->places[v].image != index) continue;
        const argand_counters *c = argand_sense_counters(o->run.session, v);
        o->places[v].slice = entry_of(slices, &image->slices, by_slice ? 0 : c->slice) - slices;
        o->places[v].repetition = entry_of(repetitions, &image->repetitions, c->repetition) - repetitions;
    }
    stack(image, slices);
    free(slices);
    return ARGAND_OK;
}

static void label(output *o, output_image *image, bool by_slice)
{
    int64_t n[3];
    bool set = false, phase = false, contrast = false, average = false, slice = false;
    argand_sense_grid(o->run.session, n);
    for (int i = 0; i < o->image_count; i++) {
        const argand_counters *other = &o->images[i].counters;
        set |= other->set != image->counters.set;
        phase |= other->phase != image->counters.phase;
        contrast |= other->contrast != image->counters.contrast;
        average |= other->average != image->counters.average;
        slice |= by_slice && other->slice != image->counters.slice;
    }
    const struct {
        bool differs;
        const char *name;
        int number;
    } parts[] = {{set, "set", image->counters.set},
                 {phase, "phase", image->counters.phase},
                 {contrast, "contrast", image->counters.contrast},
                 {average, "average", image->counters.average},
                 {slice, n[2] > 1 ? "slab" : "slice", image->counters.slice}};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].differs)
            used += (size_t)snprintf(image->label + used, sizeof image->label - used, "_%s-%d", parts[i].name,
                                     parts[i].number + 1);
}

argand_status output_arrange(output *o)
{
    const int volumes = argand_sense_volumes(o->run.session);
    const bool by_slice = is_by_slice(o);
    for (int v = 0; v < volumes; v++) o->places[v].image = image_of(o, v, by_slice);
    for (int i = 0; i < o->image_count; i++) {
        const argand_status status = place_volumes(o, i, by_slice);
        if (status != ARGAND_OK) return status;
        label(o, &o->images[i], by_slice);
        if (o->images[i].uneven)
            report_note(o->run.console, "The distances between slices differ. The file holds their mean, so "
                                        "some slices lie slightly off their true position.");
    }
    return ARGAND_OK;
}
