/* SPDX-License-Identifier: BSD-3-Clause */
/* The sending thread: each acquisition at its time, the scan once for each loop. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "common/system.h"
#include "stream/stream.h"

static argand_status put(const stream_run *r, const void *from, size_t bytes)
{
    for (const char *at = from; bytes;) {
        struct pollfd one = {r->socket, POLLOUT, 0};
        if (interrupted()) return ARGAND_STOPPED;
        if (!atomic_load(&r->receives)) return ARGAND_STOPPED; /* the receiving thread says why */
        if (poll(&one, 1, 200) <= 0) continue;
        const ssize_t some = send(r->socket, at, bytes, SYSTEM_NO_SIGNAL | MSG_DONTWAIT);
        if (some < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (some < 0)
            return report_error(ARGAND_FILE, "%s:%d: the server closed the connection: %s", r->settings->host,
                                r->settings->port, strerror(errno));
        at += some;
        bytes -= (size_t)some;
    }
    return ARGAND_OK;
}

/* Waits until a time of seconds_now(). */
static argand_status wait_until(const stream_run *r, double time)
{
    for (double left = time - seconds_now(); left > 0; left = time - seconds_now()) {
        const double some = left < 0.1 ? left : 0.1;
        const struct timespec nap = {0, (long)(1e9 * some)};
        nanosleep(&nap, NULL);
        if (interrupted() || !atomic_load(&r->receives)) return ARGAND_STOPPED;
    }
    return ARGAND_OK;
}

/* Writes the loop's repetition into a message. */
static void count_repetition(uint8_t *message, const stream_message *m, int64_t repetition)
{
    enum { REPETITION = 2 + 242 + 2 * 6 }; /* number of the message; counters in its head */
    const uint16_t value = (uint16_t)(m->counters.repetition + repetition);
    message[REPETITION] = (uint8_t)value;
    message[REPETITION + 1] = (uint8_t)(value >> 8);
}

static argand_status send_loop(stream_run *r, int loop, double begin)
{
    const stream_prepared *p = r->prepared;
    const double times = r->settings->times;
    int64_t at = (int64_t)loop * p->acquisitions;
    for (int64_t i = 0; i < p->count; i++) {
        const stream_message *m = &p->messages[i];
        const double due = times > 0 ? begin + (m->due + loop * p->period) / times : 0;
        if (m->is_acquisition && at < r->first) {
            at++;
            continue;
        }
        if (i == 0 && loop > 0) continue;                                 /* the header */
        if (i == p->count - 1 && loop < r->settings->loops - 1) continue; /* the close */
        if (m->is_acquisition && times > 0) TRY(wait_until(r, due));
        if (m->is_acquisition) count_repetition(p->bytes + m->at, m, (int64_t)loop * p->repetitions);
        if (m->is_acquisition) atomic_store(&r->sent[at], seconds_now()); /* its image may come at once */
        TRY(put(r, p->bytes + m->at, m->bytes));
        if (!m->is_acquisition) continue;
        const double now = seconds_now();
        if (times > 0 && now - due > r->late) r->late = now - due;
        atomic_store(&r->sent[at++], now);
        r->next = at;
    }
    return ARGAND_OK;
}

static argand_status send_config(const stream_run *r)
{
    uint8_t raw[2 + MRD_CONFIG_FILE_BYTES] = {MRD_CONFIG_FILE, 0};
    if (!r->settings->config) return ARGAND_OK;
    snprintf((char *)raw + 2, MRD_CONFIG_FILE_BYTES, "%s", r->settings->config);
    return put(r, raw, sizeof raw);
}

/* Passes over acquisitions that were due before now. */
static void pass_over(stream_run *r)
{
    const stream_prepared *p = r->prepared;
    const double elapsed = (seconds_now() - r->begin) * r->settings->times;
    int64_t at = 0;
    for (int loop = 0; loop < r->settings->loops; loop++)
        for (int64_t i = 0; i < p->count; i++) {
            const stream_message *m = &p->messages[i];
            if (m->is_acquisition && at++ == r->first && m->due + loop * p->period < elapsed) r->first++;
        }
}

void *stream_send(void *context)
{
    stream_run *r = context;
    argand_status status = send_config(r);
    if (r->begin > 0)
        pass_over(r);
    else
        r->begin = seconds_now();
    for (int loop = 0; loop < r->settings->loops && !status; loop++) status = send_loop(r, loop, r->begin);
    r->send_status = status;
    snprintf(r->send_message, sizeof r->send_message, "%s", status ? report_message() : "");
    return NULL;
}
