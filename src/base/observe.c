/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the calling thread's observer (argand/observer.h) whether a long call should go on. */
#include "base/observe.h"

#include <stddef.h>

static _Thread_local struct {
    argand_observer ask;
    void *context;
    const char *stage; /* the last named stage */
    int pauses;
} observer;

void argand_observer_set(argand_observer ask, void *context)
{
    observer.ask = ask;
    observer.context = context;
    observer.stage = NULL;
}

static argand_status cancelled_status(void)
{
    return observer.stage ? status_set(ARGAND_STOPPED, "cancelled while %s", observer.stage)
                          : status_set(ARGAND_STOPPED, "cancelled");
}

argand_status observe(const char *stage, double fraction)
{
    if (!observer.ask || observer.pauses) return ARGAND_OK;
    if (stage) observer.stage = stage;
    const argand_activity now = {stage, fraction > 1 ? 1 : fraction};
    return observer.ask(observer.context, &now) ? ARGAND_OK : cancelled_status();
}

argand_status observe_again(void)
{
    return observe(NULL, -1);
}

void observe_pause(void)
{
    observer.pauses++;
}

void observe_resume(void)
{
    observer.pauses--;
}

bool observe_within(atomic_bool *cancelled)
{
    const argand_activity now = {NULL, -1};
    if (atomic_load_explicit(cancelled, memory_order_relaxed)) return true;
    if (!observer.ask || observer.pauses || observer.ask(observer.context, &now)) return false;
    atomic_store_explicit(cancelled, true, memory_order_relaxed);
    return true;
}

argand_status observe_end(const atomic_bool *cancelled)
{
    return atomic_load(cancelled) ? cancelled_status() : ARGAND_OK;
}
