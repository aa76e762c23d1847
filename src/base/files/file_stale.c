/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and removes drafts of processes that were killed. A draft is in use as long as it is locked, which
 * other machines and containers see as well. On file systems without locks, the process whose number is in
 * the name decides, if it lives here and started at the time in the name: process numbers are reused, in
 * containers in every run. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/files/file_place.h"

static struct flock whole(short type)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET};
}

void stale_claim(file_draft *draft, int descriptor)
{
    struct flock lock = whole(draft->is_folder ? F_RDLCK : F_WRLCK); /* folders are only open for reading */
    draft->kept = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    if (draft->kept > 0)
        (void)!fcntl(draft->kept, F_OFD_SETLK, &lock); /* without locks, process numbers alone decide */
}

/* Reads state and start of a process. Both follow the program's name, which may contain anything. */
static bool look_at(long process, char *state, unsigned long long *start)
{
    char name[64], line[1024];
    snprintf(name, sizeof name, "/proc/%ld/stat", process);
    FILE *file = fopen(name, "re");
    if (!file) return false;
    const size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = 0;
    const char *at = strrchr(line, ')');
    if (!at || sscanf(at, ") %c", state) != 1) return false;
    for (int field = 2; at && field < 22; field++) at = strchr(at + 1, ' ');
    *start = at ? strtoull(at, NULL, 10) : 0;
    return at != NULL;
}

unsigned long long stale_start(long process)
{
    char state;
    unsigned long long start;
    return look_at(process, &state, &start) ? start : 0;
}

typedef struct owner {
    long process;             /* 0: not the name of a draft */
    unsigned long long start; /* 0: unknown */
} owner;

/* Parses .argand-<process>[.<start>]-<n>-name. */
static owner owner_of(const char *name)
{
    static const char begins[] = ".argand-";
    owner o = {0};
    char *end;
    if (strncmp(name, begins, sizeof begins - 1) != 0) return o;
    const long process = strtol(name + sizeof begins - 1, &end, 10);
    if (*end == '.') o.start = strtoull(end + 1, &end, 10);
    if (process <= 0 || *end != '-') return o;
    strtoul(end + 1, &end, 10);
    if (*end == '-') o.process = process;
    return o;
}

/* Returns true if the process lives. A zombie (ended, not waited for) still has its number but does not
 * live. */
static bool lives(const owner *o)
{
    char state;
    unsigned long long start;
    if (kill((pid_t)o->process, 0) && errno == ESRCH) return false;
    if (!look_at(o->process, &state, &start)) return true;
    return state != 'Z' && state != 'X' && (!o->start || o->start == start);
}

static bool is_locked(int folder, const char *name)
{
    struct flock lock = whole(F_WRLCK); /* query only: the owner may be about to take the lock */
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return true; /* a file that cannot be opened is kept: it may belong to another user */
    const bool locked = fcntl(file, F_OFD_GETLK, &lock) || lock.l_type != F_UNLCK;
    close(file);
    return locked;
}

void file_remove_folder(int parent, const char *name)
{
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *all = folder < 0 ? NULL : fdopendir(folder);
    if (!all) {
        if (folder >= 0) close(folder);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(all));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlinkat(folder, entry->d_name, 0);
    closedir(all);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

void stale_collect(const char *folder)
{
    DIR *open = opendir(folder);
    if (!open) return;
    for (const struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
        const owner o = owner_of(entry->d_name);
        if (!o.process || lives(&o)) continue;
        if (is_locked(dirfd(open), entry->d_name)) continue;
        if (unlinkat(dirfd(open), entry->d_name, 0)) file_remove_folder(dirfd(open), entry->d_name);
    }
    closedir(open);
}
