/* SPDX-License-Identifier: BSD-3-Clause */
/* `argand serve --view`: a live page of the frames, for browsers on this computer. Workers copy each frame to
 * memory that they share with one process, which serves the page: a slow browser delays no frame, and what a
 * browser sends reaches no reconstruction. view_board.c is that memory, view.c the process, view_http.c
 * answers requests, view_socket.c speaks WebSocket (RFC 6455), view_key.c makes its key, view.html is the
 * page. */
#ifndef CLI_VIEW_H
#define CLI_VIEW_H

#include "serve/serve.h"

enum {
    VIEW_CLIENTS = 16,
    VIEW_REQUEST = 8192,     /* bytes of a request's head */
    VIEW_PIXELS = 1 << 20,   /* of the largest image shown */
    VIEW_LATENCIES = 256,    /* newest ones */
    VIEW_MOST_OUT = 16 << 20 /* bytes of an answer */
};

/* ---- the memory that is shared */

typedef struct view_latency {
    int64_t frame;
    double seconds; /* from the last readout received to the image made */
} view_latency;

typedef struct view_board {
    int64_t changes;    /* since the server began */
    int64_t connection; /* number of the newest connection, from 1 */
    bool open;          /* it has not ended */
    char client[64], notes[4096];
    int64_t n[2], frame, made, dropped, unsent;
    double voxel[2];
    int64_t latency_count; /* of this connection */
    view_latency latencies[VIEW_LATENCIES];
    float pixels[2 * VIEW_PIXELS]; /* complex {n} */
} view_board;

/* Makes the memory, before any process starts. */
argand_status view_board_open(void);
/* Copies the board. Returns false if a worker writes to it just now. */
bool view_board_read(view_board *to);
/* Returns a descriptor with a byte to read after each change. */
int view_board_changed(void);

/* view_key.c: the answer to the key of a WebSocket. */
enum { VIEW_KEY = 24, VIEW_ACCEPT = 28 };
void view_accept_key(char accept[VIEW_ACCEPT + 1], const char key[VIEW_KEY]);

/* ---- a browser */

typedef struct view_client {
    int socket; /* -1: a free entry */
    bool is_stream;
    bool ends;    /* nothing more is written after what waits */
    bool ended;   /* this was said to the browser: what it still sends is discarded */
    double since; /* time of connecting, of the last byte moved, or of the end */
    uint8_t in[VIEW_REQUEST];
    size_t in_used;
    uint8_t *out;
    size_t out_at, out_end, out_size;
    int64_t changes, connection, latency_count; /* of what was sent */
} view_client;

/* Adds bytes to those that wait to be written. Returns false without memory. */
bool view_put(view_client *c, const void *bytes, size_t count);
/* Examines what has come, and answers: the page, the handshake of a WebSocket, or an error. */
void view_http_take(view_client *c, int port);
/* Examines frames of a WebSocket. Browsers have nothing to say: only ping, pong and close are allowed. */
void view_socket_take(view_client *c);
/* Sends the board: a text with all but the pixels, and the magnitudes of the pixels as little-endian floats.
 * magnitudes: memory for them. */
void view_socket_send(view_client *c, const view_board *board, float *magnitudes);

#endif
