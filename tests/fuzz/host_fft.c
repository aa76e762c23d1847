/* SPDX-License-Identifier: BSD-3-Clause */
/* What wisdom asks of the rest of the library where problems are planned, which its fuzzer does not do. */
#include <stdlib.h>
#include "device/cache.h"
#include "device/device.h"
#include "fft/access/access.h"
#include "fft/planner/wisdom.h"

const wisdom_text wisdom_shipped[] = {{NULL, NULL}};

void access_key(text *key, const fft_problem *problem)
{
    (void)key, (void)problem;
    abort();
}

void problem_contiguous(fft_geometry *geometry, const fft_problem *problem, argand_direction direction)
{
    (void)geometry, (void)problem, (void)direction;
    abort();
}

bool geometry_is(const fft_geometry *a, const fft_geometry *b)
{
    (void)a, (void)b;
    abort();
}

bool cache_folder(char folder[CACHE_PATH])
{
    (void)folder;
    return false;
}

void cache_make_folders(const char *file)
{
    (void)file;
}

const device_traits *device_traits_of(const argand_device *device)
{
    (void)device;
    abort();
}

argand_status argand_device_describe(argand_device *device, argand_device_info *info)
{
    (void)device, (void)info;
    abort();
}
