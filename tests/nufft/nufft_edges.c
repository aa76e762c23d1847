/* SPDX-License-Identifier: BSD-3-Clause */
/* The tolerance of every_pixel holds for images of one pixel, at the corners, where aliases and rounding are
 * largest, whatever the samples, and for sample vectors with one sample that is not 0. Without it these have
 * up to 6 times as much. Exact sums in double. */
#include "truth.h"
#include "sample.h"

enum { PIXELS = 9, PLACES = 16, POINTS = 16 * (PLACES + 4), STEP = 34 };

/* Devices take a part of the cases: kernels are compiled for each width. */
static bool device_is_cpu(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.host_addressable;
}

/* 16 points at each of 16 places between cells of the grid, which all axes share: there the errors of all
 * axes may add up. And points anywhere. */
static void place_points(made *m, const problem *p)
{
    random_state random = {11};
    double *value = malloc(POINTS * sizeof *value);
    assert_non_null(value);
    for (int axis = 0; axis < p->rank; axis++) {
        const double n = (double)p->n[axis], cells = (double)m->info.grid[axis];
        for (int j = 0; j < POINTS; j++) {
            const double uniform = random_uniform(&random) - 0.5, cell = floor(cells * uniform);
            value[j] = n * (j >= 16 * PLACES ? uniform : (cell + (double)(j / 16) / PLACES) / cells);
            if (!is_double(p)) ((float *)value)[j] = (float)value[j];
        }
        OK(argand_array_upload(m->k[axis], value));
        free(m->at[axis]);
        m->at[axis] = as_doubles(m->k[axis]);
    }
    free(value);
    OK(argand_nufft_set_points(m->plan, m->k));
    argand_nufft_describe(m->plan, &m->info);
}

/* Corner v of the image by v's bits; the last one is a pixel near the middle. */
static void pixel_of(int64_t at[3], const problem *p, int v)
{
    for (int axis = 0; axis < 3; axis++)
        at[axis] = axis >= p->rank   ? 0
                   : v == PIXELS - 1 ? p->n[axis] / 3
                   : v >> axis & 1   ? p->n[axis] - 1
                                     : 0;
}

static double complex entry(const problem *p, const made *m, const int64_t at[3], int64_t j)
{
    long double turns = 0;
    for (int axis = 0; axis < p->rank; axis++) {
        const long double part =
            (long double)m->at[axis][j] * (long double)(at[axis] - p->n[axis] / 2) / (long double)p->n[axis];
        turns += part - rintl(part);
    }
    const double phase = (double)(turns - rintl(turns)) * two_pi;
    return CMPLX(cos(phase), -sin(phase));
}

static void write_numbers(argand_array *array, double *numbers)
{
    const int64_t count = 2 * argand_array_count(array);
    if (argand_array_type(array) == ARGAND_C32)
        for (int64_t i = 0; i < count; i++) ((float *)numbers)[i] = (float)numbers[i];
    OK(argand_array_upload(array, numbers));
}

static int64_t offset_of(const problem *p, const int64_t at[3])
{
    return at[0] + p->n[0] * (at[1] + (p->rank > 1 ? p->n[1] : 1) * at[2]);
}

/* Vector v of the image is one pixel, or of the samples one sample. */
static void fill_one(argand_array *array, const problem *p, bool is_image)
{
    const int64_t length = argand_array_count(array) / p->vectors;
    double *numbers = calloc((size_t)(2 * length * p->vectors), sizeof *numbers);
    assert_non_null(numbers);
    for (int v = 0; v < p->vectors; v++) {
        int64_t at[3];
        pixel_of(at, p, v);
        numbers[2 * (v * length + (is_image ? offset_of(p, at) : v * STEP))] = 1;
    }
    write_numbers(array, numbers);
    free(numbers);
}

/* Relative l2, of one pixel at the points of each place, the worst */
static double worst_of_pixels(const problem *p, const made *m)
{
    int64_t at[3];
    double worst = 0;
    fill_one(m->image, p, true);
    OK(argand_nufft_apply(m->plan, m->samples, m->image));
    double complex *got = (double complex *)as_doubles(m->samples);
    for (int v = 0; v < p->vectors; v++) {
        pixel_of(at, p, v);
        for (int64_t first = 0; first < POINTS; first += 16) {
            double square = 0;
            for (int64_t j = first; j < first + 16; j++) {
                const double complex error = got[v * POINTS + j] - entry(p, m, at, j);
                square += creal(error * conj(error)) / 16;
            }
            worst = fmax(worst, sqrt(square));
        }
    }
    free(got);
    return worst;
}

/* Of one sample, over the image */
static double worst_of_samples(const problem *p, const made *m)
{
    double worst = 0;
    const int64_t pixels = argand_array_count(m->image) / p->vectors;
    fill_one(m->samples, p, false);
    OK(argand_nufft_adjoint(m->plan, m->image, m->samples));
    double complex *got = (double complex *)as_doubles(m->image);
    for (int v = 0; v < p->vectors; v++) {
        double square = 0;
        for (int64_t i = 0; i < pixels; i++) {
            const int64_t at[3] = {i % p->n[0], p->rank > 1 ? i / p->n[0] % p->n[1] : 0,
                                   p->rank > 2 ? i / p->n[0] / p->n[1] : 0};
            const double complex error = got[v * pixels + i] - conj(entry(p, m, at, v * STEP));
            square += creal(error * conj(error)) / (double)pixels;
        }
        worst = fmax(worst, sqrt(square));
    }
    free(got);
    return worst;
}

static double check_one(const problem *p)
{
    static int64_t number;
    if (!in_sample(number++, 3)) return 0;
    made m = make(p);
    place_points(&m, p);
    const errors e = {worst_of_pixels(p, &m), worst_of_samples(p, &m)};
    const double limit = (p->every_pixel ? 1 : 6) * fmax(p->tolerance, m.info.expected_error);
    const bool missed = !(e.forward <= limit) || !(e.adjoint <= limit);
    if (missed || getenv("VERBOSE")) print_problem(p, &m, e);
    unmake(&m);
    assert_false(missed);
    return fmax(e.forward, e.adjoint) / limit;
}

static const int64_t shapes[][4] = {{1, 162},        {1, 256},        {1, 7},       {1, 2000},
                                    {2, 32, 32},     {2, 31, 24},     {2, 96, 40},  {2, 5, 120},
                                    {3, 12, 12, 12}, {3, 24, 20, 30}, {3, 9, 16, 7}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static double over_oversampling(const int64_t shape[4], argand_type type, double tolerance)
{
    static const double oversampling[] = {0, 1.25, 1.3, 1.5, 2, 2.5};
    double worst = 0;
    for (int i = 0; i < (device_is_cpu() ? 12 : 2); i++)
        for (int64_t vectors = 1; vectors <= PIXELS; vectors += PIXELS - 1) {
            problem p = problem_of(shape, type, tolerance, UNIFORM, POINTS, vectors);
            p.oversampling = oversampling[i / 2];
            p.every_pixel = i % 2 == 0;
            worst = fmax(worst, check_one(&p));
        }
    return worst;
}

static void every_shape(argand_type type, double least)
{
    const bool host = device_is_cpu();
    double worst = 0;
    for (int shape = 0; shape < SHAPES; shape += host ? 1 : type == ARGAND_C32 ? 5 : SHAPES)
        for (double tolerance = 1e-2; tolerance > 0.5 * least; tolerance *= host ? 0.1 : 1e-4)
            worst = fmax(worst, over_oversampling(shapes[shape], type, tolerance));
    printf("at most %.2f of what is allowed\n", worst);
}

/* Below 1e-6 and 1e-12 rounding is more than some of the tolerances: then the plan says how much. */
static void single_numbers(void **state)
{
    (void)state;
    every_shape(ARGAND_C32, 1e-7);
}

static void double_numbers(void **state)
{
    (void)state;
    every_shape(ARGAND_C64, 1e-14);
}

static void every_size(void **state)
{
    (void)state;
    if (!device_is_cpu()) return;
    for (int64_t n = 1; n < 140; n += n < 20 ? 1 : 7)
        for (int rank = 1; rank <= 2; rank++)
            for (double tolerance = 1e-3; tolerance > 1e-11; tolerance *= 1e-2) {
                problem p = problem_of((int64_t[4]){rank, n, n / 2 + 1, 1}, ARGAND_C64, tolerance, UNIFORM,
                                       POINTS, 1);
                p.every_pixel = n % 2;
                check_one(&p);
            }
}

/* ---- type 3: one source at a corner of their extents, targets at corners of theirs and between ---- */

enum { SOURCES = 16, TARGETS = 64 };

static argand_array *corners(argand_type type, int axis, int64_t count, double extent)
{
    argand_array *array;
    random_state random = {(uint64_t)(31 * axis + count)};
    double value[TARGETS];
    OK(argand_array_create(&array, device, type, 1, &count));
    for (int64_t j = 0; j < count; j++) {
        value[j] = extent * (j < 8 ? (double)(j >> axis & 1) - 0.5 : random_uniform(&random) - 0.5);
        if (type == ARGAND_R32) ((float *)value)[j] = (float)value[j];
    }
    OK(argand_array_upload(array, value));
    return array;
}

/* The largest error of a sample where source v of vector v is 1 */
static double worst_of_type3(argand_nufft3 *plan, argand_type type, int rank, double *const r[3],
                             double *const k[3])
{
    argand_array *strengths, *samples;
    double one[2 * SOURCES * SOURCES] = {0}, worst = 0;
    OK(argand_array_create(&strengths, device, type, 2, (int64_t[]){SOURCES, SOURCES}));
    OK(argand_array_create(&samples, device, type, 2, (int64_t[]){TARGETS, SOURCES}));
    for (int v = 0; v < SOURCES; v++) one[2 * (v * SOURCES + v)] = 1;
    write_numbers(strengths, one);
    OK(argand_nufft3_apply(plan, samples, strengths));
    double complex *got = (double complex *)as_doubles(samples);
    for (int v = 0; v < SOURCES; v++)
        for (int j = 0; j < TARGETS; j++) {
            long double turns = 0;
            for (int axis = 0; axis < rank; axis++)
                turns += (long double)r[axis][v] * (long double)k[axis][j];
            const double phase = (double)(turns - rintl(turns)) * two_pi;
            worst = fmax(worst, cabs(got[v * TARGETS + j] - CMPLX(cos(phase), -sin(phase))));
        }
    free(got);
    argand_array_destroy(samples);
    argand_array_destroy(strengths);
    return worst;
}

static void check_type3(argand_type type, int rank, double product, double tolerance)
{
    argand_array *r[3], *k[3];
    double *source[3], *target[3];
    argand_nufft3 *plan;
    argand_nufft3_info info;
    static int64_t number;
    if (!in_sample(number++, 3)) return;
    for (int axis = 0; axis < rank; axis++) {
        const argand_type real = type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
        r[axis] = corners(real, axis, SOURCES, 1);
        k[axis] = corners(real, axis, TARGETS, product);
        source[axis] = as_doubles(r[axis]);
        target[axis] = as_doubles(k[axis]);
    }
    const argand_nufft3_options o = {.type = type, .rank = rank, .tolerance = tolerance};
    OK(argand_nufft3_create(&plan, device, &o));
    OK(argand_nufft3_set_points(plan, r, k));
    argand_nufft3_describe(plan, &info);
    CHECK_BELOW(worst_of_type3(plan, type, rank, source, target), fmax(tolerance, info.expected_error));
    argand_nufft3_destroy(plan);
    for (int axis = 0; axis < rank; axis++) {
        free(target[axis]);
        free(source[axis]);
        argand_array_destroy(k[axis]);
        argand_array_destroy(r[axis]);
    }
}

static void type3_numbers(void **state)
{
    (void)state;
    const bool host = device_is_cpu();
    for (int rank = 1; rank <= (host ? 3 : 1); rank++)
        for (double tolerance = 1e-2; tolerance > 1e-10; tolerance *= host ? 0.1 : 1e-4)
            for (double product = 3; product < (rank == 3 ? 20 : 200); product *= host ? 5 : 100) {
                check_type3(ARGAND_C64, rank, product, tolerance);
                if (tolerance > 1e-6) check_type3(ARGAND_C32, rank, product, tolerance);
            }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(single_numbers),
    cmocka_unit_test(double_numbers),
    cmocka_unit_test(every_size),
    cmocka_unit_test(type3_numbers),
};
RUN_TESTS(tests)
