/* SPDX-License-Identifier: BSD-3-Clause */
/* Voronoi weights: known areas, sums, repetitions, the rim; gridding with them. */
#include "harness.h"

static argand_array *reals(int64_t n, const double *values)
{
    argand_array *array;
    OK(argand_array_create(&array, device, ARGAND_R64, 1, &n));
    if (values) OK(argand_array_upload(array, values));
    return array;
}

/* Weights times the area, that is areas; free() them. */
static double *areas(int64_t n, const double *x, const double *y, double *hull)
{
    argand_array *w = reals(n, NULL), *k[2] = {reals(n, x), reals(n, y)};
    OK(argand_density_voronoi(w, k, hull));
    double *a = as_doubles(w), sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += a[i];
        a[i] *= *hull;
    }
    CHECK_BELOW(fabs(sum - 1), 1e-12);
    for (int d = 0; d < 2; d++) argand_array_destroy(k[d]);
    argand_array_destroy(w);
    return a;
}

/* A grid: 1 inside, 1/2 at the edges, 1/4 in the corners; the hull is (nx - 1) (ny - 1). Shuffled, since the
 * order does not matter. */
static void grid(void **state)
{
    (void)state;
    enum { NX = 13, NY = 8 };
    double x[NX * NY], y[NX * NY], hull;
    for (int i = 0; i < NX * NY; i++) {
        const int j = i * 37 % (NX * NY);
        x[i] = 0.25 * (j % NX) - 1;
        y[i] = 0.25 * (j / NX) + 3;
    }
    double *a = areas(NX * NY, x, y, &hull);
    CHECK_BELOW(fabs(hull - 0.0625 * (NX - 1) * (NY - 1)), 1e-12);
    for (int i = 0; i < NX * NY; i++) {
        const int j = i * 37 % (NX * NY), c = j % NX, r = j / NX;
        const double expected =
            0.0625 * (c == 0 || c == NX - 1 ? 0.5 : 1) * (r == 0 || r == NY - 1 ? 0.5 : 1);
        CHECK_BELOW(fabs(a[i] - expected), 1e-12);
    }
    free(a);
}

/* The same, moved at random by a few roundings to one place (1e-7 of the extent): areas move by as little. */
static void nearly_a_grid(void **state)
{
    (void)state;
    enum { N = 16 };
    const double moves[] = {1e-3, 1e-5, 1e-6, 3e-7};
    double x[N * N], y[N * N], hull;
    random_state r = {5};
    for (int m = 0; m < 4; m++) {
        for (int i = 0; i < N * N; i++) {
            x[i] = i % N + moves[m] * (2 * random_uniform(&r) - 1);
            y[i] = (double)(i / N) + moves[m] * (2 * random_uniform(&r) - 1);
        }
        double *a = areas(N * N, x, y, &hull);
        for (int i = 0; i < N * N; i++)
            if (i % N > 0 && i % N < N - 1 && i / N > 0 && i / N < N - 1)
                CHECK_BELOW(fabs(a[i] - 1),
                            8 * moves[m]); /* two neighbours and itself along each axis, hull */
        free(a);
    }
}

/* Rows shifted by half a step: hexagonal cells of the same area inside. */
static void hexagons(void **state)
{
    (void)state;
    enum { N = 15 };
    double x[N * N], y[N * N], hull;
    for (int i = 0; i < N * N; i++) {
        x[i] = i % N + 0.5 * (i / N % 2);
        y[i] = 0.8660254037844386 * (i / N);
    }
    double *a = areas(N * N, x, y, &hull);
    for (int i = 0; i < N * N; i++)
        if (i % N > 1 && i % N < N - 2 && i / N > 1 && i / N < N - 2)
            CHECK_BELOW(fabs(a[i] - 0.8660254037844386), 1e-12);
    free(a);
}

/* Random points: against the number of points of a fine lattice that are nearest to each. A lattice of step h
 * finds an area to within about h times the cell's outline. */
static void random_points(void **state)
{
    (void)state;
    enum { N = 60, FINE = 1000 };
    double x[N], y[N], counted[N] = {0}, hull;
    random_state r = {21};
    for (int i = 4; i < N; i++) x[i] = random_uniform(&r), y[i] = random_uniform(&r);
    for (int i = 0; i < 4; i++) x[i] = i % 2, y[i] = i / 2; /* corners: the hull is the square */
    double *a = areas(N, x, y, &hull);
    CHECK_BELOW(fabs(hull - 1), 1e-12);
    for (int p = 0; p < FINE * FINE; p++) {
        const double px = (p % FINE + 0.5) / FINE, py = ((double)(p / FINE) + 0.5) / FINE;
        int nearest = 0;
        double least = 9;
        for (int i = 0; i < N; i++) {
            const double d = (x[i] - px) * (x[i] - px) + (y[i] - py) * (y[i] - py);
            if (d < least) least = d, nearest = i;
        }
        counted[nearest] += 1.0 / FINE / FINE;
    }
    for (int i = 0; i < N; i++) CHECK_BELOW(fabs(a[i] - counted[i]), 5e-4);
    free(a);
}

/* Spokes: all pass through 0, where the samples share one cell; along a spoke the area grows with |k|.
 * Interleaved spirals. Areas sum to the hull, none is negative or vanishes. */
static void trajectories(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        argand_array *k[3] = {NULL}, *t, *w;
        double hull, ring = 0;
        OK(argand_trajectory_make(k, &t, device, ARGAND_R32,
                                  &(argand_trajectory_options){.kind = kind ? ARGAND_SPIRAL : ARGAND_RADIAL,
                                                               .n = {48, 48},
                                                               .shots = kind ? 0 : 60}));
        const int64_t samples = argand_array_dim(t, 0), shots = argand_array_dim(t, 1);
        OK(argand_array_create(&w, device, ARGAND_R32, 2, (const int64_t[2]){samples, shots}));
        OK(argand_density_voronoi(w, k, &hull));
        double *a = as_doubles(w), *x = as_doubles(k[0]), *y = as_doubles(k[1]), sum = 0, worst = 0;
        for (int64_t i = 0; i < samples * shots; i++) {
            assert_true(a[i] > 0);
            sum += a[i];
        }
        CHECK_BELOW(fabs(sum - 1), 1e-4); /* single precision, thousands of numbers */
        CHECK_BELOW(fabs(hull / (acos(-1.0) * 24 * 24) - 1), 0.05);
        if (!kind) {
            /* evenly spread spokes: the cell of |k| is a sector of a ring, 2 pi |k| dk / (2 shots) */
            for (int64_t i = 0; i < samples * shots; i++) {
                const double radius = hypot(x[i], y[i]);
                if (radius < 3 || radius > 20) continue;
                ring = acos(-1.0) * radius * 0.5 / 60;
                worst = fmax(worst, fabs(a[i] * hull / ring - 1));
            }
            CHECK_BELOW(worst, 0.02);
            int64_t middle = samples / 2; /* shares: all spokes have the same part of the middle's cell */
            CHECK_BELOW(hypot(x[middle], y[middle]), 1e-6);
            CHECK_BELOW(fabs(a[middle] / a[middle + samples] - 1), 1e-5);
        }
        free(y);
        free(x);
        free(a);
        argand_array_destroy(w);
        argand_array_destroy(t);
        for (int d = 0; d < 2; d++) argand_array_destroy(k[d]);
    }
}

/* Whole repetitions halve the weights; places that differ by rounding are one. */
static void repetitions(void **state)
{
    (void)state;
    enum { N = 50 };
    double x[2 * N], y[2 * N], hull;
    random_state r = {3};
    for (int i = 0; i < N; i++) {
        x[i] = random_normal(&r);
        y[i] = random_normal(&r);
        x[N + i] = x[i] * (1 + 1e-12);
        y[N + i] = y[i];
    }
    double *once = areas(N, x, y, &hull), *twice = areas(2 * N, x, y, &hull);
    for (int i = 0; i < 2 * N; i++) CHECK_BELOW(fabs(twice[i] - once[i % N] / 2), 1e-9 * hull);
    free(twice);
    free(once);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    enum { N = 500 };
    double x[N], y[N], hull;
    random_state r = {9};
    for (int i = 0; i < N; i++) x[i] = random_normal(&r), y[i] = random_normal(&r);
    const int threads = argand_device_threads(device);
    OK(argand_device_set_threads(device, 1));
    double *one = areas(N, x, y, &hull);
    OK(argand_device_set_threads(device, 5));
    double *five = areas(N, x, y, &hull);
    OK(argand_device_set_threads(device, threads));
    assert_memory_equal(one, five, sizeof(double) * N);
    free(five);
    free(one);
}

typedef struct grid_scene {
    argand_array *k[3], *samples; /* {samples of a spoke, spokes}, and of each coil */
    argand_nufft *plan;
} grid_scene;

enum { GRID = 64, GRID_COILS = 4, SPOKES = 120 };

/* Spokes of the phantom, of twice the grid's resolution. */
static grid_scene grid_scene_make(void)
{
    grid_scene s = {.k = {NULL}};
    argand_array *t, *maps, *fine;
    OK(argand_trajectory_make(
        s.k, &t, device, ARGAND_R64,
        &(argand_trajectory_options){.kind = ARGAND_RADIAL, .n = {GRID, GRID}, .shots = SPOKES}));
    const int64_t samples = argand_array_dim(t, 0);
    OK(argand_array_create(&fine, device, ARGAND_R64, 2, (const int64_t[2]){2 * GRID, 2 * GRID}));
    OK(argand_array_create(&maps, device, ARGAND_C64, 3, (const int64_t[3]){2 * GRID, 2 * GRID, GRID_COILS}));
    OK(argand_phantom_image(fine, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_coils_birdcage(maps));
    OK(argand_array_create(&s.samples, device, ARGAND_C64, 3,
                           (const int64_t[3]){samples, SPOKES, GRID_COILS}));
    OK(argand_simulate(
        s.samples,
        &(argand_simulation){.image = fine, .coil_maps = maps, .k = {s.k[0], s.k[1]}, .n = {GRID, GRID}}));
    OK(argand_nufft_create(&s.plan, device,
                           &(argand_nufft_options){.type = ARGAND_C64, .rank = 2, .n = {GRID, GRID}}));
    OK(argand_nufft_set_points(s.plan, s.k));
    argand_array_destroy(maps);
    argand_array_destroy(fine);
    argand_array_destroy(t);
    return s;
}

static void grid_scene_release(grid_scene *s)
{
    argand_nufft_destroy(s->plan);
    argand_array_destroy(s->samples);
    for (int d = 0; d < 2; d++) argand_array_destroy(s->k[d]);
}

/* The image's error but for a factor; that it is the root of the sum of the coil images' squares. */
static double grid_error(const argand_array *image, const argand_array *images, const double *expected)
{
    double *got = as_doubles(image), product = 0, square = 0;
    argand_array *again;
    OK(argand_array_create(&again, device, ARGAND_R64, 2, (const int64_t[2]){GRID, GRID}));
    OK(argand_coils_rss(again, images));
    double *a = as_doubles(again);
    assert_memory_equal(a, got, sizeof(double) * GRID * GRID);
    free(a);
    argand_array_destroy(again);
    for (int i = 0; i < GRID * GRID; i++) product += got[i] * expected[i], square += got[i] * got[i];
    for (int i = 0; i < GRID * GRID; i++) got[i] *= product / square;
    const double error = relative_error(got, expected, GRID * GRID);
    free(got);
    return error;
}

/* A radial scan of the phantom, gridded with each density: the root of the sum of squares is the phantom's
 * image, as good as the truncation and the rim allow. */
static void gridding(void **state)
{
    (void)state;
    grid_scene s = grid_scene_make();
    argand_array *w, *image, *truth, *images;
    OK(argand_array_create(&w, device, ARGAND_R64, 2,
                           (const int64_t[2]){argand_array_dim(s.samples, 0), SPOKES}));
    OK(argand_array_create(&image, device, ARGAND_R64, 2, (const int64_t[2]){GRID, GRID}));
    OK(argand_array_create(&truth, device, ARGAND_R64, 2, (const int64_t[2]){GRID, GRID}));
    OK(argand_array_create(&images, device, ARGAND_C64, 3, (const int64_t[3]){GRID, GRID, GRID_COILS}));
    OK(argand_phantom_image(truth, ARGAND_SHEPP_LOGAN_2D));
    double *expected = as_doubles(truth), errors[2];
    for (int voronoi = 0; voronoi < 2; voronoi++) {
        if (voronoi)
            OK(argand_density_voronoi(w, s.k, NULL));
        else
            OK(argand_density_pipe(w, s.plan, 0, 0, NULL));
        OK(argand_gridding(image, images, s.plan, s.samples, w));
        errors[voronoi] = grid_error(image, images, expected);
    }
    printf("gridded phantom: error %.3f by Pipe and Menon, %.3f by Voronoi\n", errors[0], errors[1]);
    CHECK_BELOW(errors[0], 0.25);
    CHECK_BELOW(errors[1], 0.25);
    free(expected);
    argand_array *const made[] = {images, truth, image, w};
    for (int i = 0; i < 4; i++) argand_array_destroy(made[i]);
    grid_scene_release(&s);
}

static void refusals(void **state)
{
    (void)state;
    double x[5] = {0, 1, 2, 3, 4}, y[5] = {1, 3, 5, 7, 9};
    argand_array *w = reals(5, NULL), *k[2] = {reals(5, x), reals(5, y)}, *few = reals(4, NULL),
                 *other[2] = {k[0], NULL};
    argand_array *const *line = k;
    FAILS(argand_density_voronoi(w, line, NULL), ARGAND_ARGUMENT, "span no area");
    FAILS(argand_density_voronoi(few, line, NULL), ARGAND_ARGUMENT, "4 weights");
    FAILS(argand_density_voronoi(w, other, NULL), ARGAND_ARGUMENT, "two arrays");
    OK(argand_array_fill(k[1], (argand_scalar){2, 0}));
    FAILS(argand_density_voronoi(w, line, NULL), ARGAND_ARGUMENT, "span no area");
    OK(argand_array_fill(k[1], (argand_scalar){NAN, 0}));
    FAILS(argand_density_voronoi(w, line, NULL), ARGAND_NUMERIC, "axis 1 is not finite");
    argand_nufft *plan;
    argand_array *image, *samples;
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = ARGAND_C64, .rank = 2, .n = {6, 5}}));
    OK(argand_array_create(&image, device, ARGAND_R64, 2, (const int64_t[2]){6, 5}));
    OK(argand_array_create(&samples, device, ARGAND_C64, 2, (const int64_t[2]){5, 2}));
    FAILS(argand_gridding(image, NULL, plan, samples, NULL), ARGAND_ARGUMENT, "no points");
    OK(argand_array_upload(k[1], y));
    OK(argand_nufft_set_points(plan, line));
    FAILS(argand_gridding(image, NULL, plan, samples, few), ARGAND_ARGUMENT, "weights");
    FAILS(argand_gridding(NULL, NULL, plan, samples, NULL), ARGAND_ARGUMENT, "nowhere");
    OK(argand_gridding(image, NULL, plan, samples, NULL));
    argand_array_destroy(samples);
    argand_array_destroy(image);
    argand_nufft_destroy(plan);
    argand_array_destroy(few);
    for (int d = 0; d < 2; d++) argand_array_destroy(k[d]);
    argand_array_destroy(w);
}

static void no_memory(void **state)
{
    (void)state;
    double x[6] = {0, 1, 0, 1, 0.5, 0.2}, y[6] = {0, 0, 1, 1, 0.5, 0.8};
    argand_array *w = reals(6, NULL), *k[2] = {reals(6, x), reals(6, y)};
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status && n < 50; n++) {
        argand_test_fail_allocation(n);
        status = argand_density_voronoi(w, k, NULL);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    for (int d = 0; d < 2; d++) argand_array_destroy(k[d]);
    argand_array_destroy(w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(grid),
    cmocka_unit_test(nearly_a_grid),
    cmocka_unit_test(hexagons),
    cmocka_unit_test(random_points),
    cmocka_unit_test(trajectories),
    cmocka_unit_test(repetitions),
    cmocka_unit_test(threads_do_not_matter),
    cmocka_unit_test(gridding),
    cmocka_unit_test(refusals),
    cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
