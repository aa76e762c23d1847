/* SPDX-License-Identifier: BSD-3-Clause */
/* R2* of each pixel, from complex echoes or magnitudes. */
#include "maps/maps.h"

#include <math.h>
#include <stdatomic.h>
#include "base/observe.h"
#include "base/pi.h"
#include "mri/host.h"

enum { R2STAR, T2STAR, AMPLITUDE, ERROR, MAPS };
enum { BLOCK = 4096 }; /* pixels between two looks for an interruption */

/* Signals of unit norm on a grid of r2star and omega, from which a fit of complex echoes starts: that with
 * the largest inner product with the echoes leaves the least residual. */
typedef struct start_table {
    int count;
    double *r2star, *omega;
    double *signals; /* {echoes} pairs for each signal */
} start_table;

static void start_free(start_table *k)
{
    memory_free(k->r2star);
    memory_free(k->omega);
    memory_free(k->signals);
}

static void put_signal(const echo_data *d, const start_table *k, int at)
{
    double *signal = k->signals + 2 * at * d->echoes, square = 0;
    for (int e = 0; e < d->echoes; e++) square += exp(-2 * k->r2star[at] * d->times[e]);
    for (int e = 0; e < d->echoes; e++) {
        const double size = exp(-k->r2star[at] * d->times[e]) / sqrt(square);
        signal[2 * e] = size * cos(k->omega[at] * d->times[e]);
        signal[2 * e + 1] = -size * sin(k->omega[at] * d->times[e]);
    }
}

static argand_status start_make(start_table *k, const echo_data *d)
{
    enum { STEPS = 8, MOST_STEPS = 4096 };
    const double decays[] = {0.3, 1.2, 5, 20}; /* over the last echo time */
    const int decay_count = sizeof decays / sizeof *decays;
    const double spacing = echoes_spacing(d), last = d->times[d->echoes - 1];
    const int count = (int)fmin(STEPS * (last - d->times[0]) / spacing + 1, MOST_STEPS);
    TRY(NEW(k->r2star, count * decay_count));
    TRY(NEW(k->omega, count * decay_count));
    TRY(NEW(k->signals, (int64_t)2 * count * decay_count * d->echoes));
    for (int r = 0; r < decay_count; r++)
        for (int j = 0; j < count; j++, k->count++) {
            k->r2star[k->count] = decays[r] / last;
            k->omega[k->count] = TWO_PI * ((double)j / count - 0.5) / spacing;
            put_signal(d, k, k->count);
        }
    return ARGAND_OK;
}

static decay_fit start_of(const start_table *k, const double complex *y, int echoes)
{
    double best = -1;
    int found = 0;
    for (int at = 0; at < k->count; at++) {
        const double *signal = k->signals + 2 * at * echoes;
        double re = 0, im = 0;
        for (int e = 0; e < echoes; e++) {
            re += signal[2 * e] * creal(y[e]) + signal[2 * e + 1] * cimag(y[e]);
            im += signal[2 * e] * cimag(y[e]) - signal[2 * e + 1] * creal(y[e]);
        }
        if (re * re + im * im > best) {
            best = re * re + im * im;
            found = at;
        }
    }
    return (decay_fit){.r2star = k->r2star[found], .omega = k->omega[found]};
}

static void fit_complex(const echo_data *d, const decay_model *m, const start_table *k, int64_t i,
                        double *out[MAPS])
{
    double complex y[MOST_ECHOES];
    for (int e = 0; e < d->echoes; e++)
        y[e] = CMPLX(d->values[2 * (e * d->pixels + i)], d->values[2 * (e * d->pixels + i) + 1]);
    decay_fit f = start_of(k, y, d->echoes);
    decay_refine(m, y, &f);
    const double variance = d->noise > 0 ? d->noise * d->noise : decay_variance(m, &f);
    out[R2STAR][i] = f.r2star;
    out[AMPLITUDE][i] = cabs(f.amplitude[0]);
    out[ERROR][i] = f.information > 0 ? fmin(sqrt(variance / f.information), m->most) : 0;
}

static void fit_magnitude(const echo_data *d, double noise, int64_t i, double *out[MAPS])
{
    double y[MOST_ECHOES];
    magnitude_fit f;
    for (int e = 0; e < d->echoes; e++) y[e] = d->values[e * d->pixels + i];
    magnitude_solve(d, y, noise, &f);
    out[R2STAR][i] = f.r2star;
    out[AMPLITUDE][i] = f.amplitude;
    out[ERROR][i] = f.error;
}

static argand_status fit_all(const echo_data *d, const start_table *k, double noise, double *out[MAPS])
{
    decay_model m = {.echoes = d->echoes,
                     .terms = 1,
                     .times = d->times,
                     .least = echoes_least_decay(d),
                     .most = echoes_most_decay(d)};
    for (int e = 0; e < d->echoes; e++) m.basis[0][e] = 1;
    atomic_bool cancelled = false;
    const int64_t blocks = (d->pixels + BLOCK - 1) / BLOCK;
#pragma omp parallel for schedule(dynamic) num_threads(d->threads)
    for (int64_t b = 0; b < blocks; b++) {
        if (observe_within(&cancelled)) continue;
        for (int64_t i = b * BLOCK; i < d->pixels && i < (b + 1) * BLOCK; i++) {
            if (!d->mask[i]) continue;
            if (d->is_complex)
                fit_complex(d, &m, k, i, out);
            else
                fit_magnitude(d, noise, i, out);
            out[T2STAR][i] = 1 / out[R2STAR][i];
        }
    }
    return observe_end(&cancelled);
}

/* Counts pixels at the limits of R2*. */
static int64_t count_limited(const echo_data *d, const double *r2star)
{
    const double least = 1.000001 * echoes_least_decay(d), most = 0.999999 * echoes_most_decay(d);
    int64_t count = 0;
    for (int64_t i = 0; i < d->pixels; i++) count += d->mask[i] && (r2star[i] <= least || r2star[i] >= most);
    return count;
}

static argand_status run(const echo_data *d, argand_array *const maps[MAPS], argand_t2star_report *report)
{
    double *out[MAPS] = {NULL}, noise = 0;
    start_table k = {0};
    argand_status status = ARGAND_OK;
    for (int j = 0; j < MAPS; j++) TRY_OR_DONE(NEW(out[j], d->pixels));
    if (!d->is_complex && d->noise >= 0) {
        noise = d->noise;
        if (noise == 0) TRY_OR_DONE(magnitude_noise(d, &noise));
    }
    if (d->is_complex) TRY_OR_DONE(start_make(&k, d));
    TRY_OR_DONE(fit_all(d, &k, noise, out));
    for (int j = 0; j < MAPS; j++)
        if (maps[j]) TRY_OR_DONE(host_write_real(maps[j], out[j]));
    if (report)
        *report = (argand_t2star_report){
            .inside = d->inside, .limited = count_limited(d, out[R2STAR]), .noise = noise};
done:
    start_free(&k);
    for (int j = 0; j < MAPS; j++) memory_free(out[j]);
    return status;
}

argand_status argand_t2star_fit(const argand_t2star_maps *maps, const argand_array *echoes,
                                const argand_echo_options *options, argand_t2star_report *report)
{
    CHECK(maps, ARGAND_ARGUMENT, "R2*: the struct of the maps is missing");
    CHECK_ARRAY(echoes);
    CHECK(options, ARGAND_ARGUMENT, "R2*: the options with the echo times are missing");
    argand_array *const wanted[MAPS] = {maps->r2star, maps->t2star, maps->amplitude, maps->error};
    echo_data d;
    argand_status status = echoes_read(&d, echoes, options, "R2*");
    for (int k = 0; k < MAPS && !status; k++) status = echoes_check_map(&d, wanted[k], "R2*");
    if (!status) status = run(&d, wanted, report);
    echoes_free(&d);
    return status;
}
