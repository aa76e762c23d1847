/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a scan as one block of bytes. The receiving process checks and restores it. */
#include "io/isolated/flat.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/size.h"
#include "io/ismrmrd/scan.h"

enum { ALIGNMENT = 64, LARGEST_MATRIX = 65535 };

/* ---- writing: run twice, first only to count the bytes ---- */

typedef struct writer {
    char *block; /* NULL: only count */
    size_t at;
} writer;

/* Copies elements into the block and returns their offset. 0 stands for NULL: the head is there. */
static uintptr_t put(writer *w, const void *from, size_t count, size_t size)
{
    const size_t place = (w->at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!from) return 0;
    if (w->block && count) memcpy(w->block + place, from, count * size);
    w->at = place + count * size;
    return place;
}

static const char *put_string(writer *w, const char *string)
{
    return (const char *)put(w, string ? string : "", string ? strlen(string) + 1 : 1, 1);
}

static argand_acquisition put_numbers(writer *w, const argand_acquisition *from)
{
    argand_acquisition a = *from;
    a.data = (const float *)put(w, a.data, (size_t)a.samples * (size_t)a.channels, 2 * sizeof(float));
    for (int d = 0; d < 3; d++) a.k[d] = (const float *)put(w, a.k[d], (size_t)a.samples, sizeof(float));
    a.t = (const float *)put(w, a.t, (size_t)a.samples, sizeof(float));
    return a;
}

static const argand_acquisition *put_list(writer *w, const argand_acquisition *list, int64_t count)
{
    const uintptr_t place = put(w, list, (size_t)count, sizeof *list);
    for (int64_t i = 0; i < count; i++) {
        const argand_acquisition a = put_numbers(w, &list[i]);
        if (w->block) memcpy(w->block + place + (size_t)i * sizeof a, &a, sizeof a);
    }
    return (const argand_acquisition *)place;
}

static size_t array_bytes(const argand_scan_array *a)
{
    size_t bytes = argand_type_size(a->type);
    for (int d = 0; d < a->rank; d++) size_multiply(&bytes, bytes, (size_t)a->dims[d]);
    return bytes;
}

static const argand_scan_array *put_arrays(writer *w, const argand_scan *scan)
{
    const uintptr_t place = put(w, scan->arrays, (size_t)scan->array_count, sizeof *scan->arrays);
    for (int i = 0; i < scan->array_count; i++) {
        argand_scan_array a = scan->arrays[i];
        a.data = (const void *)put(w, a.data, array_bytes(&a), 1);
        if (w->block) memcpy(w->block + place + (size_t)i * sizeof a, &a, sizeof a);
    }
    return (const argand_scan_array *)place;
}

static const argand_parameter *put_parameters(writer *w, const argand_scan *scan)
{
    const uintptr_t place = put(w, scan->parameters, (size_t)scan->parameter_count, sizeof *scan->parameters);
    for (int i = 0; i < scan->parameter_count; i++) {
        argand_parameter p = scan->parameters[i];
        p.name = put_string(w, p.name);
        p.value = put_string(w, p.value);
        if (w->block) memcpy(w->block + place + (size_t)i * sizeof p, &p, sizeof p);
    }
    return (const argand_parameter *)place;
}

static void put_scan(writer *w, const argand_scan *from)
{
    argand_scan scan = *from;
    w->at = sizeof(scan_flat_head);
    scan.encodings =
        (const argand_encoding *)put(w, scan.encodings, (size_t)scan.encoding_count, sizeof *scan.encodings);
    scan.acquisitions = put_list(w, scan.acquisitions, scan.acquisition_count);
    scan.noise = put_list(w, scan.noise, scan.noise_count);
    scan.navigators = put_list(w, scan.navigators, scan.navigator_count);
    scan.calibrations = put_list(w, scan.calibrations, scan.calibration_count);
    scan.corrections = put_list(w, scan.corrections, scan.correction_count);
    scan.arrays = put_arrays(w, from);
    scan.parameters = put_parameters(w, from);
    scan.echo_times =
        (const double *)put(w, scan.echo_times, (size_t)scan.echo_count, sizeof *scan.echo_times);
    scan.system = put_string(w, scan.system);
    scan.protocol = put_string(w, scan.protocol);
    scan.patient_position = put_string(w, scan.patient_position);
    scan.header = put_string(w, scan.header);
    scan.notes = put_string(w, scan.notes);
    if (!w->block) return;
    scan_flat_head *head = (scan_flat_head *)w->block;
    head->bytes = w->at;
    head->scan = scan;
}

size_t scan_flat_size(const argand_scan *scan)
{
    writer w = {0};
    put_scan(&w, scan);
    return w.at;
}

void scan_flat_write(char *block, const argand_scan *scan)
{
    writer w = {.block = block};
    put_scan(&w, scan);
}

/* ---- checking and restoring ---- */

/* Takes parts in the order of writing. Parts must not overlap, so replacing offsets by addresses cannot
 * change parts that are already checked. */
typedef struct taker {
    char *block;
    size_t bytes, end; /* size of the block; end of the last part taken */
    bool sound;
} taker;

/* Returns the address of an offset; NULL if the offset is 0 or invalid. */
static void *take(taker *t, const void *place, int64_t count, size_t size)
{
    const size_t at = (size_t)(uintptr_t)place;
    size_t bytes;
    if (!at) {
        t->sound = t->sound && !count;
        return NULL;
    }
    const bool inside = count >= 0 && size_multiply(&bytes, (size_t)count, size) && at % ALIGNMENT == 0 &&
                        at >= t->end && at <= t->bytes && bytes <= t->bytes - at;
    if (!inside) t->sound = false;
    if (inside) t->end = at + bytes;
    return inside ? t->block + at : NULL;
}

static const char *take_string(taker *t, const char *place)
{
    const char *string = take(t, place, 1, 1);
    const bool ends = string && memchr(string, 0, t->bytes - (size_t)(string - t->block));
    if (ends)
        t->end += strlen(string);
    else
        t->sound = false;
    return ends ? string : "";
}

static void take_numbers(taker *t, argand_acquisition *a, const argand_scan *scan)
{
    t->sound = t->sound && a->samples > 0 && a->samples <= UINT16_MAX && a->channels > 0 &&
               a->channels <= UINT16_MAX && a->encoding >= 0 && a->encoding < scan->encoding_count &&
               a->data && a->t;
    if (!t->sound) return;
    a->data = take(t, a->data, a->samples * a->channels, 2 * sizeof(float));
    for (int d = 0; d < 3; d++)
        if (a->k[d]) a->k[d] = take(t, a->k[d], a->samples, sizeof(float));
    a->t = take(t, a->t, a->samples, sizeof(float));
}

static const argand_acquisition *take_list(taker *t, const argand_acquisition *place, int64_t count,
                                           const argand_scan *scan)
{
    argand_acquisition *list = take(t, place, count, sizeof *list);
    for (int64_t i = 0; list && i < count && t->sound; i++) {
        take_numbers(t, &list[i], scan);
        if (list[i].channels != scan->channels) t->sound = false;
    }
    return list;
}

static void check_encoding(taker *t, argand_encoding *e)
{
    for (int d = 0; d < 3; d++)
        t->sound = t->sound && e->matrix[d] >= 1 && e->matrix[d] <= LARGEST_MATRIX &&
                   e->recon_matrix[d] >= 1 && e->recon_matrix[d] <= LARGEST_MATRIX;
    t->sound = t->sound && e->bands.count >= 1 && e->bands.count <= 64 && (int)e->k_unit >= 0 &&
               e->k_unit <= ARGAND_K_RADIANS_PER_M;
    const argand_readout *r = &e->readout;
    t->sound = t->sound && r->samples >= 0 && r->samples <= 65535 && r->untimed >= 0 &&
               isfinite(r->ramp_up + r->flat_top + r->ramp_down + r->delay + r->dwell + r->echo_spacing);
    e->trajectory[sizeof e->trajectory - 1] = e->calibration_mode[sizeof e->calibration_mode - 1] = 0;
}

static const argand_encoding *take_encodings(taker *t, const argand_scan *scan)
{
    argand_encoding *list = take(t, scan->encodings, scan->encoding_count, sizeof *list);
    if (!list) t->sound = false;
    for (int i = 0; list && i < scan->encoding_count; i++) check_encoding(t, &list[i]);
    return list;
}

static const argand_scan_array *take_arrays(taker *t, const argand_scan *scan)
{
    argand_scan_array *list = take(t, scan->arrays, scan->array_count, sizeof *list);
    for (int i = 0; list && i < scan->array_count && t->sound; i++) {
        argand_scan_array *a = &list[i];
        int64_t count;
        t->sound = a->type <= ARGAND_C64 && a->rank >= 1 && a->rank <= ARGAND_MAX_RANK && a->data &&
                   size_of_shape(&count, a->dims, a->rank);
        if (t->sound) a->data = take(t, a->data, count, argand_type_size(a->type));
        a->name[sizeof a->name - 1] = 0;
    }
    return list;
}

static const argand_parameter *take_parameters(taker *t, const argand_scan *scan)
{
    argand_parameter *list = take(t, scan->parameters, scan->parameter_count, sizeof *list);
    for (int i = 0; list && i < scan->parameter_count && t->sound; i++) {
        t->sound = list[i].kind <= ARGAND_PARAMETER_BASE64;
        list[i].name = take_string(t, list[i].name);
        list[i].value = take_string(t, list[i].value);
    }
    return list;
}

static void take_scan(taker *t, argand_scan *scan)
{
    t->sound = scan->encoding_count >= 1 && scan->array_count >= 0 && scan->parameter_count >= 0 &&
               scan->echo_count >= 0 && scan->channels >= 1 && scan->channels <= UINT16_MAX &&
               (int)scan->k_unit >= 0 && scan->k_unit <= ARGAND_K_RADIANS_PER_M;
    if (!t->sound) return;
    scan->encodings = take_encodings(t, scan);
    scan->acquisitions = take_list(t, scan->acquisitions, scan->acquisition_count, scan);
    scan->noise = take_list(t, scan->noise, scan->noise_count, scan);
    scan->navigators = take_list(t, scan->navigators, scan->navigator_count, scan);
    scan->calibrations = take_list(t, scan->calibrations, scan->calibration_count, scan);
    scan->corrections = take_list(t, scan->corrections, scan->correction_count, scan);
    scan->arrays = take_arrays(t, scan);
    scan->parameters = take_parameters(t, scan);
    scan->echo_times = take(t, scan->echo_times, scan->echo_count, sizeof *scan->echo_times);
    scan->system = take_string(t, scan->system);
    scan->protocol = take_string(t, scan->protocol);
    scan->patient_position = take_string(t, scan->patient_position);
    scan->header = take_string(t, scan->header);
    scan->notes = take_string(t, scan->notes);
}

argand_status scan_flat_take(argand_scan **scan, char *block, size_t bytes, const char *path)
{
    scan_owner *owner;
    taker t = {.block = block, .bytes = bytes, .end = sizeof(scan_flat_head), .sound = true};
    TRY(NEW(owner, 1));
    owner->scan = ((const scan_flat_head *)block)->scan;
    take_scan(&t, &owner->scan);
    if (!t.sound) {
        memory_free(owner);
        return status_set(ARGAND_FORMAT, "%s: what was read from it makes no sense. It is damaged", path);
    }
    strncpy(owner->scan.path, path, sizeof owner->scan.path - 1);
    owner->scan.path[sizeof owner->scan.path - 1] = 0;
    owner->block = block;
    owner->block_bytes = bytes;
    *scan = &owner->scan;
    return ARGAND_OK;
}
