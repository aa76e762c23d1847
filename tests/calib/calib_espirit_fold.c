/* SPDX-License-Identifier: BSD-3-Clause */
/* ESPIRiT where the object is larger than the field of view: two places of it lie in one pixel, two
 * eigenvalues are near 1, and maps must keep what both or the brighter of them sees. */
#include "harness.h"

enum { N = 64, WIDE = 96, COILS = 8, PIXELS = N * N };

typedef struct folded {
    argand_array *images; /* C64 {N, N, COILS} */
    double complex *v;
    double energy, brightest; /* of all; of a pixel */
} folded;

/* Coil images of brightness(x, y) over N by WIDE pixels, the first `above` and the last rows folded in. */
static folded fold(double (*brightness)(int x, int y), int above)
{
    folded f = {.v = calloc(PIXELS * COILS, sizeof *f.v)};
    argand_array *maps;
    OK(argand_array_create(&maps, device, ARGAND_C64, 3, (const int64_t[3]){N, WIDE, COILS}));
    OK(argand_coils_birdcage(maps));
    double complex *s = (double complex *)as_doubles(maps);
    for (int c = 0; c < COILS; c++)
        for (int y = 0; y < WIDE; y++)
            for (int x = 0; x < N; x++)
                f.v[(c * N + (y + 2 * N - above) % N) * N + x] +=
                    brightness(x, y) * s[(c * WIDE + y) * N + x];
    for (int i = 0; i < PIXELS; i++) {
        double energy = 0;
        for (int c = 0; c < COILS; c++) energy += pow(cabs(f.v[c * PIXELS + i]), 2);
        f.energy += energy;
        f.brightest = fmax(f.brightest, energy);
    }
    OK(argand_array_create(&f.images, device, ARGAND_C64, 3, (const int64_t[3]){N, N, COILS}));
    OK(argand_array_upload(f.images, f.v));
    free(s);
    argand_array_destroy(maps);
    return f;
}

static void release(folded *f)
{
    argand_array_destroy(f->images);
    free(f->v);
}

/* complex {N, N, COILS, sets} */
static double complex *maps_of(const folded *f, argand_type type, int sets, double **values)
{
    argand_array *maps, *eigenvalues, *images;
    OK(argand_array_create(&images, device, type, 3, (const int64_t[3]){N, N, COILS}));
    OK(argand_array_copy(images, f->images));
    OK(argand_array_create(&maps, device, type, 4, (const int64_t[4]){N, N, COILS, sets}));
    OK(argand_array_create(&eigenvalues, device, ARGAND_R64, 3, (const int64_t[3]){N, N, sets}));
    OK(argand_coils_espirit(maps, eigenvalues, images, &(argand_espirit_options){.images = true}, NULL));
    double complex *found = (double complex *)as_doubles(maps);
    if (values) *values = as_doubles(eigenvalues);
    argand_array_destroy(eigenvalues);
    argand_array_destroy(maps);
    argand_array_destroy(images);
    return found;
}

/* The energy of a pixel, and the part of it that its maps span. */
static double kept_at(const folded *f, const double complex *maps, int sets, int i, double *energy)
{
    double kept = 0;
    *energy = 0;
    for (int c = 0; c < COILS; c++) *energy += pow(cabs(f->v[c * PIXELS + i]), 2);
    for (int s = 0; s < sets; s++) {
        double complex product = 0;
        for (int c = 0; c < COILS; c++)
            product += conj(maps[(s * COILS + c) * PIXELS + i]) * f->v[c * PIXELS + i];
        kept += pow(cabs(product), 2);
    }
    return kept;
}

/* Where a pixel has more than this part of the brightest one's energy. */
static const double BRIGHT = 0.05;

typedef struct figures {
    double mean, worst; /* part of a pixel's energy that the maps keep */
    double step;        /* the least |<S(r), S(r')>|^2 of neighbours where the images' own is above 0.97 */
    double left;        /* of all energy, in no map */
} figures;

static double overlap(const double complex *a, const double complex *b)
{
    double complex product = 0;
    double aa = 0, bb = 0;
    for (int c = 0; c < COILS; c++) {
        product += conj(a[c * PIXELS]) * b[c * PIXELS];
        aa += pow(cabs(a[c * PIXELS]), 2);
        bb += pow(cabs(b[c * PIXELS]), 2);
    }
    return aa > 0 && bb > 0 ? pow(cabs(product), 2) / (aa * bb) : 0;
}

static figures judge(const char *what, const folded *f, const double complex *maps, int sets)
{
    figures g = {.worst = 1, .step = 1, .left = 1};
    int count = 0;
    for (int i = 0; i < PIXELS; i++) {
        double energy, next;
        const double kept = kept_at(f, maps, sets, i, &energy);
        g.left -= kept / f->energy;
        if (energy < BRIGHT * f->brightest) continue;
        count++;
        g.mean += kept / energy;
        g.worst = fmin(g.worst, kept / energy);
        for (int step = 1; step <= N; step += N - 1) {
            if (i + step >= PIXELS || (step == 1 && i % N == N - 1)) continue;
            kept_at(f, maps, sets, i + step, &next);
            if (next > BRIGHT * f->brightest && overlap(f->v + i, f->v + i + step) > 0.97)
                g.step = fmin(g.step, overlap(maps + i, maps + i + step));
        }
    }
    g.mean /= count;
    printf("%s: kept of a pixel %.4f on average, %.3f at the worst; neighbours %.4f; not explained %.5f\n",
           what, g.mean, g.worst, g.step, g.left);
    return g;
}

/* A body with organs, taller than the field of view. */
static double body(int x, int y)
{
    const double u = (x - 0.5 * N) / (0.42 * N), v = (y - 0.5 * WIDE) / (0.47 * WIDE);
    if (u * u + v * v > 1) return 0;
    const double organ = hypot(u - 0.3, v + 0.5) < 0.3 ? 0.8 : hypot(u + 0.3, v - 0.6) < 0.25 ? 1.4 : 0;
    const double lung = hypot((u + 0.35) / 0.3, (v + 0.1) / 0.45) < 1 ? -0.8 : 0;
    return 1 + organ + lung;
}

/* With two maps the data are explained; one keeps the brighter of two parts. The other maps leave the first
 * as it is. */
static void keeps_the_brighter(void **state)
{
    (void)state;
    folded f = fold(body, 16);
    double *values;
    double complex *one = maps_of(&f, ARGAND_C64, 1, NULL), *two = maps_of(&f, ARGAND_C64, 2, &values);
    const figures single = judge("one map", &f, one, 1), both = judge("two maps", &f, two, 2);
    CHECK_BELOW(0.99, single.mean);
    CHECK_BELOW(0.6, single.worst);
    CHECK_BELOW(0.9, single.step);
    CHECK_BELOW(0.002, single.left);
    CHECK_BELOW(both.left, 0.001);
    CHECK_BELOW(0.95, both.worst);
    CHECK_BELOW(relative_error((double *)two, (double *)one, 2 * PIXELS * COILS), 1e-6);
    int second = 0;
    for (int i = 0; i < PIXELS; i++) {
        second += values[PIXELS + i] > 0.95;
        assert_true(values[i] < 1 + 1e-6 && values[PIXELS + i] < 1 + 1e-6);
    }
    assert_true(second > 100);
    free(values);
    free(two);
    free(one);
    release(&f);
}

/* Two discs that lie in the same pixels, one a little to the left and brighter there, the other to the right:
 * the eigenvalues cross, and the map turns from one to the other without a jump. */
static double discs(int x, int y)
{
    const double sign = y < N ? -1 : 1, u = ((double)x - 0.5 * N) / N - 0.1 * sign,
                 v = ((double)y - (y < N ? 16 : 80)) / N;
    return hypot(u, v) < 0.22 ? exp(2 * sign * u) : 0;
}

static void does_not_tear(void **state)
{
    (void)state;
    folded f = fold(discs, 0);
    double complex *narrow = maps_of(&f, ARGAND_C32, 1, NULL), *wide = maps_of(&f, ARGAND_C64, 1, NULL);
    const figures single = judge("discs, single", &f, narrow, 1), twice = judge("discs, double", &f, wide, 1);
    CHECK_BELOW(0.95, single.step);
    CHECK_BELOW(0.95, twice.step);
    CHECK_BELOW(0.99, single.mean);
    /* iteration ends at 3e-5 in single precision, thirty times of which may be missing */
    CHECK_BELOW(relative_error((double *)narrow, (double *)wide, 2 * PIXELS * COILS), 2e-3);
    free(wide);
    free(narrow);
    release(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(keeps_the_brighter),
    cmocka_unit_test(does_not_tear),
};
RUN_TESTS(tests)
