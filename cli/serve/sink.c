/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands each frame to all who subscribe. */
#include "serve/serve.h"

void frame_sink_subscribe(frame_sink *s, void (*see)(void *context, const served_frame *frame), void *context)
{
    if (s->count == SINK_MOST) return;
    s->see[s->count] = see;
    s->context[s->count++] = context;
}

void frame_sink_publish(const frame_sink *s, const served_frame *frame)
{
    for (int i = 0; i < s->count; i++) s->see[i](s->context[i], frame);
}
