/* SPDX-License-Identifier: BSD-3-Clause */
/* Water-fat separation with R2* and field: the start of the field for all pixels together, then a fit of
 * each. */
#include "maps/field_start.h"

#include <math.h>
#include <stdatomic.h>
#include "base/observe.h"
#include "base/pi.h"
#include "mri/host.h"

enum { WATER, FAT, FRACTION, R2STAR, FIELD, FRACTION_ERROR, R2STAR_ERROR, MAPS };
enum { BLOCK = 2048, MOST_PEAKS = 32 };

/* Hamilton et al., NMR Biomed. 24:784, 2011: triglycerides of the liver, water at 4.7 ppm. */
static const argand_fat_peak liver[] = {{-3.8, 0.088},  {-3.4, 0.700}, {-2.6, 0.120},
                                        {-1.95, 0.006}, {-0.5, 0.039}, {0.6, 0.047}};

static argand_status check_fat(const argand_water_fat_options *o, const echo_data *d)
{
    double sum = 0;
    CHECK(d->is_complex, ARGAND_ARGUMENT, "water and fat: the echoes must be complex");
    CHECK(d->echoes >= 3, ARGAND_ARGUMENT, "water and fat: %d echoes; at least 3 are needed", d->echoes);
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

static decay_model make_model(const echo_data *d, const argand_water_fat_options *o)
{
    const int count = o->peak_count ? o->peak_count : (int)(sizeof liver / sizeof *liver);
    const argand_fat_peak *peaks = o->peak_count ? o->peaks : liver;
    decay_model m = {.echoes = d->echoes,
                     .terms = 2,
                     .times = d->times,
                     .least = echoes_least_decay(d),
                     .most = echoes_most_decay(d)};
    double sum = 0;
    for (int p = 0; p < count; p++) sum += peaks[p].amplitude;
    for (int e = 0; e < d->echoes; e++) {
        m.basis[0][e] = 1;
        for (int p = 0; p < count; p++) {
            const double angle = -TWO_PI * 1e-6 * peaks[p].shift * o->frequency * d->times[e];
            m.basis[1][e] += peaks[p].amplitude / sum * CMPLX(cos(angle), sin(angle));
        }
    }
    return m;
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

static void fit_pixel(const echo_data *d, const decay_model *m, int64_t i, double omega, double *out[MAPS],
                      double *residual)
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
    out[WATER][i] = cabs(f.amplitude[0]);
    out[FAT][i] = cabs(f.amplitude[1]);
    out[FRACTION][i] = fraction_of(f.amplitude, g);
    out[R2STAR][i] = f.r2star;
    out[FIELD][i] = f.omega;
    out[FRACTION_ERROR][i] = fmin(fraction_error(&f, g, variance), 1);
    out[R2STAR_ERROR][i] = f.information > 0 ? fmin(sqrt(variance / f.information), m->most) : 0;
    residual[i] = f.residual;
}

/* Fits the pixels of a volume from the field that its cells chose. */
static argand_status fit_volume(const echo_data *d, const decay_model *m, const field_grid *g, int64_t volume,
                                double *out[MAPS], double *residual)
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
            fit_pixel(d, m, volume * count + at, (double)cell->omega[cell->chosen], out, residual);
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
                             double smoothness, double *out[MAPS], double *residual)
{
    argand_status status = ARGAND_OK;
    for (int64_t v = 0; v < d->volumes && !status; v++) {
        field_grid g = {0};
        status = observe("finding the field", (double)v / (double)d->volumes);
        if (!status) status = cells_make(&g, d, c, v);
        if (!status) labels_choose(&g, smoothness);
        if (!status) status = fit_volume(d, m, &g, v, out, residual);
        cells_free(&g);
    }
    return status;
}

static void describe(const echo_data *d, const decay_model *m, double *const out[MAPS],
                     const double *residual, double ratio, argand_water_fat_report *report)
{
    double rest = 0, all = 0;
    int64_t limited = 0;
    for (int64_t i = 0; i < d->pixels; i++) {
        if (!d->mask[i]) continue;
        rest += residual[i];
        for (int e = 0; e < d->echoes; e++) {
            const double *y = d->values + 2 * (e * d->pixels + i);
            all += y[0] * y[0] + y[1] * y[1];
        }
        limited += out[R2STAR][i] <= 1.000001 * m->least || out[R2STAR][i] >= 0.999999 * m->most;
    }
    *report = (argand_water_fat_report){.inside = d->inside,
                                        .limited = limited,
                                        .misfit = all > 0 ? sqrt(rest / all) : 0,
                                        .sign_ratio = ratio};
}

static argand_status run(const echo_data *d, const argand_water_fat_options *o,
                         argand_array *const maps[MAPS], argand_water_fat_report *report)
{
    const decay_model m = make_model(d, o);
    field_curve c = {0};
    double *out[MAPS] = {NULL}, *residual = NULL, ratio = 1;
    argand_status status;
    for (int k = 0; k < MAPS; k++) TRY_OR_DONE(NEW(out[k], d->pixels));
    TRY_OR_DONE(NEW(residual, d->pixels));
    TRY_OR_DONE(curve_make(&c, d, &m));
    if (report) TRY_OR_DONE(compare_signs(&ratio, d, &m, &c));
    TRY_OR_DONE(fit_all(d, &m, &c, o->smoothness > 0 ? o->smoothness : 0.05, out, residual));
    if (report) describe(d, &m, out, residual, ratio, report);
    for (int k = 0; k < MAPS; k++)
        if (maps[k]) TRY_OR_DONE(host_write_real(maps[k], out[k]));
done:
    curve_free(&c);
    memory_free(residual);
    for (int k = 0; k < MAPS; k++) memory_free(out[k]);
    return status;
}

argand_status argand_water_fat(const argand_water_fat_maps *maps, const argand_array *echoes,
                               const argand_echo_options *options, const argand_water_fat_options *fat,
                               argand_water_fat_report *report)
{
    CHECK(maps, ARGAND_ARGUMENT, "water and fat: the struct of the maps is missing");
    CHECK_ARRAY(echoes);
    CHECK(options && fat, ARGAND_ARGUMENT, "water and fat: options are missing");
    argand_array *const wanted[MAPS] = {maps->water,       maps->fat,   maps->fraction,
                                        maps->r2star,      maps->field, maps->fraction_error,
                                        maps->r2star_error};
    echo_data d;
    argand_status status = echoes_read(&d, echoes, options, "water and fat");
    if (!status) status = check_fat(fat, &d);
    for (int k = 0; k < MAPS && !status; k++) status = echoes_check_map(&d, wanted[k], "water and fat");
    for (int64_t i = 0; !status && fat->conjugate && i < d.pixels * d.echoes; i++) d.values[2 * i + 1] *= -1;
    if (!status) status = run(&d, fat, wanted, report);
    echoes_free(&d);
    return status;
}
