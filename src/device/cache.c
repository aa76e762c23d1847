/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the user's cache of compiled kernels. */
#include "device/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "device/handle.h"

enum { PATH = CACHE_PATH };

void cache_identify(kernel_id *id, argand_device *device, const kernel_source *source)
{
    argand_device_info info = {0};
    hash_state state;
    char numbers[64], target[sizeof info.name + sizeof info.detail];
    device->backend->describe(device->context, &info);
    snprintf(target, sizeof target, "%s\n%s", info.name, info.detail);
    if (device->backend->describe_target)
        device->backend->describe_target(device->context, target, sizeof target);
    snprintf(numbers, sizeof numbers, "%d %d %d", source->items, info.capability, info.has_double);
    hash_begin(&state);
    const char *const parts[] = {"argand kernel 3\n", argand_version(), info.backend, target, numbers,
                                 source->key};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) hash_add_text(&state, parts[i]);
    hash_add(&state, source->text_hash, HASH_BYTES);
    hash_end(&state, id->hash);
}

bool cache_folder(char folder[CACHE_PATH])
{
    const char *own = getenv("ARGAND_CACHE"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && !strcmp(own, "off")) return false;
    int length = -1;
    if (own && *own)
        length = snprintf(folder, PATH, "%s", own);
    else if (cache && *cache == '/')
        length = snprintf(folder, PATH, "%s/argand", cache);
    else if (home && *home)
        length = snprintf(folder, PATH, "%s/.cache/argand", home);
    return length > 0 && length < PATH - 128;
}

static bool file_name(char path[PATH], const kernel_id *id)
{
    char folder[PATH];
    return cache_folder(folder) && kernel_file_name(path, folder, id);
}

void cache_make_folders(const char *file)
{
    kernel_file_folders(file, 0700);
}

void cache_load(const kernel_id *id, kernel_binary *binary)
{
    char path[PATH];
    *binary = (kernel_binary){.unwanted = !file_name(path, id)};
    if (!binary->unwanted) kernel_file_read(path, id, geteuid(), binary);
}

void cache_store(const kernel_id *id, const kernel_binary *binary)
{
    char path[PATH];
    if (binary->count && file_name(path, id)) (void)!kernel_file_write(path, id, 0600, binary);
}

argand_status argand_cache_describe(argand_cache_info *info)
{
    char folder[PATH];
    CHECK(info, ARGAND_ARGUMENT, "argand_cache_describe: no place for the answer");
    *info = (argand_cache_info){0};
    info->is_on = cache_folder(folder);
    if (!info->is_on) return ARGAND_OK;
    kernel_folder_describe(info, folder);
    return ARGAND_OK;
}
