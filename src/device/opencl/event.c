/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures points in time on an OpenCL device by markers in its queue. In a caller's queue without
 * profiling, reads the host's clock after earlier work has ended. */
#include "base/clock.h"
#include "base/memory.h"
#include "device/opencl/context.h"

typedef struct opencl_moment {
    cl_event marker;
    double seconds;
} opencl_moment;

argand_status opencl_event_new(void *context, void **event)
{
    (void)context;
    opencl_moment *m;
    TRY(NEW(m, 1));
    *event = m;
    return ARGAND_OK;
}

void opencl_event_free(void *context, void *event)
{
    (void)context;
    opencl_moment *m = event;
    if (m->marker) cl.ReleaseEvent(m->marker);
    memory_free(m);
}

argand_status opencl_event_record(void *context, void *event)
{
    opencl_context *c = context;
    opencl_moment *m = event;
    if (m->marker) cl.ReleaseEvent(m->marker);
    m->marker = NULL;
    const cl_int error =
        c->profiled ? cl.EnqueueMarkerWithWaitList(c->queue, 0, NULL, &m->marker) : cl.Finish(c->queue);
    m->seconds = clock_seconds();
    return opencl_check(c, error, "a timer cannot be set");
}

static argand_status reached(opencl_context *c, const opencl_moment *m, cl_ulong *nanoseconds)
{
    TRY(opencl_check(c, cl.WaitForEvents(1, &m->marker), "waiting for earlier work"));
    return opencl_check(
        c,
        cl.GetEventProfilingInfo(m->marker, CL_PROFILING_COMMAND_END, sizeof *nanoseconds, nanoseconds, NULL),
        "reading a timer");
}

argand_status opencl_event_between(void *context, void *first, void *second, double *milliseconds)
{
    opencl_context *c = context;
    const opencl_moment *a = first, *b = second;
    cl_ulong from = 0, to = 0;
    *milliseconds = 1e3 * (b->seconds - a->seconds);
    if (!c->profiled) return ARGAND_OK;
    TRY(reached(c, a, &from));
    TRY(reached(c, b, &to));
    *milliseconds = to > from ? 1e-6 * (double)(to - from) : 0;
    return ARGAND_OK;
}
