/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts complete drafts in place of their targets, one or several at once, and restores the old files if
 * one step fails. */
#include "base/files/file_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
#include "base/system/system.h"

/* ---- one after the other, and undone ---- */

typedef enum way_back { NOTHING, REMOVE, EXCHANGE, BACKUP, MOVED } way_back;

enum { OLD_NAME = sizeof((file_draft *)0)->temporary + 8 };

/* Makes the second name of the old file, next to the draft, if names cannot be exchanged. A file that was
 * moved gets a name that is not a draft's: after a crash this name is all that is left of the file. */
static bool old_name(char name[OLD_NAME], const file_draft *draft, way_back way)
{
    const char *slash = strrchr(draft->temporary, '/'), *own = slash ? slash + 1 : draft->temporary;
    const int folder = (int)(own - draft->temporary);
    const int length = way == BACKUP
                           ? snprintf(name, OLD_NAME, "%s.old", draft->temporary)
                           : snprintf(name, OLD_NAME, "%.*s.argand-old%s", folder, draft->temporary, own + 7);
    return length > 0 && length < OLD_NAME;
}

/* Keeps the old file under a second name, or without hard links (FAT) under that name alone. */
static way_back keep_old(char old[OLD_NAME], const file_draft *draft)
{
    if (old_name(old, draft, BACKUP) && !link(draft->target, old)) return BACKUP;
    return old_name(old, draft, MOVED) && !rename(draft->target, old) ? MOVED : NOTHING;
}

/* Exchanges the names of old and new file if the file system can (on Linux; NFS and FAT cannot), so that
 * one of them always has the name; otherwise gives the old file a second name first. */
static way_back put_into_place(const file_draft *draft)
{
    char old[OLD_NAME];
    struct stat found;
    if (draft->is_folder) return rename(draft->temporary, draft->target) ? NOTHING : REMOVE;
    if (lstat(draft->target, &found)) return rename(draft->temporary, draft->target) ? NOTHING : REMOVE;
    if (!system_exchange_names(draft->temporary, draft->target)) return EXCHANGE;
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return NOTHING;
    const way_back way = keep_old(old, draft);
    if (way == NOTHING || !rename(draft->temporary, draft->target)) return way;
    const int number = errno;
    if (way == BACKUP)
        unlink(old);
    else
        rename(old, draft->target);
    errno = number;
    return NOTHING;
}

static void take_back(const file_draft *draft, way_back way)
{
    char old[OLD_NAME];
    if (way == REMOVE && draft->is_folder)
        rename(draft->target, draft->temporary);
    else if (way == REMOVE)
        unlink(draft->target);
    if (way == EXCHANGE) system_exchange_names(draft->temporary, draft->target);
    if ((way == BACKUP || way == MOVED) && old_name(old, draft, way)) rename(old, draft->target);
}

static void forget_old(file_draft *draft, way_back way)
{
    char old[OLD_NAME];
    if (way == EXCHANGE) unlink(draft->temporary);
    if ((way == BACKUP || way == MOVED) && old_name(old, draft, way)) unlink(old);
    draft->temporary[0] = 0;
}

/* ---- folders ---- */

/* Syncs the folder, so that names are on disk. Some file systems cannot report success. */
static argand_status sync_folder(const file_draft *draft)
{
    char folder[4096];
    place_folder(folder, draft->target);
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return ARGAND_OK; /* folders may be writable but not readable */
    const int number = fsync(descriptor) ? errno : 0;
    close(descriptor);
    return !number || number == EINVAL || number == EROFS || number == ENOTSUP ? ARGAND_OK
                                                                               : place_failed(draft, number);
}

bool file_lock_folder(int folder)
{
    enum { TRIES = 3000 };
    for (int i = 0; i < TRIES; i++) {
        if (!flock(folder, LOCK_EX | LOCK_NB)) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return true;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

/* Makes two runs that write several files of the same names do so one after the other, by a lock on the
 * first file's folder; *lock is -1 if the folder cannot be opened. */
static argand_status lock_folder(const file_draft *draft, int *lock)
{
    char folder[4096];
    place_folder(folder, draft->target);
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0 || file_lock_folder(*lock)) return ARGAND_OK;
    close(*lock);
    *lock = -1;
    return status_set(ARGAND_FILE, "%s: another program has kept its folder locked for half a minute",
                      draft->target);
}

/* ---- all of them ---- */

static argand_status place_files(file_draft *const *drafts, way_back *ways, int count)
{
    char synced[4096] = "", folder[4096];
    for (int i = 0; i < count; i++) {
        if (drafts[i]->to_place) continue;
        errno = 0;
        ways[i] = put_into_place(drafts[i]);
        if (ways[i] == NOTHING) return place_failed(drafts[i], errno);
    }
    for (int i = 0; i < count; i++) {
        if (drafts[i]->to_place) continue;
        place_folder(folder, drafts[i]->target);
        if (strcmp(folder, synced) != 0) TRY(sync_folder(drafts[i]));
        strcpy(synced, folder);
    }
    return ARGAND_OK;
}

static argand_status place_locked(file_draft *const *drafts, int count)
{
    way_back *ways = calloc((size_t)count + 1, sizeof *ways);
    if (!ways) return status_set(ARGAND_MEMORY, "out of memory while %d file(s) are put into place", count);
    const argand_status status = place_files(drafts, ways, count);
    for (int i = count - 1; i >= 0; i--) {
        if (status != ARGAND_OK)
            take_back(drafts[i], ways[i]);
        else if (!drafts[i]->to_place)
            forget_old(drafts[i], ways[i]);
    }
    free(ways);
    return status;
}

argand_status place_all(file_draft *const *drafts, int count)
{
    int lock = -1, first = 0;
    for (int i = 0; i < count; i++)
        if (drafts[i]->to_place) TRY(pipe_copy(drafts[i]));
    while (first < count && drafts[first]->to_place) first++;
    if (first == count) return ARGAND_OK;
    if (count > 1) TRY(lock_folder(drafts[first], &lock)); /* a single file is renamed atomically */
    const argand_status status = place_locked(drafts, count);
    if (lock >= 0) close(lock);
    return status;
}
