/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes a file that holds one compiled kernel, and checks its hashes and owner. */
#include "device/kernel_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"

#define MAGIC "argand kernel 1\n"
enum {
    MAGIC_BYTES = sizeof MAGIC - 1,
    HEAD_BYTES = MAGIC_BYTES + HASH_BYTES + 8 + HASH_BYTES,
    PATH = KERNEL_FILE_PATH
};

bool kernel_file_name(char path[KERNEL_FILE_PATH], const char *folder, const kernel_id *id)
{
    char name[HASH_HEX];
    hash_print(name, id->hash);
    return snprintf(path, PATH, "%s/%s" KERNEL_FILE_ENDING, folder, name) < PATH;
}

void kernel_file_folders(const char *file, mode_t mode)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s", file);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, mode);
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
        if (put == 0) errno = ENOSPC;
        if (put <= 0) return false;
        bytes += put;
        count -= (size_t)put;
    }
    return true;
}

static void make_head(unsigned char head[HEAD_BYTES], const kernel_id *id, const kernel_binary *binary)
{
    hash_state state;
    unsigned char *at = head;
    memcpy(at, MAGIC, MAGIC_BYTES);
    memcpy(at += MAGIC_BYTES, id->hash, HASH_BYTES);
    at += HASH_BYTES;
    for (int i = 0; i < 8; i++) *at++ = (unsigned char)((uint64_t)binary->count >> (8 * i));
    hash_begin(&state);
    hash_add(&state, binary->bytes, binary->count);
    hash_end(&state, at);
}

bool kernel_file_is_trusted(int file, uid_t owner, size_t *count)
{
    struct stat found;
    if (fstat(file, &found) || !S_ISREG(found.st_mode)) return false;
    if ((found.st_uid != owner && found.st_uid != 0) || (found.st_mode & 022)) return false;
    *count = (size_t)found.st_size;
    return *count < KERNEL_FILE_MOST;
}

static void read_file(int file, const kernel_id *id, uid_t owner, kernel_binary *binary)
{
    unsigned char head[HEAD_BYTES], expected[HEAD_BYTES];
    size_t count;
    if (!kernel_file_is_trusted(file, owner, &count) || count <= HEAD_BYTES ||
        !read_all(file, head, sizeof head))
        return;
    binary->count = count - HEAD_BYTES;
    if (memory_take(&binary->bytes, binary->count) == ARGAND_OK &&
        read_all(file, binary->bytes, binary->count)) {
        make_head(expected, id, binary);
        if (!memcmp(head, expected, sizeof head)) return;
    }
    memory_free(binary->bytes);
    *binary = (kernel_binary){0};
}

void kernel_file_read(const char *path, const kernel_id *id, uid_t owner, kernel_binary *binary)
{
    *binary = (kernel_binary){0};
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return;
    read_file(file, id, owner, binary);
    close(file);
}

/* Opens a temporary file in the same folder, so that renaming is atomic. Its name is hidden and unique to
 * this process and call. */
static int open_temporary(char temporary[PATH], const char *path, mode_t mode)
{
    static atomic_uint calls;
    const int folder = (int)(strrchr(path, '/') - path);
    const int length = snprintf(temporary, PATH, "%.*s/.%ld-%u.tmp", folder, path, (long)getpid(),
                                atomic_fetch_add(&calls, 1));
    errno = ENAMETOOLONG;
    if (length >= PATH) return -1;
    return open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

bool kernel_file_write(const char *path, const kernel_id *id, mode_t mode, const kernel_binary *binary)
{
    char temporary[PATH];
    unsigned char head[HEAD_BYTES];
    int file = open_temporary(temporary, path, mode);
    if (file < 0) {
        kernel_file_folders(path, mode | (mode & 0444) >> 2);
        file = open_temporary(temporary, path, mode);
    }
    if (file < 0) return false;
    make_head(head, id, binary);
    bool good = write_all(file, head, sizeof head) && write_all(file, binary->bytes, binary->count);
    good = !close(file) && good && !rename(temporary, path);
    const int why = errno;
    if (!good) unlink(temporary);
    errno = why;
    return good;
}
