/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the samples in a region of k-space, for grids of few pixels over the same field of view. */
#include "recon/samples/samples.h"

#include <math.h>
#include "base/memory.h"
#include "device/device.h"

/* Sample data on the host. */
typedef struct numbers {
    double *k[3], *t, *y, *phase; /* phase: measured phase, {total, terms}; NULL: none */
    int64_t count, total;         /* samples stored so far; capacity */
} numbers;

static void numbers_free(numbers *v)
{
    for (int axis = 0; axis < 3; axis++) memory_free(v->k[axis]);
    memory_free(v->t);
    memory_free(v->y);
    memory_free(v->phase);
    *v = (numbers){.count = 0};
}

static argand_status numbers_read(const recon_samples *from, numbers *v)
{
    *v = (numbers){.count = from->at.count, .total = from->at.count};
    for (int axis = 0; axis < 3; axis++) TRY(numbers_of_array(from->at.k[axis], &v->k[axis]));
    TRY(numbers_of_array(from->at.t, &v->t));
    TRY(numbers_of_array(from->y, &v->y));
    return from->at.phase ? numbers_of_array(from->at.phase, &v->phase) : ARGAND_OK;
}

static argand_status numbers_reserve(const argand_sense *s, bool has_phase, int64_t total, numbers *v)
{
    *v = (numbers){.total = total};
    for (int axis = 0; axis < 3; axis++) TRY(NEW(v->k[axis], total));
    TRY(NEW(v->t, total));
    TRY(NEW(v->y, 2 * total * s->coils));
    return has_phase ? NEW(v->phase, total * s->term_count) : ARGAND_OK;
}

static bool is_within(const argand_sense *small, const recon_region *r, const numbers *v, int64_t i)
{
    for (int axis = 0; axis < small->grid.rank; axis++)
        if (small->grid.n[axis] > 1 && fabs(v->k[axis][i] - r->middle[axis]) > r->reach[axis]) return false;
    return true;
}

static void keep(const argand_sense *small, const recon_region *r, const numbers *from, int64_t i,
                 numbers *to)
{
    const int64_t j = to->count++;
    for (int axis = 0; axis < 3; axis++) to->k[axis][j] = from->k[axis][i] - r->middle[axis];
    to->t[j] = from->t[i];
    for (int c = 0; c < small->coils; c++)
        for (int part = 0; part < 2; part++)
            to->y[2 * (j + to->total * c) + part] = from->y[2 * (i + from->total * c) + part];
    for (int64_t l = 0; to->phase && from->phase && l < small->term_count; l++)
        to->phase[j + to->total * l] = from->phase[i + from->total * l];
}

/* Appends the samples of `from`, whose data are `all`, that lie in the region, shot by shot. Shots without
 * any are left out. */
static void keep_shots(const argand_sense *small, const recon_region *r, const recon_samples *from,
                       const numbers *all, bool is_first, numbers *to, recon_samples *out)
{
    for (int q = 0; q < from->shot_count; q++) {
        const recon_shot *shot = &from->shots[q];
        const int64_t first = to->count;
        for (int64_t i = shot->first; i < shot->first + shot->count; i++)
            if (is_within(small, r, all, i)) keep(small, r, all, i, to);
        if (to->count > first)
            out->shots[out->shot_count++] = (recon_shot){is_first ? q : -1, first, to->count - first};
    }
}

/* Copies the data to arrays of the session. */
static argand_status numbers_write(const argand_sense *small, const numbers *v, recon_samples *out)
{
    const int64_t count = v->count, terms = small->term_count;
    argand_array *flat = NULL;
    argand_device *host;
    out->at.count = count;
    for (int axis = 0; axis < 3; axis++) TRY(array_of_numbers(small, v->k[axis], count, &out->at.k[axis]));
    TRY(array_of_numbers(small, v->t, count, &out->at.t));
    TRY(complex_of_numbers(small, v->y, count * small->coils, &flat));
    const argand_status status = argand_array_reshape(&out->y, flat, 2, (int64_t[]){count, small->coils});
    argand_array_destroy(flat);
    if (status || !v->phase) return status;
    TRY(device_host(&host, small->device));
    TRY(argand_array_create(&out->at.phase, host, ARGAND_R64, 2, (int64_t[]){count, terms}));
    return argand_array_upload(out->at.phase, v->phase);
}

static argand_status count_within(const argand_sense *small, const recon_region *r, const recon_samples *from,
                                  int64_t *samples, int64_t *shots)
{
    numbers all = {.count = 0};
    argand_status status = ARGAND_OK;
    for (int axis = 0; axis < 3 && !status; axis++) status = numbers_of_array(from->at.k[axis], &all.k[axis]);
    for (int64_t i = 0; !status && i < from->at.count; i++) *samples += is_within(small, r, &all, i);
    *shots += from->shot_count;
    numbers_free(&all);
    return status;
}

argand_status samples_within(const argand_sense *small, const recon_region *region,
                             const recon_samples *const from[], int count, recon_samples *out)
{
    int64_t total = 0, shots = 0;
    numbers all = {.count = 0}, to = {.count = 0};
    argand_status status;
    *out = (recon_samples){0};
    for (int i = 0; i < count; i++) TRY(count_within(small, region, from[i], &total, &shots));
    TRY_OR_DONE(NEW(out->shots, shots));
    TRY_OR_DONE(numbers_reserve(small, from[0]->at.phase, total, &to));
    for (int i = 0; i < count; i++) {
        TRY_OR_DONE(numbers_read(from[i], &all));
        keep_shots(small, region, from[i], &all, i == 0, &to, out);
        numbers_free(&all);
    }
    status = numbers_write(small, &to, out);
done:
    numbers_free(&all);
    numbers_free(&to);
    if (status) samples_free(out);
    return status;
}
