/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts samples by time and packs them into padded blocks, with their rates, times and weights. */
#include "field/samples.h"
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "base/pi.h"
#include "base/status.h"

typedef struct timed {
    double time;
    int64_t index;
} timed;

/* Compares two times for qsort. The index breaks ties, so that the order is the same with any qsort. */
static int earlier(const void *a, const void *b)
{
    const timed *x = a, *y = b;
    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Neighbours in time share a block: the field's phase changes little inside one, so that its offset from the
 * block's centre keeps all digits in single precision, whatever order the caller's shots have. */
static argand_status sort_by_time(field_samples *s, const double *t)
{
    timed *order;
    TRY(NEW(order, s->count));
    for (int64_t j = 0; j < s->count; j++) order[j] = (timed){t[j], j};
    qsort(order, (size_t)s->count, sizeof *order, earlier);
    for (int64_t j = 0; j < s->count; j++) s->source[j] = order[j].index;
    memory_free(order);
    return ARGAND_OK;
}

static argand_status place_samples(field_samples *s, const field_input *input)
{
    TRY(NEW(s->source, s->padded));
    for (int64_t j = 0; j < s->padded; j++) s->source[j] = j < s->count ? j : -1;
    return input->separable || !input->t ? ARGAND_OK : sort_by_time(s, input->t);
}

/* Padding repeats the last sample, so that it widens no range; its results are dropped. */
static int64_t source_or_last(const field_samples *s, int64_t j)
{
    return s->source[j < s->count ? j : s->count - 1];
}

static argand_status set_rates(field_samples *s, const field_input *input)
{
    for (int d = 0; d < 3; d++) {
        TRY(NEW(s->rate[d], s->padded));
        for (int64_t j = 0; input->k[d] && j < s->padded; j++)
            s->rate[d][j] = input->k[d][source_or_last(s, j)] / (double)input->n[d];
    }
    return ARGAND_OK;
}

static argand_status set_times(field_samples *s, const field_input *input, bool is_double)
{
    double *times = NULL, *offsets = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(times, s->padded));
    TRY_OR_DONE(NEW(offsets, s->padded));
    TRY_OR_DONE(NEW(s->centre, s->blocks));
    TRY_OR_DONE(NEW(s->time_max, s->blocks));
    for (int64_t j = 0; input->t && j < s->padded; j++) times[j] = input->t[source_or_last(s, j)];
    for (int64_t b = 0; b < s->blocks; b++) {
        const int64_t first = b * s->per_block, last = first + s->per_block - 1;
        s->centre[b] = (times[first] + times[last]) / 2;
        s->time_max[b] = fmax(fabs(times[first]), fabs(times[last]));
        for (int64_t j = first; j <= last; j++) offsets[j] = times[j] - s->centre[b];
    }
    TRY_OR_DONE(field_pack(&s->time, times, s->padded, is_double));
    TRY_OR_DONE(field_pack(&s->offset, offsets, s->padded, is_double));
done:
    memory_free(offsets);
    memory_free(times);
    return status;
}

static double sinc(double x)
{
    const double angle = PI * x;
    return fabs(angle) < 1e-4 ? 1 - angle * angle / 6 : sin(angle) / angle;
}

/* Sets the weights of samples: the sinc of each axis without a field gradient depends on the sample alone. */
static argand_status set_weight(field_samples *s, const field_input *input, bool is_double)
{
    double *weights = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(weights, s->padded));
    for (int64_t j = 0; j < s->padded; j++) {
        weights[j] = 1;
        for (int d = 0; d < input->options->rank; d++)
            if (!input->gradient[d]) weights[j] *= sinc(s->rate[d][j]);
    }
    TRY_OR_DONE(field_pack(&s->weight, weights, s->padded, is_double));
done:
    memory_free(weights);
    return status;
}

static argand_status set_gradient_axis(field_samples *s, int d, bool is_double)
{
    TRY(field_pack(&s->real_rate[d], s->rate[d], s->padded, is_double));
    TRY(NEW(s->rate_max[d], s->blocks));
    for (int64_t j = 0; j < s->padded; j++) {
        double *most = &s->rate_max[d][j / s->per_block];
        *most = fmax(*most, fabs(s->rate[d][j]));
    }
    return ARGAND_OK;
}

static argand_status set_terms(field_samples *s, const field_input *input)
{
    TRY(memory_new(&s->term, memory_product((size_t)input->terms, (size_t)s->padded), sizeof *s->term));
    for (int i = 0; i < input->terms; i++)
        for (int64_t j = 0; j < s->padded; j++)
            s->term[i * s->padded + j] = input->term_time[i][source_or_last(s, j)] / TWO_PI;
    return ARGAND_OK;
}

static argand_status make(field_samples *s, const field_input *input, bool is_double)
{
    TRY(place_samples(s, input));
    TRY(set_rates(s, input));
    if (!input->separable) TRY(set_times(s, input, is_double));
    if (input->terms) TRY(set_terms(s, input));
    if (input->sinc) TRY(set_weight(s, input, is_double));
    for (int d = 0; d < 3; d++)
        if (input->gradient[d]) TRY(set_gradient_axis(s, d, is_double));
    return ARGAND_OK;
}

argand_status field_samples_make(field_samples *s, const field_input *input)
{
    const bool is_double = input->options->type == ARGAND_C64;
    s->per_block = BLOCK_BYTES / (is_double ? 8 : 4);
    s->count = input->samples;
    s->blocks = (s->count + s->per_block - 1) / s->per_block;
    s->padded = s->blocks * s->per_block;
    const argand_status status = make(s, input, is_double);
    if (status) field_samples_release(s);
    return status;
}

void field_samples_release(field_samples *s)
{
    for (int d = 0; d < 3; d++) {
        memory_free(s->rate_max[d]);
        memory_free(s->real_rate[d]);
        memory_free(s->rate[d]);
    }
    memory_free(s->term);
    memory_free(s->weight);
    memory_free(s->offset);
    memory_free(s->time);
    memory_free(s->time_max);
    memory_free(s->centre);
    memory_free(s->source);
    *s = (field_samples){0};
}
