/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads single kernels of an archive, and describes a folder of kernels. kernel_pack.c makes archives. */
#include "device/kernel_archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "base/memory.h"

static uint64_t get_number(const unsigned char *from)
{
    uint64_t number = 0;
    for (int i = ARCHIVE_NUMBER_BYTES; i-- > 0;) number = number << 8 | from[i];
    return number;
}

bool archive_read_at(const archive *a, uint64_t at, unsigned char *bytes, size_t count)
{
    while (count) {
        const ssize_t got = pread(a->file, bytes, count, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes += got;
        at += (uint64_t)got;
        count -= (size_t)got;
    }
    return true;
}

bool archive_open(archive *a, const char *folder, uid_t owner)
{
    unsigned char head[ARCHIVE_HEAD_BYTES];
    char path[KERNEL_FILE_PATH];
    if (snprintf(path, sizeof path, "%s/" KERNEL_ARCHIVE_NAME, folder) >= KERNEL_FILE_PATH) return false;
    a->file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (a->file < 0) return false;
    if (kernel_file_is_trusted(a->file, owner, &a->size) && a->size >= ARCHIVE_HEAD_BYTES &&
        archive_read_at(a, 0, head, sizeof head) && !memcmp(head, ARCHIVE_MAGIC, ARCHIVE_MAGIC_BYTES)) {
        a->count = get_number(head + ARCHIVE_MAGIC_BYTES);
        if (a->count <= (a->size - ARCHIVE_HEAD_BYTES) / ARCHIVE_ENTRY_BYTES) return true;
    }
    close(a->file);
    return false;
}

bool archive_read_entry(const archive *a, uint64_t index, archive_entry *e)
{
    unsigned char bytes[ARCHIVE_ENTRY_BYTES];
    if (!archive_read_at(a, ARCHIVE_HEAD_BYTES + index * ARCHIVE_ENTRY_BYTES, bytes, sizeof bytes))
        return false;
    memcpy(e->id.hash, bytes, HASH_BYTES);
    e->at = get_number(bytes + HASH_BYTES);
    e->packed = get_number(bytes + HASH_BYTES + ARCHIVE_NUMBER_BYTES);
    e->bytes = get_number(bytes + HASH_BYTES + 2 * ARCHIVE_NUMBER_BYTES);
    return true;
}

static bool find_entry(const archive *a, const kernel_id *id, archive_entry *e)
{
    uint64_t low = 0, high = a->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (!archive_read_entry(a, middle, e)) return false;
        const int order = memcmp(id->hash, e->id.hash, HASH_BYTES);
        if (!order) return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

bool archive_can_hold(const archive *a, const archive_entry *e)
{
    return e->at <= a->size && e->packed <= a->size - e->at && e->bytes && e->bytes <= KERNEL_FILE_MOST;
}

/* Reads the packed bytes of a kernel (memory_free). */
static bool read_packed(const archive *a, const archive_entry *e, unsigned char **packed)
{
    *packed = NULL;
    return archive_can_hold(a, e) && memory_take(packed, (size_t)e->packed) == ARGAND_OK &&
           archive_read_at(a, e->at, *packed, (size_t)e->packed);
}

argand_status archive_unpack(const archive_entry *e, const unsigned char *packed, kernel_binary *binary)
{
    uLongf count = (uLongf)e->bytes;
    TRY(memory_take(&binary->bytes, (size_t)e->bytes));
    if (uncompress(binary->bytes, &count, packed, (uLong)e->packed) == Z_OK && count == e->bytes) {
        binary->count = (size_t)e->bytes;
    } else {
        memory_free(binary->bytes);
        binary->bytes = NULL;
    }
    return ARGAND_OK;
}

static void read_kernel(const archive *a, const archive_entry *e, kernel_binary *binary)
{
    unsigned char *packed;
    *binary = (kernel_binary){0};
    if (read_packed(a, e, &packed) && archive_unpack(e, packed, binary) != ARGAND_OK)
        *binary = (kernel_binary){0};
    memory_free(packed);
}

void kernel_archive_read(const char *folder, const kernel_id *id, uid_t owner, kernel_binary *binary)
{
    archive a;
    archive_entry e;
    *binary = (kernel_binary){0};
    if (!archive_open(&a, folder, owner)) return;
    if (find_entry(&a, id, &e)) read_kernel(&a, &e, binary);
    close(a.file);
}

static void count_archive(argand_cache_info *info, const char *folder)
{
    archive a;
    struct stat found;
    if (stat(folder, &found) || !archive_open(&a, folder, found.st_uid)) return;
    info->files += (int64_t)a.count;
    info->bytes += (int64_t)a.size;
    close(a.file);
}

/* ---- describing ---- */

static void count_files(DIR *folder, argand_cache_info *info)
{
    struct stat found;
    for (struct dirent *e = readdir(folder); e; e = readdir(folder)) {
        const char *ending = strrchr(e->d_name, '.');
        if (!ending || strcmp(ending, KERNEL_FILE_ENDING) || fstatat(dirfd(folder), e->d_name, &found, 0))
            continue;
        info->files++;
        info->bytes += (int64_t)found.st_size;
    }
}

/* Returns true if the folder can be written. If it does not exist, returns true if it can be made in the
 * nearest existing folder above it. */
static bool can_be_written(const char *name)
{
    char folder[KERNEL_FILE_PATH];
    struct stat found;
    snprintf(folder, sizeof folder, "%s", name);
    for (char *slash = strrchr(folder, '/');
         slash && slash > folder && stat(folder, &found) && errno == ENOENT; slash = strrchr(folder, '/'))
        *slash = 0;
    if (stat(folder, &found) && errno == ENOENT) /* no slash is left: the folder would be made here */
        strcpy(folder, *folder == '/' ? "/" : ".");
    return !stat(folder, &found) && S_ISDIR(found.st_mode) && !access(folder, W_OK | X_OK);
}

void kernel_folder_describe(argand_cache_info *info, const char *folder)
{
    snprintf(info->folder, sizeof info->folder, "%s", folder);
    DIR *opened = opendir(folder);
    if (opened) {
        count_files(opened, info);
        closedir(opened);
    }
    count_archive(info, folder);
    info->is_writable = can_be_written(folder);
}
