/* SPDX-License-Identifier: BSD-3-Clause */
/* Connections of argand stream: one, or with --retry one after the other until the scan is sent. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "common/system.h"
#include "stream/stream.h"

static argand_status connect_to(int *to, const stream_settings *s)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s->port)};
    const int yes = 1;
    if (inet_pton(AF_INET, s->host, &at.sin_addr) != 1)
        return report_error(ARGAND_ARGUMENT, "--host %s: give an address like 127.0.0.1", s->host);
    *to = system_socket();
    if (*to < 0 || connect(*to, (struct sockaddr *)&at, sizeof at))
        return report_error(ARGAND_FILE, "%s:%d: no server there: %s", s->host, s->port, strerror(errno));
    setsockopt(*to, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return ARGAND_OK;
}

/* Sends and receives at the same time. */
static argand_status exchange(stream_run *r)
{
    pthread_t thread;
    atomic_store(&r->receives, true);
    if (pthread_create(&thread, NULL, stream_send, r))
        return report_error(ARGAND_MEMORY, "no thread to send from");
    const argand_status status = stream_receive(r);
    atomic_store(&r->receives, false);
    pthread_join(thread, NULL);
    if (interrupted()) return ARGAND_STOPPED;
    if (!r->images && *r->said)
        return report_error(ARGAND_FILE, "%s:%d: the server answered: %s", r->settings->host,
                            r->settings->port, r->said);
    if (status) return status;
    if (r->send_status && r->send_status != ARGAND_STOPPED)
        return report_error(r->send_status, "%s", r->send_message);
    return ARGAND_OK;
}

/* Makes the next connection go on with the acquisition that is due then, as a scanner does. Returns false if
 * none is left. */
static bool go_on(stream_run *r)
{
    r->named_before += r->highest + 1;
    r->steady_before += r->steady;
    r->steady = 0;
    r->highest = r->last = -1;
    r->first = r->next;
    return r->next < r->prepared->acquisitions * r->settings->loops;
}

argand_status stream_connect(stream_run *r)
{
    for (;;) {
        argand_status status = connect_to(&r->socket, r->settings);
        if (!status) status = exchange(r);
        if (r->socket >= 0) close(r->socket);
        r->socket = -1;
        const bool lost = status == ARGAND_FILE && !*r->said && !interrupted();
        if (!lost || r->retries == r->settings->retry || !go_on(r)) return status;
        r->retries++;
        report_note(r->out, "%s; connecting again in a second (%d of %d).", report_message(), r->retries,
                    r->settings->retry);
        for (int i = 0; i < 10 && !interrupted(); i++) poll(NULL, 0, 100);
    }
}
