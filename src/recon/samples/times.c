/* SPDX-License-Identifier: BSD-3-Clause */
/* The points in time of a temporal basis: the counter of the scan that has as many values as the basis has
 * rows, and the basis at the time of each sample. */
#include "recon/samples/samples.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include "base/memory.h"

enum { NONE, CONTRAST, PHASE, REPETITION, SET, SEGMENT, SHOT, COUNTERS };
static const char *const names[COUNTERS] = {"", "contrast", "phase", "repetition", "set", "segment", "shot"};

uint16_t *times_counter(argand_counters *c, int number)
{
    uint16_t *const all[COUNTERS] = {NULL,    &c->contrast, &c->phase, &c->repetition,
                                     &c->set, &c->segment,  &c->shot};
    return all[number];
}

/* Counts the values of each counter of the image's acquisitions. */
static void count_values(const argand_sense *s, int64_t counts[COUNTERS])
{
    for (int64_t i = 0; i < s->scan->acquisition_count; i++) {
        const argand_acquisition *a = &s->scan->acquisitions[i];
        argand_counters counters = a->counters;
        if (a->encoding != s->options.encoding || !a->k[0]) continue;
        for (int number = CONTRAST; number < COUNTERS; number++) {
            const int64_t next = *times_counter(&counters, number) + 1;
            if (next > counts[number]) counts[number] = next;
        }
    }
}

static argand_status refuse(const argand_sense *s, const int64_t counts[COUNTERS])
{
    char list[256];
    int used = 0;
    for (int number = CONTRAST; number < COUNTERS; number++)
        used +=
            snprintf(list + used, sizeof list - (size_t)used, "%s%lld %s%s", number > CONTRAST ? ", " : "",
                     (long long)counts[number], names[number], plural_s(counts[number]));
    return status_set(ARGAND_ARGUMENT,
                      "%s: the temporal basis has %lld rows, and none of the scan's counters has as many "
                      "values (%s): make a basis for the scan's echoes or times",
                      s->scan->path, (long long)s->basis_rows, list);
}

argand_status times_find(argand_sense *s)
{
    int64_t counts[COUNTERS] = {0};
    count_values(s, counts);
    for (int number = CONTRAST; number < SHOT; number++) {
        if (counts[number] != s->basis_rows) continue;
        CHECK(!s->time_counter, ARGAND_ARGUMENT,
              "%s: the temporal basis has %lld rows, and both %ss and %ss of the scan are as many: give a "
              "scan in which only one of them is",
              s->scan->path, (long long)s->basis_rows, names[s->time_counter], names[number]);
        s->time_counter = number;
    }
    if (!s->time_counter && counts[SHOT] == s->basis_rows && !s->cartesian) s->time_counter = SHOT;
    if (!s->time_counter) return refuse(s, counts);
    text_add(&s->notes, "%lld image%s of coefficients from %lld %ss.\n", (long long)s->basis_count,
             plural_s(s->basis_count), (long long)s->basis_rows, names[s->time_counter]);
    return ARGAND_OK;
}

/* Returns element k of a row of the basis. */
static double complex basis_at(const argand_sense *s, int64_t row, int64_t k)
{
    const double *value = s->basis + 2 * (row + s->basis_rows * k);
    return value[0] + I * value[1];
}

/* Writes numbers {samples, images}, or for no images one over the first column {samples, 1}. */
static argand_status fill(const argand_sense *s, const recon_volume *v, int64_t samples, int64_t images,
                          double complex *numbers)
{
    const recon_choice choice = choice_of(s, v->rows, v->count);
    int64_t j = 0;
    for (int64_t q = 0; q < v->count; q++)
        for (int64_t i = 0; i < v->rows[q].acquisition->samples; i++) {
            if (!choice_takes(&choice, v->rows[q].acquisition, i)) continue;
            for (int64_t k = 0; k < images; k++) numbers[j + samples * k] = basis_at(s, v->rows[q].time, k);
            if (!images) numbers[j] = 1 / basis_at(s, v->rows[q].time, 0);
            j++;
        }
    return j == samples ? ARGAND_OK
                        : status_set(ARGAND_ARGUMENT, "%lld samples for factors of %lld", (long long)j,
                                     (long long)samples);
}

argand_status times_factors(const argand_sense *s, const recon_volume *v, const recon_samples *data,
                            argand_array **factors)
{
    const int64_t samples = data->at.count, images = s->basis_count;
    double *numbers;
    argand_array *flat = NULL;
    TRY(NEW(numbers, 2 * samples * images));
    argand_status status = fill(s, v, samples, images, (double complex *)numbers);
    if (!status) status = complex_of_numbers(s, numbers, samples * images, &flat);
    if (!status) status = argand_array_reshape(factors, flat, 2, (int64_t[]){samples, images});
    argand_array_destroy(flat);
    memory_free(numbers);
    return status;
}

argand_status times_strong(const argand_sense *s, const recon_volume *v, recon_row **rows, int64_t *count)
{
    double most = 0;
    for (int64_t i = 0; i < v->count; i++) most = fmax(most, cabs(basis_at(s, v->rows[i].time, 0)));
    CHECK(
        most > 0, ARGAND_ARGUMENT,
        "%s: the first column of the temporal basis is 0 at all times of slice %d, so that coil maps cannot "
        "be estimated; give coil maps",
        s->scan->path, v->counters.slice);
    *count = 0;
    TRY(NEW(*rows, v->count));
    for (int64_t i = 0; i < v->count; i++)
        if (cabs(basis_at(s, v->rows[i].time, 0)) >= most / 2) (*rows)[(*count)++] = v->rows[i];
    return ARGAND_OK;
}

argand_status times_even_out(const argand_sense *s, const recon_row *rows, int64_t count, recon_samples *data)
{
    const recon_volume v = {.rows = (recon_row *)rows, .count = count};
    const int64_t samples = data->at.count, dims[2] = {samples, s->coils};
    double *numbers;
    argand_array *flat = NULL, *factors = NULL;
    argand_status status;
    TRY(NEW(numbers, 2 * samples));
    TRY_OR_DONE(fill(s, &v, samples, 0, (double complex *)numbers));
    TRY_OR_DONE(complex_of_numbers(s, numbers, samples, &flat));
    TRY_OR_DONE(argand_array_view(&factors, flat, 2, dims, (int64_t[2]){1, 0}, 0));
    status = argand_array_multiply(data->y, factors, data->y, ARGAND_PRODUCT);
done:
    argand_array_destroy(factors);
    argand_array_destroy(flat);
    memory_free(numbers);
    return status;
}
