/* SPDX-License-Identifier: BSD-3-Clause */
/* Drafts of processes that were killed. A draft is somebody's as long as a process of its number lives here
 * or a lock is held on it, which other machines and containers see, too. */
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

void stale_claim(file_draft *draft)
{
    struct flock lock = whole(F_WRLCK);
    draft->kept = fcntl(fileno(draft->stream), F_DUPFD_CLOEXEC, 3);
    if (draft->kept > 0)
        (void)!fcntl(draft->kept, F_OFD_SETLK, &lock); /* without locks, processes count alone */
}

/* The process in a draft's name; 0: it is no draft's. */
static long process_of(const char *name)
{
    static const char start[] = ".argand-";
    char *end;
    if (strncmp(name, start, sizeof start - 1) != 0) return 0;
    const long process = strtol(name + sizeof start - 1, &end, 10);
    if (process <= 0 || *end != '-') return 0;
    strtoul(end + 1, &end, 10);
    return *end == '-' ? process : 0;
}

static bool is_locked(int folder, const char *name)
{
    struct flock lock = whole(F_WRLCK);
    const int file = openat(folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return errno != EACCES; /* what cannot be looked at is left alone, too */
    const bool locked = fcntl(file, F_OFD_SETLK, &lock) && (errno == EAGAIN || errno == EACCES);
    close(file);
    return locked;
}

void stale_collect(const char *folder)
{
    DIR *open = opendir(folder);
    if (!open) return;
    for (const struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
        const long process = process_of(entry->d_name);
        if (!process || !kill((pid_t)process, 0) || errno != ESRCH) continue;
        if (!is_locked(dirfd(open), entry->d_name)) unlinkat(dirfd(open), entry->d_name, 0);
    }
    closedir(open);
}
