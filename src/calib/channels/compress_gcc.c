/* SPDX-License-Identifier: BSD-3-Clause */
/* Geometric-decomposition coil compression (Zhang, Pauly, Vasanawala, Lustig, Magn. Reson. Med. 69:571,
 * 2013): a basis of eigenvectors for each position along the readout. A basis may be rotated within its
 * span; each is rotated to be nearest to its neighbour's, so that virtual coils are smooth along the
 * readout. */
#include "calib/channels/compress.h"

#include <complex.h>
#include <math.h>
#include <string.h>
#include "fft/plan/waiting.h"
#include "mri/host.h"

/* Computes the covariance over a position and its window as planes. sums: memory for 2 coils^2 numbers. */
static void covariance_at(const compress_task *t, int64_t position, double *sums, hermitian_planes out)
{
    const int64_t count = t->coils * t->coils;
    memset(out.re, 0, (size_t)count * sizeof *out.re);
    memset(out.im, 0, (size_t)count * sizeof *out.im);
    for (int64_t p = position - t->window; p <= position + t->window; p++) {
        if (p < 0 || p >= t->positions) continue;
        calib_covariance(sums, t->data, t->is_double, t->samples, t->coils, p, t->positions,
                         t->positions > 1 ? 1 : t->threads);
        for (int64_t i = 0; i < count; i++) {
            out.re[i] += sums[2 * i];
            out.im[i] += sums[2 * i + 1];
        }
    }
}

static argand_status decompose_at(compress_task *t, int64_t position, double *scratch)
{
    const int64_t count = t->coils * t->coils;
    hermitian_planes matrix = {scratch + 2 * count, scratch + 3 * count};
    const hermitian_planes vectors = {t->vectors.re + position * count, t->vectors.im + position * count};
    int64_t found;
    covariance_at(t, position, scratch, matrix);
    /* -1 selects all vectors, since all eigenvalues exceed minus the largest one, unless that is 0 itself */
    TRY(hermitian_eigen(matrix, t->coils, -1, 1, t->values + position * t->coils, vectors, &found));
    if (found == 0)
        for (int64_t c = 0; c < t->coils; c++) vectors.re[c * t->coils + c] = 1;
    return ARGAND_OK;
}

argand_status compress_decompose(compress_task *t)
{
    argand_status result = ARGAND_OK;
    double *scratch;
    const int64_t one = 4 * t->coils * t->coils;
    const int workers = t->threads < t->positions ? t->threads : (int)t->positions;
    TRY(NEW(scratch, workers * one));
    if (workers == 1) {
        for (int64_t p = 0; p < t->positions && !result; p++) result = decompose_at(t, p, scratch);
    } else {
#pragma omp parallel for schedule(static) num_threads(workers)
        for (int worker = 0; worker < workers; worker++)
            for (int64_t p = worker; p < t->positions; p += workers)
                if (decompose_at(t, p, scratch + worker * one)) {
#pragma omp atomic write
                    result = ARGAND_MEMORY;
                }
        if (result) status_set(result, "coil compression: no memory for the covariances");
    }
    memory_free(scratch);
    return result;
}

/* Returns element c of row v of a position, seen as a row-major matrix {made, coils}. */
static double complex element(const compress_task *t, int64_t position, int64_t v, int64_t c)
{
    const int64_t at = (position * t->coils + v) * t->coils + c;
    return t->vectors.re[at] + I * t->vectors.im[at];
}

/* Subtracts from a column of u what lies in the span of the columns before it, twice, and returns the square
 * of what is left. */
static double project_out(double complex *u, int64_t n, int64_t column)
{
    double left = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t before = 0; before < column; before++) {
            double complex product = 0;
            for (int64_t i = 0; i < n; i++) product += conj(u[i * n + before]) * u[i * n + column];
            for (int64_t i = 0; i < n; i++) u[i * n + column] -= product * u[i * n + before];
        }
    for (int64_t i = 0; i < n; i++) left += creal(u[i * n + column] * conj(u[i * n + column]));
    return left;
}

/* Orthonormalises the columns of u by modified Gram-Schmidt, applied twice. A column that vanishes becomes
 * the unit vector farthest from the span of the columns before it. */
static void orthonormalise(double complex *u, int64_t n)
{
    for (int64_t column = 0; column < n; column++) {
        double norm = project_out(u, n, column), least = 1e-20;
        for (int64_t unit = 0; unit < n && norm < least; unit++) {
            for (int64_t i = 0; i < n; i++) u[i * n + column] = i == unit;
            norm = project_out(u, n, column);
            least = 0.5 / (double)n;
        }
        for (int64_t i = 0; i < n; i++) u[i * n + column] /= sqrt(norm);
    }
}

/* Computes product[a, b] = sum_c before[a, c] conj(here[b, c]). */
static void cross(const compress_task *t, int64_t before, int64_t here, int64_t made, double complex *product)
{
    for (int64_t a = 0; a < made; a++)
        for (int64_t b = 0; b < made; b++) {
            product[a * made + b] = 0;
            /* the matrix's rows are the conjugate vectors */
            for (int64_t c = 0; c < t->coils; c++)
                product[a * made + b] += conj(element(t, before, a, c)) * element(t, here, b, c);
        }
}

typedef struct align_scratch {
    double complex *cross, *basis, *rotation, *rows; /* made^2 each; rows: made * coils */
    hermitian_planes square, vectors;
    double *values;
} align_scratch;

/* Computes the unitary matrix nearest to `cross`, U V^H of its singular vectors, from the eigenvectors of
 * cross^H cross. */
static argand_status nearest_unitary(const align_scratch *r, int64_t n)
{
    int64_t found;
    for (int64_t i = 0; i < n * n; i++) {
        double complex sum = 0;
        for (int64_t k = 0; k < n; k++) sum += conj(r->cross[k * n + i / n]) * r->cross[k * n + i % n];
        r->square.re[i] = creal(sum);
        r->square.im[i] = cimag(sum);
    }
    TRY(hermitian_eigen(r->square, n, -1, 1, r->values, r->vectors, &found));
    if (found == 0)
        for (int64_t i = 0; i < n; i++) r->vectors.re[i * n + i] = 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t v = 0; v < n; v++) {
            double complex sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += r->cross[i * n + k] * (r->vectors.re[v * n + k] + I * r->vectors.im[v * n + k]);
            r->basis[i * n + v] = sum;
        }
    orthonormalise(r->basis, n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            r->rotation[i * n + j] = 0;
            for (int64_t v = 0; v < n; v++)
                r->rotation[i * n + j] +=
                    r->basis[i * n + v] * (r->vectors.re[v * n + j] - I * r->vectors.im[v * n + j]);
        }
    return ARGAND_OK;
}

/* Multiplies the matrix's rows at a position by the rotation; the vectors are the conjugate rows. */
static void rotate_rows(compress_task *t, int64_t here, int64_t made, const align_scratch *r)
{
    for (int64_t v = 0; v < made; v++)
        for (int64_t c = 0; c < t->coils; c++) {
            r->rows[v * t->coils + c] = 0;
            for (int64_t k = 0; k < made; k++)
                r->rows[v * t->coils + c] += conj(r->rotation[v * made + k]) * element(t, here, k, c);
        }
    for (int64_t i = 0; i < made * t->coils; i++) {
        t->vectors.re[here * t->coils * t->coils + i] = creal(r->rows[i]);
        t->vectors.im[here * t->coils * t->coils + i] = cimag(r->rows[i]);
    }
}

static argand_status align_to(compress_task *t, int64_t before, int64_t here, int64_t made,
                              const align_scratch *r)
{
    memset(r->vectors.re, 0, (size_t)(made * made) * sizeof *r->vectors.re);
    memset(r->vectors.im, 0, (size_t)(made * made) * sizeof *r->vectors.im);
    cross(t, before, here, made, r->cross);
    TRY(nearest_unitary(r, made));
    rotate_rows(t, here, made, r);
    return ARGAND_OK;
}

argand_status compress_align(compress_task *t, int64_t made)
{
    align_scratch r;
    double *scratch;
    const int64_t square = made * made;
    argand_status status = ARGAND_OK;
    TRY(NEW(scratch, 10 * square + 2 * made * t->coils + made));
    double complex *const matrices = (double complex *)scratch;
    r = (align_scratch){
        matrices,
        matrices + square,
        matrices + 2 * square,
        matrices + 3 * square,
        {scratch + 6 * square + 2 * made * t->coils, scratch + 7 * square + 2 * made * t->coils},
        {scratch + 8 * square + 2 * made * t->coils, scratch + 9 * square + 2 * made * t->coils},
        scratch + 10 * square + 2 * made * t->coils};
    const int64_t middle = t->positions / 2;
    for (int64_t p = middle + 1; p < t->positions && !status; p++) status = align_to(t, p - 1, p, made, &r);
    for (int64_t p = middle - 1; p >= 0 && !status; p--) status = align_to(t, p + 1, p, made, &r);
    memory_free(scratch);
    return status;
}

/* Transforms data along the readout, to the image or back, in place; the inverse includes the factor 1/N. */
static argand_status readout_fft(argand_array *data, argand_direction direction)
{
    argand_fft *plan;
    const int64_t n = argand_array_dim(data, 0), lines = argand_array_count(data) / n;
    const argand_fft_options options = {.type = argand_array_type(data),
                                        .rank = 1,
                                        .n = {n},
                                        .batch = lines,
                                        .centred = true,
                                        .scale = ARGAND_SCALE_INVERSE};
    TRY(fft_create_waiting(&plan, argand_array_device(data), &options));
    const argand_status status = argand_fft_apply(plan, data, data, direction);
    argand_fft_destroy(plan);
    return status;
}

argand_status argand_coils_mix_kspace(argand_array *compressed, const argand_array *matrix,
                                      const argand_array *kspace)
{
    argand_array *hybrid = NULL;
    int64_t dims[ARGAND_MAX_RANK];
    argand_status status;
    CHECK_ARRAY(compressed);
    CHECK_ARRAY(matrix);
    CHECK_ARRAY(kspace);
    if (argand_array_dim(matrix, 2) == 1) return argand_coils_mix(compressed, matrix, kspace);
    const int rank = argand_array_rank(kspace);
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(kspace, axis);
    CHECK(argand_array_is_contiguous(compressed), ARGAND_ARGUMENT,
          "mixing coils: the result must be a contiguous array");
    TRY_OR_DONE(
        argand_array_create(&hybrid, argand_array_device(kspace), argand_array_type(kspace), rank, dims));
    TRY_OR_DONE(argand_array_copy(hybrid, kspace));
    TRY_OR_DONE(readout_fft(hybrid, ARGAND_INVERSE));
    TRY_OR_DONE(argand_coils_mix(compressed, matrix, hybrid));
    TRY_OR_DONE(readout_fft(compressed, ARGAND_FORWARD));
done:
    argand_array_destroy(hybrid);
    return status;
}
