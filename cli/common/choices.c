/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the choices of options from the library's names, so that a new value in the library becomes a
 * choice. */
#include "common/command.h"

#include <ctype.h>
#include <string.h>

static const char *name_of_trajectory(int value)
{
    argand_trajectory_info info;
    const bool known = value < argand_trajectory_count();
    return known && argand_trajectory_describe((argand_trajectory)value, &info) == ARGAND_OK ? info.name
                                                                                             : "unknown";
}

/* Returns the name of a value, or "unknown" after the last one. */
static const char *name_of(choice_list list, int value)
{
    switch (list) {
    case CHOICE_TRANSFORMS:
        return argand_transform_name((argand_transform)value);
    case CHOICE_INTERPOLATORS:
        return argand_interpolator_name((argand_interpolator)value);
    case CHOICE_SOLVERS:
        return argand_solver_name((argand_solver)value);
    case CHOICE_TOEPLITZ_USES:
        return argand_toeplitz_use_name((argand_toeplitz_use)value);
    case CHOICE_COILS:
        return argand_coils_name((argand_coils)value);
    case CHOICE_DENSITIES:
        return argand_density_name((argand_density)value);
    case CHOICE_BORDERS:
        return argand_border_name((argand_border)value);
    case CHOICE_K_UNITS:
        return argand_k_unit_name((argand_k_unit)value);
    case CHOICE_TRAJECTORIES:
        return name_of_trajectory(value);
    default:
        return "unknown";
    }
}

const char *choices_of(choice_list list)
{
    static char lists[CHOICE_LISTS][128];
    char *text = lists[list];
    size_t used = 0;
    for (int value = 0; strcmp(name_of(list, value), "unknown") && used < sizeof lists[0]; value++)
        used += (size_t)snprintf(text + used, sizeof lists[0] - used, "%s%s", value ? "|" : "",
                                 name_of(list, value));
    for (char *at = text; *at; at++) *at = (char)tolower((unsigned char)*at);
    return text;
}

int choice_named(choice_list list, const char *name)
{
    for (int value = 0; strcmp(name_of(list, value), "unknown"); value++)
        if (!strcmp(name_of(list, value), name)) return value;
    return -1;
}
