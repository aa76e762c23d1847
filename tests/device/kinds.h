/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests that compile all kernels share: which keys are for a device. */
#ifndef TESTS_DEVICE_KINDS_H
#define TESTS_DEVICE_KINDS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "device/source.h"
#include "kernels/texts.h"

/* capability: of an NVIDIA chip; 0: any device's. */
static inline bool key_is_for(const char *key, int capability)
{
    char name[64];
    if (source_name(key, name, sizeof name)) return false;
    for (const kernel_recipe *r = kernel_recipes; r->name; r++)
        if (!strcmp(r->name, name)) return capability >= r->from && (!r->to || capability <= r->to);
    return true;
}

/* Whether the key before is of another kernel or precision, its first macro: keys are sorted. */
static inline bool key_is_first_of_kind(const char *const *key)
{
    const size_t name = strcspn(*key, " ");
    const size_t kind = name + ((*key)[name] ? 1 + strcspn(*key + name + 1, " ") : 0);
    return key == kernel_keys || strncmp(key[-1], *key, kind) || !strchr(" ", key[-1][kind]);
}

#endif
