/* SPDX-License-Identifier: BSD-3-Clause */
/* First maps of the iteration, which determine the phase of its result. One virtual coil for the whole
 * image is not enough: its sensitivity may have zeros inside the object, around which the phase turns by 2
 * pi. Maps relative to this coil have holes there that no number of passes closes. The steps are: the
 * covariance of the strongest virtual coils over cells of about a window's size; the principal component
 * of each cell, which always has norm 1; its phase, chosen so that neighbours differ least (align.c);
 * linear interpolation between the cells' centres. With up to START_COILS coils, the virtual coils span
 * all of them, and nothing is lost. */
#include "calib/coils/start.h"

#include <math.h>
#include <string.h>
#include "base/observe.h"
#include "calib/hermitian.h"

/* Cells have at least LEAST_STEP pixels along an axis: with single pixels they would take ten times the
 * images' memory. */
enum { SQUARINGS = 8, REACH_SIGMAS = 4, LEAST_STEP = 3 };

typedef struct start {
    const smooth_task *task;
    bool is_double;
    const void *images;
    double sigma;               /* in cells */
    int64_t step, n[3], cells;  /* cells of step pixels along each axis */
    int64_t coils, pairs;       /* virtual coils; coils (coils + 1) / 2 */
    double complex *weights;    /* [virtual][coil] */
    double complex *covariance; /* [cell][pair]: (a, b), a >= b, at a (a + 1) / 2 + b */
    double complex *vectors;    /* [cell][virtual] */
    double *energy;             /* [cell] */
} start;

static double complex get(const start *s, int64_t at)
{
    return s->is_double ? ((const double complex *)s->images)[at]
                        : (double complex)((const float complex *)s->images)[at];
}

/* Finds the virtual coils: eigenvectors of the covariance of the whole image. In the first one, the
 * strongest coil has a positive factor. */
static argand_status find_virtual(start *s)
{
    const int64_t coils = s->task->coils;
    double *scratch, trace = 0;
    int64_t found = 0, strongest = 0;
    argand_status status;
    TRY(NEW(scratch, coils * (6 * coils + 1)));
    double *sums = scratch + 4 * coils * coils, *values = sums + 2 * coils * coils;
    const hermitian_planes matrix = {scratch, scratch + coils * coils},
                           vectors = {scratch + 2 * coils * coils, scratch + 3 * coils * coils};
    calib_covariance(sums, s->images, s->is_double, s->task->pixels, coils, 0, 1, s->task->threads);
    for (int64_t c = 0; c < coils; c++) {
        trace += sums[2 * (c * coils + c)];
        if (sums[2 * (c * coils + c)] > sums[2 * (strongest * coils + strongest)]) strongest = c;
    }
    CHECK_OR_DONE(trace > 0 && isfinite(trace), ARGAND_NUMERIC,
                  "coil maps: the squares of the images' values leave the range of double precision");
    for (int64_t i = 0; i < coils * coils; i++) {
        matrix.re[i] = sums[2 * i] / trace;
        matrix.im[i] = sums[2 * i + 1] / trace;
    }
    TRY_OR_DONE(hermitian_eigen(matrix, coils, 0, s->task->threads, values, vectors, &found));
    s->coils = found < START_COILS ? found : START_COILS;
    const double complex first = vectors.re[strongest] + I * vectors.im[strongest],
                         phase_factor = cabs(first) > 0 ? conj(first) / cabs(first) : 1;
    for (int64_t i = 0; i < s->coils * coils; i++)
        s->weights[i] = phase_factor * (vectors.re[i] + I * vectors.im[i]);
    s->pairs = s->coils * (s->coils + 1) / 2;
    status = ARGAND_OK;
done:
    memory_free(scratch);
    return status;
}

/* Adds a pixel to the covariance of its cell. */
static void add_pixel(const start *s, int64_t pixel, double complex *covariance)
{
    double complex seen[START_COILS] = {0};
    for (int64_t c = 0; c < s->task->coils; c++) {
        const double complex value = s->task->scale * get(s, c * s->task->pixels + pixel);
        for (int64_t k = 0; k < s->coils; k++) seen[k] += conj(s->weights[k * s->task->coils + c]) * value;
    }
    for (int64_t a = 0; a < s->coils; a++)
        for (int64_t b = 0; b <= a; b++) *covariance++ += seen[a] * conj(seen[b]);
}

static void collect(const start *s)
{
    const int64_t *n = s->task->n;
#pragma omp parallel for schedule(dynamic) num_threads(s->task->threads)
    for (int64_t row = 0; row < s->n[1] * s->n[2]; row++) {
        const int64_t y = row % s->n[1] * s->step, z = row / s->n[1] * s->step;
        for (int64_t k = z; k < z + s->step && k < n[2]; k++)
            for (int64_t j = y; j < y + s->step && j < n[1]; j++)
                for (int64_t i = 0; i < n[0]; i++)
                    add_pixel(s, (k * n[1] + j) * n[0] + i,
                              s->covariance + (row * s->n[0] + i / s->step) * s->pairs);
    }
}

/* Smooths one line of cells with stride `stride`; `scratch` holds as many covariances. */
static void smooth_line(const start *s, double complex *line, int64_t count, int64_t stride,
                        double complex *scratch)
{
    const int64_t reach = (int64_t)(REACH_SIGMAS * s->sigma + 0.5), pairs = s->pairs;
    for (int64_t i = 0; i < count; i++)
        memcpy(scratch + i * pairs, line + i * stride * pairs, (size_t)pairs * sizeof *scratch);
    for (int64_t i = 0; i < count; i++) {
        double complex *out = line + i * stride * pairs;
        memset(out, 0, (size_t)pairs * sizeof *out);
        for (int64_t j = i > reach ? i - reach : 0; j <= i + reach && j < count; j++) {
            const double d = (double)(i - j), tap = exp(-0.5 * d * d / (s->sigma * s->sigma));
            for (int64_t p = 0; p < pairs; p++) out[p] += tap * scratch[j * pairs + p];
        }
    }
}

static argand_status smooth(const start *s)
{
    for (int axis = 0; axis < 3; axis++) {
        const int64_t count = s->n[axis], lines = s->cells / count,
                      stride = axis == 0   ? 1
                               : axis == 1 ? s->n[0]
                                           : s->n[0] * s->n[1];
        const int workers = s->task->threads < lines ? s->task->threads : (int)lines;
        double complex *scratch;
        if (count == 1) continue;
        TRY(observe_again());
        TRY(NEW(scratch, workers * count * s->pairs));
#pragma omp parallel for schedule(static) num_threads(workers)
        for (int worker = 0; worker < workers; worker++)
            for (int64_t line = worker; line < lines; line += workers)
                smooth_line(s, s->covariance + (line / stride * stride * count + line % stride) * s->pairs,
                            count, stride, scratch + worker * count * s->pairs);
        memory_free(scratch);
    }
    return ARGAND_OK;
}

/* Replaces the matrix by its square, scaled to a trace of 1. */
static void square(double complex matrix[START_COILS][START_COILS], int64_t n)
{
    double complex product[START_COILS][START_COILS] = {{0}};
    double trace = 0;
    for (int64_t a = 0; a < n; a++) {
        for (int64_t c = 0; c < n; c++)
            for (int64_t b = 0; b < n; b++) product[a][b] += matrix[a][c] * matrix[c][b];
        trace += creal(product[a][a]);
    }
    for (int64_t a = 0; a < n; a++)
        for (int64_t b = 0; b < n; b++) matrix[a][b] = product[a][b] / trace;
}

/* Finds the principal component of a cell. After SQUARINGS squarings every column of the matrix is
 * parallel to the component, and the longest column is taken. The component is 0 if there is no signal. */
static void find_component(const start *s, int64_t cell)
{
    const int64_t n = s->coils;
    const double complex *packed = s->covariance + cell * s->pairs;
    double complex matrix[START_COILS][START_COILS] = {{0}};
    double trace = 0;
    int64_t best = 0;
    for (int64_t a = 0; a < n; a++) trace += creal(packed[a * (a + 1) / 2 + a]);
    if (!(trace > 1e-30)) return;
    s->energy[cell] = trace;
    for (int64_t a = 0; a < n; a++)
        for (int64_t b = 0; b <= a; b++) {
            matrix[a][b] = *packed++ / trace;
            matrix[b][a] = conj(matrix[a][b]);
        }
    for (int k = 0; k < SQUARINGS; k++) square(matrix, n);
    for (int64_t a = 1; a < n; a++)
        if (creal(matrix[a][a]) > creal(matrix[best][best])) best = a;
    double length = 0;
    for (int64_t a = 0; a < n; a++) length += pow(cabs(matrix[a][best]), 2);
    for (int64_t a = 0; a < n; a++) s->vectors[cell * n + a] = matrix[a][best] / sqrt(length);
}

/* Multiplies all vectors by one phase factor, after which their first elements, weighted by the cells'
 * energies, have a positive sum. */
static void rotate_all(const start *s)
{
    double complex sum = 0;
    for (int64_t i = 0; i < s->cells; i++) sum += s->energy[i] * s->vectors[i * s->coils];
    const double complex phase_factor = cabs(sum) > 0 ? conj(sum) / cabs(sum) : 1;
    for (int64_t i = 0; i < s->cells * s->coils; i++) s->vectors[i] *= phase_factor;
}

/* Finds the two cells around a pixel along an axis, and returns the weight of the second. */
static double between(const start *s, int axis, int64_t pixel, int64_t cell[2])
{
    const double at = ((double)pixel + 0.5) / (double)s->step - 0.5;
    const int64_t last = s->n[axis] - 1, low = at < 0 ? 0 : at < (double)last ? (int64_t)at : last;
    cell[0] = low;
    cell[1] = low < last ? low + 1 : last;
    return fmin(fmax(at - (double)low, 0), 1);
}

static void interpolate(const start *s, int64_t i, int64_t j, int64_t k, void *maps)
{
    int64_t x[2], y[2], z[2];
    const double p = between(s, 0, i, x), q = between(s, 1, j, y), r = between(s, 2, k, z);
    double complex vector[START_COILS] = {0};
    for (int corner = 0; corner < 8; corner++) {
        const int a = corner & 1, b = corner >> 1 & 1, c = corner >> 2;
        const double part = (a ? p : 1 - p) * (b ? q : 1 - q) * (c ? r : 1 - r);
        const int64_t cell = (z[c] * s->n[1] + y[b]) * s->n[0] + x[a];
        for (int64_t v = 0; v < s->coils; v++) vector[v] += part * s->vectors[cell * s->coils + v];
    }
    const int64_t coils = s->task->coils, pixel = (k * s->task->n[1] + j) * s->task->n[0] + i;
    for (int64_t c = 0; c < coils; c++) {
        double complex map = 0;
        for (int64_t v = 0; v < s->coils; v++) map += s->weights[v * coils + c] * vector[v];
        if (s->is_double)
            ((double complex *)maps)[c * s->task->pixels + pixel] = map;
        else
            ((float complex *)maps)[c * s->task->pixels + pixel] = (float complex)map;
    }
}

static argand_status find(start *s, void *maps)
{
    const int64_t *n = s->task->n;
    TRY(find_virtual(s));
    TRY(NEW(s->covariance, s->cells * s->pairs)); /* zeros */
    TRY(NEW(s->vectors, s->cells * s->coils));
    TRY(NEW(s->energy, s->cells));
    TRY(observe("estimating coil maps", 0));
    collect(s);
    TRY(smooth(s));
#pragma omp parallel for schedule(static) num_threads(s->task->threads)
    for (int64_t cell = 0; cell < s->cells; cell++) find_component(s, cell);
    TRY(observe_again());
    TRY(coils_align(s->vectors, s->energy, s->n, s->coils));
    rotate_all(s);
#pragma omp parallel for schedule(static) num_threads(s->task->threads)
    for (int64_t row = 0; row < n[1] * n[2]; row++)
        for (int64_t i = 0; i < n[0]; i++) interpolate(s, i, row % n[1], row / n[1], maps);
    return ARGAND_OK;
}

argand_status coils_start(const smooth_task *task, bool is_double, const void *images, double sigma,
                          void *maps)
{
    static void (*const normalise[2][CPU_LEVELS])(const smooth_task *, void *) =
        CPU_VARIANTS(smooth_normalise);
    start s = {.task = task,
               .is_double = is_double,
               .images = images,
               .step = sigma > LEAST_STEP ? (int64_t)sigma : LEAST_STEP,
               .cells = 1};
    argand_status status;
    s.sigma = fmax(sigma / (double)s.step, 0.5);
    for (int axis = 0; axis < 3; axis++) {
        s.n[axis] = (task->n[axis] + s.step - 1) / s.step;
        s.cells *= s.n[axis];
    }
    TRY_OR_DONE(NEW(s.weights, START_COILS * task->coils));
    TRY_OR_DONE(find(&s, maps));
    normalise[is_double][cpu_best()](task, maps);
    status = ARGAND_OK;
done:
    memory_free(s.energy);
    memory_free(s.vectors);
    memory_free(s.covariance);
    memory_free(s.weights);
    return status;
}
