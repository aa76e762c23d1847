/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers between host and device in pieces through a ring of pinned memory. */
#include "device/drivers/stages.h"

#include <string.h>

void stages_open(stage_ring *ring, const stage_calls *calls, void *context, int count, size_t bytes)
{
    *ring = (stage_ring){.calls = calls, .context = context, .count = count, .bytes = bytes};
    pthread_mutex_init(&ring->lock, NULL);
}

void stages_drop(stage_ring *ring)
{
    for (int i = 0; i < ring->count; i++) {
        ring->calls->drop(ring->context, &ring->stages[i]);
        ring->stages[i] = (stage){0};
    }
    ring->made = ring->next = 0;
}

void stages_close(stage_ring *ring)
{
    stages_drop(ring);
    pthread_mutex_destroy(&ring->lock);
}

static size_t piece(const stage_ring *ring, size_t bytes, size_t done)
{
    return bytes - done < ring->bytes ? bytes - done : ring->bytes;
}

static size_t pieces_of(const stage_ring *ring, size_t bytes)
{
    return (bytes + ring->bytes - 1) / ring->bytes;
}

/* Returns the number of stages that a transfer goes round: at most one per piece is made for it, because
 * each takes milliseconds. */
static int stages_for(const stage_ring *ring, size_t bytes)
{
    const size_t pieces = pieces_of(ring, bytes);
    const int wanted = pieces < (size_t)ring->count ? (int)pieces : ring->count;
    return ring->spreads ? ring->count : wanted > ring->made ? wanted : ring->made;
}

/* Returns the next stage of the ring; NULL if its memory cannot be had. */
static stage *take(stage_ring *ring, int stages)
{
    stage *s = &ring->stages[ring->next % stages];
    if (!s->host && !ring->calls->make(ring->context, s)) return NULL;
    const int number = (int)(s - ring->stages) + 1;
    if (number > ring->made) ring->made = number;
    ring->next = number % stages;
    return s;
}

static size_t send_pieces(stage_ring *ring, void *memory, size_t at, const char *host, size_t bytes,
                          int *error)
{
    const int stages = stages_for(ring, bytes);
    size_t done = 0;
    for (size_t count; done < bytes; done += count) {
        stage *s = take(ring, stages);
        if (!s) return done;
        count = piece(ring, bytes, done);
        *error = ring->calls->settle(ring->context, s);
        if (*error) return done;
        memcpy(s->host, host + done, count);
        *error = ring->calls->send(ring->context, s, memory, at + done, count);
        if (*error) return done;
    }
    return done;
}

size_t stages_upload(stage_ring *ring, void *memory, size_t at, const char *host, size_t bytes, int *error)
{
    *error = 0;
    pthread_mutex_lock(&ring->lock);
    const size_t sent = send_pieces(ring, memory, at, host, bytes, error);
    pthread_mutex_unlock(&ring->lock);
    return sent;
}

/* The device writes later pieces while the host copies earlier ones. */
static int receive_pieces(stage_ring *ring, char *host, void *memory, size_t at, size_t bytes)
{
    stage *asked[MOST_STAGES];
    const size_t pieces = pieces_of(ring, bytes), stages = (size_t)stages_for(ring, bytes);
    int error = 0;
    for (size_t i = 0; i < pieces + stages - 1 && !error; i++) {
        if (i < pieces) {
            stage *s = asked[i % stages] = take(ring, (int)stages);
            const size_t from = i * ring->bytes;
            error = ring->calls->receive(ring->context, s, memory, at + from, piece(ring, bytes, from));
        }
        if (error || i + 1 < stages) continue;
        const size_t old = i + 1 - stages, from = old * ring->bytes; /* the oldest pending piece */
        stage *s = asked[old % stages];
        error = ring->calls->settle(ring->context, s);
        if (!error) memcpy(host + from, s->host, piece(ring, bytes, from));
    }
    return error;
}

static bool make_all(stage_ring *ring, int stages)
{
    for (int i = 0; i < stages; i++)
        if (!take(ring, stages)) return false;
    return true;
}

bool stages_download(stage_ring *ring, char *host, void *memory, size_t at, size_t bytes, int *error)
{
    *error = 0;
    pthread_mutex_lock(&ring->lock);
    const bool staged = make_all(ring, stages_for(ring, bytes));
    if (staged) *error = receive_pieces(ring, host, memory, at, bytes);
    pthread_mutex_unlock(&ring->lock);
    return staged;
}
