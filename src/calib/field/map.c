/* SPDX-License-Identifier: BSD-3-Clause */
/* Field map from two or more echoes of any number of coils. For a pair of echoes m < n, sum_c conj(y_cm)
 * y_cn has the phase -w (t_n - t_m), and its modulus measures the reliability (Funai et al., IEEE Trans.
 * Med. Imaging 27:1484, 2008, for several coils by the sum). The start is the unwrapped phase of the
 * shortest spacing. Pairs of longer spacing join from short to long, so that each begins within half a
 * turn of its minimum. */
#include "calib/field/field.h"

#include <math.h>
#include <stdlib.h>
#include "mri/host.h"

enum { DEFAULT_ITERATIONS = 30, MOST_ECHOES = 64 };

typedef struct echo_pair {
    int first, second;
    double spacing; /* s, positive */
} echo_pair;

/* Data read from the arguments. */
typedef struct echo_task {
    int64_t n[3], pixels, coils;
    int echoes, pair_count;
    echo_pair *pairs; /* sorted by spacing */
    const double *data;
    char *mask;
} echo_task;

static int by_spacing(const void *a, const void *b)
{
    const echo_pair *x = a, *y = b;
    if (x->spacing != y->spacing) return x->spacing < y->spacing ? -1 : 1;
    return x->first != y->first ? x->first - y->first : x->second - y->second;
}

static void list_pairs(echo_task *t, const double *times)
{
    for (int m = 0; m < t->echoes; m++)
        for (int n = m + 1; n < t->echoes; n++) {
            const bool forward = times[n] > times[m];
            t->pairs[t->pair_count++] =
                (echo_pair){forward ? m : n, forward ? n : m, fabs(times[n] - times[m])};
        }
    qsort(t->pairs, (size_t)t->pair_count, sizeof *t->pairs, by_spacing);
}

/* Computes sum_c conj(y_c,first) y_c,second at a pixel. */
static void correlate(const echo_task *t, const echo_pair *pair, int64_t i, double *re, double *im)
{
    *re = *im = 0;
    for (int64_t c = 0; c < t->coils; c++) {
        const double *a = t->data + 2 * ((pair->first * t->coils + c) * t->pixels + i),
                     *b = t->data + 2 * ((pair->second * t->coils + c) * t->pixels + i);
        *re += a[0] * b[0] + a[1] * b[1];
        *im += a[0] * b[1] - a[1] * b[0];
    }
}

/* ---- the mask */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Makes a mask of pixels whose root of the sum of squares exceeds a part of the 99th percentile. */
static argand_status mask_of_signal(echo_task *t, double part)
{
    double *signal, *sorted = NULL;
    argand_status status;
    TRY(NEW(signal, t->pixels));
    TRY_OR_DONE(NEW(sorted, t->pixels));
    for (int64_t i = 0; i < t->pixels; i++) {
        for (int64_t k = 0; k < t->coils * t->echoes; k++) {
            const double *y = t->data + 2 * (k * t->pixels + i);
            signal[i] += y[0] * y[0] + y[1] * y[1];
        }
        sorted[i] = signal[i] = sqrt(signal[i]);
    }
    qsort(sorted, (size_t)t->pixels, sizeof *sorted, ascending);
    const double limit = part * sorted[(t->pixels - 1) * 99 / 100];
    for (int64_t i = 0; i < t->pixels; i++) t->mask[i] = signal[i] > limit;
done:
    memory_free(sorted);
    memory_free(signal);
    return status;
}

static argand_status mask_given(echo_task *t, const argand_array *mask)
{
    double *values;
    TRY(host_read(&values, mask));
    for (int64_t i = 0; i < t->pixels; i++) t->mask[i] = values[i] != 0;
    memory_free(values);
    return ARGAND_OK;
}

static int64_t count_mask(const echo_task *t)
{
    int64_t count = 0;
    for (int64_t i = 0; i < t->pixels; i++) count += t->mask[i] != 0;
    return count;
}

/* ---- the fit */

/* Computes amounts and angles of all pairs. Amounts are scaled so that the mean curvature inside the mask
 * is 1. */
static argand_status prepare(const echo_task *t, field_fit *f)
{
    double sum = 0;
    for (int p = 0; p < t->pair_count; p++) {
        f->ratio[p] = t->pairs[p].spacing / t->pairs[0].spacing;
        for (int64_t i = 0; i < t->pixels; i++) {
            double re, im;
            if (!t->mask[i]) continue;
            correlate(t, &t->pairs[p], i, &re, &im);
            f->amount[p * t->pixels + i] = hypot(re, im);
            f->angle[p * t->pixels + i] = atan2(im, re);
            sum += f->amount[p * t->pixels + i] * f->ratio[p] * f->ratio[p];
        }
    }
    CHECK(sum > 0, ARGAND_NUMERIC, "field map: the echoes hold no signal inside the mask");
    const double scale = (double)count_mask(t) / sum;
    for (int64_t i = 0; i < t->pair_count * t->pixels; i++) f->amount[i] *= scale;
    return ARGAND_OK;
}

/* Computes the start: the unwrapped phase of all pairs with the shortest spacing. */
static argand_status start(const echo_task *t, field_fit *f)
{
    double *phase, *weight = NULL;
    argand_status status;
    TRY(NEW(phase, t->pixels));
    TRY_OR_DONE(NEW(weight, t->pixels));
    for (int64_t i = 0; i < t->pixels; i++) {
        double re = 0, im = 0;
        for (int p = 0; p < t->pair_count && f->ratio[p] < 1 + 1e-6; p++) {
            re += f->amount[p * t->pixels + i] * cos(f->angle[p * t->pixels + i]);
            im += f->amount[p * t->pixels + i] * sin(f->angle[p * t->pixels + i]);
        }
        phase[i] = t->mask[i] ? atan2(-im, re) : 0;
        weight[i] = hypot(re, im);
    }
    const unwrap_task u = {
        .n = {t->n[0], t->n[1], t->n[2]}, .phase = phase, .weight = weight, .mask = t->mask, .out = f->x};
    status = unwrap_run(&u);
done:
    memory_free(weight);
    memory_free(phase);
    return status;
}

/* Refines the field, first with the pairs of the shortest spacing, finally with all. */
static argand_status refine(const echo_task *t, field_fit *f)
{
    for (int done = 0; done < t->pair_count;) {
        int next = done;
        while (next < t->pair_count && f->ratio[next] < f->ratio[done] * (1 + 1e-6)) next++;
        TRY(field_fit_run(f, next));
        done = next;
    }
    return ARGAND_OK;
}

/* Returns the rms of the remaining phase errors in rad, weighted by amounts. */
static double misfit(const echo_task *t, const field_fit *f)
{
    double square = 0, sum = 0;
    for (int p = 0; p < t->pair_count; p++)
        for (int64_t i = 0; i < t->pixels; i++) {
            const double amount = f->amount[p * t->pixels + i];
            const double s = unwrap_nearest(f->angle[p * t->pixels + i] + f->ratio[p] * f->x[i]);
            square += amount * s * s;
            sum += amount;
        }
    return sqrt(square / sum);
}

static argand_status run(echo_task *t, const argand_fieldmap_options *o, int threads, argand_array *map,
                         argand_fieldmap_report *report)
{
    field_fit f = {.n = {t->n[0], t->n[1], t->n[2]},
                   .pixels = t->pixels,
                   .pairs = t->pair_count,
                   .mask = t->mask,
                   .beta = o->beta > 0   ? o->beta
                           : o->beta < 0 ? 0
                                         : 0.05,
                   .iterations = o->iterations > 0 ? o->iterations : DEFAULT_ITERATIONS,
                   .threads = threads};
    argand_status status;
    TRY_OR_DONE(NEW(f.amount, t->pair_count * t->pixels));
    TRY_OR_DONE(NEW(f.angle, t->pair_count * t->pixels));
    TRY_OR_DONE(NEW(f.ratio, t->pair_count));
    TRY_OR_DONE(NEW(f.x, t->pixels));
    TRY_OR_DONE(prepare(t, &f));
    TRY_OR_DONE(start(t, &f));
    TRY_OR_DONE(refine(t, &f));
    if (report)
        *report =
            (argand_fieldmap_report){.inside = count_mask(t), .iterations = f.done, .misfit = misfit(t, &f)};
    if (!o->zero_outside) TRY_OR_DONE(field_continue(f.x, t->mask, t->n, f.threads));
    for (int64_t i = 0; i < t->pixels; i++) f.x[i] /= t->pairs[0].spacing;
    status = host_write_real(map, f.x);
done:
    memory_free(f.x);
    memory_free(f.ratio);
    memory_free(f.angle);
    memory_free(f.amount);
    return status;
}

/* ---- arguments */

static argand_status check_times(const argand_fieldmap_options *o, const argand_array *echoes)
{
    const int rank = argand_array_rank(echoes);
    CHECK((rank == 4 || rank == 5) && type_is_complex(argand_array_type(echoes)), ARGAND_ARGUMENT,
          "field map: echoes of rank %d, %s; they must be complex {nx, ny[, nz], coils, echoes}", rank,
          argand_type_name(argand_array_type(echoes)));
    CHECK(o->echo_count >= 2 && o->echo_count <= MOST_ECHOES && o->echo_times, ARGAND_ARGUMENT,
          "field map: %d echo times; give 2 to %d", o->echo_count, MOST_ECHOES);
    CHECK(argand_array_dim(echoes, rank - 1) == o->echo_count, ARGAND_ARGUMENT,
          "field map: %d echo times for %lld echoes", o->echo_count,
          (long long)argand_array_dim(echoes, rank - 1));
    for (int m = 0; m < o->echo_count; m++)
        for (int n = 0; n < o->echo_count; n++)
            CHECK(isfinite(o->echo_times[m]) && fabs(o->echo_times[m]) < 10 &&
                      (m == n || o->echo_times[m] != o->echo_times[n]),
                  ARGAND_ARGUMENT, "field map: echo time %d is %g s; they must differ, in seconds", m,
                  o->echo_times[m]);
    return ARGAND_OK;
}

static argand_status check_map(const argand_array *map, const echo_task *t, const argand_fieldmap_options *o)
{
    CHECK(!type_is_complex(argand_array_type(map)) && argand_array_count(map) == t->pixels, ARGAND_ARGUMENT,
          "field map: the map must be real with one value for each of %lld pixels", (long long)t->pixels);
    CHECK(!o->mask ||
              (!type_is_complex(argand_array_type(o->mask)) && argand_array_count(o->mask) == t->pixels),
          ARGAND_ARGUMENT, "field map: the mask must be real with one value for each of %lld pixels",
          (long long)t->pixels);
    CHECK(isfinite(o->beta) && o->iterations >= 0 && o->threshold >= 0 && o->threshold < 1, ARGAND_ARGUMENT,
          "field map: beta %g, %d iterations, a threshold of %g; the last is a part of 1", o->beta,
          o->iterations, o->threshold);
    return ARGAND_OK;
}

argand_status argand_fieldmap_estimate(argand_array *map, const argand_array *echoes,
                                       const argand_fieldmap_options *options, argand_fieldmap_report *report)
{
    echo_task t = {0};
    double *data = NULL;
    argand_status status;
    CHECK_ARRAY(map);
    CHECK_ARRAY(echoes);
    CHECK(options, ARGAND_ARGUMENT, "field map: the options with the echo times are missing");
    TRY(check_times(options, echoes));
    const int rank = argand_array_rank(echoes);
    for (int axis = 0; axis < 3; axis++) t.n[axis] = axis < rank - 2 ? argand_array_dim(echoes, axis) : 1;
    t.pixels = t.n[0] * t.n[1] * t.n[2];
    t.coils = argand_array_dim(echoes, rank - 2);
    t.echoes = options->echo_count;
    TRY(check_map(map, &t, options));
    TRY(calib_check_finite(echoes, "field map: the echoes"));
    TRY_OR_DONE(NEW(t.pairs, t.echoes * (t.echoes - 1) / 2));
    list_pairs(&t, options->echo_times);
    TRY_OR_DONE(NEW(t.mask, t.pixels));
    TRY_OR_DONE(host_read(&data, echoes));
    t.data = data;
    TRY_OR_DONE(options->mask ? mask_given(&t, options->mask)
                              : mask_of_signal(&t, options->threshold > 0 ? options->threshold : 0.1));
    CHECK_OR_DONE(count_mask(&t) > 0, ARGAND_ARGUMENT, "field map: the mask is empty");
    status = run(&t, options, argand_device_threads(argand_array_device(echoes)), map, report);
done:
    memory_free(data);
    memory_free(t.mask);
    memory_free(t.pairs);
    return status;
}
