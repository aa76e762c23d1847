/* SPDX-License-Identifier: BSD-3-Clause */
/* Command buffers of a Metal device: opened by the first command, committed when full or when the host
 * waits. All commands run one after the other. Kernels of one encoder do so by themselves. Metal orders
 * encoders only by the buffers that they share, and two buffers may wrap the same memory of the host, so a
 * fence orders all encoders of the queue. A copy has an encoder of its own, because Metal does not promise
 * the order of copies inside one. */
#include <stdarg.h>
#include <stdio.h>
#include "device/metal/context.h"
#include "device/drivers/report.h"

argand_status metal_failure(const metal_context *c, argand_status status, objc_id error, const char *what,
                            ...)
{
    const char *text = SEND(characters, SEND(explanation, error));
    va_list arguments;
    va_start(arguments, what);
    report_failure(status, (report_device){"metal", c->index, c->name},
                   text ? text : "Metal does not say why", what, arguments);
    va_end(arguments);
    return status;
}

static void end_encoders(metal_context *c)
{
    objc_id *const encoders[] = {&c->compute, &c->blit};
    for (int i = 0; i < 2; i++) {
        if (!*encoders[i]) continue;
        SEND(update_fence, *encoders[i], c->fence);
        c->fenced = true;
        SEND(end, *encoders[i]);
        SEND(release, *encoders[i]);
        *encoders[i] = NULL;
    }
}

/* Waits for the oldest command buffer. */
static argand_status wait_for_first(metal_context *c)
{
    objc_id commands = c->at_work[c->first];
    c->first = (c->first + 1) % METAL_BUFFERS_AT_WORK;
    c->committed--;
    SEND(wait, commands);
    objc_id error = SEND(error, commands);
    const argand_status status =
        error ? metal_failure(c, ARGAND_DEVICE, error, "earlier work failed") : ARGAND_OK;
    SEND(release, commands);
    return status;
}

static argand_status commit(metal_context *c)
{
    argand_status status = ARGAND_OK;
    if (!c->commands) return ARGAND_OK;
    end_encoders(c);
    if (c->committed == METAL_BUFFERS_AT_WORK) status = wait_for_first(c);
    SEND(commit, c->commands);
    c->at_work[(c->first + c->committed++) % METAL_BUFFERS_AT_WORK] = c->commands;
    c->commands = NULL;
    c->count = 0;
    return status;
}

argand_status metal_settle(metal_context *c)
{
    argand_status status = commit(c);
    while (c->committed) {
        const argand_status one = wait_for_first(c);
        if (status == ARGAND_OK) status = one;
    }
    return status;
}

/* What Metal returns belongs to the autorelease pool of the call, so it is retained. */
static argand_status open_commands(metal_context *c)
{
    if (c->count >= METAL_LAUNCHES) TRY(commit(c));
    c->count++;
    if (c->commands) return ARGAND_OK;
    c->commands = SEND(retain, SEND(command_buffer, c->queue));
    return c->commands ? ARGAND_OK : metal_failure(c, ARGAND_DEVICE, NULL, "it gives no command buffer");
}

/* Metal wants waits at the beginning of an encoder, and for a fence that an earlier one updates. */
static objc_id begin(const metal_context *c, objc_id encoder)
{
    SEND(retain, encoder);
    if (c->fenced) SEND(wait_for_fence, encoder, c->fence);
    return encoder;
}

argand_status metal_compute(metal_context *c, objc_id *encoder)
{
    TRY(open_commands(c));
    if (c->blit) end_encoders(c);
    if (!c->compute) c->compute = begin(c, SEND(compute_encoder, c->commands));
    *encoder = c->compute;
    return *encoder ? ARGAND_OK : metal_failure(c, ARGAND_DEVICE, NULL, "it gives no encoder for kernels");
}

argand_status metal_blit(metal_context *c, objc_id *encoder)
{
    TRY(open_commands(c));
    end_encoders(c);
    c->blit = begin(c, SEND(blit_encoder, c->commands));
    *encoder = c->blit;
    return *encoder ? ARGAND_OK : metal_failure(c, ARGAND_DEVICE, NULL, "it gives no encoder for copies");
}
