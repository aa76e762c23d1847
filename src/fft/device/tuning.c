/* SPDX-License-Identifier: BSD-3-Clause */
/* The variants of the engine that MEASURE compares and wisdom names: the first is what ESTIMATE takes, each
 * of the others changes one or two choices. */
#include "fft/device/box.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    box_tuning tuning;
} variants[] = {
    {"standard", {.items = 256, .values = 25, .work_mib = 64}},
    {"items 128", {.items = 128, .values = 25, .work_mib = 64}},
    {"items 512", {.items = 512, .values = 25, .work_mib = 64}},
    {"items 64", {.items = 64, .values = 25, .work_mib = 64}},
    {"values 8", {.items = 256, .values = 8, .work_mib = 64}},
    {"values 10 items 128", {.items = 128, .values = 10, .work_mib = 64}},
    {"values 16", {.items = 256, .values = 16, .work_mib = 64}},
    {"together", {.items = 256, .values = 25, .planes = 2, .work_mib = 64}},
    {"together values 8", {.items = 256, .values = 8, .planes = 2, .work_mib = 64}},
    {"in turn", {.items = 256, .values = 25, .planes = 1, .work_mib = 64}},
    {"no planes", {.items = 256, .values = 25, .no_plane = true, .work_mib = 64}},
    {"any run", {.items = 256, .values = 25, .any_run = true, .work_mib = 64}},
    {"work 24", {.items = 256, .values = 25, .work_mib = 24}},
    {"work 4096", {.items = 256, .values = 25, .work_mib = 4096}},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

bool tuning_name(int i, char *name, size_t size)
{
    if (i >= VARIANTS) return false;
    snprintf(name, size, "%s", variants[i].name);
    return true;
}

bool tuning_parse(box_tuning *t, const char *name)
{
    *t = variants[0].tuning;
    if (!*name) return true;
    for (int i = 0; i < VARIANTS; i++)
        if (!strcmp(variants[i].name, name)) {
            *t = variants[i].tuning;
            return true;
        }
    return false;
}
