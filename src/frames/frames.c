/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions of frames: readouts come in, the newest frame goes out. */
#include "frames/frames.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "array/array.h"
#include "base/clock.h"
#include "base/given.h"
#include "base/memory.h"
#include "device/device.h"

static argand_status copy_known(argand_array **to, argand_device *host, const argand_array *from)
{
    int64_t dims[3];
    if (!from) return ARGAND_OK;
    for (int axis = 0; axis < argand_array_rank(from); axis++) dims[axis] = argand_array_dim(from, axis);
    TRY(argand_array_create(to, host, argand_array_type(from), argand_array_rank(from), dims));
    return argand_array_copy(*to, from);
}

static argand_status copy_inputs(argand_frames *f)
{
    argand_frames_options *o = &f->options;
    if (o->times) {
        TRY(NEW(f->times, o->samples));
        memcpy(f->times, o->times, (size_t)o->samples * sizeof *f->times);
    }
    if (o->field_map) {
        const int64_t pixels = o->n[0] * o->n[1];
        TRY(argand_array_create(&f->field_map, f->host, argand_array_type(o->field_map), 2, o->n));
        argand_array *flat = NULL, *to = NULL;
        argand_status status = argand_array_reshape(&flat, o->field_map, 1, &pixels);
        if (status == ARGAND_OK) status = argand_array_reshape(&to, f->field_map, 1, &pixels);
        if (status == ARGAND_OK) status = argand_array_copy(to, flat);
        argand_array_destroy(to);
        argand_array_destroy(flat);
        TRY(status);
    }
    if (o->maps) {
        const int64_t dims[3] = {o->n[0], o->n[1], o->channels};
        TRY(argand_array_create(&f->given_maps, f->host, argand_array_type(o->maps), 3, dims));
        TRY(argand_array_copy(f->given_maps, o->maps));
    }
    TRY(copy_known(&f->known_maps, f->host, o->known_maps));
    TRY(copy_known(&f->known_matrix, f->host, o->known_matrix));
    o->field_map = o->maps = o->known_maps = o->known_matrix = NULL;
    o->times = NULL;
    return ARGAND_OK;
}

/* The ring holds the readouts of the largest frame, of new maps, and of frames that come meanwhile. */
static argand_status create_rings(argand_frames *f)
{
    const argand_frames_options *o = &f->options;
    f->calibrating = o->calibration;
    f->most_windows = o->late == ARGAND_LATE_MERGE ? FRAMES_MOST_MERGED : 1;
    TRY(ring_create(&f->raw, f->calibrating, o->samples, o->channels));
    return ring_create(&f->ring, 2 * f->calibrating + (f->most_windows + 2) * o->window + o->step, o->samples,
                       o->coils);
}

static argand_status create(argand_frames *f, argand_device *device, const argand_frames_options *options)
{
    f->options = *options;
    f->device = device_keep(device);
    f->start = -1;
    pthread_mutex_init(&f->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
#ifndef __APPLE__
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
#endif
    pthread_cond_init(&f->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_cond_init(&f->refresh.wake, NULL);
    TRY(frames_options_check(&f->options));
    TRY(device_host(&f->host, device));
    TRY(memory_pool_create(&f->pool));
    TRY(memory_pool_create(&f->push_pool));
    TRY(copy_inputs(f));
    return create_rings(f);
}

argand_status argand_frames_create(argand_frames **frames, argand_device *device,
                                   const argand_frames_options *options)
{
    argand_frames *f;
    if (frames) *frames = NULL;
    TRY(check_given("frames", frames, device, options));
    TRY(NEW(f, 1));
    const argand_status status = create(f, device, options);
    if (status != ARGAND_OK) {
        argand_frames_destroy(f);
        return status;
    }
    *frames = f;
    return ARGAND_OK;
}

/* ---- readouts */

/* Returns true if all numbers are finite. Many sums at a time: one would wait for each addition. */
static bool are_finite(const float *numbers, int64_t count)
{
    enum { SUMS = 32 };
    float sums[SUMS] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + SUMS <= count; i += SUMS)
        for (int j = 0; j < SUMS; j++) sums[j] += numbers[i + j] * 0;
    for (; i < count; i++) sum += numbers[i] * 0;
    for (int j = 0; j < SUMS; j++) sum += sums[j];
    return sum == 0;
}

static argand_status correct_delay(argand_frames *f, int64_t readout)
{
    const int64_t dims[2] = {f->options.samples, 1};
    argand_array *k[2] = {NULL};
    argand_status status = ARGAND_OK;
    for (int axis = 0; axis < 2 && status == ARGAND_OK; axis++)
        status =
            argand_array_wrap(&k[axis], f->host, ARGAND_R32, 2, dims, NULL, ring_k(&f->ring, axis, readout));
    if (status == ARGAND_OK) status = argand_radial_delay_correct(k, &f->delay);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(k[axis]);
    return status;
}

static argand_status check_samples(const argand_frames *f, const float *samples)
{
    CHECK(are_finite(samples, 2 * f->options.samples * f->options.channels), ARGAND_NUMERIC,
          "frames: a sample of readout %lld is not finite", (long long)f->pushed);
    return ARGAND_OK;
}

/* Stores the readout in its place, which nobody reads before `pushed` counts it. A sample that is not finite
 * leaves none of the virtual coils finite, of which there are fewer to look at. */
static argand_status store(argand_frames *f, const float *samples, const float *const k[2], bool calibrated)
{
    const argand_frames_options *o = &f->options;
    const frames_ring *to = calibrated ? &f->ring : &f->raw;
    const int64_t at = f->pushed;
    for (int axis = 0; axis < 2; axis++)
        memcpy(ring_k(to, axis, at), k[axis], (size_t)o->samples * sizeof(float));
    if (!calibrated) {
        TRY(check_samples(f, samples));
        memcpy(ring_data(to, at), samples, (size_t)(o->samples * o->channels) * 2 * sizeof(float));
        return ARGAND_OK;
    }
    frames_compress(ring_data(to, at), f->matrix, samples, o->samples, o->channels, o->coils);
    if (!are_finite(ring_data(to, at), 2 * o->samples * o->coils)) {
        TRY(check_samples(f, samples));
        return status_set(ARGAND_NUMERIC, "frames: the samples of readout %lld are too large for floats",
                          (long long)at);
    }
    return f->options.delays ? correct_delay(f, at) : ARGAND_OK;
}

static argand_status take_readout(argand_frames *f, const float *samples, const float *const k[2])
{
    const double begun = clock_seconds();
    pthread_mutex_lock(&f->lock);
    const bool calibrated = f->start >= 0, calibrates = f->pushed < f->calibrating, failed = f->failed;
    f->passing = !failed && !calibrated;
    pthread_mutex_unlock(&f->lock);
    CHECK(!failed, ARGAND_ARGUMENT, "frames: the calibration failed; make a new object");
    if (calibrated || calibrates) TRY(store(f, samples, k, calibrated));
    pthread_mutex_lock(&f->lock);
    f->pushed++;
    f->passing = false;
    f->compress_seconds = clock_seconds() - begun;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
    return ARGAND_OK;
}

argand_status argand_frames_push(argand_frames *f, const float *samples, const float *const k[2])
{
    CHECK(f && samples && k && k[0] && k[1], ARGAND_ARGUMENT, "frames: no readout given");
    const int64_t count = f->options.samples;
    CHECK(are_finite(k[0], count) && are_finite(k[1], count), ARGAND_NUMERIC,
          "frames: a position of readout %lld is not finite", (long long)f->pushed);
    memory_pool *const before = memory_pool_use(f->push_pool);
    const argand_status status = take_readout(f, samples, k);
    memory_pool_use(before);
    return status;
}

/* ---- frames */

/* Returns the number of the newest complete frame; -1: none. The lock is held. */
static int64_t newest(const argand_frames *f)
{
    const int64_t left = f->pushed - f->start - f->options.window;
    return f->start < 0 || left < 0 ? -1 : left / f->options.step;
}

static bool has_work(const argand_frames *f)
{
    if (f->failed) return false;
    if (f->start >= 0) return newest(f) >= f->next || frames_has_new(f);
    return f->pushed >= (f->prepared ? f->calibrating : f->options.window);
}

bool argand_frames_wait(argand_frames *f, double seconds)
{
    struct timespec until;
    if (!f) return false;
#ifdef __APPLE__
    clock_gettime(CLOCK_REALTIME, &until);
#else
    clock_gettime(CLOCK_MONOTONIC, &until);
#endif
    const double end = (double)until.tv_nsec + 1e9 * (seconds > 0 ? seconds < 1e6 ? seconds : 1e6 : 0);
    until.tv_sec += (time_t)(end / 1e9);
    until.tv_nsec = (long)fmod(end, 1e9);
    pthread_mutex_lock(&f->lock);
    int failed = 0;
    while (!has_work(f) && !failed) failed = pthread_cond_timedwait(&f->changed, &f->lock, &until);
    const bool has = has_work(f);
    pthread_mutex_unlock(&f->lock);
    return has;
}

/* Makes what can be made of the readouts that have come. */
static argand_status make_ready(argand_frames *f)
{
    memory_pool *const pool = memory_pool_use(NULL); /* what is needed once is not kept */
    argand_status status = f->prepared ? ARGAND_OK : frames_prepare(f);
    pthread_mutex_lock(&f->lock);
    const bool calibrates = status == ARGAND_OK && f->pushed >= f->calibrating;
    pthread_mutex_unlock(&f->lock);
    if (calibrates) status = frames_calibrate(f);
    memory_pool_use(pool);
    pthread_mutex_lock(&f->lock);
    f->prepared = true;
    f->failed = status != ARGAND_OK;
    if (calibrates && !f->failed) f->start = f->pushed + f->passing;
    pthread_mutex_unlock(&f->lock);
    if (calibrates && status == ARGAND_OK) ring_free(&f->raw);
    return status;
}

/* Chooses the windows of a frame that takes the readouts of late ones, too. */
static frames_model *model_of(argand_frames *f, const argand_frame *a)
{
    const int64_t window = f->options.window, readouts = window + a->dropped * f->options.step;
    int64_t windows = (readouts + window - 1) / window;
    if (windows > f->most_windows) windows = f->most_windows;
    while (windows > 1 && (!f->models[windows - 1].op || a->last + 1 - windows * window < f->start))
        windows--;
    return &f->models[windows - 1];
}

/* Counts a frame that was made, and asks for new maps if it is time. */
static void count_frame(argand_frames *f, const argand_frame *a)
{
    pthread_mutex_lock(&f->lock);
    f->made++;
    pthread_mutex_unlock(&f->lock);
    if (f->options.refresh && f->made % f->options.refresh == 0 && a->last + 1 - f->start >= f->calibrating)
        refresh_ask(f, a->last + 1 - f->calibrating);
}

static argand_status make_frame(argand_frames *f, frames_model *m, argand_array *image, argand_frame *a,
                                double begun)
{
    TRY(frames_make(f, m));
    TRY(argand_device_wait(f->device));
    const double solved = clock_seconds();
    TRY(argand_array_copy(image, f->image));
    TRY(argand_device_wait(f->device));
    a->seconds[ARGAND_FRAME_TAKE] = f->loaded - begun;
    a->seconds[ARGAND_FRAME_POINTS] = f->set - f->loaded;
    a->seconds[ARGAND_FRAME_SOLVE] = solved - f->set;
    a->seconds[ARGAND_FRAME_STORE] = clock_seconds() - solved;
    count_frame(f, a);
    return ARGAND_OK;
}

/* Chooses the newest complete frame and its operator. */
static frames_model *choose(argand_frames *f, argand_frame *a)
{
    pthread_mutex_lock(&f->lock);
    a->number = newest(f);
    pthread_mutex_unlock(&f->lock);
    a->dropped = a->number - f->next;
    a->last = f->start + a->number * f->options.step + f->options.window - 1;
    frames_model *m = model_of(f, a);
    a->first = a->last + 1 - m->readouts;
    return m;
}

static argand_status run(argand_frames *f, argand_array *image, argand_frame *a)
{
    const double begun = clock_seconds();
    pthread_mutex_lock(&f->lock);
    const bool calibrates = f->start < 0, has = has_work(f), complete = newest(f) >= f->next;
    a->seconds[ARGAND_FRAME_COMPRESS] = f->compress_seconds;
    pthread_mutex_unlock(&f->lock);
    if (!has) return ARGAND_OK;
    if (calibrates) return make_ready(f);
    if (!complete) return frames_take(f);
    TRY(refresh_take(f, &a->fresh_maps));
    frames_model *m;
    bool there = false;
    do { /* again if newer readouts overwrote those of the chosen frame */
        m = choose(f, a);
        TRY(frames_load(f, m, a->first, &there));
    } while (!there);
    pthread_mutex_lock(&f->lock);
    f->next = a->number + 1;
    f->dropped += a->dropped;
    pthread_mutex_unlock(&f->lock);
    return make_frame(f, m, image, a, begun);
}

argand_status argand_frames_run(argand_frames *f, argand_array *image, argand_frame *about)
{
    argand_frame own, *a = about ? about : &own;
    CHECK(f, ARGAND_ARGUMENT, "frames: no frames given");
    CHECK_ARRAY(image);
    CHECK(argand_array_device(image) == f->device && argand_array_type(image) == ARGAND_C32 &&
              argand_array_dim(image, 0) == f->options.n[0] &&
              argand_array_dim(image, 1) == f->options.n[1] && argand_array_rank(image) == 2,
          ARGAND_ARGUMENT, "frames: the image is not c32 {%lld, %lld} on the device of the frames",
          (long long)f->options.n[0], (long long)f->options.n[1]);
    *a = (argand_frame){.number = -1, .first = -1, .last = -1};
    memory_pool *const before = memory_pool_use(f->pool);
    const argand_status status = run(f, image, a);
    memory_pool_use(before);
    return status;
}

void argand_frames_describe(const argand_frames *frames, argand_frames_info *info)
{
    if (info) *info = (argand_frames_info){.start = -1};
    if (!frames || !info) return;
    argand_frames *f = (argand_frames *)(uintptr_t)frames;
    pthread_mutex_lock(&f->lock);
    *info = (argand_frames_info){.pushed = f->pushed,
                                 .made = f->made,
                                 .dropped = f->dropped,
                                 .start = f->start,
                                 .refreshed = f->refreshed,
                                 .coils = f->options.coils};
    if (f->start >= 0) { /* from then on they do not change */
        info->energy = f->energy;
        info->segments = f->terms;
        info->delay = f->delay;
        info->graph = f->models[0].graph != NULL;
    }
    pthread_mutex_unlock(&f->lock);
}

argand_status argand_frames_maps(const argand_frames *f, argand_array **maps, argand_array **matrix)
{
    if (maps) *maps = NULL;
    if (matrix) *matrix = NULL;
    CHECK(f && f->start >= 0, ARGAND_ARGUMENT, "frames: there are no maps before the calibration");
    const int64_t dims[3] = {f->options.n[0], f->options.n[1], f->options.coils},
                  mixing[2] = {f->options.coils, f->options.channels};
    argand_status status = ARGAND_OK;
    if (maps) TRY(argand_array_create(maps, f->device, ARGAND_C32, 3, dims));
    if (maps) status = argand_array_copy(*maps, f->maps);
    if (matrix && status == ARGAND_OK) status = argand_array_create(matrix, f->host, ARGAND_C64, 2, mixing);
    if (matrix && status == ARGAND_OK) status = argand_array_copy(*matrix, f->matrix_array);
    if (status == ARGAND_OK) return ARGAND_OK;
    if (maps) argand_array_destroy(*maps);
    if (maps) *maps = NULL;
    if (matrix) argand_array_destroy(*matrix);
    if (matrix) *matrix = NULL;
    return status;
}

void argand_frames_destroy(argand_frames *f)
{
    if (!f) return;
    refresh_end(f);
    for (int i = 0; i < FRAMES_MOST_MERGED; i++) frames_model_free(&f->models[i]);
    argand_array *const arrays[] = {
        f->image,        f->s,         f->p,          f->work,       f->numbers,     f->maps,
        f->matrix_array, f->field_map, f->given_maps, f->known_maps, f->known_matrix};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    memory_free(f->matrix);
    memory_free(f->sample_weights);
    taken_free(&f->taken);
    tv_free(&f->tv);
    memory_free(f->times);
    ring_free(&f->raw);
    ring_free(&f->ring);
    memory_pool_destroy(f->pool);
    memory_pool_destroy(f->push_pool);
    pthread_cond_destroy(&f->refresh.wake);
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->lock);
    argand_device_close(f->device);
    memory_free(f);
}
