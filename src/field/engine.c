/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the engine that computes a plan's sums. */
#include "field/engine.h"

/* Engines in the order of preference. */
static const field_engine *const engines[] = {&field_engine_cpu, &field_engine_device};

argand_status field_engine_choose(const field_engine **engine, const argand_field *plan)
{
    const char *reason = "there is none for this device";
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (engines[i]->applies(plan, &reason)) {
            *engine = engines[i];
            return ARGAND_OK;
        }
    argand_device_info info;
    TRY(argand_device_describe(plan->device, &info));
    return status_set(ARGAND_UNSUPPORTED, "field: no engine computes the sums on %s (%s): %s", info.name,
                      info.backend, reason);
}

bool field_lives_here(const argand_field *plan, const argand_array *array)
{
    return argand_array_device(array) == plan->device || (plan->on_host && argand_array_data(array));
}
