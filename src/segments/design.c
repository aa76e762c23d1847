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

/* a_l(t_q) = u_lq / sqrt(weight_q), b_l(z_k) = s_l conj(v_lk) / sqrt(weight_k), as sums that hold in between
 * too. */
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

/* Nodes evenly from the first to the last, one alone in the middle of what it stands for. */
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

/* exp(-z t) = exp(-z tau) exp(-(z - mean)(t - tau)) exp(-mean (t - tau)), of which the second is taken as 1;
 * and with z and t exchanged. */
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

/* Over the histograms alone. */
static argand_status estimate(design *d, const problem *p);

argand_status design_make(design *d, problem *p, const svd *spectrum, argand_interpolator interpolator,
                          bool frequency, int terms)
{
    *d = (design){.interpolator = interpolator, .frequency = frequency, .terms = terms};
    argand_status status = interpolator == ARGAND_INTERPOLATE_SVD ? by_svd(d, p, spectrum) : by_nodes(d, p);
    if (status == ARGAND_OK) status = estimate(d, p);
    if (status != ARGAND_OK) design_release(d);
    return status;
}

void design_release(design *d)
{
    factor_release(&d->time);
    factor_release(&d->space);
}

/* ---- errors ---- */

/* Times at which a design is looked at: the Gauss points, and evenly chosen samples of weight 0, for the
 * largest. */
typedef struct instants {
    int count, terms;
    double *t, *weight;
    double complex *value; /* {terms, count} of the time factor */
} instants;

typedef struct sums {
    double difference, all, largest;
} sums;

static void instants_release(instants *s)
{
    memory_free(s->t);
    memory_free(s->weight);
    memory_free(s->value);
}

static argand_status instants_make(instants *s, const design *d, const problem *p, int64_t extra)
{
    if (extra > p->instants) extra = p->instants;
    *s = (instants){.terms = d->terms};
    TRY(NEW(s->t, p->over_time.count + extra));
    TRY(NEW(s->weight, p->over_time.count + extra));
    TRY(NEW(s->value, (size_t)(p->over_time.count + extra) * (size_t)d->terms));
    for (int q = 0; q < p->over_time.count; q++) {
        s->t[q] = creal(p->over_time.at[q]);
        s->weight[q] = p->over_time.weight[q];
    }
    for (int64_t i = 0; i < extra; i++)
        s->t[p->over_time.count + i] = p->instant[extra > 1 ? i * (p->instants - 1) / (extra - 1) : 0];
    s->count = p->over_time.count + (int)extra;
    for (int q = 0; q < s->count; q++) factor_at(&d->time, s->t[q], s->value + (size_t)q * (size_t)d->terms);
    return ARGAND_OK;
}

static void add_pixel(sums *total, const instants *s, double complex z, double weight,
                      const double complex *b)
{
    for (int q = 0; q < s->count; q++) {
        const double complex exact = decayed(s->t[q], z), *a = s->value + (size_t)q * (size_t)s->terms;
        double re = creal(exact), im = cimag(exact);
        for (int l = 0; l < s->terms; l++) {
            re -= creal(a[l]) * creal(b[l]) - cimag(a[l]) * cimag(b[l]);
            im -= creal(a[l]) * cimag(b[l]) + cimag(a[l]) * creal(b[l]);
        }
        const double wrong = re * re + im * im;
        total->difference += weight * s->weight[q] * wrong;
        total->all += weight * s->weight[q] * square(exact);
        total->largest = fmax(total->largest, wrong);
    }
}

enum { BLOCK = 256 };

static void add_block(sums *total, const design *d, const instants *s, const histogram *z, const problem *p,
                      int64_t first)
{
    const int64_t count = z ? z->count : p->inside, last = first + BLOCK < count ? first + BLOCK : count;
    double complex b[SEGMENTS_MOST_TERMS];
    for (int64_t i = first; i < last; i++) {
        const double complex at = z ? z->at[i] : CMPLX(p->decay ? p->decay[i] : 0, p->w[i]);
        factor_at(&d->space, at, b);
        add_pixel(total, s, at, z ? z->weight[i] : 1, b);
    }
}

/* Over the points of z, or over the pixels. In blocks that are added in order, so that the number of threads
 * does not show. */
static argand_status measure(design *d, const problem *p, const histogram *z, int64_t extra)
{
    const int64_t count = z ? z->count : p->inside, blocks = (count + BLOCK - 1) / BLOCK;
    instants s;
    sums *each = NULL, total = {0};
    argand_status status = instants_make(&s, d, p, extra);
    if (status == ARGAND_OK) status = NEW(each, blocks);
    if (status == ARGAND_OK) {
#pragma omp parallel for schedule(dynamic)
        for (int64_t i = 0; i < blocks; i++) add_block(&each[i], d, &s, z, p, i * BLOCK);
        for (int64_t i = 0; i < blocks; i++) {
            total.difference += each[i].difference;
            total.all += each[i].all;
            total.largest = fmax(total.largest, each[i].largest);
        }
        d->error = total.all > 0 ? sqrt(total.difference / total.all) : 0;
        d->largest = sqrt(total.largest);
    }
    memory_free(each);
    instants_release(&s);
    return status;
}

static argand_status estimate(design *d, const problem *p)
{
    return measure(d, p, &p->over_space, 0);
}

/* Some seconds of one core. */
static bool too_many(const design *d, const problem *p)
{
    return (double)p->inside * (p->over_time.count + 4.0 * d->terms) * (d->terms + 10.0) > 1e10;
}

/* All samples of small problems. */
argand_status design_measure(design *d, const problem *p)
{
    const double affordable = fmax(8.0 * d->terms + 1, 5e6 / (double)p->inside);
    return measure(d, p, !p->decay && too_many(d, p) ? &p->over_space : NULL, (int64_t)affordable);
}
