/* SPDX-License-Identifier: BSD-3-Clause */
/* Images as ISMRMRD's messages: a head of 198 bytes (packed, little-endian), attributes, numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "serve/serve.h"

enum { IMAGE_HEAD = 198, TYPE_FLOAT = 5, TYPE_COMPLEX_FLOAT = 7 };

typedef struct writer {
    uint8_t bytes[IMAGE_HEAD + 8];
    size_t used;
} writer;

static void put(writer *w, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) w->bytes[w->used++] = (uint8_t)(value >> (8 * i));
}

static void put_floats(writer *w, const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        const float value = (float)values[i];
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        put(w, bits, 4);
    }
}

/* Which image it is: part is 1 magnitude, 2 phase, 3 real, 4 imaginary, 5 complex, as ISMRMRD has them. */
typedef struct head {
    int64_t n[3];
    argand_geometry geometry;
    argand_counters counters;
    int volume, part;
} head;

static void put_head(writer *w, const head *h, uint64_t attributes)
{
    const argand_geometry *g = &h->geometry;
    const argand_counters *c = &h->counters;
    const double nowhere[3] = {0};
    double fov[3];
    for (int d = 0; d < 3; d++) fov[d] = g->voxel[d] * (double)h->n[d];
    put(w, 1, 2); /* version */
    put(w, h->part == 5 ? TYPE_COMPLEX_FLOAT : TYPE_FLOAT, 2);
    put(w, 0, 8); /* flags */
    put(w, 0, 4); /* measurement */
    for (int d = 0; d < 3; d++) put(w, (uint64_t)h->n[d], 2);
    put_floats(w, fov, 3);
    put(w, 1, 2); /* channels */
    put_floats(w, g->centre, 3);
    put_floats(w, g->read, 3);
    put_floats(w, g->phase, 3);
    put_floats(w, g->slice, 3);
    put_floats(w, nowhere, 3); /* table */
    const uint16_t places[] = {c->average, c->slice, c->contrast, c->phase, c->repetition, c->set};
    for (int i = 0; i < 6; i++) put(w, places[i], 2);
    for (int i = 0; i < 4; i++) put(w, 0, 4); /* time stamps */
    put(w, (uint64_t)h->part, 2);
    put(w, (uint64_t)h->volume + 1, 2);        /* index, from 1 as scanners have it */
    put(w, (uint64_t)h->part, 2);              /* series: one for each part */
    for (int i = 0; i < 16; i++) put(w, 0, 4); /* user's */
    put(w, attributes, 4);
    put(w, attributes, 8);
}

static argand_status send_message(stream *s, int message)
{
    const uint8_t raw[2] = {(uint8_t)message, (uint8_t)(message >> 8)};
    return stream_write(s, raw, sizeof raw);
}

argand_status serve_send_text(stream *s, const char *words)
{
    const size_t length = strlen(words);
    const uint8_t raw[4] = {(uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16), 0};
    TRY(send_message(s, MRD_TEXT));
    TRY(stream_write(s, raw, sizeof raw));
    return stream_write(s, words, length);
}

argand_status serve_send_close(stream *s)
{
    return send_message(s, MRD_CLOSE);
}

/* Numbers of a part of the complex ones, in place; how many floats they are. */
static size_t take_part(float *v, const float *complex_numbers, int64_t count, int part)
{
    if (part == 5) {
        memcpy(v, complex_numbers, (size_t)count * 2 * sizeof *v);
        return (size_t)count * 2;
    }
    for (int64_t i = 0; i < count; i++) {
        const float re = complex_numbers[2 * i], im = complex_numbers[2 * i + 1];
        v[i] = part == 1 ? hypotf(re, im) : part == 2 ? atan2f(im, re) : part == 3 ? re : im;
    }
    return (size_t)count;
}

static argand_status send_part(stream *s, const head *h, const float *image, float *numbers)
{
    static const char attributes[] =
        "<?xml version=\"1.0\"?>\n<ismrmrdMeta><meta><name>DataRole</name><value>Image</value></meta>"
        "<meta><name>ImageProcessingHistory</name><value>Argand</value></meta></ismrmrdMeta>\n";
    writer w = {.used = 0};
    const size_t floats = take_part(numbers, image, h->n[0] * h->n[1] * h->n[2], h->part);
    put_head(&w, h, sizeof attributes - 1);
    TRY(send_message(s, MRD_IMAGE));
    TRY(stream_write(s, w.bytes, w.used));
    TRY(stream_write(s, attributes, sizeof attributes - 1));
    return stream_write(s, numbers, floats * sizeof *numbers);
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

argand_status serve_send_image(stream *s, const argand_sense *session, int volume, argand_array *image,
                               int parts)
{
    head h = {.volume = volume,
              .counters = *argand_sense_counters(session, volume),
              .geometry = argand_sense_geometry(session, volume)};
    argand_sense_grid(session, h.n);
    const size_t count = (size_t)argand_array_count(image);
    float *numbers = malloc(count * 4 * sizeof *numbers), *part = numbers + 2 * count;
    if (!numbers) return report_error(ARGAND_MEMORY, "no memory for an image");
    argand_status status = download(numbers, image);
    for (int bit = 0; bit < 5 && !status; bit++) {
        h.part = bit + 1;
        if (parts & 1 << bit) status = send_part(s, &h, numbers, part);
    }
    free(numbers);
    return status;
}
