/* SPDX-License-Identifier: BSD-3-Clause */
/* Times Argand and the peer alternately, so that both see the same state of the machine. */
#include "fft/fft.h"
#include "median.h"

#include <math.h>
#include <stdlib.h>

/* A pair of transforms that alternate on the same arrays. */
typedef struct timed_call {
    const fft_buffers *g;
    const fft_peer *peer;
    argand_array *out, *in;
    const argand_array *kept;
    argand_direction direction;
} timed_call;

static argand_status run(const timed_call *t, const argand_fft *plan, int64_t times)
{
    for (int64_t i = 0; i < times; i++) {
        if (plan) TRY(argand_fft_apply(plan, t->out, t->in, t->direction));
        if (!plan && !t->peer->execute(t->peer->self))
            return report_error(ARGAND_DEVICE, "%s failed", t->peer->name);
    }
    return ARGAND_OK;
}

/* Measures the seconds of one transform: Argand's if there is a plan, else the peer's. On a GPU by its
 * events. */
static argand_status time_once(double *seconds, const timed_call *t, const argand_fft *plan, int64_t times)
{
    const fft_buffers *g = t->g;
    double milliseconds;
    if (plan && t->kept) TRY(argand_array_copy(t->in, t->kept));
    const double start = seconds_now();
    TRY(argand_timer_start(g->timer));
    TRY(run(t, plan, times));
    TRY(argand_timer_stop(g->timer));
    TRY(argand_timer_milliseconds(g->timer, &milliseconds));
    *seconds = (g->is_gpu ? 1e-3 * milliseconds : seconds_now() - start) / (double)times;
    return ARGAND_OK;
}

/* Returns the median on a GPU, which nobody else uses. On a processor returns the least time: other
 * programs only slow it down. */
static double choose(const fft_buffers *g, double *seconds, int count)
{
    sort_ascending(seconds, count);
    return seconds[g->is_gpu ? count / 2 : 0];
}

argand_status fft_time(fft_figures *f, const fft_buffers *g, const fft_case *c, const argand_fft *plan,
                       argand_array *out, argand_array *in, const argand_array *kept, const fft_peer *peer,
                       int repeat)
{
    const timed_call t = {g, peer, out, in, kept, c->back ? ARGAND_INVERSE : ARGAND_FORWARD};
    enum { MOST = 1000 };
    double ours[MOST], theirs[MOST], least = INFINITY, warm;
    int rounds = repeat < MOST ? repeat : MOST;
    for (int i = 0; i < 3; i++) {
        TRY(time_once(&warm, &t, plan, 1));
        least = fmin(least, warm);
        if (peer) TRY(time_once(&warm, &t, NULL, 1));
        if (least > 0.5) break; /* a slow transform is warm after one run */
    }
    /* 5 ms per round on a processor; on a GPU enough that launch overhead is negligible */
    const double round = g->is_gpu ? 1e-3 : 5e-3;
    const int64_t times = least > round ? 1 : (int64_t)(round / (least + 1e-7)) + 1;
    if (least > 0.2 && rounds > 5) rounds = 5;
    for (int i = 0; i < rounds; i++) {
        TRY(time_once(&ours[i], &t, plan, times));
        if (peer) TRY(time_once(&theirs[i], &t, NULL, times));
        if (interrupted()) rounds = i + 1;
    }
    f->seconds = choose(g, ours, rounds);
    f->peer_seconds = peer ? choose(g, theirs, rounds) : 0;
    return ARGAND_OK;
}
