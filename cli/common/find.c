/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/command.h"

#include <string.h>

const command *command_find(const char *name)
{
    for (const command *const *c = commands; *c; c++)
        if (!strcmp((*c)->name, name)) return *c;
    return NULL;
}
