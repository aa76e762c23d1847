/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the tool: the call that FAULT_AT counts (from 1) among those that write, name or sync files
 * fails as on a full disk; a write is cut in the middle. FAULT_LOG is made when that call has come. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic int calls;

static int fails(const char *what)
{
    const char *at = getenv("FAULT_AT"), *log = getenv("FAULT_LOG");
    if (!at || atomic_fetch_add(&calls, 1) + 1 != atoi(at)) return 0;
    const int file = log ? open(log, O_WRONLY | O_CREAT, 0600) : -1;
    if (file >= 0) (void)!dprintf(file, "%s\n", what);
    if (file >= 0) close(file);
    errno = ENOSPC;
    return 1;
}

/* A draft of Argand's, not a scan that is handed over in memory, a log, a kernel's cache. */
static int is_draft(int descriptor)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = descriptor < 0 ? -1 : readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "/.argand-") != NULL;
}

static int is_folder(int descriptor)
{
    struct stat found;
    return !fstat(descriptor, &found) && S_ISDIR(found.st_mode);
}

#define REAL(result, name, ...) result (*real)(__VA_ARGS__) = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    REAL(ssize_t, write, int, const void *, size_t);
    if (!is_draft(descriptor) || !fails(__func__)) return real(descriptor, bytes, count);
    if (count > 1) (void)!real(descriptor, bytes, count / 2);
    errno = ENOSPC;
    return -1;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    REAL(size_t, fwrite, const void *, size_t, size_t, FILE *);
    if (!is_draft(fileno(file)) || !fails(__func__)) return real(bytes, size, count, file);
    real(bytes, size, count / 2, file);
    errno = ENOSPC;
    return count / 2;
}

int fflush(FILE *file)
{
    REAL(int, fflush, FILE *);
    if (!file || !is_draft(fileno(file)) || !fails(__func__)) return real(file);
    return EOF;
}

int fclose(FILE *file)
{
    REAL(int, fclose, FILE *);
    const int bad = is_draft(fileno(file)) && fails(__func__);
    const int result = real(file);
    if (bad) errno = ENOSPC;
    return bad ? EOF : result;
}

int fsync(int descriptor)
{
    REAL(int, fsync, int);
    return (is_draft(descriptor) || is_folder(descriptor)) && fails(__func__) ? -1 : real(descriptor);
}

int rename(const char *from, const char *to)
{
    REAL(int, rename, const char *, const char *);
    return fails(__func__) ? -1 : real(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    REAL(int, renameat2, int, const char *, int, const char *, unsigned);
    if (getenv("FAULT_NO_EXCHANGE")) return errno = EINVAL, -1;
    return fails(__func__) ? -1 : real(from_folder, from, to_folder, to, flags);
}

int fchmod(int descriptor, mode_t mode)
{
    REAL(int, fchmod, int, mode_t);
    return fails(__func__) ? -1 : real(descriptor, mode);
}
