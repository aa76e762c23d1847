/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers the bytes of a connection. Waits no longer than its patience and keeps no more than its limit. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/system.h"
#include "serve/serve.h"

/* Waits until the socket can be read. */
static argand_status wait_to_read(const stream *s)
{
    for (double until = seconds_now() + s->patience; seconds_now() < until;) {
        struct pollfd one = {s->socket, POLLIN, 0};
        const int ready = poll(&one, 1, 200);
        if (interrupted()) return ARGAND_STOPPED;
        if (ready > 0) return ARGAND_OK;
        if (ready < 0 && errno != EINTR) break;
    }
    return report_error(ARGAND_FILE, "%s: the client sent nothing for %d s; the connection is closed",
                        s->name, s->patience);
}

/* Copies data that was read ahead. */
static size_t take_ahead(stream *s, char *to, size_t bytes)
{
    const size_t there = s->ahead_end - s->ahead_at, some = bytes < there ? bytes : there;
    if (some) memcpy(to, s->ahead + s->ahead_at, some);
    s->ahead_at += some;
    if (s->ahead_at == s->ahead_end) s->ahead_at = s->ahead_end = 0;
    return some;
}

argand_status stream_read(stream *s, void *to, size_t bytes)
{
    char *at = to;
    const size_t ahead = take_ahead(s, at, bytes);
    at += ahead;
    bytes -= ahead;
    while (bytes) {
        if (s->has_ended)
            return report_error(ARGAND_FILE,
                                "%s: the client closed the connection before the scan was complete", s->name);
        TRY(wait_to_read(s));
        const ssize_t got = recv(s->socket, at, bytes, 0);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got < 0) return report_error(ARGAND_FILE, "%s: %s", s->name, strerror(errno));
        if (!got)
            return report_error(ARGAND_FILE,
                                "%s: the client closed the connection before the scan was complete", s->name);
        atomic_fetch_add(&s->own->bytes, got);
        at += got;
        bytes -= (size_t)got;
    }
    return ARGAND_OK;
}

/* Returns true if more may be read ahead, and allocates memory for it. */
static bool ahead_has_memory(stream *s)
{
    enum { STEP = 1 << 16 };
    if (s->ahead_end < s->ahead_size) return true;
    if (s->has_ended || (int64_t)s->ahead_end >= s->left) return false;
    const size_t size = s->ahead_size ? 2 * s->ahead_size : STEP;
    char *more = realloc(s->ahead, size);
    if (!more) return false;
    s->ahead = more;
    s->ahead_size = size;
    return true;
}

static void read_ahead(stream *s)
{
    const ssize_t got = recv(s->socket, s->ahead + s->ahead_end, s->ahead_size - s->ahead_end, MSG_DONTWAIT);
    if (got > 0) {
        s->ahead_end += (size_t)got;
        atomic_fetch_add(&s->own->bytes, got);
    }
    if (!got) s->has_ended = true;
}

/* Waits until the socket accepts data, and meanwhile reads what the client sends. A client that sends
 * everything before it reads would otherwise wait for this process, and this process for the client. */
static argand_status wait_to_write(stream *s)
{
    for (double until = seconds_now() + s->patience; seconds_now() < until;) {
        const bool reads = !s->apart && !s->has_ended && ahead_has_memory(s);
        struct pollfd one = {s->socket, (short)(reads ? POLLIN | POLLOUT : POLLOUT), 0};
        const int ready = poll(&one, 1, 200);
        if (interrupted()) return ARGAND_STOPPED;
        if (ready < 0 && errno != EINTR) break;
        if (ready > 0 && one.revents & ~POLLIN) return ARGAND_OK;
        if (ready > 0) {
            read_ahead(s);
            if (!atomic_load(&s->own->leaves)) until = seconds_now() + s->patience;
        }
    }
    return report_error(ARGAND_FILE, "%s: the client received nothing for %d s; the connection is closed",
                        s->name, s->patience);
}

argand_status stream_write(stream *s, const void *from, size_t bytes)
{
    const char *at = from;
    while (bytes) {
        TRY(wait_to_write(s));
        const ssize_t put = send(s->socket, at, bytes, SYSTEM_NO_SIGNAL | MSG_DONTWAIT);
        if (put < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (put < 0)
            return report_error(ARGAND_FILE,
                                "%s: the client closed the connection before all images were sent: %s",
                                s->name, strerror(errno));
        atomic_fetch_add(&s->own->bytes, put);
        at += put;
        bytes -= (size_t)put;
    }
    return ARGAND_OK;
}

argand_status stream_skip(stream *s, uint64_t bytes)
{
    char chunk[16384];
    while (bytes) {
        const size_t some = bytes < sizeof chunk ? (size_t)bytes : sizeof chunk;
        TRY(stream_read(s, chunk, some));
        bytes -= some;
    }
    return ARGAND_OK;
}

argand_status stream_take(stream *s, void **to, uint64_t bytes, const char *what)
{
    *to = NULL;
    if (bytes > (uint64_t)s->left)
        return report_error(ARGAND_UNSUPPORTED,
                            "%s: %s of %.6g MB is more than what is left of the limit (argand serve --limit)",
                            s->name, what, (double)bytes / 1e6);
    s->left -= (int64_t)bytes;
    *to = malloc(bytes ? (size_t)bytes : 1);
    if (!*to) return report_error(ARGAND_MEMORY, "%s: no memory for %s", s->name, what);
    return stream_read(s, *to, (size_t)bytes);
}

bool stream_is_broken(const stream *s)
{
    struct pollfd one = {s->socket, 0, 0};
    return poll(&one, 1, 0) > 0 && one.revents & (POLLERR | POLLHUP | POLLNVAL);
}

static argand_status read_for(void *context, void *to, size_t bytes)
{
    return stream_read(context, to, bytes);
}

static argand_status skip_for(void *context, uint64_t bytes)
{
    stream *s = context;
    if (bytes > (uint64_t)s->left)
        return report_error(ARGAND_UNSUPPORTED,
                            "%s: a message is more than the limit allows (argand serve --limit)", s->name);
    return stream_skip(s, bytes);
}

mrd_source stream_source(stream *s)
{
    return (mrd_source){read_for, skip_for, s, s->name};
}

argand_status stream_read_number(stream *s, uint64_t *number, int bytes)
{
    const mrd_source source = stream_source(s);
    return mrd_number(&source, number, bytes);
}

void stream_free(stream *s)
{
    free(s->ahead);
    s->ahead = NULL;
    s->ahead_at = s->ahead_end = s->ahead_size = 0;
}

void stream_finish(stream *s)
{
    enum { SECONDS = 2 };
    char rest[16384];
    shutdown(s->socket, SHUT_WR);
    for (const double until = seconds_now() + SECONDS; seconds_now() < until && !interrupted();) {
        struct pollfd one = {s->socket, POLLIN, 0};
        if (poll(&one, 1, 100) > 0 && recv(s->socket, rest, sizeof rest, 0) <= 0) return;
    }
}
