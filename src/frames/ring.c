/* SPDX-License-Identifier: BSD-3-Clause */
/* The newest readouts, each in the place of the one that came `capacity` readouts before. */
#include "frames/frames.h"

#include <string.h>
#include "base/memory.h"

argand_status ring_create(frames_ring *r, int64_t capacity, int64_t samples, int coils)
{
    const size_t readout = memory_product((size_t)samples, sizeof(float)),
                 positions = memory_product(readout, (size_t)capacity);
    *r = (frames_ring){.capacity = capacity, .samples = samples, .coils = coils};
    TRY(memory_new(&r->data, memory_product(positions, 2 * (size_t)coils), 1));
    for (int axis = 0; axis < 2; axis++) TRY(memory_new(&r->k[axis], positions, 1));
    return ARGAND_OK;
}

void ring_free(frames_ring *r)
{
    for (int axis = 0; axis < 2; axis++) memory_free(r->k[axis]);
    memory_free(r->data);
    *r = (frames_ring){0};
}

float *ring_data(const frames_ring *r, int64_t readout)
{
    return r->data + readout % r->capacity * r->samples * 2 * r->coils;
}

float *ring_k(const frames_ring *r, int axis, int64_t readout)
{
    return r->k[axis] + readout % r->capacity * r->samples;
}

void ring_copy(const frames_ring *r, int64_t first, int64_t count, float *data, float *const k[2])
{
    const size_t bytes = (size_t)r->samples * sizeof(float);
    for (int64_t i = 0; i < count; i++) {
        const float *from = ring_data(r, first + i);
        for (int axis = 0; axis < 2; axis++)
            memcpy(k[axis] + i * r->samples, ring_k(r, axis, first + i), bytes);
        for (int coil = 0; coil < r->coils; coil++)
            memcpy(data + (coil * count + i) * 2 * r->samples, from + coil * 2 * r->samples, 2 * bytes);
    }
}
