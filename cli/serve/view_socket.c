/* SPDX-License-Identifier: BSD-3-Clause */
/* WebSocket frames (RFC 6455, section 5), and what the page is sent in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_write.h"
#include "serve/view.h"

enum { TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };
enum { FINAL = 0x80, MASKED = 0x80, MOST_CONTROL = 125 };
enum { NORMAL = 1000, PROTOCOL_ERROR = 1002, UNSUPPORTED = 1003 }; /* reasons to close */

static bool put_frame(view_client *c, int code, const void *bytes, size_t count)
{
    uint8_t head[10] = {(uint8_t)(FINAL | code)};
    const int more = count <= MOST_CONTROL ? 0 : count < 65536 ? 2 : 8;
    head[1] = more == 0 ? (uint8_t)count : more == 2 ? 126 : 127;
    for (int i = 0; i < more; i++) head[2 + i] = (uint8_t)((uint64_t)count >> (8 * (more - 1 - i)));
    return view_put(c, head, (size_t)(2 + more)) && view_put(c, bytes, count);
}

static void close_stream(view_client *c, int reason)
{
    const uint8_t raw[2] = {(uint8_t)(reason >> 8), (uint8_t)reason};
    put_frame(c, CLOSE, raw, sizeof raw);
    c->ends = true;
}

/* Answers a control frame whose bytes are unmasked. */
static void take_frame(view_client *c, int code, const uint8_t *bytes, size_t count)
{
    if (code == CLOSE) close_stream(c, count == 1 ? PROTOCOL_ERROR : NORMAL);
    if (code == PING) put_frame(c, PONG, bytes, count);
}

void view_socket_take(view_client *c)
{
    size_t at = 0;
    while (!c->ends && c->in_used - at >= 2) {
        uint8_t *head = c->in + at;
        const int code = head[0] & 0x0F;
        const size_t count = head[1] & 0x7F;
        const bool control = code == CLOSE || code == PING || code == PONG;
        if (head[0] & 0x70 || !(head[1] & MASKED) || (code > BINARY && !control) ||
            (control && (count > MOST_CONTROL || !(head[0] & FINAL)))) {
            close_stream(c, PROTOCOL_ERROR);
        } else if (!control) {
            close_stream(c, UNSUPPORTED);
        } else {
            if (c->in_used - at < 6 + count) break;
            for (size_t i = 0; i < count; i++) head[6 + i] ^= head[2 + i % 4];
            take_frame(c, code, head + 6, count);
            at += 6 + count;
        }
    }
    if (c->ends) at = c->in_used;
    memmove(c->in, c->in + at, c->in_used - at);
    c->in_used -= at;
}

/* ---- the board */

static void put_latencies(json_writer *j, const view_client *c, const view_board *b)
{
    const bool same = c->connection == b->connection;
    int64_t first = same ? c->latency_count : 0;
    if (first < b->latency_count - VIEW_LATENCIES) first = b->latency_count - VIEW_LATENCIES;
    json_key(j, "latencies");
    fputc('[', j->to);
    for (int64_t i = first; i < b->latency_count; i++) {
        const view_latency *l = &b->latencies[i % VIEW_LATENCIES];
        fprintf(j->to, "%s[%lld,%.3f]", i > first ? "," : "", (long long)l->frame, 1e3 * l->seconds);
    }
    fputc(']', j->to);
}

static void put_count(json_writer *j, const char *name, int64_t value)
{
    json_key(j, name);
    fprintf(j->to, "%lld", (long long)value);
}

static argand_status describe(json_writer *j, const view_client *c, const view_board *b)
{
    bool first = true;
    TRY(json_begin(j));
    put_count(j, "connection", b->connection);
    put_count(j, "open", b->open);
    json_text(j, "client", b->client);
    json_sizes(j, "n", 2, b->n);
    json_key(j, "voxel");
    fprintf(j->to, "[%.9g,%.9g]", b->voxel[0], b->voxel[1]);
    put_count(j, "frame", b->frame);
    put_count(j, "made", b->made);
    put_count(j, "dropped", b->dropped);
    put_count(j, "unsent", b->unsent);
    put_latencies(j, c, b);
    json_key(j, "notes");
    fputc('[', j->to);
    json_lines(j, b->notes, &first);
    fputc(']', j->to);
    return json_finish(j);
}

void view_socket_send(view_client *c, const view_board *b, float *magnitudes)
{
    const size_t pixels = (size_t)(b->n[0] * b->n[1]);
    json_writer j = {0};
    bool sent = !describe(&j, c, b) && put_frame(c, TEXT, j.text, strlen(j.text));
    free(j.text);
    for (size_t i = 0; i < pixels; i++) magnitudes[i] = hypotf(b->pixels[2 * i], b->pixels[2 * i + 1]);
    if (sent && pixels) sent = put_frame(c, BINARY, magnitudes, pixels * sizeof *magnitudes);
    if (!sent) c->ends = true;
    c->changes = b->changes;
    c->connection = b->connection;
    c->latency_count = b->latency_count;
}
