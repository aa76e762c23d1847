/* SPDX-License-Identifier: BSD-3-Clause */
/* x = (rho, c^): an image, and coil maps c = F^-1 (W c^) whose coefficients cost (1 + 220 |k|^2)^16, so that
 * they are smooth. Solved for is T (rho c) = y, T a NUFFT, weighted by the density of the samples:
 *     (DF^H D DF + a) dx = DF^H D (y - F(x)) + a (x_0 - x),   a = 1, 1/2, 1/4, ...,   x_0 = (1, 0).
 * Samples on a grid need no NUFFT: T^H D T is then a product on the grid of coefficients. */
#include "calib/joint/joint.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"

enum { MOST_CG = 100 };

typedef struct model {
    const joint_problem *p;
    int64_t pixels, unknowns; /* pixels (1 + coils) */
    argand_nufft *nufft;
    argand_fft *fft;
    argand_array *images, *samples; /* C64 {n..., coils}, {points, coils} */
    double *density, *smooth;
    double *spectrum;        /* of T^H D T {n...}, where all samples lie on the grid; NULL: they do not */
    double complex *adjoint; /* T^H D y {n..., coils} */
    double complex *coil;    /* maps of the present x {n..., coils} */
    const double complex *rho;
} model;

static double complex *pixels_of(const model *m)
{
    return argand_array_data(m->images);
}

/* images -> images, centred and unitary. */
static argand_status fourier(const model *m, argand_direction direction)
{
    return argand_fft_apply(m->fft, m->images, m->images, direction);
}

/* c = F^-1 (W c^), left in images. */
static argand_status to_maps(const model *m, const double complex *coefficients)
{
    for (int c = 0; c < m->p->coils; c++) {
        double complex *v = pixels_of(m) + m->pixels * c;
        for (int64_t i = 0; i < m->pixels; i++) v[i] = m->smooth[i] * coefficients[i + m->pixels * c];
    }
    return fourier(m, ARGAND_INVERSE);
}

/* images (coil images) become T^H D T of them. */
static argand_status normal(const model *m)
{
    if (m->spectrum) {
        TRY(fourier(m, ARGAND_FORWARD));
        for (int64_t i = 0; i < m->pixels * m->p->coils; i++) pixels_of(m)[i] *= m->spectrum[i % m->pixels];
        return fourier(m, ARGAND_INVERSE);
    }
    TRY(argand_nufft_apply(m->nufft, m->samples, m->images));
    double complex *s = argand_array_data(m->samples);
    for (int64_t i = 0; i < m->p->points * m->p->coils; i++) s[i] *= m->density[i % m->p->points];
    return argand_nufft_adjoint(m->nufft, m->images, m->samples);
}

/* DF^H of coil images that stand in images: out = (sum_c conj(c) z_c, W F (conj(rho) z_c)). */
static argand_status back(const model *m, double complex *out)
{
    memset(out, 0, (size_t)m->pixels * sizeof *out);
    for (int c = 0; c < m->p->coils; c++) {
        double complex *z = pixels_of(m) + m->pixels * c;
        for (int64_t i = 0; i < m->pixels; i++) {
            out[i] += conj(m->coil[i + m->pixels * c]) * z[i];
            z[i] *= conj(m->rho[i]);
        }
    }
    TRY(fourier(m, ARGAND_FORWARD));
    for (int c = 0; c < m->p->coils; c++)
        for (int64_t i = 0; i < m->pixels; i++)
            out[m->pixels * (1 + c) + i] = m->smooth[i] * pixels_of(m)[i + m->pixels * c];
    return ARGAND_OK;
}

/* out = DF^H D DF dx + a dx */
static argand_status apply(const model *m, double complex *out, const double complex *dx, double a)
{
    TRY(to_maps(m, dx + m->pixels));
    for (int c = 0; c < m->p->coils; c++) {
        double complex *v = pixels_of(m) + m->pixels * c;
        for (int64_t i = 0; i < m->pixels; i++) v[i] = m->rho[i] * v[i] + dx[i] * m->coil[i + m->pixels * c];
    }
    TRY(normal(m));
    TRY(back(m, out));
    for (int64_t i = 0; i < m->unknowns; i++) out[i] += a * dx[i];
    return ARGAND_OK;
}

static double product(const double complex *a, const double complex *b, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += creal(conj(a[i]) * b[i]);
    return sum;
}

/* Conjugate gradients from 0: b becomes the residual. */
static argand_status solve(const model *m, double complex *dx, double complex *b, double a,
                           double complex *scratch)
{
    double complex *direction = scratch, *image = scratch + m->unknowns;
    double energy = product(b, b, m->unknowns);
    /* 1e-4 takes a third longer, and images have 0.002 less of error at most. */
    const double enough = 1e-3 * energy;
    memset(dx, 0, (size_t)m->unknowns * sizeof *dx);
    memcpy(direction, b, (size_t)m->unknowns * sizeof *b);
    for (int step = 0; step < MOST_CG && energy > enough; step++) {
        TRY(observe_again());
        TRY(apply(m, image, direction, a));
        const double length = energy / product(direction, image, m->unknowns), before = energy;
        for (int64_t i = 0; i < m->unknowns; i++) {
            dx[i] += length * direction[i];
            b[i] -= length * image[i];
        }
        energy = product(b, b, m->unknowns);
        for (int64_t i = 0; i < m->unknowns; i++) direction[i] = b[i] + energy / before * direction[i];
    }
    return ARGAND_OK;
}

/* One step of Gauss and Newton; x moves. memory: 4 unknowns. */
static argand_status newton(model *m, double complex *x, double a, double complex *memory)
{
    double complex *b = memory, *dx = memory + m->unknowns;
    m->rho = x;
    TRY(to_maps(m, x + m->pixels));
    double complex *v = pixels_of(m);
    for (int64_t i = 0; i < m->pixels * m->p->coils; i++) {
        m->coil[i] = v[i];
        v[i] *= x[i % m->pixels];
    }
    TRY(normal(m));
    for (int64_t i = 0; i < m->pixels * m->p->coils; i++) v[i] = m->adjoint[i] - v[i];
    TRY(back(m, b));
    for (int64_t i = 0; i < m->unknowns; i++) b[i] += a * ((i < m->pixels ? 1 : 0) - x[i]);
    TRY(solve(m, dx, b, a, memory + 2 * m->unknowns));
    for (int64_t i = 0; i < m->unknowns; i++) x[i] += dx[i];
    return ARGAND_OK;
}

/* ---- the model */

static argand_status make_plans(model *m)
{
    const joint_problem *p = m->p;
    const int rank = p->n[2] > 1 ? 3 : 2;
    argand_array *k[3] = {NULL};
    const int64_t dims[4] = {p->n[0], p->n[1], p->n[2], p->coils};
    argand_nufft_options nufft = {.type = ARGAND_C64, .rank = rank, .tolerance = 1e-4};
    argand_fft_options fft = {
        .type = ARGAND_C64, .rank = 3, .batch = p->coils, .centred = true, .scale = ARGAND_SCALE_UNITARY};
    for (int d = 0; d < 3; d++) nufft.n[d] = fft.n[d] = p->n[d];
    argand_status status = argand_nufft_create(&m->nufft, p->host, &nufft);
    for (int d = 0; d < rank && !status; d++)
        status = argand_array_wrap(&k[d], p->host, ARGAND_R64, 1, &p->points, NULL, p->k[d]);
    if (!status) status = argand_nufft_set_points(m->nufft, k);
    for (int d = 0; d < rank; d++) argand_array_destroy(k[d]);
    if (!status) status = argand_fft_create(&m->fft, p->host, &fft);
    if (!status) status = argand_array_create(&m->images, p->host, ARGAND_C64, 4, dims);
    if (!status)
        status = argand_array_create(&m->samples, p->host, ARGAND_C64, 2, (int64_t[]){p->points, p->coils});
    return status;
}

static argand_status make_density(model *m)
{
    argand_array *weights = NULL;
    TRY(argand_array_wrap(&weights, m->p->host, ARGAND_R64, 1, &m->p->points, NULL, m->density));
    const argand_status status = argand_density_pipe(weights, m->nufft, 50, 1e-2, NULL);
    argand_array_destroy(weights);
    return status;
}

/* The coefficient that a sample is, or -1 between them. */
static int64_t coefficient_of(const joint_problem *p, int64_t i)
{
    int64_t at = 0;
    for (int d = 2; d >= 0; d--) {
        const double k = p->n[d] > 1 ? p->k[d][i] : 0, nearest = rint(k);
        if (fabs(k - nearest) > 1e-6) return -1;
        const int64_t cell = (int64_t)nearest + p->n[d] / 2;
        at = at * p->n[d] + (cell < 0 ? cell + p->n[d] : cell) % p->n[d];
    }
    return at;
}

static argand_status make_spectrum(model *m)
{
    TRY(NEW(m->spectrum, m->pixels));
    for (int64_t i = 0; i < m->p->points; i++) {
        const int64_t at = coefficient_of(m->p, i);
        if (at < 0) {
            memory_free(m->spectrum);
            m->spectrum = NULL;
            return ARGAND_OK;
        }
        m->spectrum[at] += m->density[i] * (double)m->pixels; /* T has no factor, the FFT is unitary */
    }
    return ARGAND_OK;
}

/* The factor makes a map of 1 everywhere cost no more than one pixel of the image, so that the maps move
 * first. */
static void make_smooth(model *m)
{
    const int64_t *n = m->p->n;
    for (int64_t i = 0; i < m->pixels; i++) {
        const int64_t at[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        double square = 0;
        for (int d = 0; d < 3; d++) {
            const double k = (double)(at[d] - n[d] / 2) / (double)n[d];
            square += k * k;
        }
        m->smooth[i] = pow(1 + 220 * square, -16) * sqrt((double)m->pixels);
    }
}

static void free_model(model *m)
{
    argand_nufft_destroy(m->nufft);
    argand_fft_destroy(m->fft);
    argand_array_destroy(m->images);
    argand_array_destroy(m->samples);
    memory_free(m->density);
    memory_free(m->smooth);
    memory_free(m->spectrum);
    memory_free(m->adjoint);
    memory_free(m->coil);
}

/* T^H D y. Data of one norm, whatever the scanner's units: the first a is 1 for all. */
static argand_status make_adjoint(model *m)
{
    double energy = 0;
    const int64_t count = m->p->points * m->p->coils;
    double complex *s = argand_array_data(m->samples);
    for (int64_t i = 0; i < count; i++) {
        const double size = cabs(m->p->samples[i]);
        energy += m->density[i % m->p->points] * size * size;
    }
    CHECK(energy > 0 && isfinite(energy), ARGAND_NUMERIC,
          "image and coil maps together: the samples are all 0, or too large");
    for (int64_t i = 0; i < count; i++)
        s[i] = m->density[i % m->p->points] * m->p->samples[i] * (100 / sqrt(energy));
    TRY(argand_nufft_adjoint(m->nufft, m->images, m->samples));
    memcpy(m->adjoint, pixels_of(m), (size_t)(m->pixels * m->p->coils) * sizeof *m->adjoint);
    return ARGAND_OK;
}

static argand_status iterate(double complex *coefficients, model *m, double complex *x,
                             double complex *memory)
{
    double a = 1;
    for (int64_t i = 0; i < m->pixels; i++) x[i] = 1;
    for (int step = 0; step < m->p->steps; step++, a /= 2) {
        TRY(observe("image and coil maps together", (double)step / m->p->steps));
        TRY(newton(m, x, a, memory));
    }
    for (int64_t i = 0; i < m->pixels * m->p->coils; i++)
        coefficients[i] = m->smooth[i % m->pixels] * x[m->pixels + i];
    return ARGAND_OK;
}

argand_status joint_solve(double complex *coefficients, const joint_problem *p)
{
    model m = {.p = p, .pixels = p->n[0] * p->n[1] * p->n[2]};
    double complex *x = NULL, *memory = NULL;
    argand_status status;
    m.unknowns = m.pixels * (1 + p->coils);
    TRY_OR_DONE(NEW(m.density, p->points));
    TRY_OR_DONE(NEW(m.smooth, m.pixels));
    TRY_OR_DONE(NEW(m.adjoint, m.pixels * p->coils));
    TRY_OR_DONE(NEW(m.coil, m.pixels * p->coils));
    TRY_OR_DONE(NEW(x, m.unknowns));
    TRY_OR_DONE(NEW(memory, 4 * m.unknowns));
    TRY_OR_DONE(make_plans(&m));
    TRY_OR_DONE(make_density(&m));
    TRY_OR_DONE(make_spectrum(&m));
    TRY_OR_DONE(make_adjoint(&m));
    make_smooth(&m);
    status = iterate(coefficients, &m, x, memory);
done:
    memory_free(memory);
    memory_free(x);
    free_model(&m);
    return status;
}
