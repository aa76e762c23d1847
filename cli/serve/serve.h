/* SPDX-License-Identifier: BSD-3-Clause */
/* `argand serve`: the MRD streaming protocol over TCP (ISMRMRD's messages, as Gadgetron and
 * python-ismrmrd-server speak it): a config, the header, acquisitions and a close come in; images, or a
 * text that says what went wrong, and a close go out. Each connection is a process of its own, so that
 * nothing that a client sends reaches another one's reconstruction. serve.c listens, stream.c moves bytes,
 * receive.c takes messages, configure.c options from them, repetition.c knows when a repetition is
 * complete, work.c reconstructs, send.c makes messages of images, places.c says who computes, keep.c keeps
 * calibrations, watch.c who is gone, measure.c how long it took; view.h has the live page. */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include <stdatomic.h>
#include <sys/types.h>
#include "common/system.h"
#include "mrd/latency.h"
#include "mrd/mrd.h"
#include "sense/inputs.h"

enum { SERVE_MOST_PLACES = 64 };

typedef struct serve_settings {
    sense_settings sense;
    const char *host;
    int port, limit, patience, connections; /* MB, seconds */
    bool once, whole, measure;
    /* frames: readouts of a window (0: no frames), from frame to frame, and of the calibration; frames
     * between new maps */
    int window, step, calibration, refresh, late;
    int keep; /* seconds */
    int view; /* port of the live page; -1: none */
    double temporal, temporal_tv;
    int tv_frames;
    bool find_delays, pin;
} serve_settings;

/* ---- connections, in memory that server and workers share */

typedef struct connection {
    pid_t process; /* 0: a free entry; used by the server only, like name and since */
    char name[64]; /* "127.0.0.1:40312" */
    double since;
    _Atomic int64_t bytes;    /* received and sent */
    _Atomic int64_t computed; /* milliseconds spent computing or waiting for a place */
    _Atomic bool computes;    /* true also while it waits for a place */
    _Atomic bool leaves;      /* the server has ended it because others wait */
} connection;

/* Allows `count` connections to compute at a time; four times as many may be open. */
argand_status places_open(int count);
/* Returns a free entry; NULL: all are in use. */
connection *places_find(void);
int places_used(void);
/* Returns the number of an entry, from 0. */
int places_index(const connection *c);
/* Frees the entries whose process has ended. *code: exit code of the last of them. */
void places_collect(int *code);
void places_end_all(void);
/* Ends the slowest connection if it transfers almost nothing. Call this when all entries are in use and
 * others wait. */
void places_end_slowest(void);
/* In a worker: place_take waits for a place, place_leave returns it. */
argand_status place_take(connection *own);
void place_leave(connection *own);

/* ---- bytes of a connection */

typedef struct stream {
    int socket;
    int patience; /* seconds without a byte until the peer counts as gone */
    int64_t left; /* bytes of memory left for this connection */
    /* Data received while images were sent to a client that sends everything before it reads. */
    char *ahead;
    size_t ahead_at, ahead_end, ahead_size;
    bool has_ended; /* the client has closed its sending side */
    bool apart;     /* one thread reads and another one writes: nothing is read ahead */
    bool is_within; /* half a message was sent: nothing else may follow */
    const char *name;
    connection *own;
} stream;

/* Transfer all bytes, or return an error. */
argand_status stream_read(stream *s, void *to, size_t bytes);
argand_status stream_write(stream *s, const void *from, size_t bytes);
argand_status stream_skip(stream *s, uint64_t bytes);
/* Reads bytes into new memory, within the limit. */
argand_status stream_take(stream *s, void **to, uint64_t bytes, const char *what);
/* Returns true if the connection is broken in both directions. */
bool stream_is_broken(const stream *s);
void stream_free(stream *s);
/* Ends sending and discards input for two seconds. Closing at once would also discard messages that the
 * client has not read yet. */
void stream_finish(stream *s);
/* Returns the connection as the source of messages; what is skipped must keep to the limit. */
mrd_source stream_source(stream *s);
/* Reads a little-endian number. */
argand_status stream_read_number(stream *s, uint64_t *number, int bytes);

/* ---- a client that is gone */

/* Starts a thread that ends the process if the client goes away while its images are computed. */
argand_status watch_begin(const stream *of, report *to);
void watch_computing(bool now);
/* Returns true if the first byte of an image was sent ahead, so that only an image may follow. */
bool watch_sent_ahead(void);
/* Says that an image follows, without that byte. */
void watch_image_begins(void);

/* ---- what came */

typedef struct received {
    char *header, config[256];
    argand_scan_message *messages;
    int64_t count, most;
    int64_t kept;             /* messages at the beginning that an earlier repetition left for calibration */
    int64_t all;              /* acquisitions received in this connection */
    int64_t others;           /* waveforms and arrays, and texts between acquisitions, which are not used */
    bool forgot;              /* an earlier repetition is complete */
    serve_settings *settings; /* of this connection, which texts change before the first acquisition */
    report *out;
    double last; /* time at which the last acquisition was received whole */
} received;

/* A volume of the repetition being received. */
typedef struct repetition_volume {
    argand_counters counters;
    int64_t acquisitions;
} repetition_volume;

typedef struct repetition {
    int limits_are; /* unknown yet, known, or unusable */
    argand_limits limits;
    int number;
    bool mixed; /* repetitions are interleaved, so their ends are unknown */
    argand_limit shots, partitions;
    repetition_volume *volumes;
    int64_t count;
} repetition;

/* Examines an acquisition. before: the repetition was complete without it; show the acquisition again
 * after repetition_begin. after: the repetition is complete with it. */
argand_status repetition_see(repetition *r, const received *all, const argand_scan_message *message,
                             bool *before, bool *after);
void repetition_begin(repetition *r);
void repetition_free(repetition *r);

/* configure.c: takes options from JSON that a client sent. Other texts are ignored. Notes what it took, and
 * what it does not know. ARGAND_ARGUMENT: a wrong value. */
argand_status serve_configure(serve_settings *s, const char *client, const char *text, report *out);
/* Takes one message whose number was read. */
argand_status serve_take(received *r, stream *s, int message);
/* Receives messages until the close or, without --whole, --joint and --basis, until a repetition is complete.
 * *count: number of messages to reconstruct; one more may have been received. */
argand_status serve_receive(received *r, stream *s, repetition *watch, int64_t *count, bool *closed);
/* Holds back calibration lines of other repetitions if the images have their own among the first *count
 * messages. Reduces *count. */
argand_status serve_hold(received *r, int64_t *count);
/* Frees the first `count` messages. The first time, those that calibrate coils are kept. */
void serve_forget(received *r, stream *s, int64_t count);
/* Frees all messages. */
void serve_forget_all(received *r, stream *s);
void serve_free(received *r);

/* ---- what goes */

argand_status serve_send_text(stream *s, const char *message);
argand_status serve_send_close(stream *s);
/* Sends a message for each part (bits as in sense --part) of an image of complex floats. work: memory for as
 * many. */
argand_status serve_send_numbers(stream *s, const argand_scan_image *about, const char *attributes,
                                 const float *numbers, float *work, int parts);
/* Sends a message for each part of a volume's image. */
argand_status serve_send_image(stream *s, const argand_scan_image *about, argand_array *image, int parts);

/* ---- how long it takes */

/* Stages of --measure. All: from the last readout received to the image sent; start-up: the same of frames
 * that waited for the calibration, which count in no other stage. */
typedef enum measure_stage {
    MEASURE_ORDER,
    MEASURE_PREPARE,
    MEASURE_RECONSTRUCT,
    MEASURE_FRAME, /* and the other stages of argand_frame_stage */
    MEASURE_SEND = MEASURE_FRAME + ARGAND_FRAME_STAGES,
    MEASURE_ALL,
    MEASURE_START,
    MEASURE_STAGES
} measure_stage;
typedef struct measure {
    bool on;
    double began; /* of the present stage */
    latency stages[MEASURE_STAGES];
} measure;
/* measure_begin starts a stage now, measure_end ends it. measure_since: it has lasted since a time. */
void measure_begin(measure *m);
argand_status measure_end(measure *m, measure_stage stage);
argand_status measure_since(measure *m, measure_stage stage, double since);
argand_status measure_add(measure *m, int stage, double seconds);
/* Reports all stages, and frees their times. */
void measure_report(measure *m, report *out);

/* ---- frames (--window) */

/* An image of a frame on its way to those who subscribe. */
typedef struct served_frame {
    argand_scan_image about;
    argand_frame frame;
    int64_t made;        /* frames up to this one, without those that were dropped */
    int64_t steady;      /* the first frame whose readouts did not wait for the calibration */
    int64_t last;        /* acquisition of the connection that completed it, from 0 */
    double received;     /* time at which this acquisition had come */
    const float *pixels; /* complex {n} */
} served_frame;

/* Where all frames go: each subscriber sees each frame, in the order of subscription, in the thread that
 * makes frames. A subscriber copies what it needs and returns at once. */
enum { SINK_MOST = 4 };
typedef struct frame_sink {
    void (*see[SINK_MOST])(void *context, const served_frame *frame);
    void *context[SINK_MOST];
    int count;
} frame_sink;
void frame_sink_subscribe(frame_sink *s, void (*see)(void *context, const served_frame *frame),
                          void *context);
void frame_sink_publish(const frame_sink *s, const served_frame *frame);

/* outbox.c: the subscriber that sends images, in a thread of its own. A client that is slow loses the oldest
 * of the frames that wait for it; they are counted. */
typedef struct outbox outbox;
argand_status outbox_create(outbox **o, stream *client, measure *m, int parts, const int64_t n[3]);
void outbox_see(void *outbox, const served_frame *frame);
/* Returns the frames that were not sent so far. */
int64_t outbox_lost(outbox *o);
/* Sends what waits and ends the thread. *lost: frames that were not sent. */
argand_status outbox_end(outbox *o, int64_t *lost);

/* decode.c: readouts of a stream as frames take them. */
typedef struct readout_form {
    int64_t samples, floats_k, floats_data; /* of a message; kept samples */
    int channels, dimensions, before;       /* before: samples that are discarded at the beginning */
    double scale[2];                        /* to cycles per field of view of the image */
    argand_counters counters;
    int encoding;
    float *trajectory, *raw, *data, *k[2];
} readout_form;
/* Takes the form from the first image acquisition. grid_scale: of positions of the scan. */
argand_status readout_form_take(readout_form *f, const argand_scan *scan, const argand_scan_message *first,
                                const double grid_scale[2]);
/* Refuses a head of another form. */
argand_status readout_check(const readout_form *f, const stream *s, const void *head);
/* Makes k of the trajectory. Returns the kept samples, {samples, channels}. */
const float *readout_decode(const readout_form *f);
void readout_form_free(readout_form *f);

/* view.c: starts the process of the live page; *port: 0 takes a free one. view_look notes if it has ended. */
argand_status view_start(int *port);
void view_look(report *out);
void view_stop(void);
/* view_board.c: in a worker, nothing without that process. view_begin shows this connection from now on,
 * view_see a frame (the subscriber; its context is the outbox), view_end the last counts. */
void view_begin(const char *client, const argand_scan_image *about, const char *notes, report *out);
void view_see(void *outbox, const served_frame *frame);
void view_end(int64_t made, int64_t dropped, int64_t unsent);

/* keep.c: calibrations that outlive a connection. keep_open: in the server, before processes start. */
typedef struct keep_key { /* what a connection must have in common with the one before */
    const char *client, *header;
    const argand_geometry *place;
    int64_t n[2], samples;
    int channels, window, compress;
} keep_key;
typedef struct kept_calibration {
    argand_array *maps, *matrix; /* NULL: there is none */
    argand_radial_delay delay;
    double age; /* seconds since that connection was alive */
} kept_calibration;
argand_status keep_open(int seconds);
argand_status keep_find(kept_calibration *k, const keep_key *key);
void keep_free(kept_calibration *k);
/* keep_store: in the thread that makes frames, or after its end. keep_alive: for each readout.
 * keep_forget: the connection has ended as it should. */
void keep_store(const keep_key *key, const argand_frames *frames);
void keep_alive(void);
void keep_forget(void);

/* pin.c: pins the calling thread to its part of the processors, which differs from connection to connection.
 * Returns false if that is not possible. */
typedef enum pin_role { PIN_MESSAGES, PIN_FRAMES } pin_role;
bool pin_thread(pin_role role, const system_processors *all, int slot);

/* frames.c: receives a stream and makes frames until it ends. */
argand_status serve_frames(const serve_settings *settings, stream *client, argand_device *device, received *r,
                           measure *m, report *out);

/* Runs the process of a connection: receives, reconstructs, answers. Returns its exit code. */
int serve_work(const serve_settings *settings, int socket, connection *own);

#endif
