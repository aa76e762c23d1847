/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the processor's name from /proc/cpuinfo. Arm's has numbers only: the main identification register,
 * whose parts are listed in the manuals of the cores. */
#include "base/system/cpu_model.h"

#include <stdlib.h>
#include <string.h>

typedef struct arm_core {
    unsigned implementer, part;
    const char *name;
} arm_core;

static const arm_core arm_cores[] = {
    {0x41, 0xd03, "Arm Cortex-A53"},  {0x41, 0xd05, "Arm Cortex-A55"},
    {0x41, 0xd07, "Arm Cortex-A57"},  {0x41, 0xd08, "Arm Cortex-A72"},
    {0x41, 0xd09, "Arm Cortex-A73"},  {0x41, 0xd0a, "Arm Cortex-A75"},
    {0x41, 0xd0b, "Arm Cortex-A76"},  {0x41, 0xd0c, "Arm Neoverse N1"},
    {0x41, 0xd0d, "Arm Cortex-A77"},  {0x41, 0xd40, "Arm Neoverse V1"},
    {0x41, 0xd41, "Arm Cortex-A78"},  {0x41, 0xd42, "Arm Cortex-A78AE"},
    {0x41, 0xd44, "Arm Cortex-X1"},   {0x41, 0xd49, "Arm Neoverse N2"},
    {0x41, 0xd4f, "Arm Neoverse V2"}, {0x41, 0xd84, "Arm Neoverse V3"},
    {0x41, 0xd8e, "Arm Neoverse N3"}, {0x43, 0x0af, "Cavium ThunderX2"},
    {0x46, 0x001, "Fujitsu A64FX"},   {0x48, 0xd01, "HiSilicon Kunpeng 920"},
    {0x4e, 0x004, "NVIDIA Carmel"},   {0xc0, 0xac3, "Ampere-1"},
    {0xc0, 0xac4, "Ampere-1A"},
};

static void name_core(char *name, size_t size, unsigned implementer, unsigned part)
{
    for (size_t i = 0; i < sizeof arm_cores / sizeof *arm_cores; i++)
        if (arm_cores[i].implementer == implementer && arm_cores[i].part == part) {
            snprintf(name, size, "%s", arm_cores[i].name);
            return;
        }
    snprintf(name, size, "Arm processor, implementer 0x%x, part 0x%x", implementer, part);
}

bool cpu_model_read(char *name, size_t size, FILE *cpuinfo, bool is_arm)
{
    char line[256];
    unsigned implementer = 0, part = 0;
    bool found = false;
    while (fgets(line, sizeof line, cpuinfo)) {
        const char *value = strchr(line, ':');
        if (!value || value[1] != ' ') continue;
        if (!is_arm && !strncmp(line, "model name", 10)) {
            snprintf(name, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
            return true;
        }
        if (!strncmp(line, "CPU implementer", 15)) implementer = (unsigned)strtoul(value + 1, NULL, 16);
        if (!strncmp(line, "CPU part", 8)) {
            part = (unsigned)strtoul(value + 1, NULL, 16);
            found = is_arm;
        }
    }
    if (found) name_core(name, size, implementer, part);
    return found;
}
