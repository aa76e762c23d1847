/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders that appear whole: their files are written into a hidden folder next to the target, which then
 * gets its name in one step. A target that holds anything is refused. */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "base/files/file_place.h"

static bool is_empty(const char *path)
{
    DIR *all = opendir(path);
    if (!all) return false;
    int count = 0;
    while (readdir(all)) count++;
    closedir(all);
    return count <= 2; /* . and .. */
}

argand_status file_check_folder(const char *target)
{
    struct stat found;
    CHECK(target && *target, ARGAND_ARGUMENT, "no name of a folder to write to");
    CHECK(strlen(target) < 3900, ARGAND_ARGUMENT, "folder name of %zu characters is too long",
          strlen(target));
    if (lstat(target, &found)) return ARGAND_OK; /* no such name: mkdir() will report the reason */
    CHECK(S_ISDIR(found.st_mode), ARGAND_FILE,
          "%s: is there already and is no folder; remove it, or give "
          "another name",
          target);
    CHECK(is_empty(target), ARGAND_FILE,
          "%s: is a folder that holds files already; remove it, or give another name", target);
    return ARGAND_OK;
}

argand_status file_begin_folder(file_draft *draft, const char *target)
{
    *draft = (file_draft){0};
    TRY(file_check_folder(target));
    strcpy(draft->target, target);
    for (size_t end = strlen(target); end > 1 && draft->target[end - 1] == '/'; end--)
        draft->target[end - 1] = 0;
    draft->is_folder = true;
    const int descriptor = file_make_temporary(draft, 0777);
    if (descriptor < 0) {
        draft->temporary[0] = 0;
        return place_failed(draft, errno);
    }
    stale_claim(draft, descriptor);
    close(descriptor);
    return ARGAND_OK;
}

argand_status file_add(file_draft *folder, const char *name, const void *const *pieces, const size_t *sizes,
                       int count)
{
    char path[sizeof folder->temporary + 64];
    snprintf(path, sizeof path, "%s/%s", folder->temporary, name);
    FILE *file = fopen(path, "wbxe");
    bool good = file != NULL;
    for (int i = 0; i < count && good; i++) good = fwrite(pieces[i], 1, sizes[i], file) == sizes[i];
    good = good && !fflush(file) && !fsync(fileno(file));
    const int number = errno;
    if (file && fclose(file) && good) return place_failed(folder, errno);
    return good ? ARGAND_OK : place_failed(folder, number);
}
