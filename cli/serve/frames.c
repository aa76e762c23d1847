/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames of a stream (--window). The main thread receives readouts and pushes them, a second one makes
 * frames, a third one sends them (outbox.c): none waits for another one. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "sense/gradients.h"
#include "serve/serve.h"

enum { KEPT = 1 << 16 /* readouts whose times are kept */ };

typedef struct framer {
    const serve_settings *settings;
    stream *client;
    argand_device *device;
    received *r;
    measure *measures;
    report *out;
    argand_frames *frames;
    argand_array *image;
    float *pixels;
    argand_scan_image about;
    readout_form form;
    frame_sink sink;
    outbox *outbox;
    system_processors processors; /* all that this process may use */
    int64_t pushed, held; /* readouts pushed, and held back behind them while the calibration is computed */
    int64_t made, start_made, start_dropped; /* frames; of these, of the start-up */
    _Atomic int64_t steady;                  /* the first frame after the start-up */
    double calibrating_since, calibrated;    /* times */
    double received_at[KEPT];                /* of readouts */
    int64_t acquisition[KEPT];               /* their numbers among all acquisitions */
    atomic_bool ends, failed;
    keep_key key;
    kept_calibration kept; /* of the connection before */
    bool stored;           /* this connection's */
    bool is_live;          /* readouts are pushed as they come */
    pthread_t thread;
    bool runs;
    argand_status status;
    char message[512];
} framer;

/* ---- the thread that makes frames */

/* Counts a frame, and those dropped before it, of the start-up. */
static void count_start(framer *f, const argand_frame *frame, int64_t steady)
{
    const int64_t first = frame->number - frame->dropped,
                  end = frame->number < steady ? frame->number : steady;
    f->start_made += frame->number < steady;
    if (end > first) f->start_dropped += end - first;
}

static argand_status make_frame(framer *f)
{
    argand_frame frame;
    TRY(argand_frames_run(f->frames, f->image, &frame));
    if (frame.number < 0) return ARGAND_OK;
    TRY(argand_array_download(f->image, f->pixels));
    const int64_t last = frame.last % KEPT;
    served_frame served = {.about = f->about,
                           .frame = frame,
                           .made = ++f->made,
                           .steady = atomic_load(&f->steady),
                           .last = f->acquisition[last],
                           .received = f->received_at[last],
                           .pixels = f->pixels};
    count_start(f, &frame, served.steady);
    served.about.index = (int)(frame.number % UINT16_MAX) + 1;
    served.about.counters.repetition = (uint16_t)frame.number;
    frame_sink_publish(&f->sink, &served);
    return ARGAND_OK;
}

/* Keeps the calibration as soon as there is one, because a process may be killed. */
static void store_calibration(framer *f)
{
    argand_frames_info info;
    argand_frames_describe(f->frames, &info);
    if (info.start < 0) return;
    keep_store(&f->key, f->frames);
    f->stored = true;
}

static void *make_frames(void *context)
{
    framer *f = context;
    argand_status status = ARGAND_OK;
    if (f->settings->pin) pin_thread(PIN_FRAMES, &f->processors, places_index(f->client->own));
    for (bool ends = false; !ends && !status;) {
        ends = atomic_load(&f->ends);
        while (!status && argand_frames_wait(f->frames, ends ? 0 : 0.1)) {
            status = make_frame(f);
            if (!status && !f->stored) store_calibration(f);
        }
    }
    f->status = status;
    if (status) snprintf(f->message, sizeof f->message, "%s", argand_message());
    atomic_store(&f->failed, status != ARGAND_OK);
    return NULL;
}

/* ---- the thread that receives */

static argand_status push(framer *f, const float *data, const float *const k[2])
{
    f->acquisition[f->pushed++ % KEPT] = f->r->all - 1;
    return argand_frames_push(f->frames, data, k);
}

/* Takes the calibration of a connection that was cut off. */
static argand_status take_kept(framer *f, argand_frames_options *o)
{
    f->key = (keep_key){.client = f->client->name,
                        .header = f->r->header,
                        .place = &f->about.geometry,
                        .n = {o->n[0], o->n[1]},
                        .samples = o->samples,
                        .channels = o->channels,
                        .window = o->window,
                        .compress = o->coils};
    if (o->maps) return ARGAND_OK;
    TRY(keep_find(&f->kept, &f->key));
    if (!f->kept.maps) return ARGAND_OK;
    o->known_maps = f->kept.maps;
    o->known_matrix = f->kept.matrix;
    o->known_delay = f->kept.delay;
    report_note(
        f->out,
        "%s: goes on with the coil maps, compression and delays of the connection that was cut off %.1f s "
        "ago (--keep-calibration).",
        f->client->name, f->kept.age);
    return ARGAND_OK;
}

/* Finds maps and grid as sense does for a scan of these readouts. */
static argand_frames_options frame_options(const framer *f, const argand_acquisition *a,
                                           const argand_sense_options *o)
{
    const serve_settings *s = f->settings;
    return (argand_frames_options){.n = {f->about.n[0], f->about.n[1]},
                                   .channels = a->channels,
                                   .samples = a->samples,
                                   .window = s->window,
                                   .step = s->step,
                                   .calibration = s->calibration,
                                   .coils = o->compress > a->channels ? a->channels : o->compress,
                                   .iterations = s->sense.iterations > 0 ? s->sense.iterations : 0,
                                   .temporal = s->temporal > 0 ? s->temporal : -1,
                                   .temporal_tv = s->temporal_tv,
                                   .tv_frames = s->tv_frames,
                                   .late = (argand_late)s->late,
                                   .refresh = s->refresh,
                                   .delays = s->find_delays,
                                   .alone = true,
                                   .field_map = o->field_map};
}

/* Creates the frames with the coil maps of the options, and with the times of a readout if there is a field
 * map. */
static argand_status create_with_maps(framer *f, const argand_acquisition *a, const argand_sense_options *o)
{
    argand_frames_options options = frame_options(f, a, o);
    argand_array *maps = NULL;
    double *times = o->field_map ? malloc((size_t)a->samples * sizeof *times) : NULL;
    argand_status status = ARGAND_OK;
    for (int64_t i = 0; i < a->samples && times; i++) times[i] = (double)a->t[i];
    if (o->coil_maps)
        status = argand_array_reshape(&maps, o->coil_maps, 3,
                                      (int64_t[]){options.n[0], options.n[1], a->channels});
    options.times = times;
    options.maps = maps;
    if (!status) status = take_kept(f, &options);
    if (!status) status = argand_frames_create(&f->frames, f->device, &options);
    argand_array_destroy(maps);
    free(times);
    return status;
}

/* Finds maps and grid as sense does for a scan of these readouts. */
static argand_status create_frames(framer *f, const argand_scan *scan, double scale[2])
{
    const argand_acquisition *a = &scan->acquisitions[0];
    const sense_settings *settings = &f->settings->sense;
    argand_sense_options o;
    sense_inputs in = {0};
    argand_sense *session = NULL;
    TRY(sense_gradients_find(&in, settings, f->out));
    argand_status status = sense_find_options(settings, f->device, scan, &in, &o, f->out);
    if (!status) status = argand_sense_create(&session, f->device, scan, &o);
    if (!status) f->about = output_scan_image(scan, session, 0);
    if (!status && f->about.n[2] != 1)
        status = report_error(ARGAND_UNSUPPORTED, "frames (--window) are made of one slice, not of a volume");
    for (int axis = 0; axis < 2 && !status; axis++)
        scale[axis] = f->about.geometry.voxel[axis] * (double)f->about.n[axis] /
                      scan->encodings[a->encoding].field_of_view[axis];
    if (!status) status = create_with_maps(f, a, &o);
    argand_sense_destroy(session);
    sense_inputs_free(&in);
    return status;
}

static const argand_scan_message *first_image(const received *r)
{
    argand_scan_message_info info;
    for (int64_t i = 0; i < r->count; i++) {
        argand_scan_message_describe(r->messages[i].head, &info);
        if (info.is_image) return &r->messages[i];
    }
    return NULL;
}

/* Pushes readouts that were received as messages, and frees them. first: the number of their first
 * acquisition. */
static argand_status push_messages(framer *f, int64_t first)
{
    const int64_t all = f->r->all;
    argand_status status = ARGAND_OK;
    for (int64_t i = 0; i < f->r->count && !status; i++) {
        const argand_scan_message *m = &f->r->messages[i];
        argand_scan_message_info info;
        argand_scan_message_describe(m->head, &info);
        if (!info.is_image) continue;
        TRY(readout_check(&f->form, f->client, m->head));
        memcpy(f->form.trajectory, m->trajectory, (size_t)f->form.floats_k * sizeof(float));
        memcpy(f->form.raw, m->data, (size_t)f->form.floats_data * sizeof(float));
        f->r->all = first + i + 1;
        status = push(f, readout_decode(&f->form), (const float *const *)f->form.k);
    }
    f->r->all = all;
    f->held = 0;
    serve_forget_all(f->r, f->client);
    return status;
}

/* Pins this thread; those that it starts later inherit its processor. */
static void pin_messages(framer *f)
{
    if (!f->settings->pin) return;
    f->processors = system_own_processors();
    if (!pin_thread(PIN_MESSAGES, &f->processors, places_index(f->client->own)))
        report_note(f->out,
                    "%s: threads are not pinned (--pin): there is one processor, or the system cannot.",
                    f->client->name);
}

/* Pushes the first readouts and starts to make frames. */
static argand_status start(framer *f, const argand_scan *scan)
{
    double scale[2];
    TRY(create_frames(f, scan, scale));
    TRY(readout_form_take(&f->form, scan, first_image(f->r), scale));
    TRY(argand_array_create(&f->image, f->device, ARGAND_C32, 2, f->about.n));
    f->pixels = malloc((size_t)argand_array_count(f->image) * 2 * sizeof *f->pixels);
    if (!f->pixels) return report_error(ARGAND_MEMORY, "no memory for an image");
    pin_messages(f);
    TRY(outbox_create(&f->outbox, f->client, f->measures, f->settings->sense.output.parts, f->about.n));
    frame_sink_subscribe(&f->sink, outbox_see, f->outbox);
    if (f->settings->view >= 0) {
        view_begin(f->client->name, &f->about, scan->notes, f->out);
        frame_sink_subscribe(&f->sink, view_see, f->outbox);
    }
    TRY(push_messages(f, 0));
    f->runs = !pthread_create(&f->thread, NULL, make_frames, f);
    return f->runs ? ARGAND_OK : report_error(ARGAND_MEMORY, "no thread to make frames");
}

/* Goes over to pushing readouts as they come, once the calibration is done. What came meanwhile is pushed at
 * once; its frames are those of the start-up. */
static argand_status go_live(framer *f)
{
    const serve_settings *s = f->settings;
    const int64_t step = s->step ? s->step : s->window;
    argand_frames_info info;
    argand_frames_describe(f->frames, &info);
    if (info.start < 0) return ARGAND_OK;
    const int64_t left = f->pushed + f->held - info.start - s->window;
    f->is_live = true;
    f->calibrated = seconds_now();
    atomic_store(&f->steady, left < 0 ? 0 : left / step + 1);
    return push_messages(f, f->r->all - f->r->count);
}

/* Waits for the calibration of a stream that has already ended. */
static argand_status wait_live(framer *f)
{
    while (!f->is_live && !atomic_load(&f->failed)) {
        if (interrupted()) return ARGAND_STOPPED;
        TRY(go_live(f));
        if (!f->is_live) poll(NULL, 0, 5);
    }
    return ARGAND_OK;
}

/* Reads the first acquisitions as a scan: units of positions, grid, maps. */
static argand_status begin_frames(framer *f)
{
    const scan_reading *reading = &f->settings->sense.reading;
    const argand_scan_options options = {.k_unit = (argand_k_unit)reading->k_unit,
                                         .time_from_echo = reading->time_from_echo};
    argand_scan *scan;
    TRY(argand_scan_read_messages(&scan, f->client->name, f->r->header, f->r->count, f->r->messages,
                                  &options));
    sense_print_notes(f->out, scan->notes);
    const argand_status status = start(f, scan);
    argand_scan_destroy(scan);
    return status;
}

/* Receives a readout into fixed memory and pushes it. Others are passed over. */
static argand_status receive_readout(framer *f)
{
    uint8_t head[ARGAND_SCAN_MESSAGE_HEAD];
    argand_scan_message_info info;
    int64_t trajectory, data;
    TRY(stream_read(f->client, head, sizeof head));
    argand_scan_message_describe(head, &info);
    argand_scan_message_sizes(head, &trajectory, &data);
    f->r->all++;
    if (!info.is_image) return stream_skip(f->client, (uint64_t)(trajectory + data) * sizeof(float));
    TRY(readout_check(&f->form, f->client, head));
    TRY(stream_read(f->client, f->form.trajectory, (size_t)trajectory * sizeof(float)));
    TRY(stream_read(f->client, f->form.raw, (size_t)data * sizeof(float)));
    f->received_at[f->pushed % KEPT] = seconds_now();
    keep_alive();
    return push(f, readout_decode(&f->form), (const float *const *)f->form.k);
}

static bool is_image(const received *r)
{
    argand_scan_message_info info;
    argand_scan_message_describe(r->messages[r->count - 1].head, &info);
    return info.is_image;
}

/* Takes a message that waits: before there are frames, or while the calibration is computed. */
static argand_status hold_message(framer *f, int message)
{
    TRY(serve_take(f->r, f->client, message));
    if (message != MRD_ACQUISITION) return ARGAND_OK;
    if (is_image(f->r)) f->received_at[(f->pushed + f->held++) % KEPT] = seconds_now();
    if (f->frames) return go_live(f);
    return f->held == f->settings->window ? begin_frames(f) : ARGAND_OK;
}

/* Returns how many readouts calibrate, as argand_frames_options.calibration. */
static int64_t calibrating(const framer *f)
{
    const serve_settings *s = f->settings;
    return s->calibration ? s->calibration : (f->kept.maps && !s->refresh ? 1 : 6) * (int64_t)s->window;
}

static argand_status receive_all(framer *f)
{
    for (;;) {
        const int64_t wanted = calibrating(f);
        uint64_t message;
        TRY(stream_read_number(f->client, &message, 2));
        if (message == MRD_CLOSE && f->pushed >= wanted) return wait_live(f);
        if (message == MRD_CLOSE)
            return report_error(
                ARGAND_FORMAT,
                "%s: sent %lld readouts, fewer than the %lld that calibrate (--calibration-readouts)",
                f->client->name, (long long)(f->pushed + f->held), (long long)wanted);
        if (message == MRD_ACQUISITION && f->frames && (f->is_live || f->pushed < wanted))
            TRY(receive_readout(f));
        else
            TRY(hold_message(f, (int)message));
        if (!f->is_live && f->pushed == wanted && !(f->calibrating_since > 0))
            f->calibrating_since = seconds_now();
    }
}

/* Ends both threads. The first failure counts. */
static argand_status finish(framer *f, argand_status status, int64_t *lost)
{
    argand_status sent = ARGAND_OK;
    char message[512];
    snprintf(message, sizeof message, "%s", status ? report_message() : "");
    atomic_store(&f->ends, true);
    if (f->runs) pthread_join(f->thread, NULL);
    if (!status || f->status)
        keep_forget();
    else if (f->stored)
        keep_store(&f->key, f->frames); /* with newer maps */
    if (f->outbox) sent = outbox_end(f->outbox, lost);
    if (f->status) return report_error(f->status, "%s", f->message);
    return status ? report_error(status, "%s", message) : sent;
}

static void tell(const framer *f, int64_t lost)
{
    const char *const late = f->settings->late == ARGAND_LATE_MERGE ? "merged" : "dropped";
    const double waited = f->is_live ? f->calibrated - f->calibrating_since : 0;
    argand_frames_info info;
    argand_frames_describe(f->frames, &info);
    view_end(info.made, info.dropped, lost);
    report_note(f->out,
                "%s: %lld readouts; %lld frame%s made, %lld %s because newer ones were complete, %lld not "
                "sent because the client was slow.",
                f->client->name, (long long)info.pushed, (long long)info.made, plural_s(info.made),
                (long long)info.dropped, late, (long long)lost);
    report_note(f->out,
                "%s: start-up: frames waited %.0f ms for the calibration; of these, %lld made, %lld %s.",
                f->client->name, 1e3 * waited, (long long)f->start_made, (long long)f->start_dropped, late);
    if (f->out->json)
        print_json_line(
            "{\"event\":\"frames\",\"made\":%lld,\"%s\":%lld,\"unsent\":%lld,\"refreshed\":%lld,"
            "\"start_up_made\":%lld,\"start_up_late\":%lld,\"calibrated_after\":%.6f,\"graph\":%s}",
            (long long)info.made, late, (long long)info.dropped, (long long)lost, (long long)info.refreshed,
            (long long)f->start_made, (long long)f->start_dropped, waited, info.graph ? "true" : "false");
}

argand_status serve_frames(const serve_settings *settings, stream *client, argand_device *device, received *r,
                           measure *m, report *out)
{
    const int yes = 1;
    int64_t lost = 0;
    framer *f = calloc(1, sizeof *f);
    if (!f) return report_error(ARGAND_MEMORY, "no memory for frames");
    *f =
        (framer){.settings = settings, .client = client, .device = device, .r = r, .measures = m, .out = out};
    client->apart = true;
    setsockopt(client->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    argand_status status = place_take(client->own);
    if (!status) status = receive_all(f);
    status = finish(f, status, &lost);
    place_leave(client->own);
    if (f->frames) tell(f, lost);
    argand_frames_destroy(f->frames);
    keep_free(&f->kept);
    argand_array_destroy(f->image);
    readout_form_free(&f->form);
    free(f->pixels);
    free(f);
    return status;
}
