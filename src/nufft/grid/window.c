/* SPDX-License-Identifier: BSD-3-Clause */
/* The Kaiser-Bessel window. Jackson, Meyer, Nishimura and Macovski, IEEE TMI 10:473, 1991; its shape for any
 * oversampling after Beatty, Nishimura and Pauly, IEEE TMI 24:799, 2005, whose constant 0.8 becomes 0.75
 * here for the worst pixel: within 5 % of its least error for widths from 4 to 16 and oversampling from 1.25
 * to 2.5. 0.5 gives the least mean error, 2 to 4 % less, but twice the worst pixel's. */
#include "nufft/window.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "base/pi.h"

double window_shape(int width, double oversampling, bool for_worst)
{
    /* Fitted to numerical minima at oversamplings of 1.5 to 2.5: within 1.5 % of the least error for
     * widths up to 10, 2.5 % for 11 and 12; wider windows have up to twice the least
     * (docs/internals/nufft.md). */
    const double band = width * (1 - 0.5 / oversampling), least_mean = width >= 5 && width <= 10 ? 0.6 : 0.5;
    return PI * sqrt(fmax(band * band - (for_worst ? 0.75 : least_mean), 0.25));
}

/* 1 / k^2 for the series below: 16 divisions of long doubles take as long as 100 products. */
#define INVERSE(k) 1.0L / ((k) * (k))
#define INVERSES(k) INVERSE(k), INVERSE((k) + 1), INVERSE((k) + 2), INVERSE((k) + 3)
#define INVERSES_16(k) INVERSES(k), INVERSES((k) + 4), INVERSES((k) + 8), INVERSES((k) + 12)
static const long double inverse_square[] = {INVERSES_16(1),  INVERSES_16(17), INVERSES_16(33),
                                             INVERSES_16(49), INVERSES_16(65), INVERSES_16(81),
                                             INVERSES_16(97), INVERSES_16(113)};
enum { BESSEL_TERMS = sizeof inverse_square / sizeof *inverse_square }; /* the widest window needs 105 */

/* I0(2 sqrt(q)) by its power series: all terms are positive, so nothing cancels. Long double, as the rounding
 * of q is magnified by sqrt(q), and the deapodisation magnifies it once more. */
static long double bessel_i0(long double q)
{
    long double term = 1, sum = 1;
    for (int i = 0; i < BESSEL_TERMS && term > 1e-20L * sum; i++) {
        term *= q * inverse_square[i];
        sum += term;
    }
    return sum;
}

/* A window's value at its centre before it is scaled to 1: made once for all its values */
static long double peak_of(double shape)
{
    return bessel_i0(0.25L * shape * shape);
}

static long double value_at(int width, double shape, long double peak, long double t)
{
    const long double z = 2 * t / width, quarter = 0.25L * shape * shape;
    const long double inside = 1 - z * z; /* rounding may lead out */
    return bessel_i0(quarter * (inside > 0 ? inside : 0)) / peak;
}

double window_value(int width, double shape, double t)
{
    return (double)value_at(width, shape, peak_of(shape), t);
}

double window_divisor(double shape)
{
    return (double)(bessel_i0(0.25L * shape * shape) * expl(-(long double)shape));
}

/* w sinh(root) / root with root^2 = shape^2 - x^2 and x = pi width frequency, times exp(-shape): of root -
 * shape, which rounding would spoil, -x^2 / (root + shape) */
double window_dividend(int width, double shape, double frequency)
{
    const double x = PI * width * frequency, square = shape * shape - x * x, root = sqrt(fabs(square));
    if (root < 1e-4) return width * exp(-shape) * (1 + square / 6);
    if (square < 0) return width * exp(-shape) * sin(root) / root;
    return width * 0.5 * (exp(-x * x / (root + shape)) - exp(-root - shape)) / root;
}

double window_transform(int width, double shape, double frequency)
{
    return window_dividend(width, shape, frequency) / window_divisor(shape);
}

enum { MOST_PIXELS = 48, FREQUENCIES = MOST_PIXELS / 2 + 1, ALIASES = 6, PLACES = 9 };

/* Frequencies of the image's pixels in cycles per grid cell, and the share of them that each stands for:
 * every one with its mirror image where they are few, else the nodes of Gauss quadratures. */
typedef struct image_frequencies {
    int count;
    double frequency[FREQUENCIES], share[FREQUENCIES];
    bool alone[FREQUENCIES]; /* has no mirror image */
} image_frequencies;

/* Nodes and weights of Gauss and Legendre on [-1, 1], those of one half */
typedef struct gauss_pair {
    double node, weight;
} gauss_pair;

enum { PAIRS_6 = 3, PAIRS_12 = 6 };

static const gauss_pair gauss_6[PAIRS_6] = {{0.2386191860831969, 0.4679139345726910},
                                            {0.6612093864662645, 0.3607615730481386},
                                            {0.9324695142031521, 0.1713244923791704}},
                        gauss_12[PAIRS_12] = {{0.1252334085114689, 0.2491470458134028},
                                              {0.3678314989981802, 0.2334925365383548},
                                              {0.5873179542866175, 0.2031674267230659},
                                              {0.7699026741943047, 0.1600783285433462},
                                              {0.9041172563704749, 0.1069393259953184},
                                              {0.9815606342467193, 0.0471753363865118}};

static void all_frequencies(image_frequencies *f, int64_t pixels, int64_t grid)
{
    f->count = (int)(pixels / 2 + 1);
    for (int i = 0; i < f->count; i++) {
        f->alone[i] = i == 0 || 2 * i == pixels;
        f->frequency[i] = i / (double)grid;
        f->share[i] = (f->alone[i] ? 1.0 : 2.0) / (double)pixels;
    }
}

/* Nodes in a part of one half of the image, from and to shares of it */
static void add_part(image_frequencies *f, double edge, double from, double to, const gauss_pair *pair,
                     int pairs)
{
    const double half = 0.5 * (to - from);
    for (int i = 0; i < 2 * pairs; i++) {
        f->frequency[f->count] = edge * (from + half * (1 + (i % 2 ? pair[i / 2].node : -pair[i / 2].node)));
        f->share[f->count++] = half * pair[i / 2].weight;
    }
}

static double edge_of(int64_t pixels, int64_t grid)
{
    return 0.5 * (double)pixels / (double)grid;
}

/* Enough for deapodisation, and for a mean error that is multiplied anyway */
static image_frequencies frequencies_of(int64_t pixels, int64_t grid)
{
    image_frequencies f = {.count = 0};
    if (pixels <= 4 * PAIRS_12)
        all_frequencies(&f, pixels, grid);
    else
        add_part(&f, edge_of(pixels, grid), 0, 1, gauss_12, PAIRS_12);
    return f;
}

/* Returns more nodes in the outer part of the image, for wide windows. Their errors lie there and have
 * zeros, with which the nodes above may coincide; these would then find only a third of the error. */
static image_frequencies outer_frequencies_of(int64_t pixels, int64_t grid)
{
    const double inner = 0.75;
    image_frequencies f = {.count = 0};
    if (pixels <= MOST_PIXELS) {
        all_frequencies(&f, pixels, grid);
        return f;
    }
    add_part(&f, edge_of(pixels, grid), 0, inner, gauss_6, PAIRS_6);
    add_part(&f, edge_of(pixels, grid), inner, 1, gauss_12, PAIRS_12);
    return f;
}

static double outermost(int64_t pixels, int64_t grid)
{
    return (double)(pixels / 2) / (double)grid;
}

/* Returns the frequency whose nearest alias is at the first extreme of sin(root) / root (see
 * window_dividend) beyond its zero. It is near the edge, at most at it, and as bad. */
static double second_extreme(int width, double shape, double edge)
{
    const double frequency = 1 - hypot(shape, 4.4934) / (PI * width);
    return fmax(0, fmin(frequency, edge));
}

/* Relative errors for points at places between cells, and at the last one where the window ends on cells */
typedef struct place_errors {
    double re[PLACES + 1], im[PLACES + 1];
} place_errors;

/* sum over p of ratio[p] exp(2 pi i p x) at x = 0 to 1/2 in sixteenths: places between cells. There is no
 * term of p = 0. */
static void sums_at_places(place_errors *e, const double ratio[2 * ALIASES + 1])
{
    static const double cosine[16] = {1,  0.92387953251128674,  0.70710678118654752,  0.38268343236508977,
                                      0,  -0.38268343236508977, -0.70710678118654752, -0.92387953251128674,
                                      -1, -0.92387953251128674, -0.70710678118654752, -0.38268343236508977,
                                      0,  0.38268343236508977,  0.70710678118654752,  0.92387953251128674};
    for (int place = 0; place < PLACES; place++) {
        double re = 0, im = 0;
        for (int p = 1; p <= ALIASES; p++) {
            re += (ratio[ALIASES + p] + ratio[ALIASES - p]) * cosine[(p * place) & 15];
            im += (ratio[ALIASES + p] - ratio[ALIASES - p]) * cosine[(p * place - 4) & 15];
        }
        e->re[place] = re;
        e->im[place] = im;
    }
}

/* The window where its ends lie on cells: at distances from its centre that are whole numbers, or halves */
typedef struct window_ends {
    int width, count;
    double shape, divisor, value[WINDOW_MAX_WIDTH / 2 + 1]; /* the first value is the end's */
} window_ends;

static void ends_make(window_ends *e, int width, double shape)
{
    *e = (window_ends){
        .width = width, .shape = shape, .divisor = window_divisor(shape), .count = width / 2 + 1};
    const long double peak = peak_of(shape);
    for (int i = 0; i < e->count; i++) e->value[i] = (double)value_at(width, shape, peak, 0.5 * width - i);
}

/* The error of a frequency for a point whose window ends on cells, of which it has one: the aliases' sum has
 * a step there, to which few of them do not come near. */
static void error_at_ends(double *re, double *im, const window_ends *e, double frequency)
{
    const double wanted = window_dividend(e->width, e->shape, frequency) / e->divisor, end = e->value[0],
                 phase = PI * e->width * frequency;
    double sum = end * cos(phase) - wanted;
    for (int i = 1; i < e->count; i++) {
        const double t = 0.5 * e->width - i;
        sum += (t > 0 ? 2 : 1) * e->value[i] * cos(2 * PI * t * frequency);
    }
    *re = sum / wanted;
    *im = end * sin(phase) / wanted;
}

/* Amplitudes of one frequency's aliases */
static void find_ratios(double ratio[2 * ALIASES + 1], int width, double shape, double frequency)
{
    const double wanted = window_dividend(width, shape, frequency);
    for (int p = -ALIASES; p <= ALIASES; p++)
        ratio[p + ALIASES] = p ? window_dividend(width, shape, frequency + p) / wanted : 0;
}

/* Errors of one frequency; of its mirror image they are the conjugates. Returns their mean square for points
 * anywhere: places average the aliases' products. */
static double errors_of(place_errors *errors, const window_ends *e, double frequency)
{
    double ratio[2 * ALIASES + 1], square = 0;
    find_ratios(ratio, e->width, e->shape, frequency);
    for (int p = 0; p <= 2 * ALIASES; p++) square += ratio[p] * ratio[p];
    sums_at_places(errors, ratio);
    error_at_ends(&errors->re[PLACES], &errors->im[PLACES], e, frequency);
    return square;
}

/* Returns the largest of `most` and the squares of all errors */
static double larger(double most, const place_errors *e)
{
    for (int place = 0; place <= PLACES; place++)
        most = fmax(most, e->re[place] * e->re[place] + e->im[place] * e->im[place]);
    return most;
}

window_errors window_aliasing(int width, double shape, int64_t pixels, int64_t grid)
{
    double worst = 0, mean = 0, square = 0, at[PLACES + 1] = {0};
    place_errors e, sum = {0};
    const image_frequencies f = outer_frequencies_of(pixels, grid);
    const double edge = outermost(pixels, grid), others[2] = {edge, second_extreme(width, shape, edge)};
    window_ends ends;
    ends_make(&ends, width, shape);
    for (int i = 0; i < f.count; i++) {
        mean += f.share[i] * errors_of(&e, &ends, f.frequency[i]);
        if (f.frequency[i] <= edge) worst = larger(worst, &e);
        for (int place = 0; place <= PLACES; place++) {
            at[place] += f.share[i] * (e.re[place] * e.re[place] + e.im[place] * e.im[place]);
            sum.re[place] += f.share[i] * e.re[place];
            sum.im[place] += f.alone[i] ? f.share[i] * e.im[place] : 0;
        }
    }
    for (int place = 0; place <= PLACES; place++) square = fmax(square, at[place]);
    for (int i = 0; i < 2; i++) {
        errors_of(&e, &ends, others[i]);
        worst = larger(worst, &e);
    }
    return (window_errors){
        .mean = sqrt(mean), .at_place = sqrt(square), .average = sqrt(larger(0, &sum)), .worst = sqrt(worst)};
}

window_errors window_amplification(int width, double shape, int64_t pixels, int64_t grid)
{
    double inverse = 0, energy = 0;
    const double norm = window_divisor(shape);
    const image_frequencies f = frequencies_of(pixels, grid);
    for (int i = 0; i < f.count; i++) {
        const double wanted = window_dividend(width, shape, f.frequency[i]) / norm;
        inverse += f.share[i] / (wanted * wanted);
    }
    const long double peak = peak_of(shape);
    const int steps = 4 * width; /* the midpoint rule; the window is smooth, and both halves are alike */
    for (int i = 0; i < steps / 2; i++) {
        const double value = (double)value_at(width, shape, peak, width * ((i + 0.5) / steps - 0.5));
        energy += value * value / 2;
    }
    const double least = window_dividend(width, shape, outermost(pixels, grid)) / norm;
    return (window_errors){.mean = sqrt(inverse * energy), .worst = sqrt(energy) / least};
}

/* cos(pi m / (2 terms)), m from 0 to 4 terms - 1: of Chebyshev nodes, m = 2 i + 1, and of their multiples.
 * Fits are in long double: powers of u cancel, and double would leave 20 roundings. */
typedef struct nodes {
    int terms;
    long double cosine[4 * WINDOW_MAX_TERMS], peak; /* the second of a window that is fitted */
} nodes;

static void nodes_fill(nodes *n, int terms)
{
    n->terms = terms;
    for (int m = 0; m < 4 * terms; m++) n->cosine[m] = cosl(LONG_TWO_PI / 4 * m / terms);
}

static long double node(const nodes *n, int i)
{
    return n->cosine[2 * i + 1];
}

/* The polynomial through values at the nodes, highest power first */
static void fit_values(const long double *values, const nodes *n, double *result)
{
    const int terms = n->terms;
    long double chebyshev[WINDOW_MAX_TERMS];
    for (int k = 0; k < terms; k++) {
        long double sum = 0;
        for (int i = 0; i < terms; i++) sum += values[i] * n->cosine[k * (2 * i + 1) % (4 * terms)];
        chebyshev[k] = sum * (k ? 2 : 1) / terms;
    }
    /* T_k in powers of u by its recurrence, T_{k+1} = 2 u T_k - T_{k-1}, added up */
    long double before[WINDOW_MAX_TERMS] = {0}, now[WINDOW_MAX_TERMS] = {1}, sum[WINDOW_MAX_TERMS] = {0};
    for (int k = 0; k < terms; k++) {
        for (int i = 0; i <= k; i++) sum[i] += chebyshev[k] * now[i];
        long double next[WINDOW_MAX_TERMS] = {0};
        for (int i = 0; i <= k && i + 1 < terms; i++) next[i + 1] = (k ? 2 : 1) * now[i];
        for (int i = 0; i < k; i++) next[i] -= before[i];
        memcpy(before, now, sizeof before);
        memcpy(now, next, sizeof now);
    }
    for (int i = 0; i < terms; i++) result[terms - 1 - i] = (double)sum[i];
}

/* The window in one cell. u = -1 is the cell's end nearer to the window's beginning. */
static void fit_cell(const window *w, int cell, const nodes *n, double *result)
{
    long double values[WINDOW_MAX_TERMS];
    for (int i = 0; i < n->terms; i++)
        values[i] = value_at(w->width, w->shape, n->peak, cell + 0.5L * (1 + node(n, i)) - 0.5L * w->width);
    fit_values(values, n, result);
}

static double evaluate(const double *coefficients, int terms, double u)
{
    double value = coefficients[0];
    for (int d = 1; d < terms; d++) value = value * u + coefficients[d];
    return value;
}

/* Returns the largest misfit over a cell, between the nodes and at the ends. */
static double misfit(const window *w, int cell, const nodes *n, const double *coefficients)
{
    double worst = 0;
    for (int i = 0; i <= n->terms; i++) {
        const long double u = n->cosine[2 * i];
        const long double at = cell + 0.5L * (1 + u) - 0.5L * w->width,
                          value = value_at(w->width, w->shape, n->peak, at);
        worst = fmax(worst, fabs((double)(evaluate(coefficients, n->terms, (double)u) - value)));
    }
    return worst;
}

/* Fits all cells with this number of terms, and returns the largest misfit. The window is even: a cell of its
 * second half has the polynomial of one of the first in -u. */
static double fit_cells(window *w, int terms)
{
    double worst = 0;
    nodes n;
    nodes_fill(&n, terms);
    n.peak = peak_of(w->shape);
    w->terms = terms;
    for (int cell = 0; 2 * cell < w->width; cell++) {
        double coefficients[WINDOW_MAX_TERMS];
        fit_cell(w, cell, &n, coefficients);
        worst = fmax(worst, misfit(w, cell, &n, coefficients));
        for (int d = 0; d < terms; d++) {
            w->coefficients[d][w->width - 1 - cell] =
                (terms - 1 - d) % 2 ? -coefficients[d] : coefficients[d];
            w->coefficients[d][cell] = coefficients[d];
        }
    }
    return worst;
}

enum { SPANS = 64, LEAST_SPAN = 64 }; /* parts of an axis; pixels for which a polynomial is worth its fit */

int64_t window_correction_span(int64_t pixels)
{
    return pixels / SPANS > LEAST_SPAN ? pixels / SPANS : LEAST_SPAN;
}

static double correction_at(const window_correction *c, double pixel)
{
    return c->divisor / window_dividend(c->window->width, c->window->shape, pixel / (double)c->grid);
}

void window_correction_make(window_correction *c, int64_t begin, int64_t pixels, const window *w,
                            int64_t grid)
{
    const int64_t span = window_correction_span(pixels), left = pixels / 2 + 1 - begin,
                  count = left < span ? left : span; /* behind the edge the transform may have a zero */
    *c = (window_correction){.window = w,
                             .begin = begin,
                             .count = count,
                             .grid = grid,
                             .is_polynomial = count > LEAST_SPAN,
                             .divisor = window_divisor(w->shape)};
    if (!c->is_polynomial) return;
    long double exact[WINDOW_CORRECTION_TERMS];
    nodes n;
    nodes_fill(&n, WINDOW_CORRECTION_TERMS);
    for (int i = 0; i < WINDOW_CORRECTION_TERMS; i++)
        exact[i] = correction_at(c, (double)begin + 0.5 * (double)(c->count - 1) * (double)(1 + node(&n, i)));
    fit_values(exact, &n, c->coefficients);
}

void window_correction_values(const window_correction *c, double *values, int64_t first, int count)
{
    const double start = (double)first, per_middle = 2 / (double)(c->count - 1);
    if (!c->is_polynomial) {
        for (int i = 0; i < count; i++) values[i] = correction_at(c, (double)(c->begin + first + i));
        return;
    }
    for (int i = 0; i < count; i++) values[i] = c->coefficients[0];
    for (int d = 1; d < WINDOW_CORRECTION_TERMS; d++) /* all pixels at once: compilers make vectors of it */
        for (int i = 0; i < count; i++)
            values[i] = values[i] * ((start + i) * per_middle - 1) + c->coefficients[d];
}

/* No window was found that needs fewer terms for this misfit of a cell. */
static int least_terms(double error)
{
    const double digits = -log10(fmax(error, 1e-17));
    return (int)fmax(3, 2.25 + 0.75 * digits);
}

void window_fit(window *w, int width, double shape, double error)
{
    *w = (window){.width = width, .shape = shape};
    /* The misfits of cells add up incoherently, so a tenth of the error for each keeps the sum well below
     * it. If double precision cannot fit that well, take the best fit. */
    double least = INFINITY;
    int best = least_terms(0.1 * error);
    for (int terms = best; terms < WINDOW_MAX_TERMS && least > 0.1 * error && terms < best + 4; terms++) {
        const double worst = fit_cells(w, terms);
        if (worst < least) best = terms;
        least = fmin(worst, least);
    }
    if (w->terms != best) fit_cells(w, best);
}
