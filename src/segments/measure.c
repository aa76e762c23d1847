/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the error of a design. The sum over all samples is one over their Gauss points. Without decay,
 * the sum over all pixels is one over Gauss points of the field's histogram; with decay, it is over the
 * pixels. */
#include "segments/design.h"

#include "base/cpu.h"
#include "base/observe.h"

/* Times, and the time factor's values at them: {count, terms}, real and imaginary parts separate. */
typedef struct instants {
    int count, terms;
    double *t, *weight, *re, *im;
} instants;

/* Points z, with weights: a histogram, or chosen pixels. */
typedef struct points {
    int64_t count;
    const double complex *at; /* of a histogram; or NULL: */
    const double *weight;
    const problem *p; /* every `step`-th of its pixels */
    int64_t step;
} points;

typedef struct sums {
    double difference, all, largest;
} sums;

static void instants_release(instants *s)
{
    memory_free(s->t);
    memory_free(s->weight);
    memory_free(s->re);
    memory_free(s->im);
}

static argand_status instants_new(instants *s, int count, int terms)
{
    *s = (instants){.count = count, .terms = terms};
    TRY(NEW(s->t, count));
    TRY(NEW(s->weight, count));
    TRY(NEW(s->re, (size_t)count * (size_t)terms));
    return NEW(s->im, (size_t)count * (size_t)terms);
}

static void evaluate(instants *s, const factor *f)
{
    double complex value[SEGMENTS_MOST_TERMS];
    for (int q = 0; q < s->count; q++) {
        factor_at(f, s->t[q], value);
        for (int l = 0; l < s->terms; l++) {
            s->re[(size_t)l * (size_t)s->count + (size_t)q] = creal(value[l]);
            s->im[(size_t)l * (size_t)s->count + (size_t)q] = cimag(value[l]);
        }
    }
}

enum { RUN = 64, BLOCK = 256 };

/* E - sum_l a_l b_l at `count` instants from q on, for one point. */
typedef struct residuals {
    int q, count;
    double re[RUN], im[RUN];
} residuals;

/* Sets the residuals to the exact phase factors E, and adds their weighted squares to *all. */
static void exact_factors(residuals *r, const instants *s, double complex z, double weight, double *all)
{
    for (int i = 0; i < r->count; i++) {
        const double complex exact = decayed(s->t[r->q + i], z);
        r->re[i] = creal(exact);
        r->im[i] = cimag(exact);
        *all += weight * s->weight[r->q + i] * square(exact);
    }
}

static void subtract_terms(residuals *r, const instants *s, const double complex *b)
{
    for (int l = 0; l < s->terms; l++) {
        const double *ar = s->re + (size_t)l * (size_t)s->count + r->q,
                     *ai = s->im + (size_t)l * (size_t)s->count + r->q;
        const double br = creal(b[l]), bi = cimag(b[l]);
#pragma omp simd
        for (int i = 0; i < r->count; i++) {
            r->re[i] -= ar[i] * br - ai[i] * bi;
            r->im[i] -= ar[i] * bi + ai[i] * br;
        }
    }
}

static void add_point(sums *total, const instants *s, double complex z, double weight,
                      const double complex *b)
{
    residuals r;
    for (r.q = 0; r.q < s->count; r.q += RUN) {
        r.count = s->count - r.q < RUN ? s->count - r.q : RUN;
        exact_factors(&r, s, z, weight, &total->all);
        subtract_terms(&r, s, b);
        for (int i = 0; i < r.count; i++) {
            const double wrong = r.re[i] * r.re[i] + r.im[i] * r.im[i];
            total->difference += weight * s->weight[r.q + i] * wrong;
            total->largest = fmax(total->largest, wrong);
        }
    }
}

static void add_block(sums *total, const design *d, const instants *s, const points *z, int64_t first)
{
    const int64_t last = first + BLOCK < z->count ? first + BLOCK : z->count;
    double complex b[SEGMENTS_MOST_TERMS];
    for (int64_t i = first; i < last; i++) {
        const int64_t k = i * z->step;
        const double complex at = z->at ? z->at[i] : CMPLX(z->p->decay ? z->p->decay[k] : 0, z->p->w[k]);
        factor_at(&d->space, at, b);
        add_point(total, s, at, z->at ? z->weight[i] : 1, b);
    }
}

/* In blocks that are added in order, so that the number of threads does not show. */
static argand_status add_up(sums *total, const design *d, const instants *s, const points *z)
{
    const int64_t blocks = (z->count + BLOCK - 1) / BLOCK;
    atomic_bool cancelled = false;
    sums *each;
    TRY(NEW(each, blocks));
#pragma omp parallel for schedule(dynamic) num_threads(cpu_threads(0)) if (blocks > 4)
    for (int64_t i = 0; i < blocks; i++)
        if (!observe_within(&cancelled)) add_block(&each[i], d, s, z, i * BLOCK);
    *total = (sums){0, 0, 0};
    for (int64_t i = 0; i < blocks; i++) {
        total->difference += each[i].difference;
        total->all += each[i].all;
        total->largest = fmax(total->largest, each[i].largest);
    }
    memory_free(each);
    return observe_end(&cancelled);
}

/* Over the Gauss points of the samples. */
static argand_status mean_error(design *d, const problem *p, const points *z)
{
    const histogram *h = &p->over_time;
    instants s;
    sums total;
    argand_status status;
    TRY_OR_DONE(instants_new(&s, h->count, d->terms));
    for (int q = 0; q < h->count; q++) {
        s.t[q] = creal(h->at[q]);
        s.weight[q] = h->weight[q];
    }
    evaluate(&s, &d->time);
    TRY_OR_DONE(add_up(&total, d, &s, z));
    d->error = total.all > 0 ? sqrt(total.difference / total.all) : 0;
done:
    instants_release(&s);
    return status;
}

static points histogram_points(const problem *p)
{
    return (points){
        .count = p->over_space.count, .at = p->over_space.at, .weight = p->over_space.weight, .step = 1};
}

static points every_pixel(const problem *p, int64_t step)
{
    return (points){.count = (p->inside + step - 1) / step, .p = p, .step = step};
}

/* z of the pixels with the least and the largest w and decay. */
static void extremes(double complex *z, const problem *p)
{
    int64_t at[4] = {0, 0, 0, 0};
    for (int64_t i = 0; i < p->inside; i++) {
        if (p->w[i] < p->w[at[0]]) at[0] = i;
        if (p->w[i] > p->w[at[1]]) at[1] = i;
        if (p->decay && p->decay[i] < p->decay[at[2]]) at[2] = i;
        if (p->decay && p->decay[i] > p->decay[at[3]]) at[3] = i;
    }
    for (int k = 0; k < 4; k++) z[k] = CMPLX(p->decay ? p->decay[at[k]] : 0, p->w[at[k]]);
}

/* Over evenly chosen pixels and samples: all of small problems, the extremes always. */
static argand_status largest_error(design *d, const problem *p)
{
    const int64_t step = (p->inside + 4095) / 4096;
    const points some = every_pixel(p, step);
    const double affordable = fmax(8.0 * d->terms + 1, 2e6 / (double)some.count);
    const int64_t count = (int64_t)fmin((double)p->instants, affordable);
    double complex ends[4];
    const points outer = {.count = 4, .at = ends, .weight = (const double[4]){1, 1, 1, 1}, .step = 1};
    instants s;
    sums total, at_ends;
    argand_status status;
    extremes(ends, p);
    TRY_OR_DONE(instants_new(&s, (int)count, d->terms));
    for (int64_t i = 0; i < count; i++)
        s.t[i] = p->instant[count > 1 ? i * (p->instants - 1) / (count - 1) : 0];
    evaluate(&s, &d->time);
    TRY_OR_DONE(add_up(&total, d, &s, &some));
    TRY_OR_DONE(add_up(&at_ends, d, &s, &outer));
    d->largest = sqrt(fmax(total.largest, at_ends.largest));
done:
    instants_release(&s);
    return status;
}

argand_status design_estimate(design *d, const problem *p)
{
    const points z = histogram_points(p);
    return mean_error(d, p, &z);
}

argand_status design_measure(design *d, const problem *p)
{
    const points z = p->decay ? every_pixel(p, 1) : histogram_points(p);
    TRY(mean_error(d, p, &z));
    return largest_error(d, p);
}
