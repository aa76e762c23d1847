/* SPDX-License-Identifier: BSD-3-Clause */
#include "segments/segments.h"

#include <stdio.h>
#include "array/array.h"

const char *argand_interpolator_name(argand_interpolator interpolator)
{
    static const char *const names[] = {"auto", "linear", "Hann", "min-max", "SVD"};
    return (int)interpolator >= 0 && interpolator <= ARGAND_INTERPOLATE_SVD ? names[interpolator] : "unknown";
}

/* A factor's values on the host as they go to the device: {count, terms} in the type's precision. */
typedef struct table {
    void *numbers;
    int64_t count;
    bool is_double;
} table;

static void put(const table *t, int64_t row, int term, double complex value)
{
    const size_t at = 2 * ((size_t)term * (size_t)t->count + (size_t)row);
    if (t->is_double) {
        ((double *)t->numbers)[at] = creal(value);
        ((double *)t->numbers)[at + 1] = cimag(value);
    } else {
        ((float *)t->numbers)[at] = (float)creal(value);
        ((float *)t->numbers)[at + 1] = (float)cimag(value);
    }
}

static int64_t instant_of(const problem *p, double t)
{
    int64_t low = 0, high = p->instants - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (p->instant[middle] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Samples of the same time share one evaluation. */
static argand_status fill_time(const table *t, const problem *p, const factor *f)
{
    double complex *each;
    TRY(NEW(each, (size_t)p->instants * (size_t)f->terms));
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t i = 0; i < p->instants; i++)
        factor_at(f, p->instant[i], each + (size_t)i * (size_t)f->terms);
#pragma omp parallel for schedule(static)
    for (int64_t j = 0; j < p->samples; j++) {
        const double complex *value = each + (size_t)instant_of(p, p->t[j]) * (size_t)f->terms;
        for (int l = 0; l < f->terms; l++) put(t, j, l, value[l]);
    }
    memory_free(each);
    return ARGAND_OK;
}

static void fill_space(const table *t, const problem *p, const factor *f)
{
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t i = 0; i < p->inside; i++) {
        double complex value[SEGMENTS_MOST_TERMS];
        factor_at(f, CMPLX(p->decay ? p->decay[i] : 0, p->w[i]), value);
        for (int l = 0; l < f->terms; l++) put(t, p->place[i], l, value[l]);
    }
}

static argand_status make_array(argand_array **array, argand_device *device, const problem *p,
                                const factor *f, bool space)
{
    const bool is_double = type_is_double(p->options.type);
    table t = {.count = space ? p->pixels : p->samples, .is_double = is_double};
    argand_status status;
    TRY(memory_new(&t.numbers, 2 * (size_t)t.count * (size_t)f->terms,
                   is_double ? sizeof(double) : sizeof(float)));
    TRY_OR_DONE(
        argand_array_create(array, device, p->options.type, 2, (const int64_t[2]){t.count, f->terms}));
    if (space)
        fill_space(&t, p, f);
    else
        TRY_OR_DONE(fill_time(&t, p, f));
    status = argand_array_upload(*array, t.numbers);
done:
    memory_free(t.numbers);
    return status;
}

static void describe(argand_segments_info *info, const problem *p, const design *d, int optimum)
{
    *info = (argand_segments_info){.type = p->options.type,
                                   .interpolator = d->interpolator,
                                   .frequency = d->frequency,
                                   .terms = d->terms,
                                   .optimum = optimum,
                                   .samples = p->samples,
                                   .pixels = p->pixels,
                                   .inside = p->inside,
                                   .tolerance = p->options.count           ? 0
                                                : p->options.tolerance > 0 ? p->options.tolerance
                                                                           : 1e-3,
                                   .error = d->error,
                                   .largest = d->largest,
                                   .cycles = p->turns,
                                   .bytes = (size_t)(p->samples + p->pixels) * (size_t)d->terms *
                                            argand_type_size(p->options.type)};
}

static argand_status make(argand_segments *s, argand_device *device, problem *p)
{
    design d;
    int optimum;
    TRY(segments_choose(&d, p, &optimum));
    argand_status status = make_array(&s->time, device, p, &d.time, false);
    if (status == ARGAND_OK) status = make_array(&s->space, device, p, &d.space, true);
    if (status == ARGAND_OK) describe(&s->info, p, &d, optimum);
    design_release(&d);
    return status;
}

argand_status argand_segments_create(argand_segments **segments, argand_device *device,
                                     const argand_segments_options *options)
{
    problem p;
    argand_segments *s;
    CHECK(segments && device, ARGAND_ARGUMENT, "segments: no %s", device ? "place for them" : "device");
    *segments = NULL;
    TRY(problem_read(&p, options));
    argand_status status = NEW(s, 1);
    if (status == ARGAND_OK) {
        status = make(s, device, &p);
        if (status == ARGAND_OK)
            *segments = s;
        else
            argand_segments_destroy(s);
    }
    problem_release(&p);
    return status;
}

const argand_array *argand_segments_time(const argand_segments *segments)
{
    return segments ? segments->time : NULL;
}

const argand_array *argand_segments_space(const argand_segments *segments)
{
    return segments ? segments->space : NULL;
}

void argand_segments_describe(const argand_segments *segments, argand_segments_info *info)
{
    if (info) *info = segments ? segments->info : (argand_segments_info){0};
}

void argand_segments_print(const argand_segments *segments, char *text, size_t size)
{
    if (!segments) {
        if (size) *text = 0;
        return;
    }
    const argand_segments_info *i = &segments->info;
    if (i->interpolator == ARGAND_INTERPOLATE_SVD)
        snprintf(text, size, "(segments %d by SVD, error %.1e)", i->terms, i->error);
    else
        snprintf(text, size, "(segments %d of %s by %s, error %.1e)", i->terms,
                 i->frequency ? "frequency" : "time", argand_interpolator_name(i->interpolator), i->error);
}

void argand_segments_destroy(argand_segments *segments)
{
    if (!segments) return;
    argand_array_destroy(segments->time);
    argand_array_destroy(segments->space);
    memory_free(segments);
}
