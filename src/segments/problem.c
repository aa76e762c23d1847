/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and checks maps and times of the options, and makes their histograms. */
#include "segments/problem.h"

#include <stdlib.h>
#include <string.h>
#include "base/pi.h"
#include "array/array.h"

static void widen(double *numbers, int64_t count)
{
    const char *bytes = (const char *)numbers;
    for (int64_t i = count; i-- > 0;) {
        float value;
        memcpy(&value, bytes + (size_t)i * sizeof value, sizeof value);
        numbers[i] = (double)value;
    }
}

static argand_status read_reals(double **numbers, const argand_array *array, const char *name)
{
    const argand_type type = argand_array_type(array);
    CHECK(type == ARGAND_R32 || type == ARGAND_R64, ARGAND_ARGUMENT,
          "segments: %s is %s; it must be a real array", name, argand_type_name(type));
    TRY(NEW(*numbers, argand_array_count(array)));
    TRY(argand_array_download(array, *numbers));
    if (type == ARGAND_R32) widen(*numbers, argand_array_count(array));
    return ARGAND_OK;
}

static argand_status check_options(const argand_segments_options *o)
{
    CHECK(o, ARGAND_ARGUMENT, "segments: no options given");
    CHECK(o->type == ARGAND_C32 || o->type == ARGAND_C64, ARGAND_ARGUMENT,
          "segments: type must be ARGAND_C32 or ARGAND_C64, not %d", (int)o->type);
    CHECK((int)o->interpolator >= 0 && o->interpolator <= ARGAND_INTERPOLATE_SVD, ARGAND_ARGUMENT,
          "segments: there is no interpolator %d", (int)o->interpolator);
    CHECK(o->count >= 0 && o->count < SEGMENTS_MOST_TERMS, ARGAND_ARGUMENT,
          "segments: a count of %d; give 1 to %d, or 0 for as many as the tolerance needs", o->count,
          SEGMENTS_MOST_TERMS - 1);
    const double least = o->type == ARGAND_C32 ? 1e-6 : 1e-12;
    CHECK(o->tolerance == 0 || (o->tolerance >= least && o->tolerance < 1), ARGAND_ARGUMENT,
          "segments: a tolerance of %g; it must be from %g (%s) to 1, or 0 for 1e-3", o->tolerance, least,
          argand_type_name(o->type));
    CHECK(o->t, ARGAND_ARGUMENT, "segments: t is missing; off-resonance needs the time of each sample");
    CHECK(o->field_map || o->r2star, ARGAND_ARGUMENT,
          "segments: neither a field map nor R2* is given; there is nothing to correct");
    return ARGAND_OK;
}

static argand_status check_pixels(const problem *p, const argand_array *array, const char *name)
{
    CHECK(!array || argand_array_count(array) == p->pixels, ARGAND_ARGUMENT,
          "segments: %s has %lld pixels, but %s has %lld", name,
          (long long)(array ? argand_array_count(array) : 0), p->options.field_map ? "the field map" : "R2*",
          (long long)p->pixels);
    return ARGAND_OK;
}

static argand_status check_finite(const double *numbers, int64_t count, const int64_t *place,
                                  const char *name, const char *one)
{
    for (int64_t i = 0; i < count; i++)
        CHECK(isfinite(numbers[i]), ARGAND_NUMERIC, "segments: %s of %s %lld is %g", name, one,
              (long long)(place ? place[i] : i), numbers[i]);
    return ARGAND_OK;
}

static argand_status list_inside(problem *p)
{
    double *mask = NULL;
    argand_status status = NEW(p->place, p->pixels);
    if (status == ARGAND_OK && p->options.mask) status = read_reals(&mask, p->options.mask, "mask");
    for (int64_t i = 0; status == ARGAND_OK && i < p->pixels; i++)
        if (!mask || mask[i] != 0) p->place[p->inside++] = i;
    memory_free(mask);
    TRY(status);
    CHECK(p->inside > 0, ARGAND_ARGUMENT, "segments: the mask is 0 everywhere");
    return ARGAND_OK;
}

static argand_status read_inside(double **numbers, const problem *p, const argand_array *array,
                                 const char *name)
{
    if (!array) return NEW(*numbers, p->inside);
    TRY(read_reals(numbers, array, name));
    for (int64_t i = 0; i < p->inside; i++) (*numbers)[i] = (*numbers)[p->place[i]];
    return check_finite(*numbers, p->inside, p->place, name, "pixel");
}

static argand_status read_space(problem *p)
{
    const argand_segments_options *o = &p->options;
    p->pixels = argand_array_count(o->field_map ? o->field_map : o->r2star);
    TRY(check_pixels(p, o->r2star, "R2*"));
    TRY(check_pixels(p, o->mask, "the mask"));
    TRY(list_inside(p));
    TRY(read_inside(&p->w, p, o->field_map, "the field map"));
    return o->r2star ? read_inside(&p->decay, p, o->r2star, "R2*") : ARGAND_OK;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static argand_status read_time(problem *p)
{
    p->samples = argand_array_count(p->options.t);
    TRY(read_reals(&p->t, p->options.t, "t"));
    TRY(check_finite(p->t, p->samples, NULL, "t", "sample"));
    TRY(NEW(p->instant, p->samples));
    TRY(NEW(p->often, p->samples));
    memcpy(p->instant, p->t, (size_t)p->samples * sizeof *p->t);
    qsort(p->instant, (size_t)p->samples, sizeof *p->instant, rising);
    for (int64_t j = 0; j < p->samples; j++) {
        if (p->instants && p->instant[p->instants - 1] == p->instant[j]) {
            p->often[p->instants - 1]++;
            continue;
        }
        p->instant[p->instants] = p->instant[j];
        p->often[p->instants++] = 1;
    }
    return ARGAND_OK;
}

static void range_of(const double *numbers, int64_t count, double *low, double *high)
{
    *low = *high = count ? numbers[0] : 0;
    for (int64_t i = 1; i < count; i++) {
        *low = fmin(*low, numbers[i]);
        *high = fmax(*high, numbers[i]);
    }
}

/* Returns the mean; exact if all numbers are the same. */
static double mean_of(const double *numbers, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += numbers[i] - numbers[0];
    return numbers[0] + sum / (double)count;
}

static void find_ranges(problem *p)
{
    p->space = (values){.count = p->inside, .value = p->w, .decay = p->decay};
    p->time = (values){.count = p->instants, .value = p->instant, .weight = p->often};
    range_of(p->w, p->inside, &p->space.low, &p->space.high);
    if (p->decay) range_of(p->decay, p->inside, &p->space.decay_low, &p->space.decay_high);
    p->time.low = p->instant[0];
    p->time.high = p->instant[p->instants - 1];
    const double duration = p->time.high - p->time.low;
    p->turns = (p->space.high - p->space.low) * duration / TWO_PI;
    p->decays = (p->space.decay_high - p->space.decay_low) * duration;
    p->mean = CMPLX(p->decay ? mean_of(p->decay, p->inside) : 0, mean_of(p->w, p->inside));
    p->mean_time = mean_of(p->t, p->samples);
    p->ridge = p->options.type == ARGAND_C32 ? 1e-8 : 1e-14;
}

/* Refuses ranges beyond which a phase or an amplitude has no correct digits. */
static argand_status check_ranges(const problem *p)
{
    const values *z = &p->space, *t = &p->time;
    const double most_time = fmax(fabs(t->low), fabs(t->high));
    const double turns = fmax(fabs(z->low), fabs(z->high)) * most_time / TWO_PI;
    const double least = fmin(fmin(z->decay_low * t->low, z->decay_low * t->high),
                              fmin(z->decay_high * t->low, z->decay_high * t->high));
    CHECK(turns <= 1e6, ARGAND_ARGUMENT,
          "segments: the field map reaches %g turns at t = %g s; are the units right (rad/s, s)?", turns,
          most_time);
    CHECK(least >= -80, ARGAND_ARGUMENT,
          "segments: R2* times t falls to %g, which grows instead of decaying; is a sign wrong?", least);
    return ARGAND_OK;
}

argand_status problem_read(problem *p, const argand_segments_options *options)
{
    TRY(check_options(options));
    *p = (problem){.options = *options};
    argand_status status = read_space(p);
    if (status == ARGAND_OK) status = read_time(p);
    if (status == ARGAND_OK) find_ranges(p);
    if (status == ARGAND_OK) status = check_ranges(p);
    if (status != ARGAND_OK) problem_release(p);
    return status;
}

static void normalise(histogram *h)
{
    double sum = 0;
    for (int k = 0; k < h->count; k++) sum += h->weight[k];
    for (int k = 0; k < h->count; k++) h->weight[k] /= sum;
}

argand_status problem_histograms(problem *p, int space_panels, int time_panels)
{
    /* decay by a factor e needs as many nodes as a phase of one radian */
    const double duration = p->time.high - p->time.low;
    const double turns = p->turns + fmax(0, p->space.decay_high) * duration / TWO_PI;
    const histogram_grid space = histogram_grid_for(p->turns, space_panels, p->decays),
                         time = histogram_grid_for(turns, time_panels, 0);
    histogram_release(&p->over_space);
    histogram_release(&p->over_time);
    TRY(histogram_make(&p->over_space, &p->space, &space, true));
    TRY(histogram_make(&p->over_time, &p->time, &time, false));
    normalise(&p->over_space);
    normalise(&p->over_time);
    return ARGAND_OK;
}

void problem_release(problem *p)
{
    histogram_release(&p->over_space);
    histogram_release(&p->over_time);
    memory_free(p->t);
    memory_free(p->place);
    memory_free(p->w);
    memory_free(p->decay);
    memory_free(p->instant);
    memory_free(p->often);
    *p = (problem){0};
}
