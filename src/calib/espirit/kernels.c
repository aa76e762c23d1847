/* SPDX-License-Identifier: BSD-3-Clause */
/* From patches to correlations. The patches of the calibration region span a space with the orthonormal
 * basis u_m(c, p) over coils c and taps p. W projects every patch of k-space onto it and averages the
 * overlaps. This is a convolution with C_cd(delta) = 1/taps sum_m sum_(p - q = delta) u_m(c, p) conj(u_m(d,
 * q)), which leaves true data unchanged. The sums over taps are products on a small Fourier grid of 2 kernel
 * - 1 points per axis. */
#include "base/observe.h"
#include "base/pi.h"
#include "calib/espirit/espirit.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 32 };

/* A separable transform of a small complex array, from[a] to to[a] points, by tables [to][from][2]. */
typedef struct small_transform {
    int64_t from[3], to[3];
    double *table[3];
} small_transform;

static int64_t product(const int64_t n[3])
{
    return n[0] * n[1] * n[2];
}

/* Makes a table of exp(sign 2 pi i (a - a0) (b - b0) / length). */
static argand_status make_table(double **table, int64_t to, int64_t a0, int64_t from, int64_t b0,
                                int64_t length, double sign)
{
    TRY(NEW(*table, 2 * to * from));
    for (int64_t a = 0; a < to; a++)
        for (int64_t b = 0; b < from; b++) {
            const int64_t turns = ((a - a0) * (b - b0)) % length;
            const double angle = sign * TWO_PI * (double)turns / (double)length;
            (*table)[2 * (a * from + b)] = cos(angle);
            (*table)[2 * (a * from + b) + 1] = sin(angle);
        }
    return ARGAND_OK;
}

/* Transforms along one axis: lines of `inner` numbers, `outer` times. */
static void transform_axis(const double *table, int64_t from, int64_t to, int64_t inner, int64_t outer,
                           const double *in, double *out)
{
    memset(out, 0, (size_t)(2 * inner * to * outer) * sizeof *out);
    for (int64_t o = 0; o < outer; o++)
        for (int64_t a = 0; a < to; a++)
            for (int64_t b = 0; b < from; b++) {
                const double re = table[2 * (a * from + b)], im = table[2 * (a * from + b) + 1];
                const double *x = in + 2 * (o * from + b) * inner;
                double *y = out + 2 * (o * to + a) * inner;
                for (int64_t i = 0; i < 2 * inner; i += 2) {
                    y[i] += re * x[i] - im * x[i + 1];
                    y[i + 1] += re * x[i + 1] + im * x[i];
                }
            }
}

/* Transforms along all three axes; `in` is overwritten, the result is in `out`. Both have memory for the
 * larger size of each axis. */
static void transform(const small_transform *t, double *in, double *out)
{
    transform_axis(t->table[0], t->from[0], t->to[0], 1, t->from[1] * t->from[2], in, out);
    transform_axis(t->table[1], t->from[1], t->to[1], t->to[0], t->from[2], out, in);
    transform_axis(t->table[2], t->from[2], t->to[2], t->to[0] * t->to[1], 1, in, out);
}

static void transform_free(small_transform *t)
{
    for (int axis = 0; axis < 3; axis++) memory_free(t->table[axis]);
}

/* Plans the transform of kernels to the small grid, with exp(+). */
static argand_status plan_kernels(const espirit_task *e, small_transform *t)
{
    for (int axis = 0; axis < 3; axis++) {
        t->from[axis] = e->kernel[axis];
        t->to[axis] = e->lags[axis];
        TRY(make_table(&t->table[axis], e->lags[axis], 0, e->kernel[axis], 0, e->lags[axis], 1));
    }
    return ARGAND_OK;
}

/* Plans the transform from the small grid to correlations, with exp(-) and lags from -(kernel - 1). */
static argand_status plan_correlations(const espirit_task *e, small_transform *t)
{
    for (int axis = 0; axis < 3; axis++) {
        t->from[axis] = t->to[axis] = e->lags[axis];
        TRY(make_table(&t->table[axis], e->lags[axis], e->kernel[axis] - 1, e->lags[axis], 0, e->lags[axis],
                       -1));
    }
    return ARGAND_OK;
}

static void (*const dot[2][CPU_LEVELS])(const double *, const double *, const double *, const double *,
                                        int64_t, double *) = CPU_VARIANTS(hermitian_dot);

/* Eigenvectors as rows of `size` numbers; kernels are rows of {taps, coils}. vectors.im follows in the
 * memory of vectors.re. */
typedef struct patch_basis {
    hermitian_planes vectors;
    const double *values;
    int64_t size;
} patch_basis;

/* Loads kernel m for coil c, complex {taps}. */
static void load_kernel(const espirit_task *e, const patch_basis *s, int64_t m, int64_t c, double *out)
{
    const double *re = s->vectors.re + m * s->size + c * e->taps,
                 *im = s->vectors.im + m * s->size + c * e->taps;
    for (int64_t p = 0; p < e->taps; p++) {
        out[2 * p] = re[p];
        out[2 * p + 1] = im[p];
    }
}

/* Gathers x_c(r + p) over all patches r. */
static void gather(const espirit_task *e, int64_t c, int64_t p, hermitian_planes x)
{
    const int64_t *n = e->region, *k = e->kernel;
    const int64_t w[3] = {n[0] - k[0] + 1, n[1] - k[1] + 1, n[2] - k[2] + 1};
    const int64_t first = (c * n[2] + p / (k[0] * k[1])) * n[1] + p / k[0] % k[1];
    for (int64_t z = 0, r = 0; z < w[2]; z++)
        for (int64_t y = 0; y < w[1]; y++) {
            const double *from = e->data + 2 * ((first + z * n[1] + y) * n[0] + p % k[0]);
            for (int64_t i = 0; i < w[0]; i++, r++) {
                x.re[r] = from[2 * i];
                x.im[r] = from[2 * i + 1];
            }
        }
}

/* Replaces the eigenvectors y of the patches' Gram matrix by kernels, sum_r x_c(r + p) conj(y_r) / sigma. */
static argand_status make_kernels(const espirit_task *e, patch_basis *s)
{
    const int64_t size = e->taps * e->coils;
    const int workers = e->threads < size ? e->threads : (int)size;
    double *kernels = NULL, *scratch = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(kernels, 2 * e->rank * size));
    TRY_OR_DONE(NEW(scratch, 2 * workers * e->patches));
#pragma omp parallel for schedule(static) num_threads(workers)
    for (int worker = 0; worker < workers; worker++) {
        const hermitian_planes x = {scratch + 2 * worker * e->patches,
                                    scratch + (2 * worker + 1) * e->patches};
        for (int64_t at = worker; at < size; at += workers) {
            gather(e, at / e->taps, at % e->taps, x);
            for (int64_t m = 0; m < e->rank; m++) {
                double sum[2];
                dot[1][cpu_best()](x.re, x.im, s->vectors.re + m * e->patches, s->vectors.im + m * e->patches,
                                   e->patches, sum);
                kernels[m * size + at] = sum[0] / sqrt(s->values[m]);
                kernels[(e->rank + m) * size + at] = sum[1] / sqrt(s->values[m]);
            }
        }
    }
    memory_free(s->vectors.re);
    s->vectors = (hermitian_planes){kernels, kernels + e->rank * size};
    s->size = size;
    kernels = NULL;
done:
    memory_free(scratch);
    memory_free(kernels);
    return status;
}

/* The small grid: kernels of a chunk [m][coil][point] as planes, products [pair][point]. */
typedef struct small_grid {
    int64_t points;
    hermitian_planes kernels, products;
    double *scratch; /* 4 points for each worker */
} small_grid;

static void transform_chunk(const espirit_task *e, const patch_basis *s, const small_transform *t,
                            small_grid *g, int64_t first, int64_t count, int workers)
{
#pragma omp parallel for schedule(static) num_threads(workers)
    for (int worker = 0; worker < workers; worker++) {
        double *in = g->scratch + worker * 4 * g->points, *out = in + 2 * g->points;
        for (int64_t job = worker; job < count * e->coils; job += workers) {
            load_kernel(e, s, first + job / e->coils, job % e->coils, in);
            transform(t, in, out);
            for (int64_t j = 0; j < g->points; j++) {
                g->kernels.re[job * g->points + j] = out[2 * j];
                g->kernels.im[job * g->points + j] = out[2 * j + 1];
            }
        }
    }
}

/* Computes products[c, d] += sum over the chunk of kernel_c conj(kernel_d). */
static void add_products(const espirit_task *e, small_grid *g, int64_t count)
{
    const int64_t points = g->points;
#pragma omp parallel for schedule(dynamic) num_threads(e->threads)
    for (int64_t c = 0; c < e->coils; c++)
        for (int64_t d = 0; d <= c; d++) {
            double *restrict pr = g->products.re + (c * (c + 1) / 2 + d) * points, *restrict pi =
                                                                                       g->products.im +
                                                                                       (c * (c + 1) / 2 + d) *
                                                                                           points;
            for (int64_t m = 0; m < count; m++) {
                const double *ar = g->kernels.re + (m * e->coils + c) * points,
                             *ai = g->kernels.im + (m * e->coils + c) * points,
                             *br = g->kernels.re + (m * e->coils + d) * points,
                             *bi = g->kernels.im + (m * e->coils + d) * points;
                for (int64_t j = 0; j < points; j++) {
                    pr[j] += ar[j] * br[j] + ai[j] * bi[j];
                    pi[j] += ai[j] * br[j] - ar[j] * bi[j];
                }
            }
        }
}

static void write_correlations(const espirit_task *e, const small_transform *t, const small_grid *g)
{
    const double scale = 1 / ((double)e->taps * (double)g->points);
    double *in = g->scratch, *out = in + 2 * g->points;
    for (int64_t pair = 0; pair < e->pairs; pair++) {
        for (int64_t j = 0; j < g->points; j++) {
            in[2 * j] = scale * g->products.re[pair * g->points + j];
            in[2 * j + 1] = scale * g->products.im[pair * g->points + j];
        }
        transform(t, in, out);
        memcpy(e->correlations + 2 * pair * g->points, out, (size_t)(2 * g->points) * sizeof *out);
    }
}

static argand_status correlate(espirit_task *e, const patch_basis *s)
{
    small_transform forward = {0}, back = {0};
    small_grid g = {.points = product(e->lags)};
    double *memory = NULL;
    argand_status status;
    const int workers = e->threads < e->coils * CHUNK ? e->threads : (int)e->coils * CHUNK;
    const int64_t kernels = CHUNK * e->coils * g.points, products = e->pairs * g.points;
    TRY_OR_DONE(plan_kernels(e, &forward));
    TRY_OR_DONE(plan_correlations(e, &back));
    TRY_OR_DONE(NEW(memory, 2 * kernels + 2 * products));
    TRY_OR_DONE(NEW(g.scratch, workers * 4 * g.points));
    g.kernels = (hermitian_planes){memory, memory + kernels};
    g.products = (hermitian_planes){memory + 2 * kernels, memory + 2 * kernels + products};
    for (int64_t first = 0; first < e->rank; first += CHUNK) {
        const int64_t count = e->rank - first < CHUNK ? e->rank - first : CHUNK;
        TRY_OR_DONE(observe_again());
        transform_chunk(e, s, &forward, &g, first, count, workers);
        add_products(e, &g, count);
    }
    TRY_OR_DONE(NEW(e->correlations, 2 * products));
    write_correlations(e, &back, &g);
done:
    memory_free(g.scratch);
    memory_free(memory);
    transform_free(&back);
    transform_free(&forward);
    return status;
}

/* Largest threshold that is chosen from the spectrum. The choice is the optimal hard threshold for a matrix
 * with noise of unknown level, omega(aspect) times the median singular value (Gavish and Donoho, IEEE TIT
 * 60:5040, 2014, (5)). A fixed part of the largest value may remove the contribution of dim tissue next to
 * bright fat or to an intense coil, which leaves holes in maps; or it keeps noise, which maps then cover. In
 * a scan without noise the smallest values are the tail of the signal, or the error of the solved images.
 * The threshold therefore has limits. */
static const double HIGHEST = 1e-2;

static void choose_threshold(espirit_task *e, const double *values, int64_t size)
{
    const int64_t columns = e->taps * e->coils, larger = columns > e->patches ? columns : e->patches;
    const double b = (double)size / (double)larger;
    const double omega = ((0.56 * b - 0.95) * b + 1.82) * b + 1.43;
    const double found = omega * omega * values[size / 2] / values[0];
    const double least = -e->threshold;
    e->threshold = !(found > least) ? least : found < HIGHEST ? found : fmax(least, HIGHEST);
    while (e->rank > 1 && !(values[e->rank - 1] > e->threshold * values[0])) e->rank--;
}

argand_status espirit_kernels(espirit_task *e)
{
    const patch_set patches = {.coils = e->coils,
                               .region = {e->region[0], e->region[1], e->region[2]},
                               .kernel = {e->kernel[0], e->kernel[1], e->kernel[2]},
                               .data = e->data,
                               .threads = e->threads};
    const bool by_taps = patches_by_taps(&patches);
    patch_basis s = {.size = by_taps ? e->taps * e->coils : e->patches};
    hermitian_planes gram = {0};
    double *values = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(gram.re, s.size * s.size));
    TRY_OR_DONE(NEW(gram.im, s.size * s.size));
    TRY_OR_DONE(NEW(s.vectors.re, 2 * s.size * s.size));
    s.vectors.im = s.vectors.re + s.size * s.size;
    TRY_OR_DONE(NEW(values, s.size));
    TRY_OR_DONE(patches_gram(&patches, by_taps, gram));
    TRY_OR_DONE(hermitian_eigen(gram, s.size, fabs(e->threshold), e->threads, values, s.vectors, &e->rank));
    if (e->threshold < 0) choose_threshold(e, values, s.size);
    CHECK_OR_DONE(e->rank > 0, ARGAND_NUMERIC, "ESPIRiT: the calibration region holds no signal");
    s.values = values;
    if (!by_taps) TRY_OR_DONE(make_kernels(e, &s));
    status = correlate(e, &s);
done:
    memory_free(values);
    memory_free(s.vectors.re);
    memory_free(gram.im);
    memory_free(gram.re);
    return status;
}
