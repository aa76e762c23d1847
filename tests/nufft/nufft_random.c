/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems drawn at random (drawn.h) with white inputs against exact sums: both directions, adjointness, the
 * same bits for any number of threads. Other inputs: nufft_promise.c. */
#include "drawn.h"

/* Points within half a cycle count as one. Errors of few pixels or points do not average, but are promised
 * all the same: to the root of the number of inputs times the tolerance. */
static bool are_few(const problem *p, const made *m)
{
    int64_t pairs = 0, pixels = 1;
    for (int axis = 0; axis < p->rank; axis++) pixels *= p->n[axis];
    for (int64_t i = 0; i < p->count; i++)
        for (int64_t j = 0; j < p->count; j++) {
            bool near = true;
            for (int axis = 0; axis < p->rank && near; axis++) {
                const double n = (double)p->n[axis], apart = m->at[axis][i] - m->at[axis][j];
                near = fabs(apart - n * rint(apart / n)) < 0.5;
            }
            pairs += near;
        }
    return pixels <= 30 || p->count * p->count <= 30 * pairs;
}

/* Vector v of the image as complex numbers in the centred order; free() them. */
static double complex *image_of(const drawn *d, const made *m, int64_t v)
{
    const int64_t pixels = argand_array_count(m->image) / d->p.vectors;
    double *numbers = as_doubles(m->image);
    double complex *image = malloc((size_t)pixels * sizeof *image);
    assert_non_null(image);
    for (int64_t i = 0; i < pixels; i++) {
        const int64_t at = v * pixels + pixel(d, i);
        image[i] = d->o.real_image ? numbers[at] : ((double complex *)numbers)[at];
    }
    free(numbers);
    return image;
}

static double complex *samples_of(const drawn *d, const made *m, int64_t v)
{
    double *numbers = as_doubles(m->samples);
    double complex *samples = malloc((size_t)d->p.count * sizeof *samples);
    assert_non_null(samples);
    memcpy(samples, (double complex *)numbers + v * d->p.count, (size_t)d->p.count * sizeof *samples);
    free(numbers);
    return samples;
}

/* |got - truth| of what such an input gives: few samples of a random image may cancel, where the error does
 * not. */
static double error_of(const double complex *got, double complex *truth, int64_t count, double usual)
{
    const double norm = fmax(norm_of(truth, count), usual);
    for (int64_t i = 0; i < count; i++) truth[i] -= got[i];
    return norm_of(truth, count) / norm;
}

/* Vector v of both directions. Inputs are those of m->image and m->samples, results these of `results`. */
static void check_vector(const drawn *d, const made *m, const made *results, int64_t v, double most)
{
    const bool few = are_few(&d->p, m);
    const int64_t pixels = argand_array_count(m->image) / d->p.vectors;
    double complex *x = image_of(d, m, v), *y = samples_of(d, m, v), *ax = samples_of(d, results, v),
                   *ahy = image_of(d, results, v), *image = calloc((size_t)pixels, sizeof *image),
                   *samples = calloc((size_t)d->p.count, sizeof *samples);
    assert_true(image && samples);
    exact(&d->p, m, x, samples, 1);
    exact(&d->p, m, image, y, 0);
    for (int64_t i = 0; i < pixels && d->o.real_image; i++) image[i] = creal(image[i]);
    limit(d, m, "apply", error_of(ax, samples, d->p.count, norm_of(x, pixels) * sqrt((double)d->p.count)),
          most * (few ? fmin(6, sqrt((double)pixels)) : 1));
    limit(d, m, "adjoint", error_of(ahy, image, pixels, norm_of(y, d->p.count) * sqrt((double)pixels)),
          most * (few ? fmin(6, sqrt((double)d->p.count)) : 1));
    double complex *const all[] = {samples, image, ahy, ax, y, x};
    for (int i = 0; i < 6; i++) free(all[i]);
}

/* Re <Ax, y> = Re <x, A^H y>, and for complex images the imaginary part as well */
static void check_adjointness(const drawn *d, const made *m, const made *results)
{
    argand_scalar left, right;
    double ax, x, y;
    OK(argand_array_dot(&left, results->samples, m->samples));
    OK(argand_array_dot(&right, m->image, results->image));
    OK(argand_array_norm(&ax, results->samples));
    OK(argand_array_norm(&x, m->image));
    OK(argand_array_norm(&y, m->samples));
    const double error = hypot(left.re - right.re, d->o.real_image ? 0 : left.im - right.im);
    limit(d, m, "adjointness", error / fmax(ax, x * sqrt((double)d->p.count)) / y,
          is_double(&d->p) ? 1e-12 : 1e-5);
}

static void check_same(const drawn *d, const made *m, const argand_array *a, const argand_array *b)
{
    double *x = as_doubles(a), *y = as_doubles(b);
    limit(d, m, "other bits", memcmp(x, y, real_count(a) * sizeof *x) != 0, 0);
    free(y);
    free(x);
}

static void apply_both(const drawn *d, const made *m, const made *results)
{
    argand_status status = argand_nufft_apply(m->plan, results->samples, m->image);
    if (!status) status = argand_nufft_adjoint(m->plan, results->image, m->samples);
    if (status) fail_msg("seed %llu: %s", (unsigned long long)d->seed, argand_message());
}

static void check_drawn(uint64_t seed)
{
    const drawn problem_drawn = draw(seed), *d = &problem_drawn;
    made m = make_drawn(d);
    const made results = {.image = like(m.image), .samples = like(m.samples)},
               again = {.image = like(m.image), .samples = like(m.samples)};
    const double reached = fmax(d->p.tolerance, m.info.expected_error);
    randomise(m.image, d->seed + 1, 0, 0);
    randomise(m.samples, d->seed + 2, 0, 0);
    apply_both(d, &m, &results);
    limit(d, &m, "points missing", (double)llabs(m.info.points - d->p.count), 0);
    check_vector(d, &m, &results, 0, reached);
    if (d->p.vectors > 1) check_vector(d, &m, &results, d->p.vectors - 1, reached);
    check_adjointness(d, &m, &results);
    OK(argand_device_set_threads(device, d->p.threads % 3 + 1));
    apply_both(d, &m, &again);
    check_same(d, &m, results.samples, again.samples);
    check_same(d, &m, results.image, again.image);
    argand_array *const all[] = {again.samples, again.image, results.samples, results.image};
    for (int i = 0; i < 4; i++) argand_array_destroy(all[i]);
    unmake(&m);
}

static void drawn_problems(void **state)
{
    (void)state;
    draw_all(check_drawn, 150);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(drawn_problems),
};
RUN_TESTS(tests)
