/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the number of measured k-space cells, times coils, with the number of pixels. With fewer cells
 * than pixels, an aliased or blurred image fits the data as well as the true one. */
#include "recon/samples/samples.h"

#include <math.h>
#include "base/memory.h"

enum { MOST_CELLS = 1 << 30 }; /* a header may claim any matrix */

/* Returns the cell of a sample, -1 outside the grid. */
static int64_t cell_of(const recon_grid *g, const argand_acquisition *a, int64_t sample)
{
    int64_t cell = 0;
    for (int axis = g->rank - 1; axis >= 0; axis--) {
        const double k = a->k[axis] ? (double)a->k[axis][sample] * g->k_scale[axis] : 0;
        const double at = floor(k + 0.5) + (double)(g->n[axis] / 2);
        if (!(at >= 0 && at < (double)g->n[axis])) return -1;
        cell = cell * g->n[axis] + (int64_t)at;
    }
    return cell;
}

static int64_t count_cells(const argand_sense *s, const recon_volume *v, unsigned char *seen)
{
    const recon_choice choice = choice_of(s, v->rows, v->count);
    int64_t cells = 0;
    for (int64_t row = 0; row < v->count; row++) {
        const argand_acquisition *a = v->rows[row].acquisition;
        for (int64_t i = 0; i < a->samples && a->k[0]; i++) {
            const int64_t cell = cell_of(&s->grid, a, i);
            if (cell < 0 || seen[cell] || !choice_takes(&choice, a, i)) continue;
            seen[cell] = 1;
            cells++;
        }
    }
    return cells;
}

/* Returns true if a line of cells along an axis is measured only in part. */
static bool has_partial_lines(const recon_grid *g, const unsigned char *seen, int axis)
{
    const int64_t n = g->n[axis], stride = axis == 0 ? 1 : axis == 1 ? g->n[0] : g->n[0] * g->n[1];
    const int64_t lines = g->n[0] * g->n[1] * g->n[2] / n;
    for (int64_t line = 0; line < lines; line++) {
        const unsigned char *from = seen + line / stride * stride * n + line % stride;
        int64_t held = 0;
        for (int64_t i = 0; i < n; i++) held += from[i * stride];
        if (held && held < n) return true;
    }
    return false;
}

/* Notes missing points. Points left out along two axes alias to noise-like patterns, which a penalty can
 * separate from the image. */
static void note_points(argand_sense *s, const unsigned char *seen, double part)
{
    int axes = 0;
    for (int axis = 0; axis < 3; axis++) axes += has_partial_lines(&s->grid, seen, axis);
    if (axes < 2 || part > 0.5 || !s->cartesian) return;
    text_add(&s->notes,
             "%.3g %% of the points of k-space's grid are measured, with gaps along %s axes: a penalty may "
             "fill in the others better than the coils alone. Try --regularize tv:auto.\n",
             100 * part, axes == 2 ? "two" : "all");
}

static void note_cells(argand_sense *s, int64_t cells, int64_t pixels, const unsigned char *seen)
{
    const double part = (double)cells / (double)pixels;
    if (!cells) return;
    if (part > 0.55 || cells * s->coils > pixels * s->bands) return note_points(s, seen, part);
    text_add(&s->notes,
             "%.3g %% of the cells of k-space are measured: with %d coil%s that is hardly enough for the "
             "image, which may be aliased or noisy. Try --regularize tv:auto.\n",
             100 * part, s->coils, s->coils == 1 ? "" : "s");
}

/* Notes undersampling that coils cannot resolve. The count has no meaning if penalties or a basis add
 * information. Radial and spiral scans measure pi/4 of the cells, partial Fourier half or more; a note is
 * added only below that. */
argand_status enough_note(argand_sense *s)
{
    unsigned char *seen = NULL;
    const int64_t pixels = s->grid.n[0] * s->grid.n[1] * s->grid.n[2];
    if (!s->volume_count || s->options.joint || s->options.regularizer_count ||
        s->options.method != ARGAND_METHOD_SOLVE || pixels > MOST_CELLS)
        return ARGAND_OK;
    TRY(NEW(seen, pixels));
    note_cells(s, count_cells(s, &s->volumes[0], seen), pixels, seen);
    memory_free(seen);
    return ARGAND_OK;
}
