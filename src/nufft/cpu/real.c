/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of real images. Pixels 2 j and 2 j + 1 are one complex number, so that a row is half as long; what
 * comes out is taken apart into the cells from 0 to the middle, whose other side is their conjugate. The way
 * back is the exact adjoint: the real part of the sum over those cells. */
#include "nufft/cpu/rows.h"

#include <omp.h>
#include <string.h>

/* Moves pixels begin to end - 1, times the window's correction, to or from one half of the row. In both
 * orders of pixels each half is contiguous. With one vector, the row's cells are the real numbers
 * themselves. */
static void move_pixels(const pass_job *job, number *line, int64_t begin, int64_t end, REAL outer, bool load,
                        REAL *pixels, int lanes)
{
    const int64_t stride = job->image.stride[0], at = place(begin, job->l->image[0], job->l->grid[0]);
    const REAL *dx = (const REAL *)job->l->deapodise[0] + begin;
    REAL *row = &line->re;
    if (lanes == 1 && load)
        for (int64_t i = 0; i < end - begin; i++) row[at + i] = dx[i] * outer * pixels[i * stride];
    else if (lanes == 1)
        for (int64_t i = 0; i < end - begin; i++) pixels[i * stride] = dx[i] * outer * row[at + i];
    else
        for (int64_t i = 0; i < end - begin; i++) {
            REAL *there = row + (at + i) / 2 * (2 * lanes) + (at + i) % 2;
            if (load)
                *there = dx[i] * outer * pixels[i * stride];
            else
                pixels[i * stride] = dx[i] * outer * *there;
        }
}

static void move_row(const pass_job *job, number *line, int64_t y, int64_t z, bool load)
{
    const image_view *view = &job->image;
    const int lanes = layout_lanes(job->l, job->mode);
    const REAL outer = ((const REAL *)job->l->deapodise[1])[y] * ((const REAL *)job->l->deapodise[2])[z];
    const int64_t n = job->l->image[0], centre = n / 2;
    for (int v = 0; v < view->vector_count; v++) {
        REAL *row =
            (REAL *)(void *)view->data + view->vectors[v] + pixel_offset(job, 1, y) + pixel_offset(job, 2, z);
        move_pixels(job, line + v, 0, centre, outer, load, row + pixel_offset(job, 0, 0), lanes);
        move_pixels(job, line + v, centre, n, outer, load, row + pixel_offset(job, 0, centre), lanes);
    }
}

static inline number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Z = E + i O, the transforms of even and odd pixels, to X_k = E_k + w^k O_k and X_(m - k) of its conjugates;
 * both are Hermitian in k */
static void take_apart(const layout *l, number *line, int lanes)
{
    const int64_t m = l->grid[0] / 2;
    const number *w = l->twiddles;
    for (int v = 0; v < lanes; v++) {
        const number z = line[v];
        line[v] = (number){z.re + z.im, 0};
        line[m * lanes + v] = (number){z.re - z.im, 0};
    }
    for (int64_t k = 1; 2 * k <= m; k++)
        for (int v = 0; v < lanes; v++) {
            number *first = &line[k * lanes + v], *last = &line[(m - k) * lanes + v];
            const number a = *first, b = *last, even = {(a.re + b.re) / 2, (a.im - b.im) / 2},
                         odd = times(w[k], (number){(a.im + b.im) / 2, (b.re - a.re) / 2});
            *first = (number){even.re + odd.re, even.im + odd.im};
            *last = (number){even.re - odd.re, odd.im - even.im};
        }
}

/* The adjoint of that: Z_k = S + i D with S = H_k + H_(m - k)*, D = w^-k (H_k - H_(m - k)*), where H is half
 * of the cells' numbers, but whole at both ends */
static void put_together(const layout *l, number *line, int lanes)
{
    const int64_t m = l->grid[0] / 2;
    const number *w = l->twiddles;
    for (int v = 0; v < lanes; v++) {
        const REAL first = line[v].re, last = line[m * lanes + v].re;
        line[v] = (number){first + last, first - last};
    }
    for (int64_t k = 1; 2 * k <= m; k++)
        for (int v = 0; v < lanes; v++) {
            number *first = &line[k * lanes + v], *last = &line[(m - k) * lanes + v];
            const number a = *first, b = *last, sum = {(a.re + b.re) / 2, (a.im - b.im) / 2},
                         rest = times((number){w[k].re, -w[k].im},
                                      (number){(a.re - b.re) / 2, (a.im + b.im) / 2});
            *first = (number){sum.re - rest.im, sum.im + rest.re};
            *last = (number){sum.re + rest.im, rest.re - sum.im};
        }
}

/* Margins are cells that are kept, or conjugates of those: forward they are copied from them, in the adjoint
 * added to them. */
static void move_margin(const pass_job *job, number *row, number *mirror, int64_t cell,
                        argand_direction direction)
{
    const int lanes = layout_lanes(job->l, job->mode);
    bool mirrored;
    const int64_t home = layout_home(job->l, cell, &mirrored);
    const int64_t at = cell < 0 ? cell + layout_row(job->l, job->mode) : cell;
    const REAL sign = mirrored ? -1 : 1;
    for (int v = 0; v < lanes; v++) {
        /* in the adjoint every row gathers what is its own */
        number *margin = (mirrored && direction == ARGAND_INVERSE ? mirror : row) + at * lanes + v,
               *kept = (mirrored && direction == ARGAND_FORWARD ? mirror : row) + home * lanes + v;
        if (direction == ARGAND_FORWARD)
            *margin = (number){kept->re, sign * kept->im};
        else
            *kept = (number){kept->re + margin->re, kept->im + sign * margin->im};
    }
}

void VARIANT(nufft_margins)(const pass_job *job, argand_direction direction)
{
    const layout *l = job->l;
    const int64_t ny = l->grid[1], nz = l->grid[2], last = l->grid[0] / 2, width = l->window.width;
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < ny * nz; i++) {
        const int64_t y = i % ny, z = i / ny;
        if (!job->used[1][y]) continue;
        number *row = grid_line(job, y, z), *mirror = grid_line(job, (ny - y) % ny, (nz - z) % nz);
        for (int64_t cell = -l->before; cell < 0; cell++) move_margin(job, row, mirror, cell, direction);
        for (int64_t cell = last + 1; cell <= last + width - l->before; cell++)
            move_margin(job, row, mirror, cell, direction);
    }
}

void VARIANT(nufft_real_rows)(const pass_job *job, argand_direction direction)
{
    const layout *l = job->l;
    const fft_bundle *lines = l->lines[job->mode][0];
    const int lanes = layout_lanes(l, job->mode);
    const int64_t ny = l->image[1], nz = l->image[2];
    const size_t row = (size_t)(l->grid[0] / 2 * lanes) * sizeof(number);
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < ny * nz; i++) {
        const int64_t y = i % ny, z = i / ny;
        number *line = grid_line(job, place(y, ny, l->grid[1]), place(z, nz, l->grid[2]));
        char *work = job->lines + job->line_bytes * (size_t)omp_get_thread_num();
        if (direction == ARGAND_FORWARD) {
            memset(line, 0, row);
            move_row(job, line, y, z, true);
            fft_bundle_apply(lines, line, work, direction);
            take_apart(l, line, lanes);
        } else {
            put_together(l, line, lanes);
            fft_bundle_apply(lines, line, work, direction);
            move_row(job, line, y, z, false);
        }
    }
}
