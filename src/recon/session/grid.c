/* SPDX-License-Identifier: BSD-3-Clause */
/* The image's grid: the reconstructed field of view of the header at the encoded resolution. The model
 * itself removes readout oversampling, because k counts cycles per grid field of view; no crop follows.
 * For samples on the full encoded grid, the pixels outside are orthogonal to those inside, so nothing
 * aliases. A field of view larger than the encoded one has more pixels of the same size. Curved
 * trajectories also sample k between whole cycles, and so separate signal inside the encoded field of view
 * from signal outside. */
#include "recon/session/session.h"

#include <math.h>
#include <string.h>
#include "base/plain.h"
#include "base/whole.h"

enum { MOST_PIXELS = 65536 };

static bool is_on_grid(const argand_acquisition *a)
{
    const float near = 1e-3F;
    for (int axis = 0; axis < 3; axis++)
        for (int64_t i = 0; i < a->samples && a->k[axis]; i++)
            if (!(fabsf(a->k[axis][i] - nearbyintf(a->k[axis][i])) < near)) return false;
    return true;
}

bool grid_is_cartesian(const argand_scan *scan, int encoding)
{
    const char *name = scan->encodings[encoding].trajectory;
    if (*name && strcmp(name, "epi") != 0) return !strcmp(name, "cartesian");
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        if (scan->acquisitions[i].encoding == encoding && !is_on_grid(&scan->acquisitions[i])) return false;
    return true;
}

/* Returns the image's field of view relative to the encoded one. */
static double ratio_of(const argand_sense *s, int axis)
{
    const argand_encoding *e = s->encoding;
    const double whole_view = e->field_of_view[axis], asked = s->options.field_of_view[axis],
                 seen = asked > 0 ? asked : e->recon_field_of_view[axis];
    return whole_view > 0 && seen > 0 && (asked > 0 || seen < whole_view) ? seen / whole_view : 1;
}

static argand_status choose_axis(argand_sense *s, int axis)
{
    recon_grid *g = &s->grid;
    const argand_encoding *e = s->encoding;
    const double ratio = ratio_of(s, axis);
    const int64_t natural = whole(round((double)e->matrix[axis] * ratio), 1, MOST_PIXELS + 1),
                  wanted = s->options.matrix[axis];
    CHECK(wanted || natural <= MOST_PIXELS, ARGAND_ARGUMENT,
          "a field of view of %g mm needs more than %d pixels along %c: give a smaller one, or the matrix",
          e->field_of_view[axis] * ratio, MOST_PIXELS, "xyz"[axis]);
    g->n[axis] = wanted ? wanted : natural;
    CHECK(g->n[axis] >= 1 && g->n[axis] <= MOST_PIXELS, ARGAND_ARGUMENT, "matrix size %lld: give 1 to %d",
          (long long)g->n[axis], MOST_PIXELS);
    g->k_scale[axis] = ratio;
    g->field_of_view[axis] = e->field_of_view[axis] * ratio;
    g->k_limit[axis] = wanted && wanted < natural ? 0.5 * (double)wanted * (1 + 1e-6) : 0;
    return ARGAND_OK;
}

/* Reduces the grid of simultaneous slices to one plane per band; kz keeps its unit. */
static void choose_depth_of_band(argand_sense *s)
{
    const argand_encoding *e = s->encoding;
    s->grid.n[2] = 1;
    s->grid.field_of_view[2] =
        e->recon_field_of_view[2] / (double)(e->recon_matrix[2] > 1 ? e->recon_matrix[2] : 1);
    s->grid.k_scale[2] = 1;
    s->grid.k_limit[2] = 0;
}

argand_status grid_choose(argand_sense *s)
{
    for (int axis = 0; axis < 3; axis++) TRY(choose_axis(s, axis));
    CHECK(s->bands == 1 || s->options.transform != ARGAND_TRANSFORM_DFT_GRADIENTS, ARGAND_UNSUPPORTED,
          "%s: field gradients within voxels are not known for simultaneous slices: take another transform",
          s->scan->path);
    if (s->bands > 1) choose_depth_of_band(s);
    /* a slice with gradients needs a third axis of one pixel, for the sinc across the slice */
    s->grid.rank = s->grid.n[2] > 1 || s->options.transform == ARGAND_TRANSFORM_DFT_GRADIENTS ? 3 : 2;
    return ARGAND_OK;
}

/* Says that the image has not the header's number of pixels: converters enlarge it, for the display. */
static void note_matrix(argand_sense *s)
{
    const argand_encoding *e = s->encoding;
    const int64_t *n = s->grid.n, *asked = e->recon_matrix;
    bool differs = false, chosen = false;
    for (int axis = 0; axis < (s->grid.rank == 3 && s->bands == 1 ? 3 : 2); axis++) {
        differs |= n[axis] != asked[axis];
        chosen |= s->options.matrix[axis] || s->options.field_of_view[axis] > 0;
    }
    if (!differs || chosen) return;
    char here[64], there[64];
    const bool is_volume = n[2] > 1;
    plain_print(here, sizeof here, is_volume ? "%lldx%lldx%lld" : "%lldx%lld", (long long)n[0],
                (long long)n[1], (long long)n[2]);
    plain_print(there, sizeof there, is_volume ? "%lldx%lldx%lld" : "%lldx%lld", (long long)asked[0],
                (long long)asked[1], (long long)asked[2]);
    text_add(&s->notes,
             "The header asks for an image of %s pixels; it has the measured resolution, %s (--matrix %s "
             "interpolates).\n",
             there, here, there);
}

/* Says why images have no place in the patient. */
static void note_place(argand_sense *s)
{
    const argand_acquisition *a = s->volumes[0].rows[0].acquisition;
    const argand_geometry g = argand_sense_geometry(s, 0);
    double sum = 0, place = 0;
    for (int i = 0; i < 3; i++) {
        sum += fabs((double)a->read_dir[i]) + fabs((double)a->phase_dir[i]) + fabs((double)a->slice_dir[i]);
        place += (double)a->position[i];
    }
    if (g.valid && isfinite(place)) return;
    text_add(&s->notes, "Images have no orientation: %s of acquisition %lld %s.\n",
             g.valid ? "the position" : "read_dir, phase_dir and slice_dir", (long long)a->row,
             g.valid    ? "is not finite"
             : sum == 0 ? "are 0"
                        : "are no unit vectors");
}

void grid_note(argand_sense *s)
{
    note_matrix(s);
    if (s->volume_count) note_place(s);
}

void argand_sense_grid(const argand_sense *s, int64_t n[3])
{
    for (int axis = 0; axis < 3 && n; axis++) n[axis] = s ? s->grid.n[axis] : 0;
}

static double length_of(const float v[3])
{
    return sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
}

/* Returns the distance in mm, along the slice direction, of a band from the acquisition's position. */
static double band_offset(const argand_sense *s, int band, double thickness)
{
    const double spacing = s->encoding->bands.spacing;
    if (s->bands == 1) return 0;
    return (band - s->bands / 2) * (spacing > 0 ? spacing : thickness * s->slices / s->bands);
}

argand_geometry argand_sense_geometry(const argand_sense *s, int volume)
{
    if (!s || volume < 0 || volume >= s->volume_count) return (argand_geometry){0};
    const argand_acquisition *a = s->volumes[volume].rows[0].acquisition;
    argand_geometry g = {.valid = true};
    const float *directions[3] = {a->read_dir, a->phase_dir, a->slice_dir};
    double *unit[3] = {g.read, g.phase, g.slice};
    for (int axis = 0; axis < 3; axis++) {
        const double length = length_of(directions[axis]);
        g.voxel[axis] = s->grid.field_of_view[axis] / (double)s->grid.n[axis];
        g.valid = g.valid && fabs(length - 1) < 0.01 && g.voxel[axis] > 0;
        for (int i = 0; i < 3; i++) unit[axis][i] = length > 0 ? directions[axis][i] / length : 0;
    }
    const double offset = band_offset(s, s->volumes[volume].band, g.voxel[2]);
    for (int i = 0; i < 3; i++) g.centre[i] = a->position[i] + offset * g.slice[i];
    return g;
}
