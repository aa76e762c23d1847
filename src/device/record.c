/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the work of a function once, and starts the recorded work any number of times. */
#include "base/memory.h"
#include "device/handle.h"

struct device_graph {
    argand_device *device;
    void *made;
};

argand_status device_record(device_graph **graph, argand_device *device, argand_status (*work)(void *context),
                            void *context)
{
    const backend *const b = device->backend;
    device_graph *g;
    *graph = NULL;
    if (!b->capture_begin || device->blocking) return ARGAND_OK;
    TRY(NEW(g, 1));
    g->device = device;
    argand_status status = b->capture_begin(device->context);
    if (status != ARGAND_OK) {
        memory_free(g);
        return status == ARGAND_UNSUPPORTED ? ARGAND_OK : status;
    }
    const argand_status worked = work(context);
    status = b->capture_end(device->context, &g->made);
    if (worked == ARGAND_OK && status == ARGAND_OK && g->made) {
        *graph = g;
        return ARGAND_OK;
    }
    if (g->made) b->graph_free(device->context, g->made);
    memory_free(g);
    return worked == ARGAND_OK || worked == ARGAND_UNSUPPORTED ? status : worked;
}

argand_status device_graph_start(const device_graph *g)
{
    return g->device->backend->graph_start(g->device->context, g->made);
}

void device_graph_free(device_graph *g)
{
    if (!g) return;
    g->device->backend->graph_free(g->device->context, g->made);
    memory_free(g);
}
