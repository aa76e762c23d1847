/* SPDX-License-Identifier: BSD-3-Clause */
#include "sense/study.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/path.h"

/* Returns folder/name, with `ending` in place of the last `cut` characters. */
static char *join(const char *folder, const char *name, size_t cut, const char *ending)
{
    char *text = NULL;
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') length--;
    if (asprintf(&text, "%.*s%s%.*s%s", (int)length, folder, folder[length - 1] == '/' ? "" : "/",
                 (int)(strlen(name) - cut), name, ending) < 0)
        return NULL;
    return text;
}

/* Returns true if a folder is one scan of ParaVision (Bruker), which the library reads as a file. */
static bool is_paravision(const char *folder)
{
    static const char *const names[] = {"acqp", "method", "fid", "rawdata.job0"};
    bool there[4];
    for (int i = 0; i < 4; i++) {
        char *path = join(folder, names[i], 0, "");
        there[i] = path && !access(path, R_OK);
        free(path);
    }
    return there[0] && there[1] && (there[2] || there[3]);
}

bool study_is_folder(const char *path)
{
    struct stat found;
    return path && !stat(path, &found) && S_ISDIR(found.st_mode) && !is_paravision(path);
}

void study_free(study *s)
{
    for (int i = 0; i < s->count; i++) {
        free(s->scans[i].path);
        free(s->scans[i].image);
        free(s->scans[i].failure);
    }
    free(s->scans);
    *s = (study){0};
}

static argand_status add(study *s, const char *folder, const char *images, const char *name)
{
    study_scan *longer = realloc(s->scans, ((size_t)s->count + 1) * sizeof *longer);
    if (!longer) return report_error(ARGAND_MEMORY, "out of memory");
    s->scans = longer;
    study_scan *scan = &s->scans[s->count];
    *scan = (study_scan){.path = join(folder, name, 0, ""),
                         .image = join(images, name, strlen(strrchr(name, '.')), ".nii.gz")};
    s->count++;
    return scan->path && scan->image ? ARGAND_OK : report_error(ARGAND_MEMORY, "out of memory");
}

static int by_name(const void *left, const void *right)
{
    const study_scan *a = left, *b = right;
    const int images = strcmp(a->image, b->image);
    return images ? images : strcmp(a->path, b->path);
}

static argand_status read_folder(study *s, DIR *all, const char *folder, const char *images)
{
    for (struct dirent *entry; (entry = readdir(all));) {
        if (entry->d_name[0] == '.' || !path_is_scan(entry->d_name)) continue;
        TRY(add(s, folder, images, entry->d_name));
        if (study_is_folder(s->scans[s->count - 1].path)) {
            free(s->scans[--s->count].path);
            free(s->scans[s->count].image);
        }
    }
    return ARGAND_OK;
}

static argand_status check(const study *s, const char *folder)
{
    if (!s->count)
        return report_error(ARGAND_ARGUMENT, "%s: the folder has no scans (" PATH_SCANS_TEXT ")", folder);
    for (int i = 1; i < s->count; i++)
        if (!strcmp(s->scans[i - 1].image, s->scans[i].image))
            return report_error(ARGAND_ARGUMENT, "%s and %s would both become %s: rename one of them",
                                s->scans[i - 1].path, s->scans[i].path, s->scans[i].image);
    return ARGAND_OK;
}

argand_status study_list(study *s, const char *folder, const char *images, int tasks)
{
    *s = (study){0};
    DIR *all = opendir(folder);
    if (!all) return report_error(ARGAND_FILE, "%s: cannot be read: %s", folder, strerror(errno));
    argand_status status = read_folder(s, all, folder, images);
    closedir(all);
    if (s->count) qsort(s->scans, (size_t)s->count, sizeof *s->scans, by_name);
    for (int i = 0; tasks && i < s->count; i++) s->scans[i].task = i % tasks + 1;
    return status == ARGAND_OK ? check(s, folder) : status;
}
