/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil maps by adaptive combination, from density-weighted adjoint images of low resolution. */
#include "frames/frames.h"

#include <math.h>
#include "base/memory.h"
#include "base/pi.h"
#include "device/device.h"

/* Radius of k-space that maps are estimated from, as a part of the matrix: coils are smooth. */
static const double RADIUS = 0.2;

/* Multiplies density weights by a Hann window. The radii of a readout's samples are those of the first. */
static void low_pass(float *weights, const argand_frames *f, const float *kx, const float *ky)
{
    for (int64_t i = 0; i < f->options.samples; i++) {
        const double x = (double)kx[i] / (RADIUS * (double)f->options.n[0]),
                     y = (double)ky[i] / (RADIUS * (double)f->options.n[1]), r = sqrt(x * x + y * y);
        weights[i] *= r < 1 ? (float)(0.5 + 0.5 * cos(PI * r)) : 0.0F;
    }
}

argand_status estimate_create(frames_estimate *e, argand_frames *f, argand_device *device, int64_t readouts,
                              int coils)
{
    const argand_frames_options *o = &f->options;
    const int64_t points = o->samples * readouts, dims[3] = {o->n[0], o->n[1], coils};
    const argand_nufft_options options = {.type = ARGAND_C32,
                                          .rank = 2,
                                          .n = {o->n[0], o->n[1]},
                                          .tolerance = 1e-3,
                                          .window_only = true,
                                          .wait_for_kernels = true};
    *e = (frames_estimate){.device = device_keep(device), .readouts = readouts};
    TRY(argand_nufft_create(&e->plan, device, &options));
    for (int axis = 0; axis < 2; axis++) {
        TRY(argand_array_create(&e->k[axis], device, ARGAND_R32, 1, &points));
        e->host_k[axis] = argand_array_data(e->k[axis]);
    }
    TRY(argand_array_create(&e->data, device, ARGAND_C32, 2, (int64_t[]){points, coils}));
    TRY(argand_array_create(&e->weight, device, ARGAND_R32, 2, (int64_t[]){o->samples, readouts}));
    TRY(argand_array_create(&e->images, device, ARGAND_C32, 3, dims));
    TRY(argand_array_create(&e->maps, device, ARGAND_C32, 3, dims));
    e->host = argand_array_data(e->data);
    return ARGAND_OK;
}

argand_status estimate_weights(frames_estimate *e, argand_frames *f)
{
    const int64_t samples = f->options.samples;
    float *weights = argand_array_data(e->weight);
    TRY(frames_weights(weights, f, e->k, e->readouts));
    low_pass(weights, f, e->host_k[0], e->host_k[1]);
    for (int64_t i = samples; i < samples * e->readouts; i++) weights[i] = weights[i % samples];
    return ARGAND_OK;
}

argand_status estimate_run(frames_estimate *e)
{
    const int64_t points = argand_array_count(e->weight), dims[2] = {points, argand_array_dim(e->data, 1)};
    argand_array *repeated;
    TRY(argand_nufft_set_points(e->plan, e->k));
    TRY(argand_array_view(&repeated, e->weight, 2, dims, (int64_t[]){1, 0}, 0));
    argand_status status = argand_array_multiply(e->data, repeated, e->data, ARGAND_PRODUCT);
    argand_array_destroy(repeated);
    if (status == ARGAND_OK) status = argand_nufft_adjoint(e->plan, e->images, e->data);
    return status == ARGAND_OK ? argand_coils_estimate(e->maps, e->images, 0) : status;
}

void estimate_free(frames_estimate *e)
{
    argand_array_destroy(e->maps);
    argand_array_destroy(e->images);
    argand_array_destroy(e->weight);
    argand_array_destroy(e->data);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(e->k[axis]);
    argand_nufft_destroy(e->plan);
    argand_device_close(e->device);
    *e = (frames_estimate){0};
}

void maps_align(float *fresh, const float *old, int64_t pixels, int coils)
{
    for (int64_t i = 0; i < pixels; i++) {
        float re = 0, im = 0; /* sum over coils of conj(fresh) old */
        for (int64_t at = 2 * i, c = 0; c < coils; c++, at += 2 * pixels) {
            re += fresh[at] * old[at] + fresh[at + 1] * old[at + 1];
            im += fresh[at] * old[at + 1] - fresh[at + 1] * old[at];
        }
        const float size = hypotf(re, im);
        if (!(size > 0)) continue;
        re /= size;
        im /= size;
        for (int64_t at = 2 * i, c = 0; c < coils; c++, at += 2 * pixels) {
            const float x = fresh[at], y = fresh[at + 1];
            fresh[at] = x * re - y * im;
            fresh[at + 1] = x * im + y * re;
        }
    }
}
