/* SPDX-License-Identifier: BSD-3-Clause */
/* Images that wait for the network. Their number is bounded: where one more comes, the oldest goes. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "serve/serve.h"

enum { WAITING = 4 };

typedef struct letter {
    served_frame frame;
    float *pixels; /* complex */
} letter;

struct outbox {
    stream *client;
    measure *measures;
    int parts;
    size_t numbers;
    float *work;
    letter letters[WAITING + 1]; /* the last one is being sent */
    int order[WAITING], waiting; /* oldest first */
    int free[WAITING + 1], free_count;
    int64_t lost;
    bool ends;
    argand_status status;
    char message[512];
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
};

/* The attributes name the frame, the readout that it waited for, and where start-up ends, for clients that
 * measure. */
static argand_status send_letter(outbox *o, const letter *l)
{
    char attributes[512];
    const int parts = o->parts ? o->parts : 1;
    snprintf(attributes, sizeof attributes,
             "<?xml version=\"1.0\"?>\n<ismrmrdMeta><meta><name>DataRole</name><value>Image</value></meta>"
             "<meta><name>ImageProcessingHistory</name><value>Argand</value></meta>"
             "<meta><name>Frame</name><value>%lld</value></meta>"
             "<meta><name>LastAcquisition</name><value>%lld</value></meta>"
             "<meta><name>SteadyFrom</name><value>%lld</value></meta></ismrmrdMeta>\n",
             (long long)l->frame.frame.number, (long long)l->frame.last, (long long)l->frame.steady);
    const double begun = seconds_now();
    TRY(serve_send_numbers(o->client, &l->frame.about, attributes, l->pixels, o->work, parts));
    const double now = seconds_now();
    if (l->frame.frame.number < l->frame.steady)
        return measure_add(o->measures, MEASURE_START, now - l->frame.received);
    for (int i = 0; i < ARGAND_FRAME_STAGES; i++)
        TRY(measure_add(o->measures, MEASURE_FRAME + i, l->frame.frame.seconds[i]));
    TRY(measure_add(o->measures, MEASURE_SEND, now - begun));
    return measure_add(o->measures, MEASURE_ALL, now - l->frame.received);
}

static void *send_all(void *context)
{
    outbox *o = context;
    pthread_mutex_lock(&o->lock);
    while (!o->ends || o->waiting) {
        if (!o->waiting) {
            pthread_cond_wait(&o->changed, &o->lock);
            continue;
        }
        const int at = o->order[0];
        memmove(o->order, o->order + 1, (size_t)--o->waiting * sizeof *o->order);
        const bool broken = o->status;
        pthread_mutex_unlock(&o->lock);
        const argand_status status = broken ? ARGAND_OK : send_letter(o, &o->letters[at]);
        pthread_mutex_lock(&o->lock);
        if (broken || status) o->lost++;
        if (status) {
            o->status = status;
            snprintf(o->message, sizeof o->message, "%s", report_message());
        }
        o->free[o->free_count++] = at;
    }
    pthread_mutex_unlock(&o->lock);
    return NULL;
}

static void release(outbox *o)
{
    for (int i = 0; i <= WAITING; i++) free(o->letters[i].pixels);
    free(o->work);
    free(o);
}

argand_status outbox_create(outbox **out, stream *client, measure *m, int parts, const int64_t n[3])
{
    outbox *o = calloc(1, sizeof *o);
    *out = NULL;
    if (!o) return report_error(ARGAND_MEMORY, "no memory for frames");
    *o = (outbox){
        .client = client, .measures = m, .parts = parts, .numbers = 2 * (size_t)(n[0] * n[1] * n[2])};
    bool there = (o->work = malloc(o->numbers * sizeof *o->work)) != NULL;
    for (int i = 0; i <= WAITING && there; i++) {
        o->letters[i].pixels = malloc(o->numbers * sizeof *o->letters[i].pixels);
        there = o->letters[i].pixels != NULL;
        o->free[o->free_count++] = i;
    }
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->changed, NULL);
    if (!there || pthread_create(&o->thread, NULL, send_all, o)) {
        release(o);
        return report_error(ARGAND_MEMORY, "no memory or no thread to send frames");
    }
    *out = o;
    return ARGAND_OK;
}

void outbox_see(void *context, const served_frame *frame)
{
    outbox *o = context;
    pthread_mutex_lock(&o->lock);
    if (o->waiting == WAITING) {
        o->free[o->free_count++] = o->order[0];
        memmove(o->order, o->order + 1, (size_t)--o->waiting * sizeof *o->order);
        o->lost++;
    }
    const int at = o->free[--o->free_count];
    letter *l = &o->letters[at];
    l->frame = *frame;
    memcpy(l->pixels, frame->pixels, o->numbers * sizeof *l->pixels);
    o->order[o->waiting++] = at;
    pthread_cond_signal(&o->changed);
    pthread_mutex_unlock(&o->lock);
}

int64_t outbox_lost(outbox *o)
{
    pthread_mutex_lock(&o->lock);
    const int64_t lost = o->lost;
    pthread_mutex_unlock(&o->lock);
    return lost;
}

argand_status outbox_end(outbox *o, int64_t *lost)
{
    pthread_mutex_lock(&o->lock);
    o->ends = true;
    pthread_cond_signal(&o->changed);
    pthread_mutex_unlock(&o->lock);
    pthread_join(o->thread, NULL);
    *lost = o->lost;
    const argand_status status = o->status ? report_error(o->status, "%s", o->message) : ARGAND_OK;
    release(o);
    return status;
}
