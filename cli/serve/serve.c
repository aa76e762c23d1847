/* SPDX-License-Identifier: BSD-3-Clause */
/* argand serve: listens, and gives each connection to a process of its own. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve/serve.h"

enum { MOST_CONNECTIONS = 64 };

static pid_t workers[MOST_CONNECTIONS];
static int worker_count;

static argand_status listen_at(int *listener, int *port, const serve_settings *s)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s->port)};
    socklen_t length = sizeof at;
    const int yes = 1;
    if (inet_pton(AF_INET, s->host, &at.sin_addr) != 1)
        return report_error(ARGAND_ARGUMENT, "--host %s: give an address like 127.0.0.1", s->host);
    *listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*listener < 0 || setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
        bind(*listener, (struct sockaddr *)&at, sizeof at) || listen(*listener, 16) ||
        getsockname(*listener, (struct sockaddr *)&at, &length))
        return report_error(ARGAND_FILE, "%s:%d: cannot listen there: %s", s->host, s->port, strerror(errno));
    *port = ntohs(at.sin_port);
    return ARGAND_OK;
}

static void forget(int i)
{
    workers[i] = workers[--worker_count];
}

/* Those that are done; with `wait`, one at least. */
static void collect(bool wait, int *last)
{
    for (int i = worker_count - 1; i >= 0; i--) {
        int ended = 0;
        if (waitpid(workers[i], &ended, WNOHANG) != workers[i]) continue;
        *last = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
        if (WIFSIGNALED(ended))
            fprintf(stderr, "argand serve: a connection's process was ended by signal %d; the others go on\n",
                    WTERMSIG(ended));
        forget(i);
        wait = false;
    }
    if (wait && worker_count && !interrupted()) {
        poll(NULL, 0, 50);
        collect(true, last);
    }
}

static void end_workers(void)
{
    for (int i = 0; i < worker_count; i++) kill(workers[i], SIGTERM);
    for (int i = 0; i < worker_count; i++) waitpid(workers[i], NULL, 0);
    worker_count = 0;
}

/* The next connection, and who it is; -1 after Ctrl-C, or where it was gone at once. */
static int next_client(int listener, char *name, size_t size)
{
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    char address[INET_ADDRSTRLEN] = "";
    int last;
    for (;;) {
        struct pollfd one = {listener, POLLIN, 0};
        const int ready = poll(&one, 1, 200);
        if (interrupted()) return -1;
        collect(false, &last);
        if (ready > 0) break;
    }
    const int client = accept(listener, (struct sockaddr *)&from, &length);
    if (client < 0) return -1;
    inet_ntop(AF_INET, &from.sin_addr, address, sizeof address);
    snprintf(name, size, "%s:%d", address, ntohs(from.sin_port));
    return client;
}

/* The process of a connection has neither the listener nor any device of this one. */
static argand_status start(const serve_settings *s, int listener, int client, const char *name)
{
    fflush(NULL);
    const pid_t worker = fork();
    if (worker < 0) return report_error(ARGAND_MEMORY, "%s: no process for it: %s", name, strerror(errno));
    if (worker == 0) {
        close(listener);
        const int code = serve_work(s, client, name);
        close(client);
        fflush(NULL);
        _exit(code);
    }
    workers[worker_count++] = worker;
    return ARGAND_OK;
}

static argand_status serve(const serve_settings *s, report *out, int *code)
{
    char name[64];
    int listener = -1, port = 0;
    argand_status status = listen_at(&listener, &port, s);
    if (!status && s->sense.common.json) print_json_line("{\"event\":\"listening\",\"port\":%d}", port);
    if (!status) report_note(out, "Listening at %s:%d.", s->host, port);
    while (!status && !interrupted()) {
        while (worker_count >= s->connections && !interrupted()) collect(true, code);
        const int client = next_client(listener, name, sizeof name);
        if (client < 0) continue;
        status = start(s, listener, client, name);
        close(client);
        if (s->once) break;
    }
    while (!status && worker_count && !interrupted()) collect(true, code);
    end_workers();
    if (listener >= 0) close(listener);
    return status;
}

static const char description[] = "Reconstructs what clients send in the MRD streaming protocol (ISMRMRD's "
                                  "messages over TCP, as Gadgetron's client and\n"
                                  "python-ismrmrd-server speak it): a configuration, whose name is not "
                                  "looked at, the header, acquisitions and a close\n"
                                  "come in; images and a close go out, or a text that says what went wrong. "
                                  "Each connection is reconstructed by itself,\n"
                                  "in a process of its own, by the options of argand sense that the server "
                                  "was started with: the image is the one that\n"
                                  "argand sense writes. The protocol knows neither passwords nor encryption: "
                                  "listen to other machines (--host 0.0.0.0)\n"
                                  "within a network that you trust alone.";

static const char examples[] = "  argand serve\n"
                               "  argand serve --port 9100 --part complex --iterations 15 --device cuda:0\n"
                               "  argand serve --once --coil-maps maps.npy --limit 500\n";

/* Options of sense that read or write files in place of the scan and its images. */
static argand_status check_messages_only(const sense_settings *s)
{
    const char *given = s->arrays.kspace       ? "--kspace"
                        : s->arrays.trajectory ? "--trajectory"
                        : s->output.report     ? "--report"
                        : s->output.save_maps  ? "--save-maps"
                        : s->noise_map         ? "--noise-map"
                                               : NULL;
    return given ? report_error(ARGAND_ARGUMENT,
                                "%s: what comes in and goes out are messages; give it to argand sense", given)
                 : ARGAND_OK;
}

static int run(int argc, char **argv)
{
    static serve_settings s = {.sense = SENSE_DEFAULTS("sense"),
                               .host = "127.0.0.1",
                               .port = 9002,
                               .limit = 4096,
                               .patience = 60,
                               .connections = 4};
    const option own[] = {
        text_option("host", 0, &s.host, "ADDRESS", "where to listen"),
        int_option("port", 0, &s.port, "N", 0, 65535, "0: one that is free, which is told"),
        flag_option("whole", 0, &s.whole,
                    "reconstruct when all has come, not each repetition as it is complete"),
        flag_option("once", 0, &s.once, "end after one connection, with its exit code"),
        int_option("limit", 0, &s.limit, "MB", 1, 1 << 20, "the most that a connection may send"),
        int_option("patience", 0, &s.patience, "S", 1, 86400, "seconds of silence that end a connection"),
        int_option("connections", 0, &s.connections, "N", 1, MOST_CONNECTIONS,
                   "the most connections at a time; others wait"),
    };
    command_line line = {.usage = "argand serve [options]", .description = description, .examples = examples};
    int exit_code, code = 0;
    report out;
    if (!sense_parse_options(&line, &s.sense, own, sizeof own / sizeof *own, argc, argv, &exit_code))
        return exit_code;
    report_begin(&out, "serve", &s.sense.common);
    interrupt_watch();
    argand_status status = check_messages_only(&s.sense);
    if (!status) status = serve(&s, &out, &code);
    if (!status && interrupted()) status = ARGAND_STOPPED;
    return status ? report_failure(&out, status) : s.once ? code : 0;
}

const command command_serve = {"serve", "reconstruct what a scanner streams (MRD over TCP)", run};
