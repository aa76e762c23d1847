/* SPDX-License-Identifier: BSD-3-Clause */
/* argand serve: listens, and starts a process for each connection. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/system.h"
#include "serve/serve.h"

static argand_status listen_at(int *listener, int *port, const serve_settings *s)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s->port)};
    socklen_t length = sizeof at;
    const int yes = 1;
    if (inet_pton(AF_INET, s->host, &at.sin_addr) != 1)
        return report_error(ARGAND_ARGUMENT, "--host %s: give an address like 127.0.0.1", s->host);
    *listener = system_socket();
    if (*listener < 0 || setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
        bind(*listener, (struct sockaddr *)&at, sizeof at) || listen(*listener, 16) ||
        getsockname(*listener, (struct sockaddr *)&at, &length))
        return report_error(ARGAND_FILE, "%s:%d: cannot listen there: %s", s->host, s->port, strerror(errno));
    *port = ntohs(at.sin_port);
    return ARGAND_OK;
}

/* Waits a short time for a client. Returns false if there is none yet. */
static bool client_waits(int listener)
{
    struct pollfd one = {listener, POLLIN, 0};
    return poll(&one, 1, 200) > 0 && !interrupted();
}

/* Accepts a client and stores its address. Returns -1 if the client has gone. */
static int accept_client(int listener, connection *c)
{
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    char address[INET_ADDRSTRLEN] = "";
    const int client = system_accept(listener, (struct sockaddr *)&from, &length);
    if (client < 0) return -1;
    inet_ntop(AF_INET, &from.sin_addr, address, sizeof address);
    snprintf(c->name, sizeof c->name, "%s:%d", address, ntohs(from.sin_port));
    c->since = seconds_now();
    return client;
}

/* Starts the process of a connection, which inherits neither the listener nor any device. */
static argand_status start(const serve_settings *s, int listener, int client, connection *c)
{
    fflush(NULL);
    const pid_t worker = fork();
    if (worker < 0 && !s->once) { /* other connections continue */
        print_whole(stderr, "argand serve: no process for a connection: ", strerror(errno));
        return ARGAND_OK;
    }
    if (worker < 0) return report_error(ARGAND_MEMORY, "%s: no process for it: %s", c->name, strerror(errno));
    if (worker == 0) {
        close(listener);
        const int code = serve_work(s, client, c);
        close(client);
        fflush(NULL);
        _exit(code);
    }
    c->process = worker;
    return ARGAND_OK;
}

/* Serves the next connection, if one is waiting. */
static argand_status serve_next(const serve_settings *s, int listener, bool *served)
{
    if (!client_waits(listener)) return ARGAND_OK;
    connection *c = places_find();
    if (!c) {
        places_end_slowest();
        poll(NULL, 0, 20); /* a short pause, because the waiting client wakes the next poll at once */
        return ARGAND_OK;
    }
    const int client = accept_client(listener, c);
    if (client < 0) return ARGAND_OK;
    const argand_status status = start(s, listener, client, c);
    close(client);
    *served = true;
    return status;
}

static void say_where(const serve_settings *s, int port, int view, report *out)
{
    if (s->sense.common.json && view >= 0)
        print_json_line("{\"event\":\"listening\",\"view\":%d,\"port\":%d}", view, port);
    else if (s->sense.common.json)
        print_json_line("{\"event\":\"listening\",\"port\":%d}", port);
    report_note(out, "Listening at %s:%d.", s->host, port);
    if (view >= 0) report_note(out, "Frames are shown at http://127.0.0.1:%d.", view);
}

static argand_status serve(const serve_settings *s, report *out, int *code)
{
    int listener = -1, port = 0, view = s->view;
    bool served = false;
    argand_status status = view < 0 ? ARGAND_OK : view_start(&view);
    if (!status) status = places_open(s->connections);
    if (!status && s->window && s->keep) status = keep_open(s->keep);
    if (!status) status = listen_at(&listener, &port, s);
    print_never_wait();
    if (!status) say_where(s, port, view, out);
    while (!status && !interrupted() && !(s->once && served)) {
        status = serve_next(s, listener, &served);
        places_collect(code);
        view_look(out);
    }
    while (!status && places_used() && !interrupted()) {
        poll(NULL, 0, 50);
        places_collect(code);
    }
    places_end_all();
    view_stop();
    if (listener >= 0) close(listener);
    return status;
}

static const char description[] =
    "Reconstructs the data that clients send by the MRD streaming protocol (ISMRMRD messages over TCP), as "
    "Gadgetron's client\n"
    "and python-ismrmrd-server do. A client sends a configuration (its name is ignored), the header, "
    "acquisitions and a close;\n"
    "the server sends images and a close, or a text that says what went wrong. Each connection has a process "
    "of its own. The\n"
    "server takes the options of argand sense and makes the images that argand sense writes.\n"
    "The protocol has neither passwords nor encryption: use --host 0.0.0.0 only in a network that you trust.";

static const char examples[] = "  argand serve\n"
                               "  argand serve --port 9100 --part complex --iterations 15 --device cuda:0\n"
                               "  argand serve --once --coil-maps maps.npy --limit 500\n";

/* Refuses options of sense that read or write files, because messages carry the scan and its images. */
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

enum { SERVE_OPTIONS = 28 };
typedef struct option_table {
    int count;
    option options[SERVE_OPTIONS];
} option_table;

/* Copies options to the end of the table. */
static void append(option_table *t, const option *options, size_t bytes)
{
    memcpy(t->options + t->count, options, bytes);
    t->count += (int)(bytes / sizeof *options);
}

static void add_server_options(option_table *t, serve_settings *s)
{
    const option options[] = {
        text_option("host", 0, &s->host, "ADDRESS", "address to listen on"),
        int_option("port", 0, &s->port, "N", 0, 65535,
                   "TCP port to listen on; 0 takes a free port and prints its number"),
        flag_option("whole", 0, &s->whole,
                    "reconstruct when the scan is complete. Default: reconstruct each repetition as soon as "
                    "it is complete"),
        flag_option("measure", 0, &s->measure,
                    "print how long each stage of an image took, at the end of a connection: median, 99th "
                    "percentile and largest"),
        flag_option("once", 0, &s->once, "serve one connection, then exit with its exit code"),
        int_option("limit", 0, &s->limit, "MB", 1, 1 << 20,
                   "largest size in MB of the data of a connection, and of an image with its coil maps"),
        int_option("patience", 0, &s->patience, "S", 1, 86400,
                   "close a connection after S seconds without data"),
        int_option("connections", 0, &s->connections, "N", 1, SERVE_MOST_PLACES,
                   "number of connections to reconstruct at the same time; four times as many may be open"),
    };
    append(t, options, sizeof options);
}

static void add_frame_options(option_table *t, serve_settings *s)
{
    const option options[] = {
        int_option(
            "window", 0, &s->window, "N", 0, 65536,
            "make an image of each N readouts of a continuous stream (spokes, interleaves). Default 0: of "
            "each repetition"),
        int_option("step", 0, &s->step, "N", 0, 65536,
                   "number of readouts from frame to frame; 0: those of a window"),
        choice_option(
            "late", 0, &s->late, "HOW", "drop|merge",
            "drop does not make a frame if a newer one is complete; merge gives its readouts to the newer "
            "one. Both count it"),
        int_option(
            "calibration-readouts", 0, &s->calibration, "N", 0, 1 << 20,
            "number of readouts before the first frame, from which maps, weights and plans are made; 0: six "
            "windows"),
        int_option("refresh", 0, &s->refresh, "N", 0, 1 << 20,
                   "estimate new coil maps after each N frames, without a pause; 0: never"),
        int_option(
            "keep-calibration", 0, &s->keep, "S", 0, 86400,
            "if a client is cut off and connects again within S seconds with the same header and slice "
            "position, keep its coil maps, compression and delays; 0: calibrate anew"),
        double_option("temporal", 0, &s->temporal, "WEIGHT", 0, 1000,
                      "weight of the difference to the frame before, relative to the data; 0: none"),
        double_option("temporal-tv", 0, &s->temporal_tv, "WEIGHT", 0, 1000,
                      "weight of the total variation over time: parts that do not change stay as in earlier "
                      "frames. For few readouts, such as 13 of 256 x 256 pixels, try 4. Default 0: none"),
        int_option("tv-frames", 0, &s->tv_frames, "N", 1, 4, "number of earlier frames of --temporal-tv"),
        flag_option(
            "find-delays", 0, &s->find_delays,
            "estimate gradient delays from the first readouts, which are spokes, and correct all positions"),
        flag_option("pin", 0, &s->pin,
                    "let the threads that receive and send frames run on one processor, and those that make "
                    "frames on the others"),
        int_option("view", 0, &s->view, "PORT", -1, 65535,
                   "show frames, latencies and counts in a browser on this computer, at "
                   "http://127.0.0.1:PORT; 0 takes a free port and prints its number; -1: no page"),
    };
    append(t, options, sizeof options);
}

static argand_status check_frames(const serve_settings *s)
{
    if (s->window && (s->sense.regularize || s->sense.denoiser))
        return report_error(ARGAND_UNSUPPORTED,
                            "frames (--window) take no penalty: leave out --regularize and --denoiser; "
                            "--temporal holds a frame to the one before");
    if (s->view >= 0 && !s->window)
        return report_error(ARGAND_ARGUMENT, "--view shows frames: give --window N, too");
    return ARGAND_OK;
}

static int run(int argc, char **argv)
{
    static const char *const of_files[] = {"task",      "resume",       "bids",        "bids-name", "motion",
                                           "motion-by", "motion-group", "gfactor-map", "sequence",  NULL};
    static serve_settings s = {.sense = SENSE_DEFAULTS("sense"),
                               .host = "127.0.0.1",
                               .port = 9002,
                               .limit = 4096,
                               .patience = 60,
                               .connections = 4,
                               .view = -1,
                               .temporal = 0.02,
                               .tv_frames = 1,
                               .keep = 60};
    option_table own = {.count = 0};
    add_server_options(&own, &s);
    add_frame_options(&own, &s);
    s.sense.without = of_files;
    command_line line = {.usage = "argand serve [options]", .description = description, .examples = examples};
    int exit_code, code = 0;
    report out;
    if (!sense_parse_options(&line, &s.sense, own.options, own.count, argc, argv, &exit_code))
        return exit_code;
    report_begin(&out, "serve", &s.sense.common);
    interrupt_watch();
    argand_status status = check_messages_only(&s.sense);
    if (!status) status = check_frames(&s);
    if (!status) status = serve(&s, &out, &code);
    if (!status && interrupted()) status = ARGAND_STOPPED;
    return status ? report_failure(&out, status) : s.once ? code : 0;
}

const command command_serve = {
    .name = "serve", .summary = "reconstruct the data that a scanner streams (MRD over TCP)", .run = run};
