/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues and eigenvectors of Hermitian matrices: Householder reflections to tridiagonal form, then the
 * implicit QL iteration (Bowdler, Martin, Reinsch, Wilkinson, Numerische Mathematik 11:293, 1968). The
 * update of a step and the product of the next step are computed in one pass over the matrix. Rotations are
 * collected and applied to blocks of columns that stay in the cache. Eigenvectors are transformed back
 * sixteen at a time. */
#include "calib/hermitian.h"

#include "base/memory.h"
#include "base/observe.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { COLUMNS = 64, STRIP = 32, MOST_ROTATIONS = 1 << 15, SWEEPS = 60 };
/* Rows from which threads pay: for the rotations, which begin a few times, and for a step of the reduction.
 * A step of 640 rows takes 0.1 ms, and to wake sleeping threads may take longer. */
enum { WORTH_THREADS = 192, WORTH_STEPS = 640 };

static void (*const reduce_columns[2][CPU_LEVELS])(const hermitian_step *, int64_t, int64_t,
                                                   double *) = CPU_VARIANTS(hermitian_reduce);
static void (*const rotate_columns[2][CPU_LEVELS])(double *, int64_t, const hermitian_rotation *, int64_t,
                                                   int64_t, int64_t) = CPU_VARIANTS(hermitian_rotate);
static void (*const reflect_block[2][CPU_LEVELS])(double *, double *, int64_t, const double *, const double *,
                                                  const double *) = CPU_VARIANTS(hermitian_reflect);

/* State of a decomposition. */
typedef struct work {
    int64_t n;
    int threads;
    hermitian_planes a;
    double *memory;           /* block of all vectors below */
    double *d, *e, *tau;      /* diagonal, subdiagonal, 2 / |v|^2 of the reflectors */
    hermitian_planes phase;   /* phases that make e real */
    hermitian_planes v, w, p; /* vectors of a step; the pending update is v w^H + w v^H */
    hermitian_planes x;       /* v of the next step */
    /* Subdiagonal elements below this count as 0: less than rounding changed the matrix. */
    double tiny;
    double unit;  /* power of 2 by which the tridiagonal matrix is divided: squares do not overflow */
    double *sums; /* complex {n, strips} */
    double *z;    /* eigenvectors of the tridiagonal matrix, as rows */
    hermitian_rotation *rotations;
    int64_t rotation_count;
} work;

static argand_status work_new(work *s)
{
    enum { VECTORS = 13 };
    const int64_t n = s->n;
    TRY(NEW(s->memory, VECTORS * n));
    double **const parts[VECTORS] = {&s->d,    &s->e,    &s->tau,  &s->phase.re, &s->phase.im,
                                     &s->v.re, &s->v.im, &s->w.re, &s->w.im,     &s->p.re,
                                     &s->p.im, &s->x.re, &s->x.im};
    for (int i = 0; i < VECTORS; i++) *parts[i] = s->memory + i * n;
    TRY(NEW(s->z, n * n));
    TRY(NEW(s->sums, 2 * n * ((n + STRIP - 1) / STRIP)));
    return NEW(s->rotations, MOST_ROTATIONS);
}

static void work_free(work *s)
{
    memory_free(s->rotations);
    memory_free(s->sums);
    memory_free(s->z);
    memory_free(s->memory);
}

/* Applies the pending update to one row. */
static void update_row(work *s, int64_t row)
{
    double *re = s->a.re + row * s->n, *im = s->a.im + row * s->n;
    const double vr = s->v.re[row], vi = s->v.im[row], wr = s->w.re[row], wi = s->w.im[row];
    for (int64_t j = row; j < s->n; j++) {
        re[j] -= vr * s->w.re[j] + vi * s->w.im[j] + wr * s->v.re[j] + wi * s->v.im[j];
        im[j] -= vi * s->w.re[j] - vr * s->w.im[j] + wi * s->v.re[j] - wr * s->v.im[j];
    }
}

/* Makes the reflector that maps column k below the diagonal to a multiple of its first unit vector. Stores
 * the reflector in x and in the finished part of row k, and sets e and its phase. Returns false if the
 * column is already 0. */
static bool make_reflector(work *s, int64_t k)
{
    const int64_t n = s->n;
    double *re = s->a.re + k * n, *im = s->a.im + k * n, largest = 0, square = 0;
    for (int64_t j = k + 1; j < n; j++) largest = fmax(largest, fmax(fabs(re[j]), fabs(im[j])));
    s->e[k] = s->tau[k] = 0;
    s->phase.re[k + 1] = s->phase.re[k];
    s->phase.im[k + 1] = s->phase.im[k];
    if (!(largest > 0)) return false;
    for (int64_t j = k + 1; j < n; j++) {
        s->x.re[j] = re[j] / largest; /* the column is the conjugate of the row */
        s->x.im[j] = -im[j] / largest;
        square += s->x.re[j] * s->x.re[j] + s->x.im[j] * s->x.im[j];
    }
    const double norm = sqrt(square), head = hypot(s->x.re[k + 1], s->x.im[k + 1]);
    const double ur = head > 0 ? s->x.re[k + 1] / head : 1, ui = head > 0 ? s->x.im[k + 1] / head : 0;
    s->x.re[k + 1] += ur * norm;
    s->x.im[k + 1] += ui * norm;
    s->tau[k] = 1 / (norm * (norm + head));
    s->e[k] = norm * largest; /* the factor -u goes into the phase */
    s->phase.re[k + 1] = -(s->phase.re[k] * ur - s->phase.im[k] * ui);
    s->phase.im[k + 1] = -(s->phase.re[k] * ui + s->phase.im[k] * ur);
    for (int64_t j = k + 1; j < n; j++) {
        re[j] = s->x.re[j];
        im[j] = s->x.im[j];
    }
    return true;
}

/* Computes w = tau p - (tau^2 / 2) (v^H p) v, for the update A - v w^H - w v^H.
 */
static void make_update(work *s, int64_t k)
{
    const double tau = s->tau[k];
    double product = 0; /* v^H A v is real */
    for (int64_t j = k + 1; j < s->n; j++) product += s->x.re[j] * s->p.re[j] + s->x.im[j] * s->p.im[j];
    const double factor = 0.5 * tau * tau * product;
    for (int64_t j = k + 1; j < s->n; j++) {
        s->v.re[j] = s->x.re[j];
        s->v.im[j] = s->x.im[j];
        s->w.re[j] = tau * s->p.re[j] - factor * s->x.re[j];
        s->w.im[j] = tau * s->p.im[j] - factor * s->x.im[j];
    }
}

/* Computes p = A v for a step, with the step's update of A. Strips of columns are independent but for what
 * they add to other rows of p, which is added in their order. */
static void multiply(work *s, const hermitian_step *step)
{
    const int64_t n = s->n, first = step->first, strips = (n - first + STRIP - 1) / STRIP;
    const int threads = n - first > WORTH_STEPS ? s->threads : 1;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t i = 0; i < strips; i++) {
        const int64_t strip = strips - 1 - i, from = first + strip * STRIP; /* the longest first */
        reduce_columns[1][cpu_best()](step, from, from + STRIP < n ? from + STRIP : n,
                                      s->sums + 2 * strip * n);
    }
    for (int64_t strip = 0; strip < strips; strip++) {
        const double *sums = s->sums + 2 * strip * n;
        const int64_t end = first + (strip + 1) * STRIP < n ? first + (strip + 1) * STRIP : n;
        for (int64_t row = first; row < end; row++) {
            s->p.re[row] += sums[2 * row];
            s->p.im[row] += sums[2 * row + 1];
        }
    }
}

static argand_status reduce(work *s)
{
    const int64_t n = s->n;
    bool due = false;
    s->phase.re[0] = 1;
    for (int64_t k = 0; k < n; k++) {
        TRY(observe_again());
        if (due) update_row(s, k);
        s->d[k] = s->a.re[k * n + k];
        if (k == n - 1) break;
        if (!make_reflector(s, k)) { /* H = 1: only the pending update changes A */
            memset(s->x.re, 0, (size_t)n * sizeof *s->x.re);
            memset(s->x.im, 0, (size_t)n * sizeof *s->x.im);
        }
        const hermitian_step step = {.n = n,
                                     .first = k + 1,
                                     .re = s->a.re,
                                     .im = s->a.im,
                                     .u_re = s->v.re,
                                     .u_im = s->v.im,
                                     .w_re = s->w.re,
                                     .w_im = s->w.im,
                                     .v_re = s->x.re,
                                     .v_im = s->x.im,
                                     .p_re = s->p.re,
                                     .p_im = s->p.im};
        multiply(s, &step);
        make_update(s, k);
        due = true;
    }
    return ARGAND_OK;
}

static void apply_rotations(work *s)
{
    const int threads = s->n > WORTH_THREADS ? s->threads : 1;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t from = 0; from < s->n; from += COLUMNS)
        rotate_columns[1][cpu_best()](s->z, s->n, s->rotations, s->rotation_count, from,
                                      from + COLUMNS < s->n ? from + COLUMNS : s->n);
    s->rotation_count = 0;
}

/* Returns the first row from l on below which the matrix splits into blocks. */
static int64_t split(const work *s, int64_t l)
{
    int64_t m = l;
    for (; m < s->n - 1; m++)
        if (fabs(s->e[m]) <= 0x1p-53 * (fabs(s->d[m]) + fabs(s->d[m + 1])) + s->tiny) break;
    return m;
}

/* Performs one QL sweep with an implicit shift over rows l..m. */
static void sweep(work *s, int64_t l, int64_t m)
{
    double *d = s->d, *e = s->e;
    const double half = (d[l + 1] - d[l]) / (2 * e[l]);
    double g = d[m] - d[l] + e[l] / (half + copysign(hypot(half, 1), half)), sine = 1, cosine = 1, shift = 0;
    for (int64_t i = m - 1; i >= l; i--) {
        const double f = sine * e[i], b = cosine * e[i], r = sqrt(f * f + g * g);
        e[i + 1] = r;
        if (r == 0) { /* the matrix splits here */
            d[i + 1] -= shift;
            e[m] = 0;
            return;
        }
        sine = f / r;
        cosine = g / r;
        g = d[i + 1] - shift;
        const double t = (d[i] - g) * sine + 2 * cosine * b;
        shift = sine * t;
        d[i + 1] = g + shift;
        g = cosine * t - b;
        s->rotations[s->rotation_count++] = (hermitian_rotation){i, cosine, sine};
        if (s->rotation_count == MOST_ROTATIONS) apply_rotations(s);
    }
    d[l] -= shift;
    e[l] = g;
    e[m] = 0;
}

/* Diagonalises the tridiagonal matrix. In a matrix of low rank, adjacent diagonal elements consist of
 * rounding errors, and the element between them is never small relative to these. The limit therefore also
 * depends on the size of the whole matrix. */
static argand_status diagonalise(work *s)
{
    double largest = 0;
    for (int64_t i = 0; i < s->n; i++) largest = fmax(largest, fabs(s->d[i]) + fabs(s->e[i]));
    s->unit = largest > 0 ? ldexp(1, ilogb(largest)) : 1;
    s->tiny = 0x1p-55 * largest / s->unit;
    for (int64_t i = 0; i < s->n; i++) {
        s->d[i] /= s->unit;
        s->e[i] /= s->unit;
    }
    for (int64_t i = 0; i < s->n; i++) s->z[i * s->n + i] = 1;
    for (int64_t l = 0; l < s->n; l++) {
        int64_t m = split(s, l);
        TRY(observe_again());
        for (int pass = 0; m != l; pass++, m = split(s, l)) {
            CHECK(pass < SWEEPS, ARGAND_NUMERIC, "eigenvalue %lld of a matrix of %lld rows does not converge",
                  (long long)l, (long long)s->n);
            sweep(s, l, m);
        }
    }
    apply_rotations(s);
    return ARGAND_OK;
}

/* Sorts the eigenvalues in descending order: order[rank] is the index of an eigenvalue. */
static void sort(const work *s, int64_t *order)
{
    for (int64_t i = 0; i < s->n; i++) {
        int64_t at = i;
        for (; at > 0 && s->d[order[at - 1]] < s->d[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Transforms eigenvectors first.. of the tridiagonal matrix to those of A. x: memory for a block. */
static void carry_back(const work *s, const int64_t *order, int64_t first, int64_t count, double *x,
                       hermitian_planes vectors)
{
    enum { B = HERMITIAN_BLOCK };
    const int64_t n = s->n;
    double *xr = x, *xi = x + n * B;
    memset(x, 0, (size_t)(2 * n * B) * sizeof *x);
    for (int64_t b = 0; b < B && first + b < count; b++) {
        const double *z = s->z + order[first + b] * n;
        for (int64_t j = 0; j < n; j++) {
            xr[j * B + b] = s->phase.re[j] * z[j];
            xi[j * B + b] = s->phase.im[j] * z[j];
        }
    }
    reflect_block[1][cpu_best()](xr, xi, n, s->a.re, s->a.im, s->tau);
    for (int64_t b = 0; b < B && first + b < count; b++)
        for (int64_t j = 0; j < n; j++) {
            vectors.re[(first + b) * n + j] = xr[j * B + b];
            vectors.im[(first + b) * n + j] = xi[j * B + b];
        }
}

static argand_status make_vectors(const work *s, const int64_t *order, int64_t count,
                                  hermitian_planes vectors)
{
    const int64_t blocks = (count + HERMITIAN_BLOCK - 1) / HERMITIAN_BLOCK,
                  elements = 2 * s->n * HERMITIAN_BLOCK;
    const int threads = s->threads < blocks ? s->threads : blocks > 1 ? (int)blocks : 1;
    double *x;
    TRY(NEW(x, threads * elements));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int worker = 0; worker < threads; worker++)
        for (int64_t block = worker; block < blocks; block += threads)
            carry_back(s, order, block * HERMITIAN_BLOCK, count, x + worker * elements, vectors);
    memory_free(x);
    return ARGAND_OK;
}

argand_status hermitian_eigen(hermitian_planes matrix, int64_t n, double least, int threads, double *values,
                              hermitian_planes vectors, int64_t *count)
{
    work s = {.n = n, .threads = threads, .a = matrix};
    int64_t *order = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(order, n));
    TRY_OR_DONE(work_new(&s));
    TRY_OR_DONE(reduce(&s));
    TRY_OR_DONE(diagonalise(&s));
    sort(&s, order);
    for (int64_t i = 0; i < n; i++) values[i] = s.d[order[i]] * s.unit;
    *count = 0;
    while (*count < n && values[*count] > least * values[0]) ++*count;
    status = make_vectors(&s, order, *count, vectors);
done:
    work_free(&s);
    memory_free(order);
    return status;
}
