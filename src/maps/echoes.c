/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of the fits: echoes, their times, the mask. */
#include "maps/maps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "mri/host.h"

double echoes_spacing(const echo_data *d)
{
    double least = INFINITY;
    for (int e = 1; e < d->echoes; e++) least = fmin(least, d->times[e] - d->times[e - 1]);
    return least;
}

double echoes_least_decay(const echo_data *d)
{
    return 0.01 / d->times[d->echoes - 1];
}

double echoes_most_decay(const echo_data *d)
{
    return 4 / echoes_spacing(d);
}

static argand_status check_options(const argand_echo_options *o, const argand_array *echoes, const char *what)
{
    const int rank = argand_array_rank(echoes);
    CHECK(rank >= 2, ARGAND_ARGUMENT, "%s: echoes of rank %d; they must be {nx, ny[, nz[, ...]], echoes}",
          what, rank);
    CHECK(o->echo_count >= 2 && o->echo_count <= MOST_ECHOES && o->echo_times, ARGAND_ARGUMENT,
          "%s: %d echo times; give 2 to %d", what, o->echo_count, MOST_ECHOES);
    CHECK(argand_array_dim(echoes, rank - 1) == o->echo_count, ARGAND_ARGUMENT,
          "%s: %d echo times for %lld echoes", what, o->echo_count,
          (long long)argand_array_dim(echoes, rank - 1));
    for (int e = 0; e < o->echo_count; e++)
        CHECK(isfinite(o->echo_times[e]) && o->echo_times[e] < 10 &&
                  (e ? o->echo_times[e] > o->echo_times[e - 1] : o->echo_times[e] >= 0),
              ARGAND_ARGUMENT, "%s: echo time %d is %g s; they must rise, in seconds", what, e,
              o->echo_times[e]);
    CHECK(o->threshold >= 0 && o->threshold < 1 && isfinite(o->noise), ARGAND_ARGUMENT,
          "%s: a threshold of %g, noise %g; the threshold is a part of 1", what, o->threshold, o->noise);
    return ARGAND_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double square_of(const echo_data *d, int64_t element)
{
    if (!d->is_complex) return d->values[element] * d->values[element];
    const double *y = d->values + 2 * element;
    return y[0] * y[0] + y[1] * y[1];
}

/* Makes a mask of pixels whose root of the sum of squares exceeds a part of the 99th percentile. */
static argand_status mask_of_signal(echo_data *d, double part)
{
    double *signal, *sorted = NULL;
    argand_status status;
    TRY(NEW(signal, d->pixels));
    TRY_OR_DONE(NEW(sorted, d->pixels));
    for (int e = 0; e < d->echoes; e++)
        for (int64_t i = 0; i < d->pixels; i++) signal[i] += square_of(d, e * d->pixels + i);
    memcpy(sorted, signal, (size_t)d->pixels * sizeof *signal);
    qsort(sorted, (size_t)d->pixels, sizeof *sorted, ascending);
    const double limit = part * part * sorted[(d->pixels - 1) * 99 / 100];
    for (int64_t i = 0; i < d->pixels; i++) d->mask[i] = signal[i] > limit;
done:
    memory_free(sorted);
    memory_free(signal);
    return status;
}

/* Takes the mask of all pixels, or of one volume for all volumes. */
static argand_status mask_given(echo_data *d, const argand_array *mask, const char *what)
{
    double *values;
    const int64_t count = argand_array_count(mask);
    CHECK(!type_is_complex(argand_array_type(mask)) &&
              (count == d->pixels || count * d->volumes == d->pixels),
          ARGAND_ARGUMENT, "%s: the mask must be real with one value for each of %lld pixels", what,
          (long long)(d->pixels / d->volumes));
    TRY(host_read(&values, mask));
    for (int64_t i = 0; i < d->pixels; i++) d->mask[i] = values[i % count] != 0;
    memory_free(values);
    return ARGAND_OK;
}

/* Refuses numbers that are not finite, and finds the scale. */
static argand_status look_through(echo_data *d, const char *what)
{
    const int64_t count = d->pixels * d->echoes * (d->is_complex ? 2 : 1);
    double largest = 0;
    int exponent;
    for (int64_t i = 0; i < count; i++) {
        CHECK(isfinite(d->values[i]), ARGAND_NUMERIC, "%s: the echoes hold numbers that are not finite",
              what);
        largest = fmax(largest, fabs(d->values[i]));
    }
    frexp(largest, &exponent);
    d->scale = ldexp(1, exponent > -1000 ? -exponent : 1000);
    return ARGAND_OK;
}

argand_status echoes_read(echo_data *d, const argand_array *echoes, const argand_echo_options *o,
                          const char *what)
{
    const int rank = argand_array_rank(echoes);
    *d = (echo_data){0};
    TRY(check_options(o, echoes, what));
    d->echoes = o->echo_count;
    d->times = o->echo_times;
    d->noise = o->noise;
    d->is_complex = type_is_complex(argand_array_type(echoes));
    d->pixels = argand_array_count(echoes) / d->echoes;
    for (int axis = 0; axis < 3; axis++) d->n[axis] = axis < rank - 1 ? argand_array_dim(echoes, axis) : 1;
    d->volumes = d->pixels / (d->n[0] * d->n[1] * d->n[2]);
    d->threads = argand_device_threads(argand_array_device(echoes));
    TRY(host_read(&d->values, echoes));
    TRY(look_through(d, what));
    TRY(NEW(d->mask, d->pixels));
    TRY(o->mask ? mask_given(d, o->mask, what) : mask_of_signal(d, o->threshold > 0 ? o->threshold : 0.05));
    for (int64_t i = 0; i < d->pixels; i++) d->inside += d->mask[i] != 0;
    CHECK(d->inside > 0, ARGAND_ARGUMENT, "%s: the mask is empty", what);
    return ARGAND_OK;
}

void echoes_free(echo_data *d)
{
    memory_free(d->values);
    memory_free(d->mask);
    *d = (echo_data){0};
}

argand_status echoes_check_map(const echo_data *d, const argand_array *map, const char *what)
{
    CHECK(!map || (!type_is_complex(argand_array_type(map)) && argand_array_count(map) == d->pixels),
          ARGAND_ARGUMENT, "%s: maps must be real with one value for each of %lld pixels", what,
          (long long)d->pixels);
    return ARGAND_OK;
}
