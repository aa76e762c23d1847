/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates a design's factors at every sample or pixel, as arrays on a device. */
#include "segments/table.h"

#include "array/array.h"
#include "base/cpu.h"
#include "base/pi.h"
#include "segments/sampled.h"

/* Values on the host in the form for the device: {rows, terms} of the type. */
typedef struct table {
    void *numbers;
    int64_t rows;
    argand_type type;
} table;

static void put(const table *t, int64_t row, int term, double complex value)
{
    const size_t at = (size_t)term * (size_t)t->rows + (size_t)row;
    switch (t->type) {
    case ARGAND_R32:
        ((float *)t->numbers)[at] = (float)creal(value);
        break;
    case ARGAND_R64:
        ((double *)t->numbers)[at] = creal(value);
        break;
    case ARGAND_C32:
        ((float *)t->numbers)[2 * at] = (float)creal(value);
        ((float *)t->numbers)[2 * at + 1] = (float)cimag(value);
        break;
    case ARGAND_C64:
        ((double *)t->numbers)[2 * at] = creal(value);
        ((double *)t->numbers)[2 * at + 1] = cimag(value);
        break;
    default: /* storage types: never requested */
        break;
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

/* Evaluates the factor at each distinct time once and copies the values to all samples of that time. */
static argand_status fill_time(const table *t, const problem *p, const factor *f)
{
    const double duration = p->time.high - p->time.low;
    const double turns = p->turns + fmax(0, p->space.decay_high) * duration / TWO_PI;
    double complex *each;
    sampled fast = {0};
    argand_status status;
    TRY(NEW(each, (size_t)p->instants * (size_t)f->terms));
    if (f->weight)
        TRY_OR_DONE(
            sampled_make(&fast, f, p->time.low, p->time.high, turns, false, CMPLX(0, cimag(p->mean))));
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu_threads(0))
    for (int64_t i = 0; i < p->instants; i++) {
        double complex *out = each + (size_t)i * (size_t)f->terms;
        fast.value ? sampled_at(&fast, p->instant[i], out) : factor_at(f, p->instant[i], out);
    }
#pragma omp parallel for schedule(static) num_threads(cpu_threads(0))
    for (int64_t j = 0; j < p->samples; j++) {
        const double complex *value = each + (size_t)instant_of(p, p->t[j]) * (size_t)f->terms;
        for (int l = 0; l < f->terms; l++) put(t, j, l, value[l]);
    }
    status = ARGAND_OK;
done:
    sampled_release(&fast);
    memory_free(each);
    return status;
}

static argand_status fill_space(const table *t, const problem *p, const factor *f)
{
    sampled fast = {0};
    if (f->weight && !p->decay)
        TRY(sampled_make(&fast, f, p->space.low, p->space.high, p->turns, true, CMPLX(p->mean_time, 0)));
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu_threads(0))
    for (int64_t i = 0; i < p->inside; i++) {
        double complex value[SEGMENTS_MOST_TERMS];
        fast.value ? sampled_at(&fast, p->w[i], value)
                   : factor_at(f, CMPLX(p->decay ? p->decay[i] : 0, p->w[i]), value);
        for (int l = 0; l < f->terms; l++) put(t, p->place[i], l, value[l]);
    }
    sampled_release(&fast);
    return ARGAND_OK;
}

static argand_status begin(table *t, argand_type type, int64_t rows, int terms)
{
    *t = (table){.rows = rows, .type = type};
    return memory_new(&t->numbers, (size_t)rows * (size_t)terms, argand_type_size(type));
}

/* Makes the array of a filled table, and frees the table. */
static argand_status finish(argand_array **array, argand_device *device, table *t, int terms)
{
    const int64_t dims[2] = {t->rows, terms};
    argand_status status = argand_array_create(array, device, t->type, 2, dims);
    if (!status) status = argand_array_upload(*array, t->numbers);
    memory_free(t->numbers);
    return status;
}

argand_status table_of_time(argand_array **array, argand_device *device, const problem *p, const factor *f,
                            bool real)
{
    const argand_type complex_type = p->options.type;
    const argand_type real_type = complex_type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    table t;
    TRY(begin(&t, real ? real_type : complex_type, p->samples, f->terms));
    const argand_status status = fill_time(&t, p, f);
    if (!status) return finish(array, device, &t, f->terms);
    memory_free(t.numbers);
    return status;
}

argand_status table_of_space(argand_array **array, argand_device *device, const problem *p, const factor *f)
{
    table t;
    TRY(begin(&t, p->options.type, p->pixels, f->terms));
    const argand_status status = fill_space(&t, p, f);
    if (!status) return finish(array, device, &t, f->terms);
    memory_free(t.numbers);
    return status;
}
