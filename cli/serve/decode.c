/* SPDX-License-Identifier: BSD-3-Clause */
/* Readouts of a stream, without allocations: all have the form of the first one. */
#include <stdlib.h>
#include <string.h>

#include "serve/serve.h"

/* Offsets in an acquisition's head. */
enum { SAMPLES = 34, CHANNELS = 38, BEFORE = 168, AFTER = 170, DIMENSIONS = 176 };

static int number_at(const void *head, int at)
{
    const uint8_t *raw = head;
    return raw[at] | raw[at + 1] << 8;
}

argand_status readout_form_take(readout_form *f, const argand_scan *scan, const argand_scan_message *first,
                                const double grid_scale[2])
{
    const argand_acquisition *a = &scan->acquisitions[0];
    const argand_encoding *e = &scan->encodings[a->encoding];
    argand_scan_message_info info;
    argand_scan_message_describe(first->head, &info);
    argand_scan_message_sizes(first->head, &f->floats_k, &f->floats_data);
    f->samples = a->samples;
    f->channels = a->channels;
    f->dimensions = number_at(first->head, DIMENSIONS);
    f->before = number_at(first->head, BEFORE);
    f->counters = info.counters;
    f->encoding = info.encoding;
    for (int axis = 0; axis < 2; axis++)
        f->scale[axis] =
            grid_scale[axis] * argand_k_unit_scale(e->k_unit, e->matrix[axis], e->field_of_view[axis]);
    if (f->dimensions < 2 || info.flags & ARGAND_FLAG_REVERSE)
        return report_error(ARGAND_UNSUPPORTED,
                            "frames (--window) are made of readouts with a trajectory that are not reversed");
    f->trajectory = calloc((size_t)f->floats_k, sizeof(float));
    f->raw = calloc((size_t)f->floats_data, sizeof(float));
    f->data = calloc((size_t)(f->samples * f->channels) * 2, sizeof(float));
    for (int axis = 0; axis < 2; axis++) f->k[axis] = calloc((size_t)f->samples, sizeof(float));
    return f->trajectory && f->raw && f->data && f->k[0] && f->k[1]
               ? ARGAND_OK
               : report_error(ARGAND_MEMORY, "no memory for readouts");
}

argand_status readout_check(const readout_form *f, const stream *s, const void *head)
{
    argand_scan_message_info info;
    int64_t trajectory, data;
    argand_scan_message_describe(head, &info);
    argand_scan_message_sizes(head, &trajectory, &data);
    if (trajectory != f->floats_k || data != f->floats_data || number_at(head, CHANNELS) != f->channels ||
        number_at(head, DIMENSIONS) != f->dimensions || number_at(head, BEFORE) != f->before ||
        number_at(head, SAMPLES) - number_at(head, BEFORE) - number_at(head, AFTER) != f->samples)
        return report_error(
            ARGAND_FORMAT,
            "%s: a readout of %d samples and %d channels came after readouts of %lld and %d: frames "
            "(--window) need equal readouts",
            s->name, number_at(head, SAMPLES), number_at(head, CHANNELS), (long long)f->samples, f->channels);
    if (info.counters.slice != f->counters.slice || info.encoding != f->encoding)
        return report_error(ARGAND_UNSUPPORTED,
                            "%s: a readout of slice %d, encoding %d came after slice %d, encoding %d: frames "
                            "(--window) are made of one slice",
                            s->name, info.counters.slice, info.encoding, f->counters.slice, f->encoding);
    return ARGAND_OK;
}

const float *readout_decode(const readout_form *f)
{
    const int64_t all = f->floats_data / 2 / f->channels;
    for (int64_t i = 0; i < f->samples; i++)
        for (int axis = 0; axis < 2; axis++)
            f->k[axis][i] =
                (float)(f->scale[axis] * (double)f->trajectory[(f->before + i) * f->dimensions + axis]);
    if (all == f->samples) return f->raw;
    for (int c = 0; c < f->channels; c++)
        memcpy(f->data + 2 * c * f->samples, f->raw + 2 * (c * all + f->before),
               (size_t)f->samples * 2 * sizeof(float));
    return f->data;
}

void readout_form_free(readout_form *f)
{
    free(f->trajectory);
    free(f->raw);
    free(f->data);
    for (int axis = 0; axis < 2; axis++) free(f->k[axis]);
    *f = (readout_form){0};
}
