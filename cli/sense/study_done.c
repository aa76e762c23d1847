/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds finished scans of a folder by the mark in their sidecars, so that nothing but the images must be
 * kept. A scan has several sidecars if it has several contrasts or parts; all were written together, so one
 * with the mark and its image is enough. */
#include "sense/study.h"
#include "common/system.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/json_flat.h"
#include "common/path.h"

typedef struct study_stamp {
    uint64_t options, scan;
    int64_t size, seconds;
    long nanoseconds;
    char source[256]; /* name of the scan's file, without folders */
} study_stamp;

/* Sets size and time of a file; false if there is none. */
static bool stamp_file(study_stamp *s, const char *path)
{
    struct stat found;
    if (stat(path, &found)) return false;
    s->size = found.st_size;
    s->seconds = found.st_mtim.tv_sec;
    s->nanoseconds = found.st_mtim.tv_nsec;
    return true;
}

void study_mark(char mark[STUDY_MARK], uint64_t options, const char *path, uint64_t scan)
{
    study_stamp s = {.options = options, .scan = scan};
    stamp_file(&s, path);
    snprintf(mark, STUDY_MARK, "%016" PRIx64 " %016" PRIx64 " %" PRId64 " %" PRId64 ".%09ld", s.options,
             s.scan, s.size, s.seconds, s.nanoseconds);
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool read_mark(void *context, const char *group, const char *name, const char *value)
{
    study_stamp *s = context;
    if (strcmp(group, "Argand") != 0) return true;
    if (!strcmp(name, "Source")) snprintf(s->source, sizeof s->source, "%s", last_name(value));
    if (!strcmp(name, "Fingerprint") &&
        sscanf(value, "%" SCNx64 " %" SCNx64 " %" SCNd64 " %" SCNd64 ".%ld", &s->options, &s->scan, &s->size,
               &s->seconds, &s->nanoseconds) != 5)
        s->options = 0;
    return true;
}

static bool exists_with(char *path, size_t stem, size_t size, const char *ending)
{
    snprintf(path + stem, size - stem, "%s", ending);
    return !access(path, F_OK);
}

/* Reads the stamp of a sidecar whose image is there. */
static bool read_stamp(study_stamp *s, const char *folder, const char *name)
{
    char path[KEPT_PATH];
    unsigned char *text;
    size_t size;
    *s = (study_stamp){0};
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return false;
    const size_t stem = strlen(path) - strlen(".json");
    if (kept_file_read(path, &text, &size) != ARGAND_OK || !text) return false;
    const bool good = json_walk((const char *)text, read_mark, s) && s->options;
    free(text);
    return good && exists_with(path, stem, sizeof path, ".nii.gz");
}

/* Returns true if the contents of the scan are those of the stamp. */
static bool same_contents(const study_scan *scan, const study_stamp *s, const scan_reading *reading)
{
    argand_scan *file;
    if (scan_open(&file, scan->path, reading) != ARGAND_OK) return false;
    const bool same = kept_scan_hash(file) == s->scan;
    argand_scan_destroy(file);
    return same;
}

static bool is_match(const study_scan *scan, const study_stamp *there, uint64_t options,
                     const scan_reading *reading)
{
    study_stamp now = {0};
    if (there->options != options || strcmp(there->source, last_name(scan->path)) != 0 ||
        !stamp_file(&now, scan->path))
        return false;
    if (there->size == now.size && there->seconds == now.seconds && there->nanoseconds == now.nanoseconds)
        return true;
    return same_contents(scan, there, reading);
}

bool study_is_done(const study_scan *scan, uint64_t options, const scan_reading *reading)
{
    char folder[KEPT_PATH], stem[KEPT_PATH];
    const char *slash = strrchr(scan->image, '/');
    bool done = false;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - scan->image), scan->image);
    snprintf(stem, sizeof stem, "%.*s", (int)(path_stem(scan->image) - (size_t)(slash + 1 - scan->image)),
             slash + 1);
    DIR *all = opendir(*folder ? folder : "/");
    for (struct dirent *entry; all && !done && (entry = readdir(all));) {
        study_stamp there;
        done = !strncmp(entry->d_name, stem, strlen(stem)) && has_ending(entry->d_name, ".json") &&
               read_stamp(&there, folder, entry->d_name) && is_match(scan, &there, options, reading);
    }
    if (all) closedir(all);
    return done;
}
