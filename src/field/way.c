/* SPDX-License-Identifier: BSD-3-Clause */
#include "field/way.h"

/* In the order of preference. */
static const field_way *const ways[] = {&field_way_cpu, &field_way_device};

argand_status field_way_choose(const field_way **way, const argand_field *plan)
{
    const char *reason = "there is none for this device";
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (ways[i]->applies(plan, &reason)) {
            *way = ways[i];
            return ARGAND_OK;
        }
    argand_device_info info;
    TRY(argand_device_describe(plan->device, &info));
    return status_set(ARGAND_UNSUPPORTED, "field: no way to compute the sums on %s (%s): %s", info.name,
                      info.backend, reason);
}

bool field_lives_here(const argand_field *plan, const argand_array *array)
{
    return argand_array_device(array) == plan->device || (plan->on_host && argand_array_data(array));
}
