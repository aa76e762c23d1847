/* SPDX-License-Identifier: BSD-3-Clause */
/* The process that serves the live page on the loopback. One thread: all sockets are non-blocking, each
 * browser has one message in memory at most, and gets the newest frame when that one is written. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/system.h"
#include "serve/view.h"

/* Seconds for a request, for a browser that reads nothing, and for a browser's last bytes. */
static const double request_time = 10, stalled_time = 60, last_time = 2;

typedef struct view_server {
    int listener, port;
    view_client clients[VIEW_CLIENTS];
    view_board *board; /* a copy of the newest one */
    float *magnitudes;
    bool waits; /* the board has changed, but could not be read yet */
} view_server;

static pid_t page_process;

static argand_status listen_at(int *listener, int *port)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    const int yes = 1;
    *listener = system_socket();
    if (*listener < 0 || setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
        bind(*listener, (struct sockaddr *)&at, sizeof at) || listen(*listener, VIEW_CLIENTS) ||
        getsockname(*listener, (struct sockaddr *)&at, &length))
        return report_error(ARGAND_FILE, "--view %d: cannot listen there: %s", *port, strerror(errno));
    fcntl(*listener, F_SETFL, O_NONBLOCK);
    *port = ntohs(at.sin_port);
    return ARGAND_OK;
}

/* ---- browsers */

static void drop(view_client *c)
{
    close(c->socket);
    free(c->out);
    memset(c, 0, sizeof *c);
    c->socket = -1;
}

/* Returns a free entry; if there is none, that of the oldest browser that has not become a stream; NULL: all
 * are streams. */
static view_client *find_entry(view_server *v)
{
    view_client *oldest = NULL;
    for (int i = 0; i < VIEW_CLIENTS; i++) {
        view_client *c = &v->clients[i];
        if (c->socket < 0) return c;
        if (!c->is_stream && (!oldest || c->since < oldest->since)) oldest = c;
    }
    if (oldest) drop(oldest);
    return oldest;
}

static void accept_browser(view_server *v)
{
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    const int buffer = 1 << 16; /* old frames would wait in a larger one */
    const int socket = system_accept(v->listener, (struct sockaddr *)&from, &length);
    if (socket < 0) return;
    view_client *c = find_entry(v);
    if (!c) {
        close(socket);
        return;
    }
    fcntl(socket, F_SETFL, O_NONBLOCK);
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    *c = (view_client){.socket = socket, .since = seconds_now()};
}

/* Reads what has come. Returns false if the browser is gone. */
static bool read_some(view_client *c, int port)
{
    uint8_t unused[4096];
    uint8_t *to = c->ends ? unused : c->in + c->in_used;
    const size_t most = c->ends ? sizeof unused : sizeof c->in - c->in_used;
    const ssize_t got = recv(c->socket, to, most, 0);
    if (got < 0) return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
    if (got == 0) return false;
    if (c->ends) return true;
    c->in_used += (size_t)got;
    if (!c->is_stream) view_http_take(c, port);
    if (c->is_stream && !c->ends) view_socket_take(c);
    return true;
}

/* Writes what waits. Returns false if the browser is gone. */
static bool write_some(view_client *c)
{
    while (c->out_at < c->out_end) {
        const ssize_t sent =
            send(c->socket, c->out + c->out_at, c->out_end - c->out_at, SYSTEM_NO_SIGNAL | MSG_DONTWAIT);
        if (sent < 0) return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
        c->out_at += (size_t)sent;
        c->since = seconds_now();
    }
    if (c->ends && !c->ended) {
        shutdown(c->socket, SHUT_WR);
        c->ended = true;
        c->since = seconds_now();
    }
    return true;
}

/* Returns true if a browser has had its time. Streams without news may be silent. */
static bool is_over(const view_client *c)
{
    const double age = seconds_now() - c->since;
    if (c->ended) return age > last_time;
    if (c->out_at < c->out_end) return age > stalled_time;
    return !c->is_stream && age > request_time;
}

static void serve_browser(view_server *v, view_client *c, short events)
{
    bool there = true;
    if (events & (POLLIN | POLLHUP | POLLERR)) there = read_some(c, v->port);
    if (there && c->is_stream && !c->ends && c->out_at == c->out_end && c->changes != v->board->changes)
        view_socket_send(c, v->board, v->magnitudes);
    if (there) there = write_some(c);
    if (!there || is_over(c)) drop(c);
}

/* ---- the process */

static void take_news(view_server *v)
{
    char bytes[256];
    while (read(view_board_changed(), bytes, sizeof bytes) > 0) v->waits = true;
    if (v->waits) v->waits = !view_board_read(v->board);
}

static void serve_once(view_server *v)
{
    struct pollfd all[VIEW_CLIENTS + 2] = {{v->listener, POLLIN, 0}, {view_board_changed(), POLLIN, 0}};
    for (int i = 0; i < VIEW_CLIENTS; i++) {
        const view_client *c = &v->clients[i];
        all[2 + i] = (struct pollfd){c->socket, POLLIN, 0};
        if (c->out_at < c->out_end) all[2 + i].events |= POLLOUT;
    }
    if (poll(all, VIEW_CLIENTS + 2, v->waits ? 1 : 200) < 0) return;
    take_news(v);
    for (int i = 0; i < VIEW_CLIENTS; i++)
        if (v->clients[i].socket >= 0) serve_browser(v, &v->clients[i], all[2 + i].revents);
    if (all[0].revents) accept_browser(v);
}

static int serve_page(int listener, int port, pid_t parent)
{
    view_server *v = calloc(1, sizeof *v);
    if (v) v->board = calloc(1, sizeof *v->board);
    if (v) v->magnitudes = malloc(VIEW_PIXELS * sizeof *v->magnitudes);
    if (!v || !v->board || !v->magnitudes) return ARGAND_MEMORY;
    v->listener = listener;
    v->port = port;
    for (int i = 0; i < VIEW_CLIENTS; i++) v->clients[i].socket = -1;
    while (!interrupted() && getppid() == parent) serve_once(v);
    return 0;
}

argand_status view_start(int *port)
{
    int listener = -1;
    const pid_t parent = getpid();
    TRY(listen_at(&listener, port));
    argand_status status = view_board_open();
    fflush(NULL);
    if (!status) page_process = fork();
    if (!status && page_process < 0)
        status = report_error(ARGAND_MEMORY, "--view: no process for the page: %s", strerror(errno));
    if (!status && !page_process) {
        const int code = serve_page(listener, *port, parent);
        _exit(code);
    }
    close(listener);
    return status;
}

void view_look(report *out)
{
    if (page_process <= 0 || waitpid(page_process, NULL, WNOHANG) != page_process) return;
    page_process = 0;
    report_note(out, "The process of the page (--view) has ended; images are served without it.");
}

void view_stop(void)
{
    if (page_process <= 0) return;
    kill(page_process, SIGTERM);
    waitpid(page_process, NULL, 0);
    page_process = 0;
}
