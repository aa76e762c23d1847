/* SPDX-License-Identifier: BSD-3-Clause */
/* Which oversampling and which width reach a tolerance at the least cost. */
#include "nufft/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/pi.h"
#include "base/threads/worth.h"

void nufft_tuning_value(const char *wanted, int *value)
{
    const char *list = getenv("ARGAND_NUFFT_SHAPE");
    char word[16];
    int number, used;
    for (; list && sscanf(list, "%15s %d %n", word, &number, &used) == 2; list += used)
        if (!strcmp(word, wanted)) *value = number;
}

static double machine_epsilon(const argand_nufft_options *options)
{
    return options->type == ARGAND_C64 ? 0x1p-53 : 0x1p-24;
}

/* The grid of one axis: smooth, at least `oversampling` times the image, and wide enough for the widest
 * window of small images, where a larger grid costs nothing. */
static int64_t grid_size(int64_t n, double oversampling)
{
    const int64_t wanted = (int64_t)ceil(oversampling * (double)n - 1e-6);
    return argand_fft_next_size(wanted > 8 ? wanted : 8);
}

static double least_oversampling(const choice *c, const argand_nufft_options *options)
{
    double sigma = INFINITY;
    for (int axis = 0; axis < options->rank; axis++)
        sigma = fmin(sigma, (double)c->grid[axis] / (double)options->n[axis]);
    return sigma;
}

/* How much more than the tolerance an image of one pixel at the edge may have, without every_pixel */
enum { EDGE_EXCESS = 6 };

/* Errors of window and rounding over all axes at this width. */
static void estimate_errors(choice *c, const argand_nufft_options *options)
{
    double square = 0, at_place = 0, average = 0, worst = 0, logarithm = 1;
    window_errors amplification = {.mean = 1, .worst = 1};
    c->shape = window_shape(c->width, least_oversampling(c, options), options->every_pixel);
    c->rise = 1;
    window_errors aliasing = {0}, rise = {0};
    for (int axis = 0; axis < options->rank; axis++) {
        const int64_t n = options->n[axis], grid = c->grid[axis];
        if (!axis || n != options->n[axis - 1] || grid != c->grid[axis - 1])
            window_cached_errors(&aliasing, &rise, c->width, c->shape, n, grid);
        square += aliasing.mean * aliasing.mean;
        /* the sum over axes of errors that are each an axis' own: squares add, and products of averages */
        at_place += aliasing.at_place * aliasing.at_place + 2 * average * aliasing.average;
        average += aliasing.average;
        worst += aliasing.worst;
        amplification.mean *= fmax(1, rise.mean);
        amplification.worst *= rise.worst;
        c->rise = fmax(c->rise, rise.worst);
        logarithm += log2((double)c->grid[axis]);
    }
    if (c->planes > 1) logarithm += log2((double)c->planes);
    /* White data meet the mean error of aliasing; points that share their place between cells, and images
     * and points of few degrees of freedom, meet up to 3 times as much (tests/nufft measures it). A corner's
     * pixel meets the sum of what the edges have on each axis, for a point that all axes are unlucky with.
     * All pixels meet theirs for such a point, of which the promise is made (nufft.h). The window's
     * polynomials and products of errors add some hundredths. */
    const double at_edge = options->every_pixel ? 1 : EDGE_EXCESS;
    c->aliasing = fmax(fmax(3 * sqrt(square), 1.1 * sqrt(at_place)), 1.1 * worst / at_edge);
    /* Rounding of weights, products and FFT stages, which add up without order; points at the same place
     * between cells share the rounding of their weights, so each axis counts fully. */
    const double stages = 1 + sqrt(logarithm) + options->rank;
    c->rounding = machine_epsilon(options) * amplification.mean * stages;
    /* The rounding of a corner's pixel is a mean over its samples; one in thousands may have three times
     * as much. Half of that is allowed for if single pixels are promised the tolerance. */
    const double unlucky = options->every_pixel ? 1.5 : 1;
    c->corner_rounding =
        unlucky * machine_epsilon(options) * (2.5 * amplification.worst + 0.75 * stages) / at_edge;
}

double choice_error(const choice *c)
{
    return c->aliasing + fmax(c->rounding, c->corner_rounding);
}

/* How far a choice is from what is asked for, 1 where it serves: from the tolerance, and from the 1e-5 and
 * 1e-12 to which apply and adjoint are each other's, whatever the tolerance. They share all numbers but the
 * rounding of their sums, which deapodisation raises in both; half of that is left for sums that are unlucky.
 */
static double miss_of(const choice *c, const argand_nufft_options *options)
{
    const double rounding = options->type == ARGAND_C64 ? 5e-13 : 5e-6;
    return fmax(1, fmax(choice_error(c) / options->tolerance, c->rounding / rounding));
}

/* The width that reaches the tolerance, or one less. For widths from 2 to 16, the logarithm of one axis'
 * aliasing was pi width sqrt(1 - 1/sigma) below a number that lies at most 0.9 above this level. */
static int least_width(const choice *c, const argand_nufft_options *options)
{
    const double sigma = least_oversampling(c, options);
    const double level = 0.85 + 0.65 * (fmin(sigma, 2.5) - 1.25) + 0.5 * log(options->rank);
    const double width = (level - log(options->tolerance)) / (PI * sqrt(1 - 1 / sigma));
    return (int)fmin(fmax(ceil(width), WINDOW_MIN_WIDTH), WINDOW_MAX_WIDTH);
}

/* The least width from there on that reaches the tolerance, else the one of least error: wider windows raise
 * rounding errors. */
static void choose_width(choice *c, const argand_nufft_options *options)
{
    int width = c->width;
    choice trial = *c;
    double least = INFINITY;
    for (; width <= WINDOW_MAX_WIDTH && least > options->tolerance; width++) {
        trial.width = width;
        estimate_errors(&trial, options);
        const double error = choice_error(&trial);
        if (error >= least) break;
        least = error;
        *c = trial;
    }
}

/* The parts of the cost */
typedef struct work {
    double points, rows;  /* rows of a window */
    double passes, cells; /* numbers that the FFT's passes make, pruned; on the grid */
} work;

static work work_of(const choice *c, const argand_nufft_options *options, double points_count)
{
    const double kept = options->real_image ? 0.5 : 1;
    work w = {.points = points_count, .rows = 1, .cells = kept};
    for (int axis = 1; axis < options->rank; axis++) w.rows *= c->width;
    for (int axis = 0; axis < options->rank; axis++) { /* image rows on the axes not yet transformed */
        double lines = 1;
        for (int other = 0; other < options->rank; other++)
            lines *= other < axis ? (double)c->grid[other] : other > axis ? (double)options->n[other] : 1;
        w.passes += kept * lines * (double)c->grid[axis];
        w.cells *= (double)c->grid[axis];
    }
    return w;
}

/* Nanoseconds of one thread for one vector, measured on an AVX-512 core: of a point (weights, sample), of
 * each SIMD vector of its window, of a cell in an FFT pass, of a cell cleared and added. See
 * docs/performance/nufft.md. */
static double cost_on_host(const choice *c, const argand_nufft_options *options, const work *w)
{
    const bool is_double = options->type == ARGAND_C64;
    const int in_vector = is_double ? 4 : 8;
    const double vectors = (c->width + in_vector - 1) / in_vector;
    return w->points * (10 + 0.8 * vectors * w->rows) +
           (is_double ? 2 : 1) * (2.0 * w->passes + 3.0 * w->cells);
}

double choice_nanoseconds(const argand_nufft *plan, double points_count)
{
    const work w = work_of(&plan->chosen, &plan->options, points_count);
    return cost_on_host(&plan->chosen, &plan->options, &w);
}

/* A call is several parallel regions, one after another, each of which wakes and joins the threads. */
int choice_threads(const argand_nufft *plan, double points_count, int vectors, int threads)
{
    enum { REGIONS = 4 };
    const double each = vectors * choice_nanoseconds(plan, points_count) / REGIONS;
    return plan->is_slab ? threads : threads_worth(threads, each);
}

/* Grids that no cache holds are read and written from memory. */
static double far_from_cache(double bytes)
{
    return 1 + 0.2 * fmin(1, bytes / 32e6);
}

/* The same as cost_on_host, where a cell holds `together` vectors: weights are made once for all,
 * and each cell of a window is a SIMD vector. */
static double cost_of_many(const choice *c, const work *w, double together)
{
    const double fft = 8 * 0.64 * (2.0 * w->passes + 3.0 * w->cells); /* of cells of 64 bytes */
    return (w->points * (10 + 0.5 * c->width * w->rows) + fft * far_from_cache(64 * w->cells)) / together;
}

double choice_seconds(const argand_nufft_options *options, double points_count, double vectors)
{
    choice c;
    choices among = {.known = {false}};
    choice_make(&c, &among, options, points_count, false, false);
    const work w = work_of(&c, options, points_count), none = {.passes = w.passes, .cells = w.cells};
    const double many = options->type == ARGAND_C64 ? 4 : 8, together = fmin(vectors, many);
    if (together > many / 4) return 1e-9 * cost_of_many(&c, &w, together);
    const double fft = cost_on_host(&c, options, &none), all = cost_on_host(&c, options, &w);
    return 1e-9 * (all - fft + fft * far_from_cache(w.cells * 64 / many));
}

/* The same of a GPU: of a point, of each of its cells, and of what a pass moves. There are no SIMD vectors
 * that a window could leave half empty, and memory is fast: grids are larger and windows narrower. */
static double cost_on_gpu(const choice *c, const argand_nufft_options *options, const work *w)
{
    enum { GRIDS = 5 }; /* type 1 writes several times the grid in padded tiles, and memory is dear */
    const double bytes = options->type == ARGAND_C64 ? 2 : 1;
    /* points of one cell see it together */
    const double of_cell = 0.0007 * (0.4 + 0.6 / fmax(1, w->points / w->cells)),
                 of_point = 0.02 + of_cell * c->width * w->rows;
    return bytes * (w->points * of_point + 0.005 * (w->passes + GRIDS * w->cells));
}

static double cost(const choice *c, const argand_nufft_options *options, double points_count, bool on_gpu)
{
    const work w = work_of(c, options, points_count);
    return on_gpu ? cost_on_gpu(c, options, &w) : cost_on_host(c, options, &w);
}

/* The grid for an oversampling, and the window's least width. Options beyond a rank of windows below 3 say
 * how many planes there are. */
static choice begin_choice(const argand_nufft_options *options, double sigma)
{
    choice c = {.grid = {1, 1, 1}, .planes = options->rank < 3 ? options->n[2] : 1};
    for (int axis = 0; axis < options->rank; axis++) c.grid[axis] = grid_size(options->n[axis], sigma);
    /* rows of real pixels are transformed as half as many complex numbers */
    if (options->real_image) c.grid[0] = 2 * grid_size((options->n[0] + 1) / 2, sigma);
    c.width = least_width(&c, options);
    return c;
}

static void try_choice(choice *best, double *best_cost, const choice *c, const argand_nufft_options *options,
                       double points_count, bool on_gpu)
{
    /* One that misses the tolerance must not win by being cheap. */
    const double miss = miss_of(c, options);
    const double total = cost(c, options, points_count, on_gpu) * (miss > 1 ? 1e6 * miss : 1);
    if (total >= *best_cost) return;
    *best_cost = total;
    *best = *c;
}

/* The cheapest of all oversamplings. Errors are estimated in the order of what each costs at least, until
 * that is more than the best one costs. */
static void choose_oversampling(choice *best, choices *among, const argand_nufft_options *options,
                                double points_count, bool on_gpu)
{
    static const double oversamplings[OVERSAMPLINGS] = {1.25,   1.375, 1.4375, 1.5, 1.5625, 1.625,
                                                        1.6875, 1.75,  1.875,  2,   2.25,   2.5};
    double least[OVERSAMPLINGS], best_cost = INFINITY;
    for (int i = 0; i < OVERSAMPLINGS; i++) {
        if (!among->known[i]) among->of[i] = begin_choice(options, oversamplings[i]);
        least[i] = cost(&among->of[i], options, points_count, on_gpu);
    }
    for (;;) {
        int next = 0;
        for (int i = 1; i < OVERSAMPLINGS; i++)
            if (least[i] < least[next]) next = i;
        if (least[next] >= best_cost) return;
        if (!among->known[next]) choose_width(&among->of[next], options);
        among->known[next] = true;
        try_choice(best, &best_cost, &among->of[next], options, points_count, on_gpu);
        least[next] = INFINITY;
    }
}

static void choose(choice *best, choices *among, const argand_nufft_options *options, double points_count,
                   bool on_gpu)
{
    double best_cost = INFINITY;
    if (options->oversampling <= 0) {
        choose_oversampling(best, among, options, points_count, on_gpu);
        return;
    }
    /* Take the oversampling that was asked for, and more only if no window reaches the tolerance with it. */
    for (double sigma = options->oversampling; sigma <= fmax(options->oversampling, 2.5); sigma *= 1.1) {
        choice c = begin_choice(options, sigma);
        choose_width(&c, options);
        try_choice(best, &best_cost, &c, options, points_count, on_gpu);
        if (miss_of(best, options) <= 1) return;
    }
}

void choice_make(choice *best, choices *among, const argand_nufft_options *options, double points_count,
                 bool on_gpu, bool planes)
{
    argand_nufft_options windows = *options;
    if (planes) windows.rank = 2;
    if (windows.rank < 3 && !planes) windows.n[2] = 1;
    choose(best, among, &windows, planes ? points_count / (double)windows.n[2] : points_count, on_gpu);
    best->grid[2] *= best->planes;
}
