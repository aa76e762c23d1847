/* SPDX-License-Identifier: BSD-3-Clause */
/* Adaptive combination where the strongest virtual coil is blind to a place within the object: the phase of
 * what it sees turns by 2 pi around that place, and maps relative to it have a hole there. The truth is the
 * maps that made the images; it is compared without phases. */
#include "harness.h"

enum { MOST = 20 };

typedef struct scene {
    int64_t n[3], pixels, coils;
    double complex *truth, *images; /* [coil][pixel] */
    char *inside;
} scene;

/* What the modes see at r (each in -1..1): the first, strongest, is blind where its factor is 0. */
static void modes(double complex f[5], const double r[3])
{
    const double complex place = (r[0] - 0.13) + I * (r[1] + 0.21);
    f[0] = place * (1.2 + 0.3 * r[0]);
    f[1] = 0.30 + 0.1 * r[1];
    f[2] = 0.15 * conj(place) + 0.1;
    f[3] = 0.1 * r[0] + 0.1 * I * r[1] * r[1];
    f[4] = 0.2 * r[2] + 0.05;
}

/* Each mode is a Fourier vector over the coils, as in a birdcage: S_c is of norm 1 at every place. */
static void see(double complex *coils, int64_t count, const double r[3])
{
    double complex f[5];
    double square = 0;
    modes(f, r);
    for (int m = 0; m < 5; m++) square += pow(cabs(f[m]), 2);
    for (int64_t c = 0; c < count; c++) {
        coils[c] = 0;
        for (int m = 0; m < 5; m++)
            coils[c] +=
                f[m] * cexp(I * 2 * M_PI * (double)(m * c) / (double)count) / sqrt((double)count * square);
    }
}

/* An ellipsoid with texture and a phase of its own, a cavity of air next to the blind place; noise. */
static double complex object(const double r[3], char *inside)
{
    const double d = pow(r[0] / 0.8, 2) + pow(r[1] / 0.85, 2) + pow(r[2], 2);
    *inside = d < 1 && hypot(r[0] + 0.3, r[1] - 0.3) > 0.12;
    return *inside ? (0.6 + 0.4 * sin(9 * r[0]) * cos(7 * r[1])) * cexp(I * (1.5 * r[0] - 2 * r[1])) : 0;
}

static scene make(const int64_t n[3], int64_t coils, double noise)
{
    scene s = {.n = {n[0], n[1], n[2]}, .pixels = n[0] * n[1] * n[2], .coils = coils};
    random_state state = {5};
    s.truth = malloc((size_t)(s.pixels * coils) * sizeof *s.truth);
    s.images = malloc((size_t)(s.pixels * coils) * sizeof *s.images);
    s.inside = malloc((size_t)s.pixels);
    for (int64_t i = 0; i < s.pixels; i++) {
        const int64_t at[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        double r[3];
        double complex here[MOST];
        for (int d = 0; d < 3; d++) r[d] = ((double)at[d] + 0.5) / (double)n[d] * 2 - 1;
        if (n[2] == 1) r[2] = 0;
        see(here, coils, r);
        const double complex value = object(r, &s.inside[i]);
        for (int64_t c = 0; c < coils; c++) {
            s.truth[c * s.pixels + i] = here[c];
            s.images[c * s.pixels + i] =
                value * here[c] + noise * (random_normal(&state) + I * random_normal(&state));
        }
    }
    return s;
}

static void release(scene *s)
{
    free(s->truth);
    free(s->images);
    free(s->inside);
}

/* Within the object: the least |<S, T>|^2, the rms sine of the angle, and the largest step of the maps
 * between neighbours. */
typedef struct figures {
    double least, rms, step;
} figures;

static double complex product(const scene *s, const double complex *a, int64_t i, const double complex *b,
                              int64_t j)
{
    double complex sum = 0;
    for (int64_t c = 0; c < s->coils; c++) sum += conj(a[c * s->pixels + i]) * b[c * s->pixels + j];
    return sum;
}

static figures compare(const scene *s, const double complex *maps)
{
    figures f = {.least = 1};
    double count = 0;
    for (int64_t i = 0; i < s->pixels; i++) {
        if (!s->inside[i]) continue;
        const double square = pow(cabs(product(s, maps, i, s->truth, i)), 2);
        f.least = fmin(f.least, square);
        f.rms += fmax(0, 1 - square);
        count++;
        for (int d = 0; d < 3; d++) {
            const int64_t stride = d == 0 ? 1 : d == 1 ? s->n[0] : s->n[0] * s->n[1];
            if (i / stride % s->n[d] + 1 == s->n[d] || !s->inside[i + stride]) continue;
            f.step = fmax(f.step, sqrt(fmax(0, 2 - 2 * creal(product(s, maps, i, maps, i + stride)))));
        }
    }
    f.rms = sqrt(f.rms / count);
    return f;
}

/* Part of the energy inside that the maps' combination S^H v keeps, at the worst pixel. */
static double energy_kept(const scene *s, const double complex *maps)
{
    double least = 1;
    for (int64_t i = 0; i < s->pixels; i++)
        if (s->inside[i])
            least = fmin(least, pow(cabs(product(s, maps, i, s->images, i)), 2) /
                                    creal(product(s, s->images, i, s->images, i)));
    return least;
}

static argand_array *array_of(const scene *s, argand_type type, const double complex *values)
{
    const int rank = s->n[2] > 1 ? 4 : 3;
    const int64_t dims[4] = {s->n[0], s->n[1], rank == 4 ? s->n[2] : s->coils, s->coils};
    argand_array *wide, *array;
    OK(argand_array_create(&wide, device, ARGAND_C64, rank, dims));
    OK(argand_array_create(&array, device, type, rank, dims));
    if (values) {
        OK(argand_array_upload(wide, values));
        OK(argand_array_copy(array, wide));
    }
    argand_array_destroy(wide);
    return array;
}

/* There is such a place: the strongest virtual coil, here mode 0 to a good part, sees almost nothing of a
 * bright pixel. Otherwise this would test nothing. */
static void mode_is_blind(const scene *s)
{
    double least = 1, energy = 0, all = 0;
    for (int64_t i = 0; i < s->pixels; i++) {
        double complex sum = 0;
        for (int64_t c = 0; c < s->coils; c++) sum += s->truth[c * s->pixels + i] / sqrt((double)s->coils);
        if (!s->inside[i]) continue;
        least = fmin(least, cabs(sum));
        energy += pow(cabs(sum), 2);
        all++;
    }
    CHECK_BELOW(least, 0.1);
    CHECK_BELOW(0.6 * all, energy);
}

/* The window's mean is of maps that vary by up to 0.19 a pixel (what is printed) over 1 to 3 pixels, on one
 * side alone at the object's edge: an angle of 0.2 at the worst, |<S, T>|^2 of 0.96. A hole has it near 0.
 * Around a vortex the phase makes 2 pi in the four steps of a square, so one has pi / 2, |S_a - S_b| of
 * sqrt(2); filled up by a window of a few pixels 0.7 is left. */
static void no_holes(void **state)
{
    (void)state;
    const struct {
        int64_t n[3], coils;
        double noise, sigma;
        argand_type type;
    } cases[] = {{{96, 90, 1}, 8, 0.003, 0, ARGAND_C32},
                 {{96, 90, 1}, 8, 0, 0, ARGAND_C64},
                 {{64, 71, 1}, 20, 0.003, 2, ARGAND_C32},
                 {{64, 60, 1}, 5, 0.003, 1, ARGAND_C64},
                 {{48, 44, 20}, 8, 0.003, 1.5, ARGAND_C32}};
    for (int k = 0; k < 5; k++) {
        scene s = make(cases[k].n, cases[k].coils, cases[k].noise);
        argand_array *images = array_of(&s, cases[k].type, s.images),
                     *maps = array_of(&s, cases[k].type, NULL);
        mode_is_blind(&s);
        OK(argand_coils_estimate(maps, images, cases[k].sigma));
        double complex *found = (double complex *)as_doubles(maps);
        const figures f = compare(&s, found), truth = compare(&s, s.truth);
        const double kept = energy_kept(&s, found);
        printf("case %d: least |<S, T>|^2 %.4f, rms angle %.4f, energy kept at the worst %.4f, step %.3f "
               "(truth's %.3f)\n",
               k, f.least, f.rms, kept, f.step, truth.step);
        CHECK_BELOW(0.95, f.least);
        CHECK_BELOW(f.rms, 0.05);
        CHECK_BELOW(0.94, kept);
        CHECK_BELOW(f.step, 0.5);
        free(found);
        argand_array_destroy(maps);
        argand_array_destroy(images);
        release(&s);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(no_holes)};
RUN_TESTS(tests)
