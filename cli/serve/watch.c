/* SPDX-License-Identifier: BSD-3-Clause */
/* Watches in a separate thread if the client is still there while its images are computed, so that no
 * stage of the work has to ask. A client that has closed the connection and one that has closed only its
 * sending side, which is allowed, look alike until something is sent: only the first answers with a reset.
 * Therefore the first byte of the next image is sent ahead. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/system.h"
#include "serve/serve.h"

enum { LOOK = 200, NAP = 20 }; /* ms */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool computes, byte_is_sent;
static const stream *client;
static report *out;

/* Ends the process. Only unfinished files need cleaning up: a worker's images are in memory only. */
static void end_process(void)
{
    const int code = report_failure(
        out,
        report_error(ARGAND_FILE,
                     "%s: the client closed the connection before its images were ready; its process ends",
                     client->name));
    argand_files_remove_unfinished();
    _exit(code);
}

static void send_ahead(void)
{
    const uint8_t first = MRD_IMAGE & 0xFF;
    byte_is_sent = send(client->socket, &first, 1, SYSTEM_NO_SIGNAL | MSG_DONTWAIT) == 1;
}

static void *look(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        const bool asks = !byte_is_sent;
        pthread_mutex_unlock(&lock);
        struct pollfd one = {client->socket, asks ? SYSTEM_POLL_HALF_CLOSED : 0, 0};
        if (poll(&one, 1, LOOK) < 0 && errno != EINTR) return unused;
        pthread_mutex_lock(&lock);
        if (computes && one.revents & (POLLERR | POLLHUP | POLLNVAL)) end_process();
        if (computes && one.revents & SYSTEM_POLL_HALF_CLOSED && !byte_is_sent) send_ahead();
        pthread_mutex_unlock(&lock);
        if (one.revents) poll(NULL, 0, NAP);
    }
}

argand_status watch_begin(const stream *of, report *to)
{
    pthread_t thread;
    sigset_t all, before;
    client = of;
    out = to;
    /* a client whose machine or network has failed sends nothing */
    system_keep_alive(of->socket, 10, 5, 3);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals belong to the computing thread */
    const int failed = pthread_create(&thread, NULL, look, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) return report_error(ARGAND_MEMORY, "%s: no thread to watch it", of->name);
    pthread_detach(thread);
    return ARGAND_OK;
}

void watch_computing(bool now)
{
    pthread_mutex_lock(&lock);
    computes = now;
    pthread_mutex_unlock(&lock);
}

bool watch_sent_ahead(void)
{
    pthread_mutex_lock(&lock);
    const bool sent = byte_is_sent;
    pthread_mutex_unlock(&lock);
    return sent;
}

void watch_image_begins(void)
{
    pthread_mutex_lock(&lock);
    byte_is_sent = false;
    pthread_mutex_unlock(&lock);
}
