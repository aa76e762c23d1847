/* SPDX-License-Identifier: BSD-3-Clause */
/* `argand stream`: a client that sends a scan to a server of the MRD streaming protocol at the scan's own
 * pace, and measures when its images come back. stream.c has the options, connect.c connects, prepare.c makes
 * the messages and their times, send.c and receive.c are the two threads of a connection, match.c says which
 * readout was the last of an image. */
#ifndef CLI_STREAM_H
#define CLI_STREAM_H

#include <pthread.h>
#include <stdatomic.h>
#include "mrd/latency.h"
#include "mrd/mrd.h"

typedef struct stream_settings {
    const char *scan, *output, *host, *rate, *config;
    int port, loops, retry, patience; /* patience: seconds */
    double tick, interval;            /* ms; interval 0: from time stamps or header */
    double times;                     /* of --rate: 1 for real, N; 0: max */
    scan_reading reading;
    common_options common;
} stream_settings;

/* A message as it is sent. */
typedef struct stream_message {
    size_t at, bytes;
    bool is_acquisition, is_image;
    argand_counters counters;
    uint32_t stamp;
    double due; /* seconds after the first acquisition, at the scan's own pace */
} stream_message;

/* A scan as a stream of messages, in memory. */
typedef struct stream_prepared {
    uint8_t *bytes;
    size_t used, size;
    stream_message *messages;
    int64_t count, most;
    int64_t acquisitions, volumes; /* volumes: images that a server makes of whole repetitions */
    int repetitions;               /* largest repetition counter + 1 */
    double period;                 /* seconds of a loop */
} stream_prepared;

/* Makes the messages of a scan, and their times. Notes say where times come from. */
argand_status stream_prepare(stream_prepared *p, const stream_settings *s, report *out);
void stream_prepared_free(stream_prepared *p);

/* State that both threads of a connection use. */
typedef struct stream_run {
    const stream_settings *settings;
    const stream_prepared *prepared;
    report *out;
    int socket;
    _Atomic double *sent;      /* of each acquisition of all loops: time at which its last byte was sent */
    _Atomic bool receives;     /* false: the server has closed, or the connection is broken */
    argand_status send_status; /* of the sending thread, with its message */
    char send_message[512], said[1024]; /* said: last text of the server */
    latency latencies, start;           /* start: of frames that waited for the server's calibration */
    int64_t steady, start_frames;       /* number of the first frame that did not; such frames received */
    int retries;                        /* connections that were lost, or not made */
    double begin;                       /* time of the first acquisition; 0: none was sent */
    int64_t first, next; /* acquisitions of all loops: first one of this connection, next one to send */
    int64_t named_before, steady_before; /* sums of highest + 1 and of steady over earlier connections */
    int64_t images, frames,
        unknown;     /* messages; images of distinct last readouts; without a known last one */
    int64_t highest; /* largest number of a frame that a server named; -1: none */
    int64_t last;    /* last readout of the image received last */
    float *kept;     /* images for --output */
    int64_t n[3], kept_count, kept_most;
    bool kept_complex;
    double late; /* s: most that a readout was sent after its time */
} stream_run;

/* Connects, sends and receives; again with --retry. */
argand_status stream_connect(stream_run *r);
/* Sends all loops from acquisition `first` on; runs in a thread of its own. Context: stream_run. */
void *stream_send(void *run);
/* Receives images until the server closes. */
argand_status stream_receive(stream_run *r);

/* match.c: returns the acquisition (counted over all loops) that completes an image: the one that the server
 * names in the image's attributes as LastAcquisition, otherwise the last one of its counters. -1: unknown. */
int64_t stream_last_readout(const stream_run *r, const char *attributes, const argand_counters *c);
/* Returns a whole number of an image's attributes, or -1. */
int64_t stream_attribute(const char *attributes, const char *name);

#endif
