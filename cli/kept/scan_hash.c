/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash of a scan in memory: header, encodings, all acquisitions with their samples, positions and times,
 * all arrays. It costs one pass over memory, 0.6 s for 1 GB on one core, where the file's
 * SHA-256 takes 4 s; and the file may be copied, touched or compressed in another way. */
#include "kept/kept.h"

#include <string.h>

static uint64_t add_text(uint64_t hash, const char *text)
{
    return text ? bytes_hash(text, strlen(text) + 1, hash) : hash;
}

static uint64_t add_encoding(uint64_t hash, const argand_encoding *e)
{
    const int64_t bands[2] = {e->bands.count, e->bands.calibration_encoding};
    hash = bytes_hash(e->matrix, sizeof e->matrix, hash);
    hash = bytes_hash(e->field_of_view, sizeof e->field_of_view, hash);
    hash = bytes_hash(e->recon_matrix, sizeof e->recon_matrix, hash);
    hash = bytes_hash(e->recon_field_of_view, sizeof e->recon_field_of_view, hash);
    hash = bytes_hash(bands, sizeof bands, hash);
    hash = bytes_hash(&e->bands.spacing, sizeof e->bands.spacing, hash);
    return add_text(hash, e->trajectory);
}

static uint64_t add_acquisition(uint64_t hash, const argand_acquisition *a)
{
    const argand_counters *c = &a->counters;
    const int64_t head[] = {c->shot,    c->partition,  c->average,  c->slice,        c->contrast,
                            c->phase,   c->repetition, c->set,      c->segment,      (int64_t)a->flags,
                            a->samples, a->channels,   a->encoding, a->centre_sample};
    const float *const places[] = {a->position, a->read_dir, a->phase_dir, a->slice_dir};
    const size_t row = (size_t)a->samples * sizeof(float);
    hash = bytes_hash(head, sizeof head, hash);
    hash = bytes_hash(&a->sample_time, sizeof a->sample_time, hash);
    for (int i = 0; i < 4; i++) hash = bytes_hash(places[i], 3 * sizeof(float), hash);
    for (int d = 0; d < 3; d++)
        if (a->k[d]) hash = bytes_hash(a->k[d], row, hash);
    if (a->t) hash = bytes_hash(a->t, row, hash);
    return a->data ? bytes_hash(a->data, 2 * row * (size_t)a->channels, hash) : hash;
}

static uint64_t add_list(uint64_t hash, const argand_acquisition *list, int64_t count)
{
    hash = bytes_hash(&count, sizeof count, hash);
    for (int64_t i = 0; i < count; i++) hash = add_acquisition(hash, &list[i]);
    return hash;
}

static uint64_t add_array(uint64_t hash, const argand_scan_array *a)
{
    size_t size = argand_type_size(a->type);
    for (int d = 0; d < a->rank; d++) size *= (size_t)a->dims[d];
    hash = add_text(hash, a->name);
    hash = bytes_hash(a->dims, (size_t)a->rank * sizeof *a->dims, hash);
    return bytes_hash(a->data, size, hash);
}

uint64_t kept_scan_hash(const argand_scan *scan)
{
    uint64_t hash = add_text(0, scan->header);
    for (int i = 0; i < scan->encoding_count; i++) hash = add_encoding(hash, &scan->encodings[i]);
    hash = add_list(hash, scan->acquisitions, scan->acquisition_count);
    hash = add_list(hash, scan->noise, scan->noise_count);
    hash = add_list(hash, scan->navigators, scan->navigator_count);
    hash = add_list(hash, scan->calibrations, scan->calibration_count);
    hash = add_list(hash, scan->corrections, scan->correction_count);
    for (int i = 0; i < scan->array_count; i++) hash = add_array(hash, &scan->arrays[i]);
    return hash;
}
