/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends images as ISMRMRD messages: head, attributes, numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "serve/serve.h"

/* Sends a message's number. If watch.c has sent the first byte of an image ahead, only an image may
 * follow. */
static argand_status send_message(stream *s, int message)
{
    const uint8_t raw[2] = {(uint8_t)message, (uint8_t)(message >> 8)};
    const bool ahead = watch_sent_ahead();
    if (ahead && message != MRD_IMAGE)
        return report_error(
            ARGAND_FILE, "%s: nothing but an image can be sent now: its first byte is already sent", s->name);
    if (ahead) watch_image_begins();
    return stream_write(s, raw + ahead, sizeof raw - ahead);
}

argand_status serve_send_text(stream *s, const char *message)
{
    const size_t length = strlen(message);
    const uint8_t raw[4] = {(uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16), 0};
    TRY(send_message(s, MRD_TEXT));
    TRY(stream_write(s, raw, sizeof raw));
    return stream_write(s, message, length);
}

argand_status serve_send_close(stream *s)
{
    return send_message(s, MRD_CLOSE);
}

/* Doubles neither overflow nor underflow here, and compilers make vectors of this loop, unlike of hypotf. */
static void take_magnitude(float *v, const float *z, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const double re = (double)z[2 * i], im = (double)z[2 * i + 1];
        v[i] = (float)sqrt(re * re + im * im);
    }
}

/* Converts complex numbers to a part. */
static void take_part(float *v, const float *z, int64_t count, argand_image_part part)
{
    if (part == ARGAND_IMAGE_COMPLEX) memcpy(v, z, (size_t)count * 2 * sizeof *v);
    if (part == ARGAND_IMAGE_MAGNITUDE) take_magnitude(v, z, count);
    for (int64_t i = 0; i < count && part == ARGAND_IMAGE_PHASE; i++) v[i] = atan2f(z[2 * i + 1], z[2 * i]);
    for (int64_t i = 0; i < count && part == ARGAND_IMAGE_REAL; i++) v[i] = z[2 * i];
    for (int64_t i = 0; i < count && part == ARGAND_IMAGE_IMAGINARY; i++) v[i] = z[2 * i + 1];
}

static argand_status write_bytes(void *context, const void *bytes, size_t count)
{
    return stream_write(context, bytes, count);
}

static argand_status send_part(stream *s, const argand_scan_image *i, const char *attributes,
                               const float *image, float *numbers)
{
    take_part(numbers, image, i->n[0] * i->n[1] * i->n[2], i->part);
    s->is_within = true;
    TRY(send_message(s, MRD_IMAGE));
    TRY(mrd_write_image(write_bytes, s, i, attributes, numbers));
    s->is_within = false;
    return ARGAND_OK;
}

argand_status serve_send_numbers(stream *s, const argand_scan_image *about, const char *attributes,
                                 const float *numbers, float *work, int parts)
{
    argand_scan_image i = *about;
    argand_status status = ARGAND_OK;
    for (int bit = 0; bit < OUTPUT_PARTS && !status; bit++) {
        i.part = (argand_image_part)(bit + 1);
        i.series = bit + 1;
        i.type = i.part == ARGAND_IMAGE_COMPLEX ? ARGAND_C32 : ARGAND_R32;
        if (parts & 1 << bit) status = send_part(s, &i, attributes, numbers, work);
    }
    return status;
}

static argand_status download(float *to, argand_array *image)
{
    int64_t dims[3];
    argand_array *single = NULL;
    for (int d = 0; d < 3; d++) dims[d] = argand_array_dim(image, d);
    argand_status status = argand_array_create(&single, argand_array_device(image), ARGAND_C32, 3, dims);
    if (!status) status = argand_array_copy(single, image);
    if (!status) status = argand_array_download(single, to);
    argand_array_destroy(single);
    return status;
}

argand_status serve_send_image(stream *s, const argand_scan_image *about, argand_array *image, int parts)
{
    const size_t count = (size_t)argand_array_count(image);
    float *numbers = malloc(count * 4 * sizeof *numbers);
    if (!numbers) return report_error(ARGAND_MEMORY, "no memory for an image");
    argand_status status = download(numbers, image);
    if (!status)
        status =
            serve_send_numbers(s, about, OUTPUT_ATTRIBUTES("Image"), numbers, numbers + 2 * count, parts);
    free(numbers);
    return status;
}
