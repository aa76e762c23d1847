/* SPDX-License-Identifier: BSD-3-Clause */
/* The FFT passes of a Toeplitz convolution on the CPU; compiled for each precision and instruction set. */
#include "toeplitz/passes.h"

#include <omp.h>
#include <string.h>
#include "fft/cpu/bundle/copy_rows.h"

typedef struct number {
    REAL re, im;
} number;

static inline number product(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline number product_conj(number a, number b) /* conj(a) b */
{
    return (number){a.re * b.re + a.im * b.im, a.re * b.im - a.im * b.re};
}

/* The two factors of a lane in a row; if one is set, `first` is. */
typedef struct factors {
    const number *first, *second;
} factors;

static inline factors factors_of(const toeplitz_lane *lane, int64_t pixel)
{
    const number *map = lane->map, *space = lane->space;
    if (!map) return (factors){space ? space + pixel : NULL, NULL};
    return (factors){map + pixel, space ? space + pixel : NULL};
}

static inline char *scratch_of(const toeplitz_job *job)
{
    return job->scratch + job->scratch_bytes * (size_t)omp_get_thread_num();
}

static void load_lane(number *line, int lanes, const number *in, factors f, int64_t n)
{
    if (f.second)
        for (int64_t x = 0; x < n; x++) line[lanes * x] = product(product(f.first[x], f.second[x]), in[x]);
    else if (f.first)
        for (int64_t x = 0; x < n; x++) line[lanes * x] = product(f.first[x], in[x]);
    else
        for (int64_t x = 0; x < n; x++) line[lanes * x] = in[x];
}

static inline void put(number *out, number value, bool add)
{
    out->re = add ? out->re + value.re : value.re;
    out->im = add ? out->im + value.im : value.im;
}

static void store_lane(number *out, const number *line, int lanes, factors f, int64_t n, bool add)
{
    if (f.second)
        for (int64_t x = 0; x < n; x++)
            put(out + x, product_conj(product(f.first[x], f.second[x]), line[lanes * x]), add);
    else if (f.first)
        for (int64_t x = 0; x < n; x++) put(out + x, product_conj(f.first[x], line[lanes * x]), add);
    else
        for (int64_t x = 0; x < n; x++) put(out + x, line[lanes * x], add);
}

static void load_row(const toeplitz_job *job, number *line, int64_t pixel)
{
    const size_t cell = (size_t)job->lanes * sizeof *line;
    if (job->used < job->lanes)
        memset(line, 0, (size_t)job->grid[0] * cell);
    else
        memset(line + job->lanes * job->n[0], 0, (size_t)(job->grid[0] - job->n[0]) * cell);
    for (int v = 0; v < job->used; v++)
        load_lane(line + v, job->lanes, (const number *)job->lane[v].in + pixel,
                  factors_of(&job->lane[v], pixel), job->n[0]);
}

static void store_row(const toeplitz_job *job, const number *line, int64_t pixel)
{
    for (int v = 0; v < job->used; v++)
        store_lane((number *)job->lane[v].out + pixel, line + v, job->lanes, factors_of(&job->lane[v], pixel),
                   job->n[0], job->lane[v].add);
}

/* Multiplies `count` points of `width` lines by their spectra; a common spectrum is read once. */
static void multiply(number *line, int64_t count, int width, const REAL *const *spectrum)
{
    bool same = true;
    for (int j = 1; j < width; j++) same = same && spectrum[j] == spectrum[0];
    if (same) {
        for (int64_t i = 0; i < count; i++)
            for (int j = 0; j < width; j++) {
                line[i * width + j].re *= spectrum[0][i];
                line[i * width + j].im *= spectrum[0][i];
            }
        return;
    }
    for (int64_t i = 0; i < count; i++)
        for (int j = 0; j < width; j++) {
            line[i * width + j].re *= spectrum[j][i];
            line[i * width + j].im *= spectrum[j][i];
        }
}

/* Finds the spectra of a bundle's lines from column x on, counted over all columns of the axes before the
 * last. Lanes without a vector hold zeros, and lines beyond the last column are ignored: both may use any
 * spectrum. */
static void find_spectra(const toeplitz_job *job, const REAL **spectrum, int width, int64_t x, int64_t left)
{
    const int64_t length = job->grid[job->rank - 1];
    for (int j = 0; j < width; j++) {
        const int lane = j % job->lanes, column = j / job->lanes;
        spectrum[j] = (const REAL *)job->lane[lane < job->used ? lane : 0].spectrum +
                      length * (x + (column < left ? column : 0));
    }
}

typedef enum column_work { COLUMNS_FORWARD, COLUMNS_INVERSE, COLUMNS_CONVOLVE } column_work;

/* Processes one bundle of columns along an axis. place: first number of the bundle on the grid; x: its
 * column. */
static void work_bundle(const toeplitz_job *job, int axis, column_work work, number *place, int64_t x,
                        int64_t left)
{
    const int wide = job->many / job->lanes;
    const int64_t stride = (axis == 1 ? job->row : job->plane) * (int64_t)sizeof(number);
    const int64_t before = work == COLUMNS_INVERSE ? job->grid[axis] : job->n[axis],
                  after = work == COLUMNS_FORWARD ? job->grid[axis] : job->n[axis];
    const size_t bytes = (size_t)(left < wide ? left : wide) * (size_t)job->lanes * sizeof(number);
    char *scratch = scratch_of(job), *spare = scratch + job->grid[axis] * CELL_BYTES;
    const fft_bundle *lines = job->lines[axis];
    if (bytes < CELL_BYTES) memset(scratch, 0, (size_t)job->grid[axis] * CELL_BYTES);
    copy_rows(scratch, CELL_BYTES, (const char *)place, stride, before, bytes);
    memset(scratch + before * CELL_BYTES, 0, (size_t)(job->grid[axis] - before) * CELL_BYTES);
    if (work != COLUMNS_INVERSE) fft_bundle_apply(lines, scratch, spare, ARGAND_FORWARD);
    if (work == COLUMNS_CONVOLVE) {
        const REAL *spectrum[MOST_LANES];
        find_spectra(job, spectrum, job->many, x, left);
        multiply((number *)(void *)scratch, job->grid[axis], job->many, spectrum);
    }
    if (work != COLUMNS_FORWARD) fft_bundle_apply(lines, scratch, spare, ARGAND_INVERSE);
    copy_rows((char *)place, stride, scratch, CELL_BYTES, after, bytes);
}

static void pass_columns(const toeplitz_job *job, int axis, column_work work)
{
    const int wide = job->many / job->lanes;
    const int64_t bundles = (job->grid[0] + wide - 1) / wide, others = job->rank < 3 ? 1
                                                                       : axis == 1   ? job->n[2]
                                                                                     : job->grid[1];
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < bundles * others; i++) {
        const int64_t x = i % bundles * wide, other = i / bundles;
        number *place = (number *)job->cells + job->lanes * x + other * (axis == 1 ? job->plane : job->row);
        work_bundle(job, axis, work, place, x + other * job->grid[0], job->grid[0] - x);
    }
}

static number *row_of(const toeplitz_job *job, int64_t i)
{
    return (number *)job->cells + i % job->n[1] * job->row + i / job->n[1] * job->plane;
}

static void pass_rows(const toeplitz_job *job, bool forward, bool inverse)
{
    const int64_t rows = job->n[1] * job->n[2];
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < rows; i++) {
        number *line = row_of(job, i);
        char *scratch = scratch_of(job);
        if (forward) {
            load_row(job, line, i * job->n[0]);
            fft_bundle_apply(job->lines[0], line, scratch, ARGAND_FORWARD);
        }
        if (forward && inverse) {
            const REAL *spectrum[MOST_LANES];
            find_spectra(job, spectrum, job->lanes, 0, 1);
            multiply(line, job->grid[0], job->lanes, spectrum);
        }
        if (inverse) {
            fft_bundle_apply(job->lines[0], line, scratch, ARGAND_INVERSE);
            store_row(job, line, i * job->n[0]);
        }
    }
}

void VARIANT(toeplitz_convolve)(const toeplitz_job *job)
{
    pass_rows(job, true, job->rank == 1);
    if (job->rank == 1) return;
    if (job->rank == 3) pass_columns(job, 1, COLUMNS_FORWARD);
    pass_columns(job, job->rank - 1, COLUMNS_CONVOLVE);
    if (job->rank == 3) pass_columns(job, 1, COLUMNS_INVERSE);
    pass_rows(job, false, true);
}
