/* SPDX-License-Identifier: BSD-3-Clause */
/* The message of an image, written and read: head, attributes, numbers. */
#include "mrd/mrd.h"

#include <string.h>

argand_status mrd_write_image(mrd_writer write, void *context, const argand_scan_image *image,
                              const char *attributes, const void *numbers)
{
    uint8_t head[ARGAND_SCAN_IMAGE_HEAD], length[8] = {0};
    const size_t count = strlen(attributes);
    for (int i = 0; i < 4; i++) length[i] = (uint8_t)(count >> (8 * i));
    TRY(argand_scan_image_head(head, image, (uint32_t)count));
    TRY(write(context, head, sizeof head));
    TRY(write(context, length, sizeof length));
    TRY(write(context, attributes, count));
    return write(context, numbers,
                 (size_t)(image->n[0] * image->n[1] * image->n[2]) * argand_type_size(image->type));
}

/* ---- reading */

static uint64_t take(const uint8_t **at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t) * (*at)++ << (8 * i);
    return value;
}

static void take_floats(float *to, const uint8_t **at)
{
    for (int i = 0; i < 3; i++) {
        const uint32_t bits = (uint32_t)take(at, 4);
        memcpy(&to[i], &bits, sizeof bits);
    }
}

argand_status mrd_image_of(mrd_image *image, const mrd_spool *spool, int64_t index)
{
    uint8_t head[ARGAND_SCAN_IMAGE_HEAD], length[8];
    const uint64_t place = spool->places[index];
    TRY(mrd_spool_read(spool, place, head, sizeof head));
    TRY(mrd_spool_read(spool, place + sizeof head, length, sizeof length));
    const uint8_t *at = length;
    *image = (mrd_image){.at = place + sizeof head + sizeof length + take(&at, 8)};
    at = head + 2;
    image->type = (int)take(&at, 2);
    at += 8 + 4; /* flags, measurement */
    for (int d = 0; d < 3; d++) image->n[d] = take(&at, 2);
    take_floats(image->view, &at);
    image->n[3] = take(&at, 2);
    float *const places[] = {image->position, image->read_dir, image->phase_dir, image->slice_dir};
    for (int i = 0; i < 4; i++) take_floats(places[i], &at);
    at += 3 * 4; /* table */
    argand_counters *c = &image->counters;
    uint16_t *const counters[] = {&c->average, &c->slice, &c->contrast, &c->phase, &c->repetition, &c->set};
    for (int i = 0; i < 6; i++) *counters[i] = (uint16_t)take(&at, 2);
    at += 4 + 3 * 4 + 2 + 2; /* time stamps, type, index */
    image->series = (int)take(&at, 2);
    return ARGAND_OK;
}
