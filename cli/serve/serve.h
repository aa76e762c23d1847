/* SPDX-License-Identifier: BSD-3-Clause */
/* `argand serve`: the MRD streaming protocol over TCP (ISMRMRD's messages, as Gadgetron and
 * python-ismrmrd-server speak it): a config, the header, acquisitions and a close come in; images, or a text
 * that says what went wrong, and a close go out. Each connection is a process of its own, so that nothing
 * that a client sends reaches another one's reconstruction. serve.c listens, stream.c moves bytes, receive.c
 * makes a scan of them, send.c messages of images, work.c reconstructs. */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include "sense/inputs.h"

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
    bool once;
} serve_settings;

/* ---- bytes of a connection */

typedef struct stream {
    int socket;
    int patience;  /* seconds without a byte after which the other side counts as gone */
    int64_t left;  /* bytes that may still be kept */
    char name[64]; /* "127.0.0.1:40312" */
} stream;

/* All or an error. */
argand_status stream_read(stream *s, void *to, size_t bytes);
argand_status stream_write(stream *s, const void *from, size_t bytes);
argand_status stream_skip(stream *s, uint64_t bytes);
/* New memory for what comes, within the limit. */
argand_status stream_take(stream *s, void **to, uint64_t bytes, const char *what);
/* Whether the other side has gone altogether. */
bool stream_is_broken(const stream *s);
/* No more is written. What the other side still sends is thrown away for two seconds: closing at once would
 * take the messages that it has not read yet with it. */
void stream_finish(stream *s);
/* Little-endian numbers. */
argand_status stream_read_number(stream *s, uint64_t *number, int bytes);

/* ---- what came */

typedef struct received {
    char *header, config[256];
    argand_scan_message *messages;
    int64_t count, most;
    int64_t others; /* waveforms, arrays, texts: not used */
} received;

/* Until the close. */
argand_status serve_receive(received *r, stream *s);
void serve_free(received *r);

/* ---- what goes */

argand_status serve_send_text(stream *s, const char *words);
argand_status serve_send_close(stream *s);
/* One message for each of the parts (a bit each, as sense --part has them) of a volume's image. */
argand_status serve_send_image(stream *s, const argand_scan *scan, const argand_sense *session, int volume,
                               argand_array *image, int parts);

/* The connection's process: receives, reconstructs, answers. Its exit code. */
int serve_work(const serve_settings *settings, int socket, const char *name);

#endif
