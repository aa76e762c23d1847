/* SPDX-License-Identifier: BSD-3-Clause */
/* A connection's process: what came as a scan, reconstructed by the options that the server was started with,
 * image after image sent as soon as it is there. */
#include <string.h>
#include <unistd.h>

#include "sense/gradients.h"
#include "serve/serve.h"

typedef struct watch {
    stream *client;
    report *out;
} watch;

/* Nobody waits for the images of a client that has gone. */
static bool on_iteration(void *context, const argand_progress *p)
{
    const watch *w = context;
    (void)p;
    return !interrupted() && !stream_is_broken(w->client);
}

static argand_status run_volumes(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                 argand_sense *session, stream *client, report *out)
{
    int64_t n[3];
    argand_array *image;
    watch w = {client, out};
    const int parts = s->output.parts ? s->output.parts : 1;
    argand_sense_grid(session, n);
    argand_status status = argand_array_create(&image, device, s->precision ? ARGAND_C64 : ARGAND_C32, 3, n);
    for (int v = 0; v < argand_sense_volumes(session) && !status; v++) {
        status = argand_sense_run(session, v, image, on_iteration, &w);
        if (!status) status = serve_send_image(client, scan, session, v, image, parts);
    }
    if (!status) report_note(out, "%s: %d images.", client->name, argand_sense_volumes(session));
    argand_array_destroy(image);
    return status;
}

static argand_status reconstruct(const serve_settings *settings, stream *client, const argand_scan *scan,
                                 report *out)
{
    const sense_settings *s = &settings->sense;
    sense_inputs in = {0};
    argand_device *device = NULL;
    argand_sense *session = NULL;
    sense_print_notes(out, scan->notes);
    sense_gradients gradients = {0};
    TRY(common_open(&s->common, &device));
    argand_status status = ARGAND_OK;
    if (sense_gradients_wanted(s)) {
        status = sense_gradients_begin(&gradients, s, scan, out);
        scan = &gradients.scan;
    }
    if (!status) status = sense_open_session(s, device, scan, &in, &session, out);
    if (!status) sense_print_notes(out, argand_sense_notes(session));
    if (!status) status = run_volumes(s, device, scan, session, client, out);
    argand_sense_destroy(session);
    sense_gradients_end(&gradients);
    argand_device_close(device);
    return status;
}

static argand_status receive_scan(argand_scan **scan, const serve_settings *settings, stream *client,
                                  report *out)
{
    const scan_reading *reading = &settings->sense.reading;
    const argand_scan_options options = {.k_unit = (argand_k_unit)reading->k_unit,
                                         .time_from_echo = reading->time_from_echo,
                                         .bands = reading->bands};
    received r = {0};
    argand_status status = serve_receive(&r, client);
    if (!status) {
        report_note(out, "%s: %lld acquisitions%s%s%s.", client->name, (long long)r.count,
                    *r.config ? " for the configuration \"" : "", r.config,
                    *r.config ? "\", which is not looked at" : "");
        status = argand_scan_read_messages(scan, client->name, r.header, r.count, r.messages, &options);
    }
    serve_free(&r);
    return status;
}

/* Says to the client why, if it is still there; to the console in any case. */
static int refuse(stream *client, argand_status status, report *out)
{
    char words[1024], text[1024];
    snprintf(words, sizeof words, "%s", report_words());
    snprintf(text, sizeof text, "argand: %.1000s", words);
    if (!stream_is_broken(client) && !serve_send_text(client, text)) {
        (void)!serve_send_close(client);
        stream_finish(client);
    }
    return report_failure(out, report_error(status, "%s", words));
}

int serve_work(const serve_settings *settings, int socket, const char *name)
{
    report out;
    argand_scan *scan = NULL;
    stream client = {
        .socket = socket, .patience = settings->patience, .left = (int64_t)settings->limit << 20};
    snprintf(client.name, sizeof client.name, "%s", name);
    report_begin(&out, "serve", &settings->sense.common);
    argand_status status = receive_scan(&scan, settings, &client, &out);
    if (!status) status = reconstruct(settings, &client, scan, &out);
    argand_scan_destroy(scan);
    if (status) return refuse(&client, status, &out);
    status = serve_send_close(&client);
    return status ? report_failure(&out, status) : 0;
}
