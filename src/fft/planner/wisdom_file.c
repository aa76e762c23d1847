/* SPDX-License-Identifier: BSD-3-Clause */
/* Wisdom on disk. Any number of processes may read and write. A writer locks the folder, reads the file,
 * adds its entry and replaces the file by renaming. Readers see the old or the new file. */
#include "fft/planner/wisdom.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
#include "base/files/file.h"
#include "base/memory.h"
#include "device/cache.h"

enum { MOST_BYTES = 1 << 24, PATH = 4096 };

/* Writes a file name such as "NVIDIA_H200.wisdom". */
static void file_name(char *name, size_t size, const char *device)
{
    size_t used = 0;
    for (const char *at = device; *at && used + 8 < size; at++)
        name[used++] = isalnum((unsigned char)*at) || *at == '-' || *at == '.' ? *at : '_';
    snprintf(name + used, size - used, ".wisdom");
}

bool wisdom_path(char *path, size_t size, const char *device)
{
    const char *own = getenv("ARGAND_WISDOM");
    char folder[PATH], name[256];
    if (own && !strcmp(own, "off")) return false;
    if (own && *own) return snprintf(path, size, "%s", own) < (int)size;
    file_name(name, sizeof name, device);
    return cache_folder(folder) && snprintf(path, size, "%s/wisdom/%s", folder, name) < (int)size;
}

argand_status wisdom_read_file(char **chars, const char *path)
{
    size_t count;
    TRY(file_read(path, MOST_BYTES, chars, &count));
    if (strlen(*chars) == count) return ARGAND_OK;
    memory_free(*chars);
    *chars = NULL;
    return status_set(ARGAND_FORMAT, "%s: holds a zero byte, which wisdom does not", path);
}

/* Loads a file and returns true if it may be replaced, or does not exist. A file of a later version is
 * never replaced. A file that is not wisdom is only replaced in Argand's own folder, because ARGAND_WISDOM
 * may name another file by mistake. */
static bool load_file(wisdom *w, const char *path, wisdom_care care)
{
    static const char family[] = "argand wisdom ", ours[] = "argand wisdom 1";
    const char *own = getenv("ARGAND_WISDOM");
    char *chars = NULL;
    if (access(path, F_OK)) return true;
    const bool readable = wisdom_read_file(&chars, path) == ARGAND_OK;
    if (readable) (void)!wisdom_parse(w, chars, WISDOM_FILE, care, NULL);
    const bool is_wisdom = readable && !strncmp(chars, family, sizeof family - 1);
    const bool empty = readable && !*chars, current = readable && !strncmp(chars, ours, sizeof ours - 1);
    memory_free(chars);
    return is_wisdom ? current : empty || !(own && *own);
}

void wisdom_load(wisdom *w, const char *device)
{
    char path[PATH], name[256];
    const char *own = getenv("ARGAND_WISDOM");
    file_name(name, sizeof name, device);
    for (int i = 0; wisdom_shipped[i].file && !(own && *own); i++)
        if (!strcmp(wisdom_shipped[i].file, name))
            (void)!wisdom_parse(w, wisdom_shipped[i].chars, WISDOM_SHIPPED, WISDOM_SOUND, NULL);
    if (wisdom_path(path, sizeof path, device)) load_file(w, path, WISDOM_SOUND);
}

/* Waits for the lock. Others write for milliseconds, on slow disks for tenths of a second. A writer that
 * hangs must not stop this process, which knows its results anyway. After one wait in vain the process
 * does not wait again. */
static bool lock_soon(int folder)
{
    static atomic_bool in_vain;
    const struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};
    for (int tries = atomic_load(&in_vain) ? 1 : 1200; tries; tries--) {
        if (!flock(folder, LOCK_EX | LOCK_NB)) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return true; /* file system without locks */
        if (tries > 1) nanosleep(&pause, NULL);
    }
    atomic_store(&in_vain, true);
    return false;
}

/* Locks the folder, so that no lock file is left behind. On file systems without locks an entry may be
 * lost to another writer. Returns a negative number, with a message, if there is no folder or others hold
 * the lock for more than six seconds. */
static int lock_folder(const char *path)
{
    char folder[PATH];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = 0;
    const int lock = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0)
        (void)!status_set(ARGAND_FILE, "%s: cannot be written: its folder: %s", path, strerror(errno));
    if (lock < 0 || lock_soon(lock)) return lock;
    close(lock);
    (void)!status_set(ARGAND_FILE,
                      "%s: cannot be written: another process has held its folder for six seconds", path);
    return -1;
}

static argand_status write_file(const char *path, const wisdom *w)
{
    file_draft draft;
    text t = {0};
    wisdom_print(&t, w);
    argand_status status = t.status;
    if (status == ARGAND_OK) status = file_begin(&draft, path);
    if (status == ARGAND_OK) {
        status = file_write(&draft, text_chars(&t), t.length);
        if (status == ARGAND_OK)
            status = file_finish_alone(&draft);
        else
            file_abandon(&draft);
    }
    text_free(&t);
    return status;
}

/* Adds an entry to the file. entry NULL: only checks that one could be added. */
static argand_status add_entry(const char *path, const wisdom_entry *entry)
{
    wisdom all = {0};
    file_draft draft;
    argand_status status = ARGAND_OK;
    cache_make_folders(path);
    const int lock = lock_folder(path);
    if (lock < 0) return ARGAND_FILE;
    if (!load_file(&all, path, WISDOM_WHOLE))
        status =
            status_set(ARGAND_FILE, "%s: is not replaced: it holds no wisdom, or a later version's", path);
    else if (entry)
        status = wisdom_put(&all, entry);
    if (status == ARGAND_OK && entry) status = write_file(path, &all);
    if (status == ARGAND_OK && !entry) status = file_begin(&draft, path);
    if (status == ARGAND_OK && !entry) file_abandon(&draft);
    wisdom_release(&all);
    close(lock);
    return status;
}

/* Returns an error only if ARGAND_WISDOM names a file. Otherwise measurements that cannot be stored are
 * still known to this process. */
static argand_status as_asked(argand_status status)
{
    const char *own = getenv("ARGAND_WISDOM");
    if (status == ARGAND_OK || !own || !*own) return ARGAND_OK;
    return status_set(
        status,
        "%s. Measurements are to be kept there (ARGAND_WISDOM, --wisdom): name a file that can be "
        "written, or ARGAND_WISDOM=off to keep none",
        argand_message());
}

argand_status wisdom_store(const wisdom_entry *entry)
{
    char path[PATH];
    if (!wisdom_path(path, sizeof path, entry->device)) return ARGAND_OK;
    return as_asked(add_entry(path, entry));
}

argand_status wisdom_check_file(void)
{
    const char *own = getenv("ARGAND_WISDOM");
    char path[PATH];
    if (!own || !*own || !wisdom_path(path, sizeof path, "")) return ARGAND_OK;
    return as_asked(add_entry(path, NULL));
}
