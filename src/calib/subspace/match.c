/* SPDX-License-Identifier: BSD-3-Clause */
/* Dictionary match in the space of the coefficients: for each pixel the atom of largest correlation (Ma et
 * al., Nature 495:187, 2013; McGivney et al., IEEE Trans. Med. Imaging 33:2311, 2014). Errors from the
 * likelihoods of all atoms. */
#include "calib/subspace/subspace.h"

#include <float.h>
#include <math.h>
#include "base/observe.h"

enum { MOST_PARAMETERS = 16, MOST_IMAGES = 4096, PART = 4096 };

/* Atoms as V^H d, each normalised. */
typedef struct dictionary {
    int64_t atoms, images;
    int parameters;
    double complex *atom; /* {images, atoms} */
    double *norm;         /* of an atom before */
    double *value;        /* {parameters, atoms} */
} dictionary;

/* Results {pixels, ...}; NULL: not wanted. */
typedef struct results {
    int64_t pixels;
    double *values, *errors, *misfit;
    double complex *density;
} results;

static void dictionary_free(dictionary *d)
{
    memory_free(d->atom);
    memory_free(d->norm);
    memory_free(d->value);
}

/* Projects the signals on the basis, and normalises them. */
static argand_status take_atoms(dictionary *d, const signals_view *signals, const signals_view *basis)
{
    const int64_t times = signals->times;
    TRY(NEW(d->atom, d->images * d->atoms));
    TRY(NEW(d->norm, d->atoms));
    for (int64_t a = 0; a < d->atoms; a++) {
        const double complex *signal = signals->values + a * times;
        double complex *atom = d->atom + a * d->images;
        double sum = 0;
        for (int64_t k = 0; k < d->images; k++) {
            const double complex *v = basis->values ? basis->values + k * times : NULL;
            if (!v) atom[k] = signal[k];
            for (int64_t i = 0; v && i < times; i++) atom[k] += conj(v[i]) * signal[i];
            sum += creal(atom[k]) * creal(atom[k]) + cimag(atom[k]) * cimag(atom[k]);
        }
        d->norm[a] = sqrt(sum);
        for (int64_t k = 0; k < d->images && sum > 0; k++) atom[k] /= d->norm[a];
    }
    return ARGAND_OK;
}

static argand_status dictionary_make(dictionary *d, int64_t images, const argand_array *basis,
                                     const argand_array *signals, const argand_array *parameters)
{
    signals_view s = {0}, v = {0};
    argand_status status;
    *d = (dictionary){.atoms = argand_array_dim(signals, 1),
                      .images = images,
                      .parameters = (int)argand_array_dim(parameters, 0)};
    TRY_OR_DONE(signals_read(&s, signals));
    if (basis) TRY_OR_DONE(signals_read(&v, basis));
    CHECK_OR_DONE(
        (basis ? v.times : images) == s.times && (!basis || v.atoms >= images) && images <= MOST_IMAGES,
        ARGAND_ARGUMENT, "%lld images, a basis {%lld, %lld} and signals of %lld times do not fit together",
        (long long)images, (long long)v.times, (long long)v.atoms, (long long)s.times);
    CHECK_OR_DONE(
        argand_array_rank(parameters) == 2 && !type_is_complex(argand_array_type(parameters)) &&
            argand_array_dim(parameters, 0) <= MOST_PARAMETERS && argand_array_dim(parameters, 1) == s.atoms,
        ARGAND_ARGUMENT, "the parameters are {%lld, %lld}; give real {at most %d parameters, %lld atoms}",
        (long long)argand_array_dim(parameters, 0), (long long)argand_array_dim(parameters, 1),
        MOST_PARAMETERS, (long long)s.atoms);
    TRY_OR_DONE(host_read(&d->value, parameters));
    status = take_atoms(d, &s, &v);
done:
    memory_free(v.values);
    memory_free(s.values);
    if (status) dictionary_free(d);
    return status;
}

static double square_of(double complex x)
{
    return creal(x) * creal(x) + cimag(x) * cimag(x);
}

/* Computes the explained energy |<d, x>|^2 of all atoms; returns the best atom and the energy of the
 * second. */
static int64_t explain(const dictionary *d, const double complex *x, double *energy, double *second)
{
    int64_t best = 0;
    *second = 0;
    for (int64_t a = 0; a < d->atoms; a++) {
        const double complex *atom = d->atom + a * d->images;
        double re = 0, im = 0;
        for (int64_t k = 0; k < d->images; k++) {
            re += creal(atom[k]) * creal(x[k]) + cimag(atom[k]) * cimag(x[k]);
            im += creal(atom[k]) * cimag(x[k]) - cimag(atom[k]) * creal(x[k]);
        }
        energy[a] = re * re + im * im;
        if (energy[a] > energy[best]) best = a;
    }
    for (int64_t a = 0; a < d->atoms; a++)
        if (a != best) *second = fmax(*second, energy[a]);
    return best;
}

/* Computes the standard deviations of the parameters about the best atom. */
static void spread(const dictionary *d, const double *energy, int64_t best, double second, double rest,
                   double *errors)
{
    const double freedom = fmax(1, 2 * (double)d->images - 2 - d->parameters);
    const double variance = fmax(fmax(rest / freedom, (energy[best] - second) / 2), DBL_MIN);
    double total = 0;
    for (int p = 0; p < d->parameters; p++) errors[p] = 0;
    for (int64_t a = 0; a < d->atoms; a++) {
        const double exponent = (energy[best] - energy[a]) / (2 * variance);
        if (exponent > 40) continue;
        const double weight = exp(-exponent);
        total += weight;
        for (int p = 0; p < d->parameters; p++) {
            const double off = d->value[p + a * d->parameters] - d->value[p + best * d->parameters];
            errors[p] += weight * off * off;
        }
    }
    for (int p = 0; p < d->parameters; p++) errors[p] = sqrt(errors[p] / total);
}

static void match_pixel(const dictionary *d, const results *r, int64_t pixel, const double complex *images,
                        double complex *x, double *energy)
{
    double sum = 0, second, errors[MOST_PARAMETERS];
    for (int64_t k = 0; k < d->images; k++) {
        x[k] = images[pixel + k * r->pixels];
        sum += square_of(x[k]);
    }
    if (sum == 0) return;
    const int64_t best = explain(d, x, energy, &second);
    const double rest = fmax(sum - energy[best], 0);
    if (r->errors) spread(d, energy, best, second, rest, errors);
    for (int p = 0; p < d->parameters; p++) {
        if (r->values) r->values[pixel + p * r->pixels] = d->value[p + best * d->parameters];
        if (r->errors) r->errors[pixel + p * r->pixels] = errors[p];
    }
    if (r->misfit) r->misfit[pixel] = sqrt(rest / sum);
    if (!r->density || d->norm[best] == 0) return;
    for (int64_t k = 0; k < d->images; k++)
        r->density[pixel] += conj(d->atom[k + best * d->images]) * x[k] / d->norm[best];
}

/* Matches the pixels of a part, which the observer sees and may stop between parts. */
static void match_part(const dictionary *d, const results *r, const double complex *images, int64_t first,
                       int64_t last, int threads, double complex *x, double *energy)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int thread = 0; thread < threads; thread++)
        for (int64_t i = first + thread; i < last; i += threads)
            match_pixel(d, r, i, images, x + thread * d->images, energy + thread * d->atoms);
}

static argand_status match_all(const dictionary *d, const results *r, const double complex *images,
                               int threads)
{
    double complex *x;
    double *energy = NULL;
    TRY(NEW(x, threads * d->images));
    argand_status status = NEW(energy, threads * d->atoms);
    for (int64_t first = 0; first < r->pixels && !status; first += PART) {
        const int64_t last = r->pixels - first > PART ? first + PART : r->pixels;
        status = observe("matching", (double)first / (double)r->pixels);
        if (!status) match_part(d, r, images, first, last, threads, x, energy);
    }
    memory_free(energy);
    memory_free(x);
    return status;
}

static argand_status check_result(const argand_array *array, const char *what, bool is_complex, int64_t count)
{
    CHECK(!array ||
              (argand_array_count(array) == count && type_is_complex(argand_array_type(array)) == is_complex),
          ARGAND_ARGUMENT, "dictionary match: the %s must be a %s array of %lld elements", what,
          is_complex ? "complex" : "real", (long long)count);
    return ARGAND_OK;
}

static argand_status results_take(results *r, const argand_match *m, int64_t pixels, int parameters)
{
    *r = (results){.pixels = pixels};
    TRY(check_result(m->values, "values", false, pixels * parameters));
    TRY(check_result(m->errors, "errors", false, pixels * parameters));
    TRY(check_result(m->density, "density", true, pixels));
    TRY(check_result(m->misfit, "misfit", false, pixels));
    if (m->values) TRY(NEW(r->values, pixels * parameters));
    if (m->errors) TRY(NEW(r->errors, pixels * parameters));
    if (m->density) TRY(NEW(r->density, pixels));
    return m->misfit ? NEW(r->misfit, pixels) : ARGAND_OK;
}

static argand_status results_give(const results *r, const argand_match *m)
{
    if (m->values) TRY(host_write_real(m->values, r->values));
    if (m->errors) TRY(host_write_real(m->errors, r->errors));
    if (m->density) TRY(host_write_complex(m->density, (double *)r->density));
    return m->misfit ? host_write_real(m->misfit, r->misfit) : ARGAND_OK;
}

static argand_status match_images(const argand_match *match, const dictionary *d, const argand_array *images)
{
    const int64_t pixels = argand_array_count(images) / d->images;
    double *x = NULL;
    results r;
    argand_status status;
    TRY_OR_DONE(results_take(&r, match, pixels, d->parameters));
    TRY_OR_DONE(host_read(&x, images));
    TRY_OR_DONE(
        match_all(d, &r, (const double complex *)x, argand_device_threads(argand_array_device(images))));
    status = results_give(&r, match);
done:
    memory_free(x);
    memory_free(r.values);
    memory_free(r.errors);
    memory_free(r.misfit);
    memory_free(r.density);
    return status;
}

argand_status argand_dictionary_match(const argand_match *match, const argand_array *images,
                                      const argand_array *basis, const argand_array *signals,
                                      const argand_array *parameters)
{
    dictionary d;
    CHECK(match, ARGAND_ARGUMENT, "dictionary match: no place for results");
    CHECK_ARRAY(images);
    CHECK_ARRAY(signals);
    CHECK_ARRAY(parameters);
    CHECK(type_is_complex(argand_array_type(images)) && argand_array_rank(images) >= 1, ARGAND_ARGUMENT,
          "dictionary match: the images must be complex {pixels, images}");
    TRY(calib_check_finite(images, "dictionary match: the images"));
    const int64_t count = argand_array_dim(images, argand_array_rank(images) - 1);
    TRY(dictionary_make(&d, count, basis, signals, parameters));
    const argand_status status = match_images(match, &d, images);
    dictionary_free(&d);
    return status;
}
