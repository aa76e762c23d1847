/* SPDX-License-Identifier: BSD-3-Clause */
/* `argand serve`: the MRD streaming protocol over TCP (ISMRMRD's messages, as Gadgetron and
 * python-ismrmrd-server speak it): a config, the header, acquisitions and a close come in; images, or a text
 * that says what went wrong, and a close go out. Each connection is a process of its own, so that nothing
 * that a client sends reaches another one's reconstruction. serve.c listens, stream.c moves bytes, receive.c
 * takes messages, repetition.c knows when a repetition is complete, work.c reconstructs, send.c makes
 * messages of images, places.c says who computes, watch.c who is gone. */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include <stdatomic.h>
#include <sys/types.h>
#include "sense/inputs.h"

enum { SERVE_MOST_PLACES = 64 };

/* Identities of messages. */
enum {
    MRD_CONFIG_FILE = 1,
    MRD_CONFIG_TEXT = 2,
    MRD_HEADER = 3,
    MRD_CLOSE = 4,
    MRD_TEXT = 5,
    MRD_ACQUISITION = 1008,
    MRD_IMAGE = 1022,
    MRD_WAVEFORM = 1026,
    MRD_ARRAY = 1030
};

typedef struct serve_settings {
    sense_settings sense;
    const char *host;
    int port, limit, patience, connections; /* MB, seconds */
    bool once, whole;
} serve_settings;

/* ---- connections: what the server and its workers know of each */

typedef struct connection {
    pid_t process; /* 0: a free entry; the server's alone, as name and since are */
    char name[64]; /* "127.0.0.1:40312" */
    double since;
    _Atomic int64_t bytes;    /* that came and went */
    _Atomic int64_t computed; /* milliseconds that it computed, or waited for a place to */
    _Atomic bool computes;    /* or waits for a place to */
    _Atomic bool leaves;      /* the server has ended it, as others wait */
} connection;

/* `count` connections compute at a time; four times as many may be open. */
argand_status places_open(int count);
/* A free entry; NULL: there are as many as may be. */
connection *places_find(void);
int places_used(void);
/* Forgets those whose process has ended; *code: the exit code of the last of them. */
void places_collect(int *code);
void places_end_all(void);
/* Others wait and there are as many as may be: ends the slowest one, if next to nothing comes and goes. */
void places_end_slowest(void);
/* In a worker: waits for a place; gives it back. */
argand_status place_take(connection *own);
void place_leave(connection *own);

/* ---- bytes of a connection */

typedef struct stream {
    int socket;
    int patience; /* seconds without a byte after which the other side counts as gone */
    int64_t left; /* bytes that may still be kept */
    /* What came while images were sent to a client that does not read them before it has sent all. */
    char *ahead;
    size_t ahead_at, ahead_end, ahead_size;
    bool has_ended; /* nothing more will come */
    bool is_within; /* half of a message was sent: nothing else may be */
    const char *name;
    connection *own;
} stream;

/* All or an error. */
argand_status stream_read(stream *s, void *to, size_t bytes);
argand_status stream_write(stream *s, const void *from, size_t bytes);
argand_status stream_skip(stream *s, uint64_t bytes);
/* New memory for what comes, within the limit. */
argand_status stream_take(stream *s, void **to, uint64_t bytes, const char *what);
/* Whether the other side has gone altogether. */
bool stream_is_broken(const stream *s);
void stream_free(stream *s);
/* No more is written. What the other side still sends is thrown away for two seconds: closing at once would
 * take the messages that it has not read yet with it. */
void stream_finish(stream *s);
/* Little-endian numbers. */
argand_status stream_read_number(stream *s, uint64_t *number, int bytes);

/* ---- a client that is gone */

/* From now on a thread looks, and ends the process where the client is gone while it computes. */
argand_status watch_begin(const stream *of, report *to);
void watch_computing(bool now);
/* Returns true if the first byte of an image was sent ahead: only an image may follow. */
bool watch_sent_ahead(void);
/* An image follows, without that byte. */
void watch_image_begins(void);

/* ---- what came */

typedef struct received {
    char *header, config[256];
    argand_scan_message *messages;
    int64_t count, most;
    int64_t kept;   /* the first of the messages, which an earlier repetition left for the calibration */
    int64_t all;    /* acquisitions of the whole connection */
    int64_t others; /* waveforms, arrays, texts: not used */
    bool forgot;    /* a repetition is done */
} received;

/* A volume of the repetition that comes in. */
typedef struct repetition_volume {
    argand_counters counters;
    int64_t acquisitions;
} repetition_volume;

typedef struct repetition {
    int limits_are; /* not known yet, known, of no use */
    argand_limits limits;
    int number;
    bool mixed; /* with others: their end is not known */
    argand_limit shots, partitions;
    repetition_volume *volumes;
    int64_t count;
} repetition;

/* Looks at an acquisition. before: the repetition was complete without it, and it is to be seen again after
 * repetition_begin; after: it is complete with it. */
argand_status repetition_see(repetition *r, const received *all, const argand_scan_message *message,
                             bool *before, bool *after);
void repetition_begin(repetition *r);
void repetition_free(repetition *r);

/* Until the close, or, where `watch` is not NULL, until a repetition is complete. *count: the messages that
 * are to be reconstructed; one more may have come. */
argand_status serve_receive(received *r, stream *s, repetition *watch, int64_t *count, bool *closed);
/* Calibration lines of other repetitions, where the images have lines of their own among the first *count
 * messages, wait for these: *count becomes less. */
argand_status serve_hold(received *r, int64_t *count);
/* Frees the first `count` messages but those that calibrate coils; the first time, these are kept. */
void serve_forget(received *r, stream *s, int64_t count);
void serve_free(received *r);

/* ---- what goes */

argand_status serve_send_text(stream *s, const char *message);
argand_status serve_send_close(stream *s);
/* One message for each of the parts (a bit each, as sense --part has them) of a volume's image. */
argand_status serve_send_image(stream *s, const argand_scan_image *about, argand_array *image, int parts);

/* The connection's process: receives, reconstructs, answers. Its exit code. */
int serve_work(const serve_settings *settings, int socket, connection *own);

#endif
