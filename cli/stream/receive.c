/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives images, and notes how long after the last readout each has come. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "stream/stream.h"

enum { MOST_ATTRIBUTES = 1 << 20, MOST_IMAGE = 1 << 30, COMPLEX = 7, REAL = 5 };

static argand_status get(void *context, void *to, size_t bytes)
{
    stream_run *r = context;
    double until = seconds_now() + r->settings->patience;
    for (char *at = to; bytes;) {
        struct pollfd one = {r->socket, POLLIN, 0};
        if (interrupted()) return ARGAND_STOPPED;
        if (seconds_now() > until)
            return report_error(ARGAND_FILE, "%s:%d: the server sent nothing for %d s (--patience)",
                                r->settings->host, r->settings->port, r->settings->patience);
        if (poll(&one, 1, 200) <= 0) continue;
        const ssize_t got = recv(r->socket, at, bytes, 0);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got <= 0)
            return report_error(ARGAND_FILE,
                                "%s:%d: the server closed the connection before its last message",
                                r->settings->host, r->settings->port);
        until = seconds_now() + r->settings->patience;
        at += got;
        bytes -= (size_t)got;
    }
    return ARGAND_OK;
}

static argand_status skip(void *context, uint64_t bytes)
{
    char chunk[16384];
    while (bytes) {
        const size_t some = bytes < sizeof chunk ? (size_t)bytes : sizeof chunk;
        TRY(get(context, chunk, some));
        bytes -= some;
    }
    return ARGAND_OK;
}

/* ---- images */

static uint64_t number_at(const uint8_t *raw, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)raw[i] << (8 * i);
    return value;
}

/* Reads the counters of an image's head: average, slice, contrast, phase, repetition, set. */
static argand_counters counters_of(const uint8_t *head)
{
    enum { COUNTERS = 36 + 5 * 12 };
    argand_counters c = {0};
    uint16_t *const places[] = {&c.average, &c.slice, &c.contrast, &c.phase, &c.repetition, &c.set};
    for (int i = 0; i < 6; i++) *places[i] = (uint16_t)number_at(head + COUNTERS + 2 * i, 2);
    return c;
}

/* Returns memory for one more image of this shape; NULL: there is none, or the shape is another. */
static float *image_memory(stream_run *r, const int64_t n[3], bool is_complex)
{
    const size_t pixels = (size_t)(n[0] * n[1] * n[2]) * (is_complex ? 2 : 1);
    if (r->kept_count && (memcmp(r->n, n, sizeof r->n) || r->kept_complex != is_complex)) return NULL;
    memcpy(r->n, n, sizeof r->n);
    r->kept_complex = is_complex;
    if (r->kept_count == r->kept_most) {
        const int64_t most = r->kept_most ? 2 * r->kept_most : 16;
        float *more = realloc(r->kept, (size_t)most * pixels * sizeof *more);
        if (!more) return NULL;
        r->kept = more;
        r->kept_most = most;
    }
    return r->kept + pixels * (size_t)r->kept_count++;
}

/* Keeps an image for --output, or passes over it. */
static argand_status take_numbers(stream_run *r, const uint8_t *head)
{
    static const int sizes[9] = {0, 2, 2, 4, 4, 4, 8, 8, 16};
    const int type = (int)number_at(head + 2, 2);
    int64_t n[3];
    uint64_t bytes = number_at(head + 34, 2);
    for (int d = 0; d < 3; d++) bytes *= (uint64_t)(n[d] = (int64_t)number_at(head + 16 + 2 * d, 2));
    if (type < 1 || type > 8 || bytes > MOST_IMAGE / 16)
        return report_error(ARGAND_FORMAT, "%s:%d: sent an image of type %d and %.6g elements",
                            r->settings->host, r->settings->port, type, (double)bytes);
    bytes *= (uint64_t)sizes[type];
    if (!r->settings->output) return skip(r, bytes);
    if ((type != REAL && type != COMPLEX) || number_at(head + 34, 2) != 1)
        return report_error(
            ARGAND_UNSUPPORTED,
            "%s: images of type %d and %d channels cannot be written; floats of one channel can",
            r->settings->output, type, (int)number_at(head + 34, 2));
    float *to = image_memory(r, n, type == COMPLEX);
    if (!to)
        return report_error(ARGAND_UNSUPPORTED, "%s: images differ in size or part, or there is no memory",
                            r->settings->output);
    const argand_status status = get(r, to, (size_t)bytes);
    if (status) r->kept_count--; /* half an image */
    return status;
}

/* Notes the latency of an image that has come whole. Several parts of one frame count once. */
static argand_status note_image(stream_run *r, const uint8_t *head, const char *attributes)
{
    const double now = seconds_now();
    const argand_counters counters = counters_of(head);
    const int64_t last = stream_last_readout(r, attributes, &counters),
                  frame = stream_attribute(attributes, "Frame");
    r->images++;
    if (frame > r->highest) r->highest = frame;
    const double sent = last >= 0 ? atomic_load(&r->sent[last]) : 0;
    if (!(sent > 0)) {
        r->unknown++;
        return ARGAND_OK;
    }
    const int64_t volume = frame >= 0 ? frame : last, steady = stream_attribute(attributes, "SteadyFrom");
    const bool starts = frame >= 0 && frame < steady, is_new = volume != r->last;
    r->frames += is_new;
    r->start_frames += is_new && starts;
    r->last = volume;
    if (steady > 0) r->steady = steady;
    return latency_add(starts ? &r->start : &r->latencies, now - sent);
}

static argand_status take_image(stream_run *r)
{
    uint8_t head[ARGAND_SCAN_IMAGE_HEAD], length[8];
    TRY(get(r, head, sizeof head));
    TRY(get(r, length, sizeof length));
    const uint64_t bytes = number_at(length, 8);
    if (bytes > MOST_ATTRIBUTES)
        return report_error(ARGAND_FORMAT, "%s:%d: sent attributes of %.6g MB; the stream is damaged",
                            r->settings->host, r->settings->port, (double)bytes / 1e6);
    char *attributes = calloc(1, (size_t)bytes + 1);
    if (!attributes) return report_error(ARGAND_MEMORY, "no memory for an image's attributes");
    argand_status status = get(r, attributes, (size_t)bytes);
    if (!status) status = take_numbers(r, head);
    if (!status) status = note_image(r, head, attributes);
    free(attributes);
    return status;
}

static argand_status take_text(stream_run *r)
{
    uint8_t length[4];
    char text[1024] = "";
    TRY(get(r, length, sizeof length));
    const uint64_t bytes = number_at(length, 4);
    const size_t some = bytes < sizeof text ? (size_t)bytes : sizeof text - 1;
    if (bytes > MRD_MOST_TEXT)
        return report_error(ARGAND_FORMAT, "%s:%d: sent a text of %.6g MB; the stream is damaged",
                            r->settings->host, r->settings->port, (double)bytes / 1e6);
    TRY(get(r, text, some));
    TRY(skip(r, bytes - some));
    visible_text(r->said, sizeof r->said, text);
    return ARGAND_OK;
}

argand_status stream_receive(stream_run *r)
{
    const mrd_source source = {get, skip, r, r->settings->host};
    for (;;) {
        uint64_t message;
        TRY(mrd_number(&source, &message, 2));
        if (message == MRD_CLOSE) return ARGAND_OK;
        if (message == MRD_IMAGE)
            TRY(take_image(r));
        else if (message == MRD_TEXT)
            TRY(take_text(r));
        else
            TRY(mrd_pass(&source, (int)message));
    }
}
