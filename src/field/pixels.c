/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts the unmasked pixels into rows of columns, with their field, decay and phase terms. */
#include "field/pixels.h"
#include "base/memory.h"
#include "base/pi.h"
#include "base/status.h"

/* Returns the length of the equal parts, of at most SEGMENT pixels, into which a row is cut; the last may
 * be shorter. */
int field_segment_length(int64_t nx)
{
    const int64_t segments = (nx + SEGMENT - 1) / SEGMENT;
    return (int)((nx + segments - 1) / segments);
}

static argand_status centred(double **offsets, int64_t n)
{
    TRY(NEW(*offsets, n));
    for (int64_t i = 0; i < n; i++) (*offsets)[i] = (double)(i - n / 2);
    return ARGAND_OK;
}

/* The middle of a segment lies between two pixels where its length is even: offsets are then halves, and each
 * phasor of the pair table serves two pixels. */
static argand_status set_lines(field_axes *axes, int length, bool paired)
{
    axes->lines = paired ? (length + 1) / 2 : length;
    TRY(NEW(axes->line, axes->lines));
    const double first = paired ? (length % 2 ? 0 : 0.5) : -0.5 * (length - 1);
    for (int i = 0; i < axes->lines; i++) axes->line[i] = first + i;
    return ARGAND_OK;
}

static argand_status make_axes(field_axes *axes, const field_input *input, bool paired)
{
    const int64_t nx = input->n[0];
    const int length = field_segment_length(nx);
    axes->segments = (int)((nx + length - 1) / length);
    axes->ny = (int)input->n[1];
    axes->nz = (int)input->n[2];
    TRY(set_lines(axes, length, paired));
    TRY(NEW(axes->segment, axes->segments));
    for (int i = 0; i < axes->segments; i++)
        axes->segment[i] = (double)((int64_t)i * length - nx / 2) + 0.5 * (length - 1);
    TRY(centred(&axes->y, axes->ny));
    return centred(&axes->z, axes->nz);
}

argand_status field_axes_make(field_axes *axes, const field_input *input, bool paired)
{
    const argand_status status = make_axes(axes, input, paired);
    if (status) field_axes_release(axes);
    return status;
}

void field_axes_release(field_axes *axes)
{
    memory_free(axes->z);
    memory_free(axes->y);
    memory_free(axes->segment);
    memory_free(axes->line);
    *axes = (field_axes){0};
}

/* One row of the image while its columns are found. */
typedef struct row_of_image {
    const field_input *input;
    int64_t start;     /* pixel index of x = 0 */
    int first, length; /* x of the segment's first pixel, pixels of a full segment */
} row_of_image;

/* x if the row has this pixel and it is not masked, else -1 */
static int present(const row_of_image *r, int x)
{
    return x >= 0 && x < r->input->n[0] && !input_skips(r->input, r->start + x) ? x : -1;
}

static void pixels_of_line(const row_of_image *r, int line, bool paired, int32_t *plus, int32_t *minus)
{
    if (!paired) {
        *plus = present(r, r->first + line);
        *minus = -1;
        return;
    }
    const int below = r->first + (r->length - 1) / 2, above = r->first + r->length / 2;
    *plus = present(r, above + line);
    *minus = below - line == above + line ? -1 : present(r, below - line);
}

static void add_columns(field_pixels *p, const row_of_image *r, int lines, bool paired)
{
    for (int line = 0; line < lines; line++) {
        int32_t plus, minus;
        pixels_of_line(r, line, paired, &plus, &minus);
        if (plus < 0 && minus < 0) continue;
        p->plus[p->columns] = plus;
        p->minus[p->columns] = minus;
        p->line[p->columns++] = (uint16_t)line;
        p->unmasked += (plus >= 0) + (minus >= 0);
    }
}

static void add_rows(field_pixels *p, const field_axes *axes, const field_input *input, bool paired)
{
    row_of_image r = {.input = input, .length = field_segment_length(input->n[0])};
    for (int z = 0; z < axes->nz; z++)
        for (int y = 0; y < axes->ny; y++, r.start += input->n[0])
            for (int segment = 0; segment < axes->segments; segment++) {
                const int64_t first = p->columns;
                r.first = segment * r.length;
                add_columns(p, &r, axes->lines, paired);
                if (p->columns > first)
                    p->row[p->rows++] = (field_row){segment, y, z, (int32_t)(p->columns - first), first};
            }
}

/* The map's values in the order of the columns, times scale. */
static void per_column(double *values, const field_pixels *p, const field_input *input, const double *map,
                       double scale)
{
    for (int64_t i = 0; i < p->rows; i++) {
        const field_row *row = &p->row[i];
        const int64_t start = input->n[0] * (row->y + input->n[1] * row->z);
        for (int64_t c = row->first; c < row->first + row->count; c++)
            values[c] = map ? scale * map[start + p->plus[c]] : 0;
    }
}

static argand_status pack_column(void *pointer, const field_pixels *p, const field_input *input,
                                 const double *map)
{
    double *values;
    TRY(NEW(values, p->columns));
    per_column(values, p, input, map, 1);
    const argand_status status = field_pack(pointer, values, p->columns, input->options->type == ARGAND_C64);
    memory_free(values);
    return status;
}

static argand_status set_maps(field_pixels *p, const field_input *input)
{
    TRY(NEW(p->turns, p->columns));
    per_column(p->turns, p, input, input->field_map, 1 / TWO_PI);
    TRY(field_pack(&p->real_turns, p->turns, p->columns, input->options->type == ARGAND_C64));
    if (input->r2star) TRY(pack_column(&p->decay, p, input, input->r2star));
    for (int d = 0; d < 3; d++)
        if (input->gradient[d]) TRY(pack_column(&p->gradient[d], p, input, input->gradient[d]));
    return ARGAND_OK;
}

static argand_status set_terms(field_pixels *p, const field_input *input)
{
    TRY(memory_new(&p->term, memory_product((size_t)input->terms, (size_t)p->columns), sizeof *p->term));
    for (int i = 0; i < input->terms; i++)
        per_column(p->term + i * p->columns, p, input, input->term_space[i], 1);
    return ARGAND_OK;
}

static argand_status make(field_pixels *p, const field_axes *axes, const field_input *input, bool paired)
{
    const int64_t rows = (int64_t)axes->segments * axes->ny * axes->nz, columns = rows * axes->lines;
    TRY(NEW(p->row, rows));
    TRY(NEW(p->line, columns));
    TRY(NEW(p->plus, columns));
    TRY(NEW(p->minus, columns));
    add_rows(p, axes, input, paired);
    if (input->separable) return ARGAND_OK;
    TRY(set_maps(p, input));
    return input->terms ? set_terms(p, input) : ARGAND_OK;
}

argand_status field_pixels_make(field_pixels *p, const field_axes *axes, const field_input *input,
                                bool paired)
{
    const argand_status status = make(p, axes, input, paired);
    if (status) field_pixels_release(p);
    return status;
}

void field_pixels_release(field_pixels *p)
{
    for (int d = 0; d < 3; d++) memory_free(p->gradient[d]);
    memory_free(p->term);
    memory_free(p->decay);
    memory_free(p->real_turns);
    memory_free(p->turns);
    memory_free(p->minus);
    memory_free(p->plus);
    memory_free(p->line);
    memory_free(p->row);
    *p = (field_pixels){0};
}
