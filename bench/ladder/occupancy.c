/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes how many groups of a kernel a multiprocessor holds at a time. */
#include "offline.h"

static const struct chip {
    int capability, registers, shared, reserved, groups, warps, warp_registers, warp_launch;
    /* limits of a multiprocessor: registers, shared bytes, shared bytes reserved per group, groups, warps;
     * granularity of registers per warp, of warps */
} chips[] = {
    {20, 32768, 48 << 10, 0, 8, 48, 64, 2},           {75, 65536, 64 << 10, 0, 16, 32, 256, 4},
    {80, 65536, 164 << 10, 1 << 10, 32, 64, 256, 4},  {86, 65536, 100 << 10, 1 << 10, 16, 48, 256, 4},
    {89, 65536, 100 << 10, 1 << 10, 24, 48, 256, 4},  {90, 65536, 228 << 10, 1 << 10, 32, 64, 256, 4},
    {100, 65536, 228 << 10, 1 << 10, 32, 64, 256, 4},
};

static int up_to(int value, int step)
{
    return (value + step - 1) / step * step;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void fill(kernel_needs *n, int items, const struct chip *c)
{
    const int warps = (items + 31) / 32, warp_registers = up_to(32 * n->registers, c->warp_registers),
              shared = up_to((int)n->shared + c->reserved, 128);
    n->items_at_most = 32 * c->warps;
    n->groups = least(c->groups, c->warps / warps);
    if (n->registers) {
        const int fit = c->registers / warp_registers;
        n->groups = least(n->groups, (fit - fit % c->warp_launch) / warps);
    }
    if (shared) n->groups = least(n->groups, c->shared / shared);
}

bool occupancy_fill(kernel_needs *needs, int items, int capability)
{
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
        if (chips[i].capability == capability) {
            fill(needs, items, &chips[i]);
            return true;
        }
    return false;
}
