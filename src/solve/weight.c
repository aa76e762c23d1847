/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the weight of a regularizer from the data's noise, by Morozov's discrepancy principle (Soviet
 * Math. Dokl. 7:414, 1966). If the noise is not known, it is estimated from the residual of least squares,
 * if there are more data than unknowns, else from the finest details of the image of least squares (Donoho
 * and Johnstone, Biometrika 81:425, 1994), else from its darkest pixels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "array/copy.h"
#include "base/memory.h"
#include "base/observe.h"
#include "op/spread.h"
#include "solve/problem.h"

/* The part of the unknowns that fits the data's noise. At the best weights of radial, spiral and Cartesian
 * scans it is 0.25 to 0.55. A smaller part is taken, as edges and details beyond the grid are better in
 * smoother images. Errors hardly differ between 0.1 and 0.3 (docs/performance/recon.md). */
static const double spent = 0.15;
/* Steps of least squares after those of the start; steps of a trial of one weight; trials. */
enum { LEAST_SQUARES = 30, TRIAL = 20, MOST_TRIALS = 7 };
/* The noise that is assumed if none is found, as a part of the samples' root mean square. */
static const double LEAST_NOISE = 1e-3;

typedef struct search {
    const argand_op *op;
    const argand_array *y;
    argand_array *x;
    argand_solve_options options; /* of a trial */
    argand_regularizer list[ARGAND_MAX_REGULARIZERS];
    int which;
    double diagonal, image_scale, energy; /* |W^1/2 y|^2 */
    double count, sum, squares;           /* of the samples; of their weights, and of these squared */
    double unknowns, left;                /* pixels that are not 0; |W^1/2 (y - A x)|^2 of least squares */
    double residual;                      /* of the last iteration */
    int trial;                            /* which the caller's monitor receives */
    argand_weight_choice choice;
    argand_monitor monitor; /* the caller's */
    void *monitor_context;
} search;

/* Passes a trial's progress on to the caller's monitor. */
static bool keep_residual(void *context, const argand_progress *progress)
{
    search *s = context;
    argand_progress told = *progress;
    s->residual = told.residual;
    told.trial = s->trial;
    return !s->monitor || s->monitor(s->monitor_context, &told);
}

static argand_status doubles_of(const argand_array *array, double **out)
{
    const int64_t count = argand_array_count(array) * (type_is_complex(array->type) ? 2 : 1);
    *out = NULL;
    float *host = NULL;
    const bool wide = type_is_double(array->type);
    argand_status status = NEW(*out, count);
    if (status == ARGAND_OK && !wide) status = NEW(host, count);
    if (status == ARGAND_OK) status = argand_array_download(array, wide ? (void *)*out : host);
    for (int64_t i = 0; i < count && status == ARGAND_OK && !wide; i++) (*out)[i] = (double)host[i];
    memory_free(host);
    if (status != ARGAND_OK) {
        memory_free(*out);
        *out = NULL;
    }
    return status;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int64_t count)
{
    if (count == 0) return 0;
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

static argand_status sum_weights(search *s)
{
    op_spread *const spread = s->op->spread;
    const double own = (double)spread_own(spread, s->y);
    double sums[2] = {own, own};
    if (s->options.weights) {
        argand_scalar sum, squares;
        TRY(argand_array_sum(&sum, s->options.weights));
        TRY(argand_array_dot(&squares, s->options.weights, s->options.weights));
        sums[0] = sum.re;
        sums[1] = squares.re;
    }
    TRY(spread_sum(spread, sums, 2));
    s->count = spread_count(spread, s->y);
    s->sum = sums[0];
    s->squares = sums[1];
    CHECK(s->sum > 0, ARGAND_ARGUMENT, "argand_solve_weight: all density weights are 0");
    return ARGAND_OK;
}

/* Computes scales, the start, and then the image of least squares. */
static argand_status least_squares(search *s)
{
    problem p;
    s->residual = 1;
    s->trial = 1;
    TRY(observe("choosing the weight", 0));
    argand_status status = solve_problem_open(&p, s->x, s->op, s->y, &s->options);
    if (status == ARGAND_OK) status = solve_problem_make(&p, s->x, s->y);
    if (status == ARGAND_OK) status = argand_array_copy(s->x, p.x);
    s->diagonal = p.diagonal;
    s->image_scale = p.image_scale;
    s->energy = p.smooth.energy;
    if (status == ARGAND_OK && s->options.largest == 0) s->options.largest = 1.02 * p.largest;
    const bool is_zero = p.watch.gradient_unit == 0;
    if (status == ARGAND_OK && !is_zero)
        status = argand_solve_cg(s->x, s->op, s->y,
                                 &(argand_cg_options){.iterations = LEAST_SQUARES,
                                                      .weights = s->options.weights,
                                                      .preconditioner = p.preconditioner,
                                                      .normal = s->options.normal,
                                                      .use_start = true,
                                                      .monitor = keep_residual,
                                                      .monitor_context = s});
    solve_problem_release(&p);
    TRY(status);
    CHECK(!is_zero, ARGAND_NUMERIC,
          "argand_solve_weight: the data are 0 for the model: no weight can be chosen; give one");
    s->left = s->residual * s->residual * s->energy;
    return ARGAND_OK;
}

static argand_status count_unknowns(search *s)
{
    double *values;
    TRY(doubles_of(s->x, &values));
    s->unknowns = 0;
    for (int64_t i = 0; i < argand_array_count(s->x); i++)
        s->unknowns += values[2 * i] != 0 || values[2 * i + 1] != 0;
    memory_free(values);
    TRY(spread_same(s->op->spread, &s->unknowns, 1));
    s->unknowns = fmin(s->unknowns, s->count);
    return ARGAND_OK;
}

/* Counts only this part of the samples from now on. */
static void leave_out(search *s, double part)
{
    s->count *= part;
    s->sum *= part;
    s->squares *= part;
}

/* Computes |r|^2 of every step-th sample of all ranks. */
static argand_status look_at_squares(const search *s, const argand_array *r, int64_t step, double *squares,
                                     int64_t count)
{
    op_spread *const spread = s->op->spread;
    double *values;
    const argand_status status = doubles_of(r, &values);
    const int64_t own = spread_own(spread, r);
    for (int64_t i = 0; status == ARGAND_OK && i < own; i += spread ? 1 : step) {
        const int64_t place = spread ? spread_place(spread, i) : i;
        if (place % step == 0)
            squares[place / step] = values[2 * i] * values[2 * i] + values[2 * i + 1] * values[2 * i + 1];
    }
    memory_free(values);
    if (!spread) return status;
    TRY(spread_meet(spread, status));
    return spread->meeting->sum(spread->meeting, squares, count);
}

/* Estimates E |n|^2 of a sample from the median of |y - A x|^2, which is robust against a model that fails
 * in the middle of k-space, corrected for the noise that least squares have fitted. Samples of residual 0,
 * such as those of zero channels, hold no noise and do not count. */
static argand_status noise_of_residual(search *s, double *variance)
{
    enum { LOOKED_AT = 65536 };
    const argand_shape *range = argand_op_range(s->op);
    argand_array *r = NULL;
    double *squares = NULL;
    argand_status status;
    int64_t kept = 0;
    TRY_OR_DONE(argand_array_create(&r, argand_op_device(s->op), range->type, range->rank, range->dims));
    TRY_OR_DONE(argand_op_apply(s->op, r, s->x));
    TRY_OR_DONE(argand_array_axpby(r, (argand_scalar){-1, 0}, s->y, (argand_scalar){1, 0}));
    const int64_t all = (int64_t)spread_count(s->op->spread, r), step = all / LOOKED_AT + 1,
                  seen = (all + step - 1) / step;
    TRY_OR_DONE(NEW(squares, seen));
    TRY_OR_DONE(look_at_squares(s, r, step, squares, seen));
    for (int64_t i = 0; i < seen; i++)
        if (squares[i] > 0) squares[kept++] = squares[i];
    if (kept) leave_out(s, (double)kept / (double)seen);
    *variance =
        kept && s->count > s->unknowns ? median(squares, kept) / log(2) / (1 - s->unknowns / s->count) : 0;
done:
    memory_free(squares);
    argand_array_destroy(r);
    return status;
}

/* Returns a sample's noise from that of a pixel, if all pixels have equal noise. */
static double of_sample(const search *s, double variance_of_pixel)
{
    return variance_of_pixel * s->diagonal * s->count / s->sum;
}

/* Estimates E |n|^2 from the finest band of Haar's wavelet: mixed differences of neighbours along the
 * first two axes of more than one pixel, or differences along the only one. Scaled, they have the noise's
 * own size if all pixels have equal noise. */
static argand_status noise_of_details(search *s, double *variance)
{
    int axis = 0;
    while (axis + 1 < argand_array_rank(s->x) && argand_array_dim(s->x, axis) == 1) axis++;
    const int64_t nx = argand_array_dim(s->x, axis), rows = argand_array_count(s->x) / nx;
    const bool pairs = argand_array_dim(s->x, axis + 1) > 1;
    double *x, *found;
    int64_t kept = 0;
    argand_status status = doubles_of(s->x, &x);
    if (status == ARGAND_OK) status = NEW(found, 2 * nx * rows);
    if (status != ARGAND_OK) {
        memory_free(x);
        return status;
    }
    for (int64_t row = 0; row + (pairs ? 1 : 0) < rows; row += pairs ? 2 : 1)
        for (int64_t i = 0; i + 1 < nx; i++)
            for (int part = 0; part < 2; part++) {
                const double *a = x + 2 * (row * nx + i) + part, *b = a + 2 * nx;
                const double d = pairs ? (a[0] - a[2] - b[0] + b[2]) / 2 : (a[0] - a[2]) / sqrt(2);
                if (d != 0) found[kept++] = fabs(d);
            }
    const double each = median(found, kept) / 0.6745;
    *variance = of_sample(s, 2 * each * each);
    memory_free(found);
    memory_free(x);
    return ARGAND_OK;
}

/* Estimates E |n|^2 from the dark quarter of the pixels that are not 0: the square of pure noise is below
 * log(8 / 7) of its mean in an eighth of the pixels. */
static argand_status noise_of_background(search *s, double *variance)
{
    double *values;
    const int64_t count = argand_array_count(s->x);
    int64_t kept = 0;
    TRY(doubles_of(s->x, &values));
    for (int64_t i = 0; i < count; i++) {
        const double square = values[2 * i] * values[2 * i] + values[2 * i + 1] * values[2 * i + 1];
        if (square > 0) values[kept++] = square;
    }
    qsort(values, (size_t)kept, sizeof *values, compare);
    *variance = of_sample(s, kept ? values[kept / 8] / log(8. / 7) : 0);
    memory_free(values);
    return ARGAND_OK;
}

/* Ways to find the noise, the best first. */
static const struct {
    const char *source;
    double samples; /* for each unknown, at least */
    argand_status (*find)(search *s, double *variance);
} ways[] = {{"what least squares leave of the data", 1.25, noise_of_residual},
            {"the image's finest details", 0, noise_of_details},
            {"the image's background", 0, noise_of_background}};

static argand_status check_count(const search *s, double given)
{
    CHECK(given > 0 || s->count >= 0.99 * s->unknowns, ARGAND_UNSUPPORTED,
          "argand_solve_weight: %.0f samples of unknown noise for %.0f pixels do not tell what is noise; "
          "give a noise scan or a weight",
          s->count, s->unknowns);
    return ARGAND_OK;
}

/* Data that were denoised or averaged may show less noise than rounding; then the weight need only be
 * small. */
static argand_status find_noise(search *s, double given)
{
    const double square = s->energy / s->sum, least = 1e-10 * square;
    double variance = given * given;
    s->choice.source = "given";
    TRY(check_count(s, given));
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !(variance > least) && given == 0; i++) {
        if (s->count < ways[i].samples * s->unknowns) continue;
        TRY(ways[i].find(s, &variance));
        TRY(spread_same(s->op->spread, &variance, 1));
        s->choice.source = ways[i].source;
    }
    TRY(check_count(s, given)); /* fewer samples count where channels are zero */
    s->unknowns = fmin(s->unknowns, s->count);
    if (!(variance > least && isfinite(variance)) && given == 0) {
        variance = LEAST_NOISE * LEAST_NOISE * square;
        s->choice.source = "nothing: residual, details and background show none, and a thousandth of the "
                           "samples' root mean square is taken";
    }
    CHECK(variance > 0 && isfinite(variance), ARGAND_NUMERIC,
          "argand_solve_weight: noise of variance %g; give a weight", variance);
    s->choice.noise = sqrt(variance);
    return ARGAND_OK;
}

/* Returns the weight at which the search begins: a threshold of soft shrinkage for the noise of A^H W n. */
static double first_weight(const search *s)
{
    const double noise = s->choice.noise * sqrt(s->diagonal * s->squares / s->sum);
    const double relative = s->options.absolute ? noise : noise / (s->diagonal * s->image_scale);
    const penalty_kind *kind = penalty_kind_of(s->list[s->which].kind);
    if (kind->degree == 1) return kind->threshold * relative;
    return s->options.absolute ? s->diagonal * pow(noise / (s->diagonal * s->image_scale), 2)
                               : relative * relative;
}

static argand_status try_weight(search *s, double weight)
{
    argand_solve_options options = s->options;
    s->list[s->which].weight = weight;
    s->choice.weight = weight;
    s->choice.solves++;
    options.iterations = TRIAL;
    options.tolerance = 0;
    options.diagonal = s->diagonal;
    options.image_scale = s->image_scale;
    options.use_start = true;
    options.monitor = keep_residual;
    options.monitor_context = s;
    s->trial++;
    TRY(observe("choosing the weight", (double)(s->trial - 1) / (MOST_TRIALS + 1)));
    TRY(argand_solve(s->x, s->op, s->y, &options));
    s->choice.residual = s->residual;
    return ARGAND_OK;
}

/* Returns the logarithm of the residual beyond that of least squares, relative to its target. */
static double excess(const search *s, double wanted)
{
    return log(fmax(s->residual * s->residual * s->energy - s->left, 1e-3 * wanted) / wanted);
}

/* The target is a small difference of two residuals, so a slightly wrong noise level changes the weight
 * much; the threshold is only as wrong as the level. So if the level was not measured, the weight must
 * stay near the threshold. */
static double limited(const search *s, double weight)
{
    const double first = first_weight(s);
    if (!penalty_kind_of(s->list[s->which].kind)->keeps_to_noise || !strcmp(s->choice.source, "given"))
        return weight;
    return fmin(1.5 * first, fmax(first / 1.5, weight));
}

/* Finds the weight by secant steps on the logarithms; each weight's trial starts from the last image. The
 * residual of least squares is computed from the noise, which is more exact than a few steps, unless the
 * model's errors exceed the noise. */
static argand_status find_weight(search *s)
{
    const double noise = s->choice.noise * s->choice.noise * s->sum,
                 wanted = (1 - spent) * noise * s->unknowns / s->count;
    double weight = first_weight(s), slope = 1.2, last_log = 0, last = 0;
    if (s->left < noise) s->left = noise * (1 - s->unknowns / s->count);
    s->choice.target = sqrt(fmin(1, (s->left + wanted) / s->energy));
    for (int i = 0; i < MOST_TRIALS; i++) {
        TRY(try_weight(s, weight));
        const double now = excess(s, wanted);
        if (fabs(now) < 0.1) break;
        if (i > 0 && fabs(log(weight) - last_log) > 1e-3)
            slope = fmin(2.5, fmax(0.5, (now - last) / (log(weight) - last_log)));
        last = now;
        last_log = log(weight);
        const double next = limited(s, weight * exp(fmin(2, fmax(-2, -now / slope))));
        if (next == weight) break;
        weight = next;
    }
    return ARGAND_OK;
}

static argand_status check_request(const argand_solve_options *o, int which, double noise)
{
    CHECK(o && o->regularizers && which >= 0 && which < o->regularizer_count &&
              o->regularizer_count <= ARGAND_MAX_REGULARIZERS,
          ARGAND_ARGUMENT, "argand_solve_weight: no regularizer %d whose weight could be chosen", which);
    CHECK(noise >= 0 && isfinite(noise), ARGAND_ARGUMENT,
          "argand_solve_weight: noise %g; give its standard deviation, or 0 where it is not known", noise);
    for (int i = 0; i < o->regularizer_count; i++)
        CHECK(i == which || !o->regularizers[i].automatic, ARGAND_ARGUMENT,
              "%s and %s: only one weight can be chosen automatically; give the other one",
              argand_regularizer_name(o->regularizers[which].kind),
              argand_regularizer_name(o->regularizers[i].kind));
    return ARGAND_OK;
}

static argand_status choose(argand_array *x, const argand_op *op, const argand_array *y,
                            const argand_solve_options *options, int which, double noise,
                            argand_weight_choice *choice)
{
    TRY(check_request(options, which, noise));
    search *s;
    TRY(NEW(s, 1));
    argand_status status;
    *s = (search){.op = op,
                  .y = y,
                  .x = x,
                  .options = *options,
                  .which = which,
                  .monitor = options->monitor,
                  .monitor_context = options->monitor_context};
    for (int i = 0; i < options->regularizer_count; i++) s->list[i] = options->regularizers[i];
    s->list[which].automatic = false;
    s->list[which].weight = 1;
    s->options.regularizers = s->list;
    s->options.use_start = false;
    TRY_OR_DONE(least_squares(s));
    TRY_OR_DONE(sum_weights(s));
    TRY_OR_DONE(count_unknowns(s));
    TRY_OR_DONE(find_noise(s, noise));
    TRY_OR_DONE(find_weight(s));
    s->options.diagonal = s->diagonal;
    s->options.image_scale = s->image_scale;
    s->options.use_start = true;
    if (choice) *choice = s->choice;
    status = argand_solve(x, op, y, &s->options);
done:
    memory_free(s);
    return status;
}

argand_status argand_solve_weight(argand_array *x, const argand_op *op, const argand_array *y,
                                  const argand_solve_options *options, int which, double noise,
                                  argand_weight_choice *choice)
{
    CHECK(op, ARGAND_ARGUMENT, "argand_solve_weight: no operator");
    spread_begin(op->spread);
    return spread_end(op->spread, choose(x, op, y, options, which, noise, choice));
}
