/* SPDX-License-Identifier: BSD-3-Clause */
/* Point spread functions that need no file. Each pixel has the mean over its area, from samples within it:
 *   gaussian  exp(-r^2 / (2 s^2)), the blur of many small independent deflections (central limit), exact by
 *             the error function
 *   disc      1 within r: the circle of confusion of geometric optics, a point out of focus seen through a
 *             round pupil
 *   heart     1 within (x^2 + y^2 - 1)^3 = x^2 y^3: the same with a pupil of that shape, point down
 *   glare     glare.c */
#include "convolve/filter.h"

#include <math.h>
#include <stdio.h>

enum { SAMPLES = 8 }; /* along each side of a pixel */

static bool in_disc(double x, double y)
{
    return x * x + y * y <= 1;
}

/* Returns true inside the heart; y points upwards. It extends from -1 to 1.2 along y and to 1.14 along x
 * on both sides. */
static bool in_heart(double x, double y)
{
    const double r = x * x + y * y - 1;
    return r * r * r <= x * x * y * y * y;
}

static double covered(int64_t x, int64_t y, double radius, bool (*inside)(double x, double y))
{
    int count = 0;
    for (int i = 0; i < SAMPLES; i++)
        for (int k = 0; k < SAMPLES; k++)
            count += inside(((double)x + (i + 0.5) / SAMPLES - 0.5) / radius,
                            -((double)y + (k + 0.5) / SAMPLES - 0.5) / radius);
    return (double)count / (SAMPLES * SAMPLES);
}

static argand_status draw(filter_kernel *k, double radius, double reach, bool (*inside)(double x, double y))
{
    const int64_t r = (int64_t)ceil(reach * radius + 0.5), side = 2 * r + 1;
    TRY(kernel_take(k, side, side, 1));
    for (int64_t i = 0; i < side * side; i++)
        k->samples[i] = (float)covered(i % side - r, i / side - r, radius, inside);
    return ARGAND_OK;
}

static argand_status gaussian(filter_kernel *k, double sigma)
{
    const int64_t r = (int64_t)ceil(5 * sigma), side = 2 * r + 1;
    const double unit = 1 / (sqrt(2) * sigma);
    TRY(kernel_take(k, side, side, 1));
    for (int64_t i = 0; i < side * side; i++) {
        const double x = (double)(i % side - r), y = (double)(i / side - r);
        k->samples[i] = (float)(0.25 * (erf((x + 0.5) * unit) - erf((x - 0.5) * unit)) *
                                (erf((y + 0.5) * unit) - erf((y - 0.5) * unit)));
    }
    return ARGAND_OK;
}

argand_status kernel_model(filter_kernel *k, int model, int64_t width, int64_t height, double scale)
{
    const double side = (double)(width < height ? width : height), radius = fmax(0.02 * side * scale, 0.5);
    argand_status status = ARGAND_OK;
    if (model == 0) status = kernel_glare(k, width, height, scale);
    if (model == 1) status = gaussian(k, 0.5 * radius);
    if (model == 2) status = draw(k, radius, 1, in_disc);
    if (model == 3) status = draw(k, radius, 1.3, in_heart);
    if (model == 1)
        snprintf(k->description, sizeof k->description, "gaussian, sigma %.4g pixels", 0.5 * radius);
    if (model > 1)
        snprintf(k->description, sizeof k->description, "%s, radius %.4g pixels",
                 model == 2 ? "disc" : "heart", radius);
    return status;
}
