/* SPDX-License-Identifier: BSD-3-Clause */
/* x = (rho, c^): an image, and coil maps c = F^-1 (W c^) whose coefficients cost (1 + 220 |k|^2)^16, so that
 * they are smooth. Solved for is T (rho c) = y, T a NUFFT, weighted by the density of the samples:
 *     (DF^H D DF + a) dx = DF^H D (y - F(x)) + a (x_0 - x),   a = 1, 1/2, 1/4, ...,   x_0 = (1, 0). */
#include "joint/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CG = 100 };

typedef struct model {
    const joint_problem *p;
    int64_t pixels, unknowns; /* pixels (1 + coils) */
    argand_nufft *nufft;
    argand_fft *fft;
    argand_array *images, *samples; /* C64 {n..., coils}, {points, coils} */
    double *density, *smooth;
    double complex *coil; /* maps of the present x {n..., coils} */
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

/* images (coil images) become T^H D T of them; with y, T^H D (y - T of them). */
static argand_status normal(const model *m, const double complex *y)
{
    TRY(argand_nufft_apply(m->nufft, m->samples, m->images));
    for (int c = 0; c < m->p->coils; c++) {
        const int64_t first = m->p->points * c;
        double complex *s = (double complex *)argand_array_data(m->samples) + first;
        for (int64_t i = 0; i < m->p->points; i++) s[i] = m->density[i] * (y ? y[first + i] - s[i] : s[i]);
    }
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
    TRY(normal(m, NULL));
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
        if (interrupted()) return ARGAND_STOPPED;
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
static argand_status newton(model *m, double complex *x, const double complex *y, double a,
                            double complex *memory)
{
    double complex *b = memory, *dx = memory + m->unknowns;
    m->rho = x;
    TRY(to_maps(m, x + m->pixels));
    double complex *v = pixels_of(m);
    for (int64_t i = 0; i < m->pixels * m->p->coils; i++) {
        m->coil[i] = v[i];
        v[i] *= x[i % m->pixels];
    }
    TRY(normal(m, y));
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
    free(m->density);
    free(m->smooth);
    free(m->coil);
}

/* Data of one norm, whatever the scanner's units: the first a is 1 for all. */
static argand_status scale(double complex *y, const model *m)
{
    double energy = 0;
    const int64_t count = m->p->points * m->p->coils;
    for (int64_t i = 0; i < count; i++) {
        const double size = cabs(m->p->samples[i]);
        energy += m->density[i % m->p->points] * size * size;
    }
    if (!(energy > 0) || !isfinite(energy))
        return report_error(ARGAND_NUMERIC, "--coils joint: the samples are all 0, or too large");
    for (int64_t i = 0; i < count; i++) y[i] = m->p->samples[i] * (100 / sqrt(energy));
    return ARGAND_OK;
}

static argand_status iterate(double complex *coefficients, model *m, double complex *x, double complex *y,
                             double complex *memory)
{
    double a = 1;
    TRY(scale(y, m));
    for (int64_t i = 0; i < m->pixels; i++) x[i] = 1;
    for (int step = 0; step < m->p->steps; step++, a /= 2) {
        report_activity("image and coil maps together", (double)step / m->p->steps);
        TRY(newton(m, x, y, a, memory));
    }
    for (int64_t i = 0; i < m->pixels * m->p->coils; i++)
        coefficients[i] = m->smooth[i % m->pixels] * x[m->pixels + i];
    return ARGAND_OK;
}

argand_status joint_solve(double complex *coefficients, const joint_problem *p)
{
    model m = {.p = p, .pixels = p->n[0] * p->n[1] * p->n[2]};
    m.unknowns = m.pixels * (1 + p->coils);
    m.density = calloc((size_t)p->points, sizeof *m.density);
    m.smooth = malloc((size_t)m.pixels * sizeof *m.smooth);
    m.coil = malloc((size_t)(m.pixels * p->coils) * sizeof *m.coil);
    double complex *x = calloc((size_t)m.unknowns, sizeof *x),
                   *y = malloc((size_t)(p->points * p->coils) * sizeof *y),
                   *memory = malloc((size_t)m.unknowns * 4 * sizeof *memory);
    argand_status status = m.density && m.smooth && m.coil && x && y && memory
                               ? make_plans(&m)
                               : report_error(ARGAND_MEMORY, "no memory for --coils joint");
    if (!status) status = make_density(&m);
    if (!status) {
        make_smooth(&m);
        status = iterate(coefficients, &m, x, y, memory);
    }
    free(memory);
    free(y);
    free(x);
    free_model(&m);
    return status;
}
