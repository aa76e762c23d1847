/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the messages of a client. Claimed sizes are compared with the connection's limit before memory is
 * allocated. */
#include <stdlib.h>
#include <string.h>

#include "serve/serve.h"

static argand_status read_text(stream *s, char **text, const char *what)
{
    uint64_t length;
    void *bytes;
    TRY(stream_read_number(s, &length, 4));
    if (length > MRD_MOST_TEXT)
        return report_error(ARGAND_FORMAT, "%s: %s of %.6g MB is too long; the stream is damaged", s->name,
                            what, (double)length / 1e6);
    TRY(stream_take(s, &bytes, length, what));
    *text = calloc(1, (size_t)length + 1);
    if (*text) memcpy(*text, bytes, (size_t)length);
    free(bytes);
    return *text ? ARGAND_OK : report_error(ARGAND_MEMORY, "%s: no memory for %s", s->name, what);
}

/* Takes options from a text. */
static argand_status read_options(received *r, stream *s)
{
    char *text = NULL;
    TRY(read_text(s, &text, "parameters"));
    const argand_status status = serve_configure(r->settings, s->name, text, r->out);
    free(text);
    return status;
}

/* Reads the name of another program's processing chain, which is kept as text and not used, or options. */
static argand_status read_config(received *r, stream *s, bool is_file)
{
    char file[MRD_CONFIG_FILE_BYTES + 1] = {0}, *text = NULL;
    if (is_file)
        TRY(stream_read(s, file, MRD_CONFIG_FILE_BYTES));
    else
        TRY(read_text(s, &text, "a configuration"));
    visible_text(r->config, sizeof r->config, text ? text : file);
    const argand_status status = text ? serve_configure(r->settings, s->name, text, r->out) : ARGAND_OK;
    free(text);
    return status;
}

static argand_status read_header(received *r, stream *s)
{
    if (r->header) return report_error(ARGAND_FORMAT, "%s: sent two headers", s->name);
    return read_text(s, &r->header, "a header");
}

static argand_status reserve(received *r, stream *s)
{
    if (r->count < r->most) return ARGAND_OK;
    const int64_t most = r->most ? 2 * r->most : 256;
    argand_scan_message *more = realloc(r->messages, (size_t)most * sizeof *more);
    if (!more)
        return report_error(ARGAND_MEMORY, "%s: no memory for %lld acquisitions", s->name, (long long)most);
    r->messages = more;
    r->most = most;
    return ARGAND_OK;
}

/* Reads an acquisition: head, positions and samples, each into its own memory. */
static argand_status read_acquisition(received *r, stream *s)
{
    void *head, *trajectory = NULL, *data = NULL;
    int64_t points, samples;
    if (!r->header) return report_error(ARGAND_FORMAT, "%s: sent an acquisition before its header", s->name);
    TRY(reserve(r, s));
    argand_status status = stream_take(s, &head, ARGAND_SCAN_MESSAGE_HEAD, "an acquisition's head");
    if (!status) {
        argand_scan_message_sizes(head, &points, &samples);
        status = stream_take(s, &trajectory, (uint64_t)points * sizeof(float), "a trajectory");
    }
    if (!status) status = stream_take(s, &data, (uint64_t)samples * sizeof(float), "an acquisition");
    r->messages[r->count++] = (argand_scan_message){head, trajectory, data};
    r->all++;
    r->last = seconds_now();
    return status;
}

argand_status serve_take(received *r, stream *s, int message)
{
    const mrd_source source = stream_source(s);
    switch (message) {
    case MRD_CONFIG_FILE:
    case MRD_CONFIG_TEXT:
        return read_config(r, s, message == MRD_CONFIG_FILE);
    case MRD_HEADER:
        return read_header(r, s);
    case MRD_ACQUISITION:
        return read_acquisition(r, s);
    case MRD_TEXT:
        if (!r->all) return read_options(r, s);
        r->others++;
        return mrd_pass(&source, message);
    case MRD_WAVEFORM:
    case MRD_ARRAY:
        r->others++;
        return mrd_pass(&source, message);
    }
    return report_error(ARGAND_FORMAT,
                        "%s: sent a message %d, which is none of ISMRMRD's that a "
                        "reconstruction takes",
                        s->name, message);
}

/* Finds out if the last acquisition ends a repetition. An acquisition after the end is the first of the
 * next one. */
static argand_status watch_last(received *r, repetition *watch, int64_t *count, bool *ends)
{
    const argand_scan_message *last = &r->messages[r->count - 1];
    bool before, after;
    TRY(repetition_see(watch, r, last, &before, &after));
    *count = r->count - before;
    *ends = before || after;
    if (!*ends) return ARGAND_OK;
    repetition_begin(watch);
    return before ? repetition_see(watch, r, last, &(bool){0}, &(bool){0}) : ARGAND_OK;
}

/* Returns true if each repetition is reconstructed by itself. Clients may change this before their first
 * acquisition. */
static bool goes_by_repetition(const serve_settings *s)
{
    return !s->whole && !s->sense.session.joint && !s->sense.basis;
}

argand_status serve_receive(received *r, stream *s, repetition *watch, int64_t *count, bool *closed)
{
    bool ends = false;
    *closed = false;
    while (!ends) {
        uint64_t message;
        TRY(stream_read_number(s, &message, 2));
        *closed = message == MRD_CLOSE;
        if (*closed) break;
        TRY(serve_take(r, s, (int)message));
        if (message == MRD_ACQUISITION && goes_by_repetition(r->settings))
            TRY(watch_last(r, watch, count, &ends));
    }
    if (*closed) *count = r->count;
    if (r->header && r->all) return ARGAND_OK;
    return report_error(ARGAND_FORMAT, "%s: sent %s", s->name,
                        r->header ? "no acquisitions" : "no header and no acquisitions");
}

static int64_t free_message(const argand_scan_message *m)
{
    int64_t trajectory = 0, data = 0;
    if (m->head) argand_scan_message_sizes(m->head, &trajectory, &data);
    free((void *)(uintptr_t)m->head);
    free((void *)(uintptr_t)m->trajectory);
    free((void *)(uintptr_t)m->data);
    return ARGAND_SCAN_MESSAGE_HEAD + (trajectory + data) * (int64_t)sizeof(float);
}

static bool calibrates(const argand_scan_message *m)
{
    argand_scan_message_info info;
    argand_scan_message_describe(m->head, &info);
    return info.flags & (ARGAND_FLAG_CALIBRATION | ARGAND_FLAG_CALIBRATION_AND_IMAGING);
}

/* Returns the repetition of the images after the kept messages; -1: none, or several. */
static int repetition_of(const received *r, int64_t count)
{
    int found = -1;
    for (int64_t i = r->kept; i < count; i++) {
        argand_scan_message_info info;
        argand_scan_message_describe(r->messages[i].head, &info);
        if (!info.is_image) continue;
        if (found >= 0 && info.counters.repetition != found) return -1;
        found = info.counters.repetition;
    }
    return found;
}

/* Returns true if a message is a calibration line without image data, and its repetition. */
static bool is_line(const argand_scan_message *m, int *number)
{
    argand_scan_message_info info;
    argand_scan_message_describe(m->head, &info);
    *number = info.counters.repetition;
    return !info.is_image && info.flags & ARGAND_FLAG_CALIBRATION;
}

argand_status serve_hold(received *r, int64_t *count)
{
    const int of = repetition_of(r, *count);
    int64_t own = 0, held = 0, at = r->kept;
    int number;
    for (int64_t i = r->kept; i < *count; i++)
        if (is_line(&r->messages[i], &number)) *(number == of ? &own : &held) += 1;
    if (!own || !held) return ARGAND_OK;
    argand_scan_message *waiting = malloc((size_t)held * sizeof *waiting);
    if (!waiting) return report_error(ARGAND_MEMORY, "no memory for calibration lines");
    held = 0;
    for (int64_t i = r->kept; i < *count; i++)
        if (is_line(&r->messages[i], &number) && number != of)
            waiting[held++] = r->messages[i];
        else
            r->messages[at++] = r->messages[i];
    memcpy(r->messages + at, waiting, (size_t)held * sizeof *waiting);
    free(waiting);
    *count = at;
    return ARGAND_OK;
}

void serve_forget(received *r, stream *s, int64_t count)
{
    const bool first = !r->forgot;
    int64_t kept = r->kept;
    for (int64_t i = r->kept; i < count; i++)
        if (first && calibrates(&r->messages[i]))
            r->messages[kept++] = r->messages[i];
        else
            s->left += free_message(&r->messages[i]);
    r->kept = kept;
    for (int64_t i = count; i < r->count; i++) r->messages[kept++] = r->messages[i];
    r->count = kept;
    r->forgot = true;
}

void serve_forget_all(received *r, stream *s)
{
    for (int64_t i = 0; i < r->count; i++) s->left += free_message(&r->messages[i]);
    r->count = 0;
}

void serve_free(received *r)
{
    for (int64_t i = 0; i < r->count; i++) free_message(&r->messages[i]);
    free(r->messages);
    free(r->header);
    *r = (received){0};
}
