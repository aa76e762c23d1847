/* SPDX-License-Identifier: BSD-3-Clause */
/* The noise of data whose regularizer gets its weight by it. If it is not given, it is estimated from the
 * residual of least squares, if there are more data than unknowns, else from the finest details of the image
 * of least squares (Donoho and Johnstone, Biometrika 81:425, 1994), else from its darkest pixels. */
#include <math.h>
#include <stdlib.h>
#include "array/array.h"
#include "base/memory.h"
#include "op/spread.h"
#include "solve/weight.h"

/* The noise that is assumed if none is found, as a part of the samples' root mean square. */
static const double LEAST_NOISE = 1e-3;

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

argand_status weight_count_unknowns(weight_search *s)
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

/* Counts only this part of the samples from now on. */
static void leave_out(weight_search *s, double part)
{
    s->count *= part;
    s->sum *= part;
    s->squares *= part;
}

/* Computes |r|^2 of every step-th sample of all ranks. */
static argand_status look_at_squares(const weight_search *s, const argand_array *r, int64_t step,
                                     double *squares, int64_t count)
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
static argand_status noise_of_residual(weight_search *s, double *variance)
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
static double of_sample(const weight_search *s, double variance_of_pixel)
{
    return variance_of_pixel * s->diagonal * s->count / s->sum;
}

/* Estimates E |n|^2 from the finest band of Haar's wavelet: mixed differences of neighbours along the
 * first two axes of more than one pixel, or differences along the only one. Scaled, they have the noise's
 * own size if all pixels have equal noise. */
static argand_status noise_of_details(weight_search *s, double *variance)
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
static argand_status noise_of_background(weight_search *s, double *variance)
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

/* Where the noise is looked for, the best place first. */
static const struct {
    const char *source;
    double samples; /* for each unknown, at least */
    argand_status (*find)(weight_search *s, double *variance);
} sources[] = {{"what least squares leave of the data", 1.25, noise_of_residual},
               {"the image's finest details", 0, noise_of_details},
               {"the image's background", 0, noise_of_background}};

static argand_status check_count(const weight_search *s, double given)
{
    CHECK(given > 0 || s->count >= 0.99 * s->unknowns, ARGAND_UNSUPPORTED,
          "argand_solve_weight: %.0f samples of unknown noise for %.0f pixels do not tell what is noise; "
          "give a noise scan or a weight",
          s->count, s->unknowns);
    return ARGAND_OK;
}

/* Data that were denoised or averaged may show less noise than rounding; then the weight need only be
 * small. */
argand_status weight_find_noise(weight_search *s, double given)
{
    const double square = s->energy / s->sum, least = 1e-10 * square;
    double variance = given * given;
    s->choice.source = "given";
    TRY(check_count(s, given));
    for (size_t i = 0; i < sizeof sources / sizeof *sources && !(variance > least) && given == 0; i++) {
        if (s->count < sources[i].samples * s->unknowns) continue;
        TRY(sources[i].find(s, &variance));
        TRY(spread_same(s->op->spread, &variance, 1));
        s->choice.source = sources[i].source;
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
