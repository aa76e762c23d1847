/* SPDX-License-Identifier: BSD-3-Clause */
/* The glare of a camera or an eye: diffraction at the edge of the pupil, and scatter within.
 *
 * Diffraction (Fraunhofer; Goodman, Introduction to Fourier Optics, 4.2): a point becomes |F(k)|^2, F the
 * Fourier transform of the pupil, k = pi r / (wavelength N) for a pupil of radius 1 and a focal ratio N. An
 * iris of six blades is a hexagon, whose transform is a sum over its edges e with midpoints m (Stokes):
 *     F(k) = (i / |k|^2) sum (k x e) sinc(k.e / 2) exp(-i k.m),     F(0) = its area,
 * sinc x being sin x / x.
 * Light goes in streaks across the edges, longer for red than for blue. Nine wavelengths are added up with
 * the sensitivities of a camera's red, green and blue (Gaussians about 600, 540 and 455 nm).
 *
 * Scatter: the glare function of the CIE (Vos and van den Berg, CIE 135/1, 1999) without the terms for age,
 *     10 / a^3 + 5 / a^2, a in degrees, from 0.1 on,
 * which veils a tenth of the light. The picture's longer side is taken for 50 degrees. */
#include "convolve/filter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLADES = 6, WAVES = 9, LONGEST = 640 }; /* an even number of blades */
static const double scattered = 0.1;

typedef struct pupil {
    double edge[BLADES][2], middle[BLADES][2], area;
} pupil;

static pupil make_pupil(void)
{
    pupil p = {.area = 0.5 * BLADES * sin(2 * acos(-1) / BLADES)};
    for (int i = 0; i < BLADES; i++) {
        const double a = 2 * acos(-1) * i / BLADES, b = 2 * acos(-1) * (i + 1) / BLADES;
        p.edge[i][0] = cos(b) - cos(a);
        p.edge[i][1] = sin(b) - sin(a);
        p.middle[i][0] = 0.5 * (cos(a) + cos(b));
        p.middle[i][1] = 0.5 * (sin(a) + sin(b));
    }
    return p;
}

/* Returns |F(k)|^2. Opposite edges differ in the sign of m, so that their terms add to a sine. */
static double intensity(const pupil *p, double kx, double ky)
{
    const double k2 = kx * kx + ky * ky;
    double sum = 0;
    if (k2 < 1e-6) return p->area * p->area;
    for (int i = 0; i < BLADES / 2; i++) {
        const double half = 0.5 * (kx * p->edge[i][0] + ky * p->edge[i][1]);
        const double phase = kx * p->middle[i][0] + ky * p->middle[i][1];
        const double across = kx * p->edge[i][1] - ky * p->edge[i][0];
        sum += across * (fabs(half) < 1e-8 ? 1 : sin(half) / half) * sin(phase);
    }
    return 4 * sum * sum / (k2 * k2);
}

static double wavelength(int i)
{
    return 420 + 30.0 * i; /* nm */
}

static double sensitivity(int channel, double nm)
{
    static const double centre[3] = {600, 540, 455}, width[3] = {35, 38, 27};
    const double x = (nm - centre[channel]) / width[channel];
    return exp(-0.5 * x * x);
}

/* Computes the mean over a pixel for each wavelength, from more points near the core, where the PSF
 * changes most. */
static void pixel(double *waves, const pupil *p, int64_t x, int64_t y, double pixels_per_wave)
{
    const int n = x * x + y * y < 64 ? 6 : 2;
    for (int w = 0; w < WAVES; w++) {
        const double unit = acos(-1) / (pixels_per_wave * wavelength(w) / 550);
        double sum = 0;
        for (int i = 0; i < n * n; i++)
            sum += intensity(p, unit * ((double)x + (i % n + 0.5) / n - 0.5),
                             unit * ((double)y + (i / n + 0.5) / n - 0.5));
        waves[w] = sum / (n * n) * (550 / wavelength(w)) *
                   (550 / wavelength(w)); /* equal energy in each wavelength */
    }
}

/* Adds diffraction. Only a quarter of the kernel is computed: the hexagon is symmetric in both axes. */
static void add_diffraction(filter_kernel *k, double pixels_per_wave)
{
    const pupil p = make_pupil();
    const int64_t r = k->width / 2, plane = k->width * k->height;
    for (int64_t y = 0; y <= r; y++)
        for (int64_t x = 0; x <= r; x++) {
            double waves[WAVES];
            pixel(waves, &p, x, y, pixels_per_wave);
            for (int c = 0; c < 3; c++) {
                double sum = 0;
                for (int w = 0; w < WAVES; w++) sum += waves[w] * sensitivity(c, wavelength(w));
                for (int i = 0; i < 4; i++)
                    k->samples[c * plane + (r + (i / 2 ? y : -y)) * k->width + r + (i % 2 ? x : -x)] =
                        (float)sum;
            }
        }
}

static double veil(const filter_kernel *k, int64_t at, double degrees)
{
    const double x = (double)(at % k->width - k->width / 2), y = (double)(at / k->width - k->height / 2);
    const double angle = fmax(degrees * sqrt(x * x + y * y), 0.1);
    return 10 / (angle * angle * angle) + 5 / (angle * angle);
}

/* Returns a window that fades to the kernel's edge, so that a bright point shows no square: 1 up to half
 * the radius, then a cosine. */
static double fade(const filter_kernel *k, int64_t at)
{
    const double x = (double)(at % k->width - k->width / 2), y = (double)(at / k->width - k->height / 2);
    const double far = sqrt(x * x + y * y) / (0.5 * (double)k->width);
    return far < 0.5 ? 1 : far >= 1 ? 0 : 0.5 + 0.5 * cos(2 * acos(-1) * (far - 0.5));
}

static void add_scatter(filter_kernel *k, double degrees)
{
    const int64_t plane = k->width * k->height;
    double all = 0;
    for (int64_t i = 0; i < plane; i++) all += veil(k, i, degrees);
    for (int c = 0; c < 3; c++) {
        float *samples = k->samples + c * plane;
        double sum = 0;
        for (int64_t i = 0; i < plane; i++) sum += (double)samples[i];
        for (int64_t i = 0; i < plane; i++)
            samples[i] = (float)(fade(k, i) * ((1 - scattered) * (double)samples[i] / sum +
                                               scattered * veil(k, i, degrees) / all));
    }
}

argand_status kernel_glare(filter_kernel *k, int64_t width, int64_t height, double scale)
{
    const int64_t less = width < height ? width : height, more = width < height ? height : width;
    int64_t r = (int64_t)(0.4 * (double)less * (scale > 1 ? scale : 1));
    if (r < 8) r = 8;
    if (r > LONGEST) r = LONGEST;
    TRY(kernel_take(k, 2 * r + 1, 2 * r + 1, 3));
    add_diffraction(k, scale);
    add_scatter(k, 50.0 / (double)more / scale);
    snprintf(k->description, sizeof k->description,
             "glare of six blades, wavelength x focal ratio %.4g pixels", scale);
    return ARGAND_OK;
}
