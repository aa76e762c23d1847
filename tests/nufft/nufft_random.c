/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems drawn at random against exact sums: sizes, points, options, vectors and threads that no table of
 * the other tests holds together. ARGAND_TEST_SEEDS=n draws n of them, ARGAND_TEST_SEED=s begins with seed s
 * (a failure names its own). */
#include "truth.h"

typedef enum placing {
    AS_KIND, /* of truth.h */
    ONE_POINT,
    ONE_CELL,
    WHOLE,   /* k whole numbers */
    QUARTER, /* k in quarters, two periods away */
    ALIKE,   /* planes with the same points */
    DIFFER,  /* planes in any order, some of them missing */
    PLACINGS
} placing;

typedef struct drawn {
    uint64_t seed;
    problem p;
    argand_nufft_options o;
    argand_type positions;
    int again; /* set-points with other points before those that count */
} drawn;

static random_state dice;

static int64_t below(int64_t n)
{
    return (int64_t)(random_bits(&dice) % (uint64_t)n);
}

static bool one_in(int64_t n)
{
    return below(n) == 0;
}

static void draw_sizes(problem *p)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 24, 31},
                         lengths[] = {97, 300, 512, 729, 1009};
    int64_t most = p->rank == 3 ? 3000 : 2000;
    for (int axis = 0; axis < p->rank; axis++) {
        p->n[axis] = one_in(4) ? lengths[below(5)] : sizes[below(p->rank == 3 ? 11 : 13)];
        if (p->n[axis] > most) p->n[axis] = 1 + below(most);
        most /= p->n[axis];
    }
}

static drawn draw(uint64_t seed)
{
    static const int64_t counts[] = {1, 1, 2, 3, 10, 50, 200, 400}, vectors[] = {1, 1, 1, 2, 3, 5, 8, 17, 33};
    static const double oversamplings[] = {0, 0, 0, 1.05, 1.25, 1.5, 2, 3};
    dice.value = seed;
    drawn d = {.seed = seed};
    problem *p = &d.p;
    p->type = one_in(2) ? ARGAND_C64 : ARGAND_C32;
    p->rank = 1 + (int)below(3);
    draw_sizes(p);
    p->tolerance = pow(10, -1 - (is_double(p) ? 11 : 5) * random_uniform(&dice));
    p->oversampling = oversamplings[below(8)];
    p->count = counts[below(8)];
    p->vectors = vectors[below(9)];
    p->threads = 1 + (int)below(3);
    p->every_pixel = one_in(8);
    d.positions = one_in(2) ? ARGAND_R64 : ARGAND_R32;
    d.again = (int)below(2);
    d.o = (argand_nufft_options){.type = p->type,
                                 .rank = p->rank,
                                 .n = {p->n[0], p->n[1], p->n[2]},
                                 .tolerance = p->tolerance,
                                 .oversampling = p->oversampling,
                                 .sign = one_in(2) ? 1 : -1,
                                 .units = one_in(3) ? ARGAND_NUFFT_RADIANS : ARGAND_NUFFT_CYCLES,
                                 .order = one_in(3) ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED,
                                 .window_only = one_in(5),
                                 .real_image = one_in(4),
                                 .every_pixel = p->every_pixel};
    return d;
}

/* k of `count` points in cycles, as m->at. Planes lie across the last axis. */
static void place(const problem *p, made *m, placing how)
{
    const int64_t planes = 1 + below(p->n[p->rank - 1]), first = below(p->n[p->rank - 1]);
    const int64_t per = p->count / planes > 0 ? p->count / planes : 1;
    p = &(const problem){.rank = p->rank,
                         .n = {p->n[0], p->n[1], p->n[2]},
                         .count = p->count,
                         .kind = (point_kind)below(KINDS)};
    for (int axis = 0; axis < p->rank; axis++) {
        const double n = (double)p->n[axis], middle = n * (random_uniform(&dice) - 0.5);
        const bool across = axis == p->rank - 1 && how >= ALIKE;
        m->at[axis] = malloc((size_t)p->count * sizeof *m->at[axis]);
        assert_non_null(m->at[axis]);
        for (int64_t j = 0; j < p->count; j++) {
            const double k = position(p->kind, j, p->count, axis, n, &dice);
            const int64_t plane = how == ALIKE ? j / per % planes : below(planes);
            m->at[axis][j] = across             ? (double)((first + 3 * plane) % p->n[axis] - p->n[axis] / 2)
                             : how == ONE_POINT ? middle
                             : how == ONE_CELL  ? middle + 0.05 * random_uniform(&dice)
                             : how == WHOLE     ? floor(k)
                             : how == QUARTER   ? floor(4 * k) / 4 + 2 * n
                             : how == ALIKE && j >= per ? m->at[axis][j % per]
                                                        : k;
        }
    }
}

/* The caller's positions of them; `at` becomes what these say, in cycles and with apply's sign -1. */
static void give(const drawn *d, made *m)
{
    for (int axis = 0; axis < d->p.rank; axis++) {
        const double unit = d->o.units == ARGAND_NUFFT_RADIANS ? two_pi / (double)d->p.n[axis] : 1;
        OK(argand_array_create(&m->k[axis], device, d->positions, 1, &d->p.count));
        double *k = malloc((size_t)d->p.count * sizeof *k);
        assert_non_null(k);
        for (int64_t j = 0; j < d->p.count; j++) {
            k[j] = unit * m->at[axis][j];
            if (d->positions == ARGAND_R32) ((float *)k)[j] = (float)k[j];
        }
        OK(argand_array_upload(m->k[axis], k));
        free(k);
        free(m->at[axis]);
        m->at[axis] = as_doubles(m->k[axis]);
        for (int64_t j = 0; j < d->p.count; j++) m->at[axis][j] *= -d->o.sign / unit;
    }
}

static void set_points(const drawn *d, made *m)
{
    problem other = d->p;
    other.count = 1 + below(300);
    for (int round = 1 - d->again; round < 2; round++) {
        drawn one = *d;
        if (round == 0) one.p = other;
        for (int axis = 0; axis < 3; axis++) {
            argand_array_destroy(m->k[axis]);
            free(m->at[axis]);
            m->k[axis] = NULL, m->at[axis] = NULL;
        }
        place(&one.p, m, one_in(3) ? AS_KIND : (placing)below(PLACINGS));
        give(&one, m);
        if (argand_nufft_set_points(m->plan, m->k))
            fail_msg("seed %llu: %s", (unsigned long long)d->seed, argand_message());
    }
}

static made make_drawn(const drawn *d)
{
    made m = {0};
    const problem *p = &d->p;
    int64_t dims[4] = {p->n[0], p->n[1], p->n[2]};
    dims[p->rank] = p->vectors;
    const argand_type real = is_double(p) ? ARGAND_R64 : ARGAND_R32;
    OK(argand_array_create(&m.image, device, d->o.real_image ? real : p->type, p->rank + 1, dims));
    OK(argand_array_create(&m.samples, device, p->type, 2, (int64_t[]){p->count, p->vectors}));
    OK(argand_device_set_threads(device, p->threads));
    if (argand_nufft_create(&m.plan, device, &d->o))
        fail_msg("seed %llu: %s", (unsigned long long)d->seed, argand_message());
    set_points(d, &m);
    argand_nufft_describe(m.plan, &m.info);
    return m;
}

/* Points within half a cycle count as one sample, which may have six times the tolerance. */
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

static void limit(const drawn *d, const made *m, const char *what, double value, double most)
{
    char text[512];
    argand_nufft_print(m->plan, text, sizeof text);
    if (!(value <= most))
        fail_msg("seed %llu: %s %.3g, more than %.3g: %s", (unsigned long long)d->seed, what, value, most,
                 text);
}

/* Where pixel i of the centred image lies */
static int64_t pixel(const drawn *d, int64_t i)
{
    int64_t at = 0, step = 1;
    for (int axis = 0; axis < d->p.rank; axis++) {
        const int64_t n = d->p.n[axis], x = i % n;
        at += step * (d->o.order == ARGAND_NUFFT_FFT_ORDER ? (x - n / 2 + n) % n : x);
        step *= n;
        i /= n;
    }
    return at;
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

static double norm_of(const double complex *x, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
    return sqrt(sum);
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
    const int64_t pixels = argand_array_count(m->image) / d->p.vectors;
    double complex *x = image_of(d, m, v), *y = samples_of(d, m, v), *ax = samples_of(d, results, v),
                   *ahy = image_of(d, results, v), *image = calloc((size_t)pixels, sizeof *image),
                   *samples = calloc((size_t)d->p.count, sizeof *samples);
    assert_true(image && samples);
    exact(&d->p, m, x, samples, 1);
    exact(&d->p, m, image, y, 0);
    for (int64_t i = 0; i < pixels && d->o.real_image; i++) image[i] = creal(image[i]);
    limit(d, m, "apply", error_of(ax, samples, d->p.count, norm_of(x, pixels) * sqrt((double)d->p.count)),
          most);
    limit(d, m, "adjoint", error_of(ahy, image, pixels, norm_of(y, d->p.count) * sqrt((double)pixels)), most);
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

static void check_drawn(const drawn *d)
{
    made m = make_drawn(d);
    const made results = {.image = like(m.image), .samples = like(m.samples)},
               again = {.image = like(m.image), .samples = like(m.samples)};
    const double reached = fmax(d->p.tolerance, m.info.expected_error) * (are_few(&d->p, &m) ? 6 : 1);
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
    const char *seeds = getenv("ARGAND_TEST_SEEDS"), *first = getenv("ARGAND_TEST_SEED");
    const uint64_t from = first ? strtoull(first, NULL, 10) : 1,
                   count = seeds ? strtoull(seeds, NULL, 10) : 150;
    for (uint64_t i = 0; i < count; i++) {
        const drawn d = draw(from + i);
        check_drawn(&d);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(drawn_problems),
};
RUN_TESTS(tests)
