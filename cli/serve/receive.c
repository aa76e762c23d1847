/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of a client. Sizes that they claim are compared with the connection's limit before memory is
 * taken. */
#include <stdlib.h>
#include <string.h>

#include "serve/serve.h"

enum { CONFIG_FILE_BYTES = 1024, MOST_TEXT = 16 << 20, WAVEFORM_HEAD = 40 };

static argand_status read_text(stream *s, char **text, const char *what)
{
    uint64_t length;
    void *bytes;
    TRY(stream_read_number(s, &length, 4));
    if (length > MOST_TEXT)
        return report_error(ARGAND_FORMAT, "%s: %s of %.6g MB makes no sense", s->name, what,
                            (double)length / 1e6);
    TRY(stream_take(s, &bytes, length, what));
    *text = calloc(1, (size_t)length + 1);
    if (*text) memcpy(*text, bytes, (size_t)length);
    free(bytes);
    return *text ? ARGAND_OK : report_error(ARGAND_MEMORY, "%s: no memory for %s", s->name, what);
}

/* The name of a chain of some other program: known by its text, used for nothing. */
static argand_status read_config(received *r, stream *s, bool is_file)
{
    char file[CONFIG_FILE_BYTES + 1] = {0}, *text = NULL;
    if (is_file)
        TRY(stream_read(s, file, CONFIG_FILE_BYTES));
    else
        TRY(read_text(s, &text, "a configuration"));
    snprintf(r->config, sizeof r->config, "%.200s", text ? text : file);
    free(text);
    return ARGAND_OK;
}

static argand_status read_header(received *r, stream *s)
{
    if (r->header) return report_error(ARGAND_FORMAT, "%s: sent two headers", s->name);
    return read_text(s, &r->header, "a header");
}

static argand_status make_room(received *r, stream *s)
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

/* Head, positions and samples, each memory of its own. */
static argand_status read_acquisition(received *r, stream *s)
{
    void *head, *trajectory = NULL, *data = NULL;
    int64_t points, samples;
    if (!r->header) return report_error(ARGAND_FORMAT, "%s: sent an acquisition before its header", s->name);
    TRY(make_room(r, s));
    argand_status status = stream_take(s, &head, ARGAND_SCAN_MESSAGE_HEAD, "an acquisition's head");
    if (!status) {
        argand_scan_message_sizes(head, &points, &samples);
        status = stream_take(s, &trajectory, (uint64_t)points * sizeof(float), "a trajectory");
    }
    if (!status) status = stream_take(s, &data, (uint64_t)samples * sizeof(float), "an acquisition");
    r->messages[r->count++] = (argand_scan_message){head, trajectory, data};
    return status;
}

static argand_status skip_waveform(stream *s)
{
    uint8_t head[WAVEFORM_HEAD];
    TRY(stream_read(s, head, sizeof head));
    const uint64_t channels = (uint64_t)head[24] | (uint64_t)head[25] << 8,
                   samples = (uint64_t)head[26] | (uint64_t)head[27] << 8;
    return stream_skip(s, 4 * channels * samples);
}

static argand_status skip_array(stream *s)
{
    static const int sizes[] = {0, 2, 2, 4, 4, 4, 8, 8, 16};
    uint64_t type, version, rank, dim;
    TRY(stream_read_number(s, &type, 2));
    TRY(stream_read_number(s, &version, 2));
    TRY(stream_read_number(s, &rank, 2));
    if (type < 1 || type > 8 || rank > 16)
        return report_error(ARGAND_FORMAT, "%s: an array of type %d and %d dimensions makes no sense",
                            s->name, (int)type, (int)rank);
    uint64_t bytes = (uint64_t)sizes[type];
    for (uint64_t i = 0; i < rank; i++) {
        TRY(stream_read_number(s, &dim, 8));
        if (__builtin_mul_overflow(bytes, dim, &bytes) || bytes > (uint64_t)s->left)
            return report_error(ARGAND_UNSUPPORTED,
                                "%s: an array is more than the limit allows (argand serve "
                                "--limit)",
                                s->name);
    }
    return stream_skip(s, bytes);
}

static argand_status skip_text(stream *s)
{
    char *text = NULL;
    const argand_status status = read_text(s, &text, "a text");
    free(text);
    return status;
}

static argand_status take(received *r, stream *s, int message)
{
    switch (message) {
    case MRD_CONFIG_FILE:
    case MRD_CONFIG_TEXT:
        return read_config(r, s, message == MRD_CONFIG_FILE);
    case MRD_HEADER:
        return read_header(r, s);
    case MRD_ACQUISITION:
        return read_acquisition(r, s);
    case MRD_WAVEFORM:
        r->others++;
        return skip_waveform(s);
    case MRD_ARRAY:
        r->others++;
        return skip_array(s);
    case MRD_TEXT:
        r->others++;
        return skip_text(s);
    }
    return report_error(ARGAND_FORMAT,
                        "%s: sent a message %d, which is none of ISMRMRD's that a "
                        "reconstruction takes",
                        s->name, message);
}

argand_status serve_receive(received *r, stream *s)
{
    for (;;) {
        uint64_t message;
        TRY(stream_read_number(s, &message, 2));
        if (message == MRD_CLOSE) break;
        TRY(take(r, s, (int)message));
    }
    if (r->header && r->count) return ARGAND_OK;
    return report_error(ARGAND_FORMAT, "%s: sent %s", s->name,
                        r->header ? "no acquisitions" : "no header and no acquisitions");
}

void serve_free(received *r)
{
    for (int64_t i = 0; i < r->count; i++) {
        free((void *)(uintptr_t)r->messages[i].head);
        free((void *)(uintptr_t)r->messages[i].trajectory);
        free((void *)(uintptr_t)r->messages[i].data);
    }
    free(r->messages);
    free(r->header);
    *r = (received){0};
}
