/* SPDX-License-Identifier: BSD-3-Clause */
/* Drafts: files written to a temporary name and renamed when they are complete; and reading a small file
 * whole. */
#include "base/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
#include "base/files/file_place.h"
#include "base/memory.h"

/* ---- names that a signal handler can remove: the rest is left for file_stale.c ---- */

enum { SLOTS = 64 };

static struct {
    _Atomic int state; /* 0: free, 1: being written, 2: to be removed */
    char path[sizeof((file_draft *)0)->temporary];
} slots[SLOTS];

static void take_slot(file_draft *draft)
{
    for (int i = 0; i < SLOTS && !draft->slot; i++) {
        int none = 0;
        if (!atomic_compare_exchange_strong(&slots[i].state, &none, 1)) continue;
        strcpy(slots[i].path, draft->temporary);
        atomic_store(&slots[i].state, 2);
        draft->slot = i + 1;
    }
}

static void leave_slot(file_draft *draft)
{
    if (draft->slot) atomic_store(&slots[draft->slot - 1].state, 0);
    draft->slot = 0;
}

void file_remove_all(void)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&slots[i].state) == 2) unlink(slots[i].path);
}

/* ---- drafts ---- */

/* Gives the draft the permissions and, if allowed, the owner of the file that it will replace, before
 * anything is written. */
static bool be_like(int descriptor, const struct stat *old)
{
    if (!S_ISREG(old->st_mode)) return true;
    if (fchown(descriptor, old->st_uid, old->st_gid) && fchown(descriptor, (uid_t)-1, old->st_gid)) errno = 0;
    return !fchmod(descriptor, old->st_mode & 0777);
}

/* Removes stale drafts, once for each new folder, because the whole folder is read. */
static void collect(const file_draft *draft)
{
    static _Thread_local char last[sizeof draft->target];
    char folder[sizeof draft->target];
    file_temporary_folder(folder, draft);
    if (!strcmp(folder, last)) return;
    strcpy(last, folder);
    stale_collect(folder);
}

argand_status file_begin(file_draft *draft, const char *target)
{
    struct stat old = {0};
    *draft = (file_draft){0};
    TRY(place_find(draft, target, &old));
    collect(draft);
    const int descriptor = file_make_temporary(draft, old.st_mode ? 0600 : 0666);
    if (descriptor < 0) {
        draft->temporary[0] = 0;
        return place_failed(draft, errno);
    }
    take_slot(draft);
    draft->stream = fdopen(descriptor, "w+b");
    if (draft->stream) stale_claim(draft, descriptor);
    if (draft->stream && be_like(descriptor, &old)) return ARGAND_OK;
    const argand_status status = place_failed(draft, errno);
    if (!draft->stream) close(descriptor);
    file_abandon(draft);
    return status;
}

void file_abandon(file_draft *draft)
{
    if (draft->stream) fclose(draft->stream);
    if (draft->temporary[0] && draft->is_folder)
        file_remove_folder(AT_FDCWD, draft->temporary);
    else if (draft->temporary[0])
        unlink(draft->temporary);
    if (draft->kept > 0) close(draft->kept);
    leave_slot(draft);
    *draft = (file_draft){0};
}

/* Writes the draft to disk, as far as the system guarantees this. */
static argand_status complete(file_draft *draft)
{
    errno = 0;
    bool good = !ferror(draft->stream) && !fflush(draft->stream) && !fsync(fileno(draft->stream));
    int number = errno;
    if (fclose(draft->stream)) {
        number = number ? number : errno;
        good = false;
    }
    draft->stream = NULL;
    return good ? ARGAND_OK : place_failed(draft, number);
}

argand_status file_complete(file_draft *draft)
{
    const argand_status status = draft->stream ? complete(draft) : ARGAND_OK;
    if (status != ARGAND_OK) file_abandon(draft);
    return status;
}

argand_status file_finish_alone(file_draft *draft)
{
    TRY(file_complete(draft));
    const argand_status status = place_all(&draft, 1);
    file_abandon(draft);
    return status;
}

argand_status file_write(file_draft *draft, const void *bytes, size_t count)
{
    errno = 0;
    if (fwrite(bytes, 1, count, draft->stream) == count) return ARGAND_OK;
    return place_failed(draft, errno);
}

argand_status file_read(const char *path, size_t limit, char **bytes, size_t *count)
{
    argand_status status = ARGAND_OK;
    *bytes = NULL;
    /* without O_NONBLOCK, opening a FIFO without a writer would wait forever */
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (descriptor >= 0 && !file) close(descriptor);
    CHECK(file, ARGAND_FILE, "%s: cannot be read: %s", path, strerror(errno));
    struct stat found;
    CHECK_OR_DONE(!fstat(fileno(file), &found) && S_ISREG(found.st_mode), ARGAND_FILE, "%s: is not a file",
                  path);
    CHECK_OR_DONE((size_t)found.st_size <= limit, ARGAND_FORMAT,
                  "%s: %lld bytes, more than the %zu that are sensible here", path, (long long)found.st_size,
                  limit);
    TRY_OR_DONE(memory_new(bytes, (size_t)found.st_size + 1, 1));
    *count = fread(*bytes, 1, (size_t)found.st_size, file);
    CHECK_OR_DONE(*count == (size_t)found.st_size, ARGAND_FILE, "%s: could be read only in part", path);
done:
    fclose(file);
    if (status != ARGAND_OK) {
        memory_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

bool file_ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && !strcmp(path + length - tail, ending);
}
