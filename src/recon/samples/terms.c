/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase that a field camera has measured, and that of concomitant fields. Terms that are linear in position
 * only shift k and add a constant phase: they are applied to the samples' positions. Segments treat the
 * other terms (segments/phase.c). */
#include "recon/samples/samples.h"

#include <math.h>
#include "base/memory.h"
#include "base/pi.h"
#include "device/device.h"
#include "recon/maps/maps.h"

/* Limit of the measured phase at 0.3 m from the isocentre, in turns; real data lie far below. */
enum { MOST_TURNS = 1000, LINEAR = 3 };

static bool is_count_of_terms(int64_t n)
{
    return n == 1 || n == 4 || n == 9 || n == 16 || n == ARGAND_PHASE_TERMS;
}

static argand_status check_shape(const argand_sense *s, const argand_array *given, const char *what)
{
    const int last = argand_array_rank(given) - 1;
    const int64_t terms = last > 0 ? argand_array_dim(given, last) : 0,
                  samples = terms ? argand_array_count(given) / terms : 0;
    CHECK(argand_array_type(given) == ARGAND_R32 || argand_array_type(given) == ARGAND_R64, ARGAND_ARGUMENT,
          "%s: %s are %s; phases are real numbers, in rad", s->scan->path, what,
          argand_type_name(argand_array_type(given)));
    CHECK(is_count_of_terms(terms), ARGAND_ARGUMENT,
          "%s: %s have %lld terms: give 1, 4, 9 or 16 (harmonics of order 0 to 3) or 20 (concomitant ones "
          "too), the last dimension (in NumPy the first)",
          s->scan->path, what, (long long)terms);
    for (int v = 0; v < s->volume_count; v++)
        CHECK(s->volumes[v].samples == samples, ARGAND_ARGUMENT,
              "%s: %s are of %lld samples, but volume %d has %lld: give one for each, sample fastest, then "
              "shot",
              s->scan->path, what, (long long)samples, v, (long long)s->volumes[v].samples);
    return ARGAND_OK;
}

/* Refuses phases whose size shows a wrong unit. */
static argand_status check_values(const argand_sense *s, const char *what)
{
    static const double reach[] = {1, 0.3, 0.09, 0.027, 0.09};
    for (int64_t l = 0; l < s->term_given; l++) {
        const int order = l < 1 ? 0 : l < 4 ? 1 : l < 9 ? 2 : l < 16 ? 3 : 4;
        for (int64_t j = 0; j < s->term_samples; j++) {
            const double c = s->terms[j + s->term_samples * l];
            CHECK(isfinite(c), ARGAND_NUMERIC, "%s: term %lld of sample %lld in %s is not finite",
                  s->scan->path, (long long)l, (long long)j, what);
            CHECK(fabs(c) * reach[order] < TWO_PI * MOST_TURNS, ARGAND_ARGUMENT,
                  "%s: term %lld of sample %lld in %s is %g, which is more than %d turns at 30 cm: units are "
                  "rad, rad/m, rad/m^2, rad/m^3",
                  s->scan->path, (long long)l, (long long)j, what, c, MOST_TURNS);
        }
    }
    return ARGAND_OK;
}

argand_status terms_take(argand_sense *s, const argand_sense_options *given)
{
    map_title what;
    if (!given->phase_terms) return ARGAND_OK;
    matrix_title(&what, "the phase terms", given->phase_terms_name);
    CHECK(s->options.phases == ARGAND_PHASES_NONE && s->bands == 1, ARGAND_UNSUPPORTED,
          "%s: phase terms exclude phase maps of shots and simultaneous slices: leave the phase terms out",
          s->scan->path);
    CHECK(argand_sense_geometry(s, 0).valid, ARGAND_ARGUMENT,
          "%s: phase terms need the position of the slices, but the acquisitions lack position, read_dir, "
          "phase_dir and slice_dir",
          s->scan->path);
    TRY(check_shape(s, given->phase_terms, what.chars));
    const int last = argand_array_rank(given->phase_terms) - 1;
    s->term_count = s->term_given = argand_array_dim(given->phase_terms, last);
    s->term_samples = argand_array_count(given->phase_terms) / s->term_count;
    TRY(numbers_of_array(given->phase_terms, &s->terms));
    TRY(check_values(s, what.chars));
    text_add(&s->notes, "Phase is measured: %lld term%s for each sample.\n", (long long)s->term_count,
             plural_s(s->term_count));
    return s->notes.status;
}

static double along(const double *direction, const double *c)
{
    return direction[0] * c[0] + direction[1] * c[1] + direction[2] * c[2];
}

/* Adds the linear terms to k, in cycles per field of view along each axis, and their phase at the grid's
 * centre to the constant term. */
static void shift(const argand_sense *s, const argand_geometry *g, double *c, double *const k[3], int64_t j,
                  int64_t count)
{
    const double *const directions[3] = {g->read, g->phase, g->slice};
    double linear[3] = {0};
    for (int axis = 0; axis < LINEAR && s->term_count > LINEAR; axis++) {
        linear[axis] = c[j + count * (1 + axis)];
        c[j + count * (1 + axis)] = 0;
    }
    for (int axis = 0; axis < s->grid.rank; axis++)
        k[axis][j] +=
            along(directions[axis], linear) * 1e-3 * g->voxel[axis] * (double)s->grid.n[axis] / TWO_PI;
    c[j] += 1e-3 * along(g->centre, linear);
}

static argand_status replace(const argand_sense *s, argand_array **array, const double *numbers,
                             int64_t count)
{
    argand_array_destroy(*array);
    *array = NULL;
    return array_of_numbers(s, numbers, count, array);
}

static argand_status put_terms(const argand_sense *s, const double *c, int64_t count, argand_array **out)
{
    argand_device *host;
    TRY(device_host(&host, s->device));
    TRY(argand_array_create(out, host, ARGAND_R64, 2, (int64_t[]){count, s->term_count}));
    return argand_array_upload(*out, c);
}

/* Makes the terms of all samples of a volume, in the file's order: given ones and concomitant ones. */
static argand_status all_terms(const argand_sense *s, const recon_volume *v, double **all)
{
    TRY(NEW(*all, v->samples * s->term_count));
    for (int64_t i = 0; i < v->samples * s->term_given; i++) (*all)[i] = s->terms[i];
    return s->concomitant > 0 ? concomitant_add(s, v, *all) : ARGAND_OK;
}

argand_status terms_of_volume(const argand_sense *s, const recon_volume *v, recon_samples *out)
{
    const int64_t count = out->at.count;
    const recon_choice choice = choice_of(s, v->rows, v->count);
    const argand_geometry g = argand_sense_geometry(s, (int)(v - s->volumes));
    double *k[3] = {NULL}, *c = NULL, *all = NULL;
    int64_t at = 0;
    argand_status status;
    TRY_OR_DONE(NEW(c, count * s->term_count));
    TRY_OR_DONE(all_terms(s, v, &all));
    for (int64_t q = 0; q < v->count; q++)
        for (int64_t i = 0; i < v->rows[q].acquisition->samples; i++) {
            if (!choice_takes(&choice, v->rows[q].acquisition, i)) continue;
            for (int64_t l = 0; l < s->term_count; l++)
                c[at + count * l] = all[v->rows[q].offset + i + v->samples * l];
            at++;
        }
    for (int axis = 0; axis < 3; axis++) TRY_OR_DONE(numbers_of_array(out->at.k[axis], &k[axis]));
    for (int64_t j = 0; j < count; j++) {
        if (s->concomitant > 0) concomitant_affine(c + j, count, g.centre, 1);
        shift(s, &g, c, k, j, count);
        if (s->concomitant > 0) concomitant_affine(c + j, count, g.centre, -1);
    }
    for (int axis = 0; axis < 3; axis++) TRY_OR_DONE(replace(s, &out->at.k[axis], k[axis], count));
    status = put_terms(s, c, count, &out->at.phase);
done:
    for (int axis = 0; axis < 3; axis++) memory_free(k[axis]);
    memory_free(all);
    memory_free(c);
    if (status) samples_free(out);
    return status;
}
