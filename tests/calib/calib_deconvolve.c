/* SPDX-License-Identifier: BSD-3-Clause */
/* Density compensation by Fourier deconvolution: weights that are known, what they make of a point and of a
 * smooth object, next to Pipe and Menon's. */
#include "harness.h"

typedef struct setup {
    argand_array *k[3], *t, *weights, *pipe;
    argand_nufft *plan;
    int64_t n[3], samples, shots, count;
    int rank;
} setup;

static setup make(argand_type real, argand_trajectory kind, int64_t nx, int64_t ny, int64_t nz)
{
    setup s = {.n = {nx, ny, nz}, .rank = nz > 1 ? 3 : 2};
    const argand_type type = real == ARGAND_R64 ? ARGAND_C64 : ARGAND_C32;
    OK(argand_trajectory_make(s.k, &s.t, device, real,
                              &(argand_trajectory_options){.kind = kind, .n = {nx, ny, nz}}));
    s.count = argand_array_count(s.t);
    s.samples = argand_array_dim(s.t, 0);
    s.shots = argand_array_dim(s.t, 1);
    OK(argand_nufft_create(&s.plan, device,
                           &(argand_nufft_options){.type = type, .rank = s.rank, .n = {nx, ny, nz}}));
    OK(argand_nufft_set_points(s.plan, s.k));
    OK(argand_array_create(&s.weights, device, real, 1, &s.count));
    OK(argand_array_create(&s.pipe, device, real, 1, &s.count));
    return s;
}

static void release(setup *s)
{
    argand_nufft_destroy(s->plan);
    argand_array_destroy(s->pipe);
    argand_array_destroy(s->weights);
    argand_array_destroy(s->t);
    for (int d = 0; d < 3; d++) argand_array_destroy(s->k[d]);
}

static void a_whole_grid_is_even(void **state)
{
    (void)state;
    const argand_type types[2] = {ARGAND_R32, ARGAND_R64};
    for (int i = 0; i < 2; i++) {
        setup s = make(types[i], ARGAND_CARTESIAN, 24, 17, 1);
        OK(argand_density_deconvolve(s.weights, s.k, 2, s.n));
        double *w = as_doubles(s.weights), worst = 0;
        for (int64_t j = 0; j < s.count; j++) worst = fmax(worst, fabs(w[j] * 24 * 17 - 1));
        CHECK_BELOW(worst, 1e-4);
        free(w);
        release(&s);
    }
}

/* The largest difference from a weight proportional to |k|, the area of a ring over the samples in it,
 * relative to that; |k| from 6 to 26 of 32 */
static double from_ramp(const argand_array *weights)
{
    enum { N = 64 };
    double *w = as_doubles(weights), slope = 0, worst = 0;
    int count = 0;
    for (int64_t j = N + 12; j < 2 * N - 12; j++, count++) slope += w[j] / (double)(j - N);
    slope /= count;
    for (int64_t j = N + 12; j < 2 * N - 12; j++)
        worst = fmax(worst, fabs(w[j] / ((double)(j - N) * slope) - 1));
    free(w);
    return worst;
}

static void spokes_have_a_ramp(void **state)
{
    (void)state;
    setup s = make(ARGAND_R64, ARGAND_RADIAL, 64, 64, 1);
    OK(argand_density_deconvolve(s.weights, s.k, 2, s.n));
    OK(argand_density_pipe(s.pipe, s.plan, 0, 0, NULL));
    const double here = from_ramp(s.weights), pipe = from_ramp(s.pipe);
    printf("largest difference from the ramp: %.3g, Pipe and Menon's %.3g\n", here, pipe);
    CHECK_BELOW(here, 0.01);
    release(&s);
}

static void destroy_all(argand_array *const *all, int count)
{
    for (int i = 0; i < count; i++) argand_array_destroy(all[i]);
}

/* A^H W A of an object that k-space holds whole, relative l2 error at the best scale */
static double error_of_object(const setup *s, const argand_array *weights)
{
    argand_array *x, *y, *z, *w;
    const int64_t pixels = s->n[0] * s->n[1] * (s->rank > 2 ? s->n[2] : 1), one = 1;
    double *numbers = calloc((size_t)pixels, 2 * sizeof *numbers), cross = 0, square = 0, own = 0;
    assert_non_null(numbers);
    OK(argand_array_create(&x, device, ARGAND_C64, s->rank, s->n));
    OK(argand_array_create(&z, device, ARGAND_C64, s->rank, s->n));
    OK(argand_array_create(&y, device, ARGAND_C64, 1, &s->count));
    for (int64_t i = 0; i < pixels; i++) {
        double r = 0;
        int64_t rest = i;
        for (int axis = 0; axis < s->rank; axis++) {
            const double place = (double)(rest % s->n[axis]) / (double)s->n[axis] - 0.5;
            r += (place - 0.1) * (place - 0.1);
            rest /= s->n[axis];
        }
        numbers[2 * i] = exp(-300 * r);
    }
    OK(argand_array_upload(x, numbers));
    OK(argand_array_view(&w, weights, 1, &s->count, &one, 0));
    OK(argand_nufft_apply(s->plan, y, x));
    OK(argand_array_multiply(y, w, y, ARGAND_PRODUCT));
    OK(argand_nufft_adjoint(s->plan, z, y));
    double *found = as_doubles(z);
    for (int64_t i = 0; i < 2 * pixels; i++) {
        cross += found[i] * numbers[i];
        square += found[i] * found[i];
        own += numbers[i] * numbers[i];
    }
    free(found);
    free(numbers);
    destroy_all((argand_array *const[]){w, y, z, x}, 4);
    return sqrt(fmax(0, 1 - cross * cross / square / own));
}

/* An object within k-space, weighted and back: better than with weights that take a hundred iterations for
 * spokes, and up to twice their error for spirals, whose middle has samples far closer than is needed. */
static void objects_come_back(void **state)
{
    (void)state;
    static const argand_trajectory kinds[] = {ARGAND_RADIAL, ARGAND_SPIRAL, ARGAND_STACK_OF_SPIRALS};
    for (int i = 0; i < 3; i++) {
        setup s = make(ARGAND_R64, kinds[i], 40, 40, i == 2 ? 12 : 1);
        OK(argand_density_deconvolve(s.weights, s.k, s.rank, s.n));
        OK(argand_density_pipe(s.pipe, s.plan, 0, 0, NULL));
        OK(argand_array_fill(s.t, (argand_scalar){1, 0}));
        argand_array *flat;
        OK(argand_array_reshape(&flat, s.t, 1, &s.count));
        const double here = error_of_object(&s, s.weights), pipe = error_of_object(&s, s.pipe),
                     none = error_of_object(&s, flat);
        argand_array_destroy(flat);
        printf("kind %d: error %.3g, Pipe and Menon %.3g, without weights %.3g\n", (int)kinds[i], here, pipe,
               none);
        argand_scalar sum;
        OK(argand_array_sum(&sum, s.weights));
        CHECK_BELOW(fabs(sum.re - 1), 1e-12);
        CHECK_BELOW(here, i == 0 ? pipe / 2 : 2 * pipe);
        CHECK_BELOW(here, none / 5);
        release(&s);
    }
}

static void what_makes_no_sense(void **state)
{
    (void)state;
    setup s = make(ARGAND_R32, ARGAND_RADIAL, 16, 16, 1);
    argand_array *number, *none[2] = {s.k[0], NULL};
    OK(argand_array_create(&number, device, ARGAND_C32, 1, &s.count));
    FAILS(argand_density_deconvolve(number, s.k, 2, s.n), ARGAND_ARGUMENT, "must be real");
    FAILS(argand_density_deconvolve(s.weights, s.k, 4, s.n), ARGAND_ARGUMENT, "rank is 4");
    FAILS(argand_density_deconvolve(s.weights, none, 2, s.n), ARGAND_ARGUMENT, "no positions for axis 1");
    FAILS(argand_density_deconvolve(s.weights, s.k, 2, (int64_t[]){16, 0}), ARGAND_ARGUMENT, "n[1] = 0");
    argand_array_destroy(number);
    release(&s);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    setup s = make(ARGAND_R32, ARGAND_RADIAL, 16, 16, 1);
    argand_status status = ARGAND_MEMORY;
    for (long n = 0; status == ARGAND_MEMORY;) {
        argand_test_fail_allocation(++n);
        status = argand_density_deconvolve(s.weights, s.k, 2, s.n);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    release(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_whole_grid_is_even),      cmocka_unit_test(spokes_have_a_ramp),
    cmocka_unit_test(objects_come_back),         cmocka_unit_test(what_makes_no_sense),
    cmocka_unit_test(every_allocation_may_fail),
};
RUN_TESTS(tests)
