/* SPDX-License-Identifier: BSD-3-Clause */
/* Water-fat separation with R2* and field: the start of the field for all pixels together, then a fit of
 * each. */
#include "maps/field_start.h"

#include <math.h>
#include <stdatomic.h>
#include "base/observe.h"
#include "base/pi.h"
#include "mri/host.h"

enum { FRACTION, R2STAR, FIELD, FRACTION_ERROR, R2STAR_ERROR, MAPS };

/* What is computed of each pixel. */
typedef struct fat_result {
    double complex *amplitude[2]; /* water, fat */
    double *map[MAPS], *residual;
} fat_result;
enum { BLOCK = 2048, MOST_PEAKS = 32 };

/* Hamilton et al., NMR Biomed. 24:784, 2011: triglycerides of the liver, water at 4.7 ppm. */
static const argand_fat_peak liver[] = {{-3.8, 0.088},  {-3.4, 0.700}, {-2.6, 0.120},
                                        {-1.95, 0.006}, {-0.5, 0.039}, {0.6, 0.047}};

argand_status fat_check(const argand_water_fat_options *o)
{
    double sum = 0;
    CHECK(isfinite(o->frequency) && o->frequency > 0, ARGAND_ARGUMENT,
          "water and fat: the frequency of water is %g Hz; give 42.577e6 times the field in tesla",
          o->frequency);
    CHECK(o->peak_count >= 0 && o->peak_count <= MOST_PEAKS && (o->peak_count == 0 || o->peaks),
          ARGAND_ARGUMENT, "water and fat: %d peaks of fat; 1 to %d are possible", o->peak_count, MOST_PEAKS);
    for (int p = 0; p < o->peak_count; p++) {
        CHECK(fabs(o->peaks[p].shift) < 100 && isfinite(o->peaks[p].amplitude), ARGAND_ARGUMENT,
              "water and fat: peak %d of fat is at %g ppm, amplitude %g", p, o->peaks[p].shift,
              o->peaks[p].amplitude);
        sum += o->peaks[p].amplitude;
    }
    CHECK(o->peak_count == 0 || fabs(sum) > 1e-6, ARGAND_ARGUMENT,
          "water and fat: the amplitudes of fat add up to 0");
    CHECK(isfinite(o->smoothness) && o->smoothness >= 0, ARGAND_ARGUMENT, "water and fat: a smoothness of %g",
          o->smoothness);
    return ARGAND_OK;
}

static argand_status check_echoes(const echo_data *d)
{
    CHECK(d->is_complex, ARGAND_ARGUMENT, "water and fat: the echoes must be complex");
    CHECK(d->echoes >= 3, ARGAND_ARGUMENT, "water and fat: %d echoes; at least 3 are needed", d->echoes);
    return ARGAND_OK;
}

double complex fat_signal(const argand_water_fat_options *o, double t)
{
    const int count = o->peak_count ? o->peak_count : (int)(sizeof liver / sizeof *liver);
    const argand_fat_peak *peaks = o->peak_count ? o->peaks : liver;
    double complex signal = 0;
    double sum = 0;
    for (int p = 0; p < count; p++) {
        const double angle = -TWO_PI * 1e-6 * peaks[p].shift * o->frequency * t;
        signal += peaks[p].amplitude * CMPLX(cos(angle), sin(angle));
        sum += peaks[p].amplitude;
    }
    return signal / sum;
}

static decay_model make_model(const echo_data *d, const argand_water_fat_options *o)
{
    decay_model m = {.echoes = d->echoes,
                     .terms = 2,
                     .times = d->times,
                     .least = echoes_least_decay(d),
                     .most = echoes_most_decay(d)};
    for (int e = 0; e < d->echoes; e++) {
        m.basis[0][e] = 1;
        m.basis[1][e] = fat_signal(o, d->times[e]);
    }
    return m;
}

/* Refuses echo times at which fat has the same phase as water, so that no fit can tell them apart. */
static argand_status check_model(const decay_model *m)
{
    double square = 0, least = 0;
    double complex mean = 0;
    for (int e = 0; e < m->echoes; e++) mean += m->basis[1][e] / m->echoes;
    for (int e = 0; e < m->echoes; e++) {
        const double complex rest = m->basis[1][e] - mean;
        square += creal(m->basis[1][e] * conj(m->basis[1][e]));
        least += creal(rest * conj(rest));
    }
    CHECK(least > 1e-6 * square, ARGAND_ARGUMENT,
          "water and fat: fat has the same signal as water at all %d echo times, so that they cannot be "
          "separated; other echo times are needed",
          m->echoes);
    return ARGAND_OK;
}

/* Computes the fraction and its gradient by water and fat: d fraction = Re(sum conj(g) dx). The part that is
 * larger is compared with the sum of both, whose noise is not rectified (Liu et al., MRM 58:354, 2007). */
static double fraction_of(const double complex x[2], double complex g[2])
{
    const double complex all = x[0] + x[1];
    const bool is_water = cabs(x[0]) >= cabs(x[1]);
    const double complex larger = is_water ? x[0] : x[1];
    const double sum = cabs(all), sign = is_water ? -1 : 1;
    g[0] = g[1] = 0;
    if (!(sum > 0)) return 0;
    const double complex by_all = -sign * cabs(larger) / (sum * sum) * (all / sum);
    g[0] = g[1] = by_all;
    g[is_water ? 0 : 1] += sign * larger / (cabs(larger) * sum);
    return is_water ? 1 - cabs(larger) / sum : cabs(larger) / sum;
}

/* Returns the standard deviation of the fraction: the amplitudes' noise for known decay and field, plus that
 * which comes with the noise of these two. */
static double fraction_error(const decay_fit *f, const double complex g[2], double variance)
{
    double own = 0;
    double complex coupled = 0;
    for (int l = 0; l < 2; l++) {
        for (int k = 0; k < 2; k++) own += creal(conj(g[l]) * f->inverse[l][k] * g[k]);
        coupled += conj(g[l]) * f->coupling[l];
    }
    const double by_decay = f->information > 0 ? creal(coupled * conj(coupled)) / f->information : 0;
    return sqrt(fmax(variance * (own + by_decay), 0));
}

static void fit_pixel(const echo_data *d, const decay_model *m, int64_t i, double omega, const fat_result *to)
{
    const double decays[DECAYS] = {0.05, 0.2, 0.5, 1, 3}; /* over the last echo time */
    double complex y[MOST_ECHOES], g[2];
    decay_fit f = {.residual = INFINITY};
    for (int e = 0; e < d->echoes; e++)
        y[e] = CMPLX(d->values[2 * (e * d->pixels + i)], d->values[2 * (e * d->pixels + i) + 1]);
    for (int r = 0; r < DECAYS; r++) {
        decay_fit try = {.r2star = decays[r] / d->times[d->echoes - 1], .omega = omega};
        decay_project(m, y, &try);
        if (try.residual < f.residual) f = try;
    }
    decay_refine(m, y, &f);
    const double variance = d->noise > 0 ? d->noise * d->noise : decay_variance(m, &f);
    for (int l = 0; l < 2; l++) to->amplitude[l][i] = f.amplitude[l];
    to->map[FRACTION][i] = fraction_of(f.amplitude, g);
    to->map[R2STAR][i] = f.r2star;
    to->map[FIELD][i] = f.omega;
    to->map[FRACTION_ERROR][i] = fmin(fraction_error(&f, g, variance), 1);
    to->map[R2STAR_ERROR][i] = f.information > 0 ? fmin(sqrt(variance / f.information), m->most) : 0;
    to->residual[i] = f.residual;
}

/* Fits the pixels of a volume from the field that its cells chose. */
static argand_status fit_volume(const echo_data *d, const decay_model *m, const field_grid *g, int64_t volume,
                                const fat_result *to)
{
    const int64_t count = d->n[0] * d->n[1] * d->n[2], blocks = (count + BLOCK - 1) / BLOCK;
    atomic_bool cancelled = false;
#pragma omp parallel for schedule(dynamic) num_threads(d->threads)
    for (int64_t b = 0; b < blocks; b++) {
        if (observe_within(&cancelled)) continue;
        for (int64_t at = b * BLOCK; at < count && at < (b + 1) * BLOCK; at++) {
            const int64_t x = at % d->n[0], y = at / d->n[0] % d->n[1], z = at / (d->n[0] * d->n[1]);
            if (!d->mask[volume * count + at]) continue;
            const field_cell *cell =
                &g->cells[g->index[x / g->width + g->n[0] * (y / g->width + g->n[1] * z)]];
            fit_pixel(d, m, volume * count + at, (double)cell->omega[cell->chosen], to);
        }
    }
    return observe_end(&cancelled);
}

static argand_status compare_signs(double *ratio, const echo_data *d, const decay_model *m,
                                   const field_curve *c)
{
    field_curve opposite;
    decay_model mirrored = *m;
    double own, other = 0;
    for (int e = 0; e < m->echoes; e++) mirrored.basis[1][e] = conj(m->basis[1][e]);
    argand_status status = curve_make(&opposite, d, &mirrored);
    if (!status) status = cells_least(&own, d, c);
    if (!status) status = cells_least(&other, d, &opposite);
    *ratio = !status && other > 0 ? own / other : 1;
    curve_free(&opposite);
    return status;
}

static argand_status fit_all(const echo_data *d, const decay_model *m, const field_curve *c,
                             double smoothness, const fat_result *to)
{
    argand_status status = ARGAND_OK;
    for (int64_t v = 0; v < d->volumes && !status; v++) {
        field_grid g = {0};
        status = observe("finding the field", (double)v / (double)d->volumes);
        if (!status) status = cells_make(&g, d, c, v);
        if (!status) labels_choose(&g, smoothness);
        if (!status) status = fit_volume(d, m, &g, v, to);
        cells_free(&g);
    }
    return status;
}

static void describe(const echo_data *d, const decay_model *m, const fat_result *to, double ratio,
                     argand_water_fat_report *report)
{
    double rest = 0, all = 0;
    int64_t limited = 0;
    for (int64_t i = 0; i < d->pixels; i++) {
        if (!d->mask[i]) continue;
        rest += to->residual[i];
        for (int e = 0; e < d->echoes; e++) {
            const double *y = d->values + 2 * (e * d->pixels + i);
            all += y[0] * y[0] + y[1] * y[1];
        }
        limited += to->map[R2STAR][i] <= 1.000001 * m->least || to->map[R2STAR][i] >= 0.999999 * m->most;
    }
    *report = (argand_water_fat_report){.inside = d->inside,
                                        .limited = limited,
                                        .misfit = all > 0 ? sqrt(rest / all) : 0,
                                        .sign_ratio = ratio};
}

static void result_free(fat_result *to)
{
    for (int l = 0; l < 2; l++) memory_free(to->amplitude[l]);
    for (int k = 0; k < MAPS; k++) memory_free(to->map[k]);
    memory_free(to->residual);
}

static argand_status result_make(fat_result *to, const echo_data *d)
{
    for (int l = 0; l < 2; l++) TRY(NEW(to->amplitude[l], d->pixels));
    for (int k = 0; k < MAPS; k++) TRY(NEW(to->map[k], d->pixels));
    return NEW(to->residual, d->pixels);
}

/* Writes water or fat: complex, or its magnitude. */
static argand_status write_amplitude(argand_array *map, const double complex *amplitude, int64_t pixels)
{
    double *magnitude;
    if (!map) return ARGAND_OK;
    if (type_is_complex(argand_array_type(map))) return host_write_complex(map, (const double *)amplitude);
    TRY(NEW(magnitude, pixels));
    for (int64_t i = 0; i < pixels; i++) magnitude[i] = cabs(amplitude[i]);
    const argand_status status = host_write_real(map, magnitude);
    memory_free(magnitude);
    return status;
}

static argand_status write_all(const argand_water_fat_maps *maps, const fat_result *to, int64_t pixels)
{
    argand_array *const wanted[MAPS] = {maps->fraction, maps->r2star, maps->field, maps->fraction_error,
                                        maps->r2star_error};
    TRY(write_amplitude(maps->water, to->amplitude[0], pixels));
    TRY(write_amplitude(maps->fat, to->amplitude[1], pixels));
    for (int k = 0; k < MAPS; k++)
        if (wanted[k]) TRY(host_write_real(wanted[k], to->map[k]));
    return ARGAND_OK;
}

static argand_status run(const echo_data *d, const argand_water_fat_options *o,
                         const argand_water_fat_maps *maps, argand_water_fat_report *report)
{
    const decay_model m = make_model(d, o);
    field_curve c = {0};
    fat_result to = {0};
    double ratio = 1;
    argand_status status;
    TRY_OR_DONE(check_model(&m));
    TRY_OR_DONE(result_make(&to, d));
    TRY_OR_DONE(curve_make(&c, d, &m));
    if (report) TRY_OR_DONE(compare_signs(&ratio, d, &m, &c));
    TRY_OR_DONE(fit_all(d, &m, &c, o->smoothness > 0 ? o->smoothness : 0.05, &to));
    if (report) describe(d, &m, &to, ratio, report);
    status = write_all(maps, &to, d->pixels);
done:
    curve_free(&c);
    result_free(&to);
    return status;
}

static argand_status check_maps(const argand_water_fat_maps *maps, const echo_data *d)
{
    const argand_array *const amplitudes[] = {maps->water, maps->fat}, *const wanted[MAPS] = {
                                                                           maps->fraction, maps->r2star,
                                                                           maps->field, maps->fraction_error,
                                                                           maps->r2star_error};
    for (int l = 0; l < 2; l++)
        CHECK(!amplitudes[l] || argand_array_count(amplitudes[l]) == d->pixels, ARGAND_ARGUMENT,
              "water and fat: maps must have one value for each of %lld pixels", (long long)d->pixels);
    for (int k = 0; k < MAPS; k++) TRY(echoes_check_map(d, wanted[k], "water and fat"));
    return ARGAND_OK;
}

argand_status argand_water_fat(const argand_water_fat_maps *maps, const argand_array *echoes,
                               const argand_echo_options *options, const argand_water_fat_options *fat,
                               argand_water_fat_report *report)
{
    CHECK(maps, ARGAND_ARGUMENT, "water and fat: the struct of the maps is missing");
    CHECK_ARRAY(echoes);
    CHECK(options && fat, ARGAND_ARGUMENT, "water and fat: options are missing");
    echo_data d;
    argand_status status = echoes_read(&d, echoes, options, "water and fat");
    if (!status) status = check_echoes(&d);
    if (!status) status = fat_check(fat);
    if (!status) status = check_maps(maps, &d);
    for (int64_t i = 0; !status && fat->conjugate && i < d.pixels * d.echoes; i++) d.values[2 * i + 1] *= -1;
    if (!status) status = run(&d, fat, maps, report);
    echoes_free(&d);
    return status;
}

argand_status argand_fat_fraction(argand_array *fraction, const argand_array *water, const argand_array *fat)
{
    double *x[2] = {NULL, NULL}, *out = NULL;
    argand_status status;
    CHECK_ARRAY(fraction);
    CHECK_ARRAY(water);
    CHECK_ARRAY(fat);
    const int64_t pixels = argand_array_count(fraction);
    CHECK(!type_is_complex(argand_array_type(fraction)) && type_is_complex(argand_array_type(water)) &&
              type_is_complex(argand_array_type(fat)) && argand_array_count(water) == pixels &&
              argand_array_count(fat) == pixels,
          ARGAND_ARGUMENT, "fat fraction: it must be real, water and fat complex, all of the same size");
    TRY_OR_DONE(host_read(&x[0], water));
    TRY_OR_DONE(host_read(&x[1], fat));
    TRY_OR_DONE(NEW(out, pixels));
    for (int64_t i = 0; i < pixels; i++) {
        double complex pair[2], gradient[2];
        for (int l = 0; l < 2; l++) pair[l] = CMPLX(x[l][2 * i], x[l][2 * i + 1]);
        out[i] = fraction_of(pair, gradient);
    }
    status = host_write_real(fraction, out);
done:
    memory_free(out);
    memory_free(x[1]);
    memory_free(x[0]);
    return status;
}
