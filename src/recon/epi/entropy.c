/* SPDX-License-Identifier: BSD-3-Clause */
/* Echo shift and phase of reversed lines without reference lines: the image with the least entropy is the
 * one without a ghost (Clare, Proc. ISMRM 16:1041, 2008). A phase and this phase plus pi give the same image
 * half a field of view further on, so the phase is found within -pi/2 to pi/2. */
#include "recon/epi/epi.h"

#include <complex.h>
#include <math.h>
#include "base/memory.h"
#include "base/pi.h"
#include "fft/plan/waiting.h"

enum { LEAST_LINES = 4 }; /* of each polarity, in different rows */

/* The squared magnitude of the image, summed over channels, is sum + 2 Re(exp(-i angle) product) if reversed
 * lines are corrected by this angle: sum of both polarities' images, product of them. {ny, pixels} */
typedef struct polarity_images {
    int64_t ny, pixels;
    double *sum;
    double complex *product;
} polarity_images;

/* Returns the row of a line on the grid of phase encoding; -1: between two rows or outside. */
static int64_t row_of(const argand_acquisition *a, int64_t ny)
{
    const float ky = a->k[1] ? a->k[1][0] + (float)(ny / 2) : -1;
    const int64_t row = ky >= 0 && ky < (float)ny ? (int64_t)lrintf(ky) : -1;
    return row >= 0 && row < ny && fabsf(ky - (float)row) < 1e-3F ? row : -1;
}

/* Returns true if a line belongs to the first volume of its slice, and to the partition in the middle. */
static bool is_chosen(const argand_acquisition *a, const argand_acquisition *first, const argand_encoding *e)
{
    const argand_counters *c = &a->counters, *f = &first->counters;
    if (a->encoding != first->encoding || c->slice != f->slice || c->repetition != f->repetition ||
        c->contrast != f->contrast || c->phase != f->phase || c->set != f->set || c->average != f->average)
        return false;
    const bool partitions = e->matrix[2] > 1 && e->bands.count <= 1;
    return row_of(a, e->matrix[1]) >= 0 && (!partitions || fabsf(a->k[2][0]) < 0.5F);
}

/* Puts lines, complex {pixels, channels}, into the grids of their polarities, {ny, pixels, channels}. */
static void place(float *const grids[2], const float *lines, const argand_acquisition *const *each,
                  int64_t count, int64_t pixels, int64_t ny)
{
    for (int64_t l = 0; l < count; l++) {
        float *grid = grids[(each[l]->flags & ARGAND_FLAG_REVERSE) != 0];
        const int64_t row = row_of(each[l], ny), values = pixels * each[l]->channels;
        for (int64_t v = 0; v < values; v++)
            for (int part = 0; part < 2; part++)
                grid[2 * (v * ny + row) + part] += lines[2 * (l * values + v) + part];
    }
}

static argand_status to_image(const line_plan *p, float *grid, int64_t ny, int64_t rows)
{
    const int64_t dims[2] = {ny, rows};
    const argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {ny}, .batch = rows, .centred = true};
    argand_array *array = NULL;
    argand_fft *plan = NULL;
    argand_status status = argand_array_wrap(&array, p->device, ARGAND_C32, 2, dims, NULL, grid);
    if (!status) status = fft_create_waiting(&plan, p->device, &o);
    if (!status) status = argand_fft_apply(plan, array, array, ARGAND_INVERSE);
    argand_fft_destroy(plan);
    argand_array_destroy(array);
    return status;
}

static void multiply(polarity_images *images, float *const grids[2], int64_t channels)
{
    const int64_t count = images->ny * images->pixels;
    for (int64_t i = 0; i < count * channels; i++) {
        const double complex forward = grids[0][2 * i] + I * grids[0][2 * i + 1],
                             reversed = grids[1][2 * i] + I * grids[1][2 * i + 1];
        images->sum[i % count] += creal(forward * conj(forward) + reversed * conj(reversed));
        images->product[i % count] += conj(forward) * reversed;
    }
}

static argand_status make_images(polarity_images *images, const line_plan *p,
                                 const argand_acquisition *const *lines, int64_t count)
{
    const int64_t channels = lines[0]->channels, ny = images->ny, values = p->pixels * channels;
    float *each = NULL, *grids[2] = {NULL, NULL};
    argand_status status;
    TRY_OR_DONE(NEW(each, 2 * values * count));
    TRY_OR_DONE(NEW(grids[0], 2 * values * ny));
    TRY_OR_DONE(NEW(grids[1], 2 * values * ny));
    TRY_OR_DONE(NEW(images->sum, ny * p->pixels));
    TRY_OR_DONE(NEW(images->product, ny * p->pixels));
    lines_image(p, each, lines, count, NULL);
    place(grids, each, lines, count, p->pixels, ny);
    TRY_OR_DONE(to_image(p, grids[0], ny, values));
    TRY_OR_DONE(to_image(p, grids[1], ny, values));
    multiply(images, grids, channels);
done:
    memory_free(grids[1]);
    memory_free(grids[0]);
    memory_free(each);
    return status;
}

static double entropy(const polarity_images *images, const argand_epi_phase *phase)
{
    double total = 0, logs = 0;
    for (int64_t x = 0; x < images->pixels; x++) {
        const double r = (double)(x - images->pixels / 2) / (double)images->pixels;
        const double complex factor = cexp(-I * (phase->constant + TWO_PI * phase->shift * r));
        for (int64_t i = x * images->ny; i < (x + 1) * images->ny; i++) {
            const double power = images->sum[i] + 2 * creal(factor * images->product[i]);
            if (!(power > 0)) continue;
            const double magnitude = sqrt(power);
            total += magnitude;
            logs += magnitude * 0.5 * log(power);
        }
    }
    return total > 0 ? log(total) - logs / total : 0;
}

/* Goes from the best point of a coarse grid to the minimum by steps that become half as long. */
static argand_epi_phase minimise(const polarity_images *images)
{
    const int steps = 10;
    const double most_shift = 2, least_step = 1e-5;
    argand_epi_phase best = {0}, from;
    double least = entropy(images, &best), step = 0.5 * TWO_PI / steps;
    for (int i = -steps / 2; i < steps / 2; i++)
        for (double shift = -most_shift; shift <= most_shift; shift += 0.25) {
            const argand_epi_phase trial = {step * i, shift};
            const double value = entropy(images, &trial);
            if (value < least) least = value, best = trial;
        }
    for (step *= 0.5; step > least_step;) {
        from = best;
        for (int d = 0; d < 9; d++) {
            const argand_epi_phase trial = {from.constant + step * (d % 3 - 1),
                                            from.shift + 0.5 * step * (d / 3 - 1)};
            const double value = d == 4 ? least : entropy(images, &trial);
            if (value < least) least = value, best = trial;
        }
        if (best.constant == from.constant && best.shift == from.shift) step *= 0.5;
    }
    best.constant -= 0.5 * TWO_PI * rint(best.constant / (0.5 * TWO_PI));
    return best;
}

/* Finds how many rows of phase encoding have lines of each polarity: lines of one row are one measurement. */
static argand_status count_rows(int64_t rows[2], const argand_acquisition *const *lines, int64_t count,
                                int64_t ny)
{
    bool *seen;
    TRY(NEW(seen, 2 * ny));
    rows[0] = rows[1] = 0;
    for (int64_t i = 0; i < count; i++) {
        const int back = (lines[i]->flags & ARGAND_FLAG_REVERSE) != 0;
        bool *here = &seen[back * ny + row_of(lines[i], ny)];
        rows[back] += !*here;
        *here = true;
    }
    memory_free(seen);
    return ARGAND_OK;
}

argand_status entropy_estimate(argand_epi_phase *phase, bool *found, const line_plan *p,
                               const argand_scan *scan, const argand_acquisition *first)
{
    const argand_encoding *e = &scan->encodings[p->encoding];
    polarity_images images = {.ny = e->matrix[1], .pixels = p->pixels};
    const argand_acquisition **lines = NULL;
    int64_t count = 0, rows[2];
    argand_status status;
    TRY_OR_DONE(NEW(lines, scan->acquisition_count));
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        if (!is_chosen(&scan->acquisitions[i], first, e)) continue;
        lines[count++] = &scan->acquisitions[i];
    }
    TRY_OR_DONE(count_rows(rows, lines, count, images.ny));
    *found = rows[0] >= LEAST_LINES && rows[1] >= LEAST_LINES;
    if (!*found) goto done;
    TRY_OR_DONE(make_images(&images, p, lines, count));
    *phase = minimise(&images);
done:
    memory_free(images.product);
    memory_free(images.sum);
    memory_free(lines);
    return status;
}
