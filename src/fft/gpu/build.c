/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of programs, built several at a time: compiling takes a few tenths of a second each. */
#include "fft/gpu/build.h"

#include <string.h>

const char *program_launch_key(const box_program *p, int pass)
{
    const int in_wave = pass - p->wave.begin;
    if (in_wave < 0 || in_wave >= p->wave.count) return p->pass[pass].key;
    return in_wave == 0 ? p->wave.key : NULL;
}

static bool is_there(const box_kernels *k, const char *key)
{
    for (int i = 0; i < k->count; i++)
        if (!strcmp(k->key[i], key)) return true;
    return false;
}

bool kernels_gather(box_kernels *k, const box_program *p)
{
    for (int i = 0; i < p->count; i++) {
        const char *key = program_launch_key(p, i);
        if (!key || is_there(k, key)) continue;
        if (k->count == KERNELS_AT_ONCE) return false;
        k->key[k->count++] = key;
    }
    return true;
}

argand_status program_kernels(void *kernels[BOX_PASSES], const box_program *p, argand_device *device)
{
    for (int i = 0; i < p->count; i++) {
        const char *key = program_launch_key(p, i);
        if (key) TRY(kernel_built(device, key, &kernels[i]));
    }
    return ARGAND_OK;
}
