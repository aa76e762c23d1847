/* SPDX-License-Identifier: BSD-3-Clause */
/* All that frames need is made from the first readouts: plans, kernels and memory as soon as a window of them
 * has come, what depends on their samples when all have. Both make an image, so that also the memory of calls
 * is there. */
#include "frames/frames.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

/* The calibration's readouts on the host. */
typedef struct readouts {
    argand_array *data, *k[2]; /* complex {samples, readouts, channels}; real {samples, readouts} */
} readouts;

static void readouts_free(readouts *r)
{
    argand_array_destroy(r->data);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(r->k[axis]);
}

static argand_status readouts_take(readouts *r, argand_frames *f)
{
    const int64_t dims[3] = {f->options.samples, f->calibrating, f->options.channels};
    float *k[2];
    TRY(argand_array_create(&r->data, f->host, ARGAND_C32, 3, dims));
    for (int axis = 0; axis < 2; axis++) {
        TRY(argand_array_create(&r->k[axis], f->host, ARGAND_R32, 2, dims));
        k[axis] = argand_array_data(r->k[axis]);
    }
    ring_copy(&f->raw, 0, f->calibrating, argand_array_data(r->data), k);
    return ARGAND_OK;
}

static argand_status make_matrix(argand_frames *f, const readouts *r)
{
    const int64_t count = (int64_t)f->options.coils * f->options.channels;
    argand_compress_report report;
    const argand_compress_options options = {.coils = f->options.coils};
    double *host, signal;
    TRY(argand_array_norm(&signal, r->data));
    CHECK(signal > 0, ARGAND_NUMERIC, "frames: the readouts of the calibration have no signal");
    if (f->known_matrix) {
        f->matrix_array = f->known_matrix;
        f->known_matrix = NULL;
    } else {
        TRY(argand_coils_compress(&f->matrix_array, r->data, &options, &report));
        f->energy = report.energy;
    }
    TRY(NEW(f->matrix, 2 * count));
    TRY(NEW(host, 2 * count));
    argand_status status = argand_array_download(f->matrix_array, host);
    for (int64_t i = 0; i < count; i++) /* from {coils, channels}, coil fastest */
        for (int part = 0; part < 2; part++)
            f->matrix[2 * (i % f->options.coils * f->options.channels + i / f->options.coils) + part] =
                (float)host[2 * i + part];
    memory_free(host);
    return status;
}

/* Given maps, compressed; otherwise estimated. */
static argand_status make_maps(argand_frames *f, frames_estimate *e)
{
    const int64_t dims[3] = {f->options.n[0], f->options.n[1], f->options.coils};
    argand_array *mixed = NULL, *given = NULL;
    argand_status status;
    if (f->known_maps) return argand_array_copy(f->maps, f->known_maps);
    if (!f->given_maps) {
        TRY(estimate_run(e));
        return argand_array_copy(f->maps, e->maps);
    }
    const int64_t all[3] = {dims[0], dims[1], f->options.channels};
    TRY_OR_DONE(argand_array_create(&given, f->host, ARGAND_C32, 3, all));
    TRY_OR_DONE(argand_array_copy(given, f->given_maps));
    TRY_OR_DONE(argand_array_create(&mixed, f->host, ARGAND_C32, 3, dims));
    TRY_OR_DONE(argand_coils_mix(mixed, f->matrix_array, given));
    status = argand_array_copy(f->maps, mixed);
done:
    argand_array_destroy(given);
    argand_array_destroy(mixed);
    return status;
}

/* Weights of a window: the root of the inverse density, which converges nearly as fast as the whole and adds
 * less noise; their sum, to which the diagonal of A^H W A is equal where maps have the norm 1. */
static argand_status make_weights(argand_frames *f, const frames_estimate *e)
{
    const int64_t samples = f->options.samples, count = samples * f->options.window;
    argand_array *k[2] = {NULL};
    argand_status status = ARGAND_OK;
    for (int axis = 0; axis < 2 && status == ARGAND_OK; axis++)
        status = argand_array_part(&k[axis], e->k[axis], 0, argand_array_count(e->k[axis]) - count, count);
    if (status == ARGAND_OK) status = frames_weights(f->sample_weights, f, k, f->options.window);
    f->diagonal = 0;
    for (int64_t i = 0; i < samples; i++) {
        f->sample_weights[i] = sqrtf(f->sample_weights[i]);
        f->diagonal += (double)f->sample_weights[i] * f->options.window;
    }
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(k[axis]);
    CHECK(status != ARGAND_OK || (isfinite(f->diagonal) && f->diagonal > 0), ARGAND_NUMERIC,
          "frames: the calibration's density weights are not finite");
    return status;
}

static argand_status make_images(argand_frames *f)
{
    const int64_t dims[3] = {f->options.n[0], f->options.n[1], f->options.coils};
    TRY(argand_array_create(&f->maps, f->device, ARGAND_C32, 3, dims));
    argand_array **const arrays[] = {&f->image, &f->s, &f->p, &f->work};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        TRY(argand_array_create(arrays[i], f->device, ARGAND_C32, 2, f->options.n));
    return tv_create(f);
}

/* Puts the calibration's newest readouts into the ring, where the first image is made from them. */
static void fill_ring(argand_frames *f, int64_t count)
{
    const argand_frames_options *o = &f->options;
    for (int64_t i = f->calibrating - count; i < f->calibrating; i++) {
        frames_compress(ring_data(&f->ring, i), f->matrix, ring_data(&f->raw, i), o->samples, o->channels,
                        o->coils);
        for (int axis = 0; axis < 2; axis++)
            for (int64_t j = 0; j < o->samples; j++)
                ring_k(&f->ring, axis, i)[j] = ring_k(&f->raw, axis, i)[j];
    }
}

/* Makes an image from nothing, and another from that one. */
static argand_status first_image(argand_frames *f, frames_model *m)
{
    const int64_t first = f->calibrating - m->readouts;
    bool there; /* always: nothing is overwritten before the calibration ends */
    frames_forget(f);
    TRY(argand_array_fill(f->image, (argand_scalar){0, 0}));
    TRY(frames_load(f, m, first, &there));
    TRY(frames_solve(f, m, 3 * f->options.iterations, -1));
    TRY(tv_measure(f));
    TRY(frames_load(f, m, first, &there));
    return frames_solve(f, m, f->options.iterations, f->options.temporal);
}

/* Records a frame. A recording is not executed. */
static argand_status record(argand_frames *f, frames_model *m)
{
    memory_pool_use(f->pool);
    const argand_status status = frames_record(f, m);
    memory_pool_use(NULL);
    return status;
}

/* Makes an image with each operator, the last with that of a window. */
static argand_status try_models(argand_frames *f)
{
    for (int64_t windows = f->most_windows; windows > 0; windows--) {
        frames_model *m = &f->models[windows - 1];
        if (!m->op) continue;
        TRY(frames_model_weigh(m, f));
        memory_pool_use(f->pool);
        const argand_status status = first_image(f, m);
        memory_pool_use(NULL);
        TRY(status);
        TRY(record(f, m));
    }
    return ARGAND_OK;
}

/* Fills the ring with the readouts of the first window, again and again, whose first channels stand for
 * virtual coils. */
static void fill_ring_early(argand_frames *f)
{
    const argand_frames_options *o = &f->options;
    for (int64_t i = 0; i < f->calibrating; i++) {
        const int64_t from = i % o->window;
        memcpy(ring_data(&f->ring, i), ring_data(&f->raw, from),
               (size_t)(o->samples * o->coils) * 2 * sizeof(float));
        for (int axis = 0; axis < 2; axis++)
            memcpy(ring_k(&f->ring, axis, i), ring_k(&f->raw, axis, from),
                   (size_t)o->samples * sizeof(float));
    }
}

argand_status frames_prepare(argand_frames *f)
{
    TRY(make_images(f));
    TRY(taken_create(f));
    TRY(NEW(f->sample_weights, f->options.samples));
    for (int64_t i = 0; i < f->options.samples; i++) f->sample_weights[i] = 1;
    TRY(argand_array_fill(f->maps, (argand_scalar){1 / sqrt(f->options.coils), 0}));
    f->diagonal = (double)(f->options.samples * f->options.window);
    for (int64_t windows = f->most_windows; windows > 0; windows--)
        if (windows * f->options.window <= f->calibrating)
            TRY(frames_model_create(&f->models[windows - 1], f, windows));
    fill_ring_early(f);
    return try_models(f);
}

static argand_status make_all(argand_frames *f, readouts *r, frames_estimate *e)
{
    TRY(readouts_take(r, f));
    TRY(make_matrix(f, r));
    if (f->options.delays) {
        f->delay = f->options.known_delay;
        if (!f->known_maps) TRY(argand_radial_delay_estimate(&f->delay, r->data, r->k));
        TRY(argand_radial_delay_correct(r->k, &f->delay));
    }
    TRY(estimate_create(e, f, f->host, f->calibrating, f->options.coils));
    for (int axis = 0; axis < 2; axis++) TRY(argand_array_upload(e->k[axis], argand_array_data(r->k[axis])));
    argand_array *mixed;
    TRY(argand_array_reshape(&mixed, e->data, 3,
                             (int64_t[]){f->options.samples, f->calibrating, f->options.coils}));
    const argand_status status = argand_coils_mix(mixed, f->matrix_array, r->data);
    argand_array_destroy(mixed);
    TRY(status);
    TRY(estimate_weights(e, f));
    TRY(make_weights(f, e));
    TRY(make_maps(f, e));
    fill_ring(f, f->calibrating);
    TRY(try_models(f));
    return refresh_create(f, e);
}

argand_status frames_calibrate(argand_frames *f)
{
    readouts r = {0};
    frames_estimate e = {0};
    const argand_status status = make_all(f, &r, &e);
    estimate_free(&e);
    readouts_free(&r);
    return status;
}
