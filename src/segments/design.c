/* SPDX-License-Identifier: BSD-3-Clause */
/* Time segmentation: Noll, Meyer, Pauly, Nishimura, Macovski (IEEE Trans. Med. Imaging 10:629, 1991);
 * frequency segmentation: Man, Pauly, Macovski (Magn. Reson. Med. 37:785, 1997); the SVD: Fessler et al. 2005
 * (factor.c). */
#include "segments/design.h"

static double complex *place_of(double complex *matrix, int rows, int row, int column)
{
    return matrix + (size_t)column * (size_t)rows + (size_t)row;
}

argand_status design_spectrum(svd *s, const problem *p)
{
    const histogram *t = &p->over_time, *z = &p->over_space;
    double complex *matrix;
    *s = (svd){0};
    TRY(NEW(matrix, (size_t)t->count * (size_t)z->count));
    for (int k = 0; k < z->count; k++)
        for (int q = 0; q < t->count; q++)
            *place_of(matrix, t->count, q, k) =
                sqrt(t->weight[q] * z->weight[k]) * decayed(t->at[q], z->at[k]);
    const argand_status status = svd_make(s, matrix, t->count, z->count);
    memory_free(matrix);
    return status;
}

int spectrum_terms(const svd *s, double error)
{
    double all = 0, rest = 0;
    int terms = s->rank;
    for (int l = 0; l < s->rank; l++) all += s->value[l] * s->value[l];
    while (terms > 1) {
        rest += s->value[terms - 1] * s->value[terms - 1];
        if (rest > error * error * all) break;
        terms--;
    }
    return terms;
}

/* Sets a_l(t_q) = u_lq / sqrt(weight_q) and b_l(z_k) = s_l conj(v_lk) / sqrt(weight_k) as sums of
 * exponentials, which are defined between the points as well. */
static argand_status by_svd(design *d, const problem *p, const svd *s)
{
    const histogram *t = &p->over_time, *z = &p->over_space;
    if (d->terms > s->rank) d->terms = s->rank;
    TRY(factor_new(&d->time, z->count, d->terms, true));
    TRY(factor_new(&d->space, t->count, d->terms, true));
    for (int k = 0; k < z->count; k++) {
        d->time.node[k] = z->at[k];
        for (int l = 0; l < d->terms; l++)
            factor_set_weight(&d->time, l, k,
                              sqrt(z->weight[k]) / s->value[l] * *place_of(s->right, z->count, k, l));
    }
    for (int q = 0; q < t->count; q++) {
        d->space.node[q] = t->at[q];
        for (int l = 0; l < d->terms; l++)
            factor_set_weight(&d->space, l, q, sqrt(t->weight[q]) * conj(*place_of(s->left, t->count, q, l)));
    }
    return ARGAND_OK;
}

/* Sets nodes evenly from the first to the last value; a single node is set in the middle. */
static argand_status set_nodes(factor *nodes, const problem *p, bool frequency, int terms)
{
    const double low = frequency ? p->space.low : p->time.low,
                 high = frequency ? p->space.high : p->time.high;
    TRY(factor_new(nodes, terms, terms, false));
    for (int l = 0; l < terms; l++) {
        const double place = low + (high - low) * l / fmax(1, terms - 1);
        nodes->node[l] = frequency ? CMPLX(creal(p->mean), place) : CMPLX(place, 0);
    }
    if (terms == 1) nodes->node[0] = frequency ? p->mean : CMPLX(p->mean_time, 0);
    return ARGAND_OK;
}

/* Interpolates exp(-z t) = exp(-z tau) exp(-(z - mean)(t - tau)) exp(-mean (t - tau)), taking the second
 * factor as 1; likewise with z and t exchanged. */
static argand_status set_window(factor *f, const factor *nodes, const problem *p, bool frequency,
                                argand_interpolator kind)
{
    TRY(factor_new(f, nodes->terms, nodes->terms, false));
    for (int l = 0; l < nodes->terms; l++) f->node[l] = nodes->node[l];
    f->window = kind;
    f->of_space = frequency;
    f->first = frequency ? cimag(nodes->node[0]) : creal(nodes->node[0]);
    f->step = nodes->terms > 1 ? (frequency ? p->space.high - p->space.low : p->time.high - p->time.low) /
                                     (nodes->terms - 1)
                               : 0;
    f->middle = frequency ? CMPLX(p->mean_time, 0) : p->mean;
    return ARGAND_OK;
}

static argand_status by_nodes(design *d, problem *p)
{
    factor *nodes = d->frequency ? &d->time : &d->space, *other = d->frequency ? &d->space : &d->time;
    TRY(set_nodes(nodes, p, d->frequency, d->terms));
    if (d->interpolator == ARGAND_INTERPOLATE_MINMAX)
        return factor_fit(other, nodes, d->frequency ? &p->over_time : &p->over_space, p->ridge);
    const int pieces = d->terms > 1 ? d->terms - 1 : 1;
    TRY(problem_histograms(p, d->frequency ? pieces : 1, d->frequency ? 1 : pieces));
    return set_window(other, nodes, p, d->frequency, d->interpolator);
}

argand_status design_make(design *d, problem *p, const svd *spectrum, argand_interpolator interpolator,
                          bool frequency, int terms)
{
    *d = (design){.interpolator = interpolator, .frequency = frequency, .terms = terms};
    argand_status status = interpolator == ARGAND_INTERPOLATE_SVD ? by_svd(d, p, spectrum) : by_nodes(d, p);
    if (status == ARGAND_OK) status = design_estimate(d, p);
    if (status != ARGAND_OK) design_release(d);
    return status;
}

void design_release(design *d)
{
    factor_release(&d->time);
    factor_release(&d->space);
}
