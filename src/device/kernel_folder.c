/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the contents of a folder of kernels. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "device/kernel_archive.h"

static void count_files(DIR *folder, argand_cache_info *info)
{
    struct stat found;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, KERNEL_FILE_ENDING) || fstatat(dirfd(folder), entry->d_name, &found, 0))
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
    kernel_archive_count(info, folder);
    info->is_writable = can_be_written(folder);
}
