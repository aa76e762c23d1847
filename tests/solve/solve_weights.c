/* SPDX-License-Identifier: BSD-3-Clause */
/* A weight means the same for any trajectory, any density weights, any number of coils: the magnitude s that
 * it counts in is the image's own, whatever samples tell of it, and one weight is near the best of each scan.
 */
#include "dense.h"

#include <math.h>

enum { NX = 60, NY = 52, MOST_COILS = 6, READ = 120, MOST = 100 * READ };

typedef enum way { SPOKES, SPIRAL, LINES } way;
typedef struct scan {
    const char *name;
    way kind;
    int shots, coils;
    double power; /* of the radius: density weights */
} scan;

typedef struct problem {
    argand_op *op;
    argand_array *x, *y, *truth, *weights, *spectrum;
    double diagonal; /* of A^H W A, by the numbers that made it */
    int samples;
} problem;

static double kx[MOST], ky[MOST], density[MOST];

static int spokes(int count)
{
    for (int i = 0; i < count * READ; i++) {
        const double r = (i % READ - READ / 2) * 0.5, angle = 3.14159265358979 * (i / READ) / count;
        kx[i] = r * cos(angle);
        ky[i] = r * sin(angle) * NY / NX;
    }
    return count * READ;
}

/* Archimedean, slow in the middle as gradients are. */
static int spiral(int shots)
{
    enum { EACH = 700 };
    for (int i = 0; i < shots * EACH; i++) {
        const double t = pow((i % EACH) / (double)EACH, 1.3), r = 30 * t,
                     angle = 2 * 3.14159265358979 * (6 * t + (double)(i / EACH) / shots);
        kx[i] = r * cos(angle);
        ky[i] = r * sin(angle) * NY / NX;
    }
    return shots * EACH;
}

/* Every n-th line, and eight in the middle. */
static int lines(int factor)
{
    int count = 0;
    for (int j = -NY / 2; j < NY / 2; j++) {
        if (j % factor && (j < -4 || j >= 4)) continue;
        for (int i = 0; i < NX; i++) {
            kx[count] = i - NX / 2;
            ky[count++] = j;
        }
    }
    return count;
}

static double bright(const argand_array *image)
{
    double *v = as_doubles(image), second = 0, fourth = 0;
    for (int64_t i = 0; i < argand_array_count(image); i++) {
        const double square = v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1];
        second += square;
        fourth += square * square;
    }
    free(v);
    return sqrt(fourth / second);
}

static double tv_of(const argand_array *image)
{
    double *numbers = as_doubles(image), sum = 0;
    const double complex *x = (const double complex *)(const void *)numbers;
    for (int n = 0; n < NX * NY; n++)
        sum += sqrt((n % NX ? pow(cabs(x[n] - x[n - 1]), 2) : 0) +
                    (n / NX ? pow(cabs(x[n] - x[n - NX]), 2) : 0));
    free(numbers);
    return sum;
}

static argand_array *weights_of(const scan *s, problem *p, argand_array **line)
{
    float *w = malloc((size_t)p->samples * sizeof *w);
    double sum = 0;
    argand_array *view;
    *line = ARRAY(ARGAND_R32, p->samples);
    for (int i = 0; i < p->samples; i++) {
        density[i] = pow(fmax(hypot(kx[i], ky[i]), 0.25), s->power);
        w[i] = (float)density[i];
        sum += density[i];
    }
    OK(argand_array_upload(*line, w));
    OK(argand_array_view(&view, *line, 2, (int64_t[]){p->samples, s->coils}, (int64_t[]){1, 0}, 0));
    free(w);
    p->diagonal = sum;
    return view;
}

static void add_noise(problem *p, int coils)
{
    argand_array *noise = ARRAY(ARGAND_C32, p->samples, coils);
    randomise(noise, 5, 0, 0);
    double norm;
    OK(argand_array_norm(&norm,
                         noise)); /* what samples tell of a pixel, were they evenly spread, is 3 % wrong */
    const double each = 0.03 * bright(p->truth) * sqrt((double)p->samples);
    OK(argand_array_axpby(p->y, (argand_scalar){each * sqrt((double)p->samples * coils) / norm, 0}, noise,
                          (argand_scalar){1, 0}));
    argand_array_destroy(noise);
}

static argand_array *upload_points(const double *values, int count)
{
    argand_array *k = ARRAY(ARGAND_R64, count);
    OK(argand_array_upload(k, values));
    return k;
}

static void make_spectrum(problem *p, argand_array *const k[2], const argand_array *line,
                          const argand_array *maps)
{
    argand_toeplitz *toeplitz;
    OK(argand_toeplitz_create(
        &toeplitz, device,
        &(argand_toeplitz_options){
            .type = ARGAND_C32, .rank = 2, .n = {NX, NY}, .k = {k[0], k[1]}, .weights = line}));
    OK(argand_toeplitz_circulant(&p->spectrum, toeplitz, maps));
    argand_toeplitz_destroy(toeplitz);
}

/* A birdcage without its middle axis, its squares summing to 1. */
static argand_array *make_maps(int coils)
{
    argand_array *maps = ARRAY(ARGAND_C32, NX, NY, 1, coils), *flat;
    if (coils == 1)
        OK(argand_array_fill(maps, (argand_scalar){1, 0}));
    else
        OK(argand_coils_birdcage(maps));
    OK(argand_array_reshape(&flat, maps, 3, (int64_t[]){NX, NY, coils}));
    argand_array_destroy(maps);
    return flat;
}

static problem make(const scan *s)
{
    problem p = {.samples = s->kind == SPOKES   ? spokes(s->shots)
                            : s->kind == SPIRAL ? spiral(s->shots)
                                                : lines(s->shots)};
    assert_true(p.samples <= MOST);
    argand_nufft *plan;
    argand_op *transform;
    argand_array *k[2] = {upload_points(kx, p.samples), upload_points(ky, p.samples)},
                 *maps = make_maps(s->coils), *line;
    double norm;
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {NX, NY}}));
    OK(argand_nufft_set_points(plan, k));
    OK(argand_op_nufft(&transform, device, plan, s->coils));
    OK(argand_op_sense(&p.op, transform, maps));
    p.x = ARRAY(ARGAND_C32, NX, NY);
    p.truth = ARRAY(ARGAND_C32, NX, NY);
    p.y = ARRAY(ARGAND_C32, p.samples, s->coils);
    OK(argand_phantom_image(p.truth, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_op_apply(p.op, p.y, p.truth));
    add_noise(&p, s->coils);
    p.weights = weights_of(s, &p, &line);
    OK(argand_array_norm(&norm, maps));
    p.diagonal *= norm * norm / (NX * NY);
    make_spectrum(&p, k, line, maps);
    argand_op_destroy(transform);
    argand_array *const all[] = {k[0], k[1], maps, line};
    for (int i = 0; i < 4; i++) argand_array_destroy(all[i]);
    return p;
}

static void release(problem *p)
{
    argand_op_destroy(p->op);
    argand_array *const all[] = {p->x, p->y, p->truth, p->weights, p->spectrum};
    for (int i = 0; i < 5; i++) argand_array_destroy(all[i]);
}

static bool keep_penalty(void *context, const argand_progress *progress)
{
    *(double *)context = progress->penalty;
    return true;
}

/* The image's relative error; *s is what the weight counted in. */
static double solve(problem *p, double weight, int iterations, double *s)
{
    const argand_regularizer tv = {.kind = ARGAND_TV, .weight = weight};
    double penalty = 0, *a, *b;
    OK(argand_solve(p->x, p->op, p->y,
                    &(argand_solve_options){.iterations = iterations,
                                            .weights = p->weights,
                                            .regularizers = &tv,
                                            .regularizer_count = 1,
                                            .spectrum = p->spectrum,
                                            .monitor = keep_penalty,
                                            .monitor_context = &penalty}));
    *s = penalty / (tv_of(p->x) * weight * p->diagonal);
    a = as_doubles(p->x);
    b = as_doubles(p->truth);
    const double error = relative_error(a, b, 2 * NX * NY);
    free(a);
    free(b);
    return error;
}

/* The same with the weight chosen. */
static double solve_auto(problem *p, double noise, argand_weight_choice *choice)
{
    const argand_regularizer tv = {.kind = ARGAND_TV, .weight = 1, .automatic = true};
    OK(argand_solve_weight(p->x, p->op, p->y,
                           &(argand_solve_options){.iterations = 60,
                                                   .weights = p->weights,
                                                   .regularizers = &tv,
                                                   .regularizer_count = 1,
                                                   .spectrum = p->spectrum},
                           0, noise, choice));
    double *a = as_doubles(p->x), *b = as_doubles(p->truth);
    const double error = relative_error(a, b, 2 * NX * NY);
    free(a);
    free(b);
    return error;
}

static const scan scans[] = {
    {"every line", LINES, 1, 1, 0},
    {"every second line", LINES, 2, 6, 0},
    {"every third line", LINES, 3, 6, 0},
    {"19 spokes", SPOKES, 19, 4, 0},
    {"19 spokes, sqrt of density", SPOKES, 19, 4, 0.5},
    {"19 spokes, density", SPOKES, 19, 4, 1},
    {"40 spokes, 1 coil", SPOKES, 40, 1, 1},
    {"80 spokes", SPOKES, 80, 4, 0},
    {"80 spokes, density", SPOKES, 80, 4, 1},
    {"5 spirals", SPIRAL, 5, 4, 0},
    {"5 spirals, density", SPIRAL, 5, 4, 1},
    {"2 spirals", SPIRAL, 2, 6, 0},
    {"2 spirals, density", SPIRAL, 2, 6, 1},
};

/* The recommended weight is within a quarter of the best error that factors of 2.5 around it find, and s is
 * the image's to a quarter: what is undersampled has lost some brightness. */
static void one_weight_for_all(void **state)
{
    (void)state;
    static const double grid[] = {0.0024, 0.006, 0.0375, 0.094};
    const double chosen = 0.015;
    OK(argand_device_set_threads(device, 1));
    for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
        problem p = make(&scans[i]);
        double s, ignored, best = INFINITY, best_weight = 0;
        const double error = solve(&p, chosen, 60, &s), twice = solve(&p, chosen, 120, &ignored),
                     truth = bright(p.truth);
        for (size_t w = 0; w < sizeof grid / sizeof *grid; w++) {
            const double other = solve(&p, grid[w], 60, &ignored);
            if (other < best) best_weight = grid[w];
            best = fmin(best, other);
        }
        printf("%-28s s / truth %.2f; error at %g %.4f (120 iterations %.4f), at %g %.4f\n", scans[i].name,
               s / truth, chosen, error, twice, best_weight, best);
        CHECK_BELOW(fabs(s / truth - 1), 0.25);
        CHECK_BELOW(error, 1.25 * best);
        CHECK_BELOW(fabs(twice / error - 1), 0.05);
        release(&p);
    }
}

/* The chosen weight is as good to a fifth as the best of a grid, whether the noise is given or estimated from
 * the data; that estimate is right to 1.4. */
static void chosen_by_the_noise(void **state)
{
    (void)state;
    static const double grid[] = {0.0024, 0.006, 0.015, 0.0375, 0.094};
    OK(argand_device_set_threads(device, 1));
    for (size_t i = 0; i < sizeof scans / sizeof *scans; i += 3) {
        problem p = make(&scans[i]);
        argand_weight_choice known, told;
        double ignored, best = INFINITY;
        const double noise = 0.03 * bright(p.truth) * sqrt((double)p.samples);
        for (size_t w = 0; w < sizeof grid / sizeof *grid; w++)
            best = fmin(best, solve(&p, grid[w], 60, &ignored));
        const double given = solve_auto(&p, noise, &known), found = solve_auto(&p, 0, &told);
        printf("%-28s best %.4f; noise given: %.4f at %.4f in %d trials; told by %s as %.2f of itself: %.4f "
               "at %.4f in %d\n",
               scans[i].name, best, given, known.weight, known.solves, told.source, told.noise / noise, found,
               told.weight, told.solves);
        CHECK_BELOW(given, 1.2 * best);
        CHECK_BELOW(found, 1.2 * best);
        CHECK_BELOW(fabs(log(told.noise / noise)), log(1.4));
        release(&p);
    }
}

static void choices_are_refused(void **state)
{
    (void)state;
    problem p = make(&scans[0]);
    argand_regularizer list[2] = {{.kind = ARGAND_TV, .weight = 1, .automatic = true},
                                  {.kind = ARGAND_WAVELET, .weight = 1, .automatic = true}};
    argand_solve_options o = {.regularizers = list, .regularizer_count = 1};
    assert_int_equal(argand_solve(p.x, p.op, p.y, &o), ARGAND_ARGUMENT);
    assert_non_null(strstr(argand_message(), "argand_solve_weight"));
    assert_int_equal(argand_solve_weight(p.x, p.op, p.y, &o, 1, 0, NULL), ARGAND_ARGUMENT);
    assert_int_equal(argand_solve_weight(p.x, p.op, p.y, &o, 0, -1, NULL), ARGAND_ARGUMENT);
    o.regularizer_count = 2;
    assert_int_equal(argand_solve_weight(p.x, p.op, p.y, &o, 0, 0, NULL), ARGAND_ARGUMENT);
    assert_non_null(strstr(argand_message(), "only one"));
    o.regularizer_count = 1;
    OK(argand_array_fill(p.y, (argand_scalar){0, 0}));
    assert_int_equal(argand_solve_weight(p.x, p.op, p.y, &o, 0, 0, NULL), ARGAND_NUMERIC);
    release(&p);
}

typedef struct trial_watch {
    int stop_in, last, seen; /* trial that is stopped in, -1: none; of the last call; a bit for each */
} trial_watch;

static bool watch_trials(void *context, const argand_progress *progress)
{
    trial_watch *w = context;
    assert_true(progress->residual > 0);
    w->seen |= 1 << progress->trial;
    w->last = progress->trial;
    return progress->trial != w->stop_in;
}

/* Least squares, at least one weight, the solve itself; each can be stopped. */
static void the_monitor_sees_trials(void **state)
{
    (void)state;
    problem p = make(&scans[0]);
    const argand_regularizer tv = {.kind = ARGAND_TV, .automatic = true};
    for (int stop_in = -1; stop_in <= 2; stop_in++) {
        trial_watch w = {.stop_in = stop_in};
        const argand_solve_options o = {.iterations = 5,
                                        .weights = p.weights,
                                        .regularizers = &tv,
                                        .regularizer_count = 1,
                                        .spectrum = p.spectrum,
                                        .monitor = watch_trials,
                                        .monitor_context = &w};
        argand_weight_choice choice = {0};
        const argand_status status = argand_solve_weight(p.x, p.op, p.y, &o, 0, 0, &choice);
        assert_int_equal(status, stop_in < 0 ? ARGAND_OK : ARGAND_STOPPED);
        assert_int_equal(w.last, stop_in < 0 ? 0 : stop_in);
        if (stop_in < 0) assert_int_equal(w.seen, (1 << (choice.solves + 2)) - 1);
    }
    release(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_weight_for_all), cmocka_unit_test(chosen_by_the_noise),
    cmocka_unit_test(the_monitor_sees_trials), cmocka_unit_test(choices_are_refused)};
RUN_TESTS(tests)
