/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of ellipses that move with their coils, as formulas: a sample of an object that was turned by R
 * and shifted by t is exp(-2 pi i k t) M(R^T k). Coil sensitivities are sums of NINE plane waves, so that M
 * is a sum of transforms of ellipses at shifted places. Many ellipses are smaller than a pixel. */
#ifndef TESTS_CALIB_MOVED_H
#define TESTS_CALIB_MOVED_H

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include "harness.h"

#define PI 3.14159265358979323846
enum { WAVES = 9, ELLIPSES = 40, MOVED_COILS = 8 };
static const double FOV = 240; /* mm */

typedef struct ellipse {
    double value, x, y, a, b, angle; /* fields of view, rad */
} ellipse;

static uint32_t moved_state = 1;
static inline double uniform(double low, double high)
{
    moved_state = moved_state * 1664525u + 1013904223u;
    return low + (high - low) * (double)(moved_state >> 8) / 16777216.;
}

static inline double normal_number(void)
{
    return sqrt(-2 * log(uniform(1e-9, 1))) * cos(2 * PI * uniform(0, 1));
}

static inline const ellipse *ellipses(void)
{
    static ellipse e[ELLIPSES] = {{1, 0, 0, .36, .44, 0},       {-.3, 0, -.01, .33, .41, 0},
                                  {-.4, .11, 0, .06, .15, -.3}, {-.4, -.11, 0, .08, .18, .3},
                                  {.3, 0, .17, .1, .12, 0},     {.3, -.04, -.3, .03, .015, 0},
                                  {.3, .05, -.3, .015, .03, .4}};
    for (int i = 7; i < ELLIPSES && e[i].a == 0; i++) {
        const double r = .3 * sqrt(uniform(0, 1)), at = uniform(0, 2 * PI);
        e[i] = (ellipse){uniform(-.6, .6),   r * cos(at),        1.15 * r * sin(at),
                         uniform(.002, .01), uniform(.002, .01), uniform(0, 3)};
    }
    return e;
}

static inline double complex object_at(double kx, double ky)
{
    const ellipse *e = ellipses();
    double complex sum = 0;
    for (int i = 0; i < ELLIPSES; i++) {
        const double c = cos(e[i].angle), s = sin(e[i].angle);
        const double q = 2 * PI * hypot(e[i].a * (c * kx + s * ky), e[i].b * (c * ky - s * kx));
        sum += e[i].value * 2 * PI * e[i].a * e[i].b * (q < 1e-8 ? 0.5 : j1(q) / q) *
               cexp(-2 * PI * I * (kx * e[i].x + ky * e[i].y));
    }
    return sum;
}

static inline double complex wave_of(int coil, int wave)
{
    const double at = 2 * PI * coil / MOVED_COILS, u = wave % 3 - 1, v = wave / 3 - 1;
    return (wave == 4 ? 0.5 : 0.22 / (fabs(u) + fabs(v))) *
           cexp(-I * (1.6 * (u * cos(at) + v * sin(at)) + at));
}

/* Sensitivity at a place in fields of view. */
static inline double complex coil_of(int coil, double x, double y)
{
    double complex sum = 0;
    for (int w = 0; w < WAVES; w++)
        sum += wave_of(coil, w) * cexp(2 * PI * I * ((w % 3 - 1) * x + (w / 3 - 1) * y) / 1.6);
    return sum;
}

/* Samples of all coils at k in cycles per field of view, with the object at x, y (mm), turned by degrees. */
static inline void moved_samples(double complex to[MOVED_COILS], double kx, double ky, double x, double y,
                                 double degrees)
{
    const double c = cos(PI / 180 * degrees), s = sin(PI / 180 * degrees);
    const double complex phase = cexp(-2 * PI * I * (kx * x + ky * y) / FOV);
    for (int coil = 0; coil < MOVED_COILS; coil++) to[coil] = 0;
    for (int w = 0; w < WAVES; w++) {
        const double complex m =
            phase * object_at(c * kx + s * ky - (w % 3 - 1) / 1.6, c * ky - s * kx - (w / 3 - 1) / 1.6);
        for (int coil = 0; coil < MOVED_COILS; coil++) to[coil] += wave_of(coil, w) * m;
    }
}

enum { MAP = 32, MOST_ROWS = 64 };
typedef enum kind { SPIRAL, RADIAL, LINES, KINDS } kind;
static const char *const names[KINDS] = {"spirals", "spokes", "interleaved lines"};

typedef struct problem {
    int64_t rows, points;
    double *k[2];
    int32_t *row;
    double complex *y;
    argand_rigid truth[MOST_ROWS], found[MOST_ROWS];
    argand_motion_report report;
} problem;

static inline void add_point(problem *p, double kx, double ky, int64_t row)
{
    if (p->k[0]) {
        p->k[0][p->points] = kx, p->k[1][p->points] = ky;
        p->row[p->points] = (int32_t)row;
    }
    p->points++;
}

/* A fully sampled trajectory for n pixels. */
static inline void add_points(problem *p, kind which, int n)
{
    const double half = n / 2.;
    p->points = 0;
    for (int64_t row = 0; row < p->rows; row++) {
        const double turns = half / (double)p->rows;
        const int samples = (int)(2 * PI * turns * half * 1.2),
                  spokes = (int)(PI / 2 * n / (double)p->rows) + 1;
        for (int i = 0; which == SPIRAL && i < samples; i++) {
            const double t = sqrt((double)i / (samples - 1)),
                         at = 2 * PI * (turns * t + (double)row / (double)p->rows);
            add_point(p, half * t * cos(at), half * t * sin(at), row);
        }
        for (int s = 0; which == RADIAL && s < spokes; s++)
            for (double r = -half; r < half; r += 0.5) {
                const double at = PI * 0.6180339887 * (double)(row * spokes + s);
                add_point(p, r * cos(at), r * sin(at), row);
            }
        for (int64_t line = row; which == LINES && line < n; line += p->rows)
            for (double x = -half; x < half; x += 0.5) add_point(p, x, (double)line - half, row);
    }
}

/* noise: standard deviation of a pixel, relative to the brightest ellipse. */
static inline void make(problem *p, kind which, int n, int rows, double most, double noise)
{
    *p = (problem){.rows = rows};
    add_points(p, which, n);
    for (int d = 0; d < 2; d++) p->k[d] = malloc(sizeof(double) * (size_t)p->points);
    p->row = malloc(sizeof *p->row * (size_t)p->points);
    p->y = malloc(sizeof *p->y * (size_t)p->points * MOVED_COILS);
    add_points(p, which, n);
    for (int row = 1; row < rows; row++) {
        argand_rigid *m = &p->truth[row];
        m->shift[0] = uniform(-most, most), m->shift[1] = uniform(-most, most);
        m->rotation[2] = uniform(-most, most);
    }
    const double sigma = noise * sqrt((double)p->points) / (n * n) / sqrt(2);
    for (int64_t j = 0; j < p->points; j++) {
        const argand_rigid *m = &p->truth[p->row[j]];
        double complex y[MOVED_COILS];
        moved_samples(y, p->k[0][j], p->k[1][j], m->shift[0], m->shift[1], m->rotation[2]);
        for (int c = 0; c < MOVED_COILS; c++)
            p->y[j + p->points * c] = y[c] + sigma * (normal_number() + I * normal_number());
    }
}

static inline void drop(problem *p)
{
    for (int d = 0; d < 2; d++) free(p->k[d]);
    free(p->row);
    free(p->y);
}

static inline argand_array *upload(argand_type type, int rank, const int64_t *dims, const void *from)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    OK(argand_array_upload(array, from));
    return array;
}

static inline argand_array *make_maps(void)
{
    double complex *maps = malloc(sizeof *maps * MAP * MAP * MOVED_COILS);
    for (int c = 0; c < MOVED_COILS; c++)
        for (int i = 0; i < MAP * MAP; i++)
            maps[i + MAP * MAP * c] =
                coil_of(c, (double)(i % MAP - MAP / 2) / MAP, (double)(i / MAP - MAP / 2) / MAP);
    argand_array *array = upload(ARGAND_C64, 3, (int64_t[]){MAP, MAP, MOVED_COILS}, maps);
    free(maps);
    return array;
}

static inline argand_status estimate(problem *p, argand_motion_options o, int64_t rows)
{
    argand_array *maps = make_maps(), *k[2];
    argand_array *y = upload(ARGAND_C64, 2, (int64_t[]){p->points, MOVED_COILS}, p->y);
    for (int d = 0; d < 2; d++) k[d] = upload(ARGAND_R64, 1, &p->points, p->k[d]);
    const argand_status status = argand_motion_estimate(p->found, rows, y, p->row, k, maps, &o, &p->report);
    argand_array_destroy(maps);
    argand_array_destroy(y);
    for (int d = 0; d < 2; d++) argand_array_destroy(k[d]);
    return status;
}

static const argand_motion_options usual = {.field_of_view = {240, 240}};

/* Root mean squares over the rows but the first, of mm along an axis and of degrees. */
static inline void errors_of(const problem *p, double *mm, double *degrees)
{
    *mm = *degrees = 0;
    for (int row = 1; row < p->rows; row++) {
        const argand_rigid *a = &p->truth[row], *b = &p->found[row];
        for (int d = 0; d < 2; d++) *mm += pow(a->shift[d] - b->shift[d], 2) / 2;
        *degrees += pow(a->rotation[2] - b->rotation[2], 2);
    }
    *mm = sqrt(*mm / (double)(p->rows - 1)), *degrees = sqrt(*degrees / (double)(p->rows - 1));
}

static inline void run(kind which, int n, int rows, double limit)
{
    problem p;
    double mm, degrees;
    make(&p, which, n, rows, 5, 0.05);
    OK(estimate(&p, usual, rows));
    errors_of(&p, &mm, &degrees);
    print_message(
        "%d %s, %d pixels: %.3f mm, %.3f degrees; residual %.4f before, %.4f after; largest %.1f mm "
        "(+- %.2f), %.1f degrees (+- %.2f)\n",
        rows, names[which], n, mm, degrees, p.report.before, p.report.after, p.report.shift,
        p.report.shift_error, p.report.rotation, p.report.rotation_error);
    CHECK_BELOW(mm, limit);
    CHECK_BELOW(degrees, limit);
    CHECK_BELOW(p.report.after, 0.8 * p.report.before);
    drop(&p);
}

#endif
