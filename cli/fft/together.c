/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs that several threads do. */
#include "fft/together.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "fft/transform.h"

enum { MOST_THREADS = 64 };

typedef struct team_work {
    argand_status (*job)(void *context, int number);
    void *context;
    int count;
    report *out;
    pthread_mutex_t lock; /* of what follows */
    int next;
    argand_status status;
    char reason[1024];
} team_work;

static bool take(team_work *w, int *number)
{
    pthread_mutex_lock(&w->lock);
    if (w->status == ARGAND_OK && interrupted()) w->status = ARGAND_STOPPED;
    const bool go_on = w->status == ARGAND_OK && w->next < w->count;
    if (go_on) report_progress(w->out, *number = w->next++, w->count);
    pthread_mutex_unlock(&w->lock);
    return go_on;
}

static void *work(void *context)
{
    team_work *w = context;
    int number;
    while (take(w, &number)) {
        const argand_status status = w->job(w->context, number);
        if (status == ARGAND_OK) continue;
        pthread_mutex_lock(&w->lock);
        if (w->status == ARGAND_OK) {
            w->status = status; /* the first one, to which the reason belongs */
            snprintf(w->reason, sizeof w->reason, "%s", argand_message());
        }
        pthread_mutex_unlock(&w->lock);
    }
    return NULL;
}

argand_status work_together(argand_status (*job)(void *context, int number), void *context, int count,
                            int threads, report *out)
{
    team_work w = {.job = job, .context = context, .count = count, .out = out};
    pthread_t thread[MOST_THREADS];
    int started = 0;
    pthread_mutex_init(&w.lock, NULL);
    while (started + 1 < threads && started < MOST_THREADS && started + 1 < count &&
           !pthread_create(&thread[started], NULL, work, &w))
        started++;
    work(&w);
    while (started > 0) pthread_join(thread[--started], NULL);
    pthread_mutex_destroy(&w.lock);
    if (w.status == ARGAND_OK || w.status == ARGAND_STOPPED) return w.status;
    return report_error(w.status, "%s", w.reason);
}
