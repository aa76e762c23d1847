/* SPDX-License-Identifier: BSD-3-Clause */
/* Timers: events in the device's stream if it has them. Otherwise the host's clock, read after earlier
 * work has ended, so that only the timed work counts. */
#include "device/handle.h"

#include "base/clock.h"
#include "base/memory.h"

struct argand_timer {
    argand_device *device;
    void *events[2];
    double seconds[2];
    bool set[2];
};

void argand_timer_destroy(argand_timer *timer)
{
    if (!timer) return;
    const backend *b = timer->device->backend;
    for (int i = 0; i < 2; i++)
        if (timer->events[i]) b->event_free(timer->device->context, timer->events[i]);
    argand_device_close(timer->device);
    memory_free(timer);
}

argand_status argand_timer_create(argand_timer **timer, argand_device *device)
{
    if (timer) *timer = NULL;
    CHECK(timer && device, ARGAND_ARGUMENT, "argand_timer_create: a pointer is NULL");
    argand_timer *t;
    TRY(NEW(t, 1));
    t->device = device_keep(device);
    argand_status status = ARGAND_OK;
    for (int i = 0; i < 2 && status == ARGAND_OK && device->backend->event_new; i++)
        status = device->backend->event_new(device->context, &t->events[i]);
    if (status == ARGAND_OK)
        *timer = t;
    else
        argand_timer_destroy(t);
    return status;
}

static argand_status mark(argand_timer *timer, int which)
{
    CHECK(timer, ARGAND_ARGUMENT, "no timer");
    const backend *b = timer->device->backend;
    TRY(device_flush(timer->device));
    if (timer->events[which])
        TRY(b->event_record(timer->device->context, timer->events[which]));
    else
        TRY(b->wait(timer->device->context));
    timer->seconds[which] = clock_seconds();
    timer->set[which] = true;
    return ARGAND_OK;
}

argand_status argand_timer_start(argand_timer *timer)
{
    if (timer) timer->set[1] = false;
    return mark(timer, 0);
}

argand_status argand_timer_stop(argand_timer *timer)
{
    return mark(timer, 1);
}

argand_status argand_timer_milliseconds(argand_timer *timer, double *milliseconds)
{
    CHECK(timer && milliseconds, ARGAND_ARGUMENT, "argand_timer_milliseconds: a pointer is NULL");
    CHECK(timer->set[0] && timer->set[1], ARGAND_ARGUMENT,
          "argand_timer_milliseconds: the timer was not started and stopped");
    *milliseconds = 1e3 * (timer->seconds[1] - timer->seconds[0]);
    if (!timer->events[0]) return ARGAND_OK;
    return timer->device->backend->event_between(timer->device->context, timer->events[0], timer->events[1],
                                                 milliseconds);
}
