/* SPDX-License-Identifier: BSD-3-Clause */
/* The process of a connection: reconstructs each repetition as a scan, as soon as it is complete, with the
 * options that the server was started with, and sends each image as soon as it is ready. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sense/gradients.h"
#include "serve/serve.h"

typedef struct work {
    const serve_settings *settings;
    stream *client;
    report *out;
    argand_device *device;
    argand_sense *session;
    argand_scan *scan; /* the last repetition, or all acquisitions */
    argand_array *image;
    size_t notes;          /* number of characters of the session's notes already printed */
    argand_counters *sent; /* volumes that were sent */
    int64_t sent_count;
    double last; /* time at which the last readout of the images was received */
    measure measures;
} work;

static bool on_iteration(void *context, const argand_progress *p)
{
    (void)context;
    (void)p;
    return !interrupted();
}

/* Takes a place and starts watching the client; watch.c ends this process if the client goes away. */
static argand_status compute_begin(work *w)
{
    watch_computing(true);
    return place_take(w->client->own);
}

static void compute_end(work *w)
{
    place_leave(w->client->own);
    watch_computing(false);
}

static bool same_volume(const argand_counters *a, const argand_counters *b)
{
    return a->repetition == b->repetition && a->average == b->average && a->contrast == b->contrast &&
           a->phase == b->phase && a->set == b->set;
}

static bool was_sent(const work *w, const argand_counters *c)
{
    for (int64_t i = w->sent_count; i-- > 0;)
        if (same_volume(&w->sent[i], c) && w->sent[i].slice == c->slice) return true;
    return false;
}

/* Refuses acquisitions of an image that was already sent. */
static argand_status check_late(const work *w, const received *r, int64_t count)
{
    for (int64_t i = r->kept; i < count; i++) {
        argand_scan_message_info info;
        argand_scan_message_describe(r->messages[i].head, &info);
        if (info.is_image && was_sent(w, &info.counters))
            return report_error(
                ARGAND_FORMAT,
                "%s: an acquisition of repetition %d, slice %d came after its image was sent: "
                "start the server with --whole, so that it waits for all",
                w->client->name, info.counters.repetition, info.counters.slice);
    }
    return ARGAND_OK;
}

static void print_new_notes(work *w)
{
    const char *notes = argand_sense_notes(w->session);
    sense_print_notes(w->out, notes + w->notes);
    w->notes = strlen(notes);
}

static argand_status note_sent(work *w, const argand_counters *c)
{
    argand_counters *more = realloc(w->sent, (size_t)(w->sent_count + 1) * sizeof *more);
    if (!more) return report_error(ARGAND_MEMORY, "%s: no memory for a volume", w->client->name);
    w->sent = more;
    w->sent[w->sent_count++] = *c;
    return ARGAND_OK;
}

static argand_status run_volume(work *w, int volume)
{
    const sense_settings *s = &w->settings->sense;
    const argand_counters *c = argand_sense_counters(w->session, volume);
    if (was_sent(w, c)) return ARGAND_OK; /* calibration lines of the first repetition */
    argand_scan_image about = output_scan_image(w->scan, w->session, volume);
    TRY(note_sent(w, c));
    about.index = (int)w->sent_count;
    measure_begin(&w->measures);
    argand_status status = compute_begin(w);
    if (!status) status = argand_sense_run(w->session, volume, w->image, on_iteration, NULL);
    compute_end(w);
    TRY(status);
    TRY(measure_end(&w->measures, MEASURE_RECONSTRUCT));
    print_new_notes(w);
    measure_begin(&w->measures);
    TRY(serve_send_image(w->client, &about, w->image, s->output.parts ? s->output.parts : 1));
    TRY(measure_end(&w->measures, MEASURE_SEND));
    return measure_since(&w->measures, MEASURE_ALL, w->last);
}

/* Compares the image and coil maps that the client's header claims with the limit, before anything is
 * allocated. */
static argand_status check_limit(const work *w, const argand_scan *scan)
{
    const sense_settings *s = &w->settings->sense;
    const int encoding = s->session.encoding;
    double bytes = 8.0 * (scan->channels + 1);
    if (encoding < 0 || encoding >= scan->encoding_count)
        return ARGAND_OK; /* the session reports this error */
    for (int axis = 0; axis < 3; axis++)
        bytes *= (double)(axis < s->matrix.rank ? s->matrix.n[axis] : scan->encodings[encoding].matrix[axis]);
    if (bytes <= (double)w->settings->limit * 1048576) return ARGAND_OK;
    return report_error(ARGAND_UNSUPPORTED,
                        "%s: an image and its coil maps of %.6g MB are more than the limit allows "
                        "(argand serve --limit)",
                        w->client->name, bytes / 1e6);
}

static argand_status begin_session(work *w, const argand_scan *scan)
{
    const sense_settings *s = &w->settings->sense;
    sense_inputs in = {0};
    int64_t n[3];
    TRY(check_limit(w, scan));
    TRY(sense_gradients_find(&in, s, w->out));
    TRY(sense_open_session(s, w->device, scan, &in, &w->session, w->out));
    argand_sense_grid(w->session, n);
    return argand_array_create(&w->image, w->device, s->precision ? ARGAND_C64 : ARGAND_C32, 3, n);
}

/* Creates the session, or continues it with the next scan, and frees the scan before. */
static argand_status take_scan(work *w, argand_scan *file)
{
    if (!w->session) sense_print_notes(w->out, file->notes);
    if (w->session) sense_gradients_tell(&w->settings->sense, w->out);
    const argand_status status =
        w->session ? argand_sense_continue(w->session, file) : begin_session(w, file);
    if (status) {
        argand_scan_destroy(file);
        return status;
    }
    argand_scan_destroy(w->scan);
    w->scan = file;
    return ARGAND_OK;
}

static argand_status reconstruct(work *w, received *r, int64_t count)
{
    const scan_reading *reading = &w->settings->sense.reading;
    const argand_scan_options options = {.k_unit = (argand_k_unit)reading->k_unit,
                                         .time_from_echo = reading->time_from_echo,
                                         .bands = reading->bands};
    argand_scan *scan;
    w->last = r->last;
    measure_begin(&w->measures);
    TRY(check_late(w, r, count));
    TRY(serve_hold(r, &count));
    TRY(argand_scan_read_messages(&scan, w->client->name, r->header, count, r->messages, &options));
    serve_forget(r, w->client, count);
    argand_status status = measure_end(&w->measures, MEASURE_ORDER);
    measure_begin(&w->measures);
    if (!status) status = compute_begin(w);
    if (status)
        argand_scan_destroy(scan);
    else
        status = take_scan(w, scan);
    compute_end(w);
    TRY(status);
    TRY(measure_end(&w->measures, MEASURE_PREPARE));
    print_new_notes(w);
    for (int v = 0; v < argand_sense_volumes(w->session); v++) TRY(run_volume(w, v));
    return ARGAND_OK;
}

/* Returns true if the messages hold an image. After the last repetition other acquisitions may follow. */
static bool has_image(const work *w, const received *r, int64_t count)
{
    for (int64_t i = r->kept; i < count; i++) {
        argand_scan_message_info info;
        argand_scan_message_describe(r->messages[i].head, &info);
        if (info.is_image) return true;
    }
    return !w->session; /* without a session, it is an error that will be reported */
}

static argand_status work_through(work *w, received *r, repetition *watch)
{
    int64_t count = 0;
    bool closed = false;
    if (w->settings->window) {
        TRY(serve_frames(w->settings, w->client, w->device, r, &w->measures, w->out));
        measure_report(&w->measures, w->out);
        return ARGAND_OK;
    }
    while (!closed) {
        TRY(serve_receive(r, w->client, watch, &count, &closed));
        if (has_image(w, r, count)) TRY(reconstruct(w, r, count));
    }
    report_note(w->out, "%s: %lld acquisition%s%s%s%s; %lld image%s.", w->client->name, (long long)r->all,
                plural_s(r->all), *r->config ? " for the configuration \"" : "", r->config,
                *r->config ? "\", which is ignored" : "", (long long)w->sent_count, plural_s(w->sent_count));
    measure_report(&w->measures, w->out);
    return ARGAND_OK;
}

static void work_end(work *w)
{
    argand_array_destroy(w->image);
    argand_sense_destroy(w->session);
    argand_scan_destroy(w->scan);
    argand_device_close(w->device);
    free(w->sent);
}

/* Sends the error to the client, if it is still there, and prints it on the console. */
static int refuse(stream *client, argand_status status, report *out)
{
    char message[1024], text[1024];
    if (atomic_load(&client->own->leaves)) {
        interrupt_forget();
        client->patience = 1;
        report_error(ARGAND_STOPPED,
                     "%s: ended, because other clients wait and this connection moved almost no data",
                     client->name);
    }
    snprintf(message, sizeof message, "%s", report_message());
    snprintf(text, sizeof text, "argand: %.1000s", message);
    if (!client->is_within && !stream_is_broken(client) && !serve_send_text(client, text)) {
        (void)!serve_send_close(client);
        stream_finish(client);
    }
    return report_failure(out, report_error(status, "%s", message));
}

int serve_work(const serve_settings *settings, int socket, connection *own)
{
    static serve_settings own_settings; /* the client may change them */
    report out;
    stream client = {.socket = socket,
                     .patience = settings->patience,
                     .left = (int64_t)settings->limit << 20,
                     .name = own->name,
                     .own = own};
    work w = {.settings = &own_settings, .client = &client, .out = &out, .measures.on = settings->measure};
    received r = {.settings = &own_settings, .out = &out};
    repetition watch = {0};
    int code = 0;
    own_settings = *settings;
    report_begin(&out, "serve", &settings->sense.common);
    argand_status status = watch_begin(&client, &out);
    if (!status) status = common_open(&settings->sense.common, &w.device);
    if (!status) status = work_through(&w, &r, &watch);
    if (status) {
        code = refuse(&client, status, &out);
    } else {
        status = serve_send_close(&client);
        if (status) code = report_failure(&out, status);
    }
    serve_free(&r);
    repetition_free(&watch);
    work_end(&w);
    stream_free(&client);
    return code;
}
