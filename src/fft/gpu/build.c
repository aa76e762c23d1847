/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the kernels of programs, several at a time: compiling takes a few tenths of a second each. */
#include "fft/gpu/build.h"

#include <string.h>

const char *program_launch_key(const pass_program *p, int pass)
{
    const int in_persistent = pass - p->persistent.begin;
    if (in_persistent < 0 || in_persistent >= p->persistent.count) return p->pass[pass].key;
    return in_persistent == 0 ? p->persistent.key : NULL;
}

static bool is_there(const program_kernel_keys *k, const char *key)
{
    for (int i = 0; i < k->count; i++)
        if (!strcmp(k->key[i], key)) return true;
    return false;
}

bool kernels_gather(program_kernel_keys *k, const pass_program *p)
{
    for (int i = 0; i < p->count; i++) {
        const char *key = program_launch_key(p, i);
        if (!key || is_there(k, key)) continue;
        if (k->count == KERNELS_AT_ONCE) return false;
        k->key[k->count++] = key;
    }
    return true;
}

argand_status program_kernels(void *kernels[PROGRAM_PASSES], const pass_program *p, argand_device *device)
{
    for (int i = 0; i < p->count; i++) {
        const char *key = program_launch_key(p, i);
        if (key) TRY(kernel_built(device, key, &kernels[i]));
    }
    return ARGAND_OK;
}
