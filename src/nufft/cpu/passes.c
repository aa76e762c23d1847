/* SPDX-License-Identifier: BSD-3-Clause */
/* The FFT passes between an image and the oversampled grid, in both directions; compiled for each
 * precision and instruction set. */
#include "nufft/cpu/rows.h"

#include <omp.h>
#include <string.h>
#include "fft/cpu/bundle/copy_rows.h"

static inline const number *pixel_line(const pass_job *job, int vector, int64_t y, int64_t z)
{
    const image_view *v = &job->image;
    return (const number *)(const void *)v->data + v->vectors[vector] + pixel_offset(job, 1, y) +
           pixel_offset(job, 2, z);
}

/* Pixels begin to end - 1 of a row times the window's correction: one of its halves, which lie together in
 * both orders of pixels */
static void load_pixels(const pass_job *job, number *line, int64_t begin, int64_t end, int64_t y, int64_t z)
{
    const int lanes = layout_lanes(job->l, job->mode);
    const int64_t stride = job->image.stride[0];
    const REAL *dx = (const REAL *)job->l->deapodise[0];
    const REAL outer = ((const REAL *)job->l->deapodise[1])[y] * ((const REAL *)job->l->deapodise[2])[z];
    number *out = line + lanes * place(begin, job->l->image[0], job->l->grid[0]);
    for (int v = 0; v < job->image.vector_count; v++) {
        const number *pixels = pixel_line(job, v, y, z) + pixel_offset(job, 0, begin);
        for (int64_t x = begin; x < end; x++) {
            const REAL factor = dx[x] * outer;
            const number pixel = pixels[(x - begin) * stride];
            out[lanes * (x - begin) + v] = (number){factor * pixel.re, factor * pixel.im};
        }
    }
}

static void store_pixels(const pass_job *job, const number *line, int64_t begin, int64_t end, int64_t y,
                         int64_t z)
{
    const int lanes = layout_lanes(job->l, job->mode);
    const int64_t stride = job->image.stride[0];
    const REAL *dx = (const REAL *)job->l->deapodise[0];
    const REAL outer = ((const REAL *)job->l->deapodise[1])[y] * ((const REAL *)job->l->deapodise[2])[z];
    const number *in = line + lanes * place(begin, job->l->image[0], job->l->grid[0]);
    for (int v = 0; v < job->image.vector_count; v++) {
        number *pixels = (number *)pixel_line(job, v, y, z) + pixel_offset(job, 0, begin);
        for (int64_t x = begin; x < end; x++) {
            const REAL factor = dx[x] * outer;
            const number value = in[lanes * (x - begin) + v];
            pixels[(x - begin) * stride] = (number){factor * value.re, factor * value.im};
        }
    }
}

static void load_row(const pass_job *job, number *line, int64_t y, int64_t z)
{
    const layout *l = job->l;
    const int lanes = layout_lanes(l, job->mode);
    const int64_t n = l->image[0], centre = n / 2;
    const size_t cell = (size_t)lanes * sizeof *line;
    if (job->image.vector_count < lanes)
        memset(line, 0, (size_t)l->grid[0] * cell);
    else
        memset(line + lanes * (n - centre), 0, (size_t)(l->grid[0] - n) * cell);
    load_pixels(job, line, 0, centre, y, z);
    load_pixels(job, line, centre, n, y, z);
}

/* Moves part `part` of a single row, which is cut into as many parts as there are threads */
static void move_part(const pass_job *job, number *line, argand_direction direction, int part)
{
    const int64_t n = job->l->image[0], centre = n / 2, gap = job->l->grid[0] - n, parts = job->threads,
                  begin = n * part / parts, end = n * (part + 1) / parts,
                  middle = begin > centre ? begin
                           : end < centre ? end
                                          : centre;
    if (direction == ARGAND_INVERSE) {
        store_pixels(job, line, begin, middle, 0, 0);
        store_pixels(job, line, middle, end, 0, 0);
        return;
    }
    const int64_t clear = gap * part / parts, clear_end = gap * (part + 1) / parts;
    memset(line + n - centre + clear, 0, (size_t)(clear_end - clear) * sizeof *line);
    load_pixels(job, line, begin, middle, 0, 0);
    load_pixels(job, line, middle, end, 0, 0);
}

static void move_line(const pass_job *job, number *line, argand_direction direction)
{
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int part = 0; part < job->threads; part++) move_part(job, line, direction, part);
}

/* The only row, by all threads */
static void pass_line(const pass_job *job, argand_direction direction)
{
    number *line = grid_line(job, 0, 0);
    if (direction == ARGAND_FORWARD) move_line(job, line, direction);
    fft_bundle_apply_together(job->l->lines[job->mode][0], line, job->lines, direction, job->threads,
                              job->line_bytes);
    if (direction == ARGAND_INVERSE) move_line(job, line, direction);
}

/* Whether the axis of planes is transformed where the image is. Rows of real pixels are two each until they
 * are taken apart, so theirs comes where the grid is. */
static bool planes_first(const layout *l)
{
    return l->axes > l->rank && !l->half;
}

/* Rows of the image's part of the grid, between image and grid; pixels, lines: which part of that */
static void pass_x(const pass_job *job, argand_direction direction, bool pixels, bool lines)
{
    const layout *l = job->l;
    if (l->half) {
        VARIANT(nufft_real_rows)(job, direction);
        return;
    }
    if (l->axes == 1 && job->mode == LANES_ONE) {
        pass_line(job, direction);
        return;
    }
    const fft_bundle *x_lines = l->lines[job->mode][0];
    const int64_t ny = l->image[1], nz = l->image[2], centre = l->image[0] / 2;
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < ny * nz; i++) {
        const int64_t y = i % ny, z = i / ny, plane = place(z, nz, l->grid[2]);
        number *line = grid_line(job, place(y, ny, l->grid[1]), plane);
        if (!pixels && !job->used[2][plane]) continue;
        if (pixels && direction == ARGAND_FORWARD) load_row(job, line, y, z);
        if (lines)
            fft_bundle_apply(x_lines, line, job->lines + job->line_bytes * (size_t)omp_get_thread_num(),
                             direction);
        if (!pixels || direction == ARGAND_FORWARD) continue;
        store_pixels(job, line, 0, centre, y, z);
        store_pixels(job, line, centre, l->image[0], y, z);
    }
}

/* A bundle of columns along one axis: `count` cells wide (`width` elements with lanes), at a stride of
 * `stride` elements
 */
typedef struct bundle {
    number *first;
    int64_t stride;
    int64_t grid, image; /* lengths of the axis */
    size_t bytes;        /* of one row of the bundle that exist */
} bundle;

static void transform_bundle(const bundle *b, const fft_bundle *lines, char *scratch,
                             argand_direction direction)
{
    const int64_t stride = b->stride * (int64_t)sizeof(number), after = b->image - b->image / 2,
                  gap = b->grid - b->image;
    char *first = (char *)b->first;
    /* the image's rows are those from the centre on at the beginning, and those before it at the end */
    const bool padded = direction == ARGAND_FORWARD;
    if (padded) {
        if (b->bytes < CELL_BYTES) memset(scratch, 0, (size_t)b->grid * CELL_BYTES);
        copy_rows(scratch, CELL_BYTES, first, stride, after, b->bytes);
        memset(scratch + after * CELL_BYTES, 0, (size_t)gap * CELL_BYTES);
        copy_rows(scratch + (after + gap) * CELL_BYTES, CELL_BYTES, first + (after + gap) * stride, stride,
                  b->image / 2, b->bytes);
    } else {
        if (b->bytes < CELL_BYTES) memset(scratch, 0, (size_t)b->grid * CELL_BYTES);
        copy_rows(scratch, CELL_BYTES, first, stride, b->grid, b->bytes);
    }
    fft_bundle_apply(lines, scratch, scratch + b->grid * CELL_BYTES, direction);
    if (padded) {
        copy_rows(first, stride, scratch, CELL_BYTES, b->grid, b->bytes);
    } else {
        copy_rows(first, stride, scratch, CELL_BYTES, after, b->bytes);
        copy_rows(first + (after + gap) * stride, stride, scratch + (after + gap) * CELL_BYTES, CELL_BYTES,
                  b->image / 2, b->bytes);
    }
}

/* Returns true if any of n pixels lies in the `count` cells from x on. */
static bool in_image(int64_t x, int64_t count, int64_t n, int64_t grid)
{
    return x < n - n / 2 || x + count > grid - n / 2;
}

/* Whether a point is in any of the columns from x on; where planes come first, whether the image is, and
 * whether the plane has points. other: the row, or of columns along y the plane. */
static bool is_used(const pass_job *job, int axis, int64_t x, int64_t count, int64_t other)
{
    const layout *l = job->l;
    bool found = false;
    if (planes_first(l) && axis == 2)
        return in_image(x, count, l->image[0], l->grid[0]) && in_image(other, 1, l->image[1], l->grid[1]);
    if (planes_first(l) && !job->used[2][place(other, l->image[2], l->grid[2])]) return false;
    for (int64_t i = x; i < x + count; i++) found |= job->used[0][i];
    return found && (axis == 1 || job->used[1][other]);
}

/* Columns along y in the image's planes, or along z everywhere, in place on the grid */
static void pass_columns(const pass_job *job, int axis, argand_direction direction)
{
    const layout *l = job->l;
    const int lanes = layout_lanes(l, job->mode), wide = l->many / lanes; /* cells in a bundle */
    const int64_t kept = layout_kept(l), bundles = (kept + wide - 1) / wide;
    const int64_t others = axis == 1 ? l->image[2] : l->grid[1];
    const int64_t row = lanes * layout_row(l, job->mode), plane = lanes * layout_plane(l, job->mode);
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < bundles * others; i++) {
        const int64_t x = i % bundles * wide, other = i / bundles, left = kept - x;
        char *scratch = job->lines + job->line_bytes * (size_t)omp_get_thread_num();
        if (!is_used(job, axis, x, left < wide ? left : wide, other)) continue;
        bundle b = {.stride = axis == 1 ? row : plane, .grid = l->grid[axis], .image = l->image[axis]};
        b.first =
            axis == 1 ? grid_line(job, 0, place(other, l->image[2], l->grid[2])) : grid_line(job, other, 0);
        b.first += lanes * x;
        b.bytes = (size_t)(left < wide ? left : wide) * (size_t)lanes * sizeof(number);
        transform_bundle(&b, l->lines[job->mode][axis], scratch, direction);
    }
}

void VARIANT(nufft_image_to_grid)(const pass_job *job)
{
    const bool first = planes_first(job->l);
    pass_x(job, ARGAND_FORWARD, true, !first);
    if (first) {
        pass_columns(job, 2, ARGAND_FORWARD);
        pass_x(job, ARGAND_FORWARD, false, true);
    }
    for (int axis = 1; axis < (first ? 2 : job->l->axes); axis++) pass_columns(job, axis, ARGAND_FORWARD);
    if (job->l->half) VARIANT(nufft_margins)(job, ARGAND_FORWARD);
}

void VARIANT(nufft_grid_to_image)(const pass_job *job)
{
    const bool first = planes_first(job->l);
    if (job->l->half) VARIANT(nufft_margins)(job, ARGAND_INVERSE);
    for (int axis = (first ? 2 : job->l->axes) - 1; axis > 0; axis--) pass_columns(job, axis, ARGAND_INVERSE);
    if (first) {
        pass_x(job, ARGAND_INVERSE, false, true);
        pass_columns(job, 2, ARGAND_INVERSE);
    }
    pass_x(job, ARGAND_INVERSE, true, !first);
}
