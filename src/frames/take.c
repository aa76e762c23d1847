/* SPDX-License-Identifier: BSD-3-Clause */
/* The readouts of a frame, from the ring to its operator. Devices that the host cannot address have a ring of
 * their own: readouts are uploaded while the scan goes on, so that only the last one is left once a frame is
 * complete. */
#include "frames/frames.h"

#include <string.h>
#include "base/clock.h"
#include "base/memory.h"
#include "device/device.h"

/* Reals of a readout on a device: samples of all coils, kx, ky. */
static int64_t record_of(const argand_frames *f)
{
    return f->options.samples * (2 * f->options.coils + 2);
}

argand_status taken_create(argand_frames *f)
{
    frames_taken *t = &f->taken;
    const argand_frames_options *o = &f->options;
    const int64_t record = record_of(f), slots = o->window * f->most_windows;
    argand_array *complex = NULL;
    if (device_is_host(f->device)) return ARGAND_OK;
    t->slots = slots;
    TRY(NEW(t->staging, record));
    TRY(argand_array_create(&t->ring, f->device, ARGAND_R32, 2, (int64_t[]){record, slots}));
    TRY(argand_array_view_as(&complex, t->ring, ARGAND_C32));
    argand_status status = argand_array_view(&t->data, complex, 3, (int64_t[]){o->samples, slots, o->coils},
                                             (int64_t[]){1, record / 2, o->samples}, 0);
    argand_array_destroy(complex);
    for (int axis = 0; axis < 2 && status == ARGAND_OK; axis++)
        status = argand_array_view(&t->k[axis], t->ring, 2, (int64_t[]){o->samples, slots},
                                   (int64_t[]){1, record}, o->samples * (2 * o->coils + axis));
    return status;
}

void taken_free(frames_taken *t)
{
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(t->k[axis]);
    argand_array_destroy(t->data);
    argand_array_destroy(t->ring);
    memory_free(t->staging);
    *t = (frames_taken){0};
}

bool ring_holds(const argand_frames *f, int64_t first)
{
    return f->start < 0 || f->pushed - first < f->ring.capacity;
}

/* Uploads a readout. Returns false in *there if newer ones have overwritten it. */
static argand_status take_one(argand_frames *f, int64_t readout, bool *there)
{
    frames_taken *t = &f->taken;
    const int64_t samples = f->options.samples, numbers = 2 * samples * f->options.coils;
    argand_array *slot;
    pthread_mutex_lock(&f->lock);
    *there = ring_holds(f, readout);
    if (*there) memcpy(t->staging, ring_data(&f->ring, readout), (size_t)numbers * sizeof(float));
    for (int axis = 0; axis < 2 && *there; axis++)
        memcpy(t->staging + numbers + axis * samples, ring_k(&f->ring, axis, readout),
               (size_t)samples * sizeof(float));
    pthread_mutex_unlock(&f->lock);
    if (!*there) return ARGAND_OK;
    TRY(argand_array_part(&slot, t->ring, 1, readout % t->slots, 1));
    const argand_status status = argand_array_upload(slot, t->staging);
    argand_array_destroy(slot);
    return status;
}

/* Uploads readouts up to `end`, but none that is on the device. */
static argand_status take_until(argand_frames *f, int64_t first, int64_t end, bool *there)
{
    frames_taken *t = &f->taken;
    *there = true;
    if (first < t->first || first > t->end) t->first = t->end = first;
    while (t->end < end) {
        TRY(take_one(f, t->end, there));
        if (!*there) return ARGAND_OK;
        t->end++;
        if (t->end - t->slots > t->first) t->first = t->end - t->slots;
    }
    return ARGAND_OK;
}

void frames_forget(argand_frames *f)
{
    f->taken.first = f->taken.end = 0;
}

bool frames_has_new(const argand_frames *f)
{
    return f->taken.ring && f->pushed > f->taken.end;
}

argand_status frames_take(argand_frames *f)
{
    frames_taken *t = &f->taken;
    bool there;
    if (!t->ring) return ARGAND_OK;
    pthread_mutex_lock(&f->lock);
    const int64_t end = f->pushed, oldest = end - t->slots > f->start ? end - t->slots : f->start;
    pthread_mutex_unlock(&f->lock);
    TRY(take_until(f, t->end > oldest ? t->end : oldest, end, &there));
    if (!there) t->first = t->end = end; /* overwritten meanwhile */
    return ARGAND_OK;
}

/* Copies `count` readouts between views {samples, readouts, ...} on the device. */
static argand_status copy_part(argand_array *to, int64_t to_at, const argand_array *from, int64_t from_at,
                               int64_t count)
{
    argand_array *target = NULL, *source = NULL;
    argand_status status = argand_array_part(&target, to, 1, to_at, count);
    if (status == ARGAND_OK) status = argand_array_part(&source, from, 1, from_at, count);
    if (status == ARGAND_OK) status = argand_array_copy(target, source);
    argand_array_destroy(source);
    argand_array_destroy(target);
    return status;
}

/* Copies readouts in their order from the ring to an array {samples x readouts, ...}. */
static argand_status gather(const argand_frames *f, argand_array *to, const argand_array *from, int64_t first,
                            int64_t readouts)
{
    const int64_t slots = f->taken.slots, at = first % slots, straight = slots - at,
                  count = readouts < straight ? readouts : straight,
                  dims[3] = {f->options.samples, readouts, f->options.coils};
    argand_array *shaped;
    TRY(argand_array_reshape(&shaped, to, argand_array_rank(from), dims));
    argand_status status = copy_part(shaped, 0, from, at, count);
    if (status == ARGAND_OK && count < readouts) status = copy_part(shaped, count, from, 0, readouts - count);
    argand_array_destroy(shaped);
    return status;
}

static argand_status load_from_device(argand_frames *f, frames_model *m, int64_t first, bool *there)
{
    TRY(take_until(f, first, first + m->readouts, there));
    if (!*there) return ARGAND_OK;
    TRY(gather(f, m->data, f->taken.data, first, m->readouts));
    for (int axis = 0; axis < 2; axis++) TRY(gather(f, m->k[axis], f->taken.k[axis], first, m->readouts));
    return ARGAND_OK;
}

static argand_status load_from_host(argand_frames *f, frames_model *m, int64_t first, bool *there)
{
    float *const k[2] = {argand_array_data(m->k[0]), argand_array_data(m->k[1])};
    pthread_mutex_lock(&f->lock);
    *there = ring_holds(f, first);
    if (*there) ring_copy(&f->ring, first, m->readouts, argand_array_data(m->data), k);
    pthread_mutex_unlock(&f->lock);
    return ARGAND_OK;
}

argand_status frames_load(argand_frames *f, frames_model *m, int64_t first, bool *there)
{
    TRY(f->taken.ring ? load_from_device(f, m, first, there) : load_from_host(f, m, first, there));
    if (!*there) return ARGAND_OK;
    f->loaded = clock_seconds();
    return ARGAND_OK;
}
