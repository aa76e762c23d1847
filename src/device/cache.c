/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "device/handle.h"

#define MAGIC "argand kernel 1\n"
enum {
    MAGIC_BYTES = 16,
    HEAD_BYTES = MAGIC_BYTES + HASH_BYTES + 8 + HASH_BYTES,
    MOST_BYTES = 1 << 28,
    PATH = CACHE_PATH
};

void cache_key_make(cache_key *key, argand_device *device, const kernel_source *source)
{
    argand_device_info info = {0};
    hash_state state;
    char numbers[64];
    device->backend->describe(device->context, &info);
    snprintf(numbers, sizeof numbers, "%d %d %d", source->items, info.capability, info.has_double);
    hash_begin(&state);
    const char *const parts[] = {MAGIC,       argand_version(), info.backend, info.name,
                                 info.detail, numbers,          source->key,  source->text};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) hash_add_text(&state, parts[i]);
    hash_end(&state, key->hash);
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

static bool file_name(char path[PATH], const cache_key *key)
{
    char name[HASH_HEX];
    if (!cache_folder(path)) return false;
    hash_print(name, key->hash);
    const size_t used = strlen(path);
    return snprintf(path + used, PATH - used, "/%s.bin", name) < (int)(PATH - used);
}

void cache_make_folders(const char *file)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s", file);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
}

static bool read_all(int file, unsigned char *bytes, size_t count)
{
    while (count) {
        const ssize_t got = read(file, bytes, count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes += got;
        count -= (size_t)got;
    }
    return true;
}

static bool write_all(int file, const unsigned char *bytes, size_t count)
{
    while (count) {
        const ssize_t put = write(file, bytes, count);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        bytes += put;
        count -= (size_t)put;
    }
    return true;
}

static void make_head(unsigned char head[HEAD_BYTES], const cache_key *key, const kernel_binary *binary)
{
    hash_state state;
    unsigned char *at = head;
    memcpy(at, MAGIC, MAGIC_BYTES);
    memcpy(at += MAGIC_BYTES, key->hash, HASH_BYTES);
    at += HASH_BYTES;
    for (int i = 0; i < 8; i++) *at++ = (unsigned char)((uint64_t)binary->count >> (8 * i));
    hash_begin(&state);
    hash_add(&state, binary->bytes, binary->count);
    hash_end(&state, at);
}

/* Files that others may have written are not run. */
static bool is_ours(int file, size_t *count)
{
    struct stat found;
    if (fstat(file, &found) || !S_ISREG(found.st_mode)) return false;
    if ((found.st_uid != geteuid() && found.st_uid != 0) || (found.st_mode & 022)) return false;
    *count = (size_t)found.st_size;
    return *count > HEAD_BYTES && *count < MOST_BYTES;
}

static void load(int file, const cache_key *key, kernel_binary *binary)
{
    unsigned char head[HEAD_BYTES], expected[HEAD_BYTES];
    size_t count;
    if (!is_ours(file, &count) || !read_all(file, head, sizeof head)) return;
    binary->count = count - HEAD_BYTES;
    if (memory_take(&binary->bytes, binary->count) == ARGAND_OK &&
        read_all(file, binary->bytes, binary->count)) {
        make_head(expected, key, binary);
        if (!memcmp(head, expected, sizeof head)) return;
    }
    memory_free(binary->bytes);
    *binary = (kernel_binary){0};
}

void cache_load(const cache_key *key, kernel_binary *binary)
{
    char path[PATH];
    *binary = (kernel_binary){0};
    binary->unwanted = !file_name(path, key);
    const int file = binary->unwanted ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    load(file, key, binary);
    close(file);
}

/* Beside the file, so that renaming is one step; hidden, and of this process and call alone. */
static int open_temporary(char temporary[PATH], const char *path)
{
    static atomic_uint calls;
    const int folder = (int)(strrchr(path, '/') - path);
    const int length = snprintf(temporary, PATH, "%.*s/.%ld-%u.tmp", folder, path, (long)getpid(),
                                atomic_fetch_add(&calls, 1));
    if (length >= PATH) return -1;
    return open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

void cache_store(const cache_key *key, const kernel_binary *binary)
{
    char path[PATH], temporary[PATH];
    unsigned char head[HEAD_BYTES];
    if (!binary->count || !file_name(path, key)) return;
    int file = open_temporary(temporary, path);
    if (file < 0) {
        cache_make_folders(path);
        file = open_temporary(temporary, path);
    }
    if (file < 0) return;
    make_head(head, key, binary);
    bool good = write_all(file, head, sizeof head) && write_all(file, binary->bytes, binary->count);
    good = !close(file) && good;
    if (!good || rename(temporary, path)) unlink(temporary);
}

static void count_files(DIR *folder, argand_cache_info *info)
{
    struct stat found;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".bin") || fstatat(dirfd(folder), entry->d_name, &found, 0)) continue;
        info->files++;
        info->bytes += (int64_t)found.st_size;
    }
}

/* The folder, or the first one above it that is there, in which the others would be made. */
static bool can_be_written(char folder[PATH])
{
    struct stat found;
    for (char *slash = strrchr(folder, '/');
         slash && slash > folder && stat(folder, &found) && errno == ENOENT; slash = strrchr(folder, '/'))
        *slash = 0;
    return !stat(folder, &found) && S_ISDIR(found.st_mode) && !access(folder, W_OK | X_OK);
}

argand_status argand_cache_describe(argand_cache_info *info)
{
    char folder[PATH];
    CHECK(info, ARGAND_ARGUMENT, "argand_cache_describe: no place for the answer");
    *info = (argand_cache_info){0};
    info->is_on = cache_folder(folder);
    if (!info->is_on) return ARGAND_OK;
    snprintf(info->folder, sizeof info->folder, "%s", folder);
    DIR *opened = opendir(folder);
    if (opened) {
        count_files(opened, info);
        closedir(opened);
    }
    info->is_writable = can_be_written(folder);
    return ARGAND_OK;
}
