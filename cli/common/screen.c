/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/screen.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { NAME = 200, TICK_MS = 250 };

/* State of the screen, protected by the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;
static live_state shown;
static double drawn; /* time of the last report */
static char stage[NAME], where[NAME];
static double history[LIVE_HISTORY];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void clear(void)
{
    for (int line = 0; line < lines; line++) fprintf(stderr, line ? "\033[A\r\033[K" : "\r\033[K");
    lines = 0;
}

static void draw(const live_state *state)
{
    char text[LIVE_TEXT];
    const live_terminal terminal = live_ask(); /* the terminal may have been resized */
    clear();
    if (state->done < state->total) {
        lines = live_text(text, &terminal, state);
        fputs(text, stderr);
    }
    fflush(stderr);
}

/* Draws the view again each second after the last report, with updated elapsed and remaining times. */
static void *tick(void *unused)
{
    double last = 0;
    for (;;) {
        nanosleep(&(struct timespec){.tv_nsec = TICK_MS * 1000000L}, NULL);
        pthread_mutex_lock(&lock);
        const double time = now(), since = time - drawn;
        if (lines && since >= 1 && time - last >= 1) {
            live_state later = shown;
            later.elapsed += since;
            if (later.left >= 0) later.left = later.left > since ? later.left - since : -1;
            draw(&later);
            last = time;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void hold(void)
{
    pthread_mutex_lock(&lock);
}

static void let_go(void)
{
    pthread_mutex_unlock(&lock);
}

/* Forgets the view after fork: the child lacks the thread, and the screen belongs to the parent. */
static void let_go_in_child(void)
{
    lines = 0;
    pthread_mutex_unlock(&lock);
}

/* Starts the thread with signals blocked, because the main thread handles them. Without a thread the view
 * only changes at reports. */
static void start(void)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_atfork(hold, let_go, let_go_in_child);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (!pthread_create(&thread, NULL, tick, NULL)) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void keep(const live_state *state)
{
    const int count = state->history_count < LIVE_HISTORY ? state->history_count : LIVE_HISTORY;
    shown = *state;
    snprintf(stage, sizeof stage, "%s", state->stage);
    snprintf(where, sizeof where, "%s", state->where ? state->where : "");
    if (count > 0) memcpy(history, state->history, (size_t)count * sizeof *history);
    shown.stage = stage;
    shown.where = where;
    shown.history = history;
    shown.history_count = count;
    drawn = now();
}

void screen_draw(const live_state *state)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
    pthread_mutex_lock(&lock);
    keep(state);
    draw(&shown);
    pthread_mutex_unlock(&lock);
}

void screen_clear(void)
{
    pthread_mutex_lock(&lock);
    clear();
    pthread_mutex_unlock(&lock);
}
