/* SPDX-License-Identifier: BSD-3-Clause */
/* New coil maps while frames go on: a thread with one processor of its own estimates them from the newest
 * readouts and gives them the phase of the old maps. The thread that runs takes them between two frames. */
#include "frames/frames.h"

#include <string.h>
#include "base/memory.h"

static size_t maps_bytes(const argand_frames *f)
{
    return (size_t)(f->options.n[0] * f->options.n[1] * f->options.coils) * 2 * sizeof(float);
}

/* Copies readouts one by one, so that those who push wait no longer than for one. Returns false if the ring
 * no longer has them. */
static bool copy_readouts(argand_frames *f)
{
    frames_refresh *r = &f->refresh;
    frames_estimate *e = &r->estimate;
    const int64_t samples = f->options.samples, points = samples * e->readouts;
    bool there = true;
    for (int64_t i = 0; i < e->readouts && there; i++) {
        pthread_mutex_lock(&f->lock);
        there = !r->ends && ring_holds(f, r->first + i);
        const float *data = ring_data(&f->ring, r->first + i);
        for (int axis = 0; axis < 2 && there; axis++)
            memcpy(e->host_k[axis] + i * samples, ring_k(&f->ring, axis, r->first + i),
                   (size_t)samples * sizeof(float));
        for (int coil = 0; coil < f->options.coils && there; coil++)
            memcpy(e->host + 2 * (coil * points + i * samples), data + 2 * coil * samples,
                   2 * (size_t)samples * sizeof(float));
        pthread_mutex_unlock(&f->lock);
    }
    return there;
}

/* Returns true if there are new maps; otherwise the old ones stay. */
static bool make(argand_frames *f)
{
    frames_refresh *r = &f->refresh;
    if (!copy_readouts(f) || estimate_run(&r->estimate) != ARGAND_OK) return false;
    memcpy(r->maps, argand_array_data(r->estimate.maps), maps_bytes(f));
    maps_align(r->maps, r->used, f->options.n[0] * f->options.n[1], f->options.coils);
    return true;
}

static void *work(void *context)
{
    argand_frames *f = context;
    frames_refresh *r = &f->refresh;
    pthread_mutex_lock(&f->lock);
    while (!r->ends) {
        if (!r->asked) {
            pthread_cond_wait(&r->wake, &f->lock);
            continue;
        }
        pthread_mutex_unlock(&f->lock);
        const bool made = make(f);
        pthread_mutex_lock(&f->lock);
        r->asked = false;
        r->ready = made;
    }
    pthread_mutex_unlock(&f->lock);
    return NULL;
}

argand_status refresh_create(argand_frames *f, const frames_estimate *like)
{
    frames_refresh *r = &f->refresh;
    argand_device *own;
    if (!f->options.refresh) return ARGAND_OK;
    TRY(argand_device_open(&own, "cpu"));
    argand_status status = argand_device_set_threads(own, 1);
    if (status == ARGAND_OK) status = estimate_create(&r->estimate, f, own, f->calibrating, f->options.coils);
    argand_device_close(own);
    TRY(status);
    TRY(argand_array_copy(r->estimate.weight, like->weight));
    TRY(memory_new(&r->maps, maps_bytes(f), 1));
    TRY(memory_new(&r->used, maps_bytes(f), 1));
    TRY(argand_array_download(f->maps, r->used));
    memcpy(r->maps, r->used, maps_bytes(f));
    CHECK(!pthread_create(&r->thread, NULL, work, f), ARGAND_MEMORY, "frames: no thread for new maps");
    r->runs = true;
    return ARGAND_OK;
}

void refresh_ask(argand_frames *f, int64_t first)
{
    frames_refresh *r = &f->refresh;
    pthread_mutex_lock(&f->lock);
    if (r->runs && !r->asked && !r->ready) {
        r->first = first;
        r->asked = true;
        pthread_cond_signal(&r->wake);
    }
    pthread_mutex_unlock(&f->lock);
}

argand_status refresh_take(argand_frames *f, bool *taken)
{
    frames_refresh *r = &f->refresh;
    pthread_mutex_lock(&f->lock);
    *taken = r->ready;
    f->refreshed += r->ready;
    r->ready = false;
    pthread_mutex_unlock(&f->lock);
    if (!*taken) return ARGAND_OK;
    memcpy(r->used, r->maps, maps_bytes(f));
    return argand_array_upload(f->maps, r->maps);
}

void refresh_end(argand_frames *f)
{
    frames_refresh *r = &f->refresh;
    pthread_mutex_lock(&f->lock);
    r->ends = true;
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&f->lock);
    if (r->runs) pthread_join(r->thread, NULL);
    estimate_free(&r->estimate);
    memory_free(r->maps);
    memory_free(r->used);
}
