/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of OUT.parts. Each is written under a name of its own, synchronised and renamed: a process that
 * is killed or finds the disk full leaves nothing half written, and two that write the same volume do not
 * meet. The drafts that a killed process leaves go with the folder. */
#include "kept/kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/path.h"

void kept_folder(char path[KEPT_PATH], const char *out)
{
    size_t length = path_stem(out);
    while (length > 1 && out[length - 1] == '/') length--; /* IMAGES/ */
    snprintf(path, KEPT_PATH, "%.*s.parts", (int)length, out);
}

bool kept_folder_exists(const char *folder)
{
    struct stat found;
    return !stat(folder, &found) && S_ISDIR(found.st_mode);
}

argand_status kept_folder_make(const char *folder)
{
    if (!mkdir(folder, 0777) || (errno == EEXIST && kept_folder_exists(folder))) return ARGAND_OK;
    return report_error(ARGAND_FILE, "%s: the folder of finished volumes cannot be made: %s", folder,
                        strerror(errno));
}

void kept_volume_path(char path[KEPT_PATH], const char *folder, int volume)
{
    snprintf(path, KEPT_PATH, "%s/volume-%05d.part", folder, volume + 1);
}

/* Returns true for volumes, job.json and drafts of these. */
static bool is_own(const char *name)
{
    return !strncmp(name, "volume-", 7) || !strncmp(name, "job.json", 8);
}

int kept_folder_count(const char *folder)
{
    int count = 0;
    DIR *all = opendir(folder);
    for (struct dirent *entry; all && (entry = readdir(all));)
        count += !strncmp(entry->d_name, "volume-", 7) && has_ending(entry->d_name, ".part");
    if (all) closedir(all);
    return count;
}

void kept_folder_remove(const char *folder, report *console)
{
    DIR *all = opendir(folder);
    for (struct dirent *entry; all && (entry = readdir(all));)
        if (is_own(entry->d_name)) (void)unlinkat(dirfd(all), entry->d_name, 0);
    if (all) closedir(all);
    if (rmdir(folder) && errno != ENOENT)
        report_note(console, "%s could not be removed (%s); it is not needed any more.", folder,
                    strerror(errno));
}

/* ---- writing */

/* Opens a draft with a name that no other process has, on any machine. */
static int open_draft(char draft[KEPT_PATH], const char *path)
{
    struct timespec now;
    for (int attempt = 0; attempt < 100; attempt++) {
        clock_gettime(CLOCK_REALTIME, &now);
        const int length = snprintf(draft, KEPT_PATH, "%s.%ld-%lx.tmp", path, (long)getpid(), now.tv_nsec);
        if (length >= KEPT_PATH) return errno = ENAMETOOLONG, -1;
        const int file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

static bool write_all(int file, const unsigned char *data, size_t size)
{
    while (size) {
        const ssize_t written = write(file, data, size < 1 << 30 ? size : 1 << 30);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        data += written;
        size -= (size_t)written;
    }
    return !fsync(file);
}

/* Makes the new name last; a file system that cannot do this loses nothing but time. */
static void sync_folder(const char *path)
{
    char folder[KEPT_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) *slash = 0;
    const int file = open(slash ? folder : ".", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    (void)fsync(file);
    close(file);
}

argand_status kept_file_write(const char *path, const void *data, size_t size)
{
    char draft[KEPT_PATH];
    const int file = open_draft(draft, path);
    bool good = file >= 0 && write_all(file, data, size);
    int number = errno;
    if (file >= 0 && close(file) && good) good = false, number = errno;
    if (good && rename(draft, path)) good = false, number = errno;
    if (good) {
        sync_folder(path);
        return ARGAND_OK;
    }
    if (file >= 0) (void)unlink(draft);
    return report_error(ARGAND_FILE, "%s: cannot be written: %s", path, strerror(number));
}

/* ---- reading */

argand_status kept_file_read(const char *path, unsigned char **data, size_t *size)
{
    struct stat found;
    errno = 0;
    FILE *from = open_plain_file(path);
    *data = NULL;
    *size = 0;
    if (!from && errno == ENOENT) return ARGAND_OK;
    if (from && !fstat(fileno(from), &found)) *data = malloc((size_t)found.st_size + 1);
    if (*data) *size = fread(*data, 1, (size_t)found.st_size, from);
    const bool good = *data && *size == (size_t)found.st_size;
    const int number = errno;
    if (from) fclose(from);
    if (good) {
        (*data)[*size] = 0;
        return ARGAND_OK;
    }
    free(*data);
    *data = NULL;
    return report_error(ARGAND_FILE, "%s: cannot be read: %s", path, number ? strerror(number) : "it is cut");
}
