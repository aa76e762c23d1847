/* SPDX-License-Identifier: BSD-3-Clause */
/* Least-squares fits of Sutton, Noll and Fessler (IEEE Trans. Med. Imaging 22:178, 2003), over a histogram
 * as Fessler, Lee, Olafsson, Shi and Noll (IEEE Trans. Signal Process. 53:3393, 2005). */
#include "segments/factor.h"

#include "base/pi.h"
#include "segments/svd.h"

argand_status factor_new(factor *f, int count, int terms, bool weighted)
{
    *f = (factor){.terms = terms, .count = count};
    TRY(NEW(f->node, count));
    if (weighted) {
        const argand_status status = NEW(f->weight, 2 * (size_t)count * (size_t)terms);
        if (status != ARGAND_OK) factor_release(f);
        return status;
    }
    return ARGAND_OK;
}

void factor_release(factor *f)
{
    memory_free(f->node);
    memory_free(f->weight);
    memory_free(f->mix);
    *f = (factor){0};
}

void factor_set_weight(factor *f, int l, int k, double complex weight)
{
    double *row = f->weight + 2 * (size_t)k * (size_t)f->terms;
    row[l] = creal(weight);
    row[l + f->terms] = cimag(weight);
}

static double window(argand_interpolator kind, double u)
{
    if (fabs(u) >= 1) return 0;
    return kind == ARGAND_INTERPOLATE_LINEAR ? 1 - fabs(u) : 0.5 + 0.5 * cos(PI * u);
}

static void between_nodes(const factor *f, double complex x, double complex *out)
{
    const double place = ((f->of_space ? cimag(x) : creal(x)) - f->first) / f->step;
    for (int l = 0; l < f->terms; l++) {
        const double h = f->step > 0 ? window(f->window, place - l) : 1;
        out[l] = h > 0 ? h * decayed(x - f->node[l], f->middle) : 0;
    }
}

static void sum_of_exponentials(const factor *f, double complex x, double complex *out)
{
    const int terms = f->terms;
    for (int l = 0; l < terms; l++) out[l] = 0;
    for (int k = 0; k < f->count; k++) {
        const double complex e = decayed(f->node[k], x);
        const double re = creal(e), im = cimag(e);
        const double *wr = f->weight + 2 * (size_t)k * (size_t)terms, *wi = wr + terms;
        for (int l = 0; l < terms; l++) out[l] += CMPLX(wr[l] * re - wi[l] * im, wr[l] * im + wi[l] * re);
    }
}

/* out = mix out */
static void mix(const factor *f, double complex *out)
{
    double complex mixed[FACTOR_MOST_TERMS];
    for (int l = 0; l < f->terms; l++) mixed[l] = 0;
    for (int i = 0; i < f->terms; i++)
        for (int l = 0; l < f->terms; l++)
            mixed[l] += times(f->mix[(size_t)i * (size_t)f->terms + (size_t)l], out[i]);
    for (int l = 0; l < f->terms; l++) out[l] = mixed[l];
}

void factor_at(const factor *f, double complex x, double complex *out)
{
    if (f->window)
        between_nodes(f, x, out);
    else if (f->weight)
        sum_of_exponentials(f, x, out);
    else
        for (int l = 0; l < f->terms; l++) out[l] = decayed(f->node[l], x);
    if (f->mix) mix(f, out);
}

/* f(x) = [V S / (S^2 + ridge^2)] [U^H sqrt(weight_k) exp(-h_k x)] */
static void set_fit(factor *f, const svd *s, const histogram *h, double ridge)
{
    const double small = ridge * s->value[0];
    for (int k = 0; k < f->count; k++) {
        f->node[k] = h->at[k];
        for (int i = 0; i < s->rank; i++)
            factor_set_weight(f, i, k,
                              sqrt(h->weight[k]) * conj(s->left[(size_t)i * (size_t)s->rows + (size_t)k]));
    }
    for (int i = 0; i < s->rank; i++)
        for (int l = 0; l < f->terms; l++)
            f->mix[(size_t)i * (size_t)f->terms + (size_t)l] =
                s->right[(size_t)i * (size_t)s->columns + (size_t)l] *
                (s->value[i] / (s->value[i] * s->value[i] + small * small));
}

argand_status factor_fit(factor *f, const factor *fixed, const histogram *h, double ridge)
{
    const int rows = h->count, columns = fixed->terms;
    double complex *matrix = NULL;
    svd s = {0};
    argand_status status;
    *f = (factor){0};
    TRY_OR_DONE(NEW(matrix, (size_t)rows * (size_t)columns));
    for (int l = 0; l < columns; l++)
        for (int k = 0; k < rows; k++)
            matrix[(size_t)l * (size_t)rows + (size_t)k] =
                sqrt(h->weight[k]) * decayed(fixed->node[l], h->at[k]);
    TRY_OR_DONE(svd_make(&s, matrix, rows, columns));
    TRY_OR_DONE(factor_new(f, rows, columns, true));
    TRY_OR_DONE(NEW(f->mix, (size_t)columns * (size_t)columns));
    set_fit(f, &s, h, ridge);
done:
    if (status != ARGAND_OK) factor_release(f);
    svd_release(&s);
    memory_free(matrix);
    return status;
}
